//! Verifying: every checksum, every invariant.

use super::format::{IndexError, Section};
use super::posting::{BitmapBuffer, DocSet, GROUPS, Payload, WindowPostings};
use super::reader::Index;
use super::{HEADER_END, WINDOW};
use crate::phoc::{FormulaMass, Weights};

/// What was checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Verified {
    /// Formulas whose entries and instances were read.
    pub formulas: u64,
    /// Occurrences.
    pub instances: u64,
    /// Tokens whose postings were walked.
    pub tokens: u64,
    /// Postings.
    pub postings: u64,
}

impl Index {
    /// Checks every checksum, that postings ascend and add up to the norms,
    /// that ids are ranked, and that every formula and instance can be read.
    ///
    /// # Errors
    /// The first thing that is not as it was written.
    pub fn verify(&self) -> Result<Verified, IndexError> {
        for row in &self.rows {
            self.check_sum(row)?;
        }
        self.verify_padding()?;
        match self.meta().payload_bytes {
            4 => self.verify_postings::<u32>()?,
            8 => self.verify_postings::<u64>()?,
            _ => self.verify_postings::<u128>()?,
        }
        self.verify_ranks()?;
        self.verify_layouts()?;
        let instances = self.verify_store()?;
        let meta = self.meta();
        Ok(Verified {
            formulas: meta.formulas,
            instances,
            tokens: meta.tokens,
            postings: meta.postings,
        })
    }

    /// What is in no section is zero.
    fn verify_padding(&self) -> Result<(), IndexError> {
        let mut rows = self.rows.clone();
        // An empty section begins where the next does.
        rows.sort_by_key(|row| (row.offset, row.length));
        let mut end = HEADER_END as u64;
        for row in rows {
            let between = self.map.get(end as usize..row.offset as usize);
            if !between.is_some_and(|bytes| bytes.iter().all(|byte| *byte == 0)) {
                return Err(self.damaged(format!(
                    "there is something before section {:?}",
                    row.section
                )));
            }
            end = row.offset + row.length;
        }
        if end == self.map.len() as u64 {
            Ok(())
        } else {
            Err(self.damaged("there is something after the last section".to_owned()))
        }
    }

    /// Keys ascend, formulas ascend within each token and follow each other in
    /// the file, and the words of each formula have as many bits as its norm.
    fn verify_postings<P: Payload>(&self) -> Result<(), IndexError> {
        let config = &self.meta().config;
        let weights = Weights::new(config);
        let mut own = vec![FormulaMass::default(); self.formulas()];
        let mut placed = Placed::default();
        for token in 0..self.meta().tokens as u32 {
            let is_first = token == 0;
            if !is_first && self.key(token as usize - 1) >= self.key(token as usize) {
                return Err(self.damaged(format!("the key of token {token} is out of order")));
            }
            let Some(kind) = self.kind(token) else {
                return Err(self.damaged(format!("token {token} is of no kind")));
            };
            let postings = self.postings::<P>(token)?;
            let mut counts = vec![0; self.meta().counted_regions()];
            for run in postings.runs {
                let window = run[0] as usize;
                let room = (self.formulas() - window * WINDOW).min(WINDOW);
                let held = postings.window(window);
                let sound =
                    held.filter(|held| placed.follows(run[2], held) && is_sound(held, room));
                let Some(held) = sound else {
                    return Err(self.damaged(format!("postings of token {token} are out of order")));
                };
                for (id, word) in held.words(self.codebook()) {
                    let own = &mut own[window * WINDOW + usize::from(id)];
                    weights.add(kind, word, own);
                    for (region, count) in counts.iter_mut().enumerate() {
                        *count += (word >> region & 1) as u32;
                    }
                }
            }
            if self.region_frequencies(token).unwrap_or_default() != counts {
                return Err(self.damaged(format!("the regions of token {token} are miscounted")));
            }
        }
        if !placed.is_all(self) {
            return Err(self.damaged("there are formulas of no token".to_owned()));
        }
        for (norm, formulas) in self.norms() {
            let differs = |own: &FormulaMass| config.norm_of(*own) != norm;
            if let Some(other) = own[formulas.clone()].iter().position(differs) {
                let formula = formulas.start + other;
                return Err(self.damaged(format!(
                    "formula {formula} has {} bits where its norm is {norm}",
                    own[formula].bits()
                )));
            }
        }
        Ok(())
    }

    /// Ranks are a permutation.
    fn verify_ranks(&self) -> Result<(), IndexError> {
        let mut seen = bitvec::bitvec![0; self.formulas()];
        for rank in self.id_ranks() {
            let is_new = seen.get(*rank as usize).is_some_and(|seen| !*seen);
            if !is_new {
                return Err(self.damaged(format!("rank {rank} is out of place")));
            }
            seen.set(*rank as usize, true);
        }
        Ok(())
    }

    fn verify_store(&self) -> Result<u64, IndexError> {
        let mut count = 0;
        for (number, formula) in self.all_instances().enumerate() {
            let (entry, instances) = formula?;
            if entry.instances != instances.len() as u64 || instances.first() != Some(&entry.first)
            {
                return Err(self.damaged(format!("formula {number} and its instances disagree")));
            }
            count += entry.instances;
        }
        let expected = self.meta().instances;
        if count == expected {
            Ok(count)
        } else {
            Err(self.damaged(format!("it has {count} instances, expected {expected}")))
        }
    }

    /// The sections by name, with their lengths, for whoever wants to know.
    pub fn section_sizes(&self) -> Vec<(String, u64)> {
        Section::ALL
            .iter()
            .map(|section| (format!("{section:?}"), self.bytes(*section).len() as u64))
            .collect()
    }
}

/// How many ids and presences were met so far.
#[derive(Default)]
struct Placed {
    ids: usize,
    presences: usize,
}

impl Placed {
    /// Whether a run's formulas are the next in the file.
    fn follows<P>(&mut self, place: u32, held: &WindowPostings<P>) -> bool {
        let (next, count) = match held.docs {
            DocSet::List(ids) => (&mut self.ids, ids.len()),
            DocSet::Bitmap(_) => (&mut self.presences, 1),
        };
        let is_next = place as usize == *next;
        *next += count;
        is_next
    }

    /// Whether there are no others.
    fn is_all(&self, index: &Index) -> bool {
        let bytes = |section| index.bytes(section).len();
        bytes(Section::Ids) == self.ids * 2
            && bytes(Section::Bits) == self.presences * GROUPS * 8
            && bytes(Section::Ranks) == self.presences * GROUPS * 2
    }
}

/// Whether formulas ascend within the `room` of a window, one a payload, and
/// ranks count them.
fn is_sound<P>(held: &WindowPostings<P>, room: usize) -> bool {
    let ids = held.docs.ids();
    let ranks_count = match held.docs {
        DocSet::List(_) => true,
        DocSet::Bitmap(presence) => BitmapBuffer::default().fill(&ids).ranks == presence.ranks,
    };
    ranks_count
        && ids.len() == held.length
        && ids.is_sorted_by(|a, b| a < b)
        && ids.last().is_none_or(|id| usize::from(*id) < room)
}
