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
        .find(|family| family.letter() == letter)
    }
}

/// Why a text is not a notation of regions.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{notation}` names no regions: {problem}; write letters of x, y, o, r and a level after them, as in xy7o4"
)]
pub struct NotationError {
    notation: String,
    problem: String,
}

/// One region of a formula's box.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Region {
    /// Its bit in a word.
    pub bit: usize,
    /// The family that it belongs to.
    pub family: RegionFamily,
    /// The number of regions that its level cuts the box into; 1 is the whole
    /// formula, which all families share and which stands with the first.
    pub level: usize,
    /// Its place within the level, from 0.
    pub index: usize,
    /// Where it begins and ends: for strips as parts of the box's size, for
    /// ellipses and rectangles as distances from the centre, of which the
    /// box's edges have 1/2. The whole formula has no bounds.
    pub span: (f64, f64),
}

impl Region {
    fn new(bit: usize, family: RegionFamily, level: usize, index: usize) -> Self {
        Region {
            bit,
            family,
            level,
            index,
            span: span(family, level, index),
        }
    }
}

/// Where a region of a level begins and ends.
fn span(family: RegionFamily, level: usize, index: usize) -> (f64, f64) {
    if level == 1 {
        return (f64::NEG_INFINITY, f64::INFINITY);
    }
    let edge = |strip: usize| strip as f64 / level as f64;
    match family {
        RegionFamily::X | RegionFamily::Y => (edge(index), edge(index + 1)),
        // Ellipses of the formula's shape are circles of the unit square.
        // Region 0 is what the inscribed circle leaves of the corners.
        RegionFamily::Ellipse => {
            let radius = |rings: usize| 0.5 * rings as f64 / (level - 1) as f64;
            let outer = match index {
                0 => f64::INFINITY,
                _ => radius(level - index),
            };
            (radius(level - 1 - index), outer)
        }
        RegionFamily::Rectangle => {
            let half = |rings: usize| 0.5 * rings as f64 / level as f64;
            (half(level - 1 - index), half(level - index))
        }
    }
}

/// A set of regions: families in order, each with its deepest level.
#[derive(Debug, Clone)]
pub struct Regions {
    families: Vec<(RegionFamily, usize)>,
    /// The interval that a box must span to touch each region; made once for all formulas.
    pub(super) grid: Arc<Grid>,
}

impl PartialEq for Regions {
    fn eq(&self, other: &Self) -> bool {
        self.families == other.families
    }
}

impl Eq for Regions {}

impl Regions {
    /// These families, each with its deepest level.
    pub(super) fn of(families: impl IntoIterator<Item = (RegionFamily, usize)>) -> Self {
        let families: Vec<(RegionFamily, usize)> = families.into_iter().collect();
        let grid = Arc::new(Grid::new(walk(&families)));
        Regions { families, grid }
    }

    /// The families, each with its deepest level, in the order written.
    pub fn families(&self) -> &[(RegionFamily, usize)] {
        &self.families
    }

    /// Every region, in the order of bits: the whole formula, then each family
    /// in the order written, levels from 2, regions left to right, top to
    /// bottom, outside to inside.
    pub fn iter(&self) -> impl Iterator<Item = Region> {
        walk(&self.families)
    }

    /// A word as text: `1` for each region that it has, in the order of the notation, else `0`.
    pub fn bit_string(&self, word: u128) -> String {
        let bit = |at: usize| if word >> at & 1 == 1 { '1' } else { '0' };
        (0..self.bits()).map(bit).collect()
    }

    /// How many regions there are, the whole formula included.
    pub fn bits(&self) -> usize {
        1 + (self.families.iter())
            .map(|&(_, levels)| (2..=levels).sum::<usize>())
            .sum::<usize>()
    }

    /// The bits of the first family, of the second, and of the rest; the whole
    /// formula's goes with the first.
    pub(crate) fn field_bits(&self) -> [Range<usize>; 3] {
        let all = self.bits();
        let mut end = 1;
        let mut ends = self.families.iter().map(|&(_, levels)| {
            end += (2..=levels).sum::<usize>();
            end
        });
        let first = ends.next().unwrap_or(all);
        let second = ends.next().unwrap_or(all);
        [0..first, first..second, second..all]
    }

    /// The bits of each level over all families; the first is the whole formula's.
    pub fn level_masks(&self) -> Vec<u128> {
        let deepest = self.families.iter().map(|(_, levels)| *levels).max();
        let mut masks = vec![0; deepest.unwrap_or(1)];
        for region in self.iter() {
            masks[region.level - 1] |= 1 << region.bit;
        }
        masks
    }
}

/// Every region of some families, in the order of bits.
fn walk(families: &[(RegionFamily, usize)]) -> impl Iterator<Item = Region> {
    let first = families
        .first()
        .map_or(RegionFamily::X, |(family, _)| *family);
    let others = families.iter().flat_map(|&(family, levels)| {
        let levels = (2..=levels).flat_map(|level| (0..level).map(move |index| (level, index)));
        levels.map(move |(level, index)| (family, level, index))
    });
    std::iter::once((first, 1, 0))
        .chain(others)
        .enumerate()
        .map(|(bit, (family, level, index))| Region::new(bit, family, level, index))
}

impl FromStr for Regions {
    type Err = NotationError;

    fn from_str(notation: &str) -> Result<Self, NotationError> {
        let refuse = |problem: String| NotationError {
            notation: notation.to_owned(),
            problem,
        };
        let mut families: Vec<(RegionFamily, usize)> = Vec::new();
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
                let family = RegionFamily::of_letter(letter)
                    .ok_or_else(|| refuse(format!("`{letter}` is no kind of region")))?;
                if families.iter().any(|(known, _)| *known == family) {
                    return Err(refuse(format!("`{letter}` comes twice")));
                }
                families.push((family, level));
            }
        }
        let regions = Regions::of(families);
        match regions.bits() {
            _ if regions.families.is_empty() => Err(refuse("it is empty".to_owned())),
            bits if bits > MAX_BITS => Err(refuse(format!(
                "it has {bits} regions where {MAX_BITS} fit a word"
            ))),
            _ => Ok(regions),
        }
    }
}

impl fmt::Display for Regions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for run in self.families.chunk_by(|a, b| a.1 == b.1) {
            for (family, _) in run {
                write!(f, "{}", family.letter())?;
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

    #[test]
    fn regions_are_walked_in_the_order_of_bits() {
        let walked = |notation: &str| -> Vec<(usize, char, usize, usize)> {
            let regions = regions(notation);
            let shown = |r: Region| (r.bit, r.family.letter(), r.level, r.index);
            regions.iter().map(shown).collect()
        };
        let expected = [
            (0, 'y', 1, 0),
            (1, 'y', 2, 0),
            (2, 'y', 2, 1),
            (3, 'o', 2, 0),
            (4, 'o', 2, 1),
            (5, 'o', 3, 0),
            (6, 'o', 3, 1),
            (7, 'o', 3, 2),
        ];
        assert_eq!(walked("y2x1o3"), expected);
        assert_eq!(regions("y2x1o3").field_bits(), [0..3, 3..3, 3..8]);
        assert_eq!(regions("xy7o4").field_bits(), [0..28, 28..55, 55..64]);
        assert_eq!(regions("o4").field_bits(), [0..10, 10..10, 10..10]);
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
