//! Periods in a part of which [busy threads](super::busy) work; in the rest they sleep. Other users' jobs come and go
//! likewise.
//!
//! Periods are counted from 1970 (UTC), not from the beginning of a search: so they go on from one search to the next,
//! and a search falls into a part by chance.

use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::duration;
use crate::suggestion::WordError;

/// Shortest period: below that, a thread would not wake up in time.
const SHORTEST: Duration = Duration::from_millis(10);
const PERIOD: &str = "period";
const SHARE: &str = "share";

/// Periods at the beginning of which busy threads work. As text: `period=60s share=0.5`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Periods {
    period: Duration,
    /// Thousandths of a period in which the threads work: 1 to 999.
    permille: u32,
}

impl Periods {
    /// Reads these words; `None` if there are none.
    ///
    /// # Errors
    /// If a word is no such setting or one is missing.
    pub fn of_words(words: &[&str]) -> Result<Option<Self>, WordError> {
        if words.is_empty() {
            return Ok(None);
        }
        let (mut period, mut permille) = (None, None);
        for word in words {
            match word.split_once('=').unwrap_or((word, "")) {
                (PERIOD, value) => {
                    let is_long_enough = |period: &Duration| *period >= SHORTEST;
                    let too_short = || format!("'{word}' is too short a period: expected at least {SHORTEST:?}");
                    let read =
                        duration::parse(value).and_then(|it| Some(it).filter(is_long_enough).ok_or_else(too_short));
                    period = Some(read.map_err(WordError::new)?);
                }
                (SHARE, value) => {
                    let thousandths = value.parse().map_or(0.0, |share: f64| (1000.0 * share).round());
                    if !(1.0..1000.0).contains(&thousandths) {
                        let message = format!("'{word}' is no part of a period: expected 0.001 to 0.999");
                        return Err(WordError::new(message));
                    }
                    permille = Some(thousandths as u32);
                }
                (other, _) => {
                    let message = format!("'{word}' is no setting of periods: expected {PERIOD}=60s {SHARE}=0.5");
                    return Err(WordError::unknown(other, [PERIOD, SHARE], message));
                }
            }
        }
        match (period, permille) {
            (Some(period), Some(permille)) => Ok(Some(Self { period, permille })),
            _ => Err(WordError::new(format!(
                "'{}' is half of a schedule: expected {PERIOD}=60s {SHARE}=0.5",
                words.join(" ")
            ))),
        }
    }

    /// Time until the threads have to work again, if they sleep now.
    pub fn rest(self) -> Option<Duration> {
        self.rest_at(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default())
    }

    fn rest_at(self, since_1970: Duration) -> Option<Duration> {
        let period = self.period.as_nanos();
        let place = since_1970.as_nanos() % period;
        let works = place * 1000 < period * u128::from(self.permille);
        (!works).then(|| Duration::from_nanos((period - place) as u64))
    }
}

impl fmt::Display for Periods {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PERIOD}={:?} {SHARE}={}", self.period, f64::from(self.permille) / 1000.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_rest_after_their_part_of_each_period() {
        let periods = Periods::of_words(&["share=0.25", "period=60s"]).unwrap().unwrap();
        assert_eq!(periods.to_string(), "period=60s share=0.25");
        for (second, rest) in [(0, None), (14, None), (15, Some(45)), (59, Some(1)), (60, None), (6_030, Some(30))] {
            assert_eq!(periods.rest_at(Duration::from_secs(second)), rest.map(Duration::from_secs), "{second}");
        }
        assert!(periods.rest().is_none_or(|rest| rest <= Duration::from_secs(45)));
    }
}
