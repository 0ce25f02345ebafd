//! JSON: the object that is a record, and lines of such objects.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::fields::Columns;
use super::{Malformed, Place, ReadResult};

/// The record of one line.
pub(super) fn record(line: &str, place: Place, many: bool) -> ReadResult {
    let refuse = |reason: String| Malformed {
        place: place.clone(),
        reason,
    };
    if !line.trim_start().starts_with('{') {
        return Err(refuse("expected a JSON object".to_owned()));
    }
    let object: Object =
        serde_json::from_str(line).map_err(|error| refuse(format!("not JSON: {error}")))?;
    let (names, mut row): (Vec<String>, Vec<String>) = object.0.into_iter().unzip();
    let columns = Columns::of(&names)
        .ok_or_else(|| refuse("the object has no `latex` or `formula`".to_owned()))?;
    columns.record(&mut row, place, many)
}

/// The keys of an object in the order of the input, each with its value as text.
struct Object(Vec<(String, String)>);

impl<'de> Deserialize<'de> for Object {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Pairs)
    }
}

/// Reads the pairs of an object.
struct Pairs;

impl<'de> Visitor<'de> for Pairs {
    type Value = Object;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Object, A::Error> {
        let mut pairs = Vec::new();
        while let Some((name, value)) = map.next_entry::<String, &RawValue>()? {
            pairs.push((name, text(value.get()).map_err(serde::de::Error::custom)?));
        }
        Ok(Object(pairs))
    }
}

/// A value as text: a string as what it says, null as nothing, anything else as JSON without
/// the spaces between its parts. Numbers stay as they are written.
fn text(json: &str) -> Result<String, serde_json::Error> {
    match json.as_bytes().first() {
        Some(b'"') => serde_json::from_str(json),
        Some(b'n') => Ok(String::new()),
        Some(b'{' | b'[') => Ok(compact(json)),
        _ => Ok(json.to_owned()),
    }
}

/// JSON without the white space outside of its strings.
fn compact(json: &str) -> String {
    let (mut is_quoted, mut is_escaped) = (false, false);
    let is_kept = |character: &char| {
        let is_kept = is_quoted || !character.is_ascii_whitespace();
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = is_quoted,
            '"' => is_quoted = !is_quoted,
            _ => {}
        }
        is_kept
    };
    json.chars().filter(is_kept).collect()
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::sync::Arc;

    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;

    fn read(line: &str) -> ReadResult {
        let file = Arc::new(PathBuf::from("t.jsonl"));
        record(line, Place { file, line: 3 }, false)
    }

    #[test]
    fn keys_without_a_name_of_ours_are_kept_in_order_as_text() {
        let line = r#"{"z": "a \"b\"", "latex": "x", "count": 12345678901234567890123,
            "gone": null, "ok": true, "tags": [ "a b", {"n": 1.0} ], "empty": ""}"#;
        let record = read(line).unwrap();
        let fields: Vec<(&str, &str)> = (record.instance.fields.iter())
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        let expected = [
            ("z", "a \"b\""),
            ("count", "12345678901234567890123"),
            ("ok", "true"),
            ("tags", r#"["a b",{"n":1.0}]"#),
        ];
        assert_eq!(fields, expected);
        assert_eq!(record.instance.id, "3");
    }

    #[test]
    fn what_is_no_object_is_refused() {
        for (line, why) in [
            ("[1]", "expected a JSON object"),
            ("{\"a\": 1}", "no `latex`"),
            ("{\"latex\": ", "not JSON"),
            ("{\"latex\": 1} x", "not JSON"),
        ] {
            let error = read(line).unwrap_err().to_string();
            assert!(
                error.contains(why) && error.starts_with("t.jsonl:3"),
                "{error}"
            );
        }
    }

    proptest! {
        #[test]
        fn compact_json_means_the_same(keys: Vec<(String, String)>, spaces in "[ \n\t]{0,2}") {
            let object: serde_json::Map<String, Value> =
                keys.into_iter().map(|(key, text)| (key, Value::from(text))).collect();
            let tight = Value::from(object.clone()).to_string();
            let inner: Vec<String> = (object.iter())
                .map(|(key, text)| format!("{spaces}{}{spaces}:{text}", Value::from(key.as_str())))
                .collect();
            let loose = format!("{{{}{spaces}}}", inner.join(","));
            prop_assert_eq!(compact(&loose), tight);
        }
    }
}
