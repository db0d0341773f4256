//! Young brothers wait (Feldmann, Monien, Mysliwietz and Vornberger 1987): no brother is shared before the eldest has
//! been searched. In the stronger form an expected CUT node waits longer: if its first moves have not cut, it is likely
//! none will, and the rest may be searched at once; otherwise it was mostly well to wait.

use super::open_nodes::{Policy, Teamwork};
use crate::search::{Expected, Node, Progress};
use crate::settings::settings;

settings! {
    /// Parameters of young brothers wait.
    pub struct Ybwc, "parameter of young brothers wait";
    minimum_draft: i32 [1..=99 "plies"] = 3, "minimum-draft", "a node with less draft is not shared";
    falling_draft: bool = true, "falling-draft",
        "the minimum draft is one ply less for each doubling beyond 4 processors, but at least 2";
    cut_after: i32 [1..=300 "moves"] = 3, "cut-after",
        "an expected CUT node is shared when so many of its moves have not cut";
    all_after: i32 [1..=300 "moves"] = 1, "all-after",
        "an expected ALL node is shared when so many of its moves have been searched";
    helpers: i32 [1..=1024 "helpers"] = 2, "helpers", "at most so many may be at one node beside its owner";
    more_helpers: i32 [0..=1024 "processors"] = 8, "more-helpers",
        "for each so many processors one more may be there; 0: never";
    crowding: i32 [0..=64 "eighths of a ply"] = 4, "crowding",
        "each helper makes a node look so much less deep to others who choose";
    ..teamwork: Teamwork;
}

/// Number of processors up to which the minimum draft does not fall.
const FEW_PROCESSORS: usize = 4;
/// Draft below which the minimum does not fall, in plies.
const LEAST_DRAFT: i32 = 2;

/// Crowding is measured in eighths of a ply.
const EIGHTHS: u32 = 8;

impl Ybwc {
    fn least_draft(&self, processors: usize) -> i32 {
        let doublings = (processors / FEW_PROCESSORS).checked_ilog2().unwrap_or(0) as i32;
        let fall = if self.falling_draft { doublings } else { 0 };
        (self.minimum_draft - fall).max(LEAST_DRAFT.min(self.minimum_draft))
    }
}

impl Policy for Ybwc {
    fn opens(&self, node: &Node, progress: &Progress, processors: usize) -> bool {
        let waited_for = match node.expected {
            Expected::Pv => 1,
            Expected::Cut => self.cut_after,
            Expected::All => self.all_after,
        };
        node.plies() >= self.least_draft(processors) && progress.searched as i32 >= waited_for
    }

    fn rate(&self, node: &Node, helpers: u32) -> u32 {
        let depth = EIGHTHS * node.plies().max(0) as u32;
        depth.saturating_sub(helpers * self.crowding as u32) + 1
    }

    fn most_helpers(&self, processors: usize) -> u32 {
        let more = (processors as u32).checked_div(self.more_helpers as u32).unwrap_or(0);
        self.helpers as u32 + more
    }

    fn teamwork(&self) -> &Teamwork {
        &self.teamwork
    }
}
