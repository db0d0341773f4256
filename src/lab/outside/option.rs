//! An option as an engine describes it.

/// Types of options.
const TYPES: [&str; 5] = ["check", "spin", "combo", "button", "string"];

/// An option of an engine.
pub(super) struct Described {
    pub name: String,
    /// Type, default and range, as the engine writes them after `type`.
    rest: String,
}

impl Described {
    /// Reads what follows `option` in a line of the engine.
    pub fn of(text: &str) -> Option<Self> {
        let (name, rest) = text.trim().strip_prefix("name ")?.split_once(" type ")?;
        Some(Self { name: name.trim().to_owned(), rest: rest.to_owned() })
    }

    /// Type of the option, if it is one of those of the protocol.
    fn kind(&self) -> Option<&str> {
        self.rest.split_whitespace().next().filter(|kind| TYPES.contains(kind))
    }

    fn number(&self, name: &str) -> Option<i64> {
        self.rest.split_whitespace().skip_while(|word| *word != name).nth(1)?.parse().ok()
    }

    /// Whether its type is one of the protocol's, and a number has a default and a range that contains it.
    pub fn is_right(&self) -> bool {
        match (self.kind(), self.number("min"), self.number("default"), self.number("max")) {
            (Some("spin"), Some(least), Some(usual), Some(most)) => (least..=most).contains(&usual),
            (Some("spin") | None, ..) => false,
            _ => true,
        }
    }

    /// Words for the values that the option takes, if this one is not among them. An option that does not tell what it
    /// takes takes everything.
    pub fn refuses(&self, value: &str) -> Option<String> {
        match self.kind()? {
            "check" => (!["true", "false"].contains(&value)).then(|| "true or false".to_owned()),
            "spin" => {
                let least = self.number("min").unwrap_or(i64::MIN);
                let most = self.number("max").unwrap_or(i64::MAX);
                let is_taken = value.trim().parse().is_ok_and(|number| (least..=most).contains(&number));
                let range = if least > i64::MIN && most < i64::MAX {
                    format!(" from {least} to {most}")
                } else {
                    String::new()
                };
                (!is_taken).then(|| format!("a whole number{range}"))
            }
            "combo" => {
                let all: Vec<&str> = self.rest.split(" var ").skip(1).map(str::trim).collect();
                let is_taken = all.is_empty() || all.iter().any(|one| one.eq_ignore_ascii_case(value));
                (!is_taken).then(|| all.join(", "))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_looked_at() {
        for (option, expected) in [
            ("name Hash type spin default 16 min 1 max 1024", true),
            ("name Hash type spin default 0 min 1 max 1024", false),
            ("name Hash type spin default 16", false),
            ("name Style type combo default Solid var Solid var Risky", true),
            ("name Clear Hash type button", true),
            ("name Hash type number default 16", false),
            ("Hash", false),
        ] {
            assert_eq!(Described::of(option).is_some_and(|option| option.is_right()), expected, "{option}");
        }
    }

    #[test]
    fn values_that_an_option_does_not_take_are_refused() {
        for (option, value, expected) in [
            ("name Skill Level type spin default 20 min 0 max 20", "20", None),
            ("name Skill Level type spin default 20 min 0 max 20", "99", Some("a whole number from 0 to 20")),
            ("name Skill Level type spin default 20", "9.5", Some("a whole number")),
            ("name Ponder type check default false", "perhaps", Some("true or false")),
            ("name Ponder type check default false", "true", None),
            ("name Style type combo default Very Solid var Very Solid var Risky", "very solid", None),
            ("name Style type combo default Very Solid var Very Solid var Risky", "mad", Some("Very Solid, Risky")),
            ("name File type string default <empty>", "anything", None),
            ("name Odd type number", "anything", None),
        ] {
            assert_eq!(Described::of(option).unwrap().refuses(value).as_deref(), expected, "{option} {value}");
        }
    }
}
