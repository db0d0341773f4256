//! What a reader concludes who sees the first screen alone: for whom it holds, what it rests on, and beside what.

use super::*;

/// Equal nodes in all pairs say that the second thread does not search, however busy the computer is: the verdict
/// stands in full, and the alert says of the times alone that they mean nothing.
#[test]
fn what_rests_on_nodes_is_said_in_full_of_disturbed_searches() {
    let all = [(real(&configuration("lazy", 2)), 1.0)];
    let (description, records) = experiment(&all, |_| 1.0, 0.05, 6);
    let description = Description { asks: Some(Asks::Smp), ..description };
    let busy: Vec<Record> = records.iter().map(|record| deprived(record.clone(), 0.77)).collect();
    let (found, _) = headline(&description, &busy);
    assert!(found.verdict.starts_with("lazy: the second thread does not search: equal nodes"), "{}", found.verdict);
    assert!(!found.is_tentative, "{found:?}");
    assert!(found.alerts[0].contains("what is said rests on numbers of nodes"), "{:?}", found.alerts);
    assert!(!found.alerts[0].contains("run again"), "{:?}", found.alerts);
}

/// That every search with two threads ended with the engine, and none with one, is said whatever disturbed the others.
#[test]
fn an_engine_that_fails_with_threads_alone_is_said_to_fail() {
    let all = [(real(&configuration("lazy", 2)), 1.0)];
    let (description, records) = experiment(&all, |_| 1.0, 0.05, 6);
    let description = Description { asks: Some(Asks::Smp), ..description };
    let failing = |threads: u32| {
        let fail = |record: &Record| match record.cell.configuration.threads == threads {
            true => Record { result: CellResult::Failed("it ended: assertion 42".into()), ..record.clone() },
            false => deprived(record.clone(), 0.77),
        };
        headline(&description, &records.iter().map(fail).collect::<Vec<_>>()).0
    };
    let verdict = failing(2).verdict;
    assert!(verdict.starts_with("lazy fails with 2 threads: of "), "{verdict}");
    assert!(verdict.ends_with("The first ended so: it ended: assertion 42."), "{verdict}");
    assert!(!failing(1).verdict.contains("fails with"));
}

/// Whoever lays boards side by side asks what copying costs and which of them takes less time: both are answered.
#[test]
fn splits_are_told_with_the_differences_in_time() {
    let mut analysis = crate::charts::samples::comparisons();
    analysis.description.asks = Some(Asks::Splitting);
    let share = Interval { estimate: 0.002, low: 0.001, high: 0.003 };
    analysis.groups.iter_mut().for_each(|group| group.splitting.copy_share_together = Some(share));
    let differences = crate::questions::of_differences(&analysis).unwrap();
    let verdict = Headline::of(&Source::of(analysis)).verdict;
    assert!(verdict.starts_with("No position is too big to be copied: on "), "{verdict}");
    assert!(verdict.ends_with(&*differences), "{verdict}");
}

/// The line below the table says for which positions its intervals hold, and of those in the verdict only what is so: a
/// state is said of the search, whatever its positions, by intervals each of which holds for itself.
#[test]
fn the_caption_tells_what_the_intervals_hold_for() {
    let all = [("lazy", 3.5), ("ybwc", 2.0)].map(|(name, speedup)| (configuration(name, 4), speedup));
    let (description, records) = experiment(&all, |_| 1.0, 0.05, 6);
    let caption = |asks: Asks, many: usize| {
        let description = Description { asks: Some(asks), ..description.clone() };
        let is_in = |record: &&Record| many > 1 || record.cell.configuration.strategy != "ybwc";
        let records: Vec<Record> = records.iter().filter(is_in).cloned().collect();
        headline(&description, &records).0.table.caption
    };
    let [best, one, health] = [caption(Asks::Best, 2), caption(Asks::Best, 1), caption(Asks::Smp, 2)];
    assert!(best.contains("95 % for these positions, ") && best.contains("all that it compares at once"), "{best}");
    assert!(one.contains("95 % for these positions, ") && !one.contains("at once"), "{one}");
    assert!(health.contains("95 % for positions like these, ") && !health.contains("at once"), "{health}");

    // Where the computer was busy all intervals are withheld, and nothing is said of them.
    let busy = records.iter().map(|record| {
        let on_computer = real(&record.cell.configuration).into();
        deprived(
            Record {
                cell: crate::record::Cell { configuration: on_computer, ..record.cell.clone() },
                ..record.clone()
            },
            0.77,
        )
    });
    let (busy, _) = headline(&description, &busy.collect::<Vec<_>>());
    assert!(busy.verdict.starts_with("No verdict") && !busy.table.caption.contains("ntervals"), "{busy:?}");
}

/// Where baselines differ, the verdict says for whom it is one that leaves out iterations.
#[test]
fn baselines_that_differ_are_told_apart() {
    let (description, mut records) = under_schedules(&[(2, 1.3)], 0.01, 11);
    records.iter_mut().for_each(|record| measured(record).time_ns /= 1_000);
    let verdict = headline(&description, &records).0.verdict;
    let words = "times as fast as one processor (for lazy one that leaves out iterations too): lazy 6.1";
    assert!(verdict.starts_with("Too small to judge") && verdict.contains(words), "{verdict}");
}
