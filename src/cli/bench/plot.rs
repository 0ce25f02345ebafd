//! A plot of time against effectiveness, as SVG.

use std::fmt::Write as _;

use super::report::Row;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 30.0;
const TOP: f64 = 30.0;
const BOTTOM: f64 = 60.0;

/// The measures that are drawn, with their colours.
type Series = (&'static str, &'static str, fn(&Row) -> Option<f64>);

const MEASURES: [Series; 3] = [
    ("nDCG\u{2032}", "#0b6e99", |row| {
        row.measures.map(|m| m.ndcg)
    }),
    ("MAP\u{2032}", "#b3541e", |row| row.measures.map(|m| m.map)),
    ("P\u{2032}@10", "#4c7a34", |row| row.measures.map(|m| m.p10)),
];

const THRESHOLDS: [Series; 1] = [("minimum match", "#0b6e99", |row| Some(row.min_match))];

/// Mean time, with its quartiles as a bar, against each measure; against the
/// threshold where nothing was judged. Points are joined in the order of
/// thresholds, and bear them.
pub(super) fn trade(rows: &[Row]) -> String {
    let is_judged = rows.iter().any(|row| row.measures.is_some());
    let series: &[Series] = if is_judged { &MEASURES } else { &THRESHOLDS };
    let axis = Axis::new(rows);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\">\n<title>Time against {}, by minimum match</title>\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fff\"/>\n",
        if is_judged {
            "effectiveness"
        } else {
            "threshold"
        }
    );
    axis.draw(
        &mut svg,
        if is_judged {
            "measure"
        } else {
            "minimum match"
        },
    );
    for (place, (name, colour, value)) in series.iter().enumerate() {
        let points: Vec<(&Row, f64)> = rows
            .iter()
            .filter_map(|row| Some((row, value(row)?)))
            .collect();
        draw_series(&mut svg, &axis, &points, colour);
        // All measures of a threshold are above each other: one label is enough.
        for (row, value) in points.iter().take_while(|_| place == 0) {
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" font-size=\"10\">{:.0}%</text>",
                axis.x(row.mean_ms),
                y(*value) - 8.0,
                row.min_match * 100.0
            );
        }
        let x = WIDTH - RIGHT - 110.0 * (series.len() - place) as f64 + 10.0;
        let _ = writeln!(
            svg,
            "<circle cx=\"{x}\" cy=\"16\" r=\"4\" fill=\"{colour}\"/><text x=\"{}\" y=\"20\">{name}</text>",
            x + 9.0
        );
    }
    svg.push_str("</svg>\n");
    svg
}

fn draw_series(svg: &mut String, axis: &Axis, points: &[(&Row, f64)], colour: &str) {
    let path: Vec<String> = points
        .iter()
        .map(|(row, value)| format!("{:.1},{:.1}", axis.x(row.mean_ms), y(*value)))
        .collect();
    let _ = writeln!(
        svg,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-opacity=\".5\"/>",
        path.join(" ")
    );
    for (row, value) in points {
        let (x, y) = (axis.x(row.mean_ms), y(*value));
        let _ = writeln!(
            svg,
            "<line x1=\"{:.1}\" x2=\"{:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"{colour}\" stroke-opacity=\".4\"/><circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"{colour}\"/>",
            axis.x(row.q1_ms),
            axis.x(row.q3_ms),
        );
    }
}

/// Time, on a logarithmic scale.
struct Axis {
    /// The powers of ten at its ends.
    low: i32,
    high: i32,
}

impl Axis {
    fn new(rows: &[Row]) -> Self {
        let times = rows
            .iter()
            .flat_map(|row| [row.q1_ms, row.mean_ms, row.q3_ms]);
        let times = times.filter(|ms| *ms > 0.0);
        let (low, high) = times.fold((f64::MAX, f64::MIN), |(low, high), ms| {
            (low.min(ms), high.max(ms))
        });
        if low <= high {
            Axis {
                low: low.log10().floor() as i32,
                high: (high.log10().ceil() as i32).max(low.log10().floor() as i32 + 1),
            }
        } else {
            Axis { low: 0, high: 1 }
        }
    }

    fn x(&self, ms: f64) -> f64 {
        let part = (ms.max(f64::MIN_POSITIVE).log10() - f64::from(self.low))
            / f64::from(self.high - self.low);
        LEFT + part.clamp(0.0, 1.0) * (WIDTH - LEFT - RIGHT)
    }

    fn draw(&self, svg: &mut String, upright: &str) {
        for power in self.low..=self.high {
            let ms = 10f64.powi(power);
            let x = self.x(ms);
            let _ = writeln!(
                svg,
                "<line x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{TOP}\" y2=\"{}\" stroke=\"#ddd\"/><text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{ms}</text>",
                HEIGHT - BOTTOM,
                HEIGHT - BOTTOM + 18.0
            );
        }
        for tenth in (0..=10).step_by(2) {
            let value = f64::from(tenth) / 10.0;
            let y = y(value);
            let _ = writeln!(
                svg,
                "<line x1=\"{LEFT}\" x2=\"{}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"#ddd\"/><text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{value:.1}</text>",
                WIDTH - RIGHT,
                LEFT - 8.0,
                y + 4.0
            );
        }
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">mean time of a query, ms (bar: quartiles)</text><text transform=\"translate(20 {}) rotate(-90)\" text-anchor=\"middle\">{upright}</text>",
            (LEFT + WIDTH - RIGHT) / 2.0,
            HEIGHT - 16.0,
            (TOP + HEIGHT - BOTTOM) / 2.0
        );
    }
}

/// Where a value from 0 to 1 is drawn.
fn y(value: f64) -> f64 {
    TOP + (1.0 - value.clamp(0.0, 1.0)) * (HEIGHT - TOP - BOTTOM)
}
