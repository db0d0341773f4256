//! `splitpoint micro`, through the program behind it.

use std::process::{Command, Output};

use serde_json::Value;
use splitpoint_data::record::MICROS;
use splitpoint_engine::chess::choice::BoardChoice;

/// Runs the program, from a folder where nothing of the project lies.
fn micro(arguments: &[&str]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_splitpoint-micro"));
    program.args(arguments).current_dir(std::env::temp_dir()).output().expect("the binary runs")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Boards that this processor can run, each with its sliders.
fn boards() -> impl Iterator<Item = BoardChoice> {
    BoardChoice::all().filter(|board| board.check().is_ok())
}

/// Names of all micro-measurements, with options that make a tiny run.
const TINY: [(&str, &[&str]); 12] = [
    ("make-unmake", &[]),
    ("brute-force", &["--depth", "1"]),
    ("copy", &["--board", "mailbox"]),
    ("attacks", &["--position", "BK09"]),
    ("sliders", &[]),
    ("exchange", &["--depth", "2", "--position", "reul-see"]),
    ("lists", &["--depth", "1"]),
    ("profile", &["--depth", "2"]),
    ("magics", &[]),
    ("magic-sets", &["--depth", "1", "--position", "BK09"]),
    ("bits", &[]),
    ("threads", &[]),
];

fn run(name: &str, more: &[&str]) -> Value {
    let output = micro(&[&[name, "--json", "--time", "1ms"], more].concat());
    assert!(output.status.success(), "{name}: {}", stderr(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn the_list_names_all_with_their_tables() {
    let list: Value = serde_json::from_slice(&micro(&["list", "--json"]).stdout).unwrap();
    let names: Vec<&str> = list["micros"].as_array().unwrap().iter().filter_map(|one| one["name"].as_str()).collect();
    assert_eq!(names, TINY.map(|(name, _)| name));
    assert_eq!(names, MICROS);
    let text = stdout(&micro(&["list"]));
    let flattened = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for tables in [
        "table 2.2",
        "table 2.3, table 2.4, footnote 17",
        "table 2.1, table 4.5",
        "table 3.1, figures 3.18 and 3.19, section 3.3",
    ] {
        assert!(flattened.contains(&format!("Reul 2009, {tables}")), "{text}");
    }
    assert_eq!(text.lines().count(), 1 + TINY.len(), "{text}");
    assert!(names.iter().all(|name| text.lines().any(|line| line.starts_with(&format!("{name} ")))), "{text}");
    assert!(text.lines().all(|line| line.len() <= 100 && !line.ends_with(' ')), "{text}");
}

#[test]
fn each_has_figures_with_their_keys() {
    for (name, more) in TINY {
        let report = run(name, more);
        assert_eq!(report["micro"], name);
        let figures = report["figures"].as_array().unwrap();
        assert!(!figures.is_empty(), "{name}");
        for figure in figures {
            let keys: Vec<&String> = figure.as_object().unwrap().keys().collect();
            let expected = ["board", "estimate", "figure", "interval", "of", "published", "sliders", "source", "unit"];
            assert_eq!(keys, expected, "{name}");
            let estimate = figure["estimate"].as_f64().unwrap_or_else(|| panic!("{name}: {figure}"));
            assert!(estimate >= 0.0, "{name}: {figure}");
            if let Some([low, high]) = figure["interval"].as_array().map(Vec::as_slice) {
                let (low, high) = (low.as_f64().unwrap(), high.as_f64().unwrap());
                assert!(low <= estimate && estimate <= high, "{name}: {figure}");
            }
            assert_eq!(figure["published"].is_null(), figure["source"].is_null(), "{name}: {figure}");
        }
        let published = report["published"].as_array().unwrap();
        let is_beside = |table: &Value| figures.iter().any(|figure| figure["source"] == *table);
        // A millisecond may be too little for a set of multipliers.
        let is_out_of_reach = |table: &Value| name == "magics" && *table == "Reul 2009, table 3.1";
        let lacking: Vec<&Value> =
            published.iter().filter(|table| !is_beside(table) && !is_out_of_reach(table)).collect();
        assert_eq!(lacking, Vec::<&Value>::new(), "{name}");
    }
}

#[test]
fn all_boards_are_compared_unless_one_is_chosen() {
    let of = |more: &[&str]| {
        let report = run("make-unmake", more);
        let names = |figure: &Value| (figure["board"].as_str().map(str::to_owned), figure["sliders"].to_string());
        let mut names: Vec<_> = report["figures"].as_array().unwrap().iter().map(names).collect();
        names.sort();
        names.dedup();
        names.len()
    };
    let all = boards().count();
    assert_eq!(of(&["--position", "BK03"]), all);
    let bitboards = boards().filter(|board| board.name() == "bitboards").count();
    assert_eq!(of(&["--position", "BK03", "--board", "bitboards"]), bitboards);
    assert_eq!(of(&["--position", "BK03", "--board", "mailbox"]), 1);
    assert_eq!(of(&["--position", "BK03", "--sliders", "ray"]), 1);
}

/// Counts agree with the published ones on every computer.
#[test]
fn published_counts_are_counted() {
    let figures = run("brute-force", &["--depth", "2", "--board", "mailbox"])["figures"].clone();
    let leaves = |of: &str| {
        let is_it = |figure: &&Value| figure["of"] == of && figure["figure"] == "leaves at depth 2";
        figures.as_array().unwrap().iter().find(is_it).and_then(|figure| figure["estimate"].as_f64())
    };
    assert_eq!((leaves("closed"), leaves("open")), (Some(964.0), Some(857.0)));
    let one = run("lists", &["--depth", "2", "--position", "BK09"]);
    assert_eq!(one["figures"], run("lists", &["--depth", "2", "--position", "BK09", "--seed", "5"])["figures"]);
}

#[test]
fn figures_are_tables_too() {
    let common = ["make-unmake", "--time", "1ms", "--board", "mailbox"];
    let csv = stdout(&micro(&[&common[..], &["--csv"]].concat()));
    let heading = "of,board,sliders,figure,unit,ours,ours_low,ours_high,published,ours_over_published,source";
    assert_eq!(csv.lines().next(), Some(heading));
    assert_eq!(csv.lines().count(), 1 + 8);
    let first: Vec<&str> = csv.lines().nth(1).unwrap().split(',').collect();
    assert_eq!((&first[..5], first[8]), (&["middlegame 1", "mailbox", "", "time of a move", "ns"][..], "32.5"));
    let text = stdout(&micro(&[&common[..], &["--rows"]].concat()));
    assert!(text.contains("Published: Reul 2009, table 2.2.") && text.contains("endgame 4"), "{text}");
    assert!(!text.lines().any(|line| line.ends_with(' ')), "{text}");
}

#[test]
fn a_row_for_each_board_and_all_rows_when_asked_for() {
    let of = |more: &[&str]| stdout(&micro(&[&["make-unmake", "--time", "1ms"], more].concat()));
    let text = of(&[]);
    let row = |board: &str| text.lines().filter(|line| line.split(' ').next() == Some(board)).count();
    assert_eq!((row("magic"), row("rotated"), row("mailbox"), row("endgame")), (1, 1, 1, 0), "{text}");
    assert!(text.starts_with("Time to make and unmake a legal move"), "{text}");
    let all = 8 * (2 * boards().count() - 1);
    assert!(text.contains(&format!("geometric mean of 8 positions; --rows prints all {all} rows\n")), "{text}");
    let rows = of(&["--rows"]);
    assert_eq!(rows.lines().filter(|line| line.contains("time of a move")).count(), all, "{rows}");
    let means = run("make-unmake", &[])["means"].clone();
    let rotated = means.as_array().unwrap().iter().find(|row| row["board"] == "rotated").unwrap();
    let (ratio, published) = (&rotated["to_mailbox"], rotated["published"].as_f64().unwrap());
    assert!(ratio["low"].as_f64() <= ratio["estimate"].as_f64() && (1.1..1.3).contains(&published), "{rotated}");
    assert_eq!(run("bits", &[])["means"], serde_json::json!([]));
}

/// Published shares are as small as 0.00075.
#[test]
fn figures_are_a_page_too() {
    let path = std::env::temp_dir().join(format!("splitpoint-micro-{}.html", std::process::id()));
    for (name, picture) in [("make-unmake", "chart-ratios"), ("bits", "chart-values")] {
        let output = micro(&[name, "--time", "1ms", "--page", path.to_str().unwrap()]);
        assert!(output.status.success(), "{}", stderr(&output));
        let page = std::fs::read_to_string(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert!(page.contains(picture) && page.contains("Published: ") && !page.contains("columns.md"), "{name}");
        assert!(page.contains(&format!("splitpoint micro {name} --time 1ms --seed 0")), "{name}");
    }
}

#[test]
fn tiny_shares_have_no_ratio() {
    let csv = stdout(&micro(&["lists", "--depth", "2", "--csv"]));
    let field = |line: &str, at: usize| line.split(',').rev().nth(at).and_then(|text| text.parse::<f64>().ok());
    let mut tiny = 0;
    // From the end: source, which has a comma and quotes, then the ratio, then the published value.
    for line in csv.lines().filter(|line| line.contains(",share,")) {
        let (ratio, published) = (field(line, 2), field(line, 3));
        tiny += usize::from(published.is_some_and(|share| share < 0.01));
        assert!(published.is_none_or(|share| share >= 0.01) || ratio.is_none(), "{line}");
    }
    assert!(tiny > 0, "{csv}");
}

#[test]
fn what_cannot_be_is_refused() {
    let cases: [(&[&str], &str); 10] = [
        (&["make-unmak"], "'make-unmak' is not a micro-measurement"),
        (&["make-unmak"], "did you mean 'make-unmake'?"),
        (&["lst"], "did you mean 'list"),
        (&["bits", "--board", "mailbox"], "'bits' takes no --board"),
        (&["attacks", "--depth", "3"], "'attacks' takes no --depth"),
        (&["bits", "--print"], "'bits' takes no --print"),
        (&["bits", "--check", "table.csv"], "'bits' takes no --check"),
        (&["magics", "--position", "BK09"], "'magics' takes no --position"),
        (&["attacks", "--position", "BK9"], "'BK9' is not a position; did you mean"),
        (
            &["attacks", "--board", "mailbox", "--sliders", "ray"],
            "board 'mailbox' has no sliding methods: leave out 'ray'",
        ),
    ];
    for (arguments, message) in cases {
        let output = micro(arguments);
        let error = stderr(&output);
        assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(2), ""), "{arguments:?}: {error}");
        assert!(error.contains(message), "{arguments:?}: {error}");
    }
    for arguments in [&["bits", "--time", "0s"][..], &["bits", "--board", "mailbx"], &["bits", "--json", "--csv"], &[]]
    {
        let output = micro(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    }
}

#[test]
fn the_help_has_examples_that_run() {
    let help = stdout(&micro(&["--help"]));
    let examples: Vec<&str> = help.lines().filter_map(|line| line.trim().strip_prefix("splitpoint micro ")).collect();
    assert_eq!(examples.len(), 8, "{help}");
    for example in examples {
        let arguments: Vec<&str> = example.split_whitespace().collect();
        let is_quick = arguments.contains(&"--time") || arguments.contains(&"--print");
        let tiny: &[&str] = if is_quick { &[] } else { &["--time", "1ms"] };
        let output = micro(&[&arguments, tiny].concat());
        assert!(output.status.success(), "{example}: {}", stderr(&output));
    }
}

#[test]
fn a_verdict_is_told_of_sets_of_multipliers() {
    let verdict = run("magic-sets", &["--depth", "1", "--position", "BK09"])["verdict"].clone();
    let verdict = verdict.as_str().unwrap();
    assert!(verdict.contains(" faster than the ") && verdict.contains("Beside itself"), "{verdict}");
    assert!(run("bits", &[])["verdict"].is_null());
}

/// The set of multipliers that is printed for seed 0 is the one that the boards use.
#[test]
fn a_set_is_printed_as_the_source_keeps_it() {
    let printed = |seed: &str| stdout(&micro(&["magics", "--print", "--seed", seed]));
    let source = include_str!("../../engine/chess/bitboards/sliders/magic_multipliers.rs");
    let (own, other) = (printed("0"), printed("1"));
    assert!(source.contains(own.trim_end()) && !source.contains(other.trim_end()), "{own}");
    assert_eq!((own.lines().count(), other.lines().count()), (23, 23), "{other}");
}

/// A table that is printed can be checked; of one with a multiplier that fails, as a source prints it, it is named.
#[test]
fn multipliers_are_printed_and_checked() {
    let printed = stdout(&micro(&["magics", "--print", "multipliers"]));
    assert_eq!(
        (printed.lines().next(), printed.lines().count()),
        (Some("slider,square,bits,one_bits,multiplier"), 129)
    );
    let folder = std::env::temp_dir().join(format!("splitpoint-multipliers-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let checked = |text: &str| {
        let file = folder.join("table.csv");
        std::fs::write(&file, text).unwrap();
        micro(&["magics", "--check", file.to_str().unwrap()])
    };
    let text = stdout(&checked(&printed));
    let perfect =
        |line: &&str| line.contains("without a collision") && line.split_whitespace().any(|word| word == "64");
    assert_eq!(text.lines().filter(perfect).count(), 2, "{text}");
    let text = stdout(&checked("slider,square,multiplier\nbishop,d8,04202000\n"));
    assert!(text.contains("bishop d8, 0000000004202000  occupations that meet another answer"), "{text}");
    let output = checked("slider,square,multiplier\nbishop,d9,1\n");
    let error = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains("table.csv: multiplier 1: 'd9' is not a square"), "{error}");
    let missing = micro(&["magics", "--check", folder.join("none.csv").to_str().unwrap()]);
    assert!(missing.status.code() == Some(2) && stderr(&missing).contains("none.csv"), "{}", stderr(&missing));
    std::fs::remove_dir_all(&folder).unwrap();
}

/// With rook c1 moved to c4 the rooks' list is in another order than their squares; the one that takes back on d4 first
/// lets the enemy's rook on a4 in, or does not.
#[test]
fn the_order_of_rooks_changes_an_exchange() {
    let report = run("lists", &["--depth", "2", "--position", "3q3k/8/4n3/8/r2P4/8/P2R2PP/2R4K w - - 0 1"]);
    let figures = report["figures"].as_array().unwrap();
    let of = |name: &str| figures.iter().find(|one| one["figure"] == name).unwrap()["estimate"].as_f64().unwrap();
    let share = of("exchanges that have another value because of the order of rooks");
    assert!((share * of("exchanges") - 1.0).abs() < 1e-9, "{share}");
}
