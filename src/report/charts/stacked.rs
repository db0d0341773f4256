//! Stacked bars: how a whole is divided, by category. Where the whole is a figure of its own, it is marked.

use super::axis::Axis;
use super::canvas::{Area, Canvas};
use super::frame::{Bottom, Frame};
use super::style::{Fill, INK, PAPER, SMALL};
use super::text::Align;

/// Share of the width of a category that its bar takes.
const BAR: f64 = 0.72;

/// Widest bar, in units.
const WIDEST: f64 = 72.0;

/// Panel of stacked bars.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Stacked {
    /// Names of the bars.
    pub categories: Vec<String>,
    /// Name of what the categories are.
    pub categories_name: String,
    /// Axis of shares from bottom to top.
    pub y: Axis,
    /// Wholes by category, written in hundredths with their sign above the bars; empty for none.
    pub totals: Vec<f64>,
    /// Layers from the lowest to the highest.
    pub layers: Vec<Layer>,
}

/// One part of every bar.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Layer {
    /// Name in the legend.
    pub name: String,
    pub fill: Fill,
    /// Heights by category. What is not a positive number is not drawn.
    pub values: Vec<f64>,
}

impl Stacked {
    /// Draws the panel.
    pub fn draw(&self, canvas: &mut Canvas, area: Area) {
        let bottom = Bottom::Categories(&self.categories, &self.categories_name);
        let frame = Frame::draw(canvas, area, bottom, &self.y);
        let slot = frame.inside.width() / self.categories.len().max(1) as f64;
        let half = (slot * BAR).min(WIDEST) / 2.0;
        for (category, name) in self.categories.iter().enumerate() {
            let middle = frame.middle_of(category, self.categories.len());
            let bar = |low: f64, high: f64| {
                let [bottom, top] = [low, high].map(|value| frame.y.at(value.min(self.y.high)));
                Area { left: middle - half, top, right: middle + half, bottom }
            };
            let mut low = 0.0;
            for layer in &self.layers {
                let value = layer.values.get(category).copied().filter(|value| value.is_finite() && *value > 0.0);
                let Some(value) = value.filter(|_| low < self.y.high) else { continue };
                draw_share(canvas, bar(low, low + value), layer, value);
                let words = format!("{name}; {} {:.1} %", layer.name, value * 100.0);
                canvas.target(bar(low, low + value), &words);
                low += value;
            }
            if let Some(&total) = self.totals.get(category).filter(|total| self.y.has(**total)) {
                let y = frame.y.at(total);
                canvas.line(&[(middle - half - 3.0, y), (middle + half + 3.0, y)], INK, 2.5);
                let words = format!("{:+.0}", total * 100.0).replace('-', "−");
                if SMALL.width(&words) <= slot {
                    let above = y.min(bar(0.0, low).top) - 5.0;
                    canvas.text(&words, (middle, above), SMALL.bold().align(Align::Center));
                }
            }
        }
    }
}

/// Draws a part of a bar, set off from the next, with its share in hundredths where there is room.
fn draw_share(canvas: &mut Canvas, bar: Area, Layer { fill, .. }: &Layer, value: f64) {
    canvas.rectangle(bar, fill.0);
    canvas.line(&[(bar.left, bar.top), (bar.right, bar.top)], PAPER, 1.0);
    let text = SMALL.colour(fill.ink()).align(Align::Center);
    // All bars of a panel are as wide, and either all have words or none.
    if bar.height() >= SMALL.size + 2.0 && bar.width() >= text.width("100") + 4.0 {
        let (x, y) = bar.centre();
        canvas.text(&format!("{:.0}", value * 100.0), (x, y + text.below_middle()), text);
    }
}
