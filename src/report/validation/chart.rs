//! The charts of a validation: virtual by real time at each position, and what each changed cost does to the time
//! speedup.

use super::Validation;
use super::sensitivity::CostEffect;
use crate::record::validation::Measurements;
use crate::report::charts::{Chart, ChartError, RatioChart, RatioRow};

/// All charts that the findings allow.
pub fn charts(measurements: &Measurements, validation: &Validation) -> Result<Vec<Chart>, ChartError> {
    let all = [positions(measurements, validation), costs(measurements, validation)];
    let drawn: Result<Vec<Option<Chart>>, ChartError> = all.iter().map(RatioChart::draw).collect();
    Ok(drawn?.into_iter().flatten().collect())
}

fn positions(measurements: &Measurements, validation: &Validation) -> RatioChart {
    let mut rows = Vec::new();
    if let Some(one) = &validation.one_processor {
        let ratios = |time, by_processor_time| vec![(0, time), (1, by_processor_time)];
        let shown = one.positions.iter().take(measurements.size.positions);
        rows.extend(
            shown.map(|row| RatioRow { name: row.id.clone(), ratios: ratios(row.ratio, row.by_processor_time) }),
        );
        rows.push(RatioRow { name: "all positions".to_owned(), ratios: ratios(one.ratio, one.by_processor_time) });
    }
    RatioChart {
        name: "positions",
        title: "Virtual by real time of one processor".to_owned(),
        subtitle: "positions that the costs were not fitted to".to_owned(),
        caption:
            "Bars are 95 % intervals: of a position if it were searched again, of all positions for others of their \
                  kind."
                .to_owned(),
        axis: "virtual / real time, ratio".to_owned(),
        kinds: vec!["real time".to_owned(), "processor time that real searches had".to_owned()],
        panels: vec![(String::new(), rows)],
        ..RatioChart::default()
    }
}

fn costs(measurements: &Measurements, validation: &Validation) -> RatioChart {
    let size = &measurements.size;
    let panel = |threads: &u32| {
        let of_threads = validation.costs.iter().filter(|effect| effect.threads == *threads);
        (format!("{threads} virtual processors"), cost_rows(of_threads))
    };
    RatioChart {
        name: "costs",
        title: "What depends on a cost: the time speedup with each halved and doubled".to_owned(),
        subtitle: format!("{} positions, {} seeds each", size.cost_positions, size.cost_seeds),
        mark: format!("virtual machine, costs {}", measurements.model_hash),
        caption: "The time speedup with the changed cost by that with the model's, the largest change first. Bars are \
                  95 % intervals for positions like these; they are as wide as they are since a search with another \
                  cost takes another course. Virtual units."
            .to_owned(),
        axis: "time speedup, ratio to that of the model".to_owned(),
        kinds: vec!["cost / 2".to_owned(), "cost x 2".to_owned()],
        panels: size.cost_processors.iter().map(panel).collect(),
    }
}

/// A row for each cost, the largest effect first.
fn cost_rows<'a>(effects: impl Iterator<Item = &'a CostEffect>) -> Vec<RatioRow> {
    let mut rows: Vec<(f64, RatioRow)> = Vec::new();
    for effect in effects {
        let unit = if effect.cost.ends_with("permille") { "" } else { " ns" };
        let name = format!("{} ({}{unit})", effect.cost.replace('_', " "), effect.before);
        let place = rows.iter().position(|(_, row)| row.name == name).unwrap_or_else(|| {
            rows.push((0.0, RatioRow { name, ratios: Vec::new() }));
            rows.len() - 1
        });
        let (largest, row) = &mut rows[place];
        *largest = largest.max(effect.ratio.estimate.ln().abs());
        row.ratios.push((usize::from(effect.is_doubled), effect.ratio));
    }
    // Stable, so that equal effects keep the order of the model.
    rows.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    rows.into_iter().map(|(_, row)| row).collect()
}
