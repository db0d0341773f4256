//! Correction history: how far the static evaluation has been from what the search found, in positions with the same
//! pawns and after the same move. The evaluation of later ones is corrected by it.
//!
//! # Memory ordering
//! `Relaxed`, as in [`quiet_history`](super::quiet_history): each correction is a number by itself.

use std::sync::atomic::{AtomicI16, Ordering};

use super::node::{Node, Progress};
use super::quiet_history::Histories;
use super::strategy::Strategy;
use super::worker::Worker;
use crate::chess::{Board, Color, Move, Score};
use crate::machine::{Access, Area, Processor};
use crate::settings::settings;

settings! {
    /// Parameters of correction history.
    pub struct Corrections, "feature";
    => "Correction history", "common practice since 2023 (Caissa, Stockfish)",
        tried by ["evaluation=classical then +correction-by-pawns=500", "+correction-by-move=500"];
    by_pawns: i32 [0..=1_000 "thousandths of a pawn"], "correction-by-pawns",
        "largest correction of the static evaluation by its mean error in positions with the same pawns, with \
         evaluation=classical; 0: none";
    by_move: i32 [0..=1_000 "thousandths of a pawn"], "correction-by-move",
        "largest correction of the static evaluation by its mean error after the same move of the opponent; 0: none";
}

impl Corrections {
    /// Whether evaluations are ever corrected.
    pub(super) fn are_used(&self) -> bool {
        self.by_pawns > 0 || self.by_move > 0
    }
}

/// Number of corrections of each kind for one worker.
const ENTRIES: usize = 1 << 14;
/// A correction of a thousandth of a pawn.
const UNIT: i32 = 32;
/// An error counts for its draft plus 1 of this many parts of the new mean, at most [`MOST_PARTS`].
const PARTS: i32 = 256;
const MOST_PARTS: i32 = 16;

/// Mean errors of the static evaluation.
pub(crate) struct CorrectionTable {
    by_pawns: Box<[AtomicI16]>,
    by_move: Box<[AtomicI16]>,
    area: Area,
}

impl CorrectionTable {
    /// A table in which nothing was found wrong, for so many users. It is empty if it is not used.
    pub fn new(rule: &Corrections, users: usize) -> Self {
        let entries = |most: i32| if most > 0 { ENTRIES * users.next_power_of_two() } else { 0 };
        let [pawns, moves] = [rule.by_pawns, rule.by_move].map(entries);
        let zeros = |entries: usize| (0..entries).map(|_| AtomicI16::new(0)).collect();
        let area = Area::new((pawns + moves) * size_of::<AtomicI16>());
        Self { by_pawns: zeros(pawns), by_move: zeros(moves), area }
    }
}

/// Place of a key in a table whose size is a power of two, apart for both sides.
fn place(of: &[AtomicI16], color: Color, key: u64) -> &AtomicI16 {
    &of[(key.wrapping_mul(2) as usize + color.index()) & (of.len() - 1)]
}

/// Number of a move: its origin and target.
fn number(mv: Option<Move>) -> u64 {
    mv.map_or(0, |mv| u64::from(mv.bits()) & 0xFFF)
}

/// Draws a correction nearer to this error, that of a node of so many plies of draft; `most` bounds it.
fn learn(correction: &AtomicI16, error: Score, plies: i32, most: i32) {
    let parts = (plies + 1).min(MOST_PARTS);
    // Far errors are of what happens beyond the evaluation, and would not fit.
    let error = error.0.clamp(-4 * most, 4 * most);
    let new = i32::from(correction.load(Ordering::Relaxed)) + error * UNIT * parts / PARTS;
    correction.store(new.clamp(-most * UNIT, most * UNIT) as i16, Ordering::Relaxed);
}

impl<B: Board, P: Processor, S: Strategy> Worker<'_, B, P, S> {
    /// Static evaluation of the position at this ply, with what is known to be wrong with it.
    #[inline(always)]
    pub(super) fn stand(&mut self, ply: usize) -> Score {
        let score = self.evaluate(ply);
        if self.plan.corrects { score + self.correction(ply) } else { score }
    }

    #[inline(never)]
    fn correction(&self, ply: usize) -> Score {
        let (table, us) = (self.corrections, self.board.turn());
        if self.strategy.corrections() != Histories::Private {
            self.processor.touch(Access::ReadArea { area: &table.area, lines: 2 });
        }
        let of = |entries: &[AtomicI16], key: u64| match entries {
            [] => 0,
            entries => place(entries, us, key).load(Ordering::Relaxed).into(),
        };
        let here = &self.plies[ply];
        let sum: i32 = of(&table.by_pawns, here.evaluation.pawn_key()) + of(&table.by_move, number(here.arrived_by));
        Score(sum / UNIT)
    }

    /// Learns from the score of a node how wrong its static evaluation was, unless that is the worth of a capture, or
    /// only a bound which the evaluation agrees with.
    #[inline(never)]
    pub(super) fn correct(&mut self, node: &Node, progress: &Progress) {
        let Some(standing) = node.standing else { return };
        let score = progress.cut.unwrap_or(progress.score);
        let agrees = match (progress.cut, progress.best) {
            (Some(_), _) => score <= standing,
            (None, Some(_)) => false,
            (None, None) => score >= standing,
        };
        let is_noisy = progress.best.is_some_and(|mv| !mv.is_quiet());
        if !agrees && !is_noisy && score.mate_moves().is_none() {
            self.learn_error(node, score - standing);
        }
    }

    fn learn_error(&mut self, node: &Node, error: Score) {
        let (table, us, rule) = (self.corrections, self.board.turn(), self.features.corrections);
        if self.strategy.corrections() != Histories::Private {
            self.processor.touch(Access::WriteArea(&table.area));
        }
        let here = &self.plies[node.ply];
        if rule.by_pawns > 0 {
            learn(place(&table.by_pawns, us, here.evaluation.pawn_key()), error, node.plies(), rule.by_pawns);
        }
        if rule.by_move > 0 {
            learn(place(&table.by_move, us, number(here.arrived_by)), error, node.plies(), rule.by_move);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_correction_nears_the_mean_error_and_no_more_than_allowed() {
        let correction = AtomicI16::new(0);
        let learnt = |errors: [i32; 2], most| {
            for i in 0..400 {
                let known = i32::from(correction.load(Ordering::Relaxed)) / UNIT;
                learn(&correction, Score(errors[i % 2] - known), 8, most);
            }
            i32::from(correction.load(Ordering::Relaxed)) / UNIT
        };
        assert!((140..160).contains(&learnt([100, 200], 500)));
        assert_eq!(learnt([-700, -700], 300), -300);
        assert!((-20..20).contains(&learnt([150, -150], 1_000)));
    }

    #[test]
    fn sides_and_pawns_have_corrections_of_their_own() {
        let rule = Corrections { by_pawns: 100, ..Corrections::NOTHING };
        let table = CorrectionTable::new(&rule, 3);
        assert_eq!((table.by_pawns.len(), table.by_move.len()), (4 * ENTRIES, 0));
        let places = [(Color::White, 5), (Color::Black, 5), (Color::White, 6), (Color::White, u64::MAX)];
        for (i, (color, key)) in places.into_iter().enumerate() {
            place(&table.by_pawns, color, key).store(1 + i as i16, Ordering::Relaxed);
        }
        for (i, (color, key)) in places.into_iter().enumerate() {
            assert_eq!(place(&table.by_pawns, color, key).load(Ordering::Relaxed), 1 + i as i16);
        }
    }
}
