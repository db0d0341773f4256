//! Folders of every release since 0.2.0, the first of format 3; their tables have the values of then. What was measured
//! in that format or a later one is read for ever: by programs that know more keys, and by those that know fewer.
//! Folders of version 0.1.0 are refused.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};
use splitpoint::record::{Cell, Configuration, Depth, Description, IntervalKind, MachineKind, axes, journal};

use super::command_line::{stderr, stdout};
use super::lab_folder::{Bench, TINY, done, ends_with};

fn kept(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

/// A copy of the folder of version 0.2.0, each line of its journal and its description changed.
fn copied(bench: &Bench, name: &str, change: impl Fn(&mut Value)) -> String {
    let witness = kept("journal-0.2.0");
    let text = |file: &str| std::fs::read_to_string(witness.join(file)).unwrap();
    let changed = |line: &str| {
        let mut value: Value = serde_json::from_str(line).unwrap();
        change(&mut value);
        format!("{value}\n")
    };
    std::fs::create_dir_all(bench.at(name)).unwrap();
    bench.write(&format!("{name}/experiment.json"), changed(&text("experiment.json")));
    bench.write(&format!("{name}/journal.jsonl"), text("journal.jsonl").lines().map(changed).collect::<String>());
    bench.write(&format!("{name}/environment.json"), text("environment.json"));
    bench.write(&format!("{name}/runs-then.csv"), text("runs.csv"));
    bench.at(name)
}

/// The columns of a table by name.
fn columns(bytes: &[u8]) -> HashMap<String, Vec<String>> {
    let mut reader = csv::Reader::from_reader(bytes);
    let names: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let column = |(at, name)| (name, rows.iter().map(|row| row[at].to_owned()).collect());
    names.into_iter().enumerate().map(column).collect()
}

#[test]
fn a_folder_of_version_0_2_0_gives_the_same_table() {
    let bench = Bench::new("witness");
    let folder = copied(&bench, "out", |_| {});
    done(&["report", &folder]);
    let now = columns(&bench.read("out/runs.csv"));
    for (name, values) in columns(&bench.read("out/runs-then.csv")) {
        assert_eq!(now.get(&name), Some(&values), "{name}");
    }
    let page = bench.text("out/report.html");
    assert!(page.contains("A folder of version 0.2.0") && page.contains("it was cut off after 0.02 s"));

    let records = journal::read(Path::new(&folder)).unwrap().records;
    let of = |machine| records.iter().filter(move |record| record.cell.configuration.machine == machine);
    assert_eq!((of(MachineKind::Real).count(), of(MachineKind::Virtual).count()), (4, 8));
    assert_eq!(of(MachineKind::Virtual).filter(|record| record.measured().is_none()).count(), 4);
}

/// A run and a match of version 1.0.0, as it wrote them, with the tables and the digests that it made of them.
#[test]
fn folders_of_version_1_0_0_give_the_same_tables_and_digests() {
    fn copy(from: &Path, to: &Path) {
        std::fs::create_dir_all(to).unwrap();
        for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
            let (path, to) = (entry.path(), to.join(entry.file_name()));
            if path.is_dir() { copy(&path, &to) } else { std::fs::copy(path, to).map(drop).unwrap() }
        }
    }
    let bench = Bench::new("witness-release");
    for (name, tables) in [("run", &["runs", "summary", "splits", "depths"][..]), ("match", &["players", "pairings"])] {
        let (from, folder) = (kept("version-1.0.0").join(name), bench.at(name));
        copy(&from.join("folder"), Path::new(&folder));
        done(&["report", &folder]);
        for table in tables {
            let then = columns(&std::fs::read(from.join(format!("{table}.csv"))).unwrap());
            let now = columns(&bench.read(&format!("{name}/{table}.csv")));
            for (column, values) in then {
                assert_eq!(now.get(&column), Some(&values), "{name}, {table}: {column}");
            }
        }
        let digest = std::fs::read_to_string(from.join("digest.txt")).unwrap();
        assert_eq!(stdout(&done(&["digest", &folder])), digest, "{name}");
    }
}

#[test]
fn a_folder_of_version_0_1_0_is_refused_with_the_version_that_reads_it() {
    let bench = Bench::new("witness-old");
    let folder = copied(&bench, "old", |value| {
        if value["format"].is_u64() {
            (value["format"], value["version"]) = (json!(2), json!("0.1.0"));
        }
    });
    let (file, out) = (bench.write("tiny.toml", TINY), bench.at("new"));
    let before = bench.files("old");
    for arguments in [
        &["report", &folder][..],
        &["compare", &folder, &folder],
        &["merge", &folder, "--out", &bench.at("merged")],
        &["run", &file, "--out", &folder, "--resume"],
        &["run", &file, "--out", &out, "--reuse", &folder],
        &["run", &file, "--dry-run", "--pilot", &folder],
    ] {
        let output = ends_with(2, arguments);
        let words = stderr(&output).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            words.contains("made by version 0.1.0 in format 2") && words.contains("use splitpoint 0.1.0"),
            "{words}"
        );
        assert!(bench.files("old") == before, "{arguments:?}");
    }
}

#[test]
fn keys_of_another_version_do_no_harm() {
    let bench = Bench::new("witness-keys");
    let more = copied(&bench, "more", |value| {
        value["of_a_later_version"] = json!({ "x": [1] });
        for below in ["cell", "surroundings"] {
            if value[below].is_object() {
                value[below]["of_a_later_version"] = json!(1);
            }
        }
        if value["cell"].is_object() {
            value["cell"]["configuration"]["of_a_later_version"] = json!("x");
        }
    });
    done(&["report", &more]);
    done(&["report", &copied(&bench, "same", |_| {})]);
    assert!(bench.read("more/runs.csv") == bench.read("same/runs.csv"));
    let (more, then) = (columns(&bench.read("more/runs.csv")), columns(&bench.read("more/runs-then.csv")));
    assert!(then.iter().all(|(name, values)| more.get(name) == Some(values)));
    // Columns that came later are empty, or say what every configuration had before.
    let default = Configuration::default();
    for (name, values) in more.iter().filter(|(name, _)| !then.contains_key(*name)) {
        let before = axes::named(name).map_or_else(String::new, |axis| axis.text(&default));
        assert!(values.iter().all(|value| *value == before), "{name}: a new column is empty in old journals");
    }

    // What an earlier version did not write is as it was then.
    let fewer = copied(&bench, "fewer", |value| {
        let mut remove = |place: &str, keys: &[&str]| {
            let Some(Value::Object(known)) = value.pointer_mut(place) else { return };
            keys.iter().for_each(|key| drop(known.remove(*key)));
        };
        remove("", &["references", "names", "interval", "own_cells", "factorials"]);
        remove("", &["surroundings", "attempt", "session", "host_s"]);
        remove("/result/done", &["seldepth", "torn_standing", "workers"]);
        remove("/cell", &["repetition"]);
        remove("/cell/configuration", &["audit", "losses", "pin", "costs_hash", "time_s"]);
    });
    done(&["report", &fewer]);
    let (fewer, then) = (columns(&bench.read("fewer/runs.csv")), columns(&bench.read("fewer/runs-then.csv")));
    for name in ["index", "strategy", "threads", "depth", "nodes", "time_s", "status", "repetition", "audit"] {
        assert_eq!(fewer[name], then[name], "{name}");
    }
}

#[test]
fn everything_has_a_default() {
    fn read<T: serde::de::DeserializeOwned>() -> T {
        serde_json::from_value(Value::Object(Map::new())).unwrap()
    }
    let Cell { configuration, seed, .. } = read();
    assert_eq!((configuration, seed), (Configuration::default().into(), 0));
    assert_eq!(Configuration::default().depth, Depth::Unlimited);
    assert_eq!(read::<Description>().interval, IntervalKind::ThesePositions);
    // Intervals have hyphens in files of records.
    let description = Description { interval: IntervalKind::PositionsLikeThese, ..Description::default() };
    assert_eq!(json!(description)["interval"], "positions-like-these");
}
