//! Durations as users write them: `500ms`, `2s`, `1.5s`, `1m`; a bare number is seconds.

use std::time::Duration;

/// Longest duration that is accepted, in seconds: a year.
const LONGEST_S: f64 = 366.0 * 24.0 * 3600.0;

/// Reads a duration from a text.
pub fn parse(text: &str) -> Result<Duration, String> {
    let wrong = || format!("'{text}' is not a duration; write 500ms, 2s, 1.5s or 1m");
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let seconds_each = match unit.trim() {
        "ms" => 1e-3,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(wrong()),
    };
    let seconds = number.parse::<f64>().map_err(|_| wrong())? * seconds_each;
    if seconds > 0.0 && seconds <= LONGEST_S { Ok(Duration::from_secs_f64(seconds)) } else { Err(wrong()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_one_and_what_is_not() {
        for (text, ms) in
            [("500ms", 500), ("2s", 2_000), ("1.5s", 1_500), ("1m", 60_000), ("3", 3_000), ("1h", 3_600_000)]
        {
            assert_eq!(parse(text), Ok(Duration::from_millis(ms)), "{text}");
        }
        for text in ["", "s", "0s", "-1s", "2 hours", "1.2.3s", "9999999h", "1e3"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
