//! Mates with their exact distance, stalemate, repetition, the fifty-move rule, promotion to less than a queen.

use splitpoint::chess::{Board, Keys, Move, MoveList, Score, Setup};
use splitpoint::engine::{Line, Options};
use splitpoint::random::SplitMix;
use splitpoint::search::Limits;
use splitpoint::search::table::{Scheme, TableOptions};

use crate::referee::legal_on;
use crate::searching::{ANY_BOARD, AnyBoard, alone, chosen, lockless, outcome, quick, search, settings};

/// The plies to the mate that the side to move can force within so many, by looking at everything.
fn forced_mate(board: &mut AnyBoard, within: u32) -> Option<u32> {
    if within == 0 {
        return None;
    }
    let mut list = MoveList::new();
    board.legal_moves(&mut list);
    let mut shortest = None;
    for mv in &list {
        let undo = board.make(*mv);
        let longest = suffered_mate(board, shortest.unwrap_or(within + 1) - 2);
        board.unmake(*mv, undo);
        if let Some(plies) = longest {
            shortest = Some(plies + 1);
            if plies == 0 {
                break;
            }
        }
    }
    shortest
}

/// The plies to the mate that the side to move cannot avoid within so many.
fn suffered_mate(board: &mut AnyBoard, within: u32) -> Option<u32> {
    let mut list = MoveList::new();
    board.legal_moves(&mut list);
    if list.is_empty() {
        return board.in_check().then_some(0);
    }
    if within == 0 {
        return None;
    }
    let mut longest = 0;
    for mv in &list {
        let undo = board.make(*mv);
        let plies = forced_mate(board, within - 1);
        board.unmake(*mv, undo);
        longest = longest.max(plies? + 1);
    }
    Some(longest)
}

/// A random position with these pieces beside the kings, given as FEN letters.
fn random_position(pieces: &str, random: &mut SplitMix) -> Option<Setup> {
    let mut squares = [' '; 64];
    for piece in pieces.chars().chain("Kk".chars()) {
        let square = random.below(64) as usize;
        if squares[square] != ' ' {
            return None;
        }
        squares[square] = piece;
    }
    let ranks: Vec<String> =
        squares.chunks(8).map(|rank| rank.iter().map(|c| if *c == ' ' { '1' } else { *c }).collect()).collect();
    let fen = format!("{} w - - 0 1", ranks.join("/"));
    fen.parse().ok()
}

#[test]
fn forced_mates_are_found_with_their_exact_distance() {
    let mut random = SplitMix::new(31);
    let mut by_distance = [0; 8];
    while by_distance[3] < 12 || by_distance[5] < 8 {
        let pieces = ["QRp", "QBn", "RRpp", "QNp", "RBN"][random.below(5) as usize];
        let Some(setup) = random_position(pieces, &mut random) else { continue };
        let mut board = AnyBoard::set_up(&setup, Keys::of_seed(0)).unwrap();
        let Some(plies) = forced_mate(&mut board, 5) else { continue };
        if by_distance[plies as usize] >= 12 {
            continue;
        }
        by_distance[plies as usize] += 1;
        for recipe in ["sound", "sound,+two-tier", "thesis", "thesis,-two-tier"] {
            // A leaf does not see that there is no move, so mate takes a ply more than its distance.
            let settings = settings(recipe, plies + 1, 0);
            let answer = search(&setup, &settings, &lockless(&settings, 1 << 20)).answer;
            assert_eq!(answer.score, Score::mate_in(plies), "{setup} {recipe}");
            assert!(answer.line.len() <= plies as usize);
        }
    }
}

#[test]
fn mates_that_others_have_published() {
    let cases = [
        // Mate in 1, 2 and 3 moves; the last is Philidor's smothered mate.
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "a1a8", Score::mate_in(1)),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "a1a6", Score::mate_in(3)),
        ("r6k/6pp/7N/8/8/1Q6/8/6K1 w - - 0 1", "b3g8", Score::mate_in(3)),
        ("5rk1/5Npp/8/3Q4/8/8/8/7K w - - 0 1", "f7h6", Score::mate_in(5)),
    ];
    for (fen, best, score) in cases {
        for recipe in ["thesis", "thesis-as-printed", "sound"] {
            let answer = quick(fen, recipe, 7).answer;
            assert_eq!(answer.score, score, "{fen} {recipe}");
            assert_eq!(answer.best.unwrap().to_string(), best, "{fen} {recipe}");
        }
    }
}

#[test]
fn who_is_mated_or_has_no_move_at_the_root_hears_so() {
    for (fen, score) in
        [("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", Score::mated_in(0)), ("5k2/5P2/5K2/8/8/8/8/8 b - - 0 1", Score::DRAW)]
    {
        let outcome = quick(fen, "thesis", 5);
        assert_eq!((outcome.answer.best, outcome.answer.score, outcome.answer.depth), (None, score, 0));
        assert_eq!(outcome.counters.nodes(), 0);
    }
}

#[test]
fn stalemate_is_a_draw() {
    // A queen ahead: Qb6 and some others would give it away.
    let answer = quick("k7/2Q5/8/8/8/8/8/K7 w - - 0 1", "thesis", 6).answer;
    assert!(answer.score > Score(8_000), "{answer:?}");
    // A rook behind: the rook gives itself up, for taking it is stalemate.
    let answer = quick("1r5k/5Q2/8/8/8/8/P7/K7 b - - 0 1", "thesis", 4).answer;
    assert_eq!((answer.score, answer.best.unwrap().to_string().as_str()), (Score::DRAW, "b8b1"), "{answer:?}");
}

#[test]
fn a_pawn_becomes_a_rook_where_a_queen_would_stalemate() {
    // The end of Barbier and Saavedra's study.
    for recipe in ["thesis", "thesis-as-printed"] {
        let answer = quick("8/2P5/8/8/3r4/8/2K5/k7 w - - 0 1", recipe, 9).answer;
        assert_eq!(answer.best.unwrap().to_string(), "c7c8r", "{answer:?}");
        assert!(answer.score > Score(3_000), "{answer:?}");
    }
}

/// Moves of a game from this position.
fn played(start: &Setup, moves: &str) -> Vec<Move> {
    let mut board = AnyBoard::set_up(start, Keys::of_seed(0)).unwrap();
    let play = |text| {
        let mv = *legal_on(&board).iter().find(|mv| mv.to_string() == text).unwrap();
        let _ = board.make(mv);
        mv
    };
    moves.split_whitespace().map(play).collect()
}

#[test]
fn repetitions_in_the_game_and_in_the_tree() {
    let score = |moves: &str, depth| {
        let settings = settings("thesis", depth, 0);
        let start = "k7/8/8/8/8/8/1q6/7K w - - 0 1".parse().unwrap();
        let line = Line { start: &start, moves: &played(&start, moves) };
        let chosen = chosen(ANY_BOARD, &alone(), "sequential", &settings, &lockless(&settings, 1 << 20));
        outcome(&alone(), &chosen, line, Options::default()).answer.score
    };
    // Kh1 would be the third time.
    let cycle = "h1g1 b2b3 g1h1 b3b2 ";
    let third = format!("{cycle}{cycle}h1g1 b2b3");
    assert_eq!(score(&third, 2), Score::DRAW);
    // Kh1 would be the second: the game alone does not make that a draw.
    assert!(score(&format!("{cycle}h1g1 b2b3"), 2) < Score(-8_000));

    // Far behind, but there is a perpetual check. Without a table, which knows positions but not how they came about.
    let perpetual: Setup = "r4rk1/8/7Q/p7/pp6/ppp5/8/7K w - - 0 1".parse().unwrap();
    let without_table = |recipe: &str| {
        let settings = settings(recipe, 8, 0);
        let none = TableOptions { scheme: Scheme::None, ..lockless(&settings, 0) };
        search(&perpetual, &settings, &none).answer.score
    };
    for preset in ["thesis", "thesis-as-printed"] {
        assert_eq!(without_table(preset), Score::DRAW);
        assert!(without_table(&format!("{preset},-repetition-draws")) < Score(-5_000));
    }
}

#[test]
fn fifty_moves_are_a_draw_but_mate_comes_first() {
    assert_eq!(quick("7k/8/8/8/8/8/1q6/6K1 w - - 99 80", "thesis", 3).answer.score, Score::DRAW);
    assert!(quick("7k/8/8/8/8/8/1q6/6K1 w - - 90 80", "thesis", 3).answer.score < Score(-8_000));
    let mate_with_the_hundredth = "7k/5K2/8/8/8/8/8/6R1 w - - 99 80";
    assert_eq!(quick(mate_with_the_hundredth, "thesis", 3).answer.score, Score::mate_in(1));
    assert_eq!(quick(mate_with_the_hundredth, "thesis-as-printed", 3).answer.score, Score::DRAW);
}

#[test]
fn a_deep_search_of_a_small_ending_stays_within_its_plies() {
    let settings = settings("thesis", 30, 0);
    let limited =
        splitpoint::search::SearchSettings { limits: Limits { nodes: 400_000, ..settings.limits }, ..settings };
    for fen in ["8/8/4k3/8/8/3QK3/8/8 w - - 0 1", "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1"] {
        let outcome = search(&fen.parse().unwrap(), &limited, &lockless(&limited, 1 << 22));
        assert!(outcome.answer.depth >= 6 && outcome.counters.deepest < 256, "{:?}", outcome.answer);
    }
}
