//! Searches by several processors together, at some of the positions that costs are fitted to: what it costs to share a
//! search beyond all that is measured piece by piece. A node takes longer than alone, since a strategy has a look
//! around at every node and processors take lines of the shared tables from each other (`together_permille`), and
//! publishing a split point takes some time (`split`).
//!
//! The real searches come between those of one processor, so that both are disturbed alike, and all time of both
//! counts, on average: what is compared later is an average too, and low quantiles of searches by several processors
//! would be about moments in which none of them is slow. The model made so far searches the same; what it lacks is
//! added to it.

use super::cells::{FIRST_SEED, cell, configuration};
use super::mechanisms::processors_at_once;
use super::work::expected_ns;
use crate::machine::cost::CostModel;
use crate::record::validation::{Role, Size, Together, UsedPosition};
use crate::record::{Cell, Measured, Record, Run, attempts};
use crate::statistics::{Contrast, Interval, LEVEL, Scope, mean};

/// Names of the costs that are fitted to searches together.
pub const FITTED: [&str; 2] = ["together_permille", "split"];

/// Seeds of the searches of a position.
const SEEDS: u64 = 3;
/// Positions, for each at which several processors are compared.
const POSITIONS_PER_CHECK: usize = 4;

/// Searches by as many processors as work at once, of this computer or with these costs. None on one processor.
pub fn cells(size: &Size, positions: &[UsedPosition], costs: Option<&CostModel>) -> Vec<Cell> {
    let processors = processors_at_once();
    if processors < 2 {
        return Vec::new();
    }
    let configuration = configuration(processors as u32, costs);
    let of_fit = positions.iter().filter(|position| position.role == Role::Calibration);
    let some = of_fit.take(POSITIONS_PER_CHECK * size.positions);
    some.flat_map(|position| (FIRST_SEED..FIRST_SEED + SEEDS).map(|seed| cell(&configuration, position, seed)))
        .collect()
}

/// Fits both costs to real searches, of one processor and of several, and to those of several virtual ones with this
/// model. `None` if nothing was searched together.
pub fn fit(
    real: &[Record],
    simulated: &[Record],
    positions: &[UsedPosition],
    model: &CostModel,
) -> Option<(Together, CostModel)> {
    let (real, simulated) = (searches(real), searches(simulated));
    let processors = simulated.iter().map(|search| search.threads).max()?;
    let (mut ratios, mut disturbances) = (Vec::new(), Vec::new());
    for position in positions.iter().filter(|position| position.role == Role::Calibration) {
        let load = |searches: &[Search<'_>], threads| {
            let of_position = searches.iter().filter(|one| one.position == position.id && one.threads == threads);
            mean(&of_position.filter_map(|one| load(one.measured, model)).map(f64::ln).collect::<Vec<f64>>())
        };
        let of_both = load(&real, processors).zip(load(&simulated, processors));
        if let (Some(alone), Some((together, expected))) = (load(&real, 1), of_both) {
            disturbances.push(alone);
            ratios.push(vec![together - alone - expected]);
        }
    }
    let contrast = Contrast::paired(&ratios)?;
    let interval = contrast.interval(Scope::PositionsLikeThese, LEVEL);
    let ratio = interval.unwrap_or(Interval::unknown(contrast.estimate())).exp();
    let disturbance = mean(&disturbances)?.exp();
    let split_ns = |searches: &[Search<'_>]| {
        let of_calibration =
            |one: &&Search<'_>| positions.iter().any(|used| used.role == Role::Calibration && used.id == one.position);
        let together = searches.iter().filter(|one| one.threads == processors).filter(of_calibration);
        let (splits, nanoseconds) = together.fold((0, 0), |(splits, nanoseconds), Search { measured, .. }| {
            (splits + measured.splits.made, nanoseconds + measured.activities.split_ns)
        });
        (splits > 0).then(|| nanoseconds as f64 / splits as f64)
    };
    // Without splits nothing is known of them.
    let (real_split, model_split) = split_ns(&real).zip(split_ns(&simulated)).unwrap_or_default();
    let real_split = real_split / disturbance;
    let split = (model.split as f64 + real_split - model_split).max(0.0).round() as u64;
    let longer = (1000.0 + model.together_permille as f64) * ratio.estimate;
    let together_permille = (longer - 1000.0).max(0.0).round() as u64;
    let together =
        Together { processors, positions: ratios.len(), ratio, split_ns: real_split, model_split_ns: model_split };
    Some((together, CostModel { split, together_permille, ..model.clone() }))
}

/// A search that counts.
struct Search<'a> {
    position: &'a str,
    threads: u32,
    measured: &'a Measured,
}

fn searches(records: &[Record]) -> Vec<Search<'_>> {
    let runs = attempts(records).into_iter().filter_map(|attempts| attempts.run());
    runs.map(|Run { record, measured }| Search {
        position: &record.cell.position,
        threads: record.cell.configuration.threads,
        measured,
    })
    .collect()
}

/// Time for which the processors were searching, by that of an undisturbed one alone for the same work.
fn load(measured: &Measured, model: &CostModel) -> Option<f64> {
    let load = measured.activities.search_ns as f64 / expected_ns(measured, model)?;
    (load.is_finite() && load > 0.0).then_some(load)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::positions::candidates;
    use super::*;
    use crate::lab::{Conditions, Laboratory, Searcher};

    fn records(model: &CostModel, threads: u32, positions: &[UsedPosition]) -> Vec<Record> {
        let models = BTreeMap::from([(model.name.clone(), model.clone())]);
        let laboratory = Laboratory::new(Conditions { models, ..Conditions::default() });
        let configuration = configuration(threads, Some(model));
        let cells = positions.iter().flat_map(|used| (0..2).map(|seed| cell(&configuration, used, seed)));
        let record = |(index, cell): (usize, Cell)| Record {
            index: index as u64 + 1000 * u64::from(threads),
            attempt: 0,
            result: laboratory.search(&cell).unwrap().0,
            cell,
            surroundings: None,
            started: 0.0,
            host_s: 0.1,
            session: String::new(),
        };
        cells.enumerate().map(record).collect()
    }

    /// A computer that is in truth a virtual machine: what the model lacks is found.
    #[test]
    fn what_a_model_lacks_is_found() {
        let role = Role::Calibration;
        let used = |(id, fen): (String, String)| UsedPosition { id, fen, role, depth: 6 };
        let known = candidates(role).into_iter().take(12);
        let positions: Vec<_> = known.map(|epd| used((epd.id.unwrap(), epd.setup.to_string()))).collect();
        let model = CostModel { name: "calibrated".into(), split: 300, ..CostModel::reference() };
        let truth = CostModel { split: 1_500, together_permille: 60, ..model.clone() };
        let real: Vec<Record> = [1, 2].iter().flat_map(|threads| records(&truth, *threads, &positions)).collect();
        let (together, found) = fit(&real, &records(&model, 2, &positions), &positions, &model).unwrap();
        assert_eq!((together.processors, together.positions), (2, 12));
        assert!(found.together_permille.abs_diff(60) <= 6, "{found:?} {together:?}");
        assert!(found.split.abs_diff(1_500) <= 150, "{found:?} {together:?}");
        // Nothing is added to a model that lacks nothing, and nobody searched together on one processor.
        let (_, same) = fit(&real, &records(&truth, 2, &positions), &positions, &truth).unwrap();
        assert!(same.together_permille.abs_diff(60) <= 6 && same.split.abs_diff(1_500) <= 150, "{same:?}");
        assert!(fit(&real, &[], &positions, &model).is_none());
    }
}
