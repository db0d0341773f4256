//! The boards against each other and against themselves.

use splitpoint::chess::bitboards::{Bitboards, sliders::Ray};
use splitpoint::chess::mailbox::Mailbox;
use splitpoint::chess::order::CanonicalOrder;
use splitpoint::chess::see::{self, see};
use splitpoint::chess::{
    Board, Checks, Color, Compact, History, KeyRule, Keys, Move, MoveList, Numbers, Piece, Repetitions, Score, Setup,
    Square, SquareSet,
};

use crate::games::{Game, positions, random_games, replay, sorted};
use crate::on_every_board;
use crate::referee::flipped;

const GAMES: usize = 240;
const POSITIONS: usize = 20_000;

/// All that the boards are asked in a position, in an order that is the same for all.
#[derive(Debug, PartialEq)]
struct Answers {
    fen: String,
    key: u64,
    in_check: bool,
    moves: Vec<Move>,
    noisy: Vec<Move>,
    legal: Vec<Move>,
    see: Vec<Score>,
    attackers_without: Vec<[SquareSet; 2]>,
    /// The order in which a search with another seed would try moves of equal worth.
    tried: Vec<i64>,
    squares: Vec<(SquareSet, bool, u32)>,
    attackers: Vec<[SquareSet; 2]>,
    attacks: Vec<(SquareSet, u32)>,
}

fn answers<B: Board>(board: &B) -> Answers {
    let legal = sorted(|list| board.legal_moves(list));
    let order = CanonicalOrder::of_seed(77);
    let mut tried: Vec<i64> = legal.iter().map(|mv| order.key(i64::from(mv.is_quiet()), *mv)).collect();
    tried.sort_unstable();
    Answers {
        fen: board.setup().to_string(),
        key: board.key(),
        in_check: board.in_check(),
        moves: sorted(|list| board.moves(list)),
        noisy: sorted(|list| board.noisy_moves(list)),
        see: legal.iter().map(|mv| see(board, *mv)).collect(),
        attackers_without: legal
            .iter()
            .map(|mv| board.attackers_without(mv.to(), SquareSet::of(mv.from()) | SquareSet::of(mv.victim_square())))
            .collect(),
        legal,
        tried,
        squares: Piece::all()
            .map(|piece| (board.squares_of(piece).collect(), board.has_any(piece), board.count(piece)))
            .collect(),
        attackers: Square::all().map(|square| Color::ALL.map(|color| board.attackers(square, color))).collect(),
        attacks: Square::all().map(|square| (board.attacks_from(square), board.mobility(square))).collect(),
    }
}

fn trace<B: Board>(game: &[Game], keys: &'static Keys) -> Vec<Answers> {
    let mut trace = Vec::new();
    replay::<B>(game, keys, |board| trace.push(answers(board)));
    trace
}

fn answers_like_the_mailbox<B: Board>(game: &[Game], keys: &'static Keys, expected: &[Answers]) {
    for (ours, theirs) in trace::<B>(game, keys).iter().zip(expected) {
        assert_eq!(ours, theirs);
    }
}

#[test]
fn all_boards_give_the_same_answers() {
    let games = random_games::<Mailbox>(GAMES, 4);
    assert!(positions(&games) >= POSITIONS);
    for (i, game) in games.chunks(1).enumerate() {
        let keys = Keys::of_seed(i as u64 % 3);
        let expected = trace::<Mailbox>(game, keys);
        on_every_board!(answers_like_the_mailbox(game, keys, &expected));
    }
}

/// What must hold of every board by itself.
fn is_sound<B: Board>(games: &[Game], keys: &'static Keys) {
    let mut elsewhere: Vec<Move> = Vec::new();
    replay::<B>(games, keys, |board| {
        assert!(board.is_consistent());
        assert_eq!(board.key(), board.recomputed_key());
        let us = board.turn();
        let in_check = board.in_check();
        assert_eq!(in_check, board.is_attacked(board.king(us), !us));

        // The questions agree with each other.
        let attacks: Vec<SquareSet> = Square::all().map(|square| board.attacks_from(square)).collect();
        for target in Square::all() {
            for color in Color::ALL {
                let expected: SquareSet = Square::all()
                    .filter(|from| board.piece_on(*from).is_some_and(|piece| piece.color() == color))
                    .filter(|from| attacks[from.index()].contains(target))
                    .collect();
                assert_eq!(board.attackers(target, color), expected);
                assert_eq!(board.is_attacked(target, color), !expected.is_empty());
            }
            assert!(Piece::all().all(|piece| board.has(piece, target) == (board.piece_on(target) == Some(piece))));
        }
        for square in Square::all() {
            let mut lines = SquareSet::EMPTY;
            for (files, ranks) in [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)] {
                let mut next = square.offset(files, ranks);
                while let Some(to) = next {
                    lines = lines.with(to);
                    next = if board.piece_on(to).is_none() { to.offset(files, ranks) } else { None };
                }
            }
            assert_eq!(board.lines_from(square), lines);
        }
        for piece in Piece::all() {
            let set = board.set_of(piece);
            assert_eq!(set, board.squares_of(piece).collect());
            assert!(set.into_iter().all(|square| board.attacks_of(piece, square) == attacks[square.index()]));
        }

        // The generators agree with each other.
        let moves = sorted(|list| board.moves(list));
        let legal = sorted(|list| board.legal_moves(list));
        let noisy: Vec<Move> = moves.iter().copied().filter(|mv| !mv.is_quiet()).collect();
        let allowed: Vec<Move> = moves.iter().copied().filter(|mv| board.is_legal(*mv, in_check)).collect();
        assert_eq!(sorted(|list| board.noisy_moves(list)), noisy);
        let quiet: Vec<Move> = moves.iter().copied().filter(|mv| mv.is_quiet()).collect();
        assert_eq!(sorted(|list| board.quiet_moves(list)), quiet);
        let quiet_checks: Vec<Move> = quiet.into_iter().filter(|mv| board.gives_check(*mv)).collect();
        assert_eq!(sorted(|list| Checks::on(&*board).quiet_moves(&*board, list)), quiet_checks, "{}", board.setup());
        assert_eq!(legal, allowed);

        for &mv in &legal {
            for least in [-3_000, -999, 0, 1, 2_500] {
                let is_at_least = see::is_at_least(see::Rules::FULL, board, mv, Score(least));
                assert_eq!(is_at_least, see::see(board, mv) >= Score(least), "{mv} in {}", board.setup());
            }
        }

        // A move of another position is found out, whatever made it.
        for mv in moves.iter().chain(&elsewhere) {
            let expected = Some(*mv).filter(|mv| moves.contains(mv));
            assert_eq!(board.move_of_bits(mv.bits()), expected, "{mv} in {}", board.setup());
        }
        elsewhere = moves.clone();

        // Making and taking back leaves nothing behind, and legality is what making shows.
        let checks = Checks::on(&*board);
        for &mv in &moves {
            let before = board.clone();
            assert_eq!(board.piece_on(mv.from()), Some(Piece::new(us, mv.piece())));
            assert_eq!(board.piece_on(mv.victim_square()), mv.captured().map(|kind| Piece::new(!us, kind)));
            let undo = board.make(mv);
            assert!(board.is_consistent(), "{mv}");
            assert_eq!(board.key(), board.recomputed_key(), "{mv}");
            let has_new_rights = board.state().castling() != before.state().castling();
            let is_surprising = mv.promoted().is_some() || has_new_rights || board.state().en_passant().is_some();
            assert_eq!(before.likely_key_after(mv) == board.key(), !is_surprising, "{mv} in {}", before.setup());
            assert_eq!(legal.contains(&mv), !board.is_attacked(board.king(us), !us), "{mv} in {}", before.setup());
            if legal.contains(&mv) {
                assert_eq!(before.gives_check(mv), board.in_check(), "{mv} in {}", before.setup());
                assert_eq!(checks.are_given_by(&before, mv), board.in_check(), "{mv} in {}", before.setup());
            }
            board.unmake(mv, undo);
            assert!(*board == before, "{mv} in {}", before.setup());
        }
        if !in_check {
            let before = board.clone();
            let undo = board.make_null();
            assert_eq!((board.turn(), board.state().reversible()), (!us, 0));
            assert_eq!(board.key(), board.recomputed_key());
            board.unmake_null(undo);
            assert!(*board == before);
        }

        // A board rebuilt from squares and state is the same, whatever it was before.
        let mut rebuilt = B::set_up(&Setup::start(), board.keys()).unwrap();
        Compact::of(board).rebuild(&mut rebuilt);
        assert!(rebuilt == *board && rebuilt.is_consistent());

        // A board made from the written position is the same.
        let again = B::set_up(&board.setup(), board.keys()).unwrap();
        assert_eq!(again.key(), board.key());
        assert_eq!(again.setup(), board.setup());
    });
}

#[test]
fn every_board_is_sound() {
    let games = random_games::<Mailbox>(12, 5);
    on_every_board!(is_sound(&games, Keys::of_seed(0)));
}

#[test]
fn the_printed_rule_is_sound_too() {
    let games = random_games::<Mailbox>(4, 6);
    for numbers in [Numbers::Seeded, Numbers::Printed] {
        let keys = Keys::of(KeyRule::AsPrinted, numbers, 9);
        on_every_board!(is_sound(&games, keys));
        for game in games.chunks(1) {
            let expected = trace::<Mailbox>(game, keys);
            on_every_board!(answers_like_the_mailbox(game, keys, &expected));
        }
    }
}

fn key<B: Board>(rule: KeyRule, fen: &str) -> u64 {
    B::set_up(&fen.parse().unwrap(), Keys::of(rule, Numbers::Printed, 0)).unwrap().key()
}

#[test]
fn keys_follow_their_rule() {
    use KeyRule::{AsPrinted, Clean};
    // Nobody can capture; one can but is pinned; one can but is in check from elsewhere; one can.
    let nobody = ["4k3/8/8/8/4P3/8/8/4K3 b - -", "4k3/8/8/8/4P3/8/8/4K3 b - e3"];
    let pinned = ["8/8/8/8/k2pP2R/8/8/4K3 b - -", "8/8/8/8/k2pP2R/8/8/4K3 b - e3"];
    let in_check = ["8/8/8/8/3pP3/8/R6k/4K3 b - -", "8/8/8/8/3pP3/8/R6k/4K3 b - e3"];
    let possible = ["4k3/8/8/8/3pP3/8/8/4K3 b - -", "4k3/8/8/8/3pP3/8/8/4K3 b - e3"];
    for (pair, clean_is_equal) in [(nobody, true), (pinned, true), (in_check, true), (possible, false)] {
        let [without, with] = pair;
        for key in [key::<Mailbox>, key::<Bitboards<Ray>>] {
            assert_eq!(key(Clean, without) == key(Clean, with), clean_is_equal, "{with}");
            assert_ne!(key(AsPrinted, without), key(AsPrinted, with), "{with}");
        }
    }
    let [white, black] = ["4k3/8/8/8/8/8/8/4K2R w - -", "4k3/8/8/8/8/8/8/4K2R b - -"];
    assert_ne!(key::<Mailbox>(Clean, white), key::<Mailbox>(Clean, black));
    assert_eq!(key::<Mailbox>(AsPrinted, white), key::<Mailbox>(AsPrinted, black));
    assert_ne!(key::<Mailbox>(Clean, "4k3/8/8/8/8/8/8/4K2R w K -"), key::<Mailbox>(Clean, white));
}

fn repeats<B: Board>() {
    let mut board = B::set_up(&Setup::start(), Keys::of_seed(0)).unwrap();
    let mut history = History::with_capacity(64);
    let play = |board: &mut B, history: &mut History, line: &str| {
        for text in line.split_whitespace() {
            history.push(board.key());
            let mut list = MoveList::new();
            board.legal_moves(&mut list);
            let mv = *list.iter().find(|mv| mv.to_string() == text).unwrap();
            let _ = board.make(mv);
        }
    };
    play(&mut board, &mut history, "g1f3 g8f6 f3g1 f6g8");
    assert_eq!(history.repetitions(board.state()), Repetitions { in_tree: 0, in_game: 1 });
    history.mark_root();
    play(&mut board, &mut history, "g1f3 g8f6 f3g1 f6g8");
    assert_eq!(history.repetitions(board.state()), Repetitions { in_tree: 0, in_game: 2 });
    play(&mut board, &mut history, "g1f3");
    assert_eq!(history.repetitions(board.state()), Repetitions { in_tree: 1, in_game: 1 });

    // A helper that takes over only what can come again judges alike.
    let mut helper = History::with_capacity(64);
    assert_eq!(helper.copy_reversible_from(&history, board.state()), 8 * 9);
    assert_eq!(helper.repetitions(board.state()), history.repetitions(board.state()));

    // A pawn move ends it, and nothing needs to be copied.
    play(&mut board, &mut history, "e7e5 f3g1 b8c6 g1f3 c6b8");
    assert_eq!(history.repetitions(board.state()), Repetitions { in_tree: 1, in_game: 0 });
    assert_eq!(helper.copy_reversible_from(&history, board.state()), 8 * 4);
    assert_eq!(helper.repetitions(board.state()), history.repetitions(board.state()));
    for _ in 0..5 {
        history.pop();
    }
    assert_eq!(history.plies(), 9);
}

#[test]
fn repetitions_are_counted_in_tree_and_game() {
    on_every_board!(repeats());
}

#[test]
fn fifty_moves_are_counted() {
    for (fen, expected) in [("4k3/8/8/8/8/8/8/3RK3 w - - 99 80", false), ("4k3/8/8/8/8/8/8/3RK3 w - - 100 80", true)] {
        let board = Mailbox::set_up(&fen.parse().unwrap(), Keys::of_seed(0)).unwrap();
        assert_eq!(board.is_fifty_moves(), expected, "{fen}");
    }
}

/// Promotions can fill every piece list to its end.
fn holds_all_promotions<B: Board>() {
    let fens = [
        "QQQQQQQQ/Q7/8/k7/8/8/8/K7 b - - 0 1",
        "4k3/8/NNNNNNNN/NN6/8/8/8/4K3 b - - 0 1",
        "RRRRRRRR/RR6/8/2k5/8/8/8/4K3 b - - 0 1",
        "4k3/B1B1B1B1/8/B1B1B1B1/8/B7/8/4K3 w - - 0 1",
    ];
    for fen in fens {
        let Ok(setup) = fen.parse::<Setup>() else { panic!("{fen}: {:?}", fen.parse::<Setup>()) };
        for setup in [setup.clone(), flipped(&setup)] {
            let mut board = B::set_up(&setup, Keys::of_seed(0)).unwrap();
            assert!(board.is_consistent(), "{fen}");
            for mv in sorted(|list| board.legal_moves(list)) {
                let undo = board.make(mv);
                assert!(board.is_consistent(), "{fen} {mv}");
                board.unmake(mv, undo);
            }
        }
    }
}

#[test]
fn lists_are_long_enough() {
    on_every_board!(holds_all_promotions());
}
