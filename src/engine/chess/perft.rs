//! Perft: counting the leaves of the tree of all legal moves, the classical test of a board's rules and of its speed.

use std::hint::black_box;

use rayon::prelude::*;

use super::board::{Board, Unsupported};
use super::choice::{BoardChoice, OnBoard};
use super::moves::{Move, MoveList};
use super::setup::Setup;
use super::zobrist::Keys;

/// Treatment of the last ply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaves {
    /// Every leaf's move is made and unmade.
    Made,
    /// The legal moves are counted and not made.
    Counted,
}

/// Number of leaves of the tree of this depth.
///
/// ```
/// use splitpoint_engine::chess::mailbox::Mailbox;
/// use splitpoint_engine::chess::perft::{Leaves, perft};
/// use splitpoint_engine::chess::{Board, Keys, Setup};
///
/// let mut board = Mailbox::set_up(&Setup::start(), Keys::of_seed(0)).unwrap();
/// assert_eq!([1, 2, 3].map(|depth| perft(&mut board, depth, Leaves::Counted)), [20, 400, 8_902]);
/// ```
pub fn perft<B: Board>(board: &mut B, depth: u32, leaves: Leaves) -> u64 {
    match (depth, leaves) {
        (0, _) => return 1,
        (1, Leaves::Counted) => return board.count_legal_moves() as u64,
        _ => {}
    }
    let mut list = MoveList::new();
    board.legal_moves(&mut list);
    let mut nodes = 0;
    for &mv in &list {
        let undo = board.make(mv);
        nodes += if depth == 1 {
            // The compiler must not see that a leaf's move is undone at once.
            black_box(&mut *board);
            1
        } else {
            perft(board, depth - 1, leaves)
        };
        board.unmake(mv, undo);
    }
    nodes
}

/// Leaves to be counted below each legal move of a position. The work is shared among the threads of the current rayon
/// pool.
pub struct Divide<'a> {
    /// The position.
    pub setup: &'a Setup,
    /// Depth of the leaves.
    pub depth: u32,
    /// Treatment of the last ply.
    pub leaves: Leaves,
    /// Called with each finished part.
    pub progress: &'a (dyn Fn(Part) + Sync),
    /// Whether to stop; asked every few milliseconds at least.
    pub is_stopped: &'a (dyn Fn() -> bool + Sync),
}

impl OnBoard for Divide<'_> {
    /// Moves in the order of their notation; `None` if the count was stopped.
    type Output = Result<Option<Vec<(Move, u64)>>, Unsupported>;

    fn on<B: Board>(self) -> Self::Output {
        let board = B::set_up(self.setup, Keys::of_seed(0))?;
        Ok(divide(&board, self.depth, self.leaves, self.progress, self.is_stopped))
    }
}

impl Divide<'_> {
    /// Counts on the board that was chosen.
    ///
    /// # Errors
    /// If this processor cannot run the board.
    pub fn on(self, board: BoardChoice) -> Result<Option<Vec<(Move, u64)>>, Unsupported> {
        board.run(self)
    }
}

fn divide<B: Board>(
    board: &B,
    depth: u32,
    leaves: Leaves,
    progress: &(dyn Fn(Part) + Sync),
    is_stopped: &(dyn Fn() -> bool + Sync),
) -> Option<Vec<(Move, u64)>> {
    let mut list = MoveList::new();
    if depth > 0 {
        board.legal_moves(&mut list);
    }
    let mut roots: Vec<Move> = list.to_vec();
    roots.sort_by_key(Move::to_string);
    // Below each root move its replies are parts of their own, as long as they are worth it.
    let lines = |root: &Move| {
        if depth < 4 {
            return vec![vec![*root]];
        }
        let (mut child, mut replies) = (board.clone(), MoveList::new());
        let _ = child.make(*root);
        child.legal_moves(&mut replies);
        replies.iter().map(|reply| vec![*root, *reply]).collect()
    };
    let parts: Vec<Vec<Move>> = roots.iter().flat_map(lines).collect();
    let counts = count_parts(&parts, progress, &|line| {
        let mut board = board.clone();
        for mv in line {
            let _ = board.make(*mv);
        }
        perft_until(&mut board, depth - line.len() as u32, leaves, is_stopped)
    })?;
    let total = |root| counts.iter().filter(|(own, _)| *own == root).map(|(_, nodes)| nodes).sum();
    Some(roots.into_iter().map(|root| (root, total(root))).collect())
}

/// Leaves below these lines of moves, each with its first move, counted by all threads; `None` if one count was
/// stopped. It is compiled once for all boards.
fn count_parts(
    parts: &[Vec<Move>],
    progress: &(dyn Fn(Part) + Sync),
    count: &(dyn Fn(&[Move]) -> Option<u64> + Sync),
) -> Option<Vec<(Move, u64)>> {
    let count_part = |line: &Vec<Move>| {
        let nodes = count(line)?;
        progress(Part { nodes, of: parts.len() });
        Some((line[0], nodes))
    };
    parts.par_iter().map(count_part).collect()
}

/// [`perft`], unless it is stopped.
fn perft_until<B: Board>(board: &mut B, depth: u32, leaves: Leaves, is_stopped: &dyn Fn() -> bool) -> Option<u64> {
    /// Depth of the parts that are counted in one go.
    const UNDIVIDED: u32 = 3;
    if is_stopped() {
        return None;
    }
    if depth <= UNDIVIDED {
        return Some(perft(board, depth, leaves));
    }
    let mut list = MoveList::new();
    board.legal_moves(&mut list);
    let mut nodes = 0;
    for &mv in &list {
        let undo = board.make(mv);
        let below = perft_until(board, depth - 1, leaves, is_stopped);
        board.unmake(mv, undo);
        nodes += below?;
    }
    Some(nodes)
}

/// Finished part of the work of [`Divide`].
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// Number of leaves of this part.
    pub nodes: u64,
    /// Number of all parts.
    pub of: usize,
}
