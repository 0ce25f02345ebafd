//! A window that is being searched: its norms and its thresholds.

use std::ops::Range;

use super::candidates::Candidates;
use crate::index::{GROUP, GROUPS, Index, NormStep, WINDOW};
use crate::search::topk::{Threshold, TopK};

/// A window that is being searched.
#[derive(Debug)]
pub(in crate::search) struct Window<'a> {
    pub(super) number: usize,
    /// Each norm in it, and the first formula of the index that has it.
    steps: &'a [NormStep],
    /// How many formulas it has.
    pub(super) formulas: usize,
    /// How many candidates are enough, where the window is only searched to
    /// raise the threshold.
    pub(super) seed_target: Option<usize>,
    /// A bit for each of its formulas that may be a result; none where all may.
    pub(super) filter: Option<&'a [u64; GROUPS]>,
    threshold: Threshold,
    index: &'a Index,
}

impl<'a> Window<'a> {
    pub(super) fn new(
        index: &'a Index,
        number: usize,
        threshold: Threshold,
        seed_target: Option<usize>,
    ) -> Self {
        let start = number * WINDOW;
        let formulas = (index.formulas() - start).min(WINDOW);
        let steps = index.norm_steps();
        let first = steps
            .partition_point(|step| step.first_formula as usize <= start)
            .saturating_sub(1);
        let count =
            steps[first..].partition_point(|step| (step.first_formula as usize) < start + formulas);
        Window {
            number,
            steps: &steps[first..first + count],
            formulas,
            seed_target,
            filter: None,
            threshold,
            index,
        }
    }

    /// Whether a formula may be a result.
    #[inline(always)]
    pub(super) fn passes(&self, id: usize) -> bool {
        (self.filter).is_none_or(|filter| filter[id / GROUP % GROUPS] >> (id % GROUP) & 1 == 1)
    }

    /// Leaves the marks of formulas that may be results.
    #[inline(always)]
    pub(super) fn restrict(&self, marks: &mut [u64; GROUPS]) {
        if let Some(filter) = self.filter {
            for (marks, passing) in marks.iter_mut().zip(filter) {
                *marks &= passing;
            }
        }
    }

    /// Each norm's formulas, as a range within the window, and the sum that
    /// they must reach.
    pub(super) fn min_sums(&self) -> impl Iterator<Item = (Range<usize>, u32)> {
        let within =
            |step: &NormStep| (step.first_formula as usize).saturating_sub(self.number * WINDOW);
        let ends = self.steps.iter().skip(1).map(within);
        let ends = ends.chain(std::iter::once(self.formulas));
        let steps = self.steps.iter().zip(ends);
        steps.map(move |(step, end)| (within(step)..end, self.threshold.min_sum_for(step.norm)))
    }

    /// Offers the candidates to the best k.
    pub(super) fn offer(&self, candidates: &Candidates, top: &mut TopK) {
        let start = self.number * WINDOW;
        let id_ranks = self.index.id_ranks_of(start..start + self.formulas);
        let mut steps = self.steps.iter().peekable();
        let (mut norm, mut min_sum) = (0, 0);
        for (id, sum) in candidates.iter() {
            let formula = start + usize::from(id);
            while let Some(step) = steps.next_if(|step| step.first_formula as usize <= formula) {
                norm = step.norm;
                min_sum = top.threshold().min_sum_for(norm);
            }
            // A damaged bitmap may hold formulas after the last, and damaged ranks are none.
            let Some(id_rank) = id_ranks.get(usize::from(id)) else {
                break;
            };
            if sum >= min_sum {
                top.offer(formula, sum, norm, *id_rank);
                min_sum = top.threshold().min_sum_for(norm);
            }
        }
    }
}
