//! The experiments that ship with the program, compiled into it, so that their names work from any folder.

/// An experiment file that ships.
#[derive(Debug)]
pub struct Shipped {
    /// Name on the command line.
    pub name: &'static str,
    /// Text of the file.
    pub text: &'static str,
}

macro_rules! experiments {
    ($($name:literal),* $(,)?) => {
        /// Experiments that ship, in the order of lists.
        pub static EXPERIMENTS: &[Shipped] = &[
            $( Shipped { name: $name, text: include_str!(concat!("../../../experiments/", $name, ".toml")) }, )*
        ];
    };
}

experiments! {
    "quick",
    "thesis-main",
    "thesis-explained",
    "thesis-autopsy",
    "printed-defects",
    "free-splitting",
    "dips",
    "strategies",
    "strategies-modern",
    "strategies-short",
    "bratko-kopec",
    "hyatt-24",
    "hyatt-24-modern",
    "my-engine",
    "scaling-limits",
    "weak-scaling",
    "cluster",
    "large-trees",
    "two-baselines",
    "two-baselines-large",
    "claims-speed",
    "claims-longer",
    "claims-longest",
    "claims-boards",
    "hash-table",
    "torn-entries",
    "minimum-draft",
    "node-types",
    "shared-memories",
    "waiting",
    "features",
    "features-rare",
    "ordering",
    "deepening",
    "reductions",
    "reduced-trees",
    "windows",
    "claims-search",
    "null-move",
    "mate-distance",
    "quiescence-widths",
    "key-width",
    "minimal-tree",
    "position-size",
    "primitives",
    "boards",
    "split-cost",
    "split-cost-virtual",
    "padding",
    "copy-ratio",
    "representations",
    "bandwidth",
    "costs",
    "whatif",
    "model-check",
}

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
