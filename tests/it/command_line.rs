//! What a user types, through the real binary.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use splitpoint::chess::choice::BoardChoice;
use splitpoint::engine::compiled;

pub fn splitpoint(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_splitpoint"))
        .args(arguments)
        // From a folder where nothing of the project lies.
        .current_dir(std::env::temp_dir())
        .output()
        .expect("the binary runs")
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn shipped(suite: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("positions").join(suite).to_str().unwrap().to_owned()
}

/// Options of every board that this processor can run.
pub fn boards() -> impl Iterator<Item = Vec<&'static str>> {
    chosen(BoardChoice::all())
}

/// Options of every board that the program searches on with threads and this processor can run.
pub fn searched_boards() -> impl Iterator<Item = Vec<&'static str>> {
    chosen(compiled::boards())
}

fn chosen(boards: impl Iterator<Item = BoardChoice>) -> impl Iterator<Item = Vec<&'static str>> {
    boards.filter(|board| board.check().is_ok()).map(|board| {
        let sliders = board.sliders().map(|sliders| ["--sliders", sliders.name()]);
        ["--board", board.name()].into_iter().chain(sliders.into_iter().flatten()).collect()
    })
}

/// A file of the tests' own.
pub fn file(name: &str, text: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("splitpoint-{}-{name}", std::process::id()));
    std::fs::write(&path, text).unwrap();
    path
}

#[test]
fn every_board_counts_the_start_position() {
    let more: [&[&str]; 3] = [&[], &["--threads", "3", "--bulk"], &["--threads", "5"]];
    for (i, board) in boards().enumerate() {
        let output = splitpoint(&[&["perft", "startpos", "--depth", "5"], &board[..], more[i % more.len()]].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        assert!(stdout(&output).contains("4865609"), "{}", stdout(&output));
        assert_eq!(stderr(&output), "", "no bars when nobody watches");
    }
}

/// The published example of an exchange (Reul 2009, Table 4.1), in our values.
#[test]
fn a_position_is_shown_with_its_exchange() {
    let output = splitpoint(&["show", "reul-see", "--exchange", "Rxb6"]);
    let text = stdout(&output);
    let rows: Vec<Vec<&str>> =
        text.lines().skip_while(|line| !line.contains("alpha")).map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[1], ["1", "Rb3", "-inf", "+1.00", "+1.00"]);
    assert_eq!(rows[4], ["4", "Qc6", "-4.00", "-10.00", "-1.00"]);
    assert!(text.contains("K+QN: -4.00 after 4") && text.contains("K+QN+QL: -1.00 after 3"), "{text}");
    // In the published values the published table stands beside, and agrees.
    let published = stdout(&splitpoint(&["show", "reul-see", "--exchange", "Rxb6", "--values", "loop"]));
    let rows = published.lines().skip_while(|line| !line.contains("alpha")).skip(1).take(4);
    for row in rows.map(|line| line.split_whitespace().collect::<Vec<_>>()) {
        assert!(row.len() == 8 && row[2..5] == row[5..8], "{published}");
    }
    assert!(published.contains("K+QN+QL: -0.75 after 3") && !text.contains("published"), "{published}");
    for values in ["1,3,3,5", "1,3,3,9,5", "lop"] {
        let wrong = splitpoint(&["show", "reul-see", "--exchange", "Rxb6", "--values", values]);
        assert_eq!(wrong.status.code(), Some(2), "{values}: {}", stderr(&wrong));
    }
    let report: Value = serde_json::from_slice(&splitpoint(&["show", "BK01", "--json"]).stdout).unwrap();
    let position = &report["positions"][0];
    let perft: Value =
        serde_json::from_slice(&splitpoint(&["perft", "BK01", "--depth", "1", "--json"]).stdout).unwrap();
    assert_eq!(position["moves"].as_array().unwrap().len() as u64, perft["positions"][0]["nodes"].as_u64().unwrap());
    assert_eq!(position["evaluations"].as_object().unwrap().len(), 4);
    // The sets of bitboards, as pictures and as numbers.
    let sets = stdout(&splitpoint(&["show", "startpos", "--sets"]));
    let expected = "white pawns        white knights      white bishops      white rooks\n";
    assert!(sets.contains(expected) && sets.contains("000000000000ff00   0000000000000042"), "{sets}");
    assert!(sets.contains(" x x x x x x x x\n") && !text.contains("white pawns"), "{sets}");
    // The key is that of the features.
    let key = |features: &str| {
        let text = stdout(&splitpoint(&["show", "BK12", "--features", features]));
        text.lines().find(|line| line.starts_with("key ")).unwrap().to_owned()
    };
    let [printed, usual] = ["thesis-as-printed,keys=printed", "thesis-as-printed"].map(key);
    assert!(printed.contains(" (keys printed); ") && usual.contains(" (seed 0); "), "{printed} {usual}");
    assert_ne!(printed.split(' ').nth(1), usual.split(' ').nth(1));
    let wrong = splitpoint(&["show", "startpos", "--exchange", "e2e5"]);
    assert_eq!(wrong.status.code(), Some(2), "{}", stderr(&wrong));
}

#[test]
fn perft_reports_json() {
    let output = splitpoint(&["perft", "--epd", &shipped("perft.epd"), "--depth", "3", "--json", "--divide"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["ok"], true);
    assert_eq!(report["configuration"]["board"], "bitboards");
    let positions = report["positions"].as_array().unwrap();
    assert_eq!(positions.len(), 38);
    for position in positions {
        assert_eq!(position["ok"], true);
        assert_eq!(position["expected"], position["nodes"]);
        let divided: u64 = position["divide"].as_object().unwrap().values().map(|nodes| nodes.as_u64().unwrap()).sum();
        assert_eq!(position["nodes"], divided);
    }
    assert_eq!(positions[0]["id"], "start");
    assert_eq!(positions[0]["nodes"], 8902);
    assert!(positions[0]["nps"].as_f64().unwrap() > 0.0 && positions[0]["time_s"].as_f64().unwrap() > 0.0);
}

#[test]
fn a_wrong_count_is_told_and_fails() {
    let path = file("wrong.epd", "# a comment\n\n4k3/8/8/8/8/8/4P3/4K3 w - - D1 6; D2 99;\n8/8/8/8/8/8/k7/2K5 w - -\n");
    let arguments = ["perft", "--epd", path.to_str().unwrap(), "--depth"];
    let right = splitpoint(&[&arguments[..], &["1"]].concat());
    assert_eq!(right.status.code(), Some(0), "{}", stdout(&right));
    assert!(stdout(&right).contains("1 right, 0 wrong, 1 not known"), "{}", stdout(&right));
    let wrong = splitpoint(&[&arguments[..], &["2"]].concat());
    assert_eq!(wrong.status.code(), Some(1));
    assert!(stdout(&wrong).contains("WRONG: expected 99"), "{}", stdout(&wrong));
    assert!(stderr(&wrong).contains("1 count is wrong"));
    let json = splitpoint(&[&arguments[..], &["2", "--json"]].concat());
    assert_eq!(json.status.code(), Some(1));
    let report: Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!((&report["ok"], &report["positions"][0]["ok"]), (&Value::Bool(false), &Value::Bool(false)));
    assert_eq!((&report["positions"][1]["id"], &report["positions"][1]["ok"]), (&Value::from("#2"), &Value::Null));
    std::fs::remove_file(path).unwrap();
}

#[test]
fn bad_input_exits_2_and_says_why() {
    let bad_epd = file("bad.epd", "4k3/8/8/8/8/8/4P3/4K3 w - - bm Nf3;\n");
    let empty = file("empty.epd", "# nothing\n");
    let binary = std::env::temp_dir().join(format!("splitpoint-{}-binary.epd", std::process::id()));
    std::fs::write(&binary, [0xFF, 0xFE, 0x00]).unwrap();
    let cases: [(&[&str], &[&str]); 14] = [
        (
            &["perft", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNX w KQkq - 0 1", "--depth", "3"],
            &["character 43: found 'X'", "                                            ^"],
        ),
        (&["perft", "4k3/8/8/8/8/8/8/8 w - - 0 1", "--depth", "3"], &["illegal position: White has no king"]),
        (&["perft", "BK90", "--depth", "3"], &["'BK90' is not a position; did you mean 'BK09'?"]),
        (&["perft", "thesis10", "--depth", "3"], &["did you mean 'thesis-10'?"]),
        (&["perft", "--epd", "/nowhere.epd", "--depth", "3"], &["/nowhere.epd"]),
        (
            &["perft", "--epd", bad_epd.to_str().unwrap(), "--depth", "3"],
            &["line 1: operation bm, character 32: 'Nf3'"],
        ),
        (&["perft", "--epd", empty.to_str().unwrap(), "--depth", "3"], &["no position"]),
        (&["perft", "--epd", binary.to_str().unwrap(), "--depth", "3"], &["UTF-8"]),
        (&["perft", "startpos"], &["--depth"]),
        (&["perft", "startpos", "--depth", "-1"], &["--depth"]),
        (&["perft", "startpos", "--depth", "3", "--threads", "0"], &["must be a whole number from 1 to 1024"]),
        (&["perft", "startpos", "--depth", "3", "--sliders", "magik"], &["'magic'"]),
        (
            &["perft", "startpos", "--depth", "3", "--board", "mailbox", "--sliders", "ray"],
            &["board 'mailbox' has no sliding methods"],
        ),
        (&["list", "board"], &["boards"]),
    ];
    for (arguments, expected) in cases {
        let output = splitpoint(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}\n{}", stderr(&output));
        assert_eq!(stdout(&output), "", "{arguments:?}");
        for text in expected {
            assert!(stderr(&output).contains(text), "{arguments:?} lacks {text:?}:\n{}", stderr(&output));
        }
    }
    for path in [bad_epd, empty, binary] {
        std::fs::remove_file(path).unwrap();
    }
}

#[test]
fn lists_have_sizes() {
    let output = splitpoint(&["list", "boards", "--json"]);
    let boards: Value = serde_json::from_slice(&output.stdout).unwrap();
    for board in boards["boards"].as_array().unwrap() {
        let bytes = &board["bytes"];
        let part = |name: &str| bytes[name].as_u64().unwrap();
        let parts = ["squares", "bitboards", "piece_lists", "index_board", "state", "other"];
        assert_eq!(parts.map(part).iter().sum::<u64>(), part("total"), "{board}");
    }
    let sliders = stdout(&splitpoint(&["list", "sliders"]));
    assert!(sliders.lines().count() == 5 && sliders.contains("844.0 KiB"), "{sliders}");
    let suites = stdout(&splitpoint(&["list", "suites"]));
    assert!(
        ["thesis-10", "hyatt-24", "bratko-kopec", "balanced-200", "perft"].iter().all(|name| suites.contains(name))
    );
}

#[test]
fn a_reader_may_stop_reading() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_splitpoint"))
        .args(["perft", "balanced-200", "--depth", "1"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(!stderr(&output).contains("panicked"), "{}", stderr(&output));
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn examples_of_the_help_run() {
    // Those of `bench` are run where its signatures are checked.
    for command in ["search", "perft", "list"] {
        let help = stdout(&splitpoint(&[command, "--help"]));
        let examples: Vec<&str> = help.lines().filter_map(|line| line.trim().strip_prefix("splitpoint ")).collect();
        assert!(!examples.is_empty(), "{help}");
        for example in examples.iter().filter(|example| !example.contains("--depth 6")) {
            // Deep trees belong to the user's patience, not the test's.
            let example = example.replace("--depth 5", "--depth 3").replace("--time 2s", "--time 20ms");
            // Times to a depth are compared in the last but one, which is made shallower instead.
            let example =
                if example.contains("--repeat") { example.replace("--depth 12", "--depth 4") } else { example };
            let is_compared = example.contains("--repeat");
            let few_nodes: &[&str] = if command == "search" && !is_compared { &["--nodes", "2000"] } else { &[] };
            let arguments: Vec<&str> = example.split_whitespace().chain(few_nodes.iter().copied()).collect();
            let output = splitpoint(&arguments);
            assert!(output.status.success(), "{example}: {}", stderr(&output));
        }
    }
}
