//! Branches: `\if … \else … \fi`, and the commands that choose between two arguments.

use super::definition::{NO_VALUE, TRUE};
use super::expand::{Expander, Mode};
use super::token::{Kind, Token, source};

/// The tests of TeX whose outcome depends on what is not followed here: they count as false.
const OTHER_TESTS: [&str; 17] = [
    "ifnum", "ifdim", "ifodd", "ifcase", "ifvmode", "ifhmode", "ifinner", "ifvoid", "ifhbox",
    "ifvbox", "ifeof", "ifpdf", "ifPDFTeX", "ifXeTeX", "ifxetex", "ifLuaTeX", "ifluatex",
];

impl Expander<'_, '_> {
    /// Follows the branch that `command` chooses, and says whether it is such a command.
    pub(super) fn branch(&mut self, command: &str) -> bool {
        if self.test(command).is_some() || self.choice(command).is_some() {
            return true;
        }
        match command {
            "else" => self.skip_branch(false),
            "fi" => {}
            _ => return false,
        }
        true
    }

    /// Tests with `\else` and `\fi`; `None` for other commands.
    fn test(&mut self, command: &str) -> Option<()> {
        let holds = match command {
            "iftrue" => true,
            "iffalse" => false,
            "ifmmode" => self.mode != Mode::Text,
            "ifx" => {
                let (a, b) = (self.raw(), self.raw());
                self.means_the_same(a, b)
            }
            "if" | "ifcat" => {
                let (a, b) = (self.unexpandable(), self.unexpandable());
                alike(a, b)
            }
            "ifdefined" => {
                let token = self.raw();
                token.is_some_and(|token| self.is_defined(&token))
            }
            other if OTHER_TESTS.contains(&other) => false,
            other => *self.macros.switches.get(other.strip_prefix("if")?)?,
        };
        if !holds {
            self.skip_branch(true);
        }
        Some(())
    }

    /// Commands that choose between arguments; `None` for other commands.
    fn choice(&mut self, command: &str) -> Option<()> {
        let (holds, branches) = match command {
            "@ifnextchar" | "kernel@ifnextchar" => return self.if_next_char(),
            "@ifstar" => {
                let branches = (self.argument()?, self.argument()?);
                let chosen = if self.flag('*') {
                    branches.0
                } else {
                    branches.1
                };
                self.unread_all(chosen);
                return Some(());
            }
            "IfBooleanTF" | "IfBooleanT" | "IfBooleanF" => {
                let argument = self.argument()?;
                let is_true = argument.first().and_then(Token::name) == Some(TRUE);
                (is_true, &command["IfBoolean".len()..])
            }
            "IfNoValueTF" | "IfNoValueT" | "IfNoValueF" => {
                (self.no_value()?, &command["IfNoValue".len()..])
            }
            "IfValueTF" | "IfValueT" | "IfValueF" => {
                (!self.no_value()?, &command["IfValue".len()..])
            }
            "ifdef" => {
                let argument = self.argument()?;
                let is_defined = argument.first().is_some_and(|token| self.is_defined(token));
                (is_defined, "TF")
            }
            "ifblank" | "ifstrempty" => {
                let argument = self.argument()?;
                (argument.iter().all(Token::is_space), "TF")
            }
            "ifstrequal" => {
                let (a, b) = (self.argument()?, self.argument()?);
                (source(&a) == source(&b), "TF")
            }
            _ => return None,
        };
        let mut branch = |letter| {
            if branches.contains(letter) {
                self.argument()
            } else {
                Some(Vec::new())
            }
        };
        let (then, otherwise) = (branch('T')?, branch('F')?);
        self.unread_all(if holds { then } else { otherwise });
        Some(())
    }

    fn no_value(&mut self) -> Option<bool> {
        let argument = self.argument()?;
        Some(argument.first().and_then(Token::name) == Some(NO_VALUE))
    }

    /// `\@ifnextchar` compares what follows its three arguments with the first.
    fn if_next_char(&mut self) -> Option<()> {
        let wanted = self.raw_after_space()?;
        let (then, otherwise) = (self.argument()?, self.argument()?);
        let next = self.raw_after_space();
        let wants_group = wanted.name() == Some("bgroup");
        let holds = next.as_ref().is_some_and(|next| {
            next.kind == wanted.kind || (wants_group && next.kind == Kind::Begin)
        });
        if let Some(next) = next {
            self.unread(next);
        }
        self.unread_all(if holds { then } else { otherwise });
        Some(())
    }

    fn is_defined(&self, token: &Token) -> bool {
        let name = token.name();
        name.is_some_and(|name| self.macros.commands.contains_key(name))
    }

    fn means_the_same(&self, a: Option<Token>, b: Option<Token>) -> bool {
        let (Some(a), Some(b)) = (a, b) else {
            return false;
        };
        let meaning = |token: &Token| {
            let name = token.name()?;
            self.macros.commands.get(name)
        };
        a.kind == b.kind || (meaning(&a).is_some() && meaning(&a) == meaning(&b))
    }

    /// Passes over a branch, to its `\fi`, or to its `\else` where that is wanted.
    fn skip_branch(&mut self, stops_at_else: bool) {
        let mut depth = 0usize;
        while let Some(token) = self.raw() {
            match token.name() {
                Some("fi") if depth == 0 => return,
                Some("fi") => depth -= 1,
                Some("else") if depth == 0 && stops_at_else => return,
                Some(name) if self.is_test(name) => depth += 1,
                _ => {}
            }
        }
    }

    fn is_test(&self, name: &str) -> bool {
        matches!(
            name,
            "iftrue" | "iffalse" | "ifmmode" | "ifx" | "if" | "ifcat" | "ifdefined"
        ) || OTHER_TESTS.contains(&name)
            || name
                .strip_prefix("if")
                .is_some_and(|switch| self.macros.switches.contains_key(switch))
    }
}

/// Whether `\if` finds two tokens alike: all commands are, as far as it sees.
fn alike(a: Option<Token>, b: Option<Token>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => a.kind == b.kind || (a.name().is_some() && b.name().is_some()),
        _ => false,
    }
}
