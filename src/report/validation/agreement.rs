//! Real and virtual processors side by side: the same positions with the same seeds, so that one processor searches the same
//! tree on both, and differences are formed run by run.

use std::collections::BTreeMap;

use serde::Serialize;

use super::verdict::{Judgement, SCOPE, judge};
use crate::record::validation::{Measurements, Role};
use crate::record::{Attempts, MachineKind, Measured, Run, attempts};
use crate::statistics::{Contrast, Interval, LEVEL, Scope, mean};

/// Virtual time of one processor may differ from real time by so much.
pub const TIME_MARGIN: f64 = 0.03;
/// The time speedup of several may differ by so much.
pub const SPEEDUP_MARGIN: f64 = 0.05;
/// And nodes by so much of those of one processor.
pub const NODES_MARGIN: f64 = 0.03;

/// A figure on either machine, and how far they are apart.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SideBySide {
    /// On real processors.
    pub real: Interval,
    /// On virtual ones.
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
    /// The same with the processor time that real workers had instead of real time: on a quiet computer the same.
    pub by_processor_time: Interval,
    /// Whether that is 1 but for the margin.
    pub by_processor_time_judgement: Judgement,
    /// Each position.
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
    /// How deep it was searched.
    pub depth: u32,
    /// Pairs of searches.
    pub pairs: usize,
    /// Mean nodes of a search.
    pub nodes: f64,
    /// Virtual by real time, and its interval if this position were searched again.
    pub ratio: Interval,
    /// The same by processor time.
    pub by_processor_time: Interval,
}

/// Several processors on either machine.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ManyProcessors {
    /// How many.
    pub threads: u32,
    /// Pairs of searches that are compared.
    pub pairs: usize,
    /// How many times as fast as one, to the same depth.
    pub time_speedup: SideBySide,
    /// Nodes as a share of those of one.
    pub node_ratio: SideBySide,
    /// Split points made in a search.
    pub splits: Option<SideBySide>,
    /// The share of all workers' time without work.
    pub idle_share: Option<SideBySide>,
    /// From a cutoff or the end to the moment a worker notices, in nanoseconds.
    pub stop_ns: Option<SideBySide>,
}

/// A search is known by its machine, processors, position and seed.
type Key<'a> = (bool, u32, &'a str, u64);

/// The searches that count, and the positions of the comparison.
pub struct Searches<'a> {
    by_key: BTreeMap<Key<'a>, &'a Measured>,
    positions: Vec<(&'a str, u32)>,
    seeds: Vec<u64>,
}

impl<'a> Searches<'a> {
    /// Of a validation.
    pub fn of(measurements: &'a Measurements) -> Self {
        let checks = measurements.positions.iter().filter(|position| position.role == Role::Check);
        let positions: Vec<(&str, u32)> = checks.map(|position| (position.id.as_str(), position.depth)).collect();
        let mut by_key = BTreeMap::new();
        let mut seeds = Vec::new();
        for Run { record, measured } in attempts(&measurements.records).iter().filter_map(Attempts::run) {
            let cell = &record.cell;
            let is_virtual = cell.configuration.machine == MachineKind::Virtual;
            let key = (is_virtual, cell.configuration.threads, cell.position.as_str(), cell.seed);
            if measured.time_ns > 0 && measured.nodes > 0 {
                by_key.insert(key, measured);
                seeds.push(cell.seed);
            }
        }
        seeds.sort_unstable();
        seeds.dedup();
        Self { by_key, positions, seeds }
    }

    /// The search of a position with a seed.
    pub fn get(&self, is_virtual: bool, threads: u32, position: &str, seed: u64) -> Option<&'a Measured> {
        self.by_key.get(&(is_virtual, threads, position, seed)).copied()
    }

    /// What `of` makes of each position and seed, by position.
    fn by_position(&self, of: impl Fn(&str, u64) -> Option<f64>) -> Vec<Vec<f64>> {
        let at = |position: &str| self.seeds.iter().filter_map(|seed| of(position, *seed)).collect();
        self.positions.iter().map(|(position, _)| at(position)).collect()
    }

    /// One processor, real and virtual; nothing if no pair was measured.
    pub fn one_processor(&self) -> Option<OneProcessor> {
        let pair =
            |position: &str, seed: u64| Some((self.get(false, 1, position, seed)?, self.get(true, 1, position, seed)?));
        let ratios = |real_ns: &dyn Fn(&Measured) -> f64| {
            self.by_position(|position, seed| {
                let (real, simulated) = pair(position, seed)?;
                Some((simulated.time_ns as f64 / real_ns(real)).ln())
            })
        };
        let by_time = ratios(&|real| real.time_ns as f64);
        let by_processor_time = ratios(&Measured::own_time_ns);
        let (time, processor_time) = (Contrast::paired(&by_time)?, Contrast::paired(&by_processor_time)?);
        let is_other = |position: &str, seed: u64| {
            pair(position, seed).map(|(real, simulated)| f64::from(u8::from(real.nodes != simulated.nodes)))
        };
        let others: Vec<f64> = self.by_position(is_other).concat();
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
            judgement: judge(&[(Some(&time), margin)])[0],
            by_processor_time: interval(&processor_time).exp(),
            by_processor_time_judgement: judge(&[(Some(&processor_time), margin)])[0],
            positions: positions.collect(),
            other_trees: others.iter().filter(|other| **other > 0.0).count(),
            pairs: others.len(),
        })
    }

    /// The logarithm of the time speedup of a search over that of one processor with the same seed.
    pub fn log_speedup(&self, is_virtual: bool, threads: u32, position: &str, seed: u64) -> Option<f64> {
        let time = |threads| Some((self.get(is_virtual, threads, position, seed)?.time_ns as f64).ln());
        Some(time(1)? - time(threads)?)
    }

    /// Several processors, real and virtual. What is claimed of all of them is claimed together.
    pub fn many_processors(&self, numbers: &[u32]) -> Vec<ManyProcessors> {
        let mut compared = Vec::new();
        let mut contrasts = Vec::new();
        for &threads in numbers {
            let speedup =
                |is_virtual| move |position: &str, seed: u64| self.log_speedup(is_virtual, threads, position, seed);
            let nodes = |is_virtual| {
                move |position: &str, seed: u64| {
                    let nodes = |threads| Some(self.get(is_virtual, threads, position, seed)?.nodes as f64);
                    Some(nodes(threads)? / nodes(1)?)
                }
            };
            let (Some(time_speedup), Some(node_ratio)) =
                (self.side_by_side(speedup(false), speedup(true)), self.side_by_side(nodes(false), nodes(true)))
            else {
                continue;
            };
            let pairs = self.by_position(|position, seed| {
                speedup(false)(position, seed)?;
                speedup(true)(position, seed)
            });
            contrasts.push((time_speedup.1, ratio_margin(SPEEDUP_MARGIN)));
            contrasts.push((node_ratio.1, NODES_MARGIN));
            compared.push(ManyProcessors {
                threads,
                pairs: pairs.concat().len(),
                time_speedup: time_speedup.0.exp(),
                node_ratio: node_ratio.0,
                splits: self.means_side_by_side(threads, |measured| Some(measured.splits.made as f64)),
                idle_share: self
                    .side_by_side(self.idle_share(false, threads), self.idle_share(true, threads))
                    .map(|(side_by_side, _)| side_by_side),
                stop_ns: self.means_side_by_side(threads, |measured| {
                    let splits = &measured.splits;
                    (splits.stops > 0).then(|| splits.stop_ns as f64 / splits.stops as f64)
                }),
            });
        }
        let claims: Vec<_> = contrasts.iter().map(|(contrast, margin)| (Some(contrast), *margin)).collect();
        for (judged, judgements) in compared.iter_mut().zip(judge(&claims).chunks(2)) {
            judged.time_speedup.judgement = judgements.first().copied();
            judged.node_ratio.judgement = judgements.get(1).copied();
        }
        compared
    }

    fn idle_share(&self, is_virtual: bool, threads: u32) -> impl Fn(&str, u64) -> Option<f64> {
        move |position, seed| {
            let activities = self.get(is_virtual, threads, position, seed)?.activities;
            (activities.total() > 0).then(|| activities.idle_ns as f64 / activities.total() as f64)
        }
    }

    /// A figure of each run on both machines, and the difference where both have it.
    fn side_by_side(
        &self,
        real: impl Fn(&str, u64) -> Option<f64>,
        simulated: impl Fn(&str, u64) -> Option<f64>,
    ) -> Option<(SideBySide, Contrast)> {
        let both = |position: &str, seed: u64| Some((real(position, seed)?, simulated(position, seed)?));
        let contrast = |of: &dyn Fn((f64, f64)) -> f64| {
            Contrast::paired(&self.by_position(|position, seed| both(position, seed).map(of)))
        };
        let difference = contrast(&|(real, simulated)| simulated - real)?;
        let side_by_side = SideBySide {
            real: interval(&contrast(&|(real, _)| real)?),
            simulated: interval(&contrast(&|(_, simulated)| simulated)?),
            difference: interval(&difference),
            is_ratio: false,
            judgement: None,
        };
        Some((side_by_side, difference))
    }

    /// The means at each position of a figure that may be nothing in a single run, as ratios.
    fn means_side_by_side(&self, threads: u32, figure: impl Fn(&Measured) -> Option<f64>) -> Option<SideBySide> {
        let log_means = |is_virtual: bool| {
            let of = |position: &str, seed: u64| figure(self.get(is_virtual, threads, position, seed)?);
            let means = self.by_position(of);
            means.iter().map(|runs| mean(runs).filter(|mean| *mean > 0.0).map(f64::ln)).collect::<Vec<_>>()
        };
        let both: Vec<Option<(f64, f64)>> =
            log_means(false).into_iter().zip(log_means(true)).map(|(real, simulated)| real.zip(simulated)).collect();
        let contrast = |of: &dyn Fn((f64, f64)) -> f64| {
            let groups: Vec<Vec<f64>> = both.iter().map(|pair| pair.map(of).into_iter().collect()).collect();
            Contrast::paired(&groups)
        };
        let side_by_side = SideBySide {
            real: interval(&contrast(&|(real, _)| real)?),
            simulated: interval(&contrast(&|(_, simulated)| simulated)?),
            difference: interval(&contrast(&|(real, simulated)| simulated - real)?),
            is_ratio: false,
            judgement: None,
        };
        Some(side_by_side.exp())
    }
}

impl SideBySide {
    /// The same on the scale of which this is the logarithm.
    fn exp(self) -> Self {
        Self {
            real: self.real.exp(),
            simulated: self.simulated.exp(),
            difference: self.difference.exp(),
            is_ratio: true,
            judgement: self.judgement,
        }
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

/// A ratio at one position with its interval over runs, from logarithms.
fn of_these_runs(logarithms: &[f64]) -> Option<Interval> {
    let contrast = Contrast::paired(&[logarithms.to_vec()])?;
    Some(contrast.interval(Scope::ThesePositions, LEVEL).unwrap_or(Interval::unknown(contrast.estimate())).exp())
}
