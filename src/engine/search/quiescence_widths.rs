//! Widths of quiescence, as in ColChess: below the horizon of a line that had a check, a single reply, or a king that
//! stepped out of check, quiescence is for one or two plies wider than captures, and for three plies at nodes of the
//! principal variation. There it also searches checks, pushes of far advanced pawns, and all moves out of check.
//!
//! The plies are counted along the line: the first check makes it one; a position with one legal move, and a move of
//! the king out of check, add one each, up to two.

use super::node::{Expected, Node};
use super::strategy::Strategy;
use super::worker::Worker;
use crate::chess::{Board, PieceKind};
use crate::machine::Processor;
use crate::settings::settings;

settings! {
    /// Parameters of the widths of quiescence.
    pub struct Widths, "feature";
    => "Quiescence: widths", "ColChess page", tried by ["+quiescence-widths"];
    are_used: bool, "quiescence-widths",
        "quiescence begins with checks, pushes of pawns to their last three ranks, and all moves out of check: for a \
         ply if there was a check on the line, for up to two with single replies and king moves out of check, and for \
         three at nodes of the principal variation";
}

/// Most plies that a line can have, outside of the principal variation.
const MOST: u8 = 2;
/// Plies at nodes of the principal variation.
const OF_PRINCIPAL_VARIATION: i32 = 3;

/// Width of quiescence below a node, by the moves that led there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Width {
    /// Plies of quiescence that are wider.
    plies: u8,
    /// Whether the side to move is in check.
    in_check: bool,
}

impl Width {
    /// Width at the root of a search.
    pub fn at_root(in_check: bool) -> Self {
        Self { plies: in_check.into(), in_check }
    }

    /// Width at a child.
    fn child(self, in_check: bool, by_king: bool, has_one_move: bool) -> Self {
        let reached = self.plies.max(in_check.into());
        let raised = reached + u8::from(self.in_check && by_king) + u8::from(has_one_move);
        Self { plies: raised.min(MOST), in_check }
    }
}

impl<B: Board, P: Processor, S: Strategy> Worker<'_, B, P, S> {
    /// Notes the width at a node, and returns the level at which quiescence begins there: below 0 it is wider.
    /// `replies` is the number of legal moves, if in check.
    #[inline(never)]
    pub(super) fn widen(&mut self, node: &Node, replies: usize) -> i32 {
        if !self.features.widths.are_used {
            return 0;
        }
        let by_king = self.plies[node.ply].arrived_by.is_some_and(|mv| mv.piece() == PieceKind::King);
        let moves = if node.in_check { replies } else { self.board.count_legal_moves() };
        let width = self.plies[node.ply - 1].width.child(node.in_check, by_king, moves == 1);
        self.plies[node.ply].width = width;
        if node.expected == Expected::Pv { -OF_PRINCIPAL_VARIATION } else { -i32::from(width.plies) }
    }
}

#[cfg(test)]
mod tests {
    use super::Width;

    #[test]
    fn checks_single_replies_and_kings_out_of_check_widen() {
        let root = Width::at_root(false);
        assert_eq!(root.child(false, true, false).plies, 0, "a king that was not in check");
        let check = root.child(true, false, false);
        assert_eq!(check.plies, 1);
        assert_eq!(check.child(false, false, false).plies, 1);
        let by_king = check.child(false, true, false);
        assert_eq!(by_king.plies, 2);
        assert_eq!(by_king.child(true, false, false).plies, 2, "a second check adds nothing");
        assert_eq!(by_king.child(true, false, true).plies, 2, "two are the most");
        assert_eq!(root.child(true, false, true).plies, 2, "a check with a single reply");
        assert_eq!(root.child(false, false, true).plies, 1);
    }
}
