//! Columns that several files share: how a search was configured.

use std::collections::BTreeMap;

use crate::record::{Configuration, Depth, Field};
use crate::table::{Columns, Table, markdown};

/// Columns that say how a search was configured: one for each field of a configuration, and the rule of the depth.
/// `depth` is the plies that were asked for, where the row has one depth.
pub(crate) fn configured<'a, R: 'a>(
    configuration: fn(&R) -> &Configuration,
    depth: fn(&R) -> Option<u32>,
) -> Columns<'a, R> {
    Configuration::ABOUT.into_iter().fold(Columns::new(), |columns, Field { name, column, meaning }| match name {
        "threads" => columns.with(column, meaning, move |row| configuration(row).threads).heading("CPUs"),
        "depth" => {
            columns.with(column, meaning, depth).with("depth_rule", DEPTH_RULE, move |row| {
                match configuration(row).depth {
                    Depth::Plies(_) => "plies".to_owned(),
                    rule => rule.to_string(),
                }
            })
        }
        _ => columns.with(column, meaning, move |row| configuration(row).field(name)),
    })
}

/// The items sorted by configuration and number of processors: configurations that differ in it only come together, in
/// the order in which the first of them came.
pub(crate) fn by_configuration<T>(items: Vec<T>, configuration: impl Fn(&T) -> &Configuration) -> Vec<T> {
    let mut families: BTreeMap<Configuration, usize> = BTreeMap::new();
    let mut placed = Vec::with_capacity(items.len());
    for item in items {
        let count = families.len();
        let one = configuration(&item);
        let family = *families.entry(one.without("threads")).or_insert(count);
        placed.push(((family, one.threads), item));
    }
    placed.sort_by_key(|(place, _)| *place);
    placed.into_iter().map(|(_, item)| item).collect()
}

/// Plies to which all positions are searched, if they are.
pub(crate) fn plies(configuration: &Configuration) -> Option<u32> {
    if let Depth::Plies(plies) = configuration.depth { Some(plies) } else { None }
}

const DEPTH_RULE: &str = "plies (all positions to one depth), own (each to its own) or unlimited";

/// Meaning of the rows and columns of a file, as a section of a Markdown file.
pub(super) fn documented(file: &str, rows: &str, table: &Table) -> String {
    format!("## {file}\n\n{rows}\n\n{}\n", markdown::write(&table.guide()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::MachineKind;

    #[test]
    fn numbers_of_processors_of_one_configuration_come_together_in_order() {
        let sample = |(strategy, threads)| Configuration::sample(MachineKind::Virtual, strategy, threads);
        let planned = [("ybwc", 8), ("lazy", 2), ("ybwc", 2), ("lazy", 8), ("ybwc", 4), ("ybwc", 2)];
        let sorted = by_configuration(planned.map(sample).to_vec(), |one| one);
        let sorted: Vec<_> = sorted.iter().map(|one| (one.strategy.as_str(), one.threads)).collect();
        assert_eq!(sorted, [("ybwc", 2), ("ybwc", 2), ("ybwc", 4), ("ybwc", 8), ("lazy", 2), ("lazy", 8)]);
    }
}
