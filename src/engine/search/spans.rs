//! The limit of a tree: its *span*, the longest chain of work in which each piece waits for the one before, if nodes
//! were shared by a rule and sharing took no time, or the time that it takes. Work divided by span is the parallelism
//! of the tree: no number of processors is faster by more than that, whatever their strategy does within the rule
//! (Brent 1974). The tree is taken as it was searched; several processors search another one.
//!
//! The span is found while one processor searches. For each rule there is a clock that shows when the present work
//! would begin if all before it that it depends on had been done at once. Brothers that need not wait begin at the same
//! moment, and the node ends with the last of them.

use super::node::Node;
use super::strategy::Strategy;
use super::worker::Worker;
use crate::chess::{Board, Score};
use crate::counts::Counters;
use crate::machine::{Processor, Work};

/// Rule that says which moves of a node may be searched at once.
struct Rule {
    /// Number of moves that are waited for at expected PV, CUT and ALL nodes.
    waits: [u32; 3],
    twist: Twist,
    count: fn(&mut Counters) -> &mut u64,
}

/// Variant of the rule by which a node's span is found.
#[derive(PartialEq)]
enum Twist {
    None,
    /// Sharing it takes the time that it takes.
    Burdened,
    /// Tree in which a node that cuts has no move but the one that cut: the *minimal tree* (Knuth and Moore 1975).
    Minimal,
}

/// Least draft of nodes that are shared, in plies: that to which `ybwc` falls with many processors.
const LEAST_DRAFT: i32 = 2;
const RULES: usize = 8;

/// Rules in the order of the counts: as `ybwc` waits; one move at CUT nodes; none at ALL nodes; both; no wait at all,
/// and the same of the minimal tree; the first and the fourth burdened.
#[rustfmt::skip]
const ALL: [Rule; RULES] = [
    Rule { waits: [1, 3, 1], twist: Twist::None, count: |counters| &mut counters.span_ns },
    Rule { waits: [1, 1, 1], twist: Twist::None, count: |counters| &mut counters.span_cut_after_1_ns },
    Rule { waits: [1, 3, 0], twist: Twist::None, count: |counters| &mut counters.span_all_at_once_ns },
    Rule { waits: [1, 1, 0], twist: Twist::None, count: |counters| &mut counters.span_open_ns },
    Rule { waits: [0, 0, 0], twist: Twist::None, count: |counters| &mut counters.span_no_wait_ns },
    Rule { waits: [0, 0, 0], twist: Twist::Minimal, count: |counters| &mut counters.span_minimal_ns },
    Rule { waits: [1, 3, 1], twist: Twist::Burdened, count: |counters| &mut counters.span_burdened_ns },
    Rule { waits: [1, 1, 0], twist: Twist::Burdened, count: |counters| &mut counters.span_open_burdened_ns },
];

/// Moments of all clocks, in nanoseconds since the search began.
type Moments = [u64; RULES];

/// Spans up to now of the tree that one virtual processor searches, a clock for each rule.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Spans {
    /// Moment of each clock.
    clocks: Moments,
    /// Moment of the processor up to which the clocks have gone.
    read_at: u64,
    /// Time that it takes to share a node, and to come there.
    burden: u64,
}

/// Moments at which the moves of a node begin and end by each rule, if they are searched at once.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Forks {
    /// Moments from which on moves that wait no more may be searched; 0 while all wait.
    begins: Moments,
    /// Moments at which the last of the moves that were searched ends.
    ends: Moments,
}

impl Spans {
    /// Moves all clocks on to this moment.
    fn pass(&mut self, now: u64) {
        let passed = now - std::mem::replace(&mut self.read_at, now);
        self.clocks.iter_mut().for_each(|clock| *clock += passed);
    }

    /// The next move of a node is going to be searched, after this number of them.
    fn begin(&mut self, forks: &mut Forks, node: &Node, searched: u32, now: u64) {
        if node.plies() < LEAST_DRAFT {
            return;
        }
        // Moves that are found later are known to others later.
        let found_after = now - self.read_at;
        self.pass(now);
        for (number, rule) in ALL.iter().enumerate() {
            if searched < rule.waits[node.expected as usize] {
                continue;
            }
            let (clock, begins) = (&mut self.clocks[number], &mut forks.begins[number]);
            *begins = match *begins {
                0 => *clock + if rule.twist == Twist::Burdened { self.burden } else { 0 },
                begins => begins + found_after,
            };
            *clock = *begins;
        }
    }

    /// The search of a move is over, and has cut or not.
    fn end(&mut self, forks: &mut Forks, node: &Node, cuts: bool, now: u64) {
        if node.plies() < LEAST_DRAFT {
            return;
        }
        self.pass(now);
        for (number, rule) in ALL.iter().enumerate() {
            let (clock, end) = (&mut self.clocks[number], &mut forks.ends[number]);
            if forks.begins[number] > 0 && !(cuts && rule.twist == Twist::Minimal) {
                *end = (*end).max(*clock);
                *clock = *end;
            }
        }
    }
}

impl<B: Board, P: Processor, S: Strategy> Worker<'_, B, P, S> {
    /// Whether this worker finds the spans of its tree.
    #[inline(always)]
    fn finds_spans(&self) -> bool {
        P::IS_VIRTUAL && !self.shares
    }

    /// Sets the clocks of all rules to the beginning of a search.
    pub(super) fn begin_spans(&mut self) {
        if self.finds_spans() {
            let burden = self.processor.price(Work::Split) + self.processor.price(Work::Join);
            self.spans = Spans { burden, read_at: self.processor.now(), ..Spans::default() };
        }
    }

    /// Tells the clocks of spans that a move is going to be searched, after this number of moves of its node.
    #[inline(always)]
    pub(super) fn begin_fork(&mut self, forks: &mut Forks, node: &Node, searched: u32) {
        if self.finds_spans() {
            self.spans.begin(forks, node, searched, self.processor.now());
        }
    }

    /// Tells the clocks of spans that the search of a move of this node is over.
    #[inline(always)]
    pub(super) fn end_fork(&mut self, forks: &mut Forks, node: &Node, score: Option<Score>) {
        if self.finds_spans() {
            let cuts = score.is_some_and(|score| score >= node.beta);
            self.spans.end(forks, node, cuts, self.processor.now());
        }
    }

    /// Writes the spans of the whole search into the counts.
    pub(super) fn count_spans(&mut self) {
        if self.finds_spans() {
            self.spans.pass(self.processor.now());
            for (rule, clock) in ALL.iter().zip(self.spans.clocks) {
                *(rule.count)(&mut self.counters) = clock;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::node::Expected;
    use super::*;

    /// A node of a tree that was made by hand: what it takes before its moves, and what they lead to.
    struct Tree {
        expected: Expected,
        own: u64,
        below: Vec<Tree>,
        /// Whether the last move cuts.
        cuts: bool,
    }

    fn tree(expected: Expected, own: u64, below: Vec<Tree>) -> Tree {
        Tree { expected, own, below, cuts: false }
    }

    /// Searches a tree as one processor does.
    fn search(tree: &Tree, spans: &mut Spans, now: &mut u64) {
        let mut node = Node::root(500, Score(0), Score(1), false);
        node.expected = tree.expected;
        *now += tree.own;
        let mut forks = Forks::default();
        for (searched, below) in tree.below.iter().enumerate() {
            spans.begin(&mut forks, &node, searched as u32, *now);
            search(below, spans, now);
            spans.end(&mut forks, &node, tree.cuts && searched + 1 == tree.below.len(), *now);
        }
    }

    /// Span of a tree by a rule, from its definition.
    fn span(tree: &Tree, rule: &Rule, burden: u64) -> u64 {
        let is_minimal = tree.cuts && rule.twist == Twist::Minimal;
        let moves = if is_minimal { &tree.below[tree.below.len() - 1..] } else { &tree.below[..] };
        let wait = (rule.waits[tree.expected as usize] as usize).min(moves.len());
        let (chained, at_once) = moves.split_at(wait);
        let chained: u64 = chained.iter().map(|below| span(below, rule, burden)).sum();
        let longest = at_once.iter().map(|below| span(below, rule, burden)).max();
        let burden = if rule.twist == Twist::Burdened && longest.is_some() { burden } else { 0 };
        tree.own + chained + burden + longest.unwrap_or(0)
    }

    #[test]
    fn spans_of_trees_made_by_hand() {
        use Expected::{All, Cut, Pv};
        let leaf = |time| tree(All, time, Vec::new());
        let all = || tree(All, 10, vec![leaf(100), leaf(20), leaf(30)]);
        // 10 + 100 + 30 where the eldest is waited for, 10 + 100 where not.
        let cut = || Tree { cuts: true, ..tree(Cut, 5, vec![all(), leaf(7), leaf(9), leaf(50)]) };
        let root = tree(Pv, 1, vec![cut(), cut(), leaf(30)]);
        let (mut spans, mut now) = (Spans { burden: 3, ..Spans::default() }, 0);
        search(&root, &mut spans, &mut now);
        spans.pass(now);
        assert_eq!(now, 1 + 2 * (5 + 160 + 66) + 30);
        let cut_by_ybwc = 5 + 140 + 7 + 9 + 50;
        assert_eq!(spans.clocks[0], 1 + 2 * cut_by_ybwc);
        assert_eq!(spans.clocks[4..6], [1 + 5 + 110, 1 + 5 + 50]);
        for (rule, found) in ALL.iter().zip(spans.clocks) {
            assert_eq!(found, span(&root, rule, 3));
        }
    }
}
