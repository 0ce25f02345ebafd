//! Axis-aligned boxes.

use serde::Serialize;

/// An axis-aligned box; x grows to the right, y downwards, as on a page.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rect {
    /// Left edge.
    pub x0: f64,
    /// Top edge.
    pub y0: f64,
    /// Right edge, at least `x0`.
    pub x1: f64,
    /// Bottom edge, at least `y0`.
    pub y1: f64,
}

impl Rect {
    /// The box between two corners, given in any order.
    pub fn new(ax: f64, ay: f64, bx: f64, by: f64) -> Self {
        Rect {
            x0: ax.min(bx),
            y0: ay.min(by),
            x1: ax.max(bx),
            y1: ay.max(by),
        }
    }

    /// The smallest box around all `points`, or `None` where there are none.
    pub fn around(points: impl IntoIterator<Item = (f64, f64)>) -> Option<Self> {
        points
            .into_iter()
            .map(|(x, y)| Rect::new(x, y, x, y))
            .reduce(|a, b| a.union(&b))
    }

    /// The smallest box that holds both.
    pub fn union(&self, other: &Rect) -> Rect {
        Rect {
            x0: self.x0.min(other.x0),
            y0: self.y0.min(other.y0),
            x1: self.x1.max(other.x1),
            y1: self.y1.max(other.y1),
        }
    }

    /// The intersection of both boxes; an empty one becomes a box without extent.
    pub fn intersection(&self, other: &Rect) -> Rect {
        let x0 = self.x0.max(other.x0);
        let y0 = self.y0.max(other.y0);
        Rect {
            x0,
            y0,
            x1: self.x1.min(other.x1).max(x0),
            y1: self.y1.min(other.y1).max(y0),
        }
    }

    /// The box with every coordinate multiplied by `factor`, which is not negative.
    pub fn scaled(&self, factor: f64) -> Rect {
        Rect {
            x0: self.x0 * factor,
            y0: self.y0 * factor,
            x1: self.x1 * factor,
            y1: self.y1 * factor,
        }
    }

    /// The box moved by `x` to the right and `y` downwards.
    pub fn moved(&self, x: f64, y: f64) -> Rect {
        Rect {
            x0: x + self.x0,
            y0: y + self.y0,
            x1: x + self.x1,
            y1: y + self.y1,
        }
    }

    /// Horizontal extent.
    pub fn width(&self) -> f64 {
        self.x1 - self.x0
    }

    /// Vertical extent.
    pub fn height(&self) -> f64 {
        self.y1 - self.y0
    }

    /// The point in the middle.
    pub fn center(&self) -> (f64, f64) {
        ((self.x0 + self.x1) / 2.0, (self.y0 + self.y1) / 2.0)
    }

    /// Whether the point lies inside or on the edge.
    pub fn contains(&self, (x, y): (f64, f64)) -> bool {
        (self.x0..=self.x1).contains(&x) && (self.y0..=self.y1).contains(&y)
    }

    /// Whether every edge is a finite number.
    pub fn is_finite(&self) -> bool {
        [self.x0, self.y0, self.x1, self.y1]
            .iter()
            .all(|edge| edge.is_finite())
    }
}

impl Serialize for Rect {
    /// As `[x0, y0, x1, y1]`.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        [self.x0, self.y0, self.x1, self.y1].serialize(serializer)
    }
}
