//! Running the searches of a validation: real ones one at a time in a seeded random order, so that whatever else goes on
//! here falls on all alike; virtual ones side by side.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::super::laboratory::Searcher;
use super::super::pace::Pace;
use super::super::runner::record;
use super::Watcher;
use crate::machine::RealMachine;
use crate::random::SplitMix;
use crate::record::Cell;
use crate::record::Record;

/// The order of real runs is that of this seed.
const ORDER_SEED: u64 = 1;
/// A search that was disturbed is done once more, but no more of them than one in so many: where all is noise, repeating
/// helps nobody.
const ONE_REPEATED_IN: usize = 4;

/// What is needed to make records.
pub struct Runs<'a> {
    /// Which records name.
    pub session: String,
    /// Who is told.
    pub watcher: &'a dyn Watcher,
    /// How long searches take.
    pub pace: Pace,
    /// The place of the next cell.
    pub next: u64,
}

impl Runs<'_> {
    /// Real searches, interleaved. The first is done once more before, to warm up. `later` are searches that follow.
    pub fn real(&mut self, searcher: &dyn Searcher, mut cells: Vec<Cell>, later: &Later) -> Vec<Record> {
        SplitMix::new(ORDER_SEED).shuffle(&mut cells);
        self.watcher.phase("real searches", cells.len());
        if let Some(first) = cells.first() {
            // Not counted, so that what becomes of it is of no interest.
            let _ = searcher.search(first);
        }
        let mut repeats = cells.len() / ONE_REPEATED_IN;
        let mut records = Vec::new();
        for (done, cell) in cells.iter().enumerate() {
            let index = self.number();
            for attempt in 0.. {
                let record = record(searcher, cell, (index, attempt), &self.session);
                self.pace.learn(cell, record.host_s);
                let is_good = record.is_quiet() || record.measured().is_none();
                records.push(record);
                if is_good || attempt > 0 || repeats == 0 {
                    break;
                }
                repeats -= 1;
            }
            let left = cells[done + 1..].iter().filter_map(|cell| self.pace.expect(cell)).sum::<f64>();
            self.watcher.step(Some(left + later.seconds(&self.pace, cells.first())));
        }
        records
    }

    /// Virtual searches, side by side. What is made of each record is kept, in the order of the cells.
    pub fn simulated<T: Send>(
        &mut self,
        what: &str,
        searcher: &dyn Searcher,
        cells: &[Cell],
        later: &Later,
        keep: impl Fn(Record) -> T + Sync,
    ) -> Vec<T> {
        self.watcher.phase(what, cells.len());
        let side_by_side = RealMachine::room().min(cells.len()).max(1);
        let next = AtomicUsize::new(0);
        let first = self.next;
        self.next += cells.len() as u64;
        let kept = Mutex::new((&mut self.pace, Vec::with_capacity(cells.len())));
        std::thread::scope(|scope| {
            for _ in 0..side_by_side {
                scope.spawn(|| {
                    loop {
                        let place = next.fetch_add(1, Ordering::Relaxed);
                        let Some(cell) = cells.get(place) else { return };
                        let record = record(searcher, cell, (first + place as u64, 0), &self.session);
                        let host_s = record.host_s;
                        let value = keep(record);
                        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                        let (pace, values) = &mut *kept;
                        pace.learn(cell, host_s);
                        values.push((place, value));
                        let mean = pace.expect(cell).unwrap_or(0.0);
                        let left = mean * (cells.len() - values.len()) as f64 / side_by_side as f64;
                        self.watcher.step(Some(left + later.seconds(pace, cells.first())));
                    }
                });
            }
        });
        let mut values = kept.into_inner().unwrap_or_else(PoisonError::into_inner).1;
        values.sort_by_key(|(place, _)| *place);
        values.into_iter().map(|(_, value)| value).collect()
    }

    fn number(&mut self) -> u64 {
        self.next += 1;
        self.next - 1
    }
}

/// How many virtual searches follow, for the time that is left.
pub struct Later {
    /// Their number.
    pub searches: usize,
}

impl Later {
    /// A simulated search takes so much longer than a real one, roughly.
    const SIMULATION: f64 = 1.8;

    fn seconds(&self, pace: &Pace, like: Option<&Cell>) -> f64 {
        let mean = like.and_then(|cell| pace.expect(cell)).unwrap_or(0.0);
        self.searches as f64 * mean * Self::SIMULATION / RealMachine::room() as f64
    }
}

/// Of several attempts at a cell the one that counts: the last that was quiet, else the last that was measured.
pub fn counting(records: &[Record]) -> Vec<&Record> {
    let mut sorted: Vec<&Record> = records.iter().filter(|record| record.measured().is_some()).collect();
    sorted.sort_by_key(|record| (record.index, record.is_quiet(), record.attempt));
    sorted.chunk_by(|one, next| one.index == next.index).filter_map(|attempts| attempts.last().copied()).collect()
}
