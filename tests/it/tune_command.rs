//! `splitpoint tune`, through the real binary, as small as it can be: the files depend on the arguments alone.

use serde_json::Value;

use super::command_line::{stderr, stdout};
use super::lab_folder::{Bench, done, ends_with};
use super::match_command::games;

/// A run of a few short games.
const SMALL: [&str; 9] = ["tune", "--games", "24", "--nodes", "150", "--epochs", "6", "--positions", "20"];

fn small<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&SMALL[..], more].concat()
}

#[test]
fn threads_and_interruptions_change_no_byte() {
    let bench = Bench::new("tune");
    let [one, three, half] = ["one", "three", "half"].map(|name| bench.at(name));
    let printed = done(&small(&["--out", &one, "--threads", "1"]));
    done(&small(&["--out", &three, "--threads", "3", "--board", "mailbox"]));
    assert_eq!(games(&bench, "one"), games(&bench, "three"));
    let same = |folder: &str| {
        for file in ["weights.rs", "tune.json"] {
            assert!(bench.text(&format!("one/{file}")) == bench.text(&format!("{folder}/{file}")), "{folder}/{file}");
        }
    };
    same("three");
    // Fewer games and fewer epochs, then all of them; then a fit that lost its checkpoint.
    done(&["tune", "--games", "20", "--nodes", "150", "--epochs", "2", "--positions", "20", "--out", &half]);
    done(&["tune", "--games", "24", "--nodes", "150", "--epochs", "2", "--positions", "20", "--out", &half]);
    let resumed = done(&small(&["--out", &half]));
    assert!(stderr(&resumed).contains("24 games are known"), "{}", stderr(&resumed));
    same("half");
    bench.write("half/fit.json", "{");
    done(&small(&["--out", &half]));
    same("half");

    let shown = stdout(&printed);
    for part in ["Loss of held-out games", "Material, in thousandths", "Weights that changed most", "one/weights.rs"] {
        assert!(shown.contains(part), "{shown}");
    }
    let weights = bench.text("one/weights.rs");
    for part in [
        "//! Made by `splitpoint tune --games 24 --nodes 150",
        "//! Games: 21 fitted to, 3 held out; positions of them: ",
        "pub static WEIGHTS",
        "    // material\n    (",
    ] {
        assert!(weights.contains(part), "{weights}");
    }
    assert!(weights.is_ascii());
    let curve: Value = serde_json::from_str(&bench.text("one/tune.json")).unwrap();
    let epochs = curve["curve"].as_array().unwrap();
    assert_eq!((epochs.len(), &epochs[0]["epoch"]), (7, &0.into()));
    assert!(epochs[6]["fitted"].as_f64().unwrap() < epochs[0]["fitted"].as_f64().unwrap(), "{curve}");
    assert_eq!(curve["games"], serde_json::json!([21, 3]));
}

#[test]
fn both_machines_play_the_same_games() {
    let bench = Bench::new("tune-machines");
    for machine in ["real", "virtual"] {
        let out = bench.at(machine);
        done(&["tune", "--games", "20", "--nodes", "100", "--epochs", "1", "--machine", machine, "--out", &out]);
    }
    assert_eq!(games(&bench, "real"), games(&bench, "virtual"));
}

#[test]
fn bad_input_is_told_at_once() {
    let bench = Bench::new("tune-bad");
    let out = bench.at("out");
    done(&["tune", "--games", "20", "--nodes", "100", "--epochs", "1", "--out", &out]);
    for (arguments, expected) in [
        (&["tune"][..], "required"),
        (&["tune", "--out", &out, "--games", "5"], "from 20"),
        (&["tune", "--out", &out, "--features", "thesis"], "add evaluation=classical"),
        (&["tune", "--out", &out, "--blend", "1.5"], "must be a number from 0 to 1"),
        (&["tune", "--out", &out, "--pull", "none"], "must be a number"),
        (&["tune", "--out", &out, "--rate", "0"], "must be a number"),
        (&["tune", "--out", &out, "--games", "20", "--nodes", "200"], "begun with nodes = 100, and now it is 200"),
    ] {
        let output = ends_with(2, arguments);
        assert!(stderr(&output).contains(expected), "{arguments:?}: {}", stderr(&output));
    }
}
