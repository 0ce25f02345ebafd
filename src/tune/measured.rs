//! Measures of a configuration, by searches of an index of the judged formulas.

use std::collections::BTreeMap;

use super::Judged;
use crate::corpus::Record;
use crate::eval::{Measures, Qrels, Run, evaluate};
use crate::index::{Dedup, IndexBuilder};
use crate::layout::Layout;
use crate::phoc::PhocConfig;
use crate::search::{Request, SearchError, Searcher};

/// The measures of some topics, each searched for as any query is, without
/// re-ranking: the judged formulas are indexed in memory with `config`.
pub(super) fn measured(
    config: &PhocConfig,
    topics: &[(&str, &Layout)],
    formulas: &BTreeMap<String, Judged>,
    qrels: &Qrels,
) -> Result<BTreeMap<String, Measures>, SearchError> {
    let config = PhocConfig {
        rerank: 0,
        ..config.clone()
    };
    let mut builder = IndexBuilder::new(config).dedup(Dedup::None);
    for (id, judged) in formulas {
        // Equal scores go by id, which is the rank that the judged formula had.
        let rank = judged.rank.to_string();
        if let (Ok(rank), Ok(visual_id)) = (rank.parse(), id.parse()) {
            builder.add(Record::latex(rank, &judged.latex).with_visual_id(visual_id))?;
        }
    }
    let searcher = Searcher::new(builder.finish_in_memory()?);
    let mut run = Run::default();
    for (topic, layout) in topics {
        let request = Request::layout((*layout).clone()).k(formulas.len());
        let response = searcher.search(&request.matched(false))?;
        let ranked = response.hits.iter().map(|hit| {
            let visual_id = hit.visual_id().to_owned();
            (visual_id, -(hit.rank as f64))
        });
        run.topics.insert((*topic).to_owned(), ranked.collect());
    }
    let mut qrels = qrels.clone();
    qrels
        .topics
        .retain(|topic, _| topics.iter().any(|(name, _)| name == topic));
    Ok(evaluate(&run, &qrels))
}
