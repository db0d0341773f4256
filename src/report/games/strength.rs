//! Strength in multiples of the opponent's limit: how many times the time or the nodes of the player its opponent needs
//! to score the same. The expected score is a logistic curve of the logarithm of the multiple, fitted to all games of
//! the player; the two games of an opening depend on one another, and are a cluster.

use super::standing::{Played, Work, observations};
use crate::beside::{Beside, BesideCurve};
use crate::record::Tournament;
use crate::statistics::{Interval, Logistic, elo_of_odds};

/// Largest multiple of a limit that an interval may end at.
const FARTHEST: f64 = 1e4;

/// Strength of a player.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Strength {
    /// Place of the player.
    pub player: usize,
    /// Number of its games.
    pub games: u64,
    /// Scores by multiples, ascending.
    pub points: Vec<(f64, Interval)>,
    /// The fitted curve; nothing if there is none, since one side has won everything, or all multiples are the same.
    pub curve: Option<Logistic>,
    /// Multiple at which both score the same.
    pub even: Option<Interval>,
    /// Nodes of the opponent for a move, as a multiple of the player's, where both score the same. Nodes for a move are
    /// taken to be known.
    pub even_nodes: Option<Interval>,
    /// Difference in rating by the curve where the opponent has its limit once.
    pub elo: Option<Interval>,
    /// Time speedup of the same strategy on the same number of processors in another run.
    pub time_speedup: Option<Interval>,
}

impl Strength {
    /// Whether both score the same at a multiple outside of those that were played.
    pub fn is_beyond(&self) -> bool {
        let (Some(even), Some(first), Some(last)) = (self.even, self.points.first(), self.points.last()) else {
            return false;
        };
        !(first.0..=last.0).contains(&even.estimate)
    }

    /// Expected score at a multiple.
    pub fn expected(&self, multiple: f64) -> Option<f64> {
        self.curve.as_ref().map(|curve| curve.expected(&place(multiple)))
    }
}

/// Where a multiple is observed.
fn place(multiple: f64) -> [f64; 2] {
    [1.0, multiple.ln()]
}

/// Strengths of all players that have played.
pub(super) fn strengths(tournament: &Tournament, played: &[Played], beside: Option<&Beside>) -> Vec<Strength> {
    let players = 0..tournament.players.len();
    players.map(|player| strength(tournament, player, played, beside)).filter(|strength| strength.games > 0).collect()
}

/// Strength of a player by its games, of which there may be none.
fn strength(tournament: &Tournament, player: usize, played: &[Played], beside: Option<&Beside>) -> Strength {
    let mut of_player: Vec<(f64, &Played)> = played
        .iter()
        .filter(|one| one.pairing.first == player)
        .filter_map(|one| Some((one.pairing.multiple?, one)))
        .collect();
    of_player.sort_by(|one, other| one.0.total_cmp(&other.0));
    let observations = observations(of_player.iter().map(|(multiple, one)| (place(*multiple).to_vec(), *one)));
    let curve = Logistic::fit(&observations);
    // An end beyond all reason is none.
    let bounded = |even: Interval| Interval {
        low: if even.low < FARTHEST.recip() { 0.0 } else { even.low },
        high: if even.high > FARTHEST { f64::INFINITY } else { even.high },
        ..even
    };
    let even = curve.as_ref().map(|curve| bounded(curve.even().exp()));
    let nodes_at_even = nodes_per_multiple(&of_player);
    let info = &tournament.players[player];
    // In a run the strategy of an engine from outside is its name.
    let strategy = info.strategy.as_ref().or(info.title.as_ref());
    let curve_beside = strategy.and_then(|strategy| of_strategy(beside?, strategy));
    Strength {
        player,
        games: observations.len() as u64,
        points: of_player.iter().map(|(multiple, one)| (*multiple, one.standing.pairs.score())).collect(),
        even,
        even_nodes: even.zip(nodes_at_even).map(|(even, nodes)| even.map(|multiple| multiple * nodes)),
        elo: curve.as_ref().map(|curve| curve.sum(&place(1.0)).map(elo_of_odds)),
        curve,
        time_speedup: curve_beside
            .and_then(|curve| curve.points.iter().find(|point| point.threads == info.processors)?.time_speedup),
    }
}

/// Nodes of the opponent for a move if it has its limit once, as a multiple of the player's. Nothing if a program tells
/// no nodes.
fn nodes_per_multiple(of_player: &[(f64, &Played)]) -> Option<f64> {
    let (mut nodes, mut moves, mut own) = (0.0, 0.0, Work::default());
    for (multiple, played) in of_player {
        let [player, opponent] = played.standing.work;
        nodes += opponent.nodes as f64 / multiple;
        moves += opponent.moves as f64;
        own.nodes += player.nodes;
        own.moves += player.moves;
    }
    let ratio = nodes / moves / own.mean(own.nodes);
    (ratio.is_finite() && ratio > 0.0).then_some(ratio)
}

/// The only curve of a strategy.
fn of_strategy<'a>(beside: &'a Beside, strategy: &str) -> Option<&'a BesideCurve> {
    let mut of_strategy = beside.curves.iter().filter(|curve| curve.strategy == strategy);
    let first = of_strategy.next()?;
    of_strategy.next().is_none().then_some(first)
}
