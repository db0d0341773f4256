//! What a search costs, side by side in one run: on all boards, with moves unmade or boards copied, on processors real
//! and virtual, with tables of each scheme. All contestants search the same tree.
//!
//! `cargo bench --bench search` runs all, `cargo bench --bench search -- boards` what has "boards" in its title.

mod contest;

use contest::{Contest, Unit, Work};
use splitpoint::chess::bitboards::{Bitboards, sliders::Magic};
use splitpoint::chess::choice::OnBoard;
use splitpoint::chess::mailbox::Mailbox;
use splitpoint::chess::suites::Suite;
use splitpoint::chess::{Board, History, Setup};
use splitpoint::machine::cost::CostModel;
use splitpoint::machine::{Machine, Pin, RealMachine, VirtualMachine, Waiting};
use splitpoint::parallel::{AnyStrategy, AsPrinted};
use splitpoint::search::features::Recipe;
use splitpoint::search::table::{Scheme, TableOptions, Tables};
use splitpoint::search::{Limits, SearchSettings, Sequential, Session, Strategy};

const DEPTH: u32 = 7;
const TABLE_BYTES: u64 = 16 << 20;

fn main() {
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with('-')).unwrap_or_default();
    let run = |title: &str, bench: &dyn Fn(&str)| {
        if title.contains(&wanted) {
            bench(title);
        }
    };
    run("boards, preset thesis", &|title| boards(title, "thesis"));
    run("boards, preset thesis-as-printed", &|title| boards(title, "thesis-as-printed"));
    run("making moves and evaluating", &making);
    run("processors", &processors);
    run("tables", &tables);
    run("strategies, sequential", &|title| strategies(title, Sequential, "sequential", 1));
    run("strategies, as printed on 8 virtual processors", &|title| {
        strategies(title, AsPrinted::default(), "ybwc-as-printed", 8);
    });
}

fn positions() -> Vec<Setup> {
    Suite::named("thesis-10").unwrap().positions().into_iter().map(|epd| epd.setup).collect()
}

fn settings(recipe: &str) -> SearchSettings {
    SearchSettings { features: recipe.parse::<Recipe>().unwrap().features, limits: Limits::depth(DEPTH), seed: 0 }
}

fn lockless(settings: &SearchSettings) -> TableOptions {
    settings.table(Scheme::Lockless, TABLE_BYTES)
}

/// Searches all positions, on boards of this type, by running sessions in this way. Returns the nodes.
fn search_all<B: Board>(recipe: &str, tables: &mut Tables, run: impl FnMut(&Session<'_, B, Sequential>) -> u64) -> u64 {
    search_by::<B, Sequential>(&Sequential, 1, recipe, tables, run)
}

/// Searches all positions by a strategy on a number of processors.
fn search_by<B: Board, S: Strategy>(
    strategy: &S,
    processors: usize,
    recipe: &str,
    tables: &mut Tables,
    mut run: impl FnMut(&Session<'_, B, S>) -> u64,
) -> u64 {
    let (settings, past) = (settings(recipe), History::with_capacity(0));
    let mut nodes = 0;
    for setup in positions() {
        tables.clear(1);
        let root = B::set_up(&setup, settings.keys()).unwrap();
        nodes += run(&Session::new(&root, &past, &settings, tables, strategy, processors));
    }
    nodes
}

fn one_thread() -> RealMachine {
    RealMachine::new(1, &Pin::None, Waiting::Park).unwrap()
}

fn on<B: Board, S: Strategy, M: Machine>(machine: &M) -> impl FnMut(&Session<'_, B, S>) -> u64 {
    |session| machine.run(session).unwrap().outputs.iter().map(|part| part.counters.nodes()).sum()
}

/// Searches all positions by this recipe.
#[derive(Clone)]
struct Searching(&'static str);

impl OnBoard for Searching {
    type Output = Work<'static>;

    fn on<B: Board>(self) -> Self::Output {
        let (machine, mut tables) = (one_thread(), Tables::new(&lockless(&settings(self.0)), 1, 1));
        Box::new(move || search_all::<B>(self.0, &mut tables, on(&machine)))
    }
}

fn enter<B: Board>(contest: &mut Contest, name: &str, recipe: &'static str) {
    enter_with::<B>(contest, name, recipe, &lockless(&settings(recipe)));
}

fn enter_with<B: Board>(contest: &mut Contest, name: &str, recipe: &'static str, options: &TableOptions) {
    let (machine, mut tables) = (one_thread(), Tables::new(options, 1, 1));
    contest.enter(name, move || search_all::<B>(recipe, &mut tables, on(&machine)));
}

fn boards(title: &str, recipe: &'static str) {
    let mut contest = Contest::new(title, Unit::Rate);
    contest.enter_boards(Searching(recipe));
    contest.run("bitboards (magic)");
}

fn making(title: &str) {
    let mut contest = Contest::new(title, Unit::Rate);
    enter::<Bitboards<Magic>>(&mut contest, "bitboards, unmake", "thesis");
    enter::<Bitboards<Magic>>(&mut contest, "bitboards, copy", "thesis,+copy-make");
    enter::<Bitboards<Magic>>(&mut contest, "bitboards, recompute", "thesis,-incremental");
    enter::<Mailbox>(&mut contest, "mailbox, unmake", "thesis");
    enter::<Mailbox>(&mut contest, "mailbox, copy", "thesis,+copy-make");
    enter::<Mailbox>(&mut contest, "mailbox, recompute", "thesis,-incremental");
    contest.run("bitboards, unmake");
}

fn processors(title: &str) {
    let mut contest = Contest::new(title, Unit::Rate);
    enter::<Bitboards<Magic>>(&mut contest, "real, 1 thread", "thesis");
    let mut tables = Tables::new(&lockless(&settings("thesis")), 1, 1);
    let virtually = VirtualMachine::new(1, CostModel::reference());
    contest.enter("virtual, 1", move || search_all::<Bitboards<Magic>>("thesis", &mut tables, on(&virtually)));
    contest.run("real, 1 thread");
}

fn tables(title: &str) {
    let mut contest = Contest::new(title, Unit::Rate);
    let plain = lockless(&settings("thesis"));
    let ways = [
        ("lockless", plain),
        ("striped", TableOptions { scheme: Scheme::Striped, ..plain }),
        ("private", TableOptions { scheme: Scheme::Private, ..plain }),
        ("lockless, audited", TableOptions { audit: true, ..plain }),
    ];
    for (name, options) in ways {
        enter_with::<Bitboards<Magic>>(&mut contest, name, "thesis", &options);
    }
    contest.run("lockless");
}

/// A search that is compiled for one strategy, beside the one that is compiled once for all of them.
fn strategies<S: Strategy + 'static>(title: &str, strategy: S, name: &str, processors: usize) {
    let mut contest = Contest::new(title, Unit::Rate);
    enter_strategy(&mut contest, "compiled alone", strategy, processors);
    enter_strategy(&mut contest, "one of all", name.parse::<AnyStrategy>().unwrap(), processors);
    contest.run("compiled alone");
}

fn enter_strategy<S: Strategy + 'static>(contest: &mut Contest, name: &str, strategy: S, processors: usize) {
    let machine = VirtualMachine::new(processors, CostModel::reference());
    let mut tables = Tables::new(&lockless(&settings("thesis")), processors, 1);
    contest.enter(name, move || {
        search_by::<Bitboards<Magic>, S>(&strategy, processors, "thesis", &mut tables, on(&machine))
    });
}
