//! What splits cost, and micro-measurements, as parts of an experiment.

use splitpoint::record::{Measured, Record};

use super::command_line::stdout;
use super::lab_folder::{Bench, done};

const EXPERIMENT: &str = r#"
title = "Copies"
baseline = 1
repetitions = 2

[positions]
ids = ["BK03", "BK09"]

[axes]
features = "thesis"
strategy = "ybwc,minimum-draft=1"
depth = 5
hash = 1

[[plan]]
machine = "virtual"
threads = [4]
copy = ["trimmed", "padded:1024", "trimmed+4096", "compact"]
copier = ["owner-locked", "both-locked"]
reference = { copy = "trimmed" }

[[plan]]
machine = "real"
threads = [2]
copy = "trimmed"

[[plan]]
micro = "bits"

[report]
charts = ["copy-sizes", "stages"]
"#;

#[test]
fn copies_are_in_tables_charts_and_answer() {
    let bench = Bench::new("copies");
    let (file, out) = (bench.write("copies.toml", EXPERIMENT), bench.at("out"));
    let answer = stdout(&done(&["run", &file, "--out", &out]));
    for words in ["a copy", "4 virtual processors", "Copying, %"] {
        let flattened = answer.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flattened.contains(words), "{words}: {answer}");
    }

    let column = |name: &str| bench.column_of("out/summary.csv", name);
    let number = |text: &String| text.parse::<f64>().unwrap_or(f64::NAN);
    let (copies, copiers, machines) = (column("copy"), column("copier"), column("machine"));
    let of = |name: &str, copy: &str, copier: &str| {
        let place = (0..copies.len()).find(|&row| copies[row] == copy && copiers[row] == copier).unwrap();
        number(&column(name)[place])
    };
    // On the virtual machine a copy has just the bytes more that were asked for, and every further one takes time.
    for copier in ["owner-locked", "both-locked"] {
        let [trimmed, padded, large, compact] =
            ["trimmed", "trimmed+1024", "trimmed+4096", "compact"].map(|copy| of("copy_bytes", copy, copier));
        assert!(
            (padded - trimmed - 1024.0).abs() < 16.0 && (large - trimmed - 4096.0).abs() < 16.0,
            "{padded} {large}"
        );
        assert!(compact < trimmed, "{compact} {trimmed}");
        let fetch = |copy: &str| of("split_fetch_ns", copy, copier);
        assert!(fetch("compact") < fetch("trimmed") && fetch("trimmed") < fetch("trimmed+4096"));
        assert_eq!(of("split_copy_ns", "trimmed", copier), 0.0);
        assert!(of("split_copy_ns", "compact", copier) > 0.0, "rebuilding is work");
    }
    // Who copies under the lock holds it for longer.
    let held = |copier: &str| of("split_held_ns", "trimmed+4096", copier);
    assert!(held("both-locked") > held("owner-locked"), "{} {}", held("both-locked"), held("owner-locked"));
    for name in ["splitting_pct", "copying_pct", "split_node_pct", "split_cost_ns", "split_begin_ns"] {
        for (row, value) in column(name).iter().enumerate() {
            let is_split = machines[row] == "virtual" && !copies[row].is_empty();
            assert!(!is_split || number(value) > 0.0, "{name} {row}: {value}");
        }
    }
    // Every node that was opened is in the distributions, and none twice.
    let nodes = |of: &str| {
        let counts = bench.column_of("out/splits.csv", "split_nodes").into_iter();
        let quantities = bench.column_of("out/splits.csv", "quantity").into_iter();
        counts.zip(quantities).filter(|(_, quantity)| quantity == of).map(|(count, _)| number(&count)).sum::<f64>()
    };
    let records = bench.records("out");
    let measured: Vec<&Measured> = records.iter().filter_map(Record::measured).collect();
    let sum = |path: &str| measured.iter().filter_map(|measured| measured.count(path)).sum::<u64>() as f64;
    assert!(sum("splits.made") > 100.0 && sum("splits.cut") > 10.0, "{measured:?}");
    for quantity in ["cost_ns", "search_ns", "cost_ratio", "helpers"] {
        assert_eq!(nodes(quantity), sum("splits.made"), "{quantity}");
    }
    assert_eq!(nodes("superfluous"), sum("splits.cut"));

    for name in ["copy-sizes", "stages"] {
        assert!(bench.text(&format!("out/charts/{name}.svg")).contains("</svg>"), "{name}");
    }
    assert_eq!(bench.column_of("out/micro.csv", "micro").first().map(String::as_str), Some("bits"));
    assert!(bench.column_of("out/micro.csv", "runs").iter().all(|runs| runs == "2"));
    let page = bench.text("out/report.html");
    assert!(page.contains("What do the boards cost by themselves?") && page.contains("What does a split cost?"));

    // Nothing is missing when it is resumed, and the report is the same.
    let made = bench.files("out");
    done(&["run", &file, "--out", &out, "--resume"]);
    assert_eq!(bench.files("out")["out/journal.jsonl"], made["out/journal.jsonl"]);
}
