//! Zobrist keys: the random numbers whose exclusive or is a position's key, and the two rules for combining them.

use std::collections::HashMap;
use std::fmt::Debug;
use std::sync::{LazyLock, Mutex, PoisonError};

use super::castling::{CASTLINGS, CastlingRights};
use super::{Color, Piece, PieceKind, Square};
use crate::choices::choices;
use crate::random::{SplitMix, Twister};

/// Rule for which features of a position enter its key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum KeyRule {
    /// Two positions have equal keys if the same moves are possible: the side to move counts, and the en passant square
    /// where a capture is legal.
    #[default]
    Clean,
    /// The rule of the program printed in the 2004 thesis: en passant after every double push, no key for the side to
    /// move (its tables are one for each colour).
    AsPrinted,
}

choices! {
    /// Where the numbers of keys come from, and with them the slots of a table in two tiers.
    pub enum Numbers, "source of keys";
    /// Our own generator, by the seed of the search.
    Seeded "seeded",
    /// As in the program of the 2004 thesis: the Mersenne Twister with its seed, slots by remainder, and the first of \
    /// two numbers as the higher half of a key.
    Printed "printed",
    /// As printed, but with the first of two numbers as the lower half of a key: C++ leaves their order open.
    PrintedSwapped "printed-swapped",
    /// A poor generator, to see what comes of it: linear congruential, modulo 2^16, four numbers to a key.
    Congruential "congruential",
}

impl Numbers {
    /// Whether keys and slots are those of the printed program.
    pub fn are_printed(self) -> bool {
        matches!(self, Self::Printed | Self::PrintedSwapped)
    }
}

/// Random numbers of one seed, and the rule by which they are combined.
///
/// The rule costs next to nothing at run time: a key for the side to move that does not count is 0, and the rule is
/// asked for at double pushes only.
pub struct Keys {
    rule: KeyRule,
    pieces: [[u64; 64]; 16],
    castling: [u64; 16],
    en_passant: [u64; 64],
    side: u64,
    /// Number that is in every key.
    common: u64,
}

impl Keys {
    /// Numbers of this seed, combined by the clean rule.
    pub fn of_seed(seed: u64) -> &'static Self {
        Self::of(KeyRule::Clean, Numbers::Seeded, seed)
    }

    /// Numbers of this seed, combined by this rule. They are made once a process and kept, so that a board holds them
    /// by a plain reference.
    pub fn of(rule: KeyRule, numbers: Numbers, seed: u64) -> &'static Self {
        type Made = HashMap<(KeyRule, Numbers, u64), &'static Keys>;
        static MADE: LazyLock<Mutex<Made>> = LazyLock::new(Mutex::default);
        let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
        made.entry((rule, numbers, seed)).or_insert_with(|| {
            Box::leak(Box::new(match numbers {
                Numbers::Seeded => {
                    let mut random = SplitMix::new(seed);
                    Self::draw(rule, || random.next())
                }
                Numbers::Congruential => {
                    let mut random = Congruential(seed as u16);
                    Self::draw(rule, || (0..4).fold(0, |key, _| key << 16 | u64::from(random.next())))
                }
                Numbers::Printed => Self::draw_as_printed(rule, |first, second| first << 32 | second),
                Numbers::PrintedSwapped => Self::draw_as_printed(rule, |first, second| second << 32 | first),
            }))
        })
    }

    /// Numbers that no search has its keys by: a second opinion on whether two positions are the same.
    pub(super) fn second() -> &'static Self {
        static SECOND: LazyLock<&Keys> = LazyLock::new(|| Keys::of_seed(SECOND_SEED));
        *SECOND
    }

    fn draw(rule: KeyRule, mut draw: impl FnMut() -> u64) -> Self {
        let mut keys = Self::zeros(rule);
        for piece in Piece::all() {
            keys.pieces[piece.code()].fill_with(&mut draw);
        }
        let rights: [u64; 4] = std::array::from_fn(|_| draw());
        for (set, key) in keys.castling.iter_mut().enumerate() {
            *key = (0..CASTLINGS.len()).filter(|i| set >> i & 1 == 1).fold(0, |key, i| key ^ rights[i]);
        }
        let by_file: [u64; 8] = std::array::from_fn(|_| draw());
        keys.en_passant = std::array::from_fn(|square| by_file[square % 8]);
        keys.take_side(draw())
    }

    /// Numbers in the order in which the printed program draws them. It has one for "no piece" on each square, one for
    /// each of four states of castling of either colour, one for each en passant square, and that of a1 for none.
    fn draw_as_printed(rule: KeyRule, join: fn(u64, u64) -> u64) -> Self {
        let mut random = Twister::new(PRINTED_SEED);
        let mut draw = || {
            let [first, second] = [(); 2].map(|()| u64::from(random.next()));
            join(first, second)
        };
        let mut keys = Self::zeros(rule);
        for color in Color::ALL {
            for _ in Square::all() {
                draw();
            }
            for kind in PieceKind::ALL {
                keys.pieces[Piece::new(color, kind).code()].fill_with(&mut draw);
            }
        }
        keys.en_passant.fill_with(&mut draw);
        let none = keys.en_passant[0];
        keys.en_passant.iter_mut().for_each(|key| *key ^= none);
        keys.common = none;
        let mut side = 0;
        for color in Color::ALL {
            let states: [u64; 4] = std::array::from_fn(|_| draw());
            for (set, key) in keys.castling.iter_mut().enumerate() {
                *key ^= states[set >> (2 * color.index()) & 3];
            }
            side ^= draw();
        }
        keys.take_side(side)
    }

    fn zeros(rule: KeyRule) -> Self {
        Self { rule, pieces: [[0; 64]; 16], castling: [0; 16], en_passant: [0; 64], side: 0, common: 0 }
    }

    fn take_side(mut self, side: u64) -> Self {
        self.side = match self.rule {
            KeyRule::Clean => side,
            KeyRule::AsPrinted => 0,
        };
        self
    }

    /// Number of a piece on a square.
    #[inline(always)]
    pub(super) fn piece(&self, piece: Piece, square: Square) -> u64 {
        self.pieces[piece.code()][square.index()]
    }

    /// Number of a set of castling rights; 0 for none.
    #[inline(always)]
    pub(super) fn castling(&self, rights: CastlingRights) -> u64 {
        self.castling[rights.index()]
    }

    /// Number of an en passant square; 0 for none.
    #[inline(always)]
    pub(super) fn en_passant(&self, square: Option<Square>) -> u64 {
        square.map_or(0, |square| self.en_passant[square.index()])
    }

    /// Number that a change of the side to move toggles.
    #[inline(always)]
    pub(super) fn turn(&self) -> u64 {
        self.side
    }

    /// Number of a side to move, with what is in every key.
    pub(super) fn side(&self, side: Color) -> u64 {
        match side {
            Color::White => self.common,
            Color::Black => self.common ^ self.side,
        }
    }

    /// Whether the en passant square is remembered after every double push, or only where a capture is legal.
    #[inline(always)]
    pub(super) fn remembers_every_double_push(&self) -> bool {
        self.rule == KeyRule::AsPrinted
    }
}

/// Difference between the keys of a position with White and with Black to move.
const BLACK: u64 = 0x9E6C_63D0_876A_3F2B;

/// Key of a position that also tells who is to move: keys as printed do not.
#[inline(always)]
pub fn with_side(key: u64, side: Color) -> u64 {
    match side {
        Color::White => key,
        Color::Black => key ^ BLACK,
    }
}

/// Seed of the printed program.
const PRINTED_SEED: u32 = 68;
/// Seed that nobody chooses.
const SECOND_SEED: u64 = 0xD1B5_4A32_D192_ED03;

/// The poor generator: 25173 x + 13849 modulo 2^16, as in old textbooks.
struct Congruential(u16);

impl Congruential {
    fn next(&mut self) -> u16 {
        self.0 = self.0.wrapping_mul(25_173).wrapping_add(13_849);
        self.0
    }
}

impl Debug for Keys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Keys").field("rule", &self.rule).field("side", &self.side).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::mailbox::Mailbox;
    use crate::chess::{Board, Setup};

    /// The key of the position before the first move, from the numbers by their places in the order of drawing.
    #[test]
    fn printed_keys_are_drawn_in_the_printed_order() {
        let mut twister = Twister::new(68);
        let halves: Vec<u64> = std::iter::repeat_with(|| twister.next().into()).take(2 * 970).collect();
        for (numbers, high, low) in [(Numbers::Printed, 0, 1), (Numbers::PrintedSwapped, 1, 0)] {
            let number = |i: usize| halves[2 * i + high] << 32 | halves[2 * i + low];
            let back_rank = [4, 2, 3, 5, 6, 3, 2, 4];
            let mut expected = number(2 * 448) ^ number(960 + 3) ^ number(965 + 3);
            for (file, kind) in back_rank.into_iter().enumerate() {
                for (color, back, front) in [(0, 0, 8), (448, 56, 48)] {
                    expected ^= number(color + 64 * kind + back + file) ^ number(color + 64 + front + file);
                }
            }
            let keys = Keys::of(KeyRule::AsPrinted, numbers, 0);
            assert_eq!(Mailbox::set_up(&Setup::start(), keys).unwrap().key(), expected);
        }
    }

    #[test]
    fn a_seed_always_gives_the_same_numbers() {
        assert!(std::ptr::eq(Keys::of_seed(7), Keys::of_seed(7)));
        assert_ne!(Keys::of_seed(7).side, Keys::of_seed(8).side);
        // The keys of seed 0 are published with every result that was ever made with them.
        let mut random = SplitMix::new(0);
        assert_eq!(Keys::of_seed(0).side, Keys::draw(KeyRule::Clean, || random.next()).side);
    }
}
