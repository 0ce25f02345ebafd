//! Indexes a few records in memory and searches them, without any file.
//!
//! ```sh
//! cargo run --example in_memory
//! ```

use std::error::Error;

use phocus::corpus::Record;
use phocus::index::{Index, IndexBuilder};
use phocus::phoc::PhocConfig;
use phocus::search::{Request, Searcher};

/// Indexes four formulas, and finds the one that looks most like a fifth.
pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let mut builder = IndexBuilder::new(PhocConfig::default());
    for (id, latex) in [
        ("euler", r"e^{i\pi}+1=0"),
        ("pythagoras", "a^2+b^2=c^2"),
        ("gauss", r"\int_{-\infty}^{\infty} e^{-x^2}\,dx=\sqrt{\pi}"),
        ("basel", r"\sum_{n=1}^\infty \frac{1}{n^2}=\frac{\pi^2}{6}"),
    ] {
        builder.add(Record::latex(id.parse()?, latex))?;
    }
    let index = builder.finish_in_memory()?;

    // The bytes are those of an index file: they may be stored and read elsewhere.
    let bytes = index.as_bytes().to_vec();
    let searcher = Searcher::new(Index::from_bytes(&bytes)?);

    let response = searcher.search(&Request::latex(r"\sum_{k=1}^\infty \frac{1}{k^3}").k(2))?;
    for hit in &response.hits {
        println!("{}  {}", hit.id, hit.latex);
        for matched in &hit.matched {
            println!("    {} stands at {:?}", matched.symbol, matched.boxes);
        }
    }
    assert_eq!(response.hits[0].id.as_str(), "basel");
    Ok(())
}
