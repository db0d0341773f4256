//! Suites: the sets of positions that ship with the program, compiled in, so that their names work from any folder.

use super::epd::Epd;

/// Named set of positions.
#[derive(Debug)]
pub struct Suite {
    /// Name on the command line and in experiment files.
    pub name: &'static str,
    /// Description in one line.
    pub title: &'static str,
    /// EPD lines, as they stand in `positions/`.
    pub text: &'static str,
}

macro_rules! suite {
    ($name:literal, $title:literal) => {
        Suite { name: $name, title: $title, text: include_str!(concat!("../../../positions/", $name, ".epd")) }
    };
}

/// Name of the suite that is searched when nothing else is asked for.
pub const DEFAULT_SUITE: &str = "thesis-10";

/// All suites. Where two hold a position of the same id, it is the same position.
pub static SUITES: [Suite; 6] = [
    suite!("thesis-10", "the ten Bratko-Kopec positions of the 2004 thesis"),
    suite!("bratko-kopec", "all 24 positions of Bratko and Kopec's test (1982)"),
    suite!("hyatt-24", "24 successive positions of one game, from the paper on DTS (1994)"),
    suite!("balanced-200", "quiet positions from 200 engine games with random openings"),
    suite!("perft", "positions with perft counts"),
    suite!("rare", "positions with what is rare: mates, one legal move, pawns alone, the fifty-move rule"),
];

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
