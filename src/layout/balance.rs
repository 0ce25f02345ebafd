//! Balance: braces, `\left` and environments, closed where they are open.

use super::clean::braced;

/// What is open in a formula.
enum Open<'a> {
    Brace,
    Left,
    Environment(&'a str),
}

/// Closes what is open and drops what closes nothing.
pub(super) fn balanced(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let mut open: Vec<Open> = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let (token, after) = rest.split_at(token_length(rest, c));
        rest = after;
        match token {
            "{" => open.push(Open::Brace),
            r"\left" => open.push(Open::Left),
            "}" if !close(&mut open, &mut out, |o| matches!(o, Open::Brace)) => continue,
            r"\right" if !close(&mut open, &mut out, |o| matches!(o, Open::Left)) => {
                out.push_str(r"\left.");
            }
            r"\begin" => {
                if let Some(name) = braced(rest) {
                    open.push(Open::Environment(name));
                    out.push_str(&format!(r"\begin{{{name}}}"));
                    rest = &rest[name.len() + 2..];
                    continue;
                }
            }
            r"\end" => {
                if let Some(name) = braced(rest) {
                    rest = &rest[name.len() + 2..];
                    let same = |o: &Open| matches!(o, Open::Environment(n) if *n == name);
                    if close(&mut open, &mut out, same) {
                        out.push_str(&format!(r"\end{{{name}}}"));
                    }
                    continue;
                }
            }
            _ => {}
        }
        out.push_str(token);
    }
    while let Some(last) = open.pop() {
        out.push_str(&closing(&last));
    }
    out
}

/// The length of the command or character with which `text` begins.
pub(super) fn token_length(text: &str, first: char) -> usize {
    if first != '\\' {
        return first.len_utf8();
    }
    let letters = text[1..].find(|c: char| !c.is_ascii_alphabetic());
    match letters.unwrap_or(text.len() - 1) {
        0 => 1 + text[1..].chars().next().map_or(0, char::len_utf8),
        letters => 1 + letters,
    }
}

/// Closes, innermost first, up to the last open thing that is `wanted`, which
/// the caller closes; `false`, and nothing done, where there is none.
fn close(open: &mut Vec<Open>, out: &mut String, wanted: impl Fn(&Open) -> bool) -> bool {
    if !open.iter().any(&wanted) {
        return false;
    }
    while let Some(last) = open.pop() {
        if wanted(&last) {
            return true;
        }
        out.push_str(&closing(&last));
    }
    false
}

fn closing(open: &Open) -> String {
    match open {
        Open::Brace => "}".to_owned(),
        Open::Left => r"\right.".to_owned(),
        Open::Environment(name) => format!(r"\end{{{name}}}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_open_is_closed() {
        assert_eq!(balanced(r"\frac{a}{b"), r"\frac{a}{b}");
        assert_eq!(balanced(r"a}+b"), "a+b");
        assert_eq!(balanced(r"\left(a"), r"\left(a\right.");
        assert_eq!(balanced(r"a\right)"), r"a\left.\right)");
        assert_eq!(
            balanced(r"\begin{matrix}\left(a{b\end{matrix}"),
            r"\begin{matrix}\left(a{b}\right.\end{matrix}"
        );
        assert_eq!(balanced(r"\{a\}"), r"\{a\}");
    }
}
