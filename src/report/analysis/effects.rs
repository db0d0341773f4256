//! Effects of the switches of factorial designs: the mean of the logarithms of all runs with it on, minus those with it
//! off, position by position and seed by seed. Only what every run of the design has measured takes part, so that the
//! other switches balance.

use std::collections::{BTreeMap, BTreeSet};

use crate::distinct::found_or_added;
use crate::record::{Configuration, Description, Factorial};
use crate::statistics::{Contrast, Design};

use super::Effect;
use super::grouping::{Gathered, Gathering, Run, in_common};
use super::labels;
use super::pairing::pairing;
use super::ratios::{log_nodes, log_time};
use super::scope::Holds;

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
        let whole = group.filtered(|_, _| true);
        found_or_added(&mut settings, |setting| setting.rest == rest, new).runs[run] = Some(whole);
    }
    settings
}

impl Setting<'_> {
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
        let varies = |field: &&str| rivals.iter().any(|other| other.field(field) != self.rest.field(field));
        let others = Configuration::FIELDS.into_iter().filter(varies);
        let words =
            others.map(|field| labels::in_words(field, &self.rest, &BTreeMap::new())).filter(|words| !words.is_empty());
        [self.rest.machine.name().to_owned()].into_iter().chain(words).collect::<Vec<_>>().join(", ")
    }

    /// Figures in logarithms by run of the design, position, and what makes runs a pair, in the same order everywhere.
    fn responses(&self, figure: impl Fn(Run<'_>) -> Option<f64>) -> Vec<Vec<Vec<Option<f64>>>> {
        let groups = || self.runs.iter().flatten();
        let positions = groups().map(|group| group.runs.len()).max().unwrap_or_default();
        let pairings = |place: usize| -> BTreeSet<(u64, u32)> {
            groups().flat_map(|group| &group.runs[place]).map(|&run| pairing(run)).collect()
        };
        let pairings: Vec<_> = (0..positions).map(pairings).collect();
        let response = |group: &Option<Gathered<'_>>| {
            let at = |(place, pairings): (usize, &BTreeSet<(u64, u32)>)| {
                let runs = group.as_ref().map(|group| group.runs[place].as_slice()).unwrap_or_default();
                let of = |&wanted| runs.iter().find(|&&run| pairing(run) == wanted).and_then(|&run| figure(run));
                pairings.iter().map(of).collect()
            };
            pairings.iter().enumerate().map(at).collect()
        };
        self.runs.iter().map(response).collect()
    }
}

fn effects_in(factorial: &Factorial, setting: &Setting<'_>, name: &str, holds: Holds) -> Vec<Effect> {
    let levels: Vec<Vec<bool>> = factorial.runs.iter().map(|(_, levels)| levels.clone()).collect();
    // Switches that do not balance have no effects of their own.
    let Some(design) = Design::from_levels(&levels) else { return Vec::new() };
    let contrasts = |figure: fn(Run<'_>) -> Option<f64>| design.effects(&setting.responses(figure));
    let pair = |(a, b): (usize, usize)| Some(format!("{} x {}", factorial.factors.get(a)?, factorial.factors.get(b)?));
    let effect = |(factor, (time, nodes)): (usize, (Option<Contrast>, Option<Contrast>))| {
        let (time, nodes) = (time?, nodes?);
        Some(Effect {
            factor: factorial.factors.get(factor)?.clone(),
            threads: setting.rest.threads,
            machine: setting.rest.machine,
            setting: name.to_owned(),
            time: holds.ratio(&time),
            nodes: holds.ratio(&nodes),
            time_p: holds.p_value(&time),
            nodes_p: holds.p_value(&nodes),
            aliases: design.aliases(factor).into_iter().filter_map(pair).collect(),
        })
    };
    contrasts(log_time).into_iter().zip(contrasts(log_nodes)).enumerate().filter_map(effect).collect()
}
