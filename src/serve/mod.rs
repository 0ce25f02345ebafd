//! HTTP: a page to search with, and an interface for programs.
//!
//! The page is part of the program, and nothing is asked of other hosts. Searches run on threads
//! of their own, up to a limit ([`Limits::searches`]); further requests wait for a free one.
//! `api` answers programs, `assets` holds the page, and `metrics` counts requests.

mod api;
mod assets;
mod error;
mod log;
mod metrics;
mod state;

pub use log::{Log, LoggedRequest};
pub use state::{Limits, NamedIndex, State};

use std::future::Future;
use std::io;
use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::extract::{Request, State as Shared};
use axum::middleware::{self, Next};
use axum::response::Response;
use axum::routing::MethodRouter;
use tokio::net::TcpListener;

use error::ApiError;

/// A path, and its handler.
type Route = (&'static str, fn() -> MethodRouter<Arc<State>>);

/// Every path with its handler.
fn routes() -> impl Iterator<Item = Route> {
    assets::ROUTES.into_iter().chain(api::ROUTES)
}

/// Every path that is answered.
fn paths() -> impl Iterator<Item = &'static str> {
    routes().map(|(path, _)| path)
}

/// Answers every request.
pub fn router(state: Arc<State>) -> Router {
    let mut router = Router::new();
    for (path, answer) in routes() {
        router = router.route(path, answer());
    }
    router
        .fallback(|| async { ApiError::missing("there is nothing here; the page is at /") })
        .layer(middleware::from_fn_with_state(Arc::clone(&state), observe))
        .with_state(state)
}

/// Times, counts and logs every request, and adds the headers to its answer.
async fn observe(Shared(state): Shared<Arc<State>>, request: Request, next: Next) -> Response {
    let started = Instant::now();
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in assets::HEADERS.iter() {
        headers.entry(name).or_insert_with(|| value.clone());
    }
    let (took, status) = (started.elapsed(), response.status().as_u16());
    state.metrics.count(&path, status, took);
    state.log.write(&LoggedRequest {
        method: method.as_str(),
        path: &path,
        status,
        ms: (took.as_secs_f64() * 1e6).round() / 1e3,
    });
    response
}

/// Serves until `stop` is done, and finishes the requests that have begun.
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
