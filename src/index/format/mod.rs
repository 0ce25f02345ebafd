//! The format of a file: what its bytes mean, for those who write them and those who read them.

mod blocks;
mod chunks;
mod entry;
mod error;
mod header;
mod keys;
mod layouts;
mod meta;
mod order;
mod reseal;
mod rows;
mod sections;
mod texts;
mod varint;

pub(super) use blocks::{BLOCK, BlockWriter, record_in, unpack};
pub(super) use chunks::{CHUNK, ChunkSums, checksum, chunk, chunks_before};
pub use entry::Entry;
pub(super) use entry::write_entry;
pub use error::IndexError;
pub use header::FORMAT_VERSION;
#[cfg(feature = "cli")]
pub(crate) use header::MAGIC;
pub(super) use header::{HEADER_END, Header, header, read_header};
pub(super) use keys::{KEY_CODEC, decode_key, encode_key, kind_byte, kind_of};
pub(crate) use layouts::STEPS;
pub(super) use layouts::{GlyphTable, read_layout};
pub use meta::{FacetValue, Facets, Meta, TextMeta, WordFile};
pub(super) use order::id_key;
#[doc(hidden)]
pub use reseal::{reseal, section_ranges};
pub(crate) use rows::NormStep;
pub(crate) use rows::TextRow;
pub(super) use rows::{GlyphRow, WindowRun};
pub(super) use sections::{Section, SectionRow, aligned};
pub use texts::StoredText;
pub(super) use varint::{VarintReader, VarintWriter};
