//! `splitpoint validate`, through the real binary, as small as it can be.

use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;
use splitpoint::machine::RealMachine;
use splitpoint::machine::cost::CostModel;
use splitpoint::record::validation::{Measurements, Mechanism};
use splitpoint::report::validation::Validated;

fn validate(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_splitpoint")).arg("validate").args(arguments).output().expect("the binary runs")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

fn folder(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("splitpoint-{}-{name}", std::process::id()))
}

/// A page without the numbers that rows are sorted by: reading a file may change their last digit.
fn without_orders(html: &str) -> String {
    let mut parts = html.split("data-order=\"");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |page, part| page + part.split_once('"').map_or(part, |(_, rest)| rest))
}

#[test]
fn page_and_file_hold_what_was_measured() {
    let folder = folder("validate");
    let out = folder.join("deep").join("here");
    let size = ["--quick", "--seeds", "2", "--nodes", "2000", "--features", "modern"];
    let output = validate(&[&size[..], &["--json", "--out", out.to_str().unwrap()]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(printed["page"], out.with_extension("html").to_str().unwrap());

    let file = std::fs::read_to_string(out.with_extension("json")).unwrap();
    let file: Value = serde_json::from_str(&file).unwrap();
    assert_eq!((&file["kind"], &file["findings"]), (&Value::from("splitpoint validation"), &printed["findings"]));
    let model: CostModel = serde_json::from_value(file["model"].clone()).unwrap();
    assert_eq!((model.name.as_str(), file["model_hash"].as_str()), ("calibrated", Some(model.hash().as_str())));
    assert!(file["session"]["host"]["logical_cpus"].is_number());

    let measurements: Measurements = serde_json::from_value(file.clone()).unwrap();
    let searched = measurements.records.iter().map(|record| &record.cell.configuration);
    let mut shared = searched.filter(|configuration| configuration.threads > 1);
    assert!(shared.all(|it| it.features == "modern"));
    let one = &file["findings"]["one_processor"];
    assert_eq!((&one["other_trees"], &one["pairs"]), (&Value::from(0), &Value::from(6 * 2 + 18)), "{one}");
    assert_eq!(file["findings"]["trust"]["failed"], serde_json::json!([]));
    let compared = file["findings"]["many_processors"].as_array().unwrap();
    assert_eq!(compared.is_empty(), RealMachine::room() < 2);
    for many in compared {
        assert_eq!(many["pairs"], 12, "{many}");
        assert!(many["time_speedup"]["real"]["estimate"].as_f64().unwrap() > 0.0);
    }
    let mechanisms = file["findings"]["mechanisms"].as_array().unwrap();
    assert_eq!(mechanisms.len(), if RealMachine::room() < 2 { 0 } else { Mechanism::ALL.len() });
    for mechanism in mechanisms {
        assert!(["real_ns", "virtual_ns"].iter().all(|side| mechanism[side].as_f64().unwrap() > 0.0), "{mechanism}");
    }
    let html = std::fs::read_to_string(out.with_extension("html")).unwrap();
    let again = Validated::of(measurements);
    assert!(without_orders(&html) == without_orders(&again.page().unwrap()), "the file is not enough for the page");

    let shown = again.text();
    assert!(shown.lines().all(|line| line.chars().count() <= 110), "{shown}");
    if RealMachine::room() < 2 {
        assert!(shown.contains("Single mechanisms could not be compared"), "{shown}");
    } else {
        assert!(Mechanism::NAMES.iter().all(|name| shown.contains(name)), "{shown}");
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn bad_input_is_told_at_once() {
    let folder = folder("validate-bad");
    std::fs::create_dir_all(&folder).unwrap();
    let name = folder.to_str().unwrap();
    let below = folder.join("file");
    std::fs::write(&below, "").unwrap();
    let below = below.join("page.html");
    for (arguments, expected) in [
        (&["--out", name][..], "this is a folder"),
        (&["--out", below.to_str().unwrap()], "file"),
        (&["--seeds", "0"], "from 1 to 1000"),
        (&["--nodes", "5"], "1000"),
        (&["--features", "modernist"], "modern"),
        (&["--fast"], "unexpected argument"),
    ] {
        let output = validate(arguments);
        assert_eq!((output.status.code(), text(&output.stdout)), (Some(2), ""), "{arguments:?}");
        assert!(text(&output.stderr).contains(expected), "{arguments:?}: {}", text(&output.stderr));
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn the_help_has_examples() {
    let help = validate(&["--help"]);
    let examples = text(&help.stdout).lines().filter(|line| line.trim().starts_with("splitpoint validate")).count();
    assert_eq!(examples, 6, "{}", text(&help.stdout));
}
