//! What the records of a run say while it goes on, for a display: configuration by configuration how many runs there
//! are, how long they take and how much faster than the baseline they are. Not a result: the report computes those.

use std::collections::HashMap;

use crate::record::{Configuration, Record, Shared, Word};
use crate::statistics::{Contrast, Interval, LEVEL, Scope, mean};

/// Positions on which a speedup must rest to be told of by itself.
const FEWEST_POSITIONS: usize = 4;

/// Results of a run so far.
#[derive(Default)]
pub struct SoFar {
    rows: Vec<Row>,
    /// Places of configurations among the rows.
    places: HashMap<Shared<Configuration>, usize>,
    /// Number of records.
    records: usize,
}

/// Results of a configuration so far.
#[derive(Default)]
pub struct Row {
    /// The configuration.
    pub configuration: Shared<Configuration>,
    /// Number of measured runs.
    pub runs: usize,
    /// Number of failed runs.
    pub failed: usize,
    /// Number of measured runs that were disturbed.
    pub disturbed: usize,
    /// Logarithms of times, by position.
    logs: HashMap<Word, Vec<f64>>,
    /// Number of records of the run when this row got its last.
    newest: usize,
}

impl SoFar {
    /// Takes in a record.
    pub fn add(&mut self, record: &Record) {
        let configuration = &record.cell.configuration;
        self.records += 1;
        let at = self.places.get(configuration).copied().unwrap_or_else(|| {
            self.rows.push(Row { configuration: configuration.clone(), ..Row::default() });
            self.places.insert(configuration.clone(), self.rows.len() - 1);
            self.rows.len() - 1
        });
        let row = &mut self.rows[at];
        row.newest = self.records;
        match record.measured() {
            Some(measured) => {
                row.runs += 1;
                row.disturbed += usize::from(record.is_disturbed());
                let logs = row.logs.entry(record.cell.position.clone()).or_default();
                logs.push((measured.time_ns.max(1) as f64).ln());
            }
            None => row.failed += usize::from(record.failure().is_some()),
        }
    }

    /// Number of disturbed runs.
    pub fn disturbed(&self) -> usize {
        self.rows.iter().map(|row| row.disturbed).sum()
    }

    /// Configuration with the largest speedup that has an interval and rests on enough positions, and that speedup.
    pub fn leader(&self) -> Option<(&Configuration, Interval)> {
        let known = self.rows.iter().filter(|row| self.positions(row) >= FEWEST_POSITIONS);
        let known = known.filter_map(|row| Some((&*row.configuration, self.speedup(row)?)));
        known.filter(|(_, speedup)| speedup.is_known()).max_by(|one, other| one.1.estimate.total_cmp(&other.1.estimate))
    }

    /// Number of positions at which both a configuration and its baseline have been measured.
    fn positions(&self, row: &Row) -> usize {
        let baseline = self.places.get(&row.configuration.baseline()).map(|place| &self.rows[*place]);
        baseline.map_or(0, |baseline| row.logs.keys().filter(|id| baseline.logs.contains_key(*id)).count())
    }

    /// At most this number of rows, those with the newest records, in the order of configurations.
    pub fn newest(&self, most: usize) -> Vec<&Row> {
        let mut rows: Vec<&Row> = self.rows.iter().collect();
        rows.sort_by_key(|row| std::cmp::Reverse(row.newest));
        rows.truncate(most);
        rows.sort_by_key(|row| &row.configuration);
        rows
    }

    /// Time speedup against the baseline, at the positions that both have; none of searches that a time or a number of
    /// nodes ends.
    pub fn speedup(&self, row: &Row) -> Option<Interval> {
        if row.configuration.is_baseline() || row.configuration.is_limited() {
            return None;
        }
        let baseline = &self.rows[*self.places.get(&row.configuration.baseline())?];
        let both = || row.logs.iter().filter_map(|(id, logs)| Some((baseline.logs.get(id)?.clone(), logs.clone())));
        let (upper, lower): (Vec<_>, Vec<_>) = both().unzip();
        let contrast = Contrast::unpaired(&upper, &lower)?;
        let interval = contrast.interval(Scope::ThesePositions, LEVEL);
        Some(interval.unwrap_or(Interval::unknown(contrast.estimate())).map(f64::exp))
    }
}

impl Row {
    /// Geometric mean of the times at the positions, in seconds.
    pub fn mean_time_s(&self) -> Option<f64> {
        let of_positions: Vec<f64> = self.logs.values().filter_map(|logs| mean(logs)).collect();
        Some(mean(&of_positions)?.exp() / 1e9)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Cell, MachineKind, Measured, Quietness, Surroundings};

    fn real(strategy: &str, threads: u32) -> Configuration {
        let configuration = Configuration::sample(MachineKind::Real, strategy, threads);
        if threads == 1 { configuration.baseline() } else { configuration }
    }

    /// Record of a search of BK03 that took these seconds.
    fn record(configuration: &Configuration, seconds: u64, state: Quietness) -> Record {
        let measured = Measured { time_ns: seconds * 1_000_000_000, ..Measured::default() };
        Record {
            surroundings: Some(Surroundings { state, ..Surroundings::default() }),
            ..Record::sample(0, Cell::sample(configuration.clone(), "BK03", 0), measured)
        }
    }

    #[test]
    fn a_row_is_what_its_records_say() {
        let mut known = SoFar::default();
        for (configuration, seconds, state) in [
            (real("sequential", 1), 8, Quietness::Quiet),
            (real("lazy", 2), 4, Quietness::Disturbed),
            (real("lazy", 2), 1, Quietness::Quiet),
        ] {
            known.add(&record(&configuration, seconds, state));
        }
        let rows = known.newest(1);
        assert_eq!((rows[0].runs, rows[0].disturbed, rows[0].failed), (2, 1, 0));
        assert!((rows[0].mean_time_s().unwrap() - 2.0).abs() < 1e-9, "geometric mean of 4 and 1");
        let speedup = known.speedup(rows[0]).unwrap();
        assert!((speedup.estimate - 4.0).abs() < 1e-9, "{speedup:?}");
        assert_eq!(known.leader(), None, "one position is not enough");
        assert_eq!(known.newest(2).len(), 2);
    }

    /// The last record is of the slower of two.
    #[test]
    fn the_leader_is_the_fastest_and_not_the_newest() {
        let mut known = SoFar::default();
        for position in ["BK01", "BK02", "BK03", "BK04"] {
            for (configuration, seconds) in [
                (real("sequential", 1), [8, 9]),
                (real("lazy", 8), [2, 3]),
                (real("ybwc", 8), [4, 5]),
                (real("lazy", 2), [5, 6]),
            ] {
                assert_eq!(known.leader(), None);
                for seconds in seconds {
                    let mut record = record(&configuration, seconds, Quietness::Quiet);
                    record.cell.position = position.into();
                    known.add(&record);
                }
                if position == "BK04" && configuration.threads == 8 {
                    break;
                }
            }
        }
        let (of, speedup) = known.leader().unwrap();
        assert!(*of == real("lazy", 8) && speedup.is_known(), "{of:?} {speedup:?}");
        let of = of.clone();
        known.add(&record(&real("ybwc", 8), 4, Quietness::Quiet));
        assert_eq!(*known.leader().unwrap().0, of);
    }

    #[test]
    fn searches_that_end_after_a_time_have_no_speedup() {
        let mut known = SoFar::default();
        let limited = |strategy, threads| Configuration { time_s: Some(1.0.into()), ..real(strategy, threads) };
        for configuration in [limited("sequential", 1), limited("lazy", 2)] {
            known.add(&record(&configuration, 1, Quietness::Quiet));
        }
        let row = known.newest(2).into_iter().find(|row| row.configuration.threads == 2).unwrap();
        assert_eq!(known.speedup(row), None);
    }
}
