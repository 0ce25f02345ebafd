//! Arguments that several verbs share, and how their values are read.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use anyhow::Context;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::index::{Index, IndexError};
use crate::layout::Macros;
use crate::phoc::{Anchor, ConfigError, Idf, PhocConfig};
use crate::search::{MinMatch, Request};

/// How formulas become words: arguments of `index`, `encode`, `show`, `tune` and `synth`.
#[derive(Debug, clap::Args)]
pub(super) struct ConfigArgs {
    /// The configuration: its name, a .toml file, or a notation such as xy7o4.
    #[arg(long, default_value = "best")]
    config: String,
    /// Which part of a symbol's box must touch a region, instead of what the configuration says.
    #[arg(long, alias = "repr", value_name = "PART", value_parser = one_of::<Anchor>(ANCHORS))]
    anchor: Option<Anchor>,
}

const ANCHORS: Names = &[
    ("box", "The whole box, as in the paper of 2022"),
    ("line", "The horizontal line through the centre of the box"),
    ("centroid", "The centre of the box"),
];

impl ConfigArgs {
    pub(super) fn config(&self) -> Result<PhocConfig, ConfigError> {
        let mut config: PhocConfig = self.config.parse()?;
        if let Some(anchor) = self.anchor {
            config.anchor = anchor;
        }
        Ok(config)
    }

    /// The file that the configuration is read from, where it is one.
    pub(super) fn file(&self) -> Option<&Path> {
        self.config
            .ends_with(".toml")
            .then(|| Path::new(&self.config))
    }
}

/// Macros that the formula may use: arguments of verbs that read one.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct MacroArgs {
    /// A file with macros that the formula may use: \newcommand, \def and their relatives, as in
    /// a preamble or a package.
    #[arg(long, value_name = "FILE")]
    macros: Option<PathBuf>,
}

impl MacroArgs {
    /// The macros of the file, where one is given.
    pub(super) fn read(&self) -> anyhow::Result<Option<Arc<Macros>>> {
        let Some(path) = &self.macros else {
            return Ok(None);
        };
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("cannot read {}", path.display()))?;
        let macros = Macros::read(&text);
        anyhow::ensure!(
            !macros.is_empty(),
            "{} defines no macros; they look like \\newcommand{{\\R}}{{\\mathbb{{R}}}}",
            path.display()
        );
        Ok(Some(Arc::new(macros)))
    }
}

/// How formulas are scored: arguments of `search` and `run`.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(super) struct Scoring {
    /// How many of the query's distinct symbols a formula must have: at 0% any one of them, at
    /// 100% all.
    #[arg(long, default_value = "0%", value_name = "SHARE")]
    pub(super) min_match: MinMatch,
    #[command(flatten)]
    pub(super) weighting: Weighting,
    #[command(flatten)]
    pub(super) reranking: Reranking,
}

/// Whether rare symbols weigh more.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(super) struct Weighting {
    /// Give rare symbols more weight: true, false, or region, where the index counts how rare a
    /// symbol is in each region [default: what the index's configuration says].
    #[arg(long, num_args = 0..=1, default_missing_value = "true", value_name = "HOW", require_equals = true)]
    pub(super) idf: Option<Idf>,
}

/// How deep results are re-ranked.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(super) struct Reranking {
    /// How many of the first results to re-rank by comparing whole formulas, with variables
    /// renamed; 0 for none [default: what the index's configuration says].
    #[arg(long, value_name = "N")]
    pub(super) rerank: Option<usize>,
}

impl Scoring {
    /// Whether none of these arguments is given.
    pub(super) fn is_default(&self) -> bool {
        self.min_match == MinMatch::ANY
            && self.weighting.idf.is_none()
            && self.reranking.rerank.is_none()
    }

    /// A request that is scored so.
    pub(super) fn apply(&self, mut request: Request) -> Request {
        request.min_match = self.min_match;
        request.idf = self.weighting.idf;
        request.rerank = self.reranking.rerank;
        request
    }
}

/// An index that is described, as a table or as JSON: arguments of `info` and `verify`.
#[derive(Debug, clap::Args)]
pub(super) struct DescribedIndex {
    /// The index file.
    #[arg(value_name = "INDEX")]
    pub(super) path: PathBuf,
    /// Print JSON.
    #[arg(long)]
    pub(super) json: bool,
}

impl DescribedIndex {
    pub(super) fn open(&self) -> Result<Index, IndexError> {
        Index::open(&self.path)
    }
}

/// The names of a type's values, each with its help text.
pub(super) type Names = &'static [(&'static str, &'static str)];

/// Reads one of a few names, which the help text lists.
pub(super) fn one_of<T>(names: Names) -> impl TypedValueParser<Value = T>
where
    T: FromStr<Err: Error + Send + Sync + 'static> + Clone + Send + Sync + 'static,
{
    let named = |(name, help): &(&'static str, &'static str)| PossibleValue::new(*name).help(*help);
    PossibleValuesParser::new(names.iter().map(named)).try_map(|name| name.parse())
}

/// The largest number of threads that may be requested.
const MAX_THREADS: usize = 1024;

/// A number of threads; 0 is one for each core.
pub(super) fn parse_threads(text: &str) -> Result<usize, String> {
    let threads = text.parse().ok().filter(|threads| *threads <= MAX_THREADS);
    threads
        .ok_or_else(|| format!("expected a number of threads up to {MAX_THREADS}, found `{text}`"))
}

/// 512M, 2G, 1.5GiB or a number of bytes.
pub(super) fn parse_size(text: &str) -> Result<usize, String> {
    let refuse = || format!("expected a size such as 512M or 2G, found `{text}`");
    let digits = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let unit = unit.trim().trim_end_matches("iB").trim_end_matches('B');
    let shift = match unit.to_uppercase().as_str() {
        "" => 0,
        "K" => 10,
        "M" => 20,
        "G" => 30,
        "T" => 40,
        _ => return Err(refuse()),
    };
    let number: f64 = number.parse().map_err(|_| refuse())?;
    if number > 0.0 {
        Ok((number * f64::from(shift).exp2()) as usize)
    } else {
        Err(refuse())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!(parse_size("512M"), Ok(512 << 20));
        assert_eq!(parse_size("1.5GiB"), Ok(3 << 29));
        assert_eq!(parse_size("4096"), Ok(4096));
        for bad in ["", "G", "-1G", "1X", "0"] {
            assert!(parse_size(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn every_name_in_the_help_is_one_that_the_library_reads() {
        fn check<T: FromStr>(names: Names) {
            for (name, _) in names {
                assert!(name.parse::<T>().is_ok(), "{name}");
            }
        }
        check::<Anchor>(ANCHORS);
        check::<crate::corpus::Format>(super::super::index::FORMATS);
        check::<crate::index::Dedup>(super::super::index::DEDUPS);
        check::<crate::eval::RunFormat>(super::super::run::RUN_FORMATS);
    }
}
