//! Histograms whose bins double in width, so that a nanosecond and a second fit into one small array. Bin 0 holds
//! zeros, and bin `b` the values from 2^(b-1) up to but not including 2^b; the last bin is open above.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Sum;

/// Number of bins: values from 2^46 up, such as times of more than 19 hours in nanoseconds, share the last.
const BINS: usize = 48;

/// Histogram with bins that double in width. In files it is the list of its bins that are not empty, as `[bin, count]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bins([u64; BINS]);

impl Bins {
    /// Counts a value.
    pub fn count(&mut self, value: u64) {
        self.0[((u64::BITS - value.leading_zeros()) as usize).min(BINS - 1)] += 1;
    }

    /// Number of values that were counted.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Bins that are not empty, with the number of values in each, from the lowest.
    pub fn filled(&self) -> impl Iterator<Item = (usize, u64)> + '_ {
        self.0.iter().copied().enumerate().filter(|(_, count)| *count > 0)
    }

    /// Least value of a bin, and the least value above it; `None` above the last bin.
    pub fn bounds(bin: usize) -> (u64, Option<u64>) {
        let from = if bin == 0 { 0 } else { 1 << (bin - 1) };
        (from, (bin + 1 < BINS).then(|| 1 << bin))
    }
}

impl Default for Bins {
    fn default() -> Self {
        Self([0; BINS])
    }
}

impl Sum for Bins {
    fn add(&mut self, other: &Self) {
        self.0.add(&other.0);
    }
}

impl Serialize for Bins {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.filled())
    }
}

impl<'de> Deserialize<'de> for Bins {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut bins = Self::default();
        for (bin, count) in Vec::<(usize, u64)>::deserialize(deserializer)? {
            let place = bins.0.get_mut(bin);
            *place.ok_or_else(|| D::Error::custom(format!("bin {bin} of a histogram; the last is {}", BINS - 1)))? =
                count;
        }
        Ok(bins)
    }
}

#[cfg(test)]
mod tests {
    use super::{BINS, Bins, Sum};

    fn of(values: &[u64]) -> Bins {
        let mut bins = Bins::default();
        values.iter().for_each(|value| bins.count(*value));
        bins
    }

    #[test]
    fn each_value_is_within_the_bounds_of_its_bin() {
        for value in [0, 1, 2, 3, 4, 7, 8, 1000, (1 << 46) - 1, 1 << 46, u64::MAX] {
            let (bin, count) = of(&[value]).filled().next().expect("a value was counted");
            let (from, below) = Bins::bounds(bin);
            assert!(from <= value && below.is_none_or(|below| value < below) && count == 1, "{value} in bin {bin}");
        }
        for bin in 1..BINS {
            assert_eq!(Bins::bounds(bin - 1).1, Some(Bins::bounds(bin).0));
        }
    }

    #[test]
    fn histograms_add_up_bin_by_bin() {
        let mut sum = of(&[0, 5, 900]);
        sum.add(&of(&[6, 1 << 60]));
        assert_eq!(sum, of(&[0, 5, 6, 900, 1 << 60]));
        assert_eq!(sum.total(), 5);
    }

    #[test]
    fn files_hold_only_filled_bins() {
        let bins = of(&[0, 5, 6]);
        let text = serde_json::to_string(&bins).expect("a list of numbers");
        assert_eq!(text, "[[0,1],[3,2]]");
        assert_eq!(serde_json::from_str::<Bins>(&text).expect("what was written"), bins);
        assert_eq!(serde_json::to_string(&Bins::default()).expect("an empty list"), "[]");
        let error = serde_json::from_str::<Bins>("[[48,1]]").expect_err("there is no such bin");
        assert!(error.to_string().contains("bin 48"), "{error}");
    }
}
