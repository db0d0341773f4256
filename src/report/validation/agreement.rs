//! Real and virtual processors side by side: the same positions with the same seeds, so that one processor searches the
//! same tree on both, and differences are formed run by run.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::verdict::{Judgement, SCOPE, judge};
use crate::record::validation::{Measurements, Role};
use crate::record::{Attempts, MachineKind, Measured, Run, attempts};
use crate::statistics::{Contrast, Interval, LEVEL, Scope, mean};

/// Share by which virtual time of one processor may differ from real time.
pub const TIME_MARGIN: f64 = 0.03;
/// Share by which the time speedup of several may differ.
pub const SPEEDUP_MARGIN: f64 = 0.05;
/// Share of the nodes of one processor by which nodes of several may differ.
pub const NODES_MARGIN: f64 = 0.03;

/// A figure on either machine, and how far they are apart.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SideBySide {
    /// Figure on real processors.
    pub real: Interval,
    /// Figure on virtual ones.
    #[serde(rename = "virtual")]
    pub simulated: Interval,
    /// Virtual by real, or virtual less real where `is_ratio` is not set.
    pub difference: Interval,
    /// Whether the difference is a ratio.
    pub is_ratio: bool,
    /// Whether it is smaller than a margin, if one was set before.
    pub judgement: Option<Judgement>,
}

/// One processor on either machine.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OneProcessor {
    /// Virtual by real time: a ratio over positions that the costs were not fitted to.
    pub ratio: Interval,
    /// Whether it is 1 but for the margin.
    pub judgement: Judgement,
    /// Virtual time by the processor time that real workers had: on a quiet computer equal to the ratio by real time.
    pub by_processor_time: Interval,
    /// Whether that is 1 but for the margin.
    pub by_processor_time_judgement: Judgement,
    /// Position by position.
    pub positions: Vec<PositionRatio>,
    /// Pairs of searches that found different trees: there must be none.
    pub other_trees: usize,
    /// Pairs of searches.
    pub pairs: usize,
}

/// One processor at one position.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PositionRatio {
    /// The id of the position.
    pub id: String,
    /// Depth to which it was searched.
    pub depth: u32,
    /// Pairs of searches.
    pub pairs: usize,
    /// Mean nodes of a search.
    pub nodes: f64,
    /// Virtual by real time, and its interval if this position were searched again.
    pub ratio: Interval,
    /// Virtual time by the processor time that real workers had.
    pub by_processor_time: Interval,
}

/// Several processors on either machine.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ManyProcessors {
    /// Number of processors.
    pub threads: u32,
    /// Pairs of searches that are compared.
    pub pairs: usize,
    /// Time speedup: how many times as fast as one processor, to the same depth.
    pub time_speedup: SideBySide,
    /// Nodes as a share of those of one.
    pub node_ratio: SideBySide,
    /// Split points made in a search.
    pub splits: Option<SideBySide>,
    /// The share of all workers' time without work.
    pub idle_share: Option<SideBySide>,
    /// Time from a cutoff or the end to the moment a worker notices, in nanoseconds.
    pub stop_ns: Option<SideBySide>,
}

/// A search is known by its machine, processors, position and seed.
type Key<'a> = (bool, u32, &'a str, u64);

/// The searches that count, and the positions of the comparison.
pub struct Searches<'a> {
    /// Repetitions of each search.
    by_key: BTreeMap<Key<'a>, Vec<&'a Measured>>,
    positions: Vec<(&'a str, u32)>,
    seeds: BTreeSet<u64>,
}

impl<'a> Searches<'a> {
    /// Searches of a validation that count.
    pub fn of(measurements: &'a Measurements) -> Self {
        let checks = measurements.positions.iter().filter(|position| position.role == Role::Check);
        let positions: Vec<(&str, u32)> = checks.map(|position| (position.id.as_str(), position.depth)).collect();
        let mut by_key: BTreeMap<Key<'a>, Vec<&Measured>> = BTreeMap::new();
        let mut seeds = BTreeSet::new();
        for Run { record, measured } in attempts(&measurements.records).iter().filter_map(Attempts::run) {
            let cell = &record.cell;
            let is_virtual = cell.configuration.machine == MachineKind::Virtual;
            let key = (is_virtual, cell.configuration.threads, cell.position.as_str(), cell.seed);
            if measured.time_ns > 0 && measured.nodes > 0 {
                by_key.entry(key).or_default().push(measured);
                seeds.insert(cell.seed);
            }
        }
        Self { by_key, positions, seeds }
    }

    /// First search of a position with a seed.
    pub fn get(&self, is_virtual: bool, threads: u32, position: &str, seed: u64) -> Option<&'a Measured> {
        self.repetitions(is_virtual, threads, position, seed).first().copied()
    }

    /// Searches of a position with a seed.
    fn repetitions<'s>(&'s self, is_virtual: bool, threads: u32, position: &'s str, seed: u64) -> &'s [&'a Measured] {
        self.by_key.get(&(is_virtual, threads, position, seed)).map_or(&[], Vec::as_slice)
    }

    /// Values that `of` gives for each seed, by position.
    fn by_position<T>(&self, of: impl Fn(&str, u64) -> Option<T>) -> Vec<Vec<T>> {
        let at = |position: &str| self.seeds.iter().filter_map(|seed| of(position, *seed)).collect();
        self.positions.iter().map(|(position, _)| at(position)).collect()
    }

    /// One processor, real and virtual; nothing if no pair was measured.
    pub fn one_processor(&self) -> Option<OneProcessor> {
        let pair =
            |position: &str, seed: u64| Some((self.get(false, 1, position, seed)?, self.get(true, 1, position, seed)?));
        // The least time of the repetitions, to which the costs of work are fitted too.
        let ratios = |real_ns: &dyn Fn(&Measured) -> f64| {
            self.by_position(|position, seed| {
                let (_, simulated) = pair(position, seed)?;
                let repetitions = self.repetitions(false, 1, position, seed);
                let least = repetitions.iter().map(|real| real_ns(real)).fold(f64::INFINITY, f64::min);
                Some((simulated.time_ns as f64 / least).ln())
            })
        };
        let by_time = ratios(&|real| real.time_ns as f64);
        let by_processor_time = ratios(&Measured::own_time_ns);
        let (time, processor_time) = (Contrast::paired(&by_time)?, Contrast::paired(&by_processor_time)?);
        let is_other =
            |position: &str, seed: u64| pair(position, seed).map(|(real, simulated)| real.nodes != simulated.nodes);
        let are_others = self.by_position(is_other).concat();
        let nodes = self.by_position(|position, seed| Some(pair(position, seed)?.0.nodes as f64));
        let positions = self.positions.iter().enumerate().filter_map(|(place, (id, depth))| {
            Some(PositionRatio {
                id: (*id).to_owned(),
                depth: *depth,
                pairs: by_time[place].len(),
                nodes: mean(&nodes[place])?,
                ratio: of_these_runs(&by_time[place])?,
                by_processor_time: of_these_runs(&by_processor_time[place])?,
            })
        });
        // Two views of one claim, not two claims: each stands for itself.
        let margin = ratio_margin(TIME_MARGIN);
        Some(OneProcessor {
            ratio: interval(&time).exp(),
            judgement: judge(&[(&time, margin)])[0],
            by_processor_time: interval(&processor_time).exp(),
            by_processor_time_judgement: judge(&[(&processor_time, margin)])[0],
            positions: positions.collect(),
            other_trees: are_others.iter().filter(|is_other| **is_other).count(),
            pairs: are_others.len(),
        })
    }

    /// Logarithm of the time speedup of a search over that of one processor with the same seed. Of repetitions the mean
    /// time counts, since that of several processors is no least one either.
    pub fn log_speedup(&self, is_virtual: bool, threads: u32, position: &str, seed: u64) -> Option<f64> {
        let time = |threads| {
            let repetitions = self.repetitions(is_virtual, threads, position, seed).iter();
            Some(mean(&repetitions.map(|run| run.time_ns as f64).collect::<Vec<_>>())?.ln())
        };
        Some(time(1)? - time(threads)?)
    }

    /// Several processors, real and virtual. What is claimed of all of them is claimed together.
    pub fn many_processors(&self, numbers: &[u32]) -> Vec<ManyProcessors> {
        let mut compared = Vec::new();
        let mut contrasts = Vec::new();
        for &threads in numbers {
            let get = |is_virtual, position: &str, seed| self.get(is_virtual, threads, position, seed);
            let speedups =
                self.both(|is_virtual, position, seed| self.log_speedup(is_virtual, threads, position, seed));
            let nodes = self.both(|is_virtual, position, seed| {
                let alone = self.get(is_virtual, 1, position, seed)?.nodes;
                Some(get(is_virtual, position, seed)?.nodes as f64 / alone as f64)
            });
            let idle_shares = self.both(|is_virtual, position, seed| {
                let activities = get(is_virtual, position, seed)?.activities;
                (activities.total() > 0).then(|| activities.idle_ns as f64 / activities.total() as f64)
            });
            let (Some(time_speedup), Some(node_ratio)) = (side_by_side(&speedups), side_by_side(&nodes)) else {
                continue;
            };
            contrasts.push((time_speedup.1, ratio_margin(SPEEDUP_MARGIN)));
            contrasts.push((node_ratio.1, NODES_MARGIN));
            compared.push(ManyProcessors {
                threads,
                pairs: speedups.concat().len(),
                time_speedup: time_speedup.0.exp(),
                node_ratio: node_ratio.0,
                splits: self.means_side_by_side(threads, |measured| Some(measured.splits.made as f64)),
                idle_share: side_by_side(&idle_shares).map(|(side_by_side, _)| side_by_side),
                stop_ns: self.means_side_by_side(threads, |measured| {
                    let splits = &measured.splits;
                    (splits.stops > 0).then(|| splits.stop_ns as f64 / splits.stops as f64)
                }),
            });
        }
        let claims: Vec<_> = contrasts.iter().map(|(contrast, margin)| (contrast, *margin)).collect();
        for (judged, judgements) in compared.iter_mut().zip(judge(&claims).chunks(2)) {
            judged.time_speedup.judgement = judgements.first().copied();
            judged.node_ratio.judgement = judgements.get(1).copied();
        }
        compared
    }

    /// Figure of each run on the real and on the virtual machine, where both have it, by position.
    fn both(&self, figure: impl Fn(bool, &str, u64) -> Option<f64>) -> Vec<Vec<(f64, f64)>> {
        self.by_position(|position, seed| Some((figure(false, position, seed)?, figure(true, position, seed)?)))
    }

    /// The means at each position of a figure that may be nothing in a single run, as ratios.
    fn means_side_by_side(&self, threads: u32, figure: impl Fn(&Measured) -> Option<f64>) -> Option<SideBySide> {
        let log_means = |is_virtual: bool| {
            let of = |position: &str, seed: u64| figure(self.get(is_virtual, threads, position, seed)?);
            let means = self.by_position(of);
            means.into_iter().map(|runs| mean(&runs).filter(|mean| *mean > 0.0).map(f64::ln)).collect::<Vec<_>>()
        };
        let both = log_means(false).into_iter().zip(log_means(true));
        let pairs: Vec<Vec<_>> = both.map(|(real, simulated)| real.zip(simulated).into_iter().collect()).collect();
        side_by_side(&pairs).map(|(side_by_side, _)| side_by_side.exp())
    }
}

/// Figures of the real and the virtual machine, in pairs by position, and how far they are apart.
fn side_by_side(pairs: &[Vec<(f64, f64)>]) -> Option<(SideBySide, Contrast)> {
    let contrast = |of: fn(&(f64, f64)) -> f64| {
        Contrast::paired(&pairs.iter().map(|at| at.iter().map(of).collect()).collect::<Vec<_>>())
    };
    let difference = contrast(|(real, simulated)| simulated - real)?;
    let side_by_side = SideBySide {
        real: interval(&contrast(|(real, _)| *real)?),
        simulated: interval(&contrast(|(_, simulated)| *simulated)?),
        difference: interval(&difference),
        is_ratio: false,
        judgement: None,
    };
    Some((side_by_side, difference))
}

impl SideBySide {
    /// Figures of which these are the logarithms, with their ratio.
    fn exp(self) -> Self {
        let [real, simulated, difference] = [self.real, self.simulated, self.difference].map(Interval::exp);
        Self { real, simulated, difference, is_ratio: true, ..self }
    }
}

/// A margin for a ratio, either way, in logarithms.
pub fn ratio_margin(share: f64) -> f64 {
    (1.0 + share).ln()
}

/// The interval for positions like these; unknown of a single position.
pub fn interval(contrast: &Contrast) -> Interval {
    contrast.interval(SCOPE, LEVEL).unwrap_or(Interval::unknown(contrast.estimate()))
}

/// A ratio at one position, or of one program, with its interval over runs, from logarithms.
pub fn of_these_runs(logarithms: &[f64]) -> Option<Interval> {
    let contrast = Contrast::paired(&[logarithms.to_vec()])?;
    Some(contrast.interval(Scope::ThesePositions, LEVEL).unwrap_or(Interval::unknown(contrast.estimate())).exp())
}
