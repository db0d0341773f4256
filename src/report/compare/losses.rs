//! A newer version of an engine beside an older one, for a script that must decide: what it has lost, by counts, which
//! no load changes much, and by times where nothing disturbed them.

use crate::questions::by_model;
use crate::table::number::interval;
use crate::table::{Table, columns};

use super::{Counterparts, SideBySide, Tested, Verdict};

impl SideBySide {
    /// One row for each number of threads: the second folder relative to the first.
    pub fn versions(&self) -> Table {
        let columns = columns! { &Counterparts, pair;
            "threads" as "Threads": "number of threads" => pair.configuration.threads;
            "nodes" as "Nodes": "nodes to the same depth, relative to the older version" => pair.nodes.ratio;
            "overhead" as "Relative to one": "how much of that is not in the nodes of one thread" =>
                pair.overhead.map(|overhead| overhead.ratio);
            "time" as "Time": "time to the same depth, relative to the older version" =>
                Some(pair.time.ratio).filter(|_| pair.time.verdict != Verdict::Disturbed);
            "loss" as "Verdict": "what is lost" => match losses(pair).is_empty() {
                true if is_repaired(pair) => "repaired: several search now",
                true if pair.time.verdict == Verdict::Disturbed => "no loss of nodes shown; time not judged",
                true => "no loss shown",
                false => "loss",
            };
        };
        columns.table("", "", &self.counterparts)
    }

    /// Sentence that says why times are not judged, if some are not.
    pub fn unjudged(&self) -> Option<&'static str> {
        let is_disturbed = self.counterparts.iter().any(|pair| pair.time.verdict == Verdict::Disturbed);
        is_disturbed.then_some(
            "Some times are not judged: other programs disturbed the searches. Run again when the computer is quiet.",
        )
    }

    /// Losses that are shown, a sentence each.
    pub fn losses(&self) -> Vec<String> {
        self.counterparts.iter().flat_map(losses).collect()
    }
}

/// Whether several threads search, and in the older version only one did. Then nodes say nothing of a loss: whoever
/// searches with several threads searches more nodes than with one.
fn is_repaired(pair: &Counterparts) -> bool {
    pair.are_idle == [true, false]
}

fn losses(pair: &Counterparts) -> Vec<String> {
    let threads = pair.configuration.threads;
    let on = match threads {
        1 => "With one thread".to_owned(),
        _ => format!("With {threads} threads{}", by_model(&pair.configuration)),
    };
    let more = |tested: &Tested, of_what: &str| {
        (tested.verdict == Verdict::More)
            .then(|| format!("{on}, it needs {} times as {of_what}.", interval(&tested.ratio)))
    };
    let idle = (pair.are_idle == [false, true])
        .then(|| format!("{on}, only one searches: all searches have the nodes of one thread."));
    let by_nodes = [
        more(&pair.nodes, "many nodes to the same depth"),
        pair.overhead.as_ref().and_then(|overhead| more(overhead, "many nodes relative to one thread")),
    ];
    let by_nodes = by_nodes.into_iter().flatten().filter(|_| !is_repaired(pair));
    by_nodes.chain(more(&pair.time, "long to the same depth")).chain(idle).collect()
}
