//! Windows of the search beside those of principal variation search, and what a result outside of its window says.

use super::node::{Expected, Node};
use super::strategy::Strategy;
use super::worker::Worker;
use crate::chess::{Board, Score};
use crate::machine::Processor;
use crate::settings::settings;

settings! {
    /// Parameters of windows.
    pub struct Windows, "feature";
    => "Windows", "ColChess page (null windows); Szabo 2023 (fail-hard); Fishburn 1983 (fail-soft)",
        tried by ["+full-windows", "+fail-hard", "+fail-soft"];
    are_full: bool, "full-windows",
        "every move is searched with the whole window of its node at once: alpha-beta without the null windows of \
         principal variation search";
    fail_hard: bool, "fail-hard",
        "a score above beta is returned and stored as beta; off: as it was found";
    fail_soft: bool, "fail-soft",
        "a score below alpha is returned and stored as it was found, and not below what the moves left out may reach; \
         off: as alpha. Not together with 'fail-hard'";
}

impl Windows {
    /// Score of a node or position at which nothing has been found yet.
    #[inline(always)]
    pub(super) fn lowest(&self, alpha: Score) -> Score {
        if self.fail_soft { -Score::INFINITE } else { alpha }
    }

    /// Why these cannot be had together, if they cannot.
    pub(super) fn contradiction(&self) -> Option<&'static str> {
        (self.fail_hard && self.fail_soft)
            .then_some("'fail-hard' and 'fail-soft' exclude each other: turn one of them off")
    }
}

impl<B: Board, P: Processor, S: Strategy> Worker<'_, B, P, S> {
    /// Child of a node that is searched with the node's whole window, or for minimax with the widest.
    #[inline(never)]
    pub(super) fn with_full_window(&self, node: &Node, alpha: Score, is_eldest: bool) -> Node {
        if self.features.minimax {
            return node.child(-Score::MATE, Score::MATE, Expected::Pv);
        }
        node.child(-node.beta, -alpha, node.expected.child(is_eldest))
    }
}

#[cfg(test)]
mod tests {
    use crate::chess::mailbox::Mailbox;
    use crate::chess::suites::Suite;
    use crate::chess::{Board, History, Score, Setup};
    use crate::machine::cost::CostModel;
    use crate::machine::{Machine, Processor, Program, VirtualMachine};
    use crate::search::features::Recipe;
    use crate::search::session::Session;
    use crate::search::strategy::Sequential;
    use crate::search::table::{Scheme, Tables};
    use crate::search::{Limits, SearchSettings, Worker};

    const DEPTH: i32 = 2;
    /// With futility pruning by the largest gain that a quiet move has by the squares of the thesis.
    const FUTILITY: &str = "sound,+fail-soft,+futility=1,+futility-margin=800";
    const DISTANCES: [i32; 4] = [1, 60, 700, 6_000];

    /// Work of a worker at the root, which returns scores.
    struct AtRoot<'a, F>(&'a Session<'a, Mailbox, Sequential>, F);

    trait Scored: Sync {
        fn scores<P: Processor>(&self, worker: &mut Worker<'_, Mailbox, P, Sequential>) -> Vec<Score>;
    }

    impl<F: Scored> Program for AtRoot<'_, F> {
        type Output = Vec<Score>;

        fn run<P: Processor>(&self, processor: &P) -> Vec<Score> {
            self.0.with_worker(processor, |worker| self.1.scores(worker))
        }
    }

    fn scores(setup: &Setup, recipe: &str, scheme: Scheme, work: impl Scored) -> Vec<Score> {
        let features = recipe.parse::<Recipe>().unwrap().features;
        let settings = SearchSettings { features, limits: Limits::depth(DEPTH as u32), seed: 1 };
        let board = Mailbox::set_up(setup, settings.keys()).unwrap();
        let tables = Tables::new(&settings.table(scheme, 1 << 18), 1, 1);
        let past = History::with_capacity(0);
        let session = Session::new(&board, &past, &settings, &tables, &Sequential, 1);
        VirtualMachine::new(1, CostModel::ideal()).run(&AtRoot(&session, work)).unwrap().outputs.remove(0)
    }

    /// Searches in these windows, one after the other.
    struct InWindows<'a>(&'a [(Score, Score)]);

    impl Scored for InWindows<'_> {
        fn scores<P: Processor>(&self, worker: &mut Worker<'_, Mailbox, P, Sequential>) -> Vec<Score> {
            worker.set_root_moves();
            worker.iteration = 100 * DEPTH;
            self.0.iter().map(|(alpha, beta)| worker.search_root(*alpha, *beta).unwrap()).collect()
        }
    }

    #[test]
    fn a_score_outside_of_its_window_is_a_true_bound_and_sharper_if_soft() {
        let recipes =
            ["sound,+fail-hard", "sound", "sound,+fail-soft", "sound,+fail-soft,quiescence-order=victims", FUTILITY];
        let mut sharper = [[0; 2]; 5];
        for epd in Suite::named("thesis-10").unwrap().positions().iter().step_by(3) {
            let whole = [(-Score::MATE, Score::MATE)];
            let score = scores(&epd.setup, "sound,+minimax", Scheme::None, InWindows(&whole))[0];
            let narrow = |alpha: i32| (score + Score(alpha), score + Score(alpha + 1));
            let windows: Vec<_> = DISTANCES.iter().flat_map(|far| [narrow(*far), narrow(-far - 1)]).collect();
            for (recipe, sharper) in recipes.iter().zip(&mut sharper) {
                for scheme in [Scheme::None, Scheme::Lockless] {
                    let found = scores(&epd.setup, recipe, scheme, InWindows(&windows));
                    for (found, (alpha, beta)) in found.into_iter().zip(&windows) {
                        let context = format!("{} {recipe} {scheme:?}: {found:?} in {alpha:?} {beta:?}", epd.setup);
                        if score < *alpha {
                            assert!(score <= found && found <= *alpha, "{score:?} {context}");
                            sharper[0] += u32::from(found < *alpha);
                        } else {
                            assert!(*beta <= found && found <= score, "{score:?} {context}");
                            sharper[1] += u32::from(found > *beta);
                        }
                    }
                }
            }
        }
        let [hard, usual, ..] = sharper;
        assert_eq!((hard, usual[0]), ([0, 0], 0));
        assert!(sharper[2..].iter().flatten().all(|count| *count > 10), "{sharper:?}");
    }

    /// Scores of the position itself, if its captures win no more than this by far, and with an open window.
    struct FarBelow(Score);

    impl Scored for FarBelow {
        fn scores<P: Processor>(&self, worker: &mut Worker<'_, Mailbox, P, Sequential>) -> Vec<Score> {
            let below = worker.quiescence(self.0, self.0 + Score(1), 0, 0);
            [below, worker.quiescence(-Score::MATE, Score::MATE, 0, 0)].map(Option::unwrap).to_vec()
        }
    }

    #[test]
    fn a_capture_that_is_left_out_counts_for_what_it_may_win() {
        // A queen that can be taken, by a pawn or by exchange of a rook, and a promotion.
        let positions = [
            "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1",
            "4k3/8/2p5/3q4/8/8/3R4/4K3 w - - 0 1",
            "8/P7/8/8/8/8/k7/2K5 w - - 0 1",
        ];
        for setup in positions.map(|fen| fen.parse().unwrap()) {
            for order in ["exchange", "victims"] {
                let recipe = format!("sound,+fail-soft,+delta-pruning,delta-margin=1000,quiescence-order={order}");
                let alpha = Score(25_000);
                let scores = scores(&setup, &recipe, Scheme::None, FarBelow(alpha));
                assert!(scores[1] <= scores[0] && scores[0] < alpha, "{setup} {order}: {scores:?}");
            }
        }
    }
}
