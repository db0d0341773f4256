//! The columns of `runs.csv` that say what a search found and what it took, on any machine.

use super::columns::{Column, column};
use super::numbers::{exact_or_empty, seconds};
use super::runs::RunRow;

/// All of them.
pub(super) fn columns<'a>() -> Vec<Column<RunRow<'a>>> {
    [answer(), times(), tree(), table(), activities(), losses(), splits(), others()].into_iter().flatten().collect()
}

fn answer<'a>() -> Vec<Column<RunRow<'a>>> {
    vec![
        column("bestmove", "the move to play", |row: &RunRow<'a>| row.of(|m| m.bestmove.clone().unwrap_or_default())),
        column("score_raw", "its score in thousandths of a pawn, for the side to move", |row| {
            row.of(|m| m.score_raw.to_string())
        }),
        column("mate", "moves to mate, negative if the side to move is mated", |row| {
            row.of(|m| m.mate.map(|moves| moves.to_string()).unwrap_or_default())
        }),
        column("depth_reached", "the depth of the answer in plies", |row| row.of(|m| m.depth.to_string())),
        column("seldepth", "the deepest line with quiescence, in plies", |row| row.count(|m| m.seldepth)),
        column("solved", "whether a best move of the position was found, if it names any", |row| {
            row.of(|m| m.solved.map(|solved| solved.to_string()).unwrap_or_default())
        }),
    ]
}

fn times<'a>() -> Vec<Column<RunRow<'a>>> {
    vec![
        column(
            "time_s",
            "seconds of the machine until any worker could answer with the depth asked for",
            |row: &RunRow<'a>| row.of(|m| seconds(m.time_ns)),
        ),
        column("master_s", "seconds until worker 0 could", |row| {
            row.of(|m| m.master_ns.map(seconds).unwrap_or_default())
        }),
        column("voted_s", "seconds until the workers would have voted for an answer of that depth", |row| {
            row.of(|m| m.voted_ns.map(seconds).unwrap_or_default())
        }),
        column("elapsed_s", "seconds until the last worker had finished", |row| row.of(|m| seconds(m.elapsed_ns))),
        column("nps", "nodes / time_s", |row| row.of(|m| exact_or_empty(m.nps()))),
    ]
}

fn tree<'a>() -> Vec<Column<RunRow<'a>>> {
    vec![
        column("nodes", "entries into the main search and legal moves made in quiescence", |row: &RunRow<'a>| {
            row.count(|m| m.nodes)
        }),
        column("qnodes", "the part of nodes made in quiescence", |row| row.count(|m| m.qnodes)),
        column("qn_pct", "100 x qnodes / nodes", |row| row.ratio(100.0, |m| (m.qnodes, m.nodes))),
        column("thesis_nodes", "nodes as the thesis counts them: quiescence moves when tried", |row| {
            row.count(|m| m.thesis_nodes)
        }),
        column("thesis_hash_pct", "hash hits by the thesis's formula, a whole number", |row| {
            row.count(|m| m.thesis_hash_pct)
        }),
        column("thesis_order_pct", "move ordering by the thesis's formula, a whole number", |row| {
            row.count(|m| m.thesis_order_pct)
        }),
        column("thesis_qn_pct", "share of quiescence by the thesis's formula, a whole number", |row| {
            row.count(|m| m.thesis_qn_pct)
        }),
        column("cutoffs", "nodes that a move cut", |row| row.count(|m| m.cutoffs)),
        column("cutoffs_first", "nodes that the first legal move cut", |row| row.count(|m| m.cutoffs_first)),
        column("order_pct", "100 x cutoffs_first / cutoffs", |row| row.ratio(100.0, |m| (m.cutoffs_first, m.cutoffs))),
    ]
}

fn table<'a>() -> Vec<Column<RunRow<'a>>> {
    vec![
        column("probes", "probes of the table", |row: &RunRow<'a>| row.count(|m| m.probes)),
        column("found", "probes that found the position", |row| row.count(|m| m.found)),
        column("deep", "probes that found it searched deep enough", |row| row.count(|m| m.deep)),
        column("ended", "probes that ended the node", |row| row.count(|m| m.ended)),
        column("hash_pct", "100 x ended / probes", |row| row.ratio(100.0, |m| (m.ended, m.probes))),
        column("only_move", "probes that gave only a move to try first", |row| row.counter("only_move")),
        column("found_foreign", "of found, entries of other workers (with audit)", |row| row.audited("found_foreign")),
        column("deep_foreign", "of deep, entries of other workers (with audit)", |row| row.audited("deep_foreign")),
        column("ended_foreign", "of ended, entries of other workers (with audit)", |row| row.audited("ended_foreign")),
        column("torn_rejected", "torn entries that the check refused (with audit)", |row| row.audited("torn_rejected")),
        column("torn_accepted", "torn entries that the check let pass (with audit)", |row| {
            row.audited("torn_accepted")
        }),
        column("torn_standing", "slots of the table that were torn at the end (with audit)", |row| {
            row.of(|m| m.torn_standing.map(|slots| slots.to_string()).unwrap_or_default())
        }),
        column("stores", "stores into the table", |row| row.counter("stores")),
    ]
}

fn activities<'a>() -> Vec<Column<RunRow<'a>>> {
    vec![
        column("search_s", "seconds of all processors spent searching", |row: &RunRow<'a>| {
            row.of(|m| seconds(m.activities.search_ns))
        }),
        column("split_s", "seconds making, copying, joining and leaving split points", |row| {
            row.of(|m| seconds(m.activities.split_ns))
        }),
        column("lock_s", "seconds waiting for a lock", |row| row.of(|m| seconds(m.activities.lock_ns))),
        column("idle_s", "seconds without work", |row| row.of(|m| seconds(m.activities.idle_ns))),
        column("wait_s", "seconds in which an owner waits for its helpers", |row| {
            row.of(|m| seconds(m.activities.wait_ns))
        }),
        column("other_s", "seconds of anything else", |row| row.of(|m| seconds(m.activities.other_ns))),
    ]
}

fn losses<'a>() -> Vec<Column<RunRow<'a>>> {
    vec![
        column("aborted", "nodes whose search was stopped and brought nothing", |row: &RunRow<'a>| row.loss("aborted")),
        column("useless", "nodes below a brother that comes after the one that cut", |row| row.loss("useless")),
        column("stale_window", "nodes searched with an alpha that had risen meanwhile", |row| row.loss("stale_window")),
        column("repeat", "nodes searched before, the entry lost (with losses)", |row| row.loss_with_ledger("repeat")),
        column("duplicate", "nodes that another worker was searching too (with losses)", |row| {
            row.loss_with_ledger("duplicate")
        }),
        column("beyond", "nodes deeper than the search was to go", |row| row.loss("beyond")),
    ]
}

fn splits<'a>() -> Vec<Column<RunRow<'a>>> {
    vec![
        column("splits_made", "split points", |row: &RunRow<'a>| row.count(|m| m.splits.made)),
        column("splits_failed", "of those, at which nobody helped", |row| row.count(|m| m.splits.failed)),
        column("splits_cut", "of those, at which a move cut", |row| row.count(|m| m.splits.cut)),
        column("joined", "helpers that came", |row| row.count(|m| m.splits.joined)),
        column("searched_before", "legal moves that had been searched before a split, added up", |row| {
            row.count(|m| m.splits.searched_before)
        }),
        column("copied_bytes", "bytes copied to helpers", |row| row.count(|m| m.splits.bytes)),
        column("copy_s", "seconds that took", |row| row.of(|m| seconds(m.splits.copy_ns))),
        column("saved_moves", "moves before one that cut that need not be finished", |row| {
            row.count(|m| m.splits.saved_moves)
        }),
        column("failed_attempts", "attempts to split that found nobody to help", |row| row.counter("failed_attempts")),
        column("stops", "times that a worker was stopped", |row| row.count(|m| m.splits.stops)),
        column(
            "stop_latency_mean_us",
            "mean microseconds from a cutoff or the end to the moment a worker noticed",
            |row| row.ratio(1e-3, |m| (m.splits.stop_ns, m.splits.stops)),
        ),
        column("stop_latency_longest_ns", "the longest of those, in nanoseconds", |row| row.counter("longest_stop_ns")),
    ]
}

fn others<'a>() -> Vec<Column<RunRow<'a>>> {
    vec![
        column("evaluations", "evaluations", |row: &RunRow<'a>| row.counter("evaluations")),
        column("generations", "positions whose moves were generated", |row| row.counter("generations")),
        column("null_moves", "null moves tried", |row| row.counter("null_moves")),
        column("null_cuts", "null moves that cut", |row| row.counter("null_cuts")),
        column("researches", "moves searched again with an open window", |row| row.counter("researches")),
        column("check_extensions", "nodes at which a check extended the search", |row| row.counter("check_extensions")),
        column("one_reply_extensions", "nodes at which a single reply to check did", |row| {
            row.counter("one_reply_extensions")
        }),
        column("recapture_extensions", "nodes at which a recapture did", |row| row.counter("recapture_extensions")),
        column("pawn_extensions", "nodes at which a pawn on its seventh rank did", |row| {
            row.counter("pawn_extensions")
        }),
        column("put_off", "moves put off because another worker was searching them", |row| row.counter("put_off")),
        column("second_looks", "further looks into the table at nodes that had put off a move", |row| {
            row.counter("second_looks")
        }),
        column("ended_elsewhere", "nodes that such a look ended", |row| row.counter("ended_elsewhere")),
        column("beyond_nodes", "nodes of iterations deeper than was asked for", |row| row.counter("beyond_nodes")),
        column("draws", "nodes that were draws by repetition or the fifty-move rule", |row| row.counter("draws")),
    ]
}
