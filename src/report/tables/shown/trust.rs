//! Tables on how far the records can be trusted: what was taken from them, and which of them a limit ended.

use crate::record::{DISTURBING_NEIGHBOURS, DISTURBING_SHARE, MachineKind};
use crate::report::analysis::{Analysis, Group};
use crate::report::tables::quality;
use crate::table::Table;
use crate::table::number::level;

use super::{configurations, intervals};

/// Quality of the records of each configuration on real machines.
pub(crate) fn quality(analysis: &Analysis) -> Table {
    let explanation = format!(
        "A search is disturbed if more than {} % of the processor time that it wanted was taken away, if other \
         programs kept more than {DISTURBING_NEIGHBOURS} processors busy beside it, or if the clock changed. Each \
         configuration and each baseline has a row of its own, with intervals of {}; p is for the difference in time \
         between quiet searches and others at the same positions. Disturbed records count unless a quiet record of the \
         same cell replaced them.",
        100.0 * DISTURBING_SHARE,
        level()
    );
    let names = "label threads records disturbed unknown thrown_away taken_mean taken_worst taken_mean_attempts \
                 neighbours time_speedup quiet_time_speedup time_ratio p";
    let table = quality::quality(analysis).only(names);
    table.table("Quality by configuration", &explanation, &analysis.quality.arms).without_empty_columns()
}

/// Configurations whose searches, or those of whose baseline, a limit cut off.
pub(crate) fn cut_off(analysis: &Analysis, machine: MachineKind) -> Table {
    let explanation = format!(
        "These searches would have taken longer than the limit; how much longer is not known. A time speedup computed \
         from them is a bound, one end of an interval of {} for these positions; there is no estimate, and nothing is \
         claimed.",
        level()
    );
    let is_shown = |group: &Group| group.limited.cut + group.limited.baseline_cut > 0;
    let names = "cut baseline_cut runs time_speedup_bound time_speedup_bound_at";
    configurations(analysis, machine, "Searches cut off by the limit", &explanation, names, is_shown)
}

/// Configurations whose searches time or nodes limited.
pub(crate) fn without_depth(analysis: &Analysis, machine: MachineKind) -> Table {
    let explanation = format!(
        "Searches limited by time or nodes have no common depth, and so no time to depth. Speed is relative to one \
         processor, depths are arithmetic means over positions, both with {}.",
        intervals(analysis)
    );
    let names = "nps_ratio mean_depth depth_gain";
    let is_shown = |group: &Group| group.limited.depth.is_some();
    configurations(analysis, machine, "Searches without a common depth", &explanation, names, is_shown)
}
