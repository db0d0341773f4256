//! Values that many records have in common: of those that are read, equal ones are in memory once.

use std::borrow::Borrow;
use std::collections::HashSet;
use std::fmt;
use std::hash::Hash;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Pointer to a value that many records have in common: equal ones that were read point to the same copy.
#[derive(PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Shared<T: ?Sized>(Arc<T>);

/// A word that many records have in common: the id of a position, a move.
pub type Word = Shared<str>;

/// Store with one copy of each value of a type that was read.
pub type Known<T> = LazyLock<Mutex<HashSet<Arc<T>>>>;

/// A type whose values are shared.
pub trait Common: Hash + Eq + 'static {
    /// Store of the values of this type that were read.
    fn known() -> &'static Known<Self>;
}

impl Common for str {
    fn known() -> &'static Known<Self> {
        static WORDS: Known<str> = Known::new(Mutex::default);
        &WORDS
    }
}

impl<T: Common + ?Sized> Shared<T> {
    /// Pointer to the copy of a value that all readers share.
    pub(super) fn one(value: impl Borrow<T> + Into<Arc<T>>) -> Self {
        let mut known = T::known().lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(one) = known.get(value.borrow()) {
            return Self(Arc::clone(one));
        }
        let new: Arc<T> = value.into();
        known.insert(Arc::clone(&new));
        Self(new)
    }
}

impl Word {
    /// Text of the word.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<T: ?Sized> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T: ?Sized> Default for Shared<T>
where
    Arc<T>: Default,
{
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<T: ?Sized> Deref for Shared<T> {
    type Target = T;

    // Also where the compiler inlines nothing by itself: reports read through it at every figure of every record.
    #[inline(always)]
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: ?Sized> Borrow<T> for Shared<T> {
    fn borrow(&self) -> &T {
        &self.0
    }
}

/// Who changes it has a copy of its own.
impl<T: Clone> DerefMut for Shared<T> {
    fn deref_mut(&mut self) -> &mut T {
        Arc::make_mut(&mut self.0)
    }
}

impl<T: fmt::Debug + ?Sized> fmt::Debug for Shared<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<T: fmt::Display + ?Sized> fmt::Display for Shared<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<T> From<T> for Shared<T> {
    fn from(value: T) -> Self {
        Self(Arc::new(value))
    }
}

impl<W: AsRef<str>> From<W> for Word {
    fn from(word: W) -> Self {
        Self(word.as_ref().into())
    }
}

impl PartialEq<str> for Word {
    fn eq(&self, other: &str) -> bool {
        **self == *other
    }
}

impl PartialEq<&str> for Word {
    fn eq(&self, other: &&str) -> bool {
        **self == **other
    }
}

impl PartialEq<Word> for String {
    fn eq(&self, other: &Word) -> bool {
        **self == **other
    }
}

impl From<Word> for String {
    fn from(word: Word) -> Self {
        (*word).into()
    }
}

impl<T: Serialize + ?Sized> Serialize for Shared<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de, T: Common + Deserialize<'de>> Deserialize<'de> for Shared<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize(deserializer).map(Self::one)
    }
}

impl<'de> Deserialize<'de> for Word {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self::one)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_is_in_memory_once() {
        let read = |text: &str| -> Word { serde_json::from_str(text).unwrap() };
        let (one, other, third) = (read(r#""BK01""#), read(r#""BK01""#), read(r#""BK02""#));
        assert!(Arc::ptr_eq(&one.0, &other.0) && !Arc::ptr_eq(&one.0, &third.0));
        assert_eq!((&one, one == *"BK01", one < third), (&Word::from("BK01"), true, true));
        assert_eq!(serde_json::to_string(&one).unwrap(), r#""BK01""#);
    }

    #[test]
    fn who_changes_it_has_a_copy() {
        let mut one = Shared::from(vec![1, 2]);
        let other = one.clone();
        one.push(3);
        assert_eq!((&*one, &*other), (&vec![1, 2, 3], &vec![1, 2]));
    }
}
