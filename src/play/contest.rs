//! A contest: which games are played, and playing them, one game a thread.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rayon::{ThreadPool, ThreadPoolBuilder};
use serde_json::{Value, json};

use super::clock::{Clock, TimeControl};
use super::entrant::{Entrant, Program, Thought, Timing};
use super::error::PlayError;
use super::game::{Adjudication, Game};
use super::openings::{Opening, Openings};
use super::player::Player;
use super::tuner::present_weights;
use crate::chess::choice::BoardChoice;
use crate::chess::{Board, Color, Score, Setup};
use crate::eval::Evaluator;
use crate::lab::{NoTables, Stock};
use crate::record::{Ending, GameRecord, GameResult};
use crate::search::signature;
use crate::search::table::TableOptions;

/// Games between two entrants, who have White in turn.
#[derive(Clone, Debug)]
pub struct Contest {
    /// The two entrants.
    pub entrants: [Entrant; 2],
    /// Where the openings come from.
    pub openings: Openings,
    /// Number of games.
    pub games: u32,
    /// Number of games one after the other that share an opening: two, with colours reversed, or one.
    pub games_per_opening: u32,
    /// When games end by what both sides think of them.
    pub adjudication: Adjudication,
}

impl Contest {
    /// Settings that the games depend on: all but their number. `search` and `weights` stand for the program's.
    pub fn description(&self) -> Value {
        let [a, b] = &self.entrants;
        let uses_weights = |entrant: &Entrant| match &entrant.program {
            Program::Own(recipe) => recipe.features.evaluation == Evaluator::Classical,
            Program::Outside(_) => false,
        };
        let mut description = json!({
            "a": a.program.to_string(),
            "b": b.program.to_string(),
            "nodes": a.budget.nodes,
            "depth": a.budget.depth,
            "games_per_opening": self.games_per_opening,
            "search": signature::recorded(),
            "weights": (uses_weights(a) || uses_weights(b)).then(present_weights),
        });
        let [of_a, of_b] = [a, b].map(Entrant::description);
        let mut tell = |prefix: &str, values: &Value, before: &Value| {
            for (key, value) in values.as_object().into_iter().flatten() {
                if !value.is_null() && before[key] != *value {
                    description[format!("{prefix}{key}")] = value.clone();
                }
            }
        };
        tell("", &self.openings.description(), &Value::Null);
        if self.adjudication != Adjudication::default() {
            tell("", &json!({ "adjudication": self.adjudication.to_string() }), &Value::Null);
        }
        tell("", &of_a, &Value::Null);
        tell("b_", &of_b, &of_a);
        description
    }

    /// Plays the games that are not known yet, each on one of a number of threads. `keep` gets
    /// each game when it is over, and tells whether more are wanted. Returns all games in the order of their numbers.
    ///
    /// # Errors
    /// If there is no memory for the tables, if a search fails or a game cannot be kept; then no further game is begun.
    pub fn complete(
        &self,
        board: BoardChoice,
        threads: usize,
        known: Vec<GameRecord>,
        keep: impl Fn(&GameRecord) -> Result<bool, PlayError> + Sync,
    ) -> Result<Vec<GameRecord>, PlayError> {
        let mut games: BTreeMap<u32, GameRecord> = known.into_iter().map(|game| (game.number, game)).collect();
        let numbers: Vec<u32> = (0..self.games).filter(|number| !games.contains_key(number)).collect();
        if !numbers.is_empty() {
            self.check_room(threads)?;
            let pool = ThreadPoolBuilder::new().num_threads(threads).build()?;
            let played = self.play(board, &pool, &numbers, keep)?;
            games.extend(played.into_iter().map(|game| (game.number, game)));
        }
        Ok(games.into_values().filter(|game| game.number < self.games).collect())
    }

    /// Plays the games of these numbers on the threads of this pool.
    fn play(
        &self,
        board: BoardChoice,
        pool: &ThreadPool,
        numbers: &[u32],
        keep: impl Fn(&GameRecord) -> Result<bool, PlayError> + Sync,
    ) -> Result<Vec<GameRecord>, PlayError> {
        let each = self.games_per_opening;
        let openings = pool.install(|| self.openings.draw(self.games.div_ceil(each) as usize, board))?;
        // Each number is fetched once, whatever the order; what a thread does with it needs no other's memory.
        let (next, is_over) = (AtomicUsize::new(0), AtomicBool::new(false));
        let play_on = || -> Result<Vec<GameRecord>, PlayError> {
            let [a, b] = &self.entrants;
            let (mut players, mut games) = ([Player::new(a, board)?, Player::new(b, board)?], Vec::new());
            while !is_over.load(Ordering::Relaxed) {
                let Some(&number) = numbers.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
                let opening = &openings[(number / each) as usize];
                let game = self.game(number, opening, &mut players)?;
                if !keep(&game)? {
                    is_over.store(true, Ordering::Relaxed);
                }
                games.push(game);
            }
            Ok(games)
        };
        let parts = pool.broadcast(|_| play_on().inspect_err(|_| is_over.store(true, Ordering::Relaxed)));
        Ok(parts.into_iter().collect::<Result<Vec<_>, _>>()?.concat())
    }

    /// Plays a game. The first of the entrants has White in games of even number.
    fn game(&self, number: u32, opening: &Opening, players: &mut [Player; 2]) -> Result<GameRecord, PlayError> {
        for player in players.iter_mut() {
            player.forget()?;
        }
        let mut playing = InProgress::begin(self, number, opening);
        let (result, ending) = loop {
            if let Some(end) = playing.end() {
                break end;
            }
            if let Some(end) = playing.go_on(players)? {
                break end;
            }
        };
        Ok(GameRecord { moves: playing.moves.join(" "), result, ending, ..playing.record })
    }

    /// Checks that two tables for each thread fit into memory.
    fn check_room(&self, threads: usize) -> Result<(), NoTables> {
        let tables: Vec<TableOptions> = self.entrants.iter().filter_map(Entrant::table).collect();
        let Some(first) = tables.first() else { return Ok(()) };
        let bytes = tables.iter().map(|table| table.bytes).sum::<u64>();
        let all = TableOptions { bytes: bytes.saturating_mul(threads as u64), ..*first };
        Stock::default().check(&(all, threads))
    }
}

/// A game that is being played.
struct InProgress<'a> {
    contest: &'a Contest,
    game: Game,
    /// Time controls of White and Black.
    controls: [Option<TimeControl>; 2],
    /// Clocks of both, if any of them has one: who plays without a clock is told to have the other's, since engines
    /// expect two.
    clocks: Option<[Clock; 2]>,
    /// Scores from White's view.
    scores: Vec<Score>,
    /// Moves after the opening.
    moves: Vec<String>,
    /// Record without moves, result and ending, which are filled in at the end.
    record: GameRecord,
}

/// Result of a game and its reason.
type End = (GameResult, Ending);

impl<'a> InProgress<'a> {
    fn begin(contest: &'a Contest, number: u32, opening: &Opening) -> Self {
        let white = number as usize % 2;
        let controls = [white, 1 - white].map(|entrant| match contest.entrants[entrant].budget.time {
            Some(Timing::Clock(control)) => Some(control),
            _ => None,
        });
        let [white_control, black_control] = controls;
        let clocks = white_control.or(black_control).zip(black_control.or(white_control));
        let record = GameRecord {
            number,
            white,
            start: opening.start.as_ref().map_or_else(String::new, Setup::to_string),
            opening: opening.to_string(),
            moves: String::new(),
            scores: Vec::new(),
            depths: Vec::new(),
            result: GameResult::Draw,
            ending: Ending::Length,
            nodes: [0; 2],
            time_ns: [0; 2],
            times_ms: Vec::new(),
            least_left_ms: [None; 2],
            fault: None,
        };
        Self {
            contest,
            game: opening.game(),
            controls,
            clocks: clocks.map(|(white, black)| [white, black].map(|control| Clock::start(&control))),
            scores: Vec::new(),
            moves: Vec::new(),
            record,
        }
    }

    /// The end of the game by the rules, or by what both sides think of it.
    fn end(&self) -> Option<End> {
        self.game.end().or_else(|| self.contest.adjudication.end(&self.scores, self.game.plies()))
    }

    /// Lets the player at the turn make a move; the end of the game if it loses instead.
    fn go_on(&mut self, players: &mut [Player; 2]) -> Result<Option<End>, PlayError> {
        let turn = self.game.board().turn();
        let lost = |ending| Ok(Some((GameResult::win_of(!turn), ending)));
        let player = if turn == Color::White { self.record.white } else { 1 - self.record.white };
        let began = Instant::now();
        let thought = match players[player].think(&self.game, self.clocks.as_ref()) {
            Ok(thought) => thought,
            Err(PlayError::Engine(error)) => {
                let clock = self.clock(turn).map(|(clock, _)| *clock);
                if clock.is_some_and(|clock| began.elapsed() > clock.left) {
                    return lost(Ending::Time);
                }
                self.record.fault = Some(error.to_string());
                return lost(Ending::Forfeit);
            }
            Err(error) => return Err(error),
        };
        self.record.nodes[turn.index()] += thought.nodes;
        self.record.time_ns[turn.index()] += thought.nanoseconds;
        if !self.take_time(turn, Duration::from_nanos(thought.nanoseconds)) {
            return lost(Ending::Time);
        }
        self.make(&thought, turn);
        Ok(None)
    }

    /// Clock of a side that has one, and its time control.
    fn clock(&mut self, side: Color) -> Option<(&mut Clock, TimeControl)> {
        self.clocks.as_mut().map(|clocks| &mut clocks[side.index()]).zip(self.controls[side.index()])
    }

    /// Takes the time of a move from the clock of a side; false if there was not as much.
    fn take_time(&mut self, side: Color, time: Duration) -> bool {
        let Some((clock, control)) = self.clock(side) else { return true };
        let left = clock.left.saturating_sub(time).as_millis() as u64;
        let was_enough = clock.take(time, &control);
        let least = &mut self.record.least_left_ms[side.index()];
        *least = Some(least.map_or(left, |least| least.min(left)));
        was_enough
    }

    /// Makes the move of a side, and records it.
    fn make(&mut self, thought: &Thought, side: Color) {
        let Score(score) = thought.score;
        if self.contest.entrants.iter().any(|entrant| entrant.budget.time.is_some()) {
            self.record.times_ms.push(Duration::from_nanos(thought.nanoseconds).as_millis() as u64);
        }
        self.moves.push(thought.best.to_string());
        self.record.scores.push(score);
        self.record.depths.push(thought.depth);
        self.scores.push(Score(if side == Color::White { score } else { -score }));
        self.game.play(thought.best);
    }
}
