//! Questions that are asked of a validation, and what a reader sees first.

use super::{Trust, Validated, agreement, calibration, mechanisms};
use crate::distinct::distinct;
use crate::page::environment;
use crate::question::{About, File, Headline, Question, Subject};
use crate::record::Environment;
use crate::record::validation::{Measurements, Role};
use crate::sentence::Sentence;
use crate::table::number::{counted, figure, listed, percent};
use crate::table::{Columns, html};

impl Subject for Validated {
    const QUESTIONS: &'static [Question<Self>] = &[AGREEMENT, MECHANISMS, CALIBRATION, NOISE, HOW];
    const FILES: &'static [File<Self>] = &[];

    fn about(&self) -> About<'_> {
        About {
            title: "The virtual machine against this computer",
            question: "How far can the times of the virtual machine be trusted?",
            command: &self.measurements.session.command,
            version: &self.measurements.session.version,
            ..About::default()
        }
    }

    fn headline(&self) -> Headline {
        let alerts: Vec<String> = surroundings(self).remedies().collect();
        Headline {
            is_tentative: !alerts.is_empty(),
            alerts,
            verdict: agreement::sentence(self),
            table: agreement::table(self),
            ..Headline::default()
        }
    }
}

/// Computer and program.
fn surroundings(validated: &Validated) -> Environment {
    Environment { sessions: vec![validated.measurements.session.clone()] }
}

const AGREEMENT: Question<Validated> = Question {
    key: "agreement",
    title: "Does a search take as long on virtual processors?",
    reading: "Searches of the same positions with the same seeds, compared run by run; intervals of 95 % for positions \
              like these. The costs were not fitted to these positions. 'Shown within': the difference is shown to be \
              smaller than the margin. 'Shown outside': it \
              is shown to be larger. 'Not shown': neither.",
    sentence: |validated| Some(agreement::sentence(validated)),
    charts: &[
        ("strategies", "virtual / real time speedup of each strategy", agreement::strategies_chart),
        ("positions", "virtual / real time on one processor", agreement::chart),
    ],
    table: agreement::table,
    body: |validated, html| html::write(&agreement::parts_table(validated), html),
    ..Question::PLAIN
};

const MECHANISMS: Question<Validated> = Question {
    key: "mechanisms",
    title: "Does a single mechanism?",
    reading: "Micro-programs, each of which repeats one operation, in turns on real and on virtual processors: 10th \
              percentiles over many slices, geometric means over batches, and the 95 % interval over batches. \
              'Fitted': a cost of the model is fitted to this micro-program. 'Predicted': from costs that were \
              measured separately.",
    sentence: |validated| {
        Some(Sentence::stated(mechanisms::sentence(&validated.findings), &validated.findings.mechanisms))
    },
    table: mechanisms::table,
    body: |validated, html| {
        let measured = validated.findings.mechanisms.iter().map(|ratio| ratio.mechanism);
        html.facts(&measured.map(|mechanism| (mechanism.name(), mechanism.meaning())).collect::<Vec<_>>());
    },
    ..Question::PLAIN
};

const CALIBRATION: Question<Validated> = Question {
    key: "calibration",
    title: "What is the cost model here?",
    sentence: |validated| calibration::sentence(validated).map(Sentence::described),
    body: |validated, html| {
        calibration::write_work(validated, html);
        calibration::write_coordination(validated, html);
        html.facts(&[("Taken from 'reference'", validated.measurements.assumed.join(", ").replace('_', " "))]);
        environment::write_costs(html, &surroundings(validated).costs());
    },
    ..Question::PLAIN
};

const NOISE: Question<Validated> = Question {
    key: "noise",
    title: "How far can I trust it?",
    sentence: |validated| Some(Sentence::described(noise(validated))),
    body: |validated, html| {
        let columns = Columns::new().with("Search and reason", "", |failure: &&String| failure.as_str());
        let failed = &validated.findings.trust.failed;
        html::write(&columns.table("Searches that failed", "No mean includes them.", failed), html);
    },
    ..Question::PLAIN
};

const HOW: Question<Validated> = Question {
    key: "how",
    title: "How was it made?",
    sentence: |validated| {
        let (version, searches) = (&validated.measurements.session.version, searches(&validated.measurements));
        let words = format!("By Splitpoint {version}, from {searches}; all figures are in a file beside the page.");
        Some(Sentence::described(words))
    },
    body: |validated, html| {
        html.paragraphs(&method(&validated.measurements));
        environment::write_sessions(html, &surroundings(validated).sessions);
    },
    ..Question::PLAIN
};

/// Description of what was searched, and of how several processors shared it.
fn searches(Measurements { records, .. }: &Measurements) -> String {
    let configurations = || records.iter().map(|record| &record.cell.configuration);
    let first = configurations().next();
    let features = first.map_or_else(String::new, |first| format!(" with the features {}", first.features));
    let shared = configurations().filter(|configuration| configuration.threads > 1);
    let shared = distinct(shared.map(|configuration| configuration.strategy.to_string()));
    let by = if shared.is_empty() { String::new() } else { format!(", shared by {}", listed(&shared)) };
    format!("searches{features}{by}")
}

/// Question of what the records are worth.
fn noise(validated: &Validated) -> String {
    let Trust { real, disturbed, simulated, failed } = &validated.findings.trust;
    let mut text = format!(
        "Of {}, {disturbed} {} disturbed by other programs ({}); nothing can disturb the {simulated} virtual ones.",
        counted(*real, "real search", "real searches"),
        if *disturbed == 1 { "was" } else { "were" },
        percent(*disturbed as f64 / (*real).max(1) as f64)
    );
    if *disturbed > 0 {
        text += " Real times contain that disturbance, so that a difference need not be the model's fault.";
    }
    text += &match failed.first() {
        Some(first) => format!(" {} failed; the first: {first}.", counted(failed.len(), "search", "searches")),
        None => " None failed.".to_owned(),
    };
    if let Some(one) = &validated.findings.one_processor {
        text += &format!(" {} of {} pairs on one processor searched different trees.", one.other_trees, one.pairs);
    }
    text
}

/// Method, a paragraph each for positions, searches, verdicts, and what the model leaves out.
fn method(Measurements { size, positions, .. }: &Measurements) -> [String; 4] {
    let count = |role| positions.iter().filter(|position| position.role == role).count();
    let what = format!(
        "The costs of work were fitted to searches on one processor at {} positions. One real and one virtual \
         processor were compared at {} others{}, several at the first {} of those, with {} each. Each position is \
         searched to the last depth that one processor completes within {} nodes, so that every computer searches the \
         same trees.",
        count(Role::Calibration),
        count(Role::Check),
        if size.skipped_positions == 0 {
            String::new()
        } else {
            format!(" (after the first {}, which were left out)", size.skipped_positions)
        },
        size.positions.min(count(Role::Check)),
        counted(size.seeds, "seed", "seeds"),
        figure(size.nodes as f64)
    );
    let searches = "Real searches ran one at a time on pinned threads, after a warm-up search that does not count, in \
                    a \
                    seeded random order; of several runs of a search on one processor the shortest time counts. \
                    Disturbed searches were repeated once (at most a quarter of all) and count if no quiet search \
                    replaced them.";
    let verdicts = "One processor visits the same nodes on both machines, so that times differ because of the model \
                    alone; several real processors take another course in every run. The margins were set beforehand. \
                    Verdicts come from two one-sided tests at 5 % over the means of positions. Those on several \
                    processors, of all strategies, are adjusted together by Holm's procedure.";
    let left_out = "The model leaves out instructions and branch prediction, paging, hardware threads that share a \
                    core, \
                    and turbo. Costs are whole nanoseconds. Virtual figures are in virtual seconds, and are never \
                    ranked against real ones of other computers. The file beside this page, of the same name with the \
                    ending .json, holds everything that was measured, and is the file to send to others.";
    [what, searches.to_owned(), verdicts.to_owned(), left_out.to_owned()]
}
