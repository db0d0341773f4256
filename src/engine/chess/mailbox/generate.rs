//! Generating moves on the mailbox board: piece by piece from the lists, cell by cell along the lines.

use super::attacks::{BISHOP_STEPS, CheckInfo, KING_STEPS, KNIGHT_STEPS, ROOK_STEPS, pawn_origins};
use super::cells::{self, BISHOP, EMPTY, KNIGHT, PAWN, ROOK, WIDTH, cell, color_bit, direction, reach, square, step};
use super::lists::{List, ListBoard, Tally};
use crate::chess::board::Board;
use crate::chess::castle::castling_moves;
use crate::chess::castling::Castling;
use crate::chess::moves::{Move, MoveKind};
use crate::chess::{Color, Piece, PieceKind, PieceKind::*, Square};

/// Moves that are wanted of a piece: captures always, quiet moves if asked for, along one line only if it is pinned.
#[derive(Clone, Copy)]
struct Scope {
    quiet: bool,
    /// Step from the king to the piece if it is pinned, else 0.
    pin: isize,
}

impl Scope {
    #[inline(always)]
    fn allows(self, by: isize) -> bool {
        self.pin == 0 || by == self.pin || by == -self.pin
    }
}

#[inline(always)]
const fn up(color: Color) -> isize {
    match color {
        Color::White => WIDTH,
        Color::Black => -WIDTH,
    }
}

/// Whether a cell of the board is on this rank, as seen by a side.
#[inline(always)]
const fn is_on_rank(at: usize, color: Color, rank: u8) -> bool {
    let first = cell(Square::at(0, color.rank(rank)));
    first <= at && at < first + 8
}

impl<T: Tally> ListBoard<T> {
    #[inline(always)]
    fn victim(&self, at: usize) -> Option<PieceKind> {
        cells::piece(self.at(at)).map(Piece::kind)
    }

    #[inline(always)]
    fn enemy_bit(&self) -> cells::Code {
        color_bit(!self.state.turn())
    }

    #[inline(always)]
    pub(super) fn pseudo_legal(&self, quiet: bool, emit: &mut impl FnMut(Move)) {
        let us = self.state.turn();
        let king = self.king_cell(us);
        self.pieces(quiet, None, emit);
        self.leaps(King, king, &KING_STEPS, Scope { quiet, pin: 0 }, emit);
        self.en_passant(&mut *emit);
        if quiet {
            self.castling(emit);
        }
    }

    /// All legal moves, whether in check or not.
    #[inline(always)]
    pub(super) fn legal(&self, emit: &mut impl FnMut(Move)) {
        let us = self.state.turn();
        let king = self.king_cell(us);
        let info = self.check_info();
        for by in KING_STEPS {
            let to = step(king, by);
            if self.at(to) & (color_bit(us) | cells::BORDER) == 0 && !self.is_cell_attacked(to, !us, king) {
                emit(Move::new(King, square(king), square(to), self.victim(to), MoveKind::Plain));
            }
        }
        match info.checks {
            0 => {
                self.pieces(true, Some(&info), emit);
                self.castling(emit);
            }
            1 => self.evasions(king, &info, emit),
            _ => return,
        }
        self.en_passant(|mv| {
            if self.is_legal(mv, info.checks > 0) {
                emit(mv);
            }
        });
    }

    /// The moves of all pieces but the king, en passant aside.
    #[inline(always)]
    fn pieces(&self, quiet: bool, info: Option<&CheckInfo>, emit: &mut impl FnMut(Move)) {
        let us = self.state.turn();
        let scope = |from| Scope { quiet, pin: info.map_or(0, |info| info.pin(from)) };
        for from in self.list(us, List::Pawns) {
            self.pawn(from, scope(from), emit);
        }
        for from in self.list(us, List::Knights) {
            if scope(from).pin == 0 {
                self.leaps(Knight, from, &KNIGHT_STEPS, scope(from), emit);
            }
        }
        for list in [List::LightBishops, List::DarkBishops] {
            for from in self.list(us, list) {
                self.slides(Bishop, from, &BISHOP_STEPS, scope(from), emit);
            }
        }
        for from in self.list(us, List::Rooks) {
            self.slides(Rook, from, &ROOK_STEPS, scope(from), emit);
        }
        for from in self.list(us, List::Queens) {
            self.slides(Queen, from, &BISHOP_STEPS, scope(from), emit);
            self.slides(Queen, from, &ROOK_STEPS, scope(from), emit);
        }
    }

    #[inline(always)]
    fn leaps(&self, kind: PieceKind, from: usize, steps: &[isize; 8], scope: Scope, emit: &mut impl FnMut(Move)) {
        for by in steps {
            let to = step(from, *by);
            let code = self.at(to);
            if code & self.enemy_bit() != 0 || (scope.quiet && code == EMPTY) {
                emit(Move::new(kind, square(from), square(to), self.victim(to), MoveKind::Plain));
            }
        }
    }

    #[inline(always)]
    fn slides(&self, kind: PieceKind, from: usize, steps: &[isize; 4], scope: Scope, emit: &mut impl FnMut(Move)) {
        for by in steps {
            if !scope.allows(*by) {
                continue;
            }
            let mut to = step(from, *by);
            let mut steps = 0;
            while self.at(to) == EMPTY {
                if scope.quiet {
                    emit(Move::new(kind, square(from), square(to), None, MoveKind::Plain));
                }
                to = step(to, *by);
                steps += 1;
            }
            T::ray(steps);
            if self.at(to) & self.enemy_bit() != 0 {
                emit(Move::new(kind, square(from), square(to), self.victim(to), MoveKind::Plain));
            }
        }
    }

    #[inline(always)]
    fn pawn(&self, from: usize, scope: Scope, emit: &mut impl FnMut(Move)) {
        let us = self.state.turn();
        let up = up(us);
        for by in [up - 1, up + 1] {
            let to = step(from, by);
            if self.at(to) & self.enemy_bit() != 0 && scope.allows(by) {
                self.arrive(from, to, emit);
            }
        }
        let once = step(from, up);
        if self.at(once) == EMPTY && scope.allows(up) && (scope.quiet || is_on_rank(from, us, 6)) {
            self.arrive(from, once, emit);
            let twice = step(once, up);
            if is_on_rank(from, us, 1) && self.at(twice) == EMPTY {
                emit(Move::new(Pawn, square(from), square(twice), None, MoveKind::DoublePush));
            }
        }
    }

    /// A pawn's single step or capture, which may be a promotion.
    #[inline(always)]
    fn arrive(&self, from: usize, to: usize, emit: &mut impl FnMut(Move)) {
        let (origin, target, victim) = (square(from), square(to), self.victim(to));
        if is_on_rank(from, self.state.turn(), 6) {
            for move_kind in MoveKind::PROMOTIONS {
                emit(Move::new(Pawn, origin, target, victim, move_kind));
            }
        } else {
            emit(Move::new(Pawn, origin, target, victim, MoveKind::Plain));
        }
    }

    #[inline(always)]
    fn en_passant(&self, mut emit: impl FnMut(Move)) {
        let Some(passed) = self.state.en_passant() else { return };
        let us = self.state.turn();
        let to = cell(passed);
        for from in pawn_origins(to, us) {
            if self.at(from) == PAWN | color_bit(us) {
                emit(Move::en_passant(square(from), passed));
            }
        }
    }

    #[inline(always)]
    fn castling(&self, emit: &mut impl FnMut(Move)) {
        // The rook is the first piece from the king on its side.
        let is_clear = |castling: &Castling| {
            let (king, rook) = (cell(castling.king_from), cell(castling.rook_from));
            self.first_blocker(rook, direction(rook, king)) == king
        };
        castling_moves(self, is_clear, emit);
    }

    /// Evasions of a single check by pieces other than the king: captures of the checker and blocks.
    #[inline(always)]
    fn evasions(&self, king: usize, info: &CheckInfo, emit: &mut impl FnMut(Move)) {
        let by = direction(king, info.checker);
        let mut to = if by == 0 { info.checker } else { step(king, by) };
        loop {
            self.arrivals(to, info, emit);
            if to == info.checker {
                return;
            }
            to = step(to, by);
        }
    }

    /// All moves of pieces that are not pinned, the king's aside, to a cell that is empty or holds an enemy.
    #[inline(always)]
    fn arrivals(&self, to: usize, info: &CheckInfo, emit: &mut impl FnMut(Move)) {
        let us = self.state.turn();
        let pawn = PAWN | color_bit(us);
        let is_free = |from: usize| info.pin(from) == 0;
        let down = -up(us);
        if self.at(to) == EMPTY {
            let once = step(to, down);
            if self.at(once) == pawn {
                if is_free(once) {
                    self.arrive(once, to, emit);
                }
            } else if self.at(once) == EMPTY && is_on_rank(to, us, 3) {
                let twice = step(once, down);
                if self.at(twice) == pawn && is_free(twice) {
                    emit(Move::new(Pawn, square(twice), square(to), None, MoveKind::DoublePush));
                }
            }
        } else {
            for from in pawn_origins(to, us) {
                if self.at(from) == pawn && is_free(from) {
                    self.arrive(from, to, emit);
                }
            }
        }
        let mut arrive = |kind, from: usize| {
            if is_free(from) {
                emit(Move::new(kind, square(from), square(to), self.victim(to), MoveKind::Plain));
            }
        };
        for from in self.list(us, List::Knights) {
            if reach(from, to) & KNIGHT != 0 {
                arrive(Knight, from);
            }
        }
        let sliders = [
            (Bishop, super::lists::bishops_on(to), BISHOP),
            (Rook, List::Rooks, ROOK),
            (Queen, List::Queens, BISHOP | ROOK),
        ];
        for (kind, list, lines) in sliders {
            for from in self.list(us, list) {
                if reach(from, to) & lines != 0 && self.first_blocker(to, direction(to, from)) == from {
                    arrive(kind, from);
                }
            }
        }
    }
}
