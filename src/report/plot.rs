//! Differences to the baseline, topic by topic.

use std::fmt::Write;

use super::{Judged, Report};
use crate::eval::Compared;
use crate::markup::escaped;

const WIDTH: f64 = 1100.0;
const HEIGHT: f64 = 264.0;
const LEFT: f64 = 46.0;
const RIGHT: f64 = 6.0;
const TOP: f64 = 10.0;
const BOTTOM: f64 = 46.0;
/// The part of a topic's place that its bars fill.
const FILLED: f64 = 0.8;
/// The narrowest place with room for a topic's name, and the largest name.
const NAMED: f64 = 6.0;
const LARGEST: f64 = 11.0;

/// Colours of runs that are told apart by all (Okabe and Ito).
const COLOURS: [&str; 7] = [
    "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#000000",
];

/// A colour for each run: the baseline is grey.
pub(super) fn colours(report: &Report) -> String {
    let others = report.others().zip(COLOURS.iter().cycle());
    let others = others.map(|((at, _), colour)| (at, *colour));
    std::iter::once((report.baseline, "#777777"))
        .chain(others)
        .map(|(at, colour)| format!(".r{at}{{background:{colour};fill:{colour}}}\n"))
        .collect()
}

impl Report<'_> {
    /// The plot of one measure, where there is something to compare. Each topic is
    /// a group, which the script moves.
    pub(super) fn plot(&self, topics: &[Judged], (key, name, of): &Compared) -> String {
        let baseline = &self.runs[self.baseline];
        let difference = |topic: &Judged| -> Vec<(usize, f64)> {
            let of_run = |topics: &std::collections::BTreeMap<_, _>| of(&topics[topic.number]);
            let others = self.others();
            others
                .map(|(at, run)| (at, of_run(&run.topics) - of_run(&baseline.topics)))
                .collect()
        };
        let differences: Vec<Vec<(usize, f64)>> = topics.iter().map(difference).collect();
        if self.runs.len() < 2 {
            return String::new();
        }
        let all = differences.iter().flatten();
        let farthest = all.fold(0.1, |far: f64, (_, difference)| far.max(difference.abs()));
        let axis = Axis {
            reach: (farthest * 10.0).ceil() / 10.0,
            place: (WIDTH - LEFT - RIGHT) / topics.len().max(1) as f64,
        };
        let hidden = if *key == "ndcg" { "" } else { " hidden" };
        let mut svg = format!(
            r#"<figure data-measure="{key}"{hidden}><figcaption>{name} of each topic less the baseline's</figcaption>
<svg class="plot" viewBox="0 0 {WIDTH} {HEIGHT}" data-left="{LEFT}" data-place="{:.3}">"#,
            axis.place
        );
        axis.draw(&mut svg);
        for (at, (topic, differences)) in topics.iter().zip(&differences).enumerate() {
            axis.draw_topic(&mut svg, self, (at, topic), differences);
        }
        svg + "</svg></figure>\n"
    }
}

struct Axis {
    /// The difference at its ends.
    reach: f64,
    /// How wide a topic's place is.
    place: f64,
}

impl Axis {
    fn y(&self, difference: f64) -> f64 {
        let part = (1.0 - difference / self.reach) / 2.0;
        TOP + part * (HEIGHT - TOP - BOTTOM)
    }

    fn draw(&self, svg: &mut String) {
        for part in [-1.0, -0.5, 0.0, 0.5, 1.0] {
            let (value, right) = (part * self.reach, WIDTH - RIGHT);
            let y = self.y(value);
            let class = if part == 0.0 { "zero" } else { "line" };
            // Writing to a string cannot fail.
            let _ = write!(
                svg,
                r#"<path class="{class}" d="M{LEFT} {y:.1}H{right}"/><text class="value" x="{}" y="{:.1}">{value:+.2}</text>"#,
                LEFT - 5.0,
                y + 4.0
            );
        }
    }

    fn draw_topic(
        &self,
        svg: &mut String,
        report: &Report,
        (at, topic): (usize, &Judged),
        differences: &[(usize, f64)],
    ) {
        let number = escaped(topic.number);
        let told: Vec<String> = differences
            .iter()
            .map(|(run, difference)| {
                format!("{} {difference:+.3}", escaped(&report.runs[*run].name))
            })
            .collect();
        let _ = write!(
            svg,
            r##"<a class="topic" href="#t{at}" data-at="{at}" transform="translate({:.2} 0)"><title>{number}: {}</title>"##,
            LEFT + self.place * at as f64,
            told.join(", ")
        );
        let width = self.place * FILLED / differences.len().max(1) as f64;
        let mut x = self.place * (1.0 - FILLED) / 2.0;
        for (run, difference) in differences {
            let (zero, end) = (self.y(0.0), self.y(*difference));
            // What does not differ is a line.
            let (top, height) = (zero.min(end), (zero - end).abs().max(0.6));
            let _ = write!(
                svg,
                r#"<rect class="r{run}" x="{x:.2}" y="{top:.1}" width="{width:.2}" height="{height:.1}"/>"#
            );
            x += width;
        }
        if self.place >= NAMED {
            let size = (self.place - 1.0).min(LARGEST);
            let _ = write!(
                svg,
                r#"<text transform="translate({:.1} {:.0})rotate(-90)" font-size="{size:.1}">{number}</text>"#,
                self.place / 2.0 + size * 0.35,
                HEIGHT - BOTTOM + 6.0
            );
        }
        svg.push_str("</a>");
    }
}
