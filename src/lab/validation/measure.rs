//! Course of a validation: coordination, searches beside each other, depths, real searches, the model, micro-programs,
//! virtual searches.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use serde::Serialize;

use super::super::environment::{begin_session, plain};
use super::super::{Conditions, Conduct, Equals, Fill, Laboratory, Ledger, Observer, Runner, Searcher};
use super::beside::{processors_at_once, work_sharing};
use super::cells::{cells, configuration, depth_search, of_checks, of_fit};
use super::mechanisms::mechanisms;
use super::positions::candidates;
use super::{PhaseObserver, ValidationError, together, work};
use crate::chess::choice::BoardChoice;
use crate::engine::compiled;
use crate::machine::calibrate::{Calibration, calibrate};
use crate::machine::cost::CostModel;
use crate::machine::host::Topology;
use crate::record::contribution::BoardTime;
use crate::record::validation::{Measurements, Role, Size, UsedPosition, WorkCosts};
use crate::record::{Attempts, Cell, Configuration, Record, Run, attempts};
use crate::statistics::{Contrast, Scope, mean};

/// A search for the depth of a position that ends before this share of its nodes has come to the end of its tree.
const WHOLE_SEARCH: f64 = 0.5;
/// One disturbed real search in this many is repeated, once: where all is noise, repeating helps nobody.
const ONE_REPEATED_IN: usize = 4;
/// Order and repetitions of the searches.
const CONDUCT: Conduct = Conduct {
    is_shuffled: true,
    order_seed: Some(1),
    warm_up: true,
    fill: Fill::Fixed(None),
    interleaves: false,
    retries: 1,
    limit_s: None,
    limit_nodes: None,
};

/// Cost model of this computer, with the measurements that it is made of.
#[derive(Clone, Debug, Serialize)]
pub struct Calibrated {
    /// Measured costs of coordination.
    pub coordination: Calibration,
    /// Fitted costs of work.
    pub work: WorkCosts,
    /// The cost model.
    pub model: CostModel,
    /// Names of the costs that could not be measured here and are those of the reference model.
    pub assumed: Vec<&'static str>,
}

/// Makes the cost model of this computer: some seconds of small experiments and of sequential searches.
pub fn calibrated(size: &Size, observer: &dyn PhaseObserver) -> Result<Calibrated, ValidationError> {
    Ok(Searches { session: "", observer }.real(size, &[])?.0)
}

/// Measures everything that a validation takes. `command` is what was typed.
pub fn measure(size: &Size, command: &str, observer: &dyn PhaseObserver) -> Result<Measurements, ValidationError> {
    let mut session = begin_session(command, &BTreeMap::new());
    let searches = Searches { session: &session.id, observer };
    // Numbers of processors to compare: two, four and so on, up to all that can work at once.
    let doubled = std::iter::successors(Some(2), |count| Some(count * 2));
    let processors: Vec<u32> = doubled.take_while(|count| *count as usize <= processors_at_once()).collect();
    let (calibrated, positions, mut records) = searches.real(size, &processors)?;
    let Calibrated { coordination, work, model, assumed } = calibrated;
    let mechanisms = mechanisms(size, &model, coordination.step.low, observer)?;

    let checks = of_checks(size, &positions, &processors, Some(&model));
    let next = records.iter().map(|record| record.index + 1).max().unwrap_or_default();
    records.extend(searches.run("virtual searches", &laboratory([&model]), next, &checks)?);
    session.costs = plain(&BTreeMap::from([(&model.name, &model)]));
    Ok(Measurements {
        session,
        size: size.clone(),
        coordination: plain(&coordination),
        assumed: assumed.into_iter().map(str::to_owned).collect(),
        work,
        model_hash: model.hash(),
        model: plain(&model),
        positions,
        processors,
        records,
        mechanisms,
    })
}

/// Time of a node on every board that this program has, over the positions of a comparison of this size: the same
/// trees, the least time of each.
pub fn boards(size: &Size, observer: &dyn PhaseObserver) -> Result<Vec<BoardTime>, ValidationError> {
    let here = laboratory([]);
    let checks =
        Size { calibration_positions: 0, skipped_positions: 0, alone_positions: size.positions, ..size.clone() };
    let positions = depths(&here, &checks, observer);
    let boards: Vec<BoardChoice> = compiled::boards().collect();
    let cells = boards.iter().flat_map(|board| {
        let sliders = board.sliders().map(|sliders| sliders.name().to_owned());
        let configuration = Configuration { board: board.name().to_owned(), sliders, ..configuration(size, 1, None) };
        let cells = cells(&configuration, &positions.iter().collect::<Vec<_>>(), 1);
        let times = 0..size.calibration_repetitions;
        cells.into_iter().flat_map(move |cell| times.clone().map(move |repetition| Cell { repetition, ..cell.clone() }))
    });
    let searches = Searches { session: "", observer };
    let records = searches.run("boards", &here, 0, &cells.collect::<Vec<_>>())?;
    let all = attempts(&records);
    let runs: Vec<Run<'_>> = all.iter().filter_map(Attempts::run).collect();
    // Logarithm of the least time of a node, by position.
    let least = |board: &BoardChoice, position: &UsedPosition| {
        let of_board = |run: &&Run<'_>| {
            let Configuration { board: name, sliders, .. } = &*run.record.cell.configuration;
            name == board.name() && sliders.as_deref() == board.sliders().map(|sliders| sliders.name())
        };
        let of_both = runs.iter().filter(of_board).filter(|run| *run.record.cell.position == *position.id);
        let times = of_both.map(|run| run.measured.time_ns as f64 / run.measured.nodes.max(1) as f64);
        times.map(f64::ln).min_by(f64::total_cmp)
    };
    let times =
        |board: &BoardChoice| positions.iter().map(|position| least(board, position)).collect::<Option<Vec<f64>>>();
    let Some(first) = boards.first().and_then(times) else { return Ok(Vec::new()) };
    let time = |board: &BoardChoice| {
        let times = times(board)?;
        let ratios: Vec<Vec<f64>> = times.iter().zip(&first).map(|(own, first)| vec![own - first]).collect();
        let ratio = Contrast::paired(&ratios)?.estimated(Scope::PositionsLikeThese).exp();
        let sliders = board.sliders().map(|sliders| sliders.name().to_owned());
        Some(BoardTime { board: board.name().to_owned(), sliders, node_ns: mean(&times)?.exp(), ratio })
    };
    Ok(boards.iter().filter_map(time).collect())
}

/// Searches by the runner, all in one session.
struct Searches<'a> {
    session: &'a str,
    observer: &'a dyn PhaseObserver,
}

impl Searches<'_> {
    /// All real searches, their positions, and the model of this computer that follows from them.
    fn real(
        &self,
        size: &Size,
        processors: &[u32],
    ) -> Result<(Calibrated, Vec<UsedPosition>, Vec<Record>), ValidationError> {
        self.observer.phase("coordination", 1);
        let coordination = calibrate(&Topology::of_system().order())?;
        self.observer.step(None);
        let sharing = work_sharing(size, self.observer)?;
        let here = laboratory([]);
        let positions = depths(&here, size, self.observer);
        let together = |costs| together::cells(size, &positions, costs);
        let cells = [of_fit(size, &positions), together(None), of_checks(size, &positions, processors, None)].concat();
        // Searches of one processor always visit the same nodes, so that their least time is that on a quiet computer.
        let repeated = cells.into_iter().flat_map(|cell| {
            let count = if cell.configuration.threads == 1 { size.calibration_repetitions } else { 1 };
            (0..count).map(move |repetition| Cell { repetition, ..cell.clone() })
        });
        let records = self.run("real searches", &here, 0, &repeated.collect::<Vec<_>>())?;

        let fitted = work::fit(&records, &positions, &coordination.model(), sharing);
        let (mut work, mut model) = fitted.ok_or_else(|| {
            let failed = records.iter().find_map(Record::failure);
            ValidationError::Work(failed.unwrap_or("searches of at least three positions are needed").to_owned())
        })?;
        let simulated = self.run("virtual searches together", &laboratory([&model]), 0, &together(Some(&model)))?;
        if let Some((found, complete)) = together::fit(&records, &simulated, &positions, &model) {
            (work.together, model) = (Some(found), complete);
        }
        let measured: Vec<&str> = coordination.prices().into_iter().map(|(name, _)| name).collect();
        let is_known = |name: &str| {
            measured.contains(&name)
                || work::FITTED.contains(&name)
                || name == "memory_sharer_permille" && work.sharing.is_some()
                || together::FITTED.contains(&name) && work.together.is_some()
        };
        let assumed = CostModel::COSTS.iter().map(|cost| cost.name).filter(|name| !is_known(name)).collect();
        Ok((Calibrated { coordination, work, model, assumed }, positions, records))
    }

    /// Records of these cells, in the order of the cells, numbered from `first`.
    fn run(&self, what: &str, by: &dyn Searcher, first: u64, cells: &[Cell]) -> Result<Vec<Record>, ValidationError> {
        if cells.is_empty() {
            return Ok(Vec::new());
        }
        self.observer.phase(what, cells.len());
        let kept = Kept { observer: self.observer, records: Mutex::default() };
        let runner = Runner {
            cells: &(first..).zip(cells).collect::<Vec<_>>(),
            equals: &Equals::default(),
            conduct: &CONDUCT,
            most_repeats: cells.len() / ONE_REPEATED_IN,
            searcher: by,
            journal: None,
            observer: &kept,
            session: self.session,
        };
        runner.run(&mut Ledger::default())?;
        let mut records = kept.records.into_inner().unwrap_or_else(PoisonError::into_inner);
        records.sort_by_key(|record| (record.index, record.attempt));
        Ok(records)
    }
}

/// Keeps all records, and tells the observer of a validation about each first one of a cell.
struct Kept<'a> {
    observer: &'a dyn PhaseObserver,
    records: Mutex<Vec<Record>>,
}

impl Observer for Kept<'_> {
    fn recorded(&self, record: &Record, left_s: f64) {
        self.records.lock().unwrap_or_else(PoisonError::into_inner).push(record.clone());
        if record.attempt == 0 {
            self.observer.step(Some(left_s));
        }
    }
}

fn laboratory<'m>(models: impl IntoIterator<Item = &'m CostModel>) -> Laboratory {
    let models = models.into_iter().map(|model| (model.name.clone(), model.clone())).collect();
    Laboratory::new(Conditions { models, random_addresses: true, ..Conditions::default() })
}

/// Positions with the depth that one processor completes within the size's nodes: that of the search with seed 0, and
/// so the same on every computer.
fn depths(searcher: &dyn Searcher, size: &Size, observer: &dyn PhaseObserver) -> Vec<UsedPosition> {
    let skipped = size.skipped_positions;
    let roles = [(Role::Calibration, 0, size.calibration_positions), (Role::Check, skipped, size.alone_positions)];
    observer
        .phase("finding the depths of the positions", roles.iter().map(|(_, skipped, count)| skipped + count).sum());
    let of_role = |(role, skipped, count): (Role, usize, usize)| {
        let whole = candidates(role).into_iter().filter_map(move |epd| {
            let (id, fen) = (epd.id?, epd.setup.to_string());
            let (result, _) = searcher.search(&depth_search(size, &id, fen.clone(), size.nodes)).ok()?;
            let measured = result.figures()?;
            let is_whole = measured.nodes as f64 >= WHOLE_SEARCH * size.nodes as f64 && measured.depth > 0;
            is_whole.then(|| {
                observer.step(None);
                UsedPosition { id, fen, role, depth: measured.depth }
            })
        });
        whole.skip(skipped).take(count)
    };
    roles.into_iter().flat_map(of_role).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Silent;

    impl PhaseObserver for Silent {
        fn phase(&self, _: &str, _: usize) {}

        fn step(&self, _: Option<f64>) {}
    }

    #[test]
    fn a_validation_at_other_positions_begins_after_those_of_the_first() {
        let checks = |skipped_positions, alone_positions| {
            let size = Size { nodes: 2_000, skipped_positions, alone_positions, ..Size::quick() };
            let size = Size { calibration_positions: 0, ..size };
            depths(&laboratory([]), &size, &Silent)
        };
        let whole = checks(0, 5);
        assert_eq!(whole.len(), 5);
        assert_eq!(checks(3, 2), whole[3..]);
    }
}
