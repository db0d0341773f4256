//! Memory of a table: zeroed, on large pages where the system gives them.
//!
//! A table of many megabytes is read at random, so with ordinary pages nearly every read would also miss the
//! translation lookaside buffer. On Linux the memory is mapped for itself, aligned to a large page, and the kernel is
//! asked for large pages (`madvise`); elsewhere it comes from the allocator.

use std::io;
use std::ops::Deref;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes of a large page on x86-64 and, with pages of 4 KiB, on ARM.
const LARGE_PAGE: usize = 2 << 20;
/// Bytes of a cache line, which holds a bucket.
const LINE: usize = 64;
/// Bytes that are worth a thread to clear them.
const WORTH_A_THREAD: usize = 4 << 20;

/// Words that many threads read and write.
pub(super) struct Memory {
    region: Region,
    length: usize,
}

impl Memory {
    /// Words that are 0. Where the system allows, no page is in memory until it is touched.
    pub fn zeroed(length: usize) -> io::Result<Self> {
        let bytes = length.max(1) * size_of::<AtomicU64>();
        let align = if bytes >= LARGE_PAGE { LARGE_PAGE } else { LINE };
        Ok(Self { region: Region::zeroed(bytes, align)?, length })
    }

    /// Brings all words into memory and sets them to 0, by a number of threads.
    pub fn clear(&self, threads: usize) {
        let threads = threads.clamp(1, size_of_val(&self[..]) / WORTH_A_THREAD + 1);
        if threads == 1 {
            return clear(self);
        }
        std::thread::scope(|scope| {
            for part in self.chunks(self.length.div_ceil(threads)) {
                // Where the system gives no thread, this one does the work.
                if std::thread::Builder::new().spawn_scoped(scope, || clear(part)).is_err() {
                    clear(part);
                }
            }
        });
    }

    /// Number of bytes that lie on large pages, where the system tells.
    pub fn on_large_pages(&self) -> Option<u64> {
        large_pages_at(self.region.start as usize)
    }
}

impl Deref for Memory {
    type Target = [AtomicU64];

    #[inline(always)]
    fn deref(&self) -> &[AtomicU64] {
        // SAFETY: the region holds at least that many bytes, zeroed when it was made, aligned to more than a word.
        unsafe { std::slice::from_raw_parts(self.region.start.cast(), self.length) }
    }
}

fn clear(words: &[AtomicU64]) {
    for word in words {
        word.store(0, Ordering::Relaxed);
    }
}

/// Owned zeroed bytes.
struct Region {
    start: *mut u8,
    /// Address and length of the mapping, for unmapping it.
    #[cfg(target_os = "linux")]
    mapping: (*mut libc::c_void, usize),
    #[cfg(not(target_os = "linux"))]
    layout: std::alloc::Layout,
}

// SAFETY: the bytes belong to the region alone, and `Memory` gives them out as atomics only.
unsafe impl Send for Region {}
// SAFETY: as above.
unsafe impl Sync for Region {}

#[cfg(target_os = "linux")]
impl Region {
    fn zeroed(bytes: usize, align: usize) -> io::Result<Self> {
        use std::ptr::null_mut;
        let whole = bytes + align;
        let (access, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: a new mapping touches nothing that exists.
        let base = unsafe { libc::mmap(null_mut(), whole, access, kind, -1, 0) };
        if base == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let start = base.cast::<u8>();
        // SAFETY: the mapping is longer than `bytes` by `align`.
        let start = unsafe { start.add(start.align_offset(align)) };
        if align == LARGE_PAGE {
            // SAFETY: the range is ours, and the advice does not change what is in it. A refusal costs speed only.
            unsafe { libc::madvise(start.cast(), bytes, libc::MADV_HUGEPAGE) };
        }
        Ok(Self { start, mapping: (base, whole) })
    }
}

#[cfg(target_os = "linux")]
impl Drop for Region {
    fn drop(&mut self) {
        // SAFETY: it was mapped so.
        unsafe { libc::munmap(self.mapping.0, self.mapping.1) };
    }
}

#[cfg(not(target_os = "linux"))]
impl Region {
    fn zeroed(bytes: usize, align: usize) -> io::Result<Self> {
        let layout = std::alloc::Layout::from_size_align(bytes, align).expect("a table fits into memory");
        // SAFETY: the size is not 0.
        let start = unsafe { std::alloc::alloc_zeroed(layout) };
        if start.is_null() {
            return Err(io::ErrorKind::OutOfMemory.into());
        }
        Ok(Self { start, layout })
    }
}

#[cfg(not(target_os = "linux"))]
impl Drop for Region {
    fn drop(&mut self) {
        // SAFETY: it was allocated with this layout.
        unsafe { std::alloc::dealloc(self.start, self.layout) };
    }
}

/// Number of bytes on large pages of the mapping that holds this address, from `/proc/self/smaps`.
fn large_pages_at(address: usize) -> Option<u64> {
    let smaps = std::fs::read_to_string("/proc/self/smaps").ok()?;
    let mut lines = smaps.lines().skip_while(|line| !range_of(line).is_some_and(|range| range.contains(&address)));
    lines.next()?;
    let own = lines.take_while(|line| range_of(line).is_none());
    let mut sizes = own.filter_map(|line| line.strip_prefix("AnonHugePages:"));
    let kib: u64 = sizes.next()?.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib << 10)
}

/// Addresses of a mapping, if a line begins one.
fn range_of(line: &str) -> Option<std::ops::Range<usize>> {
    let (start, end) = line.split_whitespace().next()?.split_once('-')?;
    Some(usize::from_str_radix(start, 16).ok()?..usize::from_str_radix(end, 16).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_zero_and_can_be_cleared() {
        for (length, threads) in [(1, 1), (1000, 4), (3 << 20, 3)] {
            let memory = Memory::zeroed(length).unwrap();
            assert_eq!(memory.len(), length);
            assert!(memory.iter().all(|word| word.load(Ordering::Relaxed) == 0));
            memory.iter().for_each(|word| word.store(7, Ordering::Relaxed));
            memory.clear(threads);
            assert!(memory.iter().all(|word| word.load(Ordering::Relaxed) == 0));
            assert_eq!(memory.as_ptr() as usize % LINE, 0);
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_system_tells_of_large_pages() {
        let memory = Memory::zeroed(8 << 20).unwrap();
        memory.clear(2);
        let large = memory.on_large_pages().expect("/proc/self/smaps names every mapping");
        assert!(large <= 64 << 20 && large.is_multiple_of(4 << 10), "{large}");
    }
}
