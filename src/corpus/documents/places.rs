//! Where a formula stands: its line and column, its section, and the sentence around it.

use std::cell::Cell;

use super::{Document, Part};

/// The most characters of a sentence that are shown on each side of a formula.
const MAX_SIDE: usize = 200;

/// Lines and columns of a text.
#[derive(Debug)]
pub struct LineIndex {
    starts: Vec<usize>,
    /// A place that was asked for, and its column: the next one is counted from there, so that
    /// many places of one long line are found in one pass.
    last: Cell<(usize, usize)>,
}

impl LineIndex {
    /// The lines of a text.
    pub fn new(text: &str) -> Self {
        let after = text.match_indices('\n').map(|(at, _)| at + 1);
        LineIndex {
            starts: std::iter::once(0).chain(after).collect(),
            last: Cell::new((0, 1)),
        }
    }

    /// The line and the column, both from 1, of a byte offset; a column is a character.
    pub fn place(&self, text: &str, at: usize) -> (usize, usize) {
        let line = self.starts.partition_point(|start| *start <= at);
        let start = self.starts[line.saturating_sub(1)];
        let (from, column) = match self.last.get() {
            (last, column) if (start..=at).contains(&last) => (last, column),
            _ => (start, 1),
        };
        let between = text.get(from..at).unwrap_or_default();
        let column = column + between.chars().count();
        self.last.set((at, column));
        (line, column)
    }
}

/// A formula's surroundings.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Surroundings {
    /// The title of the section that it stands in.
    pub section: Option<String>,
    /// The sentence around it: formulas stand in it as LaTeX between dollars.
    pub sentence: String,
}

impl Document {
    /// The surroundings of each formula, in order.
    pub fn surroundings(&self) -> Vec<Surroundings> {
        let mut section = None;
        let mut all = Vec::new();
        for (place, part) in self.parts.iter().enumerate() {
            match part {
                Part::Heading(heading) => section = Some(heading.title.clone()),
                Part::Formula(_) => all.push(Surroundings {
                    section: section.clone(),
                    sentence: self.sentence(place),
                }),
                Part::Text(_) | Part::Break => {}
            }
        }
        all
    }

    /// The sentence around the part at `place`.
    fn sentence(&self, place: usize) -> String {
        let mut before = String::new();
        for part in self.parts[..place].iter().rev() {
            let Some(text) = within_paragraph(part) else {
                break;
            };
            let is_text = matches!(part, Part::Text(_));
            let start = is_text.then(|| sentence_end(&text, true)).flatten();
            before.insert_str(0, &text[start.unwrap_or(0)..]);
            if start.is_some() || before.chars().count() > MAX_SIDE {
                break;
            }
        }
        let mut after = String::new();
        for part in &self.parts[place + 1..] {
            let Some(text) = within_paragraph(part) else {
                break;
            };
            let is_text = matches!(part, Part::Text(_));
            let end = is_text.then(|| sentence_end(&text, false)).flatten();
            after.push_str(&text[..end.unwrap_or(text.len())]);
            if end.is_some() || after.chars().count() > MAX_SIDE {
                break;
            }
        }
        let own = match &self.parts[place] {
            Part::Formula(formula) => format!("${}$", formula.latex),
            _ => String::new(),
        };
        let all = format!("{}{own}{}", last_words(&before), first_words(&after));
        all.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

/// A part as text, with a formula between dollars; none where it ends a paragraph.
fn within_paragraph(part: &Part) -> Option<String> {
    match part {
        Part::Text(text) => Some(text.clone()),
        Part::Formula(formula) if formula.is_row => Some(String::new()),
        Part::Formula(formula) => Some(format!("${}$", formula.latex)),
        Part::Heading(_) | Part::Break => None,
    }
}

/// Where the last sentence before the end of `text` begins, or the first one ends.
fn sentence_end(text: &str, last: bool) -> Option<usize> {
    let ends = text.char_indices().filter(|(at, c)| {
        let after = &text[at + c.len_utf8()..];
        matches!(c, '.' | '!' | '?') && after.starts_with(char::is_whitespace)
    });
    let mut ends = ends.map(|(at, c)| at + c.len_utf8());
    if last { ends.next_back() } else { ends.next() }
}

/// The last words of a text, up to a length.
fn last_words(text: &str) -> String {
    let count = text.chars().count();
    if count <= MAX_SIDE {
        return text.to_owned();
    }
    let cut: String = text.chars().skip(count - MAX_SIDE).collect();
    let rest = cut.split_once(' ').map_or("", |(_, rest)| rest);
    format!("… {rest}")
}

/// The first words of a text, up to a length.
fn first_words(text: &str) -> String {
    if text.chars().count() <= MAX_SIDE {
        return text.to_owned();
    }
    let cut: String = text.chars().take(MAX_SIDE).collect();
    let kept = cut.rsplit_once(' ').map_or("", |(kept, _)| kept);
    format!("{kept} …")
}

#[cfg(test)]
mod tests {
    use super::super::{Formulas, markdown};
    use super::*;

    #[test]
    fn a_formula_has_its_line_its_section_and_its_sentence() {
        let text = "# Heat\n\nFirst. Let $u$ be the heat, and\n$v$ its flow. Last.\n\n## Flow\n$w$";
        let document = markdown::read(text, &mut Formulas::default());
        let lines = LineIndex::new(text);
        let places: Vec<_> = document
            .formulas()
            .map(|formula| lines.place(text, formula.at))
            .collect();
        assert_eq!(places, [(3, 12), (4, 1), (7, 1)]);
        // In any order, and within a line.
        let earlier = [(41, 4, 2), (3, 1, 4), (0, 1, 1), (40, 4, 1)];
        for (at, line, column) in earlier {
            assert_eq!(lines.place(text, at), (line, column), "{at}");
        }
        let around = document.surroundings();
        assert_eq!(around[0].section.as_deref(), Some("Heat"));
        assert_eq!(around[2].section.as_deref(), Some("Flow"));
        for formula in &around[..2] {
            assert_eq!(formula.sentence, "Let $u$ be the heat, and $v$ its flow.");
        }
        assert_eq!(around[2].sentence, "$w$");
    }
}
