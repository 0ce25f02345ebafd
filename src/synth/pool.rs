//! The pool: the formulas that new ones are made of, and how one is made.

use std::collections::HashSet;

use super::donors::NameDonors;
use super::rename::{DrawMode, renamed};
use super::spans::SplitFormula;
use super::splice;
use crate::layout;
use crate::phoc::{Encoded, PhocConfig, encode};
use crate::random::Random;

/// How often an attempt is repeated until it makes a new formula.
const TRIES: usize = 12;

/// The share of attempts that cut or join, in percent.
const SPLICED: usize = 15;

/// A formula that is laid out and encoded.
pub(super) struct EncodedFormula {
    pub(super) latex: String,
    /// Half of the layout's fingerprint. Where the halves of two formulas are equal by
    /// chance, the second is not written, which does no harm.
    fingerprint: u64,
    pub(super) tokens: Vec<Encoded>,
}

impl EncodedFormula {
    /// Lays `latex` out, and encodes it if `is_wanted` says so of its fingerprint.
    pub(super) fn new(
        latex: String,
        config: &PhocConfig,
        is_wanted: impl Fn(u64) -> bool,
    ) -> Option<Self> {
        let layout = layout::latex(&latex).ok()?;
        let fingerprint = layout.fingerprint() as u64;
        is_wanted(fingerprint).then(|| EncodedFormula {
            tokens: encode(&layout, config),
            fingerprint,
            latex,
        })
    }
}

/// The formulas of the list, and the fingerprints of all that were read or written.
#[derive(Debug, Default)]
pub(super) struct Pool {
    known: HashSet<u64>,
    sources: SourceTexts,
    donors: NameDonors,
}

impl Pool {
    /// Adds a formula to make others of, unless one that looks the same is known;
    /// returns whether it was added.
    pub(super) fn add(&mut self, formula: &EncodedFormula) -> bool {
        let is_new = self.know(formula);
        if is_new {
            self.donors.add(&SplitFormula::new(&formula.latex));
            self.sources.push(&formula.latex);
        }
        is_new
    }

    /// Makes a formula known; returns whether it was not before.
    pub(super) fn know(&mut self, formula: &EncodedFormula) -> bool {
        self.known.insert(formula.fingerprint)
    }

    /// A new formula made of one that is drawn at random, if one is found in a few
    /// tries; `cuts` percent of splices cut, the others join.
    pub(super) fn attempt(
        &self,
        mut random: Random,
        cuts: usize,
        config: &PhocConfig,
    ) -> Option<EncodedFormula> {
        let source = self.sources.pick(&mut random);
        let is_spliced = random.percent(SPLICED);
        (0..TRIES).find_map(|attempt| {
            let spliced = if is_spliced || attempt + 2 >= TRIES {
                self.spliced(source, cuts, &mut random)
            } else {
                None
            };
            let mode = match attempt {
                0..2 => DrawMode::InOrder,
                2..6 => DrawMode::Shuffled,
                _ => DrawMode::Any,
            };
            let formula = SplitFormula::new(spliced.as_deref().unwrap_or(source));
            let latex = renamed(&formula, &self.donors, mode, &mut random).or(spliced)?;
            EncodedFormula::new(latex, config, |fingerprint| {
                !self.known.contains(&fingerprint)
            })
        })
    }

    /// `source` cut, or joined with another formula.
    fn spliced(&self, source: &str, cuts: usize, random: &mut Random) -> Option<String> {
        let source = SplitFormula::new(source);
        if random.percent(cuts) {
            return splice::cut(&source, random);
        }
        let operator = splice::operator(&SplitFormula::new(self.sources.pick(random)), random)?;
        let other = SplitFormula::new(self.sources.pick(random));
        splice::join(&source, operator, &other)
    }
}

/// All LaTeX of the list in one string: a string for each formula would take 1.5 times the memory.
#[derive(Debug, Default)]
struct SourceTexts {
    text: String,
    ends: Vec<usize>,
}

impl SourceTexts {
    fn push(&mut self, latex: &str) {
        self.text.push_str(latex);
        self.ends.push(self.text.len());
    }

    fn pick(&self, random: &mut Random) -> &str {
        let at = random.below(self.ends.len());
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[start..self.ends[at]]
    }
}
