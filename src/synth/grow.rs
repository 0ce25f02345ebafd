//! Growing a list: the originals, then what is made of them.

use std::io::{self, Write};
use std::sync::atomic::Ordering;

use rayon::ThreadPool;
use rayon::prelude::*;

use super::SynthError;
use super::statistics::Statistics;
use super::stock::{Drawn, Stock};
use crate::corpus::{Content, CorpusError, Inputs, ReadResult, quoted};
use crate::index::{Progress, Stage};
use crate::phoc::PhocConfig;
use crate::random::Random;

/// How to grow a list.
#[derive(Debug, Clone)]
pub struct Options {
    /// How many formulas to write.
    pub formulas: u64,
    /// Which of all lists it could become.
    pub seed: u64,
    /// How formulas become words, for the statistics.
    pub config: PhocConfig,
    /// How many threads lay formulas out; 0 is one a core.
    pub threads: usize,
}

/// What was written, beside what it was made of.
#[derive(Debug)]
pub struct Grown {
    /// Records of the list.
    pub read: u64,
    /// Of them, those that an index leaves out, too.
    pub left_out: u64,
    /// The distinct formulas of the list.
    pub original: Statistics,
    /// The formulas written.
    pub written: Statistics,
}

impl Grown {
    /// How many in a hundred splices should cut. Short formulas have the
    /// fewest variants, so without cuts those written would be the longer ones;
    /// half a percent longer is enough for nothing but cuts.
    fn cuts(&self) -> usize {
        let excess = self.written.sizes.mean() / self.original.sizes.mean() - 1.0;
        (50.0 + 10_000.0 * excess).clamp(0.0, 100.0) as usize
    }
}

/// Formulas that are laid out before any of them is counted. What is known
/// when a batch begins decides what comes of it, so the number is fixed.
const BATCH: u64 = 4096;

/// A batch with fewer new formulas than one in so many is the last.
const LEAST_NEW: u64 = 50;

/// The most lines that a formula is written on; readers give up on more.
const MOST_LINES: usize = 100;

/// Writes a list of distinct formulas that lay out, as a table of id and
/// LaTeX: those of `inputs`, then as many like them as are missing. The same
/// inputs, number and seed give the same bytes, whatever the number of threads.
///
/// # Errors
/// When the inputs cannot be read, `out` cannot be written, `progress.stop`
/// was set, or no more formulas are found that are not there yet.
pub fn grow(
    inputs: Inputs,
    options: &Options,
    out: &mut dyn Write,
    progress: &Progress,
) -> Result<Grown, SynthError> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(options.threads)
        .build()
        .map_err(io::Error::other)?;
    let mut list = List::new(options, out);
    writeln!(list.out, "id\tlatex")?;
    list.read(inputs, &pool, progress)?;
    if list.grown.original.formulas() == 0 {
        return Err(SynthError::NoFormulas(list.grown.read));
    }
    list.grow(&pool, progress)?;
    Ok(list.grown)
}

struct List<'a> {
    options: &'a Options,
    out: &'a mut dyn Write,
    stock: Stock,
    grown: Grown,
}

impl<'a> List<'a> {
    fn new(options: &'a Options, out: &'a mut dyn Write) -> Self {
        List {
            options,
            out,
            stock: Stock::default(),
            grown: Grown {
                read: 0,
                left_out: 0,
                original: Statistics::default(),
                written: Statistics::default(),
            },
        }
    }

    fn missing(&self) -> u64 {
        self.options.formulas - self.grown.written.formulas()
    }

    /// Reads the whole list, and writes as much of it as was asked for.
    fn read(
        &mut self,
        mut inputs: Inputs,
        pool: &ThreadPool,
        progress: &Progress,
    ) -> Result<(), SynthError> {
        progress.begin(Stage::Reading, inputs.total_bytes().unwrap_or(0));
        let bytes = inputs.bytes_read();
        let options = self.options;
        let original = |read| Drawn::new(original_latex(read)?, &options.config, |_| true);
        loop {
            let batch = inputs.by_ref().take(BATCH as usize);
            let batch: Vec<ReadResult> = batch.collect::<Result<_, CorpusError>>()?;
            if batch.is_empty() {
                return Ok(());
            }
            let drawn: Vec<Option<Drawn>> =
                pool.install(|| batch.into_par_iter().map(original).collect());
            self.add_originals(&drawn)?;
            let read = bytes.load(Ordering::Relaxed);
            progress.done.store(read, Ordering::Relaxed);
            progress.formulas.store(self.grown.read, Ordering::Relaxed);
            go_on(progress)?;
        }
    }

    fn add_originals(&mut self, records: &[Option<Drawn>]) -> io::Result<()> {
        self.grown.read += records.len() as u64;
        for record in records {
            let Some(drawn) = record else {
                self.grown.left_out += 1;
                continue;
            };
            if !self.stock.add(drawn) {
                continue;
            }
            self.grown.original.add(&drawn.tokens);
            if self.missing() > 0 {
                self.write(drawn)?;
            }
        }
        Ok(())
    }

    /// Makes new formulas until none is missing.
    fn grow(&mut self, pool: &ThreadPool, progress: &Progress) -> Result<(), SynthError> {
        progress.begin(Stage::Growing, self.missing());
        let mut first = 0;
        while self.missing() > 0 {
            let missing = self.missing();
            for drawn in self.attempts(first, pool) {
                if self.missing() > 0 && self.stock.know(&drawn) {
                    self.write(&drawn)?;
                }
            }
            let new = missing - self.missing();
            if self.missing() > 0 && new * LEAST_NEW < BATCH {
                return Err(SynthError::TooFew {
                    reached: self.grown.written.formulas(),
                    asked: self.options.formulas,
                });
            }
            first += BATCH;
            progress.done.fetch_add(new, Ordering::Relaxed);
            go_on(progress)?;
        }
        Ok(())
    }

    /// What comes of the attempts from number `first`.
    fn attempts(&self, first: u64, pool: &ThreadPool) -> Vec<Drawn> {
        let List { stock, options, .. } = self;
        let cuts = self.grown.cuts();
        let attempt = |number| {
            let random = Random::new(options.seed, number);
            stock.attempt(random, cuts, &options.config)
        };
        let numbers = (first..first + BATCH).into_par_iter();
        pool.install(|| numbers.filter_map(attempt).collect())
    }

    fn write(&mut self, drawn: &Drawn) -> io::Result<()> {
        self.grown.written.add(&drawn.tokens);
        let id = self.grown.written.formulas();
        writeln!(self.out, "{id}\t{}", quoted(&drawn.latex))
    }
}

fn go_on(progress: &Progress) -> Result<(), SynthError> {
    match progress.stop.load(Ordering::Relaxed) {
        true => Err(SynthError::Interrupted),
        false => Ok(()),
    }
}

/// The LaTeX of a record that an index would hold. A line break is a space
/// to TeX, except that it ends a comment.
fn original_latex(read: ReadResult) -> Option<String> {
    let record = read.ok().filter(|record| record.withheld().is_none())?;
    let Content::Latex(latex) = record.content else {
        return None;
    };
    if !latex.contains(['\n', '\r']) {
        return Some(latex);
    }
    let end = if latex.contains('%') { "\n" } else { " " };
    let lines: Vec<&str> = latex.lines().collect();
    (lines.len() <= MOST_LINES).then(|| lines.join(end).replace('\r', end))
}
