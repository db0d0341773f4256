//! Multi-cut (Björnsson and Marsland 1999): a node that is expected to cut is cut off if several of its first moves do
//! so in shallower searches. One good move may be refuted deeper down; three seldom are.

use std::ops::ControlFlow::{Break, Continue};

use super::node::{Expected, Node, ONE_PLY, Place, Progress, Tried};
use super::strategy::Strategy;
use super::table::Hint;
use super::worker::Worker;
use crate::chess::{Board, MoveList, Score};
use crate::machine::Processor;
use crate::settings::settings;

settings! {
    /// Parameters of multi-cut.
    pub struct MultiCut, "feature";
    => "Multi-cut", "Björnsson and Marsland 1999, named by Reul 2009", tried by ["multi-cut=4"];
    draft: i32 [0..=30 "plies"], "multi-cut",
        "least draft at which a node that is expected to cut is cut off if three of its first six moves do so in \
         searches that are two plies shallower; 0: never";
}

/// Number of moves that are tried.
const MOVES: u32 = 6;
/// Number of them that have to cut.
const CUTS: u32 = 3;
/// Plies by which they are searched less deep.
const LESS_DRAFT: i32 = 2;

impl<B: Board, P: Processor, S: Strategy> Worker<'_, B, P, S> {
    /// Ends a node of which several moves cut in shallower searches.
    #[inline(always)]
    pub(super) fn cut_by_several(&mut self, node: &Node, hint: Hint) -> Tried {
        let least = self.features.multi_cut.draft;
        let is_tried = least > 0 && node.plies() >= least && node.expected == Expected::Cut;
        if is_tried && !node.in_check && !node.is_again { self.try_first_moves(node, hint) } else { Continue(()) }
    }

    #[inline(never)]
    fn try_first_moves(&mut self, node: &Node, hint: Hint) -> Tried {
        let shallow = Node { draft: node.draft - LESS_DRAFT * ONE_PLY, is_again: true, ..*node };
        let (window, top) = (Progress::of(&shallow), self.moves.len());
        let mut picker = self.rank_all(node, &mut MoveList::new(), hint);
        let (mut number, mut cuts, mut is_stopped) = (0, 0, false);
        while number < MOVES && cuts < CUTS && !is_stopped {
            let Some(mv) = self.pick(&mut picker) else { break };
            if self.board.is_legal(mv, false) {
                let score = self.brother(&shallow, &window, mv, Place::later(number));
                number += 1;
                cuts += u32::from(score.is_some_and(|score| score >= node.beta));
                is_stopped = score.is_none();
            }
        }
        self.moves.truncate(top);
        self.lines.clear(node.ply);
        match cuts {
            _ if is_stopped => Break(None),
            CUTS => {
                self.counters.endings.by_several[node.expected as usize] += 1;
                Break(Some(node.beta.min(Score::LONGEST_MATE)))
            }
            _ => Continue(()),
        }
    }
}
