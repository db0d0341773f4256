//! What the answer says of analyses whose figures are known, and what it must never say.

use super::answer;
use crate::record::{Baseline, IntervalKind, MachineKind};
use crate::report::analysis::Analysis;
use crate::report::page::samples::{baseline_only, empty, group, interval, rich, strategies};
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
            against.time_speedup = speedup;
        }
    }
}

fn expect(name: &str, analysis: &Analysis, said: &[&str], not_said: &[&str]) {
    let answer = answer(analysis);
    for part in said {
        assert!(answer.contains(part), "{name}: no '{part}' in: {answer}");
    }
    for part in not_said.iter().chain(&["NaN", "inf", "equal", "  "]) {
        assert!(!answer.contains(part), "{name}: '{part}' in: {answer}");
    }
}

#[test]
fn the_greatest_speedup_at_most_processors_is_told_with_its_interval() {
    type Change = fn(&mut Analysis);
    let cases: [(&str, Change, &[&str], &[&str]); 9] = [
        (
            "lazy is best",
            |a| set_speedup(a, "lazy", Interval { estimate: 3.75, low: 3.6, high: 3.9 }),
            &[
                "With 4 real processors the greatest time speedup of 3 configurations was that of lazy: 3.75 (95 % \
                 interval 3.60 to 3.90, for these positions).",
                "an efficiency of 93.8 %",
                "Next was ybwc with 3.25 (3.12 to 3.38).",
                "Nothing was seen to disturb any of the 260 real records.",
            ],
            &["overlap", "virtual", "baseline,"],
        ),
        (
            "close",
            |a| set_speedup(a, "lazy", Interval { estimate: 3.2, low: 3.1, high: 3.3 }),
            &["that of ybwc: 3.25", "Next was lazy with 3.20 (3.10 to 3.30); the intervals overlap"],
            &[],
        ),
        (
            "no intervals",
            |a| {
                for strategy in ["lazy", "ybwc", "abdada"] {
                    set_speedup(a, strategy, Interval { estimate: 2.5, low: UNKNOWN, high: UNKNOWN });
                }
            },
            &["2.50 (no interval can be given)", "without intervals their order is not settled"],
            &["95 %"],
        ),
        (
            "no speedup",
            |a| {
                for strategy in ["lazy", "ybwc", "abdada"] {
                    set_speedup(a, strategy, interval(1.01, 0.1));
                }
            },
            &["So it is not shown to be faster than one processor."],
            &["slower than one"],
        ),
        (
            "slower",
            |a| {
                for strategy in ["lazy", "ybwc", "abdada"] {
                    set_speedup(a, strategy, interval(0.8, 0.1));
                }
            },
            &["It was slower than one processor."],
            &[],
        ),
        (
            "alone",
            |a| a.groups.retain(|group| ["sequential", "ybwc"].contains(&group.label.as_str())),
            &["With 4 real processors, ybwc was 3.25 times as fast to the same depth as one (95 % interval 3.12 to \
                 3.38"],
            &["configurations", "Next was"],
        ),
        (
            "the other kind of interval",
            |a| a.description.interval = IntervalKind::PositionsLikeThese,
            &["(95 % interval 3.12 to 3.38, for positions like these)"],
            &["for these positions"],
        ),
        (
            "other baselines",
            |a| a.groups[6].configuration.board = "mailbox".into(),
            &["of 3 configurations, each against its own baseline, was that of ybwc"],
            &[],
        ),
        (
            "not measured there",
            |a| a.groups.iter_mut().filter(|group| group.configuration.threads == 4).for_each(|group| group.runs = 0),
            &["With 2 real processors the greatest time speedup of 3 configurations was that of ybwc: 1.80"],
            &["With 4"],
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
        "With 4 real processors the greatest time speedup of 3 configurations was that of ybwc: 3.25",
        "With 64 virtual processors (cost model reference) the greatest time speedup of 3 configurations was that of \
         ybwc: 34.3",
        "Of 2 comparisons with the reference on real processors, 1 differs in time after Holm's correction: strategy \
         lazy against ybwc with 2 processors (1.23 times the time, 1.16 to 1.30, p = 0.004).",
        "In nodes 1 differs.",
        "With 64 virtual processors, 2 of 3 switches show an effect on time after Holm's correction; the strongest is \
         null-move, which on takes 0.310 times the time (0.285 to 0.335, p < 0.001).",
        "of 260 real records 7 were disturbed, most often because the hypervisor gave",
        "Of 640 cells 1 failed and 3 have no record yet.",
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
         correction; that is no proof",
        "With 64 virtual processors none of 3 switches shows an effect on time after Holm's correction; that is no \
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
        "the design cannot tell it from the joint effect of null-move x history.",
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
        "With 16 virtual processors (cost model reference) the greatest time speedup of 3 configurations was that of \
         ybwc: 10.56",
        "Over the 2 cost models tried the speedup of ybwc lies at 6.0 to 10.6; that it comes first depends on them: \
         under reference,lock_handoff*2 another does.",
    ];
    expect("turned", &analysis, &said, &[]);
    // The model of the reference speaks, if it was used.
    for (name, spoken) in [("reference,lock_handoff*2", "reference,lock_handoff*2"), ("not used", "reference")] {
        let fields = [("costs".to_owned(), name.to_owned())].into();
        analysis.description.references = vec![crate::record::Reference { fields, members: Vec::new() }];
        expect(name, &analysis, &[&format!("With 16 virtual processors (cost model {spoken}) the greatest")], &[]);
    }
    analysis.description.references.clear();
    // Where it stays the first, the costs only move it.
    analysis.groups.pop();
    expect(
        "kept",
        &analysis,
        &["Over the 2 cost models tried the speedup of ybwc lies at 6.0 to 10.6."],
        &["depends \
            on them"],
    );
}

#[test]
fn baselines_failures_and_nothing() {
    let said = [
        "With 1 real processor, sequential searched 8.51 million nodes at 1.21 million nodes a second (arithmetic \
         means over 10 positions, 80 runs); its searches of one position differ by a standard deviation of 0.314 in \
         the logarithm of nodes.",
        "Nothing was seen to disturb any of the 80 real records.",
    ];
    expect("baseline", &baseline_only(), &said, &["speedup", "virtual"]);
    expect("nothing", &empty(), &["nothing was measured"], &["disturb", "Of "]);

    let mut failed = empty();
    failed.description.baseline = Baseline::None;
    failed.quality.cells = 2;
    failed.quality.failed = vec![("a".into(), "it broke".into()), ("b".into(), "it broke".into())];
    expect("failed", &failed, &["nothing was measured", "Of 2 cells 2 failed."], &["missing"]);
}
