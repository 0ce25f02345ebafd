//! Values of options that are one of several names.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::corpus::Format;
use crate::index::Dedup;

/// The formats of inputs, by name.
pub(super) fn formats() -> impl TypedValueParser<Value = Format> {
    let values = [
        ("tsv", "Tab-separated values with a header"),
        ("jsonl", "One JSON object a line"),
        ("text", "One LaTeX formula a line"),
        ("svg", "One SVG drawing a file"),
    ];
    PossibleValuesParser::new(values.map(explained)).try_map(|name| name.parse::<Format>())
}

/// The ways to merge duplicates, by name.
pub(super) fn dedups() -> impl TypedValueParser<Value = Dedup> {
    let values = [
        (
            "auto",
            "The visual id where a record has one, else the layout",
        ),
        (
            "visual-id",
            "The collection's visual id; records without one by their layout",
        ),
        ("layout", "The same symbols at the same places"),
        ("none", "Nothing: every record is a formula of its own"),
    ];
    PossibleValuesParser::new(values.map(explained)).try_map(|name| name.parse::<Dedup>())
}

fn explained((name, help): (&'static str, &'static str)) -> PossibleValue {
    PossibleValue::new(name).help(help)
}
