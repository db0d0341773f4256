//! All claims of a report. With many tests some would succeed by chance, wherever they stand; Holm's correction keeps
//! the probability of even one false claim below the level.
//!
//! There are two families. The primary one has the claims that the experiment asks for, at 4 %; all others are
//! secondary, at 1 %, and get the rest of the level if every primary claim has been shown (gatekeeping: Wiens, "A Fixed
//! Sequence Bonferroni Procedure for Testing Multiple Endpoints", Pharmaceutical Statistics 2, 2003). So side shows
//! cost the question no power, and both together are false in at most 5 % of reports.

use crate::choices::choices;
use crate::record::{Asks, MachineKind};
use crate::statistics::{Interval, LEVEL, holm};

use super::by_size::Outgrowth;
use super::{Analysis, Effect, Group, labels};

/// Share of the level that the primary claims have.
const PRIMARY_SHARE: f64 = 0.8;

choices! {
    /// Family of claims that are corrected together.
    pub enum Family, "family of claims";
    /// Claims that the experiment asks for.
    Primary "primary",
    /// All else.
    Secondary "secondary",
}

choices! {
    /// Kind of a claim.
    pub enum ClaimKind, "kind of claim";
    /// One configuration takes longer than another for the same problem.
    Order "order",
    /// A configuration takes another time than one processor.
    Faster "faster",
    /// Time differs from that of the reference.
    Time "time",
    /// Nodes differ from those of the reference.
    Nodes "nodes",
    /// A factor of the speedup is not 1.
    Factor "factor",
    /// Moves are worth more or less than the baseline's.
    Moves "moves",
    /// A speedup grows with the size of the search, or one by more than another.
    Growth "growth",
    /// Searches that were not quiet took another time.
    Disturbance "disturbance",
}

/// Difference that was tested.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    pub kind: ClaimKind,
    pub family: Family,
    pub machine: MachineKind,
    pub threads: u32,
    /// Problem that was searched, in words.
    pub problem: String,
    /// Configuration that is spoken of.
    pub subject: String,
    /// Configuration that it is compared with.
    pub than: String,
    /// Figure of which this is the ratio, the subject's to the other's; for moves a difference in centipawns.
    pub figure: &'static str,
    pub ratio: Interval,
    /// P value by itself.
    pub p: f64,
    /// P value by itself, from the signs of the differences at the positions alone; nothing where that is not tested.
    pub sign_flip: Option<f64>,
    /// P value adjusted for all claims of its family and for its part of the level.
    pub adjusted: f64,
}

impl Claim {
    /// Whether the difference is shown.
    pub fn is_shown(&self) -> bool {
        self.adjusted < 1.0 - LEVEL
    }
}

/// Claim before it is corrected, and where its p value stands.
type Open<'a> = (Claim, &'a mut Option<f64>);

/// Adjusts the p values of everything that a report may claim.
pub(super) fn adjust(analysis: &mut Analysis) -> Vec<Claim> {
    let asks = analysis.asks();
    let Analysis { description, groups, contests, comparisons, effects, quality, .. } = analysis;
    let named: Vec<Named> = groups.iter().map(named).collect();
    let of = |kind: ClaimKind, named: &Named, than: String, figure: &'static str, ratio: Interval| {
        let ((subject, machine, threads, problem), family, p) = (named.clone(), Family::Secondary, f64::NAN);
        Claim { kind, family, machine, threads, problem, subject, than, figure, ratio, p, sign_flip: None, adjusted: p }
    };
    let claim = |kind, group: usize, than, figure, ratio| of(kind, &named[group], than, figure, ratio);
    let (mut open, mut growths): (Vec<Open<'_>>, Vec<Open<'_>>) = Default::default();
    let candidates: Vec<usize> = contests.iter().flat_map(|contest| contest.candidates.clone()).collect();
    for one in contests.iter_mut().flat_map(|contest| &mut contest.rivalries) {
        let [first, second] = one.groups;
        let than = &named[first].0;
        let order = claim(ClaimKind::Order, second, than.clone(), "time", one.time);
        open.push((Claim { sign_flip: one.sign_flip, ..order }, &mut one.p));
        if let Some(Outgrowth { ratio, p }) = &mut one.outgrowth {
            growths.push((claim(ClaimKind::Growth, second, than.clone(), "growth of the speedup", *ratio), p));
        }
    }
    for one in comparisons.iter_mut() {
        let than = named[one.reference].0.clone();
        let time = claim(ClaimKind::Time, one.group, than.clone(), "time", one.time);
        open.push((Claim { sign_flip: one.sign_flip, ..time }, &mut one.time_p));
        open.push((claim(ClaimKind::Nodes, one.group, than, "nodes", one.nodes), &mut one.nodes_p));
    }
    for Effect { factor, machine, threads, setting, time, time_p, nodes, nodes_p, .. } in effects.iter_mut() {
        let effect = (factor.clone(), *machine, *threads, setting.clone());
        let effect = |kind, figure, ratio| of(kind, &effect, "without it".to_owned(), figure, ratio);
        open.push((effect(ClaimKind::Time, "time", *time), time_p));
        open.push((effect(ClaimKind::Nodes, "nodes", *nodes), nodes_p));
    }
    open.extend(growths);
    // What is not claimed has no p value, for it would not be corrected.
    for (_, group) in groups.iter_mut().enumerate().filter(|(place, _)| !candidates.contains(place)) {
        group.by_size.iter_mut().for_each(|by_size| by_size.growth_p = None);
    }
    for (place, group) in groups.iter_mut().enumerate().filter(|(place, _)| candidates.contains(place)) {
        let beside_one = || "one processor".to_owned();
        if let Some(against) = group.regret.as_mut().and_then(|regret| regret.against.as_mut()) {
            open.push((claim(ClaimKind::Moves, place, beside_one(), "regret", against.difference), &mut against.p));
        }
        if let Some((by_size, growth)) = group.by_size.as_mut().and_then(|of| of.growth.map(|growth| (of, growth))) {
            let than = "its smaller searches".to_owned();
            open.push((claim(ClaimKind::Growth, place, than, "growth of the speedup", growth), &mut by_size.growth_p));
        }
        let Some(against) = group.against_baseline.as_mut() else { continue };
        let time = against.time_speedup.inverse();
        open.push((claim(ClaimKind::Faster, place, beside_one(), "time", time), &mut against.faster_p));
        let factors = &mut against.factors;
        for (figure, factor) in [
            ("utilisation", &mut factors.utilisation),
            ("productive share", &mut factors.productive),
            ("rate", &mut factors.rate),
            ("nodes", &mut factors.nodes),
        ] {
            open.push((claim(ClaimKind::Factor, place, beside_one(), figure, factor.ratio), &mut factor.p));
        }
    }
    for arm in &mut quality.arms {
        let than = "quiet searches".to_owned();
        open.push((claim(ClaimKind::Disturbance, arm.group, than, "time", arm.time_ratio), &mut arm.p));
    }
    corrected(open, |claim| is_primary(claim, asks, &description.primary))
}

/// Label of a configuration or a switch, its machine, its number of processors, and its problem.
type Named = (String, MachineKind, u32, String);

/// Label, machine, number of processors and problem of a group.
fn named(group: &Group) -> Named {
    let configuration = &group.configuration;
    (group.label.clone(), configuration.machine, configuration.threads, labels::of_problem(configuration))
}

/// Whether a claim is one that the experiment asks for: those that it names as primary, by their kind or as
/// `kind: subject`, or else those that its question is about.
fn is_primary(claim: &Claim, asks: Asks, named: &[String]) -> bool {
    let is_named = |name: &String| match name.split_once(':') {
        Some((kind, subject)) => kind.trim() == claim.kind.name() && subject.trim() == claim.subject,
        None => name == claim.kind.name(),
    };
    match named {
        [] => match asks {
            Asks::Best => claim.kind == ClaimKind::Order,
            Asks::Scaling | Asks::Smp => matches!(claim.kind, ClaimKind::Order | ClaimKind::Faster),
            Asks::Effect | Asks::Splitting => claim.kind == ClaimKind::Time,
            Asks::Published => false,
        },
        named => named.iter().any(is_named),
    }
}

/// Claims with their p values adjusted, in place and as a list.
fn corrected(mut open: Vec<Open<'_>>, is_primary: impl Fn(&Claim) -> bool) -> Vec<Claim> {
    open.retain(|(_, p)| p.is_some());
    for (claim, p) in &mut open {
        claim.p = p.unwrap_or(1.0);
        claim.family = if is_primary(claim) { Family::Primary } else { Family::Secondary };
    }
    let adjusted = |family: Family, open: &[Open<'_>]| -> Vec<Option<f64>> {
        let p: Vec<Option<f64>> =
            open.iter().map(|(claim, _)| Some(claim.p).filter(|_| claim.family == family)).collect();
        holm(&p)
    };
    let level = 1.0 - LEVEL;
    let primary = adjusted(Family::Primary, &open);
    let are_any = primary.iter().any(Option::is_some);
    let are_all_shown = primary.iter().flatten().all(|p| *p < PRIMARY_SHARE * level);
    // A family without claims leaves its part to the other.
    let secondary = adjusted(Family::Secondary, &open);
    let primary_share = if secondary.iter().any(Option::is_some) { PRIMARY_SHARE } else { 1.0 };
    let secondary_share = if are_any && !are_all_shown { 1.0 - PRIMARY_SHARE } else { 1.0 };
    let shares = primary.into_iter().zip(secondary).map(|(primary, secondary)| {
        primary.map(|p| p / primary_share).or(secondary.map(|p| p / secondary_share)).map(|p| p.min(1.0))
    });
    let close = |((mut claim, place), adjusted): (Open<'_>, Option<f64>)| {
        *place = adjusted;
        claim.adjusted = adjusted.unwrap_or(1.0);
        claim
    };
    let adjusted: Vec<Option<f64>> = shares.collect();
    open.into_iter().zip(adjusted).map(close).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn adjusted(claims: &[(ClaimKind, f64)]) -> Vec<f64> {
        let claim = |kind: ClaimKind| Claim {
            kind,
            family: Family::Secondary,
            machine: MachineKind::Virtual,
            threads: 4,
            problem: String::new(),
            subject: "a".to_owned(),
            than: "b".to_owned(),
            figure: "time",
            ratio: Interval::unknown(1.0),
            p: f64::NAN,
            sign_flip: None,
            adjusted: f64::NAN,
        };
        let mut p: Vec<Option<f64>> = claims.iter().map(|(_, p)| Some(*p)).collect();
        let open = claims.iter().map(|(kind, _)| claim(*kind)).zip(&mut p).collect();
        corrected(open, |claim| is_primary(claim, Asks::Best, &[])).iter().map(|claim| claim.adjusted).collect()
    }

    /// Primary claims are adjusted by Holm and for 4 of 5 hundredths, the others for 1, or for 5 if all of the first
    /// are shown.
    #[test]
    fn what_is_asked_for_has_most_of_the_level() {
        use ClaimKind::{Factor, Order};
        for (claims, expected) in [
            (vec![(Order, 0.03)], vec![0.03]),
            (vec![(Factor, 0.03)], vec![0.03]),
            (vec![(Order, 0.03), (Factor, 0.02)], vec![0.0375, 0.02]),
            (vec![(Order, 0.05), (Factor, 0.02)], vec![0.0625, 0.1]),
            (vec![(Order, 0.01), (Order, 0.015), (Factor, 0.02)], vec![0.025, 0.025, 0.02]),
            (vec![(Order, 0.01), (Order, 0.3), (Factor, 0.004)], vec![0.025, 0.375, 0.02]),
        ] {
            let found = adjusted(&claims);
            assert!(found.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-12), "{claims:?}: {found:?}");
        }
    }

    #[test]
    fn an_experiment_may_name_its_primary_claims() {
        let mut claim = Claim {
            kind: ClaimKind::Nodes,
            family: Family::Secondary,
            machine: MachineKind::Real,
            threads: 2,
            problem: String::new(),
            subject: "lazy".to_owned(),
            than: String::new(),
            figure: "nodes",
            ratio: Interval::unknown(1.0),
            p: 0.1,
            sign_flip: None,
            adjusted: 0.1,
        };
        let named = |name: &str| [name.to_owned()];
        assert!(is_primary(&claim, Asks::Best, &named("nodes")));
        assert!(is_primary(&claim, Asks::Best, &named("nodes: lazy")));
        assert!(!is_primary(&claim, Asks::Best, &named("nodes: ybwc")));
        assert!(!is_primary(&claim, Asks::Best, &[]));
        claim.kind = ClaimKind::Order;
        assert!(is_primary(&claim, Asks::Best, &[]) && !is_primary(&claim, Asks::Effect, &[]));
    }
}
