//! Mates are exact under all prunings: whatever a search leaves out, it reports no mate that does not exist and none
//! shorter than there is, and a few plies deeper it has found the shortest. The suite `tests/data/mates.epd` is from
//! random games of ours; an exhaustive search proves it anew.

use std::collections::HashMap;

use splitpoint::chess::epd::Epd;
use splitpoint::chess::{Board, Keys, MoveList, Setup};
use splitpoint::search::{Limits, SearchSettings};

use crate::games::{random_games, replay};
use crate::searching::{AnyBoard, features, lockless, mixed_positions, search, settings};

/// Read when the test runs, so that another suite needs no new build.
const SUITE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/mates.epd");
/// Longest mate of the suite, in moves.
const LONGEST: u32 = 5;
/// Depth by which a search with prunings has to find a mate in five, whose length is nine plies: what is left out near
/// the horizon comes to light when the horizon is far enough away.
const DEEPEST_SEARCH: u32 = 40;

/// Searches that leave something out, or look at moves in other ways.
const RECIPES: [&str; 30] = [
    "sound",
    "thesis",
    "modern",
    "modern,+two-tier,evaluation=thesis",
    "thesis,+mate-distance",
    "thesis,+reverse-futility=6,+reverse-futility-margin=500",
    "thesis,razoring=reduced,+razoring-draft=3,+razoring-margin=1000",
    "thesis,razoring=captures,+razoring-draft=3,+razoring-margin=1000",
    "thesis,+internal-deepening=2,+internal-reduction=3",
    "thesis,reductions=roots,+reductions-after=2",
    "thesis,reductions=roots,+reductions-after=2,+reductions-any-move",
    "thesis,reductions=logarithms,+reductions-after=1,+reductions-base=50,+reductions-slope=60",
    "thesis,reductions=exchange",
    "thesis,+late-move-pruning=4,+late-moves-kept=2",
    "thesis,+exchange-pruning=6",
    "thesis,+futility=6,+futility-margin=500,+futility-per-ply=500",
    "thesis,+futility=2,+futility-margin=500,+futility-reduces",
    "thesis,+null-move-by-draft=2,null-move-material=0",
    "thesis,+null-move-by-margin=500,+null-move-above,+null-move-draft=2",
    "thesis,+null-move-verification=3,+mate-threat-extension=100,+null-move-threat-veto",
    "thesis,+quiescence-evasions,+quiescence-checks=2,+quiescence-pushes=1",
    "thesis,+quiescence-widths",
    "thesis,quiescence-order=victims,+losing-captures",
    "thesis,+no-quiescence",
    "thesis,+quiescence-table,+quiescence-evasions",
    "thesis,probcut=4,probcut-margin=500,probcut-reduction=2",
    "thesis,singular-extension=4,singular-margin=20,+singular-multi-cut,singular-negative=1",
    "thesis,+fail-hard,+full-windows",
    "thesis,+aspiration=50,aspiration-widening=doubling",
    "thesis,+revealed-check-extension=50,+one-reply-always,pawn-extension-moves=sixth,+pawn-extension-exchange",
];

/// Nodes of a first search; twice as many, and so on, until the mate is found.
const FEWEST_NODES: u64 = 30_000;

/// Most nodes for a search with these features of a position with a mate in so many moves.
fn nodes_for(recipe: &str, moves: u32) -> u64 {
    match recipe {
        "modern" if moves > 3 => 8_000_000,
        "modern" | "sound" if moves <= 3 => 1_000_000,
        _ if moves <= 3 => 300_000,
        _ => 60_000,
    }
}

/// Exhaustive search for mates, with a memory of positions.
#[derive(Default)]
struct Prover(HashMap<(u64, u32), bool>);

impl Prover {
    /// Whether the side to move mates in at most so many moves.
    fn mates(&mut self, board: &mut AnyBoard, moves: u32) -> bool {
        if moves == 0 {
            return false;
        }
        let key = (board.key(), 2 * moves);
        if let Some(known) = self.0.get(&key) {
            return *known;
        }
        // A short mate is looked for first.
        let found = moves > 1 && self.mates(board, moves - 1) || {
            let mut list = MoveList::new();
            board.legal_moves(&mut list);
            list.iter().any(|mv| {
                let undo = board.make(*mv);
                let mates = (moves > 1 || board.in_check()) && self.is_mated(board, moves - 1);
                board.unmake(*mv, undo);
                mates
            })
        };
        self.0.insert(key, found);
        found
    }

    /// Whether the side to move is mated in at most so many moves of the opponent's, or is mated already.
    fn is_mated(&mut self, board: &mut AnyBoard, moves: u32) -> bool {
        let key = (board.key(), 2 * moves + 1);
        if let Some(known) = self.0.get(&key) {
            return *known;
        }
        let mut list = MoveList::new();
        board.legal_moves(&mut list);
        let is_over = list.is_empty();
        let found = (!is_over || board.in_check())
            && (is_over || moves > 0)
            && list.iter().all(|mv| {
                let undo = board.make(*mv);
                let mates = self.mates(board, moves);
                board.unmake(*mv, undo);
                mates
            });
        self.0.insert(key, found);
        found
    }
}

fn set_up(setup: &Setup) -> AnyBoard {
    AnyBoard::set_up(setup, Keys::of_seed(0)).unwrap()
}

/// Positions of the suite, with the number of moves to mate.
fn suite() -> Vec<(Setup, u32)> {
    let lengths = |epd: &Epd| epd.others.iter().find(|(name, _)| name == "dm").map(|(_, moves)| moves.parse().unwrap());
    let parsed = Epd::parse_all(&std::fs::read_to_string(SUITE).unwrap()).unwrap();
    parsed.into_iter().map(|epd| (epd.setup.clone(), lengths(&epd).expect("every line has the operation dm"))).collect()
}

#[test]
fn the_suite_is_proven_by_exhaustive_search() {
    let suite = suite();
    assert_eq!(suite.len(), 20);
    for moves in 1..=LONGEST {
        assert_eq!(suite.iter().filter(|(_, length)| *length == moves).count(), 4, "mates in {moves}");
    }
    // Of the longest, which take nearly all the time, one.
    for (setup, moves) in
        suite.into_iter().enumerate().filter(|(i, (_, moves))| *moves < LONGEST || i % 4 == 0).map(|(_, one)| one)
    {
        let mut prover = Prover::default();
        let mut board = set_up(&setup);
        assert!(!prover.mates(&mut board, moves - 1), "{setup} is a mate in less than {moves}");
        assert!(prover.mates(&mut board, moves), "{setup} is no mate in {moves}");
    }
}

#[test]
fn mates_are_exact_under_all_prunings() {
    for (i, (setup, moves)) in suite().into_iter().enumerate() {
        for (n, recipe) in RECIPES.into_iter().enumerate() {
            // One mate of each length.
            if recipe != "modern" && (i + n) % 4 != 0 {
                continue;
            }
            let most = nodes_for(recipe, moves);
            let mut nodes = FEWEST_NODES;
            while !finds_it(recipe, &setup, moves as i32, nodes) {
                if nodes >= most {
                    // All mates of today's search; of others, those that few nodes are enough for.
                    assert!(recipe != "modern" && moves > 3, "{recipe}: {setup}, mate in {moves}: not found");
                    break;
                }
                nodes = most.min(2 * nodes);
            }
        }
    }
}

/// Whether a search of so many nodes finds the mate; it finds no shorter one, and keeps what it has found.
fn finds_it(recipe: &str, setup: &Setup, moves: i32, nodes: u64) -> bool {
    let limits = Limits { nodes, ..Limits::depth(DEEPEST_SEARCH) };
    let settings = SearchSettings { features: features(recipe), limits, seed: 0 };
    let answer = search(setup, &settings, &lockless(&settings, 1 << 24)).answer;
    let mates: Vec<i32> = answer.iterations.iter().filter_map(|one| one.score.mate_moves()).collect();
    assert!(mates.iter().all(|found| *found >= moves), "{recipe}: {setup}, mate in {moves}: {mates:?}");
    let is_found = mates.last() == Some(&moves);
    assert_eq!(is_found, mates.contains(&moves), "{recipe}: {setup}: {mates:?}: what is found is kept");
    is_found
}

#[test]
fn every_mate_that_is_reported_exists() {
    let (mut given, mut suffered) = (0, 0);
    let mut positions = mixed_positions(20, 31);
    replay::<AnyBoard>(&random_games::<AnyBoard>(25, 32), Keys::of_seed(0), |board| {
        if board.state().fullmove() % 9 == 4 {
            positions.push(board.setup());
        }
    });
    for (i, setup) in positions.iter().enumerate() {
        for recipe in RECIPES.iter().skip(1 + i % 7).step_by(7) {
            let settings = settings(recipe, 5, i as u64);
            let answer = search(setup, &settings, &lockless(&settings, 1 << 20)).answer;
            let (mut prover, mut board) = (Prover::default(), set_up(setup));
            for iteration in &answer.iterations {
                let says = || format!("{recipe}: {setup}, {} at depth {}", iteration.score, iteration.depth);
                match iteration.score.mate_moves() {
                    Some(moves @ 1..=3) => {
                        given += 1;
                        assert!(prover.mates(&mut board, moves as u32), "{}", says());
                    }
                    Some(moves @ -2..=0) => {
                        suffered += 1;
                        assert!(prover.is_mated(&mut board, -moves as u32), "{}", says());
                    }
                    _ => {}
                }
            }
        }
    }
    assert!(given >= 25 && suffered >= 10, "{given} and {suffered} mates are not much of a test");
}

/// Prints the suite: `cargo test --release --test it mates::find -- --ignored --nocapture`.
#[test]
#[ignore = "prints the suite, which is kept in tests/data"]
fn find() {
    let mut found = vec![0; LONGEST as usize + 1];
    let mut last_game = String::new();
    replay::<AnyBoard>(&random_games::<AnyBoard>(1_500, 41), Keys::of_seed(0), |board| {
        let setup = board.setup();
        let candidate = settings("thesis,-null-move,+quiescence-evasions", 7, 0);
        if found.iter().skip(1).all(|count| *count == 4) || board.state().fullmove() % 3 != 0 {
            return;
        }
        let answer = search(&setup, &candidate, &lockless(&candidate, 1 << 20)).answer;
        let Some(moves @ 1..=5) = answer.score.mate_moves() else { return };
        let start = setup.to_string().split('/').next().unwrap_or_default().to_owned();
        if found[moves as usize] == 4 || start == last_game {
            return;
        }
        let mut prover = Prover::default();
        let Some(length) = (1..=LONGEST).find(|moves| prover.mates(board, *moves)) else { return };
        if found[length as usize] < 4 {
            found[length as usize] += 1;
            last_game = start;
            let fen = setup.to_string();
            println!("{} dm {length};", fen.split(' ').take(4).collect::<Vec<_>>().join(" "));
        }
    });
}
