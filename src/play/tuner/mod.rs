//! Tuning: the weights of the evaluation `classical` are fitted to the results of games that our engine plays against
//! itself.
//!
//! Three stages, each deterministic: games ([`Contest`](super::Contest)), quiet positions of them ([`sample`]), and a
//! fit of all weights ([`fit`]) that keeps a tenth of the games back to know when to stop. Nothing comes from
//! elsewhere.

pub mod fit;
mod loss;
mod sample;
mod weights_file;

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::eval::classical::tuning::weights;
use crate::fingerprint::fingerprint;
use crate::random::SplitMix;
use crate::record::GameRecord;
use crate::record::folder::{FolderError, read_json, write_json};
use crate::statistics::{Interval, mean, mean_interval};
use fit::{Fit, Wishes};
use loss::{Weights, loss};
use sample::{Sample, Samples, samples};

pub use sample::Taking;

pub use weights_file::write as write_weights;

/// One game in this many is held out of the fit, to judge the weights by games that they were not fitted to.
const HELD_OUT: usize = 10;
/// Name of the checkpoint.
const CHECKPOINT: &str = "fit.json";

/// Positions of games, those that are fitted to and those that are held out.
pub struct Material {
    fitted: Samples,
    held_out: Samples,
    /// Number of games that are fitted to, and that are held out.
    pub games: [usize; 2],
}

/// Result of a tuning run.
#[derive(Clone, Debug)]
pub struct Tuned {
    /// Weights for the middlegame and for the endgame, in thousandths of a pawn.
    pub weights: Vec<(i32, i32)>,
    /// Factor that all weights got after the fit.
    pub factor: f64,
    /// Winning chances by score, for the weights of the beginning and for the new ones.
    pub k: [f64; 2],
    /// Loss of held-out games with the weights of the beginning, and with the new ones.
    pub losses: [Interval; 2],
    /// Fall of the loss.
    pub gain: Interval,
    /// Number of positions that count each weight, among those that are fitted to.
    pub seen: Vec<u32>,
}

/// Checkpoint of a fit, with what it depends on.
#[derive(Serialize, Deserialize)]
struct Checkpoint {
    asked: Value,
    fit: Fit,
}

/// Fingerprint of the weights of the present program.
pub fn present_weights() -> String {
    fingerprint(weights().iter().flat_map(|weight| [weight.0, weight.1]).map(i32::to_le_bytes))
}

impl Material {
    /// Takes positions from these games.
    pub fn of(games: &[GameRecord], taking: Taking<'_>) -> Self {
        let mut order: Vec<usize> = (0..games.len()).collect();
        SplitMix::new(taking.seed).shuffle(&mut order);
        let (held_out, fitted) = order.split_at(games.len().div_ceil(HELD_OUT));
        let of = |places: &[usize]| {
            let mut places = places.to_vec();
            places.sort_unstable();
            let games: Vec<GameRecord> = places.into_iter().map(|place| games[place].clone()).collect();
            samples(&games, taking, weights().len())
        };
        Self { fitted: of(fitted), held_out: of(held_out), games: [fitted.len(), held_out.len()] }
    }

    /// Number of positions that are fitted to, and that are held out.
    pub fn positions(&self) -> [usize; 2] {
        [self.fitted.samples.len(), self.held_out.samples.len()]
    }

    /// Fits the weights, and keeps a checkpoint after each epoch in the folder, from which a fit that was asked for in
    /// the same way goes on. `watch` is told of each epoch.
    ///
    /// # Errors
    /// If the checkpoint cannot be read or written.
    pub fn fit(&self, folder: &Path, asked: &Value, wishes: &Wishes, watch: impl Fn(&Fit)) -> Result<Fit, FolderError> {
        let (path, [fitted, held_out]) = (folder.join(CHECKPOINT), [&self.fitted.samples, &self.held_out.samples]);
        let is_same = |known: &Checkpoint| known.asked == *asked && known.fit.epochs() <= wishes.epochs;
        let known = read_json::<Checkpoint>(&path).ok().flatten().filter(is_same);
        let mut fit = known.map_or_else(|| Fit::new(flat(weights()), fitted, held_out), |checkpoint| checkpoint.fit);
        while !fit.is_over(wishes) {
            fit.step(wishes, self.games[0], fitted, held_out);
            let checkpoint = Checkpoint { asked: asked.clone(), fit };
            write_json(&path, &checkpoint)?;
            fit = checkpoint.fit;
            watch(&fit);
        }
        Ok(fit)
    }

    /// Weights of a fit as a program can use them.
    pub fn tuned(&self, fit: &Fit) -> Tuned {
        // The fit is free to find a larger or smaller unit of all scores, but margins of the search and exchanges count
        // in thousandths of a pawn. So the new weights are brought back to where all pieces on the boards of the
        // positions, with their squares, are worth together what they were. The weight of a pawn alone would be no
        // measure: it can be exchanged for those of its squares.
        let worth = |weights: &Weights| -> f64 { weights.iter().zip(&self.fitted.worths).map(|(a, b)| a * b).sum() };
        let factor = worth(&fit.start) / worth(&fit.best);
        let weights: Vec<(i32, i32)> = fit
            .best
            .chunks_exact(2)
            .map(|pair| ((pair[0] * factor).round() as i32, (pair[1] * factor).round() as i32))
            .collect();
        let k = [fit.k, fit.k / factor];
        let of = |weights: &[f64], k: f64| by_game(&self.held_out.samples, weights, k);
        let (before, after) = (of(&fit.start, k[0]), of(&flat(&weights), k[1]));
        let gain: Vec<f64> = before.iter().zip(&after).map(|(before, after)| before - after).collect();
        let mut seen = vec![0; weights.len()];
        for sample in &self.fitted.samples {
            sample.counts.iter().for_each(|(weight, _)| seen[usize::from(*weight)] += 1);
        }
        let losses = [mean_interval(&before), mean_interval(&after)];
        Tuned { weights, factor, k, losses, gain: mean_interval(&gain), seen }
    }
}

/// Weights as they are fitted.
fn flat(weights: &[(i32, i32)]) -> Weights {
    weights.iter().flat_map(|weight| [f64::from(weight.0), f64::from(weight.1)]).collect()
}

/// Mean loss of the positions of each game.
fn by_game(samples: &[Sample], weights: &[f64], k: f64) -> Vec<f64> {
    let of_game = |game: &[Sample]| mean(&game.iter().map(|sample| loss(sample, weights, k)).collect::<Vec<_>>());
    samples.chunk_by(|a, b| a.game == b.game).filter_map(of_game).collect()
}

/// Settings that a fit depends on, beside the games of its folder.
pub fn asked(games: usize, positions: usize, wishes: &Wishes) -> Value {
    json!({
        "games": games,
        "positions": positions,
        "blend": wishes.blend,
        "pull": wishes.pull,
        "rate": wishes.rate,
        "seed": wishes.seed,
        "weights": present_weights(),
        "version": env!("CARGO_PKG_VERSION"),
    })
}
