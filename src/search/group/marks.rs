//! The key of a group: a formula's symbols with their places, hashed.

use std::collections::HashMap;

use xxhash_rust::xxh3::Xxh3;

use super::Group;
use super::lines::{Lines, Place, Step};
use super::units::{Unit, units};
use crate::layout::{Layout, SymbolId};
use crate::phoc::{Role, fold, role_of};

/// Punctuation of the sentence that a formula stands in.
const PUNCTUATION: &str = ".,;:?";
/// Signs over what they belong to.
const ACCENTS: &str = "^~¯˙¨´`˘ˇ˚\u{20D7}\u{20DB}\u{20DC}⏞⏟⎴⎵⏜⏝";
/// The widest gap between letters of a name, in em: a thin space is wider.
const NAME_GAP: f64 = 0.12;
/// How far beside an accent the centre of what it belongs to may be, in em.
const BESIDE: f64 = 0.05;

/// What a reader sees at one place of the drawing.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Mark {
    what: What,
    place: At,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum What {
    Symbol(SymbolId),
    /// A letter of a name such as sin.
    NameLetter(SymbolId),
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum At {
    /// On a line.
    Line(Place),
    /// Over this many of the parts before it.
    Accent(usize),
    /// At the beginning of what it holds, or between that over and that under it, or at the end.
    Part(u8),
}

/// What all members of a group have in common.
pub fn key(layout: &Layout, group: Group) -> u128 {
    let mut marks = Vec::with_capacity(layout.symbols().len());
    add(&units(layout), &mut marks);
    join_dots(&mut marks);
    hash(significant(&marks), group)
}

/// Adds the marks of some units.
fn add(units: &[Unit], marks: &mut Vec<Mark>) {
    let mut lines = Lines::default();
    let places: Vec<At> = (0..units.len())
        .map(|at| match accented(units, at) {
            Some(count) => At::Accent(count),
            None => At::Line(lines.place(units[at].line(), &units[at].rect)),
        })
        .collect();
    for at in upper_first(&places) {
        let unit = &units[at];
        let what = if is_in_name(units, at) {
            What::NameLetter(unit.symbol.id)
        } else {
            What::Symbol(written_alike(unit.symbol.id))
        };
        let mark = |place| Mark { what, place };
        marks.push(mark(places[at]));
        if !unit.is_plain() {
            marks.push(mark(At::Part(0)));
            add(&unit.over, marks);
            marks.push(mark(At::Part(1)));
            add(&unit.under, marks);
            marks.push(mark(At::Part(2)));
        }
    }
}

/// The units in an order in which the upper script of a symbol is before its lower one: `{x_i}^2`
/// is drawn in another order than `x_i^2`.
fn upper_first(places: &[At]) -> Vec<usize> {
    let begins = |at: usize, wanted: Step, depth: usize| match places.get(at) {
        Some(At::Line(place)) => place.step == wanted && place.depth == depth,
        _ => false,
    };
    let end = |from: usize, depth: usize| {
        let is_outside = |at: &usize| match places[*at] {
            At::Line(place) => {
                place.depth < depth || place.depth == depth && place.step != Step::Same
            }
            _ => false,
        };
        (from + 1..places.len())
            .find(is_outside)
            .unwrap_or(places.len())
    };
    let mut order: Vec<usize> = (0..places.len()).collect();
    // From the end, so that scripts of scripts are in order before they are moved.
    for (at, place) in places.iter().enumerate().rev() {
        if let At::Line(Place {
            step: Step::Down,
            depth,
            ..
        }) = *place
        {
            let middle = end(at, depth);
            if begins(middle, Step::Up, depth) {
                order[at..end(middle, depth)].rotate_left(middle - at);
            }
        }
    }
    order
}

/// Over how many units before it a unit is an accent.
fn accented(units: &[Unit], at: usize) -> Option<usize> {
    let accent = &units[at];
    if at == 0 || !accent.is_plain() || !is_one_of(accent.symbol.id, ACCENTS) {
        return None;
    }
    let across = accent.rect.x0 - BESIDE..=accent.rect.x1 + BESIDE;
    let under = |other: &&Unit| across.contains(&other.rect.center().0);
    Some(units[..at].iter().rev().take_while(under).count().max(1))
}

/// Whether a unit is a letter of a name.
fn is_in_name(units: &[Unit], at: usize) -> bool {
    let before = at.checked_sub(1).map(|before| &units[before]);
    before.is_some_and(|before| is_name(before, &units[at]))
        || units
            .get(at + 1)
            .is_some_and(|next| is_name(&units[at], next))
}

fn is_one_of(id: SymbolId, symbols: &str) -> bool {
    matches!(id, SymbolId::Char(c) if symbols.contains(c))
}

/// Whether two units are letters of one name.
fn is_name(a: &Unit, b: &Unit) -> bool {
    let is_upright =
        |unit: &Unit| matches!(unit.symbol.id, SymbolId::Char(c) if c.is_ascii_alphabetic());
    let gap = b.rect.x0 - a.rect.x1;
    is_upright(a)
        && is_upright(b)
        && (-NAME_GAP..NAME_GAP).contains(&gap)
        && (a.line().axis - b.line().axis).abs() < NAME_GAP
}

/// The symbol that stands for all that differ only in slant or in length.
fn written_alike(id: SymbolId) -> SymbolId {
    /// The first letters of slanted alphabets, and of the upright ones in their stead.
    const SLANTED: [(u32, u32, u32); 5] = [
        (0x1D468, 0x1D400, 52),
        (0x1D608, 0x1D5A0, 52),
        (0x1D63C, 0x1D5D4, 52),
        (0x1D71C, 0x1D6A8, 58),
        (0x1D790, 0x1D756, 58),
    ];
    const ITALIC: std::ops::Range<u32> = 0x1D434..0x1D468;
    const GREEK_ITALIC: std::ops::Range<u32> = 0x1D6E2..0x1D71C;
    const LENGTHS: [(&str, char); 9] = [
        ("⩽≦", '≤'),
        ("⩾≧", '≥'),
        ("⟶", '→'),
        ("⟵", '←'),
        ("⟷", '↔'),
        ("⟹", '⇒'),
        ("⟺", '⇔'),
        ("⟼", '↦'),
        ("⋯", '…'),
    ];
    let SymbolId::Char(c) = id else {
        return id;
    };
    let code = u32::from(c);
    if c == 'ℎ' || ITALIC.contains(&code) || GREEK_ITALIC.contains(&code) {
        return fold(id);
    }
    let slanted = SLANTED
        .iter()
        .find(|(first, _, count)| (*first..first + count).contains(&code));
    if let Some((first, upright, _)) = slanted {
        return char::from_u32(code - first + upright).map_or(id, SymbolId::Char);
    }
    let length = LENGTHS.iter().find(|(others, _)| others.contains(c));
    SymbolId::Char(length.map_or(c, |(_, one)| *one))
}

/// Makes three dots in a row the one symbol that `\ldots` draws.
fn join_dots(marks: &mut Vec<Mark>) {
    let mut at = 0;
    while at + 2 < marks.len() {
        let is_dots = marks[at..at + 3].iter().all(|mark| mark.is_symbol('.'))
            && marks[at + 1..at + 3].iter().all(Mark::goes_on);
        if is_dots {
            marks[at].what = What::Symbol(SymbolId::Char('…'));
            marks.drain(at + 1..at + 3);
        }
        at += 1;
    }
}

/// The marks without the punctuation before and after the formula; all, if there are no others.
fn significant(marks: &[Mark]) -> &[Mark] {
    let is_end = |mark: &Mark| {
        let is_on_line = matches!(mark.place, At::Line(place) if !place.is_script);
        is_on_line && matches!(mark.what, What::Symbol(id) if is_one_of(id, PUNCTUATION))
    };
    let Some(first) = marks.iter().position(|mark| !is_end(mark)) else {
        return marks;
    };
    let last = marks.iter().rposition(|mark| !is_end(mark));
    &marks[first..=last.unwrap_or(first)]
}

impl Mark {
    fn is_symbol(&self, c: char) -> bool {
        self.what == What::Symbol(SymbolId::Char(c))
    }

    /// Whether it is on the line of the mark before it, or on one around that.
    fn goes_on(&self) -> bool {
        matches!(self.place, At::Line(place) if place.step == Step::Same)
    }

    /// Whether it is a variable; `further` are the marks after it.
    fn is_variable(&self, further: &[Mark]) -> bool {
        let (What::Symbol(SymbolId::Char(c)), At::Line(place)) = (self.what, self.place) else {
            return false;
        };
        let is_constant = c == 'π' || c == 'e' && has_exponent(place, further);
        let is_letter = c.is_ascii_alphabetic() || c == 'ℓ';
        !is_constant && (is_letter || role_of(SymbolId::Char(c)) == Role::Variable)
    }
}

/// Whether the symbol at a place has an upper script that is more than a number: then e is the
/// base of the exponential function, while e² may be the square of any e.
fn has_exponent(place: Place, further: &[Mark]) -> bool {
    let is_up = |place: &Place| place.step == Step::Up;
    let script = further.iter().map_while(|mark| match mark.place {
        At::Line(inner) if inner.depth > place.depth => Some((mark, inner)),
        _ => None,
    });
    let mut script = script.peekable();
    script.peek().is_some_and(|(_, first)| is_up(first))
        && script.any(|(mark, _)| match mark.what {
            What::Symbol(id) => role_of(id) != Role::Number,
            What::NameLetter(_) => true,
        })
}

fn hash(marks: &[Mark], group: Group) -> u128 {
    let mut hash = Xxh3::new();
    let mut names: HashMap<SymbolId, u64> = HashMap::new();
    for (at, mark) in marks.iter().enumerate() {
        let (kind, number) = match mark.what {
            What::Symbol(id) if group == Group::Renaming && mark.is_variable(&marks[at + 1..]) => {
                let next = names.len() as u64;
                (0, *names.entry(id).or_insert(next))
            }
            What::Symbol(id) | What::NameLetter(id) => match id {
                SymbolId::Char(c) => (1, u64::from(c)),
                SymbolId::Shape(shape) => (2, shape),
                SymbolId::Text(text) => (3, u64::from_le_bytes(text)),
            },
        };
        let is_name = matches!(mark.what, What::NameLetter(_));
        let (place, depth) = match mark.place {
            // Punctuation that was left out may have been the first on its line.
            At::Line(_) if at == 0 => (0, 0),
            At::Line(place) => (1 + place.step as u8, place.depth as u64),
            At::Accent(count) => (100, count as u64),
            At::Part(part) => (101 + part, 0),
        };
        hash.update(&[kind, u8::from(is_name), place]);
        hash.update(&number.to_le_bytes());
        hash.update(&depth.to_le_bytes());
    }
    hash.digest128()
}

#[cfg(test)]
mod tests;
