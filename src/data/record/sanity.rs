//! Records that contradict themselves. A line of a journal whose figures cannot all be true was damaged after it was
//! written, and nothing can be learnt from it: neither a figure nor how far an axis of a chart should go.

use super::cell::Depth;
use super::game::GameRecord;
use super::judgement::Judgement;
use super::result::{CellResult, DepthAnswer, Measured, Record, Surroundings, WorkerRecord};
use crate::counts::{Activity, Disturbance, LetterCounts, SplitTimes};

/// Largest number of processors of a record.
pub const MOST_THREADS: u32 = 1 << 16;
/// No number of plies, of attempts, of MiB, of seconds and of anything counted is larger.
const MOST_PLIES: u32 = 1 << 10;
const MOST_ATTEMPTS: u32 = 1 << 20;
const MOST_MIB: u32 = 1 << 30;
/// Most CPUs of a computer.
const MOST_CPUS: u32 = 1 << 16;
const MOST_SECONDS: f64 = 1e9;
const MOST_COUNTED: u64 = 1 << 53;
/// No figure of a micro-measurement is larger, no clock of a processor faster, and no moment later: that in seconds
/// since 1970, some thousand years from now.
const MOST_FIGURE: f64 = 1e18;
const MOST_MHZ: f64 = 1e6;
const LAST_MOMENT: f64 = 1e11;
/// Parts of a whole that a table can be used to.
const MOST_PERMILLE: u32 = 1000;
/// Clocks of workers may add up to more than processors times elapsed time by rounding, but not to this many times it,
/// and this many nanoseconds.
const MOST_OVERLAP: f64 = 2.0;
const ROUNDING_NS: f64 = 1e9;

/// Contradiction in a record, in words; nothing if its figures can all be true.
pub fn contradiction(record: &Record) -> Option<String> {
    let Record { index, cell, attempt, host_s, started, surroundings, .. } = record;
    let configuration = &cell.configuration;
    let threads = configuration.threads;
    // What is measured of a board without a search needs no names.
    let is_search = configuration.micro.is_none();
    let impossible_cell = first(&[
        (is_search && cell.position.is_empty(), "it names no position"),
        (is_search && cell.fen.is_empty(), "it names no board position"),
        (is_search && configuration.strategy.is_empty(), "it names no strategy"),
        (threads == 0 || threads > MOST_THREADS, "its number of processors is impossible"),
        (
            configuration.cluster_nodes.is_some_and(|nodes| nodes == 0 || !threads.is_multiple_of(nodes)),
            "its processors are not those of equal nodes",
        ),
        (configuration.hash_mib > MOST_MIB, "its table is impossible"),
        (cell.depth.is_some_and(|depth| depth > MOST_PLIES), "its depth is impossible"),
        (*index > MOST_COUNTED || *attempt > MOST_ATTEMPTS, "its cell or attempt number is impossible"),
        (!(0.0..=MOST_SECONDS).contains(host_s), "its time is impossible"),
        (!(0.0..=LAST_MOMENT).contains(started), "the moment at which it began is impossible"),
        (surroundings.as_ref().is_some_and(is_absurd), "what it says of the computer is impossible"),
        (has_absurd_figure(&record.result), "one of its figures is impossibly large"),
    ]);
    let other_depth = || match (configuration.depth, cell.depth) {
        (Depth::Plies(asked), Some(depth)) if asked != depth => {
            Some(format!("its depth is {depth}, but its configuration has depth {asked}"))
        }
        _ => None,
    };
    let is_own = !configuration.is_outside();
    let of_result = || record.result.figures().and_then(|measured| measured_contradiction(measured, threads, is_own));
    impossible_cell.or_else(other_depth).or_else(of_result)
}

/// Contradiction in a judgement.
pub(super) fn of_judgement(Judgement { subject, nodes, host_s, .. }: &Judgement) -> Option<String> {
    first(&[
        (*nodes > MOST_COUNTED, "its nodes are impossibly many"),
        (subject.depth > MOST_PLIES, "its depth is impossible"),
        (!(0.0..=MOST_SECONDS).contains(host_s), "its time is impossible"),
    ])
}

/// Contradiction in the counts and times of a game.
pub(super) fn of_game(
    GameRecord { depths, nodes, time_ns, times_ms, least_left_ms, .. }: &GameRecord,
) -> Option<String> {
    let counted = nodes.iter().chain(time_ns).chain(times_ms).chain(least_left_ms.iter().flatten());
    first(&[
        (counted.into_iter().any(|count| *count > MOST_COUNTED), "one of its counts is impossibly large"),
        (depths.iter().any(|depth| *depth > MOST_PLIES), "one of its depths is impossible"),
    ])
}

/// Whether there is a share that is none, more processors than there are, or a clock that nobody has.
fn is_absurd(around: &Surroundings) -> bool {
    let Surroundings { taken_share, steal_share, others_cpus, mhz_at_start, mhz_at_end, .. } = around;
    let bounded = [
        (taken_share, 1.0),
        (steal_share, 1.0),
        (others_cpus, f64::from(MOST_THREADS)),
        (mhz_at_start, MOST_MHZ),
        (mhz_at_end, MOST_MHZ),
    ];
    let counts = [around.fast_cores, around.l3_groups, around.interleaved_nodes];
    bounded.into_iter().any(|(value, most)| value.is_some_and(|value| !(0.0..=most).contains(&value)))
        || counts.into_iter().flatten().any(|count| count > MOST_CPUS)
}

fn has_absurd_figure(result: &CellResult) -> bool {
    let CellResult::Micro(figures) = result else { return false };
    let of_figure = |figure: &super::figure::Figure| {
        [Some(figure.estimate), figure.published]
            .into_iter()
            .chain(figure.interval.map(|ends| ends.map(Some)).into_iter().flatten())
            .flatten()
            .any(|value| value.is_finite() && value.abs() > MOST_FIGURE)
    };
    figures.iter().any(of_figure)
}

/// First of these contradictions that there is.
fn first(cases: &[(bool, &str)]) -> Option<String> {
    cases.iter().find(|(is_so, _)| *is_so).map(|(_, what)| (*what).to_owned())
}

fn measured_contradiction(measured: &Measured, threads: u32, is_own: bool) -> Option<String> {
    let Measured { nodes, time_ns, elapsed_ns, activities, .. } = *measured;
    // What is not told is nothing, and contradicts nothing.
    let count = |path| measured.count(path).unwrap_or(0);
    let [qnodes, probes, found, deep, ended] = ["quiescence_nodes", "probes", "found", "deep", "ended"].map(count);
    let [cutoffs, cutoffs_first] = ["cutoffs.all", "cutoffs.first"].map(count);
    let counted = [nodes, qnodes, probes, cutoffs, time_ns, elapsed_ns];
    let times = Activity::ALL.iter().map(|activity| activities[*activity]);
    let others = [measured.losses.largest(), measured.counters.largest(), most_of_sharing(measured)];
    let rare = [measured.torn_standing, measured.table_on_large_pages_bytes].into_iter().flatten();
    let of_letters =
        |of: LetterCounts| [of.letters, of.bytes, of.received, of.kept, of.refused, of.used, of.withheld, of.asked];
    let of_letters = measured.letters.map(of_letters).into_iter().flatten();
    let asked = measured.asked_and_unanswered.into_iter().flatten().chain(of_letters);
    let mut all = counted.into_iter().chain(times.clone()).chain(others).chain(rare).chain(asked);
    if all.any(|count| count > MOST_COUNTED) {
        return Some("one of its counts is impossibly large".to_owned());
    }
    let plies = u64::from(MOST_PLIES);
    let has_deep_answer = measured.answers.iter().any(|answer| answer.depth > MOST_PLIES);
    let is_too_deep = measured.depth > MOST_PLIES || measured.seldepth > plies || has_deep_answer;
    let is_far_mate = measured.mate.is_some_and(|moves| moves.unsigned_abs() > MOST_PLIES);
    // Clocks that are read one after the other, and by several processors.
    let late = |time: u64| elapsed_ns > 0 && time as f64 > MOST_OVERLAP * elapsed_ns as f64 + ROUNDING_NS;
    let moments = measured.answers.iter().map(|answer| answer.time_ns);
    let mut moments = moments.chain(measured.master_ns).chain(measured.voted_ns);
    let has_more = |answer: &DepthAnswer| answer.nodes > nodes || answer.leaves > nodes;
    let of_worker = |worker: &WorkerRecord| worker.watch.as_ref().is_some_and(is_beyond_counting);
    let workers = &measured.workers;
    let by_workers = workers.iter().fold(0_u64, |sum, worker| sum.saturating_add(worker.nodes));
    let times_ns: f64 = times.map(|time| time as f64).sum();
    let whole_ns = f64::from(threads) * elapsed_ns as f64;
    first(&[
        (
            !workers.is_empty() && workers.len() as u64 != u64::from(threads),
            "its number of workers is not that of its processors",
        ),
        (!workers.is_empty() && by_workers != nodes, "its nodes are not the sum over its workers"),
        (is_too_deep || is_far_mate, "its depth is impossible"),
        (moments.any(late), "one of its answers came after its end"),
        (is_own && measured.answers.iter().any(has_more), "an answer on the way has more nodes than the search"),
        (measured.table_used_permille.is_some_and(|used| used > MOST_PERMILLE), "its table is more than full"),
        (workers.iter().any(of_worker), "one of its counts is impossibly large"),
        (qnodes > nodes, "it has more quiescence nodes than nodes"),
        (ended > deep || deep > found || found > probes, "its table hits contradict its probes"),
        (cutoffs_first > cutoffs, "it has more cutoffs by the first move than cutoffs"),
        (elapsed_ns > 0 && time_ns > elapsed_ns, "its first answer came after its end"),
        (
            elapsed_ns > 0 && times_ns > MOST_OVERLAP * whole_ns + ROUNDING_NS,
            "its processors were busy for longer than the search lasted",
        ),
    ])
}

/// Largest count of sharing nodes.
fn most_of_sharing(measured: &Measured) -> u64 {
    measured.sharing.times.iter().flat_map(SplitTimes::values).copied().max().unwrap_or(0)
}

fn is_beyond_counting(watch: &Disturbance) -> bool {
    let Disturbance { wall_ns, cpu_ns, cycles, queued_ns, voluntary_switches, involuntary_switches, .. } = *watch;
    let told = [cpu_ns, cycles, queued_ns, voluntary_switches, involuntary_switches].into_iter().flatten();
    told.chain([wall_ns]).any(|count| count > MOST_COUNTED)
}

#[cfg(test)]
mod tests {
    use super::super::cell::{Cell, Configuration, MachineKind};
    use super::*;

    fn record(change: impl FnOnce(&mut Measured)) -> Record {
        let configuration = Configuration::sample(MachineKind::Virtual, "sequential", 1);
        let answer = DepthAnswer { depth: 3, time_ns: 500, nodes: 90, ..DepthAnswer::default() };
        let (depth, seldepth, nodes, time_ns, elapsed_ns) = (3, 9, 100, 900, 1000);
        let answers = vec![answer];
        let mut measured = Measured { depth, seldepth, nodes, time_ns, elapsed_ns, answers, ..Measured::default() };
        change(&mut measured);
        let fen = "8/8/8/8/8/4k3/4p3/4K3 b - - 0 1".to_owned();
        Record::sample(0, Cell { fen: fen.into(), depth: None, ..Cell::sample(configuration, "P", 0) }, measured)
    }

    #[test]
    fn absurd_figures_are_contradictions() {
        type Change = fn(&mut Measured);
        let of_measured: [(Change, &str); 10] = [
            (|measured| measured.seldepth = u64::MAX, "its depth is impossible"),
            (|measured| measured.mate = Some(i32::MIN), "its depth is impossible"),
            (|measured| measured.answers[0].depth = 1 << 31, "its depth is impossible"),
            (|measured| measured.answers[0].nodes = u64::MAX, "more nodes than the search"),
            (|measured| measured.answers[0].time_ns = 1 << 53, "came after its end"),
            (|measured| measured.master_ns = Some(1 << 53), "came after its end"),
            (|measured| measured.losses = [("aborted", i64::MIN)].into(), "impossibly large"),
            (|measured| measured.table_used_permille = Some(1001), "more than full"),
            (
                |measured| measured.sharing.times = Some(SplitTimes { span_ns: u64::MAX, ..SplitTimes::default() }),
                "impossibly large",
            ),
            (
                |measured| {
                    let watch = Some(Disturbance { wall_ns: u64::MAX, ..Disturbance::default() });
                    measured.workers = vec![WorkerRecord { nodes: 100, watch, ..WorkerRecord::default() }];
                },
                "impossibly large",
            ),
        ];
        assert_eq!(contradiction(&record(|_| ())), None);
        for (change, expected) in of_measured {
            let found = contradiction(&record(change)).unwrap_or_default();
            assert!(found.contains(expected), "{expected}: {found}");
        }
        let around = |change: fn(&mut Surroundings)| {
            let mut around = Surroundings::default();
            change(&mut around);
            Record { surroundings: Some(around), ..record(|_| ()) }
        };
        for absurd in [
            Record { started: -1.0, ..record(|_| ()) },
            Record { started: f64::NAN, ..record(|_| ()) },
            around(|around| around.taken_share = Some(1.5)),
            around(|around| around.others_cpus = Some(-1.0)),
            around(|around| around.fast_cores = Some(u32::MAX)),
            around(|around| around.l3_groups = Some(1 << 20)),
            around(|around| around.mhz_at_end = Some(1e308)),
        ] {
            assert!(contradiction(&absurd).is_some_and(|why| why.contains("impossible")), "{absurd:?}");
        }
        let judgement = Judgement { host_s: 1e308, ..Judgement::default() };
        assert!(of_judgement(&judgement).is_some() && of_judgement(&Judgement::default()).is_none());
    }
}
