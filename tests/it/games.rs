//! Random games: where the tests get their positions from.

use splitpoint::chess::order::CanonicalOrder;
use splitpoint::chess::suites::{SUITES, Suite};
use splitpoint::chess::{Board, Keys, Move, MoveList, Setup};
use splitpoint::random::SplitMix;

/// A position to start from, then moves.
pub struct Game {
    pub start: Setup,
    pub moves: Vec<Move>,
}

/// The longest a game is usually played.
const PLIES: usize = 120;

/// Games of random moves, half from the start position and half from positions of the suites. The same seed gives the
/// same games whatever board plays them.
pub fn random_games<B: Board>(count: usize, seed: u64) -> Vec<Game> {
    random_games_of::<B>(PLIES, count, seed)
}

/// Random games of this many plies at most.
pub fn random_games_of<B: Board>(plies: usize, count: usize, seed: u64) -> Vec<Game> {
    let starts = starts();
    let mut random = SplitMix::new(seed);
    (0..count)
        .map(|i| {
            let start =
                if i % 2 == 0 { Setup::start() } else { starts[random.below(starts.len() as u64) as usize].clone() };
            play::<B>(start, plies, &mut random)
        })
        .collect()
}

/// Positions of all suites but that of rare ones, which are nearly decided.
pub fn starts() -> Vec<Setup> {
    let usual = SUITES.iter().filter(|suite| suite.name != "rare");
    usual.flat_map(Suite::positions).map(|epd| epd.setup).collect()
}

fn play<B: Board>(start: Setup, plies: usize, random: &mut SplitMix) -> Game {
    let mut board = B::set_up(&start, Keys::of_seed(0)).unwrap();
    let order = CanonicalOrder::of_seed(0);
    let mut moves = Vec::new();
    while moves.len() < plies && !board.is_fifty_moves() {
        let mut list = MoveList::new();
        board.legal_moves(&mut list);
        if list.is_empty() {
            break;
        }
        order.sort(&mut list);
        let mv = list[random.below(list.len() as u64) as usize];
        let _ = board.make(mv);
        moves.push(mv);
    }
    Game { start, moves }
}

/// Shows a board of this type every position of every game, reached by making the moves.
pub fn replay<B: Board>(games: &[Game], keys: &'static Keys, mut visit: impl FnMut(&mut B)) {
    for game in games {
        let mut board = B::set_up(&game.start, keys).unwrap();
        visit(&mut board);
        for mv in &game.moves {
            let _ = board.make(*mv);
            visit(&mut board);
        }
    }
}

pub fn positions(games: &[Game]) -> usize {
    games.iter().map(|game| game.moves.len() + 1).sum()
}

/// The moves that a generator of this board finds, in canonical order.
pub fn sorted(generate: impl FnOnce(&mut MoveList)) -> Vec<Move> {
    let mut list = MoveList::new();
    generate(&mut list);
    CanonicalOrder::of_seed(0).sort(&mut list);
    list.to_vec()
}
