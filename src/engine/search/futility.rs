//! Futility pruning (Heinz 1998): near the horizon, a quiet move that gives no check cannot raise a position far below
//! alpha to it, and is skipped, or is searched less deep.

use super::node::{Node, ONE_PLY};
use crate::chess::Score;
use crate::settings::settings;

settings! {
    /// Parameters of futility pruning.
    pub struct Futility, "feature";
    => "Futility pruning", "Heinz 1998 by ColChess page (margins, sound, extended); Szabo 2023 (at any draft)",
        tried by [
            "futility-margin=3000 then futility=1", "+futility=2,+futility-margin=3000,+futility-per-ply=2000",
            "+futility=2,+futility-margin=3000,+futility-per-ply=2000,+futility-reduces",
            "+futility=3,+futility-margin=1000 then +futility-spares-killers",
            "+futility=2,+futility-margin=3000 then +futility-reduces",
            "+futility=1,+futility-margin=3000 then +futility=2,+futility-reduces",
            "futility=1,futility-margin=3000 then futility-margin=1000",
            "futility=2,futility-margin=3000 then futility-per-ply=2000",
        ];
    draft: i32 [0..=20 "plies"], "futility",
        "largest draft at which quiet moves that give no check are skipped if the static evaluation is far below \
         alpha; 0: never; 1 is futility pruning at frontier nodes, 2 the extended one";
    margin: i32 [0..=50_000 "thousandths of a pawn"], "futility-margin",
        "amount by which the evaluation must be below alpha at draft 1: the largest gain by position makes it sound";
    per_ply: i32 [0..=50_000 "thousandths of a pawn"], "futility-per-ply",
        "amount that is added to 'futility-margin' for each ply of draft beyond the first";
    reduces: bool, "futility-reduces",
        "beyond draft 1 a move is searched one ply less deep rather than skipped: at draft 2 by its captures alone";
    spares_killers: bool, "futility-spares-killers", "killers are not skipped";
}

/// Treatment of a move by futility pruning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Futile {
    /// Nothing.
    No,
    /// It is searched one ply less deep.
    Reduced,
    /// It is skipped.
    Skipped,
}

impl Futility {
    /// Whether futility pruning is ever used.
    pub(super) fn is_used(&self) -> bool {
        self.draft > 0
    }

    /// Treatment of a quiet move that gives no check.
    #[inline(always)]
    pub(super) fn judge(&self, node: &Node, alpha: Score) -> Futile {
        let Some(standing) = node.standing else { return Futile::No };
        let plies = node.draft.max(ONE_PLY) / ONE_PLY;
        let margin = Score(self.margin + self.per_ply * (plies - 1));
        if plies > self.draft || standing + margin > alpha {
            Futile::No
        } else if self.reduces && plies > 1 {
            Futile::Reduced
        } else {
            Futile::Skipped
        }
    }
}
