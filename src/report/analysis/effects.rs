//! Effects of the switches of factorial designs: the mean of the logarithms of all runs with it on, minus those with it
//! off, position by position and seed by seed. Only what every run of the design has measured takes part, so that the
//! other switches balance.

use std::collections::{BTreeMap, BTreeSet};

use crate::distinct::found_or_added;
use crate::record::{AXES, Axis, Configuration, Description, Factorial};
use crate::statistics::{Contrast, Design, Interval, Test};

use super::cut::{self, Beyond, Bounded, Figures, by_class};
use super::grouping::{Gathered, Gathering, in_common};
use super::labels;
use super::logs::log_nodes;
use super::pairing::pairing;
use super::scope::Holds;
use super::{Effect, conditions};

/// Effects of all designs.
pub(super) fn effects(
    description: &Description,
    gathering: &Gathering<'_>,
    holds: Holds,
    left_out: &mut BTreeSet<usize>,
) -> Vec<Effect> {
    let mut effects: Vec<Effect> = Vec::new();
    for design in &description.factorials {
        let mut settings = settings(design, gathering);
        settings.iter_mut().for_each(|setting| setting.restrict(left_out));
        for setting in &settings {
            effects.extend(effects_in(design, setting, &setting.name(&settings), holds));
        }
    }
    effects
}

/// Design as it was measured once: all its runs with everything else the same.
struct Setting<'a> {
    /// Configuration of all runs, with the field of the design empty.
    rest: Configuration,
    /// Group of each run.
    runs: Vec<Option<Gathered<'a>>>,
}

/// Settings of a design, which may have been measured with several numbers of processors, on several machines.
fn settings<'a>(design: &Factorial, gathering: &Gathering<'a>) -> Vec<Setting<'a>> {
    let mut settings: Vec<Setting<'a>> = Vec::new();
    let to_depth = gathering.groups.iter().filter(|group| group.has_common_depth());
    for group in to_depth {
        let value = design.value(group.configuration);
        let Some(run) = design.runs.iter().position(|(name, _)| *name == value) else { continue };
        let rest = design.rest(group.configuration);
        let new = || Setting { rest: rest.clone(), runs: design.runs.iter().map(|_| None).collect() };
        found_or_added(&mut settings, |setting| setting.rest == rest, new).runs[run] = Some(group.clone());
    }
    settings
}

impl<'a> Setting<'a> {
    /// Keeps the positions that all runs of the design have.
    fn restrict(&mut self, left_out: &mut BTreeSet<usize>) {
        let groups: Vec<&Gathered<'_>> = self.runs.iter().flatten().collect();
        // Before every run has begun there is nothing to leave out.
        if groups.len() == self.runs.len() {
            let common = in_common(&groups, left_out);
            self.runs.iter_mut().flatten().for_each(|group| *group = group.at(&common));
        }
    }

    /// Name of the machine, and what else tells this setting from others on equally many processors.
    fn name(&self, all: &[Self]) -> String {
        let rivals = all
            .iter()
            .filter(|other| other.rest.threads == self.rest.threads && other.rest.machine == self.rest.machine);
        let rivals: Vec<&Configuration> = rivals.map(|other| &other.rest).collect();
        let varies = |axis: &&Axis| rivals.iter().any(|other| axis.differs(other, &self.rest));
        let others = AXES.iter().filter(varies);
        let words =
            others.map(|axis| labels::in_words(axis, &self.rest, &BTreeMap::new())).filter(|words| !words.is_empty());
        [self.rest.machine.name().to_owned()].into_iter().chain(words).collect::<Vec<_>>().join(", ")
    }

    /// Means of logarithms by run of the design, position and seed class, in the same order everywhere.
    fn responses(&self, of: impl Fn(&Gathered<'_>, usize) -> Figures) -> Vec<Vec<Vec<Option<f64>>>> {
        let positions = self.runs.iter().flatten().map(|group| group.runs.len()).max().unwrap_or_default();
        let at = |group: &Option<Gathered<'_>>, place| {
            group.as_ref().map_or_else(BTreeMap::new, |group| by_class(of(group, place)))
        };
        let figures: Vec<Vec<BTreeMap<u64, f64>>> =
            self.runs.iter().map(|group| (0..positions).map(|place| at(group, place)).collect()).collect();
        let classes = |place: usize| figures.iter().flat_map(move |run| run[place].keys().copied()).collect();
        let classes: Vec<BTreeSet<u64>> = (0..positions).map(classes).collect();
        let aligned = |(run, classes): (&BTreeMap<u64, f64>, &BTreeSet<u64>)| -> Vec<Option<f64>> {
            classes.iter().map(|class| run.get(class).copied()).collect()
        };
        figures.iter().map(|run| run.iter().zip(&classes).map(aligned).collect()).collect()
    }

    /// Effects of the switches on times, and on nodes.
    fn effects(&self, design: &Design) -> [Vec<Option<Contrast>>; 2] {
        let nodes = |group: &Gathered<'_>, place: usize| -> Figures {
            let runs = group.runs[place].iter();
            runs.filter_map(|&run| Some((pairing(run), (run.record.cell.seed_class(), log_nodes(run)?)))).collect()
        };
        [design.effects(&self.responses(cut::logs)), design.effects(&self.responses(nodes))]
    }

    /// The quiet runs alone, if without them a claim would rest on too many disturbed ones.
    fn quiet(&self) -> Option<Self> {
        let is_doubtful = self.runs.iter().flatten().any(conditions::is_doubtful);
        let runs = self.runs.iter().map(|group| group.as_ref().map(Gathered::quiet)).collect();
        is_doubtful.then(|| Self { rest: self.rest.clone(), runs })
    }

    /// Side on which the truth of the effect of a switch lies, where searches were cut off; nothing if it says nothing.
    fn side(&self, design: &Factorial, factor: usize) -> Option<Option<Beyond>> {
        let is_cut = |is_on: bool| {
            let of_level = design.runs.iter().zip(&self.runs).filter(|((_, levels), _)| levels[factor] == is_on);
            of_level.filter_map(|(_, group)| group.as_ref()).any(Gathered::is_cut)
        };
        cut::side(is_cut(false), is_cut(true))
    }
}

fn effects_in(factorial: &Factorial, setting: &Setting<'_>, name: &str, holds: Holds) -> Vec<Effect> {
    let levels: Vec<Vec<bool>> = factorial.runs.iter().map(|(_, levels)| levels.clone()).collect();
    // Switches that do not balance have no effects of their own.
    let Some(design) = Design::from_levels(&levels) else { return Vec::new() };
    let [times, nodes] = setting.effects(&design);
    let quiet = setting.quiet().map(|quiet| quiet.effects(&design));
    // As for every test, both must agree where too few records are quiet.
    let p_value = |all: &Contrast, figure: usize, factor: usize| match &quiet {
        Some(quiet) => conditions::p_value_of_both(all, quiet[figure][factor].as_ref(), holds),
        None => holds.p_value(all),
    };
    let is_cut = setting.runs.iter().flatten().any(Gathered::is_cut);
    let pair = |(a, b): (usize, usize)| Some(format!("{} x {}", factorial.factors.get(a)?, factorial.factors.get(b)?));
    let effect = |(factor, (time, nodes)): (usize, (Option<Contrast>, Option<Contrast>))| {
        let (time, nodes) = (Bounded { contrast: time?, side: setting.side(factorial, factor)? }, nodes?);
        Some(Effect {
            factor: factorial.factors.get(factor)?.clone(),
            threads: setting.rest.threads,
            machine: setting.rest.machine,
            setting: name.to_owned(),
            time: time.ratio(holds),
            nodes: if is_cut { Interval::unknown(f64::NAN) } else { holds.ratio(&nodes) },
            time_test: time.p_value(p_value(&time.contrast, 0, factor)).map(Test::of),
            nodes_test: p_value(&nodes, 1, factor).filter(|_| !is_cut).map(Test::of),
            aliases: design.aliases(factor).into_iter().filter_map(pair).collect(),
        })
    };
    times.into_iter().zip(nodes).enumerate().filter_map(effect).collect()
}
