//! Time for a move: how long to search with so much time left.

use std::time::Duration;

use super::command::Go;
use crate::chess::Color;

/// Time of a search for a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allotment {
    /// After this time no further iteration begins: it would hardly be completed.
    pub last_begin: Duration,
    /// After this time the search ends.
    pub end: Duration,
}

/// Number of moves that the time left has to last for, if nothing is said.
const MOVES: u32 = 30;
/// Share of the time left that a move may take at most, as a divisor.
const MOST: u32 = 3;
/// How many times its usual time a move may take.
const LONGEST: u32 = 4;

impl Allotment {
    /// Time for a move of this side. From all times, `overhead` passes before the move has reached the clock. Nothing,
    /// if no clock runs.
    pub fn of(go: &Go, color: Color, overhead: Duration) -> Option<Self> {
        if let Some(time) = go.move_time {
            let end = time.saturating_sub(overhead).max(time / 2);
            return Some(Self { last_begin: end, end });
        }
        let left = go.time[color.index()]?;
        let increment = go.increment[color.index()];
        // What is left when this move has been made must not be less than nothing, even if everything is late.
        let usable = left.saturating_sub(overhead).max(left / 8);
        let moves = go.moves_to_go.unwrap_or(MOVES).clamp(1, MOVES);
        // The overhead of all these moves is no time to think.
        let to_share = usable.saturating_sub(overhead * (moves - 1)).max(usable / 4);
        let most = if moves == 1 { usable } else { usable / MOST };
        let usual = (to_share / moves + increment * 3 / 4).min(most);
        let end = (usual * LONGEST).min(most);
        // Each iteration takes about as long as all before it.
        Some(Self { last_begin: usual * 3 / 5, end })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OVERHEAD: Duration = Duration::from_millis(30);

    fn of(time: u64, increment: u64, moves_to_go: Option<u32>) -> Allotment {
        let (time, increment) = (Duration::from_millis(time), Duration::from_millis(increment));
        let go = Go { time: [Some(time), None], increment: [increment; 2], moves_to_go, ..Go::default() };
        Allotment::of(&go, Color::White, OVERHEAD).unwrap()
    }

    #[test]
    fn no_move_takes_more_than_there_is() {
        for time in [0, 1, 5, 20, 31, 60, 100, 1_000, 60_000, 7_200_000] {
            for increment in [0, 10, 1_000, 100_000] {
                for moves in [None, Some(0), Some(1), Some(2), Some(40), Some(1_000)] {
                    let Allotment { last_begin, end } = of(time, increment, moves);
                    let left = Duration::from_millis(time);
                    assert!(last_begin <= end && end <= left, "{time} {increment} {moves:?}");
                    assert!(time < 100 || end + OVERHEAD <= left, "{time} {increment} {moves:?}");
                }
            }
        }
    }

    #[test]
    fn a_game_of_many_moves_never_runs_out_of_time() {
        for (time, increment) in [(1_000_i64, 10_i64), (100, 10), (10_000, 0), (60_000, 600)] {
            let mut left = time;
            for _ in 0..400 {
                let Allotment { end, .. } = of(left as u64, increment as u64, None);
                // Each move takes as long as it may, and is late by half of the overhead.
                left -= end.as_millis() as i64 + if left > 100 { 15 } else { left / 2 };
                assert!(left >= 0, "{time} {increment}");
                left += increment;
            }
        }
    }

    #[test]
    fn all_time_before_the_control_is_used() {
        let last = of(10_000, 0, Some(1));
        assert!(last.end >= Duration::from_millis(9_900), "{last:?}");
        let usual = of(60_000, 0, None);
        assert!(usual.end > Duration::from_secs(4) && usual.end < Duration::from_secs(12), "{usual:?}");
        let go = Go { move_time: Some(Duration::from_secs(1)), ..Go::default() };
        assert_eq!(Allotment::of(&go, Color::Black, OVERHEAD).unwrap().end, Duration::from_millis(970));
        assert_eq!(Allotment::of(&Go::default(), Color::Black, OVERHEAD), None);
    }
}
