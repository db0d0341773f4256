//! Extensions: nodes that are searched deeper than their parents left them. Each is decided at the node itself, from
//! the moves that led to it.

use super::node::{Node, ONE_PLY};
use super::strategy::Strategy;
use super::worker::Worker;
use crate::chess::see::{self, Asker};
use crate::chess::{Board, Move, MoveList, PieceKind::Pawn, Score, Square, SquareSet, geometry};
use crate::choices::choices;
use crate::machine::Processor;
use crate::settings::settings;

choices! {
    /// Moves of pawns that are extended.
    pub enum PawnMoves, "moves of pawns";
    /// Moves to the seventh rank.
    Seventh "seventh",
    /// Moves to the sixth and seventh ranks (Reul 2009).
    Sixth "sixth",
    /// Moves to the seventh rank, and promotions (ColChess page).
    Promotions "promotions",
}

settings! {
    /// Parameters of extensions beside those of the thesis.
    pub struct Extensions, "feature";
    => "Extensions: further conditions",
        "ColChess page (also king danger, sudden scores, sacrifices); Reul 2009 (pawns by exchange)",
        tried by [
            "+revealed-check-extension=75", "+one-reply-always", "recapture-extension-least=3000",
            "pawn-extension-moves=sixth", "pawn-extension-moves=promotions", "+pawn-extension-exchange",
            "+king-danger-extension=50", "+sacrifice-extension=100",
            "sudden-score-margin=1000 then sudden-score-extension=50",
            "sudden-score-extension=50,sudden-score-margin=1000 then sudden-score-margin=500",
        ];
    revealed_check: i32 [0..=200 "hundredths of a ply"], "revealed-check-extension",
        "extension that is added if a piece gives check that has not moved, by itself or with the one that has";
    one_reply_always: bool, "one-reply-always",
        "'one-reply-extension' is also given to a side that is not in check";
    recapture_least: i32 [0..=10_000 "thousandths of a pawn"], "recapture-extension-least",
        "least value of a piece whose recapture gets 'recapture-extension'";
    pawn_moves: PawnMoves, "pawn-extension-moves",
        "moves of pawns that 'pawn-extension' is given for: to the seventh rank; to the sixth too; or to the seventh \
         and promotions";
    pawn_exchange: bool, "pawn-extension-exchange",
        "'pawn-extension' is given only if no exchange on its square wins the pawn";
    king_danger: i32 [0..=200 "hundredths of a ply"], "king-danger-extension",
        "extension if the piece that moved attacks a square beside the king, and two others do";
    sudden_score: i32 [0..=200 "hundredths of a ply"], "sudden-score-extension",
        "extension if the static evaluation differs by a margin from that of two plies before, and nothing was \
         captured";
    sudden_margin: i32 [0..=20_000 "thousandths of a pawn"], "sudden-score-margin",
        "margin of 'sudden-score-extension'";
    sacrifice: i32 [0..=200 "hundredths of a ply"], "sacrifice-extension",
        "extension if a piece took a less valuable one beside the king, and can be taken";
}

impl Extensions {
    /// Whether any of them differs from the thesis.
    pub(super) fn are_used(&self) -> bool {
        *self != Self::NOTHING
    }

    /// Whether static evaluations of the nodes before are compared.
    pub(super) fn need_standing(&self) -> bool {
        self.sudden_score > 0
    }
}

/// Sixth, seventh and eighth rank, counted from 0.
const SIXTH: u8 = 5;
const SEVENTH: u8 = 6;
const EIGHTH: u8 = 7;

impl<B: Board, P: Processor, S: Strategy> Worker<'_, B, P, S> {
    /// Extends the node's draft. `replies` is the number of legal moves, if in check.
    #[inline(always)]
    pub(super) fn extend(&mut self, node: &mut Node, replies: usize) {
        let features = &self.features;
        let mut extension = 0;
        if node.in_check && features.check_extension > 0 {
            extension += features.check_extension;
            self.counters.check_extensions += 1;
        }
        if self.plan.extends_otherwise {
            extension += self.other_extensions(node, replies);
        }
        if extension > 0 {
            self.extend_by(node, extension);
        }
    }

    /// Extensions for other reasons than a check.
    #[inline(always)]
    fn other_extensions(&mut self, node: &Node, replies: usize) -> i32 {
        let features = &self.features;
        let mut extension = 0;
        if node.in_check && replies == 1 && features.one_reply_extension > 0 {
            extension += features.one_reply_extension;
            self.counters.one_reply_extensions += 1;
        }
        if features.pawn_extension > 0 && !features.defect_pawn_extension_dead && self.is_extended_pawn(node.ply) {
            extension += features.pawn_extension;
            self.counters.pawn_extensions += 1;
        }
        if features.recapture_extension > 0 && node.ply > 1 && self.is_recapture(node.ply) {
            extension += features.recapture_extension;
            self.counters.recapture_extensions += 1;
        }
        if self.plan.extends_more {
            extension += self.further_extension(node, replies);
        }
        extension
    }

    /// Extends the node's draft by this much, as far as its line's budget reaches.
    pub(super) fn extend_by(&self, node: &mut Node, mut extension: i32) {
        let features = &self.features;
        let ply = node.ply as i32;
        extension = extension.min(ply * features.extension_budget - node.extended).max(0);
        if features.extension_halving > 0 && ply * ONE_PLY > features.extension_halving * self.iteration {
            extension /= 2;
        }
        node.draft += extension;
        node.extended += extension;
    }

    #[inline(always)]
    fn is_extended_pawn(&self, ply: usize) -> bool {
        let arrived = self.plies[ply].arrived_by.filter(|mv| mv.piece() == Pawn);
        if self.plan.extends_more {
            return arrived.is_some_and(|mv| self.is_extended(mv));
        }
        arrived.is_some_and(|mv| mv.to().rank() == (!self.board.turn()).rank(SEVENTH))
    }

    /// Whether the last move, which was a pawn's, is extended.
    #[inline(never)]
    fn is_extended(&self, mv: Move) -> bool {
        let rule = &self.features.extensions;
        let rank = (!self.board.turn()).rank(mv.to().rank());
        let is_meant = match rule.pawn_moves {
            PawnMoves::Seventh => rank == SEVENTH,
            PawnMoves::Sixth => rank == SIXTH || rank == SEVENTH,
            PawnMoves::Promotions => rank == SEVENTH || rank == EIGHTH,
        };
        if !is_meant || !rule.pawn_exchange {
            return is_meant;
        }
        let mut list = MoveList::new();
        self.board.noisy_moves(&mut list);
        let wins = |answer: &&Move| {
            answer.victim_square() == mv.to()
                && self.plan.exchange_value(&self.board, **answer, Asker::Extensions) > Score(0)
        };
        !list.iter().filter(|answer| answer.is_capture()).any(|answer| wins(&answer))
    }

    /// Extensions for what the thesis does not look at.
    #[inline(never)]
    fn further_extension(&mut self, node: &Node, replies: usize) -> i32 {
        let rule = self.features.extensions;
        let mut extension = 0;
        if node.in_check && rule.revealed_check > 0 {
            let us = self.board.turn();
            let checkers = self.board.attackers(self.board.king(us), !us);
            let moved_to = self.plies[node.ply].arrived_by.map(Move::to);
            if checkers.into_iter().any(|square| Some(square) != moved_to) {
                extension += rule.revealed_check;
                self.counters.check_extensions += 1;
            }
        }
        if let Some(mv) = self.plies[node.ply].arrived_by {
            extension += self.extension_by_danger(node, mv);
        }
        let is_one_reply = rule.one_reply_always && self.features.one_reply_extension > 0 && !node.in_check;
        debug_assert!(node.in_check || replies == 0);
        if is_one_reply && self.board.count_legal_moves() == 1 {
            extension += self.features.one_reply_extension;
            self.counters.one_reply_extensions += 1;
        }
        extension
    }

    /// Extensions for what the last move does to the king, and to the evaluation.
    fn extension_by_danger(&mut self, node: &Node, mv: Move) -> i32 {
        let (rule, us) = (self.features.extensions, self.board.turn());
        let beside_king = geometry::king(self.board.king(us));
        let mut extension = 0;
        if rule.king_danger > 0 && !(self.board.attacks_from(mv.to()) & beside_king).is_empty() {
            let attackers = beside_king.fold(SquareSet::EMPTY, |all, square| all | self.board.attackers(square, !us));
            extension += if attackers.len() > 2 { rule.king_danger } else { 0 };
        }
        let gives = |won| see::value(won) < see::value(mv.piece()) && self.board.is_attacked(mv.to(), us);
        if rule.sacrifice > 0 && beside_king.contains(mv.to()) && mv.captured().is_some_and(gives) {
            extension += rule.sacrifice;
        }
        let was_quiet = |mv: Option<Move>| mv.is_some_and(Move::is_quiet);
        if rule.sudden_score > 0
            && !node.in_check
            && mv.is_quiet()
            && was_quiet(self.plies[node.ply - 1].arrived_by)
            && let Some(before) = node.standings_before[1]
        {
            let change = self.stand(node.ply) - before;
            extension += if change.0.abs() >= rule.sudden_margin { rule.sudden_score } else { 0 };
        }
        extension
    }

    #[inline(always)]
    fn is_recapture(&self, ply: usize) -> bool {
        let [last, before] = [self.plies[ply].arrived_by, self.plies[ply - 1].arrived_by];
        if let (Some(last), Some(before)) = (last, before) {
            let won = |mv: Move| mv.captured().map(see::value);
            let least = Score(self.features.extensions.recapture_least);
            return last.to() == before.to() && won(last) == won(before) && won(last).is_some_and(|won| won >= least);
        }
        // The printed program takes a null move for a quiet move to a1.
        let is_quiet_to_a1 = |mv: Move| !mv.is_capture() && mv.to() == Square::A1;
        self.features.defect_null_recapture && last.or(before).is_some_and(is_quiet_to_a1)
    }
}
