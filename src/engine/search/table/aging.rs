//! Age of entries: a table that is kept from search to search, as in a game, tells by three bits of each entry which
//! search has stored it. What an earlier one has stored gives way, however deep it is.

use crate::settings::settings;

settings! {
    /// Parameters of the age of entries.
    pub struct Aging, "feature";
    => "Age of table entries", "Reul 2009 and Szabo 2023 (3 bits)";
    is_used: bool, "aging",
        "where a table is kept from search to search, an entry of an earlier search is replaced whatever its draft, \
         and found until then; off: like one of this search";
}
