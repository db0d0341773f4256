//! Attacks and moves, by walking from cell to cell.

use super::{Finder, Grid, Plain};
use crate::chess::board::Board;
use crate::chess::castle::castling_moves;
use crate::chess::geometry::{KING_STEPS, KNIGHT_STEPS, Step};
use crate::chess::moves::{Move, MoveKind};
use crate::chess::{Color, Piece, PieceKind, PieceKind::*, Square};

/// Directions in which pieces go: those of a queen, a rook's the even ones, and then those of a knight.
pub const STEPS: [Step; 16] = {
    let mut steps = [(0, 0); 16];
    let mut i = 0;
    while i < 8 {
        (steps[i], steps[8 + i]) = (KING_STEPS[i], KNIGHT_STEPS[i]);
        i += 1;
    }
    steps
};

const LINES: usize = 8;

/// Direction of a pawn's step, and those of its captures.
const fn pawn_directions(color: Color) -> (usize, [usize; 2]) {
    match color {
        Color::White => (0, [1, 7]),
        Color::Black => (4, [3, 5]),
    }
}

/// Directions of a piece, a pawn's captures included, and whether it goes on until something is in its way.
#[inline(always)]
fn directions(piece: Piece) -> (impl Iterator<Item = usize>, bool) {
    let (first, last, by) = match (piece.kind(), piece.color()) {
        (Pawn, Color::White) => (1, LINES, 6),
        (Pawn, Color::Black) => (3, 6, 2),
        (Knight, _) => (LINES, STEPS.len(), 1),
        (Bishop, _) => (1, LINES, 2),
        (Rook, _) => (0, LINES, 2),
        (Queen | King, _) => (0, LINES, 1),
    };
    ((first..last).step_by(by), matches!(piece.kind(), Bishop | Rook | Queen))
}

/// Whether a piece of this kind attacks from the end of a way in this direction to its beginning.
#[inline(always)]
fn attacks_back(piece: Piece, direction: usize, is_near: bool) -> bool {
    match piece.kind() {
        // Towards a pawn one goes as a pawn of the other colour captures.
        Pawn => is_near && pawn_directions(!piece.color()).1.contains(&direction),
        Knight => direction >= LINES,
        Bishop => direction < LINES && direction % 2 == 1,
        Rook => direction < LINES && direction.is_multiple_of(2),
        Queen => direction < LINES,
        King => direction < LINES && is_near,
    }
}

/// The piece of a colour that attacks a cell from this direction; `look` tells what stands on a cell.
#[inline(always)]
pub fn attacker_along<G: Grid>(
    target: usize,
    direction: usize,
    by: Color,
    look: &impl Fn(usize) -> Option<Piece>,
) -> Option<usize> {
    let near = G::step(target, direction)?;
    let mut cell = near;
    loop {
        if let Some(piece) = look(cell) {
            let attacks = piece.color() == by && attacks_back(piece, direction, cell == near);
            return attacks.then_some(cell);
        }
        if direction >= LINES {
            return None;
        }
        cell = G::step(cell, direction)?;
    }
}

/// The pieces of a colour that attack a cell; `look` tells what stands on a cell.
#[inline(always)]
pub fn attackers<G: Grid, L: Fn(usize) -> Option<Piece>>(
    target: usize,
    by: Color,
    look: L,
) -> impl Iterator<Item = usize> {
    (0..STEPS.len()).filter_map(move |direction| attacker_along::<G>(target, direction, by, &look))
}

/// Direction from a square towards another on the same line.
pub fn direction(from: Square, to: Square) -> Option<usize> {
    let files = to.file() as i8 - from.file() as i8;
    let ranks = to.rank() as i8 - from.rank() as i8;
    let is_line = files == 0 || ranks == 0 || files.abs() == ranks.abs();
    KING_STEPS.iter().position(|step| is_line && *step == (files.signum(), ranks.signum()))
}

impl<G: Grid, F: Finder> Plain<G, F> {
    /// Visits every cell that a piece attacks from a cell.
    #[inline(always)]
    pub(super) fn visit_reached(&self, piece: Piece, from: usize, visit: &mut impl FnMut(usize)) {
        let (directions, slides) = directions(piece);
        for direction in directions {
            let mut cell = from;
            while let Some(to) = G::step(cell, direction) {
                visit(to);
                if !slides || self.at(to).is_some() {
                    break;
                }
                cell = to;
            }
        }
    }

    /// Generates all moves that leave the own king safe.
    #[inline(always)]
    pub(super) fn legal(&self, emit: &mut impl FnMut(Move)) {
        let in_check = self.in_check();
        self.pseudo_legal(true, &mut |mv| {
            if self.is_legal(mv, in_check) {
                emit(mv);
            }
        });
    }

    /// Generates captures and promotions, and the quiet moves if they are wanted.
    #[inline(always)]
    pub(super) fn pseudo_legal(&self, quiet: bool, emit: &mut impl FnMut(Move)) {
        let us = self.state.turn();
        for kind in PieceKind::ALL {
            let piece = Piece::new(us, kind);
            for from in self.squares_of(piece) {
                if kind == Pawn {
                    self.pawn(from, quiet, emit);
                    continue;
                }
                self.visit_reached(piece, G::cell(from), &mut |to| {
                    let victim = self.at(to);
                    if victim.map_or(quiet, |victim| victim.color() != us) {
                        let captured = victim.map(Piece::kind);
                        emit(Move::new(kind, from, G::square(to), captured, MoveKind::Plain));
                    }
                });
            }
        }
        if quiet {
            castling_moves(self, |castling| self.are_empty(castling.empty), emit);
        }
    }

    /// Generates the moves of a pawn.
    #[inline(always)]
    fn pawn(&self, from: Square, quiet: bool, emit: &mut impl FnMut(Move)) {
        let us = self.state.turn();
        let (up, captures) = pawn_directions(us);
        let cell = G::cell(from);
        for to in captures.into_iter().filter_map(|direction| G::step(cell, direction)) {
            match self.at(to) {
                Some(victim) if victim.color() != us => arrive(us, from, G::square(to), Some(victim.kind()), emit),
                None if self.state.en_passant() == Some(G::square(to)) => {
                    emit(Move::en_passant(from, G::square(to)));
                }
                _ => {}
            }
        }
        let is_free = |cell: &usize| self.at(*cell).is_none();
        let Some(once) = G::step(cell, up).filter(is_free) else { return };
        if quiet || from.rank() == us.rank(6) {
            arrive(us, from, G::square(once), None, emit);
        }
        if quiet
            && from.rank() == us.rank(1)
            && let Some(twice) = G::step(once, up).filter(is_free)
        {
            emit(Move::new(Pawn, from, G::square(twice), None, MoveKind::DoublePush));
        }
    }
}

/// A pawn's single step or capture, which may be a promotion.
#[inline(always)]
fn arrive(us: Color, from: Square, to: Square, victim: Option<PieceKind>, emit: &mut impl FnMut(Move)) {
    if from.rank() == us.rank(6) {
        MoveKind::PROMOTIONS.into_iter().for_each(|kind| emit(Move::new(Pawn, from, to, victim, kind)));
    } else {
        emit(Move::new(Pawn, from, to, victim, MoveKind::Plain));
    }
}

#[cfg(test)]
mod tests {
    use super::super::{array::Files, borderless::Next, x88::Padded};
    use super::*;

    fn steps_are_right<G: Grid>() {
        for square in Square::all() {
            assert_eq!(G::square(G::cell(square)), square);
            for (direction, (files, ranks)) in STEPS.into_iter().enumerate() {
                let expected = square.offset(files, ranks);
                assert_eq!(G::step(G::cell(square), direction).map(G::square), expected, "{square} {direction}");
            }
        }
    }

    #[test]
    fn every_grid_steps_alike() {
        steps_are_right::<Files>();
        steps_are_right::<Padded>();
        steps_are_right::<Next>();
    }
}
