//! Where the processors went: their time by activity, the factors of the speedup, and the nodes that need not have been
//! searched. A panel a curve.

use crate::report::analysis::{ACTIVITIES, Group};

use super::super::axis::{Axis, Origin};
use super::super::lines::{Lines, Point, Reference, Series};
use super::super::sheet::{Panel, Plot, Sheet};
use super::super::stacked::{Layer, Stacked};
use super::super::style::{Fill, Look};
use super::curves::{
    Machines, OurCurve, PROCESSORS, curves, intervals_caption, is_virtual, legend_of, limited, processors_of, subtitle,
};
use super::{Figure, Source};

/// Classes of loss in the order in which a node is given to one, with their names in words.
const LOSSES: [(&str, &str); 6] = [
    ("aborted", "aborted"),
    ("useless", "useless"),
    ("stale_window", "stale window"),
    ("repeat", "repeat"),
    ("duplicate", "duplicate"),
    ("beyond", "beyond"),
];

/// Time by activity.
pub fn processors(source: &Source<'_>) -> Option<Figure> {
    let curves: Vec<OurCurve<'_>> = curves(source.analysis)
        .into_iter()
        .filter(|curve| curve.groups.iter().any(|group| has_activities(group)))
        .collect();
    let panel = |curve: &OurCurve<'_>| {
        let groups: Vec<&Group> = curve.groups.iter().copied().filter(|group| has_activities(group)).collect();
        let layers = ACTIVITIES.iter().enumerate().map(|(place, name)| Layer {
            name: (*name).to_owned(),
            fill: Fill::of_layer(place),
            values: groups.iter().map(|group| group.means.activities[place]).collect(),
        });
        stacked_panel(curve, &groups, Axis::shares("share of time (%)"), layers.collect())
    };
    let panels: Vec<Panel> = curves.iter().map(panel).collect();
    let caption =
        "What all processors spent their time on, by number of processors: arithmetic means over positions of \
                   means over runs, without intervals."
            .to_owned();
    stacked_figure(source, "Where the processors went", caption, &curves, panels)
}

/// Nodes by class of loss.
pub fn overhead(source: &Source<'_>) -> Option<Figure> {
    let curves: Vec<OurCurve<'_>> = curves(source.analysis)
        .into_iter()
        .filter(|curve| curve.groups.iter().any(|group| has_losses(group)))
        .collect();
    let largest = curves
        .iter()
        .flat_map(|curve| &curve.groups)
        .map(|group| LOSSES.iter().map(|(name, _)| loss(group, name)).sum::<f64>())
        .fold(0.0, f64::max);
    let axis = || Axis {
        ticks: hundredths(&Axis::linear("", 0.0, largest)),
        ..Axis::linear("share of nodes (%)", 0.0, largest)
    };
    let panel = |curve: &OurCurve<'_>| {
        let groups: Vec<&Group> = curve.groups.iter().copied().filter(|group| !group.means.losses.is_empty()).collect();
        let layers = LOSSES.iter().enumerate().map(|(place, (name, words))| Layer {
            name: (*words).to_owned(),
            fill: Fill::of_layer(place),
            values: groups.iter().map(|group| loss(group, name)).collect(),
        });
        let layers = layers.filter(|layer| is_drawn(&curves, &layer.name)).collect();
        stacked_panel(curve, &groups, axis(), layers)
    };
    let panels: Vec<Panel> = curves.iter().map(panel).collect();
    let caption = "Nodes that need not have been searched, as shares of all nodes, by number of processors: each node \
                   belongs to the first class that applies; arithmetic means over positions, without intervals."
        .to_owned();
    stacked_figure(source, "What the search overhead is made of", caption, &curves, panels)
}

/// Factors of the time speedup.
pub fn factors(source: &Source<'_>) -> Option<Figure> {
    let curves: Vec<OurCurve<'_>> = curves(source.analysis)
        .into_iter()
        .filter(|curve| curve.groups.iter().any(|group| group.against_baseline.is_some()))
        .collect();
    let all: Vec<Vec<Series>> = curves.iter().map(factor_series).collect();
    let points = || all.iter().flatten().flat_map(|series| series.points.iter());
    let x = Axis::of_processors(PROCESSORS, points().map(|point| point.x))?;
    let values = points().flat_map(Point::extent).chain([1.0]);
    let y = Axis::of_values("factor", values, Origin::Zero)?;
    let machines = Machines::of_curves(&curves);
    let legend = legend_of(all.iter().flatten().map(Series::entry));
    let columns = columns_for(curves.len());
    let panels = curves.iter().zip(all).map(|(curve, series)| Panel {
        title: curve.name.clone(),
        plot: Plot::Lines(Lines { x: x.clone(), y: y.clone(), series, reference: Some(Reference::Level(1.0, "")) }),
    });
    let (panels, notes) = limited(panels.collect(), columns);
    let caption = format!(
        "The time speedup divided by the number of processors, and the factors it is the product of: geometric means \
         relative to one processor. {} Factors are shown without.{}",
        intervals_caption(source.analysis),
        machines.caption()
    );
    let sheet = Sheet {
        title: "Factors of the time speedup".to_owned(),
        subtitle: subtitle(source.analysis),
        mark: machines.mark(false),
        columns,
        panel_height: if columns == 1 { 380.0 } else { 280.0 },
        panels,
        legend,
        notes,
    };
    Some(Figure { caption, sheet })
}

/// Each factor of a curve, and their product with its interval.
fn factor_series(curve: &OurCurve<'_>) -> Vec<Series> {
    let is_virtual = curve.groups.iter().any(|group| is_virtual(group));
    let series = |place: usize, name: &str, point: fn(&Group) -> Option<Point>| Series {
        name: name.to_owned(),
        look: Look::of_curve(place, is_virtual),
        points: curve.groups.iter().filter_map(|group| point(group)).collect(),
        fit: Vec::new(),
    };
    vec![
        series(0, "utilisation", |group| factor(group, |factors| factors.utilisation)),
        series(1, "productive share", |group| factor(group, |factors| factors.productive)),
        series(2, "rate of searching", |group| factor(group, |factors| factors.rate)),
        series(3, "1 / nodes", |group| factor(group, |factors| 1.0 / factors.nodes)),
        series(4, "all: time speedup / processors", |group| {
            let n = processors_of(group);
            let point = Point::with_interval(n, group.against_baseline.as_ref()?.time_speedup)?;
            Some(Point { y: point.y / n, ends: point.ends.map(|(low, high)| (low / n, high / n)), ..point })
        }),
    ]
}

fn factor(group: &Group, of: fn(&crate::report::analysis::Factors) -> f64) -> Option<Point> {
    let ratios = group.against_baseline.as_ref()?;
    Point::plain(processors_of(group), of(&ratios.factors))
}

fn has_activities(group: &Group) -> bool {
    group.means.activities.iter().any(|share| *share > 0.0)
}

fn has_losses(group: &Group) -> bool {
    LOSSES.iter().any(|(name, _)| loss(group, name) > 0.0)
}

/// The share of a class of loss; none is as little as nothing.
fn loss(group: &Group, name: &str) -> f64 {
    group.means.losses.get(name).copied().filter(|share| share.is_finite() && *share > 0.0).unwrap_or(0.0)
}

fn is_drawn(curves: &[OurCurve<'_>], words: &str) -> bool {
    let Some((name, _)) = LOSSES.iter().find(|(_, other)| *other == words) else { return false };
    curves.iter().flat_map(|curve| &curve.groups).any(|group| loss(group, name) > 0.0)
}

fn hundredths(axis: &Axis) -> Vec<super::super::axis::Tick> {
    let percent = Axis::linear("", axis.low * 100.0, axis.high * 100.0);
    percent.ticks.into_iter().map(|tick| super::super::axis::Tick { value: tick.value / 100.0, ..tick }).collect()
}

fn stacked_panel(curve: &OurCurve<'_>, groups: &[&Group], y: Axis, layers: Vec<Layer>) -> Panel {
    let categories = groups.iter().map(|group| group.configuration.threads.to_string()).collect();
    let plot = Plot::Stacked(Stacked { categories, categories_name: PROCESSORS.to_owned(), y, layers });
    Panel { title: curve.name.clone(), plot }
}

fn stacked_figure(
    source: &Source<'_>,
    title: &str,
    mut caption: String,
    curves: &[OurCurve<'_>],
    panels: Vec<Panel>,
) -> Option<Figure> {
    if panels.is_empty() {
        return None;
    }
    let entries = panels.iter().flat_map(|panel| match &panel.plot {
        Plot::Stacked(stacked) => stacked.layers.iter().map(Layer::entry).collect(),
        Plot::Lines(_) | Plot::Strips(_) | Plot::Forest(_) => Vec::new(),
    });
    let legend = legend_of(entries);
    let machines = Machines::of_curves(curves);
    // Bars cannot be hollow: panels of virtual machines are named so.
    caption.push_str(if machines.are_mixed() {
        " Panels named virtual are of a virtual machine, the others of a real one."
    } else {
        machines.caption()
    });
    let columns = columns_for(panels.len());
    let (panels, notes) = limited(panels, columns);
    let sheet = Sheet {
        title: title.to_owned(),
        subtitle: subtitle(source.analysis),
        mark: machines.mark(false),
        columns,
        panel_height: if columns == 1 { 360.0 } else { 270.0 },
        panels,
        legend,
        notes,
    };
    Some(Figure { caption, sheet })
}

/// How many panels stand beside each other.
pub fn columns_for(panels: usize) -> usize {
    match panels {
        0 | 1 => 1,
        2..=8 => 2,
        _ => 3,
    }
}

#[cfg(test)]
mod tests {
    use crate::report::published::Published;

    use super::super::super::samples;
    use super::*;

    fn figure(make: super::super::Make) -> (crate::report::analysis::Analysis, Figure) {
        let analysis = samples::processors(&[1, 2, 4, 8], &["ybwc"], samples::VIRTUAL);
        let figure = make(&Source { analysis: &analysis, published: &Published::load().unwrap() }).unwrap();
        (analysis, figure)
    }

    #[test]
    fn layers_are_the_shares_of_the_analysis() {
        let (analysis, figure) = figure(processors);
        let Plot::Stacked(stacked) = &figure.sheet.panels[0].plot else { panic!("not stacked") };
        assert_eq!(stacked.categories, ["1", "2", "4", "8"]);
        for (place, layer) in stacked.layers.iter().enumerate() {
            let expected: Vec<f64> =
                analysis.curves[0].groups.iter().map(|&group| analysis.groups[group].means.activities[place]).collect();
            assert_eq!((layer.name.as_str(), &layer.values), (ACTIVITIES[place], &expected));
        }
    }

    #[test]
    fn losses_are_those_of_the_analysis_in_their_order() {
        let (analysis, figure) = figure(overhead);
        let Plot::Stacked(stacked) = &figure.sheet.panels[0].plot else { panic!("not stacked") };
        let last = &analysis.groups[*analysis.curves[0].groups.last().unwrap()];
        for ((name, words), layer) in LOSSES.iter().zip(&stacked.layers) {
            assert_eq!(layer.name, *words);
            assert_eq!(layer.values.last(), last.means.losses.get(*name));
        }
        let sum: f64 = stacked.layers.iter().filter_map(|layer| layer.values.last()).sum();
        assert!(stacked.y.has(sum), "the highest bar is on the axis");
    }

    #[test]
    fn factors_multiply_to_the_speedup_that_is_drawn() {
        let (_, figure) = figure(factors);
        let Plot::Lines(lines) = &figure.sheet.panels[0].plot else { panic!("not lines") };
        let product: f64 = lines.series[..4].iter().map(|series| series.points.last().unwrap().y).product();
        let whole = lines.series[4].points.last().unwrap();
        assert!((product - whole.y).abs() < 1e-9, "{product} {}", whole.y);
        assert!(whole.ends.is_some_and(|(low, high)| low < whole.y && whole.y < high));
    }
}
