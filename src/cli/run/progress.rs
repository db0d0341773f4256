//! What a run shows while it goes on: how many cells are done, the time left, the newest estimate and the number of
//! disturbed records, and on a terminal a table of what has come of the cells. What costs time is worked out for what
//! is shown only: on a terminal some times a second, elsewhere once for each line of the log.

use std::collections::HashMap;
use std::io::{IsTerminal, stderr};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar};

use super::super::output::{style, tell};
use crate::lab::Observer;
use crate::lab::pace::in_words;
use crate::record::{Cell, Configuration, Description, MachineKind, Record};
use crate::statistics::{Contrast, Interval, LEVEL, Scope, mean};
use crate::table::number;

/// Time between two lines of a log.
const LINE_EVERY: Duration = Duration::from_secs(30);
/// Time between two pictures on a terminal.
const PICTURE_EVERY: Duration = Duration::from_millis(100);
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
    /// Moment of the last line or picture.
    last_shown: Option<Instant>,
    /// Rows of the table in the last picture.
    table: Vec<String>,
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
    /// Logarithms of times, by position.
    logs: HashMap<String, Vec<f64>>,
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
        let words = Configuration::FIELDS.into_iter().filter(is_shown).map(|field| match field {
            "threads" => format!("on {}", configuration.threads),
            _ => configuration.in_words(field),
        });
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
            bars.table.set_message(state.picture());
        }
    }

    fn recorded(&self, record: &Record, left_s: f64) {
        let name = self.name(&record.cell);
        let mut state = self.state();
        state.running.retain(|running| *running != name);
        state.done += 1;
        state.total = state.total.max(state.done);
        state.add(record);
        let every = if self.bars.is_some() { PICTURE_EVERY } else { LINE_EVERY };
        if state.last_shown.is_none_or(|last| last.elapsed() >= every) {
            state.last_shown = Some(Instant::now());
            let line = state.line(self, left_s);
            match &self.bars {
                Some(bars) => {
                    state.table = state.rows(self);
                    bars.show(&state);
                    bars.bar.set_message(line);
                    bars.table.set_message(state.picture());
                }
                None => tell(format_args!("{}/{} cells, {line}", state.done, state.total)),
            }
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
                let logs = row.logs.entry(record.cell.position.clone()).or_default();
                logs.push((measured.time_ns.max(1) as f64).ln());
            }
            None => row.failed += usize::from(record.failure().is_some()),
        }
        if let Some(reason) = record.failure() {
            self.failures.0 += 1;
            self.failures.1.get_or_insert_with(|| format!("{}: {reason}", record.cell.position));
        }
    }

    /// Time left, what is learnt of the configuration with the newest record, and how many records were disturbed.
    fn line(&self, progress: &Progress, left_s: f64) -> String {
        let mut parts = vec![format!("about {} left", in_words(left_s))];
        let newest = self.rows.iter().filter(|row| !row.configuration.is_baseline()).max_by_key(|row| row.newest);
        if let Some((row, speedup)) = newest.and_then(|row| Some((row, self.speedup(row)?))) {
            parts.push(format!("{}: {} so far", progress.label(&row.configuration), in_short(&speedup)));
        }
        let disturbed: usize = self.rows.iter().map(|row| row.disturbed).sum();
        if disturbed > 0 {
            parts.push(format!("{disturbed} disturbed"));
        }
        parts.join(", ")
    }

    /// The rows of the table, and the cells being measured.
    fn picture(&self) -> String {
        let running = self.running.iter().map(|name| format!("> {name}"));
        self.table.iter().cloned().chain(running).collect::<Vec<_>>().join("\n")
    }

    /// The newest rows, in the order of processors.
    fn rows(&self, progress: &Progress) -> Vec<String> {
        let mut rows: Vec<&Row> = self.rows.iter().collect();
        rows.sort_by_key(|row| std::cmp::Reverse(row.newest));
        rows.truncate(MOST_ROWS);
        rows.sort_by_key(|row| &row.configuration);
        let labels: Vec<String> = rows.iter().map(|row| progress.label(&row.configuration)).collect();
        let width = labels.iter().map(|label| label.chars().count()).max().unwrap_or(0).min(60);
        let line = |(row, label): (&&Row, &String)| {
            let speedup =
                self.speedup(row).map_or_else(String::new, |speedup| format!("speedup {}", in_short(&speedup)));
            let mut line = format!("{label:width$}  {:>4} runs  {:>9}  {speedup}", row.runs, mean_time(row));
            for (count, what) in [(row.failed, "failed"), (row.disturbed, "disturbed")] {
                if count > 0 {
                    line += &format!("  {count} {what}");
                }
            }
            line.trim_end().to_owned()
        };
        rows.iter().zip(&labels).map(line).collect()
    }

    /// Time speedup against the baseline, at the positions that both have; none of searches that a time or a number of
    /// nodes ends.
    fn speedup(&self, row: &Row) -> Option<Interval> {
        if row.configuration.is_baseline() || row.configuration.is_limited() {
            return None;
        }
        let baseline = &self.rows[*self.places.get(&row.configuration.baseline())?];
        let both = || row.logs.iter().filter_map(|(id, logs)| Some((baseline.logs.get(id)?.clone(), logs.clone())));
        let (upper, lower): (Vec<_>, Vec<_>) = both().unzip();
        let contrast = Contrast::unpaired(&upper, &lower)?;
        let interval = contrast.interval(Scope::ThesePositions, LEVEL);
        Some(interval.unwrap_or(Interval::unknown(contrast.estimate())).map(f64::exp))
    }
}

/// Estimate with its interval, if it is known: `1.4 (1.1 to 1.8)`.
fn in_short(speedup: &Interval) -> String {
    if speedup.is_known() { number::interval(speedup) } else { format!("{:.2}", speedup.estimate) }
}

/// Geometric mean of the times at the positions.
fn mean_time(row: &Row) -> String {
    let of_positions: Vec<f64> = row.logs.values().filter_map(|logs| mean(logs)).collect();
    let Some(log) = mean(&of_positions) else { return String::new() };
    let seconds = log.exp() / 1e9;
    format!("{seconds:.3} {}", row.configuration.machine.seconds())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{CellResult, Measured, Quietness, Surroundings};

    fn real(strategy: &str, threads: u32) -> Configuration {
        let configuration = Configuration::sample(MachineKind::Real, strategy, threads);
        if threads == 1 { configuration.baseline() } else { configuration }
    }

    /// Record of a search of BK03 that took these seconds.
    fn record(configuration: &Configuration, seconds: u64, state: Quietness) -> Record {
        let measured = Measured { time_ns: seconds * 1_000_000_000, ..Measured::default() };
        Record {
            index: 0,
            cell: Cell::sample(configuration.clone(), "BK03", 0),
            attempt: 0,
            result: CellResult::Done(Box::new(measured)),
            surroundings: Some(Surroundings { state: Some(state), ..Surroundings::default() }),
            started: 0.0,
            host_s: 0.0,
            session: String::new(),
        }
    }

    /// 8 and 9 s on one processor against 4 and 5 s on two: sqrt(72 / 20) = 1.90 times as fast.
    #[test]
    fn the_line_says_what_is_learnt_and_what_was_disturbed() {
        let progress = Progress::new(&Description::default());
        let line = || progress.state().line(&progress, 62.0);
        let (one, two) = (real("sequential", 1), real("lazy", 2));
        progress.know(&record(&one, 8, Quietness::Quiet));
        assert_eq!(line(), "about 1 min 02 s left");
        progress.know(&record(&two, 4, Quietness::Quiet));
        assert_eq!(line(), "about 1 min 02 s left, lazy on 2: 2.00 so far");
        progress.know(&record(&one, 9, Quietness::Disturbed));
        progress.know(&record(&two, 5, Quietness::Disturbed));
        assert_eq!(line(), "about 1 min 02 s left, lazy on 2: 1.90 (1.10 to 3.27) so far, 2 disturbed");
        let table = progress.state().rows(&progress).join("\n");
        assert!(table.contains("speedup 1.90 (1.10 to 3.27)") && table.contains("  1 disturbed"), "{table}");
    }

    #[test]
    fn searches_that_end_after_a_time_have_no_speedup() {
        let progress = Progress::new(&Description::default());
        let limited = |strategy, threads| Configuration { time_s: Some(1.0.into()), ..real(strategy, threads) };
        for configuration in [limited("sequential", 1), limited("lazy", 2)] {
            progress.know(&record(&configuration, 1, Quietness::Quiet));
        }
        assert_eq!(progress.state().line(&progress, 1.0), "about 1 s left");
    }
}
