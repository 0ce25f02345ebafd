//! The expander: the tokens of a text with its macros replaced.

use std::sync::Arc;

use super::Macros;
use super::definition::{Macro, Meaning};
use super::token::{Kind, Lexer, Token};

/// The most tokens that macros may put in the place of one token of the text.
const MAX_GROWTH: usize = 200_000;
/// The most tokens that macros may add to one text.
const MAX_TOTAL_GROWTH: usize = 20_000_000;

/// What TeX is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Setting text.
    Text,
    /// Setting a formula within a line.
    Inline,
    /// Setting a formula of its own.
    Display,
}

/// A command, and what it meant before a group gave it another meaning.
type Replaced = (Arc<str>, Option<Meaning>);

/// Gives the tokens of a text one by one, with the macros replaced and definitions taken in.
#[derive(Debug)]
pub(crate) struct Expander<'t, 'm> {
    lexer: Lexer<'t>,
    /// What is to be read before the rest of the text, last first.
    pushed: Vec<Token>,
    pub(super) macros: &'m mut Macros,
    /// What TeX is doing; whoever reads the tokens says so.
    pub(crate) mode: Mode,
    /// How many tokens macros have added since a token of the text was read.
    growth: usize,
    total_growth: usize,
    /// For each group that is open, what its definitions have replaced.
    pub(super) replaced: Vec<Vec<Replaced>>,
    /// How many tokens were read in vain for arguments that do not end.
    pub(super) wasted: usize,
    /// The macros that were called without end, and are no longer replaced.
    pub(crate) endless: Vec<Arc<str>>,
}

impl<'t, 'm> Expander<'t, 'm> {
    pub(crate) fn new(text: &'t str, macros: &'m mut Macros) -> Self {
        Expander {
            lexer: Lexer::new(text),
            pushed: Vec::new(),
            macros,
            mode: Mode::Text,
            growth: 0,
            total_growth: 0,
            replaced: Vec::new(),
            wasted: 0,
            endless: Vec::new(),
        }
    }

    /// The text itself, where nothing that a macro gave is still to be read.
    pub(crate) fn text(&mut self) -> Option<&mut Lexer<'t>> {
        self.pushed.is_empty().then_some(&mut self.lexer)
    }

    /// What has been defined so far.
    pub(crate) fn macros(&mut self) -> &mut Macros {
        self.macros
    }

    /// The next token as it is written.
    pub(crate) fn raw(&mut self) -> Option<Token> {
        if let Some(token) = self.pushed.pop() {
            return Some(token);
        }
        self.growth = 0;
        self.lexer.next()
    }

    /// Reads this token again.
    pub(crate) fn unread(&mut self, token: Token) {
        self.pushed.push(token);
    }

    /// Reads these tokens again.
    pub(crate) fn unread_all(&mut self, tokens: Vec<Token>) {
        self.pushed.extend(tokens.into_iter().rev());
    }

    /// The next token that stands for itself and does something.
    pub(crate) fn next(&mut self) -> Option<Token> {
        loop {
            let token = self.unexpandable()?;
            match &token.kind {
                Kind::Begin => self.begin_group(),
                Kind::End => self.end_group(),
                Kind::Command(name) if name.as_ref() == "relax" => continue,
                _ => {}
            }
            return Some(token);
        }
    }

    fn begin_group(&mut self) {
        self.replaced.push(Vec::new());
    }

    /// Ends a group: what it defined means again what it meant before.
    fn end_group(&mut self) {
        let replaced = self.replaced.pop().unwrap_or_default();
        for (name, meaning) in replaced.into_iter().rev() {
            match meaning {
                Some(meaning) => self.macros.commands.insert(name, meaning),
                None => self.macros.commands.remove(&name),
            };
        }
    }

    /// The next token that stands for itself, `\relax` included, which does nothing.
    pub(super) fn unexpandable(&mut self) -> Option<Token> {
        loop {
            let token = self.raw()?;
            if let Some(token) = self.expand(token) {
                return Some(token);
            }
        }
    }

    /// Puts what the token stands for in its place, or gives the token back.
    pub(super) fn expand(&mut self, mut token: Token) -> Option<Token> {
        let Kind::Command(name) = &token.kind else {
            return Some(token);
        };
        let mut name = Arc::clone(name);
        match self.macros.commands.get(&name).cloned() {
            Some(Meaning::Macro(called)) => return self.call(&called, token),
            Some(Meaning::Same(kind)) => {
                token.kind = kind;
                match &token.kind {
                    Kind::Command(other) => name = Arc::clone(other),
                    _ => return Some(token),
                }
            }
            None => {}
        }
        if self.define(&name) || self.branch(&name) || self.primitive(&name, token.at) {
            return None;
        }
        Some(token)
    }

    /// Puts a macro's body in the place of its call. Where the text does not fit the macro, it
    /// stays as it is.
    fn call(&mut self, called: &Macro, token: Token) -> Option<Token> {
        let Some(arguments) = self.arguments(called) else {
            return Some(token);
        };
        let before = self.pushed.len();
        for part in called.body.iter().rev() {
            match part.kind {
                Kind::Parameter(number) => {
                    let argument = arguments.get(usize::from(number).wrapping_sub(1));
                    self.pushed
                        .extend(argument.into_iter().flatten().rev().cloned());
                }
                _ => self.pushed.push(Token::new(part.kind.clone(), token.at)),
            }
        }
        self.grew(1 + self.pushed.len() - before, token)
    }

    /// Counts what a macro added. A macro that passes the bound is not replaced any more, and
    /// what it gave is dropped.
    fn grew(&mut self, added: usize, token: Token) -> Option<Token> {
        self.growth += added;
        self.total_growth += added;
        if self.growth <= MAX_GROWTH && self.total_growth <= MAX_TOTAL_GROWTH {
            return None;
        }
        self.pushed.clear();
        if let Some(name) = token.name() {
            let name: Arc<str> = name.into();
            self.macros.commands.remove(&name);
            self.endless.push(name);
        }
        Some(token)
    }

    /// What else TeX expands, or does without a trace.
    fn primitive(&mut self, name: &str, at: usize) -> bool {
        match name {
            "makeatletter" => self.lexer.at_is_letter = true,
            "makeatother" => self.lexer.at_is_letter = false,
            "xspace" | "protect" | "long" | "outer" | "protected" | "noexpand" | "ignorespaces"
            | "unskip" | "unexpanded" => {}
            "ensuremath" => self.ensure_math(at),
            "mathchoice" => {
                let branches: Option<Vec<_>> = (0..4).map(|_| self.argument()).collect();
                let chosen = usize::from(self.mode != Mode::Display);
                if let Some(mut branches) = branches {
                    self.unread_group(branches.swap_remove(chosen), at);
                }
            }
            "detokenize" => {
                if let Some(argument) = self.argument() {
                    let text = super::token::source(&argument);
                    let mut tokens = text.chars().map(|c| Token::new(Kind::Char(c), at));
                    self.unread_all(tokens.by_ref().collect());
                }
            }
            "csname" => {
                let mut name = String::new();
                while let Some(token) = self.next() {
                    match token.kind {
                        Kind::Char(c) => name.push(c),
                        _ => break,
                    }
                }
                self.unread(Token::command(&name, at));
            }
            "expandafter" => {
                let (first, second) = (self.raw(), self.raw());
                if let Some(second) = second.and_then(|second| self.expand(second)) {
                    self.unread(second);
                }
                if let Some(first) = first {
                    self.unread(first);
                }
            }
            "begin" | "end" => return self.environment(name == "begin", at),
            other => return self.turn_switch(other),
        }
        true
    }

    /// `\footrue` and `\foofalse`, where `\newif\iffoo` was said.
    fn turn_switch(&mut self, command: &str) -> bool {
        let turned = match (command.strip_suffix("true"), command.strip_suffix("false")) {
            (Some(name), _) => (name, true),
            (_, Some(name)) => (name, false),
            _ => return false,
        };
        let switch = self.macros.switches.get_mut(turned.0);
        switch.map(|switch| *switch = turned.1).is_some()
    }

    /// An environment of the text's own, replaced by what it begins or ends with.
    fn environment(&mut self, begins: bool, at: usize) -> bool {
        let Some(argument) = self.argument() else {
            return false;
        };
        let name = super::token::source(&argument);
        let Some((begin, end)) = self.macros.environments.get(name.trim()) else {
            self.unread_group(argument, at);
            if begins {
                self.begin_group();
            } else {
                self.end_group();
            }
            return false;
        };
        let meaning = if begins { begin.clone() } else { end.clone() };
        if let Meaning::Macro(called) = meaning {
            let command = Token::command(if begins { "begin" } else { "end" }, at);
            self.call(&called, command);
        }
        true
    }

    fn ensure_math(&mut self, at: usize) {
        let Some(argument) = self.argument() else {
            return;
        };
        let is_text = self.mode == Mode::Text;
        let dollar = || is_text.then(|| Token::new(Kind::Dollar, at));
        self.pushed.extend(dollar());
        self.unread_all(argument);
        self.pushed.extend(dollar());
    }

    /// Reads these tokens again, in braces.
    pub(super) fn unread_group(&mut self, tokens: Vec<Token>, at: usize) {
        self.unread(Token::new(Kind::End, at));
        self.unread_all(tokens);
        self.unread(Token::new(Kind::Begin, at));
    }
}
