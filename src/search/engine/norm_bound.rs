//! Upper bounds that follow from norms alone, and the order of windows by them.

use crate::index::{Index, WINDOW};
use crate::phoc::{PhocConfig, Weights};
use crate::search::query::{Query, QueryToken};

/// The highest score that a formula of each norm can have.
#[derive(Debug, Clone, Copy)]
pub(super) struct NormBound<'a> {
    /// The sum of the largest gains of all terms.
    max_sum: u32,
    /// The largest sum for each unit of a formula's mass.
    max_ratio: f64,
    config: &'a PhocConfig,
}

/// A window, and the norm in it at which scores may be highest.
#[derive(Debug, Clone, Copy)]
pub(super) struct RankedWindow {
    pub(super) number: usize,
    pub(super) norm: u32,
}

impl<'a> NormBound<'a> {
    pub(super) fn of(query: &Query, config: &'a PhocConfig) -> Self {
        let tokens = query.known().map(|(_, token)| token);
        let weights = Weights::new(config);
        NormBound {
            max_sum: tokens.clone().map(QueryToken::max_gain).sum(),
            max_ratio: tokens
                .map(|token| token.max_ratio(&weights))
                .fold(0.0, f64::max),
            config,
        }
    }

    /// The highest sum of formulas about this norm. It is that of the next
    /// norm, since the norm at which scores may be highest is rounded down.
    pub(super) fn max_sum(self, norm: u32) -> u32 {
        let mass = self.config.max_mass_within(norm.saturating_add(1));
        self.max_sum.min((mass * self.max_ratio).ceil() as u32)
    }

    /// The norm between two at which scores may be highest: that of a formula
    /// with the query's own mass, or the norm nearest to it.
    fn best_norm(self, min_norm: u32, max_norm: u32) -> u32 {
        let mass = f64::from(self.max_sum) / self.max_ratio.max(f64::MIN_POSITIVE);
        self.config.norm_below_mass(mass).clamp(min_norm, max_norm)
    }

    /// The windows, by the highest score that each may have.
    pub(super) fn order(self, index: &Index) -> Vec<RankedWindow> {
        let steps = index.norm_steps();
        let norm_of = |formula: usize| {
            let step = steps.partition_point(|step| step.first_formula as usize <= formula);
            steps[step.saturating_sub(1)].norm
        };
        let mut windows: Vec<(f64, RankedWindow)> = (0..index.windows())
            .map(|number| {
                let start = number * WINDOW;
                let end = (start + WINDOW).min(index.formulas());
                let norm = self.best_norm(norm_of(start), norm_of(end - 1));
                let score = f64::from(self.max_sum(norm)) / f64::from(norm.max(1)).sqrt();
                (score, RankedWindow { number, norm })
            })
            .collect();
        windows.sort_by(|a, b| b.0.total_cmp(&a.0));
        windows.into_iter().map(|(_, window)| window).collect()
    }
}
