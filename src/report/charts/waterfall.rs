//! Steps that follow each other: a bar a step, each beginning where another ends. The losses of a speedup are such
//! steps, from the number of processors down to the speedup.

use super::axis::Axis;
use super::canvas::{Area, Canvas};
use super::frame::Rows;
use super::point::Point;
use super::style::{Fill, GRID, INK, SMALL};

/// Height of a row, in units.
const ROW: f64 = 24.0;
/// Share of a row that its bar takes.
const BAR: f64 = 0.66;
/// Half the height of the cap of an interval, in units.
const CAP: f64 = 3.5;
/// Least width of a bar, in units: a step that took next to no time is seen all the same.
const LEAST: f64 = 1.5;
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

/// Share of a speedup that may be lost without a name: figures are rounded, and means of ratios are no ratios of means.
const UNNAMED: f64 = 0.005;

impl Waterfall {
    /// Height of the panel, in units.
    pub fn height(&self) -> f64 {
        Rows::height(self.steps.iter().map(|_| ROW))
    }

    /// Draws the panel.
    pub fn draw(&self, canvas: &mut Canvas, area: Area) {
        let named: Vec<(&str, f64)> = self.steps.iter().map(|step| (step.name.as_str(), ROW)).collect();
        let widest = self.steps.iter().map(|step| SMALL.width(&step.words)).fold(0.0, f64::max);
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
            canvas.text(&step.words, (beside + GAP, middle + SMALL.below_middle()), SMALL);
            let length = |value: f64| value - step.from;
            let ends = step.to.ends.map(|(low, high)| (length(low), length(high)));
            let length = Point { x: 0.0, y: length(step.to.y), ends };
            canvas.target(bar, &format!("{}; {} {}", step.name, self.x.name, length.words()));
        }
        canvas.line(&[(inside.left, inside.bottom), (inside.right, inside.bottom)], INK, 1.0);
    }

    /// Bars from the ideal, the number of processors, down to the speedup, which is the `y` of a point. Losses have
    /// names and factors by which they multiply the speedup. The logarithms of the factors add up, so each loss is its
    /// share of them: in processors, its logarithm times the logarithmic mean of both ends. The order of losses does
    /// not matter.
    pub fn of_losses(ideal: f64, mut losses: Vec<(&str, f64)>, speedup: Point) -> Self {
        losses.retain(|(_, factor)| *factor > 0.0);
        let rest = speedup.y / losses.iter().fold(ideal, |left, (_, factor)| left * factor);
        if (rest - 1.0).abs() > UNNAMED {
            losses.push(("not explained", rest));
        }
        let ratio = (ideal / speedup.y).ln();
        let mean = if ratio.abs() > 1e-9 { (ideal - speedup.y) / ratio } else { ideal };
        let bar = |name: &str, from: f64, to: Point, fill: usize, words: String| Step {
            name: name.to_owned(),
            from,
            to,
            fill: Fill::of_layer(fill),
            words,
        };
        let point = |y: f64| Point { y, ..Point::default() };
        let mut steps = vec![bar("ideal", 0.0, point(ideal), 6, format!("{ideal}"))];
        let mut left = ideal;
        for (name, factor) in losses {
            let next = left + factor.ln() * mean;
            let words = format!("{:+.2} (× {factor:.3})", next - left).replace('-', "−");
            steps.push(bar(name, left, point(next), if next > left { 3 } else { 1 }, words));
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

    #[test]
    fn losses_add_up_to_what_is_missing_in_any_order() {
        let losses = |steps: &[(&str, f64)]| {
            Waterfall::of_losses(8.0, steps.to_vec(), Point { x: 0.0, y: 3.6, ends: None }).steps
        };
        let steps = losses(&[("idle", 0.5), ("nodes", 0.9)]);
        let ends: Vec<f64> = steps.iter().map(|step| step.to.y).collect();
        assert!((ends[2] - 3.6).abs() < 1e-9 && ends[3] == 3.6, "{ends:?}");
        let other = losses(&[("nodes", 0.9), ("idle", 0.5)]);
        let length = |steps: &[Step], at: usize| steps[at].from - steps[at].to.y;
        assert!((length(&steps, 1) - length(&other, 2)).abs() < 1e-9);
        assert_eq!(losses(&[("idle", 0.5)])[2].name, "not explained");
    }
}
