//! Handing positions over: every copy mode gives helpers the same position, and where copying is free, the same search.

use splitpoint::chess::choice::BoardChoice;
use splitpoint::chess::suites::position;
use splitpoint::chess::{Board, InParts};
use splitpoint::machine::VirtualMachine;
use splitpoint::machine::cost::CostModel;
use splitpoint::search::Outcome;

use crate::games::{random_games, replay};
use crate::on_every_board;
use crate::searching::{
    SMALL_TABLE, boards, lockless, mixed_positions, search, search_on, settings, simulated, threads, virtually,
};
use crate::strategies::{scores, without_table};

/// Every copy mode, with the parameters that matter to it.
pub const COPIES: [&str; 9] = [
    "copy=trimmed",
    "copy=whole",
    "copy=compact",
    "copy=partial,copied-parts=0",
    "copy=partial,copied-parts=1",
    "copy=partial,copied-parts=2",
    "copy=partial,copied-parts=3",
    "copy=replay",
    "copy=as-printed,padding=65536",
];

/// Locks under which positions are copied.
pub const COPIERS: [&str; 4] = ["copier=owner-locked", "copier=unlocked", "copier=helper-locked", "copier=both-locked"];

/// Strategies that hand positions over in their own ways.
const STRATEGIES: [&str; 4] =
    ["ybwc,minimum-draft=1", "pv-split", "ybwc-as-printed,minimum-draft=1,-defect-game-record", PRINTED_COPIERS];

/// The printed protocol where helpers copy for themselves and begin with their owner's killers.
const PRINTED_COPIERS: &str =
    "ybwc-as-printed,minimum-draft=1,-defect-game-record,-defect-splitter-copies,-defect-stale-killers";

#[test]
fn parts_make_the_whole_board() {
    fn check<B: Board + InParts>() {
        let keys = splitpoint::chess::Keys::of_seed(0);
        let mut other: Option<B> = None;
        let mut seen = 0;
        replay::<B>(&random_games::<B>(20, 7), keys, |board| {
            seen += 1;
            let target = other.get_or_insert_with(|| board.clone());
            let parts = seen % (B::derived_parts().len() + 2);
            target.copy_parts(board, parts);
            target.rebuild_parts(parts);
            assert!(target == board && target.is_consistent(), "{parts} parts of {}", board.setup());
        });
        assert!(seen > 500);
        let bytes = B::BASE_BYTES + B::derived_parts().iter().map(|part| part.bytes).sum::<usize>();
        assert!(bytes <= size_of::<B>(), "{bytes}");
    }
    on_every_board!(check());
}

/// A search on the virtual machine where coordination costs nothing.
fn freely(board: BoardChoice, text: &str, depth: u32, seed: u64) -> Outcome {
    let settings = settings("thesis", depth, seed);
    let machine = simulated(VirtualMachine { seed, ..VirtualMachine::new(5, CostModel::ideal()) });
    let setup = position("BK12").unwrap().setup;
    search_on(board, &machine, text, &setup, &settings, &lockless(&settings, SMALL_TABLE))
}

/// What a search found and did, without the bytes that it copied.
fn apart_from_bytes(mut outcome: Outcome) -> (String, u64) {
    let bytes = outcome.counters.copied_bytes;
    outcome.counters.copied_bytes = 0;
    outcome.workers.iter_mut().for_each(|(counters, _)| counters.copied_bytes = 0);
    (format!("{outcome:?}"), bytes)
}

#[test]
fn the_same_search_in_every_form_if_copying_is_free() {
    // Virtual machines search alike on all boards; the bytes are those of the one that was asked for.
    for board in ["bitboards", "mailbox", "pieces-rotated"].map(|name| BoardChoice::from_names(name, None).unwrap()) {
        for strategy in STRATEGIES {
            let (expected, _) = apart_from_bytes(freely(board, strategy, 5, 3));
            let mut all_bytes = Vec::new();
            for copy in COPIES {
                let (found, bytes) = apart_from_bytes(freely(board, &format!("{strategy},{copy}"), 5, 3));
                assert!(found == expected, "{strategy},{copy}");
                all_bytes.push(bytes);
            }
            for copier in COPIERS {
                let (found, _) = apart_from_bytes(freely(board, &format!("{strategy},copy=whole,{copier}"), 5, 3));
                assert!(found == expected, "{strategy},{copier}");
            }
            let [trimmed, whole, compact, none, _, _, parts, _, padded] = all_bytes[..] else { unreachable!() };
            assert!(compact < none && none <= parts && parts <= trimmed, "{strategy}: {all_bytes:?}");
            assert!(trimmed <= whole && whole < padded, "{strategy}: {all_bytes:?}");
        }
    }
}

/// Virtual machines search alike on all boards, and count and pay the bytes of the one that was asked for.
#[test]
fn boards_differ_by_their_bytes_in_simulated_time() {
    let of_board = |board: BoardChoice| (board, board.footprint().total);
    let boards: Vec<_> = BoardChoice::all().filter(|board| board.check().is_ok()).map(of_board).collect();
    let [array, mailbox] = ["array", "mailbox"].map(|name| of_board(BoardChoice::from_names(name, None).unwrap()));
    for strategy in STRATEGIES.iter().chain(&["teams,minimum-draft=1", "dts"]) {
        let (expected, of_array) = apart_from_bytes(freely(array.0, strategy, 5, 3));
        let (_, of_mailbox) = apart_from_bytes(freely(mailbox.0, strategy, 5, 3));
        let copies = (of_mailbox - of_array) / (mailbox.1 - array.1) as u64;
        assert!(copies > 10, "{strategy}: {copies}");
        for (board, size) in &boards {
            let (found, bytes) = apart_from_bytes(freely(*board, strategy, 5, 3));
            assert!(found == expected, "{strategy} on {board}");
            assert_eq!(bytes - of_array, copies * (size - array.1) as u64, "{strategy} on {board}");
        }
    }
    let time = |board: BoardChoice| {
        let settings = settings("thesis", 6, 1);
        let table = lockless(&settings, SMALL_TABLE);
        let setup = position("BK12").unwrap().setup;
        search_on(board, &virtually(4, 1), "ybwc", &setup, &settings, &table).answer.nanoseconds
    };
    assert_ne!(time(array.0), time(mailbox.0));
}

#[test]
fn every_form_is_exact_on_threads() {
    let machines = [2, 8].map(threads);
    let mut boards = boards().into_iter().cycle();
    for (i, setup) in mixed_positions(4, 62).iter().enumerate() {
        let settings = settings("sound", 4, i as u64);
        let none = without_table(&settings);
        let expected = scores(&search(setup, &settings, &none));
        for strategy in STRATEGIES {
            for copy in COPIES.iter().chain(&COPIERS) {
                for machine in &machines {
                    let text = format!("{strategy},{copy}");
                    let board = boards.next().unwrap();
                    let found = search_on(board, machine, &text, setup, &settings, &none);
                    assert_eq!(scores(&found), expected, "{setup} {text} {board}");
                }
            }
        }
    }
}
