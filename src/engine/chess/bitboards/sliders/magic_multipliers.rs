//! Magic multipliers: sparse random numbers that send all occupations of a square's lines with different answers to
//! different places. Kept is the seed of each, a rank in a row, rank 1 on top: the first seed that will do.
//! `splitpoint micro magics --print` writes these two tables, or those of another seed.

use super::look_up::Slider;
use crate::chess::{Square, SquareSet};
use crate::random::SplitMix;

#[rustfmt::skip]
const ROOK: [u32; 64] = [
     642505,  140795,  295489,  237783,  490515,  336364,   78917,   26827,
      45864,   65967,   29500,  212035,    7705,   10224,   74345,   38198,
      24950,    4228,  488857,  218676,  106513,   10224,   38874,  422778,
      34961,   20073,   11331,  389183,    7768,  263108,   37839,  204143,
      22522,   62805,   34206,   43425,   41557,  176943,   33891,  110099,
      81710,   81484,  215758,  553311,  540952,  304335,    7705,  132762,
      36922,   49796,    1036,   33806,   66407,  365283,   23204,    4582,
      45681,   36551,   88324,  386682, 1858952,    4276,   10345,    6028,
];

#[rustfmt::skip]
const BISHOP: [u32; 64] = [
      21907,     958,    5965,    3194,     101,     804,     856,   14023,
       2718,     622,    1138,    4005,     661,    1896,     117,    1432,
       4221,    3997,    5619,   11906,    1751,    1695,    2309,     539,
       1483,    1483,    3625,  308278,  109814,   34914,    1601,     145,
       3162,    2293,   21286,  209457,   29380,    1399,    3089,   16187,
        968,     178,   12783,    3619,     418,     195,    1536,    1523,
        856,     748,     284,     429,    1855,      42,    3625,     958,
      14023,    1432,     675,    1523,    1519,    4953,    2718,   21907,
];

/// Multiplier for a slider on a square.
pub fn multiplier(slider: Slider, from: Square) -> u64 {
    let seeds = match slider {
        Slider::Rook => &ROOK,
        Slider::Bishop => &BISHOP,
    };
    sparse(seeds[from.index()])
}

/// Number of this seed, if it may be a multiplier for these squares: a good one carries them into the top bits.
#[inline]
pub fn candidate(seed: u32, mask: SquareSet) -> Option<u64> {
    /// One-bits among the highest eight of the product.
    const WANTED: u32 = 6;
    let number = sparse(seed);
    let spread = mask.0.wrapping_mul(number) >> 56;
    (spread.count_ones() >= WANTED).then_some(number)
}

/// Random number with about 8 of 64 bits: dense multipliers hardly ever work.
fn sparse(seed: u32) -> u64 {
    let mut random = SplitMix::new(seed.into());
    random.next() & random.next() & random.next()
}
