//! Text with formulas between delimiters.

use super::delimited::{Delimiters, formulas};
use super::{Document, Formulas};

/// Reads text: paragraphs with formulas in `$`, `$$`, `\(` or `\[`.
pub(super) fn read(text: &str, macros: &mut Formulas) -> Document {
    let mut document = Document::default();
    let rules = Delimiters {
        dollars: true,
        loose_dollars: false,
        escapes: false,
        blank_lines: false,
    };
    let mut done = 0;
    for span in formulas(text, &[], rules) {
        paragraphs(&text[done..span.whole.start], &mut document);
        done = span.whole.end;
        let latex = &text[span.latex];
        macros.add(&mut document, latex, span.is_display, span.whole.start);
    }
    paragraphs(&text[done..], &mut document);
    document
}

fn paragraphs(text: &str, document: &mut Document) {
    for (number, paragraph) in text.split("\n\n").enumerate() {
        if number > 0 {
            document.end_paragraph();
        }
        if !paragraph.is_empty() {
            document.text(paragraph);
        }
    }
}
