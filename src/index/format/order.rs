//! The order of external ids.

/// Bytes that sort as ids do: numbers by value and before other texts.
pub(in crate::index) fn id_key(id: &str) -> Vec<u8> {
    let is_number = !id.is_empty() && id.len() < 256 && id.bytes().all(|b| b.is_ascii_digit());
    let mut key = Vec::with_capacity(id.len() + 4);
    if is_number {
        let digits = id.trim_start_matches('0');
        key.extend([0, digits.len() as u8]);
        key.extend(digits.as_bytes());
    } else {
        key.push(1);
        key.extend(id.as_bytes());
    }
    // Ends the id, so that none is the beginning of another's key.
    key.push(0);
    key
}

#[cfg(test)]
mod tests {
    use super::id_key;

    #[test]
    fn ids_sort_as_numbers_where_both_are() {
        let mut ids = vec![
            "b",
            "10",
            "9",
            "a10",
            "a",
            "010",
            "2",
            "",
            "100000000000000000000000",
        ];
        ids.sort_by_key(|id| id_key(id));
        assert_eq!(
            ids,
            [
                "2",
                "9",
                "10",
                "010",
                "100000000000000000000000",
                "",
                "a",
                "a10",
                "b"
            ]
        );
    }
}
