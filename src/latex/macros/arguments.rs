//! Arguments: what a macro takes from the text after it.

use std::sync::Arc;

use super::definition::{FALSE, Macro, Parameter, TRUE};
use super::expand::Expander;
use super::token::{Kind, Token, source};

/// The most tokens of one argument. A group that is never closed takes no more of a document.
const MAX_ARGUMENT: usize = 50_000;
/// The most tokens that are read in vain in one text, for arguments that do not end.
const MAX_WASTED: usize = 2_000_000;

impl Expander<'_, '_> {
    /// The next token that is no white space, unexpanded.
    pub(super) fn raw_after_space(&mut self) -> Option<Token> {
        loop {
            let token = self.raw()?;
            if !token.is_space() {
                return Some(token);
            }
        }
    }

    /// Takes this character if it comes next.
    pub(super) fn flag(&mut self, c: char) -> bool {
        let Some(token) = self.raw_after_space() else {
            return false;
        };
        let is_there = token.is_char(c);
        if !is_there {
            self.unread(token);
        }
        is_there
    }

    /// A group without its braces, or a single token.
    pub(crate) fn argument(&mut self) -> Option<Vec<Token>> {
        let token = self.raw_after_space()?;
        match token.kind {
            Kind::Begin => self.up_to(&[Kind::End]),
            Kind::End | Kind::Dollar => {
                self.unread(token);
                None
            }
            _ => Some(vec![token]),
        }
    }

    /// An argument as text, such as the name of an environment or a file.
    pub(crate) fn text_argument(&mut self) -> Option<Arc<str>> {
        let argument = self.argument()?;
        Some(source(&argument).trim().into())
    }

    /// What stands between these characters, if the first comes next.
    pub(crate) fn between(&mut self, open: char, close: char) -> Option<Vec<Token>> {
        let token = self.raw_after_space()?;
        if !token.is_char(open) {
            self.unread(token);
            return None;
        }
        let mut depth = 0usize;
        let mut all = Vec::new();
        loop {
            let part = self.up_to(&[Kind::Char(close)])?;
            if open != close {
                depth += part.iter().filter(|token| token.is_char(open)).count();
            }
            all.extend(part);
            if depth == 0 {
                return Some(all);
            }
            depth -= 1;
            all.push(Token::new(Kind::Char(close), token.at));
        }
    }

    /// The tokens before these, which are taken too. If they do not come, nothing is taken.
    fn up_to(&mut self, end: &[Kind]) -> Option<Vec<Token>> {
        if self.wasted > MAX_WASTED {
            return None;
        }
        let mut tokens: Vec<Token> = Vec::new();
        let mut depth = 0usize;
        while let Some(token) = self.raw() {
            let is_begin = token.kind == Kind::Begin;
            let closes = token.kind == Kind::End;
            tokens.push(token);
            if depth == 0 && ends_with(&tokens, end) {
                tokens.truncate(tokens.len() - end.len());
                return Some(tokens);
            }
            match (is_begin, closes) {
                (true, _) => depth += 1,
                (_, true) if depth > 0 => depth -= 1,
                (_, true) => break,
                _ => {}
            }
            if tokens.len() > MAX_ARGUMENT {
                break;
            }
        }
        self.wasted += tokens.len();
        self.unread_all(tokens);
        None
    }

    /// The arguments of a macro whose name was read; `None` where the text does not fit it.
    pub(super) fn arguments(&mut self, called: &Macro) -> Option<Vec<Vec<Token>>> {
        let mut passed = Vec::new();
        for expected in &called.prefix {
            let token = self.raw()?;
            let fits = token.kind == *expected;
            passed.push(token);
            if !fits {
                self.unread_all(passed);
                return None;
            }
        }
        let mut arguments = Vec::with_capacity(called.parameters.len());
        for parameter in &called.parameters {
            arguments.push(match parameter {
                Parameter::Plain => self.argument()?,
                Parameter::UpTo(end) => {
                    let argument = self.up_to(end)?;
                    without_braces(argument)
                }
                Parameter::Between(open, close, default) => {
                    let given = self.between(*open, *close);
                    given.unwrap_or_else(|| default.clone())
                }
                Parameter::Flag(c) => {
                    let word = if self.flag(*c) { TRUE } else { FALSE };
                    vec![Token::command(word, 0)]
                }
                Parameter::Group(default) => {
                    let next = self.raw_after_space();
                    let is_group = next.as_ref().is_some_and(|next| next.kind == Kind::Begin);
                    self.unread_all(next.into_iter().collect());
                    if is_group {
                        self.argument()?
                    } else {
                        default.clone()
                    }
                }
            });
        }
        Some(arguments)
    }
}

fn ends_with(tokens: &[Token], end: &[Kind]) -> bool {
    tokens.len() >= end.len()
        && tokens[tokens.len() - end.len()..]
            .iter()
            .map(|token| &token.kind)
            .eq(end)
}

/// A delimited argument that is one group loses its braces, as TeX has it.
fn without_braces(argument: Vec<Token>) -> Vec<Token> {
    let mut depth = 0usize;
    for (place, token) in argument.iter().enumerate() {
        match token.kind {
            Kind::Begin => depth += 1,
            Kind::End => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 && place + 1 < argument.len() {
            return argument;
        }
    }
    match argument.first().map(|token| &token.kind) {
        Some(Kind::Begin) if argument.len() > 1 => argument[1..argument.len() - 1].to_vec(),
        _ => argument,
    }
}
