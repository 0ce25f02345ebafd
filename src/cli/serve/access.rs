//! Who may ask the server: options of `serve`.

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};

use super::address::Address;
use crate::serve::{Access, Host, Origin, Token};

/// Who may ask the server.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Who may ask")]
pub(super) struct AccessArgs {
    /// Another name that the server is served under; may be given several times. Requests for
    /// other names than this, localhost and the address they arrive at are refused.
    #[arg(long, value_name = "NAME")]
    host: Vec<Host>,
    /// A site whose pages may read what is answered, such as https://example.org, or * for all;
    /// may be given several times.
    #[arg(long, value_name = "URL")]
    allow_origin: Vec<Origin>,
    /// A file with a token. Requests must carry it, as Authorization: Bearer TOKEN; the page asks
    /// for it.
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
}

impl AccessArgs {
    /// Who may ask; the name in the address that is listened to is accepted too.
    pub(super) fn access(&self, address: &Address) -> anyhow::Result<Access> {
        let mut access = Access::default();
        // Where every address is listened to, each is accepted as requests arrive at it.
        let own = address.host().parse().ok().filter(|host| match host {
            Host::Address(ip) => !ip.is_unspecified(),
            Host::Name(_) => true,
        });
        for host in self.host.iter().cloned().chain(own) {
            access.hosts.add(host);
        }
        for origin in &self.allow_origin {
            access.origins.add(origin.clone());
        }
        access.token = self.token_file.as_deref().map(token).transpose()?;
        Ok(access)
    }

    /// What whoever starts the server at this address should know.
    pub(super) fn warning(&self, listens_at: SocketAddr) -> Option<String> {
        let port = listens_at.port();
        match &self.token_file {
            Some(file) if others_read(file) => Some(format!(
                "everyone on this machine can read {0}, which holds the token; `chmod 600 {0}` \
                 keeps it",
                file.display()
            )),
            None if !listens_at.ip().is_loopback() => Some(format!(
                "everyone who reaches port {port} of this machine can search; --token-file asks \
                 them for a token"
            )),
            _ => None,
        }
    }
}

/// Reads a token.
fn token(path: &Path) -> anyhow::Result<Token> {
    let text = fs::read_to_string(path);
    let text = text.with_context(|| format!("cannot read the token in {}", path.display()))?;
    text.parse()
        .map_err(|error: String| anyhow!("{}: {error}", path.display()))
}

#[cfg(unix)]
fn others_read(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).is_ok_and(|metadata| metadata.permissions().mode() & 0o004 != 0)
}

#[cfg(not(unix))]
fn others_read(_: &Path) -> bool {
    false
}
