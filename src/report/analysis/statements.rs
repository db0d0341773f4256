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
use super::{AgainstBaseline, Analysis, BySize, Comparison, Effect, Group, Rivalry, Twin, labels};

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
/// Search that statements on a speedup compare a configuration with.
const ONE_PROCESSOR: &str = "one processor";

/// Statement before its family is known, and the place of its test.
type Open<'a> = (Statement, &'a mut Option<Test>);

/// Subject of statements: the configuration, the problem, its size, and the population of positions.
struct About {
    subject: String,
    machine: MachineKind,
    threads: u32,
    problem: String,
    size: Option<Size>,
    group: Option<usize>,
    population: IntervalKind,
}

impl About {
    /// The group at this place.
    fn group(place: usize, group: &Group, population: IntervalKind) -> Self {
        let Group { configuration, against_baseline, .. } = group;
        let size = against_baseline.as_ref().map(|against| Size { t1_s: against.t1_s, nodes_1: against.nodes_1 });
        Self {
            subject: group.label.clone(),
            machine: configuration.machine,
            threads: configuration.threads,
            problem: labels::of_problem(configuration),
            size: size.filter(|size| size.t1_s.is_finite()),
            group: Some(place),
            population,
        }
    }

    /// The switch of a factorial design that has this effect.
    fn switch(effect: &Effect, population: IntervalKind) -> Self {
        Self {
            subject: effect.factor.clone(),
            machine: effect.machine,
            threads: effect.threads,
            problem: effect.setting.clone(),
            size: None,
            group: None,
            population,
        }
    }

    /// Statement on the ratio of a figure to that of another configuration.
    fn statement(&self, kind: Kind, than: &str, figure: &'static str, ratio: Interval) -> Statement {
        Statement {
            kind,
            family: Family::Secondary,
            machine: self.machine,
            threads: self.threads,
            problem: self.problem.clone(),
            size: self.size,
            subject: self.subject.clone(),
            than: than.to_owned(),
            figure,
            ratio,
            population: self.population,
            test: Test::of(f64::NAN),
            sign_flip: None,
            undermined: Vec::new(),
            group: self.group,
        }
    }
}

/// Adjusts the tests of everything that a report may state.
pub(super) fn adjust(analysis: &mut Analysis) -> Vec<Statement> {
    let asks = analysis.asks();
    let Analysis { description, groups, contests, comparisons, effects, quality, twins, .. } = analysis;
    let population = description.interval;
    let abouts: Vec<About> =
        groups.iter().enumerate().map(|(place, group)| About::group(place, group, population)).collect();
    let candidates: Vec<usize> = contests.iter().flat_map(|contest| contest.candidates.clone()).collect();
    let rivalries = contests.iter_mut().flat_map(|contest| &mut contest.rivalries);
    let (mut open, growths): (Vec<Open<'_>>, Vec<Option<Open<'_>>>) =
        rivalries.map(|rivalry| of_rivalry(rivalry, &abouts)).unzip();
    open.extend(comparisons.iter_mut().flat_map(|comparison| of_comparison(comparison, &abouts)));
    open.extend(effects.iter_mut().flat_map(|effect| of_effect(effect, population)));
    open.extend(growths.into_iter().flatten());
    for (place, group) in groups.iter_mut().enumerate().filter(|(place, _)| candidates.contains(place)) {
        open.extend(of_candidate(group, &abouts[place]));
    }
    open.extend(quality.arms.iter_mut().map(|arm| {
        let about = &abouts[arm.group];
        (about.statement(Kind::Disturbance, "quiet searches", "time", arm.time_ratio), &mut arm.test)
    }));
    open.extend(twins.iter_mut().flat_map(|twin| of_twin(twin, &abouts)));
    corrected(open, |statement| is_primary(statement, asks, &description.primary))
}

/// Statements on two rivals: their order, and the growth of one's speedup beside the other's where it is known.
fn of_rivalry<'a>(rivalry: &'a mut Rivalry, abouts: &[About]) -> (Open<'a>, Option<Open<'a>>) {
    let [first, second] = rivalry.groups.map(|place| &abouts[place]);
    let order = second.statement(Kind::Order, &first.subject, "time", rivalry.time);
    let growth = rivalry.outgrowth.as_mut().map(|Outgrowth { ratio, test }| {
        let growth = second.statement(Kind::Growth, &first.subject, GROWTH, *ratio);
        (growth, test)
    });
    ((Statement { sign_flip: rivalry.sign_flip, ..order }, &mut rivalry.test), growth)
}

/// Statements on a configuration beside the reference.
fn of_comparison<'a>(comparison: &'a mut Comparison, abouts: &[About]) -> [Open<'a>; 2] {
    let [about, reference] = [comparison.group, comparison.reference].map(|place| &abouts[place]);
    let time = about.statement(Kind::Time, &reference.subject, "time", comparison.time);
    let nodes = about.statement(Kind::Nodes, &reference.subject, "nodes", comparison.nodes);
    [
        (Statement { sign_flip: comparison.sign_flip, ..time }, &mut comparison.time_test),
        (nodes, &mut comparison.nodes_test),
    ]
}

/// Statements on a switch of a factorial design.
fn of_effect(effect: &mut Effect, population: IntervalKind) -> [Open<'_>; 2] {
    let about = About::switch(effect, population);
    let statement = |kind, figure, ratio| about.statement(kind, "without it", figure, ratio);
    [
        (statement(Kind::Time, "time", effect.time), &mut effect.time_test),
        (statement(Kind::Nodes, "nodes", effect.nodes), &mut effect.nodes_test),
    ]
}

/// Statements on a configuration that the verdict may name.
fn of_candidate<'a>(group: &'a mut Group, about: &About) -> Vec<Open<'a>> {
    let mut open: Vec<Open<'_>> = Vec::new();
    if let Some(against) = group.regret.as_mut().and_then(|regret| regret.against.as_mut()) {
        open.push((about.statement(Kind::Moves, ONE_PROCESSOR, "regret", against.difference), &mut against.test));
    }
    if let Some(BySize { growth: Some(growth), growth_test, .. }) = &mut group.by_size {
        open.push((about.statement(Kind::Growth, "its smaller searches", GROWTH, *growth), growth_test));
    }
    if let Some(against) = &mut group.against_baseline {
        open.extend(of_speedup(against, about));
    }
    open
}

/// Statements on a time speedup, and on its factors.
fn of_speedup<'a>(against: &'a mut AgainstBaseline, about: &About) -> Vec<Open<'a>> {
    let time = against.time_speedup.inverse();
    let mut open = vec![(about.statement(Kind::Faster, ONE_PROCESSOR, "time", time), &mut against.faster)];
    if let Some(best) = against.best_schedule.as_mut().filter(|best| !best.is_usual) {
        let time = best.time_speedup.inverse();
        open.push((about.statement(Kind::Faster, &best.alone(), "time", time), &mut best.faster));
    }
    let factors = &mut against.factors;
    let factors = [
        ("utilisation", &mut factors.utilisation),
        ("productive share", &mut factors.productive),
        ("rate", &mut factors.rate),
        ("nodes", &mut factors.nodes),
    ];
    open.extend(factors.map(|(figure, factor)| {
        (about.statement(Kind::Factor, ONE_PROCESSOR, figure, factor.ratio), &mut factor.test)
    }));
    open
}

/// Statements on a virtual machine beside the real one: that it is farther from it than the margin, and nearer.
fn of_twin<'a>(twin: &'a mut Twin, abouts: &[About]) -> [Open<'a>; 2] {
    let [real, simulated] = twin.groups.map(|place| &abouts[place]);
    let than = format!("{} on real processors", real.subject);
    let figure = match twin.figure {
        TwinFigure::Time => "time speedup",
        TwinFigure::Rate => "nodes a second",
    };
    let statement = |kind| simulated.statement(kind, &than, figure, twin.error);
    [(statement(Kind::Machines), &mut twin.outside), (statement(Kind::Agreement), &mut twin.within)]
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
            Asks::Published | Asks::Torn | Asks::Cluster => false,
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
