//! The charts of a validation: virtual by real time at each position, and what each changed cost does to the time
//! speedup.

use super::Validation;
use super::sensitivity::CostEffect;
use crate::record::validation::Measurements;
use crate::report::charts::{Chart, ChartError, Ratio, RatioChart};

/// All charts that the findings allow.
pub fn charts(measurements: &Measurements, validation: &Validation) -> Result<Vec<Chart>, ChartError> {
    let all = [positions(measurements, validation), costs(measurements, validation)];
    all.into_iter().filter_map(|chart| chart.draw().transpose()).collect()
}

fn positions(measurements: &Measurements, validation: &Validation) -> RatioChart {
    let mut ratios: Vec<Ratio> = Vec::new();
    if let Some(one) = &validation.one_processor {
        let of_each = one.positions.iter().take(measurements.size.positions);
        let of_each = of_each.map(|row| (row.id.as_str(), row.ratio, row.by_processor_time));
        for (name, time, processor_time) in of_each.chain([("all positions", one.ratio, one.by_processor_time)]) {
            ratios.extend([(name.to_owned(), 0, time), (name.to_owned(), 1, processor_time)]);
        }
    }
    RatioChart {
        name: "positions",
        title: "Virtual by real time of one processor",
        subtitle: "positions that the costs were not fitted to".to_owned(),
        caption: "How to read it: at 1 the virtual machine foretells the real time; right of 1 it is too slow, left of \
                  it too fast.",
        bars: "Bars: 95 % intervals, of a position if it were searched again, of all positions for others of their \
               kind.",
        axis: "virtual / real time, ratio",
        kinds: ["real time", "processor time that real searches had"],
        panels: vec![(String::new(), ratios)],
        ..RatioChart::default()
    }
}

fn costs(measurements: &Measurements, validation: &Validation) -> RatioChart {
    let size = &measurements.size;
    let ratio = |effect: &CostEffect| {
        let unit = if effect.cost.ends_with("permille") { "" } else { " ns" };
        let name = format!("{} ({}{unit})", effect.cost.replace('_', " "), effect.before);
        (name, usize::from(effect.is_doubled), effect.ratio)
    };
    let panel = |threads: &u32| {
        let of_threads = validation.costs.iter().filter(|effect| effect.threads == *threads);
        (format!("{threads} virtual processors"), of_threads.map(ratio).collect())
    };
    RatioChart {
        name: "costs",
        title: "What depends on a cost: the time speedup with each halved and doubled",
        subtitle: format!("{} positions, {} seeds each", size.cost_positions, size.cost_seeds),
        mark: Some(format!("virtual machine, costs {}", measurements.model_hash)),
        caption: "How to read it: the further a point is from 1, the more a result depends on this cost. The time \
                  speedup with the changed cost by that with the model's, the largest change first. Intervals are as \
                  wide as they are since a search with another cost takes another course. Virtual units.",
        bars: "Bars: 95 % intervals for positions like these.",
        axis: "time speedup, ratio to that of the model",
        kinds: ["cost / 2", "cost x 2"],
        is_ranked: true,
        panels: size.cost_processors.iter().map(panel).collect(),
    }
}
