//! How often an answer claims what is not so: simulated experiments of which the truth is that all strategies are equal
//! and nothing but the number of processors makes them faster. For tests only.

use std::collections::BTreeMap;

use super::Answer;
use crate::record::{PositionInfo, Record, Reference};
use crate::report::analysis::Analysis;
use crate::report::analysis::samples::{configuration, description, measured, record};
use crate::statistics::simulated::Random;

/// Simulated experiments. The rate of false claims is then known to less than one in a hundred.
const EXPERIMENTS: usize = 1_000;
const STRATEGIES: [&str; 3] = ["ybwc", "lazy", "abdada"];
const PROCESSORS: u32 = 8;
const POSITIONS: usize = 10;
/// Standard deviation of the logarithm of the noise from position to position: as much as was seen.
const UNEVEN: f64 = 0.7;

/// Words that an answer uses for a difference, a cost, a gain or an order.
const CLAIMS: [&str; 6] = [
    "time is shown to be lost to",
    "time is shown to be gained by",
    "shown to be the fastest",
    "the other",
    "differ",
    " is shown to be slower than one processor",
];

/// Words that only look like a claim.
const NO_CLAIMS: [&str; 3] = ["none is shown to differ in nodes", "shows a difference", "is no proof"];

/// Noise of a simulated experiment, as standard deviations of logarithms.
#[derive(Clone, Copy, Debug)]
struct Noise {
    nodes: f64,
    rate: f64,
    idle: f64,
    runs: u64,
}

/// Records of an experiment in which a strategy may have a tree of another size.
fn records(random: &mut Random, noise: Noise, extra_nodes_of_last: f64) -> Vec<Record> {
    let of_position: Vec<(f64, f64)> =
        (0..POSITIONS).map(|_| (random.normal(), (UNEVEN * random.normal()).exp())).collect();
    let mut records: Vec<Record> = Vec::new();
    let groups = [("sequential", 1)].into_iter().chain(STRATEGIES.map(|strategy| (strategy, PROCESSORS)));
    for (strategy, threads) in groups {
        let configuration = configuration(strategy, threads);
        for (position, (level, unevenness)) in of_position.iter().enumerate() {
            for seed in 0..noise.runs {
                let mut draw = |deviation: f64| (deviation * unevenness * random.normal()).exp();
                let extra = if strategy == STRATEGIES[2] { extra_nodes_of_last } else { 1.0 };
                let nodes = 1e6 * level.exp() * draw(noise.nodes) * extra;
                let busy_ns = nodes * 1e3 * draw(noise.rate);
                let searching_ns = busy_ns * 0.98_f64.powf(draw(noise.idle));
                // Nine tenths of all time are busy, give or take.
                let all_ns = busy_ns / 0.9_f64.powf(draw(noise.idle));
                let mut one = record(records.len() as u64, &configuration, &id(position), seed, (1, nodes as u64));
                let of_one = measured(&mut one);
                of_one.time_ns = (all_ns / f64::from(threads)) as u64;
                of_one.elapsed_ns = of_one.time_ns;
                of_one.activities.search_ns = searching_ns as u64;
                of_one.activities.split_ns = (busy_ns - searching_ns) as u64;
                of_one.activities.idle_ns = (all_ns - busy_ns) as u64;
                records.push(one);
            }
        }
    }
    records
}

fn id(position: usize) -> String {
    format!("P{position}")
}

fn answer_to(records: &[Record]) -> String {
    let mut description = description(&["strategy"], records.len() as u64);
    description.positions = (0..POSITIONS).map(|at| PositionInfo { id: id(at), ..PositionInfo::default() }).collect();
    let fields = BTreeMap::from([("strategy".to_owned(), STRATEGIES[0].to_owned())]);
    description.references = vec![Reference { fields, members: Vec::new() }];
    Answer::of(&Analysis::of(description, records)).paragraphs().join(" ")
}

fn claims_anything(answer: &str) -> bool {
    let text = NO_CLAIMS.iter().fold(answer.to_owned(), |text, words| text.replace(words, ""));
    CLAIMS.iter().any(|words| text.contains(words))
}

/// At most 5 of 100 answers about equals say anything false, whatever the number of runs; and what is there is found.
#[test]
fn answers_about_equals_rarely_claim_anything() {
    let mut random = Random::new(21);
    for runs in [2, 4] {
        let noise = Noise { nodes: 0.25, rate: 0.03, idle: 0.1, runs };
        let mut count = |extra_nodes: f64, of: usize| {
            (0..of).filter(|_| claims_anything(&answer_to(&records(&mut random, noise, extra_nodes)))).count()
        };
        let false_claims = count(1.0, EXPERIMENTS);
        println!("{runs} runs: {false_claims} of {EXPERIMENTS} answers claim something false");
        assert!(false_claims <= EXPERIMENTS * 5 / 100, "{runs} runs: {false_claims} of {EXPERIMENTS}");
        // With two runs little can be shown at all.
        let (found, least) = (count(2.5, EXPERIMENTS / 20), if runs > 2 { EXPERIMENTS / 25 } else { EXPERIMENTS / 50 });
        assert!(found >= least, "{runs} runs: {found} of {} found", EXPERIMENTS / 20);
    }
}
