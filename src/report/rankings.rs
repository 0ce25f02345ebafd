//! A topic: its query, the ranking that the judgments ask for, and what each run has.

use std::cmp::Reverse;

#[cfg(feature = "ask")]
use super::posts::post;
use super::posts::question;
use super::{JudgedTopic, Query, Report, Results};
use crate::escape::escaped;
use crate::eval::{Evaluated, MEASURES, plural, ranking};
use crate::picture::Sheet;

/// Grades, the highest first: their class on the page, and their names.
const GRADES: [(&str, &str); 5] = [
    ("high", "high"),
    ("medium", "medium"),
    ("low", "low"),
    ("not", "not relevant"),
    ("unjudged", "unjudged"),
];

/// The index of a grade in `GRADES`.
fn place(grade: Option<i32>) -> usize {
    match grade {
        Some(3..) => 0,
        Some(2) => 1,
        Some(1) => 2,
        Some(_) => 3,
        None => 4,
    }
}

impl Report<'_> {
    pub(super) fn section(&self, at: usize, topic: &JudgedTopic, sheet: &mut Sheet) -> String {
        let number = escaped(topic.number);
        let (query, latex) = match topic.query {
            Some(Query::Formula(latex)) => {
                let symbols = match topic.symbols {
                    Some(symbols) => plural(symbols, "symbol"),
                    None => "which cannot be laid out".to_owned(),
                };
                let text = format!("<code>{}</code>, {symbols}, ", escaped(latex));
                (drawn(sheet, latex), text)
            }
            Some(Query::Question(parts)) => (String::new(), question(parts, sheet)),
            None => (String::new(), "not in the topic file, ".to_owned()),
        };
        let ideal = self.ranking(
            topic,
            "<th>ideal</th>".to_owned(),
            &ideal(topic, self.top),
            sheet,
        );
        let runs: String = (self.runs().enumerate())
            .map(|(at, run)| {
                let results = run.run.topics.get(topic.number);
                let results = results.map_or(&[][..], Vec::as_slice);
                let first: Vec<(&str, Option<f32>)> = ranking(results)
                    .into_iter()
                    .take(self.top)
                    .map(|(id, score)| (id, Some(score)))
                    .collect();
                self.ranking(topic, self.head(at, run, topic), &first, sheet)
            })
            .collect();
        format!(
            r#"<section id="t{at}" data-at="{at}"><h2>{number} {query}</h2><p>{latex}judged: {}</p>
<table class="rankings{kind}">{ideal}{runs}</table></section>
"#,
            counts(topic),
            kind = match self.results {
                Results::Formulas(_) => "",
                #[cfg(feature = "ask")]
                Results::Texts(_) => " texts",
            },
        )
    }

    /// A run's name, and its measures on the topic.
    fn head(&self, at: usize, run: &Evaluated, topic: &JudgedTopic) -> String {
        let measures: String = MEASURES
            .iter()
            .map(|measure| {
                let value = run.of_topic(topic.number, measure);
                let difference = value - self.baseline.of_topic(topic.number, measure);
                let class = match difference {
                    d if d > 5e-4 => "better",
                    d if d < -5e-4 => "worse",
                    _ => "alike",
                };
                let shown = match at {
                    0 => String::new(),
                    _ => format!(r#" <span class="{class}">{difference:+.3}</span>"#),
                };
                format!("<small>{} {value:.3}{shown}</small>", measure.name)
            })
            .collect();
        let name = escaped(&run.name);
        format!(r#"<th><i class="r{at}"></i>{name}{measures}</th>"#)
    }

    /// A ranking as a row: each formula with its rank, grade, score and visual id.
    fn ranking(
        &self,
        topic: &JudgedTopic,
        head: String,
        ranked: &[(&str, Option<f32>)],
        sheet: &mut Sheet,
    ) -> String {
        let cells: String = (1..)
            .zip(ranked)
            .map(|(rank, (id, score))| {
                let (class, grade) = GRADES[place(topic.grades.get(*id).copied())];
                let picture = match self.results {
                    Results::Formulas(formulas) => {
                        formulas.get(*id).map(|latex| drawn(sheet, latex))
                    }
                    #[cfg(feature = "ask")]
                    Results::Texts(texts) => texts
                        .get(&(topic.number.to_owned(), (*id).to_owned()))
                        .map(|text| post(text, sheet)),
                };
                let picture = picture.unwrap_or_else(|| "<em>not in the index</em>".to_owned());
                let score = score.map_or(String::new(), |score| format!(" · {score:.4}"));
                let id = escaped(id);
                format!(
                    r#"<li class="{class}"><div>{picture}</div><small>{rank} · {grade}{score} · <b>{id}</b></small></li>"#
                )
            })
            .collect();
        let cells = if cells.is_empty() {
            "<li class=\"unjudged\">no result</li>".to_owned()
        } else {
            cells
        };
        format!("<tr>{head}<td><ol>{cells}</ol></td></tr>\n")
    }
}

/// The ideal ranking by the judgments: the highest grades first, equal ones by id.
fn ideal<'a>(topic: &JudgedTopic<'a>, top: usize) -> Vec<(&'a str, Option<f32>)> {
    let mut ids: Vec<(&str, i32)> = (topic.grades.iter())
        .map(|(id, grade)| (id.as_str(), *grade))
        .collect();
    ids.sort_unstable_by_key(|(id, grade)| (Reverse(*grade), *id));
    ids.truncate(top);
    ids.into_iter().map(|(id, _)| (id, None)).collect()
}

/// How many formulas have each grade.
fn counts(topic: &JudgedTopic) -> String {
    let count = |at: usize| {
        let grades = topic.grades.values();
        grades.filter(|grade| place(Some(**grade)) == at).count()
    };
    let counts: Vec<String> = (GRADES[..4].iter().enumerate())
        .map(|(at, (class, name))| format!(r#"<span class="{class}">{} {name}</span>"#, count(at)))
        .collect();
    counts.join(" ")
}

/// A formula drawn, or its LaTeX where it cannot be.
pub(super) fn drawn(sheet: &mut Sheet, latex: &str) -> String {
    let drawn = sheet.formula(latex);
    drawn.unwrap_or_else(|_| format!("<code>{}</code>", escaped(latex)))
}
