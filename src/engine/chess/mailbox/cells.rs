//! The cells of the mailbox board: 15 wide and 12 high, with the 64 squares in the middle of a guard border.
//!
//! The border is wide enough that the difference of two cells tells how they lie to each other, wherever on the board
//! they are (Reul 2009, chapter 2): a table of 225 entries answers for all 64 x 64 pairs of squares.

use crate::chess::geometry::{KING_STEPS, KNIGHT_STEPS, const_table};
use crate::chess::{Color, Piece, Square};

/// Number of cells in a row.
pub const WIDTH: isize = 15;
/// Number of cells.
pub const CELLS: usize = 180;
/// The cell of `a1`.
pub const FIRST: usize = 33;
/// Cells from `a1` to `h8`, with the border between them.
pub const SPAN: usize = 7 * WIDTH as usize + 8;
/// Cell for 'see through no piece': one of the border.
pub const NOTHING: usize = 0;

/// Content of a cell: nothing, a piece (one bit for its kind, a queen has the bishop's and the rook's, and one for its
/// colour), or the border.
pub type Code = u8;
pub const EMPTY: Code = 0;
pub const PAWN: Code = 0x01;
pub const KNIGHT: Code = 0x02;
pub const BISHOP: Code = 0x04;
pub const ROOK: Code = 0x08;
pub const KING: Code = 0x10;
pub const WHITE: Code = 0x20;
pub const BLACK: Code = 0x40;
pub const BORDER: Code = 0x80;

/// The bit of a colour.
#[inline(always)]
pub const fn color_bit(color: Color) -> Code {
    match color {
        Color::White => WHITE,
        Color::Black => BLACK,
    }
}

static CODES: [Code; 16] = const_table!(EMPTY; 16, |i| match Piece::from_code(i as u8) {
    None => EMPTY,
    Some(piece) => {
        let kind = [PAWN, KNIGHT, BISHOP, ROOK, BISHOP | ROOK, KING][piece.kind().index()];
        kind | color_bit(piece.color())
    }
});

static PIECES: [Option<Piece>; 256] = {
    let mut pieces = [None; 256];
    let mut i = 0;
    while i < CODES.len() {
        if let Some(piece) = Piece::from_code(i as u8) {
            pieces[CODES[i] as usize] = Some(piece);
        }
        i += 1;
    }
    pieces
};

/// The code of a piece.
#[inline(always)]
pub fn code(piece: Piece) -> Code {
    CODES[piece.code()]
}

/// The piece with this code.
#[inline(always)]
pub fn piece(code: Code) -> Option<Piece> {
    PIECES[usize::from(code)]
}

/// The cell of a square.
#[inline(always)]
pub const fn cell(square: Square) -> usize {
    FIRST + square.index() + 7 * square.rank() as usize
}

/// Square of each cell. Cells of the border have `a1`, which is never used.
static SQUARES: [Square; 256] = {
    let mut squares = [Square::A1; 256];
    let mut i = 0;
    while i < Square::COUNT {
        squares[cell(Square::wrapping(i))] = Square::wrapping(i);
        i += 1;
    }
    squares
};

/// The square of a cell.
#[inline(always)]
pub fn square(cell: usize) -> Square {
    SQUARES[cell & 0xFF]
}

/// The cell one step further.
#[inline(always)]
pub const fn step(cell: usize, step: isize) -> usize {
    cell.wrapping_add_signed(step)
}

/// Relation of two cells by their difference: 225 entries, and room so that a byte as index needs no bounds check.
struct Relation {
    /// The kinds of pieces, pawns aside, that attack the one from the other on an empty board.
    reach: [Code; 256],
    /// The step that leads from the one to the other along a line; 0 if they are not on one.
    step: [i8; 256],
}

const CENTRE: isize = 112;

static RELATION: Relation = {
    let mut table = Relation { reach: [EMPTY; 256], step: [0; 256] };
    let mut i = 0;
    while i < 8 {
        let (files, ranks) = KNIGHT_STEPS[i];
        table.reach[(CENTRE + files as isize + WIDTH * ranks as isize) as usize] = KNIGHT;
        let (files, ranks) = KING_STEPS[i];
        let one = files as isize + WIDTH * ranks as isize;
        let slider = if files != 0 && ranks != 0 { BISHOP } else { ROOK };
        let mut distance = 1;
        while distance < 8 {
            let place = (CENTRE + distance * one) as usize;
            table.reach[place] = if distance == 1 { slider | KING } else { slider };
            table.step[place] = one as i8;
            distance += 1;
        }
        i += 1;
    }
    table
};

#[inline(always)]
fn difference(from: usize, to: usize) -> usize {
    (CENTRE as usize).wrapping_add(to).wrapping_sub(from) & 0xFF
}

/// The kinds of pieces, pawns aside, that attack `to` from `from` on an empty board.
#[inline(always)]
pub fn reach(from: usize, to: usize) -> Code {
    RELATION.reach[difference(from, to)]
}

/// The step that leads from `from` to `to` along a line; 0 if they are not on one.
#[inline(always)]
pub fn direction(from: usize, to: usize) -> isize {
    isize::from(RELATION.step[difference(from, to)])
}

/// The empty board with its border.
pub static BLANK: [Code; CELLS] = {
    let mut cells = [BORDER; CELLS];
    let mut i = 0;
    while i < Square::COUNT {
        cells[cell(Square::wrapping(i))] = EMPTY;
        i += 1;
    }
    cells
};

/// Bytes of the tables of this module.
pub const TABLE_BYTES: usize =
    size_of::<Relation>() + size_of_val(&CODES) + size_of_val(&PIECES) + size_of_val(&SQUARES) + size_of_val(&BLANK);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::SquareSet;
    use crate::chess::geometry;

    #[test]
    fn a_difference_tells_how_two_cells_lie() {
        for from in Square::all() {
            for to in Square::all() {
                let (a, b) = (cell(from), cell(to));
                let reach = reach(a, b);
                assert_eq!(reach & KNIGHT != 0, geometry::knight(from).contains(to), "{from}{to}");
                assert_eq!(reach & KING != 0, geometry::king(from).contains(to), "{from}{to}");
                assert_eq!(reach & BISHOP != 0, geometry::bishop_lines(from).contains(to), "{from}{to}");
                assert_eq!(reach & ROOK != 0, geometry::rook_lines(from).contains(to), "{from}{to}");
                let passed: SquareSet = match direction(a, b) {
                    0 => SquareSet::EMPTY,
                    by => (1..).map(|n| step(a, n * by)).take_while(|c| *c != b).map(square).collect(),
                };
                assert_eq!(passed, geometry::between(from, to), "{from}{to}");
            }
            assert_eq!(square(cell(from)), from);
        }
    }
}
