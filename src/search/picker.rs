//! The moves of one node, best first.
//!
//! All moves are generated at once and wait on a stack that the worker's nodes share; each time the best of what is left is
//! picked, so that a node that is cut at once has sorted nothing. The order is the thesis's: the table's move, promotions
//! and captures that do not lose, killers, quiet moves by history, captures that lose. Exchange values are dear and depend on
//! the position only, so they are worked out when the table's move has not cut; everything that changes while that move is
//! searched is looked at before.

use super::strategy::Strategy;
use super::table::Hint;
use super::worker::Worker;
use crate::chess::{Board, Move, PieceKind::Pawn, Score, see};
use crate::eval;
use crate::machine::Processor;

/// A move with the number it is picked by: greater is earlier, and no two are equal.
#[derive(Clone, Copy, Debug)]
pub struct Ranked {
    pub(super) key: i64,
    pub(super) mv: Move,
}

/// The moves of one node that have not been picked.
#[derive(Clone, Copy, Debug)]
pub struct Picker {
    start: usize,
    next: usize,
    end: usize,
    /// Exchange values are still to be worked out.
    is_rough: bool,
    /// Moves that were put off lie from the start on.
    put_off: usize,
    /// Now the moves that were put off are given.
    is_second_pass: bool,
}

const TABLE_MOVE: i64 = 100_000_000;
const GOOD: i64 = 1_000_000;
const KILLERS: [i64; 2] = [100_000, 50_000];
const LOSING: i64 = -1_000_000;
/// A bounded history stays below the killers.
pub(super) const HISTORY_BOUND: u32 = KILLERS[1] as u32;
/// Stands for an exchange value that is not known yet: after everything.
const UNKNOWN: i64 = i64::MIN;

impl Picker {
    /// The moves from `start` on the stack, with these keys.
    pub(super) fn ranked(start: usize, end: usize) -> Self {
        Self { start, next: start, end, is_rough: false, put_off: 0, is_second_pass: false }
    }

    /// How many moves have not been picked, illegal ones included.
    pub fn left(&self) -> usize {
        self.end - self.next + if self.is_second_pass { 0 } else { self.put_off }
    }

    /// Whether moves are given that were put off before.
    pub fn is_second_pass(&self) -> bool {
        self.is_second_pass
    }
}

impl<B: Board, P: Processor, S: Strategy> Worker<'_, B, P, S> {
    /// Ranks the moves from `start` on the stack.
    #[inline(always)]
    pub(super) fn rank(&mut self, start: usize, ply: usize, hint: Hint) -> Picker {
        let us = self.board.turn();
        let killers = self.plies[ply].killers;
        let (mut has_noisy, mut has_hint) = (false, false);
        for ranked in &mut self.moves[start..] {
            let mv = ranked.mv;
            let score = if hint.is(mv) {
                has_hint = true;
                TABLE_MOVE
            } else if !mv.is_quiet() {
                has_noisy = true;
                ranked.key = UNKNOWN;
                continue;
            } else if killers[0] == Some(mv) {
                KILLERS[0]
            } else if killers[1] == Some(mv) {
                KILLERS[1]
            } else if self.features.history {
                self.quiet.of(us, mv).into()
            } else {
                0
            };
            ranked.key = self.order.key(score, mv);
        }
        let mut picker = Picker::ranked(start, self.moves.len());
        picker.is_rough = has_noisy;
        if has_noisy && !has_hint {
            self.work_out(&mut picker);
        }
        picker
    }

    /// Gives captures and promotions their places.
    fn work_out(&mut self, picker: &mut Picker) {
        picker.is_rough = false;
        for ranked in &mut self.moves[picker.next..picker.end] {
            let mv = ranked.mv;
            if ranked.key != UNKNOWN {
                continue;
            }
            let score = match mv.promoted() {
                Some(kind) => {
                    let victim = mv.captured().filter(|_| !self.features.defect_promotion_victim);
                    GOOD + i64::from((eval::value(kind) + victim.map_or(Score(0), eval::value)).0)
                }
                None => {
                    let gain = i64::from(see::see_by(self.exchange, &self.board, mv).0);
                    gain + if gain >= 0 { GOOD } else { LOSING }
                }
            };
            ranked.key = self.order.key(score, mv);
        }
    }

    /// The best move that is left.
    #[inline(always)]
    pub(super) fn pick(&mut self, picker: &mut Picker) -> Option<Move> {
        if picker.next == picker.end {
            if picker.put_off == 0 || picker.is_second_pass {
                return None;
            }
            picker.is_second_pass = true;
            (picker.next, picker.end) = (picker.start, picker.start + picker.put_off);
        }
        if !picker.is_second_pass {
            if picker.is_rough && picker.next > picker.start {
                self.work_out(picker);
            }
            bring_best_forward(&mut self.moves[picker.next..picker.end]);
        }
        picker.next += 1;
        Some(self.moves[picker.next - 1].mv)
    }

    /// The move that was picked last shall be given again when all others have been.
    pub(super) fn put_off(&mut self, picker: &mut Picker) {
        debug_assert!(!picker.is_second_pass);
        self.moves[picker.start + picker.put_off] = self.moves[picker.next - 1];
        picker.put_off += 1;
    }

    /// Ranks the captures and promotions from `start` on the stack for quiescence, by what they win. Those that surely win no
    /// more than `too_little` are left out.
    #[inline(always)]
    pub(super) fn rank_noisy(&mut self, start: usize, too_little: Score) -> Picker {
        let promotions = self.exchange.promotions;
        let mut kept = start;
        for i in start..self.moves.len() {
            let mv = self.moves[i].mv;
            let at_most = match (mv.captured(), mv.promoted()) {
                (Some(victim), None) => see::value(victim),
                (Some(victim), Some(kind)) if promotions => see::value(victim) + see::value(kind) - see::value(Pawn),
                (Some(victim), Some(_)) => see::value(victim),
                (None, kind) => kind.map_or(Score(0), see::value),
            };
            if at_most <= too_little {
                continue;
            }
            let score = if mv.is_capture() { see::see_by(self.exchange, &self.board, mv) } else { at_most };
            self.moves[kept] = Ranked { key: self.order.key(score.0.into(), mv), mv };
            kept += 1;
        }
        self.moves.truncate(kept);
        Picker::ranked(start, kept)
    }

    /// The best move that is left, and what it wins.
    #[inline(always)]
    pub(super) fn pick_noisy(&mut self, picker: &mut Picker) -> Option<(Move, Score)> {
        if picker.next == picker.end {
            return None;
        }
        bring_best_forward(&mut self.moves[picker.next..picker.end]);
        let Ranked { key, mv } = self.moves[picker.next];
        picker.next += 1;
        Some((mv, Score(crate::chess::order::CanonicalOrder::score(key) as i32)))
    }
}

#[inline(always)]
fn bring_best_forward(moves: &mut [Ranked]) {
    let (mut best, mut key) = (0, moves[0].key);
    for (i, ranked) in moves.iter().enumerate().skip(1) {
        if ranked.key > key {
            (best, key) = (i, ranked.key);
        }
    }
    moves.swap(0, best);
}
