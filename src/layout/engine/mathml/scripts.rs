//! What stands above, below and beside a base, as MathML.

use ratex_parser::parse_node::ParseNode;

use super::{Writer, accent, arrow, character, element, operator};
use crate::escape::escaped;

impl Writer<'_> {
    /// A base with scripts beside it; or above and below it, where its operator wants that.
    pub(super) fn scripts(
        self,
        base: Option<&ParseNode>,
        sub: Option<&ParseNode>,
        sup: Option<&ParseNode>,
    ) -> String {
        let has_limits = base.is_some_and(has_limits);
        let base = base.map_or("<mrow></mrow>".to_owned(), |base| self.node(base));
        let sub = sub.map(|sub| self.node(sub));
        let sup = sup.map(|sup| self.node(sup));
        let name = match (has_limits, &sub, &sup) {
            (_, None, None) => return base,
            (true, Some(_), None) => "munder",
            (true, None, Some(_)) => "mover",
            (true, ..) => "munderover",
            (false, Some(_), None) => "msub",
            (false, None, Some(_)) => "msup",
            (false, ..) => "msubsup",
        };
        let scripts = sub.unwrap_or_default() + &sup.unwrap_or_default();
        element(name, "", &(base + &scripts))
    }

    /// A sum, an integral, or a name such as sin.
    pub(super) fn function(self, node: &ParseNode) -> String {
        match node {
            ParseNode::Op {
                name: Some(name),
                symbol,
                mode,
                ..
            } => {
                if *symbol {
                    operator("", &character(name, *mode))
                } else {
                    element("mi", "", &escaped(name.trim_start_matches('\\')))
                }
            }
            ParseNode::Op {
                body: Some(body), ..
            } => self.row(body),
            ParseNode::OperatorName { body, .. } => {
                let name: Option<String> = body.iter().map(ParseNode::symbol_text).collect();
                match name.filter(|name| name.chars().all(char::is_alphanumeric)) {
                    Some(name) => element("mi", "mathvariant=\"normal\"", &escaped(&name)),
                    None => Writer {
                        font: "mathrm",
                        ..self
                    }
                    .row(body),
                }
            }
            _ => String::new(),
        }
    }

    /// A base with a mark above or below that is as wide as itself, or an arrow with a text.
    pub(super) fn mark(self, node: &ParseNode) -> String {
        let above = |base: &ParseNode, attributes: &str, mark: &str| {
            let mark = operator(attributes, mark);
            element("mover", "accent=\"true\"", &(self.node(base) + &mark))
        };
        let below = |base: &ParseNode, mark: &str| {
            let mark = operator("stretchy=\"true\"", mark);
            element("munder", "", &(self.node(base) + &mark))
        };
        match node {
            ParseNode::Accent { label, base, .. } => {
                let (mark, is_wide) = accent(label);
                let stretchy = if is_wide {
                    "stretchy=\"true\""
                } else {
                    "stretchy=\"false\""
                };
                above(base, stretchy, mark)
            }
            ParseNode::AccentUnder { label, base, .. } => below(base, accent(label).0),
            ParseNode::Overline { body, .. } => above(body, "stretchy=\"true\"", "‾"),
            ParseNode::Underline { body, .. } => below(body, "_"),
            ParseNode::HorizBrace {
                base,
                is_over,
                label,
                ..
            } => {
                let is_bracket = label.contains("bracket");
                match (is_over, is_bracket) {
                    (true, false) => above(base, "stretchy=\"true\"", "⏞"),
                    (true, true) => above(base, "stretchy=\"true\"", "⎴"),
                    (false, false) => below(base, "⏟"),
                    (false, true) => below(base, "⎵"),
                }
            }
            ParseNode::XArrow {
                label, body, below, ..
            } => {
                let arrow = operator("stretchy=\"true\"", arrow(label));
                let over = self.node(body);
                match below {
                    Some(below) => element("munderover", "", &(arrow + &self.node(below) + &over)),
                    None => element("mover", "", &(arrow + &over)),
                }
            }
            ParseNode::CdArrow {
                direction,
                label_above,
                label_below,
                ..
            } => {
                let arrow = match direction.as_str() {
                    "right" => "→",
                    "left" => "←",
                    "up" => "↑",
                    "down" => "↓",
                    "horiz_eq" => "=",
                    "vert_eq" => "‖",
                    _ => "",
                };
                let label = |label: &Option<Box<ParseNode>>| {
                    let label = label.as_deref();
                    label.map_or("<mrow></mrow>".to_owned(), |label| self.node(label))
                };
                let (over, under) = (label(label_above), label(label_below));
                element("munderover", "", &(operator("", arrow) + &under + &over))
            }
            _ => String::new(),
        }
    }
}

/// Whether scripts of a base stand above and below it in a displayed formula.
fn has_limits(base: &ParseNode) -> bool {
    match base {
        ParseNode::Op { limits, .. } => *limits,
        ParseNode::OperatorName {
            always_handle_sup_sub,
            limits,
            ..
        } => *always_handle_sup_sub && *limits,
        ParseNode::HorizBrace { .. } | ParseNode::XArrow { .. } => true,
        _ => false,
    }
}
