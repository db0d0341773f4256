//! Parallel efficiency as the POP centre of excellence parts it (Rosas, Gimenez and Labarta, "Scalability Prediction
//! for Fundamental Performance Factors", Supercomputing Frontiers and Innovations 1(2), 2014): load balance,
//! serialisation and transfer, whose product is the share of all processors' time that is spent searching.

use crate::record::Busiest;
use crate::statistics::Interval;

use super::grouping::{Gathered, Run};
use super::scope::Holds;

/// Parts of the parallel efficiency of a group: geometric means.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pop {
    /// Mean time that processors search, as a share of the longest.
    pub load_balance: Interval,
    /// Longest time that a processor is at work, as a share of the whole.
    pub serialisation: Interval,
    /// Longest time that a processor searches, as a share of the longest that one is at work.
    pub transfer: Interval,
}

/// Parts of a group with several processors; nothing if its records do not tell them.
pub(super) fn pop(group: &Gathered<'_>, holds: Holds) -> Option<Pop> {
    if group.configuration.threads < 2 || group.configuration.is_outside() {
        return None;
    }
    let mean = |part: fn([f64; 4]) -> f64| {
        Some(holds.ratio(&group.mean_of_all(|run| times(run).map(|times| part(times).ln()))?))
    };
    Some(Pop {
        load_balance: mean(|[mean, longest_search, ..]| mean / longest_search)?,
        serialisation: mean(|[.., longest_work, whole]| longest_work / whole)?,
        transfer: mean(|[_, longest_search, longest_work, _]| longest_search / longest_work)?,
    })
}

/// Times of a run, in nanoseconds: the mean and the longest that a processor searches, the longest that one is at work,
/// and the whole.
fn times(run: Run<'_>) -> Option<[f64; 4]> {
    let (Busiest { mean_search, longest_search, longest_work }, whole) =
        (run.measured.busiest()?, run.measured.end_ns() as f64);
    (mean_search > 0.0 && whole > 0.0).then_some([mean_search, longest_search, longest_work, whole])
}

#[cfg(test)]
mod tests {
    use super::super::Analysis;
    use super::super::samples::{measured, one_against_four};
    use crate::record::{Activities, WorkerRecord};

    /// Four processors search 4, 2, 1 and 1 s of 8, the first of which splits 2 s more and waits for a lock 1 s:
    /// balance 2 / 4, transfer 4 / 7, serialisation 7 / 8, in all a quarter.
    #[test]
    fn parts_worked_by_hand() {
        let (description, mut records) = one_against_four();
        for record in records.iter_mut().filter(|record| record.cell.configuration.threads == 4) {
            let worker = |(place, seconds): (usize, u64)| {
                let more = if place == 0 { 1_000_000_000 } else { 0 };
                let activities = Activities {
                    search_ns: seconds * 1_000_000_000,
                    split_ns: 2 * more,
                    lock_ns: more,
                    ..Activities::default()
                };
                WorkerRecord { activities, ..WorkerRecord::default() }
            };
            let measured = measured(record);
            measured.time_ns = 8_000_000_000;
            measured.workers = [4, 2, 1, 1].into_iter().enumerate().map(worker).collect();
        }
        let analysis = Analysis::of(description.clone(), &records);
        let pop = analysis.groups[1].pop.unwrap();
        // A report of many records keeps no more of their workers than these parts need.
        records.iter_mut().for_each(|record| measured(record).forget_workers());
        assert_eq!(Analysis::of(description, &records).groups[1].pop, Some(pop));
        let found = [pop.load_balance, pop.transfer, pop.serialisation].map(|part| part.estimate);
        for (found, expected) in found.into_iter().zip([2.0 / 4.0, 4.0 / 7.0, 7.0 / 8.0]) {
            assert!((found - expected).abs() < 1e-9, "{pop:?}");
        }
        assert_eq!(analysis.groups[0].pop, None);
    }
}
