//! The main search: alpha-beta with principal variation search, in the order of the 2004 thesis.
//!
//! A node is visited, its moves are searched one after the other, and it is closed. A search whose result is not wanted
//! any more returns `None`, with the board as it was before and nothing stored.

use std::ops::ControlFlow::{Break, Continue};

use super::late_moves::Treatment;
use super::node::{Expected, LAST_PLY, Node, ONE_PLY, Place, Progress, Tried, Verdict, Window};
use super::picker::Picker;
use super::spans::Forks;
use super::strategy::{Sharing, Strategy};
use super::table::{Bound, Entry, Found, Hint};
use super::worker::Worker;
use crate::chess::{Board, Move, MoveList, Score};
use crate::counts::Loss;
use crate::machine::{Access, Processor, Work};

/// Number of nodes of the main search of which one has its legal moves counted.
const NODES_BETWEEN_COUNTS: u64 = 256;

impl<B: Board, P: Processor, S: Strategy> Worker<'_, B, P, S> {
    /// Score of the present position for the side to move; `None` if it is not wanted any more.
    pub(crate) fn search(&mut self, node: Node) -> Option<Score> {
        let top = self.moves.len();
        let score = self.visit(node);
        self.moves.truncate(top);
        if self.features.windows.fail_hard {
            return score.map(|score| score.clamp(node.alpha, node.beta));
        }
        score
    }

    #[inline(always)]
    fn visit(&mut self, mut node: Node) -> Option<Score> {
        self.counters.main_nodes += 1;
        self.processor.spend(Work::MainNode);
        self.lines.clear(node.ply);
        if self.is_at_limit() {
            return None;
        }
        self.counters.deepest = self.counters.deepest.max(node.ply as u64);
        node.in_check = self.board.in_check();
        if self.is_draw(node.in_check) {
            self.counters.draws += 1;
            return Some(Score::DRAW);
        }
        if node.ply >= LAST_PLY {
            return Some(self.evaluate(node.ply));
        }
        let mut list = MoveList::new();
        if node.in_check {
            self.generate(B::legal_moves, &mut list);
        }
        if !node.is_again {
            self.extend(&mut node, list.len());
        }
        let level = if self.plan.varies_quiescence { self.widen(&node, list.len()) } else { 0 };
        if node.draft < ONE_PLY {
            self.counters.leaves += 1;
            return self.quiescence(node.alpha, node.beta, node.ply, level);
        }

        if self.is_over() {
            return None;
        }
        if let Break(score) = self.features.mate_distance.narrow(&mut node) {
            return score;
        }
        let found = self.probe(&node);
        if let Some(score) = self.known_score(&found) {
            return Some(score);
        }
        let ledger = self.common.ledger.as_ref();
        let entered = ledger.map(|ledger| self.enter(ledger, &node, found.deep == 0));
        let strategy = self.strategy;
        let is_followed = self.follows_nodes && strategy.enters(self.at(), &node);
        let score = self.explore(&mut node, found.hint, &mut list);
        if is_followed {
            strategy.leaves(self.at());
        }
        if let Some(entered) = entered {
            self.leave(&entered, score.is_some());
        }
        score
    }

    /// Searches a node that the table does not end.
    #[inline(always)]
    fn explore(&mut self, node: &mut Node, mut hint: Hint, list: &mut MoveList) -> Option<Score> {
        if let Break(score) = self.try_to_end(node, hint) {
            return score;
        }
        hint = self.deepen(node, hint)?;
        self.extend_singular(node, hint)?;
        if self.counters.main_nodes.is_multiple_of(NODES_BETWEEN_COUNTS) {
            self.count_moves();
        }
        let mut picker = self.rank_all(node, list, hint);
        let progress = self.brothers(node, &mut picker)?;
        if self.plan.notes_failures {
            self.note_failures(node, &progress, &picker);
        }
        Some(self.close(node, &progress, hint))
    }

    /// Tries what may end a node before its moves are searched.
    #[inline(always)]
    fn try_to_end(&mut self, node: &mut Node, hint: Hint) -> Tried {
        if self.plan.needs_standing && !node.in_check {
            node.standing = Some(self.stand(node.ply));
            self.stands_above(node)?;
            self.razor(node)?;
        }
        self.try_null_move(node, hint)
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
    fn probe(&mut self, node: &Node) -> Found {
        if !self.table.exists() {
            return Found::default();
        }
        let found = self.look_up(node.draft, |entry| self.score_that_ends(node, entry));
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
    fn known_score(&mut self, found: &Found) -> Option<Score> {
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
        let strategy = self.strategy;
        let mut progress = Progress::of(node);
        let mut forks = Forks::default();
        let is_offered_at_once = self.offers_at_once && node.expected == Expected::All;
        let mut offered_after = if is_offered_at_once { -1 } else { 0 };
        loop {
            self.leave_out_late_quiet(node, progress.alpha, progress.searched, picker);
            if progress.searched as i32 > offered_after {
                offered_after = progress.searched as i32;
                if strategy.share(self.at(), node, &mut progress, picker)? == Sharing::Completely {
                    return Some(progress);
                }
            }
            let Some(mv) = self.pick(picker) else {
                return Some(progress);
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
                return Some(progress);
            }
            let may_wait = progress.searched > 0 && !picker.is_second_pass();
            if may_wait && strategy.puts_off(self.at(), node, mv) {
                picker.put_off(&mut self.moves);
                continue;
            }
            progress.searched += 1;
            let (effort_before, nodes_before) = (self.effort(), self.counters.main_nodes);
            let is_eldest =
                if self.features.defect_first_index_window { progress.taken == 1 } else { progress.searched == 1 };
            let place = Place { number: progress.searched - 1, is_eldest, reduction: None };
            if node.ply == 0 {
                self.tell_root_step(mv, progress.searched);
            }
            self.begin_fork(&mut forks, node, place.number);
            let score = self.brother(node, &progress, mv, place);
            self.end_fork(&mut forks, node);
            strategy.end_brother(self.at(), node);
            let score = score?;
            if self.counters.main_nodes == nodes_before {
                picker.mark_untried(&mut self.moves);
            }
            let verdict = progress.take(mv, score, node.beta);
            if verdict == Verdict::Raised {
                self.lines.raise(node.ply, mv);
            }
            if node.ply == 0 {
                self.set_root_effort(mv, self.effort() - effort_before, (verdict, score));
            }
            if verdict == Verdict::Cut {
                return Some(progress);
            }
        }
    }

    /// Score of one move of a node, from the node's view: the body of every loop over moves, a node's own and a
    /// helper's. The eldest brother gets the whole window; a younger one is first searched with a null window.
    #[inline(always)]
    pub(crate) fn brother<W: Window>(&mut self, node: &Node, window: &W, mv: Move, place: Place) -> Option<Score> {
        if node.draft >= 2 * ONE_PLY {
            self.table.prefetch(self.board.likely_key_after(mv), !self.board.turn());
        }
        let mut reduction = place.reduction.unwrap_or(0);
        if self.plan.treats_late_moves && place.number > 0 && place.reduction.is_none() {
            match self.treat(node, window.alpha(), mv, place.number) {
                Treatment::Searched(less) => reduction = less,
                Treatment::Skipped => {
                    self.counters.skipped_moves += 1;
                    return Some(window.alpha());
                }
            }
        }
        self.past.push(self.board.key());
        let made = self.make(node.ply, mv);
        let score = self.score_of_brother(node, window, place.is_eldest, reduction);
        self.take_back(mv, made);
        self.past.pop();
        score
    }

    #[inline(always)]
    fn score_of_brother<W: Window>(
        &mut self,
        node: &Node,
        window: &W,
        is_eldest: bool,
        reduction: i32,
    ) -> Option<Score> {
        let beta = node.beta;
        if self.plan.opens_windows {
            return self.with_full_window(node, window, is_eldest, reduction);
        }
        if is_eldest {
            let mut child = node.child(-beta, -window.alpha(), node.expected.child(true));
            if node.extends_first {
                child.draft += ONE_PLY;
                child.extended += ONE_PLY;
            }
            return self.search(child).map(|score| -score);
        }
        let mut alpha = window.alpha();
        if reduction > 0
            && let Break(score) =
                self.search_reduced(node.child(-alpha - Score(1), -alpha, node.expected.child(false)), reduction)
        {
            return score;
        }
        loop {
            let before = W::IS_SHARED.then(|| self.account());
            let score = -self.search(node.child(-alpha - Score(1), -alpha, node.expected.child(false)))?;
            if score <= alpha || score >= beta {
                return Some(score);
            }
            // Better than alpha was. If a brother has raised it meanwhile, this one has to be better than that.
            let risen = window.alpha();
            if risen <= alpha {
                break;
            }
            if let Some(before) = before {
                let in_vain = self.account() - before;
                self.counters.losses.claim(&in_vain, Loss::StaleWindow);
            }
            alpha = risen;
        }
        let strategy = self.strategy;
        strategy.opens_window(self.at(), node)?;
        self.counters.researches += 1;
        self.search(node.child(-beta, -alpha, node.expected)).map(|score| -score)
    }

    /// Searches a move this much less deep, which is enough if it does not raise alpha. `child` is its node.
    #[inline(always)]
    pub(super) fn search_reduced(&mut self, child: Node, reduction: i32) -> Tried {
        self.counters.reduced_moves += 1;
        let score = self.search(Node { draft: child.draft - reduction, ..child }).map(|score| -score);
        if score.is_some_and(|score| score > -child.beta) {
            self.counters.reduced_in_vain += 1;
            return Continue(());
        }
        Break(score)
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
            self.remember(node.ply, node.draft, score, Bound::Lower, progress.best.into());
            return score;
        }
        let (bound, best) = match progress.best {
            Some(mv) => (Bound::Exact, Some(mv).into()),
            None if self.features.defect_fail_low_forgets_move => (Bound::Upper, Hint::NONE),
            None => (Bound::Upper, hint),
        };
        self.remember(node.ply, node.draft, progress.alpha, bound, best);
        progress.alpha
    }
}
