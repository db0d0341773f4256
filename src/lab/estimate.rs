//! Estimate of the time that a plan takes: short searches of each position show how fast time grows with depth here,
//! and the rest is extrapolated. A guess to plan a day with, not a measurement.

use std::collections::HashMap;

use super::laboratory::Searcher;
use super::pace::{GAIN, SIMULATION, simulation_growth};
use crate::machine::RealMachine;
use crate::record::{Cell, Configuration, Depth, MachineKind};

/// Times of the two short searches of each position, in seconds.
const SAMPLES_S: [f64; 2] = [0.02, 0.15];
/// Largest number of positions that get short searches; the others are taken to be like them.
const MOST_SAMPLED: usize = 40;
/// Seconds to set up a search: threads, and a table full of zeros.
const SET_UP_S: f64 = 0.02;
/// Seconds of a micro-measurement of all boards, on average.
const MICRO_S: f64 = 6.0;
/// Factor by which a ply multiplies time, where the short searches do not tell.
const USUAL_FACTOR: f64 = 2.7;

/// Expected seconds of this computer.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Estimate {
    /// Time of the cells on real machines.
    pub real_s: f64,
    /// Time of the cells on virtual machines, side by side.
    pub virtual_s: f64,
}

/// Depth that a short search reached, and its time in seconds.
type Sample = (u32, f64);

/// Estimates the time of cells.
pub fn estimate(cells: &[(u64, &Cell)], searcher: &dyn Searcher) -> Estimate {
    let mut samples: HashMap<_, Option<(Sample, Sample)>> = HashMap::new();
    let searches = || cells.iter().filter(|(_, cell)| cell.configuration.micro.is_none());
    for (_, cell) in searches() {
        let key = kind(cell);
        if samples.len() < MOST_SAMPLED && !samples.contains_key(&key) {
            samples.insert(key, sample_twice(cell, searcher));
        }
    }
    let factors: Vec<f64> = samples.values().flatten().filter_map(|(first, second)| factor(*first, *second)).collect();
    let factor = match factors.len() {
        0 => USUAL_FACTOR,
        count => (factors.iter().map(|factor| factor.ln()).sum::<f64>() / count as f64).exp(),
    };
    // A short search has reached its depth some time before it ended: when, is as likely at any point of the last ply.
    let reached_before_end = (1.0 - 1.0 / factor) / factor.ln();
    let deepest: Vec<Sample> = samples.values().flatten().map(|(_, second)| *second).collect();
    let one_processor = |cell: &Cell| match cell.depth {
        Some(depth) => {
            let of = |(reached, time): Sample| {
                time * reached_before_end * factor.powf(f64::from(depth) - f64::from(reached))
            };
            match samples.get(&kind(cell)) {
                Some(Some((_, sample))) => of(*sample),
                _ => deepest.iter().map(|sample| of(*sample)).sum::<f64>() / deepest.len().max(1) as f64,
            }
        }
        None => cell.configuration.time_s.map_or(1.0, f64::from),
    };
    let mut estimate = Estimate { real_s: MICRO_S * (cells.len() - searches().count()) as f64, virtual_s: 0.0 };
    for (_, cell) in searches() {
        let (threads, time) = (cell.configuration.threads, one_processor(cell));
        match cell.configuration.machine {
            MachineKind::Real if cell.depth.is_none() => estimate.real_s += time + SET_UP_S,
            MachineKind::Real => estimate.real_s += time / f64::from(threads).powf(GAIN) + SET_UP_S,
            MachineKind::Virtual => estimate.virtual_s += time * SIMULATION * simulation_growth(threads) + SET_UP_S,
        }
    }
    estimate.virtual_s /= RealMachine::room() as f64;
    estimate
}

/// Key of cells whose one-processor searches take equally long.
fn kind(cell: &Cell) -> (&str, Option<&str>, &str, &str, u32) {
    let Configuration { engine, features, board, hash_mib, .. } = &cell.configuration;
    (&cell.position, engine.as_deref(), features, board, *hash_mib)
}

fn sample_twice(cell: &Cell, searcher: &dyn Searcher) -> Option<(Sample, Sample)> {
    let sample = |seconds: f64| {
        let configuration = Configuration {
            machine: MachineKind::Real,
            pin: Some("none".to_owned()),
            costs: None,
            costs_hash: None,
            depth: Depth::Unlimited,
            nodes: None,
            time_s: Some(seconds.into()),
            ..cell.configuration.baseline()
        };
        let (result, _) = searcher.search(&Cell { configuration, depth: None, ..cell.clone() }).ok()?;
        let measured = result.figures()?;
        Some((measured.depth, measured.time_ns as f64 / 1e9))
    };
    Some((sample(SAMPLES_S[0])?, sample(SAMPLES_S[1])?))
}

fn factor((first, early): Sample, (second, late): Sample) -> Option<f64> {
    let factor = (second > first && early > 0.0).then(|| (late / early).powf(1.0 / f64::from(second - first)))?;
    Some(factor.clamp(1.3, 8.0))
}
