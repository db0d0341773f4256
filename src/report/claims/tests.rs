use super::*;
use crate::analysis::Analysis;
use crate::analysis::samples::one_against_four;

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

#[test]
fn a_verdict_follows_from_where_the_interval_lies() {
    use ClaimVerdict::{Contradicted, NotRun, NotShown, Reproduced};
    let interval = |low: f64, high: f64| Interval { estimate: (low + high) / 2.0, low, high };
    let more = Test { above: Some(1.0), ..Test::default() };
    let about = Test { above: Some(8.0), below: Some(12.0), ..Test::default() };
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
        assert_eq!(test.verdict(interval(low, high), None), expected, "{low} {high}");
    }
    assert_eq!(more.verdict(Interval::unknown(3.0), None), NotShown);
    // What is too low and grows with the size of the search may reach it; what is too high does not come down.
    let grows = Some(interval(1.1, 1.3));
    assert_eq!(about.verdict(interval(5.0, 7.0), grows), NotShown);
    assert_eq!(about.verdict(interval(5.0, 7.0), Some(interval(0.9, 1.3))), Contradicted);
    assert_eq!(about.verdict(interval(13.0, 15.0), grows), Contradicted);
    for (tests, expected) in [
        (&[Reproduced, Reproduced][..], Reproduced),
        (&[Reproduced, NotShown], NotShown),
        (&[NotShown, Contradicted], Contradicted),
        (&[Contradicted, NotRun], NotRun),
    ] {
        assert_eq!(of_all(tests.iter().copied()), expected, "{tests:?}");
    }
}

/// Four processors against one at two positions: the figures are those of the analysis of the same records.
#[test]
fn figures_are_those_of_the_analysis() {
    let (description, records) = one_against_four();
    let analysis = Analysis::of(description, &records);
    let group = analysis.groups.iter().find(|group| group.configuration.threads == 4).unwrap();
    let speedup = group.time_speedup();
    let source = Source { records, ..Source::of(analysis.clone()) };
    let runs: BTreeMap<String, Ran> = [("r".to_owned(), Ran::Searches(Box::new(source)))].into();
    let found = |region: &str| {
        let claim = file(&test(region)).unwrap().claims.remove(0);
        JudgedClaim::of(&claim, &runs, &BTreeSet::new()).map(|claim| claim.tests[0].found.unwrap().estimate)
    };
    let close = |found: Result<f64, String>, expected: f64| {
        let found = found.unwrap();
        assert!((found / expected - 1.0).abs() < 1e-9, "{found} is not {expected}");
    };
    close(found("measure = \"speedup\"\nof = { threads = 4 }\nabove = 1"), speedup);
    close(found("measure = \"time\"\nof = { threads = 1 }\nto = { threads = 4 }\nabove = 1"), speedup);
    close(found("measure = \"speedup\"\nof = [{ threads = 4 }]\nto = [{ threads = 4 }]\nabove = 1"), 1.0);
    for (region, message) in [
        ("measure = \"speedup\"\nof = { threads = 8 }\nabove = 1", "'it': nothing in the run has threads = 8"),
        ("measure = \"speedup\"\nof = { processors = 4 }\nabove = 1", "'processors' is not a field"),
        ("measure = \"speedup\"\nof = { machine = \"virtual\" }\nabove = 1", "several things"),
        ("measure = \"speedup\"\nof = { threads = 1 }\nabove = 1", "by one processor"),
        ("measure = \"strength\"\nof = { threads = 4 }\nabove = 1", "no games"),
    ] {
        let error = found(region).unwrap_err();
        assert!(error.contains(message), "{error}");
    }
    let missing = JudgedClaim::of(
        &file(&test("measure = \"time\"\nof = { threads = 4 }\nbelow = 1")).unwrap().claims[0],
        &BTreeMap::new(),
        &BTreeSet::new(),
    );
    assert_eq!(missing.unwrap().verdict, ClaimVerdict::NotRun);
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
    let found = JudgedClaim::of(&claim.claims[0], &runs, &BTreeSet::new()).unwrap().tests[0].found.unwrap();
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
    ] {
        let error = file(&right.replacen(from, to, 1)).unwrap_err();
        assert!(error.starts_with("c.toml: ") && parts.iter().all(|part| error.contains(part)), "{error}");
    }
}
