//! Errors as answers.

use axum::http::StatusCode;
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
}

impl ApiError {
    /// The request is wrong: 400.
    pub(super) fn bad(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message)
    }

    /// The request names something that does not exist: 404.
    pub(super) fn missing(message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, message)
    }

    /// Too many requests at once: 503.
    pub(super) fn busy(message: impl Into<String>) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, message)
    }

    /// The server is at fault: 500.
    pub(super) fn failed(message: impl Into<String>) -> Self {
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

impl From<IndexError> for ApiError {
    fn from(error: IndexError) -> Self {
        ApiError::failed(error.to_string())
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
            other => ApiError::missing(other.to_string()),
        }
    }
}
