//! What a worker counts, raw. Each worker has its own, and they are added up when all is over: no node writes to anything
//! that another worker reads.

use std::ops::AddAssign;

use serde::Serialize;

use super::node::{Expected, Node};
use super::table::Torn;

/// Nodes with a cutoff in the move loop, in three classes of draft (1-2, 3-5, 6 and more plies) and by what was expected of
/// them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Cutoffs {
    /// All of them: `[class of draft][PV, CUT, ALL]`.
    pub all: [[u64; 3]; 3],
    /// Those that the first legal move gave.
    pub first: [[u64; 3]; 3],
    /// The places of the cutting moves among the legal moves searched, from 1, added up by class of draft.
    pub places: [u64; 3],
}

macro_rules! counters {
    ($( #[doc = $doc:literal] $name:ident, )*) => {
        /// Raw counts of a search, or of one worker's part in it.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
        pub struct Counters {
            $( #[doc = $doc] pub $name: u64, )*
            /// Where the move loop was cut short.
            pub cutoffs: Cutoffs,
            /// The deepest ply of the main search.
            pub deepest: u64,
            /// The deepest ply with quiescence.
            pub deepest_quiescence: u64,
        }

        impl AddAssign<&Self> for Counters {
            fn add_assign(&mut self, other: &Self) {
                $( self.$name += other.$name; )*
                self.cutoffs += &other.cutoffs;
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
    /// Split points made.
    splits,
    /// Split points that no helper came to.
    splits_alone,
    /// Split points at which a move cut.
    splits_cut,
    /// Helpers that joined a split point.
    joins,
    /// Bytes copied to helpers.
    copied_bytes,
    /// Nodes below moves whose search was stopped before it had a result.
    aborted_nodes,
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
        self.cutoffs.all[class][expected] += 1;
        self.cutoffs.first[class][expected] += u64::from(place == 1);
        self.cutoffs.places[class] += u64::from(place);
    }

    pub(super) fn torn(&mut self, torn: Torn) {
        self.torn_rejected += torn.rejected;
        self.torn_accepted += torn.accepted;
    }
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
        let add = |ours: &mut [[u64; 3]; 3], theirs: &[[u64; 3]; 3]| {
            ours.iter_mut().flatten().zip(theirs.iter().flatten()).for_each(|(ours, theirs)| *ours += theirs);
        };
        add(&mut self.all, &other.all);
        add(&mut self.first, &other.first);
        self.places.iter_mut().zip(other.places).for_each(|(ours, theirs)| *ours += theirs);
    }
}
