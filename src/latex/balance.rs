//! Balance: braces, `\left` and environments, closed where they are open.

use super::scan::{split_braced, split_token};

/// A group that is open in a formula.
#[derive(Clone, Copy, PartialEq)]
enum OpenGroup<'a> {
    Brace,
    Left,
    Environment(&'a str),
}

impl OpenGroup<'_> {
    /// The text that closes it.
    fn closing(self) -> String {
        match self {
            OpenGroup::Brace => "}".to_owned(),
            OpenGroup::Left => r"\right.".to_owned(),
            OpenGroup::Environment(name) => format!(r"\end{{{name}}}"),
        }
    }
}

/// Closes open groups, and removes ends of groups that are not open.
pub(super) fn balanced(text: &str) -> String {
    let mut balancer = Balancer::read(text);
    let closing = balancer.closing();
    balancer.out.push_str(&closing);
    balancer.out
}

/// The text that closes all groups that are open at the end of `text`, innermost first.
pub(super) fn closing(text: &str) -> String {
    Balancer::read(text).closing()
}

/// Copies a formula, and keeps track of its open groups.
struct Balancer<'a> {
    out: String,
    /// The open groups, innermost last.
    open: Vec<OpenGroup<'a>>,
}

impl<'a> Balancer<'a> {
    /// Copies all of `text`; where a group ends, the groups that are open within it are closed first.
    fn read(text: &'a str) -> Self {
        let mut balancer = Balancer {
            out: String::with_capacity(text.len() + 16),
            open: Vec::new(),
        };
        let mut rest = text;
        while let Some((token, after)) = split_token(rest) {
            rest = balancer.token(token, after);
        }
        balancer
    }

    /// Copies one token, with the name if it begins or ends an environment; returns the rest.
    fn token(&mut self, token: &'a str, after: &'a str) -> &'a str {
        match token {
            "{" => self.open.push(OpenGroup::Brace),
            r"\left" => self.open.push(OpenGroup::Left),
            "}" if !self.close(OpenGroup::Brace) => return after,
            r"\right" if !self.close(OpenGroup::Left) => self.out.push_str(r"\left."),
            r"\begin" | r"\end" => {
                if let Some((name, after)) = split_braced(after) {
                    self.environment(token, name);
                    return after;
                }
            }
            _ => {}
        }
        self.out.push_str(token);
        after
    }

    /// Copies the beginning of an environment, or its end where it is open.
    fn environment(&mut self, token: &str, name: &'a str) {
        let environment = OpenGroup::Environment(name);
        if token == r"\begin" {
            self.open.push(environment);
            self.out.push_str(&format!(r"\begin{{{name}}}"));
        } else if self.close(environment) {
            self.out.push_str(&environment.closing());
        }
    }

    /// Closes all groups within the innermost open `wanted`, which the caller closes.
    /// Returns `false` and changes nothing if no `wanted` is open.
    fn close(&mut self, wanted: OpenGroup) -> bool {
        let Some(at) = self.open.iter().rposition(|open| *open == wanted) else {
            return false;
        };
        for within in self.open.drain(at..).skip(1).rev() {
            self.out.push_str(&within.closing());
        }
        true
    }

    /// The text that closes all open groups.
    fn closing(&self) -> String {
        self.open.iter().rev().map(|open| open.closing()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_open_is_closed() {
        assert_eq!(balanced(r"\frac{a}{b"), r"\frac{a}{b}");
        assert_eq!(balanced(r"a}+b"), "a+b");
        assert_eq!(balanced(r"\left(a"), r"\left(a\right.");
        assert_eq!(balanced(r"a\right)"), r"a\left.\right)");
        assert_eq!(
            balanced(r"\begin{matrix}\left(a{b\end{matrix}"),
            r"\begin{matrix}\left(a{b}\right.\end{matrix}"
        );
        assert_eq!(balanced(r"\{a\}"), r"\{a\}");
    }

    #[test]
    fn what_closes_is_innermost_first() {
        assert_eq!(
            closing(r"\left(\begin{matrix}{a}{b"),
            r"}\end{matrix}\right."
        );
        assert_eq!(closing(r"{\left(a}"), "");
    }
}
