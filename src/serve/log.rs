//! The log: requests that were answered, and what else happens to the server.

use std::fmt::{self, Write};
use std::time::{Instant, SystemTime};

use axum::extract::{Query, Request};
use serde::Serialize;
use serde_json::json;

use super::Ends;
use super::clock::rfc3339;
use super::notice::Notice;

/// How many characters of a query are logged.
const QUERY: usize = 200;

/// A line of the log.
#[derive(Debug, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum LogLine<'a> {
    /// A request was answered.
    Request(LoggedRequest<'a>),
    /// Something became of the file of a served index.
    Notice {
        /// When: UTC, as in RFC 3339.
        time: String,
        /// What.
        #[serde(flatten)]
        notice: &'a Notice<'a>,
    },
    /// Something else happened that whoever runs the server should know.
    Event {
        /// When: UTC, as in RFC 3339.
        time: String,
        /// What, as a sentence.
        message: &'a str,
    },
}

/// A request that was answered, as it is logged.
#[derive(Debug, Serialize)]
pub struct LoggedRequest<'a> {
    /// When it arrived: UTC, as in RFC 3339.
    pub time: String,
    /// The address that it came from, or that a trusted proxy names.
    pub client: &'a str,
    /// GET, HEAD and the like.
    pub method: &'a str,
    /// The path, without what follows `?`.
    pub path: &'a str,
    /// The beginning of the query as it was typed, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub query: Option<&'a str>,
    /// The status of the answer.
    pub status: u16,
    /// How long answering took, in milliseconds.
    pub ms: f64,
}

impl<'a> LogLine<'a> {
    /// The line for what has just become of a file.
    pub fn notice(notice: &'a Notice<'a>) -> Self {
        let time = rfc3339(SystemTime::now());
        LogLine::Notice { time, notice }
    }

    /// As a line of JSON.
    pub fn json(&self) -> String {
        harmless(&json!(self).to_string(), |c| {
            format!("\\u{:04x}", u32::from(c))
        })
    }
}

impl fmt::Display for LogLine<'_> {
    /// As a line of text: what a request asked for is at the end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plain = |text: &str| harmless(text, |c| c.escape_unicode().to_string());
        match self {
            LogLine::Notice { time, notice } => {
                write!(
                    f,
                    "{time} {}: {}",
                    plain(notice.index),
                    plain(&notice.message)
                )
            }
            LogLine::Event { time, message } => write!(f, "{time} {}", plain(message)),
            LogLine::Request(request) => {
                let LoggedRequest {
                    time,
                    client,
                    method,
                    path,
                    status,
                    ms,
                    query,
                } = request;
                let (client, path) = (plain(client), plain(path));
                write!(f, "{time} {client} {status} {ms} ms {method} {path}")?;
                query.map_or(Ok(()), |query| write!(f, " {}", plain(query)))
            }
        }
    }
}

/// A text without characters that end the line, steer a terminal, or turn the direction of
/// writing: nobody who asks can make the log look like what it is not. `escape` writes these.
fn harmless(text: &str, escape: impl Fn(char) -> String) -> String {
    let turns = |c| matches!(c, '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let breaks = |c| matches!(c, '\u{2028}' | '\u{2029}');
    let mut harmless = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() || turns(c) || breaks(c) {
            harmless.push_str(&escape(c));
        } else {
            harmless.push(c);
        }
    }
    harmless
}

/// The function that is called with each line of the log.
pub struct Log {
    write: Box<dyn Fn(&LogLine) + Send + Sync>,
    forwarded: bool,
}

impl Log {
    /// Logs by calling a function.
    pub fn new(write: impl Fn(&LogLine) + Send + Sync + 'static) -> Self {
        Log {
            write: Box::new(write),
            forwarded: false,
        }
    }

    /// Logs nothing.
    pub fn off() -> Self {
        Log::new(|_| {})
    }

    /// Logs as the client whom the nearest proxy names in `X-Forwarded-For`. Without such a proxy
    /// clients could write there what they like.
    #[must_use]
    pub fn forwarded(mut self, forwarded: bool) -> Self {
        self.forwarded = forwarded;
        self
    }

    /// Logs what whoever runs the server should know.
    pub(super) fn event(&self, message: &str) {
        let time = rfc3339(SystemTime::now());
        (self.write)(&LogLine::Event { time, message });
    }
}

impl fmt::Debug for Log {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Log")
    }
}

/// What is kept of a request, to log it once it is answered.
#[derive(Debug)]
pub(super) struct Asked {
    started: Instant,
    time: SystemTime,
    client: String,
    method: String,
    pub(super) path: String,
    query: Option<String>,
}

impl Asked {
    /// A request as it arrives.
    pub(super) fn of(request: &Request, log: &Log) -> Self {
        let ends = request.extensions().get::<Ends>();
        let mut headers = request.headers().get_all("x-forwarded-for").iter();
        let named = headers.next_back().filter(|_| log.forwarded);
        let named = named.and_then(|value| value.to_str().ok()?.rsplit(',').next());
        let client = match named {
            Some(name) => cut(name.trim(), 64),
            None => ends.map_or_else(String::new, |ends| ends.client.ip().to_string()),
        };
        let parameters = Query::<Vec<(String, String)>>::try_from_uri(request.uri());
        let mut parameters = parameters
            .map(|Query(all)| all)
            .unwrap_or_default()
            .into_iter();
        let query = parameters.find(|(name, _)| name == "q");
        Asked {
            client,
            method: request.method().to_string(),
            path: request.uri().path().to_owned(),
            query: query.map(|(_, query)| cut(&query, QUERY)),
            ..Asked::unread(ends)
        }
    }

    /// A request that could not be read.
    pub(super) fn unread(ends: Option<&Ends>) -> Self {
        Asked {
            started: Instant::now(),
            time: SystemTime::now(),
            client: ends.map_or_else(String::new, |ends| ends.client.ip().to_string()),
            method: "-".to_owned(),
            path: "-".to_owned(),
            query: None,
        }
    }

    /// How long it has taken so far.
    pub(super) fn took(&self) -> std::time::Duration {
        self.started.elapsed()
    }

    /// Logs that it was answered with a status.
    pub(super) fn answered(&self, log: &Log, status: u16, took: std::time::Duration) {
        (log.write)(&LogLine::Request(LoggedRequest {
            time: rfc3339(self.time),
            client: &self.client,
            method: &self.method,
            path: &self.path,
            query: self.query.as_deref(),
            status,
            ms: (took.as_secs_f64() * 1e6).round() / 1e3,
        }));
    }
}

/// The beginning of a text, with … where it goes on.
fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => {
            let mut cut = text[..end].to_owned();
            // Writing to a string cannot fail.
            let _ = cut.write_char('…');
            cut
        }
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(query: &str) -> LogLine<'_> {
        LogLine::Request(LoggedRequest {
            time: "2026-11-19T03:40:00.123Z".to_owned(),
            client: "127.0.0.1",
            method: "GET",
            path: "/api/search",
            query: Some(query),
            status: 200,
            ms: 1.5,
        })
    }

    #[test]
    fn a_request_is_one_line() {
        let plain = line("x^2");
        assert_eq!(
            plain.to_string(),
            "2026-11-19T03:40:00.123Z 127.0.0.1 200 1.5 ms GET /api/search x^2"
        );
        // New lines, a terminal's commands in one and in two characters, and writing turned round.
        let hostile = "x\r\n2026 127.0.0.1 200\u{1b}[2J\u{9b}2J\u{202e}y\u{2028}z\u{7f}\0";
        for shown in [line(hostile).to_string(), line(hostile).json()] {
            assert!(!shown.contains(char::is_control), "{shown:?}");
            assert!(!shown.contains(['\u{202e}', '\u{2028}']), "{shown:?}");
        }
        // What is escaped in JSON is what was typed.
        let read: serde_json::Value = serde_json::from_str(&line(hostile).json()).unwrap();
        assert_eq!(read["query"], hostile);
    }

    #[test]
    fn long_queries_are_cut_between_characters() {
        assert_eq!(cut("αβγ", 3), "αβγ");
        assert_eq!(cut("αβγδ", 3), "αβγ…");
    }
}
