//! The effects of commands on the names after them.

/// The alphabet that a letter is set in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Alphabet {
    Italic,
    Bold,
    BoldItalic,
    Calligraphic,
    Blackboard,
    Fraktur,
    Sans,
    /// Upright letters and the like spell words: none is a variable.
    Words,
}

/// The kinds of commands that renaming and cutting distinguish.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Command {
    /// A Greek letter.
    Greek(char),
    /// Sets its argument in an alphabet.
    Sets(Alphabet),
    /// Sets the rest of its group in an alphabet.
    Switches(Alphabet),
    /// Has this many arguments that are no formulas.
    Swallows(usize),
    /// Is followed by a length, such as 3pt.
    Length,
    /// Stands between two formulas.
    Operator,
    /// Draws a slash through the next symbol.
    Negates,
    /// Opens something that another closes.
    Opens,
    /// Closes it.
    Closes,
    /// Opens something with the delimiter that follows.
    Left,
    /// Closes it, likewise.
    Right,
    /// Opens an environment.
    Begin,
    /// Closes it.
    End,
    /// Opens or closes: a bar, single (0) or double (1).
    Bar(usize),
    /// Takes all of its group apart, so that it cannot be cut or joined.
    Divides,
    /// Defines commands: nothing is known of the formula.
    Defines,
    /// Draws something, or changes how.
    Other,
}

/// The kind of the command `name`, which is given without its backslash.
pub(super) fn command(name: &str) -> Command {
    if let Some((_, letter)) = GREEK.iter().find(|(greek, _)| *greek == name) {
        return Command::Greek(*letter);
    }
    match name {
        "mathbf" => Command::Sets(Alphabet::Bold),
        "boldsymbol" | "bm" | "pmb" => Command::Sets(Alphabet::BoldItalic),
        "mathcal" | "mathscr" => Command::Sets(Alphabet::Calligraphic),
        "mathbb" | "Bbb" => Command::Sets(Alphabet::Blackboard),
        "mathfrak" => Command::Sets(Alphabet::Fraktur),
        "mathsf" => Command::Sets(Alphabet::Sans),
        "bf" => Command::Switches(Alphabet::Bold),
        "cal" | "scr" => Command::Switches(Alphabet::Calligraphic),
        "frak" => Command::Switches(Alphabet::Fraktur),
        "sf" => Command::Switches(Alphabet::Sans),
        "rm" | "it" | "tt" | "sc" | "sl" => Command::Switches(Alphabet::Words),
        _ if TEXTS.contains(&name) => Command::Swallows(1),
        "rule" | "raisebox" | "fcolorbox" => Command::Swallows(2),
        "kern" | "mkern" | "hskip" | "mskip" | "vskip" | "raise" | "lower" => Command::Length,
        "left" => Command::Left,
        "right" => Command::Right,
        "begin" => Command::Begin,
        "end" => Command::End,
        "vert" => Command::Bar(0),
        "|" | "Vert" => Command::Bar(1),
        "not" => Command::Negates,
        "{" | "langle" | "lfloor" | "lceil" | "lbrace" | "lvert" | "lVert" | "lbrack" => {
            Command::Opens
        }
        "}" | "rangle" | "rfloor" | "rceil" | "rbrace" | "rvert" | "rVert" | "rbrack" => {
            Command::Closes
        }
        "over" | "atop" | "choose" | "above" | "brace" | "brack" | "\\" | "cr" | "newline"
        | "middle" => Command::Divides,
        "def" | "let" | "newcommand" | "renewcommand" | "DeclareMathOperator" | "gdef" => {
            Command::Defines
        }
        _ if OPERATORS.contains(&name) => Command::Operator,
        _ => Command::Other,
    }
}

/// Commands whose argument is text, a name or a length.
#[rustfmt::skip]
const TEXTS: [&str; 40] = [
    "text", "mbox", "hbox", "vbox", "textbf", "textrm", "textit", "texttt", "textsf",
    "textnormal", "textup", "textsc", "operatorname", "operatornamewithlimits", "mathrm",
    "mathit", "mathtt", "label", "tag", "ref", "eqref", "cite", "color", "textcolor", "colorbox",
    "hspace", "vspace", "mspace", "href", "class", "unicode", "hphantom", "phantom", "vphantom",
    "ce", "pu", "url", "require", "style", "cssId",
];

/// Commands that stand between two formulas.
#[rustfmt::skip]
const OPERATORS: [&str; 42] = [
    "in", "to", "times", "cdot", "leq", "otimes", "pm", "circ", "rightarrow", "le", "geq", "sim",
    "subset", "cap", "wedge", "simeq", "longrightarrow", "approx", "equiv", "ast", "cup", "oplus",
    "ge", "mapsto", "neq", "subseteq", "setminus", "cong", "vee", "Rightarrow", "leftarrow",
    "propto", "lesssim", "leqslant", "ll", "ne", "gg", "star", "geqslant", "lt", "gt", "mid",
];

/// The command, without its backslash, of a Greek letter.
pub(super) fn greek_command(letter: char) -> Option<&'static str> {
    let found = GREEK.iter().find(|(_, greek)| *greek == letter);
    found.map(|(name, _)| *name)
}

/// Greek letters that are variables.
const GREEK: [(&str, char); 38] = [
    ("alpha", 'α'),
    ("beta", 'β'),
    ("gamma", 'γ'),
    ("delta", 'δ'),
    ("epsilon", 'ϵ'),
    ("varepsilon", 'ε'),
    ("zeta", 'ζ'),
    ("eta", 'η'),
    ("theta", 'θ'),
    ("vartheta", 'ϑ'),
    ("iota", 'ι'),
    ("kappa", 'κ'),
    ("lambda", 'λ'),
    ("mu", 'μ'),
    ("nu", 'ν'),
    ("xi", 'ξ'),
    ("pi", 'π'),
    ("rho", 'ρ'),
    ("varrho", 'ϱ'),
    ("sigma", 'σ'),
    ("varsigma", 'ς'),
    ("tau", 'τ'),
    ("upsilon", 'υ'),
    ("phi", 'ϕ'),
    ("varphi", 'φ'),
    ("chi", 'χ'),
    ("psi", 'ψ'),
    ("omega", 'ω'),
    ("Gamma", 'Γ'),
    ("Delta", 'Δ'),
    ("Theta", 'Θ'),
    ("Lambda", 'Λ'),
    ("Xi", 'Ξ'),
    ("Pi", 'Π'),
    ("Sigma", 'Σ'),
    ("Phi", 'Φ'),
    ("Psi", 'Ψ'),
    ("Omega", 'Ω'),
];
