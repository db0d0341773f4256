//! How the tests search.

use std::sync::Mutex;

use splitpoint::chess::bitboards::{Bitboards, sliders::Magic};
use splitpoint::chess::choice::{BoardChoice, SlidersChoice};
use splitpoint::chess::{Board, Score, Setup};
use splitpoint::counts::Counters;
use splitpoint::engine::{self, Computer, Line, On, Options, compiled};
use splitpoint::eval::{Evaluator, Terms};
use splitpoint::machine::cost::CostModel;
use splitpoint::machine::{Pin, RealMachine, VirtualMachine, Waiting};
use splitpoint::search::features::{Features, Recipe};
use splitpoint::search::table::{Scheme, TableOptions};
use splitpoint::search::{Limits, Outcome, SearchSettings};

use crate::games::{random_games, replay, starts};

/// The board for tests in which any will do.
pub type AnyBoard = Bitboards<Magic>;
/// The same board, by its name.
pub const ANY_BOARD: BoardChoice = BoardChoice::Bitboards(SlidersChoice::Magic);

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

/// Boards that the program searches on with threads and this processor can run.
pub fn boards() -> Vec<BoardChoice> {
    compiled::boards().filter(|board| board.check().is_ok()).collect()
}

/// Processors in simulated time.
pub fn simulated(machine: VirtualMachine) -> Computer {
    Computer::Virtual(Box::new(machine))
}

/// A virtual machine of so many processors, with the usual costs.
pub fn reference(processors: usize, seed: u64) -> VirtualMachine {
    VirtualMachine { seed, ..VirtualMachine::new(processors, CostModel::reference()) }
}

pub fn virtually(processors: usize, seed: u64) -> Computer {
    simulated(reference(processors, seed))
}

/// A virtual machine of one processor, on which nothing costs anything.
pub fn alone() -> Computer {
    simulated(VirtualMachine::new(1, CostModel::ideal()))
}

/// Threads that sleep while they wait.
pub fn threads(count: usize) -> Computer {
    Computer::Real(RealMachine::new(count, &Pin::None, Waiting::Park).unwrap())
}

/// What is searched with what, on this machine.
pub fn chosen(
    board: BoardChoice,
    machine: &Computer,
    strategy: &str,
    settings: &SearchSettings,
    table: &TableOptions,
) -> engine::Setup {
    engine::Setup {
        board,
        strategy: strategy.parse().unwrap(),
        settings: *settings,
        table: *table,
        // These three make machines; this one is there already.
        on: On::ThisThread,
        processors: machine.processors(),
        waiting: Waiting::Park,
        counts_losses: false,
    }
}

/// What came of a search of the position at the end of a line, with empty tables.
pub fn outcome(machine: &Computer, setup: &engine::Setup, line: Line<'_>, options: Options<'_>) -> Outcome {
    setup.run((machine, &setup.tables(1).unwrap()), line, options).expect("no search fails").outcome
}

/// A search on this board and this machine, by this strategy.
pub fn search_on(
    board: BoardChoice,
    machine: &Computer,
    strategy: &str,
    setup: &Setup,
    settings: &SearchSettings,
    table: &TableOptions,
) -> Outcome {
    outcome(machine, &chosen(board, machine, strategy, settings, table), setup.into(), Options::default())
}

/// A search on this machine by this strategy.
pub fn search_by(
    machine: &Computer,
    strategy: &str,
    setup: &Setup,
    settings: &SearchSettings,
    table: &TableOptions,
) -> Outcome {
    search_on(ANY_BOARD, machine, strategy, setup, settings, table)
}

/// A sequential search of a position.
pub fn search(setup: &Setup, settings: &SearchSettings, table: &TableOptions) -> Outcome {
    search_by(&alone(), "sequential", setup, settings, table)
}

/// A sequential search with a small table.
pub fn quick(fen: &str, features_text: &str, depth: u32) -> Outcome {
    let settings = settings(features_text, depth, 0);
    search(&fen.parse().unwrap(), &settings, &lockless(&settings, 1 << 22))
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
    let suites = starts();
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
