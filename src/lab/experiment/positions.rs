//! The positions of an experiment: a suite or a part of it, positions by id, or a file, each with a depth of its own
//! where the file gives one.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::document::{DocumentError, NOTHING};
use super::section::Section;
use crate::chess::Move;
use crate::chess::epd::Epd;
use crate::chess::suites::{self, DEFAULT_SUITE, SUITES, Suite};
use crate::record::PositionInfo;
use crate::search::DEEPEST;
use crate::suggestion::did_you_mean;

/// Suites whose positions come from one game.
const ONE_GAME: [&str; 1] = ["hyatt-24"];

/// Positions of an experiment.
#[derive(Clone, Debug)]
pub struct Positions {
    /// Positions to search, each with an id.
    pub all: Vec<Epd>,
    /// File of the positions, if they come from one.
    pub file: Option<PathBuf>,
    /// Reasons for these positions and depths, on one line.
    pub why: String,
    /// Number of positions that they were taken from.
    pub of: usize,
    /// Name of the suite, if they are one or a part of one.
    pub suite: Option<String>,
    /// Whether they come from one game.
    pub is_one_game: bool,
    /// Depths of the positions that have one of their own, by id.
    pub depths: BTreeMap<String, u32>,
}

/// Reads the positions of a file; EPD files are found from this folder.
pub fn read(root: &Section<'_>, folder: &Path) -> Result<Positions, DocumentError> {
    let section = root.section("positions")?.unwrap_or_else(|| Section::root(NOTHING));
    section.allow("a key of positions", "Positions")?;
    let has = |key: &str| section.table.get(key).is_some();
    if has("suite") && has("epd") {
        return Err(section.wrong("suite", "give a suite or a file, not both"));
    }
    let (mut suite, mut file) = (None, None);
    let mut all: Vec<Epd> = if let Some(name) = section.text("epd")? {
        let path = folder.join(name);
        let found = Epd::read(&path).map_err(|error| section.wrong("epd", error))?;
        file = Some(path);
        found
    } else if has("ids") && !has("suite") {
        SUITES.iter().flat_map(Suite::positions).collect()
    } else {
        let name = section.text("suite")?.unwrap_or(DEFAULT_SUITE);
        suite = Some(name.to_owned());
        named_suite(&section, "suite", name)?.positions()
    };
    for (i, epd) in all.iter_mut().enumerate() {
        epd.id.get_or_insert_with(|| format!("#{}", i + 1));
    }
    let of = all.len();
    if let Some(ids) = section.texts("ids")? {
        let of = |id: &&str| {
            let found = all.iter().find(|epd| epd.id.as_deref().is_some_and(|own| own.eq_ignore_ascii_case(id)));
            let known = || did_you_mean(id, suites::ids().chain(all.iter().filter_map(|epd| epd.id.clone())));
            found.cloned().ok_or_else(|| section.wrong("ids", format!("there is no position '{id}'{}", known())))
        };
        all = ids.iter().map(of).collect::<Result<_, _>>()?;
    }
    let most = all.len() as i64;
    let every = section.whole("every", 1..=most)?.unwrap_or(1) as usize;
    let first = section.whole("first", 1..=most)?.unwrap_or(most) as usize;
    all = all.into_iter().step_by(every).take(first).collect();
    let mut ids: Vec<&str> = all.iter().filter_map(|epd| epd.id.as_deref()).collect();
    ids.sort_unstable();
    if let Some(pair) = ids.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(section.wrong("ids", format!("two positions have the id '{}'", pair[0])));
    }
    let depths = depths(&section, &all)?;
    let is_one_game = suite.as_deref().is_some_and(|suite| ONE_GAME.contains(&suite));
    let why = section.text("why")?.unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
    Ok(Positions { all, file, why, of, suite, is_one_game, depths })
}

/// The suite of this name, which is the value of a key.
fn named_suite(section: &Section<'_>, key: &str, name: &str) -> Result<&'static Suite, DocumentError> {
    let names = SUITES.iter().map(|suite| suite.name);
    Suite::named(name).ok_or_else(|| {
        let known = names.clone().collect::<Vec<_>>().join(", ");
        section.wrong(key, format!("there is no suite '{name}': expected {known}{}", did_you_mean(name, names)))
    })
}

fn depths(section: &Section<'_>, all: &[Epd]) -> Result<BTreeMap<String, u32>, DocumentError> {
    let Some(depths) = section.section("depths")? else { return Ok(BTreeMap::new()) };
    let ids = || all.iter().filter_map(|epd| epd.id.as_deref());
    let mut found = BTreeMap::new();
    for entry in &depths.table.entries {
        let depth = depths.whole(&entry.key, 1..=DEEPEST.into())?.unwrap_or_default() as u32;
        found.insert(entry.key.clone(), depth);
    }
    match ids().find(|id| !found.contains_key(*id)) {
        Some(id) => Err(section.wrong("depths", format!("position '{id}' has no depth"))),
        None => Ok(found),
    }
}

/// Position with the moves that solve it.
pub fn position_info(epd: &Epd) -> PositionInfo {
    let words = |moves: &[Move]| moves.iter().map(ToString::to_string).collect();
    PositionInfo {
        id: epd.id.clone().unwrap_or_default(),
        fen: epd.setup.to_string(),
        best: words(&epd.best),
        avoid: words(&epd.avoid),
    }
}
