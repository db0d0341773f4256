//! Principal variations in a triangular array: a line for each ply; when a move is better, the line below it is copied
//! up.

use super::node::MAX_PLY;
use crate::chess::Move;

/// Principal variations from each ply of the line that is being searched.
pub(crate) struct Lines {
    moves: Vec<Option<Move>>,
    lengths: Box<[u16; MAX_PLY + 1]>,
}

impl Lines {
    /// Empty lines.
    pub fn new() -> Self {
        Self { moves: vec![None; MAX_PLY * MAX_PLY], lengths: Box::new([0; MAX_PLY + 1]) }
    }

    /// Empties the line from this ply on.
    #[inline(always)]
    pub fn clear(&mut self, ply: usize) {
        self.lengths[ply] = 0;
    }

    /// Makes the line from this ply on of a move and the line from the next ply on.
    #[inline]
    pub fn raise(&mut self, ply: usize, mv: Move) {
        let rest = usize::from(self.lengths[ply + 1]).min(MAX_PLY - 1);
        let (above, below) = self.moves.split_at_mut((ply + 1) * MAX_PLY);
        let row = &mut above[ply * MAX_PLY..];
        row[0] = Some(mv);
        if rest > 0 {
            row[1..=rest].copy_from_slice(&below[..rest]);
        }
        self.lengths[ply] = rest as u16 + 1;
    }

    /// Replaces the line from this ply on by one that another worker has found.
    pub fn set(&mut self, ply: usize, line: &[Move]) {
        let line = &line[..line.len().min(MAX_PLY)];
        for (place, mv) in self.moves[ply * MAX_PLY..].iter_mut().zip(line) {
            *place = Some(*mv);
        }
        self.lengths[ply] = line.len() as u16;
    }

    /// Principal variation from this ply on.
    pub fn from(&self, ply: usize) -> impl Iterator<Item = Move> + '_ {
        self.moves[ply * MAX_PLY..][..self.lengths[ply].into()].iter().flatten().copied()
    }
}
