//! The charts of a validation: virtual by real time at each position, and what each changed cost does to the time
//! speedup.

use super::Validated;
use super::sensitivity::CostEffect;
use crate::report::charts::{Ratio, RatioChart, Sheet};

/// Virtual by real time at each position.
pub(super) fn positions(of: &Validated) -> Option<Sheet> {
    let Validated { measurements, findings: validation, .. } = of;
    let mut ratios: Vec<Ratio> = Vec::new();
    if let Some(one) = &validation.one_processor {
        let of_each = one.positions.iter().take(measurements.size.positions);
        let of_each = of_each.map(|row| (row.id.as_str(), row.ratio, row.by_processor_time));
        for (name, time, processor_time) in of_each.chain([("all positions", one.ratio, one.by_processor_time)]) {
            ratios.extend([(name.to_owned(), 0, time), (name.to_owned(), 1, processor_time)]);
        }
    }
    RatioChart {
        title: "Virtual / real time on one processor",
        subtitle: "positions that the costs were not fitted to".to_owned(),
        caption: "At 1, the virtual machine predicts the real time; right of 1 it is too slow, left of \
                  1 too fast.",
        bars: "Bars: 95 % intervals; of one position for searching it again, of all positions for positions like \
               these.",
        axis: "virtual / real time",
        kinds: ["real time", "real processor time"],
        panels: vec![(String::new(), ratios)],
        ..RatioChart::default()
    }
    .sheet()
}

/// What each changed cost does to the time speedup.
pub(super) fn costs(of: &Validated) -> Option<Sheet> {
    let Validated { measurements, findings: validation, .. } = of;
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
        title: "Effect of each cost, halved and doubled, on the time speedup",
        subtitle: format!("{} positions, {} seeds each", size.cost_positions, size.cost_seeds),
        mark: Some(format!("virtual machine, costs {}", measurements.model_hash)),
        caption: "The further a point is from 1, the more a result depends on this cost. Time speedup \
                  with the changed cost divided by that with the model's cost, the largest change first. Intervals are \
                  wide because a parallel search takes another course with every change of a cost. Figures come from \
                  the virtual machine.",
        bars: "Bars: 95 % intervals for positions like these.",
        axis: "time speedup / that of the model",
        kinds: ["cost / 2", "cost x 2"],
        is_ranked: true,
        panels: size.cost_processors.iter().map(panel).collect(),
    }
    .sheet()
}
