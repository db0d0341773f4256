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

/// Sizes of boards of one type, by which handing them over is counted and, in simulated time, paid.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// Bytes of the board.
    pub whole: usize,
    /// Bytes of its squares and its state.
    pub base: usize,
    /// Parts that follow from them.
    pub derived: &'static [DerivedPart],
}

impl Sizes {
    /// Those of the boards of this type.
    pub fn of<B: InParts>() -> Self {
        Self { whole: size_of::<B>(), base: B::BASE_BYTES, derived: B::derived_parts() }
    }

    /// Bytes of the squares, the state and the first `parts` derived parts.
    pub fn with_parts(&self, parts: usize) -> usize {
        self.base + bytes_of(&self.derived[..parts.min(self.derived.len())])
    }

    /// Share of the bytes of all derived parts, in thousandths, that is left when the first `parts` are there.
    pub fn rebuilt_permille(&self, parts: usize) -> Option<u32> {
        let rebuilt = bytes_of(self.derived.get(parts..).unwrap_or_default());
        (rebuilt > 0).then(|| (1000 * rebuilt / bytes_of(self.derived)) as u32)
    }
}

/// Bytes of these parts.
fn bytes_of(parts: &[DerivedPart]) -> usize {
    parts.iter().map(|part| part.bytes).sum()
}

/// Board of which single parts can be copied.
pub trait InParts: Sized {
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
