//! Who asks for exchange values.

use crate::choices::choices;

choices! {
    /// Part of a search that asks for exchange values.
    pub enum Asker, "asker";
    /// Ordering of the moves of a node of the main search.
    Ordering "ordering",
    /// Ordering and pruning of captures in quiescence.
    Quiescence "quiescence",
    /// Skipping and reducing of late moves that lose material.
    Pruning "pruning",
    /// Extensions of moves that lose nothing.
    Extensions "extensions",
    /// Static evaluation of passed pawns.
    Evaluation "evaluation",
}
