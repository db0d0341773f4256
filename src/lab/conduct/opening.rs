//! The first lines of a run: what it is going to search, how long that may take, and whether the computer is busy.

use std::collections::{BTreeMap, HashSet};

use super::super::estimate::estimate;
use super::super::laboratory::Searcher;
use super::super::pace::{Pace, in_words};
use crate::distinct::distinct;
use crate::record::{Cell, MachineKind, Session};
use crate::table::number::{counted, listed};

/// Findings about a computer that say that others use it now.
const LOAD: [&str; 2] = ["load", "steal"];
/// Number of positions that are searched briefly for the expected time: more would keep a short run waiting.
const SAMPLED: usize = 3;
/// Number of searches of which the time is estimated at the beginning; that of fewer soon shows.
const FEWEST: usize = 50;
/// Number of presets that are named.
const MOST_PRESETS: usize = 3;

/// Sentence about other programs that were at work when the session began.
pub fn busy(session: &Session) -> Option<String> {
    let is_load = |key: &str| LOAD.contains(&key);
    let finding = session.findings.iter().find(|finding| is_load(&finding.key) && finding.severity != "note")?;
    Some(format!("{} {}", finding.what, finding.remedy))
}

/// Line that says what is going to be searched: preset, machines, number of searches and expected time.
pub fn line(title: &str, cells: &[(u64, &Cell)], searcher: &dyn Searcher) -> String {
    // Baselines under other schedules are what others are divided by, and not asked about.
    let has_others = cells.iter().any(|(_, cell)| !cell.configuration.is_baseline());
    let asked = cells.iter().filter(|(_, cell)| !has_others || !cell.configuration.is_baseline());
    let presets = distinct(asked.map(|(_, cell)| cell.configuration.features.to_string()));
    let presets: Vec<String> = presets.into_iter().filter(|preset| !preset.is_empty()).collect();
    let presets =
        if presets.len() > MOST_PRESETS { format!("{} sets of features", presets.len()) } else { listed(&presets) };
    let mut machines: BTreeMap<MachineKind, u32> = BTreeMap::new();
    for (_, cell) in cells {
        let most = machines.entry(cell.configuration.machine).or_default();
        *most = cell.configuration.threads.max(*most);
    }
    let machine = |(kind, most): (MachineKind, u32)| match kind {
        MachineKind::Real => counted(most, "processor", "processors"),
        MachineKind::Virtual => counted(most, "virtual processor", "virtual processors"),
    };
    let machines: Vec<String> = machines.into_iter().map(machine).collect();
    let searches = counted(cells.len(), "search", "searches");
    let time =
        if cells.len() < FEWEST { String::new() } else { format!(", about {}", in_words(expected_s(cells, searcher))) };
    let presets = if presets.is_empty() { presets } else { format!("{presets}, ") };
    format!("{title}: {presets}up to {}: {searches}{time}", listed(&machines))
}

/// Expected seconds of all cells, by those of the first positions.
fn expected_s(cells: &[(u64, &Cell)], searcher: &dyn Searcher) -> f64 {
    let mut positions = HashSet::new();
    let mut is_sampled = |cell: &Cell| {
        positions.contains(&cell.position) || positions.len() < SAMPLED && positions.insert(cell.position.clone())
    };
    let sampled: Vec<(u64, &Cell)> = cells.iter().copied().filter(|(_, cell)| is_sampled(cell)).collect();
    let time = estimate(&sampled, searcher, &Pace::default());
    (time.real_s + time.virtual_s) * cells.len() as f64 / sampled.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Configuration, Finding};
    use crate::{Conditions, Laboratory};

    #[test]
    fn the_first_line_says_what_is_searched() {
        let cell = |machine, threads, features: &str| {
            let configuration = Configuration::sample(machine, "ybwc", threads);
            Cell::sample(Configuration { features: features.into(), ..configuration }, "BK03", 0)
        };
        let cells = [
            cell(MachineKind::Virtual, 24, "modern"),
            cell(MachineKind::Real, 2, "modern"),
            cell(MachineKind::Real, 1, "thesis"),
        ];
        let line_of = |cells: &[Cell]| {
            let numbered: Vec<(u64, &Cell)> = cells.iter().map(|cell| (0, cell)).collect();
            line("Title", &numbered, &Laboratory::new(Conditions::default()))
        };
        assert_eq!(
            line_of(&cells),
            "Title: modern and thesis, up to 2 processors and 24 virtual processors: 3 searches"
        );
        assert_eq!(line_of(&cells[1..2]), "Title: modern, up to 2 processors: 1 search");
        let fifty: Vec<Cell> = (0..50).map(|_| cell(MachineKind::Real, 1, "modern")).collect();
        let line = line_of(&fifty);
        assert!(
            line.starts_with("Title: modern, up to 1 processor: 50 searches, about ") && line.ends_with(" s"),
            "{line}"
        );
    }

    #[test]
    fn a_busy_computer_is_told_of_once() {
        let finding = |key: &str, severity: &str, what: &str| Finding {
            key: key.into(),
            severity: severity.into(),
            what: what.into(),
            remedy: "Wait.".into(),
        };
        let session = |findings| Session { findings, ..Session::default() };
        assert_eq!(busy(&session(vec![finding("smt", "caution", "Threads share cores.")])), None);
        let findings = vec![finding("load", "caution", "Others work."), finding("steal", "caution", "The host takes.")];
        assert_eq!(busy(&session(findings)).as_deref(), Some("Others work. Wait."));
    }
}
