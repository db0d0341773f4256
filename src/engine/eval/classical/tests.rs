//! The sum of the terms is the score, and king and pawn against king is right wherever one looks.

use super::endings::kpk_is_won;
use super::terms::{NUMBER, TERMS, UNSTOPPABLE};
use super::tuning::{count_all, counted};
use super::weights::WEIGHTS;
use super::*;
use crate::chess::bitboards::{Bitboards, sliders::Magic};
use crate::chess::order::CanonicalOrder;
use crate::chess::setup::Parts;
use crate::chess::{CastlingRights, Keys, Move, MoveList, Setup};
use crate::random::SplitMix;

const NO_PIECES: Parts = Parts {
    pieces: [None; 64],
    turn: Color::White,
    castling: CastlingRights::NONE,
    en_passant: None,
    halfmove_clock: 0,
    fullmove: 1,
};

type AnyBoard = Bitboards<Magic>;

/// Visits the positions of some random games.
fn visit_games(games: u32, mut visit: impl FnMut(&AnyBoard)) {
    let (mut random, order) = (SplitMix::new(91), CanonicalOrder::of_seed(0));
    for _ in 0..games {
        let mut board = AnyBoard::set_up(&Setup::start(), Keys::of_seed(0)).unwrap();
        for _ in 0..160 {
            let mut list = MoveList::new();
            board.legal_moves(&mut list);
            if list.is_empty() {
                break;
            }
            order.sort(&mut list);
            let _ = board.make(list[random.below(list.len() as u64) as usize]);
            visit(&board);
        }
    }
}

#[test]
fn counts_times_weights_are_the_score() {
    assert_eq!(TERMS.iter().map(|(_, count, _)| count).sum::<usize>(), NUMBER);
    let terms = &Terms { endings: false, ..Terms::DEFAULT };
    let mut memory = Classical::cache(terms);
    visit_games(6, |board| {
        let state = Classical::from_scratch(board);
        let counts = count_all(board, terms);
        let all = |of: fn((i32, i32)) -> i32| -> i32 {
            counts.0.iter().zip(WEIGHTS).map(|(count, weight)| i32::from(*count) * of(weight)).sum()
        };
        let sum = Mixed::new(all(|weight| weight.0), all(|weight| weight.1));
        let white = tapered(sum, memory.material.balance(state.material, terms).phase);
        assert_eq!(Classical::score(state, &mut memory, board), Score(board.turn().sign() * white));
    });
}

#[test]
fn a_lone_king_outside_the_square_of_a_pawn_does_not_stop_it() {
    // The position, and whether it is too late for the king when White moves, and when Black does.
    for (pieces, with_white, with_black) in [
        ("8/8/8/8/8/7k/P7/4K3", true, true),
        ("8/8/8/8/8/6k1/P7/4K3", true, false),
        ("8/8/8/8/8/P5k1/8/4K3", true, false),
        ("8/8/8/8/8/5k2/P7/4K3", false, false),
        ("8/8/8/P3k3/8/8/8/4K3", true, false),
    ] {
        for (turn, expected) in [("w", with_white), ("b", with_black)] {
            let setup: Setup = format!("{pieces} {turn} - - 0 1").parse().unwrap();
            let board = AnyBoard::set_up(&setup, Keys::of_seed(0)).unwrap();
            assert_eq!(count_all(&board, &Terms::DEFAULT).0[UNSTOPPABLE] == 1, expected, "{setup}");
        }
    }
}

/// Score for White of a position with White to move, and with Black.
fn scores(placement: &str) -> [i32; 2] {
    scores_by(&Terms::DEFAULT, placement)
}

fn scores_by(terms: &Terms, placement: &str) -> [i32; 2] {
    ["w", "b"].map(|turn| {
        let setup = format!("{placement} {turn} - - 0 1").parse::<Setup>().unwrap();
        let board = AnyBoard::set_up(&setup, Keys::of_seed(0)).unwrap();
        let score = Classical::score(Classical::from_scratch(&board), &mut Memory::new(terms), &board);
        board.turn().sign() * score.0
    })
}

#[test]
fn endings_are_known() {
    for nobody_wins in
        ["8/8/4k3/8/8/3NK3/8/8", "8/4k3/8/8/3NN3/4K3/8/8", "8/4b3/4k3/8/8/3NK3/8/8", "8/8/4k3/8/8/4K3/8/8"]
    {
        assert_eq!(scores(nobody_wins), [0, 0], "{nobody_wins}");
    }
    // A pawn of the rim with a bishop that attacks the corner, and with one that does not.
    assert_eq!(scores("k7/8/1K6/P7/8/3B4/8/8").map(|score| score > 5_000), [true; 2]);
    assert_eq!(scores("k7/8/1K6/P7/8/4B3/8/8"), [0, 0]);
    // Bishop and knight drive the king to a corner of the bishop's colour.
    let [wrong, right] = ["k7/8/1KN5/8/8/4B3/8/8", "7k/8/5NK1/8/8/4B3/8/8"].map(scores);
    assert!(right[0] > wrong[0] && wrong[0] > 10_000, "{right:?} {wrong:?}");
    // Rook against pawn: the king before the pawn, a race, and a king that comes too late.
    let [won, race, held] =
        ["8/8/8/8/1k6/1p6/8/1K5R", "8/8/8/4K3/8/1pk5/8/7R", "7K/8/8/8/8/8/1pk5/7R"].map(scores).map(|of| of[1]);
    assert!(won > race && race > held && held >= 0, "{won} {race} {held}");
    // Queen against a pawn on the seventh rank: a knight's pawn loses, a bishop's draws.
    let [lost, drawn] = ["7K/8/8/8/8/8/1pk5/7Q", "7K/8/8/8/8/8/2pk4/7Q"].map(scores).map(|of| of[0]);
    assert!(lost > 5_000 && drawn < 1_000, "{lost} {drawn}");
    // A pawn more is worth less with bishops of different colours.
    let placement = "8/4k1pp/4bp2/8/8/2B2PP1/3K2PP/8";
    let unscaled = scores_by(&Terms { endings: false, ..Terms::DEFAULT }, placement);
    let scaled = scores(placement);
    assert!(unscaled[0] > 0 && scaled[0] < unscaled[0] * 3 / 4, "{scaled:?} {unscaled:?}");
}

#[test]
fn colours_are_weak_without_their_bishop_and_pawns() {
    use super::terms::WEAK_COLOUR;
    let terms = &Terms { weak_colours: true, ..Terms::DEFAULT };
    let count = |placement: &str| {
        let setup = format!("{placement} w - - 0 1").parse::<Setup>().unwrap();
        i32::from(count_all(&AnyBoard::set_up(&setup, Keys::of_seed(0)).unwrap(), terms).0[WEAK_COLOUR])
    };
    // White's squares of the second to fourth rank that count, minus Black's: all its bishops are at home.
    let black = "2b1kb2/8/8/8";
    for (white, expected) in [
        ("8/8/8/2B1KB2", 0),
        // No bishop of the light squares, of which there are twelve, and none at all.
        ("8/8/8/2B1K3", 12),
        ("8/8/8/4K3", 24),
        // A pawn holds its square, and the two of the same colour that it attacks unless they lie beyond.
        ("8/8/4P3/2B1K3", 12 - 3),
        ("4P3/8/8/2B1K3", 12 - 1),
        ("8/8/4P1P1/2B1K3", 12 - 5),
        // Pawns on dark squares hold dark ones, which count with the other bishop.
        ("8/8/3P1P2/2B1K3", 12),
        ("8/8/3P1P2/4KB2", 12 - 5),
        // Pieces hold nothing.
        ("8/5N2/8/2B1K3", 12),
    ] {
        assert_eq!(count(&format!("{black}/{white}")), expected, "{white}");
        // With colours changed.
        let ranks: Vec<&str> = white.rsplit('/').chain(black.rsplit('/')).collect();
        let turned: String = ranks.join("/").chars().map(swapped).collect();
        assert_eq!(count(&turned), -expected, "{turned}");
        let [with_white, with_black] = scores_by(terms, &turned);
        assert_eq!(scores_by(terms, &format!("{black}/{white}")), [-with_black, -with_white], "{turned}");
    }
}

/// A letter of a placement with its colour changed.
fn swapped(piece: char) -> char {
    if piece.is_ascii_uppercase() { piece.to_ascii_lowercase() } else { piece.to_ascii_uppercase() }
}

/// Whether White wins with its pawn, which must be so by the moves too: White needs one that keeps the win, and Black
/// must have none that does not. A pawn that has become a queen or rook wins if it stands. Nothing for an illegal
/// position.
fn is_won_by_moves(board: &mut AnyBoard) -> bool {
    let mut list = MoveList::new();
    board.legal_moves(&mut list);
    let mut keeps = |mv: Move| {
        let undo = board.make(mv);
        let pawn = board.set_of(Piece::new(Color::White, Pawn)).first();
        let wins = match (mv.promoted(), pawn) {
            (Some(Queen | Rook), _) => {
                let mut replies = MoveList::new();
                board.legal_moves(&mut replies);
                let is_lost = replies.iter().any(|reply| reply.is_capture());
                !is_lost && (!replies.is_empty() || board.in_check())
            }
            (Some(_), _) | (None, None) => false,
            (None, Some(pawn)) => {
                let [white, black] = Color::ALL.map(|color| board.king(color));
                kpk_is_won(Color::White, white, pawn, black, board.turn())
            }
        };
        board.unmake(mv, undo);
        wins
    };
    let [some, all] = [list.iter().any(|mv| keeps(*mv)), list.iter().all(|mv| keeps(*mv))];
    if board.turn() == Color::White { some } else { all && (!list.is_empty() || board.in_check()) }
}

/// The counts that tuning gets of a position give its score, but for the rounding of the evaluation.
#[test]
fn counts_phase_and_scale_are_the_score() {
    let (mut known, mut memory) = (0, Memory::default());
    visit_games(12, |board| {
        let found = Classical::score(Classical::from_scratch(board), &mut memory, board);
        let Some(counted) = counted(board) else {
            known += 1;
            return;
        };
        let all = |of: fn((i32, i32)) -> i32| -> f64 {
            let counts = counted.counts.iter();
            counts.map(|(weight, count)| f64::from(i32::from(*count) * of(WEIGHTS[usize::from(*weight)]))).sum()
        };
        let sum = all(|weight| weight.0) * counted.middle + all(|weight| weight.1) * (1.0 - counted.middle);
        let white = sum * counted.scales[usize::from(sum > 0.0)];
        let found = f64::from(if board.turn() == Color::White { found.0 } else { -found.0 });
        assert!((white - found).abs() < 2.0, "{white} is not {found}: {}", board.setup());
    });
    assert!(known < 200, "{known}");
}

#[test]
fn king_and_pawn_against_king_agrees_with_its_moves() {
    let (mut seen, mut won) = (0, 0);
    for number in 0..2 * 64 * 64 * 24 {
        let [pawn, white, black, turn] = [number % 24, number / 24 % 64, number / 24 / 64 % 64, number / 24 / 64 / 64];
        // Positions with a pawn on the other files are mirrored.
        let pawn = Square::at((pawn % 4) as u8, 1 + (pawn / 4) as u8);
        let (white, black, turn) = (Square::wrapping(white), Square::wrapping(black), Color::ALL[turn]);
        if white == black || white == pawn || black == pawn {
            continue;
        }
        let mut parts = Parts { turn, ..NO_PIECES };
        for (square, color, kind) in
            [(white, Color::White, King), (black, Color::Black, King), (pawn, Color::White, Pawn)]
        {
            parts.pieces[square.index()] = Some(Piece::new(color, kind));
        }
        let Ok(setup) = Setup::new(parts) else { continue };
        let mut board = AnyBoard::set_up(&setup, Keys::of_seed(0)).unwrap();
        let is_won = kpk_is_won(Color::White, white, pawn, black, turn);
        assert_eq!(is_won, is_won_by_moves(&mut board), "{setup}");
        seen += 1;
        won += u32::from(is_won);
    }
    // The counts of published tables, too.
    assert_eq!((seen, won), (165_676, 111_282));
}
