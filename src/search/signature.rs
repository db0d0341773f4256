//! The search's signature: how many nodes it takes for a fixed amount of work. Whatever changes the tree changes this number;
//! whatever only changes speed does not. It is the same on every board and host, and is kept in `signature.txt`.

use super::features::Recipe;
use super::table::{Scheme, Tables};
use super::{Limits, Outcome, Sequential, Session, Settings};
use crate::chess::epd::Epd;
use crate::chess::suites::Suite;
use crate::chess::{Board, History, Unsupported};
use crate::machine::{Failure, Machine};

/// Some positions, searched in one way.
#[derive(Clone, Copy, Debug)]
pub struct Section {
    /// The suite they are from.
    pub suite: &'static str,
    /// Every so many-th of it.
    pub every: usize,
    /// What the search does.
    pub recipe: &'static str,
    /// How deep.
    pub depth: u32,
}

/// All the work: openings, middle games, tactics and odd endings, each preset, both arrangements of the table, both ways of
/// making moves.
pub const SECTIONS: [Section; 7] = [
    Section { suite: "thesis-10", every: 1, recipe: "thesis", depth: 8 },
    Section { suite: "thesis-10", every: 1, recipe: "thesis-as-printed", depth: 8 },
    Section { suite: "hyatt-24", every: 3, recipe: "thesis,-two-tier,+copy-make", depth: 8 },
    Section { suite: "balanced-200", every: 20, recipe: "thesis", depth: 8 },
    Section { suite: "perft", every: 1, recipe: "thesis", depth: 6 },
    Section { suite: "bratko-kopec", every: 4, recipe: "sound", depth: 5 },
    Section { suite: "perft", every: 2, recipe: "thesis,-null-move,-delta-pruning,-killers,-history", depth: 4 },
];

/// Small enough to be overwritten many times.
const TABLE_BYTES: u64 = 4 << 20;

/// What a section took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Taken {
    /// Nodes of all its positions.
    pub nodes: u64,
    /// Nanoseconds of searching.
    pub nanoseconds: u64,
}

/// The number in `signature.txt`.
pub fn recorded() -> u64 {
    include_str!("signature.txt").trim().parse().expect("signature.txt holds a number")
}

impl Section {
    /// Its positions.
    pub fn positions(&self) -> impl Iterator<Item = Epd> {
        let suite = Suite::named(self.suite).expect("the suite ships");
        suite.positions().into_iter().step_by(self.every)
    }

    /// Searches its positions on boards of this type.
    pub fn search<B: Board, M: Machine>(&self, machine: &M) -> Result<Result<Taken, Failure>, Unsupported> {
        let recipe: Recipe = self.recipe.parse().expect("the recipe is right");
        let settings = Settings { features: recipe.features, limits: Limits::depth(self.depth), seed: 0 };
        let workers = machine.processors();
        let mut tables = Tables::new(&settings.table(Scheme::Lockless, TABLE_BYTES), workers, 1);
        let past = History::with_capacity(0);
        let mut taken = Taken::default();
        for epd in self.positions() {
            tables.clear(1);
            let root = B::set_up(&epd.setup, settings.keys())?;
            let session = Session::new(&root, &past, &settings, &tables, &Sequential, workers);
            match machine.run(&session).map(Outcome::from) {
                Ok(outcome) => {
                    taken.nodes += outcome.counters.nodes();
                    taken.nanoseconds += outcome.answer.nanoseconds;
                }
                Err(failure) => return Ok(Err(failure)),
            }
        }
        Ok(Ok(taken))
    }
}
