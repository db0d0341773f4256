//! Does an order depend on a price of the model? Orders that are shown under a cost model, beside those under the same
//! model with a changed price.

use crate::Source;
use crate::analysis::{Analysis, Contest, Rivalry};
use crate::choices::choices;
use crate::record::{Configuration, MachineKind, Named};
use crate::sentence::Sentence;
use crate::table::number::{counted, listed};
use crate::table::{Cell, Columns, Table, columns};

use super::{File, Question, adjusted, is_shown};

pub(super) const PRICES: Question<Source> = Question {
    key: "prices",
    title: "Does an order depend on a price of the model?",
    reading: "Times of one configuration relative to those of another on the virtual machine, under a cost model and \
              under the same model with a changed price: above 1 the first is faster. An order turns only if the \
              opposite is shown.",
    sentence: |source| verdict(&source.analysis),
    files: &[File {
        name: "orders.csv",
        rows: "One row per two configurations and changed price of the virtual machine. There is no such file if no \
               price is changed.",
        table: |source| columns().table("", "", under_prices(&source.analysis)),
    }],
    table: |source| for_readers(&source.analysis),
    ..Question::PLAIN
};

choices! {
    /// What becomes of an order when a price changes.
    enum Fate, "fate of an order";
    /// The same is shown.
    Stays "stays",
    /// The opposite is shown.
    Turns "turns",
    /// No order is shown any more.
    Lost "not shown",
    /// An order is shown that was not.
    New "only then",
    /// None is shown under either.
    Neither "neither",
}

/// Order of two configurations under a cost model and under a changed price.
struct UnderPrice {
    /// Labels, the faster first where an order is shown under the model.
    names: [String; 2],
    threads: u32,
    /// Cost model, and the change of it.
    model: Named,
    change: String,
    /// Time of the second relative to that of the first under the model and under the change.
    before: Rivalry,
    after: Rivalry,
}

impl UnderPrice {
    fn fate(&self) -> Fate {
        let is_same = (self.before.time.estimate > 1.0) == (self.after.time.estimate > 1.0);
        match (is_shown(self.before.test), is_shown(self.after.test)) {
            (true, true) if is_same => Fate::Stays,
            (true, true) => Fate::Turns,
            (true, false) => Fate::Lost,
            (false, true) => Fate::New,
            (false, false) => Fate::Neither,
        }
    }
}

/// Whether orders that are shown turn if a price changes.
pub(crate) fn verdict(analysis: &Analysis) -> Option<Sentence> {
    let all = under_prices(analysis);
    let first = all.first()?;
    let (model, threads) = (&first.model, first.threads);
    let about: Vec<&UnderPrice> = all.iter().filter(|one| one.model == *model && one.threads == threads).collect();
    let mut changes: Vec<String> = Vec::new();
    for one in &about {
        if !changes.contains(&one.change) {
            changes.push(one.change.clone());
        }
    }
    let with = |fate: Fate| about.iter().filter(move |one| one.fate() == fate);
    let orders = about.iter().filter(|one| one.change == changes[0] && is_shown(one.before.test)).count();
    let (turned, lost) = (with(Fate::Turns).count(), with(Fate::Lost).count());
    let on = format!("on {threads} virtual processors under {model}");
    let words = match (orders, turned, lost) {
        (0, ..) => format!("No order is shown {on} that a changed price could turn."),
        (_, 0, 0) => {
            format!("Under {} {} shown {on} stay shown.", listed(&changes), counted(orders, "the order", "all orders"))
        }
        (_, 0, _) => format!(
            "Under {} none of {} shown {on} turns; {} then.",
            listed(&changes),
            counted(orders, "order", "orders"),
            counted(lost, "is not shown", "are not shown")
        ),
        _ => {
            let named: Vec<String> = with(Fate::Turns)
                .map(|one| format!("{} is slower than {} under {}", one.names[0], one.names[1], one.change))
                .collect();
            format!(
                "Of {} shown {on} some turn with the price: {}.",
                counted(orders, "order", "orders"),
                listed(&named)
            )
        }
    };
    Some(Sentence::stated(words, &analysis.contests))
}

/// All pairs under all changed prices.
fn under_prices(analysis: &Analysis) -> Vec<UnderPrice> {
    let mut all = Vec::new();
    for (before, model) in analysis.contests.iter().filter_map(|contest| Some((contest, plain(contest)?))) {
        for (after, change) in analysis.contests.iter().filter_map(|other| Some((other, change(before, other)?))) {
            for rivalry in &before.rivalries {
                let counterpart = |place: usize| {
                    let ours = unpriced(&analysis.groups[place].configuration);
                    let is_same = |other: &&usize| unpriced(&analysis.groups[**other].configuration) == ours;
                    after.candidates.iter().find(is_same).copied()
                };
                // The faster first.
                let [mut first, mut second] = rivalry.groups;
                if rivalry.time.estimate < 1.0 {
                    (first, second) = (second, first);
                }
                let Some(before) = before.between(first, second) else { continue };
                let places = counterpart(first).zip(counterpart(second));
                let Some(after) = places.and_then(|(one, other)| after.between(one, other)) else { continue };
                all.push(UnderPrice {
                    names: [first, second].map(|place| analysis.groups[place].configuration.strategy.to_string()),
                    threads: analysis.groups[first].configuration.threads,
                    model: model.clone(),
                    change: change.clone(),
                    before,
                    after,
                });
            }
        }
    }
    // The largest number of processors is spoken of.
    all.sort_by_key(|one| std::cmp::Reverse(one.threads));
    all
}

/// Cost model of a contest on the virtual machine, if no price of it is changed.
fn plain(contest: &Contest) -> Option<Named> {
    let costs = contest.problem.costs_name().filter(|costs| !costs.is_changed())?;
    (contest.problem.machine == MachineKind::Virtual && !contest.rivalries.is_empty()).then(|| costs.clone())
}

/// Change of the price by which the other contest differs from this one, if by nothing else.
fn change(contest: &Contest, other: &Contest) -> Option<String> {
    let [ours, theirs] = [contest, other].map(|contest| contest.problem.costs_name());
    let (ours, theirs) = (ours?, theirs?);
    let is_changed = *ours == theirs.name() && theirs != ours;
    (is_changed && unpriced(&contest.problem) == unpriced(&other.problem)).then(|| ours.changes_to(theirs))
}

/// The configuration whatever its prices.
fn unpriced(configuration: &Configuration) -> Configuration {
    Configuration { costs: None, ..configuration.clone() }
}

fn columns<'a>() -> Columns<'a, UnderPrice> {
    columns! { UnderPrice, row;
        "model": "cost model" => Cell::word(&row.model);
        "first" as "First": "the configuration that is faster by estimate under the model" => Cell::word(&row.names[0]);
        "second" as "Second": "the configuration that it is compared with" => Cell::word(&row.names[1]);
        "threads" as "Processors": "the number of processors" => row.threads;
        "time_ratio" as "Time ratio" [with_ends]: "time of the second relative to the first, under the model" =>
            row.before.time;
        "time_p": "probability that chance alone gives a difference at least as large, adjusted for all claims of its \
                   family" => Cell::probability(adjusted(row.before.test));
        "change" as "Price": "the changed price" => Cell::word(&row.change);
        "changed_ratio" as "Ratio then" [with_ends]: "the same ratio under the changed price" => row.after.time;
        "changed_p": "the same probability under the changed price" => Cell::probability(adjusted(row.after.test));
        "order" as "Order": "stays, turns (the opposite is shown), not shown (any more), only then (shown under the \
                             changed price only), or neither" => row.fate().name();
    }
}

fn for_readers(analysis: &Analysis) -> Table {
    columns().for_readers().table("", "", under_prices(analysis))
}
