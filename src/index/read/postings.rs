//! A token's postings: which formulas hold it, and where in them.
//!
//! Formulas are in windows. In each window that has any, a token's formulas are a list of ids where
//! they are few. Where they are many, they are a bitmap with ranks: it is smaller then, and 64
//! formulas are processed in one step. Payloads follow in the same order, across all windows, for
//! tokens of positional kinds.

use super::column::Column;
use crate::index::codebook::Codebook;
use crate::index::docset::{DocSet, GROUPS, MAX_LIST_LEN, RankedBitmap};
use crate::index::format::WindowRun;
use crate::index::payload::Payload;
use crate::phoc::WHOLE;

/// A token's postings in one window.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WindowPostings<'a, P> {
    /// The formulas.
    pub(crate) docs: DocSet<'a>,
    /// How many they are.
    pub(crate) length: usize,
    /// The payload of each, in the same order, if the token's kind is positional.
    pub(crate) payloads: Option<&'a [P]>,
}

impl<P: Payload> WindowPostings<'_, P> {
    /// The formulas, ascending, each with the word of the regions in which it
    /// has the token.
    pub(crate) fn words(&self, codebook: &Codebook) -> Vec<(u16, u128)> {
        let ids = self.docs.ids().into_iter();
        match self.payloads {
            Some(payloads) => ids
                .zip(payloads.iter().map(|payload| payload.word(codebook)))
                .collect(),
            None => ids.map(|id| (id, WHOLE)).collect(),
        }
    }
}

/// The postings of one token.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Postings<'a, P> {
    /// Windows in which there are any, ascending.
    pub(super) runs: &'a [WindowRun],
    /// The ids of all tokens.
    pub(super) ids: Column<'a, u16>,
    /// The presence bits of all tokens.
    pub(super) bits: Column<'a, [u64; GROUPS]>,
    /// Their ranks.
    pub(super) ranks: Column<'a, [u16; GROUPS]>,
    /// How many formulas hold this token.
    pub(super) length: usize,
    /// The payloads of these, if the token's kind is positional.
    pub(super) payloads: Option<Column<'a, P>>,
}

impl<'a, P: Payload> Postings<'a, P> {
    /// How many formulas hold the token.
    pub(crate) fn len(&self) -> usize {
        self.length
    }

    /// Whether the token's kind is positional: its postings have payloads.
    pub(crate) fn is_positional(&self) -> bool {
        self.payloads.is_some()
    }

    /// The windows in which the token occurs, ascending.
    pub(crate) fn windows(&self) -> impl Iterator<Item = usize> + use<'a, P> {
        self.runs.iter().map(|run| run.window as usize)
    }

    /// The postings in a window, if there are any.
    pub(crate) fn window(&self, window: usize) -> Option<WindowPostings<'a, P>> {
        let place = match self.runs.get(window) {
            // A token that is in every window.
            Some(run) if run.window as usize == window => window,
            _ => self
                .runs
                .binary_search_by_key(&window, |run| run.window as usize)
                .ok()?,
        };
        self.of_run(place)
    }

    /// The postings of the run at `place`; none where the file is damaged.
    fn of_run(&self, place: usize) -> Option<WindowPostings<'a, P>> {
        let run = self.runs.get(place)?;
        let (start, at) = (run.first_posting as usize, run.place as usize);
        let next = self.runs.get(place + 1);
        let end = next.map_or(self.length, |next| next.first_posting as usize);
        let length = end.checked_sub(start)?;
        let payloads = match self.payloads {
            Some(payloads) => Some(payloads.get(start..end)?),
            None => None,
        };
        let docs = if length <= MAX_LIST_LEN {
            DocSet::List(self.ids.get(at..at.checked_add(length)?)?)
        } else {
            DocSet::Bitmap(RankedBitmap {
                bits: self.bits.row(at)?,
                ranks: self.ranks.row(at)?,
            })
        };
        Some(WindowPostings {
            docs,
            length,
            payloads,
        })
    }

    /// Whether windows ascend, their postings follow each other and all are there.
    pub(super) fn is_sound(&self, windows: usize) -> bool {
        let starts_at_zero = self.runs.first().is_none_or(|run| run.first_posting == 0);
        let ascends = self
            .runs
            .is_sorted_by(|a, b| a.window < b.window && a.first_posting < b.first_posting);
        let fits = self.runs.last().is_none_or(|run| {
            (run.window as usize) < windows && (run.first_posting as usize) < self.length
        });
        starts_at_zero
            && ascends
            && fits
            && self.runs.is_empty() == (self.length == 0)
            && self
                .payloads
                .is_none_or(|payloads| payloads.len() == self.length)
            && self.is_within()
    }

    /// Whether the formulas of runs that ascend are within their sections. Every run of every term
    /// is looked at in each search, and none of its formulas.
    fn is_within(&self) -> bool {
        let (ids, bitmaps) = (self.ids.len(), self.bits.len().min(self.ranks.len()));
        let starts = self.runs.iter().map(|run| run.first_posting as usize);
        let ends = starts.clone().skip(1).chain(std::iter::once(self.length));
        let mut runs = self.runs.iter().zip(starts.zip(ends));
        runs.all(|(run, (start, end))| {
            let (at, length) = (run.place as usize, end.saturating_sub(start));
            if length <= MAX_LIST_LEN {
                at + length <= ids
            } else {
                at < bitmaps
            }
        })
    }
}
