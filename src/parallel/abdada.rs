//! ABDADA in its simplified form (Weill 1996; Kerrigan 2017): every processor searches the root by itself, and they share the
//! transposition table, and a second table of the moves that are being searched now.
//!
//! The eldest brother is searched whatever the others do. Before a younger one its worker looks into the table of marks: if
//! another worker is searching the same move of the same position, the move is put off; if not, the worker enters a mark of
//! its own, and takes it away when the search is over or goes on with the open window, so that others may join that. Moves
//! that were put off come in a second pass, where nothing is looked up and nothing entered; by then their result is most
//! often in the transposition table. While a node has moves put off, the transposition table is looked into again before each
//! brother: if another worker has stored a result that ends the node, that is the node's result, and it is not stored again.
//!
//! A mark is one word: a part of the position's key mixed with the move, and the worker. The words are read and written
//! without locks. One that is lost or overwritten costs a search that is done twice, and changes no score. The search is over
//! when any worker has completed the last iteration.

use std::sync::atomic::{AtomicU64, Ordering};

use super::{AnyStrategy, Common, Way};
use crate::chess::{Board, Move, Score};
use crate::machine::{Access, Line, Processor};
use crate::search::{Histories, MAX_PLY, Node, Picker, Worker};
use crate::settings::settings;

settings! {
    /// What can be chosen about ABDADA.
    pub struct Abdada, "parameter of ABDADA";
    minimum_draft: i32 [1..=99 "plies"], "minimum-draft", "at a node with less draft no move is marked or put off";
    check_draft: i32 [0..=99 "plies"], "check-draft", "from this draft on, a node that has put off a move looks into the transposition table again before each brother; 0: none does";
    table_sets: i32 [1..=1_048_576 "sets of 4 marks"], "table-sets", "the size of the table of moves being searched";
    histories: Histories, "history", "all workers use one history of quiet moves, or each its own, or each its own and they are merged before each iteration";
}

impl Default for Abdada {
    fn default() -> Self {
        Self { minimum_draft: 3, check_draft: 4, table_sets: 32_768, histories: Histories::Shared }
    }
}

/// Marks that lie together.
const MARKS: usize = 4;

/// The low bits of a mark are its worker's number plus 1; the others are of the move's key.
const WORKER_BITS: u64 = (1 << 11) - 1;

/// The moves that are being searched now.
pub struct Marks(Box<[Set]>);

/// Marks on one cache line; 0 is none.
#[derive(Default)]
#[repr(align(64))]
struct Set {
    marks: [AtomicU64; MARKS],
    line: Line,
}

/// The keys of the moves that a worker has marked, by the ply of their nodes; 0 is none.
pub struct OwnMarks([u64; MAX_PLY]);

impl Default for OwnMarks {
    fn default() -> Self {
        Self([0; MAX_PLY])
    }
}

impl Marks {
    /// Nobody searches anything. There may be no sets at all, if nobody asks.
    pub fn new(sets: i32) -> Self {
        Self((0..sets).map(|_| Set::default()).collect())
    }

    fn set(&self, key: u64) -> &Set {
        let low = key & 0xFFFF_FFFF;
        &self.0[((low * self.0.len() as u64) >> 32) as usize]
    }

    /// Whether another worker searches the move of this key; if not, this worker does from now on.
    fn is_taken<P: Processor>(&self, processor: &P, key: u64) -> bool {
        let set = self.set(key);
        processor.touch(Access::Object(&set.line));
        let own = mark(key, processor.id());
        let mut free = 0;
        for (i, word) in set.marks.iter().enumerate().rev() {
            let found = word.load(Ordering::Relaxed);
            if found != own && found & !WORKER_BITS == own & !WORKER_BITS {
                return true;
            }
            if found == 0 {
                free = i;
            }
        }
        // A full set loses the first of its marks.
        set.marks[free].store(own, Ordering::Relaxed);
        false
    }

    fn take_away<P: Processor>(&self, processor: &P, key: u64) {
        let set = self.set(key);
        processor.touch(Access::Object(&set.line));
        let own = mark(key, processor.id());
        if let Some(word) = set.marks.iter().find(|word| word.load(Ordering::Relaxed) == own) {
            word.store(0, Ordering::Relaxed);
        }
    }
}

/// A move of a position, told apart from others by position and move.
fn key_of(position: u64, mv: Move) -> u64 {
    // The multiplier spreads the few bits of a move over the whole word (SplitMix's increment). Never 0, which is no key.
    (position ^ (u64::from(mv.bits()) + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)).max(1)
}

fn mark(key: u64, worker: usize) -> u64 {
    key & !WORKER_BITS | (worker as u64 + 1)
}

impl Way for Abdada {
    fn histories(&self) -> Histories {
        self.histories
    }

    fn shared<B: Board>(&self, _: usize) -> Common<B> {
        Common { marks: Marks::new(self.table_sets), ..Common::default() }
    }

    fn run<B: Board, P: Processor>(&self, worker: &mut Worker<'_, B, P, AnyStrategy>) {
        worker.think();
    }

    /// Whether this younger brother waits, since another worker is searching it; if not, it is marked.
    #[inline(always)]
    fn puts_off<B: Board, P: Processor>(
        &self,
        worker: &mut Worker<'_, B, P, AnyStrategy>,
        node: &Node,
        mv: Move,
    ) -> bool {
        if node.plies() < self.minimum_draft || worker.processor.count() == 1 {
            return false;
        }
        let key = key_of(worker.board.key(), mv);
        let is_taken = worker.shared.marks.is_taken(worker.processor, key);
        if is_taken {
            worker.counters.put_off += 1;
        } else {
            worker.own.marks.0[node.ply] = key;
        }
        is_taken
    }

    /// The result of this node, if it has put off a move and somebody else has stored one. Not at the root, whose result
    /// has to come with a move.
    #[inline(always)]
    fn finished_elsewhere<B: Board, P: Processor>(
        &self,
        worker: &mut Worker<'_, B, P, AnyStrategy>,
        node: &Node,
        picker: &Picker,
    ) -> Option<Score> {
        let looks = picker.has_put_off() && self.check_draft > 0 && node.plies() >= self.check_draft && node.ply > 0;
        if looks { worker.look_again(node) } else { None }
    }

    /// The first who completes the last iteration has the answer.
    fn iteration_done<B: Board, P: Processor>(&self, worker: &mut Worker<'_, B, P, AnyStrategy>, depth: u32) {
        if depth >= worker.common.limits.depth {
            worker.stop_all();
        }
    }

    /// Others may join the search with the open window.
    #[inline(always)]
    fn opens_window<B: Board, P: Processor>(&self, worker: &mut Worker<'_, B, P, AnyStrategy>, node: &Node) {
        self.end_brother(worker, node);
    }

    /// The younger brother of this node that is being searched is not marked any more.
    #[inline(always)]
    fn end_brother<B: Board, P: Processor>(&self, worker: &mut Worker<'_, B, P, AnyStrategy>, node: &Node) {
        let key = std::mem::take(&mut worker.own.marks.0[node.ply]);
        if key != 0 {
            worker.shared.marks.take_away(worker.processor, key);
        }
    }
}
