//! Definition of an engine from outside: how it is started, and what is set before it searches.

use std::time::Duration;

use super::placeholders::{self, Placeholder};
use crate::choices::choices;
use crate::fingerprint::fingerprint;

choices! {
    /// Protocol that an engine speaks.
    pub enum Protocol, "protocol";
    /// Universal chess interface.
    Uci "uci",
}

/// Numbers with which an engine is started: it has this many nodes, each of this many threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Processors {
    /// Number of nodes.
    pub nodes: u32,
    /// Number of threads of each node.
    pub threads: u32,
}

impl Processors {
    /// Threads of one node.
    pub fn of_one_node(threads: u32) -> Self {
        Self { nodes: 1, threads }
    }

    /// Number of threads of all nodes.
    pub fn count(self) -> u32 {
        self.nodes.saturating_mul(self.threads)
    }
}

/// Value of an option.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Setting {
    /// Name of the option, as the engine declares it.
    pub name: String,
    /// Value.
    pub value: String,
}

/// An engine from outside, by the name that an experiment has for it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Definition {
    /// Name in the experiment.
    pub name: String,
    /// Program and its arguments, with [placeholders](Placeholder).
    pub command: Vec<String>,
    /// Options that are set, beside threads and table.
    pub options: Vec<Setting>,
    /// Name of the option for the number of threads, if it is none of the usual ones.
    pub threads_option: Option<String>,
    /// Name of the option for the size of the table in MiB, if it is none of the usual ones.
    pub hash_option: Option<String>,
    /// Whether each node is a computer of its own, so that this one has the threads of a single node.
    pub one_node_per_host: bool,
    /// Time after which the engine, if it says nothing and does nothing, is taken to hang; none for the usual time. One
    /// that works is taken to hang if it tells nothing new for ten times as long, or of no greater depth but ever more
    /// nodes for sixty times as long.
    pub patience: Option<Duration>,
}

impl Definition {
    /// The definition of a command without options, which is its own name.
    pub fn of_command(command: &str) -> Self {
        let words = command.split_whitespace().map(str::to_owned).collect();
        Self { name: command.to_owned(), command: words, ..Self::default() }
    }

    /// Whether the command takes this number.
    pub fn takes(&self, placeholder: Placeholder) -> bool {
        placeholders::has(&self.command, placeholder)
    }

    /// Number of these processors that are of this computer.
    pub fn here(&self, processors: Processors) -> u32 {
        if self.one_node_per_host { processors.threads } else { processors.count() }
    }

    /// Program and its arguments for these processors.
    ///
    /// # Errors
    /// If the command has a placeholder that there is not, or takes no number of nodes and is to have several.
    pub fn command_on(&self, processors: Processors) -> Result<Vec<String>, String> {
        if processors.nodes > 1 && !self.takes(Placeholder::Nodes) {
            return Err(format!(
                "cannot be started on {} nodes: its command has no {{nodes}}, as in mpirun -n {{nodes}} PROGRAM",
                processors.nodes
            ));
        }
        placeholders::filled(&self.command, processors).map_err(|error| error.to_string())
    }

    /// Hash of all that its searches depend on: another definition, another hash.
    pub fn hash(&self) -> String {
        let Self { name: _, patience: _, command, options, threads_option, hash_option, one_node_per_host } = self;
        let hosts = if *one_node_per_host { "|one node per host" } else { "" };
        let text = format!("{command:?}|{options:?}|{threads_option:?}|{hash_option:?}{hosts}");
        fingerprint([text])
    }
}
