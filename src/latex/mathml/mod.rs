//! MathML as LaTeX.
//!
//! Browsers and other programs copy formulas as MathML. What they copy either carries the LaTeX
//! that it was made of, as an annotation, or is presentation MathML, which says what stands where;
//! that has an equivalent in LaTeX element by element. Content MathML, which says what is meant,
//! is refused. Nothing but the text of a document is read: no entity of a DTD, no reference.

mod accents;
mod element;
pub(crate) mod entities;
mod row;
mod scripts;
mod source;
mod table;
mod tokens;

use roxmltree::{Document, Node, ParsingOptions};

pub(crate) use tokens::letter;

use element::Context;

/// The longest MathML that is read, in bytes. An element takes about ten times as many as the
/// LaTeX that it stands for.
pub(crate) const MAX_MATHML_BYTES: usize = 256 * 1024;

/// The most nodes, and the deepest nesting. Formulas of browsers nest some thirty deep.
const MOST_NODES: u32 = 32 * 1024;
const MOST_NESTED: usize = 128;

/// Why MathML cannot be read.
#[derive(Debug, PartialEq)]
pub(crate) struct MathMlError(pub(crate) String);

/// MathML as LaTeX.
#[derive(Debug, PartialEq)]
pub(crate) struct Converted {
    /// The LaTeX that the elements stand for; or why there is none.
    pub(crate) latex: Result<String, MathMlError>,
    /// The TeX that the MathML was made of, where it says so.
    pub(crate) annotation: Option<String>,
}

/// Whether there is MathML in `text`.
pub(crate) fn is_mathml(text: &str) -> bool {
    source::first(text).is_some()
}

/// MathML within text, in the order of the text, and what is around it.
pub(crate) fn within(text: &str) -> (Vec<&str>, String) {
    source::within(text)
}

/// Reads one `math` element.
///
/// # Errors
/// When it is not well-formed, or too large.
pub(crate) fn to_latex(mathml: &str) -> Result<Converted, MathMlError> {
    if mathml.len() > MAX_MATHML_BYTES {
        return Err(MathMlError(format!(
            "it has {} bytes where at most {MAX_MATHML_BYTES} are read",
            mathml.len()
        )));
    }
    let plain = source::plain(mathml);
    let options = ParsingOptions {
        nodes_limit: MOST_NODES,
        ..ParsingOptions::default()
    };
    let document = Document::parse_with_options(&plain, options)
        .map_err(|error| MathMlError(error.to_string()))?;
    let root = document.root_element();
    Ok(Converted {
        latex: element::element(root, Context::default()).map(|latex| latex.trim().to_owned()),
        annotation: annotation(root),
    })
}

/// The TeX of a formula's annotation.
fn annotation(root: Node) -> Option<String> {
    let is_tex = |node: &Node| {
        let encoding = node.attribute("encoding").unwrap_or_default();
        let encoding = encoding.to_ascii_lowercase();
        node.has_tag_name("annotation") && (encoding.contains("tex"))
    };
    let found = root.descendants().find(is_tex)?;
    let tex = found.text().unwrap_or_default().trim();
    (!tex.is_empty()).then(|| tex.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The LaTeX of what is within a `math` element.
    pub(super) fn latex(inside: &str) -> String {
        let converted = to_latex(&format!("<math>{inside}</math>")).unwrap();
        converted
            .latex
            .unwrap_or_else(|error| panic!("{inside}: {error:?}"))
    }

    #[test]
    fn elements_are_latex() {
        for (mathml, expected) in [
            ("<mi>x</mi><mo>+</mo><mn>1</mn>", "x+1"),
            ("<msup><mi>x</mi><mn>2</mn></msup>", "x^{2}"),
            (
                "<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>",
                "x_{i}^{2}",
            ),
            (
                "<mfrac><mn>1</mn><mrow><mi>a</mi><mi>b</mi></mrow></mfrac>",
                r"\frac{1}{ab}",
            ),
            ("<msqrt><mi>x</mi><mi>y</mi></msqrt>", r"\sqrt{xy}"),
            ("<mroot><mi>x</mi><mn>3</mn></mroot>", r"\sqrt[3]{x}"),
            ("<mi>sin</mi><mo>&ApplyFunction;</mo><mi>x</mi>", r"\sin x"),
            (
                "<mi>α</mi><mo>&InvisibleTimes;</mo><mi>&beta;</mi>",
                r"\alpha\beta",
            ),
            (
                "<mi mathvariant='double-struck'>R</mi><mi>ℤ</mi>",
                r"\mathbb{R}\mathbb{Z}",
            ),
            ("<mtext>if x</mtext>", r"\text{if x}"),
            (
                "<mi>Hom</mi><mi mathvariant='normal'>d</mi>",
                r"\mathrm{Hom}\mathrm{d}",
            ),
            (
                "<mstyle mathvariant='bold'><mi>x</mi></mstyle>",
                r"\mathbf{x}",
            ),
            ("<mphantom><mi>x</mi></mphantom>", r"\phantom{x}"),
            (
                "<menclose notation='box'><mi>x</mi></menclose>",
                r"\boxed{x}",
            ),
            ("<mi>a</mi><mspace width='1em'/><mi>b</mi>", r"a\quad b"),
            ("<mfenced><mi>a</mi><mi>b</mi></mfenced>", "(a,b)"),
            ("<mi>f</mi><mo>′</mo>", "f'"),
            ("<mo>{</mo><mi>x</mi><mo>}</mo>", r"\{x\}"),
        ] {
            assert_eq!(latex(mathml), expected, "{mathml}");
        }
    }

    #[test]
    fn annotations_are_taken_and_content_is_refused() {
        let annotated = to_latex(
            "<math><semantics><mi>x</mi>\
             <annotation encoding='application/x-tex'> y </annotation></semantics></math>",
        );
        let annotated = annotated.unwrap();
        assert_eq!(annotated.annotation.as_deref(), Some("y"));
        assert_eq!(annotated.latex.unwrap(), "x");
        let content = to_latex("<math><apply><plus/><ci>x</ci></apply></math>").unwrap();
        assert!(content.latex.unwrap_err().0.contains("content MathML"));
    }

    #[test]
    fn hostile_mathml_is_refused() {
        let deep = format!(
            "<math>{}{}</math>",
            "<mrow>".repeat(9000),
            "</mrow>".repeat(9000)
        );
        let deep = to_latex(&deep).and_then(|converted| converted.latex);
        assert!(deep.unwrap_err().0.contains("nested"));
        let wide = format!("<math>{}</math>", "<mi>x</mi>".repeat(20_000));
        assert!(to_latex(&wide).is_err());
        assert!(to_latex("<math><mi>x</math>").is_err());
        assert!(to_latex(&"<math>".repeat(90_000)).is_err());
        let bomb = "<!DOCTYPE math [<!ENTITY a 'x'>]><math><mi>&a;</mi></math>";
        assert!(to_latex(bomb).is_err());
    }
}
