//! Steps that follow each other: a bar a step, each beginning where another ends.

use super::axis::Axis;
use super::canvas::{Area, Canvas};
use super::font::Align;
use super::frame::{BELOW_VALUES, Ruler};
use super::lines::Point;
use super::style::{Fill, INK, SMALL};

/// Height of a row, in units.
const ROW: f64 = 22.0;
/// Share of a row that its bar takes.
const BAR: f64 = 0.62;
/// Room above the rows, in units.
const ABOVE: f64 = 8.0;
/// Room below the rows, for the ticks and the name of the axis, in units.
const BELOW: f64 = BELOW_VALUES + 4.0;
/// Half the height of the cap of an interval, in units.
const CAP: f64 = 3.5;
/// Least width of a bar, in units: a step that took next to no time is seen all the same.
const LEAST: f64 = 1.5;

/// Panel of steps.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Waterfall {
    /// Axis from left to right.
    pub x: Axis,
    /// Steps from top to bottom.
    pub steps: Vec<Step>,
}

/// One step.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Step {
    pub name: String,
    /// Where it begins.
    pub from: f64,
    /// Where it ends, as `y`, with the interval of its length about that.
    pub to: Point,
    pub fill: Fill,
}

impl Waterfall {
    /// Height of the panel, in units.
    pub fn height(&self) -> f64 {
        self.steps.len() as f64 * ROW + ABOVE + BELOW
    }

    /// Draws the panel.
    pub fn draw(&self, canvas: &mut Canvas, area: Area) {
        let widest = self.steps.iter().map(|step| SMALL.width(&step.name)).fold(0.0, f64::max);
        let (left, top) = (area.left + widest + 12.0, area.top + ABOVE);
        let inside = Area { left, top, right: area.right - 10.0, bottom: area.bottom - BELOW };
        let ruler = Ruler::level(&self.x, inside);
        ruler.draw_below(canvas);
        for (place, step) in self.steps.iter().enumerate() {
            let middle = top + (place as f64 + 0.5) * ROW;
            canvas.text(&step.name, (left - 8.0, middle + SMALL.below_middle()), SMALL.align(Align::Right));
            let (from, to) = (ruler.at(step.from), ruler.at(step.to.y).min(inside.right));
            let half = ROW * BAR / 2.0;
            let bar = Area { left: from, top: middle - half, right: to.max(from + LEAST), bottom: middle + half };
            canvas.filled(&[bar], step.fill);
            ruler.interval(canvas, &step.to, middle, CAP, (INK, 1.25));
        }
        canvas.line(&[(inside.left, inside.bottom), (inside.right, inside.bottom)], INK, 1.25);
    }
}
