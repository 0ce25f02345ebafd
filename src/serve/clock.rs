//! Times as texts, in UTC.

use std::time::{SystemTime, UNIX_EPOCH};

const DAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];

/// A point of time, taken apart.
struct Civil {
    year: u64,
    /// From 1.
    month: usize,
    day: u64,
    /// Days since 1970-01-01, a Thursday.
    days: u64,
    hour: u64,
    minute: u64,
    second: u64,
    milliseconds: u32,
}

/// Takes a time apart; a clock before 1970 counts as 1970.
fn civil(time: SystemTime) -> Civil {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    let (days, rest) = (since.as_secs() / 86_400, since.as_secs() % 86_400);
    // Years begin in March here, so that the leap day is the last; 400 years have 146,097 days.
    let shifted = days + 719_468;
    let (era, day) = (shifted / 146_097, shifted % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let (day, month) = (day - (153 * month + 2) / 5 + 1, (month + 2) % 12 + 1);
    Civil {
        year: era * 400 + year + u64::from(month <= 2),
        month: usize::try_from(month).unwrap_or(1),
        day,
        days,
        hour: rest / 3600,
        minute: rest / 60 % 60,
        second: rest % 60,
        milliseconds: since.subsec_millis(),
    }
}

/// A time as in RFC 3339: `2026-11-19T03:40:00.123Z`.
pub(super) fn rfc3339(time: SystemTime) -> String {
    let Civil {
        year,
        month,
        day,
        hour,
        minute,
        second,
        milliseconds,
        ..
    } = civil(time);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milliseconds:03}Z")
}

/// A time as HTTP writes it: `Thu, 19 Nov 2026 03:40:00 GMT`.
pub(super) fn http_date(time: SystemTime) -> String {
    let Civil {
        year,
        month,
        day,
        days,
        hour,
        minute,
        second,
        ..
    } = civil(time);
    let weekday = DAYS[usize::try_from(days % 7).unwrap_or(0)];
    let month = MONTHS[month - 1];
    format!("{weekday}, {day:02} {month} {year:04} {hour:02}:{minute:02}:{second:02} GMT")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn times_are_written_as_agreed() {
        // As `date -u -d @SECONDS` writes them.
        for (seconds, rfc, http) in [
            (
                0,
                "1970-01-01T00:00:00.007Z",
                "Thu, 01 Jan 1970 00:00:00 GMT",
            ),
            (
                951_782_399,
                "2000-02-28T23:59:59.007Z",
                "Mon, 28 Feb 2000 23:59:59 GMT",
            ),
            (
                951_782_400,
                "2000-02-29T00:00:00.007Z",
                "Tue, 29 Feb 2000 00:00:00 GMT",
            ),
            (
                951_868_800,
                "2000-03-01T00:00:00.007Z",
                "Wed, 01 Mar 2000 00:00:00 GMT",
            ),
            (
                1_795_059_600,
                "2026-11-19T03:40:00.007Z",
                "Thu, 19 Nov 2026 03:40:00 GMT",
            ),
            (
                4_107_542_399,
                "2100-02-28T23:59:59.007Z",
                "Sun, 28 Feb 2100 23:59:59 GMT",
            ),
            (
                4_107_542_400,
                "2100-03-01T00:00:00.007Z",
                "Mon, 01 Mar 2100 00:00:00 GMT",
            ),
        ] {
            let time = UNIX_EPOCH + Duration::from_millis(seconds * 1000 + 7);
            assert_eq!(
                (rfc3339(time).as_str(), http_date(time).as_str()),
                (rfc, http)
            );
        }
    }
}
