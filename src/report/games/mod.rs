//! Matches and tournaments: from the games of a folder to ratings, strength speedups, tables, charts and a page in it.
//! The same files give the same bytes.

mod answer;
mod charts;
mod lengths;
mod page;
mod ratings;
mod standing;
mod strength;
mod tables;
#[cfg(test)]
mod tests;

use std::path::Path;

use super::beside::Beside;
use super::make::{Made, ReportError, Wishes, write_charts};
use super::tables::{SUMMARY_TEX, summary_tex};
use crate::record::folder::{self, FolderError, write_whole};
use crate::record::journal::{self, Held};
use crate::record::{Environment, Form, GameRecord, Pairing, TOURNAMENT, Tournament};
use crate::statistics::Interval;
use crate::table::{csv, terminal};
use strength::Strength;

pub use answer::PairVerdict;
pub use standing::{Standing, Work};

/// Name of the page.
const PAGE: &str = "report.html";

/// Two players and their games.
#[derive(Clone, Debug)]
struct Played {
    pairing: Pairing,
    games: Vec<GameRecord>,
    standing: Standing,
}

/// Player with what its games say of it.
#[derive(Clone, Debug)]
struct Entry {
    /// Place among the players of the tournament.
    player: usize,
    /// Standing against all others together.
    standing: Standing,
    /// Difference in rating from the mean of all players. With odds there is none.
    rating: Option<Interval>,
}

/// All that is known of a tournament.
#[derive(Clone, Debug)]
struct Results {
    tournament: Tournament,
    /// Pairings of which games are over.
    played: Vec<Played>,
    /// Players, the best first; with odds in the order of the tournament.
    entries: Vec<Entry>,
    /// With odds, strength of each player in multiples of its opponent's limit.
    strengths: Vec<Strength>,
    /// Warnings about journals.
    warnings: Vec<String>,
}

impl Results {
    fn of(tournament: Tournament, games: Vec<Held<GameRecord>>, beside: Option<&Beside>) -> Self {
        let warnings = games.iter().flat_map(|held| held.warnings.clone()).collect();
        let all = tournament.pairings.iter().zip(games).map(|(pairing, held)| Played {
            pairing: pairing.clone(),
            standing: Standing::of(&held.records),
            games: in_order(held.records),
        });
        let played: Vec<Played> = all.filter(|played| !played.games.is_empty()).collect();
        let has_odds = tournament.form == Form::Odds;
        let ratings = if has_odds { Vec::new() } else { ratings::ratings(tournament.players.len(), &played) };
        let entry = |player: usize| {
            let mut standing = Standing::default();
            for one in &played {
                match [one.pairing.first, one.pairing.second] {
                    [first, _] if first == player => standing.join(&one.standing),
                    [_, second] if second == player => standing.join(&one.standing.reversed()),
                    _ => {}
                }
            }
            Entry { player, standing, rating: ratings.get(player).copied().flatten() }
        };
        let mut entries: Vec<Entry> = (0..tournament.players.len()).map(entry).collect();
        entries.retain(|entry| entry.standing.games() > 0);
        let strengths = if has_odds { strength::strengths(&tournament, &played, beside) } else { Vec::new() };
        if !has_odds {
            let score = |entry: &Entry| entry.standing.score();
            entries.sort_by(|one, other| score(other).total_cmp(&score(one)));
        }
        Self { tournament, played, entries, strengths, warnings }
    }

    fn name(&self, player: usize) -> &str {
        &self.tournament.players[player].name
    }

    fn has_odds(&self) -> bool {
        self.tournament.form == Form::Odds
    }

    /// Whether all players play on virtual processors, so that the games depend on nothing else.
    fn is_virtual(&self) -> bool {
        let mut all = self.tournament.players.iter().chain(&self.tournament.opponents);
        all.all(|player| player.machine == crate::record::MachineKind::Virtual)
    }

    /// All games.
    fn games(&self) -> impl Iterator<Item = &GameRecord> {
        self.played.iter().flat_map(|played| &played.games)
    }
}

/// Games in the order of their numbers, whatever that was in which they ended.
fn in_order(mut games: Vec<GameRecord>) -> Vec<GameRecord> {
    games.sort_by_key(|game| game.number);
    games
}

/// Makes tables, charts and page from the games of a folder.
pub(crate) fn make(folder: &Path, wishes: Wishes<'_>) -> Result<Made, ReportError> {
    let tournament = Tournament::read(folder)?
        .ok_or_else(|| FolderError::damaged(folder, format!("it holds no games: it has no {TOURNAMENT}")))?;
    let read = |pairing: &Pairing| journal::read_games(&folder.join(&pairing.folder));
    let games = tournament.pairings.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    let environment = Environment::read(&folder::environment(folder)?);
    let beside = wishes.beside.map(Beside::read).transpose()?;
    let results = Results::of(tournament, games, beside.as_ref());
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        write_whole(&path, bytes).map_err(|error| ReportError::Write { path, error })
    };
    for (name, table) in tables::files(&results) {
        let bytes = csv::write(&table).map_err(|error| ReportError::Write { path: folder.join(name), error })?;
        write(name, &bytes)?;
    }
    let main = tables::main(&results);
    write(SUMMARY_TEX, summary_tex(&results.tournament.title, &main).as_bytes())?;
    let files = wishes.files(Default::default());
    let charts = charts::charts(&results, files)?;
    write_charts(folder, &charts, files)?;
    write(PAGE, page::page(&results, &charts, &environment).as_bytes())?;
    let filled = |lead: &str, text: &str| terminal::paragraph(lead, text, terminal::WIDTH) + "\n";
    let text = |tables: Vec<crate::table::Table>| -> String {
        let written = tables.iter().filter(|table| !table.rows.is_empty());
        written.map(|table| terminal::write(table, terminal::WIDTH)).collect::<Vec<_>>().join("\n")
    };
    let verdict: String = answer::verdict(&results).iter().map(|sentences| filled("", sentences)).collect();
    let notes = [answer::notes(&results), results.warnings.clone()].concat();
    Ok(Made {
        details: format!("{}\n{verdict}", text(tables::all(&results))),
        verdict,
        notes: notes.iter().map(|note| filled("note: ", note)).collect(),
        table: text(vec![main]),
    })
}
