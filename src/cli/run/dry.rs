//! `--dry-run`: what would be searched, how long it would take, and how wide the intervals would be.

use std::io::Write;

use super::super::error::CliError;
use super::super::output;
use super::judging::foretell;
use crate::lab::estimate::{Estimate, estimate};
use crate::lab::pace::in_words;
use crate::lab::{Conditions, Laboratory, Plan, Shard, warnings};
use crate::record::{Baseline, Configuration, IntervalKind, MachineKind};
use crate::statistics::{LEVEL, PlannedContrast, Scope};
use crate::table::{Cell, Columns};

/// Standard deviation of logarithms of times between runs of one position, and of time speedups between positions, with
/// the thesis's search; taken from runs of the experiments that ship.
const RUN_DEVIATION: f64 = 0.10;
const BASELINE_DEVIATION: f64 = 0.08;
const POSITION_DEVIATION: f64 = 0.25;

/// Largest width of a value in the table; longer ones are cut.
const WIDEST: usize = 44;

/// Prints the plan, the time that it takes and the intervals to expect.
pub fn print(out: &mut impl Write, plan: &Plan, shard: Option<Shard>) -> Result<(), CliError> {
    let cells = plan.part(shard);
    let description = &plan.description;
    writeln!(out, "{}", description.title)?;
    if !description.question.is_empty() {
        output::paragraph(out, "  ", &description.question_on_one_line())?;
    }
    writeln!(out)?;
    let mut rows: Vec<(Configuration, usize)> = Vec::new();
    for (_, cell) in &cells {
        match rows.last_mut() {
            Some((configuration, searches)) if *configuration == cell.configuration => *searches += 1,
            _ => rows.push((cell.configuration.clone(), 1)),
        }
    }
    let is_shown = |field: &&str| {
        ["machine", "strategy", "threads", "depth"].contains(field) || description.axes.iter().any(|axis| axis == field)
    };
    let count = rows.len();
    let mut columns = Columns::new();
    for field in Configuration::FIELDS.into_iter().filter(is_shown) {
        columns = columns.with(field, "", move |(configuration, _): &(Configuration, usize)| match field {
            "threads" => Cell::from(configuration.threads),
            _ => shortened(&configuration.field(field)).into(),
        });
    }
    let table = columns.with("searches", "", |(_, searches)| *searches).table("", "", rows);
    output::table(out, &table)?;
    let searches = cells.len();
    let positions = description.positions.len();
    writeln!(out, "\n{searches} searches of {positions} positions, in {count} configurations")?;
    let laboratory = Laboratory::new(Conditions { models: plan.models.clone(), ..Conditions::default() });
    for warning in warnings(cells.iter().map(|(_, cell)| *cell), &laboratory) {
        output::paragraph(out, "warning: ", &warning)?;
    }
    output::tell("looking at some positions, to tell how long this takes");
    let Estimate { real_s, virtual_s } = estimate(&cells, &laboratory);
    let [all, real, simulated] = [real_s + virtual_s, real_s, virtual_s].map(in_words);
    writeln!(out, "about {all}: {real} on real machines, {simulated} on virtual ones")?;
    if let Some((searches, judging_s)) = foretell(plan, shard, &laboratory) {
        let judging = in_words(judging_s);
        writeln!(out, "about {judging} more to judge moves by about {searches} deeper searches")?;
    }
    intervals(out, plan)
}

/// The beginning of a value that is too long for a column.
fn shortened(value: &str) -> String {
    if value.chars().count() <= WIDEST {
        return value.to_owned();
    }
    value.chars().take(WIDEST - 1).chain(['…']).collect()
}

fn intervals(out: &mut impl Write, plan: &Plan) -> Result<(), CliError> {
    let description = &plan.description;
    if description.baseline == Baseline::None {
        return Ok(());
    }
    let planned = PlannedContrast {
        positions: description.positions.len(),
        runs: description.repetitions as usize,
        baselines: description.baseline.searches() as usize,
        run_deviation: RUN_DEVIATION,
        baseline_deviation: BASELINE_DEVIATION,
        position_deviation: POSITION_DEVIATION,
    };
    for &kind in IntervalKind::ALL {
        let scope = match kind {
            IntervalKind::ThesePositions => Scope::ThesePositions,
            IntervalKind::PositionsLikeThese => Scope::PositionsLikeThese,
        };
        let is_shown = if kind == description.interval { " (shown in tables and charts)" } else { "" };
        let width = match planned.half_width(scope, LEVEL) {
            Some(half) => format!("about +-{:.1} %", 100.0 * (half.exp() - 1.0)),
            None => "none, there are too few runs".to_owned(),
        };
        writeln!(out, "intervals of a time speedup for {kind}: {width}{is_shown}")?;
    }
    let is_real = plan.cells.iter().any(|cell| cell.configuration.machine == MachineKind::Real);
    let disturbed = if is_real { "; more on a machine that is disturbed" } else { "" };
    writeln!(
        out,
        "  if logarithms of time vary by {RUN_DEVIATION} between runs and {BASELINE_DEVIATION} between baselines, and \
         speedups by {POSITION_DEVIATION} between positions{disturbed}"
    )?;
    Ok(())
}
