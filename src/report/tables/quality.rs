//! Columns of `quality.csv`: a row a configuration on a real machine, baselines apart, with what was taken from its
//! searches and whether that mattered.

use crate::report::analysis::{Analysis, Arm, Group};
use crate::table::{Cell, Columns, columns};

/// Columns of `quality.csv`.
pub(super) fn quality(analysis: &Analysis) -> Columns<'_, &Arm> {
    let group = |row: &&Arm| -> &Group { &analysis.groups[row.group] };
    columns! { &Arm, row;
        "group": "the place of the configuration in summary.csv" => row.group;
        "label" as "Configuration": "what distinguishes the configuration in this experiment" =>
            group(row).label.clone();
        "threads" as "CPUs": "the number of processors" => group(row).configuration.threads;
        "records" as "Records": "searches that count" => row.records;
        "disturbed" as "Disturbed": "searches that count and were disturbed" => row.disturbed;
        "unknown" as "Unknown": "searches that count and of which this is not known" => row.unknown;
        "thrown_away" as "Thrown away": "further attempts that do not count, since they were disturbed" =>
            row.thrown_away;
        "disturbed_attempts": "disturbed attempts, including those thrown away" =>
            row.disturbed_attempts;
        "taken_mean" as "Taken, %":
            "mean share of the processor time wanted that was taken away, of searches that count" =>
            Cell::share(row.taken.map(|taken| taken.mean));
        "taken_worst" as "Worst, %": "largest of those shares" => Cell::share(row.taken.map(|taken| taken.worst));
        "taken_known": "searches that count whose share is known" => row.taken.map_or(0, |taken| taken.records);
        "taken_mean_attempts" as "Of all attempts, %": "the mean over all attempts" =>
            Cell::share(row.taken_from_all.map(|taken| taken.mean));
        "taken_worst_attempts": "the largest over all attempts" =>
            Cell::share(row.taken_from_all.map(|taken| taken.worst));
        "neighbours" as "Beside": "mean number of further processors that other programs kept busy" => row.neighbours;
        "time_speedup" as "Time speedup" [with_ends]: "time speedup from all records" => row.speedup;
        "quiet_time_speedup" as "From quiet records" [with_ends]: "time speedup from quiet records alone" =>
            row.quiet_speedup;
        "time_ratio" as "Not quiet / quiet" [with_ends]:
            "time of searches that were not quiet relative to quiet ones at the same positions" => row.time_ratio;
        "p" as "p": "probability that chance alone gives so large a difference, not adjusted" =>
            Cell::probability(row.p);
    }
}
