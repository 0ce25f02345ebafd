//! Errors as answers.

use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::Poll;

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;

use crate::index::IndexError;
use crate::layout::LayoutError;
use crate::search::SearchError;

/// Why a request is not answered: a status, and a message that the answer holds as JSON.
#[derive(Debug)]
pub(super) struct ApiError {
    status: StatusCode,
    message: String,
    /// After how many seconds it is worth trying again.
    retry_after: Option<u64>,
}

impl ApiError {
    /// The request is wrong: 400.
    pub(super) fn bad(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message)
    }

    /// The request is not for this server to answer: 403.
    pub(super) fn forbidden(message: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, message)
    }

    /// The request names something that does not exist: 404.
    pub(super) fn missing(message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, message)
    }

    /// Too many requests at once: 503.
    pub(super) fn busy(message: impl Into<String>) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, message)
    }

    /// The file of the index was changed in place or is damaged: 503.
    pub(super) fn unsound(message: impl Into<String>) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, message).retry_after(1)
    }

    /// Says when it is worth trying again.
    pub(super) fn retry_after(mut self, seconds: u64) -> Self {
        self.retry_after = Some(seconds);
        self
    }

    /// The server is at fault: 500.
    pub(super) fn failed(message: impl Into<String>) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, message)
    }

    pub(super) fn new(status: StatusCode, message: impl Into<String>) -> Self {
        let message = message.into();
        ApiError {
            status,
            message,
            retry_after: None,
        }
    }

    #[cfg(test)]
    pub(super) fn status(&self) -> StatusCode {
        self.status
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let body = axum::Json(json!({ "error": self.message }));
        let mut response = (self.status, body).into_response();
        if let Some(seconds) = self.retry_after {
            response
                .headers_mut()
                .insert(header::RETRY_AFTER, seconds.into());
        }
        response
    }
}

/// An answer, or an error where making it panics: one request that fails harms no other.
pub(super) async fn unless_it_panics(answer: impl Future<Output = Response>) -> Response {
    let mut answer = pin!(answer);
    // Nothing of the answer is looked at after a panic.
    poll_fn(
        |context| match catch_unwind(AssertUnwindSafe(|| answer.as_mut().poll(context))) {
            Ok(polled) => polled,
            Err(_) => Poll::Ready(ApiError::failed("the server failed").into_response()),
        },
    )
    .await
}

impl From<IndexError> for ApiError {
    fn from(error: IndexError) -> Self {
        match error {
            IndexError::Changed { .. } | IndexError::Damaged { .. } => {
                ApiError::unsound(error.to_string())
            }
            other => ApiError::failed(other.to_string()),
        }
    }
}

impl From<LayoutError> for ApiError {
    fn from(error: LayoutError) -> Self {
        ApiError::bad(format!("cannot read the formula: {error}"))
    }
}

impl From<SearchError> for ApiError {
    fn from(error: SearchError) -> Self {
        match error {
            SearchError::Query(error) => error.into(),
            SearchError::Index(error) => error.into(),
            SearchError::NoRegionCounts { .. } => {
                ApiError::bad("this index does not count regions")
            }
            error @ SearchError::NoSuchValue { .. } => ApiError::bad(error.to_string()),
            other => ApiError::missing(other.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_answer() {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap();
        let failed = runtime.block_on(unless_it_panics(async { panic!("as a test") }));
        assert_eq!(failed.status(), StatusCode::INTERNAL_SERVER_ERROR);
        let kind = &failed.headers()[header::CONTENT_TYPE];
        assert_eq!(kind, "application/json");
    }
}
