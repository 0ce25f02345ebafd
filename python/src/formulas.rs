//! Formulas by themselves: their layout, their tokens and their pictures.

use phocus::layout::{ReadQuery, Rect, Symbol, read_query_with};
use phocus::phoc::{self, PhocConfig, encode_with_boxes};
use phocus::picture::{self, Theme};
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::errors::Raised;
use crate::options::macros;
use crate::work::apart;

/// The tokens of a formula.
#[pyfunction]
pub fn encode(
    py: Python<'_>,
    latex: &str,
    config: &str,
    defined: Option<&str>,
) -> PyResult<String> {
    let config: PhocConfig = parsed(config)?;
    apart(py, || {
        let read = read(latex, defined)?;
        let tokens = encode_with_boxes(&read.layout, &config);
        let tokens = tokens.iter().map(|(token, boxes)| {
            json!({
                "kind": token.key.kind,
                "key": token.key.to_string(),
                "boxes": boxes,
                "bits": config.regions.bit_string(token.word),
            })
        });
        let tokens = Value::from_iter(tokens);
        let mut encoded = described(&read);
        (encoded["tokens"], encoded["config"]) = (tokens, json!(config.name));
        Ok(encoded.to_string())
    })
}

/// The symbols of a formula.
#[pyfunction]
pub fn layout(py: Python<'_>, latex: &str, defined: Option<&str>) -> PyResult<String> {
    apart(py, || {
        let read = read(latex, defined)?;
        let symbols = read.layout.symbols().iter();
        let symbols = symbols.map(|symbol| json!({"symbol": symbol.id, "box": symbol.rect}));
        let symbols = Value::from_iter(symbols);
        let mut laid_out = described(&read);
        laid_out["symbols"] = symbols;
        Ok(laid_out.to_string())
    })
}

/// How far a box may be from the box of a symbol that it is, in em: an index rounds boxes.
const NEAR: f64 = 0.01;

/// A formula as SVG, with symbols marked: those of these names, and those in these boxes.
#[pyfunction]
pub fn render(
    py: Python<'_>,
    latex: &str,
    theme: &str,
    names: Vec<String>,
    boxes: Vec<[f64; 4]>,
    defined: Option<&str>,
) -> PyResult<String> {
    let theme = match theme {
        "auto" => Theme::Auto,
        "light" => Theme::Light,
        "dark" => Theme::Dark,
        other => {
            let text = format!("expected auto, light or dark, found `{other}`");
            return Err(Raised::argument(text).into());
        }
    };
    apart(py, || {
        let latex = read(latex, defined)?.read_as;
        let is_in = |rect: &Rect, edges: &[f64; 4]| {
            let own = [rect.x0, rect.y0, rect.x1, rect.y1];
            own.iter().zip(edges).all(|(a, b)| (a - b).abs() < NEAR)
        };
        let is_marked = |symbol: &Symbol| {
            names.contains(&symbol.id.to_string())
                || boxes.iter().any(|edges| is_in(&symbol.rect, edges))
        };
        Ok(picture::formula(&latex, theme, is_marked)?)
    })
}

/// The names of the configurations that come with phocus.
#[pyfunction]
pub fn configs() -> Vec<&'static str> {
    phoc::names()
}

/// The configuration of a name, a file or a notation.
pub fn parsed(config: &str) -> Result<PhocConfig, Raised> {
    config.parse().map_err(|error| Raised::config(&error))
}

fn read(latex: &str, defined: Option<&str>) -> Result<ReadQuery, Raised> {
    let defined = macros(defined);
    let defined: Vec<_> = defined.as_deref().into_iter().collect();
    Ok(read_query_with(latex, &defined)?)
}

/// How a formula was read, and the box around it.
fn described(read: &ReadQuery) -> Value {
    json!({
        "read_as": read.read_as, "notes": read.notes,
        "unknown_commands": read.unknown_commands, "box": read.layout.rect(),
    })
}
