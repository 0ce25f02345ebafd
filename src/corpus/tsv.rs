//! Tables with a header, whose values are separated by tabs, commas or semicolons, and quoted as
//! CSV is.

use std::io::{self, BufRead};
use std::path::PathBuf;
use std::sync::Arc;

use super::fields::Columns;
use super::lines::{Line, Lines};
use super::{CorpusError, Malformed, Place, ReadResult};

/// Limits of the lines and bytes of one quoted record. With a quote that is never
/// closed, only its own line is lost, not the rest of the file.
const MAX_RECORD_LINES: usize = 200;
const MAX_RECORD_BYTES: usize = 1 << 20;

/// Reads the records of a table.
pub(super) struct TsvReader<R> {
    lines: Lines<R>,
    columns: Columns,
    delimiter: char,
    file: Arc<PathBuf>,
}

impl<R: BufRead> TsvReader<R> {
    /// A table, whose first line is its header; its values are separated by the first of these
    /// delimiters that makes it one.
    pub(super) fn new(
        mut lines: Lines<R>,
        file: Arc<PathBuf>,
        delimiters: &[char],
    ) -> Result<Self, CorpusError> {
        let first = lines.next().map_err(|source| CorpusError::Io {
            path: file.to_path_buf(),
            source,
        })?;
        let header = first.map_or(Ok(String::new()), |line| line.text);
        let header = header.unwrap_or_else(str::to_owned);
        for &delimiter in delimiters {
            let mut row = PartialRecord::new(delimiter);
            row.add(&header);
            let columns = Columns::of(&row.fields).filter(Columns::have_ids);
            if let Some(columns) = columns.filter(|_| !row.is_open) {
                return Ok(TsvReader {
                    lines,
                    columns,
                    delimiter,
                    file,
                });
            }
        }
        Err(CorpusError::Header {
            path: file.to_path_buf(),
            found: header.chars().take(200).collect(),
        })
    }

    /// The file that it is in.
    pub(super) fn file(&self) -> Arc<PathBuf> {
        Arc::clone(&self.file)
    }

    /// The next record, or why the next line is not one.
    pub(super) fn next(&mut self, many: bool) -> io::Result<Option<ReadResult>> {
        loop {
            let Some(line) = self.lines.next()? else {
                return Ok(None);
            };
            if matches!(&line.text, Ok(text) if text.is_empty()) {
                continue;
            }
            let place = Place {
                file: Arc::clone(&self.file),
                line: line.number,
            };
            return Ok(Some(match self.row(line)? {
                Ok(mut row) => self.columns.record(&mut row, place, many),
                Err(reason) => Err(Malformed { place, reason }),
            }));
        }
    }

    /// The fields of the record that begins with `line`.
    fn row(&mut self, line: Line) -> io::Result<Result<Vec<String>, String>> {
        let text = match line.text {
            Ok(text) => text,
            Err(reason) => return Ok(Err(reason.to_owned())),
        };
        let mut row = PartialRecord::new(self.delimiter);
        row.add(&text);
        let mut further: Vec<Line> = Vec::new();
        while row.is_open && !row.is_broken && further.len() < MAX_RECORD_LINES {
            let Some(next) = self.lines.next()? else {
                break;
            };
            match &next.text {
                Ok(text) if row.bytes + text.len() <= MAX_RECORD_BYTES => row.add_further(text),
                _ => row.is_broken = true,
            }
            further.push(next);
        }
        if row.is_open || row.is_broken {
            self.lines.put_back(further);
            return Ok(Err("a quote is opened and not closed".to_owned()));
        }
        let (found, expected) = (row.fields.len(), self.columns.count);
        Ok(if found == expected {
            Ok(row.fields)
        } else {
            Err(format!("expected {expected} fields, found {found}"))
        })
    }
}

/// A record whose lines are still being read.
#[derive(Debug)]
struct PartialRecord {
    delimiter: char,
    fields: Vec<String>,
    bytes: usize,
    /// Whether the last field is quoted and continues in the next line.
    is_open: bool,
    /// Whether a field of several lines does not end where its quote does.
    is_broken: bool,
}

impl PartialRecord {
    fn new(delimiter: char) -> Self {
        PartialRecord {
            delimiter,
            fields: Vec::new(),
            bytes: 0,
            is_open: false,
            is_broken: false,
        }
    }

    /// Adds the first line.
    fn add(&mut self, line: &str) {
        self.bytes += line.len();
        let mut rest = line;
        loop {
            let mut field = String::new();
            let after = match rest.strip_prefix('"') {
                Some(quoted) => unquoted(quoted, &mut field),
                None => {
                    let end = rest.find(self.delimiter).unwrap_or(rest.len());
                    field.push_str(&rest[..end]);
                    Some(&rest[end..])
                }
            };
            let Some(after) = after else {
                self.is_open = true;
                self.fields.push(field);
                return;
            };
            // Anything between a closing quote and the delimiter belongs to the field.
            let end = after.find(self.delimiter).unwrap_or(after.len());
            field.push_str(&after[..end]);
            self.fields.push(field);
            match after[end..].strip_prefix(self.delimiter) {
                Some(next) => rest = next,
                None => return,
            }
        }
    }

    /// Adds a further line, which begins within quotes.
    fn add_further(&mut self, line: &str) {
        self.bytes += line.len() + 1;
        let mut field = self.fields.pop().unwrap_or_default();
        field.push('\n');
        let after = unquoted(line, &mut field);
        self.fields.push(field);
        match after {
            None => {}
            Some("") => self.is_open = false,
            Some(after) => match after.strip_prefix(self.delimiter) {
                Some(next) => {
                    self.is_open = false;
                    self.add(next);
                }
                None => self.is_broken = true,
            },
        }
    }
}

/// A field of a TSV, quoted as CSV is where it must be.
#[cfg(any(feature = "cli", feature = "synth"))]
pub(crate) fn quoted(field: &str) -> String {
    if field.contains(['\t', '\n', '\r', '"']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

/// Adds the quoted text to `field`; returns the text after the closing quote,
/// or `None` if the quote is not closed.
fn unquoted<'a>(text: &'a str, field: &mut String) -> Option<&'a str> {
    let mut rest = text;
    loop {
        let Some(quote) = rest.find('"') else {
            field.push_str(rest);
            return None;
        };
        field.push_str(&rest[..quote]);
        rest = &rest[quote + 1..];
        match rest.strip_prefix('"') {
            Some(after) => {
                field.push('"');
                rest = after;
            }
            None => return Some(rest),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str) -> Vec<ReadResult> {
        read_with(text, &['\t'])
    }

    fn read_with(text: &str, delimiters: &[char]) -> Vec<ReadResult> {
        let file = Arc::new(PathBuf::from("t.tsv"));
        let mut reader = TsvReader::new(Lines::new(text.as_bytes()), file, delimiters).unwrap();
        std::iter::from_fn(|| reader.next(false).unwrap()).collect()
    }

    #[test]
    fn quotes_follow_csv_and_lines_are_named() {
        let found = read("id\tformula\n1\t\"a\tb \"\"c\"\"\nd\"\n2\n3\tx\"y\n4\t\"open\n5\tz\n");
        let shown: Vec<String> = found
            .iter()
            .map(|r| match r {
                Ok(r) => format!("{}={}", r.instance.id, r.content.latex()),
                Err(e) => e.to_string(),
            })
            .collect();
        assert_eq!(
            shown,
            [
                "1=a\tb \"c\"\nd",
                "t.tsv:4: expected 2 fields, found 1",
                "3=x\"y",
                "t.tsv:6: a quote is opened and not closed",
                "5=z",
            ]
        );
    }

    #[test]
    fn a_stray_quote_swallows_no_other_record() {
        let found = read("id\tformula\n1\t\"a\n2\tb\n3\t\"c\"\n4\td\n");
        let ids: Vec<_> = found
            .iter()
            .map(|r| r.as_ref().map(|r| r.instance.id.to_string()).ok())
            .collect();
        assert_eq!(
            ids,
            [None, Some("2".into()), Some("3".into()), Some("4".into())]
        );
    }

    #[test]
    fn ids_are_one_word() {
        let found = read("id\tformula\na b\tx\n");
        assert!(found[0].as_ref().unwrap_err().reason.contains("`a b`"));
    }

    #[test]
    fn arqmath_columns_of_every_version() {
        let v3 = "id\tpost_id\tthread_id\ttype\tcomment_id\told_visual_id\tvisual_id\tissue\tformula\n\
                  7\t8\t9\tanswer\t\t1\t2\tdv\tx\n";
        let record = read(v3).remove(0).unwrap();
        assert_eq!(record.instance.visual_id.as_ref().unwrap(), &"2");
        assert_eq!(record.withheld(), Some("deleted (issue d or dv)"));
        let v1 = "id\tpost_id\tthread_id\ttype\tformula\n7\t8\t9\tcomment\tx\n";
        let record = read(v1).remove(0).unwrap();
        assert_eq!(
            (
                record.instance.post.as_ref().unwrap().as_str(),
                record.withheld()
            ),
            ("8", Some("comment"))
        );
    }

    #[test]
    fn a_table_without_formulas_is_refused() {
        let file = Arc::new(PathBuf::from("t.tsv"));
        let error = TsvReader::new(Lines::new(&b"id\tname\n"[..]), file, &['\t'])
            .err()
            .unwrap();
        assert!(error.to_string().contains("found: id\tname"), "{error}");
    }

    #[test]
    fn commas_and_semicolons_separate_values_too() {
        for (text, tags) in [
            (
                "id,\"latex\",tags\n1,\"f(x,y)\",\"a,b\"\n2,x,\n3,x,y,z\n",
                "a,b",
            ),
            ("id;latex;tags\n1;f(x,y);a,b\n2;x;\n3;x;y;z\n", "a,b"),
        ] {
            let found = read_with(text, &[',', ';']);
            let first = found[0].as_ref().unwrap();
            assert_eq!(first.content.latex(), "f(x,y)");
            assert_eq!(first.instance.field("tags"), Some(tags));
            assert!(found[1].is_ok());
            let error = found[2].as_ref().unwrap_err().to_string();
            assert_eq!(error, "t.tsv:4: expected 3 fields, found 4");
        }
    }

    proptest! {
        #[test]
        fn quoted_fields_round_trip(delimiter in prop::sample::select(vec!['\t', ',', ';']), fields in proptest::collection::vec("[a\t,;\n\"\\\\ é]{0,8}", 1..5)) {
            let quoted: Vec<String> =
                fields.iter().map(|f| format!("\"{}\"", f.replace('"', "\"\""))).collect();
            let mut row = PartialRecord::new(delimiter);
            let text = quoted.join(&delimiter.to_string());
            let mut lines = text.split('\n');
            row.add(lines.next().unwrap_or_default());
            lines.for_each(|line| row.add_further(line));
            prop_assert!(!row.is_open && !row.is_broken);
            prop_assert_eq!(row.fields, fields);
        }
    }
}
