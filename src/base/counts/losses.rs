//! Lost nodes: those that a search need not have searched, by class. A node belongs to one class at most, the first
//! that applies; the nodes of no class are the tree itself, and what sharing changed in it.
//!
//! A class is often known only later, when a brother cuts or a search is stopped, and part of the work may have been
//! done by others. So work is measured by [`Account`]s, taken before and after, that include what others did for this
//! worker; and [`Losses::claim`] gives all of a piece of work to a class, and takes it from the later classes that had
//! it.

use std::collections::BTreeMap;
use std::ops::{AddAssign, Sub, SubAssign};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Sum;
use crate::choices::choices;

choices! {
    /// Class of nodes that need not have been searched, in the order in which the classes apply.
    pub enum Loss, "class of lost nodes";
    /// Nodes of searches that were stopped before they gave a result.
    Aborted "aborted",
    /// Nodes below a brother that comes after the one that caused the cutoff.
    Useless "useless",
    /// Nodes searched with an alpha that another worker had already raised.
    StaleWindow "stale_window",
    /// Nodes that had been searched before and were lost from the table (with losses).
    Repeat "repeat",
    /// Nodes that another worker was searching at the same time (with losses).
    Duplicate "duplicate",
    /// Nodes that another node of a cluster had searched or was searching, and the own one not (with losses).
    Elsewhere "elsewhere",
    /// Nodes of iterations beyond the depth asked for.
    Beyond "beyond",
}

impl Loss {
    /// Whether only a search with a ledger of what was searched sees this class: without it the class is not 0 but
    /// unknown.
    pub fn needs_ledger(self) -> bool {
        matches!(self, Self::Repeat | Self::Duplicate | Self::Elsewhere)
    }
}

/// Lost nodes by class. A worker's number may be negative, where it has claimed what another had counted; the sum over
/// workers is not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Losses([i64; Loss::ALL.len()]);

/// Work of a worker up to a moment, with what others have done for it and without what it has done for others: that
/// counts for those. So a difference of two accounts may come from counts of several workers, and all are signed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Account {
    /// Effort, by which root moves are ordered.
    pub effort: i64,
    /// Nodes searched.
    pub nodes: i64,
    /// Lost nodes among those searched.
    pub losses: Losses,
}

impl Losses {
    /// Number of nodes of this class.
    pub fn of(&self, loss: Loss) -> i64 {
        self.0[loss as usize]
    }

    /// Counts nodes of a class that belong to no other.
    pub fn add(&mut self, loss: Loss, nodes: u64) {
        self.0[loss as usize] += nodes as i64;
    }

    /// Gives all of a piece of work to a class, but for what belongs to an earlier class already.
    pub fn claim(&mut self, work: &Account, loss: Loss) {
        let at = loss as usize;
        let earlier: i64 = work.losses.0[..at].iter().sum();
        for class in at..Loss::ALL.len() {
            self.0[class] -= work.losses.0[class];
        }
        self.0[at] += work.nodes - earlier;
    }
}

impl Sum for Losses {
    #[inline]
    fn add(&mut self, other: &Self) {
        self.0.iter_mut().zip(other.0).for_each(|(ours, theirs)| *ours += theirs);
    }
}

impl Sub for Losses {
    type Output = Self;

    #[inline]
    fn sub(mut self, other: Self) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(ours, theirs)| *ours -= theirs);
        self
    }
}

impl AddAssign for Account {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        self.effort += other.effort;
        self.nodes += other.nodes;
        Sum::add(&mut self.losses, &other.losses);
    }
}

impl SubAssign for Account {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Sub for Account {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        Self { effort: self.effort - other.effort, nodes: self.nodes - other.nodes, losses: self.losses - other.losses }
    }
}

impl Serialize for Losses {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(Loss::ALL.iter().map(|loss| (loss, self.of(*loss))))
    }
}

impl<'de> Deserialize<'de> for Losses {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut losses = Self::default();
        for (loss, nodes) in BTreeMap::<Loss, i64>::deserialize(deserializer)? {
            losses.0[loss as usize] = nodes;
        }
        Ok(losses)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_claimed_belongs_to_the_first_class_only() {
        let mut losses = Losses::default();
        losses.add(Loss::Repeat, 10);
        losses.add(Loss::Useless, 5);
        let work = Account { effort: 0, nodes: 100, losses };
        losses.claim(&work, Loss::StaleWindow);
        assert_eq!(losses, Losses([0, 5, 95, 0, 0, 0, 0]));
        losses.claim(&Account { losses, ..work }, Loss::Aborted);
        assert_eq!(losses, Losses([100, 0, 0, 0, 0, 0, 0]));
        // Once aborted, nothing else can claim it.
        losses.claim(&Account { losses, ..work }, Loss::Useless);
        assert_eq!(losses, Losses([100, 0, 0, 0, 0, 0, 0]));
    }

    #[test]
    fn a_claim_on_the_work_of_others_adds_up() {
        let mut mine = Losses::default();
        let mut theirs = Losses::default();
        theirs.add(Loss::Duplicate, 7);
        mine.claim(&Account { effort: 0, nodes: 20, losses: theirs }, Loss::Useless);
        Sum::add(&mut mine, &theirs);
        assert_eq!(mine, Losses([0, 20, 0, 0, 0, 0, 0]));
    }
}
