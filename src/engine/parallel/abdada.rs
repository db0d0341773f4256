//! ABDADA in its simplified form (Weill 1996; Kerrigan 2017): every processor searches the root by itself, and they
//! share the transposition table, and a second table of the moves that are being searched now.
//!
//! The eldest brother is searched whatever the others do. Before a younger brother, the worker looks into the table of
//! marks: if another worker is searching the same move of the same position, the move is put off; if not, the worker
//! enters a mark of its own. It removes the mark when the search of the move is over, or continues with the open
//! window, so that others may join that. Moves that were put off are searched in a second pass, without looking up or
//! entering marks; by then their results are mostly in the transposition table. While a node has moves put off, the
//! transposition table is probed again before each brother: if another worker has stored a result that ends the node,
//! that is the node's result, and it is not stored again.
//!
//! With `marked=positions` it is as Weill wrote it: every node that a worker searches is marked, also below an eldest
//! brother, with the number of workers that are there; and a move is put off if somebody is at the position after it.
//! His numbers stand in the entries of the transposition table. Here they have a table of their own, so that an entry
//! that is overwritten does not lose them, and they do not tell drafts apart.
//!
//! A mark is one word: a part of the position's key mixed with the move, and the worker. The words are read and written
//! without locks. One that is lost or overwritten costs a search that is made twice, and changes no score. The search
//! is over when any worker has completed the last iteration.
//!
//! # Memory ordering
//!
//! Everything is `Relaxed`: a mark is one word that does not publish other memory, and one that is seen late costs a
//! search that is made twice.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::chess::{Board, Move, Score};
use crate::choices::choices;
use crate::machine::{Access, Line, Processor, Work};
use crate::search::{At, Histories, MAX_PLY, Node, Picker, Strategy, Team};
use crate::settings::settings;

choices! {
    /// Kind of mark by which ABDADA notices that another worker is searching the same.
    pub enum Marked, "kind of mark";
    /// Moves that are being searched (Kerrigan 2017).
    Moves "moves",
    /// Positions that are being searched, and by how many (Weill 1996).
    Positions "positions",
}

settings! {
    /// Parameters of ABDADA.
    pub struct Abdada, "parameter of strategy 'abdada'";
    minimum_draft: i32 [1..=99 "plies"] = 3, "minimum-draft", "least draft at which moves are marked and put off";
    check_draft: i32 [0..=99 "plies"] = 4, "check-draft",
        "least draft at which a node that has put off a move probes the transposition table again before each further \
         move; 0: never";
    table_sets: i32 [1..=1_048_576 "sets of 4 marks"] = 32_768, "table-sets",
        "size of the table of moves that are being searched";
    marked: Marked, "marked",
        "what is marked: younger brothers while they are searched, or all positions that are being searched, as Weill \
         wrote it";
    histories: Histories = Histories::Shared, "history", history_meaning!();
}

/// Number of marks in a set.
const MARKS: usize = 4;

/// Bits of a mark that hold its worker's number plus 1, or the number of workers; the others are of the key.
const WORKER_BITS: u64 = (1 << 11) - 1;

/// Table of the moves, or positions, that are being searched now.
#[derive(Default)]
pub struct Marks(Box<[Set]>);

/// Set of marks on one cache line; 0 stands for no mark.
#[derive(Default)]
#[repr(align(64))]
struct Set {
    marks: [AtomicU64; MARKS],
    line: Line,
}

/// Keys of the moves that a worker has marked, by the ply of their nodes; 0 is none.
pub struct OwnMarks([Cell<u64>; MAX_PLY]);

impl Default for OwnMarks {
    fn default() -> Self {
        Self([const { Cell::new(0) }; MAX_PLY])
    }
}

impl Marks {
    fn set(&self, key: u64) -> &Set {
        let low = key & 0xFFFF_FFFF;
        &self.0[((low * self.0.len() as u64) >> 32) as usize]
    }

    /// Whether another worker is searching the move of this key. If not, marks it as searched by this worker.
    #[inline(never)]
    fn is_taken<P: Processor>(&self, processor: &P, key: u64) -> bool {
        let set = self.set(key);
        processor.touch(Access::Write(&set.line));
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
        processor.midway();
        // A full set loses the first of its marks.
        set.marks[free].store(own, Ordering::Relaxed);
        false
    }

    /// Counts a worker that comes to the position of this key, or one that leaves it. If the set is full, the first of
    /// its counts is lost; none stays behind.
    #[inline(never)]
    fn count<P: Processor>(&self, processor: &P, key: u64, comes: bool) {
        let set = self.set(key);
        let none = mark(key, 0) - 1;
        loop {
            processor.touch(Access::Write(&set.line));
            let marks = set.marks.each_ref().map(|word| word.load(Ordering::Relaxed));
            let counted = marks.iter().position(|mark| *mark != 0 && mark & !WORKER_BITS == none);
            let free = || marks.iter().position(|mark| *mark == 0).unwrap_or(0);
            let (place, after) = match (counted, comes) {
                (Some(place), true) => (place, marks[place] + 1),
                (Some(place), false) if marks[place] == none + 1 => (place, 0),
                (Some(place), false) => (place, marks[place] - 1),
                (None, true) => (free(), none + 1),
                (None, false) => return,
            };
            processor.midway();
            let word = &set.marks[place];
            if word.compare_exchange(marks[place], after, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
                return;
            }
        }
    }

    /// Whether a worker is at the position of this key.
    #[inline(never)]
    fn is_visited<P: Processor>(&self, processor: &P, key: u64) -> bool {
        let set = self.set(key);
        processor.touch(Access::Read(&set.line));
        let is_here = |word: &AtomicU64| {
            let mark = word.load(Ordering::Relaxed);
            mark != 0 && mark & !WORKER_BITS == key & !WORKER_BITS
        };
        set.marks.iter().any(is_here)
    }

    #[inline(never)]
    fn take_away<P: Processor>(&self, processor: &P, key: u64) {
        let set = self.set(key);
        processor.touch(Access::Write(&set.line));
        let own = mark(key, processor.id());
        if let Some(word) = set.marks.iter().find(|word| word.load(Ordering::Relaxed) == own) {
            processor.midway();
            word.store(0, Ordering::Relaxed);
        }
    }
}

/// Key that identifies a move of a position.
fn key_of(position: u64, mv: Move) -> u64 {
    // The multiplier spreads the few bits of a move over the whole word (SplitMix's increment). Never 0, which is no
    // key.
    (position ^ (u64::from(mv.bits()) + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)).max(1)
}

fn mark(key: u64, worker: usize) -> u64 {
    key & !WORKER_BITS | (worker as u64 + 1)
}

impl Strategy for Abdada {
    type Shared<B: Board> = Marks;
    type Own = OwnMarks;

    fn needs_common_table(&self, _: usize) -> bool {
        true
    }

    fn histories(&self) -> Histories {
        self.histories
    }

    fn shared<B: Board>(&self, _: usize) -> Marks {
        Marks((0..self.table_sets).map(|_| Set::default()).collect())
    }

    fn run<T: Team>(&self, at: At<'_, '_, Self, T>) {
        at.worker.think();
    }

    /// Whether this younger brother waits, since another worker is searching it; if not, it is marked.
    #[inline(always)]
    fn puts_off<T: Team>(&self, at: At<'_, '_, Self, T>, node: &Node, mv: Move) -> bool {
        if node.plies() < self.minimum_draft || at.worker.processor.count() == 1 {
            return false;
        }
        at.worker.processor.spend(Work::LookAround);
        if self.marked == Marked::Positions {
            let is_visited = at.shared.is_visited(at.worker.processor, at.worker.board.likely_key_after(mv));
            at.worker.counters.put_off += u64::from(is_visited);
            return is_visited;
        }
        let key = key_of(at.worker.board.key(), mv);
        let is_taken = at.shared.is_taken(at.worker.processor, key);
        if is_taken {
            at.worker.counters.put_off += 1;
        } else {
            at.own.0[node.ply].set(key);
        }
        is_taken
    }

    fn follows_nodes(&self) -> bool {
        self.marked == Marked::Positions
    }

    /// Counts the worker at this position. The sons of nodes of the least draft are a ply less deep, or more.
    fn enters<T: Team>(&self, at: At<'_, '_, Self, T>, node: &Node) -> bool {
        let is_counted = node.plies() + 1 >= self.minimum_draft;
        if is_counted {
            at.shared.count(at.worker.processor, at.worker.board.key(), true);
        }
        is_counted
    }

    fn leaves<T: Team>(&self, at: At<'_, '_, Self, T>) {
        at.shared.count(at.worker.processor, at.worker.board.key(), false);
    }

    /// The result of this node, if it has put off a move and somebody else has stored one. Not at the root, whose
    /// result has to come with a move.
    #[inline(always)]
    fn finished_elsewhere<T: Team>(&self, at: At<'_, '_, Self, T>, node: &Node, picker: &Picker) -> Option<Score> {
        let looks = picker.has_put_off() && self.check_draft > 0 && node.plies() >= self.check_draft && node.ply > 0;
        if looks { at.worker.look_again(node) } else { None }
    }

    /// Ends the search with the first worker that has completed the last iteration.
    fn iteration_done<T: Team>(&self, at: At<'_, '_, Self, T>, depth: u32) {
        if depth >= at.worker.common.limits.depth {
            at.worker.stop_all();
        }
    }

    /// Takes the mark away: others may join the search with the open window.
    #[inline(always)]
    fn opens_window<T: Team>(&self, at: At<'_, '_, Self, T>, node: &Node) -> Option<()> {
        self.end_brother(at, node);
        Some(())
    }

    /// Takes the mark of the younger brother away that was searched.
    #[inline(always)]
    fn end_brother<T: Team>(&self, at: At<'_, '_, Self, T>, node: &Node) {
        let key = at.own.0[node.ply].take();
        if key != 0 {
            at.shared.take_away(at.worker.processor, key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::cost::CostModel;
    use crate::machine::{Machine, Program, Schedule, VirtualMachine};

    /// Counts workers at positions that share a set of marks.
    struct Counts(Marks);

    impl Program for Counts {
        type Output = ();

        fn run<P: Processor>(&self, processor: &P) {
            let Self(marks) = self;
            let keys = [1, 2, 3].map(|number: u64| number << 32);
            let visited = || keys.map(|key| marks.is_visited(processor, key));
            marks.count(processor, keys[0], true);
            marks.count(processor, keys[1], true);
            marks.count(processor, keys[0], true);
            assert_eq!(visited(), [true, true, false]);
            marks.count(processor, keys[0], false);
            assert_eq!(visited(), [true, true, false], "one is still there");
            marks.count(processor, keys[0], false);
            marks.count(processor, keys[2], false);
            assert_eq!(visited(), [false, true, false], "nobody leaves twice");
            marks.count(processor, keys[1], false);
            let is_empty = |set: &Set| set.marks.iter().all(|mark| mark.load(Ordering::Relaxed) == 0);
            assert!(marks.0.iter().all(is_empty));
        }
    }

    #[test]
    fn positions_are_counted_until_all_have_left() {
        let marks = Marks((0..1).map(|_| Set::default()).collect());
        VirtualMachine::new(1, CostModel::ideal()).run(&Counts(marks)).unwrap();
    }

    /// Comes to a position and leaves it, time and again.
    struct Visits(Marks);

    impl Program for Visits {
        type Output = ();

        fn run<P: Processor>(&self, processor: &P) {
            for _ in 0..4 {
                [true, false].into_iter().for_each(|comes| self.0.count(processor, 1 << 32, comes));
            }
        }
    }

    #[test]
    fn nobody_stays_behind_whatever_the_order() {
        for seed in 0..200 {
            let visits = Visits(Marks((0..1).map(|_| Set::default()).collect()));
            let machine = VirtualMachine::new(3, CostModel::ideal());
            VirtualMachine { seed, schedule: Schedule::Random, ..machine }.run(&visits).unwrap();
            assert!(visits.0.0[0].marks.iter().all(|mark| mark.load(Ordering::Relaxed) == 0), "seed {seed}");
        }
    }
}
