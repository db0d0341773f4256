//! The axes of files one by one, each with what a file may say and what it sets in a [choice](crate::choice::Choice).

use super::super::duration;
use super::super::values::{
    board, choice, costs, depths, disturb, names, numbers, pin, recipe, sliders, strategies, switch, text, whole,
};
use super::{OfFiles, Usual, each, one};
use crate::chess::choice::{BoardChoice, SlidersChoice};
use crate::machine::cost::CostModel;
use crate::machine::{MOST_PROCESSORS, Waiting};
use crate::micro;
use crate::parallel::{AnyStrategy, Copier, CopyMode};
use crate::record::axes::{
    AUDIT, BOARD, CLUSTER_NODES, COPIER, COPY, COSTS, DEPTH, DISTURB, FEATURES, HASH, HORIZON, LOSSES, MACHINE, MAKE,
    MICRO, NODES, PIN, SCHEME, SLIDERS, STRATEGY, THREADS, TIME, WAITING,
};
use crate::record::{MICROS, MachineKind};
use crate::search::features::{Preset, TakingBack};
use crate::search::table::{MOST_MIB, Scheme};
use crate::search::{DEEPEST, Horizon};

/// All axes of files. The first varies slowest in a plan, the last fastest.
pub(super) const OF_FILES: &[OfFiles] = &[
    OfFiles {
        axis: &MACHINE,
        key: "machine",
        values: || names(MachineKind::NAMES),
        usual: Usual::Text("real"),
        definition: "Texts",
        read: |item, _| each(choice(item), |chosen, machine| chosen.machine = machine),
    },
    OfFiles {
        axis: &COSTS,
        key: "costs",
        values: || {
            names(&CostModel::NAMES)
                + ", or one of the file, with changes; a final `,each` halves and doubles each cost in turn, \
           `,each*90%` changes each in turn"
        },
        usual: Usual::Unset("the preset's"),
        definition: "Texts",
        read: |item, definitions| each(costs(text(item)?, definitions), |chosen, costs| chosen.costs = Some(costs)),
    },
    OfFiles {
        axis: &FEATURES,
        key: "features",
        values: || names(Preset::NAMES) + ", with changes",
        usual: Usual::Text("modern"),
        definition: "Texts",
        read: |item, definitions| one(recipe(text(item)?, definitions), |chosen, features| chosen.features = features),
    },
    OfFiles {
        axis: &BOARD,
        key: "board",
        values: || names(BoardChoice::NAMES),
        usual: Usual::Text("bitboards"),
        definition: "Texts",
        read: |item, _| each(board(item), |chosen, board| chosen.board = board),
    },
    OfFiles {
        axis: &SLIDERS,
        key: "sliders",
        values: || names(SlidersChoice::NAMES) + ", or `available`: all that this processor can run",
        usual: Usual::Text("magic"),
        definition: "Texts",
        read: |item, _| each(sliders(item), |chosen, sliders| chosen.sliders = sliders),
    },
    OfFiles {
        axis: &HASH,
        key: "hash",
        values: || format!("1 to {MOST_MIB}"),
        usual: Usual::Unset("the preset's"),
        definition: "Numbers",
        read: |item, _| each(numbers(item, 1..=MOST_MIB), |chosen, hash| chosen.hash = Some(hash)),
    },
    OfFiles {
        axis: &SCHEME,
        key: "scheme",
        values: || {
            names(Scheme::NAMES)
                + ", on several nodes with what they exchange, as in `lockless,exchange=push,exchange-draft=6`"
        },
        usual: Usual::Text("lockless"),
        definition: "Texts",
        read: |item, _| each(choice(item), |chosen, scheme| chosen.scheme = scheme),
    },
    OfFiles {
        axis: &DEPTH,
        key: "depth",
        values: || {
            format!(
                "plies, 1 to {DEEPEST}, or `\"own\"`: each position to its own depth. The default is `\"own\"` \
if positions have depths, and unlimited if nodes or time are limited"
            )
        },
        usual: Usual::Text("11"),
        definition: "Numbers",
        read: |item, definitions| each(depths(item, definitions), |chosen, depth| chosen.depth = depth),
    },
    OfFiles {
        axis: &NODES,
        key: "nodes",
        values: || String::from("number of nodes per position"),
        usual: Usual::Unset("none"),
        definition: "WholeNumbers",
        read: |item, _| one(whole(item, 1..=i64::MAX), |chosen, nodes| chosen.nodes = Some(nodes as u64)),
    },
    OfFiles {
        axis: &TIME,
        key: "time",
        values: || String::from("time per position, such as `\"500ms\"` or `\"2s\"`"),
        usual: Usual::Unset("none"),
        definition: "Durations",
        read: |item, _| one(duration::read(item), |chosen, time| chosen.time = Some(time)),
    },
    OfFiles {
        axis: &STRATEGY,
        key: "strategy",
        values: || {
            names(AnyStrategy::NAMES)
                + ", with changes to their parameters, or an engine from outside that the file defines"
        },
        usual: Usual::Text("ybwc"),
        definition: "Texts",
        read: |item, definitions| {
            each(strategies(text(item)?, definitions), |chosen, strategy| chosen.strategy = strategy)
        },
    },
    OfFiles {
        axis: &WAITING,
        key: "waiting",
        values: || names(Waiting::NAMES),
        usual: Usual::Text("park"),
        definition: "Texts",
        read: |item, _| each(choice(item), |chosen, waiting| chosen.waiting = waiting),
    },
    OfFiles {
        axis: &COPY,
        key: "copy",
        values: || {
            names(CopyMode::NAMES) + "; `partial:K` with K derived parts, and `FORM+N` or `padded:N` with N bytes more"
        },
        usual: Usual::Unset("the strategy's"),
        definition: "Texts",
        read: |item, _| each(choice(item), |chosen, copy| chosen.copy = Some(copy)),
    },
    OfFiles {
        axis: &COPIER,
        key: "copier",
        values: || names(Copier::NAMES),
        usual: Usual::Unset("the strategy's"),
        definition: "Texts",
        read: |item, _| each(choice(item), |chosen, copier| chosen.copier = Some(copier)),
    },
    OfFiles {
        axis: &MAKE,
        key: "make",
        values: || names(TakingBack::NAMES),
        usual: Usual::Unset("the features'"),
        definition: "Texts",
        read: |item, _| each(choice(item), |chosen, make| chosen.make = Some(make)),
    },
    OfFiles {
        axis: &PIN,
        key: "pin",
        values: || String::from("`none`, `cores`, `spread`, `compact`, `threads`, or a list of CPUs such as `0,2-5`"),
        usual: Usual::Text("cores"),
        definition: "Texts",
        read: |item, _| one(pin(text(item)?), |chosen, pin| chosen.pin = pin),
    },
    OfFiles {
        axis: &DISTURB,
        key: "disturb",
        values: || {
            String::from(
                "`none`, a number of threads such as `2`, or `2 of 24`: two threads on the first 24 CPUs in \
the order of pinning. With `memory` after that, they stream through memory; with `period=60s share=0.5` at the end, \
they work in the first half of each minute only",
            )
        },
        usual: Usual::Text("none"),
        definition: "Numbers",
        read: |item, _| one(disturb(item), |chosen, disturb| chosen.disturb = disturb),
    },
    OfFiles {
        axis: &AUDIT,
        key: "audit",
        values: || String::from("true or false"),
        usual: Usual::Text("false"),
        definition: "Switches",
        read: |item, _| one(switch(item), |chosen, audit| chosen.audit = audit),
    },
    OfFiles {
        axis: &LOSSES,
        key: "losses",
        values: || String::from("true or false"),
        usual: Usual::Text("false"),
        definition: "Switches",
        read: |item, _| one(switch(item), |chosen, losses| chosen.losses = losses),
    },
    OfFiles {
        axis: &HORIZON,
        key: "horizon",
        values: || names(Horizon::NAMES),
        usual: Usual::Text("open"),
        definition: "Texts",
        read: |item, _| each(choice(item), |chosen, horizon| chosen.horizon = horizon),
    },
    OfFiles {
        axis: &CLUSTER_NODES,
        key: "cluster_nodes",
        values: || {
            format!("1 to {MOST_PROCESSORS}. `threads` is then that of each node, and records have the product of both")
        },
        usual: Usual::Text("1"),
        definition: "Numbers",
        read: |item, _| each(numbers(item, 1..=MOST_PROCESSORS as u32), |chosen, nodes| chosen.cluster_nodes = nodes),
    },
    OfFiles {
        axis: &THREADS,
        key: "threads",
        values: || format!("1 to {MOST_PROCESSORS}; 1 is the baseline"),
        usual: Usual::Text("1..=cores"),
        definition: "Numbers",
        read: |item, _| each(numbers(item, 1..=MOST_PROCESSORS as u32), |chosen, threads| chosen.threads = threads),
    },
    OfFiles {
        axis: &MICRO,
        key: "micro",
        values: || names(&MICROS),
        usual: Usual::Unset("none"),
        definition: "Texts",
        read: |item, _| {
            let named = micro::named(text(item)?).map_err(|error| error.to_string());
            one(named, |chosen, micro| chosen.micro = Some(micro))
        },
    },
];
