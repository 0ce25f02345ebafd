//! reStructuredText: the role and the directive `math`.

use super::{Document, Formulas};

/// Reads reStructuredText.
pub(super) fn read(text: &str, formulas: &mut Formulas) -> Document {
    let mut reader = Reader {
        text,
        formulas,
        document: Document::default(),
    };
    let lines = lines(text);
    let mut next = 0;
    while next < lines.len() {
        next = reader.line(&lines, next);
    }
    reader.document
}

/// A line, and where it begins.
#[derive(Clone, Copy)]
struct Line<'t> {
    at: usize,
    text: &'t str,
}

impl<'t> Line<'t> {
    fn indent(&self) -> usize {
        self.text.len() - self.text.trim_start().len()
    }

    /// The end of it that is `rest`.
    fn from(&self, rest: &'t str) -> Self {
        Line {
            at: self.at + self.text.len() - rest.len(),
            text: rest,
        }
    }

    fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }
}

fn lines(text: &str) -> Vec<Line<'_>> {
    let mut at = 0;
    let lines = text.split_inclusive('\n').map(|line| {
        let start = at;
        at += line.len();
        Line {
            at: start,
            text: line.trim_end(),
        }
    });
    lines.collect()
}

/// The lines of an indented block that begins at `first`: those indented more than `indent`.
fn block<'a, 't>(lines: &'a [Line<'t>], first: usize, indent: usize) -> &'a [Line<'t>] {
    let belongs = |line: &Line<'_>| line.is_blank() || line.indent() > indent;
    let length = lines[first..]
        .iter()
        .take_while(|line| belongs(line))
        .count();
    &lines[first..first + length]
}

struct Reader<'t, 'f> {
    text: &'t str,
    formulas: &'f mut Formulas,
    document: Document,
}

impl Reader<'_, '_> {
    /// Reads what begins at this line, and says with which line to go on.
    fn line(&mut self, lines: &[Line<'_>], number: usize) -> usize {
        let line = lines[number];
        let bare = line.text.trim_start();
        if line.is_blank() {
            self.document.end_paragraph();
            return number + 1;
        }
        if let Some(directive) = bare.strip_prefix(".. ") {
            let body = block(lines, number + 1, line.indent());
            return match directive.split_once("::") {
                Some(("math", argument)) => {
                    self.equations(line, argument, body);
                    number + 1 + body.len()
                }
                // The text of other directives, such as notes, is text of the document; an
                // argument that is no name of a file is, too.
                Some((name, argument)) if !is_code(name) => {
                    if name != "figure" {
                        self.inline(line.from(argument));
                    }
                    number + 1
                }
                Some(_) => number + 1 + body.len(),
                // A footnote; all else is a comment.
                None if directive.starts_with('[') => {
                    self.inline(line.from(directive));
                    number + 1
                }
                None => number + 1 + body.len(),
            };
        }
        if let Some(below) = lines.get(number + 1)
            && is_underline(below.text)
            && !is_underline(line.text)
        {
            self.document.end_paragraph();
            self.document.heading(bare, line.at);
            // The formulas of a title are formulas, too; its text is said once.
            let document = std::mem::take(&mut self.document);
            self.inline(line);
            let title = std::mem::replace(&mut self.document, document);
            self.document.take_formulas(title);
            self.document.end_paragraph();
            return number + 2;
        }
        if is_underline(line.text) {
            return number + 1;
        }
        let last = number + paragraph(&lines[number..]);
        let end = lines[last].at + lines[last].text.len();
        self.inline(Line {
            at: line.at,
            text: &self.text[line.at..end],
        });
        if lines[last].text.ends_with("::") {
            let code = block(lines, last + 1, line.indent());
            return last + 1 + code.len();
        }
        last + 1
    }

    /// A directive `math`: an argument, options, and equations between empty lines.
    fn equations(&mut self, line: Line<'_>, argument: &str, body: &[Line<'_>]) {
        let mut equation = argument.trim().to_owned();
        let mut at = line.at + line.indent();
        let mut label = None;
        for line in body {
            let bare = line.text.trim();
            if let Some(option) = bare.strip_prefix(':').and_then(|t| t.split_once(':')) {
                if option.0 == "label" || option.0 == "name" {
                    label = Some(option.1.trim().to_owned());
                }
                continue;
            }
            if bare.is_empty() {
                self.equation(&mut equation, at);
                continue;
            }
            if equation.is_empty() {
                at = line.at + line.indent();
            } else {
                equation.push('\n');
            }
            equation.push_str(bare);
        }
        self.equation(&mut equation, at);
        if let Some(formula) = self.document.last_formula().filter(|_| label.is_some()) {
            formula.label = label;
        }
    }

    fn equation(&mut self, equation: &mut String, at: usize) {
        let latex = std::mem::take(equation);
        // Sphinx sets lines that are broken one below the other.
        let is_broken = latex.contains(r"\\") && !latex.contains(r"\begin");
        let latex = if is_broken {
            format!(r"\begin{{aligned}}{latex}\end{{aligned}}")
        } else {
            latex
        };
        self.formulas.add(&mut self.document, &latex, true, at);
    }

    /// Text with roles in it.
    fn inline(&mut self, line: Line<'_>) {
        let mut rest = line.text;
        while let Some(start) = rest.find([':', '`']) {
            self.document.text(&rest[..start]);
            let place = line.at + line.text.len() - rest.len() + start;
            rest = &rest[start..];
            let role = rest.strip_prefix(":math:`");
            let literal = rest.strip_prefix("``");
            let length = if let Some(length) = role.and_then(|role| role.find('`')) {
                let latex = &rest[":math:`".len()..":math:`".len() + length];
                // In a role's text a backslash is itself only where it is doubled, or where
                // the role is math.
                self.formulas.add(&mut self.document, latex, false, place);
                ":math:`".len() + length + 1
            } else if let Some(length) = literal.and_then(|text| text.find("``")) {
                length + 4
            } else {
                self.document.text(&rest[..1]);
                1
            };
            rest = &rest[length..];
        }
        self.document.text(rest);
        self.document.text(" ");
    }
}

/// How many further lines belong to the paragraph that begins with the first of these: a role may
/// go on in the next line.
fn paragraph(lines: &[Line<'_>]) -> usize {
    let goes_on = |pair: &&[Line<'_>]| {
        let (line, next) = (pair[0], pair[1]);
        let begins = next.text.trim_start().starts_with(".. ");
        !line.text.ends_with("::") && !next.is_blank() && !begins && !is_underline(next.text)
    };
    // A line above an underline is a title.
    let is_title = |at: usize| {
        lines
            .get(at + 1)
            .is_some_and(|below| is_underline(below.text))
    };
    let further = lines.windows(2).take_while(goes_on).count();
    if further > 0 && is_title(further) {
        further - 1
    } else {
        further
    }
}

/// Directives that hold text that is no prose.
fn is_code(name: &str) -> bool {
    matches!(
        name,
        "code"
            | "code-block"
            | "sourcecode"
            | "literalinclude"
            | "highlight"
            | "raw"
            | "toctree"
            | "image"
            | "include"
            | "comment"
            | "csv-table"
            | "plot"
            | "ipython"
            | "doctest"
            | "testcode"
            | "testsetup"
            | "graphviz"
            | "tikz"
    ) || name.starts_with("auto")
}

/// A line of one mark of punctuation, as it stands below a title.
fn is_underline(text: &str) -> bool {
    let mut chars = text.trim_end().chars();
    let Some(first) = chars.next() else {
        return false;
    };
    first.is_ascii_punctuation() && text.trim_end().len() >= 3 && chars.all(|c| c == first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_and_directives_hold_formulas_and_code_does_not() {
        let text = "Heat\n====\n\nThe law :math:`u_t = \\alpha u_{xx}` holds.\n\n.. math::\n   :label: heat\n\n   u_t = 1\n\n   v = 2 \\\\\n   w = 3\n\nCode::\n\n    :math:`x`\n\n.. code-block:: python\n\n   :math:`y`\n\nSee ``:math:`z```.\n\n.. math:: a=b\n\nSo :math:`c =\nd` is\nNext :math:`t`\n--------------\n\n.. note:: See :math:`n`\n\n.. [1] Foot :math:`f`\n\n.. figure:: a.png\n\n   Cap :math:`c`\n";
        let document = read(text, &mut Formulas::default());
        let found: Vec<&str> = document.formulas().map(|f| f.latex.as_str()).collect();
        assert_eq!(
            found,
            [
                r"u_t = \alpha u_{xx}",
                "u_t = 1",
                "\\begin{aligned}v = 2 \\\\ w = 3\\end{aligned}",
                "a=b",
                "c = d",
                "t",
                "n",
                "f",
                "c"
            ]
        );
        assert!(text[document.formulas().nth(1).unwrap().at..].starts_with("u_t = 1"));
        let heading = super::super::Heading {
            title: "Heat".to_owned(),
            at: 0,
        };
        assert_eq!(document.parts[0], super::super::Part::Heading(heading));
    }
}
