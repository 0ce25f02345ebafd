//! `phocus serve`: a page to search with.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use tokio::net::TcpListener;

use super::Outcome;
use crate::search::Searcher;
use crate::serve::{self, Limits, NamedIndex, State};

/// Search with a page in the browser, or over HTTP.
///
/// The page and all it needs are in this program; it asks nothing of other hosts.
/// Requests are told on standard error, a line of JSON each.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
  phocus serve formulas.phoc --open
  phocus serve wiki.phoc mse=/data/mse-2022.phoc --addr 0.0.0.0:8080
  curl 'http://127.0.0.1:8080/api/search?q=x%5E2&k=3'

/api/openapi.json describes the interface for programs.")]
pub(super) struct Args {
    /// Indexes, each by the name of its file or as NAME=FILE; the first is the default.
    #[arg(required = true, value_name = "[NAME=]INDEX")]
    indexes: Vec<String>,
    /// Where to listen.
    #[arg(long, default_value = "127.0.0.1:8080")]
    addr: SocketAddr,
    /// Open the page in the browser.
    #[arg(long)]
    open: bool,
    /// Do not tell requests.
    #[arg(long)]
    quiet: bool,
    /// The longest query, in bytes.
    #[arg(long, default_value_t = Limits::default().query)]
    max_query: usize,
    /// The most results of a request.
    #[arg(long, default_value_t = Limits::default().k)]
    max_k: usize,
    /// How many searches run at once; others wait [default: two a core].
    #[arg(long, default_value_t = Limits::default().searches, hide_default_value = true)]
    max_searches: usize,
    /// How many seconds a request may wait and work.
    #[arg(long, default_value_t = 10, value_name = "SECONDS")]
    timeout: u64,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let mut served: Vec<NamedIndex> = Vec::new();
    for text in &args.indexes {
        let (name, path) = named(text);
        anyhow::ensure!(
            served.iter().all(|other| other.name != name),
            "two indexes are called {name}: name them, as in NAME=FILE"
        );
        served.push(NamedIndex::new(name, Searcher::open(&path)?));
    }
    let limits = Limits {
        query: args.max_query,
        k: args.max_k,
        searches: args.max_searches,
        time: Duration::from_secs(args.timeout),
    };
    let state = Arc::new(State::new(served, limits, !args.quiet));
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let listener = TcpListener::bind(args.addr).await;
        let listener = listener.with_context(|| format!("cannot listen at {}", args.addr))?;
        let url = format!("http://{}/", listener.local_addr()?);
        eprintln!("phocus is at {url} (stop it with Ctrl-C)");
        let warming = Arc::clone(&state);
        tokio::task::spawn_blocking(move || warming.warm_up());
        if args.open {
            open(&url);
        }
        serve::serve(listener, state, stopped()).await?;
        eprintln!("stopped");
        Ok(Outcome::Done)
    })
}

/// The name and the file of an index.
fn named(text: &str) -> (String, PathBuf) {
    if let Some((name, path)) = text.split_once('=')
        && !Path::new(text).exists()
    {
        return (name.to_owned(), PathBuf::from(path));
    }
    let path = PathBuf::from(text);
    let name = path
        .file_stem()
        .map(|stem| stem.to_string_lossy().into_owned());
    (name.unwrap_or_else(|| text.to_owned()), path)
}

/// Waits for Ctrl-C, or for being told to end.
async fn stopped() {
    let interrupt = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            let terminated = terminate.recv();
            let (interrupt, terminated) = (std::pin::pin!(interrupt), std::pin::pin!(terminated));
            first(interrupt, terminated).await;
            return;
        }
    }
    // Where signals cannot be had, only killing stops it.
    if interrupt.await.is_err() {
        std::future::pending::<()>().await;
    }
}

/// Waits for either.
#[cfg(unix)]
async fn first<A, B>(
    mut a: std::pin::Pin<&mut impl Future<Output = A>>,
    mut b: std::pin::Pin<&mut impl Future<Output = B>>,
) {
    std::future::poll_fn(|context| {
        if a.as_mut().poll(context).is_ready() || b.as_mut().poll(context).is_ready() {
            std::task::Poll::Ready(())
        } else {
            std::task::Poll::Pending
        }
    })
    .await;
}

/// Opens a page, with whatever the system opens pages with.
fn open(url: &str) {
    let opener = match std::env::consts::OS {
        "macos" => "open",
        "windows" => "explorer",
        _ => "xdg-open",
    };
    if let Err(error) = Command::new(opener).arg(url).spawn() {
        eprintln!("cannot open a browser ({opener}: {error}); go to {url}");
    }
}
