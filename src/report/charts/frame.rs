//! The frame of a panel: its axes with their names, ticks and grid, and the place inside that is left for data.

use plotters::backend::DrawingBackend;

use super::ChartError;
use super::axis::{Axis, Tick};
use super::canvas::{Area, Canvas, Place};
use super::font::Align;
use super::style::{AXIS_NAME, Dash, FAINT_INK, GRID, INK, LINE, REFERENCE, SMALL};

/// The length of a tick, in units.
const TICK: f64 = 4.0;

/// Between a tick and what is written at it, in units.
const GAP: f64 = 4.0;

/// Categories' names are cut to this width where they stand upright, in units.
const LONGEST_UPRIGHT: f64 = 130.0;

/// What is along the lower side of a panel.
#[derive(Clone, Copy, Debug)]
pub enum Bottom<'a> {
    /// Values.
    Values(&'a Axis),
    /// Categories of equal width, and what they are.
    Categories(&'a [String], &'a str),
}

/// A frame that has been drawn.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// Where data go.
    pub inside: Area,
    y: &'a Axis,
}

impl<'a> Frame<'a> {
    /// Draws the frame of a panel that may fill this area.
    pub fn draw<B: DrawingBackend>(
        canvas: &mut Canvas<B>,
        area: Area,
        bottom: Bottom<'_>,
        y: &'a Axis,
    ) -> Result<Self, ChartError> {
        let widest = y.ticks.iter().map(|tick| SMALL.width(&tick.label)).fold(0.0, f64::max);
        let left = area.left + LINE + widest + GAP + TICK;
        let right = area.right - 6.0;
        let upright = match bottom {
            Bottom::Values(_) => None,
            Bottom::Categories(names, _) => Upright::for_names(names, right - left),
        };
        let names_height = upright.map_or(LINE, |upright| upright.height + GAP);
        let inside = Area { left, top: area.top + 8.0, right, bottom: area.bottom - names_height - LINE - TICK };
        let frame = Self { inside, y };
        frame.draw_y(canvas, area.left)?;
        match bottom {
            Bottom::Values(axis) => frame.draw_values(canvas, axis)?,
            Bottom::Categories(names, _) => frame.draw_categories(canvas, names, upright)?,
        }
        let name = match bottom {
            Bottom::Values(axis) => axis.name.as_str(),
            Bottom::Categories(_, name) => name,
        };
        let middle = (inside.left + inside.right) / 2.0;
        canvas.text(name, (middle, area.bottom - 5.0), AXIS_NAME.align(Align::Centre))?;
        canvas.line(&[(left, inside.top), (left, inside.bottom), (right, inside.bottom)], INK, 1.25)?;
        Ok(frame)
    }

    fn draw_y<B: DrawingBackend>(&self, canvas: &mut Canvas<B>, outer_left: f64) -> Result<(), ChartError> {
        let Area { left, right, top, bottom } = self.inside;
        let mut last = f64::INFINITY;
        for tick in &self.y.ticks {
            let y = self.height_of(tick.value);
            canvas.line(&[(left, y), (right, y)], GRID, 1.0)?;
            canvas.line(&[(left - TICK, y), (left, y)], INK, 1.25)?;
            if last - y >= SMALL.size {
                let text = SMALL.align(Align::Right);
                canvas.text(&tick.label, (left - TICK - GAP, y + text.below_middle()), text)?;
                last = y;
            }
        }
        let name = AXIS_NAME.shortened(&self.y.name, bottom - top + 60.0);
        let text = AXIS_NAME.align(Align::Centre).upward();
        canvas.text(&name, (outer_left + AXIS_NAME.size * 0.8, (top + bottom) / 2.0), text)
    }

    fn draw_values<B: DrawingBackend>(&self, canvas: &mut Canvas<B>, axis: &Axis) -> Result<(), ChartError> {
        let bottom = self.inside.bottom;
        let place = |tick: &Tick| self.place(axis, tick.value, self.y.low).0;
        for tick in &axis.ticks {
            let x = place(tick);
            canvas.line(&[(x, self.inside.top), (x, bottom)], GRID, 1.0)?;
            canvas.line(&[(x, bottom), (x, bottom + TICK)], INK, 1.25)?;
        }
        for tick in axis.ticks.iter().step_by(labelled_every(&axis.ticks, place)) {
            let y = bottom + TICK + GAP + SMALL.size * 0.8;
            canvas.text(&tick.label, (place(tick), y), SMALL.align(Align::Centre))?;
        }
        Ok(())
    }

    fn draw_categories<B: DrawingBackend>(
        &self,
        canvas: &mut Canvas<B>,
        names: &[String],
        upright: Option<Upright>,
    ) -> Result<(), ChartError> {
        let bottom = self.inside.bottom;
        let every = upright.map_or(1, |upright| upright.every);
        for (place, name) in names.iter().enumerate().step_by(every) {
            let x = self.middle_of(place, names.len());
            match upright {
                None => {
                    let y = bottom + TICK + GAP + SMALL.size * 0.8;
                    canvas.text(name, (x, y), SMALL.align(Align::Centre))?;
                }
                Some(_) => {
                    let text = SMALL.align(Align::Right).upward();
                    let name = text.shortened(name, LONGEST_UPRIGHT);
                    canvas.text(&name, (x + text.below_middle(), bottom + TICK + GAP), text)?;
                }
            }
        }
        Ok(())
    }

    /// Where a value of the upright axis is.
    pub fn height_of(&self, y: f64) -> f64 {
        self.inside.bottom - self.y.share(y) * self.inside.height()
    }

    /// Where a point is.
    pub fn place(&self, x_axis: &Axis, x: f64, y: f64) -> Place {
        (self.inside.left + x_axis.share(x) * self.inside.width(), self.height_of(y))
    }

    /// The middle of a category among so many.
    pub fn middle_of(&self, place: usize, count: usize) -> f64 {
        self.inside.left + (place as f64 + 0.5) * self.inside.width() / count.max(1) as f64
    }

    /// A line across at a value, with words at its end, if the value is on the axis.
    pub fn level<B: DrawingBackend>(&self, canvas: &mut Canvas<B>, value: f64, words: &str) -> Result<(), ChartError> {
        if !self.y.has(value) {
            return Ok(());
        }
        let y = self.height_of(value);
        let Area { left, right, .. } = self.inside;
        canvas.dashed(&[(left, y), (right, y)], REFERENCE, 1.25, Dash::Short)?;
        let text = SMALL.colour(FAINT_INK).align(Align::Right);
        // Below the line if there is room: data are more often above.
        let baseline = if y + LINE <= self.inside.bottom { y + SMALL.size } else { y - 5.0 };
        canvas.text(words, (right - 4.0, baseline), text)
    }
}

/// Every how many-th of these ticks along a line can have its label, so that none meets the next.
pub fn labelled_every(ticks: &[Tick], place: impl Fn(&Tick) -> f64) -> usize {
    let room = |tick: &Tick| (SMALL.width(&tick.label) + GAP) / 2.0;
    let is_clear = |every: &usize| {
        let shown: Vec<&Tick> = ticks.iter().step_by(*every).collect();
        shown.windows(2).all(|pair| place(pair[1]) - place(pair[0]) >= room(pair[0]) + room(pair[1]))
    };
    (1..=ticks.len()).find(is_clear).unwrap_or(1)
}

/// Names of categories that are too wide to lie.
#[derive(Clone, Copy, Debug)]
struct Upright {
    /// Every how many-th is written.
    every: usize,
    /// The length of the longest, in units.
    height: f64,
}

impl Upright {
    fn for_names(names: &[String], width: f64) -> Option<Self> {
        let slot = width / names.len().max(1) as f64;
        let widest = names.iter().map(|name| SMALL.width(name)).fold(0.0, f64::max);
        if widest + GAP <= slot {
            return None;
        }
        let every = ((SMALL.size + 1.0) / slot).ceil().max(1.0) as usize;
        Some(Self { every, height: widest.min(LONGEST_UPRIGHT) })
    }
}
