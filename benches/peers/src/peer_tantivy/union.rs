//! Formulas that hold some of the tokens: sums by windows of formulas.
//!
//! tantivy has such a union for one token held and a heap for several; both
//! call scorers through pointers for each posting. This one is of one type,
//! and counts tokens as it sums.

use tantivy::query::Scorer;
use tantivy::{DocId, DocSet, Score, TERMINATED};

use super::list::Scanning;

/// Formulas in a window: of 4,096 (as in tantivy's own union), 16,384 and 32,768
/// the second was the fastest, by up to a tenth.
const WINDOW: usize = 16_384;

/// A token held, in a sum: bits are below it, and stay so up to 1,000 tokens.
const HELD: u32 = 1 << 16;

/// The union of lists, for formulas that are in at least some of them.
pub(super) struct Union {
    lists: Vec<Scanning>,
    least: u32,
    sums: Box<[u32; WINDOW]>,
    start: DocId,
    /// The place in the window of the present formula.
    at: usize,
}

impl Union {
    pub(super) fn new(lists: Vec<Scanning>, least: usize) -> Self {
        let mut union = Union {
            lists,
            least: HELD * least.max(1) as u32,
            sums: Box::new([0; WINDOW]),
            start: 0,
            at: 0,
        };
        union.fill();
        union.find();
        union
    }

    /// Sums the window that has the next formula; `false` at the end.
    fn fill(&mut self) -> bool {
        let Some(start) = self.lists.iter().filter_map(Scanning::next).min() else {
            self.start = TERMINATED;
            self.at = 0;
            return false;
        };
        self.start = start;
        self.at = 0;
        self.sums.fill(0);
        let sums = &mut self.sums;
        for list in &mut self.lists {
            list.scan_to(start + WINDOW as u32, |doc, bits| {
                sums[(doc - start) as usize % WINDOW] += HELD + bits;
            });
        }
        true
    }

    /// Goes on to the next formula that holds enough, the present one included.
    fn find(&mut self) {
        while self.start != TERMINATED {
            let rest = &self.sums[self.at..];
            if let Some(place) = rest.iter().position(|sum| *sum >= self.least) {
                self.at += place;
                return;
            }
            self.fill();
        }
    }

    /// Calls `found` with every formula that holds enough, and its sum.
    pub(super) fn for_each(&mut self, found: &mut dyn FnMut(DocId, Score)) {
        while self.start != TERMINATED {
            for (place, sum) in self.sums.iter().enumerate().skip(self.at) {
                if *sum >= self.least {
                    found(self.start + place as u32, (sum % HELD) as Score);
                }
            }
            self.fill();
        }
    }
}

impl DocSet for Union {
    fn advance(&mut self) -> DocId {
        self.at += 1;
        self.find();
        self.doc()
    }

    fn doc(&self) -> DocId {
        self.start + self.at as u32
    }

    fn size_hint(&self) -> u32 {
        0
    }
}

impl Scorer for Union {
    fn score(&mut self) -> Score {
        (self.sums[self.at] % HELD) as Score
    }
}
