//! Searches by several processes: in the memory of one, where each is a thread with threads of its own, and by `mpirun`
//! where there is one and the program is built with MPI.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{JoinHandle, spawn};

use splitpoint::chess::Setup;
use splitpoint::counts::{Activity, LetterCounts};
use splitpoint::engine::ranks::{Member, Ranks, RanksError, follow};
use splitpoint::engine::{self, NodesError, On, Options, SearchError};
use splitpoint::machine::{Channel, InMemory, PROCESSES_EXCHANGE, Pin, Transport, Waiting};
use splitpoint::search::table::{TableOptions, TableSharing, Tables};
use splitpoint::search::{Horizon, Limits, Outcome, SearchSettings};

use crate::command_line::stderr;
use crate::minimax::{SOUND, small_positions};
use crate::searching::{ANY_BOARD, SMALL_TABLE, mixed_positions, search, settings};
use crate::strategies::{scores, without_table};

/// Ways in which processes exchange entries, with letters small enough for small searches.
const EXCHANGES: [&str; 3] = [
    "lockless",
    "lockless,exchange=push,exchange-draft=1,exchange-batch=2",
    "lockless,exchange=ring,exchange-draft=1,exchange-batch=2",
];

/// Processes in name only, of which this thread is rank 0.
struct Together {
    ranks: Arc<Ranks>,
    others: Vec<JoinHandle<()>>,
}

fn member(host: &str) -> Member {
    Member::this_process("0123", vec!["search".to_owned()], host.to_owned())
}

/// Lets all but rank 0 follow, each as the member of its rank.
fn followed(transports: &[Arc<dyn Transport>], member: impl Fn(usize) -> Member) -> Vec<JoinHandle<()>> {
    let others = transports.iter().enumerate().skip(1);
    let start = |(rank, transport): (usize, &Arc<dyn Transport>)| {
        let (transport, this) = (Arc::clone(transport), member(rank));
        spawn(move || follow(&transport, this))
    };
    others.map(start).collect()
}

impl Together {
    fn new(ranks: usize) -> Self {
        let transports = InMemory::ranks(ranks);
        let others = followed(&transports, |rank| member(if rank == 2 { "another" } else { "this" }));
        let ranks = Ranks::gather(Arc::clone(&transports[0]), member("this")).unwrap();
        Self { ranks: Arc::new(ranks), others }
    }

    fn chosen(&self, strategy: &str, threads: usize, settings: &SearchSettings, sharing: &str) -> engine::Setup {
        let nodes = self.ranks.count();
        let TableSharing { scheme, exchange } = sharing.parse().unwrap();
        engine::Setup {
            board: ANY_BOARD,
            strategy: strategy.parse().unwrap(),
            settings: *settings,
            table: TableOptions { exchange, ..settings.table(scheme, SMALL_TABLE) },
            on: On::Ranks { pin: Pin::None, nodes, ranks: Arc::clone(&self.ranks) },
            processors: nodes * threads,
            waiting: Waiting::SpinPark,
            counts_losses: false,
        }
    }

    fn end(self) {
        self.ranks.end();
        self.others.into_iter().for_each(|other| other.join().expect("no process panics"));
    }
}

fn run(setup: &engine::Setup, tables: &Tables, position: &Setup) -> Result<Outcome, SearchError> {
    let computer = setup.computer().unwrap();
    setup.run((&computer, tables), position.into(), Options::default()).map(|found| found.outcome)
}

fn all_letters_came(found: &Outcome) {
    let LetterCounts { letters, received, stale, .. } = found.letters.expect("there are several nodes");
    assert!(received == letters && stale == 0, "{letters} sent, {received} received, {stale} of another search");
}

/// Threads on another computer do not take the processors of this one.
#[test]
fn processes_of_one_computer_share_its_processors() {
    let together = Together::new(3);
    assert_eq!([1, 2, 3].map(|nodes| together.ranks.sharing(nodes)), [1, 2, 2]);
    together.end();
}

#[test]
fn processes_find_the_scores_of_the_sequential_search() {
    let positions = small_positions();
    for nodes in [2, 3] {
        let together = Together::new(nodes);
        for (i, setup) in positions.iter().take(12).enumerate() {
            let recipe = SOUND[i % SOUND.len()];
            let usual = settings(recipe, 3, i as u64);
            if usual.features.minimax {
                continue;
            }
            let deeper = settings(recipe, 5, i as u64);
            let expected = scores(&search(setup, &deeper, &without_table(&usual)));
            for (n, strategy) in ["lazy", "teams", "teams,team=2", "lazy,skip=none,end=master"].iter().enumerate() {
                let horizon = [Horizon::Open, Horizon::Closed][n % 2];
                let settings = SearchSettings { limits: Limits { horizon, ..usual.limits }, ..usual };
                let asked = together.chosen(strategy, 1 + (i + n) % 2, &settings, EXCHANGES[(i + n) % 3]);
                let found = run(&asked, &asked.tables(1).unwrap(), setup).unwrap();
                let about = format!("{setup} {recipe} {strategy} on {nodes} of {}", asked.processors);
                all_letters_came(&found);
                assert_eq!(found.workers.len(), asked.processors, "{about}");
                let total = |id: usize| found.workers[id].1.total();
                assert!((0..asked.processors).all(|id| total(id) == total(0)), "{about}");
                let nodes: u64 = found.workers.iter().map(|(counters, _)| counters.nodes()).sum();
                assert_eq!(nodes, found.counters.nodes(), "{about}");
                assert!(found.answer.best.is_none() || found.answer.depth >= 3, "{about}");
                for iteration in found.answers.iter().flat_map(|(_, answer)| &answer.iterations) {
                    if let Some(score) = expected.get(iteration.depth as usize - 1) {
                        assert_eq!(iteration.score, *score, "{about} at depth {}", iteration.depth);
                    }
                }
            }
        }
        together.end();
    }
}

#[test]
fn entries_of_other_processes_are_kept_and_used() {
    let together = Together::new(2);
    let setup = &mixed_positions(1, 63)[0];
    let settings = settings("modern", 10, 0);
    for sharing in EXCHANGES {
        let asked = together.chosen("teams", 1, &settings, sharing);
        let found = run(&asked, &asked.tables(1).unwrap(), setup).unwrap();
        all_letters_came(&found);
        let LetterCounts { kept, used, bytes, .. } = found.letters.unwrap();
        let exchanges = sharing != EXCHANGES[0] && PROCESSES_EXCHANGE;
        assert_eq!([kept > 0, used > 0], [exchanges; 2], "{sharing}: {found:?}");
        assert!(used <= kept && bytes >= 16 * kept);
        let busy = |id: usize| found.workers[id].1[Activity::Search] > 0 && found.workers[id].0.nodes() > 0;
        assert!(busy(0) && busy(1));
    }
    together.end();
}

/// What the tables of rank 0 know, those of the others know: nothing after they are emptied, and else what was found.
#[test]
fn tables_are_emptied_everywhere() {
    let together = Together::new(2);
    let setup = &mixed_positions(1, 64)[0];
    let settings = settings("modern", 9, 0);
    // They search alike and send each other nothing, so the first iteration of the other is one of its own.
    let asked = together.chosen("lazy,skip=none", 1, &settings, EXCHANGES[0]);
    let mut tables = asked.tables(1).unwrap();
    let mut nodes_of_the_other = |begins_empty: bool| loop {
        if begins_empty {
            tables.clear(1);
        }
        let found = run(&asked, &tables, setup).unwrap();
        // It may have come too late to complete one.
        let of_the_other = found.answers.iter().find(|(id, _)| *id == 1);
        if let Some(first) = of_the_other.and_then(|(_, answer)| answer.iterations.first()) {
            return first.nodes;
        }
    };
    let empty = nodes_of_the_other(true);
    assert_ne!(nodes_of_the_other(false), empty);
    assert_eq!(nodes_of_the_other(true), empty);
    together.end();
}

#[test]
fn what_cannot_be_searched_together_is_refused() {
    let together = Together::new(2);
    let start = Setup::start();
    let usual = settings("modern", 4, 0);
    let check = |asked: &engine::Setup| asked.check_nodes().unwrap_err();
    assert!(matches!(check(&together.chosen("ybwc", 1, &usual, "lockless")), NodesError::Strategy { nodes: 2, .. }));
    assert_eq!(check(&together.chosen("lazy", 1, &usual, "lockless,exchange=home")), NodesError::Home);
    let losses = engine::Setup { counts_losses: true, ..together.chosen("lazy", 1, &usual, "lockless") };
    assert_eq!(check(&losses), NodesError::Losses(2));
    let asked = together.chosen("lazy", 1, &usual, "lockless");
    let (computer, tables) = (asked.computer().unwrap(), asked.tables(1).unwrap());
    let traced = Options { keeps_trace: true, ..Options::default() };
    let error = asked.run((&computer, &tables), (&start).into(), traced).err().unwrap();
    assert!(matches!(error, SearchError::Nodes(NodesError::Trace(2))), "{error}");
    // The other has no memory for its table; rank 0 has one, which here is of another size.
    let large = engine::Setup { table: TableOptions { bytes: 1 << 60, ..asked.table }, ..asked.clone() };
    let error = large.run((&computer, &tables), (&start).into(), Options::default()).err().unwrap();
    assert!(error.to_string().starts_with("rank 1 on host 'this': there is no memory for a table of"), "{error}");
    // That was no reason to end.
    assert!(run(&asked, &tables, &start).is_ok());
    together.end();
}

/// Letters of a process whose first one in a search cannot be written.
#[derive(Debug)]
struct Failing {
    letters: Arc<dyn Transport>,
    has_failed: AtomicBool,
}

impl Transport for Failing {
    fn rank(&self) -> usize {
        self.letters.rank()
    }

    fn ranks(&self) -> usize {
        self.letters.ranks()
    }

    fn post(&self, to: usize, channel: Channel, words: &[u64]) {
        let fails = channel == Channel::Search && !self.has_failed.swap(true, Ordering::Relaxed);
        assert!(!fails, "no letter goes out");
        self.letters.post(to, channel, words);
    }

    fn poll(&self, channel: Channel) -> Option<(usize, Box<[u64]>)> {
        self.letters.poll(channel)
    }
}

/// The others do not wait for it, it says why, and the next search is whole.
#[test]
fn a_process_whose_search_fails_ends_it_for_all() {
    for failing in [0, 1] {
        let mut transports = InMemory::ranks(2);
        let letters = Arc::clone(&transports[failing]);
        transports[failing] = Arc::new(Failing { letters, has_failed: AtomicBool::new(false) });
        let others = followed(&transports, |_| member("far"));
        let ranks = Arc::new(Ranks::gather(Arc::clone(&transports[0]), member("this")).unwrap());
        let together = Together { ranks, others };
        let asked = together.chosen("lazy", 1, &settings("modern", 6, 0), "lockless");
        let tables = asked.tables(1).unwrap();
        let error = run(&asked, &tables, &Setup::start()).unwrap_err().to_string();
        let named = if failing == 1 { "rank 1 on host 'far': " } else { "" };
        assert_eq!(error, format!("{named}processor 0 panicked: no letter goes out"));
        all_letters_came_but(&run(&asked, &tables, &Setup::start()).unwrap());
        together.end();
    }
}

/// Letters of the search that failed may still have been there; none of this one is lost.
fn all_letters_came_but(found: &Outcome) {
    let LetterCounts { letters, received, stale, .. } = found.letters.expect("there are several nodes");
    assert_eq!(received, letters + stale);
}

#[test]
fn processes_that_differ_are_named() {
    let transports = InMemory::ranks(3);
    let others = followed(&transports, |rank| {
        let version = if rank == 2 { "0.1.0".to_owned() } else { member("").version };
        Member { version, ..member("far") }
    });
    let error = Ranks::gather(Arc::clone(&transports[0]), member("this")).unwrap_err();
    assert!(matches!(error, RanksError::Differs { rank: 2, .. }), "{error}");
    assert!(error.to_string().starts_with("rank 2 on host 'far' has the version 0.1.0, and rank 0 "), "{error}");
    // They were told that it is over.
    others.into_iter().for_each(|other| other.join().unwrap());
}

/// A build with MPI searches on the processes of `mpirun`, and one without is not started twice unawares.
#[test]
fn mpirun_is_served_or_refused() {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    if !std::env::split_paths(&paths).any(|folder| folder.join("mpirun").exists()) {
        println!("there is no mpirun here; with one, scripts/mpi.sh tries what it is for");
        return;
    }
    let output = std::process::Command::new("mpirun")
        .args(["-n", "2", env!("CARGO_BIN_EXE_splitpoint"), "search", "BK12", "--depth", "9", "--cluster-nodes", "2"])
        .args(["--alone", "--json", "--scheme", "lockless,exchange=push"])
        .envs(["OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"].map(|name| (name, "1")))
        .envs(["OMPI_MCA_rmaps_base_oversubscribe", "OMPI_MCA_mpi_yield_when_idle"].map(|name| (name, "1")))
        .output()
        .unwrap();
    if !PROCESSES_EXCHANGE {
        let told = stderr(&output);
        assert!(!output.status.success() && told.contains("was built without MPI"), "{told}");
        return;
    }
    assert!(output.status.success(), "{}", stderr(&output));
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let letters = &found["positions"][0]["letters"];
    assert!(letters["kept"].as_u64() > Some(0) && letters["letters"] == letters["received"], "{letters}");
}
