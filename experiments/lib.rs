//! Experiments, tournaments and claims: the files of this folder, so that their names work wherever the program runs.
#![no_std]

/// A file that ships.
#[derive(Debug)]
pub struct Shipped {
    /// Name on the command line.
    pub name: &'static str,
    /// Text of the file.
    pub text: &'static str,
}

macro_rules! files {
    ($(#[$about:meta])* $LIST:ident in $folder:literal: $($name:literal,)*) => {
        $(#[$about])*
        pub static $LIST: &[Shipped] =
            &[$( Shipped { name: $name, text: include_str!(concat!($folder, $name, ".toml")) }, )*];
    };
}

files! {
    /// Experiments, in the order of lists.
    EXPERIMENTS in "":
    "quick",
    "lesson",
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
    "cluster-large",
    "cluster-twenty",
    "large-trees",
    "two-baselines",
    "two-baselines-large",
    "predicted-computers",
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

files! {
    /// Tournaments, in the order of lists.
    TOURNAMENTS in "tournaments/":
    "presets",
    "techniques",
    "evaluation",
    "strategies",
    "strength-speedup",
    "rated",
    "engines",
}

files! {
    /// Files of published claims, the usual one first.
    CLAIMS in "claims/":
    "published",
    "sources",
}

/// Schema of experiment files, for editors.
pub static SCHEMA: &str = include_str!("schema.json");
