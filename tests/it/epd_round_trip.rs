//! EPD lines: whatever the program writes it reads back as it was, and whatever it accepts it can write so.

use splitpoint::chess::bitboards::{Bitboards, sliders::Ray};
use splitpoint::chess::epd::{DEPTHS, Epd};
use splitpoint::chess::setup::Parts;
use splitpoint::chess::suites::{SUITES, Suite};
use splitpoint::chess::{Board, Keys, Move, MoveList, Setup};
use splitpoint::random::SplitMix;

fn one_of<'a, T>(random: &mut SplitMix, choices: &'a [T]) -> &'a T {
    &choices[random.below(choices.len() as u64) as usize]
}

fn legal_moves(setup: &Setup) -> Vec<Move> {
    let mut list = MoveList::new();
    Bitboards::<Ray>::set_up(setup, Keys::of_seed(0)).unwrap().legal_moves(&mut list);
    list.to_vec()
}

/// Some of the moves, each at most once, in any order.
fn some(random: &mut SplitMix, moves: &[Move]) -> Vec<Move> {
    let mut chosen = moves.to_vec();
    random.shuffle(&mut chosen);
    chosen.truncate(random.below(4) as usize);
    chosen
}

/// Text of up to 12 characters of an alphabet.
fn text(random: &mut SplitMix, alphabet: &str) -> String {
    let alphabet: Vec<char> = alphabet.chars().collect();
    (0..random.below(13)).map(|_| *one_of(random, &alphabet)).collect()
}

/// Operands of an operation that is kept as it is: words, and texts in quotation marks.
fn operands(random: &mut SplitMix) -> String {
    let one = |random: &mut SplitMix| match random.below(2) {
        0 => format!("\"{}\"", text(random, "ab; \t#'\\é-")),
        _ => format!("x{}", text(random, "ab7#'\\é-+=,")),
    };
    (0..random.below(4)).map(|_| one(random)).collect::<Vec<_>>().join(" ")
}

/// A record with anything in it that a record can have.
fn record(random: &mut SplitMix, positions: &[Epd]) -> Epd {
    let (halfmove_clock, fullmove) = (random.below(100) as u32, 1 + random.below(200) as u32);
    let setup = Setup::new(Parts { halfmove_clock, fullmove, ..(*one_of(random, positions).setup).clone() }).unwrap();
    let moves = legal_moves(&setup);
    let mut epd = Epd::from(setup);
    (epd.best, epd.avoid) = (some(random, &moves), some(random, &moves));
    let words = "abc; \t#'\\é.-+";
    epd.id = (random.below(2) == 0).then(|| text(random, words));
    epd.comment = (random.below(2) == 0).then(|| text(random, words));
    for depth in 0..DEPTHS {
        epd.counts[depth] = (random.below(3) == 0).then(|| random.next());
    }
    let opcodes = ["acd", "noop", "c1", "pv", "D10", "D01", "BM", "x-y"];
    for opcode in opcodes {
        if random.below(3) == 0 {
            epd.others.push((opcode.to_owned(), operands(random)));
        }
    }
    epd
}

#[test]
fn what_is_written_is_read_as_it_was() {
    let mut random = SplitMix::new(17);
    let positions: Vec<Epd> = SUITES.iter().flat_map(Suite::positions).collect();
    let mut lines = String::new();
    let mut records = Vec::new();
    for _ in 0..5_000 {
        let record = record(&mut random, &positions);
        let line = record.to_string();
        assert_eq!(Epd::parse(&line), Ok(record.clone()), "{line}");
        lines += &line;
        lines.push('\n');
        records.push(record);
    }
    assert_eq!(Epd::parse_all(&lines), Ok(records));
}

/// A line with up to four changes behind the position, where the operations are.
fn mutated(random: &mut SplitMix, line: &str) -> String {
    let mut text: Vec<char> = line.chars().collect();
    for _ in 0..=random.below(3) {
        let begin = text.iter().position(|c| *c == ';').unwrap_or(0);
        let at = begin + random.below((text.len() - begin).max(1) as u64) as usize;
        let c = *one_of(random, &['"', '"', ';', ' ', '\t', 'D', '1', 'i', 'é', '-', '\u{a0}', '\u{b}']);
        match random.below(3) {
            0 => text.insert(at, c),
            1 if at < text.len() => text[at] = c,
            _ if at < text.len() => drop(text.remove(at)),
            _ => {}
        }
    }
    text.into_iter().collect()
}

/// Mutates this many lines; what is accepted must be written and read as it was. Returns how many were.
pub fn mutated_lines(seed: u64, count: usize) -> usize {
    let mut random = SplitMix::new(seed);
    let positions: Vec<Epd> = SUITES.iter().flat_map(Suite::positions).collect();
    let mut accepted = 0;
    for _ in 0..count {
        let original = match random.below(2) {
            0 => record(&mut random, &positions),
            _ => one_of(&mut random, &positions).clone(),
        };
        let line = mutated(&mut random, &original.to_string());
        match Epd::parse(&line) {
            Ok(epd) => {
                accepted += 1;
                let written = epd.to_string();
                assert_eq!(Epd::parse(&written), Ok(epd), "{line}\n{written}");
            }
            Err(error) => assert!(error.column().is_none_or(|at| at <= line.chars().count()), "{line}\n{error}"),
        }
    }
    accepted
}

#[test]
fn what_is_accepted_can_be_written() {
    const COUNT: usize = 40_000;
    let accepted = mutated_lines(18, COUNT);
    assert!((COUNT / 4..3 * COUNT / 4).contains(&accepted), "{accepted} of {COUNT} lines accepted");
}
