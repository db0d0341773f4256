//! The long version of the machines' and the strategies' tests: as many random programs as there is patience for, and
//! the strategies on many positions and seeds. Not part of the test command; `scripts/soak.sh` runs it.

use std::time::{Duration, Instant};

use rayon::prelude::*;
use splitpoint::engine::Computer;
use splitpoint::machine::{Pin, RealMachine, Waiting};
use splitpoint::random::SplitMix;

use crate::machines::{
    random_program_on_real_threads, random_program_on_the_virtual_machine, run_toys, virtual_machine,
};
use crate::nodes::{SCHEDULES_OF_NODES, try_nodes_on_schedules_of};
use crate::schedules::{SCHEDULES, try_schedules_of};
use crate::searching::mixed_positions;
use crate::strategies::{all, is_exact, is_stopped_in_time, leaves_nobody_behind};

/// Seconds for each part.
fn patience() -> Duration {
    let seconds = std::env::var("SOAK_SECONDS").ok().and_then(|text| text.parse().ok());
    Duration::from_secs(seconds.unwrap_or(10))
}

fn first_seed() -> u64 {
    std::env::var("SOAK_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(1_000_000)
}

#[test]
#[ignore = "long: scripts/soak.sh"]
fn virtual_machines() {
    const BATCH: u64 = 1_000;
    let (start, mut seed) = (Instant::now(), first_seed());
    while start.elapsed() < patience() {
        (seed..seed + BATCH).into_par_iter().for_each(random_program_on_the_virtual_machine);
        seed += BATCH;
    }
    println!(
        "{} random programs on virtual machines, each switching at touches and at every spend",
        seed - first_seed()
    );
}

#[test]
#[ignore = "long: scripts/soak.sh"]
fn large_virtual_machines() {
    let (start, mut seed) = (Instant::now(), first_seed());
    while start.elapsed() < patience() {
        [64, 256, 1024].par_iter().for_each(|processors| {
            let run = || run_toys(&virtual_machine(*processors, seed), 8);
            assert_eq!(run(), run(), "seed {seed}, {processors} processors");
        });
        seed += 1;
    }
    println!("{} seeds of the toys on 64, 256 and 1024 processors, each twice", seed - first_seed());
}

#[test]
#[ignore = "long: scripts/soak.sh"]
fn oversubscribed_threads() {
    let threads = 4 * RealMachine::room();
    for &waiting in Waiting::ALL {
        let machine = RealMachine::new(threads, &Pin::Cores, waiting).unwrap();
        let (start, mut seed) = (Instant::now(), first_seed());
        while start.elapsed() < patience() {
            random_program_on_real_threads(&machine, seed);
            seed += 1;
        }
        println!("{} random programs on {threads} threads, waiting by {waiting:?}", seed - first_seed());
    }
}

#[test]
#[ignore = "long: scripts/soak.sh"]
fn exact_strategies() {
    const SEEDS: u64 = 50;
    let positions = mixed_positions(200, first_seed());
    (0..SEEDS).into_par_iter().for_each(|seed| {
        for (i, setup) in positions.iter().enumerate() {
            is_exact(setup, 2 + (i as u64 + seed) as u32 % 2, seed);
        }
    });
    println!("{} positions by {SEEDS} seeds on 2, 3, 8 and 32 virtual processors", positions.len());
}

#[test]
#[ignore = "long: scripts/soak.sh"]
fn schedules() {
    const SEEDS: u64 = 2_000;
    let positions = mixed_positions(40, first_seed());
    (0..SEEDS).into_par_iter().for_each(|seed| {
        leaves_nobody_behind(&positions[seed as usize % positions.len()], first_seed() + seed);
    });
    println!("{SEEDS} schedules of small searches by {} strategies", all().len());
}

/// Orders of processors that no clock would give. What has been tried is kept in the file `SOAK_STATE`, so that a run
/// that was ended goes on from there.
#[test]
#[ignore = "long: scripts/soak.sh"]
fn orders() {
    let wanted: u64 = std::env::var("SOAK_SCHEDULES").ok().and_then(|text| text.parse().ok()).unwrap_or(100_000);
    let state = std::env::var("SOAK_STATE").ok();
    let known = state.as_ref().and_then(|path| std::fs::read_to_string(path).ok());
    let mut known = known.iter().flat_map(|text| text.split_whitespace()).filter_map(|word| word.parse::<u64>().ok());
    let (mut trees, mut switches) = (known.next().unwrap_or(0), known.next().unwrap_or(0));
    while trees * SCHEDULES < wanted {
        switches += try_schedules_of(first_seed() + trees);
        trees += 1;
        if trees % 1_000 == 0 || trees * SCHEDULES >= wanted {
            if let Some(path) = &state {
                std::fs::write(path, format!("{trees} {switches}\n")).unwrap();
            }
            println!("{} schedules of {trees} trees, {switches} switches", trees * SCHEDULES);
        }
    }
}

/// Orders of the processors of several nodes.
#[test]
#[ignore = "long: scripts/soak.sh"]
fn orders_of_nodes() {
    let wanted: u64 = std::env::var("SOAK_SCHEDULES").ok().and_then(|text| text.parse().ok()).unwrap_or(100_000);
    let trees = wanted.div_ceil(SCHEDULES_OF_NODES);
    (0..trees).into_par_iter().for_each(|tree| try_nodes_on_schedules_of(first_seed() + tree));
    println!("{} schedules of {trees} trees on several nodes", trees * SCHEDULES_OF_NODES);
}

#[test]
#[ignore = "long: scripts/soak.sh"]
fn stops() {
    const STOPS: u64 = 500;
    let texts = all();
    let positions = mixed_positions(40, first_seed());
    let mut random = SplitMix::new(first_seed());
    for threads in [2, 4 * RealMachine::room()] {
        let machine = Computer::Real(RealMachine::new(threads, &Pin::Cores, Waiting::default()).unwrap());
        for i in 0..STOPS as usize {
            let (setup, text) = (&positions[i % positions.len()], &texts[i % texts.len()]);
            is_stopped_in_time(&machine, text, setup, random.below(20_000_000));
        }
        println!("{STOPS} searches on {threads} threads stopped at random moments");
    }
}
