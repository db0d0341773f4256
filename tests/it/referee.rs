//! Every board against an independent rules library, over the positions of random games.

use std::collections::{BTreeSet, HashSet};

use cozy_chess::{Board as Referee, Piece as RefereePiece, Square as RefereeSquare};
use splitpoint::chess::mailbox::Mailbox;
use splitpoint::chess::notation::{parse_san, san};
use splitpoint::chess::setup::Parts;
use splitpoint::chess::{Board, CastlingRights, Keys, Move, MoveList, Piece, Setup, Square};

use crate::games::{Game, positions, random_games};
use crate::on_every_board;

const GAMES: usize = 240;
const POSITIONS: usize = 20_000;

/// The referee writes castling as the king taking his rook.
fn as_uci(referee: &Referee, mv: cozy_chess::Move) -> String {
    let mut to = mv.to;
    let is_castling =
        referee.piece_on(mv.from) == Some(RefereePiece::King) && referee.colors(referee.side_to_move()).has(mv.to);
    if is_castling {
        let file = if mv.to.file() > mv.from.file() { cozy_chess::File::G } else { cozy_chess::File::C };
        to = RefereeSquare::new(file, mv.to.rank());
    }
    let promotion = mv.promotion.map_or(String::new(), |piece| piece.to_string());
    format!("{}{to}{promotion}", mv.from)
}

fn legal_moves(referee: &Referee) -> Vec<(String, cozy_chess::Move)> {
    let mut moves = Vec::new();
    referee.generate_moves(|piece_moves| {
        moves.extend(piece_moves.into_iter().map(|mv| (as_uci(referee, mv), mv)));
        false
    });
    moves
}

pub fn legal_on<B: Board>(board: &B) -> MoveList {
    let mut list = MoveList::new();
    board.legal_moves(&mut list);
    list
}

fn agrees_with_the_referee<B: Board>(games: &[Game]) {
    for game in games {
        let mut board = B::set_up(&game.start, Keys::of_seed(0)).unwrap();
        let mut referee: Referee = game.start.to_string().parse().expect("the referee accepts what we accept");
        let mut moves = game.moves.iter();
        loop {
            let fen = board.setup().to_string();
            let allowed = legal_moves(&referee);
            let list = legal_on(&board);
            let ours: BTreeSet<String> = list.iter().map(Move::to_string).collect();
            let theirs: BTreeSet<String> = allowed.iter().map(|(uci, _)| uci.clone()).collect();
            assert_eq!(ours, theirs, "{fen}");
            assert_eq!(ours.len(), list.len(), "a move twice in {fen}");
            assert_eq!(board.in_check(), !referee.checkers().is_empty(), "{fen}");
            assert_eq!(board.count_legal_moves(), theirs.len(), "{fen}");
            let Some(mv) = moves.next() else { break };
            let (_, theirs) = allowed.iter().find(|(uci, _)| *uci == mv.to_string()).unwrap();
            referee.play(*theirs);
            let _ = board.make(*mv);
        }
        // Piece by piece the same position in the end, clocks included; the referee writes every double push.
        let [ours, theirs] = [board.setup().to_string(), referee.to_string()].map(|fen| {
            let fields: Vec<String> = fen.split(' ').map(str::to_owned).collect();
            [0, 1, 2, 4, 5].map(|i| fields[i].clone())
        });
        assert_eq!(ours, theirs);
    }
}

#[test]
fn every_board_has_the_referees_legal_moves() {
    let games = random_games::<Mailbox>(GAMES, 1);
    assert!(positions(&games) >= POSITIONS, "only {} positions", positions(&games));
    on_every_board!(agrees_with_the_referee(&games));
}

#[test]
fn notation_survives_a_round_trip() {
    for game in random_games::<Mailbox>(40, 2) {
        let mut board = Mailbox::set_up(&game.start, Keys::of_seed(0)).unwrap();
        for mv in game.moves {
            let mut texts = BTreeSet::new();
            for &mv in &legal_on(&board) {
                let text = san(&board, mv);
                assert_eq!(parse_san(&board, &text), Ok(mv), "{text} in {}", board.setup());
                assert!(texts.insert(text), "two moves of one name in {}", board.setup());
            }
            let _ = board.make(mv);
        }
    }
}

/// The position with the colours exchanged.
pub fn flipped(setup: &Setup) -> Setup {
    let there = |square: Square| setup.piece_on(square).map(|piece| Piece::new(!piece.color(), piece.kind()));
    let rights = (0..4).filter(|i| setup.castling.has((i + 2) % 4));
    let parts = Parts {
        pieces: std::array::from_fn(|i| there(Square::wrapping(i).flipped())),
        turn: !setup.turn,
        castling: rights.fold(CastlingRights::NONE, CastlingRights::with),
        en_passant: setup.en_passant.map(Square::flipped),
        ..(**setup).clone()
    };
    Setup::new(parts).unwrap()
}

/// The position with the files mirrored, in which nobody may castle: castling has no mirror image.
fn mirrored(setup: &Setup) -> Setup {
    let parts = Parts {
        pieces: std::array::from_fn(|i| setup.piece_on(mirrored_square(Square::wrapping(i)))),
        en_passant: setup.en_passant.map(mirrored_square),
        ..(**setup).clone()
    };
    Setup::new(parts).unwrap()
}

fn mirrored_square(square: Square) -> Square {
    Square::at(7 - square.file(), square.rank())
}

/// Flipping the colours, or without castling mirroring the files, flips or mirrors the moves.
fn has_mirror_images<B: Board>(games: &[Game]) {
    let through = |setup: &Setup, image: fn(Square) -> Square| {
        let board = B::set_up(setup, Keys::of_seed(0)).unwrap();
        let parts = |mv: &Move| (image(mv.from()), image(mv.to()), mv.piece(), mv.captured(), mv.kind());
        legal_on(&board).iter().map(parts).collect::<HashSet<_>>()
    };
    let moves = |setup: &Setup| through(setup, |square| square);
    for game in games {
        let mut board = B::set_up(&game.start, Keys::of_seed(0)).unwrap();
        for mv in &game.moves {
            let setup = board.setup();
            assert_eq!(moves(&flipped(&setup)), through(&setup, Square::flipped), "{setup}");
            if setup.castling == CastlingRights::NONE {
                assert_eq!(moves(&mirrored(&setup)), through(&setup, mirrored_square), "{setup}");
                assert_eq!(mirrored(&mirrored(&setup)), setup);
            }
            assert_eq!(flipped(&flipped(&setup)), setup);
            assert_eq!(flipped(&setup).to_string().parse::<Setup>(), Ok(flipped(&setup)));
            let _ = board.make(*mv);
        }
    }
}

#[test]
fn mirrored_positions_have_mirrored_moves() {
    let games = random_games::<Mailbox>(30, 3);
    on_every_board!(has_mirror_images(&games));
}
