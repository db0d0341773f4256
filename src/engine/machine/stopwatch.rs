//! A clock for times of some nanoseconds: the counter of ticks that most processors have and any program may read.
//! Where there is none that counts evenly on all cores, the system's clock serves.
//!
//! Reading it takes time itself, which is measured too, and taken off all times.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// The clock of this computer.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch {
    /// Length of a tick; none if the system's clock is read, whose ticks are nanoseconds.
    tick_ns: Option<f64>,
    /// Mean time between two readings that follow each other at once, in nanoseconds.
    reading_ns: f64,
}

/// Time for which ticks are counted to find their length.
const COUNTED: Duration = Duration::from_millis(2);
/// Number of pairs of readings that are tried.
const PAIRS: usize = 512;

impl Stopwatch {
    /// The clock, measured at its first use.
    pub fn of_system() -> &'static Self {
        static STOPWATCH: OnceLock<Stopwatch> = OnceLock::new();
        STOPWATCH.get_or_init(Self::measure)
    }

    fn measure() -> Self {
        let mut stopwatch = Self { tick_ns: ticks::are_even().then(tick_ns), reading_ns: 0.0 };
        let mut pairs: Vec<f64> = (0..PAIRS).map(|_| stopwatch.read()).map(|from| stopwatch.since(from)).collect();
        pairs.sort_by(f64::total_cmp);
        // A pair that was interrupted says nothing; the others differ by the grain of the clock.
        let whole = &pairs[..PAIRS - PAIRS / 16];
        stopwatch.reading_ns = whole.iter().sum::<f64>() / whole.len() as f64;
        stopwatch
    }

    /// Present reading, in ticks.
    #[inline]
    pub fn read(&self) -> u64 {
        if self.tick_ns.is_some() { ticks::read() } else { system_ns() }
    }

    /// Nanoseconds from one reading to another that came so many readings later, without what these have taken.
    #[inline]
    pub fn between(&self, from: u64, to: u64, readings: u32) -> u64 {
        let time_ns = to.saturating_sub(from) as f64 * self.tick_ns.unwrap_or(1.0);
        // A negative number becomes 0.
        (time_ns - f64::from(readings) * self.reading_ns).round() as u64
    }

    fn since(&self, from: u64) -> f64 {
        self.read().saturating_sub(from) as f64 * self.tick_ns.unwrap_or(1.0)
    }

    /// Time that a reading takes, in nanoseconds.
    pub fn reading_ns(&self) -> f64 {
        self.reading_ns
    }

    /// Source of the readings.
    pub fn source(&self) -> &'static str {
        if self.tick_ns.is_some() { "time stamp counter" } else { "system clock" }
    }
}

/// Nanoseconds since the first call.
fn system_ns() -> u64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_nanos() as u64
}

/// Length of a tick by the system's clock.
fn tick_ns() -> f64 {
    let (start, first) = (Instant::now(), ticks::read());
    while start.elapsed() < COUNTED {
        std::hint::spin_loop();
    }
    let (time, last) = (start.elapsed(), ticks::read());
    time.as_nanos() as f64 / last.saturating_sub(first).max(1) as f64
}

#[cfg(target_arch = "x86_64")]
mod ticks {
    use std::arch::x86_64::{__cpuid, _mm_lfence, _rdtsc};

    /// Whether the processor says that its ticks are of equal length, whatever it does. Systems keep those of all cores
    /// in step then.
    pub fn are_even() -> bool {
        const POWER: u32 = 0x8000_0007;
        const INVARIANT: u32 = 1 << 8;
        let highest = __cpuid(0x8000_0000).eax;
        highest >= POWER && __cpuid(POWER).edx & INVARIANT != 0
    }

    /// Number of ticks, when all instructions before have been done.
    #[inline]
    pub fn read() -> u64 {
        // SAFETY: both instructions are part of every x86-64 processor.
        unsafe {
            _mm_lfence();
            _rdtsc()
        }
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod ticks {
    pub fn are_even() -> bool {
        false
    }

    pub fn read() -> u64 {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_the_system() {
        let stopwatch = Stopwatch::of_system();
        let (start, from) = (Instant::now(), stopwatch.read());
        std::thread::sleep(Duration::from_millis(20));
        let (own, system) = (stopwatch.between(from, stopwatch.read(), 1) as f64, start.elapsed().as_nanos() as f64);
        // The thread may be interrupted between the two clocks, but not often for long.
        assert!((0.9..=1.1).contains(&(own / system)), "{own} ns and {system} ns by {}", stopwatch.source());
        assert!(stopwatch.reading_ns() > 0.0 && stopwatch.reading_ns() < 1000.0, "{stopwatch:?}");
    }
}
