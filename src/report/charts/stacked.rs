//! Stacked bars: how a whole is divided, by category.

use plotters::backend::DrawingBackend;

use super::ChartError;
use super::axis::Axis;
use super::canvas::{Area, Canvas};
use super::font::Align;
use super::frame::{Bottom, Frame};
use super::legend::{Entry, Sample};
use super::style::{Fill, Hatch, PAPER, SMALL};

/// The share of a category's width that its bar takes.
const BAR: f64 = 0.76;

/// A panel of stacked bars.
#[derive(Clone, Debug, PartialEq)]
pub struct Stacked {
    /// Names of the bars.
    pub categories: Vec<String>,
    /// What the categories are.
    pub categories_name: String,
    /// From bottom to top. Its values are shares, from 0 to 1.
    pub y: Axis,
    /// From the lowest to the highest.
    pub layers: Vec<Layer>,
}

/// One part of every bar.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    /// Its name in the legend.
    pub name: String,
    /// What it is filled with.
    pub fill: Fill,
    /// Its height, by category. What is not a positive number is not drawn.
    pub values: Vec<f64>,
}

impl Layer {
    /// Its entry in the legend.
    pub fn entry(&self) -> Entry {
        Entry { name: self.name.clone(), sample: Sample::Fill(self.fill) }
    }
}

impl Stacked {
    /// Draws the panel.
    pub fn draw<B: DrawingBackend>(&self, canvas: &mut Canvas<B>, area: Area) -> Result<(), ChartError> {
        let bottom = Bottom::Categories(&self.categories, &self.categories_name);
        let frame = Frame::draw(canvas, area, bottom, &self.y)?;
        let count = self.categories.len();
        let half = frame.inside.width() / count.max(1) as f64 * BAR / 2.0;
        for category in 0..count {
            let middle = frame.middle_of(category, count);
            let mut height = 0.0;
            for layer in &self.layers {
                let Some(value) = layer.values.get(category).copied().filter(|value| value.is_finite() && *value > 0.0)
                else {
                    continue;
                };
                let (low, high) = (height, height + value);
                height = high;
                if low >= self.y.high {
                    continue;
                }
                let (bottom, top) = (frame.height_of(low), frame.height_of(high.min(self.y.high)));
                let bar = Area { left: middle - half, top, right: middle + half, bottom };
                canvas.filled(bar, layer.fill)?;
                write_share(canvas, bar, layer.fill, value)?;
            }
        }
        Ok(())
    }
}

/// The share in hundredths, where there is room for it.
fn write_share<B: DrawingBackend>(canvas: &mut Canvas<B>, bar: Area, fill: Fill, value: f64) -> Result<(), ChartError> {
    let words = format!("{:.0}", value * 100.0);
    let text = SMALL.colour(fill.ink()).align(Align::Centre);
    let (middle, centre) = ((bar.left + bar.right) / 2.0, (bar.top + bar.bottom) / 2.0);
    // All bars of a panel are as wide, and either all have words or none.
    if bar.height() < SMALL.size + 2.0 || bar.width() < text.width("100") + 4.0 {
        return Ok(());
    }
    let half_width = text.width(&words) / 2.0 + 2.0;
    if fill.hatch != Hatch::None {
        // Words cannot be read on a hatch.
        let half_height = SMALL.size / 2.0;
        let behind = Area {
            left: middle - half_width,
            top: centre - half_height,
            right: middle + half_width,
            bottom: centre + half_height,
        };
        canvas.rectangle(behind, PAPER)?;
        return canvas.text(&words, (middle, centre + text.below_middle()), SMALL.align(Align::Centre));
    }
    canvas.text(&words, (middle, centre + text.below_middle()), text)
}
