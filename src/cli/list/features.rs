//! `splitpoint list features`: presets, and every feature with its values in each preset.

use std::collections::BTreeMap;
use std::io::{self, Write, stdout};

use serde::Serialize;
use serde_json::Value;

use crate::cli::error::CliError;
use crate::cli::output;
use crate::search::features::{Features, Preset};
use crate::settings::{Kind, Setting, Settings};
use crate::table::{Columns, Table};

const INDENT: &str = "    ";

#[derive(Serialize)]
struct Report {
    presets: Vec<PresetEntry>,
    features: Vec<Entry>,
}

#[derive(Serialize)]
struct PresetEntry {
    preset: &'static str,
    title: &'static str,
    table_mib: u32,
}

#[derive(Serialize)]
struct Entry {
    feature: &'static str,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<[i32; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<&'static str>,
    presets: BTreeMap<&'static str, Value>,
    meaning: &'static str,
}

pub fn print(as_json: bool) -> Result<(), CliError> {
    let mut out = stdout().lock();
    if as_json {
        output::json(&mut out, &report())?;
    } else {
        print_text(&mut out)?;
    }
    Ok(())
}

pub fn tables() -> Vec<Table> {
    let presets =
        Columns::new()
            .with("preset", "", |preset: &Preset| format!("`{preset}`"))
            .with("what it is", "", |preset| preset.meaning());
    let names = Columns::new().with("feature", "", |feature: &&Setting<Features>| format!("`{}`", feature.name));
    let values = Preset::ALL.iter().fold(names, |columns, preset| {
        columns.with(format!("`{preset}`"), "", |feature| feature.written(&preset.features()))
    });
    let features = values
        .with("range", "", |feature| feature.kind.to_string().trim().trim_matches(['(', ')']).to_owned())
        .with("meaning", "", |feature| feature.meaning);
    vec![presets.table("", "", Preset::ALL.iter().copied()), features.table("", "", Features::all())]
}

fn report() -> Report {
    let presets = Preset::ALL.iter().map(|preset| PresetEntry {
        preset: preset.name(),
        title: preset.meaning(),
        table_mib: preset.table_mib(),
    });
    Report { presets: presets.collect(), features: Features::all().iter().map(entry).collect() }
}

fn entry(feature: &Setting<Features>) -> Entry {
    let value = |preset: &Preset| (preset.name(), feature.kind.json((feature.get)(&preset.features())));
    let (kind, range, unit) = match feature.kind {
        Kind::Switch => ("switch", None, None),
        Kind::Amount { least, most, unit } => ("amount", Some([least, most]), Some(unit)),
        Kind::Choice { .. } => ("choice", None, None),
    };
    let presets = Preset::ALL.iter().map(value).collect();
    Entry { feature: feature.name, kind, range, unit, presets, meaning: feature.meaning }
}

fn print_text(out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "Presets")?;
    for preset in Preset::ALL {
        writeln!(out, "  {:<18} {}", preset.name(), preset.meaning())?;
    }
    writeln!(out, "\nFeatures, with their values in {}", Preset::NAMES.join(", "))?;
    for feature in Features::all() {
        let values: Vec<_> = Preset::ALL.iter().map(|preset| feature.written(&preset.features())).collect();
        writeln!(out, "  {:<32} {}{}", feature.name, values.join(", "), feature.kind)?;
        output::paragraph(out, INDENT, feature.meaning)?;
    }
    Ok(())
}
