//! The lines of a formula: the main one, those of scripts, and further rows.

use super::units::Line;
use crate::layout::Rect;

/// How far the axes of symbols on one line may differ, in parts of the size.
const SAME_AXIS: f64 = 0.1;
/// The error of the axis of a symbol whose box is kept in steps, in em.
const STEP: f64 = 0.02;
/// Symbols whose sizes differ more than this are not on one line.
const SAME_SIZE: f64 = 1.25;
/// What is smaller than this, in parts of the line that it stands by, is a script of it.
const SCRIPT: f64 = 0.85;
/// Rows are no nearer than this, in parts of the size. The script of a smallest script is as
/// large as that, but nearer.
const ROWS: f64 = 0.55;
/// The size of a line is hardly larger than that of another on which it does not depend.
const NO_SMALLER: f64 = 1.15;

/// How a symbol stands to the lines before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Step {
    /// It is on a line that is open.
    Same,
    /// It begins a script over a line.
    Up,
    /// It begins a script under a line.
    Down,
    /// It begins a row over a line.
    RowAbove,
    /// It begins a row under a line: under its beginning, or left or right of that.
    RowBelow,
    RowBelowLeft,
    RowBelowRight,
}

/// Where a symbol stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) step: Step,
    /// How many lines are around the one that it is on.
    pub(super) depth: usize,
    /// Whether its line is a script, or in one.
    pub(super) is_script: bool,
}

#[derive(Debug)]
struct OpenLine {
    axis: f64,
    size: Option<f64>,
    is_script: bool,
    /// The box of its first symbol.
    first: Rect,
}

/// The lines that are open: each belongs to the one before it.
#[derive(Debug, Default)]
pub(super) struct Lines(Vec<OpenLine>);

impl Lines {
    /// Where the next symbol stands.
    pub(super) fn place(&mut self, line: Line, rect: &Rect) -> Place {
        if let Some(depth) = self.0.iter().rposition(|open| open.holds(&line)) {
            self.0.truncate(depth + 1);
            let open = &mut self.0[depth];
            open.size = open.size.or(line.size);
            return Place {
                step: Step::Same,
                depth,
                is_script: open.is_script,
            };
        }
        let mut row_before = None;
        while self.0.len() > 1
            && let Some(no_parent) = self.0.pop_if(|open| !open.may_have(&line))
        {
            row_before = Some(no_parent.first);
        }
        let (step, is_script) = match self.0.last() {
            None => (Step::Same, false),
            Some(parent) => {
                let size = parent.size.unwrap_or(1.0);
                let is_far = (line.axis - parent.axis).abs() >= ROWS * size;
                let is_row = is_far && line.size.is_some_and(|own| own >= SCRIPT * size);
                let is_above = line.axis < parent.axis;
                let step = match (is_row, is_above) {
                    (false, true) => Step::Up,
                    (false, false) => Step::Down,
                    (true, true) => Step::RowAbove,
                    (true, false) => row_below(&row_before.unwrap_or(parent.first), rect),
                };
                let is_smaller = line.size.is_some_and(|own| own < SCRIPT * size);
                (step, parent.is_script || is_smaller)
            }
        };
        self.0.push(OpenLine {
            axis: line.axis,
            size: line.size,
            is_script,
            first: *rect,
        });
        Place {
            step,
            depth: self.0.len() - 1,
            is_script,
        }
    }
}

fn row_below(above: &Rect, rect: &Rect) -> Step {
    if rect.x1 <= above.x0 {
        Step::RowBelowLeft
    } else if rect.x0 >= above.x1 {
        Step::RowBelowRight
    } else {
        Step::RowBelow
    }
}

impl OpenLine {
    /// Whether a symbol is on this line.
    fn holds(&self, line: &Line) -> bool {
        let is_one_size = match (self.size, line.size) {
            (Some(a), Some(b)) => a <= SAME_SIZE * b && b <= SAME_SIZE * a,
            _ => true,
        };
        let size = self.size.or(line.size).unwrap_or(1.0);
        is_one_size && (self.axis - line.axis).abs() <= SAME_AXIS * size + STEP
    }

    /// Whether a line may be a script of this one.
    fn may_have(&self, line: &Line) -> bool {
        match (self.size, line.size) {
            (Some(own), Some(script)) => own > NO_SMALLER * script,
            _ => true,
        }
    }
}
