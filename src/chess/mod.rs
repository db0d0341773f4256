//! The position: the rules of chess over interchangeable board representations. This room knows nothing of any other.
//!
//! [`Board`] is what a program may ask of a position. [`Bitboards`](bitboards::Bitboards) and [`Mailbox`](mailbox::Mailbox)
//! answer, each in its own way; a [`Setup`] is a position written down, from which either is made.

pub mod bitboards;
mod board;
pub mod castling;
pub mod choice;
mod compact;
pub mod epd;
pub mod fen;
pub mod geometry;
mod history;
pub mod mailbox;
mod moves;
pub mod notation;
mod operators;
pub mod order;
pub mod perft;
mod piece;
mod placement;
mod score;
pub mod see;
pub mod setup;
mod square;
mod square_set;
mod state;
pub mod suites;
mod zobrist;

pub use board::{Board, Footprint, Unsupported};
pub use compact::Compact;
pub use history::{History, Repetitions};
pub use moves::{Manner, Move, MoveList};
pub use piece::{Color, Piece, PieceKind};
pub use score::Score;
pub use setup::Setup;
pub use square::{NotASquare, Square};
pub use square_set::SquareSet;
pub use state::{State, Undo};
pub use zobrist::{KeyRule, Keys};
