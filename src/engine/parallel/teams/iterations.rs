//! Iterations that teams have begun and completed, so that each can leave out what the others do.
//!
//! # Memory ordering
//!
//! Everything is `Relaxed`: each word is a number that does not publish other memory. A team that sees one late searches
//! an iteration that others search too, which is allowed anyway.

use crate::machine::{Access, Line, Processor};
use crate::search::DEEPEST;
use crate::sync::{AtomicU32, Ordering};

/// What the teams of a search have begun and completed.
#[repr(align(64))]
pub struct Iterations {
    /// Depth of the deepest iteration that any team has completed.
    done: AtomicU32,
    line: Line,
    /// Number of teams that have begun the iteration of each depth.
    begun: [AtomicU32; DEEPEST as usize + 1],
}

impl Default for Iterations {
    fn default() -> Self {
        let begun = std::array::from_fn(|_| AtomicU32::new(0));
        Self { done: AtomicU32::new(0), line: Line::default(), begun }
    }
}

impl Iterations {
    /// Begins the iteration of the lowest of these depths that fewer than `most` teams have begun, or of the last one.
    pub fn begin<P: Processor>(&self, processor: &P, mut depth: u32, last: u32, most: u32) -> u32 {
        processor.touch(Access::Write(&self.line));
        while depth < last && self.begun[depth as usize].fetch_add(1, Ordering::Relaxed) >= most {
            depth += 1;
        }
        depth
    }

    /// This depth, or the one after the deepest iteration that was completed if that is greater.
    pub fn after_done<P: Processor>(&self, processor: &P, depth: u32) -> u32 {
        processor.touch(Access::Read(&self.line));
        depth.max(self.done.load(Ordering::Relaxed) + 1)
    }

    /// Notes that a team has completed an iteration of this depth.
    pub fn note_done<P: Processor>(&self, processor: &P, depth: u32) {
        processor.touch(Access::Write(&self.line));
        self.done.fetch_max(depth, Ordering::Relaxed);
    }
}
