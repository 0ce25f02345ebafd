//! What programs ask for, in JSON.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

use axum::extract::rejection::QueryRejection;
use axum::extract::{Query as QueryParams, State as Shared};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::error::ApiError;
use super::{NamedIndex, Route, State, unfinished};
use crate::corpus::Instance;
use crate::index::Index;
use crate::layout::{self, Layout, Symbol};
use crate::phoc::{Idf, TokenKey, encode, fold};
use crate::picture;
use crate::rerank;
use crate::search::{MinMatch, Query, explain};

/// Results where none are asked for, and suggestions.
const DEFAULT_K: usize = 20;
const SUGGESTIONS: usize = 8;

/// The description of this interface.
const OPENAPI: &str = include_str!("openapi.json");

/// The paths for programs, each with what answers it.
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

/// What takes work is answered in JSON, with the time that it took.
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

/// What may be asked with any request; each uses some.
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

    fn idf(&self, index: &Index) -> Result<Idf, ApiError> {
        let own = index.meta().config.idf;
        let Some(text) = &self.idf else {
            return Ok(own);
        };
        let idf = text
            .parse()
            .map_err(|error| ApiError::bad(format!("idf: {error}")))?;
        if idf == Idf::Region && own != Idf::Region {
            Err(ApiError::bad("this index does not count regions"))
        } else {
            Ok(idf)
        }
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

/// A formula that was found.
#[derive(Debug, Serialize)]
struct Hit {
    id: String,
    score: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    likeness: Option<f64>,
    latex: String,
    instances: u64,
    first: Instance,
    matched: Vec<String>,
}

/// The symbols of a query, as an index has them.
fn symbols(layout: &Layout, index: &Index) -> BTreeSet<TokenKey> {
    let tokens = encode(layout, &index.meta().config).into_iter();
    tokens
        .map(|token| token.key)
        .filter(TokenKey::is_symbol)
        .collect()
}

fn find(
    state: &State,
    served: &NamedIndex,
    layout: &Layout,
    query: &Query,
    asked: (usize, usize),
) -> Result<Vec<Hit>, ApiError> {
    let index = &served.index;
    let answer = rerank::search(index, layout, query, asked, state.threads())?;
    let wanted = symbols(layout, index);
    let hit = |result: rerank::Ranked| {
        // A formula that came as a drawing may not be kept as LaTeX.
        let held = match index.layout(result.hit.formula) {
            Ok(layout) => symbols(&layout, index),
            Err(_) => BTreeSet::new(),
        };
        Hit {
            score: result.hit.score(),
            likeness: result.likeness,
            id: result.entry.id,
            latex: result.entry.latex,
            instances: result.entry.instances,
            first: result.entry.first,
            matched: wanted
                .intersection(&held)
                .map(ToString::to_string)
                .collect(),
        }
    };
    Ok(answer.results.into_iter().map(hit).collect())
}

fn answer(served: &NamedIndex, query: &Query, hits: &[Hit]) -> Value {
    let unknown: Vec<String> = query.unknown().map(|key| key.to_string()).collect();
    let symbols = query.tokens.iter().filter(|token| token.key.is_symbol());
    json!({
        "index": served.name,
        "formulas": served.index.formulas(),
        "unknown_symbols": unknown,
        "symbols": symbols.count(),
        "least": query.least,
        "hits": hits,
    })
}

fn search(state: &State, params: &Params) -> Result<Value, ApiError> {
    let (served, latex) = (params.served(state)?, params.query(state)?);
    let (k, min_match) = (params.k(state, DEFAULT_K)?, params.min_match()?);
    let idf = params.idf(&served.index)?;
    let again = params.rerank.unwrap_or(served.index.meta().config.rerank);
    let layout = layout::latex(latex)?;
    let query = Query::new(&layout, &served.index, min_match, idf);
    let asked = (k, again.min(state.limits.k));
    let hits = find(state, served, &layout, &query, asked)?;
    let mut answer = answer(served, &query, &hits);
    answer["query"] = json!(latex);
    Ok(answer)
}

fn complete(state: &State, params: &Params) -> Result<Value, ApiError> {
    let (served, typed) = (params.served(state)?, params.query(state)?);
    let k = params.k(state, SUGGESTIONS)?;
    let idf = params.idf(&served.index)?;
    let mut answer = json!({ "read_as": "", "changes": [], "hits": [] });
    for reading in unfinished::readings(typed) {
        let query = Query::new(&reading.layout, &served.index, MinMatch::ALL, idf);
        let hits = find(state, served, &reading.layout, &query, (k, 0))?;
        answer = self::answer(served, &query, &hits);
        answer["read_as"] = json!(reading.latex);
        answer["changes"] = json!(reading.changes);
        if !hits.is_empty() {
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
) -> Result<Response, ApiError> {
    let params = read(params)?;
    let drawn = state.work(move |state| {
        let config = &params.served(state)?.index.meta().config;
        let latex = params.query(state)?;
        let like = params.like.as_deref().map(|like| checked(like, state));
        // What cannot be read marks nothing.
        let like = like.transpose()?.and_then(unfinished::read);
        let name = |id| if config.fold { fold(id) } else { id };
        let symbols = like.iter().flat_map(|like| like.layout.symbols());
        let shared: BTreeSet<_> = symbols.map(|symbol| name(symbol.id)).collect();
        let is_shared = |symbol: &Symbol| shared.contains(&name(symbol.id));
        // As the index draws it, and where it cannot be drawn so, as far as it is typed.
        picture::formula(latex, is_shared).or_else(|error| {
            let reading = unfinished::read(latex).ok_or(error)?;
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
    let id = params
        .id
        .as_deref()
        .ok_or_else(|| ApiError::bad("id is missing"))?;
    let found = served.index.formula_of(id, served.by_id())?;
    found.ok_or_else(|| ApiError::missing(format!("{} has no formula {id}", served.name)))
}

fn explained(state: &State, params: &Params) -> Result<Value, ApiError> {
    let (served, latex) = (params.served(state)?, params.query(state)?);
    let formula = formula(params, served)?;
    let layout = layout::latex(latex)?;
    let idf = params.idf(&served.index)?;
    let query = Query::new(&layout, &served.index, params.min_match()?, idf);
    let mut shown = json!(explain(&served.index, &query, formula)?);
    shown["query"] = json!(latex);
    shown["id"] = json!(params.id);
    shown["latex"] = json!(served.index.entry(formula)?.latex);
    Ok(shown)
}

/// Where a formula occurs, some at a time.
fn instances(state: &State, params: &Params) -> Result<Value, ApiError> {
    let served = params.served(state)?;
    let k = params.k(state, 50)?;
    let all = served.index.instances(formula(params, served)?)?;
    let some: Vec<&Instance> = all.iter().skip(params.from).take(k).collect();
    Ok(json!({ "id": params.id, "total": all.len(), "from": params.from, "instances": some }))
}

async fn indexes(Shared(state): Shared<Arc<State>>) -> Response {
    let shown = |served: &NamedIndex| {
        let meta = served.index.meta();
        json!({ "name": served.name, "formulas": meta.formulas, "config": meta.config.name })
    };
    let all: Vec<Value> = state.indexes.iter().map(shown).collect();
    axum::Json(json!({ "indexes": all })).into_response()
}

async fn openapi() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], OPENAPI).into_response()
}

async fn metrics(Shared(state): Shared<Arc<State>>) -> Response {
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
