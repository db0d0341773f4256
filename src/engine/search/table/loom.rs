//! Loom's checks of tables: a reader finds nothing that nobody has stored.
//!
//! The table, its arrangements, entries and checks are the real ones, for a table of one bucket or of the fewest slots;
//! only its memory is made of words that loom knows. Both words of every slot are new, old or mixed as C11 allows.

use super::*;
use crate::machine::loom::check;
use crate::machine::{Activity, Program, Waiting};

/// Some processors store an entry each, given by position and score, and the last one asks for all positions.
struct Stores {
    tables: Tables,
    stores: &'static [(u64, i32)],
}

fn entry(score: i32) -> Entry {
    Entry { score: Score(score), draft: 100 * score as u32, bound: Bound::Exact, hint: Hint::default(), once_pv: false }
}

impl Program for Stores {
    type Output = ();

    fn run<P: Processor>(&self, processor: &P) {
        let table = self.tables.of(0, processor.id());
        processor.enter(Activity::Search);
        let writers = processor.count() - 1;
        if processor.id() < writers {
            for (key, score) in self.stores.iter().skip(processor.id()).step_by(writers) {
                table.store(processor, *key, Color::White, &entry(*score), Stamp::NONE);
            }
            return;
        }
        for (key, _) in self.stores {
            table.probe(processor, (*key, 0), Color::White, 0, |found| {
                let is_whole = self.stores.iter().any(|(of, score)| of == key && *found == entry(*score));
                assert!(is_whole, "an entry that nobody has stored");
                None
            });
        }
    }
}

/// The first processor writes two letters about positions of the second one's part, which reads its letters and then
/// asks for both. Where the second one does not work yet, the first answers itself.
struct Letters(Tables);

/// Positions whose owner is the second of two processors, and their scores.
const OF_THE_SECOND: [(u64, i32); 2] = [(A, 1), (0x2468_ACE0_2468_ACE0, 2)];

impl Program for Letters {
    type Output = ();

    fn run<P: Processor>(&self, processor: &P) {
        let table = self.0.of(0, processor.id());
        if processor.id() == 0 {
            processor.enter(Activity::Search);
            for (key, score) in OF_THE_SECOND {
                table.store(processor, key, Color::White, &entry(score), Stamp::NONE);
            }
            return;
        }
        table.answer(processor);
        for (key, score) in OF_THE_SECOND {
            table.probe(processor, (key, 0), Color::White, 0, |found| {
                assert_eq!(*found, entry(score), "an entry that nobody has stored");
                None
            });
        }
    }
}

const A: u64 = 0x1357_9BDF_1357_9BDF;
const B: u64 = 0x1234_5678_1234_5678;

fn check_stores(
    options: TableOptions,
    (processors, preemptions): (usize, Option<usize>),
    stores: &'static [(u64, i32)],
) {
    let name = format!("{:?}, two tiers: {}, {} stores", options.scheme, options.two_tier, stores.len());
    let make = move || Stores { tables: Tables::new(&options, processors, 1), stores };
    check(&name, (processors, Waiting::Park), preemptions, make);
}

fn options(two_tier: bool) -> TableOptions {
    TableOptions {
        bytes: 64,
        nodes: 1,
        exchange: crate::search::Exchange::default(),
        scheme: Scheme::Lockless,
        two_tier,
        by_remainder: false,
        demotes_by_check: false,
        last_hint_wins: false,
        audit: false,
        in_place: false,
        ages: false,
        key_width: KeyWidth::DEFAULT,
    }
}

#[test]
fn a_reader_accepts_no_mixture_of_one_writers_entries() {
    for two_tier in [false, true] {
        check_stores(options(two_tier), (2, None), &[(A, 1), (A, 2)]);
        check_stores(options(two_tier), (2, None), &[(A, 1), (B, 2)]);
    }
}

#[test]
fn a_reader_accepts_no_mixture_of_two_writers_entries() {
    for two_tier in [false, true] {
        check_stores(options(two_tier), (3, Some(2)), &[(A, 1), (A, 2)]);
        check_stores(options(two_tier), (3, Some(2)), &[(A, 1), (B, 2)]);
    }
}

/// Contrast: the table of the thesis's program, without locks.
#[test]
#[should_panic(expected = "an entry that nobody has stored")]
fn a_reader_accepts_mixtures_where_entries_are_written_in_place() {
    check_stores(TableOptions { in_place: true, ..options(true) }, (2, None), &[(A, 1), (A, 2)]);
}

#[test]
fn locks_make_writing_in_place_right() {
    let options = TableOptions { in_place: true, scheme: Scheme::Striped, ..options(true) };
    check_stores(options, (2, Some(3)), &[(A, 1), (A, 2)]);
}

/// Entries that travel by letters are whole, whether the owner answers or somebody in its stead.
#[test]
fn letters_to_owners_arrive_whole() {
    for scheme in [Scheme::Distributed, Scheme::Unawaited] {
        check_stores(TableOptions { scheme, ..options(false) }, (2, Some(2)), &[(A, 1), (A, 2)]);
        check_stores(TableOptions { scheme, ..options(false) }, (2, Some(2)), &[(B, 1), (A, 2)]);
    }
}

/// Two letters in a row, of which somebody answers the first in the owner's stead: the owner, which finds the bit of
/// the first, takes the second with all its words.
#[test]
fn a_second_letter_is_not_mixed_with_the_first() {
    let make = || Letters(Tables::new(&TableOptions { scheme: Scheme::Distributed, ..options(false) }, 2, 1));
    check("two letters", (2, Waiting::Park), Some(3), make);
}
