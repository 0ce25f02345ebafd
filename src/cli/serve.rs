//! `phocus serve`: a page to search with.

mod access;
mod address;
mod connections;
mod link;
mod log;
mod signals;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use self::access::AccessArgs;
use self::address::Address;
use self::connections::ConnectionArgs;
use self::link::LinkArgs;
use self::log::LogArgs;
use self::signals::stopped;
use super::Status;
use crate::index::Index;
use crate::search::Searcher;
use crate::serve::{self, Limits, NamedIndex, State};

/// Search with a page in the browser, or over HTTP.
///
/// The page and everything that it needs are part of this program; nothing is loaded from other
/// hosts. Each request is logged to standard error as a line of JSON.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  phocus serve formulas.phoc --open
  phocus serve wiki.phoc mse=/data/mse-2022.phoc --addr 0.0.0.0:8080
  curl 'http://127.0.0.1:8080/api/search?q=x%5E2&k=3'

An index file that is replaced is served within a second, or at once on SIGHUP.
/api/openapi.json describes the interface for programs.")]
pub(super) struct Args {
    /// Index files. Each index is named after its file, or as NAME=FILE says; the first is the default.
    #[arg(required = true, value_name = "[NAME=]INDEX")]
    indexes: Vec<String>,
    /// The port to listen on, or the address and port; a port alone is on this machine only.
    #[arg(long, default_value = "127.0.0.1:8080", value_name = "[HOST:]PORT")]
    addr: Address,
    #[command(flatten)]
    link: LinkArgs,
    /// Read the indexes into memory, so that writing to their files or cutting them disturbs no
    /// search. A file that is replaced is still taken up.
    #[arg(long)]
    in_memory: bool,
    /// Open the page in the browser.
    #[arg(long)]
    open: bool,
    /// The longest query that is accepted, in bytes.
    #[arg(long, default_value_t = Limits::default().query)]
    max_query: usize,
    /// The most results that a request may ask for.
    #[arg(long, default_value_t = Limits::default().k)]
    max_k: usize,
    /// How many searches may run at once; others wait [default: one for each core].
    #[arg(long, default_value_t = Limits::default().searches, hide_default_value = true)]
    max_searches: usize,
    /// How many seconds a request may wait, and then work; after that it is answered 503.
    #[arg(long, default_value_t = 10, value_name = "SECONDS",
        value_parser = clap::value_parser!(u64).range(1..))]
    timeout: u64,
    #[command(flatten)]
    connections: ConnectionArgs,
    #[command(flatten)]
    access: AccessArgs,
    #[command(flatten)]
    log: LogArgs,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Status> {
    let limits = Limits {
        query: args.max_query,
        k: args.max_k,
        searches: args.max_searches,
        time: Duration::from_secs(args.timeout),
    };
    let indexes = indexes(args)?;
    let log = args.log;
    let state = State::new(indexes, limits, log.log()).on_notice(move |notice| log.notice(notice));
    let state = Arc::new(state);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    runtime.block_on(listen(args, state))?;
    let _ = writeln!(io::stderr(), "stopped");
    Ok(Status::Done)
}

fn indexes(args: &Args) -> anyhow::Result<Vec<NamedIndex>> {
    let mut indexes: Vec<NamedIndex> = Vec::new();
    for text in &args.indexes {
        let (name, path) = named(text);
        anyhow::ensure!(
            indexes.iter().all(|other| other.name != name),
            "two indexes are called {name}: give them other names, as in NAME=FILE"
        );
        let index = if args.in_memory {
            Index::open_in_memory(&path)?
        } else {
            Index::open(&path)?
        };
        let index = args.link.apply(index, &name)?;
        indexes.push(NamedIndex::new(name, Searcher::new(index)));
    }
    let names: Vec<&str> = indexes.iter().map(|index| index.name.as_str()).collect();
    args.link.check(&names)?;
    Ok(indexes)
}

async fn listen(args: &Args, state: Arc<State>) -> anyhow::Result<()> {
    let access = args.access.access(&args.addr)?;
    let connections = args.connections.limits();
    let listener = args.addr.listen().await?;
    let local = listener.local_addr()?;
    let url = args.addr.url(local);
    eprintln!("phocus is at {url} (stop it with Ctrl-C)");
    let warnings = [
        args.access.warning(local),
        args.connections.warning(&connections),
    ];
    for warning in warnings.into_iter().flatten() {
        eprintln!("warning: {warning}");
    }
    let warming = Arc::clone(&state);
    tokio::task::spawn_blocking(move || warming.warm_up());
    if args.open {
        open(&url);
    }
    serve::serve(
        listener,
        Arc::clone(&state),
        access,
        connections,
        stopped(state),
    )
    .await;
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
