//! From the outcome of a search to the figures of its record.

use std::collections::{BTreeMap, BTreeSet};

use super::fill::Filling;
use crate::counts::{Activities, Counters, Disturbance, Loss};
use crate::machine::Place;
use crate::machine::guard::{SystemChange, cpu_time_step_ns};
use crate::machine::host::{LogicalCpu, Topology};
use crate::record::{
    Account, Cell, CellResult, DepthAnswer, Measured, NamedCounts, OVERSUBSCRIBED, Quietness, Sharing, Surroundings,
    WorkerRecord, judge,
};
use crate::search::table::Tables;
use crate::search::{Iteration, Outcome};

/// Result of a cell as records keep it, with the surroundings on a real machine; or why there is none.
pub type Finding = Result<(CellResult, Option<Surroundings>), String>;

/// Figures of a search.
pub(super) fn measured(
    outcome: &Outcome,
    watches: &[Disturbance],
    cell: &Cell,
    tables: &Tables,
    places: &[Place],
) -> Measured {
    let (answer, counters) = (&outcome.answer, &outcome.counters);
    let reached = cell.depth.map(|depth| outcome.depth_reached(depth));
    let worker = |(id, (counters, times)): (usize, &(Counters, Activities))| WorkerRecord {
        nodes: counters.nodes(),
        cpu: places.get(id).and_then(|place| place.cpu),
        pinned: places.get(id).is_some_and(|place| place.is_pinned),
        activities: *times,
        watch: watches.get(id).copied(),
    };
    let workers: Vec<WorkerRecord> = outcome.workers.iter().enumerate().map(worker).collect();
    let losses: BTreeMap<&str, i64> = Loss::ALL.iter().map(|loss| (loss.name(), counters.losses.of(*loss))).collect();
    let mut raw = serde_json::json!(counters);
    if let Some(raw) = raw.as_object_mut() {
        // They have places of their own.
        raw.remove("times");
        raw.remove("distributions");
        raw.remove("losses");
    }
    Measured {
        bestmove: answer.best.map(|mv| mv.to_string().into()),
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
        activities: workers.iter().map(|worker| &worker.activities).sum(),
        losses: NamedCounts::of(losses),
        counters: NamedCounts::of(raw),
        sharing: Sharing {
            times: Some(counters.times),
            distributions: (counters.distributions.cost_ns.total() > 0).then(|| (&counters.distributions).into()),
        },
        program: None,
        table_used_permille: tables.thousandths_used(),
        asked_and_unanswered: tables.asked_and_unanswered(),
        letters: outcome.letters,
        torn_standing: tables.are_audited().then(|| tables.standing_torn()),
        table_on_large_pages_bytes: tables.on_large_pages().filter(|_| !places.is_empty()),
        workers,
        busiest: None,
    }
}

/// Answers on the way, to the first that is as deep as was asked for.
fn answers(outcome: &Outcome, asked: u32) -> Vec<DepthAnswer> {
    let deepening = outcome.deepening();
    let last = deepening.iter().position(|(_, iteration)| iteration.depth >= asked).unwrap_or(deepening.len());
    let answer = |(time_ns, iteration): &(u64, &Iteration)| DepthAnswer {
        depth: iteration.depth,
        time_ns: *time_ns,
        bestmove: iteration.line.first().map(|mv| mv.to_string().into()),
        score_raw: iteration.score.0,
        nodes: iteration.nodes,
        leaves: iteration.leaves,
    };
    deepening.iter().take(last + 1).map(answer).collect()
}

/// Threads of our own around a search on a real machine that may take processors from its workers.
#[derive(Clone, Copy)]
pub(super) struct OnPurpose {
    /// Threads that keep processors busy that are not measured, if any do.
    pub fill: Option<Filling>,
    /// Whether busy threads compete with the measured ones.
    pub is_disturbed: bool,
    /// Whether there are more workers than processors.
    pub is_oversubscribed: bool,
}

impl OnPurpose {
    /// Whether what a worker lost may have gone to a thread of our own: nobody tells who took it.
    fn is_own_loss(self) -> bool {
        self.is_disturbed || self.is_oversubscribed
    }

    /// Nanoseconds that others took from these workers.
    pub fn taken_ns(self, watches: &[Disturbance]) -> u64 {
        self.account(watches, None).map_or(0, |account| account.taken_ns as u64)
    }

    /// Account of these workers, unless threads of our own would be in it.
    fn account(self, watches: &[Disturbance], steal_share: Option<f64>) -> Option<Account> {
        Account::of(watches.iter().map(Some), steal_share, cpu_time_step_ns()).filter(|_| !self.is_own_loss())
    }
}

/// Surroundings of a search on a real machine, and whether they disturbed it.
pub(super) fn surroundings(watches: &[Disturbance], system: &SystemChange, on_purpose: OnPurpose) -> Surroundings {
    let account = on_purpose.account(watches, system.steal_share);
    let around = Surroundings {
        disturbed: Vec::new(),
        state: Quietness::Unknown,
        taken_share: account.filter(Account::is_resolved).map(|account| account.share()),
        steal_share: system.steal_share,
        others_cpus: system.others_cpus,
        mhz_at_start: system.mhz_at_start,
        mhz_at_end: system.mhz_at_end,
        filled_with: on_purpose.fill.map(|filling| filling.name().to_owned()),
        ..Surroundings::default()
    };
    let (mut state, mut disturbed) = judge(account.as_ref(), &around);
    // What is judged beside busy threads of our own is the computer as a whole, whose account leaves out the time of
    // this process.
    if on_purpose.is_disturbed && state == Quietness::Unknown && around.others_cpus.is_some() {
        state = Quietness::Quiet;
    }
    if on_purpose.is_oversubscribed {
        disturbed.push(OVERSUBSCRIBED.to_owned());
        state = Quietness::Disturbed;
    }
    Surroundings { disturbed, state, ..around }
}

/// Surroundings with the cores on which workers at these places ran.
pub(super) fn on_cores(around: Surroundings, places: &[Place], topology: &Topology) -> Surroundings {
    let pinned: Option<Vec<&LogicalCpu>> =
        places.iter().map(|place| place.cpu.filter(|_| place.is_pinned).and_then(|cpu| topology.cpu(cpu))).collect();
    // Where all are of one kind, it does not matter where they ran.
    let of = |is_one: bool| match &pinned {
        Some(pinned) if !pinned.is_empty() => Some(pinned.clone()),
        _ if is_one => Some(topology.allowed_cpus().collect()),
        _ => None,
    };
    let core_kind = of(topology.allowed_kinds() == 1).map(|cpus| {
        let kinds: BTreeSet<usize> = cpus.iter().map(|cpu| cpu.kind).collect();
        kinds.into_iter().map(|kind| topology.kind_name(kind)).collect::<Vec<_>>().join("+")
    });
    let l3_groups = of(topology.allowed_l3_groups() == 1).and_then(|cpus| {
        let groups: BTreeSet<usize> = cpus.iter().map(|cpu| cpu.l3).collect::<Option<_>>()?;
        Some(groups.len() as u32)
    });
    let fast_cores = (topology.kinds() > 1).then(|| topology.cores_of_kind(0) as u32);
    Surroundings { core_kind, fast_cores, l3_groups, ..around }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kinds_of_cores_are_known_where_threads_are_pinned() {
        // Two fast cores, two slow ones, with an L3 cache for each kind.
        let cpu = |cpu: usize| LogicalCpu {
            cpu,
            core_id: None,
            package: None,
            node: None,
            siblings: [cpu].into_iter().collect(),
            capacity: None,
            kind: cpu / 2,
            l3: Some(cpu / 2 * 2),
        };
        let cpus: Vec<LogicalCpu> = (0..4).map(cpu).collect();
        let hybrid = Topology { cpus: cpus.clone(), allowed: (0..4).collect(), kinds_told_by: Some("capacities") };
        let equal = cpus.into_iter().map(|cpu| LogicalCpu { kind: 0, l3: None, ..cpu }).collect();
        let equal = Topology { cpus: equal, allowed: (0..4).collect(), kinds_told_by: None };
        let told = |cpus: &[Option<usize>], topology: &Topology| {
            let places: Vec<Place> = cpus.iter().map(|&cpu| Place { cpu, is_pinned: cpu.is_some() }).collect();
            let around = on_cores(Surroundings::default(), &places, topology);
            (around.core_kind, around.l3_groups, around.fast_cores)
        };
        let kind = |kind: &str| Some(kind.to_owned());
        assert_eq!(told(&[Some(0), Some(1)], &hybrid), (kind("fast"), Some(1), Some(2)));
        assert_eq!(told(&[Some(0), Some(1), Some(2)], &hybrid), (kind("fast+slow"), Some(2), Some(2)));
        assert_eq!(told(&[Some(3)], &hybrid), (kind("slow"), Some(1), Some(2)));
        assert_eq!(told(&[Some(0), None], &hybrid), (None, None, Some(2)));
        assert_eq!(told(&[], &hybrid), (None, None, Some(2)));
        assert_eq!(told(&[None], &equal), (kind("alike"), None, None));
    }

    #[test]
    fn only_what_others_do_counts_on_a_machine_that_is_disturbed_on_purpose() {
        let deprived = Disturbance {
            wall_ns: 1_000_000_000,
            cpu_ns: Some(600_000_000),
            queued_ns: Some(400_000_000),
            involuntary_switches: Some(300),
            ..Disturbance::default()
        };
        let calm = SystemChange { others_cpus: Some(0.0), ..SystemChange::default() };
        let around = |system, is_disturbed, is_oversubscribed| {
            surroundings(&[deprived], &system, OnPurpose { fill: None, is_disturbed, is_oversubscribed })
        };
        let judged = around(calm, false, false);
        assert_eq!((judged.state, judged.taken_share), (Quietness::Disturbed, Some(0.4)));
        assert_eq!(judged.disturbed, ["40.0 % of the processor time that the search wanted was taken away"]);
        let judged = around(calm, true, false);
        assert_eq!((judged.state, judged.taken_share, judged.disturbed.len()), (Quietness::Quiet, None, 0));
        let judged = around(SystemChange::default(), true, false);
        assert_eq!(judged.state, Quietness::Unknown);
        let judged = around(SystemChange { others_cpus: Some(0.5), ..calm }, true, false);
        assert_eq!(judged.disturbed, ["other programs kept 0.5 further processors busy"]);
        assert_eq!(around(calm, false, true).disturbed, [OVERSUBSCRIBED]);
    }
}
