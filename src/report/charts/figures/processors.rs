//! Charts of how processors spent their time: by activity, by the factors of the speedup, and what they searched that
//! need not have been searched. A panel a curve.

use crate::analysis::{Factors, Group};
use crate::counts::{Activity, Loss};
use crate::statistics::Interval;

use super::super::axis::Axis;
use super::super::point::Point;
use super::super::sheet::{Panel, Plot, Sheet};
use super::super::stacked::{Layer, Stacked};
use super::super::style::Fill;
use super::super::waterfall::Losses;
use super::curves::{
    Arranged, Machines, NO_BARS, OurCurve, arranged, columns_for, curves_with, has_several, on_processors, sheet,
};
use crate::Source;

/// Time by activity.
pub(crate) fn processors(source: &Source) -> Option<Sheet> {
    let has_activities = |group: &Group| group.means.activities.iter().any(|share| *share > 0.0);
    let curves = curves_with(&source.analysis, has_activities);
    let all = arranged(&curves, |_, group| has_activities(group).then_some(group.means.activities));
    let bars = Bars {
        y: Axis::shares("share of time (%)", 1.0),
        layers: Activity::ALL.iter().map(Activity::to_string).enumerate().collect(),
        value: |shares: &[f64; Activity::ALL.len()], place| shares[place],
        total: None,
    };
    let caption = "Each bar is the time of all processors, divided by activity; only search advances \
                   the answer. Arithmetic means over positions of means over runs.";
    bars.chart(source, "How processors spent their time", caption, (&curves, &all))
}

/// Nodes by class of loss, in nodes of one processor, with those that no class has.
pub(crate) fn overhead(source: &Source) -> Option<Sheet> {
    let extra = |group: &Group| {
        let ratio = group.against_baseline.as_ref()?.nodes.estimate;
        (ratio.is_finite() && !group.means.losses.is_empty()).then(|| Extra::of(group, ratio))
    };
    let curves = curves_with(&source.analysis, |group| {
        extra(group).is_some_and(|extra| extra.classes.iter().sum::<f64>() > 0.0)
    });
    let all = arranged(&curves, |_, group| extra(group));
    let extras = || all.1.iter().flat_map(|(_, bars)| bars).map(|(_, extra)| extra);
    let highest = extras().map(|extra| extra.classes.iter().sum::<f64>().max(extra.total)).fold(0.0, f64::max);
    let lowest = extras().map(|extra| extra.total).fold(0.0, f64::min);
    let is_drawn = |(place, _): &(usize, String)| extras().any(|extra| extra.classes[*place] > 0.0);
    let names = Loss::ALL.iter().map(|class| class.name().replace('_', " ")).chain(["not classed".to_owned()]);
    let bars = Bars {
        // Room for what is written above the highest bar.
        y: Axis::shares_from("extra nodes (%)", lowest, highest * 1.08),
        layers: names.enumerate().filter(is_drawn).collect(),
        value: |extra: &Extra, place| extra.classes[place],
        total: Some(|extra| extra.total),
    };
    let caption = "The mark and the number are the extra nodes of a search, in % of the nodes of one \
                   processor; the bar divides the nodes thrown away by cause, each node under the first cause that \
                   applies. Where a bar is higher than its mark, the search saved nodes elsewhere. Bars are arithmetic \
                   means over positions, marks geometric means.";
    if !has_several(&all) {
        return None;
    }
    bars.chart(source, "Work thrown away: extra nodes by cause", caption, (&curves, &all))
}

/// Number of classes of extra nodes: those of losses, and none of them.
const CLASSES: usize = Loss::ALL.len() + 1;

/// Extra nodes of a group, as multiples of the nodes of one processor.
struct Extra {
    classes: [f64; CLASSES],
    total: f64,
}

impl Extra {
    fn of(group: &Group, ratio: f64) -> Self {
        let mut classes = [0.0; CLASSES];
        for (class, loss) in classes.iter_mut().zip(Loss::ALL) {
            let share = group.means.losses.get(loss.name()).copied();
            *class = ratio * share.filter(|share| share.is_finite() && *share > 0.0).unwrap_or(0.0);
        }
        let total = ratio - 1.0;
        classes[Loss::ALL.len()] = (total - classes.iter().sum::<f64>()).max(0.0);
        Self { classes, total }
    }
}

/// Bars of all curves.
struct Bars<T> {
    y: Axis,
    /// Names of the layers, by their place.
    layers: Vec<(usize, String)>,
    /// Height of the layer at a place.
    value: fn(&T, usize) -> f64,
    /// Whole that is marked.
    total: Option<fn(&T) -> f64>,
}

impl<T> Bars<T> {
    fn chart(
        self,
        source: &Source,
        title: &str,
        caption: &str,
        (curves, (below, all)): (&[OurCurve<'_>], &Arranged<T>),
    ) -> Option<Sheet> {
        // A bar by itself is better read in a table.
        let (shown, single): (Vec<_>, Vec<_>) = all.iter().partition(|(_, bars)| bars.len() > 1);
        let machines = Machines::of_curves(curves);
        let mut sheet = sheet(source, title, &machines, caption).noting(NO_BARS);
        if machines.are_mixed() {
            // Bars cannot be hollow: names of virtual machines say so.
            sheet.notes.truncate(1);
        }
        let panel = |(title, bars): &(String, Vec<(String, T)>)| {
            let layer = |(place, name): &(usize, String)| Layer {
                name: name.clone(),
                fill: Fill::of_layer(*place),
                values: bars.iter().map(|(_, bar)| (self.value)(bar, *place)).collect(),
            };
            let stacked = Stacked {
                categories: bars.iter().map(|(name, _)| name.clone()).collect(),
                categories_name: below.clone(),
                y: self.y.clone(),
                totals: self.total.map_or_else(Vec::new, |total| bars.iter().map(|(_, bar)| total(bar)).collect()),
                layers: self.layers.iter().map(layer).collect(),
            };
            Panel { title: title.clone(), plot: Plot::Stacked(stacked) }
        };
        if !single.is_empty() {
            let names: Vec<&str> = single.into_iter().map(|(name, _)| name.as_str()).collect();
            sheet.notes.push(format!("In the tables only (one number of processors): {}.", names.join(", ")));
        }
        let columns = columns_for(shown.len());
        sheet.with_panels(shown.into_iter().map(panel).collect(), columns, [360.0, 270.0])
    }
}

/// What the time speedup loses on its way from the number of processors, of the most processors of each curve.
pub(crate) fn losses(source: &Source) -> Option<Sheet> {
    let curves = curves_with(&source.analysis, |group| group.against_baseline.is_some());
    let panel = |curve: &OurCurve<'_>| {
        let group = curve.groups.iter().rfind(|group| group.against_baseline.is_some())?;
        let ratios = group.against_baseline.as_ref()?;
        let factors = LOST.into_iter().zip(values(&ratios.factors));
        let known = factors.filter(|(_, factor)| factor.estimate.is_finite() && factor.estimate > 0.0);
        let steps = known.map(|(name, factor)| (name.to_owned(), factor.estimate)).collect();
        let threads = group.configuration.threads;
        let is_known = |point: &Point| threads > 0 && point.y > 0.0;
        let total = Point::with_interval(0.0, ratios.time_speedup).filter(is_known)?;
        let title = format!("{}, {}", curve.name, on_processors(threads));
        let losses = Losses { ideal: f64::from(threads), steps, total };
        Some(Panel { title, plot: Plot::Waterfall(losses.waterfall()) })
    };
    let panels: Vec<Panel> = curves.iter().filter_map(panel).collect();
    let caption = "From the number of processors, each bar takes away what is lost by one cause, in \
                   processors; in brackets is the factor by which it multiplies the speedup. A bar to the right is a \
                   gain. Factors multiply, so each loss is its share of their logarithms.";
    let (machines, columns) = (Machines::of_curves(&curves).in_panels(), columns_for(panels.len()).min(2));
    sheet(source, "Where the speedup is lost", &machines, caption).with_panels(panels, columns, [0.0; 2])
}

/// Names of the losses that the factors are.
const LOST: [&str; 4] = ["idle", "coordination", "slower nodes", "extra nodes"];

/// Factors whose product is the efficiency.
fn values(factors: &Factors) -> [Interval; 4] {
    let Factors { utilisation, productive, rate, nodes, .. } = factors;
    [utilisation.ratio, productive.ratio, rate.ratio, nodes.ratio.inverse()]
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
        for (place, layer) in stacked.layers.iter().enumerate() {
            let expected: Vec<f64> =
                analysis.curves[0].groups.iter().map(|&group| analysis.groups[group].means.activities[place]).collect();
            assert_eq!((layer.name.as_str(), &layer.values), (Activity::NAMES[place], &expected));
        }
    }

    #[test]
    fn extra_nodes_add_up_to_the_total_that_is_marked() {
        let (analysis, figure) = figure(overhead);
        let Plot::Stacked(stacked) = &figure.panels[0].plot else { panic!("not stacked") };
        let last = &analysis.groups[*analysis.curves[0].groups.last().unwrap()];
        let ratio = last.against_baseline.as_ref().unwrap().nodes.estimate;
        let drawn = Loss::NAMES.iter().filter(|name| last.means.losses[**name] > 0.0);
        for (name, layer) in drawn.zip(&stacked.layers) {
            assert_eq!(layer.name, name.replace('_', " "));
            assert_eq!(layer.values.last(), Some(&(ratio * last.means.losses[*name])));
        }
        assert_eq!(stacked.layers.last().unwrap().name, "not classed");
        let sum: f64 = stacked.layers.iter().filter_map(|layer| layer.values.last()).sum();
        assert!((sum - (ratio - 1.0)).abs() < 1e-9 && stacked.totals.last() == Some(&(ratio - 1.0)), "{sum} {ratio}");
        assert!(stacked.y.has(sum), "the highest bar is on the axis");
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
