//! The tournaments that ship with the program, compiled into it, so that their names work from any folder.

use crate::lab::shipped::Shipped;

/// Tournaments that ship, in the order of lists.
pub static TOURNAMENTS: &[Shipped] = &[
    Shipped { name: "presets", text: include_str!("../../../experiments/tournaments/presets.toml") },
    Shipped { name: "techniques", text: include_str!("../../../experiments/tournaments/techniques.toml") },
    Shipped { name: "evaluation", text: include_str!("../../../experiments/tournaments/evaluation.toml") },
    Shipped { name: "strategies", text: include_str!("../../../experiments/tournaments/strategies.toml") },
    Shipped { name: "strength-speedup", text: include_str!("../../../experiments/tournaments/strength-speedup.toml") },
    Shipped { name: "rated", text: include_str!("../../../experiments/tournaments/rated.toml") },
    Shipped { name: "engines", text: include_str!("../../../experiments/tournaments/engines.toml") },
];
