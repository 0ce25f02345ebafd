use super::*;

/// Takes in the definitions of a preamble.
fn defined(preamble: &str) -> Macros {
    let mut macros = Macros::default();
    let mut expander = Expander::new(preamble, &mut macros);
    while expander.next().is_some() {}
    macros
}

fn expanded(preamble: &str, latex: &str) -> String {
    let mut macros = defined(preamble);
    let mut expander = Expander::new(latex, &mut macros);
    expander.mode = Mode::Display;
    let mut text = String::new();
    while let Some(token) = expander.next() {
        push_source(&mut text, &token.kind);
    }
    text
}

#[test]
fn macros_stand_for_what_they_were_defined_as() {
    for (preamble, latex, expected) in [
        (r"\newcommand{\R}{\mathbb{R}}", r"\R^n", r"\mathbb{R}^n"),
        (r"\newcommand\eps\varepsilon", r"\eps x", r"\varepsilon x"),
        (
            r"\newcommand{\norm}[2][2]{\lVert #2 \rVert_{#1}}",
            r"\norm{x}+\norm[p]{y}",
            r"\lVert x \rVert_{2}+\lVert y \rVert_{p}",
        ),
        (
            r"\def\pair(#1,#2){\langle #1|#2\rangle}",
            r"\pair(a,{b,c})",
            r"\langle a|b,c\rangle",
        ),
        (
            r"\let\phi\varphi \let\a=\alpha",
            r"\phi\a",
            r"\varphi\alpha",
        ),
        (
            r"\let\old\vec \renewcommand\vec[1]{\mathbf{\old{#1}}}",
            r"\vec x",
            r"\mathbf{\vec{x}}",
        ),
        (
            r"\DeclareMathOperator*{\argmax}{arg\,max}",
            r"\argmax_x",
            r"\operatorname*{arg\,max}_x",
        ),
        (
            r"\DeclarePairedDelimiter{\abs}{\lvert}{\rvert}",
            r"\abs{x}\abs*{x}\abs[\big]{x}",
            r"\lvert x\rvert\left\lvert x\right\rvert\big\lvert x\big\rvert",
        ),
        (
            r"\NewDocumentCommand{\der}{s O{x} m}{\IfBooleanTF{#1}{\partial}{d}#3/#2}",
            r"\der{f}\der*[t]{g}",
            r"df/x\partial g/t",
        ),
        (r"\newcommand\x{\ensuremath{a}\xspace}", r"\x+\x", r"a+a"),
        (
            r"\newenvironment{eqn}{\begin{align*}}{\end{align*}}",
            r"\begin{eqn}a\end{eqn}",
            r"\begin{align*}a\end{align*}",
        ),
        (
            r"\newif\ifwide \widetrue \newcommand\w{\ifwide W\else w\fi}",
            r"\w",
            "W",
        ),
        (
            r"\makeatletter\def\sm#1{\@ifnextchar\bgroup{\s@m{#1}}{(#1)}}\def\s@m#1#2{[#1,#2]}\makeatother",
            r"\sm{a}{b}\sm{c}d",
            r"[a,b](c)d",
        ),
        (
            r"\expandafter\def\csname my name\endcsname{z}",
            r"\csname my name\endcsname",
            "z",
        ),
    ] {
        assert_eq!(expanded(preamble, latex), expected, "{preamble} {latex}");
    }
}

#[test]
fn macros_without_end_are_found_and_left_alone() {
    for bomb in [
        r"\def\a{\a}",
        r"\def\a{\a\a}",
        r"\def\a{x\a}",
        r"\def\a{\b}\def\b{\a}",
        r"\def\a{\c\c\c\c\c\c\c\c}\def\c{\d\d\d\d\d\d\d\d}\def\d{\e\e\e\e\e\e\e\e}\def\e{\f\f\f\f\f\f\f\f}\def\f{\g\g\g\g\g\g\g\g\g\g}\def\g{\h\h\h\h\h\h\h\h\h}\def\h{xxxxxxxxxxxxxx}",
    ] {
        let mut macros = defined(bomb);
        let mut expander = Expander::new(r"\a+1", &mut macros);
        let mut last = None;
        while let Some(token) = expander.next() {
            last = Some(token);
        }
        assert_eq!(last.unwrap().kind, Kind::Char('1'), "{bomb}");
        assert!(!expander.endless.is_empty(), "{bomb}");
    }
}
