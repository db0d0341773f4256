//! Lists of logical processors as Linux and its tools write them: `0-3,8,10-11`.

use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;

use serde::Serialize;

use crate::distinct::distinct;

/// A list of logical CPUs. It keeps the order in which it was written, because a user's order is the order in which
/// workers get their processors; no CPU is in it twice.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CpuList(Vec<usize>);

/// Largest number of a CPU; larger ones are taken for slips of the finger, since no kernel is built for as many.
const LARGEST_CPU: usize = 65_535;

/// Reasons why a text is not a list of CPUs.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CpuListError {
    /// The list, or what is between two of its commas, is empty.
    #[error("a CPU is missing in '{0}': expected a list such as 0-3,8,10-11")]
    Empty(String),
    /// Something else than a number.
    #[error("'{0}' is not the number of a CPU: expected a list such as 0-3,8,10-11")]
    NotANumber(String),
    /// A range from the first number to the last that ends before it begins.
    #[error("the range {0}-{1} ends before it begins: write {1}-{0}")]
    Reversed(usize, usize),
    /// A number that no computer has.
    #[error("CPU {0} is out of range: must be at most {LARGEST_CPU}")]
    TooLarge(String),
    /// A CPU that is named a second time.
    #[error("CPU {0} is in the list twice")]
    Twice(usize),
}

/// A CPU of a user's list that this process may not run on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("CPU {cpu} is not among the CPUs that this process may run on: {allowed}")]
pub struct NotAllowed {
    /// First CPU of the list that is not allowed.
    pub cpu: usize,
    /// CPUs that are allowed.
    pub allowed: CpuList,
}

impl CpuList {
    /// The CPUs, in the order of the list.
    pub fn as_slice(&self) -> &[usize] {
        &self.0
    }

    /// Number of CPUs.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether the list is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the CPU is in the list.
    pub fn contains(&self, cpu: usize) -> bool {
        self.0.contains(&cpu)
    }
}

/// A CPU that comes again is left out.
impl FromIterator<usize> for CpuList {
    fn from_iter<I: IntoIterator<Item = usize>>(cpus: I) -> Self {
        Self(distinct(cpus))
    }
}

impl FromStr for CpuList {
    type Err = CpuListError;

    fn from_str(text: &str) -> Result<Self, CpuListError> {
        let mut seen = HashSet::new();
        let mut list = Vec::new();
        for item in text.split(',').map(str::trim) {
            if item.is_empty() {
                return Err(CpuListError::Empty(text.to_owned()));
            }
            let (first, last) = match item.split_once('-') {
                None => (number(item)?, number(item)?),
                Some((first, last)) => (number(first)?, number(last)?),
            };
            if first > last {
                return Err(CpuListError::Reversed(first, last));
            }
            for cpu in first..=last {
                if !seen.insert(cpu) {
                    return Err(CpuListError::Twice(cpu));
                }
                list.push(cpu);
            }
        }
        Ok(Self(list))
    }
}

fn number(text: &str) -> Result<usize, CpuListError> {
    let text = text.trim();
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(CpuListError::NotANumber(text.to_owned()));
    }
    match text.parse() {
        Ok(cpu) if cpu <= LARGEST_CPU => Ok(cpu),
        _ => Err(CpuListError::TooLarge(text.to_owned())),
    }
}

/// Writes ranges where numbers follow one another: `0-3,8`. Parsing gives the same list back.
impl fmt::Display for CpuList {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("none");
        }
        for (i, run) in self.0.chunk_by(|a, b| a + 1 == *b).enumerate() {
            let comma = if i == 0 { "" } else { "," };
            match run {
                [first, .., last] => write!(f, "{comma}{first}-{last}")?,
                [cpu] => write!(f, "{comma}{cpu}")?,
                [] => {}
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read_in_their_order() {
        let cases: [(&str, &[usize], &str); 6] = [
            ("0", &[0], "0"),
            ("0-3,8,10-11", &[0, 1, 2, 3, 8, 10, 11], "0-3,8,10-11"),
            (" 4 , 2 - 3 ", &[4, 2, 3], "4,2-3"),
            ("7-7", &[7], "7"),
            ("3,2,1", &[3, 2, 1], "3,2,1"),
            ("65535", &[65_535], "65535"),
        ];
        for (text, cpus, written) in cases {
            let list: CpuList = text.parse().unwrap();
            assert_eq!(list.as_slice(), cpus, "{text}");
            assert_eq!(list.to_string(), written);
            assert_eq!(written.parse(), Ok(list));
        }
    }

    #[test]
    fn errors_say_what_is_wrong() {
        let cases = [
            ("", "a CPU is missing"),
            ("0,,1", "a CPU is missing in '0,,1'"),
            ("0,", "a CPU is missing"),
            ("a", "'a' is not the number of a CPU"),
            ("0-", "'' is not"),
            ("-1", "'' is not"),
            ("0-1-2", "'1-2' is not"),
            ("+1", "'+1' is not"),
            ("3-1", "the range 3-1 ends before it begins: write 1-3"),
            ("65536", "CPU 65536 is out of range"),
            ("0-99999999999999999999", "CPU 99999999999999999999 is out of range"),
            ("0-3,2", "CPU 2 is in the list twice"),
        ];
        for (text, expected) in cases {
            let error = text.parse::<CpuList>().unwrap_err().to_string();
            assert!(error.contains(expected), "{text:?}: {error}");
        }
    }
}
