//! The register of counts: what a search counts, each count declared once, with its name, its meaning and how it adds
//! up. The search raises the fields; records, columns and charts take names and meanings from here. The unit is the end
//! of the name: nanoseconds (`_ns`), bytes (`_bytes`), and else a number of what the meaning names.

mod activities;
mod bins;
mod counters;
mod disturbance;
mod losses;

pub use activities::{Activities, Activity};
pub use bins::Bins;
pub use counters::{ByKind, Counters, Cutoffs, Distributions, Endings, LetterCounts, RATIO_PARTS, SplitTimes, Splits};
pub use disturbance::Disturbance;
pub use losses::Account;
pub use losses::{Loss, Losses};

/// Counts that are added up number by number.
trait Sum {
    fn add(&mut self, other: &Self);
}

impl Sum for u64 {
    fn add(&mut self, other: &Self) {
        *self += other;
    }
}

impl<T: Sum, const N: usize> Sum for [T; N] {
    fn add(&mut self, other: &Self) {
        self.iter_mut().zip(other).for_each(|(ours, theirs)| ours.add(theirs));
    }
}

/// Declares counts of one type as fields of a struct: first those that are added up; then, after `parts:`, those of
/// other types, which are added up likewise; and after `most:` those whose sum is the largest. `ALL` are the names and
/// meanings of the first.
macro_rules! counts {
    (
        $(#[$about:meta])* pub struct $Counts:ident of $Type:ty;
        $( $(#[doc = $doc:literal])+ $name:ident, )*
        $( parts: $( #[doc = $about_part:literal] $part:ident: $Part:ty, )* )?
        $( most: $( #[doc = $about_most:literal] $most:ident, )* )?
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
        pub struct $Counts {
            $( $(#[doc = $doc])+ pub $name: $Type, )*
            $( $( #[doc = $about_part] pub $part: $Part, )* )?
            $( $( #[doc = $about_most] pub $most: $Type, )* )?
        }

        impl $Counts {
            /// Names and meanings of the counts that are added up, in the order of lists.
            pub const ALL: &'static [(&'static str, &'static str)] =
                &[$( (stringify!($name), concat!($($doc),+)), )*];

            /// Those counts.
            pub fn values(&self) -> impl Iterator<Item = &$Type> {
                [$( &self.$name, )*].into_iter()
            }
        }

        impl $crate::counts::Sum for $Counts {
            fn add(&mut self, other: &Self) {
                use $crate::counts::Sum;
                $( Sum::add(&mut self.$name, &other.$name); )*
                $( $( Sum::add(&mut self.$part, &other.$part); )* )?
                $( $( self.$most = self.$most.max(other.$most); )* )?
            }
        }

        impl<'a> std::iter::Sum<&'a Self> for $Counts {
            fn sum<I: Iterator<Item = &'a Self>>(all: I) -> Self {
                all.fold(Self::default(), |mut sum, one| {
                    $crate::counts::Sum::add(&mut sum, one);
                    sum
                })
            }
        }
    };
}
use counts;

/// A meaning as a part of a sentence: without capital and full stop.
pub fn phrase(meaning: &str) -> String {
    let meaning = meaning.trim().trim_end_matches('.');
    let (first, rest) = meaning.split_at(meaning.chars().next().map_or(0, char::len_utf8));
    first.to_lowercase() + rest
}

#[cfg(test)]
mod tests {
    use serde::Serialize;
    use serde_json::json;

    use super::{Activities, Activity, Counters, phrase};

    counts! {
        /// Pieces on a board.
        pub struct Pieces of u64;
        /// Pawns,
        /// of both sides.
        pawns,
        parts:
        /// Pieces by side.
        by_side: [u64; 2],
        most:
        /// Most advanced pawn.
        furthest,
    }

    #[test]
    fn each_count_adds_up_as_it_is_declared() {
        let one = Pieces { pawns: 2, by_side: [3, 4], furthest: 6 };
        assert_eq!(one.values().collect::<Vec<_>>(), [&2]);
        let other = Pieces { pawns: 10, by_side: [30, 40], furthest: 5 };
        assert_eq!([one, other].iter().sum::<Pieces>(), Pieces { pawns: 12, by_side: [33, 44], furthest: 6 });
        assert_eq!(
            Pieces::ALL.iter().map(|(name, meaning)| (*name, phrase(meaning))).collect::<Vec<_>>(),
            [("pawns", "pawns, of both sides".to_owned())]
        );
    }

    /// Records, and the columns made of them, find a count by its name in the register.
    #[test]
    fn counts_have_the_same_names_in_files() {
        let counters = json!(Counters::default());
        assert!(Counters::ALL.iter().all(|(name, _)| counters[name] == 0), "{counters}");
        let times = json!(Activities { wait_ns: 1, ..Activities::default() });
        for activity in Activity::ALL {
            assert_eq!(times[format!("{activity}_ns")], u64::from(*activity == Activity::Wait));
        }
    }
}
