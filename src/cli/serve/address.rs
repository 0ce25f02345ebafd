//! The address to listen on: as it is typed, and as it is told.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::str::FromStr;

use anyhow::Context;
use tokio::net::{TcpListener, TcpSocket, lookup_host};

/// The port where none is given.
const PORT: u16 = 8080;
/// How many clients the system lets wait to be accepted.
const WAITING: u32 = 1024;

/// A name or an IP address, and a port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Address {
    host: String,
    port: u16,
}

impl FromStr for Address {
    type Err = String;

    /// Reads `8080`, `:8080`, `localhost`, `localhost:8080`, `::1` and `[::1]:8080`. A port alone is
    /// on this machine only.
    fn from_str(text: &str) -> Result<Self, String> {
        let is_port = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let (host, port) = if is_port {
            ("", Some(text))
        } else if text.parse::<Ipv6Addr>().is_ok() {
            (text, None)
        } else if let Some((host, rest)) = text.strip_prefix('[').and_then(|t| t.split_once(']')) {
            host.parse::<Ipv6Addr>()
                .map_err(|_| format!("{host} is not an IPv6 address"))?;
            (
                host,
                rest.strip_prefix(':').or((!rest.is_empty()).then_some("")),
            )
        } else {
            match text.split_once(':') {
                Some((host, port)) => (host, Some(port)),
                None => (text, None),
            }
        };
        let strange = |c: char| !c.is_alphanumeric() && !".:-_%".contains(c);
        if host.contains(strange) || (host.is_empty() && port.is_none()) {
            return Err(
                "expected PORT, HOST or HOST:PORT, such as 8080, localhost:8080, \
                        0.0.0.0:8080 or [::1]:8080"
                    .to_owned(),
            );
        }
        let host = if host.is_empty() { "127.0.0.1" } else { host };
        let port = port.map_or(Ok(PORT), str::parse);
        Ok(Address {
            host: host.to_owned(),
            port: port.map_err(|_| "a port is a number from 0 to 65535".to_owned())?,
        })
    }
}

impl Address {
    /// The name or IP address.
    pub(super) fn host(&self) -> &str {
        &self.host
    }

    /// Listens here; where a name has several addresses, at the first that is free, IPv4 first.
    pub(super) async fn listen(&self) -> anyhow::Result<TcpListener> {
        let Address { host, port } = self;
        let found = lookup_host((host.as_str(), *port)).await;
        let found = found.with_context(|| format!("no address is known for {host}"))?;
        let mut addresses: Vec<SocketAddr> = found.collect();
        addresses.sort_by_key(SocketAddr::is_ipv6);
        let mut refused = io::Error::from(io::ErrorKind::AddrNotAvailable);
        for address in addresses {
            match listen_at(address) {
                Ok(listener) => return Ok(listener),
                Err(error) => refused = error,
            }
        }
        Err(self.refused(refused))
    }

    /// Why it cannot listen, and what to do.
    fn refused(&self, error: io::Error) -> anyhow::Error {
        let Address { host, port } = self;
        let told = match error.kind() {
            io::ErrorKind::AddrInUse => format!(
                "cannot listen at {self}: another program listens at port {port}; stop it, or give \
                 another port, as --addr {}, or --addr 0 for any that is free",
                port.checked_add(1).unwrap_or(PORT)
            ),
            io::ErrorKind::PermissionDenied => format!(
                "cannot listen at {self}: port {port} is for administrators; give one above 1023, \
                 as --addr {PORT}"
            ),
            io::ErrorKind::AddrNotAvailable => {
                format!("cannot listen at {self}: {host} is not an address of this machine")
            }
            _ => format!("cannot listen at {self}"),
        };
        anyhow::Error::new(error).context(told)
    }

    /// Where a browser finds the page: at this name, and the port that the system gave.
    pub(super) fn url(&self, local: SocketAddr) -> String {
        let host = match self.host.parse::<IpAddr>() {
            Ok(IpAddr::V4(ip)) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.to_string(),
            Ok(IpAddr::V6(ip)) if ip.is_unspecified() => format!("[{}]", Ipv6Addr::LOCALHOST),
            Ok(IpAddr::V6(ip)) => format!("[{ip}]"),
            _ => self.host.clone(),
        };
        format!("http://{host}:{}/", local.port())
    }
}

/// Listens at one address.
fn listen_at(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = match address {
        SocketAddr::V4(_) => TcpSocket::new_v4()?,
        SocketAddr::V6(_) => TcpSocket::new_v6()?,
    };
    // The port is free again as soon as the server that had it has ended.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(WAITING)
}

impl std::fmt::Display for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Address { host, port } = self;
        match host.parse::<Ipv6Addr>() {
            Ok(ip) => write!(f, "[{ip}]:{port}"),
            Err(_) => write!(f, "{host}:{port}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_as_people_write_them() {
        for (typed, meant) in [
            ("8080", "127.0.0.1:8080"),
            (":9000", "127.0.0.1:9000"),
            ("localhost", "localhost:8080"),
            ("localhost:81", "localhost:81"),
            ("0.0.0.0:8080", "0.0.0.0:8080"),
            ("::1", "[::1]:8080"),
            ("[::1]", "[::1]:8080"),
            ("[::1]:0", "[::1]:0"),
        ] {
            let read: Address = typed.parse().unwrap();
            assert_eq!(read.to_string(), meant, "{typed}");
        }
        for typed in [
            "",
            ":",
            "65536",
            "localhost:",
            "localhost:x",
            "[::1]8080",
            "[x]:80",
        ] {
            assert!(typed.parse::<Address>().is_err(), "{typed}");
        }
        for typed in ["http://localhost:8080/", "a b:80", "http://[::1]"] {
            assert!(typed.parse::<Address>().is_err(), "{typed}");
        }
    }

    #[test]
    fn a_browser_can_go_to_what_is_told() {
        for (typed, url) in [
            ("8080", "http://127.0.0.1:7/"),
            ("localhost:8080", "http://localhost:7/"),
            ("0.0.0.0:8080", "http://127.0.0.1:7/"),
            ("[::]:8080", "http://[::1]:7/"),
            ("[::1]:8080", "http://[::1]:7/"),
        ] {
            let read: Address = typed.parse().unwrap();
            assert_eq!(read.url(SocketAddr::from(([127, 0, 0, 1], 7))), url);
        }
    }
}
