//! A font of a few letters in the Compact Font Format, with which a PDF draws words: as little of it as readers need.

/// A place in thousandths of the size of the font, from the beginning of the letter on its baseline.
type Place = [i32; 2];

/// Names of letters that every reader knows, and that no reader asks for here.
const MOST: usize = 390;

// Operators of outlines.
const LINE: u8 = 5;
const CURVE: u8 = 8;
const END: u8 = 14;
const MOVE: u8 = 21;

/// Outline of a letter, as it is drawn.
pub(super) struct Glyph {
    program: Vec<u8>,
    at: Place,
    is_begun: bool,
}

impl Glyph {
    /// A letter of this width without an outline.
    pub fn new(width: i32) -> Self {
        let mut program = Vec::new();
        number(&mut program, width);
        Self { program, at: [0, 0], is_begun: false }
    }

    pub fn line(&mut self, from: Place, to: Place) {
        self.go_to(from);
        self.steps(&[to], LINE);
    }

    /// Draws a curve by its two handles and its end.
    pub fn curve(&mut self, from: Place, places: [Place; 3]) {
        self.go_to(from);
        self.steps(&places, CURVE);
    }

    fn go_to(&mut self, place: Place) {
        if !self.is_begun || self.at != place {
            self.is_begun = true;
            self.steps(&[place], MOVE);
        }
    }

    /// Writes the way to each place from the one before, and what is drawn.
    fn steps(&mut self, places: &[Place], operator: u8) {
        for place in places {
            for (to, from) in place.iter().zip(self.at) {
                number(&mut self.program, to - from);
            }
            self.at = *place;
        }
        self.program.push(operator);
    }
}

/// The font: the letters in their order, after one that is never drawn.
pub(super) fn font(name: &str, glyphs: &[Glyph]) -> Vec<u8> {
    let glyphs = &glyphs[..glyphs.len().min(MOST)];
    let empty = Glyph::new(0);
    let programs: Vec<Vec<u8>> =
        std::iter::once(&empty).chain(glyphs).map(|glyph| [&glyph.program[..], &[END]].concat()).collect();
    let names: Vec<u8> = (1..=glyphs.len() as u16).flat_map(u16::to_be_bytes).collect();
    // Numbers of a fixed length, so that places are known before they are written.
    let top = |places: [usize; 3]| {
        let [charset, outlines, private] = places;
        let entry = |values: &[usize], operator: u8| {
            let values = values.iter().flat_map(|&value| [&[29][..], &(value as u32).to_be_bytes()].concat());
            values.chain([operator]).collect::<Vec<u8>>()
        };
        index(&[[entry(&[charset], 15), entry(&[outlines], 17), entry(&[PRIVATE.len(), private], 18)].concat()])
    };
    let head = [&[1, 0, 4, 4][..], &index(&[name.as_bytes().to_vec()])].concat();
    // Neither names of its own nor common parts of outlines.
    let nothing = [index(&[]), index(&[])].concat();
    let charset = head.len() + top([0; 3]).len() + nothing.len();
    let outlines = charset + 1 + names.len();
    let drawn = index(&programs);
    let top = top([charset, outlines, outlines + drawn.len()]);
    [head, top, nothing, vec![0], names, drawn, PRIVATE.to_vec()].concat()
}

/// The private dictionary of the font: a width of 0, to which the first number of each outline is added.
const PRIVATE: [u8; 4] = [139, 20, 139, 21];

/// A list of parts of any length.
fn index(parts: &[Vec<u8>]) -> Vec<u8> {
    let mut list = (parts.len() as u16).to_be_bytes().to_vec();
    if !parts.is_empty() {
        list.push(4);
        let mut end = 1_u32;
        list.extend(end.to_be_bytes());
        for part in parts {
            end += part.len() as u32;
            list.extend(end.to_be_bytes());
        }
        list.extend(parts.concat());
    }
    list
}

/// Writes a whole number as outlines have it.
fn number(program: &mut Vec<u8>, value: i32) {
    match value {
        -107..=107 => program.push((value + 139) as u8),
        108..=1131 => program.extend([((value - 108) / 256 + 247) as u8, ((value - 108) % 256) as u8]),
        -1131..=-108 => program.extend([((-value - 108) / 256 + 251) as u8, ((-value - 108) % 256) as u8]),
        _ => {
            program.push(28);
            program.extend((value as i16).to_be_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_their_length() {
        let written = |value: i32| {
            let mut program = Vec::new();
            number(&mut program, value);
            program
        };
        assert_eq!(written(0), [139]);
        assert_eq!(written(-107), [32]);
        assert_eq!(written(108), [247, 0]);
        assert_eq!(written(1131), [250, 255]);
        assert_eq!(written(-1131), [254, 255]);
        assert_eq!(written(-1132), [28, 251, 148]);
    }

    #[test]
    fn the_places_of_a_font_are_those_of_its_parts() {
        let mut glyph = Glyph::new(500);
        glyph.line([0, 0], [100, 0]);
        glyph.line([100, 0], [0, 700]);
        let font = font("F1", &[glyph]);
        let place = |at: usize| u32::from_be_bytes(font[at..at + 4].try_into().unwrap()) as usize;
        // After the header and the name: the count of a list, the size of its places, two places, then the entries.
        let top = 4 + (2 + 1 + 8 + 2) + (2 + 1 + 8);
        let [charset, outlines, private] = [top + 1, top + 7, top + 18].map(place);
        assert_eq!(&font[charset..charset + 3], [0, 0, 1], "one letter beside the one that is never drawn");
        assert_eq!(&font[outlines..outlines + 3], [0, 2, 4]);
        assert_eq!(&font[private..], PRIVATE);
    }
}
