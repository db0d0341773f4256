//! Growth of losses when the number of processors is doubled for the last time: measured, not foretold by any form.
//!
//! The loss on the most processors is divided by that on half as many, or on the next fewer that were measured. Both
//! are relative to the same baseline, which cancels, so the two groups alone make a contrast. Intervals hold together
//! for all four losses (Bonferroni); that one grows is a test of its own, corrected for four (Holm).

use crate::record::Record;
use crate::statistics::{Interval, LEVEL, holm};

use super::forms::{COORDINATION, EXTRA_NODES, SLOWER_NODES, WAITING};
use super::grouping::{Gathered, Gathering, Run, cells};
use super::logs::{is_usable, log_nodes};
use super::ratios::{productive, rate, utilisation};
use super::scope::Holds;
use super::{Analysis, Curve, Factors, Group, conditions};

/// Growth of the losses of a curve from one number of processors to another.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Doubling {
    pub from: u32,
    pub to: u32,
    pub losses: Vec<LossGrowth>,
}

/// Growth of a loss.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LossGrowth {
    pub name: &'static str,
    pub ratio: Interval,
    /// Whether a test shows that it grows.
    pub grows: bool,
    /// Whether this loss grows, and no other is shown to grow more.
    pub is_fastest: bool,
}

/// Logarithm of a loss of a run, but for what its baseline adds.
type Loss<'a> = fn(Run<'a>) -> Option<f64>;

/// Ratio to the baseline that belongs to a loss.
type Ratio = fn(&Factors) -> Interval;

fn figures<'a>() -> [(&'static str, Loss<'a>, Ratio); 4] {
    [
        (WAITING, |run| told(run, utilisation).map(|log| -log), |factors| factors.utilisation.ratio),
        (EXTRA_NODES, log_nodes, |factors| factors.nodes.ratio),
        (SLOWER_NODES, |run| told(run, rate).map(|log| -log), |factors| factors.rate.ratio),
        (COORDINATION, |run| told(run, productive).map(|log| -log), |factors| factors.productive.ratio),
    ]
}

fn told(run: Run<'_>, figure: fn(Run<'_>) -> f64) -> Option<f64> {
    is_usable(run).then(|| figure(run).ln())
}

/// Growth of the losses of a curve in its last doubling; nothing if there is none, or if its losses are not known.
pub(crate) fn last_doubling(analysis: &Analysis, records: &[Record], curve: &Curve) -> Option<Doubling> {
    let groups = || curve.groups.iter().map(|&place| &analysis.groups[place]);
    let threads = |group: &&Group| group.configuration.threads;
    let most = groups().max_by_key(threads)?;
    let half = groups().filter(|group| group.configuration.threads > 1);
    let half =
        half.filter(|group| 2 * group.configuration.threads <= most.configuration.threads).max_by_key(threads)?;
    let cells = cells(records);
    let gathering = Gathering::of(&analysis.description, &cells);
    let gathered = |group: &Group| Some(&gathering.groups[gathering.find(&group.configuration)?]);
    let losses = growths([gathered(most)?, gathered(half)?], [most, half], Holds::of(&analysis.description));
    Some(Doubling { from: half.configuration.threads, to: most.configuration.threads, losses })
}

fn growths<'a>([most, half]: [&Gathered<'a>; 2], groups: [&Group; 2], holds: Holds) -> Vec<LossGrowth> {
    // A loss is known where its ratio to the baseline is, on both numbers of processors.
    let is_known = |of: Ratio| {
        let known = |group: &Group| Some(of(&group.against_baseline.as_ref()?.factors).estimate.is_finite());
        groups.iter().all(|group| known(group) == Some(true))
    };
    let known: Vec<(&'static str, Loss<'a>)> =
        figures().into_iter().filter(|(_, _, of)| is_known(*of)).map(|(name, loss, _)| (name, loss)).collect();
    let p = |figure: &dyn Fn(Run<'a>) -> Option<f64>| {
        conditions::p_value(most, half, holds, |most, half| most.less(half, figure))
    };
    let adjusted = holm(&known.iter().map(|(_, loss)| p(loss)).collect::<Vec<_>>());
    let growth = |(&(name, loss), adjusted): (&(&'static str, Loss<'a>), &Option<f64>)| {
        let contrast = most.less(half, loss)?;
        let grows = adjusted.is_some_and(|p| p < 1.0 - LEVEL) && contrast.estimate() > 0.0;
        let ratio = holds.interval_among(&contrast, known.len()).exp();
        Some((loss, LossGrowth { name, ratio, grows, is_fastest: false }))
    };
    let mut all: Vec<(Loss<'a>, LossGrowth)> = known.iter().zip(&adjusted).filter_map(growth).collect();
    let growing = || all.iter().filter(|(_, one)| one.grows);
    let rivals = growing().count().saturating_sub(1).max(1) as f64;
    let fastest = growing().max_by(|(_, one), (_, other)| one.ratio.estimate.total_cmp(&other.ratio.estimate));
    let fastest = fastest.map(|(loss, one)| (*loss, one.name));
    for (loss, one) in all.iter_mut().filter(|(_, one)| one.grows) {
        let Some((largest, name)) = fastest else { continue };
        let more = |run| Some(largest(run)? - loss(run)?);
        let is_behind = || p(&more).is_some_and(|p| p * rivals < 1.0 - LEVEL);
        one.is_fastest = one.name == name || !is_behind();
    }
    all.into_iter().map(|(_, one)| one).collect()
}

#[cfg(test)]
mod tests {
    use super::super::samples::{configuration, description, measured, record};
    use super::*;
    use crate::random::SplitMix;

    /// Three positions, three seeds. On 2 and 4 processors searches take 1.1 and 1.25 times as long as without waiting,
    /// and search 1.05 and 1.1 times as many nodes; on 8 as given. There is noise in all; coordination costs nothing.
    fn records(noise: f64, (waiting, nodes): (f64, f64)) -> Vec<Record> {
        let mut records = Vec::new();
        let mut random = SplitMix::new(4);
        for (threads, waiting, nodes) in [(1, 1.0, 1.0), (2, 1.1, 1.05), (4, 1.25, 1.1), (8, waiting, nodes)] {
            let configuration = configuration(if threads == 1 { "sequential" } else { "ybwc" }, threads);
            for position in ["A", "B", "C"] {
                for seed in 0..3 {
                    let index = records.len() as u64;
                    let mut shake = || (noise * random.normal()).exp();
                    let searched = (1e6 * nodes * shake()) as u64;
                    let mut record = record(index, &configuration, position, seed, (16, searched));
                    let of_it = measured(&mut record);
                    let search_ns = 1_000 * searched;
                    of_it.time_ns = (search_ns as f64 * waiting * shake() / f64::from(threads)) as u64;
                    (of_it.activities.search_ns, of_it.activities.split_ns) = (search_ns, 0);
                    of_it.activities.idle_ns = (u64::from(threads) * of_it.time_ns).saturating_sub(search_ns);
                    records.push(record);
                }
            }
        }
        records
    }

    fn doubling(records: &[Record]) -> Doubling {
        let analysis = Analysis::of(description(&["threads"], records.len() as u64), records);
        last_doubling(&analysis, records, &analysis.curves[0]).unwrap()
    }

    #[test]
    fn what_grows_fastest_is_measured_and_tested() {
        let Doubling { from, to, losses } = doubling(&records(0.01, (2.0, 1.2)));
        assert_eq!((from, to), (4, 8));
        let [waiting, nodes, slower, coordination] = losses[..] else { panic!("{losses:?}") };
        assert!((waiting.ratio.estimate - 1.6).abs() < 0.02 && waiting.grows && waiting.is_fastest, "{waiting:?}");
        assert!(waiting.ratio.low < 1.6 && 1.6 < waiting.ratio.high, "{waiting:?}");
        assert!((nodes.ratio.estimate - 1.2 / 1.1).abs() < 0.02 && nodes.grows && !nodes.is_fastest, "{nodes:?}");
        assert!(!slower.grows && !coordination.grows, "{slower:?} {coordination:?}");
    }

    /// Losses whose growth is not told from the largest are named with it.
    #[test]
    fn two_losses_that_grow_alike_are_both_the_fastest() {
        let losses = doubling(&records(0.06, (1.25 * 1.5, 1.1 * 1.5))).losses;
        assert!(losses[..2].iter().all(|one| one.grows && one.is_fastest), "{losses:?}");
    }

    #[test]
    fn what_noise_hides_does_not_grow() {
        let losses = doubling(&records(0.1, (1.25, 1.1))).losses;
        assert!(losses.iter().all(|one| !one.grows && !one.is_fastest), "{losses:?}");
    }
}
