//! Charts of where the processors went: their time by activity, the factors of the speedup, and the nodes that need not
//! have been searched. A panel a curve.

use crate::report::analysis::{ACTIVITIES, AgainstBaseline, Factors, Group, LOSSES};

use super::super::axis::{Axis, Origin};
use super::super::lines::{Lines, Point, Reference, Series, extents, xs};
use super::super::sheet::{Panel, Plot, Sheet};
use super::super::stacked::{Layer, Stacked};
use super::super::style::{Fill, Look};
use super::Source;
use super::curves::{
    Machines, OurCurve, PROCESSORS, columns_for, curves_with, intervals_caption, is_virtual, processors_of, sheet,
};

/// Bars of all curves.
struct Bars<'a> {
    curves: Vec<OurCurve<'a>>,
    /// Whether a group has a bar.
    is_shown: fn(&Group) -> bool,
    y: Axis,
    /// Names of the layers, by their place.
    layers: Vec<(usize, String)>,
    /// Height of the layer at a place.
    value: fn(&Group, usize) -> f64,
}

/// Time by activity.
pub(super) fn processors(source: &Source<'_>) -> Option<Sheet> {
    let has_activities = |group: &Group| group.means.activities.iter().any(|share| *share > 0.0);
    let bars = Bars {
        curves: curves_with(source.analysis, has_activities),
        is_shown: has_activities,
        y: Axis::shares("share of time (%)", 1.0),
        layers: ACTIVITIES.map(|(name, ..)| name.to_owned()).into_iter().enumerate().collect(),
        value: |group, place| group.means.activities[place],
    };
    let caption = "What all processors spent their time on, by number of processors: arithmetic means over positions \
                   of means over runs, without intervals.";
    bars.chart(source, "Where the processors went", caption)
}

/// Nodes by class of loss.
pub(super) fn overhead(source: &Source<'_>) -> Option<Sheet> {
    let sum = |group: &Group| (0..LOSSES.len()).map(|place| loss(group, place)).sum::<f64>();
    let curves = curves_with(source.analysis, |group| sum(group) > 0.0);
    let groups = || curves.iter().flat_map(|curve| &curve.groups);
    let is_drawn = |(place, _): &(usize, String)| groups().any(|group| loss(group, *place) > 0.0);
    let bars = Bars {
        is_shown: |group| !group.means.losses.is_empty(),
        y: Axis::shares("share of nodes (%)", groups().map(|group| sum(group)).fold(0.0, f64::max)),
        layers: LOSSES.into_iter().map(|(class, _)| class.replace('_', " ")).enumerate().filter(is_drawn).collect(),
        value: loss,
        curves,
    };
    let caption = "Nodes that need not have been searched, as shares of all nodes, by number of processors: each node \
                   belongs to the first class that applies; arithmetic means over positions, without intervals.";
    bars.chart(source, "What the search overhead is made of", caption)
}

/// Share of a class of loss; none is as little as nothing.
fn loss(group: &Group, place: usize) -> f64 {
    group.means.losses.get(LOSSES[place].0).copied().filter(|share| share.is_finite() && *share > 0.0).unwrap_or(0.0)
}

impl Bars<'_> {
    fn chart(&self, source: &Source<'_>, title: &str, caption: &str) -> Option<Sheet> {
        let machines = Machines::of_curves(&self.curves);
        let mut sheet = sheet(source, title, &machines, String::new());
        // Bars cannot be hollow: panels of virtual machines are named so.
        let of_machines = match machines.are_mixed() {
            true => " Panels named virtual are of a virtual machine, the others of a real one.",
            false => machines.caption(),
        };
        sheet.caption = format!("{caption}{of_machines}");
        let panels = self.curves.iter().map(|curve| self.panel(curve)).collect();
        sheet.with_panels(panels, columns_for(self.curves.len()), [360.0, 270.0])
    }

    fn panel(&self, curve: &OurCurve<'_>) -> Panel {
        let groups: Vec<&Group> = curve.groups.iter().copied().filter(|group| (self.is_shown)(group)).collect();
        let layer = |(place, name): &(usize, String)| Layer {
            name: name.clone(),
            fill: Fill::of_layer(*place),
            values: groups.iter().map(|group| (self.value)(group, *place)).collect(),
        };
        let stacked = Stacked {
            categories: groups.iter().map(|group| group.configuration.threads.to_string()).collect(),
            categories_name: PROCESSORS.to_owned(),
            y: self.y.clone(),
            layers: self.layers.iter().map(layer).collect(),
        };
        Panel { title: curve.name.clone(), plot: Plot::Stacked(stacked) }
    }
}

/// Factors of the time speedup.
pub(super) fn factors(source: &Source<'_>) -> Option<Sheet> {
    let curves = curves_with(source.analysis, |group| group.against_baseline.is_some());
    let all: Vec<Vec<Series>> = curves.iter().map(factor_series).collect();
    let x = Axis::of_processors(PROCESSORS, xs(all.iter().flatten()))?;
    let y = Axis::of_values("factor", extents(all.iter().flatten()).chain([1.0]), Origin::Zero)?;
    let panel = |(curve, series): (&OurCurve<'_>, Vec<Series>)| {
        let reference = Some(Reference::Level(1.0, ""));
        let plot = Plot::Lines(Lines { x: x.clone(), y: y.clone(), series, reference });
        Panel { title: curve.name.clone(), plot }
    };
    let panels = curves.iter().zip(all).map(panel).collect();
    let caption = format!(
        "The time speedup divided by the number of processors, and the factors it is the product of: geometric means \
         relative to one processor. {}",
        intervals_caption(source.analysis)
    );
    let sheet = sheet(source, "Factors of the time speedup", &Machines::of_curves(&curves), caption);
    sheet.with_panels(panels, columns_for(curves.len()), [380.0, 280.0])
}

/// Factors of a curve, and their product with its interval.
fn factor_series(curve: &OurCurve<'_>) -> Vec<Series> {
    const NAMES: [&str; 4] = ["utilisation", "productive share", "rate of searching", "1 / nodes"];
    let values = |factors: &Factors| {
        let Factors { utilisation, productive, rate, nodes, .. } = factors;
        [utilisation.ratio, productive.ratio, rate.ratio, nodes.ratio.inverse()]
    };
    let is_virtual = curve.groups.iter().any(|group| is_virtual(group));
    let look = |place| Look::of_curve(place, is_virtual);
    let ratios = |group: &&Group| Some((processors_of(group), group.against_baseline.clone()?));
    let groups: Vec<(f64, AgainstBaseline)> = curve.groups.iter().filter_map(ratios).collect();
    let of_factor = |(place, name): (usize, &str)| {
        let points = groups.iter().filter_map(|(n, ratios)| Point::with_interval(*n, values(&ratios.factors)[place]));
        Series::new(name, look(place), points)
    };
    let product = groups.iter().filter_map(|(n, ratios)| {
        let point = Point::with_interval(*n, ratios.time_speedup)?;
        Some(Point { y: point.y / n, ends: point.ends.map(|(low, high)| (low / n, high / n)), ..point })
    });
    let product = Series::new("all: time speedup / processors", look(NAMES.len()), product);
    NAMES.into_iter().enumerate().map(of_factor).chain([product]).flatten().collect()
}

#[cfg(test)]
mod tests {
    use crate::report::published::Published;

    use super::super::super::samples;
    use super::*;

    fn figure(make: super::super::Make) -> (crate::report::analysis::Analysis, Sheet) {
        let analysis = samples::processors(&[1, 2, 4, 8], &["ybwc"], samples::VIRTUAL);
        let figure = make(&Source { analysis: &analysis, published: &Published::load().unwrap() }).unwrap();
        (analysis, figure)
    }

    #[test]
    fn layers_are_the_shares_of_the_analysis() {
        let (analysis, figure) = figure(processors);
        let Plot::Stacked(stacked) = &figure.panels[0].plot else { panic!("not stacked") };
        assert_eq!(stacked.categories, ["1", "2", "4", "8"]);
        for (place, layer) in stacked.layers.iter().enumerate() {
            let expected: Vec<f64> =
                analysis.curves[0].groups.iter().map(|&group| analysis.groups[group].means.activities[place]).collect();
            assert_eq!((layer.name.as_str(), &layer.values), (ACTIVITIES[place].0, &expected));
        }
    }

    #[test]
    fn losses_are_those_of_the_analysis_in_their_order() {
        let (analysis, figure) = figure(overhead);
        let Plot::Stacked(stacked) = &figure.panels[0].plot else { panic!("not stacked") };
        let last = &analysis.groups[*analysis.curves[0].groups.last().unwrap()];
        for ((name, _), layer) in LOSSES.iter().zip(&stacked.layers) {
            assert_eq!(layer.name, name.replace('_', " "));
            assert_eq!(layer.values.last(), last.means.losses.get(*name));
        }
        let sum: f64 = stacked.layers.iter().filter_map(|layer| layer.values.last()).sum();
        assert!(stacked.y.has(sum), "the highest bar is on the axis");
    }

    #[test]
    fn factors_multiply_to_the_speedup_that_is_drawn() {
        let (_, figure) = figure(factors);
        let Plot::Lines(lines) = &figure.panels[0].plot else { panic!("not lines") };
        let product: f64 = lines.series[..4].iter().map(|series| series.points.last().unwrap().y).product();
        let whole = lines.series[4].points.last().unwrap();
        assert!((product - whole.y).abs() < 1e-9, "{product} {}", whole.y);
        assert!(whole.ends.is_some_and(|(low, high)| low < whole.y && whole.y < high));
    }
}
