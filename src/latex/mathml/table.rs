//! Tables of MathML as arrays.

use roxmltree::Node;

use super::element::{Context, Latex, elements};
use super::row::row;

/// The most columns whose alignment is read.
const MOST_COLUMNS: usize = 64;

/// A table as a matrix, or as an array where its columns are aligned.
pub(super) fn table(node: Node, context: Context) -> Latex {
    let mut rows = Vec::new();
    let mut most = 0;
    for line in elements(node) {
        let label = usize::from(line.has_tag_name("mlabeledtr"));
        let mut cells = Vec::new();
        for cell in elements(line).skip(label) {
            cells.push(row(cell, context)?);
        }
        most = most.max(cells.len());
        rows.push(cells.join(" & "));
    }
    let body = rows.join(r" \\ ");
    let alignments = node.attribute("columnalign").unwrap_or("center");
    let is_displayed = node.attribute("displaystyle") == Some("true");
    let sides: Vec<&str> = alignments.split_whitespace().take(MOST_COLUMNS).collect();
    Ok(match sides.as_slice() {
        ["right", "left", ..] if is_displayed => {
            format!(r"\begin{{aligned}} {body} \end{{aligned}}")
        }
        [] | ["center"] => format!(r"\begin{{matrix}} {body} \end{{matrix}}"),
        _ => {
            // The last one is that of all further columns.
            let side = |at: usize| sides.get(at).or(sides.last()).copied().unwrap_or_default();
            let columns = (0..most.min(MOST_COLUMNS)).map(|at| match side(at) {
                "left" => 'l',
                "right" => 'r',
                _ => 'c',
            });
            let columns: String = columns.collect();
            format!(r"\begin{{array}}{{{columns}}} {body} \end{{array}}")
        }
    })
}
