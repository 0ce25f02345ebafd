//! The library's errors as the exceptions of `phocus/errors.py`, with the library's texts.

use std::error::Error;
use std::io;

use phocus::corpus::{CorpusError, TopicError};
use phocus::eval::EvalError;
use phocus::index::IndexError;
use phocus::layout::LayoutError;
use phocus::phoc::ConfigError;
use phocus::search::SearchError;
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError};
use pyo3::prelude::*;

/// An error of the library, and the exception that it is.
pub struct Raised {
    class: &'static str,
    text: String,
}

impl Raised {
    fn new(class: &'static str, error: &dyn Error) -> Self {
        let mut text = error.to_string();
        let mut cause = error.source();
        while let Some(error) = cause {
            text = format!("{text}: {error}");
            cause = error.source();
        }
        Raised { class, text }
    }

    /// An argument that is not what is expected.
    pub fn argument(error: impl ToString) -> Self {
        Raised {
            class: "ArgumentError",
            text: error.to_string(),
        }
    }

    /// A configuration that there is not.
    pub fn config(error: &ConfigError) -> Self {
        Raised::new("ArgumentError", error)
    }

    /// The same with words before its text.
    pub fn within(mut self, place: &str) -> Self {
        self.text = format!("{place}: {}", self.text);
        self
    }

    /// Whether a formula cannot be read.
    pub fn is_formula(&self) -> bool {
        self.class == "FormulaError"
    }

    /// Its text.
    pub fn into_text(self) -> String {
        self.text
    }
}

impl From<Raised> for PyErr {
    fn from(raised: Raised) -> PyErr {
        if raised.class == "KeyboardInterrupt" {
            return PyKeyboardInterrupt::new_err(raised.text);
        }
        Python::attach(|py| {
            let class =
                (py.import("phocus.errors")).and_then(|errors| errors.getattr(raised.class));
            match class.and_then(|class| class.call1((raised.text,))) {
                Ok(exception) => PyErr::from_value(exception),
                Err(error) => error,
            }
        })
    }
}

/// An error that no input should lead to.
pub fn internal(what: &str) -> PyErr {
    let text = format!("phocus failed, which is a mistake in phocus: {what}");
    let raised = Raised {
        class: "InternalError",
        text,
    };
    raised.into()
}

/// Something that cannot be done now.
pub fn busy(what: &str) -> PyErr {
    PyRuntimeError::new_err(what.to_owned())
}

impl From<LayoutError> for Raised {
    fn from(error: LayoutError) -> Self {
        Raised::new("FormulaError", &error)
    }
}

impl From<IndexError> for Raised {
    fn from(error: IndexError) -> Self {
        let class = match &error {
            IndexError::Corpus(error) => class_of_input(error),
            IndexError::Interrupted => "KeyboardInterrupt",
            IndexError::Io { reason, .. } if is_missing(reason) => "IndexNotFoundError",
            IndexError::NoTexts { .. } => "NoTextsError",
            IndexError::NoFormulas(_)
            | IndexError::NoVisualIds
            | IndexError::ReaderFailed
            | IndexError::Threads(_)
            | IndexError::Incomplete
            | IndexError::TooMany(_) => "BuildError",
            _ => "IndexFileError",
        };
        Raised::new(class, &error)
    }
}

impl From<SearchError> for Raised {
    fn from(error: SearchError) -> Self {
        match error {
            SearchError::Query(error) => error.into(),
            SearchError::Index(error) => error.into(),
            SearchError::NoFormula { .. } => Raised::new("UnknownFormulaError", &error),
            _ => Raised::new("ArgumentError", &error),
        }
    }
}

impl From<CorpusError> for Raised {
    fn from(error: CorpusError) -> Self {
        Raised::new(class_of_input(&error), &error)
    }
}

impl From<TopicError> for Raised {
    fn from(error: TopicError) -> Self {
        match error {
            TopicError::Corpus(error) => error.into(),
            _ => Raised::new("InputError", &error),
        }
    }
}

impl From<EvalError> for Raised {
    fn from(error: EvalError) -> Self {
        let class = match &error {
            EvalError::Io { source, .. } if is_missing(source) => "InputNotFoundError",
            _ => "InputError",
        };
        Raised::new(class, &error)
    }
}

fn class_of_input(error: &CorpusError) -> &'static str {
    match error {
        CorpusError::Io { source, .. } if is_missing(source) => "InputNotFoundError",
        _ => "InputError",
    }
}

fn is_missing(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::NotFound
}
