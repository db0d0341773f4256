//! Columns of `runs.csv` that say what surrounded a search on a real machine. A virtual search has no surroundings:
//! nothing of the computer that simulated it may reach its row.

use crate::record::{Disturbance, Measured, Surroundings, WorkerRecord, calendar};
use crate::table::{Cell, Columns, columns};

use super::run_row::RunRow;

/// Columns of the surroundings, empty for virtual searches.
pub(super) fn surroundings<'a>() -> Columns<'a, RunRow<'a>> {
    columns! { RunRow<'_>, row;
        "disturbed": "what disturbed the measurement; empty if nothing did" =>
            row.around(|around| around.disturbed.join("; "));
        "state": "quiet, disturbed or unknown: whether other work could have changed the figures" =>
            row.record.is_real().then(|| row.record.quietness().name());
        "taken_share": "share of the processor time wanted by the search that was taken away, where it is known" =>
            Cell::share(row.record.taken_share().filter(|_| row.record.is_real()));
        "steal_share": "the share of processor time that the hypervisor gave to others" =>
            row.around(|around| around.steal_share);
        "others_cpus": "mean number of further processors that other programs kept busy" =>
            row.around(|around| around.others_cpus);
        "clock_at_start_hz": "mean clock of the processors before the search" =>
            row.around(|around| around.mhz_at_start.map(|mhz| 1e6 * mhz));
        "clock_at_end_hz": "mean clock of the processors after the search" =>
            row.around(|around| around.mhz_at_end.map(|mhz| 1e6 * mhz));
        "cpu_share_min": "smallest share of time for which any worker had a processor; a worker that waits counts as \
                          without one" =>
            row.on_real(least_cpu_share);
        "involuntary_switches": "number of times that a worker's processor was taken away, summed over workers" =>
            row.on_real(|measured| sum(measured, |watch| watch.involuntary_switches));
        "cycles": "processor cycles that the workers used, where the system counts them" =>
            row.on_real(|measured| sum(measured, |watch| watch.cycles));
        "filled": "whether unused processors were kept busy" => row.around(|around| around.filled_with.is_some());
        "filled_with": "what kept unused processors busy: cores, arithmetic or memory; empty if they were idle" =>
            row.around(|around| around.filled_with.clone());
        "pinned": "whether all workers were pinned" => row.on_real(are_pinned);
        "core_kind": "kinds of cores that the workers ran on, the fastest first: fast, fast+slow, or alike if the \
                      computer has only one; empty if not known" =>
            row.around(|around| around.core_kind.clone());
        "l3_groups": "number of groups of processors with an L3 cache each on which the workers ran; empty if not \
                      known" =>
            row.around(|around| around.l3_groups);
        "interleaved_nodes": "number of NUMA nodes over which the table was interleaved; empty if it was not" =>
            row.around(|around| around.interleaved_nodes);
        "moved": "whether any worker ended on another CPU than it began on" => row.on_real(has_moved);
        "large_pages_bytes": "bytes of the table on large pages, where the system tells" =>
            row.on_real(|measured| measured.table_on_large_pages_bytes);
        "started": "time at which the search began, in UTC" =>
            row.record.is_real().then(|| calendar::utc(row.record.started));
        "host_s": "seconds that the search took on this computer, including everything around the search" =>
            row.record.is_real().then_some(row.record.host_s);
        "session": "session in which the record was made; environment.json describes it" =>
            row.record.is_real().then(|| row.record.session.clone());
    }
}

impl RunRow<'_> {
    /// Figure of what was watched around a search on a real machine.
    fn around<T>(&self, figure: impl Fn(&Surroundings) -> T) -> Option<T> {
        self.record.surroundings.as_ref().filter(|_| self.record.is_real()).map(figure)
    }

    /// Figure of a search on a real machine.
    fn on_real<T>(&self, figure: impl Fn(&Measured) -> Option<T>) -> Option<T> {
        self.measured().filter(|_| self.record.is_real()).and_then(figure)
    }
}

fn least_cpu_share(measured: &Measured) -> Option<f64> {
    let share = |worker: &WorkerRecord| {
        let watch = worker.watch?;
        (watch.wall_ns > 0).then_some(watch.cpu_ns? as f64 / watch.wall_ns as f64)
    };
    measured.workers.iter().filter_map(share).min_by(f64::total_cmp)
}

/// Sum over workers, if all of them tell.
fn sum(measured: &Measured, count: fn(&Disturbance) -> Option<u64>) -> Option<u64> {
    let counts: Vec<u64> = measured.workers.iter().map(|worker| count(&worker.watch?)).collect::<Option<_>>()?;
    (!counts.is_empty()).then(|| counts.iter().sum())
}

/// Whether all workers were pinned, if there is any.
fn are_pinned(measured: &Measured) -> Option<bool> {
    let workers = &measured.workers;
    (!workers.is_empty()).then(|| workers.iter().all(|worker| worker.pinned))
}

/// Whether any worker moved: a single yes is enough, a no needs them all.
fn has_moved(measured: &Measured) -> Option<bool> {
    let answers: Vec<Option<bool>> = measured.workers.iter().map(|worker| worker.watch?.has_moved).collect();
    match answers {
        _ if answers.contains(&Some(true)) => Some(true),
        _ if answers.is_empty() || answers.contains(&None) => None,
        _ => Some(false),
    }
}
