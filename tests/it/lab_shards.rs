//! Parts of a plan, run apart and merged, are the whole run; what are no such parts is refused.

use super::command_line::{stderr, stdout};
use super::lab_folder::{Bench, TINY, done, ends_with};

/// With two sizes of the table there are four families of searches to share out.
const FAMILIES: usize = 4;

fn experiment() -> String {
    TINY.replace("hash = 1", "hash = [1, 2]")
}

#[test]
fn shards_merged_are_the_whole_run() {
    let bench = Bench::new("shards");
    let file = bench.write("x.toml", experiment());
    done(&["run", &file, "--out", &bench.at("whole")]);
    let whole = bench.indices("whole");
    // With more shards than families some have nothing to do.
    for of in [3, FAMILIES + 1] {
        let names: Vec<String> = (1..=of).map(|number| format!("part-{number}-of-{of}")).collect();
        let folders: Vec<String> = names.iter().map(|name| bench.at(name)).collect();
        let mut all = Vec::new();
        for (i, folder) in folders.iter().enumerate() {
            done(&["run", &file, "--shard", &format!("{}/{of}", i + 1), "--out", folder]);
            let own = bench.indices(&names[i]);
            assert_eq!(own.is_empty(), i >= FAMILIES, "{own:?}");
            all.extend(own);
        }
        all.sort_unstable();
        assert_eq!(all, whole, "together all cells, each once");
        let merged = format!("merged-of-{of}");
        // In whatever order.
        let parts: Vec<&str> = folders.iter().rev().map(String::as_str).collect();
        let output = done(&[&["merge"], &parts[..], &["--out", &bench.at(&merged)]].concat());
        assert!(stdout(&output).contains(&format!("{} records of {of} folders", whole.len())), "{}", stdout(&output));
        for name in ["runs.csv", "summary.csv", "positions.csv"] {
            assert!(bench.read(&format!("{merged}/{name}")) == bench.read(&format!("whole/{name}")), "{name}");
        }
        assert!(bench.text(&format!("{merged}/environment.json")).matches("\"started\"").count() == of);
    }
}

#[test]
fn an_incomplete_merge_is_told_and_can_be_completed() {
    let bench = Bench::new("incomplete");
    let file = bench.write("x.toml", experiment());
    let part = |number: u32, of: u32| {
        let folder = bench.at(&format!("part-{number}-of-{of}"));
        done(&["run", &file, "--shard", &format!("{number}/{of}"), "--out", &folder, "--resume"]);
        folder
    };
    let (first, third) = (part(1, 4), part(3, 4));
    let merged = bench.at("merged");
    let before = bench.files("");
    let output = ends_with(1, &["merge", &first, &third, "--out", &merged]);
    assert!(stderr(&output).contains("20 cells of the plan have no record"), "{}", stderr(&output));
    assert!(bench.files("") == before, "nothing is left behind");
    let output = done(&["merge", &first, &third, "--out", &merged, "--incomplete"]);
    assert!(stdout(&output).contains("20 cells of the plan have no record"), "{}", stdout(&output));
    let known = bench.records("merged");
    assert_eq!(known.len(), 20);
    done(&["run", &file, "--out", &merged, "--resume"]);
    assert_eq!(bench.indices("merged"), (0..40).collect::<Vec<_>>());
    assert!(bench.records("merged").starts_with(&known), "what was there is not measured again");

    // Parts of other partitions overlap, and so does a part with itself; another plan's part is foreign.
    let (half, other) = (part(1, 2), bench.at("other"));
    done(&["run", &file, "--set", "axes.depth=4", "--shard", "2/4", "--out", &other]);
    for (parts, expected) in [
        ([&first, &half], "hold the same cells"),
        ([&first, &first], "hold the same cells"),
        ([&first, &other], "hold different plans"),
    ] {
        let output = ends_with(2, &["merge", parts[0], parts[1], "--out", &bench.at("refused")]);
        assert!(stderr(&output).contains(expected), "{}", stderr(&output));
        assert!(!std::path::Path::new(&bench.at("refused")).exists());
    }
    // The corrected command works, and no other replaces what it made.
    let parts: Vec<String> = (1..=4).map(|number| part(number, 4)).collect();
    let corrected = ["merge", &parts[0], &parts[1], &parts[2], &parts[3], "--out", &bench.at("refused")];
    done(&corrected);
    assert_eq!(bench.indices("refused"), (0..40).collect::<Vec<_>>());
    let whole = bench.files("refused");
    let output = ends_with(2, &corrected);
    assert!(stderr(&output).contains("already holds a run"), "{}", stderr(&output));
    assert!(bench.files("refused") == whole);
}
