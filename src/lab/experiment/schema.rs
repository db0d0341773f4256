//! The JSON schema of experiment files, by which editors complete keys and explain them. It says what a file may hold; what
//! names mean something is checked when the file is read.

use std::collections::BTreeMap;

use schemars::JsonSchema;

/// A value, a list of values, or a range as text.
#[derive(JsonSchema)]
#[serde(untagged)]
#[allow(dead_code)] // only its schema is wanted
enum OneOrMany<T> {
    One(T),
    Many(Vec<T>),
}

/// A number, or a range as text: "1..=24", "1..=64*2" (doubling), "1..=cores".
#[derive(JsonSchema)]
#[serde(untagged)]
#[allow(dead_code)]
enum NumberOrRange {
    Number(u64),
    Range(String),
}

/// A duration: "500ms", "2s", "10m"; a bare number is seconds.
#[derive(JsonSchema)]
#[serde(untagged)]
#[allow(dead_code)]
enum Duration {
    Text(String),
    Seconds(f64),
}

/// How many seeds, "one" (one search with seed 0, as in the thesis), or "none".
#[derive(JsonSchema)]
#[serde(untagged)]
#[allow(dead_code)]
enum Baseline {
    Seeds(u32),
    Name(String),
}

/// "flag", "repeat" (twice at most), or how often.
#[derive(JsonSchema)]
#[serde(untagged)]
#[allow(dead_code)]
enum Disturbed {
    Times(u32),
    Name(String),
}

/// A share of one: 0.02 or "2 %".
#[derive(JsonSchema)]
#[serde(untagged)]
#[allow(dead_code)]
enum Share {
    Number(f64),
    Percent(String),
}

/// A value of an axis, or of a strategy's parameter.
#[derive(JsonSchema)]
#[serde(untagged)]
#[allow(dead_code)]
enum Parameter {
    Switch(bool),
    Number(f64),
    Name(String),
}

/// An experiment of Splitpoint.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[allow(dead_code)]
struct ExperimentFile {
    /// What it is called.
    title: Option<String>,
    /// What it asks.
    question: Option<String>,
    /// How often each search is repeated; by seed, if only one seed is given. Default 1.
    repetitions: Option<u32>,
    /// By what searches of many processors are divided. Default 8.
    baseline: Option<Baseline>,
    /// Order of searches on real machines: "random" (default) or "plan".
    order: Option<String>,
    /// Seed of the random order. Default 1.
    order_seed: Option<u64>,
    /// Whether a search that is not counted comes first on a real machine. Default true.
    warm_up: Option<bool>,
    /// Whether processors that are not measured are kept busy, so that all run at one clock. Default false.
    fill: Option<bool>,
    /// What becomes of a disturbed measurement. Default "flag".
    disturbed: Option<Disturbed>,
    /// The longest that a search may take, in time of its machine.
    limit: Option<Duration>,
    /// More repetitions until intervals are narrow enough.
    until: Option<Until>,
    /// What is searched. Default: the ten positions of the thesis.
    positions: Option<Positions>,
    /// What varies; common to all plans, if there are several blocks of plan.
    axes: Option<Axes>,
    /// Products of axes; the whole plan is their union.
    plan: Option<Vec<Block>>,
    /// Combinations to leave out.
    exclude: Option<Vec<BTreeMap<String, OneOrMany<Parameter>>>>,
    /// Parameters of strategies; a list is an axis.
    strategy: Option<BTreeMap<String, BTreeMap<String, OneOrMany<Parameter>>>>,
    /// Cost models of your own: a base, and what differs.
    costs: Option<BTreeMap<String, CostModel>>,
    /// Names for strategies and features with their changes; changes may follow a name like any other.
    names: Option<BTreeMap<String, String>>,
    /// What is made of it.
    report: Option<Report>,
}

/// When to stop repeating.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[allow(dead_code)]
struct Until {
    /// Half the width of every interval of a time speedup.
    half_width: Share,
    /// Time of this computer that may be spent.
    budget: Duration,
}

/// What is searched.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[allow(dead_code)]
struct Positions {
    /// A suite that ships.
    suite: Option<String>,
    /// A file of EPD lines, relative to this file.
    epd: Option<String>,
    /// Only these.
    ids: Option<OneOrMany<String>>,
    /// Every so many-th.
    every: Option<u32>,
    /// So many of those.
    first: Option<u32>,
    /// A depth for each; then depth = "own" is usual.
    depths: Option<BTreeMap<String, u32>>,
}

/// What varies.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[allow(dead_code)]
struct Axes {
    /// "real" or "virtual".
    machine: Option<OneOrMany<String>>,
    /// Strategies, with changes to their parameters.
    strategy: Option<OneOrMany<String>>,
    /// Numbers of processors. Default "1..=cores".
    threads: Option<OneOrMany<NumberOrRange>>,
    /// "bitboards" or "mailbox".
    board: Option<OneOrMany<String>>,
    /// How bishops and rooks slide on bitboards.
    sliders: Option<OneOrMany<String>>,
    /// Presets, with changes.
    features: Option<OneOrMany<String>>,
    /// Depths, or "own". Default 11.
    depth: Option<OneOrMany<NumberOrRange>>,
    /// Nodes a position.
    nodes: Option<OneOrMany<u64>>,
    /// Time a position.
    time: Option<OneOrMany<Duration>>,
    /// Sizes of the table in MiB.
    hash: Option<OneOrMany<NumberOrRange>>,
    /// How workers share the table.
    scheme: Option<OneOrMany<String>>,
    /// A seed that repetitions count up from, or a list of just those. Default 0.
    seed: Option<OneOrMany<NumberOrRange>>,
    /// Cost models of the virtual machine, with changes; ",each" for each price halved and doubled in turn.
    costs: Option<OneOrMany<String>>,
    /// "spin", "yield" or "park".
    waiting: Option<OneOrMany<String>>,
    /// "none", "cores", "threads", or a list of CPUs.
    pin: Option<OneOrMany<String>>,
    /// Whether the table is audited.
    audit: Option<OneOrMany<bool>>,
    /// Whether nodes that are searched twice are counted.
    losses: Option<OneOrMany<bool>>,
}

/// A product of axes.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[allow(dead_code)]
struct Block {
    #[serde(flatten)]
    axes: Axes,
    /// How often each search of this plan is repeated.
    repetitions: Option<u32>,
    /// A factorial design, whose runs are the values of an axis.
    factorial: Option<Factorial>,
    /// The configuration that the others of this product are compared with, by axis.
    reference: Option<BTreeMap<String, Parameter>>,
}

/// Several switches changed at once.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[allow(dead_code)]
struct Factorial {
    /// "strategy" (default) or "features".
    field: Option<String>,
    /// What the switches belong to.
    base: String,
    /// The switches.
    factors: Vec<String>,
    /// How many of all combinations are run: a power of two.
    runs: u32,
}

/// A base and the costs that differ from it, in nanoseconds.
#[derive(JsonSchema)]
#[allow(dead_code)]
struct CostModel {
    /// A model that ships. Default "reference".
    base: Option<String>,
    #[serde(flatten)]
    costs: BTreeMap<String, u64>,
}

/// What is made of an experiment.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[allow(dead_code)]
struct Report {
    /// The charts to draw; all that the figures allow, if not given.
    charts: Option<Vec<String>>,
    /// "these positions" or "positions like these".
    interval: Option<String>,
    /// The configuration that all others are compared with, by axis.
    reference: Option<BTreeMap<String, Parameter>>,
}

/// The schema as text.
pub fn text() -> String {
    let schema = schemars::schema_for!(ExperimentFile);
    serde_json::to_string_pretty(&schema).unwrap_or_default() + "\n"
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::Value;

    use super::super::KEYS;
    use super::super::axes::AXES;
    use super::*;

    /// The keys of a table, by its place in the schema.
    fn keys(schema: &Value, place: &str) -> BTreeSet<String> {
        let properties = schema.pointer(place).and_then(|table| table["properties"].as_object());
        properties.unwrap_or_else(|| panic!("{place}")).keys().cloned().collect()
    }

    fn set<'a>(names: impl IntoIterator<Item = &'a str>) -> BTreeSet<String> {
        names.into_iter().map(str::to_owned).collect()
    }

    #[test]
    fn it_has_the_keys_that_files_may_have() {
        let schema: Value = serde_json::from_str(&text()).unwrap();
        assert_eq!(keys(&schema, ""), set(KEYS));
        assert_eq!(keys(&schema, "/$defs/Axes"), set(AXES));
        let of_plan = AXES.into_iter().chain(["repetitions", "factorial", "reference"]);
        assert_eq!(keys(&schema, "/$defs/Block"), set(of_plan));
        for table in ["Axes", "Block", "Positions", "Until", "Factorial", "Report"] {
            let table = &schema["$defs"][table];
            let refuses = |key: &str| table.get(key) == Some(&Value::Bool(false));
            assert!(refuses("additionalProperties") || refuses("unevaluatedProperties"), "{table}");
        }
    }
}
