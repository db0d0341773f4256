//! The search's signatures: how many nodes it takes for fixed amounts of work, with the features of the 2004 thesis and
//! with those of today. Whatever changes the tree changes these numbers; whatever only changes speed does not. They are
//! the same on every board and host, and are kept in `signature.txt`.

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

/// Amount of work whose nodes are a signature.
#[derive(Clone, Copy, Debug)]
pub struct Signature {
    /// Name of the signature, as `signature.txt` has it.
    pub name: &'static str,
    /// Searches of the set, part by part.
    pub sections: &'static [Section],
}

/// All signatures.
pub const SIGNATURES: [Signature; 2] =
    [Signature { name: "thesis", sections: &THESIS }, Signature { name: "modern", sections: &MODERN }];

/// Openings, middle games, tactics and odd endings, each preset of the thesis, both arrangements of the table, both
/// ways of making moves.
const THESIS: [Section; 7] = [
    Section { suite: "thesis-10", every: 1, recipe: "thesis", depth: 8 },
    Section { suite: "thesis-10", every: 1, recipe: "thesis-as-printed", depth: 8 },
    Section { suite: "hyatt-24", every: 3, recipe: "thesis,-two-tier,+copy-make", depth: 8 },
    Section { suite: "balanced-200", every: 20, recipe: "thesis", depth: 8 },
    Section { suite: "perft", every: 1, recipe: "thesis", depth: 6 },
    Section { suite: "bratko-kopec", every: 4, recipe: "sound", depth: 5 },
    Section { suite: "perft", every: 2, recipe: "thesis,-null-move,-delta-pruning,-killers,-history", depth: 4 },
];

/// Searches of the preset `modern` for the signature: the same positions, deeper.
const MODERN: [Section; 5] = [
    Section { suite: "thesis-10", every: 1, recipe: "modern", depth: 11 },
    Section { suite: "hyatt-24", every: 3, recipe: "modern,+two-tier", depth: 11 },
    Section { suite: "balanced-200", every: 20, recipe: "modern", depth: 11 },
    Section { suite: "perft", every: 1, recipe: "modern", depth: 9 },
    Section { suite: "bratko-kopec", every: 2, recipe: "modern,reductions=roots,history-form=relative", depth: 10 },
];

/// Size of the table in MiB: small enough to be overwritten many times.
pub const TABLE_MIB: u32 = 4;

/// Number by which searches are known: all signatures that `signature.txt` records, added up.
pub fn recorded() -> u64 {
    SIGNATURES.iter().map(Signature::recorded).sum()
}

impl Signature {
    /// Nodes that `signature.txt` records.
    pub fn recorded(&self) -> u64 {
        let mut lines = include_str!("signature.txt").lines().filter_map(|line| line.split_once(' '));
        let (_, nodes) = lines.find(|(name, _)| *name == self.name).expect("signature.txt has every signature");
        nodes.trim().parse().expect("signature.txt holds numbers")
    }
}

impl Section {
    /// Positions of the section.
    pub fn positions(&self) -> impl Iterator<Item = Epd> {
        let suite = Suite::named(self.suite).expect("the suite ships");
        suite.positions().into_iter().step_by(self.every)
    }
}
