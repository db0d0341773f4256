//! `splitpoint match`: games between two configurations of our engine or others, and what they say of the difference.

mod answer;
mod players;

use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use super::error::CliError;
use super::game_args::{MOST_GAMES, RuleArgs, TableArgs, WorkArgs};
use super::output;
use super::tournament::perform;
use super::values;
use crate::play::tournament::Tournament;
use crate::play::{OpeningRule, Openings, OpeningsFile, Program, book};
use crate::record::GameRecord;
use crate::report::games::{PairVerdict, Standing};
use crate::report::{self, Wishes};
use crate::statistics::{EloModel, Sequential};
use crate::table::number::counted;
use answer::Tested;
use players::{OddsArgs, PlayerArgs};

/// Number of games, if it is not given.
const GAMES: u32 = 100;
/// Largest number of games of a sequential test with random openings, if it is not given.
const MOST_GAMES_OF_TEST: u32 = 40_000;
/// Probability that a sequential test decides for the one difference though the other is true.
const ERROR: f64 = 0.05;
/// Largest number of plies of an opening.
const MOST_OPENING_PLIES: u64 = 40;

/// Play games between two configurations of our engine or another, and estimate the difference in strength
#[derive(Args)]
#[command(after_help = "\
Examples:
  splitpoint match modern modern,-null-move --games 20 --nodes 500
  splitpoint match modern thesis --games 10 --nodes 2000 --pgn games.pgn
  splitpoint match modern modern,evaluation=thesis --games 20 --nodes 500 --out match-1
  splitpoint match modern modern --games 4 --nodes 500 --b-nodes 1000
  splitpoint match modern modern --games 2 --clock 0.1+0.005
  splitpoint match modern thesis --nodes 300 --sprt 0,200
  splitpoint match modern modern --games 4 --machine virtual --move-time 0.002 --processors 4 --strategy lazy \
    --b-processors 1

Each opening, of a book that ships or of random plies, leaves the position about even and is played twice with colours \
reversed. Games end \
by the rules; as a win when both sides have seen 10 pawns or more for 4 plies; as a draw when both have seen at most \
0.1 pawns for 10 plies after ply 80, or at ply 400. Games of our own engine within limits on nodes or depth, or on the \
virtual machine, depend on the arguments alone, and not on board, games at once or computer. A rerun with the same \
--out continues; --games may then be larger.

An engine from outside is named by its command, as in uci:/usr/games/stockfish. It gets --processors threads, a table \
of the same size, and the same limits. If it is limited by nodes, it searches the start position first, and there are \
no games if it uses less than half of them or more than twice as many. If it ends, hangs or plays an illegal move, it \
has lost the game and is started again; when that happens in three games in a row, the match ends.")]
pub struct Match {
    /// First configuration: a recipe of features (modern,-null-move), or an engine that speaks UCI (uci:COMMAND)
    #[arg(value_name = "A")]
    a: Program,

    /// Second configuration
    #[arg(value_name = "B")]
    b: Program,

    /// Number of games, which is even; with --sprt the largest [default: 100, with --sprt all openings of the book]
    #[arg(long, value_name = "N", value_parser = even)]
    games: Option<u32>,

    /// End as soon as a sequential test has decided between two differences in rating, as 0,5
    #[arg(long, value_name = "ELO,ELO", value_parser = sprt, allow_hyphen_values = true)]
    sprt: Option<Sequential>,

    /// Meaning of the differences of --sprt: by the logistic curve, or normalised by the deviation of a game
    #[arg(long, value_name = "M", default_value_t = EloModel::Logistic, requires = "sprt")]
    sprt_model: EloModel,

    #[command(flatten)]
    player: PlayerArgs,

    /// Seed of the openings
    #[arg(long, value_name = "K", default_value_t = 0)]
    seed: u64,

    /// Openings of this many random plies, rather than those of the book that ships
    #[arg(long, value_name = "N", value_parser = values::whole::<u32>(1..=MOST_OPENING_PLIES))]
    opening_plies: Option<u32>,

    /// Openings after which one side is ahead ("unbalanced"), or those of a file: games (.pgn), positions (EPD or FEN)
    /// or lines of moves; rather than the even book that ships. With --opening-plies no more than so many plies of each
    #[arg(long, value_name = "FILE")]
    openings: Option<String>,

    #[command(flatten)]
    rules: RuleArgs,

    #[command(flatten)]
    work: WorkArgs,

    #[command(flatten)]
    table: TableArgs,

    /// Folder that keeps the games, with a page of them; a rerun continues there
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// File for the games in portable game notation, with score, depth and time as comments
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,

    // Last, for its heading holds for all options after it.
    #[command(flatten)]
    odds: OddsArgs,
}

/// Parser of the two differences of a sequential test.
fn sprt(text: &str) -> Result<Sequential, String> {
    let wrong = || "must be two differences in rating, the smaller one first, as 0,5".to_owned();
    let (first, second) = text.split_once(',').ok_or_else(wrong)?;
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|elo| elo.abs() <= 1_000.0).ok_or_else(wrong);
    let elo = [number(first)?, number(second)?];
    if elo[0] < elo[1] { Ok(Sequential { elo, model: EloModel::Logistic, errors: [ERROR; 2] }) } else { Err(wrong()) }
}

/// Parser of an even number of games.
fn even(text: &str) -> Result<u32, String> {
    let number = values::whole::<u32>(2..=MOST_GAMES)(text)?;
    if number % 2 == 0 { Ok(number) } else { Err("must be even: each opening is played twice".to_owned()) }
}

/// Largest score of an opening, in thousandths of a pawn.
const OPENING_BOUND: i32 = 800;

impl Match {
    pub fn run(&self) -> Result<(), CliError> {
        let mut tournament = self.tournament()?;
        let work = self.work.resolve_for(&tournament)?;
        let mut performed = perform(&mut tournament, self.out.as_deref(), work)?;
        performed.write_pgn(self.pgn.as_deref())?;
        let games: Vec<GameRecord> = performed.played.values().flat_map(|(_, games)| games.clone()).collect();
        let standing = Standing::of(&games);
        let test = tournament.test.map(|test| Tested::of(test, performed.games.decision(), &standing));
        performed.described.test = test.as_ref().map(Tested::info);
        let described = &performed.described;
        let players = [&described.players[0], &described.players[1]];
        let verdict = PairVerdict::of(players, &standing);
        if self.json {
            let asked = tournament.contest_of_match().map(|contest| contest.description());
            answer::print_json(asked, &standing, &verdict, test.as_ref())?;
        } else {
            answer::print(players, &standing, &verdict, test.as_ref())?;
            output::paragraph(&mut stdout(), "", &format!("Played with {}.", described.openings))?;
        }
        if let Some(out) = &self.out {
            described.write(out)?;
            report::make(out, Wishes::default())?;
            if !self.json {
                writeln!(stdout(), "\nreport  {}", out.join("report.html").display())?;
            }
        }
        match performed.games.fault() {
            _ if verdict.is_void => Err(CliError::Failed(verdict.text)),
            Some(fault) => Err(CliError::Failed(fault)),
            None => forfeits(&games).map_or(Ok(()), |forfeited| Err(CliError::Failed(forfeited))),
        }
    }

    fn tournament(&self) -> Result<Tournament, CliError> {
        let a = self.player.entrant(self.a.clone(), &self.table);
        let b = self.odds.entrant(self.b.clone(), &a);
        let seed = self.seed;
        let random = |plies| Openings::Random(OpeningRule { plies: plies..=plies, bound: OPENING_BOUND, seed });
        let openings = match &self.openings {
            Some(name) => {
                let file = OpeningsFile::read(Path::new(""), name, self.opening_plies).map_err(CliError::BadInput)?;
                Openings::File { file: Arc::new(file), seed }
            }
            None => self.opening_plies.map_or(Openings::Book { seed }, random),
        };
        let games = self.games.unwrap_or_else(|| self.usual_games(&openings));
        let test = self.sprt.map(|test| Sequential { model: self.sprt_model, ..test });
        Ok(Tournament::of_match([a, b], games, openings, self.rules.0, test))
    }

    /// Number of games, if it is not given: for a test as many as the book has openings for.
    fn usual_games(&self, openings: &Openings) -> u32 {
        match (self.sprt, openings) {
            (None, _) => GAMES,
            (Some(_), Openings::Book { .. }) => 2 * book::lines().count() as u32,
            (Some(_), Openings::File { file, .. }) => 2 * file.openings.len() as u32,
            (Some(_), Openings::Random(_)) => MOST_GAMES_OF_TEST,
        }
    }
}

/// How many games were forfeited, and how the first of them was, if any was.
fn forfeits(games: &[GameRecord]) -> Option<String> {
    let mut forfeited = games.iter().filter_map(|game| Some((game.number + 1, game.fault.as_deref()?)));
    let number = forfeited.clone().count();
    let (first, fault) = forfeited.next()?;
    Some(format!("{} forfeited; in game {first}, {fault}", counted(number, "game was", "games were")))
}
