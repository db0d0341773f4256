//! Open nodes: owners publish what is worth sharing, and processors without work choose.
//!
//! An owner that has searched a node's eldest brothers may *open* the node: it fills a split point of its own with
//! position, window and the legal moves that are left, gives it a rate, and goes on with the moves as one worker among
//! others. It calls some who sleep and waits for nobody. A processor without work looks at the rates of all others,
//! without a lock, takes the best, and *joins*: under the point's lock it is counted in and copies what it needs. So
//! there is no central lock, no idle test in the owner, and late joining is the only kind of joining.
//!
//! At the point everybody does the same: take the next move under the lock, search it by `Worker::brother` with the
//! alpha that all share, report under the lock. Whoever takes the last move or cuts closes the point. A cut sets a
//! flag; whoever works below walks up the chain of points at every node, and comes back without a result. A helper that
//! leaves counts itself out and calls the owner if it was the last; it touches the point no more, for the owner may use
//! it again. The owner waits until nobody is left, and takes the result. Meanwhile it may help below its own point, and
//! only there, so that it is back as soon as its node is done.
//!
//! At a node with an open window a move may turn out to be better than alpha, and is then searched again with the open
//! window. Its brothers would have a higher alpha after that, and be refuted more cheaply. So nobody takes another one
//! meanwhile, and those under way may be *given back*: whoever searches one is sent away, by the same walk that notices
//! a cut, and can help with the new best move instead; or it goes on, since most are refuted all the same, and gives
//! its move back only if that is better than the old alpha, too. When the new best move has its score the point is
//! open again.
//!
//! A node may also be opened only while somebody waits for work. Listing its moves costs its owner something, and on
//! few processors hardly anybody comes.
//!
//! A search that was stopped from above leaves the point broken: unless a move had cut, its result is not known, and
//! the owner comes back without one, as somebody above it wants none.
//!
//! What is published when is a [`Policy`]: root splitting, splitting along the principal variation, and young brothers
//! wait differ in nothing else. Owners may also leave their nodes, and wait for nobody: see `carried`.
//!
//! # Memory ordering
//!
//! What lies behind a point's lock is ordered by the lock. The words beside it need more than `Relaxed` in four
//! places:
//!
//! - *Nobody sleeps while there is work.* One who is about to sleep says so (a bit in [`Idle`], or
//!   [`Point::set_owner_waits`]) and then looks at the rates; one who opens a point sets its rate and then looks who
//!   sleeps. At least one of the two must see the other, so all four accesses are `SeqCst`. In large teams one who
//!   looks for work asks first how many points are open in each [`Group`], and one who opens a point counts it there
//!   before looking who sleeps, so these are, too. Where owners leave, offers and requests of a [`Desk`] are used in
//!   the same way.
//! - *Sending workers away.* The moment is written before the round changes, `Release`, and read after the round has
//!   been seen to change, `Acquire`.
//!
//! - *Alarms.* Whoever cuts a point or sends workers away then counts an alarm, `Release`; a worker that reads the
//!   number, `Acquire`, which it read when it last walked up its points has nothing new to see there.
//! - *The last one goes on.* Who is the last at a point gives it back, `Release`, before its row's owner uses it again,
//!   `Acquire`; in the same way the last one at the root tells the first processor that the root is done.
//!
//! Alpha, the moment of a cut and the point above are single values that do not publish other memory; a worker that
//! reads them has joined the point under its lock, after its owner wrote them there. The end of the search reaches a
//! sleeper by the call that wakes it. All these are `Relaxed`.

mod above;
mod carried;
mod desk;
mod helper;
mod idle;
#[cfg(all(test, loom))]
mod loom;
mod moves;
mod owner;
mod split_point;
mod stacks;
mod state;

use std::cell::Cell;

use super::handover::Copying;
use crate::chess::Board;
use crate::machine::{Access, Processor, Work};
use crate::search::{At, Histories, Killers, Node, ONE_PLY, Picker, Progress, Sharing, Strategy, Team, Worker};
use crate::settings::settings;
use crate::sync::{AtomicBool, AtomicU64, Ordering};
use above::{MOST_ALARMED, is_cut_off_at};
use desk::Desk;
use idle::Idle;
use split_point::{Apart, GROUP, Group, LEVELS, NO_ROUND, Point, PointId, Rates, Seat, UNGROUPED};

settings! {
    /// Parameters that all policies have in common: how owners and helpers work together.
    pub struct Teamwork, "parameter of open nodes";
    histories: Histories = Histories::Shared, "history", history_meaning!();
    killers: Killers = Killers::Copied, "killers",
        "killer moves with which a helper begins: the owner's, none, or those left from its own previous work";
    helpful_master: bool = true, "helpful-master",
        "while an owner waits for its helpers, it helps below its own node";
    gives_back: bool = true, "gives-back",
        "while a move that was better than alpha is searched with the open window, no other is taken, and those that \
         others are searching are given back, to be searched later with the new alpha";
    sends_away: bool = true, "sends-away",
        "such moves are given back at once; otherwise each is searched on with the old alpha, and only \
         given back if it is better than that, too";
    owner_waits: bool = true, "owner-waits",
        "whoever has opened a node waits there until its helpers have left; otherwise nobody owns a node: idle \
         processors have any node of another's stack split, and the last one there goes on above";
    ..copying: Copying;
}

/// Whether a node is opened.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Opens {
    /// It is not.
    Never,
    /// It is while somebody waits for work.
    IfAsked,
    /// It is, whoever may come.
    Always,
}

impl Opens {
    /// Always if something holds, else never.
    pub fn always_if(holds: bool) -> Self {
        if holds { Self::Always } else { Self::Never }
    }
}

/// Policy that says which nodes are opened, and which of them a processor without work prefers.
pub(crate) trait Policy: Sync {
    /// Whether to open a node in a team of so many processors. It lies `below` plies below the point where its owner
    /// works; none if it works at no point.
    fn opens(&self, node: &Node, progress: &Progress, processors: usize, below: Option<usize>) -> Opens;

    /// Least draft of a node that may be opened in a team of so many processors, in plies.
    fn least_plies(&self, _processors: usize) -> i32 {
        0
    }

    /// Worth of joining a node at which this number of helpers work already, at least 1.
    fn rate(&self, node: &Node, _helpers: u32) -> u32 {
        // Large subtrees first: a helper is longer busy with them.
        node.plies().max(0) as u32 + 1
    }

    /// Number of helpers that may be at one node, in a team of so many processors.
    fn most_helpers(&self, _processors: usize) -> u32 {
        u32::MAX
    }

    /// Whether any node may be opened, so that workers look around at all of them.
    fn looks_everywhere(&self) -> bool {
        true
    }

    /// Whether expected ALL nodes may be opened before any of their moves has been searched.
    fn opens_at_once(&self) -> bool {
        false
    }

    /// Parameters that all policies have in common.
    fn teamwork(&self) -> &Teamwork;
}

impl<O: Policy> Strategy for O {
    type Shared<B: Board> = OpenNodes<B>;
    type Own = Place;

    fn histories(&self) -> Histories {
        self.teamwork().histories
    }

    fn offers_at_once(&self) -> bool {
        self.opens_at_once() || !self.teamwork().owner_waits
    }

    fn takes_part_alone(&self) -> bool {
        !self.teamwork().owner_waits
    }

    fn least_draft(&self, processors: usize) -> i32 {
        if self.teamwork().owner_waits { ONE_PLY * self.least_plies(processors) } else { i32::MIN }
    }

    fn shared<B: Board>(&self, workers: usize) -> OpenNodes<B> {
        OpenNodes::new(workers, workers, self.teamwork())
    }

    fn run<T: Team>(&self, at: At<'_, '_, Self, T>) {
        if at.shared.leads(at.worker.processor) {
            at.worker.think();
            at.shared.end(at.worker.processor);
        } else {
            Protocol::new(self, at).serve();
        }
    }

    #[inline(always)]
    fn share<T: Team>(
        &self,
        at: At<'_, '_, Self, T>,
        node: &Node,
        progress: &mut Progress,
        picker: &mut Picker,
    ) -> Option<Sharing> {
        let has_room = (at.own.level.get() as usize) < LEVELS;
        if !self.teamwork().owner_waits {
            // The root is opened, and everything else below it when it is wanted.
            let is_root = node.ply == 0 && progress.searched == 0;
            return if is_root {
                offer(self, at, Opens::Always, node, progress, picker)
            } else {
                Some(Sharing::NotAtAll)
            };
        }
        if at.shared.team == 1 || !has_room {
            return Some(Sharing::NotAtAll);
        }
        let below = at.own.at.get().map(|_| node.ply - at.own.ply.get());
        match self.opens(node, progress, at.shared.team, below) {
            Opens::Never => Some(Sharing::NotAtAll),
            opens => offer(self, at, opens, node, progress, picker),
        }
    }

    #[inline(always)]
    fn opens_window<T: Team>(&self, at: At<'_, '_, Self, T>, node: &Node) -> Option<()> {
        if self.teamwork().gives_back { Protocol::new(self, at).reserve(node) } else { Some(()) }
    }

    #[inline(always)]
    fn is_cut_off<T: Team>(&self, at: At<'_, '_, Self, T>) -> bool {
        let processor = at.worker.processor;
        let looks = at.shared.team > 1 && self.looks_everywhere();
        let is_calm = at.shared.alarms() < at.own.calm_until.get();
        let is_cut_off = !is_calm && at.own.at.get().is_some() && is_cut_off_at(at.own, at.shared, at.worker);
        // Only now: others went first for what has just been read.
        if looks {
            processor.spend(Work::LookAround);
        }
        is_cut_off
    }
}

/// Opens the node, if that is wanted, and searches it together with whoever comes. Never inlined, as it is seldom asked
/// for.
#[inline(never)]
fn offer<O: Policy, T: Team>(
    policy: &O,
    at: At<'_, '_, O, T>,
    opens: Opens,
    node: &Node,
    progress: &mut Progress,
    picker: &mut Picker,
) -> Option<Sharing> {
    if opens == Opens::IfAsked {
        // What a virtual machine reads to find that nobody waits has its price, so there it is read.
        let seems_busy = !T::Processor::IS_VIRTUAL && at.shared.seems_busy(at.worker.processor);
        if seems_busy || !at.shared.is_asked(at.worker.processor, at.own.at.get()) {
            return Some(Sharing::NotAtAll);
        }
    }
    let mut protocol = Protocol::new(policy, at);
    match policy.teamwork().owner_waits {
        true => protocol.share(node, progress, picker),
        false => protocol.share_root(node, progress, picker),
    }
}

/// The protocol as one worker takes part in it, whatever the policy: it is compiled once for all of them.
struct Protocol<'a, 'w, T: Team> {
    policy: &'a dyn Policy,
    worker: &'a mut Worker<'w, T::Board, T::Processor, T::Strategy>,
    nodes: &'a OpenNodes<T::Board>,
    place: &'a Place,
}

impl<'a, 'w, T: Team> Protocol<'a, 'w, T> {
    fn new<O: Policy>(policy: &'a O, at: At<'a, 'w, O, T>) -> Self {
        Self { policy, worker: at.worker, nodes: at.shared, place: at.own }
    }

    /// Rates an open point by its helpers. A point that may have no more is nobody's choice: on a machine where looking
    /// costs nothing, one that may not join it would look for ever.
    fn rate(&self, id: PointId, node: &Node, helpers: u32) {
        let processor = self.worker.processor;
        let is_full = helpers >= self.policy.most_helpers(self.nodes.team);
        let rate = if is_full { 0 } else { self.policy.rate(node, helpers) };
        self.nodes.set_rate(processor, id, rate);
    }
}

/// Split points of all workers, with the words about each that are read without its lock.
pub struct OpenNodes<B: Board> {
    /// Number of processors in a team; the last team may have fewer.
    team: usize,
    /// Row of split points for each worker.
    points: Vec<Vec<Point<B>>>,
    rates: Vec<Rates>,
    /// Numbers of open points of groups of workers; none if teams are small.
    groups: Vec<Group>,
    /// Idle processors of each team.
    idle: Vec<Idle>,
    /// A desk for each worker, on which it offers nodes to be split, if workers leave their nodes.
    desks: Vec<Desk>,
    /// Whether the root of each team has been searched, if workers leave it.
    roots_done: Vec<Apart<AtomicBool>>,
    /// Whether alarms are given.
    has_alarm: bool,
    /// Number of times that a point was cut or workers were sent away: while it stays the same, nobody need walk up its
    /// points again to see whether its result is still wanted.
    alarms: Apart<AtomicU64>,
    is_over: AtomicBool,
}

/// Place of a worker among the open nodes.
#[derive(Default)]
pub struct Place {
    /// Seat of the worker at the point where it works.
    at: Cell<Option<Seat>>,
    /// Ply of that point's node.
    ply: Cell<usize>,
    /// Number of its own points that are open or waited for.
    level: Cell<u32>,
    /// Whether its move turned out better than alpha while another one was searched with the open window.
    is_late: Cell<bool>,
    /// Number of alarms with which the worker has to look whether its result is still wanted; 0: always. It stays when
    /// the worker opens a point, which nobody has cut yet, and when it goes back to one above, but not when it comes to
    /// another's.
    calm_until: Cell<u64>,
    /// Moment since which the worker has been looking for work.
    free_since: Cell<u64>,
}

impl<B: Board> Default for OpenNodes<B> {
    fn default() -> Self {
        Self::new(0, 1, &Teamwork::DEFAULT)
    }
}

impl<B: Board> OpenNodes<B> {
    /// Split points for this number of workers in teams of `team`, none open.
    pub fn new(workers: usize, team: usize, teamwork: &Teamwork) -> Self {
        let leave = if teamwork.owner_waits { 0 } else { workers };
        Self {
            team,
            points: (0..workers).map(|_| (0..LEVELS).map(|_| Point::closed()).collect()).collect(),
            rates: (0..workers).map(|_| Rates::closed()).collect(),
            groups: (0..if team > UNGROUPED { workers } else { 0 }).step_by(GROUP).map(|_| Group::default()).collect(),
            idle: (0..workers).step_by(team).map(|first| Idle::new(first, team.min(workers - first))).collect(),
            desks: (0..leave).map(|_| Desk::default()).collect(),
            roots_done: (0..leave).step_by(team).map(|_| Apart::default()).collect(),
            has_alarm: workers <= MOST_ALARMED && teamwork.owner_waits,
            alarms: Apart::default(),
            is_over: AtomicBool::new(false),
        }
    }

    /// Number of teams.
    pub fn teams(&self) -> usize {
        self.idle.len()
    }

    /// Number of a processor's team.
    pub fn team_of<P: Processor>(&self, processor: &P) -> usize {
        // Most searches have one team, and a division takes its time.
        if processor.id() < self.team { 0 } else { processor.id() / self.team }
    }

    /// Whether a processor is the first of its team, which thinks.
    fn leads<P: Processor>(&self, processor: &P) -> bool {
        processor.id().is_multiple_of(self.team)
    }

    /// Processors of a processor's team.
    fn members<P: Processor>(&self, processor: &P) -> std::ops::Range<usize> {
        let first = self.team_of(processor) * self.team;
        first..(first + self.team).min(processor.count())
    }

    /// Idle processors of a processor's team.
    fn idle<P: Processor>(&self, processor: &P) -> &Idle {
        &self.idle[self.team_of(processor)]
    }

    fn point(&self, id: PointId) -> &Point<B> {
        &self.points[id.owner as usize][id.level as usize]
    }

    fn set_rate<P: Processor>(&self, processor: &P, id: PointId, rate: u32) {
        let owner = id.owner as usize;
        let before = self.rates[owner].set(processor, id.level, rate);
        // Whoever sets a point's rate holds its lock, so that the numbers come out even.
        if (before > 0) != (rate > 0)
            && let Some(group) = self.groups.get(owner / GROUP)
        {
            group.count(processor, owner, rate > 0);
        }
    }

    /// Whether all may leave.
    fn is_over<P: Processor>(&self, processor: &P) -> bool {
        processor.touch(Access::Free);
        self.is_over.load(Ordering::Relaxed) || processor.is_stopped()
    }

    /// Ends the search, when the first processor of a team has its answer: all others may leave.
    fn end<P: Processor>(&self, processor: &P) {
        processor.touch(Access::Free);
        self.is_over.store(true, Ordering::Relaxed);
        self.members(processor).filter(|id| *id != processor.id()).for_each(|id| processor.unpark(id));
    }
}

impl Place {
    /// Begins work at a point. Returns where the worker was, for [`go_back`](Self::go_back).
    fn sit_down(&self, id: PointId, node: &Node) -> (Option<Seat>, usize) {
        (self.at.replace(Some(Seat { id, round: NO_ROUND })), self.ply.replace(node.ply))
    }

    fn go_back(&self, (at, ply): (Option<Seat>, usize)) {
        self.at.set(at);
        self.ply.set(ply);
    }

    /// Round in which the worker took its move, or [`NO_ROUND`].
    fn round(&self) -> u32 {
        self.at.get().map_or(NO_ROUND, |seat| seat.round)
    }

    /// Notes the round in which the worker took the move that it searches with a null window, or [`NO_ROUND`].
    fn set_round(&self, round: u32) {
        self.at.set(self.at.get().map(|seat| Seat { round, ..seat }));
    }
}
