//! A plot of time against effectiveness, as SVG.

use std::fmt::Write as _;

use super::Row;
use crate::plot::{Area, STYLE, Scale};

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 400.0;
const AREA: Area = Area {
    left: 70.0,
    right: WIDTH - 30.0,
    top: 30.0,
    bottom: HEIGHT - 60.0,
};

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

/// Plots mean time, with its quartiles as a bar, against each measure, or against the minimum
/// match where nothing was judged. Points are joined in the order of minimum matches, which stand
/// above them.
pub fn plot(rows: &[Row]) -> String {
    let is_judged = rows.iter().any(|row| row.measures.is_some());
    let (series, title, upright): (&[Series], _, _) = if is_judged {
        (&MEASURES, "effectiveness", "measure")
    } else {
        (&THRESHOLDS, "threshold", "minimum match")
    };
    let axes = Axes::new(rows);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\">\n<title>Time against {title}, by minimum match</title>{STYLE}\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fff\"/>\n"
    );
    axes.draw(&mut svg, upright);
    for (place, (name, colour, value)) in series.iter().enumerate() {
        let points: Vec<(&Row, f64)> = rows
            .iter()
            .filter_map(|row| Some((row, value(row)?)))
            .collect();
        draw_series(&mut svg, &axes, &points, colour);
        if place == 0 {
            // All measures of a threshold are above each other: one label is enough.
            draw_labels(&mut svg, &axes, &points);
        }
        let x = AREA.right - 110.0 * (series.len() - place) as f64 + 10.0;
        let _ = writeln!(
            svg,
            "<circle cx=\"{x}\" cy=\"16\" r=\"4\" fill=\"{colour}\"/><text x=\"{}\" y=\"20\">{name}</text>",
            x + 9.0
        );
    }
    svg.push_str("</svg>\n");
    svg
}

/// Writes the minimum match above each point.
fn draw_labels(svg: &mut String, axes: &Axes, points: &[(&Row, f64)]) {
    for (row, value) in points {
        let (x, y) = (axes.x(row.mean_ms), axes.y(*value) - 8.0);
        let percent = row.min_match * 100.0;
        let _ = writeln!(
            svg,
            "<text class=\"below\" x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"10\">{percent:.0}%</text>"
        );
    }
}

fn draw_series(svg: &mut String, axes: &Axes, points: &[(&Row, f64)], colour: &str) {
    let path: Vec<String> = points
        .iter()
        .map(|(row, value)| format!("{:.1},{:.1}", axes.x(row.mean_ms), axes.y(*value)))
        .collect();
    let _ = writeln!(
        svg,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-opacity=\".5\"/>",
        path.join(" ")
    );
    for (row, value) in points {
        let (x, y) = (axes.x(row.mean_ms), axes.y(*value));
        let (q1, q3) = (axes.x(row.q1_ms), axes.x(row.q3_ms));
        let _ = writeln!(
            svg,
            "<line x1=\"{q1:.1}\" x2=\"{q3:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"{colour}\" stroke-opacity=\".4\"/><circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"{colour}\"/>"
        );
    }
}

/// The powers of ten, as exponents, between which all times lie.
fn powers(rows: &[Row]) -> (i32, i32) {
    let times = rows
        .iter()
        .flat_map(|row| [row.q1_ms, row.mean_ms, row.q3_ms]);
    let logs: Vec<f64> = times.filter(|ms| *ms > 0.0).map(f64::log10).collect();
    let low = logs.iter().copied().fold(f64::INFINITY, f64::min).floor();
    let high = logs
        .iter()
        .copied()
        .fold(f64::NEG_INFINITY, f64::max)
        .ceil();
    if low <= high {
        (low as i32, (high as i32).max(low as i32 + 1))
    } else {
        (0, 1)
    }
}

/// The logarithmic scale of time, and the scale of the values that it is plotted against.
struct Axes {
    powers: (i32, i32),
    time: Scale,
    upright: Scale,
}

impl Axes {
    fn new(rows: &[Row]) -> Self {
        let powers = powers(rows);
        Axes {
            powers,
            time: AREA.level(f64::from(powers.0), f64::from(powers.1)),
            upright: AREA.upright(0.0, 1.0),
        }
    }

    fn x(&self, ms: f64) -> f64 {
        self.time.at(ms.max(f64::MIN_POSITIVE).log10())
    }

    fn y(&self, value: f64) -> f64 {
        self.upright.at(value)
    }

    fn draw(&self, svg: &mut String, upright: &str) {
        for power in self.powers.0..=self.powers.1 {
            let ms = 10f64.powi(power);
            AREA.upright_rule(svg, self.x(ms), &ms.to_string());
        }
        for tenth in (0..=10).step_by(2) {
            let value = f64::from(tenth) / 10.0;
            AREA.rule(svg, self.y(value), "line", &format!("{value:.1}"));
        }
        let (x, y) = (
            (AREA.left + AREA.right) / 2.0,
            (AREA.top + AREA.bottom) / 2.0,
        );
        let _ = writeln!(
            svg,
            "<text class=\"below\" x=\"{x}\" y=\"{}\">mean time of a query, ms (bar: quartiles)</text><text class=\"below\" transform=\"translate(20 {y}) rotate(-90)\">{upright}</text>",
            HEIGHT - 16.0
        );
    }
}
