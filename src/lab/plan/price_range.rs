//! Searches that tell how far a speedup on many virtual processors depends on prices that two cores cannot measure:
//! each once more with all of these cheap, and once with all of them dear. They are there for that range alone: no
//! candidate of a contest, no curve and no test is theirs.

use std::collections::BTreeMap;

use super::super::choice::defined;
use super::super::experiment::Experiment;
use super::Runs;
use crate::distinct::distinct;
use crate::machine::cost::{CostModel, Unmeasured};
use crate::record::{Asks, Baseline, Configuration, Depth, Description, MachineKind, Repriced};

/// Smallest number of virtual processors whose speedup has a range.
pub const FEWEST: u32 = 16;

/// Searches of the plan with other prices, with the seed and repetition of each and its model.
pub(super) fn repriced(
    runs: &[Runs],
    experiment: &Experiment,
    models: &BTreeMap<String, CostModel>,
) -> Vec<(Repriced, (u64, u32), CostModel)> {
    if !experiment.price_range || !tells_speedups(experiment) {
        return Vec::new();
    }
    // Several models are a question of their own.
    let named = distinct(runs.iter().filter_map(|runs| runs.configuration.costs_name()));
    let [name] = &named[..] else { return Vec::new() };
    let Some(plain) = models.get(name.as_str()).filter(|model| is_plain(model)) else { return Vec::new() };
    let changed = Unmeasured::ALL.map(|change| (change, plain.with_unmeasured(change)));
    let changed: Vec<_> = changed.into_iter().filter(|(_, model)| model.hash() != plain.hash()).collect();
    let searches = runs.iter().filter(|runs| has_range(&runs.configuration));
    let largest = searches.filter(|one| {
        let is_larger = |other: &Runs| {
            other.configuration.threads > one.configuration.threads
                && Configuration { threads: one.configuration.threads, ..other.configuration.clone() }
                    == one.configuration
        };
        !runs.iter().any(is_larger)
    });
    let of_each = |one: &Runs| {
        let first = one.seeds.first().copied();
        let of = one.configuration.clone();
        let searches = first.into_iter().flat_map(|seed| changed.iter().map(move |changed| (seed, changed)));
        let search = |(seed, (change, model)): ((u64, u32), &(Unmeasured, CostModel))| {
            let configuration = Configuration { costs: Some(defined(model)), ..of.clone() };
            (Repriced { change: change.name().to_owned(), configuration, of: of.clone() }, seed, model.clone())
        };
        searches.map(search).collect::<Vec<_>>()
    };
    largest.flat_map(of_each).collect()
}

/// Configuration that stands for this one in a shard: that with plain prices, for those with others.
pub(super) fn plain(description: &Description, configuration: &Configuration) -> Option<Configuration> {
    description.price_range.iter().find(|one| one.configuration == *configuration).map(|one| one.of.clone())
}

/// Whether the answer to an experiment begins with time speedups, and not with differences from a reference.
fn tells_speedups(experiment: &Experiment) -> bool {
    let Experiment { description, blocks, reference, .. } = experiment;
    let compares = || reference.is_some() || blocks.iter().any(|it| it.reference.is_some() || it.factorial.is_some());
    description.baseline != Baseline::None
        && description.asks.map_or_else(|| !compares(), |asks| matches!(asks, Asks::Best | Asks::Scaling))
}

/// Whether a model is of a computer of today, without changes: the prices of computers that are gone are assumed, and
/// on the ideal machine coordination is free.
fn is_plain(model: &CostModel) -> bool {
    let is_of_today = model.name.starts_with("reference") || CostModel::named(&model.name).is_none();
    !model.name.contains(',') && is_of_today
}

fn has_range(configuration: &Configuration) -> bool {
    let is_ours = !configuration.is_outside() && configuration.micro.is_none();
    is_ours
        && configuration.machine == MachineKind::Virtual
        && configuration.threads >= FEWEST
        && configuration.depth != Depth::Unlimited
        && !configuration.is_limited()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::super::{Experiment, Plan, Shard};

    const MANY: &str = "machine = \"virtual\"\nstrategy = [\"ybwc\", \"lazy\"]\nthreads = [1, 2, 16, 32]\n";

    fn experiment(more: &str, axes: &str, end: &str) -> Experiment {
        let text =
            format!("positions.ids = [\"BK03\", \"BK09\"]\nrepetitions = 2\n{more}\n[axes]\ndepth = 3\n{axes}\n{end}");
        Experiment::parse(Path::new("x.toml"), &text, &[], &[]).unwrap()
    }

    fn plan(more: &str, axes: &str, end: &str) -> Plan {
        Plan::of(&experiment(more, axes, end), "").unwrap()
    }

    /// Searches of the plan for the range, as strategy, processors, prices and seed.
    fn repriced(plan: &Plan) -> Vec<String> {
        let cells = plan.cells.iter().filter(|cell| plan.description.is_for_price_range(&cell.configuration));
        let of_first = cells.filter(|cell| &*cell.position == "BK03");
        let words = |cell: &crate::record::Cell| {
            let configuration = &cell.configuration;
            let costs = configuration.costs.clone().unwrap_or_default();
            format!("{} {} {costs} {}", configuration.strategy, configuration.threads, cell.seed)
        };
        of_first.map(words).collect()
    }

    #[test]
    fn the_largest_number_of_processors_is_searched_with_other_prices() {
        let with = plan("", MANY, "");
        let expected = ["ybwc 32", "lazy 32"].map(|on| ["cheap", "dear"].map(|prices| (on, prices))).concat();
        let expected: Vec<String> =
            expected.iter().map(|(on, prices)| format!("{on} reference-modern,{prices} 0")).collect();
        assert_eq!(repriced(&with), expected);
        assert_eq!(with.description.axes, ["strategy", "threads"], "prices are no axis");
        let without = plan("price_range = false", MANY, "");
        assert_eq!(with.cells.len(), without.cells.len() + 8);
        assert_eq!(with.cells[..without.cells.len()], without.cells, "they come last");
        assert!(
            with.cells.iter().all(|cell| with.models.contains_key(cell.configuration.costs_name().unwrap().as_str()))
        );
        assert_eq!(without.description.price_range, []);
        let own = plan("", &format!("{MANY}costs = \"mine\""), "[costs.mine]\nlock_handoff = 90");
        assert_eq!(repriced(&own)[0], "ybwc 32 mine,cheap 0");
    }

    #[test]
    fn nothing_is_added_where_no_speedup_is_told_or_prices_are_a_question() {
        for (more, axes, end) in [
            ("", "machine = \"virtual\"\nthreads = [1, 8]", ""),
            ("price_range = true", "machine = \"virtual\"\nthreads = [1, 8]\nstrategy = \"lazy\"", ""),
            ("", "machine = \"real\"\nthreads = [1, 16]\nstrategy = \"lazy\"", ""),
            ("", &*format!("{MANY}costs = \"e15k\""), ""),
            ("", &*format!("{MANY}costs = \"ideal\""), ""),
            ("", &*format!("{MANY}costs = \"reference,split*2\""), ""),
            ("", &*format!("{MANY}costs = [\"reference\", \"reference-modern\"]"), ""),
            ("", &*format!("{MANY}nodes = 1000"), ""),
            ("baseline = \"none\"", MANY, ""),
            ("", MANY, "[report]\nasks = \"effect\""),
            ("", MANY, "[report]\nreference = { strategy = \"ybwc\" }"),
        ] {
            assert_eq!(repriced(&plan(more, axes, end)), [""; 0], "{more} {axes} {end}");
        }
        assert_eq!(repriced(&plan("", MANY, "[report]\nasks = \"best\"")).len(), 4);
    }

    #[test]
    fn a_shard_has_a_search_with_all_its_prices() {
        let text = format!("positions.ids = [\"BK03\", \"BK09\", \"BK12\"]\n[axes]\ndepth = 3\n{MANY}");
        let experiment = Experiment::parse(Path::new("x.toml"), &text, &[], &[]).unwrap();
        let plan = Plan::of(&experiment, "").unwrap();
        let parts = [1, 2].map(|number| plan.part(Some(Shard { number, of: 2 })));
        let positions = |part: &[(u64, &crate::record::Cell)]| -> BTreeSet<String> {
            part.iter().map(|(_, cell)| cell.position.to_string()).collect()
        };
        assert!(positions(&parts[0]).is_disjoint(&positions(&parts[1])), "{parts:?}");
        assert_eq!(parts.iter().map(Vec::len).sum::<usize>(), plan.cells.len());
    }

    #[test]
    fn a_file_of_a_run_folder_says_whether_there_are_any() {
        let kept = |experiment: &Experiment| experiment.what_ran.file(None).unwrap().text;
        let again = |text: &str| Experiment::parse(Path::new("experiment.toml"), text, &[], &[]).unwrap();
        let text = kept(&experiment("", MANY, ""));
        assert!(text.contains("\nprice_range = true\n"), "{text}");
        assert!(again(&text).price_range);
        assert!(!again(&kept(&experiment("price_range = false", MANY, ""))).price_range);
        assert!(kept(&experiment("", "threads = [1, 2]", "")).contains("price_range = false"));
    }
}
