//! Posts and questions on the page: words with formulas drawn between them, and what was matched.

use super::rankings::drawn;
#[cfg(feature = "ask")]
use crate::ask::{PassagePart, TextHit};
use crate::corpus::TextPart;
use crate::escape::escaped;
use crate::picture::Sheet;

/// Formulas that are less alike than this are not marked.
#[cfg(feature = "ask")]
const MARKED: f64 = 0.3;

/// A question with its formulas drawn.
pub(super) fn question(parts: &[TextPart], sheet: &mut Sheet) -> String {
    let parts = parts.iter().map(|part| match part {
        TextPart::Words(words) => escaped(words),
        TextPart::Formula(latex) => drawn(sheet, latex),
        TextPart::Row(_) => String::new(),
        TextPart::Break => "<br>".to_owned(),
    });
    let parts: String = parts.collect();
    format!(r#"<span class="question">{parts}</span><br>"#)
}

/// A post: its title and its best passage.
#[cfg(feature = "ask")]
pub(super) fn post(text: &TextHit, sheet: &mut Sheet) -> String {
    let title = marked(&text.title_parts, sheet);
    let passage = marked(&text.passage, sheet);
    format!(r#"<div class="text"><strong>{title}</strong><p>{passage}</p></div>"#)
}

/// Words that were matched in bold, and formulas on a ground that is the stronger the more alike
/// they are to one of the question's.
#[cfg(feature = "ask")]
fn marked(parts: &[PassagePart], sheet: &mut Sheet) -> String {
    let parts = parts.iter().map(|part| match part {
        PassagePart::Gap => " … ".to_owned(),
        PassagePart::Text { text, matched } if *matched => format!("<b>{}</b>", escaped(text)),
        PassagePart::Text { text, .. } => escaped(text),
        PassagePart::Formula {
            latex,
            query,
            likeness,
        } => {
            let formula = drawn(sheet, latex);
            match query.zip(*likeness).filter(|(_, likeness)| *likeness >= MARKED) {
                Some((query, likeness)) => format!(
                    r#"<mark style="--alike:{:.0}%" title="like formula {query} of the question: {likeness:.2}">{formula}</mark>"#,
                    100.0 * likeness
                ),
                None => formula,
            }
        }
    });
    parts.collect()
}
