//! The register: every figure of a search, declared once. What else names a figure reads it from here.
//!
//! A figure with a question is a column of that question's table and of `summary.csv`, in this order. Those that have
//! a name here are read elsewhere too.

use super::{Figure, Known, Reading, Unit};
use crate::counts::{Activity, Loss};

const PLAIN: Figure = Figure {
    key: "",
    heading: "",
    meaning: "",
    question: "",
    reading: Reading::Value(|_| None),
    unit: Unit::Number,
    known: Known::Always,
    least: f64::NEG_INFINITY,
    is_time: false,
    is_optional: false,
};

/// Nodes.
pub const NODES: Figure = Figure {
    key: "nodes",
    heading: "Nodes",
    meaning: "entries into the main search and legal moves made in quiescence; of an engine from outside, the nodes \
              that it tells",
    question: "tree",
    reading: Reading::Value(|run| Some(run.told(run.nodes)? as f64)),
    unit: Unit::Whole,
    known: Known::Whole,
    ..PLAIN
};

/// Nodes a second.
pub const NPS: Figure = Figure {
    key: "nps",
    heading: "Nodes a second",
    meaning: "nodes / seconds to the end of the search: the later of time_s and master_s",
    question: "tree",
    reading: Reading::Value(|run| run.nps()),
    unit: Unit::Whole,
    is_time: true,
    ..PLAIN
};

/// Seconds of the machine.
const TIME: Figure = Figure {
    key: "time_s",
    meaning: "seconds of the machine until any worker could answer with the depth asked for",
    reading: Reading::Value(|run| Some(run.time_ns as f64 * 1e-9)),
    known: Known::Whole,
    is_time: true,
    ..PLAIN
};

/// Share of quiescence in nodes, in hundredths.
pub const QUIESCENCE: Figure = Figure {
    key: "qn_share",
    heading: "Quiescence, %",
    meaning: "share of all nodes that are quiescence nodes",
    question: "tree",
    reading: Reading::Part(|run| Some([run.qnodes()?, run.nodes])),
    unit: Unit::Hundredths,
    known: Known::Ours,
    ..PLAIN
};

/// Nodes that the first move cut, in hundredths of those that a move cut.
pub const ORDER: Figure = Figure {
    key: "order_share",
    heading: "First move cuts, %",
    meaning: "share of the nodes with a cutoff at which the first move caused it",
    question: "tree",
    reading: Reading::Part(|run| run.counts(["cutoffs.first", "cutoffs.all"])),
    unit: Unit::Hundredths,
    known: Known::Ours,
    ..PLAIN
};

/// Nodes with a cutoff that a later move caused, by its place.
const LATER: Figure = Figure { question: "tree", unit: Unit::Share, known: Known::Ours, is_optional: true, ..PLAIN };

/// Leaves of the main search for each of the minimal trees.
pub const OVER_MINIMUM: Figure = Figure {
    key: "over_minimum",
    heading: "Leaves / minimum",
    meaning: "leaves of the main search for each that the minimal trees of its iterations have: B^ceil(d/2) + \
              B^floor(d/2) - 1 at depth d, where B is the mean number of legal moves",
    question: "tree",
    reading: Reading::Value(|run| run.over_minimum()),
    // A search that prunes otherwise than by cutoffs has no minimal tree to be held against.
    least: 0.5,
    is_optional: true,
    ..PLAIN
};

/// Share of the probes of the table, with its question.
const PROBES: Figure = Figure { question: "table", unit: Unit::Share, ..PLAIN };

/// Counts of letters between nodes, with their question.
const LETTERS: Figure = Figure { question: "cluster", unit: Unit::Whole, is_optional: true, ..PLAIN };

/// Probes that found the position.
pub const FOUND: Figure = Figure {
    key: "found_share",
    heading: "found, %",
    meaning: "share of probes that found the position",
    reading: Reading::Part(|run| run.counts(["found", "probes"])),
    ..PROBES
};

/// Probes that found the position searched deep enough.
pub const DEEP: Figure = Figure {
    key: "deep_share",
    heading: "deep, %",
    meaning: "share of probes that found it searched deep enough",
    reading: Reading::Part(|run| run.counts(["deep", "probes"])),
    ..PROBES
};

/// Probes that ended the node.
pub const ENDED: Figure = Figure {
    key: "ended_share",
    heading: "ended, %",
    meaning: "share of probes that ended the node",
    reading: Reading::Part(|run| run.counts(["ended", "probes"])),
    ..PROBES
};

/// Used slots of the table at the end.
pub const USED: Figure = Figure {
    key: "table_used_share",
    heading: "used, %",
    meaning: "share of the slots of the table that are used at the end, by 4096 of them",
    reading: Reading::Value(|run| run.table_used_permille.map(|permille| f64::from(permille) / 1e3)),
    ..PROBES
};

/// Probes of a kind whose entry another worker had written.
const FOREIGN: Figure = Figure {
    meaning: "with audit: share of those probes whose entry another worker had written",
    known: Known::Audited,
    ..PROBES
};

/// Probes of a million that met an entry which is not what it seems.
const TORN: Figure = Figure { unit: Unit::PerMillion, known: Known::Audited, ..PROBES };

/// Mean time from a cutoff to the moment at which a worker notices it.
pub const STOP_LATENCY: Figure = Figure {
    key: "stop_latency_s",
    meaning: "mean time in seconds from a cutoff or the end of the search until a worker notices it",
    question: "split",
    reading: Reading::Part(|run| run.counts(["stop_ns", "stops"])),
    unit: Unit::Seconds,
    is_time: true,
    ..PLAIN
};

/// Share of all processors' time, a figure for each activity.
pub const fn of_activity(activity: Activity) -> Figure {
    Figure {
        key: "share_{}",
        heading: "{}, %",
        meaning: "the share of all processors' time spent {}",
        question: "where",
        reading: Reading::Activity(activity),
        unit: Unit::Portion,
        is_time: true,
        is_optional: true,
        ..PLAIN
    }
}

/// Share of all nodes that are lost, a figure for each cause.
pub const fn of_loss(class: Loss) -> Figure {
    Figure {
        key: "lost_{}",
        heading: "{}, %",
        meaning: "{}, as a share of all nodes",
        question: "tree",
        reading: Reading::Loss(class),
        unit: Unit::Share,
        is_optional: true,
        ..PLAIN
    }
}

/// All figures but those of the families.
const REGISTER: &[Figure] = &[
    NODES,
    NPS,
    Figure {
        key: "nps_of_sums",
        meaning: "mean nodes / mean time, in which long searches weigh more",
        question: "tree",
        reading: Reading::OfMeans(&NODES, &TIME),
        unit: Unit::Whole,
        is_time: true,
        ..PLAIN
    },
    TIME,
    QUIESCENCE,
    ORDER,
    Figure {
        key: "cut_second_share",
        heading: "Second move, %",
        meaning: "share of the nodes with a cutoff at which the second move searched caused it",
        reading: Reading::Part(|run| run.counts(["cutoffs.second", "cutoffs.all"])),
        ..LATER
    },
    Figure {
        key: "cut_third_share",
        heading: "Third move, %",
        meaning: "share of the nodes with a cutoff at which the third move searched caused it",
        reading: Reading::Part(|run| run.counts(["cutoffs.third", "cutoffs.all"])),
        ..LATER
    },
    Figure {
        key: "cut_later_share",
        heading: "Later moves, %",
        meaning: "share of the nodes with a cutoff at which the fourth move searched, or a later one, caused it",
        reading: Reading::Part(|run| {
            let [all, second] = run.counts(["cutoffs.all", "cutoffs.second"])?;
            let [first, third] = run.counts(["cutoffs.first", "cutoffs.third"])?;
            Some([all.checked_sub(first + second + third)?, all])
        }),
        ..LATER
    },
    Figure {
        key: "late_exchange_share",
        heading: "Exchanges asked for, %",
        meaning: "with reductions=exchange: share of the moves after the first whose exchange value is computed, since \
                  the cheaper conditions leave them",
        reading: Reading::Part(|run| run.counts(["late_exchanges", "late_moves"])),
        ..LATER
    },
    OVER_MINIMUM,
    FOUND,
    DEEP,
    ENDED,
    Figure {
        key: "asked_share",
        heading: "asked, %",
        meaning: "probes of another worker's part of a distributed table",
        reading: Reading::Part(|run| Some([run.asked_and_unanswered?[0], run.count("probes")?])),
        ..PROBES
    },
    Figure {
        key: "unanswered_share",
        heading: "unanswered, %",
        meaning: "share of those that it has not answered in time",
        reading: Reading::Part(|run| run.asked_and_unanswered.map(|[asked, unanswered]| [unanswered, asked])),
        ..PROBES
    },
    USED,
    Figure {
        key: "found_foreign_share",
        heading: "found, others' entries, %",
        reading: Reading::Part(|run| run.counts(["found_foreign", "found"])),
        ..FOREIGN
    },
    Figure {
        key: "deep_foreign_share",
        heading: "deep, others' entries, %",
        reading: Reading::Part(|run| run.counts(["deep_foreign", "deep"])),
        ..FOREIGN
    },
    Figure {
        key: "ended_foreign_share",
        heading: "ended, others' entries, %",
        reading: Reading::Part(|run| run.counts(["ended_foreign", "ended"])),
        ..FOREIGN
    },
    Figure {
        key: "torn_rejected_per_million",
        heading: "torn, rejected",
        meaning: "with audit: per million probes, torn entries that the check rejected",
        reading: Reading::Part(|run| run.counts(["torn_rejected", "probes"])),
        ..TORN
    },
    Figure {
        key: "torn_accepted_per_million",
        heading: "torn, accepted",
        meaning: "with audit: per million probes, torn entries that the check accepted",
        reading: Reading::Part(|run| run.counts(["torn_accepted", "probes"])),
        ..TORN
    },
    Figure {
        key: "false_matches_per_million",
        heading: "false matches",
        meaning: "with audit: per million probes, whole entries of another position that the check accepted",
        reading: Reading::Part(|run| run.counts(["false_matches", "probes"])),
        ..TORN
    },
    Figure {
        key: "torn_standing",
        heading: "torn, standing",
        meaning: "with audit: slots whose two words come from different stores at the end",
        question: "table",
        reading: Reading::Value(|run| Some(run.torn_standing? as f64)),
        ..PLAIN
    },
    Figure {
        key: "splits_per_million",
        heading: "Splits a million nodes",
        meaning: "split points per million nodes",
        question: "split",
        reading: Reading::Part(|run| Some([run.count("splits.made")?, run.nodes])),
        unit: Unit::PerMillion,
        known: Known::Ours,
        is_optional: true,
        ..PLAIN
    },
    Figure {
        key: "cut_share",
        meaning: "share of split points at which a move caused a cutoff",
        question: "split",
        reading: Reading::Part(|run| run.counts(["splits.cut", "splits.made"])),
        unit: Unit::Share,
        ..PLAIN
    },
    Figure {
        key: "helpers",
        heading: "Helpers",
        meaning: "helpers per split point",
        question: "split",
        reading: Reading::Part(|run| run.counts(["splits.joined", "splits.made"])),
        is_optional: true,
        ..PLAIN
    },
    Figure {
        key: "letters",
        heading: "Letters",
        meaning: "letters between nodes of the virtual machine",
        reading: Reading::Value(|run| Some(run.letters?.letters as f64)),
        ..LETTERS
    },
    Figure {
        key: "letter_kib",
        heading: "KiB",
        meaning: "units of 1024 bytes in letters between nodes",
        reading: Reading::Value(|run| Some(run.letters?.bytes as f64 / 1024.0)),
        ..LETTERS
    },
    Figure {
        key: "entries_kept",
        heading: "Entries kept",
        meaning: "entries of other nodes that tables kept, one for each node that kept it",
        reading: Reading::Value(|run| Some(run.letters?.kept as f64)),
        ..LETTERS
    },
    Figure {
        key: "entries_used",
        heading: "of use",
        meaning: "entries of other nodes that gave a score or the first move",
        reading: Reading::Value(|run| Some(run.letters?.used as f64)),
        ..LETTERS
    },
    STOP_LATENCY,
];

/// Figure with a column of this name.
#[cfg(test)]
pub(crate) fn named(name: &str) -> Figure {
    all().find(|figure| figure.name() == name).expect("a figure of the register")
}

/// All figures.
pub(crate) fn all() -> impl Iterator<Item = Figure> {
    let activities = Activity::ALL.iter().map(|&activity| of_activity(activity));
    let losses = Loss::ALL.iter().map(|&class| of_loss(class));
    REGISTER.iter().copied().chain(activities).chain(losses)
}
