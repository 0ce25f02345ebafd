//! Logging of requests.

use std::fmt;

use serde::Serialize;

/// A request that was answered, as it is logged.
#[derive(Debug, Serialize)]
pub struct LoggedRequest<'a> {
    /// GET, HEAD and the like.
    pub method: &'a str,
    /// The path, without what follows `?`.
    pub path: &'a str,
    /// The status of the answer.
    pub status: u16,
    /// How long answering took, in milliseconds.
    pub ms: f64,
}

/// The function that is called with each request after it was answered.
pub struct Log(Box<dyn Fn(&LoggedRequest) + Send + Sync>);

impl Log {
    /// Logs by calling a function.
    pub fn new(write: impl Fn(&LoggedRequest) + Send + Sync + 'static) -> Self {
        Log(Box::new(write))
    }

    /// Logs nothing.
    pub fn off() -> Self {
        Log::new(|_| {})
    }

    pub(super) fn write(&self, request: &LoggedRequest) {
        (self.0)(request);
    }
}

impl fmt::Debug for Log {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Log")
    }
}
