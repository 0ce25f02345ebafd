//! What formulas are made of, and how one is made.

use std::collections::HashSet;

use super::donors::Donors;
use super::rename::{Draw, renamed};
use super::splice;
use super::tokens::Formula;
use crate::layout;
use crate::phoc::{Encoded, PhocConfig, encode};
use crate::random::Random;

/// How often an attempt is made anew when what it made was there before.
const TRIES: usize = 12;

/// Of a hundred attempts, how many cut or join.
const SPLICED: usize = 15;

/// A formula that lays out.
pub(super) struct Drawn {
    pub(super) latex: String,
    /// Half of the layout's fingerprint. Where two halves are equal by
    /// chance a new formula is taken for an old one, and no harm done.
    fingerprint: u64,
    pub(super) tokens: Vec<Encoded>,
}

impl Drawn {
    /// Lays `latex` out, and encodes it if its fingerprint is wanted.
    pub(super) fn new(
        latex: String,
        config: &PhocConfig,
        wanted: impl Fn(u64) -> bool,
    ) -> Option<Self> {
        let layout = layout::latex(&latex).ok()?;
        let fingerprint = layout.fingerprint() as u64;
        wanted(fingerprint).then(|| Drawn {
            tokens: encode(&layout, config),
            fingerprint,
            latex,
        })
    }
}

/// The formulas of the list, and what is known of those written.
#[derive(Debug, Default)]
pub(super) struct Stock {
    known: HashSet<u64>,
    sources: Sources,
    donors: Donors,
}

impl Stock {
    /// Adds a formula to make others of; says whether it is new.
    pub(super) fn add(&mut self, drawn: &Drawn) -> bool {
        let is_new = self.know(drawn);
        if is_new {
            self.donors.add(&Formula::new(&drawn.latex));
            self.sources.push(&drawn.latex);
        }
        is_new
    }

    /// Takes note of a formula; says whether it is new.
    pub(super) fn know(&mut self, drawn: &Drawn) -> bool {
        self.known.insert(drawn.fingerprint)
    }

    /// Something new, if it can be made of the formula that this attempt is
    /// of; of a hundred splices so many are `cuts`.
    pub(super) fn attempt(
        &self,
        mut random: Random,
        cuts: usize,
        config: &PhocConfig,
    ) -> Option<Drawn> {
        let source = self.sources.pick(&mut random);
        let is_spliced = random.percent(SPLICED);
        (0..TRIES).find_map(|attempt| {
            let spliced = match is_spliced || attempt + 2 >= TRIES {
                true => self.spliced(source, cuts, &mut random),
                false => None,
            };
            let draw = match attempt {
                0..2 => Draw::InOrder,
                2..6 => Draw::Shuffled,
                _ => Draw::Any,
            };
            let formula = Formula::new(spliced.as_deref().unwrap_or(source));
            let latex = renamed(&formula, &self.donors, draw, &mut random).or(spliced)?;
            Drawn::new(latex, config, |fingerprint| {
                !self.known.contains(&fingerprint)
            })
        })
    }

    /// A shorter formula, or a longer one, made of `source` and others.
    fn spliced(&self, source: &str, cuts: usize, random: &mut Random) -> Option<String> {
        let source = Formula::new(source);
        if random.percent(cuts) {
            return splice::cut(&source, random);
        }
        let operator = splice::operator(&Formula::new(self.sources.pick(random)), random)?;
        let other = Formula::new(self.sources.pick(random));
        splice::join(&source, operator, &other)
    }
}

/// All LaTeX of the list, end to end: a string each would take half as much again.
#[derive(Debug, Default)]
struct Sources {
    text: String,
    ends: Vec<usize>,
}

impl Sources {
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
