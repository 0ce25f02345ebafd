//! The integration tests: one program, so that everything is linked once.
//!
//! [`fixtures`] has what several tests use: the sample's indexes, the program, a server, a
//! browser. Each other module is about one part of phocus.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod ask;
mod build;
mod changed;
mod cli;
mod damage;
mod documents;
mod eval;
mod evaluation_cli;
mod examples;
mod filters;
mod fixtures;
mod groups;
mod hostile;
mod inputs;
mod kept;
mod killed;
#[cfg(unix)]
mod lifecycle;
mod outputs;
mod page;
mod pages;
mod pictures;
mod reading;
mod readme;
mod real_data;
mod report;
mod report_themes;
mod search;
mod search_cli;
mod serve;
mod serve_access;
mod serve_asking;
mod serve_connections;
mod serve_described;
mod stored_indexes;
mod svg;
mod synth;
