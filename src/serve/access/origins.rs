//! The sites whose pages may read what is answered (CORS).

use std::collections::BTreeSet;
use std::str::FromStr;

use axum::extract::Request;
use axum::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_METHOD, ORIGIN, VARY,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};

/// A site whose pages may read what is answered.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// All sites.
    Any,
    /// One, as browsers name it: `https://example.org`, with the port where it is not the usual.
    Site(String),
}

impl FromStr for Origin {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "*" {
            return Ok(Origin::Any);
        }
        let wrong = || format!("{text} is not an origin, such as https://example.org, or *");
        if text.contains('*') {
            return Err(format!(
                "{text} is for no site: browsers name whole origins, so give each site by itself, \
                 such as https://example.org, or * alone for all"
            ));
        }
        let uri: Uri = text.parse().map_err(|_| wrong())?;
        let (scheme, authority) = uri.scheme_str().zip(uri.authority()).ok_or_else(wrong)?;
        let is_whole = uri.path() == "/" && uri.query().is_none();
        if !is_whole || authority.as_str().contains('@') || authority.host().is_empty() {
            return Err(wrong());
        }
        let usual = if scheme == "https" { 443 } else { 80 };
        let port = authority.port_u16().filter(|port| *port != usual);
        let port = port.map_or_else(String::new, |port| format!(":{port}"));
        let host = authority.host().to_ascii_lowercase();
        Ok(Origin::Site(format!("{scheme}://{host}{port}")))
    }
}

/// The sites whose pages may read what is answered: none, unless they are added. A page that is
/// served here may always.
#[derive(Debug, Clone, Default)]
pub struct Origins(BTreeSet<Origin>);

/// What browsers ask before they ask from a private network, and what they are told.
const ASKS_PRIVATE: HeaderName = HeaderName::from_static("access-control-request-private-network");
const ALLOWS_PRIVATE: HeaderName = HeaderName::from_static("access-control-allow-private-network");
const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

impl Origins {
    /// Lets the pages of a site read what is answered.
    pub fn add(&mut self, origin: Origin) {
        self.0.insert(origin);
    }

    /// The value that lets the page that asks read the answer, if it may.
    pub(super) fn allowed(&self, headers: &HeaderMap) -> Option<HeaderValue> {
        if self.0.contains(&Origin::Any) {
            return Some(HeaderValue::from_static("*"));
        }
        let origin = headers.get(ORIGIN)?;
        let site = Origin::Site(origin.to_str().ok()?.to_owned());
        self.0.contains(&site).then(|| origin.clone())
    }

    /// The answer to what a browser asks before a page of another site may ask, if it may.
    pub(super) fn preflight(&self, request: &Request) -> Option<Response> {
        let headers = request.headers();
        let is_asked = request.method() == Method::OPTIONS
            && headers.contains_key(ORIGIN)
            && headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD);
        if !is_asked || self.allowed(headers).is_none() {
            return None;
        }
        let mut response = StatusCode::NO_CONTENT.into_response();
        let told = response.headers_mut();
        let value = HeaderValue::from_static;
        told.insert(ACCESS_CONTROL_ALLOW_METHODS, value("GET, HEAD"));
        told.insert(ACCESS_CONTROL_ALLOW_HEADERS, value("authorization"));
        told.insert(ACCESS_CONTROL_MAX_AGE, value("600"));
        if headers.contains_key(ASKS_PRIVATE) {
            told.insert(ALLOWS_PRIVATE, value("true"));
        }
        Some(response)
    }

    /// Writes into an answer who may read it; `is_picture` for those that pages show as images.
    pub(super) fn mark(
        &self,
        allowed: Option<HeaderValue>,
        is_picture: bool,
        response: &mut Response,
    ) {
        let headers = response.headers_mut();
        if self.0.is_empty() {
            return;
        }
        if !self.0.contains(&Origin::Any) {
            headers.append(VARY, HeaderValue::from_static("origin"));
        }
        if let Some(allowed) = allowed {
            headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, allowed);
        }
        // An image is asked for without saying for which page.
        if is_picture {
            headers.insert(RESOURCE_POLICY, HeaderValue::from_static("cross-origin"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_are_read_as_browsers_write_them() {
        for (typed, meant) in [
            ("https://Example.org", "https://example.org"),
            ("https://example.org/", "https://example.org"),
            ("https://example.org:443", "https://example.org"),
            ("http://localhost:3000", "http://localhost:3000"),
            ("http://[::1]:80", "http://[::1]"),
        ] {
            assert_eq!(typed.parse(), Ok(Origin::Site(meant.to_owned())), "{typed}");
        }
        assert_eq!("*".parse(), Ok(Origin::Any));
        for typed in [
            "",
            "example.org",
            "https://a.org/page",
            "https://a@b.org",
            "https://",
            "null",
        ] {
            assert!(typed.parse::<Origin>().is_err(), "{typed}");
        }
        for typed in [
            "https://*.example",
            "https://*",
            "*.example.org",
            "https://a.org:*",
        ] {
            let refused = typed.parse::<Origin>().unwrap_err();
            assert!(refused.contains("each site by itself"), "{refused}");
        }
    }

    #[test]
    fn only_named_origins_may_read() {
        let mut origins = Origins::default();
        let allowed = |origins: &Origins, origin: &'static str| {
            let headers = [(ORIGIN, HeaderValue::from_static(origin))];
            origins.allowed(&HeaderMap::from_iter(headers))
        };
        assert_eq!(allowed(&origins, "https://a.org"), None);
        origins.add("https://a.org".parse().unwrap());
        assert_eq!(allowed(&origins, "https://a.org").unwrap(), "https://a.org");
        for other in [
            "https://a.org.evil.org",
            "http://a.org",
            "https://a.org:8443",
            "null",
        ] {
            assert_eq!(allowed(&origins, other), None, "{other}");
        }
        origins.add(Origin::Any);
        assert_eq!(allowed(&origins, "null").unwrap(), "*");
    }
}
