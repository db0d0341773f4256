//! The root: iterative deepening with aspiration windows, and the order of the root's moves.
//!
//! Each iteration is searched in a window around the last one's score, and once more with the full window if the score
//! is not inside. The root's moves are tried in the order of the effort they took in the last iteration; a move that
//! became the best gets more than any before it, and so comes first.

use super::answer::{Answer, Iteration};
use super::control::RootStep;
use super::node::{Node, ONE_PLY, Verdict};
use super::ordering::RootOrder;
use super::picker::{Picker, Ranked};
use super::quiet_history::Histories;
use super::root_moves::{RootMove, RootMoves};
use super::strategy::Strategy;
use super::table::Hint;
use super::worker::Worker;
use crate::chess::{Board, Move, MoveList, Score};
use crate::counts::{Account, Loss};
use crate::machine::{Activity, Processor};

impl<B: Board, P: Processor, S: Strategy> Worker<'_, B, P, S> {
    /// Iterative deepening until a limit is reached or the search is stopped. The result is left in `answer`.
    pub(crate) fn think(&mut self) {
        let before = self.processor.enter(Activity::Search);
        let start = self.processor.now();
        self.begin_spans();
        self.set_root_moves();
        let mut answer = self.first_answer();
        answer.began = start;
        if !self.root_moves.list.is_empty() {
            // The first window lies around the material, in place of the score of an iteration before.
            let mut score = self.plies[0].evaluation.material(self.board.turn());
            let mut other_scores = Vec::new();
            let strategy = self.strategy;
            let mut next = self.depth_after(0);
            while let Some(depth) = self.next_depth(next) {
                let account_before = self.account();
                let iterated = self.iterate(depth, score);
                let work = self.account() - account_before;
                if depth > self.common.limits.depth {
                    self.counters.losses.claim(&work, Loss::Beyond);
                    self.counters.beyond_nodes += work.nodes as u64;
                }
                let Some((found, failed_window)) = iterated else {
                    let unfinished = self.account() - account_before;
                    self.counters.losses.claim(&unfinished, Loss::Aborted);
                    if strategy.begins_another(self.at()) {
                        next = depth;
                        continue;
                    }
                    self.take_unfinished_line(&mut answer);
                    break;
                };
                next = self.depth_after(depth);
                score = found;
                let iteration = self.iteration(depth, 0, (score, failed_window), start);
                (answer.score, answer.depth) = (score, depth);
                if !iteration.line.is_empty() {
                    (answer.best, answer.line) = (iteration.line.first().copied(), iteration.line.clone());
                }
                self.common.tell(&iteration);
                answer.iterations.push(iteration);
                strategy.iteration_done(self.at(), depth);
                if !self.search_other_lines(depth, &mut other_scores, start) {
                    break;
                }
                if self.is_decided() || self.may_begin_none() {
                    self.stop_all();
                    break;
                }
            }
        }
        self.count_spans();
        answer.nanoseconds = self.processor.now() - start;
        self.answer = Some(answer);
        self.processor.enter(before);
    }

    /// Depth of the next iteration, at least `next`; `None` if this worker has done its part.
    fn next_depth(&mut self, next: u32) -> Option<u32> {
        let strategy = self.strategy;
        if strategy.histories() == Histories::Merged {
            self.merge_histories();
        }
        strategy.begin_iteration(self.at(), next)
    }

    /// An iteration that has just been completed; the search began at `start`.
    fn iteration(&self, depth: u32, rank: usize, (score, failed_window): (Score, bool), start: u64) -> Iteration {
        Iteration {
            depth,
            rank,
            score,
            line: self.lines.from(0).collect(),
            nodes: self.counters.nodes(),
            leaves: self.counters.leaves,
            deepest: self.counters.deepest.max(self.counters.deepest_quiescence),
            nanoseconds: self.processor.now() - start,
            failed_window,
        }
    }

    /// Searches the root to this depth without its best move, without its best two and so on, as often as the control
    /// asks for. `scores` are those of the last depth. Whether it was not stopped meanwhile.
    fn search_other_lines(&mut self, depth: u32, scores: &mut Vec<Score>, start: u64) -> bool {
        let lines = self.common.control.map_or(1, |control| control.lines).min(self.root_moves.list.len());
        if lines < 2 {
            return true;
        }
        let all = self.root_moves.list.clone();
        let were_restricted = std::mem::replace(&mut self.root_moves.are_restricted, true);
        let mut is_whole = true;
        for rank in 1..lines {
            let best = self.lines.from(0).next();
            self.root_moves.list.retain(|root_move| Some(root_move.mv) != best);
            let expected = scores.get(rank - 1).copied();
            let expected = expected.unwrap_or_else(|| self.plies[0].evaluation.material(self.board.turn()));
            let Some(found) = self.iterate(depth, expected) else {
                is_whole = false;
                break;
            };
            scores.resize(scores.len().max(rank), Score::DRAW);
            scores[rank - 1] = found.0;
            self.common.tell(&self.iteration(depth, rank, found, start));
        }
        self.root_moves.list = all;
        self.root_moves.are_restricted = were_restricted;
        is_whole
    }

    /// Whether the control lets no further iteration begin.
    fn may_begin_none(&self) -> bool {
        self.common.control.is_some_and(|control| self.processor.now() >= control.last_begin())
    }

    pub(super) fn set_root_moves(&mut self) {
        let mut list = MoveList::new();
        self.board.legal_moves(&mut list);
        let legal = list.len();
        let among = self.common.among;
        if !among.is_empty() {
            list.retain(|mv| among.contains(&mv));
        }
        self.order.sort(&mut list);
        let of = |mv: &Move| RootMove { mv: *mv, effort: 0, is_searched: false, is_lost: false };
        let are_restricted = list.len() < legal;
        self.root_moves = RootMoves { list: list.iter().map(of).collect(), are_restricted, too_good: None };
    }

    /// Answer without a search.
    fn first_answer(&mut self) -> Answer {
        let best = self.root_moves.list.first().map(|root_move| root_move.mv);
        let score = match best {
            Some(_) => self.score_of(self.plies[0].evaluation),
            None if self.board.in_check() => Score::mated_in(0),
            None => Score::DRAW,
        };
        let line = best.into_iter().collect();
        Answer { best, score, depth: 0, line, iterations: Vec::new(), began: 0, nanoseconds: 0 }
    }

    /// Takes the line of an iteration that was stopped, if its move is known to be at least as good as the move of the
    /// last iteration, or as the one that was too good for this one's first window: if that move has its score in the
    /// search that was stopped. If it has none yet, the move that was too good is taken.
    fn take_unfinished_line(&self, answer: &mut Answer) {
        let RootMoves { list, too_good, .. } = &self.root_moves;
        let best_before = too_good.or(answer.best);
        let is_compared = list.iter().any(|root_move| root_move.is_searched && Some(root_move.mv) == best_before);
        let line: Vec<Move> = if is_compared { self.lines.from(0).collect() } else { Vec::new() };
        if let Some(best) = line.first() {
            (answer.best, answer.line) = (Some(*best), line);
        } else if let Some(mv) = too_good {
            (answer.best, answer.line) = (Some(*mv), vec![*mv]);
        }
    }

    /// Score of one iteration, and whether it took a second search.
    fn iterate(&mut self, depth: u32, expected: Score) -> Option<(Score, bool)> {
        self.iteration = depth as i32 * ONE_PLY;
        self.root_moves.too_good = None;
        self.aspire(depth, expected)
    }

    pub(super) fn search_root(&mut self, alpha: Score, beta: Score) -> Option<Score> {
        self.lines.clear(0);
        let node = Node::root(self.iteration, alpha, beta, self.board.in_check());
        let top = self.moves.len();
        let is_ordered = self.features.ordering.root == RootOrder::Effort;
        for root_move in &mut self.root_moves.list {
            root_move.is_searched = false;
            let effort = if is_ordered { root_move.effort } else { 0 };
            let key = self.order.key(effort as i64, root_move.mv);
            self.moves.push(Ranked { key, mv: root_move.mv });
        }
        let mut picker = Picker::ranked(top, self.moves.len());
        let progress = self.brothers(&node, &mut picker);
        self.moves.truncate(top);
        let progress = progress?;
        self.root_moves.too_good = progress.best.filter(|_| progress.cut.is_some()).or(self.root_moves.too_good);
        Some(self.close(&node, &progress, Hint::NONE))
    }

    /// Effort that root moves are measured by, with that of others for this worker. As printed, quiescence counts
    /// twice.
    #[inline(always)]
    pub(crate) fn effort(&self) -> u64 {
        let own = self.counters.thesis_nodes() + self.counters.quiescence_tried;
        own.wrapping_add_signed(self.for_this_worker.effort)
    }

    /// Work of this worker so far, with that of others for it.
    pub(crate) fn account(&self) -> Account {
        let mut account = self.for_this_worker;
        account += Account {
            effort: (self.counters.thesis_nodes() + self.counters.quiescence_tried) as i64,
            nodes: self.counters.nodes() as i64,
            losses: self.counters.losses,
        };
        account
    }

    /// Tells who controls the search which move of the root is searched next.
    #[cold]
    pub(crate) fn tell_root_step(&self, mv: Move, number: u32) {
        if let Some(control) = self.common.control.filter(|_| self.processor.place() == 0) {
            control.note_root_step(RootStep { depth: (self.iteration / ONE_PLY) as u32, mv, number });
        }
    }

    /// Notes the effort of a root move that any worker has searched, and what came of it. A move that became the best
    /// comes before all others.
    pub(crate) fn set_root_effort(&mut self, mv: Move, effort: u64, (verdict, score): (Verdict, Score)) {
        let greatest = self.root_moves.list.iter().map(|root_move| root_move.effort).max().unwrap_or(0);
        let so_far = self.effort().max(greatest + 1);
        if let Some(root_move) = self.root_moves.list.iter_mut().find(|root_move| root_move.mv == mv) {
            root_move.is_searched = true;
            // The score of a move that cut is a lower bound.
            root_move.is_lost |= verdict != Verdict::Cut && score < -Score::LONGEST_MATE;
            root_move.effort = if verdict == Verdict::Raised { so_far } else { effort };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::mailbox::Mailbox as OnBoard;
    use crate::chess::{Board, History, Setup};
    use crate::machine::cost::CostModel;
    use crate::machine::{Machine, Program, VirtualMachine};
    use crate::search::Told;
    use crate::search::features::Preset;
    use crate::search::session::Session;
    use crate::search::table::{Scheme, Tables};
    use crate::search::{Limits, SearchSettings};

    /// A knight that is given away can be taken; what matters is that one move is much better than the others.
    const POSITION: &str = "r1bqkb1r/pppp1ppp/2n5/4p3/2B1n3/2N2N2/PPPP1PPP/R1BQK2R w KQkq - 0 5";
    const DEPTH: u32 = 3;

    type AtRoot<'a, P> = Worker<'a, OnBoard, P, Told<'static>>;

    /// A way of searching the root, once without a stop and once with one.
    struct Stopped<'a>(&'a Session<'a, OnBoard, Told<'static>>);

    impl Program for Stopped<'_> {
        type Output = ();

        fn run<P: Processor>(&self, processor: &P) {
            self.0.with_worker(processor, |worker: &mut AtRoot<'_, P>| {
                worker.set_root_moves();
                let (score, _) = worker.iterate(DEPTH, Score::DRAW).unwrap();
                let best = worker.lines.from(0).next();
                let other = worker.root_moves.list.iter().map(|root_move| root_move.mv).find(|mv| Some(*mv) != best);
                let after = |worker: &mut AtRoot<'_, P>| {
                    let mut answer = worker.first_answer();
                    answer.best = other;
                    worker.take_unfinished_line(&mut answer);
                    answer.best
                };

                assert_eq!(after(worker), best, "a search that has come to its end");

                worker.search_root(score - Score(500), score - Score(400)).unwrap();
                assert_eq!(after(worker), best, "a score above the window");
                worker.search_root(score + Score(400), score + Score(500)).unwrap();
                assert_eq!(after(worker), best, "no score in the second window");

                worker.stop_all();
                assert_eq!(worker.search_root(-Score::MATE, Score::MATE), None);
                assert_eq!(after(worker), best, "nothing searched in the second window");
                assert!(worker.iterate(DEPTH + 1, score).is_none());
                assert_eq!(after(worker), other, "an iteration that knows nothing");
            });
        }
    }

    /// Whether the table knows the root after a search of some of its moves.
    struct Known<'a>(&'a Session<'a, OnBoard, Told<'static>>);

    impl Program for Known<'_> {
        type Output = bool;

        fn run<P: Processor>(&self, processor: &P) -> bool {
            self.0.with_worker(processor, |worker: &mut AtRoot<'_, P>| {
                worker.set_root_moves();
                worker.iterate(DEPTH, Score::DRAW).unwrap();
                let keys = worker.keys();
                worker.table.probe(processor, keys, worker.board.turn(), 0, |_| None).matches > 0
            })
        }
    }

    fn on_one_processor<T>(
        program: impl FnOnce(Session<'_, OnBoard, Told<'static>>, &[Move], &VirtualMachine) -> T,
    ) -> T {
        let limits = Limits::depth(DEPTH);
        let settings = SearchSettings { features: Preset::Modern.features(), limits, seed: 1 };
        let board = OnBoard::set_up(&POSITION.parse::<Setup>().unwrap(), settings.keys()).unwrap();
        let tables = Tables::new(&settings.table(Scheme::Lockless, 1 << 20), 1, 1);
        let mut list = MoveList::new();
        board.legal_moves(&mut list);
        let moves: Vec<Move> = list.iter().copied().collect();
        let past = History::with_capacity(0);
        let session = Session::new(&board, &past, &settings, &tables, &Told::Everybody, 1);
        program(session, &moves, &VirtualMachine::new(1, CostModel::ideal()))
    }

    #[test]
    fn a_stopped_iteration_gives_the_best_move_that_is_known() {
        on_one_processor(|session, _, machine| machine.run(&Stopped(&session)).unwrap());
    }

    #[test]
    fn the_score_of_some_moves_is_not_stored_as_the_position_s() {
        let is_known = |moves: usize| {
            on_one_processor(|session, all, machine| {
                let session = session.among(&all[..moves]);
                machine.run(&Known(&session)).unwrap().outputs[0]
            })
        };
        assert!(is_known(0), "all moves");
        assert!(!is_known(1) && !is_known(2));
    }
}
