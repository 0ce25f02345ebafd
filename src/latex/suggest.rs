//! Commands that nobody knows, and the known ones that may be meant.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::scan::split_token;

/// The commands that are known, by how often 1.6 million real formulas have them; those that none
/// has come last, by name.
const LISTED: &str = include_str!("commands.txt");

/// The most unknown commands of one formula that are compared with all known ones.
const MOST_COMMANDS: usize = 64;

/// Names of functions that people define for themselves. None is a mistyped command, and each is
/// written as its letters.
const NAMES: [&str; 32] = [
    "arccot", "arccsc", "arcosh", "arcsec", "arsinh", "artanh", "coker", "colim", "conv", "cov",
    "csch", "curl", "diag", "dist", "div", "grad", "lcm", "map", "norm", "proj", "ran", "rank",
    "res", "rot", "sech", "sgn", "sign", "sinc", "span", "supp", "trace", "var",
];

/// The listed commands, each with its place.
static PLACES: LazyLock<HashMap<&str, usize>> = LazyLock::new(|| {
    let places = LISTED.lines().enumerate();
    places.map(|(place, name)| (name, place)).collect()
});

/// Whether a command, given with its backslash, is listed.
pub(crate) fn is_listed(command: &str) -> bool {
    PLACES.contains_key(name(command))
}

/// The listed commands, without their backslashes.
#[cfg(test)]
pub(crate) fn listed() -> impl Iterator<Item = &'static str> {
    LISTED.lines()
}

fn name(command: &str) -> &str {
    command.strip_prefix('\\').unwrap_or(command)
}

/// The longer command that an unknown one is the beginning of, the most frequent first.
pub(crate) fn begun(command: &str) -> Option<&'static str> {
    let begun = name(command);
    let is_name = begun.is_empty() || NAMES.contains(&begun);
    let mut longer = LISTED.lines().filter(|known| known.starts_with(begun));
    longer.next().filter(|_| !is_name)
}

/// The known command, without its backslash, that an unknown one may be meant for: the one with
/// the fewest letters wrong, or one that it is the beginning of. Among those the most frequent.
pub(crate) fn suggestion(command: &str) -> Option<&'static str> {
    let typed = name(command);
    // Two letters or fewer are short for anything.
    if typed.len() < 3 || NAMES.contains(&typed) || NAMES.contains(&&*typed.to_lowercase()) {
        return None;
    }
    let most = match typed.len() {
        0..=3 => 0,
        4..=6 => 1,
        _ => 2,
    };
    let near = LISTED.lines().filter_map(|known| {
        let wrong = if known.eq_ignore_ascii_case(typed) {
            1
        } else {
            mistakes(typed, known, most)?
        };
        (wrong <= most).then_some((wrong, known))
    });
    // The first of equals is the more frequent.
    let nearest = near.min_by_key(|(wrong, _)| *wrong);
    nearest.map(|(_, known)| known).or_else(|| begun(command))
}

/// How many letters are wrong, missing, too many, or swapped with the next: at most `most`.
fn mistakes(typed: &str, known: &str, most: usize) -> Option<usize> {
    let (a, b) = (typed.as_bytes(), known.as_bytes());
    if a.len().abs_diff(b.len()) > most {
        return None;
    }
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let substituted = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut fewest = substituted.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                fewest = fewest.min(before_last[j - 2] + 1);
            }
            row.push(fewest);
        }
        if row.iter().all(|&fewest| fewest > most) {
            return None;
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last.last().copied().filter(|&wrong| wrong <= most)
}

/// A formula without the commands that are mistyped.
#[derive(Debug, PartialEq)]
pub(crate) struct WithoutMistyped {
    /// What remains of it.
    pub(crate) latex: String,
    /// The commands that were left out, each once, with what may be meant.
    pub(crate) left_out: Vec<(String, &'static str)>,
}

/// Leaves out the commands that `is_known` does not know where another may be meant. An unknown
/// command at the end that is the beginning of another stays.
pub(crate) fn without_mistyped(latex: &str, is_known: impl Fn(&str) -> bool) -> WithoutMistyped {
    let mut without = WithoutMistyped {
        latex: String::with_capacity(latex.len()),
        left_out: Vec::new(),
    };
    let mut asked: HashMap<&str, Option<&'static str>> = HashMap::new();
    let mut rest = latex;
    let mut is_wanted = false;
    while let Some((token, after)) = split_token(rest) {
        rest = after;
        let is_last = || rest.trim().is_empty() && begun(token).is_some();
        let is_word = token.len() > 3 && token.starts_with('\\');
        let meant = match asked.get(token) {
            Some(meant) => *meant,
            None if is_word && asked.len() < MOST_COMMANDS && !is_known(token) => {
                let meant = suggestion(token).filter(|_| !is_last());
                asked.insert(token, meant);
                meant
            }
            None => None,
        };
        if let Some(meant) = meant {
            if !without.left_out.iter().any(|(command, _)| command == token) {
                without.left_out.push((token.to_owned(), meant));
            }
            // What was its argument must not become that of the command before it.
            without.latex.push_str(if is_wanted { "{}" } else { "" });
        } else {
            without.latex.push_str(token);
        }
        if !token.trim().is_empty() {
            is_wanted = matches!(token, "^" | "_") || (token.starts_with('\\') && meant.is_none());
        }
    }
    without
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_near_command_is_suggested() {
        for (typed, meant) in [
            (r"\fraq", Some("frac")),
            (r"\alhpa", Some("alpha")),
            (r"\infinty", Some("infty")),
            (r"\rigtharow", Some("rightarrow")),
            (r"\ALPHA", Some("alpha")),
            (r"\eps", Some("epsilon")),
            (r"\supp", None),
            (r"\Diag", None),
            (r"\dx", None),
            (r"\nobody", None),
        ] {
            assert_eq!(suggestion(typed), meant, "{typed}");
        }
        assert_eq!(begun(r"\fra"), Some("frac"));
        assert_eq!(begun(r"\zz"), None);
    }

    #[test]
    fn mistyped_commands_are_left_out_and_others_stay() {
        for (latex, remains) in [
            (r"\fraq{1}{2}", "{1}{2}"),
            (r"x^\alhpa+1", "x^{}+1"),
            (r"\hat\alhpa", r"\hat{}"),
            (r"\nobody+\dx", r"\nobody+\dx"),
            (r"x+\fra", r"x+\fra"),
        ] {
            let without = without_mistyped(latex, is_listed);
            assert_eq!(without.latex, remains);
        }
        let twice = without_mistyped(r"\fraq12+\fraq34", is_listed);
        assert_eq!(twice.left_out, [(r"\fraq".to_owned(), "frac")]);
    }
}
