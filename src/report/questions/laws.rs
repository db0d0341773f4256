//! Does the speedup follow a law? Amdahl's and the universal scalability law, and how each loss grows.

use crate::Source;
use crate::analysis::Curve;
use crate::analysis::doubling::{Doubling, LossGrowth, last_doubling};
use crate::analysis::forms::{COORDINATION, EXTRA_NODES, Form, Growth, HALF_EFFICIENCY, SLOWER_NODES, WAITING};
use crate::analysis::laws::{Fit, Laws, laws};
use crate::sentence::Sentence;
use crate::statistics::Interval;
use crate::table::number::{counted, figure, interval, listed};
use crate::table::{Columns, columns};

use super::{File, Question, which_by_model};

pub(super) const LAWS: Question<Source> = Question {
    key: "laws",
    title: "Does it follow a law?",
    reading: "Amdahl: S = n / (1 + s (n - 1)), where s is the share that is done one after the other. The universal \
              scalability law adds k n (n - 1), what pairs of processors cost each other; it is told only where a \
              test at 5 % shows that Amdahl's law does not do. A law fits if no speedup is more than 10 % off it; \
              otherwise its numbers mean nothing. That a law fits does not show that it holds: a curve follows it only \
              if all intervals of the distances lie within 10 %, and Amdahl's only if pairs are shown to cost less \
              than that. Intervals are jackknifed over positions. Under each loss stands by how much it grows from \
              half of the processors, or the next fewer, to the most; these intervals hold together. The forms of n \
              between which the points do not decide are in the file. All hold for searches of this size, and between \
              the numbers of processors that were measured.",
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

/// Curve, what is said of it, and how its losses grow at its end.
struct Row<'a> {
    curve: &'a Curve,
    laws: Laws,
    doubling: Option<Doubling>,
}

fn rows(source: &Source) -> Vec<Row<'_>> {
    let Source { analysis, records, .. } = source;
    let row =
        |curve| Some(Row { laws: laws(analysis, curve)?, doubling: last_doubling(analysis, records, curve), curve });
    analysis.curves.iter().filter_map(row).collect()
}

fn sentence(source: &Source) -> Option<Sentence> {
    let said = |row: &Row<'_>| {
        let fastest = row.doubling.as_ref().and_then(fastest);
        law(&row.curve.label, row.laws.fits.as_ref()) + &fastest.map(|words| format!(" ({words})")).unwrap_or_default()
    };
    let rows = rows(source);
    let mut words: Vec<String> = rows.iter().take(NAMED).map(said).collect();
    if rows.len() > NAMED {
        words.push(counted(rows.len() - NAMED, "other is in the table", "others are in the table"));
    }
    let by: Vec<&Laws> = rows.iter().map(|row| &row.laws).collect();
    let largest = rows.iter().take(NAMED).filter_map(|row| source.analysis.groups.get(*row.curve.groups.last()?));
    let by_model = which_by_model(largest.map(|group| (group.configuration.machine, group.configuration.threads)));
    (!words.is_empty()).then(|| Sentence::stated(format!("{}{by_model}.", listed(&words)), &by))
}

/// Words that tests allow on the law of a curve.
fn law(label: &str, fits: Option<&Fit>) -> String {
    let Some(Fit { law, is_shown }) = fits else { return format!("no law fits {label}") };
    let is = if *is_shown { "follows" } else { "is not distinguishable from" };
    let serial = interval(&law.serial);
    match law.pairs {
        Some(pairs) => {
            format!("{label} {is} the universal scalability law with s = {serial} and k = {}", interval(&pairs))
        }
        None if *is_shown => format!("{label} follows Amdahl's law with a serial share of {serial}"),
        None => format!("{label} {is} Amdahl's law, by which its serial share would be {serial}"),
    }
}

/// `from 16 to 32 processors, waiting grows most: × 1.62 (1.50 to 1.75)`; nothing where no loss is shown to grow.
fn fastest(Doubling { from, to, losses }: &Doubling) -> Option<String> {
    let growing = losses.iter().filter(|one| one.grows).count();
    let fastest: Vec<&LossGrowth> = losses.iter().filter(|one| one.is_fastest).collect();
    let said = match fastest[..] {
        [] => return None,
        [one] if growing == 1 => format!("only {} is shown to grow: × {}", one.name, interval(&one.ratio)),
        [one] => format!("{} grows most: × {}", one.name, interval(&one.ratio)),
        _ => {
            let all: Vec<String> =
                fastest.iter().map(|one| format!("{} (× {})", one.name, interval(&one.ratio))).collect();
            format!("{} grow, and none of them is shown to grow most", listed(&all))
        }
    };
    Some(format!("from {from} to {to} processors, {said}"))
}

impl Row<'_> {
    fn loss(&self, name: &str) -> Option<String> {
        self.laws.losses.iter().find(|(loss, _)| *loss == name).map(|(_, growth)| forms(growth))
    }

    fn growth(&self, name: &str) -> Option<Interval> {
        self.doubling.as_ref()?.losses.iter().find(|one| one.name == name).map(|one| one.ratio)
    }
}

/// `n^0.75 to n log2 n (5 forms)`: the slowest and the fastest of several; a single one with its numbers.
fn forms(Growth(forms): &Growth) -> String {
    match &forms[..] {
        [] => String::new(),
        [only] => form(only),
        [slowest, .., fastest] => format!("{} to {} ({} forms)", shape(slowest), shape(fastest), forms.len()),
    }
}

/// `1.03 + 0.12 n^0.75`.
fn form(form: &Form) -> String {
    let Form { start, slope, .. } = *form;
    if slope == 0.0 {
        return figure(start);
    }
    format!("{} {} {} {}", figure(start), if slope < 0.0 { '-' } else { '+' }, figure(slope.abs()), powers(form))
}

/// `n^0.75`, `-n^0.75` if it falls, `constant`.
fn shape(form: &Form) -> String {
    match form.slope {
        0.0 => "constant".to_owned(),
        slope => format!("{}{}", if slope < 0.0 { "-" } else { "" }, powers(form)),
    }
}

/// `n^0.75 log2 n`.
fn powers(form: &Form) -> String {
    let power = match form.power {
        0.0 => None,
        1.0 => Some("n".to_owned()),
        power => Some(format!("n^{}", (100.0 * power).round() / 100.0)),
    };
    let logarithm = (form.logarithms > 0).then(|| "log2 n".to_owned());
    power.into_iter().chain(logarithm).collect::<Vec<_>>().join(" ")
}

fn columns<'a>() -> Columns<'a, Row<'a>> {
    columns! { Row<'_>, row;
        "label" as "Configuration": "what distinguishes the curve in this experiment" => row.curve.label.clone();
        "law" as "Law that fits": "law from which no speedup is more than 10 % off: amdahl, universal or none" =>
            match row.laws.fits.map(|fit| fit.law.pairs) {
                Some(Some(_)) => "universal",
                Some(None) => "amdahl",
                None => "none",
            };
        "law_is_shown" as "Shown" [optional]:
            "whether tests show that the curve follows that law; otherwise it is not distinguishable from it" =>
            row.laws.fits.map(|fit| if fit.is_shown { "yes" } else { "no" });
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
        "waiting_growth" as "Waiting" [with_ends]:
            "factor by which the inverse of utilisation grows from half of the processors, or the next fewer, to the \
             most" => row.growth(WAITING);
        "extra_nodes_growth" as "Extra nodes" [with_ends]: "likewise the ratio of nodes" => row.growth(EXTRA_NODES);
        "slower_nodes_growth" as "Slower nodes" [with_ends]: "likewise the inverse of the rate" =>
            row.growth(SLOWER_NODES);
        "coordination_growth" as "Coordination" [optional with_ends]: "likewise the inverse of the productive share" =>
            row.growth(COORDINATION);
        "waiting": "forms of the number of processors n by which the inverse of utilisation may grow, from the slowest \
                    to the fastest; a minus where it falls" => row.loss(WAITING);
        "extra_nodes": "such forms of the ratio of nodes" => row.loss(EXTRA_NODES);
        "slower_nodes": "such forms of the inverse of the rate" => row.loss(SLOWER_NODES);
        "coordination": "such forms of the inverse of the productive share" => row.loss(COORDINATION);
        "half_efficiency": "such forms of the time of one processor from which on half of the processors are worth it, \
                            where at least five lie within what was measured" => row.loss(HALF_EFFICIENCY);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::laws::Law;

    fn around(estimate: f64) -> Interval {
        Interval { estimate, low: 0.9 * estimate, high: 1.1 * estimate }
    }

    /// A law that a test does not reject is not yet one that a curve follows.
    #[test]
    fn a_curve_follows_only_what_is_shown() {
        let law = |pairs: Option<f64>, is_shown: bool| {
            let law = Law { serial: around(0.2), pairs: pairs.map(around), peak: None, distance: 0.05 };
            super::law("ybwc", Some(&Fit { law, is_shown }))
        };
        let serial = "0.200 (0.180 to 0.220)";
        assert_eq!(law(None, true), format!("ybwc follows Amdahl's law with a serial share of {serial}"));
        assert_eq!(
            law(None, false),
            format!("ybwc is not distinguishable from Amdahl's law, by which its serial share would be {serial}")
        );
        assert!(law(Some(0.01), true).starts_with("ybwc follows the universal scalability law with s = 0.200"));
        assert!(law(Some(0.01), false).starts_with("ybwc is not distinguishable from the universal scalability law"));
        assert_eq!(super::law("ybwc", None), "no law fits ybwc");
    }

    #[test]
    fn what_grows_fastest_has_its_rivals_beside_it() {
        let said = |losses: &[(&'static str, bool, bool)]| {
            let loss = |&(name, grows, is_fastest)| LossGrowth { name, ratio: around(2.0), grows, is_fastest };
            fastest(&Doubling { from: 16, to: 32, losses: losses.iter().map(loss).collect() })
        };
        assert_eq!(said(&[(WAITING, false, false)]), None);
        let one = "from 16 to 32 processors, only waiting is shown to grow: × 2.00 (1.80 to 2.20)";
        assert_eq!(said(&[(WAITING, true, true), (EXTRA_NODES, false, false)]).unwrap(), one);
        let most = "from 16 to 32 processors, waiting grows most: × 2.00 (1.80 to 2.20)";
        assert_eq!(said(&[(WAITING, true, true), (EXTRA_NODES, true, false)]).unwrap(), most);
        let both = said(&[(WAITING, true, true), (EXTRA_NODES, true, true)]).unwrap();
        assert!(both.ends_with("extra nodes (× 2.00 (1.80 to 2.20)) grow, and none of them is shown to grow most"));
    }

    #[test]
    fn several_forms_are_told_by_their_ends() {
        let form = |slope, power, logarithms| Form { start: 1.03, slope, power, logarithms };
        let all = [form(0.0, 0.0, 0), form(0.2, 0.75, 0), form(0.12, 1.0, 1)];
        let forms = |forms: &[Form]| forms_of(forms);
        assert_eq!(forms(&all), "constant to n log2 n (3 forms)");
        assert_eq!(forms(&all[1..]), "n^0.75 to n log2 n (2 forms)");
        assert_eq!(forms(&all[2..]), "1.03 + 0.120 n log2 n");
        assert_eq!(forms(&all[..1]), "1.03");
        assert_eq!(forms(&[form(-0.1, 0.0, 1), form(0.1, 0.0, 1)]), "-log2 n to log2 n (2 forms)");
    }

    fn forms_of(forms: &[Form]) -> String {
        super::forms(&Growth(forms.to_vec()))
    }
}
