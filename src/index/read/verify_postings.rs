//! Verifying postings: that they ascend, follow each other, and add up to the norms.

use super::open::Index;
use super::postings::WindowPostings;
use crate::index::WINDOW;
use crate::index::docset::{BitmapBuffer, DocSet, GROUPS};
use crate::index::format::{IndexError, Section, decode_key};
use crate::index::payload::Payload;
use crate::phoc::{FormulaMass, TokenKind, Weights};

impl Index {
    /// Checks that keys ascend, that the formulas of each token ascend and are stored one
    /// after the other, and that the words of each formula give its norm.
    pub(super) fn verify_postings<P: Payload>(&self) -> Result<(), IndexError> {
        let weights = Weights::new(&self.meta().config);
        let mut masses = vec![FormulaMass::default(); self.formulas()];
        let mut placement = PlacementCheck::default();
        for token in 0..self.meta().tokens as u32 {
            let kind = self.verify_key(token)?;
            let add = |formula: usize, word| {
                if let Some(mass) = masses.get_mut(formula) {
                    weights.add(kind, word, mass);
                }
            };
            self.verify_token::<P>(token, &mut placement, add)?;
        }
        if !placement.is_all(self) {
            return Err(self.damaged("there are formulas of no token".to_owned()));
        }
        self.verify_norms(&masses)
    }

    /// The kind of a token, if its key can be read and follows the key before it.
    fn verify_key(&self, token: u32) -> Result<TokenKind, IndexError> {
        let place = token as usize;
        if place > 0 && self.key(place - 1) >= self.key(place) {
            return Err(self.damaged(format!("the key of token {token} is out of order")));
        }
        match decode_key(self.key(place)) {
            Some(key) => Ok(key.kind),
            None => Err(self.damaged(format!("the key of token {token} does not read"))),
        }
    }

    /// Checks the postings of a token, and gives each to `add`.
    fn verify_token<P: Payload>(
        &self,
        token: u32,
        placement: &mut PlacementCheck,
        mut add: impl FnMut(usize, u128),
    ) -> Result<(), IndexError> {
        let postings = self.postings::<P>(token)?;
        let mut counts = vec![0; self.meta().counted_regions()];
        for run in postings.runs {
            let window = run.window as usize;
            let room = self.formulas().saturating_sub(window * WINDOW).min(WINDOW);
            let found = postings.window(window);
            let sound =
                found.filter(|found| placement.follows(run.place, found) && is_sound(found, room));
            let Some(found) = sound else {
                return Err(self.damaged(format!("postings of token {token} are out of order")));
            };
            for (id, word) in found.words(self.codebook()) {
                add(window * WINDOW + usize::from(id), word);
                for (region, count) in counts.iter_mut().enumerate() {
                    *count += (word >> region & 1) as u32;
                }
            }
        }
        if self.region_frequencies(token)?.unwrap_or_default() == counts {
            Ok(())
        } else {
            Err(self.damaged(format!("the regions of token {token} are miscounted")))
        }
    }

    /// Checks that formulas have the norms that follow from their postings.
    fn verify_norms(&self, masses: &[FormulaMass]) -> Result<(), IndexError> {
        let config = &self.meta().config;
        for (norm, formulas) in self.norms() {
            let differs = |mass: &FormulaMass| config.norm_of(*mass) != norm;
            if let Some(other) = masses[formulas.clone()].iter().position(differs) {
                let formula = formulas.start + other;
                return Err(self.damaged(format!(
                    "formula {formula} has {} bits where its norm is {norm}",
                    masses[formula].bits()
                )));
            }
        }
        Ok(())
    }
}

/// Checks that runs follow each other in the columns that they point into: how many ids and
/// bitmaps came so far.
#[derive(Default)]
struct PlacementCheck {
    ids: usize,
    bitmaps: usize,
}

impl PlacementCheck {
    /// Whether a run's formulas are the next in the file.
    fn follows<P>(&mut self, place: u32, found: &WindowPostings<P>) -> bool {
        let (next, count) = match found.docs {
            DocSet::List(ids) => (&mut self.ids, ids.len()),
            DocSet::Bitmap(_) => (&mut self.bitmaps, 1),
        };
        let is_next = place as usize == *next;
        *next += count;
        is_next
    }

    /// Whether there are no others.
    fn is_all(&self, index: &Index) -> bool {
        let bytes = |section| index.sections.length(section);
        bytes(Section::Ids) == self.ids * 2
            && bytes(Section::Bits) == self.bitmaps * GROUPS * 8
            && bytes(Section::Ranks) == self.bitmaps * GROUPS * 2
    }
}

/// Whether formulas ascend within the `room` of a window, one a payload, and
/// ranks count them.
fn is_sound<P>(found: &WindowPostings<P>, room: usize) -> bool {
    let ids = found.docs.ids();
    let ranks_count = match found.docs {
        DocSet::List(_) => true,
        DocSet::Bitmap(bitmap) => BitmapBuffer::default().fill(&ids).ranks == bitmap.ranks,
    };
    ranks_count
        && ids.len() == found.length
        && ids.is_sorted_by(|a, b| a < b)
        && ids.last().is_none_or(|id| usize::from(*id) < room)
}
