//! Differences to the baseline, topic by topic.

use std::fmt::Write;

use super::{JudgedTopic, Report};
use crate::escape::escaped;
use crate::eval::{Evaluated, MEASURES, Measure};
use crate::plot::{Area, Scale};

const WIDTH: f64 = 1100.0;
/// The height of the plotted area.
const PLOTTED: f64 = 208.0;
const LEFT: f64 = 46.0;
const RIGHT: f64 = 6.0;
const TOP: f64 = 10.0;
const AREA: Area = Area {
    left: LEFT,
    right: WIDTH - RIGHT,
    top: TOP,
    bottom: TOP + PLOTTED,
};
/// The part of a topic's place that its bars fill.
const FILLED: f64 = 0.8;
/// The narrowest place with room for a topic's name, and the largest name.
const NAMED: f64 = 6.0;
const LARGEST: f64 = 11.0;
/// How wide a letter of a name is, to its size.
const LETTER: f64 = 0.62;

/// Colours that everyone can distinguish (Okabe and Ito), then more that most people can.
const COLOURS: [&str; 12] = [
    "#0072b2",
    "#e69f00",
    "#009e73",
    "#cc79a7",
    "#56b4e9",
    "#d55e00",
    "currentColor",
    "#7a4fb5",
    "#8a6d00",
    "#a50f15",
    "#66c2a5",
    "#b3b300",
];

/// A colour for each run: the baseline is grey.
pub(super) fn colours(report: &Report) -> String {
    let others = COLOURS.iter().cycle().take(report.others.len());
    (std::iter::once(&"#777777").chain(others).enumerate())
        .map(|(at, colour)| {
            // On dark paper a colour is lighter.
            let shown = format!("color-mix(in oklab,{colour},light-dark({colour},#fff) 25%)");
            format!(".r{at}{{background:{shown};fill:{shown}}}\n")
        })
        .collect()
}

impl Report<'_> {
    /// The plot of one measure, where there is something to compare. Each topic is
    /// a group, which the script moves.
    pub(super) fn plot(&self, topics: &[JudgedTopic], measure: &Measure) -> String {
        if self.others.is_empty() {
            return String::new();
        }
        let difference = |topic: &JudgedTopic| -> Vec<f64> {
            let of_run = |run: &Evaluated| run.of_topic(topic.number, measure);
            let others = self.others.iter();
            others
                .map(|run| of_run(run) - of_run(self.baseline))
                .collect()
        };
        let differences: Vec<Vec<f64>> = topics.iter().map(difference).collect();
        let all = differences.iter().flatten();
        let farthest = all.fold(0.1, |far: f64, difference| far.max(difference.abs()));
        let axis = Axis::new(farthest, topics);
        let Measure { key, name, .. } = measure;
        let hidden = if *key == MEASURES[0].key {
            ""
        } else {
            " hidden"
        };
        let mut svg = format!(
            r#"<figure data-measure="{key}"{hidden}><figcaption>{name} of each topic less the baseline's</figcaption>
<svg class="plot" viewBox="0 0 {WIDTH} {:.0}" data-left="{LEFT}" data-place="{:.3}">"#,
            axis.height, axis.place
        );
        axis.draw(&mut svg);
        for (at, (topic, differences)) in topics.iter().zip(&differences).enumerate() {
            axis.draw_topic(&mut svg, self, at, topic, differences);
        }
        svg + "</svg></figure>\n"
    }
}

struct Axis {
    /// The difference at the ends of the upright scale.
    reach: f64,
    upright: Scale,
    /// How wide a topic's place is.
    place: f64,
    /// How large its name is, where there is room for one.
    name: Option<f64>,
    /// The height of the whole plot.
    height: f64,
}

impl Axis {
    fn new(farthest: f64, topics: &[JudgedTopic]) -> Self {
        let place = (WIDTH - LEFT - RIGHT) / topics.len().max(1) as f64;
        let name = (place >= NAMED).then(|| (place - 1.0).min(LARGEST));
        let longest = topics
            .iter()
            .map(|topic| topic.number.chars().count())
            .max();
        let room = name.unwrap_or(0.0) * LETTER * longest.unwrap_or(0) as f64;
        let reach = (farthest * 10.0).ceil() / 10.0;
        Axis {
            reach,
            upright: AREA.upright(-reach, reach),
            place,
            name,
            height: TOP + PLOTTED + 12.0 + room,
        }
    }

    fn draw(&self, svg: &mut String) {
        for part in [-1.0, -0.5, 0.0, 0.5, 1.0] {
            let value = part * self.reach;
            let class = if part == 0.0 { "zero" } else { "line" };
            AREA.rule(svg, self.upright.at(value), class, &format!("{value:+.2}"));
        }
    }

    fn draw_topic(
        &self,
        svg: &mut String,
        report: &Report,
        at: usize,
        topic: &JudgedTopic,
        differences: &[f64],
    ) {
        let number = escaped(topic.number);
        let shown: Vec<String> = (report.others.iter().zip(differences))
            .map(|(run, difference)| format!("{} {difference:+.3}", escaped(&run.name)))
            .collect();
        let _ = write!(
            svg,
            r##"<a class="topic" href="#t{at}" data-at="{at}" transform="translate({:.2} 0)"><title>{number}: {}</title>"##,
            LEFT + self.place * at as f64,
            shown.join(", ")
        );
        let width = self.place * FILLED / differences.len().max(1) as f64;
        let mut x = self.place * (1.0 - FILLED) / 2.0;
        for (run, difference) in (1..).zip(differences) {
            let (zero, end) = (self.upright.at(0.0), self.upright.at(*difference));
            // A difference of 0 is drawn as a line.
            let (top, height) = (zero.min(end), (zero - end).abs().max(0.6));
            let _ = write!(
                svg,
                r#"<rect class="r{run}" x="{x:.2}" y="{top:.1}" width="{width:.2}" height="{height:.1}"/>"#
            );
            x += width;
        }
        if let Some(size) = self.name {
            let _ = write!(
                svg,
                r#"<text transform="translate({:.1} {:.0})rotate(-90)" font-size="{size:.1}">{number}</text>"#,
                self.place / 2.0 + size * 0.35,
                TOP + PLOTTED + 6.0
            );
        }
        svg.push_str("</a>");
    }
}
