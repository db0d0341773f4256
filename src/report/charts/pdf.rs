//! Drawings as PDF: vectors, and text that can be searched and copied, in the font of the charts, which is embedded. By
//! hand, since one page of lines, shapes and text is a small part of the format (PDF 1.7, ISO 32000-1). There is no
//! date and no identifier, so the same drawing gives the same bytes.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::OnceLock;

use super::ChartError;
use super::canvas::{Area, Canvas, Colour, Place, Shape, Stroke};
use super::font::{Align, Text};
use super::svg::digits;
use super::typeface::{PER_EM, Typeface};

/// Points in a millimetre.
const POINTS_PER_MILLIMETRE: f64 = 72.0 / 25.4;

/// Distance of the control points of a quarter of a circle from its ends, in radii.
const QUARTER: f64 = 0.552_284_75;

/// Names of the two faces within the file.
const FACES: [&str; 2] = ["SplitpointSans-Regular", "SplitpointSans-SemiBold"];

/// Number of the object of each face; five objects belong to one.
const FIRST_OF_FACE: [usize; 2] = [6, 11];

/// Characters that one of the faces shows, by glyph.
type Used = BTreeMap<u16, char>;

/// Page that is being written.
#[derive(Default)]
struct Content {
    operators: String,
    used: [Used; 2],
}

impl Canvas {
    /// Drawing as PDF of one page.
    pub fn to_pdf(&self, title: &str) -> Result<Vec<u8>, ChartError> {
        let scale = self.column.millimetres() * POINTS_PER_MILLIMETRE / self.column.units();
        let (width, height) = (self.column.units() * scale, self.height * scale);
        let mut content = Content::default();
        // Units from the upper left corner.
        content.add(format!("{scale:.6} 0 0 {:.6} 0 {height:.4} cm 1 j", -scale));
        self.shapes.iter().for_each(|shape| content.draw(shape));

        let fonts = [0, 1].map(|face| format!("/F{face} {} 0 R", FIRST_OF_FACE[face])).join(" ");
        let page = format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width:.3} {height:.3}] /Contents 4 0 R /Resources << /Font \
             << {fonts} >> >> >>"
        );
        let mut objects = vec![
            b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_vec(),
            page.into_bytes(),
            stream("", content.operators.as_bytes())?,
            format!("<< /Title {} /Producer (Splitpoint) >>", text_string(title)).into_bytes(),
        ];
        for (face, used) in content.used.iter().enumerate() {
            objects.extend(font(face, used)?);
        }
        Ok(file(&objects))
    }
}

impl Content {
    fn add(&mut self, operators: String) {
        self.operators.push_str(&operators);
        self.operators.push('\n');
    }

    fn draw(&mut self, shape: &Shape) {
        match shape {
            Shape::Line(places, Stroke { colour, width, dash }) => {
                let dash: Vec<String> = dash.iter().map(|length| digits(*length)).collect();
                let (dash, width) = (dash.join(" "), digits(*width));
                self.add(format!("{} RG {width} w [{dash}] 0 d {} S", shares(*colour), path(places)));
            }
            Shape::Polygon(corners, colour) => self.add(format!("{} rg {} h f", shares(*colour), path(corners))),
            Shape::Disc(centre, radius, colour) => {
                self.add(format!("{} rg {} f", shares(*colour), circle(*centre, *radius)));
            }
            Shape::Rectangle(area, colour) => {
                let Area { left, top, .. } = area;
                let sides = [*left, *top, area.width(), area.height()].map(digits).join(" ");
                self.add(format!("{} rg {sides} re f", shares(*colour)));
            }
            Shape::Text(words, place, text) => self.write(words, *place, *text),
        }
    }

    fn write(&mut self, words: &str, (x, y): Place, text: Text) {
        let (number, face) = (usize::from(text.bold), Typeface::of(text.bold));
        let mut glyphs = String::new();
        for character in words.chars() {
            let glyph = face.glyph(character);
            self.used[number].insert(glyph, character);
            glyphs.push_str(&format!("{glyph:04X}"));
        }
        let back = text.width(words)
            * match text.align {
                Align::Left => 0.0,
                Align::Center => 0.5,
                Align::Right => 1.0,
            };
        // Heights count downwards here, so letters are turned over again.
        let (matrix, x, y) = if text.upward { ("0 -1 -1 0", x, y + back) } else { ("1 0 0 -1", x - back, y) };
        let (ink, size, x, y) = (shares(text.colour), digits(text.size), digits(x), digits(y));
        self.add(format!("BT {ink} rg /F{number} {size} Tf {matrix} {x} {y} Tm <{glyphs}> Tj ET"));
    }
}

/// Operators for a line through places.
fn path(places: &[Place]) -> String {
    let step = |(at, (x, y)): (usize, &Place)| {
        let operator = if at == 0 { 'm' } else { 'l' };
        format!("{} {} {operator}", digits(*x), digits(*y))
    };
    places.iter().enumerate().map(step).collect::<Vec<_>>().join(" ")
}

/// Operators for a circle: four curves that are within a thousandth of it.
fn circle((x, y): Place, radius: f64) -> String {
    let at = |across: f64, down: f64| format!("{} {}", digits(x + across * radius), digits(y + down * radius));
    let mut operators = format!("{} m", at(1.0, 0.0));
    for (from, to) in
        [((1.0, 0.0), (0.0, 1.0)), ((0.0, 1.0), (-1.0, 0.0)), ((-1.0, 0.0), (0.0, -1.0)), ((0.0, -1.0), (1.0, 0.0))]
    {
        let control = |(x, y): Place, (other_x, other_y): Place| at(x + QUARTER * other_x, y + QUARTER * other_y);
        let (first, second, end) = (control(from, to), control(to, from), at(to.0, to.1));
        operators.push_str(&format!(" {first} {second} {end} c"));
    }
    operators
}

fn shares((red, green, blue): Colour) -> String {
    [red, green, blue].map(|share| digits(f64::from(share) / 255.0)).join(" ")
}

/// Objects of a face: the font, its widths, its measures, its outlines, and the characters that its glyphs stand for.
fn font(face: usize, used: &Used) -> Result<[Vec<u8>; 5], ChartError> {
    let (name, first, typeface) = (FACES[face], FIRST_OF_FACE[face], Typeface::of(face == 1));
    let reference = |place: usize| format!("{} 0 R", first + place);
    let widths: Vec<String> =
        used.keys().map(|&glyph| format!("{glyph} [{}]", digits(typeface.width(glyph)))).collect();
    let bounds = typeface.bounds.map(digits).join(" ");
    let (ascent, descent) = (digits(typeface.ascent), digits(typeface.descent));
    let composite = format!(
        "<< /Type /Font /Subtype /Type0 /BaseFont /{name} /Encoding /Identity-H /DescendantFonts [{}] /ToUnicode {} >>",
        reference(1),
        reference(4)
    );
    let descendant = format!(
        "<< /Type /Font /Subtype /CIDFontType0 /BaseFont /{name} /CIDSystemInfo << /Registry (Adobe) /Ordering \
         (Identity) /Supplement 0 >> /FontDescriptor {} /DW {PER_EM} /W [{}] >>",
        reference(2),
        widths.join(" ")
    );
    let measures = format!(
        "<< /Type /FontDescriptor /FontName /{name} /Flags 4 /FontBBox [{bounds}] /ItalicAngle 0 /Ascent {ascent} \
         /Descent {descent} /CapHeight 727 /StemV 80 /FontFile3 {} >>",
        reference(3)
    );
    // The same in every file, so compressed once.
    static OUTLINES: [OnceLock<Vec<u8>>; 2] = [OnceLock::new(), OnceLock::new()];
    let outlines = match OUTLINES[face].get() {
        Some(known) => known.clone(),
        None => {
            let made = stream("/Subtype /CIDFontType0C", typeface.outlines)?;
            OUTLINES[face].get_or_init(|| made).clone()
        }
    };
    let characters = stream("", characters(used).as_bytes())?;
    Ok([composite.into_bytes(), descendant.into_bytes(), measures.into_bytes(), outlines, characters])
}

/// Table from glyphs to characters, so that text can be searched and copied.
fn characters(used: &Used) -> String {
    /// Greatest number of entries in a row that the format allows.
    const MOST: usize = 100;
    let mut text = "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapType 2 def\n\
                    /CMapName /Characters def 1 begincodespacerange <0000> <FFFF> endcodespacerange\n"
        .to_owned();
    let entries: Vec<String> =
        used.iter().map(|(glyph, character)| format!("<{glyph:04X}> <{}>", utf16(&character.to_string()))).collect();
    for some in entries.chunks(MOST) {
        // Writing to a text cannot fail.
        let _ = writeln!(text, "{} beginbfchar\n{}\nendbfchar", some.len(), some.join("\n"));
    }
    text + "endcmap CMapName currentdict /CMap defineresource pop end end\n"
}

fn utf16(text: &str) -> String {
    text.encode_utf16().map(|unit| format!("{unit:04X}")).collect()
}

/// Text outside a page, in any letters.
fn text_string(text: &str) -> String {
    format!("<FEFF{}>", utf16(text))
}

/// Object that holds compressed bytes.
fn stream(more: &str, bytes: &[u8]) -> Result<Vec<u8>, ChartError> {
    let packed = compressed(bytes)?;
    let mut object = format!(
        "<< /Length {} /Filter /FlateDecode /DecodeParms << /Predictor 15 /Colors 1 /BitsPerComponent 8 /Columns {} >> \
         {more} >>\nstream\n",
        packed.len(),
        bytes.len()
    )
    .into_bytes();
    object.extend(packed);
    object.extend(b"\nendstream");
    Ok(object)
}

/// Bytes compressed as the one row of a grey picture: PDF and PNG share method and predictors, so the writer of the one
/// serves the other.
fn compressed(bytes: &[u8]) -> Result<Vec<u8>, ChartError> {
    /// Length of the signature of a PNG.
    const SIGNATURE: usize = 8;
    let mut picture = Vec::new();
    let mut encoder = png::Encoder::new(&mut picture, bytes.len() as u32, 1);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    encoder.set_filter(png::Filter::NoFilter);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(bytes)?;
    writer.finish()?;
    let mut packed = Vec::new();
    let mut rest = picture.get(SIGNATURE..).unwrap_or_default();
    // Each part has four bytes of length, four of name, its data, and four of checksum.
    while let Some((&[a, b, c, d, ref name @ ..], after)) = rest.split_first_chunk::<8>() {
        let length = u32::from_be_bytes([a, b, c, d]) as usize;
        if name == b"IDAT" {
            packed.extend_from_slice(after.get(..length).unwrap_or_default());
        }
        rest = after.get(length + 4..).unwrap_or_default();
    }
    Ok(packed)
}

/// File of these objects, of which the first is the root and the fifth the information.
fn file(objects: &[Vec<u8>]) -> Vec<u8> {
    // The second line says that there are other bytes than letters.
    let mut file = b"%PDF-1.7\n%\xE2\xE3\xCF\xD3\n".to_vec();
    let mut places = String::new();
    for (place, object) in objects.iter().enumerate() {
        places.push_str(&format!("{:010} 00000 n \n", file.len()));
        file.extend(format!("{} 0 obj\n", place + 1).into_bytes());
        file.extend(object);
        file.extend(b"\nendobj\n");
    }
    let (start, count) = (file.len(), objects.len() + 1);
    let end = format!(
        "xref\n0 {count}\n0000000000 65535 f \n{places}trailer\n<< /Size {count} /Root 1 0 R /Info 5 0 R \
         >>\nstartxref\n{start}\n%%EOF\n"
    );
    file.extend(end.into_bytes());
    file
}

#[cfg(test)]
mod tests {
    use super::super::column::Column;
    use super::super::style::{INK, SMALL, TITLE};
    use super::*;

    fn drawing() -> Canvas {
        let mut canvas = Canvas::new(Column::Single, 100.0);
        canvas.dashed(&[(0.0, 0.0), (10.0, 10.0)], INK, 1.0, &[4.0, 2.0]);
        canvas.disc((50.0, 50.0), 5.0, INK);
        canvas.text("Time (s) −1 ≤ x", (100.0, 20.0), TITLE);
        canvas.text("upright", (20.0, 80.0), SMALL.align(Align::Center).upward());
        canvas
    }

    #[test]
    fn every_object_is_where_the_table_says() {
        let pdf = drawing().to_pdf("Title").unwrap();
        let text: String = pdf.iter().map(|&byte| char::from(byte)).collect();
        let start: usize = text.rsplit("startxref\n").next().unwrap().lines().next().unwrap().parse().unwrap();
        let mut lines = text[text.char_indices().nth(start).unwrap().0..].lines().skip(1);
        let count: usize = lines.next().unwrap().trim_start_matches("0 ").parse().unwrap();
        for object in 1..count {
            let place: usize = lines.nth(usize::from(object == 1)).unwrap()[..10].parse().unwrap();
            assert!(pdf[place..].starts_with(format!("{object} 0 obj\n").as_bytes()), "object {object}");
        }
        // 85 mm are 240.945 points.
        assert!(text.contains("/MediaBox [0 0 240.945 48.189]"), "{}", &text[..600]);
        assert_eq!(pdf, drawing().to_pdf("Title").unwrap(), "the same bytes");
    }

    #[test]
    fn what_is_compressed_is_what_a_reader_of_png_finds() {
        let bytes: Vec<u8> = (0..5000_u32).map(|place| (place * place % 251) as u8).collect();
        let packed = compressed(&bytes).unwrap();
        assert_eq!(packed[0] & 0x0F, 8, "deflate in a zlib wrapper");
        // A picture with this data alone is read back.
        let mut picture = Vec::new();
        let mut encoder = png::Encoder::new(&mut picture, bytes.len() as u32, 1);
        encoder.set_color(png::ColorType::Grayscale);
        let mut writer = encoder.write_header().unwrap();
        writer.write_chunk(png::chunk::IDAT, &packed).unwrap();
        drop(writer);
        let mut reader = png::Decoder::new(std::io::Cursor::new(&picture)).read_info().unwrap();
        let mut read = vec![0; bytes.len()];
        reader.next_frame(&mut read).unwrap();
        assert_eq!(read, bytes);
    }

    #[test]
    fn characters_are_known_by_their_glyphs() {
        let face = Typeface::of(false);
        let used: Used = "a−".chars().map(|character| (face.glyph(character), character)).collect();
        let table = characters(&used);
        assert!(table.contains("2 beginbfchar") && table.contains("<0061>") && table.contains("<2212>"), "{table}");
    }
}
