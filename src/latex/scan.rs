//! The one scanner of LaTeX text: it finds the ends of tokens and the text within braces.
//!
//! A token is a command (a backslash with the letters that follow it, or with
//! one other character) or any other character.

/// The token with which `text` begins; empty only where `text` is.
pub(crate) fn token(text: &str) -> &str {
    match text.strip_prefix('\\') {
        Some(_) => &text[..1 + command_name(text).len()],
        None => &text[..first_length(text)],
    }
}

/// The token with which `text` begins, and the text after it.
pub(crate) fn split_token(text: &str) -> Option<(&str, &str)> {
    (!text.is_empty()).then(|| text.split_at(token(text).len()))
}

/// The name of the command with which `text` begins, without its backslash. A
/// lone backslash at the end has an empty one.
pub(crate) fn command_name(text: &str) -> &str {
    name_of(text, |c| c.is_ascii_alphabetic())
}

/// As [`command_name`] where `@` is a letter, as it is within LaTeX's own files, from
/// which formulas are sometimes copied.
pub(crate) fn internal_command_name(text: &str) -> &str {
    name_of(text, |c| c.is_ascii_alphabetic() || c == '@')
}

fn name_of(text: &str, is_letter: impl Fn(char) -> bool) -> &str {
    let name = text.strip_prefix('\\').unwrap_or_default();
    let letters = name.find(|c| !is_letter(c)).unwrap_or(name.len());
    let length = if letters == 0 {
        first_length(name)
    } else {
        letters
    };
    &name[..length]
}

/// The length of the first character.
fn first_length(text: &str) -> usize {
    text.chars().next().map_or(0, char::len_utf8)
}

/// Where the last token of `text` begins.
pub(crate) fn last_token(text: &str) -> usize {
    let mut rest = text;
    let mut last = 0;
    while let Some((_, after)) = split_token(rest) {
        last = text.len() - rest.len();
        rest = after;
    }
    last
}

/// The inside of the braces with which `text` begins, if they are closed.
pub(crate) fn braced(text: &str) -> Option<&str> {
    let mut depth = 0usize;
    let mut rest = text;
    while let Some((token, after)) = split_token(rest) {
        match token {
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            let end = text.len() - rest.len();
            return (end > 0).then(|| &text[1..end]);
        }
        rest = after;
    }
    None
}

/// The inside of the braces with which `text` begins, and the text after them.
pub(crate) fn split_braced(text: &str) -> Option<(&str, &str)> {
    let inner = braced(text)?;
    Some((inner, &text[inner.len() + 2..]))
}

/// The inside of the braces, or the token, with which `text` begins after any white
/// space, and the text after it.
pub(crate) fn split_argument(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    split_braced(text).unwrap_or_else(|| text.split_at(token(text).len()))
}

/// Where `command` stands in `text`, outside of braces.
pub(crate) fn find_command(text: &str, command: &str) -> Option<usize> {
    let mut depth = 0i32;
    let mut rest = text;
    while let Some((token, after)) = split_token(rest) {
        match token {
            "{" => depth += 1,
            "}" => depth -= 1,
            _ if token == command && depth == 0 => return Some(text.len() - rest.len()),
            _ => {}
        }
        rest = after;
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn tokens_are_commands_and_characters() {
        for (text, expected) in [
            (r"\alpha x", r"\alpha"),
            (r"\\alpha", r"\\"),
            (r"\{a", r"\{"),
            (r"\é", r"\é"),
            (r"\", r"\"),
            ("éa", "é"),
            ("", ""),
        ] {
            assert_eq!(token(text), expected, "{text}");
        }
        assert_eq!(command_name(r"\foo@bar"), "foo");
        assert_eq!(internal_command_name(r"\foo@bar"), "foo@bar");
    }

    #[test]
    fn braces_hold_what_is_between_them() {
        for (text, inner) in [
            ("{a{b}}c", Some("a{b}")),
            (r"{a\}b}", Some(r"a\}b")),
            (r"{a\\}b}", Some(r"a\\")),
            ("{}", Some("")),
            ("{a", None),
            ("a{b}", None),
            ("}", None),
            ("", None),
        ] {
            assert_eq!(braced(text), inner, "{text}");
        }
        assert_eq!(split_argument(" {a}b"), ("a", "b"));
        assert_eq!(split_argument(r" \ab c"), (r"\ab", " c"));
        assert_eq!(split_argument(" "), ("", ""));
        assert_eq!(
            find_command(r"{a\over b}\overline\over", r"\over"),
            Some(19)
        );
    }

    #[test]
    fn the_last_token_is_told_from_the_beginning() {
        for (text, last) in [
            (r"a\beta", r"\beta"),
            (r"a\\b", "b"),
            (r"a\{", r"\{"),
            ("", ""),
        ] {
            assert_eq!(&text[last_token(text)..], last, "{text}");
        }
    }

    proptest! {
        /// Tokens are the whole text, and none is empty.
        #[test]
        fn any_text_is_its_tokens(text in r"[\\{}a-b@ é]{0,24}") {
            let (mut rest, mut all) = (&text[..], String::new());
            while let Some((token, after)) = split_token(rest) {
                prop_assert!(!token.is_empty());
                all.push_str(token);
                rest = after;
            }
            prop_assert_eq!(&all, &text);
            braced(&text);
        }
    }
}
