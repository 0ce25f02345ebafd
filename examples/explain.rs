//! Takes the score of a result apart: what each token of the query adds to it.
//!
//! ```sh
//! cargo run --example explain
//! ```

use std::error::Error;

use phocus::corpus::Record;
use phocus::index::IndexBuilder;
use phocus::phoc::PhocConfig;
use phocus::search::{Request, Searcher};

/// Explains why x² + y² is like a² + b².
pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let mut builder = IndexBuilder::new(PhocConfig::default());
    for (id, latex) in [("1", "a^2+b^2"), ("2", "a^2-b^2"), ("3", r"\frac{a}{b}")] {
        builder.add(Record::latex(id.parse()?, latex))?;
    }
    let searcher = Searcher::new(builder.finish_in_memory()?);

    let request = Request::latex("x^2+y^2");
    let best = &searcher.search(&request)?.hits[0];
    let explanation = searcher.explain(&request, best.id.as_str())?;
    println!("{}: score {:.4}", best.latex, explanation.score);
    for token in &explanation.tokens {
        println!(
            "  {:<8} {:>2} regions shared, adds {:.4}",
            token.key, token.shared, token.contribution
        );
    }
    if let Some(likeness) = explanation.likeness {
        println!(
            "likeness {:.4}: pairs {:.4}, symbols {:.4}, part {:.4}",
            likeness.sum(),
            likeness.pairs,
            likeness.symbols,
            likeness.part
        );
    }

    let sum: f64 = explanation.tokens.iter().map(|t| t.contribution).sum();
    assert!((sum - explanation.score).abs() < 1e-9);
    assert_eq!(best.latex, "a^2+b^2");
    Ok(())
}
