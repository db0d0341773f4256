//! What the features say of all nodes alike. A worker asks the plan rather than the features, so that a node of the
//! thesis has one bit to look at for all that it leaves out.

use super::features::Features;
use super::ordering::{Captures, QuietOrder};
use super::quiescence::Quiescence;
use crate::chess::see::{self, Asker};
use crate::chess::{Board, Move, Score, Task};

/// Decisions that follow from the features alone and hold at all nodes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    /// Whether nodes of the main search need their static evaluation.
    pub needs_standing: bool,
    /// Whether quiescence is more or less than captures and promotions.
    pub varies_quiescence: bool,
    /// Whether static evaluations are corrected by what the search found.
    pub corrects: bool,
    /// Whether quiet moves are ordered by their context, too.
    pub has_contexts: bool,
    /// Whether moves that did not cut are noted when another has.
    pub notes_failures: bool,
    /// Whether moves after the first of a node may be skipped or searched less deep.
    pub treats_late_moves: bool,
    /// Whether moves are generated as they are needed.
    pub stages_moves: bool,
    /// Whether quiet moves are ordered by history alone once killers have gone, and captures by exchange values.
    pub ranks_plainly: bool,
    /// Whether nodes are extended for other reasons than a check.
    pub extends_otherwise: bool,
    /// Whether extensions depend on more than the thesis looks at.
    pub extends_more: bool,
    /// Whether moves are searched without null windows.
    pub opens_windows: bool,
    /// Whether reductions depend on more than the place of a move.
    pub varies_reductions: bool,
    /// Whether a move that was reduced in vain is searched again deeper than others, or less deep.
    pub varies_second_search: bool,
    /// Whether captures are tried in shallower searches that may end a node.
    pub tries_captures: bool,
    /// Whether the table is used in quiescence.
    pub keeps_quiescence: bool,
    /// Whether nodes are marked that once were of the principal variation.
    pub marks_pv: bool,
    /// Rules of exchanges.
    pub exchange: see::Rules,
}

impl Plan {
    /// Plan of a search.
    pub fn of(features: &Features) -> Self {
        Self {
            needs_standing: features.null.needs_standing()
                || features.reverse_futility.is_used()
                || features.razoring.is_used()
                || features.futility.is_used()
                || features.late_moves.needs_standing()
                || features.extensions.need_standing()
                || features.prob_cut.is_used()
                || features.corrections.are_used(),
            corrects: features.corrections.are_used(),
            has_contexts: features.contexts.are_used(),
            notes_failures: features.ordering.notes_failures() || features.contexts.are_used(),
            varies_quiescence: features.quiescence != Quiescence::NOTHING || features.widths.are_used,
            treats_late_moves: features.late_moves.is_used() || features.futility.is_used(),
            stages_moves: features.ordering.are_staged(),
            ranks_plainly: features.history
                && !features.contexts.are_used()
                && features.ordering.quiet == QuietOrder::History
                && features.ordering.captures == Captures::Exchange,
            extends_otherwise: features.one_reply_extension > 0
                || features.pawn_extension > 0
                || features.recapture_extension > 0
                || features.extensions.are_used(),
            extends_more: features.extensions.are_used(),
            opens_windows: features.minimax || features.windows.are_full,
            varies_reductions: features.further_reductions.are_used(),
            varies_second_search: features.second_search.is_used(),
            tries_captures: features.prob_cut.is_used(),
            keeps_quiescence: features.quiescence_table.is_used && !features.quiescence.is_left_out,
            marks_pv: features.further_reductions.need_marks(),
            exchange: see::Rules {
                en_passant: !features.defect_en_passant_exchange,
                promotions: !features.defect_promotion_exchange,
            },
        }
    }

    /// Exchange value of a legal move.
    #[inline(always)]
    pub fn exchange_value<B: Board>(&self, board: &B, mv: Move, asker: Asker) -> Score {
        board.note_exchange(mv, asker);
        B::begin(Task::Exchange);
        let value = see::see_by(self.exchange, board, mv);
        B::end();
        value
    }

    /// Whether the exchange value of a legal move is at least this.
    #[inline(always)]
    pub fn exchange_reaches<B: Board>(&self, board: &B, mv: Move, least: Score, asker: Asker) -> bool {
        board.note_exchange(mv, asker);
        B::begin(Task::Exchange);
        let reaches = see::is_at_least(self.exchange, board, mv, least);
        B::end();
        reaches
    }
}
