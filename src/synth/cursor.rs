//! A place in LaTeX, and how to pass over its parts.

use crate::latex::scan::{split_braced, token};

/// A text, and how far it is read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cursor<'a> {
    text: &'a str,
    pub(super) at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Cursor { text, at: 0 }
    }

    /// The text that is still to be read.
    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// The text that was read since `start`.
    pub(super) fn since(&self, start: usize) -> &'a str {
        &self.text[start..self.at]
    }

    /// Goes to where `rest`, an end of the text, begins.
    fn go_to(&mut self, rest: &str) {
        self.at = self.text.len() - rest.len();
    }

    /// Passes over as many digits as there are.
    pub(super) fn skip_digits(&mut self) {
        self.go_to(self.rest().trim_start_matches(|c: char| c.is_ascii_digit()));
    }

    /// Passes over a command or a character, and white space before it.
    pub(super) fn skip_token(&mut self) {
        let rest = self.rest().trim_start();
        self.go_to(&rest[token(rest).len()..]);
    }

    /// Passes over the braces that follow, or the one token; says whether the
    /// braces are closed.
    pub(super) fn skip_argument(&mut self) -> bool {
        let rest = self.rest().trim_start();
        if !rest.starts_with('{') {
            self.skip_token();
            return true;
        }
        let closed = split_braced(rest);
        self.go_to(closed.map_or("", |(_, after)| after));
        closed.is_some()
    }

    /// Passes over the star of `\operatorname*`.
    pub(super) fn skip_star(&mut self) {
        if let Some(rest) = self.rest().strip_prefix('*') {
            self.go_to(rest);
        }
    }

    /// Passes over `[2pt]`.
    pub(super) fn skip_brackets(&mut self) {
        if self.rest().starts_with('[')
            && let Some(end) = self.rest().find(']')
        {
            self.at += end + 1;
        }
    }

    /// Passes over `-3.5 pt`.
    pub(super) fn skip_length(&mut self) {
        let number = |c: char| c.is_ascii_digit() || " =+-.".contains(c);
        let unit = self.rest().trim_start_matches(number);
        let end = unit.char_indices().nth(2).map_or(unit.len(), |(at, _)| at);
        self.go_to(&unit[end..]);
    }

    /// Passes over the rest of `&lt;`, if it is one.
    pub(super) fn skip_entity(&mut self) {
        let name = self.rest().trim_start_matches('#');
        let after = name.trim_start_matches(|c: char| c.is_ascii_alphanumeric());
        if after.len() < name.len()
            && let Some(rest) = after.strip_prefix(';')
        {
            self.go_to(rest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_belongs_together_is_passed_over_whole() {
        fn after(text: &'static str, skip: fn(&mut Cursor<'static>)) -> &'static str {
            let mut cursor = Cursor::new(text);
            skip(&mut cursor);
            cursor.rest()
        }
        assert_eq!(after(" {a{b} }c", |c| assert!(c.skip_argument())), "c");
        assert_eq!(after(r" \ab c", |c| assert!(c.skip_argument())), " c");
        assert_eq!(after(r"{\}", |c| assert!(!c.skip_argument())), "");
        assert_eq!(after("-3.5 pt x", Cursor::skip_length), " x");
        assert_eq!(after("2é", Cursor::skip_length), "");
        assert_eq!(after("lt;b", Cursor::skip_entity), "b");
        assert_eq!(after("#38;b", Cursor::skip_entity), "b");
        assert_eq!(after("=b;", Cursor::skip_entity), "=b;");
        assert_eq!(after("[2pt]x", Cursor::skip_brackets), "x");
    }
}
