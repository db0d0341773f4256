//! Where did the time go? The factors of the time speedup, and what processors did.

use crate::Source;
use crate::analysis::lost::{Lost, lost};
use crate::analysis::{AgainstBaseline, Group, Pop};
use crate::charts::figures::processors as charts;
use crate::distinct::found_or_added;
use crate::figures;
use crate::record::MachineKind;
use crate::sentence::Sentence;
use crate::state::is_ruined;
use crate::table::number::{figure, listed};
use crate::table::{Columns, columns};

use super::rows::{self, Row};
use super::speedup::rows_ratios;
use super::{Question, is_shown, leaders, processors};

pub(super) const WHERE: Question<Source> = Question {
    key: "where",
    title: "Where did the time go?",
    reading: "Time speedup = processors × utilisation × productive × rate / nodes, each relative to one processor, \
              with its interval. The equation always holds: it shows where a loss lies, not its cause. Shares of \
              activities are those of all processors' time.",
    sentence,
    charts: &[
        ("losses", "what the time speedup loses, by cause, in processors", charts::losses),
        ("processors", "processor time by activity", charts::processors),
    ],
    columns: Some(columns),
    table: |source| rows::table(source, columns(source), has_row),
    ..Question::PLAIN
};

/// Whether a configuration was measured to a common depth: of disturbed searches the nodes are left.
fn has_row(group: &Group) -> bool {
    group.against_baseline.as_ref().is_some_and(|against| against.factors.nodes.ratio.estimate.is_finite())
}

/// Largest number of configurations that the sentence explains.
const EXPLAINED: usize = 2;

/// Share of the processors that a loss must take to be told.
const TOLD: f64 = 0.01;

fn sentence(source: &Source) -> Option<Sentence> {
    let is_unknown = is_ruined(&source.analysis);
    let explained = |group: &&'_ Group| {
        if is_unknown && group.configuration.machine == MachineKind::Real {
            return Some("not known, since the searches were disturbed".to_owned());
        }
        in_processors(group.against_baseline.as_ref()?)
    };
    let leaders = leaders(&source.analysis);
    let groups = leaders.iter().rev().flat_map(|groups| groups.iter().take(EXPLAINED));
    let mut words: Vec<(String, Vec<String>)> = Vec::new();
    for (group, why) in groups.filter_map(|group| Some((group, explained(group)?))).take(EXPLAINED) {
        let on = processors(&group.configuration);
        let of_these = found_or_added(&mut words, |(other, _)| *other == on, || (on.clone(), Vec::new()));
        of_these.1.push(format!("{}: {why}", group.label));
    }
    let words: Vec<String> = words.iter().map(|(on, of_these)| format!("On {on}, {}.", of_these.join("; "))).collect();
    let by: Vec<&AgainstBaseline> =
        leaders.iter().flatten().filter_map(|group| group.against_baseline.as_ref()).collect();
    (!words.is_empty()).then(|| Sentence::stated(words.join(" "), &by))
}

/// `of 24 processors 12.3 to idle and 4.10 to extra nodes are lost`: losses and gains in processors, which add up, the
/// largest first. A cause that no test shows says so.
fn in_processors(against: &AgainstBaseline) -> Option<String> {
    let n = against.factors.processors;
    let mut all = lost(against);
    if all.is_empty() {
        return None;
    }
    all.sort_by(|one, other| other.processors.total_cmp(&one.processors));
    let is_told = |lost: &&Lost| lost.processors.abs() >= TOLD * n;
    let words = |lost: &&Lost| {
        let shown = if is_shown(lost.test) { "" } else { " (not shown)" };
        let cause = if lost.processors > 0.0 { lost.cause } else { gain(lost.cause) };
        format!("{} to {cause}{shown}", figure(lost.processors.abs()))
    };
    let (losses, gains): (Vec<&Lost>, Vec<&Lost>) = all.iter().filter(is_told).partition(|lost| lost.processors > 0.0);
    let part = |some: &[&Lost], what: &str| {
        let words: Vec<String> = some.iter().map(words).collect();
        (!words.is_empty()).then(|| format!("{} {what}", listed(&words)))
    };
    let parts: Vec<String> = [part(&losses, "are lost"), part(&gains, "are gained")].into_iter().flatten().collect();
    (!parts.is_empty()).then(|| format!("of {} processors {}", figure(n), parts.join(", ")))
}

/// Words for the source of a gain where a cause takes nothing away.
fn gain(cause: &str) -> &str {
    match cause {
        "extra nodes" => "a smaller tree",
        "slower nodes" => "faster nodes",
        "idle" => "less waiting",
        cause => cause,
    }
}

fn columns(_: &Source) -> Columns<'_, Row<'_>> {
    let factors = columns! { AgainstBaseline, ratios;
        "factor_processors":
            "time speedup = this x utilisation x productive x rate x overrun / nodes" => ratios.factors.processors;
        "factor_utilisation" as "Utilisation" [with_ends]:
            "the share of time spent searching or splitting, relative to the baseline" =>
            ratios.factors.utilisation.ratio;
        "factor_productive" as "Productive" [with_ends]:
            "the share of that time spent searching, relative to the baseline" => ratios.factors.productive.ratio;
        "factor_rate" as "Rate" [with_ends]:
            "nodes per second of searching, relative to the baseline" => ratios.factors.rate.ratio;
        "factor_nodes" as "Nodes" [with_ends]: "nodes, relative to the baseline" => ratios.factors.nodes.ratio;
        "factor_clock" as "Clock" [optional with_ends]:
            "cycles per second of processor time, relative to the baseline: a part of factor_rate" =>
            ratios.cycles.map(|cycles| cycles.clock);
        "factor_nodes_per_cycle" as "Nodes per cycle" [optional with_ends]:
            "nodes per second of searching at equal clocks, relative to the baseline: the rest of factor_rate" =>
            ratios.cycles.map(|cycles| cycles.nodes_per_cycle);
        "factor_overrun" as "Overrun" [optional with_ends]:
            "time to the end of a search / time to its first answer, where it waits for its master" =>
            ratios.ends.overrun;
    };
    let pop = columns! { Pop, of;
        "pop_load_balance" as "Load balance" [optional with_ends]:
            "mean time that processors search / longest: with the next two, the share of all time that is searched" =>
            of.load_balance;
        "pop_serialisation" as "Serialisation" [optional with_ends]:
            "longest time that a processor is at work / time to the end of the search" => of.serialisation;
        "pop_transfer" as "Transfer" [optional with_ends]:
            "longest time that a processor searches / longest that one is at work" => of.transfer;
    };
    let pop = pop.of(|row: &Row<'_>| row.group.pop.as_ref());
    factors.of(rows_ratios).and(pop).and(figures::columns("where"))
}
