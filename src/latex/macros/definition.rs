//! Definitions: `\newcommand`, `\def`, `\let` and their relatives.

use std::sync::Arc;

use super::expand::Expander;
use super::token::{Kind, Token};

/// What a command means.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Meaning {
    /// It stands for other tokens.
    Macro(Arc<Macro>),
    /// It is what another token was when `\let` gave it its meaning.
    Same(Kind),
}

/// A macro: what follows its name, and what stands for both.
#[derive(Debug, PartialEq, Default)]
pub(super) struct Macro {
    /// What has to follow the name before the first parameter.
    pub(super) prefix: Vec<Kind>,
    pub(super) parameters: Vec<Parameter>,
    pub(super) body: Vec<Token>,
}

/// A parameter of a macro.
#[derive(Debug, PartialEq, Clone)]
pub(super) enum Parameter {
    /// A group or a token.
    Plain,
    /// Everything up to these tokens.
    UpTo(Vec<Kind>),
    /// What stands between two characters, if the first follows, else a default.
    Between(char, char, Vec<Token>),
    /// Whether this character follows.
    Flag(char),
    /// A group, if one follows, else a default.
    Group(Vec<Token>),
}

/// What xparse gives for an optional argument that is not there.
pub(super) const NO_VALUE: &str = "-NoValue-";
/// What xparse gives for a star that is there, and for one that is not.
pub(super) const TRUE: &str = "BooleanTrue";
pub(super) const FALSE: &str = "BooleanFalse";

impl Meaning {
    fn of_macro(parameters: Vec<Parameter>, body: Vec<Token>) -> Self {
        Meaning::Macro(Arc::new(Macro {
            prefix: Vec::new(),
            parameters,
            body,
        }))
    }
}

impl Expander<'_, '_> {
    /// Takes in the definition that `command` begins. Says whether it begins one; a definition
    /// that is cut off defines nothing.
    pub(super) fn define(&mut self, command: &str) -> bool {
        match command {
            "newcommand" | "renewcommand" | "DeclareRobustCommand" => self.new_command(true),
            "providecommand" => self.new_command(false),
            "def" | "edef" => self.def(),
            "gdef" | "xdef" => self.global(Self::def),
            "global" => self.global(|expander| {
                let next = expander.raw_after_space()?;
                let is_definition = next.name().is_some_and(|name| expander.define(name));
                if !is_definition {
                    expander.unread(next);
                }
                Some(())
            }),
            "let" => self.alias(),
            "newif" => self.switch(),
            "DeclareMathOperator" => self.operator(),
            "DeclarePairedDelimiter" => self.paired_delimiter(),
            "NewDocumentCommand" | "RenewDocumentCommand" | "DeclareDocumentCommand" => {
                self.document_command(true)
            }
            "ProvideDocumentCommand" => self.document_command(false),
            "newenvironment" | "renewenvironment" => self.new_environment(),
            "NewDocumentEnvironment" | "RenewDocumentEnvironment" => self.document_environment(),
            _ => return false,
        };
        true
    }

    /// Gives a command a meaning, until the group ends.
    fn set(&mut self, name: Arc<str>, meaning: Meaning) {
        let before = self.macros.commands.insert(Arc::clone(&name), meaning);
        if let Some(replaced) = self.replaced.last_mut() {
            replaced.push((name, before));
        }
    }

    /// Defines for good, whatever group this is in.
    fn global(&mut self, define: impl FnOnce(&mut Self) -> Option<()>) -> Option<()> {
        let groups = std::mem::take(&mut self.replaced);
        let defined = define(self);
        self.replaced = groups;
        defined
    }

    /// The command that a definition is about, in braces or not.
    fn defined_name(&mut self) -> Option<Arc<str>> {
        self.flag('*');
        let argument = self.argument()?;
        match &argument.iter().find(|token| !token.is_space())?.kind {
            Kind::Command(name) => Some(Arc::clone(name)),
            _ => None,
        }
    }

    /// The parameters of `\newcommand`: `[2][default]`.
    fn counted_parameters(&mut self) -> Vec<Parameter> {
        let count = self.between('[', ']').and_then(|tokens| match tokens[..] {
            [
                Token {
                    kind: Kind::Char(digit),
                    ..
                },
            ] => digit.to_digit(10),
            _ => None,
        });
        let Some(count) = count else {
            return Vec::new();
        };
        let mut parameters = vec![Parameter::Plain; count as usize];
        if let Some(first) = parameters.first_mut()
            && let Some(default) = self.between('[', ']')
        {
            *first = Parameter::Between('[', ']', default);
        }
        parameters
    }

    fn new_command(&mut self, replaces: bool) -> Option<()> {
        let name = self.defined_name()?;
        let parameters = self.counted_parameters();
        let body = self.argument()?;
        if replaces || !self.macros.commands.contains_key(&name) {
            self.set(name, Meaning::of_macro(parameters, body));
        }
        Some(())
    }

    fn def(&mut self) -> Option<()> {
        let name = match self.raw()?.kind {
            Kind::Command(name) => name,
            _ => return None,
        };
        let mut defined = Macro::default();
        // The tokens before the first parameter, then those after each.
        let mut literal = Vec::new();
        loop {
            let token = self.raw()?;
            match token.kind {
                Kind::Begin => {
                    self.unread(token);
                    break;
                }
                Kind::Parameter(_) => {
                    defined.close_parameter(std::mem::take(&mut literal));
                    defined.parameters.push(Parameter::Plain);
                }
                Kind::End | Kind::Paragraph => return None,
                kind => literal.push(kind),
            }
        }
        defined.close_parameter(literal);
        defined.body = self.argument()?;
        self.set(name, Meaning::Macro(Arc::new(defined)));
        Some(())
    }

    fn alias(&mut self) -> Option<()> {
        let name = match self.raw()?.kind {
            Kind::Command(name) => name,
            _ => return None,
        };
        let mut other = self.raw_after_space()?;
        if other.is_char('=') {
            other = self.raw_after_space()?;
        }
        let meaning = match other.name().and_then(|name| self.macros.commands.get(name)) {
            Some(meaning) => meaning.clone(),
            None => Meaning::Same(other.kind),
        };
        self.set(name, meaning);
        Some(())
    }

    fn switch(&mut self) -> Option<()> {
        let name = match self.raw()?.kind {
            Kind::Command(name) => name,
            _ => return None,
        };
        let switch: Arc<str> = name.strip_prefix("if")?.into();
        self.macros.switches.insert(switch, false);
        Some(())
    }

    fn operator(&mut self) -> Option<()> {
        let command = if self.flag('*') {
            "operatorname*"
        } else {
            "operatorname"
        };
        let name = self.defined_name()?;
        let text = self.argument()?;
        let mut body = vec![Token::command(command, 0), Token::new(Kind::Begin, 0)];
        body.extend(text);
        body.push(Token::new(Kind::End, 0));
        self.set(name, Meaning::of_macro(Vec::new(), body));
        Some(())
    }

    /// `\DeclarePairedDelimiter\abs{\lvert}{\rvert}`: the star makes the delimiters grow, and an
    /// option says how large they are.
    fn paired_delimiter(&mut self) -> Option<()> {
        let name = self.defined_name()?;
        let (open, close) = (self.argument()?, self.argument()?);
        let growing = |command: &str, delimiter: &[Token]| {
            let mut sized = vec![Token::command(command, 0)];
            sized.extend_from_slice(delimiter);
            sized
        };
        let argument = Token::new(Kind::Parameter(3), 0);
        let size = Token::new(Kind::Parameter(2), 0);
        let mut starred = growing("left", &open);
        starred.push(argument.clone());
        starred.extend(growing("right", &close));
        let mut plain = vec![size.clone()];
        plain.extend(open);
        plain.push(argument);
        plain.push(size);
        plain.extend(close);
        let mut body = vec![
            Token::command("IfBooleanTF", 0),
            Token::new(Kind::Parameter(1), 0),
        ];
        for branch in [starred, plain] {
            body.push(Token::new(Kind::Begin, 0));
            body.extend(branch);
            body.push(Token::new(Kind::End, 0));
        }
        let parameters = vec![
            Parameter::Flag('*'),
            Parameter::Between('[', ']', Vec::new()),
            Parameter::Plain,
        ];
        self.set(name, Meaning::of_macro(parameters, body));
        Some(())
    }

    fn document_command(&mut self, replaces: bool) -> Option<()> {
        let name = self.defined_name()?;
        let specification = self.argument()?;
        let body = self.argument()?;
        if replaces || !self.macros.commands.contains_key(&name) {
            let parameters = specified_parameters(&specification)?;
            self.set(name, Meaning::of_macro(parameters, body));
        }
        Some(())
    }

    fn new_environment(&mut self) -> Option<()> {
        self.flag('*');
        let name = self.text_argument()?;
        let parameters = self.counted_parameters();
        self.define_environment(name, parameters)
    }

    fn document_environment(&mut self) -> Option<()> {
        let name = self.text_argument()?;
        let specification = self.argument()?;
        self.define_environment(name, specified_parameters(&specification)?)
    }

    fn define_environment(&mut self, name: Arc<str>, parameters: Vec<Parameter>) -> Option<()> {
        let begin = Meaning::of_macro(parameters, self.argument()?);
        let end = Meaning::of_macro(Vec::new(), self.argument()?);
        self.macros.environments.insert(name, (begin, end));
        Some(())
    }
}

impl Macro {
    /// What stands in a `\def` before a parameter belongs to the one before it.
    fn close_parameter(&mut self, literal: Vec<Kind>) {
        match self.parameters.last_mut() {
            None => self.prefix = literal,
            Some(last) if !literal.is_empty() => *last = Parameter::UpTo(literal),
            Some(_) => {}
        }
    }
}

/// The parameters that an xparse specification names, such as `s O{a} m`.
fn specified_parameters(specification: &[Token]) -> Option<Vec<Parameter>> {
    let mut rest = specification.iter().filter(|token| !token.is_space());
    let mut parameters = Vec::new();
    let no_value = || vec![Token::command(NO_VALUE, 0)];
    while let Some(token) = rest.next() {
        let Kind::Char(letter) = token.kind else {
            return None;
        };
        let mut character = || match rest.next()?.kind {
            Kind::Char(c) => Some(c),
            _ => None,
        };
        parameters.push(match letter {
            'm' => Parameter::Plain,
            's' => Parameter::Flag('*'),
            't' => Parameter::Flag(character()?),
            'o' => Parameter::Between('[', ']', no_value()),
            'd' | 'r' => Parameter::Between(character()?, character()?, no_value()),
            'g' => Parameter::Group(no_value()),
            'O' => Parameter::Between('[', ']', default(&mut rest)?),
            'D' | 'R' => {
                let (open, close) = (character()?, character()?);
                Parameter::Between(open, close, default(&mut rest)?)
            }
            'G' => Parameter::Group(default(&mut rest)?),
            // Long arguments, and spaces that count, are read as any other.
            '+' | '!' => continue,
            _ => return None,
        });
    }
    Some(parameters)
}

/// The default of a parameter: the group with which `rest` goes on.
fn default<'t>(rest: &mut impl Iterator<Item = &'t Token>) -> Option<Vec<Token>> {
    let mut depth = 0usize;
    let mut inner = Vec::new();
    for token in rest {
        match token.kind {
            Kind::Begin => depth += 1,
            Kind::End => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return inner.split_first().map(|(_, inner)| inner.to_vec());
        }
        inner.push(token.clone());
    }
    None
}
