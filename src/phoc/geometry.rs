//! In which regions a box stands.

use bitvec::array::BitArray;
use bitvec::order::Lsb0;
use serde::{Deserialize, Serialize};

use super::{MAX_BITS, Part, Regions};
use crate::layout::Rect;

/// Regions before they are packed into a word, the first region first.
pub(super) type RegionSet = BitArray<[u64; MAX_BITS / 64], Lsb0>;

/// Boxes that come this near, in parts of the formula's size, touch.
const TOLERANCE: f64 = 1e-6;

/// What stands for a symbol when regions are asked which of them it meets.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Representation {
    /// Its whole box, as in the paper of 2022.
    Box,
    /// The box's width at its vertical centre, as in the system of 2021.
    #[default]
    Line,
    /// The centre of its box.
    Centroid,
}

impl Representation {
    /// What of `rect` stands for it.
    pub fn of(self, rect: &Rect) -> Rect {
        let (x, y) = rect.center();
        match self {
            Representation::Box => *rect,
            Representation::Line => Rect {
                y0: y,
                y1: y,
                ..*rect
            },
            Representation::Centroid => Rect::new(x, y, x, y),
        }
    }
}

/// `rect` as parts of `whole`; a direction in which `whole` has no extent is
/// filled, as by a symbol that spans it.
pub(super) fn normalized(rect: &Rect, whole: &Rect) -> Rect {
    let scaled = |low: f64, high: f64, from: f64, size: f64| match size > 0.0 {
        true => ((low - from) / size, (high - from) / size),
        false => (0.0, 1.0),
    };
    let (x0, x1) = scaled(rect.x0, rect.x1, whole.x0, whole.width());
    let (y0, y1) = scaled(rect.y0, rect.y1, whole.y0, whole.height());
    Rect { x0, y0, x1, y1 }
}

/// The regions that a box within the unit square meets: the whole formula,
/// then each part in order, levels from 2, regions in order.
pub(super) fn regions_met(rect: &Rect, regions: &Regions) -> RegionSet {
    let mut met = RegionSet::ZERO;
    met.set(0, true);
    let mut bit = 1;
    for &(part, levels) in regions.parts() {
        for level in 2..=levels {
            for region in 0..level {
                met.set(bit, meets(rect, part, level, region));
                bit += 1;
            }
        }
    }
    met
}

/// Whether `rect` touches one region of a level.
fn meets(rect: &Rect, part: Part, level: usize, region: usize) -> bool {
    match part {
        Part::X => meets_strip(rect.x0, rect.x1, level, region),
        Part::Y => meets_strip(rect.y0, rect.y1, level, region),
        Part::Ellipse => {
            // Ellipses of the formula's shape are circles of the unit square.
            // Region 0 is what the inscribed circle leaves of the corners.
            let radius = |rings: usize| 0.5 * rings as f64 / (level - 1) as f64;
            let reaches_in = region == 0 || nearest(rect) <= radius(level - region) + TOLERANCE;
            reaches_in && farthest(rect) >= radius(level - 1 - region) - TOLERANCE
        }
        Part::Rectangle => {
            let half = |rings: usize| 0.5 * rings as f64 / level as f64;
            let (dx, dy) = near_offsets(rect);
            let (fx, fy) = far_offsets(rect);
            dx.max(dy) <= half(level - region) + TOLERANCE
                && fx.max(fy) >= half(level - 1 - region) - TOLERANCE
        }
    }
}

fn meets_strip(low: f64, high: f64, level: usize, region: usize) -> bool {
    let edge = |strip: usize| strip as f64 / level as f64;
    high >= edge(region) - TOLERANCE && low <= edge(region + 1) + TOLERANCE
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

fn nearest(rect: &Rect) -> f64 {
    let (dx, dy) = near_offsets(rect);
    dx.hypot(dy)
}

fn farthest(rect: &Rect) -> f64 {
    let (dx, dy) = far_offsets(rect);
    dx.hypot(dy)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn bits(rect: Rect, notation: &str) -> String {
        let regions: Regions = notation.parse().unwrap();
        let met = regions_met(&rect, &regions);
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
    fn sampled(rect: &Rect, part: Part, level: usize, region: usize) -> bool {
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
    fn holds(x: f64, y: f64, part: Part, level: usize) -> usize {
        let strip = |v: f64| ((v * level as f64) as usize).min(level - 1);
        let inwards = |size: f64, rings: usize| {
            (0..rings)
                .filter(|ring| size < 1.0 - *ring as f64 / rings as f64)
                .count()
        };
        let (dx, dy) = ((x - 0.5).abs() * 2.0, (y - 0.5).abs() * 2.0);
        match part {
            Part::X => strip(x),
            Part::Y => strip(y),
            Part::Ellipse => inwards(dx.hypot(dy), level - 1),
            Part::Rectangle => inwards(dx.max(dy), level).max(1) - 1,
        }
    }

    proptest! {
        /// Every region that a sampled point of a box lies in is met by the box.
        #[test]
        fn sampled_points_are_in_regions_met(
            a in (0.0..=1.0, 0.0..=1.0), b in (0.0..=1.0, 0.0..=1.0), level in 2usize..8,
        ) {
            let rect = Rect::new(a.0, a.1, b.0, b.1);
            for part in [Part::X, Part::Y, Part::Ellipse, Part::Rectangle] {
                for region in 0..level {
                    if sampled(&rect, part, level, region) {
                        prop_assert!(meets(&rect, part, level, region), "{part:?} {level} {region}");
                    }
                }
            }
        }

        /// Each level covers the box: every point is in one region, or two at an edge.
        #[test]
        fn a_point_is_in_one_region_of_a_level(x in 0.0..=1.0, y in 0.0..=1.0, level in 2usize..11) {
            let point = Rect::new(x, y, x, y);
            for part in [Part::X, Part::Y, Part::Ellipse, Part::Rectangle] {
                let met = (0..level).filter(|region| meets(&point, part, level, *region)).count();
                prop_assert!((1..=2).contains(&met), "{part:?} {level}: {met}");
            }
        }
    }
}
