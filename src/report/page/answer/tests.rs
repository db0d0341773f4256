//! What the answer says of analyses whose figures are known, and what it must never say.

use super::Answer;
use crate::record::{Asks, Baseline, IntervalKind, MachineKind};
use crate::report::analysis::{Analysis, Bound, Limited, Replicated, Replication, Side, ThesisColumns};
use crate::report::page::samples::{baseline_only, empty, group, interval, rich, rivalries, strategies};
use crate::statistics::Interval;

const UNKNOWN: f64 = f64::NAN;

fn real() -> Analysis {
    strategies(MachineKind::Real, &[2, 4])
}

/// Sets the time speedup of each group of this strategy at the largest number of processors of [`real`].
fn set_speedup(analysis: &mut Analysis, strategy: &str, speedup: Interval) {
    let of_strategy = |c: &crate::record::Configuration| c.strategy == strategy && c.threads == 4;
    for group in analysis.groups.iter_mut().filter(|group| of_strategy(&group.configuration)) {
        if let Some(against) = &mut group.against_baseline {
            let is_settled = speedup.low > 1.0 || speedup.high < 1.0;
            against.time_speedup = speedup;
            against.simultaneous = Some(speedup);
            against.faster_p = speedup.is_known().then_some(if is_settled { 0.001 } else { 0.4 });
        }
    }
}

/// Whole answer on one line.
fn answer(analysis: &Analysis) -> String {
    Answer::of(analysis).paragraphs().join(" ")
}

fn expect(name: &str, analysis: &Analysis, said: &[&str], not_said: &[&str]) {
    let answer = answer(&Analysis { rivalries: rivalries(analysis), ..analysis.clone() });
    for part in said {
        assert!(answer.contains(part), "{name}: no '{part}' in: {answer}");
    }
    for part in not_said.iter().chain(&["NaN", "inf", "equal", "  "]) {
        assert!(!answer.contains(part), "{name}: '{part}' in: {answer}");
    }
}

#[test]
fn only_tests_rank_configurations_at_most_processors() {
    type Change = fn(&mut Analysis);
    let cases: [(&str, Change, &[&str], &[&str]); 10] = [
        (
            "lazy is best",
            |a| set_speedup(a, "lazy", Interval { estimate: 3.75, low: 3.6, high: 3.9 }),
            &[
                "On 4 real processors, lazy is shown to be the fastest of 3 configurations. Time speedup relative to \
                 one processor (simultaneous intervals of 95 % for these positions): 3.75 (3.60 to 3.90) for lazy.",
                "The efficiency of lazy is 93.8 %",
                "Other work took away 3.1 % of the processor time of the runs on 4 processors (21 of 90 records \
                 disturbed) and 0.2 % of that of the baselines (0 of 30 records disturbed).",
            ],
            &["virtual", "own baseline", "not shown"],
        ),
        (
            "close",
            |a| set_speedup(a, "lazy", Interval { estimate: 3.2, low: 3.1, high: 3.3 }),
            &["no configuration of 3 is shown to be slower than another.", "): 3.20 (3.10 to 3.30) for lazy, 3.25"],
            &["fastest"],
        ),
        (
            "two of three",
            |a| {
                set_speedup(a, "lazy", Interval { estimate: 3.2, low: 3.1, high: 3.3 });
                set_speedup(a, "abdada", Interval { estimate: 2.0, low: 1.9, high: 2.1 });
            },
            &[
                "2 of 3 configurations are not shown to be slower than another",
                "): 3.20 (3.10 to 3.30) for lazy and 3.25",
                "; the other is shown to be",
            ],
            &["fastest"],
        ),
        (
            "no intervals",
            |a| {
                for strategy in ["lazy", "ybwc", "abdada"] {
                    set_speedup(a, strategy, Interval { estimate: 2.5, low: UNKNOWN, high: UNKNOWN });
                }
            },
            &["the order of 3 configurations could not be tested.", "(no intervals can be given): 2.50"],
            &["95 %", "fastest"],
        ),
        (
            "no speedup",
            |a| {
                for strategy in ["lazy", "ybwc", "abdada"] {
                    set_speedup(a, strategy, interval(1.01, 0.1));
                }
            },
            &["no configuration of 3 is shown to be slower than another", "lazy is not shown to be faster than one"],
            &["slower than one", "fastest"],
        ),
        (
            "slower",
            |a| {
                for strategy in ["lazy", "ybwc", "abdada"] {
                    set_speedup(a, strategy, interval(0.8, 0.1));
                }
            },
            &["lazy is shown to be slower than one processor."],
            &[],
        ),
        (
            "alone",
            |a| {
                a.groups.retain(|group| ["sequential", "ybwc"].contains(&group.label.as_str()));
                a.curves.clear();
                a.quality.arms.clear();
            },
            &["On 4 real processors, ybwc reached the same depth 3.25 times as fast as on one (95 % interval 3.12 to \
               3.38"],
            &["configurations", "The efficiency of"],
        ),
        (
            "the other kind of interval",
            |a| a.description.interval = IntervalKind::PositionsLikeThese,
            &["simultaneous intervals of 95 % for positions like these"],
            &["for these positions"],
        ),
        (
            "other baselines",
            |a| a.groups[6].configuration.board = "mailbox".into(),
            &["Time speedup relative to each one's own baseline ("],
            &[],
        ),
        (
            "not measured there",
            |a| a.groups.iter_mut().filter(|group| group.configuration.threads == 4).for_each(|group| group.runs = 0),
            &["On 2 real processors, ", "1.80 (1.69 to 1.91) for ybwc"],
            &["On 4"],
        ),
    ];
    for (name, change, said, not_said) in cases {
        let mut analysis = real();
        change(&mut analysis);
        expect(name, &analysis, said, not_said);
    }
}

#[test]
fn real_and_virtual_are_told_apart() {
    let said = [
        "On 4 real processors, ",
        "On 64 virtual processors (cost model reference), ",
        "Of 2 comparisons with the reference on real processors, 1 differs in time after Holm's correction: strategy \
         lazy instead of ybwc on 2 processors (time ratio 1.23, 1.16 to 1.30, p = 0.004); 1 differs in nodes.",
        "On 64 virtual processors, 2 of 3 switches show an effect on time after Holm's correction; the strongest is \
         null-move: switched on, it multiplies the time by 0.310 (0.285 to 0.335, p < 0.001).",
        "Other work took away 3.1 % of the processor time of the runs on 4 processors (21 of 90 records disturbed) and \
         0.2 % of that of the baselines (0 of 30 records disturbed). No test shows that searches that were not quiet \
         took longer or shorter than quiet ones. 14 disturbed attempts were thrown away and repeated.",
        "Preliminary: of 640 cells, 1 failed and 3 have no record yet.",
    ];
    expect("rich", &rich(), &said, &["6 configurations"]);
}

#[test]
fn no_difference_is_never_called_none() {
    let mut analysis = rich();
    analysis.comparisons.iter_mut().for_each(|comparison| comparison.time_p = Some(0.3));
    analysis.effects.iter_mut().for_each(|effect| effect.time_p = None);
    let said = [
        "None of 2 comparisons with the reference on real processors shows a difference in time after Holm's \
         correction, which is no proof that there is none; 1 differs in nodes.",
        "On 64 virtual processors, none of 3 switches shows an effect on time after Holm's correction, which is no \
         proof",
    ];
    expect("nothing significant", &analysis, &said, &["strongest"]);
}

#[test]
fn a_joint_effect_that_cannot_be_told_apart_is_named() {
    let mut analysis = rich();
    analysis.effects.retain(|effect| effect.factor == "killers");
    let said = [
        "1 of 1 switch shows",
        "the strongest is killers",
        "the design confounds it with the interaction null-move x history.",
    ];
    expect("alias", &analysis, &said, &[]);
}

#[test]
fn what_hangs_on_the_costs_is_said() {
    let mut analysis = strategies(MachineKind::Virtual, &[16]);
    for (strategy, speedup) in [("ybwc", 6.0), ("lazy", 9.0)] {
        let mut other = group(MachineKind::Virtual, strategy, 16, 0.8);
        other.configuration.costs = Some("reference,lock_handoff*2".into());
        other.configuration.costs_hash = Some("00000001".into());
        if let Some(against) = &mut other.against_baseline {
            against.time_speedup = interval(speedup, 0.05);
        }
        analysis.groups.push(other);
    }
    let said = [
        "On 16 virtual processors (cost model reference), ybwc is shown to be the fastest of 3",
        "): 10.6 (9.9 to 11.2) for ybwc.",
        "Over the 2 cost models tried, the time speedup of ybwc ranges from 6.0 to 10.6; with reference,lock_handoff*2 \
         another configuration is shown to be faster.",
    ];
    expect("turned", &analysis, &said, &[]);
    // The model of the reference speaks, if it was used.
    for (name, spoken) in [("reference,lock_handoff*2", "reference,lock_handoff*2"), ("not used", "reference")] {
        let fields = [("costs".to_owned(), name.to_owned())].into();
        analysis.description.references = vec![crate::record::Reference { fields, members: Vec::new() }];
        expect(name, &analysis, &[&format!("On 16 virtual processors (cost model {spoken}), ")], &[]);
    }
    analysis.description.references.clear();
    // Where it stays the first, the costs only move it.
    analysis.groups.pop();
    expect(
        "kept",
        &analysis,
        &["Over the 2 cost models tried, the time speedup of ybwc ranges from 6.0 to 10.6."],
        &["another"],
    );
}

/// Answers state the share of time taken away by arm, and the figures of quiet records alone where it mattered.
#[test]
fn disturbance_is_told_by_arm() {
    let mut analysis = real();
    let arm = analysis.quality.arms.iter().position(|arm| analysis.groups[arm.group].configuration.threads == 2);
    let arm = &mut analysis.quality.arms[arm.unwrap()];
    arm.taken.as_mut().unwrap().mean = 0.5;
    (arm.unknown, arm.p, arm.time_ratio) = (4, Some(0.0001), interval(1.5, 0.1));
    let group = &analysis.groups[arm.group];
    let name = format!("with {} on 2 processors (p < 0.001; its time speedup is ", group.label);
    let said = [
        "of the runs on 4 processors (21 of 90 records disturbed), ",
        " of that of the runs on 2 (21 of 90 records disturbed, 4 unknown) and 0.2 % of that of the baselines",
        "That changed times: compared with quiet searches, those that were not quiet took 1.50 (1.35 to 1.65) times as \
         long ",
        &name,
    ];
    expect("mattered", &analysis, &said, &["No test shows"]);

    analysis.quality.arms.iter_mut().for_each(|arm| arm.p = None);
    expect("not to be tested", &analysis, &["Whether that changed times cannot be tested: too few positions"], &[]);

    for arm in &mut analysis.quality.arms {
        (arm.taken, arm.unknown, arm.disturbed, arm.p) = (None, 30, 0, None);
    }
    let said =
        ["Other work took away an unknown share of the processor time of the runs on 4 processors (0 of 90 records \
          disturbed, 90 unknown) and an unknown share of that of the baselines"];
    expect("unknown", &analysis, &said, &["quiet"]);
}

#[test]
fn what_a_limit_ended_is_no_time_to_a_depth() {
    let mut analysis = real();
    let of_strategy = |analysis: &Analysis, strategy: &str| {
        let is_it = |c: &crate::record::Configuration| c.strategy == strategy && c.threads == 4;
        analysis.groups.iter().position(|group| is_it(&group.configuration)).unwrap()
    };
    let [cut, timed] = ["ybwc", "lazy"].map(|strategy| of_strategy(&analysis, strategy));
    for (place, limited) in [
        (cut, Limited { cut: 6, bound: Some(Bound { side: Side::AtMost, ratio: 3.2 }), ..Limited::default() }),
        (
            timed,
            Limited { depth: Some(interval(9.5, 0.01)), depth_gain: Some(interval(0.5, 0.1)), ..Limited::default() },
        ),
    ] {
        analysis.groups[place].limited = limited;
        let against = analysis.groups[place].against_baseline.as_mut().unwrap();
        (against.time_speedup, against.simultaneous, against.faster_p) = (Interval::unknown(UNKNOWN), None, None);
    }
    analysis.quality.cut = vec![("a cell".into(), "the limit".into()); 6];
    analysis.quality.left_out = vec!["BK03".into()];
    let said = [
        "On 4 real processors, lazy searched ",
        " times as many nodes per second as one processor (95 % interval ",
        "and reached depth 9.50 (9.40 to 9.60), 0.500 (0.450 to 0.550) plies deeper than one processor. Its searches \
         have no",
        "On 4 real processors, the time speedup of ybwc is at most 3.20: the limit cut off 6 searches of its own.",
        "6 were cut off by the limit",
        "Of 10 positions, 1 is left out of comparisons between configurations that do not all have it: BK03.",
        "abdada reached the same depth",
    ];
    expect("limited", &analysis, &said, &["lazy reached", "ybwc reached"]);
}

#[test]
fn baselines_failures_and_nothing() {
    let said = [
        "On 1 real processor, sequential searched 8.51 million nodes at 1.21 million nodes per second (arithmetic \
         means over 10 positions, 80 runs); between its searches of one position, the logarithm of nodes has a \
         standard deviation of 0.314.",
        "Other work took away 0.2 % of the processor time of the searches (0 of 30 records disturbed).",
    ];
    expect("baseline", &baseline_only(), &said, &["speedup", "virtual"]);
    expect("nothing", &empty(), &["nothing was measured"], &["disturb", "Of "]);

    let mut failed = empty();
    failed.description.baseline = Baseline::None;
    failed.quality.cells = 2;
    failed.quality.failed = vec![("a".into(), "it broke".into()), ("b".into(), "it broke".into())];
    expect("failed", &failed, &["nothing was measured", "Of 2 cells, 2 failed."], &["missing"]);
}

#[test]
fn what_was_published_comes_first_where_it_is_asked_for() {
    let mut analysis = strategies(MachineKind::Virtual, &[2, 16]);
    let figure = |figure| Some(Interval::unknown(figure));
    let published = ThesisColumns {
        time_speedup: figure(1.42),
        nodes_ratio: figure(6.07),
        nps_speedup: figure(7.95),
        ..ThesisColumns::default()
    };
    let group = analysis.groups.iter().position(|group| group.label == "ybwc" && group.configuration.threads == 16);
    let row = Replicated { group: group.unwrap(), published };
    let ours = &mut analysis.groups[row.group];
    ours.configuration.depth = crate::record::Depth::Plies(10);
    ours.thesis = ThesisColumns {
        time_speedup: Some(interval(5.0, 0.1)),
        nodes_ratio: Some(interval(2.0, 0.1)),
        nps_speedup: Some(interval(10.0, 0.1)),
        ..ours.thesis
    };
    analysis.replications = vec![Replication { curve: 0, source: "the thesis", computer: "E15K", rows: vec![row] }];
    let beside = "On 16 processors of an E15K, to depth 11, the 2004 thesis measured a time speedup of 1.42 with 6.07 \
                  times the nodes and 7.95 times the nodes per second of one processor. Our searches to depth 10 on 16 \
                  virtual processors (cost model reference) gave a time speedup of 5.00 (4.50 to 5.50) with 2.00 (1.80 \
                  to 2.20) times the nodes and 10.0 (9.0 to 11.0) times the nodes per second.";
    let differs = "the experiments differ (depth 10 instead of 11), so that only the shapes of curves can be compared.";
    analysis.description.asks = Some(Asks::Published);
    let answer = Answer::of(&analysis);
    assert_eq!(answer.verdict, beside);
    assert!(answer.details[0].contains(differs), "{answer:?}");
    // Another question begins with another sentence.
    for (asks, first) in
        [(Asks::Best, "On 16 virtual processors"), (Asks::Scaling, "Time speedup on virtual processors")]
    {
        analysis.description.asks = Some(asks);
        let answer = Answer::of(&analysis);
        assert!(answer.verdict.starts_with(first), "{answer:?}");
    }
}

#[test]
fn growth_is_told_curve_by_curve() {
    let mut analysis = strategies(MachineKind::Real, &[2, 4]);
    analysis.description.asks = Some(Asks::Scaling);
    let said = [
        "Time speedup on real processors (95 % intervals for these positions): lazy 1.62 (1.56 to 1.69) on 2 and 2.64 \
         (2.53 to 2.74) on 4; ybwc 1.80 (1.73 to 1.87) on 2 and 3.25 (3.12 to 3.38) on 4; abdada",
    ];
    expect("growth", &analysis, &said, &[]);
}
