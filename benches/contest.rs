//! A fair contest: all contestants do the same work in turn, round after round, so that a machine that grows faster or
//! slower meanwhile does so for all. What is reported are medians, and the ratio to a reference taken round by round.

use std::time::Instant;

use splitpoint::chess::choice::{BoardChoice, OnBoard};

/// Does its work once and says how much it was.
pub type Work<'a> = Box<dyn FnMut() -> u64 + 'a>;

pub struct Contest<'a> {
    title: String,
    unit: Unit,
    contestants: Vec<(String, Work<'a>)>,
}

/// How a time is written.
#[derive(Clone, Copy)]
#[allow(dead_code)] // not every bench needs both
pub enum Unit {
    /// Millions a second.
    Rate,
    /// Nanoseconds each.
    Each,
}

const ROUNDS: usize = 25;

impl<'a> Contest<'a> {
    pub fn new(title: &str, unit: Unit) -> Self {
        Self { title: title.into(), unit, contestants: Vec::new() }
    }

    pub fn enter(&mut self, name: &str, work: impl FnMut() -> u64 + 'a) {
        self.contestants.push((name.into(), Box::new(work)));
    }

    /// Enters every board that this processor can run, with the same task for each.
    #[allow(dead_code)] // not every bench compares boards
    pub fn enter_boards(&mut self, task: impl OnBoard<Output = Work<'a>> + Clone) {
        for board in BoardChoice::all().filter(|board| board.check().is_ok()) {
            self.contestants.push((board.to_string(), board.run(task.clone())));
        }
    }

    /// Runs the rounds and prints a row for each contestant; ratios above 1 are faster than `reference`.
    pub fn run(mut self, reference: &str) {
        let count = self.contestants.len();
        let mut seconds = vec![vec![0.0; ROUNDS]; count];
        let mut amounts = vec![0; count];
        for round in 0..=ROUNDS {
            for turn in 0..count {
                // Another one begins each round; the first round only warms up.
                let i = (round + turn) % count;
                let start = Instant::now();
                amounts[i] = (self.contestants[i].1)();
                if round > 0 {
                    seconds[i][round - 1] = start.elapsed().as_secs_f64();
                }
            }
        }
        assert!(amounts.iter().all(|amount| *amount == amounts[0]), "not the same work: {amounts:?}");
        let base = self.contestants.iter().position(|(name, _)| name == reference).expect("the reference takes part");
        println!("\n{}\n{:<22}{:>12}{:>10}  (quartiles)", self.title, "", self.unit.name(), "ratio");
        for (i, (name, _)) in self.contestants.iter().enumerate() {
            let ratios = sorted((0..ROUNDS).map(|round| seconds[base][round] / seconds[i][round]));
            let each = sorted(seconds[i].iter().copied())[ROUNDS / 2] / amounts[i] as f64;
            let [low, median, high] = [ROUNDS / 4, ROUNDS / 2, 3 * ROUNDS / 4].map(|place| ratios[place]);
            println!("{name:<22}{:>12.2}{median:>10.3}  ({low:.3} to {high:.3})", self.unit.of(each));
        }
    }
}

impl Unit {
    fn name(self) -> &'static str {
        match self {
            Self::Rate => "M/s",
            Self::Each => "ns",
        }
    }

    fn of(self, seconds_each: f64) -> f64 {
        match self {
            Self::Rate => 1e-6 / seconds_each,
            Self::Each => seconds_each * 1e9,
        }
    }
}

fn sorted(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values
}
