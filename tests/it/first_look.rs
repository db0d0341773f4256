//! What a new user runs first ends in a valid answer: its searches are large enough for their processors.

use std::path::Path;
use std::process::Command;

use super::command_line::{stderr, stdout};
use super::lab_folder::{Bench, done, ends_with};

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

/// Nodes a second, speedup, size of the tree, hash hits and move ordering, whatever is searched; and any other chart of
/// a folder that has its figures, without another run.
#[test]
fn every_run_has_the_charts_that_everybody_asks_for() {
    let bench = Bench::new("charts");
    let file = bench.write(
        "charts.toml",
        "positions.ids = [\"BK03\", \"BK09\"]\n\
         [axes]\nmachine = \"virtual\"\nboard = [\"bitboards\", \"mailbox\"]\nstrategy = [\"root\", \"ybwc\"]\n\
         threads = [1, 2, 4]\ndepth = 5\nhash = 1\n",
    );
    let out = bench.at("out");
    done(&["run", &file, "--out", &out]);
    let is_drawn = |name: &str| Path::new(&out).join("charts").join(format!("{name}.svg")).is_file();
    // In simulated time all boards begin at the same speed, so that it is drawn relative to one processor.
    let usual = ["time-speedup", "speedup", "tree-size", "hash", "order"];
    assert_eq!(usual.map(is_drawn), [true; 5]);
    let curves = std::fs::read_to_string(bench.at("out/curves.csv")).unwrap();
    for column in ["strategy", "board", "nps", "time_speedup_low", "nodes_ratio_low", "thesis_hash_share_low"] {
        assert!(curves.lines().next().unwrap().split(',').any(|name| name == column), "{column}");
    }
    assert!(curves.contains(",ybwc,mailbox,") && curves.contains(",root,bitboards,"), "{curves}");

    assert!(!is_drawn("search-speed"));
    done(&["report", &out, "--chart", "search-speed"]);
    assert!(is_drawn("search-speed") && usual.iter().all(|name| is_drawn(name)));
    let refused = stderr(&ends_with(2, &["report", &out, "--chart", "hash-size"]));
    assert!(refused.contains("the folder has no figures for the chart 'hash-size'"), "{refused}");
    assert!(is_drawn("order"), "a report that is refused leaves the one before");
    ends_with(2, &["report", &out, "--chart", "no-such-chart"]);
}
