//! Finding formulas by their external ids.

use std::cmp::Ordering;

use super::open::Index;
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
        let by_id = self.by_id.get_or_init(|| self.formulas_by_id());
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

    fn formulas_by_id(&self) -> Vec<u32> {
        let mut by_id = vec![0; self.formulas()];
        for (formula, rank) in self.id_ranks().iter().enumerate() {
            if let Some(place) = by_id.get_mut(*rank as usize) {
                *place = formula as u32;
            }
        }
        by_id
    }
}
