//! What a search costs, side by side in one run: on all boards, with moves unmade or boards copied, on processors real
//! and virtual, with tables of each scheme. All contestants search the same tree.
//!
//! `cargo bench --bench search` runs all, `cargo bench --bench search -- boards` what has "boards" in its title.

mod contest;

use contest::{Contest, Unit};
use splitpoint::chess::bitboards::{
    Bitboards,
    sliders::{Magic, Pext, Ray, Rotated, Sliders},
};
use splitpoint::chess::mailbox::Mailbox;
use splitpoint::chess::suites::Suite;
use splitpoint::chess::{Board, History, Setup};
use splitpoint::machine::cost::CostModel;
use splitpoint::machine::{Machine, Pin, Program as _, RealMachine, Solo, VirtualMachine, Waiting};
use splitpoint::search::features::Recipe;
use splitpoint::search::table::{Scheme, TableOptions, Tables};
use splitpoint::search::{Limits, Sequential, Session, Settings};

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
}

fn positions() -> Vec<Setup> {
    Suite::named("thesis-10").unwrap().positions().into_iter().map(|epd| epd.setup).collect()
}

fn settings(recipe: &str) -> Settings {
    Settings { features: recipe.parse::<Recipe>().unwrap().features, limits: Limits::depth(DEPTH), seed: 0 }
}

fn lockless(settings: &Settings) -> TableOptions {
    settings.table(Scheme::Lockless, TABLE_BYTES)
}

/// Searches all positions, on boards of this type, by running sessions in this way. Returns the nodes.
fn search_all<B: Board>(
    recipe: &str,
    tables: &mut Tables,
    mut run: impl FnMut(&Session<'_, B, Sequential>) -> u64,
) -> u64 {
    let (settings, past) = (settings(recipe), History::with_capacity(0));
    let mut nodes = 0;
    for setup in positions() {
        tables.clear(1);
        let root = B::set_up(&setup, settings.keys()).unwrap();
        nodes += run(&Session::new(&root, &past, &settings, tables, &Sequential, 1));
    }
    nodes
}

fn alone<B: Board>(session: &Session<'_, B, Sequential>) -> u64 {
    session.run(&Solo::new()).counters.nodes()
}

fn enter<B: Board>(contest: &mut Contest, name: &str, recipe: &'static str) {
    let mut tables = Tables::new(&lockless(&settings(recipe)), 1, 1);
    contest.enter(name, move || search_all::<B>(recipe, &mut tables, alone));
}

fn boards(title: &str, recipe: &'static str) {
    let mut contest = Contest::new(title, Unit::Rate);
    enter::<Bitboards<Magic>>(&mut contest, "bitboards magic", recipe);
    if Pext::prepare().is_ok() {
        enter::<Bitboards<Pext>>(&mut contest, "bitboards pext", recipe);
    }
    enter::<Bitboards<Ray>>(&mut contest, "bitboards ray", recipe);
    enter::<Bitboards<Rotated>>(&mut contest, "bitboards rotated", recipe);
    enter::<Mailbox>(&mut contest, "mailbox", recipe);
    contest.run("bitboards magic");
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

fn on<M: Machine>(machine: &M) -> impl FnMut(&Session<'_, Bitboards<Magic>, Sequential>) -> u64 {
    |session| machine.run(session).unwrap().outputs[0].counters.nodes()
}

fn processors(title: &str) {
    let mut contest = Contest::new(title, Unit::Rate);
    enter::<Bitboards<Magic>>(&mut contest, "solo", "thesis");
    let real = RealMachine::new(1, &Pin::None, Waiting::Park).unwrap();
    let mut tables = Tables::new(&lockless(&settings("thesis")), 1, 1);
    contest.enter("real, 1 thread", move || search_all("thesis", &mut tables, on(&real)));
    let mut tables = Tables::new(&lockless(&settings("thesis")), 1, 1);
    let virtually = VirtualMachine::new(1, CostModel::reference());
    contest.enter("virtual, 1", move || search_all("thesis", &mut tables, on(&virtually)));
    contest.run("solo");
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
        let mut tables = Tables::new(&options, 1, 1);
        contest.enter(name, move || search_all::<Bitboards<Magic>>("thesis", &mut tables, alone));
    }
    contest.run("lockless");
}
