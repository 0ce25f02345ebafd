//! HTML: formulas between MathJax's and KaTeX's delimiters, in scripts and elements that are
//! marked as mathematics, and in MathML.

use std::ops::Range;

use html5gum::emitters::default::{DefaultEmitter, StartTag, Token};
use html5gum::{Span, Tokenizer};

use super::delimited::{self, Delimiters};
use super::{Document, Formulas, Part, of_mathml};

/// The elements whose text is no prose: it is passed over.
const SILENT: [&str; 10] = [
    "script", "style", "template", "textarea", "select", "svg", "noscript", "iframe", "object",
    "nav",
];

/// The elements in which dollars are dollars.
const CODE: [&str; 5] = ["pre", "code", "kbd", "samp", "tt"];

/// The elements that stand in the midst of a line.
const INLINE: [&str; 32] = [
    "a", "abbr", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font", "i",
    "img", "ins", "kbd", "mark", "q", "s", "samp", "small", "span", "strike", "strong", "sub",
    "sup", "time", "tt", "u", "var", "wbr",
];

/// The classes of what MathJax and KaTeX have drawn from a formula that stands beside it.
const DRAWN: [&str; 10] = [
    "katex-html",
    "MathJax",
    "MathJax_Preview",
    "MathJax_SVG",
    "MathJax_CHTML",
    "MathJax_Display",
    "mjx-chtml",
    "MJX_Assistive_MathML",
    // What MathJax is told to leave alone.
    "tex2jax_ignore",
    "mathjax_ignore",
];

/// The classes of elements whose text is a formula.
const FORMULAS: [&str; 4] = ["math", "math-container", "math-tex", "js-render-math"];

/// Reads a page. A single dollar is a delimiter where the page says so to MathJax or KaTeX.
pub(super) fn read(text: &str, formulas: &mut Formulas) -> Document {
    let dollars = [
        "['$'",
        "[\"$\"",
        "left: '$'",
        "left: \"$\"",
        "left:\"$\"",
        "left:'$'",
    ]
    .iter()
    .any(|configured| text.contains(configured));
    read_with(text, dollars, formulas)
}

/// Reads a piece of HTML, in which single dollars are delimiters or not.
pub(super) fn read_with(text: &str, dollars: bool, formulas: &mut Formulas) -> Document {
    let mut reader = Reader {
        text,
        rules: Delimiters {
            dollars,
            loose_dollars: false,
            escapes: false,
            blank_lines: true,
        },
        formulas,
        document: Document::default(),
        block: Block::default(),
        element: None,
        code: Code::default(),
        is_heading: false,
    };
    let mut emitter = DefaultEmitter::<usize>::new_with_span();
    emitter.naively_switch_states(true);
    for token in Tokenizer::new_with_emitter(text, emitter) {
        let Ok(token) = token;
        reader.token(token);
    }
    reader.flush();
    reader.document
}

struct Reader<'t, 'f> {
    text: &'t str,
    rules: Delimiters,
    formulas: &'f mut Formulas,
    document: Document,
    block: Block,
    /// The element that is read as a whole, or passed over.
    element: Option<Element>,
    code: Code,
    is_heading: bool,
}

/// The text of a block: what stands between two ends of a line.
#[derive(Default)]
struct Block {
    text: String,
    /// Where pieces of the text begin, here and in the file.
    places: Vec<(usize, usize)>,
    /// Code.
    skipped: Vec<Range<usize>>,
    /// Formulas that stand in elements of their own: where, and where in the file.
    marked: Vec<(usize, Marked)>,
}

/// The elements of code that are open, within one another.
#[derive(Default)]
struct Code {
    open: usize,
    /// Where the first of them began in the block.
    start: usize,
}

struct Marked {
    latex: String,
    is_display: bool,
    id: Option<String>,
    at: usize,
}

/// An element that is not read as text of the page.
struct Element {
    name: String,
    /// How many elements of its name are open within it, itself included.
    depth: usize,
    at: usize,
    kind: Kind,
    id: Option<String>,
    text: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Silent,
    /// Its text is LaTeX, perhaps within delimiters.
    Latex {
        is_display: bool,
    },
    MathMl,
}

impl Reader<'_, '_> {
    fn token(&mut self, token: Token<usize>) {
        match token {
            Token::StartTag(tag) => self.start(&tag),
            Token::EndTag(tag) => self.end(&lossy(&tag.name), tag.span),
            Token::String(text) => {
                let span = text.span;
                self.prose(&lossy(&text.value), span);
            }
            _ => {}
        }
    }

    fn start(&mut self, tag: &StartTag<usize>) {
        let name = lossy(&tag.name);
        if let Some(element) = &mut self.element {
            // Assistive MathML stands within what MathJax has drawn.
            let is_math = is_math(&name) && element.kind == Kind::Silent;
            if is_math && element.name.starts_with("mjx") {
                self.element = None;
            } else {
                element.depth += usize::from(name == element.name && !tag.self_closing);
                return;
            }
        }
        if let Some(kind) = kind(&name, tag) {
            if !tag.self_closing {
                self.element = Some(Element {
                    name,
                    depth: 1,
                    at: tag.span.start,
                    kind,
                    id: attribute(tag, "id"),
                    text: String::new(),
                });
            }
            return;
        }
        if CODE.contains(&name.as_str()) {
            if self.code.open == 0 {
                self.code.start = self.block.text.len();
            }
            self.code.open += 1;
        }
        match name.as_str() {
            "br" => self.prose("\n", tag.span),
            "img" => self.image(tag),
            name if INLINE.contains(&name) => {}
            name => {
                self.flush();
                self.is_heading = is_heading(name);
            }
        }
    }

    fn end(&mut self, name: &str, span: Span<usize>) {
        if let Some(element) = &mut self.element {
            element.depth -= usize::from(name == element.name);
            if element.depth > 0 {
                return;
            }
            if let Some(element) = self.element.take() {
                self.element_ends(element, span.end);
            }
            return;
        }
        if CODE.contains(&name) && self.code.open > 0 {
            self.code.open -= 1;
            if self.code.open == 0 {
                let end = self.block.text.len();
                self.block.skipped.push(self.code.start..end);
            }
        }
        if !INLINE.contains(&name) {
            self.flush();
            self.is_heading = false;
        }
    }

    fn prose(&mut self, text: &str, span: Span<usize>) {
        match &mut self.element {
            Some(element) => element.text.push_str(text),
            None => {
                self.block.places.push((self.block.text.len(), span.start));
                self.block.text.push_str(text);
            }
        }
    }

    fn element_ends(&mut self, element: Element, end: usize) {
        let at = element.at;
        let (latex, is_display) = match element.kind {
            Kind::Silent => return,
            Kind::Latex { is_display } => {
                let (latex, is_display) = undelimited(&element.text, is_display);
                (joined(&latex), is_display)
            }
            Kind::MathMl => {
                let source = &self.text[at..end.min(self.text.len())];
                let is_display = source[..source.find('>').unwrap_or(0)].contains("block");
                match of_mathml(source) {
                    Ok(latex) => (latex, is_display),
                    Err(reason) => return self.document.problem(at, reason),
                }
            }
        };
        self.mark(latex, is_display, element.id, at);
    }

    /// A picture of a formula, as WordPress has them.
    fn image(&mut self, tag: &StartTag<usize>) {
        let is_formula = classes(tag).any(|class| class == "latex" || class == "tex");
        if let Some(alt) = attribute(tag, "alt").filter(|_| is_formula) {
            let (latex, is_display) = undelimited(&alt, false);
            self.mark(latex, is_display, None, tag.span.start);
        }
    }

    fn mark(&mut self, latex: String, is_display: bool, id: Option<String>, at: usize) {
        let marked = Marked {
            latex,
            is_display,
            id,
            at,
        };
        self.block.marked.push((self.block.text.len(), marked));
    }

    /// Ends a block: finds the formulas in its text.
    fn flush(&mut self) {
        let mut block = std::mem::take(&mut self.block);
        // Code that goes on in the next block is code there too.
        if self.code.open > 0 {
            block.skipped.push(self.code.start..block.text.len());
            self.code.start = 0;
        }
        let heading = self.document.parts.len();
        block.skipped.sort_by_key(|range| range.start);
        let spans = delimited::formulas(&block.text, &block.skipped, self.rules);
        let mut marked = std::mem::take(&mut block.marked).into_iter().peekable();
        let mut done = 0;
        for span in spans {
            while let Some((place, formula)) =
                marked.next_if(|(place, _)| *place <= span.whole.start)
            {
                // One that stands within another has been passed.
                let place = place.max(done);
                self.text_between(&block, done..place);
                done = place;
                self.add(&formula);
            }
            self.text_between(&block, done..span.whole.start);
            done = span.whole.end;
            let formula = Marked {
                latex: block.text[span.latex].to_owned(),
                is_display: span.is_display,
                id: None,
                at: block.place(span.whole.start),
            };
            self.add(&formula);
        }
        for (place, formula) in marked {
            let place = place.max(done);
            self.text_between(&block, done..place);
            done = place;
            self.add(&formula);
        }
        self.text_between(&block, done..block.text.len());
        if self.is_heading {
            let title = Document {
                parts: self.document.parts.split_off(heading),
                ..Document::default()
            };
            let at = block.places.first().map_or(0, |(_, place)| *place);
            self.document.heading(&title.prose(), at);
            // The formulas of a title are formulas, too; its text is said once.
            let parts = title.parts.into_iter();
            let formulas = parts.filter(|part| matches!(part, Part::Formula(_)));
            self.document.parts.extend(formulas);
            self.document.end_paragraph();
        } else if !block.text.trim().is_empty() {
            self.document.end_paragraph();
        }
    }

    fn text_between(&mut self, block: &Block, range: Range<usize>) {
        let text = &block.text[range];
        if !text.is_empty() {
            self.document.text(text);
        }
    }

    fn add(&mut self, formula: &Marked) {
        self.formulas.add(
            &mut self.document,
            &formula.latex,
            formula.is_display,
            formula.at,
        );
        if let Some(added) = self
            .document
            .last_formula()
            .filter(|added| added.at == formula.at)
        {
            added.id.clone_from(&formula.id);
        }
    }
}

impl Block {
    /// Where in the file this part of the text stands.
    fn place(&self, at: usize) -> usize {
        let piece = self.places.partition_point(|(start, _)| *start <= at);
        let (start, place) = self.places[piece.saturating_sub(1)];
        place + (at - start)
    }
}

/// How an element is read, if not as text of the page.
/// Whether an element is one of MathML, with or without a prefix.
fn is_math(name: &str) -> bool {
    name == "math" || name.ends_with(":math")
}

fn kind(name: &str, tag: &StartTag<usize>) -> Option<Kind> {
    match name {
        name if is_math(name) => return Some(Kind::MathMl),
        "script" => {
            let kind = attribute(tag, "type").unwrap_or_default();
            return Some(if kind.starts_with("math/tex") {
                Kind::Latex {
                    is_display: kind.contains("mode=display"),
                }
            } else if kind.starts_with("math/mml") {
                Kind::MathMl
            } else {
                Kind::Silent
            });
        }
        _ => {}
    }
    if SILENT.contains(&name) || name.starts_with("mjx-") {
        return Some(Kind::Silent);
    }
    if classes(tag).any(|class| DRAWN.contains(&class.as_str())) {
        return Some(Kind::Silent);
    }
    let is_formula = classes(tag).any(|class| FORMULAS.contains(&class.as_str()));
    (is_formula && matches!(name, "span" | "div" | "code" | "pre" | "p")).then(|| Kind::Latex {
        is_display: classes(tag).any(|class| class == "display")
            || attribute(tag, "data-math-style").is_some_and(|style| style == "display"),
    })
}

/// LaTeX without the delimiters around it, and whether it stands on lines of its own.
fn undelimited(text: &str, is_display: bool) -> (String, bool) {
    let text = text.trim();
    let text = text.strip_prefix("<![CDATA[").unwrap_or(text);
    let text = text.strip_suffix("]]>").unwrap_or(text).trim();
    for (open, close, display) in [
        ("$$", "$$", true),
        (r"\[", r"\]", true),
        (r"\(", r"\)", false),
        ("$", "$", false),
    ] {
        let inner = text.strip_prefix(open).and_then(|t| t.strip_suffix(close));
        if let Some(inner) = inner {
            return (inner.to_owned(), display);
        }
    }
    (text.to_owned(), is_display)
}

/// LaTeX whose lines were joined. LaTeXML ends lines with `%`, and who writes its formulas on one
/// line makes comments of what follows: in ARQMath's posts of 3,500 formulas.
fn joined(latex: &str) -> String {
    let is_joined = !latex.contains('\n') && latex.contains("% ");
    if !is_joined {
        return latex.to_owned();
    }
    let mut joined = String::with_capacity(latex.len());
    let mut rest = latex;
    while let Some((before, after)) = rest.split_once("% ") {
        joined.push_str(before);
        let backslashes = before.len() - before.trim_end_matches('\\').len();
        // A command before it still ends here.
        joined.push_str(if backslashes % 2 == 1 { "% " } else { " " });
        rest = after;
    }
    joined + rest
}

fn is_heading(name: &str) -> bool {
    matches!(name, "title" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6")
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn attribute(tag: &StartTag<usize>, name: &str) -> Option<String> {
    let value = tag.attributes.get(name.as_bytes())?;
    Some(lossy(&value.value))
}

fn classes(tag: &StartTag<usize>) -> impl Iterator<Item = String> {
    let classes = attribute(tag, "class").unwrap_or_default();
    let classes: Vec<String> = classes.split_whitespace().map(str::to_owned).collect();
    classes.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let document = read_with(text, true, &mut Formulas::default());
        document.formulas().map(|f| f.latex.clone()).collect()
    }

    #[test]
    fn marked_and_delimited_formulas_are_found_and_code_is_not() {
        for (text, expected) in [
            (r"<p>a \(x\) b</p>", vec!["x"]),
            ("<span class=math-container>$y$</span> $z$", vec!["y", "z"]),
            // One within the delimiters of another, and one after both.
            (
                "$a <span class=math-container>$b$</span> c$ <span class=math>d</span> $e$",
                vec!["a c", "b", "d", "e"],
            ),
            (
                r"<span class=math-container>$\frac% {1}{\alpha% x} + 5\% y$</span>",
                vec![r"\frac{1}{\alpha x} + 5\% y"],
            ),
            (r"<code>$x$</code><pre>\(y\)</pre> $z$", vec!["z"]),
            (
                r#"<script type="math/tex">u</script><script>$v$</script>"#,
                vec!["u"],
            ),
            ("<p>$x</p><p>y$</p>", vec![]),
            ("<math><mi>x</mi></math>", vec!["x"]),
            (
                r#"<math alttext="\alpha"><mi>a</mi></math>"#,
                vec![r"\alpha"],
            ),
            (
                "<span class=katex><math><mi>x</mi></math><span class=katex-html>x</span></span>",
                vec!["x"],
            ),
            ("<p", vec![]),
        ] {
            assert_eq!(found(text), expected, "{text}");
        }
    }
}
