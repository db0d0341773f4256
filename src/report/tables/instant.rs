//! Seconds since 1970 as a date and time of day in UTC, by the calendar that counts years from March (H. Hinnant,
//! "chrono-Compatible Low-Level Date Algorithms", 2013).

const S_PER_DAY: i64 = 86_400;
/// The calendar repeats after 400 years.
const DAYS_PER_ERA: i64 = 146_097;
/// From 1 March of the year 0 to 1 January 1970.
const DAYS_TO_1970: i64 = 719_468;
/// The end of the year 9999: later years have more digits.
const LAST: f64 = 253_402_300_800.0;

/// `2026-11-21T10:40:00Z`; empty for what is no time.
pub(super) fn iso8601(seconds_since_1970: f64) -> String {
    if !(0.0..LAST).contains(&seconds_since_1970) {
        return String::new();
    }
    let seconds = seconds_since_1970 as i64;
    let (year, month, day) = date(seconds / S_PER_DAY);
    let (hours, minutes) = (seconds / 3600 % 24, seconds / 60 % 60);
    format!("{year:04}-{month:02}-{day:02}T{hours:02}:{minutes:02}:{:02}Z", seconds % 60)
}

/// Year, month and day of a number of days since 1970.
fn date(days: i64) -> (i64, i64, i64) {
    let days = days + DAYS_TO_1970;
    let (era, day) = (days.div_euclid(DAYS_PER_ERA), days.rem_euclid(DAYS_PER_ERA));
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    // Months from March have 30.6 days on average; 0 is March.
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let is_next_year = month >= 10;
    (400 * era + year + i64::from(is_next_year), if is_next_year { month - 9 } else { month + 3 }, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_are_dates() {
        let cases = [
            (0.0, "1970-01-01T00:00:00Z"),
            (951_782_400.0, "2000-02-29T00:00:00Z"),
            (951_868_799.999, "2000-02-29T23:59:59Z"),
            (951_868_800.0, "2000-03-01T00:00:00Z"),
            (1_795_257_600.25, "2026-11-21T10:40:00Z"),
            (1_798_761_599.0, "2026-12-31T23:59:59Z"),
            (4_107_542_400.0, "2100-03-01T00:00:00Z"),
            (f64::NAN, ""),
            (-1.0, ""),
        ];
        for (seconds, expected) in cases {
            assert_eq!(iso8601(seconds), expected, "{seconds}");
        }
    }
}
