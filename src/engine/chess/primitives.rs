//! The two operations on words that bitboards cannot do without: by an instruction, or, with the feature
//! `primitives-2004`, as the program of 2004 has them, so that what faster ones are worth can be measured.

#[cfg(not(feature = "primitives-2004"))]
mod chosen {
    /// Place of the lowest bit of a word that has one.
    #[inline(always)]
    pub const fn lowest(bits: u64) -> u32 {
        bits.trailing_zeros()
    }

    /// Number of bits.
    #[inline(always)]
    pub const fn count(bits: u64) -> u32 {
        bits.count_ones()
    }
}

#[cfg(feature = "primitives-2004")]
mod chosen {
    /// Place of the lowest bit of words of 16 bits.
    static LOWEST: [u32; 1 << 16] = {
        let mut table = [0; 1 << 16];
        let mut bits = 1;
        while bits < table.len() {
            table[bits] = bits.trailing_zeros();
            bits += 1;
        }
        table
    };

    /// Place of the lowest bit of a word that has one: in the first quarter that has any, by a table of 256 KiB.
    #[inline(always)]
    pub const fn lowest(bits: u64) -> u32 {
        let mut quarter = 0;
        while quarter < 48 && bits >> quarter & 0xFFFF == 0 {
            quarter += 16;
        }
        quarter + LOWEST[(bits >> quarter & 0xFFFF) as usize]
    }

    /// Number of bits, counted while the lowest is taken away. The compiler knows this loop and would put an
    /// instruction in its place, so it does not see what is counted.
    #[inline(always)]
    pub const fn count(mut bits: u64) -> u32 {
        let mut count = 0;
        while bits != 0 {
            bits = std::hint::black_box(bits & (bits - 1));
            count += 1;
        }
        count
    }
}

pub use chosen::{count, lowest};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SplitMix;

    #[test]
    fn they_are_those_of_the_processor() {
        let mut random = SplitMix::new(0);
        for i in 0..10_000 {
            let bits = random.next() & random.next() >> (i % 60) | 1 << (i % 64);
            assert_eq!((lowest(bits), count(bits)), (bits.trailing_zeros(), bits.count_ones()));
        }
    }
}
