//! Time that the remaining cells will take, learnt from those that are done, by position and depth.

use std::collections::HashMap;
use std::path::Path;

use crate::record::folder::FolderError;
use crate::record::journal;
use crate::record::{Cell, Configuration, Depth, MachineKind, Seconds, Word};

/// Speedup that is assumed of real processors, as a power of their number.
pub(super) const GAIN: f64 = 0.8;
/// Time that this computer takes to simulate a search of one processor, relative to a real one, as it is assumed.
pub(super) const SIMULATION: f64 = 1.6;

/// Time that this computer takes to simulate a search of a number of processors, relative to that of one, which takes
/// no turns: the tree grows, and each processor that looks for work takes time. Searches of 2 to 1,024 processors with
/// `thesis` and `modern` took 0.5 to 1.6 times as long, those of `lazy` on 256 and more up to twelve times.
pub(super) fn simulation_growth(processors: u32) -> f64 {
    if processors == 1 { 1.0 } else { 1.9 * (f64::from(processors) / 2.0).powf(0.28) }
}

/// Times of the cells that are done.
#[derive(Clone, Debug, Default)]
pub struct Pace {
    /// Seconds of one processor and the number of cells that took them, by kind of cell.
    known: HashMap<Kind, (f64, f64)>,
    all: (f64, f64),
}

/// Properties that cells share which take about as long, except for the number of processors: what decides how long
/// one processor takes, limits and position.
type Kind = (Configuration, Option<u64>, Option<Seconds>, Option<u32>, Word);

fn kind(cell: &Cell) -> Kind {
    let Configuration { nodes, time_s, .. } = *cell.configuration;
    (cell.configuration.duration(), nodes, time_s, cell.depth, cell.position.clone())
}

fn speed(cell: &Cell) -> f64 {
    let Configuration { machine, threads, depth, .. } = *cell.configuration;
    match machine {
        _ if depth == Depth::Unlimited => 1.0,
        MachineKind::Real => f64::from(threads).powf(GAIN),
        MachineKind::Virtual => 1.0 / simulation_growth(threads),
    }
}

impl Pace {
    /// Learns that a cell took this many seconds of this computer.
    pub fn learn(&mut self, cell: &Cell, host_s: f64) {
        let work = host_s * speed(cell);
        let known = self.known.entry(kind(cell)).or_default();
        *known = (known.0 + work, known.1 + 1.0);
        self.all = (self.all.0 + work, self.all.1 + 1.0);
    }

    /// Times of the searches in a run folder.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn of_folder(folder: &Path) -> Result<Self, FolderError> {
        let mut pace = Self::default();
        journal::visit(folder, |record| pace.learn(&record.cell, record.host_s))?;
        Ok(pace)
    }

    /// Expected seconds of a cell; `None` before the first is done.
    pub fn expect(&self, cell: &Cell) -> Option<f64> {
        self.of_kind(cell).or_else(|| Some(mean(self.all)? / speed(cell)))
    }

    /// Expected seconds of a cell by those of its kind alone.
    pub(super) fn of_kind(&self, cell: &Cell) -> Option<f64> {
        Some(mean(*self.known.get(&kind(cell))?)? / speed(cell))
    }
}

/// Seconds of one processor for each of a number of cells.
fn mean((work, count): (f64, f64)) -> Option<f64> {
    (count > 0.0).then(|| work / count)
}

/// Time in words: `45 s`, `3 min 20 s`, `2 h 05 min`.
pub fn in_words(seconds: f64) -> String {
    let whole = seconds.max(0.0).round() as u64;
    match whole {
        0..60 => format!("{whole} s"),
        60..3600 => format!("{} min {:02} s", whole / 60, whole % 60),
        _ => format!("{} h {:02} min", whole / 3600, whole % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Experiment, Plan};
    use super::*;

    /// Cells of each kind in the tests: real by one and by four, virtual by four; at two positions.
    fn cells() -> Vec<Cell> {
        let text = "baseline = 1\npositions.ids = [\"BK03\", \"BK09\"]\n\
                    axes = { machine = [\"real\", \"virtual\"], threads = 4, depth = 3 }\n";
        let experiment = Experiment::parse(Path::new("x.toml"), text, &[], &[]).unwrap();
        Plan::of(&experiment, "").unwrap().cells
    }

    fn cell(machine: MachineKind, threads: u32, position: &str) -> Cell {
        let is_it = |cell: &Cell| {
            let Configuration { machine: on, threads: by, .. } = *cell.configuration;
            (on, by, cell.position.as_str()) == (machine, threads, position)
        };
        cells().into_iter().find(is_it).unwrap()
    }

    #[test]
    fn what_is_learnt_of_a_kind_is_expected_of_it() {
        let (one, four) = (cell(MachineKind::Real, 1, "BK03"), cell(MachineKind::Real, 4, "BK03"));
        let (other, simulated) = (cell(MachineKind::Real, 1, "BK09"), cell(MachineKind::Virtual, 4, "BK03"));
        let mut pace = Pace::default();
        assert_eq!(pace.expect(&one), None);
        pace.learn(&one, 2.0);
        pace.learn(&one, 4.0);
        let expect = |pace: &Pace, cell: &Cell| pace.expect(cell).unwrap();
        assert_eq!(expect(&pace, &one), 3.0);
        // Of kinds that are not known yet the mean of all is expected.
        assert_eq!(expect(&pace, &other), 3.0);
        let simulated_in = expect(&pace, &simulated) / simulation_growth(4);
        assert!((simulated_in - 3.0).abs() < 1e-9, "{simulated_in}");
        // Four processors gain, but not fourfold.
        let by_four = expect(&pace, &four);
        assert!(0.75 < by_four && by_four < 1.5, "{by_four}");
        pace.learn(&other, 12.0);
        let simulated_in = expect(&pace, &simulated) / simulation_growth(4);
        assert_eq!((expect(&pace, &one), expect(&pace, &other)), (3.0, 12.0));
        assert!((simulated_in - 6.0).abs() < 1e-9, "{simulated_in}");
        pace.learn(&simulated, 5.0);
        assert_eq!(expect(&pace, &simulated), 5.0);
    }

    #[test]
    fn simulating_many_processors_takes_long() {
        // Times of simulated searches, divided by those of one processor: `ybwc` with `thesis`, `teams` with `modern`.
        for (processors, ybwc, teams) in [
            (1, 1.0, 1.0),
            (2, 1.98, 1.75),
            (4, 2.07, 2.31),
            (8, 2.40, 2.31),
            (16, 2.63, 2.10),
            (64, 3.23, 5.97),
            (256, 3.77, 8.39),
            (1024, 5.90, 17.3),
        ] {
            let error = simulation_growth(processors) / f64::sqrt(ybwc * teams);
            assert!((0.66..1.5).contains(&error), "{processors}: {error}");
        }
    }

    #[test]
    fn times_in_words() {
        for (seconds, words) in [
            (-1.0, "0 s"),
            (0.4, "0 s"),
            (59.4, "59 s"),
            (59.6, "1 min 00 s"),
            (200.0, "3 min 20 s"),
            (3599.0, "59 min 59 s"),
            (7500.0, "2 h 05 min"),
            (360_000.0, "100 h 00 min"),
        ] {
            assert_eq!(in_words(seconds), words);
        }
    }
}
