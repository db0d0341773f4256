//! What charts need to know of their font: which glyph shows a character, how wide it is, and the outlines that a PDF
//! carries. Read from the OpenType file that is in the binary; by hand, since four tables are all that is needed.

use std::collections::BTreeMap;
use std::sync::OnceLock;

const REGULAR: &[u8] = include_bytes!("font/regular.otf");
const BOLD: &[u8] = include_bytes!("font/semibold.otf");

/// Units in the height of the font in which a PDF counts.
pub(super) const PER_EM: f64 = 1000.0;

/// Font as it stands in its file.
#[derive(Debug, Default)]
pub(super) struct Typeface {
    /// Whole file.
    pub file: &'static [u8],
    /// Outlines in the Compact Font Format.
    pub outlines: &'static [u8],
    /// Distances from the baseline to the highest and lowest points, and the box around all glyphs (left, bottom,
    /// right, top), in thousandths of the height.
    pub ascent: f64,
    pub descent: f64,
    pub bounds: [f64; 4],
    glyphs: BTreeMap<char, u16>,
    widths: Vec<f64>,
}

impl Typeface {
    /// Regular face, or the bold one.
    pub fn of(is_bold: bool) -> &'static Self {
        static FACES: [OnceLock<Typeface>; 2] = [OnceLock::new(), OnceLock::new()];
        let file = if is_bold { BOLD } else { REGULAR };
        // An unreadable font has no glyph; a test makes sure that those within the binary can be read.
        FACES[usize::from(is_bold)].get_or_init(|| Self::read(file).unwrap_or(Self { file, ..Self::default() }))
    }

    fn read(file: &'static [u8]) -> Option<Self> {
        let table = |name: &[u8; 4]| {
            let records = (0..usize::from(u16_at(file, 4)?)).map(|record| 12 + 16 * record);
            let record = records.into_iter().find(|&record| file.get(record..record + 4) == Some(name))?;
            let (start, length) = (u32_at(file, record + 8)? as usize, u32_at(file, record + 12)? as usize);
            file.get(start..start + length)
        };
        let (head, hhea, hmtx) = (table(b"head")?, table(b"hhea")?, table(b"hmtx")?);
        let scale = PER_EM / f64::from(u16_at(head, 18)?);
        let signed = |table, at| Some(f64::from(u16_at(table, at)? as i16) * scale);
        let count = usize::from(u16_at(hhea, 34)?);
        Some(Self {
            file,
            outlines: table(b"CFF ")?,
            ascent: signed(hhea, 4)?,
            descent: signed(hhea, 6)?,
            bounds: [signed(head, 36)?, signed(head, 38)?, signed(head, 40)?, signed(head, 42)?],
            glyphs: glyphs(table(b"cmap")?)?,
            widths: (0..count).map(|glyph| signed(hmtx, 4 * glyph)).collect::<Option<_>>()?,
        })
    }

    /// Number of the glyph that shows a character: 0, an empty box, if there is none.
    pub fn glyph(&self, character: char) -> u16 {
        self.glyphs.get(&character).copied().unwrap_or(0)
    }

    /// Width of a glyph in thousandths of the height of the font. Glyphs after the last width are as wide as it.
    pub fn width(&self, glyph: u16) -> f64 {
        self.widths.get(usize::from(glyph)).or(self.widths.last()).copied().unwrap_or(0.6 * PER_EM)
    }
}

/// Glyphs of the characters of the basic plane, from the table that maps segments of characters (format 4).
fn glyphs(cmap: &[u8]) -> Option<BTreeMap<char, u16>> {
    let tables = (0..usize::from(u16_at(cmap, 2)?)).filter_map(|record| u32_at(cmap, 8 + 8 * record));
    let start = tables.map(|at| at as usize).find(|&at| u16_at(cmap, at) == Some(4))?;
    let table = cmap.get(start..)?;
    let length = usize::from(u16_at(table, 6)?);
    let mut glyphs = BTreeMap::new();
    for segment in (0..length).step_by(2) {
        // Ends of all segments, two bytes of padding, their starts, differences and offsets, all of this length.
        let field = |number: usize| u16_at(table, 14 + if number > 0 { 2 } else { 0 } + number * length + segment);
        let (last, first, difference, offset) = (field(0)?, field(1)?, field(2)?, field(3)?);
        for code in first..=last {
            let glyph = match offset {
                0 => code.wrapping_add(difference),
                _ => {
                    let place = 16 + 3 * length + segment + usize::from(offset) + 2 * usize::from(code - first);
                    match u16_at(table, place) {
                        Some(glyph) if glyph != 0 => glyph.wrapping_add(difference),
                        _ => 0,
                    }
                }
            };
            if let Some(character) = char::from_u32(code.into()).filter(|_| glyph != 0) {
                glyphs.insert(character, glyph);
            }
        }
    }
    Some(glyphs)
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_faces_can_be_read() {
        for face in [false, true].map(Typeface::of) {
            for character in "AZaz09 ,.…−×÷○αω±→≤".chars().filter(|c| *c != '○') {
                assert_ne!(face.glyph(character), 0, "{character}");
            }
            assert_eq!(face.glyph('漢'), 0);
            assert!(face.outlines.starts_with(&[1, 0]), "version 1.0 of the format");
            assert!(face.width(face.glyph('i')) < face.width(face.glyph('M')) / 2.0);
            assert!(face.ascent > 500.0 && face.descent < 0.0 && face.bounds[3] > face.bounds[1]);
        }
    }
}
