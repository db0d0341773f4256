//! Definition of an engine from outside: how it is started, and what is set before it searches.

use std::time::Duration;

use crate::choices::choices;
use crate::fingerprint::fingerprint;

choices! {
    /// Protocol that an engine speaks.
    pub enum Protocol, "protocol";
    /// Universal chess interface.
    Uci "uci",
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
    /// Program and its arguments.
    pub command: Vec<String>,
    /// Options that are set, beside threads and table.
    pub options: Vec<Setting>,
    /// Name of the option for the number of threads, if it is none of the usual ones.
    pub threads_option: Option<String>,
    /// Name of the option for the size of the table in MiB, if it is none of the usual ones.
    pub hash_option: Option<String>,
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

    /// Hash of all that its searches depend on: another definition, another hash.
    pub fn hash(&self) -> String {
        let Self { name: _, patience: _, command, options, threads_option, hash_option } = self;
        let text = format!("{command:?}|{options:?}|{threads_option:?}|{hash_option:?}");
        fingerprint([text])
    }
}
