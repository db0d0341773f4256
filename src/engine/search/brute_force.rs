//! The tree of all legal moves to a depth, walked in two ways (Reul 2009, appendix A): the same leaves, without a
//! window that would make the tree depend on anything. So what is compared is the cost of the board alone.

use super::node::LAST_PLY;
use super::strategy::{Sequential, Strategy};
use super::table::{Hint, Scheme, Tables};
use super::worker::Worker;
use super::{SearchSettings, Session};
use crate::chess::{Board, History, MoveList};
use crate::machine::Processor;

/// Number of leaves of the tree, by generating the pseudo-legal moves of each node, making each, and rejecting it if
/// the own king is attacked. A leaf's move is made too.
pub fn basic<B: Board>(board: &mut B, depth: u32) -> u64 {
    let mut list = MoveList::new();
    board.moves(&mut list);
    let us = board.turn();
    let mut leaves = 0;
    for &mv in &list {
        let undo = board.make(mv);
        if !board.is_attacked(board.king(us), !us) {
            leaves += if depth <= 1 { 1 } else { basic(board, depth - 1) };
        }
        board.unmake(mv, undo);
    }
    leaves
}

/// Prepares a walk of the tree below a position, which was set up with the keys of these settings, by a worker of a
/// search: evasions in check, and each move picked by the search's move ordering. `measured` is handed the walk, which
/// returns the number of leaves, when all else is ready.
pub fn advanced<B: Board, P: Processor, T>(
    processor: &P,
    settings: &SearchSettings,
    root: &B,
    depth: u32,
    measured: impl FnOnce(&mut dyn FnMut() -> u64) -> T,
) -> T {
    let tables = Tables::new(&settings.table(Scheme::None, 0), 1, 1);
    let past = History::with_capacity(0);
    let session = Session::new(root, &past, settings, &tables, &Sequential, 1);
    session.with_worker(processor, |worker| measured(&mut || worker.count_leaves(depth.min(LAST_PLY as u32), 0)))
}

impl<B: Board, P: Processor, S: Strategy> Worker<'_, B, P, S> {
    fn count_leaves(&mut self, depth: u32, ply: usize) -> u64 {
        let top = self.moves.len();
        let mut list = MoveList::new();
        let in_check = self.board.in_check();
        if in_check {
            self.generate(B::legal_moves, &mut list);
        } else {
            self.generate(B::moves, &mut list);
        }
        let mut picker = self.rank(&list, ply, Hint::NONE);
        let mut leaves = 0;
        while let Some(mv) = self.pick(&mut picker) {
            if !in_check && !self.board.is_legal(mv, false) {
                continue;
            }
            let undo = self.board.make(mv);
            leaves += if depth <= 1 { 1 } else { self.count_leaves(depth - 1, ply + 1) };
            self.board.unmake(mv, undo);
        }
        self.moves.truncate(top);
        leaves
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::choice::OnBoard;
    use crate::chess::perft::{Leaves, perft};
    use crate::chess::suites::Suite;
    use crate::chess::{Setup, choice::BoardChoice};
    use crate::machine::{Machine, Pin, Program, RealMachine, Waiting};
    use crate::search::Limits;
    use crate::search::features::Preset;

    struct Walk<'a, B: Board>(&'a B, SearchSettings);

    impl<B: Board> Program for Walk<'_, B> {
        type Output = u64;

        fn run<P: Processor>(&self, processor: &P) -> u64 {
            advanced(processor, &self.1, self.0, 3, |walk| walk())
        }
    }

    struct Counts<'a>(&'a Setup);

    impl OnBoard for Counts<'_> {
        type Output = ();

        fn on<B: Board>(self) {
            let settings = SearchSettings { features: Preset::Thesis.features(), limits: Limits::depth(3), seed: 0 };
            let Ok(mut board) = B::set_up(self.0, settings.keys()) else { return };
            let expected = perft(&mut board, 3, Leaves::Counted);
            assert_eq!(basic(&mut board, 3), expected, "{}", self.0);
            let machine = RealMachine::new(1, &Pin::None, Waiting::Park).unwrap();
            assert_eq!(machine.run(&Walk(&board, settings)).unwrap().outputs, [expected], "{}", self.0);
        }
    }

    #[test]
    fn both_walks_count_what_perft_counts() {
        for epd in Suite::named("perft").unwrap().positions() {
            for choice in [BoardChoice::Mailbox, BoardChoice::from_names("bitboards", None).unwrap()] {
                choice.run(Counts(&epd.setup));
            }
        }
    }
}
