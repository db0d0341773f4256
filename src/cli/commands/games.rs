//! Playing the games of contests: the journal, what is shown meanwhile, and Ctrl-C.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use indicatif::ProgressBar;
use serde_json::Value;

use super::error::CliError;
use super::{interrupt, output};
use crate::chess::choice::BoardChoice;
use crate::lab::pace::in_words;
use crate::play::{Contest, Folder, Forfeits, PlayError};
use crate::record::GameRecord;
use crate::record::folder::FolderError;
use crate::record::journal::Journal;
use crate::report::games::Standing;
use crate::statistics::Sequential;
use crate::table::number::interval;

/// Display of a contest or several while games are played: their number alone, or the points too.
#[derive(Clone, Copy)]
pub enum Shown {
    /// Their number.
    Number,
    /// The points of the first player, of the one contest; the test, if there is one, ends it when it is decided.
    Points(Option<Sequential>),
}

/// Games of one contest or several that are played one after the other.
pub struct Games {
    progress: Arc<Progress>,
    /// Journal of the contest that is being played, if its games are kept.
    journal: Arc<Mutex<Option<Journal<GameRecord>>>>,
    /// Whether Ctrl-C is watched, so that it waits for the journal.
    is_watched: AtomicBool,
}

impl Games {
    /// This many games are to be played.
    pub fn new(total: u32, shown: Shown) -> Self {
        Self {
            progress: Arc::new(Progress::new(total, shown)),
            journal: Arc::default(),
            is_watched: AtomicBool::new(false),
        }
    }

    /// Plays the games of a contest from this number on that are not known yet, and returns all of the contest.
    pub fn play(
        &self,
        contest: &Contest,
        first: u32,
        (board, threads): (BoardChoice, usize),
        kept: Option<Kept>,
    ) -> Result<Vec<GameRecord>, CliError> {
        let (known, journal) = kept.map_or((Vec::new(), None), |kept| (kept.known, Some(kept.journal)));
        let known: Vec<GameRecord> = known.into_iter().filter(|game| game.number < contest.games).collect();
        self.progress.know(known.iter().filter(|game| game.number >= first));
        // What an engine did against another, or before it was mended, does not count.
        self.progress.hold().forfeits.begin_contest();
        if !self.progress.wants_more() {
            return Ok(known);
        }
        if journal.is_some() {
            self.watch();
        }
        let hold = || self.journal.lock().unwrap_or_else(PoisonError::into_inner);
        *hold() = journal;
        let keep = |game: &GameRecord| -> Result<bool, PlayError> {
            if let Some(journal) = hold().as_mut() {
                journal.append(game)?;
            }
            self.progress.played(game);
            Ok(self.progress.wants_more())
        };
        let games = contest.complete(board, threads, known, keep);
        *hold() = None;
        games.map_err(|error| {
            self.progress.clear();
            match error {
                PlayError::Folder(FolderError::Unwritable { path, error }) => CliError::Failed(format!(
                    "cannot write {}: {error}\n  All games in it are complete; free some space, and the same command \
                     continues",
                    path.display()
                )),
                error => error.into(),
            }
        })
    }

    fn watch(&self) {
        if self.is_watched.swap(true, Ordering::Relaxed) {
            return;
        }
        let display = Arc::clone(&self.progress);
        interrupt::watch(Arc::clone(&self.journal), move || {
            display.clear();
            output::tell("interrupted; all games so far are kept: the same command continues");
        });
    }

    /// Prints a line beside the display.
    pub fn tell(&self, line: &str) {
        match &self.progress.bar {
            Some(bar) => bar.suspend(|| output::tell(line)),
            None => output::tell(line),
        }
    }

    /// Number of games that are over and were not before.
    pub fn new_games(&self) -> u64 {
        let state = self.progress.hold();
        state.done - state.before
    }

    /// Why the games have ended before their time: an engine that forfeits game after game.
    pub fn fault(&self) -> Option<String> {
        self.progress.hold().forfeits.fault.clone()
    }

    /// Ends the display.
    pub fn end(self) {
        self.progress.clear();
    }
}

/// Games that a folder keeps.
pub struct Kept {
    known: Vec<GameRecord>,
    journal: Journal<GameRecord>,
}

/// Opens the folder of a contest, if there is to be one. It belongs to this process until the first result is dropped.
pub fn keep(
    folder: Option<&Path>,
    name: &str,
    description: &Value,
) -> Result<(Option<Folder>, Option<Kept>), CliError> {
    let Some(path) = folder else { return Ok((None, None)) };
    let (folder, kept) = open(path, name, description)?;
    if !kept.known.is_empty() {
        output::tell(format_args!("{} games are known from {}", kept.known.len(), path.display()));
    }
    Ok((Some(folder), Some(kept)))
}

/// Opens the folder of a contest.
pub fn open(path: &Path, name: &str, description: &Value) -> Result<(Folder, Kept), CliError> {
    let (mut folder, journal) = Folder::open(path, name, description)?;
    for warning in &folder.warnings {
        output::tell(format_args!("warning: {warning}"));
    }
    let known = std::mem::take(&mut folder.games);
    Ok((folder, Kept { known, journal }))
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
    /// Number of games that are over, and of those that were before.
    done: u64,
    before: u64,
    standing: Standing,
    last_line: Instant,
    forfeits: Forfeits,
}

impl Progress {
    fn new(total: u32, shown: Shown) -> Self {
        let bar = output::bar(total.into(), "[{bar:30}] {pos}/{len} games{msg}");
        if let Some(bar) = &bar {
            bar.set_message(", drawing openings");
        }
        let begun = Instant::now();
        let state = State {
            done: 0,
            before: 0,
            standing: Standing::default(),
            last_line: begun,
            forfeits: Forfeits::default(),
        };
        Self { bar, begun, total, shown, state: Mutex::new(state) }
    }

    fn hold(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes games as over that were before.
    fn know<'a>(&self, games: impl Iterator<Item = &'a GameRecord>) {
        let mut state = self.hold();
        for game in games {
            state.standing.add(game);
            state.done += 1;
            state.before += 1;
        }
        if let Some(bar) = &self.bar {
            bar.set_position(state.done);
        }
    }

    fn played(&self, game: &GameRecord) {
        let mut state = self.hold();
        state.standing.add(game);
        state.forfeits.add(game);
        state.done += 1;
        let done = state.done;
        let seconds = self.begun.elapsed().as_secs_f64() / (done - state.before) as f64;
        let left = in_words(seconds * u64::from(self.total).saturating_sub(done) as f64);
        let points = match self.shown {
            Shown::Number => String::new(),
            Shown::Points(test) => points(&state.standing, test),
        };
        if let Some(bar) = &self.bar {
            bar.set_position(done);
            bar.set_message(format!("{points}, about {left} left"));
        } else if state.last_line.elapsed() >= output::LINE_EVERY {
            state.last_line = Instant::now();
            output::tell(format_args!("{done}/{} games{points}, about {left} left", self.total));
        }
    }

    /// Whether no test has been decided, and no engine forfeits game after game.
    fn wants_more(&self) -> bool {
        let state = self.hold();
        match self.shown {
            _ if state.forfeits.fault.is_some() => false,
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

/// Results so far: `, +12 =30 -8, Elo 28 (-45 to 103)`, with the log-likelihood ratio of a test.
fn points(standing: &Standing, test: Option<Sequential>) -> String {
    let [lost, drawn, won] = standing.results;
    let is_known = standing.pairs.score().is_known();
    let elo = is_known.then(|| format!(", Elo {}", interval(&standing.pairs.elo())));
    let ratio = test.map(|test| format!(", ratio {:.2}", test.log_ratio(&standing.pairs)));
    format!(", +{won} ={drawn} -{lost}{}{}", elo.unwrap_or_default(), ratio.unwrap_or_default())
}
