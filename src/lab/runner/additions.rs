//! Additions to a plan: runs or positions, until the intervals are narrow enough. Where runs are the noise, a run is
//! added at each position; where positions are, positions are added, and searched in every configuration of the plan,
//! so that all are compared at the same ones. Nothing is added for an aim that is out of reach. Who stops when an
//! interval is narrow stops more often where the noise happens to look small; so nobody looks at less than a few runs.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::time::Instant;

use super::super::experiment::Until;
use super::super::single::cell_at;
use super::{Ledger, Runner, Task, left};
use crate::record::folder::FolderError;
use crate::record::{Addition, BEYOND_ALL, Cell, Configuration, Depth, Need, Outlines, Verdict};
use crate::table::number::{counted, set_percent};

/// An aim is given up if it would take this many times more than there may be: how much it takes is known roughly only.
const DOUBT: u64 = 2;
/// Number of runs of each position before the width of an interval may end the additions of runs.
const FIRST_LOOK_RUNS: u64 = 4;

/// Decides from all records so far which configurations need more.
pub type Judge<'a> = &'a dyn Fn(&Outlines) -> Verdict;

/// Position that may be added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewPosition {
    /// Id of the position.
    pub id: String,
    /// FEN of the position.
    pub fen: String,
    /// Depth of its own, if it has one.
    pub depth: Option<u32>,
}

impl<'a> Runner<'a> {
    /// Adds until every interval is narrow enough, its aim is out of reach or the budget is spent; says which.
    pub(super) fn add_until(
        &self,
        until: Until,
        judge: Judge<'_>,
        begun: Instant,
        ledger: &mut Ledger,
    ) -> Result<String, FolderError> {
        let aim = format!("at most {} on each side of a time speedup", set_percent(until.half_width));
        // Why it is so, of each configuration for which the aim is out of reach.
        let mut hopeless: BTreeMap<Configuration, String> = BTreeMap::new();
        loop {
            // An addition that was interrupted comes first: configurations are compared at the same positions.
            self.measure(self.at_positions(self.begun_positions(&ledger.outlines), &ledger.outlines), ledger)?;
            let mut verdict = judge(&ledger.outlines);
            let most = match verdict.addition {
                Addition::Runs => until.most_runs,
                Addition::Positions => (ledger.outlines.positions() + self.unused(&ledger.outlines).count()) as u64,
            };
            let runs = Runs::of(&ledger.outlines);
            let wide = verdict.needs.len();
            if verdict.addition == Addition::Runs {
                let is_known = |one: &Need| verdict.needs.iter().any(|need| need.configuration == one.configuration);
                let scarce = self.scarce(&runs, FIRST_LOOK_RUNS.min(most));
                let new: Vec<Need> = scarce.into_iter().filter(|one| !is_known(one)).collect();
                verdict.needs.extend(new);
            }
            for need in &verdict.needs {
                let has_most = verdict.addition == Addition::Runs && runs.least(&need.configuration) >= most;
                if has_most || need.size.is_some_and(|size| size > DOUBT * most) {
                    hopeless.insert(need.configuration.clone(), out_of_reach(need, verdict.addition, most, has_most));
                }
            }
            let within_reach: Vec<&Need> =
                verdict.needs.iter().filter(|need| !hopeless.contains_key(&need.configuration)).collect();
            let why_hopeless = verdict.needs.iter().find_map(|need| hopeless.get(&need.configuration));
            let have_wider = |wide: usize| {
                counted(wide, "configuration has a wider interval", "configurations have wider intervals")
            };
            match (verdict.judged, verdict.needs.len(), why_hopeless) {
                (0, ..) => return Ok("no search has a time speedup whose interval could become narrower".to_owned()),
                (_, 0, _) => return Ok(format!("every interval is narrow enough: {aim}")),
                (.., Some(why)) if within_reach.is_empty() => {
                    return Ok(format!("the aim of {aim} is out of reach: {}; {why}", have_wider(wide)));
                }
                _ => {}
            }
            let more = match verdict.addition {
                Addition::Runs => self.more_runs(&within_reach, &runs),
                Addition::Positions => self.more_positions(&within_reach, &ledger.outlines),
            };
            if more.is_empty() {
                let hint = "there are no further positions; positions.more can name a suite that has more";
                return Ok(format!("the aim of {aim} is out of reach: {}; {hint}", have_wider(wide)));
            }
            let expected_s = left(&ledger.pace, &more, 1);
            if begun.elapsed().as_secs_f64() + expected_s > until.budget_s {
                return Ok(match wide {
                    0 => format!("the time budget is spent; there are too few runs to look for the aim of {aim}"),
                    wide => format!("the time budget is spent; {} than the aim of {aim}", have_wider(wide)),
                });
            }
            self.measure(more, ledger)?;
        }
    }

    /// Configurations that are divided by a baseline and have fewer runs of a position than this.
    fn scarce(&self, runs: &Runs<'_>, least: u64) -> Vec<Need> {
        let templates = self.templates();
        let is_whole = |one: &Configuration| !runs.known.is_cut(one) && templates.contains_key(one);
        let is_scarce = |one: &Configuration| {
            !one.is_baseline()
                && one.depth != Depth::Unlimited
                && is_whole(one)
                && is_whole(&one.baseline())
                && runs.least(one) < least
        };
        let scarce = templates.keys().filter(|one| is_scarce(one));
        scarce.map(|&one| Need { configuration: one.clone(), size: None }).collect()
    }

    /// One more run at each position for these configurations and their baselines, first where there are fewer runs.
    fn more_runs(&self, needs: &[&Need], runs: &Runs<'_>) -> Vec<Task<'a>> {
        let mut next = self.next_index(runs.known);
        let mut tasks: Vec<Task<'a>> = Vec::new();
        let mut taken = HashSet::new();
        let templates = self.templates();
        for configuration in needs.iter().flat_map(|need| [need.configuration.clone(), need.configuration.baseline()]) {
            let Some(cells) = templates.get(&&configuration).filter(|_| taken.insert(configuration.clone())) else {
                continue;
            };
            let mut seen = HashSet::new();
            let positions: Vec<&Cell> = cells.iter().copied().filter(|cell| seen.insert(&cell.position)).collect();
            let counts: Vec<usize> = positions.iter().map(|cell| runs.like(cell).map_or(0, |runs| runs.0)).collect();
            let (least, most) = (counts.iter().min().copied(), counts.iter().max().copied());
            for (cell, count) in positions.iter().zip(&counts) {
                if least != most && Some(*count) == most {
                    continue;
                }
                let seed = runs.like(cell).map_or(cell.seed, |runs| runs.1 + 1);
                let cell = Cow::Owned(Cell { seed, ..(*cell).clone() });
                tasks.push(Task { index: next, attempt: 0, cell });
                next += 1;
            }
        }
        tasks
    }

    /// Further positions for every configuration: half of those that seem to be missing, and never more than there are.
    fn more_positions(&self, needs: &[&Need], known: &Outlines) -> Vec<Task<'a>> {
        let here = known.positions();
        let wanted = needs.iter().filter_map(|need| need.size).max().map_or(here + 1, |size| size as usize);
        let count = wanted.saturating_sub(here).div_ceil(2).clamp(1, here.max(1));
        self.at_positions(self.unused(known).take(count).collect(), known)
    }

    /// Positions that may be added and have no record yet.
    fn unused<'b>(&self, known: &'b Outlines) -> impl Iterator<Item = &'a NewPosition> + use<'a, 'b> {
        self.more_positions.iter().filter(|position| known.position_place(&position.id).is_none())
    }

    /// Added positions that have records.
    fn begun_positions(&self, known: &Outlines) -> Vec<&'a NewPosition> {
        let all = self.more_positions.iter();
        all.filter(|position| known.position_place(&position.id).is_some()).collect()
    }

    /// Every run of the plan at these positions that has no record.
    fn at_positions(&self, positions: Vec<&NewPosition>, known: &Outlines) -> Vec<Task<'a>> {
        if positions.is_empty() {
            return Vec::new();
        }
        let run = |configuration, position, seed, repetition| (configuration, position, seed, repetition);
        let done: HashSet<_> = known
            .all()
            .iter()
            .map(|one| run(Some(one.configuration), Some(one.position), one.seed, one.repetition))
            .collect();
        let mut next = self.next_index(known);
        let mut tasks = Vec::new();
        for (configuration, cells) in self.templates() {
            let place = known.place(configuration);
            let runs: BTreeSet<(u64, u32)> = cells.iter().map(|cell| (cell.seed, cell.repetition)).collect();
            for position in &positions {
                let at = known.position_place(&position.id);
                for &(seed, repetition) in runs.iter().filter(|runs| !done.contains(&run(place, at, runs.0, runs.1))) {
                    let first = cell_at(configuration.clone(), &position.id, &position.fen, position.depth, seed);
                    let cell = Cell { repetition, ..first };
                    tasks.push(Task { index: next, attempt: 0, cell: Cow::Owned(cell) });
                    next += 1;
                }
            }
        }
        tasks
    }

    /// The plan's searches by configuration. Micro-measurements have positions of their own.
    fn templates(&self) -> BTreeMap<&'a Configuration, Vec<&'a Cell>> {
        let mut templates = BTreeMap::<_, Vec<&'a Cell>>::new();
        for &(_, cell) in self.cells.iter().filter(|(_, cell)| cell.configuration.micro.is_none()) {
            templates.entry(&*cell.configuration).or_default().push(cell);
        }
        templates
    }

    /// Index of the next cell that is added.
    fn next_index(&self, known: &Outlines) -> u64 {
        known.all().iter().map(|outline| outline.index + 1).max().unwrap_or(0).max(self.planned)
    }
}

/// Runs that have records.
struct Runs<'k> {
    known: &'k Outlines,
    /// Cells and largest seed, by numbers of configuration and position. However often a disturbed cell was repeated,
    /// it is one run.
    by_place: HashMap<(u32, u32), (HashSet<u64>, u64)>,
}

impl<'k> Runs<'k> {
    fn of(known: &'k Outlines) -> Self {
        let mut by_place: HashMap<(u32, u32), (HashSet<u64>, u64)> = HashMap::new();
        for outline in known.all() {
            let (indices, seed) = by_place.entry((outline.configuration, outline.position)).or_default();
            indices.insert(outline.index);
            *seed = (*seed).max(outline.seed);
        }
        Self { known, by_place }
    }

    /// Number of runs like this cell, and their largest seed.
    fn like(&self, cell: &Cell) -> Option<(usize, u64)> {
        let place = (self.known.place(&cell.configuration)?, self.known.position_place(&cell.position)?);
        self.by_place.get(&place).map(|(indices, seed)| (indices.len(), *seed))
    }

    /// Least number of runs of a position.
    fn least(&self, configuration: &Configuration) -> u64 {
        let place = self.known.place(configuration);
        let own = self.by_place.iter().filter(|((configuration, _), _)| Some(*configuration) == place);
        own.map(|(_, (indices, _))| indices.len() as u64).min().unwrap_or_default()
    }
}

/// Reason why an aim is out of reach for a configuration.
fn out_of_reach(need: &Need, addition: Addition, most: u64, has_most: bool) -> String {
    let Configuration { machine, strategy, threads, .. } = &need.configuration;
    let size = need.size.unwrap_or(u64::MAX);
    let size = if size >= BEYOND_ALL { "more than a million".to_owned() } else { format!("about {size}") };
    let processors = counted(u64::from(*threads), "processor", "processors");
    let who = format!("{strategy} on {processors} ({})", machine.name());
    let what = format!("{who} would take {size}");
    match addition {
        Addition::Runs if has_most => {
            format!("{who} has {most} runs of each position, as many as until.most_runs allows")
        }
        Addition::Runs => format!("{what} runs of each position, and until.most_runs is {most}"),
        Addition::Positions => format!("{what} positions, and there are {most}, including those that could be added"),
    }
}
