//! What follows from material alone, remembered for the material that a worker has met.

use super::endings::Plan;
use super::material::{ALL_OFFICERS, Material, count};
use super::tally::Mixed;
use crate::eval::Terms;

/// Score, phase and plan for the ending that depend on the numbers of pieces alone, and are computed once for them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Balance {
    material: Material,
    /// Weights of the terms that depend on material alone, beside the pieces' own.
    pub sum: Mixed,
    /// Weight of the middlegame, at most that of all officers of the beginning.
    pub phase: i32,
    /// Rule for the ending, and how much of a lead counts in it.
    pub plan: Plan,
}

/// Number of balances that are remembered.
const ENTRIES: usize = 1024;

/// Material that a worker has met.
pub struct MaterialTable(Box<[Balance]>);

impl MaterialTable {
    /// An empty table.
    pub fn new() -> Self {
        // Not of no pieces, so that no entry passes for one of two bare kings.
        let nothing = Balance { material: Material(-1), ..Balance::default() };
        Self(vec![nothing; ENTRIES].into_boxed_slice())
    }

    /// Balance of this material: the remembered one, or a new one.
    #[inline(always)]
    pub fn balance(&mut self, material: Material, terms: &Terms) -> &Balance {
        const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;
        let place = (material.0 as u64).wrapping_mul(SPREAD) >> (64 - ENTRIES.ilog2());
        let entry = &mut self.0[place as usize % ENTRIES];
        if entry.material != material {
            *entry = Balance::of(material, terms);
        }
        entry
    }
}

impl Balance {
    /// Works out what follows from this material.
    #[inline(never)]
    pub fn of(material: Material, terms: &Terms) -> Self {
        let mut sum = Mixed::default();
        count(&mut sum, material, terms);
        let plan = if terms.endings { Plan::of(material) } else { Plan::default() };
        Self { material, sum, phase: terms.middlegame(material.phase(), ALL_OFFICERS), plan }
    }
}
