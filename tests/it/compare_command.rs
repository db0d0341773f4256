//! `splitpoint compare`, on folders that the real binary has made, and the small commands beside it.

use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::OnceLock;

use serde_json::Value;
use splitpoint::chess::choice::BoardChoice;
use splitpoint::machine::cost::CostModel;

use crate::command_line::{file, splitpoint, stderr, stdout};

/// A few searches on both kinds of machine.
const EXPERIMENT: &str = r#"
title = "Small"
question = "Is it the same?"
baseline = 2
repetitions = 2

[positions]
ids = ["BK12", "BK03"]

[axes]
strategy = "ybwc"
depth = 3
hash = 1
features = "thesis"

[[plan]]
machine = "virtual"
threads = [1, 3]

[[plan]]
machine = "real"
threads = 1

[report] # drawing takes longer than all else here: of this chart there is nothing to draw
charts = ["effects"]
"#;

/// A run of the experiment, with changes.
fn run(name: &str, changes: &[&str]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("compare-{name}"));
    // What earlier tests have left.
    let _ = std::fs::remove_dir_all(&folder);
    let experiment = folder.with_extension("toml");
    std::fs::write(&experiment, EXPERIMENT).unwrap();
    let mut arguments = vec!["run", experiment.to_str().unwrap(), "--out", folder.to_str().unwrap()];
    changes.iter().for_each(|change| arguments.extend(["--set", change]));
    let output = splitpoint(&arguments);
    assert!(output.status.success(), "{}", stderr(&output));
    folder
}

#[test]
fn a_run_tells_what_has_changed_since_the_last_one_of_its_plan() {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("compare-last");
    let _ = std::fs::remove_dir_all(&place);
    std::fs::create_dir_all(&place).unwrap();
    let experiment = place.join("x.toml");
    std::fs::write(&experiment, EXPERIMENT.replace("[[plan]]\nmachine = \"real\"\nthreads = 1\n", "")).unwrap();
    let run = |name: &str, change: &str| {
        let out = place.join(name);
        let output =
            splitpoint(&["run", experiment.to_str().unwrap(), "--out", out.to_str().unwrap(), "--set", change]);
        assert!(output.status.success(), "{}", stderr(&output));
        stdout(&output)
    };
    assert!(!run("first", "axes.depth=3").contains("last "), "there is no run before");
    assert!(!run("deeper", "axes.depth=4").contains("last "), "another plan is no run before");
    let again = run("again", "axes.depth=3");
    let (_, last) = again.split_once("\nlast ").expect(&again);
    assert!(last.contains("first: no change") && last.contains("splitpoint compare "), "{last}");
}

/// The folders that most tests compare: the same twice, and one with another board and other seeds.
fn folders() -> &'static [PathBuf; 3] {
    static FOLDERS: OnceLock<[PathBuf; 3]> = OnceLock::new();
    FOLDERS.get_or_init(|| {
        [run("one", &[]), run("two", &["title=\"Again\""]), run("mailbox", &["axes.board=\"mailbox\"", "axes.seed=50"])]
    })
}

fn compare(folders: &[&Path], more: &[&str]) -> Output {
    let folders = folders.iter().map(|folder| folder.to_str().unwrap());
    splitpoint(&["compare"].into_iter().chain(folders).chain(more.iter().copied()).collect::<Vec<_>>())
}

fn json(folders: &[&Path], more: &[&str]) -> Value {
    let output = compare(folders, &[more, &["--json"]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn the_same_virtual_searches_are_identical_and_real_ones_are_compared() {
    let [one, two, _] = folders();
    let output = compare(&[one, two], &[]);
    assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""));
    let text = stdout(&output);
    assert!(text.lines().all(|line| line.chars().count() <= 100 && line.trim_end() == line), "{text}");
    assert!(text.contains("(Again)") && text.contains("Which is faster?"), "{text}");
    assert!(text.contains(" identical\n"), "{text}");

    let value = json(&[one, two], &[]);
    let comparisons = value["comparisons"].as_array().unwrap();
    let on = |machine: &'static str| comparisons.iter().filter(move |one| one["configuration"]["machine"] == machine);
    assert_eq!((on("virtual").count(), on("real").count()), (2, 1));
    for one in on("virtual") {
        for measure in ["time", "nodes"] {
            let found = &one[measure];
            assert_eq!((&found["verdict"], &found["p"]), (&Value::from("identical"), &Value::Null), "{one}");
            assert_eq!((found["ratio"].as_f64(), found["low"].as_f64()), (Some(1.0), Some(1.0)), "{one}");
        }
        assert_eq!((&one["paired"], &one["runs"], &one["positions"]), (&true.into(), &4.into(), &2.into()));
    }
    let real = on("real").next().unwrap();
    assert_eq!(real["nodes"]["verdict"], "equal", "one processor searches one tree");
    // So short a search does not tell whether it was disturbed, unless the host made it a long one.
    assert!(real["time"]["verdict"] == "disturbed" || !real["time"]["p"].is_null(), "{real}");
    assert!(real["time"]["low"].as_f64() < real["time"]["high"].as_f64(), "{real}");
    assert!(!value["differences"].to_string().contains("signature"), "{value}");
}

#[test]
fn what_is_ignored_may_differ() {
    let [one, _, mailbox] = folders();
    let refused = compare(&[one, mailbox], &[]);
    assert_eq!((refused.status.code(), stdout(&refused).as_str()), (Some(2), ""));
    assert!(stderr(&refused).contains("--ignore board,sliders"), "{}", stderr(&refused));
    let value = json(&[one, mailbox], &["--ignore", "board", "--margin", "10 %"]);
    assert_eq!((&value["margin"], &value["ignored"][1]), (&0.1.into(), &"sliders".into()));
    let comparisons = value["comparisons"].as_array().unwrap();
    assert_eq!(comparisons.len(), 3, "{value}");
    for one in comparisons {
        let boards = ["configuration", "configuration_against"].map(|side| one[side]["board"].as_str().unwrap());
        assert_eq!(boards, ["mailbox", "bitboards"]);
        assert_eq!(one["paired"], false, "the seeds are others");
        assert!(one["nodes"]["p"].is_number(), "{one}");
    }
    let differences = value["differences"].as_array().unwrap();
    assert!(differences.iter().any(|one| one["what"] == "board"), "{differences:?}");
}

#[test]
fn a_copied_folder_is_no_second_measurement() {
    let [one, ..] = folders();
    let copy = one.with_extension("copy");
    std::fs::create_dir_all(&copy).unwrap();
    for name in ["experiment.json", "environment.json", "journal.jsonl"] {
        std::fs::copy(one.join(name), copy.join(name)).unwrap();
    }
    let value = json(&[one, &copy, &copy], &[]);
    assert_eq!(value["folders"].as_array().unwrap().len(), 3);
    assert_eq!(value["differences"], serde_json::json!([]));
    let comparisons = value["comparisons"].as_array().unwrap();
    assert_eq!(comparisons.len(), 2 * 3, "{value}");
    for one in comparisons {
        let expected = if one["configuration"]["machine"] == "real" { "copied" } else { "identical" };
        assert_eq!((&one["time"]["verdict"], one["time"]["ratio"].as_f64()), (&expected.into(), Some(1.0)));
    }
    std::fs::remove_dir_all(copy).unwrap();
}

#[test]
fn a_table_is_written() {
    let [one, two, _] = folders();
    let table = one.with_extension("csv");
    let output = compare(&[one, two], &["--csv", table.to_str().unwrap(), "--interval", "like"]);
    assert!(output.status.success() && stdout(&output).contains("positions like these"), "{}", stderr(&output));
    let text = std::fs::read_to_string(&table).unwrap();
    assert_eq!(text.lines().count(), 4, "{text}");
    assert!(text.starts_with("folder,path,against,path_against,label,machine,strategy,engine,threads,"), "{text}");
    std::fs::remove_file(table).unwrap();
    let nowhere = compare(&[one, two], &["--csv", "/nowhere/table.csv"]);
    assert_eq!(nowhere.status.code(), Some(1));
    assert!(stderr(&nowhere).contains("/nowhere/table.csv"), "{}", stderr(&nowhere));
}

#[test]
fn bad_input_exits_2_and_says_why() {
    let [one, two, _] = folders();
    let [one, two] = [one, two].map(|folder| folder.to_str().unwrap());
    let here = std::env::temp_dir();
    let cases: [(&[&str], &str); 8] = [
        (&[one], "2"),
        (&[one, here.to_str().unwrap()], "this is not a run folder"),
        (&[one, "/nowhere/at/all"], "/nowhere/at/all"),
        (&[one, two, "--margin", "0"], "expected a share"),
        (&[one, two, "--margin", "nan%"], "expected a share"),
        (&[one, two, "--ignore", "bord"], "did you mean 'board'?"),
        (&[one, two, "--ignore", "machine"], "cannot be compared"),
        (&[one, two, "--interval", "those"], "these"),
    ];
    for (arguments, expected) in cases {
        let output = splitpoint(&[&["compare"], arguments].concat());
        assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(2), ""), "{arguments:?}");
        assert!(stderr(&output).contains(expected), "{arguments:?}: {}", stderr(&output));
    }
}

#[test]
fn the_help_has_examples_that_run() {
    let [one, two, _] = folders();
    let help = stdout(&splitpoint(&["compare", "--help"]));
    let examples: Vec<&str> = help.lines().filter_map(|line| line.trim().strip_prefix("splitpoint compare ")).collect();
    assert_eq!(examples.len(), 3, "{help}");
    for example in examples {
        let table = one.with_extension("example.csv");
        let example = example.replace("/tmp/c1", one.to_str().unwrap()).replace("/tmp/c2", two.to_str().unwrap());
        let example = example.replace("/tmp/compared.csv", table.to_str().unwrap());
        let example = example.replace("/tmp/compared.html", table.with_extension("html").to_str().unwrap());
        let arguments: Vec<&str> = ["compare"].into_iter().chain(example.split_whitespace()).collect();
        let output = splitpoint(&arguments);
        assert!(output.status.success(), "{example}: {}", stderr(&output));
        let _ = std::fs::remove_file(table);
    }
}

#[test]
fn experiments_are_listed() {
    let output = splitpoint(&["list", "experiments", "--json"]);
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();
    let experiments = value["experiments"].as_array().unwrap();
    assert!(experiments.len() >= 12, "{experiments:?}");
    for one in experiments {
        assert!(one["question"].as_str().unwrap().ends_with('?') && one["searches"].as_u64() > Some(0), "{one}");
    }
    let text = stdout(&splitpoint(&["list", "experiments"]));
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    let flattened = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for one in experiments {
        let name = one["experiment"].as_str().unwrap();
        let line =
            text.lines().find(|line| line.strip_prefix("  ").is_some_and(|line| line.split(' ').next() == Some(name)));
        let line = line.unwrap_or_else(|| panic!("{name}: {text}"));
        assert!(flattened.contains(&format!("({} searches)", one["searches"])), "{line}");
        let group = one["group"].as_str().unwrap();
        assert!(text.lines().any(|line| line == group), "{group}: {text}");
        assert!(one["time"].as_str().is_none_or(|time| line.contains(time)), "{line}");
    }
    // Of engines from outside nobody knows it.
    let timed = experiments.iter().filter(|one| one["time"].is_string()).count();
    assert!(timed >= experiments.len() / 2, "{timed} experiments tell their time");
}

#[test]
fn shells_complete_every_command() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let output = splitpoint(&["completions", shell]);
        assert!(output.status.success(), "{shell}");
        let script = stdout(&output);
        for word in ["compare", "reproduce", "--margin"] {
            assert!(script.contains(word.trim_start_matches('-')), "{shell} lacks {word}");
        }
    }
    assert_eq!(splitpoint(&["completions", "tcsh"]).status.code(), Some(2));
}

/// What comes with a package: manual pages, a citation, and the licences of what is inside.
#[test]
fn the_program_documents_itself() {
    let printed = |arguments: &[&str]| {
        let output = splitpoint(arguments);
        assert!(output.status.success(), "{}", stderr(&output));
        stdout(&output)
    };
    assert!(printed(&["man"]).contains(".TH splitpoint 1"));
    let folder = std::env::temp_dir().join(format!("splitpoint-man-{}", std::process::id()));
    printed(&["man", "--out", folder.to_str().unwrap()]);
    let page = std::fs::read_to_string(folder.join("splitpoint-run.1")).unwrap();
    assert!(page.contains("dry") && page.contains("Examples"), "{page}");
    std::fs::remove_dir_all(&folder).unwrap();
    let nowhere = splitpoint(&["man", "--out", "/dev/null/man"]);
    assert_eq!(nowhere.status.code(), Some(1), "{}", stderr(&nowhere));
    let version = env!("CARGO_PKG_VERSION");
    assert!(printed(&["cite"]).starts_with("@misc{splitpoint,\n"));
    assert!(printed(&["cite", "--format", "biblatex"]).starts_with("@software{splitpoint,\n"));
    assert!(printed(&["cite", "--format", "text"]).contains(&format!("(version {version}")));
    assert!(printed(&["cite", "--format", "cff"]).starts_with("cff-version: "));
    let texts = printed(&["licences"]);
    assert!(
        ["Permission is hereby granted", "Apache License", "SIL OPEN FONT LICENSE"]
            .iter()
            .all(|text| texts.contains(text))
    );
    // Whoever changes a library is reminded of its licence.
    let lock = include_str!("../../Cargo.lock");
    let list = printed(&["licences", "--list"]);
    let libraries: Vec<&str> = list.lines().skip(1).filter(|line| !line.starts_with("fonts")).collect();
    assert!(libraries.len() > 80, "{list}");
    for library in libraries {
        let (name, version) = library.split_once(',').unwrap().0.split_once(' ').unwrap();
        let locked = format!("name = \"{name}\"\nversion = \"{version}\"\n");
        assert!(lock.contains(&locked), "{library}: not in Cargo.lock; run scripts/licences.py");
    }
}

/// What bash completes behind these words, by the script that is printed.
fn completed(script: &str, words: &[&str]) -> Vec<String> {
    let typed: Vec<String> = ["splitpoint"].iter().chain(words).map(|word| format!("'{word}'")).collect();
    let (line, last) = (typed.join(" "), words.len());
    let program = format!(
        "source {script}; COMP_WORDS=({line} ''); COMP_CWORD={}; _splitpoint splitpoint '' \
         \"${{COMP_WORDS[{last}]}}\"; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
        last + 1
    );
    let output = std::process::Command::new("bash").args(["--norc", "-c", &program]).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    stdout(&output).lines().map(str::to_owned).collect()
}

#[test]
fn names_of_every_list_are_completed() {
    let path = file("completions.bash", &stdout(&splitpoint(&["completions", "bash"])));
    let script = path.to_str().unwrap();
    let listed = |what: &str, key: &str| -> Vec<String> {
        let list: Value = serde_json::from_slice(&splitpoint(&["list", what, "--json"]).stdout).unwrap();
        let entries = list[if key == "preset" { "presets" } else { what }].as_array().unwrap();
        entries.iter().map(|entry| entry[key].as_str().unwrap().to_owned()).collect()
    };
    let micros: Vec<String> = splitpoint::record::MICROS.iter().map(|&name| name.to_owned()).collect();
    let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
    let cases: [(&[&str], Vec<String>); 17] = [
        (&["run"], listed("experiments", "experiment")),
        (&["tournament"], listed("tournaments", "tournament")),
        (&["micro"], micros),
        (&["match"], listed("features", "preset")),
        (&["search", "--features"], listed("features", "preset")),
        (&["search", "--strategy"], listed("strategies", "strategy")),
        (&["match", "--b-strategy"], listed("strategies", "strategy")),
        (&["search", "--board"], words(BoardChoice::NAMES)),
        (&["perft", "--board"], listed("boards", "board")),
        (&["search", "--sliders"], listed("sliders", "sliders")),
        (&["search", "--costs"], words(&CostModel::NAMES)),
        (&["search"], listed("suites", "suite")),
        (&["search"], words(&["startpos", "BK09"])),
        (&["perft"], words(&["startpos", "kiwipete"])),
        (&["micro", "bits", "--position"], words(&["BK09"])),
        (&["match", "--machine"], words(&["real", "virtual"])),
        (&["list"], words(&["experiments", "costs"])),
    ];
    for (typed, expected) in cases {
        let found = completed(script, typed);
        let missing: Vec<&String> = expected.iter().filter(|name| !found.contains(name)).collect();
        assert!(missing.is_empty() && !expected.is_empty(), "{typed:?} lacks {missing:?} in {found:?}");
    }
    std::fs::remove_file(path).unwrap();
}
