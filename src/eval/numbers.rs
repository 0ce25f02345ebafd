//! Means, quantiles and counts of plain things.

/// The mean; 0 of no values.
pub fn average(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// The least value that at least the share `part` of all values does not exceed; 0 of no values.
pub fn quantile(values: &[f64], part: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let place = (part * sorted.len() as f64).ceil() as usize;
    let found = sorted.get(place.clamp(1, sorted.len().max(1)) - 1);
    found.copied().unwrap_or(0.0)
}

/// A count with its noun: `1 run`, `2 runs`.
#[cfg(feature = "report")]
pub(crate) fn plural(count: usize, noun: &str) -> String {
    let end = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_values_that_are_there() {
        let values = [4.0, 1.0, 3.0, 2.0];
        let found = [0.0, 0.25, 0.5, 0.51, 1.0].map(|part| quantile(&values, part));
        assert_eq!(found, [1.0, 1.0, 2.0, 3.0, 4.0]);
        assert_eq!((quantile(&[], 0.5), average(&[])), (0.0, 0.0));
        assert_eq!(average(&values), 2.5);
    }
}
