//! The long version of the machines' tests: as many random programs as there is patience for. Not part of the test command;
//! `scripts/soak.sh` runs it.

use std::time::{Duration, Instant};

use rayon::prelude::*;
use splitpoint::machine::{Pin, RealMachine, Waiting};

use crate::machines::{
    random_program_on_real_threads, random_program_on_the_virtual_machine, run_toys, virtual_machine,
};

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
    for waiting in Waiting::ALL {
        let machine = RealMachine::new(threads, &Pin::Cores, waiting).unwrap();
        let (start, mut seed) = (Instant::now(), first_seed());
        while start.elapsed() < patience() {
            random_program_on_real_threads(&machine, seed);
            seed += 1;
        }
        println!("{} random programs on {threads} threads, waiting by {waiting:?}", seed - first_seed());
    }
}
