//! Engines: the ways to find the best formulas of one window.
//!
//! The [`driver`] decides which window is searched next, by which thread, and
//! keeps the best k. An engine searches one window at a time: it puts every
//! formula that reaches the threshold among the candidates, with its exact
//! sum. All engines give the same results.
//!
//! | engine | for | how |
//! | --- | --- | --- |
//! | [`bounded`] | at least m of the query's tokens, one included | bounds every formula from presence bits, scores those that reach the threshold |
//! | [`conjunctive`] | all tokens | intersects the lists of formulas, scores those that remain |
//! | [`scan`] | very many results, or very many tokens | reads every posting |

pub(super) mod bounded;
pub(super) mod candidates;
pub(super) mod conjunctive;
pub(super) mod driver;
mod norm_bound;
mod refine;
pub(super) mod scan;
mod stream;
pub(super) mod term;
pub(super) mod window;

pub use stream::stream;

pub(super) use candidates::Candidates;

use super::SearchStats;
use super::kernel::Level;
use window::Window;

/// A way to find the best formulas of a window.
pub(super) trait Engine: Sync {
    /// Whether a higher threshold saves work. If so, threads share their thresholds.
    fn shares_threshold(&self) -> bool;

    /// Whether it can find the formulas of a window that look best, to raise
    /// the threshold before anything else.
    fn can_seed(&self) -> bool;

    /// A searcher of windows for one thread, for processors of a level.
    fn worker(&self, level: Level) -> Box<dyn Worker + '_>;
}

/// An engine with the memory that one thread keeps from window to window.
pub(super) trait Worker {
    /// Puts every formula of a window that reaches the threshold among the
    /// candidates, with its exact sum.
    fn search_window(&mut self, window: &Window, candidates: &mut Candidates) -> SearchStats;
}
