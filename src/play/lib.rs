//! Play: games of chess between configurations of our own engine, and what is made of them: matches, tournaments and
//! tuning.
//!
//! A [`Game`] knows the rules and nothing of who plays. A [`Player`] searches with a recipe and keeps its table from
//! move to move. A [`Contest`] says which games are to be played; each becomes a
//! [`GameRecord`](crate::record::GameRecord), a line of a journal that survives whatever ends the program. Games do not
//! depend on one another: the same ones are played by any number of threads.
//!
//! No interface is promised: what later versions keep are the command line, run folders and their columns.
#![forbid(unsafe_code)]
// They panic when nothing can be written.
#![cfg_attr(not(test), deny(clippy::print_stdout, clippy::print_stderr))]

use splitpoint_data::{fingerprint, random, record, settings, statistics, suggestion};
use splitpoint_engine::{self as engine, chess, eval, machine, parallel, search};
use splitpoint_lab as lab;

mod clock;
mod contest;
mod entrant;
mod error;
mod folder;
mod forfeits;
mod game;
mod openings;
mod outside;
pub mod pgn;
mod player;
pub mod tournament;
pub mod tuner;
pub mod uci;

pub use clock::{Allotment, Clock, TimeControl};
pub use contest::Contest;
pub use entrant::{Budget, Entrant, Program, Thought, Timing};
pub use error::PlayError;
pub use folder::{Folder, begin, meet};
pub use forfeits::Forfeits;
pub use game::{Adjudication, Game, Rule};
pub use openings::book::{self, BookRule};
pub use openings::{Opening, OpeningRule, Openings, OpeningsFile, openings};
pub use player::Player;
