//! Windows: their norms, the order in which they are searched, and the driver
//! that gives them to threads.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::candidates::Candidates;
use super::kernel::{Level, Simd, Work};
use super::topk::{Bar, TopK};
use super::{Effort, Found, Query, QueryToken};
use crate::index::{Index, WINDOW};
use crate::phoc::{PhocConfig, Weights};

/// A way to find the best formulas of a window.
pub(super) trait Engine: Sync {
    /// What a thread keeps from window to window.
    type Scratch;

    /// Whether a higher bar saves work, so that threads should share theirs.
    const PRUNES: bool;

    /// Whether it can find those that look best of a window, to raise the bar
    /// before anything else.
    const SEEDS: bool;

    /// Room for one thread.
    fn scratch(&self) -> Self::Scratch;

    /// Puts every formula of a window that reaches the bar into `found`, with
    /// its exact sum. Mark every implementation `#[inline(always)]`.
    fn window<S: Simd>(
        &self,
        simd: S,
        window: &Window,
        scratch: &mut Self::Scratch,
        found: &mut Candidates,
    ) -> Effort;
}

/// A window that is being searched.
#[derive(Debug)]
pub(super) struct Window<'a> {
    pub(super) number: usize,
    /// Each norm in it, and the first formula of the index that has it.
    steps: &'a [[u32; 2]],
    /// How many formulas it has.
    pub(super) formulas: usize,
    /// How many formulas are enough, where they only raise the bar.
    pub(super) wanted: Option<usize>,
    bar: Bar,
    index: &'a Index,
}

impl<'a> Window<'a> {
    fn new(index: &'a Index, number: usize, bar: Bar, wanted: Option<usize>) -> Self {
        let start = number * WINDOW;
        let formulas = (index.formulas() - start).min(WINDOW);
        let steps = index.norm_steps();
        let first = steps
            .partition_point(|step| step[1] as usize <= start)
            .saturating_sub(1);
        let in_it = steps[first..].partition_point(|step| (step[1] as usize) < start + formulas);
        Window {
            number,
            steps: &steps[first..first + in_it],
            formulas,
            wanted,
            bar,
            index,
        }
    }

    /// Each norm, the formulas that have it, and the sum that they must reach.
    pub(super) fn bars(&self) -> impl Iterator<Item = (u32, Range<usize>, u32)> {
        let within = |step: &[u32; 2]| (step[1] as usize).saturating_sub(self.number * WINDOW);
        let ends = self.steps.iter().skip(1).map(within);
        let ends = ends.chain(std::iter::once(self.formulas));
        let steps = self.steps.iter().zip(ends);
        steps.map(move |(step, end)| (step[0], within(step)..end, self.bar.at(step[0])))
    }

    /// Offers what was found to the best.
    fn offer(&self, found: &Candidates, top: &mut TopK) {
        let start = self.number * WINDOW;
        let id_ranks = &self.index.id_ranks()[start..];
        let mut steps = self.steps.iter().peekable();
        let (mut norm, mut bar) = (0, 0);
        for (id, sum) in found.iter() {
            let formula = start + usize::from(id);
            while let Some(step) = steps.next_if(|step| step[1] as usize <= formula) {
                norm = step[0];
                bar = top.bar().at(norm);
            }
            if sum >= bar {
                top.offer(formula, sum, norm, id_ranks[usize::from(id)]);
                bar = top.bar().at(norm);
            }
        }
    }
}

/// Searches all windows for the `k` best.
///
/// A search that begins with a low bar scores much in vain. So where many are
/// wanted, a sample of windows is searched first, for several times as many as
/// it should have of the best: the last of these is a bar that enough of all
/// formulas reach, but for bad luck. Then the search is made again without it.
pub(super) fn drive<E: Engine>(
    engine: &E,
    index: &Index,
    query: &Query,
    k: usize,
    threads: usize,
    level: Level,
) -> Found {
    let ceiling = Ceiling::of(query, &index.meta().config);
    let windows = ceiling.order(index);
    let mut effort = Effort::default();
    let mut search = |windows: &[(usize, u32)], k: usize, bar: Bar| {
        let shared = Shared {
            engine,
            index,
            ceiling,
            windows,
            next: AtomicUsize::new(0),
            bar: AtomicU64::new(bar.packed()),
            k,
            best: Mutex::new(TopK::new(k)),
            effort: Mutex::default(),
        };
        shared.search(threads, level);
        effort += shared
            .effort
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        shared
            .best
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
    };
    let sample: Vec<_> = windows.iter().copied().step_by(SAMPLE).collect();
    let wanted = (k * sample.len()).div_ceil(windows.len().max(1)) * MARGIN;
    let bar = if E::SEEDS && wanted >= LEAST_SAMPLED && sample.len() < windows.len() {
        search(&sample, wanted, Bar::NONE).bar()
    } else {
        Bar::NONE
    };
    let mut best = search(&windows, k, bar);
    if bar != Bar::NONE && best.bar() == Bar::NONE {
        best = search(&windows, k, Bar::NONE);
    }
    Found {
        hits: best.into_hits(query.unit * index.meta().config.norm_unit().sqrt()),
        effort,
    }
}

/// One window in so many is sampled.
const SAMPLE: usize = 32;
/// How many times as many as it should have. With 3, one query in a hundred is
/// searched again; with 2, one in twenty.
const MARGIN: usize = 3;
/// A sample for fewer formulas says too little.
const LEAST_SAMPLED: usize = 50;

/// The highest score that a formula of each norm can have.
#[derive(Debug, Clone, Copy)]
struct Ceiling<'a> {
    /// The sum of all that terms can add.
    all: u32,
    /// The most that one of a formula's own bits can add.
    ratio: f64,
    config: &'a PhocConfig,
}

impl<'a> Ceiling<'a> {
    fn of(query: &Query, config: &'a PhocConfig) -> Self {
        let tokens = query.known().map(|(_, token)| token);
        let weights = Weights::new(config);
        Ceiling {
            all: tokens.clone().map(QueryToken::most).sum(),
            ratio: tokens
                .map(|token| token.ratio(&weights))
                .fold(0.0, f64::max),
            config,
        }
    }

    /// The most that formulas about this norm can share. Of the next norm,
    /// since the norm at which scores may be highest is rounded down.
    fn sum(self, norm: u32) -> u32 {
        let own = self.config.max_mass_within(norm.saturating_add(1));
        self.all.min((own * self.ratio).ceil() as u32)
    }

    /// The norm between two at which scores may be highest: as many bits as
    /// the query counts, or what is nearest to that.
    fn best_norm(self, lowest: u32, highest: u32) -> u32 {
        let bits = f64::from(self.all) / self.ratio.max(f64::MIN_POSITIVE);
        self.config.norm_below_mass(bits).clamp(lowest, highest)
    }

    /// The windows, by the highest score that each may have.
    fn order(self, index: &Index) -> Vec<(usize, u32)> {
        let steps = index.norm_steps();
        let norm_of = |formula: usize| {
            let step = steps.partition_point(|step| step[1] as usize <= formula);
            steps[step.saturating_sub(1)][0]
        };
        let mut windows: Vec<(f64, usize, u32)> = (0..index.windows())
            .map(|window| {
                let start = window * WINDOW;
                let end = (start + WINDOW).min(index.formulas());
                let norm = self.best_norm(norm_of(start), norm_of(end - 1));
                let score = f64::from(self.sum(norm)) / f64::from(norm.max(1)).sqrt();
                (score, window, norm)
            })
            .collect();
        windows.sort_by(|a, b| b.0.total_cmp(&a.0));
        let windows = windows.into_iter();
        windows.map(|(_, window, norm)| (window, norm)).collect()
    }
}

/// What the threads of one search share.
struct Shared<'a, E> {
    engine: &'a E,
    index: &'a Index,
    ceiling: Ceiling<'a>,
    /// Each window, and the norm in it at which scores may be highest.
    windows: &'a [(usize, u32)],
    next: AtomicUsize,
    /// The highest bar of any thread.
    bar: AtomicU64,
    k: usize,
    best: Mutex<TopK>,
    effort: Mutex<Effort>,
}

impl<E: Engine> Work for &Shared<'_, E> {
    type Output = ();

    #[inline(always)]
    fn with<S: Simd>(self, simd: S) {
        let mut scratch = self.engine.scratch();
        let mut own = TopK::new(self.k);
        let mut effort = Effort::default();
        let mut found = Candidates::new();
        while let Some(&(number, norm)) =
            self.windows.get(self.next.fetch_add(1, Ordering::Relaxed))
        {
            let bar = if E::PRUNES {
                Bar::unpacked(self.bar.load(Ordering::Relaxed))
            } else {
                own.bar()
            };
            if self.ceiling.sum(norm) < bar.at(norm) {
                continue;
            }
            let window = Window::new(self.index, number, bar, None);
            found.clear();
            effort += self.engine.window(simd, &window, &mut scratch, &mut found);
            match E::PRUNES {
                _ if found.len() == 0 => {}
                true => self.raise(|best| window.offer(&found, best)),
                false => window.offer(&found, &mut own),
            }
        }
        self.raise(|best| best.take_from(&mut own));
        *self.effort.lock().unwrap_or_else(PoisonError::into_inner) += effort;
    }
}

/// Raising the bar before anything else: with none, every formula of the
/// first windows would be scored, which for k = 10 was nine tenths of all.
struct Seed<'a, E>(&'a Shared<'a, E>);

impl<E: Engine> Work for Seed<'_, E> {
    type Output = ();

    #[inline(always)]
    fn with<S: Simd>(self, simd: S) {
        let Seed(shared) = self;
        let Some(&(number, _)) = shared.windows.first() else {
            return;
        };
        let wanted = Some(shared.k.saturating_mul(2));
        let window = Window::new(shared.index, number, Bar::NONE, wanted);
        let mut found = Candidates::new();
        let mut scratch = shared.engine.scratch();
        let engine = shared.engine;
        let effort = engine.window(simd, &window, &mut scratch, &mut found);
        let mut top = TopK::new(shared.k);
        window.offer(&found, &mut top);
        // As many as are wanted score so much: what scores less is not among
        // the best. They are found again when their window has its turn.
        shared.bar.store(top.bar().packed(), Ordering::Relaxed);
        *shared.effort.lock().unwrap_or_else(PoisonError::into_inner) += effort;
    }
}

impl<E: Engine> Shared<'_, E> {
    /// Searches windows, those first that may have the highest scores, and leaves
    /// out those that cannot reach the bar.
    fn search(&self, threads: usize, level: Level) {
        if E::SEEDS && self.bar.load(Ordering::Relaxed) == Bar::NONE.packed() {
            level.run(Seed(self));
        }
        match threads.clamp(1, self.windows.len().max(1)) {
            1 => level.run(self),
            threads => rayon::scope(|scope| {
                for _ in 1..threads {
                    scope.spawn(|_| level.run(self));
                }
                level.run(self);
            }),
        }
    }

    /// Changes what is best so far, and raises the bar for all.
    fn raise(&self, change: impl FnOnce(&mut TopK)) {
        let mut best = self.best.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut best);
        // Until there are k, the bar is the seed's.
        if best.bar() != Bar::NONE {
            self.bar.store(best.bar().packed(), Ordering::Relaxed);
        }
    }
}
