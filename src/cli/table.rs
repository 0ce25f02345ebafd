//! Tables for a terminal.

use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write};

use terminal_size::{Width, terminal_size};

/// How a column is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Align {
    Left,
    Right,
}

/// Rows under a header, columns aligned.
#[derive(Debug)]
pub(super) struct Table {
    columns: Vec<(&'static str, Align)>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(super) fn new(columns: &[(&'static str, Align)]) -> Self {
        Table {
            columns: columns.to_vec(),
            rows: Vec::new(),
        }
    }

    pub(super) fn row(&mut self, cells: Vec<String>) {
        self.rows
            .push(cells.iter().map(|cell| printable(cell)).collect());
    }

    /// Writes the table; on a terminal a line is cut at its edge.
    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let width = |column: usize| {
            let cells = self.rows.iter().map(|row| row[column].chars().count());
            cells
                .chain([self.columns[column].0.len()])
                .max()
                .unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.columns.len()).map(width).collect();
        let header: Vec<String> = self
            .columns
            .iter()
            .map(|(name, _)| (*name).to_owned())
            .collect();
        let edge = terminal_width();
        for row in std::iter::once(&header).chain(&self.rows) {
            let mut line = String::new();
            for ((cell, (_, align)), width) in row.iter().zip(&self.columns).zip(&widths) {
                let _ = match align {
                    Align::Left => write!(line, "{cell:<width$}  "),
                    Align::Right => write!(line, "{cell:>width$}  "),
                };
            }
            writeln!(out, "{}", cut(line.trim_end(), edge))?;
        }
        Ok(())
    }
}

/// Text on one line, without control characters of terminals.
pub(super) fn printable(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words
        .join(" ")
        .chars()
        .filter(|c| !c.is_control())
        .collect()
}

fn cut(line: &str, edge: Option<usize>) -> String {
    match edge {
        Some(edge) if line.chars().count() > edge => line
            .chars()
            .take(edge.saturating_sub(1))
            .chain(['…'])
            .collect(),
        _ => line.to_owned(),
    }
}

/// The width of the terminal, where the output is one.
fn terminal_width() -> Option<usize> {
    let is_terminal = io::stdout().is_terminal();
    let (Width(columns), _) = is_terminal.then(terminal_size).flatten()?;
    Some(columns.into())
}

/// 1234567 as 1,234,567.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> = digits
        .as_bytes()
        .rchunks(3)
        .rev()
        .filter_map(|group| std::str::from_utf8(group).ok())
        .collect();
    groups.join(",")
}

/// 1234567 bytes as 1.2 MB.
pub(super) fn sized(bytes: u64) -> String {
    let units = ["B", "kB", "MB", "GB", "TB"];
    let mut value = bytes as f64;
    let mut unit = 0;
    while value >= 1000.0 && unit + 1 < units.len() {
        value /= 1000.0;
        unit += 1;
    }
    match unit {
        0 => format!("{bytes} B"),
        _ => format!("{value:.1} {}", units[unit]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_what_is_in_them() {
        let mut table = Table::new(&[("id", Align::Left), ("score", Align::Right)]);
        table.row(vec!["x".into(), "1.25".into()]);
        table.row(vec!["𝑥+ñ".into(), "1234567".into()]);
        let mut written = Vec::new();
        table.write(&mut written).unwrap();
        let expected = "id     score\nx       1.25\n𝑥+ñ  1234567\n";
        assert_eq!(String::from_utf8(written).unwrap(), expected);
    }

    /// The text of a formula cannot move the cursor or break the line.
    #[test]
    fn cells_are_one_line_that_a_terminal_only_shows() {
        let mut table = Table::new(&[("latex", Align::Left)]);
        table.row(vec!["a\n  b\t\u{1b}[31mc\u{7}".into()]);
        let mut written = Vec::new();
        table.write(&mut written).unwrap();
        assert_eq!(String::from_utf8(written).unwrap(), "latex\na b [31mc\n");
    }

    #[test]
    fn long_lines_end_at_the_edge() {
        assert_eq!(cut("𝑥+𝑦=1", Some(4)), "𝑥+𝑦…");
        assert_eq!(cut("𝑥+𝑦=1", Some(5)), "𝑥+𝑦=1");
        assert_eq!(cut("𝑥+𝑦=1", None), "𝑥+𝑦=1");
        assert_eq!(cut("x", Some(0)), "…");
    }

    #[test]
    fn numbers_are_grouped_and_sized() {
        let groups = [0, 999, 1000, 1_234_567].map(grouped);
        assert_eq!(groups, ["0", "999", "1,000", "1,234,567"]);
        let sizes = [0, 999, 1000, 1_250_000, 3_000_000_000_000_000].map(sized);
        assert_eq!(sizes, ["0 B", "999 B", "1.0 kB", "1.2 MB", "3000.0 TB"]);
    }
}
