//! Verifying: every checksum, every invariant.

use super::open::Index;
use crate::index::format::{HEADER_END, IndexError};
use crate::index::payload::with_payload;

/// Counts of what was checked.
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
    /// When something differs from what was written; the error names the first such thing.
    pub fn verify(&self) -> Result<Verified, IndexError> {
        self.sound(self.verified())
    }

    /// Reads the whole file and checks every checksum, which finds a file that is damaged or not
    /// yet complete in less time than [`verify`](Self::verify) takes.
    ///
    /// # Errors
    /// When a checksum is not that of what was written.
    pub fn check_sums(&self) -> Result<(), IndexError> {
        self.sound(self.sections.check_all())
    }

    fn verified(&self) -> Result<Verified, IndexError> {
        self.check_sums()?;
        self.verify_padding()?;
        with_payload!(self.meta().payload_bytes, P => self.verify_postings::<P>())?;
        self.verify_ranks()?;
        self.verify_layouts()?;
        let instances = self.verify_store()?;
        self.verify_texts()?;
        let meta = self.meta();
        Ok(Verified {
            formulas: meta.formulas,
            instances,
            tokens: meta.tokens,
            postings: meta.postings,
        })
    }

    /// Checks that bytes outside of all sections are zero.
    fn verify_padding(&self) -> Result<(), IndexError> {
        let mut rows = self.sections.rows().to_vec();
        // An empty section begins where the next does.
        rows.sort_by_key(|row| (row.offset, row.length));
        let mut end = HEADER_END as u64;
        for row in rows {
            let between = self.as_bytes().get(end as usize..row.offset as usize);
            if !between.is_some_and(|bytes| bytes.iter().all(|byte| *byte == 0)) {
                return Err(self.damaged(format!(
                    "there is something before section {:?}",
                    row.section
                )));
            }
            end = row.offset + row.length;
        }
        if end == self.file_bytes() {
            Ok(())
        } else {
            Err(self.damaged("there is something after the last section".to_owned()))
        }
    }

    /// Checks that ranks are a permutation.
    fn verify_ranks(&self) -> Result<(), IndexError> {
        let mut is_seen = vec![false; self.formulas()];
        for rank in self.id_ranks()? {
            match is_seen.get_mut(*rank as usize) {
                Some(is_seen) if !*is_seen => *is_seen = true,
                _ => return Err(self.damaged(format!("rank {rank} is out of place"))),
            }
        }
        Ok(())
    }

    fn verify_store(&self) -> Result<u64, IndexError> {
        let mut count = 0;
        for (number, formula) in self.all_instances().enumerate() {
            let (entry, instances) = formula?;
            if entry.instances != instances.len() as u64 {
                return Err(self.damaged(format!("formula {number} and its instances disagree")));
            }
            if !self.facets_agree(number, &instances) {
                return Err(self.damaged(format!("formula {number} has other types or sources")));
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

    /// Checks that every text reads, that its formulas and its question exist, and that the formulas
    /// that are counted of each text are those that are listed for it.
    fn verify_texts(&self) -> Result<(), IndexError> {
        let Some(meta) = &self.meta().texts else {
            return Ok(());
        };
        let rows = self.text_rows()?;
        let mut listed = vec![0; rows.len()];
        for formula in 0..self.formulas() {
            self.texts_of(formula, |text, times| {
                listed[text as usize] += u64::from(times);
            })?;
        }
        let (formulas, texts) = (self.formulas() as u32, rows.len() as u32);
        for (number, row) in rows.iter().enumerate() {
            let stored = self.text(number)?;
            let mut own = stored.formulas.iter().flatten();
            let exist = own.all(|formula| *formula < formulas)
                && stored.question.is_none_or(|question| question < texts);
            if !exist || listed[number] != u64::from(row.formulas) {
                return Err(self.damaged(format!("text {number} and its formulas disagree")));
            }
        }
        if listed.iter().sum::<u64>() != meta.formulas {
            return Err(self.damaged("the formulas of its texts do not add up".to_owned()));
        }
        #[cfg(feature = "ask")]
        self.words()?;
        Ok(())
    }
}
