//! Playing the games of contests: the journal, what is shown meanwhile, and Ctrl-C.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use serde_json::Value;

use super::error::CliError;
use super::interrupt;
use super::output::{self, Meter};
use crate::chess::choice::BoardChoice;
use crate::lab::pace::in_words;
use crate::play::{Contest, Folder, Forfeits, PlayError};
use crate::record::GameRecord;
use crate::record::folder::FolderError;
use crate::report::games::Standing;
use crate::statistics::{Decision, Sequential};
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
    meter: Meter,
    begun: Instant,
    total: u32,
    shown: Shown,
    state: Mutex<State>,
    /// Folder of the contest that is being played or was last, if its games are kept.
    folder: Arc<Mutex<Option<Folder>>>,
    /// Whether Ctrl-C is watched, so that it waits for the journal.
    is_watched: AtomicBool,
}

#[derive(Default)]
struct State {
    /// Number of games that are over, and of those that were before.
    done: u64,
    before: u64,
    standing: Standing,
    forfeits: Forfeits,
    /// Decision of the test, with the log-likelihood ratio that led to it. Games that were being played then, and count
    /// in the standing, do not change it.
    decision: Option<(Decision, f64)>,
}

impl State {
    fn add(&mut self, game: &GameRecord, test: Option<Sequential>) {
        self.standing.add(game);
        self.done += 1;
        if let Some(test) = test.filter(|_| self.decision.is_none()) {
            let pairs = &self.standing.pairs;
            self.decision = test.decision(pairs).map(|decision| (decision, test.log_ratio(pairs)));
        }
    }
}

impl Games {
    /// This many games are to be played.
    pub fn new(total: u32, shown: Shown) -> Self {
        let meter = Meter::new(total.into(), "[{bar:30}] {pos}/{len} games{msg}");
        meter.bar.iter().for_each(|bar| bar.set_message(", drawing openings"));
        let (state, folder, is_watched) = (Mutex::default(), Arc::default(), AtomicBool::new(false));
        Self { meter, begun: Instant::now(), total, shown, state, folder, is_watched }
    }

    /// Plays the games of a contest from this number on that are not known yet, and returns all of the contest. Its
    /// folder belongs to this process until the next contest.
    pub fn play(
        &self,
        contest: &Contest,
        first: u32,
        (board, threads): (BoardChoice, usize),
        mut folder: Option<Folder>,
    ) -> Result<Vec<GameRecord>, CliError> {
        let known = folder.as_mut().map(|folder| std::mem::take(&mut folder.games)).unwrap_or_default();
        let known: Vec<GameRecord> = known.into_iter().filter(|game| game.number < contest.games).collect();
        self.know(known.iter().filter(|game| game.number >= first));
        let is_kept = folder.is_some();
        let hold = || self.folder.lock().unwrap_or_else(PoisonError::into_inner);
        *hold() = folder;
        if !self.wants_more() {
            return Ok(known);
        }
        if is_kept && !self.is_watched.swap(true, Ordering::Relaxed) {
            let meter = self.meter.clone();
            interrupt::watch(Arc::clone(&self.folder), move || {
                meter.clear();
                output::tell(
                    "interrupted; all games so far are kept: splitpoint report shows them, and the same command \
                     continues",
                );
            });
        }
        let keep = |game: &GameRecord| -> Result<bool, PlayError> {
            if let Some(folder) = hold().as_mut() {
                folder.journal.append(game)?;
            }
            self.played(game);
            Ok(self.wants_more())
        };
        contest.complete(board, threads, known, keep).map_err(|error| {
            self.meter.clear();
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

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a contest, with games that are over.
    fn know<'a>(&self, games: impl Iterator<Item = &'a GameRecord>) {
        let mut state = self.state();
        for game in games {
            state.add(game, self.test());
            state.before += 1;
        }
        self.meter.bar.iter().for_each(|bar| bar.set_position(state.done));
        // What an engine did against another, or before it was mended, does not count.
        state.forfeits.begin_contest();
    }

    fn played(&self, game: &GameRecord) {
        let mut state = self.state();
        state.add(game, self.test());
        state.forfeits.add(game);
        let State { done, before, ref standing, .. } = *state;
        let seconds = self.begun.elapsed().as_secs_f64() / (done - before) as f64;
        let left = in_words(seconds * u64::from(self.total).saturating_sub(done) as f64);
        let points = match self.shown {
            Shown::Number => String::new(),
            Shown::Points(test) => points(standing, test),
        };
        self.meter.show(done, &format!("{done}/{} games", self.total), format!("{points}, about {left} left"));
    }

    /// Whether no test has been decided, and no engine forfeits game after game.
    fn wants_more(&self) -> bool {
        let state = self.state();
        state.forfeits.fault.is_none() && state.decision.is_none()
    }

    fn test(&self) -> Option<Sequential> {
        match self.shown {
            Shown::Points(test) => test,
            Shown::Number => None,
        }
    }

    /// Decision of the test, if there is one, with the log-likelihood ratio that led to it.
    pub fn decision(&self) -> Option<(Decision, f64)> {
        self.state().decision
    }

    /// Prints a line beside the display.
    pub fn tell(&self, line: &str) {
        match &self.meter.bar {
            Some(bar) => bar.suspend(|| output::tell(line)),
            None => output::tell(line),
        }
    }

    /// Number of games that are over and were not before.
    pub fn new_games(&self) -> u64 {
        let state = self.state();
        state.done - state.before
    }

    /// Why the games have ended before their time: an engine that forfeits game after game.
    pub fn fault(&self) -> Option<String> {
        self.state().forfeits.fault.clone()
    }

    /// Whether no game was over before.
    pub fn are_new(&self) -> bool {
        self.state().before == 0
    }

    /// Ends the display.
    pub fn end(&self) {
        self.meter.clear();
    }
}

/// Opens the folder of a contest, and says how many games it has.
pub fn keep(path: &Path, name: &str, description: &Value) -> Result<Folder, CliError> {
    let folder = open(path, name, description)?;
    if !folder.games.is_empty() {
        output::tell(format_args!("{} games are known from {}", folder.games.len(), path.display()));
    }
    Ok(folder)
}

/// Opens the folder of a contest.
pub fn open(path: &Path, name: &str, description: &Value) -> Result<Folder, CliError> {
    Ok(Folder::open(path, name, description)?)
}

/// Results so far: `, +12 =30 -8, Elo 28 (-45 to 103)`, with the log-likelihood ratio (LLR) of a test.
fn points(standing: &Standing, test: Option<Sequential>) -> String {
    let [lost, drawn, won] = standing.results;
    let is_known = standing.pairs.score().is_known();
    let elo = is_known.then(|| format!(", Elo {}", interval(&standing.pairs.elo())));
    let ratio = test.map(|test| format!(", LLR {:.2}", test.log_ratio(&standing.pairs)));
    format!(", +{won} ={drawn} -{lost}{}{}", elo.unwrap_or_default(), ratio.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Ending, GameResult};
    use crate::statistics::EloModel;

    /// The first player, who has White in games of even number, wins or loses.
    fn game(number: u32, wins: bool) -> GameRecord {
        let result = if wins == number.is_multiple_of(2) { GameResult::WhiteWins } else { GameResult::BlackWins };
        GameRecord {
            number,
            white: number as usize % 2,
            start: String::new(),
            opening: "e2e4".into(),
            moves: "e7e5".into(),
            scores: vec![1],
            depths: vec![1],
            result,
            ending: Ending::Mate,
            nodes: [1, 0],
            time_ns: [1, 0],
            times_ms: Vec::new(),
            least_left_ms: [None; 2],
            fault: None,
        }
    }

    #[test]
    fn games_in_flight_do_not_take_a_decision_back() {
        let test = Sequential { elo: [0.0, 200.0], model: EloModel::Logistic, errors: [0.05; 2] };
        let (mut state, mut number) = (State::default(), 0);
        while state.decision.is_none() {
            assert!(number < 1_000, "a test of wins alone is decided");
            // A loss now and then, or there would be no variance.
            state.add(&game(number, number % 16 != 3), Some(test));
            number += 1;
        }
        let decided = state.decision;
        (number..number + 40).for_each(|number| state.add(&game(number, false), Some(test)));
        assert!(test.decision(&state.standing.pairs) != decided.map(|(decision, _)| decision), "they change its ratio");
        assert_eq!(state.decision, decided);
    }
}
