//! Distances of two squares: by file, by rank, and in steps of a king. They are computed, looked up by the pair of
//! squares, or looked up by the difference of the squares' cells in a mailbox, where 225 entries answer for all pairs
//! (Reul 2009, equations 2.1 to 2.4).

use super::{Sample, Way, chained};

/// Cells in a row of the mailbox: so many that a difference tells files from ranks.
const WIDTH: u64 = 15;
/// Entry of two equal squares: the largest difference, seven ranks and seven files.
const CENTRE: u64 = 7 * WIDTH + 7;

/// Tables of one distance.
pub struct Tables {
    by_pair: [u8; 64 * 64],
    /// 225 entries, and room so that a byte as index needs no bounds check.
    by_difference: [u8; 256],
}

/// Tables of the distance that this function computes.
macro_rules! tables {
    ($compute:ident) => {{
        let mut tables = Tables { by_pair: [0; 64 * 64], by_difference: [0; 256] };
        let mut pair = 0;
        while pair < 64 * 64 {
            let (from, to) = (pair / 64, pair % 64);
            let distance = $compute(from, to) as u8;
            tables.by_pair[pair as usize] = distance;
            tables.by_difference[(CENTRE + cell(to) - cell(from)) as usize] = distance;
            pair += 1;
        }
        tables
    }};
}
pub static FILES: Tables = tables!(files);
pub static RANKS: Tables = tables!(ranks);
pub static STEPS: Tables = tables!(steps);

/// Distance of the files of two squares.
pub const fn files(from: u64, to: u64) -> u64 {
    (from & 7).abs_diff(to & 7)
}

/// Distance of the ranks of two squares.
pub const fn ranks(from: u64, to: u64) -> u64 {
    (from >> 3).abs_diff(to >> 3)
}

/// Steps of a king between two squares.
pub const fn steps(from: u64, to: u64) -> u64 {
    let (files, ranks) = (files(from, to), ranks(from, to));
    if files > ranks { files } else { ranks }
}

const fn cell(square: u64) -> u64 {
    WIDTH * (square >> 3) + (square & 7)
}

/// Square with its cell, each of which boards of one kind have at hand.
const fn place(square: u64) -> u64 {
    square | cell(square) << 8
}

/// Two places, from the low bits of a sample.
pub fn places((from, to): Sample) -> Sample {
    (place(from & 63), place(to & 63))
}

/// Sum of the distances of all pairs of places; none if this is no way to find them.
#[inline(always)]
pub fn pass(way: Way, samples: &[Sample], tables: &Tables, compute: impl Fn(u64, u64) -> u64) -> Option<u64> {
    let Tables { by_pair, by_difference } = tables;
    Some(match way {
        Way::Portable => chained(samples, |from, to| compute(from & 63, to & 63)),
        Way::ByPair => chained(samples, |from, to| by_pair[((from & 63) << 6 | to & 63) as usize].into()),
        Way::ByDifference => chained(samples, |from, to| {
            by_difference[(CENTRE + (to >> 8)).wrapping_sub(from >> 8) as usize & 0xFF].into()
        }),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Square;

    #[test]
    fn all_ways_agree_about_all_pairs() {
        for from in Square::all() {
            for to in Square::all() {
                let apart = [from.file().abs_diff(to.file()), from.rank().abs_diff(to.rank())].map(u64::from);
                let sample = [places((from as u64, to as u64))];
                for way in [Way::Portable, Way::ByPair, Way::ByDifference] {
                    let found = [
                        pass(way, &sample, &FILES, files),
                        pass(way, &sample, &RANKS, ranks),
                        pass(way, &sample, &STEPS, steps),
                    ];
                    let expected = [apart[0], apart[1], apart[0].max(apart[1])];
                    assert_eq!(found, expected.map(Some), "{from}{to}, {way}");
                }
            }
        }
        let used =
            Square::all().flat_map(|from| Square::all().map(move |to| [from, to].map(|square| cell(square as u64))));
        assert_eq!(used.map(|[from, to]| CENTRE + to - from).collect::<std::collections::HashSet<_>>().len(), 225);
    }
}
