//! The build of this program, as far as `build.rs` could tell, and the file that runs.

use splitpoint_data::fingerprint::fingerprint;

use crate::record::Build;

/// The build of the program that runs.
pub fn of_this_program() -> Build {
    let commit = env!("SPLITPOINT_COMMIT");
    let file = || std::env::current_exe().and_then(std::fs::read).ok();
    Build {
        commit: (!commit.is_empty()).then(|| commit.to_owned()),
        dirty: match env!("SPLITPOINT_CHANGES") {
            "yes" => Some(true),
            "no" => Some(false),
            _ => None,
        },
        sources: env!("SPLITPOINT_SOURCES").to_owned(),
        rustc: env!("SPLITPOINT_RUSTC").to_owned(),
        target: env!("SPLITPOINT_TARGET").to_owned(),
        flags: env!("SPLITPOINT_FLAGS").to_owned(),
        cpu_features: env!("SPLITPOINT_CPU_FEATURES").split(',').map(str::to_owned).collect(),
        profile: env!("SPLITPOINT_PROFILE").to_owned(),
        // A debug build is large, slow at this, and measures nothing.
        binary: if cfg!(debug_assertions) { None } else { file().map(|bytes| fingerprint([bytes])) },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_build_is_told() {
        let Build { commit, dirty, sources, rustc, target, cpu_features, profile, .. } = of_this_program();
        assert_eq!(commit.is_some(), dirty.is_some(), "both or neither: {commit:?} {dirty:?}");
        assert!(commit.as_ref().is_none_or(|commit| commit.len() >= 40), "{commit:?}");
        assert!(rustc.starts_with("rustc 1.") && target.contains(std::env::consts::ARCH), "{rustc} {target}");
        assert!(["release", "debug", "dist", "bench", "loom"].contains(&&*profile), "{profile}");
        assert!(sources.len() == 16 && sources != fingerprint([""]), "{sources}");
        assert!(cfg!(not(target_feature = "popcnt")) || cpu_features.iter().any(|name| name == "popcnt"));
    }
}
