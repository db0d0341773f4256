//! What cannot be searched on several nodes, and why.

use super::{On, Setup};
use crate::machine::cost::CostModel;
use crate::parallel::AnyStrategy;
use crate::search::Strategy;
use crate::search::table::TableOptions;

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
    /// The last node would have fewer processors than the others.
    #[error("{processors} processors do not fill nodes of {node_size}: expected a multiple")]
    NotFilled {
        /// Number of processors.
        processors: usize,
        /// Number of processors of a node.
        node_size: usize,
    },
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
            On::Real(_) | On::ThisThread => self.table,
        }
    }

    /// Checks that the search can run on the nodes of its machine.
    ///
    /// # Errors
    /// If there are several, and the strategy does not span them or the processors do not fill them.
    pub fn check_nodes(&self) -> Result<(), NodesError> {
        match &self.on {
            On::Virtual(costs) => NodesError::check(&self.strategy, self.processors, costs),
            On::Real(_) | On::ThisThread => Ok(()),
        }
    }
}
