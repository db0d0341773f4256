//! `splitpoint openings`: makes a book of openings.

use std::io::{Write, stdout};
use std::path::PathBuf;

use clap::Args;

use super::board_args::BoardArgs;
use super::error::CliError;
use super::output;
use super::values;
use crate::play::{BookRule, PlayError, book};
use crate::table::number::counted;

/// Make a book of openings: lines of good moves after which neither side is ahead, or one by as much as you say
#[derive(Args)]
#[command(after_help = "\
Examples:
  splitpoint openings --out openings.txt --count 20 --plies 4 --nodes 300 --nodes-at-end 2000
  splitpoint openings --out unbalanced.txt --count 5 --ahead 500 --bound 1200 --nodes 300 --nodes-at-end 2000

At each ply our engine looks for the best few moves, and one of those that are nearly as good as the best is drawn. A \
line is kept if a longer search of its end finds neither side ahead by more than --bound, and one by --ahead, and if \
no other line leads to the same position. Of openings that favour one side fewer games are drawn, and so a match needs \
fewer of them. The lines depend on the arguments alone. The books that ship, positions/openings.txt and \
positions/unbalanced.txt, say in their first lines how they were made.")]
pub struct Openings {
    /// File for the lines, one each, in coordinates
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Number of lines
    #[arg(long, value_name = "N", default_value_t = 2_500, value_parser = values::whole::<u32>(1..=1_000_000))]
    count: u32,

    /// Number of plies of a line
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = values::whole::<u32>(1..=40))]
    plies: u32,

    /// Number of best moves of which one is drawn
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = values::whole::<usize>(1..=20))]
    choices: usize,

    /// Largest distance of a move that is drawn from the best, in thousandths of a pawn
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = values::whole::<i32>(0..=10_000))]
    distance: i32,

    /// Nodes of the search for the best moves
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = values::whole::<u64>(1..=u64::MAX))]
    nodes: u64,

    /// Least by which a side is ahead at the end of a line, in thousandths of a pawn
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = values::whole::<i32>(0..=10_000))]
    ahead: i32,

    /// Largest score of either side at the end of a line, in thousandths of a pawn
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = values::whole::<i32>(0..=10_000))]
    bound: i32,

    /// Nodes of the search for that score
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = values::whole::<u64>(1..=u64::MAX))]
    nodes_at_end: u64,

    /// Seed of the moves
    #[arg(long, value_name = "K", default_value_t = 0)]
    seed: u64,

    #[command(flatten)]
    board: BoardArgs,

    /// Number of threads [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = values::processors())]
    threads: Option<u32>,
}

impl Openings {
    pub fn run(&self) -> Result<(), CliError> {
        let Self { count, plies, choices, distance, nodes, ahead, bound, nodes_at_end, seed, .. } = *self;
        let rule = BookRule { plies, choices, distance, nodes, ahead, bound, nodes_at_end, seed };
        if ahead > bound {
            return Err(CliError::BadInput(format!("--ahead {ahead} is more than --bound {bound}")));
        }
        let board = self.board.searched()?;
        let threads = self.threads.map_or_else(crate::machine::RealMachine::room, |threads| threads as usize);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(PlayError::from)?;
        let tell = |found: usize| {
            if found % 100 < 64 && found >= 64 {
                output::tell(format_args!("{found}/{count} lines"));
            }
        };
        let made = pool.install(|| book::make(&rule, count as usize, board, &tell))?;
        let lines: String = made.iter().map(|opening| format!("{opening}\n")).collect();
        let text = format!(
            "# Openings, a line each. Made by 'splitpoint openings --count {count} --plies {plies} --choices {choices} \
             --distance\n# {distance} --nodes {nodes} --ahead {ahead} --bound {bound} --nodes-at-end {nodes_at_end} \
             --seed {seed}', version {}.\n{lines}",
            env!("CARGO_PKG_VERSION")
        );
        output::file(&self.out, &text)?;
        Ok(writeln!(stdout(), "{} in {}", counted(made.len(), "line", "lines"), self.out.display())?)
    }
}
