//! A plain copy of an SVG: shapes and transforms, nothing that costs or fetches.

use std::collections::HashMap;
use std::fmt::Write;

use roxmltree::{Document, Node, ParsingOptions};

use super::super::LayoutError;
use super::super::ink::UNKNOWN_BOX;
use super::context::{Context, ShapeName, code, is_hidden, is_prime};
use super::{MAX_SVG_BYTES, em};
use crate::escape::escaped;

/// Elements nested deeper than this are no formula.
const MOST_NESTED: usize = 128;
/// The largest number of shapes, after every `<use>` is replaced by the element that it names.
const MOST_SHAPES: usize = 20_000;
/// The largest number of elements that are visited; an element is counted each time that a `<use>`
/// leads to it.
const MOST_VISITED: usize = 200_000;
/// The longest copy, in bytes.
const MOST_BYTES: usize = 2 * MAX_SVG_BYTES;
/// The largest number of XML nodes.
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

/// The copy, and the descriptions of its shapes.
#[derive(Debug)]
pub(super) struct Plain {
    /// The SVG, each shape with its number as id.
    pub(super) svg: String,
    names: Vec<ShapeName>,
    /// The em that the program uses which drew the source, where that is known.
    pub(super) usual_em: Option<f64>,
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

    /// The description of the shape with this id.
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

    /// Replaces `<use>` by the element that it names.
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
        let width = if is_table_rule {
            TABLE_RULE
        } else {
            context.stroke_width.as_deref().unwrap_or("1")
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

/// Whether a comment says that dvisvgm made this.
fn is_by_dvisvgm(document: &Document) -> bool {
    let comments = document.root().children().filter(Node::is_comment);
    let mut texts = comments.filter_map(|comment| comment.text());
    texts.any(|text| text.contains("dvisvgm"))
}
