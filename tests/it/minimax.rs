//! The search against plain minimax, which looks at every move and knows no window, no table and no order.

use splitpoint::chess::perft::{Leaves, perft};
use splitpoint::chess::{Board, Keys, MoveList, Score, Setup, see};
use splitpoint::eval::Evaluator::Thesis;
use splitpoint::search::table::{Scheme, TableOptions};

use crate::games::{random_games, replay};
use crate::searching::{AnyBoard, SMALL_TABLE, evaluate, lockless, search, settings};

const DEPTH: u32 = 4;
const POSITIONS: usize = 30;
/// Futility pruning by the largest gain that a quiet move has by the squares of the thesis: a king's from the middle
/// of its second rank to its first.
const LARGEST_GAIN_IS_SOUND: &str = "sound,+futility=1,+futility-margin=800";
/// Features that leave the score of minimax as it is.
pub const SOUND: [&str; 26] = [
    "sound",
    "sound,-aspiration",
    "sound,+two-tier",
    "sound,-killers,-history",
    "sound,+two-tier,+defect-demotion-key",
    "sound,+minimax",
    "sound,+mate-distance",
    "sound,+aspiration=20,aspiration-widening=doubling",
    "sound,+aspiration=20,aspiration-widening=two-steps,+aspiration-from=2",
    "sound,+internal-deepening=2",
    "sound,table-move=ignored,capture-order=quiet,-killers,-history",
    "sound,capture-order=victims,+killers-before,+counter-moves,history-form=gravity",
    "sound,+one-killer,history-form=relative",
    "sound,+scored-killers,history-form=by-ply,quiet-order=castling",
    "sound,quiet-order=classes,+aspiration=333,+aspiration-not-mates",
    "sound,+full-windows",
    "sound,+fail-hard",
    "sound,+fail-hard,+full-windows,+aspiration=20,aspiration-widening=two-steps,+mate-distance",
    "sound,+fail-soft",
    "sound,+fail-soft,+aspiration=20,aspiration-widening=two-steps,+mate-distance",
    "sound,+fail-soft,+futility=1,+futility-margin=800,quiescence-order=victims",
    "sound,quiescence-order=victims",
    "sound,+quiescence-table",
    "sound,+quiescence-table,+fail-soft,+two-tier",
    "sound,+quiescence-table,quiescence-order=victims",
    LARGEST_GAIN_IS_SOUND,
];
/// Trees of more leaves than this take minimax too long.
const MOST_LEAVES: u64 = 30_000;

fn minimax(board: &mut AnyBoard, depth: u32, ply: u32) -> Score {
    if depth == 0 {
        return quiet(board);
    }
    let mut list = MoveList::new();
    board.legal_moves(&mut list);
    if list.is_empty() {
        return if board.in_check() { Score::mated_in(ply) } else { Score::DRAW };
    }
    let scores = list.iter().map(|mv| {
        let undo = board.make(*mv);
        let score = -minimax(board, depth - 1, ply + 1);
        board.unmake(*mv, undo);
        score
    });
    scores.max().unwrap()
}

/// Captures that do not lose and promotions are played out; either side may stand.
fn quiet(board: &mut AnyBoard) -> Score {
    let mut best = evaluate(Thesis, board);
    let mut list = MoveList::new();
    board.legal_moves(&mut list);
    for mv in list.iter().filter(|mv| !mv.is_quiet()) {
        if mv.is_capture() && see::see(board, *mv) < Score(0) {
            continue;
        }
        let undo = board.make(*mv);
        best = best.max(-quiet(board));
        board.unmake(*mv, undo);
    }
    best
}

/// Positions whose trees are small: late in random games, and endings.
pub fn small_positions() -> Vec<Setup> {
    let mut found = Vec::new();
    replay::<AnyBoard>(&random_games::<AnyBoard>(400, 21), Keys::of_seed(0), |board| {
        let is_due = found.len() < POSITIONS && board.state().fullmove() % 7 == 3;
        if is_due && perft(board, DEPTH, Leaves::Counted) < MOST_LEAVES && board.count_legal_moves() > 1 {
            found.push(board.setup());
        }
    });
    found.push("8/2k5/8/2P5/8/3K4/8/8 w - - 0 1".parse().unwrap());
    found.push("8/8/8/8/8/4k3/4p3/4K3 b - - 0 1".parse().unwrap());
    found.push("k7/2Q5/8/8/8/8/8/K7 w - - 0 1".parse().unwrap());
    found
}

#[test]
fn sound_features_give_the_score_of_minimax() {
    let positions = small_positions();
    assert!(positions.len() >= POSITIONS, "{}", positions.len());
    let (mut mates, mut draws) = (0, 0);
    for (i, setup) in positions.iter().enumerate() {
        let mut board = AnyBoard::set_up(setup, Keys::of_seed(0)).unwrap();
        let expected: Vec<Score> = (1..=DEPTH).map(|depth| minimax(&mut board, depth, 0)).collect();
        mates += u32::from(expected[3].mate_moves().is_some());
        draws += u32::from(expected[3] == Score::DRAW);
        for (n, recipe) in SOUND.into_iter().enumerate() {
            let settings = settings(recipe, DEPTH, i as u64);
            let scheme = if (i + n) % 2 == 0 { Scheme::Lockless } else { Scheme::None };
            let table = TableOptions { scheme, ..lockless(&settings, SMALL_TABLE) };
            let answer = search(setup, &settings, &table).answer;
            let found: Vec<Score> = answer.iterations.iter().map(|iteration| iteration.score).collect();
            assert_eq!(found, expected, "{setup} {recipe} {scheme:?}");
        }
    }
    assert!(mates >= 1, "positions with mates test more: {mates} mates, {draws} draws");
}

#[test]
fn sound_futility_leaves_moves_out() {
    let positions = small_positions();
    let skipped = positions.iter().map(|setup| {
        let settings = settings(LARGEST_GAIN_IS_SOUND, DEPTH, 0);
        search(setup, &settings, &lockless(&settings, SMALL_TABLE)).counters.skipped_moves
    });
    let skipped: u64 = skipped.sum();
    assert!(skipped > 1_000, "{skipped} moves were left out");
}

#[test]
fn an_early_stop_changes_no_score() {
    // Positions in check with few moves: most with one, some with several that lose by mate but for one.
    let (mut positions, mut stopped, mut with_choice) = (Vec::new(), 0, 0);
    replay::<AnyBoard>(&random_games::<AnyBoard>(200, 22), Keys::of_seed(0), |board| {
        if board.in_check() && (1..=3).contains(&board.count_legal_moves()) {
            positions.push((board.setup(), board.count_legal_moves()));
        }
    });
    for (setup, moves) in &positions {
        let scores = |recipe| {
            let settings = settings(recipe, DEPTH, 0);
            let answer = search(setup, &settings, &lockless(&settings, SMALL_TABLE)).answer;
            (answer.best, answer.iterations.iter().map(|iteration| iteration.score).collect::<Vec<_>>())
        };
        let (whole, early) = (scores("sound"), scores("sound,+root-early-stop"));
        assert_eq!(whole.1[..early.1.len()], early.1, "{setup}");
        if early.1.len() < whole.1.len() {
            (stopped, with_choice) = (stopped + 1, with_choice + u32::from(*moves > 1));
            let is_lost = whole.1.last().is_some_and(|score| *score < -Score::LONGEST_MATE);
            assert!(is_lost || whole.0 == early.0, "{setup}: the only move that does not lose is best");
        }
        assert!(*moves > 1 || early.1.len() == 1, "{setup}: {} iterations for one move", early.1.len());
    }
    assert!(stopped > 0 && with_choice > 0, "{stopped} searches stopped early, {with_choice} with a choice");
}

#[test]
fn every_capture_in_quiescence_is_minimax_too() {
    for setup in small_positions().iter().step_by(8) {
        let settings = settings("sound,+losing-captures", 2, 0);
        let with_losing = search(setup, &settings, &lockless(&settings, SMALL_TABLE)).answer.score;
        let mut board = AnyBoard::set_up(setup, Keys::of_seed(0)).unwrap();
        fn all(board: &mut AnyBoard, depth: u32, ply: u32) -> Score {
            let mut list = MoveList::new();
            board.legal_moves(&mut list);
            let mut best = -Score::INFINITE;
            if depth == 0 {
                best = evaluate(Thesis, board);
            } else if list.is_empty() {
                return if board.in_check() { Score::mated_in(ply) } else { Score::DRAW };
            }
            for mv in list.iter().filter(|mv| depth > 0 || !mv.is_quiet()) {
                let undo = board.make(*mv);
                best = best.max(-all(board, depth.saturating_sub(1), ply + 1));
                board.unmake(*mv, undo);
            }
            best
        }
        assert_eq!(with_losing, all(&mut board, 2, 0), "{setup}");
    }
}
