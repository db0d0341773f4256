//! The geometry of the board, computed by the compiler: steps, leaps, and lines through two squares.

use super::{Color, Square, SquareSet};

/// A step to a neighbouring square: files, ranks.
pub type Step = (i8, i8);

/// The four steps of a rook.
pub const ROOK_STEPS: [Step; 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
/// The four steps of a bishop.
pub const BISHOP_STEPS: [Step; 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
/// The eight leaps of a knight.
pub const KNIGHT_STEPS: [Step; 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
/// The eight steps of a king.
pub const KING_STEPS: [Step; 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

/// Squares that a slider with these steps reaches, found one by one: the definition that every faster sliding method
/// is built from and tested against.
pub const fn slide(from: Square, steps: &[Step], occupied: SquareSet) -> SquareSet {
    let mut reached = SquareSet::EMPTY;
    let mut i = 0;
    while i < steps.len() {
        let (files, ranks) = steps[i];
        let mut next = from.offset(files, ranks);
        while let Some(square) = next {
            reached = reached.with(square);
            next = if occupied.contains(square) { None } else { square.offset(files, ranks) };
        }
        i += 1;
    }
    reached
}

/// Array whose entries the compiler computes one by one.
macro_rules! const_table {
    ($blank:expr; $length:expr, |$i:ident| $entry:expr) => {{
        let mut table = [const { $blank }; $length];
        let mut $i = 0;
        while $i < $length {
            table[$i] = $entry;
            $i += 1;
        }
        table
    }};
}
pub(super) use const_table;

const fn slides(steps: &[Step], occupied: SquareSet) -> [SquareSet; 64] {
    const_table!(SquareSet::EMPTY; 64, |from| slide(Square::wrapping(from), steps, occupied))
}

/// On a board without an empty square nobody gets further than one step.
const fn leaps(steps: &[Step]) -> [SquareSet; 64] {
    slides(steps, SquareSet::FULL)
}

static KNIGHT: [SquareSet; 64] = leaps(&KNIGHT_STEPS);
static KING: [SquareSet; 64] = leaps(&KING_STEPS);
static PAWN: [[SquareSet; 64]; 2] = [leaps(&[(-1, 1), (1, 1)]), leaps(&[(-1, -1), (1, -1)])];
static ROOK_LINES: [SquareSet; 64] = slides(&ROOK_STEPS, SquareSet::EMPTY);
static BISHOP_LINES: [SquareSet; 64] = slides(&BISHOP_STEPS, SquareSet::EMPTY);

/// Squares that a knight attacks.
#[inline(always)]
pub fn knight(from: Square) -> SquareSet {
    KNIGHT[from.index()]
}

/// Squares that a king attacks.
#[inline(always)]
pub fn king(from: Square) -> SquareSet {
    KING[from.index()]
}

/// Squares that a pawn of this colour attacks.
#[inline(always)]
pub fn pawn(color: Color, from: Square) -> SquareSet {
    PAWN[color.index()][from.index()]
}

/// Squares that a rook attacks on an empty board.
#[inline(always)]
pub fn rook_lines(from: Square) -> SquareSet {
    ROOK_LINES[from.index()]
}

/// Squares that a bishop attacks on an empty board.
#[inline(always)]
pub fn bishop_lines(from: Square) -> SquareSet {
    BISHOP_LINES[from.index()]
}

/// Squares of the line through two squares: those between them, and all.
struct Lines {
    between: [[SquareSet; 64]; 64],
    through: [[SquareSet; 64]; 64],
}

static LINES: Lines = {
    let mut table = Lines { between: [[SquareSet::EMPTY; 64]; 64], through: [[SquareSet::EMPTY; 64]; 64] };
    let mut from = 0;
    while from < 64 {
        let mut i = 0;
        while i < KING_STEPS.len() {
            let (files, ranks) = KING_STEPS[i];
            let origin = Square::wrapping(from);
            let axis = [KING_STEPS[i], (-files, -ranks)];
            let through = slide(origin, &axis, SquareSet::EMPTY).with(origin);
            let mut passed = SquareSet::EMPTY;
            let mut next = origin.offset(files, ranks);
            while let Some(to) = next {
                table.between[from][to as usize] = passed;
                table.through[from][to as usize] = through;
                passed = passed.with(to);
                next = to.offset(files, ranks);
            }
            i += 1;
        }
        from += 1;
    }
    table
};

/// Squares strictly between two squares; empty if they are not on one line.
#[inline(always)]
pub fn between(a: Square, b: Square) -> SquareSet {
    LINES.between[a.index()][b.index()]
}

/// Whole line through two squares, from edge to edge, both included; empty if they are not on one line.
#[inline(always)]
pub fn line(a: Square, b: Square) -> SquareSet {
    LINES.through[a.index()][b.index()]
}

/// Bytes of the tables of this module.
pub const TABLE_BYTES: usize = size_of::<Lines>() + 6 * size_of::<[SquareSet; 64]>();

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_leaps() {
        let set = |text: &str| text.split_whitespace().map(|name| name.parse().unwrap()).collect::<SquareSet>();
        assert_eq!(between(Square::A1, Square::D4), set("b2 c3"));
        assert_eq!(between(Square::D4, Square::A1), set("b2 c3"));
        assert_eq!(between(Square::A1, Square::B3), SquareSet::EMPTY);
        assert_eq!(line(Square::C3, Square::B2), set("a1 b2 c3 d4 e5 f6 g7 h8"));
        assert_eq!(line(Square::A2, Square::H2), SquareSet::rank(1));
        assert_eq!(knight(Square::A1), set("b3 c2"));
        assert_eq!(pawn(Color::Black, Square::H5), set("g4"));
        assert_eq!(slide(Square::B1, &ROOK_STEPS, set("b3 d1 h8")), set("a1 c1 d1 b2 b3"));
    }
}
