//! What each switch of a factorial design does: the mean of the logarithms of all runs with it on, minus those with it off,
//! position by position and seed by seed. Only what every run of the design has measured takes part, so that the other
//! switches balance.

use std::collections::BTreeSet;

use super::stub::{factorial, holm};
use crate::lab::{Configuration, Description, Factorial};
use crate::statistics::Contrast;

use super::Effect;
use super::comparisons::pairing;
use super::grouping::{Gathered, Gathering, Run};
use super::labels;
use super::ratios::{log_nodes, log_time};
use super::scope::Holds;

/// All effects of all designs, with Holm's correction for their number.
pub(super) fn effects(description: &Description, gathering: &Gathering<'_>, holds: Holds) -> Vec<Effect> {
    let mut effects = Vec::new();
    for design in &description.factorials {
        let settings = settings(design, gathering);
        for setting in &settings {
            effects.extend(effects_in(design, setting, &setting.on_what(&settings), holds));
        }
    }
    let adjusted = |p: fn(&Effect) -> Option<f64>| holm(&effects.iter().map(p).collect::<Vec<_>>());
    let (time, nodes) = (adjusted(|effect| effect.time_p), adjusted(|effect| effect.nodes_p));
    for (effect, (time_p, nodes_p)) in effects.iter_mut().zip(time.into_iter().zip(nodes)) {
        (effect.time_p, effect.nodes_p) = (time_p, nodes_p);
    }
    effects
}

/// A design as it was measured once: all its runs with everything else the same.
struct Setting<'a, 'g> {
    /// All that is the same, and the design's field empty.
    rest: Configuration,
    /// The group of each run.
    runs: Vec<Option<&'g Gathered<'a>>>,
}

/// A design may have been measured with several numbers of processors, on several machines.
fn settings<'a, 'g>(design: &Factorial, gathering: &'g Gathering<'a>) -> Vec<Setting<'a, 'g>> {
    let mut settings: Vec<Setting<'a, 'g>> = Vec::new();
    for group in &gathering.groups {
        let value = group.configuration.field(&design.field);
        let Some(run) = design.runs.iter().position(|(name, _)| *name == value) else { continue };
        let rest = without(&design.field, group.configuration);
        let at = settings.iter().position(|setting| setting.rest == rest).unwrap_or_else(|| {
            settings.push(Setting { rest, runs: vec![None; design.runs.len()] });
            settings.len() - 1
        });
        settings[at].runs[run] = Some(group);
    }
    settings
}

fn without(field: &str, configuration: &Configuration) -> Configuration {
    let mut rest = configuration.clone();
    match field {
        "strategy" => rest.strategy.clear(),
        "features" => rest.features.clear(),
        // A design differs in one of these two; others stay as they are, and its runs are then never together.
        _ => {}
    }
    rest
}

impl Setting<'_, '_> {
    /// The machine, and what else tells this setting from others on equally many processors.
    fn on_what(&self, all: &[Self]) -> String {
        let rivals = all
            .iter()
            .filter(|other| other.rest.threads == self.rest.threads && other.rest.machine == self.rest.machine);
        let rivals: Vec<&Configuration> = rivals.map(|other| &other.rest).collect();
        let varies = |field: &&str| rivals.iter().any(|other| other.field(field) != self.rest.field(field));
        let others = Configuration::FIELDS.into_iter().filter(varies);
        let words = others.map(|field| labels::in_words(field, &self.rest)).filter(|words| !words.is_empty());
        [self.rest.machine.name().to_owned()].into_iter().chain(words).collect::<Vec<_>>().join(", ")
    }

    /// A figure in logarithms: by run of the design, position, and what all runs have there, in the same order.
    fn responses(&self, figure: impl Fn(Run<'_>) -> Option<f64>) -> Option<Vec<Vec<Vec<f64>>>> {
        let groups: Vec<&Gathered<'_>> = self.runs.iter().copied().collect::<Option<_>>()?;
        let mut responses = vec![Vec::new(); groups.len()];
        for place in 0..groups.first()?.runs.len() {
            let measured = |group: &&Gathered<'_>| -> Vec<((u64, u32), f64)> {
                group.runs[place].iter().filter_map(|&run| Some((pairing(run), figure(run)?))).collect()
            };
            let measured: Vec<_> = groups.iter().map(measured).collect();
            let keys = measured.iter().map(|runs| runs.iter().map(|(key, _)| *key).collect::<BTreeSet<_>>());
            let common = keys.reduce(|a, b| a.intersection(&b).copied().collect())?;
            for (response, runs) in responses.iter_mut().zip(&measured) {
                let of = |key| runs.iter().find(|(known, _)| known == key).map(|&(_, value)| value);
                response.push(common.iter().filter_map(of).collect());
            }
        }
        Some(responses)
    }
}

fn effects_in(design: &Factorial, setting: &Setting<'_, '_>, machine: &str, holds: Holds) -> Vec<Effect> {
    let levels: Vec<Vec<bool>> = design.runs.iter().map(|(_, levels)| levels.clone()).collect();
    let contrasts = |figure: fn(Run<'_>) -> Option<f64>| {
        setting.responses(figure).map(|responses| factorial::effects(&levels, &responses)).unwrap_or_default()
    };
    let both = contrasts(log_time).into_iter().zip(contrasts(log_nodes));
    let effect = |(factor, (time, nodes)): (usize, (Option<Contrast>, Option<Contrast>))| {
        let (time, nodes) = (time?, nodes?);
        Some(Effect {
            factor: design.factors.get(factor)?.clone(),
            threads: setting.rest.threads,
            machine: machine.to_owned(),
            time: holds.ratio(&time),
            nodes: holds.ratio(&nodes),
            time_p: holds.p_value(&time),
            nodes_p: holds.p_value(&nodes),
            aliases: aliases(design, factor),
        })
    };
    both.enumerate().filter_map(effect).collect()
}

/// Pairs of switches that are, in every run of the design, both on or both off exactly when this one is on (or off).
fn aliases(design: &Factorial, factor: usize) -> Vec<String> {
    let count = design.factors.len();
    let pairs = (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b)));
    let is_alias = |&(a, b): &(usize, usize)| {
        let mut agreements = design.runs.iter().map(|(_, on)| (on[a] == on[b]) == on[factor]);
        let first = agreements.next();
        a != factor && b != factor && first.is_some_and(|first| agreements.all(|agreement| agreement == first))
    };
    pairs.filter(is_alias).map(|(a, b)| format!("{} x {}", design.factors[a], design.factors[b])).collect()
}
