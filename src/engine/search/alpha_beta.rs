//! The main search: alpha-beta with principal variation search, in the order of the 2004 thesis.
//!
//! A node is visited, its moves are searched one after the other, and it is closed. A search whose result is not wanted
//! any more returns `None`, with the board as it was before and nothing stored.

use std::ops::ControlFlow::{self, Break, Continue};

use super::ledger::Entered;
use super::node::{Below, Expected, LAST_PLY, Node, ONE_PLY, Place, Progress, Tried, Verdict};
use super::picker::Picker;
use super::spans::Forks;
use super::strategy::{Sharing, Strategy};
use super::table::{Bound, Entry, Found, Hint};
use super::worker::Worker;
use crate::chess::{Board, Move, MoveList, Score};
use crate::machine::{Access, Processor, Work};

/// A node that has not been ended at once.
pub(super) struct Arrived {
    /// The table's move.
    pub hint: Hint,
    /// The node in the ledger, if one is kept.
    pub entered: Option<Entered>,
}

/// A node's own loop over its moves.
pub(super) struct Turn {
    pub progress: Progress,
    /// Number of moves that had been searched when the node was last offered to others.
    offered_after: i32,
    /// Effort and nodes before the present move.
    effort_before: u64,
    nodes_before: u64,
}

/// End of a node's own loop.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Ended {
    /// All moves have been searched, or one has cut.
    Done,
    /// The search was stopped.
    Stopped,
}

impl Ended {
    /// Progress with which the loop has ended; none if it was stopped.
    #[inline(always)]
    pub fn of(self, turn: &Turn) -> Option<Progress> {
        (self == Self::Done).then_some(turn.progress)
    }
}

impl Turn {
    /// Forgets the counts before the present move: another worker searches on.
    pub fn forget_counts(&mut self) {
        self.nodes_before = u64::MAX;
    }
}

/// Number of nodes of the main search of which one has its legal moves counted.
const NODES_BETWEEN_COUNTS: u64 = 256;

impl<B: Board, P: Processor, S: Strategy> Worker<'_, B, P, S> {
    /// Score of the present position for the side to move; `None` if it is not wanted any more.
    pub(crate) fn search(&mut self, node: Node) -> Option<Score> {
        let top = self.moves.len();
        let score = self.visit(node);
        self.moves.truncate(top);
        self.limited(&node, score)
    }

    /// The score of a node as it is returned.
    #[inline(always)]
    pub(super) fn limited(&self, node: &Node, score: Option<Score>) -> Option<Score> {
        if self.features.windows.fail_hard {
            return score.map(|score| score.clamp(node.alpha, node.beta));
        }
        score
    }

    /// Result of the search of a node, or the result that is known without one.
    #[inline(always)]
    pub(super) fn result(&mut self, below: Below) -> Option<Score> {
        match below {
            Continue(node) => self.search(node),
            Break(score) => score,
        }
    }

    #[inline(always)]
    fn visit(&mut self, mut node: Node) -> Option<Score> {
        let mut list = MoveList::new();
        let arrived = match self.arrive(&mut node, &mut list) {
            Continue(arrived) => arrived,
            Break(score) => return score,
        };
        let strategy = self.strategy;
        let is_followed = self.follows_nodes && strategy.enters(self.at(), &node);
        let score = self.explore(&mut node, arrived.hint, &mut list);
        if is_followed {
            strategy.leaves(self.at());
        }
        if let Some(entered) = arrived.entered {
            self.leave(&entered, score.is_some());
        }
        score
    }

    /// Arrives at a node, and ends it if its moves need not be searched. Of a node in check, lists the moves.
    #[inline(always)]
    pub(super) fn arrive(&mut self, node: &mut Node, list: &mut MoveList) -> ControlFlow<Option<Score>, Arrived> {
        self.counters.main_nodes += 1;
        self.processor.spend(Work::MainNode);
        self.lines.clear(node.ply);
        if self.is_at_limit() {
            return Break(None);
        }
        self.counters.deepest = self.counters.deepest.max(node.ply as u64);
        node.in_check = self.board.in_check();
        if self.is_draw(node.in_check) {
            self.counters.draws += 1;
            return Break(Some(Score::DRAW));
        }
        if node.ply >= LAST_PLY {
            return Break(Some(self.evaluate(node.ply)));
        }
        if node.in_check {
            self.generate(B::legal_moves, list);
        }
        if !node.is_again {
            self.extend(node, list.len());
        }
        let level = if self.plan.varies_quiescence { self.widen(node, list.len()) } else { 0 };
        if node.draft < ONE_PLY {
            self.counters.leaves += 1;
            return Break(self.quiescence(node.alpha, node.beta, node.ply, level));
        }

        if self.is_over() {
            return Break(None);
        }
        self.features.mate_distance.narrow(node)?;
        self.counters.endings.reached[node.expected as usize] += 1;
        let found = self.probe(node);
        if let Some(score) = self.known_score(&found) {
            self.counters.endings.by_table[node.expected as usize] += 1;
            return Break(Some(score));
        }
        if self.plan.marks_pv {
            node.once_pv = node.expected == Expected::Pv || found.once_pv;
        }
        let ledger = self.common.ledger.as_ref();
        let entered = ledger.map(|ledger| self.enter(ledger, node, found.deep == 0));
        Continue(Arrived { hint: found.hint, entered })
    }

    /// Searches a node that the table does not end.
    #[inline(always)]
    fn explore(&mut self, node: &mut Node, mut hint: Hint, list: &mut MoveList) -> Option<Score> {
        if let Break(score) = self.try_to_end(node, hint) {
            return score;
        }
        if let Break(score) = self.cut_by_capture(node) {
            return score;
        }
        if let Break(score) = self.cut_by_several(node, hint) {
            return score;
        }
        hint = self.deepen(node, hint)?;
        if let Break(score) = self.extend_singular(node, hint) {
            return score;
        }
        let mut picker = self.first_picker(node, list, hint);
        let progress = self.brothers(node, &mut picker)?;
        Some(self.conclude(node, progress, &picker, hint))
    }

    /// The moves of a node, ready to be picked.
    #[inline(always)]
    pub(super) fn first_picker(&mut self, node: &Node, list: &mut MoveList, hint: Hint) -> Picker {
        if self.counters.main_nodes.is_multiple_of(NODES_BETWEEN_COUNTS) {
            self.count_moves();
        }
        self.rank_all(node, list, hint)
    }

    /// Learns from a node whose moves have been searched or cut off, and closes it.
    #[inline(always)]
    pub(super) fn conclude(&mut self, node: &Node, mut progress: Progress, picker: &Picker, hint: Hint) -> Score {
        if self.plan.notes_failures {
            self.note_failures(node, &progress, picker);
        }
        if self.features.windows.fail_soft && picker.has_left_out() {
            // All that is taken for known of moves that were left out is that they are no better than alpha.
            progress.score = progress.score.max(progress.alpha);
        }
        self.close(node, &progress, hint)
    }

    /// Tries what may end a node before its moves are searched.
    #[inline(always)]
    fn try_to_end(&mut self, node: &mut Node, hint: Hint) -> Tried {
        self.judge_standing(node)?;
        self.try_null_move(node, hint)
    }

    /// Ends a node by its static evaluation, if that says enough.
    #[inline(always)]
    pub(super) fn judge_standing(&mut self, node: &mut Node) -> Tried {
        if self.plan.needs_standing && !node.in_check {
            node.standing = Some(self.stand(node.ply));
            let ended = match self.stands_above(node) {
                Continue(()) => self.razor(node),
                ended => ended,
            };
            self.counters.endings.by_standing[node.expected as usize] += u64::from(ended.is_break());
            return ended;
        }
        Continue(())
    }

    /// Counts the legal moves here, of few nodes: their mean is that of all nodes whose moves are searched.
    #[cold]
    fn count_moves(&mut self) {
        self.counters.counted_nodes += 1;
        self.counters.counted_moves += self.board.count_legal_moves() as u64;
    }

    /// Whether the game is over here by repetition or the fifty-move rule.
    #[inline(always)]
    fn is_draw(&self, in_check: bool) -> bool {
        let state = self.board.state();
        if state.halfmove_clock() == 0 {
            return false;
        }
        if self.features.fifty_move_draws && self.board.is_fifty_moves() {
            let may_be_mate = in_check && !self.features.defect_fifty_before_mate;
            if !may_be_mate || self.board.count_legal_moves() > 0 {
                return true;
            }
        }
        if !self.features.repetition_draws {
            return false;
        }
        let found = if self.features.defect_repetition_across_null {
            self.past.occurrences(state.key(), state.halfmove_clock().into())
        } else {
            self.past.repetitions(state)
        };
        found.in_tree >= 1 || found.in_game >= 2
    }

    /// Probes the table.
    #[inline(always)]
    pub(super) fn probe(&mut self, node: &Node) -> Found {
        if !self.table.exists() {
            return Found::default();
        }
        let found = self.look_up(node.draft, |entry| self.score_that_ends(node, entry));
        if P::MAY_HAVE_NODES && if found.score.is_some() { found.score_from_afar } else { found.hint_from_afar } {
            self.use_of_another_node(&found);
        }
        let counters = &mut self.counters;
        counters.probes += 1;
        counters.found += u64::from(found.matches > 0);
        counters.deep += u64::from(found.deep > 0);
        counters.tier_hits += u64::from(found.deep);
        if self.common.audit {
            counters.found_foreign += u64::from(found.foreign.matches);
            counters.deep_foreign += u64::from(found.foreign.deep);
            counters.torn_rejected += found.torn.rejected;
            counters.torn_accepted += found.torn.accepted;
            counters.false_matches += found.false_matches;
        }
        found
    }

    /// Score of the table for this node, if it ends the node; counted.
    #[inline(always)]
    pub(super) fn known_score(&mut self, found: &Found) -> Option<Score> {
        match found.score {
            Some(_) => {
                self.counters.ended += 1;
                self.counters.ended_foreign += u64::from(self.common.audit && found.foreign.score);
            }
            None => self.counters.only_move += u64::from(found.hint.is_some()),
        }
        found.score
    }

    /// Score of an entry of enough draft, if it ends the node.
    #[inline(always)]
    fn score_that_ends(&self, node: &Node, entry: &Entry) -> Option<Score> {
        if self.features.equal_draft && entry.draft != node.draft as u32 {
            return None;
        }
        let score = self.score_from_table(entry, node.ply);
        let ends = match entry.bound {
            Bound::Exact => true,
            Bound::Lower => score >= node.beta,
            Bound::Upper => score <= node.alpha,
        };
        ends.then_some(score)
    }

    /// Probes the table once more while the moves of a node are searched: the score, if another worker has stored one
    /// meanwhile that ends the node.
    #[inline(never)]
    pub(crate) fn look_again(&mut self, node: &Node) -> Option<Score> {
        if !self.table.exists() {
            return None;
        }
        self.counters.second_looks += 1;
        let score = self.look_up(node.draft, |entry| self.score_that_ends(node, entry)).score?;
        self.counters.ended_elsewhere += 1;
        // What this worker has found of the line need not belong to that score.
        self.lines.clear(node.ply);
        Some(score)
    }

    /// Searches the moves of a node, until one cuts or there are no more.
    #[inline(always)]
    pub(super) fn brothers(&mut self, node: &Node, picker: &mut Picker) -> Option<Progress> {
        let (mut turn, mut forks) = (self.first_turn(node), Forks::default());
        loop {
            let (mv, place) = match self.next_turn(node, &mut turn, picker) {
                Continue(next) => next,
                Break(ended) => return ended.of(&turn),
            };
            self.begin_fork(&mut forks, node, place.number);
            let score = self.brother(node, &turn.progress, mv, place);
            self.end_fork(&mut forks, node, score);
            if let Break(ended) = self.end_turn(node, &mut turn, picker, mv, score) {
                return ended.of(&turn);
            }
        }
    }

    /// The beginning of a loop over the moves of a node.
    #[inline(always)]
    pub(super) fn first_turn(&self, node: &Node) -> Turn {
        let is_offered_at_once = self.offers_at_once && (node.expected == Expected::All || node.ply == 0);
        Turn {
            progress: Progress { score: self.features.windows.lowest(node.alpha), ..Progress::of(node) },
            offered_after: if is_offered_at_once { -1 } else { 0 },
            effort_before: 0,
            nodes_before: 0,
        }
    }

    /// The next move of a node that is to be searched, with its place; or the end of the loop, without a result if the
    /// search was stopped.
    #[inline(always)]
    pub(super) fn next_turn(
        &mut self,
        node: &Node,
        turn: &mut Turn,
        picker: &mut Picker,
    ) -> ControlFlow<Ended, (Move, Place)> {
        let strategy = self.strategy;
        let progress = &mut turn.progress;
        loop {
            self.leave_out_late_quiet(node, progress.alpha, progress.searched, picker);
            if progress.searched as i32 > turn.offered_after {
                turn.offered_after = progress.searched as i32;
                match strategy.share(self.at(), node, progress, picker) {
                    Some(Sharing::NotAtAll) => {}
                    Some(Sharing::Completely) => return Break(Ended::Done),
                    None => return Break(Ended::Stopped),
                }
            }
            let Some(mv) = self.pick(picker) else {
                return Break(Ended::Done);
            };
            progress.taken += u32::from(!picker.is_second_pass());
            if !node.in_check && !self.board.is_legal(mv, false) {
                picker.mark_untried(&mut self.moves);
                continue;
            }
            if progress.searched > 0
                && let Some(score) = strategy.finished_elsewhere(self.at(), node, picker)
            {
                progress.known = Some(score);
                return Break(Ended::Done);
            }
            let may_wait = progress.searched > 0 && !picker.is_second_pass();
            if may_wait && strategy.puts_off(self.at(), node, mv) {
                picker.put_off(&mut self.moves);
                continue;
            }
            progress.searched += 1;
            (turn.effort_before, turn.nodes_before) = (self.effort(), self.counters.main_nodes);
            let is_eldest =
                if self.features.defect_first_index_window { progress.taken == 1 } else { progress.searched == 1 };
            let place = Place { number: progress.searched - 1, is_eldest, reduction: None };
            if node.ply == 0 {
                self.tell_root_step(mv, progress.searched);
            }
            return Continue((mv, place));
        }
    }

    /// Draws the consequences of a move's search for its node: goes on, or ends the loop.
    #[inline(always)]
    pub(super) fn end_turn(
        &mut self,
        node: &Node,
        turn: &mut Turn,
        picker: &mut Picker,
        mv: Move,
        score: Option<Score>,
    ) -> ControlFlow<Ended> {
        let strategy = self.strategy;
        strategy.end_brother(self.at(), node);
        let Some(score) = score else { return Break(Ended::Stopped) };
        if self.counters.main_nodes == turn.nodes_before {
            picker.mark_untried(&mut self.moves);
        }
        let verdict = turn.progress.take(mv, score, node.beta);
        if verdict == Verdict::Raised {
            self.lines.raise(node.ply, mv);
        }
        if node.ply == 0 {
            self.set_root_effort(mv, self.effort() - turn.effort_before, (verdict, score));
        }
        if verdict == Verdict::Cut { Break(Ended::Done) } else { Continue(()) }
    }

    /// Score of a node whose moves have been searched or cut off. The result is stored.
    #[inline(always)]
    pub(super) fn close(&mut self, node: &Node, progress: &Progress, hint: Hint) -> Score {
        if let Some(score) = progress.known {
            return score;
        }
        if progress.searched == 0 {
            return if node.in_check { Score::mated_in(node.ply as u32) } else { Score::DRAW };
        }
        // A store does not wait for its cache line, so it costs no more than its place in the order.
        self.processor.touch(Access::Free);
        if self.plan.corrects {
            self.correct(node, progress);
        }
        if let Some(score) = progress.cut {
            let score = if self.features.windows.fail_hard { node.beta } else { score };
            self.counters.cut(node.kind(), progress.searched);
            if let Some(mv) = progress.best {
                self.reward_quiet_move(node, mv, score);
            }
            self.remember(node, score, Bound::Lower, progress.best.into());
            return score;
        }
        let (bound, best) = match progress.best {
            Some(mv) => (Bound::Exact, Some(mv).into()),
            None if self.features.defect_fail_low_forgets_move => (Bound::Upper, Hint::NONE),
            None => (Bound::Upper, hint),
        };
        self.remember(node, progress.score, bound, best);
        progress.score
    }
}
