//! phocus beside its peers: the same postings, the same queries, the same scores.
//!
//! `export` writes an index's postings as plain columns, and topics as
//! queries over them. `phocus` and `tantivy` then answer those queries when
//! they are asked on standard input (see [`serve`]); DuckDB and Lucene do the
//! same from their own languages. The script `run` beside this crate asks all of
//! them in turns.

mod columns;
mod export;
mod peer_phocus;
mod peer_tantivy;
mod postings;
mod query;
mod serve;

use std::path::Path;

use anyhow::bail;

const USAGE: &str = "\
usage: phocus-peers export INDEX FOLDER TOPICS...
       phocus-peers phocus THREADS INDEX FOLDER TOPICS...
       phocus-peers tantivy FOLDER";

fn main() -> anyhow::Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match &args[..] {
        ["export", index, folder, topics @ ..] => {
            export::export(Path::new(index), Path::new(folder), topics)
        }
        ["phocus", threads, index, folder, topics @ ..] => {
            let peer = peer_phocus::Phocus::open(Path::new(index), topics, threads.parse()?)?;
            serve::serve(peer, Path::new(folder))
        }
        ["tantivy", folder] => {
            let peer = peer_tantivy::Tantivy::open(Path::new(folder))?;
            serve::serve(peer, Path::new(folder))
        }
        _ => bail!(USAGE),
    }
}
