//! The interface for programs, in JSON.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

use axum::extract::rejection::QueryRejection;
use axum::extract::{Query as QueryParams, State as Shared};
use axum::http::header;
use axum::response::{IntoResponse, Response as HttpResponse};
use axum::routing::{MethodRouter, get};
use serde::Deserialize;
use serde_json::{Value, json};

use super::error::ApiError;
use super::{NamedIndex, Route, State};
use crate::corpus::Instance;
use crate::layout::{self, Symbol};
use crate::phoc::{Idf, fold};
use crate::picture;
use crate::search::{MinMatch, Request, Response};

/// The default numbers of results and of suggestions.
const DEFAULT_K: usize = 20;
const SUGGESTIONS: usize = 8;

/// The description of this interface.
const OPENAPI: &str = include_str!("openapi.json");

/// The paths for programs, each with its handler.
pub(super) const ROUTES: [Route; 9] = [
    ("/api/search", || json_route(search)),
    ("/api/complete", || json_route(complete)),
    ("/api/render", || get(render)),
    ("/api/explain", || json_route(explained)),
    ("/api/instances", || json_route(instances)),
    ("/api/indexes", || get(indexes)),
    ("/api/openapi.json", || get(openapi)),
    ("/healthz", || get(|| async { "ok\n" })),
    ("/metrics", || get(metrics)),
];

/// Does the work of a request on a search thread, and answers in JSON with the time it took.
fn json_route(answer: fn(&State, &Params) -> Result<Value, ApiError>) -> MethodRouter<Arc<State>> {
    get(
        move |Shared(state): Shared<Arc<State>>, params: Parameters| async move {
            let started = Instant::now();
            let params = read(params)?;
            let mut found = state.work(move |state| answer(state, &params)).await?;
            found["took_ms"] = json!((started.elapsed().as_secs_f64() * 1e6).round() / 1e3);
            Ok::<_, ApiError>(axum::Json(found))
        },
    )
}

/// The parameters of all requests; each request uses some of them.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Params {
    q: Option<String>,
    index: Option<String>,
    k: Option<usize>,
    min_match: Option<String>,
    idf: Option<String>,
    rerank: Option<usize>,
    id: Option<String>,
    like: Option<String>,
    from: usize,
}

type Parameters = Result<QueryParams<Params>, QueryRejection>;

fn read(params: Parameters) -> Result<Params, ApiError> {
    let QueryParams(params) = params.map_err(|error| ApiError::bad(error.body_text()))?;
    Ok(params)
}

impl Params {
    /// The query, if it is not too long.
    fn query(&self, state: &State) -> Result<&str, ApiError> {
        let query = self.q.as_deref();
        checked(
            query.ok_or_else(|| ApiError::bad("q, the LaTeX, is missing"))?,
            state,
        )
    }

    fn id(&self) -> Result<&str, ApiError> {
        let id = self.id.as_deref();
        id.ok_or_else(|| ApiError::bad("id is missing"))
    }

    fn served<'a>(&self, state: &'a State) -> Result<&'a NamedIndex, ApiError> {
        let found = match &self.index {
            Some(name) => state.indexes.iter().find(|served| served.name == *name),
            None => state.indexes.first(),
        };
        found.ok_or_else(|| {
            let names: Vec<&str> = state.indexes.iter().map(|s| s.name.as_str()).collect();
            ApiError::missing(format!(
                "there is no such index; there is {}",
                names.join(", ")
            ))
        })
    }

    fn k(&self, state: &State, default: usize) -> Result<usize, ApiError> {
        let (k, limit) = (self.k.unwrap_or(default), state.limits.k);
        if (1..=limit).contains(&k) {
            Ok(k)
        } else {
            Err(ApiError::bad(format!(
                "k is {k}, and may be from 1 to {limit}"
            )))
        }
    }

    fn min_match(&self) -> Result<MinMatch, ApiError> {
        let text = self.min_match.as_deref().unwrap_or("0%");
        text.parse()
            .map_err(|error| ApiError::bad(format!("min_match: {error}")))
    }

    fn idf(&self) -> Result<Option<Idf>, ApiError> {
        let idf = self.idf.as_deref().map(str::parse);
        idf.transpose()
            .map_err(|error| ApiError::bad(format!("idf: {error}")))
    }
}

/// LaTeX, if it is not too long.
fn checked<'a>(latex: &'a str, state: &State) -> Result<&'a str, ApiError> {
    let limit = state.limits.query;
    if latex.len() <= limit {
        Ok(latex)
    } else {
        Err(ApiError::bad(format!(
            "the query is {} bytes long where at most {limit} are read",
            latex.len()
        )))
    }
}

/// The fields of every answer to a search.
fn shown(served: &NamedIndex, response: &Response) -> Value {
    let mut shown = json!(response);
    shown["index"] = json!(served.name);
    shown["formulas"] = json!(served.index().formulas());
    shown
}

fn search(state: &State, params: &Params) -> Result<Value, ApiError> {
    let (served, latex) = (params.served(state)?, params.query(state)?);
    let depth = params.rerank.map(|depth| depth.min(state.limits.k));
    let own = served.index().meta().config.rerank;
    let mut request = Request::latex(latex)
        .k(params.k(state, DEFAULT_K)?)
        .min_match(params.min_match()?)
        .rerank(depth.unwrap_or(own.min(state.limits.k)))
        .threads(state.threads());
    request.idf = params.idf()?;
    let mut answer = shown(served, &served.searcher.search(&request)?);
    answer["query"] = json!(latex);
    Ok(answer)
}

fn complete(state: &State, params: &Params) -> Result<Value, ApiError> {
    let (served, typed) = (params.served(state)?, params.query(state)?);
    let k = params.k(state, SUGGESTIONS)?;
    let idf = params.idf()?;
    let mut answer = json!({ "read_as": "", "changes": [], "hits": [] });
    for reading in layout::readings(typed) {
        let mut request = Request::layout(reading.layout)
            .k(k)
            .min_match(MinMatch::ALL)
            .rerank(0)
            .threads(state.threads());
        request.idf = idf;
        let response = served.searcher.search(&request)?;
        answer = shown(served, &response);
        answer["read_as"] = json!(reading.latex);
        answer["changes"] = json!(reading.changes);
        if !response.hits.is_empty() {
            break;
        }
    }
    answer["query"] = json!(typed);
    Ok(answer)
}

/// A formula as SVG; with `like`, the symbols that it shares with another are marked.
async fn render(
    Shared(state): Shared<Arc<State>>,
    params: Parameters,
) -> Result<HttpResponse, ApiError> {
    let params = read(params)?;
    let drawn = state.work(move |state| {
        let config = &params.served(state)?.index().meta().config;
        let latex = params.query(state)?;
        let like = params.like.as_deref().map(|like| checked(like, state));
        // A formula that cannot be read marks nothing.
        let like = like.transpose()?.and_then(layout::partial);
        let name = |id| if config.fold { fold(id) } else { id };
        let symbols = like.iter().flat_map(|like| like.layout.symbols());
        let shared: BTreeSet<_> = symbols.map(|symbol| name(symbol.id)).collect();
        let is_shared = |symbol: &Symbol| shared.contains(&name(symbol.id));
        // A formula that cannot be drawn as it is may be unfinished.
        picture::formula(latex, is_shared).or_else(|error| {
            let reading = layout::partial(latex).ok_or(error)?;
            Ok(picture::formula(&reading.latex, is_shared)?)
        })
    });
    let headers = [
        (header::CONTENT_TYPE, "image/svg+xml"),
        (header::CACHE_CONTROL, "max-age=3600"),
        // Opened by itself it is a document, with a style of its own and nothing else.
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        ),
    ];
    Ok((headers, drawn.await?).into_response())
}

/// Finds the formula of an id.
fn formula(params: &Params, served: &NamedIndex) -> Result<usize, ApiError> {
    let id = params.id()?;
    let found = served.index().find(id)?;
    found.ok_or_else(|| ApiError::missing(format!("{} has no formula {id}", served.name)))
}

fn explained(state: &State, params: &Params) -> Result<Value, ApiError> {
    let (served, latex) = (params.served(state)?, params.query(state)?);
    let id = params.id()?;
    let mut request = Request::latex(latex).min_match(params.min_match()?);
    request.idf = params.idf()?;
    let mut shown = json!(served.searcher.explain(&request, id)?);
    shown["query"] = json!(latex);
    Ok(shown)
}

/// Occurrences of a formula, page by page.
fn instances(state: &State, params: &Params) -> Result<Value, ApiError> {
    let served = params.served(state)?;
    let k = params.k(state, 50)?;
    let all = served.index().instances(formula(params, served)?)?;
    let some: Vec<&Instance> = all.iter().skip(params.from).take(k).collect();
    Ok(json!({ "id": params.id, "total": all.len(), "from": params.from, "instances": some }))
}

async fn indexes(Shared(state): Shared<Arc<State>>) -> HttpResponse {
    let shown = |served: &NamedIndex| {
        let meta = served.index().meta();
        json!({ "name": served.name, "formulas": meta.formulas, "config": meta.config.name })
    };
    let all: Vec<Value> = state.indexes.iter().map(shown).collect();
    axum::Json(json!({ "indexes": all })).into_response()
}

async fn openapi() -> HttpResponse {
    ([(header::CONTENT_TYPE, "application/json")], OPENAPI).into_response()
}

async fn metrics(Shared(state): Shared<Arc<State>>) -> HttpResponse {
    let kind = "text/plain; version=0.0.4";
    ([(header::CONTENT_TYPE, kind)], state.metrics.text()).into_response()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_description_has_every_path_and_no_other() {
        let described: Value = serde_json::from_str(OPENAPI).unwrap();
        let described = described["paths"].as_object().unwrap();
        let described: BTreeSet<&str> = described.keys().map(String::as_str).collect();
        assert_eq!(described, ROUTES.iter().map(|(path, _)| *path).collect());
    }
}
