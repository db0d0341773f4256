//! Positions of a validation: for the fit the Bratko-Kopec positions that the thesis left out, for the comparison those
//! it took, and for either its own half of the quiet positions of many games. The same on every computer.

use crate::chess::epd::Epd;
use crate::chess::suites::Suite;
use crate::record::validation::{Role, UsedPosition};

/// The first positions of a role.
pub fn of_role(positions: &[UsedPosition], role: Role, count: usize) -> Vec<&UsedPosition> {
    positions.iter().filter(|position| position.role == role).take(count).collect()
}

/// All positions for a role, tactical ones and quiet ones in turn.
pub fn candidates(role: Role) -> Vec<Epd> {
    let suite = |name: &str| Suite::named(name).map(Suite::positions).unwrap_or_default();
    let thesis = suite("thesis-10");
    let is_of_thesis = |epd: &Epd| thesis.iter().any(|one| one.id == epd.id);
    let (tactical, half): (Vec<Epd>, usize) = match role {
        Role::Calibration => (suite("bratko-kopec").into_iter().filter(|epd| !is_of_thesis(epd)).collect(), 1),
        Role::Check => (thesis.clone(), 0),
    };
    let quiet = suite("balanced-200");
    let pairs = quiet.len() / 2;
    // A step that has no divisor in common with their number visits all, and the first few come from everywhere.
    let quiet = (0..pairs).map(|place| quiet[2 * (place * STEP % pairs) + half].clone());
    in_turn(tactical, quiet.collect())
}

/// Step through the pairs of quiet positions.
const STEP: usize = 37;

/// Merges two lists, an element of each in turn; the rest of the longer one follows.
fn in_turn<T>(first: Vec<T>, second: Vec<T>) -> Vec<T> {
    let longer = first.len().max(second.len());
    let (mut first, mut second) = (first.into_iter(), second.into_iter());
    (0..longer).flat_map(|_| [first.next(), second.next()]).flatten().collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn no_position_has_two_roles() {
        let ids = |role| candidates(role).into_iter().filter_map(|epd| epd.id).collect::<Vec<_>>();
        let (calibration, checks) = (ids(Role::Calibration), ids(Role::Check));
        assert_eq!((calibration.len(), checks.len()), (14 + 100, 10 + 100));
        let all: HashSet<&String> = calibration.iter().chain(&checks).collect();
        assert_eq!(all.len(), calibration.len() + checks.len());
        assert_eq!(checks[..4], ["BK03", "B001", "BK09", "B075"]);
        assert_eq!(calibration[..4], ["BK01", "B002", "BK02", "B076"]);
    }
}
