//! The numbers beside the sentence of the first screen.

use crate::analysis::lost::lost;
use crate::analysis::state::is_too_small;
use crate::analysis::{AgainstBaseline, Analysis, Comparison, Contest, Effect, Group};
use crate::question::Tile;
use crate::questions::{self, is_shown};
use crate::record::{Asks, MachineKind};
use crate::share::smallest_s;
use crate::state::State;
use crate::statistics::Interval;
use crate::table::number::{self, counted, estimate, figure, percent};

use super::contest::{is_small, range_of, seconds};
use super::standing::Standing;

fn tile(number: String, words: impl Into<String>) -> Tile {
    Tile { number, words: words.into(), is_warning: false }
}

pub(super) fn tiles(analysis: &Analysis, lead: Option<&Contest>, state: &State) -> Vec<Tile> {
    let mut tiles = Vec::new();
    let is_measurable = |group: &&Group| group.configuration.machine != MachineKind::Real || !state.is_ruined();
    let standing = lead.map(|contest| Standing::of(analysis, contest));
    let group = standing.as_ref().and_then(Standing::leader);
    if let Some(standing) = &standing
        && let Some(group) = group.filter(is_measurable)
        && let Some(against) = group.against_baseline.as_ref()
        && against.time_speedup.estimate.is_finite()
    {
        // Beside the thesis its own average speaks, and searches that are too small have no order.
        let is_small = lead.is_some_and(|contest| is_small(analysis, contest));
        if analysis.asks() != Asks::Published && !is_small {
            tiles.push(of_speedups(standing, against.factors.processors));
        }
        tiles.extend(of_loss(group, against));
        tiles.push(of_size(group, against));
    }
    tiles.extend(tiles_of_differences(analysis));
    let spread = analysis.baseline_spread.iter().filter_map(|spread| spread.log_sd).reduce(f64::max);
    if let Some(sd) = spread {
        let [who, between] = questions::spread_of(analysis);
        let words = format!("spread of the nodes of {who} {between} (standard deviation)");
        tiles.push(tile(format!("± {}", percent(sd.exp_m1())), words));
    }
    if state.records > 0 {
        let disturbed = format!("{} of {}", state.disturbed, state.records);
        let tile = tile(disturbed, "real searches disturbed by other programs");
        tiles.push(Tile { is_warning: state.is_disturbed(), ..tile });
    }
    tiles
}

/// The speedup of the fastest, or from which to which those lie that are not told apart.
fn of_speedups(standing: &Standing<'_>, processors: f64) -> Tile {
    let top = standing.top();
    let all: Vec<(&Group, Interval)> =
        top.iter().filter_map(|&place| Some((standing.group(place), standing.speedup(place)?))).collect();
    let efficiency = |speedup: f64| percent(speedup / processors);
    match all[..] {
        [(group, speedup)] => {
            let range = if speedup.is_known() { format!(" ({})", number::range(&speedup)) } else { String::new() };
            let alone =
                group.against_baseline.as_ref().map(AgainstBaseline::harder).filter(|harder| harder.step.is_some());
            let beside = alone.map(|harder| format!(", beside {}", harder.alone)).unwrap_or_default();
            let subject = on(group);
            let words =
                format!("time speedup{range} of {subject}{beside}: efficiency {}", efficiency(speedup.estimate));
            tile(estimate(&speedup), words)
        }
        _ => {
            let between = range_of(standing, &top);
            let on = all.first().map(|(group, _)| on_processors(group)).unwrap_or_default();
            let words = format!(
                "time speedups of {} that are not shown to differ on {on}, all intervals together, beside {}: \
                 efficiency {} to {}",
                all.len(),
                standing.alone(&top),
                efficiency(between.low),
                efficiency(between.high)
            );
            tile(number::range(&between), words)
        }
    }
}

/// `lazy on 16 virtual`
fn on(group: &Group) -> String {
    format!("{} on {}", group.label, on_processors(group))
}

/// `16 virtual, by the model`
fn on_processors(Group { configuration, .. }: &Group) -> String {
    format!("{} {}{}", configuration.threads, configuration.machine.name(), questions::by_model(configuration))
}

/// The cause that takes most of the processors, by its estimate, whether or not a test shows it.
fn of_loss(group: &Group, against: &AgainstBaseline) -> Option<Tile> {
    let all = lost(against);
    let largest = all.iter().max_by(|one, other| one.processors.total_cmp(&other.processors))?;
    let shown = if is_shown(largest.test) { "" } else { ", though no loss to it is shown" };
    (largest.processors > 0.0).then(|| {
        let processors = counted(group.configuration.threads, "processor", "processors");
        let has_other = against.harder().step.is_some();
        let beside = if has_other { ", beside one processor as it is" } else { "" };
        let subject = on(group);
        let factor = match largest.factor.is_known() {
            true => format!(" (speedup × {}, {} by itself)", estimate(&largest.factor), number::range(&largest.factor)),
            false => String::new(),
        };
        let words =
            format!("of {processors} lost to {}{factor}: the largest loss of {subject}{beside}{shown}", largest.cause);
        tile(figure(largest.processors), words)
    })
}

/// Tile for the size of the searches, which warns if that is too small.
fn of_size(group: &Group, against: &AgainstBaseline) -> Tile {
    let is_warning = is_too_small(group);
    let words = match is_warning {
        true => format!(
            "a search on one processor: too small for {} processors, which need {} or more",
            group.configuration.threads,
            seconds(smallest_s(group.configuration.threads))
        ),
        false => format!("a search on one processor, {} nodes", number::in_words(against.nodes_1)),
    };
    Tile { is_warning, ..tile(seconds(against.t1_s), words) }
}

/// The strongest difference in time, and how many are shown; or what a split costs.
fn tiles_of_differences(analysis: &Analysis) -> Vec<Tile> {
    let mut tiles = Vec::new();
    if analysis.asks() == Asks::Splitting {
        let usual = analysis.groups.iter().filter(|group| !questions::is_padded(group));
        let costly = usual.filter_map(|group| Some((group.splitting.cost_ns?, group)));
        if let Some((cost, group)) = costly.max_by(|one, other| one.0.estimate.total_cmp(&other.0.estimate)) {
            let subject = on(group);
            tiles.push(tile(
                seconds(cost.estimate * 1e-9),
                format!("a split of {subject}, owner and helpers together: the longest without added bytes"),
            ));
        }
    }
    if matches!(analysis.asks(), Asks::Effect | Asks::Splitting) {
        let asked = questions::Asked::of(analysis);
        let than = |one: &Comparison| {
            let by = questions::by_model(&analysis.groups[one.group].configuration);
            (format!("{} instead of {}", one.change, one.from), by)
        };
        let switch = |one: &Effect| (one.factor.clone(), questions::which_by_model([(one.machine, one.threads)]));
        let of_effect = |one: &Effect| match asked {
            questions::Asked::Time => (one.time, one.time_test, switch(one)),
            questions::Asked::Nodes => (one.nodes, one.nodes_test, switch(one)),
        };
        let all = analysis.comparisons.iter().map(|one| (asked.ratio(one), asked.test(one), than(one)));
        let all = all.chain(analysis.effects.iter().map(of_effect));
        let known: Vec<_> = all.filter(|(ratio, ..)| ratio.estimate.is_finite()).collect();
        let size = |ratio: &Interval| ratio.estimate.ln().abs();
        if let Some((ratio, _, (what, by))) = known.iter().max_by(|one, other| size(&one.0).total_cmp(&size(&other.0)))
        {
            let words = format!("{asked} with {what}: the largest difference ({} by itself{by})", number::range(ratio));
            tiles.push(tile(format!("× {}", estimate(ratio)), words));
        }
        let shown = known.iter().filter(|(_, test, _)| is_shown(*test)).count();
        if !known.is_empty() {
            let words = format!("differences in {asked} are larger than chance explains");
            tiles.push(tile(format!("{shown} of {}", known.len()), words));
        }
    }
    tiles
}
