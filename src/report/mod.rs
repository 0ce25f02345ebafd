//! Runs side by side, from the measures down to the formulas behind them: one page
//! that needs no server, no network and no other file.
//!
//! All that is on the page is written here; its script only orders, hides and shows.

mod plot;
mod posts;
mod rankings;
mod summary;

use std::collections::{BTreeMap, HashMap, HashSet};

use serde_json::json;

#[cfg(feature = "ask")]
use crate::ask::TextHit;
use crate::corpus::TextPart;
use crate::escape::escaped;
use crate::eval::{Evaluated, MEASURES, Qrels, plural};
use crate::layout;
use crate::picture::Sheet;

/// The runs, judgments and topics of a report.
#[derive(Debug)]
pub struct Report<'a> {
    /// The run that the others are compared with.
    pub baseline: &'a Evaluated,
    /// The other runs.
    pub others: &'a [Evaluated],
    /// The judgments.
    pub qrels: &'a Qrels,
    /// The queries. Topics that are not judged are left out.
    pub topics: &'a [ReportTopic],
    /// What is shown of results.
    pub results: Results<'a>,
    /// How many results of a run are shown, a topic.
    pub top: usize,
    /// A description of the files from which it was made.
    pub source: &'a str,
}

/// A topic with its query.
#[derive(Debug)]
pub struct ReportTopic {
    /// Its number, such as `B.301`.
    pub number: String,
    /// What is searched for.
    pub query: Query,
}

/// What is searched for.
#[derive(Debug)]
pub enum Query {
    /// A formula in LaTeX.
    Formula(String),
    /// A question.
    Question(Vec<TextPart>),
}

/// What is shown of results.
#[derive(Debug, Clone, Copy)]
pub enum Results<'a> {
    /// LaTeX by visual id.
    Formulas(&'a HashMap<String, String>),
    /// Texts by topic and id of the post, with what was matched.
    #[cfg(feature = "ask")]
    Texts(&'a HashMap<(String, String), TextHit>),
}

/// A judged topic.
struct JudgedTopic<'a> {
    number: &'a str,
    /// Its query, where the topic file has it.
    query: Option<&'a Query>,
    /// How many symbols the query has, where it can be laid out.
    symbols: Option<usize>,
    grades: &'a HashMap<String, i32>,
}

impl Query {
    /// How many symbols its formulas have, where they can be laid out.
    fn symbols(&self) -> Option<usize> {
        let count = |latex: &str| Some(layout::latex(latex).ok()?.symbols().len());
        match self {
            Query::Formula(latex) => count(latex),
            Query::Question(parts) => {
                let formulas = parts.iter().filter_map(TextPart::latex);
                Some(formulas.filter_map(count).sum())
            }
        }
    }
}

impl Report<'_> {
    /// The page.
    pub fn page(&self) -> String {
        let topics = self.judged();
        let mut sheet = Sheet::default();
        let sections: String = (topics.iter().enumerate())
            .map(|(at, topic)| self.section(at, topic, &mut sheet))
            .collect();
        let runs = plural(1 + self.others.len(), "run");
        let title = format!("{runs} on {}", plural(topics.len(), "topic"));
        format!(
            r#"<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>{title}</title><style>
{style}{colours}</style></head><body>
{definitions}
<div class="head"><h1>{title}</h1> <button id="theme" type="button" hidden></button></div>
<p>{source} {coverage}</p>
{summary}
{controls}
{plots}
<main id="topics">
{sections}</main>
<script type="application/json" id="data">{data}</script>
<script>
{script}</script></body></html>
"#,
            style = include_str!("page.css"),
            colours = plot::colours(self),
            definitions = sheet.definitions(),
            source = self.sources(),
            coverage = self.coverage(&topics),
            summary = self.summary(),
            controls = self.controls(topics.len()),
            plots = self.plots(&topics),
            data = self.data(&topics),
            script = include_str!("page.js"),
        )
    }

    /// The program and the files by which the page was made.
    fn sources(&self) -> String {
        let version = env!("CARGO_PKG_VERSION");
        escaped(&format!("phocus {version}, {}.", self.source))
    }

    /// A plot for each measure.
    fn plots(&self, topics: &[JudgedTopic]) -> String {
        let plot = |measure| self.plot(topics, measure);
        MEASURES.iter().map(plot).collect()
    }

    /// The judged topics, in the order of the topic file; those that it lacks come last.
    fn judged(&self) -> Vec<JudgedTopic<'_>> {
        let in_file = self.topics.iter().filter_map(|topic| {
            let (number, grades) = self.qrels.topics.get_key_value(&topic.number)?;
            Some(JudgedTopic {
                number,
                query: Some(&topic.query),
                symbols: topic.query.symbols(),
                grades,
            })
        });
        let known: HashSet<&str> = self.topics.iter().map(|topic| &*topic.number).collect();
        let others = self.qrels.topics.iter();
        let others = others.filter(|(number, _)| !known.contains(number.as_str()));
        let without = others.map(|(number, grades)| JudgedTopic {
            number,
            query: None,
            symbols: None,
            grades,
        });
        in_file.chain(without).collect()
    }

    /// Where topics and judgments differ, in words.
    fn coverage(&self, topics: &[JudgedTopic]) -> String {
        let shown = topics.iter().filter(|topic| topic.query.is_some()).count();
        let (unjudged, unknown) = (self.topics.len() - shown, topics.len() - shown);
        let mut text = String::new();
        if unjudged > 0 {
            let verb = if unjudged == 1 { "is" } else { "are" };
            let count = plural(unjudged, "topic");
            text += &format!("{count} of the topic file {verb} not judged, and left out. ");
        }
        if unknown > 0 {
            let verb = if unknown == 1 { "is" } else { "are" };
            let count = plural(unknown, "judged topic");
            text += &format!("{count} {verb} not in the topic file. ");
        }
        text
    }

    /// The controls that order and choose topics. The page's script shows them.
    fn controls(&self, topics: usize) -> String {
        let option =
            |value: &str, name: &str| format!(r#"<option value="{value}">{name}</option>"#);
        let measures: String = MEASURES
            .iter()
            .map(|measure| option(measure.key, measure.name))
            .collect();
        let runs: String = (1..)
            .zip(self.others)
            .map(|(at, run)| option(&at.to_string(), &escaped(&run.name)))
            .collect();
        let orders: String = [
            ("topic", "topic"),
            ("loss", "difference, losses first"),
            ("gain", "difference, gains first"),
            ("symbols", "number of symbols"),
            ("disagreement", "disagreement of the runs"),
        ]
        .iter()
        .map(|(value, name)| option(value, name))
        .collect();
        let of_run = if runs.is_empty() {
            String::new()
        } else {
            format!(r#"<label>of <select id="run">{runs}</select></label>"#)
        };
        format!(
            r#"<form id="controls" hidden><label>Measure <select id="measure">{measures}</select></label>
<label>Order by <select id="order">{orders}</select></label> {of_run}
<label>Only the <input id="most" type="number" min="1" max="{topics}" placeholder="{topics}"> topics on which the runs disagree most</label></form>"#
        )
    }

    /// All runs, the baseline first.
    fn runs(&self) -> impl Iterator<Item = &Evaluated> {
        std::iter::once(self.baseline).chain(self.others)
    }

    /// The numbers by which the script orders topics.
    fn data(&self, topics: &[JudgedTopic]) -> String {
        let of_topic = |topic: &JudgedTopic| {
            let values: BTreeMap<&str, Vec<f64>> = MEASURES
                .iter()
                .map(|measure| {
                    let of_run = |run: &Evaluated| run.of_topic(topic.number, measure);
                    (measure.key, self.runs().map(of_run).collect())
                })
                .collect();
            json!({ "symbols": topic.symbols.unwrap_or(0), "values": values })
        };
        // Numbers and fixed words: nothing here ends a script.
        json!(topics.iter().map(of_topic).collect::<Vec<_>>()).to_string()
    }
}
