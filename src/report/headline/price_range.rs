//! Words for how far the verdict depends on prices of the virtual machine that two cores cannot measure.

use crate::analysis::price_range::{Repricing, range_over_prices};
use crate::statistics::Interval;
use crate::table::number::range;

use super::standing::Standing;

/// ` From half to double the model's unmeasured prices: 8.1 to 10.6; where they are dear, ybwc is ahead of
/// lazy.`, of the fastest; nothing where some of them were not searched with other prices.
pub(super) fn over_prices(standing: &Standing<'_>) -> String {
    let turned: String = turned(standing).iter().map(|words| format!("; {words}")).collect();
    range_of(standing, &standing.top()).map(|range| format!("{range}{turned}.")).unwrap_or_default()
}

/// The same of all that have no order.
pub(super) fn over_prices_of_all(standing: &Standing<'_>) -> String {
    let those = if standing.ranked.len() > 1 { " for all of these" } else { "" };
    range_of(standing, &standing.ranked).map(|range| format!("{range}{those}.")).unwrap_or_default()
}

fn range_of(standing: &Standing<'_>, places: &[usize]) -> Option<String> {
    let of_place =
        |&place: &usize| range_over_prices(standing.speedup(place)?.estimate, &standing.group(place).repricings);
    let all = places.iter().map(of_place).collect::<Option<Vec<Interval>>>()?;
    let ends = |of: fn(&Interval) -> f64| all.iter().map(of);
    let (low, high) = (ends(|one| one.low).fold(f64::INFINITY, f64::min), ends(|one| one.high).fold(0.0, f64::max));
    let whole = Interval { estimate: (low * high).sqrt(), low, high };
    Some(format!(" From half to double the model's unmeasured prices: {}", range(&whole)))
}

/// `where they are dear, ybwc is ahead of lazy`: orders that the verdict tells and other prices turn, by estimates.
fn turned(standing: &Standing<'_>) -> Vec<String> {
    let mut all = Vec::new();
    for (rivalry, _) in standing.beaten() {
        let [first, second] = rivalry.groups.map(|place| standing.group(place));
        for Repricing { change, ratio } in &first.repricings {
            let Some(other) = second.repricings.iter().find(|other| other.change == *change) else { continue };
            if rivalry.time.estimate * ratio / other.ratio < 1.0 {
                all.push(format!("where they are {change}, {} is ahead of {}", second.label, first.label));
            }
        }
    }
    all
}
