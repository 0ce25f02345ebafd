//! The parameters of requests.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::Query as QueryParams;
use axum::extract::rejection::QueryRejection;

use super::super::error::ApiError;
use super::super::served::Served;
use super::super::{NamedIndex, State};
use crate::layout;
use crate::phoc::Idf;
use crate::picture::Theme;
use crate::search::{Group, MinMatch, Request};

/// The parameters of all requests; each request uses some of them.
#[derive(Debug)]
pub(super) struct Params {
    pub(super) q: Option<String>,
    pub(super) index: Option<String>,
    pub(super) k: Option<usize>,
    pub(super) min_match: Option<String>,
    pub(super) idf: Option<String>,
    pub(super) rerank: Option<usize>,
    pub(super) id: Option<String>,
    pub(super) like: Option<String>,
    pub(super) symbol: Option<String>,
    pub(super) theme: Theme,
    pub(super) typed: bool,
    pub(super) from: usize,
    pub(super) group: Option<String>,
    pub(super) answers: bool,
    pub(super) alpha: Option<String>,
    pub(super) kappa: Option<usize>,
    /// `type`
    pub(super) kinds: Option<String>,
    /// `source`
    pub(super) sources: Option<String>,
}

/// What an address holds after its question mark.
pub(super) type Parameters = Result<QueryParams<Vec<(String, String)>>, QueryRejection>;

/// Reads the parameters of a request.
///
/// # Errors
/// When one is not known, is given twice, or is not what it should be.
pub(super) fn read(params: Parameters) -> Result<Params, ApiError> {
    let QueryParams(pairs) = params.map_err(|error| ApiError::bad(error.body_text()))?;
    let mut given = BTreeMap::new();
    for (name, value) in pairs {
        if given.contains_key(&name) {
            return Err(ApiError::bad(format!("{name} is given more than once")));
        }
        given.insert(name, value);
    }
    let params = Params {
        q: given.remove("q"),
        index: given.remove("index"),
        k: number(&mut given, "k")?,
        min_match: given.remove("min_match"),
        idf: given.remove("idf"),
        rerank: number(&mut given, "rerank")?,
        id: given.remove("id"),
        like: given.remove("like"),
        symbol: given.remove("symbol"),
        theme: one_of(&mut given, "theme", &THEMES)?.unwrap_or_default(),
        typed: one_of(&mut given, "typed", &SWITCH)?.unwrap_or_default(),
        from: number(&mut given, "from")?.unwrap_or_default(),
        group: given.remove("group"),
        answers: one_of(&mut given, "answers", &SWITCH)?.unwrap_or_default(),
        alpha: given.remove("alpha"),
        kappa: number(&mut given, "kappa")?,
        kinds: given.remove("type"),
        sources: given.remove("source"),
    };
    match given.into_keys().next() {
        None => Ok(params),
        Some(unknown) => Err(ApiError::bad(format!(
            "there is no parameter `{unknown}`: expected one of {NAMES}"
        ))),
    }
}

/// All parameters.
const NAMES: &str = "`q`, `index`, `k`, `from`, `min_match`, `idf`, `rerank`, `group`, `type`, \
                     `source`, `answers`, `alpha`, `kappa`, `id`, `like`, `symbol`, `theme`, \
                     `typed`";
const THEMES: [(&str, Theme); 3] = [
    ("auto", Theme::Auto),
    ("light", Theme::Light),
    ("dark", Theme::Dark),
];
const SWITCH: [(&str, bool); 2] = [("true", true), ("false", false)];

/// What is told of a parameter that is not as it should be.
fn unexpected(name: &str, expected: &str, found: &str) -> ApiError {
    ApiError::bad(format!("{name}: expected {expected}, found `{found}`"))
}

/// A whole number. One that is too large for this machine is the largest: no limit allows it.
fn number(given: &mut BTreeMap<String, String>, name: &str) -> Result<Option<usize>, ApiError> {
    let Some(text) = given.remove(name) else {
        return Ok(None);
    };
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(unexpected(name, "a whole number, such as 20", &text));
    }
    Ok(Some(text.parse().unwrap_or(usize::MAX)))
}

/// One of several values, by its name.
fn one_of<T: Copy>(
    given: &mut BTreeMap<String, String>,
    name: &str,
    values: &[(&str, T)],
) -> Result<Option<T>, ApiError> {
    let Some(text) = given.remove(name) else {
        return Ok(None);
    };
    let value = values.iter().find(|(known, _)| *known == text);
    let known = || -> Vec<&str> { values.iter().map(|(known, _)| *known).collect() };
    match value {
        Some((_, value)) => Ok(Some(*value)),
        None => Err(unexpected(name, &known().join(" or "), &text)),
    }
}

impl Params {
    /// The query, if it is not too long.
    pub(super) fn query(&self, state: &State) -> Result<&str, ApiError> {
        let query = self.q.as_deref();
        checked(
            query.ok_or_else(|| ApiError::bad("q, the LaTeX, is missing"))?,
            state,
        )
    }

    /// The question, or what may be one, if it is not too long.
    pub(super) fn question(&self, state: &State) -> Result<&str, ApiError> {
        let question = self.q.as_deref();
        let question = question.ok_or_else(|| ApiError::bad("q, the question, is missing"))?;
        within(question, state.limits.question())
    }

    pub(super) fn id(&self) -> Result<&str, ApiError> {
        let id = self.id.as_deref();
        id.ok_or_else(|| ApiError::bad("id is missing"))
    }

    /// The index that is asked for, whether or not its file is sound.
    pub(super) fn named<'a>(&self, state: &'a State) -> Result<&'a Served, ApiError> {
        let found = match &self.index {
            Some(name) => state.indexes.iter().find(|served| served.name == *name),
            None => state.indexes.first(),
        };
        found.ok_or_else(|| {
            let names: Vec<&str> = state.indexes.iter().map(|s| s.name.as_str()).collect();
            ApiError::missing(format!(
                "there is no such index; there is {}",
                names.join(", ")
            ))
        })
    }

    /// The index that is asked for, as it is served at this moment, if its file is sound.
    pub(super) fn served(&self, state: &State) -> Result<Arc<NamedIndex>, ApiError> {
        let served = self.named(state)?;
        match served.trouble() {
            Some(reason) => Err(ApiError::unsound(reason)),
            None => Ok(served.now()),
        }
    }

    pub(super) fn k(&self, state: &State, default: usize) -> Result<usize, ApiError> {
        let limit = state.limits.k;
        let k = self.k.unwrap_or(default.min(limit));
        if (1..=limit).contains(&k) {
            Ok(k)
        } else {
            Err(ApiError::bad(format!(
                "k is {k}, and may be from 1 to {limit}"
            )))
        }
    }

    /// How many results are passed over, and how many are wanted after these: a search is as
    /// much work as it is deep, so the limit is for both together.
    pub(super) fn page(&self, state: &State, default: usize) -> Result<(usize, usize), ApiError> {
        let (k, limit) = (self.k(state, default)?, state.limits.k);
        if self.from < limit {
            Ok((self.from, k.min(limit - self.from)))
        } else {
            Err(ApiError::bad(format!(
                "from is {}, and may be from 0 to {}",
                self.from,
                limit - 1
            )))
        }
    }

    /// The share of formulas in the score.
    pub(super) fn alpha(&self) -> Result<Option<f64>, ApiError> {
        let Some(text) = &self.alpha else {
            return Ok(None);
        };
        let share = text
            .parse()
            .ok()
            .filter(|share| (0.0..=1.0).contains(share));
        let share = share.ok_or_else(|| unexpected("alpha", "a share from 0 to 1", text))?;
        Ok(Some(share))
    }

    /// How many formulas like one of the question count. Finding them is a search for so many.
    pub(super) fn kappa(&self, state: &State, default: usize) -> Result<usize, ApiError> {
        match self.kappa {
            Some(0) => Err(unexpected("kappa", "a number from 1", "0")),
            kappa => Ok(kappa.unwrap_or(default).min(state.limits.k)),
        }
    }

    pub(super) fn min_match(&self) -> Result<MinMatch, ApiError> {
        let text = self.min_match.as_deref().unwrap_or("0%");
        text.parse()
            .map_err(|error| ApiError::bad(format!("min_match: {error}")))
    }

    pub(super) fn group(&self) -> Result<Group, ApiError> {
        let group = self.group.as_deref().map(str::parse).transpose();
        let group = group.map_err(|error| ApiError::bad(format!("group: {error}")))?;
        Ok(group.unwrap_or_default())
    }

    /// A request with the filters and the grouping that are asked for.
    pub(super) fn select(&self, request: Request) -> Result<Request, ApiError> {
        let listed = |values: &Option<String>| -> Vec<String> {
            let values = values.as_deref().unwrap_or_default().split(',');
            values
                .filter(|value| !value.is_empty())
                .map(str::to_owned)
                .collect()
        };
        let (kinds, sources) = (listed(&self.kinds), listed(&self.sources));
        Ok(request.kinds(kinds).sources(sources).group(self.group()?))
    }

    pub(super) fn idf(&self) -> Result<Option<Idf>, ApiError> {
        let idf = self.idf.as_deref().map(str::parse);
        idf.transpose()
            .map_err(|error| ApiError::bad(format!("idf: {error}")))
    }
}

/// LaTeX, if it is not too long.
pub(super) fn checked<'a>(latex: &'a str, state: &State) -> Result<&'a str, ApiError> {
    // MathML is many times as long as the LaTeX that it stands for.
    let longer = if layout::is_mathml(latex) { 4 } else { 1 };
    let limit = state.limits.query.saturating_mul(longer);
    within(latex, limit)
}

/// A text, if it has at most so many bytes.
fn within(text: &str, limit: usize) -> Result<&str, ApiError> {
    if text.len() <= limit {
        Ok(text)
    } else {
        Err(ApiError::bad(format!(
            "the query is {} bytes long where at most {limit} are read",
            text.len()
        )))
    }
}

#[cfg(test)]
mod tests {
    use axum::http::Uri;
    use axum::response::IntoResponse;

    use super::*;

    /// What is read of a query string, or what is told of it.
    fn told(query: &str) -> Result<Params, String> {
        let uri: Uri = format!("/?{query}").parse().unwrap();
        read(QueryParams::try_from_uri(&uri)).map_err(|error| {
            let body = axum::body::to_bytes(error.into_response().into_body(), usize::MAX);
            let runtime = tokio::runtime::Builder::new_current_thread().build();
            let body = runtime.unwrap().block_on(body).unwrap();
            let body: serde_json::Value = serde_json::from_slice(&body).unwrap();
            body["error"].as_str().unwrap().to_owned()
        })
    }

    #[test]
    fn parameters_are_read() {
        let params = told("q=x%5E2&k=7&typed=true&theme=dark&type=a&source=b").unwrap();
        assert_eq!((params.q.as_deref(), params.k), (Some("x^2"), Some(7)));
        assert_eq!((params.typed, params.theme), (true, Theme::Dark));
        assert_eq!((params.kinds.as_deref(), params.from), (Some("a"), 0));
        let huge = told("k=99999999999999999999999").unwrap();
        assert_eq!(huge.k, Some(usize::MAX));
    }

    #[test]
    fn what_is_wrong_names_the_parameter_and_what_was_expected_and_found() {
        for (query, expected) in [
            (
                "k=abc",
                "k: expected a whole number, such as 20, found `abc`",
            ),
            ("k=", "k: expected a whole number, such as 20, found ``"),
            (
                "from=-1",
                "from: expected a whole number, such as 20, found `-1`",
            ),
            (
                "rerank=1.5",
                "rerank: expected a whole number, such as 20, found `1.5`",
            ),
            ("typed=yes", "typed: expected true or false, found `yes`"),
            ("answers=1", "answers: expected true or false, found `1`"),
            (
                "theme=blue",
                "theme: expected auto or light or dark, found `blue`",
            ),
            ("q=x&q=y", "q is given more than once"),
        ] {
            assert_eq!(told(query).unwrap_err(), expected, "{query}");
        }
        let unknown = told("q=x&limit=3").unwrap_err();
        assert!(unknown.starts_with("there is no parameter `limit`: expected one of `q`, "));
    }
}
