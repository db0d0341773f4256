//! Move ordering: the moves of one node, best first.
//!
//! The moves wait on a stack that the worker's nodes share; each time the best of what is left is picked, so that a
//! node that is cut at once has sorted nothing. All are generated at once, or in stages: the table's move, captures and
//! promotions, quiet moves. The order is the thesis's: the table's move, promotions and captures that do not lose,
//! killers, quiet moves by history, captures that lose. Exchange values are dear and depend on the position only, so
//! they are computed when the table's move has not cut; everything that changes while that move is searched is read
//! before.

use super::node::Node;
use super::ordering::{Captures, Ordering, TableMove};
use super::quiet_history::Histories;
use super::quiet_order::QuietOrder;
use super::strategy::Strategy;
use super::table::Hint;
use super::worker::Worker;
use crate::chess::order::CanonicalOrder;
use crate::chess::{Board, Checks, Move, MoveList, PieceKind::Pawn, Score, see};
use crate::machine::Processor;

/// A move with its key: greater is earlier, and no two are equal.
#[derive(Clone, Copy, Debug)]
pub struct Ranked {
    pub(super) key: i64,
    pub(super) mv: Move,
}

/// Moves of one node that have not been picked yet, on the worker's stack.
#[derive(Clone, Copy, Debug)]
pub struct Picker {
    start: usize,
    next: usize,
    end: usize,
    /// Whether captures and promotions have no keys yet.
    is_unscored: bool,
    /// Whether what is left is in order.
    is_sorted: bool,
    /// Moves that have not been generated yet.
    pending: Pending,
    /// The table's move, if it was searched before others were generated.
    first: Option<Move>,
    /// Ply of the node.
    ply: u32,
    /// Place from which moves are sorted rather than picked one by one.
    sorted_from: usize,
    /// Whether quiet moves that give no check are left out from now on.
    is_without_quiet: bool,
    /// Number of moves that were put off; they lie from the start on.
    put_off: usize,
    /// Whether the moves that were put off are being picked.
    is_second_pass: bool,
}

/// Moves of a node that have not been generated yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pending {
    Nothing,
    Quiet,
    All,
}

const TABLE_MOVE: i64 = 100_000_000;
const GOOD: i64 = 1_000_000;
const KILLERS: [i64; 2] = [100_000, 50_000];
/// Killers of two plies before: each after this ply's.
const KILLERS_BEFORE: [i64; 2] = [75_000, 49_999];
pub(super) const COUNTER_MOVE: i64 = 49_998;
const LOSING: i64 = -1_000_000;
/// Lowest key of the moves that come before quiet ones.
const FIRST_GOOD: i64 = CanonicalOrder::least(GOOD);
/// Bound of a move's history, below the killers.
pub(super) const HISTORY_BOUND: u32 = KILLERS[1] as u32;
/// Number of moves that are picked one by one; where none of them has cut, the others are sorted.
const PICKED_ONE_BY_ONE: usize = 4;
/// Key of a capture or promotion whose exchange value is not known yet: after all others.
const UNKNOWN: i64 = i64::MIN;
/// Key of a move that has been picked, but not searched: it was illegal, or skipped.
pub(super) const UNTRIED: i64 = i64::MIN + 1;

impl Picker {
    /// Moves from `start` to `end` on the stack, all with keys.
    #[inline(always)]
    pub(super) fn ranked(start: usize, end: usize) -> Self {
        Self {
            start,
            next: start,
            end,
            is_unscored: false,
            is_sorted: false,
            pending: Pending::Nothing,
            first: None,
            ply: 0,
            sorted_from: start + PICKED_ONE_BY_ONE,
            is_without_quiet: false,
            put_off: 0,
            is_second_pass: false,
        }
    }

    /// Number of moves that have not been picked, illegal ones included.
    pub fn left(&self) -> usize {
        self.end - self.next + if self.is_second_pass { 0 } else { self.put_off }
    }

    /// Places on the stack of all moves.
    pub(super) fn all(&self) -> std::ops::Range<usize> {
        self.start..self.end
    }

    /// Places on the stack of the moves that have been picked.
    pub(super) fn picked(&self) -> std::ops::Range<usize> {
        self.start..if self.is_second_pass { self.end } else { self.next }
    }

    /// Whether there are moves that have still to be generated.
    #[inline(always)]
    pub(super) fn is_pending(&self) -> bool {
        self.pending != Pending::Nothing
    }

    /// Whether quiet moves that give no check have been left out.
    pub(super) fn is_without_quiet(&self) -> bool {
        self.is_without_quiet
    }

    /// Whether a move has been put off.
    pub fn has_put_off(&self) -> bool {
        self.put_off > 0
    }

    /// Whether the moves that were put off are being picked.
    pub fn is_second_pass(&self) -> bool {
        self.is_second_pass
    }
}

impl<B: Board, P: Processor, S: Strategy> Worker<'_, B, P, S> {
    /// Puts all moves of a node on top of the stack; in check they have been generated. If they are staged, it begins
    /// with the table's move, if that can be made here, and the others are generated when they are needed.
    #[inline(always)]
    pub(super) fn rank_all(&mut self, node: &Node, list: &mut MoveList, hint: Hint) -> Picker {
        if self.plan.stages_moves && !node.in_check {
            let start = self.moves.len();
            let first = hint.move_on(&self.board);
            self.moves.extend(first.map(|mv| Ranked { key: self.order.key(TABLE_MOVE, mv), mv }));
            let picker = Picker::ranked(start, self.moves.len());
            return Picker { pending: Pending::All, first, ply: node.ply as u32, ..picker };
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
        if self.plan.orders_plainly {
            return self.rank_by::<true>(list, ply, hint);
        }
        let picker = self.rank_by::<false>(list, ply, hint);
        if self.features.ordering.quiet != QuietOrder::History {
            self.order_quiet_moves(&picker);
        }
        picker
    }

    #[inline(always)]
    fn rank_by<const PLAINLY: bool>(&mut self, list: &MoveList, ply: usize, hint: Hint) -> Picker {
        let (us, quiet, order) = (self.board.turn(), self.quiet, self.order);
        let plain = quiet.plain();
        let [first_killer, second_killer] = self.plies[ply].killers;
        let others = if PLAINLY { OtherKillers::default() } else { self.other_killers(ply) };
        let Ordering { table_move, captures, .. } = self.features.ordering;
        let is_counted = self.features.history;
        let first = if PLAINLY || table_move == TableMove::First { hint } else { Hint::NONE };
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
                if PLAINLY || matches!(captures, Captures::Exchange | Captures::Winning) {
                    *noisy = true;
                    return Ranked { key: UNKNOWN, mv };
                }
                return Ranked { key: order.key(rank_by_victim(captures, mv), mv), mv };
            }
            let score = if first_killer == Some(mv) {
                KILLERS[0]
            } else if second_killer == Some(mv) {
                KILLERS[1]
            } else if !PLAINLY && let Some(score) = others.rank_of(mv) {
                score
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
        picker
    }

    fn other_killers(&self, ply: usize) -> OtherKillers {
        let before = match ply.checked_sub(2) {
            Some(before) if self.features.ordering.killers_before => self.plies[before].killers,
            _ => [None; 2],
        };
        OtherKillers { before, counter_move: self.counter_moves.after(self.plies[ply].arrived_by) }
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
        picker.end = self.rank(&list, picker.ply as usize, Hint::NONE).end;
    }

    /// Leaves out the quiet moves that have not been picked yet and give no check. What was put off stays.
    #[inline(never)]
    pub(super) fn leave_out_quiet(&mut self, picker: &mut Picker) {
        picker.is_without_quiet = true;
        if picker.is_second_pass || picker.is_pending() {
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
        for ranked in &mut self.moves[picker.next..picker.end] {
            let mv = ranked.mv;
            if ranked.key != UNKNOWN {
                continue;
            }
            let score = match mv.promoted() {
                Some(kind) => {
                    let victim = mv.captured().filter(|_| !self.features.defect_promotion_victim);
                    GOOD + i64::from((see::value(kind) + victim.map_or(Score(0), see::value)).0)
                }
                None if !is_exact => {
                    self.board.note_exchange(mv, see::Asker::Ordering);
                    let is_losing = !see::is_at_least(self.plan.exchange, &self.board, mv, Score(0));
                    rank_by_victim(Captures::Winning, mv) + if is_losing { LOSING - GOOD } else { 0 }
                }
                None => {
                    self.board.note_exchange(mv, see::Asker::Ordering);
                    let gain = i64::from(see::see_by(self.plan.exchange, &self.board, mv).0);
                    gain + if gain >= 0 { GOOD } else { LOSING }
                }
            };
            ranked.key = self.order.key(score, mv);
        }
    }

    /// Picks the best move that is left.
    #[inline(always)]
    pub(crate) fn pick(&mut self, picker: &mut Picker) -> Option<Move> {
        while picker.is_pending() && !self.has_good_move(picker) {
            self.rank_next_stage(picker);
        }
        if picker.next == picker.end {
            if picker.put_off == 0 || picker.is_second_pass {
                return None;
            }
            picker.is_second_pass = true;
            (picker.next, picker.end) = (picker.start, picker.start + picker.put_off);
        }
        if !picker.is_second_pass {
            if picker.is_unscored && picker.next > picker.start {
                self.score_noisy(picker);
            }
            let left = &mut self.moves[picker.next..picker.end];
            if picker.next < picker.sorted_from {
                bring_best_forward(left);
            } else if !picker.is_sorted {
                left.sort_unstable_by_key(|ranked| std::cmp::Reverse(ranked.key));
                picker.is_sorted = true;
            }
        }
        picker.next += 1;
        Some(self.moves[picker.next - 1].mv)
    }

    /// Whether one of the moves that have been generated comes before those that have not. It is brought to the front.
    #[inline(always)]
    fn has_good_move(&mut self, picker: &Picker) -> bool {
        let left = &mut self.moves[picker.next..picker.end];
        if left.is_empty() {
            return false;
        }
        bring_best_forward(left);
        left[0].key >= FIRST_GOOD
    }

    /// Copies the moves that are left, with their keys.
    pub(crate) fn copy_rest(&mut self, picker: &mut Picker, moves: &mut Vec<Ranked>) {
        if picker.is_unscored {
            self.score_noisy(picker);
        }
        moves.extend_from_slice(&self.moves[picker.next..picker.end]);
    }

    /// Puts off the move that was picked last: it is picked again after all others.
    pub(super) fn put_off(&mut self, picker: &mut Picker) {
        debug_assert!(!picker.is_second_pass);
        self.moves[picker.start + picker.put_off] = self.moves[picker.next - 1];
        picker.put_off += 1;
    }

    /// Marks the move that was picked last as not searched.
    #[inline(always)]
    pub(super) fn mark_untried(&mut self, picker: &Picker) {
        self.moves[picker.next - 1].key = UNTRIED;
    }

    /// Puts captures and promotions on top of the stack for quiescence, by what they win at most. Those that win no
    /// more than `too_little` for certain are left out.
    #[inline(always)]
    pub(super) fn rank_noisy(&mut self, list: &MoveList, too_little: Score) -> Picker {
        let start = self.moves.len();
        let promotions = self.plan.exchange.promotions;
        for mv in list {
            let at_most = match (mv.captured(), mv.promoted()) {
                (Some(victim), None) => see::value(victim),
                (Some(victim), Some(kind)) if promotions => see::value(victim) + see::value(kind) - see::value(Pawn),
                (Some(victim), Some(_)) => see::value(victim),
                (None, kind) => kind.map_or(Score(0), see::value),
            };
            if at_most > too_little {
                let score = i64::from(at_most.0);
                let key = if mv.is_capture() { CanonicalOrder::first(score) } else { self.order.key(score, *mv) };
                self.moves.push(Ranked { key, mv: *mv });
            }
        }
        Picker::ranked(start, self.moves.len())
    }

    /// Picks the best move that is left, with its exchange value. That is computed only for moves that might be the
    /// best.
    #[inline(always)]
    pub(super) fn pick_noisy(&mut self, picker: &mut Picker) -> Option<(Move, Score)> {
        if picker.next == picker.end {
            return None;
        }
        loop {
            let left = &mut self.moves[picker.next..picker.end];
            bring_best_forward(left);
            let Ranked { key, mv } = left[0];
            if CanonicalOrder::is_first(key) {
                self.board.note_exchange(mv, see::Asker::Quiescence);
                let score = see::see_by(self.plan.exchange, &self.board, mv);
                left[0].key = self.order.key(score.0.into(), mv);
                continue;
            }
            picker.next += 1;
            return Some((mv, Score(CanonicalOrder::score(key) as i32)));
        }
    }
}

/// Quiet moves that come after the killers and before the others.
#[derive(Clone, Copy, Default)]
struct OtherKillers {
    before: [Option<Move>; 2],
    counter_move: Option<Move>,
}

impl OtherKillers {
    #[inline(always)]
    fn rank_of(&self, mv: Move) -> Option<i64> {
        if self.before[0] == Some(mv) {
            Some(KILLERS_BEFORE[0])
        } else if self.before[1] == Some(mv) {
            Some(KILLERS_BEFORE[1])
        } else {
            (self.counter_move == Some(mv)).then_some(COUNTER_MOVE)
        }
    }
}

/// Rank of a capture or promotion by what it captures, and with what.
pub(super) fn rank_by_victim(order: Captures, mv: Move) -> i64 {
    if order == Captures::Quiet {
        return 0;
    }
    let won = mv.captured().map_or(0, |kind| see::value(kind).0) + mv.promoted().map_or(0, |kind| see::value(kind).0);
    // The attacker decides among equal victims only.
    GOOD + 10 * i64::from(won) - mv.piece().index() as i64
}

/// Picks the best of some moves, and brings it to their front. There must be one.
#[inline]
pub(crate) fn pick_from(moves: &mut [Ranked]) -> Move {
    bring_best_forward(moves);
    moves[0].mv
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
