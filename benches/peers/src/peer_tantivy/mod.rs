//! tantivy with a scorer of its own.
//!
//! Formulas are documents, in phocus' order, in one segment; tokens are terms
//! of one field. tantivy's postings have no payloads, so words need a place of
//! their own. Each token has a fast field `word`: a column that only its
//! formulas have a value in. Its values lie in the order of the token's
//! postings, so a scan reads them block by block beside the formulas, and a jump
//! finds its row by the column's index. Two other ways were not built: one
//! multi-valued column takes a cache line a posting and needs the token's place in
//! the formula; positions as carriers of bits are found by adding up the
//! frequencies of a block for each posting that is read.
//!
//! The collector is tantivy's `TopDocs`. One of our own, with a heap and a bar that turns
//! most candidates away, was measured too: 23 ms where `TopDocs` took 21 to 24.

mod build;
mod list;
mod query;
mod union;

use std::cmp::Reverse;
use std::path::Path;
use std::sync::Arc;

use anyhow::ensure;
use tantivy::collector::TopDocs;
use tantivy::{DocId, Index, Score, Searcher, SegmentReader};

use crate::columns::{ID_RANK, NORM, read_u32};
use crate::query::PeerQuery;
use crate::serve::{Found, Peer};
use query::SharedBits;

/// A searcher over one segment, with what ranks its formulas.
pub(crate) struct Tantivy {
    searcher: Searcher,
    /// Norms and places by id: in memory rather than in fast fields, which
    /// saves tantivy two virtual calls a candidate.
    norms: Arc<[u32]>,
    id_ranks: Arc<[u32]>,
}

impl Tantivy {
    /// Opens the index in `folder`, built from its columns where there is none.
    pub(crate) fn open(folder: &Path) -> anyhow::Result<Self> {
        let path = folder.join("tantivy");
        if !path.join("meta.json").exists() {
            build::build(folder, &path)?;
        }
        let searcher = Index::open_in_dir(&path)?.reader()?.searcher();
        ensure!(
            searcher.segment_readers().len() == 1,
            "expected one segment in {}",
            path.display()
        );
        Ok(Tantivy {
            searcher,
            norms: read_u32(folder, NORM)?.into(),
            id_ranks: read_u32(folder, ID_RANK)?.into(),
        })
    }
}

impl Peer for Tantivy {
    fn search(
        &self,
        _: usize,
        query: &PeerQuery,
        mode: usize,
        k: usize,
    ) -> anyhow::Result<Vec<Found>> {
        let query = SharedBits {
            tokens: query.tokens.clone(),
            least: query.least[mode],
        };
        let (norms, id_ranks) = (self.norms.clone(), self.id_ranks.clone());
        let best = TopDocs::with_limit(k).tweak_score(move |_: &SegmentReader| {
            let (norms, id_ranks) = (norms.clone(), id_ranks.clone());
            move |doc: DocId, sum: Score| key(sum, norms[doc as usize], id_ranks[doc as usize])
        });
        let found = self.searcher.search(&query, &best)?;
        Ok(found
            .into_iter()
            .map(|((_, _, sum), address)| (address.doc_id, sum))
            .collect())
    }
}

/// What formulas are ordered by: the score squared, then the place by id; and
/// the sum, to be shown. Equal fractions are equal as doubles and others are
/// not: `export` has checked that they are small enough.
fn key(sum: Score, norm: u32, id_rank: u32) -> (f64, Reverse<u32>, u32) {
    let squared = f64::from(sum) * f64::from(sum);
    (squared / f64::from(norm), Reverse(id_rank), sum as u32)
}
