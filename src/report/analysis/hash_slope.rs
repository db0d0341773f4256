//! How the size of a tree goes with the hits in the table, over searches that differ in the size of the table alone. By
//! least squares over the sizes, at each position and with each seed: the slope of the logarithm of nodes over the mean
//! share of hits. That share is a mean over all positions and counts as known, so that the slope is a weighted sum of
//! logarithms, of which a contrast gives the interval.

use crate::record::axes::{HASH, THREADS};
use crate::record::{Configuration, MachineKind};
use crate::statistics::{Contrast, Interval};

use super::grouping::{Gathered, Gathering};
use super::scope::Holds;
use super::thesis;

/// Fewest sizes of the table that have a slope.
const FEWEST_SIZES: usize = 3;
/// Least range of the shares of hits, in hundredths, that has a slope.
const LEAST_RANGE_PCT: f64 = 2.0;
/// Fall of the share of hits, in hundredths, for which the growth of the tree is told.
pub const FALL_PCT: f64 = 10.0;

/// Growth of the tree where the table finds less.
#[derive(Clone, Debug, PartialEq)]
pub struct HashSlope {
    pub machine: MachineKind,
    pub threads: u32,
    /// Smallest and largest table, in MiB.
    pub sizes_mib: [u32; 2],
    /// Factor by which nodes grow where the share of hits falls by [`FALL_PCT`].
    pub nodes: Interval,
}

/// Groups that differ in the size of the table alone.
struct Sweep<'a, 'g> {
    rest: Configuration,
    groups: Vec<&'g Gathered<'a>>,
}

/// Slopes of the first configuration whose table was varied, by the number of processors.
pub(super) fn slopes(gathering: &Gathering<'_>, holds: Holds) -> Vec<HashSlope> {
    let mut sweeps: Vec<Sweep<'_, '_>> = Vec::new();
    for group in gathering.groups.iter().filter(|group| !group.is_cut() && group.has_common_depth()) {
        let rest = group.configuration.without(HASH.name);
        match sweeps.iter_mut().find(|sweep| sweep.rest == rest) {
            Some(sweep) => sweep.groups.push(group),
            None => sweeps.push(Sweep { rest, groups: vec![group] }),
        }
    }
    sweeps.retain(|sweep| sweep.groups.len() >= FEWEST_SIZES);
    let Some(first) = sweeps.iter().max_by_key(|sweep| sweep.rest.threads) else { return Vec::new() };
    let is_like_first = |sweep: &&Sweep<'_, '_>| {
        let [one, other] = [&sweep.rest, &first.rest].map(|rest| rest.without(THREADS.name));
        one == other || sweep.rest == first.rest.baseline()
    };
    let mut slopes: Vec<HashSlope> =
        sweeps.iter().filter(is_like_first).filter_map(|sweep| slope(sweep, holds)).collect();
    slopes.sort_by_key(|one| one.threads);
    slopes
}

fn slope(Sweep { rest, groups }: &Sweep<'_, '_>, holds: Holds) -> Option<HashSlope> {
    let hits: Vec<f64> =
        groups.iter().map(|group| Some(group.mean(thesis::hash)?.estimate())).collect::<Option<_>>()?;
    let mean = hits.iter().sum::<f64>() / hits.len() as f64;
    let squares: f64 = hits.iter().map(|hit| (hit - mean).powi(2)).sum();
    let range = hits.iter().fold(f64::NEG_INFINITY, |most, hit| most.max(*hit))
        - hits.iter().fold(f64::INFINITY, |least, hit| least.min(*hit));
    if range < LEAST_RANGE_PCT {
        return None;
    }
    let logs: Vec<Vec<Vec<f64>>> =
        groups.iter().map(|group| group.figures(|run| Some(thesis::nodes(run)?.ln()))).collect();
    let positions = logs.iter().map(Vec::len).min()?;
    let at = |position: usize| -> Vec<f64> {
        let seeds = logs.iter().map(|of_group| of_group[position].len()).min().unwrap_or(0);
        let of_seed = |seed: usize| {
            let parts = hits.iter().zip(&logs).map(|(hit, logs)| (hit - mean) / squares * logs[position][seed]);
            -FALL_PCT * parts.sum::<f64>()
        };
        (0..seeds).map(of_seed).collect()
    };
    let growth = Contrast::paired(&(0..positions).map(at).collect::<Vec<_>>())?;
    let sizes = || groups.iter().map(|group| group.configuration.hash_mib);
    Some(HashSlope {
        machine: rest.machine,
        threads: rest.threads,
        sizes_mib: [sizes().min()?, sizes().max()?],
        nodes: holds.ratio(&growth),
    })
}

#[cfg(test)]
mod tests {
    use super::super::Analysis;
    use super::super::samples::{measured, one_against_four};
    use crate::record::{Configuration, NamedCounts, Record};
    use serde_json::json;

    /// Hits fall from 40 to 30 and 20 of a hundred as nodes double twice: ten points are a factor of 2.
    #[test]
    fn a_slope_worked_by_hand() {
        let (description, records) = one_against_four();
        let mut all: Vec<Record> = Vec::new();
        for (hash_mib, hits, factor) in [(64, 40, 1), (16, 30, 2), (4, 20, 4)] {
            for record in &records {
                let mut record = record.clone();
                record.index = all.len() as u64;
                let configuration = Configuration { hash_mib, ..(*record.cell.configuration).clone() };
                record.cell.configuration = configuration.into();
                let nodes = 1000 * factor * (1 + record.cell.seed);
                let counts = json!({
                    "main_nodes": nodes, "quiescence_tried": 0, "tier_hits": hits * 10_000, "probes": 999_999
                });
                measured(&mut record).counters = NamedCounts::of(counts);
                all.push(record);
            }
        }
        let analysis = Analysis::of(description, &all);
        let found: Vec<(u32, f64)> = analysis.hash_slopes.iter().map(|one| (one.threads, one.nodes.estimate)).collect();
        assert_eq!(found.iter().map(|(threads, _)| *threads).collect::<Vec<_>>(), [1, 4], "{found:?}");
        assert!(found.iter().all(|(_, factor)| (factor - 2.0).abs() < 1e-9), "{found:?}");
        assert_eq!(analysis.hash_slopes[0].sizes_mib, [4, 64]);
    }
}
