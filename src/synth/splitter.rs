//! Splitting LaTeX into spans.

use super::commands::{Alphabet, Command, command};
use super::cursor::Cursor;
use super::name::Name;
use super::spans::{Span, SpanRole};
use crate::latex::scan::command_name;

/// What the last span means for the next one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Last {
    /// Something that an operator can follow.
    Operand,
    /// `^`, `_` or `\not`: the next span belongs to it.
    Script,
    /// An operator, or the beginning.
    Operator,
}

/// Splits a formula in one pass, and keeps track of the groups that are open.
pub(super) struct Splitter<'a> {
    cursor: Cursor<'a>,
    /// Where the current span begins.
    start: usize,
    spans: Vec<Span<'a>>,
    /// The alphabet of the whole and of every open group.
    groups: Vec<Alphabet>,
    /// The alphabet of the next span or group, where a command sets one.
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

impl<'a> Splitter<'a> {
    /// The spans of `text`, and whether it may stand beside other formulas;
    /// nothing where the spans are not known, since it defines commands or has
    /// comments.
    pub(super) fn split(text: &'a str) -> Option<(Vec<Span<'a>>, bool)> {
        let mut splitter = Splitter::new(text);
        while let Some(c) = splitter.cursor.rest().chars().next()
            && !splitter.is_opaque
        {
            splitter.start = splitter.cursor.at;
            match c {
                '\\' => splitter.command(),
                '0'..='9' => splitter.number(),
                _ => splitter.character(c),
            }
        }
        let is_closed = splitter.is_closed && splitter.is_outside();
        (!splitter.is_opaque).then_some((splitter.spans, is_closed))
    }

    fn new(text: &'a str) -> Self {
        Splitter {
            cursor: Cursor::new(text),
            start: 0,
            spans: Vec::with_capacity(text.len() / 2),
            groups: vec![Alphabet::Italic],
            next: None,
            last: Last::Operator,
            open: 0,
            bars: [false; 2],
            is_closed: true,
            is_opaque: false,
        }
    }

    /// Whether nothing is open but bars.
    fn is_shallow(&self) -> bool {
        self.groups.len() == 1 && self.open == 0
    }

    fn is_outside(&self) -> bool {
        self.is_shallow() && self.bars == [false; 2]
    }

    /// The alphabet of the current span.
    fn alphabet(&mut self) -> Alphabet {
        let group = self.groups.last().copied().unwrap_or(Alphabet::Words);
        self.next.take().unwrap_or(group)
    }

    /// Ends the current span.
    fn push(&mut self, role: SpanRole) {
        let text = self.cursor.since(self.start);
        self.spans.push(Span { text, role });
        self.last = match role {
            SpanRole::Space => self.last,
            SpanRole::Operator => Last::Operator,
            _ => Last::Operand,
        };
    }

    fn push_name(&mut self, name: Option<Name>) {
        self.push(name.map_or(SpanRole::Fixed, SpanRole::Free));
    }

    /// Ends a span to which the next belongs.
    fn push_script(&mut self) {
        self.push(SpanRole::Fixed);
        self.last = Last::Script;
    }

    fn push_operator(&mut self) {
        let is_script = self.last == Last::Script;
        let role = if self.last == Last::Operand && self.is_outside() {
            SpanRole::Operator
        } else {
            SpanRole::Fixed
        };
        self.push(role);
        if !is_script {
            self.last = Last::Operator;
        }
    }

    fn number(&mut self) {
        self.cursor.skip_digits();
        let alphabet = self.alphabet();
        self.push_name(Name::number(alphabet, self.cursor.since(self.start)));
    }

    fn character(&mut self, c: char) {
        self.cursor.at += c.len_utf8();
        match c {
            _ if c.is_whitespace() => return self.push(SpanRole::Space),
            '^' | '_' => return self.push_script(),
            '=' | '<' | '>' | '+' | '-' | ',' | ':' | '/' => return self.push_operator(),
            '{' => {
                let alphabet = self.alphabet();
                self.groups.push(alphabet);
            }
            '}' if self.groups.len() > 1 => drop(self.groups.pop()),
            '}' | '$' => self.is_closed = false,
            '&' => {
                self.divide();
                self.cursor.skip_entity();
            }
            '%' => self.is_opaque = true,
            '(' | '[' => self.open += 1,
            ')' | ']' => self.close(),
            '|' => self.bars[0] ^= self.is_shallow(),
            _ => {
                let alphabet = self.alphabet();
                return self.push_name(Name::letter(alphabet, c));
            }
        }
        self.push(SpanRole::Fixed);
    }

    /// Something that takes the whole formula apart, unless it is within something.
    fn divide(&mut self) {
        self.is_closed &= !self.is_shallow();
    }

    fn close(&mut self) {
        self.is_closed &= self.open > 0;
        self.open = self.open.saturating_sub(1);
    }

    fn command(&mut self) {
        let name = command_name(self.cursor.rest());
        self.cursor.at += 1 + name.len();
        match command(name) {
            Command::Greek(letter) => {
                let alphabet = self.alphabet();
                return self.push_name(Name::letter(alphabet, letter));
            }
            Command::Operator => return self.push_operator(),
            Command::Negates => return self.push_script(),
            Command::Sets(alphabet) => self.next = Some(alphabet),
            Command::Switches(alphabet) => {
                if let Some(group) = self.groups.last_mut() {
                    *group = alphabet;
                }
            }
            Command::Swallows(count) => self.swallow(count),
            Command::Length => self.cursor.skip_length(),
            Command::Opens => self.open += 1,
            Command::Closes => self.close(),
            Command::Left => {
                self.open += 1;
                self.cursor.skip_token();
            }
            Command::Right => {
                self.close();
                self.cursor.skip_token();
            }
            Command::Begin => self.begin(),
            Command::End => {
                self.close();
                self.swallow(1);
            }
            Command::Bar(which) => self.bars[which] ^= self.is_shallow(),
            Command::Divides => {
                self.divide();
                self.cursor.skip_brackets();
            }
            Command::Defines => self.is_opaque = true,
            Command::Other => {}
        }
        self.push(SpanRole::Fixed);
    }

    /// Passes over arguments that are no formulas.
    fn swallow(&mut self, count: usize) {
        self.cursor.skip_star();
        self.cursor.skip_brackets();
        for _ in 0..count {
            self.is_closed &= self.cursor.skip_argument();
        }
    }

    /// Passes over the name of an environment, and its columns where it has them.
    fn begin(&mut self) {
        self.open += 1;
        let name = self.cursor.rest().trim_start();
        let columns = ["{array", "{tabular", "{alignat", "{alignedat", "{subarray"];
        let has_columns = columns.iter().any(|column| name.starts_with(column));
        self.is_closed &= self.cursor.skip_argument();
        if has_columns {
            self.swallow(1);
        }
    }
}
