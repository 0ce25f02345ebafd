//! LaTeX as presentation MathML, from the tree that RaTeX's parser makes of it.

mod characters;
mod scripts;
mod text;

use ratex_parser::Mode;
use ratex_parser::parse_node::{AtomFamily, Measurement, ParseNode, ProofBranch, StyleStr};

use super::Parsed;
use crate::escape::escaped;
use characters::{accent, arrow, character, in_font};
use text::text;

/// A parsed formula as a `math` element, with the LaTeX that it is made of as its annotation.
pub(in crate::layout) fn mathml(parsed: &Parsed, latex: &str) -> String {
    let body = Writer::default().row(&parsed.0);
    let tex = escaped(latex).replace('>', "&gt;");
    format!(
        "<math xmlns=\"http://www.w3.org/1998/Math/MathML\" display=\"block\"><semantics>{body}\
         <annotation encoding=\"application/x-tex\">{tex}</annotation></semantics></math>"
    )
}

/// An element with content that is MathML already.
fn element(name: &str, attributes: &str, content: &str) -> String {
    let space = if attributes.is_empty() { "" } else { " " };
    format!("<{name}{space}{attributes}>{content}</{name}>")
}

/// An operator.
fn operator(attributes: &str, text: &str) -> String {
    element("mo", attributes, &escaped(text))
}

/// What is inherited by the nodes within a node.
#[derive(Clone, Copy, Default)]
struct Writer<'a> {
    /// The font of the letters.
    font: &'a str,
    /// Whether the next symbol is crossed out.
    is_negated: bool,
}

impl Writer<'_> {
    /// Nodes as one element.
    fn row(self, nodes: &[ParseNode]) -> String {
        let pieces = self.pieces(nodes);
        match pieces.as_slice() {
            [only] => only.clone(),
            _ => element("mrow", "", &pieces.concat()),
        }
    }

    /// Nodes as elements, digits of a number joined, and letters of an upright name.
    fn pieces(self, nodes: &[ParseNode]) -> Vec<String> {
        let mut pieces = Vec::with_capacity(nodes.len());
        let mut writer = self;
        let mut at = 0;
        while let Some(node) = nodes.get(at) {
            let number = self.run(&nodes[at..], |c| c.is_ascii_digit() || c == '.');
            let name = self.run(&nodes[at..], |c| c.is_ascii_alphabetic());
            let is_name = self.font == "mathrm" && name.len() > 1;
            let piece = if number.starts_with(|c: char| c.is_ascii_digit()) && !writer.is_negated {
                at += number.len();
                let digits: String = number.chars().map(|c| in_font(c, self.font)).collect();
                element("mn", "", &digits)
            } else if is_name && !writer.is_negated {
                at += name.len();
                element("mi", "mathvariant=\"normal\"", &name)
            } else {
                at += 1;
                if negates(node) {
                    writer.is_negated = true;
                    continue;
                }
                writer.node(node)
            };
            writer.is_negated = false;
            pieces.push(piece);
        }
        pieces
    }

    /// The characters of the symbols with which `nodes` begin, as long as they are such.
    fn run(self, nodes: &[ParseNode], is_such: impl Fn(char) -> bool) -> String {
        let characters = nodes.iter().map_while(|node| match node {
            ParseNode::MathOrd { text, .. } | ParseNode::TextOrd { text, .. } => {
                let mut characters = text.chars();
                let first = characters.next().filter(|c| is_such(*c))?;
                characters.next().is_none().then_some(first)
            }
            _ => None,
        });
        characters.collect()
    }

    fn node(self, node: &ParseNode) -> String {
        match node {
            ParseNode::Atom { .. }
            | ParseNode::MathOrd { .. }
            | ParseNode::TextOrd { .. }
            | ParseNode::OpToken { .. }
            | ParseNode::AccentToken { .. }
            | ParseNode::SpacingNode { .. } => self.symbol(node),
            ParseNode::SupSub { base, sup, sub, .. } => {
                self.scripts(base.as_deref(), sub.as_deref(), sup.as_deref())
            }
            ParseNode::Op { .. } | ParseNode::OperatorName { .. } => self.function(node),
            ParseNode::GenFrac { .. } | ParseNode::Sqrt { .. } => self.fraction_or_root(node),
            ParseNode::Accent { .. }
            | ParseNode::AccentUnder { .. }
            | ParseNode::Overline { .. }
            | ParseNode::Underline { .. }
            | ParseNode::HorizBrace { .. }
            | ParseNode::XArrow { .. }
            | ParseNode::CdArrow { .. } => self.mark(node),
            ParseNode::DelimSizing { .. }
            | ParseNode::LeftRight { .. }
            | ParseNode::LeftRightRight { .. }
            | ParseNode::Middle { .. } => self.delimiters(node),
            ParseNode::Array { .. } => self.table(node),
            ParseNode::Font { font, body, .. } => Writer { font, ..self }.node(body),
            ParseNode::Text { body, font, .. } => {
                let bold = font.as_deref() == Some(r"\textbf");
                text(body, if bold { "mathvariant=\"bold\"" } else { "" })
            }
            ParseNode::ProofTree { tree, .. } => self.proof(tree),
            _ => self.wrapped(node),
        }
    }

    /// Nodes that change how what is within them looks, or stand for it.
    fn wrapped(self, node: &ParseNode) -> String {
        match node {
            ParseNode::OrdGroup { body, .. }
            | ParseNode::Sizing { body, .. }
            | ParseNode::MClass { body, .. }
            | ParseNode::Href { body, .. }
            | ParseNode::Html { body, .. }
            | ParseNode::HBox { body, .. }
            | ParseNode::MathChoice { display: body, .. }
            | ParseNode::HtmlMathMl { mathml: body, .. } => self.row(body),
            ParseNode::Pmb { body, .. } => {
                let font = "boldsymbol";
                Writer { font, ..self }.row(body)
            }
            ParseNode::Tag { body, tag, .. } => {
                let (body, tag) = (self.row(body), text(tag, ""));
                element("mrow", "", &format!("{body}<mspace width=\"2em\"/>{tag}"))
            }
            ParseNode::Color { color, body, .. } => {
                let color = format!("mathcolor=\"{}\"", escaped(color));
                element("mstyle", &color, &self.row(body))
            }
            ParseNode::Styling { style, body, .. } => {
                let (is_displayed, level) = match style {
                    StyleStr::Display => (true, 0),
                    StyleStr::Text => (false, 0),
                    StyleStr::Script => (false, 1),
                    StyleStr::Scriptscript => (false, 2),
                };
                let style = format!("displaystyle=\"{is_displayed}\" scriptlevel=\"{level}\"");
                element("mstyle", &style, &self.row(body))
            }
            ParseNode::Phantom { body, .. } => element("mphantom", "", &self.row(body)),
            ParseNode::VPhantom { body, .. } => {
                let hidden = element("mphantom", "", &self.node(body));
                element("mpadded", "width=\"0px\"", &hidden)
            }
            ParseNode::Lap {
                alignment, body, ..
            } => {
                let left = if alignment == "llap" {
                    " lspace=\"-1width\""
                } else {
                    ""
                };
                element("mpadded", &format!("width=\"0px\"{left}"), &self.node(body))
            }
            ParseNode::Smash { body, .. }
            | ParseNode::RaiseBox { body, .. }
            | ParseNode::VCenter { body, .. }
            | ParseNode::CdLabel { label: body, .. }
            | ParseNode::CdLabelParent { fragment: body, .. } => self.node(body),
            ParseNode::Enclose { label, body, .. } => {
                let notation = match label.trim_start_matches('\\') {
                    "cancel" => "updiagonalstrike",
                    "bcancel" => "downdiagonalstrike",
                    "xcancel" => "updiagonalstrike downdiagonalstrike",
                    "sout" => "horizontalstrike",
                    "fbox" | "boxed" | "fcolorbox" => "box",
                    _ => return self.node(body),
                };
                let notation = format!("notation=\"{notation}\"");
                element("menclose", &notation, &self.node(body))
            }
            ParseNode::Kern { dimension, .. } => {
                format!("<mspace width=\"{:.4}em\"/>", em(dimension))
            }
            ParseNode::Verb { body, .. } => element("mtext", "", &escaped(body)),
            ParseNode::Url { url, .. } => element("mtext", "", &escaped(url)),
            ParseNode::IncludeGraphics { alt, .. } => element("mtext", "", &escaped(alt)),
            _ => "<mrow></mrow>".to_owned(),
        }
    }

    fn symbol(self, node: &ParseNode) -> String {
        let symbol = node.symbol_text().unwrap_or_default();
        let mut shown = character(symbol, node.mode());
        if self.is_negated {
            shown.push('\u{338}');
        }
        match node {
            ParseNode::Atom { family, .. } => {
                let is_fence = matches!(family, AtomFamily::Open | AtomFamily::Close);
                let is_bar = matches!(shown.as_str(), "|" | "∣" | "‖" | "∥" | "/");
                let fixed = if is_fence || is_bar {
                    "stretchy=\"false\""
                } else {
                    ""
                };
                operator(fixed, &shown)
            }
            ParseNode::SpacingNode { .. } => element("mtext", "", &shown),
            ParseNode::OpToken { .. } => operator("", &shown),
            _ => self.letter(&shown),
        }
    }

    /// A letter in its font, or another symbol.
    fn letter(self, shown: &str) -> String {
        let mut characters = shown.chars();
        let (first, is_one) = (
            characters.next().unwrap_or(' '),
            characters.next().is_none(),
        );
        if matches!(first, '|' | '∣' | '‖' | '∥' | '/') {
            return operator("stretchy=\"false\"", shown);
        }
        if matches!(first, '′' | '…' | '⋯' | '⋮' | '⋱' | '!') {
            return operator("", shown);
        }
        if first.is_ascii_digit() && is_one {
            return element("mn", "", &in_font(first, self.font).to_string());
        }
        // A single letter is italic by itself.
        let is_upright = ["mathrm", "textrm"].contains(&self.font) || ('Α'..='Ω').contains(&first);
        let attributes = match self.font {
            "mathscr" => "class=\"mathscript\"",
            _ if is_upright && is_one && first.is_alphabetic() => "mathvariant=\"normal\"",
            _ => "",
        };
        let lettered: String = shown.chars().map(|c| in_font(c, self.font)).collect();
        element("mi", attributes, &escaped(&lettered))
    }

    fn fraction_or_root(self, node: &ParseNode) -> String {
        match node {
            ParseNode::GenFrac {
                numer,
                denom,
                has_bar_line,
                left_delim,
                right_delim,
                ..
            } => {
                let line = if *has_bar_line {
                    ""
                } else {
                    "linethickness=\"0px\""
                };
                let parts = self.node(numer) + &self.node(denom);
                let fraction = element("mfrac", line, &parts);
                if left_delim.is_none() && right_delim.is_none() {
                    return fraction;
                }
                let (left, right) = (left_delim.as_deref(), right_delim.as_deref());
                fenced(left.unwrap_or("."), &fraction, right.unwrap_or("."))
            }
            ParseNode::Sqrt {
                body, index: None, ..
            } => element("msqrt", "", &self.node(body)),
            ParseNode::Sqrt {
                body,
                index: Some(index),
                ..
            } => element("mroot", "", &(self.node(body) + &self.node(index))),
            _ => String::new(),
        }
    }

    fn delimiters(self, node: &ParseNode) -> String {
        match node {
            ParseNode::DelimSizing { delim, size, .. } => {
                let em = ["1.2em", "1.8em", "2.4em", "3em"];
                let em = em
                    .get(usize::from(*size).saturating_sub(1))
                    .unwrap_or(&"3em");
                operator(
                    &format!("minsize=\"{em}\" maxsize=\"{em}\""),
                    &delimiter(delim),
                )
            }
            ParseNode::LeftRight {
                body, left, right, ..
            } => fenced(left, &self.pieces(body).concat(), right),
            ParseNode::Middle { delim, .. } => operator("stretchy=\"true\"", &delimiter(delim)),
            _ => String::new(),
        }
    }

    fn table(self, node: &ParseNode) -> String {
        let ParseNode::Array {
            body,
            cols,
            col_separation_type,
            ..
        } = node
        else {
            return String::new();
        };
        let cell = |cell: &ParseNode| element("mtd", "", &self.node(cell));
        let row =
            |row: &Vec<ParseNode>| element("mtr", "", &row.iter().map(cell).collect::<String>());
        let rows: String = body.iter().map(row).collect();
        let sides = cols
            .iter()
            .flatten()
            .filter_map(|column| match column.align.as_deref()? {
                "l" => Some("left"),
                "r" => Some("right"),
                _ => Some("center"),
            });
        let sides: Vec<&str> = sides.collect();
        let is_aligned = matches!(col_separation_type.as_deref(), Some("align" | "alignat"));
        let attributes = match (is_aligned, sides.is_empty()) {
            (true, _) => "displaystyle=\"true\" columnalign=\"right left\"".to_owned(),
            (false, false) => format!("columnalign=\"{}\"", sides.join(" ")),
            (false, true) => String::new(),
        };
        element("mtable", &attributes, &rows)
    }

    /// A proof as fractions: what follows, below what it follows from.
    fn proof(self, tree: &ProofBranch) -> String {
        let conclusion = self.row(&tree.conclusion);
        if tree.premises.is_empty() {
            return conclusion;
        }
        let premises = tree.premises.iter().map(|premise| self.proof(premise));
        let premises = premises.collect::<Vec<_>>().join("<mspace width=\"2em\"/>");
        element("mfrac", "", &(element("mrow", "", &premises) + &conclusion))
    }
}

/// Whether a node crosses out the symbol after it.
fn negates(node: &ParseNode) -> bool {
    match node {
        ParseNode::HtmlMathMl { mathml, .. } => {
            matches!(mathml.as_slice(), [only] if negates(only))
        }
        ParseNode::OrdGroup { body, .. } | ParseNode::MClass { body, .. } => {
            matches!(body.as_slice(), [only] if negates(only))
        }
        other => other.symbol_text() == Some("\u{338}"),
    }
}

/// A delimiter's character; none for a full stop.
fn delimiter(delimiter: &str) -> String {
    match delimiter {
        "." => String::new(),
        "<" | r"\lt" => "⟨".to_owned(),
        ">" | r"\gt" => "⟩".to_owned(),
        "|" | r"\vert" | r"\lvert" | r"\rvert" => "|".to_owned(),
        r"\|" | r"\Vert" | r"\lVert" | r"\rVert" => "‖".to_owned(),
        other => character(other, Mode::Math),
    }
}

/// Content between delimiters that grow with it.
fn fenced(left: &str, content: &str, right: &str) -> String {
    let side = |form: &str, sign: &str| {
        operator(&format!("fence=\"true\" form=\"{form}\""), &delimiter(sign))
    };
    let (left, right) = (side("prefix", left), side("postfix", right));
    element("mrow", "", &format!("{left}{content}{right}"))
}

/// A length in em.
fn em(length: &Measurement) -> f64 {
    let unit = match length.unit.as_str() {
        "mu" => 1.0 / 18.0,
        "ex" => 0.431,
        "pt" => 0.1,
        _ => 1.0,
    };
    length.number * unit
}
