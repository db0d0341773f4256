//! Steps that follow each other: a bar a step, each beginning where another ends. The losses of a speedup are such
//! steps, from the number of processors down to the speedup.

use super::axis::Axis;
use super::canvas::{Area, Canvas};
use super::frame::Rows;
use super::point::Point;
use super::style::{Fill, GRID, INK, SMALL};
use crate::analysis::lost::Lost;

/// Height of a row, in units.
const ROW: f64 = 24.0;
/// Share of a row that its bar takes.
const BAR: f64 = 0.66;
/// Half the height of the cap of an interval, in units.
const CAP: f64 = 3.5;
/// Least width of a bar, in units: a step that took next to no time is seen all the same.
const LEAST: f64 = 1.5;
/// Largest share of a panel that the words beside bars take.
const MOST_FOR_WORDS: f64 = 0.35;
/// Distance from a bar to its words, in units.
const GAP: f64 = 7.0;

/// Panel of steps.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Waterfall {
    /// Axis from left to right.
    pub x: Axis,
    /// Steps from top to bottom.
    pub steps: Vec<Step>,
}

/// One step.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Step {
    pub name: String,
    /// Where it begins.
    pub from: f64,
    /// Where it ends, as `y`, with the interval of its length about that.
    pub to: Point,
    pub fill: Fill,
    /// Words beside the bar; empty for none.
    pub words: String,
}

impl Step {
    /// The step in another unit.
    pub fn scaled(self, by: f64) -> Self {
        let ends = self.to.ends.map(|(low, high)| (low * by, high * by));
        Self { from: self.from * by, to: Point { y: self.to.y * by, ends, ..self.to }, ..self }
    }
}

impl Waterfall {
    /// Height of the panel, in units.
    pub fn height(&self) -> f64 {
        Rows::height(self.steps.iter().map(|_| ROW))
    }

    /// Draws the panel.
    pub fn draw(&self, canvas: &mut Canvas, area: Area) {
        let named: Vec<(&str, f64)> = self.steps.iter().map(|step| (step.name.as_str(), ROW)).collect();
        let widest = self.steps.iter().map(|step| SMALL.width(&step.words)).fold(0.0, f64::max);
        let widest = widest.min(area.width() * MOST_FOR_WORDS);
        let right = if widest > 0.0 { widest + GAP } else { 10.0 };
        let rows = Rows::draw(canvas, area, &named, std::slice::from_ref(&self.x), right);
        let ruler = rows.rulers[0];
        let inside = ruler.inside;
        let half = ROW * BAR / 2.0;
        for (step, (top, height)) in self.steps.iter().zip(rows.places) {
            let middle = top + height / 2.0;
            let ends = [step.from, step.to.y].map(|end| ruler.at(end).clamp(inside.left, inside.right));
            let [left, right] = [ends[0].min(ends[1]), ends[0].max(ends[1])];
            let bar = Area { left, top: middle - half, right: right.max(left + LEAST), bottom: middle + half };
            canvas.rectangle(bar, step.fill.0);
            // A hair from where the next step begins.
            canvas.line(&[(ends[1], bar.bottom), (ends[1], middle + ROW - half)], GRID, 1.0);
            ruler.interval(canvas, &step.to, middle, CAP, (INK, 1.25));
            let beside = step.to.ends.map_or(bar.right, |(_, high)| bar.right.max(ruler.at(high).min(inside.right)));
            let room = widest.max(area.right - beside - GAP);
            canvas.text(&SMALL.shortened(&step.words, room), (beside + GAP, middle + SMALL.below_middle()), SMALL);
            let length = |value: f64| value - step.from;
            let ends = step.to.ends.map(|(low, high)| (length(low), length(high)));
            let length = Point { x: 0.0, y: length(step.to.y), ends };
            canvas.target(bar, &format!("{}; {} {}", step.name, self.x.name, length.words()));
        }
        canvas.line(&[(inside.left, inside.bottom), (inside.right, inside.bottom)], INK, 1.0);
    }

    /// Bars from the ideal, the number of processors, down to the speedup, which is the `y` of a point: one for each
    /// loss, in processors that add up.
    pub fn of_losses(ideal: f64, losses: &[Lost], speedup: Point) -> Self {
        let bar = |name: &str, from: f64, to: Point, fill: usize, words: String| Step {
            name: name.to_owned(),
            from,
            to,
            fill: Fill::of_layer(fill),
            words,
        };
        let point = |y: f64| Point { y, ..Point::default() };
        let mut steps = vec![bar("ideal", 0.0, point(ideal), 3, format!("{ideal}"))];
        let mut left = ideal;
        for Lost { cause, processors, factor, .. } in losses {
            let next = left - processors;
            let words = format!("{:+.2} (× {:.3})", next - left, factor.estimate).replace('-', "−");
            steps.push(bar(cause, left, point(next), if next > left { 4 } else { 1 }, words));
            left = next;
        }
        steps.push(bar("speedup", 0.0, speedup, 0, speedup.words()));
        let highest = steps.iter().flat_map(|step| step.to.extent()).fold(ideal, f64::max);
        let mut x = Axis { high: highest, ..Axis::linear("processors", 0.0, ideal) };
        x.ticks.retain(|tick| tick.value <= highest);
        Self { x, steps }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::charts::Column;

    #[test]
    fn long_words_leave_room_for_bars() {
        let step = |words: &str| Step { words: words.repeat(20), name: words.repeat(20), ..Step::default() };
        let waterfall = Waterfall { x: Axis::linear("%", 0.0, 1.0), steps: vec![step("many words "); 3] };
        for width in [10.0, 60.0, 150.0, 400.0] {
            let area = Area { left: 0.0, top: 0.0, right: width, bottom: waterfall.height() };
            waterfall.draw(&mut Canvas::new(Column::Single, area.bottom), area);
        }
    }
}
