//! Stack Exchange's dumps: a post or a comment on each line of `Posts.xml` and `Comments.xml`.

use std::collections::{HashMap, VecDeque};

use roxmltree::{Document as Xml, Node};

use super::{About, Document, Formulas, Loaded, Part, html};
use crate::corpus::lines::Lines;
use crate::corpus::source::Source;

/// The most titles of questions that are kept for their answers; a title takes about 100 bytes.
const MAX_TITLES: usize = 4_000_000;

/// The documents of a dump, row by row: the title and the body of a post, or a comment. A formula
/// stands where its row begins.
pub(in crate::corpus) struct Rows {
    lines: Lines<Source>,
    formulas: Formulas,
    /// The titles of the questions that were read: answers follow them.
    titles: HashMap<String, String>,
    /// The documents of the last row that are still to be given.
    waiting: VecDeque<Loaded<Document>>,
}

impl Rows {
    pub(super) fn new(source: Source) -> Self {
        Rows {
            lines: Lines::new(source),
            formulas: Formulas::default(),
            titles: HashMap::new(),
            waiting: VecDeque::new(),
        }
    }

    fn row(&mut self, line: &str, number: u64) -> Result<(), String> {
        let xml = Xml::parse(line.trim()).map_err(|error| format!("not a row of XML: {error}"))?;
        let row = xml.root_element();
        let about = self.about(row)?;
        for (name, kind) in [("Title", "title"), ("Body", ""), ("Text", "comment")] {
            let Some(source) = row.attribute(name) else {
                continue;
            };
            let mut document = html_of(source, &mut self.formulas);
            document.about = about.clone();
            if !kind.is_empty() {
                document.about.kind = Some(kind.to_owned());
            }
            self.waiting.push_back(Loaded {
                text: String::new(),
                lines_before: number as usize - 1,
                value: document,
            });
        }
        Ok(())
    }

    /// What is known of a row besides its text.
    fn about(&mut self, row: Node<'_, '_>) -> Result<About, String> {
        let id = row.attribute("Id").ok_or("a row without an Id")?;
        let text = |name| row.attribute(name).map(str::to_owned);
        let (post, kind, thread) = match row.attribute("PostTypeId") {
            Some("1") => (text("Id"), "question", text("Id")),
            Some("2") => (text("Id"), "answer", text("ParentId")),
            Some(_) => (text("Id"), "other", text("ParentId")),
            None => (text("PostId"), "comment", None),
        };
        let own = row
            .attribute("Title")
            .map(|title| html_of(title, &mut Formulas::default()).prose());
        if let Some(title) = &own
            && self.titles.len() < MAX_TITLES
        {
            self.titles.insert(id.to_owned(), title.clone());
        }
        let of_thread = || self.titles.get(thread.as_deref()?).cloned();
        let tags = row.attribute("Tags").unwrap_or_default();
        let tags = tags.split(['<', '>', '|']).filter(|tag| !tag.is_empty());
        Ok(About {
            title: own.or_else(of_thread),
            post: post.and_then(|post| post.parse().ok()),
            kind: Some(kind.to_owned()),
            tags: tags.map(str::to_owned).collect(),
            url: None,
            thread,
        })
    }
}

impl Iterator for Rows {
    type Item = Result<Loaded<Document>, String>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(document) = self.waiting.pop_front() {
                return Some(Ok(document));
            }
            let line = match self.lines.next() {
                Ok(line) => line?,
                Err(error) => return Some(Err(error.to_string())),
            };
            let read = match &line.text {
                Ok(text) if text.trim_start().starts_with("<row ") => self.row(text, line.number),
                Ok(_) => continue,
                Err(reason) => Err((*reason).to_owned()),
            };
            if let Err(reason) = read {
                let mut unread = Document::default();
                unread.problem(0, reason);
                self.waiting.push_back(Loaded {
                    text: String::new(),
                    lines_before: line.number as usize - 1,
                    value: unread,
                });
            }
        }
    }
}

/// Reads the HTML of an attribute. Where formulas are marked as such, dollars in the text are
/// dollars.
pub(super) fn html_of(source: &str, formulas: &mut Formulas) -> Document {
    let dollars = !source.contains("math-container");
    let mut document = html::read_with(source, dollars, formulas);
    for part in &mut document.parts {
        if let Part::Formula(formula) = part {
            formula.at = 0;
        }
    }
    document
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_a_post_with_its_title_and_body() {
        let question = r#"  <row Id="7" PostTypeId="1" Title="Is $x$ odd?" Body="&lt;p&gt;Let &lt;span class=&quot;math-container&quot; id=&quot;42&quot;&gt;$y &amp;lt; 1$&lt;/span&gt;.&lt;/p&gt;" Tags="&lt;calculus&gt;&lt;limits&gt;" />"#;
        let answer = r#"<row Id="9" PostTypeId="2" ParentId="7" Body="It is $z$." />"#;
        let dump = format!("<posts>\n{question}\n<row Id='1'\n{answer}\n</posts>");
        let read: Vec<Document> = Rows::new(Box::new(std::io::Cursor::new(dump.into_bytes())))
            .map(|read| read.unwrap())
            .map(|loaded| loaded.value)
            .collect();
        let found: Vec<_> = read
            .iter()
            .flat_map(|document| document.formulas().map(move |f| (&document.about, f)))
            .map(|(about, f)| {
                (
                    about.kind.as_deref().unwrap(),
                    f.latex.as_str(),
                    f.id.as_deref(),
                )
            })
            .collect();
        assert_eq!(
            found,
            [
                ("title", "x", None),
                ("question", "y < 1", Some("42")),
                ("answer", "z", None)
            ]
        );
        assert_eq!(read.iter().map(|d| d.problems.len()).sum::<usize>(), 1);
        let about = &read[3].about;
        assert_eq!(about.title.as_deref(), Some("Is $x$ odd?"));
        assert_eq!(about.thread.as_deref(), Some("7"));
        assert_eq!(read[0].about.tags, ["calculus", "limits"]);
    }
}
