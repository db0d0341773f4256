//! Drawings as PNG. They are drawn larger and averaged down, which smooths their edges.

use plotters::backend::{BitMapBackend, DrawingBackend};
use plotters::style::{Color, RGBAColor};

use super::ChartError;
use super::canvas::{Area, Canvas, Colour, Place, Shape, Stroke};
use super::font;
use super::style::Dash;

/// Steps in a unit: the drawing library takes whole numbers only.
const STEPS_PER_UNIT: f64 = 4.0;

/// Steps that are averaged into one pixel, each way. So there are two pixels a unit.
const STEPS_PER_PIXEL: u32 = 2;

impl Canvas {
    /// Drawing as PNG.
    pub fn to_png(&self) -> Result<Vec<u8>, ChartError> {
        let (width, height) = self.size_in_steps();
        let mut steps = vec![0xFF; width as usize * height as usize * 3];
        self.draw_on(&mut BitMapBackend::with_buffer(&mut steps, (width, height)))
            .map_err(|cause| ChartError::Drawing(cause.to_string()))?;
        let pixels = averaged(&steps, width as usize);
        let size = [width, height].map(|steps| steps / STEPS_PER_PIXEL);
        encode(&pixels, size, f64::from(size[0]) / self.column.millimetres() * 1000.0)
    }

    fn size_in_steps(&self) -> (u32, u32) {
        ((self.column.units() * STEPS_PER_UNIT) as u32, (self.height * STEPS_PER_UNIT) as u32)
    }

    fn draw_on(&self, backend: &mut BitMapBackend<'_>) -> Result<(), impl std::error::Error> {
        font::register();
        backend.ensure_prepared()?;
        for shape in &self.shapes {
            match shape {
                Shape::Line(places, Stroke { colour, width, dash }) => {
                    let style = opaque(*colour).stroke_width(whole_steps(*width));
                    // Segment by segment: the corners that a bitmap makes of a thick path stick out.
                    for (from, to) in segments(places, dash) {
                        let (from, to) = (steps(from), steps(to));
                        if from != to {
                            backend.draw_line(from, to, &style)?;
                        }
                    }
                }
                Shape::Polygon(corners, colour) => {
                    backend.fill_polygon(corners.iter().copied().map(steps), &opaque(*colour))?;
                }
                Shape::Disc(centre, radius, colour) => {
                    backend.draw_circle(steps(*centre), whole_steps(*radius), &opaque(*colour), true)?;
                }
                Shape::Rectangle(Area { left, top, right, bottom }, colour) => {
                    backend.draw_rect(steps((*left, *top)), steps((*right, *bottom)), &opaque(*colour), true)?;
                }
                Shape::Text(words, (x, y), text) => {
                    let drop = font::DROP_IN_BITMAPS * text.size;
                    let place = if text.upward { (x - drop, *y) } else { (*x, y - drop) };
                    backend.draw_text(words, &font::style(*text, STEPS_PER_UNIT), steps(place))?;
                }
            }
        }
        backend.present()
    }
}

/// Parts of a line through all places that are drawn when it is broken as this dash has it.
fn segments(places: &[Place], dash: Dash) -> Vec<(Place, Place)> {
    let pairs = places.windows(2).map(|pair| (pair[0], pair[1]));
    if dash.is_empty() {
        return pairs.collect();
    }
    let (mut part, mut left) = (0, dash[0]);
    let mut drawn = Vec::new();
    for ((mut x, mut y), (to_x, to_y)) in pairs {
        loop {
            let distance = (to_x - x).hypot(to_y - y);
            let step = left.min(distance);
            // Neither end moves where nothing is left to go.
            let share = if distance > 0.0 { step / distance } else { 1.0 };
            let next = (x + (to_x - x) * share, y + (to_y - y) * share);
            if part % 2 == 0 {
                drawn.push(((x, y), next));
            }
            (x, y) = next;
            if step < left {
                left -= step;
                break;
            }
            part = (part + 1) % dash.len();
            left = dash[part];
        }
    }
    drawn
}

fn steps((x, y): Place) -> (i32, i32) {
    ((x * STEPS_PER_UNIT).round() as i32, (y * STEPS_PER_UNIT).round() as i32)
}

/// Steps of a length, at least one.
fn whole_steps(length: f64) -> u32 {
    (length * STEPS_PER_UNIT).round().max(1.0) as u32
}

fn opaque((red, green, blue): Colour) -> RGBAColor {
    RGBAColor(red, green, blue, 1.0)
}

/// Pixels of a bitmap: each is the mean of a square of two by two steps.
fn averaged(steps: &[u8], width: usize) -> Vec<u8> {
    let row = width * 3;
    let pixel = |(above, below): (&[u8], &[u8])| {
        std::array::from_fn::<u8, 3, _>(|channel| {
            let square = [above[channel], above[channel + 3], below[channel], below[channel + 3]];
            ((square.map(u16::from).iter().sum::<u16>() + 2) / 4) as u8
        })
    };
    let pixels = steps.chunks_exact(2 * row).flat_map(|rows| {
        let (upper, lower) = rows.split_at(row);
        upper.chunks_exact(6).zip(lower.chunks_exact(6)).flat_map(pixel)
    });
    pixels.collect()
}

fn encode(pixels: &[u8], [width, height]: [u32; 2], pixels_per_metre: f64) -> Result<Vec<u8>, ChartError> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    // Charts are flat areas: what takes ten times as long saves a tenth of the bytes.
    encoder.set_deflate_compression(png::DeflateCompression::Level(1));
    encoder.set_filter(png::Filter::Up);
    let pixels_per_metre = pixels_per_metre.round() as u32;
    let print = png::PixelDimensions { xppu: pixels_per_metre, yppu: pixels_per_metre, unit: png::Unit::Meter };
    encoder.set_pixel_dims(Some(print));
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dash_goes_on_around_corners() {
        let drawn = segments(&[(0.0, 0.0), (3.0, 0.0), (3.0, 5.0)], &[4.0, 2.0]);
        assert_eq!(drawn, [((0.0, 0.0), (3.0, 0.0)), ((3.0, 0.0), (3.0, 1.0)), ((3.0, 3.0), (3.0, 5.0))]);
        assert_eq!(segments(&[(0.0, 0.0), (3.0, 0.0)], &[]), [((0.0, 0.0), (3.0, 0.0))]);
    }
}
