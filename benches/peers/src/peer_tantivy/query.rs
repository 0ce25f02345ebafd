//! The query: every formula that holds enough of the tokens, scored by the
//! bits it shares. The collector divides by the norm.

use tantivy::query::{
    EmptyScorer, EnableScoring, Explanation, Query, Scorer, Weight, intersect_scorers,
};
use tantivy::{DocId, Score, SegmentReader};

use super::list::{Jumping, Scanning};
use super::union::Union;

/// Bits shared with these tokens, where at least some of them are held.
#[derive(Debug, Clone)]
pub(super) struct SharedBits {
    pub(super) tokens: Vec<(u32, u64)>,
    pub(super) least: usize,
}

impl Query for SharedBits {
    fn weight(&self, _: EnableScoring<'_>) -> tantivy::Result<Box<dyn Weight>> {
        Ok(Box::new(self.clone()))
    }
}

impl SharedBits {
    fn union(&self, reader: &SegmentReader) -> tantivy::Result<Union> {
        let lists = self.tokens.iter();
        let lists = lists.map(|(token, word)| Scanning::open(reader, *token, *word));
        Ok(Union::new(
            lists.collect::<tantivy::Result<_>>()?,
            self.least,
        ))
    }

    /// tantivy's own intersection, the shortest list leading.
    fn intersection(&self, reader: &SegmentReader) -> tantivy::Result<Box<dyn Scorer>> {
        let mut lists: Vec<Box<dyn Scorer>> = Vec::new();
        for (token, word) in &self.tokens {
            lists.push(Box::new(Jumping::open(reader, *token, *word)?));
        }
        Ok(intersect_scorers(lists, reader.num_docs()))
    }

    fn is_union(&self) -> bool {
        self.least < self.tokens.len() || self.tokens.len() == 1
    }
}

impl Weight for SharedBits {
    fn scorer(&self, reader: &SegmentReader, _: Score) -> tantivy::Result<Box<dyn Scorer>> {
        match self.least > self.tokens.len() {
            true => Ok(Box::new(EmptyScorer)),
            false if self.is_union() => Ok(Box::new(self.union(reader)?)),
            false => self.intersection(reader),
        }
    }

    fn explain(&self, reader: &SegmentReader, doc: DocId) -> tantivy::Result<Explanation> {
        let mut scorer = self.scorer(reader, 1.0)?;
        let score = match scorer.seek(doc) == doc {
            true => scorer.score(),
            false => 0.0,
        };
        Ok(Explanation::new("bits shared with the query", score))
    }

    /// As the default, without a virtual call a formula where there is a union.
    fn for_each(
        &self,
        reader: &SegmentReader,
        found: &mut dyn FnMut(DocId, Score),
    ) -> tantivy::Result<()> {
        if self.least <= self.tokens.len() && self.is_union() {
            self.union(reader)?.for_each(found);
            return Ok(());
        }
        let mut scorer = self.scorer(reader, 1.0)?;
        let mut doc = scorer.doc();
        while doc != tantivy::TERMINATED {
            found(doc, scorer.score());
            doc = scorer.advance();
        }
        Ok(())
    }
}
