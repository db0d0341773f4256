//! The transposition table, with eight threads at it: what comes out is what somebody put in.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

use super::*;
use crate::chess::mailbox::Mailbox;
use crate::chess::suites::Suite;
use crate::chess::{Board, Keys, Move, MoveList, Score};
use crate::machine::cost::CostModel;
use crate::machine::{Activity, Machine, Pin, Program, RealMachine, VirtualMachine, Waiting};
use crate::random::SplitMix;

const BYTES: u64 = 1 << 14;

fn options() -> TableOptions {
    TableOptions {
        bytes: BYTES,
        nodes: 1,
        exchange: crate::search::Exchange::default(),
        scheme: Scheme::Lockless,
        two_tier: true,
        by_remainder: false,
        demotes_by_check: false,
        last_hint_wins: false,
        audit: false,
        in_place: false,
        ages: false,
        key_width: KeyWidth::DEFAULT,
    }
}

/// All ways of sharing and arranging a table.
fn all_options() -> impl Iterator<Item = TableOptions> {
    let arrangements = [(true, false, false), (true, true, false), (true, false, true), (false, false, false)];
    let schemes = Scheme::ALL.iter().copied().filter(|scheme| *scheme != Scheme::None);
    arrangements.into_iter().flat_map(move |(two_tier, demotes_by_check, by_remainder)| {
        schemes.clone().flat_map(move |scheme| {
            [false, true].map(|audit| TableOptions {
                scheme,
                two_tier,
                demotes_by_check,
                by_remainder,
                audit,
                ..options()
            })
        })
    })
}

fn moves() -> Vec<Move> {
    let board = Mailbox::set_up(&Suite::named("perft").unwrap().positions()[1].setup, Keys::of_seed(0)).unwrap();
    let mut list = MoveList::new();
    board.legal_moves(&mut list);
    list.to_vec()
}

/// The one entry of this draft that this position can have, so that a mixture of two is found out.
fn entry_of(key: u64, side: Color, draft: u32, moves: &[Move]) -> Entry {
    let mut random = SplitMix::new(key ^ u64::from(draft) << 32 ^ side.index() as u64);
    Entry {
        score: Score(random.below(200_001) as i32 - 100_000),
        draft,
        bound: [Bound::Exact, Bound::Upper, Bound::Lower][random.below(3) as usize],
        hint: Some(moves[random.below(moves.len() as u64) as usize]).into(),
        once_pv: random.below(2) > 0,
    }
}

/// Result of a probe at a node that no entry ends, and the last entry with enough draft.
fn probe<P: Processor>(table: &Table, processor: &P, key: u64, side: Color, draft: u32) -> (Found, Option<Entry>) {
    let last = Cell::new(None);
    let found = table.probe(processor, (key, key), side, draft, |entry| {
        last.set(Some(*entry));
        None
    });
    (found, last.get())
}

/// Stores and probes at random, and checks all that it finds.
struct Hammer<'a> {
    tables: &'a Tables,
    moves: &'a [Move],
    rounds: u64,
    found: &'a AtomicU64,
    torn: &'a AtomicU64,
    /// Number of entries that nobody has stored, but which were found.
    mixed: &'a AtomicU64,
}

impl Program for Hammer<'_> {
    type Output = ();

    fn run<P: Processor>(&self, processor: &P) {
        let table = self.tables.of(processor.node(), processor.id());
        let mut random = SplitMix::new(processor.id() as u64 + 1);
        processor.enter(Activity::Search);
        for round in 0..self.rounds {
            // Few positions, so that all threads are at the same slots.
            let key = SplitMix::new(random.below(400)).next();
            let side = Color::ALL[random.below(2) as usize];
            let draft = 100 * (1 + random.below(8) as u32);
            table.answer(processor);
            processor.touch(table.access());
            if random.below(2) == 0 {
                let stamp = Stamp::new(processor.id(), round).on(key);
                table.store(processor, key, side, &entry_of(key, side, draft, self.moves), stamp);
                continue;
            }
            let (found, entry) = probe(table, processor, key, side, draft);
            assert!(found.deep <= found.matches && found.matches <= 2);
            if let Some(entry) = entry {
                assert!(entry.draft >= draft);
                let is_whole = entry == entry_of(key, side, entry.draft, self.moves);
                assert!(is_whole || found.torn.accepted > 0, "a mixture of two entries that nobody notices");
                self.mixed.fetch_add(u64::from(!is_whole), Ordering::Relaxed);
                self.found.fetch_add(1, Ordering::Relaxed);
            }
            self.torn.fetch_add(found.torn.rejected + found.torn.accepted, Ordering::Relaxed);
        }
    }
}

/// Numbers of entries found, of torn ones met, of torn ones left standing, and of mixtures found.
fn hammer<M: Machine>(machine: &M, options: &TableOptions, rounds: u64) -> (u64, u64, u64, u64) {
    let tables = Tables::new(options, machine.processors(), 2);
    let [found, torn, mixed] = [const { AtomicU64::new(0) }; 3];
    let hammer = Hammer { tables: &tables, moves: &moves(), rounds, found: &found, torn: &torn, mixed: &mixed };
    machine.run(&hammer).unwrap();
    (found.into_inner(), torn.into_inner(), tables.standing_torn(), mixed.into_inner())
}

#[test]
fn eight_threads_never_read_what_nobody_wrote() {
    let machine = RealMachine::new(8, &Pin::None, Waiting::Yield).unwrap();
    for options in all_options() {
        // Letters to threads that are not running take their time.
        let (rounds, least) = match options.scheme {
            Scheme::Distributed => (2_000, 400),
            Scheme::Unawaited => (4_000, 80),
            _ => (40_000, 8_000),
        };
        let (found, ..) = hammer(&machine, &options, rounds);
        assert!(found > least, "{options:?}: {found}");
    }
}

#[test]
fn virtual_processors_never_read_what_nobody_wrote() {
    for options in all_options() {
        let machine = VirtualMachine { seed: 5, ..VirtualMachine::new(8, CostModel::reference()) };
        let first = hammer(&machine, &options, 4_000);
        let least = if options.scheme == Scheme::Unawaited { 80 } else { 800 };
        assert!(first.0 > least, "{options:?}: {first:?}");
        assert_eq!((first.1, first.2, first.3), (0, 0, 0), "an entry is stored in one step");
        assert_eq!(first, hammer(&machine, &options, 4_000), "the same every time");
    }
}

/// Without letters being found, all would still be right: who has waited very long answers itself.
#[test]
fn owners_answer_what_they_are_asked() {
    let machine = VirtualMachine { seed: 5, ..VirtualMachine::new(8, CostModel::reference()) };
    let [waited, unawaited] = [Scheme::Distributed, Scheme::Unawaited].map(|scheme| {
        let tables = Tables::new(&TableOptions { scheme, ..options() }, 8, 1);
        let [found, torn, mixed] = [const { AtomicU64::new(0) }; 3];
        let (tables, rounds, moves) = (&tables, 4_000, &moves()[..]);
        machine.run(&Hammer { tables, moves, rounds, found: &found, torn: &torn, mixed: &mixed }).unwrap();
        tables.asked_and_unanswered().unwrap()
    });
    assert!(waited[0] > 10_000 && waited[1] == 0, "{waited:?}");
    assert!(unawaited[1] > 0 && unawaited[1] < unawaited[0], "{unawaited:?}");
}

#[test]
fn torn_entries_are_made_where_wanted_and_counted() {
    let machine = VirtualMachine { seed: 5, ..VirtualMachine::new(8, CostModel::reference()) };
    for two_tier in [true, false] {
        let torn = TableOptions { audit: true, in_place: true, two_tier, ..options() };
        let (found, met, _, mixed) = hammer(&machine, &torn, 4_000);
        assert!(found > 800 && met > 0 && mixed > 0, "{met} of {found}, {mixed}");
        // A lock leaves nothing half written.
        let locked = TableOptions { scheme: Scheme::Striped, ..torn };
        assert_eq!(hammer(&machine, &locked, 4_000).1, 0);
    }
}

/// Runs a test on a machine of one processor.
fn on_one_processor<G: Program>(test: &G) -> G::Output {
    VirtualMachine::new(1, CostModel::ideal()).run(test).unwrap().outputs.remove(0)
}

struct FindsWhatItStores;

impl Program for FindsWhatItStores {
    type Output = ();

    fn run<P: Processor>(&self, processor: &P) {
        let moves = moves();
        for options in all_options() {
            let tables = Tables::new(&options, 1, 1);
            let table = tables.of(0, 0);
            let mut random = SplitMix::new(9);
            for n in 0..20_000 {
                let (key, side) = (random.next(), Color::ALL[random.below(2) as usize]);
                let entry = entry_of(key, side, 100 + random.below(1_000) as u32, &moves);
                let probe = |side, draft| probe(table, processor, key, side, draft);
                assert_eq!(probe(side, 0).0.matches, 0, "nobody stored it");
                table.store(processor, key, side, &entry, Stamp::new(0, n).on(key));
                assert_eq!(probe(side, entry.draft).1, Some(entry), "{options:?}");
                assert_eq!(probe(side, entry.draft + 1).1, None);
                assert_eq!(probe(side, entry.draft + 1).0.hint, entry.hint);
                assert_eq!(probe(!side, 0).0.matches, 0, "the other side's position");
                // Two positions with the same key.
                let other = table.probe(processor, (key, !key), side, 0, |_| None);
                let false_matches = u64::from(options.audit);
                assert_eq!((probe(side, 0).0.false_matches, other.false_matches), (0, false_matches), "{options:?}");
            }
        }
    }
}

#[test]
fn what_was_stored_last_is_found() {
    on_one_processor(&FindsWhatItStores);
}

/// Counts how many of many stored entries can still be found, and the used slots of a thousand.
struct Survivors(TableOptions);

impl Program for Survivors {
    type Output = (usize, Option<u32>);

    fn run<P: Processor>(&self, processor: &P) -> Self::Output {
        let (options, moves) = (&self.0, moves());
        let tables = Tables::new(options, 2, 1);
        assert_eq!(tables.thousandths_used(), Some(0));
        let table = tables.of(0, 0);
        let keys: Vec<u64> = (0..options.bytes / 16).map(|i| SplitMix::new(i).next()).collect();
        for (n, key) in keys.iter().enumerate() {
            // Ever deeper, so that the first tier always gives way.
            let draft = 100 + n as u32;
            table.store(
                processor,
                *key,
                Color::White,
                &entry_of(*key, Color::White, draft, &moves),
                Stamp::new(0, n as u64),
            );
        }
        let survivors = keys.iter().filter(|key| probe(table, processor, **key, Color::White, 0).0.matches > 0);
        (survivors.count(), tables.thousandths_used())
    }
}

#[test]
fn what_the_first_tier_gives_up_is_found_in_the_second_if_it_goes_by_its_key() {
    let (mended, _) = on_one_processor(&Survivors(options()));
    let (printed, _) = on_one_processor(&Survivors(TableOptions { demotes_by_check: true, ..options() }));
    // White's half of the table is filled twice over.
    let slots = (BYTES / 16 / 2) as usize;
    assert!(mended > slots * 8 / 10, "{mended} of {slots}");
    // As printed there is little more than the first tier.
    assert!(printed < slots * 45 / 100, "{printed} of {slots}");
}

#[test]
fn slots_that_hold_something_are_used() {
    // One of two tables of their own stays empty.
    for scheme in [Scheme::Lockless, Scheme::Private] {
        for two_tier in [true, false] {
            let (survivors, used) = on_one_processor(&Survivors(TableOptions { scheme, two_tier, ..options() }));
            let expected = 1_000 * survivors as u64 / (BYTES / 16);
            assert!(used.is_some_and(|used| u64::from(used).abs_diff(expected) <= 1), "{used:?} {expected}");
        }
    }
    let nowhere = Tables::new(&TableOptions { scheme: Scheme::None, ..options() }, 1, 1);
    assert_eq!(nowhere.thousandths_used(), None);
}

/// Has a position in both tiers, and asks with different wishes.
struct InBothTiers;

impl Program for InBothTiers {
    type Output = ();

    fn run<P: Processor>(&self, processor: &P) {
        let (key, side, moves) = (77, Color::White, moves());
        let tables = Tables::new(&options(), 1, 1);
        let table = tables.of(0, 0);
        let entry = |draft, score, mv: usize| Entry {
            score: Score(score),
            draft,
            bound: Bound::Exact,
            hint: Some(moves[mv]).into(),
            once_pv: false,
        };
        let (first, second) = (entry(900, 1, 0), entry(500, 2, 1));
        table.store(processor, key, side, &first, Stamp::NONE);
        table.store(processor, key, side, &second, Stamp::NONE);
        let probe = |draft, wanted: &[i32]| {
            let ends = |entry: &Entry| Some(entry.score).filter(|score| wanted.contains(&score.0));
            let found = table.probe(processor, (key, key), side, draft, ends);
            (found.matches, found.deep, found.score.map(|score| score.0))
        };
        assert_eq!(probe(500, &[1, 2]), (1, 1, Some(1)), "the first tier ends the node, and the second is not asked");
        assert_eq!(probe(500, &[2]), (2, 2, Some(2)), "the first has an entry of no use, the second one of use");
        assert_eq!(probe(500, &[]), (2, 2, None));
        assert_eq!(probe(900, &[2]), (2, 1, None), "the second is not deep enough");
        assert_eq!(probe(901, &[1]), (2, 0, None));
    }
}

#[test]
fn the_second_tier_is_asked_only_if_the_first_does_not_end_the_node() {
    on_one_processor(&InBothTiers);
}

/// Entries that are found again of a second search, and of the first, of so many shallow ones that came after as many
/// deep ones.
struct SecondSearch(TableOptions);

impl Program for SecondSearch {
    type Output = [usize; 2];

    fn run<P: Processor>(&self, processor: &P) -> [usize; 2] {
        let (options, moves) = (&self.0, moves());
        let mut tables = Tables::new(options, 1, 1);
        let keys = |search: u64| (0..options.bytes / 16).map(move |i| SplitMix::new(2 * i + search).next());
        let drafts = [2_000, 300];
        for (search, draft) in (0..).zip(drafts) {
            for key in keys(search) {
                let entry = entry_of(key, Color::White, draft, &moves);
                tables.of(0, 0).store(processor, key, Color::White, &entry, Stamp::NONE);
            }
            tables.end_search();
        }
        let is_found = |key: &u64| probe(tables.of(0, 0), processor, *key, Color::White, 0).0.matches > 0;
        [1, 0].map(|search| keys(search).filter(is_found).count())
    }
}

#[test]
fn entries_of_an_earlier_search_give_way_if_they_age() {
    for (two_tier, slots) in [(true, BYTES / 16 / 2), (false, BYTES / 16)] {
        let kept = |ages| on_one_processor(&SecondSearch(TableOptions { two_tier, ages, ..options() }));
        let ([second, first], [second_of_aged, first_of_aged]) = (kept(false), kept(true));
        let slots = slots as usize;
        let deep = if two_tier { slots / 4 } else { slots / 2 };
        assert!(first > deep, "deep entries stay: {first} of {slots}");
        assert!(second_of_aged > second + deep / 2, "{second_of_aged} after {second}");
        assert!(first_of_aged < first / 3, "{first_of_aged} after {first}");
    }
}

/// Whether a shallow score of a position is found that had a deep one, if that is of an earlier search.
struct SamePosition(TableOptions);

impl Program for SamePosition {
    type Output = Vec<u32>;

    fn run<P: Processor>(&self, processor: &P) -> Vec<u32> {
        let (key, side) = (77, Color::White);
        let entry = |draft| Entry { score: Score(5), draft, bound: Bound::Lower, hint: Hint::NONE, once_pv: false };
        let mut tables = Tables::new(&self.0, 1, 1);
        let mut found = |draft, ends| {
            tables.of(0, 0).store(processor, key, side, &entry(draft), Stamp::NONE);
            let deepest =
                (0..=9).rev().find(|plies| probe(tables.of(0, 0), processor, key, side, 100 * plies).1.is_some());
            if ends {
                tables.end_search();
            }
            deepest.unwrap()
        };
        let mut depths = vec![found(900, false), found(200, true), found(300, false)];
        tables.clear(1);
        tables.of(0, 0).store(processor, key, side, &entry(900), Stamp::NONE);
        depths.push(probe(tables.of(0, 0), processor, key, side, 0).0.matches);
        depths
    }
}

#[test]
fn a_position_s_deep_score_is_replaced_by_a_later_search_only() {
    for two_tier in [true, false] {
        let depths = |ages| on_one_processor(&SamePosition(TableOptions { two_tier, ages, ..options() }));
        assert_eq!(depths(false), [9, 9, 9, 1]);
        assert_eq!(depths(true), [9, 9, 3, 1]);
    }
}

/// False matches among probes for positions that are not in a full table.
struct Strangers(TableOptions);

impl Program for Strangers {
    type Output = u64;

    fn run<P: Processor>(&self, processor: &P) -> u64 {
        let (options, moves) = (&self.0, moves());
        let tables = Tables::new(options, 1, 1);
        let table = tables.of(0, 0);
        let mut random = SplitMix::new(3);
        for n in 0..4 * options.bytes / 16 {
            let key = random.next();
            table.store(
                processor,
                key,
                Color::White,
                &entry_of(key, Color::White, 100, &moves),
                Stamp::new(0, n).on(key),
            );
        }
        (0..STRANGERS).map(|_| probe(table, processor, random.next(), Color::White, 0).0.false_matches).sum()
    }
}

/// Number of positions that are asked for.
const STRANGERS: u64 = 200_000;

#[test]
fn fewer_bits_of_a_key_match_more_strangers() {
    for (two_tier, slots) in [(true, 2.0), (false, 4.0)] {
        for bits in [8, 11, 64] {
            let options = TableOptions { two_tier, audit: true, key_width: KeyWidth { bits }, ..options() };
            let met = on_one_processor(&Strangers(options)) as f64;
            let expected = slots * STRANGERS as f64 / f64::from(bits).exp2();
            assert!((met - expected).abs() <= 5.0 * expected.sqrt(), "{options:?}: {met}, not {expected}");
        }
    }
}

struct FillsABucket;

impl Program for FillsABucket {
    type Output = ();

    fn run<P: Processor>(&self, processor: &P) {
        let moves = moves();
        let mut tables = Tables::new(&TableOptions { two_tier: false, bytes: 64, ..options() }, 1, 1);
        let store = |tables: &Tables, key, draft| {
            tables.of(0, 0).store(
                processor,
                key,
                Color::White,
                &entry_of(key, Color::White, draft, &moves),
                Stamp::NONE,
            );
        };
        let is_there = |tables: &Tables, key| probe(tables.of(0, 0), processor, key, Color::White, 0).0.matches > 0;
        for key in 1..=4 {
            store(&tables, key, 900 + 100 * key as u32);
        }
        store(&tables, 5, 200);
        assert!(!is_there(&tables, 1) && is_there(&tables, 2) && is_there(&tables, 5));
        store(&tables, 6, 100);
        assert!(!is_there(&tables, 5) && is_there(&tables, 2) && is_there(&tables, 6));
        tables.clear(1);
        assert!((1..=6).all(|key| !is_there(&tables, key)));
    }
}

#[test]
fn buckets_keep_the_deep() {
    on_one_processor(&FillsABucket);
}

/// Bytes of all words of entries.
fn bytes(tables: &Tables) -> u64 {
    let bytes = |table: &Table| match &table.cells {
        Cells::Plain(words) => size_of_val(&words[..]),
        Cells::Audited(audited) => 16 * audited.slots(),
    };
    tables.all().iter().map(|table| bytes(table) as u64).sum()
}

#[test]
fn sizes_are_kept_to() {
    for mib in [1_u64, 6, 16, 33] {
        for two_tier in [true, false] {
            let whole = TableOptions { bytes: mib << 20, two_tier, ..options() };
            assert_eq!(bytes(&Tables::new(&whole, 4, 2)), mib << 20);
            let private = TableOptions { scheme: Scheme::Private, ..whole };
            let bytes = bytes(&Tables::new(&private, 3, 2));
            assert!(bytes <= mib << 20 && bytes + 3 * 64 > mib << 20, "{bytes}");
        }
    }
    assert_eq!(bytes(&Tables::new(&TableOptions { scheme: Scheme::None, ..options() }, 4, 2)), 0);
    assert!(!Hint::NONE.is_some());
}
