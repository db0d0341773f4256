//! `splitpoint tournament`: plays the games that a file of players asks for, and makes tables, charts and a page of
//! them.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::stdout;
use std::path::{Path, PathBuf};

use clap::Args;

use super::error::CliError;
use super::game_args::WorkArgs;
use super::games::{self, Games, Shown};
use super::output::{self, tell};
use super::run::{command, new_folder};
use super::source::TOURNAMENT;
use crate::chess::choice::BoardChoice;
use crate::distinct::distinct;
use crate::play::pgn::{self, Played};
use crate::play::tournament::{Round, Tournament, parse};
use crate::play::{Contest, Folder, begin, meet};
use crate::record::folder::{self, FolderError, MATCH, take};
use crate::record::{self, GameRecord, Pairing};
use crate::report::games::Standing;
use crate::report::{self, Wishes};
use crate::table::number::{figure, percent};

/// Play a tournament of several players, and make tables, charts and a page from its games
#[derive(Args)]
#[command(after_help = "\
Examples:
  splitpoint tournament presets --set games=2 --set every.nodes=200
  splitpoint tournament strength-speedup --set games=2 --set player.processors=2
  splitpoint tournament experiments/tournaments/presets.toml --set games=2 --set every.nodes=200 --out presets-1

A file names players and says who plays whom: each against each other (round-robin), the first against all others \
(gauntlet), or each against an opponent that gets k times a limit, where k follows the results until both score the \
same (odds). A rerun with the same --out continues; games may then be more. A player uci:COMMAND is a program that is \
started with your rights, so look at the players first if the file is somebody else's. What the keys \
mean is in docs/play.md.")]
pub struct TournamentArgs {
    /// Tournament file in TOML or JSON, or the name of one that ships ('splitpoint list tournaments')
    #[arg(value_name = "TOURNAMENT")]
    file: PathBuf,

    /// Folder for the games; a rerun continues there [default: a new one under results/]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Override a key of the file: games=20, every.nodes=1000, player.0.processors=2
    #[arg(long = "set", value_name = "KEY=VALUE")]
    changes: Vec<String>,

    #[command(flatten)]
    work: WorkArgs,

    /// Run folder whose time speedups stand beside the strength speedups; only its summary.csv is needed
    #[arg(long, value_name = "DIR")]
    beside: Option<PathBuf>,

    /// File for all games in portable game notation, with score, depth and time as comments
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
}

impl TournamentArgs {
    pub fn run(&self) -> Result<(), CliError> {
        let (path, text) = TOURNAMENT.read(&self.file)?;
        let mut tournament = parse(&path, &text, &self.changes)?;
        let stem = path.file_stem().map_or_else(|| "tournament".into(), |stem| stem.to_string_lossy().into_owned());
        let out = self.out.clone().unwrap_or_else(|| new_folder(&stem));
        let work = self.work.resolve_for(&tournament)?;
        let performed = perform(&mut tournament, Some(&out), work)?;
        performed.write_pgn(self.pgn.as_deref())?;
        let made = report::make(&out, Wishes { beside: self.beside.as_deref(), ..Wishes::default() })?;
        Ok(super::report::print(&mut stdout().lock(), &made, &out, false)?)
    }
}

/// Games of a tournament or a match that have been played. Their folder belongs to this process until this is dropped.
pub struct Performed {
    /// Description, as the folder has it.
    pub described: record::Tournament,
    /// All games, with the names of who played them, by the folders of their pairings.
    pub played: BTreeMap<String, Played>,
    /// Games of this run, with their faults and whether a test has ended them.
    pub games: Games,
    _lock: Option<File>,
}

/// Plays the games of a tournament or a match that its folder, if it has one, does not know yet.
pub fn perform(
    tournament: &mut Tournament,
    out: Option<&Path>,
    work: (BoardChoice, usize),
) -> Result<Performed, CliError> {
    meet(out, tournament.entrants())?;
    // What the games of a match depend on is in the same folder, and compared before anything is written there.
    let (lock, mut of_match) = match (out, tournament.contest_of_match()) {
        (Some(out), Some(contest)) => (None, Some(games::keep(out, MATCH, &contest.description())?)),
        (Some(out), None) => (Some(take(out, folder::TOURNAMENT)?), None),
        (None, _) => (None, None),
    };
    let mut described = tournament.description(&command());
    if let Some(out) = out {
        begin(out, &mut described)?;
    }
    if !tournament.is_match {
        tell_players(&described);
    }
    let shown = if tournament.is_match { Shown::Points(tournament.test) } else { Shown::Number };
    let (games, mut played) = (Games::new(tournament.total_games(), shown), BTreeMap::new());
    tournament.play(|Round { pairing, contest, first }| -> Result<Vec<GameRecord>, CliError> {
        if !described.pairings.contains(pairing) {
            described.pairings.push(pairing.clone());
            out.map_or(Ok(()), |out| described.write(out))?;
        }
        let folder = match (of_match.take(), out) {
            (None, Some(out)) => Some(folder_of(out, pairing, contest)?),
            (folder, _) => folder,
        };
        let before = games.new_games();
        let all = games.play(contest, *first, work, folder)?;
        // A match has an answer, which says both.
        if !tournament.is_match {
            if let Some(fault) = games.fault() {
                return Err(CliError::Failed(fault));
            }
            if games.new_games() > before {
                games.tell(&standing(&described, pairing, &all));
            }
        }
        played.insert(pairing.folder.clone(), (in_full(&described, pairing), all.clone()));
        Ok(all)
    })?;
    games.end();
    Ok(Performed { described, played, games, _lock: lock })
}

/// Tells who plays.
fn tell_players(described: &record::Tournament) {
    for player in &described.players {
        tell(format_args!("{}: {player}", player.name));
    }
    for opponent in distinct(described.opponents.iter().map(ToString::to_string)) {
        tell(format_args!("opponent: {opponent}; k times its limit"));
    }
}

/// Folder of a pairing of a tournament.
fn folder_of(out: &Path, pairing: &Pairing, contest: &Contest) -> Result<Folder, CliError> {
    let place = out.join(&pairing.folder);
    if let Some(link) = place.ancestors().take_while(|above| *above != out).find(|above| above.is_symlink()) {
        let reason = "it is a link, and games are going to be written there: remove it";
        return Err(FolderError::damaged(link, reason).into());
    }
    games::open(&place, MATCH, &contest.description())
}

impl Performed {
    /// Writes all games in portable game notation, if a file for them is named.
    pub fn write_pgn(&self, path: Option<&Path>) -> Result<(), CliError> {
        let Some(path) = path else { return Ok(()) };
        let limits = self.described.players.iter().map(|player| player.limit.clone());
        let tags = pgn::Tags { date: self.games.are_new().then(pgn::Tags::today), limits: limits.collect() };
        output::file(path, pgn::write(&tags, self.played.values()))
    }
}

/// Names of the players of a pairing: an opponent with odds is that multiple of a limit.
fn names(tournament: &record::Tournament, pairing: &Pairing) -> [String; 2] {
    let second = match pairing.multiple {
        Some(multiple) => format!("k = {}", figure(multiple)),
        None => tournament.players[pairing.second].name.clone(),
    };
    [tournament.players[pairing.first].name.clone(), second]
}

/// Names of the players of a pairing that say on their own what an opponent with odds is.
fn in_full(tournament: &record::Tournament, pairing: &Pairing) -> [String; 2] {
    let [first, second] = names(tournament, pairing);
    let program = pairing.multiple.map(|_| &tournament.opponents[pairing.first].program);
    [first, program.into_iter().cloned().chain([second]).collect::<Vec<_>>().join(", ")]
}

/// Standing of a pairing in a line: `lazy, 4 processors against k = 2.00: +8 =9 -3, 62.5 %`.
fn standing(tournament: &record::Tournament, pairing: &Pairing, games: &[GameRecord]) -> String {
    let standing = Standing::of(games);
    let [lost, drawn, won] = standing.results;
    let [first, second] = names(tournament, pairing);
    format!("{first} against {second}: +{won} ={drawn} -{lost}, {}", percent(standing.score()))
}
