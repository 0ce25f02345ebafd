//! Tokens of TeX source: what TeX's eyes make of a file, each with its place.

use std::sync::Arc;

/// A token of TeX, and where in its file it stands. A token that comes out of a macro stands
/// where the macro was called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    /// The byte offset of its first character.
    pub(crate) at: usize,
}

/// What a token is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A command, without its backslash.
    Command(Arc<str>),
    /// Any character that means nothing more than itself here, `&`, `^`, `_` and `~` included.
    Char(char),
    /// `{`
    Begin,
    /// `}`
    End,
    /// `$`
    Dollar,
    /// White space without an empty line.
    Space,
    /// An empty line.
    Paragraph,
    /// `#1` to `#9` within a definition.
    Parameter(u8),
}

impl Token {
    pub(crate) fn new(kind: Kind, at: usize) -> Self {
        Token { kind, at }
    }

    pub(crate) fn command(name: &str, at: usize) -> Self {
        Token::new(Kind::Command(name.into()), at)
    }

    /// The name of the command that it is.
    pub(crate) fn name(&self) -> Option<&str> {
        match &self.kind {
            Kind::Command(name) => Some(name),
            _ => None,
        }
    }

    pub(crate) fn is_space(&self) -> bool {
        matches!(self.kind, Kind::Space | Kind::Paragraph)
    }

    pub(crate) fn is_char(&self, c: char) -> bool {
        self.kind == Kind::Char(c)
    }
}

/// Tokens as TeX source again.
pub(crate) fn source(tokens: &[Token]) -> String {
    let mut text = String::new();
    for token in tokens {
        push_source(&mut text, &token.kind);
    }
    text
}

/// Adds a token to TeX source; a command and a letter after it are kept apart.
pub(crate) fn push_source(text: &mut String, kind: &Kind) {
    match kind {
        Kind::Command(name) => {
            text.push('\\');
            text.push_str(name);
        }
        Kind::Char(c) => {
            if c.is_ascii_alphabetic() && ends_with_word(text) {
                text.push(' ');
            }
            text.push(*c);
        }
        Kind::Begin => text.push('{'),
        Kind::End => text.push('}'),
        Kind::Dollar => text.push('$'),
        Kind::Space => text.push(' '),
        Kind::Paragraph => text.push_str("\n\n"),
        Kind::Parameter(number) => {
            text.push('#');
            text.push(char::from(b'0' + number));
        }
    }
}

/// Whether `text` ends with a command of letters, which a further letter would lengthen.
fn ends_with_word(text: &str) -> bool {
    let stem = text.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == '@');
    stem.len() < text.len() && stem.ends_with('\\') && !ends_with_escaped_backslash(stem)
}

/// Whether the backslash at the end is the second of `\\`.
fn ends_with_escaped_backslash(text: &str) -> bool {
    text.chars().rev().take_while(|c| *c == '\\').count() % 2 == 0
}

/// Makes tokens of TeX source.
#[derive(Debug)]
pub(crate) struct Lexer<'a> {
    text: &'a str,
    at: usize,
    /// Whether `@` is a letter, as between `\makeatletter` and `\makeatother`.
    pub(crate) at_is_letter: bool,
}

impl<'a> Lexer<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Lexer {
            text,
            at: 0,
            at_is_letter: false,
        }
    }

    /// What has not been read.
    pub(crate) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Passes over this many bytes.
    pub(crate) fn skip(&mut self, bytes: usize) {
        self.at += bytes;
    }

    pub(crate) fn next(&mut self) -> Option<Token> {
        loop {
            let at = self.at;
            let c = self.rest().chars().next()?;
            let kind = match c {
                '%' => {
                    self.skip_comment();
                    continue;
                }
                '\\' => Kind::Command(self.command()),
                c if c.is_whitespace() && c != '\u{a0}' => self.space(),
                c => {
                    self.at += c.len_utf8();
                    self.character(c)
                }
            };
            return Some(Token::new(kind, at));
        }
    }

    fn character(&mut self, c: char) -> Kind {
        match c {
            '{' => Kind::Begin,
            '}' => Kind::End,
            '$' => Kind::Dollar,
            '#' => {
                let hashes = self.rest().len() - self.rest().trim_start_matches('#').len();
                self.at += hashes;
                match self.rest().bytes().next() {
                    Some(digit @ b'1'..=b'9') => {
                        self.at += 1;
                        Kind::Parameter(digit - b'0')
                    }
                    _ => Kind::Char('#'),
                }
            }
            c => Kind::Char(c),
        }
    }

    /// A comment ends with its line, and takes the white space at the beginning of the next
    /// line with it; an empty line after it still ends the paragraph.
    fn skip_comment(&mut self) {
        let line = self.rest().find('\n').map_or(self.rest().len(), |n| n + 1);
        self.at += line;
        let indent = self.rest().len() - self.rest().trim_start_matches([' ', '\t']).len();
        self.at += indent;
    }

    fn command(&mut self) -> Arc<str> {
        let name = &self.rest()[1..];
        let is_letter = |c: char| c.is_ascii_alphabetic() || (self.at_is_letter && c == '@');
        let letters = name.find(|c| !is_letter(c)).unwrap_or(name.len());
        let length = match letters {
            0 => name.chars().next().map_or(0, char::len_utf8),
            letters => letters,
        };
        self.at += 1 + length;
        let name = &name[..length];
        if letters > 0 {
            // White space after a word is not printed; an empty line is a paragraph still.
            let spaces = self.rest().len() - self.rest().trim_start_matches([' ', '\t']).len();
            self.at += spaces;
            let mut lines = self.rest().char_indices();
            if let Some((_, '\n')) = lines.next() {
                let after = self.rest()[1..].trim_start_matches([' ', '\t']);
                if !after.starts_with('\n') {
                    self.at = self.text.len() - after.len();
                }
            }
        }
        name.into()
    }

    fn space(&mut self) -> Kind {
        let rest = self.rest();
        let end = rest
            .find(|c: char| !c.is_whitespace() || c == '\u{a0}')
            .unwrap_or(rest.len());
        self.at += end;
        if rest[..end].bytes().filter(|b| *b == b'\n').count() > 1 {
            Kind::Paragraph
        } else {
            Kind::Space
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<Token> {
        let mut lexer = Lexer::new(text);
        std::iter::from_fn(|| lexer.next()).collect()
    }

    #[test]
    fn tokens_become_the_source_that_they_were() {
        for (text, again) in [
            (r"\alpha x^{2}", r"\alpha x^{2}"),
            (r"\alpha{}x", r"\alpha{}x"),
            (r"a % comment $ { \begin", "a "),
            ("a%\n  b", "ab"),
            ("a\n\n  b", "a\n\nb"),
            (r"\\x\\ y", r"\\x\\ y"),
            (r"\{a\}\$", r"\{a\}\$"),
            (r"##1 #2", r"#1 #2"),
            (r"\", r"\"),
        ] {
            assert_eq!(source(&tokens(text)).trim_end(), again.trim_end(), "{text}");
        }
    }

    #[test]
    fn at_is_a_letter_where_it_is_made_one() {
        let mut lexer = Lexer::new(r"\a@b");
        assert_eq!(lexer.next().unwrap().name(), Some("a"));
        let mut lexer = Lexer::new(r"\a@b");
        lexer.at_is_letter = true;
        assert_eq!(lexer.next().unwrap().name(), Some("a@b"));
    }

    #[test]
    fn places_are_offsets_in_the_file() {
        let at: Vec<usize> = tokens("é %x\n\\b $").iter().map(|token| token.at).collect();
        assert_eq!(at, [0, 2, 6, 9]);
    }
}
