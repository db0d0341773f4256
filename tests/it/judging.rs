//! Moves are judged by deeper searches where an experiment asks for it: once each, kept beside the journal, the same
//! whatever interrupts a run, and told in tables and answer.

use std::collections::BTreeSet;

use splitpoint::record::Judgement;

use super::command_line::{stderr, stdout};
use super::lab_folder::{Bench, TINY, done, ends_with};

/// The tiny experiment with moves judged by searches one ply deeper.
fn judged() -> String {
    format!("judge = 1\n{TINY}")
}

/// Judgements of a run folder, without what differs from time to time.
fn judgements(bench: &Bench, folder: &str) -> BTreeSet<String> {
    let text = bench.text(&format!("{folder}/judgements.jsonl"));
    let line = |line: &str| {
        let judgement: Judgement = serde_json::from_str(line).expect(line);
        let Judgement { subject, chosen, best, score_raw, nodes, .. } = judgement;
        format!("{subject:?} {chosen:?} {best:?} {score_raw} {nodes}")
    };
    let lines: BTreeSet<String> = text.lines().map(line).collect();
    assert_eq!(lines.len(), text.lines().count(), "each position and move is judged once");
    lines
}

#[test]
fn moves_are_judged_and_the_report_tells() {
    let bench = Bench::new("judging");
    let (plain, file) = (bench.write("plain.toml", TINY), bench.write("judged.toml", judged()));
    let (whole, later) = (bench.at("whole"), bench.at("later"));
    let output = done(&["run", &file, "--out", &whole]);
    assert!(stdout(&output).contains("Extra regret"), "{}", stdout(&output));
    let tables = done(&["report", &whole, "--tables"]);
    assert!(stdout(&tables).contains("Extra regret"), "{}", stdout(&tables));
    let all = judgements(&bench, "whole");
    // Two positions, and at each the move of some run at least.
    assert!(all.len() >= 4, "{all:?}");
    let summary = bench.text("whole/summary.md");
    assert!(summary.contains("Extra regret"), "{summary}");
    assert!(bench.text("whole/columns.md").contains("regret_cp"));
    // Records tell of the answers on the way: the last is the answer.
    for record in bench.records("whole") {
        let measured = record.measured().unwrap();
        let depths: Vec<u32> = measured.answers.iter().map(|answer| answer.depth).collect();
        assert!(depths.is_sorted() && depths.last() == Some(&3), "{depths:?}");
        assert_eq!(measured.answers.last().map(|answer| answer.time_ns), Some(measured.time_ns));
    }

    // A run can be judged when it is done; what is judged already is not judged again.
    done(&["run", &plain, "--out", &later]);
    assert!(!bench.text("later/summary.md").contains("Extra regret"));
    done(&["run", &file, "--out", &later, "--resume"]);
    assert_eq!(judgements(&bench, "later"), all);
    let before = bench.read("later/judgements.jsonl");
    done(&["run", &file, "--out", &later, "--resume"]);
    assert!(bench.read("later/judgements.jsonl") == before);

    // After a half-written line the rest is judged.
    let text = bench.text("later/judgements.jsonl");
    let cut = text.len() - text.lines().last().unwrap().len() / 2;
    bench.write("later/judgements.jsonl", &text[..cut]);
    done(&["report", &later]);
    let output = done(&["run", &file, "--out", &later, "--resume"]);
    assert!(stderr(&output).contains("judgements.jsonl is incomplete"), "{}", stderr(&output));
    assert_eq!(judgements(&bench, "later"), all);
    for name in ["summary.csv", "summary.md"] {
        let without_command =
            |text: String| text.lines().filter(|line| !line.starts_with("Made by")).collect::<String>();
        let [ours, theirs] = ["later", "whole"].map(|folder| without_command(bench.text(&format!("{folder}/{name}"))));
        assert_eq!(ours, theirs, "{name}");
    }

    // Without the file there is no regret, and a report all the same.
    std::fs::remove_file(bench.at("later/judgements.jsonl")).unwrap();
    done(&["report", &later]);
    assert!(!bench.text("later/summary.md").contains("Extra regret"));
}

#[test]
fn parts_bring_their_judgements() {
    let bench = Bench::new("judging-parts");
    // Both sizes of the table have the same judges.
    let file = bench.write("x.toml", judged().replace("hash = 1", "hash = [1, 2]"));
    let parts = ["1/2", "2/2"].map(|part| {
        let folder = bench.at(&format!("part-{}", &part[..1]));
        done(&["run", &file, "--shard", part, "--out", &folder]);
        folder
    });
    done(&["run", &file, "--out", &bench.at("whole")]);
    done(&["merge", &parts[0], &parts[1], "--out", &bench.at("merged")]);
    assert_eq!(judgements(&bench, "merged"), judgements(&bench, "whole"));
    let tables = ["merged", "whole"].map(|folder| bench.text(&format!("{folder}/summary.csv")));
    assert_eq!(tables[0], tables[1]);
}

#[test]
fn a_plan_counts_what_judging_takes() {
    let bench = Bench::new("judging-plan");
    let file = bench.write("judged.toml", judged());
    let output = done(&["run", &file, "--dry-run"]);
    assert!(stdout(&output).contains("to judge moves by about 6 deeper searches"), "{}", stdout(&output));
    let file = bench.write("wrong.toml", judged().replacen("judge = 1", "judge = 21", 1));
    let output = ends_with(2, &["run", &file]);
    assert!(stderr(&output).contains("judge") && stderr(&output).contains("1 to 20"), "{}", stderr(&output));
}
