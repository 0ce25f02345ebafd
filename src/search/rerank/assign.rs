//! The best one-to-one assignment, by the Hungarian method (Kuhn 1955, in the
//! form of Jonker and Volgenant: shortest augmenting paths).

/// For every row of `benefit` the column that it is given, so that the sum is
/// greatest. There are at least as many columns as rows; of equals, the lowest.
pub(super) fn assign(benefit: &[Vec<i64>]) -> Vec<usize> {
    let rows = benefit.len();
    let columns = benefit.first().map_or(0, Vec::len);
    // Rows and columns count from one: nought is what is not assigned yet.
    let mut row_price = vec![0; rows + 1];
    let mut column_price = vec![0; columns + 1];
    let mut row_of = vec![0; columns + 1];
    for row in 1..=rows {
        row_of[0] = row;
        let mut at = 0;
        let mut min_costs = vec![i64::MAX; columns + 1];
        let mut before = vec![0; columns + 1];
        let mut is_done = vec![false; columns + 1];
        while row_of[at] != 0 {
            is_done[at] = true;
            let from = row_of[at];
            let (mut step, mut next) = (i64::MAX, 0);
            for column in (1..=columns).filter(|column| !is_done[*column]) {
                let cost = -benefit[from - 1][column - 1] - row_price[from] - column_price[column];
                if cost < min_costs[column] {
                    min_costs[column] = cost;
                    before[column] = at;
                }
                if min_costs[column] < step {
                    step = min_costs[column];
                    next = column;
                }
            }
            for column in 0..=columns {
                if is_done[column] {
                    row_price[row_of[column]] += step;
                    column_price[column] -= step;
                } else {
                    min_costs[column] = min_costs[column].saturating_sub(step);
                }
            }
            at = next;
        }
        while at != 0 {
            row_of[at] = row_of[before[at]];
            at = before[at];
        }
    }
    let mut column_of = vec![0; rows];
    for (column, row) in row_of.iter().enumerate().skip(1) {
        if *row > 0 {
            column_of[row - 1] = column - 1;
        }
    }
    column_of
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The greatest sum of any assignment, by trying all.
    fn best(benefit: &[Vec<i64>], row: usize, taken: &mut Vec<usize>) -> i64 {
        if row == benefit.len() {
            return 0;
        }
        let mut best_sum = i64::MIN;
        for column in 0..benefit[row].len() {
            if !taken.contains(&column) {
                taken.push(column);
                best_sum = best_sum.max(benefit[row][column] + best(benefit, row + 1, taken));
                taken.pop();
            }
        }
        best_sum
    }

    proptest! {
        #[test]
        fn no_assignment_is_better(
            (rows, columns, numbers) in (1usize..5).prop_flat_map(|rows| {
                (Just(rows), rows..6, proptest::collection::vec(0i64..40, 30))
            })
        ) {
            let benefit: Vec<Vec<i64>> = (0..rows)
                .map(|row| numbers[row * columns..(row + 1) * columns].to_vec())
                .collect();
            let assigned = assign(&benefit);
            let mut distinct = assigned.clone();
            distinct.sort_unstable();
            distinct.dedup();
            prop_assert_eq!(distinct.len(), rows);
            let sum: i64 = assigned.iter().zip(&benefit).map(|(column, row)| row[*column]).sum();
            prop_assert_eq!(sum, best(&benefit, 0, &mut Vec::new()));
        }
    }
}
