//! A run folder for other programs: measurements as [Extra-P](https://github.com/extra-p/extrap) reads them, and a
//! description of the folder as an [RO-Crate](https://w3id.org/ro/crate/1.2) for archives.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};

use super::analysis::Curve;
use super::analysis::grouping::{Gathering, Run, cells};
use super::analysis::logs::{log_nodes, log_time};
use super::error::ReportError;
use crate::Source;
use crate::counts::Activity;
use crate::record::digest::of_file;
use crate::record::{Judgement, digest, folder, journal};
use crate::source::in_short;
use crate::statistics::mean;

/// Figure of a run in logarithms.
type Figure = fn(Run<'_>) -> Option<f64>;

/// The measurements of a run folder, a line of JSON each: for every configuration, number of processors and seed, the
/// time to the depth and the nodes, as geometric means over the positions, and the processors' time by activity, as
/// arithmetic ones. The number of processors is the parameter `p`. Extra-P wants all of them at the same values of it:
/// curves at others than the longest one has are left out, and activities that take no time. With the values of `p`.
pub fn extra_p(folder: &Path) -> Result<(String, Vec<u32>), ReportError> {
    let source = Source::read(folder, None)?;
    let cells = cells(&source.records);
    let gathering = Gathering::of(&source.analysis.description, &cells);
    let threads =
        |curve: &Curve| curve.groups.iter().map(|&place| gathering.groups[place].configuration.threads).collect();
    let curves = &source.analysis.curves;
    let longest: Vec<u32> = curves.iter().map(threads).max_by_key(Vec::len).unwrap_or_default();
    let mut lines = Vec::new();
    for curve in curves.iter().filter(|curve| threads(curve) == longest) {
        let takes_time = |activity: &&Activity| {
            let groups = curve.groups.iter().map(|&place| &gathering.groups[place]);
            let seconds = |run: Run<'_>| Some(run.measured.activities[**activity] as f64);
            groups.flat_map(|group| group.figures(seconds)).flatten().any(|spent| spent > 0.0)
        };
        let activities: Vec<&Activity> = Activity::ALL.iter().filter(takes_time).collect();
        for &place in &curve.groups {
            let group = &gathering.groups[place];
            let mut tell = |callpath: &str, metric: &str, values: Vec<f64>| {
                for value in values {
                    let params = json!({ "p": group.configuration.threads });
                    lines.push(json!({ "params": params, "callpath": callpath, "metric": metric, "value": value }));
                }
            };
            let figures: [(&str, Figure); 2] = [("time", log_time), ("nodes", log_nodes)];
            for (metric, figure) in figures {
                let logs = by_seed(group.figures(figure));
                tell(&curve.label, metric, logs.into_iter().map(f64::exp).collect());
            }
            for &&activity in &activities {
                let seconds = |run: Run<'_>| Some(run.measured.activities[activity] as f64 * 1e-9);
                tell(&format!("{}->{activity}", curve.label), "processor_time", by_seed(group.figures(seconds)));
            }
        }
    }
    Ok((lines.iter().map(|line| format!("{line}\n")).collect(), longest))
}

/// Means over positions, for each seed that all positions with runs have.
fn by_seed(figures: Vec<Vec<f64>>) -> Vec<f64> {
    let known: Vec<Vec<f64>> = figures.into_iter().filter(|seeds| !seeds.is_empty()).collect();
    let seeds = known.iter().map(Vec::len).min().unwrap_or(0);
    (0..seeds).filter_map(|seed| mean(&known.iter().map(|position| position[seed]).collect::<Vec<_>>())).collect()
}

/// Name of the file that describes an RO-Crate.
pub const RO_CRATE: &str = "ro-crate-metadata.json";

/// Profile of crates that say what process has made their files.
const PROFILE: &str = "https://w3id.org/ro/wfrun/process/0.5";

/// Somebody who has made a run: a name, and an address that stands for the person, such as that of an ORCID.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Author {
    /// Name as people write it.
    pub name: String,
    /// Address that stands for the person.
    pub address: Option<String>,
}

impl std::str::FromStr for Author {
    type Err = String;

    /// Reads `Ada Lovelace` or `Ada Lovelace, https://orcid.org/0000-0002-1825-0097`.
    fn from_str(text: &str) -> Result<Self, String> {
        let (name, address) = match text.rsplit_once(',') {
            Some((name, address)) if address.trim().starts_with("https://") => (name, Some(address.trim().to_owned())),
            _ => (text, None),
        };
        match name.trim() {
            "" => {
                Err("expected a name, and after a comma an address, as in 'Ada Lovelace, https://orcid.org/...'"
                    .to_owned())
            }
            name => Ok(Self { name: name.to_owned(), address }),
        }
    }
}

/// Description of a run folder as an RO-Crate: its files with their checksums, what made them, when, who, and the
/// address of a license for them. Who and license are those of the crate that the folder is already, if none are given.
pub fn ro_crate(folder: &Path, license: Option<&str>, authors: &[Author]) -> Result<String, ReportError> {
    let description = folder::description(folder)?;
    let sessions = folder::sessions(folder)?;
    let digest = digest(folder)?.to_string();
    let left_out =
        in_short(&[journal::visit(folder, drop)?, journal::read_lines::<Judgement>(folder)?.warnings].concat());
    let words = [vec![description.question], left_out].concat().join(" ");
    let (known_license, known_authors) = stated(&folder.join(RO_CRATE));
    let license = license.map(str::to_owned).or(known_license);
    let authors = if authors.is_empty() { &known_authors } else { authors };
    let mut files = BTreeMap::new();
    let at = |path: &Path, error| ReportError::Write { path: path.to_owned(), error };
    for part in ["", "charts"] {
        let place = folder.join(part);
        if !place.is_dir() {
            continue;
        }
        for entry in std::fs::read_dir(&place).map_err(|error| at(&place, error))? {
            let entry = entry.map_err(|error| at(&place, error))?;
            let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
            // Not what links lead to: an archive would have it as a file of its own.
            if entry.file_type().is_ok_and(|kind| kind.is_file()) && name != RO_CRATE && !name.starts_with('.') {
                let size = path.metadata().map_err(|error| at(&path, error))?.len();
                let known = (size, of_file(&path)?);
                files.insert(if part.is_empty() { name } else { format!("{part}/{name}") }, known);
            }
        }
    }
    let id = |name: &str| json!({ "@id": name });
    let text = |session: &Value, key: &str| session[key].as_str().unwrap_or_default().to_owned();
    let started = sessions.first().map(|session| text(session, "started"));
    let parts: Vec<Value> = files.keys().map(|name| id(name)).collect();
    let persons: Vec<(String, &Author)> = (1..)
        .zip(authors)
        .map(|(number, author)| (author.address.clone().unwrap_or_else(|| format!("#author-{number}")), author))
        .collect();
    let by: Vec<Value> = persons.iter().map(|(address, _)| id(address)).collect();
    let mut graph = vec![
        json!({
            "@id": RO_CRATE, "@type": "CreativeWork", "about": id("./"),
            "conformsTo": id("https://w3id.org/ro/crate/1.2"),
        }),
        json!({
            "@id": "./", "@type": "Dataset", "name": description.title, "description": words.trim(),
            "identifier": digest, "conformsTo": id(PROFILE), "author": by,
            "datePublished": started.clone().unwrap_or_default(), "hasPart": parts,
            "license": license.as_deref().map_or("not stated".into(), id), "mentions": id("#run"),
        }),
        json!({
            "@id": "#splitpoint", "@type": "SoftwareApplication", "name": "splitpoint",
            "version": description.version, "softwareVersion": description.version, "programmingLanguage": "Rust",
        }),
        json!({
            "@id": "#run", "@type": "CreateAction", "name": description.command, "instrument": id("#splitpoint"),
            "object": id("experiment.toml"), "result": parts, "startTime": started, "agent": by,
        }),
        json!({ "@id": PROFILE, "@type": "CreativeWork", "name": "Process Run Crate", "version": "0.5" }),
    ];
    graph.extend(
        persons.iter().map(|(address, author)| json!({ "@id": address, "@type": "Person", "name": author.name })),
    );
    graph.extend(files.iter().map(|(name, (size, digest))| {
        let kind = media_type(name);
        json!({
            "@id": name, "@type": "File", "contentSize": size.to_string(), "encodingFormat": kind, "sha256": digest,
        })
    }));
    let crate_ = json!({ "@context": "https://w3id.org/ro/crate/1.2/context", "@graph": graph });
    Ok(format!("{crate_:#}\n"))
}

/// License and authors that the description of a crate states; none if it is no such description.
fn stated(path: &Path) -> (Option<String>, Vec<Author>) {
    let text = folder::text(path).ok().flatten().unwrap_or_default();
    let described: Value = serde_json::from_str(&text).unwrap_or_default();
    let graph = described["@graph"].as_array().map(Vec::as_slice).unwrap_or_default();
    let of = |id: &Value| graph.iter().find(|entity| entity["@id"] == *id);
    let Some(whole) = of(&"./".into()) else { return Default::default() };
    let author = |id: &Value| {
        let (name, address) = (of(&id["@id"])?["name"].as_str()?.to_owned(), id["@id"].as_str()?);
        Some(Author { name, address: address.starts_with("https://").then(|| address.to_owned()) })
    };
    let authors = whole["author"].as_array().map(Vec::as_slice).unwrap_or_default().iter().filter_map(author).collect();
    (whole["license"]["@id"].as_str().map(str::to_owned), authors)
}

fn media_type(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("csv") => "text/csv",
        Some("json") => "application/json",
        Some("jsonl") => "application/jsonl",
        Some("html") => "text/html",
        Some("md") => "text/markdown",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("pdf") => "application/pdf",
        Some("tex" | "pgf") => "application/x-tex",
        Some("toml") => "application/toml",
        _ => "text/plain",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_has_the_mean_of_its_positions() {
        assert_eq!(by_seed(vec![vec![1.0, 2.0], vec![], vec![3.0, 6.0, 9.0]]), [2.0, 4.0]);
        assert!(by_seed(vec![vec![]]).is_empty());
    }
}
