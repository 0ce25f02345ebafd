//! Inverting: from the tokens of each formula to the formulas of each token.

use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use tempfile::SpooledTempFile;

use super::columns::PostingColumns;
use super::error::{StageError, advance};
use super::temporary::{rewound, temp_file};
use super::writer::IndexWriter;
use crate::index::codebook::{Codebook, Coder};
use crate::index::format::Section;
use crate::index::payload::Payload;
use crate::progress::{Progress, Stage};

/// The final numbers of tokens.
pub(super) struct TokenNumbers {
    /// The final number of each token as first seen.
    pub(super) ranks: Vec<u32>,
    /// Whether a token's postings have payloads, by its final number.
    pub(super) is_positional: Vec<bool>,
}

/// Collects postings in the order of formulas, and spills them by token.
pub(super) struct Inverter<P> {
    scratch: PathBuf,
    /// The final number of each token as first seen.
    ranks: Vec<u32>,
    /// Whether a token's postings have payloads, by its final number.
    is_positional: Vec<bool>,
    /// The largest number of postings that are kept in memory.
    max_postings: usize,
    tokens: Vec<u32>,
    formulas: Vec<u32>,
    coder: Coder,
    payloads: Vec<P>,
    spilled: Vec<Spilled>,
    postings: u64,
}

/// Counts in how many formulas a token stands in each region.
pub(super) struct RegionCounter<'a> {
    /// How many regions are counted, from the first; none unless IDF is by region.
    pub(super) regions: usize,
    /// The codebook of the payloads.
    pub(super) codebook: &'a Codebook,
}

impl RegionCounter<'_> {
    fn count<P: Payload>(&self, payloads: &[P], counts: &mut [u32]) {
        for payload in payloads.iter().filter(|_| self.regions > 0) {
            let word = payload.word(self.codebook);
            for (region, count) in counts.iter_mut().enumerate() {
                *count += (word >> region & 1) as u32;
            }
        }
    }
}

/// Postings of some formulas, by token.
struct Spilled {
    file: BufReader<SpooledTempFile>,
    /// Tokens and how many postings of each there are, the next one last.
    counts: Vec<(u32, u32)>,
}

impl<P: Payload> Inverter<P> {
    pub(super) fn new(scratch: &Path, memory: usize, keys: TokenNumbers, coder: Coder) -> Self {
        // Two copies while sorting.
        let max_postings = memory / (2 * (8 + size_of::<P>()));
        Inverter {
            scratch: scratch.to_path_buf(),
            ranks: keys.ranks,
            is_positional: keys.is_positional,
            max_postings: max_postings.min(u32::MAX as usize),
            tokens: Vec::new(),
            formulas: Vec::new(),
            coder,
            payloads: Vec::new(),
            spilled: Vec::new(),
            postings: 0,
        }
    }

    pub(super) fn postings(&self) -> u64 {
        self.postings
    }

    /// Adds the next formula.
    pub(super) fn push(&mut self, formula: u32, tokens: &[(u32, u128)]) -> io::Result<()> {
        if self.tokens.len() + tokens.len() > self.max_postings && !self.tokens.is_empty() {
            self.spill()?;
        }
        for (token, word) in tokens {
            let token = self.ranks[*token as usize];
            self.tokens.push(token);
            self.formulas.push(formula);
            self.payloads.push(P::pack(*word, &self.coder));
        }
        self.postings += tokens.len() as u64;
        Ok(())
    }

    /// Writes the postings in memory to disk, sorted by token. It is a counting sort, which
    /// keeps formulas in their order.
    fn spill(&mut self) -> io::Result<()> {
        let mut starts = vec![0u32; self.ranks.len() + 1];
        for token in &self.tokens {
            starts[*token as usize + 1] += 1;
        }
        let counts: Vec<(u32, u32)> = (0..self.ranks.len())
            .rev()
            .filter(|token| starts[token + 1] > 0)
            .map(|token| (token as u32, starts[token + 1]))
            .collect();
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut formulas = vec![0u32; self.tokens.len()];
        let mut payloads = vec![P::zeroed(); self.tokens.len()];
        let postings = self.tokens.iter().zip(&self.formulas).zip(&self.payloads);
        for ((token, formula), payload) in postings {
            let at = &mut starts[*token as usize];
            formulas[*at as usize] = *formula;
            payloads[*at as usize] = *payload;
            *at += 1;
        }
        let mut out = temp_file(&self.scratch);
        let mut at = 0;
        for (_, count) in counts.iter().rev() {
            let range = at..at + *count as usize;
            out.write_all(bytemuck::cast_slice(&formulas[range.clone()]))?;
            out.write_all(bytemuck::cast_slice(&payloads[range.clone()]))?;
            at = range.end;
        }
        self.spilled.push(Spilled {
            file: BufReader::with_capacity(1 << 18, rewound(out)?),
            counts,
        });
        self.tokens.clear();
        self.formulas.clear();
        self.payloads.clear();
        Ok(())
    }

    /// Writes every section of postings.
    pub(super) fn write(
        mut self,
        out: &mut IndexWriter,
        counter: RegionCounter,
        progress: &Progress,
    ) -> Result<(), StageError> {
        self.spill()?;
        // The memory of the postings is free for buffers now.
        (self.tokens, self.formulas, self.payloads) = Default::default();
        progress.begin(Stage::Writing, self.postings);
        let mut columns = PostingColumns::new(&self.scratch);
        let tokens = self.is_positional.len();
        let mut posting_starts = vec![0u64];
        let mut run_starts = vec![0u32];
        let mut region_counts = vec![0u32; tokens * counter.regions];
        out.section(Section::Payloads, |out| {
            for token in 0..tokens {
                let counts = &mut region_counts[token * counter.regions..][..counter.regions];
                self.write_token(token, out, &mut columns, &counter, counts)?;
                let (length, runs) = columns.end_token()?;
                posting_starts.push(posting_starts[token] + u64::from(length));
                run_starts.push(runs);
                advance(progress, u64::from(length))?;
            }
            Ok::<_, StageError>(())
        })?;
        columns.write(out)?;
        let starts = bytemuck::cast_slice(&posting_starts);
        out.whole(Section::PostingStarts, starts)?;
        out.whole(Section::RunStarts, bytemuck::cast_slice(&run_starts))?;
        let counts = bytemuck::cast_slice(&region_counts);
        out.whole(Section::RegionCounts, counts)?;
        Ok(())
    }

    /// Writes the payloads of a token, and adds its formulas to the columns.
    fn write_token(
        &mut self,
        token: usize,
        out: &mut IndexWriter,
        columns: &mut PostingColumns,
        counter: &RegionCounter,
        counts: &mut [u32],
    ) -> Result<(), StageError> {
        for spilled in &mut self.spilled {
            if let Some((formulas, payloads)) = spilled.take::<P>(token as u32)? {
                counter.count(&payloads, counts);
                columns.push(&formulas)?;
                if self.is_positional[token] {
                    out.write_all(bytemuck::cast_slice(&payloads))?;
                }
            }
        }
        Ok(())
    }
}

impl Spilled {
    /// The postings of a token, where it is the next.
    fn take<P: Payload>(&mut self, token: u32) -> io::Result<Option<(Vec<u32>, Vec<P>)>> {
        let Some((_, count)) = self.counts.pop_if(|(next, _)| *next == token) else {
            return Ok(None);
        };
        let mut formulas = vec![0u32; count as usize];
        let mut payloads = vec![P::zeroed(); count as usize];
        self.file
            .read_exact(bytemuck::cast_slice_mut(&mut formulas))?;
        self.file
            .read_exact(bytemuck::cast_slice_mut(&mut payloads))?;
        Ok(Some((formulas, payloads)))
    }
}
