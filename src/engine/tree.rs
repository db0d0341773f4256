//! The tree of a small search, made of the visits that its workers have noted: which of them searched which node, when,
//! and below which move. Nodes that the table ends, leaves and the quiescence search are in no visit.

use std::collections::HashMap;

use super::Line;
use crate::chess::bitboards::{Bitboards, sliders::Magic};
use crate::chess::{Board, MoveList, notation, with_side};
use crate::search::{Expected, Outcome, SearchSettings, Visit};

/// Number of nodes beyond which no tree is made: nobody can take in more.
pub const MOST_BRANCHES: usize = 5_000;

/// A node of the tree.
#[derive(Clone, Debug)]
pub struct Branch {
    /// Place of the node above in the list; the root has none.
    pub above: Option<usize>,
    /// Move that leads here in standard algebraic notation, or what else does: a null move, or the same position
    /// searched less deep.
    pub by: String,
    /// Number of the worker among all.
    pub worker: usize,
    /// The node that the worker searched, with its time and its end.
    pub visit: Visit,
}

/// A position of the tree, with the moves from it by the keys to which they lead.
struct Known {
    board: Bitboards<Magic>,
    below: HashMap<u64, (String, Bitboards<Magic>)>,
}

impl Known {
    fn new(board: Bitboards<Magic>) -> Self {
        let key = |board: &Bitboards<Magic>| with_side(board.key(), board.turn());
        let mut list = MoveList::new();
        board.legal_moves(&mut list);
        let mut below = HashMap::new();
        if !board.in_check() {
            let mut passed = board.clone();
            let _ = passed.make_null();
            below.insert(key(&passed), ("null move".to_owned(), passed));
        }
        for mv in list.iter().copied() {
            let mut made = board.clone();
            let _ = made.make(mv);
            below.insert(key(&made), (notation::san(&board, mv), made));
        }
        Self { board, below }
    }
}

/// Nodes that were entered from this moment of the run on, in the order of time, each after the one above it; before
/// them a root of each worker that thinks, of which no visit is noted. Nothing if there are too many; nodes whose way
/// from a root is not known are left out.
pub fn tree(line: Line<'_>, settings: &SearchSettings, outcome: &Outcome, since: u64) -> Option<Vec<Branch>> {
    let mut visits: Vec<(usize, Visit)> =
        (0..).zip(&outcome.traces).flat_map(|(id, trace)| trace.visits.iter().map(move |one| (id, *one))).collect();
    visits.retain(|(_, visit)| visit.from >= since && visit.ply > 0);
    visits.sort_by_key(|(worker, visit)| (visit.from, visit.ply, *worker));
    if visits.len() > MOST_BRANCHES {
        return None;
    }
    let mut board = Bitboards::set_up(line.start, settings.keys()).ok()?;
    for mv in line.moves {
        let _ = board.make(*mv);
    }
    let (mut branches, mut known): (Vec<Branch>, Vec<Known>) = (Vec::new(), Vec::new());
    let key = with_side(board.key(), board.turn());
    for (worker, answer) in &outcome.answers {
        let (plies, expected) = (answer.depth as i32, Expected::Pv);
        let visit = Visit { key, ply: 0, plies, expected, from: since, to: None, has_result: true };
        branches.push(Branch { above: None, by: "root".to_owned(), worker: *worker, visit });
        known.push(Known::new(board.clone()));
    }
    for (worker, visit) in visits {
        let is_around =
            |branch: &Branch| branch.visit.from <= visit.from && branch.visit.to.is_none_or(|to| to >= visit.from);
        // The worker's own before others', and of those the last.
        let last = |fits: &dyn Fn(usize) -> bool| {
            let all = || (0..branches.len()).rev().filter(|&place| is_around(&branches[place]) && fits(place));
            all().find(|&place| branches[place].worker == worker).or_else(|| all().next())
        };
        let leads_here =
            |place: usize| branches[place].visit.ply + 1 == visit.ply && known[place].below.contains_key(&visit.key);
        let is_the_same =
            |place: usize| (branches[place].visit.ply, branches[place].visit.key) == (visit.ply, visit.key);
        let (above, by, board) = match (last(&leads_here), last(&is_the_same)) {
            (Some(above), _) => {
                let (by, board) = known[above].below[&visit.key].clone();
                (Some(above), by, board)
            }
            (None, Some(same)) => (Some(same), "the same, less deep".to_owned(), known[same].board.clone()),
            (None, None) => continue,
        };
        branches.push(Branch { above, by, worker, visit });
        known.push(Known::new(board));
    }
    Some(branches)
}
