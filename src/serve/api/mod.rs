//! The interface for programs, in JSON.

mod ask;
mod formula;
mod openapi;
mod params;
mod render;
mod search;

use std::sync::Arc;
use std::time::Instant;

use axum::extract::State as Shared;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get};
use serde_json::{Value, json};

use super::error::ApiError;
use super::lane::Work;
use super::served::Served;
use super::{Route, State};
use params::{Parameters, Params, read};

/// The paths for programs, each with its handler.
pub(super) const ROUTES: [Route; 14] = [
    ("/api/search", || json_route(Work::Search, search::search)),
    ("/api/ask", || json_route(Work::Search, ask::ask)),
    ("/api/reading", || {
        json_route(Work::Completion, ask::reading)
    }),
    ("/api/complete", || {
        json_route(Work::Completion, search::complete)
    }),
    ("/api/render", || get(render::render)),
    ("/api/preview", || {
        json_route(Work::Formula, formula::preview)
    }),
    ("/api/mathml", || json_route(Work::Formula, formula::mathml)),
    ("/api/explain", || {
        json_route(Work::Formula, formula::explained)
    }),
    ("/api/regions", || {
        json_route(Work::Formula, formula::regions)
    }),
    ("/api/instances", || {
        json_route(Work::Formula, formula::instances)
    }),
    ("/api/indexes", || get(indexes)),
    ("/api/openapi.json", || get(openapi::openapi)),
    ("/healthz", || get(health)),
    ("/metrics", || get(metrics)),
];

/// What answers a request, but for the time that it took.
type Answer = fn(&State, &Params) -> Result<Value, ApiError>;

/// Does the work of a request in a lane, and answers in JSON with the time it took. The JSON is
/// part of the work: that of a thousand results would hold up other requests.
fn json_route(kind: Work, answer: Answer) -> MethodRouter<Arc<State>> {
    get(
        move |Shared(state): Shared<Arc<State>>, params: Parameters| async move {
            let started = Instant::now();
            let params = read(params)?;
            let work = move |state: &State| {
                let mut found = answer(state, &params)?;
                found["took_ms"] = json!((started.elapsed().as_secs_f64() * 1e6).round() / 1e3);
                serde_json::to_vec(&found).map_err(|error| ApiError::failed(error.to_string()))
            };
            let body = state.work(kind, work).await?;
            Ok::<_, ApiError>(([(header::CONTENT_TYPE, "application/json")], body))
        },
    )
}

async fn indexes(Shared(state): Shared<Arc<State>>) -> Response {
    let shown = |served: &Served| {
        let (now, limits) = (served.now(), &state.limits);
        let meta = now.index().meta();
        json!({
            "name": served.name,
            "formulas": meta.formulas,
            "config": meta.config.name,
            "idf": meta.config.idf,
            "rerank": meta.config.rerank.min(limits.k),
            "max_k": limits.k,
            "max_query": limits.query,
            "max_question": limits.question(),
            "texts": meta.texts.as_ref().map_or(0, |texts| texts.results),
            "ask": meta.texts.as_ref().map(|_| meta.config.ask),
            "generation": now.generation,
            "facets": meta.facets,
        })
    };
    let all: Vec<Value> = state.indexes.iter().map(shown).collect();
    axum::Json(json!({ "indexes": all })).into_response()
}

/// Whether every index can be searched. It reads no index, and waits for no search.
async fn health(Shared(state): Shared<Arc<State>>) -> Response {
    let indexes: Vec<Value> = state.indexes.iter().map(Served::health).collect();
    let failing = indexes.iter().find(|index| index["status"] != "ok");
    let Some(failing) = failing else {
        return axum::Json(json!({ "status": "ok", "indexes": indexes })).into_response();
    };
    let reason = failing["reason"].as_str().unwrap_or_default();
    let error = format!("{}: {reason}", failing["name"].as_str().unwrap_or_default());
    let body = json!({ "status": "unsound", "error": error, "indexes": indexes });
    (StatusCode::SERVICE_UNAVAILABLE, axum::Json(body)).into_response()
}

async fn metrics(Shared(state): Shared<Arc<State>>) -> Response {
    let kind = "text/plain; version=0.0.4";
    ([(header::CONTENT_TYPE, kind)], state.metrics_text()).into_response()
}
