//! Distributions over the split points of a search, in little room: a report holds those of all records at once, and
//! most bins of most are empty.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::packed::{numbers, pack};
use crate::counts::Distributions;

/// Distributions over split points, as [`Distributions`] has them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SplitDistributions {
    /// Number of bins that hold something, and these with their counts, of each distribution.
    packed: Box<[u8]>,
}

impl SplitDistributions {
    /// Bins of a distribution that are not empty, with the number of values in each, from the lowest. Distributions are
    /// counted from 0, in the order of [`Distributions::each`].
    pub fn filled(&self, place: usize) -> impl Iterator<Item = (usize, u64)> + '_ {
        let mut numbers = numbers(&self.packed);
        for _ in 0..place {
            let bins = numbers.next().unwrap_or(0);
            numbers.by_ref().take(2 * bins as usize).for_each(drop);
        }
        let bins = numbers.next().unwrap_or(0);
        (0..bins).map_while(move |_| Some((numbers.next()? as usize, numbers.next()?)))
    }
}

impl From<&Distributions> for SplitDistributions {
    fn from(distributions: &Distributions) -> Self {
        let mut packed = Vec::new();
        for (_, bins, _) in distributions.each() {
            pack(bins.filled().count() as u64, &mut packed);
            for (bin, count) in bins.filled() {
                pack(bin as u64, &mut packed);
                pack(count, &mut packed);
            }
        }
        Self { packed: packed.into() }
    }
}

impl Serialize for SplitDistributions {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let names = Distributions::default().each().map(|(name, ..)| name);
        let list = |place| self.filled(place).collect::<Vec<_>>();
        serializer.collect_map(names.iter().enumerate().map(|(place, name)| (name, list(place))))
    }
}

impl<'de> Deserialize<'de> for SplitDistributions {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Distributions::deserialize(deserializer).map(|distributions| Self::from(&distributions))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_written_and_read_as_those_of_a_search() {
        let mut of = Distributions::default();
        for cost in [0, 1, 7, 300, 1 << 50] {
            of.close((cost, cost + 1000), 3, (cost > 5).then_some(cost));
        }
        let packed = SplitDistributions::from(&of);
        let text = serde_json::to_string(&packed).unwrap();
        assert_eq!(text, serde_json::to_string(&of).unwrap());
        assert_eq!(serde_json::from_str::<SplitDistributions>(&text).unwrap(), packed);
        for (place, (name, bins, _)) in of.each().into_iter().enumerate() {
            assert!(packed.filled(place).eq(bins.filled()), "{name}");
        }
        assert_eq!(packed.filled(of.each().len()).count(), 0);
    }
}
