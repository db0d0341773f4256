//! Speedups on many virtual processors with their range over prices that two cores cannot measure, through the real
//! binary.

use super::command_line::stdout;
use super::lab_folder::{Bench, done};

const EXPERIMENT: &str = r#"title = "Range"
baseline = 2
repetitions = 2
positions.ids = ["BK03", "BK09"]
axes = { machine = "virtual", strategy = "ybwc", threads = [2, 16], depth = 7, hash = 1, features = "modern" }
"#;

#[test]
fn a_speedup_on_many_processors_has_a_range_over_prices() {
    let bench = Bench::new("price-range");
    let (file, out) = (bench.write("range.toml", EXPERIMENT), bench.at("out"));
    let on_one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let dry = on_one_line(&stdout(&done(&["run", &file, "--dry-run"])));
    assert!(dry.contains("16 searches of 2 positions"), "{dry}");
    assert!(dry.contains("4 of them are only for the range of speedups over prices"), "{dry}");
    let run = on_one_line(&stdout(&done(&["run", &file, "--out", &out])));
    assert!(run.contains("by the model"), "{run}");
    assert_eq!(bench.records("out").len(), 16);
    let column = |file: &str, name: &str| bench.column_of(&format!("out/{file}"), name);
    assert_eq!(column("summary.csv", "threads"), ["1", "2", "16"], "other prices have no row");
    let ends = ["price_range_low", "time_speedup", "price_range_high"].map(|name| column("summary.csv", name));
    assert!(ends[0][..2].iter().chain(&ends[2][..2]).all(String::is_empty), "{ends:?}");
    let [low, speedup, high] = ends.map(|column| column[2].parse::<f64>().unwrap());
    assert!(low <= speedup && speedup <= high && low < high, "{low} {speedup} {high}");
    let details = on_one_line(&stdout(&done(&["report", &out, "--tables"])));
    assert!(details.contains("From half to double the model's unmeasured prices: ybwc "), "{details}");

    // The file that ran says so.
    let kept = bench.text("out/experiment.toml");
    assert!(kept.contains("price_range = true"), "{kept}");
}
