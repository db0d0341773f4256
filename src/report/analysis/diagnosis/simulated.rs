//! Engines of which the truth is known, measured at 20 positions with the noise of real ones: their states, and the
//! numbers of threads up to which they are said to gain.

use super::limit::Times;
use super::{Findings, Health, Holds};
use crate::random::SplitMix;
use crate::record::IntervalKind;
use crate::statistics::Interval;

/// Number of experiments of each engine.
const EXPERIMENTS: usize = 200;
/// Numbers of threads, unless the engine has two only.
const THREADS: [u32; 5] = [1, 2, 4, 8, 16];
const POSITIONS: usize = 20;
/// Views of each position, each searched once.
const VIEWS: usize = 4;
/// Deviations of the logarithm of a time between runs, views and positions.
const OF_RUNS: f64 = 0.25;
const OF_VIEWS: f64 = 0.2;
const OF_POSITIONS: f64 = 0.1;
/// Exponent of nodes a second.
const RATE: f64 = 0.8;

/// State in an experiment on an engine with these speedups, and the numbers of threads up to which it may gain.
fn experiment(speedups: &[f64], random: &mut SplitMix) -> (Health, Vec<u32>, Vec<u32>) {
    let time = |speedup: f64, random: &mut SplitMix| -> Vec<Vec<f64>> {
        let position = |random: &mut SplitMix| {
            let effect = OF_POSITIONS * random.normal();
            (0..VIEWS).map(|_| effect - speedup.ln() + OF_RUNS * random.normal() + OF_VIEWS * random.normal()).collect()
        };
        (0..POSITIONS).map(|_| position(random)).collect()
    };
    let logs: Vec<Vec<Vec<f64>>> = [1.0].iter().chain(speedups).map(|&speedup| time(speedup, random)).collect();
    let threads = &THREADS[..logs.len()];
    let times = Times { threads, logs: &logs, holds: Holds::of_kind(IntervalKind::PositionsLikeThese, false) };
    let most = threads[threads.len() - 1];
    let findings = Findings {
        speedup: times.speedup(),
        rate: Interval::around(f64::from(most).powf(RATE), 0.1),
        nodes: Interval::around(1.0, 0.1),
        last_doubling: times.last_doubling(),
        limit: times.limit(),
        same_score: Some(0.4),
        equal_pairs: None,
    };
    (findings.state(most), findings.limit.good_to, findings.limit.slower)
}

/// States of an engine with these speedups in many experiments, with their frequencies.
struct Outcomes(Vec<(Health, Vec<u32>, Vec<u32>)>);

impl Outcomes {
    fn of(speedups: &[f64]) -> Self {
        let mut random = SplitMix::new(65);
        let all = Self((0..EXPERIMENTS).map(|_| experiment(speedups, &mut random)).collect());
        let mut texts: Vec<String> = all.0.iter().map(|one| format!("{:?} {:?} {:?}", one.0, one.1, one.2)).collect();
        texts.sort();
        for text in texts.chunk_by(|one, other| one == other) {
            println!("{speedups:?}: {} of {EXPERIMENTS} {}", text.len(), text[0]);
        }
        all
    }

    fn share(&self, is_so: impl Fn(Health, &[u32]) -> bool) -> f64 {
        let found = self.0.iter().filter(|(health, good_to, _)| is_so(*health, good_to)).count();
        found as f64 / EXPERIMENTS as f64
    }

    fn of_state(&self, state: Health) -> f64 {
        self.share(|health, _| health == state)
    }
}

#[test]
fn a_limit_at_four_of_sixteen_is_found() {
    let outcomes = Outcomes::of(&[1.8, 3.0, 3.0, 3.0]);
    assert_eq!(outcomes.of_state(Health::Healthy), 0.0);
    assert!(outcomes.share(|health, good_to| health == Health::UpTo && good_to.contains(&4)) >= 0.95);
    assert!(outcomes.share(|_, good_to| good_to == [4]) >= 0.6, "the set is small");
    assert!(outcomes.share(|_, good_to| good_to.len() > 2) <= 0.05, "the set is small");
}

#[test]
fn limits_at_two_and_eight_are_found() {
    for (speedups, limit) in [([1.8, 1.8, 1.8, 1.8], 2), ([1.8, 3.2, 5.5, 5.5], 8)] {
        let outcomes = Outcomes::of(&speedups);
        assert!(outcomes.of_state(Health::Healthy) <= 0.01, "{speedups:?}");
        assert!(outcomes.of_state(Health::UpTo) >= 0.9, "{speedups:?}");
        let is_missed = |_: Health, good_to: &[u32]| !good_to.is_empty() && !good_to.contains(&limit);
        assert!(outcomes.share(is_missed) <= 0.05, "{speedups:?}");
    }
}

#[test]
fn little_gain_is_never_healthy() {
    for speedups in [[1.6, 2.4, 2.6, 2.65], [1.3, 1.6, 1.9, 2.3], [1.2, 1.4, 1.4, 1.3]] {
        assert_eq!(Outcomes::of(&speedups).of_state(Health::Healthy), 0.0, "{speedups:?}");
    }
    assert!(Outcomes::of(&[1.4, 1.9, 2.4, 3.0]).of_state(Health::Poorly) > 0.8);
}

#[test]
fn a_good_engine_is_healthy() {
    for speedups in [[1.7, 2.9, 5.0, 8.0], [1.9, 3.6, 6.8, 12.5]] {
        assert!(Outcomes::of(&speedups).of_state(Health::Healthy) >= 0.9, "{speedups:?}");
    }
}

#[test]
fn threads_that_fall_from_the_best_are_named() {
    let outcomes = Outcomes::of(&[1.9, 3.3, 3.0, 2.4]);
    assert!(outcomes.share(|health, good_to| health == Health::UpTo && good_to.contains(&4)) >= 0.95);
    let named = outcomes.0.iter().filter(|(_, _, slower)| slower.contains(&16)).count();
    assert!(named * 10 >= EXPERIMENTS * 8, "{named}");
    assert!(outcomes.0.iter().all(|(_, _, slower)| !slower.contains(&4)));
}

/// With two threads: nothing, little, a third, and what a good search has.
#[test]
fn two_threads_are_judged_by_what_they_add() {
    for nothing in [[0.97], [1.0], [1.07]] {
        let outcomes = Outcomes::of(&nothing);
        assert_eq!(outcomes.of_state(Health::Healthy), 0.0, "{nothing:?}");
        assert!(outcomes.share(|health, _| [Health::Gains, Health::Poorly].contains(&health)) <= 0.05, "{nothing:?}");
    }
    let third = Outcomes::of(&[1.3]);
    assert!(third.of_state(Health::Healthy) <= 0.025);
    assert!(third.share(|health, _| [Health::Gains, Health::Poorly].contains(&health)) >= 0.8);
    assert!(Outcomes::of(&[1.75]).of_state(Health::Healthy) >= 0.8);
}
