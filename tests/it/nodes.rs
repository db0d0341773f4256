//! Virtual machines of several nodes: memory of another node is a panic, letters take their time, and nodes that search
//! together lose no letter and no score, whatever the order in which their processors run.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use splitpoint::chess::Setup;
use splitpoint::counts::LetterCounts;
use splitpoint::engine::{NodesError, Options, SearchError};
use splitpoint::machine::cost::CostModel;
use splitpoint::machine::{
    Access, Activity, Area, Failure, Home, Line, Lock, Machine, Processor, Program, Schedule, Switching,
    VirtualMachine, Waiting, Work,
};
use splitpoint::parallel::AnyStrategy;
use splitpoint::random::SplitMix;
use splitpoint::search::features::Recipe;
use splitpoint::search::table::{TableOptions, TableSharing, Tables};
use splitpoint::search::{Horizon, Limits, Outcome, SearchSettings};

use crate::command_line::{splitpoint, stderr, stdout};
use crate::lab_folder::{Bench, done};
use crate::minimax::{SOUND, small_positions};
use crate::searching::{
    ANY_BOARD, SMALL_TABLE, chosen, lockless, mixed_positions, outcome, search, search_by, settings, simulated,
};
use crate::strategies::{all, everything, scores, without_table};

/// Ways in which nodes exchange entries, with letters small enough for small searches.
const EXCHANGES: [&str; 4] = [
    "lockless",
    "lockless,exchange=push,exchange-draft=1,exchange-batch=2",
    "lockless,exchange=ring,exchange-draft=1,exchange-batch=2",
    "lockless,exchange=home,exchange-draft=1,exchange-batch=1",
];

/// A machine of nodes of this size, with these further costs.
fn cluster(nodes: usize, node_size: usize, costs: &str) -> VirtualMachine {
    let model = format!("reference,processors_per_node={node_size}{costs}").parse().unwrap();
    VirtualMachine::new(nodes * node_size, model)
}

fn table(settings: &SearchSettings, sharing: &str, nodes: usize, bytes: u64) -> TableOptions {
    let TableSharing { scheme, exchange } = sharing.parse().unwrap();
    TableOptions { nodes, exchange, ..settings.table(scheme, bytes) }
}

fn run<F: Program>(machine: &VirtualMachine, program: &F) -> Result<Vec<F::Output>, Failure> {
    machine.run(program).map(|run| run.outputs)
}

/// What processors of two nodes touch, all the same.
#[derive(Default)]
struct Shared {
    kind: usize,
    line: Line,
    home: Home,
    lock: Lock<u32>,
    area: Option<Area>,
}

impl Program for Shared {
    type Output = ();

    fn run<P: Processor>(&self, processor: &P) {
        let area = || self.area.as_ref().unwrap();
        match self.kind {
            0 => processor.touch(Access::Read(&self.line)),
            1 => processor.touch(Access::Write(&self.line)),
            2 => processor.touch(Access::Table { bytes: 1 << 20, home: &self.home }),
            3 => *processor.lock(&self.lock) += 1,
            4 => processor.touch(Access::ReadArea { area: area(), lines: 1 }),
            5 => processor.touch(Access::WriteArea(area())),
            6 => processor.touch(Access::ReadBeside(&self.line)),
            7 => drop(processor.try_lock(&self.lock)),
            _ => processor.touch(Access::Free),
        }
    }
}

#[test]
fn memory_of_another_node_is_a_panic() {
    for kind in 0..8 {
        let shared = || Shared { kind, area: Some(Area::new(1 << 12)), ..Shared::default() };
        let failure = run(&cluster(2, 2, ""), &shared()).unwrap_err();
        let Failure::Panic { processor: 2, message } = &failure else { panic!("{kind}: {failure}") };
        assert_eq!(message, "processor 0 of node 1 touches memory of node 0", "{kind}");
        assert_eq!(run(&cluster(1, 4, ""), &shared()), Ok(vec![(); 4]), "{kind}");
    }
    // Memory that an earlier run used is nobody's.
    let shared = Shared { kind: 1, ..Shared::default() };
    for _ in 0..2 {
        run(&cluster(1, 2, ""), &shared).unwrap();
    }
}

/// Calls a processor beyond its node.
struct Calling;

impl Program for Calling {
    type Output = ();

    fn run<P: Processor>(&self, processor: &P) {
        assert_eq!((processor.count(), processor.nodes()), (2, 2));
        assert_eq!(processor.place(), 2 * processor.node() + processor.id());
        processor.unpark(if processor.place() == 3 { 2 } else { 0 });
    }
}

#[test]
fn a_call_of_another_node_is_a_panic() {
    let failure = run(&cluster(2, 2, ""), &Calling).unwrap_err().to_string();
    assert_eq!(failure, "processor 3 panicked: processor 1 of node 1 calls processor 2 of 2: another node");
}

/// Node 0 sends three letters, of which the first is posted at 100; node 1 notes when it has which.
struct Sending;

impl Program for Sending {
    type Output = Vec<(u64, usize)>;

    fn run<P: Processor>(&self, processor: &P) -> Vec<(u64, usize)> {
        let mut received = Vec::new();
        if processor.node() == 0 {
            processor.spend(Work::Nanoseconds(100));
            for words in [64, 128, 0] {
                processor.post(1, &vec![0; words]);
                received.push((processor.now(), words));
            }
        } else {
            while received.len() < 3 {
                processor.await_letter("a letter");
                while let Some((0, words)) = processor.receive() {
                    received.push((processor.now(), words.len()));
                }
            }
        }
        received
    }
}

#[test]
fn a_letter_takes_its_overhead_its_bytes_and_the_latency() {
    let costs = ",jitter_permille=0,together_permille=0,net_overhead=10,net_latency=500,net_message=7,net_kib=64";
    let times = run(&cluster(2, 1, costs), &Sending).unwrap();
    assert_eq!(times[0], [(110, 64), (120, 128), (130, 0)], "the sender pays its overhead and waits for nothing");
    // 110 + 32 + 500, and the receiver's overhead. The port is free at 142 + 7, the second one out at 149 + 64, and the
    // third at 213 + 7: it is there before the second one has been read.
    assert_eq!(times[1], [(652, 64), (723, 128), (733, 0)]);
}

#[test]
fn one_node_gives_the_bytes_of_a_machine_without_nodes() {
    for (i, setup) in mixed_positions(2, 61).iter().enumerate() {
        let settings = settings(["thesis", "modern"][i], 5, i as u64);
        let options = lockless(&settings, SMALL_TABLE);
        for (n, text) in all().iter().enumerate() {
            let processors = [3, 20][(i + n) % 2];
            let run = |costs: &str| {
                let model: CostModel = format!("reference{costs}").parse().unwrap();
                let machine = simulated(VirtualMachine::new(processors, model));
                everything(&search_by(&machine, text, setup, &settings, &options))
            };
            let one = run(&format!(",network=10gbe,processors_per_node={processors}"));
            assert!(run("") == one, "{text} {processors}");
        }
    }
}

/// Strategies that several nodes search by.
fn on_nodes() -> Vec<String> {
    let more = ["lazy,history=shared", "teams,team=2", "teams,history=private", "lazy,skip=none,end=master"];
    let mut texts: Vec<String> = all().into_iter().chain(more.map(str::to_owned)).collect();
    texts.retain(|text| try_on_nodes(text).is_ok());
    texts
}

fn try_on_nodes(text: &str) -> Result<Outcome, SearchError> {
    let settings = settings("modern", 4, 0);
    let machine = simulated(cluster(2, 4, ",network=infiniband"));
    let setup = chosen(ANY_BOARD, &machine, text, &settings, &table(&settings, EXCHANGES[1], 2, SMALL_TABLE));
    let tables = Tables::new(&setup.table, 8, 1);
    setup.run((&machine, &tables), (&Setup::start()).into(), Options::default()).map(|found| found.outcome)
}

#[test]
fn every_strategy_runs_on_nodes_or_is_refused_by_name() {
    let mut refused = Vec::new();
    for text in all() {
        match try_on_nodes(&text) {
            Ok(_) => assert!(text.starts_with("lazy") || text.starts_with("teams"), "{text}"),
            Err(SearchError::Nodes(error)) => {
                let NodesError::Strategy { strategy, nodes: 2 } = &error else { panic!("{error}") };
                assert_eq!(strategy.parse::<AnyStrategy>(), text.parse());
                assert!(error.to_string().contains("expected teams, or lazy"), "{error}");
                refused.push(text);
            }
            Err(error) => panic!("{text}: {error}"),
        }
    }
    for name in ["sequential", "root", "pv-split", "ybwc", "ybwc-as-printed", "abdada", "dts"] {
        assert!(refused.iter().any(|text| text == name), "{name}");
    }
    assert!(try_on_nodes("lazy").is_ok() && try_on_nodes("teams").is_ok());
    for text in ["lazy,skip=cheng", "lazy,skip=texel", "lazy,skip=job", "lazy,jobs-stop"] {
        assert!(matches!(try_on_nodes(text), Err(SearchError::Nodes(_))), "{text}");
    }
}

#[test]
fn nodes_that_share_nothing_but_letters_touch_all_that_they_share() {
    for (i, setup) in mixed_positions(2, 62).iter().enumerate() {
        let settings = settings(["thesis", "modern"][i], 6, i as u64);
        for (n, text) in on_nodes().iter().enumerate() {
            for sharing in EXCHANGES {
                let (nodes, size) = [(2, 3), (4, 2), (3, 4)][(i + n) % 3];
                let costs = [",network=infiniband", ",network=1gbe", ",net_message=900,net_kib=90000"][n % 3];
                let run = |switching| {
                    let machine = simulated(VirtualMachine { switching, ..cluster(nodes, size, costs) });
                    let options = table(&settings, sharing, nodes, SMALL_TABLE);
                    let found = outcome(
                        &machine,
                        &chosen(ANY_BOARD, &machine, text, &settings, &options),
                        setup.into(),
                        Options::default(),
                    );
                    all_letters_came(&found);
                    everything(&found)
                };
                let first = run(Switching::AtTouch);
                assert!(first == run(Switching::AtSpend), "something shared is not touched: {text} {sharing} {costs}");
            }
        }
    }
}

/// No letter is lost or of another search.
fn all_letters_came(outcome: &Outcome) {
    let LetterCounts { letters, received, stale, .. } = outcome.letters.expect("there are several nodes");
    assert_eq!((received, stale), (letters, 0));
}

#[test]
fn entries_of_other_nodes_are_kept_and_used() {
    let setup = &mixed_positions(1, 63)[0];
    let settings = settings("modern", 9, 0);
    for sharing in EXCHANGES {
        let machine = simulated(cluster(4, 2, ",network=infiniband"));
        let options = table(&settings, sharing, 4, 1 << 20);
        let chosen = chosen(ANY_BOARD, &machine, "teams", &settings, &options);
        let found = outcome(&machine, &chosen, setup.into(), Options::default());
        let letters = found.letters.unwrap();
        all_letters_came(&found);
        let LetterCounts { kept, refused, used, bytes, asked, .. } = letters;
        let exchanges = sharing != EXCHANGES[0];
        assert_eq!([kept > 0, refused > 0, used > 0], [exchanges; 3], "{sharing}: {letters:?}");
        assert_eq!(asked > 0, sharing.contains("home"), "{letters:?}");
        assert!(bytes >= 16 * (kept + refused), "{letters:?}");
        // What is asked of a home is used, but not kept.
        assert!(asked > 0 || used <= kept, "{letters:?}");
    }
}

/// Nodes, nanoseconds, nanoseconds without work, and letters of a search by two nodes of three, as they were when this
/// was written, for each way of [`EXCHANGES`].
const RECORDED: [(u64, u64, u64, u64); 4] = [
    (830_252, 20_655_517, 4_261_146, 3),
    (777_105, 21_933_341, 4_122_156, 1_141),
    (767_027, 21_660_782, 4_730_611, 1_083),
    (595_891, 717_905_085, 65_953_560, 12_936),
];

#[test]
fn searches_of_several_nodes_are_the_recorded_ones() {
    let setup = splitpoint::chess::suites::position("BK12").unwrap().setup;
    let settings = settings("thesis", 8, 1);
    let found = EXCHANGES.map(|sharing| {
        let machine = simulated(cluster(2, 3, ",network=10gbe"));
        let options = table(&settings, sharing, 2, 1 << 20);
        let chosen = chosen(ANY_BOARD, &machine, "teams", &settings, &options);
        let found = outcome(&machine, &chosen, (&setup).into(), Options::default());
        let idle = found.workers.iter().map(|(_, times)| times[Activity::Idle]).sum();
        (found.counters.nodes(), found.answer.nanoseconds, idle, found.letters.unwrap().letters)
    });
    assert_eq!(found, RECORDED, "if the change was meant, write it down");
}

#[test]
fn the_deepest_node_answers_and_of_equals_the_lowest() {
    for (seed, setup) in mixed_positions(6, 64).iter().enumerate() {
        let settings = settings("modern", 5, seed as u64);
        let machine = simulated(cluster(3, 2, ",network=10gbe"));
        let options = table(&settings, "lockless", 3, SMALL_TABLE);
        let chosen = chosen(ANY_BOARD, &machine, "teams", &settings, &options);
        let Outcome { answer, answers, .. } = outcome(&machine, &chosen, setup.into(), Options::default());
        let deepest = answers.iter().map(|(_, answer)| answer.depth).max().unwrap();
        let first = answers.iter().find(|(_, answer)| answer.depth == deepest).unwrap();
        assert_eq!((answer.depth, &answer), (deepest, &first.1));
    }
}

/// Switching points after which a search has not come to an end in time.
const MOST_STEPS: u64 = 2_000_000;
/// Schedules that are tried with each tree.
pub const SCHEDULES_OF_NODES: u64 = 50;
/// Time for which the test tries schedules.
const PATIENCE: Duration = Duration::from_secs(6);

/// Tries schedules of a small tree that several nodes search: with sound features each iteration has the score of the
/// sequential one, all letters come, and all come to an end.
pub fn try_nodes_on_schedules_of(number: u64) {
    static POSITIONS: LazyLock<Vec<Setup>> = LazyLock::new(small_positions);
    static STRATEGIES: LazyLock<Vec<String>> = LazyLock::new(on_nodes);
    let mut random = SplitMix::new(number);
    let setup = &POSITIONS[random.below(POSITIONS.len() as u64) as usize];
    let recipe = loop {
        let recipe = SOUND[random.below(SOUND.len() as u64) as usize];
        // Workers go deeper than asked, which is far too long without cutoffs.
        if !recipe.parse::<Recipe>().unwrap().features.minimax {
            break recipe;
        }
    };
    let depth = 1 + random.below(3) as u32;
    let usual = settings(recipe, depth, number);
    // One that goes deeper than asked is compared as well.
    let expected = scores(&search(setup, &settings(recipe, depth + 2, number), &without_table(&usual)));
    for schedule in 0..SCHEDULES_OF_NODES {
        let mut random = SplitMix::new(number * SCHEDULES_OF_NODES + schedule);
        let mut below = |most: usize| random.below(most as u64) as usize;
        let text = &STRATEGIES[below(STRATEGIES.len())];
        let sharing = EXCHANGES[below(EXCHANGES.len())];
        let horizon = [Horizon::Open, Horizon::Closed][below(2)];
        let limits = match below(8) {
            0 => Limits { nodes: below(400) as u64, ..usual.limits },
            1 => Limits { nanoseconds: below(2_000_000) as u64, ..usual.limits },
            _ => usual.limits,
        };
        let settings = SearchSettings { limits: Limits { horizon, ..limits }, ..usual };
        let (nodes, size) = (2 + below(2), 1 + below(3));
        let costs = ["", ",network=infiniband", ",network=10gbe", ",net_kib=500000"][below(4)];
        let policy = match below(4) {
            0 => Schedule::Random,
            changes => Schedule::Pct { changes: changes as u32, steps: [100, 400, 1_500][below(3)] },
        };
        let machine = simulated(VirtualMachine {
            seed: number,
            schedule: policy.clone(),
            most_steps: MOST_STEPS,
            waiting: Waiting::ALL[below(Waiting::ALL.len())],
            ..cluster(nodes, size, costs)
        });
        let options = table(&settings, sharing, nodes, 1 << 11);
        let chosen = chosen(ANY_BOARD, &machine, text, &settings, &options);
        let about =
            || format!("tree {number}, schedule {schedule}: {setup} {recipe} {text} {sharing} {costs} {policy}");
        let tables = Tables::new(&options, nodes * size, 1);
        let found = chosen.run((&machine, &tables), setup.into(), Options::default());
        let found = found.unwrap_or_else(|error| panic!("{}: {error}", about())).outcome;
        all_letters_came(&found);
        for iteration in found.answers.iter().flat_map(|(_, answer)| &answer.iterations) {
            if let Some(score) = expected.get(iteration.depth as usize - 1) {
                assert_eq!(iteration.score, *score, "{} at depth {}", about(), iteration.depth);
            }
        }
        if limits == usual.limits && found.answer.best.is_some() {
            assert!(found.answer.depth >= depth, "{}", about());
        }
    }
}

#[test]
fn no_order_of_processors_loses_a_letter_or_a_score() {
    let (start, mut trees) = (Instant::now(), 0);
    while start.elapsed() < PATIENCE {
        try_nodes_on_schedules_of(trees);
        trees += 1;
    }
    println!("{} schedules", trees * SCHEDULES_OF_NODES);
}

#[test]
fn a_search_on_nodes_tells_of_its_letters() {
    let on = |strategy: &str, threads: &str, scheme: &str, more: &[&str]| {
        let costs = "reference-modern,network=10gbe,processors_per_node=4";
        let always = ["search", "BK12", "--depth", "9", "--machine", "virtual", "--alone", "--costs", costs];
        let asked = ["--strategy", strategy, "--threads", threads, "--scheme", scheme];
        splitpoint(&[&always[..], &asked, more].concat())
    };
    let push = "lockless,exchange=push,exchange-draft=2";
    let output = on("teams", "8", push, &[]);
    let text = stdout(&output);
    assert!(text.contains("between nodes: ") && text.contains("table 16 MiB lockless,exchange=push"), "{text}");
    let json = on("teams", "8", push, &["--json"]);
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    let letters = &json["positions"][0]["letters"];
    assert!(letters["kept"].as_u64() > Some(0) && letters["letters"] == letters["received"], "{letters}");
    let one_node = stdout(&on("teams", "4", push, &[]));
    assert!(!one_node.contains("between nodes") && one_node.contains("table 16 MiB lockless, seed"), "{one_node}");
    for (strategy, threads, scheme, message) in [
        ("ybwc", "8", "lockless", "strategy: 'ybwc' does not search on 2 nodes"),
        ("lazy,skip=job", "8", "lockless", "'lazy,skip=job' does not search on 2 nodes"),
        ("teams", "7", "lockless", "threads: 7 processors do not fill nodes of 4"),
        ("teams", "8", "striped,exchange=push", "exchange=push needs lockless"),
        ("teams", "8", "lockless,exchange=pull", "pull"),
    ] {
        let output = on(strategy, threads, scheme, &[]);
        assert_eq!(output.status.code(), Some(2), "{strategy} {threads} {scheme}");
        assert!(stderr(&output).contains(message), "{}", stderr(&output));
    }
}

#[test]
fn an_experiment_on_nodes_is_divided_by_one_node() {
    let bench = Bench::new("virtual-nodes");
    let costs =
        |latency: u32| format!("\"reference-modern,network=infiniband,net_latency={latency},processors_per_node=2\"");
    let text = format!(
        "baseline = \"none\"\nrepetitions = 1\n[positions]\nsuite = \"balanced-200\"\nevery = 50\n\
         [axes]\nmachine = \"virtual\"\nfeatures = \"modern\"\nstrategy = \"teams,team=2\"\ndepth = 7\nhash = 1\n\
         [[plan]]\nthreads = [2, 4]\ncosts = \"reference-modern\"\n\
         [[plan]]\nthreads = 4\ncosts = [{}, {}, {}]\nscheme = [\"lockless\", \"lockless,exchange=push\"]\n\
         [report]\nasks = \"cluster\"\n",
        costs(0),
        costs(1500),
        costs(3_000_000)
    );
    let file = bench.write("nodes.toml", text);
    let told = stdout(&done(&["run", &file, "--out", &bench.at("out")]));
    assert!(
        told.contains("At latencies from 0 to 3 ms, 2 nodes of 2 beside one node, each interval by itself:"),
        "{told}"
    );
    assert!(bench.text("out/report.html").contains("Does a search gain from several nodes?"));
    assert!(bench.files("out").iter().any(|(name, _)| name.ends_with("latency.svg")));
    let column = |name: &str| bench.column_of("out/summary.csv", name);
    let (nodes, exchange) = (column("on_nodes"), column("exchange"));
    assert_eq!(nodes.iter().filter(|nodes| *nodes == "2").count(), 6);
    for (place, exchange) in exchange.iter().enumerate() {
        let [speedup, letters, kept, used] =
            ["speedup_of_nodes", "letters", "entries_kept", "entries_used"].map(|name| column(name)[place].clone());
        let is_over_nodes = nodes[place] == "2";
        assert_eq!([!speedup.is_empty(), !letters.is_empty()], [is_over_nodes; 2], "{place}");
        let number = |text: &str| text.parse::<f64>().unwrap_or_default();
        assert_eq!(number(&kept) > 0.0, exchange == "push", "{place}: {kept}");
        assert!(number(&used) <= number(&kept) && (number(&letters) > 0.0) == is_over_nodes, "{place}: {used}");
    }
}
