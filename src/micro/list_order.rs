//! What would change in exchanges if of equal pieces the first of the list captured first, as it did in the published
//! program, and not that on the lowest square. Lists permute as moves are made and unmade, so that such exchanges
//! depend on what was searched before. One piece may hide a slider of the enemy and the other not: figure 2.8.

use std::cell::Cell;

use crate::chess::see::see;
use crate::chess::{Board, Move, PieceKind, Square, SquareSet};

thread_local! {
    /// Whether exchanges on this thread are evaluated in the order of the lists.
    static BY_LIST: Cell<bool> = const { Cell::new(false) };
    /// Set of the kinds of which another piece has captured than that on the lowest square, a bit for each.
    static OTHERS: Cell<u8> = const { Cell::new(0) };
}

/// Exchanges by what the order of lists changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Orders {
    /// All exchanges.
    pub exchanges: u64,
    /// Number of exchanges in which another piece captures.
    pub pieces: u64,
    /// Number of exchanges that have another value.
    pub values: u64,
    /// Number of exchanges that have another value, where the other pieces are rooks only.
    pub values_by_rooks: u64,
}

impl Orders {
    /// Adds the exchange of a move, evaluated in both orders.
    pub fn add<B: Board>(&mut self, board: &B, mv: Move) {
        let by_square = see(board, mv);
        OTHERS.set(0);
        BY_LIST.set(true);
        let by_list = see(board, mv);
        BY_LIST.set(false);
        let (others, is_other_value) = (OTHERS.get(), by_list != by_square);
        self.exchanges += 1;
        self.pieces += u64::from(others != 0);
        self.values += u64::from(is_other_value);
        self.values_by_rooks += u64::from(is_other_value && others == bit(PieceKind::Rook));
    }
}

const fn bit(kind: PieceKind) -> u8 {
    1 << kind.index()
}

/// The piece that captures next, which is one of those on these squares: `least`, or the first of its list that is.
#[inline]
pub fn next<B: Board>(board: &B, least: (PieceKind, Square), squares: SquareSet) -> (PieceKind, Square) {
    let (kind, lowest) = least;
    if !BY_LIST.get() {
        return least;
    }
    let Some(piece) = board.piece_on(lowest) else { return least };
    let first = board.squares_of(piece).find(|square| squares.contains(*square)).unwrap_or(lowest);
    if first != lowest {
        OTHERS.set(OTHERS.get() | bit(kind));
    }
    (kind, first)
}

#[cfg(test)]
mod tests {
    use super::super::listened::Listener;
    use super::*;
    use crate::chess::Keys;
    use crate::chess::mailbox::ListBoard;
    use crate::chess::notation::parse_san;

    /// The rook on d2 takes the knight without letting that on a4 in; the other rook, which is the first of the list
    /// when it comes from c1, lets it in, so that White would rather not take back.
    #[test]
    fn the_rooks_of_figure_2_8() {
        for (setup, by_list) in [("2R4K", [1, 1, 1, 1]), ("7K", [1, 0, 0, 0])] {
            let rook = if by_list[1] == 1 { "8" } else { "2R5" };
            let setup = format!("3q3k/8/4n3/8/r2P4/{rook}/3R4/{setup} w - - 0 1").parse().unwrap();
            let mut board = ListBoard::<Listener>::set_up(&setup, Keys::of_seed(0)).unwrap();
            let _ = board.make(parse_san(&board, "Rc4").unwrap());
            let capture = parse_san(&board, "Nxd4").unwrap();
            let mut orders = Orders::default();
            orders.add(&board, capture);
            let Orders { exchanges, pieces, values, values_by_rooks } = orders;
            assert_eq!([exchanges, pieces, values, values_by_rooks], by_list, "{setup:?}");
            assert_eq!(see(&board, capture).0, -1_000, "by square");
        }
    }
}
