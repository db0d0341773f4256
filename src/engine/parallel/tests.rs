//! A strategy that is not in the list runs like those that are.

use super::*;
use crate::chess::mailbox::Mailbox;
use crate::chess::{History, suites};
use crate::machine::cost::CostModel;
use crate::machine::{Machine, VirtualMachine};
use crate::search::Told;
use crate::search::features::Preset;
use crate::search::table::{Scheme, Tables};
use crate::search::{Limits, Outcome, SearchSettings, Session};

#[path = "../../../docs/examples/vanguard.rs"]
mod vanguard;

fn score<S: Strategy>(strategy: &S, processors: usize, scheme: Scheme) -> (Score, usize) {
    let settings = SearchSettings { features: Preset::Sound.features(), limits: Limits::depth(4), seed: 1 };
    let setup = suites::position("BK12").unwrap().setup;
    let root = Mailbox::set_up(&setup, settings.keys()).unwrap();
    let tables = Tables::new(&settings.table(scheme, 1 << 20), processors, 1);
    let past = History::with_capacity(0);
    let session = Session::new(&root, &past, &settings, &tables, strategy, processors);
    let outcome: Outcome = VirtualMachine::new(processors, CostModel::reference()).run(&session).unwrap().into();
    let at_work = outcome.workers.iter().filter(|(counters, _)| counters.nodes() > 0).count();
    (outcome.answer.score, at_work)
}

/// Who reaches a depth without the iterations before it is compared with one processor that does so too.
#[test]
fn strategies_say_whether_they_leave_out_iterations() {
    for (text, processors, expected) in [
        ("sequential", 1, false),
        ("ybwc", 64, false),
        ("abdada", 64, false),
        ("dts", 64, false),
        ("lazy", 2, true),
        ("lazy", 1, false),
        ("lazy,skip=none", 64, false),
        ("lazy,skip=none,+jobs-stop", 64, true),
        ("lazy,skip=cheng", 4, true),
        ("teams", 8, false),
        ("teams", 16, true),
        ("teams,team=16", 16, false),
        ("teams,skip=none", 64, false),
        ("teams,skip=cheng", 64, false),
    ] {
        let strategy: AnyStrategy = text.parse().unwrap();
        assert_eq!(strategy.leaves_out_iterations(processors), expected, "{text} on {processors}");
    }
}

/// The strategy of the documentation's tour, which is no part of the list.
#[test]
fn a_strategy_runs_without_being_in_the_list() {
    let expected = score(&Told::Everybody, 1, Scheme::None).0;
    let vanguard = vanguard::Vanguard::default();
    assert_eq!(score(&vanguard, 4, Scheme::None), (expected, 4));
    assert_eq!(score(&vanguard, 4, Scheme::Lockless).1, 4);
}
