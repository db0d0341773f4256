//! What a run shows while it goes on: on a terminal the cells being measured, how many are done, the time left, and a
//! table of what has come of them; elsewhere a line now and then, for the log.

use std::collections::HashMap;
use std::io::{IsTerminal, stderr};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar};

use super::super::output::{style, tell};
use crate::lab::Observer;
use crate::lab::pace::in_words;
use crate::record::{Cell, Configuration, Description, MachineKind, Record};
use crate::statistics::mean;

/// Time between two lines of a log.
const LINE_EVERY: Duration = Duration::from_secs(30);
/// Largest number of configurations in the table: those with the newest records.
const MOST_ROWS: usize = 10;

/// The display of a run.
pub struct Progress {
    axes: Vec<String>,
    bars: Option<Bars>,
    state: Mutex<State>,
}

struct Bars {
    all: MultiProgress,
    bar: ProgressBar,
    table: ProgressBar,
}

#[derive(Default)]
struct State {
    done: usize,
    total: usize,
    running: Vec<String>,
    last_line: Option<Instant>,
    rows: Vec<Row>,
    /// Places of configurations among the rows.
    places: HashMap<Configuration, usize>,
    /// Number of records when each row got its last.
    records: usize,
    failures: (usize, Option<String>),
}

/// State of a configuration.
#[derive(Default)]
struct Row {
    configuration: Configuration,
    runs: usize,
    failed: usize,
    disturbed: usize,
    /// Sum of the logarithms of times and their number, by position.
    logs: HashMap<String, (f64, usize)>,
    newest: usize,
}

impl Progress {
    pub fn new(description: &Description) -> Self {
        let bars = stderr().is_terminal().then(|| {
            let all = MultiProgress::new();
            let table = all.add(ProgressBar::new_spinner().with_style(style("{msg}")));
            let bar = all.add(ProgressBar::new(0).with_style(style("[{bar:30}] {pos}/{len} cells {msg}")));
            Bars { all, bar, table }
        });
        let state = State { total: description.own_cells as usize, ..State::default() };
        Self { axes: description.axes.clone(), bars, state: Mutex::new(state) }
    }

    /// Takes in a record that was there before.
    pub fn know(&self, record: &Record) {
        let mut state = self.state();
        state.done += 1;
        state.total = state.total.max(state.done);
        state.add(record);
    }

    /// Number of cells that failed, and the reason for the first.
    pub fn failures(&self) -> (usize, Option<String>) {
        self.state().failures.clone()
    }

    /// Removes the display.
    pub fn clear(&self) {
        if let Some(bars) = &self.bars {
            bars.bar.finish_and_clear();
            bars.table.finish_and_clear();
        }
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn name(&self, cell: &Cell) -> String {
        format!("{} {} seed {}", self.label(&cell.configuration), cell.position, cell.seed)
    }

    fn label(&self, configuration: &Configuration) -> String {
        let is_shown =
            |field: &&str| ["strategy", "threads"].contains(field) || self.axes.iter().any(|axis| axis == field);
        let words = Configuration::FIELDS.into_iter().filter(is_shown).map(|field| configuration.in_words(field));
        words.filter(|words| !words.is_empty()).collect::<Vec<_>>().join(" ")
    }
}

impl Bars {
    fn show(&self, state: &State) {
        self.bar.set_length(state.total as u64);
        self.bar.set_position(state.done as u64);
    }
}

impl Observer for Progress {
    fn begin(&self, machine: MachineKind, cells: usize) {
        let mut state = self.state();
        // Repetitions for narrower intervals were not planned.
        state.total = state.total.max(state.done + cells);
        match &self.bars {
            Some(bars) => bars.show(&state),
            None => tell(format_args!("{cells} cells to measure on the {machine} machine")),
        }
    }

    fn started(&self, cell: &Cell) {
        let name = self.name(cell);
        let mut state = self.state();
        if !state.running.contains(&name) {
            state.running.push(name);
        }
        if let Some(bars) = &self.bars {
            bars.table.set_message(state.table(self));
        }
    }

    fn recorded(&self, record: &Record, left_s: f64) {
        let name = self.name(&record.cell);
        let mut state = self.state();
        state.running.retain(|running| *running != name);
        state.done += 1;
        state.total = state.total.max(state.done);
        state.add(record);
        if let Some(bars) = &self.bars {
            bars.show(&state);
            bars.bar.set_message(format!("about {} left", in_words(left_s)));
            bars.table.set_message(state.table(self));
        } else if state.last_line.is_none_or(|line| line.elapsed() >= LINE_EVERY) {
            state.last_line = Some(Instant::now());
            tell(format_args!("{}/{} cells, about {} left", state.done, state.total, in_words(left_s)));
        }
        drop(state);
        if let Some(reason) = record.failure() {
            self.note(&format!("failed: {name}: {reason}"));
        }
    }

    fn note(&self, text: &str) {
        match &self.bars {
            // On a terminal that has gone there is nobody to tell.
            Some(bars) => drop(bars.all.println(text)),
            None => tell(text),
        }
    }
}

impl State {
    fn add(&mut self, record: &Record) {
        let configuration = &record.cell.configuration;
        self.records += 1;
        let at = self.places.get(configuration).copied().unwrap_or_else(|| {
            self.rows.push(Row { configuration: configuration.clone(), ..Row::default() });
            self.places.insert(configuration.clone(), self.rows.len() - 1);
            self.rows.len() - 1
        });
        let row = &mut self.rows[at];
        row.newest = self.records;
        match record.measured() {
            Some(measured) => {
                row.runs += 1;
                row.disturbed += usize::from(record.is_disturbed());
                let (sum, count) = row.logs.entry(record.cell.position.clone()).or_default();
                *sum += (measured.time_ns.max(1) as f64).ln();
                *count += 1;
            }
            None => row.failed += usize::from(record.failure().is_some()),
        }
        if let Some(reason) = record.failure() {
            self.failures.0 += 1;
            self.failures.1.get_or_insert_with(|| format!("{}: {reason}", record.cell.position));
        }
    }

    /// The newest rows, in the order of processors.
    fn table(&self, progress: &Progress) -> String {
        let mut rows: Vec<&Row> = self.rows.iter().collect();
        rows.sort_by_key(|row| std::cmp::Reverse(row.newest));
        rows.truncate(MOST_ROWS);
        rows.sort_by_key(|row| &row.configuration);
        let labels: Vec<String> = rows.iter().map(|row| progress.label(&row.configuration)).collect();
        let width = labels.iter().map(|label| label.chars().count()).max().unwrap_or(0).min(60);
        let mut lines: Vec<String> = rows
            .iter()
            .zip(&labels)
            .map(|(row, label)| {
                let speedup = self.speedup(row).map_or(String::new(), |speedup| format!("speedup {speedup:.2}"));
                let mut line = format!("{label:width$}  {:>4} runs  {:>9}  {speedup}", row.runs, mean_time(row));
                for (count, what) in [(row.failed, "failed"), (row.disturbed, "disturbed")] {
                    if count > 0 {
                        line += &format!("  {count} {what}");
                    }
                }
                line.trim_end().to_owned()
            })
            .collect();
        lines.extend(self.running.iter().map(|name| format!("> {name}")));
        lines.join("\n")
    }

    /// Time speedup against the baseline, at the positions that both have.
    fn speedup(&self, row: &Row) -> Option<f64> {
        let baseline = row.configuration.baseline();
        let baseline = &self.rows[*self.places.get(&baseline)?];
        if row.configuration.is_baseline() {
            return None;
        }
        let both = row.logs.iter().filter_map(|(id, logs)| Some(mean_log(baseline.logs.get(id)?) - mean_log(logs)));
        mean(&both.collect::<Vec<_>>()).map(f64::exp)
    }
}

/// Mean of logarithms of which this is the sum and the number.
fn mean_log((sum, count): &(f64, usize)) -> f64 {
    sum / *count as f64
}

/// Geometric mean of the times at the positions.
fn mean_time(row: &Row) -> String {
    let of_positions: Vec<f64> = row.logs.values().map(mean_log).collect();
    let Some(log) = mean(&of_positions) else { return String::new() };
    let seconds = log.exp() / 1e9;
    format!("{seconds:.3} {}", row.configuration.machine.seconds())
}
