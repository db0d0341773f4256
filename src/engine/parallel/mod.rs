//! Strategies that share a search among processors, by protocol:
//!
//! - *open nodes* (`open_nodes`): owners publish nodes, and processors without work choose among them. What is
//!   published when is a policy: `root`, `pv_split`, `ybwc`; in `dts` nobody owns a node;
//! - *as printed* (`as_printed`): young brothers wait by the protocol of the 2004 thesis, with its defects;
//! - *everybody searches the root*: `lazy`, `abdada`.
//!
//! All of them are one type, [`AnyStrategy`], for which the search is compiled once. A new strategy is a file that
//! implements [`Strategy`] for its parameters, a `mod` that names the file, and a line in the list below.

/// Meaning of the parameter `history`, which most strategies have.
macro_rules! history_meaning {
    () => {
        "history of quiet moves: one for all workers, one for each, one for each and merged before every iteration, or \
         one for each team"
    };
}

/// Meaning of the parameter `vote`, which strategies have in which several processors search the root.
macro_rules! vote_meaning {
    () => {
        "the move to play is the one with most votes, each weighed by its depth and by how much better its score is \
         than the worst; without it, the move of whoever has got deepest"
    };
}

mod abdada;
mod as_printed;
mod dts;
mod handover;
mod lazy;
mod open_nodes;
mod pv_split;
mod recorder;
mod root;
mod shared_node;
mod teams;
mod text;
mod ybwc;

use crate::chess::{Board, Move, Score};
use crate::search::features::Features;
use crate::search::{At, Histories, Node, Picker, Progress, Sequential, Sharing, Strategy, Team};

pub use as_printed::AsPrinted;
pub use handover::{Copier, CopyForm, CopyMode, Copying, Destination, Luggage, Origin};
pub use lazy::{End, Lazy, Skip};
pub use text::Parameter;

/// Declares [`AnyStrategy`] with its state, and `ask!`, which asks the strategy that one is.
macro_rules! strategies {
    (($d:tt) $( $Variant:ident($Strategy:ty) $name:literal, $title:literal; )*) => {
        /// A strategy with its parameters.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub enum AnyStrategy {
            $( #[doc = $title] $Variant($Strategy), )*
        }

        impl AnyStrategy {
            /// Names of all strategies.
            pub const NAMES: &'static [&'static str] = &[$( $name, )*];

            /// All strategies, with their defaults.
            pub fn all() -> Vec<Self> {
                vec![$( Self::$Variant(<$Strategy>::default()), )*]
            }

            /// Name on the command line and in records.
            pub const fn name(&self) -> &'static str {
                match self {
                    $( Self::$Variant(_) => $name, )*
                }
            }

            /// Description in a few words.
            pub const fn title(&self) -> &'static str {
                match self {
                    $( Self::$Variant(_) => $title, )*
                }
            }
        }

        /// State that all workers share. Every strategy has its part here, but only that of the chosen one is in use.
        #[allow(non_snake_case)]
        pub struct AnyShared<B: Board> {
            $( $Variant: <$Strategy as Strategy>::Shared<B>, )*
        }

        impl<B: Board> Default for AnyShared<B> {
            fn default() -> Self {
                Self { $( $Variant: Default::default(), )* }
            }
        }

        impl<B: Board> AnyShared<B> {
            fn new(strategy: &AnyStrategy, workers: usize) -> Self {
                match strategy {
                    $( AnyStrategy::$Variant(it) => Self { $Variant: it.shared::<B>(workers), ..Self::default() }, )*
                }
            }
        }

        /// State that a worker keeps to itself, with a part for every strategy.
        #[derive(Default)]
        #[allow(non_snake_case)]
        pub struct AnyOwn {
            $( $Variant: <$Strategy as Strategy>::Own, )*
        }

        macro_rules! ask {
            ($d any:expr, $d it:ident => $d answer:expr) => {
                match $d any {
                    $( AnyStrategy::$Variant($d it) => $d answer, )*
                }
            };
            ($d any:expr, $d it:ident, $d at:ident => $d answer:expr) => {
                match $d any {
                    $( AnyStrategy::$Variant($d it) => {
                        let (shared, own) = (&$d at.shared.$Variant, &$d at.own.$Variant);
                        let $d at = At::<_, T> { worker: $d at.worker, shared, own };
                        $d answer
                    } )*
                }
            };
        }
        use ask;
    };
}

strategies! { ($)
    Sequential(Sequential) "sequential", "one processor searches, and the others do nothing";
    Root(root::Root) "root",
        "root splitting: only the moves of the root are shared, once the first of them has been searched";
    PvSplit(pv_split::PvSplit) "pv-split",
        "PV splitting: nodes of the principal variation are shared once their first move has been searched";
    Ybwc(ybwc::Ybwc) "ybwc",
        "Young Brothers Wait: any node is shared once its first moves have been searched; idle processors choose one";
    YbwcAsPrinted(AsPrinted) "ybwc-as-printed",
        "Young Brothers Wait as in the thesis's program, with a switch for each of its defects";
    Lazy(lazy::Lazy) "lazy",
        "lazy search: every processor searches the root, and they share little but the transposition table";
    Abdada(abdada::Abdada) "abdada",
        "ABDADA: every processor searches the root, and puts off moves that another one is searching";
    Dts(dts::Dts) "dts",
        "dynamic tree splitting: idle processors have any node of another's stack split, and the last one there goes \
         on above";
    Teams(teams::Teams) "teams",
        "teams: processors of a team share nodes as in Young Brothers Wait, and teams search the root as in lazy \
         search";
}

/// Passes moments on to the strategy that [`AnyStrategy`] is.
macro_rules! pass_on {
    ($( $moment:ident($($argument:ident: $Type:ty),*) $(-> $Answer:ty)?; )*) => {
        $(
            #[inline(always)]
            fn $moment<T: Team>(&self, at: At<'_, '_, Self, T>, $( $argument: $Type ),*) $(-> $Answer)? {
                ask!(self, it, at => it.$moment(at, $($argument),*))
            }
        )*
    };
}

impl Strategy for AnyStrategy {
    type Shared<B: Board> = AnyShared<B>;
    type Own = AnyOwn;

    fn is_exact(&self) -> bool {
        ask!(self, it => it.is_exact())
    }

    fn needs_common_table(&self, processors: usize) -> bool {
        ask!(self, it => it.needs_common_table(processors))
    }

    fn offers_at_once(&self) -> bool {
        ask!(self, it => it.offers_at_once())
    }

    fn takes_part_alone(&self) -> bool {
        ask!(self, it => it.takes_part_alone())
    }

    fn least_draft(&self, processors: usize) -> i32 {
        ask!(self, it => it.least_draft(processors))
    }

    fn follows_nodes(&self) -> bool {
        ask!(self, it => it.follows_nodes())
    }

    #[inline(always)]
    fn histories(&self) -> Histories {
        ask!(self, it => it.histories())
    }

    #[inline(always)]
    fn corrections(&self) -> Histories {
        ask!(self, it => it.corrections())
    }

    fn searchers(&self, processors: usize) -> usize {
        ask!(self, it => it.searchers(processors))
    }

    fn team(&self, processors: usize) -> usize {
        ask!(self, it => it.team(processors))
    }

    fn leaves_out_iterations(&self, processors: usize) -> bool {
        ask!(self, it => it.leaves_out_iterations(processors))
    }

    fn spans_nodes(&self) -> bool {
        ask!(self, it => it.spans_nodes())
    }

    fn shared<B: Board>(&self, workers: usize) -> AnyShared<B> {
        AnyShared::new(self, workers)
    }

    fn wider_window(&self, id: usize) -> i32 {
        ask!(self, it => it.wider_window(id))
    }

    fn may_play(&self, id: usize) -> bool {
        ask!(self, it => it.may_play(id))
    }

    fn votes(&self) -> bool {
        ask!(self, it => it.votes())
    }

    /// Offers the node to the strategy, but not below its least draft, nor on one processor, where there is nobody to
    /// share with.
    #[inline(always)]
    fn share<T: Team>(
        &self,
        at: At<'_, '_, Self, T>,
        node: &Node,
        progress: &mut Progress,
        picker: &mut Picker,
    ) -> Option<Sharing> {
        if node.draft < at.worker.shares_from {
            return Some(Sharing::NotAtAll);
        }
        ask!(self, it, at => it.share(at, node, progress, picker))
    }

    pass_on! {
        run();
        begin_iteration(next: u32) -> Option<u32>;
        iteration_done(depth: u32);
        begins_another() -> bool;
        enters(node: &Node) -> bool;
        leaves();
        puts_off(node: &Node, mv: Move) -> bool;
        finished_elsewhere(node: &Node, picker: &Picker) -> Option<Score>;
        opens_window(node: &Node) -> Option<()>;
        end_brother(node: &Node);
        is_cut_off() -> bool;
    }
}

impl AnyStrategy {
    /// Names of the skipping rules with which lazy search spans nodes.
    pub fn skips_on_nodes() -> Vec<&'static str> {
        Skip::blind()
    }

    /// Strategy of a search with these features on this many processors, where none is named: of trees of today, which
    /// are narrow, teams share more.
    pub fn usual(processors: u32, features: &Features) -> Self {
        match processors {
            1 => Self::default(),
            _ if features.narrow_the_tree() => Self::Teams(teams::Teams::default()),
            _ => Self::Ybwc(ybwc::Ybwc::default()),
        }
    }
}

impl Default for AnyStrategy {
    fn default() -> Self {
        Self::Sequential(Sequential)
    }
}

#[cfg(test)]
mod tests;
