//! phocus finds formulas that look like a given formula.
//!
//! It lays a formula out as TeX would, notes for every symbol in which regions
//! of the formula's box it stands (a PHOC: a pyramidal histogram of
//! characters), packs the regions into one machine word for each symbol, and
//! ranks a collection by how many of them two formulas share. The method is
//! that of Matt Langsenkamp, Behrooz Mansouri and Richard Zanibbi, "Expanding
//! Spatial Regions and Incorporating IDF for PHOC-Based Math Formula Retrieval
//! at ARQMath-3" (CLEF 2022).
//!
//! # Build an index and search it
//!
//! An [`IndexBuilder`](index::IndexBuilder) takes records and writes one file.
//! A [`Searcher`](search::Searcher) maps the file and answers a
//! [`Request`](search::Request) with a [`Response`](search::Response):
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
//!
//! Records also come from files: ARQMath's tables, other TSVs, JSON Lines,
//! text and SVG ([`corpus::Inputs`]). A small index may stay in memory
//! ([`IndexBuilder::finish_in_memory`](index::IndexBuilder::finish_in_memory)).
//! `examples/` has three whole programs.
//!
//! # What is where
//!
//! The modules are the steps of the way from LaTeX to an answer, in this
//! order; none uses a later one.
//!
//! | module | takes | gives |
//! | --- | --- | --- |
//! | [`corpus`] | files | records of formulas, topics |
//! | [`layout`] | LaTeX or SVG | symbols with boxes, in em |
//! | [`phoc`] | symbols with boxes | tokens, each with a word of regions |
//! | [`index`] | tokens | one mapped file, by columns |
//! | [`search`] | a request | the best formulas, re-ranked |
//!
//! Others stand on these, each behind a Cargo feature of its name:
//! `picture` draws formulas, `eval` measures runs, `report` shows runs side by
//! side, `tune` finds weights, `bench` times searches, `synth` grows test
//! collections, `serve` is the HTTP server, and `cli` is the program. The
//! feature `svg` reads formulas from drawings. All are on by default;
//! `default-features = false` leaves the engine above.
//!
//! # Terms
//!
//! - A *token* is a symbol, a pair of neighbouring symbols, or a class of
//!   symbols; a formula is a set of tokens.
//! - A token's *word* has a bit for each region; the bits of the regions in
//!   which the token stands are set.
//! - The *minimum match* is how many of the query's symbols a result must hold.
//! - *Re-ranking* compares the first results with the query as wholes, with
//!   variables renamed.
//!
//! `docs/glossary.md` has all terms, `docs/scoring.md` the score.

#[cfg(feature = "ask")]
pub mod ask;
mod atomic_file;
#[cfg(feature = "bench")]
pub mod bench;
#[cfg(feature = "cli")]
pub mod cli;
pub mod corpus;
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
#[cfg_attr(not(feature = "documents"), allow(dead_code))]
mod seen;
#[cfg(feature = "serve")]
pub mod serve;
#[cfg(feature = "synth")]
pub mod synth;
#[cfg(feature = "tune")]
pub mod tune;

pub use names::UnknownName;
