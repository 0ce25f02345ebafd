//! Asking: texts that may answer a question, and whether what is typed is one.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::super::State;
use super::super::error::ApiError;
use super::params::Params;
use crate::ask::{AskRequest, PassagePart, Question, is_question};
use crate::corpus::TextPart;
use crate::phoc::AskSettings;

/// The default number of results.
const DEFAULT_K: usize = 10;

/// How many formulas of a question are searched for: each is as much work as a search.
const MOST_FORMULAS: usize = 20;

/// The texts that may answer a question.
pub(super) fn ask(state: &State, params: &Params) -> Result<Value, ApiError> {
    let served = params.served(state)?;
    let meta = served.index().meta();
    let Some(texts) = &meta.texts else {
        return Err(ApiError::missing(format!(
            "{} has no texts to answer questions with: it was made of formulas, or with --no-texts",
            served.name
        )));
    };
    let asked = params.question(state)?;
    let (from, k) = params.page(state, DEFAULT_K)?;
    let settings = settings(state, params, meta.config.ask)?;
    let mut question = Question::read(asked);
    question.options.max_formulas = Some(MOST_FORMULAS);
    let note = left_out(&question);
    let request = AskRequest::new(question)
        .from(from)
        .k(k)
        .answers(params.answers)
        .settings(Some(settings))
        .threads(state.threads());
    let mut response = served.searcher.ask(&request)?;
    response.notes.extend(note);
    let mut answer = json!(response);
    answer["index"] = json!(served.name);
    answer["texts"] = json!(texts.results);
    answer["question"] = json!(asked);
    answer["answers"] = json!(params.answers);
    (answer["from"], answer["k"]) = (json!(from), json!(k));
    answer["settings"] = json!(settings);
    Ok(answer)
}

/// The settings of the index, but for those that are asked for.
fn settings(state: &State, params: &Params, own: AskSettings) -> Result<AskSettings, ApiError> {
    Ok(AskSettings {
        alpha: params.alpha()?.unwrap_or(own.alpha),
        kappa: params.kappa(state, own.kappa)?,
        ..own
    })
}

/// What is told of a question with more formulas than are searched for.
fn left_out(question: &Question) -> Option<String> {
    let latex = question.body.iter().filter_map(TextPart::latex);
    let bare = latex.map(|latex| latex.split_whitespace().collect::<String>());
    let different: HashSet<String> = bare.collect();
    (different.len() > MOST_FORMULAS).then(|| {
        format!(
            "The question has {} formulas: the {MOST_FORMULAS} longest are searched for.",
            different.len()
        )
    })
}

/// Whether what is typed is a question or a formula, and its words and formulas.
pub(super) fn reading(state: &State, params: &Params) -> Result<Value, ApiError> {
    // It is read in the same way for each index, so that none need be sound.
    params.named(state)?;
    let typed = params.question(state)?;
    let question = Question::read(typed);
    let parts: Vec<PassagePart> = question.body.iter().filter_map(shown).collect();
    let kind = if is_question(typed) {
        "question"
    } else {
        "formula"
    };
    Ok(json!({ "query": typed, "kind": kind, "parts": parts }))
}

/// A part of what is typed, in which nothing was matched.
fn shown(part: &TextPart) -> Option<PassagePart> {
    let text = |text: &str| PassagePart::Text {
        text: text.to_owned(),
        matched: false,
    };
    match part {
        TextPart::Words(words) => Some(text(words)),
        TextPart::Break => Some(text(" ")),
        TextPart::Formula(latex) => Some(PassagePart::Formula {
            latex: latex.clone(),
            query: None,
            likeness: None,
        }),
        TextPart::Row(_) => None,
    }
}
