//! Filling of processors that are not measured. The clock of a core falls as more of them wake, so that one thread
//! alone runs faster than each of many; with the other cores kept busy both run at the same clock. (R. Hyatt measures
//! so.)
//!
//! Where the clock can rise and fall with the number of busy cores, cores are filled unless the file says otherwise.
//! Where the system does not tell, as on most virtual machines, they are not: what it calls a core may be a hardware
//! thread of one that is measured, from which a filled neighbour takes more than the clock gives.

use super::measure_error::{MeasureError, wrong};
use crate::choices::choices;
use crate::machine::Place;
use crate::machine::busy::{BusyThreads, Occupation};
use crate::machine::host::{Clock, Files, Topology};
use crate::record::Description;

choices! {
    /// Threads that keep processors busy that are not measured.
    pub enum Filling, "kind of filling";
    /// Arithmetic on one hardware thread of each core on which nothing is measured.
    Cores "cores",
    /// Arithmetic on each hardware thread on which nothing is measured.
    Arithmetic "arithmetic",
    /// Streaming through memory on each hardware thread on which nothing is measured.
    Memory "memory",
}

/// Rule of an experiment for filling.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fill {
    /// Cores are filled where their clock depends on how many of them are busy.
    #[default]
    Automatic,
    /// This filling, or none, on every computer.
    Fixed(Option<Filling>),
}

/// Name of no filling in `experiment.json`.
const NOTHING: &str = "none";

impl Fill {
    /// Filling on this computer. `held` describes the run that is completed, if one is: it goes on as it began.
    pub fn resolved(self, held: Option<&Description>) -> Option<Filling> {
        self.resolved_where(held, || Clock::read(&Files::of_system(), Topology::of_system()).turbo)
    }

    fn resolved_where(self, held: Option<&Description>, turbo: impl Fn() -> Option<bool>) -> Option<Filling> {
        match (self, held) {
            (Self::Fixed(filling), _) => filling,
            (Self::Automatic, Some(held)) => held.fill.parse().ok(),
            (Self::Automatic, None) => (turbo() == Some(true)).then_some(Filling::Cores),
        }
    }
}

/// Name in `experiment.json` of what is filled.
pub fn name_of(filling: Option<Filling>) -> String {
    filling.map_or(NOTHING, Filling::name).to_owned()
}

impl Filling {
    /// Work of the threads.
    const fn occupation(self) -> Occupation {
        match self {
            Self::Cores | Self::Arithmetic => Occupation::Arithmetic,
            Self::Memory => Occupation::Memory,
        }
    }

    /// Filling that is possible beside threads at these places. Cores on which nothing is measured are known only if
    /// the threads are kept where they are.
    pub(super) fn beside(self, places: &[Place]) -> Option<Self> {
        let has_places = !places.is_empty() && places.iter().all(|place| place.cpu.is_some());
        (self != Self::Cores || has_places).then_some(self)
    }

    /// Keeps processors busy that are none of these places.
    pub(super) fn start(self, places: &[Place]) -> Result<BusyThreads, MeasureError> {
        let measured: Vec<usize> = places.iter().filter_map(|place| place.cpu).collect();
        let topology = Topology::of_system();
        let free: Vec<usize> = match self {
            Self::Cores => topology.cores_without(&measured),
            Self::Arithmetic | Self::Memory => {
                topology.allowed.as_slice().iter().copied().filter(|cpu| !measured.contains(cpu)).collect()
            }
        };
        BusyThreads::fill(&free, self.occupation()).map_err(wrong("fill"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_goes_on_as_it_began() {
        let held = |fill: &str| Description { fill: fill.to_owned(), ..Description::default() };
        let automatic = |held: Option<&Description>, turbo| Fill::Automatic.resolved_where(held, || turbo);
        for (turbo, expected) in [(Some(true), Some(Filling::Cores)), (Some(false), None), (None, None)] {
            assert_eq!(automatic(None, turbo), expected);
            assert_eq!(automatic(Some(&held("none")), turbo), None);
            assert_eq!(automatic(Some(&held("cores")), turbo), Some(Filling::Cores));
            let fixed = Fill::Fixed(Some(Filling::Memory));
            assert_eq!(fixed.resolved_where(Some(&held("none")), || turbo), Some(Filling::Memory));
            assert_eq!(Fill::Fixed(None).resolved_where(None, || turbo), None);
        }
        assert_eq!((name_of(None).as_str(), name_of(Some(Filling::Cores)).as_str()), ("none", "cores"));
    }
}
