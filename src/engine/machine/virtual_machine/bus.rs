//! The bus that all virtual processors share, and the *hogs* on it: processors outside of the search that stream
//! through memory, as other users' jobs do on a computer that is shared.
//!
//! A hog asks for a line every [`copy_line`](CostModel::copy_line) at best. All hogs together thus take a share of the
//! bus, and each line of the search takes as much longer as if only the rest of the bus were there. If they ask for
//! more than there is, each line of the search waits for one line of every hog.
//!
//! Hogs stream always, or in a part of each period. The moment of the period at which a search begins is drawn from its
//! seed and its number of processors, so that all positions of one point of a curve begin at the same moment, and the
//! points of a curve fall into the periods by chance.

use std::cell::Cell;

use super::super::cost::CostModel;
use crate::random::SplitMix;

/// The shared bus of a run.
pub struct Bus {
    /// Clock at which the bus is free again.
    free_at: Cell<u64>,
    /// Time for which a line occupies it; 0 for a bus without limit.
    line: u64,
    hogs: Option<Hogs>,
}

/// Processors outside of the search that stream on the bus.
struct Hogs {
    /// Time for which a line of the search occupies the bus while they stream.
    line: u64,
    /// Length of a period, at the beginning of which they stream; 0 if they stream always.
    period: u64,
    /// Part of a period in which they stream.
    active: u64,
    /// Moment of a period at which the run begins.
    phase: u64,
}

impl Bus {
    pub fn new(model: &CostModel, processors: usize, seed: u64) -> Self {
        let hogs = (model.hogs > 0).then(|| Hogs {
            line: line_beside_hogs(model),
            period: model.hog_period,
            active: model.hog_period * model.hog_share / 1000,
            phase: SplitMix::new(SplitMix::new(seed).next() ^ processors as u64).below(model.hog_period.max(1)),
        });
        Self { free_at: Cell::new(0), line: model.bus_line, hogs }
    }

    /// Occupies the bus with this number of cache lines as soon after this clock as it is free. Returns the clock at
    /// which they are through, or `None` if they take no time.
    #[inline]
    pub fn carry(&self, lines: u64, clock: u64) -> Option<u64> {
        if self.line == 0 || lines == 0 {
            return None;
        }
        let begin = self.free_at.get().max(clock);
        let line = self.hogs.as_ref().filter(|hogs| hogs.stream_at(begin)).map_or(self.line, |hogs| hogs.line);
        self.free_at.set(begin + lines * line);
        Some(self.free_at.get())
    }
}

impl Hogs {
    fn stream_at(&self, clock: u64) -> bool {
        self.period == 0 || (clock + self.phase) % self.period < self.active
    }
}

/// Time for which a line of the search occupies the bus while hogs stream on it.
fn line_beside_hogs(model: &CostModel) -> u64 {
    let wanted = model.hogs * model.bus_line;
    let in_turn = model.bus_line + wanted;
    match model.copy_line.checked_sub(wanted) {
        Some(left @ 1..) => in_turn.min(model.bus_line * model.copy_line / left),
        _ => in_turn,
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::processor::{Home, Processor};
    use super::super::super::{Access, Machine, Program};
    use super::super::VirtualMachine;
    use super::*;

    #[test]
    fn hogs_take_their_share_of_the_bus_and_at_most_their_turn() {
        for (hogs, bus_line, copy_line, expected) in [
            (0, 20, 120, 20),
            (1, 20, 120, 24),
            (3, 20, 120, 40),
            (5, 20, 120, 120),
            (6, 20, 120, 140),
            (9, 20, 120, 200),
            (24, 2, 120, 3),
            (9, 0, 120, 0),
            (2, 5, 0, 15),
        ] {
            let model = CostModel { hogs, bus_line, copy_line, ..CostModel::reference() };
            assert_eq!(line_beside_hogs(&model), expected, "{hogs} {bus_line} {copy_line}");
        }
    }

    /// Reads a table in memory a thousand times, and returns how long each took.
    struct Reader;

    impl Program for Reader {
        type Output = Vec<u64>;

        fn run<P: Processor>(&self, processor: &P) -> Vec<u64> {
            let read = |_| {
                let from = processor.now();
                processor.touch(Access::Table { bytes: 1 << 40, home: &Home::default() });
                processor.now() - from
            };
            (0..1000).map(read).collect()
        }
    }

    fn times(model: &CostModel, seed: u64) -> Vec<u64> {
        let machine = VirtualMachine { seed, ..VirtualMachine::new(1, model.clone()) };
        machine.run(&Reader).unwrap().outputs.remove(0)
    }

    #[test]
    fn hogs_slow_a_program_in_their_part_of_each_period_and_nowhere_else() {
        let model: CostModel = "e15k,bus_line=20,jitter_permille=0".parse().unwrap();
        assert!(times(&model, 0).iter().all(|time| *time == 420));
        let always = model.changed("hogs=9").unwrap();
        assert!(times(&always, 0).iter().all(|time| *time == 600));
        assert_eq!(times(&always.changed("bus_line=0").unwrap(), 0), [400; 1000]);

        let periodic = always.changed("hog_period=51000,hog_share=400").unwrap();
        let found = times(&periodic, 0);
        assert_eq!(found, times(&periodic, 0));
        assert_ne!(found, times(&periodic, 1), "the moment of the beginning is drawn from the seed");
        assert_ne!(times(&always.changed("hog_share=400").unwrap(), 0), found, "without a period they stream always");
        let runs: Vec<(u64, u64)> =
            found.chunk_by(|one, next| one == next).map(|run| (run[0], run.iter().sum())).collect();
        assert!(runs.len() > 15, "{runs:?}");
        // Runs that the beginning and the end cut short aside, each is as long as its part of the period.
        for (time, length) in &runs[1..runs.len() - 1] {
            let expected: u64 = match time {
                600 => 51_000 * 4 / 10,
                420 => 51_000 * 6 / 10,
                _ => panic!("{time} is neither"),
            };
            assert!(expected.abs_diff(*length) <= 600, "{time} for {length}, not {expected}");
        }
        let none = times(&periodic.changed("hog_share=0").unwrap(), 0);
        assert_eq!(none, times(&model, 0), "hogs with no share of a period do nothing");
    }
}
