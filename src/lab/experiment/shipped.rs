//! The experiments that ship with the program, compiled into it, so that their names work from any folder.

/// An experiment file that ships.
#[derive(Debug)]
pub struct Shipped {
    /// Its name on the command line.
    pub name: &'static str,
    /// The file.
    pub text: &'static str,
}

macro_rules! experiments {
    ($($name:literal),* $(,)?) => {
        /// All of them.
        pub static EXPERIMENTS: &[Shipped] = &[
            $( Shipped { name: $name, text: include_str!(concat!("../../../experiments/", $name, ".toml")) }, )*
        ];
    };
}

experiments! {
    "quick",
    "thesis-main",
    "thesis-autopsy",
    "strategies",
    "hyatt-24",
    "scaling-limits",
    "hash-table",
    "minimum-draft",
    "waiting",
    "features",
    "bandwidth",
    "costs",
}

/// The one of this name.
pub fn named(name: &str) -> Option<&'static Shipped> {
    EXPERIMENTS.iter().find(|one| one.name == name)
}

impl Shipped {
    /// What it asks: the value of `question`, on one line.
    pub fn question(&self) -> String {
        let table: toml::Table = self.text.parse().unwrap_or_default();
        let question = table.get("question").and_then(toml::Value::as_str).unwrap_or_default();
        question.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}
