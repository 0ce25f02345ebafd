//! A plain copy of an SVG: shapes and transforms, nothing that costs or fetches.

use std::collections::HashMap;
use std::fmt::Write;

use roxmltree::{Document, Node, ParsingOptions};

use super::super::LayoutError;
use super::super::ink::UNKNOWN_BOX;
use super::{MAX_SVG_BYTES, em};
use crate::markup::escaped;

/// Elements nested deeper than this are no formula.
const MOST_NESTED: usize = 128;
/// The most shapes, after every `<use>` is replaced by what it names.
const MOST_SHAPES: usize = 20_000;
/// The most elements that are gone through, those reached by `<use>` again.
const MOST_VISITED: usize = 200_000;
/// The longest copy, in bytes.
const MOST_BYTES: usize = 2 * MAX_SVG_BYTES;
/// The most XML nodes.
const MOST_NODES: u32 = 200_000;
/// The width that MathJax's style sheet gives to the rules of a table.
const TABLE_RULE: &str = "60";

/// The id of a square that is copied into each formula of MathJax: one em wide, it is
/// moved and scaled as the formula is.
pub(super) const EM_SQUARE: &str = "em";

/// Attributes that are copied. Colours are not: only whether something is painted.
const KEPT: &[&str] = &[
    "transform",
    "viewBox",
    "x",
    "y",
    "width",
    "height",
    "x1",
    "y1",
    "x2",
    "y2",
    "d",
    "points",
    "cx",
    "cy",
    "r",
    "rx",
    "ry",
    "preserveAspectRatio",
];

/// The copy, and what its shapes were called.
#[derive(Debug)]
pub(super) struct Plain {
    /// The SVG, each shape with its number as id.
    pub(super) svg: String,
    names: Vec<ShapeName>,
    /// The em that the program uses which drew the source, where that is known.
    pub(super) usual_em: Option<f64>,
}

/// What the source says of a shape.
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
    /// How many of its own units make an em, where it is a glyph that tells.
    pub(super) em: Option<f64>,
}

impl Plain {
    /// Copies `source`.
    pub(super) fn new(source: &str) -> Result<Self, LayoutError> {
        let options = ParsingOptions {
            allow_dtd: true,
            nodes_limit: MOST_NODES,
            ..ParsingOptions::default()
        };
        let document = Document::parse_with_options(source, options)
            .map_err(|error| LayoutError::Svg(error.to_string()))?;
        let ids = document
            .descendants()
            .filter_map(|node| Some((node.attribute("id")?, node)));
        let mut copier = Copier {
            ids: ids.collect(),
            out: Plain {
                svg: String::new(),
                names: Vec::new(),
                usual_em: is_by_dvisvgm(&document).then_some(em::DVISVGM),
            },
            wholes: 0,
            visited: 0,
        };
        copier.root(document.root_element())?;
        Ok(copier.out)
    }

    /// What the shape with this id was called.
    pub(super) fn name(&self, id: &str) -> Option<&ShapeName> {
        self.names.get(id.strip_prefix('s')?.parse::<usize>().ok()?)
    }
}

struct Copier<'a> {
    /// Elements that can be used again, by their ids.
    ids: HashMap<&'a str, Node<'a, 'a>>,
    out: Plain,
    wholes: usize,
    visited: usize,
}

/// What an element inherits.
#[derive(Clone, Default)]
struct Context {
    depth: usize,
    name: ShapeName,
    /// Paint, as far as it decides what is drawn.
    fill: Option<bool>,
    stroke: Option<bool>,
    stroke_width: Option<String>,
    font_size: Option<f64>,
    /// Whether this is inside an operator, where a dash is a rule.
    operator: bool,
}

impl<'a> Copier<'a> {
    fn root(&mut self, root: Node<'a, 'a>) -> Result<(), LayoutError> {
        if root.tag_name().name() != "svg" {
            let found = root.tag_name().name();
            return Err(LayoutError::Svg(format!("expected <svg>, found <{found}>")));
        }
        let frame = root.attribute("viewBox").map_or_else(
            || r#" width="1000" height="1000""#.to_owned(),
            |view| format!(r#" viewBox="{}""#, escaped(view)),
        );
        let _ = write!(
            self.out.svg,
            r#"<svg xmlns="http://www.w3.org/2000/svg"{frame}>"#
        );
        let context = Context::default().inside(root);
        self.children(root, &context)?;
        self.out.svg.push_str("</svg>");
        Ok(())
    }

    fn children(&mut self, node: Node<'a, 'a>, context: &Context) -> Result<(), LayoutError> {
        for child in node.children().filter(Node::is_element) {
            self.element(child, context)?;
        }
        Ok(())
    }

    fn element(&mut self, node: Node<'a, 'a>, context: &Context) -> Result<(), LayoutError> {
        if context.depth > MOST_NESTED {
            return Err(LayoutError::Svg(format!(
                "more than {MOST_NESTED} levels deep"
            )));
        }
        self.visited += 1;
        if self.visited > MOST_VISITED || self.out.svg.len() > MOST_BYTES {
            return Err(LayoutError::Svg("its <use>s draw too much".to_owned()));
        }
        if is_hidden(node) {
            return Ok(());
        }
        let mut inner = context.inside(node);
        match node.tag_name().name() {
            "g" | "a" | "symbol" | "svg" => {
                self.number_whole(node, &mut inner);
                let is_svg = node.tag_name().name() == "svg";
                let tag = if is_svg { "svg" } else { "g" };
                let _ = write!(self.out.svg, "<{tag}");
                self.attributes(node);
                self.out.svg.push('>');
                if node.attribute("data-mml-node") == Some("math") {
                    self.em_square();
                }
                self.children(node, &inner)?;
                let _ = write!(self.out.svg, "</{tag}>");
            }
            "use" => self.copy_used(node, &inner)?,
            "text" => self.text(node, &inner)?,
            tag @ ("path" | "rect" | "line" | "polygon" | "polyline" | "circle" | "ellipse") => {
                self.shape(tag, node, &inner)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn em_square(&mut self) {
        let _ = write!(
            self.out.svg,
            r#"<rect id="{EM_SQUARE}" width="{em}" height="{em}"/>"#,
            em = em::MATHJAX
        );
    }

    /// Numbers a group whose shapes are one symbol: a named composite, or an
    /// operator that MathJax stretches with nested `<svg>`s.
    fn number_whole(&mut self, node: Node<'a, 'a>, inner: &mut Context) {
        if inner.name.whole.is_some() || node.tag_name().name() == "svg" {
            return;
        }
        let composite = code(node).filter(|c| !is_prime(*c));
        let stretched = node.attribute("data-mml-node") == Some("mo")
            && node
                .descendants()
                .skip(1)
                .any(|n| n.tag_name().name() == "svg");
        if composite.is_some() || stretched {
            self.wholes += 1;
            inner.name.whole = Some(self.wholes);
            inner.name.composite = composite;
        }
    }

    /// Replaces `<use>` by what it names.
    fn copy_used(&mut self, node: Node<'a, 'a>, context: &Context) -> Result<(), LayoutError> {
        let href = node
            .attributes()
            .find(|a| a.name() == "href")
            .map(|a| a.value());
        let id = href.and_then(|href| href.strip_prefix('#'));
        let Some(&target) = id.and_then(|id| self.ids.get(id)) else {
            return Ok(());
        };
        self.open_group(node);
        let number = |name| {
            node.attribute(name)
                .and_then(|v| v.parse::<f64>().ok())
                .unwrap_or(0.0)
        };
        let _ = write!(
            self.out.svg,
            r#"<g transform="translate({} {})">"#,
            number("x"),
            number("y")
        );
        self.element(target, context)?;
        self.out.svg.push_str("</g></g>");
        Ok(())
    }

    fn shape(
        &mut self,
        tag: &str,
        node: Node<'a, 'a>,
        context: &Context,
    ) -> Result<(), LayoutError> {
        let _ = write!(self.out.svg, "<{tag}");
        self.attributes(node);
        let is_table_rule = node.attribute("data-line").is_some();
        let fill = context.fill.unwrap_or(true) && tag != "line";
        let stroke = context.stroke.unwrap_or(false) || is_table_rule;
        let width = match is_table_rule {
            true => TABLE_RULE,
            false => context.stroke_width.as_deref().unwrap_or("1"),
        };
        self.out.svg.push_str(if fill {
            r#" fill="black""#
        } else {
            r#" fill="none""#
        });
        if stroke {
            let _ = write!(
                self.out.svg,
                r#" stroke="black" stroke-width="{}""#,
                escaped(width)
            );
        }
        let mut name = context.name.clone();
        name.is_rect = tag == "rect";
        if context.operator && matches!(name.character, Some('\u{2013}' | '\u{2015}')) {
            name.character = None;
            name.is_rect = true;
        }
        self.named(name)
    }

    /// Ends a shape that is `name`.
    fn named(&mut self, name: ShapeName) -> Result<(), LayoutError> {
        if self.out.names.len() == MOST_SHAPES {
            return Err(LayoutError::Svg(format!("more than {MOST_SHAPES} shapes")));
        }
        let _ = write!(self.out.svg, r#" id="s{}"/>"#, self.out.names.len());
        self.out.names.push(name);
        Ok(())
    }

    /// Characters that the renderer's fonts lack: a default box for each.
    fn text(&mut self, node: Node<'a, 'a>, context: &Context) -> Result<(), LayoutError> {
        let number = |name| {
            node.attribute(name)
                .and_then(|v| v.parse::<f64>().ok())
                .unwrap_or(0.0)
        };
        let size = context.font_size.unwrap_or(16.0);
        let text: String = node
            .descendants()
            .filter_map(|n| if n.is_text() { n.text() } else { None })
            .collect();
        self.open_group(node);
        for (at, c) in text.chars().filter(|c| !c.is_whitespace()).enumerate() {
            let _ = write!(
                self.out.svg,
                r#"<rect x="{}" y="{}" width="{}" height="{}""#,
                number("x") + (at as f64 + UNKNOWN_BOX.x0) * size,
                number("y") + UNKNOWN_BOX.y0 * size,
                UNKNOWN_BOX.width() * size,
                UNKNOWN_BOX.height() * size,
            );
            self.named(ShapeName {
                character: Some(c),
                em: context.font_size,
                ..context.name.clone()
            })?;
        }
        self.out.svg.push_str("</g>");
        Ok(())
    }

    /// Begins a group under the transform of `node`.
    fn open_group(&mut self, node: Node<'a, 'a>) {
        self.out.svg.push_str("<g");
        if let Some(transform) = node.attribute("transform") {
            let _ = write!(self.out.svg, r#" transform="{}""#, escaped(transform));
        }
        self.out.svg.push('>');
    }

    fn attributes(&mut self, node: Node<'a, 'a>) {
        for attribute in node.attributes().filter(|a| KEPT.contains(&a.name())) {
            let value = escaped(attribute.value());
            let _ = write!(self.out.svg, r#" {}="{value}""#, attribute.name());
        }
    }
}

impl Context {
    /// What holds within `node`.
    fn inside(&self, node: Node) -> Context {
        let mut inner = self.clone();
        inner.depth += 1;
        let property = |name: &str| {
            let styled = node.attribute("style").and_then(|style| {
                let mut properties = style.split(';').filter_map(|p| p.split_once(':'));
                properties
                    .find(|(key, _)| key.trim() == name)
                    .map(|(_, value)| value.trim())
            });
            styled
                .or_else(|| node.attribute(name))
                .filter(|value| *value != "inherit")
        };
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
            // MathJax frames inherit a colour of width nought and set the width.
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

fn is_painted(paint: &str) -> bool {
    !matches!(paint, "none" | "transparent")
}

/// Elements that draw nothing, or nothing of the formula.
fn is_hidden(node: Node) -> bool {
    node.attribute("display") == Some("none")
        || node.attribute("visibility") == Some("hidden")
        || node.attribute("data-hitbox").is_some()
        || node.attribute("data-background").is_some()
        || matches!(node.attribute("opacity"), Some("0" | "0.0"))
}

/// The character that MathJax says a shape is.
fn code(node: Node) -> Option<char> {
    let hex = node.attribute("data-c")?;
    char::from_u32(u32::from_str_radix(hex, 16).ok()?)
}

/// Whether it is a glyph that MathJax names by its font alone, as version 2 does.
fn is_mathjax_glyph(node: Node) -> bool {
    let id = node.attribute("id").unwrap_or_default();
    id.contains("MJ") && node.tag_name().name() == "path"
}

/// Whether a comment says that dvisvgm made this.
fn is_by_dvisvgm(document: &Document) -> bool {
    let comments = document.root().children().filter(Node::is_comment);
    let mut texts = comments.filter_map(|comment| comment.text());
    texts.any(|text| text.contains("dvisvgm"))
}

/// Double and triple primes, which are drawn, and meant, as so many primes.
fn is_prime(c: char) -> bool {
    matches!(
        c,
        '\u{2033}' | '\u{2034}' | '\u{2057}' | '\u{2036}' | '\u{2037}'
    )
}
