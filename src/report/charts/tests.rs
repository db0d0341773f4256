//! Charts as a whole: that all can be drawn, that the same figures give the same bytes, and that odd figures do no
//! harm.

use std::collections::BTreeSet;

use crate::analysis::{Analysis, Factor};
use crate::published::Published;
use crate::record::MachineKind;
use crate::statistics::Interval;

use super::sheet::Sheet;
use super::{Chart, ChartError, Column, Files, names, samples, text};
use crate::question::Subject;
use crate::{Source, question};

fn published() -> Published {
    Published::load().unwrap()
}

fn source(analysis: &Analysis, published: &Published) -> Source {
    Source { published: published.clone(), ..Source::of(analysis.clone()) }
}

fn draw(analysis: &Analysis, published: &Published, files: Files) -> Result<Vec<Chart>, ChartError> {
    super::draw(&source(analysis, published), files)
}

/// The charts that an analysis allows, without drawing them.
fn figures(analysis: &Analysis) -> Vec<(&'static str, Sheet)> {
    let source = source(analysis, &published());
    let figures: Vec<_> =
        question::charts::<Source>().filter_map(|(name, _, make)| Some((*name, make(&source)?))).collect();
    assert!(!figures.is_empty(), "{} has no charts", analysis.description.title);
    figures
}

fn asking(mut analysis: Analysis, charts: &[&str]) -> Analysis {
    analysis.description.charts = charts.iter().map(|name| (*name).to_owned()).collect();
    analysis
}

/// Analysis of an experiment that is made on real and, equal in all else, on virtual processors.
fn on_two_machines() -> Analysis {
    use crate::analysis::samples::{one_against_four, real};
    let (description, mut records) = one_against_four();
    for mut record in records.clone() {
        record.cell.configuration = real(&record.cell.configuration).into();
        record.index += 8;
        records.push(record);
    }
    Analysis::of(description, &records)
}

/// Named analyses of all kinds.
fn all_samples() -> Vec<(&'static str, Analysis)> {
    let to_24: Vec<u32> = (1..=24).collect();
    let powers: Vec<u32> = (0..=10).map(|power| 1 << power).collect();
    let long: Vec<String> = (1..=12)
        .map(|draft| format!("ybwc,minimum-draft={draft},maximum-helpers=3,copy=whole,handover=undo, mailbox"))
        .collect();
    let long: Vec<&str> = long.iter().map(String::as_str).collect();
    vec![
        ("thesis", samples::processors(&to_24, &["ybwc"], samples::REAL)),
        ("virtual", samples::processors(&powers, &["ybwc", "lazy", "abdada", "pv-split"], samples::VIRTUAL)),
        ("bounds", asking(samples::processors(&[1, 4, 16], &["ybwc"], samples::VIRTUAL), &["time-speedup-bounds"])),
        ("mixed", samples::mixed()),
        ("twins", on_two_machines()),
        ("comparisons", samples::comparisons()),
        ("features", samples::features()),
        ("explained", samples::explained(&published())),
        ("boards", samples::boards()),
        ("sweep", samples::sweep()),
        ("copies", samples::copies(&[2, 8])),
        ("copies on two", samples::copies(&[2])),
        ("hash", samples::hash_sizes()),
        ("torn", samples::torn()),
        ("nodes", samples::nodes()),
        ("hyatt", samples::many_positions("hyatt-24", 24)),
        ("two-hundred", samples::many_positions("wac", 200)),
        ("long", samples::processors(&[1, 2, 4, 8], &long, samples::REAL)),
        ("one", samples::processors(&[1], &["ybwc"], samples::REAL)),
        ("pair", samples::processors(&[1, 2], &["ybwc"], samples::REAL)),
    ]
}

#[test]
fn every_chart_is_drawn_by_some_analysis() {
    let drawn: BTreeSet<&str> =
        all_samples().iter().flat_map(|(_, analysis)| figures(analysis).into_iter().map(|(name, _)| name)).collect();
    assert_eq!(drawn, names().into_iter().collect());
}

#[test]
fn the_same_figures_give_the_same_bytes() {
    let analysis =
        asking(samples::processors(&[1, 2, 4], &["ybwc", "lazy"], samples::VIRTUAL), &["time-speedup", "processors"]);
    let published = published();
    let (first, second) = (
        draw(&analysis, &published, Files::default()).unwrap(),
        draw(&analysis, &published, Files::default()).unwrap(),
    );
    assert_eq!(first.iter().map(|chart| chart.name).collect::<Vec<_>>(), ["time-speedup", "processors"]);
    assert!(first == second);
    assert!(first.iter().all(|chart| chart.png.starts_with(b"\x89PNG")));
    first.iter().for_each(|chart| check_pdf(&chart.pdf));
    // pgf turns whatever comes after a turn, places too.
    let upright = first.iter().flat_map(|chart| chart.pgf.lines()).filter(|line| line.contains("rotate=90"));
    assert!(upright.clone().count() > 0 && upright.clone().all(|line| line.find("y=") < line.find("rotate=90")));
    for pgf in first.iter().map(|chart| &chart.pgf) {
        let [opened, closed] =
            ['{', '}'].map(|brace| pgf.matches(brace).count() - pgf.matches(&format!("\\{brace}")).count());
        assert_eq!(opened, closed, "{pgf}");
    }
}

#[test]
fn charts_are_those_asked_for_in_their_order() {
    let analysis = samples::processors(&[1, 2], &["ybwc"], samples::REAL);
    for (asked, expected) in [
        (vec!["nodes", "speedup", "nodes"], vec!["nodes", "speedup"]),
        (vec!["effects"], vec![]),
        (vec!["hash"], vec!["hash"]),
    ] {
        let charts = draw(&asking(analysis.clone(), &asked), &published(), Files::default()).unwrap();
        assert_eq!(charts.iter().map(|chart| chart.name).collect::<Vec<_>>(), expected, "{asked:?}");
    }
    let error = draw(&asking(analysis, &["speed-up"]), &published(), Files::default()).unwrap_err();
    assert!(matches!(error, ChartError::Unknown(name) if name == "speed-up"));
}

#[test]
fn lines_that_nobody_measured_are_drawn_if_they_are_asked_for() {
    let analysis = samples::processors(&[1, 4, 16], &["ybwc", "lazy"], samples::VIRTUAL);
    let drawn = |analysis: &Analysis| -> Vec<&str> {
        let lines =
            figures(analysis).into_iter().filter(|(_, figure)| figure.notes.iter().any(|it| it.contains("Thin")));
        lines.map(|(name, _)| name).collect()
    };
    assert!(drawn(&analysis).is_empty());
    assert_eq!(drawn(&asking(analysis, &["time-speedup-bounds"])), ["time-speedup-bounds"]);
}

#[test]
fn a_strategy_has_one_colour_on_both_machines() {
    let figures = figures(&samples::mixed());
    let (_, figure) = figures.iter().find(|(name, _)| *name == "time-speedup").unwrap();
    let [super::sheet::Panel { plot: super::sheet::Plot::Lines(lines), .. }] = &figure.panels[..] else {
        panic!("not one panel of lines")
    };
    let look = |machine: &str| {
        let name = |series: &&super::lines::Series| series.name == format!("ybwc ({machine})");
        lines.series.iter().find(name).unwrap().look
    };
    let (real, simulated) = (look("real"), look("virtual"));
    assert_eq!((real.colour, real.marker), (simulated.colour, simulated.marker));
    assert!(!real.hollow && simulated.hollow);
}

/// A chart leaves out times that the text leaves out as disturbed.
#[test]
fn times_of_disturbed_searches_are_in_no_picture() {
    let mut analysis = samples::mixed();
    let whole = source(&analysis, &published());
    assert_eq!(whole.shown().map(|_| ()), None, "the searches were quiet");
    samples::disturb(&mut analysis);
    let shown = source(&analysis, &published()).shown().unwrap();
    let mut timed = 0;
    for (name, _, make) in question::charts::<Source>() {
        let Some(figure) = make(&shown) else { continue };
        let svg = figure.draw(Column::Double, false).to_inline_svg(name);
        assert!(!svg.contains("NaN"), "{name}");
        if ["time-speedup", "losses", "processors", "search-speed", "speedup", "time"].contains(name) {
            assert!(!svg.contains("(real)") && svg.contains("left out: they were disturbed"), "{name}");
            timed += 1;
        }
        if ["tree-size", "hash", "order", "overhead"].contains(name) {
            assert!(!svg.contains("disturbed"), "{name} shows no time");
        }
    }
    assert!(timed > 1, "{timed}");
}

#[test]
fn nothing_gives_no_charts() {
    assert_eq!(draw(&samples::empty(), &published(), Files::default()).unwrap(), []);
}

#[test]
fn svg_is_well_formed_and_knows_its_own_fonts_only() {
    let mut analysis = samples::processors(&[1, 2, 4], &["a < b & \"c\"\u{7}"], samples::REAL);
    analysis.description.suite = Some("<suite>".to_owned());
    let charts = draw(&asking(analysis, &["time-speedup", "losses"]), &published(), Files::default()).unwrap();
    assert_eq!(charts.len(), 2);
    for chart in charts {
        check_tags(&chart.svg);
        let families: BTreeSet<&str> =
            chart.svg.split("font-family=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        assert_eq!(families, BTreeSet::from([text::FAMILIES]), "{}", chart.name);
        assert!(!chart.svg.contains("href"), "nothing is fetched");
        assert!(chart.svg.chars().all(|c| c == '\n' || !c.is_control()));
    }
}

/// Every tag is closed in order, and no bare sign of XML stands in text or attributes.
fn check_tags(svg: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = svg;
    while let Some(start) = rest.find('<') {
        assert!(!rest[..start].contains('>'), "{}", &rest[..start]);
        for reference in rest[..start].split('&').skip(1) {
            assert!(
                ["lt;", "gt;", "amp;", "quot;", "apos;"].iter().any(|name| reference.starts_with(name)),
                "&{reference}"
            );
        }
        let end = start + rest[start..].find('>').expect("a tag ends");
        let tag = &rest[start + 1..end];
        assert!(!tag.contains('<') && tag.matches('"').count().is_multiple_of(2), "{tag}");
        let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap();
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(name);
        }
        rest = &rest[end + 1..];
    }
    assert_eq!((open.len(), rest.trim()), (0, ""));
}

#[test]
fn only_virtual_figures_carry_the_mark() {
    for (kind, expected) in [(samples::REAL, None), (samples::VIRTUAL, Some("virtual machine, costs smp-2004"))] {
        let analysis = samples::processors(&[1, 2, 4, 8], &["ybwc"], kind);
        for (name, figure) in figures(&analysis) {
            let mark = figure.mark.as_deref();
            assert_eq!(mark.is_some(), expected.is_some(), "{name}");
            assert!(expected.is_none_or(|words| mark.is_some_and(|mark| mark.ends_with(words))), "{name}: {mark:?}");
            assert_eq!(figure.caption.contains("virtual"), kind == MachineKind::Virtual, "{name}: {}", figure.caption);
        }
    }
    assert!(figures(&samples::mixed()).iter().all(|(_, figure)| figure.mark.is_none()));
}

#[test]
fn pictures_say_what_bars_mean_or_that_there_are_none() {
    let analysis = samples::many_positions("wac", 20);
    for (name, figure) in figures(&analysis).into_iter().chain(figures(&samples::comparisons())) {
        let has = |words: &str| figure.notes.iter().any(|note| note.contains(words));
        let named =
            has("Bars: 95 % intervals for positions like these.") || has("Bars: 95 % intervals for these positions.");
        assert!(named || has("No intervals"), "{name}: {:?}", figure.notes);
        for column in [Column::Single, Column::Double] {
            let bare = figure.draw(column, true).to_inline_svg("");
            assert!(!bare.contains(">Bars: ") && !bare.contains(&figure.title), "{name}");
            let svg = figure.draw(column, false).to_inline_svg(name);
            let first = figure.notes[0].split(' ').next().unwrap();
            assert!(svg.contains(&format!(">{first} ")), "{name}: {first} is in the picture");
        }
    }
}

#[test]
fn captions_are_sentences() {
    for (_, analysis) in all_samples() {
        for (name, figure) in figures(&analysis) {
            let is_begun = figure.caption.starts_with(|first: char| first.is_uppercase());
            assert!(is_begun && figure.caption.ends_with('.'), "{name}: {}", figure.caption);
        }
    }
}

#[test]
fn all_drawings_of_a_chart_fill_their_columns() {
    let analysis = asking(samples::processors(&[1, 2, 4, 8], &["ybwc", "lazy"], samples::VIRTUAL), &["time-speedup"]);
    for (column, millimetres, pixels) in [(Column::Single, 85, 1000), (Column::Double, 175, 1750)] {
        let charts = draw(&analysis, &published(), Files { column, are_bare: false }).unwrap();
        let [Chart { svg, png, inline, words, .. }] = &charts[..] else { panic!("not one chart") };
        assert!(svg.contains(&format!("width=\"{millimetres}mm\"")) && inline.contains(" viewBox=\"0 0 2000 "));
        assert_eq!(u32::from_be_bytes(png[16..20].try_into().unwrap()), pixels);
        let target = "<rect data-curve=\"ybwc\"";
        assert!(inline.contains(target) && inline.contains("<title>ybwc; processors 8; time speedup "), "{inline}");
        assert!(words.starts_with("Time speedup. thesis-10, 10 positions, depth 11"), "{words}");
    }
}

/// The picture beside the verdict is low enough to be seen with it: what is said of it stands below.
#[test]
fn a_picture_on_the_page_is_low() {
    for strategies in [&["ybwc"][..], &["ybwc", "lazy", "abdada", "teams"]] {
        let analysis = samples::processors(&[1, 2, 4, 8, 64], strategies, samples::VIRTUAL);
        let (_, sheet) = figures(&analysis).into_iter().find(|(name, _)| *name == "time-speedup").unwrap();
        let height = |svg: String| -> f64 {
            let words = svg.split("viewBox=\"0 0 ").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
            let numbers: Vec<f64> = words.split(' ').map(|word| word.parse().unwrap()).collect();
            numbers[1] / numbers[0]
        };
        for column in [Column::Single, Column::Double] {
            let page = height(sheet.draw_on_page(column).to_inline_svg("page"));
            let file = height(sheet.draw(column, false).to_inline_svg("file"));
            assert!(page < 0.8 && page < 0.9 * file, "{page} {file}");
        }
    }
}

#[test]
fn charts_that_folders_of_earlier_versions_ask_for_are_no_error() {
    let analysis = asking(samples::processors(&[1, 2], &["ybwc"], samples::REAL), &["efficiency", "speedup"]);
    let charts = draw(&analysis, &published(), Files::default()).unwrap();
    assert_eq!(charts.iter().map(|chart| chart.name).collect::<Vec<_>>(), ["speedup"]);
}

#[test]
fn no_panel_has_a_single_place_from_left_to_right() {
    for (sample, analysis) in all_samples() {
        for (name, figure) in figures(&analysis).into_iter().filter(|(name, _)| *name != "positions") {
            for panel in &figure.panels {
                assert!(panel.plot.has_several(), "{sample}: {name}: {}", panel.title);
            }
        }
    }
}

#[test]
fn odd_figures_do_no_harm() {
    let nothing = Interval { estimate: f64::NAN, low: f64::NAN, high: f64::NAN };
    let spoilt: [fn(&mut Analysis); 8] = [
        |analysis| analysis.groups.iter_mut().for_each(|group| group.thesis = Default::default()),
        |analysis| analysis.groups.iter_mut().for_each(|group| group.means = Default::default()),
        |analysis| analysis.groups.iter_mut().for_each(|group| group.against_baseline = None),
        |analysis| analysis.groups.iter_mut().for_each(|group| group.by_position.clear()),
        |analysis| analysis.curves.iter_mut().for_each(|curve| curve.groups.push(99_999)),
        |analysis| analysis.baseline_spread.iter_mut().for_each(|spread| spread.relative_nodes.clear()),
        |analysis| analysis.groups.iter_mut().for_each(|group| group.configuration.threads = 0),
        |analysis| {
            for group in &mut analysis.groups {
                group.by_position.iter_mut().for_each(|row| row.time_speedup = Some(f64::INFINITY));
            }
        },
    ];
    let drawn = |analysis: &Analysis, column: Column| {
        for (name, figure) in figures(analysis) {
            let svg = figure.draw(column, false).to_inline_svg(name);
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{name}");
        }
    };
    for (_, analysis) in all_samples() {
        drawn(&analysis, Column::Double);
    }
    for spoil in spoilt {
        for mut analysis in [samples::mixed(), samples::comparisons()] {
            spoil(&mut analysis);
            drawn(&analysis, Column::Single);
        }
    }
    let mut analysis = samples::comparisons();
    analysis.comparisons.iter_mut().for_each(|comparison| (comparison.time, comparison.nodes) = (nothing, nothing));
    for group in &mut analysis.groups {
        if let Some(ratios) = &mut group.against_baseline {
            (ratios.time_speedup, ratios.factors.nodes) = (nothing, Factor::UNKNOWN);
        }
    }
    drawn(&analysis, Column::Double);
}

/// The table at the end of a PDF says where each of its objects begins, and the objects of the fonts are those that the
/// page names.
fn check_pdf(pdf: &[u8]) {
    // A character for each byte, so that places are those in the file.
    let text: String = pdf.iter().map(|&byte| if byte.is_ascii() { char::from(byte) } else { '?' }).collect();
    assert!(text.starts_with("%PDF-1.6\n") && text.ends_with("%%EOF\n"));
    let table: usize = text.lines().rev().nth(1).unwrap().parse().unwrap();
    let entries: Vec<&str> = text[table..].lines().skip(3).take_while(|line| line.ends_with(" 00000 n ")).collect();
    for (number, entry) in (1..).zip(&entries) {
        let at: usize = entry[..10].parse().unwrap();
        assert!(text[at..].starts_with(&format!("{number} 0 obj\n")), "object {number}");
    }
    for (_, font) in text.match_indices("/F1 ").chain(text.match_indices("/F2 ")).map(|(at, _)| (at, &text[at + 4..])) {
        let Some((number, _)) = font.split_once(" 0 R") else { continue };
        let Ok(number) = number.parse::<usize>() else { continue };
        let at: usize = entries[number - 1][..10].parse().unwrap();
        assert!(text[at..].starts_with(&format!("{number} 0 obj\n<< /Type /Font /Subtype /Type0")), "object {number}");
    }
}

/// Writes all charts of all samples, to be looked at: `CHARTS_OUT=/tmp/charts cargo test -p splitpoint-report --
/// --ignored look_at_charts`.
#[test]
#[ignore = "writes files, for eyes"]
fn look_at_charts() {
    let folder = std::path::PathBuf::from(std::env::var("CHARTS_OUT").expect("CHARTS_OUT names a folder"));
    let only = std::env::var("CHARTS_ONLY").unwrap_or_default();
    let column = std::env::var("CHARTS_COLUMN").ok().map_or(Column::Double, |name| name.parse().unwrap());
    let wanted = |sample: &str| only.is_empty() || only.split(',').any(|name| name == sample);
    for (sample, analysis) in all_samples().into_iter().filter(|(sample, _)| wanted(sample)) {
        for Chart { name, svg, png, pdf, pgf, caption, .. } in
            draw(&analysis, &published(), Files { column, are_bare: false }).unwrap()
        {
            let files: [(&str, &[u8]); 4] =
                [("svg", svg.as_bytes()), ("png", &png), ("pdf", &pdf), ("pgf", pgf.as_bytes())];
            for (ending, bytes) in files {
                std::fs::write(folder.join(format!("{sample}.{name}.{ending}")), bytes).unwrap();
            }
            println!("{sample}.{name}: {caption}");
        }
    }
}

#[test]
fn a_panic_of_one_chart_is_told() {
    let error = super::guarded("losses", || -> Result<(), ChartError> { panic!("an axis ends before it begins") });
    assert!(error.unwrap_err().to_string().contains("'losses' could not be drawn"));
    assert!(super::guarded("losses", || Ok(1)).is_ok());
}
