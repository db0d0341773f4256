//! The file of a tournament, read and checked.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::{Named, Tournament};
use crate::lab::duration;
use crate::lab::file::{Document, DocumentError, FileError, Item, NOTHING, Section, text, whole};
use crate::machine::MOST_PROCESSORS;
use crate::record::{Form, distinguishing};
use crate::search::DEEPEST;
use crate::search::features::Preset;
use crate::search::table::MOST_MIB;
use crate::suggestion::WordError;
use crate::{Adjudication, Budget, Entrant, Openings, OpeningsFile, TimeControl, Timing, book};

/// Keys of a tournament before the rules of adjudication.
const KEYS: [&str; 7] = ["title", "question", "form", "games", "round", "seed", "openings"];
/// Keys of a tournament that are sections.
const SECTIONS: [&str; 3] = ["every", "player", "opponent"];
/// Keys of a player. `every` may have all but the first two, and so may the opponent, which gets a multiple of its
/// limit.
const PLAYER: [&str; 15] = [
    "name",
    "rating",
    "program",
    "machine",
    "processors",
    "strategy",
    "costs",
    "scheme",
    "nodes",
    "depth",
    "move_time",
    "processor_time",
    "clock",
    "table",
    "patience",
];
/// Highest rating of a player that may be given.
const HIGHEST: i64 = 10_000;
/// Games of a pairing, if it is not said.
const GAMES: i64 = 100;
/// Games of a round, if it is not said.
const ROUND: i64 = 10;

/// Reads a file of this name and text, after `--set` has changed it.
pub fn parse(path: &Path, text: &str, changes: &[String]) -> Result<Tournament, FileError> {
    let mut document = Document::parse(path, text.to_owned())?;
    changes.iter().try_for_each(|change| document.set(change))?;
    read(&document).map_err(|error| document.explain(&error))
}

fn read(document: &Document) -> Result<Tournament, DocumentError> {
    let root = Section::root(&document.root);
    let rules = Adjudication::RULES.iter().map(|rule| rule.name);
    root.allow_only("a key of a tournament", &KEYS.into_iter().chain(rules).chain(SECTIONS).collect::<Vec<_>>())?;
    let every = root.section("every")?.unwrap_or_else(|| Section::root(NOTHING));
    every.allow_only("a key of every player", &PLAYER[2..])?;
    let form: Form = root.one("form", word)?.unwrap_or_default();
    let openings = openings(&root, &document.path)?;
    let adjudication = adjudication(&root)?;
    let (games, round) = (games(&root, "games", GAMES, &openings)?, games(&root, "round", ROUND, &openings)?);
    let players = players(&root, &every)?;
    let fewest = if form == Form::Odds { 1 } else { 2 };
    if players.len() < fewest {
        return Err(root.wrong("player", format!("there must be {fewest} or more: write [[player]] for each")));
    }
    let opponents = opponents(&root, form, &players)?;
    let stem = document.path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let tournament = Tournament {
        title: root.text("title")?.map_or(stem, str::to_owned),
        question: root.text("question")?.unwrap_or_default().trim().to_owned(),
        form,
        games,
        round: round.min(games),
        openings,
        adjudication,
        players: named(players),
        opponents,
        is_match: false,
        test: None,
    };
    if let Some(name) = tournament.repeated_name() {
        return Err(root.wrong("player", format!("two players are named '{name}': give them a name")));
    }
    Ok(tournament)
}

/// Openings of a tournament whose file has this path: those of a file beside it, or the book.
fn openings(root: &Section<'_>, path: &Path) -> Result<Openings, DocumentError> {
    let seed = root.whole("seed", 0..=i64::MAX)?.unwrap_or(0) as u64;
    let of_file = |item: &Item| {
        let folder = path.parent().unwrap_or(Path::new(""));
        Ok(Openings::File { file: Arc::new(OpeningsFile::read(folder, text(item)?, None)?), seed })
    };
    Ok(root.one("openings", of_file)?.unwrap_or(Openings::Book { seed }))
}

/// Adjudication by the rules that are given, and by the usual ones where none is.
fn adjudication(root: &Section<'_>) -> Result<Adjudication, DocumentError> {
    Adjudication::RULES.iter().try_fold(Adjudication::default(), |so_far, rule| {
        let change = |item| (rule.change)(so_far, text(item)?).map_err(|error| error.to_string());
        Ok(root.one(rule.name, change)?.unwrap_or(so_far))
    })
}

/// Number of games under this key: even, and two for each of the openings at most.
fn games(root: &Section<'_>, key: &str, usual: i64, openings: &Openings) -> Result<u32, DocumentError> {
    let openings = match openings {
        Openings::File { file, .. } => file.openings.len() as i64,
        _ => book::lines().count() as i64,
    };
    let games = root.whole(key, 2..=2 * openings)?.unwrap_or(usual);
    let is_even = games % 2 == 0;
    is_even.then_some(games as u32).ok_or_else(|| root.wrong(key, "must be even: each opening is played twice"))
}

/// A player with the name and the rating that are given for it.
type Given = (Option<String>, Option<i32>, Entrant);

/// All players: each value of a list makes a player of its own.
fn players(root: &Section<'_>, every: &Section<'_>) -> Result<Vec<Given>, DocumentError> {
    let mut players = Vec::new();
    for section in root.sections("player")? {
        section.allow_only("a key of a player", &PLAYER)?;
        let name = section.text("name")?;
        let rating = section.whole("rating", -HIGHEST..=HIGHEST)?.map(|rating| rating as i32);
        if [&section, every].iter().all(|section| section.table.get("program").is_none()) {
            let missing = "is missing: features such as \"modern\", or uci:COMMAND";
            return Err(section.wrong("program", missing));
        }
        let keys = Keys { sections: &[&section, every], takes_lists: true };
        let entrants = keys.entrants(Entrant::of_nodes(Preset::Modern, Entrant::NODES, Entrant::TABLE_MIB))?;
        players.extend(entrants.into_iter().map(|entrant| (name.map(str::to_owned), rating, entrant)));
    }
    Ok(players)
}

/// Opponents of the players, in their order, where the form has any.
fn opponents(root: &Section<'_>, form: Form, players: &[Given]) -> Result<Vec<Entrant>, DocumentError> {
    let opponent = root.section("opponent")?;
    if form != Form::Odds {
        return match opponent {
            Some(_) => Err(root.wrong("opponent", "only with form = \"odds\" is there an opponent")),
            None => Ok(Vec::new()),
        };
    }
    let section = opponent.unwrap_or_else(|| Section::root(NOTHING));
    section.allow_only("a key of the opponent", &PLAYER[2..])?;
    let opponents = players.iter().map(|(.., player)| opponent_of(&section, player)).collect::<Result<Vec<_>, _>>()?;
    if opponents.iter().any(|opponent| opponent.budget.depth.is_some()) {
        return Err(root.wrong("form", "a depth has no multiples: the opponent needs nodes, move_time or clock"));
    }
    Ok(opponents)
}

/// Players with their names: the given ones, with what differs among players of one name; else what differs among all.
fn named(players: Vec<Given>) -> Vec<Named> {
    let all: Vec<_> = players.iter().map(|(.., entrant)| entrant.info("")).collect();
    let among_all = distinguishing(&all, &[]);
    let name = |place: usize| {
        let Some(given) = &players[place].0 else { return among_all[place].clone() };
        let same: Vec<usize> = (0..players.len()).filter(|other| players[*other].0.as_ref() == Some(given)).collect();
        if same.len() == 1 {
            return given.clone();
        }
        let infos: Vec<_> = same.iter().map(|place| all[*place].clone()).collect();
        let at = same.iter().position(|other| *other == place).unwrap_or_default();
        format!("{given}, {}", distinguishing(&infos, &[])[at])
    };
    let names: Vec<String> = (0..players.len()).map(name).collect();
    names.into_iter().zip(players).map(|(name, (_, rating, entrant))| Named { name, rating, entrant }).collect()
}

/// Sections in which the keys of players are looked up: the first that has a key counts.
struct Keys<'s, 'a> {
    sections: &'s [&'s Section<'a>],
    /// Whether a key may have several values, each for a player of its own.
    takes_lists: bool,
}

impl<'a> Keys<'_, 'a> {
    /// Each of these players with each value of a key; the players as they are, if no section has it.
    fn vary<P: Clone, T: Clone>(
        &self,
        all: Vec<P>,
        key: &str,
        read: impl Fn(&'a Item) -> Result<T, String>,
        set: impl Fn(&mut P, T),
    ) -> Result<Vec<P>, DocumentError> {
        for section in self.sections {
            let values = match self.takes_lists {
                true => section.each(key, |item| Ok(vec![read(item)?]))?,
                false => section.one(key, &read)?.map(|value| vec![value]),
            };
            if let Some(values) = values {
                let with = |player: &P, value: &T| {
                    let mut player = player.clone();
                    set(&mut player, value.clone());
                    player
                };
                return Ok(all.iter().flat_map(|player| values.iter().map(|value| with(player, value))).collect());
            }
        }
        Ok(all)
    }

    /// The players of the sections: what these do not say is as in the usual one.
    fn entrants(&self, usual: Entrant) -> Result<Vec<Entrant>, DocumentError> {
        let all = self.vary(vec![usual], "program", word, |one, program| one.program = program)?;
        let single = Keys { takes_lists: false, ..*self };
        let all = single.vary(all, "costs", word, |one, costs| one.costs = Some(costs))?;
        let all = single.vary(all, "scheme", word, |one, scheme| one.scheme = scheme)?;
        let patience = |item| Ok(Duration::from_secs_f64(duration::read(item)?.into()));
        let all = single.vary(all, "patience", patience, |one, patience| one.patience = Some(patience))?;
        let all = self.vary(all, "strategy", word, |one, strategy| one.strategy = Some(strategy))?;
        let processors = |item| whole(item, 1..=MOST_PROCESSORS as i64);
        let all = self.vary(all, "processors", processors, |one, processors| one.processors = processors as u32)?;
        let mut all = self.vary(all, "machine", word, |one, machine| one.machine = machine)?;
        if let Some(budgets) = self.budgets()? {
            let with = |one: &Entrant, &(budget, is_shared): &(Budget, bool)| {
                let share = if is_shared { f64::from(one.processors).recip() } else { 1.0 };
                Entrant { budget: Budget { time: budget.times(share).time, ..budget }, ..one.clone() }
            };
            all = all.iter().flat_map(|one| budgets.iter().map(|budget| with(one, budget))).collect();
        }
        self.vary(all, "table", |item| whole(item, 1..=MOST_MIB.into()), |one, table| one.table_mib = table as u32)
    }

    /// Limits of the first section that has any, and whether their time is that of all processors together.
    fn budgets(&self) -> Result<Option<Vec<(Budget, bool)>>, DocumentError> {
        const TIMES: [&str; 3] = ["move_time", "processor_time", "clock"];
        for section in self.sections {
            let mut times = TIMES.iter().filter(|key| section.table.get(key).is_some());
            if let (Some(first), Some(second)) = (times.next(), times.next()) {
                return Err(section.wrong(second, format!("the time for a move is given by {first} already")));
            }
            let own = Keys { sections: &[section], takes_lists: true };
            let all = vec![Budget::default()];
            let all = own.vary(all, "nodes", |item| whole(item, 1..=i64::MAX), |one, n| one.nodes = Some(n as u64))?;
            let depth = |item| whole(item, 1..=DEEPEST.into());
            let all = own.vary(all, "depth", depth, |one, depth| one.depth = Some(depth as u32))?;
            let time = |item| Ok(Timing::Move(Duration::from_secs_f64(duration::read(item)?.into())));
            let all = own.vary(all, "move_time", time, |one, time| one.time = Some(time))?;
            let all = own.vary(all, "processor_time", time, |one, time| one.time = Some(time))?;
            let clock = |item| Ok(Timing::Clock(text(item)?.parse::<TimeControl>()?));
            let all = own.vary(all, "clock", clock, |one, clock| one.time = Some(clock))?;
            if all != [Budget::default()] {
                let is_shared = section.table.get("processor_time").is_some();
                return Ok(Some(all.into_iter().map(|budget| (budget, is_shared)).collect()));
            }
        }
        Ok(None)
    }
}

/// The opponent of a player: as the section says, with one processor if it does not, and else like the player.
fn opponent_of(section: &Section<'_>, player: &Entrant) -> Result<Entrant, DocumentError> {
    let keys = Keys { sections: &[section], takes_lists: false };
    match &keys.entrants(Entrant { processors: 1, ..player.clone() })?[..] {
        [opponent] => Ok(opponent.clone()),
        _ => Err(section.wrong("nodes", "an opponent has one limit")),
    }
}

fn word<T: std::str::FromStr<Err = WordError>>(item: &Item) -> Result<T, String> {
    text(item)?.parse().map_err(|error: WordError| error.to_string())
}
