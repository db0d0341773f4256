//! The strategies that share a search among processors, one file each.
//!
//! All of them are one type, [`AnyStrategy`], so that the search is compiled once for all: it asks the strategy before each
//! younger brother and at each node, and what is asked there first is cheap. A new strategy is one file, one variant and its
//! lines in the matches below.

mod abdada;
mod as_printed;
mod handover;
mod idle;
mod lazy;
mod open_nodes;
mod pv_split;
mod root;
mod split_point;
mod ybwc;

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::str::FromStr;

use crate::chess::{Board, Move, Score};
use crate::machine::Processor;
use crate::search::{Histories, Node, Picker, Progress, Shared, Strategy, Worker};
use crate::settings::{self, Setting, SettingError, Settings};
use abdada::{Marks, OwnMarks};
use lazy::{Job, Jobs};

pub use abdada::Abdada;
pub use as_printed::AsPrinted;
pub use handover::Copy;
pub use lazy::{End, Lazy, Skip};
pub use open_nodes::{OpenNodes, Place};
pub use pv_split::PvSplit;
pub use root::Root;
pub use ybwc::Ybwc;

/// A strategy with its parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AnyStrategy {
    /// One processor searches.
    Sequential,
    /// The root's moves are shared.
    Root(Root),
    /// The nodes of the principal variation are shared.
    PvSplit(PvSplit),
    /// Nodes are shared once their eldest brothers have been searched.
    Ybwc(Ybwc),
    /// The same as the thesis's program does it.
    YbwcAsPrinted(AsPrinted),
    /// Everybody searches the root.
    Lazy(Lazy),
    /// Everybody searches the root, and puts off what others are searching.
    Abdada(Abdada),
}

/// Why a text names no strategy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StrategyError {
    /// The text begins with something else than a strategy.
    #[error("'{found}' is not a strategy; the strategies are {}", AnyStrategy::NAMES.join(", "))]
    Unknown {
        /// What stands there.
        found: String,
    },
    /// A change is none.
    #[error(transparent)]
    Change(#[from] SettingError),
    /// This one has no parameters.
    #[error("'{0}' has no parameters")]
    NoParameters(&'static str),
}

impl StrategyError {
    /// The word at fault and the names it might have been, for a suggestion.
    pub fn misspelt(&self) -> Option<(&str, Vec<&'static str>)> {
        match self {
            Self::Unknown { found } => Some((found, AnyStrategy::NAMES.to_vec())),
            Self::Change(error) => error.misspelt(),
            Self::NoParameters(_) => None,
        }
    }
}

/// A parameter as a list shows it.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// What it can be set to.
    pub kind: settings::Kind,
    /// What it is if nothing is said.
    pub default: String,
    /// Its present value.
    pub value: i32,
    /// What it does.
    pub meaning: &'static str,
}

fn parameters<T: Settings + Default>(chosen: &T) -> Vec<Parameter> {
    let default = T::default();
    let parameter = |setting: &Setting<T>| Parameter {
        name: setting.name,
        kind: setting.kind,
        default: setting.written(&default),
        value: (setting.get)(chosen),
        meaning: setting.meaning,
    };
    T::all().iter().map(parameter).collect()
}

impl AnyStrategy {
    /// The names of all strategies.
    pub const NAMES: [&'static str; 7] =
        ["sequential", "root", "pv-split", "ybwc", "ybwc-as-printed", "lazy", "abdada"];

    /// The strategy of this name with its defaults.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "sequential" => Self::Sequential,
            "root" => Self::Root(Root::default()),
            "pv-split" => Self::PvSplit(PvSplit::default()),
            "ybwc" => Self::Ybwc(Ybwc::default()),
            "ybwc-as-printed" => Self::YbwcAsPrinted(AsPrinted::default()),
            "lazy" => Self::Lazy(Lazy::default()),
            "abdada" => Self::Abdada(Abdada::default()),
            _ => return None,
        })
    }

    /// Its name.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Sequential => Self::NAMES[0],
            Self::Root(_) => Self::NAMES[1],
            Self::PvSplit(_) => Self::NAMES[2],
            Self::Ybwc(_) => Self::NAMES[3],
            Self::YbwcAsPrinted(_) => Self::NAMES[4],
            Self::Lazy(_) => Self::NAMES[5],
            Self::Abdada(_) => Self::NAMES[6],
        }
    }

    /// What it is, in a few words.
    pub const fn title(&self) -> &'static str {
        match self {
            Self::Sequential => "one processor searches, the others do nothing",
            Self::Root(_) => "the root's moves are handed out after the eldest",
            Self::PvSplit(_) => "the nodes of the principal variation are shared after the eldest brother",
            Self::Ybwc(_) => "young brothers wait: nodes are opened after the eldest, idle processors choose",
            Self::YbwcAsPrinted(_) => {
                "young brothers wait as the thesis's program does it, each of its defects a switch"
            }
            Self::Lazy(_) => "everybody searches the root; only the table is shared",
            Self::Abdada(_) => "everybody searches the root, and moves that another is searching are put off",
        }
    }

    /// Its parameters.
    pub fn parameters(&self) -> Vec<Parameter> {
        match self {
            Self::Sequential => Vec::new(),
            Self::Root(root) => parameters(root),
            Self::PvSplit(pv_split) => parameters(pv_split),
            Self::Ybwc(ybwc) => parameters(ybwc),
            Self::YbwcAsPrinted(printed) => parameters(printed),
            Self::Lazy(lazy) => parameters(lazy),
            Self::Abdada(abdada) => parameters(abdada),
        }
    }

    fn as_printed(&self) -> Option<&AsPrinted> {
        if let Self::YbwcAsPrinted(printed) = self { Some(printed) } else { None }
    }

    /// Whether processors share open nodes.
    fn opens_nodes(&self) -> bool {
        matches!(self, Self::Root(_) | Self::PvSplit(_) | Self::Ybwc(_))
    }
}

impl FromStr for AnyStrategy {
    type Err = StrategyError;

    /// `ybwc`, or with parameters `ybwc,minimum-draft=3,history=private`.
    fn from_str(text: &str) -> Result<Self, StrategyError> {
        let mut words = text.split(',').map(str::trim);
        let first = words.next().unwrap_or_default();
        let mut strategy = Self::named(first).ok_or_else(|| StrategyError::Unknown { found: first.to_owned() })?;
        for word in words {
            match &mut strategy {
                Self::Sequential => return Err(StrategyError::NoParameters(Self::NAMES[0])),
                Self::Root(root) => settings::change(root, word)?,
                Self::PvSplit(pv_split) => settings::change(pv_split, word)?,
                Self::Ybwc(ybwc) => settings::change(ybwc, word)?,
                Self::YbwcAsPrinted(printed) => settings::change(printed, word)?,
                Self::Lazy(lazy) => settings::change(lazy, word)?,
                Self::Abdada(abdada) => settings::change(abdada, word)?,
            }
        }
        Ok(strategy)
    }
}

/// The shortest text that gives this strategy.
impl fmt::Display for AnyStrategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        match self {
            Self::Sequential => Ok(()),
            Self::Root(root) => settings::write_changes(f, &Root::default(), root),
            Self::PvSplit(pv_split) => settings::write_changes(f, &PvSplit::default(), pv_split),
            Self::Ybwc(ybwc) => settings::write_changes(f, &Ybwc::default(), ybwc),
            Self::YbwcAsPrinted(printed) => settings::write_changes(f, &AsPrinted::default(), printed),
            Self::Lazy(lazy) => settings::write_changes(f, &Lazy::default(), lazy),
            Self::Abdada(abdada) => settings::write_changes(f, &Abdada::default(), abdada),
        }
    }
}

/// What all workers of a search share.
pub struct Common<B: Board> {
    open: OpenNodes<B>,
    printed: as_printed::Blocks<B>,
    jobs: Jobs,
    marks: Marks,
}

/// What each worker keeps: its place among the open nodes, its jobs by the protocol of the thesis, and what it does where
/// everybody searches the root.
#[derive(Default)]
pub struct Own {
    place: Place,
    printed: as_printed::Stack,
    job: Job,
    marks: OwnMarks,
}

impl Deref for Own {
    type Target = Place;

    fn deref(&self) -> &Place {
        &self.place
    }
}

impl DerefMut for Own {
    fn deref_mut(&mut self) -> &mut Place {
        &mut self.place
    }
}

impl Strategy for AnyStrategy {
    type Shared<B: Board> = Common<B>;
    type Own<B: Board> = Own;

    #[inline(always)]
    fn histories(&self) -> Histories {
        match self {
            Self::Sequential => Histories::Private,
            Self::Root(root) => root.histories,
            Self::PvSplit(pv_split) => pv_split.histories,
            Self::Ybwc(ybwc) => ybwc.histories,
            Self::YbwcAsPrinted(printed) => printed.histories,
            Self::Lazy(lazy) => lazy.histories,
            Self::Abdada(abdada) => abdada.histories,
        }
    }

    fn searchers(&self, processors: usize) -> usize {
        if *self == Self::Sequential { 1 } else { processors }
    }

    fn shared<B: Board>(&self, workers: usize) -> Common<B> {
        Common {
            open: OpenNodes::new(if self.opens_nodes() { workers } else { 0 }),
            printed: self.as_printed().map_or_else(as_printed::Blocks::none, |printed| printed.shared(workers)),
            jobs: Jobs::new(),
            marks: Marks::new(if let Self::Abdada(abdada) = self { abdada.table_sets } else { 0 }),
        }
    }

    fn own<B: Board>(&self, _: usize, _: usize) -> Own {
        Own::default()
    }

    fn run<B: Board, P: Processor>(&self, worker: &mut Worker<'_, B, P, Self>) {
        match self {
            Self::Lazy(_) | Self::Abdada(_) => worker.think(),
            Self::YbwcAsPrinted(printed) => as_printed::run(worker, printed),
            _ if worker.processor.id() == 0 => {
                worker.think();
                if self.opens_nodes() {
                    open_nodes::end(&worker.shared.open, worker.processor);
                }
            }
            Self::Sequential => {}
            Self::Root(root) => open_nodes::serve(worker, root),
            Self::PvSplit(pv_split) => open_nodes::serve(worker, pv_split),
            Self::Ybwc(ybwc) => open_nodes::serve(worker, ybwc),
        }
    }

    fn begin_iteration<B: Board, P: Processor>(&self, worker: &mut Worker<'_, B, P, Self>, next: u32) -> Option<u32> {
        if self.histories() == Histories::Merged {
            worker.merge_histories();
        }
        match self {
            Self::Lazy(lazy) => lazy.begin_iteration(worker, next),
            _ => (next <= worker.common.limits.depth).then_some(next),
        }
    }

    fn iteration_done<B: Board, P: Processor>(&self, worker: &mut Worker<'_, B, P, Self>, depth: u32) {
        match self {
            Self::Lazy(lazy) => lazy.iteration_done(worker, depth),
            Self::Abdada(abdada) => abdada.iteration_done(worker, depth),
            _ => {}
        }
    }

    fn gives_up_iteration<B: Board, P: Processor>(&self, worker: &mut Worker<'_, B, P, Self>) -> bool {
        !worker.processor.is_stopped() && worker.shared.jobs.is_stale(&worker.own.job)
    }

    fn wider_window(&self, id: usize) -> i32 {
        if let Self::Lazy(lazy) = self { lazy.wider_window(id) } else { 0 }
    }

    fn may_play(&self, id: usize) -> bool {
        if let Self::Lazy(lazy) = self { lazy.may_play(id) } else { true }
    }

    #[inline(always)]
    fn share<B: Board, P: Processor>(
        &self,
        worker: &mut Worker<'_, B, P, Self>,
        node: &Node,
        progress: &mut Progress,
        picker: &mut Picker,
    ) -> Option<Shared> {
        if !(self.opens_nodes() || self.as_printed().is_some()) || worker.processor.count() == 1 {
            return Some(Shared::NotAtAll);
        }
        self.offer(worker, node, progress, picker)
    }

    #[inline(always)]
    fn is_cut_off<B: Board, P: Processor>(&self, worker: &mut Worker<'_, B, P, Self>) -> bool {
        let (open, printed) = (&worker.shared.open, &worker.shared.printed);
        let since = open.cut_at(&worker.own).or_else(|| printed.stopped_at(worker.own.printed.job));
        if let Some(since) = since {
            worker.counters.stopped(worker.processor.now().saturating_sub(since));
        }
        since.is_some() || worker.shared.jobs.is_stale(&worker.own.job)
    }

    #[inline(always)]
    fn puts_off<B: Board, P: Processor>(
        &self,
        worker: &mut Worker<'_, B, P, Self>,
        node: &Node,
        _: &Progress,
        mv: Move,
    ) -> bool {
        if let Self::Abdada(abdada) = self { abdada.puts_off(worker, node, mv) } else { false }
    }

    #[inline(always)]
    fn finished_elsewhere<B: Board, P: Processor>(
        &self,
        worker: &mut Worker<'_, B, P, Self>,
        node: &Node,
        picker: &Picker,
    ) -> Option<Score> {
        if let Self::Abdada(abdada) = self { abdada.finished_elsewhere(worker, node, picker) } else { None }
    }

    #[inline(always)]
    fn opens_window<B: Board, P: Processor>(&self, worker: &mut Worker<'_, B, P, Self>, node: &Node) {
        if let Self::Abdada(_) = self {
            abdada::take_mark_away(worker, node);
        }
    }

    #[inline(always)]
    fn end_brother<B: Board, P: Processor>(&self, worker: &mut Worker<'_, B, P, Self>, node: &Node, _: Move) {
        if let Self::Abdada(_) = self {
            abdada::take_mark_away(worker, node);
        }
    }
}

impl AnyStrategy {
    fn offer<B: Board, P: Processor>(
        &self,
        worker: &mut Worker<'_, B, P, Self>,
        node: &Node,
        progress: &mut Progress,
        picker: &mut Picker,
    ) -> Option<Shared> {
        match self {
            Self::Root(root) => open_nodes::share(worker, root, node, progress, picker),
            Self::PvSplit(pv_split) => open_nodes::share(worker, pv_split, node, progress, picker),
            Self::Ybwc(ybwc) => open_nodes::share(worker, ybwc, node, progress, picker),
            Self::YbwcAsPrinted(printed) => as_printed::share(worker, printed, node, progress, picker),
            Self::Sequential | Self::Lazy(_) | Self::Abdada(_) => Some(Shared::NotAtAll),
        }
    }
}
