//! Building an index: ingest records, merge duplicates, invert, write.

mod builder;
mod collector;
mod columns;
mod error;
mod facets;
mod fields;
mod ingest;
mod invert;
mod layouts;
mod merge;
mod options;
mod spill;
mod stores;
mod summary;
mod temporary;
#[cfg_attr(not(feature = "ask"), allow(dead_code, unused_imports))]
mod texts;
mod tokens;
#[cfg(feature = "ask")]
mod words;
mod write;
mod writer;

pub use builder::IndexBuilder;
pub use options::{Dedup, DedupError};
pub use summary::{MostlyRejected, Reject, Summary};
