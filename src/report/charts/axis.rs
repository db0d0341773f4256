//! Axes: their ranges, scales and ticks.

use crate::table::number;

/// Layout of values along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scale {
    /// Equal differences are equal lengths.
    Linear,
    /// Equal ratios are equal lengths.
    Logarithmic,
}

/// Range of values with their layout and ticks.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Axis {
    /// Quantity that the axis shows, with its unit.
    pub name: String,
    /// Layout of the values.
    pub scale: Scale,
    /// Value at the beginning.
    pub low: f64,
    /// Value at the end.
    pub high: f64,
    /// Values that are written at the axis, ascending.
    pub ticks: Vec<Tick>,
}

/// Value written at an axis.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tick {
    pub value: f64,
    pub label: String,
}

/// Greatest number of ticks of an axis of values.
const MOST_TICKS: usize = 8;

/// Ratio of the largest to the smallest value beyond which an axis of positive values is logarithmic.
const LARGEST_LINEAR_RATIO: f64 = 15.0;

/// Value that an axis must show besides the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    Zero,
    /// No value: the axis may begin anywhere.
    Free,
}

impl Axis {
    /// Place of a value, from 0 at the beginning to 1 at the end.
    pub fn share(&self, value: f64) -> f64 {
        match self.scale {
            Scale::Linear => (value - self.low) / (self.high - self.low),
            Scale::Logarithmic => (value / self.low).ln() / (self.high / self.low).ln(),
        }
    }

    /// Whether a value is on the axis.
    pub fn has(&self, value: f64) -> bool {
        // Ends are sums of steps, which rounding moves.
        (-1e-9..=1.0 + 1e-9).contains(&self.share(value))
    }

    /// Axis of numbers of processors: each doubling is as long. The last number has a tick if there is room for it.
    pub fn of_processors(name: &str, numbers: impl IntoIterator<Item = f64>) -> Option<Self> {
        /// Least ratio of two ticks.
        const APART: f64 = 1.3;
        let (low, high) = extremes(numbers.into_iter().filter(|number| *number >= 1.0))?;
        let powers = powers_of_two(low, high);
        let last = powers.last().is_none_or(|power| high / power >= APART).then_some(high);
        let margin = 1.06f64.powf((high / low).log2().max(1.0) / 2.0);
        let ticks = powers.into_iter().chain(last).map(|tick| (tick, 0));
        Some(Self::new(name, Scale::Logarithmic, low / margin, high * margin, ticks))
    }

    /// Axis of numbers that are whole, such as depths.
    pub fn whole(name: &str, numbers: impl IntoIterator<Item = f64>) -> Option<Self> {
        let (low, high) = extremes(numbers)?;
        let step = [1.0, 2.0, 5.0, 10.0].into_iter().find(|step| (high - low) / step <= 12.0).unwrap_or(20.0);
        let ticks = ((low / step).ceil() as i64..=(high / step).floor() as i64).map(|tick| (tick as f64 * step, 0));
        let margin = ((high - low) * 0.03).max(0.3);
        Some(Self::new(name, Scale::Linear, low - margin, high + margin, ticks))
    }

    /// Axis of values: logarithmic where they are positive and very different, linear otherwise.
    pub fn of_values(name: &str, values: impl IntoIterator<Item = f64>, origin: Origin) -> Option<Self> {
        let (low, high) = extremes(values)?;
        if low > 0.0 && high / low > LARGEST_LINEAR_RATIO {
            return Self::logarithmic(name, [low, high]);
        }
        Some(match origin {
            Origin::Zero => Self::linear(name, low.min(0.0), high.max(0.0)),
            Origin::Free => Self::linear(name, low, high),
        })
    }

    /// Linear axis over these values, from tick to tick.
    pub fn linear(name: &str, low: f64, high: f64) -> Self {
        let span = if high > low { high - low } else { high.abs().max(1.0) * 0.2 };
        let (low, high) =
            if high > low || low == 0.0 { (low, low + span) } else { (low - span / 2.0, low + span / 2.0) };
        let step = step_for(span, MOST_TICKS - 2);
        let (first, last) = ((low / step + 1e-9).floor(), (high / step - 1e-9).ceil());
        let count = (last - first).round() as i64;
        let ticks = (0..=count).map(|tick| ((first + tick as f64) * step, decimals(step)));
        Self::new(name, Scale::Linear, first * step, last * step, ticks)
    }

    /// Linear axis of shares, written in hundredths.
    pub fn shares(name: &str, low: f64, high: f64) -> Self {
        let percent = Self::linear(name, low * 100.0, high * 100.0);
        let ticks = percent.ticks.into_iter().map(|tick| Tick { value: tick.value / 100.0, ..tick }).collect();
        Self { low: percent.low / 100.0, high: percent.high / 100.0, ticks, ..percent }
    }

    /// Logarithmic axis over these values, those that are not positive left out.
    pub fn logarithmic(name: &str, values: impl IntoIterator<Item = f64>) -> Option<Self> {
        let (low, high) = extremes(values.into_iter().filter(|value| *value > 0.0))?;
        let margin = (high / low).powf(0.04).max(1.02);
        let (low, high) = (low / margin, high * margin);
        Some(Self::new(name, Scale::Logarithmic, low, high, logarithmic_ticks(low, high, MOST_TICKS)))
    }

    /// Logarithmic axis over these values with ticks at powers of two: for a speedup beside a logarithmic axis of
    /// processors.
    pub fn powers_of_two(name: &str, values: impl IntoIterator<Item = f64>) -> Option<Self> {
        let axis = Self::logarithmic(name, values)?;
        let ticks = powers_of_two(axis.low, axis.high);
        if ticks.len() < 3 {
            return Some(axis);
        }
        let ticks = ticks.into_iter().map(|power| (power, (-power.log2()).max(0.0) as usize));
        Some(Self::new(name, Scale::Logarithmic, axis.low, axis.high, ticks))
    }

    /// Logarithmic axis of the values that were measured, each with a tick by these words, and the place of zero on it,
    /// which stands before the smallest that is positive.
    pub fn measured(name: &str, values: &[f64], words: impl Fn(f64) -> String) -> Option<(Self, f64)> {
        /// Ratio of the smallest positive value to the place of zero.
        const TO_ZERO: f64 = 4.0;
        let (least, _) = extremes(values.iter().copied().filter(|value| *value > 0.0))?;
        let zero = least / TO_ZERO;
        let place = |value: f64| if value == 0.0 { zero } else { value };
        let axis = Self::logarithmic(name, values.iter().map(|value| place(*value)))?;
        let ticks = values.iter().map(|&value| Tick { value: place(value), label: words(value) }).collect();
        Some((Self { ticks, ..axis }, zero))
    }

    /// Axis with these ticks, each a value and the number of decimals with which it is written.
    fn new(name: &str, scale: Scale, low: f64, high: f64, ticks: impl IntoIterator<Item = (f64, usize)>) -> Self {
        let ticks = ticks.into_iter().map(|(value, decimals)| Tick { value, label: label(value, decimals) }).collect();
        Self { name: name.to_owned(), scale, low, high, ticks }
    }
}

/// Value in words, without needless digits.
pub(super) fn plain(value: f64) -> String {
    if value.fract() == 0.0 { label(value, 0) } else { number::figure(value) }
}

/// Value as it is written at an axis: large ones in thousands, millions or milliards, with the minus sign of print.
fn label(value: f64, decimals: usize) -> String {
    const UNITS: [(f64, &str); 3] = [(1e9, "G"), (1e6, "M"), (1e3, "k")];
    /// Least value that is written with a unit.
    const LARGE: f64 = 1e4;
    let unit = UNITS.into_iter().find(|(unit, _)| value.abs() >= LARGE && value.abs() >= *unit);
    let label = match unit {
        Some((unit, sign)) => {
            let short = format!("{:.3}", value / unit);
            short.trim_end_matches('0').trim_end_matches('.').to_owned() + sign
        }
        None => format!("{value:.decimals$}"),
    };
    // Minus zero is zero.
    let is_zero = label.trim_matches(['-', '0', '.']).is_empty();
    if is_zero { label.replace('-', "") } else { label.replace('-', "−") }
}

/// Powers of two in a range, so few of them that their labels fit.
fn powers_of_two(low: f64, high: f64) -> Vec<f64> {
    let powers = low.log2().ceil() as i32..=high.log2().floor() as i32;
    let every = powers.clone().count().div_ceil(12).max(1);
    powers.step_by(every).map(|power| 2f64.powi(power)).collect()
}

/// Smallest and largest of the values that are numbers; nothing if there is none.
pub(super) fn extremes(values: impl IntoIterator<Item = f64>) -> Option<(f64, f64)> {
    let numbers = values.into_iter().filter(|value| value.is_finite());
    numbers.map(|number| (number, number)).reduce(|(low, high), (number, _)| (low.min(number), high.max(number)))
}

/// Step of 1, 2 or 5 times a power of ten that goes into a span `most` times at most.
fn step_for(span: f64, most: usize) -> f64 {
    let power = 10f64.powf((span / most as f64).log10().floor());
    let mut steps = [1.0, 2.0, 5.0, 10.0].into_iter().map(|digit| digit * power);
    steps.find(|step| span / step <= most as f64).unwrap_or(power)
}

fn decimals(step: f64) -> usize {
    (-(step.log10() + 1e-9).floor()).clamp(0.0, 12.0) as usize
}

/// Densest of several kinds of round numbers that has few enough in the range.
fn logarithmic_ticks(low: f64, high: f64, most: usize) -> Vec<(f64, usize)> {
    const DIGITS: [&[f64]; 4] = [&[1.0, 1.5, 2.0, 3.0, 5.0, 7.0], &[1.0, 2.0, 5.0], &[1.0, 3.0], &[1.0]];
    let decades = low.log10().floor() as i32..=high.log10().ceil() as i32;
    let round = |digits: &[f64], every: usize| -> Vec<(f64, usize)> {
        let tick = |decade: i32, digit: &f64| {
            let is_half = digit.fract() != 0.0 && decade <= 0;
            (digit * 10f64.powi(decade), (-decade).max(0) as usize + usize::from(is_half))
        };
        let all = decades.clone().step_by(every).flat_map(|decade| digits.iter().map(move |digit| tick(decade, digit)));
        all.filter(|(value, _)| (low..=high).contains(value)).collect()
    };
    let few_decades = (2..).map(|every| round(&[1.0], every));
    let mut kinds = DIGITS.into_iter().map(|digits| round(digits, 1)).chain(few_decades);
    let best = kinds.find(|ticks| ticks.len() <= most).unwrap_or_default();
    let step = step_for(high - low, most - 1);
    let (first, last) = ((low / step).ceil() as i64, (high / step).floor() as i64);
    let equal_steps: Vec<(f64, usize)> = (first..=last).map(|tick| (tick as f64 * step, decimals(step))).collect();
    // Equal steps crowd at the upper end of a wide range, and are better in a narrow one.
    if high / low < 3.0 && equal_steps.len() >= best.len() { equal_steps } else { best }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis) -> String {
        axis.ticks.iter().map(|tick| tick.label.as_str()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn doublings_of_processors_are_as_long_and_the_last_number_has_a_tick() {
        for (numbers, expected) in [
            (vec![1.0], "1"),
            (vec![1.0, 2.0, 3.0, 4.0], "1 2 4"),
            (vec![1.0, 12.0], "1 2 4 8 12"),
            (vec![1.0, 9.0], "1 2 4 8"),
            ((1..=24).map(f64::from).collect(), "1 2 4 8 16 24"),
            (vec![6.0], "6"),
            (vec![1.0, 4.0, 1024.0], "1 2 4 8 16 32 64 128 256 512 1024"),
            (vec![1.0, f64::NAN, 0.0, 2.0], "1 2"),
        ] {
            let axis = Axis::of_processors("processors", numbers.clone()).unwrap();
            assert_eq!(labels(&axis), expected, "{numbers:?}");
            let length = |from, to| axis.share(to) - axis.share(from);
            assert!((length(1.0, 2.0) - length(4.0, 8.0)).abs() < 1e-12);
        }
        assert_eq!(Axis::of_processors("processors", []), None);
    }

    #[test]
    fn depths_have_whole_ticks() {
        for (numbers, expected) in [([4.0, 7.0], "4 5 6 7"), ([5.0, 20.0], "6 8 10 12 14 16 18 20"), ([3.0; 2], "3")] {
            assert_eq!(labels(&Axis::whole("depth", numbers).unwrap()), expected, "{numbers:?}");
        }
    }

    #[test]
    fn values_have_round_ticks_around_them() {
        for (values, origin, expected) in [
            (vec![0.0, 10.0], Origin::Zero, "0 2 4 6 8 10"),
            (vec![3.0, 11.3], Origin::Zero, "0 2 4 6 8 10 12"),
            (vec![89.4, 91.9], Origin::Free, "89.0 89.5 90.0 90.5 91.0 91.5 92.0"),
            (vec![-0.3, 0.4], Origin::Free, "−0.4 −0.2 0.0 0.2 0.4"),
            (vec![5.0, 5.0], Origin::Free, "4.4 4.6 4.8 5.0 5.2 5.4 5.6"),
            (vec![0.0], Origin::Zero, "0.00 0.05 0.10 0.15 0.20"),
            (vec![1e5, 2e7], Origin::Zero, "100k 200k 500k 1M 2M 5M 10M 20M"),
        ] {
            let axis = Axis::of_values("values", values.clone(), origin).unwrap();
            assert_eq!(labels(&axis), expected, "{values:?}");
            assert!(values.iter().all(|&value| axis.has(value)), "{values:?}");
        }
    }

    #[test]
    fn ratios_have_ticks_that_can_be_read() {
        for (low, high, expected) in [
            (0.9, 1.1, "0.90 0.95 1.00 1.05 1.10"),
            (0.5, 2.0, "0.5 0.7 1 1.5 2"),
            (0.1, 20.0, "0.1 0.2 0.5 1 2 5 10 20"),
            (1.0, 1e9, "10 1000 100k 10M 1G"),
        ] {
            let axis = Axis::logarithmic("ratio", [low, high]).unwrap();
            assert_eq!(labels(&axis), expected, "{low} to {high}");
        }
    }

    #[test]
    fn zero_stands_before_what_was_measured() {
        let (axis, zero) = Axis::measured("latency", &[0.0, 2.0, 500.0], |value| format!("{value} us")).unwrap();
        assert_eq!((labels(&axis).as_str(), zero), ("0 us 2 us 500 us", 0.5));
        assert!(axis.has(zero) && axis.has(500.0));
        assert_eq!(Axis::measured("latency", &[0.0], |value| value.to_string()), None);
    }

    #[test]
    fn equal_ratios_are_equal_lengths() {
        let axis = Axis::logarithmic("ratio", [0.5, 2.0]).unwrap();
        assert!((axis.share(1.0) - 0.5).abs() < 1e-12);
        assert!((axis.share(2.0) - axis.share(1.0) - (axis.share(1.0) - axis.share(0.5))).abs() < 1e-12);
        assert_eq!(labels(&Axis::powers_of_two("speedup", [0.4, 9.0]).unwrap()), "0.5 1 2 4 8");
    }
}
