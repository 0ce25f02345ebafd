//! Growing a list: the original formulas, then new ones made from them.

use std::io::{self, Write};
use std::sync::atomic::Ordering;

use rayon::ThreadPool;
use rayon::prelude::*;

use super::SynthError;
use super::pool::{EncodedFormula, Pool};
use super::statistics::Statistics;
use crate::corpus::{Content, CorpusError, Inputs, ReadResult, quoted};
use crate::phoc::PhocConfig;
use crate::progress::{Progress, Stage};
use crate::random::Random;

/// How to grow a list.
#[derive(Debug, Clone)]
pub struct GrowOptions {
    /// How many formulas to write.
    pub formulas: u64,
    /// The random seed: another seed gives another list.
    pub seed: u64,
    /// How formulas are encoded, for the statistics.
    pub config: PhocConfig,
    /// How many threads lay formulas out; 0 means one for each core.
    pub threads: usize,
}

/// The statistics of a list that [`grow`] has written, and of the original list.
#[derive(Debug)]
pub struct Grown {
    /// The number of records in the list.
    pub read: u64,
    /// The number of records that were left out, since an index leaves them out, too.
    pub left_out: u64,
    /// The distinct formulas of the list.
    pub original: Statistics,
    /// The formulas written.
    pub written: Statistics,
}

impl Grown {
    /// The share of splices that should cut, in percent; the others join. Long
    /// formulas have the most variants, so the list would become longer on average. The
    /// share of cuts is a half while the mean size is that of the original, and rises with
    /// the excess, to all of them where formulas are half a percent too long.
    fn cuts(&self) -> usize {
        let excess = self.written.sizes.mean() / self.original.sizes.mean() - 1.0;
        (50.0 + 10_000.0 * excess).clamp(0.0, 100.0) as usize
    }
}

/// The number of attempts in a batch. What an attempt gives depends on what is known
/// when its batch begins, so this number must not depend on the machine.
const BATCH: u64 = 4096;

/// Growing ends with a batch in which fewer than one attempt in this many gives a new formula.
const LEAST_NEW: u64 = 50;

/// The largest number of lines of a formula; readers reject longer records.
const MOST_LINES: usize = 100;

/// Writes a list of distinct formulas that lay out, as a table of id and
/// LaTeX: those of `inputs`, then as many like them as are missing. The same
/// inputs, number and seed give the same bytes for any number of threads.
///
/// # Errors
/// When the inputs cannot be read, `out` cannot be written, `progress.stop`
/// was set, or no more formulas are found that are not there yet.
pub fn grow(
    inputs: Inputs,
    options: &GrowOptions,
    out: &mut dyn Write,
    progress: &Progress,
) -> Result<Grown, SynthError> {
    let threads = rayon::ThreadPoolBuilder::new()
        .num_threads(options.threads)
        .build()?;
    let mut list = GrownList::new(options, out);
    writeln!(list.out, "id\tlatex")?;
    list.read(inputs, &threads, progress)?;
    if list.grown.original.formulas() == 0 {
        return Err(SynthError::NoFormulas(list.grown.read));
    }
    list.grow(&threads, progress)?;
    Ok(list.grown)
}

/// A list that is being written.
struct GrownList<'a> {
    options: &'a GrowOptions,
    out: &'a mut dyn Write,
    pool: Pool,
    grown: Grown,
}

impl<'a> GrownList<'a> {
    fn new(options: &'a GrowOptions, out: &'a mut dyn Write) -> Self {
        GrownList {
            options,
            out,
            pool: Pool::default(),
            grown: Grown {
                read: 0,
                left_out: 0,
                original: Statistics::default(),
                written: Statistics::default(),
            },
        }
    }

    /// How many formulas are still to be written.
    fn missing(&self) -> u64 {
        self.options.formulas - self.grown.written.formulas()
    }

    /// Reads the whole list, and writes as much of it as was asked for.
    fn read(
        &mut self,
        mut inputs: Inputs,
        threads: &ThreadPool,
        progress: &Progress,
    ) -> Result<(), SynthError> {
        progress.begin(Stage::Reading, inputs.total_bytes().unwrap_or(0));
        let bytes = inputs.bytes_read();
        let options = self.options;
        let original = |read| EncodedFormula::new(original_latex(read)?, &options.config, |_| true);
        loop {
            let batch = inputs.by_ref().take(BATCH as usize);
            let batch: Vec<ReadResult> = batch.collect::<Result<_, CorpusError>>()?;
            if batch.is_empty() {
                return Ok(());
            }
            let laid_out: Vec<Option<EncodedFormula>> =
                threads.install(|| batch.into_par_iter().map(original).collect());
            self.add_originals(&laid_out)?;
            let read = bytes.load(Ordering::Relaxed);
            progress.done.store(read, Ordering::Relaxed);
            progress.formulas.store(self.grown.read, Ordering::Relaxed);
            go_on(progress)?;
        }
    }

    fn add_originals(&mut self, records: &[Option<EncodedFormula>]) -> io::Result<()> {
        self.grown.read += records.len() as u64;
        for record in records {
            let Some(formula) = record else {
                self.grown.left_out += 1;
                continue;
            };
            if !self.pool.add(formula) {
                continue;
            }
            self.grown.original.add(&formula.tokens);
            if self.missing() > 0 {
                self.write(formula)?;
            }
        }
        Ok(())
    }

    /// Makes new formulas until as many are written as were asked for.
    fn grow(&mut self, threads: &ThreadPool, progress: &Progress) -> Result<(), SynthError> {
        progress.begin(Stage::Growing, self.missing());
        let mut first = 0;
        while self.missing() > 0 {
            let missing = self.missing();
            for formula in self.attempts(first, threads) {
                if self.missing() > 0 && self.pool.know(&formula) {
                    self.write(&formula)?;
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

    /// The new formulas that one batch of attempts gives, from attempt number `first`.
    fn attempts(&self, first: u64, threads: &ThreadPool) -> Vec<EncodedFormula> {
        let GrownList { pool, options, .. } = self;
        let cuts = self.grown.cuts();
        let attempt = |number| {
            let random = Random::new(options.seed, number);
            pool.attempt(random, cuts, &options.config)
        };
        let numbers = (first..first + BATCH).into_par_iter();
        threads.install(|| numbers.filter_map(attempt).collect())
    }

    fn write(&mut self, formula: &EncodedFormula) -> io::Result<()> {
        self.grown.written.add(&formula.tokens);
        let id = self.grown.written.formulas();
        writeln!(self.out, "{id}\t{}", quoted(&formula.latex))
    }
}

fn go_on(progress: &Progress) -> Result<(), SynthError> {
    if progress.stop.load(Ordering::Relaxed) {
        Err(SynthError::Interrupted)
    } else {
        Ok(())
    }
}

/// The LaTeX of a record, unless an index would leave it out. TeX reads a line break
/// as a space, except that it ends a comment.
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
