//! Counterparts among the configurations of two folders: those that are equal but for the fields that are ignored.
//! Where that leaves several to choose from nothing is chosen.

use std::collections::{BTreeMap, HashMap};

use crate::distinct::distinct;
use crate::record::{Configuration, MachineKind};
use crate::report::analysis::grouping::Gathering;
use crate::report::analysis::labels::{labels, with_programs};

use super::{Alone, CompareError, Side, letter};

/// Number of differing fields up to which a hint is given.
const MOST_FIELDS_IN_HINT: usize = 3;

/// The labels of all groups of each folder: what distinguishes them among all on the same kind of machine.
pub(super) fn all_labels(sides: &[Side], gatherings: &[Gathering<'_>], ignored: &[String]) -> Vec<Vec<String>> {
    let axes = distinct(sides.iter().flat_map(|side| side.description.axes.iter().cloned()));
    let names = names(sides);
    let hidden: Vec<&str> = ignored.iter().map(String::as_str).collect();
    let mut all: Vec<Vec<String>> =
        gatherings.iter().map(|gathering| vec![String::new(); gathering.groups.len()]).collect();
    for &machine in MachineKind::ALL {
        let groups = gatherings.iter().map(|gathering| &gathering.groups);
        let of_machine = groups.flatten().map(|group| group.configuration).filter(|one| one.machine == machine);
        let mut found = labels(&of_machine.collect::<Vec<_>>(), &axes, &names, &hidden).into_iter();
        for (labels, gathering) in all.iter_mut().zip(gatherings) {
            for (label, group) in labels.iter_mut().zip(&gathering.groups) {
                if group.configuration.machine == machine {
                    *label = found.next().unwrap_or_default();
                }
            }
        }
    }
    all
}

/// The names that experiments give to strategies and features. One that stands for two things is no name here.
fn names(sides: &[Side]) -> BTreeMap<String, String> {
    let all: Vec<_> = sides.iter().map(|side| with_programs(side.description.names.clone(), &side.records)).collect();
    let all = || all.iter().flatten();
    let is_clear =
        |(name, meaning): &(&String, &String)| all().all(|(other, known)| other != *name || known == *meaning);
    all().filter(is_clear).map(|(name, meaning)| (name.clone(), meaning.clone())).collect()
}

/// Configuration without the fields that are ignored: configurations with the same key count as equal.
pub(super) fn key(configuration: &Configuration, ignored: &[String]) -> Configuration {
    ignored.iter().fold(configuration.clone(), |rest, field| rest.without(field))
}

/// The groups of a folder by key. Fails if two have the same.
pub(super) fn by_key(
    folder: usize,
    gathering: &Gathering<'_>,
    labels: &[String],
    ignored: &[String],
) -> Result<HashMap<Configuration, usize>, CompareError> {
    let mut found: HashMap<Configuration, Vec<usize>> = HashMap::new();
    for (place, group) in gathering.groups.iter().enumerate() {
        found.entry(key(group.configuration, ignored)).or_default().push(place);
    }
    if let Some(alike) = found.values().filter(|places| places.len() > 1).min() {
        let configuration = gathering.groups[alike[0]].configuration;
        return Err(CompareError::Ambiguous {
            folder: letter(folder),
            ignored: ignored.join(", "),
            count: alike.len(),
            label: labels[alike[0]].clone(),
            threads: configuration.threads,
            machine: configuration.machine.name(),
        });
    }
    Ok(found.into_iter().map(|(key, places)| (key, places[0])).collect())
}

/// The fields that would have to be ignored for some of what stands alone to find its counterpart: the fewest that
/// there are.
pub(super) fn fields_to_try(alone: &[Alone]) -> Option<Vec<&'static str>> {
    let mut fewest: Option<Vec<&str>> = None;
    let of_first = alone.iter().filter(|one| one.folder == 0 && !one.lacks_positions);
    for ours in of_first {
        for theirs in alone.iter().filter(|one| one.folder == ours.missing_in) {
            let (ours, theirs) = (&ours.configuration, &theirs.configuration);
            let differing: Vec<&str> =
                Configuration::FIELDS.into_iter().filter(|field| ours.field(field) != theirs.field(field)).collect();
            let is_fewer = fewest.as_ref().is_none_or(|fewest| differing.len() < fewest.len());
            let is_comparable = !differing.contains(&"machine") && !differing.contains(&"threads");
            if is_fewer && is_comparable && differing.len() <= MOST_FIELDS_IN_HINT {
                fewest = Some(differing);
            }
        }
    }
    fewest
}
