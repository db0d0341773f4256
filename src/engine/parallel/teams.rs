//! Teams: within a team, processors share nodes as in young brothers wait; the teams among each other search the root
//! as in lazy search, each with iterations and a history of its own, and share the transposition table. With one team
//! this is young brothers wait, and with teams of one it is lazy search.
//!
//! A tree has only so much that can be searched at once: more processors than that wait, and beyond some number it is
//! better to let the others search the same tree by themselves, with what all know in the table.

use super::lazy::Skip;
use super::open_nodes::{OpenNodes, Place, Teamwork};
use super::ybwc::Ybwc;
use crate::chess::Board;
use crate::machine::{MOST_PROCESSORS, Processor};
use crate::search::{At, DEEPEST, Histories, Horizon, Node, Picker, Progress, Sharing, Strategy, Team};
use crate::settings::settings;

settings! {
    /// Parameters of teams.
    pub struct Teams, "parameter of strategy 'teams'";
    team: i32 [0..=1024 "processors"] = 0, "team",
        "number of processors in a team; 0: 8, or 16 if there are more than 32 processors";
    skip: Skip = Skip::Stockfish9, "skip",
        "iterations that a team leaves out, as those of a worker in lazy search: none, every second, or by the tables \
         of Stockfish 7 or 9; with the other rules, which look at single workers, none is left out";
    vote: bool, "vote", vote_meaning!();
    ..within: Ybwc = WITHIN;
}

/// Processors in a team on a small machine. More teams leave out more iterations.
const SMALL_TEAM: usize = 8;
/// Processors in a team on a large machine, where many small teams would search the same.
const LARGE_TEAM: usize = 16;
/// Number of processors up to which teams are small.
const FOUR_SMALL_TEAMS: usize = 4 * SMALL_TEAM;

/// Parameters by which young brothers of a team hardly wait: in a tree of today there is little to share otherwise.
const WITHIN: Ybwc = Ybwc {
    eager_draft: 7,
    cut_after: 1,
    helpers: 16,
    teamwork: Teamwork { histories: Histories::Team, sends_away: false, ..Teamwork::DEFAULT },
    ..Ybwc::DEFAULT
};

/// Worker and state of a moment of teams, as young brothers wait within a team is told of it.
fn within<'a, 'w, T: Team>(at: At<'a, 'w, Teams, T>) -> At<'a, 'w, Ybwc, T> {
    At { worker: at.worker, shared: at.shared, own: at.own }
}

impl Strategy for Teams {
    type Shared<B: Board> = OpenNodes<B>;
    type Own = Place;

    /// Teams leave out iterations, and with them their scores.
    fn is_exact(&self) -> bool {
        self.team as usize >= MOST_PROCESSORS
    }

    fn needs_common_table(&self, processors: usize) -> bool {
        self.team(processors) < processors
    }

    fn histories(&self) -> Histories {
        self.within.histories()
    }

    fn votes(&self) -> bool {
        self.vote
    }

    fn offers_at_once(&self) -> bool {
        self.within.offers_at_once()
    }

    fn takes_part_alone(&self) -> bool {
        self.within.takes_part_alone()
    }

    fn least_draft(&self, processors: usize) -> i32 {
        self.within.least_draft(self.team(processors))
    }

    fn team(&self, processors: usize) -> usize {
        let wanted = match self.team {
            0 if processors > FOUR_SMALL_TEAMS => LARGE_TEAM,
            0 => SMALL_TEAM,
            wanted => wanted as usize,
        };
        // As equal as they can be.
        processors.div_ceil(processors.div_ceil(wanted).max(1))
    }

    fn leaves_out_iterations(&self, processors: usize) -> bool {
        self.team(processors) < processors && self.skip.leaves_out_by_worker()
    }

    fn spans_nodes(&self) -> bool {
        true
    }

    fn shared<B: Board>(&self, workers: usize) -> OpenNodes<B> {
        OpenNodes::new(workers, self.team(workers), &self.within.teamwork)
    }

    fn run<T: Team>(&self, at: At<'_, '_, Self, T>) {
        self.within.run(within(at));
    }

    fn begin_iteration<T: Team>(&self, at: At<'_, '_, Self, T>, next: u32) -> Option<u32> {
        let (limits, processor) = (&at.worker.common.limits, at.worker.processor);
        let teams = at.shared.teams();
        if teams * processor.nodes() == 1 {
            return self.within.begin_iteration(within(at), next);
        }
        let last = match limits.horizon {
            Horizon::Closed => limits.depth,
            Horizon::Open => DEEPEST,
        };
        let team = processor.node() * teams + at.shared.team_of(processor);
        let depth = self.skip.next(team, next, last);
        (next <= limits.depth).then_some(depth)
    }

    fn iteration_done<T: Team>(&self, at: At<'_, '_, Self, T>, depth: u32) {
        if at.shared.teams() * at.worker.processor.nodes() > 1 && depth >= at.worker.common.limits.depth {
            at.worker.stop_all();
        }
    }

    #[inline(always)]
    fn share<T: Team>(
        &self,
        at: At<'_, '_, Self, T>,
        node: &Node,
        progress: &mut Progress,
        picker: &mut Picker,
    ) -> Option<Sharing> {
        self.within.share(within(at), node, progress, picker)
    }

    #[inline(always)]
    fn opens_window<T: Team>(&self, at: At<'_, '_, Self, T>, node: &Node) -> Option<()> {
        self.within.opens_window(within(at), node)
    }

    #[inline(always)]
    fn is_cut_off<T: Team>(&self, at: At<'_, '_, Self, T>) -> bool {
        self.within.is_cut_off(within(at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn teams_are_of_eight_until_there_are_many_processors() {
        let sizes = |team| {
            let teams = Teams { team, ..Teams::default() };
            [1, 8, 9, 16, 32, 33, 64, 1024].map(|processors| teams.team(processors))
        };
        assert_eq!(sizes(0), [1, 8, 5, 8, 8, 11, 16, 16]);
        assert_eq!(sizes(5), [1, 4, 5, 4, 5, 5, 5, 5]);
        assert_eq!(sizes(1024), [1, 8, 9, 16, 32, 33, 64, 1024]);
    }
}
