//! The first screen: the verdict, the numbers that carry it, what undermines it, and one small table. Sentences come
//! from one template for each kind of question. An order is claimed of times at one problem only, by paired tests that
//! are corrected for all claims, and holds for the size of the searches that it names.

mod contest;
mod next;
mod price_range;
mod standing;
mod table;
#[cfg(test)]
mod tests;
mod tiles;
mod verdict;

use crate::record::{Asks, MachineKind};

use super::Source;
use super::question::Headline;
use super::questions;
use super::state::{State, missing, rests_on_counts};
use super::table::Cell;
use contest::{caution, is_small};
use table::{of_question, population, small, table, without_speed};
use tiles::tiles;
use verdict::{ranked, verdict};

impl Headline {
    /// Headline of an analysis.
    pub fn of(source: &Source) -> Self {
        let analysis = &source.analysis;
        let state = State::of(analysis);
        let alerts = missing(analysis).into_iter().chain(state.alert(analysis));
        let alerts: Vec<String> = source.left_out.iter().cloned().chain(alerts).collect();
        let contests = ranked(analysis);
        let lead = contests.first().copied();
        let asks = analysis.asks();
        let is_of_speedups = matches!(asks, Asks::Best | Asks::Scaling | Asks::Smp | Asks::Published);
        let lead = lead.filter(|_| is_of_speedups || analysis.comparisons.is_empty() && analysis.effects.is_empty());
        // A verdict on speedups says itself that searches are too small.
        let says_so = matches!(asks, Asks::Best | Asks::Scaling);
        let (said, cautions) = caution(analysis).into_iter().partition::<Vec<String>, _>(|_| says_so);
        let is_small = lead.is_some_and(|contest| says_so && is_small(analysis, contest));
        let verdict = verdict(source, &contests, &state);
        let is_order = matches!(asks, Asks::Best | Asks::Scaling) && lead.is_some();
        let next = if is_order { next::next(source, &contests, &state) } else { None };
        let tiles = tiles(analysis, lead, &state);
        let table = match asks {
            Asks::Published => questions::beside_published(analysis).map(without_speed),
            Asks::Splitting => Some(small(questions::first_of_splits(source))).filter(|table| !table.rows.is_empty()),
            Asks::Effect => of_question(source, "differences").or_else(|| of_question(source, "effects")),
            Asks::Machines => of_question(source, "machines"),
            Asks::Smp => of_question(source, "health"),
            Asks::Torn => of_question(source, "torn"),
            Asks::Cluster => of_question(source, "cluster"),
            Asks::Best | Asks::Scaling => None,
        };
        let mut table = table.unwrap_or_else(|| self::table(source, &contests, &state));
        let has_intervals =
            table.rows.iter().flatten().any(|cell| matches!(cell, Cell::Interval(one) if one.is_known()));
        if has_intervals && !table.caption.contains("ntervals") && analysis.micro.is_empty() {
            table.caption = format!("{} {}", population(analysis), table.caption).trim().to_owned();
        }
        // Disturbed real searches say nothing against what virtual ones show.
        let is_of_real =
            lead.map_or(analysis.quality.virtual_records == 0, |contest| contest.problem.machine == MachineKind::Real);
        let is_of_times = is_of_real && !rests_on_counts(analysis);
        let is_doubtful = state.alert(analysis).is_some() && is_of_times || analysis.quality.missing > 0;
        let advice = if asks == Asks::Smp { questions::next_of_health(analysis) } else { Vec::new() };
        Self {
            is_tentative: is_small || is_doubtful || !cautions.is_empty(),
            alerts,
            cautions,
            said,
            verdict,
            advice,
            next,
            tiles,
            table,
        }
    }
}
