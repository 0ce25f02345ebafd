//! Finding formulas by their external ids.

use std::cmp::Ordering;

use super::open::Index;
use crate::corpus::Instance;
use crate::index::format::{IndexError, id_key};

impl Index {
    /// The formula of an external id: a visual id where the index has them, else the id of its
    /// first occurrence.
    ///
    /// The first call takes some time: it puts the formulas in the order of their ids.
    ///
    /// # Errors
    /// When the store is damaged where it is looked at.
    pub fn find(&self, id: &str) -> Result<Option<usize>, IndexError> {
        let by_id = match self.by_id.get() {
            Some(by_id) => by_id,
            None => {
                let ranks = self.id_ranks()?;
                self.by_id.get_or_init(|| formulas_by_id(ranks))
            }
        };
        let wanted = id_key(id);
        let (mut low, mut high) = (0, by_id.len());
        while low < high {
            let middle = low.midpoint(high);
            let formula = by_id[middle] as usize;
            let found = self.entry(formula)?.id;
            match id_key(found.as_str()).cmp(&wanted) {
                Ordering::Less => low = middle + 1,
                Ordering::Greater => high = middle,
                // 7 and 07 sort as one.
                Ordering::Equal if found == *id => return Ok(Some(formula)),
                Ordering::Equal => return Ok(None),
            }
        }
        Ok(None)
    }

    /// The first formula that has an occurrence with this formula id or visual id. All
    /// occurrences are read until it is found: some seconds in a million formulas.
    ///
    /// # Errors
    /// When the store is damaged where it is looked at.
    pub fn find_instance(&self, id: &str) -> Result<Option<usize>, IndexError> {
        self.sound(self.search_instances(id))
    }

    fn search_instances(&self, id: &str) -> Result<Option<usize>, IndexError> {
        for (formula, read) in self.all_instances().enumerate() {
            let (_, instances) = read?;
            let mut instances = instances.iter();
            let is_it = |instance: &Instance| {
                let visual_id = instance.visual_id.as_ref();
                instance.id == *id || visual_id.is_some_and(|visual_id| *visual_id == *id)
            };
            if instances.any(is_it) {
                return Ok(Some(formula));
            }
        }
        Ok(None)
    }
}

fn formulas_by_id(ranks: &[u32]) -> Vec<u32> {
    let mut by_id = vec![0; ranks.len()];
    for (formula, rank) in ranks.iter().enumerate() {
        if let Some(place) = by_id.get_mut(*rank as usize) {
            *place = formula as u32;
        }
    }
    by_id
}
