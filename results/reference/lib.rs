//! Published tables: the files of this folder that the program sets its results beside. Figures of others, copied from
//! where the first lines or the readers of each file say.
#![no_std]

macro_rules! tables {
    ($($name:literal,)*) => {
        /// Tables, by the names of their files.
        const TABLES: &[(&str, &str)] = &[$( ($name, include_str!($name)), )*];
    };
}

tables! {
    "dts-1994-positions.csv",
    "published-speedups.csv",
    "rasmussen-2004-dedicated-12.csv",
    "rasmussen-2004-main.csv",
    "rasmussen-2004-preliminary.csv",
    "reul-2009-figures-3.18-3.19.csv",
    "reul-2009-filter.csv",
    "reul-2009-footnote-17.csv",
    "reul-2009-layouts.csv",
    "reul-2009-profile-phases.csv",
    "reul-2009-scan-multipliers.csv",
    "reul-2009-table-2.1.csv",
    "reul-2009-table-2.2.csv",
    "reul-2009-table-2.3.csv",
    "reul-2009-table-2.4.csv",
    "reul-2009-table-2.5.csv",
    "reul-2009-table-3.1.csv",
    "reul-2009-table-3.2.csv",
    "reul-2009-table-4.1.csv",
    "reul-2009-table-4.2.csv",
    "reul-2009-table-4.3.csv",
    "reul-2009-table-4.4.csv",
    "reul-2009-table-4.5.csv",
    "reul-2009-tables-5.1-5.2.csv",
    "szabo-2023-figure-46.csv",
    "szabo-2023-figures-50-52.csv",
    "szabo-2023-fixed-depth.csv",
    "szabo-2023-mate-distance.csv",
    "szabo-2023-start-position.csv",
}

/// Text of a table. In constants, a name that is not in the list does not compile.
pub const fn table(name: &str) -> &'static str {
    let mut place = 0;
    while place < TABLES.len() {
        if is_equal(TABLES[place].0.as_bytes(), name.as_bytes()) {
            return TABLES[place].1;
        }
        place += 1;
    }
    panic!("there is no such table")
}

const fn is_equal(one: &[u8], other: &[u8]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    let mut place = 0;
    while place < one.len() {
        if one[place] != other[place] {
            return false;
        }
        place += 1;
    }
    true
}
