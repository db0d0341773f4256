//! From the outcome of a search to the figures of its record.

use serde_json::Value;

use crate::machine::busy::Occupation;
use crate::machine::guard::{Disturbance, SystemChange, Verdict, judge};
use crate::machine::{Activity, Place, Times};
use crate::record::{Activities, Cell, DepthAnswer, Measured, SplitCounts, Surroundings, WorkerRecord, WorkerWatch};
use crate::search::figures::ThesisFigures;
use crate::search::table::Tables;
use crate::search::{Counters, Iteration, Loss, Outcome, Splits};

/// Outcome of a search, with what disturbed it on a real machine.
pub(super) struct WatchedOutcome {
    pub outcome: Outcome,
    /// Disturbances of each worker; empty on a virtual machine.
    pub watches: Vec<Disturbance>,
    /// Disturbances of the whole computer.
    pub system: SystemChange,
}

impl From<Times> for Activities {
    fn from(times: Times) -> Self {
        Self {
            search_ns: times[Activity::Search],
            split_ns: times[Activity::Split],
            lock_ns: times[Activity::Lock],
            idle_ns: times[Activity::Idle],
            wait_ns: times[Activity::Wait],
            other_ns: times[Activity::Other],
        }
    }
}

impl From<&Disturbance> for WorkerWatch {
    fn from(disturbance: &Disturbance) -> Self {
        Self {
            wall_ns: disturbance.wall_ns,
            cpu_ns: disturbance.cpu_ns,
            cycles: disturbance.cycles,
            queued_ns: disturbance.queued_ns,
            voluntary_switches: disturbance.voluntary_switches,
            involuntary_switches: disturbance.involuntary_switches,
            has_moved: disturbance.cpu_at_start.zip(disturbance.cpu_at_end).map(|(start, end)| start != end),
        }
    }
}

/// Figures of a search.
pub(super) fn measured(watched: &WatchedOutcome, cell: &Cell, tables: &Tables, places: &[Place]) -> Measured {
    let WatchedOutcome { outcome, watches, .. } = watched;
    let (answer, counters) = (&outcome.answer, &outcome.counters);
    let thesis = ThesisFigures::from(counters);
    let reached = cell.depth.map(|depth| outcome.depth_reached(depth));
    let splits = &counters.splits;
    let worker = |(id, (counters, times)): (usize, &(Counters, Times))| WorkerRecord {
        nodes: counters.nodes(),
        cpu: places.get(id).and_then(|place| place.cpu),
        pinned: places.get(id).is_some_and(|place| place.is_pinned),
        activities: (*times).into(),
        watch: watches.get(id).map(WorkerWatch::from),
    };
    let workers: Vec<WorkerRecord> = outcome.workers.iter().enumerate().map(worker).collect();
    let raw = match serde_json::to_value(counters) {
        Ok(Value::Object(raw)) => raw,
        _ => serde_json::Map::new(),
    };
    Measured {
        bestmove: answer.best.map(|mv| mv.to_string()),
        score_raw: answer.score.0,
        mate: answer.score.mate_moves(),
        depth: answer.depth,
        seldepth: counters.deepest.max(counters.deepest_quiescence),
        solved: None,
        time_ns: reached.and_then(|reached| reached.first).unwrap_or(answer.nanoseconds),
        master_ns: reached.and_then(|reached| reached.master),
        voted_ns: reached.and_then(|reached| reached.voted),
        elapsed_ns: workers.first().map_or(0, |worker| worker.activities.total()),
        answers: answers(outcome, cell.depth.unwrap_or(u32::MAX)),
        nodes: counters.nodes(),
        qnodes: counters.quiescence_nodes,
        thesis_nodes: thesis.nodes,
        thesis_hash_pct: thesis.hash_pct,
        thesis_order_pct: thesis.order_pct,
        thesis_qn_pct: thesis.qn_pct,
        probes: counters.probes,
        found: counters.found,
        deep: counters.deep,
        ended: counters.ended,
        cutoffs: counters.cutoffs.total(),
        cutoffs_first: counters.cutoffs.total_first(),
        activities: workers.iter().map(|worker| worker.activities).sum(),
        losses: Loss::ALL.iter().map(|loss| (loss.name().to_owned(), counters.losses.of(*loss))).collect(),
        splits: SplitCounts {
            made: Splits::total(&splits.made),
            failed: Splits::total(&splits.failed),
            cut: Splits::total(&splits.cut),
            joined: Splits::total(&splits.joined),
            searched_before: Splits::total(&splits.searched_before),
            bytes: counters.copied_bytes,
            copy_ns: counters.handover_ns,
            saved_moves: counters.saved_moves,
            stops: counters.stops,
            stop_ns: counters.stop_ns,
        },
        counters: raw,
        torn_standing: tables.are_audited().then(|| tables.standing_torn()),
        table_on_large_pages_bytes: tables.on_large_pages().filter(|_| !places.is_empty()),
        workers,
    }
}

/// Answers on the way, to the first that is as deep as was asked for.
fn answers(outcome: &Outcome, asked: u32) -> Vec<DepthAnswer> {
    let deepening = outcome.deepening();
    let last = deepening.iter().position(|(_, iteration)| iteration.depth >= asked).unwrap_or(deepening.len());
    let answer = |(time_ns, iteration): &(u64, &Iteration)| DepthAnswer {
        depth: iteration.depth,
        time_ns: *time_ns,
        bestmove: iteration.line.first().map(ToString::to_string),
        score_raw: iteration.score.0,
    };
    deepening.iter().take(last + 1).map(answer).collect()
}

/// Busy threads of our own around a search on a real machine.
#[derive(Clone, Copy)]
pub(super) struct OnPurpose {
    /// Work of processors that are not measured, if they are kept busy.
    pub fill: Option<Occupation>,
    /// Whether busy threads compete with the measured ones.
    pub is_disturbed: bool,
}

/// Surroundings of a search on a real machine, and whether they disturbed it.
pub(super) fn surroundings(watched: &WatchedOutcome, is_oversubscribed: bool, on_purpose: OnPurpose) -> Surroundings {
    let mut disturbed = disturbances(&watched.watches, &watched.system, on_purpose.is_disturbed);
    if is_oversubscribed {
        disturbed.push("there were more threads than processors".to_owned());
    }
    Surroundings {
        disturbed,
        steal_share: watched.system.steal_share,
        others_cpus: watched.system.others_cpus,
        mhz_at_start: watched.system.mhz_at_start,
        mhz_at_end: watched.system.mhz_at_end,
        filled: on_purpose.fill.is_some(),
        filled_with: on_purpose.fill.map(|occupation| occupation.name().to_owned()),
    }
}

/// Reasons in words for which a search counts as disturbed. What a worker lost on a machine that is disturbed on
/// purpose does not tell who took it, so that it is not judged. What is judged then is the computer as a whole, whose
/// account leaves out the time of this process, and with it that of our own busy threads.
fn disturbances(watches: &[Disturbance], system: &SystemChange, is_on_purpose: bool) -> Vec<String> {
    match judge(if is_on_purpose { &[] } else { watches }, system) {
        Verdict::Quiet => Vec::new(),
        Verdict::Disturbed { reasons } => reasons,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_others_do_counts_on_a_machine_that_is_disturbed_on_purpose() {
        let deprived = Disturbance {
            wall_ns: 1_000_000_000,
            queued_ns: Some(400_000_000),
            involuntary_switches: Some(300),
            ..Disturbance::default()
        };
        let calm = SystemChange::default();
        let busy = SystemChange { others_cpus: Some(0.5), steal_share: Some(0.2), ..calm };
        let reasons = |system, is_on_purpose| disturbances(&[deprived], system, is_on_purpose);
        assert_eq!(reasons(&calm, false).len(), 2, "{:?}", reasons(&calm, false));
        assert!(reasons(&calm, true).is_empty());
        let expected =
            ["the hypervisor gave 20.0 % of the processors' time to others", "other programs kept 0.5 processors busy"];
        assert_eq!(reasons(&busy, true), expected);
    }
}
