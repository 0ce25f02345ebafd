//! Answers as bytes.

use std::time::SystemTime;

use axum::body::{HttpBody, to_bytes};
use axum::http::header::{CONNECTION, CONTENT_LENGTH, DATE, TRANSFER_ENCODING};
use axum::http::{HeaderValue, StatusCode, Version};
use axum::response::Response;

use super::super::clock::http_date;

/// What an answer depends on besides itself.
#[derive(Debug, Clone, Copy)]
pub(super) struct Manner {
    /// The body is left out, as for HEAD.
    pub(super) is_head: bool,
    /// Another request may follow.
    pub(super) keep: bool,
    /// The version that the client speaks.
    pub(super) version: Version,
}

/// An answer as it is sent.
///
/// # Errors
/// When its body fails.
pub(super) async fn encode(response: Response, manner: Manner) -> Result<Vec<u8>, axum::Error> {
    let (mut parts, body) = response.into_parts();
    debug_assert!(
        body.size_hint().exact().is_some() || manner.is_head,
        "answers are whole"
    );
    let body = to_bytes(body, usize::MAX).await?;
    let headers = &mut parts.headers;
    headers.remove(TRANSFER_ENCODING);
    let is_empty = matches!(
        parts.status,
        StatusCode::NO_CONTENT | StatusCode::NOT_MODIFIED
    );
    let is_told = manner.is_head && headers.contains_key(CONTENT_LENGTH);
    if !(is_empty || is_told) {
        headers.insert(CONTENT_LENGTH, HeaderValue::from(body.len()));
    }
    if let Ok(date) = HeaderValue::try_from(http_date(SystemTime::now())) {
        headers.entry(DATE).or_insert(date);
    }
    if !manner.keep {
        headers.insert(CONNECTION, HeaderValue::from_static("close"));
    } else if manner.version < Version::HTTP_11 {
        headers.insert(CONNECTION, HeaderValue::from_static("keep-alive"));
    }
    let reason = parts.status.canonical_reason().unwrap_or("");
    let mut bytes = format!("HTTP/1.1 {} {reason}\r\n", parts.status.as_str()).into_bytes();
    for (name, value) in headers.iter() {
        bytes.extend_from_slice(name.as_str().as_bytes());
        bytes.extend_from_slice(b": ");
        bytes.extend_from_slice(value.as_bytes());
        bytes.extend_from_slice(b"\r\n");
    }
    bytes.extend_from_slice(b"\r\n");
    if !manner.is_head && !is_empty {
        bytes.extend_from_slice(&body);
    }
    Ok(bytes)
}
