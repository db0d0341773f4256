//! Caches between a processor and memory, and which logical CPUs share each of them.

use serde::Serialize;

use super::cpu_list::CpuList;
use super::files::Files;
use super::topology::Topology;
use crate::choices::choices;

/// One cache.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cache {
    /// Level, 1 for the nearest to the processor.
    pub level: u32,
    /// Contents of the cache.
    pub kind: CacheKind,
    /// Size of the cache.
    pub bytes: Option<u64>,
    /// Size of a line, for which two processors compete when they write near to one another.
    pub line_bytes: Option<u32>,
    /// Logical CPUs that use the cache.
    pub shared_by: CpuList,
}

choices! {
    /// Contents of a cache.
    pub enum CacheKind, "kind of cache";
    /// Data that programs read and write.
    Data "data",
    /// The program.
    Instruction "instruction",
    /// Both.
    Unified "unified",
}

impl Cache {
    /// Reads the caches of all CPUs that are switched on, each once, the nearest first.
    pub fn read_all(files: &Files, topology: &Topology) -> Vec<Self> {
        let mut caches: Vec<Self> = Vec::new();
        for cpu in topology.cpus.iter().map(|cpu| cpu.cpu) {
            let folder = format!("sys/devices/system/cpu/cpu{cpu}/cache");
            for index in files.numbered(&folder, "index") {
                if let Some(cache) = read(files, &format!("{folder}/index{index}"), cpu)
                    && !caches.contains(&cache)
                {
                    caches.push(cache);
                }
            }
        }
        caches.sort_by_key(|cache| (cache.level, cache.kind, cache.shared_by.as_slice().first().copied()));
        caches
    }
}

fn read(files: &Files, folder: &str, cpu: usize) -> Option<Cache> {
    Some(Cache {
        level: files.value(&format!("{folder}/level"))?,
        kind: files.text(&format!("{folder}/type"))?.to_lowercase().parse().ok()?,
        bytes: files.text(&format!("{folder}/size")).and_then(|size| bytes(&size)),
        line_bytes: files.value(&format!("{folder}/coherency_line_size")),
        shared_by: files.value(&format!("{folder}/shared_cpu_list")).unwrap_or_else(|| [cpu].into_iter().collect()),
    })
}

/// A size as the kernel writes it: `32K`, `8M`, `512`.
fn bytes(size: &str) -> Option<u64> {
    let units = [("K", 1 << 10), ("M", 1 << 20), ("G", 1 << 30)];
    let with_unit = units.iter().find_map(|(name, unit)| Some((size.strip_suffix(name)?, *unit)));
    let (number, unit) = with_unit.unwrap_or((size, 1));
    number.parse::<u64>().ok()?.checked_mul(unit)
}

#[cfg(test)]
mod tests {
    use super::super::files::fake::Tree;
    use super::*;

    #[test]
    fn sizes() {
        let cases = [("48K", Some(49_152)), ("8M", Some(8 << 20)), ("1G", Some(1 << 30)), ("512", Some(512))];
        for (text, expected) in cases.into_iter().chain([("K", None), ("", None), ("1T", None), ("-1K", None)]) {
            assert_eq!(bytes(text), expected, "{text}");
        }
    }

    #[test]
    fn a_shared_cache_is_one() {
        let tree = Tree::new(&[("sys/devices/system/cpu/online", "0-1")]);
        for cpu in 0..2 {
            let own = cpu.to_string();
            let rows = [("0", "1", "Data", "48K", own.as_str()), ("1", "3", "Unified", "32768K", "0-1")];
            for (index, level, kind, size, shared) in rows {
                let folder = format!("sys/devices/system/cpu/cpu{cpu}/cache/index{index}");
                for (name, text) in [("level", level), ("type", kind), ("size", size), ("shared_cpu_list", shared)] {
                    tree.write(&format!("{folder}/{name}"), text);
                }
            }
        }
        let files = tree.files();
        let caches = Cache::read_all(&files, &Topology::read(&files, 1));
        let seen: Vec<_> =
            caches.iter().map(|c| (c.level, c.kind, c.bytes, c.line_bytes, c.shared_by.to_string())).collect();
        assert_eq!(
            seen,
            [
                (1, CacheKind::Data, Some(48 << 10), None, "0".to_owned()),
                (1, CacheKind::Data, Some(48 << 10), None, "1".to_owned()),
                (3, CacheKind::Unified, Some(32 << 20), None, "0-1".to_owned()),
            ]
        );
    }
}
