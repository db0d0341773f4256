//! Pawns: their structure, which is remembered, and passed pawns, whose worth depends on the pieces.

use super::attacks::Attacks;
use super::king;
use super::pieces::OUTPOSTS;
use super::tally::{Mixed, Tally};
use super::terms::*;
use crate::chess::PieceKind::Pawn;
use crate::chess::{Board, Color, Piece, Square, SquareSet, see};
use crate::eval::Terms;
use crate::random::SplitMix;

/// Facts of a position that follow from its pawns alone, by colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    pub pawns: [SquareSet; 2],
    /// Squares that pawns attack.
    pub attacks: [SquareSet; 2],
    /// Squares that own pawns attack and the opponent's never will, where officers stand well.
    pub outposts: [SquareSet; 2],
    /// Files with own pawns, a bit for each.
    pub files: [u8; 2],
    pub passed: [SquareSet; 2],
    /// Number of files without pawns beside the king.
    pub open: [u8; 2],
}

/// Pawns as they are remembered, in one cache line, with the shelter of the kings that were seen with them last.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct Structure {
    key: u64,
    /// Passed pawns of both sides.
    passed: SquareSet,
    /// Outposts of each side.
    outposts: [SquareSet; 2],
    /// Weights of the structure.
    pub sum: Mixed,
    /// Weights of the shelter of these kings.
    shelter: Mixed,
    kings: [Square; 2],
    open: [u8; 2],
    files: [u8; 2],
}

/// Number of structures that are remembered.
const ENTRIES: usize = 2048;

/// Structures of pawns that a worker has met.
pub struct PawnTable(Box<[Structure]>);

/// Random numbers of pawns on squares.
static KEYS: [[u64; 64]; 2] = {
    let mut keys = [[0; 64]; 2];
    let mut random = SplitMix::new(0x70_61_77_6E);
    let mut i = 0;
    while i < 128 {
        keys[i / 64][i % 64] = random.next();
        i += 1;
    }
    keys
};

/// Number of a pawn on a square, in the key of all pawns.
#[inline(always)]
pub fn key(color: Color, square: Square) -> u64 {
    KEYS[color.index()][square.index()]
}

impl PawnTable {
    /// An empty table, for an evaluation with these terms.
    pub fn new(terms: &Terms) -> Self {
        Self(vec![Structure::of([SquareSet::EMPTY; 2], 0, terms); ENTRIES].into_boxed_slice())
    }

    /// The structure of these pawns on a board, with its kings.
    #[inline(always)]
    pub fn structure<B: Board>(&mut self, board: &B, pawns: [SquareSet; 2], key: u64, terms: &Terms) -> &Structure {
        let entry = &mut self.0[key as usize % ENTRIES];
        if entry.key != key || !terms.pawn_table {
            *entry = Structure::of(pawns, key, terms);
        }
        let kings = [board.king(Color::White), board.king(Color::Black)];
        if entry.kings != kings {
            entry.shelter_of(pawns, kings, terms);
        }
        entry
    }
}

/// Pawns of both sides.
#[inline(always)]
pub fn pawns_of<B: Board>(board: &B) -> [SquareSet; 2] {
    [board.set_of(Piece::new(Color::White, Pawn)), board.set_of(Piece::new(Color::Black, Pawn))]
}

/// Squares that pawns attack.
#[inline(always)]
fn attacks(pawns: [SquareSet; 2]) -> [SquareSet; 2] {
    [pawns[0].forward(Color::White).beside(), pawns[1].forward(Color::Black).beside()]
}

/// Squares that pawns attack or may once they have advanced.
fn reach(pawns: [SquareSet; 2]) -> [SquareSet; 2] {
    [pawns[0].in_front(Color::White).beside(), pawns[1].in_front(Color::Black).beside()]
}

impl Structure {
    /// Structure of these pawns, with no kings.
    #[inline(never)]
    fn of(pawns: [SquareSet; 2], key: u64, terms: &Terms) -> Self {
        let [white, black] = Color::ALL.map(|color| passed(pawns, color));
        let (attacks, reach) = (attacks(pawns), reach(pawns));
        let mut structure = Self {
            key,
            passed: white | black,
            outposts: [(attacks[0] - reach[1]) & OUTPOSTS[0], (attacks[1] - reach[0]) & OUTPOSTS[1]],
            sum: Mixed::default(),
            shelter: Mixed::default(),
            kings: [Square::A1; 2],
            open: [0; 2],
            files: pawns.map(SquareSet::as_files),
        };
        let facts = structure.facts(pawns);
        count_structure(&mut structure.sum, &facts, terms);
        structure
    }

    #[inline(never)]
    fn shelter_of(&mut self, pawns: [SquareSet; 2], kings: [Square; 2], terms: &Terms) {
        self.shelter = Mixed::default();
        if terms.king_shelter {
            king::count_shelter(&mut self.shelter, pawns, kings);
        }
        self.open = king::open_files(pawns, kings);
        self.kings = kings;
    }

    /// Weights of structure and shelter.
    #[inline(always)]
    pub fn sum(&self) -> Mixed {
        self.sum + self.shelter
    }

    /// Facts about the pawns, which are these.
    #[inline(always)]
    pub fn facts(&self, pawns: [SquareSet; 2]) -> Facts {
        Facts {
            pawns,
            attacks: attacks(pawns),
            outposts: self.outposts,
            passed: [self.passed & pawns[0], self.passed & pawns[1]],
            open: self.open,
            files: self.files,
        }
    }
}

/// Pawns of a side that nothing of the opponent's stops or may capture on the way, and that have no own pawn in front.
fn passed(pawns: [SquareSet; 2], color: Color) -> SquareSet {
    let (own, theirs) = (pawns[color.index()], pawns[(!color).index()]);
    let before = theirs.in_front(!color);
    own - (before | before.beside() | own.in_front(!color))
}

impl Facts {
    /// Facts about the pawns on a board, for tuning.
    pub fn of<B: Board>(board: &B) -> Self {
        let terms = &Terms::DEFAULT;
        let pawns = pawns_of(board);
        let mut structure = Structure::of(pawns, 0, terms);
        structure.shelter_of(pawns, Color::ALL.map(|color| board.king(color)), terms);
        structure.facts(pawns)
    }
}

/// Pawns of a side that are not passed, but have no enemy pawn in front of them, and at least as many own pawns
/// beside and behind them to escort them as there are enemy pawns that can stop them.
fn candidates(facts: &Facts, color: Color) -> impl Iterator<Item = Square> {
    let (own, theirs) = (facts.pawns[color.index()], facts.pawns[(!color).index()]);
    let free = own - theirs.in_front(!color) - own.in_front(!color) - facts.passed[color.index()];
    free.filter(move |square| {
        let pawn = SquareSet::of(*square);
        let escorts = own & (pawn.forward(color).beside() | pawn.forward(color).in_front(!color).beside());
        let guards = theirs & pawn.in_front(color).beside();
        escorts.len() >= guards.len()
    })
}

/// Files c to f on the second to the fourth rank of each side.
const CENTRE: [SquareSet; 2] = [SquareSet(0x0000_0000_3C3C_3C00), SquareSet(0x003C_3C3C_0000_0000)];

/// Counts what depends on pawns alone.
pub fn count_structure<T: Tally>(tally: &mut T, facts: &Facts, terms: &Terms) {
    let reach = reach(facts.pawns);
    for color in Color::ALL {
        let (us, them) = (color.index(), (!color).index());
        let pawns = facts.pawns[us];
        let mut add = |term: usize, count: u32| tally.add(term, color.sign() * count as i32);
        let rank = |square: Square| usize::from(square.seen_by(color).rank());
        if terms.doubled_pawns {
            add(DOUBLED, (pawns & pawns.in_front(!color)).len());
        }
        if terms.weak_pawns {
            let isolated = pawns - pawns.beside().files();
            add(ISOLATED, isolated.len());
            let next = pawns.forward(color);
            let unsafe_next = (next & (facts.attacks[them] - reach[us] - facts.attacks[us])).forward(!color);
            add(BACKWARD, (unsafe_next - isolated).len());
        }
        if terms.pawn_chains {
            (pawns & (facts.attacks[us] | pawns.beside())).for_each(|square| add(CONNECTED + rank(square), 1));
        }
        if terms.space {
            add(SPACE, (CENTRE[us] - pawns - facts.attacks[them]).len());
        }
        if terms.passed_pawns {
            facts.passed[us].for_each(|square| add(PASSED + rank(square), 1));
            candidates(facts, color).for_each(|square| add(CANDIDATE + rank(square), 1));
            add(PASSED_PROTECTED, (facts.passed[us] & facts.attacks[us]).len());
        }
    }
}

/// Counts what passed pawns are worth beside the other pieces; where exchanges count, a pawn that would be lost on its
/// next square is not free.
#[inline(always)]
pub fn count_passed<B: Board, T: Tally>(
    tally: &mut T,
    board: &B,
    facts: &Facts,
    attacks: &Attacks,
    exchanges_count: bool,
) {
    if (facts.passed[0] | facts.passed[1]).is_empty() {
        return;
    }
    for color in Color::ALL {
        let them = !color;
        let is_lone = attacks.officers[them.index()] == 0;
        for square in facts.passed[color.index()] {
            let rank = usize::from(square.seen_by(color).rank());
            let next = SquareSet::of(square).forward(color);
            let Some(stop) = next.first() else { continue };
            tally.add(PASSED_OWN_KING + board.king(color).distance(stop), color.sign());
            tally.add(PASSED_ENEMY_KING + board.king(them).distance(stop), color.sign());
            let way = SquareSet::of(square).in_front(color);
            let is_free = (way & attacks.occupied).is_empty();
            let is_lost = || exchanges_count && !see::is_safe_step(board, color, square);
            if (next & attacks.occupied).is_empty() && !is_lost() {
                tally.add(PASSED_FREE + rank, color.sign());
            }
            if is_free && (way & attacks.all[them.index()]).is_empty() {
                tally.add(PASSED_SAFE + rank, color.sign());
            }
            let steps = 7 - rank.max(2);
            let moves_first = usize::from(board.turn() == them);
            let last = Square::at(square.file(), color.rank(7));
            if is_lone && is_free && board.king(them).distance(last) > steps + moves_first {
                tally.add(UNSTOPPABLE, color.sign());
            }
        }
    }
}
