//! Clocks: time controls of games, and how long to search with so much time left.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// Time control of a game. As text: `5+0.05`, five seconds and a twentieth more for each move; `40/60+0.5`, a minute
/// for each forty moves and half a second more for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// Time at the beginning, and again after each control.
    pub base: Duration,
    /// Time that is added for each move.
    pub increment: Duration,
    /// Number of moves until the next control; none if the time is for the whole game.
    pub moves: Option<u32>,
}

/// Longest time of a control: a day.
const LONGEST_BASE_S: f64 = 86_400.0;

impl FromStr for TimeControl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("'{text}' is no time control: write 5+0.05, or 40/60+0.5 (seconds)");
        let (moves, rest) = match text.split_once('/') {
            Some((moves, rest)) => (Some(moves.trim().parse().map_err(|_| wrong())?), rest),
            None => (None, text),
        };
        let (base, increment) = rest.split_once('+').unwrap_or((rest, "0"));
        let seconds = |text: &str| {
            let seconds = text.trim().parse::<f64>().map_err(|_| wrong())?;
            (0.0..=LONGEST_BASE_S).contains(&seconds).then(|| Duration::from_secs_f64(seconds)).ok_or_else(wrong)
        };
        let control = Self { base: seconds(base)?, increment: seconds(increment)?, moves };
        if control.base.is_zero() || control.moves == Some(0) { Err(wrong()) } else { Ok(control) }
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}+{}", self.base.as_secs_f64(), self.increment.as_secs_f64())
    }
}

/// Clock of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Time that is left.
    pub left: Duration,
    /// Time that is added for each move.
    pub increment: Duration,
    /// Moves until more time is given; none if it is for the rest of the game.
    pub moves_to_go: Option<u32>,
}

impl Clock {
    /// Clock at the beginning of a game.
    pub fn start(control: &TimeControl) -> Self {
        Self { left: control.base, increment: control.increment, moves_to_go: control.moves }
    }

    /// Takes the time of a move, and gives what comes after it. False if there was not as much.
    pub fn take(&mut self, time: Duration, control: &TimeControl) -> bool {
        let Some(left) = self.left.checked_sub(time) else { return false };
        self.left = left + control.increment;
        if let Some(moves) = &mut self.moves_to_go {
            *moves -= 1;
            if *moves == 0 {
                self.left += control.base;
                self.moves_to_go = control.moves;
            }
        }
        true
    }
}

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
/// Largest multiple of its usual time that a move may take.
const LONGEST: u32 = 4;
/// Largest multiple of it if there is less left than the reserve.
const LONGEST_IN_RESERVE: u32 = 2;
/// Overheads that are kept in reserve, as far as the increment lets them: a busy computer stalls for longer than one.
const RESERVE: u32 = 6;

/// Share of the time left that the last move before a control leaves, as a divisor, beside that reserve.
const LAST_RESERVE: u32 = 16;

impl Allotment {
    /// Time for a move that may take this long. `overhead` passes before it has reached the clock.
    pub fn of_move(time: Duration, overhead: Duration) -> Self {
        let end = time.saturating_sub(overhead).max(time / 2);
        Self { last_begin: end, end }
    }

    /// Time for a move by this clock. `overhead` passes before it has reached the clock.
    pub fn of_clock(clock: &Clock, overhead: Duration) -> Self {
        let Clock { left, increment, moves_to_go } = *clock;
        // Some programs write 0 where there is no further control.
        let moves_to_go = moves_to_go.filter(|moves| *moves > 0);
        // What is left when this move has been made must not be less than nothing, even if everything is late.
        let usable = left.saturating_sub(overhead).max(left / 8);
        let moves = moves_to_go.unwrap_or(MOVES).clamp(1, MOVES);
        // The overhead of all these moves is no time to think.
        let to_share = usable.saturating_sub(overhead * (moves - 1)).max(usable / 4);
        let reserve = overhead * RESERVE;
        // What is not used before the control is not lost.
        let last = usable.saturating_sub(left / LAST_RESERVE + reserve).max(usable / 2);
        let most = if moves == 1 { last } else { usable / MOST };
        let usual = (to_share / moves + increment * 3 / 4).min(most);
        let (usual, longest) = if left < reserve && moves > 1 {
            (usual.mul_f64(left.div_duration_f64(reserve)), LONGEST_IN_RESERVE)
        } else {
            (usual, LONGEST)
        };
        let end = (usual * longest).min(most);
        // Each iteration takes about as long as all before it.
        Self { last_begin: usual * 3 / 5, end }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OVERHEAD: Duration = Duration::from_millis(30);

    fn of(time: u64, increment: u64, moves_to_go: Option<u32>) -> Allotment {
        let (left, increment) = (Duration::from_millis(time), Duration::from_millis(increment));
        Allotment::of_clock(&Clock { left, increment, moves_to_go }, OVERHEAD)
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
                    assert!(time < 1_000 || end + 3 * OVERHEAD <= left, "{time} {increment} {moves:?}");
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
    fn a_stall_does_not_cost_the_game() {
        let mut left = 100.0;
        for _ in 0..400 {
            // Each move takes as long as it may, and is late as on a busy computer.
            left -= of(left as u64, 10, None).end.as_secs_f64() * 1e3 + 3.0;
            assert!(left > 60.0, "{left} ms");
            left += 10.0;
        }
    }

    #[test]
    fn nearly_all_time_before_the_control_is_used() {
        let last = of(10_000, 0, Some(1));
        assert!(last.end >= Duration::from_millis(9_000), "{last:?}");
        let usual = of(60_000, 0, None);
        assert!(usual.end > Duration::from_secs(4) && usual.end < Duration::from_secs(12), "{usual:?}");
        assert_eq!(Allotment::of_move(Duration::from_secs(1), OVERHEAD).end, Duration::from_millis(970));
    }

    #[test]
    fn no_further_control_is_none() {
        assert_eq!(of(60_000, 100, Some(0)), of(60_000, 100, None));
    }

    #[test]
    fn time_controls_are_read_and_written() {
        for (text, base, increment, moves, written) in [
            ("5+0.05", 5_000, 50, None, "5+0.05"),
            ("40/60+0.5", 60_000, 500, Some(40), "40/60+0.5"),
            ("0.1", 100, 0, None, "0.1+0"),
        ] {
            let control: TimeControl = text.parse().unwrap();
            let [base, increment] = [base, increment].map(Duration::from_millis);
            assert_eq!(control, TimeControl { base, increment, moves });
            assert_eq!(control.to_string(), written);
        }
        for text in ["", "x", "0+1", "-1+0", "0/5", "5+", "NaN", "1e9"] {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_clock_runs() {
        let control: TimeControl = "2/1+0.1".parse().unwrap();
        let mut clock = Clock::start(&control);
        assert!(clock.take(Duration::from_millis(700), &control));
        assert_eq!((clock.left, clock.moves_to_go), (Duration::from_millis(400), Some(1)));
        assert!(clock.take(Duration::from_millis(400), &control));
        assert_eq!((clock.left, clock.moves_to_go), (Duration::from_millis(1_100), Some(2)));
        assert!(!clock.take(Duration::from_millis(1_101), &control));
    }
}
