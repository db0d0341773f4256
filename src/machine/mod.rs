//! What a search runs on: real processors, or a virtual multiprocessor in simulated time. This room knows no chess.

pub mod host;
