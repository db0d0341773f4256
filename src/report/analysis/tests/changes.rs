//! Comparisons with the reference and effects of switches, worked out by hand.

use std::collections::BTreeMap;

use super::*;
use crate::record::{Defined, Depth};

/// Costs changed one by one, on two positions with two seeds.
#[test]
fn comparisons_are_paired() {
    let reference = configuration("ybwc", 4);
    let costs =
        |name: &str| Configuration { costs: Some(Defined::new(name, format!("hash of {name}"))), ..reference.clone() };
    let mailbox = Configuration { board: "mailbox".into(), sliders: None, ..reference.clone() };
    let both = Configuration { board: "mailbox".into(), sliders: None, ..costs("lock*2") };
    let mut records = Vec::new();
    // Twice as slow at A with both seeds, once and four times as slow at B, with a seed that the reference lacks.
    type Runs<'a> = [(&'a str, u64, u64); 5];
    let runs: [(&Configuration, Runs<'_>); 4] = [
        (&reference, [("A", 1, 1), ("A", 2, 8), ("B", 1, 2), ("B", 2, 16), ("B", 4, 1)]),
        (&costs("lock*2"), [("A", 1, 2), ("A", 2, 16), ("B", 1, 2), ("B", 2, 64), ("B", 3, 99)]),
        (&mailbox, [("A", 1, 1), ("A", 2, 8), ("B", 1, 2), ("B", 2, 16), ("B", 4, 1)]),
        (&both, [("A", 1, 1), ("A", 2, 8), ("B", 1, 2), ("B", 2, 16), ("B", 4, 1)]),
    ];
    for (configuration, runs) in runs {
        for (position, seed, seconds) in runs {
            records.push(record(records.len() as u64, configuration, position, seed, (seconds, 100)));
        }
    }
    // On other numbers of processors nothing is compared.
    records.push(record(99, &Configuration { threads: 2, ..reference.clone() }, "A", 1, (1, 100)));
    records.push(record(100, &reference.baseline(), "A", 1, (1, 100)));
    let mut description = description(&["board", "costs", "threads"], 22);
    assert!(Analysis::of(description.clone(), &records).comparisons.is_empty());

    let field = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let fields = BTreeMap::from([field("costs", "reference"), field("board", "bitboards")]);
    description.references = vec![Reference { fields, members: Vec::new() }];
    let analysis = Analysis::of(description.clone(), &records);
    let [costs, board] = &analysis.comparisons[..] else { panic!("{:?}", analysis.comparisons) };
    assert_eq!((costs.group, costs.reference, costs.field.as_str(), costs.value.as_str()), (1, 0, "costs", "lock*2"));
    assert_eq!((board.group, board.reference, board.field.as_str(), board.value.as_str()), (2, 0, "board", "mailbox"));
    // In binary logarithms 1, 1 and 0, 2: mean 1. Variances over their number 0 and 1: standard error 1/2, and
    // 1^2 / 1 = 1 degree of freedom: t = 12.7062.
    let width = (12.7062_f64 / 2.0).exp2();
    expect(costs.time.estimate, 2.0);
    assert!((costs.time.low * width / 2.0 - 1.0).abs() < 1e-3, "{:?}", costs.time);
    expect_interval(costs.nodes, 1.0, 1.0, 1.0);
    // t = 1 / (1/2) = 2 with one degree of freedom: 2 (1/4 - atan(2) / pi + 1/4). Of the two times that are compared
    // the other is sure (p = 1), so Holm takes it twice; and times have four fifths of the level.
    let alone = 1.0 - 2.0 * 2.0_f64.atan() / std::f64::consts::PI;
    expect(costs.time_test.unwrap().adjusted().unwrap(), 2.0 * alone / 0.8);
    assert_eq!(board.time_test.unwrap().adjusted(), Some(1.0));
    // Each search took what its partner took: the board changed nothing, and there is no noise to tell of.
    expect(board.time.estimate, 1.0);
    assert!(board.never_acts && !costs.never_acts && !board.time.is_known(), "{:?}", board.time);

    description.interval = IntervalKind::PositionsLikeThese;
    description.is_one_game = true;
    let analysis = Analysis::of(description, &records);
    assert!(!analysis.comparisons[0].time.is_known());
    assert_eq!(analysis.comparisons[0].time_test, None);
}

/// Two switches, all four combinations: the first doubles time, the second takes a quarter.
#[test]
fn effects_are_told_apart() {
    let runs =
        [("thesis", [false, false], 16), ("+a", [true, false], 32), ("+b", [false, true], 4), ("+a+b", [true; 2], 8)];
    let mut records = Vec::new();
    for (features, _, seconds) in runs {
        let features = Configuration { features: features.into(), ..configuration("ybwc", 4) };
        for (position, scale) in [("A", 1), ("B", 3)] {
            for seed in [1, 2] {
                records.push(record(records.len() as u64, &features, position, seed, (seconds * scale * seed, 10)));
            }
        }
    }
    let design = |names: &[&str]| Factorial {
        field: "features".into(),
        factors: names.iter().map(|&name| name.into()).collect(),
        runs: runs.iter().map(|(value, on, _)| ((*value).into(), on[..names.len()].to_vec())).collect(),
    };
    let mut description = description(&["features"], 16);
    description.factorials = vec![design(&["a", "b"])];
    let analysis = Analysis::of(description.clone(), &records);
    let [a, b] = &analysis.effects[..] else { panic!("{:?}", analysis.effects) };
    assert_eq!((a.factor.as_str(), a.setting.as_str(), a.threads, &a.aliases), ("a", "virtual", 4, &vec![]));
    expect_interval(a.time, 2.0, 2.0, 2.0);
    expect_interval(b.time, 0.25, 0.25, 0.25);
    expect_interval(b.nodes, 1.0, 1.0, 1.0);
    assert_eq!([a.time_test, a.nodes_test].map(|test| test.unwrap().adjusted()), [Some(0.0), Some(1.0)]);

    // A run that one combination lacks is left out of all: at B with seed 2, which is now far off everywhere else.
    records[15] = failed(records[15].clone(), "no memory");
    for at in [3, 7, 11] {
        measured(&mut records[at]).time_ns *= 1000 + at as u64;
    }
    let left = Analysis::of(description.clone(), &records);
    expect(left.effects[0].time.estimate, 2.0);

    // What differs otherwise is another setting, and is named; on another number of processors it is one by itself.
    let more: Vec<Record> = records
        .iter()
        .map(|record| {
            let mut other = record.clone();
            other.index += 100;
            other.cell.configuration.hash_mib = 64;
            other
        })
        .collect();
    records.extend(more);
    let analysis = Analysis::of(description, &records);
    let machines: Vec<&str> = analysis.effects.iter().map(|effect| effect.setting.as_str()).collect();
    assert_eq!(machines, ["virtual, 16 MiB", "virtual, 16 MiB", "virtual, 64 MiB", "virtual, 64 MiB"]);
}

/// Runs of a design are no curves, but what equals one of them at a depth where the others were not measured is.
#[test]
fn runs_of_a_design_at_another_depth_are_curves() {
    let names = ["thesis", "+a", "+b", "+a+b"];
    let of = |features: &str, depth| Configuration {
        features: features.into(),
        depth: Depth::Plies(depth),
        ..configuration("ybwc", 4)
    };
    let mut configurations: Vec<Configuration> = names.iter().map(|name| of(name, 5)).collect();
    configurations.push(of("+a", 9));
    let records: Vec<Record> = configurations
        .iter()
        .flat_map(|one| [one.baseline(), one.clone()])
        .zip(0..)
        .map(|(one, index)| record(index, &one, "A", 1, (1, 10)))
        .collect();
    let mut description = description(&["features", "depth"], 10);
    let levels = [[false, false], [true, false], [false, true], [true, true]];
    description.factorials = vec![Factorial {
        field: "features".into(),
        factors: vec!["a".into(), "b".into()],
        runs: names.iter().zip(levels).map(|(name, on)| ((*name).into(), on.to_vec())).collect(),
    }];
    let analysis = Analysis::of(description, &records);
    let shared = |curve: &Curve| {
        let of_curve = curve.groups.iter().map(|&group| &analysis.groups[group].configuration);
        of_curve.filter(|configuration| !configuration.is_baseline()).cloned().collect::<Vec<_>>()
    };
    assert_eq!(analysis.curves.iter().flat_map(shared).collect::<Vec<_>>(), [of("+a", 9)]);
}
