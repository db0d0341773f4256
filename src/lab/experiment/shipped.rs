//! The experiments that ship with the program.

pub use splitpoint_experiments::{EXPERIMENTS, Shipped};

/// The shipped experiment of this name.
pub fn named(name: &str) -> Option<&'static Shipped> {
    EXPERIMENTS.iter().find(|one| one.name == name)
}

/// Charts that the shipped experiments ask for, for tests: the names of all charts are known to the report only.
#[cfg(test)]
pub(crate) const CHARTS: [&str; 19] = [
    "hash",
    "torn",
    "speedup",
    "copy-sizes",
    "split-nodes",
    "splitting",
    "stages",
    "comparisons",
    "time-speedup",
    "losses",
    "processors",
    "search-speed",
    "positions",
    "baseline",
    "nodes-by-depth",
    "nodes-ratio",
    "growth",
    "minimal-tree",
    "solutions",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::features::Features;
    use splitpoint_data::settings::Settings;

    /// Features that change no tree of a single search, and the one without which there is hardly an end.
    const WITHOUT_EFFECT: [&str; 6] = ["incremental", "copy-make", "pawn-table", "minimax", "deepening-least", "aging"];

    #[test]
    fn every_feature_is_in_the_experiment_on_features() {
        let text = named("features").unwrap().text;
        let words: Vec<&str> = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-').collect();
        let is_in = |name: &str| words.iter().any(|word| *word == name || word.strip_prefix('-') == Some(name));
        for feature in Features::all() {
            let is_elsewhere = feature.name.starts_with("defect-") || WITHOUT_EFFECT.contains(&feature.name);
            assert!(is_elsewhere || is_in(feature.name), "{}: add a line to experiments/features.toml", feature.name);
        }
    }
}
