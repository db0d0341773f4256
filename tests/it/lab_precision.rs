//! The precision of a run through the real binary: what is promised before, what is added until it is there, and what
//! is kept to make the same run again.

use super::command_line::{stderr, stdout};
use super::lab_folder::{Bench, TINY, done, ends_with};

/// The lines of a dry run that tell the plan.
fn dry(file: &str, more: &[&str]) -> String {
    stdout(&done(&[&["run", file, "--dry-run"], more].concat()))
        .lines()
        .take_while(|line| !line.starts_with("about"))
        .collect()
}

#[test]
fn what_ran_is_kept_and_runs_again() {
    let bench = Bench::new("kept");
    let position = "2q1rr1k/3bbnnp/p2p1pp1/2pPp3/PpP1P1P1/1P2BNNP/2BQ1PRK/7R b - - bm f5; id \"own\";\n";
    bench.write("own.epd", position);
    let file = bench.write("tiny.toml", TINY.replace("ids = [\"BK03\", \"BK09\"]", "epd = \"own.epd\""));
    let changes = ["--set", "axes.depth=2", "--set", "axes.strategy=ybwc", "--set", "axes.threads=\"2..=cores\""];
    let run = |out: &str| done(&[&["run", file.as_str(), "--out", &bench.at(out)], &changes[..]].concat());
    run("one");
    run("two");
    let kept = bench.at("one/experiment.toml");
    assert_eq!(dry(&kept, &[]), dry(&file, &changes));
    assert_ne!(dry(&kept, &[]), dry(&file, &[]));
    // Each run has an order of its own, which is recorded.
    let seed = |out: &str| {
        let text = bench.text(&format!("{out}/experiment.toml"));
        let line = text.lines().find(|line| line.starts_with("order_seed = ")).expect(&text).to_owned();
        let recorded = bench.text(&format!("{out}/experiment.json"));
        assert!(recorded.contains(&line.replace("order_seed = ", "\"order_seed\": ")), "{recorded}");
        line
    };
    assert_ne!(seed("one"), seed("two"));
    let before = seed("one");
    done(&[&["run", file.as_str(), "--out", &bench.at("one"), "--resume"], &changes[..]].concat());
    assert_eq!(seed("one"), before, "a run that goes on keeps its order");
    done(&["run", &kept, "--out", &bench.at("again")]);
    assert_eq!(seed("again"), before);
    assert_eq!(bench.text("again/runs.csv"), bench.text("one/runs.csv"));
}

#[test]
fn a_pilot_promises_and_the_report_says_what_came() {
    let bench = Bench::new("pilot");
    let file = bench.write("tiny.toml", TINY.replace("repetitions = 2", "repetitions = 5"));
    let pilot = bench.at("pilot");
    done(&["run", &file, "--out", &pilot]);
    let page = bench.text("pilot/report.html");
    assert!(page.contains("Predicted, ±") && page.contains("assumed"), "no table");
    let shown = stdout(&done(&["run", &file, "--dry-run", "--pilot", &pilot]));
    assert!(shown.contains(&format!("Predicted from pilot {pilot}")) && shown.contains("+-"), "{shown}");
    let words = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains(&format!("equal searches are taken to last as long as in {pilot}")), "{shown}");
    done(&["run", &file, "--out", &bench.at("more"), "--pilot", &pilot]);
    assert!(bench.text("more/report.html").contains(&format!("pilot {pilot}")));
    // The promise is that of the beginning, whatever is known later.
    let promised = bench.text("more/experiment.json");
    done(&["run", &file, "--out", &bench.at("more"), "--resume"]);
    let promises = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap()["promises"].clone();
    assert_eq!(promises(&promised), promises(&bench.text("more/experiment.json")));
    let output = ends_with(2, &["run", &file, "--dry-run", "--pilot", &bench.at("nowhere")]);
    assert!(stderr(&output).contains("there is no such folder"), "{}", stderr(&output));
}

#[test]
fn a_record_that_contradicts_itself_is_set_aside() {
    let bench = Bench::new("contradiction");
    let (file, out) = (bench.write("tiny.toml", TINY), bench.at("out"));
    done(&["run", &file, "--out", &out]);
    let whole = bench.text("out/runs.csv");
    let journal = bench.text("out/journal.jsonl");
    let mut lines: Vec<String> = journal.lines().map(str::to_owned).collect();
    lines[3] = lines[3].replace("\"threads\":", "\"threads\":99999");
    lines[7] = lines[7].replace("\"quiescence_nodes\":", "\"quiescence_nodes\":88888888");
    bench.write_sealed("out/journal.jsonl", &lines.join("\n"));
    let lines: Vec<String> = bench.text("out/journal.jsonl").lines().map(str::to_owned).collect();
    let report = done(&["report", &out]);
    let page = bench.text("out/report.html");
    for line in ["Line 4 of journal.jsonl contradicts itself", "Line 8 of journal.jsonl contradicts itself"] {
        let words = stdout(&report).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains(line) && page.contains(line), "{line}: {words}");
    }
    assert_eq!(bench.column("out", "index").len(), 18);
    // The cells are measured again, and the lines are kept beside.
    let run = done(&["run", &file, "--out", &out, "--resume"]);
    assert!(
        stderr(&run).contains(&format!("warning: {out}: line 4 of journal.jsonl contradicts itself")),
        "{}",
        stderr(&run)
    );
    assert_eq!(bench.text("out/runs.csv"), whole);
    assert_eq!(bench.text("out/journal.contradictions"), format!("{}\n{}\n", lines[3], lines[7]));
}

#[test]
fn a_plan_that_is_far_too_large_is_refused_at_once() {
    let bench = Bench::new("large");
    let file = bench.write("tiny.toml", TINY);
    let changes = [
        "--set",
        "repetitions=10000",
        "--set",
        "axes.costs=[\"reference\", \"ideal\", \"e15k\"]",
        "--set",
        "positions.ids=\"BK03\"",
    ];
    let output = ends_with(2, &[&["run", file.as_str(), "--dry-run"], &changes[..]].concat());
    let told = stderr(&output).replace('\u{202f}', " ");
    assert!(
        told.contains("10 000 repetitions x 3 costs x 2 strategy x 2 threads") && told.contains("most_cells"),
        "{told}"
    );
}
