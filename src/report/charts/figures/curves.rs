//! What all charts of curves have in common: which curves there are, how they look, and what is said of them all.

use crate::record::MachineKind;
use crate::report::analysis::{Analysis, Curve, Group};
use crate::statistics::LEVEL;

use super::super::legend::{Entry, Legend};
use super::super::lines::{Point, Series};
use super::super::style::Look;

/// The name of an axis of processors.
pub const PROCESSORS: &str = "processors";

/// Rows of panels in one chart, at most.
const MOST_ROWS: usize = 10;

/// A curve with its groups at hand.
#[derive(Clone, Debug)]
pub struct OurCurve<'a> {
    /// Its name in the legend.
    pub name: String,
    /// How it looks, the same in every chart.
    pub look: Look,
    /// Its groups, by processors.
    pub groups: Vec<&'a Group>,
    /// The curve itself.
    pub curve: &'a Curve,
}

/// What kinds of machine figures are of.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Machines {
    /// Some are of real ones.
    pub real: bool,
    /// Some are of virtual ones, with these cost models.
    pub cost_models: Vec<String>,
}

impl OurCurve<'_> {
    /// Whether it was measured on a virtual machine.
    pub fn is_virtual(&self) -> bool {
        self.groups.last().is_some_and(|group| is_virtual(group))
    }

    /// Whether it has more than its baseline.
    fn is_more_than_baseline(&self) -> bool {
        self.groups.iter().any(|group| !group.configuration.is_baseline())
    }

    /// A line through what a function makes of each group.
    pub fn series(&self, point: impl Fn(&Group) -> Option<Point>) -> Option<Series> {
        let points: Vec<Point> = self.groups.iter().filter_map(|group| point(group)).collect();
        (!points.is_empty()).then(|| Series { name: self.name.clone(), look: self.look, points, fit: Vec::new() })
    }
}

/// All curves of an analysis. Those that are a baseline only are left out where there are others.
pub fn curves<'a>(analysis: &'a Analysis) -> Vec<OurCurve<'a>> {
    let kinds = Machines::of(analysis.groups.iter());
    let mut left: Vec<OurCurve<'a>> = analysis
        .curves
        .iter()
        .enumerate()
        .map(|(place, curve)| {
            let groups: Vec<&Group> = curve.groups.iter().filter_map(|&group| analysis.groups.get(group)).collect();
            let is_virtual = groups.last().is_some_and(|group| is_virtual(group));
            let name = curve_name(curve, &groups, kinds.are_mixed() && is_virtual);
            OurCurve { name, look: Look::of_curve(place, is_virtual), groups, curve }
        })
        .filter(|curve| !curve.groups.is_empty())
        .collect();
    if left.iter().any(OurCurve::is_more_than_baseline) {
        left.retain(OurCurve::is_more_than_baseline);
    }
    if left.len() > MOST_CURVES {
        let is_reference = |curve: &OurCurve<'_>| {
            let groups = &curve.curve.groups;
            analysis.comparisons.iter().any(|comparison| groups.contains(&comparison.reference))
        };
        if left.iter().any(is_reference) {
            left.retain(is_reference);
        }
        left.truncate(MOST_CURVES);
    }
    // Looks go to those that are left, so that the first is always the first colour.
    let with_look =
        |(place, curve): (usize, OurCurve<'a>)| OurCurve { look: Look::of_curve(place, curve.is_virtual()), ..curve };
    named_apart(left).into_iter().enumerate().map(with_look).collect()
}

/// More curves than this cannot be told apart: then only those are drawn that others are compared with, if there are such.
const MOST_CURVES: usize = 12;

/// What is said where not all curves are drawn; nothing where all are.
fn left_out(analysis: &Analysis) -> Option<String> {
    let drawn = curves(analysis).len();
    let is_more = |curve: &&Curve| curve.groups.len() > 1 || analysis.curves.len() == 1;
    let all = analysis.curves.iter().filter(is_more).count();
    (drawn > 0 && drawn < all).then(|| format!("{drawn} of {all} curves"))
}

fn named_apart(mut curves: Vec<OurCurve<'_>>) -> Vec<OurCurve<'_>> {
    let names: Vec<String> = curves.iter().map(|curve| curve.name.clone()).collect();
    for (curve, name) in curves.iter_mut().zip(told_apart(&names)) {
        curve.name = name;
    }
    curves
}

fn curve_name(curve: &Curve, groups: &[&Group], must_say_virtual: bool) -> String {
    let strategy = groups.last().map_or("", |group| group.configuration.strategy.as_str());
    let name = if curve.label.trim().is_empty() { strategy } else { &curve.label };
    if must_say_virtual && !name.contains("virtual") { format!("{name} (virtual)") } else { name.to_owned() }
}

/// Whether a group was measured on a virtual machine.
pub fn is_virtual(group: &Group) -> bool {
    group.configuration.machine == MachineKind::Virtual
}

/// The number of processors of a group.
pub fn processors_of(group: &Group) -> f64 {
    f64::from(group.configuration.threads)
}

impl Machines {
    /// Of these groups.
    pub fn of<'a>(groups: impl IntoIterator<Item = &'a Group>) -> Self {
        let mut machines = Self::default();
        for group in groups {
            if is_virtual(group) {
                let model = group.configuration.costs.clone().unwrap_or_else(|| "unnamed".to_owned());
                if !machines.cost_models.contains(&model) {
                    machines.cost_models.push(model);
                }
            } else {
                machines.real = true;
            }
        }
        machines
    }

    /// Of the groups of these curves.
    pub fn of_curves(curves: &[OurCurve<'_>]) -> Self {
        Self::of(curves.iter().flat_map(|curve| curve.groups.iter().copied()))
    }

    /// Whether there are virtual ones.
    pub fn has_virtual(&self) -> bool {
        !self.cost_models.is_empty()
    }

    /// Whether there are both.
    pub fn are_mixed(&self) -> bool {
        self.real && self.has_virtual()
    }

    /// The mark of a chart of virtual figures only.
    pub fn mark(&self, beside_published: bool) -> Option<String> {
        if self.real || !self.has_virtual() {
            return None;
        }
        let models = match self.cost_models.as_slice() {
            [one] => format!("costs {one}"),
            several => format!("{} cost models", several.len()),
        };
        let whose = if beside_published { "ours: " } else { "" };
        Some(format!("{whose}virtual machine, {models}"))
    }

    /// What a caption says of virtual figures; empty if there are none.
    pub fn caption(&self) -> &'static str {
        match (self.real, self.has_virtual()) {
            (_, false) => "",
            (true, true) => {
                " Hollow points and broken lines are of a virtual machine, filled points and whole lines of a real one."
            }
            (false, true) => " All are of a virtual machine.",
        }
    }

    /// The unit of time.
    pub fn seconds(&self) -> &'static str {
        match (self.real, self.has_virtual()) {
            (_, false) => "s",
            (true, true) => "s; virtual: vs",
            (false, true) => "vs",
        }
    }
}

/// What was searched: the positions and the depth.
pub fn subtitle(analysis: &Analysis) -> String {
    let description = &analysis.description;
    let count = description.positions.len();
    let positions = match (&description.suite, count) {
        (Some(suite), 0) => suite.clone(),
        (Some(suite), 1) => format!("{suite}, 1 position"),
        (Some(suite), count) => format!("{suite}, {count} positions"),
        (None, 0) => String::new(),
        (None, 1) => "1 position".to_owned(),
        (None, count) => format!("{count} positions"),
    };
    let depth =
        common(analysis, "depth").filter(|depth| depth.parse::<u32>().is_ok()).map(|depth| format!("depth {depth}"));
    let hash = common(analysis, "hash_mib").map(|mebibytes| format!("{mebibytes} MiB"));
    let parts: Vec<String> = [Some(positions), depth, hash, left_out(analysis)]
        .into_iter()
        .flatten()
        .filter(|part| !part.is_empty())
        .collect();
    parts.join(", ")
}

/// The value of a field, if all groups have the same.
pub fn common(analysis: &Analysis, field: &str) -> Option<String> {
    let mut values = analysis.groups.iter().map(|group| group.configuration.field(field));
    let first = values.next()?;
    values.all(|value| value == first).then_some(first)
}

/// What a caption says of intervals.
pub fn intervals_caption(analysis: &Analysis) -> String {
    format!("Bars are {:.0} % intervals for {}.", LEVEL * 100.0, analysis.description.interval.name())
}

/// A legend of these series: ours, then what is published.
pub fn legend(ours: &[Series], published: &[Series]) -> Legend {
    Legend { groups: [ours, published].map(|series| series.iter().map(Series::entry).collect()).into() }
}

/// A legend of these entries, each name once.
pub fn legend_of(entries: impl IntoIterator<Item = Entry>) -> Legend {
    let mut different: Vec<Entry> = Vec::new();
    for entry in entries {
        if !different.iter().any(|other| other.name == entry.name) {
            different.push(entry);
        }
    }
    Legend { groups: vec![different] }
}

/// Long names without the parameters that all of them have. What comes first is kept.
pub fn told_apart(names: &[String]) -> Vec<String> {
    /// Shorter names are left as they are.
    const LONG: usize = 36;
    let parts = |name: &str| -> Vec<String> { name.split(',').map(|part| part.trim().to_owned()).collect() };
    if names.len() < 2 || names.iter().all(|name| name.chars().count() <= LONG) {
        return names.to_vec();
    }
    let all: Vec<Vec<String>> = names.iter().map(|name| parts(name)).collect();
    let is_common = |part: &String| all.iter().all(|other| other.contains(part));
    let shortened = |parts: &Vec<String>| {
        let mut kept: Vec<&str> = Vec::new();
        for (place, part) in parts.iter().enumerate() {
            let is_kept = place == 0 || !is_common(part);
            if is_kept || kept.last() != Some(&"…") {
                kept.push(if is_kept { part } else { "…" });
            }
        }
        kept.join(",")
    };
    all.iter().map(shortened).collect()
}

/// As many panels as a chart takes, and what to say if there were more.
pub fn limited<T>(mut panels: Vec<T>, columns: usize) -> (Vec<T>, Vec<String>) {
    let (count, most) = (panels.len(), columns * MOST_ROWS);
    panels.truncate(most);
    let note = format!("The first {most} of {count} curves; the tables have all.");
    (panels, if count > most { vec![note] } else { Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::*;

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
