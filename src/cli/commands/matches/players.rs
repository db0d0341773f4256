//! Players of a match: what the first is given, and what the second has instead.

use std::time::Duration;

use clap::Args;

use crate::commands::game_args::TableArgs;
use crate::commands::values;
use crate::lab::duration;
use crate::machine::cost::CostModel;
use crate::parallel::AnyStrategy;
use crate::play::{Budget, Entrant, Program, TimeControl, Timing};
use crate::record::MachineKind;
use crate::search::DEEPEST;
use crate::search::features::Preset;
use crate::search::table::TableSharing;

/// Limits of the search for a move, and what it is shared among.
#[derive(Args)]
pub struct PlayerArgs {
    /// Number of nodes for each move [default: 20000, unless another limit is given]
    #[arg(long, value_name = "N", value_parser = values::whole::<u64>(1..=u64::MAX))]
    nodes: Option<u64>,

    /// Depth of the search for each move in plies
    #[arg(long, value_name = "N", value_parser = values::whole::<u32>(1..=DEEPEST.into()))]
    depth: Option<u32>,

    /// Time for each move in seconds, of the machine
    #[arg(long, value_name = "S", value_parser = duration::parse, conflicts_with = "clock")]
    move_time: Option<Duration>,

    /// Clock of each side in seconds, as 5+0.05 or 40/60+0.5; who exceeds it has lost
    #[arg(long, value_name = "CLOCK")]
    clock: Option<TimeControl>,

    /// Machine that our engine searches on; on a virtual one time is simulated, and games do not depend on the computer
    #[arg(long, value_name = "M", default_value_t = MachineKind::Real)]
    machine: MachineKind,

    /// Number of processors of each player
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = values::processors())]
    processors: u32,

    /// Strategy by which several processors of our engine share a search, with its parameters [default: teams with
    /// late move reductions or prunings, else ybwc]
    #[arg(long, value_name = "S")]
    strategy: Option<AnyStrategy>,

    /// Cost model of the virtual machine, with changes: reference-modern,wake_park*2 [default: that of the preset]
    #[arg(long, value_name = "C")]
    costs: Option<CostModel>,

    /// How processors of our engine share the table, and what nodes of a virtual machine exchange:
    /// lockless,exchange=push [default: lockless]
    #[arg(long, value_name = "S", default_value_t, hide_default_value = true)]
    scheme: TableSharing,

    /// Time after which an engine from outside is taken to hang, if it says nothing and does nothing [default: 60s]
    #[arg(long, value_name = "S", value_parser = duration::parse)]
    patience: Option<Duration>,
}

/// Options by which the second player gets another limit, other processors or another strategy than the first.
#[derive(Args)]
#[command(next_help_heading = "Odds: what B has instead")]
pub struct OddsArgs {
    /// Number of nodes for each move
    #[arg(long, value_name = "N", value_parser = values::whole::<u64>(1..=u64::MAX))]
    b_nodes: Option<u64>,

    /// Depth of the search for each move in plies
    #[arg(long, value_name = "N", value_parser = values::whole::<u32>(1..=DEEPEST.into()))]
    b_depth: Option<u32>,

    /// Time for each move in seconds
    #[arg(long, value_name = "S", value_parser = duration::parse, conflicts_with = "b_clock")]
    b_move_time: Option<Duration>,

    /// Clock in seconds
    #[arg(long, value_name = "CLOCK")]
    b_clock: Option<TimeControl>,

    /// Number of processors
    #[arg(long, value_name = "N", value_parser = values::processors())]
    b_processors: Option<u32>,

    /// Strategy
    #[arg(long, value_name = "S")]
    b_strategy: Option<AnyStrategy>,
}

fn timing(move_time: Option<Duration>, clock: Option<TimeControl>) -> Option<Timing> {
    move_time.map(Timing::Move).or(clock.map(Timing::Clock))
}

impl PlayerArgs {
    /// The first player.
    pub fn entrant(&self, program: Program, table: &TableArgs) -> Entrant {
        let Self { machine, processors, strategy, patience, scheme, ref costs, .. } = *self;
        let (budget, costs) = (self.budget(), costs.clone());
        let usual = Entrant::of_nodes(Preset::Modern, Entrant::NODES, table.hash);
        Entrant { program, budget, machine, processors, strategy, costs, scheme, patience, ..usual }
    }

    fn budget(&self) -> Budget {
        let (depth, time) = (self.depth, timing(self.move_time, self.clock));
        Budget { nodes: self.nodes.or((depth.is_none() && time.is_none()).then_some(Entrant::NODES)), depth, time }
    }
}

impl OddsArgs {
    /// The second player: what is not given here is as of the first.
    pub fn entrant(&self, program: Program, first: &Entrant) -> Entrant {
        let own = Budget { nodes: self.b_nodes, depth: self.b_depth, time: timing(self.b_move_time, self.b_clock) };
        Entrant {
            program,
            budget: if own == Budget::default() { first.budget } else { own },
            processors: self.b_processors.unwrap_or(first.processors),
            strategy: self.b_strategy.or(first.strategy),
            ..first.clone()
        }
    }
}
