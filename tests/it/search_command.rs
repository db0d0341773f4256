//! `splitpoint search`, `bench` and `list features`, through the real binary.

use std::process::Output;

use serde_json::Value;
use splitpoint::parallel::AnyStrategy;
use splitpoint::search::features::Features;
use splitpoint::search::signature::{SIGNATURES, recorded};
use splitpoint::settings::Settings;

use crate::command_line::{file, searched_boards, splitpoint, stderr, stdout};
use crate::lab_folder::done;

fn json(arguments: &[&str]) -> Value {
    let output = splitpoint(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
    assert_eq!(stderr(&output), "", "no progress when nobody watches");
    serde_json::from_slice(&output.stdout).expect("one JSON object")
}

#[test]
fn the_ten_positions_come_by_default() {
    let report = json(&["search", "--depth", "5", "--json"]);
    let positions = report["positions"].as_array().unwrap();
    assert_eq!(positions.len(), 10);
    let configuration = &report["configuration"];
    assert_eq!(configuration["features"], "modern");
    assert_eq!(configuration["depth"], 5);
    assert_eq!((&configuration["hash_mib"], &configuration["scheme"]), (&Value::from(16), &Value::from("lockless")));
    assert_eq!(configuration["expanded"].as_object().unwrap().len(), Features::all().len());
    assert_eq!(configuration["expanded"]["check-extension"], 100);
    assert_eq!(configuration["expanded"]["null-move"], true);
    for position in positions {
        assert_eq!(position["depth"], 5);
        assert_eq!(position["iterations"].as_array().unwrap().len(), 5);
        assert_eq!(position["iterations"][4]["nodes"], position["nodes"]);
        assert_eq!(position["answers"][4]["time_s"], position["iterations"][4]["time_s"]);
        assert_eq!(position["pv"][0], position["bestmove"]);
        assert!(position["solved"].is_boolean() && position["mate"].is_null());
        assert!(position["nodes"].as_u64() >= position["qnodes"].as_u64());
        assert!(position["thesis"]["nodes"].as_u64() >= position["nodes"].as_u64());
        assert_eq!(position["workers"][0]["nodes"], position["nodes"]);
        assert!(position["seldepth"].as_u64() >= Some(5));
    }
    let sum: u64 = positions.iter().map(|position| position["nodes"].as_u64().unwrap()).sum();
    assert_eq!(report["totals"]["nodes"], sum);
    assert!((report["means"]["nodes"].as_f64().unwrap() - sum as f64 / 10.0).abs() < 1e-6);
    assert_eq!(report["totals"]["solvable"], 10);
}

#[test]
fn boards_and_sliders_give_the_same_nodes() {
    let nodes = |board: &[&str]| {
        let report = json(&[&["search", "--depth", "6", "--features", "thesis-as-printed", "--json"], board].concat());
        let positions = report["positions"].as_array().unwrap();
        let counts: Vec<(Value, Value)> =
            positions.iter().map(|position| (position["nodes"].clone(), position["pv"].clone())).collect();
        counts
    };
    let expected = nodes(&[]);
    for board in searched_boards() {
        assert_eq!(nodes(&board), expected, "{board:?}");
    }
    assert_ne!(nodes(&["--seed", "1"]), expected);
}

#[test]
fn a_line_for_each_position_reads_well() {
    let output = splitpoint(&["search", "--depth", "4"]);
    assert!(output.status.success());
    let text = stdout(&output);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 12, "{text}");
    assert!(lines[0].starts_with("BK03  Kg8 ") && lines[0].contains("  unsolved (best f5)  "), "{text}");
    assert!(lines[0].contains("  d4  ") && lines[0].contains(" nodes  ") && lines[0].contains(" 1...Kg8 "), "{text}");
    assert!(lines[10].starts_with("10 positions: 2 of 10 solved; mean "), "{text}");
    assert_eq!(lines[11], "modern, bitboards (magic), depth 4, table 16 MiB lockless, seed 0");
    assert!(lines.iter().all(|line| line.chars().count() <= 100 && line.trim_end() == *line), "{text}");
}

/// On the virtual machine, so that the figures are the same everywhere.
#[test]
fn several_processors_stand_beside_one() {
    let search = ["search", "BK12", "--depth", "7", "--machine", "virtual", "--threads", "4"];
    let of = |more: &[&str]| {
        let output = splitpoint(&[&search[..], more].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        stdout(&output)
    };
    let text = of(&[]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 6, "{text}");
    assert!(lines[0].starts_with("BK12  Bf5  ") && lines[0].contains("  solved  d7  "), "{text}");
    assert!(lines[0].contains(" virtual s  ") && lines[0].contains("/s  "), "{text}");
    let single = json(&["search", "BK12", "--depth", "7", "--machine", "virtual", "--json"]);
    let one_s = single["positions"][0]["time_s"].as_f64().unwrap();
    assert!(lines[1].starts_with(&format!("one thread: {one_s:.3} virtual s, ")), "{text}");
    assert!(lines[1].ends_with(" times as fast with 4 (one seed; --repeat 8 for an interval)"), "{text}");
    // Some milliseconds on one processor are too little to share.
    let warning = [lines[3], lines[4].trim_start()].join(" ");
    assert!(warning.starts_with("! too small for 4 processors: one takes 0.0"), "{text}");
    assert!(warning.ends_with(" virtual s, and 0.0800 are needed; search deeper"), "{text}");
    // How they spent their time, and what they searched in vain.
    assert!(lines[2].starts_with("time    ") && lines[2].contains("idle ") && lines[2].contains("search "), "{text}");
    assert_eq!(of(&["--alone"]).lines().collect::<Vec<_>>(), [lines[0], lines[2], lines[5]]);
    let with_losses = of(&["--alone", "--losses"]);
    let extra = with_losses.lines().find_map(|line| line.strip_prefix("extra   of all nodes: ")).unwrap();
    assert!(extra.ends_with(" %"), "{with_losses}");

    let repeated = of(&["--repeat", "3"]);
    let comparison = repeated.lines().nth(1).unwrap();
    assert!(
        comparison.contains("(geometric means, 1 position, 3 seeds; the other lines are of the first): "),
        "{repeated}"
    );
    assert!(comparison.contains(" to ") && comparison.ends_with(") times as fast"), "{repeated}");

    let report: Value = serde_json::from_str(&of(&["--json", "--repeat", "2"])).unwrap();
    let pairs = report["positions"][0]["beside_one_thread"].as_array().unwrap();
    assert_eq!(pairs.iter().map(|pair| &pair["seed"]).collect::<Vec<_>>(), [&Value::from(0), &Value::from(1)]);
    assert_eq!(pairs[0]["one_thread"]["time_s"], one_s);
    assert_eq!(pairs[0]["all_threads"]["nodes"], report["positions"][0]["nodes"]);
    let log = |pair: &Value, side: &str| pair[side]["time_s"].as_f64().unwrap().ln();
    let logs: f64 = pairs.iter().map(|pair| log(pair, "one_thread") - log(pair, "all_threads")).sum();
    let estimate = report["speedup"]["estimate"].as_f64().unwrap();
    assert!((estimate - (logs / 2.0).exp()).abs() < 1e-9, "{report}");
    assert!(report["speedup"]["interval"][0].as_f64().unwrap() < estimate);
    // Nothing disturbs a virtual machine.
    assert_eq!((&report["speedup"]["void"], &report["speedup"]["is_too_small"]), (&Value::Null, &Value::Bool(true)));
    assert_eq!(pairs[0]["one_thread"]["quietness"], "quiet");
    // What is not compared has no speedup.
    for more in [&["--alone"][..], &["--nodes", "3000"], &["--strategy", "sequential"]] {
        let report: Value = serde_json::from_str(&of(&[more, &["--json"]].concat())).unwrap();
        assert_eq!(
            (&report["speedup"], &report["positions"][0]["beside_one_thread"]),
            (&Value::Null, &serde_json::json!([]))
        );
    }
}

#[test]
fn figures_of_the_thesis_come_when_asked_for() {
    let lines = |arguments: &[&str]| {
        let text = stdout(&splitpoint(&[&["search", "BK12", "--depth", "4"], arguments].concat()));
        text.lines().filter(|line| line.starts_with("by the thesis's formulas")).count()
    };
    assert_eq!(lines(&[]), 0);
    for arguments in [&["--thesis"][..], &["--features", "thesis,-null-move"], &["--features", "thesis-as-printed"]] {
        assert_eq!(lines(arguments), 1, "{arguments:?}");
    }
}

#[test]
fn iterations_are_told_of_when_asked_for() {
    let output = splitpoint(&["search", "BK12", "--depth", "6", "--iterations"]);
    let errors = stderr(&output);
    assert_eq!(errors.lines().count(), 6, "{errors}");
    assert!(errors.lines().enumerate().all(|(i, line)| line.starts_with(&format!("1/1 BK12 depth  {}", i + 1))));
    assert!(errors.contains(" 1...Bf5 2."), "{errors}");
    let machine = ["--machine", "virtual", "--threads", "2", "--iterations"];
    let errors = stderr(&splitpoint(&[&["search", "BK12", "--depth", "4"], &machine[..]].concat()));
    assert!(errors.lines().count() == 4 && errors.lines().all(|line| line.contains(" virtual s ")), "{errors}");

    let shared = ["--strategy", "lazy", "--machine", "virtual", "--threads", "4"];
    let output = splitpoint(&[&["search", "BK12", "--depth", "6", "--iterations"], &shared[..]].concat());
    let errors = stderr(&output);
    let answers: Vec<&str> = errors.lines().filter(|line| line.contains("first answered after 0.0")).collect();
    assert!(answers.len() == 6 && answers[5].starts_with("1/1 BK12 depth  6 first"), "{errors}");
}

#[test]
fn limits_end_a_search() {
    let limited = json(&["search", "BK09", "--nodes", "20000", "--json"]);
    let position = &limited["positions"][0];
    assert!(position["nodes"].as_u64().unwrap() <= 20_001);
    assert!(position["depth"].as_u64().unwrap() < 12 && position["bestmove"].is_string());
    let timed = json(&["search", "startpos", "--time", "500ms", "--json"]);
    assert!(timed["positions"][0]["depth"].as_u64().unwrap() >= 1);
    assert_eq!(timed["configuration"]["time_s"], 0.5);
    let both = json(&["search", "startpos", "--time", "1h", "--depth", "2", "--json"]);
    assert_eq!(both["positions"][0]["depth"], 2);
}

#[test]
fn positions_without_moves_and_with_mates() {
    let mated = json(&["search", "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", "--json"]);
    let position = &mated["positions"][0];
    assert!(position["bestmove"].is_null() && position["qn_pct"].is_null() && position["hash_pct"].is_null());
    assert_eq!((&position["mate"], &position["depth"]), (&Value::from(0), &Value::from(0)));
    let mate = json(&["search", "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "--depth", "3", "--json"]);
    assert_eq!((&mate["positions"][0]["mate"], &mate["positions"][0]["san"]), (&Value::from(1), &Value::from("Ra8#")));
}

#[test]
fn best_moves_and_moves_to_avoid_are_looked_at() {
    let text = "6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8#; id \"mate\";\n\
                6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra7; id \"no mate\";\n\
                6k1/5ppp/8/8/8/8/8/R5K1 w - - am Ra7; id \"avoided\";\n\
                6k1/5ppp/8/8/8/8/8/R5K1 w - - id \"nothing asked\";\n";
    let path = file("solve.epd", text);
    let report = json(&["search", "--epd", path.to_str().unwrap(), "--depth", "3", "--json"]);
    let solved: Vec<&Value> =
        report["positions"].as_array().unwrap().iter().map(|position| &position["solved"]).collect();
    assert_eq!(solved, [&Value::from(true), &Value::from(false), &Value::from(true), &Value::Null]);
    assert_eq!((&report["totals"]["solved"], &report["totals"]["solvable"]), (&Value::from(2), &Value::from(3)));
}

#[test]
fn every_scheme_searches_and_audit_counts() {
    for scheme in ["lockless", "striped", "private", "none"] {
        let report = json(&["search", "BK10", "--depth", "6", "--scheme", scheme, "--hash", "1", "--json"]);
        assert_eq!(report["configuration"]["scheme"], scheme);
        assert_eq!(report["positions"][0]["hash_pct"].is_null(), scheme == "none");
    }
    let audited = json(&["search", "BK10", "--depth", "6", "--audit", "--json"]);
    let plain = json(&["search", "BK10", "--depth", "6", "--json"]);
    assert_eq!(audited["positions"][0]["nodes"], plain["positions"][0]["nodes"]);
    assert_eq!(audited["positions"][0]["torn_standing"], 0);
    assert!(plain["positions"][0].get("torn_standing").is_none());
}

#[test]
fn bad_input_is_refused_with_a_hint() {
    let cases: [(&[&str], &str); 14] = [
        (&["search", "--repeat", "2"], "needs several processors: add --threads"),
        (&["search", "--repeat", "2", "--threads", "2", "--time", "1s"], "needs a search to a depth: leave out"),
        (&["search", "--repeat", "2", "--alone"], "cannot be used with"),
        (&["search", "--features", "thesys"], "did you mean 'thesis'?"),
        (&["search", "--features", "thesis,+nul-move"], "did you mean 'null-move'?"),
        (&["search", "--features", "thesis,check-extension=900"], "whole number from 0 to 200"),
        (&["search", "--strategy", "ybwc,cut-after=0"], "a whole number from 1 to 300 (moves): write cut-after=1"),
        (&["search", "--strategy", "ybwc,all-after=301"], "a whole number from 0 to 300 (moves): write all-after=300"),
        (&["search", "--depth", "0"], "must be a whole number from 1 to 60"),
        (&["search", "--hash", "0"], "must be a whole number from 1 to"),
        (&["search", "--time", "soon"], "write 500ms, 2s, 1.5s or 1m"),
        (&["search", "--scheme", "lockles"], "lockless"),
        (&["search", "BK99"], "'BK99' is not a position"),
        (&["search", "--board", "mailbox", "--sliders", "ray"], "board 'mailbox' has no sliding methods"),
    ];
    for (arguments, message) in cases {
        let output = splitpoint(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(message), "{arguments:?}: {}", stderr(&output));
        assert_eq!(stdout(&output), "");
    }
    let misspelt = stderr(&splitpoint(&["search", "--board", "mailbx"]));
    assert!(misspelt.contains("[possible values: bitboards, mailbox, array, "), "{misspelt}");
}

/// On one board: that all boards search the same tree is tried elsewhere, with less.
#[test]
fn the_signatures_are_the_recorded_ones() {
    let output = splitpoint(&["bench"]);
    assert!(output.status.success());
    let text = stdout(&output);
    let changed = "the search has changed: if that was meant, write its nodes into signature.txt";
    assert_eq!(text.matches(" nodes, as recorded\n").count(), SIGNATURES.len(), "{changed}: {text}");
    let last: Vec<&str> = text.lines().last().unwrap().split(' ').collect();
    assert_eq!((last[0], last[1], last[3]), (recorded().to_string().as_str(), "nodes", "nps"));
    assert!(last[2].parse::<f64>().unwrap() > 0.0);
}

#[test]
fn features_are_listed_and_the_docs_tell_of_every_defect() {
    let report = json(&["list", "features", "--json"]);
    let listed = report["features"].as_array().unwrap();
    assert_eq!(listed.len(), Features::all().len());
    assert_eq!(report["presets"][1]["preset"], "thesis-as-printed");
    let text = stdout(&splitpoint(&["list", "features"]));
    let docs = include_str!("../../docs/search.md");
    for (feature, entry) in Features::all().iter().zip(listed) {
        assert_eq!(entry["feature"], feature.name);
        assert!(text.contains(&format!("  {}", feature.name)));
        let is_defect = feature.name.starts_with("defect-");
        assert!(!is_defect || docs.contains(&format!("`{}`", feature.name)), "{}", feature.name);
        if is_defect {
            assert_eq!(
                (&entry["presets"]["thesis"], &entry["presets"]["thesis-as-printed"]),
                (&false.into(), &true.into())
            );
        }
    }
    assert!(text.lines().all(|line| line.len() <= 100));
}

#[test]
fn virtual_processors_print_the_same_twice() {
    for (i, strategy) in AnyStrategy::NAMES.iter().copied().enumerate() {
        let threads = ["2", "24", "256"][i % 3];
        let arguments = ["search", "BK12", "--depth", "5", "--machine", "virtual", "--threads", threads];
        let arguments = [&arguments[..], &["--strategy", strategy, "--seed", "1", "--json"]].concat();
        let first = splitpoint(&arguments);
        assert!(first.status.success(), "{}", stderr(&first));
        assert_eq!(stdout(&first), stdout(&splitpoint(&arguments)), "{strategy} {threads}");
        let report: Value = serde_json::from_slice(&first.stdout).unwrap();
        assert_eq!(report["configuration"]["costs"], "reference-modern");
        assert_eq!(report["positions"][0]["workers"].as_array().unwrap().len().to_string(), threads);
    }
}

#[test]
fn every_strategy_works_on_real_cores() {
    for strategy in AnyStrategy::NAMES.iter().copied() {
        let threads = if strategy == "sequential" { "1" } else { "2" };
        let report = json(&["search", "BK12", "--depth", "7", "--threads", threads, "--strategy", strategy, "--json"]);
        let position = &report["positions"][0];
        // Who runs ahead may have completed a further iteration before the search ends.
        assert!(position["depth"].as_u64().is_some_and(|depth| depth >= 7), "{strategy}: {}", position["depth"]);
        assert_eq!(report["configuration"]["strategy"], strategy);
        // A host with one core pins both to it, or none.
        assert!(position["workers"].as_array().unwrap().iter().all(|worker| worker["pinned"].is_boolean()));
        let splits = &position["splits"];
        let shares = matches!(strategy, "root" | "pv-split" | "ybwc" | "ybwc-as-printed" | "dts" | "teams");
        assert_eq!(splits["made"].as_u64() > Some(0), shares, "{strategy}");
    }
}

#[test]
fn strategies_are_listed_with_their_parameters() {
    let report = json(&["list", "strategies", "--json"]);
    let names: Vec<&str> =
        report["strategies"].as_array().unwrap().iter().map(|entry| entry["strategy"].as_str().unwrap()).collect();
    assert_eq!(names, AnyStrategy::NAMES);
    let text = stdout(&splitpoint(&["list", "strategies"]));
    assert!(text.contains("minimum-draft") && text.lines().all(|line| line.len() <= 80), "{text}");
    // What several strategies have is told once; who asks for one gets all of its parameters.
    assert_eq!(text.matches("while an owner waits for its helpers").count(), 1, "{text}");
    let one = stdout(&splitpoint(&["list", "strategies", "teams"]));
    assert!(one.starts_with("teams ") && one.contains("history of quiet moves") && !one.contains("ybwc  "), "{one}");
    let changed =
        json(&["search", "BK12", "--depth", "3", "--strategy", "ybwc,minimum-draft=5", "--threads", "2", "--json"]);
    assert_eq!(changed["configuration"]["strategy"], "ybwc,+minimum-draft=5");
    assert_eq!(changed["configuration"]["parameters"]["minimum-draft"], 5);
    let cases: [(&[&str], &str); 8] = [
        (&["list", "strategies", "teens"], "did you mean 'teams'?"),
        (&["list", "boards", "teams"], "only of strategies some can be chosen"),
        (&["search", "--strategy", "ybcw"], "did you mean 'ybwc'?"),
        (
            &["search", "--strategy", "ybwc,copy=zip"],
            "'copy' cannot be 'zip': write copy=trimmed or copy=whole or copy=compact",
        ),
        (&["search", "--strategy", "ybwc,minimum-draf=3"], "did you mean 'minimum-draft'?"),
        (&["search", "--strategy", "sequential,x=1"], "'sequential' has no parameters"),
        (&["search", "--costs", "ideal"], "--costs needs --machine virtual"),
        (&["search", "--pin", "0", "--machine", "virtual"], "--pin needs --machine real"),
    ];
    for (arguments, message) in cases {
        let output = splitpoint(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(message), "{arguments:?}: {}", stderr(&output));
    }
}

/// A kernel without memory policies, or a container that forbids them, is named; else the search is as it was.
#[test]
fn a_table_is_interleaved_or_the_reason_is_told() {
    let search = |more: &[&str]| splitpoint(&[&["search", "BK01", "--depth", "4", "--json"], more].concat());
    let output = search(&["--interleave"]);
    let errors = String::from_utf8_lossy(&output.stderr);
    match output.status.code() {
        Some(0) => {
            let plain = search(&[]);
            let nodes = |output: &Output| {
                let found: Value = serde_json::from_slice(&output.stdout).unwrap();
                found["positions"][0]["nodes"].clone()
            };
            assert_eq!(nodes(&output), nodes(&plain));
        }
        code => {
            assert_eq!(code, Some(2), "{errors}");
            assert!(errors.contains("interleave"), "{errors}");
        }
    }
    let output = search(&["--machine", "virtual", "--interleave"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--interleave needs --machine real"));
}

#[test]
fn what_cannot_work_is_warned_of() {
    let search = ["search", "BK12", "--depth", "2", "--strategy", "lazy", "--machine", "virtual", "--threads", "2"];
    let output = splitpoint(&[&search[..], &["--scheme", "none"]].concat());
    assert!(output.status.success());
    let warning = "warning: 'lazy' cannot work with scheme 'none': ";
    assert!(stderr(&output).starts_with(warning) && stdout(&output).contains("BK12"), "{}", stderr(&output));
    assert_eq!(stderr(&splitpoint(&search)), "");
    let idle = splitpoint(&["search", "BK12", "--depth", "2", "--strategy", "sequential", "--threads", "2"]);
    let warning = "warning: 'sequential' searches on one processor: of 2 all others stay idle\n";
    assert_eq!((stderr(&idle).as_str(), idle.status.success()), (warning, true));
    let crowded = splitpoint(&["search", "BK12", "--depth", "2", "--strategy", "lazy", "--threads", "100"]);
    // Or want more than a quota.
    let is_told = stderr(&crowded).starts_with("warning: ") && stderr(&crowded).contains("100 threads ");
    assert!(is_told, "{}", stderr(&crowded));
    // Sizes that no memory holds are refused at once, whatever takes the room.
    for more in [&["--hash", "1048576"][..], &["--hash", "1048576", "--scheme", "private", "--audit"]] {
        let output = splitpoint(&[&search[..], more].concat());
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert!(stderr(&output).contains("does not fit into the memory"), "{}", stderr(&output));
    }
}

/// Orders that no clock would give find the same move of the same value here, and come again as they are told.
#[test]
fn processors_run_in_any_order() {
    let search = ["search", "BK12", "--depth", "5", "--features", "sound", "--scheme", "none", "--strategy", "ybwc"];
    let under = |more: &[&str]| splitpoint(&[&search[..], &["--json"], more].concat());
    let score = |output: &Output| {
        let report: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
        report["positions"][0]["score_raw"].clone()
    };
    let alone = score(&under(&["--threads", "1"]));
    assert!(alone.is_i64(), "{alone}");
    for schedule in ["random", "pct:3", "pct:2:300", "replay:", "replay:7:1,20:2,31:0"] {
        let arguments = ["--machine", "virtual", "--threads", "3", "--schedule", schedule];
        let found = under(&arguments);
        assert_eq!(score(&found), alone, "{schedule}");
        assert_eq!(stdout(&found), stdout(&under(&arguments)), "{schedule}");
        assert!(stderr(&found).contains("times mean nothing"), "{}", stderr(&found));
    }
    for (more, reason) in [
        (&["--schedule", "random"][..], "--schedule needs --machine virtual"),
        (&["--machine", "virtual", "--schedule", "rndom"], "'rndom' is no schedule"),
        (&["--machine", "virtual", "--threads", "2", "--schedule", "random", "--repeat", "3"], "leave out --schedule"),
    ] {
        let refused = under(more);
        assert_eq!(refused.status.code(), Some(2));
        assert!(stderr(&refused).contains(reason), "{}", stderr(&refused));
    }
}

/// One table of corrections for all workers of a lazy search makes another search, if there are corrections at all.
#[test]
fn shared_corrections_change_a_search_that_has_corrections() {
    let nodes = |features: &str, strategy: &str| {
        let given =
            ["search", "BK12", "--features", features, "--strategy", strategy, "--depth", "9", "--json", "--alone"];
        let told = done(&[&given[..], &["--machine", "virtual", "--threads", "4"]].concat());
        let told: Value = serde_json::from_slice(&told.stdout).unwrap();
        told["positions"][0]["nodes"].as_u64().unwrap()
    };
    let both = |features| ["lazy", "lazy,shared-corrections"].map(|strategy| nodes(features, strategy));
    let [own, shared] = both("modern,correction-by-pawns=500");
    assert_ne!(own, shared);
    let [own, shared] = both("modern");
    assert_eq!(own, shared);
}
