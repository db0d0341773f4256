//! Letters by MPI, in a handful of C functions that any MPI library serves: two-sided messages, polled, from one thread
//! at a time. Who has nothing to say to MPI waits for nothing there.

use std::ffi::{c_int, c_void};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::transport::{Channel, Transport};

// SAFETY: the functions of `mpi.c`, which is compiled with this file; what each asks of its caller stands there.
unsafe extern "C" {
    fn splitpoint_mpi_begin(rank: *mut c_int, ranks: *mut c_int) -> c_int;
    fn splitpoint_mpi_send(words: *const u64, count: c_int, to: c_int, tag: c_int) -> *mut c_void;
    fn splitpoint_mpi_is_sent(sending: *mut c_void) -> c_int;
    fn splitpoint_mpi_probe(tag: c_int, from: *mut c_int, count: *mut c_int) -> *mut c_void;
    fn splitpoint_mpi_receive(message: *mut c_void, words: *mut u64, count: c_int);
    fn splitpoint_mpi_end();
}

/// Reasons why the processes of MPI cannot write to one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MpiError {
    /// The library did not start.
    #[error("MPI did not start")]
    NotStarted,
    /// The library is not made for threads.
    #[error("this MPI library does not serve programs with threads: MPI_THREAD_SERIALIZED is needed")]
    NoThreads,
    /// The starter is of another MPI than the library.
    #[error(
        "{0} processes were started, and MPI knows of this one only: the program is built with another MPI library \
         than its starter serves. Take the mpirun of that library, or, under Slurm, another of the types of 'srun \
         --mpi=list' (pmix for Open MPI, pmi2 for MPICH)"
    )]
    Foreign(usize),
}

/// The processes that `mpirun` has started.
#[derive(Debug)]
pub struct Mpi {
    rank: usize,
    ranks: usize,
    /// Letters that MPI is still sending. Whoever has the lock may call MPI.
    sending: Mutex<Vec<Sending>>,
}

/// A letter that MPI is sending from this memory.
#[derive(Debug)]
struct Sending {
    handle: *mut c_void,
    /// Read by MPI until the letter is sent.
    _words: Box<[u64]>,
}

// SAFETY: the handle is a request of MPI, which any thread may ask about; one at a time does, under the lock.
unsafe impl Send for Sending {}

impl Mpi {
    /// Begins, if `mpirun` or a similar program has started several processes. To be called once, before other threads
    /// begin.
    ///
    /// # Errors
    /// If the library does not start, or does not serve threads.
    pub fn begin() -> Result<Option<Arc<dyn Transport>>, MpiError> {
        let Some(started) = super::processes_started().filter(|&ranks| ranks > 1) else { return Ok(None) };
        let (mut rank, mut ranks) = (0, 0);
        // SAFETY: called once, with room for two numbers.
        match unsafe { splitpoint_mpi_begin(&mut rank, &mut ranks) } {
            0 if ranks == 1 => return Err(MpiError::Foreign(started)),
            0 => {}
            1 => return Err(MpiError::NotStarted),
            _ => return Err(MpiError::NoThreads),
        }
        Ok(Some(Arc::new(Self { rank: rank as usize, ranks: ranks as usize, sending: Mutex::default() })))
    }

    /// Frees letters that have been sent.
    fn forget_sent(sending: &mut MutexGuard<'_, Vec<Sending>>) {
        // SAFETY: each handle was returned by `splitpoint_mpi_send`, is asked about under the lock, and is dropped once
        // it is sent.
        sending.retain(|letter| unsafe { splitpoint_mpi_is_sent(letter.handle) } == 0);
    }
}

impl Transport for Mpi {
    fn rank(&self) -> usize {
        self.rank
    }

    fn ranks(&self) -> usize {
        self.ranks
    }

    fn post(&self, to: usize, channel: Channel, words: &[u64]) {
        let mut sending = self.sending.lock().unwrap_or_else(PoisonError::into_inner);
        Self::forget_sent(&mut sending);
        let words: Box<[u64]> = words.into();
        // SAFETY: the words live until MPI has sent them, in `sending`; the lock is held.
        let handle =
            unsafe { splitpoint_mpi_send(words.as_ptr(), words.len() as c_int, to as c_int, channel as c_int) };
        sending.push(Sending { handle, _words: words });
    }

    fn poll(&self, channel: Channel) -> Option<(usize, Box<[u64]>)> {
        let mut sending = self.sending.try_lock().ok()?;
        Self::forget_sent(&mut sending);
        let (mut from, mut count) = (0, 0);
        // SAFETY: room for two numbers; the lock is held.
        let message = unsafe { splitpoint_mpi_probe(channel as c_int, &mut from, &mut count) };
        if message.is_null() {
            return None;
        }
        let mut words = vec![0; count as usize].into_boxed_slice();
        // SAFETY: a message that the probe has found, with room for all its words; the lock is held.
        unsafe { splitpoint_mpi_receive(message, words.as_mut_ptr(), count) };
        Some((from as usize, words))
    }

    fn close(&self) {
        let mut sending = self.sending.lock().unwrap_or_else(PoisonError::into_inner);
        while !sending.is_empty() {
            Self::forget_sent(&mut sending);
            std::thread::yield_now();
        }
        // SAFETY: called once, by the thread that began, and nothing is under way.
        unsafe { splitpoint_mpi_end() }
    }
}
