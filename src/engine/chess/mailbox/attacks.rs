//! Attacks on the mailbox board, by two loops over empty cells: outwards from a slider until something is in the way,
//! and from a target towards a slider, which attacks the target if it is the first piece in the way.

use super::cells::{
    BISHOP, BORDER, Code, EMPTY, KING, KNIGHT, NOTHING, PAWN, ROOK, WIDTH, cell, color_bit, direction, reach, square,
    step,
};
use super::lists::{List, ListBoard, Tally, bishops_on};
use crate::chess::PieceKind::King;
use crate::chess::{Color, Move, MoveKind, SquareSet};

/// Steps between cells, by kind of piece.
pub(super) const KNIGHT_STEPS: [isize; 8] = [31, 17, -13, -29, -31, -17, 13, 29];
pub(super) const BISHOP_STEPS: [isize; 4] = [16, -14, -16, 14];
pub(super) const ROOK_STEPS: [isize; 4] = [15, 1, -15, -1];
pub(super) const KING_STEPS: [isize; 8] = [15, 16, 1, -14, -15, -16, -1, 14];

/// Pins and checks of the side to move.
pub(super) struct CheckInfo {
    /// Cell of a piece that gives check.
    pub checker: usize,
    /// Number of pieces that give check.
    pub checks: u32,
    pinned: [(u8, i8); 8],
    pins: usize,
}

impl CheckInfo {
    /// Step from the king to a pinned piece; 0 for a piece that is not pinned.
    #[inline(always)]
    pub fn pin(&self, cell: usize) -> isize {
        self.pinned[..self.pins]
            .iter()
            .find(|(pinned, _)| usize::from(*pinned) == cell)
            .map_or(0, |(_, by)| (*by).into())
    }
}

/// Cells from which pawns of this colour attack a target.
#[inline(always)]
pub(super) fn pawn_origins(target: usize, color: Color) -> [usize; 2] {
    let down = match color {
        Color::White => -WIDTH,
        Color::Black => WIDTH,
    };
    [step(target, down - 1), step(target, down + 1)]
}

impl<T: Tally> ListBoard<T> {
    /// The first cell from here in this direction that is not empty.
    #[inline(always)]
    pub(super) fn first_blocker(&self, from: usize, by: isize) -> usize {
        let mut cell = step(from, by);
        let mut steps = 0;
        while self.at(cell) == EMPTY {
            cell = step(cell, by);
            steps += 1;
        }
        T::ray(steps);
        cell
    }

    /// Whether nothing stands between a target and a slider on one line with it, the piece on `through` aside.
    #[inline(always)]
    fn is_open(&self, target: usize, slider: usize, through: usize) -> bool {
        let by = direction(target, slider);
        let mut blocker = self.first_blocker(target, by);
        if blocker == through {
            blocker = self.first_blocker(blocker, by);
        }
        blocker == slider
    }

    /// Visits the sliders of a colour that could attack this cell on an empty board.
    #[inline(always)]
    fn visit_snipers(&self, target: usize, by: Color, mut visit: impl FnMut(usize)) {
        for (list, kinds) in [(bishops_on(target), BISHOP), (List::Rooks, ROOK), (List::Queens, BISHOP | ROOK)] {
            for cell in self.list(by, list) {
                if reach(cell, target) & kinds != 0 {
                    visit(cell);
                }
            }
        }
    }

    /// Whether a colour attacks a cell; sliders see through the cell `through`, which the king is about to leave, or
    /// [`NOTHING`].
    #[inline(always)]
    pub(super) fn is_cell_attacked(&self, target: usize, by: Color, through: usize) -> bool {
        let pawn = PAWN | color_bit(by);
        let [left, right] = pawn_origins(target, by);
        if self.at(left) == pawn || self.at(right) == pawn {
            return true;
        }
        let opens =
            |slider: usize, kinds: Code| reach(slider, target) & kinds != 0 && self.is_open(target, slider, through);
        self.list(by, List::Knights).any(|cell| reach(cell, target) & KNIGHT != 0)
            || reach(self.king_cell(by), target) & KING != 0
            || self.list(by, bishops_on(target)).any(|cell| opens(cell, BISHOP))
            || self.list(by, List::Rooks).any(|cell| opens(cell, ROOK))
            || self.list(by, List::Queens).any(|cell| opens(cell, BISHOP | ROOK))
    }

    /// The pieces of a colour that attack a cell.
    #[inline(always)]
    pub(super) fn attackers_of(&self, target: usize, by: Color) -> SquareSet {
        let mut set = SquareSet::EMPTY;
        let mut add = |cell| set |= SquareSet::of(square(cell));
        for cell in pawn_origins(target, by) {
            if self.at(cell) == PAWN | color_bit(by) {
                add(cell);
            }
        }
        for cell in self.list(by, List::Knights) {
            if reach(cell, target) & KNIGHT != 0 {
                add(cell);
            }
        }
        let king = self.king_cell(by);
        if reach(king, target) & KING != 0 {
            add(king);
        }
        self.visit_snipers(target, by, |cell| {
            if self.is_open(target, cell, NOTHING) {
                add(cell);
            }
        });
        set
    }

    /// Visits every cell that the piece on this cell attacks.
    #[inline(always)]
    pub(super) fn visit_reached(&self, from: usize, visit: &mut impl FnMut(usize)) {
        const SLIDER: Code = BISHOP | ROOK;
        let code = self.at(from);
        match code & !(color_bit(Color::White) | color_bit(Color::Black)) {
            SLIDER => self.visit_lines(from, &KING_STEPS, visit),
            BISHOP => self.visit_lines(from, &BISHOP_STEPS, visit),
            ROOK => self.visit_lines(from, &ROOK_STEPS, visit),
            KNIGHT => self.visit_leaps(from, &KNIGHT_STEPS, visit),
            KING => self.visit_leaps(from, &KING_STEPS, visit),
            PAWN if code & color_bit(Color::White) != 0 => self.visit_leaps(from, &[WIDTH - 1, WIDTH + 1], visit),
            PAWN => self.visit_leaps(from, &[-WIDTH - 1, -WIDTH + 1], visit),
            _ => {}
        }
    }

    #[inline(always)]
    fn visit_leaps<const N: usize>(&self, from: usize, steps: &[isize; N], visit: &mut impl FnMut(usize)) {
        for by in steps {
            let to = step(from, *by);
            if self.at(to) & BORDER == 0 {
                visit(to);
            }
        }
    }

    /// Visits every cell that a slider with these steps would attack from this cell.
    #[inline(always)]
    pub(super) fn visit_lines<const N: usize>(&self, from: usize, steps: &[isize; N], visit: &mut impl FnMut(usize)) {
        for by in steps {
            let mut to = step(from, *by);
            let mut steps = 0;
            while self.at(to) == EMPTY {
                visit(to);
                to = step(to, *by);
                steps += 1;
            }
            T::ray(steps);
            if self.at(to) & BORDER == 0 {
                visit(to);
            }
        }
    }

    /// The slider, of whichever colour, that attacks `target` along the line through `vacated` once `gone` is empty.
    #[inline(always)]
    pub(super) fn slider_behind(&self, target: usize, vacated: usize, gone: SquareSet) -> SquareSet {
        let by = direction(target, vacated);
        if by == 0 {
            return SquareSet::EMPTY;
        }
        let mut cell = self.first_blocker(target, by);
        while gone.contains(square(cell)) && self.at(cell) & BORDER == 0 {
            cell = self.first_blocker(cell, by);
        }
        if self.at(cell) & BORDER == 0 && self.at(cell) & reach(cell, target) & (BISHOP | ROOK) != 0 {
            SquareSet::of(square(cell))
        } else {
            SquareSet::EMPTY
        }
    }

    /// Checks against the side to move, and its pinned pieces.
    #[inline(always)]
    pub(super) fn check_info(&self) -> CheckInfo {
        let us = self.state.turn();
        let king = self.king_cell(us);
        let mut info = CheckInfo { checker: 0, checks: 0, pinned: [(0, 0); 8], pins: 0 };
        let pawn = PAWN | color_bit(!us);
        let pawns = pawn_origins(king, !us).into_iter().filter(|cell| self.at(*cell) == pawn);
        let knights = self.list(!us, List::Knights).filter(|cell| reach(*cell, king) & KNIGHT != 0);
        for checker in pawns.chain(knights) {
            info.checker = checker;
            info.checks += 1;
        }
        self.visit_snipers(king, !us, |sniper| {
            let by = direction(king, sniper);
            let blocker = self.first_blocker(king, by);
            if blocker == sniper {
                info.checker = sniper;
                info.checks += 1;
            } else if self.at(blocker) & color_bit(us) != 0 && self.first_blocker(blocker, by) == sniper {
                info.pinned[info.pins] = (blocker as u8, by as i8);
                info.pins += 1;
            }
        });
        info
    }

    /// Whether a pseudo-legal move leaves the own king safe.
    #[inline(always)]
    pub(super) fn is_safe(&self, mv: Move, in_check: bool) -> bool {
        let us = self.state.turn();
        let (from, to) = (cell(mv.from()), cell(mv.to()));
        match mv.kind() {
            MoveKind::Castling => return true,
            MoveKind::EnPassant => return self.is_legal_en_passant(mv),
            _ if mv.piece() == King => return !self.is_cell_attacked(to, !us, from),
            _ => {}
        }
        (!in_check || self.is_evasion(to)) && !self.is_pinned_against(from, to)
    }

    /// Whether a move between these cells, not the king's and not en passant, uncovers an attack on the own king.
    #[inline(always)]
    pub(super) fn is_pinned_against(&self, from: usize, to: usize) -> bool {
        let us = self.state.turn();
        let king = self.king_cell(us);
        let by = direction(king, from);
        if by == 0 || direction(king, to) == by || self.first_blocker(king, by) != from {
            return false;
        }
        let behind = self.first_blocker(from, by);
        let code = self.at(behind);
        code & color_bit(!us) != 0 && code & reach(behind, king) & (BISHOP | ROOK) != 0
    }

    /// Whether a piece that moves to this cell ends the check: it captures the only checker or blocks its line.
    #[inline(always)]
    pub(super) fn is_evasion(&self, to: usize) -> bool {
        let info = self.check_info();
        let king = self.king_cell(self.state.turn());
        let by = direction(king, info.checker);
        let between = by != 0 && direction(king, to) == by && direction(to, info.checker) == by;
        info.checks == 1 && (to == info.checker || between)
    }
}
