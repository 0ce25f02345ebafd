//! Evaluation: runs, judgments, and measures of runs by judgments.

mod evaluated;
mod fuse;
mod lookup;
mod measures;
mod numbers;
mod qrels;
mod run;
mod significance;

pub use evaluated::{Evaluated, evaluate_files, run_names};
pub use fuse::{Fusion, fuse};
pub use lookup::FormulaLookup;
pub use measures::{MEASURES, Measure, Measures, evaluate, mean, ranking};
#[cfg(feature = "report")]
pub(crate) use numbers::plural;
pub use numbers::{average, quantile};
pub use qrels::Qrels;
pub use run::{
    Run, RunFormat, RunId, RunIdError, RunIds, RunRow, run_rows, write_answers, write_topic,
};
pub use significance::{Comparison, compare, mean_and_error, p_text};

use std::path::PathBuf;

use crate::index::IndexError;

/// Why a run or judgments cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EvalError {
    /// A file cannot be read.
    #[error("cannot read {path}")]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A line is not of the expected form.
    #[error("{path}:{line}: expected {expected}, found `{found}`")]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The expected form.
        expected: &'static str,
        /// The line that was found.
        found: String,
    },
    /// The index that should know the formulas is damaged.
    #[error("cannot look up formulas")]
    Index(#[from] IndexError),
    /// A file is empty.
    #[error("{path} is empty: expected {expected}")]
    Empty {
        /// The file.
        path: PathBuf,
        /// The expected contents.
        expected: &'static str,
    },
}

/// Reads the lines of a file, each by `parse`.
fn read_lines<T>(
    path: &std::path::Path,
    expected: &'static str,
    parse: impl Fn(&str) -> Option<T>,
) -> Result<Vec<T>, EvalError> {
    let text = std::fs::read_to_string(path).map_err(|source| EvalError::Io {
        path: path.to_path_buf(),
        source,
    })?;
    let mut rows = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim().is_empty() {
            continue;
        }
        rows.push(parse(line).ok_or_else(|| EvalError::Line {
            path: path.to_path_buf(),
            line: number,
            expected,
            found: line.chars().take(120).collect(),
        })?);
    }
    if rows.is_empty() {
        Err(EvalError::Empty {
            path: path.to_path_buf(),
            expected,
        })
    } else {
        Ok(rows)
    }
}
