//! phocus itself, through its library: the search alone, without unpacking LaTeX.

use std::path::Path;

use phocus::index::Index;
use phocus::search::Plan;
use phocus::search::internals::Query;

use crate::query::{MODES, PeerQuery, min_match, read_layouts};
use crate::serve::{Found, Peer};

/// An index and, for each topic, its query in every mode.
pub(crate) struct Phocus {
    index: Index,
    queries: Vec<Vec<Query>>,
    threads: usize,
}

impl Phocus {
    pub(crate) fn open(index: &Path, topics: &[&str], threads: usize) -> anyhow::Result<Self> {
        let index = Index::open(index)?;
        let mut queries = Vec::new();
        for (_, layout) in read_layouts(topics)? {
            let mut by_mode = Vec::new();
            for mode in MODES {
                by_mode.push(Query::new(&layout, &index, min_match(mode)?, false));
            }
            queries.push(by_mode);
        }
        Ok(Phocus {
            index,
            queries,
            threads,
        })
    }
}

impl Peer for Phocus {
    fn search(
        &self,
        number: usize,
        _: &PeerQuery,
        mode: usize,
        k: usize,
    ) -> anyhow::Result<Vec<Found>> {
        let query = &self.queries[number][mode];
        let found = Plan::new(&self.index, query, k, self.threads).run(&self.index, query)?;
        Ok(found
            .formulas
            .into_iter()
            .map(|hit| (hit.formula as u32, hit.sum))
            .collect())
    }
}
