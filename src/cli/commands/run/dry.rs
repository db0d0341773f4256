//! `--dry-run`: what would be searched, how long it would take, and how wide the intervals would be.

use std::io::Write;
use std::path::Path;

use super::super::error::CliError;
use super::super::output;
use crate::distinct::distinct;
use crate::lab::estimate::{Estimate, TooSmall, estimate};
use crate::lab::judge::foretell;
use crate::lab::pace::{Pace, in_words};
use crate::lab::pilot::Evidence;
use crate::lab::promises::{difference_found, processors, promises, ratios};
use crate::lab::{Conditions, Laboratory, Order, Plan, advice, warnings};
use crate::record::axes::{AXES, Axis, CLUSTER_NODES, COSTS, DEPTH, FEATURES, MACHINE, STRATEGY, THREADS};
use crate::record::{Baseline, Cell, Configuration, Depth, Description, IntervalKind, MachineKind, Promise};
use crate::table::foreign::plain;
use crate::table::number::{counted, figure, level, percent};
use crate::table::{Cell as Shown, Columns};

/// Largest width of a value in the table; longer ones are cut.
const WIDEST: usize = 44;

/// Prints the plan, the time that it takes and the intervals to expect. Engines from outside are not started, unless
/// the user has named them.
pub fn print(out: &mut impl Write, order: &Order<'_>, plan: &Plan, starts_engines: bool) -> Result<(), CliError> {
    let evidence = order.evidence(plan)?;
    let cells = plan.part(order.shard);
    let description = &plan.description;
    writeln!(out, "{}", plain(&description.title))?;
    if !description.question.is_empty() {
        output::paragraph(out, "  ", &description.question_on_one_line())?;
    }
    writeln!(out)?;
    searches(out, description, &cells)?;
    let (models, engines) = (plan.models.clone(), plan.engines.clone());
    let laboratory = Laboratory::new(Conditions { models, engines, ..Conditions::default() });
    let held = order.held(plan)?;
    for (folder, searches) in held.of_folders {
        let searches = counted(searches, "search is", "searches are");
        output::paragraph(out, "", &format!("{searches} in {} already", folder.display()))?;
    }
    let missing: Vec<(u64, &Cell)> = cells.iter().copied().filter(|(index, _)| !held.places.contains(index)).collect();
    let is_tried = |cell: &Cell| starts_engines || !cell.configuration.is_outside();
    let tried: Vec<(u64, &Cell)> = missing.iter().copied().filter(|(_, cell)| is_tried(cell)).collect();
    for warning in warnings(tried.iter().map(|(_, cell)| *cell), &laboratory) {
        output::paragraph(out, "warning: ", &warning)?;
    }
    let too_small = time(out, &tried, &laboratory, order.pilot)?;
    let untried = missing.len() - tried.len();
    if untried > 0 {
        let searches = counted(untried, "search", "searches");
        let text = format!("plus {searches} by engines from outside, which are not started to estimate the time");
        output::paragraph(out, "", &text)?;
    }
    if let Some((searches, judging_s)) = foretell(plan, order.shard, &laboratory) {
        let judging = in_words(judging_s);
        writeln!(out, "plus about {judging} to judge moves by about {searches} deeper searches")?;
    }
    expected(out, plan, &evidence)?;
    let notes = too_small.into_iter().map(|note| note.to_string()).chain(advice::notes(plan));
    Ok(notes.into_iter().try_for_each(|note| output::paragraph(out, "warning: ", &note))?)
}

/// Prints the searches of each configuration, in the axes that vary and a few that are always shown.
fn searches(out: &mut impl Write, description: &Description, cells: &[(u64, &Cell)]) -> Result<(), CliError> {
    let of_one = cells.chunk_by(|(_, one), (_, other)| one.configuration == other.configuration);
    let rows: Vec<_> = of_one.map(|cells| (&*cells[0].1.configuration, cells.len())).collect();
    let is_shown = |axis: &&Axis| {
        [MACHINE, STRATEGY, THREADS, DEPTH].contains(axis)
            || description.axes.iter().any(|name| name == axis.name)
            || **axis == COSTS && !description.price_range.is_empty()
            // One node may be the baseline alone.
            || **axis == CLUSTER_NODES && rows.iter().any(|(one, _)| one.cluster_nodes.is_some())
            // One processor is searched under several schedules of iterations, which are features.
            || **axis == FEATURES && !description.schedules.is_empty()
    };
    let count = rows.len();
    let mut columns = Columns::new();
    for axis in AXES.iter().filter(is_shown) {
        columns = columns.with(axis.name, "", move |(configuration, _): &(&Configuration, usize)| match configuration
            .engine_name()
            .filter(|_| *axis == STRATEGY && configuration.is_baseline())
        {
            Some(engine) => shortened(engine).into(),
            None if *axis == THREADS => Shown::from(configuration.threads),
            None => shortened(&axis.text(configuration)).into(),
        });
    }
    let table = columns.with("searches", "", |(_, searches)| *searches).table("", "", rows);
    output::table(out, &table)?;
    let (searches, positions) = (cells.len(), description.positions.len());
    writeln!(out, "\n{searches} searches of {positions} positions, in {count} configurations")?;
    let for_range = cells.iter().filter(|(_, cell)| description.is_for_price_range(&cell.configuration)).count();
    if for_range > 0 {
        let text = format!(
            "{for_range} of them are only for the range of speedups over prices that two cores cannot measure, which \
             are cheap or dear there; price_range = false leaves them out"
        );
        output::paragraph(out, "", &text)?;
    }
    Ok(())
}

/// Prints the time that searches take, by a pilot if there is one; returns those that are too small.
fn time(
    out: &mut impl Write,
    cells: &[(u64, &Cell)],
    laboratory: &Laboratory,
    pilot: Option<&Path>,
) -> Result<Vec<TooSmall>, CliError> {
    output::tell("searching some positions briefly to estimate the time");
    let before = pilot.map(Pace::of_folder).transpose()?.unwrap_or_default();
    let Estimate { real_s, virtual_s, too_small } = estimate(cells, laboratory, &before);
    let [all, real, simulated] = [real_s + virtual_s, real_s, virtual_s].map(in_words);
    writeln!(out, "about {all}: {real} on the real machine, {simulated} on the virtual machine")?;
    if let Some(pilot) = pilot {
        output::paragraph(out, "", &format!("equal searches are taken to last as long as in {}", pilot.display()))?;
    }
    Ok(too_small)
}

/// The beginning of a value that is too long for a column.
fn shortened(value: &str) -> String {
    if value.chars().count() <= WIDEST {
        return value.to_owned();
    }
    value.chars().take(WIDEST - 1).chain(['…']).collect()
}

/// Prints what to expect: intervals of the ratios that the plan compares, else of its time speedups, and which
/// differences will be found.
fn expected(out: &mut impl Write, plan: &Plan, evidence: &Evidence) -> Result<(), CliError> {
    let description = &plan.description;
    let (promises, ratios) = (promises(plan, evidence), ratios(plan, evidence));
    if !ratios.is_empty() {
        let ratios_of_time = if description.references.is_empty() {
            "ratios of time between configurations"
        } else {
            "ratios of time to the reference"
        };
        intervals(out, plan, &ratios, &format!("{ratios_of_time}, at most"))?;
    } else if promises.is_empty() {
        let why = if description.baseline == Baseline::None {
            "there are no baselines"
        } else if plan.cells.iter().all(|cell| cell.configuration.depth == Depth::Unlimited) {
            "there is no common depth"
        } else {
            "every search is a baseline"
        };
        writeln!(out, "no intervals of time speedups to expect: {why}")?;
    } else {
        intervals(out, plan, &promises, "time speedups")?;
    }
    for machine in [MachineKind::Real, MachineKind::Virtual] {
        if let Some(difference) = difference_found(&promises, machine).map(percent) {
            let text = format!(
                "differences between configurations on the {machine} machine of {difference} or more will be found in \
                 4 of 5 such experiments"
            );
            output::paragraph(out, "", &text)?;
        }
    }
    Ok(())
}

/// Prints a table of intervals to expect, kind by kind, and from what they are predicted.
fn intervals(out: &mut impl Write, plan: &Plan, promises: &[Promise], what: &str) -> Result<(), CliError> {
    let description = &plan.description;
    let expected = |kind: IntervalKind| {
        move |promise: &&Promise| match promise.half_width(kind) {
            Some(half) => format!("+-{}", percent(half)),
            None => "none".to_owned(),
        }
    };
    let processors = |promise: &&Promise| {
        let (least, most) = processors(promise);
        if least == most { least.to_string() } else { format!("{least} to {most}") }
    };
    let heading = |kind: IntervalKind| {
        if kind == description.interval { format!("{kind} (shown)") } else { kind.to_string() }
    };
    let sources = distinct(promises.iter().map(source));
    let columns = Columns::new()
        .with("machine", "", |promise: &&Promise| promise.machine.name())
        .with("strategy", "", |promise| shortened(&promise.strategy))
        .with("processors", "", processors)
        .with("runs", "", |promise| u64::from(promise.runs))
        .with("baselines", "", |promise| u64::from(promise.baselines))
        .with(heading(IntervalKind::ThesePositions), "", expected(IntervalKind::ThesePositions))
        .with(heading(IntervalKind::PositionsLikeThese), "", expected(IntervalKind::PositionsLikeThese))
        .with("by", "", |promise| {
            let place = sources.iter().position(|one| *one == source(promise));
            place.filter(|_| sources.len() > 1).map(|place| (place as u64) + 1)
        });
    writeln!(out, "\nexpected intervals of {} of {what}", level())?;
    output::table(out, &columns.table("", "", promises.iter()).without_empty_columns())?;
    for (place, source) in sources.iter().enumerate() {
        let number = if sources.len() > 1 { format!("({}) ", place + 1) } else { String::new() };
        output::paragraph(out, "  ", &format!("{number}{source}"))?;
    }
    if plan.cells.iter().any(|cell| cell.configuration.machine == MachineKind::Real) {
        writeln!(out, "  Other work on the computer makes them wider.")?;
    }
    Ok(())
}

/// Origin of a promise, with the spread that it gives.
fn source(promise: &Promise) -> String {
    let origin =
        if promise.source == "assumed" { "Assumed".to_owned() } else { format!("Predicted from {}", promise.source) };
    let of_time =
        format!("{origin}: the standard deviation of the logarithm of time is {}", figure(promise.run_deviation));
    // Of a ratio no more is known: its runs are paired, and have no baselines.
    if promise.baselines == 0 {
        return format!("{of_time} between runs.");
    }
    format!(
        "{of_time} between runs and {} between baselines, that of the logarithm of the time speedup {} between \
         positions.",
        figure(promise.baseline_deviation),
        figure(promise.position_deviation)
    )
}
