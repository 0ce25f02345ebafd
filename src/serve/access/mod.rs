//! Who may ask: the checks that a request passes before it is answered.

mod hosts;
mod origins;
mod token;

use std::sync::Arc;

use axum::extract::{Request, State as Shared};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

pub use hosts::{Host, Hosts};
pub use origins::{Origin, Origins};
pub use token::Token;

use super::{Ends, assets};

/// Who may ask. By default everyone who reaches the server, under the names of loopback, and no
/// page of another site.
#[derive(Debug, Clone, Default)]
pub struct Access {
    /// The names that the server is served under.
    pub hosts: Hosts,
    /// The sites whose pages may read what is answered.
    pub origins: Origins,
    /// What requests must carry, but for the page itself and `/healthz`.
    pub token: Option<Token>,
}

/// Marks requests to a server that asks for a token.
#[derive(Debug, Clone, Copy)]
pub(super) struct Secured;

/// Whether a path is answered without a token: the page, which asks for it, and what monitors ask.
fn is_open(path: &str) -> bool {
    path == "/healthz" || assets::ROUTES.iter().any(|(open, _)| *open == path)
}

/// Answers those who may ask.
pub(super) async fn admit(
    Shared(access): Shared<Arc<Access>>,
    request: Request,
    next: Next,
) -> Response {
    let local = request.extensions().get::<Ends>();
    let local = local.and_then(|ends| ends.server);
    let named = (request.uri(), request.headers());
    if let Err(error) = access.hosts.check(named, local) {
        return error.into_response();
    }
    let allowed = access.origins.allowed(request.headers());
    let is_picture = request.uri().path() == "/api/render" && request.method() != Method::OPTIONS;
    let mut response = match access.origins.preflight(&request) {
        Some(response) => response,
        None => answer(&access, request, next).await,
    };
    access.origins.mark(allowed, is_picture, &mut response);
    response
}

/// Answers those who carry the token, where one is asked for.
async fn answer(access: &Access, mut request: Request, next: Next) -> Response {
    if let Some(token) = &access.token {
        if !is_open(request.uri().path())
            && let Err(refused) = token.check(request.headers())
        {
            return *refused;
        }
        request.extensions_mut().insert(Secured);
    }
    next.run(request).await
}
