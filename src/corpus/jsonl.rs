//! JSON Lines: one object a line.

use serde_json::Value;

use super::fields::Columns;
use super::{Malformed, Place, ReadResult};

/// The record of one line.
pub(super) fn record(line: &str, place: Place, many: bool) -> ReadResult {
    let refuse = |reason: String| Malformed {
        place: place.clone(),
        reason,
    };
    let value: Value = serde_json::from_str(line).map_err(|e| refuse(format!("not JSON: {e}")))?;
    let Value::Object(object) = value else {
        return Err(refuse("expected a JSON object".to_owned()));
    };
    let names: Vec<&String> = object.keys().collect();
    let columns = Columns::of(&names)
        .ok_or_else(|| refuse("the object has no `latex` or `formula`".to_owned()))?;
    let mut row: Vec<String> = object
        .values()
        .map(|value| match value {
            Value::String(text) => text.clone(),
            Value::Null => String::new(),
            other => other.to_string(),
        })
        .collect();
    columns.record(&mut row, place, many)
}
