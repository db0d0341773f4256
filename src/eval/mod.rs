//! What a position is worth without looking ahead, asked of the [`Board`](crate::chess::Board) and of nothing else.

mod balance;
mod squares;

pub use balance::{Balance, evaluate, value};
