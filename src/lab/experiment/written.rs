//! The experiment file of a run folder: what ran. The changes of the command line are in it, and what depends on this
//! computer or on the place of the file is spelt out, so that running it again gives the same plan.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use super::axes::{About, about};
use super::document::{Document, Entry, Item, Table, Value, parse_value};
use super::found::{self, FoundDepths};
use super::values::cores;
use crate::record::folder::{self, ExperimentFile, FolderError};

/// Word in numbers that stands for the number of processors of this computer.
const CORES: &str = "cores";
/// First line of a file in a run folder.
const HEADING: &str =
    "# The experiment as it ran, with the changes of the command line and with values for this computer.";
/// Beginning of a line that tells an editor where a schema lies, which is elsewhere in a run folder.
const SCHEMA: &str = "#:schema";

/// Content of an experiment file as it is to be kept.
#[derive(Clone, Debug)]
pub struct WhatRan {
    /// Lines at the top of the file, which say what the experiment is for.
    comment: String,
    root: Table,
    /// File of the positions, if they come from one.
    positions: Option<PathBuf>,
}

impl WhatRan {
    /// Content of a document whose positions come from this file, with these schedules of iterations, and with the
    /// range over prices or without.
    pub fn of(document: &Document, positions: Option<PathBuf>, schedules: &[u32], price_range: bool) -> Self {
        let mut root = document.root.clone();
        // It is of the list of the files that ship.
        root.entries.retain(|entry| entry.key != super::LIST);
        // What follows from the plan is spelt out: another version may decide otherwise.
        root.get_or_add("price_range").item = Item::Switch(price_range);
        if !schedules.is_empty() {
            let step = |plies: &u32| Value { item: Item::Whole((*plies).into()), place: None };
            root.get_or_add("schedules").item = Item::List(schedules.iter().map(step).collect());
        }
        if root.get("title").is_none()
            && let Some(stem) = document.path.file_stem()
        {
            root.entries.insert(0, entry("title", Item::Text(stem.to_string_lossy().into_owned())));
        }
        if positions.is_some()
            && let Item::Table(table) = &mut root.get_or_add("positions").item
        {
            table.get_or_add("epd").item = Item::Text(folder::POSITIONS.to_owned());
        }
        spell_out_cores(&mut root);
        Self { comment: leading_comment(&document.text), root, positions }
    }

    /// Keeps depths that a pilot has found for sizes of searches.
    pub fn keep_depths(&mut self, found: &FoundDepths) {
        self.root.get_or_add(found::KEY).item = found.item();
    }

    /// The file of a run with this seed of the order of its searches, if they are in random order.
    ///
    /// # Errors
    /// If the positions cannot be read again.
    pub fn file(&self, order_seed: Option<u64>) -> Result<ExperimentFile, FolderError> {
        let mut root = self.root.clone();
        if let Some(seed) = order_seed {
            root.get_or_add("order_seed").item = Item::Whole(seed as i64);
        }
        let mut text = format!("{HEADING}\n{}\n", self.comment);
        write_table(&mut text, "", &root);
        let read = |path: &Path| {
            std::fs::read_to_string(path).map_err(|error| FolderError::Io { path: path.to_owned(), error })
        };
        Ok(ExperimentFile { text, positions: self.positions.as_deref().map(read).transpose()? })
    }
}

fn entry(key: &str, item: Item) -> Entry {
    Entry { key: key.to_owned(), key_place: None, value: Value { item, place: None } }
}

/// The lines of comments with which a text begins.
fn leading_comment(text: &str) -> String {
    let lines = text.lines().take_while(|line| line.starts_with('#'));
    let kept = lines.filter(|line| !line.starts_with(SCHEMA) && *line != HEADING);
    kept.map(|line| format!("{line}\n")).collect()
}

/// Axes whose values may be the number of processors of this computer.
fn numbers() -> Vec<About> {
    about().into_iter().filter(|axis| axis.definition == "Numbers").collect()
}

/// Puts the number of processors of this computer for its word, and gives the axes it where it is their default.
fn spell_out_cores(root: &mut Table) {
    let axes = numbers();
    let plans = match root.get("plan").map(|entry| &entry.value.item) {
        Some(Item::List(plans)) if !plans.is_empty() => plans.clone(),
        _ => vec![Value { item: Item::Table(Table::default()), place: None }],
    };
    let has = |item: Option<&Item>, key: &str| matches!(item, Some(Item::Table(table)) if table.get(key).is_some());
    for axis in axes.iter().filter(|axis| axis.default.contains(CORES)) {
        let common = root.get("axes").map(|entry| &entry.value.item);
        if !has(common, axis.key)
            && plans.iter().any(|plan| !has(Some(&plan.item), axis.key))
            && let Item::Table(table) = &mut root.get_or_add("axes").item
        {
            table.get_or_add(axis.key).item = parse_value(axis.default);
        }
    }
    let is_number = |key: &str| axes.iter().any(|axis| axis.key == key);
    root.entries.iter_mut().for_each(|entry| spell_out(&mut entry.value.item, is_number(&entry.key), &is_number));
}

/// Puts the number for its word below an item; `is_here` where the item is the value of a key that takes numbers.
fn spell_out(item: &mut Item, is_here: bool, is_number: &dyn Fn(&str) -> bool) {
    match item {
        Item::Text(text) if is_here && text.contains(CORES) => {
            *text = text.replace(CORES, &cores().to_string());
        }
        Item::List(list) => list.iter_mut().for_each(|value| spell_out(&mut value.item, is_here, is_number)),
        Item::Table(table) => {
            let of_entry = |entry: &mut Entry| spell_out(&mut entry.value.item, is_number(&entry.key), is_number);
            table.entries.iter_mut().for_each(of_entry);
        }
        _ => {}
    }
}

/// Writes a table as TOML: its values, then the tables below it, each under a heading with its path.
fn write_table(out: &mut String, path: &str, table: &Table) {
    let (below, plain): (Vec<&Entry>, Vec<&Entry>) =
        table.entries.iter().partition(|entry| !tables(&entry.value.item).is_empty());
    for Entry { key: name, value, .. } in plain {
        // Writing to a text cannot fail.
        let _ = writeln!(out, "{} = {}", key(name), inline(&value.item));
    }
    for Entry { key: name, value, .. } in below {
        let path = if path.is_empty() { key(name) } else { format!("{path}.{}", key(name)) };
        let heading = if matches!(value.item, Item::List(_)) { format!("[[{path}]]") } else { format!("[{path}]") };
        for table in tables(&value.item) {
            let _ = writeln!(out, "\n{heading}");
            write_table(out, &path, table);
        }
    }
}

/// The tables that a heading may stand over: a table, or a list of nothing else.
fn tables(item: &Item) -> Vec<&Table> {
    match item {
        Item::Table(table) => vec![table],
        Item::List(list) => {
            let table = |value: &'_ Value| matches!(value.item, Item::Table(_));
            let all = list.iter().all(table).then_some(list);
            all.into_iter().flatten().flat_map(|value| tables(&value.item)).collect()
        }
        _ => Vec::new(),
    }
}

/// The value that stands behind a key.
fn inline(item: &Item) -> toml::Value {
    match item {
        Item::Text(text) => text.as_str().into(),
        Item::Whole(number) => (*number).into(),
        Item::Fraction(number) => (*number).into(),
        Item::Switch(switch) => (*switch).into(),
        Item::List(list) => list.iter().map(|value| inline(&value.item)).collect::<Vec<_>>().into(),
        Item::Table(table) => {
            let pair = |entry: &Entry| (entry.key.clone(), inline(&entry.value.item));
            table.entries.iter().map(pair).collect::<toml::Table>().into()
        }
    }
}

fn key(name: &str) -> String {
    let is_bare = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
    if is_bare { name.to_owned() } else { serde_json::Value::from(name).to_string() }
}

#[cfg(test)]
mod tests {
    use super::super::shipped::{CHARTS, EXPERIMENTS};
    use super::super::{Experiment, FileError};
    use crate::Plan;
    use crate::record::folder::ExperimentFile;
    use std::path::Path;

    fn parse(name: &str, text: &str, changes: &[&str]) -> Result<Experiment, FileError> {
        let changes: Vec<String> = changes.iter().map(|&change| change.to_owned()).collect();
        Experiment::parse(Path::new(name), text, &changes, &CHARTS)
    }

    fn kept(experiment: &Experiment) -> ExperimentFile {
        experiment.what_ran.file(Some(7)).unwrap()
    }

    /// The file that is kept of an experiment, run again, is the experiment: cell by cell.
    fn assert_runs_again(name: &str, text: &str, changes: &[&str]) {
        let first = parse(name, text, changes).unwrap_or_else(|error| panic!("{name} {changes:?}: {error}"));
        let file = kept(&first);
        let again = parse("experiment.toml", &file.text, &[]).unwrap_or_else(|error| panic!("{error}\n{}", file.text));
        let (then, now) = (Plan::of(&first, "").unwrap(), Plan::of(&again, "").unwrap());
        assert!(then.cells == now.cells, "{name} {changes:?}: other cells\n{}", file.text);
        let mut conduct = first.conduct.clone();
        conduct.order_seed = Some(7);
        assert_eq!(conduct, again.conduct, "{name} {changes:?}");
        assert_eq!(then.description, now.description, "{name} {changes:?}");
        assert_eq!(kept(&again).text, file.text, "{name} {changes:?}: what is kept of it is itself");
        assert!(!file.text.contains("cores\"") || file.text.contains("pin"), "{}", file.text);
    }

    #[test]
    fn what_ships_runs_again_whatever_is_set() {
        for shipped in EXPERIMENTS {
            let name = format!("{}.toml", shipped.name);
            for changes in [
                &[][..],
                &["repetitions=3", "axes.depth=[4, 5]"],
                &["positions.first=1", "axes.hash=\"1..=4*2\"", "title=\"a \\\"quoted\\\" title\""],
                &["baseline=\"one\"", "axes.threads=\"1..=cores\"", "order=\"plan\"", "axes.pin=cores"],
            ] {
                let changes =
                    if shipped.name.starts_with("hyatt-24") && changes.iter().any(|change| change.contains("depth")) {
                        &changes[..1]
                    } else {
                        changes
                    };
                // What every block replaces has no effect, and is refused.
                let is_refused = |change: &&&str| {
                    let error = parse(&name, shipped.text, &[**change]).err();
                    error.is_some_and(|error| error.to_string().contains("has no effect"))
                };
                let changes: Vec<&str> = changes.iter().filter(|change| !is_refused(change)).copied().collect();
                assert_runs_again(&name, shipped.text, &changes);
            }
        }
    }

    #[test]
    fn other_files_run_again_too() {
        for (name, text, changes) in [
            ("nothing.toml", "", &[][..]),
            ("x.json", r#"{"axes": {"threads": [1, 2], "depth": 3}, "plan": [{"hash": 1}, {"hash": [2, "4"]}]}"#, &[]),
            (
                "x.toml",
                "positions = { ids = \"BK03\", depths = { BK03 = 4 } }",
                &["plan=[{}, { threads = \"cores\" }]"],
            ),
            (
                "x.toml",
                "exclude = [{ threads = 2, hash = [1, 2] }]\n[axes]\nthreads = [1, 2]\nhash = [1, 2, 3]\ndepth = 3\n\
                 [costs.mine]\nlock_handoff = 9\n[names]\n\"my own\" = \"ybwc,minimum-draft=5\"\n\
                 [strategy.ybwc]\nminimum-draft = [4, 2]\nfalling-draft = [true, false]\n",
                &["plan.0.machine=virtual", "plan.0.costs=mine"],
            ),
        ] {
            if changes.iter().any(|change| change.starts_with("plan.0")) {
                assert_runs_again(name, &format!("plan = [{{}}]\n{text}"), changes);
            } else {
                assert_runs_again(name, text, changes);
            }
        }
    }

    #[test]
    fn the_comment_at_the_top_is_kept_and_the_schema_is_not() {
        let text = "#:schema schema.json\n# What for.\n# And why.\naxes.depth = 3 # deep\n# below\n";
        let file = kept(&parse("x.toml", text, &["axes.threads=cores"]).unwrap());
        let cores = super::cores();
        let expected = format!(
            "{}\n# What for.\n# And why.\n\ntitle = \"x\"\nprice_range = false\norder_seed = 7\n\n[axes]\ndepth = 3\n\
             threads = \"{cores}\"\n",
            super::HEADING
        );
        assert_eq!(file.text, expected);
    }
}
