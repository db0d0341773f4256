//! Columns of `runs.csv` that say what a search found and what it took, on any machine.

use crate::analysis::parallelism::RULES;
use crate::counts::{Activity, Counters, Loss, phrase};
use crate::figures::of_runs;
use crate::figures::register::{ENDED, NODES, NPS, ORDER, OVER_MINIMUM, QUIESCENCE, STOP_LATENCY, USED};
use crate::record::Measured;
use crate::table::{Cell, Columns, columns};

use super::run_row::RunRow;

/// Counts that are told as parts of other figures: nodes, shares and mean times.
const PARTS: [&str; 5] = ["main_nodes", "quiescence_nodes", "quiescence_tried", "tier_hits", "stop_ns"];

fn is_part(name: &str) -> bool {
    PARTS.contains(&name) || RULES.iter().any(|rule| rule.count == name)
}

/// Columns of the measurement, empty where the search failed; those that only our engine tells are empty for others.
pub(super) fn measured<'a>() -> Columns<'a, RunRow<'a>> {
    let first = found().of(RunRow::measured).and(tree().of(RunRow::measured_of_ours));
    let more = stores().and(activities()).of(RunRow::measured_of_ours).and(losses());
    let known = first.and(audited()).and(more).and(splits().of(RunRow::measured_of_ours));
    let others = others(&known);
    known.and(others.of(RunRow::measured_of_ours))
}

/// Hundredths as a share of one.
fn in_shares(hundredths: f64) -> f64 {
    hundredths / 100.0
}

/// Answer, times and nodes.
fn found() -> Columns<'static, Measured> {
    let found = columns! { Measured, m;
        "bestmove": "the move to play" => m.bestmove.clone();
        "score_raw": "score of that move in thousandths of a pawn, for the side to move" => m.told_score();
        "mate": "moves to mate, negative if the side to move is mated" => m.mate;
        "depth_reached": "the depth of the answer in plies" => m.told(m.depth.into());
        "seldepth": "the deepest line with quiescence, in plies" => m.told(m.seldepth);
        "solved": "whether the move is a best move of the position, if the position names any" => m.solved;
        "time_s": "seconds of the machine until any worker could answer with the depth asked for" =>
            Cell::Time(m.time_ns);
        "master_s": "seconds until worker 0 could answer with that depth" => m.master_ns.map(Cell::Time);
        "voted_s": "seconds until the workers would have voted for an answer of that depth" =>
            m.voted_ns.map(Cell::Time);
        "elapsed_s": "seconds until the last worker had finished" => Cell::Time(m.elapsed_ns);
    };
    let program = columns! { Measured, m;
        "program": "name that an engine from outside gives itself" => m.program.clone();
    };
    found.and(of_runs(&[NPS, NODES])).and(program)
}

/// Tree and probes of the table.
fn tree() -> Columns<'static, Measured> {
    let quiescence = columns! { Measured, m; "qnodes": "the part of nodes made in quiescence" => m.qnodes(); };
    let thesis = columns! { Measured, m;
        "thesis_nodes": "nodes as the thesis counts them: quiescence moves when tried" => m.thesis_nodes();
        "thesis_hash_share": "hash hits by the thesis's formula, rounded to hundredths" =>
            m.thesis_hash_pct().map(|hundredths| in_shares(hundredths as f64));
        "thesis_order_share": "move ordering by the thesis's formula, rounded to hundredths" =>
            m.thesis_order_pct().map(|hundredths| in_shares(hundredths as f64));
        "thesis_qn_share": "share of quiescence by the thesis's formula, rounded to hundredths" =>
            m.thesis_qn_pct().map(|hundredths| in_shares(hundredths as f64));
    };
    let cutoffs = columns! { Measured, m;
        "cutoffs": "nodes at which a move caused a cutoff" => m.count("cutoffs.all");
        "cutoffs_first": "nodes at which the first legal move caused a cutoff" => m.count("cutoffs.first");
    };
    let tree = quiescence.and(of_runs(&[QUIESCENCE])).and(thesis).and(cutoffs).and(of_runs(&[ORDER, OVER_MINIMUM]));
    let ended = ENDED.meaning;
    let ended = columns! { Measured, m; "ended_share": ended => m.hash_pct().map(in_shares); };
    tree.and(parallelism()).and(counted("probes found deep ended")).and(ended).and(counted("only_move"))
}

/// Limits of the tree of one virtual processor.
fn parallelism() -> Columns<'static, Measured> {
    RULES.iter().fold(Columns::new(), |columns, rule| {
        columns.with(&rule.column, &rule.meaning, |m: &Measured| m.parallelism(rule.count))
    })
}

/// Columns of the counts of these names, which stand with blanks between them.
///
/// # Panics
/// Panics if one of them is not in the register.
fn counted(names: &str) -> Columns<'static, Measured> {
    let count = |name| Counters::ALL.iter().find(|(known, _)| *known == name);
    named(names.split(' ').map(move |name| count(name).unwrap_or_else(|| panic!("{name} is not counted"))))
}

/// Columns of the counts that have none yet and are not told as parts of others.
fn others(known: &Columns<'_, RunRow<'_>>) -> Columns<'static, Measured> {
    named(Counters::ALL.iter().filter(|(name, _)| !is_part(name) && !known.has(name)))
}

/// Columns named like their counts.
fn named(counts: impl Iterator<Item = &'static (&'static str, &'static str)>) -> Columns<'static, Measured> {
    counts.fold(Columns::new(), |columns, (name, meaning)| {
        columns.with(*name, &phrase(meaning), |m: &Measured| m.count(name))
    })
}

fn audited<'a>() -> Columns<'a, RunRow<'a>> {
    let counts = counted("found_foreign deep_foreign ended_foreign torn_rejected torn_accepted false_matches");
    counts.of(|row: &RunRow<'_>| row.measured().filter(|_| row.record.cell.configuration.audit))
}

fn stores() -> Columns<'static, Measured> {
    let torn = columns! { Measured, m;
        "torn_standing": "slots of the table that were torn at the end (with audit)" => m.torn_standing;
        "asked": "probes of another worker's part of a distributed table" => m.asked_and_unanswered.map(|it| it[0]);
        "unanswered": "those that it has not answered in time" => m.asked_and_unanswered.map(|it| it[1]);
        "letters": "letters between nodes" => m.letters.map(|it| it.letters);
        "letter_bytes": "bytes of these letters" => m.letters.map(|it| it.bytes);
        "entries_kept": "entries of other nodes that were kept" => m.letters.map(|it| it.kept);
        "entries_refused": "those that were not, since as much was known" => m.letters.map(|it| it.refused);
        "entries_used": "those that gave a score or the first move" => m.letters.map(|it| it.used);
    };
    torn.and(of_runs(&[USED])).and(counted("stores"))
}

fn activities() -> Columns<'static, Measured> {
    Activity::ALL.iter().fold(Columns::new(), |columns, &activity| {
        let meaning = format!("seconds of all processors spent {}", phrase(activity.meaning()));
        columns.with(format!("{activity}_s"), &meaning, move |m: &Measured| match m.activities[activity] {
            // One node has none, and earlier versions did not tell.
            0 if activity == Activity::Network => Cell::Nothing,
            nanoseconds => Cell::Time(nanoseconds),
        })
    })
}

fn losses<'a>() -> Columns<'a, RunRow<'a>> {
    Loss::ALL.iter().fold(Columns::new(), |columns, class| {
        columns.with(class.name(), &phrase(class.meaning()), |row: &RunRow<'_>| {
            let is_known = !class.needs_ledger() || row.record.cell.configuration.losses;
            row.measured().filter(|_| is_known)?.losses.total(class.name()).map(|nodes| nodes.to_string())
        })
    })
}

fn splits() -> Columns<'static, Measured> {
    let made = columns! { Measured, m;
        "splits_made": "number of split points" => m.count("splits.made");
        "splits_failed": "split points at which nobody helped" => m.count("splits.failed");
        "splits_cut": "split points at which a move caused a cutoff" => m.count("splits.cut");
        "joined": "helpers that joined a split point" => m.count("splits.joined");
        "searched_before": "legal moves searched before a split, summed over split points" =>
            m.count("splits.searched_before");
    };
    let copying =
        columns! { Measured, m; "copy_s": "seconds spent copying to helpers" => m.sharing.copy_ns().map(Cell::Time); };
    let longest = columns! { Measured, m;
        "stop_latency_longest_s": "longest time in seconds from a cutoff or the end until a worker notices it" =>
            m.count("longest_stop_ns").map(Cell::Time);
    };
    let made = made.and(counted("copied_bytes")).and(copying);
    made.and(counted("saved_moves failed_attempts stops")).and(of_runs(&[STOP_LATENCY])).and(longest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_count_has_a_column_or_is_a_part_of_one() {
        let columns = measured();
        let known = |name: &str| Counters::ALL.iter().any(|(known, _)| *known == name);
        assert!(PARTS.iter().all(|name| known(name) && !columns.has(name)));
        assert!(Counters::ALL.iter().all(|(name, _)| columns.has(name) || is_part(name)));
    }
}
