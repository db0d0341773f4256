//! Published time speedups beside ours.

use super::super::samples::{configuration, description, record};
use super::super::{Analysis, MeanError, Positions, PublishedPoint};
use super::expect;
use crate::published::{DTS_SUITE, Mean, Published};
use crate::record::{Description, Record};
use crate::statistics::Interval;

/// Searches at A, which take one processor 160 s, and at B, which take it 64 s; on 16 processors 10 s and 8 s. The
/// speedups are 16 and 8: arithmetic mean 12, geometric mean 11.3, ratio of sums 224 / 18.
fn analysed(strategy: &str, suite: &str, positions_of: usize) -> Analysis {
    let mut records: Vec<Record> = Vec::new();
    for (threads, seconds) in [(1, [160, 64]), (16, [10, 8])] {
        for (position, seconds) in ["A", "B"].into_iter().zip(seconds) {
            for seed in 0..2 {
                let strategy = if threads == 1 { "sequential" } else { strategy };
                let configuration = configuration(strategy, threads);
                records.push(record(records.len() as u64, &configuration, position, seed, (seconds, 1000)));
            }
        }
    }
    let description =
        Description { suite: Some(suite.into()), positions_of, ..description(&["strategy", "threads"], 8) };
    Analysis::of(description, &records).beside(&Published::load().unwrap())
}

fn point<'a>(analysis: &'a Analysis, source: &str, mean: Mean) -> &'a PublishedPoint {
    let is_it = |point: &&PublishedPoint| point.published.source.starts_with(source) && point.published.mean == mean;
    analysis.published_points.iter().find(is_it).unwrap_or_else(|| panic!("{source}: {:?}", analysis.published_points))
}

/// Like stands beside like: 12 beside the arithmetic mean of 11.1, 11.3 beside the geometric one of 10.824.
#[test]
fn each_mean_stands_beside_the_same_mean() {
    let analysis = analysed("dts", DTS_SUITE, 2);
    assert_eq!(analysis.published_points.len(), 2);
    let printed = point(&analysis, "Hyatt 1994", Mean::Arithmetic);
    expect(printed.ours(&analysis).unwrap().estimate, 12.0);
    expect(printed.error(&analysis).unwrap().estimate, 12.0 / 11.1 - 1.0);
    let derived = point(&analysis, "derived", Mean::Geometric);
    expect(derived.error(&analysis).unwrap().estimate, 128.0_f64.sqrt() / 10.824 - 1.0);
    // What is derived from the others is no further point.
    let mean = MeanError::of(&analysis, &analysis.published_points).unwrap();
    assert_eq!(mean.points, 1);
    expect(mean.signed, 12.0 / 11.1 - 1.0);
}

/// 12 is above 10.88, which is of the same positions, and above 9.96 of others; 11.3 is above 4.6. Nothing else was
/// published for 16 processors and these rules.
#[test]
fn positions_are_the_same_a_part_or_others() {
    let kinds = |strategy: &str, suite: &str, positions_of: usize| -> Vec<(f64, Positions)> {
        let analysis = analysed(strategy, suite, positions_of);
        analysis.published_points.iter().map(|point| (point.value, point.positions)).collect()
    };
    use Positions::{Other, Part, Same};
    assert_eq!(kinds("abdada", DTS_SUITE, 2), [(10.88, Same), (9.96, Other)]);
    assert_eq!(kinds("abdada", DTS_SUITE, 24), [(10.88, Part), (9.96, Other)]);
    assert_eq!(kinds("abdada", "wac", 2), [(10.88, Other), (9.96, Other)]);
    assert_eq!(kinds("pv-split", DTS_SUITE, 2), [(4.6, Same)]);
    assert_eq!(kinds("ybwc", DTS_SUITE, 2), []);
    assert_eq!(kinds("dts,minimum-draft=2", DTS_SUITE, 2).len(), 2);
}

/// Errors of opposite sign cancel in the mean and not in the mean of their sizes, and an interval of ours is one of the
/// error.
#[test]
fn signs_cancel_and_sizes_do_not() {
    let mut analysis = analysed("abdada", DTS_SUITE, 2);
    let mut points = analysis.published_points.clone();
    for (point, value) in points.iter_mut().zip([15.0, 10.0]) {
        point.value = value;
    }
    let group = points[0].group;
    analysis.groups[group].against_baseline.as_mut().unwrap().mean_of_ratios =
        Interval { estimate: 12.0, low: 9.0, high: 13.0 };
    let errors: Vec<Interval> = points.iter().map(|point| point.error(&analysis).unwrap()).collect();
    expect(errors[0].estimate, -0.2);
    expect(errors[1].estimate, 0.2);
    expect(errors[1].low, -0.1);
    expect(errors[1].high, 0.3);
    let inside: Vec<Option<bool>> = points.iter().map(|point| point.is_inside(&analysis)).collect();
    assert_eq!(inside, [Some(false), Some(true)]);
    let mean = MeanError::of(&analysis, &points).unwrap();
    assert_eq!((mean.points, mean.inside, mean.with_interval), (2, 1, 2));
    expect(mean.signed, 0.0);
    expect(mean.absolute, 0.2);
    assert_eq!(MeanError::of(&analysis, []), None);
}
