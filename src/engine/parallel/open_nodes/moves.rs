//! Work of owner and helpers at a point: take a move, search it, report what came of it, and take the next.

use super::split_point::{NO_ROUND, Point, PointId, SharedWindow};
use super::state::State;
use super::{OpenNodes, Protocol};
use crate::chess::{Board, Move, Score};
use crate::counts::{Account, Loss};
use crate::machine::{Held, Processor, Tick};
use crate::search::{End, Node, Place, Team, Verdict};

/// Result of a move that was taken at a point.
pub(super) struct Report {
    pub mv: Move,
    pub place: usize,
    /// Score of the move; none if its search was stopped.
    pub score: Option<Score>,
}

impl<T: Team> Protocol<'_, '_, T> {
    /// A move of the point where a worker is has turned out better than alpha, and is about to be searched with the
    /// open window: the others there are sent away, or will be once their moves turn out better, too. `None`: this is
    /// one of those.
    pub(super) fn reserve(&mut self, node: &Node) -> Option<()> {
        let processor = self.worker.processor;
        let Some(seat) = self.place.at.get().filter(|seat| seat.round != NO_ROUND && node.ply == self.place.ply.get())
        else {
            return Some(());
        };
        let point = self.nodes.point(seat.id);
        let mut state = processor.lock(&point.state);
        let sends_away = self.policy.teamwork().sends_away;
        if state.researching > 0 && !sends_away {
            self.place.is_late.set(true);
            return None;
        }
        self.place.set_round(NO_ROUND);
        state.researching += 1;
        self.nodes.set_rate(processor, seat.id, 0);
        if sends_away {
            point.send_away(processor.now());
            self.nodes.alarm();
        }
        Some(())
    }

    /// Takes moves of a point and searches them, until there are none, one has cut, or the search is stopped from
    /// above. Returns which of these it was for this worker, and the reading of the clock before its first move.
    pub(super) fn work_at(&mut self, id: PointId, node: &Node) -> (End, Option<Tick>) {
        let point = self.nodes.point(id);
        let window = SharedWindow { point, processor: self.worker.processor };
        let (mut report, mut end, mut first) = (None, End::Done, None);
        let mut before = Account::default();
        while let Some((place, among_all, mv)) = self.next_move((id, point), node, report.as_ref(), &before) {
            first = first.or_else(|| Some(self.worker.processor.tick()));
            before = self.worker.account();
            let score = self.worker.brother(node, &window, mv, among_all);
            end = match score {
                Some(score) if score >= node.beta => End::Cut,
                Some(_) => End::Done,
                None => End::Stopped,
            };
            report = Some(Report { mv, place, score });
        }
        (end, first)
    }

    /// Reports what came of the last move, before which the worker's account was this, and takes the next, unless there
    /// is none, one has cut, or the search is over. Both under the lock, taken once.
    #[inline(always)]
    pub(super) fn next_move(
        &mut self,
        (id, point): (PointId, &Point<T::Board>),
        node: &Node,
        report: Option<&Report>,
        before: &Account,
    ) -> Option<(usize, Place, Move)> {
        let mut state = self.worker.processor.lock(&point.state);
        if let Some(&Report { mv, score: Some(score), .. }) = report
            && node.ply > 0
            && let Some(taken) = state.go_on_alone(mv, score)
        {
            self.place.set_round(point.round());
            return Some(taken);
        }
        self.next_move_of(state, id, node, (report, before))
    }

    /// Reports and takes a move of a point whose lock it holds.
    #[inline(never)]
    fn next_move_of(
        &mut self,
        mut state: Held<'_, State, T::Processor>,
        id: PointId,
        node: &Node,
        (report, account): (Option<&Report>, &Account),
    ) -> Option<(usize, Place, Move)> {
        let (processor, nodes) = (self.worker.processor, self.nodes);
        let point = nodes.point(id);
        let mut opens_again = false;
        if let Some(report) = report {
            if self.place.round() == NO_ROUND && state.researching > 0 {
                state.researching -= 1;
                opens_again = state.researching == 0;
            }
            self.take_report(&mut state, id, node, (report, account));
            if state.is_broken && report.score.is_none() {
                return None;
            }
        }
        let taken = state.take();
        self.place.set_round(point.round());
        if taken.is_some() && state.left() == 0 {
            nodes.close(processor, id, &mut state);
        }
        let wanted = if opens_again && state.gives_moves() {
            state.is_open = true;
            self.rate(id, node, state.helpers);
            state.left().min(self.policy.most_helpers(nodes.team) as usize)
        } else {
            0
        };
        drop(state);
        if wanted > 0 {
            let missing = nodes.idle(processor).call(processor, wanted);
            if missing > 0 && id.owner as usize != processor.id() && point.owner_waits(processor) {
                processor.unpark(id.owner as usize);
            }
        }
        taken
    }

    /// Draws the consequences of a move's search for its point. Whoever cuts closes the point.
    fn take_report(
        &mut self,
        state: &mut Held<'_, State, T::Processor>,
        id: PointId,
        node: &Node,
        (report, before): (&Report, &Account),
    ) {
        let shared = &mut state.shared;
        let (Some(score), None) = (report.score, shared.progress.cut) else {
            return self.take_useless_report(state, id, report, before);
        };
        let verdict = shared.progress.take(report.mv, score, node.beta);
        if verdict != Verdict::NoBetter {
            self.take_better_move(state, id, node, (report, score, verdict));
        }
        if state.joined == 0 {
            state.shared.done_alone += 1;
        } else {
            state.shared.done.push((report.place, self.worker.account() - *before));
        }
        if node.ply == 0 {
            let (mv, effort) = (report.mv, (self.worker.account() - *before).effort as u64);
            if self.nodes.team == 1 {
                self.worker.set_root_effort(mv, effort, (verdict, score));
            } else {
                state.shared.efforts.push((mv, effort, (verdict, score)));
            }
        }
    }

    /// A move is better than alpha.
    #[inline(never)]
    fn take_better_move(
        &mut self,
        state: &mut Held<'_, State, T::Processor>,
        id: PointId,
        node: &Node,
        (report, score, verdict): (&Report, Score, Verdict),
    ) {
        let (processor, nodes) = (self.worker.processor, self.nodes);
        let (point, shared) = (nodes.point(id), &mut state.shared);
        if verdict == Verdict::Raised {
            point.raise(processor, score);
            self.worker.write_line(&mut shared.best_line, node.ply, report.mv);
            return;
        }
        point.cut(processor.now());
        nodes.alarm();
        shared.cut(report.place, &mut self.worker.counters);
        self.worker.note_cutoff(node);
        nodes.close(processor, id, state);
    }

    /// A move was not searched to its end, or another one has cut meanwhile.
    #[inline(never)]
    fn take_useless_report(
        &mut self,
        state: &mut Held<'_, State, T::Processor>,
        id: PointId,
        report: &Report,
        before: &Account,
    ) {
        let (processor, nodes, point) = (self.worker.processor, self.nodes, self.nodes.point(id));
        let account = self.worker.account() - *before;
        let losses = &mut self.worker.counters.losses;
        if report.score.is_some() {
            if state.shared.is_useless(report.place) {
                state.shared.in_vain += account.nodes;
                losses.claim(&account, Loss::Useless);
            }
            return;
        }
        // Sent away, or is nobody interested in this node at all?
        let is_late = self.place.is_late.replace(false);
        let is_given_back = (is_late || point.sent_away_at(self.place.round()).is_some())
            && !processor.is_stopped()
            && point.cut_at().is_none()
            && nodes.cut_at(point.above()).is_none();
        if is_given_back {
            state.give_back(report.place);
            losses.claim(&account, Loss::StaleWindow);
        } else {
            state.is_broken = true;
            state.shared.in_vain += account.nodes;
            losses.claim(&account, Loss::Aborted);
        }
    }
}

impl<B: Board> OpenNodes<B> {
    /// Closes a point to helpers.
    pub(super) fn close<P: Processor>(&self, processor: &P, id: PointId, state: &mut Held<'_, State, P>) {
        if state.is_open {
            state.is_open = false;
            self.set_rate(processor, id, 0);
        }
    }
}
