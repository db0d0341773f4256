//! What a new user runs first ends in a valid answer: its searches are large enough for their processors.

use std::path::Path;
use std::process::Command;

use super::command_line::{stderr, stdout};
use super::lab_folder::Bench;

/// Words of the warning that searches are too small.
const TOO_SMALL: &str = "are too small for";

fn dry_run(arguments: &[&str], folder: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_splitpoint"));
    let output = command.arg("run").args(arguments).arg("--dry-run").current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
    stdout(&output)
}

#[test]
fn the_first_experiments_are_large_enough() {
    let bench = Bench::new("first-look");
    let readme = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    let example = readme.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    std::fs::write(bench.at("mine.toml"), example).unwrap();
    let folder = bench.at("");
    let only_virtual = ["--set", "plan.0.machine=virtual", "--set", "plan.0.threads=2"];
    for arguments in [vec!["mine.toml"], [&["quick"], &only_virtual[..]].concat()] {
        let told = dry_run(&arguments, &folder);
        assert!(!told.contains(TOO_SMALL), "{arguments:?}: {told}");
    }
    // The warning is there where it should be: virtual time does not depend on what else runs.
    let small = dry_run(&["mine.toml", "--set", "axes.size=20ms"], &folder);
    assert!(small.contains(TOO_SMALL), "{small}");
}
