//! A drawing as PDF, for papers: shapes as lines and areas, words as letters of the font of bitmaps. The letters that
//! are used are inside, so that words can be searched and every printer has them. Nothing is compressed: the bytes
//! depend on no library.

use std::fmt::Write;

use ab_glyph::{Font, FontRef, OutlineCurve};

use super::super::text::{Align, FILES, Text};
use super::{Canvas, Colour, Place, Shape, cff};

/// Points in a millimetre.
const POINTS: f64 = 72.0 / 25.4;
/// How far the handles of a curve lie from its ends, in radii, if four of them make a circle.
const HANDLE: f64 = 0.5523;
/// Parts of the size of a font in which its letters are measured.
const PARTS: f32 = 1000.0;

/// A font and the letters that are drawn with it, each with a number by its place, from 1 on.
struct Letters {
    name: &'static str,
    font: FontRef<'static>,
    used: Vec<char>,
}

impl Letters {
    fn all() -> Option<[Self; 2]> {
        let [regular, bold] = [("F1", FILES[0]), ("F2", FILES[1])]
            .map(|(name, file)| Some(Self { name, font: FontRef::try_from_slice(file).ok()?, used: Vec::new() }));
        Some([regular?, bold?])
    }

    /// Parts of a unit of the font.
    fn parts(&self, units: f32) -> f32 {
        units * PARTS / self.font.units_per_em().unwrap_or(PARTS)
    }

    /// Width of a letter in parts, as a whole number.
    fn width(&self, letter: char) -> i32 {
        self.parts(self.font.h_advance_unscaled(self.font.glyph_id(letter))).round() as i32
    }

    /// Words as numbers of letters, and their width in sizes of the font.
    fn of(&mut self, words: &str) -> (String, f64) {
        let (mut numbers, mut width) = (String::new(), 0);
        for letter in words.chars() {
            let known = self.used.iter().position(|&one| one == letter);
            let place = known.unwrap_or_else(|| {
                self.used.push(letter);
                self.used.len() - 1
            });
            width += self.width(letter);
            numbers += &format!("{:04x}", place + 1);
        }
        (numbers, f64::from(width) / f64::from(PARTS))
    }

    /// The letters that are used, as a font.
    fn file(&self) -> Vec<u8> {
        let glyph = |&letter: &char| {
            let mut glyph = cff::Glyph::new(self.width(letter));
            let place = |point: ab_glyph::Point| [point.x, point.y].map(|length| self.parts(length).round() as i32);
            let outline = self.font.outline(self.font.glyph_id(letter));
            for curve in outline.iter().flat_map(|outline| &outline.curves) {
                match *curve {
                    OutlineCurve::Line(from, to) => glyph.line(place(from), place(to)),
                    OutlineCurve::Quad(from, by, to) => {
                        let near = |end: f32, by: f32| end + (by - end) * 2.0 / 3.0;
                        let third = |end: ab_glyph::Point| ab_glyph::point(near(end.x, by.x), near(end.y, by.y));
                        glyph.curve(place(from), [third(from), third(to), to].map(place));
                    }
                    OutlineCurve::Cubic(from, one, two, to) => glyph.curve(place(from), [one, two, to].map(place)),
                }
            }
            glyph
        };
        cff::font(self.name, &self.used.iter().map(glyph).collect::<Vec<_>>())
    }
}

impl Canvas {
    /// Drawing as PDF, of its size in print. `None` if the fonts of this program cannot be read.
    pub fn to_pdf(&self, title: &str) -> Option<Vec<u8>> {
        let scale = self.column.millimetres() * POINTS / self.column.units();
        let size = [self.column.units(), self.height].map(|length| number(length * scale)).join(" ");
        let mut fonts = Letters::all()?;
        let mut drawing = format!("{} 0 0 {} 0 0 cm 1 j\n", number(scale), number(scale));
        drawing += &format!("1 1 1 rg 0 0 {} {} re f\n", number(self.column.units()), number(self.height));
        for (_, shape) in &self.shapes {
            self.draw_in_pdf(shape, &mut fonts, &mut drawing);
        }
        let mut file = File::new();
        let [catalog, pages, page, contents] = [1, 2, 3, 4];
        file.add(&format!("<< /Type /Catalog /Pages {pages} 0 R >>"));
        file.add(&format!("<< /Type /Pages /Kids [{page} 0 R] /Count 1 >>"));
        let drawn_with = fonts.iter().filter(|font| !font.used.is_empty());
        // Five objects for each font after the contents and the title.
        let names: String =
            drawn_with.clone().zip(0..).map(|(font, at)| format!("/{} {} 0 R ", font.name, 6 + 5 * at)).collect();
        file.add(&format!(
            "<< /Type /Page /Parent {pages} 0 R /MediaBox [0 0 {size}] /Contents {contents} 0 R /Resources \
             << /Font << {names}>> >> >>"
        ));
        file.stream("", drawing.as_bytes());
        let title: String = title.encode_utf16().map(|unit| format!("{unit:04X}")).collect();
        let info = file.add(&format!("<< /Title <FEFF{title}> /Producer (splitpoint) >>"));
        drawn_with.for_each(|font| file.font(font));
        Some(file.end(catalog, info))
    }

    fn draw_in_pdf(&self, shape: &Shape, fonts: &mut [Letters; 2], drawing: &mut String) {
        let at = |&(x, y): &Place| format!("{} {}", number(x), number(self.height - y));
        let path = |places: &[Place]| {
            let lines: String = places[1..].iter().map(|place| format!(" {} l", at(place))).collect();
            format!("{} m{lines}", at(&places[0]))
        };
        let line = match shape {
            Shape::Line(places, ink, width, dash) => {
                let dash: Vec<String> = dash.iter().map(|length| number(*length)).collect();
                let dash = dash.join(" ");
                format!("{} RG {} w [{dash}] 0 d {} S", colour(*ink), number(*width), path(places))
            }
            Shape::Polygon(corners, ink) => format!("{} rg {} h f", colour(*ink), path(corners)),
            Shape::Disc((x, y), radius, ink) => {
                let place = |(right, down): (f64, f64)| at(&(x + right * radius, y + down * radius));
                let arc = |[one, two, end]: [(f64, f64); 3]| format!(" {} {} {} c", place(one), place(two), place(end));
                let arcs: String = [
                    [(1.0, HANDLE), (HANDLE, 1.0), (0.0, 1.0)],
                    [(-HANDLE, 1.0), (-1.0, HANDLE), (-1.0, 0.0)],
                    [(-1.0, -HANDLE), (-HANDLE, -1.0), (0.0, -1.0)],
                    [(HANDLE, -1.0), (1.0, -HANDLE), (1.0, 0.0)],
                ]
                .map(arc)
                .concat();
                format!("{} rg {} m{arcs} f", colour(*ink), place((1.0, 0.0)))
            }
            Shape::Words(words, (x, y), Text { size, bold, colour: ink, align, upward }) => {
                let font = &mut fonts[usize::from(*bold)];
                let (letters, width) = font.of(words);
                let back = width
                    * size
                    * match align {
                        Align::Left => 0.0,
                        Align::Center => 0.5,
                        Align::Right => 1.0,
                    };
                let (turn, begin) = if *upward { ("0 1 -1 0", (*x, y + back)) } else { ("1 0 0 1", (x - back, *y)) };
                format!(
                    "{} rg BT /{} {} Tf {turn} {} Tm <{letters}> Tj ET",
                    colour(*ink),
                    font.name,
                    number(*size),
                    at(&begin)
                )
            }
        };
        *drawing += &line;
        drawing.push('\n');
    }
}

/// A number with three digits after the point, and none that say nothing.
pub(super) fn number(value: f64) -> String {
    let text = format!("{value:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

fn colour((red, green, blue): Colour) -> String {
    [red, green, blue].map(|share| number(f64::from(share) / 255.0)).join(" ")
}

/// A PDF that is being written: its bytes, and where its objects begin.
struct File {
    bytes: Vec<u8>,
    objects: Vec<usize>,
}

impl File {
    fn new() -> Self {
        // Bytes above 127 say that the file is no text.
        Self { bytes: b"%PDF-1.6\n%\xe2\xe3\xcf\xd3\n".to_vec(), objects: Vec::new() }
    }

    /// Adds an object, and tells its number.
    fn add(&mut self, body: &str) -> usize {
        self.object(body.as_bytes())
    }

    fn object(&mut self, body: &[u8]) -> usize {
        self.objects.push(self.bytes.len());
        let number = self.objects.len();
        self.bytes.extend(format!("{number} 0 obj\n").as_bytes());
        self.bytes.extend(body);
        self.bytes.extend(b"\nendobj\n");
        number
    }

    fn stream(&mut self, entries: &str, content: &[u8]) -> usize {
        let head = format!("<< /Length {}{entries} >>\nstream\n", content.len());
        self.object(&[head.as_bytes(), content, b"\nendstream"].concat())
    }

    /// Adds the five objects of a font: what it is, its letters' widths, its measures, the font itself, and what its
    /// letters mean.
    fn font(&mut self, letters: &Letters) {
        let first = self.objects.len() + 1;
        let name = format!("Splitpoint-{}", letters.name);
        let widths: String = letters.used.iter().map(|&letter| format!("{} ", letters.width(letter))).collect();
        self.add(&format!(
            "<< /Type /Font /Subtype /Type0 /BaseFont /{name} /Encoding /Identity-H /DescendantFonts [{} 0 R] \
             /ToUnicode {} 0 R >>",
            first + 1,
            first + 4
        ));
        self.add(&format!(
            "<< /Type /Font /Subtype /CIDFontType0 /BaseFont /{name} /CIDSystemInfo << /Registry (Adobe) /Ordering \
             (Identity) /Supplement 0 >> /FontDescriptor {} 0 R /DW 0 /W [1 [{widths}]] >>",
            first + 2
        ));
        let [ascent, descent] = [letters.font.ascent_unscaled(), letters.font.descent_unscaled()]
            .map(|height| letters.parts(height).round());
        self.add(&format!(
            "<< /Type /FontDescriptor /FontName /{name} /Flags 4 /FontBBox [-500 {descent} 1500 {ascent}] \
             /ItalicAngle 0 /Ascent {ascent} /Descent {descent} /CapHeight 727 /StemV 80 /FontFile3 {} 0 R >>",
            first + 3
        ));
        self.stream(" /Subtype /CIDFontType0C", &letters.file());
        let mut meaning =
            "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Letters def /CMapType 2 \
                           def\n1 begincodespacerange <0000> <ffff> endcodespacerange\n"
                .to_owned();
        // At most a hundred in one list.
        for some in (1..).zip(&letters.used).collect::<Vec<(u16, &char)>>().chunks(100) {
            let _ = writeln!(meaning, "{} beginbfchar", some.len());
            for (number, letter) in some {
                let units: String = letter.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("{unit:04x}")).collect();
                let _ = writeln!(meaning, "<{number:04x}> <{units}>");
            }
            meaning += "endbfchar\n";
        }
        meaning += "endcmap CMapName currentdict /CMap defineresource pop end end\n";
        self.stream("", meaning.as_bytes());
    }

    /// The whole, with the table of its objects.
    fn end(mut self, catalog: usize, info: usize) -> Vec<u8> {
        let (table, count) = (self.bytes.len(), self.objects.len() + 1);
        let mut end = format!("xref\n0 {count}\n0000000000 65535 f \n");
        for object in &self.objects {
            let _ = writeln!(end, "{object:010} 00000 n ");
        }
        let _ = write!(
            end,
            "trailer\n<< /Size {count} /Root {catalog} 0 R /Info {info} 0 R >>\nstartxref\n{table}\n%%EOF\n"
        );
        self.bytes.extend(end.as_bytes());
        self.bytes
    }
}
