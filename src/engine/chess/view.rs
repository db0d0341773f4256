//! Views of a position that are the same to play: with the colours exchanged, or with left and right. A program that
//! answers one of them otherwise than another has only been led elsewhere by the order of its moves and by its table,
//! so views are for programs without seeds what seeds are for ours.

use super::{CastlingRights, Color, Piece, Setup, Square, setup::Parts};

/// View of a position. Its number counts from 0, the position as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// Whether White and Black change places.
    exchanges: bool,
    /// Whether the a-file becomes the h-file.
    mirrors: bool,
}

impl View {
    /// Number of different views of a position: two if somebody may still castle, for kings castle to either side in a
    /// different way, else four.
    pub fn count(setup: &Setup) -> u64 {
        if setup.castling == CastlingRights::NONE { 4 } else { 2 }
    }

    /// The view of this number, counted round.
    pub fn of_number(number: u64, setup: &Setup) -> Self {
        let number = number % Self::count(setup);
        Self { exchanges: number % 2 == 1, mirrors: number >= 2 }
    }

    /// The position in this view.
    pub fn of(self, setup: &Setup) -> Setup {
        let color = |color: Color| if self.exchanges { !color } else { color };
        let mut parts: Parts = Parts {
            pieces: [None; 64],
            turn: color(setup.turn),
            castling: if self.exchanges { setup.castling.exchanged() } else { setup.castling },
            en_passant: setup.en_passant.map(|square| self.square(square)),
            halfmove_clock: setup.halfmove_clock,
            fullmove: setup.fullmove,
        };
        for (square, piece) in setup.pieces() {
            parts.pieces[self.square(square).index()] = Some(Piece::new(color(piece.color()), piece.kind()));
        }
        Setup::trusted(parts)
    }

    /// The square in this view. The same again leads back.
    pub fn square(self, square: Square) -> Square {
        let square = if self.exchanges { square.flipped() } else { square };
        if self.mirrors { square.mirrored() } else { square }
    }

    /// A move in coordinates (`e7e8q`) in this view; what is none stays as it is.
    pub fn mv(self, text: &str) -> String {
        let square = |part: &str| part.parse().ok().map(|square| self.square(square).to_string());
        match (text.get(..2).and_then(square), text.get(2..4).and_then(square), text.get(4..)) {
            (Some(from), Some(to), Some(rest)) => format!("{from}{to}{rest}"),
            _ => text.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_seen_from_four_sides() {
        let setup: Setup = "4k3/P6p/8/3pP3/8/8/8/4K3 w - d6 0 20".parse().unwrap();
        let views = [
            ("4k3/P6p/8/3pP3/8/8/8/4K3 w - d6 0 20", "e5d6"),
            ("4k3/8/8/8/3Pp3/8/p6P/4K3 b - d3 0 20", "e4d3"),
            ("3k4/p6P/8/3Pp3/8/8/8/3K4 w - e6 0 20", "d5e6"),
            ("3k4/8/8/8/3pP3/8/P6p/3K4 b - e3 0 20", "d4e3"),
        ];
        for (number, (fen, mv)) in (0..).zip(views) {
            let view = View::of_number(number, &setup);
            assert_eq!((view.of(&setup).to_string().as_str(), view.mv("e5d6").as_str()), (fen, mv));
            assert_eq!(View::of_number(number + 4, &setup), view);
        }
        assert_eq!(View::of_number(1, &setup).mv("a7a8q"), "a2a1q");
        assert_eq!(View::of_number(1, &setup).mv("nonsense"), "nonsense");
        let castling: Setup = "r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1".parse().unwrap();
        assert_eq!(View::of_number(3, &castling).of(&castling).to_string(), "4k2r/8/8/8/8/8/8/R3K3 b Qk - 0 1");
    }
}
