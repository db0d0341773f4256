//! Twins: a real configuration and the virtual one that is to predict it. Both searched the same positions with the
//! same seeds. Each is compared with one undisturbed processor of its own machine, so that what is compared is how much
//! faster a search becomes, not how fast a computer is.
//!
//! Those that an experiment declares come first. Without being declared, a real configuration on several processors is
//! the twin of the virtual one that is equal in all else, if it is undisturbed and its cost model is a reference.

use std::collections::{BTreeMap, BTreeSet};

use crate::record::axes::COSTS_HASH;
use crate::record::{
    AXES, Axis, Configuration, Defined, Description, MachineKind, Named, OVERSUBSCRIBED, Quietness, Record, TwinFigure,
    Twins,
};
use crate::statistics::{Contrast, Interval, Test};
use crate::validation::Verdict;

use super::conditions::DOUBTFUL_SHARE;
use super::grouping::{Gathered, Gathering, Run};
use super::logs::{log_nodes, log_nps, log_time};
use super::scope::Holds;
use super::sides::{self, Sides};

/// Share by which a virtual figure may differ from the real one.
pub const MARGIN: f64 = 0.05;
/// Beginnings of the names of costs that disturb.
const DISTURBING: [&str; 2] = ["away_", "hog"];
/// Name of twins that nobody declared.
const SEVERAL: &str = "several processors";
/// Beginning of the names of cost models that are to predict the computers of today.
const REFERENCE: &str = "reference";

/// Real configuration and the virtual one that is to predict it.
#[derive(Clone, Debug, PartialEq)]
pub struct Twin {
    /// Name of the test that compares the two, such as `several processors`.
    pub name: String,
    /// Figure in which they are compared.
    pub figure: TwinFigure,
    /// Places of the real and the virtual one in [`Analysis::groups`](super::Analysis::groups).
    pub groups: [usize; 2],
    /// Places of the one processor that each is compared with.
    pub alone: [usize; 2],
    /// Figure of the real and the virtual one, relative to that of one processor.
    pub sides: [Interval; 2],
    /// Virtual figure relative to the real one: above 1, the model is too optimistic.
    pub error: Interval,
    /// Logarithm of that ratio.
    pub contrast: Contrast,
    /// Nodes relative to those of one processor, real and virtual, and the ratio of the two.
    pub nodes: Option<[Interval; 3]>,
    /// Share of the processors' time that is spent waiting, real and virtual, and the difference.
    pub waiting: Option<[Interval; 3]>,
    /// Test that the difference is larger than the margin.
    pub outside: Option<Test>,
    /// Test that the difference is smaller than the margin.
    pub within: Option<Test>,
    /// Whether the real one has more threads than there are processors.
    pub is_oversubscribed: bool,
}

impl Twin {
    /// Whether the error is shown to lie within the margin, outside of it, or neither.
    pub fn verdict(&self) -> Verdict {
        let is_shown = |test: Option<Test>| test.is_some_and(Test::is_shown);
        match (is_shown(self.within), is_shown(self.outside)) {
            (true, _) => Verdict::ShownWithin,
            (_, true) => Verdict::ShownOutside,
            _ => Verdict::NotShown,
        }
    }

    /// The error with an interval that holds together with those of `count` in all.
    pub fn error_among(&self, description: &Description, count: usize) -> Interval {
        Holds::of(description).interval_among(&self.contrast, count).exp()
    }
}

/// Twins of an experiment: declared ones, then others.
pub(super) fn twins(description: &Description, gathering: &Gathering<'_>, holds: Holds) -> Vec<Twin> {
    let places = |machine: MachineKind| {
        let all = gathering.groups.iter().enumerate();
        all.filter(move |(_, group)| group.configuration.machine == machine).map(|(place, _)| place)
    };
    let configurations = |pair: [usize; 2]| pair.map(|place| gathering.groups[place].configuration);
    let pairs = || {
        let with_all = |real| places(MachineKind::Virtual).map(move |simulated| [real, simulated]);
        places(MachineKind::Real).flat_map(with_all).filter(|pair| {
            let [real, simulated] = configurations(*pair);
            are_alike(real, simulated)
        })
    };
    let mut all: Vec<Twin> = Vec::new();
    for declared in &description.twins {
        let meant = pairs().filter(|pair| {
            let [real, simulated] = configurations(*pair);
            has_values(real, &declared.real) && has_values(simulated, &declared.simulated)
        });
        all.extend(meant.filter_map(|pair| twin(declared, pair, gathering, holds)));
    }
    let several = Twins { name: SEVERAL.to_owned(), figure: TwinFigure::Time, ..Twins::default() };
    for pair in pairs() {
        let [real, simulated] = configurations(pair);
        let is_plain = real.threads > 1
            && real.disturb.is_none()
            && !is_oversubscribed(&gathering.groups[pair[0]])
            && simulated.costs_name().is_some_and(|costs| costs.starts_with(REFERENCE) && !costs.is_changed());
        let is_declared = all.iter().any(|twin| twin.groups == pair);
        if is_plain && !is_declared {
            all.extend(twin(&several, pair, gathering, holds));
        }
    }
    all
}

/// Whether a configuration has one of these values in each of these fields.
fn has_values(configuration: &Configuration, values: &BTreeMap<String, Vec<String>>) -> bool {
    values.iter().all(|(field, values)| values.contains(&configuration.field(field)))
}

/// Whether two configurations are equal in all that twins have in common.
fn are_alike(real: &Configuration, simulated: &Configuration) -> bool {
    AXES.iter().all(|axis| axis.is_of_machine || !axis.differs(real, simulated))
}

/// Whether some searches had more threads than there are processors.
fn is_oversubscribed(group: &Gathered<'_>) -> bool {
    let has_too_many = |run: Run<'_>| {
        run.record.surroundings.iter().any(|around| around.disturbed.iter().any(|reason| reason == OVERSUBSCRIBED))
    };
    group.all().any(has_too_many)
}

/// Whether nothing disturbed a search but more threads of its own than there are processors.
fn is_quiet(record: &Record) -> bool {
    let is_own = record.surroundings.as_ref().is_some_and(|around| around.disturbed == [OVERSUBSCRIBED]);
    is_own || record.quietness() == Quietness::Quiet
}

/// The group without real searches that others disturbed.
fn quiet<'a>(group: &Gathered<'a>) -> Gathered<'a> {
    group.filtered(|_, run| !run.record.is_real() || is_quiet(run.record))
}

/// Whether too many searches were disturbed by others, or may have been.
fn is_doubtful(group: &Gathered<'_>) -> bool {
    let Configuration { machine, disturb, .. } = group.configuration;
    let doubtful = group.all().filter(|run| !is_quiet(run.record)).count();
    *machine == MachineKind::Real && disturb.is_none() && doubtful as f64 > DOUBTFUL_SHARE * group.all().count() as f64
}

/// One undisturbed processor that a configuration is compared with, with other values in the fields that have one.
fn alone(place: usize, others: &BTreeMap<String, String>, gathering: &Gathering<'_>) -> Option<usize> {
    let base = gathering.groups[place].configuration.baseline();
    let undisturbed = Configuration { disturb: Default::default(), costs: base.costs_name().map(plain), ..base };
    let is_meant = |group: &Gathered<'_>| {
        let is_same = |axis: &Axis| {
            let wanted = others.get(axis.name).cloned().unwrap_or_else(|| axis.text(&undisturbed));
            *axis == COSTS_HASH || axis.text(group.configuration) == wanted
        };
        AXES.iter().all(is_same)
    };
    gathering.groups.iter().position(is_meant)
}

/// The cost model without what disturbs.
fn plain(costs: &Named) -> Defined {
    costs.keeping(|change| !DISTURBING.iter().any(|name| change.name.starts_with(name))).into()
}

/// The twin of these two; nothing if they were not both searched beside one processor, to the end, at some position.
fn twin(meant: &Twins, groups: [usize; 2], gathering: &Gathering<'_>, holds: Holds) -> Option<Twin> {
    let alone = |place: usize| alone(place, &meant.beside, gathering);
    let alone = [alone(groups[0])?, alone(groups[1])?];
    let [both, ones] = [groups, alone].map(|places| places.map(|place| &gathering.groups[place]));
    let has_times = both.iter().chain(&ones).all(|group| group.has_common_depth());
    if groups == alone || meant.figure == TwinFigure::Time && !has_times {
        return None;
    }
    let pair = Pair { figure: meant.figure, holds, both, ones };
    let contrast = pair.error()?;
    let are_several = both[0].configuration.threads > 1;
    Some(Twin {
        name: meant.name.clone(),
        figure: meant.figure,
        groups,
        alone,
        sides: [pair.side(0)?, pair.side(1)?],
        error: holds.ratio(&contrast),
        nodes: pair.nodes().filter(|_| are_several),
        waiting: pair.waiting().filter(|_| are_several),
        outside: pair.outside(&contrast).map(Test::of),
        within: pair.within(&contrast).map(Test::of),
        is_oversubscribed: is_oversubscribed(both[0]),
        contrast,
    })
}

/// A real configuration and a virtual one, each with the one processor of its machine that it is compared with.
#[derive(Clone, Copy)]
struct Pair<'g, 'a> {
    figure: TwinFigure,
    holds: Holds,
    both: [&'g Gathered<'a>; 2],
    ones: [&'g Gathered<'a>; 2],
}

impl<'a> Pair<'_, 'a> {
    /// Logarithm of the virtual figure relative to the real one, each relative to one processor of its machine.
    fn error(&self) -> Option<Contrast> {
        let (both @ [real, simulated], ones @ [real_one, simulated_one]) = (self.both, self.ones);
        // What is relative here is how many times as small a figure is: a speedup for times, its inverse for rates.
        let (ratio, _) = match self.figure {
            TwinFigure::Time => sides::relative(both, ones, false, self.holds, log_time)?,
            TwinFigure::Rate => {
                sides::relative([simulated, real], [simulated_one, real_one], false, self.holds, log_nps)?
            }
        };
        Some(ratio)
    }

    /// Whether too many searches of any of the four were disturbed.
    fn is_doubtful(&self) -> bool {
        self.both.iter().chain(&self.ones).any(|group| is_doubtful(group))
    }

    /// P value of an error larger than the margin.
    fn outside(&self, error: &Contrast) -> Option<f64> {
        let larger = |error: &Contrast| error.larger_than(self.holds.0?, MARGIN.ln_1p());
        let p = larger(error)?;
        if !self.is_doubtful() {
            return Some(p);
        }
        // All searches must show it, and so must the quiet ones alone.
        let [both, ones] = [self.both, self.ones].map(|side| side.map(quiet));
        let again = Pair { both: both.each_ref(), ones: ones.each_ref(), ..*self }.error();
        let agreed = again.filter(|again| again.estimate().signum() == error.estimate().signum());
        Some(agreed.and_then(|again| larger(&again)).map_or(1.0, |again| p.max(again)))
    }

    /// P value of an error smaller than the margin; disturbed searches show no such thing.
    fn within(&self, error: &Contrast) -> Option<f64> {
        error.equivalence(self.holds.0?, MARGIN.ln_1p()).filter(|_| !self.is_doubtful())
    }

    fn sides(&self, groups: [&Gathered<'a>; 2]) -> Sides<'a> {
        Sides::within(groups, self.holds, &mut BTreeSet::new())
    }

    /// Figure of the real or the virtual one, relative to that of one processor.
    fn side(&self, place: usize) -> Option<Interval> {
        let (group, one) = (self.both[place], self.ones[place]);
        let relative = match self.figure {
            TwinFigure::Time => self.sides([group, one]).times(None)?,
            TwinFigure::Rate => self.sides([one, group]).rates()?,
        };
        Some(relative.ratio)
    }

    /// Nodes relative to those of one processor, real and virtual, and the ratio of the two.
    fn nodes(&self) -> Option<[Interval; 3]> {
        let ([real, simulated], [real_one, simulated_one]) = (self.both, self.ones);
        let (ratio, _) = sides::relative([simulated, real], [simulated_one, real_one], false, self.holds, log_nodes)?;
        let side = |place: usize| Some(self.sides([self.ones[place], self.both[place]]).nodes(None)?.ratio);
        Some([side(0)?, side(1)?, self.holds.ratio(&ratio)])
    }

    /// Share of time that is spent waiting, real and virtual, and the difference.
    fn waiting(&self) -> Option<[Interval; 3]> {
        let [real, simulated] = self.both;
        let [of_real, of_simulated] = [real.mean(waiting_share)?, simulated.mean(waiting_share)?];
        let difference = simulated.less(real, waiting_share)?;
        Some([of_real, of_simulated, difference].map(|contrast| self.holds.interval(&contrast)))
    }
}

/// Share of the processors' time that a search waits: without work, for helpers, or for a lock.
fn waiting_share(run: Run<'_>) -> Option<f64> {
    let activities = &run.measured.activities;
    let waiting = activities.idle_ns + activities.wait_ns + activities.lock_ns;
    (activities.total() > 0).then(|| waiting as f64 / activities.total() as f64)
}
