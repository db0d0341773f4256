//! What a worker counts, raw. Each worker has its own, and they are added up when all is over: no node writes to anything
//! that another worker reads.

use std::ops::AddAssign;

use serde::Serialize;

use super::losses::Losses;
use super::node::{Expected, Node};
use super::table::Torn;

/// Counts by class of draft (1-2, 3-5, 6 and more plies) and by what was expected of a node: `[class][PV, CUT, ALL]`.
pub type ByKind = [[u64; 3]; 3];

/// Nodes with a cutoff in the move loop, in three classes of draft (1-2, 3-5, 6 and more plies) and by what was expected of
/// them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Cutoffs {
    /// All of them: `[class of draft][PV, CUT, ALL]`.
    pub all: ByKind,
    /// Those that the first legal move gave.
    pub first: ByKind,
    /// The places of the cutting moves among the legal moves searched, from 1, added up by class of draft.
    pub places: [u64; 3],
}

/// Split points, by draft and expected type of their nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Splits {
    /// Split points made.
    pub made: ByKind,
    /// Those at which no helper searched a move.
    pub failed: ByKind,
    /// Those at which a move cut.
    pub cut: ByKind,
    /// Helpers that came.
    pub joined: ByKind,
    /// Legal moves that had been searched before a split, added up.
    pub searched_before: ByKind,
}

macro_rules! counters {
    ($( #[doc = $doc:literal] $name:ident, )*) => {
        /// Raw counts of a search, or of one worker's part in it.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
        pub struct Counters {
            $( #[doc = $doc] pub $name: u64, )*
            /// Where the move loop was cut short.
            pub cutoffs: Cutoffs,
            /// Where the tree was split.
            pub splits: Splits,
            /// Nodes that need not have been searched.
            pub losses: Losses,
            /// The longest time from a cutoff or stop to the moment a worker noticed, in nanoseconds.
            pub longest_stop_ns: u64,
            /// The deepest ply of the main search.
            pub deepest: u64,
            /// The deepest ply with quiescence.
            pub deepest_quiescence: u64,
        }

        impl AddAssign<&Self> for Counters {
            fn add_assign(&mut self, other: &Self) {
                $( self.$name += other.$name; )*
                self.cutoffs += &other.cutoffs;
                self.splits += &other.splits;
                self.losses += &other.losses;
                self.longest_stop_ns = self.longest_stop_ns.max(other.longest_stop_ns);
                self.deepest = self.deepest.max(other.deepest);
                self.deepest_quiescence = self.deepest_quiescence.max(other.deepest_quiescence);
            }
        }
    };
}

counters! {
    /// Entries into the main search; the root is not one.
    main_nodes,
    /// Legal moves made in quiescence.
    quiescence_nodes,
    /// Moves tried in quiescence, before the test whether they are legal.
    quiescence_tried,
    /// Evaluations.
    evaluations,
    /// Positions whose moves were generated, in main search and quiescence.
    generations,
    /// Probes of the table.
    probes,
    /// Probes that found an entry of the position, of whatever draft.
    found,
    /// Probes that found one with the draft that was asked for.
    deep,
    /// Probes whose entry ended the node.
    ended,
    /// Probes that did not end the node but gave a move to try first.
    only_move,
    /// Entries with enough draft, each tier counted for itself.
    tier_hits,
    /// With audit: of `found`, those that another worker wrote.
    found_foreign,
    /// With audit: of `deep`, those that another worker wrote.
    deep_foreign,
    /// With audit: of `ended`, those that another worker wrote.
    ended_foreign,
    /// With audit: torn entries whose check failed.
    torn_rejected,
    /// With audit: torn entries whose check passed.
    torn_accepted,
    /// Stores into the table.
    stores,
    /// Null moves tried.
    null_moves,
    /// Null moves that cut.
    null_cuts,
    /// Moves searched again with an open window.
    researches,
    /// Nodes at which a check extended the search.
    check_extensions,
    /// Nodes at which a single reply to check did.
    one_reply_extensions,
    /// Nodes at which a recapture did.
    recapture_extensions,
    /// Nodes at which a pawn on its seventh rank did.
    pawn_extensions,
    /// Attempts to split that found nobody to help, where that is not known before.
    failed_attempts,
    /// Bytes copied to helpers.
    copied_bytes,
    /// Nanoseconds that took.
    handover_ns,
    /// Moves before one that cut that need not be finished.
    saved_moves,
    /// Times that a worker was stopped by a cutoff above, or at the end.
    stops,
    /// Nanoseconds from each of those to the moment the worker noticed, added up.
    stop_ns,
    /// Moves that were put off because somebody else was searching them.
    put_off,
    /// Further looks into the table, at nodes that had put off a move; they are no probes.
    second_looks,
    /// Nodes that such a look ended, since somebody else had found their result.
    ended_elsewhere,
    /// Nodes of iterations deeper than the depth that was asked for.
    beyond_nodes,
    /// Nodes that were draws by repetition or the fifty-move rule.
    draws,
}

impl Counters {
    /// Entries into the main search, and legal moves made in quiescence.
    #[inline(always)]
    pub fn nodes(&self) -> u64 {
        self.main_nodes + self.quiescence_nodes
    }

    /// As the thesis counts: quiescence moves as soon as they are tried.
    #[inline(always)]
    pub fn thesis_nodes(&self) -> u64 {
        self.main_nodes + self.quiescence_tried
    }

    /// A move cut at a node, having been searched as the `place`-th.
    #[inline(always)]
    pub(super) fn cut(&mut self, node: &Node, place: u32) {
        let (class, expected) = kind(node);
        self.cutoffs.all[class][expected] += 1;
        self.cutoffs.first[class][expected] += u64::from(place == 1);
        self.cutoffs.places[class] += u64::from(place);
    }

    /// A worker notices that it was stopped, so long after.
    pub(crate) fn stopped(&mut self, nanoseconds: u64) {
        self.stops += 1;
        self.stop_ns += nanoseconds;
        self.longest_stop_ns = self.longest_stop_ns.max(nanoseconds);
    }

    pub(super) fn torn(&mut self, torn: Torn) {
        self.torn_rejected += torn.rejected;
        self.torn_accepted += torn.accepted;
    }
}

/// Class of draft and expected type, as places in [`ByKind`].
#[inline(always)]
fn kind(node: &Node) -> (usize, usize) {
    let class = match node.plies() {
        ..=2 => 0,
        3..=5 => 1,
        _ => 2,
    };
    let expected = match node.expected {
        Expected::Pv => 0,
        Expected::Cut => 1,
        Expected::All => 2,
    };
    (class, expected)
}

impl Splits {
    /// A node was split, so many of its moves having been searched.
    pub(crate) fn make(&mut self, node: &Node, searched_before: u32) {
        let (class, expected) = kind(node);
        self.made[class][expected] += 1;
        self.searched_before[class][expected] += u64::from(searched_before);
    }

    /// A split is over: so many helpers came, it was for nothing or not, and a move cut or did not.
    pub(crate) fn close(&mut self, node: &Node, joined: u32, is_failed: bool, is_cut: bool) {
        let (class, expected) = kind(node);
        self.failed[class][expected] += u64::from(is_failed);
        self.joined[class][expected] += u64::from(joined);
        self.cut[class][expected] += u64::from(is_cut);
    }

    /// The sum over drafts and types.
    pub fn total(counts: &ByKind) -> u64 {
        counts.iter().flatten().sum()
    }
}

impl AddAssign<&Self> for Splits {
    fn add_assign(&mut self, other: &Self) {
        add(&mut self.made, &other.made);
        add(&mut self.failed, &other.failed);
        add(&mut self.cut, &other.cut);
        add(&mut self.joined, &other.joined);
        add(&mut self.searched_before, &other.searched_before);
    }
}

fn add(ours: &mut ByKind, theirs: &ByKind) {
    ours.iter_mut().flatten().zip(theirs.iter().flatten()).for_each(|(ours, theirs)| *ours += theirs);
}

impl Cutoffs {
    /// Nodes with a cutoff.
    pub fn total(&self) -> u64 {
        self.all.iter().flatten().sum()
    }

    /// Nodes at which the first legal move cut.
    pub fn total_first(&self) -> u64 {
        self.first.iter().flatten().sum()
    }
}

impl AddAssign<&Self> for Cutoffs {
    fn add_assign(&mut self, other: &Self) {
        add(&mut self.all, &other.all);
        add(&mut self.first, &other.first);
        self.places.iter_mut().zip(other.places).for_each(|(ours, theirs)| *ours += theirs);
    }
}
