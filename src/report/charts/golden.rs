//! Pictures of every kind of chart, drawn from small made-up sheets and compared to the byte with those in `golden/`.
//! `UPDATE_GOLDEN=1 cargo test -p splitpoint-report golden` writes them anew, with a PNG of each beside them in the
//! folder that `GOLDEN_PNG` names, if it does.

use crate::analysis::{Factor, lost};
use crate::statistics::Interval;

use super::Column;
use super::axis::{Axis, Origin};
use super::forest::{self, Forest};
use super::legend::{Entry, Legend};
use super::lines::{Lines, Point, Reference, Series, extents, xs};
use super::sheet::{Panel, Plot, Sheet};
use super::stacked::{Layer, Stacked};
use super::strips::{Dot, Strip, Strips};
use super::style::{Fill, Look};
use super::waterfall::{Step, Waterfall};

fn around(estimate: f64, share: f64) -> Interval {
    Interval { estimate, low: estimate * (1.0 - share), high: estimate * (1.0 + share) }
}

fn series(name: &str, look: Look, points: &[(f64, f64)]) -> Series {
    let point = |&(x, y): &(f64, f64)| Point::with_interval(x, around(y, if x > 1.0 { 0.12 } else { 0.0 }));
    Series::new(name, look, points.iter().filter_map(point)).unwrap()
}

fn sheet(title: &str, panels: Vec<Plot>, columns: usize) -> Sheet {
    let panel = |(place, plot): (usize, Plot)| {
        let title = if columns > 1 { format!("panel {}", place + 1) } else { String::new() };
        Panel { title, plot }
    };
    let sheet = Sheet {
        title: title.to_owned(),
        subtitle: "thesis-10, 10 positions, depth 11, 64 MiB".to_owned(),
        caption: "Look at it.".to_owned(),
        mark: Some("virtual machine, costs reference".to_owned()),
        notes: vec!["Bars: 95 % intervals for these positions.".to_owned()],
        ..Sheet::default()
    };
    sheet.with_panels(panels.into_iter().enumerate().map(panel).collect(), columns, [400.0, 280.0]).unwrap()
}

fn speedups(series: Vec<Series>) -> Plot {
    let x = Axis::of_processors("processors", xs(&series)).unwrap();
    let y = Axis::powers_of_two("time speedup", extents(&series).chain([1.0])).unwrap();
    Plot::Lines(Lines { x, y, series, reference: Some(Reference::Diagonal) })
}

/// Speedups of curves that lose more and more.
fn curves(names: &[&str], is_virtual: bool) -> Vec<Series> {
    let curve = |(place, name): (usize, &&str)| {
        let points: Vec<(f64, f64)> =
            [1.0, 2.0, 4.0, 8.0].map(|n: f64| (n, n.powf(0.92 - 0.11 * place as f64))).to_vec();
        series(name, Look::of_curve(place, is_virtual), &points)
    };
    names.iter().enumerate().map(curve).collect()
}

fn lines() -> Sheet {
    let real = series("lazy (real)", Look::of_curve(0, false), &[(1.0, 1.0), (2.0, 1.46)]);
    let published = series("published 1994", Look::of_published(0), &[(1.0, 1.0), (2.0, 1.8), (4.0, 3.4), (8.0, 6.6)]);
    let published =
        Series { points: published.points.iter().map(|p| Point { ends: None, ..*p }).collect(), ..published };
    let all = [vec![published], curves(&["lazy", "ybwc", "root"], true), vec![real]].concat();
    sheet("Time speedup", vec![speedups(all)], 1)
}

fn eight() -> Sheet {
    let names = ["one", "two", "three", "four", "five", "six", "seven", "eight"];
    sheet("Eight curves", vec![speedups(curves(&names, false))], 1)
}

fn multiples() -> Sheet {
    let names: Vec<String> = (1..=9).map(|draft| format!("ybwc,minimum-draft={draft},maximum-helpers=3")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let flat: Vec<Series> = curves(&names[..8], true)
        .into_iter()
        .chain([series(names[8], Look::of_curve(8, true), &[(1.0, 1.0), (8.0, 4.4)])])
        .collect();
    sheet("Nine curves with long names are small multiples", vec![speedups(flat)], 1)
}

fn large() -> Sheet {
    let points = [(5.0, 2e4), (7.0, 9e4), (9.0, 4e5), (11.0, 2.1e6), (13.0, 8e6)];
    let series = vec![
        series("modern", Look::of_curve(0, false), &points),
        series("thesis", Look::of_curve(1, false), &points.map(|(x, y)| (x, y * 2.4))),
    ];
    let x = Axis::whole("depth (plies)", xs(&series)).unwrap();
    let y = Axis::logarithmic("nodes", extents(&series)).unwrap();
    let nodes = Plot::Lines(Lines { x, y, series: series.clone(), reference: None });
    let one = vec![Series { points: series[0].points[..1].to_vec(), ..series[0].clone() }];
    let x = Axis::whole("depth (plies)", xs(&one)).unwrap();
    let y = Axis::of_values("nodes", extents(&one), Origin::Zero).unwrap();
    sheet("Large numbers, and one point", vec![nodes, Plot::Lines(Lines { x, y, series: one, reference: None })], 2)
}

fn stacked() -> Sheet {
    let layer = |(place, (name, values)): (usize, (&str, [f64; 4]))| Layer {
        name: name.to_owned(),
        fill: Fill::of_layer(place),
        values: values.to_vec(),
    };
    let layers = [
        ("search", [1.0, 0.83, 0.66, 0.48]),
        ("splitting", [0.0, 0.02, 0.03, 0.046]),
        ("waiting for work", [0.0, 0.12, 0.26, 0.43]),
        ("waiting for locks", [0.0, 0.03, 0.05, 0.044]),
    ];
    let plot = |totals: Vec<f64>| {
        Plot::Stacked(Stacked {
            categories: ["1", "2", "4", "8"].map(str::to_owned).to_vec(),
            categories_name: "processors".to_owned(),
            y: Axis::shares("share of time (%)", 0.0, 1.0),
            totals,
            layers: layers.into_iter().enumerate().map(layer).collect(),
        })
    };
    sheet("How processors spent their time", vec![plot(Vec::new()), plot(vec![0.9, 0.8, 0.6, -0.1])], 2)
}

fn strips() -> Sheet {
    let dots = |n: f64| -> Vec<Dot> {
        let value = |place: u32| n.powf(0.8) * (0.06 * f64::from(place * 7 % 11) - 0.3).exp();
        let outlier = |place| (place == 3 && n > 4.0).then(|| "BK04".to_owned());
        (0..24).map(|place| Dot { value: value(place), outlier: outlier(place) }).collect()
    };
    let strip = |n: f64| Strip {
        name: n.to_string(),
        look: Look { radius: 4.0, ..Look::of_curve(0, n > 2.0) },
        dots: dots(n),
        centre: Point::with_interval(n, around(n.powf(0.8), 0.1)),
        reference: Some(n),
    };
    let strips = vec![strip(2.0), strip(4.0), strip(8.0)];
    let y = Axis::powers_of_two("time speedup", [1.0, 9.0]).unwrap();
    let plot = Strips { strips, strips_name: "processors".to_owned(), y, level: None };
    sheet("Time speedup by position", vec![Plot::Strips(plot)], 1)
}

fn forest() -> Sheet {
    let mut rows = Vec::new();
    let looks = [false, true].map(Look::of_change);
    for (name, less, more) in [
        ("lock handoff", 1.08, 0.9),
        ("cache miss", 1.02, 0.99),
        ("a cost whose name is so long that it has to be cut somewhere in its middle", 1.3, 0.7),
    ] {
        forest::add(&mut rows, name, [around(less, 0.06), around(1.0 / less, 0.04)], looks[0]);
        forest::add(&mut rows, name, [around(more, 0.06), around(1.0 / more, 0.04)], looks[1]);
    }
    let entries = ["cost ÷ 2", "cost × 2"].into_iter().zip(looks).map(|(name, look)| vec![Entry::point(name, look)]);
    let plot = Plot::Forest(Forest::of(&["time speedup, ratio", "time, ratio"], rows).unwrap());
    Sheet { legend: Legend::of(entries), ..sheet("Effects of costs", vec![plot], 1) }
}

fn waterfall() -> Sheet {
    let step = |name: &str, from: f64, to: f64, fill: usize| Step {
        name: name.to_owned(),
        from,
        to: Point::with_interval(0.0, around(to, 0.03)).unwrap(),
        fill: Fill::of_layer(fill),
        ..Step::default()
    };
    let steps = vec![
        step("owner: prepare", 0.0, 84e3, 0),
        step("owner: call", 84e3, 120e3, 0),
        step("helper: notice", 120e3, 640e3, 3),
        step("helper: begin", 640e3, 780e3, 3),
    ];
    let x = Axis::linear("nanoseconds", 0.0, 780e3);
    sheet("Stages of a split", vec![Plot::Waterfall(Waterfall { x, steps })], 1)
}

fn losses() -> Sheet {
    let of = |ideal: f64, factors: [f64; 4]| {
        let names = ["idle", "coordination", "slower nodes", "extra nodes"];
        let total = around(ideal * factors.iter().product::<f64>(), 0.15);
        let total = Point::with_interval(0.0, total).unwrap();
        let factor = |estimate| Factor { ratio: Interval::unknown(estimate), p: None };
        let losses = lost::divided(ideal, total.y, names.into_iter().zip(factors.map(factor)).collect());
        Plot::Waterfall(Waterfall::of_losses(ideal, &losses, total))
    };
    sheet("Where the speedup is lost", vec![of(8.0, [1.0, 0.998, 1.01, 0.43]), of(8.0, [0.5, 0.95, 0.93, 0.82])], 2)
}

#[test]
fn golden_pictures_are_drawn_to_the_byte() {
    let sheets: [(&str, Sheet); 9] = [
        ("lines", lines()),
        ("eight", eight()),
        ("multiples", multiples()),
        ("large", large()),
        ("stacked", stacked()),
        ("strips", strips()),
        ("forest", forest()),
        ("waterfall", waterfall()),
        ("losses", losses()),
    ];
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("charts/golden");
    let (is_update, pictures) = (std::env::var_os("UPDATE_GOLDEN").is_some(), std::env::var_os("GOLDEN_PNG"));
    for (name, sheet) in sheets {
        let column = if sheet.is_broad() { Column::Double } else { Column::Single };
        let path = folder.join(format!("{name}.svg"));
        let drawn = sheet.draw(column, false).to_svg(&sheet.title);
        if let Some(pictures) = &pictures {
            for (kind, column, is_bare) in [("", column, false), (".single", Column::Single, true)] {
                let png = sheet.draw(column, is_bare).to_png().unwrap();
                std::fs::write(std::path::Path::new(pictures).join(format!("{name}{kind}.png")), png).unwrap();
            }
        }
        if is_update {
            std::fs::write(&path, drawn).unwrap();
            continue;
        }
        let kept = std::fs::read_to_string(&path).unwrap_or_default();
        let first = kept.lines().zip(drawn.lines()).find(|(kept, drawn)| kept != drawn);
        assert!(kept == drawn, "{} differs: {first:?}", path.display());
    }
}
