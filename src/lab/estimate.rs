//! Estimate of the time that a plan takes: short searches of each position show how fast time grows with depth here,
//! and the rest is extrapolated. A guess to plan a day with, not a measurement.

use std::collections::{BTreeMap, HashMap};

use super::laboratory::Searcher;
use super::pace::{GAIN, Pace, SIMULATION, simulation_growth};
use crate::machine::cost::CostModel;
use crate::machine::{RealMachine, cpu_ns_of_process};
use crate::record::{Cell, Configuration, Depth, MachineKind};
use crate::share::{is_too_small, smallest_s};
use crate::table::number::{counted, figure};

/// Times of the two short searches of each position on the real machine, in seconds.
const REAL_S: [f64; 2] = [0.01, 0.06];
/// Times of the two short searches of each position by an engine from outside, in seconds: such engines are usually
/// asked for depths that take about a second, and the less is extrapolated, the better the guess.
const OUTSIDE_S: [f64; 2] = [0.05, 0.3];
/// Times of the two short searches of each position on virtual machines, in simulated seconds; the second one takes
/// longer where there are few positions, as the less is extrapolated, the better the guess.
const VIRTUAL_S: [f64; 2] = [0.004, 0.024];
/// Longest search of a position on a virtual machine.
const LONGEST_VIRTUAL_S: f64 = 0.4;
/// All longer searches on virtual machines together.
const ALL_VIRTUAL_S: f64 = 4.0;
/// Largest number of positions that get short searches; the others are taken to be like them.
const MOST_SAMPLED: usize = 40;
/// Number of positions that get short searches on each machine where the time of searches is known.
const FEW_SAMPLED: usize = 6;
/// Seconds to set up a search: threads, and a table full of zeros.
const SET_UP_S: f64 = 0.02;
/// Seconds of a micro-measurement of all boards, on average.
const MICRO_S: f64 = 6.0;
/// Factor by which searches of a size should be larger than they must be.
const NEAR: f64 = 1.5;
/// Factor by which a ply multiplies time, where the short searches do not tell.
const USUAL_FACTOR: f64 = 2.7;

/// Expected seconds of this computer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Estimate {
    /// Time of the cells on real machines.
    pub real_s: f64,
    /// Time of the cells on virtual machines, side by side.
    pub virtual_s: f64,
    /// Searches that have too little to share.
    pub too_small: Vec<TooSmall>,
}

/// Searches that are too small for the number of processors that share them.
#[derive(Clone, Debug, PartialEq)]
pub struct TooSmall {
    /// Features of the searches.
    pub features: String,
    /// Largest number of processors.
    pub threads: u32,
    /// Rule for their depth.
    pub depth: Depth,
    /// Seconds that one processor takes for one, as the geometric mean over positions.
    pub one_s: f64,
    /// Number of plies by which they would have to be deeper.
    pub deeper: u32,
}

impl std::fmt::Display for TooSmall {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { features, threads, depth, one_s, deeper } = self;
        let searches = match depth {
            Depth::Plies(depth) => format!("searches to depth {depth}"),
            Depth::Size(size) => format!("searches of size {size} s"),
            _ => "these searches".to_owned(),
        };
        let with = match (depth, features.as_str()) {
            (Depth::Own, _) | (_, "") => String::new(),
            (_, features) => format!(" with {features}"),
        };
        let one = format!("about {} s on one", figure(*one_s));
        let remedy = match depth {
            Depth::Plies(depth) => format!("{one}; go deeper, to depth {} or more", depth + deeper),
            // Depths only come near a size.
            Depth::Size(_) => format!("write size = \"{}s\" or more", figure(NEAR * smallest_s(*threads))),
            _ => format!("{one}; go {} deeper", counted(u64::from(*deeper), "ply", "plies")),
        };
        write!(f, "{searches}{with} are too small for {threads} processors: {remedy}")
    }
}

/// A short search.
#[derive(Clone, Debug, Default)]
struct Sample {
    /// Depth that it reached.
    depth: u32,
    /// Time that it took, in seconds of its machine.
    time_s: f64,
    /// Nodes that it visited; 0 if that is not told.
    nodes: u64,
    /// Depths that it passed, each with the time until then, in seconds of its machine; a real one without the time of
    /// other programs.
    passed: Vec<(u32, f64)>,
    /// Seconds of a processor of this computer that a search on a virtual machine took, if the system tells.
    cpu_s: Option<f64>,
}

impl Sample {
    /// Time of a search to this depth, where a ply multiplies it by a factor.
    fn time_to(&self, depth: u32, factor: f64) -> f64 {
        let exact = self.passed.iter().find(|(passed, _)| *passed == depth);
        let grown = |from: u32, time_s: f64| time_s * factor.powf(f64::from(depth) - f64::from(from));
        match (exact, self.passed.last()) {
            (Some((_, time_s)), _) => *time_s,
            (None, Some((last, time_s))) => grown(*last, *time_s),
            // It has reached its depth some time before it ended: when, is as likely at any point of the last ply.
            (None, None) => grown(self.depth, self.time_s * (1.0 - 1.0 / factor) / factor.ln()),
        }
    }
}

/// Estimates the time of cells: by those of their kind that were searched before, else by short searches.
pub fn estimate(cells: &[(u64, &Cell)], searcher: &dyn Searcher, before: &Pace) -> Estimate {
    let searches: Vec<&Cell> =
        cells.iter().map(|(_, cell)| *cell).filter(|cell| cell.configuration.micro.is_none()).collect();
    let samples = Samples::take(&searches, searcher);
    let timed: Vec<(&Cell, f64)> = searches.iter().map(|cell| (*cell, samples.one_processor_s(cell))).collect();
    let (mut real_s, mut virtual_s) = (MICRO_S * (cells.len() - searches.len()) as f64, 0.0);
    for (cell, one_s) in &timed {
        let (known_s, threads) = (before.of_kind(cell), cell.configuration.threads);
        match cell.configuration.machine {
            MachineKind::Real => real_s += known_s.unwrap_or_else(|| real_s_of(cell, *one_s)),
            MachineKind::Virtual => {
                let simulated_s = || one_s * samples.simulation * simulation_growth(threads) + SET_UP_S;
                virtual_s += known_s.unwrap_or_else(simulated_s);
            }
        }
    }
    Estimate { real_s, virtual_s: virtual_s / RealMachine::room() as f64, too_small: too_small(&timed, samples.factor) }
}

/// Time of a search on the real machine, of which one processor takes this long.
fn real_s_of(cell: &Cell, one_s: f64) -> f64 {
    let gain = if cell.depth.is_some() { f64::from(cell.configuration.threads).powf(GAIN) } else { 1.0 };
    one_s / gain + SET_UP_S
}

/// Searches that are too small for their processors, with the times that one processor takes, where a ply multiplies
/// time by a factor.
fn too_small(timed: &[(&Cell, f64)], factor: f64) -> Vec<TooSmall> {
    let mut sizes = BTreeMap::<_, (u32, Vec<f64>)>::new();
    for (cell, time_s) in timed.iter().filter(|(cell, time_s)| cell.depth.is_some() && *time_s > 0.0) {
        let Configuration { machine, features, engine, depth, threads, .. } = &*cell.configuration;
        let (most, times) = sizes.entry((engine, features, *depth, *machine)).or_default();
        *most = (*threads).max(*most);
        times.push(time_s.ln());
    }
    let found = sizes.into_iter().filter_map(|((engine, features, depth, _), (threads, times))| {
        let one_s = (times.iter().sum::<f64>() / times.len() as f64).exp();
        let deeper = plies_missing(one_s, threads, factor)?;
        let features = if engine.is_some() { String::new() } else { features.to_string() };
        Some(TooSmall { features, threads, depth, one_s, deeper })
    });
    found.collect()
}

/// Short searches of a plan, and what they tell of all its searches.
struct Samples<'a> {
    /// A shorter and a longer search of each kind, where both tell something.
    pairs: HashMap<(Configuration, &'a str), Option<(Sample, Sample)>>,
    /// Factor by which a ply multiplies time: the geometric mean.
    factor: f64,
    /// Seconds of a processor of this computer for each second of a virtual machine, over all longer searches together:
    /// of a short one setting up is most.
    simulation: f64,
}

impl<'a> Samples<'a> {
    fn take(searches: &[&'a Cell], searcher: &dyn Searcher) -> Self {
        let mut kinds: HashMap<_, &Cell> = HashMap::new();
        for cell in searches {
            let key = kind(cell);
            if !kinds.contains_key(&key) && has_room(&kinds, cell) {
                kinds.insert(key, cell);
            }
        }
        let simulated = kinds.keys().filter(|(duration, _)| duration.machine == MachineKind::Virtual).count();
        let twice = |cell: &Cell| {
            let [short, long] = lengths(&cell.configuration, simulated);
            sample(cell, short, searcher).zip(sample(cell, long, searcher))
        };
        let pairs: HashMap<_, _> = kinds.into_iter().map(|(key, cell)| (key, twice(cell))).collect();
        let factors: Vec<f64> = pairs.values().flatten().filter_map(|(first, second)| factor(first, second)).collect();
        let factor = match factors.len() {
            0 => USUAL_FACTOR,
            count => (factors.iter().map(|factor| factor.ln()).sum::<f64>() / count as f64).exp(),
        };
        let mut samples = Self { pairs, factor, simulation: SIMULATION };
        let costs = samples.longer(MachineKind::Virtual).filter_map(|sample| Some((sample.cpu_s?, sample.time_s)));
        let (cpu_s, time_s) = costs.fold((0.0, 0.0), |(cpu_s, time_s), cost| (cpu_s + cost.0, time_s + cost.1));
        if time_s > 0.0 {
            samples.simulation = cpu_s / time_s;
        }
        samples
    }

    /// The longer searches on a machine.
    fn longer(&self, machine: MachineKind) -> impl Iterator<Item = &Sample> {
        let of_machine = self.pairs.iter().filter(move |((duration, _), _)| duration.machine == machine);
        of_machine.filter_map(|(_, pair)| pair.as_ref().map(|(_, second)| second))
    }

    /// Time that one processor takes for a search: by the samples of its kind, else by all of its machine.
    fn one_processor_s(&self, cell: &Cell) -> f64 {
        let Configuration { machine, time_s, .. } = *cell.configuration;
        let Some(depth) = cell.depth else { return time_s.map_or(1.0, f64::from) };
        // A pilot has found the depth for it.
        if let Depth::Size(size) = cell.configuration.depth {
            return size.into();
        }
        if let Some(Some((_, sample))) = self.pairs.get(&kind(cell)) {
            return sample.time_to(depth, self.factor);
        }
        let times: Vec<f64> = self.longer(machine).map(|sample| sample.time_to(depth, self.factor)).collect();
        times.iter().sum::<f64>() / times.len().max(1) as f64
    }
}

/// Number of plies by which a search that takes one processor this long is too small for some, if it is.
fn plies_missing(one_s: f64, threads: u32, factor: f64) -> Option<u32> {
    is_too_small(one_s, threads).then(|| ((smallest_s(threads) / one_s).ln() / factor.ln()).ceil().max(1.0) as u32)
}

/// Times of the two searches of each position, of which virtual machines have so many.
fn lengths(configuration: &Configuration, simulated: usize) -> [f64; 2] {
    match configuration.machine {
        MachineKind::Real if configuration.is_outside() => OUTSIDE_S,
        MachineKind::Real => REAL_S,
        MachineKind::Virtual => {
            let [short, least] = VIRTUAL_S;
            [short, (ALL_VIRTUAL_S / simulated as f64).clamp(least, LONGEST_VIRTUAL_S)]
        }
    }
}

/// Virtual time in which as much is searched as in a second by the models of a computer such as this one: by the price
/// of a node.
fn slowness(configuration: &Configuration) -> f64 {
    let price = |model: CostModel| model.main_node as f64;
    let model = configuration.costs_name().and_then(|name| name.parse::<CostModel>().ok());
    model.map_or(1.0, |model| price(model) / price(CostModel::reference()))
}

/// Key of cells whose one-processor searches take equally long.
fn kind(cell: &Cell) -> (Configuration, &str) {
    (cell.configuration.duration(), &cell.position)
}

/// Whether one more search is to be sampled. Where the time of searches is known only its price on each machine is not.
fn has_room<T>(pairs: &HashMap<(Configuration, &str), T>, cell: &Cell) -> bool {
    let Configuration { machine, depth, .. } = *cell.configuration;
    match depth {
        Depth::Size(_) => pairs.keys().filter(|(duration, _)| duration.machine == machine).count() < FEW_SAMPLED,
        _ => pairs.len() < MOST_SAMPLED,
    }
}

/// A search of about this time by one processor, or to the depth of the cell if that takes less.
fn sample(cell: &Cell, seconds: f64, searcher: &dyn Searcher) -> Option<Sample> {
    let is_real = cell.configuration.machine == MachineKind::Real;
    let seconds = if is_real { seconds } else { seconds * slowness(&cell.configuration) };
    let configuration = Configuration {
        pin: is_real.then(|| "none".to_owned()),
        depth: Depth::Unlimited,
        nodes: None,
        time_s: Some(seconds.into()),
        ..cell.configuration.baseline()
    };
    let begun_ns = cpu_ns_of_process(std::process::id());
    let (result, _) = searcher.search(&Cell { configuration: configuration.into(), ..cell.clone() }).ok()?;
    // A search that begins deep may have completed no iteration, and tells nothing.
    let measured = result.figures().filter(|measured| measured.depth > 0)?;
    let time_s = measured.time_ns as f64 / 1e9;
    let cpu_s = cpu_ns_of_process(std::process::id()).zip(begun_ns).map(|(now, then)| (now - then) as f64 / 1e9);
    let share = if is_real && time_s > 0.0 { measured.own_time_ns() / 1e9 / time_s } else { 1.0 };
    let passed = measured.answers.iter().map(|answer| (answer.depth, share * answer.time_ns as f64 / 1e9)).collect();
    let cpu_s = cpu_s.filter(|_| !is_real);
    Some(Sample { depth: measured.depth, time_s, nodes: measured.nodes, passed, cpu_s })
}

/// Factor by which a ply multiplies a search. What else runs on this computer takes time from a short search, and
/// with it nodes and depth; so nodes tell, where there are any.
fn factor(first: &Sample, second: &Sample) -> Option<f64> {
    let plies = second.depth.checked_sub(first.depth).filter(|plies| *plies > 0)?;
    let growth = match (first.nodes, second.nodes) {
        (0, _) | (_, 0) if first.time_s > 0.0 => second.time_s / first.time_s,
        (0, _) | (_, 0) => return None,
        (early, late) => late as f64 / early as f64,
    };
    Some(growth.powf(1.0 / f64::from(plies)).clamp(1.3, 8.0))
}

#[cfg(test)]
mod tests {
    use super::super::measurement::Finding;
    use super::*;
    use crate::record::{CellResult, Measured};

    #[test]
    fn searches_with_little_to_share_are_too_small() {
        for (one_s, threads, factor, expected) in [
            (0.2, 64, 2.0, Some(3)),
            (1.27, 64, 2.0, Some(1)),
            (1.29, 64, 2.0, None),
            (0.001, 1, 2.0, None),
            (0.003, 2, 4.0, Some(2)),
        ] {
            assert_eq!(plies_missing(one_s, threads, factor), expected, "{one_s} {threads}");
            assert_eq!(is_too_small(one_s, threads), expected.is_some(), "{one_s} {threads}");
        }
        let small = TooSmall { features: "modern".into(), threads: 64, depth: Depth::Plies(13), one_s: 0.2, deeper: 3 };
        let expected = "searches to depth 13 with modern are too small for 64 processors: about 0.200 s on one; go \
                        deeper, to depth 16 or more";
        assert_eq!(small.to_string(), expected);
        let own = TooSmall { depth: Depth::Own, ..small.clone() }.to_string();
        assert!(own.starts_with("these searches are") && own.ends_with("go 3 plies deeper"), "{own}");
        let sized = TooSmall { features: "modern".into(), depth: Depth::Size(0.2.into()), ..small }.to_string();
        let expected =
            "searches of size 0.2 s with modern are too small for 64 processors: write size = \"1.92s\" or more";
        assert_eq!(sized, expected);
    }

    #[test]
    fn nodes_tell_growth_however_busy_the_computer_is() {
        let sample = |depth, time_s, nodes| Sample { depth, time_s, nodes, ..Sample::default() };
        assert_eq!(factor(&sample(8, 0.02, 1_000), &sample(10, 3.0, 4_000)), Some(2.0));
        assert_eq!(factor(&sample(8, 0.02, 0), &sample(10, 0.18, 0)), Some(3.0));
        assert_eq!(factor(&sample(8, 0.02, 1_000), &sample(8, 0.18, 9_000)), None);
    }

    /// Few samples are taken where times are known, but some on each machine.
    #[test]
    fn times_that_are_known_take_few_samples() {
        let cell = |machine, depth, position: &str| {
            Cell::sample(Configuration { depth, ..Configuration::sample(machine, "lazy", 2) }, position, 0)
        };
        let ids: Vec<String> = (0..MOST_SAMPLED).map(|place| place.to_string()).collect();
        for (depth, most) in [(Depth::Size(0.5.into()), FEW_SAMPLED), (Depth::Plies(9), MOST_SAMPLED)] {
            let cells: Vec<Cell> = ids.iter().map(|id| cell(MachineKind::Real, depth, id)).collect();
            let pairs: HashMap<_, ()> = cells.iter().take(most).map(|cell| (kind(cell), ())).collect();
            assert!(!has_room(&pairs, &cell(MachineKind::Real, depth, "other")), "{depth}");
            let on_virtual = has_room(&pairs, &cell(MachineKind::Virtual, depth, "other"));
            assert_eq!(on_virtual, most == FEW_SAMPLED, "{depth}");
            let fewer: HashMap<_, ()> = cells.iter().skip(1).take(most - 1).map(|cell| (kind(cell), ())).collect();
            assert!(has_room(&fewer, &cells[0]), "{depth}");
        }
    }

    /// Searches of a size take that long on one processor: no sample says otherwise.
    #[test]
    fn the_size_that_is_asked_for_is_the_time_of_one_processor() {
        for (size, is_small) in [(0.03, true), (2.0, false)] {
            let configuration = Configuration {
                depth: Depth::Size(size.into()),
                ..Configuration::sample(MachineKind::Real, "lazy", 2)
            };
            let cell = Cell { depth: Some(3), ..Cell::sample(configuration, "BK03", 0) };
            let Estimate { real_s, too_small, .. } = estimate(&[(0, &cell)], &Doubling, &Pace::default());
            assert!(real_s > size / 2.0 && real_s < size + 2.0 * SET_UP_S, "{real_s}");
            let one_s: Vec<f64> = too_small.iter().map(|small| small.one_s).collect();
            assert!(
                one_s.len() == usize::from(is_small) && one_s.iter().all(|one| (one / size - 1.0).abs() < 1e-6),
                "{one_s:?}"
            );
        }
    }

    /// Searches that are too small are told by virtual time, which no other program changes.
    #[test]
    fn the_size_of_a_virtual_search_is_its_virtual_time() {
        let configuration = Configuration {
            features: "modern".into(),
            costs: Some("reference-modern".into()),
            ..Configuration::sample(MachineKind::Virtual, "ybwc", 64)
        };
        let fen = "8/7p/5k2/5p2/p1p2P2/Pr1pPK2/1P1R3P/8 b - - 0 1";
        let cell = Cell { depth: Some(8), fen: fen.into(), ..Cell::sample(configuration, "BK10", 0) };
        let laboratory = crate::Laboratory::new(crate::Conditions::default());
        let size = || estimate(&[(0, &cell)], &laboratory, &Pace::default()).too_small[0].one_s;
        let found = size();
        assert!((0.001..0.1).contains(&found), "{found}");
        assert_eq!(found, size());
    }

    /// A computer on which each ply takes twice as long as the one before, the tenth a second.
    struct Doubling;

    impl Searcher for Doubling {
        fn search(&self, cell: &Cell) -> Finding {
            let seconds = cell.configuration.time_s.map_or(1.0, f64::from);
            let depth = (10.0 + seconds.log2()) as u32;
            let measured = Measured { depth, time_ns: (seconds * 1e9) as u64, ..Measured::default() };
            Ok((CellResult::Done(measured), None))
        }
    }

    #[test]
    fn more_threads_take_less_time_and_more_plies_take_more() {
        let seconds = |threads: u32, depth: u32| {
            let configuration = Configuration::sample(MachineKind::Real, "lazy", threads);
            let cell = Cell { depth: Some(depth), ..Cell::sample(configuration, "BK03", 0) };
            estimate(&[(0, &cell)], &Doubling, &Pace::default()).real_s
        };
        assert!(seconds(1, 12) > 1.5 * seconds(1, 11) && seconds(1, 11) > seconds(1, 10));
        assert!(seconds(4, 12) < seconds(1, 12) / 2.0 && seconds(4, 12) > seconds(1, 12) / 4.0);
    }

    /// A pilot tells the time of its kind of searches, and of no other.
    #[test]
    fn searches_of_a_pilot_take_their_time_again() {
        let cell = |machine: MachineKind, depth: u32| Cell {
            depth: Some(depth),
            ..Cell::sample(Configuration::sample(machine, "lazy", 1), "BK03", 0)
        };
        let mut pilot = Pace::default();
        pilot.learn(&cell(MachineKind::Real, 11), 30.0);
        pilot.learn(&cell(MachineKind::Virtual, 11), 50.0);
        let of = |machine, depth, before: &Pace| {
            let Estimate { real_s, virtual_s, .. } = estimate(&[(0, &cell(machine, depth))], &Doubling, before);
            real_s + virtual_s * RealMachine::room() as f64
        };
        assert_eq!(of(MachineKind::Real, 11, &pilot), 30.0);
        assert_eq!(of(MachineKind::Virtual, 11, &pilot), 50.0);
        assert_eq!(of(MachineKind::Real, 12, &pilot), of(MachineKind::Real, 12, &Pace::default()));
    }
}
