//! Fitting weights to positions by Adam (Kingma and Ba, "Adam: A Method for Stochastic Optimization", 2015), epoch by
//! epoch, until the loss of held-out games no longer falls.
//!
//! Weights that few positions count would follow the noise of those few. So all are pulled towards where they began, by
//! a sum of squares that weighs as much as so many games, and weighs little where many games speak.

use serde::{Deserialize, Serialize};

use super::loss::{PAWN, Weights, add_gradient, fit_k, mean_loss};
use super::sample::Sample;
use crate::random::SplitMix;

/// Options of a fit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Wishes {
    /// Share of the search's own score in what is expected to come of a position.
    pub blend: f64,
    /// Pull towards the weights of the beginning: the weight, in games, of half the square of a change of a pawn.
    pub pull: f64,
    /// Largest step of a weight in the first epoch, in thousandths of a pawn.
    pub rate: f64,
    /// Largest number of epochs.
    pub epochs: u32,
    /// Seed of the order of positions.
    pub seed: u64,
}

/// Largest number of positions of a step.
const BATCH: usize = 4_096;
/// Least number of steps of an epoch.
const STEPS: usize = 8;
/// Number of epochs after which the steps are half as large.
const HALVED_AFTER: f64 = 30.0;
/// Number of epochs without a lower loss of held-out games that end a fit.
const PATIENCE: u32 = 12;

/// Decay of the mean gradient, and of that of its squares.
const DECAYS: (f64, f64) = (0.9, 0.999);
/// Smallest divisor of a step, which keeps it finite; gradients are of the order of 1e-6.
const TINY: f64 = 1e-12;

/// A fit after some epochs: all that the next one needs, as a checkpoint keeps it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fit {
    /// Probability of a win by score: see [`loss`](mod@super::loss).
    pub k: f64,
    /// Weights that it began with.
    pub start: Weights,
    /// Present weights.
    pub weights: Weights,
    /// Mean of the gradients, and of their squares.
    means: (Weights, Weights),
    /// Number of steps.
    steps: u64,
    /// Weights with the lowest loss of held-out games.
    pub best: Weights,
    /// Epoch after which they were found.
    pub best_epoch: u32,
    /// Losses at the beginning and after each epoch.
    pub curve: Vec<Epoch>,
}

/// Losses after an epoch, against the results of the games.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Epoch {
    /// Number of the epoch; 0 is the beginning.
    pub epoch: u32,
    /// Mean loss of the positions that are fitted to.
    pub fitted: f64,
    /// Mean loss of the positions of held-out games.
    pub held_out: f64,
}

impl Fit {
    /// A fit that begins with these weights: K is found for them.
    pub fn new(start: Weights, fitted: &[Sample], held_out: &[Sample]) -> Self {
        let k = fit_k(fitted, &start);
        let epoch = Epoch { epoch: 0, fitted: mean_loss(fitted, &start, k), held_out: mean_loss(held_out, &start, k) };
        let zeros = vec![0.0; start.len()];
        Self {
            k,
            weights: start.clone(),
            means: (zeros.clone(), zeros),
            steps: 0,
            best: start.clone(),
            best_epoch: 0,
            curve: vec![epoch],
            start,
        }
    }

    /// Number of epochs so far.
    pub fn epochs(&self) -> u32 {
        self.curve.len() as u32 - 1
    }

    /// Lowest mean loss of held-out games.
    pub fn lowest(&self) -> f64 {
        self.curve[self.best_epoch as usize].held_out
    }

    /// Mean loss of held-out games after the newest epoch.
    pub fn newest(&self) -> f64 {
        self.curve.last().map_or(f64::NAN, |epoch| epoch.held_out)
    }

    /// Whether there is nothing more to be gained.
    pub fn is_over(&self, wishes: &Wishes) -> bool {
        self.epochs() >= wishes.epochs || self.epochs() - self.best_epoch >= PATIENCE
    }

    /// One epoch: each position is used once. `games` is the number of games that are fitted to.
    pub fn step(&mut self, wishes: &Wishes, games: usize, fitted: &[Sample], held_out: &[Sample]) {
        let epoch = self.epochs() + 1;
        let mut order: Vec<usize> = (0..fitted.len()).collect();
        SplitMix::new(SplitMix::new(wishes.seed).next() ^ u64::from(epoch)).shuffle(&mut order);
        let rate = wishes.rate * 0.5_f64.powf(f64::from(epoch - 1) / HALVED_AFTER);
        for batch in order.chunks(fitted.len().div_ceil(STEPS).clamp(1, BATCH)) {
            let batch: Vec<&Sample> = batch.iter().map(|place| &fitted[*place]).collect();
            let pull = wishes.pull / games as f64 / (PAWN * PAWN);
            let mut gradient: Vec<f64> =
                self.weights.iter().zip(&self.start).map(|(weight, start)| pull * (weight - start)).collect();
            add_gradient(&batch, &self.weights, (self.k, wishes.blend), &mut gradient);
            self.adam(&gradient, rate);
        }
        let losses = (mean_loss(fitted, &self.weights, self.k), mean_loss(held_out, &self.weights, self.k));
        if losses.1 < self.lowest() {
            (self.best_epoch, self.best) = (epoch, self.weights.clone());
        }
        self.curve.push(Epoch { epoch, fitted: losses.0, held_out: losses.1 });
    }

    fn adam(&mut self, gradient: &[f64], rate: f64) {
        self.steps += 1;
        let correction = |decay: f64| 1.0 - decay.powf(self.steps as f64);
        let (first, second) = (correction(DECAYS.0), correction(DECAYS.1));
        let means = self.means.0.iter_mut().zip(&mut self.means.1);
        for ((weight, (mean, square)), slope) in self.weights.iter_mut().zip(means).zip(gradient) {
            *mean = DECAYS.0 * *mean + (1.0 - DECAYS.0) * slope;
            *square = DECAYS.1 * *square + (1.0 - DECAYS.1) * slope * slope;
            *weight -= rate * (*mean / first) / ((*square / second).sqrt() + TINY);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::tests::random_samples;
    use super::*;

    const WEIGHTS: usize = 8;
    const WISHES: Wishes = Wishes { blend: 0.0, pull: 0.0, rate: 20.0, epochs: 150, seed: 1 };

    fn fit(fitted: &[Sample], held_out: &[Sample], wishes: &Wishes) -> Fit {
        let mut fit = Fit::new(vec![0.0; 2 * WEIGHTS], fitted, held_out);
        fit.k = 1.0;
        while !fit.is_over(wishes) {
            fit.step(wishes, 1_000, fitted, held_out);
        }
        fit
    }

    #[test]
    fn planted_weights_are_found_again() {
        let (samples, planted) = random_samples(40_000, WEIGHTS, 3);
        let (fitted, held_out) = samples.split_at(36_000);
        let fit = fit(fitted, held_out, &WISHES);
        for (place, (found, planted)) in fit.best.iter().zip(&planted).enumerate() {
            // Their standard error is about 0.03 pawns.
            assert!((found - planted).abs() < 120.0, "{place}: {found:.0} is not {planted:.0}");
        }
        assert!(fit.lowest() < fit.curve[0].held_out - 0.1, "{:?}", fit.curve);
        assert!(fit.best_epoch > 0 && fit.curve.len() as u32 == fit.epochs() + 1);
    }

    #[test]
    fn threads_and_interruptions_change_nothing() {
        let (samples, _) = random_samples(3_000, WEIGHTS, 4);
        let (fitted, held_out) = samples.split_at(2_700);
        let wishes = Wishes { epochs: 6, pull: 5.0, ..WISHES };
        let by = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| fit(fitted, held_out, &wishes))
        };
        let whole = by(1);
        assert_eq!(whole, by(3));
        let half = Wishes { epochs: 3, ..wishes };
        let text = serde_json::to_string(&fit(fitted, held_out, &half)).unwrap();
        let mut resumed: Fit = serde_json::from_str(&text).unwrap();
        while !resumed.is_over(&wishes) {
            resumed.step(&wishes, 1_000, fitted, held_out);
        }
        assert_eq!(resumed, whole);
    }

    #[test]
    fn a_pull_keeps_weights_where_they_began() {
        let (samples, _) = random_samples(3_000, WEIGHTS, 4);
        let (fitted, held_out) = samples.split_at(2_700);
        let longest = |pull: f64| {
            let fit = fit(fitted, held_out, &Wishes { pull, epochs: 40, ..WISHES });
            fit.weights.iter().fold(0.0_f64, |longest, weight| longest.max(weight.abs()))
        };
        let (free, held) = (longest(0.0), longest(100_000.0));
        assert!(held < free / 4.0, "{held} {free}");
    }
}
