//! The extension module of the Python package: the library's functions for the modules in
//! `phocus/`, which make Python objects of what these return.
//!
//! What has many parts is returned as JSON, the same that the program and the server give. All
//! work is done without the interpreter's lock ([`work`]), and all errors are exceptions of
//! `phocus/errors.py` ([`errors`]).

mod builder;
mod errors;
mod formulas;
mod index;
mod options;
mod runs;
mod topics;
mod work;

use pyo3::prelude::*;

/// The compiled part of phocus.
#[pymodule]
mod _phocus {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::builder::Builder;
    #[pymodule_export]
    use super::formulas::{configs, encode, layout, render};
    #[pymodule_export]
    use super::index::Index;
    #[pymodule_export]
    use super::runs::{evaluate, run_formulas, run_questions};
    #[pymodule_export]
    use super::topics::{read_qrels, read_questions, read_topics};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}

/// A value as JSON.
fn json(value: &impl serde::Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(|error| errors::internal(&error.to_string()))
}
