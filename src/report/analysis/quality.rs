//! Trust in the records: what is missing, what failed and why, and what disturbed measurements.

use crate::distinct::{by_frequency, distinct};
use crate::record::{Description, MachineKind, Record};

use super::Quality;
use super::grouping::{Attempts, Gathering};

/// Replacement of a number in a reason, so that reasons of one kind are counted together.
const ANY_NUMBER: &str = "…";

/// Reasons to trust the records of an experiment or not.
pub(super) fn quality(
    description: &Description,
    cells: &[Attempts<'_>],
    gathering: &Gathering<'_>,
    labels: &[String],
) -> Quality {
    let counting: Vec<&Record> = cells.iter().filter_map(|attempts| Some(attempts.run()?.record)).collect();
    let is_real = |record: &Record| record.cell.configuration.machine == MachineKind::Real;
    let real: Vec<&Record> = counting.iter().copied().filter(|record| is_real(record)).collect();
    let groups = gathering.groups.iter().zip(labels);
    let mut failed: Vec<(&Record, &str)> =
        groups.flat_map(|(group, label)| group.failed.iter().map(|&record| (record, label.as_str()))).collect();
    failed.sort_by_key(|(record, _)| record.index);
    Quality {
        cells: description.own_cells,
        // Cells that were added for narrower intervals were not planned.
        missing: description
            .own_cells
            .saturating_sub(cells.iter().filter(|cell| cell.is_planned(description)).count() as u64),
        failed: failed
            .into_iter()
            .map(|(record, label)| (in_words(record, label), record.failure().unwrap_or_default().to_owned()))
            .collect(),
        real: real.len(),
        disturbed: real.iter().filter(|record| !record.is_quiet()).count(),
        reasons: reasons(&real),
        virtual_records: counting.len() - real.len(),
    }
}

/// Cell in words: `ybwc on 4, BK09, seed 2, repetition 0`.
fn in_words(record: &Record, label: &str) -> String {
    let cell = &record.cell;
    let threads = cell.configuration.threads;
    format!("{label} on {threads}, {}, seed {}, repetition {}", cell.position, cell.seed, cell.repetition)
}

/// Numbers of records in which each kind of reason was given, the most frequent first.
fn reasons(records: &[&Record]) -> Vec<(String, usize)> {
    let surroundings = records.iter().filter_map(|record| record.surroundings.as_ref());
    by_frequency(
        surroundings.flat_map(|around| distinct(around.disturbed.iter().map(|reason| without_numbers(reason)))),
    )
}

/// Reason with its numbers replaced: `worker 3 lost 1.5 %` becomes `worker … lost … %`.
fn without_numbers(reason: &str) -> String {
    let is_number = |word: &str| word.parse::<f64>().is_ok();
    let words = reason.split(' ').map(|word| if is_number(word) { ANY_NUMBER } else { word });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_reasons_have_no_numbers() {
        let cases = [
            (
                "worker 13 was without a processor for 2.0 % of its time",
                "worker … was without a processor for … % of its time",
            ),
            ("the clock changed from 3000 to 2400 MHz", "the clock changed from … to … MHz"),
            ("the system went to sleep", "the system went to sleep"),
        ];
        for (reason, kind) in cases {
            assert_eq!(without_numbers(reason), kind);
        }
    }
}
