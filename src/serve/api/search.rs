//! Searching, and completing what is being typed.

use serde_json::{Value, json};

use super::super::error::ApiError;
use super::super::{NamedIndex, State};
use super::params::Params;
use crate::layout;
use crate::search::{MinMatch, Request, Response};

/// The default numbers of results and of suggestions.
const DEFAULT_K: usize = 20;
const SUGGESTIONS: usize = 8;

/// The fields of every answer to a search.
fn shown(served: &NamedIndex, response: &Response) -> Value {
    let mut shown = json!(response);
    shown["index"] = json!(served.name);
    shown["formulas"] = json!(served.index().formulas());
    shown
}

pub(super) fn search(state: &State, params: &Params) -> Result<Value, ApiError> {
    let (served, latex) = (params.served(state)?, params.query(state)?);
    let depth = params.rerank.map(|depth| depth.min(state.limits.k));
    let own = served.index().meta().config.rerank;
    let (from, k) = params.page(state, DEFAULT_K)?;
    let mut request = Request::latex(latex)
        .from(from)
        .k(k)
        .min_match(params.min_match()?)
        .rerank(depth.unwrap_or(own.min(state.limits.k)))
        .threads(state.threads());
    request.idf = params.idf()?;
    let request = params.select(request)?;
    let mut answer = shown(&served, &served.searcher.search(&request)?);
    answer["query"] = json!(latex);
    answer["from"] = json!(from);
    Ok(answer)
}

pub(super) fn complete(state: &State, params: &Params) -> Result<Value, ApiError> {
    let (served, typed) = (params.served(state)?, params.query(state)?);
    let k = params.k(state, SUGGESTIONS)?;
    // What is asked wrongly is told even where nothing can be read yet.
    let (idf, _) = (params.idf()?, params.group()?);
    let mut answer = json!({ "read_as": "", "notes": [], "hits": [] });
    for reading in layout::readings_with(typed, &[served.searcher.macros()]) {
        let mut request = Request::layout(reading.layout)
            .k(k)
            .min_match(MinMatch::ALL)
            .rerank(0)
            .threads(1);
        request.idf = idf;
        let request = params.select(request)?;
        let response = served.searcher.search(&request)?;
        answer = shown(&served, &response);
        answer["read_as"] = json!(reading.read_as);
        answer["notes"] = json!(reading.notes);
        answer["unknown_commands"] = json!(reading.unknown_commands);
        if !response.hits.is_empty() {
            break;
        }
    }
    answer["query"] = json!(typed);
    Ok(answer)
}
