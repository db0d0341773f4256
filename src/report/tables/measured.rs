//! Columns of `runs.csv` that say what a search found and what it took, on any machine.

use crate::record::Measured;
use crate::report::analysis::{ACTIVITIES, LOSSES, needs_ledger};
use crate::table::{Cell, Columns, columns};

use super::runs::RunRow;

/// Columns of the measurement, empty where the search failed.
pub(super) fn measured<'a>() -> Columns<'a, RunRow<'a>> {
    answer().and(times()).and(tree()).and(table()).and(activities()).and(losses()).and(splits()).and(others())
}

fn answer<'a>() -> Columns<'a, RunRow<'a>> {
    columns! { RunRow<'_>, row;
        "bestmove": "the move to play" => row.of(|m| m.bestmove.clone());
        "score_raw": "its score in thousandths of a pawn, for the side to move" => row.of(|m| m.score_raw);
        "mate": "moves to mate, negative if the side to move is mated" => row.of(|m| m.mate);
        "depth_reached": "the depth of the answer in plies" => row.of(|m| m.depth);
        "seldepth": "the deepest line with quiescence, in plies" => row.of(|m| m.seldepth);
        "solved": "whether a best move of the position was found, if it names any" => row.of(|m| m.solved);
    }
}

fn times<'a>() -> Columns<'a, RunRow<'a>> {
    columns! { RunRow<'_>, row;
        "time_s": "seconds of the machine until any worker could answer with the depth asked for" =>
            row.of(|m| Cell::Time(m.time_ns));
        "master_s": "seconds until worker 0 could" => row.of(|m| m.master_ns.map(Cell::Time));
        "voted_s": "seconds until the workers would have voted for an answer of that depth" =>
            row.of(|m| m.voted_ns.map(Cell::Time));
        "elapsed_s": "seconds until the last worker had finished" => row.of(|m| Cell::Time(m.elapsed_ns));
        "nps": "nodes / time_s" => row.of(|m| m.nps());
    }
}

fn tree<'a>() -> Columns<'a, RunRow<'a>> {
    columns! { RunRow<'_>, row;
        "nodes": "entries into the main search and legal moves made in quiescence" => row.of(|m| m.nodes);
        "qnodes": "the part of nodes made in quiescence" => row.of(|m| m.qnodes);
        "qn_pct": "100 x qnodes / nodes" => row.of(Measured::qn_pct);
        "thesis_nodes": "nodes as the thesis counts them: quiescence moves when tried" => row.of(|m| m.thesis_nodes);
        "thesis_hash_pct": "hash hits by the thesis's formula, a whole number" => row.of(|m| m.thesis_hash_pct);
        "thesis_order_pct": "move ordering by the thesis's formula, a whole number" => row.of(|m| m.thesis_order_pct);
        "thesis_qn_pct": "share of quiescence by the thesis's formula, a whole number" => row.of(|m| m.thesis_qn_pct);
        "cutoffs": "nodes that a move cut" => row.of(|m| m.cutoffs);
        "cutoffs_first": "nodes that the first legal move cut" => row.of(|m| m.cutoffs_first);
        "order_pct": "100 x cutoffs_first / cutoffs" => row.of(Measured::order_pct);
    }
}

fn table<'a>() -> Columns<'a, RunRow<'a>> {
    columns! { RunRow<'_>, row;
        "probes": "probes of the table" => row.of(|m| m.probes);
        "found": "probes that found the position" => row.of(|m| m.found);
        "deep": "probes that found it searched deep enough" => row.of(|m| m.deep);
        "ended": "probes that ended the node" => row.of(|m| m.ended);
        "hash_pct": "100 x ended / probes" => row.of(Measured::hash_pct);
        "only_move": "probes that gave only a move to try first" => row.counter("only_move");
        "found_foreign": "of found, entries of other workers (with audit)" => row.audited("found_foreign");
        "deep_foreign": "of deep, entries of other workers (with audit)" => row.audited("deep_foreign");
        "ended_foreign": "of ended, entries of other workers (with audit)" => row.audited("ended_foreign");
        "torn_rejected": "torn entries that the check refused (with audit)" => row.audited("torn_rejected");
        "torn_accepted": "torn entries that the check let pass (with audit)" => row.audited("torn_accepted");
        "torn_standing": "slots of the table that were torn at the end (with audit)" => row.of(|m| m.torn_standing);
        "stores": "stores into the table" => row.counter("stores");
    }
}

fn activities<'a>() -> Columns<'a, RunRow<'a>> {
    ACTIVITIES.into_iter().fold(Columns::new(), |columns, (name, meaning, time)| {
        columns.with(format!("{name}_s"), &format!("seconds of all processors spent {meaning}"), move |row| {
            row.of(|m| Cell::Time(time(&m.activities)))
        })
    })
}

fn losses<'a>() -> Columns<'a, RunRow<'a>> {
    LOSSES.into_iter().fold(Columns::new(), |columns, (class, meaning)| {
        columns.with(class, meaning, move |row: &RunRow<'_>| {
            let is_known = !needs_ledger(class) || row.record.cell.configuration.losses;
            row.of(|m| m.losses.get(class).map(ToString::to_string)).filter(|_| is_known)
        })
    })
}

fn splits<'a>() -> Columns<'a, RunRow<'a>> {
    columns! { RunRow<'_>, row;
        "splits_made": "split points" => row.of(|m| m.splits.made);
        "splits_failed": "of those, at which nobody helped" => row.of(|m| m.splits.failed);
        "splits_cut": "of those, at which a move cut" => row.of(|m| m.splits.cut);
        "joined": "helpers that came" => row.of(|m| m.splits.joined);
        "searched_before": "legal moves that had been searched before a split, added up" =>
            row.of(|m| m.splits.searched_before);
        "copied_bytes": "bytes copied to helpers" => row.of(|m| m.splits.bytes);
        "copy_s": "seconds that took" => row.of(|m| Cell::Time(m.splits.copy_ns));
        "saved_moves": "moves before one that cut that need not be finished" => row.of(|m| m.splits.saved_moves);
        "failed_attempts": "attempts to split that found nobody to help" => row.counter("failed_attempts");
        "stops": "times that a worker was stopped" => row.of(|m| m.splits.stops);
        "stop_latency_mean_us": "mean microseconds from a cutoff or the end to the moment a worker noticed" =>
            row.of(|m| (m.splits.stops > 0).then(|| 1e-3 * m.splits.stop_ns as f64 / m.splits.stops as f64));
        "stop_latency_longest_ns": "the longest of those, in nanoseconds" => row.counter("longest_stop_ns");
    }
}

/// Columns of raw counts, named like them.
fn others<'a>() -> Columns<'a, RunRow<'a>> {
    let counts = [
        ("evaluations", "evaluations"),
        ("generations", "positions whose moves were generated"),
        ("null_moves", "null moves tried"),
        ("null_cuts", "null moves that cut"),
        ("researches", "moves searched again with an open window"),
        ("check_extensions", "nodes at which a check extended the search"),
        ("one_reply_extensions", "nodes at which a single reply to check did"),
        ("recapture_extensions", "nodes at which a recapture did"),
        ("pawn_extensions", "nodes at which a pawn on its seventh rank did"),
        ("put_off", "moves put off because another worker was searching them"),
        ("second_looks", "further looks into the table at nodes that had put off a move"),
        ("ended_elsewhere", "nodes that such a look ended"),
        ("beyond_nodes", "nodes of iterations deeper than was asked for"),
        ("draws", "nodes that were draws by repetition or the fifty-move rule"),
    ];
    counts.into_iter().fold(Columns::new(), |columns, (name, meaning)| {
        columns.with(name, meaning, move |row: &RunRow<'_>| row.counter(name))
    })
}
