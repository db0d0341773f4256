//! The position: the rules of chess over interchangeable board representations. This room knows nothing of any other.
//!
//! [`Board`] is what a program may ask of a position. [`Bitboards`](bitboards::Bitboards) and
//! [`Mailbox`](mailbox::Mailbox) answer, each in its own way, and so do the [plain] boards to compare with. A [`Setup`]
//! is a legal position, read from FEN, from which any of them is made.
//!
//! ```
//! use splitpoint_engine::chess::bitboards::{Bitboards, sliders::Magic};
//! use splitpoint_engine::chess::notation::{parse_san, san};
//! use splitpoint_engine::chess::{Board, Color, Keys, Setup, Square};
//!
//! let setup: Setup = "7k/8/8/3p4/8/2N5/8/K2R4 w - - 0 1".parse()?;
//! let mut board = <Bitboards<Magic>>::set_up(&setup, Keys::of_seed(0))?;
//! assert_eq!(board.count_legal_moves(), 20);
//!
//! // Both white pieces attack the pawn. A set of squares is shown as a picture of the board, rank 8 on top.
//! let attackers = board.attackers(Square::D5, Color::White);
//! assert_eq!(format!("{attackers:?}"), "\
//! . . . . . . . .
//! . . . . . . . .
//! . . . . . . . .
//! . . . . . . . .
//! . . . . . . . .
//! . . X . . . . .
//! . . . . . . . .
//! . . . X . . . .
//! ");
//!
//! // Making a move returns what it takes to unmake it.
//! let mv = parse_san(&board, "Rxd5")?;
//! let undo = board.make(mv);
//! assert_eq!(board.setup().to_string(), "7k/8/8/3R4/8/2N5/8/K7 b - - 0 1");
//! board.unmake(mv, undo);
//! assert_eq!((board.setup(), san(&board, mv)), (setup, "Rxd5".to_owned()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod bitboards;
mod board;
mod castle;
pub(crate) mod castling;
mod checks;
pub mod choice;
mod compact;
pub mod epd;
pub mod fen;
pub(crate) mod geometry;
mod history;
pub mod mailbox;
mod moves;
pub mod notation;
mod operators;
pub mod order;
mod parts;
pub mod perft;
mod piece;
mod placement;
pub mod plain;
mod primitives;
mod score;
pub mod see;
pub mod setup;
mod square;
mod square_set;
mod state;
pub mod suites;
mod task;
mod view;
mod zobrist;

pub use board::{Board, Footprint, Unsupported, least_by_square};
pub use castling::{CASTLINGS, Castling, CastlingRights};
pub use checks::Checks;
pub use compact::Compact;
pub use history::{History, Repetitions};
pub use moves::{Move, MoveKind, MoveList};
pub use parts::{DerivedPart, InParts, Sizes};
pub use piece::{Color, Piece, PieceKind};
pub use score::Score;
pub use setup::Setup;
pub use square::{NotASquare, Square};
pub use square_set::SquareSet;
pub use state::{State, Undo};
pub use task::Task;
pub use view::View;
pub use zobrist::{KeyRule, Keys, Numbers, with_side};
