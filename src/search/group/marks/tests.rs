use super::*;
use crate::layout;

fn keys(latex: &[&str], group: Group) -> Vec<u128> {
    let laid_out = |latex: &&str| layout::latex(latex).unwrap_or_else(|e| panic!("{latex}: {e}"));
    latex
        .iter()
        .map(|latex| key(&laid_out(latex), group))
        .collect()
}

/// All of a list are one group.
fn one(latex: &[&str], group: Group) {
    let keys = keys(latex, group);
    for (latex, key) in latex.iter().zip(&keys) {
        assert_eq!(*key, keys[0], "{latex} is not one with the first, {group}");
    }
}

/// No two of a list are in one group.
fn apart(latex: &[&str], group: Group) {
    let keys = keys(latex, group);
    for (at, key) in keys.iter().enumerate() {
        if let Some(other) = keys[..at].iter().position(|other| other == key) {
            panic!("{} and {} are one group, {group}", latex[other], latex[at]);
        }
    }
}

#[test]
fn ways_of_writing_one_formula() {
    let same: &[&[&str]] = &[
        &[
            "a^2+b^2=c^2",
            "a^2 + b^2 = c^2,",
            "a^{2}+b^{2}=c^{2}.",
            r"\textstyle a^2+b^2=c^2",
            r"{a}^2\,+\;{b}^2\quad = c^2\;;",
            r"\large a^2+b^2=c^2",
            r"\mathrm{a}^2+b^2=c^2",
            r"\displaystyle {a^2}+{b^2}={c^2} \, .",
            ", a^2+b^2=c^2",
        ],
        &["x y", "xy", r"x\quad y", r"x\qquad\qquad y."],
        &[
            r"\sum_{i=1}^n x_i",
            r"\textstyle\sum_{i=1}^n x_i",
            r"\sum^n_{i=1}x_i,",
            r"\sum\nolimits_{i=1}^{n}\! x_i",
            r"\tiny \sum_{i=1}^n x_i",
        ],
        &[
            r"\lim_{x\to 0}\frac{\sin x}{x}=1",
            r"\textstyle\lim_{x\rightarrow 0}\tfrac{\sin x}{x}=1.",
            r"\lim\limits_{x \longrightarrow 0} \dfrac{\sin x}{x}=1",
            r"\operatorname*{lim}_{x\to 0} {\mathrm{sin}\,x \over x} = 1",
        ],
        &[
            r"\left(\frac{a}{b}\right)^n",
            r"\Big(\frac{a}{b}\Big)^n",
            r"(\frac ab)^{n}",
            r"(\tfrac ab)^{n}",
            r"\bigl(\tfrac{a}{b}\bigr)^n",
        ],
        &[
            r"\int_0^1 f\,dx",
            r"\textstyle\int_0^1 f\,\mathrm{d}x",
            r"\int\limits_0^1 f dx",
        ],
        &["f(x,y)", r"f\left(x,y\right)", r"f \bigl( x, y \bigr) ."],
        &[
            r"e^{-\frac{x^2}{2}}",
            r"\mathrm{e}^{-\tfrac{x^2}{2}}",
            r"e^{- {x^2 \over 2}}",
        ],
        &["1,2,...", r"1,2,\ldots", r"1,2,\dots ,", r"1,2,\cdots"],
        &["a\\le b", r"a\leq b", r"a \leqslant b"],
        &[r"{x_i}^2", "x_i^2", "x^2_i"],
        &[r"{x_{{n_i}^2}}^m y", "x_{n_i^2}^m y", "x^m_{n^2_i}y."],
        &[
            r"\sqrt{1+x}",
            r"\sqrt {\displaystyle 1+x}",
            r"\textstyle\sqrt{1+x}:",
        ],
        &["."],
        &[
            r"F \colon \mathcal{C} \to \mathcal{V}",
            r"F \;\colon\; \mathscr{C} \to \mathscr{V}",
        ],
    ];
    for latex in same {
        one(latex, Group::Writing);
        one(latex, Group::Renaming);
    }
    // What is one way of writing in each is another formula in the others.
    let firsts: Vec<&str> = same.iter().map(|latex| latex[0]).collect();
    apart(&firsts, Group::Writing);
}

#[test]
fn formulas_that_differ() {
    apart(
        &[
            "a^2+b^2=c^2",
            "a_2+b^2=c^2",
            "a2+b^2=c^2",
            "a^2+b^2=c^2+1",
            "a^2+b^2=c2",
            "a^2+b^2=c_2",
            "a^{2+b^2}=c^2",
            "a^2+b^2=c^3",
            "a^2+b^2=d^2",
            "a^2-b^2=c^2",
            r"\mathbf{a}^2+b^2=c^2",
            "a^2+b^2=c^{2,}",
        ],
        Group::Writing,
    );
    apart(
        &[
            "x_{i^2}",
            "x_i^2",
            "x_i2",
            "x^{2_i}",
            "x^2i",
            "x^{2i}",
            "x_{i2}",
            "x_{2i}",
            "xi2",
            r"\frac{x^2}{i}",
            r"\frac{x}{i^2}",
            r"\frac{x2}{i}",
            r"\frac{x}{2i}",
            r"x\frac{i}{2}",
            r"x^{\frac{i}{2}}",
            r"x_{\frac{i}{2}}",
            r"\frac{\frac{x}{i}}{2}",
            r"\frac{x}{\frac{i}{2}}",
        ],
        Group::Writing,
    );
    apart(
        &[
            r"\sqrt{xy}",
            r"\sqrt{x}y",
            r"\sqrt{x^y}",
            r"\sqrt{x}^y",
            r"\sqrt[x]{y}",
            r"x\sqrt{y}",
            r"\sqrt{x_y}",
            r"\overline{xy}",
            r"\overline{x}y",
            r"x\overline{y}",
            r"\underline{xy}",
            r"\frac{\sqrt x}{y}",
            r"\sqrt{\frac xy}",
            r"\hat{x}y",
            r"x\hat{y}",
            r"\widehat{xy}",
            r"\bar{x}y",
        ],
        Group::Writing,
    );
    apart(
        &[
            r"\begin{pmatrix}1&\\&1\end{pmatrix}",
            r"\begin{pmatrix}&1\\1&\end{pmatrix}",
            r"\begin{pmatrix}1&1\end{pmatrix}",
            r"\begin{pmatrix}1\\1\end{pmatrix}",
        ],
        Group::Writing,
    );
    apart(&["sin", r"\sin", r"\mathbf{sin}"], Group::Writing);
    apart(
        &["f(x,y)", "f(xy)", "f(x.y)", "f(x;y)", "f(x),y", "f_x,y"],
        Group::Writing,
    );
    apart(&["1,2", r"1,2,\ldots", "1,2,3"], Group::Writing);
    apart(
        &[
            r"\sum_i^n",
            r"\sum_n^i",
            r"\sum_{in}",
            r"\sum in",
            r"\sum^{in}",
        ],
        Group::Writing,
    );
}

#[test]
fn renaming_is_one_to_one() {
    for same in [
        &[
            "x^2+y^2=z^2",
            "a^2+b^2=c^2.",
            r"\alpha^2+\mathbf{b}^2 = \mathrm{c}^2",
        ][..],
        &[r"\sum_{i=1}^n x_i", r"\textstyle\sum_{k=1}^m a_k"],
        &[r"\int_0^1 f(x)\,dx", r"\int_0^1 g(t) \mathrm{d}t"],
        &[r"\hat{x}+\bar{A}", r"\hat{B}+\bar{f}"],
        &["f:X\\to Y", r"g \colon A \longrightarrow \mathcal{B}"],
    ] {
        one(same, Group::Renaming);
        apart(&same[..2], Group::Writing);
    }
    apart(
        &[
            "x^2+y^2=z^2",
            "x^2+x^2=z^2",
            "x^2+y^2=x^2",
            "x^2+y^2=y^2",
            "x^2+y^2=z^3",
            "x^2+y^2=1",
        ],
        Group::Renaming,
    );
    apart(&["2\\pi r", "2ar", "3\\pi r"], Group::Renaming);
    apart(&["e^x", "a^x", r"\exp x"], Group::Renaming);
    apart(
        &[
            "e^{2i}",
            "a^{2i}",
            "e^{-1}",
            "a^{-1}",
            r"e^{\frac12}",
            r"a^{\frac12}",
        ],
        Group::Renaming,
    );
    one(&["d^2+e^2", "e^2+d^2", "a^2+b^2"], Group::Renaming);
    apart(
        &[r"x\in\mathbb{R}", r"x\in\mathbb{Q}", r"x\in Q"],
        Group::Renaming,
    );
    apart(&[r"\sin x", r"\cos x", "f x"], Group::Renaming);
    apart(
        &[r"\frac{\partial f}{\partial x}", r"\frac{df}{dx}"],
        Group::Renaming,
    );
    one(&["e+x", "a+x"], Group::Renaming);
}
