//! Open nodes: owners publish what is worth sharing, and processors without work choose.
//!
//! An owner that has searched a node's eldest brothers may *open* the node: it fills a split point of its own with position,
//! window and the legal moves that are left, gives it a rate, and goes on with the moves as one worker among others. It calls
//! some who sleep and waits for nobody. A processor without work looks at the rates of its neighbours, without a lock, takes the best,
//! and *joins*: under the point's lock it is counted in and copies what it needs. So there is no central lock, no idle test
//! in the owner, and late joining is the only kind of joining.
//!
//! At the point everybody does the same: take the next move under the lock, search it by `Worker::brother` with the alpha
//! that all share, report under the lock. Whoever takes the last move or cuts closes the point. A cut sets a flag; whoever
//! works below walks up the chain of points at every node, and comes back without a result. A helper that leaves counts
//! itself out and calls the owner if it was the last; it touches the point no more, for the owner may use it again. The owner
//! waits until nobody is left, and takes the result. Meanwhile it may help below its own point, and only there, so that it is
//! back as soon as its node is done.
//!
//! At a node with an open window a move may turn out to be better than alpha, and is then searched again with the open window.
//! Its brothers would have a higher alpha after that, and be refuted more cheaply. So they may be *given back* meanwhile:
//! whoever searches one is sent away, by the same walk that notices a cut, and can help with the new best move instead; when
//! that has its score the point is open again.
//!
//! A search that was stopped from above leaves the point broken: unless a move had cut, its result is not known, and the
//! owner comes back without one, as somebody above it wants none.
//!
//! What is published when, is a [`Policy`]: root splitting, splitting along the principal variation, and young brothers wait
//! differ in nothing else.

use std::sync::atomic::{AtomicBool, Ordering};

use super::handover::{Copy, Parcel};
use super::idle::Idle;
use super::split_point::{Done, LEVELS, NO_ROUND, Point, PointId, Rates, Seat, SharedWindow, State};
use super::{AnyStrategy, Common, Way};
use crate::chess::{Board, History, Move, Score};
use crate::machine::{Access, Activity, Held, Processor, Work};
use crate::search::{Account, Histories, Killers, Loss, MAX_PLY, Node, Picker, Progress, Shared, Verdict, Worker};
use crate::settings::Settings;

/// Which nodes are opened, and which of them a processor without work prefers.
pub(crate) trait Policy: Settings + Default {
    /// Whether to open a node with so many moves left, illegal ones included.
    fn opens(&self, node: &Node, progress: &Progress, left: usize, processors: usize) -> bool;

    /// How much it is worth joining when so many helpers are there already, at least 1.
    fn rate(&self, node: &Node, _helpers: u32) -> u32 {
        // Large subtrees first: a helper is longer busy with them.
        node.plies().max(0) as u32 + 1
    }

    /// How many helpers may be at one node.
    fn most_helpers(&self, _processors: usize) -> u32 {
        u32::MAX
    }

    /// How owners and helpers deal with each other.
    fn manners(&self) -> Manners;
}

impl<T: Policy> Way for T {
    const SHARES_NODES: bool = true;

    fn histories(&self) -> Histories {
        self.manners().histories
    }

    fn shared<B: Board>(&self, workers: usize) -> Common<B> {
        Common { open: OpenNodes::new(workers), ..Common::default() }
    }

    fn run<B: Board, P: Processor>(&self, worker: Own<'_, '_, B, P>) {
        if worker.processor.id() == 0 {
            worker.think();
            end(&worker.shared.open, worker.processor);
        } else {
            serve(worker, self);
        }
    }

    fn share<B: Board, P: Processor>(
        &self,
        worker: Own<'_, '_, B, P>,
        node: &Node,
        progress: &mut Progress,
        picker: &mut Picker,
    ) -> Option<Shared> {
        share(worker, self, node, progress, picker)
    }

    #[inline(always)]
    fn opens_window<B: Board, P: Processor>(&self, worker: Own<'_, '_, B, P>, node: &Node) {
        if self.manners().gives_back {
            send_others_away(worker, node);
        }
    }
}

/// How owners and helpers deal with each other, whichever nodes are opened.
#[derive(Clone, Copy, Debug)]
pub struct Manners {
    /// Who uses which history of quiet moves.
    pub histories: Histories,
    /// How a position reaches a helper.
    pub copy: Copy,
    /// With which killers a helper begins.
    pub killers: Killers,
    /// Whether an owner that waits helps below its own node.
    pub helpful_master: bool,
    /// Whether moves are given back while a better one is searched with the open window.
    pub gives_back: bool,
}

/// What all workers share.
pub struct OpenNodes<B: Board> {
    /// A row of split points for each worker.
    points: Vec<Vec<Point<B>>>,
    rates: Vec<Rates>,
    idle: Idle,
    is_over: AtomicBool,
}

/// What each worker keeps.
#[derive(Default)]
pub struct Place {
    /// The point it works at, with all points above.
    at: Option<Seat>,
    /// The ply of that point's node.
    ply: usize,
    /// How many of its own points are open or waited for.
    level: u32,
}

/// Looking for work, a processor asks at most so many others each time.
const MOST_ASKED: usize = 64;
/// No point has more above it.
const MOST_NESTED: usize = MAX_PLY;
/// Fewer moves than this are not worth a split point.
const FEWEST_MOVES: usize = 2;

/// After a stop, an owner looks so often whether its helpers have left, in nanoseconds of the virtual machine.
const BETWEEN_LOOKS: u32 = 100;

type Own<'a, 'b, B, P> = &'a mut Worker<'b, B, P, AnyStrategy>;

impl<B: Board> OpenNodes<B> {
    /// No node is open.
    pub fn new(workers: usize) -> Self {
        Self {
            points: (0..workers).map(|_| (0..LEVELS).map(|_| Point::closed()).collect()).collect(),
            rates: (0..workers).map(|_| Rates::closed()).collect(),
            idle: Idle::new(workers),
            is_over: AtomicBool::new(false),
        }
    }

    fn point(&self, id: PointId) -> &Point<B> {
        &self.points[id.owner as usize][id.level as usize]
    }

    fn set_rate<P: Processor>(&self, processor: &P, id: PointId, rate: u32) {
        self.rates[id.owner as usize].set(processor, id.level, rate);
    }

    /// Since when the result of the point, or of one above it, is not wanted any more.
    #[inline]
    pub fn cut_at(&self, place: &Place) -> Option<u64> {
        self.cut_at_or_above(place.at)
    }

    fn cut_at_or_above(&self, mut next: Option<Seat>) -> Option<u64> {
        while let Some(seat) = next {
            let point = self.point(seat.id);
            let cut_at = point.cut_at().or_else(|| point.sent_away_at(seat.round));
            if cut_at.is_some() {
                return cut_at;
            }
            next = point.above();
        }
        None
    }

    /// All points above one.
    fn above(&self, id: PointId) -> impl Iterator<Item = PointId> + '_ {
        // On threads a chain may be read while it changes; then it must still come to an end.
        let seats = std::iter::successors(self.point(id).above(), |seat| self.point(seat.id).above());
        seats.take(MOST_NESTED).map(|seat| seat.id)
    }

    /// Whether a point lies below another. Only to be relied on while the lower one cannot be closed.
    fn is_below(&self, id: PointId, above: PointId) -> bool {
        self.above(id).any(|parent| parent == above)
    }
}

/// The first processor has its answer.
fn end<B: Board, P: Processor>(nodes: &OpenNodes<B>, processor: &P) {
    processor.touch(Access::Free);
    nodes.is_over.store(true, Ordering::SeqCst);
    for id in (0..processor.count()).filter(|id| *id != processor.id()) {
        processor.unpark(id);
    }
}

/// A processor helps wherever it can, until all is over.
fn serve<B: Board, P: Processor>(worker: Own<'_, '_, B, P>, policy: &impl Policy) {
    let (processor, nodes) = (worker.processor, &worker.shared.open);
    let before = processor.enter(Activity::Idle);
    let is_over = || {
        processor.touch(Access::Free);
        nodes.is_over.load(Ordering::SeqCst) || processor.is_stopped()
    };
    while !is_over() {
        if let Some(id) = look_for_work(nodes, processor, None) {
            join(worker, policy, id, None);
            continue;
        }
        nodes.idle.enter(processor);
        // Whoever opened a node before the bit was set has not seen it: look again before sleeping.
        if look_for_work(nodes, processor, None).is_none() && !is_over() {
            processor.park("an open node");
        }
        nodes.idle.leave(processor);
    }
    processor.enter(before);
}

/// The open node that is most worth joining, among those of the nearest workers, or those of them below a point.
fn look_for_work<B: Board, P: Processor>(
    nodes: &OpenNodes<B>,
    processor: &P,
    below: Option<PointId>,
) -> Option<PointId> {
    let (own, count) = (processor.id(), processor.count());
    let asked = (1..count.min(MOST_ASKED + 1)).map(|distance| (own + distance) % count);
    let mut best = None;
    for owner in asked {
        let id = |level| PointId { owner: owner as u32, level };
        let may_be = |level| below.is_none_or(|above| nodes.is_below(id(level), above));
        if let Some((rate, level)) = nodes.rates[owner].best(processor, may_be)
            && best.is_none_or(|(greatest, _)| rate > greatest)
        {
            best = Some((rate, id(level)));
        }
    }
    best.map(|(_, id)| id)
}

/// Offers the rest of a node to others, if the policy wants it, and searches it together with whoever comes.
fn share<B: Board, P: Processor>(
    worker: Own<'_, '_, B, P>,
    policy: &impl Policy,
    node: &Node,
    progress: &mut Progress,
    picker: &mut Picker,
) -> Option<Shared> {
    let processors = worker.processor.count();
    let has_room = (worker.own.level as usize) < LEVELS;
    if processors == 1 || !has_room || !policy.opens(node, progress, picker.left(), processors) {
        return Some(Shared::NotAtAll);
    }
    let id = PointId { owner: worker.processor.id() as u32, level: worker.own.level };
    if !open(worker, policy, id, node, progress, picker) {
        return Some(Shared::NotAtAll);
    }
    let nodes = &worker.shared.open;
    let since = worker.processor.now();
    let above = worker.own.sit_down(id, node);
    worker.own.level += 1;
    loop {
        work_at(worker, policy, id, node);
        if !wait_for_helpers(worker, policy, id) {
            break;
        }
    }
    worker.own.level -= 1;
    worker.own.go_back(above);
    worker.note_job(node, worker.processor.id(), since);

    let mut state = worker.processor.lock(&nodes.point(id).state);
    let found = state.progress;
    worker.counters.splits.close(node, state.joined, state.joined == 0, found.cut.is_some());
    if !state.best_line.is_empty() {
        worker.lines.set(node.ply, &state.best_line);
    }
    worker.for_this_worker += state.by_helpers;
    let done = if node.ply == 0 { std::mem::take(&mut state.done) } else { Vec::new() };
    let is_known = found.cut.is_some() || !state.is_broken;
    drop(state);
    for Done { mv, account, verdict, .. } in done {
        worker.set_root_effort(mv, account.effort as u64, verdict);
    }
    *progress = found;
    is_known.then_some(Shared::Completely)
}

/// Fills a split point and opens it. `false`: there are too few legal moves left, and the picker is as it was.
fn open<B: Board, P: Processor>(
    worker: Own<'_, '_, B, P>,
    policy: &impl Policy,
    id: PointId,
    node: &Node,
    progress: &Progress,
    picker: &mut Picker,
) -> bool {
    let (processor, nodes) = (worker.processor, &worker.shared.open);
    let before = processor.enter(Activity::Split);
    let point = nodes.point(id);
    let saved = *picker;
    let mut held = processor.lock(&point.state);
    let state = &mut *held;
    state.moves.clear();
    while let Some(mv) = worker.pick(picker) {
        if node.in_check || worker.board.is_legal(mv, false) {
            state.moves.push(mv);
        }
    }
    if state.moves.len() < FEWEST_MOVES {
        *picker = saved;
        drop(held);
        processor.enter(before);
        return false;
    }
    worker.counters.splits.make(node, progress.searched);
    (state.node, state.progress, state.next, state.is_open, state.is_broken) = (*node, *progress, 0, true, false);
    (state.helpers, state.joined, state.researching) = (0, 0, 0);
    state.given_back.clear();
    state.best_line.clear();
    state.done.clear();
    state.by_helpers = Account::default();
    state.position.board.pack(policy.manners().copy, &worker.board);
    state.position.past.copy_reversible_from(&worker.past, worker.board.state());
    state.position.context = worker.context(node.ply);
    point.renew(progress.alpha, worker.own.at);
    let helpers_wanted = (state.moves.len() - 1).min(policy.most_helpers(processor.count()) as usize);
    processor.spend(Work::Split);
    // Under the lock: one who remembers an older rate may join, take the last move and close the point at once.
    nodes.set_rate(processor, id, policy.rate(node, 0));
    drop(held);
    let missing = nodes.idle.call(processor, helpers_wanted);
    if policy.manners().helpful_master {
        call_masters(nodes, processor, id, missing);
    }
    processor.enter(before);
    true
}

/// Calls owners that wait above a point.
fn call_masters<B: Board, P: Processor>(nodes: &OpenNodes<B>, processor: &P, id: PointId, wanted: usize) {
    let waiting = nodes.above(id).filter(|id| nodes.point(*id).owner_waits(processor));
    for id in waiting.take(wanted) {
        processor.unpark(id.owner as usize);
    }
}

/// A helper comes to a point, if it may, and works there until there is nothing left for it. It may not if the point is
/// to lie below another and does not.
fn join<B: Board, P: Processor>(worker: Own<'_, '_, B, P>, policy: &impl Policy, id: PointId, below: Option<PointId>) {
    let (processor, nodes) = (worker.processor, &worker.shared.open);
    let point = nodes.point(id);
    let before = processor.enter(Activity::Split);
    // Who finds the lock taken looks for other work rather than wait.
    let Some(mut state) = processor.try_lock(&point.state) else {
        processor.enter(before);
        return;
    };
    let most = policy.most_helpers(processor.count());
    let may_join = state.is_open
        && state.gives_moves()
        && state.helpers < most
        && below.is_none_or(|above| nodes.is_below(id, above));
    if !may_join {
        drop(state);
        processor.enter(before);
        return;
    }
    let node = state.node;
    let manners = policy.manners();
    let copying_since = processor.now();
    let position = &state.position;
    position.board.unpack(manners.copy, &mut worker.board);
    let past_bytes = worker.past.copy_reversible_from(&position.past, worker.board.state());
    worker.adopt(node.ply, &position.context, manners.killers);
    let beside = past_bytes + size_of_val(&position.context);
    worker.counters.handover_ns += processor.now() - copying_since;
    state.helpers += 1;
    state.joined += 1;
    let rate = if state.helpers == most { 0 } else { policy.rate(&node, state.helpers) };
    nodes.set_rate(processor, id, rate);
    drop(state);
    processor.spend(Work::Join);
    if P::IS_VIRTUAL {
        let spent_since = processor.now();
        Parcel::<B>::spend(manners.copy, processor, beside);
        worker.counters.handover_ns += processor.now() - spent_since;
    }
    worker.counters.copied_bytes += (Parcel::<B>::bytes(manners.copy) + beside) as u64;
    processor.enter(Activity::Search);

    let account_before = worker.account();
    let since = processor.now();
    let above = worker.own.sit_down(id, &node);
    work_at(worker, policy, id, &node);
    worker.own.go_back(above);
    worker.note_job(&node, id.owner as usize, since);
    let account = worker.account() - account_before;
    // It comes back to an owner that helped below its own node with what others have done there.
    worker.for_this_worker -= account;

    processor.enter(Activity::Split);
    let mut state = processor.lock(&point.state);
    state.by_helpers += account;
    state.helpers -= 1;
    if state.is_open && state.researching == 0 {
        nodes.set_rate(processor, id, policy.rate(&node, state.helpers));
    }
    let was_last = state.helpers == 0;
    drop(state);
    // From here on the point may be another node's.
    if was_last {
        processor.unpark(id.owner as usize);
    }
    processor.enter(before);
}

/// What came of a move that was taken at a point.
struct Report {
    mv: Move,
    place: usize,
    /// None if its search was stopped.
    score: Option<Score>,
    account: Account,
}

impl Place {
    /// Begins work at a point. Returns where it was.
    fn sit_down(&mut self, id: PointId, node: &Node) -> (Option<Seat>, usize) {
        let before = (self.at, self.ply);
        (self.at, self.ply) = (Some(Seat { id, round: NO_ROUND }), node.ply);
        before
    }

    fn go_back(&mut self, before: (Option<Seat>, usize)) {
        (self.at, self.ply) = before;
    }

    /// From now on it searches a move with a null window that it took in this round, or with the open window.
    fn set_round(&mut self, round: u32) {
        if let Some(seat) = &mut self.at {
            seat.round = round;
        }
    }
}

/// A move of the point where a worker is has turned out better than alpha, and is about to be searched with the open window.
fn send_others_away<B: Board, P: Processor>(worker: Own<'_, '_, B, P>, node: &Node) {
    let (processor, nodes) = (worker.processor, &worker.shared.open);
    let Some(seat) = worker.own.at.filter(|seat| seat.round != NO_ROUND && node.ply == worker.own.ply) else {
        return;
    };
    worker.own.set_round(NO_ROUND);
    let point = nodes.point(seat.id);
    let mut state = processor.lock(&point.state);
    state.researching += 1;
    nodes.set_rate(processor, seat.id, 0);
    point.send_away(processor.now());
}

/// Takes moves of a point and searches them, until there are none, one has cut, or the search is stopped from above.
fn work_at<B: Board, P: Processor>(worker: Own<'_, '_, B, P>, policy: &impl Policy, id: PointId, node: &Node) {
    let processor = worker.processor;
    let window = SharedWindow { point: worker.shared.open.point(id), processor };
    let mut report = None;
    while let Some((place, mv)) = next_move(worker, policy, id, node, report) {
        let before = worker.account();
        let score = worker.brother(node, &window, mv, false);
        report = Some(Report { mv, place, score, account: worker.account() - before });
    }
}

/// Reports what came of the last move, and takes the next, unless there is none, one has cut, or the search is over. Both
/// under the lock, taken once.
fn next_move<B: Board, P: Processor>(
    worker: Own<'_, '_, B, P>,
    policy: &impl Policy,
    id: PointId,
    node: &Node,
    report: Option<Report>,
) -> Option<(usize, Move)> {
    let (processor, nodes) = (worker.processor, &worker.shared.open);
    let point = nodes.point(id);
    let mut state = processor.lock(&point.state);
    let mut opens_again = false;
    if let Some(report) = report {
        let was_open = worker.own.at.is_some_and(|seat| seat.round == NO_ROUND);
        if was_open && state.researching > 0 {
            state.researching -= 1;
            opens_again = state.researching == 0;
        }
        take_report(worker, &mut state, id, node, &report);
        if state.is_broken && report.score.is_none() {
            return None;
        }
    }
    let taken = state.take();
    worker.own.set_round(point.round());
    if taken.is_some() && state.left() == 0 {
        close(nodes, processor, id, &mut state);
    }
    let wanted = if opens_again && state.gives_moves() {
        state.is_open = true;
        nodes.set_rate(processor, id, policy.rate(node, state.helpers));
        state.left().min(policy.most_helpers(processor.count()) as usize)
    } else {
        0
    };
    drop(state);
    if wanted > 0 {
        let missing = nodes.idle.call(processor, wanted);
        if missing > 0 && id.owner as usize != processor.id() && point.owner_waits(processor) {
            processor.unpark(id.owner as usize);
        }
    }
    taken
}

/// What a move's search means for its point. Whoever cuts closes the point.
fn take_report<B: Board, P: Processor>(
    worker: Own<'_, '_, B, P>,
    state: &mut Held<'_, State<B>, P>,
    id: PointId,
    node: &Node,
    report: &Report,
) {
    let (processor, nodes) = (worker.processor, &worker.shared.open);
    let &Report { mv, place, score, account } = report;
    let losses = &mut worker.counters.losses;
    let Some(score) = score else {
        // Sent away, or is nobody interested in this node at all?
        let round = worker.own.at.map_or(NO_ROUND, |seat| seat.round);
        let point = nodes.point(id);
        let is_given_back = point.sent_away_at(round).is_some()
            && !processor.is_stopped()
            && point.cut_at().is_none()
            && nodes.cut_at_or_above(point.above()).is_none();
        if is_given_back {
            state.give_back(place, mv);
            losses.claim(&account, Loss::StaleWindow);
        } else {
            state.is_broken = true;
            losses.claim(&account, Loss::Aborted);
        }
        return;
    };
    if state.progress.cut.is_some() {
        if place > state.cutting {
            losses.claim(&account, Loss::Useless);
        }
        return;
    }
    let verdict = state.progress.take(mv, score, node.beta);
    match verdict {
        Verdict::NoBetter => {}
        Verdict::Raised => {
            nodes.point(id).raise(score);
            state.best_line.clear();
            state.best_line.push(mv);
            state.best_line.extend(worker.lines.from(node.ply + 1));
        }
        Verdict::Cut => {
            nodes.point(id).cut(processor.now());
            state.cutting = place;
            state.done.iter().filter(|done| done.place > place).for_each(|done| {
                losses.claim(&done.account, Loss::Useless);
            });
            let earlier = state.done.iter().filter(|done| done.place < place).count();
            worker.counters.saved_moves += (place - earlier) as u64;
            close(nodes, processor, id, state);
        }
    }
    state.done.push(Done { mv, place, account, verdict });
}

fn close<B: Board, P: Processor>(nodes: &OpenNodes<B>, processor: &P, id: PointId, state: &mut Held<'_, State<B>, P>) {
    if state.is_open {
        state.is_open = false;
        nodes.set_rate(processor, id, 0);
    }
}

/// The owner has nothing to do at its point: it waits until nobody is there, helping below if it may. `true`: there are moves
/// to search again.
fn wait_for_helpers<B: Board, P: Processor>(worker: Own<'_, '_, B, P>, policy: &impl Policy, id: PointId) -> bool {
    let (processor, nodes) = (worker.processor, &worker.shared.open);
    let point = nodes.point(id);
    let before = processor.enter(Activity::Wait);
    // Where it was, once it has left to help.
    let mut home = None;
    let has_work = loop {
        let mut state = processor.lock(&point.state);
        let has_work = state.gives_moves() && !state.is_broken;
        let is_empty = state.helpers == 0;
        if !has_work && state.researching == 0 || is_empty {
            close(nodes, processor, id, &mut state);
        }
        drop(state);
        if has_work || is_empty {
            break has_work;
        }
        point.set_owner_waits(processor, true);
        if policy.manners().helpful_master {
            let work = if is_wanted(worker) { look_for_work(nodes, processor, Some(id)) } else { None };
            if let Some(work) = work {
                point.set_owner_waits(processor, false);
                home.get_or_insert_with(|| Home::of(worker));
                join(worker, policy, work, Some(id));
                continue;
            }
        }
        processor.park("helpers");
        point.set_owner_waits(processor, false);
        if processor.is_stopped() {
            // Nobody sleeps any more; the helpers see the stop and leave, and only then the point is free.
            processor.spend(Work::Nanoseconds(BETWEEN_LOOKS));
            if !P::IS_VIRTUAL {
                std::thread::yield_now();
            }
        }
    };
    if let Some(home) = home {
        home.restore(worker);
    }
    processor.enter(before);
    has_work
}

/// Whether somebody still wants what this worker is doing.
fn is_wanted<B: Board, P: Processor>(worker: Own<'_, '_, B, P>) -> bool {
    !worker.processor.is_stopped() && worker.shared.open.cut_at(&worker.own).is_none()
}

/// What an owner needs to come back to its node. All else that it knows of the line to it, a position below agrees with.
struct Home<B> {
    board: B,
    past: History,
}

impl<B: Board> Home<B> {
    fn of<P: Processor>(worker: Own<'_, '_, B, P>) -> Self {
        let elsewhere = History::with_capacity(2 * MAX_PLY);
        Self { board: worker.board.clone(), past: std::mem::replace(&mut worker.past, elsewhere) }
    }

    fn restore<P: Processor>(self, worker: Own<'_, '_, B, P>) {
        worker.board = self.board;
        worker.past = self.past;
    }
}
