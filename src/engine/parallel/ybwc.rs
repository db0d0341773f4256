//! Young brothers wait (Feldmann, Monien, Mysliwietz and Vornberger 1987): no brother is shared before the eldest has
//! been searched. In the stronger form an expected CUT node waits longer: if its first moves have not cut, it is likely
//! none will, and the rest may be searched at once; otherwise it was mostly well to wait.

use super::open_nodes::{Opens, Policy, Teamwork};
use crate::search::{Expected, Node, Progress};
use crate::settings::settings;

settings! {
    /// Parameters of young brothers wait.
    pub struct Ybwc, "parameter of strategy 'ybwc'";
    minimum_draft: i32 [1..=99 "plies"] = 3, "minimum-draft", "least draft at which a node is shared";
    eager_draft: i32 [0..=99 "plies"] = 0, "eager-draft",
        "least draft at which a node is shared though no processor waits for work; those below it only if one does";
    falling_draft: bool = true, "falling-draft",
        "lower both drafts by one ply for each doubling of the processors beyond 4, but the least not below 2";
    cut_after: i32 [1..=300 "moves"] = 3, "cut-after",
        "number of moves that must have been searched without a cutoff before an expected CUT node is shared";
    all_after: i32 [0..=300 "moves"] = 1, "all-after",
        "number of moves that must have been searched before an expected ALL node is shared; 0: it is shared at once";
    helpers: i32 [1..=1024 "helpers"] = 2, "helpers",
        "largest number of helpers at one node, to which 'more-helpers' may add";
    more_helpers: i32 [0..=1024 "processors"] = 8, "more-helpers",
        "allow one more helper at a node for every group of this many processors; 0: none";
    crowding: i32 [0..=64 "eighths of a ply"] = 4, "crowding",
        "amount by which each helper at a node lowers the draft by which idle processors rank the node";
    ..teamwork: Teamwork;
}

/// Number of processors up to which the drafts do not fall.
const FEW_PROCESSORS: usize = 4;
/// Draft below which the minimum does not fall, in plies.
const LEAST_DRAFT: i32 = 2;

/// Crowding is measured in eighths of a ply.
const EIGHTHS: u32 = 8;

impl Ybwc {
    /// Plies by which the drafts fall.
    #[inline]
    fn fall(&self, processors: usize) -> i32 {
        if !self.falling_draft || processors < 2 * FEW_PROCESSORS {
            return 0;
        }
        (processors / FEW_PROCESSORS).ilog2() as i32
    }
}

impl Policy for Ybwc {
    fn least_plies(&self, processors: usize) -> i32 {
        (self.minimum_draft - self.fall(processors)).max(LEAST_DRAFT.min(self.minimum_draft))
    }

    #[inline]
    fn opens(&self, node: &Node, progress: &Progress, processors: usize, _: Option<usize>) -> Opens {
        let waited_for = match node.expected {
            Expected::Pv => 1,
            Expected::Cut => self.cut_after,
            Expected::All => self.all_after,
        };
        if (progress.searched as i32) < waited_for || node.plies() < self.least_plies(processors) {
            Opens::Never
        } else if self.eager_draft > 0 && node.plies() < self.eager_draft - self.fall(processors) {
            Opens::IfAsked
        } else {
            Opens::Always
        }
    }

    fn rate(&self, node: &Node, helpers: u32) -> u32 {
        let depth = EIGHTHS * node.plies().max(0) as u32;
        depth.saturating_sub(helpers * self.crowding as u32) + 1
    }

    fn most_helpers(&self, processors: usize) -> u32 {
        let more = (processors as u32).checked_div(self.more_helpers as u32).unwrap_or(0);
        self.helpers as u32 + more
    }

    fn opens_at_once(&self) -> bool {
        self.all_after == 0
    }

    fn teamwork(&self) -> &Teamwork {
        &self.teamwork
    }
}
