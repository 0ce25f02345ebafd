//! The integration tests: one program, so that everything is linked once.
//!
//! [`fixtures`] has what several tests use: the sample's indexes, the program, a server, a
//! browser. Each other module is about one part of phocus.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod build;
mod cli;
mod damage;
mod eval;
mod evaluation_cli;
mod examples;
mod fixtures;
mod hostile;
mod page;
mod pictures;
mod readme;
mod real_data;
mod report;
mod search;
mod search_cli;
mod serve;
mod stored_indexes;
mod svg;
mod synth;
