//! Cleaning: what people write around LaTeX, turned into what is drawn.
//!
//! Formula collections hold HTML entities, labels, plain-TeX matrices and
//! numbered environments. Each has one plain equivalent; nothing here guesses.

use super::balance::token_length;
use super::entities::entities;
use super::environment::{column_spec, environment};

/// Plain-TeX matrices nest no deeper than this in anything real.
const MOST_NESTED: usize = 24;

/// `source` with everything replaced that the parser need not know.
pub(super) fn clean(source: &str) -> String {
    let text = entities(source);
    let text = unwrapped(&text);
    let text: String = text
        .chars()
        .filter(|c| !c.is_control() || c.is_whitespace())
        .collect();
    if !text.contains('\\') {
        return text;
    }
    let mut cleaner = Cleaner::new(&text, 0);
    cleaner.run();
    while cleaner.out.ends_with(r"\ ") && !cleaner.out.ends_with(r"\\ ") {
        cleaner.out.truncate(cleaner.out.len() - 2);
    }
    match cleaner.breaks_line {
        true => format!(r"\begin{{gathered}}{}\end{{gathered}}", cleaner.out),
        false => cleaner.out,
    }
}

/// The formula without the dollars around it.
fn unwrapped(text: &str) -> &str {
    let text = text.trim();
    for wrap in ["$$", "$"] {
        let inner = text.strip_prefix(wrap).and_then(|t| t.strip_suffix(wrap));
        if let Some(inner) = inner.filter(|inner| !inner.contains('$')) {
            return inner.trim();
        }
    }
    text
}

/// Rewrites a formula command by command.
struct Cleaner<'a> {
    text: &'a str,
    at: usize,
    out: String,
    /// Environments and groups that are open here.
    open: usize,
    /// Plain-TeX matrices around this text.
    nested: usize,
    /// Whether a line is broken outside every environment.
    breaks_line: bool,
}

impl<'a> Cleaner<'a> {
    fn new(text: &'a str, nested: usize) -> Self {
        Cleaner {
            text,
            at: 0,
            out: String::with_capacity(text.len() + 16),
            open: 0,
            nested,
            breaks_line: false,
        }
    }

    fn run(&mut self) {
        while let Some(c) = self.text[self.at..].chars().next() {
            if c == '\\' {
                self.command();
                continue;
            }
            match c {
                '{' => self.open += 1,
                '}' => self.open = self.open.saturating_sub(1),
                _ => {}
            }
            self.out.push(c);
            self.at += c.len_utf8();
        }
    }

    /// The name of the command at `at`, without its backslash.
    fn name(&self) -> &'a str {
        let rest = &self.text[self.at + 1..];
        let letters = rest
            .find(|c: char| !c.is_ascii_alphabetic() && c != '@')
            .unwrap_or(rest.len());
        match letters {
            0 => &rest[..rest.chars().next().map_or(0, char::len_utf8)],
            _ => &rest[..letters],
        }
    }

    fn command(&mut self) {
        let start = self.at;
        let name = self.name();
        self.at += 1 + name.len();
        match name {
            "label" | "require" | "tag" | "vspace" | "mspace" | "hypersetup" => {
                self.skip('*');
                self.skip_group();
            }
            "ref" | "pageref" if self.skip_group() => self.out.push_str(r"\text{??}"),
            "eqref" if self.skip_group() => self.out.push_str(r"(\text{??})"),
            "cite" | "citep" | "citet" if self.skip_group() => self.out.push_str(r"[\text{?}]"),
            "mbox" => self.out.push_str(r"\text"),
            "cr" => self.line_break(),
            "\\" => self.line_break(),
            "begin" => self.begin(),
            "end" => self.end(),
            "matrix" | "pmatrix" | "cases" | "array" => self.plain_tex(name, start),
            "eqalign" | "eqalignno" | "displaylines" => self.plain_tex("aligned", start),
            "root" => self.root(start),
            "buildrel" => self.buildrel(start),
            "raise" | "lower" => self.skip_until(['\\', '{']),
            "skew" => {
                self.skip_group();
                let accent = self.group().unwrap_or_default();
                self.out.push_str(accent);
            }
            "DeclareMathOperator" => self.declare_operator(start),
            "mathbfit" => self.out.push_str(r"\boldsymbol"),
            "mathbfcal" => self.out.push_str(r"\mathcal"),
            "iddots" => self.out.push('⋰'),
            "<" => self.out.push_str(r"\langle "),
            ">" if self.text.contains(r"\<") => self.out.push_str(r"\rangle "),
            "" | "[" | "]" | "(" | ")" | "/" | "-" | "mit" | "strut" | "hfil" | "hfill"
            | "displaylimits" | "noindent" | "bgroup" | "egroup" | "@" => {}
            _ if is_sizing(name) => {
                self.out.push_str(&self.text[start..self.at]);
                self.unwrap_delimiter();
            }
            _ => self.out.push_str(&self.text[start..self.at]),
        }
    }

    fn line_break(&mut self) {
        self.breaks_line |= self.open == 0 && self.nested == 0;
        self.out.push_str(r"\\");
    }

    fn skip(&mut self, c: char) {
        if self.text[self.at..].starts_with(c) {
            self.at += c.len_utf8();
        }
    }

    fn skip_spaces(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    fn skip_until(&mut self, stops: [char; 2]) {
        let rest = &self.text[self.at..];
        self.at += rest.find(stops).unwrap_or(rest.len());
    }

    /// The inside of the braces that follow, which are passed over.
    fn group(&mut self) -> Option<&'a str> {
        let rest = self.text[self.at..].trim_start();
        let inner = braced(rest)?;
        self.at = self.text.len() - rest.len() + inner.len() + 2;
        Some(inner)
    }

    fn skip_group(&mut self) -> bool {
        self.group().is_some()
    }

    fn begin(&mut self) {
        let Some(name) = self.group() else {
            self.out.push_str(r"\begin");
            return;
        };
        self.open += 1;
        let columns = match name.trim() {
            "array" | "tabular" | "darray" => {
                self.skip_optional();
                self.group().map(column_spec)
            }
            "IEEEeqnarray" | "IEEEeqnarray*" => {
                self.group().map(|spec| column_spec(&spec.to_lowercase()))
            }
            "eqnarray" | "eqnarray*" => Some("rcl".to_owned()),
            _ => None,
        };
        if let Some(name) = environment(name.trim()) {
            self.out.push_str(&format!(r"\begin{{{name}}}"));
            if let Some(columns) = columns {
                self.out.push_str(&format!("{{{columns}}}"));
            }
        }
    }

    fn end(&mut self) {
        let Some(name) = self.group() else {
            self.out.push_str(r"\end");
            return;
        };
        self.open = self.open.saturating_sub(1);
        if let Some(name) = environment(name.trim()) {
            self.out.push_str(&format!(r"\end{{{name}}}"));
        }
    }

    fn skip_optional(&mut self) {
        let rest = self.text[self.at..].trim_start();
        if rest.starts_with('[')
            && let Some(end) = rest.find(']')
        {
            self.at = self.text.len() - rest.len() + end + 1;
        }
    }

    /// `\matrix{a & b \cr c & d}` and its kin as environments.
    fn plain_tex(&mut self, name: &str, start: usize) {
        let body = match self.nested < MOST_NESTED {
            true => self.group(),
            false => None,
        };
        let Some(body) = body else {
            self.out.push_str(&self.text[start..self.at]);
            return;
        };
        let mut inner = Cleaner::new(body, self.nested + 1);
        inner.run();
        let name = if name == "array" { "matrix" } else { name };
        self.out
            .push_str(&format!(r"\begin{{{name}}}{}\end{{{name}}}", inner.out));
    }

    /// `\root n \of x` as `\sqrt[n]x`.
    fn root(&mut self, start: usize) {
        match find_command(&self.text[self.at..], r"\of") {
            Some(of) => {
                let index = self.text[self.at..self.at + of].trim();
                self.out.push_str(&format!(r"\sqrt[{{{index}}}]"));
                self.at += of + r"\of".len();
                self.skip_spaces();
            }
            None => match self.group() {
                Some(index) => self.out.push_str(&format!(r"\sqrt[{{{index}}}]")),
                None => self.out.push_str(&self.text[start..self.at]),
            },
        }
    }

    /// `\buildrel a \over =` as `\overset{a}=`.
    fn buildrel(&mut self, start: usize) {
        match find_command(&self.text[self.at..], r"\over") {
            Some(over) => {
                let above = self.text[self.at..self.at + over].trim();
                self.out.push_str(&format!(r"\overset{{{above}}}"));
                self.at += over + r"\over".len();
                self.skip_spaces();
            }
            None => self.out.push_str(&self.text[start..self.at]),
        }
    }

    fn declare_operator(&mut self, start: usize) {
        self.skip('*');
        match (self.group(), self.group()) {
            (Some(command), Some(name)) => {
                let name = format!(r"\newcommand{{{command}}}{{\operatorname{{{name}}}}}");
                self.out.push_str(&name);
            }
            _ => self.out.push_str(&self.text[start..self.at]),
        }
    }

    /// `\Big{(}` as `\Big(`.
    fn unwrap_delimiter(&mut self) {
        let before = self.at;
        match self.group() {
            Some(inner) if inner.trim().len() <= r"\rightarrow".len() => {
                self.out.push_str(inner.trim());
                self.out.push(' ');
            }
            _ => self.at = before,
        }
    }
}

/// Where a command stands in `text`, outside of braces.
fn find_command(text: &str, command: &str) -> Option<usize> {
    let mut depth = 0i32;
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let token = &text[at..at + token_length(&text[at..], c)];
        match token {
            "{" => depth += 1,
            "}" => depth -= 1,
            _ if token == command && depth == 0 => return Some(at),
            _ => {}
        }
        at += token.len();
    }
    None
}

/// The inside of the braces with which `text` begins.
pub(super) fn braced(text: &str) -> Option<&str> {
    let mut depth = 0;
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return if at == 0 { None } else { Some(&text[1..at]) };
        }
    }
    None
}

fn is_sizing(name: &str) -> bool {
    let name = name.strip_suffix(['l', 'r', 'm']).unwrap_or(name);
    matches!(name, "big" | "Big" | "bigg" | "Bigg")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_spellings_become_plain_latex() {
        let cases = [
            ("a &lt; b &amp;&#38; c", "a < b && c"),
            ("$$ x $$", "x"),
            (r"x \label{eq:1} \tag*{2}", "x  "),
            (r"x=b \", "x=b "),
            (r"x\ \ \", "x"),
            (r"\mbox{if }x", r"\text{if }x"),
            (r"\Big{(}x\Big{)}", r"\Big( x\Big) "),
            (r"\root 3 \of {x+1}", r"\sqrt[{3}]{x+1}"),
            (
                r"a \buildrel\oplus\over\subset b",
                r"a \overset{\oplus}\subset b",
            ),
            (r"\buildrel\overline{x}\over =", r"\overset{\overline{x}}="),
            (
                r"\pmatrix{a & b \cr c & d}",
                r"\begin{pmatrix}a & b \\ c & d\end{pmatrix}",
            ),
            (
                r"\begin{eqnarray}a&=&b\end{eqnarray}",
                r"\begin{array}{rcl}a&=&b\end{array}",
            ),
            (r"\begin{align}a\end{align}", r"\begin{align*}a\end{align*}"),
            (
                r"\begin{array} [c]{*{3}c|@{\ }l} a",
                r"\begin{array}{ccc|l} a",
            ),
            (r"a \\ b", r"\begin{gathered}a \\ b\end{gathered}"),
            (
                r"\begin{matrix}a\\b\end{matrix}",
                r"\begin{matrix}a\\b\end{matrix}",
            ),
            (
                r"\DeclareMathOperator{\tr}{tr}\tr A",
                r"\newcommand{\tr}{\operatorname{tr}}\tr A",
            ),
        ];
        for (source, expected) in cases {
            assert_eq!(clean(source), expected, "{source}");
        }
    }
}
