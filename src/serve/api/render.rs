//! Formulas as pictures.

use std::collections::BTreeSet;
use std::sync::Arc;

use axum::extract::State as Shared;
use axum::http::header;
use axum::response::{IntoResponse, Response};

use super::super::State;
use super::super::error::ApiError;
use super::super::lane::Work;
use super::params::{Parameters, checked, read};
use crate::layout::{LayoutError, Symbol};
use crate::phoc::fold;
use crate::picture;

/// A formula as SVG; with `like`, the symbols that it shares with another are marked.
pub(super) async fn render(
    Shared(state): Shared<Arc<State>>,
    params: Parameters,
) -> Result<Response, ApiError> {
    let params = read(params)?;
    let drawn = state.work(Work::Formula, move |state| {
        // Nothing is read of the file, so that it need not be sound.
        let served = params.named(state)?.now();
        let config = &served.index().meta().config;
        let latex = params.query(state)?;
        let like = params.like.as_deref().map(|like| checked(like, state));
        // A formula that cannot be read marks nothing.
        let like = like
            .transpose()?
            .and_then(|like| served.searcher.read_query(like, None).ok());
        let name = |id| if config.fold { fold(id) } else { id };
        let symbols = like.iter().flat_map(|like| like.layout.symbols());
        let shared: BTreeSet<_> = symbols.map(|symbol| name(symbol.id)).collect();
        let is_shared = |symbol: &Symbol| shared.contains(&name(symbol.id));
        // A formula of a collection is drawn as it was indexed, all else as a query is read.
        let indexed = if params.typed {
            Err(LayoutError::Empty)
        } else {
            picture::formula(latex, params.theme, is_shared)
        };
        indexed.or_else(|error| {
            let read = served.searcher.read_query(latex, None);
            let read = read.map_err(|typed| if params.typed { typed } else { error })?;
            Ok(picture::formula(&read.read_as, params.theme, is_shared)?)
        })
    });
    let headers = [
        (header::CONTENT_TYPE, "image/svg+xml"),
        (header::CACHE_CONTROL, "max-age=3600"),
        // Opened by itself it is a document, with a style of its own and nothing else.
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        ),
    ];
    Ok((headers, drawn.await?).into_response())
}
