//! How the tests search.

use std::sync::Mutex;

use splitpoint::chess::bitboards::{Bitboards, sliders::Magic};
use splitpoint::chess::suites::{SUITES, Suite};
use splitpoint::chess::{Board, History, Score, Setup};
use splitpoint::counts::Counters;
use splitpoint::eval::{Evaluator, Terms};
use splitpoint::machine::cost::CostModel;
use splitpoint::machine::{Failure, Machine, Program, Run, VirtualMachine};
use splitpoint::search::features::{Features, Recipe};
use splitpoint::search::table::{Scheme, TableOptions, Tables};
use splitpoint::search::{Limits, Outcome, Part, SearchSettings, Sequential, Session, Strategy};

use crate::games::{random_games, replay};

/// The board for tests in which any will do.
pub type AnyBoard = Bitboards<Magic>;

/// A table small enough to be full in a small search.
pub const SMALL_TABLE: u64 = 1 << 18;

/// Features from a text that is known to be right.
pub fn features(text: &str) -> Features {
    text.parse::<Recipe>().unwrap().features
}

pub fn settings(features_text: &str, depth: u32, seed: u64) -> SearchSettings {
    SearchSettings { features: features(features_text), limits: Limits::depth(depth), seed }
}

/// The options of a lockless table for these settings.
pub fn lockless(settings: &SearchSettings, bytes: u64) -> TableOptions {
    settings.table(Scheme::Lockless, bytes)
}

/// Score of a position for the side to move, computed from scratch.
pub fn evaluate<B: Board>(evaluator: Evaluator, board: &B) -> Score {
    evaluator.from_scratch(board).score(&mut evaluator.cache(&Terms::DEFAULT), board)
}

/// A machine of one processor on the calling thread.
pub struct Alone;

impl Machine for Alone {
    fn processors(&self) -> usize {
        1
    }

    fn run<G: Program>(&self, program: &G) -> Result<Run<G::Output>, Failure> {
        VirtualMachine::new(1, CostModel::ideal()).run(program)
    }
}

/// A search on this machine by this strategy, of a position with a past.
pub fn search_by<B: Board, M: Machine, S: Strategy>(
    machine: &M,
    strategy: &S,
    root: &B,
    past: &History,
    settings: &SearchSettings,
    table: &TableOptions,
) -> Outcome {
    let workers = machine.processors();
    let tables = Tables::new(table, workers, 1);
    let session = Session::new(root, past, settings, &tables, strategy, workers);
    let run: Run<Part> = machine.run(&session).expect("no search fails");
    run.into()
}

/// A sequential search of a position.
pub fn search<B: Board>(setup: &Setup, settings: &SearchSettings, table: &TableOptions) -> Outcome {
    let root = B::set_up(setup, settings.keys()).unwrap();
    search_by(&Alone, &Sequential, &root, &History::with_capacity(0), settings, table)
}

/// A sequential search with a small table.
pub fn quick(fen: &str, features_text: &str, depth: u32) -> Outcome {
    let settings = settings(features_text, depth, 0);
    search::<AnyBoard>(&fen.parse().unwrap(), &settings, &lockless(&settings, 1 << 22))
}

/// Everything that must be equal when the same tree is searched: counts, score, line, and all of that for each
/// iteration.
pub fn trace(outcome: &Outcome) -> (Counters, String) {
    let answer = &outcome.answer;
    let iterations: Vec<_> =
        answer.iterations.iter().map(|i| (i.depth, i.score, &i.line, i.nodes, i.failed_window)).collect();
    // Spans are times: they depend on the machine.
    let timeless = Counters {
        span_ns: 0,
        span_cut_after_1_ns: 0,
        span_all_at_once_ns: 0,
        span_open_ns: 0,
        span_no_wait_ns: 0,
        span_minimal_ns: 0,
        span_burdened_ns: 0,
        span_open_burdened_ns: 0,
        ..outcome.counters
    };
    (timeless, format!("{:?} {:?} {} {:?} {iterations:?}", answer.best, answer.score, answer.depth, answer.line))
}

/// Positions of all sorts: those of the suites, and positions of random games.
pub fn mixed_positions(count: usize, seed: u64) -> Vec<Setup> {
    let suites: Vec<Setup> = SUITES.iter().flat_map(Suite::positions).map(|epd| epd.setup).collect();
    let random = Mutex::new(Vec::new());
    let mut i = 0;
    replay::<AnyBoard>(&random_games::<AnyBoard>(count / 4, seed), splitpoint::chess::Keys::of_seed(0), |board| {
        i += 1;
        let mut random = random.lock().unwrap();
        if i % 23 == 0 && random.len() < count / 2 {
            random.push(board.setup());
        }
    });
    let random = random.into_inner().unwrap();
    let wanted = count - random.len();
    let step = (suites.len() / wanted).max(1);
    suites.into_iter().step_by(step).take(wanted).chain(random).collect()
}
