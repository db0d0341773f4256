//! Razoring: a node near the horizon that stands far below alpha is searched less deep, or not beyond captures.

use std::ops::ControlFlow::{Break, Continue};

use super::node::{Expected, Node, ONE_PLY, Tried};
use super::strategy::Strategy;
use super::worker::Worker;
use crate::chess::{Board, Score};
use crate::choices::choices;
use crate::machine::Processor;
use crate::settings::settings;

choices! {
    /// Treatment of a node that stands far below alpha.
    pub enum Razor, "way of razoring";
    /// Nothing.
    None "none",
    /// It is searched one ply less deep (Heinz 1998).
    Reduced "reduced",
    /// The score of its captures becomes the node's, if that is not above alpha.
    Captures "captures",
}

settings! {
    /// Parameters of razoring.
    pub struct Razoring, "feature";
    => "Razoring", "Heinz 1998 by ColChess page (reduced); common practice (captures)",
        tried by [
            "razoring=reduced,+razoring-draft=3,+razoring-margin=9000",
            "razoring-draft=2,razoring-margin=3000 then razoring=captures",
            "razoring=captures,razoring-margin=3000 then razoring-draft=2",
            "razoring=captures,razoring-draft=2,razoring-margin=3000 then razoring-margin=1000",
            "razoring=captures,+razoring-draft=2,+razoring-margin=3000",
            "razoring=captures,razoring-draft=3,razoring-margin=3000 then razoring-per-ply=3000",
            "razoring=reduced,+razoring-draft=3,+razoring-margin=3000 then +razoring-from=3",
        ];
    way: Razor, "razoring",
        "what is done with a node far below alpha that is not in check: nothing, it is searched one ply less deep, or \
         only its captures are searched";
    draft: i32 [0..=9 "plies"], "razoring-draft", "largest draft at which nodes are razored";
    from: i32 [0..=9 "plies"], "razoring-from", "least draft at which nodes are razored: Heinz razors at 3 only";
    margin: i32 [0..=20_000 "thousandths of a pawn"], "razoring-margin",
        "amount by which the static evaluation must be below alpha";
    per_ply: i32 [0..=20_000 "thousandths of a pawn"], "razoring-per-ply",
        "amount that is added to 'razoring-margin' for each ply of draft beyond the first";
}

impl Razoring {
    /// Whether razoring is ever used.
    pub(super) fn is_used(&self) -> bool {
        self.way != Razor::None && self.draft > 0
    }
}

impl<B: Board, P: Processor, S: Strategy> Worker<'_, B, P, S> {
    /// Razors a node that stands far below alpha.
    #[inline(never)]
    pub(super) fn razor(&mut self, node: &mut Node) -> Tried {
        let rule = self.features.razoring;
        let Some(standing) = node.standing.filter(|_| rule.way != Razor::None) else { return Continue(()) };
        let margin = rule.margin + rule.per_ply * (node.plies() - 1);
        if node.expected == Expected::Pv
            || !(rule.from..=rule.draft).contains(&node.plies())
            || standing + Score(margin) > node.alpha
        {
            return Continue(());
        }
        if rule.way == Razor::Captures || node.draft < 2 * ONE_PLY {
            let score = self.quiescence(node.alpha, node.alpha + Score(1), node.ply, 0);
            return if score.is_some_and(|score| score > node.alpha) { Continue(()) } else { Break(score) };
        }
        node.draft -= ONE_PLY;
        Continue(())
    }
}
