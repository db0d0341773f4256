//! What officers attack.

use crate::chess::SquareSet;

/// Squares that officers attack, by colour.
#[derive(Clone, Copy, Debug, Default)]
pub struct Attacks {
    pub occupied: SquareSet,
    /// Squares that anything attacks, pawns and kings included.
    pub all: [SquareSet; 2],
    /// Squares that knights and bishops attack.
    pub minor: [SquareSet; 2],
    pub rook: [SquareSet; 2],
    /// Number of officers.
    pub officers: [u32; 2],
    /// Units of attack on the squares around the enemy king, and number of officers that attack there.
    pub units: [u32; 2],
    pub attackers: [u32; 2],
}
