//! Common parts of all charts of curves: which curves there are, how they look, and what is said of them all.

use crate::analysis::{Analysis, Curve, Group};
use crate::beside::{BesideCurve, BesidePoint};
use crate::distinct::distinct;
use crate::record::axes::{DEPTH, HASH};
use crate::record::{self, MachineKind};
use crate::state::is_ruined;
use crate::statistics::LEVEL;

use super::super::axis::{Axis, Origin};
use super::super::lines::{Lines, Point, Reference, Series, extents, xs};
use super::super::sheet::{Panel, Sheet};
use super::super::style::Look;
use crate::Source;

/// Name of an axis of processors.
pub(super) const PROCESSORS: &str = "processors";

/// Number of curves beyond which they cannot be told apart: then only those are drawn that others are compared with, if
/// there are such.
const MOST_CURVES: usize = 16;

/// Curve with its groups at hand.
#[derive(Clone, Debug)]
pub(super) struct OurCurve<'a> {
    /// Name in the legend, without the beginning that all curves share.
    pub name: String,
    /// Beginning that the names of all curves share.
    shared_name: Option<String>,
    /// Look, the same in every chart.
    pub look: Look,
    /// Groups by processors.
    pub groups: Vec<&'a Group>,
    pub curve: &'a Curve,
}

/// Kinds of machine that figures are of.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Machines {
    /// Whether some are of real machines.
    pub real: bool,
    /// Cost models of those that are of virtual machines.
    pub cost_models: Vec<String>,
    /// Whether each panel is of one machine, which its title names.
    are_in_panels: bool,
    /// Largest number of curves that are drawn, if it is not the usual one.
    most_curves: Option<usize>,
    /// Beginning that the names of all curves share.
    shared_name: Option<String>,
}

impl OurCurve<'_> {
    /// Whether there is more than the baseline.
    fn is_more_than_baseline(&self) -> bool {
        self.groups.iter().any(|group| !group.configuration.is_baseline())
    }

    /// Line through the points that a function makes of the groups.
    pub fn series(&self, point: impl Fn(&Group) -> Option<Point>) -> Option<Series> {
        Series::new(&self.name, self.look, self.groups.iter().filter_map(|group| point(group)))
    }
}

/// Curves of an analysis. Those that are a baseline only are left out where there are others.
pub(super) fn curves(analysis: &Analysis) -> Vec<OurCurve<'_>> {
    first_curves(analysis, MOST_CURVES)
}

/// At most this many curves of an analysis; of more, those that others are compared with. For charts that need no
/// colours to tell them apart; others have [`curves`].
pub(super) fn first_curves<'a>(analysis: &'a Analysis, most: usize) -> Vec<OurCurve<'a>> {
    let are_mixed = Machines::of(&analysis.groups).are_mixed();
    let with_groups = |curve: &'a Curve| {
        let Curve { label, groups, .. } = curve;
        let groups: Vec<&'a Group> = groups.iter().filter_map(|&group| analysis.groups.get(group)).collect();
        let is_virtual = is_virtual(groups.last()?);
        let name = match (are_mixed, is_virtual) {
            (true, true) => format!("{label} (virtual)"),
            (true, false) => format!("{label} (real)"),
            (false, _) => label.clone(),
        };
        Some(OurCurve { name, shared_name: None, look: Look::of_curve(0, is_virtual), groups, curve })
    };
    let mut curves: Vec<OurCurve<'a>> = analysis.curves.iter().filter_map(with_groups).collect();
    if curves.iter().any(OurCurve::is_more_than_baseline) {
        curves.retain(OurCurve::is_more_than_baseline);
    }
    if curves.len() > most {
        let is_reference = |curve: &OurCurve<'_>| {
            let groups = &curve.curve.groups;
            analysis.comparisons.iter().any(|comparison| groups.contains(&comparison.reference))
        };
        if curves.iter().any(is_reference) {
            curves.retain(is_reference);
        }
        curves.truncate(most);
    }
    // Looks go to those that are left, so that the first is always the first colour. On both machines a curve has one.
    let labels = distinct(curves.iter().map(|curve| curve.curve.label.as_str()));
    let (shared, names) = without_common_start(curves.iter().map(|curve| curve.name.clone()).collect());
    for (curve, name) in curves.iter_mut().zip(told_apart(&names)) {
        let place = labels.iter().position(|label| *label == curve.curve.label).unwrap_or(0);
        (curve.name, curve.look) = (name, Look::of_curve(place, curve.look.hollow));
        curve.shared_name.clone_from(&shared);
    }
    curves
}

/// Curves of an analysis that have a group of this kind.
pub(super) fn curves_with(analysis: &Analysis, is_of_kind: impl Fn(&Group) -> bool) -> Vec<OurCurve<'_>> {
    let curves = curves(analysis).into_iter();
    curves.filter(|curve| curve.groups.iter().any(|group| is_of_kind(group))).collect()
}

/// Whether a file asks for a chart by its name.
pub(super) fn is_asked_for(source: &Source, name: &str) -> bool {
    source.analysis.description.charts.iter().any(|asked| asked == name)
}

/// Whether the time speedup of a group is known.
pub(super) fn has_speedup(group: &Group) -> bool {
    group.time_speedup().is_finite()
}

/// Words for a subtitle where not all curves are drawn; nothing where all are.
fn left_out(analysis: &Analysis, most: usize) -> Option<String> {
    let drawn = first_curves(analysis, most).len();
    let is_more = |curve: &&Curve| curve.groups.len() > 1 || analysis.curves.len() == 1;
    let all = analysis.curves.iter().filter(is_more).count();
    (drawn > 0 && drawn < all).then(|| format!("{drawn} of {all} curves"))
}

/// Whether a group was measured on a virtual machine.
pub(super) fn is_virtual(group: &Group) -> bool {
    group.configuration.machine == MachineKind::Virtual
}

/// Number of processors of a group.
pub(super) fn processors_of(group: &Group) -> f64 {
    f64::from(group.configuration.threads)
}

impl Machines {
    /// Machines of these groups.
    pub fn of<'a>(groups: impl IntoIterator<Item = &'a Group>) -> Self {
        let (simulated, real): (Vec<&Group>, Vec<&Group>) = groups.into_iter().partition(|group| is_virtual(group));
        let model =
            |group: &Group| group.configuration.costs_name().map_or_else(|| "unnamed".to_owned(), ToString::to_string);
        Self { real: !real.is_empty(), cost_models: distinct(simulated.into_iter().map(model)), ..Self::default() }
    }

    /// Machines of the groups of these curves.
    pub fn of_curves(curves: &[OurCurve<'_>]) -> Self {
        let shared_name = curves.first().and_then(|curve| curve.shared_name.clone());
        Self { shared_name, ..Self::of(curves.iter().flat_map(|curve| curve.groups.iter().copied())) }
    }

    /// Words on these machines for a chart that draws more curves than others do, up to this number.
    pub fn of_many(self, most: usize) -> Self {
        Self { most_curves: Some(most), ..self }
    }

    /// Whether there are virtual ones.
    pub fn has_virtual(&self) -> bool {
        !self.cost_models.is_empty()
    }

    /// Whether there are both.
    pub fn are_mixed(&self) -> bool {
        self.real && self.has_virtual()
    }

    /// Word by whether there are real machines only, virtual ones only, or both.
    fn word(&self, real: &'static str, simulated: &'static str, both: &'static str) -> &'static str {
        match (self.real, self.has_virtual()) {
            (_, false) => real,
            (false, true) => simulated,
            (true, true) => both,
        }
    }

    /// Mark of a chart of virtual figures only.
    fn mark(&self) -> Option<String> {
        (self.has_virtual() && !self.real).then(|| format!("virtual machine, {}", self.models()))
    }

    /// Cost models in words.
    fn models(&self) -> String {
        match self.cost_models.as_slice() {
            [one] => format!("costs {one}"),
            several => format!("{} cost models", several.len()),
        }
    }

    /// Machines of panels whose titles say which machine they are of.
    #[must_use]
    pub fn in_panels(self) -> Self {
        Self { are_in_panels: true, ..self }
    }

    /// Note that says which markers are of which machine, where there are both.
    fn note(&self) -> Option<String> {
        let note = || match self.are_in_panels {
            true => format!("Virtual: {}.", self.models()),
            false => format!("Hollow markers, dashed lines: virtual ({}). Solid: real.", self.models()),
        };
        self.are_mixed().then(note)
    }

    /// Sentence of a caption on virtual figures; empty if there are none.
    pub fn caption(&self) -> &'static str {
        self.word("", " All figures come from a virtual machine.", " Some figures come from a virtual machine.")
    }

    /// Unit of time.
    pub fn seconds(&self) -> &'static str {
        self.word("s", "virtual s", "s, real or virtual")
    }

    /// Unit of time in full, to divide by.
    pub fn second(&self) -> &'static str {
        self.word("second", "virtual second", "(virtual) second")
    }
}

/// Positions and depth that were searched, and the beginning that names of all curves share.
fn subtitle(analysis: &Analysis, machines: &Machines) -> String {
    let most = machines.most_curves.unwrap_or(MOST_CURVES);
    let description = &analysis.description;
    let count = description.positions.len();
    let count = (count > 0).then(|| format!("{count} position{}", if count == 1 { "" } else { "s" }));
    let depth = common(analysis, &DEPTH).filter(|depth| depth.parse::<u32>().is_ok());
    let hash = common(analysis, &HASH).map(|mebibytes| format!("{mebibytes} MiB"));
    let depth = depth.map(|depth| format!("depth {depth}"));
    let parts = [description.suite.clone(), count, depth, hash, machines.shared_name.clone(), left_out(analysis, most)];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// Value of an axis, if all groups have the same.
pub(super) fn common(analysis: &Analysis, axis: &record::Axis) -> Option<String> {
    let mut values = analysis.groups.iter().map(|group| axis.text(&group.configuration));
    let first = values.next()?;
    values.all(|value| value == first).then_some(first)
}

/// Note on what bars mean.
fn bars(analysis: &Analysis) -> String {
    format!("Bars: {:.0} % intervals for {}.", LEVEL * 100.0, analysis.description.interval.name())
}

/// Note on a chart without real searches where they were disturbed.
pub(super) const LEFT_OUT_AS_RUINED: &str = "Real searches are left out: they were disturbed.";
/// Note where there are no bars.
pub(super) const NO_BARS: &str = "No intervals.";
pub(super) const TOO_FEW_FOR_BARS: &str = "No intervals: too few repetitions.";

/// Chart without panels yet, with what is said in all charts: what bars and markers mean. The caption says how to read
/// it.
pub(super) fn sheet(source: &Source, title: &str, machines: &Machines, caption: &str) -> Sheet {
    Sheet {
        title: title.to_owned(),
        subtitle: subtitle(&source.analysis, machines),
        caption: format!("{caption}{}", machines.caption()),
        mark: machines.mark(),
        drops_single_places: true,
        notes: std::iter::once(bars(&source.analysis))
            .chain(machines.note())
            .chain(left_out_as_ruined(source, machines))
            .collect(),
        ..Sheet::default()
    }
}

/// Note on a chart without real searches, if the experiment has some that are not drawn since they were disturbed.
fn left_out_as_ruined(source: &Source, machines: &Machines) -> Option<String> {
    let is_measured = |group: &Group| !is_virtual(group) && !group.configuration.is_baseline();
    let is_left_out = !machines.real && source.analysis.groups.iter().any(is_measured) && is_ruined(&source.analysis);
    is_left_out.then(|| LEFT_OUT_AS_RUINED.to_owned())
}

/// Note on a chart of counts and times that has no times of real searches, since they were disturbed.
pub(super) fn times_left_out(source: &Source, machines: &Machines) -> Option<String> {
    let is_left_out = machines.real && is_ruined(&source.analysis);
    is_left_out.then(|| "Times of real searches are left out: they were disturbed.".to_owned())
}

/// Name of what is below a panel, and panels: each a title with named figures.
pub(super) type Arranged<T> = (String, Vec<(String, Vec<(String, T)>)>);

/// Figures of curves for panels of bars or strips: a panel a curve, by number of processors. Where no curve has figures
/// of more than one number, all curves are in one panel: a panel with one bar shows nothing.
pub(super) fn arranged<T>(curves: &[OurCurve<'_>], figure: impl Fn(&OurCurve<'_>, &Group) -> Option<T>) -> Arranged<T> {
    let of_curve = |curve: &OurCurve<'_>| -> (String, Vec<(u32, T)>) {
        let groups = curve.groups.iter();
        let figures = groups.filter_map(|group| Some((group.configuration.threads, figure(curve, group)?)));
        (curve.name.clone(), figures.collect())
    };
    let mut all: Vec<(String, Vec<(u32, T)>)> = curves.iter().map(of_curve).collect();
    all.retain(|(_, figures)| !figures.is_empty());
    let numbers = distinct(all.iter().flat_map(|(_, figures)| figures).map(|(threads, _)| *threads));
    let several: Vec<u32> = numbers.iter().copied().filter(|threads| *threads > 1).collect();
    // One processor beside one other number is what that is compared with.
    if let ([threads], _) | ([], [threads]) = (&several[..], &numbers[..])
        && all.len() > 1
    {
        let of_number = |(name, figures): (String, Vec<(u32, T)>)| {
            let figures = figures.into_iter().filter(|(number, _)| number == threads);
            figures.map(move |(_, it)| (name.clone(), it))
        };
        let one = all.into_iter().flat_map(of_number).collect();
        return (on_processors(*threads), vec![(String::new(), one)]);
    }
    let named = |(name, figures): (String, Vec<(u32, T)>)| {
        (name, figures.into_iter().map(|(threads, it)| (threads.to_string(), it)).collect())
    };
    (PROCESSORS.to_owned(), all.into_iter().map(named).collect())
}

/// `1 processor`, `2 processors`.
pub(super) fn on_processors(threads: u32) -> String {
    format!("{threads} {}", if threads == 1 { "processor" } else { PROCESSORS })
}

/// Values that an axis holds: those of all points with their intervals. Where zero is no natural end, an interval is
/// not measured by its estimate, and the axis holds it whole.
pub(super) fn held(series: &[Series], origin: Origin) -> Vec<f64> {
    let ends = series.iter().flat_map(|series| &series.points).filter(|_| origin == Origin::Free);
    let ends = ends.filter_map(|point| point.ends).flat_map(|(low, high)| [low, high]);
    extents(series).chain(ends).filter(|value| value.is_finite()).collect()
}

/// Panel of lines by number of processors.
pub(super) fn by_processors(
    name: &str,
    series: Vec<Series>,
    origin: Origin,
    reference: Option<Reference>,
) -> Option<Panel> {
    let x = Axis::of_processors(PROCESSORS, xs(&series))?;
    let values = held(&series, origin).into_iter();
    let y = match reference {
        // Of the same kind as that of processors, so that y = x is straight.
        Some(Reference::Diagonal) => Axis::powers_of_two(name, values.chain([1.0]))?,
        Some(Reference::Level(level, _)) => Axis::of_values(name, values.chain([level]), origin)?,
        None => Axis::of_values(name, values, origin)?,
    };
    Some(Panel::of_lines("", Lines { x, y, series, reference }))
}

/// Curves of another run, whose looks come after those of published ones.
pub(super) fn series_beside(source: &Source, point: impl Fn(&BesidePoint) -> Option<Point>) -> Vec<Series> {
    let first = source.published.thesis.len();
    let curves = source.published.beside.iter().flat_map(|beside| &beside.curves).enumerate();
    let series = |(place, curve): (usize, &BesideCurve)| {
        Series::new(&curve.name, Look::of_published(first + place), curve.points.iter().filter_map(&point))
    };
    curves.filter_map(series).take(MOST_CURVES).collect()
}

/// Number of panels beside each other.
pub(super) fn columns_for(panels: usize) -> usize {
    match panels {
        0 | 1 => 1,
        2..=8 => 2,
        _ => 3,
    }
}

/// Parts of a name, which stand between commas.
pub(super) fn parts(name: &str) -> Vec<&str> {
    name.split(',').map(str::trim).collect()
}

/// Beginning that all names share, up to a comma, and the names without it. No name is left empty.
fn without_common_start(names: Vec<String>) -> (Option<String>, Vec<String>) {
    let all: Vec<Vec<&str>> = names.iter().map(|name| parts(name)).collect();
    let most = all.iter().map(Vec::len).min().unwrap_or(0).saturating_sub(1);
    let is_common = |place: &usize| all.iter().all(|parts| parts[*place] == all[0][*place]);
    let common = if names.len() > 1 { (0..most).take_while(is_common).count() } else { 0 };
    if common == 0 {
        return (None, names);
    }
    let rest = |name: &String| {
        let from = name.match_indices(',').nth(common - 1).map_or(0, |(comma, _)| comma + 1);
        name[from..].trim_start().to_owned()
    };
    (Some(all[0][..common].join(",")), names.iter().map(rest).collect())
}

/// Long names without the parameters that all of them have. What comes first is kept.
pub(super) fn told_apart(names: &[String]) -> Vec<String> {
    /// Length up to which names are left as they are.
    const LONG: usize = 36;
    if names.len() < 2 || names.iter().all(|name| name.chars().count() <= LONG) {
        return names.to_vec();
    }
    let all: Vec<Vec<&str>> = names.iter().map(|name| name.split(',').collect()).collect();
    let is_common = |part: &&str| all.iter().all(|other| other.iter().any(|one| one.trim() == part.trim()));
    let shortened = |parts: &Vec<&str>| {
        let mut kept: Vec<&str> = Vec::new();
        for (place, &part) in parts.iter().enumerate() {
            let is_kept = place == 0 || !is_common(&part);
            if is_kept || kept.last() != Some(&"…") {
                kept.push(if is_kept { part } else { "…" });
            }
        }
        kept.join(",")
    };
    all.iter().map(shortened).collect()
}

#[cfg(test)]
mod tests {
    use super::super::super::sheet::Plot;
    use super::*;

    #[test]
    fn an_axis_of_shares_holds_its_intervals() {
        let point = |x: f64| Point { x, y: 10.0, ends: Some((0.5, 42.0)) };
        let series = Series::new("ybwc", Look::of_curve(0, false), [point(2.0), point(4.0)]).unwrap();
        let panel = by_processors("hash hits (%)", vec![series], Origin::Free, None).unwrap();
        let Plot::Lines(Lines { y, .. }) = panel.plot else { panic!("no lines") };
        assert!(y.has(0.5) && y.has(42.0), "{y:?}");
    }

    #[test]
    fn long_names_lose_what_they_share() {
        let name = |draft: u32| format!("ybwc,minimum-draft={draft},helpers=3,copy=whole, mailbox");
        assert_eq!(told_apart(&[name(1), name(2)]), ["ybwc,minimum-draft=1,…", "ybwc,minimum-draft=2,…"]);
        for names in [vec!["ybwc, mailbox", "lazy, mailbox"], vec!["a name that is alone but long, and has two parts"]]
        {
            let names: Vec<String> = names.into_iter().map(str::to_owned).collect();
            assert_eq!(told_apart(&names), names);
        }
    }
}
