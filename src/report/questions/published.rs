//! Against other people's: published figures beside ours, and how many of them our searches predict.

use crate::Source;
use crate::analysis::labels::apart;
use crate::analysis::{Analysis, Dip, Explanation, FORETOLD, Foretold, Group, Replicated, Replication, ThesisColumns};
use crate::charts::figures::{predictions, speedup};
use crate::published::THESIS_DEPTH;
use crate::record::axes::DEPTH;
use crate::record::{Depth, MachineKind};
use crate::sentence::Sentence;
use crate::state::is_ruined;
use crate::statistics::Interval;
use crate::table::number::{figure, interval, level, listed};
use crate::table::{Table, columns};

use super::{File, Question, by_model, processors, published_curves, which_by_model};

pub(super) const PUBLISHED: Question<Source> = Question {
    key: "published",
    title: "How does it compare with what others published?",
    reading: "Relative to one processor, as the thesis defines its figures: ratios of arithmetic means over positions. \
              Predictions are for one further run of ours; rows of even numbers of processors choose among curves of a \
              machine, the others judge the chosen one. Other programs, positions and depths: compare the shapes.",
    sentence: |source| {
        let sentences = [verdict(&source.analysis), published_curves::sentence(&source.analysis)];
        Sentence::all(sentences.into_iter().flatten())
    },
    charts: &[
        (
            "predictions",
            "published tree sizes and search speeds, and our predictions of them",
            predictions::predictions,
        ),
        ("time-speedup-published", "time speedup beside published time speedups", speedup::time_speedup_published),
    ],
    table,
    files: &[
        File {
            name: "predictions.csv",
            rows: "One row per figure of a published table and curve of ours for its machine: the prediction for one \
               further run of ours. There is no such file unless the experiment runs the printed program as in the \
               thesis, with the costs of one of its machines.",
            table: file,
        },
        published_curves::POINTS,
        published_curves::MEANS,
    ],
    body: |source, html| {
        // The thesis's table is the first; without it the points are.
        if has_thesis(&source.analysis) {
            published_curves::write_points(&source.analysis, html);
        }
        published_curves::write_means(&source.analysis, html);
    },
    ..Question::PLAIN
};

/// Names of the figures that are foretold, in their order.
const KINDS: [&str; FORETOLD.len()] = [
    "tree sizes",
    "search speeds",
    "shares of hash hits",
    "shares of cutoffs by the first move",
    "shares of quiescence",
];

/// Share of the published figures that a model explains if it is right, but for bad luck.
const EXPLAINED: f64 = 0.9;

/// Sentence on what our searches predict of the published tables, or else on what they show beside the main one; and
/// on whether their curves have dips as the published one.
pub(crate) fn verdict(analysis: &Analysis) -> Option<Sentence> {
    let figures = of_figures(analysis)?;
    let stated = |words: String| Some(Sentence::stated(words, &analysis.replications));
    let Some(dips) = dips(analysis) else { return stated(figures) };
    // Several curves that explain no table differ in their dips, and are asked for them.
    let explains = analysis.explanations.iter().any(|one| one.is_best);
    let is_on_dips = analysis.replications.len() > 1 && !explains;
    stated(if is_on_dips { format!("{dips} {figures}") } else { format!("{figures} {dips}") })
}

/// Depth by which search speed falls below that of fewer processors, on our curves, the deepest first, and on the
/// published one.
fn dips(analysis: &Analysis) -> Option<String> {
    let replications = analysis.replications.iter();
    let mut all: Vec<(usize, [Dip; 2])> = replications.filter_map(|one| Some((one.curve, one.dips?))).collect();
    all.sort_by(|(_, [one, _]), (_, [other, _])| other.share.total_cmp(&one.share));
    let labels = apart(&all.iter().map(|(curve, _)| analysis.curves[*curve].label.as_str()).collect::<Vec<_>>());
    let depth = |dip: &Dip| format!("{:.0} % (on {})", 100.0 * dip.share, dip.processors);
    let ours = labels.iter().zip(&all).map(|(label, (_, [ours, _]))| format!("{label} {}", depth(ours)));
    let on = all.iter().filter_map(|(curve, _)| analysis.curves[*curve].groups.last());
    let on = on.map(|&place| &analysis.groups[place].configuration);
    let by_model = which_by_model(on.map(|configuration| (configuration.machine, configuration.threads)));
    Some(format!(
        "Deepest dips of search speed below that of fewer processors{by_model}: {}; published {}.",
        ours.collect::<Vec<_>>().join(", "),
        depth(&all.first()?.1[1])
    ))
}

fn of_figures(analysis: &Analysis) -> Option<String> {
    if let Some(foretold) = of_foretold(analysis) {
        return Some(foretold);
    }
    let is_virtual = |one: &&Replication| {
        one.rows.last().is_some_and(|row| analysis.groups[row.group].configuration.machine == MachineKind::Virtual)
    };
    let replication = analysis.replications.iter().find(is_virtual).or(analysis.replications.first())?;
    let row = replication.rows.last()?;
    let group = &analysis.groups[row.group];
    let ours = |of: Option<Interval>| of.as_ref().map(interval);
    let theirs = |of: Option<Interval>| of.map(|value| figure(value.estimate));
    let (on, ours_time, ours_nodes) =
        (processors(&group.configuration), ours(group.thesis.time_speedup)?, ours(group.thesis.nodes_ratio)?);
    let (their_time, their_nodes) = (theirs(row.published.time_speedup)?, theirs(row.published.nodes_ratio)?);
    let shallow = matches!(group.configuration.depth, Depth::Plies(plies) if plies < THESIS_DEPTH);
    if !shallow {
        return Some(format!(
            "On {on}, time speedup {ours_time} with {ours_nodes} times the nodes of one; on the thesis's {}, \
             {their_time} with {their_nodes} times.",
            replication.computer,
        ));
    }
    // Where they are not those of the same depth, what agrees is said first; what differs may do so for its depth.
    let part = match (analysis.description.positions.len(), analysis.description.positions_of) {
        (some, of) if some < of => format!(", on {some} of its {of} positions"),
        _ => String::new(),
    };
    Some(format!(
        "To {} (the thesis: {THESIS_DEPTH}){part}{}, published {}. On {on}, ours is {ours_time} \
         times as fast as one, with {ours_nodes} times the nodes; published {their_time} and {their_nodes}. Whether \
         that lasts, only depth {THESIS_DEPTH} can tell.",
        DEPTH.words(&group.configuration),
        by_model(&group.configuration),
        agreement(analysis, replication)
    ))
}

/// Published figures that the best of our curves foretell, all kinds of them, and which of these kinds they explain.
fn of_foretold(analysis: &Analysis) -> Option<String> {
    let best = || analysis.explanations.iter().filter(|one| one.is_best);
    let counted = |figure: &str| {
        best().map(|one| one.inside(figure)).fold((0, 0), |sum, (inside, all)| (sum.0 + inside, sum.1 + all))
    };
    let kinds: Vec<(&str, (usize, usize))> =
        FORETOLD.iter().zip(KINDS).map(|(figure, kind)| (kind, counted(figure))).collect();
    let kinds: Vec<_> = kinds.into_iter().filter(|(_, (_, all))| *all > 0).collect();
    let (first, (inside, all)) = kinds.first()?;
    let chosen = if best().any(|one| one.is_chosen) { " that did not choose the model" } else { "" };
    let others = kinds[1..].iter().map(|(kind, (inside, all))| format!("{inside} of {all} {kind}"));
    let (explained, open): (Vec<_>, Vec<_>) =
        kinds.iter().partition(|(_, (inside, all))| *inside as f64 >= EXPLAINED * *all as f64);
    let names = |kinds: Vec<&(&str, _)>| listed(&kinds.iter().map(|(kind, _)| (*kind).to_owned()).collect::<Vec<_>>());
    let explains = match (explained.is_empty(), open.is_empty()) {
        (true, _) => "explains none of them".to_owned(),
        (false, true) => "explains all of them".to_owned(),
        (false, false) => format!("explains {}, and not {}", names(explained), names(open)),
    };
    Some(format!(
        "{inside} of {all} published {first}{chosen} lie inside the {} prediction intervals of our searches, and so do \
         {}: this model {explains}.",
        level(),
        listed(&others.collect::<Vec<_>>())
    ))
}

/// `tree sizes agree with ours on 2 and 4 processors, search speeds on 2, time speedups on none`.
fn agreement(analysis: &Analysis, replication: &Replication) -> String {
    type Figure = fn(&ThesisColumns) -> Option<Interval>;
    let figures: [(&str, &str, Figure); 3] = [
        ("tree sizes agree with ours", " processors", |columns| columns.nodes_ratio),
        ("search speeds", "", |columns| columns.nps_speedup),
        ("time speedups", "", |columns| columns.time_speedup),
    ];
    let agrees = |row: &&Replicated, figure: Figure| {
        let (ours, theirs) = (figure(&analysis.groups[row.group].thesis), figure(&row.published));
        ours.zip(theirs).is_some_and(|(ours, theirs)| (ours.low..=ours.high).contains(&theirs.estimate))
    };
    let words = figures.map(|(what, unit, figure)| {
        let inside = replication.rows.iter().filter(|row| agrees(row, figure));
        let on: Vec<String> = inside.map(|row| analysis.groups[row.group].configuration.threads.to_string()).collect();
        match (on.len(), replication.rows.len()) {
            (0, _) => format!("{what} on none"),
            (some, all) if some == all && all > 1 => format!("{what} on all {all} numbers of processors"),
            _ => format!("{what} on {}{unit}", listed(&on)),
        }
    });
    // What agrees nowhere is told once.
    if replication.rows.iter().all(|row| figures.iter().all(|(_, _, figure)| !agrees(&row, *figure))) {
        return "figures agree with ours on no number of processors".to_owned();
    }
    format!("{}, and on no others", words.join(", "))
}

/// Row of figures of ours beside published ones.
struct Beside<'a> {
    source: &'a str,
    group: &'a Group,
    curve: &'a str,
    published: ThesisColumns,
}

fn table(source: &Source) -> Table {
    let analysis = &source.analysis;
    if !has_thesis(analysis) {
        return published_curves::table(analysis);
    }
    let table = beside(analysis).unwrap_or_else(|| explanations(analysis));
    Table { title: PUBLISHED.title.to_owned(), caption: PUBLISHED.reading.to_owned(), ..table }
}

/// Whether curves of ours stand beside tables of the thesis.
fn has_thesis(analysis: &Analysis) -> bool {
    !analysis.replications.is_empty() || !analysis.explanations.is_empty()
}

/// Our curves beside the published rows of as many processors, the virtual ones first; nothing if there are none.
pub(crate) fn beside(analysis: &Analysis) -> Option<Table> {
    let mut rows: Vec<Beside<'_>> = analysis
        .replications
        .iter()
        .flat_map(|one| {
            one.rows.iter().map(move |row| Beside {
                source: one.computer,
                group: &analysis.groups[row.group],
                curve: analysis.curves[one.curve].label.as_str(),
                published: row.published,
            })
        })
        .collect();
    rows.sort_by_key(|row| row.group.configuration.machine == MachineKind::Real);
    let estimate = |of: Option<Interval>| of.map(|value| value.estimate);
    let is_ruined = is_ruined(analysis);
    let is_told = move |row: &Beside<'_>| !(is_ruined && row.group.configuration.machine == MachineKind::Real);
    let has_one = rows.iter().all(|row| row.curve == rows[0].curve);
    let first = columns! { Beside<'_>, row; "Configuration": "our curve" => row.curve; };
    let columns = columns! { Beside<'_>, row;
        "Machine": "real, or virtual: in simulated time" =>
            format!("{}{}", row.group.configuration.machine.name(), if is_told(row) { "" } else { " (disturbed)" });
        "Processors": "number of processors" => row.group.configuration.threads;
        "Time speedup": "ours, as the thesis defines it: the ratio of the sums" =>
            row.group.thesis.time_speedup.filter(|_| is_told(row));
        "thesis": "published time speedup" => estimate(row.published.time_speedup);
        "Nodes": "ours, relative to one processor" => row.group.thesis.nodes_ratio;
        "thesis ": "published nodes, relative to one processor" => estimate(row.published.nodes_ratio);
        "Nodes a second": "ours, relative to one processor" =>
            row.group.thesis.nps_speedup.filter(|_| is_told(row));
        "thesis  ": "published nodes per second, relative to one processor" => estimate(row.published.nps_speedup);
    };
    let last = columns! { Beside<'_>, row; "Published on": "computer of the published run" => row.source; };
    let columns = if has_one { columns } else { first.and(columns).and(last) };
    let title = "Ratios to one processor; ours are ratios of means over positions, as the thesis has them, with 95 % \
                 intervals.";
    (!rows.is_empty()).then(|| columns.table("", title, rows))
}

/// Each curve beside the published table of the machine that it stands for.
fn explanations(analysis: &Analysis) -> Table {
    let mut columns = columns! { &Explanation, row;
        "Configuration": "our curve" => analysis.curves[row.curve].label.clone();
        "Published run": "source of the table" => row.source;
        "Misfit": "root mean square of the logarithms of published / predicted, in the half that chooses" => row.misfit;
        "Best": "whether no other curve of this machine is nearer" => if row.is_best { "yes" } else { "" };
    };
    for figure in FORETOLD {
        columns = columns.with(
            format!("{figure} inside"),
            "figures inside their prediction intervals",
            move |row: &&Explanation| {
                let (inside, all) = row.inside(figure);
                format!("{inside} of {all}")
            },
        );
    }
    columns.table(PUBLISHED.title, PUBLISHED.reading, &analysis.explanations)
}

fn file(source: &Source) -> Table {
    let analysis = &source.analysis;
    type Prediction<'a> = (&'a Explanation, &'a Foretold);
    // Factor that makes fractions of what is in hundredths.
    let unit = |row: &Foretold| if row.is_ratio() { 1.0 } else { 0.01 };
    let columns = columns! { Prediction<'_>, row;
        "source": "published table" => row.0.source;
        "label": "what distinguishes the curve in this experiment" => analysis.curves[row.0.curve].label.clone();
        "is_best": "1 if, in the half that chooses, this curve has the smallest misfit of its machine" =>
            u32::from(row.0.is_best);
        "misfit": "root mean square of the logarithms of published / predicted nodes and speeds, in the half that \
                   chooses" => row.0.misfit;
        "cpus": "the number of processors" => row.1.cpus;
        "figure": "nodes and speed relative to one processor; hash, order and quiescence as differences of shares" =>
            row.1.figure;
        "half": "use of the row: it chooses among curves, or judges the chosen one" =>
            if row.1.judges() { "judges" } else { "chooses" };
        "searched": "1 if this number of processors was searched, 0 if it lies between two that were" =>
            u32::from(row.1.is_searched);
        "published": "the published value" => row.1.published * unit(row.1);
        "predicted" [with_ends]: "prediction for one further run, with its prediction interval" =>
            row.1.predicted.map(|value| value * unit(row.1));
        "inside": "1 if the published value lies in the prediction interval" => u32::from(row.1.is_inside());
    };
    let explanations = analysis.explanations.iter();
    let rows = explanations.flat_map(|explanation| explanation.figures.iter().map(move |one| (explanation, one)));
    columns.table("", "", rows)
}
