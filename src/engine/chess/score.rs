//! Scores: thousandths of a pawn, with mates at the ends of the scale.

use std::fmt;
use std::ops::Neg;

use super::operators::operators;

/// Score from the view of the side to move, in thousandths of a pawn. It fits 18 bits.
///
/// ```
/// use splitpoint_engine::chess::Score;
///
/// assert_eq!(Score(1_254).to_string(), "+1.25");
/// assert_eq!(Score::mate_in(5).to_string(), "#3");
/// assert_eq!(-Score::mate_in(5), Score::mated_in(5));
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Score(pub i32);

impl Score {
    /// Score of a draw.
    pub const DRAW: Self = Self(0);
    /// Score of the side that has given mate; every ply before the mate takes 1 off.
    pub const MATE: Self = Self(130_000);
    /// Bound above every score that a position can have.
    pub const INFINITE: Self = Self(131_071);
    /// Bound of mate scores: those further from zero.
    pub const LONGEST_MATE: Self = Self(Self::MATE.0 - 300);

    /// Score of giving mate in a position that is `plies` away from the root.
    #[inline]
    pub const fn mate_in(plies: u32) -> Self {
        Self(Self::MATE.0 - plies as i32)
    }

    /// Score of being mated in a position that is `plies` away from the root.
    #[inline]
    pub const fn mated_in(plies: u32) -> Self {
        Self(-Self::MATE.0 + plies as i32)
    }

    /// Moves to the mate, as the UCI protocol counts them: 1 is mate with the next move, -1 is mated by the
    /// opponent's next move, 0 is mated already. `None` if there is no mate.
    pub fn mate_moves(self) -> Option<i32> {
        let plies = Self::MATE.0 - self.0.abs();
        let is_mate = self.0.abs() > Self::LONGEST_MATE.0 && plies >= 0;
        is_mate.then_some(if self.0 > 0 { (plies + 1) / 2 } else { -plies / 2 })
    }

    /// The score rounded to hundredths of a pawn.
    pub const fn centipawns(self) -> i32 {
        (self.0 + 5 * self.0.signum()) / 10
    }
}

/// `+1.25`, `-0.30`, `0.00`, `#3` (mate in three moves), `#-3` (mated in three).
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mate_moves() {
            Some(0) => f.pad("#-0"),
            Some(moves) => f.pad(&format!("#{moves}")),
            None if self.centipawns() == 0 => f.pad("0.00"),
            None => f.pad(&format!("{:+.2}", f64::from(self.centipawns()) / 100.0)),
        }
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self} ({})", self.0)
    }
}

impl Neg for Score {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

operators!(Score: Add add +, Sub sub -; AddAssign add_assign +=, SubAssign sub_assign -=);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_moves() {
        let cases = [
            (Score::mate_in(1), Some(1), "#1"),
            (Score::mate_in(2), Some(1), "#1"),
            (Score::mate_in(5), Some(3), "#3"),
            (Score::mated_in(0), Some(0), "#-0"),
            (Score::mated_in(2), Some(-1), "#-1"),
            (Score::mated_in(6), Some(-3), "#-3"),
            (Score(1_254), None, "+1.25"),
            (Score(-306), None, "-0.31"),
            (Score(-4), None, "0.00"),
            (Score::INFINITE, None, "+131.07"),
        ];
        for (score, moves, text) in cases {
            assert_eq!(score.mate_moves(), moves, "{}", score.0);
            assert_eq!(score.to_string(), text, "{}", score.0);
        }
    }

    #[test]
    fn a_score_fits_18_bits() {
        const { assert!(Score::INFINITE.0 < 1 << 17 && -Score::INFINITE.0 >= -(1 << 17)) };
        assert!(Score::mate_in(0) < Score::INFINITE);
    }
}
