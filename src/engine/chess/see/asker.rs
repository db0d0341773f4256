//! Who asks for exchange values.

use crate::choices::choices;

choices! {
    /// Part of a search that asks for exchange values.
    pub enum Asker, "asker";
    /// Ordering of the moves of a node of the main search.
    Ordering "ordering",
    /// Ordering and pruning of captures in quiescence.
    Quiescence "quiescence",
}
