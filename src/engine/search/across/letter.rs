//! Letters between nodes, as words. The first holds the kind, the version of the format, and the number of the search;
//! the meaning of the others follows from the kind.

use crate::search::table::Sealed;

/// Version of the format.
const VERSION: u64 = 1;

const ENTRIES: u64 = 1;
const READ: u64 = 2;
const STEP: u64 = 3;
const STOP: u64 = 4;
const DONE: u64 = 5;

/// Letter from one node of a search to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Letter {
    /// Entries of the sender's table.
    Entries(Vec<Sealed>),
    /// A letter with entries has been read.
    Read,
    /// Step on a ring: entries of each node.
    Step { step: u64, entries: Vec<Vec<Sealed>> },
    /// The search is over.
    Stop,
    /// Best answer of the sender, whose workers have all left the search.
    Done(Done),
}

/// Deepest answer of a node, and the size of its tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Done {
    /// Depth of the answer in plies.
    pub depth: u32,
    /// Score of the answer.
    pub score: i32,
    /// Bits of the move to play; 0 for none.
    pub best: u32,
    /// Nodes of the tree that all its workers have searched.
    pub nodes: u64,
}

impl Letter {
    /// Words of the letter in the search of this number.
    pub fn words(&self, number: u32) -> Box<[u64]> {
        let first = |kind| kind | VERSION << 8 | u64::from(number) << 32;
        match self {
            Self::Entries(entries) => {
                [first(ENTRIES)].into_iter().chain(entries.iter().flat_map(Sealed::words)).collect()
            }
            Self::Read => [first(READ)].into(),
            Self::Step { step, entries } => {
                let of_node = |entries: &Vec<Sealed>| {
                    [entries.len() as u64].into_iter().chain(entries.iter().flat_map(Sealed::words)).collect::<Vec<_>>()
                };
                [first(STEP), *step].into_iter().chain(entries.iter().flat_map(of_node)).collect()
            }
            Self::Stop => [first(STOP)].into(),
            Self::Done(Done { depth, score, best, nodes }) => {
                let answer = u64::from(*score as u32) << 32 | u64::from(*best);
                [first(DONE), u64::from(*depth), answer, *nodes].into()
            }
        }
    }

    /// The letter that these words are, and the number of its search; `None` if they are none of this version.
    pub fn read(words: &[u64]) -> Option<(u32, Self)> {
        let (first, rest) = words.split_first()?;
        let letter = match (first & 0xFF, rest) {
            _ if first >> 8 & 0xFF != VERSION => return None,
            (ENTRIES, entries) => Self::Entries(Sealed::read_all(entries)?),
            (READ, []) => Self::Read,
            (STEP, [step, rest @ ..]) => {
                let (mut entries, mut rest) = (Vec::new(), rest);
                while let [count, more @ ..] = rest {
                    let (of_node, others) = more.split_at_checked(usize::try_from(*count).ok()?.checked_mul(2)?)?;
                    entries.push(Sealed::read_all(of_node)?);
                    rest = others;
                }
                Self::Step { step: *step, entries }
            }
            (STOP, []) => Self::Stop,
            (DONE, &[depth, answer, nodes]) => {
                let (score, best) = ((answer >> 32) as i32, answer as u32);
                Self::Done(Done { depth: depth.try_into().ok()?, score, best, nodes })
            }
            _ => return None,
        };
        Some(((first >> 32) as u32, letter))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let entries = Sealed::read_all(&[1, 2, 3, u64::MAX]).unwrap();
        let letters = [
            Letter::Entries(entries.clone()),
            Letter::Entries(Vec::new()),
            Letter::Read,
            Letter::Step { step: 7, entries: vec![entries.clone(), Vec::new(), entries] },
            Letter::Stop,
            Letter::Done(Done { depth: 14, score: -131_071, best: u32::MAX, nodes: 1 << 40 }),
        ];
        for letter in letters {
            let words = letter.words(u32::MAX - 1);
            assert_eq!(Letter::read(&words), Some((u32::MAX - 1, letter)));
            assert_eq!(Letter::read(&[&[words[0] ^ 1 << 8], &words[1..]].concat()), None, "of another version");
            let longer = [&words[..], &[9]].concat();
            assert_eq!(Letter::read(&longer), None, "{longer:?}");
        }
        assert_eq!(Letter::read(&[]), None);
        assert_eq!(Letter::read(&[STEP | VERSION << 8, 0, u64::MAX, 1]), None);
    }
}
