//! The seam: an evaluation with another state than the thesis's, and with a cache, goes through the same trait.

use std::collections::HashMap;

use super::thesis::Thesis;
use super::*;
use crate::chess::bitboards::{Bitboards, sliders::Magic};
use crate::chess::mailbox::Mailbox;
use crate::chess::order::CanonicalOrder;
use crate::chess::{Keys, MoveList, Piece, PieceKind, Setup, see};
use crate::random::SplitMix;
use crate::settings::Settings;

#[path = "../../../docs/examples/material.rs"]
mod material;

/// Material, and what the side to move's queens attack. The state is the number of pieces of each kind.
struct Counting;

impl Evaluation for Counting {
    type State = [[u32; 6]; 2];
    /// Scores by key of the position and side to move.
    type Cache = HashMap<(u64, bool), Score>;

    fn change(state: &mut Self::State, piece: Piece, _: Square, count: i32) {
        let number = &mut state[piece.color().index()][piece.kind().index()];
        *number = number.wrapping_add_signed(count);
    }

    fn material(state: Self::State, color: Color) -> Score {
        let of = |color: Color| -> i32 {
            PieceKind::ALL.iter().map(|kind| state[color.index()][kind.index()] as i32 * see::value(*kind).0).sum()
        };
        Score(of(color) - of(!color))
    }

    fn score<B: Board>(state: Self::State, cache: &mut Self::Cache, board: &B) -> Score {
        let us = board.turn();
        *cache.entry((board.key(), us == Color::White)).or_insert_with(|| {
            let queens = board.squares_of(Piece::new(us, PieceKind::Queen));
            let attacked: u32 = queens.map(|square| board.mobility(square)).sum();
            Self::material(state, us) + Score(attacked as i32)
        })
    }
}

/// Scores of all positions of some random games. At each the state kept from move to move is that from scratch, and the
/// score with what the cache remembers is that without.
fn scores<E: Evaluation, B: Board>() -> Vec<Score> {
    let (mut random, order) = (SplitMix::new(44), CanonicalOrder::of_seed(0));
    let (mut scores, mut cache) = (Vec::new(), E::Cache::default());
    for _ in 0..30 {
        let mut board = B::set_up(&Setup::start(), Keys::of_seed(0)).unwrap();
        let mut state = E::from_scratch(&board);
        for _ in 0..100 {
            let mut list = MoveList::new();
            board.legal_moves(&mut list);
            if list.is_empty() {
                break;
            }
            order.sort(&mut list);
            let mv = list[random.below(list.len() as u64) as usize];
            E::advance(&state.clone(), &mut state, &board, mv);
            let _ = board.make(mv);
            assert_eq!(state, E::from_scratch(&board), "after {mv}: {}", board.setup());
            assert_eq!(E::material(state, Color::White), -E::material(state, Color::Black));
            let score = E::score(state, &mut cache, &board);
            assert_eq!(score, E::score(state, &mut E::Cache::default(), &board));
            scores.push(score);
        }
    }
    scores
}

#[test]
fn any_evaluation_goes_through_the_trait() {
    let thesis = scores::<Thesis, Mailbox>();
    assert!(thesis.len() > 2_000);
    assert_eq!(scores::<Thesis, Bitboards<Magic>>(), thesis);
    let counting = scores::<Counting, Mailbox>();
    assert_eq!(scores::<Counting, Bitboards<Magic>>(), counting);
    assert_ne!(counting, thesis);
    let material = scores::<material::Material, Mailbox>();
    assert_eq!(scores::<material::Material, Bitboards<Magic>>(), material);
}

/// Positions of random games, the longer the fewer pieces are left, and some with what random games seldom have.
fn positions() -> Vec<Bitboards<Magic>> {
    let (mut random, order) = (SplitMix::new(45), CanonicalOrder::of_seed(0));
    let rare = [
        "7k/8/8/8/8/5k2/p6P/7K",
        "8/2k5/8/1P6/4K3/8/8/8",
        "3r2k1/pp3ppp/8/8/8/8/PPP2PPP/3RR1K1",
        "6k1/pp3ppp/8/8/3N4/3R4/PPP2PPP/3R2K1",
        "6k1/pp3ppp/8/3pN3/3P1B2/4PB2/PP3PPP/6K1",
    ];
    let rare = rare.iter().filter_map(|placement| format!("{placement} w - - 0 1").parse::<Setup>().ok());
    let set_up = |setup: &Setup| Bitboards::<Magic>::set_up(setup, Keys::of_seed(0)).unwrap();
    let mut positions: Vec<_> = rare.map(|setup| set_up(&setup)).collect();
    for _ in 0..20 {
        let mut board = set_up(&Setup::start());
        for _ in 0..400 {
            let mut list = MoveList::new();
            board.legal_moves(&mut list);
            if list.is_empty() {
                break;
            }
            order.sort(&mut list);
            let _ = board.make(list[random.below(list.len() as u64) as usize]);
            positions.push(board.clone());
        }
    }
    positions
}

/// A term that is left out, or added, changes scores of the evaluations that its meaning names, and of no other.
#[test]
fn a_term_changes_the_evaluations_that_it_names() {
    let positions = positions();
    let scores = |evaluator: Evaluator, terms: &Terms| -> Vec<Score> {
        let mut cache = evaluator.cache(terms);
        positions.iter().map(|board| evaluator.from_scratch(board).score(&mut cache, board)).collect()
    };
    let whole: Vec<_> = Evaluator::ALL.iter().map(|evaluator| scores(*evaluator, &Terms::DEFAULT)).collect();
    for term in Terms::all() {
        let mut terms = Terms::DEFAULT;
        let is_on = (term.get)(&terms) == 1;
        (term.set)(&mut terms, (!is_on).into());
        let changed =
            Evaluator::ALL.iter().zip(&whole).filter(|(evaluator, whole)| scores(**evaluator, &terms) != **whole);
        let changed: Vec<&str> = changed.map(|(evaluator, _)| evaluator.name()).collect();
        let named = term.meaning.rsplit_once('(').map_or("", |(_, names)| names.trim_end_matches(')'));
        assert_eq!(changed.join(", "), named, "'{}'", term.name);
    }
}

#[test]
fn choosing_among_one_costs_nothing() {
    assert!(Evaluator::ALL.len() > 1 || size_of::<State>() == size_of::<<Thesis as Evaluation>::State>());
    assert!(Evaluator::ALL.len() > 1 || size_of::<Cache>() == 0);
}
