//! LaTeX: `$`, `\(`, `\[` and the environments of mathematics, with the macros of the document.

mod body;

use crate::latex::MAX_LATEX_BYTES;
use crate::latex::macros::{Expander, Kind, Macros, Mode, Token, push_source, source};

use super::{Document, FoundFormula};
use body::Body;

/// The environments whose content is a formula. Those that number their lines have a starred
/// form that does not.
const MATH: [&str; 19] = [
    "math",
    "displaymath",
    "equation",
    "align",
    "alignat",
    "flalign",
    "gather",
    "multline",
    "eqnarray",
    "xalignat",
    "xxalignat",
    "IEEEeqnarray",
    "dmath",
    "dgroup",
    "darray",
    "empheq",
    "numcases",
    "subnumcases",
    "tikzcd",
];

/// The environments whose content is not LaTeX, or is not printed.
const VERBATIM: [&str; 14] = [
    "verbatim",
    "Verbatim",
    "BVerbatim",
    "LVerbatim",
    "lstlisting",
    "semiverbatim",
    "minted",
    "comment",
    "alltt",
    "filecontents",
    "asy",
    "asydef",
    "luacode",
    "sagesilent",
];

/// The commands that take text between bars, as `\verb` does.
const INLINE_VERBATIM: [&str; 4] = ["verb", "lstinline", "mintinline", "Verb"];

/// The commands whose argument is no prose, and is passed over.
const SILENT: [&str; 23] = [
    "label",
    "ref",
    "eqref",
    "pageref",
    "cref",
    "Cref",
    "autoref",
    "cite",
    "citep",
    "citet",
    "url",
    "href",
    "nolinkurl",
    "path",
    "index",
    "bibliography",
    "bibliographystyle",
    "usetikzlibrary",
    "input@path",
    "graphicspath",
    "includegraphics",
    "hypersetup",
    "pagestyle",
];

/// The commands that begin a section.
const HEADINGS: [&str; 8] = [
    "title",
    "part",
    "chapter",
    "section",
    "subsection",
    "subsubsection",
    "paragraph",
    "subparagraph",
];

/// What a document asks for besides its own text.
pub(crate) trait Inclusions {
    /// Whether the text is that of a package, in which `@` is a letter.
    fn is_package(&self) -> bool {
        false
    }

    /// Reads the file that `\input`, `\include` or `\usepackage` names, where it may be read.
    fn include(&mut self, command: &str, name: &str, macros: &mut Macros);
}

/// No other file is read.
impl Inclusions for () {
    fn include(&mut self, _command: &str, _name: &str, _macros: &mut Macros) {}
}

/// Reads LaTeX with these macros, and adds those that it defines.
pub(crate) fn read(text: &str, macros: &mut Macros, files: &mut dyn Inclusions) -> Document {
    let mut expander = Expander::new(text, macros);
    if let Some(lexer) = expander.text() {
        lexer.at_is_letter = files.is_package();
    }
    let mut reader = Reader {
        expander,
        files,
        document: Document::default(),
    };
    reader.run();
    let mut document = reader.document;
    for name in reader.expander.endless {
        document.problem(
            0,
            format!("\\{name} calls itself without end, and is not replaced"),
        );
    }
    document
}

/// Whether an environment holds a formula.
pub(super) fn is_math_environment(name: &str) -> bool {
    MATH.contains(&name.trim_end_matches('*'))
}

/// A formula with its macros replaced, and the label in it.
pub(super) fn read_formula(latex: &str, macros: &mut Macros) -> (String, Option<String>) {
    let mut expander = Expander::new(latex, macros);
    expander.mode = Mode::Display;
    let mut body = Body::default();
    while let Some(token) = expander.next() {
        match token.name() {
            Some("label") => body.label = expander.text_argument().map(|label| label.to_string()),
            _ => body.push(&token.kind),
        }
    }
    (body.latex.trim().to_owned(), body.label)
}

struct Reader<'t, 'm> {
    expander: Expander<'t, 'm>,
    files: &'m mut dyn Inclusions,
    document: Document,
}

/// With what a formula ends.
#[derive(Debug, Clone, PartialEq, Eq)]
enum End {
    Dollar,
    TwoDollars,
    Command(&'static str),
    Environment(String),
}

impl End {
    fn is_display(&self) -> bool {
        !matches!(self, End::Dollar | End::Command(")"))
            && !matches!(self, End::Environment(name) if name == "math")
    }

    /// Whether an empty line shows that the end is missing.
    fn ends_with_paragraph(&self) -> bool {
        !matches!(self, End::Environment(_))
    }
}

impl Reader<'_, '_> {
    fn run(&mut self) {
        while let Some(token) = self.expander.next() {
            match &token.kind {
                Kind::Dollar => self.dollar(token.at),
                Kind::Command(name) => {
                    let name = name.clone();
                    if name.as_ref() == "end" && self.ends_document() {
                        return;
                    }
                    self.command(&name, token.at);
                }
                Kind::Paragraph => self.document.end_paragraph(),
                Kind::Begin | Kind::End => {}
                Kind::Char('~') => self.document.text(" "),
                kind => {
                    let mut text = String::new();
                    push_source(&mut text, kind);
                    self.document.text(&text);
                }
            }
        }
    }

    fn ends_document(&mut self) -> bool {
        let name = self.expander.text_argument();
        name.as_deref() == Some("document")
    }

    fn dollar(&mut self, at: usize) {
        let end = match self.expander.raw() {
            Some(token) if token.kind == Kind::Dollar => End::TwoDollars,
            Some(token) => {
                self.expander.unread(token);
                End::Dollar
            }
            None => return self.document.problem(at, "a $ that nothing follows"),
        };
        self.formula(at, end);
    }

    fn command(&mut self, name: &str, at: usize) {
        match name {
            "(" => self.formula(at, End::Command(")")),
            "[" => self.formula(at, End::Command("]")),
            "begin" => self.begin(at),
            "input" | "include" | "subfile" | "usepackage" | "RequirePackage" | "documentclass"
            | "LoadClass" => self.include(name),
            "par" => self.document.end_paragraph(),
            "\\" | "newline" | " " | "\n" | "quad" | "qquad" | "," => self.document.text(" "),
            "$" | "%" | "&" | "#" | "_" | "{" | "}" => self.document.text(name),
            "endinput" => {
                if let Some(text) = self.expander.text() {
                    let rest = text.rest().len();
                    text.skip(rest);
                }
            }
            _ if INLINE_VERBATIM.contains(&name) => self.skip_verb(),
            _ if HEADINGS.contains(&name) => self.section(at),
            _ if SILENT.contains(&name) => {
                self.expander.between('[', ']');
                self.expander.argument();
            }
            _ => {}
        }
    }

    /// The title of a section is a heading, and its formulas are formulas.
    fn section(&mut self, at: usize) {
        self.expander.between('[', ']');
        let title = self.expander.argument().or_else(|| {
            // The star of \section*.
            self.expander.next();
            self.expander.argument()
        });
        if let Some(mut title) = title {
            if title.len() == 1 && title[0].is_char('*') {
                title = self.expander.argument().unwrap_or_default();
            }
            self.document.end_paragraph();
            self.document.heading(&source(&title), at);
            let end = Token::new(Kind::Paragraph, 0);
            self.expander.unread(end);
            self.expander.unread_all(title);
        }
    }

    fn include(&mut self, command: &str) {
        self.expander.between('[', ']');
        // TeX's own \input goes without braces.
        let name = match self.expander.argument() {
            Some(tokens) if tokens.len() == 1 && command == "input" => {
                let mut name = source(&tokens);
                while let Some(token) = self.expander.next() {
                    match token.kind {
                        Kind::Char(c) => name.push(c),
                        _ => {
                            self.expander.unread(token);
                            break;
                        }
                    }
                }
                name
            }
            Some(tokens) => source(&tokens),
            None => return,
        };
        for name in name.split(',') {
            self.files
                .include(command, name.trim(), self.expander.macros());
        }
    }

    /// `\verb|…|`: whatever stands between two equal characters.
    fn skip_verb(&mut self) {
        let Some(text) = self.expander.text() else {
            return;
        };
        let rest = text.rest().trim_start_matches('*');
        let Some(bar) = rest.chars().next() else {
            return;
        };
        let after = &rest[bar.len_utf8()..];
        let line = after.split('\n').next().unwrap_or_default();
        if let Some(end) = line.find(bar) {
            let start = text.rest().len() - after.len();
            text.skip(start + end + bar.len_utf8());
        }
    }

    fn begin(&mut self, at: usize) {
        let Some(name) = self.expander.text_argument() else {
            return;
        };
        let bare = name.trim_end_matches('*');
        if is_math_environment(&name) {
            self.formula(at, End::Environment(name.to_string()));
        } else if VERBATIM.contains(&bare) {
            let end = format!("\\end{{{name}}}");
            if let Some(text) = self.expander.text() {
                let rest = text.rest();
                let length = rest
                    .find(&end)
                    .map_or(rest.len(), |place| place + end.len());
                text.skip(length);
            }
        }
    }

    /// Reads a formula to its end. One whose end is missing is reported, and what it held is
    /// passed over. A dollar in the description of a table's columns is none.
    fn formula(&mut self, at: usize, end: End) {
        self.expander.mode = if end.is_display() {
            Mode::Display
        } else {
            Mode::Inline
        };
        let mut body = Body::default();
        let ended = self.body(&end, &mut body);
        self.expander.mode = Mode::Text;
        match ended {
            Err(reason) if reason.is_empty() => return,
            Err(reason) => return self.document.problem(at, reason),
            Ok(()) => {}
        }
        let latex = match &end {
            End::Environment(name) if !is_wrapper(name) => {
                format!(r"\begin{{{name}}}{}\end{{{name}}}", body.latex)
            }
            _ => body.latex.trim().to_owned(),
        };
        self.document.formula(FoundFormula {
            latex,
            is_display: end.is_display(),
            label: body.label,
            id: None,
            at,
            row_starts: body.row_starts,
            is_row: false,
        });
    }

    fn body(&mut self, end: &End, body: &mut Body) -> Result<(), String> {
        let mut is_long = false;
        while let Some(token) = self.expander.next() {
            if body.groups.is_empty() && self.is_end(end, &token) {
                return if is_long { Err(too_long()) } else { Ok(()) };
            }
            if *end == End::Dollar && token.kind == Kind::End && body.groups.is_empty() {
                // >{$}c<{$}
                self.expander.unread(token);
                return Err(String::new());
            }
            body.note_row(&token);
            match &token.kind {
                Kind::Paragraph if end.ends_with_paragraph() => {
                    self.expander.unread(token);
                    return Err("a formula that its paragraph does not end".to_owned());
                }
                Kind::Paragraph => body.push(&Kind::Space),
                Kind::Command(name) if name.as_ref() == "label" => {
                    body.label = self.expander.text_argument().map(|label| label.to_string());
                }
                Kind::Command(name) if matches!(name.as_ref(), "intertext" | "shortintertext") => {
                    self.expander.argument();
                }
                kind => body.push(kind),
            }
            self.expander.mode = match (body.is_math(), end.is_display()) {
                (false, _) => Mode::Text,
                (true, true) => Mode::Display,
                (true, false) => Mode::Inline,
            };
            if body.latex.len() > MAX_LATEX_BYTES {
                // What follows is read to its end, and not kept.
                is_long = true;
                body.latex.clear();
            }
        }
        Err(if is_long {
            too_long()
        } else {
            "a formula that the file does not end".to_owned()
        })
    }

    /// Whether this token ends the formula; takes what else belongs to its end.
    fn is_end(&mut self, end: &End, token: &Token) -> bool {
        match end {
            End::Dollar => token.kind == Kind::Dollar,
            End::Command(command) => token.name() == Some(command),
            End::TwoDollars if token.kind == Kind::Dollar => {
                // A single dollar within $$ is an error that TeX passes over.
                let next = self.expander.raw();
                let is_second = next.as_ref().is_some_and(|next| next.kind == Kind::Dollar);
                if let Some(next) = next.filter(|_| !is_second) {
                    self.expander.unread(next);
                }
                is_second
            }
            End::TwoDollars => false,
            End::Environment(name) => {
                if token.name() == Some("begin") || token.name() == Some("end") {
                    let argument = self.expander.argument().unwrap_or_default();
                    let named = source(&argument);
                    if token.name() == Some("end") && named == *name {
                        return true;
                    }
                    self.expander.unread(Token::new(Kind::End, token.at));
                    self.expander.unread_all(argument);
                    self.expander.unread(Token::new(Kind::Begin, token.at));
                }
                false
            }
        }
    }
}

fn too_long() -> String {
    format!("a formula of more than {MAX_LATEX_BYTES} bytes, which is more than is read")
}

/// The environments that only say that a formula is one.
fn is_wrapper(name: &str) -> bool {
    matches!(
        name.trim_end_matches('*'),
        "math" | "displaymath" | "equation" | "dmath"
    )
}

#[cfg(test)]
mod tests {
    use super::super::Part;
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let document = read(text, &mut Macros::default(), &mut ());
        document.formulas().map(|f| f.latex.clone()).collect()
    }

    #[test]
    fn mathematics_is_found_and_the_rest_is_left_alone() {
        for (text, expected) in [
            (r"Let $x$ and \(y\) be.", vec!["x", "y"]),
            (r"\[a\] $$b$$", vec!["a", "b"]),
            ("$a % $ not yet\n+b$", vec!["a +b"]),
            (r"it costs \$5 % $x$", vec![]),
            (r"\verb|$x$| \begin{verbatim}$y$\end{verbatim}", vec![]),
            (r"\begin{comment}$x$\end{comment}$y$", vec!["y"]),
            (r"\iffalse $x$ \fi $y$", vec!["y"]),
            (
                r"\begin{align}\label{e} a&=b\\ c&=d\end{align}",
                vec![r"\begin{align} a&=b\\ c&=d\end{align}"],
            ),
            (r"\begin{equation*}a\end{equation*}", vec!["a"]),
            (r"$a \text{ if $b$} c$", vec![r"a \text{ if $b$} c"]),
            (
                r"\newcommand{\R}{\ensuremath{\mathbb R}}\R and $\R^n$",
                vec![r"\mathbb R", r"\mathbb R^n"],
            ),
            (r"\section{On $x$} $y$", vec!["x", "y"]),
            ("$never closed\n\nbut $x$", vec!["x"]),
            (r"$a$\end{document}$b$", vec!["a"]),
            (
                r"\newcolumntype{C}{>{$}c<{$}} Text $x$ and $y$.",
                vec!["x", "y"],
            ),
            (
                r"\begin{tabular}{>{$}c<{$}} a \end{tabular} $x$ $y$",
                vec!["x", "y"],
            ),
            (r"\def\r{a\r b}$x\r y$ and $b$ $c$", vec!["b", "c"]),
            (r"\href{http://a/$n$}{$x$}", vec!["x"]),
            (r"$a\text{ for \(b\)}$", vec![r"a\text{ for $b$}"]),
        ] {
            assert_eq!(found(text), expected, "{text}");
        }
    }

    #[test]
    fn labels_and_titles_are_kept() {
        let text = "\\section{Heat}\nSo \\begin{equation}\\label{eq:h}u_t\\end{equation}";
        let document = read(text, &mut Macros::default(), &mut ());
        let is_heat =
            |part: &Part| matches!(part, Part::Heading(heading) if heading.title == "Heat");
        assert!(is_heat(&document.parts[0]));
        let formula = document.formulas().next().unwrap();
        assert_eq!(formula.label.as_deref(), Some("eq:h"));
        assert!(formula.is_display && text[formula.at..].starts_with("\\begin{equation}"));
    }
}
