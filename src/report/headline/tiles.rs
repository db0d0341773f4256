//! The numbers beside the sentence of the first screen.

use crate::analysis::{Analysis, Comparison, Contest, Group};
use crate::question::Tile;
use crate::questions::{self, is_shown, losses, size};
use crate::record::{Asks, MachineKind};
use crate::state::State;
use crate::statistics::Interval;
use crate::table::number::{self, estimate, percent};

use super::verdict::{by_speedup, seconds};

fn tile(number: String, words: impl Into<String>) -> Tile {
    Tile { number, words: words.into(), is_warning: false }
}

pub(super) fn tiles(analysis: &Analysis, lead: Option<&Contest>, state: &State) -> Vec<Tile> {
    let mut tiles = Vec::new();
    let is_measurable = |group: &&Group| group.configuration.machine != MachineKind::Real || !state.is_ruined();
    let group = lead.and_then(|contest| analysis.groups.get(*by_speedup(analysis, contest).first()?));
    if let Some(group) = group.filter(is_measurable)
        && let Some(against) = group.against_baseline.as_ref()
        && against.time_speedup.estimate.is_finite()
    {
        let on = format!("{} on {} {}", group.label, group.configuration.threads, group.configuration.machine.name());
        let efficiency = percent(against.time_speedup.estimate / against.factors.processors);
        // Beside the thesis its own average speaks.
        if analysis.asks() != Asks::Published {
            tiles.push(tile(estimate(&against.time_speedup), format!("time speedup of {on}: efficiency {efficiency}")));
        }
        if let Some(loss) = losses(against).first() {
            tiles.push(tile(percent(loss.share), format!("lost to {}: the largest loss of {on}", loss.name)));
        }
        let grows = size::growth(group)
            .filter(|growth| growth.low > 1.0)
            .map(|growth| format!("; the speedup grows by {} when that time doubles", percent(growth.estimate - 1.0)))
            .unwrap_or_default();
        let is_warning = size::is_too_small(group);
        let words = match is_warning {
            true => format!(
                "a search on one processor: too small for {} processors{grows}; search deeper",
                group.configuration.threads
            ),
            false => format!("a search on one processor, {} nodes{grows}", number::in_words(against.nodes_1)),
        };
        tiles.push(Tile { is_warning, ..tile(seconds(against.t1_s), words) });
    }
    tiles.extend(tiles_of_differences(analysis));
    let spread = analysis.baseline_spread.iter().filter_map(|spread| spread.log_sd).reduce(f64::max);
    if let Some(sd) = spread {
        let [who, by] = questions::spread_of(analysis);
        let words = format!("spread of the nodes of {who} from {by} to {by} (standard deviation)");
        tiles.push(tile(format!("± {}", percent(sd.exp_m1())), words));
    }
    if state.records > 0 {
        let disturbed = format!("{} of {}", state.disturbed, state.records);
        let tile = tile(disturbed, "real searches disturbed by other programs");
        tiles.push(Tile { is_warning: state.is_disturbed(), ..tile });
    }
    tiles
}

/// The strongest difference in time, and how many are shown; or what a split costs.
fn tiles_of_differences(analysis: &Analysis) -> Vec<Tile> {
    let mut tiles = Vec::new();
    if analysis.asks() == Asks::Splitting {
        let usual = analysis.groups.iter().filter(|group| !questions::is_padded(group));
        let costly = usual.filter_map(|group| Some((group.splitting.cost_ns?, group)));
        if let Some((cost, group)) = costly.max_by(|one, other| one.0.estimate.total_cmp(&other.0.estimate)) {
            let on = format!("{} on {}", group.label, group.configuration.threads);
            tiles.push(tile(
                seconds(cost.estimate * 1e-9),
                format!("a split of {on}, owner and helpers together: the longest without added bytes"),
            ));
        }
    }
    if matches!(analysis.asks(), Asks::Effect | Asks::Splitting) {
        let than = |one: &Comparison| format!("{} instead of {}", one.change, one.from);
        let times = analysis.comparisons.iter().map(|one| (one.time, one.time_p, than(one)));
        let times: Vec<_> =
            times.chain(analysis.effects.iter().map(|one| (one.time, one.time_p, one.factor.clone()))).collect();
        let known = times.iter().filter(|(time, ..)| time.estimate.is_finite());
        let size = |time: &Interval| time.estimate.ln().abs();
        if let Some((time, _, what)) = known.max_by(|one, other| size(&one.0).total_cmp(&size(&other.0))) {
            tiles.push(tile(format!("× {}", estimate(time)), format!("time with {what}: the largest difference")));
        }
        let shown = times.iter().filter(|(_, p, _)| is_shown(*p)).count();
        if !times.is_empty() {
            tiles.push(tile(
                format!("{shown} of {}", times.len()),
                "differences in time are larger than chance explains",
            ));
        }
    }
    tiles
}
