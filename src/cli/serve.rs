//! `phocus serve`: a page to search with.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use serde_json::json;
use tokio::net::TcpListener;

use super::Status;
use crate::search::Searcher;
use crate::serve::{self, Limits, Log, LoggedRequest, NamedIndex, State};

/// Search with a page in the browser, or over HTTP.
///
/// The page and everything that it needs are part of this program; nothing is loaded from other
/// hosts. Each request is logged to standard error as a line of JSON.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  phocus serve formulas.phoc --open
  phocus serve wiki.phoc mse=/data/mse-2022.phoc --addr 0.0.0.0:8080
  curl 'http://127.0.0.1:8080/api/search?q=x%5E2&k=3'

/api/openapi.json describes the interface for programs.")]
pub(super) struct Args {
    /// Index files. Each index is named after its file, or as NAME=FILE says; the first is the default.
    #[arg(required = true, value_name = "[NAME=]INDEX")]
    indexes: Vec<String>,
    /// The address and port to listen on.
    #[arg(long, default_value = "127.0.0.1:8080")]
    addr: SocketAddr,
    /// Open the page in the browser.
    #[arg(long)]
    open: bool,
    /// Do not log requests.
    #[arg(long)]
    quiet: bool,
    /// The longest query that is accepted, in bytes.
    #[arg(long, default_value_t = Limits::default().query)]
    max_query: usize,
    /// The most results that a request may ask for.
    #[arg(long, default_value_t = Limits::default().k)]
    max_k: usize,
    /// How many searches may run at once; others wait [default: two for each core].
    #[arg(long, default_value_t = Limits::default().searches, hide_default_value = true)]
    max_searches: usize,
    /// How many seconds a request may wait, and then work; after that it is answered 503.
    #[arg(long, default_value_t = 10, value_name = "SECONDS")]
    timeout: u64,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Status> {
    let limits = Limits {
        query: args.max_query,
        k: args.max_k,
        searches: args.max_searches,
        time: Duration::from_secs(args.timeout),
    };
    let log = if args.quiet {
        Log::off()
    } else {
        Log::new(print_request)
    };
    let state = Arc::new(State::new(indexes(&args.indexes)?, limits, log));
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    runtime.block_on(listen(args, state))?;
    eprintln!("stopped");
    Ok(Status::Done)
}

fn indexes(arguments: &[String]) -> anyhow::Result<Vec<NamedIndex>> {
    let mut indexes: Vec<NamedIndex> = Vec::new();
    for text in arguments {
        let (name, path) = named(text);
        anyhow::ensure!(
            indexes.iter().all(|other| other.name != name),
            "two indexes are called {name}: give them other names, as in NAME=FILE"
        );
        indexes.push(NamedIndex::new(name, Searcher::open(&path)?));
    }
    Ok(indexes)
}

/// Logs a request as a line of JSON.
fn print_request(request: &LoggedRequest) {
    eprintln!("{}", json!(request));
}

async fn listen(args: &Args, state: Arc<State>) -> anyhow::Result<()> {
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
    Ok(())
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

/// Waits for Ctrl-C or, where the system has it, SIGTERM.
async fn stopped() {
    tokio::select! {
        () = interrupted() => {}
        () = terminated() => {}
    }
}

async fn interrupted() {
    // Where signals cannot be received, only killing the process stops it.
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}

async fn terminated() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            terminate.recv().await;
            return;
        }
    }
    std::future::pending::<()>().await;
}

/// Opens a page with the system's browser.
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
