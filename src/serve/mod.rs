//! HTTP: a page to search with, and an interface for programs.
//!
//! Everything is in the binary and nothing is asked of other hosts. Searching is
//! work for threads of its own, so many at once and no more: [`State::work`].
//! [`api`] has what is answered, [`metrics`] counts.

mod api;
mod metrics;

use std::future::Future;
use std::io;
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::Request as HttpRequest;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde_json::json;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use crate::index::Index;
use crate::search::{Request, Searcher};
use metrics::Metrics;

/// What a request may ask for.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Bytes of a query.
    pub query: usize,
    /// Results.
    pub k: usize,
    /// Searches at once; others wait.
    pub searches: usize,
    /// How long a request waits and works.
    pub time: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            query: 4096,
            k: 1000,
            searches: 2 * rayon::current_num_threads(),
            time: Duration::from_secs(10),
        }
    }
}

/// An index by the name it is asked for by.
#[derive(Debug)]
pub struct NamedIndex {
    /// Its name.
    pub name: String,
    /// The index.
    pub searcher: Searcher,
}

impl NamedIndex {
    /// An index under a name.
    pub fn new(name: String, searcher: Searcher) -> Self {
        NamedIndex { name, searcher }
    }

    fn index(&self) -> &Index {
        self.searcher.index()
    }
}

/// What all requests share.
#[derive(Debug)]
pub struct State {
    /// The first is the default.
    indexes: Vec<NamedIndex>,
    limits: Limits,
    metrics: Metrics,
    searches: Arc<Semaphore>,
    /// Whether each request is told on standard error.
    logs: bool,
}

impl State {
    /// Indexes to serve: at least one.
    pub fn new(indexes: Vec<NamedIndex>, limits: Limits, logs: bool) -> Self {
        State {
            indexes,
            limits,
            metrics: Metrics::default(),
            searches: Arc::new(Semaphore::new(limits.searches.max(1))),
            logs,
        }
    }

    /// Searches once, so that the first who asks does not wait for fonts and pages to be read.
    pub fn warm_up(&self) {
        for served in &self.indexes {
            // What is wrong with the index is reported when it is asked.
            let _ = served.searcher.search(&Request::latex("x").threads(1));
        }
    }

    /// Does work on a thread of its own, when there is room.
    async fn work<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&State) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let limit = self.limits.time;
        let permit = tokio::time::timeout(limit, Arc::clone(&self.searches).acquire_owned());
        let Ok(Ok(permit)) = permit.await else {
            return Err(ApiError::busy("too many searches at once; try again"));
        };
        let state = Arc::clone(self);
        let done = tokio::task::spawn_blocking(move || {
            let answer = work(&state);
            drop(permit);
            answer
        });
        match tokio::time::timeout(limit, done).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(_)) => Err(ApiError::failed("the search failed")),
            Err(_) => Err(ApiError::busy("the search takes too long")),
        }
    }

    /// How many threads a search may have: all, while it is alone.
    fn threads(&self) -> usize {
        let is_alone = self.searches.available_permits() + 1 >= self.limits.searches;
        if is_alone {
            rayon::current_num_threads()
        } else {
            1
        }
    }
}

/// Why a request is not answered.
#[derive(Debug)]
struct ApiError {
    status: StatusCode,
    message: String,
}

impl ApiError {
    fn bad(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message)
    }

    fn missing(message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, message)
    }

    fn busy(message: impl Into<String>) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, message)
    }

    fn failed(message: impl Into<String>) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, message)
    }

    fn new(status: StatusCode, message: impl Into<String>) -> Self {
        let message = message.into();
        ApiError { status, message }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        (self.status, axum::Json(json!({ "error": self.message }))).into_response()
    }
}

/// The files of the page, and what each is.
const PAGE: [(&str, &str, &str); 4] = [
    (
        "/",
        "text/html; charset=utf-8",
        include_str!("page/index.html"),
    ),
    (
        "/page.css",
        "text/css; charset=utf-8",
        include_str!("page/page.css"),
    ),
    (
        "/page.js",
        "text/javascript; charset=utf-8",
        include_str!("page/page.js"),
    ),
    ("/icon.svg", "image/svg+xml", include_str!("page/icon.svg")),
];

/// All that is answered.
pub fn router(state: Arc<State>) -> Router {
    let mut router = Router::new();
    for (path, kind, text) in PAGE {
        let file = move || async move { ([(header::CONTENT_TYPE, kind)], text) };
        router = router.route(path, get(file));
    }
    router
        .merge(api::router())
        .fallback(|| async { ApiError::missing("there is nothing here; the page is at /") })
        .layer(middleware::from_fn_with_state(Arc::clone(&state), observe))
        .with_state(state)
}

/// Nothing but our own script and style, no frames, no guessing of types.
static HEADERS: LazyLock<[(HeaderName, HeaderValue); 4]> = LazyLock::new(|| {
    let name = HeaderName::from_static;
    let value = HeaderValue::from_static;
    [
        (
            header::CONTENT_SECURITY_POLICY,
            value(
                "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
                 connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
            ),
        ),
        (header::X_CONTENT_TYPE_OPTIONS, value("nosniff")),
        (header::REFERRER_POLICY, value("no-referrer")),
        (name("cross-origin-resource-policy"), value("same-origin")),
    ]
});

/// Times every request, counts it, tells it, and gives its answer the headers.
async fn observe(
    axum::extract::State(state): axum::extract::State<Arc<State>>,
    request: HttpRequest,
    next: Next,
) -> Response {
    let started = Instant::now();
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in HEADERS.iter() {
        headers.entry(name).or_insert_with(|| value.clone());
    }
    let (took, status) = (started.elapsed(), response.status().as_u16());
    state.metrics.count(&path, status, took);
    if state.logs {
        let ms = (took.as_secs_f64() * 1e6).round() / 1e3;
        let line = json!({ "method": method.as_str(), "path": path, "status": status, "ms": ms });
        eprintln!("{line}");
    }
    response
}

/// Serves until `stop` is done, and then what is begun.
///
/// # Errors
/// When the listener fails.
pub async fn serve(
    listener: TcpListener,
    state: Arc<State>,
    stop: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    axum::serve(listener, router(state))
        .with_graceful_shutdown(stop)
        .await
}
