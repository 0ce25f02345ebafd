//! Rows of MathML, and the delimiters in them that grow with what is between them.

use roxmltree::Node;

use super::element::{Context, Latex, element, elements, text};
use super::tokens::{self, push};

/// Pairs of delimiters, and how `\left` and `\right` want them.
const PAIRS: [(&str, &str, &str, &str); 9] = [
    ("(", "(", ")", ")"),
    ("[", "[", "]", "]"),
    ("{", r"\{", "}", r"\}"),
    ("⟨", r"\langle", "⟩", r"\rangle"),
    ("〈", r"\langle", "〉", r"\rangle"),
    ("⌊", r"\lfloor", "⌋", r"\rfloor"),
    ("⌈", r"\lceil", "⌉", r"\rceil"),
    ("|", "|", "|", "|"),
    ("‖", r"\|", "‖", r"\|"),
];

/// A delimiter as `\left`, `\right` and `\big` want it.
pub(super) fn delimiter(character: &str) -> Option<&'static str> {
    let pairs = PAIRS.iter();
    let mut sides = pairs.flat_map(|&(open, left, close, right)| [(open, left), (close, right)]);
    let found = sides.find(|(delimiter, _)| *delimiter == plain(character));
    found.map(|(_, latex)| latex)
}

/// One character for bars that are written with several.
fn plain(character: &str) -> &str {
    match character {
        "∣" => "|",
        "∥" | "||" => "‖",
        other => other,
    }
}

/// What a child of a row is, as a delimiter that grows.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    Opens,
    Closes,
    Neither,
}

/// The children of a node, one after the other.
pub(super) fn row(node: Node, context: Context) -> Latex {
    let children: Vec<Node> = elements(node).collect();
    let mut pieces = Vec::with_capacity(children.len());
    for child in &children {
        pieces.push(element(*child, context)?);
    }
    let sides: Vec<Side> = (0..children.len())
        .map(|at| side(children[at], at == 0, at + 1 == children.len()))
        .collect();
    let mut open: Vec<usize> = Vec::new();
    for (at, side) in sides.iter().enumerate() {
        match side {
            Side::Opens => open.push(at),
            Side::Closes => {
                if let Some(opening) = open.pop()
                    && pieces[opening + 1..at].iter().any(|piece| is_tall(piece))
                {
                    grow(&mut pieces, &children, opening, Some(at));
                }
            }
            Side::Neither => {}
        }
    }
    // A brace before a table needs no partner.
    if let Some(opening) = open.pop()
        && pieces[opening + 1..]
            .iter()
            .any(|piece| piece.contains(r"\begin{"))
    {
        grow(&mut pieces, &children, opening, None);
    }
    Ok(joined(&pieces))
}

/// Has two delimiters grow.
fn grow(pieces: &mut [String], children: &[Node], opening: usize, closing: Option<usize>) {
    let shown = |at: usize| delimiter(text(children[at]).trim()).unwrap_or(".");
    pieces[opening] = format!(r"\left{}", shown(opening));
    match closing {
        Some(at) => pieces[at] = format!(r"\right{}", shown(at)),
        None => {
            if let Some(last) = pieces.last_mut() {
                last.push_str(r"\right.");
            }
        }
    }
}

fn side(child: Node, is_first: bool, is_last: bool) -> Side {
    let is_fixed = child.attribute("stretchy") == Some("false")
        || child.attribute("maxsize").is_some()
        || !child.has_tag_name("mo");
    if is_fixed {
        return Side::Neither;
    }
    let text = text(child);
    let character = plain(text.trim());
    let form = child.attribute("form");
    let pair = PAIRS.iter();
    let mut pairs = pair.filter(|(open, _, close, _)| character == *open || character == *close);
    match pairs.next() {
        Some((open, _, close, _)) if open == close => match form {
            Some("prefix") => Side::Opens,
            Some("postfix") => Side::Closes,
            None if is_first && !is_last => Side::Opens,
            None if is_last && !is_first => Side::Closes,
            _ => Side::Neither,
        },
        Some((open, ..)) if *open == character => Side::Opens,
        Some(_) => Side::Closes,
        None => Side::Neither,
    }
}

/// Whether delimiters around it grow.
fn is_tall(piece: &str) -> bool {
    const TALL: [&str; 8] = [
        r"\frac",
        r"\genfrac",
        r"\begin",
        r"\sqrt",
        r"\sum",
        r"\prod",
        r"\int",
        r"\left",
    ];
    TALL.iter().any(|tall| piece.contains(tall)) || piece.contains(['^', '_'])
}

/// LaTeX of the pieces of a row.
fn joined(pieces: &[String]) -> String {
    let mut out = String::new();
    let mut has_superscript = false;
    for piece in pieces {
        // A prime is a superscript, of which there may be one.
        if piece.starts_with('\'') && has_superscript {
            out.push_str("{}");
        }
        push(&mut out, piece);
        has_superscript = piece.contains('^');
    }
    out
}

/// `mfenced`: delimiters around its children, with separators between them.
pub(super) fn fenced(node: Node, context: Context) -> Latex {
    let separators = node.attribute("separators").unwrap_or(",");
    let separators: Vec<char> = separators.chars().filter(|c| !c.is_whitespace()).collect();
    let mut pieces = Vec::new();
    for (at, child) in elements(node).enumerate() {
        if at > 0
            && let Some(separator) = separators.get(at - 1).or(separators.last())
        {
            pieces.push(tokens::character(*separator));
        }
        pieces.push(element(child, context)?);
    }
    let (open, close) = (
        node.attribute("open").unwrap_or("(").trim(),
        node.attribute("close").unwrap_or(")").trim(),
    );
    let inner = joined(&pieces);
    let mut out = String::new();
    if is_tall(&inner) {
        let left = delimiter(open).unwrap_or(".");
        let right = delimiter(close).unwrap_or(".");
        push(&mut out, &format!(r"\left{left}"));
        push(&mut out, &inner);
        push(&mut out, &format!(r"\right{right}"));
    } else {
        push(&mut out, &tokens::operator(open));
        push(&mut out, &inner);
        push(&mut out, &tokens::operator(close));
    }
    Ok(out)
}
