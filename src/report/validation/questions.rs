//! Questions that are asked of a validation, and what a reader sees first.

use super::{Validated, agreement, calibration, mechanisms, sensitivity};
use crate::record::Environment;
use crate::record::validation::Role;
use crate::report::headline::Headline;
use crate::report::page::environment;
use crate::report::question::{About, File, Question, Subject};
use crate::table::markup::Html;
use crate::table::number::{counted, figure, percent};
use crate::table::{Columns, html};

impl Subject for Validated {
    const QUESTIONS: &'static [Question<Self>] = &[AGREEMENT, MECHANISMS, COSTS, CALIBRATION, NOISE, HOW];
    const FILES: &'static [File<Self>] = &[];

    fn about(&self) -> About<'_> {
        About {
            title: "The virtual machine against this computer",
            question: "How far can the times of the virtual machine be trusted, and on which of its costs do they depend?",
            command: &self.measurements.session.command,
            version: &self.measurements.session.version,
            ..About::default()
        }
    }

    fn headline(&self) -> Headline {
        Headline {
            alerts: surroundings(self).remedies().collect(),
            cautions: Vec::new(),
            verdict: agreement::of_one(&self.findings),
            tiles: Vec::new(),
            table: agreement::table(self),
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
              like these. 'Shown within': the difference is shown to be smaller than the margin. 'Shown outside': it \
              is shown to be larger. 'Not shown': neither.",
    sentence: |of| Some(agreement::sentence(&of.findings)),
    charts: &[("positions", "virtual / real time on one processor", agreement::chart)],
    table: agreement::table,
    ..Question::PLAIN
};

const MECHANISMS: Question<Validated> = Question {
    key: "mechanisms",
    title: "Does a single mechanism?",
    reading: "Micro-programs, each of which repeats one operation, in turns on real and on virtual processors: 10th \
              percentiles over many slices, geometric means over batches, and the 95 % interval over batches. \
              'Fitted': a cost of the model is fitted to this micro-program. 'Predicted': from costs that were measured separately.",
    sentence: |of| Some(mechanisms::sentence(&of.findings)),
    table: mechanisms::table,
    body: |of, html| {
        let measured = of.findings.mechanisms.iter().map(|ratio| ratio.mechanism);
        html.facts(&measured.map(|mechanism| (mechanism.name(), mechanism.meaning())).collect::<Vec<_>>());
    },
    ..Question::PLAIN
};

const COSTS: Question<Validated> = Question {
    key: "costs",
    title: "On which costs does it depend?",
    reading: "One cost is changed at a time, with all others as in the model, at the same positions with the same seeds.",
    sentence: sensitivity::sentence,
    charts: &[("costs", "effect of each cost, halved and doubled, on the time speedup", sensitivity::chart)],
    body: |of, html| html::write(&sensitivity::table(of), html),
    ..Question::PLAIN
};

const CALIBRATION: Question<Validated> = Question {
    key: "calibration",
    title: "What is the cost model here?",
    sentence: calibration::sentence,
    body: |of, html| {
        calibration::write_work(of, html);
        calibration::write_coordination(of, html);
        html.facts(&[("Taken from 'reference'", of.measurements.assumed.join(", ").replace('_', " "))]);
        environment::write_costs(html, &surroundings(of).costs());
    },
    ..Question::PLAIN
};

const NOISE: Question<Validated> = Question {
    key: "noise",
    title: "How far can I trust it?",
    sentence: |of| Some(noise(of)),
    body: write_noise,
    ..Question::PLAIN
};

const HOW: Question<Validated> = Question {
    key: "how",
    title: "How was it made?",
    sentence: |of| {
        Some(format!("By Splitpoint {}, with all figures in a file beside the page.", of.measurements.session.version))
    },
    body: |of, html| {
        write_method(of, html);
        surroundings(of).write(html);
        html.element("p", &[], FILE);
        html.facts(&KEYS);
    },
    ..Question::PLAIN
};

/// Sentences on what the records are worth.
fn noise(of: &Validated) -> String {
    let trust = &of.findings.trust;
    let mut sentences = Vec::new();
    if trust.disturbed > 0 {
        sentences.push(format!(
            "The computer was not quiet: of {}, {} {} disturbed by other programs. Real times contain that \
             disturbance, so that a difference need not be the model's fault.",
            counted(trust.real, "real search", "real searches"),
            trust.disturbed,
            if trust.disturbed == 1 { "was" } else { "were" }
        ));
    }
    if let Some(first) = trust.failed.first() {
        sentences.push(format!("{} failed; the first: {first}.", counted(trust.failed.len(), "search", "searches")));
    }
    if sentences.is_empty() { "No search was disturbed, and none failed.".to_owned() } else { sentences.join(" ") }
}

fn write_noise(of: &Validated, page: &mut Html) {
    let trust = &of.findings.trust;
    let share = percent(trust.disturbed as f64 / trust.real.max(1) as f64);
    let other_trees = of
        .findings
        .one_processor
        .as_ref()
        .map(|one| format!("{} of {} pairs of searches on one processor", one.other_trees, one.pairs));
    page.facts(&[
        ("Real searches", format!("{}, of which {} disturbed ({share})", trust.real, trust.disturbed)),
        ("Virtual searches", format!("{}, which nothing can disturb", trust.simulated)),
        ("Failed", counted(trust.failed.len(), "search", "searches")),
        ("Different trees", other_trees.unwrap_or_default()),
    ]);
    let columns = Columns::new().with("Search and reason", "", |failure: &&String| failure.as_str());
    html::write(&columns.table("Searches that failed", "No mean includes them.", &trust.failed), page);
}

fn write_method(of: &Validated, html: &mut Html) {
    let size = &of.measurements.size;
    let count = |role| of.measurements.positions.iter().filter(|position| position.role == role).count();
    let what = format!(
        "Small experiments on pinned threads measured the costs of coordination here, each as the 10th percentile of \
         many short batches. The costs of work were fitted to searches on one processor at {} positions; each search \
         was run several times, and its shortest time counts. At {} other positions, the same searches were run on one \
         real and on one virtual processor, and at the first {} of those on several processors, with {} each. Each \
         position is searched to the last depth that one processor completes within {} nodes, so that every computer \
         searches the same trees.",
        count(Role::Calibration),
        count(Role::Check),
        size.positions.min(count(Role::Check)),
        counted(size.seeds, "seed", "seeds"),
        figure(size.nodes as f64)
    );
    html.element("p", &[], &what);
    html.paragraphs(&METHOD);
}

/// Method of every validation, a paragraph each.
const METHOD: [&str; 3] = [
    "Real searches ran one at a time on pinned threads, after a warm-up search that does not count, in a seeded random \
     order over all positions, seeds and numbers of processors, including the searches of the fit. Each was watched for \
     disturbance. Disturbed searches were repeated once (at most a quarter of all) and count if no quiet search \
     replaced them.",
    "One processor visits the same nodes on both machines, so that times differ because of the model alone. On several \
     real processors, a search takes another course in every run, so that comparing them needs many runs. The margins \
     were set beforehand: 3 % for time on one processor, 5 % for the time speedup, 3 percentage points for nodes. \
     Verdicts come from two one-sided tests at 5 % over the means of positions, so that they hold for positions like \
     these. The verdicts on several processors are adjusted together by Holm's procedure, and so are those on costs.",
    "The model leaves out instructions and branch prediction, paging, hardware threads that share a core, and turbo. \
     Costs are whole nanoseconds. Virtual figures are in virtual seconds, and are never ranked against real ones of \
     other computers.",
];

const FILE: &str = "Beside this page is a file of the same name that ends in .json. It holds everything that was \
                    measured, and is the file to send to others: it lets a model be checked on computers that its \
                    authors do not have. Its keys:";

/// Keys of the file with what they hold.
const KEYS: [(&str, &str); 14] = [
    ("kind", "'splitpoint validation'"),
    ("session", "version, command, computer, what disturbs measurements on it, and the cost model calibrated here"),
    ("size", "numbers of positions, seeds and nodes asked for"),
    (
        "coordination",
        "the small experiments: 10th percentiles (low), medians and 90th percentiles (high), in nanoseconds",
    ),
    ("work", "the fitted costs of work with their intervals, and how well they predict positions that were left out"),
    ("model, model_hash", "the cost model that results from both, and its hash"),
    ("assumed", "names of the costs that could not be measured here and are taken from 'reference'"),
    ("positions", "each position with its role and depth"),
    ("processors", "the numbers of processors that were compared, beyond one"),
    ("records", "every search but those with changed costs, in the form of a run folder's journal"),
    ("cost_runs", "every search with changed costs: cost model, position, seed, processors, virtual time, nodes"),
    ("cost_failures", "those that failed"),
    ("mechanisms", "the micro-programs: nanoseconds per operation, batch by batch, on both machines"),
    ("findings", "the figures of this page: one_processor, many_processors, mechanisms, costs, trust"),
];
