//! All statements of a report: differences that were tested, each with what a reader needs to weigh it. With many tests
//! some would succeed by chance, wherever they stand; Holm's correction keeps the probability of even one false
//! statement below the level.
//!
//! There are two families. The primary one has the statements that the experiment asks for, and of every configuration
//! that the verdict names that it is faster than one processor: at 4 %. All others are secondary, at 1 %, and get the
//! rest of the level if every primary one has been shown (gatekeeping: Wiens, "A Fixed Sequence Bonferroni Procedure
//! for Testing Multiple Endpoints", Pharmaceutical Statistics 2, 2003). So side shows cost the question no power, and
//! both together are false in at most 5 % of reports.

use crate::choices::choices;
use crate::record::{Asks, IntervalKind, MachineKind, TwinFigure};
use crate::statistics::{Interval, Test};

use super::by_size::Outgrowth;
use super::{Analysis, Effect, Group, labels};

/// Share of the level that the primary statements have.
const PRIMARY_SHARE: f64 = 0.8;

choices! {
    /// Family of statements that are corrected together.
    pub enum Family, "family of statements";
    /// Statements that the experiment asks for.
    Primary "primary",
    /// All else.
    Secondary "secondary",
}

choices! {
    /// Kind of a statement.
    pub enum Kind, "kind of statement";
    /// One configuration takes longer than another for the same problem.
    Order "order",
    /// A configuration takes another time than one processor.
    Faster "faster",
    /// Time differs from that of the reference.
    Time "time",
    /// Nodes differ from those of the reference.
    Nodes "nodes",
    /// A factor of the speedup is not 1.
    Factor "factor",
    /// Moves are worth more or less than the baseline's.
    Moves "moves",
    /// A speedup grows with the size of the search, or one by more than another.
    Growth "growth",
    /// Searches that were not quiet took another time.
    Disturbance "disturbance",
    /// The virtual machine is farther from the real one than the margin.
    Machines "machines",
    /// The virtual machine is nearer to the real one than the margin.
    Agreement "agreement",
}

choices! {
    /// Reason to doubt a statement that its test does not account for.
    pub enum Undermined, "what undermines a statement";
    /// Other programs disturbed too many of the searches.
    Disturbed "disturbed",
    /// Searches are too small for their processors: larger ones may say otherwise.
    TooSmall "too small",
    /// Cells of the plan have no record yet.
    Incomplete "incomplete",
}

/// Size of the searches that a statement is about: what one processor takes, as geometric means over positions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Size {
    /// Seconds of the machine.
    pub t1_s: f64,
    /// Nodes.
    pub nodes_1: f64,
}

/// Difference that was tested: of which problem and size, for which positions, how large, how certain, and what
/// undermines it.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    pub kind: Kind,
    pub family: Family,
    pub machine: MachineKind,
    pub threads: u32,
    /// Problem that was searched, in words.
    pub problem: String,
    /// Size of the searches, where one processor searched them too.
    pub size: Option<Size>,
    /// Configuration that is spoken of.
    pub subject: String,
    /// Configuration that it is compared with.
    pub than: String,
    /// Figure of which this is the ratio, the subject's to the other's; for moves a difference in centipawns.
    pub figure: &'static str,
    /// Estimate with its interval by itself.
    pub ratio: Interval,
    /// Positions for which it holds.
    pub population: IntervalKind,
    /// Test, adjusted for all statements of its family and for its part of the level.
    pub test: Test,
    /// P value by itself, from the signs of the differences at the positions alone; nothing where that is not tested.
    pub sign_flip: Option<f64>,
    pub undermined: Vec<Undermined>,
    /// Place of its configuration in [`Analysis::groups`](super::Analysis::groups), if it is about one.
    pub group: Option<usize>,
}

impl Statement {
    /// Whether the difference is shown.
    pub fn is_shown(&self) -> bool {
        self.test.is_shown()
    }
}

/// Figure of statements of growth.
const GROWTH: &str = "growth of the speedup";

/// Statement before its family is known, and the place of its test.
type Open<'a> = (Statement, &'a mut Option<Test>);

/// Subject of a statement: the configuration, the problem, its size, and the population of positions.
struct About {
    subject: String,
    machine: MachineKind,
    threads: u32,
    problem: String,
    size: Option<Size>,
    group: Option<usize>,
}

/// Adjusts the tests of everything that a report may state.
pub(super) fn adjust(analysis: &mut Analysis) -> Vec<Statement> {
    let asks = analysis.asks();
    let Analysis { description, groups, contests, comparisons, effects, quality, twins, .. } = analysis;
    let population = description.interval;
    let labels: Vec<String> = groups.iter().map(|group| group.label.clone()).collect();
    let abouts: Vec<About> = groups.iter().enumerate().map(|(place, group)| about(place, group)).collect();
    let of = |kind: Kind, about: &About, than: String, figure: &'static str, ratio: Interval| Statement {
        kind,
        family: Family::Secondary,
        machine: about.machine,
        threads: about.threads,
        problem: about.problem.clone(),
        size: about.size,
        subject: about.subject.clone(),
        than,
        figure,
        ratio,
        population,
        test: Test::of(f64::NAN),
        sign_flip: None,
        undermined: Vec::new(),
        group: about.group,
    };
    let statement = |kind, group: usize, than, figure, ratio| of(kind, &abouts[group], than, figure, ratio);
    let (mut open, mut growths): (Vec<Open<'_>>, Vec<Open<'_>>) = Default::default();
    let candidates: Vec<usize> = contests.iter().flat_map(|contest| contest.candidates.clone()).collect();
    for one in contests.iter_mut().flat_map(|contest| &mut contest.rivalries) {
        let [first, second] = one.groups;
        let order = statement(Kind::Order, second, labels[first].clone(), "time", one.time);
        open.push((Statement { sign_flip: one.sign_flip, ..order }, &mut one.test));
        if let Some(Outgrowth { ratio, test }) = &mut one.outgrowth {
            let growth = statement(Kind::Growth, second, labels[first].clone(), GROWTH, *ratio);
            growths.push((growth, test));
        }
    }
    for one in comparisons.iter_mut() {
        let than = labels[one.reference].clone();
        let time = statement(Kind::Time, one.group, than.clone(), "time", one.time);
        open.push((Statement { sign_flip: one.sign_flip, ..time }, &mut one.time_test));
        open.push((statement(Kind::Nodes, one.group, than, "nodes", one.nodes), &mut one.nodes_test));
    }
    for Effect { factor, machine, threads, setting, time, time_test, nodes, nodes_test, .. } in effects.iter_mut() {
        let (subject, machine, threads, problem) = (factor.clone(), *machine, *threads, setting.clone());
        let effect = About { subject, machine, threads, problem, size: None, group: None };
        let effect = |kind, figure, ratio| of(kind, &effect, "without it".to_owned(), figure, ratio);
        open.push((effect(Kind::Time, "time", *time), time_test));
        open.push((effect(Kind::Nodes, "nodes", *nodes), nodes_test));
    }
    open.extend(growths);
    for (place, group) in groups.iter_mut().enumerate().filter(|(place, _)| candidates.contains(place)) {
        let beside_one = || "one processor".to_owned();
        if let Some(against) = group.regret.as_mut().and_then(|regret| regret.against.as_mut()) {
            open.push((statement(Kind::Moves, place, beside_one(), "regret", against.difference), &mut against.test));
        }
        if let Some((by_size, growth)) = group.by_size.as_mut().and_then(|of| of.growth.map(|growth| (of, growth))) {
            let grown = statement(Kind::Growth, place, "its smaller searches".to_owned(), GROWTH, growth);
            open.push((grown, &mut by_size.growth_test));
        }
        let Some(against) = group.against_baseline.as_mut() else { continue };
        let time = against.time_speedup.inverse();
        open.push((statement(Kind::Faster, place, beside_one(), "time", time), &mut against.faster));
        if let Some(best) = against.best_schedule.as_mut().filter(|best| !best.is_usual) {
            let (than, time) = (best.alone(), best.time_speedup.inverse());
            open.push((statement(Kind::Faster, place, than, "time", time), &mut best.faster));
        }
        let factors = &mut against.factors;
        for (figure, factor) in [
            ("utilisation", &mut factors.utilisation),
            ("productive share", &mut factors.productive),
            ("rate", &mut factors.rate),
            ("nodes", &mut factors.nodes),
        ] {
            open.push((statement(Kind::Factor, place, beside_one(), figure, factor.ratio), &mut factor.test));
        }
    }
    for arm in &mut quality.arms {
        let than = "quiet searches".to_owned();
        open.push((statement(Kind::Disturbance, arm.group, than, "time", arm.time_ratio), &mut arm.test));
    }
    for one in twins.iter_mut() {
        let [real, simulated] = one.groups;
        let (than, figure) = (format!("{} on real processors", labels[real]), of_twins(one.figure));
        for (kind, test) in [(Kind::Machines, &mut one.outside), (Kind::Agreement, &mut one.within)] {
            open.push((statement(kind, simulated, than.clone(), figure, one.error), test));
        }
    }
    corrected(open, |statement| is_primary(statement, asks, &description.primary))
}

/// Figure of statements on twins.
fn of_twins(figure: TwinFigure) -> &'static str {
    match figure {
        TwinFigure::Time => "time speedup",
        TwinFigure::Rate => "nodes a second",
    }
}

/// Subject of the statements on a group of searches.
fn about(place: usize, group: &Group) -> About {
    let configuration = &group.configuration;
    let size = group.against_baseline.as_ref().map(|against| Size { t1_s: against.t1_s, nodes_1: against.nodes_1 });
    About {
        subject: group.label.clone(),
        machine: configuration.machine,
        threads: configuration.threads,
        problem: labels::of_problem(configuration),
        size: size.filter(|size| size.t1_s.is_finite()),
        group: Some(place),
    }
}

/// Whether a statement is one that the experiment asks for: those that it names as primary, by their kind or as
/// `kind: subject`, or else those that its question is about.
fn is_primary(statement: &Statement, asks: Asks, named: &[String]) -> bool {
    let is_named = |name: &String| match name.split_once(':') {
        Some((kind, subject)) => kind.trim() == statement.kind.name() && subject.trim() == statement.subject,
        None => name == statement.kind.name(),
    };
    match named {
        [] => match asks {
            // Whoever the verdict may name is compared with one processor in the family of the verdict.
            Asks::Best | Asks::Scaling | Asks::Smp => matches!(statement.kind, Kind::Order | Kind::Faster),
            Asks::Effect | Asks::Splitting => statement.kind == Kind::Time,
            Asks::Machines => matches!(statement.kind, Kind::Machines | Kind::Agreement | Kind::Order),
            Asks::Published => false,
        },
        named => named.iter().any(is_named),
    }
}

/// Statements with their tests adjusted, in place and as a list.
fn corrected(open: Vec<Open<'_>>, is_primary: impl Fn(&Statement) -> bool) -> Vec<Statement> {
    let tested = open.into_iter().filter_map(|(mut statement, place)| {
        statement.test = (*place)?;
        statement.family = if is_primary(&statement) { Family::Primary } else { Family::Secondary };
        Some((statement, place))
    });
    let mut tested: Vec<Open<'_>> = tested.collect();
    let is_of = |family: Family| move |(statement, _): &&mut Open<'_>| statement.family == family;
    let mut adjust = |family: Family, share: f64| -> (usize, bool) {
        let mut of_family: Vec<&mut Open<'_>> = tested.iter_mut().filter(is_of(family)).collect();
        crate::statistics::adjust(of_family.iter_mut().map(|(statement, _)| &mut statement.test), share);
        (of_family.len(), of_family.iter().all(|(statement, _)| statement.is_shown()))
    };
    // A family without statements leaves its part to the other.
    let (secondary, _) = adjust(Family::Secondary, 1.0);
    let (_, are_all_shown) = adjust(Family::Primary, if secondary > 0 { PRIMARY_SHARE } else { 1.0 });
    adjust(Family::Secondary, if are_all_shown { 1.0 } else { 1.0 - PRIMARY_SHARE });
    let close = |(statement, place): Open<'_>| {
        *place = Some(statement.test);
        statement
    };
    tested.into_iter().map(close).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(kind: Kind) -> Statement {
        Statement {
            kind,
            family: Family::Secondary,
            machine: MachineKind::Virtual,
            threads: 4,
            problem: String::new(),
            size: None,
            subject: "a".to_owned(),
            than: "b".to_owned(),
            figure: "time",
            ratio: Interval::unknown(1.0),
            population: IntervalKind::ThesePositions,
            test: Test::of(f64::NAN),
            sign_flip: None,
            undermined: Vec::new(),
            group: None,
        }
    }

    fn adjusted(statements: &[(Kind, f64)]) -> Vec<f64> {
        let mut tests: Vec<Option<Test>> = statements.iter().map(|(_, p)| Some(Test::of(*p))).collect();
        let open = statements.iter().map(|(kind, _)| sample(*kind)).zip(&mut tests).collect();
        corrected(open, |one| is_primary(one, Asks::Best, &[])).iter().map(|one| one.test.adjusted().unwrap()).collect()
    }

    /// Primary statements are adjusted by Holm and for 4 of 5 hundredths, the others for 1, or for 5 if all of the
    /// first are shown.
    #[test]
    fn what_is_asked_for_has_most_of_the_level() {
        use Kind::{Factor, Order};
        for (statements, expected) in [
            (vec![(Order, 0.03)], vec![0.03]),
            (vec![(Factor, 0.03)], vec![0.03]),
            (vec![(Order, 0.03), (Factor, 0.02)], vec![0.0375, 0.02]),
            (vec![(Order, 0.05), (Factor, 0.02)], vec![0.0625, 0.1]),
            (vec![(Order, 0.01), (Order, 0.015), (Factor, 0.02)], vec![0.025, 0.025, 0.02]),
            (vec![(Order, 0.01), (Order, 0.3), (Factor, 0.004)], vec![0.025, 0.375, 0.02]),
        ] {
            let found = adjusted(&statements);
            assert!(found.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-12), "{statements:?}: {found:?}");
        }
    }

    #[test]
    fn an_experiment_may_name_its_primary_statements() {
        let mut statement = Statement { subject: "lazy".to_owned(), ..sample(Kind::Nodes) };
        let named = |name: &str| [name.to_owned()];
        assert!(is_primary(&statement, Asks::Best, &named("nodes")));
        assert!(is_primary(&statement, Asks::Best, &named("nodes: lazy")));
        assert!(!is_primary(&statement, Asks::Best, &named("nodes: ybwc")));
        assert!(!is_primary(&statement, Asks::Best, &[]));
        statement.kind = Kind::Order;
        assert!(is_primary(&statement, Asks::Best, &[]) && !is_primary(&statement, Asks::Effect, &[]));
    }
}
