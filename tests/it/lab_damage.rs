//! Folders that somebody else made, changed or damaged: nothing of the user's is overwritten, whatever is left out is
//! said, and what is whole stays readable.

use std::path::Path;

use crate::command_line::{stderr, stdout};
use crate::lab_folder::{Bench, TINY, begin, done, ends_with, without_checksums};

/// A folder with a whole run of [`TINY`].
fn tiny(name: &str) -> (Bench, String, String) {
    let bench = Bench::new(name);
    let file = bench.write("tiny.toml", TINY);
    let out = bench.at("out");
    done(&["run", &file, "--out", &out]);
    (bench, file, out)
}

#[cfg(unix)]
#[test]
fn links_of_somebody_else_lead_nowhere() {
    let (bench, file, out) = tiny("links");
    let notes = bench.write("notes", "mine");
    let link = |name: &str| {
        let _ = std::fs::remove_file(format!("{out}/{name}"));
        std::os::unix::fs::symlink(&notes, format!("{out}/{name}")).unwrap();
    };
    for name in [".lock", "journal.jsonl"] {
        let before = std::fs::read(format!("{out}/{name}")).unwrap();
        link(name);
        let refused = ends_with(2, &["run", &file, "--out", &out, "--resume"]);
        assert!(
            stderr(&refused).contains("it is a link, and a file is going to be written there"),
            "{}",
            stderr(&refused)
        );
        std::fs::remove_file(format!("{out}/{name}")).unwrap();
        std::fs::write(format!("{out}/{name}"), before).unwrap();
    }
    let journal = bench.text("out/journal.jsonl");
    bench.write("out/journal.jsonl", &journal[..journal.len() - 40]);
    let names = ["runs.csv", "summary.md", "report.html", "report.html.new", "charts/speedup.svg", "journal.half-line"];
    names.into_iter().chain(["environment.json", "environment.json.new"]).for_each(link);
    std::fs::remove_file(format!("{out}/environment.json")).unwrap();
    done(&["run", &file, "--out", &out, "--resume"]);
    // A tournament keeps each pairing in a folder of its own.
    let (games, elsewhere) = (bench.at("games"), bench.at("elsewhere"));
    let tournament = ["tournament", "presets", "--set", "games=2", "--set", "every.nodes=50", "--out", &games];
    done(&tournament);
    let pairings = bench.at("games/games");
    let pairing = std::fs::read_dir(&pairings).unwrap().map(|entry| entry.unwrap().path()).min().unwrap();
    std::fs::create_dir(&elsewhere).unwrap();
    for folder in [pairing.as_path(), Path::new(&pairings)] {
        std::fs::remove_dir_all(folder).unwrap();
        std::os::unix::fs::symlink(&elsewhere, folder).unwrap();
        assert!(stderr(&ends_with(2, &tournament)).contains("it is a link, and games are going to be written there"));
        assert_eq!(std::fs::read_dir(&elsewhere).unwrap().count(), 0);
    }
    assert_eq!(bench.text("notes"), "mine");
    assert!(bench.text("out/report.html").contains("<html"));
}

#[test]
fn a_damaged_line_is_set_aside_by_everybody_who_reads() {
    let (bench, file, out) = tiny("damaged-lines");
    let whole = bench.text("out/journal.jsonl");
    done(&["run", &file, "--out", &bench.at("other")]);
    let tables = |folder: &str| ["summary.csv", "positions.csv"].map(|name| bench.read(&format!("{folder}/{name}")));
    // A key that is damaged, and, where there are checksums, a number.
    let damaged = whole.replacen("\"position\":", "\"qosition\":", 1);
    for (journal, why) in [
        (
            damaged.replacen("\"nodes\":", "\"nodes\":1", 2),
            "line 1 of journal.jsonl is damaged and set aside: its checksum is wrong",
        ),
        (
            without_checksums(&damaged),
            "line 1 of journal.jsonl contradicts itself and is set aside: it names no position",
        ),
    ] {
        bench.write("out/journal.jsonl", journal);
        let said = |output: &std::process::Output| {
            let text =
                (stdout(output) + &stderr(output)).split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
            assert!(text.contains(why), "{why}: {text}");
        };
        said(&done(&["report", &out]));
        said(&done(&["compare", &out, &bench.at("other")]));
        said(&done(&["run", &file, "--out", &bench.at("again"), "--reuse", &out]));
        said(&done(&["run", &file, "--out", &out, "--resume"]));
        assert!(tables("out") == tables("other"), "measured again");
        std::fs::remove_dir_all(bench.at("again")).unwrap();
    }
}

#[test]
fn a_folder_holds_one_kind_of_results() {
    let (bench, file, out) = tiny("kinds");
    let page = bench.read("out/report.html");
    let games = ["match", "modern", "modern", "--games", "2", "--nodes", "50", "--out"];
    let refused = ends_with(2, &[&games[..], &[&out]].concat());
    assert!(stderr(&refused).contains("it holds an experiment (experiment.json): choose another folder"));
    let tournament = ["tournament", "presets", "--set", "games=2", "--set", "every.nodes=50", "--out"];
    ends_with(2, &[&tournament[..], &[&out]].concat());
    assert!(bench.read("out/report.html") == page && !Path::new(&format!("{out}/games.jsonl")).exists());
    let played = bench.at("played");
    done(&[&games[..], &[&played]].concat());
    for arguments in [&["run", &file, "--out", &played][..], &["run", &file, "--out", &played, "--resume"]] {
        let refused = ends_with(2, arguments);
        assert!(stderr(&refused).contains("it holds a match (match.json)"), "{}", stderr(&refused));
    }
    ends_with(2, &[&tournament[..], &[&played]].concat());
}

#[test]
fn a_folder_of_a_newer_format_is_refused() {
    let (bench, file, out) = tiny("newer");
    let description = bench.text("out/experiment.json").replacen("\"format\": 3", "\"format\": 99", 1);
    bench.write("out/experiment.json", description);
    for arguments in [
        &["report", &out][..],
        &["compare", &out, &out],
        &["run", &file, "--out", &out, "--resume"],
        &["run", &file, "--out", &bench.at("again"), "--reuse", &out],
        &["merge", &out, "--out", &bench.at("merged")],
    ] {
        let refused = ends_with(2, arguments);
        let words = stderr(&refused).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            words.contains("in format 99, and this version reads formats up to 3: use the newer version"),
            "{words}"
        );
    }
}

/// Nobody can write a file where a folder stands.
#[test]
fn a_folder_that_cannot_be_written_can_be_read() {
    let (bench, _, out) = tiny("no-place");
    std::fs::remove_file(format!("{out}/runs.csv")).unwrap();
    std::fs::create_dir(format!("{out}/runs.csv")).unwrap();
    let tables = done(&["report", &out, "--tables"]);
    assert!(stderr(&tables).contains("warning: ") && stdout(&tables).len() > 1_000, "{}", stderr(&tables));
    assert!(stdout(&ends_with(1, &["report", &out])).contains("speedup"), "it says what it can");
    drop(bench);
}

#[cfg(unix)]
#[test]
fn a_run_whose_folder_is_deleted_ends() {
    let bench = Bench::new("deleted");
    let file = bench.write("long.toml", TINY.replace("depth = 3", "depth = 12"));
    let mut child = begin(&["run", &file, "--out", &bench.at("out")]);
    bench.wait_for_lines("out", 1, &mut child);
    std::fs::remove_dir_all(bench.at("out")).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stderr(&output).contains("was deleted while it was being written"), "{}", stderr(&output));
}
