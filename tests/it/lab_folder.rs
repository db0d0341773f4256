//! What the tests of the laboratory share: a folder of their own, small experiments, and what a run folder holds.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use splitpoint::lab::{Experiment, Plan};
use splitpoint::record::{Record, sealed};
use splitpoint::report::charts;

use super::command_line::{splitpoint, stderr};

/// Twenty virtual cells, done in a fraction of a second; what it draws is little.
pub const TINY: &str = r#"title = "Tiny"
question = "Does everything work?"
baseline = 2
schedules = 1
repetitions = 2

[positions]
ids = ["BK03", "BK09"]

[axes]
machine = "virtual"
strategy = ["ybwc", "lazy"]
threads = [2, 3]
depth = 3
hash = 1

[report]
charts = ["speedup"]
"#;

/// Forty virtual cells that take about two seconds.
pub const LONGER: &str = r#"baseline = 4
schedules = 1
repetitions = 4
positions.ids = ["BK03", "BK09"]
axes = { machine = "virtual", strategy = ["ybwc", "lazy"], threads = [2, 3], depth = 6, hash = 1, features = "thesis" }
report.charts = ["speedup"]
"#;
/// The cells of [`LONGER`].
pub const LONGER_CELLS: usize = 40;

/// Nothing here takes longer, on however slow a computer.
const PATIENCE: Duration = Duration::from_secs(120);

/// A folder of a test's own, which goes when the test has passed.
pub struct Bench {
    path: PathBuf,
}

impl Bench {
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("splitpoint-lab-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self { path }
    }

    /// A path in it.
    pub fn at(&self, name: &str) -> String {
        self.path.join(name).to_str().unwrap().to_owned()
    }

    /// A file in it.
    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) -> String {
        std::fs::write(self.path.join(name), text).unwrap();
        self.at(name)
    }

    /// A file of a run folder, changed by somebody who renews its checksums: a JSON object, or one on each line.
    pub fn write_sealed(&self, name: &str, text: &str) {
        let text = if name.ends_with(".jsonl") { text.lines().map(sealed).collect() } else { sealed(text) };
        self.write(name, text);
    }

    /// Makes a run folder one of format 3, whose files need no checksums.
    pub fn make_format_3(&self, folder: &str) {
        let name = |file: &str| format!("{folder}/{file}");
        let mut description: serde_json::Value = serde_json::from_str(&self.text(&name("experiment.json"))).unwrap();
        description.as_object_mut().unwrap().remove("crc");
        description["format"] = 3.into();
        self.write(&name("experiment.json"), description.to_string());
        self.write(&name("environment.json"), without_checksums(&self.text(&name("environment.json"))));
        self.write(&name("journal.jsonl"), without_checksums(&self.text(&name("journal.jsonl"))));
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub fn text(&self, name: &str) -> String {
        String::from_utf8(self.read(name)).unwrap()
    }

    /// The records of a run folder, every line of whose journal must be one.
    pub fn records(&self, folder: &str) -> Vec<Record> {
        let text = self.text(&format!("{folder}/journal.jsonl"));
        assert!(text.is_empty() || text.ends_with('\n'), "the last line is half written");
        text.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
    }

    /// The places in the plan of the cells that have records, in order.
    pub fn indices(&self, folder: &str) -> Vec<u64> {
        let mut indices: Vec<u64> = self.records(folder).iter().map(|record| record.index).collect();
        indices.sort_unstable();
        indices
    }

    /// A column of `runs.csv`.
    pub fn column(&self, folder: &str, name: &str) -> Vec<String> {
        self.column_of(&format!("{folder}/runs.csv"), name)
    }

    /// A column of a table.
    pub fn column_of(&self, file: &str, name: &str) -> Vec<String> {
        let table = self.read(file);
        let mut reader = csv::Reader::from_reader(table.as_slice());
        let at = reader.headers().unwrap().iter().position(|heading| heading == name).expect(name);
        reader.records().map(|row| row.unwrap()[at].to_owned()).collect()
    }

    /// Every file below a folder, but the hidden one.
    pub fn files(&self, folder: &str) -> BTreeMap<String, Vec<u8>> {
        let mut files = BTreeMap::new();
        let mut folders = vec![self.path.join(folder)];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).unwrap() {
                let path = entry.unwrap().path();
                let name = path.strip_prefix(&self.path).unwrap().to_str().unwrap().to_owned();
                if path.is_dir() {
                    folders.push(path);
                } else if !name.ends_with(".lock") {
                    files.insert(name, std::fs::read(&path).unwrap());
                }
            }
        }
        files
    }

    /// Waits until a journal has so many lines, or the program has ended.
    pub fn wait_for_lines(&self, folder: &str, lines: usize, child: &mut Child) {
        let begun = Instant::now();
        while self.lines(folder) < lines && child.try_wait().unwrap().is_none() {
            assert!(begun.elapsed() < PATIENCE, "{lines} lines");
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// The whole lines of a journal; none if there is none.
    pub fn lines(&self, folder: &str) -> usize {
        let bytes = std::fs::read(self.path.join(folder).join("journal.jsonl")).unwrap_or_default();
        bytes.iter().filter(|byte| **byte == b'\n').count()
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let _ = std::fs::remove_dir_all(&self.path);
        }
    }
}

/// Runs the program, which must do what it is told.
pub fn done(arguments: &[&str]) -> Output {
    ends_with(0, arguments)
}

/// Runs the program, which must end with this status and without a panic.
pub fn ends_with(status: i32, arguments: &[&str]) -> Output {
    let output = splitpoint(arguments);
    assert_eq!(output.status.code(), Some(status), "{arguments:?}\n{}", stderr(&output));
    assert!(!stderr(&output).contains("panicked"), "{arguments:?}\n{}", stderr(&output));
    output
}

/// The program, begun and left to itself.
pub fn begin(arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_splitpoint"))
        .args(arguments)
        .current_dir(std::env::temp_dir())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs")
}

/// A journal or a JSON file without checksums.
pub fn without_checksums(journal: &str) -> String {
    let old = |line: &str| line.split_once(",\"crc\":").map_or(line.to_owned(), |(line, _)| format!("{line}}}")) + "\n";
    journal.lines().map(old).collect()
}

/// The plan of an experiment.
pub fn plan(name: &str, text: &str, changes: &[&str]) -> Plan {
    let changes: Vec<String> = changes.iter().map(|&change| change.to_owned()).collect();
    let mut experiment = Experiment::parse(Path::new(name), text, &changes, &charts::names()).unwrap();
    // Sizes become depths by short searches; where there is none, nothing is searched.
    experiment.find_depths(None, &[], |_| ()).unwrap();
    Plan::of(&experiment, "").unwrap()
}
