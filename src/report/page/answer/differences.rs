//! Sentences on values that differ from the experiment's reference, and on switches that have an effect, after Holm's
//! correction. Where no difference is shown, no more than that is said.

use super::{is_shown, p_in_words, processors};
use crate::distinct::distinct;
use crate::record::MachineKind;
use crate::report::analysis::{Analysis, Comparison, Effect};
use crate::statistics::Interval;
use crate::table::number::{counted, estimate, listed, range};

/// Number of differences beyond which only the strongest are spoken of; the tables have the others.
const SPOKEN_OF: usize = 4;

/// Sentences on the comparisons on this machine.
pub(super) fn comparisons(analysis: &Analysis, machine: MachineKind) -> Vec<String> {
    let of_machine = |one: &&Comparison| analysis.groups[one.group].configuration.machine == machine;
    let compared: Vec<&Comparison> = analysis.comparisons.iter().filter(of_machine).collect();
    if compared.is_empty() {
        return Vec::new();
    }
    let mut times: Vec<&Comparison> = compared.iter().copied().filter(|c| is_shown(c.time_p)).collect();
    times.sort_by(|a, b| strength(&b.time).total_cmp(&strength(&a.time)));
    let nodes = compared.iter().filter(|c| is_shown(c.nodes_p)).count();
    let number = counted(compared.len(), "comparison", "comparisons");
    let on = format!("on {} processors", machine.name());
    let of_nodes = match nodes {
        0 => "none is shown to differ in nodes".to_owned(),
        1 => "1 differs in nodes".to_owned(),
        nodes => format!("{nodes} differ in nodes"),
    };
    vec![if times.is_empty() {
        format!(
            "None of {number} with the reference {on} shows a difference in time after Holm's correction, which is no \
             proof that there is none; {of_nodes}."
        )
    } else {
        let strongest: Vec<String> = times.iter().take(SPOKEN_OF).map(|c| in_time(analysis, c)).collect();
        format!(
            "Of {number} with the reference {on}, {} in time after Holm's correction: {}{}; {of_nodes}.",
            if times.len() == 1 { "1 differs".to_owned() } else { format!("{} differ", times.len()) },
            if times.len() > SPOKEN_OF { "most of all " } else { "" },
            listed(&strongest)
        )
    }]
}

fn in_time(analysis: &Analysis, comparison: &Comparison) -> String {
    let threads = analysis.groups[comparison.group].configuration.threads;
    format!(
        "{} on {threads} processor{} (time ratio {}, {}{})",
        difference(analysis, comparison),
        if threads == 1 { "" } else { "s" },
        estimate(&comparison.time),
        range(&comparison.time),
        in_brackets(comparison.time_p)
    )
}

/// What is compared: the value that differs, or the whole configurations if that is shorter, or if the value does not
/// tell comparisons apart.
fn difference(analysis: &Analysis, comparison: &Comparison) -> String {
    let threads = |one: &Comparison| analysis.groups[one.group].configuration.threads;
    let is_alike = |one: &&Comparison| {
        (&one.field, &one.change, &one.from) == (&comparison.field, &comparison.change, &comparison.from)
            && threads(one) == threads(comparison)
    };
    let whole = [comparison.group, comparison.reference].map(|place| analysis.groups[place].label.as_str());
    let values = [&comparison.change, &comparison.from].map(|value| or_empty(value));
    let length = |[new, old]: [&str; 2]| new.chars().count() + old.chars().count();
    if analysis.comparisons.iter().filter(is_alike).count() > 1 || length(values) > length(whole) {
        return format!("{} instead of {}", whole[0], whole[1]);
    }
    format!("{} {} instead of {}", comparison.field, values[0], values[1])
}

/// Sentences on the strongest switch at the largest number of processors of this machine, and on how many have an
/// effect: one for each setting in which the design was measured.
pub(super) fn effects(analysis: &Analysis, machine: MachineKind) -> Vec<String> {
    let of_machine = || analysis.effects.iter().filter(move |effect| effect.machine == machine);
    let Some(most) = of_machine().map(|effect| effect.threads).max() else { return Vec::new() };
    let settings = distinct(of_machine().filter(|effect| effect.threads == most).map(|effect| effect.setting.as_str()));
    let sentence = |setting: &&str| {
        let measured: Vec<&Effect> =
            of_machine().filter(|effect| effect.threads == most && effect.setting == **setting).collect();
        let on = match settings.len() {
            1 => processors(most, machine),
            _ => format!("{} ({setting})", processors(most, machine)),
        };
        strongest(&measured, &on)
    };
    settings.iter().take(SPOKEN_OF).map(sentence).collect()
}

/// Sentence on the strongest of the switches that were measured on these processors.
fn strongest(measured: &[&Effect], on: &str) -> String {
    let mut shown: Vec<&Effect> = measured.iter().copied().filter(|effect| is_shown(effect.time_p)).collect();
    shown.sort_by(|a, b| strength(&b.time).total_cmp(&strength(&a.time)));
    let switches = counted(measured.len(), "switch", "switches");
    let Some(strongest) = shown.first() else {
        return format!(
            "On {on}, none of {switches} shows an effect on time after Holm's correction, which is no proof that there \
             is none."
        );
    };
    let aliases = match strongest.aliases.as_slice() {
        [] => String::new(),
        aliases => format!("; the design confounds it with the interaction {}", aliases.join(" or ")),
    };
    format!(
        "On {on}, {} of {switches} {} an effect on time after Holm's correction; the strongest is {}: switched on, it \
         multiplies the time by {} ({}{}){aliases}.",
        shown.len(),
        if shown.len() == 1 { "shows" } else { "show" },
        strongest.factor,
        estimate(&strongest.time),
        range(&strongest.time),
        in_brackets(strongest.time_p)
    )
}

/// Distance of a ratio from one, either way.
fn strength(ratio: &Interval) -> f64 {
    let strength = ratio.estimate.ln().abs();
    if strength.is_nan() { 0.0 } else { strength }
}

fn in_brackets(p: Option<f64>) -> String {
    p.map(|p| format!(", {}", p_in_words(p))).unwrap_or_default()
}

fn or_empty(value: &str) -> &str {
    if value.is_empty() { "(none)" } else { value }
}
