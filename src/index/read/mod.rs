//! Reading an index in place.

mod bytes;
mod checks;
mod entries;
mod layouts;
mod lookup;
mod mapping;
mod open;
mod postings;
mod sections;
mod tokens;
mod verify;
mod verify_postings;

pub use open::Index;
pub(crate) use postings::{Postings, WindowPostings};
pub use verify::Verified;
