//! How far a speedup depends on prices that two cores cannot measure: times of the same searches, by position and seed,
//! where all of these prices are cheap or dear together. One processor pays none of them, so what changes its partners'
//! time changes the speedup alike.

use crate::record::Description;
use crate::statistics::Interval;

use super::grouping::{Gathered, Gathering};
use super::logs::log_time;
use super::pairing::{paired, partners_of};

/// Change of a speedup with other prices of the virtual machine.
#[derive(Clone, Debug, PartialEq)]
pub struct Repricing {
    /// Word for the change of the prices: `cheap` or `dear`.
    pub change: String,
    /// Speedup with the changed prices, as a ratio to that with plain ones: an estimate, geometric mean over positions.
    pub ratio: f64,
}

/// Changes of the speedup of a group with other prices; none where it was not searched with all of them.
pub(super) fn repricings(group: &Gathered<'_>, gathering: &Gathering<'_>, description: &Description) -> Vec<Repricing> {
    let of_group = description.price_range.iter().filter(|one| one.of == *group.configuration);
    let repricing = |one: &crate::record::Repriced| {
        let changed = gathering.repriced(&one.configuration)?;
        let savings = paired(&partners_of([changed, group]), log_time)?;
        Some(Repricing { change: one.change.clone(), ratio: savings.estimate().exp() })
    };
    of_group.map(repricing).collect::<Option<_>>().unwrap_or_default()
}

/// Ends of a speedup over plain and changed prices: the estimate times the least and the largest ratio.
pub(crate) fn range_over_prices(speedup: f64, repricings: &[Repricing]) -> Option<Interval> {
    let ratios = || repricings.iter().map(|one| one.ratio).chain([1.0]);
    let (low, high) = (ratios().fold(f64::INFINITY, f64::min), ratios().fold(0.0, f64::max));
    let ends = Interval { estimate: speedup, low: speedup * low, high: speedup * high };
    (!repricings.is_empty() && speedup.is_finite()).then_some(ends)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_holds_the_speedup_with_plain_prices() {
        let ends = |ratios: &[f64]| {
            let repricing = |ratio: &f64| Repricing { change: "dear".to_owned(), ratio: *ratio };
            let repricings: Vec<Repricing> = ratios.iter().map(repricing).collect();
            range_over_prices(8.0, &repricings).map(|range| [range.low, range.estimate, range.high])
        };
        assert_eq!(ends(&[0.5, 1.25]), Some([4.0, 8.0, 10.0]));
        assert_eq!(ends(&[1.25, 1.5]), Some([8.0, 8.0, 12.0]));
        assert_eq!(ends(&[0.5, 0.75]), Some([4.0, 8.0, 8.0]));
        assert_eq!(ends(&[]), None);
        assert_eq!(range_over_prices(f64::NAN, &[Repricing { change: "dear".to_owned(), ratio: 1.0 }]), None);
    }
}
