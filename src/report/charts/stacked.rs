//! Stacked bars: how a whole is divided, by category. Where the whole is a figure of its own, it is marked.

use super::axis::Axis;
use super::canvas::{Area, Canvas};
use super::font::Align;
use super::frame::{Bottom, Frame};
use super::style::{Fill, Hatch, INK, PAPER, SMALL};

/// Share of the width of a category that its bar takes.
const BAR: f64 = 0.76;

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
        let count = self.categories.len();
        let half = frame.inside.width() / count.max(1) as f64 * BAR / 2.0;
        let slot = frame.inside.width() / count.max(1) as f64;
        // Layer by layer, since neighbours of the same style make the smaller files.
        let mut lows = vec![0.0; count];
        let mut shares: Vec<(Area, Fill, f64)> = Vec::new();
        for layer in &self.layers {
            let mut bars = Vec::new();
            for (category, low) in lows.iter_mut().enumerate() {
                let value = layer.values.get(category).copied().filter(|value| value.is_finite() && *value > 0.0);
                let (middle, high) = (frame.middle_of(category, count), *low + value.unwrap_or(0.0));
                if let Some(value) = value
                    && *low < self.y.high
                {
                    let (bottom, top) = (frame.y.at(*low), frame.y.at(high.min(self.y.high)));
                    let bar = Area { left: middle - half, top, right: middle + half, bottom };
                    bars.push(bar);
                    shares.push((bar, layer.fill, value));
                }
                *low = high;
            }
            canvas.filled(&bars, layer.fill);
        }
        shares.into_iter().for_each(|(bar, fill, value)| write_share(canvas, bar, fill, value));
        for (category, low) in lows.into_iter().enumerate() {
            if let Some(&total) = self.totals.get(category).filter(|total| self.y.has(**total)) {
                let (middle, y) = (frame.middle_of(category, count), frame.y.at(total));
                canvas.line(&[(middle - half - 3.0, y), (middle + half + 3.0, y)], INK, 2.5);
                let words = format!("{:+.0}", total * 100.0).replace('-', "−");
                if SMALL.width(&words) <= slot {
                    let above = y.min(frame.y.at(low.min(self.y.high))) - 5.0;
                    canvas.text(&words, (middle, above), SMALL.bold().align(Align::Center));
                }
            }
        }
    }
}

/// Writes the share in hundredths, where there is room for it.
fn write_share(canvas: &mut Canvas, bar: Area, fill: Fill, value: f64) {
    let words = format!("{:.0}", value * 100.0);
    let mut text = SMALL.colour(fill.ink()).align(Align::Center);
    let (middle, centre) = bar.centre();
    // All bars of a panel are as wide, and either all have words or none.
    if bar.height() < SMALL.size + 2.0 || bar.width() < text.width("100") + 4.0 {
        return;
    }
    if fill.hatch != Hatch::None {
        // Words cannot be read on a hatch.
        let (width, height) = (text.width(&words) / 2.0 + 2.0, SMALL.size / 2.0);
        let (left, right) = (middle - width, middle + width);
        canvas.rectangle(Area { left, top: centre - height, right, bottom: centre + height }, PAPER);
        text = SMALL.align(Align::Center);
    }
    canvas.text(&words, (middle, centre + text.below_middle()), text);
}
