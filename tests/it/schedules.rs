//! Strategies under schedules that no clock would give: a processor may sleep for as long as the others search, and
//! switch between any two accesses to what is shared. Scores are the sequential ones wherever that is promised,
//! everybody comes to an end, and the accounts close.

use std::collections::BTreeSet;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use splitpoint::chess::{Board, MoveList, Score, Setup};
use splitpoint::engine::{Found, Options, SearchError};
use splitpoint::machine::cost::CostModel;
use splitpoint::machine::{Failure, Schedule, Switch, VirtualMachine, Waiting};
use splitpoint::parallel::AnyStrategy;
use splitpoint::random::SplitMix;
use splitpoint::search::features::Recipe;
use splitpoint::search::table::{Scheme, TableOptions};
use splitpoint::search::{Limits, SearchSettings, Strategy};

use crate::handover::{COPIERS, COPIES};
use crate::machines::total;
use crate::minimax::{SOUND, small_positions};
use crate::searching::{ANY_BOARD, AnyBoard, chosen, lockless, search, settings, simulated};
use crate::strategies::{accounts_are_sound, all, exact, scores, without_table, wrong_line};

/// Switching points after which a search has not come to an end in time: a thousand times those of most searches.
const MOST_STEPS: u64 = 1_000_000;
/// Schedules that are tried with each tree.
pub const SCHEDULES: u64 = 50;
/// Time for which the test tries schedules.
const PATIENCE: Duration = Duration::from_secs(4);
/// Bytes of the tables: small, so that entries are overwritten.
const TABLE: u64 = 1 << 11;

/// A small tree, and what comes out of it.
struct Tree {
    setup: Setup,
    recipe: String,
    settings: SearchSettings,
    table: TableOptions,
    expected: Vec<Score>,
}

impl Tree {
    /// The tree of this number: a small position, a depth, and sound features.
    fn new(number: u64) -> Self {
        static POSITIONS: LazyLock<Vec<Setup>> = LazyLock::new(small_positions);
        let mut random = SplitMix::new(number);
        let setup = POSITIONS[random.below(POSITIONS.len() as u64) as usize].clone();
        let depth = 1 + random.below(3) as u32;
        let changes = (0..random.below(4)).map(|_| SOUND[random.below(SOUND.len() as u64) as usize]);
        let together = changes.fold("sound".to_owned(), |all, one| all + one.strip_prefix("sound").unwrap_or_default());
        let recipe = if together.parse::<Recipe>().is_ok() { together } else { "sound".to_owned() };
        let settings = settings(&recipe, depth, number);
        let has_table = random.below(3) == 0;
        let table = if has_table { lockless(&settings, TABLE) } else { without_table(&settings) };
        let table = TableOptions {
            scheme: [table.scheme, Scheme::Striped][usize::from(has_table && number.is_multiple_of(2))],
            ..table
        };
        let expected = scores(&search(&setup, &settings, &without_table(&settings)));
        Self { setup, recipe, settings, table, expected }
    }
}

/// A search of a tree under a schedule.
struct Trial<'a> {
    tree: &'a Tree,
    text: String,
    limits: Limits,
    machine: VirtualMachine,
}

impl<'a> Trial<'a> {
    /// The trial of this number.
    fn new(tree: &'a Tree, number: u64) -> Self {
        static EXACT: LazyLock<Vec<String>> = LazyLock::new(exact);
        static ALL: LazyLock<Vec<String>> = LazyLock::new(all);
        let mut random = SplitMix::new(number);
        let mut below = |most: usize| random.below(most as u64) as usize;
        // Lazy workers need a table, and go deeper than asked, which is far too long without cutoffs.
        let is_for_all = tree.table.scheme != Scheme::None && !tree.settings.features.minimax;
        let texts = if below(4) == 0 && is_for_all { &*ALL } else { &*EXACT };
        let mut text = texts[below(texts.len())].clone();
        let changes = [
            ["", "minimum-draft=1"][below(2)],
            ["", COPIES[below(COPIES.len())]][below(2)],
            ["", COPIERS[below(COPIERS.len())]][below(2)],
        ];
        for change in changes.iter().filter(|change| !change.is_empty()) {
            let changed = format!("{text},{change}");
            if changed.parse::<AnyStrategy>().is_ok() {
                text = changed;
            }
        }
        let whole = tree.settings.limits;
        let limits = match below(8) {
            0 => Limits { nodes: below(400) as u64, ..whole },
            1 => Limits { nanoseconds: below(2_000_000) as u64, ..whole },
            _ => whole,
        };
        let schedule = match below(4) {
            0 => Schedule::Random,
            changes => Schedule::Pct { changes: changes as u32, steps: [100, 400, 1_500][below(3)] },
        };
        let machine = VirtualMachine {
            seed: number,
            schedule,
            most_steps: MOST_STEPS,
            waiting: Waiting::ALL[below(Waiting::ALL.len())],
            ..VirtualMachine::new(2 + below(4), CostModel::reference())
        };
        Self { tree, text, limits, machine }
    }

    /// What is wrong with the search, if anything is, and its switches.
    fn run(&self) -> Result<(Option<String>, Vec<Switch>), Failure> {
        let Tree { setup, settings, table, expected, .. } = self.tree;
        let settings = SearchSettings { limits: self.limits, ..*settings };
        let machine = simulated(self.machine.clone());
        let chosen = chosen(ANY_BOARD, &machine, &self.text, &settings, table);
        let found = chosen.run((&machine, &chosen.tables(1).unwrap()), setup.into(), Options::default());
        let Found { outcome, elapsed_ns, switches, .. } = found.map_err(|error| match error {
            SearchError::Failed(failure) => failure,
            error => panic!("{error}"),
        })?;
        let closes = outcome.workers.iter().all(|(_, times)| total(times) == elapsed_ns);
        accounts_are_sound(&outcome);
        let mut legal = MoveList::new();
        AnyBoard::set_up(setup, settings.keys()).unwrap().legal_moves(&mut legal);
        let is_limited =
            self.limits != settings.limits || self.limits.nodes != u64::MAX || self.limits.nanoseconds != u64::MAX;
        let (found, is_exact) = (scores(&outcome), chosen.strategy.is_exact());
        let wrong = if !closes {
            Some("the accounts do not close".to_owned())
        } else if outcome.answer.best.map_or(!legal.is_empty(), |best| !legal.contains(&best)) {
            Some(format!("{:?} is not legal", outcome.answer.best))
        } else if is_exact
            && table.scheme == Scheme::None
            && let Some(wrong) = wrong_line(setup, &settings, &outcome)
        {
            Some(wrong)
        } else if !is_limited && outcome.answer.best.is_some() && outcome.answer.depth < settings.limits.depth {
            Some(format!("only depth {} is completed", outcome.answer.depth))
        } else if is_limited {
            (is_exact && !expected.starts_with(&found)).then(|| format!("{found:?} does not begin {expected:?}"))
        } else {
            (is_exact && found != *expected).then(|| format!("{found:?} instead of {expected:?}"))
        };
        Ok((wrong, switches))
    }

    /// What is wrong, and the schedule that leads there.
    fn error(&self) -> Option<(String, Vec<Switch>)> {
        let switches_in = |schedule: &str| match schedule.parse() {
            Ok(Schedule::Replay(switches)) => switches,
            other => panic!("{other:?}"),
        };
        match self.run() {
            Ok((wrong, switches)) => Some((wrong?, switches)),
            Err(Failure::Scheduled { failure, schedule }) => Some((failure.to_string(), switches_in(&schedule))),
            Err(failure) => Some((failure.to_string(), Vec::new())),
        }
    }

    /// The error with as few switches as halving, then leaving out one after the other, leads to.
    fn shrunk(&self, (mut error, mut switches): (String, Vec<Switch>)) -> (String, Vec<Switch>) {
        let with = |switches: &[Switch]| {
            let machine = VirtualMachine { schedule: Schedule::Replay(switches.to_vec()), ..self.machine.clone() };
            let trial = Trial { text: self.text.clone(), machine, ..*self };
            trial.error().map(|(error, _)| error)
        };
        let mut part = switches.len().div_ceil(2).max(1);
        loop {
            let mut at = 0;
            while at < switches.len() {
                let mut fewer = switches.clone();
                fewer.drain(at..(at + part).min(switches.len()));
                match with(&fewer) {
                    Some(still) => (error, switches) = (still, fewer),
                    None => at += part,
                }
            }
            if part == 1 {
                return (error, switches);
            }
            part = part.div_ceil(2);
        }
    }
}

/// Tries the schedules of one tree. Returns the number of their switches.
pub fn try_schedules_of(number: u64) -> u64 {
    let tree = Tree::new(number);
    let mut switches = 0;
    for schedule in 0..SCHEDULES {
        let trial = Trial::new(&tree, number * SCHEDULES + schedule);
        let error = match trial.run() {
            Ok((None, made)) => {
                switches += made.len() as u64;
                continue;
            }
            _ => trial.error(),
        };
        if let Some(error) = error {
            let found = error.0.clone();
            let (error, switches) = trial.shrunk(error);
            let Trial { text, limits, machine, .. } = &trial;
            let Tree { setup, recipe, settings, table, .. } = &tree;
            panic!(
                "tree {number}: {found} under {}; {error} ({limits:?}) with fewer switches:\n  \
                 splitpoint search '{setup}' --depth {} --seed {} --features {recipe} --strategy {text} \
                 --machine virtual --threads {} --waiting {} --scheme {} --schedule {}",
                machine.schedule,
                settings.limits.depth,
                settings.seed,
                machine.processors,
                machine.waiting,
                table.scheme,
                Schedule::Replay(switches),
            );
        }
    }
    switches
}

#[test]
fn scores_are_the_sequential_ones_under_any_schedule() {
    let (start, mut trees) = (Instant::now(), 0);
    while start.elapsed() < PATIENCE {
        try_schedules_of(trees);
        trees += 1;
    }
    println!("{} schedules", trees * SCHEDULES);
}

/// `scripts/mutants.sh` finds the code that the faults change, and a name and a meaning for each.
#[test]
fn faults_change_code_that_is_there() {
    let top = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let patch = std::fs::read_to_string(top.join("tests/faults.patch")).unwrap();
    let (head, files) = patch.split_once("\ndiff ").unwrap();
    for file in files.split("\n+++ b/").skip(1) {
        let (name, hunks) = file.split_once('\n').unwrap();
        for hunk in hunks.split("@@ -").skip(1).filter(|hunk| !hunk.starts_with("0,0 ")) {
            let code = std::fs::read_to_string(top.join(name)).unwrap();
            let lines = hunk.lines().skip(1).take_while(|line| !line.starts_with("diff "));
            let before: Vec<&str> =
                lines.filter(|line| !line.starts_with('+')).map(|line| line.get(1..).unwrap_or_default()).collect();
            assert!(code.contains(&before.join("\n")), "{name} has other lines by now: write the patch anew");
        }
    }
    let named: BTreeSet<&str> = head.lines().filter_map(|line| line.split_once(": ")).map(|(name, _)| name).collect();
    let used = files.split("is_broken(\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    assert_eq!(named, used);
    assert!(named.len() >= 36, "{}", named.len());
}
