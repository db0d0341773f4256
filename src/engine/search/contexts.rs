//! Histories of quiet moves in a context: after the same move of the opponent, or with the same pawns. Each is a
//! balance of cutoffs and failures, and is added to the history of the move without a context.
//!
//! # Memory ordering
//! `Relaxed`, as in [`quiet_history`](super::quiet_history): each balance is a number by itself.

use std::sync::atomic::{AtomicI16, Ordering};

use super::node::Node;
use super::picker::{Picker, Ranked};
use super::quiet_history::{Histories, pulled};
use super::ranking::COUNTER_MOVE;
use super::strategy::Strategy;
use super::worker::Worker;
use crate::chess::order::CanonicalOrder;
use crate::chess::{Board, Color, Move};
use crate::machine::{Access, Area, Processor};
use crate::settings::settings;

settings! {
    /// Parameters of histories in a context.
    pub struct Contexts, "feature";
    => "Histories in a context",
        "common practice since 2016 (Stockfish: after the same move) and 2023 (with the same pawns)",
        tried by ["+continuation-history", "evaluation=classical then +pawn-history"];
    after_move: bool, "continuation-history",
        "quiet moves are also ordered by how often they cut after the same move of the opponent";
    with_pawns: bool, "pawn-history",
        "quiet moves are also ordered by how often they cut in positions with the same pawns, with \
         evaluation=classical";
}

impl Contexts {
    /// Whether quiet moves are ever ordered by a context.
    pub(super) fn are_used(&self) -> bool {
        self.after_move || self.with_pawns
    }
}

/// Numbers of moves, which are a piece and the square it goes to.
const MOVES: usize = 6 * 64;
/// Contexts of a move of the opponent, one of them that there is none.
const AFTER: usize = MOVES + 1;
/// Contexts of pawns.
const PAWNS: usize = 512;

/// Balances of quiet moves in their contexts.
pub(crate) struct ContextHistory {
    after_move: Box<[AtomicI16]>,
    with_pawns: Box<[AtomicI16]>,
    area: Area,
}

impl ContextHistory {
    /// Histories in which nothing has cut. They are empty if they are not used.
    pub fn new(rule: &Contexts) -> Self {
        let balances = |is_used: bool, contexts: usize| -> Box<[AtomicI16]> {
            let entries = if is_used { 2 * contexts * MOVES } else { 0 };
            (0..entries).map(|_| AtomicI16::new(0)).collect()
        };
        let (after_move, with_pawns) = (balances(rule.after_move, AFTER), balances(rule.with_pawns, PAWNS));
        let area = Area::new((after_move.len() + with_pawns.len()) * size_of::<AtomicI16>());
        Self { after_move, with_pawns, area }
    }

    /// Balances of all moves of a side after this move of the opponent, and with these pawns.
    fn rows(&self, us: Color, before: Option<Move>, pawns: u64) -> [&[AtomicI16]; 2] {
        let row = |of: &'_ [AtomicI16], contexts: usize, context: usize| {
            let start = (us.index() * contexts + context) * MOVES;
            if of.is_empty() { 0..0 } else { start..start + MOVES }
        };
        [
            &self.after_move[row(&self.after_move, AFTER, before.map_or(MOVES, number))],
            &self.with_pawns[row(&self.with_pawns, PAWNS, pawns as usize % PAWNS)],
        ]
    }
}

/// Number of a move: its piece and the square it goes to.
fn number(mv: Move) -> usize {
    64 * mv.piece().index() + mv.to().index()
}

impl<B: Board, P: Processor, S: Strategy> Worker<'_, B, P, S> {
    /// Balances in the context of the node at this ply.
    fn context_rows(&self, ply: usize) -> [&[AtomicI16]; 2] {
        let here = &self.plies[ply];
        self.contexts.rows(self.board.turn(), here.arrived_by, here.evaluation.pawn_key())
    }

    /// Adds to the keys of quiet moves what they are worth in the context of this ply.
    #[inline(never)]
    pub(super) fn add_contexts(&mut self, picker: &Picker, ply: usize) {
        if self.strategy.histories() != Histories::Private {
            let lines = picker.all().len() as u32;
            self.processor.touch(Access::ReadArea { area: &self.contexts.area, lines });
        }
        let mut moves = std::mem::take(&mut self.moves);
        let rows = self.context_rows(ply);
        for Ranked { key, mv } in &mut moves[picker.all()] {
            let score = CanonicalOrder::score(*key);
            if mv.is_quiet() && score < COUNTER_MOVE {
                let balance = |row: &&[AtomicI16]| row.get(number(*mv)).map(|it| i64::from(it.load(Ordering::Relaxed)));
                let sum: i64 = rows.iter().filter_map(balance).sum();
                *key = self.order.key_of_quiet((score + sum).min(COUNTER_MOVE - 1), *mv);
            }
        }
        self.moves = moves;
    }

    /// Sum of the balances of a quiet move in the contexts of a node.
    pub(super) fn in_contexts(&self, node: &Node, mv: Move) -> i32 {
        if self.strategy.histories() != Histories::Private {
            self.processor.touch(Access::ReadArea { area: &self.contexts.area, lines: 1 });
        }
        let rows = self.context_rows(node.ply);
        rows.iter().filter_map(|row| row.get(number(mv))).map(|it| i32::from(it.load(Ordering::Relaxed))).sum()
    }

    /// Notes that a quiet move of a node has cut, or, with a negative change, that another one had to.
    #[inline(never)]
    pub(super) fn note_in_contexts(&mut self, node: &Node, mv: Move, change: i32) {
        if self.strategy.histories() != Histories::Private {
            self.processor.touch(Access::WriteArea(&self.contexts.area));
        }
        for it in self.context_rows(node.ply).iter().filter_map(|row| row.get(number(mv))) {
            it.store(pulled(it.load(Ordering::Relaxed).into(), change) as i16, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::mailbox::Mailbox;
    use crate::chess::{Keys, MoveList, Setup};

    #[test]
    fn each_context_has_balances_of_its_own() {
        let board = Mailbox::set_up(&Setup::start(), Keys::of_seed(0)).unwrap();
        let mut list = MoveList::new();
        board.moves(&mut list);
        let history = ContextHistory::new(&Contexts { after_move: true, with_pawns: true });
        let contexts = [
            (Color::White, None, 0),
            (Color::White, Some(list[0]), 1),
            (Color::White, Some(list[1]), 511),
            (Color::Black, None, 0),
            (Color::Black, Some(list[1]), 511),
        ];
        let of = |(color, before, pawns): (Color, Option<Move>, u64)| history.rows(color, before, pawns);
        for (i, context) in contexts.into_iter().enumerate() {
            of(context).iter().for_each(|row| row[number(list[2])].store(1 + i as i16, Ordering::Relaxed));
        }
        for (i, context) in contexts.into_iter().enumerate() {
            for row in of(context) {
                let found: Vec<i16> = row.iter().map(|it| it.load(Ordering::Relaxed)).filter(|it| *it != 0).collect();
                assert_eq!((row.len(), found), (MOVES, vec![1 + i as i16]));
            }
        }
        let none = ContextHistory::new(&Contexts::NOTHING);
        assert!(none.rows(Color::Black, None, u64::MAX).iter().all(|row| row.is_empty()));
    }
}
