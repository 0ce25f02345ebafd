//! From collected records to the bytes of an index.

use std::io;
use std::path::Path;

use super::collector::Collector;
use super::error::{StageError, advance};
use super::invert::{Inverter, RegionCounter, TokenNumbers};
use super::merge::{Sources, merge};
use super::options::BuildOptions;
use super::summary::Summary;
use super::texts::{TextSpool, TextStage};
use super::writer::{IndexWriter, Target};
use crate::index::WINDOW;
use crate::index::codebook::{Codebook, Coder};
use crate::index::format::{KEY_CODEC, Meta, Section, encode_key};
use crate::index::payload::{Payload, payload_bytes, with_payload};
use crate::layout;
use crate::phoc::TokenKey;
use crate::progress::Progress;

/// Writes an index of all that was collected, with temporary files in `scratch`.
pub(super) fn write_index(
    mut collector: Collector,
    options: &BuildOptions,
    scratch: &Path,
    out: &mut dyn Target,
    progress: &Progress,
) -> Result<Summary, StageError> {
    let (fields, fields_left_out) = collector.fields.into_parts();
    collector.summary.fields_left_out = fields_left_out;
    let (numbers, keys) = sorted_keys(&collector.keys, options);
    let codebook = collector.patterns.codebook(&options.config.regions);
    let payload_bytes = payload_bytes(codebook.is_some(), options.config.regions.bits());
    let stage = WriteStage {
        sources: Sources {
            records: collector.records,
            indexed: collector.summary.indexed,
            scratch,
            memory: options.memory(),
            by_visual_id: options.dedup.uses_visual_ids(),
            facets: collector.facets,
            glyphs: (options.config.rerank > 0).then(|| collector.glyphs.into_rows()),
            has_texts: !collector.texts.is_empty(),
        },
        texts: collector.texts,
        numbers,
        keys,
        codebook: codebook.unwrap_or_default(),
        dedup: options.dedup.applied(collector.has_visual_ids),
        fields,
        macros: collector
            .macros
            .remembered(|name| layout::is_command(&format!("\\{name}"))),
        options,
        progress,
    };
    with_payload!(payload_bytes, P => stage.run::<P>(out, collector.summary))
}

/// The parts of an index that is being written.
struct WriteStage<'a> {
    sources: Sources<'a>,
    /// The texts of the documents.
    texts: TextSpool,
    numbers: TokenNumbers,
    /// Token keys in the order of the file.
    keys: Vec<TokenKey>,
    codebook: Codebook,
    /// How duplicates were merged.
    dedup: &'static str,
    /// The names of the instances' fields.
    fields: Vec<String>,
    /// The macros of the documents, as LaTeX.
    macros: String,
    options: &'a BuildOptions,
    progress: &'a Progress,
}

impl WriteStage<'_> {
    /// Merges, inverts and writes.
    fn run<P: Payload>(
        self,
        out: &mut dyn Target,
        mut summary: Summary,
    ) -> Result<Summary, StageError> {
        let Sources {
            scratch, memory, ..
        } = self.sources;
        let config = &self.options.config;
        let coder = Coder::new(&config.regions, &self.codebook);
        let mut inverter = Inverter::<P>::new(scratch, memory / 3, self.numbers, coder);
        let mut merged = merge(self.sources, &mut inverter, self.progress)?;
        summary.tokens = self.keys.len() as u64;
        summary.distinct = merged.formulas;
        summary.same_ids = merged.same_ids;
        summary.postings = inverter.postings();
        let patterns = self.codebook.patterns();
        let mut meta = Meta {
            config: config.clone(),
            formulas: summary.distinct,
            instances: summary.indexed,
            tokens: summary.tokens,
            postings: summary.postings,
            payload_bytes: size_of::<P>() as u64,
            patterns: patterns.each_ref().map(|all| all.len() as u64),
            key_codec: KEY_CODEC,
            window: WINDOW as u64,
            dedup: self.dedup.to_owned(),
            fields: self.fields.clone(),
            facets: merged.facets.facets.clone(),
            link: self.options.link.clone(),
            macros: self.macros,
            texts: None,
            phocus: env!("CARGO_PKG_VERSION").to_owned(),
        };
        let mut out = IndexWriter::new(out)?;
        write_keys(&mut out, &self.keys, &self.codebook)?;
        let counter = RegionCounter {
            regions: meta.counted_regions(),
            codebook: &self.codebook,
        };
        inverter.write(&mut out, counter, self.progress)?;
        let places = merged.places.take();
        merged.write(&mut out)?;
        let stage = TextStage {
            formulas: meta.formulas,
            scratch,
            memory,
            progress: self.progress,
        };
        meta.texts = stage.write_any(self.texts, places, &mut out)?;
        summary.texts = meta.texts.as_ref().map_or(0, |texts| texts.texts);
        let described = serde_json::to_vec_pretty(&meta).map_err(io::Error::from)?;
        out.whole(Section::Meta, &described)?;
        summary.store_bytes = out.bytes_of(&Section::STORE);
        advance(self.progress, 0)?;
        summary.bytes = out.finish()?;
        summary.fields = meta.fields;
        Ok(summary)
    }
}

/// The keys in order, and the place in it of each key as first seen.
fn sorted_keys(keys: &[TokenKey], options: &BuildOptions) -> (TokenNumbers, Vec<TokenKey>) {
    let mut order: Vec<usize> = (0..keys.len()).collect();
    order.sort_by_cached_key(|&key| encode_key(&keys[key]));
    let mut ranks = vec![0; keys.len()];
    for (rank, &key) in order.iter().enumerate() {
        ranks[key] = rank as u32;
    }
    let sorted: Vec<TokenKey> = order.into_iter().map(|key| keys[key]).collect();
    let is_positional = |key: &TokenKey| options.config.tokens.is_positional(key.kind);
    let numbers = TokenNumbers {
        ranks,
        is_positional: sorted.iter().map(is_positional).collect(),
    };
    (numbers, sorted)
}

/// Writes the keys of tokens and the patterns of the codebook.
fn write_keys(out: &mut IndexWriter, keys: &[TokenKey], codebook: &Codebook) -> io::Result<()> {
    let mut offsets = vec![0u32];
    let mut bytes = Vec::new();
    for key in keys {
        bytes.extend(encode_key(key));
        offsets.push(bytes.len() as u32);
    }
    out.whole(Section::KeyOffsets, bytemuck::cast_slice(&offsets))?;
    out.whole(Section::Keys, &bytes)?;
    let patterns = codebook.patterns().concat();
    out.whole(Section::Patterns, bytemuck::cast_slice(&patterns))
}
