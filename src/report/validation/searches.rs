//! Searches on real and virtual processors, laid side by side: the same positions with the same seeds, so that one
//! processor searches the same tree on both, and differences are formed run by run.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::verdict::{Judgement, SCOPE, adjust};
use crate::distinct::distinct;
use crate::record::validation::{Measurements, Role, UsedPosition};
use crate::record::{Activities, Attempts, Cell, MachineKind, Measured, Run, SEQUENTIAL, attempts};
use crate::statistics::{Contrast, Interval, Scope, mean};

/// Share by which virtual time of one processor may differ from real time.
const TIME_MARGIN: f64 = 0.03;
/// Share by which the time speedup of several may differ.
const SPEEDUP_MARGIN: f64 = 0.05;
/// Share of the nodes of one processor by which nodes of several may differ.
const NODES_MARGIN: f64 = 0.03;

/// Names of the two machines among searches.
const REAL: &str = MachineKind::Real.name();
const VIRTUAL: &str = MachineKind::Virtual.name();

/// A figure on either machine, and how far they are apart.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct BothMachines {
    /// Figure on real processors.
    pub real: Interval,
    /// Figure on virtual ones.
    #[serde(rename = "virtual")]
    pub simulated: Interval,
    /// Virtual by real, or virtual less real where `is_ratio` is not set.
    pub difference: Interval,
    /// Whether the difference is a ratio.
    pub is_ratio: bool,
    /// Whether the difference is smaller than a margin, if one was set before.
    pub judgement: Option<Judgement>,
}

/// One processor on either machine.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OneProcessor {
    /// Virtual by real time: a ratio over positions that the costs were not fitted to.
    pub ratio: Interval,
    /// Whether the ratio is 1 but for the margin.
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

/// Several processors on either machine, which share searches by one strategy.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ManyProcessors {
    /// Strategy by which they share a search.
    pub strategy: String,
    /// Number of processors.
    pub threads: u32,
    /// Pairs of searches that are compared.
    pub pairs: usize,
    /// Time speedup: how many times as fast as one processor, to the same depth.
    pub time_speedup: BothMachines,
    /// Nodes as a share of those of one.
    pub node_ratio: BothMachines,
    /// Time that a processor works on a node, relative to one processor alone.
    pub node_time: Option<BothMachines>,
    /// Split points made in a search.
    pub splits: Option<BothMachines>,
    /// Share of all workers' time without work.
    pub idle_share: Option<BothMachines>,
    /// Share of all workers' time in which owners wait for helpers.
    pub wait_share: Option<BothMachines>,
    /// Share of all workers' time in which split points are published and joined, or locks waited for.
    pub split_share: Option<BothMachines>,
    /// Time from a cutoff or the end to the moment a worker notices, in nanoseconds.
    pub stop_ns: Option<BothMachines>,
}

/// A search is known by its machine, strategy, processors, position and seed.
type Key<'k> = (&'k str, &'k str, u32, &'k str, u64);

/// The searches that count, and the positions of the comparison.
#[derive(Default)]
pub struct Searches<'a> {
    positions: Vec<&'a UsedPosition>,
    seeds: BTreeSet<u64>,
    /// Strategies on several processors, in the order of the records.
    shared: Vec<(&'a str, u32)>,
    /// Repetitions of each search on either machine.
    measured: BTreeMap<Key<'a>, Vec<&'a Measured>>,
}

impl<'a> Searches<'a> {
    /// Searches of a validation that count.
    pub fn of(measurements: &'a Measurements) -> Self {
        let positions = measurements.positions.iter().filter(|position| position.role == Role::Check).collect();
        let mut searches = Self { positions, ..Self::default() };
        for Run { record, measured } in attempts(&measurements.records).iter().filter_map(Attempts::run) {
            let Cell { configuration, position, seed, .. } = &record.cell;
            let (strategy, threads) = (configuration.strategy.as_str(), configuration.threads);
            if measured.time_ns > 0 && measured.nodes > 0 {
                searches.seeds.insert(*seed);
                let key = (configuration.machine.name(), strategy, threads, position.as_str(), *seed);
                searches.measured.entry(key).or_default().push(measured);
                searches.shared.extend((threads > 1).then_some((strategy, threads)));
            }
        }
        searches.shared = distinct(searches.shared);
        searches
    }

    /// First of the searches of a position with a seed.
    fn first(&self, key: Key<'_>) -> Option<&'a Measured> {
        self.measured.get(&key)?.first().copied()
    }

    /// Logarithm of the time speedup of a search over that of one processor with the same seed. Of repetitions the mean
    /// time counts, since that of several processors is no least one either.
    fn log_speedup(&self, machine: &str, (strategy, threads): (&str, u32), position: &str, seed: u64) -> Option<f64> {
        let log_time = |strategy, threads| {
            let times = self.measured.get(&(machine, strategy, threads, position, seed))?;
            Some(mean(&times.iter().map(|search| search.time_ns as f64).collect::<Vec<_>>())?.ln())
        };
        Some(log_time(SEQUENTIAL, 1)? - log_time(strategy, threads)?)
    }

    /// Values that `of` gives for each seed, by position.
    fn by_position<T>(&self, of: impl Fn(&str, u64) -> Option<T>) -> Vec<Vec<T>> {
        let at = |position: &&UsedPosition| self.seeds.iter().filter_map(|seed| of(&position.id, *seed)).collect();
        self.positions.iter().map(at).collect()
    }

    /// One processor, real and virtual; nothing if no pair was measured.
    pub fn one_processor(&self) -> Option<OneProcessor> {
        // The least time of the repetitions, to which the costs of work are fitted too.
        let ratios = |real_ns: fn(&Measured) -> f64| {
            self.by_position(|position, seed| {
                let repetitions = self.measured.get(&(REAL, SEQUENTIAL, 1, position, seed))?;
                let least = repetitions.iter().map(|real| real_ns(real)).reduce(f64::min)?;
                Some((self.first((VIRTUAL, SEQUENTIAL, 1, position, seed))?.time_ns as f64 / least).ln())
            })
        };
        let (by_time, by_processor_time) = (ratios(|real| real.time_ns as f64), ratios(Measured::own_time_ns));
        let nodes = self.by_position(|position, seed| {
            let nodes = |machine| Some(self.first((machine, SEQUENTIAL, 1, position, seed))?.nodes as f64);
            nodes(REAL).zip(nodes(VIRTUAL))
        });
        let positions = self.positions.iter().enumerate().filter_map(|(place, used)| {
            Some(PositionRatio {
                id: used.id.clone(),
                depth: used.depth,
                pairs: nodes[place].len(),
                nodes: mean(&nodes[place].iter().map(|(real, _)| *real).collect::<Vec<_>>())?,
                ratio: of_these_runs(&by_time[place])?,
                by_processor_time: of_these_runs(&by_processor_time[place])?,
            })
        });
        // Two views of one claim, not two claims: each stands for itself.
        let [time, processor_time] = [&by_time, &by_processor_time].map(|ratios| Contrast::paired(ratios));
        let judged = |it: &Contrast| (it.estimated(SCOPE).exp(), Judgement::of(it, TIME_MARGIN.ln_1p()));
        let ((ratio, judgement), (by_time, by_time_judgement)) = (judged(&time?), judged(&processor_time?));
        Some(OneProcessor {
            ratio,
            judgement,
            by_processor_time: by_time,
            by_processor_time_judgement: by_time_judgement,
            positions: positions.collect(),
            other_trees: nodes.iter().flatten().filter(|(real, simulated)| real != simulated).count(),
            pairs: nodes.iter().map(Vec::len).sum(),
        })
    }

    /// Several processors, real and virtual, strategy by strategy. What is claimed of all of them is claimed together.
    pub fn many_processors(&self) -> Vec<ManyProcessors> {
        let mut compared: Vec<_> = self.shared.iter().filter_map(|shared| self.these_processors(*shared)).collect();
        let judged = compared.iter_mut().flat_map(|many| [&mut many.time_speedup, &mut many.node_ratio]);
        adjust(judged.filter_map(|both| both.judgement.as_mut()));
        compared
    }

    fn these_processors(&self, shared: (&str, u32)) -> Option<ManyProcessors> {
        let (strategy, threads) = shared;
        // Figures of each run, where both machines have it.
        let run_by_run = |figure: &dyn Fn(&str, &str, u64) -> Option<f64>| {
            self.by_position(|position, seed| figure(REAL, position, seed).zip(figure(VIRTUAL, position, seed)))
        };
        // Ratios of the means at each position of a figure that may be nothing in a single run.
        let of_means = |figure: fn(&Measured) -> Option<f64>| {
            let log_means = |machine| {
                let runs = self
                    .by_position(|position, seed| figure(self.first((machine, strategy, threads, position, seed))?));
                runs.into_iter().map(|runs| mean(&runs).filter(|mean| *mean > 0.0).map(f64::ln))
            };
            let pairs = log_means(REAL).zip(log_means(VIRTUAL)).map(|(real, simulated)| real.zip(simulated));
            BothMachines::of(&pairs.map(|pair| pair.into_iter().collect()).collect::<Vec<_>>(), true, None)
        };
        let speedups = run_by_run(&|machine, position, seed| self.log_speedup(machine, shared, position, seed));
        let nodes = run_by_run(&|machine, position, seed| {
            let nodes =
                |strategy, threads| Some(self.first((machine, strategy, threads, position, seed))?.nodes as f64);
            Some(nodes(strategy, threads)? / nodes(SEQUENTIAL, 1)?)
        });
        let node_times = run_by_run(&|machine, position, seed| {
            let log_node_time = |strategy, threads| {
                let search = self.first((machine, strategy, threads, position, seed))?;
                let log = (search.activities.search_ns as f64 / search.nodes as f64).ln();
                log.is_finite().then_some(log)
            };
            Some(log_node_time(strategy, threads)? - log_node_time(SEQUENTIAL, 1)?)
        });
        let share = |figure: fn(&Activities) -> u64| {
            let shares = run_by_run(&|machine, position, seed| {
                let activities = self.first((machine, strategy, threads, position, seed))?.activities;
                (activities.total() > 0).then(|| figure(&activities) as f64 / activities.total() as f64)
            });
            BothMachines::of(&shares, false, None)
        };
        Some(ManyProcessors {
            strategy: strategy.to_owned(),
            threads,
            pairs: speedups.iter().map(Vec::len).sum(),
            time_speedup: BothMachines::of(&speedups, true, Some(SPEEDUP_MARGIN.ln_1p()))?,
            node_ratio: BothMachines::of(&nodes, false, Some(NODES_MARGIN))?,
            splits: of_means(|measured| Some(measured.count("splits.made")? as f64)),
            node_time: BothMachines::of(&node_times, true, None),
            idle_share: share(|activities| activities.idle_ns),
            wait_share: share(|activities| activities.wait_ns),
            split_share: share(|activities| activities.split_ns + activities.lock_ns),
            stop_ns: of_means(|measured| {
                let [stop_ns, stops] = measured.counts(["stop_ns", "stops"])?;
                (stops > 0).then(|| stop_ns as f64 / stops as f64)
            }),
        })
    }
}

impl BothMachines {
    /// Figures of the real and the virtual machine, in pairs by position, of a ratio their logarithms; with the margin
    /// of their difference, if it has one.
    fn of(pairs: &[Vec<(f64, f64)>], is_ratio: bool, margin: Option<f64>) -> Option<Self> {
        let contrast = |of: fn(&(f64, f64)) -> f64| {
            Contrast::paired(&pairs.iter().map(|at| at.iter().map(of).collect()).collect::<Vec<_>>())
        };
        let figure = |contrast: &Contrast| match is_ratio {
            true => contrast.estimated(SCOPE).exp(),
            false => contrast.estimated(SCOPE),
        };
        let (real, simulated) = (figure(&contrast(|pair| pair.0)?), figure(&contrast(|pair| pair.1)?));
        let difference = contrast(|(real, simulated)| simulated - real)?;
        let judgement = margin.map(|margin| Judgement::of(&difference, margin));
        Some(Self { real, simulated, difference: figure(&difference), is_ratio, judgement })
    }
}

/// A ratio at one position, or of one program, with its interval over runs, from logarithms.
pub fn of_these_runs(logarithms: &[f64]) -> Option<Interval> {
    Some(Contrast::paired(&[logarithms.to_vec()])?.estimated(Scope::ThesePositions).exp())
}
