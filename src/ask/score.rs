//! BM25+, as Lv and Zhai define it (CIKM 2011).

use crate::phoc::AskSettings;

/// The parts of BM25+ that all terms of one kind share.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bm25 {
    /// k + 1.
    top: f64,
    /// k (1 - b).
    fixed: f64,
    /// k b / the mean length of texts.
    by_length: f64,
    delta: f64,
    /// How many texts there are, and one more.
    texts: f64,
}

impl Bm25 {
    /// The score in a collection of so many texts that have so many terms together.
    pub(super) fn new(settings: &AskSettings, texts: u64, terms: u64) -> Self {
        let mean = terms as f64 / texts.max(1) as f64;
        Bm25 {
            top: settings.k + 1.0,
            fixed: settings.k * (1.0 - settings.b),
            by_length: settings.k * settings.b / mean.max(f64::MIN_POSITIVE),
            delta: settings.delta,
            texts: texts as f64 + 1.0,
        }
    }

    /// How much a term tells that so many texts hold.
    pub(super) fn idf(&self, texts: u64) -> f64 {
        (self.texts / texts as f64).ln()
    }

    /// What so many occurrences in a text of this length count.
    pub(super) fn tf(&self, times: u32, length: u32) -> f64 {
        let times = f64::from(times);
        let saturated =
            self.top * times / (self.fixed + self.by_length * f64::from(length) + times);
        saturated + self.delta
    }
}
