//! Every board against an independent rules library, over the positions of random games.

use std::collections::{BTreeSet, HashSet};

use cozy_chess::{Board as Referee, Piece as RefereePiece, Square as RefereeSquare};
use splitpoint::chess::mailbox::Mailbox;
use splitpoint::chess::notation::{parse_san, san};
use splitpoint::chess::{Board, CastlingRights, Keys, Move, MoveList, Setup, View};

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
    View::of_number(1, setup).of(setup)
}

/// In each view of a position, the moves are those of the position in that view.
fn has_same_moves_in_all_views<B: Board>(games: &[Game]) {
    let seen = |setup: &Setup, view: View| {
        let board = B::set_up(setup, Keys::of_seed(0)).unwrap();
        let parts = |mv: &Move| (view.square(mv.from()), view.square(mv.to()), mv.piece(), mv.captured(), mv.kind());
        legal_on(&board).iter().map(parts).collect::<HashSet<_>>()
    };
    for game in games {
        let mut board = B::set_up(&game.start, Keys::of_seed(0)).unwrap();
        for mv in &game.moves {
            let setup = board.setup();
            let views = (0..View::count(&setup)).map(|number| View::of_number(number, &setup));
            let texts: HashSet<String> = views
                .map(|view| {
                    let viewed = view.of(&setup);
                    assert_eq!(seen(&viewed, View::of_number(0, &viewed)), seen(&setup, view), "{setup}");
                    assert_eq!(view.of(&viewed), setup);
                    assert_eq!(viewed.to_string().parse::<Setup>(), Ok(viewed.clone()), "it is legal");
                    assert_eq!(view.mv(&view.mv(&mv.to_string())), mv.to_string());
                    viewed.to_string()
                })
                .collect();
            assert_eq!(texts.len(), if setup.castling == CastlingRights::NONE { 4 } else { 2 });
            let _ = board.make(*mv);
        }
    }
}

#[test]
fn views_of_positions_have_the_same_moves() {
    let games = random_games::<Mailbox>(30, 3);
    on_every_board!(has_same_moves_in_all_views(&games));
}
