//! How often a comparison claims what is not so, in simulated folders of which the truth is known.

use serde_json::json;

use super::super::{Question, Side, SideBySide, Tested, Verdict};
use crate::analysis::samples::{configuration, description, measured, record};
use crate::random::SplitMix;
use crate::record::Record;

/// Simulated comparisons. The rate of false claims is then known to one in a hundred.
const EXPERIMENTS: u32 = 200;
/// 5 %, and what so few experiments may have more by chance.
const MOST_FALSE: f64 = 0.085;
/// Configurations in each: enough for one of them to differ by chance every fifth time.
const PROCESSORS: [u32; 4] = [1, 2, 4, 8];
const SEEDS: u64 = 4;

/// Noise in logarithms of time.
#[derive(Clone, Copy)]
struct Noise {
    /// Deviation between seeds; a seed has the same effect in both folders.
    seeds: f64,
    /// Deviation between runs.
    runs: f64,
}

/// Two folders. The other one takes `ratio` times as long, and has seeds of its own unless they are common.
fn two_folders(random: &mut SplitMix, noise: Noise, ratio: f64, has_common_seeds: bool) -> [Side; 2] {
    let mut sides = [Vec::new(), Vec::new()];
    for (of_configuration, processors) in (0..).zip(PROCESSORS) {
        let configuration = configuration(if processors == 1 { "sequential" } else { "ybwc" }, processors);
        for (of_position, position) in (0..).zip(["A", "B", "C", "D", "E"]) {
            for seed in 0..SEEDS {
                let of_seed = noise.seeds * random.normal();
                for (side, records) in sides.iter_mut().enumerate() {
                    let own = if has_common_seeds { of_seed } else { noise.seeds * random.normal() };
                    let shift = if side == 1 { ratio.ln() } else { 0.0 };
                    let seconds = (own + noise.runs * random.normal() + shift).exp();
                    let index = (of_configuration * 5 + of_position) * SEEDS + seed;
                    let other_seeds = if side == 1 && !has_common_seeds { SEEDS } else { 0 };
                    let mut record: Record = record(index, &configuration, position, seed + other_seeds, (1, 1000));
                    measured(&mut record).time_ns = (seconds * 1e9) as u64;
                    records.push(record);
                }
            }
        }
    }
    sides.map(|records| Side {
        path: "simulated".into(),
        description: description(&["threads"], records.len() as u64),
        environment: json!({ "sessions": [] }),
        records,
        warnings: Vec::new(),
    })
}

/// In what share of experiments at least one, and in what share all, of the times have a verdict that is accepted.
fn shares(noise: Noise, ratio: f64, has_common_seeds: bool, accept: fn(&Tested) -> bool) -> (f64, f64) {
    let mut random = SplitMix::new(3);
    let (mut any, mut all) = (0, 0);
    for _ in 0..EXPERIMENTS {
        let sides = two_folders(&mut random, noise, ratio, has_common_seeds);
        let compared = SideBySide::of(&sides, &Question::default()).unwrap();
        assert_eq!(compared.counterparts.len(), PROCESSORS.len());
        assert!(compared.counterparts.iter().all(|pair| pair.is_paired == has_common_seeds));
        any += u32::from(compared.counterparts.iter().any(|pair| accept(&pair.time)));
        all += u32::from(compared.counterparts.iter().all(|pair| accept(&pair.time)));
    }
    (f64::from(any) / f64::from(EXPERIMENTS), f64::from(all) / f64::from(EXPERIMENTS))
}

fn is_difference(tested: &Tested) -> bool {
    matches!(tested.verdict, Verdict::Less | Verdict::More)
}

fn is_equivalence(tested: &Tested) -> bool {
    matches!(tested.verdict, Verdict::Equivalent | Verdict::Less | Verdict::More)
        && tested.is_within_margin() == Some(true)
}

/// False claims about a program measured twice are made in at most 5 of 100 experiments, whatever the number of
/// configurations. Where there is one it is found.
#[test]
fn a_difference_between_equals_is_rarely_claimed() {
    for (has_common_seeds, noise) in [(true, Noise { seeds: 0.3, runs: 0.1 }), (false, Noise { seeds: 0.3, runs: 0.1 })]
    {
        let (false_claims, _) = shares(noise, 1.0, has_common_seeds, is_difference);
        println!("common seeds {has_common_seeds}: false differences in {:.1} %", 100.0 * false_claims);
        assert!((0.01..=MOST_FALSE).contains(&false_claims), "common seeds {has_common_seeds}: {false_claims}");
        let (found, _) = shares(noise, 3.0, has_common_seeds, is_difference);
        assert!(found > 0.9, "common seeds {has_common_seeds}: found {found}");
    }
}

/// The other is slower by the margin exactly: the worst case for a claim that it is within it.
#[test]
fn an_equivalence_of_unequals_is_rarely_claimed() {
    for (has_common_seeds, noise) in
        [(true, Noise { seeds: 0.3, runs: 0.01 }), (false, Noise { seeds: 0.01, runs: 0.005 })]
    {
        let (false_claims, _) = shares(noise, 1.05, has_common_seeds, is_equivalence);
        println!("common seeds {has_common_seeds}: false equivalences in {:.1} %", 100.0 * false_claims);
        assert!((0.01..=MOST_FALSE).contains(&false_claims), "common seeds {has_common_seeds}: {false_claims}");
        let (_, found) = shares(noise, 1.0, has_common_seeds, is_equivalence);
        assert!(found > 0.8, "common seeds {has_common_seeds}: found {found}");
    }
}
