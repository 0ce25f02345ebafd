//! Verifying: every checksum, every invariant.

use super::format::{IndexError, Section};
use super::posting::Word;
use super::reader::Index;
use super::{HEADER_END, WINDOW};

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
        match self.meta().word_bytes {
            8 => self.verify_postings::<u64>()?,
            _ => self.verify_postings::<u128>()?,
        }
        self.verify_ranks()?;
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
        rows.sort_by_key(|row| row.offset);
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
        match end == self.map.len() as u64 {
            true => Ok(()),
            false => Err(self.damaged("there is something after the last section".to_owned())),
        }
    }

    /// Keys ascend, formulas ascend within each token, and the words of each
    /// formula have as many bits as its norm.
    fn verify_postings<W: Word>(&self) -> Result<(), IndexError> {
        let mut bits = vec![0u32; self.formulas()];
        for token in 0..self.meta().tokens as u32 {
            let is_first = token == 0;
            if !is_first && self.key(token as usize - 1) >= self.key(token as usize) {
                return Err(self.damaged(format!("the key of token {token} is out of order")));
            }
            for (window, ids, words) in self.postings::<W>(token)?.windows() {
                let room = (self.formulas() - window * WINDOW).min(WINDOW);
                let ascend = ids.is_sorted_by(|a, b| a < b);
                if !ascend || ids.last().is_some_and(|id| *id as usize >= room) {
                    return Err(self.damaged(format!("postings of token {token} are out of order")));
                }
                for (id, word) in ids.iter().zip(words) {
                    bits[window * WINDOW + *id as usize] += word.ones();
                }
            }
        }
        for (norm, formulas) in self.norms() {
            if let Some(other) = bits[formulas.clone()].iter().position(|bits| *bits != norm) {
                let formula = formulas.start + other;
                return Err(self.damaged(format!(
                    "formula {formula} has {} bits where its norm is {norm}",
                    bits[formula]
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
        match count == expected {
            true => Ok(count),
            false => Err(self.damaged(format!("it has {count} instances, expected {expected}"))),
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
