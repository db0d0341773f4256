//! What is chosen about a search, in the engine's types: between the words of files and records on one side, and what
//! the engine is asked on the other. The one place where the text of a configuration is read.

use super::conditions::Conditions;
use super::experiment::SearchedBy;
use super::measure_error::{MeasureError, read, wrong};
use super::micro;
use crate::chess::choice::{BoardChoice, SlidersChoice};
use crate::engine::{NodesError, On, Setup, ranks, usual_costs};
use crate::machine::cost::CostModel;
use crate::machine::disturb::Disturb;
use crate::machine::{Pin, Waiting};
use crate::outside::Placeholder;
use crate::parallel::{AnyStrategy, Copier, CopyForm, Copying};
use crate::record::axes::{
    AUDIT, BOARD, CLUSTER_NODES, COPIER, COPY, COSTS, COSTS_HASH, DISTURB, FEATURES, HORIZON, LOSSES, MAKE, MICRO, PIN,
    SCHEME, SLIDERS, STRATEGY, WAITING,
};
use crate::record::{Axis, Cell, Configuration, Defined, Depth, MOST_THREADS, MachineKind, SEQUENTIAL, Seconds};
use crate::search::features::{Preset, Recipe, TakingBack};
use crate::search::table::{TableOptions, TableSharing};
use crate::search::{DEEPEST, DEFAULT_DEPTH, Horizon, Limits, SearchSettings, Strategy};

/// A value of each axis, with the axis's meaning. By default, a search by one thread of this computer that is not
/// pinned.
#[derive(Clone, Debug)]
pub struct Choice {
    /// Kind of machine.
    pub machine: MachineKind,
    /// Strategy, or engine from outside.
    pub strategy: SearchedBy,
    /// Number of processors, of each node if there are several.
    pub threads: u32,
    /// Number of nodes: processes that search together, or those that an engine from outside is told to use.
    pub cluster_nodes: u32,
    /// Board.
    pub board: BoardChoice,
    /// Sliding method, for boards that have several.
    pub sliders: SlidersChoice,
    /// Features.
    pub features: Recipe,
    /// Rule for the depth.
    pub depth: Depth,
    /// Horizon, for strategies that have one.
    pub horizon: Horizon,
    /// Limit of nodes.
    pub nodes: Option<u64>,
    /// Limit of time.
    pub time: Option<Seconds>,
    /// Size of the table in MiB, if it is not that of the preset.
    pub hash: Option<u32>,
    /// How workers share the table, and what nodes exchange.
    pub scheme: TableSharing,
    /// How processors wait.
    pub waiting: Waiting,
    /// Form of copies of positions, if it is not the strategy's own.
    pub copy: Option<CopyForm>,
    /// Who copies positions, if it is not as the strategy says.
    pub copier: Option<Copier>,
    /// How moves are taken back, if it is not as the features say.
    pub make: Option<TakingBack>,
    /// Where real threads run.
    pub pin: Pin,
    /// Busy threads beside a real search.
    pub disturb: Disturb,
    /// Cost model of the virtual machine, if it is not that of the preset.
    pub costs: Option<CostModel>,
    /// Micro-measurement, if it is no search.
    pub micro: Option<&'static str>,
    /// Whether table entries are stamped.
    pub audit: bool,
    /// Whether nodes that are searched twice are counted.
    pub losses: bool,
}

impl Default for Choice {
    fn default() -> Self {
        let preset = Preset::default();
        Self {
            machine: MachineKind::Real,
            strategy: SearchedBy::Ours(AnyStrategy::default()),
            threads: 1,
            cluster_nodes: 1,
            board: BoardChoice::Bitboards(SlidersChoice::default()),
            sliders: SlidersChoice::default(),
            features: Recipe { preset, features: preset.features() },
            depth: Depth::Plies(DEFAULT_DEPTH),
            horizon: Horizon::default(),
            nodes: None,
            time: None,
            hash: None,
            scheme: TableSharing::default(),
            waiting: Waiting::default(),
            copy: None,
            copier: None,
            make: None,
            pin: Pin::None,
            disturb: Disturb::default(),
            costs: None,
            micro: None,
            audit: false,
            losses: false,
        }
    }
}

impl Choice {
    /// Reads the words of a configuration of our engine.
    ///
    /// # Errors
    /// If it names something that does not exist.
    pub fn of(configuration: &Configuration, conditions: &Conditions) -> Result<Self, MeasureError> {
        let Configuration { machine, threads, depth, nodes, time_s, audit, losses, .. } = *configuration;
        let board = BoardChoice::from_names(&configuration.board, configuration.sliders.as_deref());
        let board = board.map_err(wrong(BOARD.name))?;
        let is_real = machine == MachineKind::Real;
        let micro = configuration.micro.as_deref().map(micro::named).transpose();
        Ok(Self {
            machine,
            strategy: SearchedBy::Ours(read(&STRATEGY, &configuration.strategy)?),
            threads: threads / configuration.node_count(),
            cluster_nodes: configuration.node_count(),
            board,
            sliders: board.sliders().unwrap_or_default(),
            features: read(&FEATURES, &configuration.features)?,
            depth,
            horizon: given(&HORIZON, &configuration.horizon)?.unwrap_or(Horizon::Closed),
            nodes,
            time: time_s,
            hash: Some(configuration.hash_mib),
            scheme: read(&SCHEME, &configuration.scheme)?,
            waiting: given(&WAITING, &configuration.waiting)?.unwrap_or_default(),
            copy: given(&COPY, &configuration.copy)?,
            copier: given(&COPIER, &configuration.copier)?,
            make: given(&MAKE, &configuration.make)?,
            pin: if is_real { pin(configuration)? } else { Pin::None },
            disturb: if is_real { read(&DISTURB, configuration.disturb.as_str())? } else { Disturb::default() },
            costs: if is_real { None } else { Some(model(configuration, conditions)?) },
            micro: micro.map_err(wrong(MICRO.name))?,
            audit,
            losses,
        })
    }

    /// The words of all axes, whether or not they have a meaning for this search.
    pub fn words(&self) -> Configuration {
        Configuration {
            machine: self.machine,
            strategy: self.strategy.to_string().into(),
            threads: self.processors(),
            cluster_nodes: Some(self.cluster_nodes),
            board: self.board.name().to_owned(),
            sliders: Some(self.sliders.name().to_owned()),
            features: self.features.to_string().into(),
            depth: self.depth,
            horizon: Some(self.horizon.name().to_owned()),
            nodes: self.nodes,
            time_s: self.time,
            hash_mib: self.hash.unwrap_or(self.features.preset.table_mib()),
            scheme: self.scheme.to_string(),
            waiting: Some(self.waiting.name().to_owned()),
            copy: self.copy.as_ref().map(ToString::to_string),
            copier: self.copier.map(|copier| copier.name().to_owned()),
            make: self.make.map(|make| make.name().to_owned()),
            pin: Some(self.pin.to_string()),
            disturb: self.disturb.to_string().into(),
            costs: self.costs.as_ref().map(defined),
            micro: self.micro.map(str::to_owned),
            audit: self.audit,
            losses: self.losses,
            engine: self.strategy.engine().map(|engine| Defined::new(engine.name.as_str(), engine.hash())),
        }
    }

    /// The configuration with the values that have a meaning for this search.
    pub fn as_asked(&self) -> Configuration {
        let mut asked = self.words();
        let (is_ours, is_real) = (self.strategy.ours().is_some(), self.machine == MachineKind::Real);
        let meanings: [(bool, &[Axis]); 7] = [
            (self.takes_nodes() || self.is_on_processes(), &[CLUSTER_NODES]),
            (is_ours, &[BOARD, FEATURES, SCHEME, MAKE, AUDIT, LOSSES]),
            (is_ours && self.board.sliders().is_some(), &[SLIDERS]),
            (is_ours && !self.is_alone(), &[WAITING]),
            (self.has_horizon(), &[HORIZON]),
            (!self.is_alone() && self.copying().is_some(), &[COPY, COPIER]),
            (is_real, &[PIN, DISTURB]),
        ];
        let meaningless = meanings.into_iter().filter(|(has_meaning, _)| !has_meaning);
        meaningless.flat_map(|(_, axes)| axes).for_each(|axis| (axis.clear)(&mut asked));
        // One node exchanges nothing.
        if is_ours && !self.has_several_nodes() {
            asked.scheme = self.scheme.scheme.name().to_owned();
        }
        Configuration { costs: self.model().as_ref().map(defined), ..asked }
    }

    /// The configuration of a plan: whatever shares a search among one processor is the same.
    pub fn configuration(&self) -> Configuration {
        match self.micro {
            Some(micro) => micro::configuration(micro),
            None if self.is_alone() => self.as_asked().baseline(),
            None => self.as_asked(),
        }
    }

    /// The configuration with all that its axes say of copies and of taking moves back in the words of its strategy and
    /// its features: choices that are alike in it ask for the same search.
    pub fn in_own_words(&self) -> Configuration {
        let mut features = self.features;
        features.features.copy_make = self.makes_by_copy();
        let strategy = self.strategy_with_copies().map_or_else(|| self.strategy.clone(), SearchedBy::Ours);
        Self { strategy, features, copy: None, copier: None, make: None, ..self.clone() }.configuration()
    }

    /// Whether moves are made on a copy of the board, and not taken back.
    fn makes_by_copy(&self) -> bool {
        self.make.map_or(self.features.features.copy_make, |make| make == TakingBack::Copy)
    }

    /// The search that our engine is asked for: to this depth, if it is limited, within the limits of all cells.
    ///
    /// # Errors
    /// If an engine from outside is to search.
    pub fn setup(&self, depth: Option<u32>, seed: u64, conditions: &Conditions) -> Result<Setup, MeasureError> {
        let nanoseconds = |seconds: Option<f64>| seconds.map_or(u64::MAX, |seconds| (seconds * 1e9).round() as u64);
        let mut features = self.features.features;
        features.copy_make = self.makes_by_copy();
        let settings = SearchSettings {
            features,
            limits: Limits {
                nodes: self.nodes.into_iter().chain(conditions.limit_nodes).min().unwrap_or(u64::MAX),
                nanoseconds: nanoseconds(self.time.map(f64::from)).min(nanoseconds(conditions.limit_s)),
                horizon: self.horizon,
                ..Limits::depth(depth.unwrap_or(DEEPEST))
            },
            seed,
        };
        let hash_mib = self.hash.unwrap_or(self.features.preset.table_mib());
        let table = settings.table(self.scheme.scheme, u64::from(hash_mib) << 20);
        let strategy = self.strategy_with_copies();
        Ok(Setup {
            board: self.board_with_sliders(),
            strategy: strategy.ok_or_else(|| wrong(STRATEGY.name)("an engine from outside is not set up by ours"))?,
            settings,
            table: TableOptions { audit: self.audit, exchange: self.scheme.exchange, ..table },
            on: self.on()?,
            processors: self.processors() as usize,
            waiting: self.waiting,
            counts_losses: self.losses,
        })
    }

    /// Machine of a search by our engine.
    fn on(&self) -> Result<On, MeasureError> {
        if let Some(model) = self.model() {
            return Ok(On::Virtual(Box::new(model)));
        }
        ranks::on(self.pin.clone(), self.cluster_nodes as usize).map_err(wrong(CLUSTER_NODES.name))
    }

    /// Number of processors of all nodes.
    pub fn processors(&self) -> u32 {
        self.threads.saturating_mul(self.cluster_nodes)
    }

    /// Whether our engine searches on several nodes.
    fn has_several_nodes(&self) -> bool {
        self.is_on_processes() || self.model().is_some_and(|model| model.nodes(self.threads as usize) > 1)
    }

    /// Whether several processes of our engine search together.
    fn is_on_processes(&self) -> bool {
        self.strategy.ours().is_some() && self.cluster_nodes > 1
    }

    /// Whether an engine from outside searches that can be spread over nodes.
    fn takes_nodes(&self) -> bool {
        self.strategy.engine().is_some_and(|engine| engine.takes(Placeholder::Nodes))
    }

    /// Reason why this cannot be searched on so many nodes, if there is one.
    pub fn misspread(&self) -> Option<String> {
        let (nodes, strategy, processors) = (self.cluster_nodes, &self.strategy, self.processors());
        let ours = strategy.ours();
        match () {
            () if nodes == 1 => None,
            () if ours.is_some() && self.machine == MachineKind::Virtual => Some(format!(
                "nodes of a virtual machine are of a size that its cost model says: write \
                 costs = \"reference,network=10gbe,processors_per_node={}\" in place of {} = {nodes}, and threads = \
                 {processors}",
                self.threads, CLUSTER_NODES.name
            )),
            () if ours.is_some_and(|ours| !ours.spans_nodes()) => {
                let error = NodesError::Strategy { strategy: strategy.to_string(), nodes: nodes as usize };
                Some(format!("{error}; give it a [[plan]] of its own"))
            }
            () if ours.is_none() && !self.takes_nodes() => Some(format!(
                "the engine '{strategy}' cannot be started on {nodes} nodes: write {{nodes}} in \
                 engines.{strategy}.command where their number belongs, as in \"mpirun -n {{nodes}} PROGRAM\""
            )),
            () if processors > MOST_THREADS => Some(format!(
                "{nodes} nodes of {} threads are {processors} processors, more than {MOST_THREADS}",
                self.threads
            )),
            () => None,
        }
    }

    /// Whether one processor searches alone.
    fn is_alone(&self) -> bool {
        self.processors() == 1 || self.strategy.ours().is_some_and(|strategy| strategy.name() == SEQUENTIAL)
    }

    /// Way in which helpers of our engine get positions, if they do.
    fn copying(&self) -> Option<Copying> {
        self.strategy.ours().and_then(AnyStrategy::copying)
    }

    /// Whether the depth asked for may change what workers search before it is reached.
    fn has_horizon(&self) -> bool {
        self.strategy.ours().is_some_and(AnyStrategy::has_horizon) && !self.is_alone() && self.depth != Depth::Unlimited
    }

    /// The strategy of our engine, with what the axes say about copies.
    fn strategy_with_copies(&self) -> Option<AnyStrategy> {
        let mut strategy = *self.strategy.ours()?;
        if let Some(own) = strategy.copying() {
            let (form, copier) = (self.copy.unwrap_or(own.form), self.copier.unwrap_or(own.copier));
            strategy.set_copying(&Copying { form, copier });
        }
        Some(strategy)
    }

    /// The board, with its sliding method if it has several.
    pub fn board_with_sliders(&self) -> BoardChoice {
        if self.board.sliders().is_some() { BoardChoice::Bitboards(self.sliders) } else { self.board }
    }

    /// Cost model of the virtual machine: that of the axis, or of the preset.
    pub fn model(&self) -> Option<CostModel> {
        let of_preset = || usual_costs(self.features.preset);
        (self.machine == MachineKind::Virtual).then(|| self.costs.clone().unwrap_or_else(of_preset))
    }

    /// Name of an axis whose value the text of the strategy or the features sets too, which is an error.
    pub fn said_twice(&self) -> Option<String> {
        let (own, usual) = (self.copying().unwrap_or_default(), Copying::default());
        let copy_axes = [
            self.copy.filter(|_| own.form != usual.form).map(|_| COPY.name),
            self.copier.filter(|_| own.copier != usual.copier).map(|_| COPIER.name),
        ];
        let copy_axis = copy_axes.into_iter().flatten().next();
        let make_axis = self.make.map(|_| MAKE.name).filter(|_| self.features.features.copy_make);
        let message = |axis, text: String| format!("axis '{axis}' and '{text}' both say how positions are copied");
        copy_axis
            .map(|axis| message(axis, self.strategy.to_string()))
            .or_else(|| make_axis.map(|axis| message(axis, self.features.to_string())))
    }
}

/// Checks that as many processes of ours have been started as these cells search on.
pub fn check_processes<'a>(cells: impl IntoIterator<Item = &'a Cell>) -> Result<(), MeasureError> {
    let ours = cells.into_iter().map(|cell| &cell.configuration).filter(|one| !one.is_outside());
    let most = ours.map(|one| one.node_count()).max().unwrap_or(1);
    ranks::on(Pin::None, most as usize).map(|_| ()).map_err(wrong(CLUSTER_NODES.name))
}

/// Value of an axis, if the configuration has one.
fn given<T>(axis: &Axis, text: &Option<String>) -> Result<Option<T>, MeasureError>
where
    T: std::str::FromStr<Err: std::fmt::Display>,
{
    text.as_deref().map(|text| read(axis, text)).transpose()
}

/// Place of the threads of a configuration on a real machine.
pub fn pin(configuration: &Configuration) -> Result<Pin, MeasureError> {
    read(&PIN, configuration.pin.as_deref().unwrap_or("none"))
}

/// A cost model as records name it.
pub fn defined(model: &CostModel) -> Defined {
    Defined::new(model.name.as_str(), model.hash())
}

/// The cost model of a configuration; the reference model if it names none.
fn model(configuration: &Configuration, conditions: &Conditions) -> Result<CostModel, MeasureError> {
    let Defined { name, hash } = configuration.costs.clone().unwrap_or_else(|| CostModel::NAMES[0].into());
    let model = conditions.models.get(name.as_str()).cloned().map_or_else(|| read(&COSTS, &name), Ok)?;
    if !hash.is_empty() && hash != model.hash() {
        let message = format!("the model '{name}' has the hash {}, not {hash}", model.hash());
        return Err(wrong(COSTS_HASH.name)(message));
    }
    Ok(model)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::experiment::shipped::{CHARTS, EXPERIMENTS};
    use super::super::{Experiment, Plan};
    use super::*;

    #[test]
    fn a_configuration_has_the_words_of_what_it_is_read_as() {
        for shipped in EXPERIMENTS {
            let experiment = Experiment::parse(Path::new("x.toml"), shipped.text, &[], &CHARTS).unwrap();
            let plan = Plan::of(&experiment, "").unwrap();
            let conditions = Conditions { models: plan.models, ..Conditions::default() };
            let all = plan.cells.iter().map(|cell| &cell.configuration);
            let mut ours: Vec<_> = all.filter(|one| !one.is_outside() && one.micro.is_none()).collect();
            ours.dedup();
            for one in ours {
                assert_eq!(Choice::of(one, &conditions).unwrap().configuration(), **one, "{}", shipped.name);
            }
        }
    }

    #[test]
    fn axes_say_how_positions_are_copied_and_moves_are_taken_back() {
        let (form, copier): (CopyForm, Copier) = ("trimmed".parse().unwrap(), "both-locked".parse().unwrap());
        let by_two = Choice { strategy: SearchedBy::Ours("ybwc".parse().unwrap()), threads: 2, ..Choice::default() };
        let asked = Choice { copy: Some(form), copier: Some(copier), make: Some(TakingBack::Copy), ..by_two.clone() };
        let setup = |choice: &Choice| choice.setup(None, 0, &Conditions::default()).unwrap();
        let copying = setup(&asked).strategy.copying().unwrap();
        assert_eq!((copying.form, copying.copier), (form, copier));
        assert_eq!(setup(&by_two).strategy, "ybwc".parse().unwrap());
        let copies = |choice: &Choice| setup(choice).settings.features.copy_make;
        assert_eq!((copies(&by_two), copies(&asked)), (false, true));
    }
}
