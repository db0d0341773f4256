//! What a table remembers of a position, in 58 bits of one word.

use crate::chess::{Move, Score};

/// What is known of a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Bound {
    /// It is this.
    Exact = 1,
    /// It is at most this.
    Upper = 2,
    /// It is at least this.
    Lower = 3,
}

/// The bits of a move from a table. It is never made: it is looked for among moves that were generated, so that a wrong one
/// does no harm.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hint(u32);

/// What is remembered of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its score, mates counted from the position.
    pub score: Score,
    /// How deep it was searched, in hundredths of a ply.
    pub draft: u32,
    /// What kind of score it is.
    pub bound: Bound,
    /// The move that was best or cut.
    pub hint: Hint,
}

/// An entry as it lies in a table, with the search that wrote it. No entry is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Packed(pub u64);

/// The number of a search, 1 to 7 in turn; 0 is nobody's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Generation(u64);

const SCORE_BITS: u32 = 18;
const DRAFT_BITS: u32 = 14;
const GENERATION_BITS: u32 = 3;
const BOUND_BITS: u32 = 2;

const DRAFT: u32 = SCORE_BITS;
const MOVE: u32 = DRAFT + DRAFT_BITS;
const GENERATION: u32 = MOVE + Move::BITS;
const BOUND: u32 = GENERATION + GENERATION_BITS;

/// Makes every score positive.
const SCORE_OFFSET: i32 = 1 << (SCORE_BITS - 1);
/// No draft is remembered as greater than this.
const GREATEST_DRAFT: u32 = (1 << DRAFT_BITS) - 1;

const fn field(word: u64, at: u32, bits: u32) -> u64 {
    word >> at & ((1 << bits) - 1)
}

impl Hint {
    /// No move.
    pub const NONE: Self = Self(0);

    /// Whether this is that move.
    #[inline(always)]
    pub fn is(self, mv: Move) -> bool {
        self.0 == mv.bits()
    }

    /// Whether there is a move.
    #[inline(always)]
    pub fn is_some(self) -> bool {
        self.0 != 0
    }

    /// This one, or the other if there is none.
    #[inline(always)]
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        if self.is_some() { self } else { other }
    }
}

impl From<Option<Move>> for Hint {
    #[inline(always)]
    fn from(mv: Option<Move>) -> Self {
        Self(mv.map_or(0, Move::bits))
    }
}

impl Generation {
    pub(super) const FIRST: Self = Self(1);

    pub(super) fn next(self) -> Self {
        Self(self.0 % 7 + 1)
    }
}

impl Packed {
    #[inline(always)]
    pub fn new(entry: &Entry, generation: Generation) -> Self {
        Self(
            (entry.score.0 + SCORE_OFFSET) as u64
                | u64::from(entry.draft.min(GREATEST_DRAFT)) << DRAFT
                | u64::from(entry.hint.0) << MOVE
                | generation.0 << GENERATION
                | (entry.bound as u64) << BOUND,
        )
    }

    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[inline(always)]
    pub fn draft(self) -> u32 {
        field(self.0, DRAFT, DRAFT_BITS) as u32
    }

    #[inline(always)]
    pub fn hint(self) -> Hint {
        Hint(field(self.0, MOVE, Move::BITS) as u32)
    }

    /// Whether another search wrote it.
    #[inline(always)]
    pub fn is_old(self, now: Generation) -> bool {
        self.generation() != now.0
    }

    /// How many searches ago it was written.
    #[inline(always)]
    pub fn age(self, now: Generation) -> u32 {
        ((now.0 + 7 - self.generation()) % 7) as u32
    }

    #[inline(always)]
    fn generation(self) -> u64 {
        field(self.0, GENERATION, GENERATION_BITS)
    }

    #[inline(always)]
    pub fn is_exact(self) -> bool {
        field(self.0, BOUND, BOUND_BITS) == Bound::Exact as u64
    }

    #[inline(always)]
    pub fn entry(self) -> Entry {
        let bound = match field(self.0, BOUND, BOUND_BITS) {
            1 => Bound::Exact,
            2 => Bound::Upper,
            _ => Bound::Lower,
        };
        let score = Score(field(self.0, 0, SCORE_BITS) as i32 - SCORE_OFFSET);
        Entry { score, draft: self.draft(), bound, hint: self.hint() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SplitMix;

    #[test]
    fn what_is_packed_comes_out() {
        let mut random = SplitMix::new(1);
        let mut generation = Generation::FIRST;
        for _ in 0..10_000 {
            let entry = Entry {
                score: Score(random.below(2 * 131_071 + 1) as i32 - 131_071),
                draft: random.below(1 << DRAFT_BITS) as u32,
                bound: [Bound::Exact, Bound::Upper, Bound::Lower][random.below(3) as usize],
                hint: Hint(random.below(1 << Move::BITS) as u32),
            };
            let packed = Packed::new(&entry, generation);
            assert_eq!(packed.entry(), entry);
            assert!(!packed.is_empty() && !packed.is_old(generation));
            assert_eq!(packed.age(generation), 0);
            assert_eq!(packed.age(generation.next().next()), 2);
            assert!(packed.0 < 1 << 58);
            generation = generation.next();
        }
    }
}
