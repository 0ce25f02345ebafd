//! The head of a request: its first line and its headers.
//!
//! Whatever has a body is answered without reading it, and its connection is closed: so where one
//! request ends and the next begins is never a question of how a body is framed.

use axum::body::Body;
use axum::http::header::{CONNECTION, CONTENT_LENGTH, TRANSFER_ENCODING};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Request, StatusCode, Uri, Version};
use httparse::{EMPTY_HEADER, Status};

use super::super::error::ApiError;

/// The most headers of a request, and how long they may be together, in bytes.
const HEADERS: usize = 100;
const HEADERS_LENGTH: usize = 16_384;

/// How long a head may be, in bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lengths {
    /// Its first line, without the line break.
    line: usize,
}

impl Lengths {
    /// What is enough for two queries of this length, each byte written as `%41`, and all else.
    pub(super) fn of(query: usize) -> Self {
        Lengths {
            line: query.saturating_mul(6).saturating_add(4096),
        }
    }

    /// All of it.
    pub(super) fn whole(self) -> usize {
        self.line.saturating_add(HEADERS_LENGTH)
    }
}

/// A request without its body.
#[derive(Debug)]
pub(super) struct Head {
    pub(super) request: Request<Body>,
    /// Whether the client would send another on the same connection.
    pub(super) keep: bool,
    /// Whether a body follows, which is not read.
    pub(super) has_body: bool,
}

/// Leaves out the line breaks before a request.
pub(super) fn trim(read: &mut Vec<u8>) {
    let breaks = |byte: &&u8| **byte == b'\r' || **byte == b'\n';
    let breaks = read.iter().take_while(breaks).count();
    read.drain(..breaks);
}

/// Takes a head from the front of what was read; none where its end was not read yet.
///
/// # Errors
/// When it is not HTTP, too long, or contradicts itself.
pub(super) fn take(read: &mut Vec<u8>, lengths: Lengths) -> Result<Option<Head>, ApiError> {
    if read
        .first()
        .is_some_and(|first| !first.is_ascii_alphabetic())
    {
        return Err(ApiError::bad("this is not an HTTP request"));
    }
    let line = read.iter().take(lengths.line + 1).position(|b| *b == b'\n');
    let Some(line) = line else {
        if read.len() <= lengths.line {
            return Ok(None);
        }
        return Err(ApiError::new(
            StatusCode::URI_TOO_LONG,
            format!(
                "the address is too long: its line may have {} bytes",
                lengths.line
            ),
        ));
    };
    let end = end(read);
    if end.unwrap_or(read.len()) - line > HEADERS_LENGTH {
        return Err(too_large(format!(
            "the headers are too long: up to {HEADERS_LENGTH} bytes"
        )));
    }
    let Some(end) = end else {
        return Ok(None);
    };
    let head = parse(&read[..end])?;
    read.drain(..end);
    Ok(Some(head))
}

fn too_large(message: String) -> ApiError {
    ApiError::new(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, message)
}

/// Where the empty line after the headers ends.
fn end(read: &[u8]) -> Option<usize> {
    let mut breaks = read.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
    breaks.find_map(|(at, _)| match read[at + 1..] {
        [b'\n', ..] => Some(at + 2),
        [b'\r', b'\n', ..] => Some(at + 3),
        _ => None,
    })
}

fn parse(head: &[u8]) -> Result<Head, ApiError> {
    let mut headers = [EMPTY_HEADER; HEADERS];
    let mut parsed = httparse::Request::new(&mut headers);
    match parsed.parse(head) {
        Ok(Status::Complete(_)) => {}
        Ok(Status::Partial) => return Err(ApiError::bad("this is not an HTTP request")),
        Err(httparse::Error::TooManyHeaders) => {
            return Err(too_large(format!("too many headers: up to {HEADERS}")));
        }
        Err(httparse::Error::Version) => {
            let told = "only HTTP/1.0 and HTTP/1.1 are spoken";
            return Err(ApiError::new(StatusCode::HTTP_VERSION_NOT_SUPPORTED, told));
        }
        Err(error) => {
            return Err(ApiError::bad(format!(
                "this is not an HTTP request: {error}"
            )));
        }
    }
    let bad = |what: &str| ApiError::bad(format!("the request has a bad {what}"));
    let method = Method::from_bytes(parsed.method.unwrap_or_default().as_bytes());
    let mut request = Request::new(Body::empty());
    *request.method_mut() = method.map_err(|_| bad("method"))?;
    *request.uri_mut() = target(parsed.path.unwrap_or_default())?;
    let is_new = parsed.version == Some(1);
    *request.version_mut() = if is_new {
        Version::HTTP_11
    } else {
        Version::HTTP_10
    };
    for header in parsed.headers.iter() {
        let name = HeaderName::from_bytes(header.name.as_bytes()).map_err(|_| bad("header"))?;
        let value = HeaderValue::from_bytes(header.value).map_err(|_| bad("header"))?;
        request.headers_mut().append(name, value);
    }
    let has_body = has_body(request.headers())?;
    let keep = if is_new {
        !asks_for(request.headers(), "close")
    } else {
        asks_for(request.headers(), "keep-alive")
    };
    Ok(Head {
        request,
        keep: keep && !has_body,
        has_body,
    })
}

/// The target of a request: a path, a whole address, or `*`.
fn target(text: &str) -> Result<Uri, ApiError> {
    let uri: Uri = text
        .parse()
        .map_err(|_| ApiError::bad("the request has a bad address"))?;
    // CONNECT names a host alone.
    if uri.path().is_empty() {
        return Err(ApiError::bad("the address of the request has no path"));
    }
    Ok(uri)
}

fn has_body(headers: &HeaderMap) -> Result<bool, ApiError> {
    let mut lengths = headers.get_all(CONTENT_LENGTH).iter();
    let length = lengths.next().map(HeaderValue::as_bytes);
    let is_number = |text: &[u8]| !text.is_empty() && text.iter().all(u8::is_ascii_digit);
    let chunked = headers.contains_key(TRANSFER_ENCODING);
    if lengths.next().is_some() || length.is_some_and(|length| chunked || !is_number(length)) {
        return Err(ApiError::bad(
            "the request does not say how long its body is",
        ));
    }
    Ok(chunked || length.is_some_and(|length| length.iter().any(|digit| *digit != b'0')))
}

/// Whether `Connection` asks for this.
fn asks_for(headers: &HeaderMap, wanted: &str) -> bool {
    let values = headers.get_all(CONNECTION).iter();
    let texts = values.filter_map(|value| value.to_str().ok());
    texts
        .flat_map(|text| text.split(','))
        .any(|asked| asked.trim().eq_ignore_ascii_case(wanted))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What is taken of a text, or the status of its error.
    fn taken(text: &str) -> Result<Option<Head>, u16> {
        let mut read = text.as_bytes().to_vec();
        let taken = take(&mut read, Lengths::of(10));
        taken.map_err(|error| error.status().as_u16())
    }

    fn head(rest: &str) -> Head {
        taken(&format!("GET /x?q=1 HTTP/1.1\r\n{rest}\r\n"))
            .unwrap()
            .unwrap()
    }

    #[test]
    fn a_head_is_read_when_it_is_whole() {
        let text = "GET /x?q=1 HTTP/1.1\r\nHost: a\r\nAccept: */*\r\n\r\n";
        for end in 1..text.len() {
            assert!(taken(&text[..end]).unwrap().is_none(), "{end}");
        }
        let mut read = format!("{text}GET /next").into_bytes();
        let head = take(&mut read, Lengths::of(10)).unwrap().unwrap();
        assert_eq!(head.request.uri(), "/x?q=1");
        assert_eq!(head.request.headers()["accept"], "*/*");
        assert!(head.keep && !head.has_body);
        assert_eq!(read, b"GET /next");
        assert!(taken("GET / HTTP/1.1\nHost: a\n\n").unwrap().is_some());
    }

    #[test]
    fn connections_are_kept_as_asked() {
        assert!(!head("Connection: close\r\n").keep);
        assert!(!head("Connection: x, Close\r\n").keep);
        let old = |rest| {
            taken(&format!("GET / HTTP/1.0\r\n{rest}\r\n"))
                .unwrap()
                .unwrap()
        };
        assert!(!old("").keep);
        assert!(old("Connection: Keep-Alive\r\n").keep);
    }

    /// A body is never read, so nothing after its head is taken for a request.
    #[test]
    fn a_body_ends_the_connection() {
        for body in ["Content-Length: 3\r\n", "Transfer-Encoding: chunked\r\n"] {
            let head = head(body);
            assert!(head.has_body && !head.keep, "{body}");
        }
        assert!(!head("Content-Length: 0\r\n").has_body);
        for unclear in [
            "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n",
            "Content-Length: 3\r\nContent-Length: 3\r\n",
            "Content-Length: +3\r\n",
            "Content-Length: 3, 3\r\n",
            "Content-Length:\r\n",
        ] {
            let text = format!("GET / HTTP/1.1\r\n{unclear}\r\n");
            assert_eq!(taken(&text).unwrap_err(), 400, "{unclear}");
        }
    }

    #[test]
    fn bad_heads_have_their_status() {
        let long = |n: usize| "x".repeat(n);
        let many = "a: b\r\n".repeat(101);
        for (text, status) in [
            ("\u{16}\u{3}\u{1}".to_owned(), 400),
            ("GET\r\n\r\n".to_owned(), 400),
            ("GET / HTTP/1.1\r\nbad header\r\n\r\n".to_owned(), 400),
            ("GET / HTTP/1.1\r\nHost : a\r\n\r\n".to_owned(), 400),
            ("GET / HTTP/1.1\r\n folded: a\r\n\r\n".to_owned(), 400),
            ("CONNECT localhost:80 HTTP/1.1\r\n\r\n".to_owned(), 400),
            ("GET / HTTP/2.0\r\n\r\n".to_owned(), 505),
            (format!("GET /{} HTTP/1.1\r\n", long(4200)), 414),
            (format!("GET /{}", long(4200)), 414),
            (format!("GET / HTTP/1.1\r\na: {}", long(16_385)), 431),
            (
                format!("GET / HTTP/1.1\r\na: {}\r\n\r\n", long(16_385)),
                431,
            ),
            (format!("GET / HTTP/1.1\r\n{many}\r\n"), 431),
        ] {
            let shown = &text[..text.len().min(40)];
            assert_eq!(taken(&text).unwrap_err(), status, "{shown}");
        }
    }

    /// A short first line leaves no more room for headers.
    #[test]
    fn headers_have_a_limit_of_their_own() {
        let headers = format!("a: {}\r\n\r\n", "x".repeat(16_000));
        for target in ["/".to_owned(), format!("/{}", "x".repeat(4000))] {
            let taken = taken(&format!("GET {target} HTTP/1.1\r\n{headers}"));
            assert!(taken.unwrap().is_some(), "{target}");
        }
    }

    proptest! {
        /// No bytes make it panic, and the end of a head is found as httparse finds it.
        #[test]
        fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let mut read = b"GET / HTTP/1.1\r\n".to_vec();
            read.extend(&bytes);
            let whole = read.clone();
            if let Ok(Some(_)) = take(&mut read, Lengths::of(10)) {
                let mut headers = [EMPTY_HEADER; HEADERS];
                let end = httparse::Request::new(&mut headers).parse(&whole);
                prop_assert_eq!(end, Ok(Status::Complete(whole.len() - read.len())));
            }
        }
    }
}
