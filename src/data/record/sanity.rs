//! Records that contradict themselves. A line of a journal whose figures cannot all be true was damaged after it was
//! written, and nothing can be learnt from it: neither a figure nor how far an axis of a chart should go.

use super::cell::Depth;
use super::result::{Measured, Record};
use crate::counts::Activity;

/// No number of processors, of plies, of attempts, of MiB, of seconds and of anything counted is larger.
const MOST_THREADS: u32 = 1 << 16;
const MOST_PLIES: u32 = 1 << 10;
const MOST_ATTEMPTS: u32 = 1 << 20;
const MOST_MIB: u32 = 1 << 30;
const MOST_SECONDS: f64 = 1e9;
const MOST_COUNTED: u64 = 1 << 53;
/// Clocks of workers may add up to more than processors times elapsed time by rounding, but not to this many times it,
/// and this many nanoseconds.
const MOST_OVERLAP: f64 = 2.0;
const ROUNDING_NS: f64 = 1e9;

/// Contradiction in a record, in words; nothing if its figures can all be true.
pub fn contradiction(record: &Record) -> Option<String> {
    let Record { index, cell, attempt, host_s, .. } = record;
    let configuration = &cell.configuration;
    let threads = configuration.threads;
    // What is measured of a board without a search needs no names.
    let is_search = configuration.micro.is_none();
    let impossible_cell = first(&[
        (is_search && cell.position.is_empty(), "it names no position"),
        (is_search && cell.fen.is_empty(), "it names no board position"),
        (is_search && configuration.strategy.is_empty(), "it names no strategy"),
        (threads == 0 || threads > MOST_THREADS, "its number of processors is impossible"),
        (configuration.hash_mib > MOST_MIB, "its table is impossible"),
        (cell.depth.is_some_and(|depth| depth > MOST_PLIES), "its depth is impossible"),
        (*index > MOST_COUNTED || *attempt > MOST_ATTEMPTS, "its cell or attempt number is impossible"),
        (!(0.0..=MOST_SECONDS).contains(host_s), "its time is impossible"),
    ]);
    let other_depth = || match (configuration.depth, cell.depth) {
        (Depth::Plies(asked), Some(depth)) if asked != depth => {
            Some(format!("its depth is {depth}, but its configuration has depth {asked}"))
        }
        _ => None,
    };
    let of_result = || record.result.figures().and_then(|measured| measured_contradiction(measured, threads));
    impossible_cell.or_else(other_depth).or_else(of_result)
}

/// First of these contradictions that there is.
fn first(cases: &[(bool, &str)]) -> Option<String> {
    cases.iter().find(|(is_so, _)| *is_so).map(|(_, what)| (*what).to_owned())
}

fn measured_contradiction(measured: &Measured, threads: u32) -> Option<String> {
    let Measured { nodes, time_ns, elapsed_ns, activities, .. } = *measured;
    // What is not told is nothing, and contradicts nothing.
    let count = |path| measured.count(path).unwrap_or(0);
    let [qnodes, probes, found, deep, ended] = ["quiescence_nodes", "probes", "found", "deep", "ended"].map(count);
    let [cutoffs, cutoffs_first] = ["cutoffs.all", "cutoffs.first"].map(count);
    let counted = [nodes, qnodes, probes, cutoffs, time_ns, elapsed_ns];
    let times = Activity::ALL.iter().map(|activity| activities[*activity]);
    if counted.into_iter().chain(times.clone()).any(|count| count > MOST_COUNTED) || measured.depth > MOST_PLIES {
        return Some("one of its counts is impossibly large".to_owned());
    }
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
