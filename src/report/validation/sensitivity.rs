//! Dependence on each cost: the time speedup of the virtual machine with each cost halved and doubled, at the same
//! positions with the same seeds. Another cost makes another tree, so these ratios have intervals like those of other
//! searches.

use serde::Serialize;

use super::Validated;
use super::searches::{REAL, SPEEDUP_MARGIN, Searches};
use super::verdict::{Judgement, SCOPE, Verdict, adjust};
use crate::charts::{RatioChart, Sheet};
use crate::distinct::distinct;
use crate::record::validation::Measurements;
use crate::record::written;
use crate::statistics::{Contrast, Interval};
use crate::table::number::{estimate, set_percent};
use crate::table::{Cell, Columns, Table};

/// Number of changed costs that are named in a sentence; the table has all.
const MOST_NAMED: usize = 6;

/// Effect of a changed cost.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CostEffect {
    /// Name of the cost, as the model names it.
    pub cost: String,
    /// Whether the cost was doubled; else halved.
    pub is_doubled: bool,
    /// Value before, in nanoseconds where its name does not say otherwise.
    pub before: u64,
    /// Value after.
    pub after: u64,
    /// Number of virtual processors.
    pub threads: u32,
    /// The time speedup with the changed cost by that with the model's.
    pub ratio: Interval,
    /// Whether that is 1 but for the margin.
    pub judgement: Judgement,
    /// Whether the time speedup agrees with the real one at these positions, with the model's cost and with the changed
    /// one.
    pub agreement: Option<[Verdict; 2]>,
}

impl CostEffect {
    /// Name of the change: `lock handoff doubled`.
    fn name(&self) -> String {
        format!("{} {}", self.cost.replace('_', " "), if self.is_doubled { "doubled" } else { "halved" })
    }

    /// Whether the verdict on agreement with real processors is another one with this cost.
    pub fn changes_verdict(&self) -> bool {
        self.agreement.is_some_and(|[before, after]| before != after)
    }

    /// Whether the time speedup has been shown to depend on this cost.
    pub fn is_shown(&self) -> bool {
        self.judgement.verdict == Verdict::ShownOutside
    }
}

/// The effect of every change. All are claimed together.
pub fn cost_effects(measurements: &Measurements, searches: &Searches<'_>) -> Vec<CostEffect> {
    let Some(model) = measurements.model.get("name").and_then(serde_json::Value::as_str) else { return Vec::new() };
    let margin = SPEEDUP_MARGIN.ln_1p();
    let mut found = Vec::new();
    for &threads in &measurements.size.cost_processors {
        let contrast = |costs: &str, than: &str| {
            Contrast::paired(&searches.by_position(|position, seed| {
                let log_speedup = |costs| searches.log_speedup(costs, threads, position, seed);
                Some(log_speedup(costs)? - log_speedup(than)?)
            }))
        };
        let agreement = |costs: &str| Some(Judgement::of(&contrast(costs, REAL)?, margin).verdict);
        let agreement_before = agreement(model);
        for name in distinct(measurements.cost_runs.iter().map(|run| run.costs.as_str())) {
            let change = written::changes(name).next().filter(|_| written::base(name) == model);
            let Some((change, contrast)) = change.zip(contrast(name, model)) else { continue };
            let Some(value) = measurements.model.get(change.name).and_then(serde_json::Value::as_u64) else { continue };
            let (is_doubled, after) = match change.amount {
                Some(('*', "2")) => (true, value * 2),
                Some(('/', "2")) => (false, value / 2),
                _ => continue,
            };
            found.push(CostEffect {
                cost: change.name.to_owned(),
                is_doubled,
                before: value,
                after,
                threads,
                ratio: contrast.estimated(SCOPE).exp(),
                judgement: Judgement::of(&contrast, margin),
                agreement: agreement_before.zip(agreement(name)).map(Into::into),
            });
        }
    }
    adjust(found.iter_mut().map(|effect| &mut effect.judgement));
    found
}

/// Sentences on changed costs; nothing if none was.
pub(super) fn sentence(of: &Validated) -> Option<String> {
    let effects = &of.findings.costs;
    effects.first()?;
    let numbers = distinct(effects.iter().map(|effect| effect.threads.to_string()));
    let count = |verdict| effects.iter().filter(|effect| effect.judgement.verdict == verdict).count();
    // A cost of something that these searches never do.
    let is_nothing = |effect: &&CostEffect| effect.ratio == Interval { estimate: 1.0, low: 1.0, high: 1.0 };
    let within = count(Verdict::ShownWithin);
    let mut text = format!(
        "Each cost was halved and doubled on {} virtual processors. Of {} such changes, {within} {} shown to change \
         the time speedup by less than {} (not at all: {}) and {} by more; for {}, neither is shown.",
        numbers.join(" and "),
        effects.len(),
        if within == 1 { "is" } else { "are" },
        set_percent(SPEEDUP_MARGIN),
        effects.iter().filter(is_nothing).count(),
        count(Verdict::ShownOutside),
        count(Verdict::NotShown)
    );
    if let Some(shown) = named(effects, CostEffect::is_shown) {
        text += &format!(" The time speedup depends on {shown}.");
    }
    const VERDICT: &str = "the verdict on agreement of the time speedup with real processors";
    if let Some(changed) = named(effects, CostEffect::changes_verdict) {
        text += &format!(" At the positions compared, {VERDICT} changes with {changed}.");
    } else if effects.iter().any(|effect| effect.agreement.is_some()) {
        text += &format!(" At the positions compared, no change of a cost changes {VERDICT}.");
    }
    Some(text)
}

/// Names of those effects, with their sizes; the first of many.
fn named(effects: &[CostEffect], is_meant: fn(&CostEffect) -> bool) -> Option<String> {
    let meant = || effects.iter().filter(|effect| is_meant(effect));
    let name = |effect: &CostEffect| format!("{} at {} (x {})", effect.name(), effect.threads, estimate(&effect.ratio));
    let more = meant().count().saturating_sub(MOST_NAMED);
    let more = (more > 0).then(|| format!("{more} more"));
    let names: Vec<String> = meant().take(MOST_NAMED).map(name).chain(more).collect();
    (!names.is_empty()).then(|| names.join(", "))
}

/// All effects, for the page.
pub(super) fn table(of: &Validated) -> Table {
    let agreement = |effect: &&CostEffect| match effect.agreement {
        None => "no real processors to compare with".to_owned(),
        Some([before, after]) if before == after => format!("{}, unchanged", after.name()),
        Some([before, after]) => format!("{} instead of {}", after.name(), before.name()),
    };
    let p = "Probability that chance alone gives so small a change if the true one is the margin or more; adjusted";
    Columns::new()
        .with("Cost", "", |effect: &&CostEffect| effect.name())
        .with("Processors", "Virtual", |effect| effect.threads)
        .with("Before", "Nanoseconds, unless the name says otherwise", |effect| effect.before)
        .with("After", "In the same unit", |effect| effect.after)
        .with("Time speedup", "With the changed cost / with the model's cost", |effect| effect.ratio)
        .with("Change within the margin", "By two one-sided tests at 5 %, adjusted for all changes", |effect| {
            effect.judgement.verdict.name()
        })
        .with("p", p, |effect| Cell::probability(effect.judgement.p_within))
        .with("Agreement with real processors", "Whether the verdict changes at these positions", agreement)
        .table("", "", &of.findings.costs)
}

/// Chart of what each changed cost does to the time speedup.
pub(super) fn chart(of: &Validated) -> Option<Sheet> {
    let size = &of.measurements.size;
    let ratio = |effect: &CostEffect| {
        let unit = if effect.cost.ends_with("permille") { "" } else { " ns" };
        let name = format!("{} ({}{unit})", effect.cost.replace('_', " "), effect.before);
        (name, usize::from(effect.is_doubled), effect.ratio)
    };
    let panel = |threads: &u32| {
        let of_threads = of.findings.costs.iter().filter(|effect| effect.threads == *threads);
        (format!("{threads} virtual processors"), of_threads.map(ratio).collect())
    };
    RatioChart {
        title: "Effect of each cost, halved and doubled, on the time speedup",
        subtitle: format!("{} positions, {} seeds each", size.cost_positions, size.cost_seeds),
        mark: Some(format!("virtual machine, costs {}", of.measurements.model_hash)),
        caption: "The further a point is from 1, the more a result depends on this cost. Time speedup \
                  with the changed cost divided by that with the model's cost, the largest change first. Intervals are \
                  wide because a parallel search takes another course with every change of a cost. Figures come from \
                  the virtual machine.",
        bars: "Bars: 95 % intervals for positions like these.",
        axis: "time speedup / that of the model",
        kinds: &["cost / 2", "cost x 2"],
        is_ranked: true,
        panels: size.cost_processors.iter().map(panel).collect(),
    }
    .sheet()
}
