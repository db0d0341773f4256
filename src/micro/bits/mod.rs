//! Primitive operations on sets of squares, distances of squares: as the boards do them, in whatever instructions
//! this program is built for; by an instruction of this processor; and by portable arithmetic.
//!
//! Each operation needs the result of the one before, by three simple instructions more, so that the compiler cannot do
//! several at once, as it cannot in a search either. Ratios of times are nearer to 1 than those of the operations
//! alone.

mod distances;
mod portable;

use std::hint::black_box;

use super::turns::{Entry, take_turns};
use super::{Figure, Micro, MicroError, Spec, Takes, Unit, pinned};
use crate::chess::SquareSet;
use crate::choices::choices;
use crate::random::SplitMix;
use portable::Numbers;

/// Micro-measurement of bit primitives.
pub const MICRO: Micro = Micro {
    name: "bits",
    title: "sets of squares, distances",
    about: "Time of a primitive operation on a set of squares (number, lowest, highest, removal of the lowest, \
            gathering) and of making the set of one square, as the boards do it, by an instruction of the processor, \
            by portable arithmetic, by a loop, by the difference with the next lower number, and by a table; and of a \
            distance of two squares, by portable arithmetic, by a table of all pairs, and by a mailbox's table of \
            differences.",
    published: &[],
    takes: Takes { boards: false, positions: false, depth: None },
    is_averaged: false,
    measure,
    print: None,
    check: None,
    verdict: None,
};

/// Number of random sets, few enough to stay in the nearest cache.
const SETS: usize = 512;

choices! {
    /// Operation on a set.
    pub enum Operation, "operation";
    /// Number of squares.
    Count "count",
    /// Lowest square.
    Lowest "lowest",
    /// Highest square.
    Highest "highest",
    /// The set without its lowest square.
    Reset "reset",
    /// Bits that a mask selects, gathered at the low end.
    Gather "gather",
    /// The set of one square.
    Mask "mask of a square",
    /// Distance of the files of two squares.
    FileDistance "file distance",
    /// Distance of the ranks of two squares.
    RankDistance "rank distance",
    /// Steps of a king from one square to another.
    Distance "distance",
}

choices! {
    /// Way to do an operation.
    pub enum Way, "way";
    /// The boards' own code, in the instructions that this program is built for.
    AsBuilt "as built",
    /// An instruction that not every processor has.
    Native "native",
    /// Arithmetic that every processor has.
    Portable "portable",
    /// Loop that removes the lowest bit until none is left (Kernighan; Szabo 2023, figure 8).
    Loop "loop",
    /// Multiplication of the bits up to the lowest, b ^ (b - 1) (Walisch; Szabo 2023, figure 9).
    UpToLowest "up to the lowest",
    /// Table of the lowest bits of all numbers of sixteen bits, asked for up to four times (Rasmussen 2004).
    Table "table of 65536",
    /// Table of the sets of all squares (Rasmussen 2004).
    BySquare "table of 64",
    /// Table of all pairs of squares.
    ByPair "table of 64 x 64",
    /// Table of the differences of two cells of a mailbox (Reul 2009, section 2.2).
    ByDifference "table of 225",
}

impl Operation {
    /// Samples that the operation is asked about.
    fn samples(self, seed: u64) -> Vec<Sample> {
        match self {
            Self::FileDistance | Self::RankDistance | Self::Distance => {
                samples(seed).into_iter().map(distances::places).collect()
            }
            Self::Mask => samples(seed).into_iter().map(|(set, mask)| (set % SQUARES, mask)).collect(),
            _ => samples(seed),
        }
    }
}

/// Number of squares.
const SQUARES: u64 = 64;

/// Set of each square.
static MASKS: [u64; SQUARES as usize] = {
    let mut masks = [0; SQUARES as usize];
    let mut square = 0;
    while square < SQUARES {
        masks[square as usize] = 1 << square;
        square += 1;
    }
    masks
};

/// Set with a mask that has the size of those of sliders; or a square; or two places, each a square with its cell in a
/// mailbox.
type Sample = (u64, u64);

/// Samples, from sparse to crowded.
fn samples(seed: u64) -> Vec<Sample> {
    let mut random = SplitMix::new(seed);
    let mut sample = |i: usize| {
        let full = random.next();
        let set = match i % 3 {
            0 => full & random.next() & random.next(),
            1 => full,
            _ => full | random.next(),
        };
        // The operations on the lowest square are asked of sets that have one.
        (set | 1 << random.below(64), random.next() & random.next() & random.next())
    };
    (0..SETS).map(&mut sample).collect()
}

/// Passes over all samples, compiled for processors with the instructions.
#[cfg(target_arch = "x86_64")]
mod native {
    use super::{Operation, Sample, chained};

    /// Whether this processor has the instructions.
    pub fn is_supported() -> bool {
        std::is_x86_feature_detected!("popcnt")
            && std::is_x86_feature_detected!("lzcnt")
            && std::is_x86_feature_detected!("bmi1")
            && std::is_x86_feature_detected!("bmi2")
    }

    /// Sum of the results of an operation; nothing if the processor lacks the instructions.
    pub fn pass(operation: Operation, samples: &[Sample]) -> Option<u64> {
        // SAFETY: the processor has the features that the function is compiled for.
        is_supported().then(|| unsafe { with_instructions(operation, samples) })
    }

    #[target_feature(enable = "popcnt,lzcnt,bmi1,bmi2")]
    fn with_instructions(operation: Operation, samples: &[Sample]) -> u64 {
        use std::arch::x86_64::{_blsr_u64, _lzcnt_u64, _pext_u64, _popcnt64, _tzcnt_u64};
        match operation {
            Operation::Count => chained(samples, |set, _| _popcnt64(set as i64) as u64),
            Operation::Lowest => chained(samples, |set, _| _tzcnt_u64(set)),
            Operation::Highest => chained(samples, |set, _| 63 - _lzcnt_u64(set)),
            Operation::Reset => chained(samples, |set, _| _blsr_u64(set)),
            Operation::Gather => chained(samples, |set, mask| _pext_u64(set, mask)),
            Operation::Mask | Operation::FileDistance | Operation::RankDistance | Operation::Distance => {
                unreachable!("what has no instruction of its own is not asked about")
            }
        }
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod native {
    use super::{Operation, Sample};

    /// Nothing: what the compiler makes of the boards' own code is native already.
    pub fn pass(_: Operation, _: &[Sample]) -> Option<u64> {
        None
    }
}

/// Sum of the results of an operation over all samples, each of which needs the sum of those before.
#[inline(always)]
fn chained(samples: &[Sample], of: impl Fn(u64, u64) -> u64) -> u64 {
    // The compiler does not know that this leaves the sum out.
    let nothing = black_box(0);
    samples.iter().fold(0_u64, |sum, (set, mask)| sum.wrapping_add(of(set ^ (sum & nothing), *mask)))
}

/// Sum of the results of an operation over all samples; none if this processor cannot do it in this way.
fn pass(operation: Operation, way: Way, samples: &[Sample]) -> Option<u64> {
    let numbers = Numbers::unknown();
    let sum = match (way, operation) {
        (_, Operation::FileDistance) => return distances::pass(way, samples, &distances::FILES, distances::files),
        (_, Operation::RankDistance) => return distances::pass(way, samples, &distances::RANKS, distances::ranks),
        (_, Operation::Distance) => return distances::pass(way, samples, &distances::STEPS, distances::steps),
        // A shift is an instruction of every processor. It takes its number modulo 64, the index costs an `and`.
        (Way::Native | Way::AsBuilt, Operation::Mask) => return None,
        (Way::Portable, Operation::Mask) => chained(samples, |square, _| numbers.mask(square)),
        (Way::BySquare, Operation::Mask) => {
            let masks = black_box(&MASKS);
            chained(samples, |square, _| masks[(square % SQUARES) as usize])
        }
        (Way::Native, _) => return native::pass(operation, samples),
        // The boards gather by the instruction only.
        (Way::AsBuilt, Operation::Gather) => return None,
        (Way::AsBuilt, Operation::Count) => chained(samples, |set, _| SquareSet(set).len().into()),
        (Way::AsBuilt, Operation::Lowest) => {
            chained(samples, |set, _| SquareSet(set).first().map_or(64, |square| square as u64))
        }
        (Way::AsBuilt, Operation::Highest) => chained(samples, |set, _| (u64::BITS - 1 - set.leading_zeros()).into()),
        (Way::AsBuilt, Operation::Reset) => chained(samples, |set, _| {
            let mut set = SquareSet(set);
            set.next();
            set.0
        }),
        (Way::Portable, Operation::Count) => chained(samples, |set, _| numbers.count(set)),
        (Way::Portable, Operation::Lowest) => chained(samples, |set, _| numbers.lowest(set)),
        (Way::Portable, Operation::Highest) => chained(samples, |set, _| numbers.highest(set)),
        (Way::Portable, Operation::Reset) => chained(samples, |set, _| portable::reset(set)),
        (Way::Portable, Operation::Gather) => chained(samples, portable::gather),
        (Way::Loop, Operation::Count) => chained(samples, |set, _| numbers.count_by_loop(set)),
        (Way::UpToLowest, Operation::Lowest) => chained(samples, |set, _| numbers.lowest_by_run(set)),
        (Way::Table, Operation::Lowest) => chained(samples, |set, _| numbers.lowest_by_table(set)),
        (Way::Loop | Way::UpToLowest | Way::Table | Way::BySquare | Way::ByPair | Way::ByDifference, _) => {
            return None;
        }
    };
    Some(sum)
}

fn measure(spec: &Spec) -> Result<Vec<Figure>, MicroError> {
    let all = Operation::ALL.iter().flat_map(|&operation| Way::ALL.iter().map(move |&way| (operation, way)));
    let places: Vec<(Operation, Way)> = all.filter(|&(operation, way)| pass(operation, way, &[]).is_some()).collect();
    let rounds = pinned(|| {
        let entry = |&(operation, way): &(Operation, Way)| {
            let samples = operation.samples(spec.seed);
            Entry::new(move || {
                black_box(pass(operation, way, black_box(&samples)));
                samples.len() as u64
            })
        };
        Ok(take_turns(&mut places.iter().map(entry).collect::<Vec<_>>(), spec.time, spec.seed))
    })?;
    let numbered = || places.iter().enumerate();
    let time = |(place, (operation, way)): (usize, &(Operation, Way))| {
        Figure::measured(operation.name(), format!("time, {way}"), Unit::Nanoseconds, rounds.time(place))
    };
    let ratio = |(place, (operation, way)): (usize, &(Operation, Way))| {
        let portable = places.iter().position(|other| *other == (*operation, Way::Portable))?;
        let name = format!("time, {way}, to portable");
        let is_other = *way != Way::Portable;
        is_other.then(|| Figure::measured(operation.name(), name, Unit::Ratio, rounds.ratio(place, portable)))
    };
    Ok(numbered().map(time).chain(numbered().filter_map(ratio)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_ways_have_the_same_results() {
        for seed in 0..20 {
            for &operation in Operation::ALL {
                for one in &operation.samples(seed) {
                    let of = |way| pass(operation, way, std::slice::from_ref(one));
                    let expected = of(Way::Portable);
                    for &way in Way::ALL {
                        assert!(of(way).is_none() || of(way) == expected, "{operation}, {way}: {one:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn every_single_square_is_found() {
        let numbers = Numbers::unknown();
        for square in 0..64 {
            let set = 1_u64 << square;
            assert_eq!((numbers.lowest(set), numbers.count(set), portable::reset(set)), (square, 1, 0));
            let filled = set | 1 << 63;
            assert_eq!([numbers.lowest(filled), numbers.lowest_by_run(filled)], [square; 2]);
            assert_eq!((numbers.lowest_by_table(filled), numbers.highest(filled)), (square, 63));
            assert_eq!((numbers.highest(set), numbers.highest(set | 1)), (square, square));
        }
        let masks = |way| pass(Operation::Mask, way, &[(5, 0), (63, 0)]);
        assert_eq!([masks(Way::Portable), masks(Way::BySquare)], [Some(1 << 5 | 1 << 63); 2]);
        assert_eq!((numbers.count(u64::MAX), numbers.count_by_loop(u64::MAX)), (64, 64));
        // Each operation has as many ways as are written down.
        let ways = |operation: &Operation| {
            let others = Way::ALL.iter().filter(|way| **way != Way::Native);
            others.filter(|way| pass(*operation, **way, &[]).is_some()).count()
        };
        assert_eq!(Operation::ALL.iter().map(ways).collect::<Vec<_>>(), [3, 4, 2, 2, 1, 2, 3, 3, 3]);
        assert_eq!(portable::gather(0b1011_0110, 0b1111_0000), 0b1011);
    }
}
