//! HTTP: a page to search with, and an interface for programs.
//!
//! The page is part of the program, and nothing is asked of other hosts. Searches run on threads
//! of their own, up to a limit ([`Limits::searches`]); further requests wait for a free one, and
//! completions and pictures do not wait for searches (`lane`).
//! `connections` reads requests and writes answers, `access` says who may ask, `api` answers
//! programs, `assets` holds the page, and `metrics` counts requests.

mod access;
mod api;
mod assets;
mod clock;
mod connections;
mod error;
mod lane;
mod log;
mod metrics;
mod notice;
mod served;
mod state;

pub use access::{Access, Host, Hosts, Origin, Origins, Token};
pub use connections::{Connections, room_for};
pub use log::{Log, LogLine, LoggedRequest};
pub use notice::{Event, Notice};
pub use served::NamedIndex;
pub use state::{Limits, State};

use std::future::Future;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State as Shared};
use axum::http::StatusCode;
use axum::middleware::{self, Next};
use axum::response::Response;
use axum::routing::MethodRouter;
use tokio::net::TcpListener;
use tokio::task::JoinSet;

use error::{ApiError, unless_it_panics};
use log::Asked;

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

/// The two ends of the connection that a request came by.
#[derive(Debug, Clone, Copy)]
struct Ends {
    /// The address that it came from.
    client: SocketAddr,
    /// The address of this machine at which it arrived.
    server: Option<IpAddr>,
}

/// Answers every request of those who may ask.
pub fn router(state: Arc<State>, access: Access) -> Router {
    let mut router = Router::new();
    for (path, answer) in routes() {
        router = router.route(path, answer());
    }
    router
        .fallback(|| async { ApiError::missing("there is nothing here; the page is at /") })
        .method_not_allowed_fallback(|| async {
            ApiError::new(
                StatusCode::METHOD_NOT_ALLOWED,
                "only GET and HEAD are answered here",
            )
        })
        .layer(middleware::from_fn_with_state(
            Arc::new(access),
            access::admit,
        ))
        .layer(middleware::from_fn_with_state(Arc::clone(&state), observe))
        .with_state(state)
}

/// Times, counts and logs every request, and adds the headers to its answer.
async fn observe(Shared(state): Shared<Arc<State>>, request: Request, next: Next) -> Response {
    let asked = Asked::of(&request, &state.log);
    let response = unless_it_panics(next.run(request)).await;
    finish(&state, &asked, response)
}

/// Adds the headers that all answers have; counts and logs what was asked.
fn finish(state: &State, asked: &Asked, mut response: Response) -> Response {
    let headers = response.headers_mut();
    for (name, value) in assets::HEADERS.iter() {
        headers.entry(name).or_insert_with(|| value.clone());
    }
    let (took, status) = (asked.took(), response.status().as_u16());
    state.metrics.count(&asked.path, status, took);
    asked.answered(&state.log, status, took);
    response
}

/// Serves until `stop` is done, and finishes the requests that have begun. Index files that are
/// replaced meanwhile are taken up.
pub async fn serve(
    listener: TcpListener,
    state: Arc<State>,
    access: Access,
    connections: Connections,
    stop: impl Future<Output = ()>,
) {
    let mut watching = JoinSet::new();
    for at in 0..state.indexes.len() {
        watching.spawn(Arc::clone(&state).watch(at));
    }
    state.share(connections.most);
    let router = router(Arc::clone(&state), access);
    connections::serve(listener, router, state, connections, stop).await;
}
