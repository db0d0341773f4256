//! Times of searches of which some were cut off by a limit. Such a search took longer than its limit, which stands for
//! its time: with cuts on one side only the ratio of times is a bound, with cuts on both it is nothing.

use std::collections::BTreeMap;

use crate::record::Record;
use crate::statistics::{Contrast, Interval, mean};

use super::grouping::Gathered;
use super::logs::log_time;
use super::scope::Holds;

/// Contrast that may be a bound.
pub(super) struct Bounded {
    pub contrast: Contrast,
    /// Side on which the truth lies, if it is a bound.
    pub side: Option<Beyond>,
}

impl Bounded {
    /// Ratio of which the contrast is the logarithm, without an end on the side on which the truth lies.
    pub fn ratio(&self, holds: Holds) -> Interval {
        let ratio = holds.ratio(&self.contrast);
        match self.side {
            None => ratio,
            Some(Beyond::Above) => Interval { high: f64::INFINITY, ..ratio },
            Some(Beyond::Below) => Interval { low: 0.0, ..ratio },
        }
    }

    /// P value, from that for a difference on either side: of a bound, only its own side can show anything.
    pub fn p_value(&self, either_side: Option<f64>) -> Option<f64> {
        let is_shown = |side: Beyond| (self.contrast.estimate() > 0.0) == (side == Beyond::Above);
        let one_sided = |p: f64, side| if is_shown(side) { p / 2.0 } else { 1.0 };
        Some(self.side.map_or(either_side?, |side| one_sided(either_side.unwrap_or(1.0), side)))
    }
}

/// Side of a bound on which the truth lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beyond {
    /// The truth is larger.
    Above,
    /// The truth is smaller.
    Below,
}

impl Beyond {
    /// Words for what a bound says of the truth.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Above => "at least",
            Self::Below => "at most",
        }
    }
}

/// Side on which the truth of a ratio of times lies, the second by the first, if either was cut off; nothing if both
/// were.
pub(super) fn side(is_first_cut: bool, is_second_cut: bool) -> Option<Option<Beyond>> {
    match (is_first_cut, is_second_cut) {
        (false, false) => Some(None),
        (false, true) => Some(Some(Beyond::Above)),
        (true, false) => Some(Some(Beyond::Below)),
        (true, true) => None,
    }
}

/// Contrast of the logarithms of times, the second side less the first, pair by pair or not. Nothing if both sides were
/// cut off.
pub(super) fn times(first: &Gathered<'_>, second: &Gathered<'_>, is_paired: bool) -> Option<Bounded> {
    let side = side(first.is_cut(), second.is_cut())?;
    let logs = |place: usize| [first, second].map(|group| logs(group, place));
    let places = 0..first.runs.len();
    let contrast = match is_paired {
        true => {
            let at = |place: usize| -> Vec<f64> {
                let [first, second] = logs(place);
                let pairs = second
                    .into_iter()
                    .filter_map(|(pairing, (class, other))| Some((pairing, (class, other - first.get(&pairing)?.1))));
                by_class(pairs.collect()).into_values().collect()
            };
            Contrast::paired(&places.map(at).collect::<Vec<_>>())
        }
        false => {
            let at = |place: usize| logs(place).map(|figures| by_class(figures).into_values().collect());
            let (first, second): (Vec<Vec<f64>>, Vec<Vec<f64>>) = places.map(at).map(|[one, two]| (one, two)).unzip();
            Contrast::unpaired(&second, &first)
        }
    };
    Some(Bounded { contrast: contrast?, side })
}

/// Seed classes and logarithms of a figure at a position, by what makes runs pairs.
pub(super) type Figures = BTreeMap<(u64, u32), (u64, f64)>;

/// Logarithms of the times of a group at a position, with their limits for searches that were cut off.
pub(super) fn logs(group: &Gathered<'_>, place: usize) -> Figures {
    let key = |record: &Record| ((record.cell.seed, record.cell.repetition), record.cell.seed_class());
    let whole = group.runs[place].iter().filter_map(|&run| Some((key(run.record), log_time(run)?)));
    let cut = group.cut[place].iter().filter_map(|record| {
        let limit = record.exceeds_ns().filter(|limit| *limit > 0)?;
        Some((key(record), (limit as f64 * 1e-9).ln()))
    });
    whole.chain(cut).map(|((pairing, class), log)| (pairing, (class, log))).collect()
}

/// Mean of the logarithms of each seed class.
pub(super) fn by_class(figures: Figures) -> BTreeMap<u64, f64> {
    let mut classes: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
    figures.into_values().for_each(|(class, log)| classes.entry(class).or_default().push(log));
    classes.into_iter().filter_map(|(class, logs)| Some((class, mean(&logs)?))).collect()
}
