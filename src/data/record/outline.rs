//! Outlines of records: what a run remembers of each, so that a run of a million searches fits into memory. The records
//! themselves are in the journal.

use std::collections::{BTreeMap, HashMap};

use super::cell::{Cell, Configuration, Depth};
use super::result::Record;
use super::shared::{Shared, Word};
use super::states::State;

/// Outlines of all records of a run, in the order in which they were made.
#[derive(Clone, Debug, Default)]
pub struct Outlines {
    configurations: Vec<Shared<Configuration>>,
    configuration_places: HashMap<Shared<Configuration>, u32>,
    positions: Vec<Word>,
    position_places: HashMap<Word, u32>,
    all: Vec<Outline>,
}

/// Outline of a record.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outline {
    /// Place of the cell in the plan.
    pub index: u64,
    /// Seed of the search.
    pub seed: u64,
    /// Logarithm of the seconds that the search took; not a number if it has none.
    pub log_time: f64,
    /// Number of the configuration.
    pub configuration: u32,
    /// Number of the position.
    pub position: u32,
    /// Number of the run among those that differ in nothing else.
    pub repetition: u32,
    /// Number of earlier attempts.
    pub attempt: u32,
    /// Outcome of the attempt.
    pub state: State,
}

/// Logarithms of times of the runs that count, by configuration and by the number of the position.
pub type LogTimes<'a> = Vec<(&'a Configuration, Vec<Vec<f64>>)>;

impl Outlines {
    /// Outlines of these records.
    pub fn of<'a>(records: impl IntoIterator<Item = &'a Record>) -> Self {
        let mut outlines = Self::default();
        records.into_iter().for_each(|record| outlines.add(record));
        outlines
    }

    /// Adds the outline of a record.
    pub fn add(&mut self, record: &Record) {
        let Cell { configuration, position, seed, repetition, .. } = &record.cell;
        let usable = record.measured().filter(|measured| measured.time_ns > 0 && measured.nodes > 0);
        self.all.push(Outline {
            index: record.index,
            seed: *seed,
            log_time: usable.map_or(f64::NAN, |measured| (measured.time_ns as f64 * 1e-9).ln()),
            configuration: number(&mut self.configurations, &mut self.configuration_places, configuration),
            position: number(&mut self.positions, &mut self.position_places, position),
            repetition: *repetition,
            attempt: record.attempt,
            state: record.state(),
        });
    }

    /// All outlines, in the order of the records.
    pub fn all(&self) -> &[Outline] {
        &self.all
    }

    /// Logarithms of times of the runs that count. Of several attempts at a cell one does: the last undisturbed one,
    /// else the last with a measurement. A search without a common depth has no time that could be compared.
    pub fn log_times(&self) -> LogTimes<'_> {
        let mut counting: BTreeMap<u64, Outline> = BTreeMap::new();
        for outline in self.all.iter().filter(|outline| outline.state > State::Cut) {
            let known = counting.entry(outline.index).or_insert(*outline);
            if outline.state >= known.state {
                *known = *outline;
            }
        }
        let none = vec![Vec::new(); self.positions.len()];
        let mut times: LogTimes<'_> =
            self.configurations.iter().map(|configuration| (&**configuration, none.clone())).collect();
        for outline in counting.values().filter(|outline| outline.log_time.is_finite()) {
            times[outline.configuration as usize].1[outline.position as usize].push(outline.log_time);
        }
        times.retain(|(configuration, _)| configuration.depth != Depth::Unlimited);
        times
    }
}

/// Number of a thing, which it gets when it first comes.
fn number<T: Clone + Eq + std::hash::Hash>(things: &mut Vec<T>, places: &mut HashMap<T, u32>, thing: &T) -> u32 {
    if let Some(place) = places.get(thing) {
        return *place;
    }
    let place = things.len() as u32;
    things.push(thing.clone());
    places.insert(thing.clone(), place);
    place
}

#[cfg(test)]
mod tests {
    use super::super::cell::MachineKind;
    use super::super::result::{CellResult, Measured, Quietness, Surroundings};
    use super::*;

    fn record(index: u64, attempt: u32, time_ns: Option<u64>, is_disturbed: bool) -> Record {
        let configuration = Configuration::sample(MachineKind::Real, "ybwc", 2);
        let measured = |time_ns| Measured { time_ns, nodes: 1, ..Measured::default() };
        let (disturbed, state) = match is_disturbed {
            true => (vec!["a lorry".to_owned()], Quietness::Disturbed),
            false => (Vec::new(), Quietness::Quiet),
        };
        Record {
            index,
            cell: Cell {
                configuration: configuration.into(),
                position: format!("P{}", index % 2).into(),
                ..Cell::default()
            },
            attempt,
            result: time_ns.map_or(CellResult::Failed("no".into()), |ns| CellResult::Done(measured(ns))),
            surroundings: Some(Surroundings { state, disturbed, ..Surroundings::default() }),
            started: 0.0,
            host_s: 0.0,
            session: Word::default(),
        }
    }

    /// The choice of the attempt that counts is that of the report.
    #[test]
    fn what_counts_in_outlines_counts_in_reports() {
        let records = [
            record(0, 0, Some(5), true),
            record(2, 0, Some(7), false),
            record(1, 0, None, false),
            record(0, 1, Some(6), false),
            record(2, 1, Some(8), true),
            record(4, 0, Some(9), true),
            record(4, 1, Some(10), true),
            record(6, 0, Some(0), false),
        ];
        let counting = super::super::attempts(&records);
        let times = counting.iter().filter_map(|attempts| attempts.run()).map(|run| run.measured.time_ns);
        let times: Vec<u64> = times.filter(|time| *time > 0).collect();
        assert_eq!(times, [6, 7, 10]);
        let outlines = Outlines::of(&records);
        let logs: Vec<f64> = times.iter().map(|time| (*time as f64 * 1e-9).ln()).collect();
        assert_eq!(outlines.log_times(), [(&*records[0].cell.configuration, vec![logs, vec![]])]);
        assert_eq!(outlines.all().len(), 8);
    }
}
