//! The table of runs: every measure, and how each run differs from the baseline.

use super::Report;
use crate::eval::{COMPARED, Comparison, Evaluated, Measures, Of};
use crate::markup::escaped;

impl Report<'_> {
    pub(super) fn summary(&self) -> String {
        let means: Vec<Measures> = self.runs.iter().map(Evaluated::mean).collect();
        let head: String = COMPARED
            .iter()
            .map(|(_, name, _)| format!("<th>{name}</th>"))
            .collect();
        let rows: String = (0..self.runs.len())
            .map(|at| self.row(at, &means))
            .collect();
        let method = self.method();
        format!(
            r#"<table class="summary"><thead><tr><th>run</th>{head}<th>judged@10</th></tr></thead><tbody>
{rows}</tbody></table>
{method}"#
        )
    }

    fn row(&self, at: usize, means: &[Measures]) -> String {
        let (run, baseline) = (&self.runs[at], &self.runs[self.baseline]);
        let value = |of: Of| {
            let value = of(&means[at]);
            let best = means.iter().map(of).fold(f64::MIN, f64::max);
            match best - value < 1e-9 {
                true => format!("<b>{value:.4}</b>"),
                false => format!("{value:.4}"),
            }
        };
        let cells: String = COMPARED
            .iter()
            .map(|(_, _, of)| match at == self.baseline {
                true => format!("<td>{}</td>", value(*of)),
                false => {
                    let difference = difference(&run.against(baseline, *of));
                    format!("<td>{}{difference}</td>", value(*of))
                }
            })
            .collect();
        let (name, judged) = (escaped(&run.name), value(|measures| measures.judged10));
        let note = match at == self.baseline {
            true => " <small>baseline</small>",
            false => "",
        };
        format!("<tr><th><i class=\"r{at}\"></i>{name}{note}</th>{cells}<td>{judged}</td></tr>\n")
    }

    /// How the numbers were made.
    fn method(&self) -> String {
        if self.runs.len() < 2 {
            return String::new();
        }
        let tests = (self.runs.len() - 1) * COMPARED.len();
        format!(
            r#"<p class="method">Below a measure: its mean difference to the baseline's over topics, the bootstrap's 95% interval of it, and p of the paired
t-test and of the paired randomisation test, both two-sided. Of {tests} comparisons some have p below .05 by luck alone: about {:.1} where nothing differs. What is
unjudged is dropped before anything is measured; relevant is medium or high.</p>"#,
            tests as f64 / 20.0
        )
    }
}

fn difference(found: &Comparison) -> String {
    let Comparison {
        difference,
        p_t,
        p_randomisation,
        interval: (low, high),
    } = found;
    let class = match *p_t < 0.05 {
        true if *difference > 0.0 => "better",
        true => "worse",
        false => "alike",
    };
    format!(
        r#"<small class="{class}">{difference:+.4}</small><small>[{low:+.3}, {high:+.3}]</small><small>p {}, {}</small>"#,
        shown(*p_t),
        shown(*p_randomisation)
    )
}

/// A p, as far as it says anything.
fn shown(p: f64) -> String {
    match p < 0.001 {
        true => "&lt; .001".to_owned(),
        false => format!("{p:.3}"),
    }
}
