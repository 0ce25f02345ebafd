//! Markdown: CommonMark with mathematics between delimiters, or in fences named `math`.
//!
//! Code is found first, then formulas outside of it; what is left is read as CommonMark with
//! every formula masked, so that an underscore in a formula never begins an emphasis.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use super::delimited::{Delimiters, Span, formulas};
use super::{Document, Formulas};

/// Stands for each byte of a formula while the text around it is read.
const MASK: &str = "\u{1}";

/// The elements of HTML whose text is no prose.
const HTML_CODE: [&str; 6] = ["code", "pre", "script", "style", "kbd", "samp"];

/// Reads Markdown.
pub(super) fn read(text: &str, formulas: &mut Formulas) -> Document {
    let rules = Delimiters {
        dollars: true,
        loose_dollars: false,
        escapes: true,
        blank_lines: false,
    };
    let mut document = Document::default();
    read_into(text, rules, formulas, &mut document);
    document
}

/// Reads Markdown into a document.
pub(super) fn read_into(
    text: &str,
    rules: Delimiters,
    macros: &mut Formulas,
    document: &mut Document,
) {
    let (code, fenced) = code(text);
    let mut spans = formulas(text, &code, rules);
    spans.extend(fenced);
    spans.extend(quoted(text, &code));
    spans.sort_by_key(|span| span.whole.start);
    spans.dedup_by(|later, earlier| later.whole.start < earlier.whole.end);
    let mut masked = String::with_capacity(text.len());
    for span in &spans {
        masked.push_str(&text[masked.len()..span.whole.start]);
        masked.push_str(&MASK.repeat(span.whole.len()));
    }
    masked.push_str(&text[masked.len()..]);
    let mut reader = Reader {
        text,
        spans: spans.into_iter().peekable(),
        macros,
        document,
        heading: None,
        title_from: 0,
        code: 0,
    };
    for (event, range) in Parser::new_ext(&masked, options()).into_offset_iter() {
        reader.event(event, range);
    }
    reader.up_to(text.len());
}

fn options() -> Options {
    Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS
}

/// Where code stands, and the fences that hold formulas.
fn code(text: &str) -> (Vec<Range<usize>>, Vec<Span>) {
    let (mut code, mut fenced) = (Vec::new(), Vec::new());
    let mut fence: Option<(Range<usize>, bool)> = None;
    // Where code in HTML began, within a line or as a block.
    let (mut inline, mut is_raw) = (None, false);
    for (event, range) in Parser::new_ext(text, options()).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(kind)) => {
                let is_math = matches!(&kind, CodeBlockKind::Fenced(name) if name.split_whitespace().next() == Some("math"));
                fence = Some((range.clone(), is_math));
                code.push(range);
            }
            Event::Text(_) => {
                if let Some((whole, true)) = &fence {
                    match fenced.last_mut() {
                        // In a quotation the lines come one by one.
                        Some(Span {
                            whole: last, latex, ..
                        }) if last == whole => {
                            latex.end = range.end;
                        }
                        _ => fenced.push(Span {
                            whole: whole.clone(),
                            latex: range,
                            is_display: true,
                        }),
                    }
                }
            }
            Event::End(TagEnd::CodeBlock) => fence = None,
            Event::Code(_) | Event::Start(Tag::MetadataBlock(_)) => code.push(range),
            Event::InlineHtml(tag) => {
                let name = tag.trim_start_matches(['<', '/']);
                if HTML_CODE.iter().any(|code| name.starts_with(code)) {
                    match (tag.starts_with("</"), inline.take()) {
                        (true, Some(start)) => code.push(start..range.end),
                        (false, None) => inline = Some(range.start),
                        (_, open) => inline = open,
                    }
                }
                code.push(range);
            }
            Event::Html(tag) => {
                let tag = tag.trim_start();
                let is_code = |code: &str| tag[1..].starts_with(code);
                if tag.starts_with("<!--") || tag.starts_with("</") {
                    code.push(range);
                    is_raw = false;
                } else if is_raw || (tag.starts_with('<') && HTML_CODE.iter().any(|c| is_code(c))) {
                    // Its lines come one by one.
                    is_raw = !HTML_CODE
                        .iter()
                        .any(|name| tag.contains(&format!("</{name}")));
                    code.push(range);
                }
            }
            Event::End(TagEnd::HtmlBlock) => is_raw = false,
            _ => {}
        }
    }
    code.sort_by_key(|range| (range.start, std::cmp::Reverse(range.end)));
    (code, fenced)
}

/// Formulas in code between dollars, as GitHub and GitLab have them.
fn quoted(text: &str, code: &[Range<usize>]) -> Vec<Span> {
    let quoted = code.iter().filter_map(|code| {
        let before = text[..code.start].strip_suffix('$')?;
        text[code.end..].strip_prefix('$')?;
        let ticks = text[code.clone()].len() - text[code.clone()].trim_start_matches('`').len();
        Some(Span {
            whole: before.len()..code.end + 1,
            latex: code.start + ticks..code.end - ticks,
            is_display: false,
        })
    });
    quoted.collect()
}

struct Reader<'t, 'd> {
    text: &'t str,
    spans: std::iter::Peekable<std::vec::IntoIter<Span>>,
    macros: &'d mut Formulas,
    document: &'d mut Document,
    /// The title that is being read.
    heading: Option<String>,
    /// How many parts there were before the title.
    title_from: usize,
    /// How many blocks of code are open.
    code: usize,
}

impl Reader<'_, '_> {
    /// Adds the formulas that begin before this offset.
    fn up_to(&mut self, end: usize) {
        while let Some(span) = self.spans.next_if(|span| span.whole.start < end) {
            if let Some(title) = &mut self.heading {
                title.push_str(&self.text[span.whole.clone()]);
            }
            let latex = plain_lines(&self.text[span.latex]);
            self.macros
                .add(self.document, &latex, span.is_display, span.whole.start);
        }
    }

    fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(Tag::Heading { .. }) => {
                self.heading = Some(String::new());
                self.title_from = self.document.parts.len();
            }
            Event::End(TagEnd::Heading(_)) => {
                self.up_to(range.end);
                let title = self.heading.take().unwrap_or_default();
                let before = self.document.parts.len();
                self.document.heading(&title, range.start);
                // The formulas of a title stand after it.
                if self.document.parts.len() > before {
                    self.document.parts[self.title_from..].rotate_right(1);
                }
            }
            Event::Start(Tag::CodeBlock(_) | Tag::MetadataBlock(_)) => self.code += 1,
            Event::End(TagEnd::CodeBlock | TagEnd::MetadataBlock(_)) => self.code -= 1,
            Event::Text(text) if self.code == 0 => self.prose(&text, range),
            Event::Code(text) => self.prose(&text, range),
            Event::SoftBreak | Event::HardBreak => self.prose(" ", range),
            Event::End(TagEnd::Paragraph | TagEnd::Item | TagEnd::TableCell) => {
                self.up_to(range.end);
                self.document.end_paragraph();
            }
            _ => {}
        }
    }

    /// Text of the document, in which formulas are masked.
    fn prose(&mut self, text: &str, range: Range<usize>) {
        let mut start = range.start;
        for piece in text.split_inclusive(MASK) {
            let bare = piece.trim_end_matches(MASK);
            if !bare.is_empty() {
                self.up_to(start + 1);
                match &mut self.heading {
                    Some(title) => title.push_str(bare),
                    None => self.document.text(bare),
                }
            }
            start += piece.len();
            if bare.len() < piece.len() {
                self.up_to(start);
            }
        }
    }
}

/// A formula whose lines have lost the marks of a quotation before them.
fn plain_lines(latex: &str) -> String {
    let lines = latex.lines().map(|line| {
        let bare = line.trim_start();
        match bare.strip_prefix("> ") {
            Some(quoted)
                if latex
                    .lines()
                    .skip(1)
                    .all(|line| line.trim_start().starts_with('>')) =>
            {
                quoted
            }
            _ => line,
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}
