//! The date and time of a moment, in UTC.

use std::time::{SystemTime, UNIX_EPOCH};

const DAY_S: i64 = 86_400;

/// Seconds since 1970 at this moment.
pub fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |time| time.as_secs_f64())
}

/// Text of a moment given in seconds since 1970: `2026-11-21T10:40:00Z`.
pub fn utc(seconds: f64) -> String {
    let seconds = seconds.floor() as i64;
    let (days, rest) = (seconds.div_euclid(DAY_S), seconds.rem_euclid(DAY_S));
    let (year, month, day) = date(days);
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", rest / 3600, rest / 60 % 60, rest % 60)
}

/// Date a number of days after 1 January 1970 (H. Hinnant, "chrono-compatible low-level date algorithms"): years are
/// counted from March, so that the leap day is the last of its year.
fn date(days: i64) -> (i64, i64, i64) {
    const DAYS_BEFORE_1970: i64 = 719_468; // since 1 March of the year 0
    const DAYS_OF_ERA: i64 = 146_097; // 400 years
    let days = days + DAYS_BEFORE_1970;
    let (era, day_of_era) = (days.div_euclid(DAYS_OF_ERA), days.rem_euclid(DAYS_OF_ERA));
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * march_month + 2) / 5 + 1;
    let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::utc;

    #[test]
    fn known_moments() {
        for (seconds, text) in [
            (0.0, "1970-01-01T00:00:00Z"),
            (951_782_400.5, "2000-02-29T00:00:00Z"),
            (1_095_292_799.0, "2004-09-15T23:59:59Z"),
            (4_107_542_400.0, "2100-03-01T00:00:00Z"),
            (-1.0, "1969-12-31T23:59:59Z"),
        ] {
            assert_eq!(utc(seconds), text);
        }
    }
}
