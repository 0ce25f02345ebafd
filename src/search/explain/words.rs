//! An explanation in words.

use super::{Explanation, OrderedBy, SymbolMatches, UnmatchedName};
use crate::phoc::TokenKind;
use crate::search::rerank::Compared;

/// What re-ranking said: the comparison, and the likeness of a formula that is equal to the query.
pub(in crate::search) struct Reranking {
    pub(in crate::search) compared: Compared,
    pub(in crate::search) highest: f64,
    /// How many of the first results are re-ranked.
    pub(in crate::search) depth: usize,
}

/// The explanation in whole sentences, the most telling first.
pub(in crate::search) fn words(
    explanation: &Explanation,
    reranking: Option<&Reranking>,
) -> Vec<String> {
    let matches = &explanation.matches;
    let mut words = vec![symbols(matches)];
    words.extend(renamed(matches));
    if let Some(Reranking { compared, .. }) = reranking {
        words.extend(pairs(compared.pairs));
        words.extend(piece(compared.likeness.part));
    }
    words.push(further(&matches.extra));
    words.push(places(explanation));
    words.push(order(explanation, reranking));
    words
}

fn symbols(matches: &SymbolMatches) -> String {
    let (matched, all) = matches.of_query();
    match (matched, all) {
        (0, _) => "It has no symbol of your formula by itself.".to_owned(),
        (1, 1) => "It has the symbol of your formula.".to_owned(),
        _ if matched == all => format!("It has all {all} symbols of your formula."),
        _ => {
            let missing = listed(matches.missing.iter().map(times));
            let verb = if all - matched == 1 { "is" } else { "are" };
            format!(
                "It has {matched} of the {all} symbols of your formula; {missing} {verb} missing."
            )
        }
    }
}

/// The names that stand for others.
fn renamed(matches: &SymbolMatches) -> Option<String> {
    let renamed = matches.matched.iter();
    let mut renamed = renamed
        .filter(|name| name.query != name.formula)
        .map(|name| {
            let (query, formula) = (called(&name.query), called(&name.formula));
            format!("its {formula} for your {query}")
        })
        .peekable();
    renamed.peek()?;
    Some(format!(
        "Other letters or digits stand for yours: {}.",
        listed(renamed)
    ))
}

fn pairs((found, all): (usize, usize)) -> Option<String> {
    Some(match (found, all) {
        (_, 0) => return None,
        (1, 1) => "Its two symbols stand side by side as yours do.".to_owned(),
        (0, _) => "None of them stand next to each other as yours do.".to_owned(),
        _ if found == all => format!("All {all} pairs of neighbours stand as they do in yours."),
        _ => format!("{found} of your {all} pairs of neighbours stand as they do in yours."),
    })
}

/// How much of the query is one piece of the formula: `part` is a quarter of its square.
fn piece(part: f64) -> Option<String> {
    let share = (part / 0.25).sqrt();
    if share > 0.995 {
        Some("Your whole formula is one piece of it.".to_owned())
    } else if share >= 0.4 {
        Some(format!(
            "About {:.0}% of your formula is one piece of it.",
            100.0 * share
        ))
    } else {
        None
    }
}

fn further(extra: &[UnmatchedName]) -> String {
    let count: usize = extra.iter().map(|name| name.boxes.len()).sum();
    match count {
        0 => "It has no other symbols.".to_owned(),
        1 => "It has one other symbol.".to_owned(),
        _ => format!("It has {count} other symbols."),
    }
}

/// The regions that symbols share, letters as they are.
fn places(explanation: &Explanation) -> String {
    let symbols = explanation.tokens.iter();
    let symbols = symbols.filter(|token| token.kind == TokenKind::Symbol);
    let (shared, all) = symbols.fold((0, 0), |(shared, all), token| {
        let regions = token.query_bits.matches('1').count();
        (shared + token.shared as usize, all + regions)
    });
    let part = 100.0 * shared as f64 / all.max(1) as f64;
    format!(
        "Of the regions of the page that your symbols touch, the same symbols touch {part:.0}% here \
         ({shared} of {all})."
    )
}

fn order(explanation: &Explanation, reranking: Option<&Reranking>) -> String {
    let value = explanation.order.value;
    match (explanation.order.by, reranking) {
        (OrderedBy::Likeness, Some(reranking)) => format!(
            "Results are ordered by likeness, which is {value:.4} here; that of an equal formula is \
             {:.4}.",
            reranking.highest
        ),
        (_, Some(Reranking { depth, .. })) => format!(
            "It is not among the first {depth}, which alone are compared as whole formulas, and \
             stands after them by its score of {value:.4}."
        ),
        (_, None) => format!("Results are ordered by their score, which is {value:.4} here."),
    }
}

/// What a symbol is called in a sentence.
fn called(symbol: &str) -> &str {
    match symbol {
        "-" => "the fraction bar",
        "\u{2010}" => "the hyphen",
        _ if symbol.starts_with('#') && symbol.len() > 1 => "a shape without a name",
        _ => symbol,
    }
}

/// A symbol with how often it is missing.
fn times(name: &UnmatchedName) -> String {
    let symbol = called(&name.symbol);
    match name.boxes.len() {
        1 => symbol.to_owned(),
        count => format!("{count} × {symbol}"),
    }
}

/// A list as English has it.
fn listed(items: impl Iterator<Item = String>) -> String {
    let mut items: Vec<String> = items.collect();
    match items.pop() {
        Some(last) if !items.is_empty() => format!("{} and {last}", items.join(", ")),
        last => last.unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use crate::corpus::Record;
    use crate::index::IndexBuilder;
    use crate::phoc::PhocConfig;
    use crate::search::{Explanation, Request, Searcher};

    fn explained(config: &str, query: &str, formula: &str) -> Explanation {
        let config: PhocConfig = config.parse().unwrap();
        let mut builder = IndexBuilder::new(config);
        builder
            .add(Record::latex("1".parse().unwrap(), formula))
            .unwrap();
        let searcher = Searcher::new(builder.finish_in_memory().unwrap());
        searcher.explain(&Request::latex(query), "1").unwrap()
    }

    #[test]
    fn renamed_symbols_are_matched_with_what_they_stand_for() {
        let found = explained("best", "x^2+y^2", "a^2+b^2");
        let names = found.matches.matched.iter();
        let names: Vec<(&str, &str)> = names
            .map(|name| (name.query.as_str(), name.formula.as_str()))
            .collect();
        assert!(
            names.contains(&("x", "a")) && names.contains(&("y", "b")),
            "{names:?}"
        );
        assert_eq!(found.matches.of_query(), (5, 5));
        assert!(found.matches.missing.is_empty());
        let words = found.words.join("\n");
        assert!(words.contains("all 5 symbols"), "{words}");
        assert!(
            words.contains("its a for your x and its b for your y"),
            "{words}"
        );
        assert!(words.contains("It has no other symbols"), "{words}");
        assert!(words.contains("ordered by likeness"), "{words}");
    }

    #[test]
    fn without_reranking_letters_are_what_they_are() {
        let found = explained("xy7o4", "x^2+y", "x^3-z");
        assert_eq!(found.matches.of_query(), (1, 4));
        let words = found.words.join("\n");
        assert!(words.contains("2, + and 𝑦 are missing"), "{words}");
        assert!(words.contains("ordered by their score"), "{words}");
    }

    /// Boxes lie where the formula is drawn: in the drawing of the query they are its symbols'.
    #[test]
    fn boxes_are_those_of_the_drawings() {
        for config in ["best", "xy7o4"] {
            let query = r"\frac{x^2}{\sqrt{y}}";
            let found = explained(config, query, query);
            let drawn = crate::layout::latex(query).unwrap();
            let drawn: Vec<_> = drawn.symbols().iter().map(|symbol| symbol.rect).collect();
            let names = found.matches.matched.iter();
            for one in names.flat_map(|name| name.query_boxes.iter().chain(&name.formula_boxes)) {
                let near = |other: &crate::layout::Rect| {
                    (one.x0 - other.x0).abs() + (one.y0 - other.y0).abs() < 0.01
                };
                assert!(drawn.iter().any(near), "{config}: {one:?}");
            }
        }
    }
}
