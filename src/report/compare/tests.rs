//! Comparisons of hand-made folders, worked out on paper.

mod false_claims;

use serde_json::{Value, json};

use super::*;
use crate::analysis::samples::{
    configuration, deprived, description, failed, measured, one_against_four, real, record,
};
use crate::record::{CellResult, Defined, Description, Record};
use crate::statistics::{Contrast, LEVEL, Scope, holm, student_factor};

/// Tolerance by which two ways to work out the same figure may differ.
const ROUNDING: f64 = 1e-9;

fn side(description: Description, records: Vec<Record>) -> Side {
    Side { path: "run".into(), description, environment: json!({ "sessions": [] }), records, warnings: Vec::new() }
}

/// One against four processors, as in the analysis: see `made.rs` for its runs.
fn first() -> Side {
    let (description, records) = one_against_four();
    side(description, records)
}

/// The runs of [`first`] with these seconds, in the order of the records.
fn with_seconds(seconds: [u64; 8]) -> Side {
    let mut side = first();
    for (record, seconds) in side.records.iter_mut().zip(seconds) {
        measured(record).time_ns = seconds * 1_000_000_000;
    }
    side
}

fn with_other_seeds(mut side: Side) -> Side {
    side.records.iter_mut().for_each(|record| record.cell.seed += 10);
    side
}

fn on_real_machine(mut side: Side, session: &str) -> Side {
    for record in &mut side.records {
        record.cell.configuration = real(&record.cell.configuration).into();
        record.session = session.into();
    }
    side
}

fn compared(sides: &[Side]) -> SideBySide {
    SideBySide::of(sides, &Question::default()).unwrap()
}

fn ignoring(fields: &[&str]) -> Question {
    Question { ignored: fields.iter().map(|&field| field.to_owned()).collect(), ..Question::default() }
}

#[track_caller]
fn expect(found: f64, expected: f64) {
    assert!((found - expected).abs() <= ROUNDING * expected.abs().max(1.0), "{found}, not {expected}");
}

/// Workers that wait for the first go on counting nodes: to the end of the search, twice the time of the answer.
#[test]
fn nodes_a_second_are_those_to_the_end_of_the_search() {
    let mut waits = first();
    for record in &mut waits.records {
        let CellResult::Done(measured) = &mut record.result else { panic!("{record:?}") };
        measured.master_ns = Some(2 * measured.time_ns);
    }
    let compared = compared(&[first(), waits]);
    for pair in &compared.counterparts {
        expect(pair.time.ratio.estimate, 1.0);
        expect(pair.nps.estimate, 0.5);
    }
}

/// On four processors 1, 4 | 1, 1 s against 2, 4 | 4, 1 s: in binary logarithms 1, 0 | 2, 0 more, so 1/2 and 1 by
/// position and 3/4 in the mean. On one, 8, 2 | 16, 4 against 16, 2 | 16, 4: 1, 0 | 0, 0, so 1/4. The speedup is larger
/// by 0, 0 | -2, 0.
#[test]
fn pairs_by_hand() {
    let compared = compared(&[first(), with_seconds([16, 2, 16, 4, 2, 4, 4, 1])]);
    let [one, four] = &compared.counterparts[..] else { panic!("{compared:?}") };
    assert_eq!((one.label.as_str(), four.label.as_str()), ("sequential", "ybwc"));
    assert_eq!((four.folder, four.positions, four.is_paired, four.runs), (1, 2, true, [4, 4]));
    expect(one.time.ratio.estimate, 2_f64.powf(0.25));
    expect(four.time.ratio.estimate, 2_f64.powf(0.75));
    // Variances 1/2 and 2 of two runs each: 1/4 and 1, with one degree of freedom each, which all count.
    let half_width = student_factor(LEVEL, 2.0) * 1.25_f64.sqrt() / 2.0;
    expect(four.time.ratio.low, 2_f64.powf(0.75 - half_width));
    expect(four.time.ratio.high, 2_f64.powf(0.75 + half_width));
    expect(four.nps.estimate, 2_f64.powf(-0.75));
    assert_eq!((one.speedup, four.nodes.verdict, four.nodes.test), (None, Verdict::Equal, None));
    let speedup = four.speedup.unwrap();
    expect(speedup.ratio.estimate, 2_f64.powf(-0.5));
    assert!(speedup.is_paired);
    // Differences 0, 0 | -2, 0: variances 0 and 2.
    let half_width = student_factor(LEVEL, 1.0) / 2.0;
    expect(speedup.ratio.high, 2_f64.powf(-0.5 + half_width));
    assert_eq!((compared.differences, compared.only_in), (vec![], vec![]));
}

/// Runs with other seeds: the same ratios, with the noise of both sides.
#[test]
fn without_common_seeds_positions_are_compared() {
    let other = with_seconds([16, 2, 16, 4, 2, 4, 4, 1]);
    let compared = compared(&[first(), with_other_seeds(other)]);
    let four = &compared.counterparts[1];
    assert_eq!((four.is_paired, four.runs), (false, [4, 4]));
    expect(four.time.ratio.estimate, 2_f64.powf(0.75));
    // Binary logarithms 0, 2 | 0, 0 and 1, 2 | 2, 0: variances over two runs 1, 0, 1/4 and 1.
    let half_width = student_factor(LEVEL, 4.0) * 2.25_f64.sqrt() / 2.0;
    expect(four.time.ratio.high, 2_f64.powf(0.75 + half_width));
    let speedup = four.speedup.unwrap();
    expect(speedup.ratio.estimate, 2_f64.powf(-0.5));
    // The baselines 3, 1 | 4, 2 and 4, 1 | 4, 2 bring variances 1, 1, 9/4 and 1.
    let variance = 2.25 + 5.25;
    let half_width = student_factor(LEVEL, 8.0) * f64::sqrt(variance) / 2.0;
    expect(speedup.ratio.high, 2_f64.powf(-0.5 + half_width));
    assert!(!speedup.is_paired);
}

/// One common seed of two says nothing of its spread, two runs on each side do. Single runs say nothing in any way.
#[test]
fn pairs_are_used_where_they_say_how_certain_a_ratio_is() {
    let mut shifted = first();
    shifted.records.iter_mut().for_each(|record| record.cell.seed += 1);
    assert!(!compared(&[first(), shifted]).counterparts[1].is_paired);
    let single = || {
        let mut side = with_seconds([1, 9, 2, 9, 3, 9, 4, 9]);
        side.records.retain(|record| record.cell.seed == 1);
        side
    };
    let mut other = single();
    measured(&mut other.records[3]).time_ns *= 4;
    let compared = compared(&[single(), other.clone()]);
    let four = &compared.counterparts[1];
    assert_eq!((four.runs, four.time.verdict, four.time.test), ([2, 2], Verdict::NotKnown, None));
    assert!(!four.time.ratio.is_known());
    expect(four.time.ratio.estimate, 2.0);
    // For positions like these two positions are enough.
    let question = Question { interval: Some(IntervalKind::PositionsLikeThese), ..Question::default() };
    let like = SideBySide::of(&[single(), other], &question).unwrap();
    assert!(like.counterparts[1].time.ratio.is_known());
}

/// Twice the nodes with four threads and the same with one; and threads that have ceased to search.
#[test]
fn losses_of_a_version_are_told_by_counts() {
    assert!(compared(&[first(), first()]).losses().is_empty());
    let with_nodes = |nodes: [u64; 4]| {
        let mut other = first();
        for (record, nodes) in other.records[4..].iter_mut().zip(nodes) {
            measured(record).nodes = nodes;
        }
        compared(&[first(), other]).losses()
    };
    let lost = with_nodes([800, 790, 102, 410]);
    assert_eq!(lost.len(), 2, "{lost:?}");
    assert!(
        lost[0].starts_with("With 4 threads, by the model, it needs 2.01")
            && lost[0].ends_with("many nodes to the same depth.")
    );
    assert!(lost[1].ends_with("times as many nodes relative to one thread."), "{lost:?}");
    assert!(with_nodes([200, 195, 26, 100]).is_empty(), "fewer are none");
    let idle = with_nodes([100, 400, 100, 100]);
    assert!(idle.iter().any(|line| line.starts_with("With 4 threads, by the model, only one searches")), "{idle:?}");
}

/// In the older version only one thread searched: that several do now, with more nodes, is no loss.
#[test]
fn a_repair_is_no_loss() {
    let mut old = first();
    for (record, nodes) in old.records[4..].iter_mut().zip([100, 400, 100, 100]) {
        measured(record).nodes = nodes;
    }
    let mut new = first();
    for record in &mut new.records[4..] {
        measured(record).nodes = 900;
    }
    let compared = compared(&[old, new]);
    assert!(compared.losses().is_empty(), "{:?}", compared.losses());
    let verdicts = crate::table::terminal::write(&compared.versions(), usize::MAX);
    assert!(verdicts.contains("repaired: several search now"), "{verdicts}");
}

#[test]
fn what_is_the_same_is_said_to_be() {
    let verdicts = |other: Side| {
        let four = compared(&[first(), other]).counterparts[1].clone();
        (four.time.verdict, four.nodes.verdict)
    };
    assert_eq!(verdicts(first()), (Verdict::Identical, Verdict::Identical));
    let mut on_other_host = first();
    measured(&mut on_other_host.records[7]).table_on_large_pages_bytes = Some(1);
    assert_eq!(verdicts(on_other_host), (Verdict::Identical, Verdict::Identical));
    let mut another_move = first();
    measured(&mut another_move.records[7]).bestmove = Some("d2d4".into());
    assert_eq!(verdicts(another_move), (Verdict::Equal, Verdict::Equal));
    let mut one_run_more = first();
    one_run_more.records.push(record(8, &configuration("ybwc", 4), "B", 3, (7, 7)));
    assert_eq!(verdicts(one_run_more), (Verdict::Equal, Verdict::Equal));
    let mut one_node_more = first();
    measured(&mut one_node_more.records[7]).nodes += 1;
    let (time, nodes) = verdicts(one_node_more);
    assert_eq!((time, nodes), (Verdict::Equal, Verdict::Equivalent));
}

/// A measurement is no second measurement for being in two folders.
#[test]
fn copies_of_real_measurements_are_not_tested() {
    let all = compared(&[on_real_machine(first(), "one"), on_real_machine(first(), "one")]);
    for pair in &all.counterparts {
        assert_eq!((pair.time.verdict, pair.nodes.verdict, pair.time.test), (Verdict::Copied, Verdict::Copied, None));
        assert!(!pair.time.ratio.is_known() && !pair.nps.is_known());
        expect(pair.time.ratio.estimate, 1.0);
    }
    assert_eq!(all.notes.len(), 1, "{:?}", all.notes);
    let all = compared(&[on_real_machine(first(), "one"), on_real_machine(first(), "two")]);
    assert_eq!(all.counterparts[1].time.verdict, Verdict::Identical, "measured twice, by a wonder");
}

/// Both families are corrected for their number, each for itself, over all folders.
#[test]
fn probabilities_are_adjusted_for_all_that_is_tested() {
    let other = |change: u64| with_seconds([16, 2 + change, 15, 4, 2, 4, 4 + change, 1]);
    let all = compared(&[first(), other(0), other(9)]);
    let raw: Vec<Option<f64>> = [other(0), other(9)]
        .iter()
        .flat_map(|other| {
            ["sequential", "ybwc"].map(|strategy| {
                let only = |mut side: Side| {
                    side.records.retain(|record| record.cell.configuration.strategy == strategy);
                    side
                };
                let pairs = compared(&[only(first()), only(other.clone())]).counterparts;
                pairs[0].time.test.map(Test::p)
            })
        })
        .collect();
    assert!(raw.iter().all(Option::is_some));
    let expected = holm(&raw);
    let found: Vec<Option<f64>> = all.counterparts.iter().map(|pair| pair.time.test.and_then(Test::adjusted)).collect();
    assert_eq!(found, expected);
    assert_ne!(found, raw);
    assert!(all.counterparts.iter().all(|pair| pair.nodes.test.is_none()), "equal nodes are no test");
}

#[test]
fn equivalence_is_tested_with_the_margin() {
    let mut other = first();
    for (record, permille) in other.records.iter_mut().zip([2, 3, 1, 2, 10, 10, 10, 11]) {
        measured(record).time_ns = measured(record).time_ns * (1000 + permille) / 1000;
    }
    let with_margin = |margin: f64| {
        let question = Question { margin, ..Question::default() };
        SideBySide::of(&[first(), other.clone()], &question).unwrap().counterparts[1].clone()
    };
    let wide = with_margin(0.05);
    assert_eq!(wide.time.verdict, Verdict::More);
    assert_eq!(wide.time.in_words(Measure::Time, 0.05), "slower, within 5 %");
    let narrow = with_margin(0.001).time;
    assert_eq!((narrow.verdict, narrow.is_within_margin()), (Verdict::More, Some(false)));
    // 1.005 and 1.010 in the mean, by the same test that the adjustment starts from.
    let differences: Vec<Vec<f64>> = [[1.010_f64, 1.010], [1.010, 1.011]].map(|at| at.map(f64::ln).to_vec()).to_vec();
    let contrast = Contrast::paired(&differences).unwrap();
    let raw = contrast.equivalence(Scope::ThesePositions, 0.05_f64.ln_1p()).unwrap();
    let found = wide.time.equivalence.unwrap().p();
    assert!(found >= raw - ROUNDING && found <= 2.0 * raw + ROUNDING, "{found} of {raw}");
}

#[test]
fn fields_that_are_ignored_may_differ() {
    let mut mailbox = first();
    for record in &mut mailbox.records {
        record.cell.configuration.board = "mailbox".into();
        record.cell.configuration.sliders = None;
    }
    let error = SideBySide::of(&[first(), mailbox.clone()], &Question::default()).unwrap_err().to_string();
    assert!(error.contains("no search in common"), "{error}");
    assert!(error.contains("--ignore board,sliders"), "{error}");
    let compared = SideBySide::of(&[first(), mailbox.clone()], &ignoring(&["board"])).unwrap();
    assert_eq!(compared.counterparts.len(), 2);
    assert_eq!(compared.ignored, ["board", "sliders"]);
    let board = compared.differences.iter().find(|one| one.what == "board").unwrap();
    assert_eq!(board.values, ["bitboards", "mailbox"]);

    let mut both = mailbox;
    both.records.extend(first().records.into_iter().map(|record| Record { index: record.index + 8, ..record }));
    for sides in [[first(), both.clone()], [both, first()]] {
        let error = SideBySide::of(&sides, &ignoring(&["board"])).unwrap_err();
        assert!(matches!(&error, CompareError::Ambiguous { count: 2, .. }), "{error}");
        assert!(error.to_string().contains("2 configurations in folder"), "{error}");
    }
}

#[test]
fn bad_questions_are_refused() {
    let refused = |question: Question, expected: &str| {
        let error = SideBySide::of(&[first(), first()], &question).unwrap_err();
        assert!(error.is_bad_input() && error.to_string().contains(expected), "{error}");
    };
    refused(ignoring(&["bord"]), "did you mean 'board'");
    refused(ignoring(&["machine"]), "real and virtual seconds cannot be compared");
    let mut one_game = first();
    one_game.description.is_one_game = true;
    let like = Question { interval: Some(IntervalKind::PositionsLikeThese), ..Question::default() };
    assert!(matches!(SideBySide::of(&[first(), one_game.clone()], &like), Err(CompareError::OneGame)));
    // The folder's own choice is no demand: the figures are shown without intervals.
    one_game.description.interval = IntervalKind::PositionsLikeThese;
    let shown = compared(&[one_game.clone(), one_game]);
    assert!(!shown.counterparts[0].time.ratio.is_known());
    let empty = side(description(&[], 8), Vec::new());
    assert!(matches!(
        SideBySide::of(&[first(), empty], &Question::default()),
        Err(CompareError::NothingInCommon { .. })
    ));
    assert!(matches!(compare(&["a".into()], &Question::default()), Err(CompareError::HowMany(1))));
}

/// A position is the same if its board and its depth are.
#[test]
fn only_common_positions_count() {
    let mut other = first();
    // Another order of positions changes nothing.
    other.description.positions.reverse();
    other.records.reverse();
    assert_eq!(compared(&[first(), other]).counterparts[1].time.verdict, Verdict::Identical);
    let mut other = with_seconds([8, 2, 16, 4, 1, 4, 2, 2]);
    other.records.iter_mut().filter(|record| record.cell.position == "A").for_each(|r| r.cell.depth = Some(6));
    let found = compared(&[first(), other.clone()]);
    assert_eq!((found.counterparts[1].positions, found.counterparts[1].runs), (1, [2, 2]));
    expect(found.counterparts[1].time.ratio.estimate, 2.0);
    other.records.retain(|record| record.cell.position == "A" || record.cell.configuration.threads == 1);
    let found = compared(&[first(), other]);
    assert_eq!(found.counterparts.len(), 1);
    assert!(found.only_in[0].lacks_positions && found.only_in[0].label == "ybwc", "{:?}", found.only_in);
}

#[test]
fn what_one_folder_has_alone_is_listed() {
    let (mut ours, mut theirs) = (first(), first());
    ours.records.push(record(8, &configuration("lazy", 4), "A", 1, (1, 1)));
    theirs.records.push(failed(record(8, &configuration("ybwc", 8), "A", 1, (1, 1)), "no memory"));
    let found = compared(&[ours, theirs]);
    let alone: Vec<_> = found.only_in.iter().map(|one| (one.folder, one.missing_in, one.label.as_str())).collect();
    assert_eq!(alone, [(0, 1, "lazy"), (1, 0, "ybwc")]);
    assert_eq!((found.folders[1].failed, found.folders[1].searches), (1, 8));
    let text = found.text();
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
    for row in [["A", "B", "lazy", "virtual", "4"], ["B", "A", "ybwc", "virtual", "8"]] {
        assert!(rows.iter().any(|words| words[..] == row), "{text}");
    }
}

#[test]
fn what_differs_beside_the_figures_is_told() {
    let session = |host: &str, version: &str| {
        json!({"sessions": [
            {"id": "one", "version": version, "host": {"name": host, "logical_cpus": 2}},
            {"id": "unused", "version": "9.9", "host": {"name": "elsewhere"}},
        ]})
    };
    let (mut ours, mut theirs) = (first(), first());
    ours.environment = session("here", "0.1.0");
    theirs.environment = session("there", "0.2.0");
    theirs.description.signature = 7;
    theirs.description.plan = "other".into();
    let others = Some(Defined::new("reference", "def"));
    theirs.records.iter_mut().for_each(|record| record.cell.configuration.costs = others.clone());
    let found = SideBySide::of(&[ours, theirs], &ignoring(&["costs_hash"])).unwrap();
    let told: Vec<(&str, [&str; 2])> =
        found.differences.iter().map(|one| (one.what.as_str(), [&*one.values[0], &*one.values[1]])).collect();
    let expected = [
        ("signature", ["0", "7"]),
        ("version", ["0.1.0", "0.2.0"]),
        ("host", ["here", "there"]),
        ("costs 'reference'", ["abc", "def"]),
        ("plan", [", 8 cells", "other, 8 cells"]),
        ("costs_hash", ["abc", "def"]),
    ];
    assert_eq!(told, expected);
    let text = found.text();
    assert!(text.find("signature").unwrap() < text.find("Which is faster?").unwrap(), "said first: {text}");
}

/// Everything that is said, with labels of any length.
fn a_bit_of_everything() -> SideBySide {
    let long = format!("ybwc-as-printed{}", ",-defect-root-never-splits".repeat(8));
    let add = |mut side: Side| {
        for (place, seed) in [(8, 1), (9, 2)] {
            side.records.push(record(place, &configuration(&long, 24), "A", seed, (1 + seed, 10)));
        }
        let on_real = on_real_machine(first(), if side.records[0].index == 0 { "one" } else { "two" });
        side.records.extend(on_real.records.into_iter().map(|record| Record { index: record.index + 20, ..record }));
        side
    };
    let mut other = with_seconds([16, 2, 16, 4, 2, 4, 4, 1]);
    measured(&mut other.records[7]).nodes += 1;
    let mut other = add(other);
    other.records.iter_mut().for_each(|record| record.session = "two".into());
    let last = other.records.pop().unwrap();
    other.records.push(deprived(last, 0.1));
    other.description.signature = 3;
    compared(&[add(first()), other])
}

#[test]
fn the_text_reads_well() {
    let text = a_bit_of_everything().text();
    for line in text.lines() {
        assert!(line.chars().count() <= 100 && line.trim_end() == line, "{line}");
    }
    for part in
        ["What differs beside the figures?", "Virtual seconds by reference abc.", "verdict\n", "equal in all pairs\n"]
    {
        assert!(text.replace("\nby", " by").contains(part), "{part}: {text}");
    }
    let row = text.lines().find(|line| line.starts_with("ybwc ")).unwrap();
    assert_eq!(
        row.split_whitespace().take(6).collect::<Vec<_>>(),
        ["ybwc", "virtual", "4", "2", "4", "pairs"],
        "{text}"
    );
}

#[test]
fn the_page_has_the_verdict_the_chart_and_all_questions() {
    let page = a_bit_of_everything().page().unwrap();
    for part in
        ["id=\"verdict\"", "id=\"chart-compared\"", "id=\"folders\"", "id=\"time\"", "id=\"nodes\"", "id=\"rates\""]
    {
        assert!(page.contains(part), "{part}");
    }
}

#[test]
fn json_has_its_keys() {
    let value = json(&a_bit_of_everything());
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ");
    assert_eq!(keys(&value), "comparisons differences folders ignored interval level margin notes only_in version");
    assert_eq!(keys(&value["folders"][0]), "disturbed failed missing name path searches title");
    let four = &value["comparisons"][1];
    assert_eq!(
        keys(four),
        "against configuration configuration_against folder label nodes nps paired positions runs runs_against time \
         time_speedup"
    );
    assert_eq!(keys(&four["time"]), "high low p p_equivalence ratio verdict within_margin");
    assert_eq!(keys(&four["time_speedup"]), "high low paired ratio");
    expect(four["time"]["ratio"].as_f64().unwrap(), 2_f64.powf(0.75));
    assert_eq!((&four["folder"], &four["paired"], &four["runs"]), (&json!("B"), &json!(true), &json!(4)));
    assert_eq!(value["interval"], "these-positions");
    assert_eq!(value["differences"][0], json!({"what": "signature", "values": ["0", "3"]}));
}

#[test]
fn the_table_reads_back() {
    let whole = a_bit_of_everything();
    let table = whole.csv().unwrap();
    let mut reader = ::csv::Reader::from_reader(&table[..]);
    let headings = reader.headers().unwrap().clone();
    let rows: Vec<_> = reader.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), whole.counterparts.len());
    let field = |row: usize, name: &str| &rows[row][headings.iter().position(|heading| heading == name).unwrap()];
    assert_eq!((field(1, "machine"), field(1, "strategy"), field(1, "threads")), ("virtual", "ybwc", "4"));
    expect(field(1, "time_ratio").parse().unwrap(), 2_f64.powf(0.75));
    assert_eq!((field(0, "time_speedup_ratio"), field(1, "paired"), field(1, "differs")), ("", "true", ""));
    let mut names: Vec<&str> = headings.iter().collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), headings.len(), "no heading twice");
}

#[test]
fn failed_cells_are_not_compared() {
    let mut other = first();
    other.records[7].result = CellResult::Failed("no memory".into());
    let found = compared(&[first(), other]);
    assert_eq!(found.counterparts[1].runs, [3, 3]);
    assert_eq!(found.folders[1].failed, 1);
}
