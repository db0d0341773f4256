//! Differences between folders beside their figures: the program, the computer, the plan, the costs. It is said first,
//! since it may be the reason for everything else.

use std::collections::BTreeMap;

use crate::record::{Baseline, Configuration, Description};

use super::{Counterparts, Difference, Side};

/// Text where a folder does not tell.
const NOT_TOLD: &str = "not known";
/// Properties of the program and the computer that sessions tell, with their places in JSON.
const TOLD: [(&str, &str); 9] = [
    ("version", "/version"),
    ("host", "/host/name"),
    ("processor", "/host/processor"),
    ("logical CPUs", "/host/logical_cpus"),
    ("allowed CPUs", "/host/allowed"),
    ("kernel", "/host/kernel"),
    ("governor", "/host/governor"),
    ("turbo", "/host/turbo"),
    ("huge pages", "/host/huge_pages"),
];

/// Properties that differ.
pub(super) fn differences(sides: &[Side], ignored: &[String], counterparts: &[Counterparts]) -> Vec<Difference> {
    let mut all: Vec<Difference> = Vec::new();
    let mut add = |what: &str, values: Vec<String>| all.push(Difference { what: what.to_owned(), values });
    let of_description =
        |say: fn(&Description) -> String| -> Vec<String> { sides.iter().map(|side| say(&side.description)).collect() };
    add("signature", of_description(|description| description.signature.to_string()));
    for (what, pointer) in TOLD {
        let of_side = |side: &Side| match side.told(pointer)[..] {
            // The folder knows the version of the program by itself.
            [] if what == "version" && !side.description.version.is_empty() => side.description.version.clone(),
            [] => NOT_TOLD.to_owned(),
            ref values => values.join(", "),
        };
        add(what, sides.iter().map(of_side).collect());
    }
    let costs: Vec<_> = sides.iter().map(hashes).collect();
    let mut names: Vec<&str> = costs.iter().flat_map(|of_side| of_side.keys().copied()).collect();
    names.sort_unstable();
    names.dedup();
    // A model that only one folder uses is told by the configurations that it has alone.
    for name in names.into_iter().filter(|name| costs.iter().all(|of_side| of_side.contains_key(name))) {
        add(&format!("costs '{name}'"), costs.iter().map(|of_side| of_side[name].join(", ")).collect());
    }
    add("plan", of_description(|description| format!("{}, {} cells", description.plan, description.cells)));
    add(
        "part of the plan",
        of_description(|description| match description.shard {
            Some((number, of)) => format!("shard {number}/{of}"),
            None => "all".to_owned(),
        }),
    );
    add("suite", of_description(|description| description.suite.clone().unwrap_or_else(|| "none".to_owned())));
    add("positions", of_description(|description| description.positions.len().to_string()));
    add(
        "baseline",
        of_description(|description| match description.baseline {
            Baseline::Seeds(1) => "1 seed".to_owned(),
            Baseline::Seeds(seeds) => format!("{seeds} seeds"),
            Baseline::One => "one search, as in the thesis".to_owned(),
            Baseline::None => "none".to_owned(),
        }),
    );
    add("own interval", of_description(|description| description.interval.name().to_owned()));
    for field in ignored {
        add(field, compared_values(field, sides.len(), counterparts));
    }
    all.retain(|difference| difference.values.iter().any(|value| *value != difference.values[0]));
    all
}

/// The hashes of the cost models that a folder's records name.
fn hashes(side: &Side) -> BTreeMap<&str, Vec<String>> {
    let mut hashes: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for configuration in side.records.iter().map(|record| &record.cell.configuration) {
        if let Some(name) = &configuration.costs {
            let known = hashes.entry(name).or_default();
            let hash = configuration.costs_hash.clone().unwrap_or_else(|| NOT_TOLD.to_owned());
            if !known.contains(&hash) {
                known.push(hash);
            }
        }
    }
    hashes
}

/// The values of an ignored field in the configurations of each folder that are compared.
fn compared_values(field: &str, folders: usize, counterparts: &[Counterparts]) -> Vec<String> {
    let values = |folder: usize| {
        let configurations = counterparts.iter().filter_map(|pair| match folder {
            0 => Some(&pair.configuration),
            other => (pair.folder == other).then_some(&pair.counterpart),
        });
        let mut values: Vec<String> = configurations.map(|configuration| in_words(configuration, field)).collect();
        values.sort();
        values.dedup();
        values.join(", ")
    };
    (0..folders).map(values).collect()
}

fn in_words(configuration: &Configuration, field: &str) -> String {
    let value = configuration.field(field);
    if value.is_empty() { "none".to_owned() } else { value }
}
