//! What is known of one formula: its score taken apart, and where it occurs.

use serde_json::{Value, json};

use super::super::error::ApiError;
use super::super::{NamedIndex, State};
use super::params::{Params, checked};
use crate::corpus::Instance;
use crate::layout;
use crate::picture;
use crate::search::Request;

/// Finds the formula of an id.
fn formula(params: &Params, served: &NamedIndex) -> Result<usize, ApiError> {
    let id = params.id()?;
    let found = served.index().find(id)?;
    found.ok_or_else(|| ApiError::missing(format!("{} has no formula {id}", served.name)))
}

pub(super) fn explained(state: &State, params: &Params) -> Result<Value, ApiError> {
    let (served, latex) = (params.served(state)?, params.query(state)?);
    let id = params.id()?;
    let own = served.index().meta().config.rerank;
    let mut request = Request::latex(latex)
        .min_match(params.min_match()?)
        .rerank(params.rerank.unwrap_or(own).min(state.limits.k))
        .threads(state.threads());
    request.idf = params.idf()?;
    let request = params.select(request)?;
    let mut shown = json!(served.searcher.explain(&request, id)?);
    shown["query"] = json!(latex);
    shown["picture"] = json!({ "em": picture::EM, "room": picture::ROOM });
    Ok(shown)
}

/// The regions in which a symbol stands in the query and in a formula, drawn.
pub(super) fn regions(state: &State, params: &Params) -> Result<Value, ApiError> {
    let (served, query) = (params.served(state)?, params.query(state)?);
    let read = served.searcher.read_query(query, None)?;
    let latex = served.index().entry(formula(params, &served)?)?.latex;
    let symbol = params.symbol.as_deref();
    let symbol = symbol.map(|name| checked(name, state)).transpose()?;
    let config = &served.index().meta().config;
    let svg = picture::regions(config, &read.read_as, symbol, Some(&latex))
        .map_err(|error| ApiError::bad(error.to_string()))?;
    Ok(json!({
        "query": query, "read_as": read.read_as, "notes": read.notes, "id": params.id,
        "symbol": symbol, "svg": svg,
    }))
}

/// How a query is read, and the drawing of what was read.
pub(super) fn preview(state: &State, params: &Params) -> Result<Value, ApiError> {
    let (served, query) = (params.named(state)?.now(), params.query(state)?);
    let read = served.searcher.read_query(query, None)?;
    let svg = picture::formula(&read.read_as, params.theme, |_| false)?;
    Ok(json!({ "query": query, "read_as": read.read_as, "notes": read.notes, "svg": svg }))
}

/// A query as MathML.
pub(super) fn mathml(state: &State, params: &Params) -> Result<Value, ApiError> {
    let (served, query) = (params.named(state)?.now(), params.query(state)?);
    let read = served.searcher.read_query(query, None)?;
    let mathml = layout::mathml(&read.read_as)?;
    Ok(json!({ "query": query, "read_as": read.read_as, "notes": read.notes, "mathml": mathml }))
}

/// Occurrences of a formula, page by page.
pub(super) fn instances(state: &State, params: &Params) -> Result<Value, ApiError> {
    let served = params.served(state)?;
    let k = params.k(state, 50)?;
    let formula = formula(params, &served)?;
    let all = served.index().instances(formula)?;
    let some: Vec<&Instance> = all.iter().skip(params.from).take(k).collect();
    let latex = served.index().entry(formula)?.latex;
    Ok(json!({
        "id": params.id, "latex": latex, "total": all.len(), "from": params.from,
        "instances": some,
    }))
}
