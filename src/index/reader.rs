//! Opening an index: mapped, checked, and then trusted as far as it was checked.

use std::ops::Range;
use std::path::{Path, PathBuf};

use bytemuck::{Pod, try_cast_slice};
use memmap2::Mmap;
use xxhash_rust::xxh3::xxh3_64;

use super::codebook::Codebook;
use super::format::{IndexError, Meta, Row, Section};
use super::posting::Run;
use super::store::BLOCK;
use super::table::table;
use super::{WINDOW, mapping};
use crate::phoc::TokenKind;

#[cfg(target_endian = "big")]
compile_error!("index files are little-endian and are read in place");

/// An open index.
#[derive(Debug)]
pub struct Index {
    pub(super) path: PathBuf,
    pub(super) map: Mmap,
    pub(super) rows: Vec<Row>,
    meta: Meta,
    codebook: Codebook,
    /// How many postings without words come before those of each kind.
    pub(super) wordless: [u64; TokenKind::ALL.len()],
}

impl Index {
    /// Maps the index at `path`.
    ///
    /// Magic, version, length, the table, the small sections and the sizes of
    /// all others are checked; [`Index::verify`] checks the rest.
    ///
    /// # Errors
    /// When it is not there, not an index, of another version, cut or damaged.
    pub fn open(path: &Path) -> Result<Self, IndexError> {
        let map = mapping::map(path).map_err(|source| IndexError::Io {
            path: path.to_path_buf(),
            source,
        })?;
        let rows = table(&map, path)?;
        let mut index = Index {
            path: path.to_path_buf(),
            map,
            rows,
            meta: Meta::nothing(),
            codebook: Codebook::default(),
            wordless: [0; TokenKind::ALL.len()],
        };
        index.check_small_sections()?;
        index.meta = serde_json::from_slice(index.bytes(Section::Meta))
            .map_err(|error| index.damaged(format!("its description does not read: {error}")))?;
        index.check_sizes()?;
        index.wordless = index.count_wordless()?;
        index.codebook = index.read_codebook()?;
        Ok(index)
    }

    /// What the index is of.
    pub fn meta(&self) -> &Meta {
        &self.meta
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its length in bytes.
    pub fn file_bytes(&self) -> u64 {
        self.map.len() as u64
    }

    /// The length in bytes of what is not searched: LaTeX, instances and layouts.
    pub fn store_bytes(&self) -> u64 {
        let sections = [
            Section::EntryOffsets,
            Section::Entries,
            Section::InstanceOffsets,
            Section::Instances,
            Section::LayoutOffsets,
            Section::Layouts,
            Section::Glyphs,
        ];
        sections
            .iter()
            .map(|section| self.bytes(*section).len() as u64)
            .sum()
    }

    /// How many formulas there are.
    pub fn formulas(&self) -> usize {
        self.meta.formulas as usize
    }

    /// How many windows of formulas there are.
    pub fn windows(&self) -> usize {
        self.formulas().div_ceil(WINDOW)
    }

    /// What the codes of postings stand for.
    pub(crate) fn codebook(&self) -> &Codebook {
        &self.codebook
    }

    /// The norms, ascending, each with the range of formulas that have it.
    pub fn norms(&self) -> impl Iterator<Item = (u32, Range<usize>)> {
        let norms: &[[u32; 2]] = self.column(Section::Norms);
        let ends = norms.iter().skip(1).map(|step| step[1] as usize);
        let ends = ends.chain(std::iter::once(self.formulas()));
        norms
            .iter()
            .zip(ends)
            .map(|(step, end)| (step[0], step[1] as usize..end))
    }

    /// Each norm, ascending, and the first formula that has it.
    pub(crate) fn norm_steps(&self) -> &[[u32; 2]] {
        self.column(Section::Norms)
    }

    /// The place of each formula's external id among all.
    pub fn id_ranks(&self) -> &[u32] {
        self.column(Section::IdRanks)
    }

    /// The bytes of a section.
    pub(super) fn bytes(&self, section: Section) -> &[u8] {
        let row = &self.rows[section as usize - 1];
        &self.map[row.offset as usize..(row.offset + row.length) as usize]
    }

    /// A section as numbers. Sizes were checked on opening, and sections begin
    /// at multiples of 64 of a page: a cast that fails is of an empty section.
    pub(super) fn column<T: Pod>(&self, section: Section) -> &[T] {
        try_cast_slice(self.bytes(section)).unwrap_or_default()
    }

    pub(super) fn damaged(&self, what: String) -> IndexError {
        IndexError::Damaged {
            path: self.path.clone(),
            what,
        }
    }

    fn check_small_sections(&self) -> Result<(), IndexError> {
        for row in self
            .rows
            .iter()
            .filter(|row| row.section.is_checked_on_opening())
        {
            self.check_sum(row)?;
        }
        Ok(())
    }

    pub(super) fn check_sum(&self, row: &Row) -> Result<(), IndexError> {
        let found = xxh3_64(self.bytes(row.section));
        if found == row.checksum {
            Ok(())
        } else {
            Err(self.damaged(format!(
                "section {:?} has checksum {found:016x}, expected {:016x}",
                row.section, row.checksum
            )))
        }
    }

    /// The codebook, where postings have codes.
    fn read_codebook(&self) -> Result<Codebook, IndexError> {
        if !self.meta.has_codes() {
            return Ok(Codebook::default());
        }
        let mut rest: &[u64] = self.column(Section::Patterns);
        let patterns = self.meta.patterns.map(|size| {
            let (these, others) = rest.split_at((size as usize).min(rest.len()));
            rest = others;
            these.to_vec()
        });
        Codebook::new(&self.meta.config.regions, patterns)
            .ok_or_else(|| self.damaged("its codes have more patterns than fit".to_owned()))
    }

    /// How many postings without words come before those of each kind; all
    /// others have one.
    fn count_wordless(&self) -> Result<[u64; TokenKind::ALL.len()], IndexError> {
        let starts: &[u64] = self.column(Section::PostingStarts);
        let offsets: &[u32] = self.column(Section::KeyOffsets);
        let keys = self.bytes(Section::Keys);
        // Keys are in the order of their kinds, which are their first bytes.
        let first_from = |byte: u8| {
            let is_before = |offset: &u32| keys.get(*offset as usize).is_some_and(|k| *k < byte);
            starts[offsets[..starts.len() - 1].partition_point(is_before)]
        };
        let mut all = 0;
        let before = TokenKind::ALL.map(|kind| {
            let before = all;
            if !self.meta.config.tokens.is_positional(kind) {
                let (first, next) = (first_from(kind as u8), first_from(kind as u8 + 1));
                all += next.saturating_sub(first);
            }
            before
        });
        let expected =
            (self.meta.postings.saturating_sub(all)).saturating_mul(self.meta.payload_bytes);
        match self.bytes(Section::Payloads).len() as u64 {
            found if found == expected => Ok(before),
            found => Err(self.damaged(format!(
                "section Payloads is {found} bytes, expected {expected}"
            ))),
        }
    }

    /// Every size that follows from the description, and every table that is
    /// used to cut another section.
    fn check_sizes(&self) -> Result<(), IndexError> {
        let meta = &self.meta;
        let blocks = meta.formulas.div_ceil(BLOCK as u64);
        // A number that is too large for its bytes to be counted fits no section.
        let bytes =
            |count: u64, more: u64, each: u64| count.saturating_add(more).saturating_mul(each);
        let starts: &[u64] = self.column(Section::PostingStarts);
        let run_starts: &[u32] = self.column(Section::RunStarts);
        let keys: &[u32] = self.column(Section::KeyOffsets);
        let runs = run_starts.last().copied().unwrap_or(0);
        let patterns = meta
            .patterns
            .iter()
            .fold(0, |sum: u64, n| sum.saturating_add(*n));
        let sizes = [
            (Section::KeyOffsets, bytes(meta.tokens, 1, 4)),
            (Section::Keys, u64::from(keys.last().copied().unwrap_or(0))),
            (Section::PostingStarts, bytes(meta.tokens, 1, 8)),
            (Section::RunStarts, bytes(meta.tokens, 1, 4)),
            (Section::Runs, u64::from(runs) * size_of::<Run>() as u64),
            (Section::Patterns, bytes(patterns, 0, 8)),
            (Section::IdRanks, bytes(meta.formulas, 0, 4)),
            (Section::EntryOffsets, bytes(blocks, 1, 8)),
            (Section::InstanceOffsets, bytes(blocks, 1, 8)),
            (
                Section::LayoutOffsets,
                if meta.keeps_layouts() {
                    bytes(blocks, 1, 8)
                } else {
                    0
                },
            ),
            (
                Section::RegionCounts,
                bytes(meta.tokens, 0, 4 * meta.counted_regions() as u64),
            ),
        ];
        for (section, expected) in sizes {
            let found = self.bytes(section).len() as u64;
            if found != expected {
                let what = format!("section {section:?} is {found} bytes, expected {expected}");
                return Err(self.damaged(what));
            }
        }
        let norms: &[[u32; 2]] = self.column(Section::Norms);
        let payload_bytes = match (meta.has_codes(), meta.config.regions.bits()) {
            (true, _) => 4,
            (false, ..=64) => 8,
            (false, _) => 16,
        };
        let is_sound = starts.is_sorted()
            && starts.first() == Some(&0)
            && starts.last() == Some(&meta.postings)
            && run_starts.is_sorted()
            && keys.is_sorted()
            && self.bytes(Section::Norms).len().is_multiple_of(8)
            && self.bytes(Section::Glyphs).len().is_multiple_of(16)
            && norms
                .first()
                .is_some_and(|step| step[0] > 0 && step[1] == 0)
            && norms.is_sorted_by(|a, b| a[0] < b[0] && a[1] < b[1])
            && norms
                .last()
                .is_some_and(|step| u64::from(step[1]) < meta.formulas)
            && meta.window == WINDOW as u64
            && meta.payload_bytes == payload_bytes;
        if is_sound {
            Ok(())
        } else {
            Err(self.damaged("its tables do not fit each other".to_owned()))
        }
    }
}
