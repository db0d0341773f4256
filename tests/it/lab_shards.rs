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
    assert!(
        stderr(&output).contains("20 cells of the plan without a record (20 of other shards)"),
        "{}",
        stderr(&output)
    );
    assert!(bench.files("") == before, "nothing is left behind");
    let output = done(&["merge", &first, &third, "--out", &merged, "--incomplete"]);
    assert!(
        stdout(&output).contains("20 cells of the plan without a record (20 of other shards)"),
        "{}",
        stdout(&output)
    );
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

/// Launchers of a few lines that run each task at once.
#[cfg(unix)]
const LAUNCHERS: [(&str, &str, &str); 3] = [
    (
        "slurm",
        "sbatch",
        r#"count=0
        for word; do case $word in --array=1-*) count=${word#--array=1-} ;; esac; done
        while case $1 in --*) true ;; *) false ;; esac; do shift; done
        echo 7
        [ "$count" -gt 0 ] || exec "$@" > /dev/null
        for i in $(seq "$count"); do SLURM_ARRAY_TASK_ID=$i "$@" > /dev/null; done"#,
    ),
    (
        "hq",
        "hq",
        r#"for word; do case $word in --array=1-*) count=${word#--array=1-} ;; esac; done
        while [ "$1" != -- ]; do shift; done
        shift
        for i in $(seq "$count"); do HQ_TASK_ID=$i "$@" > /dev/null; done"#,
    ),
    (
        "htcondor",
        "condor_submit",
        r#"[ $# = 1 ] || exit 0
        program=$(sed -n 's/^executable = //p' "$1") words=$(sed -n 's/^arguments = "\(.*\)"$/\1/p' "$1")
        for i in $(seq "$(sed -n 's/^queue //p' "$1")"); do
            eval "set -- $(echo "$words" | sed "s/\$INT(TASK)/$i/")"
            "$program" "$@" > /dev/null
        done"#,
    ),
];

/// `scripts/shards.sh` with the programs of this folder before all others.
#[cfg(unix)]
pub fn shards(folder: &str, arguments: &[&str]) -> std::process::Command {
    let path = format!("{folder}:{}", std::env::var("PATH").unwrap_or_default());
    let mut command = std::process::Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/shards.sh"));
    command.args(arguments).env("PATH", path).env("SPLITPOINT", env!("CARGO_BIN_EXE_splitpoint"));
    command
}

/// A folder with launchers of a few lines in place of the real ones.
#[cfg(unix)]
pub fn launchers(bench: &Bench) -> String {
    use std::os::unix::fs::PermissionsExt;

    std::fs::create_dir(bench.at("bin")).unwrap();
    let program = |name: &str, text: &str| {
        let path = bench.write(&format!("bin/{name}"), format!("#!/bin/sh\n{text}\n"));
        std::fs::set_permissions(path, PermissionsExt::from_mode(0o755)).unwrap();
    };
    for (_, name, text) in LAUNCHERS {
        program(name, text);
    }
    program("condor_wait", "exit 0");
    bench.at("bin")
}

#[cfg(unix)]
#[test]
fn every_launcher_runs_the_whole() {
    let bench = Bench::new("shards-launchers");
    // Words with blanks reach the tasks as they are.
    let (file, bin) = (bench.write("x.toml", experiment()), launchers(&bench));
    let title = "title=\"It is a test\"";
    done(&["run", &file, "--set", title, "--out", &bench.at("whole")]);
    let mut launchers: Vec<&str> = LAUNCHERS.iter().map(|(launcher, ..)| *launcher).collect();
    match splitpoint::outside::programs::program("parallel") {
        Some(_) => launchers.push("parallel"),
        None => eprintln!("no GNU parallel here: its launcher is not tested"),
    }
    for launcher in launchers {
        let out = bench.at(&format!("by {launcher}"));
        let run = shards(&bin, &[launcher, "--share", "--set", title, &file, &out, "3"]).output().unwrap();
        assert!(run.status.success(), "{launcher}: {} {}", stdout(&run), stderr(&run));
        for name in ["runs.csv", "summary.csv"] {
            let both = [format!("by {launcher}/whole/{name}"), format!("whole/{name}")].map(|name| bench.read(&name));
            assert!(both[0] == both[1], "{launcher}: {name}");
        }
    }
    for (arguments, expected) in [
        (&["slurm", &file, "out", "1001"][..], "the launcher hq packs them"),
        (&["slurn", &file, "out"], "unknown launcher 'slurn'"),
        (&["hq", "--nodes", "2", &file, "out"], "--nodes is for slurm only"),
        (&["htcondor", &file, "out"], "request_cpus = 16"),
        (&["slurm", "--sahre", &file, "out"], "unknown option '--sahre'"),
    ] {
        let run = shards(&bin, arguments).output().unwrap();
        assert!(run.status.code() == Some(2) && stderr(&run).contains(expected), "{expected}: {}", stderr(&run));
    }
}
