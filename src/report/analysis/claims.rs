//! All claims of a report, which are one family: with many of them some would be false by chance, wherever they stand.
//! Holm's correction keeps the probability of even one false claim below the level.

use super::{Comparison, Effect, Group, Rivalry};
use crate::statistics::holm_among;

/// Adjusts the p values of everything that an answer may claim: differences in time and in nodes, effects, and of the
/// configurations that might be the fastest their order, whether they are faster than one processor, and what costs
/// them time. Returns the number of claims.
pub(super) fn adjust(
    groups: &mut [Group],
    candidates: &[usize],
    rivalries: &mut [Rivalry],
    comparisons: &mut [Comparison],
    effects: &mut [Effect],
) -> usize {
    let mut claims: Vec<&mut Option<f64>> = Vec::new();
    claims.extend(comparisons.iter_mut().flat_map(|one| [&mut one.time_p, &mut one.nodes_p]));
    claims.extend(effects.iter_mut().flat_map(|one| [&mut one.time_p, &mut one.nodes_p]));
    claims.extend(rivalries.iter_mut().map(|one| &mut one.p));
    let spoken_of = groups.iter_mut().enumerate().filter(|(place, _)| candidates.contains(place));
    for (_, group) in spoken_of {
        claims.extend(group.regret.as_mut().and_then(|regret| regret.against.as_mut()).map(|against| &mut against.p));
        let Some(against) = group.against_baseline.as_mut() else { continue };
        let factors = &mut against.factors;
        let factors = [&mut factors.utilisation, &mut factors.productive, &mut factors.rate, &mut factors.nodes];
        claims.push(&mut against.faster_p);
        claims.extend(factors.into_iter().map(|factor| &mut factor.p));
    }
    let count = claims.iter().filter(|claim| claim.is_some()).count();
    holm_among(claims);
    count
}
