//! Generating moves on bitboards, whole sets of targets at a time. A [`Receiver`] writes them into a list or only
//! counts them.

use super::sets::Bitboards;
use super::sliders::Sliders;
use crate::chess::board::Board;
use crate::chess::castle::castling_moves;
use crate::chess::castling::Castling;
use crate::chess::geometry;
use crate::chess::moves::{Move, MoveKind, MoveList};
use crate::chess::{Color, Piece, PieceKind, PieceKind::*, Square, SquareSet};

const LAST_RANKS: SquareSet = SquareSet(0xFF00_0000_0000_00FF);

/// Targets that are wanted.
pub struct Scope {
    /// Targets of captures, and of quiet moves of pieces other than pawns.
    targets: SquareSet,
    /// Targets of pawns that do not capture.
    pushes: SquareSet,
    castling: bool,
    en_passant: bool,
}

/// Consumer of generated moves.
pub trait Receiver {
    /// Receives the moves of one piece other than a pawn.
    fn piece(&mut self, kind: PieceKind, from: Square, targets: SquareSet);
    /// Receives single steps and captures of pawns, each from `delta` squares before its target.
    fn pawns(&mut self, targets: SquareSet, delta: isize);
    /// Receives double steps of pawns, each from `delta` squares before its target.
    fn double_pushes(&mut self, targets: SquareSet, delta: isize);
    /// Receives a single move.
    fn one(&mut self, mv: Move);
}

/// Writes the moves into a list.
pub struct Write<'a> {
    pub squares: &'a [Option<Piece>; 64],
    pub list: &'a mut MoveList,
}

impl Write<'_> {
    #[inline(always)]
    fn victim(&self, square: Square) -> Option<PieceKind> {
        self.squares[square.index()].map(Piece::kind)
    }
}

#[inline(always)]
fn origin(to: Square, delta: isize) -> Square {
    Square::wrapping(to.index().wrapping_add_signed(-delta))
}

impl Receiver for Write<'_> {
    #[inline(always)]
    fn piece(&mut self, kind: PieceKind, from: Square, targets: SquareSet) {
        for to in targets {
            self.list.push(Move::new(kind, from, to, self.victim(to), MoveKind::Plain));
        }
    }

    #[inline(always)]
    fn pawns(&mut self, targets: SquareSet, delta: isize) {
        for to in targets - LAST_RANKS {
            self.list.push(Move::new(Pawn, origin(to, delta), to, self.victim(to), MoveKind::Plain));
        }
        for to in targets & LAST_RANKS {
            let (from, victim) = (origin(to, delta), self.victim(to));
            for move_kind in MoveKind::PROMOTIONS {
                self.list.push(Move::new(Pawn, from, to, victim, move_kind));
            }
        }
    }

    #[inline(always)]
    fn double_pushes(&mut self, targets: SquareSet, delta: isize) {
        for to in targets {
            self.list.push(Move::new(Pawn, origin(to, delta), to, None, MoveKind::DoublePush));
        }
    }

    #[inline(always)]
    fn one(&mut self, mv: Move) {
        self.list.push(mv);
    }
}

/// Counts the moves.
#[derive(Default)]
pub struct Count(pub u32);

impl Receiver for Count {
    #[inline(always)]
    fn piece(&mut self, _: PieceKind, _: Square, targets: SquareSet) {
        self.0 += targets.len();
    }

    #[inline(always)]
    fn pawns(&mut self, targets: SquareSet, _: isize) {
        let promotions = (targets & LAST_RANKS).len();
        self.0 += targets.len() + (MoveKind::PROMOTIONS.len() as u32 - 1) * promotions;
    }

    #[inline(always)]
    fn double_pushes(&mut self, targets: SquareSet, _: isize) {
        self.0 += targets.len();
    }

    #[inline(always)]
    fn one(&mut self, _: Move) {
        self.0 += 1;
    }
}

const fn forward(color: Color) -> isize {
    match color {
        Color::White => 8,
        Color::Black => -8,
    }
}

impl<S: Sliders, const SETS: usize, const ATTACKS: usize> Bitboards<S, SETS, ATTACKS> {
    /// Scope of all moves.
    #[inline(always)]
    pub(super) fn everything(&self) -> Scope {
        Scope { targets: !self.color(self.state.turn()), pushes: !self.all(), castling: true, en_passant: true }
    }

    /// Scope of captures and promotions.
    #[inline(always)]
    pub(super) fn captures_and_promotions(&self) -> Scope {
        let enemies = self.color(!self.state.turn());
        Scope { targets: enemies, pushes: LAST_RANKS - self.all(), castling: false, en_passant: true }
    }

    /// Scope of all moves but captures and promotions.
    #[inline(always)]
    pub(super) fn quiet(&self) -> Scope {
        let empty = !self.all();
        Scope { targets: empty, pushes: empty - LAST_RANKS, castling: true, en_passant: false }
    }

    #[inline(always)]
    pub(super) fn pseudo_legal(&self, scope: &Scope, receiver: &mut impl Receiver) {
        let us = self.state.turn();
        self.pawn_moves(self.set(us, Pawn), scope, receiver);
        self.piece_moves(self.color(us), scope.targets, receiver);
        let king = self.king(us);
        receiver.piece(King, king, geometry::king(king) & scope.targets);
        if scope.en_passant {
            self.en_passant(|mv| receiver.one(mv));
        }
        if scope.castling {
            self.castling_moves(receiver);
        }
    }

    /// Generates all legal moves, in check or not.
    #[inline(always)]
    pub(super) fn legal(&self, receiver: &mut impl Receiver) {
        let us = self.state.turn();
        let king = self.king(us);
        let own = self.color(us);
        let (checkers, pinned) = self.checkers_and_pinned(king, us);
        self.king_moves(king, receiver);
        let mut scope = self.everything();
        if let Some(checker) = checkers.first() {
            if checkers.has_several() {
                return;
            }
            // Capture the checker or step between; a pinned piece can do neither.
            let evasion = geometry::between(king, checker) | checkers;
            scope.targets &= evasion;
            scope.pushes &= evasion;
        } else {
            self.castling_moves(receiver);
            self.pinned_moves(pinned, king, &scope, receiver);
        }
        self.pawn_moves(self.set(us, Pawn) - pinned, &scope, receiver);
        self.piece_moves(own - pinned, scope.targets, receiver);
        self.en_passant(|mv| {
            if self.is_legal(mv, !checkers.is_empty()) {
                receiver.one(mv);
            }
        });
    }

    #[inline(always)]
    fn en_passant(&self, mut emit: impl FnMut(Move)) {
        let Some(passed) = self.state.en_passant() else { return };
        let us = self.state.turn();
        for from in geometry::pawn(!us, passed) & self.set(us, Pawn) {
            emit(Move::en_passant(from, passed));
        }
    }

    /// Pieces that give check, and own pieces that are pinned.
    #[inline(always)]
    fn checkers_and_pinned(&self, king: Square, us: Color) -> (SquareSet, SquareSet) {
        let enemies = self.color(!us);
        let mut checkers =
            enemies & ((geometry::pawn(us, king) & self.kind(Pawn)) | (geometry::knight(king) & self.kind(Knight)));
        let mut pinned = SquareSet::EMPTY;
        let snipers = enemies
            & ((geometry::bishop_lines(king) & self.diagonal_sliders())
                | (geometry::rook_lines(king) & self.straight_sliders()));
        let all = self.all();
        for sniper in snipers {
            let blockers = geometry::between(king, sniper) & all;
            if blockers.is_empty() {
                checkers |= SquareSet::of(sniper);
            } else if !blockers.has_several() {
                pinned |= blockers & self.color(us);
            }
        }
        (checkers, pinned)
    }

    #[inline(always)]
    fn king_moves(&self, king: Square, receiver: &mut impl Receiver) {
        let us = self.state.turn();
        let enemies = self.color(!us);
        // The king must not hide behind himself.
        let occupied = S::toggled(self.occupied(), SquareSet::of(king));
        let mut safe = SquareSet::EMPTY;
        for to in geometry::king(king) - self.color(us) {
            // A defended piece on `to` does not attack its own square, so it need not be taken off first.
            if !self.is_attacked_when(to, !us, enemies, occupied) {
                safe |= SquareSet::of(to);
            }
        }
        receiver.piece(King, king, safe);
    }

    #[inline(always)]
    fn piece_moves(&self, movers: SquareSet, targets: SquareSet, receiver: &mut impl Receiver) {
        let occupied = self.occupied();
        for from in movers & self.kind(Knight) {
            receiver.piece(Knight, from, geometry::knight(from) & targets);
        }
        for from in movers & self.kind(Bishop) {
            receiver.piece(Bishop, from, self.reach(Bishop, from, occupied) & targets);
        }
        for from in movers & self.kind(Rook) {
            receiver.piece(Rook, from, self.reach(Rook, from, occupied) & targets);
        }
        for from in movers & self.kind(Queen) {
            receiver.piece(Queen, from, self.reach(Queen, from, occupied) & targets);
        }
    }

    #[inline(always)]
    fn pawn_moves(&self, pawns: SquareSet, scope: &Scope, receiver: &mut impl Receiver) {
        let us = self.state.turn();
        let up = forward(us);
        let victims = self.color(!us) & scope.targets;
        let ahead = pawns.forward(us);
        receiver.pawns(ahead.west() & victims, up - 1);
        receiver.pawns(ahead.east() & victims, up + 1);
        let empty = !self.all();
        let once = ahead & empty;
        let twice = (once & SquareSet::rank(us.rank(2))).forward(us) & empty;
        receiver.pawns(once & scope.pushes, up);
        receiver.double_pushes(twice & scope.pushes, 2 * up);
    }

    /// Generates the moves of pinned pieces along their line to the king, for a side that is not in check.
    #[inline(always)]
    fn pinned_moves(&self, pinned: SquareSet, king: Square, scope: &Scope, receiver: &mut impl Receiver) {
        for from in pinned - self.kind(Knight) {
            let line = geometry::line(king, from);
            let kind = self.squares[from.index()].map_or(Pawn, Piece::kind);
            if kind == Pawn {
                let scope = Scope { targets: scope.targets & line, pushes: scope.pushes & line, ..*scope };
                self.pawn_moves(SquareSet::of(from), &scope, receiver);
            } else {
                receiver.piece(kind, from, self.reach(kind, from, self.occupied()) & scope.targets & line);
            }
        }
    }

    #[inline(always)]
    fn castling_moves(&self, receiver: &mut impl Receiver) {
        let is_clear = |castling: &Castling| (castling.empty & self.all()).is_empty();
        castling_moves(self, is_clear, |mv| receiver.one(mv));
    }
}
