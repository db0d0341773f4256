//! Strategies that leave out iterations beside one processor that does so too, through the real binary.

use super::command_line::stdout;
use super::lab_folder::{Bench, done};

/// Lazy search on 16 virtual processors leaves out iterations, Young Brothers Wait does not.
const EXPERIMENT: &str = r#"title = "Two baselines"
baseline = 2
schedules = [1, 2, 99]
price_range = false
repetitions = 2
positions.ids = ["BK03", "BK09", "BK12"]
axes = { machine = "virtual", strategy = ["ybwc", "lazy"], threads = 16, depth = 7, hash = 1, features = "modern" }
"#;

#[test]
fn both_baselines_are_in_tables_and_charts() {
    let bench = Bench::new("baselines");
    let (file, out) = (bench.write("two.toml", EXPERIMENT), bench.at("out"));
    let on_one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let run = on_one_line(&stdout(&done(&["run", &file, "--out", &out])));
    // Three baselines and two strategies, two seeds at each position.
    assert_eq!(bench.records("out").len(), 30);
    let column = |file: &str, name: &str| bench.column_of(&format!("out/{file}"), name);
    assert_eq!(column("summary.csv", "strategy"), ["sequential", "ybwc", "lazy"]);
    let number =
        |name: &str| -> Vec<Option<f64>> { column("summary.csv", name).iter().map(|text| text.parse().ok()).collect() };
    let (speedup, best) = (number("time_speedup"), number("time_speedup_best_schedule"));
    let (gain, step) = (number("best_schedule_gain"), number("best_schedule"));
    assert_eq!((best[0], best[1], step[1]), (None, None, None), "ybwc leaves out nothing");
    let product = best[2].unwrap() * gain[2].unwrap();
    assert!(
        (product / speedup[2].unwrap() - 1.0).abs() < 1e-6 && gain[2] >= Some(1.0),
        "{speedup:?} {best:?} {gain:?}"
    );
    assert!([1.0, 2.0, 99.0].map(Some).contains(&step[2]), "{step:?}");
    for end in ["low", "high"] {
        assert!(number(&format!("time_speedup_best_schedule_{end}"))[2].is_some(), "{end}");
    }
    assert!(column("curves.csv", "time_speedup_best_schedule").iter().any(|text| !text.is_empty()));
    assert!(bench.text("out/charts/time-speedup.svg").contains("best schedule"));

    // Searches so small are not judged, but beside which one processor they stand is told.
    let beside = "times as fast as one processor (for lazy one that leaves out iterations too): ";
    assert!(run.starts_with("Too small to judge") && run.contains(beside), "{run}");
    let details = on_one_line(&stdout(&done(&["report", &out, "--tables"])));
    let words = match step[2] {
        Some(2.0) => "one processor that searches every second iteration",
        Some(99.0) => "one processor that searches every 99th iteration",
        _ => "one processor",
    };
    assert!(details.contains(words), "{words}: {details}");
}
