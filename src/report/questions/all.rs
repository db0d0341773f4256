//! All questions that are asked of an experiment, in the order of a report.

use super::{
    answer, differences, effects, health, how, laws, limits, machines, micro, noise, parameters, positions, prices,
    published, size, speedup, split, table_use, thesis, tree, wherefore,
};
use crate::Source;
use crate::question::Question;

/// The questions.
pub(crate) const QUESTIONS: &[Question<Source>] = &[
    health::HEALTH,
    speedup::SPEEDUP,
    machines::MACHINES,
    prices::PRICES,
    differences::DIFFERENCES,
    effects::EFFECTS,
    wherefore::WHERE,
    size::SIZE,
    tree::TREE,
    limits::LIMITS,
    laws::LAWS,
    answer::ANSWER,
    split::SPLIT,
    table_use::TABLE,
    thesis::THESIS,
    published::PUBLISHED,
    parameters::PARAMETERS,
    micro::MICRO,
    noise::NOISE,
    positions::POSITIONS,
    how::HOW,
];
