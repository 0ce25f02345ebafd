//! A JSON array of formulas, element by element: the file is never whole in memory.

use std::io::{self, BufRead};
use std::path::PathBuf;
use std::sync::Arc;

use super::{Malformed, Place, ReadResult, Record, jsonl};

/// The longest element, in bytes.
const MAX_ELEMENT_BYTES: usize = 4 * 1024 * 1024;

/// Reads the elements of an array: objects, which are records, and texts, which are LaTeX.
pub(super) struct JsonArray<R> {
    source: R,
    file: Arc<PathBuf>,
    /// The line of the next byte.
    line: u64,
    /// How many elements were read.
    elements: u64,
    state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Before the bracket that opens it.
    Before,
    /// Within, where an element or the end may follow.
    Within,
    /// After the bracket that closes it.
    Closed,
    /// Where nothing more is read.
    After,
}

/// An element as it is written.
struct Element {
    line: u64,
    bytes: Vec<u8>,
    is_too_long: bool,
    /// What ended it: a comma, the closing bracket, or nothing where the file ended.
    end: Option<u8>,
    /// Whether the file ended within a text or a bracket.
    is_open: bool,
}

impl<R: BufRead> JsonArray<R> {
    pub(super) fn new(source: R, file: Arc<PathBuf>) -> Self {
        JsonArray {
            source,
            file,
            line: 1,
            elements: 0,
            state: State::Before,
        }
    }

    /// The file that it is in.
    pub(super) fn file(&self) -> Arc<PathBuf> {
        Arc::clone(&self.file)
    }

    /// The next record, or why the next element is not one.
    pub(super) fn next(&mut self, many: bool) -> io::Result<Option<ReadResult>> {
        if self.state == State::Before {
            self.state = State::Within;
            match self.opening()? {
                Some(b'[') => {}
                None => return Ok(self.end()),
                Some(_) => return Ok(self.refuse(self.line, "expected a JSON array")),
            }
        }
        match self.state {
            State::Closed => return self.rest(),
            State::After => return Ok(None),
            State::Before | State::Within => {}
        }
        let element = self.element()?;
        let line = element.line;
        match element.end {
            Some(b',') => {}
            Some(_) => self.state = State::Closed,
            None => self.state = State::After,
        }
        if element.bytes.is_empty() && !element.is_too_long {
            return match element.end {
                // An empty array, or a comma before the end, which JSON does not allow.
                Some(b']') if self.elements == 0 => self.rest(),
                Some(b']') => Ok(self.malformed(line, "a comma stands before the end")),
                Some(_) => Ok(self.malformed(line, "there is nothing before a comma")),
                None => Ok(self.refuse(line, "the file ends before the array does")),
            };
        }
        self.elements += 1;
        if element.end.is_none() {
            let reason = if element.is_open {
                "the file ends within what begins here: a quote or a brace is not closed"
            } else {
                "the file ends before the array does"
            };
            return Ok(self.refuse(line, reason));
        }
        if element.is_too_long {
            return Ok(self.malformed(line, "the element is longer than 4 MiB"));
        }
        Ok(Some(self.record(element, many)))
    }

    /// The record of an element. Without an id of its own it is numbered as an element, since
    /// many may be in one line.
    fn record(&self, element: Element, many: bool) -> ReadResult {
        let place = self.place(element.line);
        let malformed = |reason: String| Malformed {
            place: place.clone(),
            reason,
        };
        let text = String::from_utf8(element.bytes)
            .map_err(|_| malformed("the element is not UTF-8".to_owned()))?;
        let numbered = self.place(self.elements);
        let read = if text.starts_with('"') {
            let latex: String = serde_json::from_str(&text)
                .map_err(|error| malformed(format!("not JSON: {error}")))?;
            Ok(Record::latex(numbered.id(many), latex))
        } else {
            jsonl::record(&text, numbered, many)
        };
        match read {
            Ok(record) => Ok(record.read_at(place)),
            Err(error) => Err(malformed(error.reason)),
        }
    }

    fn place(&self, line: u64) -> Place {
        Place {
            file: self.file(),
            line,
        }
    }

    #[allow(clippy::unnecessary_wraps)]
    fn malformed(&self, line: u64, reason: &str) -> Option<ReadResult> {
        Some(Err(Malformed {
            place: self.place(line),
            reason: reason.to_owned(),
        }))
    }

    /// Why nothing more is read.
    fn refuse(&mut self, line: u64, reason: &str) -> Option<ReadResult> {
        self.state = State::After;
        self.malformed(line, reason)
    }

    fn end(&mut self) -> Option<ReadResult> {
        self.state = State::After;
        None
    }

    /// Checks that only white space follows.
    fn rest(&mut self) -> io::Result<Option<ReadResult>> {
        self.state = State::After;
        Ok(match self.opening()? {
            Some(_) => self.malformed(self.line, "there is something after the array"),
            None => None,
        })
    }

    /// The first byte that is no white space; it is consumed.
    fn opening(&mut self) -> io::Result<Option<u8>> {
        loop {
            match self.byte()? {
                Some(byte) if byte.is_ascii_whitespace() => {}
                // The mark of UTF-8.
                Some(0xEF | 0xBB | 0xBF) if self.line == 1 && self.elements == 0 => {}
                other => return Ok(other),
            }
        }
    }

    fn byte(&mut self) -> io::Result<Option<u8>> {
        let Some(byte) = self.source.fill_buf()?.first().copied() else {
            return Ok(None);
        };
        self.source.consume(1);
        self.line += u64::from(byte == b'\n');
        Ok(Some(byte))
    }

    /// Reads to the comma or the bracket that ends an element.
    fn element(&mut self) -> io::Result<Element> {
        let mut element = Element {
            line: self.line,
            bytes: Vec::new(),
            is_too_long: false,
            end: None,
            is_open: false,
        };
        let (mut depth, mut is_quoted, mut is_escaped) = (0u32, false, false);
        while let Some(byte) = self.byte()? {
            if !is_quoted && depth == 0 && matches!(byte, b',' | b']') {
                element.end = Some(byte);
                break;
            }
            if element.bytes.is_empty() && byte.is_ascii_whitespace() {
                element.line = self.line;
                continue;
            }
            match byte {
                _ if is_escaped => is_escaped = false,
                b'\\' if is_quoted => is_escaped = true,
                b'"' => is_quoted = !is_quoted,
                _ if is_quoted => {}
                b'{' | b'[' => depth += 1,
                b'}' | b']' => depth = depth.saturating_sub(1),
                _ => {}
            }
            if element.bytes.len() < MAX_ELEMENT_BYTES {
                element.bytes.push(byte);
            } else {
                element.is_too_long = true;
            }
        }
        element.is_open = is_quoted || depth > 0;
        let trimmed = element.bytes.trim_ascii_end().len();
        element.bytes.truncate(trimmed);
        Ok(element)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    /// What is read, as `id=latex` or the error.
    fn read(text: &str) -> Vec<String> {
        let file = Arc::new(PathBuf::from("t.json"));
        let mut array = JsonArray::new(text.as_bytes(), file);
        std::iter::from_fn(|| array.next(false).unwrap())
            .map(|read| match read {
                Ok(record) => {
                    let place = record.place.as_ref().unwrap();
                    let latex = record.content.latex();
                    format!("{}={latex}@{}", record.instance.id, place.line)
                }
                Err(error) => error.to_string(),
            })
            .collect()
    }

    #[test]
    fn objects_and_texts_are_records_with_their_lines() {
        let text = "\u{FEFF}[\n  {\"id\": \"a\",\n \"latex\": \"x,]\\\"\"},\n \"\\\\frac12\", \"y\",\n{\"latex\": \"z\", \"tags\": [1, {\"a\": \"]\"}]}\n]\n";
        assert_eq!(read(text), ["a=x,]\"@2", "2=\\frac12@4", "3=y@4", "4=z@5"]);
        assert!(read("").is_empty() && read(" [ ]\n").is_empty());
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line_and_reading_goes_on_where_it_can() {
        for (text, expected) in [
            (
                "[\"a\",\n1,\n\"b\"]",
                &["1=a@1", "t.json:2: expected a JSON object", "3=b@3"][..],
            ),
            (
                "[\n\"a\",\n]",
                &["1=a@2", "t.json:3: a comma stands before the end"],
            ),
            (
                "[\"a\",,\"b\"]",
                &[
                    "1=a@1",
                    "t.json:1: there is nothing before a comma",
                    "2=b@1",
                ],
            ),
            ("[\"a\"", &["t.json:1: the file ends before the array does"]),
            (
                "[\"a\",\n",
                &["1=a@1", "t.json:2: the file ends before the array does"],
            ),
            (
                "[\"a\",\n {\"latex\": \"b\"\n",
                &[
                    "1=a@1",
                    "t.json:2: the file ends within what begins here: a quote or a brace is not closed",
                ],
            ),
            ("{\"formulas\": []}", &["t.json:1: expected a JSON array"]),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
        let after = read("[\"a\"]\nx");
        assert_eq!(
            after,
            ["1=a@1", "t.json:2: there is something after the array"]
        );
        assert_eq!(
            read("[]x")[0],
            "t.json:1: there is something after the array"
        );
    }

    #[test]
    fn a_long_element_takes_bounded_memory() {
        let long = format!("[\"{}\", \"b\"]", "x".repeat(MAX_ELEMENT_BYTES));
        assert_eq!(
            read(&long),
            ["t.json:1: the element is longer than 4 MiB", "2=b@1"]
        );
    }

    proptest! {
        #[test]
        fn every_array_is_read(latex: Vec<String>, pretty: bool) {
            let elements: Vec<Value> = (latex.iter().enumerate())
                .map(|(at, latex)| if at % 2 == 0 { json!(latex) } else { json!({"latex": latex, "n": [at]}) })
                .collect();
            let array = Value::from(elements);
            let text = if pretty { serde_json::to_string_pretty(&array).unwrap() } else { array.to_string() };
            let file = Arc::new(PathBuf::from("t.json"));
            let mut array = JsonArray::new(text.as_bytes(), file);
            let read: Vec<String> = std::iter::from_fn(|| array.next(false).unwrap())
                .map(|read| read.unwrap().content.latex().to_owned())
                .collect();
            prop_assert_eq!(read, latex);
        }

        #[test]
        fn anything_is_read_to_its_end(bytes in proptest::collection::vec(prop::sample::select(b"[]{}\",\\ab1 \n".to_vec()), 0..60)) {
            let file = Arc::new(PathBuf::from("t.json"));
            let mut array = JsonArray::new(&bytes[..], file);
            let mut count = 0;
            while array.next(false).unwrap().is_some() {
                count += 1;
                prop_assert!(count <= bytes.len() + 1);
            }
        }
    }
}
