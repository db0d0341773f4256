//! Counts of a search. Each worker has its own, and they are added up when the search is over: no node writes to
//! anything that another worker reads.

use serde::{Deserialize, Serialize};

use super::bins::Bins;
use super::counts;
use super::losses::Losses;

/// Counts by class of draft (1-2, 3-5, 6 and more plies) and by what was expected of a node: `[class][PV, CUT, ALL]`.
pub type ByKind = [[u64; 3]; 3];

/// Class of draft and expected type, as places in [`ByKind`].
type Kind = (usize, usize);

counts! {
    /// Cutoffs in the move loop, by class of draft and expected type of their nodes.
    #[derive(Deserialize)]
    pub struct Cutoffs of ByKind;
    /// Nodes with a cutoff.
    all,
    /// Nodes at which the first legal move cut.
    first,
    parts:
    /// Places of the cutting moves among the legal moves searched, from 1, added up by class of draft.
    places: [u64; 3],
    /// Nodes at which the second legal move searched cut, by class of draft.
    second: [u64; 3],
    /// Nodes at which the third legal move searched cut, by class of draft.
    third: [u64; 3],
}

counts! {
    /// Nodes of the main search with a ply of draft or more, by expected type (PV, CUT, ALL), and those of them that
    /// ended before their moves were searched, by what ended them.
    #[derive(Deserialize)]
    pub struct Endings of [u64; 3];
    /// Nodes that were reached, draws apart.
    reached,
    /// Nodes that an entry of the table ended.
    by_table,
    /// Nodes that their static evaluation ended, or that of what their captures lead to.
    by_standing,
    /// Nodes that a null move ended.
    by_null_move,
    /// Nodes that a capture far above beta ended.
    by_capture,
    /// Nodes that several good moves ended.
    by_several,
}

counts! {
    /// Split points, by draft and expected type of their nodes.
    #[derive(Deserialize)]
    pub struct Splits of ByKind;
    /// Split points made.
    made,
    /// Split points at which no helper searched a move.
    failed,
    /// Split points at which a move cut.
    cut,
    /// Helpers that joined split points.
    joined,
    /// Legal moves that had been searched before a split, added up.
    searched_before,
    /// Nanoseconds that sharing took its owner and its helpers, added up.
    cost_ns,
    /// Nanoseconds that owner and helpers spent at shared nodes, from the decision to share until the result, added up.
    span_ns,
}

counts! {
    /// Times of sharing nodes, in nanoseconds added up, without what reading the clock took.
    #[derive(Deserialize)]
    #[serde(default)]
    pub struct SplitTimes of u64;
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
    /// Number of positions that were taken over twice, to see what the first time had to fetch.
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
    /// Time that sharing took owners and helpers, that in vain included.
    cost_ns,
    /// Time that owners and helpers spent at shared nodes, from the decision to share until the result.
    span_ns,
}

counts! {
    /// Distributions over split points, as far as one worker opened them and waited there.
    #[derive(Deserialize)]
    #[serde(default)]
    pub struct Distributions of Bins;
    /// Nanoseconds that sharing the node took its owner and its helpers.
    cost_ns,
    /// Nanoseconds that owner and helpers spent at the node otherwise, waiting included.
    search_ns,
    /// Cost of sharing relative to the other time at the node, in parts of [`RATIO_PARTS`].
    cost_ratio,
    /// Helpers that joined.
    helpers,
    /// Nodes that need not have been searched, at a node with a cutoff.
    superfluous,
}

/// Parts in which the ratios of [`Distributions`] are counted: a power of two, so that 1 is the beginning of a bin.
pub const RATIO_PARTS: u64 = 1024;

counts! {
    /// Letters between nodes in a search, and entries of tables in them.
    #[derive(Deserialize)]
    #[serde(default)]
    pub struct LetterCounts of u64;
    /// Letters that were posted.
    letters,
    /// Bytes of them.
    bytes,
    /// Letters that were received.
    received,
    /// Letters of those that were of another search.
    stale,
    /// Entries of other nodes that were kept, one for each node that kept it.
    kept,
    /// Entries of other nodes that were not, since as much was known.
    refused,
    /// Entries of other nodes that gave a score or the first move.
    used,
    /// Entries that were not sent to a node, since it had letters to read, or deeper ones were there.
    withheld,
    /// Probes of the table of a position's home.
    asked,
}

counts! {
    /// Counts of a search, or of one worker's part in it.
    #[derive(Deserialize)]
    pub struct Counters of u64;
    /// Entries into the main search; the root is not one.
    main_nodes,
    /// Legal moves made in quiescence.
    quiescence_nodes,
    /// Moves tried in quiescence, before the test whether they are legal.
    quiescence_tried,
    /// Entries into the main search that went on to quiescence at once: the leaves of its tree.
    leaves,
    /// Nodes of the main search whose legal moves were counted: one of each 256.
    counted_nodes,
    /// Legal moves of the nodes that were counted.
    counted_moves,
    /// Positions evaluated.
    evaluations,
    /// Positions whose moves were generated.
    generations,
    /// Probes of the table.
    probes,
    /// Probes that found the position.
    found,
    /// Probes that found it searched deep enough.
    deep,
    /// Probes that ended the node.
    ended,
    /// Probes that gave only a move to try first.
    only_move,
    /// Entries with enough draft, each tier counted for itself.
    tier_hits,
    /// Probes of found, on entries of other workers (with audit).
    found_foreign,
    /// Probes of deep, on entries of other workers (with audit).
    deep_foreign,
    /// Probes of ended, on entries of other workers (with audit).
    ended_foreign,
    /// Torn entries that the check rejected (with audit).
    torn_rejected,
    /// Torn entries that the check accepted (with audit).
    torn_accepted,
    /// Whole entries of another position that the check accepted (with audit).
    false_matches,
    /// Stores into the table.
    stores,
    /// Null moves tried.
    null_moves,
    /// Null moves that caused a cutoff.
    null_cuts,
    /// Moves searched again with an open window.
    researches,
    /// Moves that were skipped, since they could not be good enough.
    skipped_moves,
    /// Quiet late moves that might be reduced by their exchange value.
    late_moves,
    /// Quiet late moves whose exchange value was asked for: what the cheaper conditions left.
    late_exchanges,
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
    /// Attempts to split that found no helper.
    failed_attempts,
    /// Bytes copied to helpers.
    copied_bytes,
    /// Moves at split points that need not be finished, since a move later in the order caused a cutoff first.
    saved_moves,
    /// Times that a worker was stopped.
    stops,
    /// Nanoseconds from each cutoff or end that stopped a worker to the moment it noticed, added up.
    stop_ns,
    /// Moves put off because another worker was searching them.
    put_off,
    /// Further probes of the table at nodes that had put off a move.
    second_looks,
    /// Nodes ended by such a further probe.
    ended_elsewhere,
    /// Nodes of iterations deeper than the depth asked for.
    beyond_nodes,
    /// Nodes that were draws by repetition or the fifty-move rule.
    draws,
    /// Span of the tree by the rule of Young Brothers Wait.
    span_ns,
    /// Span where one move is waited for at expected CUT nodes too.
    span_cut_after_1_ns,
    /// Span where no move is waited for at expected ALL nodes.
    span_all_at_once_ns,
    /// Span where one move is waited for at expected CUT nodes, and none at expected ALL nodes.
    span_open_ns,
    /// Span where no move is waited for at any node.
    span_no_wait_ns,
    /// Span of the minimal tree, where no move is waited for and of the moves of a node that cuts only the last counts.
    span_minimal_ns,
    /// Span by the rule of Young Brothers Wait where sharing takes the time that it takes.
    span_burdened_ns,
    /// Span where one move is waited for at expected CUT nodes, none at expected ALL nodes, and sharing takes the time
    /// that it takes.
    span_open_burdened_ns,
    parts:
    /// Cutoffs in the move loop.
    cutoffs: Cutoffs,
    /// Nodes that ended before their moves were searched.
    endings: Endings,
    /// Split points.
    splits: Splits,
    /// Times of sharing nodes.
    times: SplitTimes,
    /// Distributions over split points.
    distributions: Distributions,
    /// Lost nodes, which need not have been searched.
    losses: Losses,
    most:
    /// Longest time from a cutoff or stop to the moment a worker noticed, in nanoseconds.
    longest_stop_ns,
    /// Deepest ply of the main search.
    deepest,
    /// Deepest ply with quiescence.
    deepest_quiescence,
}

impl Counters {
    /// Counts a cutoff by the `place`-th legal move of a node.
    #[inline(always)]
    pub fn cut(&mut self, (class, expected): Kind, place: u32) {
        self.cutoffs.all[class][expected] += 1;
        self.cutoffs.first[class][expected] += u64::from(place == 1);
        self.cutoffs.places[class] += u64::from(place);
        // Few cutoffs come so late that more has to be counted.
        if place > 1 {
            self.cutoffs.second[class] += u64::from(place == 2);
            self.cutoffs.third[class] += u64::from(place == 3);
        }
    }

    /// Counts what a split that was closed has cost its owner and its helpers, and how long they were there.
    pub fn spend(&mut self, (class, expected): Kind, cost_ns: u64, span_ns: u64) {
        self.splits.cost_ns[class][expected] += cost_ns;
        self.splits.span_ns[class][expected] += span_ns;
        self.times.cost_ns += cost_ns;
        self.times.span_ns += span_ns;
    }

    /// Counts what has been packed since an earlier moment as wasted: a node of this kind is not opened.
    pub fn waste_packs_since(&mut self, before: &SplitTimes, kind: Kind) {
        let wasted_ns = self.times.pack_ns - before.pack_ns;
        self.times.wasted_ns += wasted_ns;
        (self.times.packs, self.times.pack_ns) = (before.packs, before.pack_ns);
        self.spend(kind, wasted_ns, 0);
    }

    /// Number of nodes: entries into the main search, and legal moves made in quiescence.
    #[inline(always)]
    pub fn nodes(&self) -> u64 {
        self.main_nodes + self.quiescence_nodes
    }

    /// Number of nodes as the 2004 thesis counts: quiescence moves as soon as they are tried.
    #[inline(always)]
    pub fn thesis_nodes(&self) -> u64 {
        self.main_nodes + self.quiescence_tried
    }

    /// Counts a stop that the worker noticed only after some nanoseconds.
    pub fn stopped(&mut self, nanoseconds: u64) {
        self.stops += 1;
        self.stop_ns += nanoseconds;
        self.longest_stop_ns = self.longest_stop_ns.max(nanoseconds);
    }
}

impl Distributions {
    /// Counts a split that was closed: its cost, the time that owner and helpers were there, how many helped, and, if a
    /// move cut, how many nodes were superfluous.
    pub fn close(&mut self, (cost_ns, span_ns): (u64, u64), helpers: u32, superfluous: Option<u64>) {
        let search_ns = span_ns.saturating_sub(cost_ns);
        self.cost_ns.count(cost_ns);
        self.search_ns.count(search_ns);
        // Sharing beside which there was nothing cost more than any search: the last bin.
        self.cost_ratio.count(cost_ns.saturating_mul(RATIO_PARTS).checked_div(search_ns).unwrap_or(u64::MAX));
        self.helpers.count(u64::from(helpers));
        superfluous.iter().for_each(|nodes| self.superfluous.count(*nodes));
    }

    /// Each distribution with its name, and the parts of 1 in which it counts.
    pub fn each(&self) -> [(&'static str, &Bins, u64); 5] {
        [
            ("cost_ns", &self.cost_ns, 1),
            ("search_ns", &self.search_ns, 1),
            ("cost_ratio", &self.cost_ratio, RATIO_PARTS),
            ("helpers", &self.helpers, 1),
            ("superfluous", &self.superfluous, 1),
        ]
    }
}

impl Splits {
    /// Counts a split of a node, and how many of its moves had been searched before.
    pub fn make(&mut self, (class, expected): Kind, searched_before: u32) {
        self.made[class][expected] += 1;
        self.searched_before[class][expected] += u64::from(searched_before);
    }

    /// Counts the end of a split: how many helpers joined, whether none searched a move, and whether a move cut.
    pub fn close(&mut self, (class, expected): Kind, joined: u32, is_failed: bool, is_cut: bool) {
        self.failed[class][expected] += u64::from(is_failed);
        self.joined[class][expected] += u64::from(joined);
        self.cut[class][expected] += u64::from(is_cut);
    }

    /// Sum over drafts and types.
    pub fn total(counts: &ByKind) -> u64 {
        counts.iter().flatten().sum()
    }
}

impl SplitTimes {
    /// Counts a helper that came and began to search after some nanoseconds, or that stayed for some and found no move.
    /// The cost of its coming is not added here but in [`Counters::spend`].
    pub fn joined(&mut self, join_ns: Option<u64>, stay_ns: u64) {
        match join_ns {
            Some(join_ns) => (self.joins, self.join_ns) = (self.joins + 1, self.join_ns + join_ns),
            None => self.wasted_ns += stay_ns,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Distributions;

    #[test]
    fn a_split_is_counted_in_each_distribution() {
        let mut of = Distributions::default();
        of.close((100, 300), 2, None);
        of.close((50, 50), 0, Some(3));
        of.close((70, 140), 1, Some(0));
        let text = serde_json::to_string(&of).expect("lists of numbers");
        let (cost, search) = (r#""cost_ns":[[6,1],[7,2]]"#, r#""search_ns":[[0,1],[7,1],[8,1]]"#);
        let (ratio, helpers) = (r#""cost_ratio":[[10,1],[11,1],[47,1]]"#, r#""helpers":[[0,1],[1,1],[2,1]]"#);
        let superfluous = r#""superfluous":[[0,1],[2,1]]"#;
        assert_eq!(text, format!("{{{cost},{search},{ratio},{helpers},{superfluous}}}"));
        let names: Vec<&str> = of.each().into_iter().map(|(name, ..)| name).collect();
        assert_eq!(names, Distributions::ALL.iter().map(|(name, _)| *name).collect::<Vec<_>>());
        assert_eq!(serde_json::from_str::<Distributions>(&text).expect("what was written"), of);
    }
}
