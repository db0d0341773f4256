//! The eight questions of the 2004 thesis about a position: what stands where, and what is attacked. All boards answer
//! the same questions about the same squares and pieces.

use std::hint::black_box;

use super::by_board::{Place, figures, places, take_turns_at};
use super::turns::Entry;
use super::{Figure, Micro, MicroError, Spec, Takes, pinned};
use crate::chess::choice::OnBoard;
use crate::chess::epd::Epd;
use crate::chess::suites::Suite;
use crate::chess::{Board, Color, Keys, Piece, Square, SquareSet, Unsupported};
use crate::choices::choices;

/// Micro-measurement of questions about pieces and attacks.
pub const MICRO: Micro = Micro {
    name: "attacks",
    title: "questions about a position",
    about: "Time to answer each of the eight questions about a position (what is on a square, where are the pieces of \
            a type, is there any, how many, whether and by what a square is attacked, what a piece attacks), over all \
            squares and pieces of a fixed set of positions.",
    published: &[],
    takes: Takes { boards: true, positions: true, depth: None },
    is_averaged: false,
    measure,
};

/// Suites whose positions are asked about: the opening to the endgame of a game, and middlegames.
const SUITES: [&str; 2] = ["thesis-10", "hyatt-24"];

choices! {
    /// Question about a position.
    pub enum Question, "question";
    /// Whether a piece of a type is on a square.
    Has "has",
    /// Piece on a square.
    PieceOn "piece_on",
    /// Squares of all pieces of a type.
    SquaresOf "squares_of",
    /// Whether there is any piece of a type.
    HasAny "has_any",
    /// Number of pieces of a type.
    Count "count",
    /// Whether a square is attacked by a colour.
    IsAttacked "is_attacked",
    /// Pieces of a colour that attack a square.
    Attackers "attackers",
    /// Squares that the piece on a square attacks.
    AttacksFrom "attacks_from",
    /// Number of squares that the piece on a square attacks.
    Mobility "mobility",
}

/// One question, about all squares of these positions.
struct Asked<'a> {
    question: Question,
    positions: &'a [Epd],
}

impl OnBoard for Asked<'_> {
    type Output = Result<Entry<'static>, Unsupported>;

    fn on<B: Board>(self) -> Self::Output {
        let set_up = |epd: &Epd| B::set_up(&epd.setup, Keys::of_seed(0));
        let boards: Vec<B> = self.positions.iter().map(set_up).collect::<Result<_, _>>()?;
        Ok(match self.question {
            Question::Has => of_types(boards, Square::COUNT, |board, piece| {
                Square::all().filter(|square| board.has(piece, black_box(*square))).count()
            }),
            Question::PieceOn => of_squares(boards, |board, square, _| board.piece_on(square)),
            Question::SquaresOf => of_types(boards, 1, |board, piece| {
                board.squares_of(piece).for_each(|square| {
                    black_box(square);
                });
            }),
            Question::HasAny => of_types(boards, 1, |board, piece| board.has_any(piece)),
            Question::Count => of_types(boards, 1, |board, piece| board.count(piece)),
            Question::IsAttacked => of_squares(boards, |board, square, by| board.is_attacked(square, by)),
            Question::Attackers => of_squares(boards, |board, square, by| board.attackers(square, by)),
            Question::AttacksFrom => of_pieces(boards, |board, square| board.attacks_from(square)),
            Question::Mobility => of_pieces(boards, |board, square| board.mobility(square)),
        })
    }
}

/// A question about every square and either colour.
fn of_squares<B: Board, T: 'static>(boards: Vec<B>, ask: impl Fn(&B, Square, Color) -> T + 'static) -> Entry<'static> {
    Entry::new(move || {
        for board in &boards {
            let board = black_box(board);
            for square in Square::all() {
                for by in [Color::White, Color::Black] {
                    black_box(ask(board, square, by));
                }
            }
        }
        (boards.len() * 2 * Square::COUNT) as u64
    })
}

/// A question about every type of piece, asked this many times.
fn of_types<B: Board, T: 'static>(
    boards: Vec<B>,
    times: usize,
    ask: impl Fn(&B, Piece) -> T + 'static,
) -> Entry<'static> {
    let types: Vec<Piece> = Piece::all().collect();
    Entry::new(move || {
        for board in &boards {
            let board = black_box(board);
            for &piece in &types {
                black_box(ask(board, piece));
            }
        }
        (boards.len() * types.len() * times) as u64
    })
}

/// A question about every piece.
fn of_pieces<B: Board, T: 'static>(boards: Vec<B>, ask: impl Fn(&B, Square) -> T + 'static) -> Entry<'static> {
    let with_pieces = |board: B| {
        let pieces: SquareSet = Square::all().filter(|square| board.piece_on(*square).is_some()).collect();
        (board, pieces)
    };
    let boards: Vec<(B, SquareSet)> = boards.into_iter().map(with_pieces).collect();
    let asked: u32 = boards.iter().map(|(_, pieces)| pieces.len()).sum();
    Entry::new(move || {
        for (board, pieces) in &boards {
            let board = black_box(board);
            for square in *pieces {
                black_box(ask(board, square));
            }
        }
        asked.into()
    })
}

fn measure(spec: &Spec) -> Result<Vec<Figure>, MicroError> {
    let own: Vec<Epd> = SUITES.into_iter().filter_map(Suite::named).flat_map(Suite::positions).collect();
    let positions = if spec.positions.is_empty() { &own } else { &spec.positions };
    let name = |question: Question| (question.name().to_owned(), "time of an answer");
    let places = places(&spec.boards, Question::ALL.iter().copied(), name);
    let asked = |place: &Place<Question>| place.board.run(Asked { question: place.work, positions });
    let rounds = pinned(|| take_turns_at(&places, spec, asked))?;
    Ok(figures(&places, &rounds, "", |_| None))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PIECE_LISTS;
    use crate::chess::suites::position;

    #[test]
    fn each_question_is_asked_of_all_squares_types_or_pieces() {
        let positions = [position("kiwipete").unwrap()];
        let asked = |question: &Question| {
            let asked = Asked { question: *question, positions: &positions };
            let Entry::Pass(mut pass) = PIECE_LISTS.run(asked).unwrap() else { panic!("{question} times itself") };
            pass()
        };
        let by_square = 2 * 64;
        let expected = [12 * 64, by_square, 12, 12, 12, by_square, by_square, 32, 32];
        assert_eq!(Question::ALL.iter().map(asked).collect::<Vec<_>>(), expected);
    }
}
