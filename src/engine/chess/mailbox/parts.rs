//! The mailbox in parts: the lists of pieces, and the place of each piece in its list.

use super::cells::{self, CELLS, EMPTY, FIRST, SPAN};
use super::lists::{LIST_SPAN, LISTS, ListBoard, Tally};
use crate::chess::parts::{DerivedPart, InParts};
use crate::chess::state::State;

/// Cells from `a1` to `h8`. The border never changes.
const INNER: std::ops::Range<usize> = FIRST..FIRST + SPAN;

impl<T: Tally> InParts for ListBoard<T> {
    const BASE_BYTES: usize = SPAN + size_of::<State>();

    fn derived_parts() -> &'static [DerivedPart] {
        const {
            assert!(INNER.end <= CELLS);
            &[
                DerivedPart { name: "piece lists", bytes: 2 * LIST_SPAN + 2 * LISTS },
                DerivedPart { name: "index board", bytes: SPAN },
            ]
        }
    }

    #[inline]
    fn copy_parts(&mut self, from: &Self, parts: usize) {
        self.board[INNER].copy_from_slice(&from.board[INNER]);
        self.state = from.state;
        if parts > 0 {
            (self.lists, self.counts) = (from.lists, from.counts);
        }
        if parts > 1 {
            self.index = from.index;
        }
    }

    #[inline]
    fn rebuild_parts(&mut self, parts: usize) {
        match parts {
            0 => {
                self.counts = [0; 2 * LISTS];
                for cell in INNER {
                    let code = self.board[cell];
                    if code != EMPTY
                        && let Some(piece) = cells::piece(code)
                    {
                        self.enlist(piece, cell);
                    }
                }
            }
            1 => {
                for number in 0..2 * LISTS {
                    for place in self.places(number) {
                        self.index[usize::from(self.lists[place]) - FIRST] = place as u8;
                    }
                }
            }
            _ => {}
        }
    }
}
