//! The published perft counts, on every board.

use rayon::prelude::*;
use splitpoint::chess::choice::BoardChoice;
use splitpoint::chess::mailbox::Mailbox;
use splitpoint::chess::perft::{Divide, Leaves, perft};
use splitpoint::chess::suites::Suite;
use splitpoint::chess::{Board, Keys};

use crate::on_every_board;

/// Counts up to this many leaves belong in a test.
const MOST_LEAVES: u64 = 500_000;

fn counts_are_right<B: Board>() {
    Suite::named("perft").unwrap().positions().par_iter().for_each(|epd| {
        let mut board = B::set_up(&epd.setup, Keys::of_seed(0)).unwrap();
        let known = epd.counts.iter().enumerate().filter_map(|(i, count)| Some((i as u32 + 1, (*count)?)));
        for (depth, expected) in known.filter(|(_, expected)| *expected <= MOST_LEAVES) {
            let id = epd.id.as_deref().unwrap();
            assert_eq!(perft(&mut board, depth, Leaves::Counted), expected, "{id} depth {depth}, counted");
            assert_eq!(perft(&mut board, depth, Leaves::Made), expected, "{id} depth {depth}, made");
        }
    });
}

#[test]
fn every_board_counts_what_is_published() {
    on_every_board!(counts_are_right());
}

#[test]
fn a_division_adds_up_to_the_whole() {
    let choices: Vec<BoardChoice> = BoardChoice::all().collect();
    for (i, epd) in Suite::named("thesis-10").unwrap().positions().iter().enumerate() {
        let setup = &epd.setup;
        let board = Mailbox::set_up(setup, Keys::of_seed(0)).unwrap();
        for depth in 1..=4 {
            let choice = choices[(i + depth as usize) % choices.len()];
            let counted = |is_stopped| {
                Divide { setup, depth, leaves: Leaves::Counted, progress: &|_| {}, is_stopped: &|| is_stopped }
                    .on(choice)
            };
            let Ok(parts) = counted(false) else { continue };
            assert_eq!(counted(true), Ok(None));
            let parts = parts.unwrap();
            let whole = perft(&mut board.clone(), depth, Leaves::Made);
            assert_eq!(parts.iter().map(|(_, nodes)| nodes).sum::<u64>(), whole, "{choice} {depth}");
            for (mv, nodes) in parts {
                let mut child = board.clone();
                let _ = child.make(mv);
                assert_eq!(perft(&mut child, depth - 1, Leaves::Counted), nodes, "{choice} {mv}");
            }
        }
    }
}
