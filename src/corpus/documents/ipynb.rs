//! Jupyter notebooks: their Markdown cells.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::delimited::Delimiters;
use super::{Document, Formulas, Part, markdown};

#[derive(Deserialize)]
struct Notebook<'a> {
    #[serde(borrow, default)]
    cells: Vec<Cell<'a>>,
    /// Where the cells of notebooks before version 4 are.
    #[serde(borrow, default)]
    worksheets: Vec<Worksheet<'a>>,
}

#[derive(Deserialize)]
struct Worksheet<'a> {
    #[serde(borrow, default)]
    cells: Vec<Cell<'a>>,
}

#[derive(Deserialize)]
struct Cell<'a> {
    cell_type: String,
    #[serde(borrow)]
    source: Option<&'a RawValue>,
}

/// Reads a notebook.
///
/// # Errors
/// When it is not the JSON of one.
pub(super) fn read(text: &str, formulas: &mut Formulas) -> Result<Document, serde_json::Error> {
    let notebook: Notebook<'_> = serde_json::from_str(text)?;
    let mut document = Document::default();
    let older = notebook.worksheets.iter().flat_map(|sheet| &sheet.cells);
    for cell in notebook.cells.iter().chain(older) {
        let Some(source) = cell.source.filter(|_| cell.cell_type == "markdown") else {
            continue;
        };
        read_cell(text, source, formulas, &mut document)?;
    }
    Ok(document)
}

fn read_cell(
    file: &str,
    source: &RawValue,
    formulas: &mut Formulas,
    document: &mut Document,
) -> Result<(), serde_json::Error> {
    // A cell's text stands in one string, or in one for each line.
    let strings: Vec<&RawValue> = if source.get().starts_with('[') {
        serde_json::from_str(source.get())?
    } else {
        vec![source]
    };
    let mut cell = String::new();
    // Where each line of the cell begins, there and in the file.
    let mut lines = Vec::new();
    for string in strings {
        let place = string.get().as_ptr() as usize - file.as_ptr() as usize;
        lines.push((cell.len(), place));
        cell.push_str(&serde_json::from_str::<String>(string.get())?);
    }
    let rules = Delimiters {
        dollars: true,
        loose_dollars: true,
        escapes: true,
        blank_lines: false,
    };
    let before = document.parts.len();
    markdown::read_into(&cell, rules, formulas, document);
    for part in &mut document.parts[before..] {
        let at = match part {
            Part::Formula(formula) => &mut formula.at,
            Part::Heading(heading) => &mut heading.at,
            Part::Text(_) | Part::Break => continue,
        };
        let line = lines.partition_point(|(start, _)| *start <= *at);
        let (start, place) = lines[line.saturating_sub(1)];
        // Within a string of the file, and past its quote; escapes before it are not counted.
        *at = place + 1 + (*at - start);
    }
    document.end_paragraph();
    Ok(())
}
