//! An index that is open.

use std::path::PathBuf;

use phocus::ask::AskRequest;
use phocus::index::FORMAT_VERSION;
use phocus::search::{Formula, Request, SearchError, Searcher};
use pyo3::prelude::*;
use rayon::prelude::*;
use serde_json::{Map, Value, json};

use crate::errors::Raised;
use crate::json;
use crate::options::{AskOptions, Asked, SearchOptions};
use crate::work::{apart, in_chunks};

/// An index that is open.
#[pyclass(frozen, module = "phocus._phocus")]
pub struct Index {
    pub searcher: Searcher,
}

#[pymethods]
impl Index {
    #[new]
    fn new(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        // Not when the module is imported: what installs a handler of SIGBUS after that, as
        // Python's faulthandler does, would get the faults that this one is for. Where the system
        // refuses it, an index that is cut while it is read ends the process.
        let _ = phocus::index::survive_cut_files();
        let searcher = apart(py, || Ok(Searcher::open(&path)?))?;
        Ok(Index { searcher })
    }

    fn __len__(&self) -> usize {
        self.searcher.index().formulas()
    }

    fn search(&self, py: Python<'_>, latex: String, options: SearchOptions) -> PyResult<String> {
        let request = of_formula(&options.request()?, latex);
        apart(py, || written(&self.searcher.search(&request)?))
    }

    /// Answers many queries; a query that cannot be read is an error, or none.
    fn search_batch(
        &self,
        py: Python<'_>,
        queries: Vec<String>,
        options: SearchOptions,
        skip: bool,
    ) -> PyResult<Vec<Option<String>>> {
        let request = options.request()?;
        let requests: Vec<Request> = (queries.into_iter())
            .map(|latex| of_formula(&request, latex))
            .collect();
        let answers = in_chunks(py, &requests, |requests| {
            let answers = self.searcher.search_all(requests, 0);
            Ok(answers.into_par_iter().map(written_or_error).collect())
        })?;
        answers
            .into_iter()
            .enumerate()
            .map(|(at, answer)| kept(at, answer, skip))
            .collect()
    }

    fn ask(&self, py: Python<'_>, question: Asked, options: AskOptions) -> PyResult<String> {
        let request = of_question(&self.asked(options)?, question);
        apart(py, || written(&self.searcher.ask(&request)?))
    }

    /// Answers many questions.
    fn ask_batch(
        &self,
        py: Python<'_>,
        questions: Vec<Asked>,
        options: AskOptions,
        skip: bool,
    ) -> PyResult<Vec<Option<String>>> {
        let request = self.asked(options)?.threads(1);
        let requests: Vec<AskRequest> = (questions.into_iter())
            .map(|asked| of_question(&request, asked))
            .collect();
        let answers = in_chunks(py, &requests, |requests| {
            let answers = requests
                .par_iter()
                .map(|request| self.searcher.ask(request));
            Ok(answers.map(written_or_error).collect())
        })?;
        answers
            .into_iter()
            .enumerate()
            .map(|(at, answer)| kept(at, answer, skip))
            .collect()
    }

    fn explain(
        &self,
        py: Python<'_>,
        latex: String,
        id: &str,
        options: SearchOptions,
    ) -> PyResult<String> {
        let request = of_formula(&options.request()?, latex);
        apart(py, || written(&self.searcher.explain(&request, id)?))
    }

    fn instances(&self, py: Python<'_>, id: &str) -> PyResult<String> {
        let index = self.searcher.index();
        apart(py, || {
            let formula = match index.find(id)? {
                Some(formula) => Some(formula),
                None => index.find_instance(id)?,
            };
            let formula = formula.ok_or_else(|| SearchError::NoFormula {
                path: index.path().to_path_buf(),
                id: id.to_owned(),
            })?;
            written(&index.instances(formula)?)
        })
    }

    fn info(&self) -> PyResult<String> {
        let index = self.searcher.index();
        let sections: Map<String, Value> = (index.section_sizes().into_iter())
            .map(|(name, bytes)| (name, json!(bytes)))
            .collect();
        json(&json!({
            "path": index.path().display().to_string(), "format": FORMAT_VERSION,
            "bytes": index.file_bytes(), "store_bytes": index.store_bytes(),
            "meta": index.meta(), "sections": sections,
        }))
    }

    fn verify(&self, py: Python<'_>) -> PyResult<String> {
        apart(py, || written(&self.searcher.index().verify()?))
    }
}

impl Index {
    fn asked(&self, options: AskOptions) -> Result<AskRequest, Raised> {
        options.request(self.searcher.index().meta().config.ask)
    }
}

/// A request with this formula.
pub fn of_formula(request: &Request, latex: String) -> Request {
    let mut request = request.clone();
    request.formula = Formula::Latex(latex);
    request
}

/// A request with this question.
pub fn of_question(request: &AskRequest, asked: Asked) -> AskRequest {
    let mut request = request.clone();
    request.question = asked.question();
    request
}

fn written(value: &impl serde::Serialize) -> Result<String, Raised> {
    serde_json::to_string(value).map_err(Raised::argument)
}

fn written_or_error<T: serde::Serialize>(answer: Result<T, SearchError>) -> Result<String, Raised> {
    written(&answer?)
}

/// The answer to one of many queries; none where the query is to be skipped.
fn kept(at: usize, answer: Result<String, Raised>, skip: bool) -> PyResult<Option<String>> {
    match answer {
        Ok(answer) => Ok(Some(answer)),
        Err(error) if skip && error.is_formula() => Ok(None),
        Err(error) => Err(error.within(&format!("query {at}")).into()),
    }
}
