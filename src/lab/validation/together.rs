//! Searches by several processors together, at some of the positions that costs are fitted to: what it costs to share a
//! search beyond all that is measured piece by piece. A node takes longer than alone, since a strategy has a look
//! around at every node and processors take lines of the shared tables from each other (`together_permille`), and
//! publishing a split point takes some time (`split`).
//!
//! The real searches come between those of one processor, so that both are disturbed alike, and all time of both
//! counts, on average: what is compared later is an average too, and low quantiles of searches by several processors
//! would be about moments in which none of them is slow. The model made so far searches the same; what it lacks is
//! added to it.

use super::beside::processors_at_once;
use super::cells::{self, configuration};
use super::positions::of_role;
use super::work::expected_ns;
use crate::machine::cost::CostModel;
use crate::record::validation::{Role, Size, Together, UsedPosition};
use crate::record::{Attempts, Cell, Measured, Record, Run, attempts};
use crate::statistics::{Contrast, Scope, mean};

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
    let some = of_role(positions, Role::Calibration, POSITIONS_PER_CHECK * size.positions);
    cells::cells(&configuration(size, processors as u32, costs), &some, SEEDS)
}

/// Fits both costs to real searches, of one processor and of several, and to those of several virtual ones with this
/// model. `None` if nothing was searched together.
pub fn fit(
    real: &[Record],
    simulated: &[Record],
    positions: &[UsedPosition],
    model: &CostModel,
) -> Option<(Together, CostModel)> {
    let (real, simulated) = (attempts(real), attempts(simulated));
    let processors = runs(&simulated).map(|run| run.record.cell.configuration.threads).max()?;
    let positions = of_role(positions, Role::Calibration, usize::MAX);
    let (mut ratios, mut disturbances) = (Vec::new(), Vec::new());
    for position in &positions {
        // Time for which the processors were searching, by that of an undisturbed one alone for the same work.
        let log_load = |searches: &[Attempts<'_>], threads| {
            let loads = searches_of(searches, threads, &position.id).filter_map(|measured| {
                let load = measured.activities.search_ns as f64 / expected_ns(measured, model)?;
                (load.is_finite() && load > 0.0).then(|| load.ln())
            });
            mean(&loads.collect::<Vec<f64>>())
        };
        let of_both = log_load(&real, processors).zip(log_load(&simulated, processors));
        if let (Some(alone), Some((together, expected))) = (log_load(&real, 1), of_both) {
            disturbances.push(alone);
            ratios.push(vec![together - alone - expected]);
        }
    }
    let ratio = Contrast::paired(&ratios)?.estimated(Scope::PositionsLikeThese).exp();
    let split_ns = |searches: &[Attempts<'_>]| {
        let together = positions.iter().flat_map(|position| searches_of(searches, processors, &position.id));
        let (splits, nanoseconds) = together.fold((0, 0), |(splits, nanoseconds), measured| {
            (splits + measured.splits.made, nanoseconds + measured.activities.split_ns)
        });
        (splits > 0).then(|| nanoseconds as f64 / splits as f64)
    };
    // Without splits nothing is known of them.
    let (split, model_split_ns) = split_ns(&real).zip(split_ns(&simulated)).unwrap_or_default();
    let split_ns = split / mean(&disturbances)?.exp();
    let split = (model.split as f64 + split_ns - model_split_ns).max(0.0).round() as u64;
    let longer = (1000.0 + model.together_permille as f64) * ratio.estimate;
    let together_permille = (longer - 1000.0).max(0.0).round() as u64;
    let together = Together { processors, positions: ratios.len(), ratio, split_ns, model_split_ns };
    Some((together, CostModel { split, together_permille, ..model.clone() }))
}

/// Searches that count.
fn runs<'a>(searches: &[Attempts<'a>]) -> impl Iterator<Item = Run<'a>> {
    searches.iter().filter_map(Attempts::run)
}

/// Searches of a position on a number of processors.
fn searches_of<'a>(searches: &[Attempts<'a>], threads: u32, position: &str) -> impl Iterator<Item = &'a Measured> {
    let is_meant = move |cell: &Cell| cell.position == position && cell.configuration.threads == threads;
    runs(searches).filter(move |run| is_meant(&run.record.cell)).map(|run| run.measured)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::positions::candidates;
    use super::*;
    use crate::record::Word;
    use crate::{Conditions, Laboratory, Searcher};

    fn records(model: &CostModel, threads: u32, positions: &[UsedPosition]) -> Vec<Record> {
        let models = BTreeMap::from([(model.name.clone(), model.clone())]);
        let laboratory = Laboratory::new(Conditions { models, ..Conditions::default() });
        let configuration = configuration(&Size::quick(), threads, Some(model));
        let cells = cells::cells(&configuration, &of_role(positions, Role::Calibration, usize::MAX), 2).into_iter();
        let record = |(index, cell): (usize, Cell)| Record {
            index: index as u64 + 1000 * u64::from(threads),
            attempt: 0,
            result: laboratory.search(&cell).unwrap().0,
            cell,
            surroundings: None,
            started: 0.0,
            host_s: 0.1,
            session: Word::default(),
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
