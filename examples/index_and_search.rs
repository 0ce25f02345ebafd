//! Builds an index of a folder of formulas in a file, opens it, and searches it.
//!
//! ```sh
//! cargo run --example index_and_search
//! ```

use std::error::Error;
use std::path::Path;

use phocus::corpus::Inputs;
use phocus::index::IndexBuilder;
use phocus::phoc::PhocConfig;
use phocus::search::{MinMatch, Request, Searcher};

/// Indexes the sample and prints the best results of two searches.
pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let formulas = Path::new(env!("CARGO_MANIFEST_DIR")).join("data-sample/formulas");
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("sample.phoc");

    // Records that cannot be laid out are reported, and the rest are indexed.
    let on_reject = |reject: &phocus::index::Reject| eprintln!("left out: {}", reject.detail);
    let mut builder = IndexBuilder::new(PhocConfig::default()).on_reject(on_reject);
    builder.add_all(Inputs::new(&[formulas], None)?)?;
    let summary = builder.finish(&path)?;
    println!(
        "{} formulas, {} of them distinct",
        summary.indexed, summary.distinct
    );

    let searcher = Searcher::open(&path)?;
    let pythagoras = Request::latex("a^2+b^2=c^2").k(3);
    // Every symbol of the query must be in a result, as in a formula that is being typed.
    let typed = Request::latex(r"\int e^{-x^2}")
        .k(3)
        .min_match(MinMatch::ALL);
    for request in [pythagoras, typed] {
        let response = searcher.search(&request)?;
        println!("\n{}", response.read_as);
        for hit in &response.hits {
            println!("{:>3}  {:8.4}  {}", hit.rank, hit.score, hit.latex);
        }
        assert_eq!(response.hits.len(), 3);
    }
    Ok(())
}
