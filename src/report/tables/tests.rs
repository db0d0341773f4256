//! Tables read back, and beside figures worked out by hand.

use std::collections::{BTreeMap, HashSet};

use super::*;
use crate::record::{Factorial, MachineKind, Reference, WorkerRecord, WorkerWatch};
use crate::report::analysis::samples::{
    again, configuration, description, disturbed, failed, measured, one_against_four, real, record,
};
use crate::report::analysis::{Analysis, ThesisColumns};
use crate::statistics::Interval;
use crate::table::terminal::{WIDTH, write};

fn runs_csv(records: &[Record]) -> io::Result<Vec<u8>> {
    csv::write(&runs::runs(records))
}

fn summary_csv(analysis: &Analysis) -> io::Result<Vec<u8>> {
    csv::write(&summary(analysis))
}

fn written(table: &Table) -> String {
    write(table, WIDTH)
}

/// The rows of a table, each as values by heading.
fn read(bytes: &[u8]) -> Vec<BTreeMap<String, String>> {
    let mut reader = ::csv::ReaderBuilder::new().flexible(false).from_reader(bytes);
    let headings = reader.headers().unwrap().clone();
    assert_eq!(headings.iter().collect::<HashSet<_>>().len(), headings.len(), "headings are unique");
    let row = |values: ::csv::StringRecord| {
        assert_eq!(values.len(), headings.len());
        headings.iter().zip(&values).map(|(heading, value)| (heading.to_owned(), value.to_owned())).collect()
    };
    reader.records().map(|values| row(values.unwrap())).collect()
}

#[track_caller]
fn expect(row: &BTreeMap<String, String>, expected: &[(&str, &str)]) {
    for (column, value) in expected {
        assert_eq!(row.get(*column).map(String::as_str), Some(*value), "{column}");
    }
}

/// An experiment with a comparison and an effect: changed features, twice as slow.
fn with_changes() -> (Analysis, Vec<Record>) {
    let (mut description, mut records) = one_against_four();
    for at in 4..8 {
        let mut slower = records[at].clone();
        slower.index += 4;
        slower.cell.configuration.features = "thesis,-\"odd|name\"".into();
        measured(&mut slower).time_ns *= 2;
        records.push(slower);
    }
    description.references =
        vec![Reference { fields: BTreeMap::from([("features".into(), "thesis".into())]), members: Vec::new() }];
    description.axes = vec!["features".into(), "threads".into()];
    let runs = vec![("thesis".into(), vec![false]), ("thesis,-\"odd|name\"".into(), vec![true])];
    description.factorials = vec![Factorial { field: "features".into(), factors: vec!["odd".into()], runs }];
    (Analysis::of(description, &records), records)
}

#[test]
fn tables_read_back() {
    let (analysis, records) = with_changes();
    let tables = [
        (runs_csv(&records), 12),
        (summary_csv(&analysis), 3),
        (csv::write(&positions(&analysis)), 6),
        (csv::write(&changes::comparisons(&analysis).table("", "", &analysis.comparisons)), 1),
        (csv::write(&changes::effects(&analysis).table("", "", &analysis.effects)), 1),
    ];
    for (table, rows) in tables {
        assert_eq!(read(&table.unwrap()).len(), rows);
    }
}

#[test]
fn figures_stand_under_their_headings() {
    let (analysis, records) = with_changes();
    let runs = read(&runs_csv(&records).unwrap());
    expect(
        &runs[5],
        &[
            ("index", "5"),
            ("counts", "true"),
            ("status", "done"),
            ("position", "A"),
            ("strategy", "ybwc"),
            ("threads", "4"),
            ("depth", "5"),
            ("depth_rule", "plies"),
            ("seed", "2"),
            ("time_s", "4.000000000"),
            ("nodes", "400"),
            ("nps", "100"),
            ("thesis_nodes", "800"),
            ("search_s", "8.000000000"),
            ("idle_s", "4.000000000"),
            ("ended_share", ""),
            ("found_foreign", ""),
        ],
    );
    expect(&runs[11], &[("features", "thesis,-\"odd|name\""), ("index", "11")]);

    let summary = read(&summary_csv(&analysis).unwrap());
    expect(
        &summary[0],
        &[("label", "sequential, thesis"), ("thesis_nps_speedup", "1"), ("time_speedup", "1"), ("interval", "")],
    );
    expect(
        &summary[1],
        &[
            ("label", "ybwc, thesis"),
            ("threads", "4"),
            ("thesis_nps", "375"),
            ("nps", "187.5"),
            ("time_s", "1.75"),
            ("runs", "4"),
            ("interval", "these positions"),
            ("share_search", "0.5"),
            ("same_move", "1"),
            ("thesis_hash_share", "0"),
            ("ended_share", ""),
            ("nodes_limit", ""),
        ],
    );
    let ratios = analysis.groups[1].against_baseline.as_ref().unwrap();
    let of = |column: &str| summary[1][column].parse::<f64>().unwrap();
    assert_eq!(of("time_speedup"), ratios.time_speedup.estimate);
    assert_eq!(of("time_speedup_low"), ratios.time_speedup.low);
    assert_eq!(of("nodes_ratio_high"), ratios.nodes.high);
    assert_eq!(of("factor_rate"), ratios.factors.rate.ratio.estimate);
    assert_eq!(of("factor_rate_low"), ratios.factors.rate.ratio.low);

    let positions = read(&csv::write(&positions(&analysis)).unwrap());
    expect(&positions[3], &[("group", "1"), ("position", "B"), ("runs", "2"), ("moves", "e2e4 2"), ("threads", "4")]);
    let comparisons = read(&csv::write(&changes::comparisons(&analysis).table("", "", &analysis.comparisons)).unwrap());
    expect(
        &comparisons[0],
        &[
            ("group", "2"),
            ("reference", "1"),
            ("field", "features"),
            ("value", "thesis,-\"odd|name\""),
            ("reference_value", "thesis"),
            ("nodes_ratio", "1"),
            ("nodes_p", "1"),
            ("time_p", "0"),
        ],
    );
    let effects = read(&csv::write(&changes::effects(&analysis).table("", "", &analysis.effects)).unwrap());
    expect(&effects[0], &[("factor", "odd"), ("threads", "4"), ("machine", "virtual"), ("nodes_ratio", "1")]);
}

/// All that a computer leaves in a record.
fn elsewhere(mut record: Record) -> Record {
    (record.started, record.host_s, record.session, record.attempt) = (1.6e9, 77.7, "another".into(), 3);
    let watch = WorkerWatch {
        wall_ns: 10,
        cpu_ns: Some(9),
        involuntary_switches: Some(4),
        has_moved: Some(true),
        ..WorkerWatch::default()
    };
    let worker = WorkerRecord { cpu: Some(1), pinned: true, watch: Some(watch), ..WorkerRecord::default() };
    let measured = measured(&mut record);
    measured.workers = vec![worker];
    measured.table_on_large_pages_bytes = Some(1 << 21);
    disturbed(record, &["the clock changed"])
}

#[test]
fn virtual_rows_do_not_depend_on_the_computer() {
    let (_, mut records) = one_against_four();
    let expected = runs_csv(&records).unwrap();
    let mut others: Vec<Record> = records.iter().cloned().map(elsewhere).collect();
    assert_eq!(runs_csv(&others).unwrap(), expected);
    // There the cell failed before, for want of memory.
    let mut before = failed(others[0].clone(), "no memory");
    before.attempt = 2;
    others.push(before);
    assert_eq!(runs_csv(&others).unwrap(), expected);
    let row = &read(&expected)[0];
    for column in surroundings::surroundings().table("", "", []).columns {
        assert_eq!(row[&column.name], "", "{}", column.name);
    }

    // The same tells on a real machine.
    records.iter_mut().for_each(|record| record.cell.configuration = real(&record.cell.configuration));
    others.iter_mut().for_each(|record| record.cell.configuration = real(&record.cell.configuration));
    assert_ne!(runs_csv(&records).unwrap(), runs_csv(&others).unwrap());
    let rows = read(&runs_csv(&others).unwrap());
    assert_eq!(rows.len(), 9);
    expect(
        &rows[0],
        &[("attempt", "2"), ("status", "failed"), ("error", "no memory"), ("counts", "false"), ("time_s", "")],
    );
    expect(
        &rows[1],
        &[
            ("attempt", "3"),
            ("status", "done"),
            ("counts", "true"),
            ("disturbed", "the clock changed"),
            ("cpu_share_min", "0.9"),
            ("involuntary_switches", "4"),
            ("pinned", "true"),
            ("moved", "true"),
            ("filled", "false"),
            ("large_pages_bytes", "2097152"),
            ("started", "2020-09-13T12:26:40Z"),
            ("host_s", "77.7"),
            ("session", "another"),
            ("steal_share", ""),
        ],
    );
}

#[test]
fn all_attempts_have_rows_and_one_counts() {
    let first = record(0, &real(&configuration("ybwc", 2)), "A", 1, (1, 100));
    let second = again(&first, 2);
    let third = again(&second, 3);
    let records = [third, disturbed(second, &[]), disturbed(first, &["noise", "more noise"])];
    // Of a record without surroundings nobody knows whether it was quiet, of the one before it that it was.
    let rows = read(&runs_csv(&records).unwrap());
    let counts: Vec<(&str, &str)> = rows.iter().map(|row| (row["attempt"].as_str(), row["counts"].as_str())).collect();
    assert_eq!(counts, [("0", "false"), ("1", "true"), ("2", "false")]);
    let states: Vec<&str> = rows.iter().map(|row| row["state"].as_str()).collect();
    assert_eq!(states, ["disturbed", "quiet", "unknown"]);
    expect(&rows[0], &[("disturbed", "noise; more noise")]);
}

#[test]
fn what_was_not_counted_is_not_zero() {
    let with = |is_on: bool| {
        let mut configuration = configuration("ybwc", 2);
        (configuration.audit, configuration.losses) = (is_on, is_on);
        let mut record = record(0, &configuration, "A", 1, (1, 100));
        let measured = measured(&mut record);
        measured.losses = BTreeMap::from([("aborted".into(), 3), ("repeat".into(), 0), ("duplicate".into(), 0)]);
        measured.counters.insert("found_foreign", &0.into());
        measured.counters.insert("stores", &12.into());
        read(&runs_csv(&[record]).unwrap()).remove(0)
    };
    expect(
        &with(true),
        &[("aborted", "3"), ("repeat", "0"), ("found_foreign", "0"), ("stores", "12"), ("audit", "true")],
    );
    expect(
        &with(false),
        &[("aborted", "3"), ("repeat", ""), ("duplicate", ""), ("found_foreign", ""), ("stores", "12")],
    );
}

/// Counts and losses are read by their names: those of a real search fill every column.
#[test]
fn every_count_that_has_a_column_is_counted() {
    let mut configuration = configuration("ybwc", 2);
    (configuration.audit, configuration.losses) = (true, true);
    let mut record = record(0, &configuration, "A", 1, (1, 100));
    let measured = measured(&mut record);
    let counters = serde_json::to_value(crate::search::Counters::default()).unwrap();
    measured.counters = counters.as_object().unwrap().clone().into();
    ["leaves", "counted_nodes", "counted_moves"].iter().for_each(|name| measured.counters.insert(name, &1.into()));
    measured.depth = 1;
    measured.losses = crate::search::Loss::ALL.iter().map(|loss| (loss.name().to_owned(), 1)).collect();
    (measured.probes, measured.cutoffs, measured.splits.stops, measured.seldepth) = (1, 1, 1, 1);
    (measured.bestmove, measured.solved, measured.mate) = (Some("e2e4".into()), Some(true), Some(1));
    (measured.master_ns, measured.voted_ns, measured.torn_standing) = (Some(1), Some(1), Some(1));
    measured.program = Some("Fake".into());
    let row = runs::RunRow { record: &record, counts: true };
    let table = super::measured::measured().table("", "", [row]);
    for (column, cell) in table.columns.iter().zip(&table.rows[0]) {
        assert_ne!(cell.exact(), "", "{}", column.name);
    }
}

#[test]
fn every_column_is_documented() {
    let (analysis, records) = with_changes();
    let files = files(&analysis, &records);
    let guide = columns_md(&files);
    for File { name, table, .. } in files {
        let section = guide.split("## ").find(|section| section.starts_with(name)).unwrap();
        let documented = section.lines().filter(|line| line.starts_with("| `"));
        let documented: Vec<&str> = documented.filter_map(|line| line.split('`').nth(1)).collect();
        let table = csv::write(&table).unwrap();
        let headings: Vec<&str> = std::str::from_utf8(&table).unwrap().lines().next().unwrap().split(',').collect();
        assert_eq!(documented, headings);
    }
}

#[test]
fn files_are_written_and_removed() {
    let folder = std::env::temp_dir().join(format!("splitpoint-tables-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let names = || {
        let mut names: Vec<String> =
            fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };
    let bytes = || names().iter().map(|name| fs::read(folder.join(name)).unwrap()).collect::<Vec<_>>();
    let (analysis, records) = with_changes();
    write_all(&folder, &analysis, &records, &["Yes.".to_owned()]).unwrap();
    let all =
        ["columns.md", "comparisons.csv", "effects.csv", "positions.csv", "runs.csv", "summary.csv", "summary.md"];
    assert_eq!(names(), all);
    let first = bytes();
    write_all(&folder, &analysis, &records, &["Yes.".to_owned()]).unwrap();
    assert_eq!(bytes(), first);

    let (description, records) = one_against_four();
    write_all(&folder, &Analysis::of(description, &records), &records, &["Yes.".to_owned()]).unwrap();
    assert_eq!(names(), ["columns.md", "positions.csv", "runs.csv", "summary.csv", "summary.md"]);
    fs::remove_dir_all(&folder).unwrap();
    assert!(write_all(&folder, &analysis, &[], &[]).is_err(), "a folder that is not there");
}

#[test]
fn the_summary_is_markdown() {
    let (analysis, _) = with_changes();
    let text = summary_md(&analysis, &["They help.".to_owned()]);
    let expected = [
        "# Brothers\n\nDo they help?\n\nThey help.\n\n",
        "## ○ Virtual processors\n\n### ○ Figures by the thesis's definitions (virtual machine, cost model \
         reference)\n\nArithmetic",
        "| Curve | CPUs | NPS | Speedup | Nodes | Time | Hash | Order | Qn \
         |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|\n",
        "| ○ ybwc, thesis | 4 | 375 | 3.08 | 525 | 1.75 | 0.0 | 0.0 | 0.0 |\n",
        "| ○ ybwc, thesis | 4 | 4.00 (0.76 to 21.18) | 1.41 (0.36 to 5.51) | 5.66 (0.44 to 72.15) |\n",
        "| ○ ybwc, thesis | 4 | 0.750 (0.750 to 0.750) | 0.667 (0.667 to 0.667) | 2.83 (0.22 to 36.07) |\n",
        "| ○ features | -\"odd\\|name\" | thesis | ybwc, thesis,-\"odd\\|name\" | 4 | 2.00 (2.00 to 2.00) | < 0.001 \
         | 1.00 (1.00 to 1.00) | 1.000 |",
        "| ○ odd | 4 | 2.00 (2.00 to 2.00) |",
        "- Intervals have a level of 95 % and are for these positions.",
        "mean of 8 sequential searches",
        "Virtual seconds",
        "- Of 8 cells 0 failed and 0 are missing.",
    ];
    for expected in &expected[..expected.len() - 1] {
        assert!(text.contains(expected), "{expected}\n\n{text}");
    }
    // Nothing is said of failures where there are none.
    assert!(!text.contains(expected[expected.len() - 1]) && !text.contains("NaN"), "{text}");
    let lines = text.lines().filter(|line| line.starts_with('|'));
    let mut last = None;
    for line in lines {
        let cells = line.replace("\\|", "").matches('|').count();
        // A rule stands under headings and has as many cells.
        if line.starts_with("|-") {
            assert_eq!(last, Some(cells), "{line}");
        }
        last = Some(cells);
    }
}

#[test]
fn the_terminal_shows_ours_beside_the_published() {
    let (description, records) = one_against_four();
    let analysis = Analysis::of(description, &records);
    let figure = |figure| Some(Interval::unknown(figure));
    let published = [(
        1,
        ThesisColumns {
            nps: figure(183_788.6),
            nps_speedup: figure(1.0),
            nodes: figure(9_944_716.9),
            nodes_ratio: None,
            time_s: figure(55.808),
            time_speedup: figure(1.0),
            hash_pct: figure(34.7),
            order_pct: figure(91.9),
            qn_pct: figure(18.0),
        },
    )];
    let curve = &analysis.curves[0];
    let expected = "\
ybwc
                     ours                                     published
CPUs NPS Speedup Nodes Time Hash Order  Qn |     NPS Speedup   Nodes Time Hash Order   Qn
   1 122    1.00   350 7.50  0.0   0.0 0.0 | 183.8 k    1.00 9.945 M 55.8 34.7  91.9 18.0
   4 375    3.08   525 1.75  0.0   0.0 0.0 |       –       –       –    –    –     –    –
";
    let found = written(&shown::beside_published(&analysis, curve, &published));
    assert_eq!(found, expected, "\n{found}");
    let alone = written(&shown::beside_published(&analysis, curve, &[]));
    assert_eq!(alone.lines().nth(1), Some("CPUs  NPS  Speedup  Nodes  Time  Hash  Order   Qn"));
    let expected = "\
○ Speedup (virtual machine, cost model reference)
Curve   CPUs          Time speedup                Nodes   NPS
○ ybwc     4  4.00 (0.76 to 21.18)  1.41 (0.36 to 5.51)  5.66
";
    let found = written(&shown::speedups(&analysis, MachineKind::Virtual));
    assert_eq!(found, expected, "\n{found}");
    assert!(terminal::all(&analysis, &published).contains(expected));
}

#[test]
fn no_line_of_a_terminal_is_too_long() {
    let long = configuration(&format!("ybwc{}", ",minimum-draft=4".repeat(12)), 1024);
    let mut huge = record(1, &long, "A", 1, (1, 1 << 40));
    measured(&mut huge).thesis_hash_pct = 100;
    let records = [record(0, &long.baseline(), "A", 1, (1000, 1)), huge];
    let analysis = Analysis::of(description(&["threads"], 2), &records);
    assert_eq!(analysis.groups[1].configuration.machine, MachineKind::Virtual);
    let published = [(1, analysis.groups[0].thesis), (1024, analysis.groups[0].thesis)];
    let beside = written(&shown::beside_published(&analysis, &analysis.curves[0], &published));
    for line in (beside + &terminal::all(&analysis, &published)).lines() {
        assert!(line.chars().count() <= 100, "{line}");
    }
}
