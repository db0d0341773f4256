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
use crate::chess::Board;
use crate::counts::Counters;
use crate::machine::{Processor, Work};

/// Rule that says which moves of a node may be searched at once.
struct Rule {
    /// Number of moves that are waited for at expected PV, CUT and ALL nodes.
    waits: [u32; 3],
    /// Whether sharing a node takes the time that it takes.
    is_burdened: bool,
    count: fn(&mut Counters) -> &mut u64,
}

/// Least draft of nodes that are shared, in plies: that to which `ybwc` falls with many processors.
const LEAST_DRAFT: i32 = 2;
const RULES: usize = 7;

/// Rules in the order of the counts: as `ybwc` waits; one move at CUT nodes; none at ALL nodes; both; no wait at all.
#[rustfmt::skip]
const ALL: [Rule; RULES] = [
    Rule { waits: [1, 3, 1], is_burdened: false, count: |counters| &mut counters.span_ns },
    Rule { waits: [1, 1, 1], is_burdened: false, count: |counters| &mut counters.span_cut_after_1_ns },
    Rule { waits: [1, 3, 0], is_burdened: false, count: |counters| &mut counters.span_all_at_once_ns },
    Rule { waits: [1, 1, 0], is_burdened: false, count: |counters| &mut counters.span_open_ns },
    Rule { waits: [0, 0, 0], is_burdened: false, count: |counters| &mut counters.span_no_wait_ns },
    Rule { waits: [1, 3, 1], is_burdened: true, count: |counters| &mut counters.span_burdened_ns },
    Rule { waits: [1, 1, 0], is_burdened: true, count: |counters| &mut counters.span_open_burdened_ns },
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
                0 => *clock + if rule.is_burdened { self.burden } else { 0 },
                begins => begins + found_after,
            };
            *clock = *begins;
        }
    }

    /// The search of a move is over.
    fn end(&mut self, forks: &mut Forks, node: &Node, now: u64) {
        if node.plies() < LEAST_DRAFT {
            return;
        }
        self.pass(now);
        for ((clock, end), begins) in self.clocks.iter_mut().zip(&mut forks.ends).zip(forks.begins) {
            if begins > 0 {
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
    pub(super) fn end_fork(&mut self, forks: &mut Forks, node: &Node) {
        if self.finds_spans() {
            self.spans.end(forks, node, self.processor.now());
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
    use crate::chess::Score;

    /// A node of a tree that was made by hand: what it takes before its moves, and what they lead to.
    struct Tree {
        expected: Expected,
        own: u64,
        below: Vec<Tree>,
    }

    fn tree(expected: Expected, own: u64, below: Vec<Tree>) -> Tree {
        Tree { expected, own, below }
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
            spans.end(&mut forks, &node, *now);
        }
    }

    /// Span of a tree by a rule, from its definition.
    fn span(tree: &Tree, rule: &Rule, burden: u64) -> u64 {
        let wait = (rule.waits[tree.expected as usize] as usize).min(tree.below.len());
        let (chained, at_once) = tree.below.split_at(wait);
        let chained: u64 = chained.iter().map(|below| span(below, rule, burden)).sum();
        let longest = at_once.iter().map(|below| span(below, rule, burden)).max();
        let burden = if rule.is_burdened && longest.is_some() { burden } else { 0 };
        tree.own + chained + burden + longest.unwrap_or(0)
    }

    #[test]
    fn spans_of_trees_made_by_hand() {
        use Expected::{All, Cut, Pv};
        let leaf = |time| tree(All, time, Vec::new());
        let all = || tree(All, 10, vec![leaf(100), leaf(20), leaf(30)]);
        // 10 + 100 + 30 where the eldest is waited for, 10 + 100 where not.
        let cut = || tree(Cut, 5, vec![all(), leaf(7), leaf(9), leaf(50)]);
        let root = tree(Pv, 1, vec![cut(), cut(), leaf(300)]);
        let (mut spans, mut now) = (Spans { burden: 3, ..Spans::default() }, 0);
        search(&root, &mut spans, &mut now);
        spans.pass(now);
        assert_eq!(now, 1 + 2 * (5 + 160 + 66) + 300);
        let cut_by_ybwc = 5 + 140 + 7 + 9 + 50;
        assert_eq!(spans.clocks[0], 1 + cut_by_ybwc + 300);
        assert_eq!(spans.clocks[4], 1 + 300);
        for (rule, found) in ALL.iter().zip(spans.clocks) {
            assert_eq!(found, span(&root, rule, 3));
        }
    }
}
