//! Inverting: from the tokens of each formula to the formulas of each token.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};

use super::WINDOW;
use super::build::{Progress, Stage, StageError};
use super::format::{IndexError, Section};
use super::posting::Word;
use super::writer::{IndexWriter, SectionWriter};

/// Collects postings in the order of formulas, and spills them by token.
pub(super) struct Inverter<W> {
    scratch: PathBuf,
    /// The final number of each token as first seen.
    ranks: Vec<u32>,
    /// Postings that are kept in memory.
    most: usize,
    tokens: Vec<u32>,
    formulas: Vec<u32>,
    words: Vec<W>,
    spilled: Vec<Spilled>,
    postings: u64,
}

/// Postings of some formulas, by token.
struct Spilled {
    file: BufReader<File>,
    /// Tokens and how many postings of each there are, the next one last.
    counts: Vec<(u32, u32)>,
}

impl<W: Word> Inverter<W> {
    pub(super) fn new(scratch: &Path, memory: usize, ranks: Vec<u32>) -> Self {
        // Two copies while sorting.
        let most = memory / (2 * (8 + size_of::<W>()));
        Inverter {
            scratch: scratch.to_path_buf(),
            ranks,
            most: most.min(u32::MAX as usize),
            tokens: Vec::new(),
            formulas: Vec::new(),
            words: Vec::new(),
            spilled: Vec::new(),
            postings: 0,
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
            self.tokens.push(self.ranks[*token as usize]);
            self.formulas.push(formula);
            self.words.push(W::of(*word));
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
        let mut words = vec![W::zeroed(); self.tokens.len()];
        for ((token, formula), word) in self.tokens.iter().zip(&self.formulas).zip(&self.words) {
            let at = &mut starts[*token as usize];
            formulas[*at as usize] = *formula;
            words[*at as usize] = *word;
            *at += 1;
        }
        let mut out = BufWriter::with_capacity(1 << 20, tempfile::tempfile_in(&self.scratch)?);
        let mut at = 0;
        for (_, count) in counts.iter().rev() {
            let range = at..at + *count as usize;
            out.write_all(bytemuck::cast_slice(&formulas[range.clone()]))?;
            out.write_all(bytemuck::cast_slice(&words[range.clone()]))?;
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
        self.words.clear();
        Ok(())
    }

    /// Writes every section of postings.
    pub(super) fn write(
        mut self,
        out: &mut IndexWriter,
        tokens: usize,
        progress: &Progress,
    ) -> Result<(), StageError> {
        self.spill()?;
        // What memory held is free for buffers now.
        (self.tokens, self.formulas, self.words) = Default::default();
        progress.begin(Stage::Writing, self.postings);
        let mut columns = Columns {
            ids: out.section(Section::Ids, self.postings * 2)?,
            words: out.section(Section::Words, self.postings * size_of::<W>() as u64)?,
            runs: Vec::new(),
            length: 0,
        };
        let mut posting_starts = vec![0u64];
        let mut run_starts = vec![0u32];
        for token in 0..tokens as u32 {
            columns.length = 0;
            for spilled in &mut self.spilled {
                if let Some((formulas, words)) = spilled.take::<W>(token)? {
                    columns.push(&formulas, &words)?;
                }
            }
            posting_starts.push(posting_starts[token as usize] + u64::from(columns.length));
            let runs = u32::try_from(columns.runs.len());
            run_starts.push(runs.map_err(|_| IndexError::TooMany("runs of postings"))?);
            progress.advance(u64::from(columns.length))?;
        }
        out.end(columns.ids)?;
        out.end(columns.words)?;
        out.whole(
            Section::PostingStarts,
            bytemuck::cast_slice(&posting_starts),
        )?;
        out.whole(Section::RunStarts, bytemuck::cast_slice(&run_starts))?;
        out.whole(Section::Runs, bytemuck::cast_slice(&columns.runs))?;
        Ok(())
    }
}

impl Spilled {
    /// The postings of a token, where it is the next.
    fn take<W: Word>(&mut self, token: u32) -> io::Result<Option<(Vec<u32>, Vec<W>)>> {
        let Some((_, count)) = self.counts.pop_if(|(next, _)| *next == token) else {
            return Ok(None);
        };
        let mut formulas = vec![0u32; count as usize];
        let mut words = vec![W::zeroed(); count as usize];
        self.file
            .read_exact(bytemuck::cast_slice_mut(&mut formulas))?;
        self.file.read_exact(bytemuck::cast_slice_mut(&mut words))?;
        Ok(Some((formulas, words)))
    }
}

/// The columns as they are written.
struct Columns {
    ids: SectionWriter,
    words: SectionWriter,
    runs: Vec<[u32; 2]>,
    /// Postings of this token so far.
    length: u32,
}

impl Columns {
    fn push<W: Word>(&mut self, formulas: &[u32], words: &[W]) -> io::Result<()> {
        let is_first = self.length == 0;
        let mut ids = Vec::with_capacity(formulas.len());
        let mut window = match (is_first, self.runs.last()) {
            (false, Some(run)) => Some(run[0]),
            _ => None,
        };
        for (at, formula) in (self.length..).zip(formulas) {
            let this = formula / WINDOW as u32;
            if window != Some(this) {
                self.runs.push([this, at]);
                window = Some(this);
            }
            ids.push((formula % WINDOW as u32) as u16);
        }
        self.length += formulas.len() as u32;
        self.ids.write_all(bytemuck::cast_slice(&ids))?;
        self.words.write_all(bytemuck::cast_slice(words))
    }
}
