//! The rows of displayed formulas, as formulas of their own.

use super::{Document, FoundFormula, Part};
use crate::latex::scan::split_token;

/// The environments whose rows are formulas. The rows of a matrix are none.
const ROWS: [&str; 14] = [
    "align",
    "aligned",
    "alignat",
    "alignedat",
    "flalign",
    "gather",
    "gathered",
    "eqnarray",
    "split",
    "multline",
    "IEEEeqnarray",
    "xalignat",
    "xxalignat",
    "dgroup",
];

impl Document {
    /// Adds the rows of each displayed formula that has several, after the formula.
    pub(super) fn add_rows(&mut self) {
        let parts = std::mem::take(&mut self.parts);
        for part in parts {
            let rows = match &part {
                Part::Formula(formula) => rows(formula),
                _ => Vec::new(),
            };
            self.parts.push(part);
            self.parts.extend(rows.into_iter().map(Part::Formula));
        }
    }
}

/// The rows of a formula, if it has several.
fn rows(formula: &FoundFormula) -> Vec<FoundFormula> {
    let Some(body) = body(formula.latex.trim()) else {
        return Vec::new();
    };
    let rows = split(body);
    if rows.len() < 2 {
        return Vec::new();
    }
    let starts = std::iter::once(&formula.at).chain(&formula.row_starts);
    let starts: Vec<usize> = starts.copied().collect();
    let row = |(number, latex): (usize, String)| FoundFormula {
        latex,
        is_display: true,
        label: None,
        id: None,
        // Where rows come out of a macro there are fewer places.
        at: starts.get(number).copied().unwrap_or(formula.at),
        row_starts: Vec::new(),
        is_row: true,
    };
    let rows = rows.into_iter().enumerate();
    let rows = rows.filter(|(_, latex)| !latex.is_empty());
    rows.map(row).collect()
}

/// What an environment of rows holds.
fn body(latex: &str) -> Option<&str> {
    let rest = latex.strip_prefix(r"\begin{")?;
    let (name, rest) = rest.split_once('}')?;
    let bare = name.trim_end_matches('*');
    let body = rest.strip_suffix(&format!(r"\end{{{name}}}"))?;
    // \begin{alignat}{2}
    let has_count = bare.ends_with("at") || bare == "IEEEeqnarray" || bare == "alignedat";
    let counted = has_count.then(|| body.trim_start().strip_prefix('{')?.split_once('}'));
    let body = counted.flatten().map_or(body, |(_, body)| body);
    ROWS.contains(&bare).then_some(body)
}

/// The rows of a body, without the marks by which they are aligned.
fn split(body: &str) -> Vec<String> {
    let mut rows = vec![String::new()];
    let mut rest = body;
    let mut depth = 0usize;
    while let Some((token, after)) = split_token(rest) {
        rest = after;
        match token {
            "{" | r"\begin" => depth += 1,
            "}" | r"\end" => depth = depth.saturating_sub(1),
            r"\\" | r"\cr" if depth == 0 => {
                // \\[2pt] and \\*
                rest = rest.strip_prefix('*').unwrap_or(rest);
                if let Some((_, after)) = rest.strip_prefix('[').and_then(|r| r.split_once(']')) {
                    rest = after;
                }
                rows.push(String::new());
                continue;
            }
            "&" if depth == 0 => continue,
            _ => {}
        }
        if let Some(row) = rows.last_mut() {
            row.push_str(token);
        }
    }
    let trimmed = |row: &String| row.trim().to_owned();
    rows.iter().map(trimmed).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tex;
    use super::*;
    use crate::latex::macros::Macros;

    #[test]
    fn rows_follow_their_formula_each_at_its_place() {
        let text = "\\begin{align*}\n a &= \\begin{pmatrix}1\\\\2\\end{pmatrix} \\\\[2pt]\n b &= {c\\\\d}\n\\end{align*}\n$\\begin{matrix}a\\\\b\\end{matrix}$";
        let mut document = tex::read(text, &mut Macros::default(), &mut ());
        document.add_rows();
        let found: Vec<(&str, bool, usize)> = document
            .formulas()
            .map(|f| {
                (
                    f.latex.as_str(),
                    f.is_row,
                    text[..f.at].matches('\n').count(),
                )
            })
            .skip(1)
            .collect();
        assert_eq!(
            found,
            [
                (r"a = \begin{pmatrix}1\\2\end{pmatrix}", true, 0),
                (r"b = {c\\d}", true, 2),
                (r"\begin{matrix}a\\b\end{matrix}", false, 4),
            ]
        );
        assert_eq!(split(r"a \\ "), ["a", ""]);
    }
}
