//! Static exchange evaluation against its definition, played out by plain recursion on squares.

use cozy_chess::{BitBoard, Color as RefereeColor, Square as RefereeSquare};
use splitpoint::chess::mailbox::Mailbox;
use splitpoint::chess::see::{see, value};
use splitpoint::chess::{Board, Color, Keys, Move, MoveKind, Piece, PieceKind, Score, Square};

use crate::games::{random_games, replay, sorted};

type Squares = [Option<Piece>; 64];

fn attacks(squares: &Squares, from: Square, target: Square) -> bool {
    let occupied: BitBoard =
        Square::all().filter(|s| squares[s.index()].is_some()).map(|s| RefereeSquare::index(s.index())).collect();
    let referee = RefereeSquare::index(from.index());
    let Some(piece) = squares[from.index()] else { return false };
    let color = if piece.color() == Color::White { RefereeColor::White } else { RefereeColor::Black };
    let reach = match piece.kind() {
        PieceKind::Pawn => cozy_chess::get_pawn_attacks(referee, color),
        PieceKind::Knight => cozy_chess::get_knight_moves(referee),
        PieceKind::Bishop => cozy_chess::get_bishop_moves(referee, occupied),
        PieceKind::Rook => cozy_chess::get_rook_moves(referee, occupied),
        PieceKind::Queen => {
            cozy_chess::get_bishop_moves(referee, occupied) | cozy_chess::get_rook_moves(referee, occupied)
        }
        PieceKind::King => cozy_chess::get_king_moves(referee),
    };
    reach.has(RefereeSquare::index(target.index()))
}

fn attackers(squares: &Squares, target: Square, side: Color) -> Vec<Square> {
    let own = |square: &Square| squares[square.index()].is_some_and(|piece| piece.color() == side);
    Square::all().filter(own).filter(|from| *from != target && attacks(squares, *from, target)).collect()
}

/// What the side to move wins by capturing on the target with its least valuable piece, or by leaving it.
fn fight_on(squares: &Squares, target: Square, side: Color) -> i32 {
    let candidates = attackers(squares, target, side);
    let Some(from) = candidates.into_iter().min_by_key(|from| (squares[from.index()].unwrap().kind(), *from)) else {
        return 0;
    };
    let mut attacker = squares[from.index()].unwrap();
    let mut gain = value(squares[target.index()].unwrap().kind()).0;
    if attacker.kind() == PieceKind::Pawn && matches!(target.rank(), 0 | 7) {
        attacker = Piece::new(side, PieceKind::Queen);
        gain += value(PieceKind::Queen).0 - value(PieceKind::Pawn).0;
    }
    let mut after = *squares;
    after[from.index()] = None;
    after[target.index()] = Some(attacker);
    if attacker.kind() == PieceKind::King && !attackers(&after, target, !side).is_empty() {
        return 0;
    }
    0.max(gain - fight_on(&after, target, !side))
}

fn by_definition<B: Board>(board: &B, mv: Move) -> i32 {
    if mv.kind() == MoveKind::Castling {
        return 0;
    }
    let mut squares: Squares = std::array::from_fn(|i| board.piece_on(Square::wrapping(i)));
    let mut gain = mv.captured().map_or(0, |kind| value(kind).0);
    squares[mv.victim_square().index()] = None;
    squares[mv.from().index()] = None;
    squares[mv.to().index()] = Some(Piece::new(board.turn(), mv.promoted().unwrap_or(mv.piece())));
    if let Some(kind) = mv.promoted() {
        gain += value(kind).0 - value(PieceKind::Pawn).0;
    }
    gain - fight_on(&squares, mv.to(), !board.turn())
}

#[test]
fn see_is_what_its_definition_says() {
    let games = random_games::<Mailbox>(60, 7);
    let (mut moves, mut decided) = (0, 0);
    replay::<Mailbox>(&games, Keys::of_seed(0), |board| {
        for mv in sorted(|list| board.legal_moves(list)) {
            let expected = by_definition(board, mv);
            assert_eq!(see(board, mv), Score(expected), "{mv} in {}", board.setup());
            moves += 1;
            decided += usize::from(expected != mv.captured().map_or(0, |kind| value(kind).0));
        }
    });
    assert!(moves > 100_000 && decided > moves / 10, "{decided} of {moves} exchanges had a second capture");
}
