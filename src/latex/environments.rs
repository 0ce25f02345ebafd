//! Environments: their plain names, and the columns of arrays.

use super::scan::split_argument;

/// The largest number of columns that `*{n}{c}` may ask for.
const MOST_COLUMNS: usize = 64;

/// The environment that draws the same without numbers, or `None` where
/// nothing but the contents is drawn.
pub(super) fn environment(name: &str) -> Option<&str> {
    Some(match name {
        "equation" => "equation*",
        "align" => "align*",
        "alignat" => "alignat*",
        "gather" => "gather*",
        "flalign" | "flalign*" => "align*",
        "eqnarray" | "eqnarray*" | "tabular" | "IEEEeqnarray" | "IEEEeqnarray*" => "array",
        "multline" | "multline*" | "multlined" => "gathered",
        "math" | "displaymath" | "subequations" | "center" | "document" => return None,
        other => other,
    })
}

/// The columns and rules of an `array`, without the text that TeX would print between them.
pub(super) fn column_spec(spec: &str) -> String {
    let mut out = String::new();
    let mut rest = spec;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match c {
            'l' | 'c' | 'r' | '|' | ':' => out.push(c),
            'p' | 'm' | 'b' => {
                rest = split_argument(rest).1;
                out.push('l');
            }
            '@' | '!' | '>' | '<' => rest = split_argument(rest).1,
            '*' => {
                let (count, after) = split_argument(rest);
                let (columns, after) = split_argument(after);
                let count = count.trim().parse().unwrap_or(1).min(MOST_COLUMNS);
                out.push_str(&column_spec(columns).repeat(count));
                rest = after;
            }
            _ => {}
        }
    }
    out.chars().take(MOST_COLUMNS).collect()
}
