//! Does the speedup follow a law? Amdahl's and the universal scalability law, and how each loss grows.

use crate::Source;
use crate::analysis::Curve;
use crate::analysis::laws::{Growth, Law, Laws, laws};
use crate::table::number::{counted, figure, interval, listed};
use crate::table::{Columns, columns};

use super::{File, Question};

pub(super) const LAWS: Question<Source> = Question {
    key: "laws",
    title: "Does it follow a law?",
    reading: "Amdahl: S = n / (1 + s (n - 1)), where s is the share that is done one after the other. The universal \
              scalability law adds k n (n - 1), what pairs of processors cost each other; it is told only where a \
              test shows that Amdahl's law does not do. A law fits if no speedup is more than 10 % off it; otherwise \
              its numbers mean nothing. Intervals are jackknifed over positions. How a loss grows: the form of n that \
              foretells each point best from the others. All hold for searches of this size, and between the numbers \
              of processors that were measured.",
    sentence,
    table: |source| columns().for_readers().table("", "", rows(source)).without_empty_columns(),
    files: &[File {
        name: "laws.csv",
        rows: "One row per curve with at least five numbers of processors above one.",
        table: |source| columns().table("", "", rows(source)),
    }],
    ..Question::PLAIN
};

/// Largest number of curves that the sentence names.
const NAMED: usize = 3;

/// Curve, what is said of it, and the largest number of processors.
struct Row<'a> {
    curve: &'a Curve,
    laws: Laws,
    most: f64,
}

fn rows(source: &Source) -> Vec<Row<'_>> {
    let analysis = &source.analysis;
    let most = |curve: &Curve| curve.groups.iter().map(|&place| analysis.groups[place].configuration.threads).max();
    let row = |curve| Some(Row { curve, laws: laws(analysis, curve)?, most: f64::from(most(curve)?) });
    analysis.curves.iter().filter_map(row).collect()
}

fn sentence(source: &Source) -> Option<String> {
    let said = |row: &Row<'_>| {
        let label = &row.curve.label;
        let law = match &row.laws.fits {
            Some(Law { pairs: Some(pairs), serial, .. }) => format!(
                "{label} follows the universal scalability law with s = {} and k = {}",
                interval(serial),
                interval(pairs)
            ),
            Some(law) => format!("{label} follows Amdahl's law with a serial share of {}", interval(&law.serial)),
            None => format!("no law fits {label}"),
        };
        let fastest =
            row.fastest().map(|(name, growth)| format!(" (what grows fastest: {name}, as {})", form(&growth)));
        law + &fastest.unwrap_or_default()
    };
    let rows = rows(source);
    let mut words: Vec<String> = rows.iter().take(NAMED).map(said).collect();
    if rows.len() > NAMED {
        words.push(counted(rows.len() - NAMED, "other is in the table", "others are in the table"));
    }
    (!words.is_empty()).then(|| format!("{}.", listed(&words)))
}

impl Row<'_> {
    /// The loss that grows most in the last doubling of processors, if any does.
    fn fastest(&self) -> Option<(&'static str, Growth)> {
        let losses = self.laws.losses.iter().filter(|(name, growth)| *name != HALF && growth.slope > 0.0);
        let by_growth = |one: &&(&str, Growth)| one.1.last_doubling(self.most);
        losses.max_by(|one, other| by_growth(one).total_cmp(&by_growth(other))).copied()
    }

    fn loss(&self, name: &str) -> Option<String> {
        self.laws.losses.iter().find(|(loss, _)| *loss == name).map(|(_, growth)| form(growth))
    }
}

/// Name of what is no loss among them.
const HALF: &str = "half efficiency";

/// `1.03 + 0.12 n^0.75`.
fn form(growth: &Growth) -> String {
    let Growth { start, slope, power, logarithms } = *growth;
    if slope == 0.0 {
        return figure(start);
    }
    let power = match power {
        0.0 => String::new(),
        1.0 => " n".to_owned(),
        power => format!(" n^{}", figure(power)),
    };
    let logarithm = if logarithms > 0 { " log2 n" } else { "" };
    format!("{} {} {}{power}{logarithm}", figure(start), if slope < 0.0 { '-' } else { '+' }, figure(slope.abs()))
}

fn columns<'a>() -> Columns<'a, Row<'a>> {
    columns! { Row<'_>, row;
        "label" as "Configuration": "what distinguishes the curve in this experiment" => row.curve.label.clone();
        "law" as "Law that fits": "law from which no speedup is more than 10 % off: amdahl, universal or none" =>
            match &row.laws.fits {
                Some(Law { pairs: Some(_), .. }) => "universal",
                Some(_) => "amdahl",
                None => "none",
            };
        "amdahl_serial" as "Serial share" [with_ends]: "serial share of Amdahl's law" => row.laws.amdahl.serial;
        "amdahl_off" as "Off by": "largest distance of a speedup from Amdahl's law, as a share" =>
            row.laws.amdahl.distance;
        "universal_serial" as "s" [with_ends]: "serial share of the universal scalability law" =>
            row.laws.universal.serial;
        "universal_pairs" as "k" [with_ends]: "share that each pair of processors costs by that law" =>
            row.laws.universal.pairs;
        "universal_peak" as "Peak at" [optional with_ends]:
            "number of processors beyond which the speedup falls by that law; empty beyond twice what was measured" =>
            row.laws.universal.peak;
        "universal_off" as "Off": "largest distance of a speedup from that law, as a share" =>
            row.laws.universal.distance;
        "waiting" as "Waiting": "how the inverse of utilisation grows with the number of processors n" =>
            row.loss("waiting");
        "extra_nodes" as "Extra nodes": "how the ratio of nodes grows" => row.loss("extra nodes");
        "slower_nodes" as "Slower nodes": "how the inverse of the rate grows" => row.loss("slower nodes");
        "coordination" as "Coordination" [optional]: "how the inverse of the productive share grows" =>
            row.loss("coordination");
        "half_efficiency" as "Half efficiency, s" [optional]:
            "how the time of one processor grows from which on half of the processors are worth it" => row.loss(HALF);
    }
}
