//! Quiescence search: captures and promotions are played out, and either side may stand pat. Just below the horizon it
//! may be wider: checks, pushes of pawns that are far advanced, and all moves out of check.

use std::ops::ControlFlow::{Break, Continue};

use super::node::LAST_PLY;
use super::ordering::Captures;
use super::picker::{Picker, Ranked};
use super::ranking::rank_by_victim;
use super::strategy::Strategy;
use super::table::Hint;
use super::worker::Worker;
use crate::chess::see::{self, Asker};
use crate::chess::{Board, Move, MoveList, PieceKind::Pawn, Score};
use crate::choices::choices;
use crate::machine::{Processor, Work};
use crate::settings::settings;

choices! {
    /// Order of captures and promotions in quiescence.
    pub enum NoisyOrder, "order of captures in quiescence";
    /// By exchange value.
    Exchange "exchange",
    /// The most valuable victim first, and of those the least valuable attacker.
    Victims "victims",
    /// In the order in which moves come that are otherwise equal.
    Unordered "unordered",
}

settings! {
    /// Parameters of quiescence beside those of the thesis.
    pub struct Quiescence, "feature";
    => "Quiescence: more or less than captures", "ColChess page; common practice",
        tried by [
            "+no-quiescence", "+quiescence-evasions", "+quiescence-checks=1", "+quiescence-full=1",
            "+quiescence-pushes=1", "quiescence-order=victims", "quiescence-order=unordered",
        ];
    is_left_out: bool, "no-quiescence",
        "the score of a position at the horizon is its static evaluation, whatever can be captured";
    evasions: bool, "quiescence-evasions",
        "in check, all moves are searched, and the side to move cannot stand pat";
    checks: i32 [0..=20 "plies"], "quiescence-checks",
        "number of plies below the horizon at which checks are searched too";
    pushes: i32 [0..=20 "plies"], "quiescence-pushes",
        "number of plies below the horizon at which pushes of pawns to their last three ranks are searched too";
    full: i32 [0..=20 "plies"], "quiescence-full",
        "number of plies below the horizon at which all moves are searched, and the side to move cannot stand pat; \
         'quiescence-widths' adds to it";
    order: NoisyOrder, "quiescence-order",
        "order of captures and promotions: by exchange value, by most valuable victim and least valuable attacker, or \
         none; with the other two, exchange values are computed only to leave out losing captures";
}

/// Rank from which on a pawn's push is searched, counted from 0 by its side.
const FAR_ADVANCED: u8 = 5;

/// Moves that are searched where quiescence is more or less than captures by exchange value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Moves {
    /// Captures and promotions, in another order.
    Noisy,
    /// Checks and pushes of pawns, once captures and promotions have been searched.
    Threats,
    /// All: the side to move cannot stand pat.
    All,
}

/// Window of a position, and the best score that has been found there: not below alpha, unless with `fail-soft`.
#[derive(Clone, Copy)]
struct Reached {
    alpha: Score,
    beta: Score,
    best: Score,
    /// Move that raised alpha last, or that cut.
    by: Option<Move>,
}

impl Reached {
    /// Takes into account what a move may reach at most that is left out, with `fail-soft`.
    fn allow_for(&mut self, most: Option<Score>) {
        self.best = most.map_or(self.best, |most| self.best.max(most));
    }
}

impl<B: Board, P: Processor, S: Strategy> Worker<'_, B, P, S> {
    /// Score of the present position, as far as captures and promotions can change it. `level` is its number of plies
    /// below the horizon; below 0 it is wider, whatever the parameters of quiescence say.
    pub(super) fn quiescence(&mut self, alpha: Score, beta: Score, ply: usize, level: i32) -> Option<Score> {
        self.lines.clear(ply);
        if self.is_at_limit() {
            return None;
        }
        self.counters.deepest_quiescence = self.counters.deepest_quiescence.max(ply as u64);
        if self.plan.keeps_quiescence && ply < LAST_PLY {
            return self.quiesce_with_table((alpha, beta), ply, level);
        }
        Some(self.quiesce((alpha, beta), ply, level, Hint::NONE)?.best)
    }

    /// Score of the present position, which the table may know.
    #[inline(never)]
    fn quiesce_with_table(&mut self, window: (Score, Score), ply: usize, level: i32) -> Option<Score> {
        let (node, hint) = match self.recall(window, ply, level) {
            Continue(unknown) => unknown,
            Break(score) => return Some(score),
        };
        let Reached { best, by, .. } = self.quiesce(window, ply, level, hint)?;
        self.keep(&node, best, by, hint);
        Some(best)
    }

    /// Best score that captures and promotions reach from the present position, with the move that reaches it. `hint`
    /// is tried first.
    #[inline(always)]
    fn quiesce(&mut self, (alpha, beta): (Score, Score), ply: usize, level: i32, hint: Hint) -> Option<Reached> {
        let nothing = Reached { alpha, beta, best: self.features.windows.lowest(alpha), by: None };
        let varies = self.plan.varies_quiescence;
        if varies && ply < LAST_PLY {
            let rule = &self.features.quiescence;
            let is_full = rule.full > 0 && level < rule.full;
            if is_full || (rule.evasions || level < 0) && self.board.in_check() {
                return self.quiesce_by(Moves::All, nothing, ply, level, hint);
            }
        }
        let standing = self.stand(ply);
        if standing >= beta || ply >= LAST_PLY || varies && self.features.quiescence.is_left_out {
            return Some(Reached { best: standing, ..nothing });
        }
        let mut reached = Reached { alpha: alpha.max(standing), best: standing.max(nothing.best), ..nothing };
        if !varies {
            return self.quiesce_captures(reached, ply, level, hint);
        }
        let rule = self.features.quiescence;
        reached = match rule.order {
            NoisyOrder::Exchange => self.quiesce_captures(reached, ply, level, hint)?,
            NoisyOrder::Victims | NoisyOrder::Unordered => self.quiesce_by(Moves::Noisy, reached, ply, level, hint)?,
        };
        if reached.alpha < beta && level < rule.checks.max(rule.pushes) {
            reached = self.quiesce_by(Moves::Threats, reached, ply, level, hint)?;
        }
        Some(reached)
    }

    /// Searches captures and promotions by exchange value.
    #[inline(always)]
    fn quiesce_captures(&mut self, mut reached: Reached, ply: usize, level: i32, hint: Hint) -> Option<Reached> {
        let top = self.moves.len();
        let mut list = MoveList::new();
        self.generate(B::noisy_moves, &mut list);
        // A capture that wins no more than this cannot lift the material to alpha.
        let lacking = |worker: &Self, alpha: Score| alpha - worker.material_with_margin(ply);
        let prunes = self.features.delta_pruning;
        let too_little = if prunes { lacking(self, reached.alpha) } else { -Score::INFINITE };
        if prunes && self.features.windows.fail_soft {
            let left_out = list.iter().map(|mv| self.wins_at_most(*mv)).filter(|most| *most <= too_little).max();
            reached.allow_for(left_out.map(|most| most + self.material_with_margin(ply)));
        }
        let mut picker = self.rank_noisy(&list, too_little);
        let mut in_check = None;
        if hint.is_some() && self.quiesce_known(&mut picker, hint, too_little, &mut reached, (ply, level))? {
            self.moves.truncate(top);
            return Some(reached);
        }
        while let Some((mv, gain)) = self.pick_noisy(&mut picker) {
            let loses = gain < Score(0) && !self.features.losing_captures;
            if loses {
                break;
            }
            if prunes && gain <= lacking(self, reached.alpha) {
                if self.features.windows.fail_soft {
                    reached.allow_for(Some(gain + self.material_with_margin(ply)));
                }
                break;
            }
            self.counters.quiescence_tried += 1;
            let in_check = *in_check.get_or_insert_with(|| self.board.in_check());
            if self.board.is_legal(mv, in_check) && self.quiesce_after(mv, &mut reached, ply, level)? {
                break;
            }
        }
        self.moves.truncate(top);
        Some(reached)
    }

    /// Searches the move that the table knows before the others. Returns whether it cuts.
    #[inline(never)]
    fn quiesce_known(
        &mut self,
        picker: &mut Picker,
        hint: Hint,
        too_little: Score,
        reached: &mut Reached,
        (ply, level): (usize, i32),
    ) -> Option<bool> {
        let Some(mv) = self.pick_known(picker, hint, too_little) else { return Some(false) };
        self.counters.quiescence_tried += 1;
        let is_legal = self.board.is_legal(mv, self.board.in_check());
        Some(is_legal && self.quiesce_after(mv, reached, ply, level)?)
    }

    /// Searches these moves.
    #[inline(never)]
    fn quiesce_by(
        &mut self,
        moves: Moves,
        mut reached: Reached,
        ply: usize,
        level: i32,
        hint: Hint,
    ) -> Option<Reached> {
        let top = self.moves.len();
        let in_check = self.board.in_check();
        let mut list = MoveList::new();
        if moves == Moves::Noisy {
            self.generate(B::noisy_moves, &mut list);
        } else {
            self.generate(B::legal_moves, &mut list);
        }
        if moves == Moves::All && list.is_empty() {
            let best = if in_check { Score::mated_in(ply as u32) } else { Score::DRAW };
            return Some(Reached { best, ..reached });
        }
        let mut picker = if moves == Moves::Noisy { self.rank_victims(&list) } else { self.rank(&list, ply, hint) };
        while let Some(mv) = self.pick(&mut picker) {
            let is_searched = match moves {
                Moves::Noisy => self.may_gain(mv, &mut reached, ply) && self.board.is_legal(mv, in_check),
                Moves::Threats => self.threatens(mv, ply, level),
                Moves::All => true,
            };
            if is_searched {
                self.counters.quiescence_tried += 1;
                if self.quiesce_after(mv, &mut reached, ply, level)? {
                    break;
                }
            }
        }
        self.moves.truncate(top);
        Some(reached)
    }

    /// Searches a legal move; alpha rises to its score. Returns whether the move cuts.
    #[inline(always)]
    fn quiesce_after(&mut self, mv: Move, reached: &mut Reached, ply: usize, level: i32) -> Option<bool> {
        self.counters.quiescence_nodes += 1;
        self.processor.spend(Work::QuiescenceNode);
        let made = self.make(ply, mv);
        let score = self.quiescence(-reached.beta, -reached.alpha, ply + 1, level + 1);
        self.take_back(mv, made);
        let score = -score?;
        let cuts = score >= reached.beta;
        if score > reached.best {
            reached.best = score;
            if score > reached.alpha {
                reached.alpha = score;
                reached.by = Some(mv);
                if !cuts {
                    self.lines.raise(ply, mv);
                }
            }
        }
        Some(cuts)
    }

    /// Puts captures and promotions on top of the stack by what they capture, or without an order.
    fn rank_victims(&mut self, list: &MoveList) -> Picker {
        let start = self.moves.len();
        let is_ordered = self.features.quiescence.order == NoisyOrder::Victims;
        let captures = if is_ordered { Captures::Victims } else { Captures::Quiet };
        let order = self.order;
        self.moves.extend(list.iter().map(|mv| Ranked { key: order.key(rank_by_victim(captures, *mv), *mv), mv: *mv }));
        Picker::ranked(start, self.moves.len())
    }

    /// Whether a capture or promotion may lift the score to alpha, and loses nothing by exchanges.
    fn may_gain(&self, mv: Move, reached: &mut Reached, ply: usize) -> bool {
        let features = &self.features;
        let loses = || mv.is_capture() && !self.plan.exchange_reaches(&self.board, mv, Score(0), Asker::Quiescence);
        let value = |kind: Option<_>| kind.map_or(Score(0), see::value);
        let most = self.material_with_margin(ply) + value(mv.captured()) + value(mv.promoted());
        if features.delta_pruning && most <= reached.alpha {
            if features.windows.fail_soft {
                reached.allow_for(Some(most));
            }
            return false;
        }
        features.losing_captures || !loses()
    }

    /// Material of the side to move with the margin of delta pruning: what a capture wins comes on top of it.
    #[inline(always)]
    fn material_with_margin(&self, ply: usize) -> Score {
        self.plies[ply].evaluation.material(self.board.turn()) + Score(self.features.delta_margin)
    }

    /// Whether a legal move is a check or push of a pawn that is searched at this level.
    fn threatens(&mut self, mv: Move, ply: usize, level: i32) -> bool {
        let rule = &self.features.quiescence;
        let is_push = mv.piece() == Pawn && self.board.turn().rank(mv.to().rank()) >= FAR_ADVANCED;
        let (may_push, may_check) = (level < rule.pushes, level < rule.checks);
        mv.is_quiet() && (may_push && is_push || may_check && self.gives_check(ply, mv))
    }

    /// Whether a legal move gives check.
    fn gives_check(&mut self, ply: usize, mv: Move) -> bool {
        let made = self.make(ply, mv);
        let gives_check = self.board.in_check();
        self.take_back(mv, made);
        gives_check
    }
}
