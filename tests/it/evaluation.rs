//! Every evaluation: the same on all boards, the same by addition as from scratch, and blind to who is White.

use splitpoint::chess::{Board, KeyRule, Keys, MoveList, Numbers, Setup};
use splitpoint::eval::{Evaluator, Terms};
use splitpoint::random::SplitMix;
use splitpoint::settings::Settings;

use crate::games::{Game, positions, random_games, random_games_of, replay};
use crate::on_every_board;
use crate::referee::flipped;
use crate::searching::{AnyBoard, evaluate};

/// Lengths of games in plies, and how many are played of each: the longer, the fewer pieces are left.
const LENGTHS: [(usize, usize); 4] = [(20, 300), (80, 200), (200, 90), (500, 60)];
/// Sets of terms that each evaluation is tried with: those of the presets, and halves of all terms at random.
const SETS: u64 = 3;

fn terms(set: u64) -> Terms {
    let (mut terms, mut random) = (Terms::DEFAULT, SplitMix::new(set));
    for term in Terms::all().iter().filter(|_| set > 0) {
        (term.set)(&mut terms, random.below(2) as i32);
    }
    terms
}

/// Scores of all positions of some games, each from the state that was kept from move to move.
fn scores<B: Board>(evaluator: Evaluator, terms: &Terms, games: &[Game]) -> Vec<i32> {
    let (mut cache, mut scores) = (evaluator.cache(terms), Vec::new());
    for game in games {
        let mut board = B::set_up(&game.start, Keys::of_seed(0)).unwrap();
        let mut state = evaluator.from_scratch(&board);
        scores.push(state.score(&mut cache, &board).0);
        for mv in &game.moves {
            state = state.after(&board, *mv);
            let _ = board.make(*mv);
            scores.push(state.score(&mut cache, &board).0);
        }
    }
    scores
}

fn gives<B: Board>(evaluator: Evaluator, terms: &Terms, games: &[Game], expected: &[i32]) {
    assert_eq!(scores::<B>(evaluator, terms, games), expected, "{evaluator}, {terms:?}");
}

#[test]
fn all_boards_agree_and_exchanging_the_colours_changes_nothing() {
    let games: Vec<Game> =
        LENGTHS.iter().flat_map(|(plies, count)| random_games_of::<AnyBoard>(*plies, *count, 41)).collect();
    assert!(positions(&games) > 50_000, "{}", positions(&games));
    let mut mirrored = Vec::new();
    replay::<AnyBoard>(&games, Keys::of_seed(0), |board| {
        mirrored.push(AnyBoard::set_up(&flipped(&board.setup()), Keys::of_seed(0)).unwrap());
    });
    for evaluator in Evaluator::ALL {
        for set in 0..SETS {
            let terms = terms(set);
            let expected = scores::<AnyBoard>(*evaluator, &terms, &games);
            let mut cache = evaluator.cache(&terms);
            for (board, expected) in mirrored.iter().zip(&expected) {
                // From scratch, too: what a cache remembers and what a state has added up changes nothing.
                let score = evaluator.from_scratch(board).score(&mut cache, board).0;
                assert_eq!(score, *expected, "{evaluator}, {terms:?}: {}", board.setup());
            }
            on_every_board!(gives(*evaluator, &terms, &games, &expected));
        }
    }
}

/// The keys of the print do not tell who is to move, so that a memory of scores has to.
#[test]
fn what_is_remembered_is_of_the_side_to_move() {
    let games = random_games::<AnyBoard>(40, 43);
    for evaluator in Evaluator::ALL {
        let scores = |rule: KeyRule| {
            let (mut cache, mut scores) = (evaluator.cache(&Terms::DEFAULT), Vec::new());
            replay::<AnyBoard>(&games, Keys::of(rule, Numbers::Seeded, 0), |board| {
                let state = evaluator.from_scratch(board);
                scores.push(state.score(&mut cache, board).0);
                if !board.in_check() {
                    let undo = board.make_null();
                    scores.push(state.score(&mut cache, board).0);
                    board.unmake_null(undo);
                }
            });
            scores
        };
        assert_eq!(scores(KeyRule::AsPrinted), scores(KeyRule::Clean), "{evaluator}");
    }
}

#[test]
fn what_a_move_changes_is_added() {
    for evaluator in Evaluator::ALL {
        let mut seen = 0;
        replay::<AnyBoard>(&random_games::<AnyBoard>(70, 42), Keys::of_seed(0), |board| {
            let before = evaluator.from_scratch(board);
            let mut list = MoveList::new();
            board.legal_moves(&mut list);
            for mv in &list {
                let after = before.after(board, *mv);
                let undo = board.make(*mv);
                assert_eq!(after, evaluator.from_scratch(board), "{evaluator}: {mv} in {}", board.setup());
                board.unmake(*mv, undo);
                seen += 1;
            }
        });
        assert!(seen > 50_000);
    }
}

#[test]
fn worked_out_by_hand() {
    let score = |fen: &str| {
        let board = AnyBoard::set_up(&fen.parse::<Setup>().unwrap(), Keys::of_seed(0)).unwrap();
        evaluate(Evaluator::Thesis, &board).0
    };
    assert_eq!(score("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), 0);
    // A pawn on e4 for one on e2: 75 for -100.
    assert_eq!(score("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1"), 175);
    assert_eq!(score("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"), -175);
    // Knight 3000 + 100 on d5; kings on g1 (300) and d8 (-300).
    assert_eq!(score("3k4/8/8/3N4/8/8/8/6K1 w - - 0 1"), 3_100 + 600);
}
