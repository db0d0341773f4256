//! The staircase of a player whose opponent gets a multiple of its limit: after a round that the player has not lost the
//! opponent gets more, after one that it has lost less. So most games are played where both are about equal, and which
//! those are depends on the games alone.

/// Steps of a multiple are powers of the square root of 2.
const STEPS_PER_DOUBLING: i32 = 2;
/// Steps from which on a staircase goes no further: 1024 times as much, or as little.
const FURTHEST: i32 = 10 * STEPS_PER_DOUBLING;

/// A staircase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Staircase {
    /// Number of steps from the multiple 1.
    at: i32,
    /// Steps that are taken at once: two until the direction changes, then one.
    stride: i32,
    /// Whether the last step went up.
    went_up: Option<bool>,
}

impl Staircase {
    /// A staircase that begins with the multiple nearest to this one.
    pub fn from(multiple: f64) -> Self {
        let at = (multiple.log2() * f64::from(STEPS_PER_DOUBLING)).round() as i32;
        Self { at: at.clamp(-FURTHEST, FURTHEST), stride: 2, went_up: None }
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
        let goes_up = score >= 0.5;
        let turns = self.went_up.is_some_and(|went_up| went_up != goes_up);
        let stride = if turns { 1 } else { self.stride };
        let at = (if goes_up { self.at + stride } else { self.at - stride }).clamp(-FURTHEST, FURTHEST);
        Self { at, stride, went_up: Some(goes_up) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_goes_in_large_strides_until_it_turns() {
        let mut stairs = Staircase::from(4.0);
        let mut places = vec![stairs.place()];
        for score in [0.9, 0.5, 0.4, 0.6, 0.0, 0.1] {
            stairs = stairs.after(score);
            places.push(stairs.place());
        }
        assert_eq!(places, [4, 6, 8, 7, 8, 7, 6]);
        assert!((stairs.multiple() - 8.0).abs() < 1e-12);
        let far = (0..30).fold(Staircase::from(1.0), |stairs, _| stairs.after(1.0));
        assert_eq!(far.multiple(), 1024.0);
        assert_eq!(Staircase::from(3.0).place(), 3);
    }
}
