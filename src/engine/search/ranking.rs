//! Ranking: the keys by which the moves of a node are ordered.
//!
//! Moves are generated all at once, or in stages: the table's move, captures and promotions, quiet moves. The order is
//! the thesis's: the table's move, promotions and captures that do not lose, killers, quiet moves by history, captures
//! that lose. Exchange values are dear and depend on the position only, so they are computed when the table's move has
//! not cut; everything that changes while that move is searched is read before.

use super::node::Node;
use super::ordering::{Captures, Ordering, QuietOrder, TableMove};
use super::picker::{PICKED_ONE_BY_ONE, Pending, Picker, Ranked};
use super::quiet_history::{Histories, Plain, QuietHistory};
use super::strategy::Strategy;
use super::table::Hint;
use super::worker::Worker;
use crate::chess::order::CanonicalOrder;
use crate::chess::see::{self, Asker};
use crate::chess::{Board, Checks, Move, MoveList, PieceKind::Pawn, Score, SquareSet};
use crate::machine::Processor;

const TABLE_MOVE: i64 = 100_000_000;
const GOOD: i64 = 1_000_000;
/// Keys of quiet moves that come before the others: this ply's killers, those of two plies before, the counter move.
const KILLERS: [i64; 5] = [100_000, HISTORY_BOUND, 75_000, HISTORY_BOUND - 1, COUNTER_MOVE];
const HISTORY_BOUND: i64 = QuietHistory::BOUND as i64;
pub(super) const COUNTER_MOVE: i64 = HISTORY_BOUND - 2;
const LOSING: i64 = -1_000_000;
/// Lowest key of the moves that come before quiet ones.
const FIRST_GOOD: i64 = CanonicalOrder::least(GOOD);
/// Key of a capture or promotion whose exchange value is not known yet: after all others.
const UNKNOWN: i64 = i64::MIN;

impl<B: Board, P: Processor, S: Strategy> Worker<'_, B, P, S> {
    /// Puts all moves of a node on top of the stack; in check they have been generated. If they are staged, it begins
    /// with the table's move, if that can be made here, and the others are generated when they are needed.
    #[inline(always)]
    pub(super) fn rank_all(&mut self, node: &Node, list: &mut MoveList, hint: Hint) -> Picker {
        if self.plan.stages_moves && !node.in_check {
            let start = self.moves.len();
            let first = hint.move_on(&self.board);
            self.moves.extend(first.map(|mv| Ranked { key: self.order.key(TABLE_MOVE, mv), mv }));
            let mut picker = Picker::ranked(start, self.moves.len());
            (picker.pending, picker.first, picker.ply) = (Pending::All, first, node.ply as u32);
            return picker;
        }
        if !node.in_check {
            self.generate(B::moves, list);
        }
        self.touch_history(list);
        self.rank(list, node.ply, hint)
    }

    /// Lets the machine know that the history of these moves is read.
    #[inline(always)]
    fn touch_history(&mut self, list: &MoveList) {
        if self.strategy.histories() != Histories::Private {
            self.processor.touch(self.quiet.reading(list.len()));
        }
    }

    /// Puts moves on top of the stack with their keys.
    #[inline(never)]
    pub(super) fn rank(&mut self, list: &MoveList, ply: usize, hint: Hint) -> Picker {
        let (us, quiet, order) = (self.board.turn(), self.quiet, self.order);
        let plain = quiet.plain();
        let Ordering { table_move, captures, quiet: quiet_order, .. } = self.features.ordering;
        let [first_killer, second_killer, others @ ..] = self.early_moves(ply);
        // With the thesis's killers alone, two comparisons are enough.
        let has_others = others != [None; 3];
        let is_counted = self.features.history;
        let first = if table_move == TableMove::First { hint } else { Hint::NONE };
        let (mut has_noisy, mut has_hint) = (false, false);
        let (noisy, hinted) = (&mut has_noisy, &mut has_hint);
        let start = self.moves.len();
        // Everything is moved into the closure: what it had only a reference to would be read again for each move.
        self.moves.extend(list.iter().map(move |mv| {
            let mv = *mv;
            if first.is(mv) {
                *hinted = true;
                return Ranked { key: order.key(TABLE_MOVE, mv), mv };
            }
            if !mv.is_quiet() {
                if matches!(captures, Captures::Exchange | Captures::Winning) {
                    *noisy = true;
                    return Ranked { key: UNKNOWN, mv };
                }
                return Ranked { key: order.key(rank_by_victim(captures, mv), mv), mv };
            }
            let score = if first_killer == Some(mv) {
                KILLERS[0]
            } else if second_killer == Some(mv) {
                KILLERS[1]
            } else if let Some(place) = others.iter().position(|other| has_others && *other == Some(mv)) {
                KILLERS[2 + place]
            } else if is_counted {
                match plain {
                    Some(counts) => counts.of(us, mv).into(),
                    None => quiet.of(us, mv, ply).into(),
                }
            } else {
                0
            };
            Ranked { key: order.key_of_quiet(score, mv), mv }
        }));
        let mut picker = Picker::ranked(start, self.moves.len());
        picker.is_unscored = has_noisy;
        if has_noisy && !has_hint {
            self.score_noisy(&mut picker);
        }
        if self.plan.has_contexts {
            self.add_contexts(&picker, ply);
        }
        if quiet_order != QuietOrder::History {
            self.order_quiet_moves(&picker);
        }
        picker
    }

    /// Generates the next stage: captures and promotions, or quiet moves.
    #[inline(never)]
    pub(super) fn rank_next_stage(&mut self, picker: &mut Picker) {
        let mut list = MoveList::new();
        if picker.pending == Pending::All {
            picker.pending = Pending::Quiet;
            self.generate(B::noisy_moves, &mut list);
        } else {
            picker.pending = Pending::Nothing;
            self.generate(B::quiet_moves, &mut list);
            if picker.is_without_quiet {
                let (generated, checks) = (list.len(), Checks::on(&self.board));
                list.retain(|mv| checks.are_given_by(&self.board, mv));
                self.counters.skipped_moves += (generated - list.len()) as u64;
            }
            self.touch_history(&list);
            picker.sorted_from = picker.next + PICKED_ONE_BY_ONE;
            picker.is_sorted = false;
        }
        if let Some(first) = picker.first {
            list.retain(|mv| mv != first);
        }
        let ply = picker.ply as usize;
        match self.quiet.plain().filter(|_| self.plan.ranks_plainly) {
            Some(counts) if picker.pending == Pending::Nothing => self.rank_quiet(&list, ply, counts),
            Some(_) => self.rank_exchanges(&list),
            None => drop(self.rank(&list, ply, Hint::NONE)),
        }
        picker.end = self.moves.len();
    }

    /// Puts quiet moves on top of the stack as [`rank`](Self::rank) does, where these counts are what they are worth.
    #[inline(always)]
    fn rank_quiet(&mut self, list: &MoveList, ply: usize, counts: Plain<'_>) {
        let (us, order) = (self.board.turn(), self.order);
        let early = self.early_moves(ply);
        // Nearly all have another target than the killers.
        let targets: SquareSet = early.iter().flatten().map(|mv| mv.to()).collect();
        self.moves.extend(list.iter().map(move |mv| {
            let score = if targets.contains(mv.to())
                && let Some(place) = early.iter().position(|early| *early == Some(*mv))
            {
                KILLERS[place]
            } else {
                counts.of(us, *mv).into()
            };
            Ranked { key: order.key_of_quiet(score, *mv), mv: *mv }
        }));
    }

    /// Puts captures and promotions on top of the stack by their exchange values.
    #[inline(always)]
    fn rank_exchanges(&mut self, list: &MoveList) {
        for mv in list {
            let key = self.order.key(self.score_of_noisy(*mv, true), *mv);
            self.moves.push(Ranked { key, mv: *mv });
        }
    }

    /// Quiet moves that come before others, in the order of their keys.
    #[inline(always)]
    fn early_moves(&self, ply: usize) -> [Option<Move>; 5] {
        let killers_before = self.features.ordering.killers_before;
        let [first, second] = self.plies[ply].killers;
        let before = ply.checked_sub(2).filter(|_| killers_before);
        let [first_before, second_before] = before.map_or([None; 2], |before| self.plies[before].killers);
        [first, second, first_before, second_before, self.counter_moves.after(self.plies[ply].arrived_by)]
    }

    /// Generates all stages that are left.
    pub(crate) fn rank_rest(&mut self, picker: &mut Picker) {
        while picker.is_pending() {
            self.rank_next_stage(picker);
        }
    }

    /// Leaves out the quiet moves that have not been picked yet and give no check. What was put off stays.
    #[inline(never)]
    pub(super) fn leave_out_quiet(&mut self, picker: &mut Picker) {
        picker.is_without_quiet = true;
        if picker.is_second_pass() || picker.is_pending() {
            return;
        }
        let (mut kept, checks) = (picker.next, Checks::on(&self.board));
        for place in picker.next..picker.end {
            let ranked = self.moves[place];
            if !ranked.mv.is_quiet() || checks.are_given_by(&self.board, ranked.mv) {
                self.moves[kept] = ranked;
                kept += 1;
            }
        }
        self.counters.skipped_moves += (picker.end - kept) as u64;
        picker.end = kept;
    }

    /// Gives captures and promotions their keys.
    fn score_noisy(&mut self, picker: &mut Picker) {
        picker.is_unscored = false;
        let is_exact = self.features.ordering.captures == Captures::Exchange;
        for place in picker.next..picker.end {
            let Ranked { key, mv } = self.moves[place];
            if key == UNKNOWN {
                self.moves[place].key = self.order.key(self.score_of_noisy(mv, is_exact), mv);
            }
        }
    }

    /// Score by which a capture or promotion is ordered: by its exchange value, or by whether that is negative.
    #[inline(always)]
    fn score_of_noisy(&self, mv: Move, is_exact: bool) -> i64 {
        match mv.promoted() {
            Some(kind) => {
                let victim = mv.captured().filter(|_| !self.features.defect_promotion_victim);
                GOOD + i64::from((see::value(kind) + victim.map_or(Score(0), see::value)).0)
            }
            None if !is_exact => {
                let is_losing = !self.plan.exchange_reaches(&self.board, mv, Score(0), Asker::Ordering);
                rank_by_victim(Captures::Winning, mv) + if is_losing { LOSING - GOOD } else { 0 }
            }
            None => {
                let gain = i64::from(self.plan.exchange_value(&self.board, mv, Asker::Ordering).0);
                gain + if gain >= 0 { GOOD } else { LOSING }
            }
        }
    }

    /// Picks the best move that is left.
    #[inline(always)]
    pub(crate) fn pick(&mut self, picker: &mut Picker) -> Option<Move> {
        while picker.is_pending() && picker.look_ahead(&mut self.moves).is_none_or(|best| best.key < FIRST_GOOD) {
            self.rank_next_stage(picker);
        }
        if picker.is_unscored && picker.has_begun() && !picker.is_second_pass() {
            self.score_noisy(picker);
        }
        picker.pick(&mut self.moves)
    }

    /// Puts a move back that was picked, when none is left: it is going to be picked again.
    pub(crate) fn put_back(&mut self, picker: &mut Picker, mv: Move) {
        if let Some(place) = picker.picked().find(|place| self.moves[*place].mv == mv) {
            picker.next -= 1;
            self.moves.swap(place, picker.next);
        }
    }

    /// Copies the moves that are left, with their keys.
    pub(crate) fn copy_rest(&mut self, picker: &mut Picker, moves: &mut Vec<Ranked>) {
        if picker.is_unscored {
            self.score_noisy(picker);
        }
        moves.extend_from_slice(&self.moves[picker.next..picker.end]);
    }

    /// Puts captures and promotions on top of the stack for quiescence, by what they win at most. Those that win no
    /// more than `too_little` for certain are left out.
    #[inline(always)]
    pub(super) fn rank_noisy(&mut self, list: &MoveList, too_little: Score) -> Picker {
        let start = self.moves.len();
        for mv in list {
            let at_most = self.wins_at_most(*mv);
            if at_most > too_little {
                let score = i64::from(at_most.0);
                let key = if mv.is_capture() { CanonicalOrder::first(score) } else { self.order.key(score, *mv) };
                self.moves.push(Ranked { key, mv: *mv });
            }
        }
        Picker::ranked(start, self.moves.len())
    }

    /// Value that a capture or promotion wins if nothing is lost for it.
    #[inline(always)]
    pub(super) fn wins_at_most(&self, mv: Move) -> Score {
        match (mv.captured(), mv.promoted()) {
            (Some(victim), Some(kind)) if self.plan.exchange.promotions => {
                see::value(victim) + see::value(kind) - see::value(Pawn)
            }
            (Some(victim), _) => see::value(victim),
            (None, kind) => kind.map_or(Score(0), see::value),
        }
    }

    /// Picks the best move that is left, with its exchange value. That is computed only for moves that might be the
    /// best.
    #[inline(always)]
    pub(super) fn pick_noisy(&mut self, picker: &mut Picker) -> Option<(Move, Score)> {
        loop {
            let best = picker.look_ahead(&mut self.moves)?;
            let Ranked { key, mv } = *best;
            if !CanonicalOrder::is_first(key) {
                picker.next += 1;
                return Some((mv, Score(CanonicalOrder::score(key) as i32)));
            }
            let score = self.plan.exchange_value(&self.board, mv, Asker::Quiescence);
            best.key = self.order.key(score.0.into(), mv);
        }
    }
}

/// Rank of a capture or promotion by what it captures, and with what.
pub(super) fn rank_by_victim(order: Captures, mv: Move) -> i64 {
    if order == Captures::Quiet {
        return 0;
    }
    let won = mv.captured().map_or(0, |kind| see::value(kind).0) + mv.promoted().map_or(0, |kind| see::value(kind).0);
    if order == Captures::Difference {
        let paid = if mv.is_capture() { see::value(mv.piece()).0 } else { 0 };
        return GOOD + i64::from(won - paid);
    }
    // The attacker decides among equal victims only.
    GOOD + 10 * i64::from(won) - mv.piece().index() as i64
}
