//! Counts of a search by name, in little room: a report holds those of all records at once. They are kept as the JSON
//! that the journal has, cut in two: the text without its whole numbers, which is in memory once for all records that
//! have the same, and the numbers.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt::{self, Write};
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use serde::de::{DeserializeSeed, Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use super::packed::{MORE, numbers, pack};

/// Counts by name.
#[derive(Clone, PartialEq)]
pub struct NamedCounts {
    shape: Arc<Shape>,
    /// Numbers, [packed](super::packed), in the order in which they stand in the text; the lowest bit of each is its
    /// sign. Before them the places among these bytes at which every [`STEP`]-th begins, but the first.
    bytes: Box<[u8]>,
}

/// Numbers from one place that is noted to the next.
const STEP: usize = 32;

/// Bytes of a place that is noted.
const NOTED: usize = size_of::<u32>();

/// JSON object without its whole numbers.
struct Shape {
    /// The text with blanks instead of them.
    text: String,
    /// Bytes of the places that are noted before the numbers.
    noted: usize,
    /// Places of numbers, and of lists of numbers, among all numbers, by their paths.
    places: HashMap<String, Range<usize>, BuildHasherDefault<Ends>>,
}

/// Hash of the two ends of a name: a report looks for a few hundred names in each of a million records.
#[derive(Default)]
struct Ends(u64);

impl Hasher for Ends {
    fn write(&mut self, name: &[u8]) {
        let ends = match (name.first_chunk(), name.last_chunk()) {
            (Some(first), Some(last)) => u64::from_le_bytes(*first) ^ u64::from_le_bytes(*last).rotate_left(7),
            _ => name.iter().fold(0, |bits, byte| bits << 8 | u64::from(*byte)),
        };
        self.0 = (self.0 ^ ends ^ name.len() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }
}

/// All shapes that were read; there are few, and most records have one of the newest.
#[derive(Default)]
struct Shapes {
    newest: Vec<Arc<Shape>>,
    all: HashMap<String, Arc<Shape>>,
}

/// Character in the text of a [`Shape`] that stands for a whole number: JSON never has it as it is.
const BLANK: char = '\u{1}';

impl PartialEq for Shape {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Shape {
    /// Shape with this text, of which all counts that have it share one copy.
    fn shared(text: &str) -> Arc<Self> {
        /// Number of shapes that come again and again.
        const NEWEST: usize = 4;
        static SHAPES: LazyLock<Mutex<Shapes>> = LazyLock::new(Mutex::default);
        let mut guard = SHAPES.lock().unwrap_or_else(PoisonError::into_inner);
        let Shapes { newest, all } = &mut *guard;
        if let Some(one) = newest.iter().find(|one| one.text == text) {
            return Arc::clone(one);
        }
        let one = all.entry(text.to_owned()).or_insert_with(|| Arc::new(Self::of(text)));
        newest.insert(0, Arc::clone(one));
        newest.truncate(NEWEST);
        Arc::clone(one)
    }

    fn of(text: &str) -> Self {
        // The places are what stands at them.
        let numbered: Value = serde_json::from_str(&filled(text, 0..)).unwrap_or_default();
        let mut places = HashMap::default();
        note_places(&numbered, "", &mut places);
        let noted = NOTED * (text.matches(BLANK).count().saturating_sub(1) / STEP);
        Self { text: text.to_owned(), noted, places }
    }
}

/// Notes the places of all numbers and lists of numbers in a value of which each number is its place, by their paths.
fn note_places(value: &Value, path: &str, places: &mut HashMap<String, Range<usize>, BuildHasherDefault<Ends>>) {
    match value {
        Value::Object(fields) => fields.iter().for_each(|(name, value)| {
            let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
            note_places(value, &path, places);
        }),
        _ => places.extend(places_of(value).map(|of| (path.to_owned(), of))),
    }
}

/// Places of a number, or of the numbers of a list, which stand side by side.
fn places_of(numbered: &Value) -> Option<Range<usize>> {
    match numbered {
        Value::Number(place) => {
            let place = usize::try_from(place.as_i64()?).ok()?;
            Some(place..place + 1)
        }
        Value::Array(items) => items.iter().map(places_of).reduce(|before, next| Some(before?.start..next?.end))?,
        _ => None,
    }
}

/// A text with these numbers instead of its blanks.
fn filled(text: &str, numbers: impl Iterator<Item = i64>) -> String {
    let mut parts = text.split(BLANK);
    let mut filled = parts.next().unwrap_or_default().to_owned();
    for (part, number) in parts.zip(numbers) {
        // Nothing fails that writes to a text.
        let _ = write!(filled, "{number}{part}");
    }
    filled
}

/// Number whose lowest bit is its sign.
fn signed(bits: u64) -> i64 {
    (bits >> 1) as i64 ^ -((bits & 1) as i64)
}

/// Bytes of packed numbers without the first `count` of them.
fn after(mut bytes: &[u8], mut count: usize) -> &[u8] {
    // Eight groups at once, while fewer numbers end there.
    while let Some((groups, rest)) = bytes.split_first_chunk::<8>() {
        let ends = (!u64::from_ne_bytes(*groups) & u64::from_ne_bytes([MORE; 8])).count_ones() as usize;
        if ends >= count {
            break;
        }
        (bytes, count) = (rest, count - ends);
    }
    while count > 0
        && let Some((group, rest)) = bytes.split_first()
    {
        (bytes, count) = (rest, count - usize::from(*group < MORE));
    }
    bytes
}

impl NamedCounts {
    /// Packs the counts of something that is written as a JSON object; none if it is not.
    pub fn of(counts: impl Serialize) -> Self {
        serde_json::to_value(counts).and_then(serde_json::from_value).unwrap_or_default()
    }

    /// Count of this name, or the sum of a list of counts; names of nested counts have those around them before them,
    /// with points between. Nothing if there is none, or if one is no whole number of 64 bits with its sign.
    pub fn total(&self, path: &str) -> Option<i64> {
        let &Range { start, end } = self.shape.places.get(path)?;
        let begin = match (start / STEP).checked_sub(1) {
            Some(step) => u32::from_le_bytes(self.bytes[..self.shape.noted].as_chunks().0[step]) as usize,
            None => self.shape.noted,
        };
        let from = after(&self.bytes[begin..], start % STEP);
        numbers(from).take(end - start).map(signed).try_fold(0, i64::checked_add)
    }

    /// Largest count, whatever its sign.
    pub fn largest(&self) -> u64 {
        self.all().map(i64::unsigned_abs).max().unwrap_or(0)
    }

    /// All whole numbers, in their order.
    fn all(&self) -> impl Iterator<Item = i64> {
        numbers(&self.bytes[self.shape.noted..]).map(signed)
    }

    fn text(&self) -> String {
        filled(&self.shape.text, self.all())
    }
}

impl Default for NamedCounts {
    fn default() -> Self {
        Self { shape: Shape::shared("{}"), bytes: Box::default() }
    }
}

impl<const N: usize> From<[(&str, i64); N]> for NamedCounts {
    fn from(counts: [(&str, i64); N]) -> Self {
        Self::of(HashMap::from(counts))
    }
}

impl fmt::Debug for NamedCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

impl Serialize for NamedCounts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serde_json::from_str::<Value>(&self.text()).unwrap_or_default().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for NamedCounts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        thread_local! {
            /// Room in which all that a thread reads is cut.
            static ROOM: RefCell<Cut> = RefCell::default();
        }
        ROOM.with_borrow_mut(|cut| {
            cut.clear();
            deserializer.deserialize_map(&mut *cut)?;
            let before = NOTED * cut.noted.len();
            let mut bytes = Vec::with_capacity(before + cut.numbers.len());
            cut.noted.iter().for_each(|place| bytes.extend_from_slice(&((before + place) as u32).to_le_bytes()));
            bytes.extend_from_slice(&cut.numbers);
            Ok(Self { shape: Shape::shared(&cut.text), bytes: bytes.into() })
        })
    }
}

/// A value that is cut in two while it is read.
#[derive(Default)]
struct Cut {
    text: String,
    numbers: Vec<u8>,
    /// Number of numbers.
    count: usize,
    /// Places of every [`STEP`]-th of them.
    noted: Vec<usize>,
}

impl Cut {
    fn clear(&mut self) {
        self.text.clear();
        self.numbers.clear();
        self.noted.clear();
        self.count = 0;
    }

    fn list<E>(&mut self, ends: [char; 2], mut next: impl FnMut(&mut Self) -> Result<bool, E>) -> Result<(), E> {
        self.text.push(ends[0]);
        let begun = self.text.len();
        loop {
            let end = self.text.len();
            if end > begun {
                self.text.push(',');
            }
            if !next(self)? {
                self.text.truncate(end);
                break;
            }
        }
        self.text.push(ends[1]);
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for &mut Cut {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for &mut Cut {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("counts by name")
    }

    fn visit_i64<E>(self, number: i64) -> Result<(), E> {
        if self.count > 0 && self.count.is_multiple_of(STEP) {
            self.noted.push(self.numbers.len());
        }
        self.count += 1;
        pack((number << 1 ^ number >> 63) as u64, &mut self.numbers);
        self.text.push(BLANK);
        Ok(())
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<(), E> {
        match i64::try_from(number) {
            Ok(number) => self.visit_i64(number),
            Err(_) => write!(self.text, "{number}").map_err(E::custom),
        }
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<(), E> {
        write!(self.text, "{}", Value::from(number)).map_err(E::custom)
    }

    fn visit_bool<E: Error>(self, is_so: bool) -> Result<(), E> {
        write!(self.text, "{is_so}").map_err(E::custom)
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.text.push_str("null");
        Ok(())
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<(), E> {
        if word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            self.text.push('"');
            self.text.push_str(word);
            self.text.push('"');
            return Ok(());
        }
        write!(self.text, "{}", Value::from(word)).map_err(E::custom)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        self.list(['[', ']'], |cut| Ok(items.next_element_seed(cut)?.is_some()))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        self.list(['{', '}'], |cut| {
            if entries.next_key_seed(&mut *cut)?.is_none() {
                return Ok(false);
            }
            cut.text.push(':');
            entries.next_value_seed(cut).map(|()| true)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_is_what_was_written() {
        let text = r#"{"a":1,"b":{"made":[[1,2],[3,4]],"x":-1.5},"c":18446744073709551615,"d":-3,"e":null,
            "f":"w\"o,r}d","g":[],"h":true,"i":9223372036854775807,"j":-9223372036854775808,"k":300}"#;
        let (read, value): (NamedCounts, Value) =
            (serde_json::from_str(text).unwrap(), serde_json::from_str(text).unwrap());
        assert_eq!(serde_json::to_value(&read).unwrap(), value);
        assert_eq!(NamedCounts::of(value), read);
        let counts = ["a", "d", "k", "i", "j", "b.made"].map(|path| read.total(path));
        assert_eq!(counts, [Some(1), Some(-3), Some(300), Some(i64::MAX), Some(i64::MIN), Some(10)]);
        for count in 0..100 {
            let many: Vec<i64> = (0..count).map(|n| (1 << (2 * n % 60)) - n).collect();
            let of: HashMap<String, i64> =
                many.iter().enumerate().map(|(n, count)| (format!("n{n}"), *count)).collect();
            let counts = NamedCounts::of(of);
            let is_right = |(n, count): (usize, &i64)| counts.total(&format!("n{n}")) == Some(*count);
            assert!(many.iter().enumerate().all(is_right), "{many:?}");
        }
        assert!(["b", "b.x", "c", "e", "f", "g", "made", "z"].iter().all(|path| read.total(path).is_none()));
        // In whatever order they come.
        let mixed: NamedCounts = serde_json::from_str(r#"{"z":3,"a":2,"a":1}"#).unwrap();
        assert_eq!(
            (mixed.total("a"), serde_json::to_string(&mixed).unwrap()),
            (Some(1), r#"{"a":1,"z":3}"#.to_owned())
        );
        assert_eq!(serde_json::to_string(&NamedCounts::default()).unwrap(), "{}");
        // Sums that have no room are none.
        let large: NamedCounts = serde_json::from_str(r#"{"a":[9223372036854775807,1],"b":{"c":[[],[2]]}}"#).unwrap();
        assert_eq!(["a", "b.c"].map(|path| large.total(path)), [None; 2]);
        assert!(serde_json::from_str::<NamedCounts>("[1]").is_err());
    }
}
