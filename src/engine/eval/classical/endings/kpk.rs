//! King and pawn against king, known exactly: every position is won or drawn. The table is a file, so that no process
//! has to make it; a test finds it again, backwards from the positions where it is plain.

use crate::chess::{Color, Square};

/// Positions: side to move, kings, and the pawn on files a to d, ranks 2 to 7. White has the pawn.
const POSITIONS: usize = 2 * 64 * 64 * 24;

/// A bit for each position that White wins.
static WON: &[u8; POSITIONS / 8] = include_bytes!("kpk.bin");

/// A position.
#[derive(Clone, Copy)]
struct Position {
    white_moves: bool,
    white: Square,
    black: Square,
    pawn: Square,
}

impl Position {
    fn number(self) -> usize {
        let pawn = usize::from(self.pawn.file()) + 4 * (usize::from(self.pawn.rank()) - 1);
        ((usize::from(self.white_moves) * 64 + self.white.index()) * 64 + self.black.index()) * 24 + pawn
    }
}

/// Whether the side with the pawn wins.
pub fn is_won(strong: Color, strong_king: Square, pawn: Square, weak_king: Square, turn: Color) -> bool {
    let seen = |square: Square| {
        let square = if strong == Color::White { square } else { square.flipped() };
        if pawn.file() > 3 { Square::at(7 - square.file(), square.rank()) } else { square }
    };
    let position =
        Position { white_moves: turn == strong, white: seen(strong_king), black: seen(weak_king), pawn: seen(pawn) };
    let number = position.number();
    WON[number / 8] >> (number % 8) & 1 == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{SquareSet, geometry};

    /// Verdict on a position while the table of won positions is made.
    #[derive(Clone, Copy, PartialEq, Eq)]
    enum Known {
        Impossible,
        Unknown,
        Drawn,
        Won,
    }

    impl Position {
        fn of(number: usize) -> Self {
            let (rest, pawn) = (number / 24, number % 24);
            let pawn = Square::at((pawn % 4) as u8, 1 + (pawn / 4) as u8);
            let (rest, black) = (rest / 64, Square::wrapping(rest % 64));
            Self { white_moves: rest / 64 > 0, white: Square::wrapping(rest % 64), black, pawn }
        }

        /// Verdict that needs no look at moves: impossible positions, safe promotions, stalemate, a pawn that is lost.
        fn at_first(self) -> Known {
            let attacked = geometry::pawn(Color::White, self.pawn);
            let is_impossible = self.white == self.black
                || self.white == self.pawn
                || self.black == self.pawn
                || geometry::king(self.white).contains(self.black)
                || self.white_moves && attacked.contains(self.black);
            if is_impossible {
                return Known::Impossible;
            }
            if self.white_moves {
                let promotion = SquareSet::of(self.pawn).forward(Color::White);
                let Some(next) = promotion.first().filter(|_| self.pawn.rank() == 6) else { return Known::Unknown };
                let is_safe = !geometry::king(self.black).contains(next) || geometry::king(self.white).contains(next);
                let is_free = next != self.white && next != self.black;
                return if is_safe && is_free { Known::Won } else { Known::Unknown };
            }
            let taken = geometry::king(self.white) | attacked;
            let may_go = geometry::king(self.black) - taken;
            let takes =
                geometry::king(self.black).contains(self.pawn) && !geometry::king(self.white).contains(self.pawn);
            let free = may_go - SquareSet::of(self.pawn);
            if takes || free.is_empty() && !attacked.contains(self.black) { Known::Drawn } else { Known::Unknown }
        }

        /// Verdict by those on the positions after each move.
        fn ahead(self, known: &[Known]) -> Known {
            let (wanted, other) =
                if self.white_moves { (Known::Won, Known::Drawn) } else { (Known::Drawn, Known::Won) };
            let mut has_unknown = false;
            let mut has_move = false;
            let mut look = |after: Self| {
                let found = known[after.number()];
                has_move |= found != Known::Impossible;
                has_unknown |= found == Known::Unknown;
                found == wanted
            };
            let king = if self.white_moves { self.white } else { self.black };
            for to in geometry::king(king) {
                let after = if self.white_moves {
                    Self { white_moves: false, white: to, ..self }
                } else {
                    Self { white_moves: true, black: to, ..self }
                };
                if look(after) {
                    return wanted;
                }
            }
            if self.white_moves && self.pawn.rank() < 6 {
                let up = |square: Square| SquareSet::of(square).forward(Color::White).first();
                if let Some(once) = up(self.pawn).filter(|to| *to != self.white && *to != self.black) {
                    if look(Self { white_moves: false, pawn: once, ..self }) {
                        return wanted;
                    }
                    let twice = up(once).filter(|to| self.pawn.rank() == 1 && *to != self.white && *to != self.black);
                    if let Some(twice) = twice
                        && look(Self { white_moves: false, pawn: twice, ..self })
                    {
                        return wanted;
                    }
                }
            }
            if has_unknown {
                Known::Unknown
            } else if !has_move && !self.white_moves {
                // Without a move Black is mated or stalemated; stalemates are known from the beginning.
                Known::Won
            } else {
                other
            }
        }
    }

    /// The table, found backwards.
    fn find() -> Vec<u8> {
        let mut known: Vec<Known> = (0..POSITIONS).map(|number| Position::of(number).at_first()).collect();
        loop {
            let mut has_changed = false;
            for number in 0..POSITIONS {
                if known[number] == Known::Unknown {
                    known[number] = Position::of(number).ahead(&known);
                    has_changed |= known[number] != Known::Unknown;
                }
            }
            if !has_changed {
                break;
            }
        }
        let mut won = vec![0; POSITIONS / 8];
        for (number, known) in known.iter().enumerate() {
            won[number / 8] |= u8::from(*known == Known::Won) << (number % 8);
        }
        won
    }

    #[test]
    fn the_table_is_found_again() {
        assert!(find() == WON, "kpk.bin is not the table of all positions");
    }

    #[test]
    fn known_endings_are_right() {
        use Square::*;
        // The king on the sixth rank in front of its pawn wins, whoever moves.
        assert!(is_won(Color::White, E6, E5, E8, Color::White) && is_won(Color::White, E6, E5, E8, Color::Black));
        // Behind it the opposition decides.
        assert!(is_won(Color::White, E4, E3, E6, Color::Black) && !is_won(Color::White, E4, E3, E6, Color::White));
        // With a pawn of the rim, a king in the corner holds.
        assert!(!is_won(Color::White, B6, A5, A8, Color::White) && !is_won(Color::Black, G3, H4, H1, Color::Black));
        assert!(is_won(Color::Black, D3, D4, D1, Color::White));
    }
}
