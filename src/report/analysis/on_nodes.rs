//! Searches on several nodes, each with memory of its own, beside the same search on one node and beside as many
//! processors in one box. What the nodes are is read from the names of the cost model and of the scheme of the table: a
//! model that an experiment defines under a name of its own tells nothing of nodes.

use std::collections::BTreeSet;

use crate::record::{Configuration, MachineKind, Named};
use crate::statistics::Interval;

use super::grouping::{Gathered, Gathering};
use super::scope::Holds;
use super::sides::Sides;

/// Changes of a cost model that say what the nodes and their network are.
const SIZE: &str = "processors_per_node";
const NETWORK: &str = "network";
const LATENCY: &str = "net_latency";
/// Beginning of the names of all prices of a network.
const PRICES: &str = "net_";
/// Parameter of the scheme of the table.
const EXCHANGE: &str = "exchange";
/// Value of the parameter `exchange` where nodes send no entries.
const NO_EXCHANGE: &str = "none";

/// Nodes of a virtual machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cluster {
    /// Number of nodes, two at least.
    pub nodes: u32,
    /// Number of processors of each.
    pub size: u32,
    /// Rule by which the nodes of a cluster send each other entries of their tables: `push`, `home`, `none`.
    pub exchange: String,
    /// Name of the network, if it has one.
    pub network: Option<String>,
    /// Latency of the network in nanoseconds, if it is given by itself.
    pub latency_ns: Option<u64>,
}

impl Cluster {
    /// Nodes of a configuration of our engine, if there are several.
    pub fn of(configuration: &Configuration) -> Option<Self> {
        let costs = configuration.costs_name().filter(|_| configuration.machine == MachineKind::Virtual)?;
        let (mut size, mut network, mut latency_ns) = (None, None, None);
        for change in costs.changes() {
            let amount = change.amount.filter(|(sign, _)| *sign == '=').map(|(_, amount)| amount);
            match change.name {
                SIZE => size = amount.and_then(|amount| amount.parse().ok()),
                // A network sets the latency, too.
                NETWORK => (network, latency_ns) = (amount.map(str::to_owned), None),
                LATENCY => latency_ns = amount.and_then(|amount| amount.parse().ok()),
                _ => {}
            }
        }
        let size = size.filter(|size| *size > 0)?;
        let nodes = configuration.threads / size;
        let scheme = Named::from(configuration.scheme.as_str());
        let exchange = scheme.changes().find(|change| change.name == EXCHANGE);
        let exchange = exchange.and_then(|change| change.amount).map_or(NO_EXCHANGE, |(_, amount)| amount).to_owned();
        (nodes > 1).then_some(Self { nodes, size, exchange, network, latency_ns })
    }

    /// Rule by which the nodes of a cluster exchange entries, with their network: `push, 10gbe`.
    pub fn exchange_and_network(&self) -> String {
        let exchange = self.exchange_in_words();
        let latency = self.latency_ns.map(|latency_ns| format!("latency {}", in_words(latency_ns)));
        [Some(exchange), self.network.as_deref(), latency.as_deref()]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join(", ")
    }

    /// Rule by which the nodes of a cluster exchange entries, in words: `push`, `no exchange`.
    pub fn exchange_in_words(&self) -> &str {
        if self.exchange == NO_EXCHANGE { "no exchange" } else { &self.exchange }
    }

    /// The nodes: `4 nodes of 8`.
    pub fn in_words(&self) -> String {
        format!("{} nodes of {}", self.nodes, self.size)
    }
}

/// Time in the largest unit of which it has one.
pub(crate) fn in_words(ns: u64) -> String {
    let units = [(1_000_000, "ms"), (1000, "us")];
    match units.into_iter().find(|(unit, _)| ns >= *unit) {
        Some((unit, name)) => format!("{} {name}", ns as f64 / unit as f64),
        None if ns == 0 => "0".to_owned(),
        None => format!("{ns} ns"),
    }
}

/// Search on several nodes beside that on one.
#[derive(Clone, Debug, PartialEq)]
pub struct OnNodes {
    /// Place of its group.
    pub group: usize,
    pub cluster: Cluster,
    /// Time on one node relative to its time.
    pub speedup: Interval,
    /// Its nodes of the tree, and those a second, relative to those of one node.
    pub tree: Interval,
    pub rate: Interval,
    /// Time of as many processors in one box relative to its time, if that was searched.
    pub of_box: Option<Interval>,
}

/// All searches on several nodes for which there is one on one node. Positions at which only one of two was searched
/// are added to `left_out`.
pub(super) fn on_nodes(gathering: &Gathering<'_>, holds: Holds, left_out: &mut BTreeSet<usize>) -> Vec<OnNodes> {
    let in_a_box = |configuration: &Configuration| {
        let is_there = |group: &&Gathered<'_>| {
            Cluster::of(group.configuration).is_none() && without_nodes(group.configuration) == *configuration
        };
        gathering.groups.iter().find(is_there)
    };
    let mut all = Vec::new();
    for (place, group) in gathering.groups.iter().enumerate() {
        let Some(cluster) = Cluster::of(group.configuration) else { continue };
        let whole = without_nodes(group.configuration);
        let one = Configuration { threads: cluster.size, ..whole.clone() };
        let Some(one) = in_a_box(&one).filter(|one| one.has_common_depth() && group.has_common_depth()) else {
            continue;
        };
        let sides = Sides::within([one, group], holds, left_out);
        let Some(time) = sides.times(None) else { continue };
        let unknown = Interval::unknown(f64::NAN);
        let beside = in_a_box(&whole).map(|whole| Sides::within([whole, group], holds, left_out));
        all.push(OnNodes {
            group: place,
            cluster,
            speedup: time.ratio.inverse(),
            tree: sides.nodes(None).map_or(unknown, |nodes| nodes.ratio),
            rate: sides.rates().map_or(unknown, |rates| rates.ratio),
            of_box: beside.and_then(|sides| sides.times(None)).map(|time| time.ratio.inverse()),
        });
    }
    all
}

/// The configuration as it is in one box. Its costs are known by name only.
pub(crate) fn without_nodes(configuration: &Configuration) -> Configuration {
    let is_of_box = |name: &str| name != SIZE && name != NETWORK && !name.starts_with(PRICES);
    let costs = configuration.costs_name().map(|costs| costs.keeping(|change| is_of_box(change.name)).into());
    let scheme = Named::from(configuration.scheme.as_str()).keeping(|change| !change.name.starts_with(EXCHANGE));
    Configuration { costs, scheme: scheme.to_string(), ..configuration.clone() }
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;
    use crate::record::{Description, Record};

    fn on(threads: u32, costs: &str, scheme: &str) -> Configuration {
        let configuration = samples::configuration("teams", threads);
        Configuration { costs: Some(costs.into()), scheme: scheme.to_owned(), ..configuration }
    }

    #[test]
    fn nodes_are_read_from_the_names_of_costs_and_scheme() {
        let words = |threads, costs, scheme| {
            Cluster::of(&on(threads, costs, scheme))
                .map(|it| format!("{}, {}", it.in_words(), it.exchange_and_network()))
        };
        for (threads, costs, scheme, expected) in [
            (
                32,
                "reference,network=10gbe,processors_per_node=8",
                "lockless,exchange=push",
                "4 nodes of 8, push, 10gbe",
            ),
            (8, "ideal,processors_per_node=4", "lockless", "2 nodes of 4, no exchange"),
            (
                4,
                "reference,processors_per_node=2,net_latency=7,network=1gbe,net_latency=1500",
                "lockless,exchange=home,exchange-draft=7",
                "2 nodes of 2, home, 1gbe, latency 1.5 us",
            ),
            (
                4,
                "ideal,net_latency=3000000,processors_per_node=2",
                "lockless",
                "2 nodes of 2, no exchange, latency 3 ms",
            ),
        ] {
            assert_eq!(words(threads, costs, scheme).as_deref(), Some(expected));
        }
        assert_eq!(words(8, "reference,network=10gbe,processors_per_node=8", "lockless"), None);
        assert_eq!(words(8, "reference", "lockless"), None);
    }

    /// Speedups by hand: one node takes 12 s and 24 s, four take 4 s and 8 s, as many processors in one box 3 s and 6.
    #[test]
    fn nodes_are_divided_by_one_of_them_and_by_one_box() {
        let cluster = "reference,lock_free=1,network=10gbe,processors_per_node=2";
        let cells = [
            (on(2, "reference,lock_free=1", "lockless"), 12, 100),
            (on(8, "reference,lock_free=1", "lockless"), 3, 100),
            (on(8, "reference", "lockless"), 1, 100),
            (on(8, cluster, "lockless,exchange=push"), 4, 150),
        ];
        let records: Vec<Record> = (0..2)
            .flat_map(|place| {
                cells.iter().map(move |(configuration, seconds, nodes)| (place, configuration, *seconds, *nodes))
            })
            .enumerate()
            .map(|(index, (place, configuration, seconds, nodes))| {
                let position = ["a", "b"][place as usize];
                samples::record(index as u64, configuration, position, 0, (seconds << place, nodes << place))
            })
            .collect();
        let analysis = super::super::Analysis::of(Description::default(), &records);
        let [one] = &analysis.on_nodes[..] else { panic!("{:?}", analysis.on_nodes) };
        let figures = [one.speedup, one.tree, one.rate, one.of_box.unwrap()].map(|it| it.estimate);
        for (figure, expected) in figures.into_iter().zip([3.0, 1.5, 4.5, 0.75]) {
            assert!((figure - expected).abs() < 1e-9, "{figures:?}");
        }
        assert_eq!((one.cluster.nodes, analysis.groups[one.group].configuration.threads), (4, 8));
    }
}
