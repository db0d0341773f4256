//! Charts of what sharing nodes costs: its share of the processors' time, the size of copies at which it is felt, and
//! the stages of one split.

use crate::analysis::labels::apart;
use crate::analysis::{Analysis, Bin, Group, STAGES, Sizes};
use crate::distinct::distinct;
use crate::statistics::Interval;

use super::super::axis::{Axis, Origin, Scale};
use super::super::lines::{Lines, Point, Reference, Series, extents, xs};
use super::super::sheet::{Panel, Plot, Sheet};
use super::super::style::{Fill, Look};
use super::super::waterfall::{Step, Waterfall};
use super::curves::{
    Machines, OurCurve, by_processors, columns_for, curves_with, first_curves, is_virtual, on_processors,
    processors_of, sheet,
};
use crate::Source;

/// Largest number of bars.
const MOST_BARS: usize = 36;
/// Largest number of lines by number of processors; more curves are bars.
const MOST_LINES: usize = 12;

/// Time a node at which copies are called dear, relative to the smallest.
const DEAR: Reference = Reference::Level(1.01, "1 % longer");

/// Share of time for splitting and for copying, by number of processors.
pub(crate) fn shares(source: &Source) -> Option<Sheet> {
    let curves = first_curves(&source.analysis, MOST_BARS).into_iter();
    let is_split = |group: &&Group| group.splitting.cost_ns.is_some();
    let curves: Vec<_> = curves.filter(|curve| curve.groups.iter().any(is_split)).collect();
    let panel = |name: &str, of: fn(&Group) -> Option<Interval>| {
        let percent = |share: f64| 100.0 * share;
        let point = |group: &Group| Point::with_interval(processors_of(group), of(group)?.map(percent));
        let series: Vec<Series> = curves.iter().filter_map(|curve| curve.series(point)).collect();
        let has_line = series.iter().any(|series| series.points.len() > 1);
        if has_line && series.len() <= MOST_LINES {
            by_processors(&format!("{name} (%)"), series, Origin::Zero, None)
        } else {
            levels(name, &series)
        }
    };
    let panels = vec![
        panel("time for splitting", |group| group.splitting.time_share)?,
        panel("time for copying", |group| group.splitting.copy_share)?,
    ];
    let caption = "The share of all processors' time that goes into sharing nodes, and the part of it \
                   that goes into copying positions. Arithmetic means over positions of means over runs.";
    let machines = Machines::of_curves(&curves).of_many(MOST_BARS);
    sheet(source, "What sharing costs", &machines, caption).with_panels(panels, 2, [320.0; 2])
}

/// Bars for the points of all curves.
fn levels(name: &str, series: &[Series]) -> Option<Panel> {
    let numbers = distinct(xs(series).map(|threads| threads as u32));
    let bar = |(name, to): (&str, Point)| {
        let name = if numbers.len() == 1 { name.to_owned() } else { format!("{name}, {}", to.x) };
        Step { name, to, fill: OWNER, ..Step::default() }
    };
    let points = series.iter().flat_map(|series| series.points.iter().map(|point| (series.name.as_str(), *point)));
    let steps: Vec<Step> = points.take(MOST_BARS).map(bar).collect();
    if steps.is_empty() {
        return None;
    }
    let ends = steps.iter().flat_map(|step| step.to.extent()).fold(0.0, f64::max);
    let x = Axis::linear("%", 0.0, ends);
    let title = match numbers[..] {
        [threads] => format!("{name}, {}", on_processors(threads)),
        _ => format!("{name}, by number of processors"),
    };
    Some(Panel { title, plot: Plot::Waterfall(Waterfall { x, steps }) })
}

/// Bars for the points of all curves where there are two numbers of processors: lines between them would show nothing
/// but their slopes. Nothing where there are more, or lines that others have published.
pub(super) fn in_bars(axis: &str, series: &[Series]) -> Option<Panel> {
    let mut numbers = distinct(xs(series).map(|threads| threads as u32));
    numbers.sort_unstable();
    if numbers.len() != 2 || series.iter().any(|series| series.look.is_published()) {
        return None;
    }
    let mut steps: Vec<Step> = Vec::new();
    for number in numbers {
        let points = series.iter().flat_map(|series| series.points.iter().map(|point| (series.name.as_str(), *point)));
        let points: Vec<(&str, Point)> = points.filter(|(_, point)| point.x == f64::from(number)).collect();
        // Curves have one baseline.
        let is_one = points.windows(2).all(|pair| pair[0].1 == pair[1].1);
        let shown = if is_one { &points[..1] } else { &points[..] };
        steps.extend(shown.iter().map(|(name, to)| Step {
            name: if is_one && series.len() > 1 { on_processors(number) } else { format!("{name} on {number}") },
            to: *to,
            fill: if number == 1 { HELPER } else { OWNER },
            words: to.words(),
            ..Step::default()
        }));
    }
    if steps.len() > MOST_BARS {
        return None;
    }
    let ends = steps.iter().flat_map(|step| [Some(step.to.y), step.to.ends.map(|(_, high)| high)]).flatten();
    let x = Axis::linear(axis, 0.0, ends.fold(0.0, f64::max));
    Some(Panel { title: String::new(), plot: Plot::Waterfall(Waterfall { x, steps }) })
}

/// Time a node by the size of copies.
pub(crate) fn sizes(source: &Source) -> Option<Sheet> {
    let panels = series_of_sizes(&source.analysis);
    let all = || panels.iter().flat_map(|(_, series)| series);
    let x = Axis::of_values("bytes of a copy", xs(all()), Origin::Free)?;
    // Room for the half of the last number that is beyond its tick.
    let x = Axis { high: if x.scale == Scale::Logarithmic { 1.3 * x.high } else { x.high }, ..x };
    let y = Axis::powers_of_two("relative time", extents(all()).chain([1.0]))?;
    let smallest = source.analysis.sizes.iter().map(|sizes| &source.analysis.groups[sizes.smallest]);
    let machines = Machines::of(smallest);
    let caption = "Along a line only the bytes copied with each position change; where it crosses the \
                   dashed line, a node takes 1 % longer than with the smallest copies. Time is per node, relative to \
                   the smallest copies. Geometric means over positions.";
    let plot = |series| Plot::Lines(Lines { x: x.clone(), y: y.clone(), series, reference: Some(DEAR) });
    let count = panels.len();
    let title = |name: String| if count > 1 { name } else { String::new() };
    let panels = panels.into_iter().map(|(name, series)| Panel { title: title(name), plot: plot(series) }).collect();
    sheet(source, "When a position begins to hurt", &machines, caption).with_panels(
        panels,
        columns_for(count),
        [400.0, 260.0],
    )
}

/// Lines of time a node by the size of copies, one for each number of processors, by what else tells sweeps apart.
fn series_of_sizes(analysis: &Analysis) -> Vec<(String, Vec<Series>)> {
    let smallest: Vec<&Group> = analysis.sizes.iter().map(|sizes| &analysis.groups[sizes.smallest]).collect();
    let labels: Vec<&str> = smallest.iter().map(|group| group.label.as_str()).collect();
    let names = apart(&labels);
    let numbers = distinct(smallest.iter().map(|group| group.configuration.threads));
    let series = |(sizes, smallest): (&Sizes, &&Group)| {
        let threads = smallest.configuration.threads;
        let place = numbers.iter().position(|number| *number == threads)?;
        let points = sizes.points.iter().filter_map(|size| Point::with_interval(size.bytes, size.slowdown));
        Series::new(&on_processors(threads), Look::of_curve(place, is_virtual(smallest)), points)
    };
    let all: Vec<Option<Series>> = analysis.sizes.iter().zip(&smallest).map(series).collect();
    let of_name = |name: String| {
        let series =
            names.iter().zip(&all).filter(|(other, _)| **other == name).filter_map(|(_, series)| series.clone());
        let series = series.collect();
        (name, series)
    };
    distinct(names.iter().cloned()).into_iter().map(of_name).collect()
}

/// Share of split nodes whose cost is at most so much of the time of their search, for each curve at its largest number
/// of processors.
pub(crate) fn split_nodes(source: &Source) -> Option<Sheet> {
    let ratios =
        |group: &Group| Some(group.split_nodes.iter().find(|figure| figure.name == "cost_ratio")?.bins.clone());
    let curves = curves_with(&source.analysis, |group| ratios(group).is_some());
    let largest = |curve: &OurCurve<'_>| {
        let known = curve.groups.iter().filter(|group| ratios(group).is_some());
        known.map(|group| group.configuration.threads).max()
    };
    let numbers = distinct(curves.iter().filter_map(largest));
    let series = |curve: &OurCurve<'_>| {
        let threads = largest(curve)?;
        let group = curve.groups.iter().find(|group| group.configuration.threads == threads)?;
        // Nothing is beyond the last range, so that it has no place on the axis.
        let point = |bin: Bin| Point::with_interval(bin.below?, bin.up_to.map(|share| 100.0 * share));
        let name = match numbers[..] {
            [_] => curve.name.clone(),
            _ => format!("{}, {}", curve.name, on_processors(threads)),
        };
        Series::new(&name, curve.look, ratios(group)?.into_iter().filter_map(point))
    };
    let series: Vec<Series> = curves.iter().filter_map(series).take(MOST_LINES).collect();
    let x = Axis::logarithmic("cost of sharing / other time at the node", xs(&series))?;
    let y = Axis::linear("split nodes (%)", 0.0, 100.0);
    let caption = "How many split nodes cost at most so much: right of 1, sharing took longer than all else at the \
                   node, waiting included. Ranges double. Arithmetic means over positions of means over runs.";
    let machines = Machines::of_curves(&curves);
    let title = if let [threads] = numbers[..] { on_processors(threads) } else { String::new() };
    let panel = Panel::of_lines(&title, Lines { x, y, series, reference: None });
    sheet(source, "What each split costs", &machines, caption).with_panels(vec![panel], 1, [380.0; 2])
}

/// Stages of one split, for each curve at its largest number of processors.
pub(crate) fn waterfall(source: &Source) -> Option<Sheet> {
    let curves = curves_with(&source.analysis, |group| group.splitting.stages.iter().all(Option::is_some));
    let all: Vec<(String, Vec<Step>)> = curves.iter().filter_map(steps).collect();
    let steps = || all.iter().flat_map(|(_, steps)| steps);
    let longest = steps().map(|step| step.to.y).fold(0.0, f64::max);
    // One wide interval must not squeeze all bars.
    let ends = steps().filter_map(|step| step.to.ends).map(|(_, high)| high.min(WIDEST * longest));
    let longest = ends.fold(longest, f64::max);
    let (unit, name) = UNITS.into_iter().find(|(unit, _)| longest >= *unit).unwrap_or((1.0, "nanoseconds"));
    // All panels have one axis, so that their bars can be compared.
    let x = Axis::linear(name, 0.0, longest / unit);
    let panel = |(title, steps): (String, Vec<Step>)| {
        let steps = steps.into_iter().map(|step| step.scaled(1.0 / unit)).collect();
        Panel { title, plot: Plot::Waterfall(Waterfall { x: x.clone(), steps }) }
    };
    let panels: Vec<Panel> = all.into_iter().map(panel).collect();
    let caption = "The mean times of one split, one after the other. The owner prepares, packs the \
                   position and calls; the helper notices, fetches the position, takes it over and begins. A helper \
                   that is busy until later notices when it is free.";
    let columns = columns_for(panels.len()).min(2);
    let machines = Machines::of_curves(&curves);
    sheet(source, "Stages of a split", &machines, caption).with_panels(panels, columns, [0.0; 2])
}

/// Fills of the steps of an owner and of a helper, both without a hatch.
const OWNER: Fill = Fill::of_layer(0);
const HELPER: Fill = Fill::of_layer(4);

/// Order in which stages are drawn: what is fetched is taken over afterwards.
const DRAWN: [usize; STAGES.len()] = [0, 1, 2, 3, 5, 4, 6];
/// Places of packing, after which the node is open, and of calling, which goes on beside the helpers.
const PACK: usize = 1;
const CALL: usize = 2;

/// Multiple of the longest time to which intervals are drawn.
const WIDEST: f64 = 1.5;
/// Units of time in nanoseconds, the longest first.
const UNITS: [(f64, &str); 3] = [(1e9, "seconds"), (1e6, "milliseconds"), (1e3, "microseconds")];

/// Stages of a split of a curve at its largest number of processors, in nanoseconds, under a title.
fn steps(curve: &OurCurve<'_>) -> Option<(String, Vec<Step>)> {
    let timed = |group: &&&Group| group.splitting.stages.iter().all(Option::is_some);
    let group = curve.groups.iter().filter(timed).max_by_key(|group| group.configuration.threads)?;
    let (mut at, mut open, mut steps) = (0.0, 0.0, Vec::new());
    for place in DRAWN {
        let length = group.splitting.stages[place]?;
        let from = if place > CALL && steps.len() == CALL + 1 { open } else { at };
        let to = Point::with_interval(0.0, length.map(|length| from + length))?;
        let (who, fill) = if place <= CALL { ("owner", OWNER) } else { ("helper", HELPER) };
        steps.push(Step { name: format!("{who}: {}", STAGES[place].0), from, to, fill, words: String::new() });
        at = to.y;
        if place == PACK {
            open = at;
        }
    }
    let threads = group.configuration.threads;
    Some((format!("{}, {}", curve.name, on_processors(threads)), steps))
}

#[cfg(test)]
mod tests {
    use super::super::super::samples;
    use super::super::thesis::HASH;
    use super::*;

    #[test]
    fn stages_have_one_axis_and_a_unit_that_can_be_read() {
        let mut source = Source::of(samples::copies(&[2]));
        let slower = source.analysis.groups.last_mut().unwrap();
        slower.splitting.stages = slower.splitting.stages.map(|stage| stage.map(|stage| stage.map(|ns| 300.0 * ns)));
        let sheet = waterfall(&source).unwrap();
        let axis = |panel: &Panel| match &panel.plot {
            Plot::Waterfall(Waterfall { x, .. }) => x.clone(),
            _ => panic!("no steps"),
        };
        let axes: Vec<Axis> = sheet.panels.iter().map(axis).collect();
        assert!(axes.len() > 1 && axes.windows(2).all(|pair| pair[0] == pair[1]), "{axes:?}");
        assert_eq!(axes[0].name, "milliseconds");
    }

    #[test]
    fn two_numbers_of_processors_are_bars() {
        let sheet = |numbers: &[u32]| {
            let mut analysis = samples::processors(numbers, &["ybwc", "lazy"], samples::REAL);
            analysis.groups.last_mut().unwrap().thesis.hash_pct = Some(Interval::unknown(7.0));
            HASH.chart(&Source::of(analysis)).unwrap()
        };
        let Plot::Waterfall(bars) = &sheet(&[1, 2]).panels[0].plot.clone() else { panic!("no bars") };
        let names: Vec<&str> = bars.steps.iter().map(|step| step.name.as_str()).collect();
        assert!(names.ends_with(&["ybwc on 2", "lazy on 2"]), "{names:?}");
        assert!(matches!(sheet(&[1, 2, 4]).panels[0].plot, Plot::Lines(_)));
    }
}
