//! How long what is left will take: learnt from the cells that are done, by position and depth.

use std::collections::HashMap;

use super::cell::{Cell, Configuration, Depth, MachineKind};

/// How much faster so many processors are taken to be, as a power of their number.
const GAIN: f64 = 0.8;

/// What has been learnt.
#[derive(Clone, Debug, Default)]
pub struct Pace {
    /// Seconds of one processor and how many cells took them, by kind of cell.
    known: HashMap<String, (f64, f64)>,
    all: (f64, f64),
}

/// Cells that take about as long, but for the number of processors.
fn kind(cell: &Cell) -> String {
    let Configuration { machine, features, nodes, time_s, board, .. } = &cell.configuration;
    format!("{} {features} {board} {nodes:?} {time_s:?} {} {:?}", machine.name(), cell.position, cell.depth)
}

fn speed(cell: &Cell) -> f64 {
    let is_shared = cell.configuration.machine == MachineKind::Real && cell.configuration.depth != Depth::Unlimited;
    if is_shared { f64::from(cell.configuration.threads).powf(GAIN) } else { 1.0 }
}

impl Pace {
    /// A cell took so many seconds of this computer.
    pub fn learn(&mut self, cell: &Cell, host_s: f64) {
        let work = host_s * speed(cell);
        let known = self.known.entry(kind(cell)).or_default();
        *known = (known.0 + work, known.1 + 1.0);
        self.all = (self.all.0 + work, self.all.1 + 1.0);
    }

    /// How long a cell will take, in seconds; `None` before the first.
    pub fn expect(&self, cell: &Cell) -> Option<f64> {
        let mean = |(work, count): (f64, f64)| (count > 0.0).then(|| work / count);
        let of_kind = self.known.get(&kind(cell)).copied().and_then(mean);
        of_kind.or_else(|| mean(self.all)).map(|work| work / speed(cell))
    }
}

/// A time in words: `45 s`, `3 min 20 s`, `2 h 05 min`.
pub fn in_words(seconds: f64) -> String {
    let whole = seconds.max(0.0).round() as u64;
    match whole {
        0..60 => format!("{whole} s"),
        60..3600 => format!("{} min {:02} s", whole / 60, whole % 60),
        _ => format!("{} h {:02} min", whole / 3600, whole % 3600 / 60),
    }
}
