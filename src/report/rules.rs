//! The twelve rules for reporting measurements of Hoefler and Belli ("Scientific Benchmarking of Parallel Computing
//! Systems", SC15), decided from the plan and the records of a run: which are kept, which are broken, and by what.

use std::path::Path;

use super::analysis::parallelism::{BY_YBWC, RULES};
use super::analysis::{AgainstBaseline, Group, Kind};
use super::questions::{NOT_NORMAL, processors};
use super::{ReportError, Source};
use crate::choices::choices;
use crate::distinct::distinct;
use crate::record::{Baseline, MachineKind, Session, written};
use crate::statistics::{LEVEL, holm};
use crate::table::number::{counted, figure, interval, listed, probability};
use crate::table::terminal::{WIDTH, paragraph};

choices! {
    /// Whether a rule is kept.
    pub enum State, "state of a rule";
    /// It is.
    Kept "kept",
    /// It is not.
    Broken "broken",
    /// The run has nothing that it is about.
    NotAsked "not asked",
}

/// Beginning of the names of strategies that share nodes by Young Brothers Wait.
const YBWC: &str = "ybwc";

/// Decision on a rule, and what it rests on.
type Decision = (State, String);

/// A rule in a few words, and how it is decided.
struct Rule {
    text: &'static str,
    decide: fn(&Source) -> Decision,
}

/// The rules, by their numbers.
const RULES_OF_SC15: [Rule; 12] = [
    Rule { text: "Name the base case of a speedup, and its absolute time", decide: base_case },
    Rule { text: "Give reasons for a subset of positions", decide: subset },
    Rule { text: "Average costs by sums, and rates by their sums", decide: averages },
    Rule { text: "Do not average ratios alone", decide: ratios },
    Rule { text: "Say what is deterministic, and how certain the rest is", decide: certainty },
    Rule { text: "Do not suppose a normal distribution unchecked", decide: normality },
    Rule { text: "Compare by tests", decide: tests },
    Rule { text: "Tell more than the mean where it matters", decide: spread },
    Rule { text: "Describe all factors and the whole set-up", decide: set_up },
    Rule { text: "Say how time was taken and summarised", decide: time },
    Rule { text: "Show bounds of what is possible", decide: bounds },
    Rule { text: "Plot intervals, and lines only where they mean something", decide: plots },
];

/// The rules of a run folder, as a terminal shows them, and whether one is broken.
///
/// # Errors
/// If the folder holds no run, or cannot be read.
pub fn of_folder(folder: &Path, beside: Option<&Path>) -> Result<(String, bool), ReportError> {
    Ok(in_words(&Source::read(folder, beside)?))
}

fn in_words(source: &Source) -> (String, bool) {
    let rows: Vec<(usize, &Rule, Decision)> =
        RULES_OF_SC15.iter().enumerate().map(|(at, rule)| (at + 1, rule, (rule.decide)(source))).collect();
    let of = |state: State| rows.iter().filter(|(.., (other, _))| *other == state).count();
    let broken: Vec<String> =
        rows.iter().filter(|(.., (state, _))| *state == State::Broken).map(|(number, ..)| number.to_string()).collect();
    let kept = match broken.as_slice() {
        [] => format!("Keeps {} of 12 rules and breaks none.", of(State::Kept)),
        broken => format!("Breaks {}: {}.", counted(broken.len(), "rule", "rules"), listed(broken)),
    };
    let told = |(number, rule, (state, since)): &(usize, &Rule, Decision)| {
        paragraph(
            &format!("{number:>4} {state:<9} "),
            &format!("{}: {}.", rule.text, since.trim_end_matches('.')),
            WIDTH,
        ) + "\n"
    };
    let rules: String = rows.iter().map(told).collect();
    (format!("{kept}\n\n{rules}"), !broken.is_empty())
}

/// Groups with a speedup.
fn divided(source: &Source) -> impl Iterator<Item = (&Group, &AgainstBaseline)> {
    let groups = source.analysis.groups.iter();
    let divided = groups.filter_map(|group| Some((group, group.against_baseline.as_ref()?)));
    divided.filter(|(_, against)| against.time_speedup.estimate.is_finite())
}

fn decide(is_kept: bool, kept: impl Into<String>, broken: impl Into<String>) -> Decision {
    if is_kept { (State::Kept, kept.into()) } else { (State::Broken, broken.into()) }
}

fn base_case(source: &Source) -> Decision {
    let analysis = &source.analysis;
    let mut speedups = divided(source).map(|(_, against)| (against.t1_s, against.nodes_1));
    if let Some((seconds, nodes)) = speedups.next() {
        return (
            State::Kept,
            format!("the sequential search, {} s and {} nodes to the same depth", figure(seconds), figure(nodes)),
        );
    }
    let has_several = analysis.groups.iter().any(|group| group.configuration.threads > 1);
    match (has_several, analysis.comparisons.is_empty(), analysis.description.baseline) {
        (false, ..) => (State::NotAsked, "no speedup is told".to_owned()),
        (true, false, _) => (State::Kept, "all ratios are to the reference that the experiment names".to_owned()),
        (true, true, Baseline::None) => (State::NotAsked, "no speedup is told: there is no baseline".to_owned()),
        _ => (State::Broken, "no search of one processor was measured whole".to_owned()),
    }
}

fn subset(source: &Source) -> Decision {
    let description = &source.analysis.description;
    let (searched, of) = (description.positions.len(), description.positions_of);
    match description.why.as_str() {
        "" if of == 0 => (State::NotAsked, "this folder does not tell what its positions were taken from".to_owned()),
        "" if searched < of => (State::Broken, format!("{searched} positions of {of}: write positions.why")),
        "" => (State::Kept, format!("all {} are searched", counted(searched, "position", "positions"))),
        why => (State::Kept, why.to_owned()),
    }
}

fn averages(_: &Source) -> Decision {
    (State::Kept, "times are summed; nps_of_sums in summary.csv is the rate of all searches together".to_owned())
}

fn ratios(source: &Source) -> Decision {
    if divided(source).next().is_none() && source.analysis.comparisons.is_empty() {
        return (State::NotAsked, "no ratio is told".to_owned());
    }
    let has_sums = divided(source).all(|(group, _)| group.thesis.time_speedup.is_some());
    decide(
        has_sums,
        "geometric means, so that positions weigh the same, beside times and ratios of sums",
        "ratios of sums are not known",
    )
}

/// Intervals that the run's question stands on.
fn intervals(source: &Source) -> Vec<bool> {
    let speedups = divided(source).map(|(_, against)| against.time_speedup.is_known());
    speedups.chain(source.analysis.comparisons.iter().map(|one| one.time.is_known())).collect()
}

fn certainty(source: &Source) -> Decision {
    let (all, quality) = (intervals(source), &source.analysis.quality);
    let known = all.iter().filter(|is_known| **is_known).count();
    let machine = match (quality.real, quality.virtual_records) {
        (0, _) => "simulated time is the same whenever a seed is searched again; ",
        _ => "",
    };
    match all.len() {
        0 => (State::NotAsked, format!("{machine}no ratio is told")),
        all => decide(
            known == all,
            format!(
                "{machine}{known} of {all} ratios have intervals for {}",
                source.analysis.description.interval.name()
            ),
            format!("{} of {all} ratios have no interval: more runs or positions", all - known),
        ),
    }
}

fn normality(source: &Source) -> Decision {
    let Some(residuals) = source.analysis.quality.residuals else {
        return (State::NotAsked, "too few runs were repeated to tell".to_owned());
    };
    let shape = format!(
        "{} residuals have a skewness of {:.2} and an excess kurtosis of {:.2}, p {}",
        residuals.count,
        residuals.skewness,
        residuals.kurtosis,
        probability(residuals.p)
    );
    if residuals.p >= NOT_NORMAL {
        return (State::Kept, shape);
    }
    // Signs suppose no distribution, but few positions have few of them.
    let all: Vec<_> = source.analysis.statements.iter().filter(|claim| claim.sign_flip.is_some()).collect();
    let adjusted = holm(&all.iter().map(|claim| claim.sign_flip).collect::<Vec<_>>());
    let claimed: Vec<Option<f64>> =
        all.iter().zip(adjusted).filter(|(claim, _)| claim.is_shown()).map(|(_, p)| p).collect();
    let by_signs = claimed.iter().flatten().filter(|p| **p < 1.0 - LEVEL).count();
    if claimed.is_empty() {
        return (State::Kept, format!("{shape}; no order or time is claimed that rests on it"));
    }
    let of = counted(claimed.len(), "order or time that is claimed", "orders and times that are claimed");
    let signs = format!("{shape}; signs alone, corrected for their number, show {by_signs} of {of}");
    decide(by_signs == claimed.len(), signs.clone(), signs)
}

fn tests(source: &Source) -> Decision {
    let statements = &source.analysis.statements;
    let claims: Vec<_> = statements.iter().filter(|claim| claim.kind != Kind::Agreement).collect();
    if claims.is_empty() {
        return (State::NotAsked, "nothing is compared".to_owned());
    }
    let shown = claims.iter().filter(|claim| claim.is_shown()).count();
    let tested = counted(claims.len(), "difference", "differences");
    (State::Kept, format!("{shown} of {tested} shown, corrected for their number (Holm)"))
}

fn spread(source: &Source) -> Decision {
    let of = |(group, against): (&Group, &AgainstBaseline)| {
        let [nine, one] = against.tenths;
        (group.configuration.threads, format!("between {} and {}", figure(nine), figure(one)))
    };
    match divided(source).map(of).max_by_key(|(threads, _)| *threads) {
        None => (State::NotAsked, "no speedup is told".to_owned()),
        Some((threads, between)) => (
            State::Kept,
            format!("eight of ten positions on {threads}: {between}; and each by itself in positions.csv"),
        ),
    }
}

fn set_up(source: &Source) -> Decision {
    let sessions = &source.environment.sessions;
    let lacks = |session: &Session| {
        let build = session.build.as_ref();
        [
            ("the build", build.is_none()),
            ("the commit or sources", build.is_some_and(|build| build.sources.is_empty())),
            ("the computer", session.host.is_null()),
            ("the command", session.command.is_empty()),
        ]
    };
    let lacking = sessions.iter().flat_map(lacks).filter(|(_, is_lacking)| *is_lacking);
    let lacking: Vec<String> = distinct(lacking.map(|(what, _)| what.to_owned()));
    let kept = format!(
        "the plan, every key, {} and {} stand in the folder",
        counted(sessions.len(), "session with build and computer", "sessions with build and computer"),
        counted(source.environment.costs().len(), "cost model", "cost models")
    );
    decide(
        !sessions.is_empty() && lacking.is_empty(),
        kept,
        match sessions.is_empty() {
            true => "no session is told".to_owned(),
            false => format!("not told of every session: {}", listed(&lacking)),
        },
    )
}

fn time(source: &Source) -> Decision {
    let quality = &source.analysis.quality;
    let meaning = "from the first node to the first answer of the depth";
    match (quality.real, quality.virtual_records) {
        (0, 0) => (State::NotAsked, "no search is told".to_owned()),
        (0, _) => (State::Kept, format!("simulated, {meaning}; geometric means over positions")),
        (real, _) => {
            let known = real - quality.arms.iter().map(|arm| arm.unknown).sum::<usize>();
            (State::Kept, format!("{meaning}; what disturbed is known of {known} of {real} real searches"))
        }
    }
}

fn bounds(source: &Source) -> Decision {
    let parallelism = source.analysis.groups.iter().find_map(|group| group.parallelism.as_ref());
    let Some((group, against)) = divided(source).max_by_key(|(group, _)| group.configuration.threads) else {
        return (State::NotAsked, "no speedup is told".to_owned());
    };
    // Strategies that share nodes by other rules do not obey the bound of this one.
    let obeys = |(group, _): (&Group, &AgainstBaseline)| written::base(&group.configuration.strategy).starts_with(YBWC);
    if let Some(all) = parallelism.filter(|_| divided(source).all(obeys)) {
        let rule = &RULES[BY_YBWC];
        return (State::Kept, format!("{} = {}, and the number of processors", rule.column, interval(&all[BY_YBWC])));
    }
    let shared = against.factors.processors / against.factors.nodes.ratio.estimate;
    let on = processors(&group.configuration);
    (State::Kept, format!("n, and {} on {on} if its tree were shared perfectly", figure(shared)))
}

fn plots(source: &Source) -> Decision {
    let all = intervals(source);
    let is_virtual = source.analysis.groups.iter().any(|group| group.configuration.machine == MachineKind::Virtual);
    match all.iter().any(|is_known| *is_known) || all.is_empty() {
        true => (
            State::Kept,
            format!(
                "intervals are drawn, lines join numbers of processors only{}",
                if is_virtual { ", and hollow points are simulated" } else { "" }
            ),
        ),
        false => (State::Broken, "points have no intervals".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::analysis::samples::{measured, one_against_four};
    use crate::analysis::{Analysis, Statement};
    use crate::record::{Configuration, NamedCounts, Record};
    use crate::statistics::{Residuals, Test};

    fn states(source: &Source) -> Vec<State> {
        RULES_OF_SC15.iter().map(|rule| (rule.decide)(source).0).collect()
    }

    #[test]
    fn each_rule_is_decided_from_plan_and_records() {
        use State::{Broken, Kept, NotAsked};
        let nothing = Source::default();
        assert_eq!(states(&nothing)[0], NotAsked);
        assert!(in_words(&nothing).1, "no session is told");
        let (mut description, records) = one_against_four();
        let source = Source::of(Analysis::of(description.clone(), &records));
        let found = states(&source);
        assert_eq!((found[0], found[1], found[7], found[10]), (Kept, NotAsked, Kept, Kept));
        assert_eq!(found[8], Broken, "nothing is known of the computer");
        // A subset needs a reason, and a whole suite none.
        let source = |description| Source::of(Analysis::of(description, &records));
        for (of, expected) in [(2, Kept), (50, Broken)] {
            description.positions_of = of;
            assert_eq!(states(&source(description.clone()))[1], expected);
        }
        description.why = "the first ones".to_owned();
        assert_eq!(states(&source(description.clone()))[1], Kept);
        // Single runs at one position have no interval.
        description.positions.truncate(1);
        let single: Vec<_> = records.iter().filter(|record| record.cell.seed == 1).cloned().collect();
        let alone: Vec<_> = single.iter().filter(|one| one.cell.position == single[0].cell.position).cloned().collect();
        let found = states(&Source::of(Analysis::of(description, &alone)));
        assert_eq!((found[4], found[11]), (Broken, Broken));
    }

    /// Times that are not normal need signs that show the same; of few positions, these show nothing.
    #[test]
    fn claims_on_times_that_are_not_normal_need_their_signs() {
        let (description, records) = one_against_four();
        let mut source = Source::of(Analysis::of(description, &records));
        let order = || Statement { test: Test::alone(1e-4), ..source.analysis.statements[0].clone() };
        let [mut by_signs, mut not, mut open] = [order(), order(), order()];
        (by_signs.sign_flip, not.sign_flip) = (Some(0.004), Some(0.0313));
        (open.sign_flip, open.test) = (Some(0.9), Test::alone(0.5));
        let of = |source: &mut Source, p: f64, statements: &[&Statement]| {
            let residuals = Residuals { count: 60, skewness: 1.8, kurtosis: 4.0, p };
            source.analysis.quality.residuals = Some(residuals);
            source.analysis.statements = statements.iter().copied().cloned().collect();
            normality(source)
        };
        assert_eq!(of(&mut source, 0.2, &[&not]).0, State::Kept);
        assert_eq!(of(&mut source, 1e-5, &[&open]).0, State::Kept, "nothing is claimed");
        assert_eq!(of(&mut source, 1e-5, &[&by_signs, &open]).0, State::Kept);
        let (state, since) = of(&mut source, 1e-5, &[&by_signs, &not, &open]);
        assert!(state == State::Broken && since.contains("show 1 of 2 orders and times that are claimed"), "{since}");
    }

    /// The span of Young Brothers Wait bounds who waits by that rule, and nobody else.
    #[test]
    fn a_bound_is_of_strategies_that_obey_it() {
        let (description, mut records) = one_against_four();
        let counts: HashMap<&str, i64> = RULES.iter().map(|rule| (rule.count, 1_000_000_000)).collect();
        for record in &mut records[..4] {
            measured(record).counters = NamedCounts::of(&counts);
        }
        let bound = |strategy: &str, records: &mut [Record]| {
            for record in records.iter_mut().filter(|record| record.cell.configuration.threads > 1) {
                let configuration = (*record.cell.configuration).clone();
                record.cell.configuration = Configuration { strategy: strategy.to_owned(), ..configuration }.into();
            }
            bounds(&Source::of(Analysis::of(description.clone(), records))).1
        };
        for (strategy, is_bound) in [("ybwc", true), ("ybwc,minimum-draft=3", true), ("lazy", false), ("abdada", false)]
        {
            let told = bound(strategy, &mut records);
            assert_eq!(told.starts_with("parallelism = "), is_bound, "{told}");
            assert_eq!(told.starts_with("n, and 2.83 on 4 virtual processors"), !is_bound, "{told}");
        }
    }
}
