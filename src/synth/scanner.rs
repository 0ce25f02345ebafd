//! From LaTeX to tokens.

use super::commands::{Alphabet, Command, command};
use super::name::Name;
use super::tokens::{Role, Token};

/// What the last token was, for the one after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Last {
    /// Something that an operator can follow.
    Operand,
    /// `^`, `_` or `\not`: what follows belongs to it.
    Script,
    /// An operator, or the beginning.
    Operator,
}

/// Goes through a formula once, with what is open around the token at hand.
pub(super) struct Scanner<'a> {
    text: &'a str,
    at: usize,
    tokens: Vec<Token<'a>>,
    /// The alphabet of the whole and of every open group.
    groups: Vec<Alphabet>,
    /// The alphabet of the next token or group, where a command sets one.
    next: Option<Alphabet>,
    last: Last,
    /// Parentheses and the like that are open.
    open: usize,
    /// Whether a bar is open, single or double.
    bars: [bool; 2],
    is_closed: bool,
    /// Whether the formula defines commands or has comments.
    is_opaque: bool,
}

impl<'a> Scanner<'a> {
    /// The tokens of `text`, and whether it may stand beside other formulas;
    /// nothing where they cannot be told, since it defines commands or has
    /// comments.
    pub(super) fn scan(text: &'a str) -> Option<(Vec<Token<'a>>, bool)> {
        let mut scanner = Scanner::new(text);
        while scanner.at < text.len() && !scanner.is_opaque {
            scanner.token();
        }
        let is_closed = scanner.is_closed && scanner.is_outside();
        (!scanner.is_opaque).then_some((scanner.tokens, is_closed))
    }

    fn new(text: &'a str) -> Self {
        Scanner {
            text,
            at: 0,
            tokens: Vec::with_capacity(text.len() / 2),
            groups: vec![Alphabet::Italic],
            next: None,
            last: Last::Operator,
            open: 0,
            bars: [false; 2],
            is_closed: true,
            is_opaque: false,
        }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn is_outside(&self) -> bool {
        self.groups.len() == 1 && self.open == 0 && self.bars == [false; 2]
    }

    /// The alphabet of the token at hand.
    fn alphabet(&mut self) -> Alphabet {
        let group = self.groups.last().copied().unwrap_or(Alphabet::Words);
        self.next.take().unwrap_or(group)
    }

    /// Ends a token that began at `start`.
    fn push(&mut self, start: usize, role: Role) {
        let text = &self.text[start..self.at];
        self.tokens.push(Token { text, role });
        self.last = match role {
            Role::Space => self.last,
            Role::Operator => Last::Operator,
            _ => Last::Operand,
        };
    }

    fn token(&mut self) {
        let start = self.at;
        let Some(c) = self.rest().chars().next() else {
            return;
        };
        if c == '\\' {
            return self.command();
        }
        if c.is_ascii_digit() {
            return self.number();
        }
        self.at += c.len_utf8();
        match c {
            _ if c.is_whitespace() => return self.push(start, Role::Space),
            '{' => {
                let alphabet = self.alphabet();
                self.groups.push(alphabet);
            }
            '}' if self.groups.len() > 1 => drop(self.groups.pop()),
            '}' | '&' | '$' => self.is_closed &= c == '&' && self.groups.len() + self.open > 1,
            '%' => self.is_opaque = true,
            '(' | '[' => self.open += 1,
            ')' | ']' => self.close(),
            '|' => self.bars[0] ^= self.groups.len() == 1 && self.open == 0,
            '^' | '_' => {
                self.push(start, Role::Fixed);
                self.last = Last::Script;
                return;
            }
            '=' | '<' | '>' | '+' | '-' | ',' | ':' | '/' => return self.operator(start),
            _ => {
                let alphabet = self.alphabet();
                let role = Name::letter(alphabet, c).map_or(Role::Fixed, Role::Free);
                return self.push(start, role);
            }
        }
        self.push(start, Role::Fixed);
    }

    fn number(&mut self) {
        let start = self.at;
        let digits = self.rest().find(|c: char| !c.is_ascii_digit());
        self.at += digits.unwrap_or(self.rest().len());
        let alphabet = self.alphabet();
        let name = Name::number(alphabet, &self.text[start..self.at]);
        self.push(start, name.map_or(Role::Fixed, Role::Free));
    }

    fn operator(&mut self, start: usize) {
        let is_script = self.last == Last::Script;
        let role = match self.last == Last::Operand && self.is_outside() {
            true => Role::Operator,
            false => Role::Fixed,
        };
        self.push(start, role);
        if !is_script {
            self.last = Last::Operator;
        }
    }

    fn close(&mut self) {
        self.is_closed &= self.open > 0;
        self.open = self.open.saturating_sub(1);
    }

    fn command(&mut self) {
        let start = self.at;
        let name = command_name(self.rest());
        self.at += 1 + name.len();
        let mut role = Role::Fixed;
        match command(name) {
            Command::Greek(letter) => {
                let alphabet = self.alphabet();
                role = Name::letter(alphabet, letter).map_or(Role::Fixed, Role::Free);
            }
            Command::Sets(alphabet) => self.next = Some(alphabet),
            Command::Switches(alphabet) => {
                if let Some(group) = self.groups.last_mut() {
                    *group = alphabet;
                }
            }
            Command::Swallows(count) => self.swallow(name, count),
            Command::Length => self.swallow_length(),
            Command::Operator => return self.operator(start),
            Command::Opens => self.opens(name),
            Command::Closes => {
                self.close();
                if name == "right" {
                    self.skip_token();
                }
            }
            Command::Divides => {
                self.is_closed &= self.groups.len() + self.open > 1;
                self.skip_brackets();
            }
            Command::Defines => self.is_opaque = true,
            Command::Other => match name {
                "|" | "Vert" | "vert" => {
                    let is_double = usize::from(name != "vert");
                    self.bars[is_double] ^= self.groups.len() == 1 && self.open == 0;
                }
                "not" => {
                    self.push(start, role);
                    self.last = Last::Script;
                    return;
                }
                _ => {}
            },
        }
        self.push(start, role);
    }

    fn opens(&mut self, name: &str) {
        self.open += 1;
        match name {
            "left" => self.skip_token(),
            "begin" => {
                let environment = self.rest();
                self.skip_argument();
                let named = |name: &str| environment.trim_start().starts_with(name);
                if named("{array") || named("{tabular") || named("{alignat") || named("{subarray") {
                    self.skip_brackets();
                    self.skip_argument();
                }
            }
            _ => {}
        }
    }

    /// Passes over arguments that are no formulas.
    fn swallow(&mut self, name: &str, count: usize) {
        if self.rest().starts_with('*') {
            self.at += 1;
        }
        self.skip_brackets();
        for _ in 0..count {
            self.skip_argument();
        }
        if name == "end" {
            self.close();
        }
    }

    /// Passes over `-3.5 pt`.
    fn swallow_length(&mut self) {
        let rest = self.rest();
        let number = rest.trim_start_matches(|c: char| c.is_ascii_digit() || " =+-.".contains(c));
        let unit: String = number.chars().take(2).collect();
        let unit = if unit.is_ascii() { unit.len() } else { 0 };
        self.at += rest.len() - number.len() + unit;
    }

    /// Passes over the braces that follow, or the one token.
    fn skip_argument(&mut self) {
        let rest = self.rest().trim_start();
        self.at = self.text.len() - rest.len();
        if !rest.starts_with('{') {
            return self.skip_token();
        }
        let mut depth = 0usize;
        while self.at < self.text.len() {
            match self.rest().trim_start().as_bytes().first() {
                Some(b'{') => depth += 1,
                Some(b'}') => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.skip_token();
            if depth == 0 {
                return;
            }
        }
        self.is_closed = false;
    }

    /// Passes over a command or a character, and white space before it.
    fn skip_token(&mut self) {
        let rest = self.rest().trim_start();
        let length = match rest.chars().next() {
            Some('\\') => 1 + command_name(rest).len(),
            Some(c) => c.len_utf8(),
            None => 0,
        };
        self.at = self.text.len() - rest.len() + length;
    }

    /// Passes over `[2pt]`.
    fn skip_brackets(&mut self) {
        if self.rest().starts_with('[')
            && let Some(end) = self.rest().find(']')
        {
            self.at += end + 1;
        }
    }
}

/// The name of the command with which `text` begins.
fn command_name(text: &str) -> &str {
    let name = text.get(1..).unwrap_or_default();
    let letters = name.find(|c: char| !c.is_ascii_alphabetic());
    match letters.unwrap_or(name.len()) {
        0 => &name[..name.chars().next().map_or(0, char::len_utf8)],
        letters => &name[..letters],
    }
}
