//! Properties of SVG elements that apply to them and to the elements within them.

use roxmltree::Node;

use super::em;

/// The source's description of a shape.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct ShapeName {
    /// The character that it is, or is a piece of.
    pub(super) character: Option<char>,
    /// The character of the composite that it belongs to, where that is named.
    pub(super) composite: Option<char>,
    /// The number of the assembled symbol that it is a piece of.
    pub(super) whole: Option<usize>,
    /// Whether it is a `<rect>`.
    pub(super) is_rect: bool,
    /// How many of its own units make an em, where it is a glyph of which that is known.
    pub(super) em: Option<f64>,
}

/// The properties that an element inherits.
#[derive(Clone, Default)]
pub(super) struct Context {
    pub(super) depth: usize,
    pub(super) name: ShapeName,
    /// The properties of paint that decide whether something is drawn.
    pub(super) fill: Option<bool>,
    pub(super) stroke: Option<bool>,
    pub(super) stroke_width: Option<String>,
    pub(super) font_size: Option<f64>,
    /// Whether this is inside an operator, where a dash is a rule.
    pub(super) operator: bool,
}

impl Context {
    /// The properties within `node`.
    pub(super) fn inside(&self, node: Node) -> Context {
        let mut inner = self.clone();
        inner.depth += 1;
        let property = |name| property(node, name);
        if let Some(fill) = property("fill") {
            inner.fill = Some(is_painted(fill));
        }
        if let Some(stroke) = property("stroke") {
            inner.stroke = Some(is_painted(stroke));
        }
        if let Some(width) = property("stroke-width") {
            inner.stroke_width = Some(width.to_owned());
        }
        if inner.stroke_width.as_deref() == Some("0") {
            inner.stroke = Some(false);
        } else if node.attribute("stroke-width").is_some() && node.attribute("fill") == Some("none")
        {
            // MathJax's frames inherit a stroke of width 0, and set the width alone.
            inner.stroke = Some(true);
        }
        if let Some(size) = property("font-size") {
            inner.font_size = size.trim_end_matches("px").parse().ok();
        }
        if let Some(c) = code(node) {
            inner.name.character = Some(c);
        }
        if inner.name.character.is_some() || is_mathjax_glyph(node) {
            inner.name.em = Some(em::MATHJAX);
        }
        inner.operator |= node.attribute("data-mml-node") == Some("mo");
        inner
    }
}

/// A property of an element, from its style or else its attributes.
fn property<'a>(node: Node<'a, '_>, name: &str) -> Option<&'a str> {
    let styled = node.attribute("style").and_then(|style| {
        let mut properties = style.split(';').filter_map(|p| p.split_once(':'));
        properties
            .find(|(key, _)| key.trim() == name)
            .map(|(_, value)| value.trim())
    });
    styled
        .or_else(|| node.attribute(name))
        .filter(|value| *value != "inherit")
}

fn is_painted(paint: &str) -> bool {
    !matches!(paint, "none" | "transparent")
}

/// Elements that draw nothing, or nothing of the formula.
pub(super) fn is_hidden(node: Node) -> bool {
    node.attribute("display") == Some("none")
        || node.attribute("visibility") == Some("hidden")
        || node.attribute("data-hitbox").is_some()
        || node.attribute("data-background").is_some()
        || matches!(node.attribute("opacity"), Some("0" | "0.0"))
}

/// The character that MathJax says a shape is.
pub(super) fn code(node: Node) -> Option<char> {
    let hex = node.attribute("data-c")?;
    char::from_u32(u32::from_str_radix(hex, 16).ok()?)
}

/// Whether it is a glyph that MathJax names by its font alone, as version 2 does.
fn is_mathjax_glyph(node: Node) -> bool {
    let id = node.attribute("id").unwrap_or_default();
    id.contains("MJ") && node.tag_name().name() == "path"
}

/// Double and triple primes, which are drawn as two and three primes.
pub(super) fn is_prime(c: char) -> bool {
    matches!(
        c,
        '\u{2033}' | '\u{2034}' | '\u{2057}' | '\u{2036}' | '\u{2037}'
    )
}
