//! `splitpoint match`: games between two configurations of our engine or others, and what they say of the difference.

use std::io::{self, Write, stdout};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use serde_json::Value;

use super::board_args::BoardArgs;
use super::error::CliError;
use super::games::{self, Games, Shown};
use super::output::{self, VERSION, object};
use super::run::command;
use super::values;
use crate::chess::choice::BoardChoice;
use crate::lab::duration;
use crate::machine::RealMachine;
use crate::machine::cost::CostModel;
use crate::parallel::AnyStrategy;
use crate::play::pgn;
use crate::play::{
    Adjudication, Agreement, Budget, Contest, Entrant, OpeningRule, Openings, OpeningsFile, Program, TimeControl,
    Timing, begin, book, meet, tournament,
};
use crate::record::folder::MATCH;
use crate::record::{MachineKind, PlayerInfo, TestInfo};
use crate::report::games::{PairVerdict, Standing};
use crate::report::{self, Wishes};
use crate::search::DEEPEST;
use crate::search::features::Preset;
use crate::search::table::MOST_MIB;
use crate::statistics::{Decision, EloModel, Interval, Sequential};
use crate::table::number::{counted, figure, percent};
use crate::table::{Cell, Digits, columns};

/// Number of games, if it is not given.
const GAMES: u32 = 100;
/// Largest number of games of a sequential test with random openings, if it is not given.
const MOST_GAMES_OF_TEST: u32 = 40_000;
/// Probability that a sequential test decides for the one difference though the other is true.
const ERROR: f64 = 0.05;
/// Largest number of games.
pub const MOST_GAMES: u64 = 10_000_000;
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

    /// Pawns and plies for which both sides must see a win, or never, to end a game [default: 10,4]
    #[arg(long, value_name = "PAWNS,PLIES")]
    resign: Option<Agreement>,

    /// Pawns and plies for which both sides must see no more than that, after ply 80, or never [default: 0.1,10]
    #[arg(long, value_name = "PAWNS,PLIES")]
    draw: Option<Agreement>,

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

/// Limits of the search for a move, and what it is shared among.
#[derive(Args)]
struct PlayerArgs {
    /// Number of nodes for each move [default: 20000, unless another limit is given]
    #[arg(long, value_name = "N", value_parser = values::whole::<u64>(1..=u64::MAX))]
    nodes: Option<u64>,

    /// Depth of the search for each move in plies
    #[arg(long, value_name = "N", value_parser = values::whole::<u32>(1..=DEEPEST.into()))]
    depth: Option<u32>,

    /// Time for each move in seconds, of the machine
    #[arg(long, value_name = "S", value_parser = duration::parse, conflicts_with = "clock")]
    move_time: Option<Duration>,

    /// Clock of each side in seconds, as 5+0.05 or 40/60+0.5; who exceeds it has lost
    #[arg(long, value_name = "CLOCK")]
    clock: Option<TimeControl>,

    /// Machine that our engine searches on; on a virtual one time is simulated, and games do not depend on the computer
    #[arg(long, value_name = "M", default_value_t = MachineKind::Real)]
    machine: MachineKind,

    /// Number of processors of each player
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = values::processors())]
    processors: u32,

    /// Strategy by which several processors of our engine share a search, with its parameters [default: teams with
    /// late move reductions or prunings, else ybwc]
    #[arg(long, value_name = "S")]
    strategy: Option<AnyStrategy>,

    /// Cost model of the virtual machine, with changes: reference-modern,wake_park*2 [default: that of the preset]
    #[arg(long, value_name = "C")]
    costs: Option<CostModel>,

    /// Time after which an engine from outside is taken to hang, if it says nothing and does nothing [default: 60s]
    #[arg(long, value_name = "S", value_parser = duration::parse)]
    patience: Option<Duration>,
}

/// Options by which the second player gets another limit, other processors or another strategy than the first.
#[derive(Args)]
#[command(next_help_heading = "Odds: what B has instead")]
struct OddsArgs {
    /// Number of nodes for each move
    #[arg(long, value_name = "N", value_parser = values::whole::<u64>(1..=u64::MAX))]
    b_nodes: Option<u64>,

    /// Depth of the search for each move in plies
    #[arg(long, value_name = "N", value_parser = values::whole::<u32>(1..=DEEPEST.into()))]
    b_depth: Option<u32>,

    /// Time for each move in seconds
    #[arg(long, value_name = "S", value_parser = duration::parse, conflicts_with = "b_clock")]
    b_move_time: Option<Duration>,

    /// Clock in seconds
    #[arg(long, value_name = "CLOCK")]
    b_clock: Option<TimeControl>,

    /// Number of processors
    #[arg(long, value_name = "N", value_parser = values::processors())]
    b_processors: Option<u32>,

    /// Strategy
    #[arg(long, value_name = "S")]
    b_strategy: Option<AnyStrategy>,
}

fn timing(move_time: Option<Duration>, clock: Option<TimeControl>) -> Option<Timing> {
    move_time.map(Timing::Move).or(clock.map(Timing::Clock))
}

impl PlayerArgs {
    fn budget(&self) -> Budget {
        let (depth, time) = (self.depth, timing(self.move_time, self.clock));
        Budget { nodes: self.nodes.or((depth.is_none() && time.is_none()).then_some(Entrant::NODES)), depth, time }
    }
}

impl OddsArgs {
    /// Limits of the second player: those that are given here, or the first's.
    fn budget(&self, first: Budget) -> Budget {
        let own = Budget { nodes: self.b_nodes, depth: self.b_depth, time: timing(self.b_move_time, self.b_clock) };
        if own == Budget::default() { first } else { own }
    }
}

/// Board on which games are played, and number of games at once. They change no move.
#[derive(Args)]
pub struct WorkArgs {
    #[command(flatten)]
    board: BoardArgs,

    /// Number of games that are played at the same time [default: one for each core]
    #[arg(long, value_name = "N", alias = "threads", value_parser = values::processors())]
    games_at_once: Option<u32>,
}

/// Tables of the players.
#[derive(Args)]
pub struct TableArgs {
    /// Size of each player's transposition table in MiB
    #[arg(long, value_name = "MIB", alias = "table", default_value_t = Entrant::TABLE_MIB,
          value_parser = values::whole::<u32>(1..=MOST_MIB.into()))]
    pub hash: u32,
}

impl WorkArgs {
    /// The chosen board, and the number of games at once.
    pub fn resolve(&self) -> Result<(BoardChoice, usize), CliError> {
        Ok((self.board.choice()?, self.games_at_once.map_or_else(RealMachine::room, |games| games as usize)))
    }
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
        let (board, threads) = self.work.resolve()?;
        let mut contest = self.contest()?;
        let test = self.sprt.map(|test| Sequential { model: self.sprt_model, ..test });
        meet(self.out.as_deref(), contest.entrants.iter_mut())?;
        let description = contest.description();
        let folder = games::keep(self.out.as_deref(), MATCH, &description)?;
        let mut described = tournament::of_contest(&contest, &command());
        if let Some(out) = &self.out {
            begin(out, &mut described.clone())?;
        }
        let is_new = folder.as_ref().is_none_or(|folder| folder.games.is_empty());
        let play = Games::new(contest.games, Shown::Points(test));
        let games = play.play(&contest, 0, (board, threads), folder)?;
        let fault = play.fault();
        play.end();
        if let Some(path) = &self.pgn {
            let limits = described.players.iter().map(|player| player.limit.clone());
            let tags = pgn::Tags { date: is_new.then(pgn::Tags::today), limits: limits.collect() };
            output::file(path, &pgn::write(&tags, &[(tournament::names(&contest), games.clone())]))?;
        }
        let standing = Standing::of(&games);
        let test = test.map(|test| Tested::of(test, play.decision(), &standing));
        described.test = test.as_ref().map(Tested::info);
        let players = [&described.players[0], &described.players[1]];
        let verdict = PairVerdict::of(players, &standing);
        if self.json {
            print_json(&description, &standing, &verdict, test.as_ref())?;
        } else {
            print(players, &standing, &verdict, test.as_ref())?;
            output::paragraph(&mut stdout(), "", &format!("Played with {}.", contest.openings))?;
        }
        if let Some(out) = &self.out {
            described.write(out)?;
            report::make(out, Wishes::default())?;
            if !self.json {
                writeln!(stdout(), "\nreport  {}", out.join("report.html").display())?;
            }
        }
        let mut forfeited = games.iter().filter_map(|game| Some((game.number + 1, game.fault.as_deref()?)));
        let number = forfeited.clone().count();
        match (fault, forfeited.next()) {
            _ if verdict.is_void => Err(CliError::Failed(verdict.text)),
            (Some(fault), _) => Err(CliError::Failed(fault)),
            (None, Some((first, fault))) => {
                let forfeited = counted(number, "game was", "games were");
                Err(CliError::Failed(format!("{forfeited} forfeited; in game {first}, {fault}")))
            }
            (None, None) => Ok(()),
        }
    }

    fn contest(&self) -> Result<Contest, CliError> {
        let PlayerArgs { machine, processors, strategy, patience, ref costs, .. } = self.player;
        let usual = Entrant::of_nodes(Preset::Modern, Entrant::NODES, self.table.hash);
        let (program, budget, costs) = (self.a.clone(), self.player.budget(), costs.clone());
        let a = Entrant { program, budget, machine, processors, strategy, costs, patience, ..usual };
        let b = Entrant {
            program: self.b.clone(),
            budget: self.odds.budget(a.budget),
            processors: self.odds.b_processors.unwrap_or(processors),
            strategy: self.odds.b_strategy.or(strategy),
            ..a.clone()
        };
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
        let adjudication = Adjudication::of(self.resign, self.draw);
        Ok(Contest { entrants: [a, b], openings, games, games_per_opening: 2, adjudication })
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

/// A sequential test of a match, as it ended.
struct Tested {
    test: Sequential,
    /// The difference that it has decided for, if it has.
    decision: Option<f64>,
    /// Log-likelihood ratio at the decision, or after all games.
    log_ratio: f64,
}

impl Tested {
    fn of(test: Sequential, decision: Option<(Decision, f64)>, standing: &Standing) -> Self {
        let elo = decision.map(|(decision, _)| match decision {
            Decision::First => test.elo[0],
            Decision::Second => test.elo[1],
        });
        let log_ratio = decision.map_or_else(|| test.log_ratio(&standing.pairs), |(_, ratio)| ratio);
        Self { test, decision: elo, log_ratio }
    }

    /// The test as the folder of the match keeps it.
    fn info(&self) -> TestInfo {
        let Self { test, decision, log_ratio } = *self;
        let is_normalised = test.model == EloModel::Normalised;
        TestInfo { elo: test.elo, is_normalised, decision, log_ratio, bounds: test.bounds() }
    }

    fn sentence(&self) -> String {
        let ([low, high], [first, second]) = (self.test.bounds(), self.test.elo);
        let decision = self.decision.map_or("undecided".to_owned(), |elo| format!("decided for {elo}"));
        format!(
            "Sequential test of {first} against {second} Elo, errors {}: {decision} (log-likelihood ratio {:.2}, \
             bounds {low:.2} and {high:.2}). The interval above does not allow for the end that a test sets.",
            percent(ERROR),
            self.log_ratio
        )
    }
}

/// Prints one JSON object.
fn print_json(
    description: &Value,
    standing: &Standing,
    verdict: &PairVerdict,
    test: Option<&Tested>,
) -> io::Result<()> {
    let [lost, drawn, won] = standing.results;
    let work = standing.work.map(|work| {
        let (nodes, depth, ns) = (work.mean(work.nodes), work.mean(work.depths), work.mean(work.time_ns));
        object! { moves: work.moves, nodes_per_move: nodes, depth, time_per_move_s: ns * 1e-9 }
    });
    let pairs = &standing.pairs;
    let printed = object! {
        version: VERSION,
        configuration: description,
        verdict: &verdict.text, void: verdict.is_void, fair: verdict.is_fair,
        games: standing.games(), won, drawn, lost,
        pairs: pairs.counts(), score: pairs.score(),
        elo: pairs.elo(), normalised_elo: pairs.normalised_elo(), superiority: pairs.superiority(),
        sequential_test: test.map(|tested| object! {
            elo: tested.test.elo, log_ratio: tested.log_ratio, bounds: tested.test.bounds(),
            decision: tested.decision,
        }),
        plies: standing.plies as f64 / standing.games() as f64,
        endings: &standing.endings,
        players: work,
    };
    output::json(&mut stdout(), &printed)
}

/// Pairs of games by the points of the first player, and how likely it is the stronger if the match was fair.
fn pairs_in_words(player: &PlayerInfo, standing: &Standing, is_fair: bool) -> String {
    let counts = standing.pairs.counts().map(|count| count.to_string()).join(" ");
    let stronger = standing.pairs.superiority().filter(|_| is_fair).map_or_else(String::new, |likelihood| {
        format!(" LOS (likelihood that {} is the stronger) {}.", player.name, percent(likelihood))
    });
    let pairs = counted(standing.pairs.number(), "pair", "pairs");
    format!("{pairs} of games with 0, 0.5, 1, 1.5, 2 points of {}: {counts}.{stronger}", player.name)
}

/// Prints the answer, the table that it stands on, and who has played.
fn print(
    players: [&PlayerInfo; 2],
    standing: &Standing,
    verdict: &PairVerdict,
    test: Option<&Tested>,
) -> io::Result<()> {
    let mut out = stdout().lock();
    for doubt in &verdict.doubts {
        output::paragraph(&mut out, "! ", doubt)?;
    }
    output::paragraph(&mut out, if verdict.is_void { "! " } else { "" }, &verdict.text)?;
    if let Some(more) = test.map(Tested::sentence).as_ref().or(verdict.more.as_ref()) {
        output::paragraph(&mut out, "", more)?;
    }
    writeln!(out)?;
    let sides = [standing.clone(), standing.reversed()];
    let rows: Vec<_> = players.into_iter().zip(&sides).collect();
    let in_hundredths = |score: Interval| score.map(|score| 100.0 * score);
    let result = columns! { &(&PlayerInfo, &Standing), row;
        "player": "Name" => row.0.name.clone();
        "won": "Games that it won" => row.1.results[2];
        "drawn": "Drawn games" => row.1.results[1];
        "lost": "Games that it lost" => row.1.results[0];
        "score" as "score %": "Its points in hundredths" => in_hundredths(row.1.pairs.score());
        "normalised" as "nElo": "Difference in rating by the deviation of a game" => row.1.pairs.normalised_elo();
        "nodes" as "nodes/move": "Mean number of nodes for a move" =>
            Cell::whole(row.1.work[0].mean(row.1.work[0].nodes));
        "depth": "Mean depth of a move" =>
            Cell::Number(row.1.work[0].mean(row.1.work[0].depths), Digits::Decimals(1));
        "time" as "ms/move": "Mean time of a move" => row.1.work[0].mean(row.1.work[0].time_ns) * 1e-6;
    };
    output::table(&mut out, &result.table("", "", &rows))?;
    writeln!(out)?;
    output::paragraph(&mut out, "", &pairs_in_words(players[0], standing, verdict.is_fair))?;
    let games = standing.games() as f64;
    let endings = standing.endings.iter().map(|(ending, count)| format!("{ending} {}", percent(*count as f64 / games)));
    let endings = endings.collect::<Vec<_>>().join(", ");
    let plies = figure(standing.plies as f64 / games);
    let games = counted(standing.games(), "game", "games");
    output::paragraph(&mut out, "", &format!("{games} of {plies} plies on average; {endings}."))?;
    for player in players {
        let name = if player.name == player.program { String::new() } else { format!("{}: ", player.name) };
        output::paragraph(&mut out, "", &format!("{name}{player}."))?;
    }
    Ok(())
}
