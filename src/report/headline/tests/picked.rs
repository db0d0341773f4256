//! What a first screen picks out: the fastest, the largest loss, what is left open, and the positions that its
//! intervals are for.

use super::*;
use crate::analysis::Factor;
use crate::analysis::scope::Holds;
use crate::questions::QUESTIONS;
use crate::statistics::{LEVEL, Test};
use crate::table::number::range;
use crate::terminal;

fn on_16(strategies: &[(&str, f64)]) -> Vec<(Configuration, f64)> {
    strategies.iter().map(|(name, speedup)| (configuration(name, 16), *speedup)).collect()
}

/// The fastest of three was chosen among them: its interval is that of one among three.
#[test]
fn whoever_is_named_has_the_interval_of_one_among_several() {
    let (description, records) = experiment(&on_16(&[("lazy", 8.0), ("ybwc", 6.0), ("root", 4.0)]), |_| 1.0, 0.1, 3);
    let (headline, analysis) = headline(&description, &records);
    let lazy = analysis.groups.iter().find(|group| group.label == "lazy").unwrap();
    let against = lazy.against_baseline.as_ref().unwrap();
    let among_three = against.harder_tested(1.0 - (1.0 - LEVEL) / 3.0, Holds::of(&description));
    let width = |interval: Interval| (interval.high / interval.low).ln();
    assert!(width(among_three) > 1.15 * width(against.time_speedup), "{among_three:?} {:?}", against.time_speedup);
    let named = range(&among_three);
    assert!(headline.verdict.contains(&format!(" times ({named}) as fast as one processor")), "{}", headline.verdict);
    assert!(headline.tiles[0].words.starts_with(&format!("time speedup ({named})")), "{:?}", headline.tiles);
}

/// Of 14.4 processors that are lost, 13 go into a tree that is eight times as large, which no test shows: it is the
/// largest loss all the same, and all losses add up.
#[test]
fn the_largest_loss_is_the_largest_by_estimate() {
    let (description, records) = experiment(&on_16(&[("lazy", 8.0)]), |_| 1.0, 0.05, 3);
    let mut source = Source::of(Analysis::of(description, &records));
    let against = source.analysis.groups.iter_mut().find_map(|group| group.against_baseline.as_mut()).unwrap();
    let factor = |ratio: f64, p| {
        let ratio = Interval { estimate: ratio, low: ratio / (1.0 + 50.0 * p), high: ratio * (1.0 + 50.0 * p) };
        Factor { ratio, test: Some(Test::alone(p)) }
    };
    against.time_speedup = Interval::around(1.6, 0.1);
    let factors = &mut against.factors;
    (factors.nodes, factors.utilisation) = (factor(8.0, 0.2), factor(0.8, 0.001));
    (factors.productive, factors.rate) = (factor(1.0, 0.9), factor(1.0, 0.9));
    let tiles = Headline::of(&source).tiles;
    let tile = tiles.iter().find(|tile| tile.words.contains("largest loss")).unwrap();
    let words = "of 16 processors lost to extra nodes (speedup × 0.125, 0.011 to 1.375 by itself): the largest loss of \
                 lazy on 16 virtual, by the model, though no loss to it is shown";
    assert_eq!((tile.number.as_str(), tile.words.as_str()), ("13.0", words));
    let question = QUESTIONS.iter().find(|question| question.key == "where").unwrap();
    let sentence = (question.sentence)(&source).unwrap().to_string();
    assert!(
        sentence.ends_with("lazy: of 16.0 processors 13.0 to extra nodes (not shown) and 1.40 to idle are lost."),
        "{sentence}"
    );
}

/// Speedups of 8 and 7.8 are not told apart by four runs at each position: about as many are named as would do, and the
/// command that makes them.
#[test]
fn what_would_decide_an_open_order_is_told() {
    let next = |second: f64, one_s: f64, kind: IntervalKind| {
        let (description, records) = experiment(&on_16(&[("lazy", 8.0), ("ybwc", second)]), |_| one_s, 0.05, 3);
        let (headline, analysis) = headline(&Description { interval: kind, ..description }, &records);
        (headline.next, analysis)
    };
    let (open, analysis) = next(7.8, 1.0, IntervalKind::ThesePositions);
    let [rivalry] = analysis.contests[0].rivalries[..] else { panic!("one pair") };
    let found = rivalry.difference_found(&analysis.groups, IntervalKind::ThesePositions, 1).unwrap();
    let runs = (4.0 * (found / rivalry.time.estimate.ln()).powi(2)).ceil();
    let open = open.unwrap();
    assert!(open.starts_with("To tell ") && runs > 4.0, "{open}");
    assert!(open.contains(&format!(", as seen: about {runs} runs at each position, ")), "{runs}: {open}");
    let command = format!("splitpoint run DIR/experiment.toml --set repetitions={runs} --reuse DIR --out DIR-more");
    assert!(open.ends_with(&command), "{open}");
    let (open, _) = next(7.8, 1.0, IntervalKind::PositionsLikeThese);
    assert!(open.is_some_and(|open| open.contains(" positions, ") && !open.contains("runs at each")));
    assert_eq!(next(2.0, 1.0, IntervalKind::ThesePositions).0, None, "the order is shown");
    assert_eq!(next(7.8, 0.01, IntervalKind::ThesePositions).0, None, "the searches are too small for any");
}

/// Which positions intervals are for stands with the first table, on a terminal too.
#[test]
fn the_population_of_intervals_stands_with_the_first_table() {
    let (description, records) = experiment(&on_16(&[("lazy", 8.0)]), |_| 1.0, 0.05, 3);
    for (kind, words) in [
        (IntervalKind::ThesePositions, "Intervals: 95 % for these positions, each for one figure alone"),
        (
            IntervalKind::PositionsLikeThese,
            "Intervals: 95 % for positions like these, as if those searched were drawn from them, each for one figure",
        ),
    ] {
        let (headline, _) = headline(&Description { interval: kind, ..description.clone() }, &records);
        let shown = terminal::table(&headline).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(headline.table.caption.contains(words) && shown.contains(words), "{shown}");
    }
}
