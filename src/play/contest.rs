//! A contest: which games are played, and playing them, one game a thread.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rayon::{ThreadPool, ThreadPoolBuilder};
use serde_json::{Value, json};

use super::clock::Clock;
use super::entrant::{Entrant, Program, Timing};
use super::error::PlayError;
use super::game::Adjudication;
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
                let game = game(number, opening, (&self.entrants, &self.adjudication), &mut players)?;
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

    /// Checks that two tables for each thread fit into memory.
    fn check_room(&self, threads: usize) -> Result<(), NoTables> {
        let tables: Vec<TableOptions> = self.entrants.iter().filter_map(Entrant::table).collect();
        let Some(first) = tables.first() else { return Ok(()) };
        let bytes = tables.iter().map(|table| table.bytes).sum::<u64>();
        let all = TableOptions { bytes: bytes.saturating_mul(threads as u64), ..*first };
        Stock::default().check(&(all, threads))
    }
}

/// Plays a game. The first of the entrants has White in games of even number.
fn game(
    number: u32,
    opening: &Opening,
    (entrants, adjudication): (&[Entrant; 2], &Adjudication),
    players: &mut [Player; 2],
) -> Result<GameRecord, PlayError> {
    let white = number as usize % 2;
    let at_turn = |color: Color| if color == Color::White { white } else { 1 - white };
    let mut game = opening.game();
    for player in players.iter_mut() {
        player.forget()?;
    }
    let controls = Color::ALL.map(|color| match entrants[at_turn(color)].budget.time {
        Some(Timing::Clock(control)) => Some(control),
        _ => None,
    });
    let has_time = entrants.iter().any(|entrant| entrant.budget.time.is_some());
    // Who plays without a clock is told to have the other's: engines expect two.
    let [white_control, black_control] = controls;
    let clocks = white_control.or(black_control).zip(black_control.or(white_control));
    let mut clocks = clocks.map(|(white, black)| [white, black].map(|control| Clock::start(&control)));
    let (mut moves, mut scores, mut depths, mut white_scores) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let (mut nodes, mut time_ns, mut times_ms, mut fault) = ([0; 2], [0; 2], Vec::new(), None);
    let mut least_left_ms: [Option<u64>; 2] = [None; 2];
    let (result, ending) = loop {
        if let Some(end) = game.end().or_else(|| adjudication.end(&white_scores, game.plies())) {
            break end;
        }
        let turn = game.board().turn();
        let player = at_turn(turn);
        let began = Instant::now();
        let thought = match players[player].think(&game, clocks.as_ref()) {
            Ok(thought) => thought,
            Err(PlayError::Engine(error)) => {
                let clock = clocks.filter(|_| controls[turn.index()].is_some()).map(|clocks| clocks[turn.index()]);
                if clock.is_some_and(|clock| began.elapsed() > clock.left) {
                    break (GameResult::win_of(!turn), Ending::Time);
                }
                fault = Some(error.to_string());
                break (GameResult::win_of(!turn), Ending::Forfeit);
            }
            Err(error) => return Err(error),
        };
        let (mv, Score(score)) = (thought.best, thought.score);
        nodes[turn.index()] += thought.nodes;
        time_ns[turn.index()] += thought.nanoseconds;
        let time = Duration::from_nanos(thought.nanoseconds);
        let clock = clocks.as_mut().map(|clocks| &mut clocks[turn.index()]).zip(controls[turn.index()]);
        if let Some((clock, control)) = clock {
            let least = &mut least_left_ms[turn.index()];
            let left = clock.left.saturating_sub(time).as_millis() as u64;
            *least = Some(least.map_or(left, |least| least.min(left)));
            if !clock.take(time, &control) {
                break (GameResult::win_of(!turn), Ending::Time);
            }
        }
        if has_time {
            times_ms.push(time.as_millis() as u64);
        }
        moves.push(mv.to_string());
        scores.push(score);
        depths.push(thought.depth);
        white_scores.push(Score(if turn == Color::White { score } else { -score }));
        game.play(mv);
    };
    let start = opening.start.as_ref().map_or_else(String::new, Setup::to_string);
    let (opening, moves) = (opening.to_string(), moves.join(" "));
    Ok(GameRecord {
        number,
        white,
        start,
        opening,
        moves,
        scores,
        depths,
        result,
        ending,
        nodes,
        time_ns,
        times_ms,
        least_left_ms,
        fault,
    })
}
