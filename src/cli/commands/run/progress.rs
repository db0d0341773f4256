//! What a run shows while it goes on: how many cells are done, the time left, the leader and the number of
//! disturbed records, and on a terminal a table of what has come of the cells. What costs time is worked out for what
//! is shown only: on a terminal some times a second, elsewhere once for each line of the log.

use std::collections::HashSet;
use std::io::{IsTerminal, stderr};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar};

use super::super::interrupt;
use super::super::output::{LINE_EVERY, style, tell};
use crate::lab::pace::in_words;
use crate::lab::so_far::{Row, SoFar};
use crate::lab::{Audience, Observer, SharedJournal, kind_of_failure};
use crate::record::axes::{AXES, Axis, ENGINE, STRATEGY, THREADS};
use crate::record::{Cell, Configuration, Description, MachineKind, Record};
use crate::statistics::Interval;
use crate::table::number::{self, counted};

/// Time between two pictures on a terminal.
const PICTURE_EVERY: Duration = Duration::from_millis(100);
/// Largest number of configurations in the table: those with the newest records.
const MOST_ROWS: usize = 10;

/// The display of a run.
pub struct Progress {
    axes: Vec<String>,
    /// Folder of the run.
    out: PathBuf,
    bars: Option<Bars>,
    state: Mutex<State>,
}

#[derive(Clone)]
struct Bars {
    all: MultiProgress,
    bar: ProgressBar,
    table: ProgressBar,
    judging: ProgressBar,
}

#[derive(Default)]
struct State {
    /// Failures that have been told.
    failures: HashSet<String>,
    done: usize,
    total: usize,
    running: Vec<String>,
    /// Moment of the last line or picture.
    last_shown: Option<Instant>,
    /// Rows of the table in the last picture.
    table: Vec<String>,
    so_far: SoFar,
}

impl Progress {
    /// Display of the run with this description in this folder.
    pub fn new(description: &Description, out: &Path) -> Self {
        let bars = stderr().is_terminal().then(Bars::new);
        let state = State { total: description.own_cells as usize, ..State::default() };
        Self { axes: description.axes.clone(), out: out.to_owned(), bars, state: Mutex::new(state) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn name(&self, cell: &Cell) -> String {
        format!("{} {} seed {}", self.label(&cell.configuration, &[]), cell.position, cell.seed)
    }

    /// Words for a configuration: its values on the axes of the experiment, and on some others.
    fn label(&self, configuration: &Configuration, others: &[&Axis]) -> String {
        let is_shown = |axis: &&Axis| {
            [STRATEGY, THREADS].contains(axis)
                || others.contains(axis)
                || self.axes.iter().any(|name| name == axis.name)
        };
        let words = AXES.iter().filter(is_shown).map(|axis| match () {
            () if *axis == THREADS => format!("on {}", configuration.threads),
            // One thread of an engine from outside is no strategy.
            () if *axis == STRATEGY && configuration.is_outside() => ENGINE.text(configuration),
            () if *axis == ENGINE => String::new(),
            () => axis.words(configuration),
        });
        words.filter(|words| !words.is_empty()).collect::<Vec<_>>().join(" ")
    }
}

impl Bars {
    fn new() -> Self {
        let all = MultiProgress::new();
        let table = all.add(ProgressBar::new_spinner().with_style(style("{msg}")));
        let bar = all.add(ProgressBar::new(0).with_style(style("[{bar:30}] {pos}/{len} searches {msg}")));
        let judging = ProgressBar::new(0).with_style(style("[{bar:30}] {pos}/{len} {msg}"));
        Self { all, bar, table, judging: judging.with_message("positions and moves judged") }
    }

    /// Removes the display of the measurements.
    fn clear(&self) {
        self.bar.finish_and_clear();
        self.table.finish_and_clear();
    }

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
            None => tell(format_args!("{} to measure on the {machine} machine", counted(cells, "search", "searches"))),
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
        state.add(record);
        if state.is_due(if self.bars.is_some() { PICTURE_EVERY } else { LINE_EVERY }) {
            let line = state.line(self, left_s);
            match &self.bars {
                Some(bars) => {
                    state.table = state.rows(self);
                    bars.show(&state);
                    bars.bar.set_message(line);
                    bars.table.set_message(state.picture());
                }
                None => tell(format_args!("{}/{} searches, {line}", state.done, state.total)),
            }
        }
        // Equal failures are told once; how many there were is told at the end.
        let is_new = record.failure().is_some_and(|reason| state.failures.insert(kind_of_failure(reason).to_owned()));
        drop(state);
        if let Some(reason) = record.failure().filter(|_| is_new) {
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

impl Audience for Progress {
    fn known(&self, record: &Record) {
        self.state().add(record);
    }

    fn line(&self, text: &str) {
        tell(text);
    }

    fn begun(&self, journal: &SharedJournal) {
        let (bars, out) = (self.bars.clone(), self.out.clone());
        interrupt::watch(Arc::clone(journal), move || {
            if let Some(bars) = &bars {
                bars.clear();
            }
            tell(farewell(&out));
        });
    }

    fn measured(&self) {
        if let Some(bars) = &self.bars {
            bars.clear();
        }
        self.state().last_shown = Some(Instant::now());
    }

    fn judged(&self, done: usize, all: usize) {
        if let Some(Bars { judging, .. }) = &self.bars {
            judging.set_length(all as u64);
            judging.set_position(done as u64);
            return;
        }
        if self.state().is_due(LINE_EVERY) {
            tell(format_args!("{done}/{all} positions and moves judged"));
        }
    }

    fn all_judged(&self) {
        if let Some(bars) = &self.bars {
            bars.judging.finish_and_clear();
        }
    }
}

/// Last line of a run that a signal ends.
fn farewell(out: &Path) -> String {
    format!("interrupted; all records so far are kept: continue with --resume --out {}", out.display())
}

impl State {
    fn add(&mut self, record: &Record) {
        self.done += 1;
        self.total = self.total.max(self.done);
        self.so_far.add(record);
    }

    /// Whether something is to be shown that was shown last before this time; from now on it was.
    fn is_due(&mut self, every: Duration) -> bool {
        let is_due = self.last_shown.is_none_or(|last| last.elapsed() >= every);
        self.last_shown = if is_due { Some(Instant::now()) } else { self.last_shown };
        is_due
    }

    /// Time left, the configuration that is fastest so far, and how many records were disturbed.
    fn line(&self, progress: &Progress, left_s: f64) -> String {
        let mut parts = vec![format!("about {} left", in_words(left_s))];
        if let Some((configuration, speedup)) = self.so_far.leader() {
            parts.push(format!("{} leads: {} so far", progress.label(configuration, &[]), in_short(&speedup)));
        }
        let disturbed = self.so_far.disturbed();
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
        let rows = self.so_far.newest(MOST_ROWS);
        // Baselines of a schedule, or of other prices, differ by what is no axis of the experiment.
        let differs = |axis: &&Axis| {
            let mut texts = rows.iter().map(|row| axis.text(&row.configuration));
            let first = texts.next();
            texts.any(|text| Some(text) != first)
        };
        let differing: Vec<&Axis> = AXES.iter().filter(differs).collect();
        let labels: Vec<String> = rows.iter().map(|row| progress.label(&row.configuration, &differing)).collect();
        let width = labels.iter().map(|label| label.chars().count()).max().unwrap_or(0).min(60);
        let line = |(row, label): (&&Row, &String)| {
            let speedup = self.so_far.speedup(row);
            let speedup = speedup.map_or_else(String::new, |speedup| format!("speedup {}", in_short(&speedup)));
            let mut line =
                format!("{label:width$}  {:>10}  {:>15}  {speedup}", counted(row.runs, "run", "runs"), mean_time(row));
            for (count, what) in [(row.failed, "failed"), (row.disturbed, "disturbed")] {
                if count > 0 {
                    line += &format!("  {count} {what}");
                }
            }
            line.trim_end().to_owned()
        };
        rows.iter().zip(&labels).map(line).collect()
    }
}

/// Estimate with its interval, if it is known: `1.4 (1.1 to 1.8)`.
fn in_short(speedup: &Interval) -> String {
    if speedup.is_known() { number::interval(speedup) } else { format!("{:.2}", speedup.estimate) }
}

fn mean_time(row: &Row) -> String {
    let seconds = row.mean_time_s();
    seconds.map_or_else(String::new, |seconds| format!("{seconds:.3} {}", row.configuration.machine.seconds()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Cell, Configuration, MachineKind, Measured, Quietness, Record, Surroundings};

    /// Record of a search that took these seconds.
    fn record(strategy: &str, threads: u32, position: &str, seconds: u64, state: Quietness) -> Record {
        let configuration = Configuration::sample(MachineKind::Real, strategy, threads);
        let measured = Measured { time_ns: seconds * 1_000_000_000, ..Measured::default() };
        Record {
            surroundings: Some(Surroundings { state, ..Surroundings::default() }),
            ..Record::sample(0, Cell::sample(configuration, position, 0), measured)
        }
    }

    /// At each position 8 and 9 s on one processor against 4 and 5 s on two: sqrt(72 / 20) = 1.90 times as fast.
    #[test]
    fn the_line_says_what_is_learnt_and_what_was_disturbed() {
        let progress = Progress::new(&Description::default(), Path::new("x"));
        let line = || progress.state().line(&progress, 62.0);
        let (one, two) = (("sequential", 1), ("lazy", 2));
        let add = |position: &str, [one_s, two_s]: [u64; 2], state: Quietness| {
            for ((strategy, threads), seconds) in [(one, one_s), (two, two_s)] {
                progress.known(&record(strategy, threads, position, seconds, state));
            }
        };
        for position in ["BK01", "BK02", "BK03"] {
            assert_eq!(line(), "about 1 min 02 s left", "a number of few positions is noise");
            add(position, [8, 4], Quietness::Quiet);
            add(position, [9, 5], Quietness::Quiet);
        }
        add("BK04", [8, 4], Quietness::Quiet);
        add("BK04", [9, 5], Quietness::Disturbed);
        let line = line();
        assert!(line.starts_with("about 1 min 02 s left, lazy on 2 leads: 1.90 ("), "{line}");
        assert!(line.ends_with(") so far, 2 disturbed"), "{line}");
        let table = progress.state().rows(&progress).join("\n");
        assert!(table.contains("speedup 1.90 (") && table.contains("  1 disturbed"), "{table}");
    }

    #[test]
    fn an_interrupted_run_says_how_to_go_on() {
        let expected = "interrupted; all records so far are kept: continue with --resume --out results/a";
        assert_eq!(farewell(Path::new("results/a")), expected);
    }
}
