//! What Windows tells and does: memory, and the end of processes together with this one. Written to Microsoft's
//! documentation.

use std::ffi::c_void;
use std::io::{Error, Result};

#[repr(C)]
#[derive(Default)]
struct MemoryStatus {
    length: u32,
    load_percent: u32,
    total: u64,
    available: u64,
    total_commitment: u64,
    available_commitment: u64,
    total_addresses: u64,
    available_addresses: u64,
    available_extended: u64,
}

/// Limits of a job, of which only those of `flags` hold.
#[repr(C)]
#[derive(Default)]
struct JobLimits {
    process_time: i64,
    job_time: i64,
    flags: u32,
    least_working_set: usize,
    largest_working_set: usize,
    processes: u32,
    affinity: usize,
    priority: u32,
    scheduling: u32,
    transfers: [u64; 6],
    process_memory: usize,
    job_memory: usize,
    peak_process_memory: usize,
    peak_job_memory: usize,
}

/// `JobObjectExtendedLimitInformation`: the kind of information that [`JobLimits`] is.
const EXTENDED_LIMITS: i32 = 9;
/// `JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE`.
const KILL_ON_CLOSE: u32 = 0x2000;
/// `PROCESS_TERMINATE | PROCESS_SET_QUOTA`: what is needed to put a process into a job.
const TO_ASSIGN: u32 = 0x0001 | 0x0100;

#[link(name = "kernel32")]
unsafe extern "system" {
    fn GlobalMemoryStatusEx(status: *mut MemoryStatus) -> i32;
    fn CreateJobObjectW(attributes: *const c_void, name: *const u16) -> *mut c_void;
    fn SetInformationJobObject(job: *mut c_void, class: i32, limits: *const JobLimits, bytes: u32) -> i32;
    fn AssignProcessToJobObject(job: *mut c_void, process: *mut c_void) -> i32;
    fn OpenProcess(access: u32, inherits: i32, id: u32) -> *mut c_void;
    fn CloseHandle(handle: *mut c_void) -> i32;
}

/// Size of the main memory, and how much of it this process could still get: what is free, what the system will stand
/// for, and what it has addresses for.
pub fn memory_bytes() -> Option<(u64, u64)> {
    let mut status = MemoryStatus { length: size_of::<MemoryStatus>() as u32, ..MemoryStatus::default() };
    // SAFETY: the pointer is to a structure of the size that it tells.
    let told = unsafe { GlobalMemoryStatusEx(&raw mut status) };
    let available = status.available.min(status.available_commitment).min(status.available_addresses);
    (told != 0).then_some((status.total, available))
}

/// Processes that end with this one, however it ends: the system closes its handles then, and that of the job ends all
/// that is in it. What a process in it starts is in it, too.
pub struct Job(*mut c_void);

// SAFETY: a handle may be used by any thread.
unsafe impl Send for Job {}
// SAFETY: as above.
unsafe impl Sync for Job {}

impl Job {
    /// A job without processes.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn new() -> Result<Self> {
        // SAFETY: neither attributes nor a name are given.
        let handle = unsafe { CreateJobObjectW(std::ptr::null(), std::ptr::null()) };
        if handle.is_null() {
            return Err(Error::last_os_error());
        }
        let job = Self(handle);
        let limits = JobLimits { flags: KILL_ON_CLOSE, ..JobLimits::default() };
        let bytes = size_of::<JobLimits>() as u32;
        // SAFETY: the pointer is to a structure of that class and size, which the call only reads.
        done(unsafe { SetInformationJobObject(handle, EXTENDED_LIMITS, &raw const limits, bytes) })?;
        Ok(job)
    }

    /// Puts a process of this number into it.
    ///
    /// # Errors
    /// If there is none, or it may not be put there.
    pub fn add(&self, id: u32) -> Result<()> {
        // SAFETY: the call takes numbers, and gives a handle that is ours.
        let process = unsafe { OpenProcess(TO_ASSIGN, 0, id) };
        if process.is_null() {
            return Err(Error::last_os_error());
        }
        // SAFETY: both handles are open.
        let added = done(unsafe { AssignProcessToJobObject(self.0, process) });
        // SAFETY: the handle is ours, and nobody uses it afterwards.
        unsafe { CloseHandle(process) };
        added
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        // SAFETY: the handle is ours, and nobody uses it afterwards.
        unsafe { CloseHandle(self.0) };
    }
}

/// The system's error, unless a call has succeeded.
fn done(status: i32) -> Result<()> {
    if status == 0 { Err(Error::last_os_error()) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_told() {
        let (total, available) = memory_bytes().unwrap();
        assert!(total > 64 << 20 && available > 0 && available < total.saturating_mul(64));
    }

    #[test]
    fn a_process_ends_with_its_job() {
        // It waits for its input, which does not end.
        let mut command = std::process::Command::new("cmd");
        let mut child = command.args(["/c", "pause"]).stdin(std::process::Stdio::piped()).spawn().unwrap();
        let input = child.stdin.take();
        let job = Job::new().unwrap();
        job.add(child.id()).unwrap();
        assert!(child.try_wait().unwrap().is_none());
        drop(job);
        // While its input is still open.
        let began = std::time::Instant::now();
        while child.try_wait().unwrap().is_none() {
            assert!(began.elapsed().as_secs() < 10);
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        drop(input);
    }
}
