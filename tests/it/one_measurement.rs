//! A single search and an experiment measure the same: `search --json` against the records of the same cells.

use serde_json::{Value, json};
use splitpoint::record::Record;

use super::command_line::{stderr, stdout};
use super::lab_folder::{Bench, done, ends_with};

const EPD: &str = "r3r1k1/ppqb1ppp/8/4p1NQ/8/2P5/PP3PPP/R3R1K1 b - - bm Bf5; id \"BK12\";\n\
                   6k1/5ppp/8/8/8/8/8/R5K1 w - - am Ra8#; id \"avoid\";\n\
                   6k1/5ppp/8/8/8/8/8/R5K1 w - - am Ra7; bm Ra8#; id \"mate\";\n\
                   R5k1/5ppp/8/8/8/8/8/6K1 b - - id \"mated\";\n";

/// Every object and number of `expected` is in `found`, which may hold more.
fn assert_holds(found: &Value, expected: &Value, what: &str) {
    match expected {
        Value::Object(fields) => fields.iter().for_each(|(key, value)| assert_holds(&found[key], value, key)),
        _ => assert_eq!(found, expected, "{what}"),
    }
}

fn assert_is_of_record(position: &Value, record: &Record) {
    let measured = record.measured().unwrap_or_else(|| panic!("{:?}", record.result));
    let seconds = |nanoseconds: u64| nanoseconds as f64 / 1e9;
    let workers: Vec<Value> = measured
        .workers
        .iter()
        .map(|worker| {
            let mut expected = json!(worker.activities);
            expected["nodes"] = json!(worker.nodes);
            expected
        })
        .collect();
    let expected = json!({
        "id": record.cell.position, "fen": record.cell.fen,
        "bestmove": measured.bestmove, "score_raw": measured.score_raw, "mate": measured.mate,
        "depth": measured.depth, "seldepth": measured.seldepth, "solved": measured.solved,
        "time_s": seconds(measured.time_ns), "nps": measured.nps(),
        "times": {
            "master_s": measured.master_ns.map(seconds), "voted_s": measured.voted_ns.map(seconds),
        },
        "nodes": measured.nodes, "qnodes": measured.qnodes(),
        "qn_pct": measured.qn_pct(), "hash_pct": measured.hash_pct(), "order_pct": measured.order_pct(),
        "thesis": {
            "nodes": measured.thesis_nodes(), "hash_pct": measured.thesis_hash_pct(),
            "order_pct": measured.thesis_order_pct(), "qn_pct": measured.thesis_qn_pct(),
        },
        "counters": measured.counters, "splits": measured.sharing, "losses": measured.losses,
        "torn_standing": measured.torn_standing,
    });
    assert_holds(position, &expected, &record.cell.position);
    let found = position["workers"].as_array().unwrap();
    assert_eq!(found.len(), workers.len());
    found.iter().zip(&workers).for_each(|(found, expected)| assert_holds(found, expected, "workers"));
}

#[test]
fn a_single_search_prints_what_an_experiment_records() {
    let bench = Bench::new("one-measurement");
    let epd = bench.write("positions.epd", EPD);
    for strategy in ["root", "ybwc", "ybwc-as-printed", "lazy,skip=cheng,end=master", "abdada"] {
        for (features, costs, audit) in
            [("thesis", "reference", false), ("thesis-as-printed", "smp-2004,wake_park*2", true)]
        {
            let file = bench.write(
                "x.toml",
                format!(
                    "baseline = \"none\"\nrepetitions = 1\nlimit = \"1h\"\npositions.epd = \"positions.epd\"\n\
                     axes = {{ machine = \"virtual\", strategy = \"{strategy}\", features = \"{features}\", \
                     costs = \"{costs}\", threads = 3, depth = 5, hash = 1, seed = 2, losses = true, \
                     audit = {audit} }}\n\
                     report.charts = [\"speedup\"]\n"
                ),
            );
            let out = bench.at(&format!("{strategy}-{features}"));
            done(&["run", &file, "--out", &out]);
            let mut records = bench.records(&out);
            records.sort_by_key(|record| record.index);
            let search = ["search", "--epd", &epd, "--depth", "5", "--hash", "1", "--seed", "2", "--losses", "--json"];
            let machine = ["--machine", "virtual", "--threads", "3", "--strategy", strategy];
            let others = ["--features", features, "--costs", costs];
            let audited = if audit { &["--audit"][..] } else { &[] };
            let printed = stdout(&done(&[&search[..], &machine, &others, audited].concat()));
            let printed: Value = serde_json::from_str(&printed).unwrap();
            let positions = printed["positions"].as_array().unwrap();
            assert_eq!((positions.len(), records.len()), (4, 4));
            for (position, record) in positions.iter().zip(&records) {
                assert_is_of_record(position, record);
                let configuration = &record.cell.configuration;
                for field in ["strategy", "features", "costs", "costs_hash", "scheme", "board", "sliders"] {
                    assert_eq!(printed["configuration"][field], configuration.field(field), "{field}");
                }
            }
            let solved: Vec<&Value> = positions.iter().map(|position| &position["solved"]).collect();
            assert_eq!(solved[1..], [&json!(false), &json!(true), &Value::Null], "{strategy}");
        }
    }
}

#[test]
fn costs_are_changed_as_an_axis_changes_them() {
    let search = ["search", "BK12", "--depth", "2", "--machine", "virtual", "--costs"];
    for (costs, expected) in [
        ("smp2004", "did you mean 'smp-2004'?"),
        ("reference,wake_prak=3", "did you mean 'wake_park'?"),
        ("reference,wake_park", "for example, lock_handoff=900"),
    ] {
        let output = ends_with(2, &[&search[..], &[costs]].concat());
        assert!(stderr(&output).contains(expected) && stdout(&output).is_empty(), "{costs}: {}", stderr(&output));
    }
}

#[test]
fn what_does_not_exist_here_is_told_before_anything_is_searched() {
    let output = ends_with(2, &["search", "BK12", "--depth", "2", "--pin", "99999"]);
    assert!(stderr(&output).contains("99999") && stdout(&output).is_empty(), "{}", stderr(&output));
}
