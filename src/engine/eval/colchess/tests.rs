//! Terms count for the side that has what they are about, and material by stage is as published.

use super::*;
use crate::chess::bitboards::{Bitboards, sliders::Magic};
use crate::chess::{Keys, Setup};

/// Score for White of a position with White to move.
fn score(placement: &str, terms: Terms) -> i32 {
    let setup = format!("{placement} w - - 0 1").parse::<Setup>().unwrap();
    let board = <Bitboards<Magic>>::set_up(&setup, Keys::of_seed(0)).unwrap();
    ColChess::score(ColChess::from_scratch(&board), &mut { terms }, &board).0
}

#[test]
fn each_term_counts_for_its_side() {
    let without = |change: fn(&mut Terms)| {
        let mut terms = Terms::DEFAULT;
        change(&mut terms);
        terms
    };
    let cases: [(&str, Terms, bool); 12] = [
        ("4k3/pppp4/8/8/8/8/PPPP4/2B1KB2", without(|terms| terms.bishop_pair = false), true),
        ("4k3/pppp4/8/8/8/8/PPPP4/2B1K3", without(|terms| terms.game_stage = false), true),
        ("4k3/pppp4/8/8/4N3/8/PPPP4/4K3", without(|terms| terms.knight_centre = false), true),
        ("4k3/pppp4/8/8/8/3K4/PPPP4/R6R", without(|terms| terms.connected_rooks = false), true),
        ("4k3/pppp4/8/8/8/3K4/PPPP3R/7R", without(|terms| terms.doubled_rooks = false), true),
        ("4k3/pppp4/8/8/8/3K4/PPPP3R/7Q", without(|terms| terms.queen_batteries = true), false),
        ("4k3/ppp5/8/4n3/8/3PP3/3P4/4K3", without(|terms| terms.doubled_pawns = false), false),
        ("4k3/ppp5/8/8/4n3/4P3/PP6/4K3", without(|terms| terms.blocked_pawns = false), false),
        ("4k3/p1p1p3/8/8/4n3/3P4/2P1P3/4K3", without(|terms| terms.pawn_chains = false), true),
        ("4k3/ppp5/8/8/8/3R4/8/4K1n1", without(|terms| terms.board_control = false), true),
        ("4k3/ppp5/8/8/8/3R4/8/4K1n1", without(|terms| terms.empty_squares = false), true),
        ("4k3/ppp5/2n5/8/3R4/8/8/4K1N1", without(|terms| terms.hanging_pieces = false), false),
    ];
    for (placement, terms, is_good) in cases {
        let (with, without) = (score(placement, Terms::DEFAULT), score(placement, terms));
        assert!(if is_good { with > without } else { with < without }, "{placement}: {with} {without}");
    }
}

#[test]
fn published_figures_hold() {
    let none = Terms::NOTHING;
    assert_eq!(score("4k3/8/8/8/8/8/PN6/4K3", none), 10 * (100 + 300));
    assert_eq!(score("4k3/8/8/8/8/8/BQR5/4K3", none), 10 * (300 + 900 + 500));
    // Two doubled and blocked pawns instead of two that are not.
    let pawns = Terms { doubled_pawns: true, blocked_pawns: true, ..none };
    assert_eq!(score("4k3/8/8/8/2n5/2P5/2P5/4K3", pawns), 10 * (150 - 300));
    // A pawn that nobody can stop, whoever moves.
    assert!(score("8/8/8/8/8/k7/p6P/7K", Terms::DEFAULT) < -5_000);
    assert!(score("7k/P6p/K7/8/8/8/8/8", Terms::DEFAULT) > 5_000);
}
