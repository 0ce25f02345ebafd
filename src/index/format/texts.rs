//! Texts, as they are stored.

use std::str::FromStr;

use super::varint::{VarintReader, VarintWriter};
use crate::corpus::{Text, TextPart};

/// A text of an index.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredText {
    /// The text.
    pub text: Text,
    /// The number of each of its formulas in the index, in order; none for those that the index
    /// does not have.
    pub formulas: Vec<Option<u32>>,
    /// The number of the text that it answers.
    pub question: Option<u32>,
}

impl VarintWriter {
    /// Writes a text.
    pub(in crate::index) fn whole_text(&mut self, text: &Text) {
        self.text(&text.source);
        self.number(text.line);
        let post = text.post.as_ref().map(ToString::to_string);
        for part in [&post, &text.thread, &text.kind, &text.document, &text.url] {
            self.text(part.as_deref().unwrap_or_default());
        }
        self.number(text.tags.len() as u64);
        text.tags.iter().for_each(|tag| self.text(tag));
        self.text_parts(&text.title);
        self.text_parts(&text.body);
    }

    fn text_parts(&mut self, parts: &[TextPart]) {
        self.number(parts.len() as u64);
        for part in parts {
            let (kind, text) = match part {
                TextPart::Break => (0, ""),
                TextPart::Words(words) => (1, words.as_str()),
                TextPart::Formula(latex) => (2, latex.as_str()),
                TextPart::Row(latex) => (3, latex.as_str()),
            };
            self.number(kind);
            if kind > 0 {
                self.text(text);
            }
        }
    }

    /// Writes what is stored of a text before the text itself.
    pub(in crate::index) fn text_numbers(
        &mut self,
        formulas: &[Option<u32>],
        question: Option<u32>,
    ) {
        self.number(question.map_or(0, |question| u64::from(question) + 1));
        self.number(formulas.len() as u64);
        for formula in formulas {
            self.number(formula.map_or(0, |formula| u64::from(formula) + 1));
        }
    }
}

impl VarintReader<'_> {
    /// Reads a text.
    pub(in crate::index) fn whole_text(&mut self) -> Option<Text> {
        let (source, line) = (self.text()?.to_owned(), self.number()?);
        let mut named = || {
            let text = self.text()?;
            Some((!text.is_empty()).then(|| text.to_owned()))
        };
        let (post, thread, kind) = (named()?, named()?, named()?);
        let (document, url) = (named()?, named()?);
        let post = post.map(|id| FromStr::from_str(&id)).transpose().ok()?;
        let mut tags = Vec::new();
        for _ in 0..self.number()? {
            tags.push(self.text()?.to_owned());
        }
        Some(Text {
            source,
            line,
            post,
            thread,
            kind,
            document,
            tags,
            url,
            title: self.text_parts()?,
            body: self.text_parts()?,
        })
    }

    fn text_parts(&mut self) -> Option<Vec<TextPart>> {
        let mut parts = Vec::new();
        for _ in 0..self.number()? {
            parts.push(match self.number()? {
                0 => TextPart::Break,
                1 => TextPart::Words(self.text()?.to_owned()),
                2 => TextPart::Formula(self.text()?.to_owned()),
                3 => TextPart::Row(self.text()?.to_owned()),
                _ => return None,
            });
        }
        Some(parts)
    }

    /// Reads a text with its numbers.
    pub(in crate::index) fn stored_text(&mut self) -> Option<StoredText> {
        let mut number = || match self.number()? {
            0 => Some(None),
            number => u32::try_from(number - 1).ok().map(Some),
        };
        let question = number()?;
        let mut formulas = Vec::new();
        for _ in 0..self.number()? {
            formulas.push(match self.number()? {
                0 => None,
                number => Some(u32::try_from(number - 1).ok()?),
            });
        }
        Some(StoredText {
            text: self.whole_text()?,
            formulas,
            question,
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn part() -> impl Strategy<Value = TextPart> {
        prop_oneof![
            Just(TextPart::Break),
            ".{0,9}".prop_map(TextPart::Words),
            ".{0,9}".prop_map(TextPart::Formula),
            ".{0,9}".prop_map(TextPart::Row),
        ]
    }

    proptest! {
        #[test]
        fn texts_round_trip(
            title in proptest::collection::vec(part(), 0..3),
            body in proptest::collection::vec(part(), 0..9),
            names in proptest::collection::vec(proptest::option::of("[a-z]{1,9}"), 5),
            tags in proptest::collection::vec("[a-z]{1,9}", 0..3),
            formulas in proptest::collection::vec(proptest::option::of(0u32..9), 0..9),
            question in proptest::option::of(0u32..9),
            line: u64,
        ) {
            let text = Text {
                source: "a/b".to_owned(),
                line,
                post: names[0].as_ref().map(|id| id.parse().unwrap()),
                thread: names[1].clone(),
                kind: names[2].clone(),
                document: names[3].clone(),
                url: names[4].clone(),
                tags,
                title,
                body,
            };
            let mut writer = VarintWriter::default();
            writer.text_numbers(&formulas, question);
            writer.whole_text(&text);
            let read = VarintReader(&writer.0).stored_text();
            prop_assert_eq!(read, Some(StoredText { text, formulas, question }));
        }

        #[test]
        fn anything_can_be_read_without_panic(bytes: Vec<u8>) {
            let _ = VarintReader(&bytes).stored_text();
        }
    }
}
