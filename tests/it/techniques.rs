//! Every switch of the search, and of the strategies, changes something. Each technique declares how tests see it at
//! work (`tried by`); here each of its changes gives another tree, and each feature is changed alone by one of them.

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap};

use splitpoint::chess::suites::{Suite, position};
use splitpoint::chess::{Score, Setup};
use splitpoint::parallel::{AnyStrategy, Parameter};
use splitpoint::search::features::Features;
use splitpoint::settings::{Kind, Settings};

use crate::searching::{SMALL_TABLE, features, lockless, mixed_positions, search, search_by, settings, virtually};

/// Features that change no tree of one search by one processor, and the tests of what they do.
const SHOWN_ELSEWHERE: [(&str, &str); 6] = [
    ("incremental", "searches::all_boards_and_ways_of_making_moves_search_the_same_tree"),
    ("copy-make", "searches::all_boards_and_ways_of_making_moves_search_the_same_tree"),
    ("pawn-table", "evaluation::all_boards_agree_and_exchanging_the_colours_changes_nothing"),
    ("deepening-least", "searches::a_limit_waits_for_the_least_depth"),
    ("aging", "uci_command::entries_of_earlier_searches_give_way_if_they_age"),
    ("defect-unsafe-store", "splitpoint-engine: table::tests::torn_entries_are_made_where_wanted_and_counted"),
];

/// What shows each technique at work: features that come before, and changes that give another tree.
pub fn tried() -> Vec<(String, &'static str)> {
    let techniques: BTreeSet<&[&str]> = Features::all().iter().map(|feature| feature.technique.tried).collect();
    let of = |change: &&'static str| match change.split_once(" then ") {
        Some((base, change)) => (format!("thesis,{base}"), change),
        None => ("thesis".to_owned(), *change),
    };
    techniques.into_iter().flatten().map(of).collect()
}

/// Depth at which trees are compared.
const DEPTH: u32 = 6;

/// Changes that act in larger trees or beside other features only, or would make too large a tree, each with what comes
/// before it, a position and a depth of its own.
const APART: [(&str, &str, &str, u32); 4] = [
    ("+minimax", "thesis", "BK12", 2),
    ("+defect-unbounded-history", "thesis", "pawns-race", 12),
    ("+defect-repetition-across-null", "thesis", "BK12", 7),
    // A search that returns nothing below alpha finds no mate after a null move.
    ("+defect-null-move-mate", "thesis,+fail-soft,null-move-material=0", "double-check", 7),
];

/// Nodes and score of a search.
fn tree(recipe: &str, depth: u32, setup: &Setup) -> (u64, Score) {
    let settings = settings(recipe, depth, 0);
    let found = search(setup, &settings, &lockless(&settings, SMALL_TABLE));
    (found.counters.nodes(), found.answer.score)
}

/// Positions of which at least one has another tree with each technique.
fn telling_positions() -> Vec<Setup> {
    // Black has one move at a time; Black threatens mate, so that passing loses; White is mated with the next move;
    // White mates with the hundredth ply.
    let one_reply = "7k/5K2/6pP/6P1/8/8/8/8 b - - 0 1".parse().unwrap();
    let threat = "6k1/5ppp/8/8/1q6/r7/P1N2PPP/1Q4K1 w - - 0 1".parse().unwrap();
    let mated = "8/8/8/8/8/5k2/7q/5K2 w - - 0 1".parse().unwrap();
    let late = "7k/8/6K1/8/8/8/8/1Q6 w - - 99 90".parse().unwrap();
    // En passant, castling and promotions.
    let kiwipete = position("kiwipete").unwrap().setup;
    let winning = position("BK10").unwrap().setup;
    let rare = Suite::named("rare").unwrap().positions().into_iter().map(|epd| epd.setup);
    let odd = [one_reply, threat, mated, late, kiwipete, winning];
    mixed_positions(16, 16).into_iter().chain(rare).chain(odd).collect()
}

#[test]
fn every_technique_changes_trees() {
    let positions = telling_positions();
    let tried = tried();
    assert!(tried.len() > 170, "{}", tried.len());
    // Trees at the first positions, as far as somebody asked for them.
    let mut plain: HashMap<String, Vec<(u64, Score)>> = HashMap::new();
    let mut without_effect = Vec::new();
    for (base, change) in tried {
        let before = plain.entry(base.clone()).or_default();
        let differs = match APART.iter().find(|(apart, ..)| *apart == change) {
            Some(&(_, base, id, depth)) => {
                let setup = position(id).unwrap().setup;
                tree(base, depth, &setup) != tree(&format!("{base},{change}"), depth, &setup)
            }
            None => positions.iter().enumerate().any(|(i, setup)| {
                if before.len() == i {
                    before.push(tree(&base, DEPTH, setup));
                }
                before[i] != tree(&format!("{base},{change}"), DEPTH, setup)
            }),
        };
        if !differs {
            without_effect.push(format!("{change} after {base}"));
        }
    }
    assert!(without_effect.is_empty(), "{without_effect:#?}");
}

/// Names of the features in which two sets differ.
fn differing(one: &Features, other: &Features) -> Vec<&'static str> {
    let all = Features::all().iter();
    all.filter(|feature| (feature.get)(one) != (feature.get)(other)).map(|feature| feature.name).collect()
}

/// A switch that is only tried together with others may have no effect of its own.
#[test]
fn every_feature_is_tried_alone() {
    let alone: BTreeSet<&str> = tried()
        .iter()
        .filter_map(|(base, change)| match differing(&features(base), &features(&format!("{base},{change}")))[..] {
            [name] => Some(name),
            _ => None,
        })
        .collect();
    let is_elsewhere = |name: &str| SHOWN_ELSEWHERE.iter().any(|(other, _)| *other == name);
    let untried: Vec<&str> = Features::all()
        .iter()
        .map(|feature| feature.name)
        .filter(|name| !alone.contains(name) && !is_elsewhere(name))
        .collect();
    assert!(untried.is_empty(), "no `tried by` changes these alone: {untried:?}");
    for (name, _) in SHOWN_ELSEWHERE {
        assert!(Features::all().iter().any(|feature| feature.name == name) && !alone.contains(name), "{name}");
    }
}

/// Changes of a parameter of a strategy: the switch, every other choice, or the ends of the range and twice the
/// default.
fn changes(parameter: &Parameter) -> Vec<String> {
    let name = parameter.name;
    match parameter.kind {
        Kind::Switch => vec![format!("{}{name}", if parameter.value == 0 { '+' } else { '-' })],
        Kind::Choice { names } => names.iter().map(|item| format!("{name}={item}")).collect(),
        Kind::Amount { least, most, .. } => [least, most, parameter.value + 1, 2 * parameter.value]
            .map(|value| format!("{name}={}", value.clamp(least, most)))
            .to_vec(),
    }
}

/// Parameters that act beside others only, each with what is set before it.
const BESIDE: [(&str, &str, &str); 4] = [
    ("", "copied-parts", "copy=partial"),
    ("ybwc-as-printed", "killers", "-defect-stale-killers"),
    ("ybwc-as-printed", "helpers", "-defect-everybody-joins"),
    ("teams", "skip", "team=2"),
];

/// Parameters that change nothing here: workers that park poll no seats, and owners in `dts` wait for nobody, so that
/// nobody waits below whose node a master could help, nor who would be offered a node while no processor is idle. A
/// vote changes the move that is played, not the search.
const IDLE: [(&str, &str); 5] = [
    ("ybwc-as-printed", "defect-polled-seats"),
    ("dts", "eager-draft"),
    ("dts", "helpful-master"),
    ("lazy", "vote"),
    ("teams", "vote"),
];

/// Searches that show parameters of strategies at work, with their depths. Corrections may be shared where there are
/// some.
const SEARCHES: [(&str, u32); 2] = [("thesis", 6), ("modern,correction-by-move=300", 9)];

#[test]
fn every_parameter_of_a_strategy_changes_a_search() {
    let setup = position("BK12").unwrap().setup;
    let search = |strategy: &str, preset: &str, depth: u32| {
        let settings = settings(preset, depth, 1);
        let found = search_by(&virtually(8, 1), strategy, &setup, &settings, &lockless(&settings, SMALL_TABLE));
        (found.counters.nodes(), found.answer.nanoseconds)
    };
    let mut without_effect = Vec::new();
    for strategy in AnyStrategy::all() {
        for parameter in strategy.parameters() {
            let (name, of) = (parameter.name, strategy.name());
            if IDLE.contains(&(of, name)) {
                continue;
            }
            let beside = BESIDE.iter().find(|(only, beside, _)| (only.is_empty() || *only == of) && *beside == name);
            let before = beside.map_or_else(|| of.to_owned(), |(.., first)| format!("{of},{first}"));
            let usual = SEARCHES.map(|(preset, depth)| (preset, depth, OnceCell::new()));
            let differs = changes(&parameter).iter().any(|change| {
                let text = format!("{before},{change}");
                // Some values exclude others.
                text.parse::<AnyStrategy>().is_ok()
                    && usual.iter().any(|(preset, depth, usual)| {
                        *usual.get_or_init(|| search(&before, preset, *depth)) != search(&text, preset, *depth)
                    })
            });
            if !differs {
                without_effect.push(format!("{before},{name}"));
            }
        }
    }
    assert!(without_effect.is_empty(), "{without_effect:#?}");
}

/// A vote chooses another move of the same search, somewhere.
#[test]
fn a_vote_chooses_among_the_same_answers() {
    for without in ["lazy", "teams,team=2"] {
        let search = |strategy: &str, id: &str| {
            let settings = settings("modern", 7, 1);
            let setup = position(id).unwrap().setup;
            let found = search_by(&virtually(16, 1), strategy, &setup, &settings, &lockless(&settings, SMALL_TABLE));
            let moves: Vec<_> = found.answers.iter().filter_map(|(_, answer)| answer.best).collect();
            assert!(found.answer.best.is_some_and(|best| moves.contains(&best)));
            (found.answer.best, (found.counters.nodes(), moves))
        };
        let found = |id: &String| (search(without, id), search(&format!("{without},+vote"), id));
        let ids: Vec<String> = (1..=24).map(|number| format!("BK{number:02}")).collect();
        let pairs: Vec<_> = ids.iter().map(found).collect();
        assert!(pairs.iter().all(|(usual, voted)| usual.1 == voted.1), "{without}: it is not the same search");
        assert!(pairs.iter().any(|(usual, voted)| usual.0 != voted.0), "{without}: no vote chose another move");
    }
}
