//! `splitpoint list features`: presets, and every feature with its values in each preset, by the techniques that they
//! belong to and the sources of these.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;

use super::Listing;
use crate::commands::output::{self, object};
use crate::search::features::{Features, Preset};
use crate::settings::{Kind, Setting, Settings, Technique};
use crate::table::terminal::width;
use crate::table::{Columns, Table, columns};

const INDENT: &str = "    ";

pub fn listing() -> io::Result<Listing> {
    Listing::new(&json(), tables(), text()?)
}

/// Features of each technique, in the order of records.
fn techniques() -> impl Iterator<Item = (Technique, &'static [Setting<Features>])> {
    Features::all().chunk_by(|one, next| one.technique == next.technique).map(|all| (all[0].technique, all))
}

fn tables() -> Vec<Table> {
    let presets = columns! { Preset, preset;
        "preset": "" => format!("`{preset}`");
        "meaning": "" => preset.meaning();
    };
    let features = |(technique, features): (Technique, &'static [Setting<Features>])| {
        let caption = format!("Source: {}.", technique.source);
        columns().table(technique.title, &caption, features)
    };
    [presets.table("", "", Preset::ALL.iter().copied())].into_iter().chain(techniques().map(features)).collect()
}

fn columns() -> Columns<'static, &'static Setting<Features>> {
    let names = Columns::new().with("feature", "", |feature: &&Setting<Features>| format!("`{}`", feature.name));
    let values = Preset::ALL.iter().fold(names, |columns, preset| {
        columns.with(format!("`{preset}`"), "", |feature| feature.written(&preset.features()))
    });
    values.and(columns! { &'static Setting<Features>, feature;
        "range": "" => feature.kind.to_string().trim().trim_matches(['(', ')']).to_owned();
        "meaning": "" => feature.meaning;
    })
}

fn json() -> impl Serialize {
    let preset = |one: &Preset| object! { preset: one.name(), title: one.meaning(), table_mib: one.table_mib() };
    object! {
        presets: Preset::ALL.iter().map(preset).collect::<Vec<_>>(),
        features: Features::all().iter().map(feature_json).collect::<Vec<_>>(),
    }
}

fn feature_json(feature: &Setting<Features>) -> impl Serialize + use<> {
    let value = |preset: &Preset| (preset.name(), feature.kind.json((feature.get)(&preset.features())));
    let kind = match feature.kind {
        Kind::Switch => "switch",
        Kind::Amount { .. } => "amount",
        Kind::Choice { .. } => "choice",
    };
    let Setting { name, technique: Technique { title, source, .. }, meaning, .. } = *feature;
    object! {
        feature: name, technique: title, source, kind,
        #[serde(flatten)]
        amount: amount(feature.kind),
        presets: Preset::ALL.iter().map(value).collect::<BTreeMap<_, _>>(),
        meaning,
    }
}

/// Range and unit of an amount.
pub fn amount(kind: Kind) -> Option<impl Serialize> {
    let Kind::Amount { least, most, unit } = kind else { return None };
    Some(object! { range: [least, most], unit })
}

fn text() -> io::Result<Vec<u8>> {
    let mut out = Vec::new();
    writeln!(out, "Presets")?;
    for preset in Preset::ALL {
        output::paragraph(&mut out, &format!("  {:<18} ", preset.name()), preset.meaning())?;
    }
    writeln!(out)?;
    let heading = format!("Features by technique and its source, with their values in {}", Preset::NAMES.join(", "));
    output::paragraph(&mut out, "", &heading)?;
    for (technique, features) in techniques() {
        writeln!(out)?;
        output::paragraph(&mut out, "", &format!("{} - {}", technique.title, technique.source))?;
        for feature in features {
            let values: Vec<_> = Preset::ALL.iter().map(|preset| feature.written(&preset.features())).collect();
            let values = format!("{}{}", values.join(", "), feature.kind);
            let line = format!("  {:<32} {values}", feature.name);
            if line.chars().count() > width() {
                writeln!(out, "  {}", feature.name)?;
                output::paragraph(&mut out, INDENT, &values)?;
            } else {
                writeln!(out, "{line}")?;
            }
            output::paragraph(&mut out, INDENT, feature.meaning)?;
        }
    }
    Ok(out)
}
