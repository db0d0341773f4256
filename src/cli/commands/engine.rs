//! `splitpoint engine`: the scaling of an engine from outside, by the experiment `my-engine` with a depth that suits
//! it.

use std::io::stdout;
use std::path::{Path, PathBuf, absolute};
use std::time::Duration;

use clap::Args;
use toml::{Table, Value};

use super::error::CliError;
use super::output::{self, tell};
use super::run::{Destination, foretell, measure, order, perform};
use super::source::shipped_experiment;
use super::values;
use crate::distinct::distinct;
use crate::lab::{Experiment, Plan, duration, shipped};
use crate::machine::host::CpuList;
use crate::outside::{Definition, Engine, Obedience, Placeholder, Processors, Reach, Setting};
use crate::report::charts;
use crate::report::compare::{self, Version};

/// Name of the experiment.
const EXPERIMENT: &str = "my-engine";
/// Place of our strategies among its products of axes.
const OURS: usize = 1;
/// File by which a run folder repeats its experiment.
const KEPT: &str = "experiment.toml";
/// Numbers of threads, if none are given: of an engine on one node, and of each node.
const THREADS: [&str; 2] = ["1..=cores*2", "cores"];
const THREADS_OF_NODES: [&str; 1] = ["1"];
/// Mark at the name of the old version where both have the same.
const BEFORE: &str = " (before)";
/// Number of positions that the pilot searches.
const PILOT_POSITIONS: usize = 3;
/// Depth below which there is little to share among threads.
const SHALLOW: u32 = 6;
/// Largest multiple of the time of the pilot that a search may take: with more, a run takes longer than its help
/// promises.
const MOST_TIMES: u32 = 3;

/// Say whether the parallel search of an engine is healthy, and what is wrong if it is not: its time to depth with 1 to
/// all threads of this computer
#[derive(Args)]
#[command(
    visible_alias = "doctor",
    after_help = "\
Examples:
  splitpoint doctor /path/to/engine
  splitpoint engine /path/to/engine --threads 1,2 --positions 5 --dry-run
  splitpoint engine /path/to/engine --option Ponder=false --reference stockfish
  splitpoint engine \"target/release/splitpoint uci\" --out /tmp/ours
  splitpoint doctor \"mpirun -n {nodes} stockfish\" --nodes 1,2
  splitpoint doctor ./new --against ./old --threads 1,2 --depth 12 --out /tmp/versions

A pilot chooses the depth: the one that a single thread reaches in about a second. An engine that does not end at the \
depth it is told, or takes three times as long, is refused before anything is measured. Then the experiment my-engine \
is run with this engine alone. --against measures the version before to the same depth, in one order that mixes both, \
or takes the folder of an earlier doctor, whose times are then those of another moment. It judges by nodes to the same \
depth, by nodes relative to one thread, and by time where nothing disturbed it, and ends with status 0 if no loss is \
shown and 3 if one is. The folder is a run folder like others: report, compare and run --resume take it."
)]
pub struct EngineArgs {
    /// Program that speaks UCI, with its arguments: a path, or a name that is found on the PATH or in /usr/games
    #[arg(value_name = "PATH")]
    program: String,

    /// Numbers of threads, of each node if there are several: a range such as 1..=8 or 1..=cores*2 (doubling), or a
    /// list [default: 1..=cores*2,cores; with --nodes 1]
    #[arg(long, value_name = "N", value_delimiter = ',')]
    threads: Vec<String>,

    /// Numbers of nodes, for an engine that is spread over several: {nodes} in its command stands for the number, and
    /// {threads} for that of threads
    #[arg(long, value_name = "N", value_delimiter = ',')]
    nodes: Vec<String>,

    /// Depth of its searches, instead of that which the pilot would choose
    #[arg(long, value_name = "N", value_parser = values::whole::<u32>(1..=u64::MAX))]
    depth: Option<u32>,

    /// Time in which a single thread shall reach the depth that the pilot chooses
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = duration::parse)]
    time: Duration,

    /// Number of positions [default: 20]
    #[arg(long, value_name = "N", value_parser = values::whole::<usize>(1..=u64::MAX))]
    positions: Option<usize>,

    /// Option of the engine that is set; may be given several times
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = setting)]
    options: Vec<Setting>,

    /// Engine to measure beside it, each to the depth that its own pilot chooses
    #[arg(long, value_name = "NAME")]
    reference: Vec<String>,

    /// Measure our strategies ybwc and lazy beside it
    #[arg(long)]
    beside_ours: bool,

    #[command(flatten)]
    to: Destination,

    /// Version before: a program, or the folder of an earlier doctor. Prints what the new one has lost, and ends with
    /// status 3 if it has lost anything
    #[arg(long, value_name = "OLD", conflicts_with_all = ["reference", "beside_ours", "dry_run"])]
    against: Option<String>,

    /// Print the plan, the estimated time and the expected intervals, without running it
    #[arg(long)]
    dry_run: bool,
}

/// An engine with the name that it gives itself, and the depth of its searches.
struct Contender {
    definition: Definition,
    depth: u32,
}

impl EngineArgs {
    pub fn run(&self) -> Result<(), CliError> {
        if let Some(old) = &self.against {
            return self.compare_with(old);
        }
        let kept = self.to.out.as_ref().map(|out| out.join(KEPT)).filter(|kept| self.to.resume && kept.exists());
        let begun = kept.map(|kept| Ok((self.begun(&kept, &[&self.program])?, String::new())));
        let (experiment, stem) = begun.unwrap_or_else(|| self.alone(self.depth))?;
        let out = self.to.folder(&stem);
        let order = order(&experiment, &out, self.to.resume);
        if self.dry_run { foretell(&order, true) } else { perform(&order) }
    }

    /// Measures the new version beside the old one, or after it where that is a folder, and says what it has lost.
    fn compare_with(&self, old: &str) -> Result<(), CliError> {
        let out = self.to.folder("engine-against");
        let is_measured = Path::new(old).join(KEPT).is_file();
        let (before, now) = if is_measured { self.measure_after(old, &out)? } else { self.measure_beside(old, out)? };
        let compared = compare::versions(&before, &now)?;
        let mut terminal = stdout().lock();
        output::table(&mut terminal, &compared.versions())?;
        if is_measured {
            let text = "The old version was measured at another moment, so that a difference in time can be one of the \
                        computer: --against with the program measures both in one mixed order.";
            output::paragraph(&mut terminal, "", text)?;
        }
        if let Some(unjudged) = compared.unjudged() {
            output::paragraph(&mut terminal, "", unjudged)?;
        }
        match compared.losses() {
            losses if losses.is_empty() => Ok(()),
            losses => Err(CliError::Loss(losses.join(" "))),
        }
    }

    /// Both versions measured in one run, whose order mixes them, so that no drift of the computer falls on one alone.
    fn measure_beside(&self, old: &str, out: PathBuf) -> Result<(Version, Version), CliError> {
        let kept = Some(out.join(KEPT)).filter(|kept| self.to.resume && kept.exists());
        let experiment = match kept {
            Some(kept) => self.begun(&kept, &[&self.program, old])?,
            None => {
                let plan = Plan::of(&shipped_experiment(EXPERIMENT, &self.changes()?)?, "")?;
                let mut before = self.meet(old, &self.options, self.depth, &plan, &[])?;
                let now = self.meet(&self.program, &self.options, Some(before.depth), &plan, &[])?;
                if before.definition.name == now.definition.name {
                    before.definition.name.push_str(BEFORE);
                }
                let title = format!("{} against {}", now.definition.name, before.definition.name);
                self.experiment(&title, &[now, before])?
            }
        };
        measure(&order(&experiment, &out, self.to.resume))?.1?;
        let mut versions = engines(&experiment)?.into_iter().map(|engine| Version { folder: out.clone(), engine });
        let both = versions.next().zip(versions.next());
        let (now, before) =
            both.ok_or_else(|| CliError::BadInput(format!("{}: has no two versions", out.display())))?;
        Ok((before, now))
    }

    /// The version that a folder is about, and the new one measured to the same depth.
    fn measure_after(&self, old: &str, out: &Path) -> Result<(Version, Version), CliError> {
        let of_folder = |folder: PathBuf, experiment: &Experiment| {
            let engine = engines(experiment)?.into_iter().next();
            let none = || CliError::BadInput(format!("{}: is a run without an engine from outside", folder.display()));
            Ok::<_, CliError>(Version { engine: engine.ok_or_else(none)?, folder })
        };
        let earlier = read(&Path::new(old).join(KEPT))?;
        let before = of_folder(PathBuf::from(old), &earlier)?;
        let cells = Plan::of(&earlier, "")?.cells;
        let depth = cells.iter().find(|cell| cell.configuration.engine_name() == Some(before.engine.as_str()));
        let depth = depth.and_then(|cell| cell.depth);
        let kept = Some(out.join(KEPT)).filter(|kept| self.to.resume && kept.exists());
        let experiment = kept.map_or_else(|| Ok(self.alone(depth)?.0), |kept| self.begun(&kept, &[&self.program]))?;
        measure(&order(&experiment, out, self.to.resume))?.1?;
        let now = of_folder(out.to_owned(), &experiment)?;
        Ok((before, now))
    }

    /// The experiment that a folder repeats, which must be one on these engines.
    fn begun(&self, kept: &Path, programs: &[&str]) -> Result<Experiment, CliError> {
        let experiment = read(kept)?;
        let engines = Plan::of(&experiment, "")?.engines;
        for command in programs.iter().map(|program| command(program)) {
            if engines.values().all(|engine| engine.command != command) {
                let message = format!("{} is a run without the engine '{}'", kept.display(), command.join(" "));
                return Err(CliError::BadInput(message));
            }
        }
        Ok(experiment)
    }

    /// Numbers of threads. Nodes of one thread by default: with more of them there would soon be more threads than
    /// processors.
    fn threads(&self) -> impl Iterator<Item = &str> {
        let usual = if self.nodes.is_empty() { THREADS.as_slice() } else { &THREADS_OF_NODES };
        let given = self.threads.iter().map(String::as_str);
        given.chain(usual.iter().copied().filter(|_| self.threads.is_empty()))
    }

    /// Changes of the shipped experiment that are asked for: its threads and positions.
    fn changes(&self) -> Result<Vec<String>, CliError> {
        let mut changes = vec![format!("axes.threads={}", values_of_axis(self.threads()))];
        if let Some(wanted) = self.positions {
            let all = shipped_experiment(EXPERIMENT, &["positions.every=1"])?.description.positions.len();
            if wanted > all {
                return Err(CliError::BadInput(format!("--positions {wanted}: the suite has {all}")));
            }
            changes.push(format!("positions.every={}", (all / wanted).max(1)));
            changes.push(format!("positions.first={wanted}"));
            let why = format!("Positions of the suite at equal distances, as --positions {wanted} asks.");
            changes.push(format!("positions.why={}", Value::from(why)));
        }
        Ok(changes)
    }

    /// The experiment on the engine with its references, each with the depth that suits it, and the beginning of the
    /// name of its folder.
    fn alone(&self, depth: Option<u32>) -> Result<(Experiment, String), CliError> {
        let plan = Plan::of(&shipped_experiment(EXPERIMENT, &self.changes()?)?, "")?;
        let mut contenders = vec![self.meet(&self.program, &self.options, depth, &plan, &[])?];
        if !self.nodes.is_empty() && !contenders[0].definition.takes(Placeholder::Nodes) {
            let message =
                format!("'{}' has no {{nodes}}, which --nodes needs: mpirun -n {{nodes}} PROGRAM", self.program);
            return Err(CliError::BadInput(message));
        }
        for reference in &self.reference {
            contenders.push(self.meet(reference, &[], None, &plan, &contenders)?);
        }
        let name = contenders[0].definition.name.clone();
        let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
        let stem = ["engine"].into_iter().chain(words).collect::<Vec<_>>().join("-").to_lowercase();
        Ok((self.experiment(&format!("Scaling of {name}"), &contenders)?, stem))
    }

    /// The experiment on these engines, each with its depth.
    fn experiment(&self, title: &str, contenders: &[Contender]) -> Result<Experiment, CliError> {
        let mut changes = self.changes()?;
        changes.push(format!("title={}", Value::from(title)));
        let engines: Table = contenders.iter().map(|one| (one.definition.name.clone(), engine(one))).collect();
        changes.push(format!("engines={}", Value::from(engines)));
        let product = |one: &Contender| {
            let axes = [("strategy", Value::from(one.definition.name.as_str())), ("depth", one.depth.into())];
            let is_spread = !self.nodes.is_empty() && one.definition.takes(Placeholder::Nodes);
            let nodes = || ("cluster_nodes", values_of_axis(self.nodes.iter().map(String::as_str)));
            let axes = axes.into_iter().chain(is_spread.then(nodes));
            Value::from(axes.map(|(axis, value)| (axis.to_owned(), value)).collect::<Table>())
        };
        let product_of_ours =
            || shipped::named(EXPERIMENT)?.text.parse::<Table>().ok()?.get("plan")?.get(OURS).cloned();
        let ours = if self.beside_ours { product_of_ours() } else { None };
        let products = contenders.iter().map(product).chain(ours).collect();
        changes.push(format!("plan={}", Value::Array(products)));
        shipped_experiment(EXPERIMENT, &changes).map_err(Into::into)
    }

    /// Starts an engine, learns its name, and finds its depth if none is given.
    fn meet(
        &self,
        program: &str,
        options: &[Setting],
        depth: Option<u32>,
        plan: &Plan,
        known: &[Contender],
    ) -> Result<Contender, CliError> {
        let mut definition =
            Definition { command: command(program), options: options.to_vec(), ..Definition::default() };
        let hash_mib = plan.cells.first().map_or(1, |cell| cell.configuration.hash_mib);
        let alone = Processors::of_one_node(1);
        let mut engine = Engine::start(&definition, alone, hash_mib, &CpuList::default())?;
        definition.name = name(engine.title(), &definition.command[0], known);
        let name = &definition.name;
        let takes_threads = engine.takes_threads() || definition.takes(Placeholder::Threads);
        if !takes_threads && !self.threads().eq(THREADS_OF_NODES) {
            let message = "it has no option for the number of threads (Threads), so that it searches with one";
            return Err(CliError::BadInput(format!("{name}: {message}")));
        }
        if let Some(depth) = depth {
            return Ok(Contender { definition, depth });
        }
        let all = &plan.description.positions;
        let count = PILOT_POSITIONS.min(all.len());
        let fens: Vec<&str> = (0..count).map(|i| all[i * all.len() / count].fen.as_str()).collect();
        let Reach { depth, time } = Reach::of(&mut engine, &fens, self.time, 1)?;
        let most = MOST_TIMES * self.time;
        let refused = |why: String| Err(CliError::Failed(format!("{name}: {why}. Nothing was measured")));
        match Obedience::of(&mut engine, fens[0], depth, most) {
            Ok(Obedience::Obeys) => {}
            Ok(Obedience::EndsAt(reached)) => {
                return refused(format!("searches to depth {reached} when told {depth}: it does not obey `go depth`"));
            }
            Ok(Obedience::IsSlow) => {
                let seconds = most.as_secs_f64();
                return refused(format!(
                    "depth {depth} takes one thread more than {seconds} s, so that the run would take over \
                     {MOST_TIMES} times what --help promises; --time allows it longer"
                ));
            }
            Err(error) => return refused(error.message),
        }
        let more = if time.is_some() { "" } else { "more than " };
        let seconds = time.unwrap_or(self.time).as_secs_f64();
        tell(format_args!("{name}: depth {depth}: {more}{seconds:.1} s on one thread"));
        if depth < SHALLOW {
            tell(format_args!("depth {depth} leaves little to share among threads: --time 10s searches deeper"));
        }
        Ok(Contender { definition, depth })
    }
}

/// Names of the engines from outside in an experiment, in the order of its plan.
fn engines(experiment: &Experiment) -> Result<Vec<String>, CliError> {
    let cells = Plan::of(experiment, "")?.cells;
    Ok(distinct(cells.iter().filter_map(|cell| cell.configuration.engine_name()).map(str::to_owned)))
}

/// The experiment in a file of a run folder.
fn read(kept: &Path) -> Result<Experiment, CliError> {
    let text =
        std::fs::read_to_string(kept).map_err(|error| CliError::BadInput(format!("{}: {error}", kept.display())))?;
    Ok(Experiment::parse(kept, &text, &[], &charts::names())?)
}

/// Words of a command. A file is named by its whole path, so that the folder can be used from anywhere.
pub fn command(program: &str) -> Vec<String> {
    let whole = |word: &str| {
        let file = Some(Path::new(word)).filter(|path| path.is_file()).and_then(|path| absolute(path).ok());
        file.map_or_else(|| word.to_owned(), |path| path.to_string_lossy().into_owned())
    };
    if Path::new(program).is_file() {
        return vec![whole(program)];
    }
    let words = program.split_whitespace().enumerate();
    words.map(|(i, word)| if i == 0 { whole(word) } else { word.to_owned() }).collect()
}

/// Name for an engine in the experiment: the one that it gives itself, else that of its program; with a number, if it
/// is another's already.
fn name(title: &str, program: &str, known: &[Contender]) -> String {
    let stem = || Path::new(program).file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let words = title.split(|c: char| c == ',' || c.is_whitespace()).filter(|word| !word.is_empty());
    let title = Some(words.collect::<Vec<_>>().join(" ")).filter(|title| !title.is_empty());
    let name = title.or_else(stem).unwrap_or_default();
    let candidates = std::iter::once(name.clone()).chain((2..).map(|n| format!("{name} ({n})")));
    let is_free = |candidate: &String| known.iter().all(|one| one.definition.name != *candidate);
    candidates.into_iter().find(is_free).unwrap_or(name)
}

/// Values of an axis, as a file has them.
fn values_of_axis<'a>(values: impl Iterator<Item = &'a str>) -> Value {
    Value::Array(values.map(Value::from).collect())
}

/// Definition of an engine, as the file has it.
fn engine(Contender { definition, .. }: &Contender) -> Value {
    let command: Vec<Value> = definition.command.iter().map(|word| Value::from(word.as_str())).collect();
    let option = |Setting { name, value }: &Setting| (name.clone(), Value::from(value.as_str()));
    let options: Table = definition.options.iter().map(option).collect();
    let entries = [("command", Value::Array(command)), ("options", Value::from(options))];
    Value::from(entries.map(|(key, value)| (key.to_owned(), value)).into_iter().collect::<Table>())
}

/// Parses an option of an engine.
fn setting(text: &str) -> Result<Setting, String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE, for example Ponder=false")?;
    Ok(Setting { name: name.trim().to_owned(), value: value.trim().to_owned() })
}
