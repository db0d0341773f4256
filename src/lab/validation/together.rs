//! Searches by several processors together, at some of the positions that costs are fitted to: what it costs to share a
//! search beyond all that is measured piece by piece. A node takes longer than alone, since processors take lines of
//! the shared tables from each other (`together_permille`: as long as lazy search takes), since a strategy that shares
//! nodes looks around at each of them (`look_around`: as much longer as young brothers wait takes), or since it keeps
//! them on a stack of its own (`stacked_node_permille`: dynamic tree splitting). Publishing a split point takes some
//! time (`split`).
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
use crate::record::{Attempts, Cell, Configuration, Measured, Record, Run, SEQUENTIAL, attempts};
use crate::statistics::{Contrast, Interval, Scope, mean};

/// Names of the costs that are fitted to searches together.
pub const FITTED: [&str; 4] = ["together_permille", "look_around", "stacked_node_permille", "split"];

/// Seeds of the searches of a position.
const SEEDS: u64 = 3;
/// Positions, for each at which several processors are compared.
const POSITIONS_PER_CHECK: usize = 4;
/// Strategies that tell the costs of searching together apart, beside the usual one, which is ready to share any node:
/// one that shares nothing but tables, and one that keeps nodes on a stack of its own.
const SHARING_TABLES: &str = "lazy";
const SHARING_STACKS: &str = "dts";

/// Searches by as many processors as work at once, of this computer or with these costs. None on one processor.
pub fn cells(size: &Size, positions: &[UsedPosition], costs: Option<&CostModel>) -> Vec<Cell> {
    let processors = processors_at_once();
    if processors < 2 {
        return Vec::new();
    }
    let some = of_role(positions, Role::Calibration, POSITIONS_PER_CHECK * size.positions);
    let usual = configuration(size, processors as u32, costs);
    let by = |strategy: &str| Configuration { strategy: strategy.into(), ..usual.clone() };
    let all = [by(SHARING_TABLES), usual.clone(), by(SHARING_STACKS)];
    all.iter().flat_map(|configuration| cells::cells(configuration, &some, SEEDS)).collect()
}

/// Fits the costs to real searches, of one processor and of several, and to those of several virtual ones with this
/// model. `None` if nothing was searched together.
pub fn fit(
    real: &[Record],
    simulated: &[Record],
    positions: &[UsedPosition],
    model: &CostModel,
) -> Option<(Together, CostModel)> {
    let (real, simulated) = (attempts(real), attempts(simulated));
    let positions = of_role(positions, Role::Calibration, usize::MAX);
    let searches = Searches { real: &real, simulated: &simulated, positions: &positions, model };
    let processors = runs(&simulated).map(|run| run.record.cell.configuration.threads).max()?;
    let mut strategies = runs(&simulated).map(|run| run.record.cell.configuration.strategy.as_str());
    let usual = strategies.find(|name| ![SHARING_TABLES, SHARING_STACKS].contains(name))?;
    let loads = [SHARING_TABLES, usual, SHARING_STACKS].map(|strategy| searches.loads(strategy));
    let [ratio, ratio_of_nodes, ratio_of_stacks] = loads.each_ref().map(|loads| longer(loads));
    let (ratio, ratio_of_nodes, ratio_of_stacks) = (ratio?, ratio_of_nodes?, ratio_of_stacks?);
    let disturbances: Vec<f64> = loads.iter().flatten().map(|load| load.alone).collect();
    let disturbance = mean(&disturbances)?.exp();
    // Without splits nothing is known of them.
    let split_ns = |machine| searches.split_ns(machine, usual);
    let (split_ns, model_split_ns) = split_ns(&real).zip(split_ns(&simulated)).unwrap_or_default();
    let split_ns = split_ns / disturbance;
    let split = (model.split as f64 + split_ns - model_split_ns).max(0.0).round() as u64;
    let longer = (1000.0 + model.together_permille as f64) * ratio.estimate;
    let together_permille = (longer - 1000.0).max(0.0).round() as u64;
    // What other strategies take longer beyond that, in all searches together, they take at their nodes.
    let [beyond_of_nodes, beyond_of_stacks] =
        [ratio_of_nodes, ratio_of_stacks].map(|longer| longer.estimate / ratio.estimate - 1.0);
    let (look_around_ns, stacked_permille) = searches.costs_of_nodes(usual, beyond_of_nodes, beyond_of_stacks)?;
    let is_searched = |id: &str| searches_of(&simulated, usual, id).next().is_some();
    let together = Together {
        processors,
        positions: positions.iter().filter(|position| is_searched(&position.id)).count(),
        ratio,
        ratio_of_nodes: Some(ratio_of_nodes),
        ratio_of_stacks: Some(ratio_of_stacks),
        look_around_ns,
        split_ns,
        model_split_ns,
    };
    let (look_around, stacked_node_permille) = (look_around_ns.round() as u64, stacked_permille.round() as u64);
    Some((together, CostModel { split, together_permille, look_around, stacked_node_permille, ..model.clone() }))
}

/// Searches that costs are fitted to.
struct Searches<'a> {
    real: &'a [Attempts<'a>],
    simulated: &'a [Attempts<'a>],
    positions: &'a [&'a UsedPosition],
    model: &'a CostModel,
}

/// Logarithms of the times of searches at a position by that of an undisturbed processor alone for the same work.
struct Load {
    /// One real processor that works alone, relative to an undisturbed one: disturbances.
    alone: f64,
    /// Several real processors relative to one that works alone, and to as many virtual ones: what the model lacks.
    lacking: f64,
}

impl Searches<'_> {
    /// Loads of a strategy, by position.
    fn loads(&self, strategy: &str) -> Vec<Load> {
        let loads = self.positions.iter().filter_map(|position| {
            let load = |searches, strategy| self.log_load(searches, strategy, &position.id);
            let alone = load(self.real, SEQUENTIAL)?;
            Some(Load { alone, lacking: load(self.real, strategy)? - alone - load(self.simulated, strategy)? })
        });
        loads.collect()
    }

    /// Time for which the processors were searching, by that of an undisturbed one alone for the same work.
    fn log_load(&self, searches: &[Attempts<'_>], strategy: &str, position: &str) -> Option<f64> {
        let loads = searches_of(searches, strategy, position).filter_map(|measured| {
            let load = measured.activities.search_ns as f64 / expected_ns(measured, self.model)?;
            (load.is_finite() && load > 0.0).then(|| load.ln())
        });
        mean(&loads.collect::<Vec<f64>>())
    }

    /// Sum of a figure over all searches by a strategy.
    fn total(&self, searches: &[Attempts<'_>], strategy: &str, figure: fn(&Measured) -> u64) -> f64 {
        let all = self.positions.iter().flat_map(|position| searches_of(searches, strategy, &position.id));
        all.map(figure).sum::<u64>() as f64
    }

    /// Time of a split, if there are any.
    fn split_ns(&self, searches: &[Attempts<'_>], strategy: &str) -> Option<f64> {
        let splits = self.total(searches, strategy, |measured| measured.count("splits.made").unwrap_or(0));
        (splits > 0.0).then(|| self.total(searches, strategy, |measured| measured.activities.split_ns) / splits)
    }

    /// Cost to look around at a node, and thousandths by which a node on a stack takes longer, if the usual strategy
    /// and the one with stacks take this much longer than searches that share nothing but tables, as shares.
    fn costs_of_nodes(&self, usual: &str, beyond_of_nodes: f64, beyond_of_stacks: f64) -> Option<(f64, f64)> {
        let number = |strategy, figure| self.total(self.simulated, strategy, figure);
        let lacking = |strategy, beyond: f64| beyond * number(strategy, |measured| measured.activities.search_ns);
        let [known_ns, known_permille] =
            [self.model.look_around, self.model.stacked_node_permille].map(|cost| cost as f64);
        let more = lacking(usual, beyond_of_nodes) / number(usual, inner_nodes);
        let look_around_ns = (known_ns + more).max(0.0);
        let looks_ns = number(SHARING_STACKS, inner_nodes) * (look_around_ns - known_ns);
        let stacked_ns = lacking(SHARING_STACKS, beyond_of_stacks) - looks_ns;
        let more = 1000.0 * stacked_ns / number(SHARING_STACKS, main_nodes) / self.model.main_node.max(1) as f64;
        let stacked_permille = (known_permille + more).max(0.0);
        (look_around_ns.is_finite() && stacked_permille.is_finite()).then_some((look_around_ns, stacked_permille))
    }
}

/// Factor by which searches take longer than the model says.
fn longer(loads: &[Load]) -> Option<Interval> {
    let ratios: Vec<Vec<f64>> = loads.iter().map(|load| vec![load.lacking]).collect();
    Some(Contrast::paired(&ratios)?.estimated(Scope::PositionsLikeThese).exp())
}

/// Number of nodes of the main search.
fn main_nodes(measured: &Measured) -> u64 {
    measured.count("main_nodes").unwrap_or(0)
}

/// Number of those that are no leaves.
fn inner_nodes(measured: &Measured) -> u64 {
    main_nodes(measured) - measured.count("leaves").unwrap_or(0)
}

/// Searches that count.
fn runs<'a>(searches: &[Attempts<'a>]) -> impl Iterator<Item = Run<'a>> {
    searches.iter().filter_map(Attempts::run)
}

/// Searches of a position by a strategy.
fn searches_of<'a>(searches: &[Attempts<'a>], strategy: &str, position: &str) -> impl Iterator<Item = &'a Measured> {
    let is_meant = move |cell: &Cell| cell.position == position && cell.configuration.strategy == strategy;
    runs(searches).filter(move |run| is_meant(&run.record.cell)).map(|run| run.measured)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::positions::candidates;
    use super::*;
    use crate::record::{Activities, CellResult, Word};
    use crate::{Conditions, Laboratory, Searcher};

    fn records(model: &CostModel, threads: u32, positions: &[UsedPosition]) -> Vec<Record> {
        let models = BTreeMap::from([(model.name.clone(), model.clone())]);
        let laboratory = Laboratory::new(Conditions { models, ..Conditions::default() });
        let strategies: &[&str] = if threads == 1 { &[SEQUENTIAL] } else { &[SHARING_TABLES, "ybwc", SHARING_STACKS] };
        let cells = strategies.iter().flat_map(|strategy| {
            let configuration = configuration(&Size::quick(), threads, Some(model));
            let configuration = Configuration { strategy: (*strategy).into(), ..configuration };
            cells::cells(&configuration, &of_role(positions, Role::Calibration, usize::MAX), 2)
        });
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

    /// The search on a computer on which other programs have a third of the time.
    fn slowed(mut record: Record) -> Record {
        let CellResult::Done(measured) = &mut record.result else { panic!("{:?}", record.result) };
        let slower = |ns: u64| ns + ns / 2;
        let Activities { search_ns, split_ns, lock_ns, idle_ns, wait_ns, .. } = &mut measured.activities;
        for ns in [&mut measured.time_ns, search_ns, split_ns, lock_ns, idle_ns, wait_ns] {
            *ns = slower(*ns);
        }
        record
    }

    /// A computer that is in truth a virtual machine, beside other programs: what the model lacks is found.
    #[test]
    fn what_a_model_lacks_is_found() {
        let role = Role::Calibration;
        let used = |(id, fen): (String, String)| UsedPosition { id, fen, role, depth: 6 };
        let known = candidates(role).into_iter().take(12);
        let positions: Vec<_> = known.map(|epd| used((epd.id.unwrap(), epd.setup.to_string()))).collect();
        let model = CostModel { name: "calibrated".into(), split: 300, ..CostModel::reference() };
        let truth = CostModel {
            split: 1_500,
            together_permille: 60,
            look_around: 40,
            stacked_node_permille: 100,
            ..model.clone()
        };
        let real: Vec<Record> =
            [1, 2].iter().flat_map(|threads| records(&truth, *threads, &positions)).map(slowed).collect();
        let (together, found) = fit(&real, &records(&model, 2, &positions), &positions, &model).unwrap();
        assert_eq!((together.processors, together.positions), (2, 12));
        assert!(found.together_permille.abs_diff(60) <= 6, "{found:?} {together:?}");
        assert!(found.split.abs_diff(1_500) <= 150, "{found:?} {together:?}");
        assert!(found.look_around.abs_diff(40) <= 8, "{found:?} {together:?}");
        assert!(found.stacked_node_permille.abs_diff(100) <= 60, "{found:?} {together:?}");
        // Nothing is added to a model that lacks nothing, and nobody searched together on one processor.
        let (_, same) = fit(&real, &records(&truth, 2, &positions), &positions, &truth).unwrap();
        assert!(same.together_permille.abs_diff(60) <= 6 && same.split.abs_diff(1_500) <= 150, "{same:?}");
        assert!(same.look_around.abs_diff(40) <= 8, "{same:?}");
        assert!(same.stacked_node_permille.abs_diff(100) <= 60, "{same:?}");
        assert!(fit(&real, &[], &positions, &model).is_none());
    }
}
