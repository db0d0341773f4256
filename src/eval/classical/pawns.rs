//! Pawns: their structure, which is remembered, and passed pawns, whose worth depends on the pieces.

use super::king;
use super::pieces::Attacks;
use super::tally::{Mixed, Tally};
use super::terms::*;
use crate::chess::PieceKind::Pawn;
use crate::chess::{Board, Color, Piece, Square, SquareSet};
use crate::random::SplitMix;

/// What follows from the pawns alone, by colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    pub pawns: [SquareSet; 2],
    /// Squares that pawns attack.
    pub attacks: [SquareSet; 2],
    /// Squares that pawns attack or may once they have advanced.
    pub reach: [SquareSet; 2],
    pub passed: [SquareSet; 2],
    /// Number of files without pawns beside the king.
    pub open: [u8; 2],
}

/// Pawns as they are remembered, in one cache line, with the shelter of the kings that were seen with them last.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct Structure {
    key: u64,
    pawns: [SquareSet; 2],
    /// Passed pawns of both sides.
    passed: SquareSet,
    /// Weights of the structure.
    pub sum: Mixed,
    /// Weights of the shelter of these kings.
    shelter: Mixed,
    kings: [Square; 2],
    open: [u8; 2],
}

/// Number of structures that are remembered.
const ENTRIES: usize = 2048;

/// Structures of pawns that a worker has met.
pub struct PawnTable(Box<[Structure]>);

impl Default for PawnTable {
    fn default() -> Self {
        Self(vec![Structure::of([SquareSet::EMPTY; 2], 0); ENTRIES].into_boxed_slice())
    }
}

/// Random numbers of pawns on squares.
static KEYS: [[u64; 64]; 2] = {
    let mut keys = [[0; 64]; 2];
    let mut random = SplitMix::new(0x70_61_77_6E);
    let mut i = 0;
    while i < 128 {
        keys[i / 64][i % 64] = random.next();
        i += 1;
    }
    keys
};

/// Number of a pawn on a square, in the key of all pawns.
#[inline(always)]
pub fn key(color: Color, square: Square) -> u64 {
    KEYS[color.index()][square.index()]
}

impl PawnTable {
    /// The structure of the pawns on a board, with its kings.
    #[inline(always)]
    pub fn structure<B: Board>(&mut self, board: &B, key: u64) -> &Structure {
        let entry = &mut self.0[key as usize % ENTRIES];
        if entry.key != key {
            *entry = Structure::of(Color::ALL.map(|color| board.set_of(Piece::new(color, Pawn))), key);
        }
        let kings = [board.king(Color::White), board.king(Color::Black)];
        if entry.kings != kings {
            entry.shelter_of(kings);
        }
        entry
    }
}

impl Structure {
    /// Structure of these pawns, with no kings.
    #[inline(never)]
    fn of(pawns: [SquareSet; 2], key: u64) -> Self {
        let [white, black] = Color::ALL.map(|color| passed(pawns, color));
        let passed = white | black;
        let mut structure = Self {
            key,
            pawns,
            passed,
            sum: Mixed::default(),
            shelter: Mixed::default(),
            kings: [Square::A1; 2],
            open: [0; 2],
        };
        let facts = structure.facts();
        count_structure(&mut structure.sum, &facts);
        structure
    }

    #[inline(never)]
    fn shelter_of(&mut self, kings: [Square; 2]) {
        self.shelter = Mixed::default();
        self.open = king::count_shelter(&mut self.shelter, self.pawns, kings);
        self.kings = kings;
    }

    /// Weights of structure and shelter.
    #[inline(always)]
    pub fn sum(&self) -> Mixed {
        self.sum + self.shelter
    }

    /// Facts about the pawns.
    #[inline(always)]
    pub fn facts(&self) -> Facts {
        let [white, black] = self.pawns;
        Facts {
            pawns: self.pawns,
            attacks: [white.forward(Color::White).beside(), black.forward(Color::Black).beside()],
            reach: [white.in_front(Color::White).beside(), black.in_front(Color::Black).beside()],
            passed: [self.passed & white, self.passed & black],
            open: self.open,
        }
    }
}

/// Pawns of a side that nothing of the opponent's stops or may capture on the way, and that have no own pawn in front.
fn passed(pawns: [SquareSet; 2], color: Color) -> SquareSet {
    let (own, theirs) = (pawns[color.index()], pawns[(!color).index()]);
    let before = theirs.in_front(!color);
    own - (before | before.beside() | own.in_front(!color))
}

impl Facts {
    /// Facts about the pawns on a board.
    #[cfg(test)]
    pub fn of<B: Board>(board: &B) -> Self {
        let mut structure = Structure::of(Color::ALL.map(|color| board.set_of(Piece::new(color, Pawn))), 0);
        structure.shelter_of(Color::ALL.map(|color| board.king(color)));
        structure.facts()
    }
}

/// Counts what depends on pawns alone.
pub fn count_structure<T: Tally>(tally: &mut T, facts: &Facts) {
    for color in Color::ALL {
        let side = color.sign();
        let (us, them) = (color.index(), (!color).index());
        let pawns = facts.pawns[us];
        let doubled = pawns & pawns.in_front(!color);
        tally.add(DOUBLED, side * doubled.len() as i32);
        let isolated = pawns - pawns.beside().files();
        tally.add(ISOLATED, side * isolated.len() as i32);
        let next = pawns.forward(color);
        let unsafe_next = (next & (facts.attacks[them] - facts.reach[us] - facts.attacks[us])).forward(!color);
        tally.add(BACKWARD, side * (unsafe_next - isolated).len() as i32);
        let connected = pawns & (facts.attacks[us] | pawns.beside());
        for square in connected {
            tally.add(CONNECTED + usize::from(square.seen_by(color).rank()), side);
        }
        for square in facts.passed[us] {
            tally.add(PASSED + usize::from(square.seen_by(color).rank()), side);
        }
        tally.add(PASSED_PROTECTED, side * (facts.passed[us] & facts.attacks[us]).len() as i32);
    }
}

/// Counts what passed pawns are worth beside the other pieces.
#[inline(always)]
pub fn count_passed<B: Board, T: Tally>(tally: &mut T, board: &B, facts: &Facts, attacks: &Attacks) {
    for color in Color::ALL {
        let them = !color;
        let is_lone = attacks.officers[them.index()] == 0;
        for square in facts.passed[color.index()] {
            let rank = usize::from(square.seen_by(color).rank());
            let next = SquareSet::of(square).forward(color);
            let Some(stop) = next.first() else { continue };
            tally.add(PASSED_OWN_KING + board.king(color).distance(stop), color.sign());
            tally.add(PASSED_ENEMY_KING + board.king(them).distance(stop), color.sign());
            let way = SquareSet::of(square).in_front(color);
            let is_free = (way & attacks.occupied).is_empty();
            if (next & attacks.occupied).is_empty() {
                tally.add(PASSED_FREE + rank, color.sign());
            }
            if is_free && (way & attacks.all[them.index()]).is_empty() {
                tally.add(PASSED_SAFE + rank, color.sign());
            }
            let steps = 7 - rank.max(2) + usize::from(rank == 1);
            let moves_first = usize::from(board.turn() == them);
            let last = Square::at(square.file(), color.rank(7));
            if is_lone && is_free && board.king(them).distance(last) > steps + moves_first {
                tally.add(UNSTOPPABLE, color.sign());
            }
        }
    }
}
