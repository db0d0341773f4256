//! Terminals and files to which nothing can be written: results that are lost are an error, progress that nobody sees
//! is none, and nothing panics.

use std::fs::File;
#[cfg(unix)]
use std::os::unix::fs::FileTypeExt;
use std::process::{Command, Output};

use crate::command_line::stderr;
use crate::lab_folder::{Bench, TINY, done};

/// The device that refuses every byte for want of space.
const FULL: &str = "/dev/full";

fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_splitpoint"));
    command.args(arguments).current_dir(std::env::temp_dir());
    command
}

fn full() -> File {
    File::options().write(true).open(FULL).unwrap()
}

/// A command of each kind, with the status that it has where there is room to write.
fn commands(bench: &Bench) -> Vec<(Vec<String>, i32)> {
    let file = bench.write("tiny.toml", TINY);
    let (first, second) = (bench.at("first"), bench.at("second"));
    for (out, shard) in [(&first, "1/2"), (&second, "2/2")] {
        done(&["run", &file, "--out", out, "--shard", shard]);
    }
    let both = bench.at("both");
    done(&["merge", &first, &second, "--out", &both]);
    let next = std::cell::Cell::new(0);
    let new = || {
        next.set(next.get() + 1);
        bench.at(&format!("new-{}", next.get()))
    };
    let wrong = bench.write("wrong.toml", "titel = 1\n");
    let cases: [(&[&str], i32); 21] = [
        (&["run", &file, "--out", &new()], 0),
        (&["run", &file, "--dry-run"], 0),
        (&["run", "--schema"], 0),
        (&["report", &both], 0),
        (&["compare", &both, &both], 0),
        (&["merge", &first, &second, "--out", &new()], 0),
        (&["search", "BK12", "--depth", "3"], 0),
        (&["search", "BK12", "--depth", "3", "--json"], 0),
        (&["search", "BK12", "--depth", "3", "--iterations"], 0),
        (&["perft", "startpos", "--depth", "2"], 0),
        (&["list", "strategies"], 0),
        (&["machine"], 0),
        (&["completions", "bash"], 0),
        (&["licences"], 0),
        (&["man"], 0),
        (&["cite"], 0),
        (&["--version"], 0),
        (&["validate", "--help"], 0),
        (&["reproduce", "--help"], 0),
        (&["search", "--hash", "0"], 2),
        (&["run", &wrong], 2),
    ];
    cases.iter().map(|(arguments, status)| (arguments.iter().map(|&one| one.to_owned()).collect(), *status)).collect()
}

fn has_not_panicked(arguments: &[String], output: &Output) {
    let text = stderr(output);
    for word in ["panicked", "backtrace", "RUST_BACKTRACE"] {
        assert!(!text.contains(word), "{arguments:?}\n{text}");
    }
}

#[test]
fn results_that_cannot_be_written_are_an_error() {
    let bench = Bench::new("full-output");
    // One that would take long if it went on.
    let long = (vec!["bench".to_owned()], 0);
    for (arguments, status) in commands(&bench).into_iter().chain([long]) {
        let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let output = program(&words).stdout(full()).output().unwrap();
        has_not_panicked(&arguments, &output);
        // Bad usage has nothing to write there.
        let expected = if status == 0 { 1 } else { status };
        assert_eq!(output.status.code(), Some(expected), "{arguments:?}\n{}", stderr(&output));
        let last = stderr(&output).lines().last().unwrap_or_default().to_owned();
        assert_eq!(last.starts_with("error: cannot write the results: "), status == 0, "{arguments:?}\n{last}");
    }
    // Whatever was measured is kept.
    assert_eq!(bench.indices("new-1"), (0..20).collect::<Vec<_>>());
}

#[test]
fn progress_that_cannot_be_shown_ends_nothing() {
    let bench = Bench::new("full-errors");
    for (arguments, status) in commands(&bench) {
        let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let output = program(&words).stderr(full()).output().unwrap();
        assert_eq!(output.status.code(), Some(status), "{arguments:?}");
        assert_eq!(output.stdout.is_empty(), status != 0, "{arguments:?}");
    }
}

/// A page that is to be written to a device or through a link goes there, and takes the place of neither.
#[cfg(unix)]
#[test]
fn what_the_user_names_is_written_as_it_is() {
    let bench = Bench::new("named-output");
    let show = |page: &str| program(&["show", "BK12", "--tree", "--depth", "2", "--page", page]).output().unwrap();
    let refused = show(FULL);
    assert_eq!(refused.status.code(), Some(1), "{}", stderr(&refused));
    assert!(stderr(&refused).contains("No space left"), "{}", stderr(&refused));
    assert!(std::fs::metadata(FULL).unwrap().file_type().is_char_device());
    let (real, link) = (bench.write("real.html", "old"), bench.at("link.html"));
    std::os::unix::fs::symlink(&real, &link).unwrap();
    assert!(show(&link).status.success());
    assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink() && bench.text("real.html").contains("<html"));
    let dangling = bench.at("dangling.html");
    std::os::unix::fs::symlink(bench.at("new.html"), &dangling).unwrap();
    assert!(show(&dangling).status.success());
    assert!(std::fs::symlink_metadata(&dangling).unwrap().is_symlink() && bench.text("new.html").contains("<html"));
}
