//! Queries as the peers know them: tokens by number, words, and what each
//! mode asks a formula to hold.

use std::fs;
use std::path::Path;

use anyhow::{Context, ensure};
use phocus::corpus::read_topics;
use phocus::layout::{self, Layout};
use phocus::search::MinMatch;

/// How much of a query a formula must hold; the order of the columns in a file of queries.
pub(crate) const MODES: [&str; 3] = ["any", "75%", "all"];

/// Where the queries are, one a line: topic, the least of each mode, then
/// `token:word` pairs with the word in hexadecimal; parted by tabs. A line
/// rather than JSON, since Lucene's side has no JSON reader.
pub(crate) const FILE: &str = "queries.tsv";

/// A query over numbered tokens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PeerQuery {
    pub(crate) topic: String,
    /// How many tokens a formula must hold, by mode. It may be more than
    /// there are: tokens that no formula holds count too.
    pub(crate) least: [usize; 3],
    pub(crate) tokens: Vec<(u32, u64)>,
}

impl PeerQuery {
    pub(crate) fn to_line(&self) -> String {
        let [any, most, all] = self.least;
        let tokens: Vec<String> = self
            .tokens
            .iter()
            .map(|(token, word)| format!("{token}:{word:x}"))
            .collect();
        format!(
            "{}\t{any}\t{most}\t{all}\t{}",
            self.topic,
            tokens.join("\t")
        )
    }

    fn from_line(line: &str) -> Option<Self> {
        let mut fields = line.split('\t');
        let topic = fields.next()?.to_owned();
        let mut least = [0; 3];
        for least in &mut least {
            *least = fields.next()?.parse().ok()?;
        }
        let token = |field: &str| {
            let (token, word) = field.split_once(':')?;
            Some((token.parse().ok()?, u64::from_str_radix(word, 16).ok()?))
        };
        let tokens = fields.filter(|field| !field.is_empty()).map(token);
        Some(PeerQuery {
            topic,
            least,
            tokens: tokens.collect::<Option<_>>()?,
        })
    }
}

/// Reads the queries that `export` wrote.
pub(crate) fn read_queries(folder: &Path) -> anyhow::Result<Vec<PeerQuery>> {
    let path = folder.join(FILE);
    let text =
        fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let queries: Option<Vec<PeerQuery>> = text.lines().map(PeerQuery::from_line).collect();
    queries.with_context(|| format!("{} is not what `export` writes", path.display()))
}

/// The topics of all files that can be laid out, in order.
pub(crate) fn read_layouts(files: &[&str]) -> anyhow::Result<Vec<(String, Layout)>> {
    let mut layouts = Vec::new();
    for file in files {
        for topic in read_topics(Path::new(file))? {
            match layout::latex(&topic.latex) {
                Ok(layout) => layouts.push((topic.number, layout)),
                Err(error) => eprintln!("topic {} is left out: {error}", topic.number),
            }
        }
    }
    ensure!(
        !layouts.is_empty(),
        "no topic is left; name a file of topics"
    );
    Ok(layouts)
}

/// The minimum match that a mode stands for.
pub(crate) fn min_match(mode: &str) -> anyhow::Result<MinMatch> {
    match mode {
        "any" => Ok(MinMatch::ANY),
        "all" => Ok(MinMatch::ALL),
        part => Ok(part.parse()?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_reads_as_it_was_written() {
        let mut query = PeerQuery {
            topic: "B.1".to_owned(),
            least: [1, 3, 5],
            tokens: vec![(7, u64::MAX), (9, 1)],
        };
        assert_eq!(PeerQuery::from_line(&query.to_line()), Some(query.clone()));
        query.tokens.clear();
        assert_eq!(PeerQuery::from_line(&query.to_line()), Some(query));
    }
}
