//! Where did the time go? The factors of the time speedup, and what processors did.

use crate::Source;
use crate::analysis::{AgainstBaseline, Factor, Group, Means, Pop};
use crate::charts::figures::processors as charts;
use crate::counts::{Activity, phrase};
use crate::record::{Configuration, MachineKind};
use crate::state::is_ruined;
use crate::table::number::{listed, percent};
use crate::table::{Cell, Columns, columns};

use super::rows::{self, Row};
use super::speedup::rows_ratios;
use super::{Question, is_shown, leaders};

pub(super) const WHERE: Question<Source> = Question {
    key: "where",
    title: "Where did the time go?",
    reading: "Time speedup = CPUs × utilisation × productive × rate / nodes, each relative to one processor, with \
              its interval. The equation always holds: it shows where a loss lies, not its cause. Shares of activities \
              are those of all processors' time.",
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

/// Loss of a speedup: what it is called, and the share of the processors that it takes.
pub(crate) struct Loss {
    pub name: &'static str,
    pub share: f64,
}

/// Losses that tests have shown, the largest first. A factor that gains is none.
pub(crate) fn losses(against: &AgainstBaseline) -> Vec<Loss> {
    let factors = &against.factors;
    let of = |name, factor: &Factor, kept: f64| {
        (is_shown(factor.p) && kept < 1.0).then_some(Loss { name, share: 1.0 - kept })
    };
    let mut losses: Vec<Loss> = [
        of("waiting", &factors.utilisation, factors.utilisation.ratio.estimate),
        of("extra nodes", &factors.nodes, 1.0 / factors.nodes.ratio.estimate),
        of("slower nodes", &factors.rate, factors.rate.ratio.estimate),
        of("coordination", &factors.productive, factors.productive.ratio.estimate),
    ]
    .into_iter()
    .flatten()
    .collect();
    losses.sort_by(|one, other| other.share.total_cmp(&one.share));
    losses
}

fn sentence(source: &Source) -> Option<String> {
    let is_unknown = is_ruined(&source.analysis);
    let explained = |group: &&Group| {
        let Configuration { machine, threads, .. } = group.configuration;
        let on = format!("{} on {threads} {}", group.label, machine.name());
        if is_unknown && machine == MachineKind::Real {
            return Some(format!("{on}: not known, since the searches were disturbed"));
        }
        let against = group.against_baseline.as_ref()?;
        if !against.factors.utilisation.ratio.estimate.is_finite() {
            return None;
        }
        let words: Vec<String> =
            losses(against).iter().map(|loss| format!("{} to {}", percent(loss.share), loss.name)).collect();
        Some(match words.is_empty() {
            true => format!("{on} is not shown to lose time to anything"),
            false => format!("{on} loses {}", listed(&words)),
        })
    };
    let leaders = leaders(&source.analysis);
    let groups = leaders.iter().rev().flat_map(|groups| groups.iter().take(EXPLAINED));
    let words: Vec<String> = groups.filter_map(explained).take(EXPLAINED).collect();
    (!words.is_empty()).then(|| format!("{}.", words.join("; ")))
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
    let activities = Activity::ALL.iter().enumerate().fold(Columns::new(), |columns, (at, activity)| {
        let meaning = format!("the share of all processors' time spent {}", phrase(activity.meaning()));
        let share = move |means: &Means| Cell::share(means.activities[at]);
        columns.with(format!("share_{activity}"), &meaning, share).heading(format!("{activity}, %")).optional()
    });
    let pop = pop.of(|row: &Row<'_>| row.group.pop.as_ref());
    factors.of(rows_ratios).and(pop).and(activities.of(|row: &Row<'_>| Some(&row.group.means)))
}
