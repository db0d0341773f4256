//! Values that are a name with changes after commas, as strategies, features and costs are written:
//! `ybwc,+draft=4,-handover`, `reference,lock_handoff*2`. Another version of the program may have written them, so that
//! nothing but their form is known here.

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

/// Name that the changes follow.
pub fn base(value: &str) -> &str {
    value.split(',').next().unwrap_or_default()
}

/// Changes after the name.
pub fn changes(value: &str) -> impl Iterator<Item = Change<'_>> {
    value.split(',').skip(1).map(Change::of)
}

/// The value without changes of this name.
pub fn without(value: &str, name: &str) -> String {
    let kept = changes(value).filter(|change| change.name != name).map(|change| change.text);
    std::iter::once(base(value)).chain(kept).collect::<Vec<_>>().join(",")
}

/// Changes that lead from one value to the other, if they have the same name; else the other value.
pub fn between(from: &str, to: &str) -> String {
    if base(from) != base(to) || from == to {
        return to.to_owned();
    }
    let (before, after): (Vec<Change<'_>>, Vec<Change<'_>>) = (changes(from).collect(), changes(to).collect());
    let given = after.iter().filter(|change| !before.contains(change)).map(|change| change.text.to_owned());
    // An amount that is set in both is named with its new value only.
    let taken = before.iter().filter(|change| !after.iter().any(|other| other.name == change.name));
    given.chain(taken.map(Change::opposite)).collect::<Vec<_>>().join(",")
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
        assert_eq!(without("ybwc,minimum-draft=4,helpers=2", "minimum-draft"), "ybwc,helpers=2");
        assert_eq!(without("thesis,+draft=4", "draft"), "thesis");
        assert_eq!(without("ybwc", "draft"), "ybwc");
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
            assert_eq!(between(from, to), expected, "{from} to {to}");
        }
    }
}
