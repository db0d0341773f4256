//! Questions about attacks that a search asks: whether and by what a square is attacked, and what a piece attacks. All
//! boards answer the same questions about the same squares.

use std::hint::black_box;

use super::by_board::{Place, figures, places, take_turns_at};
use super::turns::Entry;
use super::{Figure, Micro, MicroError, Spec, Takes, pinned};
use crate::chess::choice::OnBoard;
use crate::chess::epd::Epd;
use crate::chess::suites::Suite;
use crate::chess::{Board, Color, Keys, Square, SquareSet, Unsupported};
use crate::choices::choices;

/// Micro-measurement of questions about attacks.
pub const MICRO: Micro = Micro {
    name: "attacks",
    title: "questions about attacks",
    about: "Time to answer a question about attacks (whether and by what a square is attacked, what a piece attacks, \
            how much), over all squares of a fixed set of positions.",
    published: &[],
    takes: Takes { boards: true, positions: true, depth: None },
    is_averaged: false,
    measure,
};

/// Suites whose positions are asked about: the opening to the endgame of a game, and middlegames.
const SUITES: [&str; 2] = ["thesis-10", "hyatt-24"];

choices! {
    /// Question about attacks.
    pub enum Question, "question";
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
