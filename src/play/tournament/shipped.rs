//! The tournaments that ship with the program, compiled into it, so that their names work from any folder.

use crate::lab::shipped::Shipped;

macro_rules! tournaments {
    ($($name:literal),* $(,)?) => {
        /// Tournaments that ship, in the order of lists.
        pub static TOURNAMENTS: &[Shipped] = &[
            $( Shipped {
                name: $name,
                text: include_str!(concat!("../../../experiments/tournaments/", $name, ".toml")),
            }, )*
        ];
    };
}

tournaments! {
    "presets",
    "techniques",
    "strength-speedup",
    "engines",
}
