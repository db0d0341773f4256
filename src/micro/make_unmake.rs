//! Making and unmaking all legal moves of eight positions, after table 2.2. The published positions are not known, only
//! how many captures and other moves each has; ours have the same numbers.

use std::hint::black_box;

use serde::Deserialize;

use super::by_board::{Place, figures, places, run_on, take_turns_at};
use super::published::MAKE_UNMAKE;
use super::turns::Entry;
use super::{Figure, Micro, MicroError, PIECE_LISTS, ROTATED, Spec, Takes, name_of, pinned};
use crate::chess::choice::{BoardChoice, OnBoard};
use crate::chess::epd::Epd;
use crate::chess::{Board, Keys, Move, MoveList, Setup, Unsupported};

/// Micro-measurement of making and unmaking moves.
pub const MICRO: Micro = Micro {
    name: "make-unmake",
    title: "making and unmaking a move",
    about: "Time to make and unmake a legal move, in four middlegame and four endgame positions with as many captures \
            and other moves as the published ones.",
    published: &[MAKE_UNMAKE.source],
    takes: Takes { boards: true, positions: true, depth: None },
    is_averaged: true,
    measure,
    print: None,
    check: None,
    verdict: None,
};

/// Times that the published program repeated all moves of a position.
const PUBLISHED_REPEATS: f64 = 1e7;

/// Row of table 2.2.
#[derive(Clone, Debug, Deserialize)]
struct Row {
    phase: String,
    position: u32,
    captures: usize,
    noncaptures: usize,
    mailbox_s: f64,
    rotated_s: f64,
}

/// Positions with the numbers of captures and other moves of table 2.2, in its order.
const POSITIONS: [&str; 8] = [
    "r3k1nr/pb1n1ppp/2p5/q1bp4/3N1BP1/P1NQ3P/1P2PPB1/R3K2R w KQkq - 2 21",
    "rn1qk2r/4bppp/b1p1pn2/p2p4/N2PP3/P2BBP1N/2PQ2PP/R4RK1 w kq - 3 13",
    "r1b1kr2/2p5/p1nqpn1p/2Np2p1/3P1p1P/2QNPP2/PP2B1P1/1K1R3R w q - 0 19",
    "r1bq1rk1/pp2ppbp/2np2p1/2n5/P3PP2/N1P2N2/1PB3PP/R1B1QRK1 b - - 0 1",
    "4bk1r/b4pp1/3R3p/2p5/p4P2/P1B1P1PP/1P3R2/4K3 b - - 3 29",
    "6kr/6b1/Rprp1p1p/6p1/8/1PB2P1P/1P4P1/3R2K1 w - - 0 31",
    "4r2k/p6p/3r1np1/1P6/2B2P2/1N1P3P/8/5RK1 w - - 4 37",
    "8/p5pk/P1p1p2p/R4p2/2P5/6P1/5PKP/1r6 w - - 2 34",
];

/// Position with its moves, which are made in turn.
struct Case {
    name: String,
    setup: Setup,
    published: Option<Row>,
}

impl Row {
    /// Nanoseconds of a move on this board, if that was measured.
    fn nanoseconds(&self, board: BoardChoice) -> Option<f64> {
        let per_move = |seconds: f64| 1e9 * seconds / PUBLISHED_REPEATS / (self.captures + self.noncaptures) as f64;
        [(PIECE_LISTS, self.mailbox_s), (ROTATED, self.rotated_s)]
            .into_iter()
            .find(|(measured, _)| *measured == board)
            .map(|(_, seconds)| per_move(seconds))
    }
}

fn cases(positions: &[Epd]) -> Result<Vec<Case>, MicroError> {
    let own = |epd: &Epd| Case { name: name_of(epd), setup: epd.setup.clone(), published: None };
    if !positions.is_empty() {
        return Ok(positions.iter().map(own).collect());
    }
    let rows: Vec<Row> = MAKE_UNMAKE.rows()?;
    rows.into_iter()
        .zip(POSITIONS)
        .map(|(row, fen)| {
            let setup = fen.parse().map_err(|error| MicroError::Wrong(format!("{fen}: {error}")))?;
            Ok(Case { name: format!("{} {}", row.phase, row.position), setup, published: Some(row) })
        })
        .collect()
}

/// All legal moves of a position, made and unmade one after the other.
struct MakeAndUnmake<'a>(&'a Setup);

impl OnBoard for MakeAndUnmake<'_> {
    type Output = Result<Entry<'static>, Unsupported>;

    fn on<B: Board>(self) -> Self::Output {
        let mut board = B::set_up(self.0, Keys::of_seed(0))?;
        let moves = legal_moves(&board);
        Ok(Entry::new(move || {
            for &mv in &moves {
                let undo = board.make(mv);
                black_box(&mut board);
                board.unmake(mv, undo);
            }
            moves.len() as u64
        }))
    }
}

fn legal_moves<B: Board>(board: &B) -> Vec<Move> {
    let mut list = MoveList::new();
    board.legal_moves(&mut list);
    list.to_vec()
}

fn measure(spec: &Spec) -> Result<Vec<Figure>, MicroError> {
    let cases = cases(&spec.positions)?;
    let places = places(&spec.boards, &cases, |case| (case.name.clone(), "time of a move"));
    let moves = |place: &Place<&Case>| run_on(place.board, MakeAndUnmake(&place.work.setup));
    let rounds = pinned(|| take_turns_at(&places, spec, moves))?;
    Ok(figures(&places, &rounds, MAKE_UNMAKE.source, |place| place.work.published.as_ref()?.nanoseconds(place.board)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::mailbox::Mailbox;

    #[test]
    fn the_positions_have_the_published_numbers_of_moves() {
        for case in cases(&[]).unwrap() {
            let moves = legal_moves(&Mailbox::set_up(&case.setup, Keys::of_seed(0)).unwrap());
            let captures = moves.iter().filter(|mv| mv.is_capture()).count();
            let row = case.published.unwrap();
            assert_eq!((captures, moves.len() - captures), (row.captures, row.noncaptures), "{}", case.name);
        }
    }

    /// The first position, 18.2 and 21.4 s for 56 moves ten million times.
    #[test]
    fn published_times_are_of_a_move() {
        let row = &MAKE_UNMAKE.rows::<Row>().unwrap()[0];
        assert_eq!(row.nanoseconds(PIECE_LISTS), Some(32.5));
        assert!((row.nanoseconds(ROTATED).unwrap() - 38.214).abs() < 0.001);
        assert_eq!(row.nanoseconds(BoardChoice::from_names("bitboards", Some("magic")).unwrap()), None);
    }
}
