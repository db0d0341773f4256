//! `splitpoint list features`: presets, and every feature with its values in each preset.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;

use super::Listing;
use crate::cli::output::{self, object};
use crate::search::features::{Features, Preset};
use crate::settings::{Kind, Setting, Settings};
use crate::table::terminal::WIDTH;
use crate::table::{Columns, Table};

const INDENT: &str = "    ";

pub fn listing() -> io::Result<Listing> {
    Listing::new(&json(), tables(), text()?)
}

fn tables() -> Vec<Table> {
    let presets =
        Columns::new()
            .with("preset", "", |preset: &Preset| format!("`{preset}`"))
            .with("meaning", "", |preset| preset.meaning());
    let names = Columns::new().with("feature", "", |feature: &&Setting<Features>| format!("`{}`", feature.name));
    let values = Preset::ALL.iter().fold(names, |columns, preset| {
        columns.with(format!("`{preset}`"), "", |feature| feature.written(&preset.features()))
    });
    let features = values
        .with("range", "", |feature| feature.kind.to_string().trim().trim_matches(['(', ')']).to_owned())
        .with("meaning", "", |feature| feature.meaning);
    vec![presets.table("", "", Preset::ALL.iter().copied()), features.table("", "", Features::all())]
}

fn json() -> impl Serialize {
    let preset = |preset: &Preset| {
        object! { preset: preset.name(), title: preset.meaning(), table_mib: preset.table_mib() }
    };
    object! {
        presets: Preset::ALL.iter().map(preset).collect::<Vec<_>>(),
        features: Features::all().iter().map(feature_json).collect::<Vec<_>>(),
    }
}

fn feature_json(feature: &Setting<Features>) -> impl Serialize + use<> {
    let value = |preset: &Preset| (preset.name(), feature.kind.json((feature.get)(&preset.features())));
    let (kind, amount) = match feature.kind {
        Kind::Switch => ("switch", None),
        Kind::Amount { least, most, unit } => ("amount", Some(object! { range: [least, most], unit: unit })),
        Kind::Choice { .. } => ("choice", None),
    };
    object! {
        feature: feature.name,
        kind: kind,
        #[serde(flatten)]
        amount: amount,
        presets: Preset::ALL.iter().map(value).collect::<BTreeMap<_, _>>(),
        meaning: feature.meaning,
    }
}

fn text() -> io::Result<Vec<u8>> {
    let mut out = Vec::new();
    writeln!(out, "Presets")?;
    for preset in Preset::ALL {
        writeln!(out, "  {:<18} {}", preset.name(), preset.meaning())?;
    }
    writeln!(out, "\nFeatures, with their values in {}", Preset::NAMES.join(", "))?;
    for feature in Features::all() {
        let values: Vec<_> = Preset::ALL.iter().map(|preset| feature.written(&preset.features())).collect();
        let line = format!("  {:<32} {}{}", feature.name, values.join(", "), feature.kind);
        match line.rfind(" (").filter(|_| line.chars().count() > WIDTH) {
            Some(at) => writeln!(out, "{}\n    {}", &line[..at], line[at..].trim_start())?,
            None => writeln!(out, "{line}")?,
        }
        output::paragraph(&mut out, INDENT, feature.meaning)?;
    }
    Ok(out)
}
