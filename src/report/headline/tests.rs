//! First screens of hand-made experiments whose truth is known.

mod picked;
mod readers;

use crate::Source;
use crate::analysis::samples::{configuration, deprived, description, measured, real, record, under_schedules};
use crate::analysis::{Analysis, Statement};
use crate::question::{Headline, Subject};
use crate::random::SplitMix;
use crate::record::{
    Activities, Asks, CellResult, Configuration, Description, IntervalKind, PositionInfo, Record, Repriced,
};
use crate::statistics::Interval;

/// Words that a verdict may have.
const MOST_WORDS: usize = 45;

/// An experiment on eight positions: every configuration on one processor and on `threads`, four runs each, where a run
/// takes this many seconds on one and a speedup that a function of the configuration gives, with this noise.
fn experiment(
    configurations: &[(Configuration, f64)],
    one_s: impl Fn(&Configuration) -> f64,
    noise: f64,
    seed: u64,
) -> (Description, Vec<Record>) {
    let mut random = SplitMix::new(seed);
    let mut records = Vec::new();
    let baselines: std::collections::BTreeSet<Configuration> =
        configurations.iter().map(|(configuration, _)| configuration.baseline()).collect();
    let sequential = baselines.into_iter().map(|baseline| (baseline, 1.0));
    for (configuration, speedup) in sequential.chain(configurations.iter().cloned()) {
        for position in 0..8 {
            for seed in 0..4 {
                let id = format!("P{position}");
                let mut one = record(records.len() as u64, &configuration, &id, seed, (1, 1000));
                let level = (f64::from(position) / 4.0).exp();
                let seconds = one_s(&configuration) * level / speedup * (noise * random.normal()).exp();
                measured(&mut one).time_ns = (seconds * 1e9) as u64;
                let all_ns = (seconds * 1e9) as u64 * u64::from(configuration.threads);
                let search_ns = if configuration.threads == 1 { all_ns } else { all_ns / 2 };
                measured(&mut one).activities =
                    Activities { search_ns, idle_ns: all_ns - search_ns, ..Activities::default() };
                records.push(one);
            }
        }
    }
    let position = |place: u32| PositionInfo { id: format!("P{place}"), ..PositionInfo::default() };
    let description = Description {
        positions: (0..8).map(position).collect(),
        interval: IntervalKind::ThesePositions,
        asks: Some(Asks::Best),
        ..description(&["strategy", "features"], records.len() as u64)
    };
    (description, records)
}

fn headline(description: &Description, records: &[Record]) -> (Headline, Analysis) {
    let source = Source::of(Analysis::of(description.clone(), records));
    (Headline::of(&source), source.analysis)
}

fn words(text: &str) -> usize {
    text.split_whitespace().count()
}

#[test]
fn the_best_is_named_with_those_that_are_level_and_those_that_are_slower() {
    let strategies = [("lazy", 8.0), ("ybwc", 7.9), ("abdada", 7.9), ("root", 2.0), ("pv-split", 3.0)];
    let all: Vec<(Configuration, f64)> =
        strategies.iter().map(|(name, speedup)| (configuration(name, 16), *speedup)).collect();
    let (description, records) = experiment(&all, |_| 1.0, 0.05, 3);
    let (headline, analysis) = headline(&description, &records);
    let verdict = &headline.verdict;
    assert!(words(verdict) <= MOST_WORDS, "{} words: {verdict}", words(verdict));
    for part in [
        "On 16 virtual processors, by the model, ybwc (",
        " are not shown to differ: 7.",
        " times as fast as one processor, which takes 2.39 s; pv-split (",
        " are slower.",
    ] {
        assert!(verdict.contains(part), "{part}: {verdict}");
    }
    assert!(verdict.find("not shown to differ") < verdict.find("are slower"), "{verdict}");
    let same = headline.table.columns.iter().position(|column| column.name == "letters").unwrap();
    let letters: Vec<String> = headline.table.rows.iter().map(|row| format!("{:?}", row[same])).collect();
    assert_eq!(letters, ["a", "a", "a", "b", "c"].map(|letter| format!("Text({letter:?})")));
    assert!(verdict.contains("which takes "), "the size of the search: {verdict}");
    assert!(headline.tiles.len() <= 5 && headline.tiles[0].words.contains("time speedup"), "{:?}", headline.tiles);
    let loss = headline.tiles.iter().find(|tile| tile.words.contains("the largest loss of")).unwrap();
    assert!(
        loss.words.starts_with("of 16 processors lost to idle (speedup × 0.5") && loss.words.contains(" by itself)"),
        "{loss:?}"
    );
    assert_eq!(headline.table.rows.len(), 5);
    assert_eq!(analysis.contests.len(), 1);
    assert_eq!(analysis.contests[0].rivalries.len(), 10);
}

/// Every order that a test shows is told, not only those with the leader: of three, the first is told from none, and
/// the second from the third.
#[test]
fn an_order_behind_the_leader_is_told() {
    let all = [("lazy", 6.9), ("ybwc", 6.0), ("root", 5.0)].map(|(name, speedup)| (configuration(name, 16), speedup));
    let (description, mut records) = experiment(&all, |_| 1.0, 0.02, 3);
    let mut random = SplitMix::new(4);
    for record in records.iter_mut().filter(|record| record.cell.configuration.strategy == "lazy") {
        measured(record).time_ns = (measured(record).time_ns as f64 * (1.5 * random.normal()).exp()) as u64;
    }
    let (headline, analysis) = headline(&description, &records);
    let shown: Vec<&Statement> = analysis.statements.iter().filter(|one| one.is_shown()).collect();
    let orders: Vec<&&Statement> = shown.iter().filter(|one| one.kind.name() == "order").collect();
    assert!(orders.len() == 1 && orders[0].subject == "root" && orders[0].than == "ybwc", "{orders:?}");
    let verdict = &headline.verdict;
    assert!(
        verdict.contains("lazy (") && verdict.contains("ybwc (") && verdict.contains("not shown to differ"),
        "{verdict}"
    );
    assert!(verdict.ends_with("is slower than ybwc."), "{verdict}");
}

/// The interval in the verdict and the test of being faster than one processor never contradict each other, and of
/// three equals the verdict names from where to where they lie.
#[test]
fn a_verdict_never_contradicts_its_interval() {
    for (speedup, noise, seed) in [(1.05, 0.2, 1), (1.3, 0.3, 2), (1.1, 0.1, 3), (3.0, 0.6, 4), (0.7, 0.2, 5)] {
        for names in [vec!["lazy"], vec!["lazy", "ybwc", "abdada"]] {
            let all: Vec<(Configuration, f64)> = names.iter().map(|name| (configuration(name, 2), speedup)).collect();
            let (description, records) = experiment(&all, |_| 1.0, noise, seed);
            let (headline, analysis) = headline(&description, &records);
            let contest = &analysis.contests[0];
            let standing = super::standing::Standing::of(&analysis, contest);
            for &place in &standing.ranked {
                let interval = standing.speedup(place).unwrap();
                let is_apart = interval.low > 1.0 || interval.high < 1.0;
                let is_shown = standing.beside_one(place) != super::standing::BesideOne::NotShown;
                assert_eq!(is_apart, is_shown, "{interval:?} {}", headline.verdict);
            }
            assert!(words(&headline.verdict) <= MOST_WORDS, "{}", headline.verdict);
        }
    }
}

/// Searches of 10 ms are too small for 16 processors: the verdict begins with it and names no order.
#[test]
fn searches_that_are_too_small_have_no_order() {
    let all = [("lazy", 8.0), ("ybwc", 2.0)].map(|(name, speedup)| (configuration(name, 16), speedup));
    let (description, records) = experiment(&all, |_| 0.01, 0.05, 3);
    let (headline, analysis) = headline(&description, &records);
    let verdict = &headline.verdict;
    assert!(
        verdict.starts_with("Too small to judge: one processor takes 23.9 ms, and 16 need searches of 0.320 s"),
        "{verdict}"
    );
    assert!(!verdict.contains("slower") && headline.is_tentative && headline.tiles.iter().any(|tile| tile.is_warning));
    assert!(analysis.statements.iter().all(|one| one.undermined == [crate::analysis::Undermined::TooSmall]));
    let (_, records) = experiment(&all, |_| 1.0, 0.05, 3);
    let (sound, _) = self::headline(&description, &records);
    assert!(!sound.is_tentative && sound.verdict.contains("is slower"), "{sound:?}");
}

/// Two presets solve different problems: nine times the time of the other is no order, and nor is an equal speedup.
#[test]
fn nothing_is_ranked_between_problems() {
    let of = |features: &str| {
        let mut configuration = configuration("ybwc", 4);
        configuration.features = features.into();
        configuration
    };
    let all = [(of("thesis"), 3.0), (of("modern"), 2.0)];
    let slow = |configuration: &Configuration| if configuration.features == "thesis" { 9.0 } else { 1.0 };
    let (description, records) = experiment(&all, slow, 0.05, 4);
    let (headline, analysis) = headline(&description, &records);
    assert_eq!(analysis.contests.len(), 2);
    assert!(analysis.contests.iter().all(|contest| contest.rivalries.is_empty()));
    assert!(analysis.statements.iter().all(|claim| claim.than == "one processor"), "{:?}", analysis.statements);
    for word in ["fastest", "slower", "not shown to differ"] {
        assert!(!headline.verdict.contains(word), "{}", headline.verdict);
    }
    assert!(headline.verdict.starts_with("With thesis: "), "{}", headline.verdict);
    // Speedups of searches of different sizes stand beside those sizes.
    let sizes = headline.table.columns.iter().position(|column| column.name == "t1").unwrap();
    let sizes: Vec<String> = headline.table.rows.iter().map(|row| row[sizes].shown()).collect();
    assert!(sizes.len() == 2 && sizes[0].starts_with("21.") && sizes[1].starts_with("2.4"), "{sizes:?}");
}

/// A problem on two boards has two baselines: times are compared, not speedups.
#[test]
fn boards_are_ranked_by_time() {
    let on = |board: &str| {
        let mut configuration = configuration("ybwc", 4);
        (configuration.board, configuration.sliders) = (board.to_owned(), None);
        configuration
    };
    // The mailbox gains more from four processors, and takes twice as long all the same.
    let slow = |configuration: &Configuration| if configuration.board == "mailbox" { 4.0 } else { 1.0 };
    let all = [(on("mailbox"), 4.0), (on("bitboards"), 2.0)];
    let (mut description, records) = experiment(&all, slow, 0.02, 5);
    description.axes = vec!["board".to_owned()];
    let (headline, _) = headline(&description, &records);
    let verdict = &headline.verdict;
    assert!(verdict.contains("ybwc, bitboards is 1.99") && verdict.contains("ybwc, mailbox (3.98"), "{verdict}");
    assert!(verdict.contains("is slower"), "{verdict}");
}

#[test]
fn a_ruined_measurement_has_no_verdict() {
    let all = [("lazy", 3.0), ("ybwc", 2.0)].map(|(name, speedup)| (real(&configuration(name, 4)), speedup));
    let (description, records) = experiment(&all, |_| 1.0, 0.05, 6);
    let quiet: Vec<Record> = records.iter().map(|record| deprived(record.clone(), 0.001)).collect();
    let (sound, analysis) = headline(&description, &quiet);
    assert!(sound.alerts.is_empty() && sound.verdict.contains("is slower"), "{sound:?}");
    assert!(analysis.statements.iter().any(Statement::is_shown));

    let taken: Vec<Record> = records.iter().map(|record| deprived(record.clone(), 0.77)).collect();
    let (ruined, analysis) = headline(&description, &taken);
    assert!(ruined.verdict.starts_with("No verdict: 96 of 96 searches disturbed"), "{}", ruined.verdict);
    assert!(ruined.alerts[0].contains("other programs took 77.0 % of the processors"), "{:?}", ruined.alerts);
    assert!(!analysis.statements.iter().any(Statement::is_shown), "{:?}", analysis.statements);
    assert!(ruined.tiles.iter().any(|tile| tile.is_warning), "{:?}", ruined.tiles);
    let says_speedup = |headline: &Headline| headline.tiles.iter().any(|tile| tile.words.contains("time speedup"));
    assert!(says_speedup(&sound) && !says_speedup(&ruined), "{:?}", ruined.tiles);
    let source = Source::of(analysis);
    let speedup = Source::QUESTIONS.iter().find(|question| question.key == "speedup").unwrap();
    assert!((speedup.sentence)(&source).unwrap().contains("the searches were disturbed"));
}

/// A fourth of the records of one side is disturbed: a difference that only these show is no difference.
#[test]
fn a_difference_must_be_shown_by_quiet_records_too() {
    let all = [("lazy", 2.0), ("ybwc", 2.0)].map(|(name, speedup)| (real(&configuration(name, 4)), speedup));
    let (description, mut records) = experiment(&all, |_| 1.0, 0.02, 7);
    for record in &mut records {
        let is_loud = record.cell.configuration.strategy == "ybwc" && record.cell.seed > 1;
        if is_loud {
            measured(record).time_ns *= 3;
        }
        *record = deprived(record.clone(), if is_loud { 0.5 } else { 0.001 });
    }
    let (_, analysis) = headline(&description, &records);
    let order: Vec<&Statement> = analysis.statements.iter().filter(|claim| claim.kind.name() == "order").collect();
    assert!(order.len() == 1 && order[0].ratio.low > 1.0 && !order[0].is_shown(), "{order:?}");
}

/// Ten runs of two seeds are two samples: their interval is that of two.
#[test]
fn repetitions_of_a_seed_are_one_sample() {
    let configuration = configuration("ybwc", 4);
    let (mut description, mut records) = experiment(&[(configuration, 2.0)], |_| 1.0, 0.0, 8);
    // Seeds differ by a tenth, and repetitions of one by nothing.
    for record in &mut records {
        let cell = &mut record.cell;
        (cell.repetition, cell.seed) = ((cell.seed / 2) as u32, cell.seed % 2);
        if cell.seed == 1 {
            measured(record).time_ns = measured(record).time_ns / 10 * 11;
        }
    }
    description.repetitions = 2;
    let (_, twice) = headline(&description, &records);
    let once: Vec<Record> = records.into_iter().filter(|record| record.cell.repetition == 0).collect();
    let (_, once) = headline(&description, &once);
    let speedup = |analysis: &Analysis| analysis.groups[1].against_baseline.as_ref().unwrap().time_speedup;
    let [one, two] = [speedup(&once), speedup(&twice)];
    assert!((one.low - two.low).abs() < 1e-9 && (one.high - two.high).abs() < 1e-9, "{one:?} {two:?}");
}

/// One processor that searches every second iteration is 1.3 times as fast: that is no parallelism of lazy search.
#[test]
fn the_harder_baseline_is_named() {
    let first_screen = |others: &[(u32, f64)]| {
        let (description, records) = under_schedules(others, 0.01, 11);
        headline(&description, &records).0
    };
    let harder = first_screen(&[(2, 1.3)]);
    let sentence = "On 16 virtual processors, by the model, lazy is 6.1";
    assert!(harder.verdict.starts_with(sentence), "{}", harder.verdict);
    let words = "times as fast as one processor that searches every second iteration, which takes 7.6";
    for part in [&words.replace("times ", ""), "; ybwc is slower than lazy."] {
        assert!(harder.verdict.contains(part), "{part}: {}", harder.verdict);
    }
    let tile = &harder.tiles[0];
    let beside = " of lazy on 16 virtual, by the model, beside one processor that searches every second iteration: ";
    assert!(tile.number.starts_with("6.1") && tile.words.starts_with("time speedup (6.1"), "{tile:?}");
    assert!(tile.words.contains(beside), "{tile:?}");

    let usual = first_screen(&[(2, 0.9)]);
    assert!(usual.verdict.starts_with("On 16 virtual processors, by the model, lazy is 8.0"), "{}", usual.verdict);
    assert!(usual.verdict.contains(" as fast as one processor, which takes"), "{}", usual.verdict);
    assert!(usual.verdict.contains("; ybwc (4.0"), "{}", usual.verdict);
}

#[test]
fn an_empty_run_says_so() {
    let (headline, _) = headline(&description(&["strategy"], 4), &[]);
    assert_eq!(&*headline.verdict, "There is no answer yet: nothing was measured.");
    assert_eq!(headline.alerts, ["Preliminary: of 4 searches, 4 have no record yet. Continue with --resume."]);
}

/// Searches with cheap and with dear prices give the verdict its range and turn an order that it tells, and are nothing
/// else: no candidate, no curve, no statement and no group.
#[test]
fn other_prices_are_told_as_a_range_alone() {
    let all = [("lazy", 8.0), ("ybwc", 7.0)].map(|(name, speedup)| (configuration(name, 16), speedup));
    let (mut description, mut records) = experiment(&all, |_| 1.0, 0.02, 3);
    let (plain, before) = headline(&description, &records);
    assert!(!plain.verdict.contains("prices"), "{}", plain.verdict);
    // Speedups with other prices, as ratios to those with plain ones.
    for (name, change, ratio) in
        [("lazy", "cheap", 1.25), ("ybwc", "cheap", 1.1), ("lazy", "dear", 0.8), ("ybwc", "dear", 1.05)]
    {
        let of = configuration(name, 16);
        let repriced = Configuration { costs: Some(format!("mine,{change}").into()), ..of.clone() };
        let is_first = |record: &&Record| *record.cell.configuration == of && record.cell.seed == 0;
        let firsts: Vec<Record> = records.iter().filter(is_first).cloned().collect();
        for mut first in firsts {
            first.index = records.len() as u64;
            first.cell.configuration = repriced.clone().into();
            measured(&mut first).time_ns = (measured(&mut first).time_ns as f64 / ratio) as u64;
            records.push(first);
        }
        description.price_range.push(Repriced { change: change.to_owned(), configuration: repriced, of });
    }
    let (told, after) = headline(&description, &records);
    let words = told.verdict.strip_prefix(plain.verdict.trim_end()).unwrap_or_else(|| panic!("{}", told.verdict));
    let speedup = before.groups.iter().find(|group| group.label == "lazy").unwrap().time_speedup();
    let range = crate::table::number::range(&Interval { estimate: speedup, low: 0.8 * speedup, high: 1.25 * speedup });
    let expected = format!(
        " From half to double the model's unmeasured prices: {range}; where they are dear, ybwc is ahead of lazy."
    );
    assert_eq!(words, expected);
    assert_eq!((&after.curves, &after.contests), (&before.curves, &before.contests));
    assert_eq!((after.statements.len(), after.groups.len()), (before.statements.len(), before.groups.len()));
    assert_eq!((told.tiles, told.table), (plain.tiles, plain.table));
    // Searches that are too small have no order, but the range of all: 8 and 7 times as fast.
    let mut small = records.clone();
    small.iter_mut().for_each(|record| measured(record).time_ns /= 1_000);
    let (small, _) = headline(&description, &small);
    let ybwc = after.groups.iter().find(|group| group.label == "ybwc").unwrap().time_speedup();
    let (low, high) = ((0.8 * speedup).min(ybwc), (1.25 * speedup).max(1.1 * ybwc));
    let range = crate::table::number::range(&Interval { estimate: speedup, low, high });
    let expected = format!(" From half to double the model's unmeasured prices: {range} for all of these.");
    assert!(small.verdict.starts_with("Too small") && small.verdict.ends_with(&expected), "{}", small.verdict);
    // A candidate without such searches leaves the range of the fastest as it is; the fastest without them, or without
    // some of them, has none.
    let without = |is_left_out: &dyn Fn(&Repriced) -> bool, are_planned: bool| {
        let mut described = description.clone();
        described.price_range.retain(|one| are_planned || !is_left_out(one));
        let is_kept = |record: &&Record| {
            let of = |one: &&Repriced| one.configuration == *record.cell.configuration;
            !description.price_range.iter().find(of).is_some_and(is_left_out)
        };
        let kept: Vec<Record> = records.iter().filter(is_kept).cloned().collect();
        headline(&described, &kept).0.verdict.to_string()
    };
    let alone = format!("{}{}.", plain.verdict.trim_end(), words.split(';').next().unwrap());
    assert_eq!(without(&|one| one.of.strategy == "ybwc", false), alone);
    assert_eq!(without(&|one| one.of.strategy == "lazy", false), plain.verdict.to_string());
    let is_dear = |one: &Repriced| one.of.strategy == "lazy" && one.change == "dear";
    assert_eq!(without(&is_dear, true), plain.verdict.to_string());
}
