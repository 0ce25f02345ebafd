//! The table of runs: every measure, and how each run differs from the baseline.

use super::Report;
use crate::escape::escaped;
use crate::eval::{Comparison, Evaluated, MEASURES, Measures, p_text};

/// A difference is coloured if its p is at most this.
const SIGNIFICANT: f64 = 0.05;

impl Report<'_> {
    pub(super) fn summary(&self) -> String {
        let means: Vec<Measures> = self.runs().map(Evaluated::mean).collect();
        let best = MEASURES.map(|measure| means.iter().map(measure.of).fold(f64::MIN, f64::max));
        let names = MEASURES.map(|measure| format!("<th>{}</th>", measure.name));
        let rows: String = (self.runs().zip(&means).enumerate())
            .map(|(at, (run, mean))| self.row(at, run, mean, &best))
            .collect();
        let (names, method) = (names.concat(), self.method());
        format!(
            r#"<table class="summary"><thead><tr><th>run</th>{names}<th>judged@10</th></tr></thead><tbody>
{rows}</tbody></table>
{method}"#
        )
    }

    fn row(&self, at: usize, run: &Evaluated, mean: &Measures, best: &[f64]) -> String {
        let cells: String = MEASURES
            .iter()
            .zip(best)
            .map(|(measure, best)| {
                let value = (measure.of)(mean);
                let shown = if best - value < 1e-9 {
                    format!("<b>{value:.4}</b>")
                } else {
                    format!("{value:.4}")
                };
                let difference = match at {
                    0 => String::new(),
                    _ => difference(&run.against(self.baseline, measure)),
                };
                format!("<td>{shown}{difference}</td>")
            })
            .collect();
        let name = escaped(&run.name);
        let note = if at == 0 {
            " <small>baseline</small>"
        } else {
            ""
        };
        let warnings: String = (run.warnings().iter())
            .map(|doubt| format!(r#"<small class="doubt">{doubt}</small>"#))
            .collect();
        let judged = mean.judged10;
        format!(
            "<tr><th><i class=\"r{at}\"></i>{name}{note}{warnings}</th>{cells}<td>{judged:.4}</td></tr>\n"
        )
    }

    /// The explanation of the numbers.
    fn method(&self) -> String {
        let measured = "Relevant is medium or high. What is unjudged is dropped before anything but judged@10 is measured, \
            which is the part of the first ten that is judged. Below a formula are its rank, grade, score and visual id.";
        let tests = self.others.len() * MEASURES.len();
        let compared = match tests {
            0 => String::new(),
            _ => format!(
                "Below a measure are its mean difference to the baseline's over topics (green or red where p of the \
                 t-test is below {SIGNIFICANT}), the bootstrap's 95% interval of it, and p of the paired t-test and of the \
                 paired randomisation test, both two-sided. Where nothing differs, about {:.1} of {tests} comparisons \
                 have p below {SIGNIFICANT} by luck.",
                tests as f64 * SIGNIFICANT
            ),
        };
        format!(r#"<p class="method">{compared} {measured}</p>"#)
    }
}

fn difference(found: &Comparison) -> String {
    let Comparison {
        difference,
        p_t,
        p_randomisation,
        interval: (low, high),
    } = found;
    let class = if *p_t >= SIGNIFICANT {
        "alike"
    } else if *difference > 0.0 {
        "better"
    } else {
        "worse"
    };
    format!(
        r#"<small class="{class}">{difference:+.4}</small><small>[{low:+.3}, {high:+.3}]</small><small>p {}, {}</small>"#,
        escaped(&p_text(*p_t)),
        escaped(&p_text(*p_randomisation))
    )
}
