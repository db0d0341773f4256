//! `splitpoint tournament`: plays the games that a file of players asks for, and makes tables, charts and a page of
//! them.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::stdout;
use std::path::{Path, PathBuf};

use clap::Args;

use super::error::CliError;
use super::games::{self, Games, Shown};
use super::matches::WorkArgs;
use super::output::{self, tell};
use super::run::{command, new_folder};
use super::source::TOURNAMENT;
use crate::chess::choice::BoardChoice;
use crate::distinct::distinct;
use crate::play::pgn::{self, Played};
use crate::play::tournament::{Round, Tournament, parse};
use crate::play::{begin, meet};
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
        let is_new = !out.join(record::TOURNAMENT).exists();
        let (_lock, played) = perform(&mut tournament, &out, self.work.resolve()?)?;
        if let Some(path) = &self.pgn {
            let limits = tournament.players.iter().map(|player| player.entrant.budget.to_string());
            let tags = pgn::Tags { date: is_new.then(pgn::Tags::today), limits: limits.collect() };
            output::file(path, &pgn::write(&tags, played.values()))?;
        }
        let made = report::make(&out, Wishes { beside: self.beside.as_deref(), ..Wishes::default() })?;
        Ok(super::report::print(&mut stdout().lock(), &made, &out, false)?)
    }
}

/// Plays the games of a tournament that its folder does not know yet. Returns the lock of the folder, and all games by
/// the folders of their pairings.
pub fn perform(
    tournament: &mut Tournament,
    out: &Path,
    work: (BoardChoice, usize),
) -> Result<(File, BTreeMap<String, Played>), CliError> {
    let lock = take(out, folder::TOURNAMENT)?;
    meet(Some(out), tournament.entrants())?;
    let mut described = tournament.description(&command());
    begin(out, &mut described)?;
    for player in &described.players {
        tell(format_args!("{}: {player}", player.name));
    }
    for opponent in distinct(described.opponents.iter().map(ToString::to_string)) {
        tell(format_args!("opponent: {opponent}; k times its limit"));
    }
    let mut played = BTreeMap::new();
    let games = Games::new(tournament.total_games(), Shown::Number);
    tournament.play(|Round { pairing, contest, first }| -> Result<Vec<GameRecord>, CliError> {
        if !described.pairings.contains(pairing) {
            described.pairings.push(pairing.clone());
            described.write(out)?;
        }
        let place = out.join(&pairing.folder);
        if let Some(link) = place.ancestors().take_while(|above| *above != out).find(|above| above.is_symlink()) {
            let reason = "it is a link, and games are going to be written there: remove it";
            return Err(FolderError::damaged(link, reason).into());
        }
        let folder = games::open(&place, MATCH, &contest.description())?;
        let before = games.new_games();
        let all = games.play(contest, *first, work, Some(folder))?;
        if let Some(fault) = games.fault() {
            return Err(CliError::Failed(fault));
        }
        if games.new_games() > before {
            games.tell(&standing(&described, pairing, &all));
        }
        played.insert(pairing.folder.clone(), (in_full(&described, pairing), all.clone()));
        Ok(all)
    })?;
    games.end();
    Ok((lock, played))
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
