//! phocus finds formulas that look like a given formula.
//!
//! It lays a formula out as TeX would, notes for every symbol which regions of
//! the formula's box it falls in (a PHOC: a pyramidal histogram of
//! characters), packs that into one machine word a symbol, and ranks a
//! collection by how many symbol-regions two formulas share. The method is
//! that of Langsenkamp, Mansouri and Zanibbi, "Expanding Spatial Regions and
//! Incorporating IDF for PHOC-Based Math Formula Retrieval at ARQMath-3"
//! (CLEF 2022).
//!
//! The modules are the pipeline, in order; none uses a later one:
//!
//! | module | from | to |
//! | --- | --- | --- |
//! | [`corpus`] | files | records of formulas, topics |
//! | [`layout`] | LaTeX or SVG | symbols with boxes |
//! | [`phoc`] | boxes | one word a token |
//! | [`index`] | words | one mapped file, by columns |
//! | [`search`] | a query | the best k |
//! | [`picture`] | LaTeX | SVG |
//! | [`eval`] | runs and judgments | measures |
//! | [`report`] | runs and judgments | a page that shows them side by side |
//! | [`tune`] | judged topics | weights |
//! | [`synth`] | a list of formulas | a longer one like it |
//! | [`serve`] | HTTP | searches, pictures, a page |
//! | [`cli`] | the command line | all of the above |
//!
//! # Example
//!
//! Index three formulas in a file, map the file, and search it:
//!
//! ```
//! use phocus::corpus::Record;
//! use phocus::index::IndexBuilder;
//! use phocus::phoc::PhocConfig;
//! use phocus::search::{Request, Searcher};
//!
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("formulas.phoc");
//! let mut builder = IndexBuilder::new(PhocConfig::default());
//! for (id, latex) in [("1", "a^2+b^2=c^2"), ("2", "\\int_0^1 x\\,dx"), ("3", "e^{i\\pi}=-1")] {
//!     builder.add(Record::latex(id.parse()?, latex))?;
//! }
//! builder.finish(&path)?;
//!
//! let searcher = Searcher::open(&path)?;
//! let response = searcher.search(&Request::latex("u^2+v^2=w^2"))?;
//! assert_eq!(response.hits[0].latex, "a^2+b^2=c^2");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod atomic_file;
#[cfg(feature = "bench")]
pub mod bench;
#[cfg(feature = "cli")]
pub mod cli;
pub mod corpus;
#[cfg(any(feature = "svg", feature = "picture"))]
mod escape;
#[cfg(feature = "eval")]
pub mod eval;
pub mod index;
mod latex;
pub mod layout;
mod names;
mod parallel;
pub mod phoc;
#[cfg(feature = "picture")]
pub mod picture;
#[cfg(any(feature = "bench", feature = "report"))]
mod plot;
pub mod progress;
#[cfg(any(feature = "eval", feature = "synth"))]
mod random;
#[cfg(feature = "report")]
pub mod report;
pub mod search;
#[cfg(feature = "serve")]
pub mod serve;
#[cfg(feature = "synth")]
pub mod synth;
#[cfg(feature = "tune")]
pub mod tune;

pub use names::UnknownName;
