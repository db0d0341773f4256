//! Disturbance by arm, and cycles.

use super::super::samples::{again, configuration, deprived, description, measured, one_against_four, real, record};
use super::super::{Analysis, Health, state};
use super::{expect, four};
use crate::record::{Asks, Description, Disturbance, Record, WorkerRecord};

/// Four positions, on one processor and on four, four runs each. The parallel runs of seeds 2 and 3 lose 4 % of their
/// processor time and take so many times as long.
fn records(slower: f64) -> Vec<Record> {
    let mut records = Vec::new();
    for position in ["A", "B", "C", "D"] {
        for seed in 0..4 {
            for (strategy, threads) in [("sequential", 1), ("ybwc", 4)] {
                let configuration = real(&configuration(strategy, threads));
                let mut one = record(records.len() as u64, &configuration, position, seed, (8, 100));
                let is_loud = threads == 4 && seed > 1;
                let noise = 1.0 + 0.01 * (seed % 2) as f64;
                let factor = if is_loud { slower } else { 1.0 };
                measured(&mut one).time_ns = (8e9 / f64::from(threads) * noise * factor) as u64;
                records.push(deprived(one, if is_loud { 0.04 } else { 0.002 }));
            }
        }
    }
    records
}

#[test]
fn what_was_taken_is_told_by_arm_and_whether_it_mattered() {
    let mut records = records(1.5);
    // One attempt was thrown away.
    let thrown_away = deprived(records[0].clone(), 0.3);
    records[0] = again(&records[0], 8);
    records.push(thrown_away);
    let analysis = Analysis::of(description(&["threads"], 32), &records);
    let [alone, four] = &analysis.quality.arms[..] else { panic!("two arms") };
    assert_eq!((alone.records, alone.disturbed, alone.unknown), (16, 0, 0));
    assert_eq!((alone.thrown_away, alone.disturbed_attempts), (1, 1));
    expect(alone.taken.unwrap().mean, 0.002);
    expect(alone.taken_from_all.unwrap().mean, (16.0 * 0.002 + 0.3) / 17.0);
    expect(alone.taken_from_all.unwrap().worst, 0.3);
    assert!(alone.test.is_none() && alone.speedup.estimate.is_nan(), "all that count are quiet");
    assert_eq!((four.records, four.disturbed, four.thrown_away), (16, 8, 0));
    expect(four.taken.unwrap().mean, 0.021);
    expect(four.taken.unwrap().worst, 0.04);
    expect(four.time_ratio.estimate, 1.5);
    assert!(four.test.unwrap().p() < 0.01, "{four:?}");
    expect(four.quiet_speedup.estimate, 4.0);
    expect(four.speedup.estimate, 4.0 / 1.5_f64.sqrt());
    assert!(four.quiet_speedup.is_known());

    let analysis = Analysis::of(description(&["threads"], 32), &self::records(1.0));
    assert!(analysis.quality.arms[1].test.unwrap().p() > 0.9, "{:?}", analysis.quality.arms[1]);
}

/// Half of the parallel searches were disturbed. The verdict of all stands if the quiet ones say nothing else.
#[test]
fn a_diagnosis_of_disturbed_searches_needs_the_quiet_ones() {
    let found = |slower: f64| {
        let mut records = records(slower);
        for (place, record) in records.iter_mut().enumerate() {
            let varied = 1.0 + 0.02 * (place % 5) as f64;
            let measured = measured(record);
            measured.time_ns = (measured.time_ns as f64 * varied) as u64;
            measured.nodes += place as u64;
        }
        let asks = Some(Asks::Smp);
        let analysis = Analysis::of(Description { asks, ..description(&["threads"], 32) }, &records);
        (analysis.diagnoses[0].health, state::is_ruined(&analysis))
    };
    assert_eq!(found(1.0), (Health::Healthy, false), "the page shows the times that the verdict tells");
    assert_eq!(found(2.0), (Health::Undecided, true), "half of them say 4, and the others 2");
}

/// Load takes time and no nodes: threads that search nothing are found out on a busy computer too.
#[test]
fn equal_nodes_in_all_pairs_say_that_threads_do_not_search() {
    let mut records: Vec<Record> = records(3.0).into_iter().map(|record| deprived(record, 0.4)).collect();
    let diagnosis = |records: &[Record]| Analysis::of(description(&["threads"], 32), records).diagnoses[0].clone();
    let found = diagnosis(&records);
    assert_eq!((found.health, found.equal_pairs), (Health::NotSearching, Some(16)));
    assert_eq!(found.in_words(), "the other 3 threads do not search: equal nodes in all 16 pairs");
    measured(&mut records[1]).nodes += 1;
    let found = diagnosis(&records);
    assert_eq!((found.health, found.equal_pairs), (Health::Undecided, None));
}

/// Four processors at half the clock: half of what their rate lacks is the clock's.
#[test]
fn the_rate_is_parted_where_cycles_are_counted() {
    let (description, mut records) = one_against_four();
    assert_eq!(four(&Analysis::of(description.clone(), &records)).cycles, None);
    for record in &mut records {
        let cycles = if record.cell.configuration.threads == 4 { 1_500 } else { 3_000 };
        let watch = Disturbance { cycles: Some(cycles), cpu_ns: Some(1_000), ..Disturbance::default() };
        let worker = WorkerRecord { watch: Some(watch), ..WorkerRecord::default() };
        let workers = record.cell.configuration.threads as usize;
        measured(record).workers = vec![worker; workers];
    }
    let analysis = Analysis::of(description.clone(), &records);
    let (factors, cycles) = (four(&analysis).factors, four(&analysis).cycles.unwrap());
    expect(cycles.clock.estimate, 0.5);
    expect(cycles.clock.estimate * cycles.nodes_per_cycle.estimate, factors.rate.ratio.estimate);
    // If a single run does not tell, nothing is told.
    measured(&mut records[6]).workers[1].watch = None;
    assert_eq!(four(&Analysis::of(description, &records)).cycles, None);
}
