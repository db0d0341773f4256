//! Suites of test positions, and books of openings: the files of this folder, so that they are in the program wherever
//! it runs.
#![no_std]

macro_rules! suites {
    ($($name:literal: $title:literal;)*) => {
        /// Suites: the name on the command line and in experiment files, a description in one line, and EPD lines.
        /// Where two hold a position of the same id, it is the same position.
        pub const SUITES: [[&str; 3]; [$($name),*].len()] =
            [$( [$name, $title, include_str!(concat!($name, ".epd"))] ),*];
    };
}

suites! {
    "thesis-10": "the ten Bratko-Kopec positions of the 2004 thesis";
    "bratko-kopec": "all 24 positions of Bratko and Kopec's test (1982)";
    "hyatt-24": "24 successive positions of one game, from the paper on DTS (1994)";
    "balanced-200": "quiet positions from 200 engine games with random openings";
    "perft": "positions with perft counts";
    "rare": "positions with what is rare: mates, one legal move, pawns alone, the fifty-move rule";
}

/// Book of even openings: lines of moves, and comments.
pub static OPENINGS: &str = include_str!("openings.txt");
/// Book of openings after which one side is ahead.
pub static UNBALANCED: &str = include_str!("unbalanced.txt");
