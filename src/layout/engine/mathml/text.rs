//! `\text` as `mtext`.

use ratex_parser::Mode;
use ratex_parser::parse_node::ParseNode;

use super::characters::character;
use super::{Writer, element};
use crate::escape::escaped;

/// The text of `\text`, with mathematics within it.
pub(super) fn text(nodes: &[ParseNode], attributes: &str) -> String {
    let mut out = String::new();
    let mut run = String::new();
    let mut count = 0;
    for node in nodes {
        match (node.mode(), node.symbol_text(), node) {
            (Mode::Text, Some(symbol), _) => run.push_str(&character(symbol, Mode::Text)),
            (Mode::Text, None, ParseNode::OrdGroup { body, .. }) if is_plain(body) => {
                let symbols = body.iter().filter_map(ParseNode::symbol_text);
                run.extend(symbols.map(|symbol| character(symbol, Mode::Text)));
            }
            _ => {
                count += 1 + usize::from(!run.is_empty());
                flush(&mut run, attributes, &mut out);
                out.push_str(&match node {
                    ParseNode::Text { body, .. } => text(body, attributes),
                    ParseNode::OrdGroup {
                        body,
                        mode: Mode::Text,
                        ..
                    } => text(body, attributes),
                    other => Writer::default().node(other),
                });
            }
        }
    }
    count += usize::from(!run.is_empty());
    flush(&mut run, attributes, &mut out);
    match count {
        1 => out,
        _ => element("mrow", "", &out),
    }
}

fn is_plain(nodes: &[ParseNode]) -> bool {
    nodes.iter().all(|node| node.symbol_text().is_some())
}

fn flush(run: &mut String, attributes: &str, out: &mut String) {
    if !run.is_empty() {
        out.push_str(&element("mtext", attributes, &escaped(run)));
        run.clear();
    }
}
