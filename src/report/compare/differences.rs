//! Differences between folders beside their figures: the program, the computer, the plan, the costs. It is said first,
//! since it may be the reason for everything else.

use std::collections::BTreeSet;

use crate::distinct::distinct;
use crate::record::{Baseline, Configuration, Description, Named};

use super::{Counterparts, Difference, Side};

/// Text where a folder does not tell.
const NOT_TOLD: &str = "not known";
/// Properties of the program and the computer that sessions tell, with their places in JSON.
const TOLD: [(&str, &str); 14] = [
    ("version", "/version"),
    ("commit", "/build/commit"),
    ("sources", "/build/sources"),
    ("compiler", "/build/rustc"),
    ("compiler flags", "/build/flags"),
    ("program file", "/build/binary"),
    ("host", "/host/name"),
    ("processor", "/host/processor"),
    ("logical CPUs", "/host/logical_cpus"),
    ("allowed CPUs", "/host/allowed"),
    ("kernel", "/host/kernel"),
    ("governor", "/host/governor"),
    ("turbo", "/host/turbo"),
    ("huge pages", "/host/huge_pages"),
];

/// Property of an experiment, as text.
type Property = (&'static str, fn(&Description) -> String);

/// Properties of the plan.
const PLANNED: [Property; 6] = [
    ("plan", |description| format!("{}, {} cells", description.plan, description.cells)),
    ("part of the plan", |description| match description.shard {
        Some((number, of)) => format!("shard {number}/{of}"),
        None => "all".to_owned(),
    }),
    ("suite", |description| description.suite.clone().unwrap_or_else(|| "none".to_owned())),
    ("positions", |description| description.positions.len().to_string()),
    ("baseline", |description| match description.baseline {
        Baseline::Seeds(1) => "1 seed".to_owned(),
        Baseline::Seeds(seeds) => format!("{seeds} seeds"),
        Baseline::One => "one search, as in the thesis".to_owned(),
        Baseline::None => "none".to_owned(),
    }),
    ("own interval", |description| description.interval.name().to_owned()),
];

/// Properties that differ.
pub(super) fn differences<'a>(sides: &'a [Side], ignored: &[String], counterparts: &[Counterparts]) -> Vec<Difference> {
    let mut all: Vec<Difference> = Vec::new();
    let mut add = |what: &str, values: Vec<String>| all.push(Difference { what: what.to_owned(), values });
    add("signature", sides.iter().map(|side| side.description.signature.to_string()).collect());
    for (what, pointer) in TOLD {
        let of_side = |side: &Side| match side.told(pointer)[..] {
            // The folder knows the version of the program by itself.
            [] if what == "version" && !side.description.version.is_empty() => side.description.version.clone(),
            [] => NOT_TOLD.to_owned(),
            ref values => values.join(", "),
        };
        add(what, sides.iter().map(of_side).collect());
    }
    let configurations = |side: &'a Side| side.records.iter().map(|record| &record.cell.configuration);
    let models = |side: &'a Side| configurations(side).filter_map(|one| one.costs.as_ref());
    let names: BTreeSet<&Named> = sides.iter().flat_map(models).map(|model| &model.name).collect();
    for name in names {
        let hashes = |side| {
            let of_name = models(side).filter(|model| model.name == *name);
            distinct(of_name.map(|model| if model.hash.is_empty() { NOT_TOLD } else { &model.hash })).join(", ")
        };
        let hashes: Vec<String> = sides.iter().map(hashes).collect();
        // A model that only one folder uses is told by the configurations that it has alone.
        if hashes.iter().all(|hashes| !hashes.is_empty()) {
            add(&format!("costs '{name}'"), hashes);
        }
    }
    for (what, property) in PLANNED {
        add(what, sides.iter().map(|side| property(&side.description)).collect());
    }
    for field in ignored {
        let of_folder = |folder: usize| {
            let compared = counterparts.iter().filter_map(|pair| match folder {
                0 => Some(&pair.configuration),
                other => (pair.folder == other).then_some(&pair.counterpart),
            });
            let values: BTreeSet<String> = compared.map(|one| in_words(one, field)).collect();
            values.into_iter().collect::<Vec<_>>().join(", ")
        };
        add(field, (0..sides.len()).map(of_folder).collect());
    }
    all.retain(|difference| difference.values.iter().any(|value| *value != difference.values[0]));
    all
}

fn in_words(configuration: &Configuration, field: &str) -> String {
    let value = configuration.field(field);
    if value.is_empty() { "none".to_owned() } else { value }
}
