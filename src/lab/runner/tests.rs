//! The runner with a searcher that searches nothing: it notes what it is asked for, and misbehaves on demand.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use std::time::Duration;

use super::super::measurement::Finding;
use super::super::{Conditions, Experiment, Plan};
use super::*;
use crate::record::Configuration;
use crate::record::journal;
use crate::record::{Quietness, Surroundings};

/// Two positions, real and virtual, each with two baselines and two runs by two processors: 16 cells.
pub(crate) const BOTH_MACHINES: &str = "baseline = 2\nrepetitions = 2\npositions.ids = [\"BK03\", \"BK09\"]\n\
                             axes = { machine = [\"real\", \"virtual\"], threads = 2, depth = 3 }\n";
pub(crate) const CELLS: usize = 16;
/// Time that a search seems to take, so that two at once would be seen.
const SEARCH: Duration = Duration::from_millis(2);

/// Searches that take no work.
#[derive(Default)]
pub(crate) struct Fake {
    /// The cells asked for, in order.
    asked: Mutex<Vec<Cell>>,
    /// Number of real cells that are being searched, and the largest number at once.
    real: Mutex<(usize, usize)>,
    /// Positions that make it panic.
    panics_at: Option<&'static str>,
    /// Positions whose searches are disturbed, and how many of the first searches are.
    disturbed_at: Option<(&'static str, usize)>,
}

impl Searcher for Fake {
    fn search(&self, cell: &Cell) -> Finding {
        let is_real = cell.configuration.machine == MachineKind::Real;
        if is_real {
            let mut real = self.real.lock().unwrap();
            *real = (real.0 + 1, real.1.max(real.0 + 1));
        }
        std::thread::sleep(SEARCH);
        if is_real {
            self.real.lock().unwrap().0 -= 1;
        }
        let before = {
            let mut asked = self.asked.lock().unwrap();
            asked.push(cell.clone());
            asked.iter().filter(|other| *other == cell).count() - 1
        };
        if self.panics_at == Some(cell.position.as_str()) {
            panic!("a bug at {}", cell.position);
        }
        let is_disturbed = self.disturbed_at.is_some_and(|(at, times)| *cell.position == *at && before < times);
        let disturbed = if is_disturbed { vec!["a lorry passed".to_owned()] } else { Vec::new() };
        let measured = CellResult::Done(crate::record::Measured::default());
        let state = if disturbed.is_empty() { Quietness::Quiet } else { Quietness::Disturbed };
        Ok((measured, is_real.then(|| Surroundings { state, disturbed, ..Surroundings::default() })))
    }
}

impl Fake {
    pub fn that_panics_at(position: &'static str) -> Self {
        Self { panics_at: Some(position), ..Self::default() }
    }

    /// Machine, threads, position and seed of each cell that was asked for, in order.
    pub fn names(&self) -> Vec<String> {
        self.asked.lock().unwrap().iter().map(name).collect()
    }
}

pub(crate) fn name(cell: &Cell) -> String {
    let Configuration { machine, threads, .. } = &*cell.configuration;
    format!("{} x{threads} {} {}", machine.name(), cell.position, cell.seed)
}

/// Keeps what it is told.
#[derive(Default)]
struct Collector {
    records: Mutex<Vec<Record>>,
}

impl Observer for Collector {
    fn recorded(&self, record: &Record, _: f64) {
        self.records.lock().unwrap().push(record.clone());
    }
}

/// A plan, how it is to be run, and a folder for its journal.
struct Trial {
    plan: Plan,
    equals: Equals,
    conduct: Conduct,
    most_repeats: usize,
    folder: PathBuf,
}

impl Trial {
    fn new(name: &str, text: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("splitpoint-runner-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let experiment = Experiment::parse(Path::new("x.toml"), text, &[], &[]).unwrap();
        let conduct = Conduct { warm_up: false, ..experiment.conduct.clone() };
        let plan = Plan::of(&experiment, "").unwrap();
        let equals = Equals::among(&plan.part(None), &Conditions::default());
        Self { plan, equals, conduct, most_repeats: usize::MAX, folder }
    }

    /// Runs what is missing.
    fn run(&self, searcher: &Fake, records: &mut Vec<Record>) {
        let journal = Journal::open(&self.folder, drop).unwrap();
        let collector = Collector::default();
        let runner = Runner {
            cells: &self.plan.part(None),
            equals: &self.equals,
            conduct: &self.conduct,
            most_repeats: self.most_repeats,
            searcher,
            journal: Some(Arc::new(Mutex::new(journal))),
            observer: &collector,
            session: "s",
        };
        runner.run(&mut Ledger::of(records)).unwrap();
        records.extend(collector.records.into_inner().unwrap());
    }

    /// Runs it whole; the records are what the journal holds.
    fn records(&self, searcher: &Fake) -> Vec<Record> {
        let mut records = Vec::new();
        self.run(searcher, &mut records);
        let is_same = journal::read(&self.folder).unwrap().records == records;
        assert!(is_same, "the journal has the records, to the last bit, in the order of time");
        records
    }
}

impl Drop for Trial {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn indices(records: &[Record]) -> Vec<u64> {
    let mut indices: Vec<u64> = records.iter().map(|record| record.index).collect();
    indices.sort_unstable();
    indices
}

#[test]
fn every_cell_is_measured_once_in_whatever_order() {
    let mut orders = BTreeSet::new();
    for (i, shuffle) in [None, Some(1), Some(2)].into_iter().enumerate() {
        let mut trial = Trial::new(&format!("order-{i}"), BOTH_MACHINES);
        (trial.conduct.is_shuffled, trial.conduct.order_seed) = (shuffle.is_some(), shuffle);
        let (first, again) = (Fake::default(), Fake::default());
        let records = trial.records(&first);
        assert_eq!(indices(&records), (0..CELLS as u64).collect::<Vec<_>>());
        assert!(records.iter().all(|record| record.cell == trial.plan.cells[record.index as usize]));
        let real =
            |fake: &Fake| -> Vec<String> { fake.names().into_iter().filter(|name| name.starts_with("real")).collect() };
        std::fs::remove_file(trial.folder.join(journal::JOURNAL)).unwrap();
        trial.records(&again);
        assert_eq!(real(&first), real(&again), "one seed, one order");
        assert!(first.names()[..CELLS / 2].iter().all(|name| name.starts_with("real")), "real cells come first");
        let planned: Vec<String> = trial.plan.cells.iter().map(name).filter(|name| name.starts_with("real")).collect();
        assert_eq!(real(&first) == planned, shuffle.is_none());
        orders.insert(real(&first));
    }
    assert_eq!(orders.len(), 3, "another seed, another order");
}

#[test]
fn a_real_cell_has_the_computer_to_itself() {
    let trial = Trial::new("alone", "repetitions = 4\naxes = { threads = 2, depth = 3 }\npositions.every = 5\n");
    let fake = Fake::default();
    trial.records(&fake);
    assert_eq!(*fake.real.lock().unwrap(), (0, 1));
}

#[test]
fn the_warm_up_is_not_counted() {
    let mut trial = Trial::new("warm-up", BOTH_MACHINES);
    trial.conduct.warm_up = true;
    let fake = Fake::default();
    assert_eq!(trial.records(&fake).len(), CELLS);
    let names = fake.names();
    assert_eq!((names.len(), &names[0]), (CELLS + 1, &names[1]));
}

#[test]
fn a_panic_fails_its_cell_only() {
    let trial = Trial::new("panic", BOTH_MACHINES);
    let fake = Fake::that_panics_at("BK09");
    let mut records = trial.records(&fake);
    assert_eq!(records.len(), CELLS);
    for record in &records {
        let expected = record.cell.position == "BK09";
        let failed = matches!(&record.result, CellResult::Failed(reason) if reason == "it panicked: a bug at BK09");
        assert_eq!(failed, expected, "{:?}", record.result);
    }
    // It would fail again: it is not tried again.
    let again = Fake::default();
    trial.run(&again, &mut records);
    assert_eq!(again.names(), Vec::<String>::new());
}

#[test]
fn just_the_missing_are_measured() {
    let trial = Trial::new("missing", BOTH_MACHINES);
    let whole = trial.records(&Fake::default());
    for kept in [0..0, 0..1, 3..11, 0..CELLS] {
        let fake = Fake::default();
        let mut records = whole[kept.clone()].to_vec();
        let known = indices(&records);
        trial.run(&fake, &mut records);
        assert_eq!(indices(&records), (0..CELLS as u64).collect::<Vec<_>>(), "{kept:?}");
        let is_missing = |(index, _): &(usize, &Cell)| !known.contains(&(*index as u64));
        let mut expected: Vec<String> =
            trial.plan.cells.iter().enumerate().filter(is_missing).map(|(_, cell)| name(cell)).collect();
        let mut asked = fake.names();
        expected.sort();
        asked.sort();
        assert_eq!(asked, expected, "{kept:?}");
    }
}

#[test]
fn a_disturbed_cell_is_repeated_as_often_as_asked() {
    let text = "baseline = \"none\"\npositions.ids = [\"BK03\", \"BK09\"]\naxes = { threads = 2, depth = 3 }\n";
    // How often repeats are asked for, how many searches are disturbed, and the attempts that this takes.
    for (retries, times, expected) in
        [(0, 9, vec![0]), (2, 0, vec![0]), (2, 1, vec![0, 1]), (2, 9, vec![0, 1, 2]), (5, 3, vec![0, 1, 2, 3])]
    {
        let mut trial = Trial::new(&format!("disturbed-{retries}-{times}"), text);
        trial.conduct.retries = retries;
        let disturbed_at = Some(("BK09", times));
        let mut records = trial.records(&Fake { disturbed_at, ..Fake::default() });
        let attempts = |records: &[Record], id: &str| -> Vec<u32> {
            records.iter().filter(|record| record.cell.position == id).map(|record| record.attempt).collect()
        };
        assert_eq!((attempts(&records, "BK03"), attempts(&records, "BK09")), (vec![0], expected.clone()));
        // Interrupted after the first attempt, it goes on with the second.
        records.retain(|record| record.attempt == 0);
        let again = Fake { disturbed_at: Some(("BK09", times.saturating_sub(1))), ..Fake::default() };
        trial.run(&again, &mut records);
        assert_eq!(attempts(&records, "BK09"), expected, "resumed: {retries} {times}");
        // And when it has had its attempts, it has had them.
        let last = Fake { disturbed_at, ..Fake::default() };
        trial.run(&last, &mut records);
        assert_eq!(last.names(), Vec::<String>::new(), "{retries} {times}");
    }
}

#[test]
fn only_some_disturbed_cells_are_repeated_where_all_is_noise() {
    let text = "baseline = \"none\"\nrepetitions = 6\npositions.ids = [\"BK09\"]\naxes = { threads = 2, depth = 3 }\n";
    let mut trial = Trial::new("noise", text);
    (trial.conduct.retries, trial.most_repeats) = (2, 4);
    let records = trial.records(&Fake { disturbed_at: Some(("BK09", 9)), ..Fake::default() });
    let attempts: Vec<u32> = records.iter().map(|record| record.attempt).collect();
    assert_eq!(attempts, [0, 1, 2, 0, 1, 2, 0, 0, 0, 0]);
}

/// One search under three labels: each attempt at it is a record of each, also where a run goes on that was
/// interrupted.
#[test]
fn equal_searches_are_made_once_and_are_a_record_of_each_cell() {
    let text = "baseline = \"none\"\npositions.ids = [\"BK09\"]\n[axes]\nstrategy = \"ybwc\"\nthreads = 2\n\
                depth = 3\n[[plan]]\ncopy = [\"trimmed\", \"whole\"]\n\
                [[plan]]\ncopier = [\"owner-locked\", \"unlocked\"]\n\
                [[plan]]\nmake = \"undo\"\nmachine = [\"real\", \"virtual\"]\n";
    let mut trial = Trial::new("equal", text);
    trial.conduct.retries = 1;
    let fake = Fake { disturbed_at: Some(("BK09", 1)), ..Fake::default() };
    let mut records = trial.records(&fake);
    // Three real searches and their repetitions, and a virtual one.
    assert_eq!((fake.names().len(), indices(&records)), (7, vec![0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5]));
    let of = |index: u64| records.iter().filter(|record| record.index == index).cloned().collect::<Vec<_>>();
    for other in [2, 4] {
        for (mut shared, searched) in of(other).into_iter().zip(of(0)) {
            assert_eq!(shared.cell, trial.plan.cells[other as usize]);
            (shared.index, shared.cell) = (searched.index, searched.cell.clone());
            assert_eq!(shared, searched);
        }
    }
    records.retain(|record| ![0, 4].contains(&record.index));
    let again = Fake::default();
    trial.run(&again, &mut records);
    assert_eq!((again.names().len(), indices(&records)), (1, vec![0, 1, 1, 2, 2, 3, 3, 4, 5]));
}
