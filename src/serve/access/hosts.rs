//! The names that the server is served under.
//!
//! A page of another site can make its own name lead to this machine (DNS rebinding); the browser
//! then lets it read what this server answers. Its requests still name that other site as their
//! host, so the host of each request is compared with the names that are meant.

use std::collections::BTreeSet;
use std::net::{IpAddr, Ipv6Addr};
use std::str::FromStr;

use axum::http::uri::Authority;
use axum::http::{HeaderMap, Uri, header};

use super::super::error::ApiError;

/// A host: a name, or an IP address.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Host {
    /// A name, in small letters.
    Name(String),
    /// An IP address.
    Address(IpAddr),
}

impl FromStr for Host {
    type Err = String;

    /// Reads `example.org`, `example.org:8080`, `192.168.1.5` or `[::1]`; a port is left out.
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("{text} is not the name of a host, such as formulas.example.org");
        if let Ok(ip) = text.parse::<IpAddr>() {
            return Ok(Host::Address(ip.to_canonical()));
        }
        let authority = Authority::try_from(text).map_err(|_| wrong())?;
        let host = authority.host();
        if text.contains('@') || host.is_empty() {
            return Err(wrong());
        }
        let inner = host.strip_prefix('[').and_then(|h| h.strip_suffix(']'));
        if let Some(inner) = inner {
            let ip: Ipv6Addr = inner.parse().map_err(|_| wrong())?;
            return Ok(Host::Address(IpAddr::from(ip).to_canonical()));
        }
        let host = host.strip_suffix('.').unwrap_or(host);
        Ok(match host.parse::<IpAddr>() {
            Ok(ip) => Host::Address(ip),
            Err(_) => Host::Name(host.to_ascii_lowercase()),
        })
    }
}

impl std::fmt::Display for Host {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Host::Name(name) => f.write_str(name),
            Host::Address(ip) => ip.fmt(f),
        }
    }
}

/// The hosts that requests may name: `localhost`, loopback addresses, the address at which the
/// request arrived, and those that are added.
#[derive(Debug, Clone, Default)]
pub struct Hosts(BTreeSet<Host>);

impl Hosts {
    /// Accepts another host.
    pub fn add(&mut self, host: Host) {
        self.0.insert(host);
    }

    /// Whether a request may name this host, having arrived at `local`.
    fn accept(&self, host: &Host, local: Option<IpAddr>) -> bool {
        let own = match host {
            Host::Name(name) => name == "localhost",
            Host::Address(ip) => ip.is_loopback() || local == Some(*ip),
        };
        own || self.0.contains(host)
    }

    /// Checks every host that a request names: in its target and in its `Host`.
    ///
    /// # Errors
    /// 400 where it names none or several in `Host`, 403 where a name is not of this server.
    pub(super) fn check(
        &self,
        (uri, headers): (&Uri, &HeaderMap),
        local: Option<IpAddr>,
    ) -> Result<(), ApiError> {
        let mut told = headers.get_all(header::HOST).iter();
        let header = told.next();
        if told.next().is_some() {
            return Err(ApiError::bad("the request has more than one Host header"));
        }
        // HTTP/1.0 could do without, but then nothing says for which server a request is meant.
        let header = header.ok_or_else(|| ApiError::bad("the request has no Host header"))?;
        let header = header.to_str().unwrap_or_default();
        for named in uri
            .authority()
            .map(Authority::as_str)
            .iter()
            .chain([&header])
        {
            let host: Host = named
                .parse()
                .map_err(|error| ApiError::bad(format!("Host: {error}")))?;
            if !self.accept(&host, local) {
                return Err(ApiError::forbidden(format!(
                    "this server is not served under the name {host}; whoever runs it can add it \
                     with --host {host}"
                )));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderValue, StatusCode};

    use super::*;

    /// The status for a target and a `Host`, on a server that has the name phocus.example.
    fn status(target: &str, host: Option<&str>, local: &str) -> u16 {
        let mut hosts = Hosts::default();
        hosts.add("Phocus.Example:8080".parse().unwrap());
        let mut headers = HeaderMap::new();
        if let Some(host) = host {
            headers.insert(header::HOST, HeaderValue::from_str(host).unwrap());
        }
        let uri: Uri = target.parse().unwrap();
        let checked = hosts.check((&uri, &headers), Some(local.parse().unwrap()));
        checked
            .map_or_else(|error| error.status(), |()| StatusCode::OK)
            .as_u16()
    }

    #[test]
    fn loopback_names_the_address_and_named_hosts_are_accepted() {
        for host in [
            "localhost",
            "LOCALHOST:8080",
            "localhost.",
            "127.0.0.1",
            "127.9.9.9:80",
            "[::1]",
            "[::1]:8080",
            "[::ffff:127.0.0.1]",
            "phocus.example",
            "PHOCUS.example.:9",
            "192.168.1.5:8080",
        ] {
            assert_eq!(status("/", Some(host), "192.168.1.5"), 200, "{host}");
        }
    }

    #[test]
    fn other_names_are_refused() {
        for host in [
            "evil.example",
            "localhost.evil.example",
            "evil.localhost",
            "127.0.0.1.nip.io",
            "192.168.1.6",
            "0.0.0.0",
            "127.1",
            "0x7f.0.0.1",
            "2130706433",
            "[::2]",
        ] {
            assert_eq!(status("/", Some(host), "192.168.1.5"), 403, "{host}");
        }
        for host in [
            "",
            "a b",
            "localhost@evil",
            "[::1",
            "localhost:80:80",
            "[x]",
        ] {
            assert_eq!(status("/", Some(host), "192.168.1.5"), 400, "{host}");
        }
        assert_eq!(status("/", None, "192.168.1.5"), 400);
    }

    /// A target may name the host too; neither may be of another site.
    #[test]
    fn both_names_of_an_absolute_target_are_checked() {
        let status = |target, host| status(target, Some(host), "127.0.0.1");
        assert_eq!(status("http://localhost:8080/", "localhost:8080"), 200);
        assert_eq!(status("http://evil.example/", "localhost:8080"), 403);
        assert_eq!(status("http://localhost/", "evil.example"), 403);
    }
}
