//! Tests under the conditions of the measurement. Where more than a fifth of the records of a side were disturbed, or
//! may have been, a difference counts only if it is shown twice: by all records, and by the quiet ones alone.

use crate::record::{Configuration, MachineKind, Quietness};
use crate::statistics::Contrast;

use super::grouping::Gathered;
use super::scope::Holds;

/// Share of records that are not quiet from which on a difference must be shown by the quiet ones too.
pub const DOUBTFUL_SHARE: f64 = 0.2;

/// P value of a contrast between two groups. It is 1 where the conditions do not allow a claim.
pub(super) fn p_value<'a>(
    first: &Gathered<'a>,
    second: &Gathered<'a>,
    holds: Holds,
    contrast: impl Fn(&Gathered<'a>, &Gathered<'a>) -> Option<Contrast>,
) -> Option<f64> {
    let all = contrast(first, second)?;
    if !is_doubtful(first) && !is_doubtful(second) {
        return holds.p_value(&all);
    }
    p_value_of_both(&all, contrast(&first.quiet(), &second.quiet()).as_ref(), holds)
}

/// P value of a contrast that the quiet records must show too.
pub(super) fn p_value_of_both(all: &Contrast, quiet: Option<&Contrast>, holds: Holds) -> Option<f64> {
    let p = holds.p_value(all)?;
    let agreed = quiet.filter(|quiet| quiet.estimate().signum() == all.estimate().signum());
    Some(agreed.and_then(|quiet| holds.p_value(quiet)).map_or(1.0, |quiet| quiet.max(p)))
}

/// Whether too many records of a group were disturbed, or may have been, for a claim of their own.
pub(crate) fn is_doubtful(group: &Gathered<'_>) -> bool {
    let Configuration { machine, disturb, .. } = group.configuration;
    // What was disturbed on purpose is what was to be measured.
    if *machine == MachineKind::Virtual || !disturb.is_none() {
        return false;
    }
    let doubtful = group.all().filter(|run| run.record.quietness() != Quietness::Quiet).count();
    doubtful as f64 > DOUBTFUL_SHARE * group.all().count() as f64
}
