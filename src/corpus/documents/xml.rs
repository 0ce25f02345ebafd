//! XML with formulas in MathML or TeX, as JATS and DocBook have them.

use roxmltree::{Document as Xml, Node, ParsingOptions};

use super::{Document, Formulas, of_mathml};
use crate::latex::mathml::entities::entity;

/// The most elements of a file. The largest articles have some hundred thousand.
const MAX_NODES: u32 = 4_000_000;

/// Reads XML.
///
/// # Errors
/// When it is not well formed.
pub(super) fn read(text: &str, formulas: &mut Formulas) -> Result<Document, roxmltree::Error> {
    match parse(text, formulas) {
        // Characters by HTML's names, without a DTD that says what they are.
        Err(roxmltree::Error::UnknownEntityReference(..)) => {
            parse(&with_characters(text), formulas)
        }
        read => read,
    }
}

/// XML with the names of characters replaced by the characters; lines stay as they are.
fn with_characters(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        plain.push_str(before);
        let name = after.split(|c: char| !c.is_ascii_alphanumeric()).next();
        let name = name.unwrap_or_default();
        let is_xml = ["amp", "lt", "gt", "quot", "apos"].contains(&name);
        let character = entity(name).filter(|_| !is_xml && after[name.len()..].starts_with(';'));
        match character {
            Some(character) => {
                plain.push(character);
                rest = &after[name.len() + 1..];
            }
            None => {
                plain.push('&');
                rest = after;
            }
        }
    }
    plain + rest
}

fn parse(text: &str, formulas: &mut Formulas) -> Result<Document, roxmltree::Error> {
    let options = ParsingOptions {
        allow_dtd: true,
        nodes_limit: MAX_NODES,
        ..ParsingOptions::default()
    };
    let xml = Xml::parse_with_options(text, options)?;
    let mut reader = Reader {
        text,
        formulas,
        document: Document::default(),
    };
    // Visited by hand, because a document may be nested deeper than the stack.
    let mut next = Some(xml.root_element());
    while let Some(node) = next {
        let is_read = reader.enters(node);
        next = node.first_child().filter(|_| is_read);
        let mut last = node;
        while next.is_none() {
            reader.leaves(last);
            next = last.next_sibling();
            if next.is_none() {
                let Some(parent) = last.parent_element() else {
                    break;
                };
                last = parent;
            }
        }
    }
    Ok(reader.document)
}

struct Reader<'t, 'f> {
    text: &'t str,
    formulas: &'f mut Formulas,
    document: Document,
}

impl Reader<'_, '_> {
    /// Reads what is read as a whole; says whether to go into the node's children.
    fn enters(&mut self, node: Node<'_, '_>) -> bool {
        if node.is_text() {
            self.document.text(node.text().unwrap_or_default());
            return false;
        }
        let at = node.range().start;
        match node.tag_name().name() {
            "math" => {
                let is_display = node.attribute("display") == Some("block") || is_display(node);
                match of_mathml(&self.text[node.range()]) {
                    Ok(latex) => {
                        self.formulas
                            .add(&mut self.document, &latex, is_display, at);
                    }
                    Err(reason) => self.document.problem(at, reason),
                }
                false
            }
            "tex-math" => {
                let latex = body(&all_text(node));
                self.formulas
                    .add(&mut self.document, &latex, is_display(node), at);
                false
            }
            // One formula in several forms: TeX is preferred.
            "alternatives" => {
                let tex = node.children().find(|child| child.has_tag_name("tex-math"));
                if let Some(tex) = tex {
                    self.enters(tex);
                }
                tex.is_none()
            }
            "title" | "article-title" | "subtitle" => {
                let title = all_text(node);
                self.document.end_paragraph();
                self.document.heading(&title, at);
                // The formulas of a title are formulas too; its text is said once.
                for formula in node.descendants().filter(|n| is_formula(*n)) {
                    self.enters(formula);
                }
                self.document.end_paragraph();
                false
            }
            "code" | "preformat" | "programlisting" | "screen" | "ref-list" | "style"
            | "script" | "svg" => false,
            _ => true,
        }
    }

    fn leaves(&mut self, node: Node<'_, '_>) {
        if matches!(
            node.tag_name().name(),
            "p" | "para" | "td" | "th" | "list-item" | "sec" | "abstract" | "caption"
        ) {
            self.document.end_paragraph();
        }
    }
}

fn is_formula(node: Node<'_, '_>) -> bool {
    matches!(node.tag_name().name(), "math" | "tex-math")
}

fn is_display(node: Node<'_, '_>) -> bool {
    let mut around = node.ancestors().take(4);
    around.any(|node| matches!(node.tag_name().name(), "disp-formula" | "equation"))
}

fn all_text(node: Node<'_, '_>) -> String {
    let texts = node.descendants().filter(Node::is_text);
    texts.filter_map(|text| text.text()).collect()
}

/// The formula of a `tex-math` element, which may hold a whole LaTeX document.
fn body(source: &str) -> String {
    let text = match source.split_once(r"\begin{document}") {
        Some((_, body)) => body.split(r"\end{document}").next().unwrap_or(body),
        None => source,
    };
    let text = text.trim();
    for (open, close) in [("$$", "$$"), (r"\[", r"\]"), (r"\(", r"\)"), ("$", "$")] {
        let inner = text.strip_prefix(open).and_then(|t| t.strip_suffix(close));
        if let Some(inner) = inner {
            return inner.to_owned();
        }
    }
    text.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_read_once_from_tex_or_mathml() {
        let text = r#"<!DOCTYPE article><article xmlns:mml="http://www.w3.org/1998/Math/MathML">
            <sec><title>Heat</title><p>Let <inline-formula><alternatives>
            <tex-math>\documentclass{a}\begin{document}$$x^2$$\end{document}</tex-math>
            <mml:math><mml:mi>x</mml:mi></mml:math></alternatives></inline-formula> be.</p>
            <disp-formula><tex-math>$y$</tex-math></disp-formula></sec></article>"#;
        let document = read(text, &mut Formulas::default()).unwrap();
        let found: Vec<(&str, bool)> = document
            .formulas()
            .map(|f| (f.latex.as_str(), f.is_display))
            .collect();
        assert_eq!(found, [("x^2", false), ("y", true)]);
        assert!(read("<a><b></a>", &mut Formulas::default()).is_err());
        let named = "<p>a &amp; b &nbsp; <math><mi>&alpha;</mi></math></p>";
        let document = read(named, &mut Formulas::default()).unwrap();
        assert_eq!(document.formulas().next().unwrap().latex, r"\alpha");
    }

    #[test]
    fn a_deep_document_is_read_or_refused() {
        let text = format!("{}x{}", "<p>".repeat(10_000), "</p>".repeat(10_000));
        let _ = read(&text, &mut Formulas::default());
    }
}
