//! The search's signature: how many nodes it takes for a fixed amount of work. Whatever changes the tree changes this
//! number; whatever only changes speed does not. It is the same on every board and host, and is kept in
//! `signature.txt`.

use crate::chess::epd::Epd;
use crate::chess::suites::Suite;

/// Positions that are searched with the same features to the same depth.
#[derive(Clone, Copy, Debug)]
pub struct Section {
    /// Name of the suite that the positions are from.
    pub suite: &'static str,
    /// Step through the suite: 3 takes every third position.
    pub every: usize,
    /// Features of the search, as a recipe.
    pub recipe: &'static str,
    /// Depth of the search in plies.
    pub depth: u32,
}

/// Sections of the fixed amount of work: openings, middle games, tactics and odd endings, each preset, both
/// arrangements of the table, both ways of making moves.
pub const SECTIONS: [Section; 7] = [
    Section { suite: "thesis-10", every: 1, recipe: "thesis", depth: 8 },
    Section { suite: "thesis-10", every: 1, recipe: "thesis-as-printed", depth: 8 },
    Section { suite: "hyatt-24", every: 3, recipe: "thesis,-two-tier,+copy-make", depth: 8 },
    Section { suite: "balanced-200", every: 20, recipe: "thesis", depth: 8 },
    Section { suite: "perft", every: 1, recipe: "thesis", depth: 6 },
    Section { suite: "bratko-kopec", every: 4, recipe: "sound", depth: 5 },
    Section { suite: "perft", every: 2, recipe: "thesis,-null-move,-delta-pruning,-killers,-history", depth: 4 },
];

/// Size of the table in MiB: small enough to be overwritten many times.
pub const TABLE_MIB: u32 = 4;

/// Signature that `signature.txt` records.
pub fn recorded() -> u64 {
    include_str!("signature.txt").trim().parse().expect("signature.txt holds a number")
}

impl Section {
    /// Positions of the section.
    pub fn positions(&self) -> impl Iterator<Item = Epd> {
        let suite = Suite::named(self.suite).expect("the suite ships");
        suite.positions().into_iter().step_by(self.every)
    }
}
