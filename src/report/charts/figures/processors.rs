//! Charts of how processors spent their time: by activity, by the factors of the speedup, and what they searched that
//! need not have been searched. A panel a curve.

use crate::analysis::Group;
use crate::analysis::lost::lost;
use crate::counts::{Activity, Loss};
use crate::figures::register::{of_activity, of_loss};

use super::super::axis::Axis;
use super::super::point::Point;
use super::super::sheet::{Panel, Plot, Sheet};
use super::super::stacked::{Layer, Stacked};
use super::super::style::Fill;
use super::super::waterfall::Waterfall;
use super::curves::{
    Arranged, Machines, NO_BARS, OurCurve, arranged, columns_for, curves_with, has_speedup, on_processors, sheet,
};
use crate::Source;

/// Bar that is divided into layers.
struct Bar {
    /// Heights of all layers.
    layers: Vec<f64>,
    /// Whole that is marked, if it is a figure of its own.
    total: Option<f64>,
}

/// Time by activity.
pub(crate) fn processors(source: &Source) -> Option<Sheet> {
    let share = |group: &Group, activity| group.means.get(&of_activity(activity)).unwrap_or(f64::NAN);
    let shares = |group: &Group| Activity::ALL.iter().map(|&activity| share(group, activity)).collect::<Vec<f64>>();
    let has_activities = |group: &Group| shares(group).iter().any(|share| *share > 0.0);
    let curves = curves_with(&source.analysis, has_activities);
    let bar = |group: &Group| Bar { layers: shares(group), total: None };
    let bars = arranged(&curves, |_, group| has_activities(group).then(|| bar(group)));
    let place = Activity::Network as usize;
    let has_network = bars.1.iter().flat_map(|(_, bars)| bars).any(|(_, bar)| bar.layers[place] > 0.0);
    let names = Activity::ALL.iter().map(Activity::to_string).enumerate();
    let layers = names.filter(|(at, _)| has_network || *at != place).collect();
    let caption = "Each bar is the time of all processors, divided by activity; only search advances \
                   the answer. Arithmetic means over positions of means over runs.";
    let machines = Machines::of_curves(&curves);
    let y = Axis::shares("share of time (%)", 0.0, 1.0);
    with_bars(sheet(source, "How processors spent their time", &machines, caption), &machines, bars, layers, y)
}

/// Nodes by class of loss, in nodes of one processor, with those that no class has.
pub(crate) fn overhead(source: &Source) -> Option<Sheet> {
    let has_extra = |group: &Group| extra_nodes(group).is_some_and(|bar| bar.layers.iter().sum::<f64>() > 0.0);
    let curves = curves_with(&source.analysis, has_extra);
    let bars = arranged(&curves, |_, group| extra_nodes(group));
    let all = || bars.1.iter().flat_map(|(_, bars)| bars).map(|(_, bar)| bar);
    let totals = || all().filter_map(|bar| bar.total);
    let highest = all().map(|bar| bar.layers.iter().sum()).chain(totals()).fold(0.0, f64::max);
    let lowest = totals().fold(0.0, f64::min);
    let is_drawn = |(place, _): &(usize, String)| all().any(|bar| bar.layers[*place] > 0.0);
    let names = Loss::ALL.iter().map(|class| class.name().replace('_', " ")).chain(["not classed".to_owned()]);
    let layers = names.enumerate().filter(is_drawn).collect();
    let caption = "The mark and the number are the extra nodes of a search, in % of the nodes of one \
                   processor; the bar divides the nodes thrown away by cause, each node under the first cause that \
                   applies. Where a bar is higher than its mark, the search saved nodes elsewhere. Bars are arithmetic \
                   means over positions, marks geometric means.";
    let machines = Machines::of_curves(&curves);
    // Room for what is written above the highest bar.
    let y = Axis::shares("extra nodes (%)", lowest, highest * 1.08);
    with_bars(sheet(source, "Work thrown away: extra nodes by cause", &machines, caption), &machines, bars, layers, y)
}

/// Extra nodes of a group by class of loss, then those that no class has, as multiples of the nodes of one processor.
fn extra_nodes(group: &Group) -> Option<Bar> {
    let ratio = group.against_baseline.as_ref()?.nodes.estimate;
    let shares: Vec<Option<f64>> = Loss::ALL.iter().map(|&loss| group.means.get(&of_loss(loss))).collect();
    if !ratio.is_finite() || shares.iter().all(Option::is_none) {
        return None;
    }
    let known = |share: Option<f64>| share.filter(|share| share.is_finite() && *share > 0.0).unwrap_or(0.0);
    let mut layers: Vec<f64> = shares.into_iter().map(|share| ratio * known(share)).collect();
    let total = ratio - 1.0;
    layers.push((total - layers.iter().sum::<f64>()).max(0.0));
    Some(Bar { layers, total: Some(total) })
}

/// The chart with panels of bars, whose layers have their places among all and their names.
fn with_bars(
    sheet: Sheet,
    machines: &Machines,
    (below, all): Arranged<Bar>,
    layers: Vec<(usize, String)>,
    y: Axis,
) -> Option<Sheet> {
    let mut sheet = sheet.noting(NO_BARS);
    if machines.are_mixed() {
        // Bars cannot be hollow: names of virtual machines say so.
        sheet.notes.truncate(1);
    }
    // A bar by itself is better read in a table.
    let (shown, single): (Vec<_>, Vec<_>) = all.into_iter().partition(|(_, bars)| bars.len() > 1);
    if !single.is_empty() {
        let names: Vec<&str> = single.iter().map(|(name, _)| name.as_str()).collect();
        sheet.notes.push(format!("In the tables only (one number of processors): {}.", names.join(", ")));
    }
    let panel = |(title, bars): (String, Vec<(String, Bar)>)| {
        let layer = |(place, name): &(usize, String)| Layer {
            name: name.clone(),
            fill: Fill::of_layer(*place),
            values: bars.iter().map(|(_, bar)| bar.layers[*place]).collect(),
        };
        let stacked = Stacked {
            layers: layers.iter().map(layer).collect(),
            totals: bars.iter().filter_map(|(_, bar)| bar.total).collect(),
            categories: bars.into_iter().map(|(name, _)| name).collect(),
            categories_name: below.clone(),
            y: y.clone(),
        };
        Panel { title, plot: Plot::Stacked(stacked) }
    };
    let columns = columns_for(shown.len());
    sheet.with_panels(shown.into_iter().map(panel).collect(), columns, [360.0, 270.0])
}

/// Chart of losses: for each curve, the way from its largest number of processors down to the time speedup there, with
/// a bar for each cause.
pub(crate) fn losses(source: &Source) -> Option<Sheet> {
    let curves = curves_with(&source.analysis, has_speedup);
    let panel = |curve: &OurCurve<'_>| {
        let group = curve.groups.iter().rfind(|group| has_speedup(group))?;
        let ratios = group.against_baseline.as_ref()?;
        let threads = group.configuration.threads;
        let is_known = |point: &Point| threads > 0 && point.y > 0.0;
        let total = Point::with_interval(0.0, ratios.time_speedup).filter(is_known)?;
        let title = format!("{}, {}", curve.name, on_processors(threads));
        Some(Panel { title, plot: Plot::Waterfall(Waterfall::of_losses(f64::from(threads), &lost(ratios), total)) })
    };
    let panels: Vec<Panel> = curves.iter().filter_map(panel).collect();
    let caption = "From the number of processors, each bar takes away what is lost by one cause, in \
                   processors; in brackets is the factor by which it multiplies the speedup. A bar to the right is a \
                   gain. Factors multiply, so each loss is its share of their logarithms.";
    let (machines, columns) = (Machines::of_curves(&curves).in_panels(), columns_for(panels.len()).min(2));
    sheet(source, "Where the speedup is lost", &machines, caption).with_panels(panels, columns, [0.0; 2])
}

#[cfg(test)]
mod tests {
    use crate::analysis::Analysis;

    use super::super::super::samples;
    use super::*;

    fn figure(make: fn(&Source) -> Option<Sheet>) -> (Analysis, Sheet) {
        let source = Source::of(samples::processors(&[1, 2, 4, 8], &["ybwc"], samples::VIRTUAL));
        let figure = make(&source).unwrap();
        (source.analysis, figure)
    }

    #[test]
    fn layers_are_the_shares_of_the_analysis() {
        let (analysis, figure) = figure(processors);
        let Plot::Stacked(stacked) = &figure.panels[0].plot else { panic!("not stacked") };
        assert_eq!(stacked.categories, ["1", "2", "4", "8"]);
        // One node writes no letters.
        let drawn = Activity::ALL.iter().filter(|&&activity| activity != Activity::Network);
        assert_eq!(stacked.layers.len(), drawn.clone().count());
        for (layer, &activity) in stacked.layers.iter().zip(drawn) {
            let share = of_activity(activity);
            let shares =
                analysis.curves[0].groups.iter().map(|&group| analysis.groups[group].means.get(&share).unwrap());
            let expected: Vec<f64> = shares.collect();
            assert_eq!((layer.name.as_str(), &layer.values), (activity.name(), &expected));
        }
    }

    #[test]
    fn extra_nodes_add_up_to_the_total_that_is_marked() {
        let (analysis, figure) = figure(overhead);
        let Plot::Stacked(stacked) = &figure.panels[0].plot else { panic!("not stacked") };
        let last = &analysis.groups[*analysis.curves[0].groups.last().unwrap()];
        let ratio = last.against_baseline.as_ref().unwrap().nodes.estimate;
        let lost = |class: &Loss| last.means.get(&of_loss(*class)).unwrap();
        let drawn = Loss::ALL.iter().filter(|class| lost(class) > 0.0);
        for (class, layer) in drawn.zip(&stacked.layers) {
            assert_eq!(layer.name, class.name().replace('_', " "));
            assert_eq!(layer.values.last(), Some(&(ratio * lost(class))));
        }
        assert_eq!(stacked.layers.last().unwrap().name, "not classed");
        let sum: f64 = stacked.layers.iter().filter_map(|layer| layer.values.last()).sum();
        assert!((sum - (ratio - 1.0)).abs() < 1e-9 && stacked.totals.last() == Some(&(ratio - 1.0)), "{sum} {ratio}");
        assert!(stacked.y.has(sum), "the highest bar is on the axis");
    }

    #[test]
    fn every_class_has_a_colour_of_its_own() {
        for classes in [Loss::ALL.len() + 1, Activity::ALL.len()] {
            let fills: Vec<Fill> = (0..classes).map(Fill::of_layer).collect();
            assert!((0..classes).all(|at| !fills[..at].contains(&fills[at])), "{classes}");
        }
    }

    #[test]
    fn one_number_of_processors_has_no_axis_of_them() {
        let source = Source::of(samples::processors(&[1, 8], &["ybwc", "lazy"], samples::REAL));
        let overhead = overhead(&source).unwrap();
        let [Panel { plot: Plot::Stacked(bars), .. }] = &overhead.panels[..] else { panic!("not one panel of bars") };
        assert_eq!(
            (bars.categories.join(" "), bars.categories_name.as_str()),
            ("ybwc lazy".to_owned(), "8 processors")
        );
    }
}
