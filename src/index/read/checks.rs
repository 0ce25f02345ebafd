//! The checks of an index before it is used: every size that follows from its description, and
//! every table of offsets into another section.

use super::facets::{FacetSet, read_sets, set_bytes};
use super::sections::Sections;
use crate::index::WINDOW;
use crate::index::codebook::Codebook;
use crate::index::format::{
    BLOCK, GlyphRow, IndexError, KEY_CODEC, Meta, NormStep, Section, TextRow, WindowRun, kind_byte,
};
use crate::index::payload::payload_bytes;
use crate::phoc::TokenKind;

/// Checks that sections are as long as the description and the other sections say.
pub(super) fn check_sizes(sections: &Sections, meta: &Meta) -> Result<(), IndexError> {
    for (section, expected) in sizes(sections, meta) {
        check_size(sections, section, expected)?;
    }
    Ok(())
}

fn check_size(sections: &Sections, section: Section, expected: u64) -> Result<(), IndexError> {
    let found = sections.length(section) as u64;
    if found == expected {
        Ok(())
    } else {
        let what = format!("section {section:?} is {found} bytes, expected {expected}");
        Err(sections.damaged(what))
    }
}

fn sizes(sections: &Sections, meta: &Meta) -> [(Section, u64); 14] {
    let blocks = meta.formulas.div_ceil(BLOCK as u64);
    // A number that is too large for its bytes to be counted fits no section.
    let bytes = |count: u64, more: u64, each: usize| {
        let count = count.saturating_add(more);
        count.saturating_mul(each as u64)
    };
    let keys: &[u32] = sections.small(Section::KeyOffsets);
    let run_starts: &[u32] = sections.small(Section::RunStarts);
    let last = |offsets: &[u32]| u64::from(offsets.last().copied().unwrap_or(0));
    let patterns = meta.patterns.iter();
    let patterns = patterns.fold(0, |sum: u64, count| sum.saturating_add(*count));
    let texts = meta.texts.as_ref().map_or(0, |texts| texts.texts);
    let if_texts = |size: u64| if meta.texts.is_some() { size } else { 0 };
    let text_blocks = texts.div_ceil(BLOCK as u64);
    let layouts = if meta.keeps_layouts() {
        bytes(blocks, 1, 8)
    } else {
        0
    };
    [
        (Section::KeyOffsets, bytes(meta.tokens, 1, 4)),
        (Section::Keys, last(keys)),
        (Section::PostingStarts, bytes(meta.tokens, 1, 8)),
        (Section::RunStarts, bytes(meta.tokens, 1, 4)),
        (
            Section::Runs,
            bytes(last(run_starts), 0, size_of::<WindowRun>()),
        ),
        (Section::Patterns, bytes(patterns, 0, 8)),
        (Section::IdRanks, bytes(meta.formulas, 0, 4)),
        (Section::EntryOffsets, bytes(blocks, 1, 8)),
        (Section::InstanceOffsets, bytes(blocks, 1, 8)),
        (Section::LayoutOffsets, layouts),
        (Section::TextOffsets, if_texts(bytes(text_blocks, 1, 8))),
        (Section::TextRows, bytes(texts, 0, size_of::<TextRow>())),
        (
            Section::OccurrenceStarts,
            if_texts(bytes(meta.formulas, 1, 8)),
        ),
        (
            Section::RegionCounts,
            bytes(meta.tokens, 0, 4 * meta.counted_regions()),
        ),
    ]
}

/// Checks the tables of offsets into other sections, and the description's values of the format.
pub(super) fn check_tables(
    sections: &Sections,
    meta: &Meta,
    norms: &[NormStep],
) -> Result<(), IndexError> {
    let starts: &[u64] = sections.small(Section::PostingStarts);
    let run_starts: &[u32] = sections.small(Section::RunStarts);
    let keys: &[u32] = sections.small(Section::KeyOffsets);
    let is_whole = |section, row: usize| sections.length(section).is_multiple_of(row);
    let payload_bytes = payload_bytes(meta.has_codes(), meta.config.regions.bits());
    let conditions = [
        (
            meta.window == WINDOW as u64,
            "its windows have another number of formulas",
        ),
        (
            meta.key_codec == KEY_CODEC,
            "the keys of its tokens are encoded in another way",
        ),
        (
            meta.payload_bytes == payload_bytes,
            "its payloads are not as long as its regions need",
        ),
        (keys.is_sorted(), "the keys of its tokens overlap"),
        (starts.is_sorted(), "the postings of its tokens overlap"),
        (
            starts.first() == Some(&0),
            "its first token does not have its first posting",
        ),
        (
            starts.last() == Some(&meta.postings),
            "its last token does not have its last posting",
        ),
        (
            run_starts.is_sorted(),
            "the runs of postings of its tokens overlap",
        ),
        (
            is_whole(Section::Norms, size_of::<NormStep>()),
            "its table of norms is cut",
        ),
        (
            norms
                .first()
                .is_some_and(|step| step.norm > 0 && step.first_formula == 0),
            "its first norm is not that of its first formula",
        ),
        (
            norms.is_sorted_by(|a, b| a.norm < b.norm && a.first_formula < b.first_formula),
            "its norms do not ascend",
        ),
        (
            norms
                .last()
                .is_some_and(|step| u64::from(step.first_formula) < meta.formulas),
            "its last norm is of no formula",
        ),
        (
            is_whole(Section::Glyphs, size_of::<GlyphRow>()),
            "its table of glyphs is cut",
        ),
    ];
    match conditions.iter().find(|(holds, _)| !holds) {
        Some((_, what)) => Err(sections.damaged((*what).to_owned())),
        None => Ok(()),
    }
}

/// How many postings without payloads come before those of each kind. Tokens are in the order of
/// their kinds, and all postings of positional kinds have a payload.
pub(super) fn skipped_payloads(
    sections: &Sections,
    meta: &Meta,
) -> Result<[u64; TokenKind::ALL.len()], IndexError> {
    let starts: &[u64] = sections.small(Section::PostingStarts);
    let offsets: &[u32] = sections.small(Section::KeyOffsets);
    let keys = sections.bytes(Section::Keys);
    let first_from = |byte: u8| {
        let is_before = |offset: &u32| keys.get(*offset as usize).is_some_and(|key| *key < byte);
        starts[offsets[..starts.len() - 1].partition_point(is_before)]
    };
    let mut all = 0;
    let before = TokenKind::ALL.map(|kind| {
        let before = all;
        if !meta.config.tokens.is_positional(kind) {
            let byte = kind_byte(kind);
            let (first, next) = (first_from(byte), first_from(byte + 1));
            all += next.saturating_sub(first);
        }
        before
    });
    let payloads = meta.postings.saturating_sub(all);
    let expected = payloads.saturating_mul(meta.payload_bytes);
    check_size(sections, Section::Payloads, expected)?;
    Ok(before)
}

/// The codebook, where postings have codes.
pub(super) fn codebook(sections: &Sections, meta: &Meta) -> Result<Codebook, IndexError> {
    if !meta.has_codes() {
        return Ok(Codebook::default());
    }
    let mut rest: &[u64] = sections.small(Section::Patterns);
    let patterns = meta.patterns.map(|size| {
        let (these, others) = rest.split_at((size as usize).min(rest.len()));
        rest = others;
        these.to_vec()
    });
    Codebook::new(&meta.config.regions, patterns)
        .ok_or_else(|| sections.damaged("its codes have more patterns than fit".to_owned()))
}

/// The sets of pairs of type and source, of which each formula has one, or none where the index
/// has no facets.
pub(super) fn facet_sets(sections: &Sections, meta: &Meta) -> Result<Vec<FacetSet>, IndexError> {
    let damaged = || sections.damaged("its sets of types and sources do not read".to_owned());
    let sets = read_sets(sections.small(Section::FacetSets)).ok_or_else(damaged)?;
    let each = match sets.len() {
        0 => 0,
        count => set_bytes(count),
    };
    let expected = meta.formulas.saturating_mul(each as u64);
    check_size(sections, Section::FormulaFacets, expected)?;
    Ok(sets)
}
