//! The driver: gives windows to threads, those with the highest bounds first,
//! and keeps the best k of all.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::Engine;
use super::candidates::Candidates;
use super::norm_bound::{NormBound, RankedWindow};
use super::window::Window;
use crate::index::Index;
use crate::search::filter::Filter;
use crate::search::kernel::Level;
use crate::search::query::Query;
use crate::search::topk::{Threshold, TopK};
use crate::search::{Ranking, SearchStats};

/// One window in this many is sampled.
const SAMPLE: usize = 32;
/// A sample is searched for this many times the number of results that are expected
/// in it. With 3, one query in a hundred must be searched a second time; with 2, one
/// in twenty.
const MARGIN: usize = 3;
/// Samples for fewer results than this are too unreliable.
const MIN_SAMPLED: usize = 50;

/// How a search is carried out.
#[derive(Debug, Clone, Copy)]
pub(in crate::search) struct Effort<'a> {
    /// The formulas that may be results; none where all may.
    pub(in crate::search) filter: Option<&'a Filter>,
    pub(in crate::search) k: usize,
    pub(in crate::search) threads: usize,
    pub(in crate::search) level: Level,
}

/// Searches all windows for the `k` best.
///
/// A search that begins with a low threshold scores many formulas in vain. So where
/// many results are wanted, a sample of the windows is searched first, for several
/// times the number of results that are expected in it: the score of the worst of
/// these is very likely a threshold that at least k of all formulas reach. If fewer
/// reach it, the search is repeated without it.
pub(in crate::search) fn drive(
    engine: &dyn Engine,
    index: &Index,
    query: &Query,
    effort: Effort,
) -> Ranking {
    let bound = NormBound::of(query, &index.meta().config);
    let windows = bound.order(index);
    let mut stats = SearchStats::default();
    let mut search = |windows: &[RankedWindow], k: usize, threshold: Threshold| {
        let search = Search::new(engine, index, bound, windows, Effort { k, ..effort });
        let (best, more) = search.run(threshold);
        stats += more;
        best
    };
    let k = effort.k;
    let sample: Vec<_> = windows.iter().copied().step_by(SAMPLE).collect();
    let sampled_k = (k * sample.len()).div_ceil(windows.len().max(1)) * MARGIN;
    let is_sampled = engine.can_seed() && sampled_k >= MIN_SAMPLED && sample.len() < windows.len();
    let threshold = if is_sampled {
        search(&sample, sampled_k, Threshold::NONE).threshold()
    } else {
        Threshold::NONE
    };
    let mut best = search(&windows, k, threshold);
    let was_too_high = threshold != Threshold::NONE && best.threshold() == Threshold::NONE;
    if was_too_high {
        best = search(&windows, k, Threshold::NONE);
    }
    stats.sampled_searches += u64::from(threshold != Threshold::NONE);
    stats.repeated_searches += u64::from(was_too_high);
    Ranking {
        formulas: best.into_formulas(query.unit * index.meta().config.norm_unit().sqrt()),
        stats,
    }
}

/// The state that the threads of one search share.
struct Search<'a> {
    engine: &'a dyn Engine,
    index: &'a Index,
    bound: NormBound<'a>,
    windows: &'a [RankedWindow],
    next: AtomicUsize,
    /// The highest threshold of any thread.
    threshold: AtomicU64,
    effort: Effort<'a>,
    best: Mutex<TopK>,
    stats: Mutex<SearchStats>,
}

impl<'a> Search<'a> {
    fn new(
        engine: &'a dyn Engine,
        index: &'a Index,
        bound: NormBound<'a>,
        windows: &'a [RankedWindow],
        effort: Effort<'a>,
    ) -> Self {
        Search {
            engine,
            index,
            bound,
            windows,
            next: AtomicUsize::new(0),
            threshold: AtomicU64::new(Threshold::NONE.packed()),
            effort,
            best: Mutex::new(TopK::new(effort.k)),
            stats: Mutex::default(),
        }
    }

    /// Searches windows, those first that may have the highest scores, and
    /// leaves out those that cannot reach the threshold.
    fn run(self, threshold: Threshold) -> (TopK, SearchStats) {
        self.threshold.store(threshold.packed(), Ordering::Relaxed);
        if self.engine.can_seed() && threshold == Threshold::NONE {
            self.seed();
        }
        let threads = self.effort.threads.clamp(1, self.windows.len().max(1));
        if threads == 1 {
            self.work();
        } else {
            rayon::scope(|scope| {
                for _ in 1..threads {
                    scope.spawn(|_| self.work());
                }
                self.work();
            });
        }
        let unlocked = PoisonError::into_inner;
        (
            self.best.into_inner().unwrap_or_else(unlocked),
            self.stats
                .into_inner()
                .unwrap_or_else(PoisonError::into_inner),
        )
    }

    /// Raises the threshold before the search proper: without a threshold, every
    /// formula of the first windows would be scored. For k = 10, these were nine
    /// tenths of all scored formulas.
    fn seed(&self) {
        let Some(first) = self.windows.first() else {
            return;
        };
        let target = Some(self.effort.k.saturating_mul(2));
        let window = self.window(first.number, Threshold::NONE, target);
        let mut candidates = Candidates::new();
        let mut worker = self.engine.worker(self.effort.level);
        let stats = worker.search_window(&window, &mut candidates);
        let mut top = TopK::new(self.effort.k);
        window.offer(&candidates, &mut top);
        // k formulas have at least this score, so formulas with lower scores are not
        // results. The k formulas are found again when their windows are searched.
        self.threshold
            .store(top.threshold().packed(), Ordering::Relaxed);
        self.count(stats);
    }

    fn window(
        &self,
        number: usize,
        threshold: Threshold,
        seed_target: Option<usize>,
    ) -> Window<'a> {
        let filter = self.effort.filter.map(|filter| filter.window(number));
        let mut window = Window::new(self.index, number, threshold, seed_target);
        window.filter = filter;
        window
    }

    /// Searches windows until none is left.
    fn work(&self) {
        let mut worker = self.engine.worker(self.effort.level);
        let shares = self.engine.shares_threshold();
        let mut own = TopK::new(self.effort.k);
        let mut stats = SearchStats::default();
        let mut candidates = Candidates::new();
        while let Some(ranked) = self.windows.get(self.next.fetch_add(1, Ordering::Relaxed)) {
            let threshold = if shares {
                Threshold::unpacked(self.threshold.load(Ordering::Relaxed))
            } else {
                own.threshold()
            };
            if self.bound.max_sum(ranked.norm) < threshold.min_sum_for(ranked.norm) {
                continue;
            }
            let window = self.window(ranked.number, threshold, None);
            candidates.clear();
            stats += worker.search_window(&window, &mut candidates);
            if candidates.len() == 0 {
                continue;
            }
            if shares {
                self.raise(|best| window.offer(&candidates, best));
            } else {
                window.offer(&candidates, &mut own);
            }
        }
        self.raise(|best| best.take_from(&mut own));
        self.count(stats);
    }

    /// Changes the best so far, and raises the threshold for all threads.
    fn raise(&self, change: impl FnOnce(&mut TopK)) {
        let mut best = self.best.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut best);
        // Until k formulas are found, the threshold is the seed's.
        if best.threshold() != Threshold::NONE {
            self.threshold
                .store(best.threshold().packed(), Ordering::Relaxed);
        }
    }

    fn count(&self, stats: SearchStats) {
        *self.stats.lock().unwrap_or_else(PoisonError::into_inner) += stats;
    }
}
