//! Parts of all plots: scales, the plotted area, grid lines and their numbers.

use std::fmt::Write;

/// How lines, the zero line and numbers look; a plot that stands alone has these as its style.
#[cfg(feature = "bench")]
pub(crate) const STYLE: &str = "<style>.line{stroke:#ddd}.zero{stroke:#333}.value{text-anchor:end}\
    .below{text-anchor:middle}</style>";

/// Values from `low` to `high` are drawn at `from` to `to`; values beyond are drawn at the ends.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scale {
    pub(crate) low: f64,
    pub(crate) high: f64,
    pub(crate) from: f64,
    pub(crate) to: f64,
}

impl Scale {
    /// Where a value is drawn.
    pub(crate) fn at(&self, value: f64) -> f64 {
        let part = (value - self.low) / (self.high - self.low);
        self.from + part.clamp(0.0, 1.0) * (self.to - self.from)
    }
}

/// The edges of the plotted area.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Area {
    pub(crate) left: f64,
    pub(crate) right: f64,
    pub(crate) top: f64,
    pub(crate) bottom: f64,
}

impl Area {
    /// The scale of upright values.
    pub(crate) fn upright(&self, low: f64, high: f64) -> Scale {
        Scale {
            low,
            high,
            from: self.bottom,
            to: self.top,
        }
    }

    /// The scale of values from left to right.
    #[cfg(feature = "bench")]
    pub(crate) fn level(&self, low: f64, high: f64) -> Scale {
        Scale {
            low,
            high,
            from: self.left,
            to: self.right,
        }
    }

    /// A line across the area at `y`, with its number at the left.
    pub(crate) fn rule(&self, svg: &mut String, y: f64, class: &str, number: &str) {
        let Area { left, right, .. } = self;
        let (x, base) = (left - 5.0, y + 4.0);
        // Writing to a string cannot fail.
        let _ = write!(
            svg,
            r#"<path class="{class}" d="M{left} {y:.1}H{right}"/><text class="value" x="{x}" y="{base:.1}">{number}</text>"#
        );
    }

    /// An upright line through the area at `x`, with its number below.
    #[cfg(feature = "bench")]
    pub(crate) fn upright_rule(&self, svg: &mut String, x: f64, number: &str) {
        let Area { top, bottom, .. } = self;
        let base = bottom + 18.0;
        let _ = write!(
            svg,
            r#"<path class="line" d="M{x:.1} {top}V{bottom}"/><text class="below" x="{x:.1}" y="{base}">{number}</text>"#
        );
    }
}
