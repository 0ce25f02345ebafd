//! Reading an index in place.

mod blocks;
mod bytes;
mod checks;
mod chunks;
mod column;
mod entries;
mod facets;
mod layouts;
mod lookup;
mod mapping;
mod open;
mod postings;
mod sections;
mod state;
#[cfg_attr(not(feature = "ask"), allow(dead_code, unused_imports))]
mod texts;
mod tokens;
mod verify;
mod verify_postings;
#[cfg(feature = "ask")]
mod words;

pub(crate) use facets::StoredFacets;
pub use mapping::survive_cut_files;
pub use open::Index;
pub(crate) use postings::{Postings, WindowPostings};
pub use state::FileState;
#[cfg(feature = "serve")]
pub(crate) use state::Stamp;
pub use verify::Verified;
