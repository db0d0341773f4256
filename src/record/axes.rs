//! The axes along which searches differ, each declared once. What follows from a line: the field of
//! [`Configuration`](super::Configuration) with its column in tables and its words in labels; the key of an experiment
//! file with its values, default and entry in the JSON schema; its place in the product that is a plan; and its row in
//! the documentation.
//!
//! A line reads
//!
//! ```text
//! FIELD: TYPE = "meaning", column "name in CSV files", label "words around {}" {
//!     axis KEY: TYPE WHILE A PLAN IS MADE; file DEFINITION IN THE SCHEMA; rank PLACE IN THE PRODUCT, 0 VARIES SLOWEST;
//!     values WHAT A FILE MAY SAY; default "text" [is VALUE, if the text is none that a file may say];
//!     read VALUES OF AN ITEM; write THE FIELD; [only WHEN IT HAS A MEANING]
//! }
//! ```
//!
//! Records use what stands before the braces and know no engine. What stands between them is for the laboratory, which
//! expands the same list; its names are those of `lab::experiment::axes`. A field without an axis has nothing there.
//! Axes under `cell` belong to a cell, not to its configuration.

/// Passes the declarations of all axes to a macro.
macro_rules! axes {
    ($use:ident) => {
        $use! {
            configuration {
                machine: MachineKind = "kind of machine: real (threads of a computer) or virtual (in simulated time)" {
                    axis machine: MachineKind; file Texts; rank 0;
                    values names(&MachineKind::NAMES); default "real";
                    read |item, _| choice(item); write |machine| *machine
                }
                strategy: String = "strategy by which processors share the search" {
                    axis strategy: SearchedBy; file Texts; rank 10;
                    values names(&AnyStrategy::NAMES)
                        + ", with changes to their parameters, or an engine from outside that the file defines";
                    default "ybwc";
                    read |item, definitions| strategies(text(item)?, definitions); write ToString::to_string
                }
                engine: Option<String> = "engine from outside that searches instead of ours" {}
                threads: u32 = "number of processors", label "x{}" {
                    axis threads: u32; file Numbers; rank 20;
                    values format!("1 to {MOST_PROCESSORS}; 1 is the baseline"); default "1..=cores";
                    read |item, _| numbers(item, 1..=MOST_PROCESSORS as u32); write |threads| *threads
                }
                board: String = "representation of the board" {
                    axis board: BoardChoice; file Texts; rank 3;
                    values names(&BoardChoice::NAMES); default "bitboards";
                    read |item, _| board(item); write |board| board.name().to_owned();
                    only |of| of.strategy.is_ours()
                }
                sliders: Option<String> = "sliding method of bishops and rooks on bitboards" {
                    axis sliders: SlidersChoice; file Texts; rank 4;
                    values names(SlidersChoice::NAMES) + ", or `available`: all that this processor can run";
                    default "magic"; read |item, _| sliders(item);
                    write |sliders| Some(sliders.name().to_owned());
                    only |of| of.strategy.is_ours() && of.board.sliders().is_some()
                }
                features: String = "preset of features of the search, with changes" {
                    axis features: Recipe; file Texts; rank 2;
                    values names(Preset::NAMES) + ", with changes"; default "modern";
                    read |item, definitions| Ok(vec![recipe(text(item)?, definitions)?]); write ToString::to_string;
                    only |of| of.strategy.is_ours()
                }
                depth: Depth = "depth to search to, in plies", label "depth {}" {
                    axis depth: Depth; file Numbers; rank 7;
                    values format!(
                        "plies, 1 to {DEEPEST}, or `\"own\"`: each position to its own depth. The default is `\"own\"` \
if positions have depths, and unlimited if nodes or time are limited"
                    );
                    default "11"; read depths; write |depth| *depth
                }
                horizon: Option<String> = "whether lazy search knows its last depth (closed) or may go beyond it until it is reached (open); records without a value are of closed ones",
                    label "{} horizon"
                {
                    axis horizon: Horizon; file Texts; rank 19;
                    values names(Horizon::NAMES); default "open";
                    read |item, _| choice(item);
                    write |horizon| Some(horizon.name().to_owned()); only |of| of.has_horizon()
                }
                nodes: Option<u64> = "limit of nodes, if there is one",
                    column "nodes_limit", label "{} nodes"
                {
                    axis nodes: Option<u64>; file WholeNumbers; rank 8;
                    values "number of nodes per position"; default "none" is None;
                    read |item, _| whole(item, 1..=i64::MAX).map(|nodes| vec![Some(nodes as u64)]);
                    write |nodes| *nodes
                }
                time_s: Option<Seconds> = "limit of time in seconds of the machine, if there is one",
                    column "time_limit_s", label "{} s"
                {
                    axis time: Option<Seconds>; file Durations; rank 9;
                    values "time per position, such as `\"500ms\"` or `\"2s\"`"; default "none" is None;
                    read |item, _| Ok(vec![Some(duration::read(item)?)]); write |time| *time
                }
                hash_mib: u32 = "size of the table in MiB", label "{} MiB" {
                    axis hash: Option<u32>; file Numbers; rank 5;
                    values format!("1 to {MOST_MIB}"); default "the preset's" is None;
                    read |item, _| Ok(numbers(item, 1..=MOST_MIB)?.into_iter().map(Some).collect());
                    // 0: of the preset, which the features name.
                    write |mib| mib.unwrap_or(0)
                }
                scheme: String = "how workers share the table" {
                    axis scheme: Scheme; file Texts; rank 6;
                    values names(Scheme::NAMES); default "lockless";
                    read |item, _| choice(item);
                    write |scheme| scheme.name().to_owned(); only |of| of.strategy.is_ours()
                }
                waiting: Option<String> = "how processors wait" {
                    axis waiting: Waiting; file Texts; rank 11;
                    values names(&Waiting::NAMES); default "park";
                    read |item, _| choice(item);
                    write |waiting| Some(waiting.name().to_owned()); only |of| !of.is_alone() && of.strategy.is_ours()
                }
                copy: Option<String> = "form in which helpers get positions, if it is an axis", label "copy {}" {
                    axis copy: Option<CopyForm>; file Texts; rank 12;
                    values names(&CopyMode::NAMES)
                        + "; `partial:K` with K derived parts, and `FORM+N` or `padded:N` with N bytes more";
                    default "the strategy's" is None;
                    read |item, _| Ok(vec![Some(text(item)?.parse().map_err(|error: WordError| error.to_string())?)]);
                    write |form| form.as_ref().map(ToString::to_string); only |of| of.hands_over()
                }
                copier: Option<String> = "who copies positions under the lock of a split node, if it is an axis",
                    label "copier {}"
                {
                    axis copier: Option<Copier>; file Texts; rank 13;
                    values names(Copier::NAMES); default "the strategy's" is None;
                    read |item, _| Ok(choice(item)?.into_iter().map(Some).collect());
                    write |copier| copier.map(|copier| copier.name().to_owned()); only |of| of.hands_over()
                }
                make: Option<String> = "how a move is taken back, if it is an axis", label "make by {}" {
                    axis make: Option<TakingBack>; file Texts; rank 14;
                    values names(TakingBack::NAMES); default "the features'" is None;
                    read |item, _| Ok(choice(item)?.into_iter().map(Some).collect());
                    write |make| make.map(|make| make.name().to_owned()); only |of| of.strategy.is_ours()
                }
                pin: Option<String> = "where real threads run", label "pin {}" {
                    axis pin: Pin; file Texts; rank 15;
                    values "`none`, `cores`, `threads`, or a list of CPUs such as `0,2-5`"; default "cores";
                    read |item, _| pin(text(item)?);
                    write |pin| Some(pin.to_string()); only |of| of.machine == MachineKind::Real
                }
                disturb: DisturbedBy = "busy threads that compete with the measured threads for their processors",
                    label "disturbed by {}"
                {
                    axis disturb: Disturb; file Numbers; rank 16;
                    values "`none`, a number of threads such as `2`, or `2 of 24`: two threads on the first 24 CPUs in \
the order of pinning. With `memory` as the last word, they stream through memory";
                    default "none"; read |item, _| disturb(item);
                    write |disturb| disturb.to_string().into(); only |of| of.machine == MachineKind::Real
                }
                costs: Option<String> = "cost model of the virtual machine" {
                    axis costs: Option<CostModel>; file Texts; rank 1;
                    values names(&CostModel::NAMES)
                        + ", or one of the file, with changes; a final `,each` halves and doubles each cost in turn";
                    default "the preset's" is None;
                    read |item, definitions| Ok(costs(text(item)?, definitions)?.into_iter().map(Some).collect());
                    // Without one, it is that of the preset, which the features name.
                    write |model| model.as_ref().map(|model| model.name.clone()); only |of| of.machine == MachineKind::Virtual
                }
                micro: Option<String> = "micro-measurement of boards, which is no search", label "micro {}" {
                    axis micro: Option<&'static Micro>; file Texts; rank 21;
                    values names(&micro::names()); default "none" is None;
                    read |item, _| Ok(vec![Some(micro::named(text(item)?).map_err(|error| error.to_string())?)]);
                    write |micro| micro.map(|micro| micro.name.to_owned())
                }
                costs_hash: Option<String> = "hash of the cost model" {}
                engine_hash: Option<String> = "hash of how the engine from outside is started and set" {}
                audit: bool = "whether table entries are stamped with their positions and the workers that wrote them" {
                    axis audit: bool; file Switches; rank 17;
                    values "true or false"; default "false";
                    read |item, _| Ok(vec![switch(item)?]); write |audit| *audit; only |of| of.strategy.is_ours()
                }
                losses: bool = "whether nodes that are searched twice are counted" {
                    axis losses: bool; file Switches; rank 18;
                    values "true or false"; default "false";
                    read |item, _| Ok(vec![switch(item)?]); write |losses| *losses; only |of| of.strategy.is_ours()
                }
            }
            cell {
                axis seed: u64 = "seed of keys, order of equal moves and, on the virtual machine, jitter"; file Numbers;
                values "the first seed, from which repetitions count up, or a list of all seeds"; default "0";
                read |item, _| numbers(item, 0..=i64::MAX as u64);
            }
        }
    };
}
pub(crate) use axes;
