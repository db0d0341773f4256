//! State of an open node: who is there, the moves that nobody has taken yet, and what was found so far.

use super::super::shared_node::SharedNode;
use crate::chess::{Move, Score};
use crate::search::Place;

/// State of the open node, guarded by the point's lock.
pub struct State {
    /// Whether a helper may come.
    pub is_open: bool,
    /// Moment since which helpers may come.
    pub open_since: u64,
    pub shared: SharedNode,
    /// Moves that will be searched, in their order, with their places among all legal ones: some are left out.
    pub moves: Vec<(Move, Place)>,
    /// Places in this list of moves that have been taken and given back.
    pub given_back: Vec<usize>,
    /// Number of workers that search a move with the open window. Nobody takes another meanwhile.
    pub researching: u32,
    /// Number of helpers at work here now.
    pub helpers: u32,
    /// Number of helpers that have come.
    pub joined: u32,
    /// Whether somebody had to leave a move unfinished.
    pub is_broken: bool,
}

impl State {
    /// Nothing is open.
    pub fn closed() -> Self {
        Self {
            is_open: false,
            open_since: 0,
            shared: SharedNode::empty(),
            moves: Vec::new(),
            given_back: Vec::new(),
            researching: 0,
            helpers: 0,
            joined: 0,
            is_broken: false,
        }
    }

    /// Number of moves that no worker has taken.
    pub fn left(&self) -> usize {
        self.moves.len() - self.shared.next + self.given_back.len()
    }

    /// Whether moves may be taken.
    pub fn gives_moves(&self) -> bool {
        self.shared.progress.cut.is_none() && self.researching == 0 && self.left() > 0
    }

    /// Takes the next move, with its place in the list and among all.
    pub fn take(&mut self) -> Option<(usize, Place, Move)> {
        if !self.gives_moves() {
            return None;
        }
        self.shared.progress.searched += 1;
        let earliest = (0..self.given_back.len()).min_by_key(|i| self.given_back[*i]);
        let listed = if let Some(earliest) = earliest {
            self.given_back.swap_remove(earliest)
        } else {
            self.shared.next += 1;
            self.shared.next - 1
        };
        let (mv, place) = self.moves[listed];
        Some((listed, place, mv))
    }

    /// Notes the score of a move that was not better, and takes the next, which is not the last: what mostly happens
    /// where nobody has come to help. Nothing is done otherwise.
    #[inline(always)]
    pub fn go_on_alone(&mut self, mv: Move, score: Score) -> Option<(usize, Place, Move)> {
        let Self { shared, moves, .. } = self;
        let is_usual = self.joined == 0 && self.researching == 0 && self.given_back.is_empty();
        if !is_usual || shared.progress.cut.is_some() || score > shared.progress.score {
            return None;
        }
        let listed = shared.next;
        let [(next, place), _, ..] = *moves.get(listed..)? else { return None };
        shared.progress.last = Some(mv);
        shared.progress.searched += 1;
        shared.done_alone += 1;
        shared.next += 1;
        Some((listed, place, next))
    }

    /// Gives back a move whose search was given up.
    pub fn give_back(&mut self, listed: usize) {
        self.shared.progress.searched -= 1;
        self.given_back.push(listed);
    }
}
