//! Tab-separated values with a header, quoted as CSV is.

use std::io::{self, BufRead};
use std::path::PathBuf;
use std::sync::Arc;

use super::fields::Columns;
use super::lines::{Line, Lines};
use super::{CorpusError, Malformed, Place, Record};

/// The most lines that one quoted record takes. A quote that is never closed
/// costs its own line, not the rest of the file.
const MAX_RECORD_LINES: usize = 200;

/// Reads the records of a table.
pub(super) struct TsvReader<R> {
    lines: Lines<R>,
    columns: Columns,
    file: Arc<PathBuf>,
}

impl<R: BufRead> TsvReader<R> {
    /// A table, whose first line is its header.
    pub(super) fn new(mut lines: Lines<R>, file: Arc<PathBuf>) -> Result<Self, CorpusError> {
        let first = lines.next().map_err(|source| CorpusError::Io {
            path: file.to_path_buf(),
            source,
        })?;
        let header = first.map_or(Ok(String::new()), |line| line.text);
        let header = header.unwrap_or_else(str::to_owned);
        let names: Vec<&str> = header
            .split('\t')
            .map(|name| name.trim_matches('"'))
            .collect();
        match Columns::of(&names) {
            Some(columns) if columns.have_ids() => Ok(TsvReader {
                lines,
                columns,
                file,
            }),
            _ => Err(CorpusError::Header {
                path: file.to_path_buf(),
                found: header.chars().take(200).collect(),
            }),
        }
    }

    /// The file that it is in.
    pub(super) fn file(&self) -> Arc<PathBuf> {
        Arc::clone(&self.file)
    }

    /// The next record, or what is wrong with the next line.
    pub(super) fn next(&mut self) -> io::Result<Option<Result<Record, Malformed>>> {
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
            let row = self.row(line)?;
            return Ok(Some(row.map_or_else(
                |reason| {
                    Err(Malformed {
                        place: place.clone(),
                        reason,
                    })
                },
                |mut row| Ok(self.columns.record(&mut row, place.clone())),
            )));
        }
    }

    /// The fields of the record that begins with `line`.
    fn row(&mut self, line: Line) -> io::Result<Result<Vec<String>, String>> {
        let mut text = match line.text {
            Ok(text) => text,
            Err(reason) => return Ok(Err(reason.to_owned())),
        };
        let mut further = Vec::new();
        let fields = loop {
            match split(&text) {
                Some(fields) => break fields,
                None if further.len() == MAX_RECORD_LINES => {
                    self.lines.put_back(further);
                    return Ok(Err("a quote is opened and not closed".to_owned()));
                }
                None => match self.lines.next()? {
                    Some(next) if next.text.is_ok() => {
                        text.push('\n');
                        text.push_str(next.text.as_deref().unwrap_or_default());
                        further.push(next);
                    }
                    other => {
                        further.extend(other);
                        self.lines.put_back(further);
                        return Ok(Err("a quote is opened and not closed".to_owned()));
                    }
                },
            }
        };
        let (found, expected) = (fields.len(), self.columns.count);
        Ok(match found == expected {
            true => Ok(fields),
            false => Err(format!("expected {expected} fields, found {found}")),
        })
    }
}

/// The fields of a record, or `None` where it goes on in the next line.
fn split(text: &str) -> Option<Vec<String>> {
    let mut fields = Vec::new();
    let mut rest = text;
    loop {
        let (field, after) = match rest.strip_prefix('"') {
            Some(quoted) => unquoted(quoted)?,
            None => {
                let end = rest.find('\t').unwrap_or(rest.len());
                (rest[..end].to_owned(), &rest[end..])
            }
        };
        fields.push(field);
        match after.strip_prefix('\t') {
            Some(next) => rest = next,
            None => return Some(fields),
        }
    }
}

/// The field after an opening quote, and what follows the field.
fn unquoted(text: &str) -> Option<(String, &str)> {
    let mut field = String::new();
    let mut rest = text;
    loop {
        let quote = rest.find('"')?;
        field.push_str(&rest[..quote]);
        rest = &rest[quote + 1..];
        match rest.strip_prefix('"') {
            Some(after) => {
                field.push('"');
                rest = after;
            }
            None => {
                // Anything between the closing quote and the tab belongs to the field.
                let end = rest.find('\t').unwrap_or(rest.len());
                field.push_str(&rest[..end]);
                return Some((field, &rest[end..]));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str) -> Vec<Result<Record, Malformed>> {
        let file = Arc::new(PathBuf::from("t.tsv"));
        let mut reader = TsvReader::new(Lines::new(text.as_bytes()), file).unwrap();
        std::iter::from_fn(|| reader.next().unwrap()).collect()
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
    fn arqmath_columns_of_every_version() {
        let v3 = "id\tpost_id\tthread_id\ttype\tcomment_id\told_visual_id\tvisual_id\tissue\tformula\n\
                  7\t8\t9\tanswer\t\t1\t2\tdv\tx\n";
        let record = read(v3).remove(0).unwrap();
        assert_eq!(record.instance.visual_id, "2");
        assert_eq!(record.withheld(), Some("deleted (issue d or dv)"));
        let v1 = "id\tpost_id\tthread_id\ttype\tformula\n7\t8\t9\tcomment\tx\n";
        let record = read(v1).remove(0).unwrap();
        assert_eq!(
            (record.instance.post.as_str(), record.withheld()),
            ("8", Some("comment"))
        );
    }

    #[test]
    fn a_table_without_formulas_is_refused() {
        let file = Arc::new(PathBuf::from("t.tsv"));
        let error = TsvReader::new(Lines::new(&b"id\tname\n"[..]), file)
            .err()
            .unwrap();
        assert!(error.to_string().contains("found: id\tname"), "{error}");
    }

    proptest! {
        #[test]
        fn quoted_fields_round_trip(fields in proptest::collection::vec("[a\t\"\\\\ é]{0,8}", 1..5)) {
            let quoted: Vec<String> =
                fields.iter().map(|f| format!("\"{}\"", f.replace('"', "\"\""))).collect();
            prop_assert_eq!(split(&quoted.join("\t")), Some(fields));
        }
    }
}
