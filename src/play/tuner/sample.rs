//! Positions of games that weights are fitted to: quiet ones, in which the score of the evaluation should stand for
//! what came of the game.

use rayon::prelude::*;

use crate::Game;
use crate::chess::{Board, Color, Move, MoveList, Score, see};
use crate::eval::Cache;
use crate::eval::classical::tuning::counted;
use crate::random::SplitMix;
use crate::record::{Ending, GameRecord};
use crate::search::features::Features;

/// A position with what came of its game.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// Number of its game.
    pub game: u32,
    /// Weights that count, and how many times more for White than for Black.
    pub counts: Box<[(u16, i16)]>,
    /// Share of the middlegame's sum in the score.
    pub middle: f64,
    /// Factors of the score if Black is ahead, and if White is.
    pub scales: [f64; 2],
    /// Points of White: 1 for a win.
    pub result: f64,
    /// Score of the search for White, in thousandths of a pawn.
    pub score: i32,
}

/// Positions of some games, and the sum of the counts of each weight of a piece's worth over them, as it is mixed for
/// the middlegame and for the endgame.
pub struct Samples {
    /// The positions, in the order of the games and of their moves.
    pub samples: Vec<Sample>,
    /// The sums, of each weight for the middlegame and then for the endgame.
    pub worths: Vec<f64>,
}

/// Score beyond which a game is decided, so that positions teach nothing but that.
const DECIDED: i32 = 10_000;
/// Number of last plies that say what ended an adjudicated game.
const ADJUDICATED: usize = 10;

/// Way in which positions are taken from games.
#[derive(Clone, Copy)]
pub struct Taking<'a> {
    /// Features of the search that played, with the evaluation that is tuned.
    pub features: &'a Features,
    /// Largest number of positions from a game.
    pub most: usize,
    /// Seed by which they are drawn.
    pub seed: u64,
}

/// Takes quiet positions from games, which are drawn by the seed and the number of the game. The evaluation has this
/// number of weights.
pub fn samples(games: &[GameRecord], taking: Taking<'_>, weights: usize) -> Samples {
    // In the order of the games, whatever thread does which.
    let parts: Vec<Vec<(Sample, Vec<u16>)>> = games.par_iter().map(|game| of_game(game, taking)).collect();
    let (mut samples, mut worths) = (Vec::new(), vec![0.0; 2 * weights]);
    for (sample, of_pieces) in parts.into_iter().flatten() {
        for weight in of_pieces {
            worths[2 * usize::from(weight)] += sample.middle;
            worths[2 * usize::from(weight) + 1] += 1.0 - sample.middle;
        }
        samples.push(sample);
    }
    Samples { samples, worths }
}

fn of_game(record: &GameRecord, taking: Taking<'_>) -> Vec<(Sample, Vec<u16>)> {
    let mut game = Game::default();
    if !record.start.is_empty() || !record.opening.split_whitespace().all(|text| game.play_text(text)) {
        return Vec::new();
    }
    let result = f64::from(record.result.half_points(Color::White)) / 2.0;
    let is_adjudicated = matches!(record.ending, Ending::AdjudicatedWin | Ending::AdjudicatedDraw);
    let last = record.scores.len().saturating_sub(if is_adjudicated { ADJUDICATED } else { 0 });
    let mut quiet = Quiet::new(taking.features);
    let mut found = Vec::new();
    for (text, score) in record.moves.split_whitespace().zip(&record.scores).take(last) {
        let board = game.board();
        if score.abs() < DECIDED
            && quiet.is_quiet(board)
            && let Some(counted) = counted(board)
        {
            let sample = Sample {
                game: record.number,
                counts: counted.counts.into(),
                middle: counted.middle,
                scales: counted.scales,
                result,
                score: if board.turn() == Color::White { *score } else { -score },
            };
            found.push((sample, counted.worths));
        }
        if !game.play_text(text) {
            break;
        }
    }
    let mut random = SplitMix::new(SplitMix::new(taking.seed).next() ^ u64::from(record.number));
    let mut chosen: Vec<usize> = (0..found.len()).collect();
    random.shuffle(&mut chosen);
    chosen.truncate(taking.most);
    chosen.sort_unstable();
    let mut found: Vec<Option<_>> = found.into_iter().map(Some).collect();
    chosen.into_iter().filter_map(|place| found[place].take()).collect()
}

/// Judge of whether positions are quiet by an evaluation.
struct Quiet<'a> {
    features: &'a Features,
    cache: Cache,
}

impl<'a> Quiet<'a> {
    fn new(features: &'a Features) -> Self {
        Self { features, cache: features.evaluation.cache(&features.terms) }
    }

    /// Whether the side to move is not in check, and no sequence of captures and promotions is better for it than
    /// standing pat.
    fn is_quiet<B: Board>(&mut self, board: &B) -> bool {
        if board.in_check() {
            return false;
        }
        let standing = self.evaluate(board);
        self.best_of_captures(&mut board.clone(), standing, standing + Score(1)) <= standing
    }

    fn evaluate<B: Board>(&mut self, board: &B) -> Score {
        self.features.evaluation.from_scratch(board).score(&mut self.cache, board)
    }

    /// Score of a position if the side to move may stand pat, capture or promote, within a window.
    fn best_of_captures<B: Board>(&mut self, board: &mut B, mut alpha: Score, beta: Score) -> Score {
        let mut best = self.evaluate(board);
        if best >= beta {
            return best;
        }
        alpha = alpha.max(best);
        let mut list = MoveList::new();
        board.noisy_moves(&mut list);
        // The greatest gain by the least piece first.
        let worth = |kind| see::value(kind).0;
        let gain = |mv: Move| mv.captured().map_or(0, worth) + mv.promoted().map_or(0, worth);
        list.sort_by_key(|mv| (-gain(*mv), worth(mv.piece()), mv.bits()));
        let in_check = board.in_check();
        for mv in list.iter().copied() {
            if !board.is_legal(mv, in_check) {
                continue;
            }
            let undo = board.make(mv);
            let score = -self.best_of_captures(board, -beta, -alpha);
            board.unmake(mv, undo);
            best = best.max(score);
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        best
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    use crate::chess::Keys;
    use crate::chess::mailbox::Mailbox;
    use crate::record::GameResult;
    use crate::search::features::Recipe;

    /// Positions with random counts of so many weights, whose results are drawn with K = 1 from scores by the weights
    /// that are returned.
    pub fn random_samples(number: usize, weights: usize, seed: u64) -> (Vec<Sample>, Vec<f64>) {
        let mut random = SplitMix::new(seed);
        let planted: Vec<f64> = (0..2 * weights).map(|_| random.below(2_000) as f64 - 1_000.0).collect();
        let mut unit = move || random.next() as f64 / 2.0_f64.powi(64);
        let sample = |number: usize| {
            let counts: Box<[(u16, i16)]> = (0..weights)
                .map(|weight| (weight as u16, (unit() * 5.0) as i16 - 2))
                .filter(|(_, count)| *count != 0)
                .collect();
            let middle = unit();
            let sum = |of: usize| -> f64 {
                counts.iter().map(|(weight, count)| planted[2 * usize::from(*weight) + of] * f64::from(*count)).sum()
            };
            let sum = sum(0) * middle + sum(1) * (1.0 - middle);
            let scales = [1.0, if number.is_multiple_of(4) { 0.5 } else { 1.0 }];
            let score = sum * scales[usize::from(sum > 0.0)];
            let wins = unit() < 1.0 / (1.0 + (-score / 1_000.0).exp());
            Sample {
                game: number as u32 / 4,
                counts,
                middle,
                scales,
                result: f64::from(u8::from(wins)),
                score: score as i32,
            }
        };
        ((0..number).map(sample).collect(), planted)
    }

    fn record(moves: &str, result: GameResult, ending: Ending) -> GameRecord {
        let number = moves.split_whitespace().count();
        GameRecord {
            number: 3,
            white: 0,
            start: String::new(),
            opening: "e2e4 e7e5".into(),
            moves: moves.into(),
            scores: (0..number as i32).map(|ply| if ply % 2 == 0 { 100 } else { -90 }).collect(),
            depths: vec![1; number],
            result,
            ending,
            nodes: [1; 2],
            time_ns: [1; 2],
            times_ms: Vec::new(),
            least_left_ms: [None; 2],
            fault: None,
        }
    }

    /// Positions of a game.
    fn taken(game: &GameRecord, most: usize) -> Vec<Sample> {
        let recipe: Recipe = "modern".parse().unwrap();
        let taking = Taking { features: &recipe.features, most, seed: 1 };
        samples(std::slice::from_ref(game), taking, 10_000).samples
    }

    /// Moves with a check and a piece that hangs, and none that mates.
    const MOVES: &str = "g1f3 d7d6 f1b5 c7c6 b5e2 g8f6 d2d3 f8e7";

    #[test]
    fn quiet_positions_are_taken() {
        let game = record(MOVES, GameResult::WhiteWins, Ending::Mate);
        let all = taken(&game, 100);
        // 3. Bb5+ gives check, and after 3... c6 the bishop hangs.
        assert!((4..8).contains(&all.len()), "{}", all.len());
        assert!(all.iter().all(|sample| sample.result == 1.0 && sample.game == 3));
        assert!(all.iter().all(|sample| [100, 90].contains(&sample.score)), "scores are White's");
        let three = taken(&game, 3);
        assert_eq!(three.len(), 3);
        assert!(three.iter().all(|sample| all.contains(sample)));
        let adjudicated = record(MOVES, GameResult::Draw, Ending::AdjudicatedDraw);
        assert!(taken(&adjudicated, 100).is_empty(), "the last plies are left out");
    }

    #[test]
    fn captures_and_checks_are_not_quiet() {
        for (fen, expected) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", true),
            // A queen hangs.
            ("rnb1kbnr/pppppppp/8/8/4q3/3P4/PPP1PPPP/RNBQKBNR w KQkq - 0 1", false),
            // It is protected by a pawn against a queen that could take it.
            ("4k3/8/3p4/4p3/8/8/4Q3/4K3 w - - 0 1", true),
            ("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", false),
            ("7k/P7/8/8/8/8/8/K7 w - - 0 1", false),
        ] {
            let board = Mailbox::set_up(&fen.parse().unwrap(), Keys::of_seed(0)).unwrap();
            let recipe: Recipe = "modern".parse().unwrap();
            assert_eq!(Quiet::new(&recipe.features).is_quiet(&board), expected, "{fen}");
        }
    }
}
