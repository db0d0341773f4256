//! Counterparts among the configurations of two folders: those that are equal but for the fields that are ignored.
//! Where that leaves several to choose from nothing is chosen.

use crate::analysis::comparisons::differing;
use crate::analysis::grouping::Gathering;
use crate::analysis::labels::{Names, labels, with_programs};
use crate::distinct::distinct;
use crate::record::axes::{DEPTH, MACHINE, THREADS};
use crate::record::{Axis, Configuration, Named};

use super::{Alone, CompareError, Side, letter};

/// Number of differing fields up to which a hint is given.
const MOST_FIELDS_IN_HINT: usize = 3;

/// Labels of all groups of each folder: what distinguishes them among all.
pub(super) fn all_labels(sides: &[Side], gatherings: &[Gathering<'_>], ignored: &[String]) -> Vec<Vec<String>> {
    let axes = distinct(sides.iter().flat_map(|side| side.description.axes.iter().cloned()));
    let hidden: Vec<&str> = ignored.iter().map(String::as_str).collect();
    let groups = gatherings.iter().flat_map(|gathering| &gathering.groups);
    let configurations: Vec<&Configuration> = groups.map(|group| group.configuration).collect();
    let mut found = labels(&configurations, &axes, &names(sides), &hidden).into_iter();
    gatherings.iter().map(|gathering| found.by_ref().take(gathering.groups.len()).collect()).collect()
}

/// The names that experiments give to strategies and features. One that stands for two things is no name here.
fn names(sides: &[Side]) -> Names {
    let all: Vec<_> = sides.iter().map(|side| with_programs(side.description.names.clone(), &side.records)).collect();
    let all = || all.iter().flatten();
    let is_clear =
        |(name, meaning): &(&String, &Named)| all().all(|(other, known)| other != *name || known == *meaning);
    all().filter(is_clear).map(|(name, meaning)| (name.clone(), meaning.clone())).collect()
}

/// Configurations of a folder without the fields that are ignored: those that are equal in two folders are
/// counterparts. Fails if two of the folder are equal.
pub(super) fn keys(
    folder: usize,
    gathering: &Gathering<'_>,
    labels: &[String],
    ignored: &[String],
) -> Result<Vec<Configuration>, CompareError> {
    let configurations = gathering.groups.iter().map(|group| group.configuration.clone());
    let keys: Vec<Configuration> =
        configurations.map(|one| ignored.iter().fold(one, |rest, field| rest.without(field))).collect();
    let alike = |key: &Configuration| keys.iter().filter(|other| *other == key).count();
    let Some(place) = keys.iter().position(|key| alike(key) > 1) else { return Ok(keys) };
    let Configuration { threads, machine, .. } = gathering.groups[place].configuration;
    Err(CompareError::Ambiguous {
        folder: letter(folder),
        ignored: ignored.join(", "),
        count: alike(&keys[place]),
        label: labels[place].clone(),
        threads: *threads,
        machine: machine.name(),
    })
}

/// Hint at the fields that could be ignored so that something that stands alone finds its counterpart: the fewest that
/// there are.
pub(super) fn hint(alone: &[Alone]) -> String {
    let pairs = alone.iter().filter(|one| one.folder == 0 && !one.lacks_positions).flat_map(|ours| {
        let theirs = alone.iter().filter(|theirs| theirs.folder == ours.missing_in);
        theirs.map(|theirs| differing(&ours.configuration, &theirs.configuration))
    });
    let is_comparable = |axes: &Vec<&Axis>| !axes.iter().any(|axis| [MACHINE, THREADS, DEPTH].contains(axis));
    let fewest = pairs.filter(is_comparable).min_by_key(Vec::len);
    fewest.filter(|axes| axes.len() <= MOST_FIELDS_IN_HINT).map_or_else(String::new, |axes| {
        let fields: Vec<&str> = axes.iter().map(|axis| axis.name).collect();
        let (named, listed) = (fields.join(" and "), fields.join(","));
        format!(": their configurations differ in {named}\n  To compare them nevertheless, use --ignore {listed}")
    })
}
