//! Pawns, beside other pieces and alone with the kings.

use super::{Terms, VALUES};
use crate::chess::PieceKind::Pawn;
use crate::chess::{Board, Color, Piece, Square, SquareSet};

/// Worth of a pawn that another one protects or stands beside.
const CHAIN: i32 = 5;
/// Penalty for each pawn beyond the first on a file, for each beyond the second in addition, and for each pawn with a
/// piece in front of it: two doubled and blocked pawns are worth 150.
const DOUBLED: i32 = 30;
const TRIPLED: i32 = 20;
const BLOCKED: i32 = 10;
/// Worth of a passed pawn by its rank, beside officers.
const PASSED: [i32; 8] = [0, 5, 10, 20, 35, 60, 100, 0];
/// Worth that a passed pawn gains when only kings and pawns are left, in halves of its worth otherwise.
const PASSED_ALONE: i32 = 3;
/// Worth of a pawn that nobody can stop, beside its value: nearly that of a queen, less for each ply that it needs.
const UNSTOPPABLE: i32 = 700;
const PLY: i32 = 10;
/// Plies by which a queen must come earlier to stop the other pawn.
const EARLIER: i32 = 2;
/// Worth of each step by which a king is nearer to a passed pawn than the other.
const KING_STEP: i32 = 5;
/// Worth of each step that a king is nearer to the centre.
const CENTRE_STEP: i32 = 8;

/// Pawns of a side that no enemy pawn stands before, nor may capture on their way, nor an own pawn stands before.
fn passed(color: Color, own: SquareSet, theirs: SquareSet) -> SquareSet {
    let stoppers = theirs.in_front(!color);
    own - (stoppers | stoppers.beside() | own.in_front(!color))
}

fn rank(color: Color, pawn: Square) -> usize {
    usize::from(pawn.seen_by(color).rank())
}

/// Worth of a side's pawns beside their values.
pub fn structure(color: Color, own: SquareSet, theirs: SquareSet, occupied: SquareSet, terms: &Terms) -> i32 {
    let mut sum = 0;
    if terms.pawn_chains {
        let chained = own & (own.forward(color).beside() | own.beside());
        sum += CHAIN * chained.len() as i32;
    }
    if terms.doubled_pawns {
        for file in 0..8 {
            let pawns = (own & SquareSet::file(file)).len() as i32;
            sum -= DOUBLED * (pawns - 1).max(0) + TRIPLED * (pawns - 2).max(0);
        }
    }
    if terms.blocked_pawns {
        sum -= BLOCKED * (own.forward(color) & occupied).len() as i32;
    }
    if terms.passed_pawns {
        sum += passed(color, own, theirs).map(|pawn| PASSED[rank(color, pawn)]).sum::<i32>();
    }
    sum
}

/// Score for White of a position of kings and pawns.
pub fn kings_and_pawns<B: Board>(board: &B, terms: &Terms) -> i32 {
    let pawns = Color::ALL.map(|color| board.set_of(Piece::new(color, Pawn)));
    let occupied = Color::ALL.iter().fold(pawns[0] | pawns[1], |all, color| all.with(board.king(*color)));
    let mut sum = [0; 2];
    // Plies until a pawn promotes that nobody can stop.
    let mut plies = [None; 2];
    for color in Color::ALL {
        let (own, theirs) = (pawns[color.index()], pawns[(!color).index()]);
        let (king, enemy) = (board.king(color), board.king(!color));
        let side = &mut sum[color.index()];
        *side += VALUES[Pawn.index()] * own.len() as i32 + structure(color, own, theirs, occupied, terms);
        *side += CENTRE_STEP * (3 - king.from_centre());
        if !terms.passed_pawns {
            continue;
        }
        for pawn in passed(color, own, theirs) {
            let promotion = Square::at(pawn.file(), color.rank(7));
            let steps = (7 - rank(color, pawn).max(2)) as i32;
            let tempo = i32::from(board.turn() != color);
            let way = SquareSet::of(pawn).in_front(color);
            let is_caught = enemy.distance(promotion) as i32 <= steps + tempo;
            // The king beside the way keeps the other one away from it.
            let is_escorted = king.distance(promotion) <= 1 && king.file() != pawn.file();
            if (way & occupied).is_empty() && (!is_caught || is_escorted) {
                let needed = 2 * steps - i32::from(board.turn() == color);
                plies[color.index()] = Some(plies[color.index()].map_or(needed, |before: i32| before.min(needed)));
            }
            *side += PASSED_ALONE * PASSED[rank(color, pawn)] / 2;
            *side += KING_STEP * (enemy.distance(promotion) as i32 - king.distance(promotion) as i32);
        }
    }
    let worth = |ours: Option<i32>, theirs: Option<i32>| {
        let is_late = |ours: i32| theirs.is_some_and(|theirs| theirs + EARLIER < ours);
        ours.filter(|ours| !is_late(*ours)).map_or(0, |ours| UNSTOPPABLE - PLY * ours)
    };
    sum[0] + worth(plies[0], plies[1]) - sum[1] - worth(plies[1], plies[0])
}
