//! Real and virtual processors side by side, and orders under changed prices, with a known truth.

use super::super::samples::{configuration, deprived, description, measured, quiet, real, record, watched};
use super::super::{Analysis, Kind, Twin};
use crate::Source;
use crate::question::Question;
use crate::questions::QUESTIONS;
use crate::random::SplitMix;
use crate::record::{
    Activities, Configuration, Defined, Description, IntervalKind, OVERSUBSCRIBED, PositionInfo, Quietness, Record,
    Surroundings, TwinFigure, Twins,
};
use crate::statistics::{Interval, Test};
use crate::validation::Verdict;

const POSITIONS: usize = 8;
const SEEDS: u64 = 3;

/// Searches of a configuration at all positions, in these seconds, with noise of 1 %.
fn searches(records: &mut Vec<Record>, configuration: &Configuration, seconds: f64) {
    let mut random = SplitMix::new(seconds.to_bits() ^ records.len() as u64);
    for place in 0..POSITIONS {
        for seed in 0..SEEDS {
            let mut one = record(records.len() as u64, configuration, &format!("P{place}"), seed, (1, 1_000_000));
            measured(&mut one).time_ns = (seconds * 1e9 * (1 + place) as f64 * (0.01 * random.normal()).exp()) as u64;
            records.push(if configuration.costs.is_none() { quiet(one) } else { one });
        }
    }
}

fn about(axes: &[&str], records: &[Record], twins: Vec<Twins>) -> Description {
    let position = |place| PositionInfo { id: format!("P{place}"), ..PositionInfo::default() };
    Description {
        positions: (0..POSITIONS).map(position).collect(),
        interval: IntervalKind::PositionsLikeThese,
        twins,
        ..description(axes, records.len() as u64)
    }
}

/// Real processors that search with this speedup on 2, and virtual ones with another.
fn two_machines(speedup: f64, simulated: f64) -> Vec<Record> {
    let (one, two) = (configuration("sequential", 1), configuration("lazy", 2));
    let mut records = Vec::new();
    // A computer that is slower than the model does not matter.
    searches(&mut records, &real(&one), 12.0);
    searches(&mut records, &real(&two), 12.0 / speedup);
    searches(&mut records, &one, 8.0);
    searches(&mut records, &two, 8.0 / simulated);
    records
}

fn analysed(records: &[Record], twins: Vec<Twins>) -> Analysis {
    Analysis::of(about(&["machine", "threads"], records, twins), records)
}

/// Sentence of a question, if it is asked.
fn said(analysis: Analysis, key: &str) -> Option<String> {
    let source = Source::of(analysis);
    let question: &Question<Source> = QUESTIONS.iter().find(|question| question.key == key)?;
    Some((question.sentence)(&source)?.to_string())
}

/// Whether the shown statements are of this kind.
fn shown(analysis: &Analysis) -> Vec<Kind> {
    let of_machines = |kind: Kind| matches!(kind, Kind::Machines | Kind::Agreement);
    let statements = analysis.statements.iter().filter(|one| one.is_shown() && of_machines(one.kind));
    statements.map(|one| one.kind).collect()
}

#[test]
fn what_is_equal_is_shown_to_agree_and_nothing_else_is_said() {
    let analysis = analysed(&two_machines(1.8, 1.8), Vec::new());
    let [twin] = &analysis.twins[..] else { panic!("{:?}", analysis.twins) };
    assert_eq!((twin.verdict(), twin.figure), (Verdict::ShownWithin, TwinFigure::Time));
    assert!((twin.sides[0].estimate / 1.8 - 1.0).abs() < 0.02, "{twin:?}");
    assert_eq!(shown(&analysis), [Kind::Agreement]);
    let text = said(analysis, "machines").unwrap();
    assert!(
        text.starts_with("Of 1 pair of a real and a virtual configuration, 1 is shown to agree within 5"),
        "{text}"
    );
    assert!(text.contains("not shown to be larger"), "{text}");
    assert!(!text.contains("too optimistic") && !text.contains("too pessimistic"), "{text}");
}

#[test]
fn what_differs_by_a_fifth_is_said_with_its_sign() {
    for (simulated, word, sign) in [(1.8 * 1.2, "optimistic", '+'), (1.8 / 1.2, "pessimistic", '-')] {
        let analysis = analysed(&two_machines(1.8, simulated), Vec::new());
        let [twin] = &analysis.twins[..] else { panic!("{:?}", analysis.twins) };
        assert_eq!(twin.verdict(), Verdict::ShownOutside);
        assert!((twin.error.estimate / (simulated / 1.8) - 1.0).abs() < 0.02, "{twin:?}");
        assert_eq!(shown(&analysis), [Kind::Machines]);
        let text = said(analysis, "machines").unwrap();
        assert!(text.contains("0 are shown to agree") && text.contains("1 to differ by more"), "{text}");
        assert!(text.contains(&format!("too {word} for several processors: lazy on 2")), "{text}");
        assert!(text.contains(&format!("lazy on 2, {sign}")), "{text}");
    }
}

/// Statements on several pairs hold for all of them together: a test by itself shows nothing, and the largest error has
/// an interval that holds together with those of all.
#[test]
fn what_is_said_of_several_pairs_holds_together() {
    let mut records = two_machines(1.8, 1.8 * 1.2);
    for strategy in ["ybwc", "abdada", "teams"] {
        searches(&mut records, &real(&configuration(strategy, 2)), 12.0 / 1.8);
        searches(&mut records, &configuration(strategy, 2), 8.0 / 1.8);
    }
    let analysis = analysed(&records, Vec::new());
    assert_eq!(analysis.twins.len(), 4);
    let largest = analysis.twins.iter().find(|twin| twin.verdict() == Verdict::ShownOutside).unwrap().clone();
    let together = largest.error_among(&analysis.description, 4);
    assert!(together.low < largest.error.low && together.high > largest.error.high, "{together:?} {largest:?}");
    let share = |ratio: f64| format!("{:+.1}", 100.0 * (ratio - 1.0));
    let [low, high] = [together.low, together.high].map(share);
    assert_ne!([&low, &high], [&share(largest.error.low), &share(largest.error.high)]);
    let text = said(analysis, "machines").unwrap();
    assert!(text.contains(&format!(" % ({low} to {high})")), "{low} {high}: {text}");
    let open = Twin { outside: Some(Test::of(1e-4)), within: Some(Test::of(1e-4)), ..largest };
    assert_eq!(open.verdict(), Verdict::NotShown, "its family is not known");
}

#[test]
fn disturbed_searches_show_no_agreement() {
    let mut records = two_machines(1.8, 1.8);
    let disturb = |one: &mut Record| {
        if one.is_real() {
            *one = deprived(one.clone(), 0.1);
        }
    };
    records.iter_mut().for_each(disturb);
    let analysis = analysed(&records, Vec::new());
    assert_eq!(analysis.twins[0].verdict(), Verdict::NotShown);
    let text = said(analysis, "machines").unwrap();
    assert!(text.contains("is not shown: real searches were disturbed"), "{text}");
}

/// Four threads on two cores, whose searches count as disturbed because of that, beside processors that are away for
/// half of the time. The baseline of either is one processor that nothing takes away.
#[test]
fn too_many_threads_have_twins_that_are_taken_away() {
    let mut records = two_machines(1.8, 1.8);
    let four = configuration("lazy", 4);
    let away = |threads: u32| Configuration {
        costs: Some(Defined::new("reference,away_permille=500", "def")),
        ..configuration(if threads == 1 { "sequential" } else { "lazy" }, threads)
    };
    searches(&mut records, &real(&four), 12.0 / 1.5);
    for one in records.iter_mut().filter(|one| one.is_real() && one.cell.configuration.threads == 4) {
        *one = watched(one.clone(), Surroundings::default());
        let around = one.surroundings.as_mut().unwrap();
        (around.disturbed, around.state) = (vec![OVERSUBSCRIBED.to_owned()], Quietness::Disturbed);
    }
    searches(&mut records, &away(1), 16.0);
    searches(&mut records, &away(4), 8.0 / 1.8);
    searches(&mut records, &configuration("lazy", 4), 8.0 / 3.0);
    let side = |costs: Option<&str>| {
        let mut fields = std::collections::BTreeMap::from([("threads".to_owned(), vec!["4".to_owned()])]);
        fields.extend(costs.map(|costs| ("costs".to_owned(), vec![costs.to_owned()])));
        fields
    };
    let declared = Twins {
        name: "4 on 2".into(),
        real: side(None),
        simulated: side(Some("reference,away_permille=500")),
        ..Twins::default()
    };
    assert_eq!(analysed(&records, Vec::new()).twins.len(), 1, "not without being declared");
    let analysis = analysed(&records, vec![declared]);
    let [four, two] = &analysis.twins[..] else { panic!("{:?}", analysis.twins) };
    assert_eq!((four.name.as_str(), two.name.as_str()), ("4 on 2", "several processors"));
    assert!((four.sides[0].estimate - 1.5).abs() < 0.03 && (four.sides[1].estimate - 1.8).abs() < 0.03, "{four:?}");
    assert_eq!((four.verdict(), two.verdict()), (Verdict::ShownOutside, Verdict::ShownWithin));
    assert!(four.is_oversubscribed && !two.is_oversubscribed);
    let text = said(analysis, "machines").unwrap();
    assert!(text.contains("Of 2 pairs") && text.contains("4 on 2: lazy on 4, +1"), "{text}");
}

/// Without being declared, only undisturbed processors beside a reference as it is are twins; and who was declared is
/// no twin a second time.
#[test]
fn only_plain_configurations_are_twins_without_a_word() {
    let mut records = two_machines(1.8, 1.8);
    let priced = |costs: &str, threads: u32| Configuration {
        costs: Some(Defined::new(costs, costs)),
        ..configuration(if threads == 1 { "sequential" } else { "lazy" }, threads)
    };
    let hogged = Configuration { disturb: "1 memory".to_owned().into(), ..real(&configuration("lazy", 2)) };
    searches(&mut records, &hogged, 9.0);
    for costs in ["reference,split*10", "ideal"] {
        searches(&mut records, &priced(costs, 1), 8.0);
        searches(&mut records, &priced(costs, 2), 8.0 / 1.9);
    }
    assert_eq!(analysed(&records, Vec::new()).twins.len(), 1);
    let both = || std::collections::BTreeMap::from([("threads".to_owned(), vec!["2".to_owned()])]);
    let plain = [("costs".to_owned(), vec!["reference".to_owned()])];
    let quiet = [("disturb".to_owned(), vec!["none".to_owned()])];
    let declared = Twins {
        name: "two".into(),
        real: both().into_iter().chain(quiet).collect(),
        simulated: both().into_iter().chain(plain).collect(),
        ..Twins::default()
    };
    let twins = analysed(&records, vec![declared]).twins;
    assert_eq!(twins.iter().map(|twin| twin.name.as_str()).collect::<Vec<_>>(), ["two"]);
}

/// Where the error is one of the tree, nodes tell it, and where processors wait too little, waiting does.
#[test]
fn nodes_and_waiting_stand_beside_an_error() {
    let mut records = two_machines(1.8, 1.8);
    for one in records.iter_mut().filter(|one| one.cell.configuration.threads == 2) {
        let (nodes, idle_ns) = if one.is_real() { (1_100_000, 250) } else { (1_320_000, 100) };
        let activities = Activities { search_ns: 1_000 - idle_ns, idle_ns, ..Activities::default() };
        (measured(one).nodes, measured(one).activities) = (nodes, activities);
    }
    let analysis = analysed(&records, Vec::new());
    let twin = &analysis.twins[0];
    let estimates = |all: [Interval; 3]| all.map(|one| (one.estimate * 1e6).round() / 1e6);
    assert_eq!(twin.nodes.map(estimates), Some([1.1, 1.32, 1.2]));
    assert_eq!(twin.waiting.map(estimates), Some([0.25, 0.1, -0.15]));
}

/// A size of the table is compared with one processor of another size, where the twins say so.
#[test]
fn twins_may_stand_beside_another_processor() {
    let table = |threads: u32, hash_mib: u32| Configuration {
        hash_mib,
        ..configuration(if threads == 1 { "sequential" } else { "lazy" }, threads)
    };
    let mut records = Vec::new();
    for (hash_mib, slower) in [(16, 1.0), (256, 1.5)] {
        for threads in [1, 2] {
            let seconds = slower / f64::from(threads);
            searches(&mut records, &real(&table(threads, hash_mib)), 12.0 * seconds);
            searches(&mut records, &table(threads, hash_mib), 8.0 * seconds);
        }
    }
    let of = |hash: &str| {
        let fields = [("threads", "2"), ("hash_mib", hash)];
        fields.map(|(field, value)| (field.to_owned(), vec![value.to_owned()])).into()
    };
    let declared = |beside: &[(&str, &str)]| Twins {
        name: "table".into(),
        real: of("256"),
        simulated: of("256"),
        beside: beside.iter().map(|(field, value)| ((*field).to_owned(), (*value).to_owned())).collect(),
        ..Twins::default()
    };
    for (beside, expected) in [(&[][..], 2.0), (&[("hash_mib", "16")], 2.0 / 1.5)] {
        let analysis = analysed(&records, vec![declared(beside)]);
        let twin = analysis.twins.iter().find(|twin| twin.name == "table").unwrap();
        assert!(twin.sides.iter().all(|side| (side.estimate / expected - 1.0).abs() < 0.02), "{beside:?} {twin:?}");
    }
}

#[test]
fn rates_are_compared_with_one_undisturbed_processor() {
    let one = configuration("sequential", 1);
    let hogged = Configuration { costs: Some(Defined::new("reference,hogs=1", "def")), ..one.clone() };
    let mut records = Vec::new();
    searches(&mut records, &real(&one), 12.0);
    searches(&mut records, &Configuration { disturb: "1 memory".to_owned().into(), ..real(&one) }, 12.0 * 1.25);
    searches(&mut records, &one, 8.0);
    searches(&mut records, &hogged, 8.0);
    let of = |field: &str, value: &str| [(field.to_owned(), vec![value.to_owned()])].into();
    let declared = Twins {
        name: "stream".into(),
        figure: TwinFigure::Rate,
        real: of("disturb", "1 memory"),
        simulated: of("costs", "reference,hogs=1"),
        ..Twins::default()
    };
    let analysis = analysed(&records, vec![declared]);
    let [twin] = &analysis.twins[..] else { panic!("{:?}", analysis.twins) };
    assert!((twin.sides[0].estimate - 0.8).abs() < 0.02 && (twin.sides[1].estimate - 1.0).abs() < 0.02, "{twin:?}");
    assert_eq!(twin.verdict(), Verdict::ShownOutside);
    assert!((twin.error.estimate - 1.25).abs() < 0.03);
}

/// Teams are ahead of lazy search by a tenth, and behind by as much where splitting is dear.
fn under_prices(dear: f64) -> Analysis {
    let mut records = Vec::new();
    for (costs, teams) in [("reference", 1.1), ("reference,split*10", dear)] {
        let priced = |strategy: &str, threads| Configuration {
            costs: Some(Defined::new(costs, costs)),
            ..configuration(strategy, threads)
        };
        searches(&mut records, &priced("sequential", 1), 80.0);
        searches(&mut records, &priced("lazy", 64), 8.0);
        searches(&mut records, &priced("teams", 64), 8.0 / teams);
    }
    Analysis::of(about(&["strategy", "costs", "threads"], &records, Vec::new()), &records)
}

#[test]
fn an_order_that_turns_with_a_price_is_named() {
    let text = said(under_prices(1.0 / 1.1), "prices").unwrap();
    assert!(text.contains("some turn with the price: teams is slower than lazy under split*10"), "{text}");
    let text = said(under_prices(1.1), "prices").unwrap();
    assert!(text.contains("Under split*10") && text.contains("stay shown") && !text.contains("turn"), "{text}");
    let text = said(under_prices(1.0), "prices").unwrap();
    assert!(text.contains("none of 1 order") && text.contains("1 is not shown then"), "{text}");
}
