//! Threads that keep processors busy which are not measured. The clock falls as more cores wake, so that one thread
//! alone runs faster than each of many: with the other cores filled, both run at the same clock. (R. Hyatt measures
//! so.)
//!
//! # Memory ordering
//! The flag that stops the threads guards no data, so it is `Relaxed`; joining them orders the rest.

use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use super::host::{CpuList, NotAllowed, Topology};
use super::pin::pin_this_thread;

/// Steps of arithmetic between two reads of the flag that stops the threads: a few microseconds.
const STEPS: u32 = 4096;
/// Time in which the threads begin. One that has not begun by then has no processor to begin on; the others are filled
/// all the same.
const LONGEST_START: Duration = Duration::from_secs(1);

/// Threads that calculate, each pinned to one CPU, until this is dropped. They work in registers, so that they take
/// clock and heat from the measured cores but no cache and no memory.
#[derive(Debug)]
pub struct Fill {
    stop: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

/// Reasons why processors cannot be kept busy.
#[derive(Debug, thiserror::Error)]
pub enum FillError {
    /// A CPU is not in the mask of the process.
    #[error(transparent)]
    NotAllowed(#[from] NotAllowed),
    /// The system gives no more threads.
    #[error("cannot start a thread to keep CPU {cpu} busy: {error}")]
    NoThread {
        /// The CPU that was to be kept busy.
        cpu: usize,
        /// Error of the system.
        error: std::io::Error,
    },
}

impl Fill {
    /// Starts a thread on each of the CPUs, and returns when the threads are at work.
    ///
    /// # Errors
    /// If a CPU is not allowed or the system gives no thread; then none is left running.
    pub fn start(cpus: &[usize]) -> Result<Self, FillError> {
        let cpus: CpuList = cpus.iter().copied().collect();
        Topology::of_system().check(&cpus)?;
        let (pinning, pinned) = channel::<()>();
        let mut fill = Self { stop: Arc::default(), threads: Vec::with_capacity(cpus.len()) };
        for &cpu in cpus.as_slice() {
            // If this fails, dropping what has been started stops it.
            fill.threads.push(fill.spawn(cpu, pinning.clone()).map_err(|error| FillError::NoThread { cpu, error })?);
        }
        drop(pinning);
        // Nothing is ever sent: the wait ends when every thread has dropped its sender, or with the time.
        let _ = pinned.recv_timeout(LONGEST_START);
        Ok(fill)
    }

    fn spawn(&self, cpu: usize, pinning: Sender<()>) -> std::io::Result<JoinHandle<()>> {
        let stop = Arc::clone(&self.stop);
        Builder::new().name(format!("fill {cpu}")).spawn(move || {
            pin_this_thread(cpu);
            drop(pinning);
            calculate(&stop, cpu as u64);
        })
    }
}

impl Drop for Fill {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        for thread in self.threads.drain(..) {
            // Arithmetic cannot panic, and a drop has no one to tell.
            let _ = thread.join();
        }
    }
}

/// Runs a linear congruential generator (Knuth's MMIX) in a register until it is stopped. The flag is shared but only
/// read, so its line stays in every core's own cache.
fn calculate(stop: &AtomicBool, seed: u64) {
    let mut number = seed;
    while !stop.load(Ordering::Relaxed) {
        for _ in 0..STEPS {
            number = black_box(number).wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        }
    }
    black_box(number);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filled_processor_is_left_when_dropped() {
        let first = Topology::of_system().order()[0];
        let fill = Fill::start(&[first, first]).unwrap();
        assert_eq!(fill.threads.len(), 1, "a CPU is filled once");
        let stop = Arc::clone(&fill.stop);
        drop(fill);
        assert_eq!(Arc::strong_count(&stop), 1, "the thread has ended");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn each_processor_has_a_thread_that_works_on_it() {
        use super::super::host::Files;

        let last = *Topology::of_system().order().last().unwrap();
        let _fill = Fill::start(&[last]).unwrap();
        // The kernel's own account of the thread, found by its name.
        let files = Files::of_system();
        let is_ours = |task: &usize| files.text(&format!("proc/self/task/{task}/comm")) == Some(format!("fill {last}"));
        let worked_ns = |task: usize| -> u64 {
            let text = files.text(&format!("proc/self/task/{task}/schedstat")).unwrap_or_default();
            text.split_whitespace().next().and_then(|ns| ns.parse().ok()).unwrap_or(0)
        };
        let tasks: Vec<usize> = files.numbered("proc/self/task", "").into_iter().filter(is_ours).collect();
        // Others may want the same core: 20 ms of it are enough to see that the thread does not sleep.
        let has_worked = (0..20).any(|_| {
            std::thread::sleep(Duration::from_millis(200));
            tasks.iter().any(|task| worked_ns(*task) > 20_000_000)
        });
        assert!(has_worked, "{tasks:?}");
        let status = |task: &usize| files.text(&format!("proc/self/task/{task}/status")).unwrap_or_default();
        let bound = format!("Cpus_allowed_list:\t{last}\n");
        assert!(tasks.iter().any(|task| status(task).contains(&bound)), "{tasks:?}");
    }

    #[test]
    fn a_cpu_that_does_not_exist_is_an_error() {
        let first = Topology::of_system().order()[0];
        let error = Fill::start(&[first, 65_000]).unwrap_err().to_string();
        assert!(error.contains("CPU 65000 is not one of those"), "{error}");
    }

    #[test]
    fn nothing_to_fill_is_no_error() {
        assert!(Fill::start(&[]).unwrap().threads.is_empty());
    }
}
