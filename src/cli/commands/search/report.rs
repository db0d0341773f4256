//! Output of a search: a line for each position and the means, or one JSON object.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::{Value, json};

use crate::chess::epd::Epd;
use crate::chess::mailbox::Mailbox;
use crate::chess::notation::{numbered, san};
use crate::chess::{Board, Keys, Move, Setup};
use crate::commands::output::{self, Column, VERSION, object};
use crate::lab::Measurement;
use crate::lab::beside::{Pair, mean_time_s, speedup};
use crate::record::{Cell, DepthAnswer, MachineKind, Measured, WorkerRecord};
use crate::search::{DEEPEST, Iteration};
use crate::table::number::{self, counted};
use crate::table::terminal::width;
use splitpoint_data::counts::{Activity, LetterCounts, Loss};
use splitpoint_data::share::smallest_s;

use super::means::{Means, ThesisMeans, over_minimum};
use super::one_thread::{is_too_small_for, line_beside_one_thread, obstacle, pairs};

/// Position with its measurement.
pub struct Position {
    pub epd: Epd,
    pub cell: Cell,
    pub found: Measurement,
    /// For each seed, the search on all threads and that on one thread; empty if one thread was not asked for.
    pub pairs: Vec<Pair>,
}

fn seconds(nanoseconds: u64) -> f64 {
    nanoseconds as f64 / 1e9
}

impl Position {
    fn measured(&self) -> &Measured {
        &self.found.measured
    }

    fn time_s(&self) -> f64 {
        seconds(self.measured().time_ns)
    }

    /// Unit of its times.
    fn unit(&self) -> &'static str {
        self.cell.configuration.machine.seconds()
    }

    /// The figures of the record, and what only a single search shows.
    fn json(&self) -> impl Serialize {
        let Measurement { measured, outcome, san, .. } = &self.found;
        let Measured { bestmove, score_raw, mate, depth, seldepth, nodes, solved, losses, .. } = measured;
        let (answer, counters) = (&outcome.answer, &outcome.counters);
        let reached = outcome.depth_reached(self.cell.depth.unwrap_or(DEEPEST));
        object! {
            id: &self.cell.position, fen: &self.cell.fen,
            bestmove, san, score_cp: answer.score.centipawns(), score_raw, mate, depth, seldepth, time_s: self.time_s(),
            times: object! {
                first_s: reached.first.map(seconds),
                master_s: reached.master.map(seconds),
                voted_s: reached.voted.map(seconds),
                voted_move: reached.vote.map(|vote| vote.best.to_string()),
                voted_depth: reached.vote.map(|vote| vote.depth),
            },
            nps: measured.nps(), nodes, qnodes: measured.qnodes(),
            qn_pct: measured.qn_pct(), hash_pct: measured.hash_pct(), order_pct: measured.order_pct(),
            over_minimum: over_minimum(measured), solved,
            pv: answer.line.iter().map(ToString::to_string).collect::<Vec<_>>(),
            iterations: answer.iterations.iter().map(iteration_json).collect::<Vec<_>>(),
            answers: measured.answers.iter().map(answer_json).collect::<Vec<_>>(),
            thesis: object! {
                nodes: measured.thesis_nodes(), hash_pct: measured.thesis_hash_pct(),
                order_pct: measured.thesis_order_pct(), qn_pct: measured.thesis_qn_pct(),
            },
            counters,
            table_used_permille: measured.table_used_permille,
            #[serde(flatten)]
            asked: measured.asked_and_unanswered.map(|[asked, unanswered]| object! { asked, unanswered }),
            #[serde(flatten)]
            letters: measured.letters.map(|letters| object! { letters }),
            #[serde(flatten)]
            audit: measured.torn_standing.map(|torn_standing| object! { torn_standing }),
            splits: splits_json(&self.found),
            losses,
            workers: measured.workers.iter().map(worker_json).collect::<Vec<_>>(),
            beside_one_thread: &self.pairs,
        }
    }

    /// Lines that say when the search could first answer with each depth, if several workers have answers of their own:
    /// then the iterations do not.
    pub fn answer_lines(&self) -> Vec<String> {
        let line = |answer: &DepthAnswer| {
            let (time_s, best) = (seconds(answer.time_ns), answer.bestmove.as_deref().unwrap_or("-"));
            format!("depth {:>2} first answered after {time_s:.3} {} {best}", answer.depth, self.unit())
        };
        let have_several = self.found.outcome.answers.len() > 1;
        self.found.measured.answers.iter().filter(|_| have_several).map(line).collect()
    }

    /// Line of the position, with as much of the principal variation as has room.
    pub fn line(&self, columns: &[Column]) -> String {
        let measured = self.measured();
        let pawns = || format!("{:+.2}", f64::from(self.found.outcome.answer.score.centipawns()) / 100.0);
        let entries = [
            self.cell.position.to_string(),
            self.found.san.clone().unwrap_or_else(|| "no move".into()),
            measured.mate.map_or_else(pawns, |moves| format!("#{moves}")),
            measured.solved.map_or_else(String::new, |solved| if solved { SOLVED.into() } else { unsolved(&self.epd) }),
            format!("d{}", measured.depth),
            format!("{} nodes", number::count(measured.nodes as f64)),
            format!("{:.3} {}", self.time_s(), self.unit()),
            format!("{}/s", rate(measured.nps())),
        ];
        let mut line = output::row(columns, &entries);
        let mut gap = "  ";
        for word in line_in_san(&self.epd.setup, &self.found.outcome.answer.line) {
            if line.chars().count() + gap.len() + word.len() > width() {
                break;
            }
            line = line + gap + &word;
            gap = " ";
        }
        line
    }
}

const SOLVED: &str = "solved";

/// Mark of an unsolved position, with the moves that would have solved it: `unsolved (best f6)`.
fn unsolved(epd: &Epd) -> String {
    let Some(board) = Mailbox::set_up(&epd.setup, Keys::of_seed(0)).ok() else { return String::new() };
    let moves = |of: &[Move]| of.iter().map(|mv| san(&board, *mv)).collect::<Vec<_>>().join(", ");
    match &epd.best[..] {
        [] => format!("unsolved (avoid {})", moves(&epd.avoid)),
        best => format!("unsolved (best {})", moves(best)),
    }
}

fn line_in_san(setup: &Setup, line: &[Move]) -> Vec<String> {
    Mailbox::set_up(setup, Keys::of_seed(0)).map_or_else(|_| Vec::new(), |board| numbered(&board, line))
}

fn iteration_json(iteration: &Iteration) -> impl Serialize + use<> {
    let Iteration { depth, nodes, failed_window, .. } = *iteration;
    object! {
        depth, time_s: seconds(iteration.nanoseconds), nodes, score_raw: iteration.score.0,
        bestmove: iteration.line.first().map(ToString::to_string), failed_window,
    }
}

fn answer_json(answer: &DepthAnswer) -> impl Serialize + use<'_> {
    let DepthAnswer { depth, time_ns, nodes, score_raw, bestmove, .. } = answer;
    object! { depth, time_s: seconds(*time_ns), nodes, score_raw, bestmove }
}

/// Counts and times of split points.
fn splits_json(Measurement { measured, outcome, .. }: &Measurement) -> impl Serialize {
    let (count, counters) = (|path| measured.count(path), &outcome.counters);
    let (stops, stop_ns) = (counters.stops, counters.stop_ns);
    object! {
        made: count("splits.made"), failed: count("splits.failed"), cut: count("splits.cut"),
        joined: count("splits.joined"), searched_before: count("splits.searched_before"),
        bytes: counters.copied_bytes, copy_ns: measured.sharing.copy_ns(), saved_moves: counters.saved_moves,
        stops, stop_ns,
        #[serde(flatten)]
        sharing: &measured.sharing,
        stop_mean_ns: (stops > 0).then(|| stop_ns as f64 / stops as f64),
        stop_longest_ns: counters.longest_stop_ns, by_kind: counters.splits,
    }
}

fn worker_json(worker: &WorkerRecord) -> impl Serialize + use<> {
    let WorkerRecord { nodes, cpu, pinned, activities, watch, .. } = *worker;
    object! {
        nodes, cpu, pinned,
        #[serde(flatten)]
        activities,
        #[serde(flatten)]
        disturbance: watch.map(|watch| object! { watch }),
    }
}

fn solved(positions: &[Position]) -> usize {
    positions.iter().filter(|position| position.measured().solved == Some(true)).count()
}

/// Number of positions that name best moves or moves to avoid.
fn solvable(positions: &[Position]) -> usize {
    positions.iter().filter(|position| position.measured().solved.is_some()).count()
}

/// JSON object of the whole command. `configuration` is what all searches have in common.
pub fn json(mut configuration: Value, positions: &[Position]) -> impl Serialize {
    let threads = positions.first().map_or(1, |position| position.cell.configuration.threads);
    configuration["table_on_large_pages_bytes"] =
        json!(positions.first().and_then(|position| position.measured().table_on_large_pages_bytes));
    object! {
        version: VERSION,
        configuration,
        positions: positions.iter().map(Position::json).collect::<Vec<_>>(),
        means: means(positions),
        speedup: speedup(&pairs(positions)).map(|speedup| object! {
            estimate: speedup.estimate, interval: speedup.is_known().then_some([speedup.low, speedup.high]),
            void: obstacle(&pairs(positions)),
            is_too_small: is_too_small_for(&pairs(positions), threads),
        }),
        totals: object! {
            nodes: positions.iter().map(|position| position.measured().nodes).sum::<u64>(),
            time_s: positions.iter().map(Position::time_s).sum::<f64>(),
            solved: solved(positions), solvable: solvable(positions),
        },
    }
}

/// Prints the means of several positions, and the comparison with one thread.
pub fn print_summary(positions: &[Position], out: &mut impl Write) -> io::Result<()> {
    let Some(first) = positions.first() else { return Ok(()) };
    let (means, unit) = (means(positions), first.unit());
    if positions.len() > 1 {
        let solved = match solvable(positions) {
            0 => String::new(),
            solvable => format!("{} of {solvable} solved; ", solved(positions)),
        };
        let (count, nodes) = (counted(positions.len(), "position", "positions"), number::count(means.nodes));
        writeln!(out, "{count}: {solved}mean {nodes} nodes, {:.3} {unit}, {}/{unit}", means.time_s, rate(means.nps))?;
    }
    let (compared, threads) = (pairs(positions), first.cell.configuration.threads);
    if let Some(line) = line_beside_one_thread(&compared, threads, unit) {
        writeln!(out, "{line}")?;
    }
    for (lead, line) in [("time    ", time_line(positions)), ("extra   ", extra_line(positions))] {
        if let Some(line) = line {
            output::paragraph(out, lead, &line)?;
        }
    }
    if let Some(line) = letters_line(positions, unit) {
        writeln!(out, "{line}")?;
    }
    if is_too_small_for(&compared, threads) {
        let one = number::figure(mean_time_s(&compared, |pair| pair.one_thread));
        let (text, least) =
            (format!("too small for {threads} processors: one takes {one} {unit}"), smallest_s(threads));
        let text = format!("{text}, and {} are needed; search deeper", number::figure(least));
        output::paragraph(out, "! ", &text)?;
    }
    Ok(())
}

/// How several processors spent their time, in all positions together: the shares of activities, the largest first.
fn time_line(positions: &[Position]) -> Option<String> {
    let measured: Vec<_> = positions.iter().map(Position::measured).collect();
    let of = |activity: Activity| measured.iter().map(|one| one.activities[activity]).sum::<u64>() as f64;
    let all: f64 = Activity::ALL.iter().map(|activity| of(*activity)).sum();
    let mut shares: Vec<_> = Activity::ALL.iter().map(|activity| (of(*activity) / all, activity)).collect();
    shares.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    let words = |(share, activity): &(f64, &Activity)| format!("{activity} {}", number::percent(*share));
    let shown: Vec<String> = shares.iter().filter(|(share, _)| *share >= TOLD).map(words).collect();
    let are_several = positions.first().is_some_and(|first| first.cell.configuration.threads > 1);
    (are_several && all > 0.0).then(|| shown.join(", "))
}

/// Nodes that several processors searched in vain, by cause, in shares of all nodes: as far as they are classed, and
/// those that only a ledger sees with `--losses`.
fn extra_line(positions: &[Position]) -> Option<String> {
    let nodes: u64 = positions.iter().map(|position| position.measured().nodes).sum();
    let words = |class: &Loss| {
        let of_class = |position: &Position| position.measured().losses.total(class.name());
        let lost = positions.iter().map(of_class).sum::<Option<i64>>()? as f64 / nodes as f64;
        (lost.abs() >= TOLD).then(|| format!("{} {}", class.name().replace('_', " "), number::percent(lost)))
    };
    let classes: Vec<String> = Loss::ALL.iter().filter_map(words).collect();
    let are_asked = positions.first().is_some_and(|first| first.cell.configuration.losses);
    (are_asked && !classes.is_empty()).then(|| format!("of all nodes: {}", classes.join(", ")))
}

/// Share of the whole from which on a part is named.
const TOLD: f64 = 0.002;

/// Line on the letters between nodes, if there are several: of one position, or means.
fn letters_line(positions: &[Position], unit: &str) -> Option<String> {
    let letters: Vec<LetterCounts> = positions.iter().filter_map(|position| position.measured().letters).collect();
    let (count, sum) = (letters.len() as f64, letters.iter().sum::<LetterCounts>());
    let seconds: f64 = positions.iter().map(|position| seconds(position.measured().elapsed_ns)).sum();
    let mean = |of: u64| number::count(of as f64 / count);
    (!letters.is_empty()).then(|| {
        let LetterCounts { letters, bytes, kept, refused, used, withheld, asked, .. } = sum;
        let megabytes = number::figure(bytes as f64 / 1e6 / seconds);
        let asked = if asked > 0 { format!("; {} questions to homes", mean(asked)) } else { String::new() };
        format!(
            "between nodes: {} letters of {} bytes, {megabytes} MB/{unit} in all; of their entries {} were kept, {} \
             refused, and {} of use; {} withheld{asked}",
            mean(letters),
            number::count(bytes as f64 / letters.max(1) as f64),
            mean(kept),
            mean(refused),
            mean(used),
            mean(withheld),
        )
    })
}

/// Prints the means of the thesis's figures, by our formulas and by its own.
pub fn print_thesis(positions: &[Position], out: &mut impl Write) -> io::Result<()> {
    let means = means(positions);
    let number = |heading| Column::number(heading, 0);
    let [hash, order, quiescence, leaves] = ["hash %", "order %", "quiescence %", "leaves / minimum"].map(number);
    let columns = [Column::text("means", 24), Column::number("nodes", 11), hash, order, quiescence, leaves];
    let row = |name: &str, nodes: f64, shares: [Option<f64>; 3], over_minimum: Option<f64>| {
        let shares = shares.map(|share| share.map_or_else(|| "-".into(), |share| format!("{share:.1}")));
        let over_minimum = over_minimum.map_or_else(String::new, two_digits);
        let entries = [name.to_owned(), number::count(nodes)].into_iter().chain(shares).chain([over_minimum]);
        output::row(&columns, &entries.collect::<Vec<_>>())
    };
    let ThesisMeans { nodes, hash_pct, order_pct, qn_pct } = means.thesis;
    let theirs = [hash_pct, order_pct, qn_pct].map(Some);
    writeln!(out, "{}", output::headings(&columns))?;
    writeln!(out, "{}", row("ours", means.nodes, [means.hash_pct, means.order_pct, means.qn_pct], means.over_minimum))?;
    writeln!(out, "{}", row("by the thesis's formulas", nodes, theirs, None))
}

/// Number with two significant digits, which are as many as a ratio to the minimal tree deserves: `1.2`, `0.058`.
fn two_digits(value: f64) -> String {
    let decimals = 1 - value.abs().max(f64::MIN_POSITIVE).log10().floor() as i32;
    number::fixed(value, decimals.clamp(0, 9) as usize)
}

/// Means of the searches of these positions.
fn means(positions: &[Position]) -> Means {
    Means::of(&positions.iter().map(Position::measured).collect::<Vec<_>>())
}

/// Columns of the lines of these positions.
pub fn columns(positions: &[Epd], cells: &[Cell]) -> Vec<Column> {
    // The line of one position needs no room for others.
    let among = |width: usize| if cells.len() > 1 { width } else { 0 };
    let widest = |of: &dyn Fn(&Epd) -> usize| among(positions.iter().map(of).max().unwrap_or(0));
    let goal = |epd: &Epd| if epd.best.is_empty() && epd.avoid.is_empty() { 0 } else { unsolved(epd).len() };
    let (text, number) = (|width| Column::text("", width), |width| Column::number("", among(width)));
    let position = among(cells.iter().map(|cell| cell.position.len()).max().unwrap_or(0));
    let [nodes, time, rate] = [13, 7, 9].map(number);
    vec![text(position), text(among(6)), number(5), text(widest(&goal)), text(among(3)), nodes, time, rate]
}

fn rate(per_second: Option<f64>) -> String {
    per_second.map_or_else(|| "-".into(), output::rate)
}

/// Line that describes an iteration on a machine of this kind.
pub fn iteration_line(setup: &Setup, iteration: &Iteration, machine: MachineKind) -> String {
    format!(
        "depth {:>2} {:>7} {:>11} nodes {:>8.3} {} {} {}",
        iteration.depth,
        iteration.score.to_string(),
        iteration.nodes,
        seconds(iteration.nanoseconds),
        machine.seconds(),
        if iteration.failed_window { "~" } else { " " },
        line_in_san(setup, &iteration.line).join(" ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_to_the_minimal_tree_have_two_digits() {
        assert_eq!([0.0579, 1.234, 12.34, 0.00156, 345.6].map(two_digits), ["0.058", "1.2", "12", "0.0016", "346"]);
    }
}
