//! Lines of bounded length, with their numbers.

use std::io::{self, BufRead};

/// The number of bytes of a line that are kept; the rest of a longer line is dropped.
const MAX_LINE_BYTES: usize = 4 * 1024 * 1024;

/// A line without its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    /// Its number, from 1.
    pub(super) number: u64,
    /// Its text, or why it cannot be used.
    pub(super) text: Result<String, &'static str>,
}

/// Reads lines, and takes some back.
pub(super) struct Lines<R> {
    source: R,
    number: u64,
    /// Lines that were put back, the next one last.
    returned: Vec<Line>,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(source: R) -> Self {
        Lines {
            source,
            number: 0,
            returned: Vec::new(),
        }
    }

    /// The next line.
    pub(super) fn next(&mut self) -> io::Result<Option<Line>> {
        if let Some(line) = self.returned.pop() {
            return Ok(Some(line));
        }
        let mut bytes = Vec::new();
        let is_whole = self.read(&mut bytes)?;
        if bytes.is_empty() && is_whole != Some(true) {
            return Ok(None);
        }
        self.number += 1;
        if bytes.last() == Some(&b'\r') {
            bytes.pop();
        }
        if self.number == 1 && bytes.starts_with("\u{FEFF}".as_bytes()) {
            bytes.drain(..3);
        }
        let text = match is_whole {
            Some(false) => Err("the line is longer than 4 MiB"),
            _ => String::from_utf8(bytes).map_err(|_| "the line is not UTF-8"),
        };
        Ok(Some(Line {
            number: self.number,
            text,
        }))
    }

    /// Puts lines back; they are the next lines, in the given order.
    pub(super) fn put_back(&mut self, lines: Vec<Line>) {
        self.returned.extend(lines.into_iter().rev());
    }

    /// Reads to the end of a line: `Some(true)` where it ends, `Some(false)`
    /// where it was cut, `None` at the end of the file.
    fn read(&mut self, bytes: &mut Vec<u8>) -> io::Result<Option<bool>> {
        let mut is_cut = false;
        loop {
            let buffer = self.source.fill_buf()?;
            if buffer.is_empty() {
                return Ok(is_cut.then_some(false));
            }
            let end = buffer.iter().position(|byte| *byte == b'\n');
            let found = end.unwrap_or(buffer.len());
            let room = MAX_LINE_BYTES - bytes.len();
            is_cut |= found > room;
            bytes.extend_from_slice(&buffer[..found.min(room)]);
            self.source.consume(found + usize::from(end.is_some()));
            if end.is_some() {
                return Ok(Some(!is_cut));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(bytes: &[u8]) -> Vec<Line> {
        let mut lines = Lines::new(bytes);
        std::iter::from_fn(|| lines.next().unwrap()).collect()
    }

    #[test]
    fn lines_end_in_every_way() {
        let texts: Vec<_> = all(b"\xEF\xBB\xBFa\r\n\nb\xFFc\nd")
            .into_iter()
            .map(|l| l.text)
            .collect();
        let not_utf8 = Err("the line is not UTF-8");
        assert_eq!(
            texts,
            [Ok("a".into()), Ok(String::new()), not_utf8, Ok("d".into())]
        );
        assert_eq!(all(b""), []);
    }

    #[test]
    fn a_line_without_end_takes_bounded_memory() {
        let long = vec![b'x'; MAX_LINE_BYTES + 5];
        let lines = all(&[&long[..], b"\ny"].concat());
        assert_eq!(lines[0].text, Err("the line is longer than 4 MiB"));
        assert_eq!((lines[1].number, &lines[1].text), (2, &Ok("y".to_owned())));
    }
}
