//! Trust in the records: what is missing, what failed and why, and what disturbed measurements: arm by arm, since a
//! disturbance that falls on the parallel runs alone is hidden by a number for all.

use crate::distinct::{by_frequency, distinct};
use crate::record::{Description, MachineKind, Quietness, Record};
use crate::statistics::{Interval, Residuals, Scope, Test, mean};

use super::Group;
use super::grouping::{Attempts, Gathered, Gathering, Run};
use super::logs::{log_nps, log_time};
use super::ratios::Pair;
use super::scope::Holds;

/// Replacement of a number in a reason, so that reasons of one kind are counted together.
const ANY_NUMBER: &str = "…";

/// Reasons to trust the records or not.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Quality {
    /// Number of cells of the plan.
    pub cells: u64,
    /// Number of cells without a record.
    pub missing: u64,
    /// Cells that failed, with the reasons.
    pub failed: Vec<(String, String)>,
    /// Number of records on real machines that count.
    pub real: usize,
    /// Number of records on real machines that count and were disturbed.
    pub disturbed: usize,
    /// Reasons for disturbance, with the numbers of attempts.
    pub reasons: Vec<(String, usize)>,
    /// Number of records on virtual machines that count.
    pub virtual_records: usize,
    /// Searches that the limit cut off, with the depths that they reached.
    pub cut: Vec<(String, String)>,
    /// Positions that were left out wherever configurations were compared that do not all have them.
    pub left_out: Vec<String>,
    /// Shape of the residuals of times, where runs were repeated.
    pub residuals: Option<Residuals>,
    /// Quality of the records of each configuration on real machines.
    pub arms: Vec<Arm>,
}

/// Quality of the records of one configuration on a real machine: one of those that are compared, or a baseline.
#[derive(Clone, Debug, PartialEq)]
pub struct Arm {
    /// Place of the group in [`Analysis::groups`](super::Analysis::groups).
    pub group: usize,
    /// Number of records that count.
    pub records: usize,
    /// Number of them that were disturbed.
    pub disturbed: usize,
    /// Number of them of which it is not known.
    pub unknown: usize,
    /// Number of further attempts that were thrown away.
    pub thrown_away: usize,
    /// Number of all attempts that were disturbed.
    pub disturbed_attempts: usize,
    /// Shares of the processor time wanted that were taken away from the records that count, where they are known.
    pub taken: Option<Taken>,
    /// Such shares of all attempts, with those that were thrown away.
    pub taken_from_all: Option<Taken>,
    /// Mean number of further processors that other programs kept busy.
    pub neighbours: Option<f64>,
    /// Time speedup of all records; not a number for a baseline.
    pub speedup: Interval,
    /// Time speedup of the quiet records alone, group and baseline.
    pub quiet_speedup: Interval,
    /// Time of searches that were not quiet relative to quiet ones at the same positions.
    pub time_ratio: Interval,
    /// Test of that ratio's difference from 1.
    pub test: Option<Test>,
}

/// Shares of processor time that were taken away.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Taken {
    /// Number of records that tell.
    pub records: usize,
    /// Mean over those records.
    pub mean: f64,
    /// Largest of them.
    pub worst: f64,
}

/// Reasons to trust the records of an experiment or not.
pub(super) fn quality(
    description: &Description,
    cells: &[Attempts<'_>],
    gathering: &Gathering<'_>,
    groups: &[Group],
    holds: Holds,
) -> Quality {
    let counting: Vec<&Record> = cells.iter().filter_map(|attempts| Some(attempts.run()?.record)).collect();
    let real: Vec<&Record> = counting.iter().copied().filter(|record| record.is_real()).collect();
    let attempts: Vec<&Record> = all_attempts(cells).filter(|record| record.is_real()).collect();
    let labelled = || gathering.groups.iter().zip(groups.iter().map(|group| group.label.as_str()));
    let failed = labelled().flat_map(|(group, label)| group.failed.iter().map(move |record| (*record, label)));
    let micro = cells.iter().filter_map(|cell| cell.records.last().copied());
    let micro = micro.filter_map(|record| Some((record, record.cell.configuration.micro.as_deref()?)));
    let failed = failed.chain(micro.filter(|(record, _)| record.failure().is_some())).collect();
    let cut = labelled().flat_map(|(group, label)| group.cut.iter().flatten().map(move |record| (*record, label)));
    Quality {
        cells: description.own_cells,
        // Cells that were added for narrower intervals were not planned.
        missing: missing(description, cells),
        failed: listed(failed, |record| record.failure().map(str::to_owned)),
        real: real.len(),
        disturbed: real.iter().filter(|record| record.is_disturbed()).count(),
        reasons: reasons(&attempts),
        virtual_records: counting.len() - real.len(),
        cut: listed(cut.collect(), Record::cut_in_words),
        left_out: Vec::new(),
        residuals: residuals(gathering),
        arms: arms(cells, gathering, groups, holds),
    }
}

/// Residuals of the logarithms of times, of rates where there is no common depth.
fn residuals(gathering: &Gathering<'_>) -> Option<Residuals> {
    let logs = |group: &Gathered<'_>| -> Vec<Vec<f64>> {
        let figure = if group.has_common_depth() { log_time } else { log_nps };
        group.runs.iter().map(|runs| runs.iter().filter_map(|&run| figure(run)).collect()).collect()
    };
    let all: Vec<Vec<Vec<f64>>> = gathering.groups.iter().map(logs).collect();
    Residuals::of(all.iter().map(Vec::as_slice))
}

/// Number of cells of the plan without a record.
pub(crate) fn missing(description: &Description, cells: &[Attempts<'_>]) -> u64 {
    let planned = cells.iter().filter(|cell| cell.is_planned(description)).count() as u64;
    description.own_cells.saturating_sub(planned)
}

/// Cells in the order of the plan, each with a reason.
fn listed(mut cells: Vec<(&Record, &str)>, reason: fn(&Record) -> Option<String>) -> Vec<(String, String)> {
    cells.sort_by_key(|(record, _)| record.index);
    cells.into_iter().map(|(record, label)| (in_words(record, label), reason(record).unwrap_or_default())).collect()
}

/// All attempts that brought a measurement, those that do not count among them.
fn all_attempts<'a>(cells: &'a [Attempts<'a>]) -> impl Iterator<Item = &'a Record> {
    cells.iter().flat_map(|attempts| attempts.records.iter().copied()).filter(|record| record.measured().is_some())
}

/// Figure of which nothing is known.
const UNKNOWN: Interval = Interval::unknown(f64::NAN);

/// Quality of every configuration on a real machine.
fn arms(cells: &[Attempts<'_>], gathering: &Gathering<'_>, groups: &[Group], holds: Holds) -> Vec<Arm> {
    let is_real = |group: &Gathered<'_>| group.configuration.machine == MachineKind::Real && group.all().count() > 0;
    let real = (0..groups.len()).filter(|&place| is_real(&gathering.groups[place]));
    real.map(|place| arm(place, cells, gathering, groups, holds)).collect()
}

fn arm(place: usize, cells: &[Attempts<'_>], gathering: &Gathering<'_>, groups: &[Group], holds: Holds) -> Arm {
    let group = &gathering.groups[place];
    let attempts: Vec<&Record> =
        all_attempts(cells).filter(|record| *record.cell.configuration == *group.configuration).collect();
    let counting: Vec<&Record> = group.all().map(|run| run.record).collect();
    let count = |records: &[&Record], state| records.iter().filter(|record| record.quietness() == state).count();
    let has_depth = group.has_common_depth();
    let neighbours = counting.iter().filter_map(|record| record.surroundings.as_ref()?.others_cpus);
    // Without a common depth, the time that a node took.
    let figure = |run: Run<'_>| if has_depth { log_time(run) } else { log_nps(run).map(|log| -log) };
    let change = group.filtered(|_, run| !run.record.is_quiet()).less(&group.quiet(), figure);
    Arm {
        group: place,
        records: counting.len(),
        disturbed: count(&counting, Quietness::Disturbed),
        unknown: count(&counting, Quietness::Unknown),
        thrown_away: attempts.len() - counting.len(),
        disturbed_attempts: count(&attempts, Quietness::Disturbed),
        taken: taken(&counting),
        taken_from_all: taken(&attempts),
        neighbours: mean(&neighbours.collect::<Vec<_>>()),
        speedup: groups[place].against_baseline.as_ref().map_or(UNKNOWN, |against| against.time_speedup),
        quiet_speedup: quiet_speedup(group, gathering, holds).unwrap_or(UNKNOWN),
        time_ratio: change.as_ref().map_or(UNKNOWN, |change| change.estimated(Scope::ThesePositions).exp()),
        test: change.and_then(|change| change.p_value(Scope::ThesePositions)).map(Test::of),
    }
}

/// Time speedup of the quiet records of a group and its baseline.
fn quiet_speedup(group: &Gathered<'_>, gathering: &Gathering<'_>, holds: Holds) -> Option<Interval> {
    let baseline = gathering.baseline(group)?.quiet();
    Some(Pair::of(&group.quiet(), &baseline)?.against_baseline(holds).time_speedup)
}

fn taken(records: &[&Record]) -> Option<Taken> {
    let shares: Vec<f64> = records.iter().filter_map(|record| record.taken_share()).collect();
    let worst = shares.iter().copied().reduce(f64::max)?;
    Some(Taken { records: shares.len(), mean: mean(&shares)?, worst })
}

/// Cell in words: `ybwc on 4, BK09, seed 2, repetition 0`.
fn in_words(record: &Record, label: &str) -> String {
    let cell = &record.cell;
    let (threads, machine) = (cell.configuration.threads, cell.configuration.machine.name());
    format!("{label} on {threads} {machine}, {}, seed {}, repetition {}", cell.position, cell.seed, cell.repetition)
}

/// Numbers of records in which each kind of reason was given, the most frequent first.
fn reasons(records: &[&Record]) -> Vec<(String, usize)> {
    let surroundings = records.iter().filter_map(|record| record.surroundings.as_ref());
    by_frequency(
        surroundings.flat_map(|around| distinct(around.disturbed.iter().map(|reason| without_numbers(reason)))),
    )
}

/// Reason with its numbers replaced: `the clock changed from 3000 to 2400 MHz` becomes
/// `the clock changed from … to … MHz`.
fn without_numbers(reason: &str) -> String {
    let is_number = |word: &str| word.parse::<f64>().is_ok();
    let words = reason.split(' ').map(|word| if is_number(word) { ANY_NUMBER } else { word });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::OVERSUBSCRIBED;

    #[test]
    fn kinds_of_reasons_have_no_numbers() {
        let cases = [
            ("other programs kept 1.2 further processors busy", "other programs kept … further processors busy"),
            ("the clock changed from 3000 to 2400 MHz", "the clock changed from … to … MHz"),
            (OVERSUBSCRIBED, OVERSUBSCRIBED),
        ];
        for (reason, kind) in cases {
            assert_eq!(without_numbers(reason), kind);
        }
    }
}
