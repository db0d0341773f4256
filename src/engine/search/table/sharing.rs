//! Sharing of the transposition table in words: the scheme within a node, and what nodes exchange. `lockless`, or on
//! several nodes `lockless,exchange=push,exchange-draft=6`.

use std::fmt;
use std::str::FromStr;

use super::Scheme;
use crate::search::across::{Exchange, Rule};
use crate::settings;
use crate::suggestion::WordError;

/// Sharing of the table among workers, and among nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TableSharing {
    /// Sharing among workers of a node.
    pub scheme: Scheme,
    /// Exchange of entries between nodes.
    pub exchange: Exchange,
}

impl TableSharing {
    /// Whether what one node finds is exchanged with others.
    pub fn exchanges(&self) -> bool {
        self.exchange.rule != Rule::None
    }

    fn check(self) -> Result<Self, WordError> {
        let Self { scheme, exchange } = self;
        if self.exchanges() && scheme != Scheme::Lockless {
            let (scheme, rule) = (scheme.name(), exchange.rule.name());
            let message =
                format!("nodes do not exchange entries of a table that is {scheme}: exchange={rule} needs lockless");
            return Err(WordError::new(message));
        }
        Ok(self)
    }
}

impl FromStr for TableSharing {
    type Err = WordError;

    fn from_str(text: &str) -> Result<Self, WordError> {
        let mut words = text.split(',').map(str::trim);
        let scheme = words.next().unwrap_or_default().parse()?;
        let mut exchange = Exchange::default();
        words.try_for_each(|word| settings::change(&mut exchange, word))?;
        Self { scheme, exchange }.check()
    }
}

/// The shortest text that says this.
impl fmt::Display for TableSharing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.scheme.name())?;
        settings::write_changes(f, &Exchange::default(), &self.exchange)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sharing_is_read_as_it_is_written() {
        for text in ["lockless", "private", "lockless,exchange=push", "lockless,exchange=ring,+exchange-draft=6"] {
            assert_eq!(text.parse::<TableSharing>().unwrap().to_string(), text);
        }
        for (text, message) in [
            ("locked", "locked"),
            ("striped,exchange=push", "needs lockless"),
            ("lockless,exchange=pull", "pull"),
            ("lockless,exchange-batch=0", "0"),
        ] {
            let error = text.parse::<TableSharing>().unwrap_err().to_string();
            assert!(error.contains(message), "{text}: {error}");
        }
    }
}
