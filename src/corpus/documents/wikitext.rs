//! Wikitext, as MediaWiki and its dumps have it: formulas in `<math>`.

use super::{Document, Formulas};

/// The elements whose text is no prose.
const SILENT: [&str; 7] = [
    "nowiki",
    "pre",
    "syntaxhighlight",
    "source",
    "score",
    "timeline",
    "gallery",
];

/// Reads wikitext.
pub(super) fn read(text: &str, formulas: &mut Formulas) -> Document {
    let mut document = Document::default();
    let mut at = 0;
    let elements = Elements {
        rest: text,
        missing: Vec::new(),
    };
    for line in elements {
        match line {
            Piece::Text(text) => {
                prose(text, at, &mut document);
                at += text.len();
            }
            Piece::Math { whole, latex } => {
                let tag = &whole[..whole.find('>').unwrap_or(0)];
                formulas.add(&mut document, latex.trim(), tag.contains("block"), at);
                at += whole.len();
            }
            Piece::Silent(text) => at += text.len(),
        }
    }
    document
}

/// Text between formulas, from `at` on: titles and paragraphs.
fn prose(text: &str, at: usize, document: &mut Document) {
    for (number, line) in text.split('\n').enumerate() {
        if number > 0 {
            document.text(" ");
        }
        let bare = line.trim();
        let marks = bare.len() - bare.trim_start_matches('=').len();
        let title = bare
            .get(marks..)
            .and_then(|rest| rest.strip_suffix(&"=".repeat(marks)));
        match title {
            Some(title) if marks > 1 && !title.is_empty() => {
                document.end_paragraph();
                document.heading(
                    title,
                    at + (line.as_ptr() as usize - text.as_ptr() as usize),
                );
            }
            _ if bare.is_empty() && number > 0 => document.end_paragraph(),
            _ => document.text(&line.replace("'''", "").replace("''", "")),
        }
    }
}

enum Piece<'t> {
    Text(&'t str),
    Math { whole: &'t str, latex: &'t str },
    Silent(&'t str),
}

/// The pieces of wikitext: formulas, what is passed over, and the text between.
struct Elements<'t> {
    rest: &'t str,
    /// What closes no further element: who looks for it does not look twice.
    missing: Vec<String>,
}

impl<'t> Iterator for Elements<'t> {
    type Item = Piece<'t>;

    fn next(&mut self) -> Option<Piece<'t>> {
        if self.rest.is_empty() {
            return None;
        }
        let mut from = 0;
        while let Some(tag) = self.rest[from..].find('<') {
            let start = from + tag;
            if let Some((length, piece)) = self.element(&self.rest[start..]) {
                if start > 0 {
                    return Some(Piece::Text(self.take(start)));
                }
                self.take(length);
                return Some(piece);
            }
            from = start + 1;
        }
        Some(Piece::Text(self.take(self.rest.len())))
    }
}

impl<'t> Elements<'t> {
    fn take(&mut self, length: usize) -> &'t str {
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        taken
    }

    /// The element with which `text` begins, if it is no text, and its length.
    fn element(&mut self, text: &'t str) -> Option<(usize, Piece<'t>)> {
        if let Some(comment) = text.strip_prefix("<!--") {
            let length = comment.find("-->").map_or(text.len(), |end| 4 + end + 3);
            return Some((length, Piece::Silent(&text[..length])));
        }
        let name_end = text[1..].find(|c: char| !c.is_ascii_alphabetic())? + 1;
        let name = &text[1..name_end];
        let is_math = name == "math";
        if !is_math && !SILENT.contains(&name) {
            return None;
        }
        let open = self.find(text, ">")? + 1;
        if text[..open].ends_with("/>") {
            return Some((open, Piece::Silent(&text[..open])));
        }
        let close = format!("</{name}>");
        let inner = self.find(&text[open..], &close)?;
        let length = open + inner + close.len();
        let whole = &text[..length];
        let piece = if is_math {
            Piece::Math {
                whole,
                latex: &text[open..open + inner],
            }
        } else {
            Piece::Silent(whole)
        };
        Some((length, piece))
    }

    fn find(&mut self, text: &str, close: &str) -> Option<usize> {
        if self.missing.iter().any(|missing| missing == close) {
            return None;
        }
        let found = text.find(close);
        if found.is_none() {
            self.missing.push(close.to_owned());
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn math_elements_hold_formulas_and_nowiki_does_not() {
        let text = "== Area ==\nThe area is <math>\\pi r^2</math>, not <nowiki><math>x</math></nowiki>.\n\n<!-- <math>y</math> --><math display=\"block\">z</math> a < b <math>unclosed";
        let document = read(text, &mut Formulas::default());
        let found: Vec<(&str, bool)> = document
            .formulas()
            .map(|f| (f.latex.as_str(), f.is_display))
            .collect();
        assert_eq!(found, [(r"\pi r^2", false), ("z", true)]);
        assert!(text[document.formulas().next().unwrap().at..].starts_with("<math>"));
        assert!(document.parts.iter().any(
            |part| matches!(part, super::super::Part::Heading(h) if h.title == "Area" && h.at == 0)
        ));
    }
}
