//! A board in parts: its squares and state, which say all, and what is derived from them. Who hands a board over may
//! copy some of the derived parts and let the others be rebuilt.

/// Derived part of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DerivedPart {
    /// Name of the part.
    pub name: &'static str,
    /// Size in bytes.
    pub bytes: usize,
}

/// Board of which single parts can be copied.
pub trait InParts {
    /// Bytes of the squares and the state.
    const BASE_BYTES: usize;

    /// Parts that follow from squares and state, in the order in which they are copied.
    fn derived_parts() -> &'static [DerivedPart];

    /// Copies squares, state and the first `parts` derived parts of another board of the same search. The other parts
    /// are those of an earlier position until they are rebuilt.
    fn copy_parts(&mut self, from: &Self, parts: usize);

    /// Rebuilds the derived parts but for the first `parts`.
    fn rebuild_parts(&mut self, parts: usize);
}
