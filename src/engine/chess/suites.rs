//! Suites: the sets of positions that ship with the program, compiled in, so that their names work from any folder.

use splitpoint_positions::SUITES as FILES;

use super::epd::Epd;

/// Named set of positions.
#[derive(Clone, Copy, Debug)]
pub struct Suite {
    /// Name on the command line and in experiment files.
    pub name: &'static str,
    /// Description in one line.
    pub title: &'static str,
    /// EPD lines.
    pub text: &'static str,
}

/// All suites. Where two hold a position of the same id, it is the same position.
pub static SUITES: [Suite; FILES.len()] = {
    let mut all = [Suite { name: "", title: "", text: "" }; FILES.len()];
    let mut place = 0;
    while place < FILES.len() {
        let [name, title, text] = FILES[place];
        all[place] = Suite { name, title, text };
        place += 1;
    }
    all
};

/// Name of the suite that is searched when nothing else is asked for.
pub const DEFAULT_SUITE: &str = "thesis-10";

impl Suite {
    /// Suite of this name, in any case.
    pub fn named(name: &str) -> Option<&'static Self> {
        SUITES.iter().find(|suite| suite.name.eq_ignore_ascii_case(name))
    }

    /// Positions of the suite.
    pub fn positions(&self) -> Vec<Epd> {
        Epd::parse_all(self.text).expect("a test reads every suite")
    }
}

/// Position of any suite with this id, in any case.
pub fn position(id: &str) -> Option<Epd> {
    let has_id = |epd: &Epd| epd.id.as_deref().is_some_and(|own| own.eq_ignore_ascii_case(id));
    SUITES.iter().flat_map(Suite::positions).find(has_id)
}

/// Ids of all positions of all suites.
pub fn ids() -> impl Iterator<Item = String> {
    SUITES.iter().flat_map(Suite::positions).filter_map(|epd| epd.id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn every_suite_is_read_and_every_id_means_one_position() {
        let sizes = SUITES.each_ref().map(|suite| suite.positions().len());
        assert_eq!(sizes, [10, 24, 24, 200, 38, 8]);
        let mut known: HashMap<String, String> = HashMap::new();
        for epd in SUITES.iter().flat_map(Suite::positions) {
            let fen = epd.setup.to_string();
            let id = epd.id.expect("every position has an id").to_lowercase();
            assert_eq!(known.entry(id.clone()).or_insert_with(|| fen.clone()), &fen, "{id}");
        }
        assert!(position("bk09").is_some() && position("BK99").is_none());
    }
}
