//! What the laboratory refuses, and what it says then: the status tells who is to blame, the text names file, line and
//! key.

use std::path::Path;
use std::process::Command;

use super::command_line::{stderr, stdout};
use super::lab_folder::{Bench, TINY, done, ends_with};

/// Two million combinations of parameters.
const MANY_COMBINATIONS: &str = "[strategy.ybwc]\n\
    minimum-draft = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]\n\
    all-after = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]\n\
    cut-after = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]\n\
    crowding = [1, 2, 3, 4, 5, 6, 7, 8]\n\
    helpful-master = [true, false]\n";

/// Blocks that have a depth of their own.
const REPLACED: &str = "positions.ids = [\"BK03\"]\nplan = [{ depth = 2 }, { depth = 3 }]\n";

#[test]
fn a_wrong_experiment_is_pointed_at() {
    let bench = Bench::new("wrong");
    // The file, what is added to the command, and what the message has.
    let cases: [(&str, &[&str], &[&str]); 24] = [
        (
            "title = \"x\"\n[axes]\ntreads = 1\n",
            &[],
            &["line 3, key 'axes.treads'", "did you mean 'threads'?", "^^^^^^"],
        ),
        ("titel = \"x\"\n", &[], &["line 1, key 'titel'", "did you mean 'title'?"]),
        ("[positions]\nsuite = \"thesis-11\"\n", &[], &["line 2, key 'positions.suite'", "did you mean 'thesis-10'?"]),
        ("positions.ids = \"BK90\"\n", &[], &["line 1, key 'positions.ids'", "'BK90'", "did you mean 'BK09'?"]),
        ("positions.epd = \"nowhere.epd\"\n", &[], &["key 'positions.epd'", "nowhere.epd"]),
        (
            "\naxes.threads = \"0..=4\"\n",
            &[],
            &["line 2, key 'axes.threads'", "0 is out of range: must be from 1 to 1024", "\"0..=4\""],
        ),
        ("axes.strategy = \"ybwc,minimum-dratf=3\"\n", &[], &["line 1, key 'axes.strategy'", "'minimum-draft'"]),
        ("[strategy.ybwc]\nminimum_dratf = 3\n", &[], &["key 'strategy.ybwc'", "did you mean 'minimum-draft'?"]),
        (MANY_COMBINATIONS, &[], &["key 'strategy.ybwc.helpful-master'", "more than 10000 combinations"]),
        ("[report]\ncharts = [\"speedups\"]\n", &[], &["line 2, key 'report.charts'", "did you mean 'speedup'?"]),
        ("[report]\ncolumn = \"singel\"\n", &[], &["line 2, key 'report.column'", "did you mean 'single'?"]),
        ("axes.machine = \"virtual\"\nexclude = [{ machine = \"virtual\" }]\n", &[], &["the plan is empty"]),
        (
            "[report]\nreference = { strategy = \"lazy\" }\n",
            &[],
            &["line 2, key 'report.reference.strategy': no search of the plan matches strategy = lazy", "^^^^^^"],
        ),
        (
            "[strategy.ybwc]\nminimum-draft = [2, 3]\n[report]\nreference = { strategy = \"ybwc\" }\n",
            &[],
            &[
                "line 4, key 'report.reference.strategy'",
                "stands for 2 values, such as 'ybwc,+minimum-draft=2' and 'ybwc'",
            ],
        ),
        (
            "axes.threads = 2\n[[exclude]]\nthreads = 3\n",
            &[],
            &["line 3, key 'exclude.threads': no search of the plan matches threads = 3", "^"],
        ),
        ("axes = \n", &[], &["line 1"]),
        (TINY, &["--set", "axes.depth"], &["--set axes.depth", "expected KEY=VALUE"]),
        (TINY, &["--set", "axes.dept=3"], &["key 'axes.dept'", "did you mean 'depth'?"]),
        (TINY, &["--set", "axes.depth=deep"], &["key 'axes.depth'", "'deep' is not a range"]),
        (REPLACED, &["--set", "axes.depth=4"], &["key 'axes.depth'", "it has no effect", "set plan.depth"]),
        (REPLACED, &["--set", "axes.depth=deep"], &["key 'axes.depth'", "'deep' is not a range"]),
        (TINY, &["--set", "title.x=1"], &["--set title.x=1", "not a table"]),
        (TINY, &["--shard", "4/3"], &["'4/3'", "for example 1/3"]),
        (TINY, &["--resume"], &["--out"]),
    ];
    for (text, more, expected) in cases {
        let file = bench.write("wrong.toml", text);
        let output = ends_with(2, &[&["run", &file], more].concat());
        let is_of_file = !more.contains(&"--shard") && !more.contains(&"--resume") && !text.contains("exclude");
        let is_of_set = more.contains(&"--set");
        let names: &[&str] = if is_of_file && !is_of_set { &["wrong.toml"] } else { &[] };
        for part in names.iter().chain(expected) {
            assert!(stderr(&output).contains(part), "{text} {more:?} lacks {part:?}:\n{}", stderr(&output));
        }
    }
    let json = bench.write("wrong.json", "{\"axes\": {\"threads\": 0}");
    let output = ends_with(2, &["run", &json]);
    assert!(stderr(&output).contains("wrong.json") && stderr(&output).contains("line 1"), "{}", stderr(&output));
    assert_eq!(bench.files("").len(), 2, "nothing was begun");
}

#[test]
fn what_is_not_there_is_named() {
    let bench = Bench::new("missing");
    std::fs::create_dir(bench.at("empty")).unwrap();
    let (nowhere, empty) = (bench.at("nowhere"), bench.at("empty"));
    let cases: [(&[&str], &str); 6] = [
        (&["run", &nowhere], &nowhere),
        (&["run", "quik"], "did you mean 'quick'?"),
        (&["report", &nowhere], &nowhere),
        (&["report", &empty], "this is not a run folder"),
        (&["merge", &empty, "--out", &nowhere], "this is not a run folder"),
        (&["merge", &empty], "--out"),
    ];
    for (arguments, expected) in cases {
        let output = ends_with(2, arguments);
        assert!(stderr(&output).contains(expected), "{arguments:?}: {}", stderr(&output));
    }
    assert!(!std::path::Path::new(&nowhere).exists());
}

#[test]
fn a_folder_that_cannot_be_made_is_no_fault_of_the_user() {
    let bench = Bench::new("unwritable");
    let file = bench.write("tiny.toml", TINY);
    // Below a file there are no folders, not even for root.
    let out = format!("{file}/out");
    let output = ends_with(1, &["run", &file, "--out", &out]);
    assert!(stderr(&output).contains(&out), "{}", stderr(&output));
}

#[test]
fn a_folder_is_for_one_plan_and_one_search() {
    let bench = Bench::new("changed");
    let (file, out) = (bench.write("tiny.toml", TINY), bench.at("out"));
    let run = ["run", &file, "--out", &out];
    done(&run);
    let resume = [&run[..], &["--resume"]].concat();
    done(&resume);
    let whole = bench.files("out");

    let refused = |arguments: &[&str], expected: &str| {
        let before = bench.files("out");
        let output = ends_with(2, arguments);
        assert!(stderr(&output).contains(expected), "{arguments:?}: {}", stderr(&output));
        assert!(bench.files("out") == before, "{arguments:?}: nothing is touched");
    };
    refused(&run, "already holds a run\n  Complete it with --resume");
    refused(&[&resume[..], &["--set", "axes.depth=4"]].concat(), "the experiment has changed");
    refused(&[&resume[..], &["--shard", "1/2"]].concat(), "it holds the whole plan, and shard 1/2 was asked for");
    refused(&["merge", &out, "--out", &out], "already holds a run");

    let experiment = bench.text("out/experiment.json");
    let line = experiment.lines().find(|line| line.contains("\"signature\"")).unwrap();
    bench.write_sealed("out/experiment.json", &experiment.replace(line, "  \"signature\": 1,"));
    refused(&resume, "the search has changed (signature 1 then");
    bench.write("out/experiment.json", "{");
    refused(&resume, "experiment.json");
    std::fs::remove_file(bench.at("out/experiment.json")).unwrap();
    refused(&run, "but no experiment.json");
    refused(&resume, "but no experiment.json");

    // With what it said before, all is as it was.
    bench.write("out/experiment.json", experiment);
    done(&["report", &out]);
    assert!(bench.files("out") == whole);
}

#[test]
fn real_searches_are_resumed_on_their_computer_only() {
    let bench = Bench::new("computer");
    let (file, out) = (bench.write("tiny.toml", TINY), bench.at("out"));
    let run = ["run", &file, "--out", &out, "--set", "axes.machine=real", "--set", "axes.threads=1"];
    done(&run);
    let resume = [&run[..], &["--resume"]].concat();
    let (environment, journal) = (bench.text("out/environment.json"), bench.text("out/journal.jsonl"));
    let changed = environment.replace("\"processor\": \"", "\"processor\": \"Another than the ");
    assert_ne!(changed, environment);

    // A report is made anywhere.
    bench.write_sealed("out/environment.json", &changed);
    done(&resume);
    let shorter: String = journal.lines().skip(1).map(|line| format!("{line}\n")).collect();
    bench.write_sealed("out/environment.json", &changed);
    bench.write("out/journal.jsonl", shorter.clone());
    let output = ends_with(2, &resume);
    assert!(stderr(&output).contains("made on another computer (Another than the "), "{}", stderr(&output));
    assert_eq!(bench.text("out/journal.jsonl"), shorter);
    bench.write("out/environment.json", environment);
    done(&resume);
}

/// The program in a folder without those beside it.
fn alone(bench: &Bench) -> String {
    std::fs::create_dir_all(bench.at("alone/bin")).unwrap();
    let program = bench.at("alone/bin/splitpoint");
    let built = env!("CARGO_BIN_EXE_splitpoint");
    std::fs::hard_link(built, &program).or_else(|_| std::fs::copy(built, &program).map(|_| ())).unwrap();
    program
}

/// Boards that serve comparisons are left to the program beside this one, with all that was asked for; without it,
/// nothing is begun.
#[cfg(unix)]
#[test]
fn searches_on_other_boards_are_handed_over() {
    use std::os::unix::fs::PermissionsExt;

    let bench = Bench::new("handed-over");
    let file = bench.write("array.toml", "axes = { board = \"array\", machine = \"real\", depth = 2 }\n");
    let program = alone(&bench);
    let out = bench.at("out");
    let [run, search] = [["run", file.as_str(), "--out", &out], ["search", "BK12", "--board", "array"]];
    let ask = |arguments: &[&str]| Command::new(&program).args(arguments).output().unwrap();
    for arguments in [&run[..], &[&run[..], &["--dry-run"]].concat(), &search, &["bench", "--board", "array"]] {
        let refused = ask(arguments);
        assert_eq!(refused.status.code(), Some(2), "{refused:?}");
        assert!(stderr(&refused).contains("is not there: cargo build --release -p splitpoint-boards"), "{refused:?}");
        assert!(!Path::new(&out).exists(), "the program may be built, and the same command repeated");
    }
    let other =
        bench.write("alone/bin/splitpoint-boards", "#!/bin/sh\necho \"$@\" ${#SPLITPOINT_HANDED_OVER_BY}\nexit 7\n");
    std::fs::set_permissions(other, std::fs::Permissions::from_mode(0o755)).unwrap();
    for arguments in [run, search] {
        let ended = ask(&arguments);
        assert_eq!((stdout(&ended), ended.status.code()), (format!("{} 16\n", arguments.join(" ")), Some(7)));
    }
    // In simulated time nothing is left to others.
    assert!(ask(&[&search[..], &["--machine", "virtual", "--depth", "2"]].concat()).status.success());
}

/// The program alone, without the one beside it that makes micro-measurements, says so before it measures anything.
#[test]
fn micro_measurements_need_their_program() {
    let bench = Bench::new("micro");
    let file = bench.write("micro.toml", "axes.micro = \"copy\"\n");
    let program = alone(&bench);
    let out = bench.at("out");
    let run = |more: &[&str]| Command::new(&program).args(["run", &file, "--out", &out]).args(more).output().unwrap();
    let refused = run(&[]);
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    assert!(stderr(&refused).contains("is not there: cargo build --release -p splitpoint-micro"), "{refused:?}");
    assert!(!Path::new(&out).exists(), "another program may be built, and the same command repeated");
    assert!(run(&["--dry-run"]).status.success());
}

/// A folder that nobody may write to, not even an administrator, is refused with what to do.
#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_cannot_be_made_is_refused_with_what_to_do() {
    let bench = Bench::new("no-folder");
    let file = bench.write("tiny.toml", TINY);
    let refused = ends_with(2, &["run", &file, "--out", "/sys/nowhere"]);
    assert!(stderr(&refused).contains("choose another folder with --out"), "{}", stderr(&refused));
}
