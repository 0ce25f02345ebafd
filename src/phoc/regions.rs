//! The notation of regions: `xy7o4` is x and y to level 7, o to level 4.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;
use std::sync::Arc;

use super::MAX_BITS;
use super::geometry::Grid;

/// A way of cutting the box into regions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RegionFamily {
    /// Upright strips, left to right.
    X,
    /// Level strips, top to bottom.
    Y,
    /// Concentric ellipses, from the corners inwards.
    Ellipse,
    /// Concentric rectangles, from the edge inwards.
    Rectangle,
}

impl RegionFamily {
    /// Its letter in the notation.
    pub fn letter(self) -> char {
        match self {
            RegionFamily::X => 'x',
            RegionFamily::Y => 'y',
            RegionFamily::Ellipse => 'o',
            RegionFamily::Rectangle => 'r',
        }
    }

    fn of_letter(letter: char) -> Option<Self> {
        [
            RegionFamily::X,
            RegionFamily::Y,
            RegionFamily::Ellipse,
            RegionFamily::Rectangle,
        ]
        .into_iter()
        .find(|part| part.letter() == letter)
    }
}

/// Why a notation is not one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{notation}` names no regions: {problem}; write letters of x, y, o, r and a level after them, as in xy7o4"
)]
pub struct NotationError {
    notation: String,
    problem: String,
}

/// Which regions there are: each part with its deepest level, in order.
#[derive(Debug, Clone)]
pub struct Regions {
    parts: Vec<(RegionFamily, usize)>,
    /// What a box must span to meet each: made once, for all formulas.
    pub(super) grid: Arc<Grid>,
}

impl PartialEq for Regions {
    fn eq(&self, other: &Self) -> bool {
        self.parts == other.parts
    }
}

impl Eq for Regions {}

impl Regions {
    /// These parts, each with its deepest level.
    pub(super) fn of(parts: impl IntoIterator<Item = (RegionFamily, usize)>) -> Self {
        let parts: Vec<(RegionFamily, usize)> = parts.into_iter().collect();
        let grid = Arc::new(Grid::new(&parts));
        Regions { parts, grid }
    }

    /// The parts, each with its deepest level, in the order written.
    pub fn parts(&self) -> &[(RegionFamily, usize)] {
        &self.parts
    }

    /// The bits of a word that each part has; the whole formula's goes with the first.
    pub fn part_bits(&self) -> impl Iterator<Item = Range<usize>> {
        let mut end = 1;
        self.parts
            .iter()
            .enumerate()
            .map(move |(at, &(_, levels))| {
                let start = if at == 0 { 0 } else { end };
                end += (2..=levels).sum::<usize>();
                start..end
            })
    }

    /// The bits of the first part, of the second, and of the rest.
    pub(crate) fn field_bits(&self) -> [Range<usize>; 3] {
        let end = self.bits();
        let mut parts = self.part_bits();
        let first = parts.next().unwrap_or(0..end);
        let second = parts.next().unwrap_or(end..end);
        let rest = second.end..end;
        [first, second, rest]
    }

    /// The bits of each level, whatever the part; the first is the whole formula's.
    pub fn level_masks(&self) -> Vec<u128> {
        let deepest = self.parts.iter().map(|(_, levels)| *levels).max();
        let mut masks = vec![0; deepest.unwrap_or(1)];
        masks[0] = 1;
        let mut bit = 1;
        for (_, levels) in &self.parts {
            for level in 2..=*levels {
                masks[level - 1] |= ((1 << level) - 1) << bit;
                bit += level;
            }
        }
        masks
    }

    /// A word as text: `1` for each region that it has, in the order of the notation, else `0`.
    pub fn bit_string(&self, word: u128) -> String {
        let bit = |at: usize| if word >> at & 1 == 1 { '1' } else { '0' };
        (0..self.bits()).map(bit).collect()
    }

    /// How many regions there are, the whole formula included.
    pub fn bits(&self) -> usize {
        1 + self
            .parts
            .iter()
            .map(|&(_, levels)| (2..=levels).sum::<usize>())
            .sum::<usize>()
    }
}

impl FromStr for Regions {
    type Err = NotationError;

    fn from_str(notation: &str) -> Result<Self, NotationError> {
        let refuse = |problem: String| NotationError {
            notation: notation.to_owned(),
            problem,
        };
        let mut parts: Vec<(RegionFamily, usize)> = Vec::new();
        let mut rest = notation;
        while !rest.is_empty() {
            let letters = rest
                .find(|c: char| c.is_ascii_digit())
                .unwrap_or(rest.len());
            let digits = rest[letters..]
                .find(|c: char| !c.is_ascii_digit())
                .unwrap_or(rest.len() - letters);
            let (run, level) = rest[..letters + digits].split_at(letters);
            rest = &rest[letters + digits..];
            let level: usize = level
                .parse()
                .map_err(|_| refuse(format!("`{run}` has no level")))?;
            if !(1..=MAX_BITS).contains(&level) {
                return Err(refuse(format!("level {level} is not from 1 to {MAX_BITS}")));
            }
            if run.is_empty() {
                return Err(refuse(format!("level {level} has no letter")));
            }
            for letter in run.chars() {
                let part = RegionFamily::of_letter(letter)
                    .ok_or_else(|| refuse(format!("`{letter}` is no kind of region")))?;
                if parts.iter().any(|(known, _)| *known == part) {
                    return Err(refuse(format!("`{letter}` comes twice")));
                }
                parts.push((part, level));
            }
        }
        let regions = Regions::of(parts);
        match regions.bits() {
            _ if regions.parts.is_empty() => Err(refuse("it is empty".to_owned())),
            bits if bits > MAX_BITS => Err(refuse(format!(
                "it has {bits} regions where {MAX_BITS} fit a word"
            ))),
            _ => Ok(regions),
        }
    }
}

impl fmt::Display for Regions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for run in self.parts.chunk_by(|a, b| a.1 == b.1) {
            for (part, _) in run {
                write!(f, "{}", part.letter())?;
            }
            write!(f, "{}", run[0].1)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn regions(notation: &str) -> Regions {
        notation.parse().unwrap()
    }

    #[test]
    fn sizes_are_those_of_the_papers() {
        let sizes = [
            ("xy5", 29),
            ("x7y5", 42),
            ("xyo5", 43),
            ("xy7", 55),
            ("x7yo5", 56),
            ("xy7o4", 64),
            ("xy7o5", 69),
            ("xy10", 109),
            ("o4", 10),
            ("oxy4", 28),
            ("x1", 1),
        ];
        for (notation, bits) in sizes {
            assert_eq!(regions(notation).bits(), bits, "{notation}");
        }
    }

    #[test]
    fn nonsense_is_refused_with_its_reason() {
        let cases = [
            ("", "it is empty"),
            ("xy", "`xy` has no level"),
            ("7", "level 7 has no letter"),
            ("xq5", "`q` is no kind of region"),
            ("x5x3", "`x` comes twice"),
            ("x0", "level 0 is not from 1"),
            ("xyor9", "it has 177 regions where 128 fit a word"),
            ("x99999999999999999999", "`x` has no level"),
        ];
        for (notation, reason) in cases {
            let error = notation.parse::<Regions>().unwrap_err().to_string();
            assert!(error.contains(reason), "{notation}: {error}");
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(notation in "[xyor]{1,4}[0-9]{1,2}([xyor]{1,2}[0-9])?|.{0,12}") {
            if let Ok(regions) = notation.parse::<Regions>() {
                prop_assert!(regions.bits() <= MAX_BITS);
                prop_assert_eq!(regions.to_string().parse::<Regions>(), Ok(regions));
            }
        }
    }
}
