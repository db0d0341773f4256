//! Entries of the transposition table, packed into 60 bits of one word.

use crate::chess::{Board, Color, Move, Score};

/// Relation of an entry's score to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Bound {
    /// Exact: the true score is the entry's.
    Exact = 1,
    /// Upper bound of the true score: the node failed low.
    Upper = 2,
    /// Lower bound of the true score: the node failed high.
    Lower = 3,
}

/// Bits of a move from a table. The move is never made but looked for among those that were generated, so that a wrong
/// one does no harm.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Hint(u32);

/// Result of the search of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Score, mates counted from the position.
    pub score: Score,
    /// Draft of the search, in hundredths of a ply.
    pub draft: u32,
    /// Relation of the score to the true one.
    pub bound: Bound,
    /// Move that was best or cut.
    pub hint: Hint,
    /// Whether the position was once one of the principal variation, if that is asked for.
    pub once_pv: bool,
}

/// Entry as it lies in a table. No entry is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Packed(pub u64);

/// Search that has stored an entry, as far as the mark of entries tells: those of seven searches differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Generation(u64);

const SCORE_BITS: u32 = 18;
const DRAFT_BITS: u32 = 14;
const BOUND_BITS: u32 = 2;

const DRAFT: u32 = SCORE_BITS;
const MOVE: u32 = DRAFT + DRAFT_BITS;
const MARK: u32 = MOVE + Move::BITS;
const MARK_BITS: u32 = 3;
const BOUND: u32 = MARK + MARK_BITS;
const ONCE_PV: u32 = BOUND + BOUND_BITS;
/// Mark of an entry that another node has found, and that has not been of use here yet.
const FROM_AFAR: u64 = 1 << (ONCE_PV + 1);
/// Mark in a letter of an entry for Black.
const BLACK: u64 = 1 << 63;

/// Makes every score positive.
const SCORE_OFFSET: i32 = 1 << (SCORE_BITS - 1);
/// Greatest draft that fits.
const GREATEST_DRAFT: u32 = (1 << DRAFT_BITS) - 1;

const fn field(word: u64, at: u32, bits: u32) -> u64 {
    word >> at & ((1 << bits) - 1)
}

const fn bits(at: u32, bits: u32) -> u64 {
    ((1 << bits) - 1) << at
}

impl Hint {
    /// Hint at no move.
    pub const NONE: Self = Self(0);

    /// Whether the hint is this move.
    #[inline(always)]
    pub fn is(self, mv: Move) -> bool {
        self.0 == mv.bits()
    }

    /// Whether the hint is a move.
    #[inline(always)]
    pub fn is_some(self) -> bool {
        self.0 != 0
    }

    /// The move, if it is pseudo-legal on this board.
    #[inline(always)]
    pub fn move_on<B: Board>(self, board: &B) -> Option<Move> {
        board.move_of_bits(self.0)
    }

    /// First of two hints that is not empty.
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
    /// Generation of the first search with a table, and of all searches without aging. With the defect of demotion the
    /// word decides on a place in the second tier, and the published results were made with this mark.
    pub const FIRST: Self = Self(1 << MARK);

    /// Generation of the next search: never 0, which is that of empty slots.
    #[must_use]
    pub fn next(self) -> Self {
        let next = (self.0 + Self::FIRST.0) & bits(MARK, MARK_BITS);
        if next == 0 { Self::FIRST } else { Self(next) }
    }
}

impl Packed {
    /// Bits of each field, in the order in which the thesis's program writes them. It has no mark of the principal
    /// variation; here that is written with the bound.
    pub const FIELDS: [u64; 5] = [
        bits(0, SCORE_BITS),
        bits(DRAFT, DRAFT_BITS),
        bits(MOVE, Move::BITS),
        bits(MARK, MARK_BITS),
        bits(BOUND, BOUND_BITS + 2),
    ];

    #[inline(always)]
    pub fn new(entry: &Entry, generation: Generation) -> Self {
        Self(
            (entry.score.0 + SCORE_OFFSET) as u64
                | u64::from(entry.draft.min(GREATEST_DRAFT)) << DRAFT
                | u64::from(entry.hint.0) << MOVE
                | generation.0
                | (entry.bound as u64) << BOUND
                | u64::from(entry.once_pv) << ONCE_PV,
        )
    }

    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[inline(always)]
    pub fn generation(self) -> Generation {
        Generation(self.0 & bits(MARK, MARK_BITS))
    }

    #[inline(always)]
    pub fn draft(self) -> u32 {
        field(self.0, DRAFT, DRAFT_BITS) as u32
    }

    #[inline(always)]
    pub fn hint(self) -> Hint {
        Hint(field(self.0, MOVE, Move::BITS) as u32)
    }

    #[inline(always)]
    pub fn once_pv(self) -> bool {
        field(self.0, ONCE_PV, 1) != 0
    }

    /// Whether another node has found the entry, and it has not been of use here yet.
    #[inline(always)]
    pub fn is_from_afar(self) -> bool {
        self.0 & FROM_AFAR != 0
    }

    /// The entry as found here.
    #[must_use]
    pub fn as_own(self) -> Self {
        Self(self.0 & !FROM_AFAR)
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
        Entry { score, draft: self.draft(), bound, hint: self.hint(), once_pv: self.once_pv() }
    }
}

/// An entry with the key of its position and the side to move, as nodes send it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sealed {
    key: u64,
    data: u64,
}

impl Sealed {
    pub(super) fn new(key: u64, side: Color, data: Packed) -> Self {
        Self { key, data: data.0 | if side == Color::Black { BLACK } else { 0 } }
    }

    /// Key of the position.
    pub fn key(&self) -> u64 {
        self.key
    }

    /// Draft in hundredths of a ply.
    pub fn draft(&self) -> u32 {
        Packed(self.data).draft()
    }

    /// Words in a letter.
    pub fn words(&self) -> [u64; 2] {
        [self.key, self.data]
    }

    /// Entries from the words of a letter, if these are whole.
    pub fn read_all(words: &[u64]) -> Option<Vec<Self>> {
        let of = |pair: &[u64]| Self { key: pair[0], data: pair[1] };
        words.len().is_multiple_of(2).then(|| words.chunks_exact(2).map(of).collect())
    }

    /// Side to move, and the entry as it lies in the table of another node, which stores it in this generation.
    pub(super) fn open(&self, generation: Generation) -> (Color, Packed) {
        let side = if self.data & BLACK == 0 { Color::White } else { Color::Black };
        (side, Packed(self.data & !(BLACK | bits(MARK, MARK_BITS)) | FROM_AFAR | generation.0))
    }

    /// An entry of this draft.
    #[cfg(test)]
    pub fn sample(key: u64, draft: u32) -> Self {
        let entry = Entry { score: Score(1), draft, bound: Bound::Exact, hint: Hint::NONE, once_pv: false };
        Self::new(key, Color::White, Packed::new(&entry, Generation::FIRST))
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
                once_pv: random.below(2) > 0,
            };
            let packed = Packed::new(&entry, generation);
            assert_eq!((packed.entry(), packed.generation()), (entry, generation));
            assert_ne!(generation, Packed::default().generation());
            generation = generation.next();
            assert!(!packed.is_empty() && packed.0 < 1 << 59);
        }
    }
}
