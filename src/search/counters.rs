//! Raw counts of a search. Each worker has its own, and they are added up when the search is over: no node writes to
//! anything that another worker reads.

use std::ops::AddAssign;

use serde::Serialize;

use super::losses::Losses;
use super::node::Node;

/// Counts by class of draft (1-2, 3-5, 6 and more plies) and by what was expected of a node: `[class][PV, CUT, ALL]`.
pub type ByKind = [[u64; 3]; 3];

/// Cutoffs in the move loop, by class of draft and expected type of their nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Cutoffs {
    /// Nodes with a cutoff.
    pub all: ByKind,
    /// Nodes at which the first legal move cut.
    pub first: ByKind,
    /// Places of the cutting moves among the legal moves searched, from 1, added up by class of draft.
    pub places: [u64; 3],
}

/// Split points, by draft and expected type of their nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Splits {
    /// Split points made.
    pub made: ByKind,
    /// Split points at which no helper searched a move.
    pub failed: ByKind,
    /// Split points at which a move cut.
    pub cut: ByKind,
    /// Helpers that joined split points.
    pub joined: ByKind,
    /// Legal moves that had been searched before a split, added up.
    pub searched_before: ByKind,
    /// Nanoseconds that sharing took its owner and its helpers, added up.
    pub cost_ns: ByKind,
    /// Nanoseconds that owner and helpers spent at shared nodes, from the decision to share until the result, added up.
    pub span_ns: ByKind,
}

/// Declares counts that are added up field by field.
macro_rules! sums {
    ($(#[$about:meta])* pub struct $Sums:ident; $( #[doc = $doc:literal] $name:ident, )*) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
        pub struct $Sums {
            $( #[doc = $doc] pub $name: u64, )*
        }

        impl AddAssign<&Self> for $Sums {
            fn add_assign(&mut self, other: &Self) {
                $( self.$name += other.$name; )*
            }
        }
    };
}

sums! {
    /// Times of sharing nodes, in nanoseconds added up.
    pub struct SplitTimes;
    /// Number of nodes that were opened.
    opened,
    /// Owners: from the decision to share a node until all who are called have been called.
    open_ns,
    /// Owners: holding locks meanwhile.
    open_held_ns,
    /// Owners: calling others.
    call_ns,
    /// Number of times that a position was packed for a node that was opened.
    packs,
    /// Owners: packing positions for nodes that were opened.
    pack_ns,
    /// Number of copies whose bytes are counted.
    paid,
    /// Number of times that a position was taken over.
    copies,
    /// Helpers: taking positions over.
    copy_ns,
    /// Number of positions that were taken over a second time, to see what the first time had to fetch.
    again,
    /// Helpers: taking these over for the first time.
    first_ns,
    /// Helpers: taking these over for the second time.
    again_ns,
    /// Number of times that a helper came.
    came,
    /// Helpers: from the moment at which a node was open and they were free until they had its lock.
    notice_ns,
    /// Helpers: holding locks in order to join.
    join_held_ns,
    /// Number of times that a helper came and found a move to search.
    joins,
    /// Helpers: from looking for the lock until the first move is searched.
    join_ns,
    /// Owners: packing positions for nodes that were not opened then. Helpers: joining where no move was left.
    wasted_ns,
}

impl SplitTimes {
    /// Counts a helper that came and began to search after some nanoseconds, or that stayed for some and found no move.
    pub(crate) fn joined(&mut self, join_ns: Option<u64>, stay_ns: u64) {
        match join_ns {
            Some(join_ns) => (self.joins, self.join_ns) = (self.joins + 1, self.join_ns + join_ns),
            None => self.wasted_ns += stay_ns,
        }
    }

    /// Counts what has been packed since an earlier moment as wasted: the node is not opened.
    pub(crate) fn waste_packs_since(&mut self, before: &Self) {
        self.wasted_ns += self.pack_ns - before.pack_ns;
        (self.packs, self.pack_ns) = (before.packs, before.pack_ns);
    }
}

macro_rules! counters {
    ($( #[doc = $doc:literal] $name:ident, )*) => {
        /// Raw counts of a search, or of one worker's part in it.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
        pub struct Counters {
            $( #[doc = $doc] pub $name: u64, )*
            /// Cutoffs in the move loop.
            pub cutoffs: Cutoffs,
            /// Split points.
            pub splits: Splits,
            /// Times of sharing nodes.
            pub times: SplitTimes,
            /// Lost nodes, which need not have been searched.
            pub losses: Losses,
            /// Longest time from a cutoff or stop to the moment a worker noticed, in nanoseconds.
            pub longest_stop_ns: u64,
            /// Deepest ply of the main search.
            pub deepest: u64,
            /// Deepest ply with quiescence.
            pub deepest_quiescence: u64,
        }

        impl AddAssign<&Self> for Counters {
            fn add_assign(&mut self, other: &Self) {
                $( self.$name += other.$name; )*
                self.cutoffs += &other.cutoffs;
                self.splits += &other.splits;
                self.times += &other.times;
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
    /// Entries into the main search that went on to quiescence at once: the leaves of its tree.
    leaves,
    /// Nodes of the main search whose legal moves were counted: one of each 256 whose moves were searched.
    counted_nodes,
    /// Legal moves of the nodes that were counted.
    counted_moves,
    /// Evaluations.
    evaluations,
    /// Positions whose moves were generated, in main search and quiescence.
    generations,
    /// Probes of the table.
    probes,
    /// Probes that found an entry of the position, whatever its draft.
    found,
    /// Probes that found an entry of the position with at least the draft that was asked for.
    deep,
    /// Probes whose entry ended the node.
    ended,
    /// Probes that did not end the node but gave a move to try first.
    only_move,
    /// Entries with enough draft, each tier counted for itself.
    tier_hits,
    /// With audit: probes counted in `found` that found another worker's entry.
    found_foreign,
    /// With audit: probes counted in `deep` that found another worker's entry.
    deep_foreign,
    /// With audit: probes counted in `ended` that found another worker's entry.
    ended_foreign,
    /// With audit: torn entries whose check failed.
    torn_rejected,
    /// With audit: torn entries whose check passed.
    torn_accepted,
    /// With audit: whole entries whose check passed, of another position.
    false_matches,
    /// Stores into the table.
    stores,
    /// Null moves tried.
    null_moves,
    /// Null moves that cut.
    null_cuts,
    /// Moves searched again with an open window.
    researches,
    /// Moves that were skipped, since they could not be good enough.
    skipped_moves,
    /// Moves searched less deep.
    reduced_moves,
    /// Moves searched less deep that turned out better than alpha, and were searched again.
    reduced_in_vain,
    /// Nodes at which a check extended the search.
    check_extensions,
    /// Nodes at which a single reply to check extended the search.
    one_reply_extensions,
    /// Nodes at which a recapture extended the search.
    recapture_extensions,
    /// Nodes at which a pawn on its seventh rank extended the search.
    pawn_extensions,
    /// Attempts to split that found no helper, where that is not known before.
    failed_attempts,
    /// Bytes copied to helpers.
    copied_bytes,
    /// Moves before a cutting move that need not be finished.
    saved_moves,
    /// Times that a worker was stopped by a cutoff above, or at the end.
    stops,
    /// Nanoseconds from each cutoff or end that stopped a worker to the moment it noticed, added up.
    stop_ns,
    /// Moves that were put off because another worker was searching them.
    put_off,
    /// Further probes at nodes that had put off a move, not counted in `probes`.
    second_looks,
    /// Nodes that a further probe ended, since another worker had found their result.
    ended_elsewhere,
    /// Nodes of iterations deeper than the depth asked for.
    beyond_nodes,
    /// Draws by repetition or the fifty-move rule.
    draws,
}

impl Counters {
    /// Number of nodes: entries into the main search, and legal moves made in quiescence.
    #[inline(always)]
    pub fn nodes(&self) -> u64 {
        self.main_nodes + self.quiescence_nodes
    }

    /// Number of nodes as the thesis counts: quiescence moves as soon as they are tried.
    #[inline(always)]
    pub fn thesis_nodes(&self) -> u64 {
        self.main_nodes + self.quiescence_tried
    }

    /// Counts a cutoff by the `place`-th legal move of a node.
    #[inline(always)]
    pub(super) fn cut(&mut self, node: &Node, place: u32) {
        let (class, expected) = kind(node);
        self.cutoffs.all[class][expected] += 1;
        self.cutoffs.first[class][expected] += u64::from(place == 1);
        self.cutoffs.places[class] += u64::from(place);
    }

    /// Counts a stop that the worker noticed only after some nanoseconds.
    pub(crate) fn stopped(&mut self, nanoseconds: u64) {
        self.stops += 1;
        self.stop_ns += nanoseconds;
        self.longest_stop_ns = self.longest_stop_ns.max(nanoseconds);
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
    (class, node.expected as usize)
}

impl Splits {
    /// Counts a split of a node, and how many of its moves had been searched before.
    pub(crate) fn make(&mut self, node: &Node, searched_before: u32) {
        let (class, expected) = kind(node);
        self.made[class][expected] += 1;
        self.searched_before[class][expected] += u64::from(searched_before);
    }

    /// Counts the end of a split: how many helpers joined, whether none searched a move, and whether a move cut.
    pub(crate) fn close(&mut self, node: &Node, joined: u32, is_failed: bool, is_cut: bool) {
        let (class, expected) = kind(node);
        self.failed[class][expected] += u64::from(is_failed);
        self.joined[class][expected] += u64::from(joined);
        self.cut[class][expected] += u64::from(is_cut);
    }

    /// Counts what a split that was closed has cost its owner and its helpers, and how long they were there.
    pub(crate) fn spend(&mut self, node: &Node, cost_ns: u64, span_ns: u64) {
        let (class, expected) = kind(node);
        self.cost_ns[class][expected] += cost_ns;
        self.span_ns[class][expected] += span_ns;
    }

    /// Sum over drafts and types.
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
        add(&mut self.cost_ns, &other.cost_ns);
        add(&mut self.span_ns, &other.span_ns);
    }
}

fn add(ours: &mut ByKind, theirs: &ByKind) {
    ours.iter_mut().flatten().zip(theirs.iter().flatten()).for_each(|(ours, theirs)| *ours += theirs);
}

impl Cutoffs {
    /// Number of nodes with a cutoff.
    pub fn total(&self) -> u64 {
        self.all.iter().flatten().sum()
    }

    /// Number of nodes at which the first legal move cut.
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
