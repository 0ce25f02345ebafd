//! Which regions a box touches.

use std::fmt;
use std::str::FromStr;

use bitvec::array::BitArray;
use bitvec::order::Lsb0;
use serde::{Deserialize, Serialize};

use super::{MAX_BITS, Region, RegionFamily};
use crate::layout::Rect;
use crate::names::{UnknownName, by_name};

/// Regions before they are packed into a word, the first region first.
pub(super) type RegionSet = BitArray<[u64; MAX_BITS / 64], Lsb0>;

/// Boxes that come this near, in parts of the formula's size, touch.
const TOLERANCE: f64 = 1e-6;

/// The part of a symbol's box that must touch a region for the symbol to be in it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Anchor {
    /// Its whole box, as in the paper of 2022.
    Box,
    /// The box's width at its vertical centre, as in the system of 2021.
    #[default]
    Line,
    /// The centre of its box.
    Centroid,
}

impl fmt::Display for Anchor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Anchor::Box => "box",
            Anchor::Line => "line",
            Anchor::Centroid => "centroid",
        })
    }
}

impl FromStr for Anchor {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        by_name(&[Anchor::Box, Anchor::Line, Anchor::Centroid], text)
    }
}

impl Anchor {
    /// This part of `rect`.
    pub fn of(self, rect: &Rect) -> Rect {
        let (x, y) = rect.center();
        match self {
            Anchor::Box => *rect,
            Anchor::Line => Rect {
                y0: y,
                y1: y,
                ..*rect
            },
            Anchor::Centroid => Rect::new(x, y, x, y),
        }
    }
}

/// `rect` as parts of `whole`; a direction in which `whole` has no extent is
/// filled, as by a symbol that spans it.
pub(super) fn normalized(rect: &Rect, whole: &Rect) -> Rect {
    let scaled = |low: f64, high: f64, from: f64, size: f64| {
        if size > 0.0 {
            ((low - from) / size, (high - from) / size)
        } else {
            (0.0, 1.0)
        }
    };
    let (x0, x1) = scaled(rect.x0, rect.x1, whole.x0, whole.width());
    let (y0, y1) = scaled(rect.y0, rect.y1, whole.y0, whole.height());
    Rect { x0, y0, x1, y1 }
}

/// The regions of a formula, each as the interval that a box must span to touch it.
///
/// In every family a box spans some interval: of x, of y, of distance from the
/// centre. It meets a region when this interval meets the region's.
#[derive(Debug)]
pub(super) struct Grid {
    /// Each region, in the order of bits.
    bounds: Vec<Bounds>,
}

#[derive(Debug)]
struct Bounds {
    family: RegionFamily,
    low: f64,
    high: f64,
}

impl Grid {
    pub(super) fn new(regions: impl Iterator<Item = Region>) -> Self {
        let bounds = regions.map(|region| Bounds {
            family: region.family,
            low: region.span.0 - TOLERANCE,
            high: region.span.1 + TOLERANCE,
        });
        Grid {
            bounds: bounds.collect(),
        }
    }

    /// The regions that a box within the unit square meets.
    pub(super) fn met(&self, rect: &Rect) -> RegionSet {
        let (near, far) = (near_offsets(rect), far_offsets(rect));
        let mut spans = [(0.0, 0.0); 4];
        spans[RegionFamily::X as usize] = (rect.x0, rect.x1);
        spans[RegionFamily::Y as usize] = (rect.y0, rect.y1);
        spans[RegionFamily::Ellipse as usize] = (distance(near), distance(far));
        spans[RegionFamily::Rectangle as usize] = (near.0.max(near.1), far.0.max(far.1));
        let mut met = RegionSet::ZERO;
        let words = met.as_raw_mut_slice().iter_mut();
        for (word, bounds) in words.zip(self.bounds.chunks(64)) {
            for (bit, bounds) in bounds.iter().enumerate() {
                let (low, high) = spans[bounds.family as usize];
                // Without branches, which would be guessed wrong too often.
                *word |= u64::from((high >= bounds.low) & (low <= bounds.high)) << bit;
            }
        }
        met
    }
}

/// Not `hypot`, whose last bit depends on the platform.
fn distance((x, y): (f64, f64)) -> f64 {
    (x * x + y * y).sqrt()
}

/// How far the nearest point of `rect` is from the centre, by direction.
fn near_offsets(rect: &Rect) -> (f64, f64) {
    let gap = |low: f64, high: f64| (low - 0.5).max(0.5 - high).max(0.0);
    (gap(rect.x0, rect.x1), gap(rect.y0, rect.y1))
}

/// How far the farthest corner of `rect` is from the centre, by direction.
fn far_offsets(rect: &Rect) -> (f64, f64) {
    let reach = |low: f64, high: f64| (0.5 - low).abs().max((high - 0.5).abs());
    (reach(rect.x0, rect.x1), reach(rect.y0, rect.y1))
}

#[cfg(test)]
mod tests {
    use crate::phoc::Regions;
    use proptest::prelude::*;

    use super::*;

    fn bits(rect: Rect, notation: &str) -> String {
        let regions: Regions = notation.parse().unwrap();
        let met = regions.grid.met(&rect);
        met[..regions.bits()]
            .iter()
            .map(|bit| if *bit { '1' } else { '0' })
            .collect()
    }

    #[test]
    fn strips_rings_and_their_edges() {
        let point = |x, y| Rect::new(x, y, x, y);
        assert_eq!(bits(point(0.1, 0.9), "xy2"), "11001");
        assert_eq!(
            bits(point(0.5, 0.5), "xy2"),
            "11111",
            "an edge counts for both"
        );
        assert_eq!(
            bits(point(0.5, 0.5), "o3"),
            "101001",
            "the centre is innermost"
        );
        assert_eq!(
            bits(point(0.02, 0.02), "o3"),
            "110100",
            "a corner is outermost"
        );
        assert_eq!(bits(point(0.5, 0.2), "o3"), "101010");
        assert_eq!(bits(point(0.5, 0.3), "r3"), "101010");
        assert_eq!(bits(point(0.5, 0.1), "r3"), "110100");
        assert_eq!(bits(Rect::new(0.0, 0.0, 1.0, 1.0), "xyor3"), "1".repeat(21));
    }

    /// A unit square, sampled: a plain and slow membership by points.
    fn sampled(rect: &Rect, part: RegionFamily, level: usize, region: usize) -> bool {
        const STEPS: usize = 60;
        let along =
            |low: f64, high: f64, step: usize| low + (high - low) * step as f64 / STEPS as f64;
        (0..=STEPS).any(|i| {
            (0..=STEPS).any(|j| {
                let (x, y) = (along(rect.x0, rect.x1, i), along(rect.y0, rect.y1, j));
                holds(x, y, part, level) == region
            })
        })
    }

    /// The region of a level that holds a point, edges going to either side.
    fn holds(x: f64, y: f64, part: RegionFamily, level: usize) -> usize {
        let strip = |v: f64| ((v * level as f64) as usize).min(level - 1);
        let inwards = |size: f64, rings: usize| {
            (0..rings)
                .filter(|ring| size < 1.0 - *ring as f64 / rings as f64)
                .count()
        };
        let (dx, dy) = ((x - 0.5).abs() * 2.0, (y - 0.5).abs() * 2.0);
        match part {
            RegionFamily::X => strip(x),
            RegionFamily::Y => strip(y),
            RegionFamily::Ellipse => inwards(dx.hypot(dy), level - 1),
            RegionFamily::Rectangle => inwards(dx.max(dy), level).max(1) - 1,
        }
    }

    /// The regions of one level that a box meets.
    fn met_at(rect: &Rect, part: RegionFamily, level: usize) -> Vec<bool> {
        let bits = Regions::of([(part, level)]).grid.met(rect);
        let first = 1 + (2..level).sum::<usize>();
        bits[first..first + level].iter().by_vals().collect()
    }

    proptest! {
        /// Every region that a sampled point of a box lies in is met by the box.
        #[test]
        fn sampled_points_are_in_regions_met(
            a in (0.0..=1.0, 0.0..=1.0), b in (0.0..=1.0, 0.0..=1.0), level in 2usize..8,
        ) {
            let rect = Rect::new(a.0, a.1, b.0, b.1);
            for part in [RegionFamily::X, RegionFamily::Y, RegionFamily::Ellipse, RegionFamily::Rectangle] {
                for (region, met) in met_at(&rect, part, level).into_iter().enumerate() {
                    if sampled(&rect, part, level, region) {
                        prop_assert!(met, "{part:?} {level} {region}");
                    }
                }
            }
        }

        /// Each level covers the box: every point is in one region, or two at an edge.
        #[test]
        fn a_point_is_in_one_region_of_a_level(x in 0.0..=1.0, y in 0.0..=1.0, level in 2usize..11) {
            let point = Rect::new(x, y, x, y);
            for part in [RegionFamily::X, RegionFamily::Y, RegionFamily::Ellipse, RegionFamily::Rectangle] {
                let met = met_at(&point, part, level).into_iter().filter(|met| *met).count();
                prop_assert!((1..=2).contains(&met), "{part:?} {level}: {met}");
            }
        }
    }
}
