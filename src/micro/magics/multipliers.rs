//! Tables of multipliers: those that are printed, and the check of those that somebody else has printed.
//!
//! A table has the columns `slider`, `square`, `bits` (of the place, so that there are 2 to that power), `one_bits` and
//! `multiplier`, a hexadecimal number. The check needs slider, square and multiplier, and works out the rest.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::set::Set;
use super::task::{MOST_BITS, Task};
use super::{FEWEST_TIMES, FewestRow, MOST_ONES, by_slider, half, name};
use crate::chess::Square;
use crate::chess::bitboards::sliders::Slider;
use crate::published::FEWEST_BITS;
use crate::{Figure, MicroError, MultiplierSet, Spec, Unit};

/// Times for a figure that the search for tables of half the size takes when they are printed.
const HALF_TIMES: u32 = 4 * FEWEST_TIMES;

/// Row of a table of multipliers.
#[derive(Clone, Debug, Deserialize, Serialize)]
struct Row {
    slider: String,
    square: String,
    #[serde(default)]
    bits: Option<u32>,
    #[serde(default)]
    one_bits: Option<u32>,
    multiplier: String,
}

/// Multiplier with what it is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Multiplier {
    slider: Slider,
    from: Square,
    bits: u32,
    number: u64,
}

impl Multiplier {
    fn row(&self) -> Row {
        Row {
            slider: name(self.slider).to_owned(),
            square: self.from.to_string(),
            bits: Some(self.bits),
            one_bits: Some(self.number.count_ones()),
            multiplier: format!("{:016x}", self.number),
        }
    }

    /// The multiplier of a row, if all of it can be.
    fn of(row: &Row) -> Result<Self, String> {
        let slider = [Slider::Rook, Slider::Bishop].into_iter().find(|slider| name(*slider) == row.slider);
        let slider = slider.ok_or_else(|| format!("'{}' is not a slider: expected rook or bishop", row.slider))?;
        let from: Square = row.square.parse().map_err(|_| format!("'{}' is not a square", row.square))?;
        let bits = row.bits.unwrap_or_else(|| slider.mask(from).len());
        if !(1..=MOST_BITS).contains(&bits) {
            return Err(format!("a place has from 1 to {MOST_BITS} bits, not {bits}"));
        }
        let text = row.multiplier.trim();
        let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")).unwrap_or(text);
        let number = u64::from_str_radix(digits, 16)
            .map_err(|_| format!("'{text}' is not a multiplier: expected a hexadecimal number of 64 bits"))?;
        Ok(Self { slider, from, bits, number })
    }

    /// Circumstance of figures of the tables of this size.
    fn kind(&self) -> String {
        let usual = self.slider.mask(self.from).len();
        match usual.cmp(&self.bits) {
            std::cmp::Ordering::Equal => name(self.slider).to_owned(),
            std::cmp::Ordering::Greater => format!("{}, smaller tables", name(self.slider)),
            std::cmp::Ordering::Less => format!("{}, larger tables", name(self.slider)),
        }
    }

    /// Number of occupations whose place has another answer.
    fn collisions(&self) -> u32 {
        Task::with_bits(self.slider, self.from, self.bits).collisions(self.number, u32::MAX)
    }
}

/// Both sliders on all squares.
fn all() -> Vec<(Slider, Square)> {
    let of = |slider| Square::all().map(move |from| (slider, from));
    [Slider::Rook, Slider::Bishop].into_iter().flat_map(of).collect()
}

/// Writes a set of multipliers.
pub fn print(spec: &Spec, which: MultiplierSet) -> Result<String, MicroError> {
    let whole =
        |(slider, from): (Slider, Square), number| Multiplier { slider, from, bits: slider.mask(from).len(), number };
    let found: Vec<Multiplier> = match which {
        MultiplierSet::Seeds => return Ok(Set::of(spec.seed).to_string()),
        MultiplierSet::Multipliers => {
            let set = Set::of(spec.seed);
            all().into_iter().map(|place| whole(place, set.multiplier(place.0, place.1))).collect()
        }
        MultiplierSet::Fewest => {
            let of = |(slider, from)| Some(whole((slider, from), Task::new(slider, from).fewest(MOST_ONES)?.1));
            all().into_par_iter().filter_map(of).collect()
        }
        MultiplierSet::Half => {
            let of = |slider| {
                let found = half::search(slider, spec.seed, spec.time * HALF_TIMES).0;
                let halved = move |(from, number)| Multiplier {
                    bits: whole((slider, from), number).bits - 1,
                    ..whole((slider, from), number)
                };
                found.into_iter().map(halved)
            };
            [Slider::Rook, Slider::Bishop].into_iter().flat_map(of).collect()
        }
    };
    let mut writer = csv::Writer::from_writer(Vec::new());
    let written = found.iter().try_for_each(|one| writer.serialize(one.row()));
    let bytes = written
        .map_err(|error| error.to_string())
        .and_then(|()| writer.into_inner().map_err(|error| error.to_string()));
    let text = bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    text.map_err(|error| MicroError::Wrong(format!("the multipliers cannot be written: {error}")))
}

/// Multipliers of a table.
fn read(text: &str) -> Result<Vec<Multiplier>, MicroError> {
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).comment(Some(b'#')).from_reader(text.as_bytes());
    let parsed = reader.deserialize().enumerate().map(|(i, row)| {
        let row: Row = row.map_err(|error| MicroError::BadSpec(error.to_string()))?;
        Multiplier::of(&row).map_err(|error| MicroError::BadSpec(format!("multiplier {}: {error}", i + 1)))
    });
    let all = parsed.collect::<Result<Vec<_>, _>>()?;
    if all.is_empty() { Err(MicroError::BadSpec("no multipliers".to_owned())) } else { Ok(all) }
}

/// Checks every multiplier of a table: how many send no two answers to one place, how many one-bits they have beside
/// the published number, and which fail.
pub fn check(text: &str) -> Result<Vec<Figure>, MicroError> {
    let all = read(text)?;
    let rows: Vec<FewestRow> = FEWEST_BITS.rows()?;
    let fewest = |one: &Multiplier| {
        let row = rows.iter().find(|row| row.square == one.from.to_string())?;
        Some(by_slider(one.slider, row.bishop, row.rook))
    };
    let collisions: Vec<u32> = all.par_iter().map(Multiplier::collisions).collect();
    let count = |of: &str, figure: &str, value: u32| Figure::new(of, figure, Unit::Count, f64::from(value));
    let mut figures = Vec::new();
    for kind in crate::distinct::distinct(all.iter().map(Multiplier::kind)) {
        let of_kind = || all.iter().zip(&collisions).filter(|(one, _)| one.kind() == kind);
        let number = of_kind().count() as u32;
        figures.push(count(&kind, "multipliers", number));
        let perfect = of_kind().filter(|(_, collisions)| **collisions == 0).count() as u32;
        figures.push(count(&kind, "multipliers without a collision", perfect));
        let ones = count(&kind, "one-bits", of_kind().map(|(one, _)| one.number.count_ones()).sum());
        let usual = of_kind().all(|(one, _)| one.bits == one.slider.mask(one.from).len());
        let published = of_kind().map(|(one, _)| fewest(one)).sum::<Option<u32>>().filter(|_| usual);
        figures.push(ones.beside(published.map(f64::from), FEWEST_BITS.source));
    }
    for (one, collisions) in all.iter().zip(collisions).filter(|(_, collisions)| *collisions > 0) {
        let of = format!("{} {}, {:016x}", name(one.slider), one.from, one.number);
        figures.push(count(&of, "occupations that meet another answer", collisions));
    }
    Ok(figures)
}

#[cfg(test)]
mod tests {
    use super::super::task::tests::is_valid;
    use super::*;

    /// Number of kept multipliers for tables of half the size: bishops, rooks.
    const HALVED: [usize; 2] = [24, 9];
    const KEPT: &str = include_str!("../../../results/reference/micro/magic-multipliers.csv");

    /// The kept multipliers of usual tables have the published number of one-bits, square by square, and so the
    /// published sums; those of smaller tables are as many as the documents say.
    #[test]
    fn the_kept_multipliers_are_perfect_and_have_the_fewest_bits() {
        let all = read(KEPT).unwrap();
        let rows: Vec<FewestRow> = FEWEST_BITS.rows().unwrap();
        let mut sums = [0, 0];
        let usual = |one: &&Multiplier| one.bits == one.slider.mask(one.from).len();
        for one in all.iter().filter(usual) {
            let row = rows.iter().find(|row| row.square == one.from.to_string()).unwrap();
            assert_eq!(one.number.count_ones(), by_slider(one.slider, row.bishop, row.rook), "{one:?}");
            assert!(is_valid(one.slider, one.from, one.number), "{one:?}");
            sums[usize::from(one.slider == Slider::Rook)] += one.number.count_ones();
        }
        assert_eq!((all.iter().filter(usual).count(), sums), (128, [294, 278]));
        let halved = |slider| all.iter().filter(|one| one.slider == slider && !usual(one)).count();
        assert_eq!([halved(Slider::Bishop), halved(Slider::Rook)], HALVED);
        let figures = check(KEPT).unwrap();
        let value = |of: &str, figure: &str| {
            let found = figures.iter().find(|one| one.of == of && one.figure == figure).unwrap();
            (found.estimate, found.published)
        };
        assert_eq!(value("rook", "one-bits"), (278.0, Some(278.0)));
        assert_eq!(value("bishop", "one-bits"), (294.0, Some(294.0)));
        let perfect = "multipliers without a collision";
        assert_eq!(value("bishop, smaller tables", perfect).0, HALVED[0] as f64);
        assert_eq!(figures.len(), 12, "none fails: {figures:?}");
    }

    #[test]
    fn a_multiplier_that_fails_is_named() {
        // As a source prints the bishop's on d8, and one of the three numbers of three bits that will do.
        let figures = check("slider,square,multiplier\nbishop,d8,0x04202000\nbishop,d8,0x420200\n").unwrap();
        let [all, perfect, ones, failing] = &figures[..] else { panic!("{figures:?}") };
        assert_eq!([all.estimate, perfect.estimate, ones.estimate], [2.0, 1.0, 6.0]);
        assert!(failing.of == "bishop d8, 0000000004202000" && failing.estimate > 0.0, "{failing:?}");
    }

    #[test]
    fn a_table_that_cannot_be_read_says_where() {
        let cases = [
            ("slider,square,multiplier\n", "no multipliers"),
            ("slider,square\nrook,a1\n", "missing field `multiplier`"),
            ("slider,square,multiplier\nqueen,a1,1\n", "multiplier 1: 'queen' is not a slider"),
            ("slider,square,multiplier\nrook,a1,1\nrook,i1,1\n", "multiplier 2: 'i1' is not a square"),
            ("slider,square,multiplier\nrook,a1,1ffffffffffffffff\n", "is not a multiplier"),
            ("slider,square,bits,multiplier\nrook,a1,40,1\n", "from 1 to 12 bits, not 40"),
        ];
        for (text, expected) in cases {
            let error = check(text).unwrap_err();
            assert!(error.is_bad_input() && error.to_string().contains(expected), "{error}");
        }
    }

    #[test]
    fn what_is_printed_can_be_checked() {
        let spec = Spec {
            boards: Vec::new(),
            positions: Vec::new(),
            depth: None,
            time: std::time::Duration::from_millis(1),
            seed: 7,
        };
        let figures = check(&print(&spec, MultiplierSet::Multipliers).unwrap()).unwrap();
        assert_eq!(figures.iter().map(|figure| figure.estimate).take(2).collect::<Vec<_>>(), [64.0; 2]);
        assert_eq!(figures.len(), 6, "none fails: {figures:?}");
        assert!(print(&spec, MultiplierSet::Seeds).unwrap().contains("const ROOK: [u32; 64]"));
    }
}
