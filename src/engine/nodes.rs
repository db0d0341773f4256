//! What cannot be searched on several nodes, and why.

use super::{On, Setup};
use crate::machine::cost::CostModel;
use crate::parallel::AnyStrategy;
use crate::search::table::TableOptions;
use crate::search::{Rule, Strategy};

/// Reason why a search does not run on several nodes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NodesError {
    /// The processors of the strategy share memory, which nodes do not.
    #[error(
        "'{strategy}' does not search on {nodes} nodes: its processors look at memory that all of them share, and no \
         memory is shared by nodes; expected teams, or lazy without jobs-stop and with skip={}",
        AnyStrategy::skips_on_nodes().join(", ")
    )]
    Strategy {
        /// The strategy.
        strategy: String,
        /// Number of nodes.
        nodes: usize,
    },
    /// On real computers nobody looks at another's memory.
    #[error(
        "exchange=home runs on virtual nodes only: on real ones nobody reads the table of another; take push or ring"
    )]
    Home,
    /// Positions that several processes search are noted by none of them.
    #[error("lost nodes are counted within one process, and {0} nodes are asked for: leave out losses")]
    Losses(usize),
    /// A timeline is of one process.
    #[error("a timeline is kept of one process, and {0} nodes are asked for: leave out the trace")]
    Trace(usize),
    /// There are fewer processes than nodes.
    #[error(
        "{nodes} nodes are asked for, and {}; start the same command on {nodes}, as in: mpirun -n {nodes} \
         splitpoint ...{}",
        started(*ranks), how()
    )]
    Ranks {
        /// Number of nodes.
        nodes: usize,
        /// Number of processes.
        ranks: usize,
    },
    /// The last node would have fewer processors than the others.
    #[error("{processors} processors do not fill nodes of {node_size}: expected a multiple")]
    NotFilled {
        /// Number of processors.
        processors: usize,
        /// Number of processors of a node.
        node_size: usize,
    },
}

/// Number of processes in words.
fn started(ranks: usize) -> String {
    if ranks == 1 { "this process runs alone".to_owned() } else { format!("only {ranks} processes were started") }
}

/// Hint at the build with MPI, where this one is without it; else nothing.
fn how() -> &'static str {
    if cfg!(feature = "mpi") {
        ""
    } else {
        " (this program was built without MPI: cargo build --release --features mpi)"
    }
}

impl NodesError {
    /// Checks that a strategy can search on so many processors with these costs.
    pub(super) fn check(strategy: &AnyStrategy, processors: usize, costs: &CostModel) -> Result<(), Self> {
        let (nodes, node_size) = (costs.nodes(processors), costs.node_size(processors));
        match () {
            () if nodes == 1 => Ok(()),
            () if !strategy.spans_nodes() => Err(Self::Strategy { strategy: strategy.to_string(), nodes }),
            () if !processors.is_multiple_of(node_size) => Err(Self::NotFilled { processors, node_size }),
            () => Ok(()),
        }
    }
}

impl Setup {
    /// Options of the tables, of which each node of the machine has some.
    pub fn table_options(&self) -> TableOptions {
        match &self.on {
            On::Virtual(costs) => TableOptions { nodes: costs.nodes(self.processors), ..self.table },
            On::Real(_) | On::Ranks { .. } | On::ThisThread => self.table,
        }
    }

    /// Checks that the search can run on the nodes of its machine.
    ///
    /// # Errors
    /// If there are several, and the strategy does not span them or the processors do not fill them.
    pub fn check_nodes(&self) -> Result<(), NodesError> {
        match &self.on {
            On::Virtual(costs) => NodesError::check(&self.strategy, self.processors, costs),
            On::Ranks { nodes, .. } if self.table.exchange.rule == Rule::Home && *nodes > 1 => Err(NodesError::Home),
            On::Ranks { nodes, .. } if !self.strategy.spans_nodes() && *nodes > 1 => {
                Err(NodesError::Strategy { strategy: self.strategy.to_string(), nodes: *nodes })
            }
            On::Ranks { nodes, .. } if !self.processors.is_multiple_of(*nodes) => {
                Err(NodesError::NotFilled { processors: self.processors, node_size: self.processors.div_ceil(*nodes) })
            }
            On::Ranks { .. } | On::Real(_) | On::ThisThread => self.check_processes(false),
        }
    }

    /// Checks that what is kept of the search can be kept of all its processes.
    pub(crate) fn check_processes(&self, keeps_trace: bool) -> Result<(), NodesError> {
        match self.on.processes() {
            1 => Ok(()),
            several if self.counts_losses => Err(NodesError::Losses(several)),
            several if keeps_trace => Err(NodesError::Trace(several)),
            _ => Ok(()),
        }
    }

    /// Number of processors whose memory is that of this process: all, unless there are several processes.
    pub fn processors_here(&self) -> usize {
        self.processors / self.on.processes()
    }
}
