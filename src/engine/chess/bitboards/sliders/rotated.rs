//! Rotated bitboards, those of the thesis: three more copies of the occupied squares, turned so that each file and
//! diagonal lies in neighbouring bits: eight bits of a copy look up the attacks along a line. Every move updates all
//! copies.

use super::Sliders;
use super::filled::Filled;
use crate::chess::board::Unsupported;
use crate::chess::geometry::{const_table, slide};
use crate::chess::{Square, SquareSet};

/// Rotated bitboards (Hyatt, Crafty, 1990s).
#[derive(Clone, Copy, Debug)]
pub struct Rotated(());

/// The occupied squares three times over: by file, by diagonal (parallel to a1-h8), by antidiagonal (parallel to
/// h1-a8).
type Turned = [u64; 3];

/// Plain set of occupied squares and the turned ones.
#[derive(Clone, Copy)]
pub struct Occupied {
    ranks: u64,
    turned: Turned,
}

/// First bit of each diagonal in a board whose squares are numbered diagonal by diagonal.
const FIRST_OF_DIAGONAL: [u32; 15] = [0, 1, 3, 6, 10, 15, 21, 28, 36, 43, 49, 54, 58, 61, 63];

/// Bits of a square in the turned boards, and shifts that bring its lines down to the low eight bits.
struct Place {
    bits: Turned,
    shifts: [u32; 3],
}

static PLACES: [Place; 64] = const_table!(place(Square::A1); 64, |i| place(Square::wrapping(i)));

const fn place(square: Square) -> Place {
    let (file, rank) = (square.file() as u32, square.rank() as u32);
    let shifts = [8 * file, FIRST_OF_DIAGONAL[(rank + 7 - file) as usize], FIRST_OF_DIAGONAL[(rank + file) as usize]];
    let [files, diagonals, antidiagonals] = shifts;
    let bits = [
        1 << (files + rank),
        1 << (diagonals + along_diagonal(file, rank)),
        1 << (antidiagonals + along_diagonal(7 - file, rank)),
    ];
    Place { bits, shifts }
}

/// Number of squares of its diagonal below a square, towards the lower left.
const fn along_diagonal(file: u32, rank: u32) -> u32 {
    if file < rank { file } else { rank }
}

/// Attacks along one kind of line, by square and by eight bits of occupation. A line shorter than eight squares ignores
/// the bits above its end.
type Answers = [[SquareSet; 256]; 64];

/// Answers for ranks, files, diagonals and antidiagonals.
type Tables = [Answers; 4];

static TABLES: Filled<Tables> = Filled::new([[[SquareSet::EMPTY; 256]; 64]; 4]);

fn fill(tables: &mut Tables) {
    for from in Square::all() {
        let (file, rank) = (from.file(), from.rank());
        let below = along_diagonal(file.into(), rank.into()) as i8;
        let below_anti = along_diagonal((7 - file).into(), rank.into()) as i8;
        let lines = [(file as i8, (1, 0)), (rank as i8, (0, 1)), (below, (1, 1)), (below_anti, (-1, 1))];
        for (table, (below, step)) in tables.iter_mut().zip(lines) {
            table[from.index()] = std::array::from_fn(|bits| along(from, below, step, bits as u8));
        }
    }
}

/// Attacks along the line of this step, whose squares are occupied as the bits say; `below` squares of it lie before
/// `from`.
fn along(from: Square, below: i8, (files, ranks): (i8, i8), bits: u8) -> SquareSet {
    let occupied = (0..8)
        .filter(|bit| bits >> bit & 1 == 1)
        .filter_map(|bit| from.offset((bit - below) * files, (bit - below) * ranks));
    slide(from, &[(files, ranks), (-files, -ranks)], occupied.collect())
}

#[inline(always)]
fn eight_bits(board: u64, shift: u32) -> usize {
    usize::from((board >> shift) as u8)
}

impl Sliders for Rotated {
    type Kept = Turned;
    type Occupied = Occupied;

    fn prepare() -> Result<Self, Unsupported> {
        TABLES.fill(fill);
        Ok(Self(()))
    }

    fn table_bytes() -> usize {
        size_of::<Tables>() + size_of_val(&PLACES)
    }

    #[inline(always)]
    fn toggle(kept: &mut Turned, square: Square) {
        for (board, bit) in kept.iter_mut().zip(PLACES[square.index()].bits) {
            *board ^= bit;
        }
    }

    #[inline(always)]
    fn occupied(all: SquareSet, kept: Turned) -> Occupied {
        Occupied { ranks: all.0, turned: kept }
    }

    #[inline(always)]
    fn toggled(mut occupied: Occupied, squares: SquareSet) -> Occupied {
        occupied.ranks ^= squares.0;
        squares.for_each(|square| Self::toggle(&mut occupied.turned, square));
        occupied
    }

    #[inline(always)]
    fn bishop(self, from: Square, occupied: Occupied) -> SquareSet {
        // SAFETY: `self` was made by `prepare`.
        let [_, _, diagonals, antidiagonals] = unsafe { TABLES.get() };
        let (i, shifts) = (from.index(), &PLACES[from.index()].shifts);
        diagonals[i][eight_bits(occupied.turned[1], shifts[1])]
            | antidiagonals[i][eight_bits(occupied.turned[2], shifts[2])]
    }

    #[inline(always)]
    fn rook(self, from: Square, occupied: Occupied) -> SquareSet {
        // SAFETY: `self` was made by `prepare`.
        let [ranks, files, _, _] = unsafe { TABLES.get() };
        let (i, shifts) = (from.index(), &PLACES[from.index()].shifts);
        ranks[i][eight_bits(occupied.ranks, 8 * u32::from(from.rank()))]
            | files[i][eight_bits(occupied.turned[0], shifts[0])]
    }
}
