//! Every evaluation: the same on all boards, the same by addition as from scratch, and blind to who is White.

use splitpoint::chess::{Board, Keys, MoveList, Setup};
use splitpoint::eval::Evaluator;

use crate::games::{Game, random_games, replay};
use crate::on_every_board;
use crate::referee::flipped;
use crate::searching::{AnyBoard, evaluate};

fn scores<B: Board>(evaluator: Evaluator, games: &[Game]) -> Vec<i32> {
    let mut scores = Vec::new();
    replay::<B>(games, Keys::of_seed(0), |board| scores.push(evaluate(evaluator, board).0));
    scores
}

fn gives<B: Board>(evaluator: Evaluator, games: &[Game], expected: &[i32]) {
    assert_eq!(scores::<B>(evaluator, games), expected);
}

#[test]
fn all_boards_agree() {
    let games = random_games::<AnyBoard>(100, 41);
    for evaluator in Evaluator::ALL {
        let expected = scores::<AnyBoard>(*evaluator, &games);
        assert!(expected.len() > 3_000);
        on_every_board!(gives(*evaluator, &games, &expected));
    }
}

#[test]
fn what_a_move_changes_is_added() {
    for evaluator in Evaluator::ALL {
        let mut seen = 0;
        replay::<AnyBoard>(&random_games::<AnyBoard>(100, 42), Keys::of_seed(0), |board| {
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
fn exchanging_the_colours_changes_nothing() {
    for evaluator in Evaluator::ALL {
        let mut seen = 0;
        replay::<AnyBoard>(&random_games::<AnyBoard>(60, 43), Keys::of_seed(0), |board| {
            let flipped = AnyBoard::set_up(&flipped(&board.setup()), Keys::of_seed(0)).unwrap();
            let scores = [board, &flipped].map(|board| evaluate(*evaluator, board));
            assert_eq!(scores[0], scores[1], "{evaluator}: {}", board.setup());
            seen += 1;
        });
        assert!(seen > 1_000);
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
