//! Values that are a name with changes after commas, as strategies, features and costs are written:
//! `ybwc,+draft=4,-handover`, `reference,lock_handoff*2`. Another version of the program may have written them, so that
//! nothing but their form is known here.

use std::fmt;
use std::ops::Deref;

use serde::{Deserialize, Serialize};

/// A name with changes after commas. It is written, compared and ordered as its text.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Named(String);

/// Change of a named value: `+name`, `-name`, `name=amount`, `+name=amount`, `name*factor` or `name/factor`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change<'a> {
    /// The change as it is written.
    pub text: &'a str,
    /// Name of what is changed.
    pub name: &'a str,
    /// Sign before the amount, `=`, `*` or `/`, and the amount itself.
    pub amount: Option<(char, &'a str)>,
}

impl<'a> Change<'a> {
    /// Change that is written so.
    pub fn of(text: &'a str) -> Self {
        let text = text.trim();
        let rest = text.trim_start_matches(['+', '-']);
        let Some(place) = rest.find(['=', '*', '/']) else { return Self { text, name: rest, amount: None } };
        let sign = char::from(rest.as_bytes()[place]);
        Self { text, name: rest[..place].trim(), amount: Some((sign, rest[place + 1..].trim())) }
    }

    /// Whether the change names itself: a word without a sign or an amount may mean anything.
    pub fn is_clear(&self) -> bool {
        self.amount.is_some() || self.text.starts_with(['+', '-'])
    }

    /// The change that takes it back: `without word` for a word without an opposite.
    fn opposite(&self) -> String {
        match (self.text.starts_with('-'), self.text.starts_with('+'), self.amount) {
            (true, ..) => format!("+{}", &self.text[1..]),
            (_, true, None) => format!("-{}", self.name),
            _ => format!("{WITHOUT}{}", self.text),
        }
    }
}

/// Begins the change that takes back a word without an opposite.
pub const WITHOUT: &str = "without ";

impl Named {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Name that the changes follow.
    pub fn name(&self) -> &str {
        self.apart().0
    }

    /// The name, and what follows it with the comma before it.
    pub fn apart(&self) -> (&str, &str) {
        self.0.split_at(self.0.find(',').unwrap_or(self.0.len()))
    }

    /// Changes after the name.
    pub fn changes(&self) -> impl Iterator<Item = Change<'_>> {
        self.0.split(',').skip(1).map(Change::of)
    }

    /// Whether changes follow the name.
    pub fn is_changed(&self) -> bool {
        self.0.contains(',')
    }

    /// The value with those of its changes that are kept.
    #[must_use]
    pub fn keeping(&self, is_kept: impl Fn(&Change<'_>) -> bool) -> Self {
        let kept = self.changes().filter(is_kept).map(|change| change.text);
        Self(std::iter::once(self.name()).chain(kept).collect::<Vec<_>>().join(","))
    }

    /// The value without changes of this name.
    #[must_use]
    pub fn without(&self, name: &str) -> Self {
        self.keeping(|change| change.name != name)
    }

    /// Changes that lead from this value to the other, if they have the same name; else the other value.
    pub fn changes_to(&self, other: &Self) -> String {
        if self.name() != other.name() || self == other {
            return other.to_string();
        }
        let (before, after): (Vec<Change<'_>>, Vec<Change<'_>>) = (self.changes().collect(), other.changes().collect());
        let given = after.iter().filter(|change| !before.contains(change)).map(|change| change.text.to_owned());
        // An amount that is set in both is named with its new value only.
        let taken = before.iter().filter(|change| !after.iter().any(|other| other.name == change.name));
        given.chain(taken.map(Change::opposite)).collect::<Vec<_>>().join(",")
    }
}

impl Deref for Named {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl From<String> for Named {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl From<&str> for Named {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl From<Named> for String {
    fn from(named: Named) -> Self {
        named.0
    }
}

impl PartialEq<str> for Named {
    fn eq(&self, other: &str) -> bool {
        self.0 == *other
    }
}

impl PartialEq<&str> for Named {
    fn eq(&self, other: &&str) -> bool {
        self.0 == *other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_told_by_their_signs() {
        for (text, name, amount, is_clear) in [
            ("+draft=4", "draft", Some(('=', "4")), true),
            ("draft=4", "draft", Some(('=', "4")), true),
            ("lock_handoff*2", "lock_handoff", Some(('*', "2")), true),
            (" jitter/1.5", "jitter", Some(('/', "1.5")), true),
            ("-null-move", "null-move", None, true),
            ("mailbox", "mailbox", None, false),
        ] {
            let change = Change::of(text);
            assert_eq!((change.name, change.amount, change.is_clear()), (name, amount, is_clear), "{text}");
        }
    }

    #[test]
    fn a_change_is_taken_out_by_its_name() {
        let without = |text: &str, name| Named::from(text).without(name);
        assert_eq!(without("ybwc,minimum-draft=4,helpers=2", "minimum-draft"), "ybwc,helpers=2");
        assert_eq!(without("thesis,+draft=4", "draft"), "thesis");
        assert_eq!(without("ybwc", "draft"), "ybwc");
    }

    #[test]
    fn values_are_ordered_and_written_as_their_texts() {
        let mut all = ["ybwc-as-printed", "ybwc,+a", "ybwc"].map(Named::from);
        all.sort();
        assert_eq!(serde_json::to_string(&all).unwrap(), r#"["ybwc","ybwc,+a","ybwc-as-printed"]"#);
        assert_eq!(all.map(|one| (one.name().to_owned(), one.is_changed()))[1], ("ybwc".to_owned(), true));
    }

    #[test]
    fn changes_between_values() {
        for (from, to, expected) in [
            ("ybwc", "lazy", "lazy"),
            ("ybwc,-a,-b", "ybwc,-b", "+a"),
            ("ybwc", "ybwc,-a", "-a"),
            ("ybwc,+draft=3,-a", "ybwc,+draft=4,-a", "+draft=4"),
            ("modern,a=none", "modern", "without a=none"),
            ("reference", "reference,lock*2", "lock*2"),
            ("16", "64", "64"),
            ("thesis", "thesis", "thesis"),
        ] {
            assert_eq!(Named::from(from).changes_to(&to.into()), expected, "{from} to {to}");
        }
    }
}
