//! Playing the games of a contest: the journal, what is shown meanwhile, and Ctrl-C.

use std::io::{IsTerminal, stderr};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use serde_json::Value;

use super::error::CliError;
use super::{interrupt, output};
use crate::chess::choice::BoardChoice;
use crate::lab::pace::in_words;
use crate::play::standing::Standing;
use crate::play::{Contest, Folder, GameRecord, PlayError};
use crate::record::folder::FolderError;
use crate::record::journal::Journal;
use crate::statistics::Sequential;

/// Time between two lines of a log.
const LINE_EVERY: Duration = Duration::from_secs(30);

/// What is shown while games are played, and when they end.
#[derive(Clone, Copy)]
pub enum Shown {
    /// Their number.
    Number,
    /// The points of the first player; the test, if there is one, ends the contest when it is decided.
    Points(Option<Sequential>),
}

/// Plays the games of a contest that are not known yet, and returns all of them.
pub fn play(
    contest: &Contest,
    board: BoardChoice,
    threads: usize,
    kept: Option<Kept>,
    shown: Shown,
) -> Result<Vec<GameRecord>, CliError> {
    let (known, journal) = kept.map_or((Vec::new(), None), |kept| (kept.known, Some(kept.journal)));
    let known: Vec<GameRecord> = known.into_iter().filter(|game| game.number < contest.games).collect();
    let progress = Arc::new(Progress::new(contest.games, &known, shown));
    if !progress.wants_more() {
        return Ok(known);
    }
    if let Some(journal) = &journal {
        let display = Arc::clone(&progress);
        interrupt::watch(Arc::clone(journal), move || {
            display.clear();
            output::tell("interrupted; all games so far are kept: the same command continues");
        });
    }
    let keep = |game: &GameRecord| -> Result<bool, PlayError> {
        if let Some(journal) = &journal {
            journal.lock().unwrap_or_else(PoisonError::into_inner).append(game)?;
        }
        progress.played(game);
        Ok(progress.wants_more())
    };
    let games = contest.complete(board, threads, known, keep);
    progress.clear();
    games.map_err(|error| match error {
        PlayError::Folder(FolderError::Unwritable { path, error }) => CliError::Failed(format!(
            "cannot write {}: {error}\n  All games in it are complete; free some space, and the same command continues",
            path.display()
        )),
        error => error.into(),
    })
}

/// Games that a folder keeps.
pub struct Kept {
    known: Vec<GameRecord>,
    journal: Arc<Mutex<Journal<GameRecord>>>,
}

/// Opens the folder of a contest, if there is to be one. It belongs to this process until the first result is dropped.
pub fn keep(
    folder: Option<&Path>,
    name: &str,
    description: &Value,
) -> Result<(Option<Folder>, Option<Kept>), CliError> {
    let Some(path) = folder else { return Ok((None, None)) };
    let (mut folder, journal) = Folder::open(path, name, description)?;
    for warning in &folder.warnings {
        output::tell(format_args!("warning: {warning}"));
    }
    let known = std::mem::take(&mut folder.games);
    if !known.is_empty() {
        output::tell(format_args!("{} games are known from {}", known.len(), path.display()));
    }
    Ok((Some(folder), Some(Kept { known, journal: Arc::new(Mutex::new(journal)) })))
}

/// Display of the games: on a terminal a bar with the time left, elsewhere a line now and then.
struct Progress {
    bar: Option<ProgressBar>,
    begun: Instant,
    total: u32,
    shown: Shown,
    state: Mutex<State>,
}

struct State {
    standing: Standing,
    /// Number of games that were known before.
    before: u64,
    last_line: Instant,
}

impl Progress {
    fn new(total: u32, known: &[GameRecord], shown: Shown) -> Self {
        let style = output::style("[{bar:30}] {pos}/{len} games{msg}");
        let bar = stderr().is_terminal().then(|| ProgressBar::new(total.into()).with_style(style));
        if let Some(bar) = &bar {
            bar.set_position(known.len() as u64);
            bar.set_message(", drawing openings");
        }
        let begun = Instant::now();
        let state = State { standing: Standing::of(known), before: known.len() as u64, last_line: begun };
        Self { bar, begun, total, shown, state: Mutex::new(state) }
    }

    fn played(&self, game: &GameRecord) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.standing.add(game);
        let done = state.standing.games();
        let seconds = self.begun.elapsed().as_secs_f64() / (done - state.before) as f64;
        let left = in_words(seconds * u64::from(self.total).saturating_sub(done) as f64);
        let points = match self.shown {
            Shown::Number => String::new(),
            Shown::Points(test) => points(&state.standing, test),
        };
        if let Some(bar) = &self.bar {
            bar.set_position(done);
            bar.set_message(format!("{points}, about {left} left"));
        } else if state.last_line.elapsed() >= LINE_EVERY {
            state.last_line = Instant::now();
            output::tell(format_args!("{done}/{} games{points}, about {left} left", self.total));
        }
    }

    /// Whether no test has been decided.
    fn wants_more(&self) -> bool {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match self.shown {
            Shown::Points(Some(test)) => test.decision(&state.standing.pairs).is_none(),
            Shown::Points(None) | Shown::Number => true,
        }
    }

    fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Results so far: `, +12 =30 -8`, with the log-likelihood ratio of a test.
fn points(standing: &Standing, test: Option<Sequential>) -> String {
    let [lost, drawn, won] = standing.results;
    let ratio = test.map(|test| format!(", ratio {:.2}", test.log_ratio(&standing.pairs)));
    format!(", +{won} ={drawn} -{lost}{}", ratio.unwrap_or_default())
}
