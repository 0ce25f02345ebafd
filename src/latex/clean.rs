//! Cleaning: markup that collections have around and within LaTeX, replaced by plain LaTeX.
//!
//! Formula collections hold HTML entities, labels, plain-TeX matrices and
//! numbered environments. Each has one plain equivalent; nothing here guesses.

use super::entities::entities;
use super::scan::{internal_command_name, split_braced};

/// Replaces everything in `source` that the parser does not know.
pub(crate) fn clean(source: &str) -> String {
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
    if cleaner.breaks_line {
        format!(r"\begin{{gathered}}{}\end{{gathered}}", cleaner.out)
    } else {
        cleaner.out
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
pub(super) struct Cleaner<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
    pub(super) out: String,
    /// Environments and groups that are open here.
    pub(super) open: usize,
    /// Plain-TeX matrices around this text.
    pub(super) nested: usize,
    /// Whether a line is broken outside every environment.
    breaks_line: bool,
}

impl<'a> Cleaner<'a> {
    pub(super) fn new(text: &'a str, nested: usize) -> Self {
        Cleaner {
            text,
            at: 0,
            out: String::with_capacity(text.len() + 16),
            open: 0,
            nested,
            breaks_line: false,
        }
    }

    pub(super) fn run(&mut self) {
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

    fn command(&mut self) {
        let start = self.at;
        let name = internal_command_name(&self.text[start..]);
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

    pub(super) fn skip(&mut self, c: char) {
        if self.text[self.at..].starts_with(c) {
            self.at += c.len_utf8();
        }
    }

    pub(super) fn skip_spaces(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    fn skip_until(&mut self, stops: [char; 2]) {
        let rest = &self.text[self.at..];
        self.at += rest.find(stops).unwrap_or(rest.len());
    }

    /// Passes over the braces that follow, and returns the text within them.
    pub(super) fn group(&mut self) -> Option<&'a str> {
        let rest = self.text[self.at..].trim_start();
        let (inner, after) = split_braced(rest)?;
        self.at = self.text.len() - after.len();
        Some(inner)
    }

    fn skip_group(&mut self) -> bool {
        self.group().is_some()
    }
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
