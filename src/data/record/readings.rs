//! What is read off the figures of a search: counts by their names, and what follows from several of them.

use super::result::{Busiest, Measured, Sharing};
use crate::counts::{Activities, Loss};

impl Sharing {
    /// Nanoseconds spent on copying positions: packing and taking over.
    pub fn copy_ns(&self) -> Option<u64> {
        self.times.map(|times| times.pack_ns + times.copy_ns)
    }
}

impl Measured {
    /// Count of the search: `probes`, or with its part `splits.made`, which is added up over drafts and types of nodes.
    pub fn count(&self, path: &str) -> Option<u64> {
        self.counters.total(path)?.try_into().ok()
    }

    /// [Counts](Self::count) of the search, if all of them are known.
    pub fn counts(&self, [one, other]: [&str; 2]) -> Option<[u64; 2]> {
        Some([self.count(one)?, self.count(other)?])
    }

    /// Nodes in quiescence.
    pub fn qnodes(&self) -> Option<u64> {
        self.count("quiescence_nodes")
    }

    /// Nodes as the 2004 thesis counts them: quiescence moves as soon as they are tried. The next three are percentages
    /// by its formulas: whole numbers, cut off, not rounded.
    pub fn thesis_nodes(&self) -> Option<u64> {
        self.count("main_nodes")?.checked_add(self.count("quiescence_tried")?)
    }

    /// 100 x hits / (probes + 1), a hit counted for each tier that has the position with enough draft.
    pub fn thesis_hash_pct(&self) -> Option<u64> {
        let [hits, probes] = self.counts(["tier_hits", "probes"])?;
        hits.checked_mul(100)?.checked_div(probes.checked_add(1)?)
    }

    /// 100 x cutoffs by the first move / cutoffs; 0 without cutoffs.
    pub fn thesis_order_pct(&self) -> Option<u64> {
        let [first, all] = self.counts(["cutoffs.first", "cutoffs.all"])?;
        Some(first.checked_mul(100)?.checked_div(all).unwrap_or(0))
    }

    /// 100 x quiescence moves tried / nodes.
    pub fn thesis_qn_pct(&self) -> Option<u64> {
        Some(self.count("quiescence_tried")?.checked_mul(100)?.checked_div(self.thesis_nodes()?).unwrap_or(0))
    }

    /// Time to the end of the search, up to which nodes and activities are counted: that of the answer, unless workers
    /// went on until worker 0 had reached the depth too.
    pub fn end_ns(&self) -> u64 {
        self.time_ns.max(self.master_ns.unwrap_or(0))
    }

    /// Time for which the workers of the search were busy, on average and at most; nothing if no worker is known.
    pub fn busiest(&self) -> Option<Busiest> {
        let longest = |time: fn(&Activities) -> u64| {
            self.workers.iter().map(|worker| time(&worker.activities)).max().map(|time| time as f64)
        };
        let all: u64 = self.workers.iter().map(|worker| worker.activities.search_ns).sum();
        let told = || {
            Some(Busiest {
                mean_search: all as f64 / self.workers.len() as f64,
                longest_search: longest(|times| times.search_ns)?,
                longest_work: longest(|times| times.search_ns + times.split_ns + times.lock_ns)?,
            })
        };
        self.busiest.or_else(told)
    }

    /// Forgets the parts of workers, of which only [`Self::busiest`] is left.
    pub fn forget_workers(&mut self) {
        self.busiest = self.busiest();
        self.workers = Vec::new();
    }

    /// Time divided by one of the spans of the tree, if that was found.
    pub fn parallelism(&self, span: &str) -> Option<f64> {
        let span = self.count(span).filter(|span| *span > 0)?;
        Some(self.end_ns() as f64 / span as f64)
    }

    /// Nodes per second of time to the end of the search.
    pub fn nps(&self) -> Option<f64> {
        (self.end_ns() > 0).then_some(self.told(self.nodes)? as f64 * 1e9 / self.end_ns() as f64)
    }

    /// A figure that our engine always has, and an engine from outside only if it has told it: it is not zero then.
    pub fn told(&self, figure: u64) -> Option<u64> {
        (self.program.is_none() || figure > 0).then_some(figure)
    }

    /// The score, unless an engine from outside has told none.
    pub fn told_score(&self) -> Option<i32> {
        self.told(self.depth.into()).map(|_| self.score_raw)
    }

    /// Nodes without those of iterations deeper than was asked for.
    pub fn nodes_within(&self) -> u64 {
        let beyond = self.losses.total(Loss::Beyond.name()).unwrap_or(0);
        self.nodes.saturating_sub(beyond.max(0) as u64)
    }

    /// Share of quiescence in all nodes, in percent.
    pub fn qn_pct(&self) -> Option<f64> {
        percentage([self.qnodes()?, self.nodes])
    }

    /// Share of the probes that ended the node, in percent.
    pub fn hash_pct(&self) -> Option<f64> {
        percentage(self.counts(["ended", "probes"])?)
    }

    /// Share of the nodes cut in the move loop that the first legal move cut, in percent.
    pub fn order_pct(&self) -> Option<f64> {
        percentage(self.counts(["cutoffs.first", "cutoffs.all"])?)
    }

    /// Number of leaves of the main search for each that the minimal trees of its iterations have.
    pub fn over_minimum(&self) -> Option<f64> {
        self.leaves_over_minimum(self.count("leaves")?, self.depth)
    }

    /// Number of these leaves, reached up to this depth, for each that the minimal trees of the iterations up to there
    /// have: B^ceil(d/2) + B^floor(d/2) - 1 at depth d, where every node has B moves (Knuth and Moore 1975). B is the
    /// mean number of legal moves of nodes of the main search.
    pub fn leaves_over_minimum(&self, leaves: u64, depth: u32) -> Option<f64> {
        let moves = percentage(self.counts(["counted_moves", "counted_nodes"])?)? / 100.0;
        let minimum = |depth: u32| moves.powi(depth.div_ceil(2) as i32) + moves.powi(depth as i32 / 2) - 1.0;
        let all: f64 = (1..=depth).map(minimum).sum();
        (leaves > 0 && all > 0.0).then(|| leaves as f64 / all)
    }

    /// Time of a search by one real processor, without the time in which others had that processor.
    pub fn own_time_ns(&self) -> f64 {
        let watch = self.workers.first().and_then(|worker| worker.watch);
        let share = watch.and_then(|watch| Some(watch.cpu_ns? as f64 / watch.wall_ns.max(1) as f64));
        self.time_ns as f64 * share.unwrap_or(1.0).min(1.0)
    }
}

fn percentage([part, whole]: [u64; 2]) -> Option<f64> {
    (whole > 0).then(|| 100.0 * part as f64 / whole as f64)
}

#[cfg(test)]
mod tests {
    use super::super::named_counts::NamedCounts;
    use super::super::result::WorkerRecord;
    use super::*;
    use crate::counts::Disturbance;

    #[test]
    fn figures_of_the_thesis_are_cut_off() {
        let counters = NamedCounts::of(serde_json::json!({
            "main_nodes": 200, "quiescence_nodes": 70, "quiescence_tried": 100, "tier_hits": 30, "probes": 44,
            "cutoffs": { "all": [[5, 1], [3]], "first": [[4, 1], [3]] },
        }));
        let run = Measured { nodes: 270, counters, ..Measured::default() };
        assert_eq!((run.qnodes(), run.thesis_nodes()), (Some(70), Some(300)));
        let shares = [run.thesis_hash_pct(), run.thesis_order_pct(), run.thesis_qn_pct()];
        assert_eq!(shares, [Some(66), Some(88), Some(33)]);
        assert_eq!(run.order_pct(), Some(100.0 * 8.0 / 9.0));
        let outside = Measured::default();
        assert_eq!([outside.qnodes(), outside.thesis_nodes(), outside.thesis_hash_pct()], [None; 3]);
    }

    #[test]
    fn what_others_took_is_no_time_of_the_search() {
        let mut measured = Measured { time_ns: 1_000, ..Measured::default() };
        assert_eq!(measured.own_time_ns(), 1_000.0);
        for (cpu_ns, expected) in [(Some(1_500), 750.0), (Some(2_100), 1_000.0), (None, 1_000.0)] {
            let watch = Disturbance { wall_ns: 2_000, cpu_ns, ..Disturbance::default() };
            measured.workers = vec![WorkerRecord { watch: Some(watch), ..WorkerRecord::default() }];
            assert_eq!(measured.own_time_ns(), expected);
        }
    }
}
