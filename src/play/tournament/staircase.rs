//! Staircases: after each round the opponent of a player gets a larger multiple of its limit or a smaller one, by what
//! the player has scored. Two for each player are climbed in turn: one goes where the player scores 70 %, the other
//! where it scores 30 %. So the games are about even, on both sides of the multiple at which the score is one half; and
//! how the score falls with the multiple, on which its interval depends, can be seen.

/// Scores that the staircases of a player go to.
pub const TARGETS: [f64; 2] = [0.7, 0.3];
/// Steps of a multiple are powers of the square root of 2.
const STEPS_PER_DOUBLING: i32 = 2;
/// Steps from where a player is expected to score one half to where its staircases begin, up and down.
const APART: i32 = STEPS_PER_DOUBLING;
/// Steps from which on a staircase goes no further: 1024 times as much, or as little.
const FURTHEST: i32 = 10 * STEPS_PER_DOUBLING;

/// A staircase.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Staircase {
    /// Score of the player that it goes to.
    target: f64,
    /// Number of steps from the multiple 1.
    at: i32,
    /// Steps that are taken at once: two until the direction changes, then one.
    stride: i32,
    /// Whether the last step went up.
    went_up: Option<bool>,
}

impl Staircase {
    /// The two staircases of a player that is expected to score one half near this multiple.
    pub fn pair(multiple: f64) -> [Self; 2] {
        let middle = (multiple.log2() * f64::from(STEPS_PER_DOUBLING)).round() as i32;
        let [low, high] = [middle - APART, middle + APART].map(|at| at.clamp(-FURTHEST, FURTHEST));
        [(low, TARGETS[0]), (high, TARGETS[1])].map(|(at, target)| Self { target, at, stride: 2, went_up: None })
    }

    /// Number of steps from the multiple 1.
    pub fn place(&self) -> i32 {
        self.at
    }

    /// The present multiple.
    pub fn multiple(&self) -> f64 {
        (f64::from(self.at) / f64::from(STEPS_PER_DOUBLING)).exp2()
    }

    /// The staircase after a round in which the player had this score of a game, from 0 to 1.
    #[must_use]
    pub fn after(self, score: f64) -> Self {
        let goes_up = score >= self.target;
        let turns = self.went_up.is_some_and(|went_up| went_up != goes_up);
        let stride = if turns { 1 } else { self.stride };
        let at = (if goes_up { self.at + stride } else { self.at - stride }).clamp(-FURTHEST, FURTHEST);
        Self { at, stride, went_up: Some(goes_up), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_goes_in_large_strides_until_it_turns() {
        let [mut low, high] = Staircase::pair(4.0);
        assert_eq!((low.place(), high.place()), (2, 6));
        let mut places = vec![low.place()];
        for score in [0.9, 0.7, 0.6, 0.8, 0.0, 0.1] {
            low = low.after(score);
            places.push(low.place());
        }
        assert_eq!(places, [2, 4, 6, 5, 6, 5, 4]);
        assert!((low.multiple() - 4.0).abs() < 1e-12);
        assert_eq!((high.after(0.3).place(), high.after(0.2).place()), (8, 4));
        let far = (0..30).fold(high, |stairs, _| stairs.after(1.0));
        assert_eq!(far.multiple(), 1024.0);
        assert_eq!(Staircase::pair(3.0)[0].place(), 1);
    }
}
