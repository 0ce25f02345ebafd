//! The progress of long work, and a way to stop it.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};

/// A stage of the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
#[non_exhaustive]
pub enum Stage {
    /// Reading and laying out; counted in bytes of input.
    Reading = 0,
    /// Finding equal formulas; counted in records.
    Merging = 1,
    /// Ordering formulas; counted in formulas.
    Ordering = 2,
    /// Writing postings; counted in postings.
    Writing = 3,
    /// Making new formulas from given ones; counted in formulas.
    Growing = 4,
    /// Writing texts and their words; counted in texts, twice.
    Texts = 5,
}

/// The progress of work, which another thread can watch and stop.
#[derive(Debug, Default)]
pub struct Progress {
    stage: AtomicU8,
    /// Work done in this stage.
    pub done: AtomicU64,
    /// Work in this stage, 0 where unknown.
    pub total: AtomicU64,
    /// Records laid out so far.
    pub formulas: AtomicU64,
    /// When this is set, the work ends soon and leaves nothing behind.
    pub stop: AtomicBool,
}

impl Progress {
    /// The current stage.
    pub fn stage(&self) -> Stage {
        match self.stage.load(Ordering::Relaxed) {
            0 => Stage::Reading,
            1 => Stage::Merging,
            2 => Stage::Ordering,
            3 => Stage::Writing,
            5 => Stage::Texts,
            _ => Stage::Growing,
        }
    }

    pub(crate) fn begin(&self, stage: Stage, total: u64) {
        self.done.store(0, Ordering::Relaxed);
        self.total.store(total, Ordering::Relaxed);
        self.stage.store(stage as u8, Ordering::Relaxed);
    }

    /// Whether someone asked for the work to end.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
