//! A node of the main search: what is fixed while its moves are tried, and what changes.

use super::worker::ONE_PLY;
use crate::chess::{Move, Score};

/// What a node is expected to be (Marsland and Popowich 1985; Hsu's and Knuth's types 1, 2 and 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Expected {
    /// On the principal variation: its window is open.
    Pv,
    /// One of its moves will be too good.
    Cut,
    /// All its moves will be tried, and none will be good enough.
    All,
}

/// What is fixed for a node. Small, and copied freely.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// Plies from the root.
    pub ply: usize,
    /// How deep it is still to be searched, in hundredths of a ply.
    pub draft: i32,
    /// A score below or at this is of no interest: there is something better elsewhere.
    pub alpha: Score,
    /// A score at or above this is of no interest: the opponent has something better elsewhere.
    pub beta: Score,
    /// All extensions of the line to it, in hundredths of a ply.
    pub extended: i32,
    /// Whether a null move may be tried.
    pub null_allowed: bool,
    /// What it is expected to be.
    pub expected: Expected,
    /// Whether the side to move is in check; then its moves are all legal.
    pub in_check: bool,
}

/// How far a node has got with its moves.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// The best score so far, or the node's alpha.
    pub alpha: Score,
    /// The move that brought it, or that cut.
    pub best: Option<Move>,
    /// The score that cut.
    pub cut: Option<Score>,
    /// The move that was searched last.
    pub last: Option<Move>,
    /// The score of the node, if it was found elsewhere.
    pub known: Option<Score>,
    /// Moves taken from the list, illegal ones included.
    pub taken: u32,
    /// Legal moves searched or being searched.
    pub searched: u32,
}

/// What a move's score means for its node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// No better than what there was.
    NoBetter,
    /// Better.
    Raised,
    /// Too good: the other moves need not be searched.
    Cut,
}

impl Expected {
    /// What a child is expected to be. A CUT node whose eldest child did not cut has probably no move that does: then
    /// it is an ALL node, and its other children are CUT nodes.
    #[inline(always)]
    #[must_use]
    pub fn child(self, is_eldest: bool) -> Self {
        match self {
            Self::Pv if is_eldest => Self::Pv,
            Self::Cut if is_eldest => Self::All,
            Self::Pv | Self::Cut | Self::All => Self::Cut,
        }
    }
}

impl Node {
    /// The root of an iteration.
    pub fn root(draft: i32, alpha: Score, beta: Score, in_check: bool) -> Self {
        Self { ply: 0, draft, alpha, beta, extended: 0, null_allowed: true, expected: Expected::Pv, in_check }
    }

    /// A child one ply less deep, with this window from its own view.
    #[inline(always)]
    #[must_use]
    pub fn child(&self, alpha: Score, beta: Score, expected: Expected) -> Self {
        Self {
            ply: self.ply + 1,
            draft: self.draft - ONE_PLY,
            alpha,
            beta,
            extended: self.extended,
            null_allowed: true,
            expected,
            in_check: false,
        }
    }

    /// Whole plies still to be searched.
    #[inline(always)]
    pub fn plies(&self) -> i32 {
        self.draft / ONE_PLY
    }
}

impl Progress {
    /// Nothing tried yet.
    #[inline(always)]
    pub fn of(node: &Node) -> Self {
        Self { alpha: node.alpha, best: None, cut: None, known: None, last: None, taken: 0, searched: 0 }
    }

    /// A move has this score.
    #[inline(always)]
    pub fn take(&mut self, mv: Move, score: Score, beta: Score) -> Verdict {
        self.last = Some(mv);
        if score <= self.alpha {
            return Verdict::NoBetter;
        }
        self.best = Some(mv);
        if score >= beta {
            self.cut = Some(score);
            return Verdict::Cut;
        }
        self.alpha = score;
        Verdict::Raised
    }
}

/// What brothers have found so far, for one that is being searched: its own node's progress, or what a split point
/// shares.
pub trait Window {
    /// Whether others may raise alpha while a move is being searched.
    const IS_SHARED: bool;

    /// The best score now. Asked again before a move is searched a second time, since a brother may have raised it.
    fn alpha(&self) -> Score;
}

impl Window for Progress {
    const IS_SHARED: bool = false;

    #[inline(always)]
    fn alpha(&self) -> Score {
        self.alpha
    }
}
