//! Engines from outside in the laboratory: from a cell to the figures that such an engine tells. What it cannot tell,
//! such as the order of its moves, hits of its table or what its threads do, is missing.
//!
//! An engine has no seeds. The seed of a cell stands for a [`View`] of its position instead, in which the same moves
//! are looked at in another order.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::choice::pin;
use super::conditions::Conditions;
use super::measure_error::{MeasureError, read, wrong};
use super::measurement::{Finding, OnPurpose, on_cores, surroundings};
use super::plan::Plan;
use crate::chess::mailbox::Mailbox;
use crate::chess::{Board, Keys, MoveList, Score, Setup, View};
use crate::machine::disturb::Disturb;
use crate::machine::guard::{Disturbance, SystemChange, SystemWatch};
use crate::machine::host::{CpuList, Topology};
use crate::machine::{Place, RealMachine};
use crate::outside::{Definition, Engine, EngineError, Found, Info, Processors, Request};
use crate::record::axes::{DISTURB, MACHINE, PIN};
use crate::record::{Cell, CellResult, Configuration, DepthAnswer, MachineKind, Measured, Word};

/// Time that an engine gets beyond a limit on time before it is told to stop.
const GRACE: Duration = Duration::from_secs(1);
/// Share of the processor time of all its threads that an engine of several threads may leave unused and still be taken
/// to have wanted it all.
const UNUSED_SHARE: f64 = 0.01;

/// Checks that the engines of a plan can be started with all their numbers of nodes and threads, so that a user is told
/// before anything is searched.
///
/// # Errors
/// If one cannot.
pub(crate) fn check(plan: &Plan) -> Result<(), MeasureError> {
    let engines = Engines::new(plan.engines.clone());
    let mut checked = BTreeSet::new();
    for cell in plan.cells.iter().filter(|cell| cell.configuration.is_outside()) {
        let Configuration { threads, cluster_nodes, .. } = *cell.configuration;
        if checked.insert((cell.configuration.engine_name(), threads, cluster_nodes)) {
            engines.check(cell)?;
        }
    }
    Ok(())
}

/// Engines that cells name, of which the one that was used last is running.
pub(super) struct Engines {
    definitions: BTreeMap<String, Arc<Definition>>,
    running: Mutex<Option<(Wanted, Engine)>>,
}

/// Name, numbers of nodes and threads, table and CPUs of an engine: one that is running serves every search that wants
/// the same.
#[derive(Clone, PartialEq, Eq)]
struct Wanted {
    name: String,
    processors: Processors,
    /// Number of its threads on this computer.
    here: u32,
    hash_mib: u32,
    cpus: CpuList,
}

impl Engines {
    pub fn new(definitions: BTreeMap<String, Arc<Definition>>) -> Self {
        Self { definitions, running: Mutex::default() }
    }

    /// Checks that the engine of a cell can be started.
    pub fn check(&self, cell: &Cell) -> Result<(), MeasureError> {
        setup(cell)?;
        let wanted = Wanted::by(&cell.configuration, &self.definitions)?;
        let named = |error| MeasureError::Engine { name: wanted.name.clone(), error: Box::new(error) };
        self.with(&wanted, |_| Ok(())).map_err(named)
    }

    /// Measures a cell.
    pub fn measure(&self, cell: &Cell, conditions: &Conditions) -> Finding {
        let asked = Asked::of(cell, conditions).map_err(|error| error.to_string())?;
        let mut told = Told::default();
        let searched = self.with(&asked.wanted, |engine| asked.search(engine, &mut told));
        let Searched { found, program, system, is_cut } = searched.map_err(|error| error.to_string())?;
        let mut measured = Measured { program: Some(program.into()), ..told.measured(cell, &found, asked.view) };
        if let Some(limit_s) = conditions.limit_s.filter(|_| is_cut) {
            // The whole search would have taken longer than this.
            measured.time_ns = measured.time_ns.min((limit_s * 1e9).round() as u64);
        }
        measured.solved = conditions.is_solved(cell, measured.bestmove.as_ref());
        let around = surroundings(&disturbances(&found, asked.wanted.here), &system, asked.on_purpose);
        let around = on_cores(around, &asked.places, Topology::of_system());
        let result = if is_cut { CellResult::Cut(measured) } else { CellResult::Done(measured) };
        Ok((result, Some(around)))
    }

    /// Uses an engine, which is started if it is not the one that runs. One that has failed is ended.
    fn with<T>(
        &self,
        wanted: &Wanted,
        work: impl FnOnce(&mut Engine) -> Result<T, EngineError>,
    ) -> Result<T, EngineError> {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        let known = running.take().filter(|(known, _)| known == wanted);
        let mut engine = match known {
            Some((_, engine)) => engine,
            None => {
                let (command, message) = (wanted.name.clone(), "is not defined".to_owned());
                let unknown = || EngineError { command, message, ..EngineError::default() };
                let definition = self.definitions.get(&wanted.name).ok_or_else(unknown)?;
                Engine::start(definition, wanted.processors, wanted.hash_mib, &wanted.cpus)?
            }
        };
        let done = work(&mut engine)?;
        *running = Some((wanted.clone(), engine));
        Ok(done)
    }
}

/// A cell as an engine is asked to search it.
struct Asked<'a> {
    cell: &'a Cell,
    conditions: &'a Conditions,
    wanted: Wanted,
    places: Vec<Place>,
    view: View,
    /// Position in that view.
    position: Setup,
    disturb: Disturb,
    on_purpose: OnPurpose,
}

/// Finished search by an engine from outside.
struct Searched {
    found: Found,
    /// Name that the engine gives itself.
    program: String,
    system: SystemChange,
    /// Whether a limit of the conditions cut the search off.
    is_cut: bool,
}

impl<'a> Asked<'a> {
    fn of(cell: &'a Cell, conditions: &'a Conditions) -> Result<Self, MeasureError> {
        let setup = setup(cell)?;
        let view = View::of_number(cell.seed, &setup);
        let wanted = Wanted::by(&cell.configuration, &conditions.engines)?;
        let places: Vec<Place> =
            wanted.cpus.as_slice().iter().map(|cpu| Place { cpu: Some(*cpu), is_pinned: true }).collect();
        let disturb: Disturb = read(&DISTURB, cell.configuration.disturb.as_str())?;
        let on_purpose = OnPurpose {
            fill: conditions.fill.and_then(|filling| filling.beside(&places)),
            is_disturbed: disturb.is_any(),
            is_oversubscribed: wanted.here as usize > RealMachine::room(),
        };
        Ok(Self { cell, conditions, wanted, places, view, position: view.of(&setup), disturb, on_purpose })
    }

    /// Searches, beside what is to disturb the search, and checks what the engine says.
    fn search(&self, engine: &mut Engine, told: &mut Told) -> Result<Searched, EngineError> {
        let Self { cell, conditions, .. } = *self;
        let stop_after = [
            cell.configuration.time_s.map(|seconds| Duration::from_secs_f64(seconds.into()) + GRACE),
            conditions.limit_s.map(Duration::from_secs_f64),
        ];
        let request = Request {
            position: &format!("fen {}", self.position),
            limits: &limits(cell, conditions.limit_nodes),
            depth: cell.depth,
            stop_after: stop_after.into_iter().flatten().min(),
            nodes: node_limit(cell, conditions.limit_nodes),
        };
        engine.forget()?;
        // Both end with the search.
        let fill = self.on_purpose.fill.map(|fill| fill.start(&self.places)).transpose();
        let _fill = fill.map_err(|error| engine.failed(error.to_string()))?;
        let pin = pin(&cell.configuration).map_err(|error| engine.failed(error.to_string()))?;
        let _disturb = self.disturb.start(&pin).map_err(|error| engine.failed(error.to_string()))?;
        let watch = SystemWatch::start();
        let found = engine.search(&request, |at, info| told.note(at, info))?;
        let system = watch.stop(found.cpu_ns.unwrap_or_default());
        let is_cut = self.is_cut(&found, told).map_err(|fault| engine.failed(fault))?;
        Ok(Searched { found, program: engine.title().to_owned(), system, is_cut })
    }

    /// Whether a limit of the conditions cut off a search; an error if the engine plays no legal move, or ended before
    /// it had done as it was asked.
    fn is_cut(&self, found: &Found, told: &Told) -> Result<bool, String> {
        let Self { cell, conditions, position, .. } = self;
        let legal = legal_moves(position);
        if !legal.is_empty() && !legal.contains(&found.best) {
            return Err(format!("plays '{}', which is not a legal move of {position}", found.best));
        }
        let asked = cell.depth.filter(|_| !cell.configuration.is_limited()).unwrap_or_default();
        // A mate or an only move may be played as soon as it is found.
        let may_end_early = legal.len() <= 1 || told.score.mate_moves().is_some();
        if told.depth() >= asked || may_end_early {
            return Ok(false);
        }
        if found.was_stopped || conditions.limit_nodes.is_some() {
            return Ok(true);
        }
        let told = match told.depth() {
            0 => "none".to_owned(),
            deepest => format!("only up to depth {deepest}"),
        };
        Err(format!("ended by itself without an answer of depth {asked}; it told {told}"))
    }
}

impl Wanted {
    /// The engine that a configuration names, on the processors that it pins; an error if it is for a virtual machine.
    fn by(
        configuration: &Configuration,
        definitions: &BTreeMap<String, Arc<Definition>>,
    ) -> Result<Self, MeasureError> {
        if configuration.machine == MachineKind::Virtual {
            return Err(wrong(MACHINE.name)("an engine from outside runs on the machine 'real' only"));
        }
        let name = configuration.engine_name().unwrap_or_default().to_owned();
        let processors = Processors { nodes: configuration.node_count(), threads: configuration.threads_of_node() };
        let here = definitions.get(&name).map_or(processors.count(), |definition| definition.here(processors));
        let topology = Topology::of_system();
        let cpus = pin(configuration)?.cpus(here as usize, topology).map_err(wrong(PIN.name))?;
        Ok(Self { name, processors, here, hash_mib: configuration.hash_mib, cpus })
    }
}

fn setup(cell: &Cell) -> Result<Setup, MeasureError> {
    cell.fen.parse().map_err(wrong("fen"))
}

/// Limits of a search, as the command `go` takes them.
fn limits(cell: &Cell, limit_nodes: Option<u64>) -> String {
    let Configuration { time_s, .. } = *cell.configuration;
    let limits = [
        cell.depth.map(|depth| format!("depth {depth}")),
        node_limit(cell, limit_nodes).map(|nodes| format!("nodes {nodes}")),
        time_s.map(|seconds| format!("movetime {}", (f64::from(seconds) * 1e3).round())),
    ];
    limits.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

fn node_limit(cell: &Cell, limit_nodes: Option<u64>) -> Option<u64> {
    cell.configuration.nodes.into_iter().chain(limit_nodes).min()
}

/// Legal moves of a position, as an engine says them.
fn legal_moves(setup: &Setup) -> Vec<String> {
    let Ok(board) = Mailbox::set_up(setup, Keys::of_seed(0)) else { return Vec::new() };
    let mut list = MoveList::new();
    board.legal_moves(&mut list);
    list.iter().map(ToString::to_string).collect()
}

/// Answers, score and counts that an engine from outside has told during a search.
#[derive(Default)]
struct Told {
    /// The last answer of each depth, each deeper than those before.
    answers: Vec<DepthAnswer>,
    score: Score,
    nodes: u64,
    deepest: u64,
}

impl Told {
    fn note(&mut self, at: Duration, info: &Info) {
        self.nodes = self.nodes.max(info.nodes.unwrap_or_default());
        self.deepest = self.deepest.max(info.deepest.unwrap_or_default());
        let (Some(depth), Some(score), true) = (info.depth, info.score, info.is_answer()) else { return };
        if depth < self.depth() {
            return;
        }
        // Some engines tell a new best move before an iteration is completed: the last one counts.
        if depth == self.depth() {
            self.answers.pop();
        }
        self.score = score;
        self.answers.push(DepthAnswer {
            depth,
            time_ns: at.as_nanos() as u64,
            bestmove: info.first_move.as_ref().map(Word::from),
            score_raw: score.0,
            nodes: self.nodes,
            leaves: 0,
        });
    }

    /// Depth of the last answer.
    fn depth(&self) -> u32 {
        self.answers.last().map_or(0, |answer| answer.depth)
    }

    fn measured(mut self, cell: &Cell, found: &Found, view: View) -> Measured {
        let depth = self.depth();
        let elapsed_ns = found.elapsed.as_nanos() as u64;
        // The last iteration was completed when the move came, unless something else ended it.
        if cell.depth.is_some_and(|asked| depth >= asked)
            && let Some(last) = self.answers.last_mut()
        {
            last.time_ns = elapsed_ns;
        }
        for answer in &mut self.answers {
            answer.bestmove = answer.bestmove.as_deref().map(|mv| view.mv(mv).into());
        }
        Measured {
            bestmove: Some(view.mv(&found.best).into()),
            score_raw: self.score.0,
            mate: self.score.mate_moves(),
            depth,
            seldepth: self.deepest,
            time_ns: elapsed_ns,
            elapsed_ns,
            answers: self.answers,
            nodes: self.nodes,
            ..Measured::default()
        }
    }
}

/// Account of the processor time that an engine wanted. A single thread wants its processor all the time, and so do
/// several that have used nearly all there was. Others may have waited for one another: of those the queue tells.
fn disturbances(found: &Found, threads: u32) -> Vec<Disturbance> {
    let wall_ns = found.elapsed.as_nanos() as u64 * u64::from(threads);
    let Some(cpu_ns) = found.cpu_ns else { return Vec::new() };
    let is_busy = threads == 1 || cpu_ns as f64 >= (1.0 - UNUSED_SHARE) * wall_ns as f64;
    let account = Disturbance { wall_ns, cpu_ns: Some(cpu_ns), ..Disturbance::default() };
    match (is_busy, found.queued_ns) {
        (true, _) => vec![Disturbance { voluntary_switches: Some(0), ..account }],
        (false, Some(queued_ns)) => {
            vec![Disturbance { queued_ns: Some(queued_ns), voluntary_switches: Some(1), ..account }]
        }
        (false, None) => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Quietness;

    /// Two threads that worked for 1.2 of 2 seconds, and waited for one another or for a processor.
    #[test]
    fn of_threads_that_wait_the_queue_tells_what_was_taken() {
        let found = |queued_ns| Found {
            best: "e2e4".to_owned(),
            elapsed: Duration::from_secs(1),
            cpu_ns: Some(1_200_000_000),
            queued_ns,
            was_stopped: false,
        };
        let state = |queued_ns| {
            let nothing = OnPurpose { fill: None, is_disturbed: false, is_oversubscribed: false };
            surroundings(&disturbances(&found(queued_ns), 2), &SystemChange::default(), nothing).state
        };
        assert_eq!(state(Some(1_000_000)), Quietness::Quiet);
        assert_eq!(state(Some(300_000_000)), Quietness::Disturbed);
        assert_eq!(state(None), Quietness::Unknown);
    }
}
