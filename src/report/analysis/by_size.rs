//! Speedup by the size of a search. A speedup grows with the search, by strategy at different rates, so it holds for
//! one size only: the time T1 that one processor takes. Every search passes smaller depths on its way, and its records
//! say when; so each gives a curve of speedup over T1.
//!
//! For a position and a depth, `x` is the mean over baseline runs of ln T1 and `y` is `x` less the mean over runs of
//! ln Tn. The speedup at a size is `y` interpolated linearly in `x`, never extrapolated: a weighted mean of the
//! logarithms at two depths, with weights that are the same for all runs, so that each run has its own value and a
//! contrast gives the interval. Growth is the slope of `y` over log2 T1 within the last factor of 8 of each position,
//! by least squares, which is a weighted sum of logarithms too.

use std::rc::Rc;

use crate::distinct::found_or_added;
use crate::record::Configuration;
use crate::statistics::{Contrast, Interval, Test, mean};

use super::deepening::{last_depth, log_time_at};
use super::grouping::{Gathered, Gathering, Run};
use super::scope::Holds;
use super::sums::Part;
use super::{AtSize, BySize, Group, conditions};

/// Time in seconds below which a search on several processors says nothing of its speedup.
const SHORTEST_S: f64 = 0.5e-3;
/// Fewest positions that make a size, and the share of all that must reach it.
const FEWEST_POSITIONS: usize = 5;
const FEWEST_SHARE: f64 = 0.8;
/// Factor of T1 within which growth is measured, up to the deepest search.
const WINDOW: f64 = 8.0;
/// Least factor of T1 that two depths must be apart to have a slope.
const NARROWEST: f64 = 2.0;

/// Factor by which the speedup of the second of two rivals grows relative to the first's when T1 doubles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outgrowth {
    pub ratio: Interval,
    /// Test of its difference from 1.
    pub test: Option<Test>,
}

/// Size of a search from which on at least half of the processors are worth their time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum HalfEfficiency {
    /// Seconds of one processor.
    At(f64),
    /// The smallest size that was measured, in seconds, where half of the processors are worth it already: the size
    /// from which on they are is no larger.
    AtMost(f64),
}

impl HalfEfficiency {
    /// The size, if it lies within what was measured.
    pub fn seen_s(self) -> Option<f64> {
        if let Self::At(t1_s) = self { Some(t1_s) } else { None }
    }

    /// The smallest size that was measured, if the size lies there or below.
    pub fn at_most_s(self) -> Option<f64> {
        if let Self::AtMost(t1_s) = self { Some(t1_s) } else { None }
    }
}

/// Depths, each with its mean of ln T1 or with a weight.
type Rungs = Vec<(u32, f64)>;

/// Searches of a group beside its baseline.
struct Climb<'a, 'g> {
    group: &'g Gathered<'a>,
    baseline: &'g Gathered<'a>,
    /// Means of ln T1 by position and by the depths that both have passed; both ascend.
    ladders: Vec<Rungs>,
}

/// Problem of a search, as [`Configuration::problem`] has it, and its number of processors. Groups alike in both are
/// compared at the same sizes.
type Problem = (Configuration, u32);

/// Gives each group its speedups by size. Sizes are those that all curves of a problem reach at the same positions.
pub(super) fn by_size(groups: &mut [Group], gathering: &Gathering<'_>, wanted_s: Option<f64>, holds: Holds) {
    let mut problems: Vec<(Problem, Vec<(usize, Climb<'_, '_>)>)> = Vec::new();
    for (place, group) in gathering.groups.iter().enumerate().filter(|(_, group)| group.configuration.threads > 1) {
        let Some(climb) = gathering.baseline(group).and_then(|baseline| Climb::of(group, baseline)) else { continue };
        let key = (group.configuration.problem(), group.configuration.threads);
        found_or_added(&mut problems, |(other, _)| *other == key, || (key.clone(), Vec::new())).1.push((place, climb));
    }
    for (_, climbs) in &problems {
        let all = climbs.iter().map(|(_, climb)| filled(&climb.ladders)).max().unwrap_or(0);
        let places = |t1_s: f64| -> Vec<usize> {
            let has_all =
                |place: &usize| climbs.iter().all(|(_, climb)| around(&climb.ladders[*place], t1_s.ln()).is_some());
            (0..gathering.positions.len()).filter(has_all).collect()
        };
        let is_enough =
            |places: &[usize]| places.len() >= FEWEST_POSITIONS && places.len() as f64 >= FEWEST_SHARE * all as f64;
        let doublings = || (-20..=20).map(|power| 2.0_f64.powi(power));
        let grid = doublings().chain(wanted_s.filter(|wanted_s| doublings().all(|t1_s| t1_s != *wanted_s)));
        let sizes: Vec<(f64, Vec<usize>)> =
            grid.map(|t1_s| (t1_s, places(t1_s))).filter(|(_, places)| is_enough(places)).collect();
        for (place, climb) in climbs {
            let at = |(t1_s, places): &(f64, Vec<usize>)| {
                let contrast = climb.at(t1_s.ln(), places)?;
                Some(AtSize { t1_s: *t1_s, time_speedup: holds.ratio(&contrast), positions: places.len() })
            };
            let sizes: Vec<AtSize> = sizes.iter().filter_map(at).collect();
            let growth = climb.growth().map(|growth| holds.ratio(&growth));
            if !sizes.is_empty() || growth.is_some() {
                let growth_test = climb.growth_p(holds).map(Test::of);
                let half_efficiency = half_efficiency(&sizes, climb.group.configuration.threads);
                groups[*place].by_size = Some(BySize { sizes, growth, growth_test, half_efficiency });
            }
        }
    }
}

/// Parts of the logarithm of the speedup at a size, which is added to a sum or taken away; the parts have nothing where
/// the size is not reached. Nothing if records do not say when they passed which depth.
pub(crate) fn parts_at<'a, 'g>(
    [group, baseline]: [&'g Gathered<'a>; 2],
    t1_s: f64,
    is_added: bool,
) -> Option<[Part<'a, 'g>; 2]> {
    let climb = Climb::of(group, baseline)?;
    let rungs = |ladder: &Rungs| around(ladder, t1_s.ln()).into_iter().flatten().collect();
    Some(climb.parts(climb.ladders.iter().map(rungs).collect(), is_added))
}

/// Parts of the slope of the logarithm of the speedup over log2 T1.
pub(crate) fn slope_parts<'a, 'g>(
    [group, baseline]: [&'g Gathered<'a>; 2],
    is_added: bool,
) -> Option<[Part<'a, 'g>; 2]> {
    let climb = Climb::of(group, baseline)?;
    Some(climb.parts(climb.slopes(), is_added))
}

/// Difference in growth between two rivals.
pub(super) fn outgrowth(
    [first, second]: [&Gathered<'_>; 2],
    gathering: &Gathering<'_>,
    holds: Holds,
) -> Option<Outgrowth> {
    let contrast = |first: &Gathered<'_>, second: &Gathered<'_>| {
        let slopes = |side: &Gathered<'_>| {
            let climb = Climb::of(side, gathering.baseline(side)?)?;
            Some(climb.values(&climb.slopes(), side))
        };
        // Time that grows faster is a speedup that grows more slowly.
        Contrast::unpaired(&slopes(first)?, &slopes(second)?)
    };
    let ratio = holds.ratio(&contrast(first, second)?);
    Some(Outgrowth { ratio, test: conditions::p_value(first, second, holds, contrast).map(Test::of) })
}

impl<'a, 'g> Climb<'a, 'g> {
    /// Nothing if the two have no common depth, or if their records do not say when they passed which.
    fn of(group: &'g Gathered<'a>, baseline: &'g Gathered<'a>) -> Option<Self> {
        if !group.has_common_depth() || !baseline.has_common_depth() || group.is_cut() || baseline.is_cut() {
            return None;
        }
        let ladder = |(ours, theirs): (&Vec<Run<'_>>, &Vec<Run<'_>>)| {
            let logs = |runs: &[Run<'_>], depth: u32| -> Option<f64> {
                mean(&runs.iter().map(|&run| log_time_at(run, depth)).collect::<Option<Vec<f64>>>()?)
            };
            let last = ours.iter().chain(theirs).map(|run| last_depth(*run)).min().unwrap_or(0);
            let rung = |depth: u32| {
                let is_long = logs(ours, depth)? >= SHORTEST_S.ln();
                is_long.then_some((depth, logs(theirs, depth)?))
            };
            let mut ladder: Rungs = (1..=last).filter_map(rung).collect();
            ladder.dedup_by(|next, before| next.1 <= before.1);
            ladder
        };
        let ladders: Vec<Rungs> = group.runs.iter().zip(&baseline.runs).map(ladder).collect();
        (filled(&ladders) > 0).then_some(Self { group, baseline, ladders })
    }

    /// Contrast of the logarithm of the speedup at a size, over these positions.
    fn at(&self, log_t1: f64, places: &[usize]) -> Option<Contrast> {
        let mut weights = vec![Rungs::new(); self.ladders.len()];
        places
            .iter()
            .for_each(|&place| weights[place].extend(around(&self.ladders[place], log_t1).into_iter().flatten()));
        self.weighted(&weights)
    }

    /// Contrast of the logarithm of the factor by which the speedup grows when T1 doubles.
    fn growth(&self) -> Option<Contrast> {
        let weights = self.slopes();
        let is_enough = filled(&weights) >= FEWEST_POSITIONS.min(filled(&self.ladders));
        self.weighted(&weights).filter(|_| is_enough)
    }

    /// P value of the growth: the probability of one as far from 1 by chance.
    fn growth_p(&self, holds: Holds) -> Option<f64> {
        let growth = |group: &Gathered<'_>, baseline: &Gathered<'_>| Climb::of(group, baseline)?.growth();
        conditions::p_value(self.group, self.baseline, holds, growth)
    }

    /// Contrast of weighted sums of the logarithms of the speedups at depths.
    fn weighted(&self, weights: &[Rungs]) -> Option<Contrast> {
        Contrast::unpaired(&self.values(weights, self.baseline), &self.values(weights, self.group))
    }

    /// Weights of the slope over log2 T1 at each position where there is one.
    fn slopes(&self) -> Vec<Rungs> {
        let slope = |ladder: &Rungs| {
            let (_, end) = *ladder.last()?;
            let near: Rungs = ladder.iter().copied().filter(|(_, log)| end - log <= WINDOW.ln() + 1e-9).collect();
            let middle = mean(&near.iter().map(|(_, log)| *log).collect::<Vec<_>>())?;
            let squares: f64 = near.iter().map(|(_, log)| (log - middle).powi(2)).sum();
            let is_wide = end - near[0].1 >= NARROWEST.ln();
            // A doubling is ln 2 in these logarithms.
            let weight = |&(depth, log): &(u32, f64)| (depth, (log - middle) / squares * std::f64::consts::LN_2);
            is_wide.then(|| near.iter().map(weight).collect())
        };
        self.ladders.iter().map(|ladder| slope(ladder).unwrap_or_default()).collect()
    }

    /// Sums of the logarithms of each run of a side by these weights of depths, by position.
    fn values(&self, weights: &[Rungs], side: &Gathered<'_>) -> Vec<Vec<f64>> {
        weights.iter().enumerate().map(|(at, weights)| side.figures_at(at, |run| weighted_log(weights, run))).collect()
    }

    /// Such sums of both sides.
    fn parts(&self, weights: Vec<Rungs>, is_added: bool) -> [Part<'a, 'g>; 2] {
        let weights = Rc::new(weights);
        [(self.baseline, is_added), (self.group, !is_added)].map(|(side, is_added)| {
            let weights = Rc::clone(&weights);
            Part::new(side, is_added, move |place, run| weighted_log(&weights[place], run))
        })
    }
}

/// Sum of the logarithms of a run's times to depths by these weights; nothing if there are none.
fn weighted_log(weights: &Rungs, run: Run<'_>) -> Option<f64> {
    let sum = weights.iter().map(|&(depth, weight)| Some(weight * log_time_at(run, depth)?)).sum::<Option<f64>>();
    sum.filter(|_| !weights.is_empty())
}

/// Number of positions that have anything.
fn filled(positions: &[Rungs]) -> usize {
    positions.iter().filter(|depths| !depths.is_empty()).count()
}

/// The two depths around a size with their weights, which add up to 1; nothing beyond the ends of the ladder.
fn around(ladder: &Rungs, log_t1: f64) -> Option<[(u32, f64); 2]> {
    let above = ladder.iter().position(|(_, log)| *log >= log_t1)?;
    let (depth, log) = ladder[above];
    if log == log_t1 {
        return Some([(depth, 1.0), (depth, 0.0)]);
    }
    let (below, lower) = ladder[above.checked_sub(1)?];
    let weight = (log_t1 - lower) / (log - lower);
    Some([(below, 1.0 - weight), (depth, weight)])
}

/// Smallest size at which the speedup is at least half the processors, between sizes by straight lines in logarithms;
/// nothing if no size was so large.
fn half_efficiency(sizes: &[AtSize], threads: u32) -> Option<HalfEfficiency> {
    let half = (f64::from(threads) / 2.0).ln();
    let mut points: Vec<(f64, f64)> = sizes.iter().map(|size| (size.t1_s, size.time_speedup.estimate.ln())).collect();
    points.sort_by(|one, other| one.0.total_cmp(&other.0));
    let first = points.iter().position(|(_, speedup)| *speedup >= half)?;
    let (t1_s, y) = points[first];
    let Some((before_s, y0)) = first.checked_sub(1).map(|before| points[before]) else {
        return Some(HalfEfficiency::AtMost(t1_s));
    };
    let steps = (half - y0) / (y - y0);
    Some(HalfEfficiency::At(before_s * (t1_s / before_s).powf(steps)))
}

#[cfg(test)]
mod tests {
    use super::super::samples::{configuration, description, measured, record};
    use super::super::statements::Kind;
    use super::super::{Analysis, Statement};
    use super::*;
    use crate::random::SplitMix;
    use crate::record::{DepthAnswer, PositionInfo, Record};

    /// One processor takes 2^d ms to depth d. Four take 2^d / (1 + d / 2), so that the speedup grows with depth; at
    /// position `p` all of that `p` plies later.
    fn records(runs: u64) -> Vec<Record> {
        let (one, four) = (configuration("sequential", 1), configuration("ybwc", 4));
        let mut records = Vec::new();
        for position in 0..5_u32 {
            for (configuration, shared) in [(&one, false), (&four, true)] {
                for seed in 0..runs {
                    let id = format!("P{position}");
                    let mut record = record(records.len() as u64, configuration, &id, seed, (1, 100));
                    let time = |depth: u32| {
                        let t1 = 2.0_f64.powi((depth + position) as i32);
                        let speedup = if shared { 1.0 + f64::from(depth + position) / 2.0 } else { 1.0 };
                        (t1 / speedup * (1.0 + 0.01 * seed as f64) * 1e6) as u64
                    };
                    let answer = |depth| DepthAnswer { depth, time_ns: time(depth), ..DepthAnswer::default() };
                    measured(&mut record).answers = (1..=8).map(answer).collect();
                    measured(&mut record).time_ns = time(8);
                    records.push(record);
                }
            }
        }
        records
    }

    #[test]
    fn speedups_by_size_worked_by_hand() {
        let position = |place: u32| PositionInfo { id: format!("P{place}"), ..PositionInfo::default() };
        let description =
            crate::record::Description { positions: (0..5).map(position).collect(), ..description(&["threads"], 20) };
        // A size that the experiment asks for is not listed again if it is a doubling.
        let description = crate::record::Description { size_s: Some(0.25), ..description };
        let analysis = Analysis::of(description, &records(2));
        let by_size = analysis.groups[1].by_size.as_ref().unwrap();
        // All positions reach 2^5 to 2^8 ms. Near a power of two of a second the curve is between two of its points.
        let sizes: Vec<f64> = by_size.sizes.iter().map(|size| size.t1_s).collect();
        assert_eq!(sizes, [2.0_f64.powi(-4), 2.0_f64.powi(-3), 2.0_f64.powi(-2)]);
        for size in &by_size.sizes {
            let depth = (size.t1_s * 1e3).log2();
            let exact = 1.0 + depth / 2.0;
            assert!((size.time_speedup.estimate / exact - 1.0).abs() < 0.01, "{size:?} {exact}");
            assert!(size.time_speedup.low < size.time_speedup.estimate && size.positions == 5, "{size:?}");
        }
        // Half of four processors are worth their time from depth 2 on, which all positions have passed at 5.
        assert_eq!(by_size.half_efficiency, Some(HalfEfficiency::AtMost(2.0_f64.powi(-4))));
        // Between 2^(5 + p) and 2^(8 + p) ms the speedup grows from 3.5 + p / 2 to 5 + p / 2.
        let slope = |place: f64| {
            let logs: Vec<f64> = (5..=8).map(|d| (1.0 + (f64::from(d) + place) / 2.0_f64).ln()).collect();
            (3.0 * (logs[3] - logs[0]) + (logs[2] - logs[1])) / 10.0
        };
        let expected = ((0..5).map(|place| slope(f64::from(place))).sum::<f64>() / 5.0).exp();
        let growth = by_size.growth.unwrap();
        assert!((growth.estimate - expected).abs() < 1e-3, "{growth:?} {expected}");
    }

    /// Half efficiency lies between two sizes, or at most at the smallest, and is not extrapolated.
    #[test]
    fn half_efficiency_is_never_below_what_was_measured() {
        let half = |speedups: &[f64]| {
            let size = |(place, speedup): (usize, &f64)| AtSize {
                t1_s: 2.0_f64.powi(place as i32),
                time_speedup: Interval::unknown(*speedup),
                positions: 5,
            };
            half_efficiency(&speedups.iter().enumerate().map(size).collect::<Vec<_>>(), 8)
        };
        assert_eq!(half(&[5.0, 5.5, 6.0]), Some(HalfEfficiency::AtMost(1.0)));
        assert_eq!(half(&[4.0, 5.5, 6.0]), Some(HalfEfficiency::AtMost(1.0)));
        assert_eq!(half(&[1.0, 2.0, 3.0]), None);
        let Some(HalfEfficiency::At(t1_s)) = half(&[1.0, 2.0, 8.0]) else { panic!("it was seen") };
        assert!((t1_s - 2.0 * 2.0_f64.sqrt()).abs() < 1e-9, "{t1_s}");
    }

    /// Growth has a p value, which is corrected with the others of the report; one that is 1 but for noise is not
    /// claimed.
    #[test]
    fn growth_is_a_claim() {
        let growth = |records: &[Record]| {
            let analysis = Analysis::of(description(&["threads"], 20), records);
            let is_growth = |claim: &&Statement| claim.kind == Kind::Growth;
            let claims: Vec<_> = analysis.statements.iter().filter(is_growth).cloned().collect();
            let [claim] = &claims[..] else { panic!("{claims:?}") };
            let by_size = analysis.groups[1].by_size.clone().unwrap();
            assert_eq!(by_size.growth, Some(claim.ratio));
            assert_eq!(by_size.growth_test, Some(claim.test));
            claim.clone()
        };
        let grown = growth(&records(2));
        assert_eq!((grown.subject.as_str(), grown.than.as_str()), ("ybwc", "its smaller searches"));
        assert!(grown.is_shown() && grown.ratio.low > 1.0, "{grown:?}");
        // Twice the speedup at every depth but for noise.
        let mut level = records(3);
        let mut random = SplitMix::new(1);
        for record in &mut level {
            let shared = record.cell.configuration.threads > 1;
            let position: i32 = record.cell.position[1..].parse().unwrap();
            for answer in &mut measured(record).answers {
                let t1 = 1e6 * 2.0_f64.powi(answer.depth as i32 + position) / if shared { 2.0 } else { 1.0 };
                answer.time_ns = (t1 * (0.05 * random.normal()).exp()) as u64;
            }
            measured(record).time_ns = measured(record).answers[7].time_ns;
        }
        let level = growth(&level);
        assert!(!level.is_shown() && (level.ratio.estimate - 1.0).abs() < 0.02, "{level:?}");
    }

    #[test]
    fn too_few_positions_make_no_size() {
        let sizes = |records: &[Record]| {
            let analysis = Analysis::of(description(&["threads"], 20), records);
            analysis.groups[1].by_size.as_ref().unwrap().sizes.len()
        };
        let five = records(2);
        let four: Vec<Record> = five.iter().filter(|record| record.cell.position != "P0").cloned().collect();
        assert!(sizes(&five) > 0);
        assert_eq!(sizes(&four), 0);
    }
}
