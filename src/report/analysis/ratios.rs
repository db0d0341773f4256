//! Ratios of a group to its baseline: ratios as differences of logarithms, means over runs within a position, then over
//! the positions that both were measured at. The factors of the time speedup are formed from the same runs in the same
//! way, so that their product is the speedup exactly; that it holds proves nothing, since the time spent searching
//! cancels. Nodes and activities are counted to the end of the search and divided by the time to that end, which a
//! search that waits for its master reaches after its first answer.

use crate::distinct::by_frequency;
use crate::record::{Disturbance, Measured, Word};
use crate::statistics::{Contrast, Interval, Test, mean, median, modified_z_scores, quantile};

use super::agreement::agreement;
use super::grouping::{Gathered, Run};
use super::logs::{is_usable, log_end, log_nodes, log_nps, log_time};
use super::scope::Holds;
use super::{AgainstBaseline, CycleFactors, Ends, Factor, Factors, PositionRow, conditions};

/// Share of the time to the first answer within which worker 0 may complete the depth too, before it notices the end.
const SAME_MOMENT: f64 = 0.001;

/// Group beside the baseline that it is divided by.
pub(super) struct Pair<'a, 'g> {
    group: &'g Gathered<'a>,
    baseline: &'g Gathered<'a>,
    /// Contrasts at the positions at which both reached a common depth in all searches; nothing if there is none.
    to_depth: Option<ToDepth>,
    /// Logarithm of the ratio of nodes a second.
    nps: Contrast,
}

/// Contrasts of searches to the same depth.
struct ToDepth {
    /// Logarithm of the time speedup.
    speedup: Contrast,
    /// Logarithm of the ratio of nodes.
    nodes: Contrast,
}

impl<'a, 'g> Pair<'a, 'g> {
    /// Pair of a group and its baseline; nothing if they have no position in common.
    pub fn of(group: &'g Gathered<'a>, baseline: &'g Gathered<'a>) -> Option<Self> {
        let to_depth = || {
            let is_whole = |place: usize, _: Run<'_>| group.cut[place].is_empty() && baseline.cut[place].is_empty();
            let [group, baseline] = [group, baseline].map(|side| side.filtered(is_whole));
            Some(ToDepth { speedup: baseline.less(&group, log_time)?, nodes: group.less(&baseline, log_nodes)? })
        };
        let has_depth = group.has_common_depth() && baseline.has_common_depth();
        let to_depth = has_depth.then(to_depth).flatten();
        Some(Self { group, baseline, to_depth, nps: group.less(baseline, log_nps)? })
    }

    /// Contrasts of times and nodes, if they hold for the group: all its searches, and its baseline's, have reached
    /// their depth.
    fn whole(&self) -> Option<&ToDepth> {
        self.to_depth.as_ref().filter(|_| !self.group.is_cut() && !self.baseline.is_cut())
    }

    /// Contrast of times to the same depth, if both have reached it in all searches.
    pub fn speedup(&self) -> Option<&Contrast> {
        self.whole().map(|both| &both.speedup)
    }

    /// Seconds of the baseline: geometric mean over the positions of the speedup.
    pub fn t1_s(&self) -> f64 {
        self.of_one(log_time)
    }

    /// Ratios to the baseline. Those that need a common depth are not numbers where there is none.
    pub fn against_baseline(&self, holds: Holds) -> AgainstBaseline {
        let ratio = |contrast: Option<&Contrast>| {
            contrast.map_or(Interval::unknown(f64::NAN), |contrast| holds.ratio(contrast))
        };
        let speedup = self.speedup();
        let speedups: Vec<f64> =
            speedup.map_or_else(Vec::new, |speedup| speedup.by_position().iter().map(|log| log.exp()).collect());
        AgainstBaseline {
            time_speedup: ratio(speedup),
            speedup: speedup.cloned(),
            nodes: ratio(self.whole().map(|both| &both.nodes)),
            nps_speedup: holds.ratio(&self.nps),
            mean_of_ratios: speedup
                .and_then(|speedup| self.mean_of_ratios(speedup, holds))
                .unwrap_or(Interval::unknown(f64::NAN)),
            median: median(&speedups).unwrap_or(f64::NAN),
            tenths: [0.1, 0.9].map(|share| quantile(&speedups, share).unwrap_or(f64::NAN)),
            faster: speedup.and_then(|_| self.test(log_time, holds)),
            t1_s: self.t1_s(),
            best_schedule: None,
            nodes_1: self.of_one(log_nodes),
            factors: self.factors(holds),
            cycles: self.cycles(holds),
            ends: if speedup.is_some() { self.ends(holds) } else { Ends::default() },
            same_move: self.same_move(),
            agreement: agreement(self.group, self.baseline),
        }
    }

    /// Test of the difference of a figure from the baseline's.
    fn test(&self, figure: impl Fn(Run<'a>) -> Option<f64>, holds: Holds) -> Option<Test> {
        conditions::p_value(self.group, self.baseline, holds, |group, baseline| group.less(baseline, &figure))
            .map(Test::of)
    }

    /// Geometric mean of a figure of the baseline over the positions of the speedup.
    fn of_one(&self, figure: impl Fn(Run<'a>) -> Option<f64>) -> f64 {
        let places = self.whole().map(|both| both.speedup.places()).unwrap_or_default();
        let logs: Vec<f64> = places.iter().filter_map(|&at| mean(&self.baseline.figures_at(at, &figure))).collect();
        mean(&logs).map_or(f64::NAN, f64::exp)
    }

    /// Arithmetic mean of the positions' speedups. To first order a speedup varies as its logarithm does, times itself
    /// (the delta method): each run's distance from its position's mean is scaled so.
    fn mean_of_ratios(&self, speedup: &Contrast, holds: Holds) -> Option<Interval> {
        let scaled = |side: &Gathered<'_>, is_divided: bool| -> Vec<Vec<f64>> {
            let logs = side.figures(log_time);
            let mut scaled = vec![Vec::new(); logs.len()];
            for (&place, log) in speedup.places().iter().zip(speedup.by_position()) {
                let (speedup, middle) = (log.exp(), mean(&logs[place]).unwrap_or(f64::NAN));
                let around = if is_divided { speedup } else { 0.0 };
                scaled[place] = logs[place].iter().map(|log| around + speedup * (log - middle)).collect();
            }
            scaled
        };
        let contrast = Contrast::unpaired(&scaled(self.baseline, true), &scaled(self.group, false))?;
        Some(holds.interval(&contrast))
    }

    fn factors(&self, holds: Holds) -> Factors {
        let processors = f64::from(self.group.configuration.threads) / f64::from(self.baseline.configuration.threads);
        // If some run does not tell where its time went, factors would be those of other runs than the speedup.
        let is_told = |run: Run<'_>| !is_usable(run) || run.measured.activities.search_ns > 0;
        let is_told = self.whole().is_some() && self.group.all().chain(self.baseline.all()).all(is_told);
        let factor = |figure: fn(Run<'_>) -> f64| {
            let log = |run: Run<'a>| is_usable(run).then(|| figure(run).ln());
            let contrast = self.group.less(self.baseline, log).filter(|_| is_told);
            let tested = |contrast: Contrast| Factor { ratio: holds.ratio(&contrast), test: self.test(log, holds) };
            contrast.map_or(Factor::UNKNOWN, tested)
        };
        let (utilisation, productive, rate) = (factor(utilisation), factor(productive), factor(rate));
        let nodes = |both: &ToDepth| Factor { ratio: holds.ratio(&both.nodes), test: self.test(log_nodes, holds) };
        let nodes = self.whole().map_or(Factor::UNKNOWN, nodes);
        Factors { processors, utilisation, productive, rate, nodes }
    }

    /// The two parts of the rate, where the system counts cycles in every run.
    fn cycles(&self, holds: Holds) -> Option<CycleFactors> {
        let all = || self.group.all().chain(self.baseline.all()).filter(|&run| is_usable(run));
        if self.whole().is_none() || all().any(|run| log_clock(run).is_none()) {
            return None;
        }
        let clock = self.group.less(self.baseline, |run| log_clock(run).filter(|_| is_usable(run)))?;
        let per_cycle = |run| Some(rate(run).ln() - log_clock(run)?);
        let per_cycle = self.group.less(self.baseline, |run| per_cycle(run).filter(|_| is_usable(run)))?;
        Some(CycleFactors { clock: holds.ratio(&clock), nodes_per_cycle: holds.ratio(&per_cycle) })
    }

    /// Ratios by other meanings of the end of a search, where some run has another time by them or nodes beyond the
    /// depth.
    fn ends(&self, holds: Holds) -> Ends {
        let within = |run: Run<'_>| is_usable(run).then(|| (run.measured.nodes_within().max(1) as f64).ln());
        let has_beyond = self.group.all().any(|run| run.measured.nodes_within() < run.measured.nodes);
        let nodes_within = self.group.less(self.baseline, within).filter(|_| has_beyond);
        let goes_on = |run: Run<'_>| run.measured.end_ns() as f64 > run.measured.time_ns as f64 * (1.0 + SAME_MOMENT);
        let has_overrun = self.group.all().any(goes_on);
        let overrun = self.group.less(self.baseline, |run| Some(log_end(run)? - log_time(run)?));
        Ends {
            overrun: overrun.filter(|_| has_overrun).map(|contrast| holds.ratio(&contrast)),
            master: self.other_end(|measured| measured.master_ns, holds),
            voted: self.other_end(|measured| measured.voted_ns, holds),
            nodes_within: nodes_within.map(|contrast| holds.ratio(&contrast)),
        }
    }

    /// Ratio of times by another meaning of the end of a search; nothing where the meanings do not differ.
    fn other_end(&self, time: fn(&Measured) -> Option<u64>, holds: Holds) -> Option<Interval> {
        let log = |run: Run<'_>| is_usable(run).then(|| Some((time(run.measured)? as f64 * 1e-9).ln())).flatten();
        let differs = |run: Run<'_>| {
            let first = run.measured.time_ns as f64;
            time(run.measured).is_some_and(|time| (time as f64 / first - 1.0).abs() > SAME_MOMENT)
        };
        let is_known = |run: Run<'_>| time(run.measured).is_some();
        // The mean of those runs in which the master got there would be that of others.
        let is_told = self.group.all().all(is_known) && self.group.all().any(differs);
        // One processor has one end.
        let contrast = Contrast::unpaired(&self.baseline.figures(log_time), &self.group.figures(log));
        contrast.filter(|_| is_told).map(|contrast| holds.ratio(&contrast))
    }

    /// Share of runs that chose the move that most baselines chose at their position.
    fn same_move(&self) -> Option<f64> {
        let (mut all, mut same) = (0_usize, 0_usize);
        for (runs, baselines) in self.group.runs.iter().zip(&self.baseline.runs) {
            if let Some((usual, _)) = moves(baselines).into_iter().next() {
                all += runs.len();
                same += runs.iter().filter(|run| run.measured.bestmove.as_ref() == Some(&usual)).count();
            }
        }
        (all > 0).then(|| same as f64 / all as f64)
    }
}

/// Share of its processors' time that a run spent searching or splitting, to its end. Those that notice that end a
/// moment later can make it more than one.
pub(super) fn utilisation(run: Run<'_>) -> f64 {
    let busy = busy_ns(run) as f64;
    busy / (f64::from(run.record.cell.configuration.threads) * run.measured.end_ns() as f64)
}

/// Share of the time spent searching or splitting that a run spent searching.
pub(super) fn productive(run: Run<'_>) -> f64 {
    run.measured.activities.search_ns as f64 / busy_ns(run) as f64
}

/// Nodes in a second of searching.
pub(super) fn rate(run: Run<'_>) -> f64 {
    run.measured.nodes as f64 / (run.measured.activities.search_ns as f64 * 1e-9)
}

/// Logarithm of the cycles in a second of the workers' processor time, if the system counts them.
fn log_clock(run: Run<'_>) -> Option<f64> {
    let watches: Vec<&Disturbance> =
        run.measured.workers.iter().map(|worker| worker.watch.as_ref()).collect::<Option<_>>()?;
    let cycles: u64 = watches.iter().map(|watch| watch.cycles).sum::<Option<_>>()?;
    let cpu_ns: u64 = watches.iter().map(|watch| watch.cpu_ns).sum::<Option<_>>()?;
    (cycles > 0 && cpu_ns > 0).then(|| (cycles as f64 / (cpu_ns as f64 * 1e-9)).ln())
}

fn busy_ns(run: Run<'_>) -> u64 {
    run.measured.activities.search_ns + run.measured.activities.split_ns
}

/// Rows of the positions of a group that were searched. Where a search was cut off, times and nodes are not known: what
/// is left are the fast searches.
pub(super) fn by_position(group: &Gathered<'_>, pair: Option<&Pair<'_, '_>>, positions: &[&str]) -> Vec<PositionRow> {
    let geometric = |figure: fn(Run<'_>) -> Option<f64>| -> Vec<f64> {
        group.figures(figure).iter().map(|logs| mean(logs).map_or(f64::NAN, f64::exp)).collect()
    };
    let (times, nodes) = (geometric(log_time), geometric(log_nodes));
    let pair = pair.and_then(|pair| pair.to_depth.as_ref());
    let scores = pair.and_then(|pair| modified_z_scores(pair.speedup.by_position()));
    let searched = (0..positions.len()).filter(|&place| group.is_searched_at(place));
    let row = |place: usize| {
        // The place of the position among those in common.
        let common = pair.and_then(|pair| Some((pair, pair.speedup.places().iter().position(|&at| at == place)?)));
        let whole = |mean: f64| if group.cut[place].is_empty() { mean } else { f64::NAN };
        PositionRow {
            position: positions[place].to_owned(),
            runs: group.runs[place].len(),
            cut: group.cut[place].len(),
            time_s: whole(times[place]),
            nodes: whole(nodes[place]),
            time_speedup: common.map(|(pair, at)| pair.speedup.by_position()[at].exp()),
            nodes_ratio: common.map(|(pair, at)| pair.nodes.by_position()[at].exp()),
            moves: moves(&group.runs[place]).into_iter().map(|(mv, count)| (mv.into(), count)).collect(),
            z_score: common.and_then(|(_, at)| Some(scores.as_ref()?[at])),
            is_outlier: false,
        }
    };
    searched.map(row).collect()
}

/// Moves that runs chose, with their frequencies: the most frequent first, of equals the first of the alphabet.
fn moves(runs: &[Run<'_>]) -> Vec<(Word, usize)> {
    by_frequency(runs.iter().filter_map(|run| run.measured.bestmove.clone()))
}
