//! Commands of plain TeX and environments of other packages, replaced by LaTeX that draws the same.

use super::clean::Cleaner;
use super::environments::{column_spec, environment};
use super::scan::find_command;

/// Plain-TeX matrices nest no deeper than this in anything real.
const MOST_NESTED: usize = 24;

impl Cleaner<'_> {
    pub(super) fn begin(&mut self) {
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

    pub(super) fn end(&mut self) {
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
    pub(super) fn plain_tex(&mut self, name: &str, start: usize) {
        let is_deep = self.nested >= MOST_NESTED;
        let Some(body) = (if is_deep { None } else { self.group() }) else {
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
    pub(super) fn root(&mut self, start: usize) {
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
    pub(super) fn buildrel(&mut self, start: usize) {
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

    pub(super) fn declare_operator(&mut self, start: usize) {
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
    pub(super) fn unwrap_delimiter(&mut self) {
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
