//! Columns of `runs.csv` that say what a search found and what it took, on any machine.

use crate::record::Measured;
use crate::report::analysis::{ACTIVITIES, LOSSES, needs_ledger};
use crate::table::{Cell, Columns, columns};

use super::runs::RunRow;

/// Columns of the measurement, empty where the search failed; those that only our engine tells are empty for others.
pub(super) fn measured<'a>() -> Columns<'a, RunRow<'a>> {
    let first = found().of(RunRow::measured).and(tree().of(RunRow::measured_of_ours));
    let more = stores().and(activities()).of(RunRow::measured_of_ours).and(losses());
    first.and(audited()).and(more).and(splits().and(others()).of(RunRow::measured_of_ours))
}

/// Hundredths as a share of one.
fn in_shares(hundredths: f64) -> f64 {
    hundredths / 100.0
}

/// Answer, times and nodes.
fn found() -> Columns<'static, Measured> {
    columns! { Measured, m;
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
        "nps": "nodes / seconds to the end of the search: the later of time_s and master_s" => m.nps();
        "nodes": "entries into the main search and legal moves made in quiescence; of an engine from outside, the \
                  nodes that it tells" => m.told(m.nodes);
        "program": "name that an engine from outside gives itself" => m.program.clone();
    }
}

/// Tree and probes of the table.
fn tree() -> Columns<'static, Measured> {
    columns! { Measured, m;
        "qnodes": "the part of nodes made in quiescence" => m.qnodes;
        "qn_share": "qnodes / nodes" => m.qn_pct().map(in_shares);
        "thesis_nodes": "nodes as the thesis counts them: quiescence moves when tried" => m.thesis_nodes;
        "thesis_hash_share": "hash hits by the thesis's formula, rounded to hundredths" =>
            in_shares(m.thesis_hash_pct as f64);
        "thesis_order_share": "move ordering by the thesis's formula, rounded to hundredths" =>
            in_shares(m.thesis_order_pct as f64);
        "thesis_qn_share": "share of quiescence by the thesis's formula, rounded to hundredths" =>
            in_shares(m.thesis_qn_pct as f64);
        "cutoffs": "nodes at which a move caused a cutoff" => m.cutoffs;
        "cutoffs_first": "nodes at which the first legal move caused a cutoff" => m.cutoffs_first;
        "order_share": "cutoffs_first / cutoffs" => m.order_pct().map(in_shares);
        "over_minimum": "leaves of the main search for each that the minimal trees of its iterations have" =>
            m.over_minimum();
        "probes": "probes of the table" => m.probes;
        "found": "probes that found the position" => m.found;
        "deep": "probes that found it searched deep enough" => m.deep;
        "ended": "probes that ended the node" => m.ended;
        "ended_share": "ended / probes" => m.hash_pct().map(in_shares);
        "only_move": "probes that gave only a move to try first" => m.counter("only_move");
    }
}

fn audited<'a>() -> Columns<'a, RunRow<'a>> {
    columns! { RunRow<'_>, row;
        "found_foreign": "probes of found, on entries of other workers (with audit)" => row.audited("found_foreign");
        "deep_foreign": "probes of deep, on entries of other workers (with audit)" => row.audited("deep_foreign");
        "ended_foreign": "probes of ended, on entries of other workers (with audit)" => row.audited("ended_foreign");
        "torn_rejected": "torn entries that the check rejected (with audit)" => row.audited("torn_rejected");
        "torn_accepted": "torn entries that the check accepted (with audit)" => row.audited("torn_accepted");
        "false_matches": "whole entries of another position that the check accepted (with audit)" =>
            row.audited("false_matches");
    }
}

fn stores() -> Columns<'static, Measured> {
    columns! { Measured, m;
        "torn_standing": "slots of the table that were torn at the end (with audit)" => m.torn_standing;
        "stores": "stores into the table" => m.counter("stores");
    }
}

fn activities() -> Columns<'static, Measured> {
    ACTIVITIES.into_iter().fold(Columns::new(), |columns, (name, meaning, time)| {
        columns.with(format!("{name}_s"), &format!("seconds of all processors spent {meaning}"), move |m: &Measured| {
            Cell::Time(time(&m.activities))
        })
    })
}

fn losses<'a>() -> Columns<'a, RunRow<'a>> {
    LOSSES.into_iter().fold(Columns::new(), |columns, (class, meaning)| {
        columns.with(class, meaning, move |row: &RunRow<'_>| {
            let is_known = !needs_ledger(class) || row.record.cell.configuration.losses;
            row.measured().filter(|_| is_known)?.losses.get(class).map(ToString::to_string)
        })
    })
}

fn splits() -> Columns<'static, Measured> {
    columns! { Measured, m;
        "splits_made": "number of split points" => m.splits.made;
        "splits_failed": "split points at which nobody helped" => m.splits.failed;
        "splits_cut": "split points at which a move caused a cutoff" => m.splits.cut;
        "joined": "helpers that joined a split point" => m.splits.joined;
        "searched_before": "legal moves searched before a split, summed over split points" => m.splits.searched_before;
        "copied_bytes": "bytes copied to helpers" => m.splits.bytes;
        "copy_s": "seconds spent copying to helpers" => Cell::Time(m.splits.copy_ns);
        "saved_moves": "moves at split points that need not be finished, since a move later in the order caused a \
                        cutoff first" => m.splits.saved_moves;
        "failed_attempts": "attempts to split that found no helper" => m.counter("failed_attempts");
        "stops": "times that a worker was stopped" => m.splits.stops;
        "stop_latency_s": "mean time in seconds from a cutoff or the end of the search until a worker notices it" =>
            (m.splits.stops > 0).then(|| 1e-9 * m.splits.stop_ns as f64 / m.splits.stops as f64);
        "stop_latency_longest_s": "longest time in seconds from a cutoff or the end until a worker notices it" =>
            m.counter("longest_stop_ns").map(Cell::Time);
    }
}

/// Columns of raw counts, named like them.
fn others() -> Columns<'static, Measured> {
    let counts = [
        ("leaves", "entries into the main search that went on to quiescence at once: the leaves of its tree"),
        ("counted_nodes", "nodes of the main search whose legal moves were counted: one of each 256"),
        ("counted_moves", "legal moves of the nodes that were counted"),
        ("evaluations", "positions evaluated"),
        ("generations", "positions whose moves were generated"),
        ("null_moves", "null moves tried"),
        ("null_cuts", "null moves that caused a cutoff"),
        ("researches", "moves searched again with an open window"),
        ("skipped_moves", "moves that were skipped, since they could not be good enough"),
        ("reduced_moves", "moves searched less deep"),
        ("reduced_in_vain", "moves searched less deep that turned out better than alpha, and were searched again"),
        ("check_extensions", "nodes at which a check extended the search"),
        ("one_reply_extensions", "nodes at which a single reply to check extended the search"),
        ("recapture_extensions", "nodes at which a recapture extended the search"),
        ("pawn_extensions", "nodes at which a pawn on its seventh rank extended the search"),
        ("put_off", "moves put off because another worker was searching them"),
        ("second_looks", "further probes of the table at nodes that had put off a move"),
        ("ended_elsewhere", "nodes ended by such a further probe"),
        ("beyond_nodes", "nodes of iterations deeper than the depth asked for"),
        ("draws", "nodes that were draws by repetition or the fifty-move rule"),
    ];
    counts.into_iter().fold(Columns::new(), |columns, (name, meaning)| {
        columns.with(name, meaning, move |m: &Measured| m.counter(name))
    })
}
