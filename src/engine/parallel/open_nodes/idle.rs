//! Processors that have nothing to do: one bit for each, set by itself and cleared by whoever calls it.

use crate::machine::{Access, Line, Processor};
use crate::sync::{AtomicU32, AtomicU64, Ordering};

/// Set of idle processors of a team, a bit for each.
pub struct Idle {
    /// The team's first processor.
    first: usize,
    words: Vec<Word>,
}

#[derive(Default)]
#[repr(align(64))]
struct Word {
    bits: AtomicU64,
    /// Number of owners among these processors that wait for their helpers.
    owners: AtomicU32,
    line: Line,
}

const BITS: usize = u64::BITS as usize;

impl Idle {
    /// Nobody is idle, in a team of so many processors from this one on.
    pub fn new(first: usize, processors: usize) -> Self {
        Self { first, words: (0..processors.div_ceil(BITS)).map(|_| Word::default()).collect() }
    }

    /// The word of a processor, and its bit there.
    fn place<P: Processor>(&self, processor: &P) -> (usize, usize) {
        let place = processor.id() - self.first;
        (place / BITS, place % BITS)
    }

    /// Says that this processor may be called. It has to look for work once more before it sleeps.
    pub fn enter<P: Processor>(&self, processor: &P) {
        let (word, bit) = self.place(processor);
        let word = &self.words[word];
        processor.touch(Access::Write(&word.line));
        // Before the rates are looked at again: see the loads in `call` and `Rates::best`.
        word.bits.fetch_or(1 << bit, Ordering::SeqCst);
    }

    /// Says that this processor has found work by itself.
    pub fn leave<P: Processor>(&self, processor: &P) {
        let (word, bit) = self.place(processor);
        let word = &self.words[word];
        processor.touch(Access::Write(&word.line));
        word.bits.fetch_and(!(1 << bit), Ordering::Relaxed);
    }

    /// Whether somebody has nothing to do.
    pub fn is_any<P: Processor>(&self, processor: &P) -> bool {
        processor.touch(Access::Free);
        self.words.iter().any(|word| {
            processor.touch(Access::ReadBeside(&word.line));
            // After an offer was made: see `enter` and `Desk::set_offer`.
            word.bits.load(Ordering::SeqCst) != 0
        })
    }

    /// Counts an owner that begins to wait for its helpers, or that has waited.
    pub fn count_owner<P: Processor>(&self, processor: &P, waits: bool) {
        let owners = &self.words[self.place(processor).0].owners;
        if waits {
            owners.fetch_add(1, Ordering::Relaxed)
        } else {
            owners.fetch_sub(1, Ordering::Relaxed)
        };
    }

    /// Whether somebody has nothing to do or waits for helpers. Only a hint: what was written just now may be missed.
    #[inline(always)]
    pub fn seems_wanted(&self) -> bool {
        self.words.iter().any(|word| word.bits.load(Ordering::Relaxed) != 0 || word.owners.load(Ordering::Relaxed) != 0)
    }

    /// Calls up to `wanted` processors that have nothing to do: of the caller's word of bits the lowest ids first, then
    /// those of the next words. Returns how many are missing.
    pub fn call<P: Processor>(&self, processor: &P, mut wanted: usize) -> usize {
        let (own, _) = self.place(processor);
        for i in 0..self.words.len() {
            let at = (own + i) % self.words.len();
            let word = &self.words[at];
            while wanted > 0 {
                processor.touch(Access::Read(&word.line));
                // After the rate was set: see `enter` and `Rates::set`.
                let bits = word.bits.load(Ordering::SeqCst);
                if bits == 0 {
                    break;
                }
                let bit = bits.trailing_zeros();
                processor.touch(Access::Write(&word.line));
                // Of several who see the bit, the one that clears it calls.
                let had = word.bits.fetch_and(!(1 << bit), Ordering::Relaxed);
                if had >> bit & 1 == 1 {
                    processor.unpark(self.first + at * BITS + bit as usize);
                    wanted -= 1;
                }
            }
            if wanted == 0 {
                break;
            }
        }
        wanted
    }
}
