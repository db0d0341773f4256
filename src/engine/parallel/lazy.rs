//! Lazy search: every processor searches the root by itself, and they share the transposition table and little else.
//! Programs differ in how they keep the processors from all searching the same: see [`Skip`].
//!
//! Workers take *jobs*. A job has a number, the depth that the team is at, and is an iteration of that depth or of one
//! ply more. A few shared words say what the others do: the last job that any worker has completed, and the number of
//! workers at each job. If a completed job stops the workers at the same or an earlier one, they notice at the next
//! node, and begin the job after it.
//!
//! # Memory ordering
//!
//! Everything is `Relaxed`: each word is a number that does not publish other memory. A worker that sees one late
//! searches an iteration that others have completed, which the strategy allows anyway.

use std::cell::Cell;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::chess::Board;
use crate::choices::choices;
use crate::machine::{Access, Line, Processor};
use crate::search::{At, DEEPEST, Histories, Horizon, Limits, Strategy, Team};
use crate::settings::settings;

choices! {
    /// Rule by which workers skip iterations, so that not all search the same.
    pub enum Skip, "skipping rule";
    /// No iteration is left out.
    None "none",
    /// Every second worker leaves out the odd ones.
    Alternate "alternate",
    /// As in Stockfish 7: worker i leaves out the depths d for which (d + i) / 2^k is odd, k growing with i; workers 7
    /// to 24 leave out three of every six.
    Stockfish7 "stockfish-7",
    /// As in Stockfish 9 and 10: worker i leaves out the depths d for which (d + phase) / size is odd, by its row of
    /// twenty.
    Stockfish9 "stockfish-9",
    /// As in Cheng: all are at the same iteration, every second worker one ply deeper; the first to complete it ends it
    /// for all.
    Cheng "cheng",
    /// As in Texel's lazy search of 2017: like Cheng, but only worker 0's iteration is ended by another who completes
    /// it.
    Texel "texel",
    /// Braesch's rule: an iteration is left out if half or more of the workers are at it or at a deeper one.
    Job "job",
}

choices! {
    /// End of a search to a fixed depth.
    pub enum End, "end of a search";
    /// When any worker has completed the last iteration.
    First "first",
    /// When worker 0 has completed the last iteration; the others search deeper until then.
    Master "master",
}

settings! {
    /// Parameters of lazy search.
    pub struct Lazy, "parameter of strategy 'lazy'";
    skip: Skip = Skip::Stockfish9, "skip",
        "iterations that a worker leaves out: none; every second worker leaves out the odd ones (alternate); by the \
         tables of Stockfish 7 or 9; none, but every second worker searches one ply deeper, as in Cheng or Texel; \
         those at which half of the workers are (job)";
    jobs_stop: bool, "jobs-stop",
        "a worker that completes an iteration stops all workers at the same or an earlier iteration, and they begin \
         the next";
    end: End, "end",
        "end of the search: when any worker has completed the last iteration (first), or when worker 0 has (master)";
    aspiration_spread: i32 [0..=20_000 "thousandths of a pawn"], "aspiration-spread",
        "half the width of the aspiration window grows by this amount times the worker's number mod 8";
    histories: Histories = Histories::Private, "history", history_meaning!();
    vote: bool, "vote", vote_meaning!();
    shared_corrections: bool, "shared-corrections",
        "one table of corrections of static evaluations for all workers, whatever their histories, if the search has \
         correction history";
}

/// Jobs that workers have completed and are at, as all workers see them.
#[derive(Default)]
#[repr(align(64))]
pub struct Jobs {
    /// Number of the last job that was completed.
    completed: AtomicU32,
    line: Line,
    at: WorkersAt,
}

/// Number of workers at each job.
#[repr(align(64))]
struct WorkersAt([AtomicU32; DEEPEST as usize + 1]);

impl Default for WorkersAt {
    fn default() -> Self {
        Self([const { AtomicU32::new(0) }; DEEPEST as usize + 1])
    }
}

impl Jobs {
    /// Whether half or more of all workers are at this job or a later one.
    fn are_half_beyond(&self, number: u32, workers: usize) -> bool {
        let beyond: u32 = self.at.0[number as usize..].iter().map(|at| at.load(Ordering::Relaxed)).sum();
        2 * beyond as usize >= workers
    }

    /// Whether somebody has completed what makes this job useless. Others who are behind have gone first.
    #[inline(always)]
    fn make_stale(&self, job: Job) -> bool {
        self.completed.load(Ordering::Relaxed) >= job.stale_at
    }
}

/// The job of a worker; number 0 is none.
#[derive(Clone, Copy)]
pub struct Job {
    number: u32,
    /// Number of the job whose completion by anybody makes this one useless.
    stale_at: u32,
}

impl Default for Job {
    fn default() -> Self {
        Self { number: 0, stale_at: NEVER }
    }
}

const NEVER: u32 = u32::MAX;

/// Number of different widths of the aspiration window.
const SPREAD_STEPS: usize = 8;

impl Skip {
    /// Whether this worker leaves out iterations of this depth, whatever the others do.
    fn leaves_out(self, worker: usize, depth: u32) -> bool {
        match self {
            _ if worker == 0 => false,
            Self::Alternate => worker % 2 == 1 && depth % 2 == 1,
            Self::Stockfish7 => stockfish_7(worker as u32, depth),
            Self::Stockfish9 => stockfish_9(worker, depth),
            Self::None | Self::Cheng | Self::Texel | Self::Job => false,
        }
    }

    /// The first of these depths that this worker does not leave out, or the last one.
    pub(super) fn next(self, worker: usize, mut depth: u32, last: u32) -> u32 {
        while depth < last && self.leaves_out(worker, depth) {
            depth += 1;
        }
        depth
    }

    /// Whether there are workers that leave out iterations whatever the others do.
    pub(super) fn leaves_out_by_worker(self) -> bool {
        matches!(self, Self::Alternate | Self::Stockfish7 | Self::Stockfish9)
    }

    /// Whether a worker's iterations depend on what the others do.
    fn looks_at_others(self) -> bool {
        self.keeps_together() || self == Self::Job
    }

    /// Names of the rules by which nobody looks at others.
    pub(super) fn blind() -> Vec<&'static str> {
        Self::ALL.iter().filter(|rule| !rule.looks_at_others()).map(|rule| rule.name()).collect()
    }

    /// Whether all workers are at the same job.
    fn keeps_together(self) -> bool {
        matches!(self, Self::Cheng | Self::Texel)
    }

    /// Plies by which this worker's iterations are deeper than the number of its job.
    fn extra(self, worker: usize) -> u32 {
        (self.keeps_together() && worker % 2 == 1).into()
    }
}

/// Workers from 7 to 24 leave out three depths of every six, each in another way.
fn stockfish_7(worker: u32, depth: u32) -> bool {
    const PERIOD: u32 = 6;
    const PATTERNED: std::ops::RangeInclusive<u32> = 7..=24;
    if !PATTERNED.contains(&worker) {
        let shift = (worker + 1).ilog2() - 1;
        return (depth + worker) >> shift & 1 == 1;
    }
    // All ways of choosing three of six, but for the two that alternate: those are the first workers'.
    let mut patterns =
        (0..1u32 << PERIOD).filter(|bits| bits.count_ones() == 3 && ![0b010_101, 0b101_010].contains(bits));
    let pattern = patterns.nth((worker - PATTERNED.start()) as usize).unwrap_or(0);
    pattern >> (depth % PERIOD) & 1 == 1
}

/// Twenty rows: blocks of 1, 2, 3 or 4 depths are searched and left out in turn, from each phase.
fn stockfish_9(worker: usize, depth: u32) -> bool {
    let rows = (1..=4u32).flat_map(|size| (0..2 * size).map(move |phase| (size, phase)));
    let (size, phase) = rows.clone().nth((worker - 1) % rows.count()).unwrap_or((1, 0));
    (depth + phase) / size % 2 == 1
}

impl Strategy for Lazy {
    type Shared<B: Board> = Jobs;
    type Own = Cell<Job>;

    /// Iterations are left out, and with them their scores.
    fn is_exact(&self) -> bool {
        false
    }

    fn needs_common_table(&self, _: usize) -> bool {
        true
    }

    fn histories(&self) -> Histories {
        self.histories
    }

    /// Also where it is another worker's result that ends an iteration, whose worker then begins a deeper one; where
    /// workers search one ply deeper than the others, all begin at different depths.
    fn leaves_out_iterations(&self, processors: usize) -> bool {
        processors > 1 && (self.skip != Skip::None || self.jobs_stop)
    }

    fn spans_nodes(&self) -> bool {
        !self.looks_at_others()
    }

    fn corrections(&self) -> Histories {
        if self.shared_corrections { Histories::Shared } else { self.histories }
    }

    fn run<T: Team>(&self, at: At<'_, '_, Self, T>) {
        at.worker.think();
    }

    fn begin_iteration<T: Team>(&self, at: At<'_, '_, Self, T>, next: u32) -> Option<u32> {
        let At { worker, shared: jobs, own } = at;
        let processor = worker.processor;
        let id = processor.place();
        let limits = &worker.common.limits;
        let mut completed = 0;
        if self.looks_at_others() {
            processor.touch(Access::Write(&jobs.line));
            completed = jobs.completed.load(Ordering::Relaxed);
        }
        let last = self.last_job(id, next, completed, limits);
        let extra = self.skip.extra(id);
        let mut number = next.saturating_sub(extra).max(1);
        if self.looks_at_others() {
            if self.skip.keeps_together() || self.jobs_stop {
                number = number.max((completed + 1).min(if id == 0 { last } else { NEVER }));
            }
            processor.midway();
            let before = own.get().number;
            if before > 0 {
                jobs.at.0[before as usize].fetch_sub(1, Ordering::Relaxed);
            }
            if self.skip == Skip::Job {
                while number < last && jobs.are_half_beyond(number, processor.count()) {
                    number += 1;
                }
            }
        }
        number = self.skip.next(id, number, last);
        if number > last {
            own.take();
            return None;
        }
        if self.looks_at_others() {
            processor.midway();
            jobs.at.0[number as usize].fetch_add(1, Ordering::Relaxed);
        }
        let is_masters_last = self.end == End::Master && id == 0 && number >= limits.depth;
        let stale_at = if self.is_stopped_by_others(id) && !is_masters_last { number } else { NEVER };
        own.set(Job { number, stale_at });
        Some((number + extra).min(DEEPEST))
    }

    fn iteration_done<T: Team>(&self, at: At<'_, '_, Self, T>, depth: u32) {
        let processor = at.worker.processor;
        if self.looks_at_others() {
            processor.touch(Access::Write(&at.shared.line));
            at.shared.completed.fetch_max(at.own.get().number, Ordering::Relaxed);
        }
        if depth >= at.worker.common.limits.depth && self.may_play(processor.place()) {
            at.worker.stop_all();
        }
    }

    fn begins_another<T: Team>(&self, at: At<'_, '_, Self, T>) -> bool {
        !at.worker.processor.is_stopped() && self.is_cut_off(at)
    }

    /// Whether this worker's result ends the search and is played.
    fn may_play(&self, id: usize) -> bool {
        self.end == End::First || id == 0
    }

    fn votes(&self) -> bool {
        self.vote
    }

    fn wider_window(&self, id: usize) -> i32 {
        self.aspiration_spread * (id % SPREAD_STEPS) as i32
    }

    #[inline(always)]
    fn is_cut_off<T: Team>(&self, at: At<'_, '_, Self, T>) -> bool {
        at.shared.make_stale(at.own.get())
    }
}

impl Lazy {
    /// Number of the last job that this worker may take, where an iteration of depth `next` would be its next and the
    /// job `completed` is the last that anybody completed; 0 for no job.
    fn last_job(&self, id: usize, next: u32, completed: u32, limits: &Limits) -> u32 {
        match limits.horizon {
            _ if !self.may_play(id) => DEEPEST,
            Horizon::Closed => limits.depth,
            // This worker, or the one that cut it off, has ended the search.
            Horizon::Open if next > limits.depth => 0,
            // The depth is reached, and a master that the others wait for still has to complete it itself.
            Horizon::Open if completed >= limits.depth => limits.depth,
            Horizon::Open => DEEPEST,
        }
    }

    /// Whether a worker's next job depends on those of the others.
    fn looks_at_others(&self) -> bool {
        self.jobs_stop || self.skip.looks_at_others()
    }

    /// Whether a worker's iteration ends if another completes it.
    fn is_stopped_by_others(&self, id: usize) -> bool {
        self.jobs_stop || self.skip == Skip::Cheng || self.skip == Skip::Texel && id == 0
    }
}
