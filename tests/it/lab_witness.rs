//! A run folder that version 0.1.0 wrote; its table has the values of then under the names and in the units of today.
//! What was measured once is read for ever: by programs that know more keys, and by those that know fewer.

use std::collections::HashMap;
use std::path::Path;

use serde_json::{Map, Value, json};
use splitpoint::record::{Cell, Configuration, Depth, Description, IntervalKind, MachineKind, journal};

use super::lab_folder::{Bench, done};

/// A copy of the folder, each line of its journal and its description changed.
fn copied(bench: &Bench, name: &str, change: impl Fn(&mut Value)) -> String {
    let witness = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/journal-0.1.0");
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

/// Whether two columns say the same. Times are computed in other units today, and may differ in the last digit.
fn agree(now: Option<&Vec<String>>, then: &[String]) -> bool {
    let is_same = |(now, then): (&String, &String)| {
        let numbers = now.parse::<f64>().ok().zip(then.parse::<f64>().ok());
        now == then || numbers.is_some_and(|(now, then)| (now - then).abs() <= 1e-12 * then.abs())
    };
    now.is_some_and(|now| now.len() == then.len() && now.iter().zip(then).all(is_same))
}

#[test]
fn a_folder_of_version_0_1_0_gives_the_same_table() {
    let bench = Bench::new("witness");
    let folder = copied(&bench, "out", |_| {});
    done(&["report", &folder]);
    let now = columns(&bench.read("out/runs.csv"));
    for (name, values) in columns(&bench.read("out/runs-then.csv")) {
        assert!(agree(now.get(&name), &values), "{name}: {:?} {values:?}", now.get(&name));
    }
    let page = bench.text("out/report.html");
    assert!(page.contains("A journal of version 0.1.0") && page.contains("the limit of 0.02 s was reached"));

    let records = journal::read(Path::new(&folder)).unwrap().records;
    let of = |machine| records.iter().filter(move |record| record.cell.configuration.machine == machine);
    assert_eq!((of(MachineKind::Real).count(), of(MachineKind::Virtual).count()), (4, 8));
    let times = of(MachineKind::Real).map(|record| record.cell.configuration.time_s.map(f64::from));
    assert!(times.into_iter().all(|time| time == Some(1.5)));
    assert_eq!(of(MachineKind::Virtual).filter(|record| record.measured().is_none()).count(), 4);
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
    assert!(then.iter().all(|(name, values)| agree(more.get(name), values)));
    // Columns that came later say what was so before.
    let mut later: Vec<(&str, &str)> =
        more.iter().filter(|(name, _)| !then.contains_key(*name)).map(|(name, rows)| (&**name, &*rows[0])).collect();
    later.sort_unstable();
    let empty = [
        "asked",
        "copier",
        "copy",
        "counted_moves",
        "counted_nodes",
        "engine",
        "engine_hash",
        "false_matches",
        "filled_with",
        "horizon",
        "leaves",
        "make",
        "micro",
        "over_minimum",
        "parallelism",
        "parallelism_all_at_once",
        "parallelism_burdened",
        "parallelism_cut_after_1",
        "parallelism_minimal",
        "parallelism_no_wait",
        "parallelism_open",
        "parallelism_open_burdened",
        "program",
        "reduced_in_vain",
        "reduced_moves",
        "skipped_moves",
        "state",
        "table_used_share",
        "taken_share",
        "unanswered",
    ];
    let empty = empty.map(|name| (name, ""));
    let mut expected: Vec<(&str, &str)> = empty.into_iter().chain([("disturb", "none")]).collect();
    expected.sort_unstable();
    assert_eq!(later, expected, "a new column is empty in old journals: add it to this list");

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
