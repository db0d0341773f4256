//! Labels of groups, and which groups are one curve. A label says only what distinguishes a group in this experiment.

use std::collections::{BTreeMap, BTreeSet};

use crate::distinct::found_or_added;
use crate::record::{Configuration, Depth, MachineKind, Record, SEQUENTIAL, Word, written};

use super::Curve;
use super::grouping::Gathering;

/// Names that an experiment gives, and what they stand for.
pub(crate) type Names = BTreeMap<String, String>;

/// The names of an experiment, with those that engines from outside give themselves. One that several have is no name.
pub(crate) fn with_programs(mut names: Names, records: &[Record]) -> Names {
    let told = |record: &'_ Record| {
        let program = record.measured()?.program.clone().filter(|program| !program.is_empty())?;
        Some((program, record.cell.configuration.engine.clone()?))
    };
    let all: BTreeSet<(Word, String)> = records.iter().filter_map(told).collect();
    for (program, engine) in &all {
        if all.iter().filter(|(other, _)| other == program).count() == 1 {
            names.entry(program.to_string()).or_insert_with(|| engine.clone());
        }
    }
    names
}

/// Fields that are never in a label: the number of processors is an axis of every chart, and the machine has a column
/// of its own.
const APART: [&str; 2] = ["threads", "machine"];

/// Fields that are hashes of definitions.
const HASHES: [&str; 2] = ["costs_hash", "engine_hash"];

/// Configuration that all groups of a curve have but for the number of processors. Two of them stand for any number but
/// one.
pub(super) fn curve_of(configuration: &Configuration) -> Configuration {
    Configuration { threads: 2, ..configuration.clone() }
}

/// Labels that distinguish these configurations, the axes first. What is hidden is in no label.
pub(crate) fn labels(
    configurations: &[&Configuration],
    axes: &[String],
    names: &Names,
    hidden: &[&str],
) -> Vec<String> {
    let varying = |field: &&str| !APART.contains(field) && !hidden.contains(field) && varies(field, configurations);
    let is_hash = |field: &&str| HASHES.contains(field);
    let mut fields: Vec<&str> = axes.iter().map(String::as_str).filter(varying).filter(|it| !is_hash(it)).collect();
    let mut labels = labels_by(&fields, configurations, names);
    // Something may vary that is no axis. It is named only if labels would be the same without it; a hash, which tells
    // a reader nothing, only if nothing else tells them apart.
    let mut others: Vec<&str> =
        Configuration::FIELDS.into_iter().filter(varying).filter(|it| !fields.contains(it)).collect();
    others.sort_by_key(is_hash);
    for field in others {
        let more = labels_by(&[fields.as_slice(), &[field]].concat(), configurations, names);
        if mistakable(&more, configurations) < mistakable(&labels, configurations) {
            fields.push(field);
            labels = more;
        }
    }
    labels
}

fn labels_by(fields: &[&str], configurations: &[&Configuration], names: &Names) -> Vec<String> {
    let label = |configuration: &&Configuration| {
        let words = fields.iter().map(|field| in_words(field, configuration, names)).filter(|words| !words.is_empty());
        let mut words: Vec<String> = words.collect();
        if !fields.contains(&"strategy") {
            words.insert(0, in_words("strategy", configuration, names));
        }
        words.join(", ")
    };
    configurations.iter().map(label).collect()
}

/// Number of pairs of different curves of the same machine that have the same label.
fn mistakable(labels: &[String], configurations: &[&Configuration]) -> usize {
    let curves: Vec<Configuration> = configurations.iter().map(|configuration| curve_of(configuration)).collect();
    let pairs = (0..labels.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
    let is_same_machine = |a: usize, b: usize| configurations[a].machine == configurations[b].machine;
    pairs.filter(|&(a, b)| labels[a] == labels[b] && curves[a] != curves[b] && is_same_machine(a, b)).count()
}

/// Whether a field tells groups apart. That the baseline has another strategy, and no way to wait, is known without
/// saying; but where there is a strategy to be named it is.
fn varies(field: &str, configurations: &[&Configuration]) -> bool {
    let differ = |accept: &dyn Fn(&Configuration) -> bool| {
        // What one kind of machine has and the other has not tells nobody apart.
        MachineKind::ALL.iter().any(|machine| {
            let of_machine = configurations.iter().filter(|c| c.machine == *machine && accept(c));
            let mut values = of_machine.map(|c| c.field(field));
            values.next().is_some_and(|first| values.any(|value| value != first))
        })
    };
    match field {
        "strategy" => differ(&|_| true),
        _ => differ(&Configuration::is_baseline) || differ(&|c| !c.is_baseline()),
    }
}

/// Strategy, features or costs by the experiment's own name, or by the name that leaves least to be said, with what
/// then differs.
pub(super) fn shortest(value: String, names: &Names) -> String {
    if let Some((name, _)) = names.iter().find(|(_, meaning)| **meaning == value) {
        return name.clone();
    }
    let by_name = |(name, meaning): (&String, &String)| {
        // A change of nothing but words after the first is one; else it is the whole value again.
        let changed = written::between(meaning, &value);
        (changed != value).then(|| format!("{name},{changed}"))
    };
    let named = names.iter().filter_map(by_name).min_by_key(String::len);
    named.filter(|named| named.len() < value.len()).unwrap_or(value)
}

/// Value of a field as it stands in a label: a bare number says too little.
pub(crate) fn in_words(field: &str, configuration: &Configuration, names: &Names) -> String {
    match field {
        // On several processors the strategy of an engine from outside has its name.
        "engine" if !configuration.is_baseline() => String::new(),
        "strategy" if configuration.is_outside() && configuration.is_baseline() => "one thread".to_owned(),
        // What it calls itself, if records tell.
        "strategy" | "engine" if configuration.is_outside() => {
            let value = configuration.in_words(field);
            names.iter().find(|(_, meaning)| **meaning == value).map_or(value, |(name, _)| name.clone())
        }
        "strategy" | "features" => shortest(configuration.field(field), names),
        "costs" => shortest(configuration.in_words(field), names),
        field => configuration.in_words(field),
    }
}

/// Labels without the parts that all of them share; one of nothing but these keeps them.
pub(crate) fn apart(labels: &[&str]) -> Vec<String> {
    let parts: Vec<Vec<&str>> = labels.iter().map(|label| label.split(", ").collect()).collect();
    let is_shared = |part: &str| parts.iter().all(|other| other.contains(&part));
    let own = |(parts, label): (&Vec<&str>, &&str)| {
        let own: Vec<&str> = parts.iter().copied().filter(|part| !is_shared(part)).collect();
        if own.is_empty() { (*label).to_owned() } else { own.join(", ") }
    };
    parts.iter().zip(labels).map(own).collect()
}

/// A problem in words: `modern, depth 13`.
pub(crate) fn of_problem(configuration: &Configuration) -> String {
    let mut words: Vec<String> = ["features", "engine", "depth", "nodes", "time_s", "disturb", "costs"]
        .into_iter()
        .filter(|field| *field != "disturb" || !configuration.disturb.is_none())
        .filter(|field| *field != "depth" || configuration.depth != Depth::Unlimited)
        .map(|field| configuration.in_words(field))
        .collect();
    words.retain(|words| !words.is_empty());
    words.join(", ")
}

/// Curves: groups that differ in the number of processors only, each with its baseline. A baseline that nothing is
/// divided by is a curve for itself.
pub(super) fn curves(gathering: &Gathering<'_>, labels: &[String]) -> Vec<Curve> {
    let configurations: Vec<&Configuration> = gathering.groups.iter().map(|group| group.configuration).collect();
    let (baselines, others): (Vec<usize>, Vec<usize>) =
        (0..configurations.len()).partition(|&group| configurations[group].is_baseline());
    let mut curves: Vec<(Configuration, Vec<usize>)> = Vec::new();
    for group in others {
        let key = curve_of(configurations[group]);
        let baseline = || gathering.find(&configurations[group].baseline()).into_iter().collect();
        found_or_added(&mut curves, |(known, _)| *known == key, || (key.clone(), baseline())).1.push(group);
    }
    let mut groups: Vec<Vec<usize>> = curves.into_iter().map(|(_, groups)| groups).collect();
    let is_used = |baseline: &usize| groups.iter().any(|groups| groups.contains(baseline));
    let unused: Vec<usize> = baselines.into_iter().filter(|baseline| !is_used(baseline)).collect();
    groups.extend(unused.into_iter().map(|baseline| vec![baseline]));
    let curve = |mut groups: Vec<usize>| {
        // All but a baseline have the label of the curve.
        let label = labels[groups[groups.len() - 1]].clone();
        groups.sort_by_key(|&group| (configurations[group].threads, configurations[group].strategy != SEQUENTIAL));
        Curve { label, groups }
    };
    groups.into_iter().map(curve).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_the_experiment_goes_before_what_it_names() {
        let names = Names::from([("prices of 2004".to_owned(), "e15k".to_owned())]);
        assert_eq!(shortest("e15k".to_owned(), &names), "prices of 2004");
        assert_eq!(shortest("e15k,bus_line=20".to_owned(), &names), "e15k,bus_line=20", "a longer one says no more");
    }

    #[test]
    fn labels_lose_what_all_of_them_say() {
        let labels = ["ybwc, bitboards, copy trimmed, reference", "lazy, bitboards, copy trimmed, e15k"];
        assert_eq!(apart(&labels), ["ybwc, reference", "lazy, e15k"]);
        assert_eq!(apart(&labels[..1]), labels[..1]);
        assert_eq!(apart(&["a", "a, b"]), ["a", "b"]);
    }
}
