//! Lines through points with their intervals. Points stand where they belong; only the bars of intervals at the same
//! place are moved apart by a few units, so that all can be seen. Series of equal figures are one line.

use super::axis::{Axis, plain};
use super::canvas::{Area, Canvas, Place};
use super::frame::{Bottom, Frame, Ruler};
pub(super) use super::point::Point;
use super::style::{FAINT_INK, Look, REFERENCE, SHORT, SMALL};
use super::text::Align;
use crate::distinct::distinct;

/// Half the width of the cap of an interval, in units.
const CAP: f64 = 3.5;

/// Width of the line of an interval, in units.
const INTERVAL_WIDTH: f64 = 1.25;

/// Greatest distance between the bars of two series at the same place, in units.
const APART: f64 = 5.0;

/// Width over which all bars at one place are spread, in units.
const FURTHEST_BAR: f64 = 24.0;

/// Distance from the area of data to names at the ends of lines, in units.
const BEFORE_NAME: f64 = 16.0;

/// Greatest number of our lines in a panel.
pub(super) const MOST_LINES: usize = 8;

/// Between the names of curves that show the same.
const EQUAL: &str = " = ";

/// Greatest number of curves of a group in a panel.
const MOST_TOGETHER: usize = 4;

/// Greatest distance by which a name is moved from the end of its line, in units.
const FURTHEST: f64 = 26.0;

/// Panel of lines.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Lines {
    /// Axis from left to right.
    pub x: Axis,
    /// Axis from bottom to top.
    pub y: Axis,
    /// Lines, the last on top.
    pub series: Vec<Series>,
    /// Line that data are compared with.
    pub reference: Option<Reference>,
}

/// Line that data are compared with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Reference {
    /// Line y = x, where both axes are logarithmic.
    Diagonal,
    /// One value everywhere, and its name.
    Level(f64, &'static str),
}

/// Line through points.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Series {
    /// Name in the legend.
    pub name: String,
    pub look: Look,
    /// Points from left to right.
    pub points: Vec<Point>,
    /// Thin line through other points: what was fitted to this series.
    pub fit: Vec<(f64, f64)>,
}

impl Series {
    /// Series without a fit; nothing if there is no point.
    pub fn new(name: &str, look: Look, points: impl IntoIterator<Item = Point>) -> Option<Self> {
        let points: Vec<Point> = points.into_iter().collect();
        (!points.is_empty()).then(|| Self { name: name.to_owned(), look, points, fit: Vec::new() })
    }

    fn has_intervals(&self) -> bool {
        self.points.iter().any(|point| point.ends.is_some())
    }

    /// Whether the line is neither published nor behind the one that a panel is about.
    fn is_ours(&self) -> bool {
        !self.look.is_published() && !self.name.is_empty()
    }
}

/// Series of which those with equal figures are one, under both names: nothing is drawn where nothing can be seen, and
/// nothing is told apart that does not differ.
pub(super) fn merged(series: Vec<Series>) -> Vec<Series> {
    let mut merged: Vec<Series> = Vec::new();
    for one in series {
        match merged.iter_mut().find(|other| other.points == one.points && other.look.hollow == one.look.hollow) {
            Some(equal) if equal.name != one.name => equal.name = format!("{} = {}", equal.name, one.name),
            Some(_) => {}
            None => merged.push(one),
        }
    }
    merged
}

/// Values of all points along the lower axis.
pub(super) fn xs<'a>(series: impl IntoIterator<Item = &'a Series>) -> impl Iterator<Item = f64> {
    series.into_iter().flat_map(|series| series.points.iter().map(|point| point.x))
}

/// Values of all points along the upright axis, with the ends of their intervals.
pub(super) fn extents<'a>(series: impl IntoIterator<Item = &'a Series>) -> impl Iterator<Item = f64> {
    series.into_iter().flat_map(|series| series.points.iter().flat_map(Point::extent))
}

/// Names at the ends of lines: the place of the series, and the height at which its name is written.
pub(super) type Names = Vec<(usize, f64)>;

impl Lines {
    /// Area that is left of names at the ends of our lines, and these names; nothing if they would cover each other or
    /// are too long. A line that ends before the others has no name there.
    pub fn names(&self, area: Area) -> Option<(Area, Names)> {
        /// Greatest share of the width of a panel that goes to names.
        const MOST: f64 = 0.3;
        let furthest = xs(&self.series).fold(f64::NEG_INFINITY, f64::max);
        let is_at_end = |series: &Series| series.points.last().is_some_and(|point| point.x == furthest);
        let named = || self.series.iter().enumerate().filter(|(_, series)| series.is_ours() && is_at_end(series));
        let widest = named().map(|(_, series)| SMALL.width(&series.name)).fold(0.0, f64::max) + BEFORE_NAME;
        if widest > MOST * area.width() || named().next().is_none() {
            return None;
        }
        let area = Area { right: area.right - widest, ..area };
        let (inside, _) = Frame::inside(area, Bottom::Values(&self.x), &self.y);
        let ruler = Ruler::upright(&self.y, inside);
        let end = |series: &Series| ruler.at(series.points.last().map_or(f64::NAN, |point| point.y));
        let mut ends: Names = named().map(|(place, one)| (place, end(one).clamp(inside.top, inside.bottom))).collect();
        ends.sort_by(|one, other| one.1.total_cmp(&other.1));
        let names = spread(&ends.iter().map(|(_, y)| *y).collect::<Vec<_>>(), SMALL.size + 2.0);
        let is_near = names.iter().zip(&ends).all(|(name, (_, end))| (name - end).abs() <= FURTHEST);
        is_near.then(|| (area, ends.into_iter().map(|(place, _)| place).zip(names).collect()))
    }

    /// Panels of a few of our curves each, with the others behind them, if there are too many for one panel: of those
    /// whose names begin alike, if all do so in groups, else of one curve.
    pub fn multiples(self) -> Vec<(String, Self)> {
        let ours = || self.series.iter().filter(|series| series.is_ours());
        if ours().count() <= MOST_LINES {
            return vec![(String::new(), self)];
        }
        let families = distinct(ours().filter_map(|series| Some(series.name.split_once(", ")?.0)));
        let members = |family: &&str| ours().filter(|series| rest_of(&series.name, family).is_some()).count();
        let are_grouped = families.iter().map(members).all(|count| (2..=MOST_TOGETHER).contains(&count));
        if are_grouped && families.iter().map(members).sum::<usize>() == ours().count() {
            return families.iter().map(|family| ((*family).to_owned(), self.of_family(family))).collect();
        }
        let panel = |(place, one): (usize, &Series)| {
            let others = self.series.iter().enumerate().filter(|(other, _)| *other != place);
            let others = others.map(|(_, one)| if one.is_ours() { behind(one) } else { one.clone() });
            let one = Series { look: Look { colour: Look::of_curve(0, false).colour, ..one.look }, ..one.clone() };
            (one.name.clone(), Self { series: others.chain([one]).collect(), ..self.clone() })
        };
        self.series.iter().enumerate().filter(|(_, series)| series.is_ours()).map(panel).collect()
    }

    /// The curves whose names begin like this, by the rest of their names, with the others of ours behind them. A rest
    /// has the same look in every panel.
    fn of_family(&self, family: &str) -> Self {
        let first = |rest: &str| of_any_machine(rest.split(EQUAL).next().unwrap_or(rest)).to_owned();
        let rests = |series: &Series| Some(first(series.name.split_once(", ")?.1));
        let all: Vec<String> = distinct(self.series.iter().filter(|series| series.is_ours()).filter_map(rests));
        let (mut before, mut drawn) = (Vec::new(), Vec::new());
        for one in &self.series {
            match rest_of(&one.name, family).filter(|_| one.is_ours()) {
                Some(rest) => {
                    let place = all.iter().position(|other| *other == first(rest)).unwrap_or(0);
                    let look = Look::of_curve(place, one.look.hollow);
                    let equals = rest.split(EQUAL).map(|name| rest_of(name, family).unwrap_or(name));
                    drawn.push(Series { name: equals.collect::<Vec<_>>().join(EQUAL), look, ..one.clone() });
                }
                None if one.is_ours() => before.push(behind(one)),
                None => before.push(one.clone()),
            }
        }
        Self { series: before.into_iter().chain(drawn).collect(), ..self.clone() }
    }

    /// Draws the panel, with our names at the ends of lines if these are given.
    pub fn draw(&self, canvas: &mut Canvas, area: Area, names: &Names) {
        let frame = Frame::draw(canvas, area, Bottom::Values(&self.x), &self.y);
        let x = Ruler::level(&self.x, frame.inside);
        let place = |at: f64, value: f64| (x.at(at), frame.y.at(value));
        let is_inside = |at: f64, value: f64| self.x.has(at) && self.y.has(value);
        let shown = |series: &Series| -> Vec<Point> {
            series.points.iter().filter(|point| is_inside(point.x, point.y)).copied().collect()
        };
        let shown: Vec<Vec<Point>> = self.series.iter().map(shown).collect();
        let line = |points: &Vec<Point>| -> Vec<Place> { points.iter().map(|point| place(point.x, point.y)).collect() };
        let lines: Vec<Vec<Place>> = shown.iter().map(line).collect();
        self.draw_reference(canvas, &frame, place, &lines);
        for (series, line) in self.series.iter().zip(&lines) {
            canvas.curve.clone_from(&series.name);
            let Look { colour, width, dash, hollow, .. } = series.look;
            let fit = series.fit.iter().filter(|(x, y)| is_inside(*x, *y));
            let fit: Vec<Place> = fit.map(|(x, y)| place(*x, *y)).collect();
            canvas.dashed(&fit, colour, 1.0, if hollow { SHORT } else { &[] });
            canvas.dashed(line, colour, width, dash);
        }
        let all = || self.series.iter().zip(shown.iter().zip(&lines));
        for ((series, (points, line)), shift) in all().zip(self.shifts(x)) {
            canvas.curve.clone_from(&series.name);
            for (point, (x, _)) in points.iter().zip(line) {
                frame.y.interval(canvas, point, x + shift, CAP, (series.look.colour, INTERVAL_WIDTH));
            }
        }
        for (series, (points, line)) in all() {
            canvas.curve.clone_from(&series.name);
            // Points that would cover each other are smaller.
            let distances = line.windows(2).map(|pair| (pair[1].0 - pair[0].0).hypot(pair[1].1 - pair[0].1));
            let radius = distances.fold(series.look.radius, |radius, distance| radius.min(0.45 * distance).max(2.0));
            let radius = radius.min(series.look.radius);
            canvas.markers(line, Look { radius, ..series.look });
            for (point, place) in points.iter().zip(line).filter(|_| !series.name.is_empty()) {
                let (x, y) = (&self.x.name, &self.y.name);
                let words = format!("{}; {x} {}; {y} {}", series.name, plain(point.x), point.words());
                canvas.target(Area::around(*place, 8.0), &words);
            }
        }
        for (at, y) in names {
            let Series { name, look, points, .. } = &self.series[*at];
            canvas.curve.clone_from(name);
            let end = points.last().map(|point| place(point.x, point.y.clamp(self.y.low, self.y.high)));
            if let Some((x, end)) = end {
                let right = frame.inside.right + BEFORE_NAME;
                canvas.line(&[(x + look.radius + 3.0, end), (right - 4.0, *y)], look.colour, 0.75);
                canvas.text(name, (right, y + SMALL.below_middle()), SMALL);
            }
        }
        canvas.curve.clear();
    }

    /// Distances by which the bars of series are moved aside: none for one series, and never so far as to meet the next
    /// place.
    fn shifts(&self, x: Ruler<'_>) -> Vec<f64> {
        let count = self.series.iter().filter(|series| series.has_intervals()).count();
        let mut xs: Vec<f64> = xs(&self.series).collect();
        xs.sort_by(f64::total_cmp);
        xs.dedup();
        let nearest = xs.windows(2).map(|pair| x.at(pair[1]) - x.at(pair[0])).fold(f64::INFINITY, f64::min);
        let width = FURTHEST_BAR.min(0.5 * nearest);
        let step = APART.min(width / count.max(1) as f64);
        let mut places = (0..count).map(|place| (place as f64 - (count as f64 - 1.0) / 2.0) * step);
        let shift = |series: &Series| if series.has_intervals() { places.next() } else { None };
        self.series.iter().map(shift).map(Option::unwrap_or_default).collect()
    }

    fn draw_reference(
        &self,
        canvas: &mut Canvas,
        frame: &Frame<'_>,
        place: impl Fn(f64, f64) -> Place,
        lines: &[Vec<Place>],
    ) {
        match self.reference {
            None => {}
            Some(Reference::Level(value, words)) => frame.draw_level(canvas, value, words, lines),
            Some(Reference::Diagonal) => {
                let (low, high) = (self.x.low.max(self.y.low), self.x.high.min(self.y.high));
                if low >= high {
                    return;
                }
                let [from, to] = [low, high].map(|value| place(value, value));
                canvas.dashed(&[from, to], REFERENCE, 1.25, SHORT);
                // Left of the line and near its end: speedups are rarely above it.
                let y = to.1 + SMALL.size;
                let x = to.0 - (to.0 - from.0) * (y - to.1) / (from.1 - to.1).max(1.0) - 10.0;
                let text = SMALL.colour(FAINT_INK).align(Align::Right);
                let is_room = x - text.width(NO_LOSS) >= frame.inside.left;
                canvas.text(if is_room { NO_LOSS } else { "" }, (x, y), text);
            }
        }
    }
}

/// A curve behind those that a panel is about.
fn behind(series: &Series) -> Series {
    let points = series.points.iter().map(|point| Point { ends: None, ..*point }).collect();
    Series { name: String::new(), look: Look::of_background(), points, fit: Vec::new() }
}

/// What a name says after its beginning.
fn rest_of<'a>(name: &'a str, beginning: &str) -> Option<&'a str> {
    name.strip_prefix(beginning)?.strip_prefix(", ")
}

/// A name without the machine that it ends with.
fn of_any_machine(name: &str) -> &str {
    name.strip_suffix(" (real)").or_else(|| name.strip_suffix(" (virtual)")).unwrap_or(name)
}

/// Name of the line y = x.
const NO_LOSS: &str = "no loss";

/// Heights at least so far apart, each as near to its own as that allows. They ascend.
fn spread(heights: &[f64], apart: f64) -> Vec<f64> {
    // Heights less what lies before them must not descend: neighbours that do are put at their mean together.
    let mut blocks: Vec<(f64, usize)> = Vec::new();
    for (place, height) in heights.iter().enumerate() {
        let (mut mean, mut count) = (height - place as f64 * apart, 1);
        while let Some(&(before, size)) = blocks.last().filter(|(before, _)| *before > mean) {
            mean = (before * size as f64 + mean * count as f64) / (size + count) as f64;
            count += size;
            blocks.pop();
        }
        blocks.push((mean, count));
    }
    let means = blocks.into_iter().flat_map(|(mean, count)| std::iter::repeat_n(mean, count));
    means.enumerate().map(|(place, mean)| mean + place as f64 * apart).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(name: &str, values: &[f64]) -> Series {
        let point = |(place, y): (usize, &f64)| Point { x: place as f64 + 1.0, y: *y, ends: None };
        Series::new(name, Look::of_curve(0, false), values.iter().enumerate().map(point)).unwrap()
    }

    #[test]
    fn equal_figures_are_one_line_with_both_names() {
        let merged = merged(vec![series("a", &[1.0, 2.0]), series("b", &[1.0, 2.5]), series("c", &[1.0, 2.0])]);
        assert_eq!(merged.iter().map(|series| series.name.as_str()).collect::<Vec<_>>(), ["a = c", "b"]);
        let simulated = Series { look: Look::of_curve(0, true), ..series("d", &[1.0, 2.0]) };
        assert_eq!(super::merged(vec![series("a", &[1.0, 2.0]), simulated]).len(), 2, "machines stay apart");
    }

    /// Too many curves are in panels of those whose names begin alike, each rest of a name with one look.
    #[test]
    fn many_curves_are_grouped_by_the_beginnings_of_their_names() {
        let names = |families: &[&str], rests: &[&str]| -> Vec<Series> {
            let all = families.iter().flat_map(|family| rests.iter().map(move |rest| format!("{family}, {rest}")));
            all.enumerate().map(|(place, name)| series(&name, &[1.0, place as f64])).collect()
        };
        let panels = |series: Vec<Series>| {
            let (x, y) = (Axis::linear("x", 0.0, 4.0), Axis::linear("y", 0.0, 20.0));
            Lines { x, y, series, reference: None }.multiples()
        };
        let of = |one: &Series| (one.name.clone(), one.look.colour);
        let [a, b] = [0, 1].map(|place| Look::of_curve(place, false).colour);
        let grouped = panels(names(
            &["root", "ybwc", "lazy"],
            &["bitboards (real)", "mailbox (real) = lazy, bitboards (real)", "mailbox (virtual)"],
        ));
        assert_eq!(grouped.iter().map(|(title, _)| title.as_str()).collect::<Vec<_>>(), ["root", "ybwc", "lazy"]);
        let named: Vec<_> = grouped[2].1.series.iter().filter(|one| !one.name.is_empty()).map(of).collect();
        let equal = "mailbox (real) = bitboards (real)".to_owned();
        assert_eq!(named, [("bitboards (real)".into(), a), (equal, b), ("mailbox (virtual)".into(), b)]);
        assert_eq!(grouped[0].1.series.len(), 9, "the others stand behind");

        assert_eq!(panels(names(&["root"], &["1", "2", "3", "4"])).len(), 1, "few are together");
        assert_eq!(panels(names(&["root", "ybwc"], &["1", "2", "3", "4", "5"])).len(), 10, "groups are too large");
        let mut single = names(&["root", "ybwc", "lazy"], &["1", "2", "3"]);
        single.push(series("teams", &[1.0, 1.0]));
        assert_eq!(panels(single).len(), 10, "one is in no group");
    }

    #[test]
    fn names_stand_at_the_ends_of_lines_where_they_fit() {
        let lines = |all: &[(&str, &[f64])]| Lines {
            x: Axis::linear("x", 0.0, 4.0),
            y: Axis::linear("y", 0.0, 10.0),
            series: all.iter().map(|(name, values)| series(name, values)).collect(),
            reference: None,
        };
        let area = Area { left: 0.0, top: 0.0, right: 500.0, bottom: 300.0 };
        let heights = |all: &[(&str, &[f64])]| lines(all).names(area).map(|(_, names)| names);
        let apart = heights(&[("a", &[1.0, 2.0, 3.0]), ("b", &[1.0, 5.0, 9.0])]).unwrap();
        assert_eq!(apart.iter().map(|(place, _)| *place).collect::<Vec<_>>(), [1, 0], "from above");
        let near = heights(&[("a", &[1.0, 2.0, 5.0]), ("b", &[1.0, 2.0, 5.1])]).unwrap();
        assert!(near[1].1 - near[0].1 >= SMALL.size, "{near:?}");
        let crowd: Vec<(&str, &[f64])> =
            ["a", "b", "c", "d", "e"].iter().map(|name| (*name, &[5.0, 5.0][..])).collect();
        assert_eq!(heights(&crowd), None, "they are crowded");
        let early = heights(&[("a", &[1.0, 2.0, 3.0]), ("b", &[1.0, 2.0])]).unwrap();
        assert_eq!(early.iter().map(|(place, _)| *place).collect::<Vec<_>>(), [0], "one ends before");
        assert_eq!(heights(&[("a name that is longer than a quarter of it", &[1.0, 2.0])]), None);
    }

    #[test]
    fn more_than_eight_lines_are_small_multiples() {
        let lines = |count: usize| Lines {
            x: Axis::linear("x", 0.0, 4.0),
            y: Axis::linear("y", 0.0, 10.0),
            series: (0..count).map(|place| series(&place.to_string(), &[1.0, place as f64])).collect(),
            reference: None,
        };
        assert_eq!(lines(MOST_LINES).multiples().len(), 1);
        let panels = lines(MOST_LINES + 1).multiples();
        assert_eq!(panels.len(), MOST_LINES + 1);
        for (title, panel) in panels {
            let named: Vec<&str> = panel.series.iter().map(|series| series.name.as_str()).collect();
            assert_eq!(named.iter().filter(|name| !name.is_empty()).collect::<Vec<_>>(), [&title]);
        }
    }

    #[test]
    fn heights_are_spread_as_little_as_need_be() {
        assert_eq!(spread(&[0.0, 50.0], 10.0), [0.0, 50.0]);
        assert_eq!(spread(&[20.0, 20.0, 90.0], 10.0), [15.0, 25.0, 90.0]);
        assert!(spread(&[], 10.0).is_empty());
    }
}
