//! AsciiDoc: the macros and blocks `stem` and `latexmath`.

use super::{Document, Formulas};

/// Reads AsciiDoc. `stem` is LaTeX where the document says `:stem: latexmath`; AsciiMath is
/// reported, not read.
pub(super) fn read(text: &str, formulas: &mut Formulas) -> Document {
    let mut document = Document::default();
    let stem_is_latex = text
        .lines()
        .any(|line| line.trim_end() == ":stem: latexmath");
    let is_latex = |name: &str| name == "latexmath" || (name == "stem" && stem_is_latex);
    let mut at = 0;
    // What the next block holds, by the line of attributes before it.
    let mut announced: Option<String> = None;
    // Lines of prose are read together: a macro may go on in the next line.
    let mut prose = 0..0;
    let mut lines = text.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        let start = at;
        at += line.len();
        let bare = line.trim();
        if is_prose(bare) {
            if prose.is_empty() {
                prose.start = start;
            }
            prose.end = at;
            continue;
        }
        inline(
            &text[prose.clone()],
            prose.start,
            &is_latex,
            formulas,
            &mut document,
        );
        prose = at..at;
        if let Some(name) = attributes(bare) {
            announced = Some(name.to_owned());
        } else if let Some(fence) = fence(bare) {
            let body = at;
            for line in lines.by_ref() {
                at += line.len();
                if line.trim() == fence {
                    break;
                }
            }
            let inner = &text[body..at];
            let inner = inner.rfind(fence).map_or(inner, |end| &inner[..end]);
            match announced.take() {
                Some(name) if fence == "++++" && is_latex(&name) => {
                    formulas.add(&mut document, inner.trim(), true, body);
                }
                Some(name) if fence == "++++" && is_asciimath(&name) => {
                    document.problem(body, "AsciiMath is not read");
                }
                _ => {}
            }
        } else if bare.is_empty() {
            document.end_paragraph();
            announced = None;
        } else if let Some(title) = title(bare) {
            document.end_paragraph();
            document.heading(title, start);
            // The formulas of a title are formulas, too; its text is said once.
            let mut formulas_of_title = Document::default();
            inline(line, start, &is_latex, formulas, &mut formulas_of_title);
            document.take_formulas(formulas_of_title);
            document.end_paragraph();
        }
    }
    inline(
        &text[prose.clone()],
        prose.start,
        &is_latex,
        formulas,
        &mut document,
    );
    document
}

/// Whether a line is text, no mark of a block, title or comment.
fn is_prose(line: &str) -> bool {
    !line.is_empty()
        && !line.starts_with("//")
        && attributes(line).is_none()
        && fence(line).is_none()
        && title(line).is_none()
}

/// The first attribute of a line such as `[latexmath]` or `[stem#label]`.
fn attributes(line: &str) -> Option<&str> {
    let inner = line.strip_prefix('[')?.strip_suffix(']')?;
    let end = inner.find([',', '#', '.', '%']).unwrap_or(inner.len());
    Some(&inner[..end])
}

/// The mark between which a block stands that is no prose.
fn fence(line: &str) -> Option<&'static str> {
    ["++++", "----", "....", "////", "```"]
        .into_iter()
        .find(|fence| line == *fence || (*fence == "```" && line.starts_with("```")))
}

fn is_asciimath(name: &str) -> bool {
    matches!(name, "stem" | "asciimath")
}

fn title(line: &str) -> Option<&str> {
    let rest = line.trim_start_matches('=');
    let level = line.len() - rest.len();
    (1..=6)
        .contains(&level)
        .then(|| rest.strip_prefix(' '))
        .flatten()
}

/// Text with macros in it.
fn inline(
    line: &str,
    at: usize,
    is_latex: &impl Fn(&str) -> bool,
    formulas: &mut Formulas,
    document: &mut Document,
) {
    let mut rest = line;
    while let Some(colon) = rest.find(":[") {
        let before = rest[..colon].trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let name_start = before.len();
        let name = &rest[name_start..colon];
        let inner = &rest[colon + 2..];
        // Literal, as in `+stem:[x]+` and `\stem:[x]`.
        let is_literal = before.ends_with(['+', '\\']);
        let is_macro = (is_latex(name) || is_asciimath(name)) && !is_literal;
        let length = is_macro.then(|| closing(inner)).flatten();
        if is_macro && length.is_none() {
            // Nothing closes this one, nor one after it.
            break;
        }
        let Some(length) = length else {
            document.text(&rest[..colon + 2]);
            rest = inner;
            continue;
        };
        document.text(&rest[..name_start]);
        let place = at + line.len() - rest.len() + name_start;
        if is_latex(name) {
            let latex = inner[..length].replace(r"\]", "]");
            let latex = latex.trim_matches('$');
            formulas.add(document, latex, false, place);
        } else {
            document.problem(place, "AsciiMath is not read");
        }
        rest = &inner[length + 1..];
    }
    document.text(rest);
}

/// Where an unescaped bracket closes a macro.
fn closing(text: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            ']' if !escaped => return Some(at),
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macros_and_blocks_hold_formulas_and_code_does_not() {
        let text = "= Waves\n:stem: latexmath\n\nThe speed stem:[c=\\sqrt{T/\\mu}] and \
                    latexmath:[x_{[0\\]}] here.\n\n[latexmath]\n++++\nE = mc^2\n++++\n\n----\n\
                    stem:[code]\n----\nAnd latexmath:[a =\nb] too.\n\nasciimath:[sum_i i] Ï:[x] `+stem:[no]+`\n\n== So stem:[t]\n";
        let document = read(text, &mut Formulas::default());
        let found: Vec<&str> = document.formulas().map(|f| f.latex.as_str()).collect();
        assert_eq!(
            found,
            [r"c=\sqrt{T/\mu}", "x_{[0]}", "E = mc^2", "a = b", "t"]
        );
        assert_eq!(document.problems.len(), 1);
        for (formula, start) in document.formulas().zip(["stem:", "latexmath:", "E ="]) {
            assert!(
                text[formula.at..].starts_with(start),
                "{}",
                &text[formula.at..]
            );
        }
    }
}
