//! A node of the main search: what is fixed while its moves are tried, and what changes.

use std::ops::ControlFlow;

use crate::chess::{Move, Score};

/// A ply of draft: drafts are counted in hundredths of a ply.
pub const ONE_PLY: i32 = 100;
/// Length of the longest line. Mate scores reach further.
pub const MAX_PLY: usize = 256;
/// Ply at which a position is evaluated whatever is left of its draft.
pub(super) const LAST_PLY: usize = MAX_PLY - 2;

/// Outcome of a technique that may end a node before its moves are searched: the node goes on, or breaks off with
/// the result of its search, which is missing if that was stopped.
pub(super) type Tried = ControlFlow<Option<Score>>;
/// Next step at a move: a node to be searched, or a result, which is missing if the search was stopped.
pub(crate) type Below = ControlFlow<Option<Score>, Node>;

/// Type that a node is expected to be of (Marsland and Popowich 1985; Hsu's and Knuth's types 1, 2 and 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Expected {
    /// Node of the principal variation: its window is open.
    Pv,
    /// Node at which a move will be too good.
    Cut,
    /// Node whose moves will all be tried, and none will be good enough.
    All,
}

/// A node: all that is fixed while its moves are tried. Small, and copied freely.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// Plies from the root.
    pub ply: usize,
    /// Depth still to be searched, in hundredths of a ply.
    pub draft: i32,
    /// Lower bound of the window: a score at or below it is of no interest, there is something better elsewhere.
    pub alpha: Score,
    /// Upper bound of the window: a score at or above it is of no interest, the opponent has something better
    /// elsewhere.
    pub beta: Score,
    /// Sum of the extensions of the line that leads here, in hundredths of a ply.
    pub extended: i32,
    /// Whether a null move may be tried.
    pub null_allowed: bool,
    /// Expected type of the node.
    pub expected: Expected,
    /// Whether the side to move is in check; then its moves are all legal.
    pub in_check: bool,
    /// Whether the same position is being searched deeper, further up the stack.
    pub is_again: bool,
    /// Static evaluation, if a feature wants it and the side to move is not in check.
    pub standing: Option<Score>,
    /// Static evaluations of the two nodes before, the last first.
    pub standings_before: [Option<Score>; 2],
    /// Plies by which the first move is searched deeper, or less deep if they are negative.
    pub first_deeper: i8,
    /// Whether the node is one of the principal variation, or the table says that it once was, if that is asked for.
    pub once_pv: bool,
}

/// Progress of a node through its moves.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Best score so far, or the node's alpha.
    pub alpha: Score,
    /// Best score so far, or the node's alpha; with the feature `fail-soft` it may be below that.
    pub score: Score,
    /// Move that raised alpha last, or that cut.
    pub best: Option<Move>,
    /// Score of the move that cut.
    pub cut: Option<Score>,
    /// Move that was searched last.
    pub last: Option<Move>,
    /// Score of the node, if another worker has found it.
    pub known: Option<Score>,
    /// Moves taken from the list, illegal ones included.
    pub taken: u32,
    /// Legal moves searched or being searched.
    pub searched: u32,
}

/// Place of a move among the legal moves of its node.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Number of moves before it.
    pub number: u32,
    /// Whether the move gets the whole window.
    pub is_eldest: bool,
    /// Reduction of the depth of the move in hundredths of a ply, if it is known already.
    pub reduction: Option<i32>,
}

impl Place {
    /// Place of a move that others have gone before.
    pub fn later(number: u32) -> Self {
        Self { number, is_eldest: false, reduction: None }
    }
}

/// Meaning of a move's score for its node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The move is no better than those before it.
    NoBetter,
    /// The move is better, and raises alpha.
    Raised,
    /// The move is too good for the opponent to allow it: the others need not be searched.
    Cut,
}

impl Expected {
    /// Expected type of a child. A CUT node whose eldest child did not cut has probably no move that does: then
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
    /// Node at the root of an iteration.
    pub fn root(draft: i32, alpha: Score, beta: Score, in_check: bool) -> Self {
        Self {
            ply: 0,
            draft,
            alpha,
            beta,
            extended: 0,
            null_allowed: true,
            expected: Expected::Pv,
            in_check,
            is_again: false,
            standing: None,
            standings_before: [None; 2],
            first_deeper: 0,
            once_pv: false,
        }
    }

    /// Child one ply less deep, with this window from the child's view.
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
            is_again: false,
            standing: None,
            standings_before: [self.standing, self.standings_before[0]],
            first_deeper: 0,
            once_pv: false,
        }
    }

    /// Child of a younger brother, with a null window above alpha.
    #[inline(always)]
    pub(super) fn narrow_child(&self, alpha: Score) -> Self {
        self.child(-alpha - Score(1), -alpha, self.expected.child(false))
    }

    /// Gives the node more draft, or less if this is negative.
    #[inline(always)]
    pub(super) fn deepen_by(&mut self, more: i32) {
        self.draft += more;
        self.extended += more.max(0);
    }

    /// Whether the static evaluation is above that of two plies before, as far as both are known.
    #[inline(always)]
    pub fn is_rising(&self) -> bool {
        matches!((self.standing, self.standings_before[1]), (Some(now), Some(before)) if now > before)
    }

    /// Draft in whole plies.
    #[inline(always)]
    pub fn plies(&self) -> i32 {
        self.draft / ONE_PLY
    }

    /// Class of draft and expected type: where the node is counted in [`ByKind`](crate::counts::ByKind).
    #[inline(always)]
    pub fn kind(&self) -> (usize, usize) {
        let class = match self.plies() {
            ..=2 => 0,
            3..=5 => 1,
            _ => 2,
        };
        (class, self.expected as usize)
    }
}

impl Progress {
    /// Progress of a node of which nothing has been tried.
    #[inline(always)]
    pub fn of(node: &Node) -> Self {
        Self {
            alpha: node.alpha,
            score: node.alpha,
            best: None,
            cut: None,
            known: None,
            last: None,
            taken: 0,
            searched: 0,
        }
    }

    /// Takes the score of a move into account.
    #[inline(always)]
    pub fn take(&mut self, mv: Move, score: Score, beta: Score) -> Verdict {
        self.last = Some(mv);
        if score <= self.score {
            return Verdict::NoBetter;
        }
        self.score = score;
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

/// Alpha as a brother that is being searched sees it: its own node's progress, or that of a split point.
pub trait Window {
    /// Whether others may raise alpha while a move is being searched.
    const IS_SHARED: bool;

    /// Best score so far. Asked again before a move is searched a second time, since a brother may have raised it.
    fn alpha(&self) -> Score;
}

impl Window for Progress {
    const IS_SHARED: bool = false;

    #[inline(always)]
    fn alpha(&self) -> Score {
        self.alpha
    }
}
