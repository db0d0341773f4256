//! Searches that go on after their first answer: lazy ones that end when worker 0 has completed the depth.

use super::super::samples::{configuration, description, measured, record};
use super::super::{Analysis, Ends};
use crate::figures::register::NPS;
use crate::record::Record;

/// Two positions and two seeds: one processor takes 16 s for 100 nodes; eight workers of lazy search have a first
/// answer after 2 s and end after 4 s with 320 nodes, of which 120 lie beyond the depth, all of them always searching.
fn experiment(master_s: Option<u64>) -> Vec<Record> {
    let (one, eight) = (configuration("sequential", 1), configuration("lazy", 8));
    let mut records = Vec::new();
    for position in ["A", "B"] {
        for seed in [1, 2] {
            records.push(record(records.len() as u64, &one, position, seed, (16, 100)));
            let mut shared = record(records.len() as u64, &eight, position, seed, (2, 320));
            let of_it = measured(&mut shared);
            of_it.activities.search_ns = 8 * 4_000_000_000;
            (of_it.activities.split_ns, of_it.activities.idle_ns) = (0, 0);
            of_it.master_ns = master_s.map(|seconds| seconds * 1_000_000_000);
            of_it.losses = [("beyond", 120)].into();
            records.push(shared);
        }
    }
    records
}

#[test]
fn nodes_and_work_are_divided_by_the_time_to_their_end() {
    let analysis = Analysis::of(description(&["threads"], 8), &experiment(Some(4)));
    let group = &analysis.groups[1];
    let ratios = group.against_baseline.as_ref().unwrap();
    let close = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-9, "{found} is not {expected}");
    close(ratios.time_speedup.estimate, 8.0);
    // No processor can search for more than all of its time, and 320 nodes in 4 s are 80 a second.
    close(ratios.factors.utilisation.ratio.estimate, 1.0);
    close(group.means.get(&NPS).unwrap(), 80.0);
    close(ratios.nps_speedup.estimate, 80.0 / (100.0 / 16.0));
    close(group.thesis.nps.unwrap().estimate, 160.0);
    let Ends { master, voted, nodes_within, overrun } = ratios.ends;
    close(master.unwrap().estimate, 4.0);
    close(nodes_within.unwrap().estimate, 2.0);
    close(overrun.unwrap().estimate, 2.0);
    assert_eq!(voted, None);
    let factors = ratios.factors;
    let product =
        [factors.utilisation, factors.productive, factors.rate].map(|one| one.ratio.estimate).iter().product::<f64>();
    close(factors.processors * product / factors.nodes.ratio.estimate * overrun.unwrap().estimate, 8.0);
}

#[test]
fn where_the_first_answer_is_the_end_nothing_is_said_of_others() {
    for master_s in [Some(2), None] {
        let analysis = Analysis::of(description(&["threads"], 8), &experiment(master_s));
        let ends = analysis.groups[1].against_baseline.as_ref().unwrap().ends;
        assert_eq!((ends.master, ends.voted, ends.overrun), (None, None, None));
    }
    // What only some runs reached is not the mean of all.
    let mut records = experiment(Some(4));
    measured(&mut records[1]).master_ns = None;
    let ends = Analysis::of(description(&["threads"], 8), &records).groups[1].against_baseline.as_ref().unwrap().ends;
    assert!(ends.master.is_none() && ends.overrun.is_some());
}
