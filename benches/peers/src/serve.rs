//! A peer answers one line at a time, so that all of them can run in turns
//! with their indexes open and their caches warm.
//!
//! First it says `ready`. Asked `MODE FIRST END K`, it searches for the
//! queries numbered FIRST up to END and says how many nanoseconds each took,
//! parted by spaces. Asked `MODE FIRST END K FILE`, it also appends what it
//! found to FILE: a line a query, `formula:sum` for each result, in order.

use std::fmt::Write as _;
use std::fs;
use std::io::{self, BufRead, Write};
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, bail};

use crate::query::{MODES, PeerQuery, read_queries};

/// A formula that was found, and the bits it shares with the query.
pub(crate) type Found = (u32, u32);

/// An engine with its index open.
pub(crate) trait Peer {
    /// The best `k` of the query numbered `number`, best first.
    fn search(
        &self,
        number: usize,
        query: &PeerQuery,
        mode: usize,
        k: usize,
    ) -> anyhow::Result<Vec<Found>>;
}

/// Answers until standard input ends.
pub(crate) fn serve(peer: impl Peer, folder: &Path) -> anyhow::Result<()> {
    let queries = read_queries(folder)?;
    println!("ready");
    for line in io::stdin().lock().lines() {
        println!("{}", answer(&peer, &queries, &line?)?);
        io::stdout().flush()?;
    }
    Ok(())
}

fn answer(peer: &impl Peer, queries: &[PeerQuery], line: &str) -> anyhow::Result<String> {
    let fields: Vec<&str> = line.split(' ').collect();
    let [mode, first, end, k, file @ ..] = &fields[..] else {
        bail!("expected MODE FIRST END K [FILE], found `{line}`");
    };
    let mode = MODES.iter().position(|known| known == mode);
    let mode = mode.with_context(|| format!("expected one of {MODES:?}, found `{line}`"))?;
    let (first, end, k) = (first.parse()?, end.parse()?, k.parse()?);
    let (mut times, mut results) = (String::new(), String::new());
    for (number, query) in queries.iter().enumerate().take(end).skip(first) {
        let started = Instant::now();
        let found = peer.search(number, query, mode, k)?;
        write!(times, "{} ", started.elapsed().as_nanos())?;
        for (formula, sum) in found {
            write!(results, "{formula}:{sum} ")?;
        }
        results.push('\n');
    }
    if let [file] = file {
        let file = fs::OpenOptions::new().create(true).append(true).open(file);
        file.context("cannot write results")?
            .write_all(results.as_bytes())?;
    }
    Ok(times)
}
