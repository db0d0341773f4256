//! Published time speedups beside ours: in the report of a run, and in the kept tables from which the documents have
//! them. `scripts/update-docs.sh` writes the kept tables anew.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::lab_folder::{Bench, done};

/// Two of the 24 positions of dynamic tree splitting, searched in a fraction of a second on 16 virtual processors.
const OF_THE_DTS_PAPER: &str = r#"title = "DTS"
baseline = 2
repetitions = 2
positions = { suite = "hyatt-24", ids = ["DTS01", "DTS02"] }
axes = { machine = "virtual", strategy = ["dts", "ybwc"], threads = [8, 16], depth = 4, hash = 1, features = "thesis" }
report.charts = ["speedup"]
"#;

#[test]
fn a_report_has_published_speedups_beside_ours() {
    let bench = Bench::new("published-curves");
    let file = bench.write("dts.toml", OF_THE_DTS_PAPER);
    let folder = bench.at("dts");
    done(&["run", &file, "--out", &folder]);
    let column = |name: &str| bench.column_of("dts/published-speedups.csv", name);
    assert_eq!(column("published"), ["6.6", "6.616", "11.1", "10.824"]);
    assert_eq!(column("threads"), ["8", "8", "16", "16"]);
    assert_eq!(column("mean"), ["arithmetic", "geometric", "arithmetic", "geometric"]);
    assert_eq!(column("averaged"), ["1", "0", "1", "0"]);
    assert!(
        column("label").iter().all(|label| label == "dts") && column("positions").iter().all(|it| it == "part of them")
    );
    let numbers = |name: &str| column(name).iter().map(|cell| cell.parse().unwrap()).collect::<Vec<f64>>();
    let (ours, published) = (numbers("ours"), numbers("published"));
    let expected: Vec<f64> = ours.iter().zip(&published).map(|(ours, published)| ours / published - 1.0).collect();
    for (error, expected) in numbers("error").iter().zip(&expected) {
        assert!((error - expected).abs() < 1e-12, "{error}, not {expected}");
    }
    let of_means = |name: &str| -> f64 { bench.column_of("dts/published-errors.csv", name)[0].parse().unwrap() };
    assert!((of_means("mean_error") - (expected[0] + expected[2]) / 2.0).abs() < 1e-12);
    assert!((of_means("mean_absolute_error") - (expected[0].abs() + expected[2].abs()) / 2.0).abs() < 1e-12);
    let page = bench.text("dts/report.html");
    assert!(page.contains("11.1 that Hyatt 1994 published for DTS on more positions (arithmetic means)"));
    assert!(page.contains("Theirs, s"));
}

/// Number of processors from which on the documents list every published figure.
const MANY: u32 = 16;
/// Least time of one processor, in seconds, of a search that stands beside those of tournaments.
const LEAST_T1_S: f64 = 0.1;
/// Cost models whose runs stand beside published figures, and for the printed program those of its machines: each with
/// the table that they stand for. No model that was changed is among them.
const COSTS: [&str; 2] = ["reference", "reference-modern"];
const MACHINES: [(&str, &str); 3] = [
    ("smp-2004", "rasmussen-2004-main.csv"),
    ("e15k", "rasmussen-2004-main.csv"),
    ("sun-fire-6800", "rasmussen-2004-preliminary.csv"),
];
const FEATURES: [&str; 2] = ["thesis", "modern"];
/// Depth to which the thesis searched, as its label has it where an experiment has several.
const THESIS_DEPTH: &str = "depth 11";

type Row = BTreeMap<String, String>;

fn reference() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("results/reference")
}

fn rows(file: &Path) -> Vec<Row> {
    let mut reader = csv::Reader::from_path(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    reader.deserialize().map(|row| row.unwrap_or_else(|error| panic!("{}: {error}", file.display()))).collect()
}

/// Folder of runs that ask of one switch of a published program what it does: none is made to be held against its
/// curve.
const NOT_BESIDE: &str = "claims-of-sources";

/// Every kept summary below a folder, by the name of its run.
fn summaries(folder: &Path, runs: &mut BTreeMap<String, Vec<Row>>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with(NOT_BESIDE) {
            summaries(&path, runs);
        } else if path.file_name().is_some_and(|name| name == "summary.csv") {
            let run = folder.strip_prefix(reference()).unwrap().to_string_lossy().into_owned();
            runs.insert(run, rows(&path));
        }
    }
}

/// Suite of a kept run.
fn suite(run: &str) -> String {
    let text = std::fs::read_to_string(reference().join(run).join("experiment.toml")).unwrap();
    let line = text.lines().find_map(|line| line.trim().strip_prefix("suite = \"")?.strip_suffix('"'));
    line.unwrap_or("thesis-10").to_owned()
}

fn number(row: &Row, column: &str) -> Option<f64> {
    row.get(column)?.parse().ok()
}

/// Every published time speedup of many processors that has a comparable row in a kept summary, beside that row.
fn points() -> Vec<Row> {
    let mut runs = BTreeMap::new();
    summaries(&reference(), &mut runs);
    let mut points = Vec::new();
    let published = published();
    for row in &published {
        let ours: Vec<&str> = row["ours"].split_whitespace().collect();
        for (run, kept) in &runs {
            points.extend(kept.iter().filter(|own| is_beside(row, &ours, own)).filter_map(|own| point(row, run, own)));
        }
    }
    points
}

/// The published time speedups of many processors that strategies of ours stand beside: those of one table, and the
/// ratios of the thesis's mean times.
fn published() -> Vec<Row> {
    let is_many = |row: &Row| number(row, "processors").is_some_and(|n| n >= f64::from(MANY));
    let mut all = rows(&reference().join("published-speedups.csv"));
    all.retain(|row| is_many(row) && !row["ours"].is_empty() && !row["source"].starts_with("Rasmussen"));
    for (source, file) in [("main", MACHINES[0].1), ("preliminary", MACHINES[2].1)] {
        let table = rows(&reference().join(file));
        let one = number(&table[0], "time_s").unwrap();
        for own in table.iter().filter(|row| number(row, "cpus").is_some_and(|n| n >= f64::from(MANY))) {
            let value = one / number(own, "time_s").unwrap();
            let cells = [
                ("source", format!("Rasmussen 2004, {source}")),
                ("algorithm", "YBWC".to_owned()),
                ("positions", "thesis-10".to_owned()),
                ("processors", own["cpus"].clone()),
                ("value", value.to_string()),
                ("mean", "sums".to_owned()),
                ("measure", "time-to-depth".to_owned()),
                ("ours", "ybwc-as-printed".to_owned()),
                ("t1_s", one.to_string()),
                ("file", file.to_owned()),
            ];
            all.push(cells.into_iter().map(|(name, cell)| (name.to_owned(), cell)).collect());
        }
    }
    all
}

fn is_beside(row: &Row, ours: &[&str], own: &Row) -> bool {
    let cell = |name: &str| own.get(name).map_or("", String::as_str);
    let is_like = match row.get("file") {
        Some(file) => {
            MACHINES.contains(&(cell("costs"), file.as_str()))
                && (cell("label") == "ybwc-as-printed" || cell("label").contains(THESIS_DEPTH))
        }
        None => {
            COSTS.contains(&cell("costs"))
                && FEATURES.contains(&cell("features"))
                && number(own, "t1_s").is_some_and(|t1_s| t1_s >= LEAST_T1_S)
        }
    };
    is_like && ours.contains(&cell("strategy")) && cell("threads") == row["processors"]
}

/// Cells of a point; nothing where the kept row has no time speedup.
fn point(row: &Row, run: &str, own: &Row) -> Option<Row> {
    let figure = match row["mean"].as_str() {
        "arithmetic" => "mean_of_ratios",
        "sums" => "ratio_of_sums",
        _ => "time_speedup",
    };
    let value = number(row, "value")?;
    let ends = ["", "_low", "_high"].map(|end| number(own, &format!("{figure}{end}")));
    let written = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
    let ratios = ends.map(|end| end.map(|end| end / value));
    let inside = ends[1].zip(ends[2]).map(|(low, high)| (low..=high).contains(&value));
    let is_same = suite(run) == row["positions"] && ["10", "24"].contains(&own["positions"].as_str());
    let cells = [
        ("source", row["source"].clone()),
        ("algorithm", row["algorithm"].clone()),
        ("published_positions", row["positions"].clone()),
        ("processors", row["processors"].clone()),
        ("mean", row["mean"].clone()),
        ("averaged", u32::from(row["measure"] != "time-to-depth-geometric").to_string()),
        ("published", row["value"].clone()),
        ("published_t1_s", row["t1_s"].clone()),
        ("run", run.to_owned()),
        ("strategy", own["strategy"].clone()),
        ("costs", own["costs"].clone()),
        ("positions", if is_same { "same" } else { "other" }.to_owned()),
        ("t1_s", own.get("t1_s").cloned().unwrap_or_default()),
        ("ours", written(Some(ends[0]?))),
        ("ours_low", written(ends[1])),
        ("ours_high", written(ends[2])),
        ("ratio", written(ratios[0])),
        ("ratio_low", written(ratios[1])),
        ("ratio_high", written(ratios[2])),
        ("inside", inside.map_or(String::new(), |inside| u32::from(inside).to_string())),
    ];
    Some(cells.into_iter().map(|(name, cell)| (name.to_owned(), cell)).collect())
}

const POINTS: [&str; 20] = [
    "source",
    "algorithm",
    "published_positions",
    "processors",
    "mean",
    "averaged",
    "published",
    "published_t1_s",
    "run",
    "strategy",
    "costs",
    "positions",
    "t1_s",
    "ours",
    "ours_low",
    "ours_high",
    "ratio",
    "ratio_low",
    "ratio_high",
    "inside",
];
const MEANS: [&str; 8] = [
    "algorithm",
    "strategy",
    "positions",
    "points",
    "with_interval",
    "inside",
    "mean_error_pct",
    "mean_absolute_error_pct",
];

/// Rows of the means that are over all points but those of the printed program, which are many and of one curve.
const ALL: &str = "all but the thesis's";

/// Mean errors in hundredths, of each algorithm beside each strategy and each kind of positions, and of all together.
fn means(points: &[Row]) -> Vec<Row> {
    let mut of: BTreeMap<[String; 3], Vec<&Row>> = BTreeMap::new();
    for point in points.iter().filter(|point| point["averaged"] == "1") {
        let [algorithm, strategy, positions] = ["algorithm", "strategy", "positions"].map(|name| point[name].clone());
        if strategy != "ybwc-as-printed" {
            of.entry([ALL.to_owned(), String::new(), positions.clone()]).or_default().push(point);
        }
        of.entry([algorithm, strategy, positions]).or_default().push(point);
    }
    let row = |([algorithm, strategy, positions], points): ([String; 3], Vec<&Row>)| {
        let errors: Vec<f64> = points.iter().map(|point| 100.0 * (number(point, "ratio").unwrap() - 1.0)).collect();
        let mean = |sum: f64| (sum / errors.len() as f64).to_string();
        let count = |inside: &[&str]| points.iter().filter(|point| inside.contains(&point["inside"].as_str())).count();
        let cells = [
            algorithm,
            strategy,
            positions,
            errors.len().to_string(),
            count(&["0", "1"]).to_string(),
            count(&["1"]).to_string(),
            mean(errors.iter().sum()),
            mean(errors.iter().map(|error| error.abs()).sum()),
        ];
        MEANS.iter().map(|name| (*name).to_owned()).zip(cells).collect()
    };
    of.into_iter().map(row).collect()
}

fn text(columns: &[&str], rows: &[Row]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(columns).unwrap();
    rows.iter().for_each(|row| writer.write_record(columns.iter().map(|name| &row[*name])).unwrap());
    String::from_utf8(writer.into_inner().unwrap()).unwrap()
}

/// The kept errors are those of the kept speedups.
#[test]
fn kept_errors_are_those_of_kept_tables() {
    let points = points();
    let folder = reference().join("published-beside");
    for (file, text) in [("points.csv", text(&POINTS, &points)), ("means.csv", text(&MEANS, &means(&points)))] {
        let path = folder.join(file);
        if std::env::var_os("SPLITPOINT_UPDATE_DOCS").is_some() {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&path, &text).unwrap();
        }
        assert!(std::fs::read_to_string(&path).is_ok_and(|kept| kept == text), "{file}: run scripts/update-docs.sh");
    }
}

/// The document has a row for each kept point, and names every other published figure of many processors with why it
/// has no error.
#[test]
fn every_published_figure_of_many_processors_is_in_the_document() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/tour-scaling.md");
    let text = std::fs::read_to_string(path).unwrap();
    let section = text.split("## Published curves beside ours").nth(1).expect("the section");
    let lines: Vec<Vec<&str>> = section
        .lines()
        .filter(|line| line.starts_with('|'))
        .map(|line| line.split('|').map(str::trim).collect())
        .collect();
    let has_line = |cells: &[&str]| lines.iter().any(|line| cells.iter().all(|cell| line.contains(cell)));
    let points = points();
    for point in &points {
        let rounded =
            |cell: &str, to: usize| cell.parse::<f64>().map_or(cell.to_owned(), |value| format!("{value:.to$}"));
        let value = if point["mean"] == "sums" { rounded(&point["published"], 2) } else { point["published"].clone() };
        let run = format!("`{}`", point["run"]);
        assert!(has_line(&[&run, &point["processors"], &value]), "no line for {point:?}");
    }
    let with_run = lines.iter().filter(|line| line.iter().any(|cell| cell.starts_with('`') && cell.ends_with('`')));
    assert_eq!(with_run.count(), points.len() + means(&points).len(), "rows of the tables");
    for row in rows(&reference().join("published-speedups.csv")) {
        let is_many = number(&row, "processors").is_some_and(|n| n >= f64::from(MANY));
        if is_many && row["ours"].is_empty() {
            assert!(has_line(&[&row["engine"], &row["processors"], &row["value"]]), "not named: {row:?}");
        }
    }
}
