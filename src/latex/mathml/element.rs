//! The elements of MathML, each as LaTeX.

use roxmltree::Node;

use super::row::{fenced, row};
use super::{MOST_NESTED, MathMlError, scripts, table, tokens};
use crate::latex::MAX_LATEX_BYTES;

/// What elements inherit.
#[derive(Clone, Copy, Default)]
pub(super) struct Context<'a> {
    /// The `mathvariant` of an `mstyle` around this.
    pub(super) variant: Option<&'a str>,
    /// How many elements are around this.
    pub(super) depth: usize,
}

/// LaTeX, or why there is none.
pub(super) type Latex = Result<String, MathMlError>;

/// The elements within a node.
pub(super) fn elements<'a, 'i>(node: Node<'a, 'i>) -> impl Iterator<Item = Node<'a, 'i>> {
    node.children().filter(Node::is_element)
}

/// All text within a node.
pub(super) fn text(node: Node) -> String {
    let texts = node.descendants().filter(Node::is_text);
    texts.filter_map(|node| node.text()).collect()
}

/// An element as LaTeX.
pub(super) fn element(node: Node, context: Context) -> Latex {
    let variant = node.attribute("mathvariant").or(context.variant);
    let inner = Context {
        variant,
        depth: context.depth + 1,
    };
    if inner.depth > MOST_NESTED {
        return Err(MathMlError(format!(
            "elements are nested more than {MOST_NESTED} deep"
        )));
    }
    let child = |at: usize| match elements(node).nth(at) {
        Some(child) => element(child, inner),
        None => Ok(String::new()),
    };
    let latex = match node.tag_name().name() {
        "mi" => identifier(node, variant),
        "mn" => tokens::number(&text(node), variant),
        "mo" => operator(node),
        "mtext" | "ms" => tokens::text(&text(node), variant),
        "mspace" => space(node.attribute("width").unwrap_or_default()).to_owned(),
        "semantics" | "maction" => child(0)?,
        "mfrac" => fraction(node, child(0)?, child(1)?),
        "msqrt" => format!(r"\sqrt{{{}}}", row(node, inner)?),
        "mroot" => format!(r"\sqrt[{}]{{{}}}", bracketed(child(1)?), child(0)?),
        "msub" | "msup" | "msubsup" => scripts::scripts(node, inner)?,
        "munder" | "mover" | "munderover" => scripts::limits(node, inner)?,
        "mmultiscripts" => scripts::multiscripts(node, inner)?,
        "mtable" => table::table(node, inner)?,
        "mfenced" => fenced(node, inner)?,
        "mphantom" => format!(r"\phantom{{{}}}", row(node, inner)?),
        "mpadded" => padded(node, row(node, inner)?),
        "menclose" => enclosed(
            node.attribute("notation").unwrap_or("longdiv"),
            row(node, inner)?,
        ),
        "annotation" | "annotation-xml" | "none" | "mprescripts" | "maligngroup" | "malignmark" => {
            String::new()
        }
        name if CONTENT.contains(&name) => {
            return Err(MathMlError(format!(
                "content MathML ({name}) says what is meant, not what is drawn; presentation MathML is read"
            )));
        }
        _ => row(node, inner)?,
    };
    if latex.len() > MAX_LATEX_BYTES {
        return Err(MathMlError(format!(
            "it stands for more than {MAX_LATEX_BYTES} bytes of LaTeX"
        )));
    }
    Ok(latex)
}

/// Elements of content MathML with which a formula may begin.
const CONTENT: [&str; 12] = [
    "apply",
    "bind",
    "ci",
    "cn",
    "csymbol",
    "interval",
    "lambda",
    "matrix",
    "piecewise",
    "reln",
    "set",
    "vector",
];

fn identifier(node: Node, variant: Option<&str>) -> String {
    let text = text(node);
    // How some programs tell script from calligraphic letters.
    match node.attribute("class") {
        Some("mathscript") => format!(r"\mathscr{{{}}}", unlettered(&text)),
        _ => tokens::identifier(&text, variant),
    }
}

/// A letter of an alphabet of Unicode as a plain one.
fn unlettered(text: &str) -> String {
    let latex = tokens::characters(text);
    let inner = latex
        .split_once('{')
        .map(|(_, inner)| inner.trim_end_matches('}'));
    inner.unwrap_or(&latex).to_owned()
}

/// An operator; delimiters may have a size.
fn operator(node: Node) -> String {
    let text = text(node);
    let size = node.attribute("minsize").or(node.attribute("maxsize"));
    let em = size.and_then(|size| size.trim().trim_end_matches("em").parse::<f64>().ok());
    match (em, super::row::delimiter(text.trim())) {
        (Some(em), Some(delimiter)) if em > 1.0 => {
            let size = match em {
                ..1.5 => r"\big",
                ..2.1 => r"\Big",
                ..2.7 => r"\bigg",
                _ => r"\Bigg",
            };
            format!("{size}{delimiter}")
        }
        _ => tokens::operator(&text),
    }
}

/// A space of about the same width.
fn space(width: &str) -> &'static str {
    let number = width.trim_end_matches(|c: char| c.is_alphabetic());
    match (width, number.parse::<f64>().ok()) {
        (name, None) if name.starts_with("negative") => r"\!",
        ("thickmathspace" | "verythickmathspace" | "veryverythickmathspace", _) => r"\;",
        ("mediummathspace", _) => r"\:",
        ("thinmathspace" | "verythinmathspace", _) => r"\,",
        (_, Some(em)) if em >= 1.5 => r"\qquad",
        (_, Some(em)) if em >= 0.5 => r"\quad",
        (_, Some(em)) if em > 0.0 => r"\,",
        (_, Some(em)) if em < 0.0 => r"\!",
        _ => "",
    }
}

fn fraction(node: Node, above: String, below: String) -> String {
    let thickness = node.attribute("linethickness").unwrap_or("1");
    let is_thick = thickness.contains(|c: char| matches!(c, '1'..='9'));
    if !is_thick && !matches!(thickness, "thin" | "medium" | "thick") {
        format!(r"\genfrac{{}}{{}}{{0pt}}{{}}{{{above}}}{{{below}}}")
    } else if node.attribute("bevelled") == Some("true") {
        format!("{{{above}}}/{{{below}}}")
    } else {
        format!(r"\frac{{{above}}}{{{below}}}")
    }
}

/// The index of a root: a bracket in it needs braces.
fn bracketed(index: String) -> String {
    if index.contains(']') {
        format!("{{{index}}}")
    } else {
        index
    }
}

/// Content that takes no room, to the right of its place or to the left.
fn padded(node: Node, inner: String) -> String {
    let is_zero = |width: &str| width.trim_end_matches(char::is_alphabetic) == "0";
    let is_left = node
        .attribute("lspace")
        .is_some_and(|space| space.starts_with('-'));
    if !node.attribute("width").is_some_and(is_zero) {
        inner
    } else if is_left {
        format!(r"\mathllap{{{inner}}}")
    } else {
        format!(r"\mathrlap{{{inner}}}")
    }
}

/// What is struck out or framed.
fn enclosed(notation: &str, inner: String) -> String {
    let strikes = [
        ("updiagonalstrike", r"\cancel"),
        ("downdiagonalstrike", r"\bcancel"),
        ("horizontalstrike", r"\sout"),
        ("radical", r"\sqrt"),
        ("top", r"\overline"),
        ("bottom", r"\underline"),
        ("box", r"\boxed"),
        ("roundedbox", r"\boxed"),
        ("circle", r"\boxed"),
    ];
    let notations: Vec<&str> = notation.split_whitespace().collect();
    let is_crossed =
        notations.contains(&"updiagonalstrike") && notations.contains(&"downdiagonalstrike");
    if is_crossed {
        return format!(r"\xcancel{{{inner}}}");
    }
    let found = strikes.iter().find(|(name, _)| notations.contains(name));
    match found {
        Some((_, command)) => format!("{command}{{{inner}}}"),
        None => inner,
    }
}
