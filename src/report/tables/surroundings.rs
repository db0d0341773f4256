//! The columns of `runs.csv` that say what surrounded a search on a real machine. A virtual search has no surroundings:
//! nothing of the computer that simulated it may reach its row.

use crate::record::{Measured, Surroundings, WorkerRecord, WorkerWatch};

use super::columns::{Column, column};
use super::numbers::{exact, exact_or_empty};
use super::runs::RunRow;
use crate::record::calendar::utc;

/// All of them.
pub(super) fn columns<'a>() -> Vec<Column<RunRow<'a>>> {
    vec![
        column("disturbed", "what disturbed the measurement; empty if nothing did", |row: &RunRow<'a>| {
            row.around(|around| Some(around.disturbed.join("; ")))
        }),
        column("steal_share", "the share of processor time that the hypervisor gave to others", |row| {
            row.around(|around| around.steal_share.map(exact))
        }),
        column("others_cpus", "how many processors other programs kept busy", |row| {
            row.around(|around| around.others_cpus.map(exact))
        }),
        column("mhz_at_start", "the mean clock of the processors before, in MHz", |row| {
            row.around(|around| around.mhz_at_start.map(exact))
        }),
        column("mhz_at_end", "the mean clock after, in MHz", |row| row.around(|around| around.mhz_at_end.map(exact))),
        column(
            "cpu_share_min",
            "the least share of its time that a worker had a processor; waiting counts as without",
            |row| row.on_real(|measured| least_cpu_share(measured).map(exact)),
        ),
        column("involuntary_switches", "times that workers' processors were taken away, added up", |row| {
            row.on_real(|measured| sum(measured, |watch| watch.involuntary_switches))
        }),
        column("cycles", "cycles of the processors that workers used, added up, where the system counts them", |row| {
            row.on_real(|measured| sum(measured, |watch| watch.cycles))
        }),
        column("filled", "whether processors that were not measured were kept busy", |row| {
            row.around(|around| Some(around.filled.to_string()))
        }),
        column("pinned", "whether all workers were pinned", |row| {
            row.on_real(|measured| all(measured, |worker| Some(worker.pinned)))
        }),
        column("moved", "whether any worker ended on another CPU than it began on", |row| {
            row.on_real(|measured| any(measured, |worker| worker.watch?.has_moved))
        }),
        column("large_pages_bytes", "bytes of the table on large pages, where the system tells", |row| {
            row.on_real(|measured| measured.table_on_large_pages_bytes.map(|bytes| bytes.to_string()))
        }),
        column(
            "started",
            "when it began, in UTC",
            |row| {
                if row.is_real() { utc(row.record.started) } else { String::new() }
            },
        ),
        column("host_s", "seconds of the computer that it took, with all that surrounds the search", |row| {
            exact_or_empty(row.is_real().then_some(row.record.host_s))
        }),
        column("session", "the session in which it was made; environment.json describes it", |row| {
            if row.is_real() { row.record.session.clone() } else { String::new() }
        }),
    ]
}

impl RunRow<'_> {
    /// What was watched around a search on a real machine.
    fn around(&self, figure: impl Fn(&Surroundings) -> Option<String>) -> String {
        let around = self.record.surroundings.as_ref().filter(|_| self.is_real());
        around.and_then(figure).unwrap_or_default()
    }

    /// A figure of a search on a real machine.
    fn on_real(&self, figure: impl Fn(&Measured) -> Option<String>) -> String {
        let measured = self.record.measured().filter(|_| self.is_real());
        measured.and_then(figure).unwrap_or_default()
    }
}

fn least_cpu_share(measured: &Measured) -> Option<f64> {
    let share = |worker: &WorkerRecord| {
        let watch = worker.watch?;
        (watch.wall_ns > 0).then_some(watch.cpu_ns? as f64 / watch.wall_ns as f64)
    };
    measured.workers.iter().filter_map(share).min_by(f64::total_cmp)
}

/// The sum over workers, if all of them tell.
fn sum(measured: &Measured, count: fn(&WorkerWatch) -> Option<u64>) -> Option<String> {
    let counts: Vec<u64> = measured.workers.iter().map(|worker| count(&worker.watch?)).collect::<Option<_>>()?;
    (!counts.is_empty()).then(|| counts.iter().sum::<u64>().to_string())
}

fn all(measured: &Measured, answer: fn(&WorkerRecord) -> Option<bool>) -> Option<String> {
    let answers: Vec<bool> = measured.workers.iter().map(answer).collect::<Option<_>>()?;
    (!answers.is_empty()).then(|| answers.iter().all(|&yes| yes).to_string())
}

/// Whether it holds for any worker: a single yes is enough, a no needs them all.
fn any(measured: &Measured, answer: fn(&WorkerRecord) -> Option<bool>) -> Option<String> {
    let answers: Vec<Option<bool>> = measured.workers.iter().map(answer).collect();
    match answers {
        _ if answers.contains(&Some(true)) => Some(true.to_string()),
        _ if answers.is_empty() || answers.contains(&None) => None,
        _ => Some(false.to_string()),
    }
}
