//! `results/README.md` lists the tables that are kept below `results/reference/`: of which version and commit they are,
//! and how many of their searches other programs disturbed. `scripts/update-docs.sh` writes that table anew.

use std::path::{Path, PathBuf};

use serde_json::Value;

/// Set by `scripts/update-docs.sh`.
const UPDATE: &str = "SPLITPOINT_UPDATE_DOCS";

/// Begin and end of the table.
const MARKS: [&str; 2] = ["<!-- kept tables -->\n", "<!-- end -->"];

fn top() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn name(path: &Path) -> &str {
    path.file_name().unwrap().to_str().unwrap()
}

/// Versions, commits and days of the sessions that made the tables; nothing where nobody has noted them.
fn made_by(environment: &Path) -> (String, String, String) {
    let Ok(text) = std::fs::read_to_string(environment) else { return Default::default() };
    let environment: Value = serde_json::from_str(&text).unwrap();
    let of_all = |read: fn(&Value) -> Option<&str>, most: usize| {
        let words = environment["sessions"].as_array().unwrap().iter().filter_map(read);
        let mut words: Vec<&str> = words.map(|word| word.get(..most).unwrap_or(word)).collect();
        words.sort_unstable();
        words.dedup();
        words.join(", ")
    };
    let version = of_all(|session| session["version"].as_str(), 16);
    (
        version,
        of_all(|session| session["build"]["commit"].as_str(), 8),
        of_all(|session| session["started"].as_str(), 10),
    )
}

/// Searches, and those of real machines that were disturbed, of how many.
fn searches(summary: &Path) -> Option<(u64, String)> {
    let mut reader = csv::Reader::from_path(summary).ok()?;
    let headers = reader.headers().unwrap().clone();
    let column = |name: &str| headers.iter().position(|header| header == name);
    let (runs, machine, disturbed) = (column("runs")?, column("machine"), column("disturbed"));
    let (mut all, mut real, mut doubtful) = (0, 0, 0);
    for row in reader.records().map(Result::unwrap) {
        let number = |i: usize| row[i].parse::<u64>().unwrap_or(0);
        all += number(runs);
        if machine.is_some_and(|i| &row[i] == "real") {
            real += number(runs);
            doubtful += disturbed.map_or(0, number);
        }
    }
    Some((all, if real > 0 { format!("{doubtful} of {real}") } else { String::new() }))
}

/// What the names of files begin with that belong to one experiment or tournament, its title, and for a tournament the
/// version.
fn parts(folder: &Path) -> Vec<(String, String, String)> {
    let mut parts = Vec::new();
    for file in entries(folder) {
        if let Some(prefix) = name(&file).strip_suffix("experiment.toml") {
            let text = std::fs::read_to_string(&file).unwrap();
            let title = text.lines().find_map(|line| line.strip_prefix("title = \"")?.strip_suffix('"'));
            parts.push((prefix.to_owned(), title.unwrap().to_owned(), String::new()));
        } else if let Some(prefix) = name(&file).strip_suffix("tournament.json") {
            let tournament: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
            let word = |key: &str| tournament[key].as_str().unwrap_or_default().to_owned();
            parts.push((prefix.to_owned(), word("title"), word("version")));
        }
    }
    parts
}

fn table() -> String {
    let mut table = "| tables | of | version | commit | made | searches | disturbed, of those on real machines |\n\
                     |---|---|---|---|---|---|---|\n"
        .to_owned();
    for folder in entries(&top().join("results/reference")).iter().filter(|path| path.is_dir()) {
        for (prefix, title, of_games) in parts(folder) {
            let file = |name: &str| folder.join(format!("{prefix}{name}"));
            let (version, commit, day) = made_by(&file("environment.json"));
            let version = if version.is_empty() { of_games } else { version };
            let (searches, disturbed) = searches(&file("summary.csv")).unwrap_or_default();
            let searches = if searches > 0 { searches.to_string() } else { String::new() };
            let version = if version.is_empty() { "not noted" } else { &version };
            let part = if prefix.is_empty() { String::new() } else { format!("{prefix}*") };
            let tables = name(folder);
            table +=
                &format!("| `{tables}/{part}` | {title} | {version} | {commit} | {day} | {searches} | {disturbed} |\n");
        }
    }
    table
}

#[test]
fn kept_tables_are_listed() {
    let path = top().join("results/README.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = text.split_once(MARKS[0]).unwrap();
    let (listed, after) = rest.split_once(MARKS[1]).unwrap();
    let table = table();
    assert!(table.lines().count() > 40, "{table}");
    if std::env::var_os(UPDATE).is_some() {
        std::fs::write(&path, format!("{before}{}{table}{}{after}", MARKS[0], MARKS[1])).unwrap();
    } else {
        assert!(table == listed, "results/README.md is out of date: run scripts/update-docs.sh\n{table}");
    }
    let text = std::fs::read_to_string(&path).unwrap();
    // Folders that are of no experiment and no tournament are described by hand.
    for folder in entries(&top().join("results/reference")).iter().filter(|path| path.is_dir()) {
        assert!(text.contains(&format!("`{}/", name(folder))), "results/README.md does not name {}", name(folder));
    }
}
