//! The texts of documents: sections of files, and posts with their titles.

use super::{About, Document, FoundFormula, Part};
#[cfg(feature = "ask")]
use super::{Formulas, plain, posts};
use crate::corpus::text::{Text, TextPart, TextPlace};

/// Makes texts of documents, one after another, and numbers them.
#[derive(Debug, Default)]
pub(in crate::corpus) struct TextReader {
    /// The number of the next text.
    next: u32,
    /// Texts that are complete.
    done: Vec<Text>,
    /// A post whose title was read and whose body is still to come, with its number.
    title: Option<Text>,
}

/// Where the formulas of a document are in texts, each in turn; none of a comment are.
type Places = Vec<Option<TextPlace>>;

impl TextReader {
    /// The texts that were completed since this was last asked.
    pub(in crate::corpus) fn take(&mut self) -> Vec<Text> {
        std::mem::take(&mut self.done)
    }

    /// Completes a post of which only the title was read.
    pub(in crate::corpus) fn end(&mut self) {
        if let Some(text) = self.title.take() {
            self.complete(text);
        }
    }

    fn complete(&mut self, text: Text) {
        self.next += 1;
        self.done.push(text);
    }

    /// How many texts were completed, and those that were not yet taken.
    pub(in crate::corpus) fn completed(&self) -> (u32, &[Text]) {
        (self.next, &self.done)
    }

    /// Takes in texts that were made before, and says by how much their numbers grow.
    pub(in crate::corpus) fn add(&mut self, texts: Vec<Text>) -> u32 {
        self.end();
        let before = self.next;
        texts.into_iter().for_each(|text| self.complete(text));
        before
    }

    /// Adds a document of a file; says in which text each of its formulas is.
    pub(super) fn document(
        &mut self,
        document: &Document,
        source: &str,
        line_of: impl Fn(usize) -> u64,
    ) -> Places {
        let about = &document.about;
        match (&about.post, about.kind.as_deref()) {
            (Some(_), Some("comment")) => document.formulas().map(|_| None).collect(),
            (Some(_), Some(kind)) => self.post(document, kind, source, line_of(0)),
            _ => self.sections(document, source, line_of),
        }
    }

    /// A post is one text, title and body, which come as documents one after the other.
    fn post(&mut self, document: &Document, kind: &str, source: &str, line: u64) -> Places {
        let about = &document.about;
        let is_body_of = |title: &Text| title.post == about.post && title.source == source;
        let mut text = match self.title.take() {
            Some(title) if kind != "title" && is_body_of(&title) => title,
            other => {
                self.title = other;
                self.end();
                text(about, source, line)
            }
        };
        let before = text.formulas();
        let mut places = Places::new();
        let number = self.next;
        let mut place = |_: &FoundFormula| {
            let formula = (before + places.len()) as u32;
            places.push(Some(TextPlace {
                text: number,
                formula,
            }));
        };
        let parts: Vec<TextPart> = (document.parts.iter())
            .map(|part| text_part(part, &mut place))
            .collect();
        text.kind = Some(kind.to_owned());
        if kind == "title" {
            text.kind = Some("question".to_owned());
            text.title = parts;
            self.title = Some(text);
        } else {
            text.body = parts;
            self.complete(text);
        }
        places
    }

    /// Each section of a file is a text, and so is what comes before the first.
    fn sections(
        &mut self,
        document: &Document,
        source: &str,
        line_of: impl Fn(usize) -> u64,
    ) -> Places {
        self.end();
        let title = document.about.title.clone().or_else(|| {
            document.parts.iter().find_map(|part| match part {
                Part::Heading(heading) => Some(heading.title.clone()),
                _ => None,
            })
        });
        let about = About {
            title,
            ..document.about.clone()
        };
        let mut open = text(&about, source, line_of(0));
        let mut places = Places::new();
        let mut formulas = 0;
        for part in &document.parts {
            if let Part::Heading(heading) = part {
                let before =
                    std::mem::replace(&mut open, text(&about, source, line_of(heading.at)));
                self.section(before);
                open.title = vec![TextPart::Words(heading.title.clone())];
                formulas = 0;
                continue;
            }
            let number = self.next;
            let part = text_part(part, &mut |_| {
                places.push(Some(TextPlace {
                    text: number,
                    formula: formulas,
                }));
                formulas += 1;
            });
            open.body.push(part);
        }
        self.section(open);
        places
    }

    /// Completes a section, unless there is nothing under its title.
    fn section(&mut self, section: Text) {
        let says_something = |part: &TextPart| match part {
            TextPart::Words(words) => !words.trim().is_empty(),
            TextPart::Break => false,
            TextPart::Formula(_) | TextPart::Row(_) => true,
        };
        if section.body.iter().any(says_something) {
            self.complete(section);
        }
    }
}

/// The words and formulas of a text as it is typed, with formulas between dollars, `\(` and `\)`,
/// or `\[` and `\]`.
#[cfg(feature = "ask")]
pub(crate) fn of_plain_text(typed: &str) -> Vec<TextPart> {
    let document = plain::read(typed, &mut Formulas::default());
    document
        .parts
        .iter()
        .map(|part| text_part(part, &mut |_| ()))
        .collect()
}

/// The words and formulas of a piece of HTML, such as a post.
#[cfg(feature = "ask")]
pub(crate) fn of_html(source: &str) -> Vec<TextPart> {
    let document = posts::html_of(source, &mut Formulas::default());
    document
        .parts
        .iter()
        .map(|part| text_part(part, &mut |_| ()))
        .collect()
}

/// A text that is still empty.
fn text(about: &About, source: &str, line: u64) -> Text {
    let is_post = about.post.is_some() && about.kind.is_some();
    Text {
        source: source.to_owned(),
        line,
        post: about.post.clone().filter(|_| is_post),
        thread: about.thread.clone(),
        kind: about.kind.clone(),
        document: about.title.clone().filter(|_| !is_post),
        tags: about.tags.clone(),
        url: about.url.clone(),
        title: Vec::new(),
        body: Vec::new(),
    }
}

/// A part of a document as a part of a text; `found` is told of formulas.
fn text_part(part: &Part, found: &mut impl FnMut(&FoundFormula)) -> TextPart {
    match part {
        Part::Text(words) => TextPart::Words(words.clone()),
        Part::Heading(heading) => TextPart::Words(format!("{} ", heading.title)),
        Part::Break => TextPart::Break,
        Part::Formula(formula) => {
            found(formula);
            if formula.is_row {
                TextPart::Row(formula.latex.clone())
            } else {
                TextPart::Formula(formula.latex.clone())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Formulas, LineIndex, markdown, posts};
    use super::*;
    use crate::corpus::text::as_text;

    #[test]
    fn sections_of_a_file_are_texts() {
        let source = "Before $a$.\n\n# Heat\n## Flow of $u$\nThe heat $u$\nflows.\n## Empty\n";
        let document = markdown::read(source, &mut Formulas::default());
        let lines = LineIndex::new(source);
        let mut reader = TextReader::default();
        let places = reader.document(&document, "a.md", |at| lines.place(source, at).0 as u64);
        let texts = reader.take();
        let found: Vec<_> = (texts.iter())
            .map(|text| (text.id(), text.title(), as_text(&text.body)))
            .collect();
        let expected = [
            ("a.md:1", "", "Before $a$."),
            ("a.md:4", "Flow of $u$", "$u$The heat $u$ flows."),
        ];
        let expected =
            expected.map(|(id, title, body)| (id.to_owned(), title.to_owned(), body.to_owned()));
        // The formula of the title stands before what follows: its text is said once.
        assert_eq!(found.len(), 2, "{found:?}");
        assert_eq!(found[0], expected[0]);
        assert_eq!((&found[1].0, &found[1].1), (&expected[1].0, &expected[1].1));
        assert_eq!(texts[1].document.as_deref(), Some("Heat"));
        let numbers: Vec<_> = places
            .iter()
            .flatten()
            .map(|p| (p.text, p.formula))
            .collect();
        assert_eq!(numbers, [(0, 0), (1, 0), (1, 1)]);
        assert_eq!(texts[1].formulas(), 2);
    }

    #[test]
    fn a_post_is_one_text_with_its_title() {
        let dump = r#"<posts>
<row Id="7" PostTypeId="1" Title="Is $x$ odd?" Body="Let $y$." Tags="&lt;parity&gt;" />
<row Id="9" PostTypeId="2" ParentId="7" Body="It is $z$." />
</posts>"#;
        let rows = posts::Rows::new(Box::new(std::io::Cursor::new(dump.as_bytes())));
        let mut reader = TextReader::default();
        let mut places = Vec::new();
        for read in rows {
            let loaded = read.unwrap();
            let line = loaded.lines_before as u64 + 1;
            places.extend(reader.document(&loaded.value, "Posts.xml", |_| line));
        }
        reader.end();
        let texts = reader.take();
        assert_eq!(texts.len(), 2);
        let (question, answer) = (&texts[0], &texts[1]);
        assert_eq!(
            (question.id(), question.title()),
            ("7".into(), "Is $x$ odd?".into())
        );
        assert_eq!(question.kind.as_deref(), Some("question"));
        assert_eq!(question.tags, ["parity"]);
        assert_eq!(as_text(&question.body), "Let $y$.");
        assert_eq!((answer.id(), answer.line), ("9".into(), 3));
        assert_eq!(answer.thread.as_deref(), Some("7"));
        let numbers: Vec<_> = places
            .iter()
            .flatten()
            .map(|p| (p.text, p.formula))
            .collect();
        assert_eq!(numbers, [(0, 0), (0, 1), (1, 0)]);
    }
}
