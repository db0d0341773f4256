//! The result of two players in the lines that fastchess prints, which other programs and readers know.

use super::standing::Standing;
use crate::record::TestInfo;
use crate::statistics::Interval;

/// The lines, from the view of the first player: what half of an interval of unequal sides is wide stands behind `+/-`.
/// Who is likely the stronger stands there only if the match was fair.
pub fn block(standing: &Standing, is_fair: bool, test: Option<&TestInfo>) -> String {
    let pairs = &standing.pairs;
    let counts = pairs.counts();
    let [lost, drawn, won] = standing.results;
    let share = |some: u64, others: u64| some as f64 / others as f64;
    let around = |elo: Interval| format!("{:.2} +/- {:.2}", elo.estimate, (elo.high - elo.low) / 2.0);
    let stronger = pairs.superiority().filter(|_| is_fair).unwrap_or(f64::NAN);
    let points = won as f64 + drawn as f64 / 2.0;
    let pairs_ratio = share(counts[3] + counts[4], counts[0] + counts[1]);
    let drawn_pairs = standing.drawn_pairs;
    let mut lines = vec![
        format!("Elo: {}, nElo: {}", around(pairs.elo()), around(pairs.normalised_elo())),
        format!(
            "LOS: {:.2} %, DrawRatio: {:.2} %, PairsRatio: {pairs_ratio:.2}",
            100.0 * stronger,
            100.0 * share(counts[2], pairs.number())
        ),
        format!(
            "Games: {}, Wins: {won}, Losses: {lost}, Draws: {drawn}, Points: {points:.1} ({:.2} %)",
            standing.games(),
            100.0 * points / standing.games() as f64
        ),
        format!("Ptnml(0-2): {counts:?}, WL/DD Ratio: {:.2}", share(counts[2] - drawn_pairs, drawn_pairs)),
    ];
    if let Some(TestInfo { elo: [first, second], bounds: [low, high], log_ratio, .. }) = test {
        let of_bound =
            log_ratio / if *log_ratio < 0.0 { *low } else { *high } * if *log_ratio < 0.0 { -1.0 } else { 1.0 };
        lines.push(format!(
            "LLR: {log_ratio:.2} ({:.1}%) ({low:.2}, {high:.2}) [{first:.2}, {second:.2}]",
            100.0 * of_bound
        ));
    }
    // Whoever has won all games, or none, has no interval.
    lines.join("\n").replace("NaN", "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_are_those_that_others_read() {
        let mut standing = Standing::default();
        (standing.results, standing.drawn_pairs) = ([2, 4, 4], 1);
        [1, 2, 2, 3, 4].into_iter().for_each(|half_points| standing.pairs.add(half_points));
        let test = TestInfo { elo: [0.0, 10.0], log_ratio: -1.47, bounds: [-2.94, 2.94], ..TestInfo::default() };
        let lines = block(&standing, true, Some(&test));
        let lines: Vec<&str> = lines.lines().collect();
        assert!(lines[0].starts_with("Elo: 70.44 +/- ") && lines[0].contains(", nElo: "), "{}", lines[0]);
        assert!(lines[1].ends_with("DrawRatio: 40.00 %, PairsRatio: 2.00"), "{}", lines[1]);
        assert_eq!(lines[2], "Games: 10, Wins: 4, Losses: 2, Draws: 4, Points: 6.0 (60.00 %)");
        assert_eq!(lines[3], "Ptnml(0-2): [0, 1, 2, 1, 1], WL/DD Ratio: 1.00");
        assert_eq!(lines[4], "LLR: -1.47 (-50.0%) (-2.94, 2.94) [0.00, 10.00]");
        assert!(block(&standing, false, None).contains("LOS: - %"), "nobody is likely the stronger if it was unfair");
    }
}
