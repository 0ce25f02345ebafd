//! Tables for a terminal.

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
    columns: Vec<(String, Align)>,
    rows: Vec<Row>,
}

/// A row, and lines that belong to it and stand below it.
#[derive(Debug)]
struct Row {
    cells: Vec<String>,
    below: Vec<String>,
    /// A cell of it, and where that leads.
    link: Option<(String, String)>,
}

/// How far what stands below a row is indented.
const INDENT: usize = 4;
/// The narrowest room in which text is wrapped beside other columns; in less it goes below them.
const NARROW: usize = 32;

impl Table {
    pub(super) fn new(columns: &[(&str, Align)]) -> Self {
        Table {
            columns: (columns.iter())
                .map(|(name, align)| (printable(name), *align))
                .collect(),
            rows: Vec::new(),
        }
    }

    pub(super) fn row(&mut self, cells: Vec<String>) {
        self.rows.push(Row {
            cells: cells.iter().map(|cell| printable(cell)).collect(),
            below: Vec::new(),
            link: None,
        });
    }

    /// Makes a cell of the last row lead to an address, on terminals.
    pub(super) fn link(&mut self, cell: &str, url: &str) {
        if let Some(row) = self.rows.last_mut() {
            row.link = Some((printable(cell), printable(url)));
        }
    }

    /// Puts a line below the last row.
    pub(super) fn below(&mut self, line: &str) {
        if let Some(row) = self.rows.last_mut() {
            row.below.push(printable(line));
        }
    }

    /// Writes the table. Nothing is cut: on a terminal, what is wider than it goes on in the next
    /// line.
    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        self.write_within(out, terminal_width(), io::stdout().is_terminal())
    }

    fn write_within(
        &self,
        out: &mut dyn Write,
        edge: Option<usize>,
        links: bool,
    ) -> io::Result<()> {
        let widths = self.widths();
        let before: usize = widths.iter().rev().skip(1).map(|width| width + 2).sum();
        let is_wide = |edge: usize| before + widths.last().unwrap_or(&0) <= edge;
        let fits = edge.is_none_or(is_wide);
        let is_text = self
            .columns
            .last()
            .is_some_and(|(_, align)| *align == Align::Left);
        let header = Row {
            cells: self.columns.iter().map(|(name, _)| name.clone()).collect(),
            below: Vec::new(),
            link: None,
        };
        for row in std::iter::once(&header).chain(&self.rows) {
            let cells = self.aligned(row, &widths);
            let room = edge.unwrap_or(usize::MAX);
            let mut lines = Vec::new();
            match cells.split_last() {
                _ if fits => writeln!(lines, "{}", cells.concat().trim_end())?,
                Some((text, cells)) if is_text && room >= before + NARROW => {
                    write_beside(&mut lines, &cells.concat(), text.trim_end(), room)?;
                }
                Some((text, cells)) if is_text => {
                    write_folded(&mut lines, cells, room)?;
                    write_below(&mut lines, text.trim_end(), room)?;
                }
                _ => write_folded(&mut lines, &cells, room)?,
            }
            match &row.link {
                // What leads somewhere is one cell, and a cell is never cut.
                Some((cell, url)) if links => {
                    let lines = String::from_utf8_lossy(&lines);
                    write!(out, "{}", lines.replacen(cell, &linked(cell, url), 1))?;
                }
                _ => out.write_all(&lines)?,
            }
            for line in &row.below {
                // Addresses stay in one piece.
                writeln!(out, "{:INDENT$}{line}", "")?;
            }
        }
        Ok(())
    }

    /// The width of each column.
    fn widths(&self) -> Vec<usize> {
        let width = |column: usize| {
            let cells = self
                .rows
                .iter()
                .map(|row| row.cells[column].chars().count());
            let name = self.columns[column].0.chars().count();
            cells.chain([name]).max().unwrap_or(0)
        };
        (0..self.columns.len()).map(width).collect()
    }

    /// The cells of a row, as wide as their columns and with the space between them.
    fn aligned(&self, row: &Row, widths: &[usize]) -> Vec<String> {
        let cells = row.cells.iter().zip(&self.columns).zip(widths);
        cells
            .map(|((cell, (_, align)), width)| match align {
                Align::Left => format!("{cell:<width$}  "),
                Align::Right => format!("{cell:>width$}  "),
            })
            .collect()
    }
}

/// Writes cells, and beside them text that goes on under its own beginning.
fn write_beside(out: &mut dyn Write, cells: &str, text: &str, edge: usize) -> io::Result<()> {
    let before = cells.chars().count();
    for (at, piece) in pieces(text, edge.saturating_sub(before)).iter().enumerate() {
        let cells = if at == 0 { cells } else { "" };
        writeln!(out, "{}", format!("{cells:<before$}{piece}").trim_end())?;
    }
    Ok(())
}

/// Writes cells, as many on each line as there is room for.
fn write_folded(out: &mut dyn Write, cells: &[String], edge: usize) -> io::Result<()> {
    let mut line = String::new();
    for cell in cells {
        let width = line.chars().count() + cell.trim_end().chars().count();
        if width > edge && !line.trim().is_empty() {
            writeln!(out, "{}", line.trim_end())?;
            line = "  ".to_owned();
        }
        line.push_str(cell);
    }
    writeln!(out, "{}", line.trim_end())
}

/// Writes a text below a row.
fn write_below(out: &mut dyn Write, text: &str, edge: usize) -> io::Result<()> {
    for piece in pieces(text, edge.saturating_sub(INDENT)) {
        writeln!(out, "{:INDENT$}{}", "", piece.trim_end())?;
    }
    Ok(())
}

/// A text in pieces of at most `width` characters, each as long as may be and of at least a third
/// of that. Where it can, a piece ends where a word or a part of LaTeX does.
fn pieces(text: &str, width: usize) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    let width = width.max(8);
    let mut rest = &characters[..];
    let mut pieces = Vec::new();
    while rest.len() > width {
        let around = |at: &usize| (rest[at - 1], rest[*at]);
        let is_between = |at: &usize| match around(at) {
            (last, '\\') => !"\\{([^_".contains(last),
            (last, _) => last == ' ',
        };
        let is_closed = |at: &usize| {
            let (last, next) = around(at);
            "}=+,&".contains(last) && !"{}_^".contains(next)
        };
        let places = || (width / 3..=width).rev();
        let end = (places().find(is_between)).or_else(|| places().find(is_closed));
        let end = end.unwrap_or(width);
        let (piece, further) = rest.split_at(end);
        pieces.push(piece.iter().collect());
        rest = further;
    }
    pieces.push(rest.iter().collect());
    pieces
}

/// Text that leads to an address on terminals that know how (OSC 8).
pub(super) fn linked(text: &str, url: &str) -> String {
    format!("\x1b]8;;{url}\x1b\\{text}\x1b]8;;\x1b\\")
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

/// The width of the terminal, where the output is one.
pub(super) fn terminal_width() -> Option<usize> {
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
    fn cells_lead_somewhere_on_terminals() {
        let mut table = Table::new(&[("id", Align::Left), ("latex", Align::Left)]);
        table.row(vec!["a.md:1:2".into(), "x".into()]);
        table.link("a.md:1:2", "file:///a.md");
        let mut written = Vec::new();
        table.write_within(&mut written, None, false).unwrap();
        assert!(!written.contains(&0x1b));
        written.clear();
        table.write_within(&mut written, None, true).unwrap();
        let written = String::from_utf8(written).unwrap();
        assert!(
            written.contains("\n\u{1b}]8;;file:///a.md\u{1b}\\a.md:1:2\u{1b}]8;;\u{1b}\\  x\n")
        );
    }

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

    fn within(table: &Table, edge: usize) -> String {
        let mut written = Vec::new();
        table.write_within(&mut written, Some(edge), false).unwrap();
        String::from_utf8(written).unwrap()
    }

    /// Text that is too long for its line goes on under itself, or below the row where that would
    /// be too narrow; at any width all of it is there, and no line is too long.
    #[test]
    fn text_is_whole_at_any_width() {
        let mut table = Table::new(&[("rank", Align::Right), ("latex", Align::Left)]);
        let latex = r"\frac{a+b}{c}=\int_0^1 f(x)\,dx+\sum_{n=1}^\infty \frac{1}{n^2}";
        table.row(vec!["1".into(), latex.into()]);
        table.row(vec!["2".into(), "x".repeat(200)]);
        table.below("source: arXiv");
        assert_eq!(
            within(&table, 46).lines().take(3).collect::<Vec<_>>(),
            [
                "rank  latex",
                r"   1  \frac{a+b}{c}=\int_0^1 f(x)\,dx+",
                r"      \sum_{n=1}^\infty \frac{1}{n^2}",
            ]
        );
        assert_eq!(
            within(&table, 30).lines().take(5).collect::<Vec<_>>(),
            [
                "rank",
                "    latex",
                "   1",
                r"    \frac{a+b}{c}=\int_0^1",
                r"    f(x)\,dx+",
            ]
        );
        for edge in 18..90 {
            let written = within(&table, edge);
            assert!(written.lines().all(|line| line.chars().count() <= edge));
            let letters = |text: &str| text.split_whitespace().collect::<String>();
            assert!(letters(&written).contains(&letters(latex)), "{written}");
            assert!(letters(&written).contains(&"x".repeat(200)), "{written}");
            assert!(letters(&written).contains("source:arXiv"), "{written}");
        }
    }

    /// Numbers that do not fit beside each other go on in the next line.
    #[test]
    fn columns_of_numbers_are_whole_at_any_width() {
        let names = ["mean", "median", "q1", "q3"];
        let mut table = Table::new(&names.map(|name| (name, Align::Right)));
        table.row(["1.0", "2.0", "3.0", "4.0"].map(String::from).to_vec());
        assert_eq!(
            within(&table, 14),
            "mean  median\n   q1   q3\n 1.0     2.0\n  3.0  4.0\n"
        );
        assert_eq!(within(&table, 80).lines().count(), 2);
    }

    #[test]
    fn numbers_are_grouped_and_sized() {
        let groups = [0, 999, 1000, 1_234_567].map(grouped);
        assert_eq!(groups, ["0", "999", "1,000", "1,234,567"]);
        let sizes = [0, 999, 1000, 1_250_000, 3_000_000_000_000_000].map(sized);
        assert_eq!(sizes, ["0 B", "999 B", "1.0 kB", "1.2 MB", "3000.0 TB"]);
    }
}
