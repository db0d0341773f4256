//! Searches on the boards that are compiled into this program: each the same tree, alone and shared, and the same as on
//! the usual boards.

use std::process::{Command, Output};

use serde_json::Value;

/// Boards of the sources, with their sliders.
const BOARDS: [&[&str]; 7] = [
    &["bitboards", "--sliders", "magic"],
    &["bitboards", "--sliders", "rotated"],
    &["mailbox"],
    &["array"],
    &["pieces"],
    &["pieces-rotated"],
    &["attack-maps"],
];

fn boards(arguments: &[&str]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_splitpoint-boards"));
    program.args(arguments).current_dir(std::env::temp_dir()).output().expect("the binary runs")
}

fn search(board: &[&str], more: &[&str]) -> Value {
    let output = boards(&[&["search", "BK12", "--json", "--board"], board, more].concat());
    assert!(output.status.success(), "{board:?}: {output:?}");
    let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
    printed["positions"][0].clone()
}

#[test]
fn all_boards_search_the_same_tree() {
    for features in ["thesis", "modern"] {
        let alone = |board| search(board, &["--features", features, "--depth", "7"]);
        let expected = alone(BOARDS[0]);
        for board in BOARDS {
            let found = alone(board);
            assert_eq!((&found["nodes"], &found["pv"]), (&expected["nodes"], &expected["pv"]), "{board:?} {features}");
        }
    }
}

/// Without a table, strategies that promise it give the score of a single processor, however threads run.
#[test]
fn shared_searches_are_exact_on_all_boards() {
    let exactly = ["--features", "sound", "--depth", "4", "--scheme", "none"];
    let expected = search(BOARDS[0], &exactly)["score"].clone();
    for board in BOARDS {
        for strategy in ["ybwc", "teams", "dts", "ybwc-as-printed,-defect-game-record", "ybwc,copy=partial"] {
            let shared = search(board, &[&exactly[..], &["--threads", "5", "--strategy", strategy]].concat());
            assert_eq!(shared["score"], expected, "{board:?} {strategy}");
        }
    }
}

#[test]
fn a_board_that_is_not_compiled_is_refused() {
    if !cfg!(feature = "every-board") {
        let refused = boards(&["search", "BK12", "--board", "0x88"]);
        assert_eq!(refused.status.code(), Some(2), "{refused:?}");
        let told = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(told.contains("cargo build --release -p splitpoint-boards --features every-board"), "{told}");
    }
    // The usual boards are there even so.
    search(&["bitboards", "--sliders", "ray"], &["--depth", "2"]);
}

#[test]
fn a_command_line_from_other_sources_is_refused() {
    let ended = |sources| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_splitpoint-boards"));
        program.args(["list", "boards"]).env("SPLITPOINT_HANDED_OVER_BY", sources).output().unwrap()
    };
    let refused = ended("0123456789abcdef");
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    assert!(String::from_utf8_lossy(&refused.stderr).contains("was built of other sources"), "{refused:?}");
}
