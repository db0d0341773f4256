//! What is wrong with a parallel search, if anything is: from how its time, its nodes a second and its answers change
//! with the number of threads. A state is said of the search, not of the positions that were measured, so that all
//! intervals and tests are for positions like these. Rules are on exponents, by which a figure grows with the number of
//! threads: twice as fast on four is an exponent of one half.

mod limit;
#[cfg(test)]
mod simulated;

use std::collections::BTreeSet;

use crate::choices::choices;
use crate::record::{IntervalKind, Surroundings};
use crate::statistics::Interval;
use crate::table::number::{counted, fixed, listed};

use super::conditions::is_doubtful;
use super::grouping::{Gathered, Gathering, Run};
use super::logs::{log_nodes, log_nps, log_time};
use super::pairing::{Partners, partners_of};
use super::scope::Holds;
use super::{Curve, Group};
use limit::{GAIN, HARM, Limit, Times};

/// Exponent below which a speedup is little.
const LITTLE: f64 = 0.25;
/// Part of a processor that each further one must be worth in a search that gains; on many processors, it is enough
/// that the speedup is not little.
const WORTH: f64 = 0.07;
/// Exponent of nodes a second below which further threads do not search.
const NOTHING: f64 = 0.1;
/// Exponent above which nodes a second grow as they should where depth does not, and above which a speedup is good.
const MUCH: f64 = 0.5;
/// Beginning of the kinds of cores of a search that ran on others than fast ones too.
const FAST_AND: &str = "fast+";
/// Share of searches with the very score of one thread from which on threads search the same.
const SAME: f64 = 0.9;

choices! {
    /// State of a parallel search.
    pub enum Health, "state of a parallel search";
    /// Neither that it is healthy nor what is wrong is shown.
    Undecided "not decided",
    /// The speedup lies above the square root of the number of threads, and the last doubling gains.
    Healthy "healthy",
    /// It gains; whether much or little is not shown.
    Gains "gains; whether well or poorly is not decided",
    /// It gains, but the speedup lies below the square root of the number of threads.
    Poorly "gains, but poorly",
    /// Nodes do not grow with the threads, or nodes a second do not.
    NotSearching "threads do not search",
    /// Nodes a second grow, but time to the same depth does not fall, and scores are those of one thread.
    Clones "nodes scale, depth does not: the threads are clones",
    /// Up to some number of threads it gains, and beyond it no gain is shown.
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
    /// Place of the group with most threads, from which the figures are.
    pub group: usize,
    /// Largest number of threads.
    pub threads: u32,
    /// Whether these are of several nodes.
    pub is_spread: bool,
    /// Numbers of threads up to which it may gain, of which the true one is missing in at most 5 of 100.
    pub good_to: Vec<u32>,
    /// Numbers of threads that are slower than all of those.
    pub slower: Vec<u32>,
    /// Time speedup with most threads, for positions like these.
    pub speedup: Interval,
    /// Ratio of nodes a second, likewise.
    pub rate: Interval,
    /// Ratio of nodes, likewise.
    pub nodes: Interval,
    /// Share of its searches with the very score of a search by one thread with the same seed.
    pub same_score: Option<f64>,
    /// Number of pairs of a search with most threads and one with one thread, if all have equal nodes.
    pub equal_pairs: Option<usize>,
    /// Number of fast cores, if with most threads some ran on slow ones.
    pub fast_cores: Option<u32>,
}

/// Searches of a curve: those of one thread, then those of each larger number.
struct Searches<'a> {
    groups: Vec<Gathered<'a>>,
    holds: Holds,
}

/// Figures of a curve that its state follows from.
struct Findings {
    speedup: Interval,
    rate: Interval,
    nodes: Interval,
    last_doubling: Interval,
    limit: Limit,
    same_score: Option<f64>,
    equal_pairs: Option<usize>,
}

/// Diagnoses of all curves that have a baseline and more.
pub(super) fn diagnoses(
    curves: &[Curve],
    groups: &[Group],
    gathering: &Gathering<'_>,
    is_one_game: bool,
) -> Vec<Diagnosis> {
    let holds = Holds::of_kind(IntervalKind::PositionsLikeThese, is_one_game);
    let diagnosis = |(curve, Curve { groups: places, .. }): (usize, &Curve)| {
        let shared: Vec<usize> = places.iter().copied().filter(|&at| groups[at].against_baseline.is_some()).collect();
        let &group = shared.last()?;
        let baseline = gathering.baseline(&gathering.groups[group])?;
        let gathered = shared.iter().map(|&place| gathering.groups[place].clone());
        let searches = Searches { groups: [baseline.clone()].into_iter().chain(gathered).collect(), holds };
        let findings = searches.findings();
        let threads = groups[group].configuration.threads;
        let mut health = findings.state(threads);
        // Load takes time, not nodes.
        if searches.are_doubtful() && findings.equal_pairs.is_none() {
            // The quiet searches alone may show less, but nothing else.
            let quiet = searches.quiet().findings();
            let (all, estimate) = (findings.speedup, quiet.speedup.estimate);
            let is_alike = [health, Health::Undecided].contains(&quiet.state(threads));
            let is_inside = all.low <= estimate && estimate <= all.high;
            health = if is_alike && is_inside { health } else { Health::Undecided };
        }
        let is_told = health != Health::Undecided;
        let Findings { speedup, rate, nodes, limit, same_score, equal_pairs, .. } = findings;
        let Limit { good_to, slower, .. } = if is_told { limit } else { Limit::default() };
        Some(Diagnosis {
            curve,
            health,
            group,
            threads,
            is_spread: groups[group].configuration.node_count() > 1,
            good_to,
            slower,
            speedup,
            rate,
            nodes,
            same_score,
            equal_pairs,
            fast_cores: fast_cores(threads, gathering.groups[group].all().filter_map(surroundings)),
        })
    };
    curves.iter().enumerate().filter_map(diagnosis).collect()
}

impl<'a> Searches<'a> {
    fn findings(&self) -> Findings {
        let (one, most) = (&self.groups[0], &self.groups[self.groups.len() - 1]);
        // Where a limit cut searches off, the times that are left are those of the fast ones.
        let is_whole = |group: &&Gathered<'_>| group.has_common_depth() && !group.is_cut();
        let whole: Vec<&Gathered<'_>> = self.groups.iter().filter(is_whole).collect();
        let threads: Vec<u32> = whole.iter().map(|group| group.configuration.threads).collect();
        // Without pairs, as the time speedups of tables are formed: the verdict says the same figures.
        let logs: Vec<Vec<Vec<f64>>> = whole.iter().map(|group| group.figures(log_time)).collect();
        let times = Times { threads: &threads, logs: &logs, holds: self.holds };
        let has_times = is_whole(&one) && is_whole(&most);
        let unknown = Interval::unknown(f64::NAN);
        let ratio = |figure: fn(Run<'_>) -> Option<f64>| {
            most.less(one, figure).map_or(unknown, |contrast| self.holds.ratio(&contrast))
        };
        Findings {
            speedup: if has_times { times.speedup() } else { unknown },
            last_doubling: if has_times { times.last_doubling() } else { unknown },
            limit: if has_times { times.limit() } else { Limit::default() },
            rate: ratio(log_nps),
            nodes: if has_times { ratio(log_nodes) } else { unknown },
            same_score: same_scores(most, one),
            equal_pairs: equal_pairs(most, one),
        }
    }

    fn are_doubtful(&self) -> bool {
        self.groups.iter().any(is_doubtful)
    }

    /// Those that nothing disturbed.
    fn quiet(&self) -> Self {
        Self { groups: self.groups.iter().map(Gathered::quiet).collect(), holds: self.holds }
    }
}

impl Findings {
    fn state(&self, threads: u32) -> Health {
        let exponent = |ratio: Interval| ratio.map(|ratio| ratio.ln() / f64::from(threads).ln());
        let (speedup, rate) = (exponent(self.speedup), exponent(self.rate));
        let enough = (1.0 + WORTH * f64::from(threads - 1)).min(f64::from(threads).powf(LITTLE));
        let is_limited = !self.limit.good_to.is_empty() && !self.limit.good_to.contains(&threads);
        match () {
            () if self.equal_pairs.is_some() => Health::NotSearching,
            () if self.speedup.high < HARM => Health::Slower,
            // What gains well with a few threads is neither a clone nor merely wider.
            () if is_limited && self.limit.gains_well => Health::UpTo,
            () if speedup.high < LITTLE && rate.low > MUCH => match self.same_score {
                Some(share) if share >= SAME => Health::Clones,
                _ => Health::Wider,
            },
            () if is_limited => Health::UpTo,
            () if speedup.low > MUCH && self.last_doubling.low > GAIN => Health::Healthy,
            () if speedup.low > MUCH && self.limit.good_to.len() > 1 => Health::UpTo,
            () if self.speedup.low > enough && speedup.high < MUCH => Health::Poorly,
            () if self.speedup.low > enough => Health::Gains,
            () if speedup.high < LITTLE && rate.high < NOTHING => Health::NotSearching,
            () => Health::Undecided,
        }
    }
}

fn surroundings(run: Run<'_>) -> Option<&Surroundings> {
    run.record.surroundings.as_ref()
}

/// Share of searches whose score is that of the baseline with the same seed: the mean over positions.
fn same_scores(group: &Gathered<'_>, baseline: &Gathered<'_>) -> Option<f64> {
    let of_position = |pairs: &Partners<'_, 2>| {
        let same = pairs.iter().filter(|[one, other]| one.measured.score_raw == other.measured.score_raw).count();
        (!pairs.is_empty()).then(|| same as f64 / pairs.len() as f64)
    };
    let shares: Vec<f64> = partners_of([group, baseline]).iter().filter_map(of_position).collect();
    crate::statistics::mean(&shares)
}

/// Number of fast cores of the computer, if all searches had more threads than that and ran on slow ones too.
fn fast_cores<'a>(threads: u32, around: impl Iterator<Item = &'a Surroundings>) -> Option<u32> {
    let has_slow = |around: &Surroundings| around.core_kind.as_ref().is_some_and(|kinds| kinds.starts_with(FAST_AND));
    let each: Option<BTreeSet<u32>> = around.map(|around| around.fast_cores.filter(|_| has_slow(around))).collect();
    // Several computers have several numbers.
    let numbers = each.filter(|numbers| numbers.len() == 1)?;
    numbers.into_iter().find(|fast| threads > *fast)
}

/// Number of pairs of searches with the same seed, if both of each have the same number of nodes. They must be of two
/// positions or more, since in one position threads may find nothing to share.
pub(crate) fn equal_pairs(group: &Gathered<'_>, baseline: &Gathered<'_>) -> Option<usize> {
    let pairs = partners_of([group, baseline]);
    let is_equal = |pair: &[Run<'_>; 2]| {
        let [nodes, of_one] = pair.map(|run| run.measured.nodes);
        nodes == of_one && nodes > 0
    };
    let positions = pairs.iter().filter(|pairs| !pairs.is_empty()).count();
    (positions > 1 && pairs.iter().flatten().all(is_equal)).then(|| pairs.iter().map(Vec::len).sum())
}

impl Diagnosis {
    /// Share of the threads that the speedup is worth.
    pub fn efficiency(&self) -> Interval {
        self.speedup.map(|speedup| speedup / f64::from(self.threads))
    }

    /// Efficiency in words: `14 % of 16 threads`.
    pub fn efficiency_in_words(&self) -> String {
        let efficiency = fixed(100.0 * self.efficiency().estimate, 0);
        self.of_processors(format!("{efficiency} % of {} threads", self.threads))
    }

    /// Words about threads as words about processors, if those are of several nodes.
    fn of_processors(&self, words: String) -> String {
        if self.is_spread { words.replace("thread", "processor") } else { words }
    }

    /// The state with its numbers, as the end of a sentence about the search.
    pub fn in_words(&self) -> String {
        self.of_processors(match (self.health, self.equal_pairs) {
            (Health::NotSearching, Some(pairs)) => {
                let who = match self.threads {
                    2 => "the second thread does".to_owned(),
                    threads => format!("the other {} threads do", threads - 1),
                };
                format!("{who} not search: equal nodes in all {}", counted(pairs, "pair", "pairs"))
            }
            (Health::Poorly, _) => format!("{}: {}", self.health.name(), self.efficiency_in_words()),
            (Health::UpTo, _) => self.limit_in_words(),
            _ => self.health.name().to_owned(),
        })
    }

    /// State in a few words, for a column of a table.
    pub fn in_short(&self) -> String {
        match self.health {
            Health::Undecided | Health::Healthy => self.health.name().to_owned(),
            Health::Slower => "slower".to_owned(),
            Health::Gains => "gains".to_owned(),
            Health::Poorly => "gains poorly".to_owned(),
            Health::NotSearching => "does not search".to_owned(),
            Health::Clones => "clones".to_owned(),
            Health::UpTo => format!("good to {}", either(&self.good_to)),
            Health::Wider => "wider".to_owned(),
        }
    }

    /// Whether it may be the slow cores that add nothing.
    fn ends_at_fast_cores(&self) -> bool {
        self.fast_cores.is_some_and(|fast| self.good_to.contains(&fast))
    }

    fn limit_in_words(&self) -> String {
        let upto = format!("good to {} threads", either(&self.good_to));
        let (upto, no_further) = match self.good_to[..] {
            [_] if self.ends_at_fast_cores() => (format!("{upto}, the number of fast cores"), ", and no further"),
            _ => (upto, " and no further"),
        };
        if !self.slower.is_empty() {
            let slower: Vec<String> = self.slower.iter().map(u32::to_string).collect();
            return format!("{upto}, and slower with {}", listed(&slower));
        }
        if self.good_to.contains(&self.threads) { upto } else { format!("{upto}{no_further}") }
    }

    /// Part of the engine, or measurement, to look at next in this state, as a sentence.
    pub fn next(&self) -> &'static str {
        match self.health {
            Health::NotSearching if self.is_spread => {
                "Are there as many ranks as nodes, do they search until they are stopped, and are their nodes counted?"
            }
            Health::Clones if self.is_spread => {
                "Do nodes exchange entries of their tables, and what makes them differ: depth, order of moves, history?"
            }
            Health::Slower if self.is_spread => {
                "Look for waiting on messages, and for more ranks and threads than cores."
            }
            Health::Poorly if self.is_spread => {
                "Look at nodes a second first: if they grow with the processors, nodes of the cluster search too much \
                 of the same; if not, they wait for one another."
            }
            Health::Wider if self.is_spread => "Play a match of more nodes against one, with the same time.",
            Health::Undecided => "Measure more positions, or on a quieter computer.",
            Health::Healthy => "A match says what it is worth in strength.",
            Health::Gains => "More positions show whether it gains well.",
            Health::Poorly => {
                "Look at nodes a second first: if they grow with the threads, the threads search too much of the same; \
                 if not, they hinder one another."
            }
            Health::NotSearching => {
                "Does the engine take the option Threads, do helpers start, and do they search until they are stopped?"
            }
            Health::Clones => {
                "Do threads share the transposition table, and what makes them differ: depth, order of moves, history?"
            }
            Health::UpTo if self.ends_at_fast_cores() => {
                "Further threads run on slow cores: compare with as many threads as fast cores before you look for a \
                 fault of the engine."
            }
            Health::UpTo => "Look at what is shared by all: locks, counters, one list of work, memory.",
            Health::Slower => {
                "Look for locks, for data of different threads on one cache line, and for more threads than cores."
            }
            Health::Wider => "Play a match of more threads against one, with the same time.",
        }
    }
}

/// `4`, `4 or 8`, `4, 8 or 16`.
fn either(numbers: &[u32]) -> String {
    let words: Vec<String> = numbers.iter().map(u32::to_string).collect();
    match words.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => words.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interval([low, high]: [f64; 2]) -> Interval {
        Interval { estimate: (low * high).sqrt(), low, high }
    }

    fn found(speedup: [f64; 2], rate: [f64; 2], same_score: f64) -> Findings {
        Findings {
            speedup: interval(speedup),
            rate: interval(rate),
            nodes: interval([0.9, 1.1]),
            last_doubling: interval(speedup),
            limit: Limit::default(),
            same_score: Some(same_score),
            equal_pairs: None,
        }
    }

    fn limited(findings: Findings, good_to: &[u32]) -> Findings {
        Findings { limit: Limit { good_to: good_to.to_vec(), ..Limit::default() }, ..findings }
    }

    #[test]
    fn each_state_has_its_figures() {
        for (threads, findings, expected) in [
            (2, found([1.45, 1.7], [1.8, 2.0], 0.5), Health::Healthy),
            (2, found([1.3, 1.7], [1.8, 2.0], 0.5), Health::Gains),
            (2, found([1.08, 1.24], [1.9, 2.1], 0.5), Health::Poorly),
            (2, found([0.97, 1.1], [0.98, 1.03], 1.0), Health::NotSearching),
            (2, found([0.97, 1.1], [1.8, 2.0], 1.0), Health::Clones),
            (2, found([0.97, 1.1], [1.8, 2.0], 0.4), Health::Wider),
            (2, found([0.6, 0.9], [0.7, 1.0], 0.4), Health::Slower),
            (2, found([0.9, 1.6], [1.8, 2.0], 0.4), Health::Undecided),
            (2, found([0.9, 1.1], [1.1, 1.6], 0.4), Health::Undecided),
            (2, found([f64::NAN, f64::NAN], [1.8, 2.0], 0.4), Health::Undecided),
            (2, Findings { equal_pairs: Some(20), ..found([0.4, 0.9], [0.7, 1.0], 1.0) }, Health::NotSearching),
            (16, found([2.1, 2.6], [8.0, 9.0], 0.4), Health::Poorly),
            (16, found([1.9, 2.6], [8.0, 9.0], 0.4), Health::Undecided),
            (16, limited(found([4.5, 6.0], [8.0, 9.0], 0.4), &[4, 8]), Health::UpTo),
            (16, limited(found([2.5, 3.0], [8.0, 9.0], 0.4), &[4]), Health::UpTo),
            (16, limited(found([4.5, 6.0], [8.0, 9.0], 0.4), &[16]), Health::Healthy),
            // The last doubling is not shown to gain.
            (
                16,
                Findings {
                    last_doubling: interval([1.0, 1.2]),
                    ..limited(found([4.5, 6.0], [8.0, 9.0], 0.4), &[8, 16])
                },
                Health::UpTo,
            ),
        ] {
            let state = findings.state(threads);
            assert_eq!(state, expected, "{threads} {:?} {:?} {:?}", findings.speedup, findings.rate, findings.limit);
        }
    }

    #[test]
    fn fast_cores_count_where_slow_ones_were_used() {
        let around = |core_kind: &str, fast_cores| Surroundings {
            core_kind: Some(core_kind.to_owned()).filter(|kind| !kind.is_empty()),
            fast_cores,
            ..Surroundings::default()
        };
        for (threads, kinds, expected) in [
            (16, [around("fast+slow", Some(8)), around("fast+slow", Some(8))], Some(8)),
            (8, [around("fast+slow", Some(8)), around("fast+slow", Some(8))], None),
            (16, [around("fast+slow", Some(8)), around("fast", Some(8))], None),
            (16, [around("fast+slow", Some(8)), around("fast+slow", Some(6))], None),
            (16, [around("fast+middle+slow", Some(2)), around("fast+slow", Some(2))], Some(2)),
            (16, [around("fast+slow", Some(8)), around("", Some(8))], None),
            (16, [around("alike", None), around("alike", None)], None),
        ] {
            assert_eq!(fast_cores(threads, kinds.iter()), expected, "{threads} {kinds:?}");
        }
        assert_eq!(fast_cores(16, [].iter()), None, "of an older version");
    }

    #[test]
    fn states_are_said_with_their_numbers() {
        let diagnosis = |health, good_to: &[u32], slower: &[u32], equal_pairs| Diagnosis {
            curve: 0,
            health,
            group: 0,
            threads: 16,
            is_spread: false,
            good_to: good_to.to_vec(),
            slower: slower.to_vec(),
            speedup: interval([2.0, 2.6]),
            rate: interval([8.0, 9.0]),
            nodes: interval([0.9, 1.1]),
            same_score: None,
            equal_pairs,
            fast_cores: None,
        };
        let hybrid = |good_to: &[u32], slower: &[u32]| Diagnosis {
            fast_cores: Some(8),
            ..diagnosis(Health::UpTo, good_to, slower, None)
        };
        for (said, expected) in [
            (diagnosis(Health::Poorly, &[], &[], None), "gains, but poorly: 14 % of 16 threads"),
            (diagnosis(Health::UpTo, &[4], &[], None), "good to 4 threads and no further"),
            (diagnosis(Health::UpTo, &[4, 8], &[], None), "good to 4 or 8 threads and no further"),
            (diagnosis(Health::UpTo, &[8, 16], &[], None), "good to 8 or 16 threads"),
            (diagnosis(Health::UpTo, &[4], &[8, 16], None), "good to 4 threads, and slower with 8 and 16"),
            (hybrid(&[8], &[]), "good to 8 threads, the number of fast cores, and no further"),
            (hybrid(&[8], &[16]), "good to 8 threads, the number of fast cores, and slower with 16"),
            (hybrid(&[4], &[]), "good to 4 threads and no further"),
            (hybrid(&[4, 8], &[]), "good to 4 or 8 threads and no further"),
            (diagnosis(Health::NotSearching, &[], &[], None), "threads do not search"),
            (
                diagnosis(Health::NotSearching, &[], &[], Some(20)),
                "the other 15 threads do not search: equal nodes in all 20 pairs",
            ),
        ] {
            assert_eq!(said.in_words(), expected);
        }
        assert!(hybrid(&[8], &[]).next().contains("slow cores") && hybrid(&[4], &[]).next().contains("locks"));
        let two = Diagnosis { threads: 2, ..diagnosis(Health::NotSearching, &[], &[], Some(1)) };
        assert_eq!(two.in_words(), "the second thread does not search: equal nodes in all 1 pair");
        let ranks = Diagnosis { is_spread: true, ..two };
        assert_eq!(ranks.in_words(), "the second processor does not search: equal nodes in all 1 pair");
        assert!(ranks.next().contains("ranks") && ranks.efficiency_in_words().ends_with("of 2 processors"));
    }
}
