//! What is wrong with a parallel search, if anything is: from how its time, its nodes a second and its answers change
//! with the number of processors. All rules are on exponents, by which a figure grows with the number of processors:
//! twice as fast on four is an exponent of one half.

use crate::choices::choices;
use crate::statistics::{Contrast, Interval};

use super::conditions::is_doubtful;
use super::grouping::{Gathered, Gathering};
use super::logs::log_time;
use super::pairing::partners_of;
use super::ratios::Pair;
use super::scope::Holds;
use super::{AgainstBaseline, Curve, Group};

/// Exponent below which a speedup is none to speak of.
const LITTLE: f64 = 0.25;
/// Part of a processor that each further one must be worth in a healthy search; on many processors, it is enough that
/// the speedup is not little.
const WORTH: f64 = 0.07;
/// Exponent of nodes a second below which further processors do not search.
const NOTHING: f64 = 0.1;
/// Exponent above which nodes a second grow as they should where depth does not, and above which a speedup is a good
/// one.
const MUCH: f64 = 0.5;
/// Time speedup below which threads do harm.
const HARM: f64 = 0.95;
/// Time speedup that processors must show before others can be said to add nothing to it.
const SOME: f64 = 1.1;
/// Factor by which further processors must be able to shorten the time, or they add nothing. "No further" would say too
/// much of those that add a tenth.
const FURTHER: f64 = 1.1;
/// Share of searches with the very score of one processor from which on threads search the same.
const SAME: f64 = 0.9;

choices! {
    /// State of a parallel search.
    pub enum Health, "state of a parallel search";
    /// Neither that it is healthy nor what is wrong is shown.
    Undecided "not decided",
    /// More processors reach the same depth sooner.
    Healthy "healthy",
    /// Nodes a second do not grow with the threads.
    NotSearching "threads do not search",
    /// Nodes a second grow, but time to the same depth does not fall, and scores are those of one thread.
    Clones "nodes scale, depth does not: the threads are clones",
    /// Up to some number of threads it gains, and beyond it does not.
    UpTo "good to some threads and no further",
    /// With threads it takes longer.
    Slower "slower with threads",
    /// Nodes a second grow, time to the same depth does not fall, and scores are others.
    Wider "wider instead of deeper: decide by a match",
}

/// State of the parallel search of a curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnosis {
    /// Place in [`curves`](super::Analysis::curves).
    pub curve: usize,
    pub health: Health,
    /// Place of the group with most processors, from which the figures are.
    pub group: usize,
    /// Number of processors up to which it gains, if it gains no further.
    pub good_to: Option<u32>,
    /// Share of its searches with the very score of a search by one processor with the same seed.
    pub same_score: Option<f64>,
}

/// Diagnoses of all curves that have a baseline and more.
pub(super) fn diagnoses(curves: &[Curve], groups: &[Group], gathering: &Gathering<'_>, holds: Holds) -> Vec<Diagnosis> {
    let diagnosis = |(curve, Curve { groups: places, .. }): (usize, &Curve)| {
        let ratios = |place: usize| groups[place].against_baseline.as_ref().map(|against| (place, against));
        let all: Vec<(usize, &AgainstBaseline)> = places.iter().filter_map(|&place| ratios(place)).collect();
        let &(group, last) = all.last()?;
        let gathered = |place: usize| &gathering.groups[place];
        let sides = [gathered(group), gathering.baseline(gathered(group))?];
        let same_score = same_scores(sides[0], sides[1]);
        let threads = |place: usize| groups[place].configuration.threads;
        let gains_to = |place: usize, against: &AgainstBaseline| {
            let is_faster = against.time_speedup.low > SOME && threads(group) >= 2 * threads(place);
            let gains_more = |other: usize| {
                let times = [place, other].map(|place| gathered(place).figures(log_time));
                let gain = Contrast::unpaired(&times[0], &times[1]).map(|gain| holds.ratio(&gain).high);
                gain.is_none_or(may_be_further)
            };
            let mut beyond = all.iter().filter(|(other, _)| threads(*other) > threads(place));
            is_faster && beyond.all(|(other, _)| !gains_more(*other))
        };
        let good_to = all.iter().find(|(place, against)| gains_to(*place, against)).map(|(place, _)| threads(*place));
        let mut health = state_of(last, threads(group), good_to.is_some(), same_score);
        if sides.into_iter().any(is_doubtful) {
            // The quiet searches alone may show less, but nothing else.
            let [group, baseline] = sides.map(Gathered::quiet);
            let pair = Pair::of(&group, &baseline).map(|pair| pair.against_baseline(holds));
            let is_alike = pair.is_some_and(|quiet| {
                let same_score = same_scores(&group, &baseline);
                let state = state_of(&quiet, group.configuration.threads, good_to.is_some(), same_score);
                let (all, quiet) = (last.time_speedup, quiet.time_speedup.estimate);
                [health, Health::Undecided].contains(&state) && all.low <= quiet && quiet <= all.high
            });
            health = Some(health).filter(|_| is_alike).unwrap_or_default();
        }
        Some(Diagnosis { curve, health, group, good_to: good_to.filter(|_| health == Health::UpTo), same_score })
    };
    curves.iter().enumerate().filter_map(diagnosis).collect()
}

/// Whether processors that may shorten the time by this factor at most may add something.
fn may_be_further(most: f64) -> bool {
    most.is_nan() || most >= FURTHER
}

fn state_of(against: &AgainstBaseline, threads: u32, is_limited: bool, same_score: Option<f64>) -> Health {
    let exponent = |ratio: Interval| ratio.map(|ratio| ratio.ln() / f64::from(threads).ln());
    let (speedup, rate) = (exponent(against.time_speedup), exponent(against.nps_speedup));
    let enough = (1.0 + WORTH * f64::from(threads - 1)).min(f64::from(threads).powf(LITTLE));
    match () {
        () if against.time_speedup.high < HARM => Health::Slower,
        () if speedup.high < LITTLE && rate.low > MUCH => match same_score {
            Some(share) if share >= SAME => Health::Clones,
            _ => Health::Wider,
        },
        () if is_limited && speedup.high < MUCH => Health::UpTo,
        () if against.time_speedup.low > enough => Health::Healthy,
        () if speedup.high < LITTLE && rate.high < NOTHING => Health::NotSearching,
        () => Health::Undecided,
    }
}

/// Share of searches whose score is that of the baseline with the same seed: the mean over positions.
fn same_scores(group: &Gathered<'_>, baseline: &Gathered<'_>) -> Option<f64> {
    let of_position = |pairs: &super::pairing::Partners<'_, 2>| {
        let same = pairs.iter().filter(|[one, other]| one.measured.score_raw == other.measured.score_raw).count();
        (!pairs.is_empty()).then(|| same as f64 / pairs.len() as f64)
    };
    let shares: Vec<f64> = partners_of([group, baseline]).iter().filter_map(of_position).collect();
    crate::statistics::mean(&shares)
}

impl Diagnosis {
    /// The state, with the number of processors up to which it gains.
    pub fn in_words(&self) -> String {
        match self.good_to {
            Some(threads) => format!("good to {threads} threads and no further"),
            None => self.health.name().to_owned(),
        }
    }

    /// Part of the engine, or measurement, to look at next in this state.
    pub const fn next(&self) -> &'static str {
        match self.health {
            Health::Undecided => "measure more positions, or on a quieter computer",
            Health::Healthy => "a match says what it is worth in strength",
            Health::NotSearching => {
                "does the engine take the option Threads, do helpers start, and do they search until they are stopped?"
            }
            Health::Clones => {
                "do threads share the transposition table, and what makes them differ: depth, order of moves, history?"
            }
            Health::UpTo => "what is shared by all: locks, counters, one list of work, memory",
            Health::Slower => "locks, and data of different threads on one cache line; more threads than cores",
            Health::Wider => "a match of more threads against one, with the same time",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn against(speedup: [f64; 2], rate: [f64; 2]) -> AgainstBaseline {
        let interval = |[low, high]: [f64; 2]| Interval { estimate: (low * high).sqrt(), low, high };
        AgainstBaseline { time_speedup: interval(speedup), nps_speedup: interval(rate), ..AgainstBaseline::ITSELF }
    }

    #[test]
    fn a_tenth_more_is_further() {
        let may = [0.9, 1.05, 1.13, f64::NAN].map(may_be_further);
        assert_eq!(may, [false, false, true, true]);
    }

    #[test]
    fn each_state_has_its_figures() {
        for (speedup, rate, limited, same, expected) in [
            ([1.3, 1.7], [1.8, 2.0], false, 0.5, Health::Healthy),
            ([1.08, 1.24], [1.9, 2.1], false, 0.5, Health::Healthy),
            ([0.97, 1.1], [0.98, 1.03], false, 1.0, Health::NotSearching),
            ([0.97, 1.1], [1.8, 2.0], false, 1.0, Health::Clones),
            ([0.97, 1.1], [1.8, 2.0], false, 0.4, Health::Wider),
            ([1.1, 1.35], [1.2, 1.4], true, 0.4, Health::UpTo),
            ([1.3, 1.7], [1.8, 2.0], true, 0.4, Health::Healthy),
            ([0.6, 0.9], [0.7, 1.0], false, 0.4, Health::Slower),
            ([0.9, 1.6], [1.8, 2.0], false, 0.4, Health::Undecided),
            ([0.9, 1.1], [1.1, 1.6], false, 0.4, Health::Undecided),
            ([f64::NAN, f64::NAN], [1.8, 2.0], false, 0.4, Health::Undecided),
        ] {
            assert_eq!(state_of(&against(speedup, rate), 2, limited, Some(same)), expected, "{speedup:?} {rate:?}");
        }
    }
}
