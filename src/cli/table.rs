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

/// Text on one line, without what a terminal would obey.
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
