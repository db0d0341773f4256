//! How deep an engine gets in a time, from which the depth of an experiment is chosen.

use std::collections::BTreeMap;
use std::time::Duration;

use super::{Engine, EngineError, Request};

/// Depth that an engine reaches in a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    /// The depth, in plies.
    pub depth: u32,
    /// Median of the times at which it was reached, unless that is longer than the engine got.
    pub time: Option<Duration>,
}

/// Outcome of a search to a depth by an engine that was told to end there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obedience {
    /// It reached the depth, or a mate before.
    Obeys,
    /// It ended by itself with an answer of this depth.
    EndsAt(u32),
    /// It had not reached the depth in the time that it got.
    IsSlow,
}

impl Obedience {
    /// Tells an engine to search to a depth, and to stop after this time.
    ///
    /// # Errors
    /// If it goes on beyond the depth, ends, hangs, or does not stop when it is told to.
    pub fn of(engine: &mut Engine, fen: &str, depth: u32, time: Duration) -> Result<Self, EngineError> {
        let (position, limits) = (format!("fen {fen}"), format!("depth {depth}"));
        let request =
            Request { position: &position, limits: &limits, depth: Some(depth), stop_after: Some(time), nodes: None };
        let (mut reached, mut is_mate) = (0, false);
        engine.forget()?;
        let found = engine.search(&request, |_, info| {
            if let (Some(told), Some(score), true) = (info.depth, info.score, info.is_answer()) {
                reached = reached.max(told);
                is_mate = score.mate_moves().is_some();
            }
        })?;
        Ok(match () {
            () if reached >= depth || is_mate => Self::Obeys,
            () if found.was_stopped => Self::IsSlow,
            () => Self::EndsAt(reached),
        })
    }
}

/// When an answer of each depth came last in one search.
type Moments = BTreeMap<u32, Duration>;

impl Reach {
    /// The largest depth, and no smaller than `least`, that an engine reaches within this time, as the median over
    /// positions.
    ///
    /// # Errors
    /// If it ends, hangs, or does not stop when it is told to.
    pub fn of(engine: &mut Engine, fens: &[&str], time: Duration, least: u32) -> Result<Self, EngineError> {
        let mut searches = Vec::new();
        for fen in fens {
            let mut moments = Moments::new();
            let position = format!("fen {fen}");
            let request =
                Request { position: &position, limits: "infinite", depth: None, stop_after: Some(time), nodes: None };
            engine.forget()?;
            engine.search(&request, |at, info| {
                if let Some(depth) = info.depth.filter(|_| info.is_answer() && at <= time) {
                    moments.insert(depth, at);
                }
            })?;
            searches.push(moments);
        }
        Ok(Self::of_searches(&searches, least))
    }

    fn of_searches(searches: &[Moments], least: u32) -> Self {
        let depths = searches.iter().map(|moments| moments.keys().next_back().copied().unwrap_or_default());
        let depth = lower_median(depths).unwrap_or_default().max(least);
        // Some engines skip depths. One that was not reached takes longer than any that was.
        let times = searches.iter().map(|moments| moments.range(depth..).next().map_or(Duration::MAX, |(_, at)| *at));
        Self { depth, time: lower_median(times).filter(|time| *time < Duration::MAX) }
    }
}

/// The middle value, or the lower of the two.
fn lower_median<T: Ord + Copy>(values: impl Iterator<Item = T>) -> Option<T> {
    let mut values: Vec<T> = values.collect();
    values.sort_unstable();
    values.get(values.len().saturating_sub(1) / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_search_gives_depth_and_time() {
        let search = |moments: &[(u32, u64)]| -> Moments {
            moments.iter().map(|&(depth, ms)| (depth, Duration::from_millis(ms))).collect()
        };
        let searches =
            [search(&[(8, 100), (9, 700)]), search(&[(9, 300), (10, 600), (11, 900)]), search(&[(8, 50), (10, 400)])];
        let reach = |depth, ms: Option<u64>| Reach { depth, time: ms.map(Duration::from_millis) };
        assert_eq!(Reach::of_searches(&searches, 6), reach(10, Some(600)));
        assert_eq!(Reach::of_searches(&searches[..2], 6), reach(9, Some(300)));
        assert_eq!(Reach::of_searches(&searches, 11), reach(11, None));
        assert_eq!(Reach::of_searches(&[search(&[]), search(&[])], 6), reach(6, None));
    }
}
