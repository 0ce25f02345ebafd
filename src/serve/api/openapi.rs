//! The description of the interface for programs, as OpenAPI.
//!
//! `openapi.json` has what is the same for every server; limits, names of indexes, errors that every
//! path may answer and the token are filled in for the server that is asked.

use std::sync::Arc;

use axum::extract::State as Shared;
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};

use super::super::access::Secured;
use super::super::served::Served;
use super::super::{Limits, State};
use crate::phoc::Idf;

/// The description as it is written.
const WRITTEN: &str = include_str!("openapi.json");

/// The errors that every path may answer.
const ERRORS: [(&str, &str); 9] = [
    ("400", "The request is not understood, or is over a limit."),
    (
        "403",
        "The server is not served under the name that Host gives.",
    ),
    ("405", "The method is neither GET nor HEAD."),
    ("408", "The request did not arrive in time."),
    ("413", "The request has a body."),
    ("414", "The address is too long."),
    ("431", "There are too many or too long headers."),
    ("500", "The server failed."),
    (
        "503",
        "There are too many requests, or the index cannot be read now.",
    ),
];

/// The paths that need no token.
const OPEN: &str = "/healthz";

/// What the description depends on.
struct Facts<'a> {
    limits: Limits,
    indexes: Vec<&'a str>,
    /// Whether an index counts symbols by region.
    has_regions: bool,
    /// Whether requests must carry a token.
    is_secured: bool,
}

/// Answers with the description.
pub(super) async fn openapi(
    Shared(state): Shared<Arc<State>>,
    secured: Option<axum::Extension<Secured>>,
) -> Response {
    let has_regions = |served: &Served| served.now().index().meta().config.idf == Idf::Region;
    let facts = Facts {
        limits: state.limits,
        indexes: state
            .indexes
            .iter()
            .map(|served| served.name.as_str())
            .collect(),
        has_regions: state.indexes.iter().any(has_regions),
        is_secured: secured.is_some(),
    };
    axum::Json(described(&facts)).into_response()
}

/// The description of a server.
fn described(facts: &Facts) -> Value {
    // That it can be read is tested.
    let mut described: Value = serde_json::from_str(WRITTEN).unwrap_or_default();
    let paths = described["paths"].as_object_mut();
    for (path, methods) in paths.into_iter().flatten() {
        let operation = &mut methods["get"];
        for parameter in operation["parameters"].as_array_mut().into_iter().flatten() {
            limit(parameter, path, facts);
        }
        if let Some(responses) = operation["responses"].as_object_mut() {
            add_errors(responses, facts.is_secured && path != OPEN);
        }
        if facts.is_secured && path == OPEN {
            operation["security"] = json!([]);
        }
    }
    if facts.is_secured {
        described["security"] = json!([{ "token": [] }]);
        described["components"]["securitySchemes"] =
            json!({ "token": { "type": "http", "scheme": "bearer" } });
    }
    described
}

/// Writes what this server takes into a parameter.
fn limit(parameter: &mut Value, path: &str, facts: &Facts) {
    let name = parameter["name"].as_str().unwrap_or_default().to_owned();
    let (schema, limits) = (&mut parameter["schema"], &facts.limits);
    match name.as_str() {
        "k" => {
            schema["maximum"] = json!(limits.k);
            let default = schema["default"].as_u64().unwrap_or(1);
            schema["default"] = json!(default.min(limits.k as u64));
        }
        "from" if ["/api/search", "/api/ask"].contains(&path) => {
            schema["maximum"] = json!(limits.k.saturating_sub(1));
        }
        "q" if ["/api/ask", "/api/reading"].contains(&path) => {
            schema["maxLength"] = json!(limits.question());
        }
        "q" | "like" => schema["maxLength"] = json!(limits.query),
        "index" => schema["enum"] = json!(facts.indexes),
        "idf" if !facts.has_regions => schema["enum"] = json!(["true", "false"]),
        _ => {}
    }
}

/// Adds the errors that every path may answer.
fn add_errors(responses: &mut Map<String, Value>, is_secured: bool) {
    let unauthorized = ("401", "The request does not carry the server's token.");
    let unauthorized = is_secured.then_some(unauthorized);
    for (status, description) in ERRORS.into_iter().chain(unauthorized) {
        let problem = json!({ "application/json": {
            "schema": { "$ref": "#/components/schemas/Problem" },
        }});
        let error = json!({ "description": description, "content": problem });
        responses.entry(status).or_insert(error);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn parameters(described: &Value, path: &str) -> Vec<Value> {
        let all = &described["paths"][path]["get"]["parameters"];
        all.as_array().unwrap().clone()
    }

    #[test]
    fn the_description_has_every_path_and_no_other() {
        let described: Value = serde_json::from_str(WRITTEN).unwrap();
        let described = described["paths"].as_object().unwrap();
        let described: BTreeSet<&str> = described.keys().map(String::as_str).collect();
        let routes = super::super::ROUTES.iter();
        assert_eq!(described, routes.map(|(path, _)| *path).collect());
    }

    #[test]
    fn limits_are_those_of_the_server() {
        let limits = Limits {
            k: 10,
            query: 99,
            ..Limits::default()
        };
        let described = described(&Facts {
            limits,
            indexes: vec!["a", "b"],
            has_regions: false,
            is_secured: true,
        });
        let parameters = parameters(&described, "/api/search");
        let schema = |name: &str| {
            let found = parameters
                .iter()
                .find(|parameter| parameter["name"] == name);
            found.unwrap()["schema"].clone()
        };
        assert_eq!(schema("k")["maximum"], 10);
        assert_eq!(schema("k")["default"], 10, "not above the maximum");
        assert_eq!(schema("q")["maxLength"], 99);
        assert_eq!(schema("index")["enum"], json!(["a", "b"]));
        let responses = |path: &str| described["paths"][path]["get"]["responses"].clone();
        assert!(responses("/metrics")["401"].is_object());
        assert!(responses("/healthz")["401"].is_null(), "it needs no token");
    }

    /// Every parameter has an example, so that a reader sees what is meant.
    #[test]
    fn parameters_have_examples() {
        let described: Value = serde_json::from_str(WRITTEN).unwrap();
        for path in described["paths"].as_object().unwrap().keys() {
            for parameter in parameters(&described, path) {
                let schema = &parameter["schema"];
                let is_shown = !parameter["example"].is_null()
                    || schema["enum"].is_array()
                    || !schema["default"].is_null()
                    || parameter["name"] == "index";
                assert!(is_shown, "{path} {parameter}");
            }
        }
    }
}
