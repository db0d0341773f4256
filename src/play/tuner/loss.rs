//! The loss that tuning makes small, and its gradient.
//!
//! A score of `s` pawns for White is taken to win with probability `1 / (1 + exp(-K s))`, and the loss of a position is
//! the logarithmic one of that probability for what came of its game (the method is known as "Texel's", after P.
//! Österlund's engine of that name, there with squares). Sums over positions are made chunk by chunk, and the chunks
//! are added in their order: any number of threads finds the same, to the last bit.

use rayon::prelude::*;

use super::sample::Sample;

/// Number of positions of a chunk.
const CHUNK: usize = 256;
/// Unit of scores and weights in a pawn.
pub const PAWN: f64 = 1_000.0;

/// Weights as they are fitted: of each, that for the middlegame and then that for the endgame.
pub type Weights = Vec<f64>;

/// Score of a position for White, in thousandths of a pawn, and the factor of its sum.
fn score(sample: &Sample, weights: &[f64]) -> (f64, f64) {
    let (mut middle, mut end) = (0.0, 0.0);
    for (weight, count) in &sample.counts {
        let place = 2 * usize::from(*weight);
        middle += weights[place] * f64::from(*count);
        end += weights[place + 1] * f64::from(*count);
    }
    let sum = middle * sample.middle + end * (1.0 - sample.middle);
    let scale = sample.scales[usize::from(sum > 0.0)];
    (sum * scale, scale)
}

/// Probability with which White wins, or draws half.
fn expected(k: f64, score: f64) -> f64 {
    1.0 / (1.0 + (-k * score / PAWN).exp())
}

/// Expected outcome of a position: the result of its game, and with a share of `blend` the score of the search.
fn label(sample: &Sample, k: f64, blend: f64) -> f64 {
    (1.0 - blend) * sample.result + blend * expected(k, f64::from(sample.score))
}

/// Logarithmic loss of a score against a label, in a form that never overflows.
fn logarithmic(k: f64, score: f64, label: f64) -> f64 {
    let odds = k * score / PAWN;
    odds.max(0.0) + (-odds.abs()).exp().ln_1p() - label * odds
}

/// Loss of a position against the result of its game.
pub fn loss(sample: &Sample, weights: &[f64], k: f64) -> f64 {
    logarithmic(k, score(sample, weights).0, sample.result)
}

/// Mean loss of positions against the results of their games.
pub fn mean_loss(samples: &[Sample], weights: &[f64], k: f64) -> f64 {
    let sums: Vec<f64> =
        samples.par_chunks(CHUNK).map(|chunk| chunk.iter().map(|sample| loss(sample, weights, k)).sum()).collect();
    sums.iter().sum::<f64>() / samples.len() as f64
}

/// Adds the gradient of the mean loss of some positions against their labels to what is there.
pub fn add_gradient(batch: &[&Sample], weights: &[f64], (k, blend): (f64, f64), gradient: &mut [f64]) {
    let of_chunk = |chunk: &[&Sample]| {
        let mut slopes = vec![0.0; gradient.len()];
        for sample in chunk {
            let (score, scale) = score(sample, weights);
            let label = label(sample, k, blend);
            let slope = (expected(k, score) - label) * k / PAWN * scale;
            for (weight, count) in &sample.counts {
                let place = 2 * usize::from(*weight);
                let by_count = slope * f64::from(*count);
                slopes[place] += by_count * sample.middle;
                slopes[place + 1] += by_count * (1.0 - sample.middle);
            }
        }
        slopes
    };
    let chunks: Vec<Vec<f64>> = batch.par_chunks(CHUNK).map(of_chunk).collect();
    let number = batch.len() as f64;
    for slopes in &chunks {
        gradient.iter_mut().zip(slopes).for_each(|(sum, slope)| *sum += slope / number);
    }
}

/// The K with the least mean loss for these weights, by golden section search on its logarithm, on which the loss has
/// one minimum only.
pub fn fit_k(samples: &[Sample], weights: &[f64]) -> f64 {
    /// Range of K for a pawn, from next to no meaning of scores to one that half a pawn decides.
    const RANGE: (f64, f64) = (0.01, 20.0);
    const STEPS: u32 = 60;
    let golden = (5.0_f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = (RANGE.0.ln(), RANGE.1.ln());
    let at = |ln_k: f64| mean_loss(samples, weights, ln_k.exp());
    let (mut left, mut right) = (high - golden * (high - low), low + golden * (high - low));
    let (mut at_left, mut at_right) = (at(left), at(right));
    for _ in 0..STEPS {
        if at_left < at_right {
            (high, right, at_right) = (right, left, at_left);
            left = high - golden * (high - low);
            at_left = at(left);
        } else {
            (low, left, at_left) = (left, right, at_right);
            right = low + golden * (high - low);
            at_right = at(right);
        }
    }
    f64::midpoint(low, high).exp()
}

#[cfg(test)]
mod tests {
    use super::super::sample::tests::random_samples;
    use super::*;

    #[test]
    fn the_gradient_is_that_of_finite_differences() {
        const STEP: f64 = 1e-2;
        let (samples, weights) = random_samples(700, 12, 5);
        let batch: Vec<&Sample> = samples.iter().collect();
        for blend in [0.0, 0.3] {
            let loss_of = |sample: &Sample, weights: &[f64]| {
                logarithmic(0.8, score(sample, weights).0, label(sample, 0.8, blend))
            };
            let loss_at = |weights: &[f64]| {
                samples.iter().map(|sample| loss_of(sample, weights)).sum::<f64>() / samples.len() as f64
            };
            let mut gradient = vec![0.0; 24];
            add_gradient(&batch, &weights, (0.8, blend), &mut gradient);
            if blend == 0.0 {
                assert!((loss_at(&weights) - mean_loss(&samples, &weights, 0.8)).abs() < 1e-12);
            }
            for place in 0..24 {
                let moved = |step: f64| {
                    let mut moved = weights.clone();
                    moved[place] += step;
                    loss_at(&moved)
                };
                let slope = (moved(STEP) - moved(-STEP)) / (2.0 * STEP);
                assert!((slope - gradient[place]).abs() < 1e-9, "{place}: {slope} {}", gradient[place]);
            }
        }
    }

    #[test]
    fn sums_do_not_depend_on_threads() {
        let (samples, weights) = random_samples(5_000, 30, 6);
        let batch: Vec<&Sample> = samples.iter().collect();
        let by = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let mut gradient = vec![0.0; 60];
            pool.install(|| add_gradient(&batch, &weights, (1.0, 0.1), &mut gradient));
            (gradient, pool.install(|| fit_k(&samples, &weights)))
        };
        assert_eq!(by(1), by(3));
    }

    #[test]
    fn k_has_the_least_loss() {
        let (samples, weights) = random_samples(4_000, 12, 7);
        let k = fit_k(&samples, &weights);
        let at = |k: f64| mean_loss(&samples, &weights, k);
        assert!(at(k) < at(k * 1.02) && at(k) < at(k / 1.02), "{k}");
        // The results were drawn with K = 1.
        assert!((0.8..1.25).contains(&k), "{k}");
    }

    #[test]
    fn losses_of_hopeless_scores_are_finite() {
        for (score, label, expected) in [(1e7, 0.0, 1e4), (-1e7, 1.0, 1e4), (1e7, 1.0, 0.0), (0.0, 0.5, 2.0_f64.ln())] {
            assert!((logarithmic(1.0, score, label) - expected).abs() < 1e-9);
        }
    }
}
