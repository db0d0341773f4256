//! What documents state that is no cell of a kept table: how many published figures a model foretells, how long a
//! reproduction takes, and which prices are the default.

use std::path::Path;

use serde_json::Value;

use super::command_line::stdout;
use super::lab_folder::done;

/// Text of a document in one line.
fn document(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(name);
    std::fs::read_to_string(path).unwrap().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Published figures that lie inside, and all of them, of the best models of a kept run: all of them, or the half that
/// chooses or judges.
fn foretold(run: &str, figure: &str, half: Option<&str>) -> (usize, usize) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("results/reference").join(run).join("predictions.csv");
    let mut reader = csv::Reader::from_path(path).unwrap();
    let headers = reader.headers().unwrap().clone();
    let at = |name: &str| headers.iter().position(|header| header == name).unwrap();
    let [best, of, halves, inside] = ["is_best", "figure", "half", "inside"].map(at);
    let rows = reader.records().map(Result::unwrap);
    let is_counted = |row: &csv::StringRecord| {
        &row[best] == "1" && &row[of] == figure && half.is_none_or(|half| &row[halves] == half)
    };
    let counted: Vec<csv::StringRecord> = rows.filter(is_counted).collect();
    (counted.iter().filter(|row| &row[inside] == "1").count(), counted.len())
}

/// Figures that have chosen a model are no evidence for it, and those that a model misses are told with those that it
/// hits.
#[test]
fn what_a_model_foretells_is_counted_where_it_judges() {
    let text = document("findings.md");
    let all = ["nodes", "speed", "hash", "order", "quiescence"].map(|figure| {
        let (inside, all) = foretold("thesis-main", figure, None);
        format!("{inside} of {all}")
    });
    let [trees, speeds, hits, cutoffs, quiescence] = all;
    let all = format!(
        "{trees} published tree sizes lie inside the 95 % prediction intervals of our searches, and so do {speeds} \
         search speeds, {hits} shares of hash hits, {cutoffs} shares of cutoffs by the first move and {quiescence} \
         shares of quiescence"
    );
    assert!(text.contains(&all), "{all}");
    let of = |figure: &str, half: &str| foretold("thesis-explained", figure, Some(half));
    let (trees, speeds) = (of("nodes", "judges"), of("speed", "judges"));
    let judges = format!("Of the rows that judge, {} of {} published tree sizes lie inside", trees.0, trees.1);
    assert!(text.contains(&judges), "{judges}");
    assert!(text.contains(&format!("and {} of {} search speeds", speeds.0, speeds.1)), "{speeds:?}");
    let (trees, speeds) = (of("nodes", "chooses"), of("speed", "chooses"));
    let chose = format!("(Of those that chose, {} of {} and {} of {}.)", trees.0, trees.1, speeds.0, speeds.1);
    assert!(text.contains(&chose), "{chose}");
}

/// The whole reproduction takes as long by its help as by the tour.
#[test]
fn a_reproduction_takes_one_time_everywhere() {
    let help = stdout(&done(&["reproduce", "--help"])).split_whitespace().collect::<Vec<_>>().join(" ");
    let of_help = help.split("on every number of processors: ").nth(1).and_then(|rest| rest.split(" on two").next());
    let tour = document("tour-thesis.md");
    let of_tour = tour.split("splitpoint reproduce --full # ").nth(1).and_then(|rest| rest.split(" ```").next());
    assert!(of_help.is_some() && of_help == of_tour, "{of_help:?} {of_tour:?}");
}

/// The tour names the prices that a search on virtual processors has by default.
#[test]
fn default_prices_are_those_that_the_tour_names() {
    let found = done(&["search", "BK12", "--depth", "1", "--machine", "virtual", "--threads", "2", "--json"]);
    let found: Value = serde_json::from_slice(&found.stdout).unwrap();
    let costs = found["configuration"]["costs"].as_str().unwrap_or_else(|| panic!("{found}"));
    let tour = document("tour-scaling.md");
    let named = format!("By default it uses the cost model of its preset, which is `{costs}` for today's search");
    assert!(tour.contains(&named), "{named}");
}
