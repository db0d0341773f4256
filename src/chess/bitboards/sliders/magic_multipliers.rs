//! Magic multipliers, `a1` first: sparse random numbers, each the first of its square's sequence that sends all
//! occupations with different answers to different places. A test repeats the search.

#[rustfmt::skip]
pub const ROOK: [u64; 64] = [
    0x208000C009801420, 0x0200104201002480, 0x0100090242102000, 0x0E000440200A0090,
    0x4A00201108020004, 0x9500081D00840002, 0x0200008801040200, 0x0100010000214886,
    0x8000800040008020, 0x0000401000200040, 0x0401004100102000, 0x000A000A02104020,
    0x0003000801005004, 0x9103000400090002, 0x4810803A00090080, 0x00010020815A0100,
    0x0020008080004000, 0x0820004040003000, 0x0100828020001001, 0x0320828030020800,
    0x0912020008200510, 0x0201010004000802, 0x00001C0008220990, 0x4840020000541081,
    0xC012816080084008, 0x0086010600402081, 0x8010001880200080, 0x4080080080100080,
    0x8008041100080100, 0x0692000200100408, 0x0008020400595048, 0x018000A200010044,
    0x0080002000404000, 0x0000402000401000, 0x2401100081802000, 0x0000801000800802,
    0x0E24008004800802, 0x8014008004804200, 0x8424880124004290, 0xA201000041000496,
    0x02C0008000408020, 0x8101004210820022, 0x1220010010210044, 0xC804100100210008,
    0x0101020800050010, 0x4604000200808004, 0x0000A21008040021, 0x6800210080420004,
    0x8040008000402480, 0x0000409022010200, 0x20A080200C100080, 0xC0001022400A0200,
    0x0200041008010100, 0x4001000804002300, 0x80010022000C5100, 0x0202800100004080,
    0x40830020C8148001, 0x0021008020104001, 0x8CA00120400C1101, 0x8080082005001001,
    0x0002000508102002, 0x0105000208040001, 0x0040084210010084, 0x4080208100204412,
];

#[rustfmt::skip]
pub const BISHOP: [u64; 64] = [
    0x0820024200440880, 0x0008289800404001, 0x0008026042010000, 0x1008204040800100,
    0xC0040420D2400211, 0x2041092050222800, 0x0042050908428200, 0x0010842808042423,
    0x1080881119081100, 0x0044840108010110, 0x4100848104010080, 0x0040040408808202,
    0x0010042420200001, 0x4400882210121010, 0x0208010822022000, 0x0110104104103A00,
    0x0010804003020C00, 0x0004001891040C00, 0x14080110042E2120, 0x0010200804204000,
    0x0803000890400800, 0x0101000180600A04, 0x0001000404368200, 0x0080400824040400,
    0x0004400210114100, 0x0181100404100220, 0x4108220464180601, 0x0010040000440008,
    0x4044040006410040, 0x0002041002010080, 0x4008008200420808, 0x00020210104100A0,
    0x0104022001408500, 0x8208900510100400, 0xC004203000080180, 0x1402110800940040,
    0x0340202020020080, 0x4384040220441001, 0x4101020210008811, 0x0000840040290901,
    0x0024022010000404, 0x0482020104302000, 0x4100101088015000, 0x44200A0122040400,
    0x0008088100402401, 0x0020091A20200201, 0x0820148480810208, 0x010C008401100148,
    0xA1090D0920201043, 0x0A00321210040148, 0x0100009048080000, 0x8004430020880104,
    0x001006E495040100, 0x4001040890810020, 0x0840900202006910, 0x0004540C04002200,
    0x0208808890012040, 0x0000008C0C016402, 0x2048040100809040, 0x0004000002104400,
    0x20000000C0314100, 0x4000282803882A00, 0x8000B02008448088, 0x8040080084008020,
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::bitboards::sliders::look_up::{Slider, subsets};
    use crate::chess::{Square, SquareSet};
    use crate::random::SplitMix;

    /// Seed of the search that found the multipliers.
    const SEED: u64 = 2004;

    fn find(slider: Slider) -> [u64; 64] {
        std::array::from_fn(|i| find_for(slider, Square::wrapping(i)))
    }

    fn find_for(slider: Slider, from: Square) -> u64 {
        let mask = slider.mask(from);
        let shift = 64 - mask.len();
        let answers: Vec<_> = subsets(mask).map(|occupied| (occupied, slider.attacks(from, occupied))).collect();
        // Which attempt wrote each place: nothing needs to be cleared between attempts.
        let mut places = vec![(0_u32, SquareSet::EMPTY); answers.len()];
        let mut random = SplitMix::new(SEED ^ (slider as u64) << 32 ^ from.index() as u64);
        (1..)
            .find_map(|attempt| {
                // About 8 of 64 bits: dense multipliers hardly ever work.
                let multiplier = random.next() & random.next() & random.next();
                let spread = mask.0.wrapping_mul(multiplier) >> 56;
                // A good multiplier carries the mask into the top bits.
                let separates = spread.count_ones() >= 6
                    && answers.iter().all(|&(occupied, answer)| {
                        let place = &mut places[(occupied.0.wrapping_mul(multiplier) >> shift) as usize];
                        let free = place.0 != attempt;
                        if free {
                            *place = (attempt, answer);
                        }
                        free || place.1 == answer
                    });
                separates.then_some(multiplier)
            })
            .expect("the attempts do not end")
    }

    /// If this fails after a change of the search, the message is what belongs into the file.
    #[test]
    fn the_multipliers_are_those_that_the_search_finds() {
        for (name, slider, kept) in [("ROOK", Slider::Rook, &ROOK), ("BISHOP", Slider::Bishop, &BISHOP)] {
            let found = find(slider);
            let rows: Vec<_> = found
                .chunks(4)
                .map(|row| row.iter().map(|m| format!("0x{m:016X}")).collect::<Vec<_>>().join(", "))
                .collect();
            assert!(found == *kept, "pub const {name}: [u64; 64] = [\n    {},\n];", rows.join(",\n    "));
        }
    }
}
