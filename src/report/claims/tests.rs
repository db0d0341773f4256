use super::*;
use crate::analysis::Analysis;
use crate::analysis::samples::{cut, deprived, one_against_four, quiet, real};
use crate::figures::register;
use crate::record::Record;
use crate::statistics::Interval;

fn file(text: &str) -> Result<ClaimsFile, String> {
    ClaimsFile::parse(Path::new("c.toml"), text).map_err(|error| error.to_string())
}

fn test(region: &str) -> String {
    format!(
        "title = \"t\"\nquestion = \"q\"\n[[run]]\nname = \"r\"\nexperiment = \"quick\"\n[[claim]]\nname = \"c\"\n\
         title = \"t\"\nsource = \"s\"\nsaid = \"s\"\nhere = \"h\"\n[[claim.test]]\nsays = \"it\"\n\
         run = \"r\"\n{region}\n"
    )
}

fn judge(claim: &Claim, runs: &BTreeMap<String, Ran>) -> Result<JudgedClaim, String> {
    let (unfinished, planned) = (BTreeSet::new(), BTreeMap::new());
    JudgedClaim::of(claim, &Evidence { runs, unfinished: &unfinished, planned: &planned, seconds_each: 0.0 })
}

#[test]
fn a_verdict_follows_from_where_the_interval_lies() {
    use ClaimVerdict::{CannotDecide, Contradicted, ContradictedHere, NotRun, NotShown, Reproduced, TooSmall};
    let interval = |low: f64, high: f64| Interval { estimate: (low + high) / 2.0, low, high };
    let more = Test { above: Some(1.0), ..Test::default() };
    let about = Test { above: Some(8.0), below: Some(12.0), ..Test::default() };
    let claim = Claim { doublings: Some(2.0), tests: vec![more.clone()], ..Claim::default() };
    let size = |alone_s: f64| Some(figure::Size { alone_s, each_s: alone_s / 16.0 });
    let judged = |test: &Test, claim: &Claim, low: f64, high: f64, growth: Option<Interval>| {
        let finding = Finding { found: Some(interval(low, high)), growth, size: size(1.0), with_less: None };
        test.verdict(claim, &finding, true, 0.02)
    };
    for (test, low, high, expected) in [
        (&more, 1.1, 1.4, Reproduced),
        (&more, 0.9, 1.4, NotShown),
        (&more, 0.5, 0.9, Contradicted),
        (&more, 1.1, f64::INFINITY, Reproduced),
        (&about, 9.0, 11.0, Reproduced),
        (&about, 7.0, 11.0, NotShown),
        (&about, 5.0, 7.0, Contradicted),
        (&about, 13.0, 15.0, Contradicted),
    ] {
        assert_eq!(judged(test, &claim, low, high, None), expected, "{low} {high}");
    }
    // What is too low and grows may reach the claim within the doublings that count, and not beyond them: from 7 with
    // 1.1 a doubling it takes 1.4 of them, from 6 it takes 3.
    let grows = Some(interval(1.05, 1.1));
    assert_eq!(judged(&about, &claim, 5.0, 7.0, grows), ContradictedHere);
    assert_eq!(judged(&about, &claim, 5.0, 6.0, grows), Contradicted);
    assert_eq!(judged(&about, &claim, 5.0, 7.0, Some(interval(0.9, 1.3))), Contradicted);
    assert_eq!(judged(&about, &claim, 13.0, 15.0, grows), Contradicted);
    assert_eq!(judged(&about, &claim, 13.0, 15.0, Some(interval(0.8, 0.9))), ContradictedHere);
    // Its source searched no longer than we do, or 16 times as long.
    let searched = |searched_s: f64| Claim { searched_s: Some(searched_s), ..claim.clone() };
    assert_eq!(judged(&about, &searched(0.5), 5.0, 7.0, grows), Contradicted);
    assert_eq!(judged(&about, &searched(16.0), 5.0, 6.0, grows), ContradictedHere);

    let across = Finding { found: Some(interval(0.9, 1.4)), size: size(1.0), ..Finding::default() };
    assert_eq!(more.verdict(&claim, &across, false, 0.02), CannotDecide);
    let shown = Finding { found: Some(interval(1.1, 1.4)), ..across };
    assert_eq!(more.verdict(&claim, &shown, false, 0.02), Reproduced, "what is shown stands");
    assert_eq!(more.verdict(&claim, &Finding { size: size(0.3), ..shown }, true, 0.02), TooSmall);
    assert_eq!(more.verdict(&claim, &Finding { found: None, ..shown }, true, 0.02), NotRun);
    assert_eq!(judged(&more, &claim, f64::NAN, f64::NAN, None), NotShown);
    for (tests, expected) in [
        (&[Reproduced, Reproduced][..], Reproduced),
        (&[Reproduced, NotShown], NotShown),
        (&[Reproduced, NotShown, CannotDecide], CannotDecide),
        (&[CannotDecide, TooSmall], TooSmall),
        (&[NotShown, Contradicted, TooSmall], Contradicted),
        (&[Reproduced, CannotDecide, ContradictedHere, TooSmall], ContradictedHere),
        (&[ContradictedHere, Contradicted], Contradicted),
        (&[Contradicted, NotRun], NotRun),
    ] {
        assert_eq!(of_all(tests.iter().copied()), expected, "{tests:?}");
    }
}

/// Both times for a move must say the same, or the growth between them.
#[test]
fn a_rating_needs_two_times_for_a_move() {
    use ClaimVerdict::{Contradicted, ContradictedHere, NotShown, Reproduced};
    let around = |middle: f64, half: f64| Interval::around(middle, half);
    let test = Test { above: Some(0.0), measure: file::Measure::Elo, ..Test::default() };
    let claim = Claim { doublings: Some(2.0), tests: vec![test.clone()], ..Claim::default() };
    for (less, more, growth, expected) in [
        (around(60.0, 20.0), around(50.0, 20.0), around(-10.0, 28.0), Reproduced),
        (around(10.0, 20.0), around(50.0, 20.0), around(40.0, 28.0), Reproduced),
        (around(10.0, 20.0), around(30.0, 20.0), around(20.0, 28.0), NotShown),
        // Ahead by 30 at least, and losing up to 168 points a doubling.
        (around(190.0, 20.0), around(50.0, 20.0), around(-140.0, 28.0), NotShown),
        (around(-60.0, 20.0), around(-50.0, 20.0), around(10.0, 28.0), Contradicted),
        (around(60.0, 20.0), around(-50.0, 20.0), around(-110.0, 28.0), Contradicted),
        (around(0.0, 20.0), around(-30.0, 20.0), around(-20.0, 28.0), NotShown),
        // Behind by 30 at least, and gaining up to 168.
        (around(-190.0, 20.0), around(-50.0, 20.0), around(140.0, 28.0), ContradictedHere),
    ] {
        let finding = Finding { found: Some(more), with_less: Some(less), growth: Some(growth), size: None };
        assert_eq!(test.verdict(&claim, &finding, true, 0.02), expected, "{less:?} {more:?}");
    }
}

/// Four processors against one at two positions: the figures are those of the analysis of the same records.
#[test]
fn figures_are_those_of_the_analysis() {
    let (mut description, records) = one_against_four();
    let features = records[0].cell.configuration.features.clone();
    description.names.insert("ours".to_owned(), features);
    let analysis = Analysis::of(description, &records);
    let group = analysis.groups.iter().find(|group| group.configuration.threads == 4).unwrap();
    let speedup = group.time_speedup();
    let nodes = group.means.get(&register::NODES).unwrap();
    let source = Source { records, ..Source::of(analysis.clone()) };
    let runs: BTreeMap<String, Ran> = [("r".to_owned(), Ran::Searches(Box::new(source)))].into();
    let found = |region: &str| {
        let claim = file(&test(region)).unwrap().claims.remove(0);
        judge(&claim, &runs).map(|claim| claim.tests[0].finding.found.unwrap().estimate)
    };
    let close = |found: Result<f64, String>, expected: f64| {
        let found = found.unwrap();
        assert!((found / expected - 1.0).abs() < 1e-9, "{found} is not {expected}");
    };
    close(found("measure = \"speedup\"\nof = { threads = 4 }\nabove = 1"), speedup);
    close(found("measure = \"time\"\nof = { threads = 1 }\nto = { threads = 4 }\nabove = 1"), speedup);
    close(found("measure = \"speedup\"\nof = [{ threads = 4 }]\nto = [{ threads = 4 }]\nabove = 1"), 1.0);
    // The experiment's own names stand for values.
    close(found("measure = \"speedup\"\nof = { threads = 4, features = \"ours\" }\nabove = 1"), speedup);
    // A figure of one term is the arithmetic mean that tables have, and that of two a ratio of geometric means.
    close(found("measure = \"figure\"\nfigure = \"nodes\"\nof = { threads = 4 }\nabove = 1"), nodes);
    let ratio = |measure: &str| found(&format!("{measure}\nof = {{ threads = 4 }}\nto = {{ threads = 1 }}\nabove = 1"));
    close(ratio("measure = \"figure\"\nfigure = \"nodes\""), ratio("measure = \"nodes\"").unwrap());
    for (region, message) in [
        (
            "measure = \"speedup\"\nof = { threads = 8 }\nabove = 1",
            "nothing in the run has threads = 8; 'threads' is 1 or 4",
        ),
        ("measure = \"speedup\"\nof = { processors = 4 }\nabove = 1", "'processors' is not a field"),
        ("measure = \"speedup\"\nof = { machine = \"virtual\" }\nabove = 1", "several things"),
        ("measure = \"speedup\"\nof = { threads = 1 }\nabove = 1", "by one processor"),
        ("measure = \"strength\"\nof = { threads = 4 }\nabove = 1", "no games"),
    ] {
        let error = found(region).unwrap_err();
        assert!(error.contains(message), "{error}");
    }
    let claim = file(&test("measure = \"time\"\nof = { threads = 4 }\nbelow = 1")).unwrap().claims.remove(0);
    let missing = judge(&claim, &BTreeMap::new());
    assert_eq!(missing.unwrap().verdict, ClaimVerdict::NotRun);
}

/// A figure is under the conditions of every comparison: a search that was cut off leaves no interval, and neither do
/// searches that were all disturbed.
#[test]
fn figures_are_under_the_conditions_of_a_comparison() {
    let found = |change: fn(Record) -> Record| {
        let (description, records) = one_against_four();
        let records: Vec<Record> = records.into_iter().map(change).collect();
        let source = Source { records: records.clone(), ..Source::of(Analysis::of(description, &records)) };
        let runs: BTreeMap<String, Ran> = [("r".to_owned(), Ran::Searches(Box::new(source)))].into();
        let claim = file(&test("measure = \"time\"\nof = { threads = 4 }\nto = { threads = 1 }\nbelow = 10000"));
        let judged = judge(&claim.unwrap().claims[0], &runs).unwrap();
        (judged.tests[0].finding.found.unwrap(), judged.verdict)
    };
    let (whole, verdict) = found(|record| record);
    assert!(whole.is_known() && verdict == ClaimVerdict::Reproduced, "{whole:?}");
    let (cut_off, verdict) = found(|record| if record.index == 5 { cut(record, 4.0) } else { record });
    assert!(!cut_off.is_known() && verdict == ClaimVerdict::NotShown, "{cut_off:?}");
    assert!((cut_off.estimate - 0.125).abs() < 1e-9, "by the position that was searched to its end: {cut_off:?}");
    let (loud, verdict) = found(|record| deprived(on_the_host(record), 0.5));
    assert!(!loud.is_known() && verdict == ClaimVerdict::NotShown, "{loud:?}");
    assert_eq!(found(|record| quiet(on_the_host(record))).0, whole);
}

fn on_the_host(mut record: Record) -> Record {
    record.cell.configuration = real(&record.cell.configuration).into();
    record
}

/// The law holds where it is made to hold: with c = 0 and w = 1, a run takes its work by its processors.
#[test]
fn a_law_is_held_against_the_work_of_the_run() {
    let (description, mut records) = one_against_four();
    for record in &mut records[..4] {
        let counts: std::collections::HashMap<&str, i64> =
            crate::analysis::parallelism::RULES.iter().map(|rule| (rule.count, 1_000_000_000_i64)).collect();
        crate::analysis::samples::measured(record).counters = crate::record::NamedCounts::of(counts);
    }
    let analysis = Analysis::of(description, &records);
    let group = analysis.groups.iter().find(|group| group.configuration.threads == 4).unwrap();
    let against = group.against_baseline.as_ref().unwrap();
    let expected = 4.0 / (against.time_speedup.estimate * against.nodes.estimate);
    let source = Source { records, ..Source::of(analysis.clone()) };
    let runs: BTreeMap<String, Ran> = [("r".to_owned(), Ran::Searches(Box::new(source)))].into();
    let claim = file(&test("measure = \"beside-law\"\nlaw = [0, 1]\nof = { threads = 4 }\nbelow = 2")).unwrap();
    let found = judge(&claim.claims[0], &runs).unwrap().tests[0].finding.found.unwrap();
    assert!((found.estimate / expected - 1.0).abs() < 1e-9, "{found:?} {expected}");
}

#[test]
fn what_is_wrong_with_a_file_is_said() {
    let right = test("measure = \"time\"\nof = { threads = 4 }\nbelow = 1");
    assert!(file(&right).is_ok());
    for (from, to, parts) in [
        ("below = 1", "", &["claim 'c'", "'above' or 'below'"][..]),
        ("below", "belov", &["line", "belov"]),
        ("measure = \"time\"", "measure = \"tine\"", &["'tine' is not a measure", "speedup"]),
        ("run = \"r\"", "run = \"s\"", &["claim 'c'", "no run 's'"]),
        ("experiment = \"quick\"", "", &["run 'r'", "experiment or a tournament"]),
        ("name = \"r\"", "name = \"../r\"", &["run '../r'", "cannot be named"]),
        ("of = { threads = 4 }", "of = []", &["'of' is empty"]),
        ("measure = \"time\"", "measure = \"elo\"", &["one player to one other"]),
        (
            "measure = \"time\"\nof = { threads = 4 }",
            "measure = \"elo\"\nof = { name = \"a\" }\nto = { name = \"b\" }",
            &["'elo' needs 'longer'"],
        ),
        ("measure = \"time\"", "measure = \"figure\"", &["'figure' names a column"]),
        ("measure = \"time\"", "measure = \"time\"\nfigure = \"nodes\"", &["and for no other"]),
        ("measure = \"time\"", "measure = \"figure\"\nfigure = \"nods\"", &["'nods' is not a figure"]),
        ("below = 1", "below = 1\nlonger = \"r\"", &["no other test has one"]),
        ("below = 1", "below = 1\nmatters = 1", &["'matters' is a factor above 1"]),
        ("below = 1", "below = 1\ndraws = 1", &["'draws' is a share"]),
    ] {
        let error = file(&right.replacen(from, to, 1)).unwrap_err();
        assert!(error.starts_with("c.toml: ") && parts.iter().all(|part| error.contains(part)), "{error}");
    }
}
