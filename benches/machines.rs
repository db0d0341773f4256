//! Overhead of the machines on the host: nodes of real work a second as a share of what plain code does, and the time
//! of a switch between virtual processors (an empty node on many, less an empty node on one).
//!
//! `cargo bench --bench machines`

mod contest;

use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};

use contest::{Contest, Unit};
use splitpoint::machine::cost::CostModel;
use splitpoint::machine::{
    Access, Home, Line, Machine, Pin, Processor, Program, RealMachine, VirtualMachine, Waiting, Work,
};

/// Number of nodes that each round searches, over all processors together.
const NODES: usize = 400_000;
/// Number of dependent reads of private memory in a node, each with an unpredictable branch: a node of a few hundred
/// nanoseconds, as a search has.
const STEPS: u64 = 52;
/// Size of each processor's private memory in words: the 4 KiB that a search has in use from one node to the next (a
/// board, a few move lists, its frames), which other processors' work drives out of the near cache.
const WORDS: usize = 512;
/// Number of entries of the table that every node looks into.
const ENTRIES: usize = 1 << 20;

/// Every processor searches its share of nodes: real work in private memory, a look into a shared table, and at times a
/// shared counter.
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

/// The private work of a node.
#[inline(always)]
fn work(own: &mut [u64; WORDS], mut state: u64, node: usize, steps: u64) -> u64 {
    for _ in 0..steps {
        let word = &mut own[(state >> 40) as usize % WORDS];
        if state >> 63 == 0 {
            *word = word.rotate_left(7).wrapping_add(state);
        }
        state = (state ^ *word).wrapping_mul(0x2545_F491_4F6C_DD1D).wrapping_add(node as u64 | 1);
        state ^= state >> 29;
    }
    state
}

/// Looks into the table, as every node does.
#[inline(always)]
fn probe(table: &[AtomicU64], state: u64) -> u64 {
    let entry = &table[state as usize % ENTRIES];
    let state = state ^ entry.load(Ordering::Relaxed);
    entry.store(state, Ordering::Relaxed);
    state
}

impl Program for Nodes {
    type Output = u64;

    fn run<P: Processor>(&self, processor: &P) -> u64 {
        let mut state = processor.id() as u64 + 1;
        let mut own = [state; WORDS];
        for node in 0..NODES / self.processors {
            processor.spend(Work::MainNode);
            state = work(&mut own, state, node, self.steps);
            processor.touch(Access::Table { bytes: 8 * ENTRIES as u64, home: &Home::default() });
            state = probe(&self.table, state);
            if node % 64 == 0 {
                let (line, counter) = &self.counter;
                processor.touch(Access::Write(line));
                counter.fetch_add(1, Ordering::Relaxed);
            }
        }
        state
    }
}

/// Searches all nodes by code that knows of no processor.
fn plain(nodes: &Nodes) -> u64 {
    let mut state = 1;
    let mut own = [state; WORDS];
    for node in 0..NODES {
        state = work(&mut own, state, node, nodes.steps);
        state = probe(&nodes.table, state);
        if node % 64 == 0 {
            nodes.counter.1.fetch_add(1, Ordering::Relaxed);
        }
    }
    state
}

fn main() {
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with('-')).unwrap_or_default();
    for (title, steps) in [("nodes of real work", STEPS), ("empty nodes: mostly switches", 0)] {
        if title.contains(&wanted) {
            contest(title, steps);
        }
    }
}

fn contest(title: &str, steps: u64) {
    fn enter<M: Machine + 'static>(contest: &mut Contest<'_>, name: &str, machine: M, steps: u64) {
        let program = Nodes::new(machine.processors(), steps);
        contest.enter(name, move || {
            black_box(machine.run(&program).expect("these nodes do not fail"));
            NODES as u64
        });
    }
    let mut contest = Contest::new(title, Unit::Each);
    let nodes = Nodes::new(1, steps);
    contest.enter("plain code", move || {
        black_box(plain(&nodes));
        NODES as u64
    });
    let thread = RealMachine::new(1, &Pin::None, Waiting::Park).expect("one thread can be had");
    enter(&mut contest, "real, 1 thread", thread, steps);
    for processors in [1, 8, 64, 1024] {
        let machine = VirtualMachine::new(processors, CostModel::reference());
        enter(&mut contest, &format!("virtual, {processors}"), machine, steps);
    }
    contest.run("plain code");
}
