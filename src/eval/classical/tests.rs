//! The sum of the terms is the score, and king and pawn against king is right wherever one looks.

use super::endings::kpk_is_won;
use super::tally::Counts;
use super::terms::{NUMBER, TERMS};
use super::tuning::counted;
use super::weights::WEIGHTS;
use super::*;
use crate::chess::bitboards::{Bitboards, sliders::Magic};
use crate::chess::order::CanonicalOrder;
use crate::chess::{Keys, MoveList, Setup};
use crate::random::SplitMix;

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
    visit_games(6, |board| {
        let facts = pawns::Facts::of(board);
        let (mut counts, mut sum) = (Counts::none(), Sum::default());
        pawns::count_structure(&mut counts, &facts);
        pawns::count_structure(&mut sum, &facts);
        count_officers(&mut counts, board, &facts);
        count_officers(&mut sum, board, &facts);
        let all = |of: fn((i32, i32)) -> i32| -> i32 {
            counts.0.iter().zip(WEIGHTS).map(|(count, weight)| i32::from(*count) * of(weight)).sum()
        };
        assert_eq!((all(|weight| weight.0), all(|weight| weight.1)), (sum.mixed.middle, sum.mixed.end));
    });
}

/// What tuning is told of a position gives its score, but for what the evaluation rounds.
#[test]
fn counts_phase_and_scale_are_the_score() {
    let mut known = 0;
    visit_games(12, |board| {
        let found = Classical::score(Classical::from_scratch(board), &mut Default::default(), board);
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

/// Where a side wins with king and pawn against king, some move of its own keeps the win, and every move of the
/// other's; where it does not, none does. A pawn that has become a queen wins if it stands.
#[test]
fn king_and_pawn_against_king_agrees_with_its_moves() {
    let mut random = SplitMix::new(5);
    let (mut seen, mut won) = (0, 0);
    while seen < 20_000 {
        let mut square = || Square::wrapping(random.below(64) as usize);
        let (white, black, pawn) = (square(), square(), square());
        let turn = if random.below(2) == 0 { "w" } else { "b" };
        if matches!(pawn.rank(), 0 | 7) || white == black || white == pawn || black == pawn {
            continue;
        }
        let mut cells = ['1'; 64];
        for (at, piece) in [(white, 'K'), (black, 'k'), (pawn, 'P')] {
            cells[at.index()] = piece;
        }
        let ranks: Vec<String> = cells.chunks(8).rev().map(|rank| rank.iter().collect()).collect();
        let Ok(setup) = format!("{} {turn} - - 0 1", ranks.join("/")).parse::<Setup>() else { continue };
        let mut board = AnyBoard::set_up(&setup, Keys::of_seed(0)).unwrap();
        seen += 1;
        let is_won = kpk_is_won(Color::White, white, pawn, black, board.turn());
        won += u32::from(is_won);
        let mut list = MoveList::new();
        board.legal_moves(&mut list);
        let after: Vec<bool> = list
            .iter()
            .map(|mv| {
                let undo = board.make(*mv);
                let pawns: Vec<Square> = board.squares_of(Piece::new(Color::White, Pawn)).collect();
                let wins = match (mv.promoted(), pawns.first()) {
                    (Some(Queen | Rook), _) => {
                        let mut replies = MoveList::new();
                        board.legal_moves(&mut replies);
                        let is_lost = replies.iter().any(|reply| reply.is_capture());
                        !is_lost && (!replies.is_empty() || board.in_check())
                    }
                    (Some(_), _) | (None, None) => false,
                    (None, Some(pawn)) => {
                        let kings = Color::ALL.map(|color| board.king(color));
                        kpk_is_won(Color::White, kings[0], *pawn, kings[1], board.turn())
                    }
                };
                board.unmake(*mv, undo);
                wins
            })
            .collect();
        let expected = match board.turn() {
            Color::White => after.iter().any(|wins| *wins),
            Color::Black => after.iter().all(|wins| *wins) && (!after.is_empty() || board.in_check()),
        };
        assert_eq!(is_won, expected, "{setup}");
    }
    assert!(won > 5_000 && won < 19_000, "{won}");
}
