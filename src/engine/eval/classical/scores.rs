//! Scores of the positions that a worker has evaluated last: transpositions, and nodes that are searched again, need
//! not be evaluated again.

use crate::chess::Score;

/// Number of scores, by the lowest bits of the key.
const ENTRIES: usize = 1 << 15;
/// Number of bits of a score.
const SCORE_BITS: u32 = 20;
/// Amount that is added to a score to store it as a number that is not negative.
const OFFSET: i32 = 1 << (SCORE_BITS - 1);

/// Scores by key. An entry is the upper part of the key, and below it the score; together with its place it tells
/// positions apart by all bits of their keys but five.
pub struct ScoreTable(Box<[u64]>);

impl ScoreTable {
    /// An empty table.
    pub fn new() -> Self {
        Self(vec![u64::MAX; ENTRIES].into_boxed_slice())
    }

    /// Score of the position with this key, if it is remembered.
    #[inline(always)]
    pub fn find(&self, key: u64) -> Option<Score> {
        let entry = self.0[place(key)];
        let score = (entry & ((1 << SCORE_BITS) - 1)) as i32 - OFFSET;
        ((entry ^ key) >> SCORE_BITS == 0).then_some(Score(score))
    }

    /// Remembers the score of the position with this key.
    #[inline(always)]
    pub fn remember(&mut self, key: u64, score: Score) {
        debug_assert!(score.0.abs() < OFFSET);
        self.0[place(key)] = key >> SCORE_BITS << SCORE_BITS | (score.0 + OFFSET) as u64;
    }
}

#[inline(always)]
fn place(key: u64) -> usize {
    key as usize % ENTRIES
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SplitMix;

    #[test]
    fn scores_are_found_by_their_own_keys_only() {
        let (mut table, mut random) = (ScoreTable::new(), SplitMix::new(1));
        for _ in 0..100_000 {
            let key = random.next();
            assert_eq!(table.find(key), None);
            let score = Score(random.below(240_001) as i32 - 120_000);
            table.remember(key, score);
            assert_eq!(table.find(key), Some(score));
            assert_eq!(table.find(key ^ 1 << 63), None);
            assert_eq!(table.find(key ^ 1), None);
        }
    }
}
