//! Inverting: from the tokens of each formula to the formulas of each token.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};

use super::WINDOW;
use super::build::{Progress, Stage, StageError};
use super::codebook::{Codebook, Coder};
use super::format::{IndexError, Section};
use super::posting::{BitmapBuffer, MAX_LIST_LEN, Payload, Run};
use super::writer::{IndexWriter, SectionWriter};

/// Collects postings in the order of formulas, and spills them by token.
pub(super) struct Inverter<P> {
    scratch: PathBuf,
    /// The final number of each token as first seen.
    ranks: Vec<u32>,
    /// Whether words are kept for a token, by its final number.
    has_words: Vec<bool>,
    /// Postings that are kept in memory.
    most: usize,
    tokens: Vec<u32>,
    formulas: Vec<u32>,
    coder: Coder,
    payloads: Vec<P>,
    spilled: Vec<Spilled>,
    postings: u64,
    /// Postings that have a word.
    worded: u64,
}

/// Which regions are counted.
pub(super) struct Counted<'a> {
    /// The first so many.
    pub(super) regions: usize,
    /// What payloads stand for.
    pub(super) codebook: &'a Codebook,
}

impl Counted<'_> {
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
    file: BufReader<File>,
    /// Tokens and how many postings of each there are, the next one last.
    counts: Vec<(u32, u32)>,
}

impl<P: Payload> Inverter<P> {
    pub(super) fn new(
        scratch: &Path,
        memory: usize,
        (ranks, has_words): (Vec<u32>, Vec<bool>),
        coder: Coder,
    ) -> Self {
        // Two copies while sorting.
        let most = memory / (2 * (8 + size_of::<P>()));
        Inverter {
            scratch: scratch.to_path_buf(),
            ranks,
            has_words,
            most: most.min(u32::MAX as usize),
            tokens: Vec::new(),
            formulas: Vec::new(),
            coder,
            payloads: Vec::new(),
            spilled: Vec::new(),
            postings: 0,
            worded: 0,
        }
    }

    pub(super) fn postings(&self) -> u64 {
        self.postings
    }

    /// Adds the next formula.
    pub(super) fn push(&mut self, formula: u32, tokens: &[(u32, u128)]) -> io::Result<()> {
        if self.tokens.len() + tokens.len() > self.most && !self.tokens.is_empty() {
            self.spill()?;
        }
        for (token, word) in tokens {
            let token = self.ranks[*token as usize];
            self.worded += u64::from(self.has_words[token as usize]);
            self.tokens.push(token);
            self.formulas.push(formula);
            self.payloads.push(P::pack(*word, &self.coder));
        }
        self.postings += tokens.len() as u64;
        Ok(())
    }

    /// Writes what is in memory, sorted by token: a counting sort, which keeps
    /// formulas in their order.
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
        let mut out = BufWriter::with_capacity(1 << 20, tempfile::tempfile_in(&self.scratch)?);
        let mut at = 0;
        for (_, count) in counts.iter().rev() {
            let range = at..at + *count as usize;
            out.write_all(bytemuck::cast_slice(&formulas[range.clone()]))?;
            out.write_all(bytemuck::cast_slice(&payloads[range.clone()]))?;
            at = range.end;
        }
        let mut file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.rewind()?;
        self.spilled.push(Spilled {
            file: BufReader::with_capacity(1 << 18, file),
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
        counted: Counted,
        progress: &Progress,
    ) -> Result<(), StageError> {
        self.spill()?;
        // What memory held is free for buffers now.
        (self.tokens, self.formulas, self.payloads) = Default::default();
        progress.begin(Stage::Writing, self.postings);
        let mut columns = Columns::new(out, self.worded * size_of::<P>() as u64, &self.scratch)?;
        let tokens = self.has_words.len();
        let mut posting_starts = vec![0u64];
        let mut run_starts = vec![0u32];
        let mut region_counts = vec![0u32; tokens * counted.regions];
        for token in 0..tokens as u32 {
            columns.length = 0;
            for spilled in &mut self.spilled {
                if let Some((formulas, payloads)) = spilled.take::<P>(token)? {
                    let counts = &mut region_counts[token as usize * counted.regions..];
                    counted.count(&payloads, &mut counts[..counted.regions]);
                    columns.push(&formulas)?;
                    if self.has_words[token as usize] {
                        columns
                            .payloads
                            .write_all(bytemuck::cast_slice(&payloads))?;
                    }
                }
            }
            columns.end_run()?;
            posting_starts.push(posting_starts[token as usize] + u64::from(columns.length));
            let runs = u32::try_from(columns.runs.len());
            run_starts.push(runs.map_err(|_| IndexError::TooMany("runs of postings"))?);
            progress.advance(u64::from(columns.length))?;
        }
        columns.finish(out)?;
        let starts = bytemuck::cast_slice(&posting_starts);
        out.whole(Section::PostingStarts, starts)?;
        out.whole(Section::RunStarts, bytemuck::cast_slice(&run_starts))?;
        let counts = bytemuck::cast_slice(&region_counts);
        out.whole(Section::RegionCounts, counts)?;
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

/// The columns as they are written.
struct Columns {
    payloads: SectionWriter,
    ids: Aside,
    bits: Aside,
    ranks: Aside,
    runs: Vec<Run>,
    /// Postings of this token so far.
    length: u32,
    /// The window whose postings are being written, and where they began.
    open: Option<(u32, u32)>,
    /// Its formulas.
    members: Vec<u16>,
    presence: Box<BitmapBuffer>,
}

impl Columns {
    fn new(out: &mut IndexWriter, payload_bytes: u64, scratch: &Path) -> io::Result<Self> {
        Ok(Columns {
            payloads: out.section(Section::Payloads, payload_bytes)?,
            ids: Aside::new(scratch)?,
            bits: Aside::new(scratch)?,
            ranks: Aside::new(scratch)?,
            runs: Vec::new(),
            length: 0,
            open: None,
            members: Vec::with_capacity(WINDOW),
            presence: Box::default(),
        })
    }

    /// Adds the next formulas that hold a token.
    fn push(&mut self, formulas: &[u32]) -> Result<(), StageError> {
        for formula in formulas {
            let window = formula / WINDOW as u32;
            if self.open.is_none_or(|(open, _)| open != window) {
                self.end_run()?;
                self.open = Some((window, self.length));
            }
            self.members.push((formula % WINDOW as u32) as u16);
            self.length += 1;
        }
        Ok(())
    }

    /// Writes which formulas of the open window hold the token.
    fn end_run(&mut self) -> Result<(), StageError> {
        let Some((window, start)) = self.open.take() else {
            return Ok(());
        };
        let place = if self.members.len() <= MAX_LIST_LEN {
            self.ids.push(bytemuck::cast_slice(&self.members))? / size_of::<u16>() as u64
        } else {
            let presence = self.presence.fill(&self.members);
            self.ranks.push(bytemuck::cast_slice(presence.ranks))?;
            self.bits.push(bytemuck::cast_slice(presence.bits))? / size_of_val(presence.bits) as u64
        };
        let place = u32::try_from(place).map_err(|_| IndexError::TooMany("ids of rare tokens"))?;
        self.runs.push([window, start, place]);
        self.members.clear();
        Ok(())
    }

    fn finish(self, out: &mut IndexWriter) -> io::Result<()> {
        out.end(self.payloads)?;
        self.ids.write(out, Section::Ids)?;
        self.bits.write(out, Section::Bits)?;
        self.ranks.write(out, Section::Ranks)?;
        out.whole(Section::Runs, bytemuck::cast_slice(&self.runs))
    }
}

/// A section whose length is not known yet, written aside.
struct Aside {
    out: BufWriter<File>,
    length: u64,
}

impl Aside {
    fn new(scratch: &Path) -> io::Result<Self> {
        Ok(Aside {
            out: BufWriter::with_capacity(1 << 18, tempfile::tempfile_in(scratch)?),
            length: 0,
        })
    }

    /// Adds bytes, and says where they begin.
    fn push(&mut self, bytes: &[u8]) -> io::Result<u64> {
        let start = self.length;
        self.out.write_all(bytes)?;
        self.length += bytes.len() as u64;
        Ok(start)
    }

    fn write(self, out: &mut IndexWriter, section: Section) -> io::Result<()> {
        let file = self
            .out
            .into_inner()
            .map_err(io::IntoInnerError::into_error)?;
        out.copy(section, file, self.length)
    }
}
