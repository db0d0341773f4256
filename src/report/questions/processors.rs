//! Words for processors, and for where their figures come from. Times on more virtual processors than validation can
//! hold against a computer rest on the prices of a model alone, and every sentence on them says so, once.

use crate::record::{Configuration, MachineKind};

/// Largest number of virtual processors whose times are validated against a computer.
const VALIDATED: u32 = 2;

/// Words set off after what rests on a model.
const BY_THE_MODEL: &str = ", by the model";

/// `16 real processors`, `1 virtual processor`, or `16 virtual processors, by the model`: those of a configuration. A
/// sentence goes on with a punctuation mark.
pub(crate) fn processors(configuration: &Configuration) -> String {
    let Configuration { threads, machine, .. } = configuration;
    let plural = if *threads == 1 { "" } else { "s" };
    format!("{threads} {} processor{plural}{}", machine.name(), by_model(configuration))
}

/// `, by the model` where figures of a configuration rest on a model alone; nothing otherwise.
pub(crate) fn by_model(configuration: &Configuration) -> &'static str {
    if is_by_model(configuration) { BY_THE_MODEL } else { "" }
}

/// `, by the model` where figures of all of these machines and numbers of processors rest on a model alone; which of
/// them do, where some do.
pub(crate) fn which_by_model(all: impl IntoIterator<Item = (MachineKind, u32)>) -> &'static str {
    let (by_model, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|&(machine, threads)| rests(machine, threads));
    match (by_model.is_empty(), others.is_empty()) {
        (true, _) => "",
        (false, true) => BY_THE_MODEL,
        (false, false) => ", those of more than two virtual processors by the model",
    }
}

/// Whether figures of a configuration rest on a model alone.
pub(crate) fn is_by_model(configuration: &Configuration) -> bool {
    rests(configuration.machine, configuration.threads)
}

fn rests(machine: MachineKind, threads: u32) -> bool {
    machine == MachineKind::Virtual && threads > VALIDATED
}
