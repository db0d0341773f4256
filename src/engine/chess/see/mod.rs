//! Static exchange evaluation: what a move wins or loses on its target square when both sides go on capturing there,
//! each with its least valuable piece, and each stopping when that is better.
//!
//! The sequence of captures has no branches, so alpha-beta needs no recursion: the window closes as the sides find
//! points at which they would rather stop (Reul 2009, chapter 4). Sliders behind a piece that has captured join in; a
//! king captures only if nothing can take it back; a pawn that captures on the last rank becomes a queen; en passant
//! removes the pawn beside. Pins are not seen. Of equal pieces the one on the lowest square captures first, whatever
//! the board.

pub(super) mod asker;
pub mod forms;
mod valued;

use super::board::Board;
use super::moves::{Move, MoveKind};
use super::{Color, PieceKind, PieceKind::*, Score, Square, SquareSet, Task};

pub use asker::Asker;
pub use valued::{Values, ValuesError, valued_steps};

/// Value of a kind of piece in an exchange.
pub const fn value(kind: PieceKind) -> Score {
    match kind {
        Pawn => Score(1_000),
        Knight | Bishop => Score(3_000),
        Rook => Score(5_000),
        Queen => Score(9_000),
        King => Score(150_000),
    }
}

/// Rules that an exchange takes into account. The program printed in the 2004 thesis leaves out both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// A pawn that is captured en passant counts and leaves its square.
    pub en_passant: bool,
    /// A pawn that captures on the last rank becomes a queen; the first move promotes to what it says.
    pub promotions: bool,
}

impl Rules {
    /// All rules of chess.
    pub const FULL: Self = Self { en_passant: true, promotions: true };
}

/// Exact exchange value of a legal move. Castling wins nothing.
///
/// ```
/// use splitpoint_engine::chess::mailbox::Mailbox;
/// use splitpoint_engine::chess::notation::parse_san;
/// use splitpoint_engine::chess::see::see;
/// use splitpoint_engine::chess::{Board, Keys, Score, Setup};
///
/// // A pawn defends the pawn: the rook wins 1 pawn and is lost.
/// let setup: Setup = "4k3/3p4/4p3/8/8/8/8/K3R3 w - - 0 1".parse().unwrap();
/// let board = Mailbox::set_up(&setup, Keys::of_seed(0)).unwrap();
/// let mv = parse_san(&board, "Rxe6").unwrap();
/// assert_eq!(see(&board, mv), Score(-4_000));
/// ```
pub fn see<B: Board>(board: &B, mv: Move) -> Score {
    see_by(Rules::FULL, board, mv)
}

/// Exact exchange value of a legal move by these rules.
#[inline]
pub fn see_by<B: Board>(rules: Rules, board: &B, mv: Move) -> Score {
    let us = board.turn();
    let mut exchange = Exchange::begin(rules, board, mv);
    let mut balance = exchange.won;
    let mut side = !us;
    // What each side can be sure of, by stopping in time.
    let (mut low, mut high) = (Score(i32::MIN), Score(i32::MAX));
    loop {
        // The side to capture may as well stop here.
        if side == us {
            low = low.max(balance);
        } else {
            high = high.min(balance);
        }
        if low >= high {
            return if side == us { high } else { low };
        }
        let Some(attacker) = exchange.attackers.next(side) else {
            return balance.clamp(low, high);
        };
        let gain = exchange.capture(attacker);
        balance = if side == us { balance + gain } else { balance - gain };
        side = !side;
    }
}

/// Whether the exchange value of a legal move by these rules is at least this.
#[inline]
pub fn is_at_least<B: Board>(rules: Rules, board: &B, mv: Move, least: Score) -> bool {
    // Where pawns promote, the moved piece is not all that can be lost.
    let may_promote = matches!(mv.to().rank(), 0 | 7);
    if !may_promote && mv.kind() != MoveKind::EnPassant {
        let won = mv.captured().map_or(Score(0), value);
        if won < least {
            return false;
        }
        if won - value(mv.piece()) >= least {
            return true;
        }
    }
    reaches(Exchange::begin(rules, board, mv), board.turn(), least)
}

/// Whether no exchange wins a pawn of this side after a step, whoever is to move. On the last rank it stays a pawn.
pub fn is_safe_step<B: Board>(board: &B, color: Color, from: Square) -> bool {
    let Some(to) = SquareSet::of(from).forward(color).first() else { return false };
    let step = Move::new(Pawn, from, to, None, MoveKind::Plain);
    board.note_exchange(step, Asker::Evaluation);
    B::begin(Task::Exchange);
    let is_safe = reaches(Exchange::begin(Rules { promotions: false, ..Rules::FULL }, board, step), color, Score(0));
    B::end();
    is_safe
}

/// Whether the side that began an exchange wins at least this.
#[inline(always)]
fn reaches<B: Board>(mut exchange: Exchange<'_, B>, us: Color, least: Score) -> bool {
    let mut balance = exchange.won;
    let mut side = !us;
    loop {
        // The side to capture may as well stop here.
        if side == us && balance >= least {
            return true;
        }
        if side != us && balance < least {
            return false;
        }
        let Some(attacker) = exchange.attackers.next(side) else {
            return balance >= least;
        };
        let gain = exchange.capture(attacker);
        balance = if side == us { balance + gain } else { balance - gain };
        side = !side;
    }
}

/// Exchange in progress: the piece that stands on the target square, and those that may capture it.
struct Exchange<'a, B: Board> {
    attackers: Attackers<'a, B>,
    /// Gain by the first move.
    won: Score,
    /// Value of the piece on the target square.
    standing: Score,
    /// Value that a pawn has when it has captured here.
    pawn: Score,
    /// Gain by the promotion of a pawn that captures here.
    promotion: Score,
}

impl<'a, B: Board> Exchange<'a, B> {
    /// The exchange after its first move.
    #[inline(always)]
    fn begin(rules: Rules, board: &'a B, mv: Move) -> Self {
        let target = mv.to();
        let unseen_victim = !rules.en_passant && mv.kind() == MoveKind::EnPassant;
        let mut won = mv.captured().filter(|_| !unseen_victim).map_or(Score(0), value);
        let mut standing = value(mv.piece());
        if let Some(kind) = mv.promoted().filter(|_| rules.promotions) {
            won += value(kind) - value(Pawn);
            standing = value(kind);
        }
        let promotes = rules.promotions && matches!(target.rank(), 0 | 7);
        let (pawn, promotion) =
            if promotes { (value(Queen), value(Queen) - value(Pawn)) } else { (value(Pawn), Score(0)) };
        let attackers = Attackers::new(board, mv, if unseen_victim { target } else { mv.victim_square() });
        Self { attackers, won, standing, pawn, promotion }
    }

    /// Puts a piece of this kind on the target square. Returns what it gains.
    #[inline(always)]
    fn capture(&mut self, attacker: PieceKind) -> Score {
        let gain = if attacker == Pawn { self.standing + self.promotion } else { self.standing };
        self.standing = if attacker == Pawn { self.pawn } else { value(attacker) };
        gain
    }
}

/// Pieces that may still capture on the target square.
struct Attackers<'a, B: Board> {
    board: &'a B,
    target: Square,
    /// Pieces that can capture now, by colour.
    ready: [SquareSet; 2],
    /// Squares of pieces that have captured, or were captured en passant.
    gone: SquareSet,
}

impl<'a, B: Board> Attackers<'a, B> {
    #[inline(always)]
    fn new(board: &'a B, mv: Move, victim: Square) -> Self {
        let target = mv.to();
        let gone = SquareSet::of(mv.from()) | (SquareSet::of(victim) - SquareSet::of(target));
        Self { board, target, ready: board.attackers_without(target, gone), gone }
    }

    /// Removes a piece from its square; a slider behind it can capture now.
    #[inline(always)]
    fn leave(&mut self, kind: PieceKind, square: Square) {
        self.gone |= SquareSet::of(square);
        // Nobody hides behind a knight: it does not come along a line.
        if kind != Knight {
            let [white, black] = self.board.by_color(self.board.revealed_attackers(self.target, square, self.gone));
            self.ready = [self.ready[0] | white, self.ready[1] | black];
        }
        self.ready = [self.ready[0] - self.gone, self.ready[1] - self.gone];
    }

    /// The least valuable piece of a side that can capture, with its square.
    #[inline(always)]
    fn least(&self, side: Color) -> Option<(PieceKind, Square)> {
        self.board.least_valuable(self.ready[side.index()])
    }

    /// Lets the least valuable piece of a side capture, and returns its kind; `None` if no piece may capture.
    #[inline(always)]
    fn next(&mut self, side: Color) -> Option<PieceKind> {
        let (kind, square) = self.least(side)?;
        if kind == King && !self.ready[(!side).index()].is_empty() {
            return None;
        }
        self.leave(kind, square);
        Some(kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::bitboards::{Bitboards, sliders::Ray};
    use crate::chess::mailbox::Mailbox;
    use crate::chess::{Keys, MoveList, Setup};

    fn check<B: Board>(fen: &str, text: &str, expected: i32) {
        let setup: Setup = fen.parse().unwrap();
        let board = B::set_up(&setup, Keys::of_seed(0)).unwrap();
        let mut list = MoveList::new();
        board.legal_moves(&mut list);
        let mv = *list.iter().find(|mv| mv.to_string() == text).expect(text);
        assert_eq!(see(&board, mv), Score(expected), "{fen} {text}");
    }

    #[test]
    fn exchanges_worked_out_by_hand() {
        let cases = [
            ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", 1_000),
            ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", -2_000),
            // The knight takes the rook; the queen behind it could take back, but would be lost to the queen on c6.
            ("r1r5/3n1pbk/ppqppnpp/8/P2PP3/1RN1B2P/1QPN1PP1/4R1K1 w - - 0 22", "b3b6", -4_000),
            // En passant: the captured pawn opens the file for a rook that takes back.
            ("3r3k/8/8/3pP3/8/8/8/3R3K w - d6 0 1", "e5d6", 1_000),
            ("4k3/8/8/2pP4/8/8/4K3/2r5 w - c6 0 1", "d5c6", 0),
            // Promotions: alone, captured at once, and with a victim.
            ("8/4P3/8/8/k7/8/8/K7 w - - 0 1", "e7e8q", 8_000),
            ("3r4/4P3/8/8/k7/8/8/K7 w - - 0 1", "e7e8q", -1_000),
            ("3r4/4P3/8/8/k7/8/8/K7 w - - 0 1", "e7d8q", 13_000),
            ("3rk3/4P3/8/8/8/8/8/K7 w - - 0 1", "e7d8q", 4_000),
            // A pawn that takes back on the last rank becomes a queen: Black had better not take.
            ("3rr2k/4P3/8/8/8/8/8/3Q2K1 w - - 0 1", "d1d8", 5_000),
            // A king may not take back what is defended.
            ("8/8/8/3k4/4p3/8/4R3/4R2K w - - 0 1", "e2e4", 1_000),
            ("8/8/8/3k4/4p3/8/4R3/7K w - - 0 1", "e2e4", -4_000),
            // A quiet move to an attacked square.
            ("4k3/8/3p4/8/8/5N2/8/4K3 w - - 0 1", "f3e5", -3_000),
            ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", 0),
        ];
        for (fen, mv, expected) in cases {
            check::<Bitboards<Ray>>(fen, mv, expected);
            check::<Mailbox>(fen, mv, expected);
        }
    }

    #[test]
    fn steps_of_pawns_are_safe_or_not_for_either_side() {
        // To e5: not attacked; attacked once and not protected; twice and once; by a pawn and protected; by two pawns.
        for (placement, is_safe) in [
            ("4k3/2r5/8/8/4P3/8/8/4R1K1", true),
            ("4k3/8/r7/8/4P3/8/8/4R1K1", true),
            ("4k3/8/8/r7/4P3/8/8/6K1", false),
            ("4k3/8/4r3/r7/4P3/8/8/4R1K1", false),
            ("4k3/8/3p4/8/4P3/8/8/4R1K1", true),
            ("4k3/8/3p1p2/8/4P3/8/8/6K1", false),
        ] {
            for turn in ['w', 'b'] {
                let setup: Setup = format!("{placement} {turn} - - 0 1").parse().unwrap();
                let mailbox = Mailbox::set_up(&setup, Keys::of_seed(0)).unwrap();
                let bitboards = Bitboards::<Ray>::set_up(&setup, Keys::of_seed(0)).unwrap();
                let e4 = "e4".parse().unwrap();
                assert_eq!(is_safe_step(&mailbox, Color::White, e4), is_safe, "{setup}");
                assert_eq!(is_safe_step(&bitboards, Color::White, e4), is_safe, "{setup}");
            }
        }
    }

    #[test]
    fn the_printed_rules_leave_out_en_passant_and_promotion() {
        let printed = Rules { en_passant: false, promotions: false };
        let cases = [
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 1_000, 0),
            // The captured pawn stays, so the rook behind it cannot take back.
            ("4k3/8/8/2pP4/8/8/4K3/2r5 w - c6 0 1", "d5c6", 0, 0),
            ("3rk3/4P3/8/8/8/8/8/K7 w - - 0 1", "e7d8q", 4_000, 4_000),
            ("3r4/4P3/8/8/k7/8/8/K7 w - - 0 1", "e7d8q", 13_000, 5_000),
            ("3rr2k/4P3/8/8/8/8/8/3Q2K1 w - - 0 1", "d1d8", 5_000, 1_000),
            ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", 1_000, 1_000),
        ];
        for (fen, text, full, expected) in cases {
            check::<Mailbox>(fen, text, full);
            let board = Mailbox::set_up(&fen.parse().unwrap(), Keys::of_seed(0)).unwrap();
            let mut list = MoveList::new();
            board.legal_moves(&mut list);
            let mv = *list.iter().find(|mv| mv.to_string() == text).unwrap();
            assert_eq!(see_by(printed, &board, mv), Score(expected), "{fen} {text}");
        }
    }
}
