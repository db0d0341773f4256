//! Arguments of all commands that play games: board, games at once, tables, and when games end.

use clap::error::ErrorKind;
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};

use super::board_args::BoardArgs;
use super::error::CliError;
use super::output::tell;
use super::values;
use crate::chess::choice::BoardChoice;
use crate::machine::RealMachine;
use crate::play::tournament::Tournament;
use crate::play::{Adjudication, Entrant, Rule};
use crate::record::MachineKind;
use crate::search::table::MOST_MIB;
use crate::table::number::counted;

/// Largest number of games.
pub const MOST_GAMES: u64 = 10_000_000;

/// Board on which games are played, and number of games at once. They change no move.
#[derive(Args)]
pub struct WorkArgs {
    #[command(flatten)]
    board: BoardArgs,

    /// Number of games that are played at the same time [default: one for each core; where players have a time and
    /// several processors, only as many as have these for themselves]
    #[arg(long, value_name = "N", alias = "threads", value_parser = values::processors())]
    games_at_once: Option<u32>,
}

/// Tables of the players.
#[derive(Args)]
pub struct TableArgs {
    /// Size of each player's transposition table in MiB
    #[arg(long, value_name = "MIB", alias = "table", default_value_t = Entrant::TABLE_MIB,
          value_parser = values::whole::<u32>(1..=MOST_MIB.into()))]
    pub hash: u32,
}

impl WorkArgs {
    /// The chosen board, and the number of games at once.
    pub fn resolve(&self) -> Result<(BoardChoice, usize), CliError> {
        self.with_room_for(1)
    }

    /// As [`resolve`](Self::resolve), for the players of a tournament.
    pub fn resolve_for(&self, tournament: &Tournament) -> Result<(BoardChoice, usize), CliError> {
        let players = tournament.players.iter().map(|player| &player.entrant).chain(&tournament.opponents);
        let by_clock = players.filter(|one| one.machine == MachineKind::Real && one.budget.time.is_some());
        let by_clock = by_clock.map(|one| one.processors as usize).max();
        let processors = by_clock.unwrap_or(1);
        let resolved = self.with_room_for(processors)?;
        let (room, games) = (RealMachine::room(), resolved.1);
        if by_clock.is_some() && games * processors > room {
            tell(format_args!(
                "warning: with {} at once, players of {} each take time from each other: there are {}",
                counted(games, "game", "games"),
                counted(processors, "processor", "processors"),
                counted(room, "core", "cores")
            ));
        }
        Ok(resolved)
    }

    fn with_room_for(&self, processors: usize) -> Result<(BoardChoice, usize), CliError> {
        let usual = || (RealMachine::room() / processors).max(1);
        Ok((self.board.searched()?, self.games_at_once.map_or_else(usual, |games| games as usize)))
    }
}

/// Rules of adjudication, an option each.
pub struct RuleArgs(pub Adjudication);

impl Args for RuleArgs {
    fn augment_args(command: Command) -> Command {
        let option = |rule: &Rule| {
            let change = rule.change;
            let is_right = move |text: &str| change(Adjudication::default(), text).map(|_| text.to_owned());
            Arg::new(rule.name).long(rule.name).value_name(rule.value).help(rule.meaning).value_parser(is_right)
        };
        command.args(Adjudication::RULES.iter().map(option))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for RuleArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut given =
            Adjudication::RULES.iter().filter_map(|rule| Some((rule, matches.get_one::<String>(rule.name)?)));
        let all = given.try_fold(Adjudication::default(), |so_far, (rule, text)| (rule.change)(so_far, text));
        all.map(Self).map_err(|error| clap::Error::raw(ErrorKind::ValueValidation, error))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
