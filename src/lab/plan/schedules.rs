//! Baselines of strategies that leave out iterations. That a search reaches its depth without all the iterations before
//! it is no parallelism: one processor may leave them out too. So such strategies have a baseline for each schedule of
//! iterations that the experiment declares, beside their ordinary one.

use std::collections::HashMap;

use crate::parallel::AnyStrategy;
use crate::record::{Configuration, Depth, Schedule};
use crate::search::Strategy;
use crate::search::features::Recipe;

/// Schedules of a plan, as its configurations come to be known.
#[derive(Default)]
pub struct Schedules(Vec<Schedule>);

impl Schedules {
    /// Takes in a configuration of the plan, whose strategy is compared with one processor under these schedules if it
    /// leaves out iterations. Returns the baselines for it beside the ordinary one.
    pub fn add(&mut self, configuration: &Configuration, steps: &[u32]) -> Vec<Configuration> {
        let is_meant = !steps.is_empty() && leaves_out_iterations(configuration);
        let Some(recipe) = is_meant.then(|| recipe(configuration)).flatten() else { return Vec::new() };
        let usual = configuration.baseline();
        let own = recipe.deepening_step();
        let mut others: Vec<u32> = steps.iter().copied().filter(|step| *step != own).collect();
        others.sort_unstable();
        others.dedup();
        if others.is_empty() {
            return Vec::new();
        }
        self.put(own, &usual, configuration);
        let with = |step: u32| {
            let alone = with_step(&usual, recipe, step);
            self.put(step, &alone, configuration);
            alone
        };
        others.into_iter().map(with).collect()
    }

    fn put(&mut self, step: u32, alone: &Configuration, of: &Configuration) {
        match self.0.iter_mut().find(|one| one.alone == *alone) {
            Some(known) => known.of.push(of.clone()),
            None => self.0.push(Schedule { step, alone: alone.clone(), of: vec![of.clone()] }),
        }
    }

    /// All of them, for the description of the experiment.
    pub fn into_all(self) -> Vec<Schedule> {
        self.0
    }
}

/// Configurations of one processor, each with the one that stands for it and for all that are compared with the same
/// searches.
pub fn representatives(schedules: &[Schedule]) -> HashMap<Configuration, Configuration> {
    let pair = |one: &Schedule| Some((one.alone.clone(), with_step(&one.alone, recipe(&one.alone)?, 1)));
    schedules.iter().filter_map(pair).collect()
}

fn recipe(configuration: &Configuration) -> Option<Recipe> {
    configuration.features.parse().ok()
}

fn with_step(configuration: &Configuration, recipe: Recipe, step: u32) -> Configuration {
    Configuration { features: recipe.with_deepening_step(step).to_string().into(), ..configuration.clone() }
}

/// Whether the strategy leaves out iterations, and its time to a depth is compared with that of one processor.
fn leaves_out_iterations(configuration: &Configuration) -> bool {
    let has_time_to_depth = configuration.depth != Depth::Unlimited && !configuration.is_limited();
    let strategy = || configuration.strategy.parse::<AnyStrategy>();
    let is_ours = !configuration.is_outside() && configuration.micro.is_none();
    is_ours && has_time_to_depth && strategy().is_ok_and(|it| it.leaves_out_iterations(configuration.threads as usize))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::{Experiment, Plan, Shard};

    /// File of searches of two positions to depth 3 with these axes and other keys.
    fn file(axes: &str, more: &str) -> String {
        format!("positions.ids = [\"BK03\", \"BK09\"]\n{more}\n[axes]\ndepth = 3\n{axes}")
    }

    fn experiment(text: &str) -> Result<Experiment, String> {
        Experiment::parse(Path::new("x.toml"), text, &[], &[]).map_err(|error| error.to_string())
    }

    fn plan(axes: &str, more: &str) -> Plan {
        let text = file(axes, &format!("baseline = 2\n{more}"));
        Plan::of(&experiment(&text).unwrap(), "splitpoint run x.toml").unwrap()
    }

    /// Features of the baselines at the first position, with their seeds.
    fn baselines(plan: &Plan) -> Vec<String> {
        let of_first = plan.cells.iter().filter(|cell| cell.configuration.is_baseline() && &*cell.position == "BK03");
        of_first.map(|cell| format!("{} {}", cell.configuration.features, cell.seed)).collect()
    }

    const LAZY: &str = "features = \"modern\"\nstrategy = \"lazy\"\nthreads = [1, 2]";

    #[test]
    fn who_leaves_out_iterations_has_a_baseline_that_does_so_too() {
        let of = |axes: &str| baselines(&plan(&format!("features = \"modern\"\n{axes}"), ""));
        let usual = ["modern 0", "modern 1"];
        let both = [&usual[..], &["modern,+deepening-step=2 0", "modern,+deepening-step=2 1"]].concat();
        assert_eq!(of("strategy = \"teams\"\nthreads = 16"), both);
        assert_eq!(of("strategy = \"lazy\"\nthreads = [1, 2]"), both);
        assert_eq!(of("strategy = [\"ybwc\", \"lazy\"]\nthreads = 2"), both);
        assert_eq!(of("strategy = \"ybwc\"\nthreads = 64"), usual);
        assert_eq!(of("strategy = \"teams\"\nthreads = 8"), usual, "one team leaves out nothing");
        assert_eq!(of("strategy = \"lazy\"\nthreads = 2\nnodes = 1000"), usual, "there is no time to the depth");
        assert_eq!(baselines(&plan(LAZY, "schedules = 1")), usual);
        let third = ["modern,+deepening-step=3 0", "modern,+deepening-step=3 1"];
        assert_eq!(baselines(&plan(LAZY, "schedules = [3, 1, 3]")), [&usual[..], &third].concat());
    }

    #[test]
    fn the_ordinary_baseline_may_have_any_schedule() {
        let plan = plan(&LAZY.replace("modern", "modern,deepening-step=2"), "");
        assert_eq!(baselines(&plan)[1..3], ["modern,+deepening-step=2 1", "modern 0"]);
        let schedules: Vec<(u32, &str)> =
            plan.description.schedules.iter().map(|one| (one.step, one.alone.features.as_str())).collect();
        assert_eq!(schedules, [(2, "modern,+deepening-step=2"), (1, "modern")]);
        assert!(plan.description.schedules.iter().all(|one| one.of.len() == 1 && one.of[0].strategy == "lazy"));
    }

    #[test]
    fn an_added_baseline_is_no_axis() {
        assert_eq!(plan(LAZY, "").description.axes, ["threads"]);
        let asked = LAZY.replace("\"modern\"", "[\"modern\", \"modern,deepening-step=2\"]");
        assert_eq!(plan(&asked, "").description.axes, ["threads", "features"]);
    }

    #[test]
    fn a_shard_has_all_baselines_of_its_positions() {
        let plan = plan(LAZY, "");
        for number in 1..=2 {
            let part = plan.part(Some(Shard { number, of: 2 }));
            assert_eq!(part.len(), 5, "{part:?}");
            assert!(part.iter().all(|(_, cell)| cell.position == part[0].1.position));
        }
    }

    #[test]
    fn a_file_of_a_run_folder_says_its_schedules() {
        let kept = experiment(&file(LAZY, "")).unwrap().what_ran.file(None).unwrap().text;
        assert!(kept.contains("\nschedules = [1, 2]\n"), "{kept}");
        assert_eq!(experiment(&kept).unwrap().schedules, [1, 2]);
    }

    #[test]
    fn schedules_without_baselines_are_refused() {
        let error = experiment(&file(LAZY, "baseline = \"none\"\nschedules = [1, 2]")).unwrap_err();
        assert!(error.contains("key 'schedules'") && error.contains("change baseline = \"none\""), "{error}");
    }
}
