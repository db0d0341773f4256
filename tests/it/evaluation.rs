//! The evaluation: the same on all boards, the same by addition as from nothing, and blind to who is White.

use splitpoint::chess::{Board, Keys, MoveList, Setup};
use splitpoint::eval::{Balance, evaluate};

use crate::games::{Game, random_games, replay};
use crate::on_every_board;
use crate::searching::AnyBoard;

fn scores<B: Board>(games: &[Game]) -> Vec<i32> {
    let mut scores = Vec::new();
    replay::<B>(games, Keys::of_seed(0), |board| scores.push(evaluate(board).0));
    scores
}

fn gives<B: Board>(games: &[Game], expected: &[i32]) {
    assert_eq!(scores::<B>(games), expected);
}

#[test]
fn all_boards_agree() {
    let games = random_games::<AnyBoard>(100, 41);
    let expected = scores::<AnyBoard>(&games);
    assert!(expected.len() > 3_000);
    on_every_board!(gives(&games, &expected));
}

#[test]
fn what_a_move_changes_is_added() {
    let mut seen = 0;
    replay::<AnyBoard>(&random_games::<AnyBoard>(100, 42), Keys::of_seed(0), |board| {
        let (before, us) = (Balance::of(board), board.turn());
        let mut list = MoveList::new();
        board.legal_moves(&mut list);
        for mv in &list {
            let undo = board.make(*mv);
            assert_eq!(before.after(*mv, us), Balance::of(board), "{mv} in {}", board.setup());
            board.unmake(*mv, undo);
            seen += 1;
        }
    });
    assert!(seen > 50_000);
}

#[test]
fn exchanging_the_colours_changes_nothing() {
    let mut seen = 0;
    replay::<AnyBoard>(&random_games::<AnyBoard>(60, 43), Keys::of_seed(0), |board| {
        let flipped = AnyBoard::set_up(&board.setup().flipped(), Keys::of_seed(0)).unwrap();
        assert_eq!(evaluate(board), evaluate(&flipped), "{}", board.setup());
        seen += 1;
    });
    assert!(seen > 1_000);
}

#[test]
fn worked_out_by_hand() {
    let score = |fen: &str| evaluate(&AnyBoard::set_up(&fen.parse::<Setup>().unwrap(), Keys::of_seed(0)).unwrap()).0;
    assert_eq!(score("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), 0);
    // A pawn on e4 for one on e2: 75 for -100.
    assert_eq!(score("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1"), 175);
    assert_eq!(score("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"), -175);
    // Knight 3000 + 100 on d5; kings on g1 (300) and d8 (-300).
    assert_eq!(score("3k4/8/8/3N4/8/8/8/6K1 w - - 0 1"), 3_100 + 600);
}
