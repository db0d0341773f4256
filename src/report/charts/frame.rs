//! Frame of a panel: its axes with their names, ticks and grid around the area that is left for data.

use super::axis::{Axis, Tick};
use super::canvas::{Area, Canvas, Place};
use super::palette::Colour;
use super::point::Point;
use super::style::{FAINT_INK, GRID, INK, LINE, REFERENCE, SHORT, SMALL, TICK_TEXT};
use super::text::Align;

/// Distance from an axis to its labels, in units.
const GAP: f64 = 7.0;

/// Length by which the name of an upright axis may be longer than it at either end, in units.
const MARGIN_OF_NAME: f64 = 12.0;

/// Width to which names of categories are cut where they stand upright, in units.
const LONGEST_UPRIGHT: f64 = 130.0;

/// Height of the labels and the name of an axis of values below a panel, in units.
const BELOW_VALUES: f64 = 2.0 * LINE + 6.0;

/// Axis laid along one side of an area.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ruler<'a> {
    pub axis: &'a Axis,
    /// Area for data beside it.
    pub inside: Area,
    is_upright: bool,
}

/// Lower side of a panel.
#[derive(Clone, Copy, Debug)]
pub(super) enum Bottom<'a> {
    Values(&'a Axis),
    /// Names of categories of equal width, and what the categories are.
    Categories(&'a [String], &'a str),
}

/// Frame that has been drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame<'a> {
    /// Area for data.
    pub inside: Area,
    /// Upright axis.
    pub y: Ruler<'a>,
}

impl<'a> Ruler<'a> {
    /// Axis from left to right.
    pub fn level(axis: &'a Axis, inside: Area) -> Self {
        Self { axis, inside, is_upright: false }
    }

    /// Axis from bottom to top.
    pub fn upright(axis: &'a Axis, inside: Area) -> Self {
        Self { axis, inside, is_upright: true }
    }

    /// Coordinate of a value.
    pub fn at(&self, value: f64) -> f64 {
        let (from, to) = self.ends();
        from + self.axis.share(value) * (to - from)
    }

    fn ends(&self) -> (f64, f64) {
        let Area { left, top, right, bottom } = self.inside;
        if self.is_upright { (bottom, top) } else { (left, right) }
    }

    /// Draws the interval of a point whose place across the axis is given, its ends with caps. An end that is not on
    /// the axis has none.
    pub fn interval(&self, canvas: &mut Canvas, point: &Point, across: f64, cap: f64, (colour, width): (Colour, f64)) {
        let place = |along: f64, across: f64| if self.is_upright { (across, along) } else { (along, across) };
        let (Some((low, high)), (from, to)) = (point.ends, self.ends()) else { return };
        let end = |value, edge| if self.axis.has(value) { self.at(value) } else { edge };
        let ends = [(low, end(low, from)), (high, end(high, to))];
        canvas.line(&ends.map(|(_, at)| place(at, across)), colour, width);
        for (_, at) in ends.into_iter().filter(|(value, _)| self.axis.has(*value)) {
            canvas.line(&[place(at, across - cap), place(at, across + cap)], colour, width);
        }
    }

    /// Draws grid, labels and name of an axis below an area.
    pub fn draw_below(&self, canvas: &mut Canvas) {
        let Area { top, bottom, .. } = self.inside;
        for tick in &self.axis.ticks {
            let x = self.at(tick.value);
            canvas.line(&[(x, top), (x, bottom)], GRID, 1.0);
        }
        for tick in self.axis.ticks.iter().step_by(self.labelled_every()) {
            canvas.text(&tick.label, (self.at(tick.value), label_below(bottom)), TICK_TEXT.align(Align::Center));
        }
        let name = SMALL.shortened(&self.axis.name, self.inside.width() + 2.0 * MARGIN_OF_NAME);
        canvas.text(&name, (self.inside.centre().0, bottom + BELOW_VALUES - 6.0), SMALL.align(Align::Center));
    }

    /// Least number such that of the ticks only every so many-th has a label and no label meets the next.
    fn labelled_every(&self) -> usize {
        let room = |tick: &Tick| SMALL.width(&tick.label) / 2.0 + GAP / 2.0;
        let is_clear = |every: &usize| {
            let shown: Vec<&Tick> = self.axis.ticks.iter().step_by(*every).collect();
            let distance = |pair: &[&Tick]| self.at(pair[1].value) - self.at(pair[0].value);
            shown.windows(2).all(|pair| distance(pair) >= room(pair[0]) + room(pair[1]))
        };
        (1..=self.axis.ticks.len()).find(is_clear).unwrap_or(1)
    }
}

impl<'a> Frame<'a> {
    /// Area that is left for data in a panel that may fill an area, and the layout of upright names below it.
    pub fn inside(area: Area, bottom: Bottom<'_>, y: &Axis) -> (Area, Option<(usize, f64)>) {
        let widest = y.ticks.iter().map(|tick| SMALL.width(&tick.label)).fold(0.0, f64::max);
        let left = area.left + LINE + widest + GAP;
        let (right, upright) = match bottom {
            Bottom::Values(x) => (area.right - beyond(x, area.right - left), None),
            Bottom::Categories(names, _) => (area.right, upright(names, area.right - left)),
        };
        let below = upright.map_or(BELOW_VALUES, |(_, height)| height + GAP + LINE + 4.0);
        (Area { left, top: area.top + 8.0, right, bottom: area.bottom - below }, upright)
    }

    /// Draws the frame of a panel that may fill this area.
    pub fn draw(canvas: &mut Canvas, area: Area, bottom: Bottom<'_>, y: &'a Axis) -> Self {
        let (inside, upright) = Self::inside(area, bottom, y);
        let frame = Self { inside, y: Ruler::upright(y, inside) };
        frame.draw_y(canvas, area.left);
        match bottom {
            Bottom::Values(axis) => Ruler::level(axis, inside).draw_below(canvas),
            Bottom::Categories(names, name) => {
                frame.draw_categories(canvas, names, upright.map(|(every, _)| every));
                let name = SMALL.shortened(name, area.width());
                canvas.text(&name, (inside.centre().0, area.bottom - 6.0), SMALL.align(Align::Center));
            }
        }
        canvas.line(&[(inside.left, inside.bottom), (inside.right, inside.bottom)], INK, 1.0);
        frame
    }

    fn draw_y(&self, canvas: &mut Canvas, outer_left: f64) {
        let Area { left, right, top, bottom } = self.inside;
        let mut last = f64::INFINITY;
        for tick in &self.y.axis.ticks {
            let y = self.y.at(tick.value);
            canvas.line(&[(left, y), (right, y)], GRID, 1.0);
            if last - y >= SMALL.size {
                let text = TICK_TEXT.align(Align::Right);
                canvas.text(&tick.label, (left - GAP, y + text.below_middle()), text);
                last = y;
            }
        }
        let room = bottom - top + 2.0 * MARGIN_OF_NAME;
        let text = SMALL.smaller(&self.y.axis.name, room);
        let place = (outer_left + SMALL.size * 0.8, self.inside.centre().1);
        canvas.text(&text.shortened(&self.y.axis.name, room), place, text.align(Align::Center).upward());
    }

    fn draw_categories(&self, canvas: &mut Canvas, names: &[String], upright: Option<usize>) {
        let bottom = self.inside.bottom;
        let width = if upright.is_some() { LONGEST_UPRIGHT } else { f64::INFINITY };
        let short = SMALL.shortened_apart(&names.iter().map(String::as_str).collect::<Vec<_>>(), width);
        for (place, name) in short.iter().enumerate().step_by(upright.unwrap_or(1)) {
            let x = self.middle_of(place, names.len());
            match upright {
                None => canvas.text(name, (x, label_below(bottom)), TICK_TEXT.align(Align::Center)),
                Some(_) => {
                    let text = TICK_TEXT.align(Align::Right).upward();
                    canvas.text(name, (x + text.below_middle(), bottom + GAP), text);
                }
            }
        }
    }

    /// Middle of one of `count` categories.
    pub fn middle_of(&self, place: usize, count: usize) -> f64 {
        self.inside.left + (place as f64 + 0.5) * self.inside.width() / count.max(1) as f64
    }

    /// Draws a line across at a value, if the value is on the axis, with words where they cover least of these lines.
    pub fn draw_level(&self, canvas: &mut Canvas, value: f64, words: &str, lines: &[Vec<Place>]) {
        /// Places of a line's segment that are looked at.
        const LOOKED_AT: u32 = 24;
        if !self.y.axis.has(value) {
            return;
        }
        let y = self.y.at(value);
        let Area { left, right, .. } = self.inside;
        canvas.dashed(&[(left, y), (right, y)], REFERENCE, 1.25, SHORT);
        let width = SMALL.width(words);
        let ends = [left + 6.0, right - 6.0 - width];
        let spots = ends.into_iter().flat_map(|x| [(x, y + SMALL.size), (x, y - 5.0)]);
        let segments = || lines.iter().flat_map(|line| line.windows(2));
        let along = |ends: &[Place]| {
            let [(x, y), (to_x, to_y)] = [ends[0], ends[1]];
            let share = move |step| f64::from(step) / f64::from(LOOKED_AT);
            (0..=LOOKED_AT).map(move |step| (x + (to_x - x) * share(step), y + (to_y - y) * share(step)))
        };
        let covered = |&(x, baseline): &Place| {
            let spot = Area { left: x, top: baseline - SMALL.size, right: x + width, bottom: baseline + 4.0 };
            segments().flat_map(along).filter(|place| spot.has(*place)).count()
        };
        let has_room = |&(_, baseline): &Place| baseline + LINE - SMALL.size <= self.inside.bottom;
        if let Some(spot) = spots.filter(has_room).min_by_key(covered) {
            canvas.text(words, spot, SMALL.colour(FAINT_INK));
        }
    }
}

/// Room that an axis below a panel of this width needs at its right for the half of a label beyond its end.
fn beyond(axis: &Axis, width: f64) -> f64 {
    let end = |tick: &Tick| SMALL.width(&tick.label) / 2.0 - (1.0 - axis.share(tick.value)) * width;
    axis.ticks.iter().map(end).fold(6.0, f64::max)
}

/// Height that names of categories take below a panel of this width, beyond a line.
pub(super) fn height_of_upright(names: &[String], y: &Axis, width: f64) -> f64 {
    let area = Area { left: 0.0, top: 0.0, right: width, bottom: width };
    let (_, upright) = Frame::inside(area, Bottom::Categories(names, ""), y);
    upright.map_or(0.0, |(_, height)| height + GAP - LINE)
}

/// Baseline of a label below an area.
fn label_below(bottom: f64) -> f64 {
    bottom + GAP + SMALL.size * 0.8
}

/// Layout of names that do not fit in this width side by side and stand upright: every so many-th is written, and the
/// longest is so many units long.
fn upright(names: &[String], width: f64) -> Option<(usize, f64)> {
    let slot = width / names.len().max(1) as f64;
    let widest = names.iter().map(|name| SMALL.width(name)).fold(0.0, f64::max);
    let every = ((SMALL.size + 1.0) / slot).ceil().max(1.0) as usize;
    (widest + GAP > slot).then(|| (every, widest.min(LONGEST_UPRIGHT)))
}

/// Rows with names at their left, and axes of values below them, beside each other.
pub(super) struct Rows<'a> {
    pub rulers: Vec<Ruler<'a>>,
    /// Tops of the rows with their heights, from top to bottom.
    pub places: Vec<(f64, f64)>,
}

impl<'a> Rows<'a> {
    /// Room above the rows, in units.
    const ABOVE: f64 = 8.0;
    /// Distance between two axes, in units.
    const BETWEEN: f64 = 36.0;
    /// Width to which names of rows are cut, in units, and as a share of the panel.
    const LONGEST_NAME: f64 = 300.0;
    const MOST_FOR_NAMES: f64 = 0.45;
    /// Least width of an axis, in units.
    const LEAST: f64 = 24.0;

    /// Height of a panel of rows of these heights, in units.
    pub fn height(rows: impl Iterator<Item = f64>) -> f64 {
        rows.sum::<f64>() + Self::ABOVE + BELOW_VALUES
    }

    /// Draws names and axes, which leave some room at their right.
    pub fn draw(canvas: &mut Canvas, area: Area, rows: &[(&str, f64)], axes: &'a [Axis], right: f64) -> Self {
        let names: Vec<&str> = rows.iter().map(|(name, _)| *name).collect();
        let widest = names.iter().map(|name| SMALL.width(name)).fold(0.0, f64::max);
        let widest = widest.min(Self::LONGEST_NAME).min(area.width() * Self::MOST_FOR_NAMES);
        let (left, top, bottom) = (area.left + widest + 12.0, area.top + Self::ABOVE, area.bottom - BELOW_VALUES);
        let count = axes.len().max(1) as f64;
        let room = axes.last().map_or(0.0, |axis| beyond(axis, area.right - left)).max(right);
        let width = (area.right - room - left - Self::BETWEEN * (count - 1.0)) / count;
        // Where words leave no room, the bars go over them: an axis must not end before it begins.
        let width = width.max(Self::LEAST);
        let ruler = |(number, axis): (usize, &'a Axis)| {
            let left = left + number as f64 * (width + Self::BETWEEN);
            Ruler::level(axis, Area { left, top, right: left + width, bottom })
        };
        let rulers: Vec<Ruler<'a>> = axes.iter().enumerate().map(ruler).collect();
        rulers.iter().for_each(|ruler| ruler.draw_below(canvas));
        let mut next = top;
        let mut places = Vec::new();
        for ((_, height), name) in rows.iter().zip(SMALL.shortened_apart(&names, widest)) {
            let place: Place = (left - 8.0, next + height / 2.0 + SMALL.below_middle());
            canvas.text(&name, place, SMALL.align(Align::Right));
            places.push((next, *height));
            next += height;
        }
        Self { rulers, places }
    }
}
