//! Pawns: their structure, which is remembered, and passed pawns, whose worth depends on the pieces.

use super::pieces::Attacks;
use super::seen_by;
use super::tally::{Mixed, Tally};
use super::terms::*;
use crate::chess::PieceKind::Pawn;
use crate::chess::{Board, Color, Piece, Square, SquareSet};
use crate::random::SplitMix;

/// Squares of pawns, squares that they attack, and passed pawns, by colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    pub pawns: [SquareSet; 2],
    /// Squares that pawns attack.
    pub attacks: [SquareSet; 2],
    /// Squares that pawns attack or may once they have advanced.
    pub reach: [SquareSet; 2],
    pub passed: [SquareSet; 2],
}

/// Pawns as they are remembered.
#[derive(Clone, Copy, Debug, Default)]
pub struct Structure {
    key: u64,
    pub facts: Facts,
    pub sum: Mixed,
}

/// Number of structures that are remembered.
const ENTRIES: usize = 4096;

/// Structures of pawns that a worker has met.
pub struct PawnTable(Box<[Structure]>);

impl Default for PawnTable {
    fn default() -> Self {
        Self(vec![Structure::default(); ENTRIES].into_boxed_slice())
    }
}

/// Random numbers of pawns on squares.
static KEYS: std::sync::LazyLock<[[u64; 64]; 2]> = std::sync::LazyLock::new(|| {
    let mut random = SplitMix::new(0x70_61_77_6E);
    std::array::from_fn(|_| std::array::from_fn(|_| random.next()))
});

/// Number of a pawn on a square, in the key of all pawns.
#[inline(always)]
pub fn key(color: Color, square: Square) -> u64 {
    KEYS[color.index()][square.index()]
}

impl PawnTable {
    /// The structure of the pawns on a board.
    #[inline(always)]
    pub fn structure<B: Board>(&mut self, board: &B, key: u64) -> Structure {
        let entry = &mut self.0[key as usize % ENTRIES];
        if entry.key != key || key == 0 {
            *entry = Structure::of(board, key);
        }
        *entry
    }
}

impl Structure {
    #[inline(never)]
    fn of<B: Board>(board: &B, key: u64) -> Self {
        let facts = Facts::of(board);
        let mut sum = Mixed::default();
        count_structure(&mut sum, &facts);
        Self { key, facts, sum }
    }
}

/// The squares in front of these, up to the last rank.
fn in_front(mut set: SquareSet, color: Color) -> SquareSet {
    let mut all = SquareSet::EMPTY;
    while !set.is_empty() {
        set = set.forward(color);
        all |= set;
    }
    all
}

fn beside(set: SquareSet) -> SquareSet {
    set.west() | set.east()
}

/// Files of these squares.
pub fn files(set: SquareSet) -> SquareSet {
    in_front(set, Color::White) | in_front(set, Color::Black) | set
}

impl Facts {
    /// Facts about the pawns on a board.
    pub fn of<B: Board>(board: &B) -> Self {
        let mut facts = Self::default();
        for color in Color::ALL {
            let pawns = board.squares_of(Piece::new(color, Pawn)).fold(SquareSet::EMPTY, SquareSet::with);
            facts.pawns[color.index()] = pawns;
            facts.attacks[color.index()] = beside(pawns.forward(color));
            facts.reach[color.index()] = beside(in_front(pawns, color));
        }
        for color in Color::ALL {
            let (own, theirs) = (facts.pawns[color.index()], facts.pawns[(!color).index()]);
            // Nothing of theirs is in front or may capture on the way, and no own pawn is in front.
            let stopped = in_front(theirs, !color) | facts.reach[(!color).index()] | in_front(own, !color);
            facts.passed[color.index()] = own - stopped;
        }
        facts
    }
}

/// Counts what depends on pawns alone.
pub fn count_structure<T: Tally>(tally: &mut T, facts: &Facts) {
    for color in Color::ALL {
        let side = if color == Color::White { 1 } else { -1 };
        let (us, them) = (color.index(), (!color).index());
        let pawns = facts.pawns[us];
        let doubled = pawns & in_front(pawns, !color);
        tally.add(DOUBLED, side * doubled.len() as i32);
        let isolated = pawns - files(beside(pawns));
        tally.add(ISOLATED, side * isolated.len() as i32);
        let next = pawns.forward(color);
        let unsafe_next = (next & (facts.attacks[them] - facts.reach[us] - facts.attacks[us])).forward(!color);
        tally.add(BACKWARD, side * (unsafe_next - isolated).len() as i32);
        let connected = pawns & (facts.attacks[us] | beside(pawns));
        for square in connected {
            tally.add(CONNECTED + usize::from(seen_by(color, square).rank()), side);
        }
        for square in facts.passed[us] {
            tally.add(PASSED + usize::from(seen_by(color, square).rank()), side);
        }
        tally.add(PASSED_PROTECTED, side * (facts.passed[us] & facts.attacks[us]).len() as i32);
    }
}

/// Greater of the distances by file and by rank.
pub fn distance(a: Square, b: Square) -> usize {
    usize::from(a.file().abs_diff(b.file()).max(a.rank().abs_diff(b.rank())))
}

/// Counts what passed pawns are worth beside the other pieces.
pub fn count_passed<B: Board, T: Tally>(tally: &mut T, board: &B, facts: &Facts, attacks: &Attacks) {
    for color in Color::ALL {
        let side = if color == Color::White { 1 } else { -1 };
        let them = !color;
        let kings = [color, them].map(|color| board.king(color));
        let is_lone = attacks.officers[them.index()] == 0;
        for square in facts.passed[color.index()] {
            let rank = usize::from(seen_by(color, square).rank());
            let next = SquareSet::of(square).forward(color);
            let Some(stop) = next.first() else { continue };
            tally.add(PASSED_OWN_KING + distance(kings[0], stop), side);
            tally.add(PASSED_ENEMY_KING + distance(kings[1], stop), side);
            let way = in_front(SquareSet::of(square), color);
            let is_free = (way & attacks.occupied).is_empty();
            if (next & attacks.occupied).is_empty() {
                tally.add(PASSED_FREE + rank, side);
            }
            if is_free && (way & attacks.all[them.index()]).is_empty() {
                tally.add(PASSED_SAFE + rank, side);
            }
            let steps = 7 - rank.max(2) + usize::from(rank == 1);
            let moves_first = usize::from(board.turn() == them);
            let last = way.into_iter().find(|square| matches!(square.rank(), 0 | 7)).unwrap_or(stop);
            if is_lone && is_free && distance(kings[1], last) > steps + moves_first {
                tally.add(UNSTOPPABLE, side);
            }
        }
    }
}
