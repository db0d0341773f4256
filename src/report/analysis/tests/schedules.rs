//! Strategies that leave out iterations beside one processor that does so too.

use super::super::samples::under_schedules;
use super::super::{Analysis, BestSchedule, Group};
use super::expect;
use crate::record::Record;

fn analysis(others: &[(u32, f64)], noise: f64, seed: u64) -> Analysis {
    let (description, records) = under_schedules(others, noise, seed);
    Analysis::of(description, &records)
}

fn group<'a>(analysis: &'a Analysis, strategy: &str) -> &'a Group {
    analysis.groups.iter().find(|group| group.configuration.strategy == strategy).unwrap()
}

fn best(analysis: &Analysis, strategy: &str) -> Option<BestSchedule> {
    group(analysis, strategy).against_baseline.as_ref().unwrap().best_schedule.clone()
}

#[test]
fn the_best_of_the_schedules_is_the_harder_baseline() {
    let analysis = analysis(&[(2, 1.25), (3, 1.1)], 0.01, 1);
    let best = best(&analysis, "lazy").unwrap();
    let lazy = group(&analysis, "lazy").against_baseline.as_ref().unwrap();
    assert_eq!((best.step, best.is_usual), (2, false));
    let is_near = |found: f64, expected: f64| assert!((found / expected - 1.0).abs() < 0.02, "{found}, not {expected}");
    is_near(lazy.time_speedup.estimate, 8.0);
    is_near(best.time_speedup.estimate, 8.0 / 1.25);
    is_near(best.gain.estimate, 1.25);
    is_near(best.t1_s, 8.0);
    expect(best.time_speedup.estimate * best.gain.estimate, lazy.time_speedup.estimate);
    let harder = lazy.harder();
    assert_eq!((harder.time_speedup, harder.step), (best.time_speedup, Some(2)));
    assert_eq!(harder.alone, "one processor that searches every second iteration");
}

/// Nobody but those that leave out iterations is compared with it, and it is no configuration that was asked about.
#[test]
fn a_baseline_that_was_added_is_no_group() {
    let analysis = analysis(&[(2, 1.25)], 0.01, 2);
    assert_eq!(best(&analysis, "ybwc"), None);
    let labels: Vec<&str> = analysis.groups.iter().map(|group| group.label.as_str()).collect();
    assert_eq!(labels, ["sequential", "ybwc", "lazy"]);
    assert_eq!((analysis.curves.len(), analysis.contests.len(), analysis.baseline_spread.len()), (2, 1, 1));
    let claims = analysis.statements.iter().filter(|claim| claim.kind.name() == "faster");
    let than: Vec<(&str, &str)> = claims.map(|claim| (claim.subject.as_str(), claim.than.as_str())).collect();
    let beside_second = ("lazy", "one processor that searches every second iteration");
    assert_eq!(than, [("ybwc", "one processor"), ("lazy", "one processor"), beside_second]);
}

/// Where leaving out iterations gains nothing, the ordinary baseline is the harder one.
#[test]
fn one_processor_as_it_is_may_be_the_best() {
    let analysis = analysis(&[(2, 0.8)], 0.01, 3);
    let best = best(&analysis, "lazy").unwrap();
    let lazy = group(&analysis, "lazy").against_baseline.as_ref().unwrap();
    assert_eq!((best.step, best.is_usual, best.gain.estimate), (1, true, 1.0));
    assert_eq!(best.time_speedup.estimate, lazy.time_speedup.estimate);
    assert_eq!((lazy.harder().time_speedup, lazy.harder().alone.as_str()), (lazy.time_speedup, "one processor"));
}

/// All baselines are seen at the same positions.
#[test]
fn only_positions_in_common_count() {
    let (description, records) = under_schedules(&[(2, 2.0)], 0.0, 4);
    let is_there = |record: &&Record| record.cell.configuration.features == "thesis" || &*record.cell.position != "P0";
    let mut records: Vec<Record> = records.iter().filter(is_there).cloned().collect();
    // At the position without the second baseline nothing is gained.
    for record in records.iter_mut().filter(|record| &*record.cell.position == "P0") {
        super::super::samples::measured(record).time_ns = 1_000_000_000;
    }
    let analysis = Analysis::of(description, &records);
    let best = best(&analysis, "lazy").unwrap();
    expect(best.time_speedup.estimate, 4.0);
    expect(best.gain.estimate, 2.0);
}

/// Three schedules are equally good. Their smallest speedup is too small on average, and its interval holds for the
/// true one all the same.
#[test]
fn the_interval_takes_into_account_that_the_best_was_chosen() {
    let (mut missed, mut harder_missed, mut below) = (0, 0, 0);
    for seed in 0..300 {
        let analysis = analysis(&[(2, 1.0), (3, 1.0)], 0.2, 100 + seed);
        let best = best(&analysis, "lazy").unwrap();
        let harder = group(&analysis, "lazy").against_baseline.as_ref().unwrap().harder();
        below += u32::from(best.time_speedup.estimate < 8.0);
        let misses = |low: f64, high: f64| u32::from(!(low..=high).contains(&8.0));
        missed += misses(best.time_speedup.low, best.time_speedup.high);
        harder_missed += misses(harder.time_speedup.low, harder.time_speedup.high);
    }
    assert!(below > 180, "{below} of 300");
    assert!(missed <= 18 && harder_missed <= 18, "{missed} and {harder_missed} of 300");
}
