//! Quiescence search: captures and promotions are played out, and either side may stand pat. Just below the horizon it
//! may be wider: checks, pushes of pawns that are far advanced, and all moves out of check.

use super::ordering::Captures;
use super::picker::{Picker, Ranked, rank_by_victim};
use super::strategy::Strategy;
use super::table::Hint;
use super::worker::{LAST_PLY, Worker};
use crate::chess::{Board, Move, MoveList, PieceKind::Pawn, Score, see};
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
    => "Quiescence: more or less than captures", "ColChess page; common practice";
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

impl<B: Board, P: Processor, S: Strategy> Worker<'_, B, P, S> {
    /// Score of the present position, as far as captures and promotions can change it. `level` is its number of plies
    /// below the horizon; below 0 it is wider, whatever the parameters of quiescence say.
    pub(super) fn quiescence(&mut self, mut alpha: Score, beta: Score, ply: usize, level: i32) -> Option<Score> {
        self.lines.clear(ply);
        if self.is_at_limit() {
            return None;
        }
        self.counters.deepest_quiescence = self.counters.deepest_quiescence.max(ply as u64);
        let wider = self.is_quiescence_wider;
        if wider && ply < LAST_PLY {
            let rule = &self.features.quiescence;
            let is_full = rule.full > 0 && level < rule.full;
            if is_full || (rule.evasions || level < 0) && self.board.in_check() {
                return self.quiesce_in_full(alpha, beta, ply, level);
            }
        }
        let standing = self.evaluate(ply);
        if standing >= beta || ply >= LAST_PLY || wider && self.features.quiescence.is_left_out {
            return Some(standing);
        }
        alpha = alpha.max(standing);

        if wider && self.features.quiescence.order != NoisyOrder::Exchange {
            return self.quiesce_by_victims(alpha, beta, ply, level);
        }
        let top = self.moves.len();
        let mut list = MoveList::new();
        self.generate(B::noisy_moves, &mut list);
        // A capture that wins no more than this cannot lift the material to alpha.
        let lacking = |worker: &Self, alpha: Score| {
            let material = worker.plies[ply].evaluation.material(worker.board.turn());
            alpha - material - Score(worker.features.delta_margin)
        };
        let prunes = self.features.delta_pruning;
        let too_little = if prunes { lacking(self, alpha) } else { -Score::INFINITE };
        let mut picker = self.rank_noisy(&list, too_little);
        let mut in_check = None;
        while let Some((mv, gain)) = self.pick_noisy(&mut picker) {
            let loses = gain < Score(0) && !self.features.losing_captures;
            if loses || prunes && gain <= lacking(self, alpha) {
                break;
            }
            self.counters.quiescence_tried += 1;
            let in_check = *in_check.get_or_insert_with(|| self.board.in_check());
            if !self.board.is_legal(mv, in_check) {
                continue;
            }
            let score = self.quiesce_after(mv, (alpha, beta), ply, level)?;
            if score >= beta {
                alpha = score;
                break;
            }
            if score > alpha {
                alpha = score;
                self.lines.raise(ply, mv);
            }
        }
        self.moves.truncate(top);
        if wider && alpha < beta {
            return self.search_quiet_threats(alpha, beta, ply, level);
        }
        Some(alpha)
    }

    /// Score of a legal move in quiescence.
    #[inline(always)]
    fn quiesce_after(&mut self, mv: Move, (alpha, beta): (Score, Score), ply: usize, level: i32) -> Option<Score> {
        self.counters.quiescence_nodes += 1;
        self.processor.spend(Work::QuiescenceNode);
        let made = self.make(ply, mv);
        let score = self.quiescence(-beta, -alpha, ply + 1, level + 1);
        self.take_back(mv, made);
        score.map(|score| -score)
    }

    /// Score of a position whose captures and promotions are not ordered by exchange value; the side to move can have
    /// alpha by standing pat.
    #[inline(never)]
    fn quiesce_by_victims(&mut self, alpha: Score, beta: Score, ply: usize, level: i32) -> Option<Score> {
        let top = self.moves.len();
        let mut list = MoveList::new();
        self.generate(B::noisy_moves, &mut list);
        let is_ordered = self.features.quiescence.order == NoisyOrder::Victims;
        let order = if is_ordered { Captures::Victims } else { Captures::Quiet };
        let key = |mv: &Move| self.order.key(rank_by_victim(order, *mv), *mv);
        self.moves.extend(list.iter().map(|mv| Ranked { key: key(mv), mv: *mv }));
        let mut picker = Picker::ranked(top, self.moves.len());
        let in_check = self.board.in_check();
        let (prunes, rules) = (self.features.delta_pruning, self.exchange);
        let least_gain = -self.plies[ply].evaluation.material(self.board.turn()) - Score(self.features.delta_margin);
        let is_searched = |worker: &mut Self, mv: Move, alpha: Score| {
            let loses = || mv.is_capture() && !see::is_at_least(rules, &worker.board, mv, Score(0));
            let at_most = |kind: Option<_>| kind.map_or(Score(0), see::value);
            let gains_enough = !prunes || at_most(mv.captured()) + at_most(mv.promoted()) > least_gain + alpha;
            gains_enough && (worker.features.losing_captures || !loses()) && worker.board.is_legal(mv, in_check)
        };
        let score = self.quiesce_all(&mut picker, is_searched, (alpha, beta), ply, level);
        self.moves.truncate(top);
        let alpha = score?;
        if alpha < beta { self.search_quiet_threats(alpha, beta, ply, level) } else { Some(alpha) }
    }

    /// Score of a position in which the side to move cannot stand pat: of all its moves the best.
    #[inline(never)]
    fn quiesce_in_full(&mut self, alpha: Score, beta: Score, ply: usize, level: i32) -> Option<Score> {
        let top = self.moves.len();
        let mut list = MoveList::new();
        self.generate(B::legal_moves, &mut list);
        if list.is_empty() {
            return Some(if self.board.in_check() { Score::mated_in(ply as u32) } else { Score::DRAW });
        }
        let mut picker = self.rank(&list, ply, Hint::NONE);
        let score = self.quiesce_all(&mut picker, |_, _, _| true, (alpha, beta), ply, level);
        self.moves.truncate(top);
        score
    }

    /// Goes on with checks and pushes of pawns, where they are searched.
    #[inline(never)]
    fn search_quiet_threats(&mut self, alpha: Score, beta: Score, ply: usize, level: i32) -> Option<Score> {
        let rule = self.features.quiescence;
        let (checks, pushes) = (level < rule.checks, level < rule.pushes);
        if !checks && !pushes {
            return Some(alpha);
        }
        let top = self.moves.len();
        let mut list = MoveList::new();
        self.generate(B::legal_moves, &mut list);
        let mut picker = self.rank(&list, ply, Hint::NONE);
        let us = self.board.turn();
        let is_push = |mv: Move| mv.piece() == Pawn && us.rank(mv.to().rank()) >= FAR_ADVANCED;
        let is_searched = |worker: &mut Self, mv: Move, _| {
            mv.is_quiet() && (pushes && is_push(mv) || checks && worker.gives_check(ply, mv))
        };
        let score = self.quiesce_all(&mut picker, is_searched, (alpha, beta), ply, level);
        self.moves.truncate(top);
        score
    }

    /// Best score of some legal moves, or alpha.
    fn quiesce_all(
        &mut self,
        picker: &mut Picker,
        is_searched: impl Fn(&mut Self, Move, Score) -> bool,
        (mut alpha, beta): (Score, Score),
        ply: usize,
        level: i32,
    ) -> Option<Score> {
        while let Some(mv) = self.pick(picker) {
            if !is_searched(self, mv, alpha) {
                continue;
            }
            self.counters.quiescence_tried += 1;
            let score = self.quiesce_after(mv, (alpha, beta), ply, level)?;
            if score >= beta {
                return Some(score);
            }
            if score > alpha {
                alpha = score;
                self.lines.raise(ply, mv);
            }
        }
        Some(alpha)
    }

    /// Whether a legal move gives check.
    fn gives_check(&mut self, ply: usize, mv: Move) -> bool {
        let made = self.make(ply, mv);
        let gives_check = self.board.in_check();
        self.take_back(mv, made);
        gives_check
    }
}
