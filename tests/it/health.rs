//! `splitpoint doctor`: our strategies are found healthy, and crippled ones are named for what is wrong with them. Ten
//! seeds of all are in `scripts/health.sh`.

use super::lab_folder::{Bench, done};

#[test]
fn each_state_of_a_parallel_search_is_named() {
    let bench = Bench::new("health");
    let out = bench.at("out");
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/health.toml");
    // Those that few and small searches tell apart.
    let changes = [
        "plan.0.strategy=\"healthy: teams\"",
        "plan.0.features=\"thesis\"",
        "plan.0.size=\"0.1s\"",
        "plan.0.threads=[1,2]",
        "plan.1.threads=[1,2]",
        "plan.2.strategy=\"the threads are clones\"",
        "plan.2.threads=[1,2]",
        "plan.3.threads=[1,2]",
    ];
    let changes = changes.iter().flat_map(|change| ["--set", change]);
    done(&["run", file, "--out", &out].into_iter().chain(changes).collect::<Vec<_>>());
    let column = |name: &str| bench.column_of("out/health.csv", name);
    let first = |label: &String| label.split(',').next().unwrap_or_default().to_owned();
    let found: Vec<_> = column("label").iter().map(first).zip(column("state")).collect();
    let expected = [
        ("healthy: teams", "healthy"),
        ("threads do not search", "threads do not search"),
        ("the threads are clones", "nodes scale, depth does not: the threads are clones"),
        ("slower with threads", "slower with threads"),
    ];
    assert_eq!(found, expected.map(|(label, health)| (label.to_owned(), health.to_owned())));
    let words = column("health");
    assert!(words[1].starts_with("the second thread does not search: equal nodes in all "), "{words:?}");
    let efficiency: f64 = column("efficiency")[0].parse().expect("a share");
    assert!((0.71..=1.0).contains(&efficiency), "{efficiency}");
    assert_eq!([&column("good_to_low")[0], &column("good_to_high")[0]], ["2", "2"]);
    assert!(bench.text("out/summary.md").contains("Is the parallel search healthy?"));
}
