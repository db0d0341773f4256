//! All integration tests in one binary: linking with LTO is slow.

mod as_printed;
mod boards;
mod command_line;
mod compare_command;
mod counts;
mod endings;
mod evaluation;
mod everybody_thinks;
mod games;
mod lab_errors;
mod lab_folder;
#[cfg(unix)]
mod lab_kills;
mod lab_runs;
mod lab_shards;
mod lab_witness;
mod machine_command;
mod machines;
mod minimax;
mod parsing;
mod referee;
mod search_command;
mod searches;
mod searching;
mod see;
mod soak;
mod strategies;
mod tables;
mod toys;
mod validate_command;

/// Calls a function that is generic over the board for every board with the clean key rule.
#[macro_export]
macro_rules! on_every_board {
    ($function:ident($($argument:expr),*)) => {{
        use splitpoint::chess::bitboards::{Bitboards, sliders::{Magic, Pext, Ray, Rotated, Sliders}};
        $function::<Bitboards<Rotated>>($($argument),*);
        $function::<Bitboards<Magic>>($($argument),*);
        if Pext::prepare().is_ok() {
            $function::<Bitboards<Pext>>($($argument),*);
        }
        $function::<Bitboards<Ray>>($($argument),*);
        $function::<splitpoint::chess::mailbox::Mailbox>($($argument),*);
    }};
}
