//! The file of a tournament, read and checked.

use std::path::Path;
use std::time::Duration;

use super::{Named, Tournament};
use crate::lab::duration;
use crate::lab::file::{Document, DocumentError, FileError, Item, NOTHING, Section, text, whole};
use crate::machine::MOST_PROCESSORS;
use crate::machine::cost::CostModel;
use crate::parallel::AnyStrategy;
use crate::play::{Budget, Entrant, Openings, Program, TimeControl, Timing, book};
use crate::record::{Form, MachineKind, distinguishing};
use crate::search::DEEPEST;
use crate::search::table::MOST_MIB;
use crate::suggestion::WordError;

/// Keys of a tournament.
const KEYS: [&str; 9] = ["title", "question", "form", "games", "round", "seed", "every", "player", "opponent"];
/// Keys of a player that `every` may have too.
const COMMON: [&str; 10] =
    ["program", "machine", "processors", "strategy", "costs", "nodes", "depth", "move_time", "clock", "table"];
/// Keys of a player.
const PLAYER: [&str; 11] =
    ["name", "program", "machine", "processors", "strategy", "costs", "nodes", "depth", "move_time", "clock", "table"];
/// Keys of the opponent, which gets a multiple of its limit, or of each player's.
const OPPONENT: [&str; 10] = COMMON;
/// Nodes of a move, if no limit is given.
const NODES: u64 = 20_000;
/// Games of a pairing, if it is not said.
const GAMES: i64 = 100;
/// Games of a round, if it is not said.
const ROUND: i64 = 10;
/// Size of a table in MiB, if it is not said.
const TABLE_MIB: u32 = 16;

/// Reads a file of this name and text, after `--set` has changed it.
pub fn parse(path: &Path, text: &str, changes: &[String]) -> Result<Tournament, FileError> {
    let mut document = Document::parse(path, text.to_owned())?;
    changes.iter().try_for_each(|change| document.set(change))?;
    read(&document).map_err(|error| document.explain(&error))
}

fn read(document: &Document) -> Result<Tournament, DocumentError> {
    let root = Section::root(&document.root);
    root.allow_only("a key of a tournament", &KEYS)?;
    let every = root.section("every")?.unwrap_or_else(|| Section::root(NOTHING));
    every.allow_only("a key of every player", &COMMON)?;
    let form: Form = root.one("form", word)?.unwrap_or_default();
    let openings = book::lines().count() as i64;
    let even = |key: &str, usual: i64| -> Result<u32, DocumentError> {
        let most = 2 * openings;
        let games = root.whole(key, 2..=most)?.unwrap_or(usual);
        let is_even = games % 2 == 0;
        is_even.then_some(games as u32).ok_or_else(|| root.wrong(key, "must be even: each opening is played twice"))
    };
    let (games, round) = (even("games", GAMES)?, even("round", ROUND)?);
    let mut players = Vec::new();
    for section in root.sections("player")? {
        section.allow_only("a key of a player", &PLAYER)?;
        let name = section.text("name")?;
        for entrant in entrants(&[&section, &every])? {
            players.push((name.map(str::to_owned), entrant));
        }
    }
    let fewest = if form == Form::Odds { 1 } else { 2 };
    if players.len() < fewest {
        return Err(root.wrong("player", format!("there must be {fewest} or more: write [[player]] for each")));
    }
    let opponent = root.section("opponent")?;
    let opponents = match (form, opponent) {
        (Form::Odds, opponent) => {
            let section = opponent.unwrap_or_else(|| Section::root(NOTHING));
            section.allow_only("a key of the opponent", &OPPONENT)?;
            players.iter().map(|(_, player)| opponent_of(&section, player)).collect::<Result<_, _>>()?
        }
        (_, Some(_)) => return Err(root.wrong("opponent", "only with form = \"odds\" is there an opponent")),
        (_, None) => Vec::new(),
    };
    if opponents.iter().any(|opponent| opponent.budget.depth.is_some()) {
        return Err(root.wrong("form", "a depth has no multiples: the opponent needs nodes, move_time or clock"));
    }
    let stem = document.path().file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let tournament = Tournament {
        title: root.text("title")?.map_or(stem, str::to_owned),
        question: root.text("question")?.unwrap_or_default().trim().to_owned(),
        form,
        games,
        round: round.min(games),
        openings: Openings::Book { seed: root.whole("seed", 0..=i64::MAX)?.unwrap_or(0) as u64 },
        players: named(players),
        opponents,
    };
    if let Some(name) = tournament.repeated_name() {
        return Err(root.wrong("player", format!("two players are named '{name}': give them a name")));
    }
    Ok(tournament)
}

/// Players with their names: the given ones, with what differs among players of one name; else what differs among all.
fn named(players: Vec<(Option<String>, Entrant)>) -> Vec<Named> {
    let all: Vec<_> = players.iter().map(|(_, entrant)| entrant.info("")).collect();
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
    names.into_iter().zip(players).map(|(name, (_, entrant))| Named { name, entrant }).collect()
}

/// The entrants of a section whose keys, where they are missing, are those of the next: the product of its lists.
fn entrants(sections: &[&Section<'_>]) -> Result<Vec<Entrant>, DocumentError> {
    let programs: Vec<Program> = first(sections, "program", |section, key| section.each(key, words))?
        .ok_or_else(|| sections[0].wrong("program", "is missing: features such as \"modern\", or uci:COMMAND"))?;
    let machines = first(sections, "machine", |section, key| section.each(key, words::<MachineKind>))?;
    let most = MOST_PROCESSORS as i64;
    let processors =
        first(sections, "processors", |section, key| section.each(key, |item| one(whole(item, 1..=most)?)))?;
    let strategies = first(sections, "strategy", |section, key| section.each(key, words::<AnyStrategy>))?;
    let costs = first(sections, "costs", |section, key| section.one(key, word::<CostModel>))?;
    let tables =
        first(sections, "table", |section, key| section.each(key, |item| one(whole(item, 1..=MOST_MIB.into())?)))?;
    let usual = Budget { nodes: Some(NODES), ..Budget::default() };
    let budgets = budgets(sections)?.unwrap_or_else(|| vec![usual]);
    let mut all = Vec::new();
    for program in &programs {
        for strategy in options(strategies.as_deref().unwrap_or_default()) {
            for processors in processors.as_deref().unwrap_or(&[1]) {
                for machine in machines.as_deref().unwrap_or(&[MachineKind::Real]) {
                    for budget in &budgets {
                        for table in tables.as_deref().unwrap_or(&[i64::from(TABLE_MIB)]) {
                            all.push(Entrant {
                                program: program.clone(),
                                budget: *budget,
                                table_mib: *table as u32,
                                machine: *machine,
                                processors: *processors as u32,
                                strategy,
                                costs: costs.clone(),
                                title: None,
                            });
                        }
                    }
                }
            }
        }
    }
    Ok(all)
}

/// The opponent of a player: as the section says, with one processor if it does not, and else like the player.
fn opponent_of(section: &Section<'_>, player: &Entrant) -> Result<Entrant, DocumentError> {
    let mut opponent = Entrant { processors: 1, ..player.clone() };
    if let Some(program) = section.one("program", word)? {
        opponent.program = program;
    }
    if let Some(machine) = section.one("machine", word)? {
        opponent.machine = machine;
    }
    if let Some(processors) = section.whole("processors", 1..=MOST_PROCESSORS as i64)? {
        opponent.processors = processors as u32;
    }
    if let Some(strategy) = section.one("strategy", word)? {
        opponent.strategy = Some(strategy);
    }
    if let Some(costs) = section.one("costs", word)? {
        opponent.costs = Some(costs);
    }
    if let Some(table) = section.whole("table", 1..=MOST_MIB.into())? {
        opponent.table_mib = table as u32;
    }
    match budgets(&[section])?.as_deref() {
        None => {}
        Some([budget]) => opponent.budget = *budget,
        Some(_) => return Err(section.wrong("nodes", "an opponent has one limit")),
    }
    Ok(opponent)
}

/// Limits of the first section that has any.
fn budgets(sections: &[&Section<'_>]) -> Result<Option<Vec<Budget>>, DocumentError> {
    for section in sections {
        let nodes = section.each("nodes", |item| one(whole(item, 1..=i64::MAX)?))?.unwrap_or_default();
        let depths = section.each("depth", |item| one(whole(item, 1..=DEEPEST.into())?))?.unwrap_or_default();
        let times = section.each("move_time", |item| {
            let seconds = duration::read(item)?;
            one(Timing::Move(Duration::from_secs_f64(seconds.into())))
        })?;
        let clocks = section.each("clock", |item| one(Timing::Clock(text(item)?.parse::<TimeControl>()?)))?;
        if times.is_some() && clocks.is_some() {
            return Err(section.wrong("clock", "a move has either a time of its own or a clock"));
        }
        let times = times.or(clocks).unwrap_or_default();
        let (nodes, depths, times) = (options(&nodes), options(&depths), options(&times));
        let mut all = Vec::new();
        for node in &nodes {
            for depth in &depths {
                for time in &times {
                    let nodes = node.map(|nodes| nodes as u64);
                    all.push(Budget { nodes, depth: depth.map(|depth| depth as u32), time: *time });
                }
            }
        }
        if all != [Budget::default()] {
            return Ok(Some(all));
        }
    }
    Ok(None)
}

/// Each value, or that there is none.
fn options<T: Copy>(values: &[T]) -> Vec<Option<T>> {
    if values.is_empty() { vec![None] } else { values.iter().copied().map(Some).collect() }
}

/// What the first section that has the key says.
fn first<'a, T>(
    sections: &[&Section<'a>],
    key: &str,
    read: impl Fn(&Section<'a>, &str) -> Result<Option<T>, DocumentError>,
) -> Result<Option<T>, DocumentError> {
    for section in sections {
        if let Some(value) = read(section, key)? {
            return Ok(Some(value));
        }
    }
    Ok(None)
}

fn one<T>(value: T) -> Result<Vec<T>, String> {
    Ok(vec![value])
}

fn word<T: std::str::FromStr<Err = WordError>>(item: &Item) -> Result<T, String> {
    text(item)?.parse().map_err(|error: WordError| error.to_string())
}

fn words<T: std::str::FromStr<Err = WordError>>(item: &Item) -> Result<Vec<T>, String> {
    one(word(item)?)
}
