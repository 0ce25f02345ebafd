//! Whether one run is better than another, or only luckier.
//!
//! Paired by topic, over the differences d of one measure: Student's t-test, which asks
//! how far the mean of d is from 0 for their spread; the randomisation test (Fisher),
//! which asks how often a mean at least as far comes about when the runs are swapped
//! topic by topic at random; and the bootstrap, which draws topics with replacement and
//! gives the interval that 95% of the means lie in.

use serde::Serialize;

use super::numbers::average;
use crate::random::Random;

/// Draws of the bootstrap, and of the randomisation test where swaps are too many to
/// be tried all.
const DRAWS: u64 = 100_000;
/// Topics up to which all swaps are tried.
const ALL_SWAPS: usize = 16;
/// Differences this near are equal: sums of the same numbers in another order.
const NEAR: f64 = 1e-12;

/// A run's measure against a baseline's.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Comparison {
    /// The mean difference: above 0 the run is better.
    pub difference: f64,
    /// p of the two-sided paired t-test; 1 where nothing differs.
    pub p_t: f64,
    /// p of the two-sided paired randomisation test.
    pub p_randomisation: f64,
    /// The bootstrap's 95% interval of the mean difference.
    pub interval: (f64, f64),
}

/// A p value as text, with four decimals; it is never 0.
pub fn p_text(p: f64) -> String {
    if p < 0.0001 {
        "< 0.0001".to_owned()
    } else {
        format!("{p:.4}")
    }
}

/// Compares two runs by their measures of the same topics, in the same order.
pub fn compare(run: &[f64], baseline: &[f64]) -> Comparison {
    let differences: Vec<f64> = run.iter().zip(baseline).map(|(a, b)| a - b).collect();
    let difference = average(&differences);
    Comparison {
        // Sums of as much up as down may be just below 0.
        difference: if difference.abs() < NEAR {
            0.0
        } else {
            difference
        },
        p_t: t_test(&differences),
        p_randomisation: randomisation(&differences),
        interval: bootstrap(&differences),
    }
}

/// The mean of some values, and its standard error.
pub fn mean_and_error(values: &[f64]) -> (f64, f64) {
    let (n, mean) = (values.len() as f64, average(values));
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, (squares / (n - 1.0).max(1.0) / n.max(1.0)).sqrt())
}

fn t_test(differences: &[f64]) -> f64 {
    let n = differences.len() as f64;
    if n < 2.0 {
        return 1.0;
    }
    let (mean, error) = mean_and_error(differences);
    match (mean.abs() < NEAR, error < NEAR) {
        (true, _) => 1.0,
        (false, true) => 0.0,
        (false, false) => {
            let (t, freedom) = (mean / error, n - 1.0);
            // The two tails of Student's distribution.
            beta(freedom / 2.0, 0.5, freedom / (freedom + t * t))
        }
    }
}

fn randomisation(differences: &[f64]) -> f64 {
    let n = differences.len();
    let reached = average(differences).abs() - NEAR;
    let is_as_far = |is_swapped: &mut dyn FnMut(usize) -> bool| {
        let swapped = differences.iter().enumerate();
        let sum: f64 = swapped
            .map(|(at, d)| if is_swapped(at) { -d } else { *d })
            .sum();
        sum.abs() / n.max(1) as f64 >= reached
    };
    if n <= ALL_SWAPS {
        let all = 1u64 << n;
        let far = (0..all)
            .filter(|swaps| is_as_far(&mut |at| swaps >> at & 1 == 1))
            .count();
        return far as f64 / all as f64;
    }
    let mut random = Random::new(1, 0);
    let far = (0..DRAWS)
        .filter(|_| is_as_far(&mut |_| random.below(2) == 1))
        .count();
    // What was seen is one of the swaps.
    (far + 1) as f64 / (DRAWS + 1) as f64
}

fn bootstrap(differences: &[f64]) -> (f64, f64) {
    let n = differences.len();
    if n == 0 {
        return (0.0, 0.0);
    }
    let mut random = Random::new(2, 0);
    let mut draw = || (0..n).map(|_| differences[random.below(n)]).sum::<f64>() / n as f64;
    let mut means: Vec<f64> = (0..DRAWS).map(|_| draw()).collect();
    means.sort_by(f64::total_cmp);
    let at = |part: f64| means[((means.len() - 1) as f64 * part).round() as usize];
    (at(0.025), at(0.975))
}

/// The regularised incomplete beta function I_x(a, b), by Lentz's continued fraction.
fn beta(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return x.clamp(0.0, 1.0);
    }
    // The fraction converges fast on this side only.
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - beta(b, a, 1.0 - x);
    }
    let front =
        (ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b) + a * x.ln() + b * (1.0 - x).ln()).exp();
    let away_from_0 = |v: f64| if v.abs() < 1e-300 { 1e-300 } else { v };
    let (mut c, mut d) = (1.0, 1.0 / away_from_0(1.0 - (a + b) * x / (a + 1.0)));
    let mut fraction = d;
    for step in 1..200 {
        let m = f64::from(step);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        for term in [even, odd] {
            d = 1.0 / away_from_0(1.0 + term * d);
            c = away_from_0(1.0 + term / c);
            fraction *= c * d;
        }
        if (c * d - 1.0).abs() < 1e-15 {
            break;
        }
    }
    front * fraction / a
}

/// ln Γ(x) for x above 0, by Lanczos' series (g = 7, nine terms): to 15 digits.
fn ln_gamma(x: f64) -> f64 {
    const SERIES: [f64; 8] = [
        676.520_368_121_885_1,
        -1_259.139_216_722_402_8,
        771.323_428_777_653_1,
        -176.615_029_162_140_6,
        12.507_343_278_686_905,
        -0.138_571_095_265_720_12,
        9.984_369_578_019_572e-6,
        1.505_632_735_149_311_6e-7,
    ];
    if x < 0.5 {
        let pi = std::f64::consts::PI;
        return (pi / (pi * x).sin()).ln() - ln_gamma(1.0 - x);
    }
    let x = x - 1.0;
    let terms = SERIES.iter().enumerate();
    let sum: f64 = terms.map(|(at, term)| term / (x + at as f64 + 1.0)).sum();
    let t = x + 7.5;
    0.5 * (2.0 * std::f64::consts::PI).ln() + (x + 0.5) * t.ln() - t
        + (0.999_999_999_999_809_9 + sum).ln()
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    /// Made by `tests/golden/significance/significance.py` with scipy.
    #[derive(Deserialize)]
    struct Golden {
        run: Vec<f64>,
        baseline: Vec<f64>,
        t: f64,
        randomisation: f64,
        interval: (f64, f64),
    }

    #[test]
    fn scipy_says_the_same() {
        let goldens: Vec<Golden> = serde_json::from_str(include_str!(
            "../../tests/golden/significance/significance.json"
        ))
        .unwrap();
        assert!(goldens.len() > 10);
        for golden in goldens {
            let found = compare(&golden.run, &golden.baseline);
            assert!(
                (found.p_t - golden.t).abs() < 1e-9,
                "{} {}",
                found.p_t,
                golden.t
            );
            // Exact where all swaps are tried; else both are drawn.
            let allowed = if golden.run.len() <= ALL_SWAPS {
                1e-9
            } else {
                0.006
            };
            let far = (found.p_randomisation - golden.randomisation).abs();
            assert!(
                far <= allowed,
                "{} {}",
                found.p_randomisation,
                golden.randomisation
            );
            let width = golden.interval.1 - golden.interval.0;
            assert!((found.interval.0 - golden.interval.0).abs() <= 0.03 * width);
            assert!((found.interval.1 - golden.interval.1).abs() <= 0.03 * width);
        }
    }

    #[test]
    fn nothing_differs_and_everything_does() {
        let same = compare(&[0.5, 0.25], &[0.5, 0.25]);
        assert_eq!(
            (same.difference, same.p_t, same.p_randomisation),
            (0.0, 1.0, 1.0)
        );
        let all = compare(&[1.0; 10], &[0.5; 10]);
        assert_eq!(
            (all.difference, all.p_t, all.interval),
            (0.5, 0.0, (0.5, 0.5))
        );
        assert_eq!(all.p_randomisation, 2.0 / 1024.0);
        assert_eq!(compare(&[], &[]).p_t, 1.0);
    }
}
