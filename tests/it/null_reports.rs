//! `scripts/null-reports.py`, by which docs/statistics.md knows how often a report is false: a few reports of a few
//! scenarios, through the real binary, so that the script reads what the binary writes. All of it takes minutes.

use std::path::Path;
use std::process::{Command, Output};

use super::command_line::{stderr, stdout};
use super::lab_folder::Bench;

/// A plain contest, one real one of engines from outside with a state, a comparison of two folders, published claims.
const SCENARIOS: [&str; 4] = ["even", "health-2-clones", "compare", "claims-two-true"];
const REPORTS: usize = 3;

fn python(arguments: &[&str]) -> Output {
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts");
    Command::new("python3").arg("-B").args(arguments).current_dir(scripts).output().unwrap()
}

fn has_python() -> bool {
    let new_enough = "import sys; sys.exit(sys.version_info < (3, 11))";
    Command::new("python3").args(["-c", new_enough]).status().is_ok_and(|status| status.success())
}

#[test]
fn null_reports_are_drawn_and_read() {
    if !has_python() {
        return;
    }
    let bench = Bench::new("null-reports");
    let (out, count) = (bench.at("out"), REPORTS.to_string());
    let binary = env!("CARGO_BIN_EXE_splitpoint");
    let run = |more: &[&str]| {
        let named = SCENARIOS.iter().flat_map(|name| ["--scenario", name]);
        let fixed = ["null-reports.py", "--out", &out, "--binary", binary, "--reports", &count];
        python(&fixed.into_iter().chain(named).chain(more.iter().copied()).collect::<Vec<_>>())
    };
    let output = run(&[]);
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
    let column = |name: &str| bench.column_of("out/reports.csv", name);
    let expected: Vec<&str> = SCENARIOS.iter().flat_map(|name| [*name; REPORTS]).collect();
    assert_eq!(column("scenario").len(), expected.len());
    assert!(expected.iter().all(|name| column("scenario").iter().filter(|one| one == name).count() == REPORTS));
    // Each kind of report has what it is read for.
    let sum_of = |scenario: &str, name: &str| -> u32 {
        let of = column("scenario").into_iter().zip(column(name)).filter(|(one, _)| one == scenario);
        of.map(|(_, value)| value.parse::<u32>().unwrap()).sum()
    };
    for (scenario, name) in [
        ("even", "intervals"),
        ("even", "of_verdict"),
        ("even", "growths"),
        ("compare", "intervals"),
        ("claims-two-true", "intervals"),
    ] {
        assert!(sum_of(scenario, name) >= REPORTS as u32, "{scenario} {name}");
    }
    assert!(column("unread").iter().all(|unread| unread == "0"), "{}", bench.text("out/reports.csv"));
    let states = column("scenario").into_iter().zip(column("outcome")).filter(|(one, _)| one == "health-2-clones");
    assert!(states.filter(|(_, state)| state == "clones" || state == "not decided").count() == REPORTS);

    // What is there is not drawn again, and the tables are those of the documents.
    let before = bench.read("out/reports.csv");
    let tables = stdout(&run(&["--markdown"]));
    assert_eq!(bench.read("out/reports.csv"), before);
    assert!(tables.contains("| 3 strategies equal in truth, even noise | 3 |"), "{tables}");
    assert!(tables.contains("| truth | reports | right | wrong | what was said |"), "{tables}");
}

#[test]
fn the_script_understands_verdicts() {
    if has_python() {
        let output = python(&["-m", "unittest", "null_reports.tests"]);
        assert!(output.status.success(), "{}", stderr(&output));
    }
}
