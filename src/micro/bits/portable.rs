//! Portable arithmetic for operations on sets of squares.

use std::hint::black_box;

/// Numbers that the arithmetic needs. They are read through [`unknown`](Self::unknown): the compiler would else see
/// what they are for, and put the instruction in place of the arithmetic.
#[derive(Clone, Copy)]
pub struct Numbers {
    /// Multiplier whose windows of six bits are all different (Romstad's, in Reul 2009, section 3.2).
    windows: u64,
    /// Square by window.
    lowest: &'static [u8; 64],
    /// Multiplier for all bits up to one (Walisch's, in Szabo 2023, figure 9).
    runs: u64,
    /// Square of the highest bit by window of this product.
    highest: &'static [u8; 64],
    /// Lowest bit of each number of sixteen bits.
    words: &'static [u8; 1 << 16],
    /// Every other one, two and four bits.
    halves: [u64; 3],
    /// Lowest bit of each byte.
    bytes: u64,
    /// Lowest bit of all.
    one: u64,
}

static NUMBERS: Numbers = {
    const WINDOWS: u64 = 0x0218_A392_CD3D_5DBF;
    static LOWEST: [u8; 64] = {
        let mut squares = [0; 64];
        let mut square = 0;
        while square < 64 {
            squares[((WINDOWS << square) >> 58) as usize] = square as u8;
            square += 1;
        }
        squares
    };
    const RUNS: u64 = 0x03F7_9D71_B4CB_0A89;
    static HIGHEST: [u8; 64] = {
        let mut squares = [0; 64];
        let mut square = 0;
        while square < 64 {
            squares[((u64::MAX >> (63 - square)).wrapping_mul(RUNS) >> 58) as usize] = square as u8;
            square += 1;
        }
        squares
    };
    static WORDS: [u8; 1 << 16] = {
        let mut squares = [0; 1 << 16];
        let mut word = 1_u32;
        while word < 1 << 16 {
            squares[word as usize] = word.trailing_zeros() as u8;
            word += 1;
        }
        squares
    };
    let halves = [0x5555_5555_5555_5555, 0x3333_3333_3333_3333, 0x0F0F_0F0F_0F0F_0F0F];
    let bytes = 0x0101_0101_0101_0101;
    Numbers { windows: WINDOWS, lowest: &LOWEST, runs: RUNS, highest: &HIGHEST, words: &WORDS, halves, bytes, one: 1 }
};

impl Numbers {
    /// The numbers, of which the compiler knows nothing.
    pub fn unknown() -> Self {
        black_box(NUMBERS)
    }

    /// Number of bits, summed up in parallel.
    #[inline(always)]
    pub fn count(self, set: u64) -> u64 {
        let [ones, twos, fours] = self.halves;
        let pairs = set - (set >> 1 & ones);
        let quads = (pairs & twos) + (pairs >> 2 & twos);
        let bytes = (quads + (quads >> 4)) & fours;
        bytes.wrapping_mul(self.bytes) >> 56
    }

    /// Place of the lowest bit, by magic multiplication.
    #[inline(always)]
    pub fn lowest(self, set: u64) -> u64 {
        let lowest = set & set.wrapping_neg();
        self.lowest[(lowest.wrapping_mul(self.windows) >> 58) as usize].into()
    }
}

impl Numbers {
    /// Place of the highest bit of a run that begins at the lowest place.
    #[inline(always)]
    fn end_of_run(self, run: u64) -> u64 {
        self.highest[(run.wrapping_mul(self.runs) >> 58) as usize].into()
    }

    /// Place of the lowest bit, by multiplying all places up to it.
    #[inline(always)]
    pub fn lowest_by_run(self, set: u64) -> u64 {
        self.end_of_run(set ^ set.wrapping_sub(1))
    }

    /// Place of the highest bit: those below are filled.
    #[inline(always)]
    pub fn highest(self, mut set: u64) -> u64 {
        for by in [1, 2, 4, 8, 16, 32] {
            set |= set >> by;
        }
        self.end_of_run(set)
    }

    /// Set of a square, by a shift.
    #[inline(always)]
    pub fn mask(self, square: u64) -> u64 {
        self.one.wrapping_shl(square as u32)
    }

    /// Number of bits, by removing one after the other.
    #[inline(always)]
    pub fn count_by_loop(self, mut set: u64) -> u64 {
        let mut count = 0;
        while set != 0 {
            set &= set.wrapping_sub(self.one);
            count += 1;
        }
        count
    }

    /// Place of the lowest bit, by a table that is asked about sixteen places at a time.
    #[inline(always)]
    pub fn lowest_by_table(self, set: u64) -> u64 {
        let word = |number: u64| (set >> (16 * number)) as u16;
        let number = (0..3).find(|number| word(*number) != 0).unwrap_or(3);
        16 * number + u64::from(self.words[usize::from(word(number))])
    }
}

/// The set without its lowest bit.
#[inline(always)]
pub fn reset(set: u64) -> u64 {
    set & set.wrapping_sub(1)
}

/// Bits under the mask, one by one.
#[inline(always)]
pub fn gather(set: u64, mut mask: u64) -> u64 {
    let (mut gathered, mut place) = (0, 0);
    while mask != 0 {
        gathered |= u64::from(set & mask & mask.wrapping_neg() != 0) << place;
        mask &= mask - 1;
        place += 1;
    }
    gathered
}
