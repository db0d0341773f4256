//! What the virtual machine costs on the host: nodes of real work simulated a second, as a share of what plain code does,
//! and what a switch between processors takes.
//!
//! `cargo bench --bench machines`

mod contest;

use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};

use contest::{Contest, Unit};
use splitpoint::machine::cost::CostModel;
use splitpoint::machine::{Access, Line, Machine, Processor, Program, Solo, VirtualMachine, Work};

/// Nodes that each round searches, over all processors together.
const NODES: usize = 400_000;
/// Looks into private memory that follow from one another in a node, each with a branch that cannot be foreseen: about
/// 350 ns of real work on a processor of 2024.
const STEPS: u64 = 52;
/// Private memory of each processor, in words: the 4 KiB that a search has in use from one node to the next (a board, a few
/// move lists, its frames), which other processors' work drives out of the near cache.
const WORDS: usize = 512;
/// Entries of the table that every node looks into.
const ENTRIES: usize = 1 << 20;

/// Every processor searches its share of nodes: real work in private memory, a look into a shared table, and at times a shared counter.
struct Nodes {
    processors: usize,
    steps: u64,
    table: Vec<AtomicU64>,
    counter: (Line, AtomicU64),
}

impl Nodes {
    fn new(processors: usize, steps: u64) -> Self {
        let table = (0..ENTRIES).map(|_| AtomicU64::new(0)).collect();
        Self { processors, steps, table, counter: Default::default() }
    }
}

impl Program for Nodes {
    type Output = u64;

    fn run<P: Processor>(&self, processor: &P) -> u64 {
        let mut state = processor.id() as u64 + 1;
        let mut own: Vec<u64> = (0..WORDS as u64).map(|word| word.wrapping_mul(state)).collect();
        for node in 0..NODES / self.processors {
            processor.spend(Work::MainNode);
            for _ in 0..self.steps {
                let word = &mut own[(state >> 40) as usize % WORDS];
                if state >> 63 == 0 {
                    *word = word.rotate_left(7).wrapping_add(state);
                }
                state = (state ^ *word).wrapping_mul(0x2545_F491_4F6C_DD1D).wrapping_add(node as u64 | 1);
                state ^= state >> 29;
            }
            processor.touch(Access::Table { bytes: 8 * ENTRIES as u64 });
            let entry = &self.table[state as usize % ENTRIES];
            state ^= entry.load(Ordering::Relaxed);
            entry.store(state, Ordering::Relaxed);
            if node % 64 == 0 {
                let (line, counter) = &self.counter;
                processor.touch(Access::Object(line));
                counter.fetch_add(1, Ordering::Relaxed);
            }
        }
        state
    }
}

fn main() {
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with('-')).unwrap_or_default();
    for (title, steps) in [("nodes of real work", STEPS), ("empty nodes: mostly switches", 0)] {
        if !title.contains(&wanted) {
            continue;
        }
        let mut contest = Contest::new(title, Unit::Each);
        let solo = Nodes::new(1, steps);
        contest.enter("solo", move || {
            black_box(solo.run(&Solo::new()));
            NODES as u64
        });
        for processors in [1, 8, 64, 1024] {
            let program = Nodes::new(processors, steps);
            let machine = VirtualMachine::new(processors, CostModel::reference());
            contest.enter(&format!("virtual, {processors}"), move || {
                black_box(machine.run(&program).expect("these nodes do not fail"));
                NODES as u64
            });
        }
        contest.run("solo");
    }
}
