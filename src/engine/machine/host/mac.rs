//! What macOS tells by `sysctl`, written to Apple's documentation: the performance levels of cores, the fastest first,
//! and the memory. It does not tell which numbers the CPUs of a level have, and pins no thread to one.

/// Number of logical CPUs of each performance level; empty if all cores are alike.
pub fn performance_levels() -> Vec<usize> {
    let count = number("hw.nperflevels").unwrap_or(1);
    let level = |level| usize::try_from(number(&format!("hw.perflevel{level}.logicalcpu"))?).ok();
    if count > 1 { (0..count).map_while(level).collect() } else { Vec::new() }
}

/// Size of the main memory.
pub fn memory_bytes() -> Option<u64> {
    number("hw.memsize")
}

/// Value of a variable of the system that is a number of four or eight bytes.
fn number(name: &str) -> Option<u64> {
    let name = std::ffi::CString::new(name).ok()?;
    let mut bytes = [0u8; 8];
    let mut length = bytes.len();
    // SAFETY: the name ends with a zero, the buffer has room for that many bytes, and nothing is set.
    let status = unsafe {
        libc::sysctlbyname(name.as_ptr(), bytes.as_mut_ptr().cast(), &raw mut length, std::ptr::null_mut(), 0)
    };
    match (status, length) {
        (0, 4) => Some(u32::from_ne_bytes(bytes[..4].try_into().ok()?).into()),
        (0, 8) => Some(u64::from_ne_bytes(bytes)),
        _ => None,
    }
}
