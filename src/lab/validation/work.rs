//! Costs of work on this computer, fitted to sequential searches, whose times are sums of counts times costs.
//!
//! A search alone takes `main nodes x main_node + quiescence nodes x quiescence_node + evaluations x evaluation +
//! generations x generation + probes x table read` on the virtual machine, exactly but for jitter. The five counts grow
//! together, so the costs are drawn towards a common multiple of those of the `reference` model ([`Ridge`]), and are
//! for prediction: one of them by itself is known less well than their sum. Other work goes on while a table is read,
//! so that a search feels only a share of the latency that was measured by itself; all three table reads of the model
//! are multiplied by the share that fits.
//!
//! Costs are whole nanoseconds, of which one is 2 % of a cost of 50. So they are not rounded one by one: of the whole
//! numbers near the fit those are taken whose errors cancel best in the searches that were fitted. What is left of the
//! rounding is said ([`WorkCosts::rounding`]).
//!
//! The time that is fitted is the processor time that the worker had while it searched: on a quiet computer all time,
//! on a busy one that which others did not take. Others slow a search also while it has the processor, so each search
//! is run several times, and the least of their times is fitted.
//!
//! On several processors a node takes longer than on one alone, because of the caches and the memory that they share.
//! The searches that show it are not of several processors that share a search, but of one beside others that search
//! other positions. What reading the table does not account for makes work longer, by thousandths for each neighbour.

use std::collections::BTreeMap;

use super::positions::of_role;
use crate::machine::cost::CostModel;
use crate::record::validation::{Role, UsedPosition, WorkCost, WorkCosts, WorkSharing};
use crate::record::{Attempts, Cell, Measured, Record, Run, attempts};
use crate::search::features::Preset;
use crate::statistics::{Contrast, LEVEL, Ridge, Scope, Totals, mean, standard_deviation};

const NAMES: [&str; KINDS] = ["main_node", "quiescence_node", "evaluation", "generation", TABLE_READ];
const TABLE_READ: &str = "table_read";
const KINDS: usize = 5;
/// Place of the table read among the kinds of work: the one that has no jitter.
const TABLE: usize = 4;
/// Number of whole numbers, from the one below the fit, that are tried for each cost.
const TRIED: u64 = 3;

/// Size of the table of the searches in bytes.
fn table_bytes() -> u64 {
    u64::from(Preset::default().table_mib()) << 20
}

/// Numbers of times that a search did each kind of work.
fn counts_of(measured: &Measured) -> Option<[f64; KINDS]> {
    let count = |name: &str| measured.count(name).map(|count| count as f64);
    let [main, quiescence] = [count("main_nodes")?, count("quiescence_nodes")?];
    let reads = count("probes")? + count("second_looks")?;
    Some([main, quiescence, count("evaluations")?, count("generations")?, reads])
}

/// Time that the model says that one processor takes for the work of a search.
pub fn expected_ns(measured: &Measured, model: &CostModel) -> Option<f64> {
    let counts = counts_of(measured)?;
    Some(counts.iter().zip(mean_times(prices(model), model)).map(|(count, time)| count * time).sum())
}

/// Names of the costs that are fitted to searches; `probe_*` only as multiples of what was measured.
pub const FITTED: [&str; 4] = ["main_node", "quiescence_node", "evaluation", "generation"];

/// Fits the costs of work to searches of one real processor, and puts them into the model. `None` if fewer than three
/// positions were searched.
pub fn fit(
    records: &[Record],
    positions: &[UsedPosition],
    model: &CostModel,
    sharing: Option<WorkSharing>,
) -> Option<(WorkCosts, CostModel)> {
    let Fitted { rows, times, groups, positions, runs, disturbed } = Fitted::of(records, positions);
    let reference = prices(&CostModel::reference());
    let latency = model.probe(table_bytes(), 1);
    let mut caps = [f64::INFINITY; KINDS];
    caps[TABLE] = latency as f64;
    let totals = Totals { rows: &rows, values: &times, groups: &groups };
    let ridge = Ridge::fit(totals, &reference.map(|price| price as f64), &caps)?;

    let (whole, rounding) = whole_numbers(&rows, &ridge, model);
    let costs = NAMES.iter().enumerate().map(|(kind, name)| WorkCost {
        name: (*name).to_owned(),
        fit: ridge.coefficients[kind],
        interval: ridge.interval(kind, LEVEL),
        model: whole[kind],
        reference: reference[kind],
    });
    let left_out: Vec<Vec<f64>> = ridge.left_out.iter().map(|ratio| vec![*ratio]).collect();
    let slowed = sharing.as_ref().map(|sharing| sharer_permille(&rows, whole, sharing, model));
    let work = WorkCosts {
        costs: costs.collect(),
        multiple: ridge.multiple,
        strength: Some(ridge.strength).filter(|strength| strength.is_finite()),
        left_out: Some(Contrast::paired(&left_out)?.estimated(Scope::PositionsLikeThese).exp()),
        left_out_deviation: standard_deviation(&ridge.left_out)?,
        rounding,
        positions,
        runs,
        disturbed,
        sharing,
        together: None,
    };
    let memory_sharer_permille = slowed.unwrap_or(model.memory_sharer_permille);
    Some((work, CostModel { memory_sharer_permille, ..with_costs(model, whole) }))
}

/// Searches that costs are fitted to, and how many there were.
#[derive(Default)]
struct Fitted {
    /// Work of each search, its time, and the number of its position.
    rows: Vec<Vec<f64>>,
    times: Vec<f64>,
    groups: Vec<usize>,
    positions: usize,
    runs: usize,
    disturbed: usize,
}

impl Fitted {
    /// Searches by one processor of the positions of the calibration.
    fn of(records: &[Record], positions: &[UsedPosition]) -> Self {
        let mut fitted = Self::default();
        let attempts = attempts(records);
        for position in of_role(positions, Role::Calibration, usize::MAX) {
            // Repetitions of a seed visit the same nodes, and the least of their times counts.
            let mut by_seed: BTreeMap<u64, ([f64; KINDS], f64)> = BTreeMap::new();
            let is_alone = |cell: &Cell| *cell.position == *position.id && cell.configuration.threads == 1;
            for Run { record, measured } in attempts.iter().filter_map(Attempts::run) {
                let time = measured.own_time_ns();
                let counts = counts_of(measured).filter(|_| is_alone(&record.cell) && time > 0.0);
                let Some(counts) = counts else { continue };
                fitted.runs += 1;
                fitted.disturbed += usize::from(record.is_disturbed());
                let least = by_seed.entry(record.cell.seed).or_insert((counts, time));
                least.1 = least.1.min(time);
            }
            fitted.groups.extend(by_seed.values().map(|_| fitted.positions));
            fitted.positions += usize::from(!by_seed.is_empty());
            fitted.rows.extend(by_seed.values().map(|(counts, _)| counts.to_vec()));
            fitted.times.extend(by_seed.values().map(|(_, time)| *time));
        }
        fitted
    }
}

/// The model with these costs of work.
fn with_costs(
    model: &CostModel,
    [main_node, quiescence_node, evaluation, generation, read]: [u64; KINDS],
) -> CostModel {
    let latency = model.probe(table_bytes(), 1);
    // The latency of a cap of nothing is nothing.
    let felt = if latency > 0 { read as f64 / latency as f64 } else { 0.0 };
    let share = |probe: u64| (probe as f64 * felt).round() as u64;
    CostModel {
        main_node,
        quiescence_node,
        evaluation,
        generation,
        probe_near: share(model.probe_near),
        probe_shared_cache: share(model.probe_shared_cache),
        probe_memory: share(model.probe_memory),
        ..model.clone()
    }
}

/// Thousandths by which each further processor slows work, so that searches beside others take as much longer as they
/// were measured to do, together with what table reads take longer.
fn sharer_permille(rows: &[Vec<f64>], whole: [u64; KINDS], sharing: &WorkSharing, model: &CostModel) -> u64 {
    let time = |kind: usize| rows.iter().map(|row| row[kind] * whole[kind] as f64).sum::<f64>();
    let (work, reading) = ((0..TABLE).map(time).sum::<f64>(), time(TABLE));
    let others = f64::from(sharing.processors.saturating_sub(1).max(1));
    let all = 1000.0 * (sharing.ratio.estimate - 1.0) / others * (work + reading);
    let permille = (all - reading * model.probe_sharer_permille as f64) / work;
    if permille.is_finite() { permille.max(0.0).round() as u64 } else { 0 }
}

/// Costs of work in a model, in the order of the names.
fn prices(model: &CostModel) -> [u64; KINDS] {
    let table = model.probe(table_bytes(), 1);
    [model.main_node, model.quiescence_node, model.evaluation, model.generation, table]
}

/// Mean times of work at these costs: all but the table read have jitter.
fn mean_times(costs: [u64; KINDS], model: &CostModel) -> [f64; KINDS] {
    let mut means = costs.map(|cost| model.mean_with_jitter(cost));
    means[TABLE] = costs[TABLE] as f64;
    means
}

/// Whole numbers near the fit whose predictions are nearest to its own; and the mean ratio of the two.
fn whole_numbers(rows: &[Vec<f64>], ridge: &Ridge, model: &CostModel) -> ([u64; KINDS], f64) {
    let expected: Vec<f64> = rows.iter().map(|row| ridge.value(row)).collect();
    let below: Vec<u64> = ridge.coefficients.iter().map(|cost| cost.floor() as u64).collect();
    let mut best = (f64::INFINITY, [0; KINDS], 1.0);
    for choice in 0..TRIED.pow(KINDS as u32) {
        let whole: [u64; KINDS] = std::array::from_fn(|kind| below[kind] + choice / TRIED.pow(kind as u32) % TRIED);
        let means = mean_times(whole, model);
        let errors: Vec<f64> = rows
            .iter()
            .zip(&expected)
            .map(|(row, expected)| (row.iter().zip(&means).map(|(x, cost)| x * cost).sum::<f64>() / expected).ln())
            .collect();
        let squares: f64 = errors.iter().map(|error| error * error).sum();
        if squares < best.0 {
            best = (squares, whole, mean(&errors).map_or(1.0, f64::exp));
        }
    }
    (best.1, best.2)
}

#[cfg(test)]
mod tests {
    use super::super::super::{Conditions, Laboratory, Searcher};
    use super::super::{cells, positions};
    use super::*;
    use crate::record::validation::Size;
    use crate::record::{CellResult, Word};
    use crate::statistics::Interval;

    /// Costs as different from the reference's as those of another computer may be.
    fn truth() -> CostModel {
        CostModel {
            name: "calibrated".into(),
            main_node: 83,
            quiescence_node: 61,
            evaluation: 29,
            generation: 47,
            probe_near: 2,
            probe_shared_cache: 14,
            probe_memory: 40,
            near_cache_bytes: 1 << 18,
            shared_cache_bytes: 1 << 23,
            ..CostModel::reference()
        }
    }

    fn searched(model: &CostModel, role: Role, count: usize) -> (Vec<Record>, Vec<UsedPosition>) {
        let models = BTreeMap::from([(model.name.clone(), model.clone())]);
        let laboratory = Laboratory::new(Conditions { models, ..Conditions::default() });
        let configuration = cells::configuration(&Size::quick(), 1, Some(model));
        let used: Vec<UsedPosition> = positions::candidates(role)
            .into_iter()
            .take(count)
            .map(|epd| UsedPosition { id: epd.id.unwrap(), fen: epd.setup.to_string(), role, depth: 4 })
            .collect();
        let record = |(index, cell): (usize, Cell)| {
            let (result, _) = laboratory.search(&cell).unwrap();
            record(index, cell, result.figures().unwrap().clone())
        };
        let cells = cells::cells(&configuration, &used.iter().collect::<Vec<_>>(), 1);
        let records = cells.into_iter().enumerate().map(record).collect();
        (records, used)
    }

    fn record(index: usize, cell: Cell, measured: Measured) -> Record {
        Record {
            index: index as u64,
            cell,
            attempt: 0,
            result: CellResult::Done(measured),
            surroundings: None,
            started: 0.0,
            host_s: 0.1,
            session: Word::default(),
        }
    }

    /// The sum that is fitted is what the virtual machine adds up: nothing it charges one processor for is left out.
    #[test]
    fn the_time_of_one_processor_is_the_sum_of_its_work() {
        for model in [truth(), CostModel { jitter_permille: 0, ..truth() }] {
            for record in searched(&model, Role::Check, 4).0 {
                let measured = record.measured().unwrap();
                let sum = expected_ns(measured, &model).unwrap();
                let tolerance = if model.jitter_permille == 0 { 1e-9 } else { 2e-3 };
                assert!((sum / measured.own_time_ns() - 1.0).abs() < tolerance, "{}: {sum}", record.cell.position);
            }
        }
    }

    /// A computer that is in truth a virtual machine: its model is found, and predicts positions that were not used.
    #[test]
    fn the_model_of_a_known_machine_predicts_other_positions() {
        let truth = truth();
        let (records, used) = searched(&truth, Role::Calibration, 10);
        // Tables are read by themselves in four times what a search feels of it.
        let felt = 4;
        let measured = CostModel {
            probe_near: truth.probe_near * felt,
            probe_shared_cache: truth.probe_shared_cache * felt,
            probe_memory: truth.probe_memory * felt,
            ..CostModel { main_node: 1, quiescence_node: 2, evaluation: 3, generation: 4, ..truth.clone() }
        };
        let (work, model) = fit(&records, &used, &measured, None).unwrap();
        assert_eq!((work.positions, work.runs, work.disturbed), (10, 10, 0));
        assert!((work.rounding - 1.0).abs() < 2e-3, "{work:?}");
        assert!(work.left_out_deviation < 0.02, "{work:?}");
        assert!(model.probe_memory < measured.probe_memory && model.probe_memory > model.probe_shared_cache);
        assert_eq!((model.lock_handoff, &model.name), (measured.lock_handoff, &measured.name));
        let (other, _) = searched(&truth, Role::Check, 6);
        for (one, predicted) in other.iter().zip(&searched(&model, Role::Check, 6).0) {
            let time = |record: &Record| record.measured().unwrap().time_ns as f64;
            assert_eq!(one.measured().unwrap().nodes, predicted.measured().unwrap().nodes, "the same tree");
            let ratio = time(predicted) / time(one);
            assert!((ratio - 1.0).abs() < 0.03, "{}: {ratio} with {work:?}", one.cell.position);
        }
    }

    #[test]
    fn a_repetition_that_was_disturbed_changes_nothing() {
        let (records, used) = searched(&truth(), Role::Calibration, 4);
        let (expected, model) = fit(&records, &used, &truth(), None).unwrap();
        let repeated = |record: &Record, repetition: u32, factor: u64| {
            let mut record = record.clone();
            record.index += 100 * u64::from(repetition);
            record.cell.repetition = repetition;
            if let CellResult::Done(measured) = &mut record.result {
                measured.time_ns *= factor;
            }
            record
        };
        let both = |record| [repeated(record, 1, 1), repeated(record, 2, 3)];
        let more: Vec<Record> = records.iter().cloned().chain(records.iter().flat_map(both)).collect();
        let (found, same) = fit(&more, &used, &truth(), None).unwrap();
        assert_eq!((found.runs, found.positions, &found.costs), (12, 4, &expected.costs));
        assert_eq!(same, model);
    }

    #[test]
    fn searches_beside_others_give_the_price_of_neighbours() {
        let (records, used) = searched(&truth(), Role::Calibration, 4);
        let permille = |ratio: f64, probe_sharer_permille| {
            let sharing = WorkSharing { processors: 3, positions: 4, ratio: Interval::unknown(ratio) };
            let model = CostModel { probe_sharer_permille, ..truth() };
            fit(&records, &used, &model, Some(sharing)).unwrap().1.memory_sharer_permille
        };
        // A tenth longer for two neighbours: work alone accounts for it, or shares it with table reads.
        let alone = permille(1.1, 0);
        assert!((50..70).contains(&alone), "{alone}");
        assert_eq!(permille(1.1, 50), 50);
        assert_eq!((permille(0.97, 0), permille(1.0, 0)), (0, 0));
    }

    #[test]
    fn two_positions_tell_nothing() {
        let (records, used) = searched(&truth(), Role::Calibration, 2);
        assert!(fit(&records, &used, &truth(), None).is_none());
        let (records, used) = searched(&truth(), Role::Check, 4);
        assert!(fit(&records, &used, &truth(), None).is_none(), "positions of the comparison are not fitted");
    }
}
